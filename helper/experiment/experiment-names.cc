/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-names.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Whether a name is lower-case words and numbers with one separator between them.
/// @param name the name
/// @param separator the separator: '-' in kebab-case, '_' in snake_case
/// @return true if it is
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

} // namespace

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
    if (!IsJoined(name, '-'))
    {
        throw std::invalid_argument(what + " '" + name + "': expected kebab-case");
    }
}

void
CheckSnakeCase(const std::string& what, const std::string& name)
{
    if (!IsJoined(name, '_') || (name.front() >= '0' && name.front() <= '9'))
    {
        throw std::invalid_argument(what + " '" + name + "': expected snake_case");
    }
}

} // namespace ns3::aidc
