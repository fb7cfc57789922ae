/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-table.h"

#include "experiment-json.h"
#include "experiment-number.h"
#include "terminal-text.h"

#include "ns3/sample-statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// A unit for people, and its size in the SI unit
struct Scale
{
    double factor;    //!< How many of the SI unit make one
    const char* name; //!< The name after the number, or empty
};

/// The scales of time, the smallest first
constexpr std::array<Scale, 4> TIME_SCALES{{{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}}};

/// The scales of rates, the smallest first
constexpr std::array<Scale, 5> RATE_SCALES{
    {{1, "bit/s"}, {1e3, "kbit/s"}, {1e6, "Mbit/s"}, {1e9, "Gbit/s"}, {1e12, "Tbit/s"}}};

/// The scales of sizes, the smallest first
constexpr std::array<Scale, 5> SIZE_SCALES{
    {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}}};

/// How many digits the table gives to a number
constexpr int TABLE_DIGITS = 4;

/// A value that is less than this of its unit in the table gets a smaller unit than its group
constexpr double SMALLEST_SHARE = 0.1;

/// Pick the largest scale that is not larger than a value.
/// @param scales the scales, the smallest first
/// @param value the value, in the SI unit
/// @return the scale; the smallest if all are larger
template <std::size_t N>
Scale
PickScale(const std::array<Scale, N>& scales, double value)
{
    // 999.96 would be printed as 1000, so it already takes the next scale
    const auto rounded = std::abs(value) * (1 + 0.5 * std::pow(10.0, -TABLE_DIGITS));
    auto picked = scales.front();
    for (const auto& scale : scales)
    {
        if (scale.factor <= rounded)
        {
            picked = scale;
        }
    }
    return picked;
}

/// @param unit the SI unit
/// @param value the value, in the SI unit
/// @return the scale; for units that are not scaled, a factor of 1 and no name
Scale
PickScale(const std::string& unit, double value)
{
    if (unit == "s")
    {
        return value == 0 ? TIME_SCALES.back() : PickScale(TIME_SCALES, value);
    }
    if (unit == "bit/s")
    {
        return PickScale(RATE_SCALES, value);
    }
    if (unit == "byte")
    {
        return PickScale(SIZE_SCALES, value);
    }
    return {1, ""};
}

/// @param value the number
/// @return how many digits after the point give it the digits of the table
int
GetDecimals(double value)
{
    if (value == 0)
    {
        return 0;
    }
    // The exponent after rounding: 9.9999 is printed as 10.00
    const auto magnitude = std::abs(value) * (1 + 0.5 * std::pow(10.0, -TABLE_DIGITS));
    const auto exponent = static_cast<int>(std::floor(std::log10(magnitude)));
    return std::max(0, TABLE_DIGITS - 1 - exponent);
}

/// @param number the number, as digits with or without a sign and a fraction
/// @return the number with commas between the thousands
std::string
SeparateThousands(std::string number)
{
    const auto point = number.find('.');
    auto position = point == std::string::npos ? number.size() : point;
    const std::size_t start = number.front() == '-' ? 1 : 0;
    while (position > start + 3)
    {
        position -= 3;
        number.insert(position, 1, ',');
    }
    return number;
}

/// Write a cell of the table.
/// @param values the value of each run
/// @param unit the unit
/// @param largest the largest value that the cell is compared to
/// @return the text; a dash for a value that does not exist
std::string
PrintCell(const std::vector<double>& values, const std::string& unit, double largest)
{
    const auto mean = Mean(values);
    if (!std::isfinite(mean))
    {
        return "-";
    }
    auto scale = PickScale(unit, largest);
    if (mean != 0 && std::abs(mean) / scale.factor < SMALLEST_SHARE)
    {
        scale = PickScale(unit, mean);
    }
    const auto isSeparated = *scale.name == '\0';
    auto decimals = GetDecimals(mean / scale.factor);
    const bool isCount =
        unit == "packet" ||
        (unit == "1" && std::all_of(values.begin(), values.end(), [](double value) {
             return std::trunc(value) == value;
         }));
    if (isCount)
    {
        // Counts are whole in one run, and have tenths in a mean over several
        decimals = std::trunc(mean) == mean ? 0 : 1;
    }
    const auto print = [&](double value) {
        const auto number = PrintNumber(value / scale.factor, decimals, true);
        return isSeparated ? SeparateThousands(number) : number;
    };

    auto cell = print(mean);
    const auto halfWidth = ConfidenceHalfWidth95(values);
    if (std::isfinite(halfWidth))
    {
        cell += " ± " + print(halfWidth);
    }
    return isSeparated ? cell : cell + " " + scale.name;
}

/// @param columns the metrics
/// @param schemes the schemes
/// @param scenario a scenario
/// @return the largest value of each metric there, which decides its scale
std::vector<double>
GetLargest(const std::vector<std::string>& columns,
           const std::vector<SchemeMetrics>& schemes,
           const std::string& scenario)
{
    std::vector<double> largest(columns.size(), 0);
    for (const auto& scheme : schemes)
    {
        for (std::size_t i = 0; i < columns.size(); ++i)
        {
            const auto metric = scheme.Find(columns[i]);
            if (scheme.scenario == scenario && metric)
            {
                const auto mean = std::abs(Mean(metric->values));
                largest[i] = std::isfinite(mean) ? std::max(largest[i], mean) : largest[i];
            }
        }
    }
    return largest;
}

/// Rows of text; an empty one is a blank line.
using Rows = std::vector<std::vector<std::string>>;

/// The blanks between columns.
constexpr std::size_t GAP = 2;

/// The characters of a scheme's color, and of the blank behind it.
constexpr std::size_t SWATCH = 3;

/// @param rows rows of the same length, or empty
/// @return the characters of each column
std::vector<std::size_t>
GetWidths(const Rows& rows)
{
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], CountCharacters(row[i]));
        }
    }
    return widths;
}

/// Print rows of text in columns, the first ones flush left and the others flush right.
/// @param os the stream to print to
/// @param rows the rows, all of the same length; an empty row is printed as a blank line
/// @param nLeft how many columns are flush left; the last one has the schemes
/// @param colors the colors of schemes
void
PrintAligned(std::ostream& os, const Rows& rows, std::size_t nLeft, const SchemeColors& colors)
{
    const auto widths = GetWidths(rows);
    for (const auto& row : rows)
    {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const std::string blanks(widths[i] - CountCharacters(row[i]), ' ');
            line += i == 0 ? "" : std::string(GAP, ' ');
            if (i + 1 == nLeft && !colors.empty())
            {
                const auto color = colors.find(row[i]);
                line += (color == colors.end() ? "  " : PrintSwatch(color->second)) + " ";
            }
            line += i < nLeft ? row[i] + blanks : blanks + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        os << line << "\n";
    }
}

/// Print rows of text as columns, in blocks that fit into a line.
/// @param os the stream to print to
/// @param rows the rows, the first of which is the header; an empty row begins a new block
/// @param nLeft how many columns name a row: the last of them is its name, and the first one that
/// of
///        its block, where there are two
/// @param width the characters of a line
void
PrintTransposed(std::ostream& os, const Rows& rows, std::size_t nLeft, std::size_t width)
{
    std::string block;
    for (std::size_t next = 1; next < rows.size();)
    {
        if (rows[next].empty())
        {
            ++next;
            continue;
        }
        if (nLeft > 1 && !rows[next].front().empty())
        {
            block = rows[next].front();
        }
        Rows lines{{nLeft > 1 ? block : ""}};
        for (std::size_t i = nLeft; i < rows.front().size(); ++i)
        {
            lines.push_back({rows.front()[i]});
        }
        std::size_t used = GetWidths(lines).front();
        const auto first = next;
        for (; next < rows.size() && !rows[next].empty(); ++next)
        {
            Rows column{{rows[next][nLeft - 1]}};
            for (std::size_t i = nLeft; i < rows[next].size(); ++i)
            {
                column.push_back({rows[next][i]});
            }
            used += GAP + GetWidths(column).front();
            if (used > width && next > first)
            {
                break;
            }
            for (std::size_t i = 0; i < lines.size(); ++i)
            {
                lines[i].push_back(column[i].front());
            }
        }
        os << (first == 1 ? "" : "\n");
        PrintAligned(os, lines, 1, {});
    }
}

} // namespace

std::vector<double>
SchemeMetric::Minus(const SchemeMetric& other) const
{
    if (values.size() != other.values.size())
    {
        throw std::invalid_argument(name + ": expected " + std::to_string(values.size()) +
                                    " runs to subtract, found " +
                                    std::to_string(other.values.size()));
    }
    std::vector<double> differences;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        differences.push_back(values[i] - other.values[i]);
    }
    return differences;
}

const SchemeMetric*
SchemeMetrics::Find(const std::string& metric) const
{
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const SchemeMetric& m) {
        return m.name == metric;
    });
    return found == metrics.end() ? nullptr : &*found;
}

std::string
SchemeMetrics::PrintJson() const
{
    std::string json = "    " + ToJson(fullName) + ": {";
    auto comma = "\n";
    for (const auto& metric : metrics)
    {
        json += comma;
        json += "      " + ToJson(metric.name) + ": {\"value\": " + ToJson(Mean(metric.values)) +
                ", \"unit\": " + ToJson(metric.unit) +
                ", \"ci95\": " + ToJson(ConfidenceHalfWidth95(metric.values)) +
                ", \"median\": " + ToJson(Median(metric.values)) + ", \"runs\": [";
        for (std::size_t i = 0; i < metric.values.size(); ++i)
        {
            json += (i == 0 ? "" : ", ") + ToJson(metric.values[i]);
        }
        json += "]}";
        comma = ",\n";
    }
    return json + "\n    }";
}

std::string
PrintQuantity(double value, const std::string& unit)
{
    return PrintCell({value}, unit, value);
}

void
PrintExperimentTable(std::ostream& os,
                     const std::vector<std::string>& columns,
                     const std::vector<SchemeMetrics>& schemes,
                     std::size_t width,
                     const SchemeColors& colors)
{
    std::vector<std::string> scenarios;
    auto hasScenarios = false;
    for (const auto& scheme : schemes)
    {
        hasScenarios = hasScenarios || !scheme.scenario.empty();
        if (std::find(scenarios.begin(), scenarios.end(), scheme.scenario) == scenarios.end())
        {
            scenarios.push_back(scheme.scenario);
        }
    }

    Rows rows(1);
    if (hasScenarios)
    {
        rows[0].emplace_back("scenario");
    }
    rows[0].emplace_back("scheme");
    const auto nLeft = rows[0].size();
    rows[0].insert(rows[0].end(), columns.begin(), columns.end());

    for (const auto& scenario : scenarios)
    {
        if (scenario != scenarios.front())
        {
            rows.emplace_back();
        }
        const auto largest = GetLargest(columns, schemes, scenario);
        auto isFirst = true;
        for (const auto& scheme : schemes)
        {
            if (scheme.scenario != scenario)
            {
                continue;
            }
            auto& row = rows.emplace_back();
            if (hasScenarios)
            {
                row.push_back(isFirst ? scenario : "");
            }
            isFirst = false;
            row.push_back(scheme.name);
            for (std::size_t i = 0; i < columns.size(); ++i)
            {
                const auto metric = scheme.Find(columns[i]);
                row.push_back(metric ? PrintCell(metric->values, metric->unit, largest[i]) : "-");
            }
        }
    }
    std::size_t used = colors.empty() ? 0 : SWATCH;
    for (const auto columnWidth : GetWidths(rows))
    {
        used += columnWidth + GAP;
    }
    used <= width + GAP ? PrintAligned(os, rows, nLeft, colors)
                        : PrintTransposed(os, rows, nLeft, width);
}

} // namespace ns3::aidc
