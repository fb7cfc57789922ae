/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-queue-item.h"

#include <typeinfo>

namespace ns3::aidc
{

uint32_t
GetIngressPort(const QueueDiscItem& item)
{
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        return static_cast<const EthernetQueueItem&>(item).GetContext().ingressPort;
    }
    FrameContextTag tag;
    return item.GetPacket()->PeekPacketTag(tag) ? tag.GetContext().ingressPort
                                                : FrameContext::NO_PORT;
}

} // namespace ns3::aidc
