/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-json.h"

#include "../../model/core/workload/json-value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>

namespace ns3::aidc
{

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
