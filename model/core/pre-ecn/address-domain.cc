/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "address-domain.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace ns3::aidc
{

namespace
{

/// Get the mask of a prefix of a length.
uint32_t
GetMask(uint32_t length)
{
    return length == 0 ? 0 : ~uint32_t{0} << (32 - length);
}

/// Read a number of at most three digits and what follows it. text: where; after both afterwards;
/// end: what follows, 0 for the end. @return whether it is there
bool
ParseNumber(const char*& text, uint32_t largest, char end, uint32_t& number)
{
    number = 0;
    const char* const first = text;
    for (; text - first < 3 && *text >= '0' && *text <= '9'; ++text)
    {
        number = 10 * number + static_cast<uint32_t>(*text - '0');
    }
    const bool isRight = text > first && number <= largest && *text == end;
    text += isRight && end != 0 ? 1 : 0;
    return isRight;
}

} // namespace

AddressDomain
AddressDomain::Parse(const std::string& text)
{
    AddressDomain domain;
    std::istringstream prefixes(text);
    for (std::string prefix; std::getline(prefixes, prefix, ',');)
    {
        const char* rest = prefix.c_str();
        uint32_t address = 0;
        bool isRight = true;
        for (const char end : {'.', '.', '.', '/'})
        {
            uint32_t octet = 0;
            isRight = isRight && ParseNumber(rest, 255, end, octet);
            address = address << 8 | octet;
        }
        uint32_t length = 0;
        if (!isRight || !ParseNumber(rest, 32, 0, length) || (address & ~GetMask(length)) != 0)
        {
            throw std::invalid_argument(
                "expected prefixes such as 10.0.0.0/8, separated by commas; "
                "found \"" +
                prefix + "\"");
        }
        domain.m_prefixes.push_back({address, length});
    }
    if (!text.empty() && text.back() == ',')
    {
        throw std::invalid_argument("expected a prefix behind the last comma");
    }
    return domain;
}

std::string
AddressDomain::Print() const
{
    std::ostringstream text;
    for (std::size_t i = 0; i < m_prefixes.size(); ++i)
    {
        const auto [address, length] = m_prefixes[i];
        text << (i > 0 ? "," : "") << (address >> 24) << '.' << (address >> 16 & 255) << '.'
             << (address >> 8 & 255) << '.' << (address & 255) << '/' << length;
    }
    return text.str();
}

bool
AddressDomain::Contains(uint32_t address) const
{
    return m_prefixes.empty() ||
           std::any_of(m_prefixes.begin(), m_prefixes.end(), [address](const Prefix& prefix) {
               return (address & GetMask(prefix.length)) == prefix.address;
           });
}

} // namespace ns3::aidc
