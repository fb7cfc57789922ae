/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TERMINAL_TEXT_H
#define AIDC_TERMINAL_TEXT_H

#include <cstddef>
#include <string>

namespace ns3::aidc
{

/// @return the characters of a line of standard output: as COLUMNS says, or the terminal; else 80
std::size_t GetTerminalWidth();

/// @param text a text in UTF-8
/// @return the characters that it takes on a terminal
std::size_t CountCharacters(const std::string& text);

/// Break a text between words, so that its lines fit. A number stays with the word behind it, its
/// unit, and a word that is too long has its own line.
/// @param text the text
/// @param width the characters of a line
/// @param indent the blanks before all lines but the first one
/// @return the lines, each with its end
std::string WrapText(const std::string& text, std::size_t width, std::size_t indent);

} // namespace ns3::aidc

#endif // AIDC_TERMINAL_TEXT_H
