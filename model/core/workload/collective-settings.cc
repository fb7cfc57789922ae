/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-settings.h"

#include <algorithm>
#include <cstddef>

namespace ns3::aidc
{

namespace
{

/// @return how many ranks of the group, one after another, are in each of its servers; 1 if they
/// are not as many in all, or not one after another
uint32_t
GetNTogether(const std::vector<uint32_t>& ranks, uint32_t nPerServer)
{
    const auto isElsewhere = [&](std::size_t i) {
        return ranks[i] / nPerServer != ranks[i - 1] / nPerServer;
    };
    std::size_t n = 1;
    while (n < ranks.size() && !isElsewhere(n))
    {
        ++n;
    }
    std::vector<uint32_t> servers;
    for (std::size_t i = 0; i < ranks.size(); ++i)
    {
        if (i > 0 && isElsewhere(i) != (i % n == 0))
        {
            return 1;
        }
        if (i % n == 0)
        {
            servers.push_back(ranks[i] / nPerServer);
        }
    }
    std::sort(servers.begin(), servers.end());
    const bool isOnce = std::adjacent_find(servers.begin(), servers.end()) == servers.end();
    return isOnce && ranks.size() % n == 0 ? static_cast<uint32_t>(n) : 1;
}

} // namespace

CollectiveSchedule
CollectiveSettings::MakeSchedule(CollectiveKind kind,
                                 CollectiveAlgorithm algorithm,
                                 const std::vector<uint32_t>& ranks,
                                 uint64_t bytes) const
{
    CollectiveScheduleSettings settings;
    settings.kind = kind;
    settings.algorithm = algorithm;
    settings.nMembers = static_cast<uint32_t>(ranks.size());
    settings.bytes = bytes;
    settings.nChunks = nChunks;
    if (CollectiveScheduleSettings::KnowsServers(algorithm))
    {
        settings.nPerServer = GetNTogether(ranks, nPerServer);
    }
    if (CollectiveScheduleSettings::HasChannels(algorithm))
    {
        const bool isOverServers = settings.GetNServers() > 1;
        const uint32_t nDerived =
            isOverServers ? std::min(settings.nPerServer, CollectiveScheduleSettings::MAX_CHANNELS)
                          : 1;
        settings.nChannels = nChannels > 0 ? nChannels : nDerived;
    }
    return CollectiveSchedule(settings);
}

} // namespace ns3::aidc
