/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-summary.h"

#include "ns3-release.h"

#include "ns3/sample-statistics.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>
#include <locale>
#include <sstream>
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

/**
 * @brief Pick the largest scale that is not larger than a value.
 *
 * @param scales the scales, the smallest first
 * @param value the value, in the SI unit
 * @return the scale; the smallest if all are larger
 */
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

/**
 * @brief Pick the scale in which to print a value.
 *
 * @param unit the SI unit
 * @param value the value, in the SI unit
 * @return the scale; for units that are not scaled, a factor of 1 and no name
 */
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

/**
 * @brief Refuse a unit that is not in the set.
 *
 * @param unit the unit
 * @throws std::invalid_argument when it is not
 */
void
CheckUnit(const std::string& unit)
{
    constexpr std::array<const char*, 5> UNITS{"s", "bit/s", "byte", "packet", "1"};
    if (std::find(UNITS.begin(), UNITS.end(), unit) == UNITS.end())
    {
        throw std::invalid_argument("unit '" + unit +
                                    "': expected one of s, bit/s, byte, packet, 1");
    }
}

/**
 * @brief Whether a name is lower-case words and numbers with one separator between them.
 *
 * @param name the name
 * @param separator the separator: '-' in kebab-case, '_' in snake_case
 * @return true if it is
 */
bool
IsJoined(const std::string& name, char separator)
{
    auto expectWord = true;
    for (const auto c : name)
    {
        if (c == separator)
        {
            if (expectWord)
            {
                return false;
            }
            expectWord = true;
        }
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        {
            expectWord = false;
        }
        else
        {
            return false;
        }
    }
    return !expectWord;
}

/**
 * @brief Refuse a name that is not in kebab-case.
 *
 * @param what what the name is of
 * @param name the name
 * @throws std::invalid_argument when it is not
 */
void
CheckKebabCase(const std::string& what, const std::string& name)
{
    if (!IsJoined(name, '-'))
    {
        throw std::invalid_argument(what + " '" + name + "': expected kebab-case");
    }
}

/**
 * @brief Refuse a name that is not in snake_case and does not begin with a letter.
 *
 * @param what what the name is of
 * @param name the name
 * @throws std::invalid_argument when it is not
 */
void
CheckSnakeCase(const std::string& what, const std::string& name)
{
    if (!IsJoined(name, '_') || (name.front() >= '0' && name.front() <= '9'))
    {
        throw std::invalid_argument(what + " '" + name + "': expected snake_case");
    }
}

/**
 * @brief The length of the UTF-8 sequence that starts at a place of a text.
 *
 * @param text the text
 * @param start the place
 * @return the length in bytes; 0 if no well-formed sequence starts there (RFC 3629, section 4)
 */
std::size_t
GetUtf8Length(const std::string& text, std::size_t start)
{
    const auto byte = [&text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto lead = byte(start);
    if (lead < 0x80)
    {
        return 1;
    }
    if (lead < 0xc2 || lead > 0xf4)
    {
        return 0;
    }
    const std::size_t length = lead < 0xe0 ? 2 : (lead < 0xf0 ? 3 : 4);
    // The second byte is limited further: no overlong form, no surrogate, nothing over U+10FFFF
    const auto lowest = lead == 0xe0 ? 0xa0U : (lead == 0xf0 ? 0x90U : 0x80U);
    const auto highest = lead == 0xed ? 0x9fU : (lead == 0xf4 ? 0x8fU : 0xbfU);
    if (byte(start + 1) < lowest || byte(start + 1) > highest)
    {
        return 0;
    }
    for (std::size_t i = 2; i < length; ++i)
    {
        if (byte(start + i) < 0x80 || byte(start + i) > 0xbf)
        {
            return 0;
        }
    }
    return length;
}

/**
 * @brief Write a text as a JSON string.
 *
 * Control characters are escaped; bytes that are not UTF-8 become U+FFFD.
 *
 * @param text the text
 * @return the string, with its quotation marks
 */
std::string
ToJson(const std::string& text)
{
    constexpr const char* HEX_DIGITS = "0123456789abcdef";
    std::string json = "\"";
    for (std::size_t i = 0; i < text.size();)
    {
        const auto length = GetUtf8Length(text, i);
        if (length != 1)
        {
            json += length == 0 ? "\\ufffd" : text.substr(i, length);
            i += std::max<std::size_t>(length, 1);
            continue;
        }
        const auto c = text[i++];
        switch (c)
        {
        case '"':
            json += "\\\"";
            break;
        case '\\':
            json += "\\\\";
            break;
        case '\b':
            json += "\\b";
            break;
        case '\f':
            json += "\\f";
            break;
        case '\n':
            json += "\\n";
            break;
        case '\r':
            json += "\\r";
            break;
        case '\t':
            json += "\\t";
            break;
        default:
            if (c < 0x20 || c == 0x7f)
            {
                json += "\\u00";
                json += HEX_DIGITS[c / 16];
                json += HEX_DIGITS[c % 16];
            }
            else
            {
                json += c;
            }
        }
    }
    return json + "\"";
}

/**
 * @brief Write a number with a precision.
 *
 * @param value the number
 * @param digits the precision
 * @param isFixed whether the precision counts the digits after the point, rather than all of them
 * @return the number, whatever the global locale is
 */
std::string
Print(double value, int digits, bool isFixed)
{
    std::ostringstream os;
    os.imbue(std::locale::classic());
    if (isFixed)
    {
        os.setf(std::ios_base::fixed, std::ios_base::floatfield);
    }
    os.precision(digits);
    os << value;
    return os.str();
}

/**
 * @brief Write a number as JSON, in the fewest digits that read back as the same number.
 *
 * @param value the number
 * @return the number; null if it is NaN or infinite
 */
std::string
ToJson(double value)
{
    // Up to this, a double holds every whole number
    constexpr auto LARGEST_WHOLE = 9007199254740992.0;
    if (!std::isfinite(value))
    {
        return "null";
    }
    if (value == 0)
    {
        return "0"; // not -0
    }
    if (std::abs(value) <= LARGEST_WHOLE && std::trunc(value) == value)
    {
        return Print(value, 0, true);
    }
    // std::to_chars does this at once, but GCC has it for double only from release 11 on
    for (int digits = 1; digits < std::numeric_limits<double>::max_digits10; ++digits)
    {
        const auto text = Print(value, digits, false);
        std::istringstream is(text);
        is.imbue(std::locale::classic());
        double read = 0;
        if (is >> read && read == value)
        {
            return text;
        }
    }
    return Print(value, std::numeric_limits<double>::max_digits10, false);
}

/**
 * @brief How many digits after the point give a number the digits of the table.
 *
 * @param value the number
 * @return the number of digits after the point
 */
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

/**
 * @brief Put commas between the thousands of a number.
 *
 * @param number the number, as digits with or without a sign and a fraction
 * @return the number with commas
 */
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

/**
 * @brief Write a cell of the table.
 *
 * @param values the value of each run
 * @param unit the unit
 * @param largest the largest value that the cell is compared to
 * @return the text; a dash for a value that does not exist
 */
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
    if (unit == "packet")
    {
        // Whole packets in one run, tenths in a mean over several
        decimals = std::trunc(mean) == mean ? 0 : 1;
    }
    const auto print = [&](double value) {
        const auto number = Print(value / scale.factor, decimals, true);
        return isSeparated ? SeparateThousands(number) : number;
    };

    auto cell = print(mean);
    const auto halfWidth = ConfidenceHalfWidth95(values);
    if (std::isfinite(halfWidth))
    {
        cell += " +- " + print(halfWidth);
    }
    return isSeparated ? cell : cell + " " + scale.name;
}

/**
 * @brief Print rows of text in columns, the first ones flush left and the others flush right.
 *
 * @param os the stream to print to
 * @param rows the rows, all of the same length; an empty row is printed as a blank line
 * @param nLeft how many columns are flush left
 */
void
PrintAligned(std::ostream& os, const std::vector<std::vector<std::string>>& rows, std::size_t nLeft)
{
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (const auto& row : rows)
    {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const std::string blanks(widths[i] - row[i].size(), ' ');
            line += i == 0 ? "" : "  ";
            line += i < nLeft ? row[i] + blanks : blanks + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        os << line << "\n";
    }
}

} // namespace

ExperimentSummary::ExperimentSummary(const std::string& experiment)
    : m_experiment(experiment)
{
    CheckKebabCase("experiment", experiment);
}

void
ExperimentSummary::SetSeed(uint32_t seed)
{
    m_seed = seed;
}

void
ExperimentSummary::SetRuns(uint32_t runs)
{
    for (const auto& scheme : m_schemes)
    {
        for (const auto& metric : scheme.metrics)
        {
            if (metric.values.size() > runs)
            {
                throw std::invalid_argument(scheme.GetFullName() + " " + metric.name +
                                            ": more values than runs");
            }
        }
    }
    if (runs == 0)
    {
        throw std::invalid_argument("runs: expected at least 1");
    }
    m_runs = runs;
}

void
ExperimentSummary::SetCommand(const std::string& command)
{
    m_command = command;
}

void
ExperimentSummary::SetParameter(const std::string& name, const std::string& value)
{
    SetParameterJson(name, ToJson(value));
}

void
ExperimentSummary::SetParameter(const std::string& name, double value)
{
    SetParameterJson(name, ToJson(value));
}

void
ExperimentSummary::SetParameter(const std::string& name, double value, const std::string& unit)
{
    CheckUnit(unit);
    SetParameterJson(name, "{\"value\": " + ToJson(value) + ", \"unit\": " + ToJson(unit) + "}");
}

void
ExperimentSummary::SetParameterJson(const std::string& name, const std::string& json)
{
    if (name.empty())
    {
        throw std::invalid_argument("parameter: expected a name");
    }
    for (auto& parameter : m_parameters)
    {
        if (parameter.first == name)
        {
            parameter.second = json;
            return;
        }
    }
    m_parameters.emplace_back(name, json);
}

void
ExperimentSummary::Add(const std::string& scheme,
                       const std::string& metric,
                       double value,
                       const std::string& unit)
{
    const auto at = scheme.find('@');
    const auto name = scheme.substr(0, at);
    const auto scenario = at == std::string::npos ? std::string() : scheme.substr(at + 1);
    CheckKebabCase("scheme", name);
    if (at != std::string::npos)
    {
        CheckKebabCase("scenario", scenario);
    }
    CheckSnakeCase("metric", metric);
    CheckUnit(unit);

    const auto hasName = [&metric](const Metric& m) { return m.name == metric; };
    const auto known = std::find_if(m_metrics.begin(), m_metrics.end(), hasName);
    if (known == m_metrics.end())
    {
        m_metrics.push_back({metric, unit, {}});
    }
    else if (known->unit != unit)
    {
        throw std::invalid_argument("metric " + metric + ": unit " + unit + ", but was " +
                                    known->unit + " before");
    }

    auto entry = std::find_if(m_schemes.begin(), m_schemes.end(), [&](const Scheme& s) {
        return s.name == name && s.scenario == scenario;
    });
    if (entry == m_schemes.end())
    {
        entry = m_schemes.insert(entry, {name, scenario, {}});
    }
    auto series = std::find_if(entry->metrics.begin(), entry->metrics.end(), hasName);
    if (series == entry->metrics.end())
    {
        series = entry->metrics.insert(series, {metric, unit, {}});
    }
    if (series->values.size() >= m_runs)
    {
        throw std::invalid_argument(scheme + " " + metric + ": more values than runs");
    }
    series->values.push_back(value);
}

double
ExperimentSummary::GetMean(const std::string& scheme, const std::string& metric) const
{
    const auto entry = Find(scheme);
    const auto series = entry ? entry->Find(metric) : nullptr;
    if (!series)
    {
        throw std::invalid_argument(scheme + " " + metric + ": was not added");
    }
    const auto mean = Mean(series->values);
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::quiet_NaN();
}

void
ExperimentSummary::SetColumns(const std::vector<std::string>& metrics)
{
    for (const auto& metric : metrics)
    {
        CheckSnakeCase("metric", metric);
    }
    m_columns = metrics;
}

void
ExperimentSummary::WriteJson(std::ostream& os) const
{
    // Built apart, so that the format of the numbers is not the stream's
    std::string json = "{\n";
    json += "  \"experiment\": " + ToJson(m_experiment) + ",\n";
    json += "  \"ns3\": " + ToJson(GetNs3Release()) + ",\n";
    json += "  \"seed\": " + std::to_string(m_seed) + ",\n";
    json += "  \"runs\": " + std::to_string(m_runs) + ",\n";
    json += "  \"command\": " + ToJson(m_command) + ",\n";
    json += "  \"parameters\": {";
    auto separator = "\n";
    for (const auto& [name, value] : m_parameters)
    {
        json += separator;
        json += "    " + ToJson(name) + ": " + value;
        separator = ",\n";
    }
    json += m_parameters.empty() ? "},\n" : "\n  },\n";
    json += "  \"schemes\": {";
    separator = "\n";
    for (const auto& scheme : m_schemes)
    {
        json += separator;
        json += "    " + ToJson(scheme.GetFullName()) + ": {";
        auto comma = "\n";
        for (const auto& metric : scheme.metrics)
        {
            json += comma;
            json += "      " + ToJson(metric.name) +
                    ": {\"value\": " + ToJson(Mean(metric.values)) +
                    ", \"unit\": " + ToJson(metric.unit) +
                    ", \"ci95\": " + ToJson(ConfidenceHalfWidth95(metric.values)) + "}";
            comma = ",\n";
        }
        json += "\n    }";
        separator = ",\n";
    }
    json += m_schemes.empty() ? "}\n" : "\n  }\n";
    os << json << "}\n";
}

void
ExperimentSummary::WriteJson(const std::string& path) const
{
    errno = 0;
    std::ofstream os(path, std::ios::binary);
    WriteJson(os);
    os.close();
    if (!os)
    {
        throw std::runtime_error("cannot write " + path +
                                 (errno == 0 ? "" : std::string(": ") + std::strerror(errno)));
    }
}

void
ExperimentSummary::PrintTable(std::ostream& os) const
{
    os << m_experiment << ": ns-3 " << GetNs3Release() << ", seed " << std::to_string(m_seed)
       << ", " << std::to_string(m_runs)
       << (m_runs == 1 ? " run" : " runs (mean +- half-width of the 95 % confidence interval)")
       << "\n\n";

    auto columns = m_columns;
    if (columns.empty())
    {
        for (const auto& metric : m_metrics)
        {
            columns.push_back(metric.name);
        }
    }
    std::vector<std::string> scenarios;
    auto hasScenarios = false;
    for (const auto& scheme : m_schemes)
    {
        hasScenarios = hasScenarios || !scheme.scenario.empty();
        if (std::find(scenarios.begin(), scenarios.end(), scheme.scenario) == scenarios.end())
        {
            scenarios.push_back(scheme.scenario);
        }
    }

    std::vector<std::vector<std::string>> rows(1);
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
        // The largest value of each metric decides the scale in this scenario
        std::vector<double> largest(columns.size(), 0);
        for (const auto& scheme : m_schemes)
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
        auto isFirst = true;
        for (const auto& scheme : m_schemes)
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
    PrintAligned(os, rows, nLeft);
}

std::string
ExperimentSummary::Scheme::GetFullName() const
{
    return scenario.empty() ? name : name + "@" + scenario;
}

const ExperimentSummary::Metric*
ExperimentSummary::Scheme::Find(const std::string& metric) const
{
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&metric](const Metric& m) {
        return m.name == metric;
    });
    return found == metrics.end() ? nullptr : &*found;
}

const ExperimentSummary::Scheme*
ExperimentSummary::Find(const std::string& fullName) const
{
    const auto found =
        std::find_if(m_schemes.begin(), m_schemes.end(), [&fullName](const Scheme& s) {
            return s.GetFullName() == fullName;
        });
    return found == m_schemes.end() ? nullptr : &*found;
}

} // namespace ns3::aidc
