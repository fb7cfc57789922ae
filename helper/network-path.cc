/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-path.h"

#include "ns3/node.h"
#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

Time
NetworkPath::GetLongestWait() const
{
    double longest = 0;
    double waiting = 0; // bits in the switches that pause each other, as far as the present one
    uint64_t slowest = 0;
    for (std::size_t i = 0; i + 1 < links.size(); ++i)
    {
        const auto& arrival = arrivals[i]; // null if it belongs to other ranks
        if (i == 0 || !arrival || !arrival->GetObject<PriorityFlowControl>())
        {
            waiting = 0;
            slowest = links[i].rate;
        }
        slowest = std::min(slowest, links[i + 1].rate);
        if (const auto buffer = arrival ? arrival->GetNode()->GetObject<SharedBuffer>() : nullptr)
        {
            waiting += 8.0 * static_cast<double>(buffer->GetSize());
        }
        longest = std::max(longest, waiting / static_cast<double>(slowest));
    }
    return Seconds(longest);
}

} // namespace ns3::aidc
