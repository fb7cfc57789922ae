/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-channel.h"
#include "ethernet-net-device.h"
#include "ethernet-port-traces.h"
#include "mac-bytes.h"

#include "ns3/protocol-numbers.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup aidc
 * What an EthernetNetDevice does to send.
 */

namespace ns3::aidc
{

namespace
{

} // namespace

bool
EthernetNetDevice::IsBusy() const
{
    return Simulator::Now().GetTimeStep() < m_clock.GetEnd();
}

bool
EthernetNetDevice::MustWait()
{
    if (!FindQueueDisc() || (!IsBusy() && !m_isControlDue && m_queue.empty()))
    {
        return false;
    }
    if (m_rootQueue->GetNPackets() > 0)
    {
        ScheduleCompletion();
    }
    return true;
}

void
EthernetNetDevice::ScheduleCompletion()
{
    if (!m_isCompletionScheduled)
    {
        m_isCompletionScheduled = true;
        const int64_t now = Simulator::Now().GetTimeStep();
        m_completion.Schedule(m_nodeId, TimeStep(std::max<int64_t>(m_clock.GetEnd() - now, 0)));
    }
}

void
EthernetNetDevice::Complete()
{
    m_isCompletionScheduled = false;
    if (!m_link)
    {
        return; // disposed of
    }
    if (IsBusy())
    {
        // Something else was sent at this instant before the queues had their turn.
        ScheduleCompletion();
        return;
    }
    if (m_isControlDue)
    {
        TransmitControl();
        if (IsBusy())
        {
            ScheduleCompletion();
            return;
        }
    }
    // One of the source and one of the queues, while both have some that may be sent.
    const bool isSourceFirst = m_isFrameDue && !m_wasFromSource;
    if (!(isSourceFirst && TransmitFromSource()) && !TransmitQueued() && m_isFrameDue &&
        !isSourceFirst)
    {
        TransmitFromSource();
    }
    if (m_isFrameDue)
    {
        ScheduleCompletion();
    }
}

bool
EthernetNetDevice::TransmitFromSource()
{
    Outgoing outgoing(nullptr, m_remote, m_address, ETHERTYPE_IPV4);
    m_isFrameDue = false;
    if (!m_frameSource->TakeFrame(*this, outgoing.frame, outgoing.context))
    {
        return false;
    }
    m_wasFromSource = true;
    if (Accept(outgoing.frame))
    {
        Transmit(outgoing);
    }
    else
    {
        // It takes its time nevertheless, so that a source never sends without end at one instant.
        m_clock.Occupy(std::max(Simulator::Now().GetTimeStep(), m_clock.GetEnd()),
                       8 * static_cast<uint64_t>(outgoing.frame.GetSize() + FCS_SIZE + m_overhead));
    }
    m_isFrameDue = m_isFrameDue || m_frameSource->HasFrame();
    // What waits in the queues has its turn next.
    if (!m_queue.empty() || (FindQueueDisc() && m_rootQueue->GetNPackets() > 0))
    {
        ScheduleCompletion();
    }
    return true;
}

bool
EthernetNetDevice::TransmitQueued()
{
    if (m_queue.empty())
    {
        return Pull();
    }
    Outgoing outgoing = std::move(m_queue.front());
    m_queue.pop_front();
    m_queuedBytes -= outgoing.frame.GetPayloadSize();
    m_wasFromSource = false;
    Transmit(outgoing);
    ScheduleCompletion();
    return true;
}

bool
EthernetNetDevice::Pull()
{
    // As QueueDisc::Run() does, but for the number of packets: the port has room for one. If there
    // are packets and none of them may be sent now, it is the queue disc that resumes.
    const auto item = FindQueueDisc() ? m_rootQueue->Dequeue() : nullptr;
    if (!item)
    {
        return false;
    }
    m_wasFromSource = false;
    item->AddHeader();
    TransmitItem(item);
    return true;
}

void
EthernetNetDevice::RequestFrame()
{
    if (!m_isFrameDue)
    {
        m_isFrameDue = true;
        // Not at once: the caller may be in the middle of another frame.
        ScheduleCompletion();
    }
}

void
EthernetNetDevice::PullFrame()
{
    m_isFrameDue = true;
    if (IsBusy())
    {
        ScheduleCompletion();
    }
    else if (!m_isCompletionScheduled)
    {
        Complete();
    }
}

EthernetNetDevice::Outgoing::Outgoing(const Ptr<Packet>& packet,
                                      const MacBytes& destination,
                                      const MacBytes& source,
                                      uint16_t etherType)
{
    frame.packet = packet;
    frame.fields.destination = destination;
    frame.fields.source = source;
    frame.fields.etherType = etherType;
}

void
EthernetNetDevice::RequestControl()
{
    m_isControlDue = true;
    // Not at once: the queue disc may just be handing over a packet.
    ScheduleCompletion();
}

void
EthernetNetDevice::TransmitControl()
{
    m_isControlDue = false;
    MacControlFrame frame;
    if (!m_isUp || !m_macControl || !m_macControl->TakeFrame(*this, frame))
    {
        return;
    }
    const auto bytes = EncodeMacControl(frame);
    Outgoing outgoing(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                      MAC_CONTROL_ADDRESS,
                      m_address,
                      ETHERTYPE_MAC_CONTROL);
    outgoing.isControl = true;
    Transmit(outgoing);
}

bool
EthernetNetDevice::Accept(EthernetFrame& frame)
{
    CountOut(frame.fields.destination);
    if (!m_isUp || frame.GetPayloadSize() > m_mtu || frame.fields.etherType < MIN_ETHERTYPE ||
        m_knownTags.GetSize(frame.fields.etherType) != 0)
    {
        ++(m_isUp ? m_statistics.outErrors : m_statistics.outDiscards);
        m_statistics.outLost += m_isUp ? 0 : 1;
        DropOutgoing(frame);
        return false;
    }
    if (m_traces && !m_traces->macTx.IsEmpty())
    {
        m_traces->macTx(frame.WritePayload());
    }
    return true;
}

void
EthernetNetDevice::DropOutgoing(EthernetFrame& frame)
{
    if (m_traces && !m_traces->macTxDrop.IsEmpty())
    {
        m_traces->macTxDrop(frame.WritePayload());
    }
}

bool
EthernetNetDevice::Submit(Outgoing outgoing)
{
    if (!Accept(outgoing.frame))
    {
        return false;
    }
    const uint32_t size = outgoing.frame.GetPayloadSize();
    if (!IsBusy() && !m_isControlDue && m_queue.empty())
    {
        Transmit(outgoing);
        return true;
    }
    const bool isFull = m_queueSize.GetUnit() == QueueSizeUnit::PACKETS
                            ? m_queue.size() >= m_queueSize.GetValue()
                            : m_queuedBytes + size > m_queueSize.GetValue();
    if (isFull)
    {
        ++m_statistics.outDiscards;
        DropOutgoing(outgoing.frame);
        return false;
    }
    m_queuedBytes += size;
    m_queue.push_back(std::move(outgoing));
    ScheduleCompletion();
    return true;
}

MacBytes
EthernetNetDevice::Resolve(const Packet& packet,
                           const Address& destination,
                           uint16_t etherType) const
{
    const MacBytes bytes = ToMacBytes(destination);
    if (m_needsArp || bytes != MAC_BROADCAST)
    {
        return bytes;
    }
    // ns-3's stack sends to all what needs no address resolution.
    uint8_t header[40];
    const uint32_t size = packet.CopyData(header, sizeof(header));
    if (etherType == ETHERTYPE_IPV4 && size >= 20)
    {
        const auto address = Ipv4Address::Deserialize(header + 16);
        return address.IsMulticast()   ? ToMacBytes(GetMulticast(address))
               : address.IsBroadcast() ? MAC_BROADCAST
                                       : m_remote;
    }
    if (etherType == ETHERTYPE_IPV6 && size >= 40)
    {
        const auto address = Ipv6Address::Deserialize(header + 24);
        return address.IsMulticast() ? ToMacBytes(GetMulticast(address)) : m_remote;
    }
    return bytes;
}

uint8_t
EthernetNetDevice::GetTagPriority(const FrameContext& context) const
{
    const bool isTagged = (m_vlanId | m_serviceVlanId | m_outerVlanId | m_outerServiceVlanId) != 0;
    if (!isTagged && m_vlanPriority == 0)
    {
        return FrameContext::NO_PRIORITY;
    }
    const bool isKept = m_isPriorityKept && context.priority != FrameContext::NO_PRIORITY;
    return isKept ? context.priority : m_vlanPriority;
}

void
EthernetNetDevice::Transmit(Outgoing& outgoing)
{
    EthernetFrame& frame = outgoing.frame;
    EthernetFields& fields = frame.fields;
    if (!outgoing.isControl)
    {
        if (m_tagProcessor)
        {
            m_tagProcessor->Transmit(*this, frame, outgoing.context);
            fields.tag = outgoing.context.tag;
            fields.tagSize = outgoing.context.tagSize;
        }
        AddOuterVlans(fields);
        if (m_serviceVlanId != 0)
        {
            fields.vlans[fields.nVlans++] = {TPID_S_VLAN, 0, false, m_serviceVlanId};
        }
        if (m_vlanId != 0 || m_vlanPriority != 0)
        {
            fields.vlans[fields.nVlans++] = {TPID_C_VLAN, 0, false, m_vlanId};
        }
        for (std::size_t i = 0; i < fields.nVlans; ++i)
        {
            fields.vlans[i].priority = GetTagPriority(outgoing.context);
        }
    }
    if (m_traces && m_traces->AreFramesSent())
    {
        const Ptr<const Packet> whole = frame.Write();
        m_traces->sniffer(whole);
        m_traces->promiscSniffer(whole);
        m_traces->phyTxBegin(whole);
    }
    const uint32_t octets = frame.GetSize() + FCS_SIZE;
    m_statistics.outOctets += octets;
    ++m_statistics.outFrames;
    const int64_t now = Simulator::Now().GetTimeStep();
    m_clock.Occupy(now, 8 * static_cast<uint64_t>(octets + m_overhead));
    // The gap occupies the wire, but the frame is whole before it.
    const int64_t last =
        m_clock.GetEndWithout(uint64_t{8} * std::min(m_overhead, EthernetFrame::GAP_SIZE));
    const Time duration = TimeStep(static_cast<uint64_t>(last - now));
    if (m_traces && !m_traces->phyTxEnd.IsEmpty())
    {
        Simulator::Schedule(duration,
                            [this, sent = frame.Write()->Copy()] { m_traces->phyTxEnd(sent); });
    }
    m_link->Carry(frame, m_end, m_linkEpoch, duration);
}

void
EthernetNetDevice::CountOut(const MacBytes& destination)
{
    ++(!IsGroup(destination)          ? m_statistics.outUnicastFrames
       : destination == MAC_BROADCAST ? m_statistics.outBroadcastFrames
                                      : m_statistics.outMulticastFrames);
}

} // namespace ns3::aidc
