/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "find-marking-queues.h"

#include "shared-buffer-queue-disc.h"
#include "switch-port-queue-disc.h"

namespace ns3::aidc
{

std::vector<PlacedQueue>
FindMarkingQueues(const Ptr<QueueDisc>& root)
{
    std::vector<PlacedQueue> found;
    if (const auto own = DynamicCast<SharedBufferQueueDisc>(root))
    {
        found.push_back({own->GetBufferQueue(), 0});
    }
    if (const auto port = DynamicCast<SwitchPortQueueDisc>(root))
    {
        for (uint32_t i = 0; i < port->GetNClasses(); ++i)
        {
            if (const auto queue = port->GetClass(i)->GetQueue())
            {
                found.push_back({queue, static_cast<uint8_t>(i)});
            }
        }
        return found;
    }
    for (std::size_t i = 0; root && i < root->GetNQueueDiscClasses(); ++i)
    {
        for (const auto& placed : FindMarkingQueues(root->GetQueueDiscClass(i)->GetQueueDisc()))
        {
            found.push_back({placed.queue, static_cast<uint8_t>(i)});
        }
    }
    return found;
}

} // namespace ns3::aidc
