/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EXPERIMENT_TABLE_H
#define AIDC_EXPERIMENT_TABLE_H

#include "scheme-colors.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// A metric of a scheme
struct SchemeMetric
{
    std::string name;           //!< The name, in snake_case
    std::string unit;           //!< The unit
    std::vector<double> values; //!< The value of each run

    /// Subtract another metric, run by run.
    /// @param other the same metric of another scheme, whose runs of one number are pairs with
    /// these
    /// @return the difference in each run
    /// @throws std::invalid_argument if it does not have as many runs
    std::vector<double> Minus(const SchemeMetric& other) const;
};

/// @ingroup aidc
/// The metrics of a scheme, in a scenario if the experiment has several
struct SchemeMetrics
{
    std::string fullName;              //!< SCHEME or SCHEME\@SCENARIO
    std::string name;                  //!< The scheme's name without the scenario
    std::string scenario;              //!< The scenario, or empty
    std::vector<SchemeMetric> metrics; //!< The metrics, in the order of addition

    /// @param metric the metric's name
    /// @return the metric, or a null pointer
    const SchemeMetric* Find(const std::string& metric) const;

    /// @return the member of the summary's "schemes" that it is
    std::string PrintJson() const;
};

/// @ingroup aidc
/// Print a quantity for people to read, rounded and scaled as in the table.
/// @param value the quantity, in its SI unit
/// @param unit the unit: s, bit/s, byte, packet or 1
/// @return the text, such as "12.00 us"; a dash for a value that does not exist
std::string PrintQuantity(double value, const std::string& unit);

/// Print a table for people to read: a row for each scheme, grouped by scenario.
///
/// Values are rounded to four digits and scaled (ns to s, bit/s to Tbit/s, B to TB, decimal
/// prefixes), by the same factor for all schemes of a scenario unless one is smaller by far. With
/// several runs the half-width of the 95 % confidence interval follows as "± x". A metric that a
/// scheme does not have is a dash. If the table is wider than a line, each scenario has a block
/// with a row for each metric, and another block for schemes that do not fit.
/// @param os the stream to print to
/// @param columns the metrics, in the order of the columns
/// @param schemes the schemes
/// @param width the characters of a line
/// @param colors the colors of schemes, for a terminal that shows them before the names of rows;
/// none by default
void PrintExperimentTable(std::ostream& os,
                          const std::vector<std::string>& columns,
                          const std::vector<SchemeMetrics>& schemes,
                          std::size_t width,
                          const SchemeColors& colors = {});

} // namespace ns3::aidc

#endif // AIDC_EXPERIMENT_TABLE_H
