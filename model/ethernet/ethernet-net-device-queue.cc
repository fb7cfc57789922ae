/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bridged-queue-item.h"
#include "ethernet-net-device.h"
#include "mac-bytes.h"

#include "ns3/node.h"
#include "ns3/pausable-classes.h"
#include "ns3/queue-disc.h"
#include "ns3/socket.h"
#include "ns3/traffic-control-layer.h"

#include <typeinfo>
#include <utility>

/**
 * @file
 * @ingroup aidc
 * What passes between an EthernetNetDevice and its root queue disc.
 */

namespace ns3::aidc
{

void
EthernetNetDevice::NotifyQueueDisc(bool isInstalled)
{
    m_hasQueueDisc = isInstalled;
    m_rootQueue = nullptr;
}

Ptr<QueueDisc>
EthernetNetDevice::GetQueueDisc()
{
    return FindQueueDisc();
}

uint64_t
EthernetNetDevice::GetQueuedBytes()
{
    return FindQueueDisc() ? m_rootQueue->GetNBytes() : 0;
}

QueueDisc*
EthernetNetDevice::FindQueueDisc()
{
    if (m_hasQueueDisc && !m_rootQueue)
    {
        auto root = m_node->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(this);
        if (root->GetWakeMode() == QueueDisc::WAKE_CHILD)
        {
            root = root->GetQueueDiscClass(0)->GetQueueDisc();
        }
        m_rootQueue = PeekPointer(root);
        // Not by Send(), to which the queue disc could not tell what it knows of the packet.
        root->SetSendCallback([this](Ptr<QueueDiscItem> item) { TransmitItem(item); });
    }
    return m_rootQueue;
}

void
EthernetNetDevice::Forward(const Ptr<EthernetQueueItem>& item)
{
    if (!FindQueueDisc())
    {
        Submit(MakeOutgoing(*item));
        return;
    }
    m_rootQueue->Enqueue(item);
    if (!MustWait())
    {
        Pull();
    }
}

EthernetNetDevice::Outgoing
EthernetNetDevice::MakeOutgoing(QueueDiscItem& item) const
{
    Outgoing outgoing(item.GetPacket(), m_remote, m_address, ETHERTYPE_IPV4);
    auto& packet = outgoing.frame.packet;
    // It is the packet's last use here, unless somebody beside the item has kept it.
    if (packet->GetReferenceCount() > 2)
    {
        packet = packet->Copy();
    }
    if (typeid(item) == typeid(EthernetQueueItem))
    {
        auto& transit = static_cast<EthernetQueueItem&>(item);
        outgoing.context = transit.GetContext();
        outgoing.frame.transit = transit.UpdateChecksum(m_hasChecksums);
        outgoing.frame.hasTransit = true;
        return outgoing;
    }
    outgoing.frame.fields.etherType = item.GetProtocol();
    if (typeid(item) == typeid(BridgedQueueItem))
    {
        outgoing.frame.fields.destination = ToMacBytes(item.GetAddress());
        outgoing.frame.fields.source = static_cast<BridgedQueueItem&>(item).GetSource();
        TakeContext(outgoing);
    }
    else
    {
        outgoing.frame.fields.destination = Resolve(*packet, item.GetAddress(), item.GetProtocol());
        TakeContext(outgoing);
        SocketPriorityTag priority; // of use above the port only
        packet->RemovePacketTag(priority);
    }
    return outgoing;
}

void
EthernetNetDevice::TransmitItem(const Ptr<QueueDiscItem>& item)
{
    Outgoing outgoing = MakeOutgoing(*item);
    if (Accept(outgoing.frame))
    {
        Transmit(outgoing);
    }
    if (m_rootQueue->GetNPackets() > 0)
    {
        ScheduleCompletion();
    }
}

void
EthernetNetDevice::TakeContext(Outgoing& outgoing) const
{
    // If it stayed, the next node would take it for its own: ports there have the same numbers.
    FrameContextTag tag;
    if (outgoing.frame.packet->RemovePacketTag(tag))
    {
        outgoing.context = tag.GetContext();
    }
}

bool
EthernetNetDevice::EnqueuePausable(const Outgoing& outgoing)
{
    // A class that the other end has stopped is not to be bypassed.
    if (!m_macControl || !dynamic_cast<PausableClasses*>(FindQueueDisc()))
    {
        return false;
    }
    const EthernetFields& fields = outgoing.frame.fields;
    m_rootQueue->Enqueue(Create<BridgedQueueItem>(outgoing.frame.packet,
                                                  ToMac48Address(fields.destination),
                                                  fields.source,
                                                  fields.etherType));
    if (!MustWait())
    {
        Pull();
    }
    return true;
}

bool
EthernetNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    Outgoing outgoing(packet->Copy(),
                      Resolve(*packet, dest, protocolNumber),
                      m_address,
                      protocolNumber);
    if (EnqueuePausable(outgoing))
    {
        return true;
    }
    TakeContext(outgoing);
    return Submit(std::move(outgoing));
}

bool
EthernetNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocolNumber)
{
    Outgoing outgoing(packet->Copy(), ToMacBytes(dest), ToMacBytes(source), protocolNumber);
    if (EnqueuePausable(outgoing))
    {
        return true;
    }
    TakeContext(outgoing);
    return Submit(std::move(outgoing));
}

} // namespace ns3::aidc
