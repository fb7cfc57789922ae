/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-update.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

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
