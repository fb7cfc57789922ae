/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-names.h"

#include <algorithm>
#include <array>
#include <regex>
#include <stdexcept>

namespace ns3::aidc
{

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

void
CheckKebabCase(const std::string& what, const std::string& name)
{
    if (!std::regex_match(name, std::regex("[a-z0-9]+(-[a-z0-9]+)*")))
    {
        throw std::invalid_argument(what + " '" + name + "': expected kebab-case");
    }
}

void
CheckSnakeCase(const std::string& what, const std::string& name)
{
    if (!std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*")))
    {
        throw std::invalid_argument(what + " '" + name + "': expected snake_case");
    }
}

} // namespace ns3::aidc
