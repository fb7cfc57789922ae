// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-values.h"

#include "../../model/core/workload/json-value.h"

#include "ns3/queue-size.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
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

/// What is expected of a size: the units that ns3::QueueSize has.
const std::string EXPECTED_BYTES = "a size in B, kB, KB, KiB, MB or MiB, such as 200kB";

/// Print a quantity, given in the smallest unit, in the largest unit in which it is whole; 0 in the
/// smallest unit.
std::string
PrintQuantity(uint64_t value, const std::vector<std::pair<const char*, uint64_t>>& units)
{
    const auto unit = std::find_if(units.begin(), units.end() - 1, [value](const auto& candidate) {
        return value != 0 && value % candidate.second == 0;
    });
    return std::to_string(value / unit->second) + unit->first;
}

/// @return the end of a message that it is wrong
std::string
Found(const std::string& text)
{
    return ", found \"" + text + "\"";
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

std::string
JoinChoices(std::vector<std::string> words)
{
    const std::string last = words.back();
    words.pop_back();
    return words.empty() ? last : JoinWords(words, ", ") + " or " + last;
}

void
CheckOption(bool isValid, const std::string& expected)
{
    if (!isValid)
    {
        throw std::runtime_error("expected " + expected);
    }
}

void
CheckRange(const std::string& name, uint64_t value, uint64_t least, uint64_t most)
{
    CheckOption(value >= least && value <= most,
                "--" + name + " from " + std::to_string(least) + " to " + std::to_string(most) +
                    ", found " + std::to_string(value));
}

bool
ReadOptionFlag(const std::string& text)
{
    const bool isOn = text == "true" || text == "True" || text == "1";
    CheckOption(isOn || text == "false" || text == "False" || text == "0",
                "true or false" + Found(text));
    return isOn;
}

uint32_t
ReadOptionCount(const std::string& text)
{
    uint64_t number = 0;
    CheckOption(ParseUnsigned(text, number) && number <= std::numeric_limits<uint32_t>::max(),
                "a whole number of 32 bits" + Found(text));
    return static_cast<uint32_t>(number);
}

double
ReadOptionNumber(const std::string& text,
                 const std::function<bool(double)>& isValid,
                 const std::string& range)
{
    double number = 0;
    CheckOption(ParseNumber(text, number) && isValid(number), range + Found(text));
    return number;
}

std::vector<std::string>
ReadOptionNames(const std::string& text, const std::vector<std::string>& known)
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

uint32_t
ReadOptionBytes(const std::string& text, bool mayBeZero, uint32_t least)
{
    QueueSize size;
    std::istringstream is(text);
    const bool isSize = static_cast<bool>(is >> size) && size.GetUnit() == QueueSizeUnit::BYTES;
    const uint32_t bytes = size.GetValue();
    CheckOption(isSize && (mayBeZero || bytes > 0), EXPECTED_BYTES + Found(text));
    CheckOption(bytes >= least || bytes == 0, "at least " + PrintOption(least) + Found(text));
    return bytes;
}

Time
ReadOptionTime(const std::string& text, bool mayBeZero)
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
    const bool isTime = ParseNumber(text.substr(0, end), number) && unit != UNITS.end();
    CheckOption(isTime, "a time with its unit, such as 100us" + Found(text));
    CheckOption(number * unit->second <= LONGEST_SECONDS, "at most 1000s" + Found(text));
    const Time time(text);
    CheckOption(mayBeZero || time.IsStrictlyPositive(), "above 0" + Found(text));
    return time;
}

DataRate
ReadOptionRate(const std::string& text, bool mayBeZero)
{
    DataRate rate;
    std::istringstream is(text);
    // ns-3 takes a number without a unit, and a unit without a number.
    const bool hasBoth = text.find_first_of("0123456789") == 0 && text.back() == 's';
    CheckOption(hasBoth && static_cast<bool>(is >> rate),
                "a rate with its unit, such as 40Gbps" + Found(text));
    CheckOption(mayBeZero || rate.GetBitRate() > 0, "above 0" + Found(text));
    return rate;
}

std::string
PrintOption(uint32_t bytes)
{
    return PrintQuantity(bytes, {{"MB", 1000000}, {"kB", 1000}, {"B", 1}});
}

std::string
PrintOption(Time time)
{
    const auto ns = static_cast<uint64_t>(time.GetNanoSeconds());
    return ns == 0
               ? "0s"
               : PrintQuantity(ns, {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}});
}

std::string
PrintOption(const DataRate& rate)
{
    return PrintQuantity(rate.GetBitRate(),
                         {{"Gbps", 1000000000}, {"Mbps", 1000000}, {"kbps", 1000}, {"bps", 1}});
}

namespace
{

/// @return the fewest significant digits with which it reads back as the same number
int
CountDigits(double value)
{
#ifdef __cpp_lib_to_chars
    char text[32];
    const auto end =
        std::to_chars(std::begin(text), std::end(text), value, std::chars_format::scientific).ptr;
    auto* const exponent = std::find(std::begin(text), end, 'e');
    return static_cast<int>(
        std::count_if(std::begin(text), exponent, [](char c) { return c >= '0' && c <= '9'; }));
#else
    // GCC has it for double only from release 11 on
    int digits = 1;
    for (; digits < std::numeric_limits<double>::max_digits10; ++digits)
    {
        std::istringstream is(PrintNumber(value, digits, false));
        is.imbue(std::locale::classic());
        double read = 0;
        if (is >> read && read == value)
        {
            break;
        }
    }
    return digits;
#endif
}

} // namespace

std::string
PrintShortest(double value)
{
    // Up to this, a double holds every whole number
    constexpr auto LARGEST_WHOLE = 9007199254740992.0;
    if (!std::isfinite(value))
    {
        return "nan";
    }
    if (value == 0)
    {
        return "0"; // not -0
    }
    if (std::abs(value) <= LARGEST_WHOLE && std::trunc(value) == value)
    {
        return PrintNumber(value, 0, true);
    }
    return PrintNumber(value, CountDigits(value), false);
}

std::string
PrintNumber(double value, int digits, bool isFixed)
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

std::string
ToJson(const std::string& text)
{
    return FormatJsonString(text);
}

std::string
ToJson(double value)
{
    return std::isfinite(value) ? PrintShortest(value) : "null";
}

} // namespace ns3::aidc
