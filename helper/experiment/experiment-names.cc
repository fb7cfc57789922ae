/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <regex>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// @return how many insertions, deletions and substitutions of letters make one of the other
/// (Wagner and Fischer, 1974)
std::size_t
GetEditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1); // distances of the beginnings of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
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

std::string
FindSimilar(const std::string& name, const std::vector<std::string>& known)
{
    std::string similar;
    std::size_t least = 0;
    for (const auto& candidate : known)
    {
        const std::size_t distance = GetEditDistance(name, candidate);
        if (distance <= (candidate.size() + 2) / 3 && (similar.empty() || distance < least))
        {
            similar = candidate;
            least = distance;
        }
    }
    return similar;
}

} // namespace ns3::aidc
