/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NUMBER_TEXT_H
#define AIDC_NUMBER_TEXT_H

#include <cstdint>
#include <string>

/**
 * @file
 * Parses and prints numbers, whatever the locale.
 */

namespace ns3::aidc
{

/// Parse an unsigned decimal integer. text: the text, digits only. @return whether the whole text
/// is an integer of 64 bits
bool ParseUnsigned(const std::string& text, uint64_t& value);

/// Parse a decimal number, with or without fraction and exponent. @return whether the whole text is
/// a finite number
bool ParseNumber(const std::string& text, double& value);

/// Parse a whole number, which may have an exponent or a fraction of zeros, as 64e6 and 4096.0.
/// With them it is below 2^53: a double has all whole numbers up to there.
/// @param text the text
/// @param value where the value goes
/// @return whether the whole text is such a number from 0 on
bool ParseWholeNumber(const std::string& text, uint64_t& value);

} // namespace ns3::aidc

#endif // AIDC_NUMBER_TEXT_H
