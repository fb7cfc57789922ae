// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-decision.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace ns3::aidc
{

std::vector<std::size_t>
DecideBgpRoutes(const std::vector<BgpCandidate>& candidates, const BgpDecisionSettings& settings)
{
    std::vector<std::size_t> chosen(candidates.size());
    std::iota(chosen.begin(), chosen.end(), 0);

    const auto keepIf = [&chosen, &candidates](const auto& stays) {
        chosen.erase(std::remove_if(chosen.begin(),
                                    chosen.end(),
                                    [&](std::size_t i) { return !stays(candidates[i]); }),
                     chosen.end());
    };
    // Keep those that have the smallest value.
    const auto keepSmallest = [&](const auto& get) {
        if (chosen.size() < 2)
        {
            return;
        }
        auto smallest = get(candidates[chosen.front()]);
        for (const std::size_t i : chosen)
        {
            smallest = std::min(smallest, get(candidates[i]));
        }
        keepIf([&](const BgpCandidate& route) { return get(route) == smallest; });
    };
    keepSmallest([](const BgpCandidate& route) { return !route.isLocal; });
    keepSmallest([&settings](const BgpCandidate& route) {
        return ~(route.isLeaving ? 0
                                 : route.attributes->localPref.value_or(settings.defaultLocalPref));
    });
    keepSmallest([](const BgpCandidate& route) { return route.attributes->asPath.GetLength(); });
    keepSmallest([](const BgpCandidate& route) { return route.attributes->origin; });

    const auto hasMed = [&candidates](std::size_t i) {
        return candidates[i].attributes->multiExitDisc.has_value();
    };
    if (std::any_of(chosen.begin(), chosen.end(), hasMed))
    {
        std::map<uint32_t, uint32_t> smallest; // by neighbor AS
        for (const std::size_t i : chosen)
        {
            const BgpPathAttributes& attributes = *candidates[i].attributes;
            const uint32_t med = attributes.multiExitDisc.value_or(0);
            const auto [entry, isNew] = smallest.emplace(attributes.asPath.GetNeighborAs(), med);
            entry->second = std::min(entry->second, med);
        }
        keepIf([&smallest](const BgpCandidate& route) {
            return route.attributes->multiExitDisc.value_or(0) ==
                   smallest.at(route.attributes->asPath.GetNeighborAs());
        });
    }
    keepSmallest([](const BgpCandidate& route) { return !route.isExternal; });

    std::sort(chosen.begin(), chosen.end(), [&candidates](std::size_t a, std::size_t b) {
        const auto key = [&candidates](std::size_t i) {
            const BgpCandidate& route = candidates[i];
            return std::make_tuple(route.peerIdentifier, route.peerAddress, i);
        };
        return key(a) < key(b);
    });
    if (!settings.relaxesAsPath && !chosen.empty())
    {
        const BgpAsPath& path = candidates[chosen.front()].attributes->asPath;
        keepIf([&path](const BgpCandidate& route) { return route.attributes->asPath == path; });
    }
    if (chosen.size() > settings.maxPaths)
    {
        chosen.resize(settings.maxPaths);
    }
    return chosen;
}

} // namespace ns3::aidc
