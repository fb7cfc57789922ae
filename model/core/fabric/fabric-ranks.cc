/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-ranks.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

IndexedVector<NodeIndex, uint32_t>
DistributeOverRanks(const FabricNodes& nodes, uint32_t nPods, uint32_t nRanks)
{
    if (nRanks == 0 || nRanks > nPods)
    {
        throw std::invalid_argument("expected at most " + std::to_string(nPods) +
                                    " ranks, one a pod, and at least 1; found " +
                                    std::to_string(nRanks));
    }
    std::vector<uint64_t> hostsOfPod(nPods);
    uint64_t nHosts = 0;
    uint64_t nTop = 0;
    for (const FabricNode& node : nodes)
    {
        if (node.tier == FabricTier::HOST)
        {
            ++hostsOfPod[node.pod];
            ++nHosts;
        }
        nTop += node.pod == NO_POD ? 1 : 0;
    }

    // A pod belongs to the rank in whose equal share of the hosts its middle is, but no rank is
    // left out: the next one begins where there are only as many pods left as ranks.
    std::vector<uint32_t> podRank(nPods);
    uint64_t before = 0;
    for (uint32_t pod = 0, rank = 0; pod < nPods; ++pod)
    {
        const bool isBeyond =
            (2 * before + hostsOfPod[pod]) * nRanks >= 2 * uint64_t{rank + 1} * nHosts;
        const bool isLastChance = nPods - pod == nRanks - rank - 1;
        if (pod > 0 && rank + 1 < nRanks && (isBeyond || isLastChance))
        {
            ++rank;
        }
        podRank[pod] = rank;
        before += hostsOfPod[pod];
    }

    IndexedVector<NodeIndex, uint32_t> ranks(nodes.size());
    uint64_t top = 0;
    for (NodeIndex i; i < nodes.GetEnd(); ++i)
    {
        const uint32_t pod = nodes[i].pod;
        ranks[i] = pod != NO_POD ? podRank[pod] : static_cast<uint32_t>(top++ * nRanks / nTop);
    }
    return ranks;
}

} // namespace ns3::aidc
