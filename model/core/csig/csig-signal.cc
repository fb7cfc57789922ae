// SPDX-License-Identifier: GPL-2.0-only

#include "csig-signal.h"

#include "../require-argument.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t MAX_SHOWN = 40; //!< how much of a wrong text an error shows
constexpr uint64_t LARGEST = std::numeric_limits<uint64_t>::max(); //!< the largest number

/// All signals.
constexpr std::array<CsigSignal, CSIG_SIGNALS> SIGNALS{CsigSignal::ABW,
                                                       CsigSignal::ABW_RATIO,
                                                       CsigSignal::HOP_DELAY,
                                                       CsigSignal::QUEUE_DEPTH};

/// A unit that users write.
struct Unit
{
    const char* name; //!< as it is written
    uint64_t size;    //!< in the signal's unit
};

/// Get the units of a signal. @return the units, the largest first
const std::vector<Unit>&
GetUnits(CsigSignal signal)
{
    static const std::vector<Unit> rates{{"Tbps", 1000000000000},
                                         {"Gbps", 1000000000},
                                         {"Mbps", 1000000},
                                         {"Kbps", 1000},
                                         {"bps", 1}};
    static const std::vector<Unit> shares{{"%", 10000}, {"ppm", 1}};
    static const std::vector<Unit> times{{"s", 1000000000},
                                         {"ms", 1000000},
                                         {"us", 1000},
                                         {"ns", 1}};
    return signal == CsigSignal::ABW ? rates : signal == CsigSignal::ABW_RATIO ? shares : times;
}

/// Refuse a text. @throws std::invalid_argument always
[[noreturn]] void
Refuse(const std::string& expected, const std::string& found)
{
    std::string shown;
    for (const char c : found.substr(0, MAX_SHOWN))
    {
        shown += c >= ' ' && c <= '~' ? c : '?';
    }
    throw std::invalid_argument("expected " + expected + ", found \"" + shown +
                                (found.size() > MAX_SHOWN ? "...\"" : "\""));
}

std::string
Trim(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string
DescribeValue(CsigSignal signal)
{
    std::string text = "a value of " + std::string(GetCsigName(signal)) + ": a number and ";
    const auto& units = GetUnits(signal);
    for (std::size_t i = 0; i < units.size(); ++i)
    {
        text += (i == 0 ? "" : i + 1 == units.size() ? " or " : ", ") + std::string(units[i].name);
    }
    return text;
}

/// Multiply a decimal number, exactly. @return none if it is no whole number or too large
std::optional<uint64_t>
Scale(const std::string& number, uint64_t unit)
{
    uint64_t digits = 0;
    bool isFraction = false;
    for (const char c : number)
    {
        if (c == '.')
        {
            isFraction = true;
            continue;
        }
        // A place after the point makes the unit ten times smaller. Where that is no longer
        // whole, only zeros may follow.
        const auto digit = static_cast<uint64_t>(c - '0');
        if (isFraction && unit % 10 != 0)
        {
            if (digit != 0)
            {
                return std::nullopt;
            }
            continue;
        }
        if (digits > (LARGEST - digit) / 10)
        {
            return std::nullopt;
        }
        digits = digits * 10 + digit;
        unit /= isFraction ? 10 : 1;
    }
    if (digits > (LARGEST - 1) / unit)
    {
        return std::nullopt;
    }
    return digits * unit;
}

} // namespace

const char*
GetCsigName(CsigSignal signal)
{
    static constexpr std::array<const char*, CSIG_SIGNALS> NAMES{"min(ABW)",
                                                                 "min(ABW/C)",
                                                                 "max(PD)",
                                                                 "max(nQD)"};
    return NAMES[static_cast<std::size_t>(signal)];
}

const char*
GetCsigUnit(CsigSignal signal)
{
    return signal == CsigSignal::ABW ? "bit/s" : signal == CsigSignal::ABW_RATIO ? "ppm" : "ns";
}

std::optional<CsigSignal>
CsigSignalSettings::Find(uint8_t type) const
{
    const std::size_t count = queueDepth ? CSIG_SIGNALS : CSIG_SIGNALS - 1;
    for (std::size_t i = 0; i < count; ++i)
    {
        if (types[i] == type)
        {
            return static_cast<CsigSignal>(i);
        }
    }
    return std::nullopt;
}

void
CheckCsigSignals(const CsigSignalSettings& settings)
{
    const std::size_t count = settings.queueDepth ? CSIG_SIGNALS : CSIG_SIGNALS - 1;
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::string name = GetCsigName(static_cast<CsigSignal>(i));
        const auto type = settings.types[i];
        AIDC_REQUIRE(type <= CSIG_MAX_TYPE,
                     "The CSIG type of " + name + " must be from 0 to " +
                         std::to_string(CSIG_MAX_TYPE) + ", not " + std::to_string(type));
        for (std::size_t j = 0; j < i; ++j)
        {
            AIDC_REQUIRE(settings.types[j] != type,
                         "Each CSIG signal needs a type of its own, but " +
                             std::string(GetCsigName(static_cast<CsigSignal>(j))) + " and " + name +
                             " both have " + std::to_string(type));
        }
    }
}

void
CheckCsigRequests(const std::string& sender,
                  const std::vector<CsigSignal>& signals,
                  CsigFormat format,
                  const CsigSignalSettings& settings)
{
    for (const auto signal : signals)
    {
        const auto type = settings.GetType(signal);
        AIDC_REQUIRE(format == CsigFormat::EXPANDED || type <= CSIG_MAX_COMPACT_TYPE,
                     sender + " asks for " + GetCsigName(signal) +
                         ", whose type code is for expanded tags only");
        AIDC_REQUIRE(settings.Find(type) == signal,
                     sender + " asks for " + GetCsigName(signal) +
                         ", which its CsigDomain has off");
    }
}

CsigFields
MakeCsigRequest(CsigFormat format, CsigSignal signal, const CsigSignalSettings& settings)
{
    CsigFields fields;
    fields.format = format;
    fields.type = settings.GetType(signal);
    fields.value = GetCsigInitialValue(GetCsigAggregation(signal), format);
    return fields;
}

uint64_t
ParseCsigValue(CsigSignal signal, const std::string& text)
{
    const auto trimmed = Trim(text);
    const auto length = std::min(trimmed.find_first_not_of("0123456789."), trimmed.size());
    const auto number = trimmed.substr(0, length);
    const auto nPoints = static_cast<std::size_t>(std::count(number.begin(), number.end(), '.'));
    if (nPoints > 1 || nPoints == length)
    {
        Refuse(DescribeValue(signal), trimmed);
    }
    const auto unit = trimmed.substr(length);
    if (unit.empty() && Scale(trimmed, 1) == uint64_t{0})
    {
        return 0;
    }
    const auto& units = GetUnits(signal);
    for (const auto& candidate : units)
    {
        if (unit == candidate.name)
        {
            const auto value = Scale(number, candidate.size);
            if (!value)
            {
                Refuse("a whole number of " + std::string(units.back().name) + " below 2^64 - 1",
                       trimmed);
            }
            return *value;
        }
    }
    Refuse(DescribeValue(signal), trimmed);
}

std::string
FormatCsigValue(CsigSignal signal, uint64_t value)
{
    if (value == 0)
    {
        return "0";
    }
    for (const auto& unit : GetUnits(signal))
    {
        if (value % unit.size == 0)
        {
            return std::to_string(value / unit.size) + unit.name;
        }
    }
    return std::to_string(value); // not reached: the smallest unit is 1
}

std::vector<uint64_t>
ParseCsigValues(CsigSignal signal, const char* what, const std::string& text, std::size_t most)
{
    std::vector<uint64_t> values;
    for (std::size_t begin = 0; begin <= text.size() && values.size() <= most;)
    {
        const auto end = std::min(text.find(',', begin), text.size());
        try
        {
            values.push_back(ParseCsigValue(signal, text.substr(begin, end - begin)));
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(what + (" " + std::to_string(values.size())) + ": " +
                                        error.what());
        }
        begin = end + 1;
    }
    return values;
}

std::vector<CsigSignal>
ParseCsigSignals(const std::string& text)
{
    std::vector<CsigSignal> signals;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string name = text.substr(begin, end - begin);
        const auto signal = std::find_if(SIGNALS.begin(), SIGNALS.end(), [&](auto known) {
            return name == GetCsigName(known);
        });
        AIDC_REQUIRE(signal != SIGNALS.end(),
                     "Expected signals out of " +
                         FormatCsigSignals({SIGNALS.begin(), SIGNALS.end()}) + ", found \"" +
                         name.substr(0, MAX_SHOWN) + "\"");
        signals.push_back(*signal);
        begin = end + 1;
    }
    return signals;
}

std::string
FormatCsigSignals(const std::vector<CsigSignal>& signals)
{
    std::string text;
    for (const auto signal : signals)
    {
        text += (text.empty() ? "" : ",") + std::string(GetCsigName(signal));
    }
    return text;
}

} // namespace ns3::aidc
