/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "needless-repeats.h"

#include "../local-node.h"

#include "ns3/rank-gather.h"
#include "ns3/roce-nic.h"

#include <cstdint>

namespace ns3::aidc
{

std::string
FindNeedlessRepeats(const std::vector<Ptr<Node>>& nodes)
{
    int64_t lost = 0; // packets of all kinds
    uint64_t timeouts = 0;
    uint64_t duplicates = 0;
    uint64_t refusals = 0;
    for (const auto& node : nodes)
    {
        const auto nic = IsLocalNode(node) ? node->GetObject<RoceNic>() : nullptr;
        if (!nic)
        {
            continue;
        }
        const auto& counted = nic->GetStatistics();
        lost += static_cast<int64_t>(counted.sentPackets + counted.sentAcks + counted.sentNaks +
                                     counted.sentRnrNaks + counted.sentCnps);
        lost -= static_cast<int64_t>(counted.receivedPackets + counted.receivedAcks +
                                     counted.receivedNaks + counted.receivedRnrNaks +
                                     counted.receivedCnps);
        timeouts += counted.timeouts;
        duplicates += counted.duplicatePackets;
        refusals += counted.receivedNaks;
    }
    lost = static_cast<int64_t>(SumOverRanks(static_cast<uint64_t>(lost)));
    timeouts = SumOverRanks(timeouts);
    duplicates = SumOverRanks(duplicates);
    refusals = SumOverRanks(refusals);
    if (lost != 0 || refusals > 0 || timeouts + duplicates == 0)
    {
        return "";
    }
    return "RoCEv2: " + std::to_string(timeouts) + " timeouts and " + std::to_string(duplicates) +
           " packets that arrived twice, without a lost packet";
}

} // namespace ns3::aidc
