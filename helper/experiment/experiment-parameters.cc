/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-parameters.h"

#include "ns3/queue-size.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// No experiment simulates more seconds in a lifetime.
constexpr double LONGEST_SECONDS = 1000;

/// Units with what one of them is, the largest first
using Units = std::vector<std::pair<const char*, uint64_t>>;

/// Units of sizes
const Units BYTE_UNITS{{"MB", 1000000}, {"kB", 1000}, {"B", 1}};

/// What is expected of a size: the units that ns3::QueueSize has.
const std::string EXPECTED_BYTES = "a size in B, kB, KB, KiB, MB or MiB, such as 200kB";

/// Print a quantity in the largest unit of which it is a whole number, 0 in the smallest.
/// @param value the quantity, in the smallest unit
/// @param units the units
/// @return the text
std::string
PrintQuantity(uint64_t value, const Units& units)
{
    const auto unit = std::find_if(units.begin(), units.end() - 1, [value](const auto& candidate) {
        return value != 0 && value % candidate.second == 0;
    });
    return std::to_string(value / unit->second) + unit->first;
}

/// Get the end of a message on a text that is wrong.
/// @param text the text
/// @return what was found
std::string
Found(const std::string& text)
{
    return ", found \"" + text + "\"";
}

/// @param text the text
/// @return the number
/// @throws std::runtime_error if it is none
uint32_t
ReadBytes(const std::string& text)
{
    QueueSize size;
    std::istringstream is(text);
    const bool isSize = static_cast<bool>(is >> size) && size.GetUnit() == QueueSizeUnit::BYTES;
    CheckOption(isSize, EXPECTED_BYTES + Found(text));
    return size.GetValue();
}

/// Read a time. ns-3's own reader ends the program where the unit is wrong, and takes a number
/// without one.
/// @param text the text
/// @return the time
/// @throws std::runtime_error if it is none
Time
ReadTime(const std::string& text)
{
    constexpr std::array<std::pair<const char*, double>, 8> UNITS{{{"fs", 1e-15},
                                                                   {"ps", 1e-12},
                                                                   {"ns", 1e-9},
                                                                   {"us", 1e-6},
                                                                   {"ms", 1e-3},
                                                                   {"s", 1},
                                                                   {"min", 60},
                                                                   {"h", 3600}}};
    const auto end = std::min(text.find_first_not_of("+0123456789."), text.size());
    double number = 0;
    const auto unit = std::find_if(UNITS.begin(), UNITS.end(), [&](const auto& candidate) {
        return text.compare(end, std::string::npos, candidate.first) == 0;
    });
    const bool isTime =
        WorkloadFileReader::ParseNumber(text.substr(0, end), number) && unit != UNITS.end();
    CheckOption(isTime, "a time with its unit, such as 100us" + Found(text));
    CheckOption(number * unit->second <= LONGEST_SECONDS, "at most 1000s" + Found(text));
    return Time(text);
}

/// @param text the text
/// @return the rate
/// @throws std::runtime_error if it is none
DataRate
ReadRate(const std::string& text)
{
    DataRate rate;
    std::istringstream is(text);
    // ns-3 takes a number without a unit, and a unit without a number.
    const bool hasBoth = text.find_first_of("0123456789") == 0 && text.back() == 's';
    CheckOption(hasBoth && static_cast<bool>(is >> rate),
                "a rate with its unit, such as 40Gbps" + Found(text));
    return rate;
}

/// @param text the text
/// @return whether it is on
/// @throws std::runtime_error if it is neither
bool
ReadFlag(const std::string& text)
{
    const bool isOn = text == "true" || text == "True" || text == "1";
    CheckOption(isOn || text == "false" || text == "False" || text == "0",
                "true or false" + Found(text));
    return isOn;
}

/// Split a list of names.
/// @param text the names, separated by commas
/// @param known what the names may be
/// @return the names, in the order of the list
/// @throws std::runtime_error if a name is not known or there is none
std::vector<std::string>
ReadNames(const std::string& text, const std::vector<std::string>& known)
{
    const std::string expected = "some of " + JoinWords(known, ", ");
    std::vector<std::string> names;
    std::istringstream list(text);
    for (std::string name; std::getline(list, name, ',');)
    {
        CheckOption(std::find(known.begin(), known.end(), name) != known.end(),
                    expected + Found(name));
        CheckOption(std::find(names.begin(), names.end(), name) == names.end(),
                    "names that differ, found \"" + name + "\" twice");
        names.push_back(name);
    }
    CheckOption(!names.empty(), expected);
    return names;
}

} // namespace

std::string
JoinWords(const std::vector<std::string>& words, const std::string& separator)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : separator) + word;
    }
    return text;
}

void
CheckOption(bool isValid, const std::string& expected)
{
    if (!isValid)
    {
        throw std::runtime_error("expected " + expected);
    }
}

ExperimentParameter&
ExperimentParameters::Add(const std::string& name,
                          const std::string& help,
                          const std::string& text,
                          const std::function<void(const std::string&)>& read,
                          const std::function<void(ExperimentSummary&)>& write)
{
    m_options.emplace_back();
    auto& option = m_options.back();
    option.m_name = name;
    option.m_help = help;
    option.m_text.value = text;
    option.m_read = read;
    option.m_write = write;
    return option;
}

ExperimentParameter&
ExperimentParameters::AddFlag(const std::string& name, const std::string& help, bool& value)
{
    auto& option =
        Add(name, help, "", [&value](const std::string& text) { value = ReadFlag(text); }, nullptr);
    option.m_flag = &value;
    return option;
}

ExperimentParameter&
ExperimentParameters::AddWord(const std::string& name, const std::string& help, std::string& value)
{
    return Add(name, help, value, [&value](const std::string& text) { value = text; }, nullptr);
}

ExperimentParameter&
ExperimentParameters::AddCount(const std::string& name, const std::string& help, uint32_t& value)
{
    const auto read = [&value](const std::string& text) {
        uint64_t number = 0;
        CheckOption(WorkloadFileReader::ParseUnsigned(text, number) &&
                        number <= std::numeric_limits<uint32_t>::max(),
                    "a whole number of 32 bits" + Found(text));
        value = static_cast<uint32_t>(number);
    };
    return Add(name, help, std::to_string(value), read, nullptr);
}

ExperimentParameter&
ExperimentParameters::AddNames(const std::string& name,
                               const std::string& help,
                               const std::vector<std::string>& known,
                               std::vector<std::string>& value)
{
    const auto read = [&value, known](const std::string& text) { value = ReadNames(text, known); };
    return Add(name, help, JoinWords(value, ","), read, nullptr);
}

ExperimentParameter&
ExperimentParameters::AddText(const std::string& name,
                              const std::string& help,
                              std::string& value,
                              const std::string& whenEmpty)
{
    const auto write = [name, &value, whenEmpty](ExperimentSummary& summary) {
        summary.SetParameter(name, value.empty() ? whenEmpty : value);
    };
    return Add(name, help, value, [&value](const std::string& text) { value = text; }, write);
}

ExperimentParameter&
ExperimentParameters::AddNumber(const std::string& name,
                                const std::string& help,
                                double& value,
                                const std::function<bool(double)>& isValid,
                                const std::string& range)
{
    const auto read = [&value, isValid, range](const std::string& text) {
        double number = 0;
        CheckOption(WorkloadFileReader::ParseNumber(text, number) && isValid(number),
                    range + Found(text));
        value = number;
    };
    const auto write = [name, &value](ExperimentSummary& summary) {
        summary.SetParameter(name, value);
    };
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << value;
    return Add(name, help, text.str(), read, write);
}

ExperimentParameter&
ExperimentParameters::AddBytes(const std::string& name,
                               const std::string& help,
                               uint32_t& value,
                               bool mayBeZero,
                               uint32_t least)
{
    const auto read = [&value, mayBeZero, least](const std::string& text) {
        const uint32_t size = ReadBytes(text);
        CheckOption(mayBeZero || size > 0, EXPECTED_BYTES + Found(text));
        CheckOption(size >= least || size == 0,
                    "at least " + PrintQuantity(least, BYTE_UNITS) + Found(text));
        value = size;
    };
    const auto write = [name, &value](ExperimentSummary& summary) {
        summary.SetParameter(name, value, "byte");
    };
    return Add(name, help, PrintQuantity(value, BYTE_UNITS), read, write);
}

ExperimentParameter&
ExperimentParameters::AddTime(const std::string& name,
                              const std::string& help,
                              Time& value,
                              bool mayBeZero)
{
    const auto read = [&value, mayBeZero](const std::string& text) {
        const Time time = ReadTime(text);
        CheckOption(mayBeZero || time.IsStrictlyPositive(), "above 0" + Found(text));
        value = time;
    };
    const auto write = [name, &value](ExperimentSummary& summary) {
        // GetSeconds() makes 9.999999999999999e-05 s of 100 us.
        summary.SetParameter(name, static_cast<double>(value.GetNanoSeconds()) / 1e9, "s");
    };
    const Units units{{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    const auto ns = static_cast<uint64_t>(value.GetNanoSeconds());
    return Add(name, help, ns == 0 ? "0s" : PrintQuantity(ns, units), read, write);
}

ExperimentParameter&
ExperimentParameters::AddRate(const std::string& name,
                              const std::string& help,
                              DataRate& value,
                              bool mayBeZero)
{
    const auto read = [&value, mayBeZero](const std::string& text) {
        const DataRate rate = ReadRate(text);
        CheckOption(mayBeZero || rate.GetBitRate() > 0, "above 0" + Found(text));
        value = rate;
    };
    const auto write = [name, &value](ExperimentSummary& summary) {
        summary.SetParameter(name, static_cast<double>(value.GetBitRate()), "bit/s");
    };
    return Add(name,
               help,
               PrintQuantity(value.GetBitRate(),
                             {{"Gbps", 1000000000}, {"Mbps", 1000000}, {"kbps", 1000}, {"bps", 1}}),
               read,
               write);
}

void
ExperimentParameters::AddTo(CommandLine& cmd)
{
    for (auto& option : m_options)
    {
        const std::string small = option.m_small ? "; " + *option.m_small + " with --small" : "";
        if (option.m_flag)
        {
            cmd.AddValue(option.m_name, option.m_help, *option.m_flag);
        }
        else
        {
            cmd.AddValue(option.m_name, option.m_help + small, option.m_text);
        }
    }
}

ExperimentParameter&
ExperimentParameters::Get(const std::string& name)
{
    std::vector<std::string> names;
    for (auto& option : m_options)
    {
        if (option.m_name == name)
        {
            return option;
        }
        names.push_back(option.m_name);
    }
    throw std::runtime_error("expected an option, one of " + JoinWords(names, ", ") + Found(name));
}

void
ExperimentParameters::Set(const std::string& name, const std::string& text)
{
    auto& option = Get(name);
    option.Read(text);
    option.m_isGiven = true;
}

void
ExperimentParameters::TakeSmall()
{
    for (auto& option : m_options)
    {
        if (option.m_small && !option.m_isGiven)
        {
            option.Read(*option.m_small);
        }
    }
}

void
ExperimentParameters::Check() const
{
    for (const auto& option : m_options)
    {
        option.Check();
    }
}

bool
ExperimentParameters::Has(const std::string& name) const
{
    return std::any_of(
        m_options.begin(),
        m_options.end(),
        [&name](const ExperimentParameter& option) { return option.m_name == name; });
}

bool
ExperimentParameters::IsFlag(const std::string& name) const
{
    return std::any_of(m_options.begin(),
                       m_options.end(),
                       [&name](const ExperimentParameter& option) {
                           return option.m_flag && option.m_name == name;
                       });
}

void
ExperimentParameters::WriteTo(ExperimentSummary& summary) const
{
    for (const auto& option : m_options)
    {
        if (option.m_write)
        {
            option.m_write(summary);
        }
    }
}

} // namespace ns3::aidc
