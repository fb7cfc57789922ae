/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-route-checks.h"

#include "../fare/path-bandwidth.h"

#include <algorithm>

namespace ns3::aidc
{

uint64_t
RemoveBgpMartians(BgpRouteChanges& changes)
{
    uint64_t n = 0;
    for (BgpAnnouncement& announcement : changes.announced)
    {
        auto& prefixes = announcement.prefixes;
        const auto end = std::remove_if(prefixes.begin(), prefixes.end(), IsBgpMartian);
        n += static_cast<uint64_t>(prefixes.end() - end);
        prefixes.erase(end, prefixes.end());
    }
    return n;
}

uint64_t
WithdrawBgpRoutes(BgpRouteChanges& changes, const std::function<bool(uint32_t)>& isWrong)
{
    uint64_t n = 0;
    const auto goes = [&](const BgpAnnouncement& announcement) {
        if (!isWrong(announcement.attributes.nextHop))
        {
            return false;
        }
        n += announcement.prefixes.size();
        changes.withdrawn.insert(changes.withdrawn.end(),
                                 announcement.prefixes.begin(),
                                 announcement.prefixes.end());
        return true;
    };
    changes.announced.erase(
        std::remove_if(changes.announced.begin(), changes.announced.end(), goes),
        changes.announced.end());
    return n;
}

uint64_t
CountMalformedBandwidths(const BgpRouteChanges& changes, uint8_t subtype)
{
    uint64_t n = 0;
    for (const BgpAnnouncement& announcement : changes.announced)
    {
        n += DecodeBandwidths(announcement.attributes.extendedCommunities, subtype).nMalformed;
    }
    return n;
}

} // namespace ns3::aidc
