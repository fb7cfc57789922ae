/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-communities.h"

#include <algorithm>

namespace ns3::aidc
{

bool
HasBgpCommunity(const std::vector<uint32_t>& communities, uint32_t community)
{
    return std::find(communities.begin(), communities.end(), community) != communities.end();
}

void
AddBgpCommunity(std::vector<uint32_t>& communities, uint32_t community)
{
    if (!HasBgpCommunity(communities, community))
    {
        communities.push_back(community);
    }
}

BgpExtendedCommunity
MakeBgpAddressCommunity(uint8_t type, uint8_t subtype, uint32_t address, uint16_t local)
{
    return {uint64_t{type} << 56 | uint64_t{subtype} << 48 | uint64_t{address} << 16 | local};
}

BgpExtendedCommunity
MakeBgpAsCommunity(uint8_t type, uint8_t subtype, uint16_t as, uint32_t local)
{
    return {uint64_t{type} << 56 | uint64_t{subtype} << 48 | uint64_t{as} << 32 | local};
}

bool
operator==(const BgpExtendedCommunity& a, const BgpExtendedCommunity& b)
{
    return a.value == b.value;
}

std::ostream&
operator<<(std::ostream& os, const BgpExtendedCommunity& community)
{
    os << "0x";
    for (int shift = 60; shift >= 0; shift -= 4)
    {
        os << "0123456789abcdef"[community.value >> shift & 0xf];
    }
    return os;
}

void
RemoveNonTransitive(std::vector<BgpExtendedCommunity>& communities)
{
    communities.erase(
        std::remove_if(communities.begin(),
                       communities.end(),
                       [](const auto& community) { return !community.IsTransitive(); }),
        communities.end());
}

bool
operator==(const BgpLargeCommunity& a, const BgpLargeCommunity& b)
{
    return a.global == b.global && a.local1 == b.local1 && a.local2 == b.local2;
}

} // namespace ns3::aidc
