/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "silicon-rows.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// @return a text as a cell of CSV
std::string
Quote(const std::string& text)
{
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

/// @return a number with up to 7 digits
std::string
Shorten(double number)
{
    std::ostringstream os;
    os.precision(7);
    os << number;
    return os.str();
}

} // namespace

std::string
SiliconRow::GetVerdict() const
{
    if (tolerance < 0)
    {
        return "not known";
    }
    const double difference = std::abs(ours - published);
    return difference == 0 ? "equal" : difference <= tolerance ? "within" : "differs";
}

ExperimentOutcome
MakeOutcome(const std::vector<SiliconRow>& rows, const std::string& chip)
{
    ExperimentOutcome outcome;
    const auto count = [&rows](const std::string& verdict) {
        return static_cast<double>(std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
            return row.GetVerdict() == verdict;
        }));
    };
    outcome.Add("rows", static_cast<double>(rows.size()), "1");
    outcome.Add("equal", count("equal"), "1");
    outcome.Add("within", count("within"), "1");
    outcome.Add("differs", count("differs"), "1");
    outcome.Add("not_known", count("not known"), "1");
    double most = 0;
    for (const auto& row : rows)
    {
        if (row.tolerance >= 0 && row.published != 0)
        {
            most = std::max(most, std::abs(row.ours / row.published - 1));
        }
    }
    outcome.Add("difference_max", most, "1");
    for (const auto& row : rows)
    {
        outcome.lines.push_back(
            {"rows.csv",
             "chip,quantity,how,published,ours,difference,tolerance,unit,verdict,note,source",
             chip + "," + Quote(row.quantity) + "," + Quote(row.how) + "," +
                 Shorten(row.published) + "," + Shorten(row.ours) + "," +
                 Shorten(row.ours - row.published) + "," +
                 (row.tolerance < 0 ? "" : Shorten(row.tolerance)) + "," + row.unit + "," +
                 row.GetVerdict() + "," + Quote(row.note) + "," + Quote(row.source)});
    }
    return outcome;
}

} // namespace ns3::aidc
