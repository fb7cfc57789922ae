/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_NUMBER_H
#define AIDC_EXPERIMENT_NUMBER_H

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

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_NUMBER_H
