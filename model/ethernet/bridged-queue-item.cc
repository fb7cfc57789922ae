/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridged-queue-item.h"

#include "ns3/protocol-numbers.h"

namespace ns3::aidc
{

BridgedQueueItem::BridgedQueueItem(const Ptr<Packet>& packet,
                                   const Address& destination,
                                   const MacBytes& source,
                                   uint16_t etherType)
    : QueueDiscItem(packet, destination, etherType),
      m_source(source)
{
}

void
BridgedQueueItem::AddHeader()
{
    // It has all of them.
}

bool
BridgedQueueItem::GetUint8Value(Uint8Values field, uint8_t& value) const
{
    uint8_t bytes[2];
    if (field != IP_DSFIELD ||
        (GetProtocol() != ETHERTYPE_IPV4 && GetProtocol() != ETHERTYPE_IPV6) ||
        GetPacket()->CopyData(bytes, sizeof(bytes)) < sizeof(bytes))
    {
        return false;
    }
    value = GetProtocol() == ETHERTYPE_IPV4
                ? bytes[1]
                : static_cast<uint8_t>((bytes[0] & 0xf) << 4 | bytes[1] >> 4);
    return true;
}

} // namespace ns3::aidc
