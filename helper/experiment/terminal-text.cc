/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "terminal-text.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// @param text a text
/// @return its words; a number and its unit are one
std::vector<std::string>
SplitWords(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream is(text);
    for (std::string word; is >> word;)
    {
        const bool isUnit = !words.empty() && words.back().back() >= '0' &&
                            words.back().back() <= '9' &&
                            words.back().find(' ') == std::string::npos;
        isUnit ? words.back() += " " + word : words.emplace_back(word);
    }
    return words;
}

} // namespace

std::size_t
GetTerminalWidth()
{
    constexpr std::size_t USUAL = 80;
    constexpr long LEAST = 20;
    constexpr long MOST = 1000;
    if (const char* const columns = std::getenv("COLUMNS"))
    {
        if (const long given = std::strtol(columns, nullptr, 10); given >= LEAST && given <= MOST)
        {
            return static_cast<std::size_t>(given);
        }
    }
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST ? size.ws_col
                                                                                : USUAL;
}

std::size_t
CountCharacters(const std::string& text)
{
    // A byte 10xxxxxx continues a character.
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

std::string
WrapText(const std::string& text, std::size_t width, std::size_t indent)
{
    std::string lines;
    std::string line;
    bool hasWord = false;
    for (const auto& word : SplitWords(text))
    {
        if (hasWord && CountCharacters(line) + 1 + CountCharacters(word) > width)
        {
            lines += line + "\n";
            line = std::string(indent, ' ');
            hasWord = false;
        }
        line += (hasWord ? " " : "") + word;
        hasWord = true;
    }
    return lines + line + "\n";
}

} // namespace ns3::aidc
