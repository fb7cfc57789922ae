/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_TABLE_H
#define AIDC_EXPERIMENT_TABLE_H

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// Write a cell of the table.
/// @param values the value of each run
/// @param unit the unit
/// @param largest the largest value that the cell is compared to
/// @return the text; a dash for a value that does not exist
std::string PrintCell(const std::vector<double>& values, const std::string& unit, double largest);

/// Print rows of text in columns, the first ones flush left and the others flush right.
/// @param os the stream to print to
/// @param rows the rows, all of the same length; an empty row is printed as a blank line
/// @param nLeft how many columns are flush left
void PrintAligned(std::ostream& os,
                  const std::vector<std::vector<std::string>>& rows,
                  std::size_t nLeft);

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_TABLE_H
