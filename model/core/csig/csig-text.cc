/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t MAX_SHOWN = 40; //!< how much of a wrong text an error shows

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
    switch (signal)
    {
    case CsigSignal::ABW:
        return rates;
    case CsigSignal::ABW_RATIO:
        return shares;
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH:
        break;
    }
    return times;
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

/// @return whether a character is a decimal digit, whatever the locale
bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Remove the spaces at both ends of a text.
std::string
Trim(const std::string& text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Append a digit to a number. @return the longer number; none if there is no such number
std::optional<uint64_t>
Append(uint64_t number, uint64_t digit)
{
    constexpr auto largest = std::numeric_limits<uint64_t>::max();
    if (number > (largest - digit) / 10)
    {
        return std::nullopt;
    }
    return number * 10 + digit;
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

/// Multiply a decimal number by a unit, exactly. number: the digits, with at most one point.
/// @return the product; none if it is no whole number or too large
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
        const auto longer = Append(digits, digit);
        if (!longer)
        {
            return std::nullopt;
        }
        digits = *longer;
        unit /= isFraction ? 10 : 1;
    }
    if (digits > (std::numeric_limits<uint64_t>::max() - 1) / unit)
    {
        return std::nullopt;
    }
    return digits * unit;
}

/// Read values with commas between. most: how many there may be; one more is read, and the rest is
/// not. @throws std::invalid_argument if one is no value; says which, counted from 0
std::vector<uint64_t>
ParseList(CsigSignal signal, const char* what, const std::string& text, std::size_t most)
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

} // namespace

uint64_t
ParseCsigValue(CsigSignal signal, const std::string& text)
{
    const auto trimmed = Trim(text);
    std::size_t length = 0;
    std::size_t nDigits = 0;
    std::size_t nPoints = 0;
    for (; length < trimmed.size(); ++length)
    {
        const char c = trimmed[length];
        nDigits += IsDigit(c) ? 1 : 0;
        nPoints += c == '.' ? 1 : 0;
        if (!IsDigit(c) && c != '.')
        {
            break;
        }
    }
    if (nDigits == 0 || nPoints > 1)
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
            const auto value = Scale(trimmed.substr(0, length), candidate.size);
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

CsigBuckets
ParseCsigBuckets(CsigSignal signal, const std::string& text)
{
    return CsigBuckets(ParseList(signal, "CSIG bucket", text, CsigBuckets::MAX_BUCKETS));
}

std::string
FormatCsigBuckets(CsigSignal signal, const CsigBuckets& buckets)
{
    std::string text;
    for (uint32_t code = 0; code < buckets.GetNBuckets(); ++code)
    {
        text += (code == 0 ? "" : ",") + FormatCsigValue(signal, buckets.Decode(code).low);
    }
    return text;
}

CsigSpeeds
ParseCsigSpeeds(const std::string& text)
{
    if (Trim(text).empty())
    {
        return CsigSpeeds(std::vector<uint64_t>{});
    }
    return CsigSpeeds(ParseList(CsigSignal::ABW, "CSIG speed", text, CsigSpeeds::MAX_SPEEDS));
}

std::string
FormatCsigSpeeds(const CsigSpeeds& speeds)
{
    std::string text;
    for (uint32_t number = 1; speeds.Decode(number) != 0; ++number)
    {
        text += (number == 1 ? "" : ",") + FormatCsigValue(CsigSignal::ABW, speeds.Decode(number));
    }
    return text;
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
        if (signal == SIGNALS.end())
        {
            throw std::invalid_argument("Expected signals out of " +
                                        FormatCsigSignals({SIGNALS.begin(), SIGNALS.end()}) +
                                        ", found \"" + name.substr(0, MAX_SHOWN) + "\"");
        }
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
