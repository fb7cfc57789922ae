/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update.h"

#include "../fare/path-bandwidth.h"

#include <algorithm>
#include <utility>

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

/// Leave out prefixes that are among others.
static void
RemoveOthers(std::vector<BgpPrefix>& prefixes, const std::vector<BgpPrefix>& others)
{
    prefixes.erase(
        std::remove_if(prefixes.begin(),
                       prefixes.end(),
                       [&others](const BgpPrefix& prefix) {
                           return std::binary_search(others.begin(), others.end(), prefix);
                       }),
        prefixes.end());
}

BgpRouteChanges
GetBgpRouteChanges(BgpUpdate update)
{
    BgpRouteChanges changes;
    changes.withdrawn = std::move(update.withdrawn);
    if (update.mpUnreach)
    {
        changes.withdrawn.insert(changes.withdrawn.end(),
                                 update.mpUnreach->begin(),
                                 update.mpUnreach->end());
    }
    if (update.mpReach)
    {
        std::vector<BgpPrefix> sorted = update.mpReach->prefixes;
        std::sort(sorted.begin(), sorted.end());
        RemoveOthers(changes.withdrawn, sorted);
        RemoveOthers(update.announced, sorted);
    }
    if (!update.announced.empty() && !changes.withdrawn.empty())
    {
        std::vector<BgpPrefix> sorted = update.announced;
        std::sort(sorted.begin(), sorted.end());
        RemoveOthers(changes.withdrawn, sorted);
    }
    if (update.mpReach && !update.mpReach->prefixes.empty())
    {
        BgpPathAttributes attributes = update.attributes;
        attributes.nextHop = update.mpReach->nextHop;
        changes.announced.push_back({std::move(attributes), std::move(update.mpReach->prefixes)});
    }
    if (!update.announced.empty())
    {
        changes.announced.push_back({std::move(update.attributes), std::move(update.announced)});
    }
    return changes;
}

} // namespace ns3::aidc
