/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_JSON_H
#define AIDC_EXPERIMENT_JSON_H

#include <string>

namespace ns3::aidc
{

/// @param value the number
/// @param digits the precision
/// @param isFixed whether the precision counts the digits after the point, rather than all of them
/// @return the number, whatever the global locale is
std::string PrintNumber(double value, int digits, bool isFixed);

/// Print a number in the fewest digits that read back as the same number; a whole one without an
/// exponent.
/// @param value the number
/// @return the text, independent of the locale; "nan" for what is not finite
std::string PrintShortest(double value);

/// Write a text as a JSON string, as FormatJsonString() does.
/// @return the string, with its quotation marks
std::string ToJson(const std::string& text);

/// Write a number as JSON, in the fewest digits that read back as the same number.
/// @param value the number
/// @return the number; null if it is NaN or infinite
std::string ToJson(double value);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_JSON_H
