/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SCHEME_COLORS_H
#define AIDC_SCHEME_COLORS_H

#include <cstdint>
#include <map>
#include <string>

namespace ns3::aidc
{

/// @ingroup aidc
/// The colors of schemes by their names, as 0xRRGGBB
using SchemeColors = std::map<std::string, uint32_t>;

/// @ingroup aidc
/// Read the colors that an experiment's figures have.
///
/// The script has the names of schemes and their colors as lists of words in quotation marks,
/// scheme_colors and, for it, colored_schemes or schemes.
/// @param script the path of the gnuplot script
/// @return the colors; none if the file or its lists do not exist
SchemeColors ReadSchemeColors(const std::string& script);

/// @ingroup aidc
/// @param color a color, 0xRRGGBB
/// @return two blanks with this background, for a terminal that knows ECMA-48's colors
std::string PrintSwatch(uint32_t color);

} // namespace ns3::aidc

#endif // AIDC_SCHEME_COLORS_H
