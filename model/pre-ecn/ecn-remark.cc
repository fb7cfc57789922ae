/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-remark.h"

#include "../ethernet/ethernet-queue-item.h"

#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-queue-disc-item.h"

#include <typeinfo>

namespace ns3::aidc
{

namespace
{

/// Make an item of ns-3's with another header. @return the new item
template <typename Item, typename Header>
Ptr<QueueDiscItem>
CopyWithHeader(const QueueDiscItem& item, const Header& header)
{
    return Create<Item>(item.GetPacket(), item.GetAddress(), item.GetProtocol(), header);
}

/// Make a queued packet with another ECN codepoint. @return an item with the same packet, null if
/// that is impossible
Ptr<QueueDiscItem>
Copy(const QueueDiscItem& item, EcnCodepoint codepoint)
{
    // Exactly this class: a copy of a derived item would lose the derived members.
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        const auto& transit = static_cast<const EthernetQueueItem&>(item);
        return transit.CopyWithTos(SetEcn(transit.GetHeader().GetTos(), codepoint));
    }
    if (item.GetSize() == item.GetPacket()->GetSize())
    {
        return nullptr; // the header has been added
    }
    if (typeid(item) == typeid(Ipv4QueueDiscItem))
    {
        auto header = static_cast<const Ipv4QueueDiscItem&>(item).GetHeader();
        header.SetTos(SetEcn(header.GetTos(), codepoint));
        return CopyWithHeader<Ipv4QueueDiscItem>(item, header);
    }
    if (typeid(item) == typeid(Ipv6QueueDiscItem))
    {
        auto header = static_cast<const Ipv6QueueDiscItem&>(item).GetHeader();
        header.SetTrafficClass(SetEcn(header.GetTrafficClass(), codepoint));
        return CopyWithHeader<Ipv6QueueDiscItem>(item, header);
    }
    return nullptr;
}

} // namespace

EcnCodepoint
GetEcn(const QueueDiscItem& item)
{
    uint8_t tos = 0;
    return item.GetUint8Value(QueueItem::IP_DSFIELD, tos) ? GetEcn(tos) : EcnCodepoint::NOT_ECT;
}

Ptr<QueueDiscItem>
CopyWithEcn(const Ptr<QueueDiscItem>& item, EcnCodepoint codepoint)
{
    const auto copy = Copy(*item, codepoint);
    if (copy)
    {
        copy->SetTimeStamp(item->GetTimeStamp());
        copy->SetTxQueueIndex(item->GetTxQueueIndex());
    }
    return copy;
}

} // namespace ns3::aidc
