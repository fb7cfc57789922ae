/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-net-device.h"
#include "ethernet-port-traces.h"
#include "mac-bytes.h"

#include "ns3/mac-control.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"

/**
 * @file
 * @ingroup aidc
 * What an EthernetNetDevice does with the frames that arrive.
 */

namespace ns3::aidc
{

void
EthernetNetDevice::Receive(Ptr<Packet> frame, uint32_t epoch)
{
    auto whole = EthernetFrame::FromBytes(frame);
    Receive(whole, epoch);
}

void
EthernetNetDevice::Receive(EthernetFrame& frame, uint32_t epoch)
{
    if (!m_link)
    {
        return; // disposed of
    }
    if (epoch != m_linkEpoch || m_isFailed)
    {
        DropReceived(frame, m_statistics.inLost);
        return;
    }
    const uint32_t size = frame.GetSize();
    if (m_receiveErrorModel && m_receiveErrorModel->IsCorrupt(frame.Write()))
    {
        DropReceived(frame, m_statistics.inErrors);
        return;
    }
    const bool isWatched = m_traces && m_traces->AreFramesReceived();
    const Ptr<const Packet> whole = isWatched ? frame.Write() : nullptr;
    if (whole)
    {
        m_traces->sniffer(whole);
        m_traces->promiscSniffer(whole);
        m_traces->phyRxEnd(whole);
    }

    const EthernetFields& fields = frame.fields;
    if (size < EthernetFrame::MIN_SIZE || !frame.Read(m_knownTags) ||
        fields.etherType < MIN_ETHERTYPE || size - fields.GetSize() > m_mtu)
    {
        DropReceived(frame, m_statistics.inErrors);
        return;
    }
    m_statistics.inOctets += size + FCS_SIZE;
    if (fields.etherType == ETHERTYPE_MAC_CONTROL)
    {
        ReceiveControl(whole, frame);
        return;
    }
    if (!IsOfVlan(fields))
    {
        DropReceived(frame, m_statistics.inDiscards);
        return;
    }
    FrameContext context;
    context.arrival = Simulator::Now().GetTimeStep();
    context.ingressPort = static_cast<uint16_t>(m_ifIndex);
    context.priority = fields.nVlans > 0 ? fields.vlans[0].priority : FrameContext::NO_PRIORITY;
    context.tag = fields.tag;
    context.tagSize = fields.tagSize;
    if (m_tagProcessor && !m_tagProcessor->Receive(*this, frame, context))
    {
        DropReceived(frame, m_statistics.inDiscards);
        return;
    }
    CountIn(fields.destination);
    if (m_frameHandler && fields.destination == m_address &&
        m_frameHandler->Handle(*this, frame, context))
    {
        if (whole)
        {
            m_traces->macRx(whole);
        }
        return;
    }
    const auto packet = frame.TakePayload();
    KeepContext(packet, context);
    Deliver(whole, packet, fields);
}

void
EthernetNetDevice::CountIn(const MacBytes& destination)
{
    const bool isForOther = destination != m_address && m_promiscReceive.IsNull();
    ++(!IsGroup(destination)
           ? (isForOther ? m_statistics.inOtherHosts : m_statistics.inUnicastFrames)
       : destination == MAC_BROADCAST ? m_statistics.inBroadcastFrames
                                      : m_statistics.inMulticastFrames);
}

void
EthernetNetDevice::ReceiveFromRank(Ptr<Packet> frame)
{
    Receive(frame, m_linkEpoch);
}

void
EthernetNetDevice::KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const
{
    if (m_isContextKept)
    {
        FrameContextTag tag(context);
        packet->ReplacePacketTag(tag);
    }
}

void
EthernetNetDevice::Deliver(const Ptr<const Packet>& frame,
                           const Ptr<Packet>& packet,
                           const EthernetFields& fields)
{
    PacketType type = PACKET_OTHERHOST;
    if (fields.destination == m_address)
    {
        type = PACKET_HOST;
    }
    else if (IsGroup(fields.destination))
    {
        type = fields.destination == MAC_BROADCAST ? PACKET_BROADCAST : PACKET_MULTICAST;
    }
    const Address source = ToMac48Address(fields.source);
    if (!m_promiscReceive.IsNull())
    {
        if (frame)
        {
            m_traces->macPromiscRx(frame);
        }
        m_promiscReceive(this,
                         packet,
                         fields.etherType,
                         source,
                         ToMac48Address(fields.destination),
                         type);
    }
    if (type != PACKET_OTHERHOST)
    {
        if (frame)
        {
            m_traces->macRx(frame);
        }
        const bool isTaken = m_receive(this, packet, fields.etherType, source);
        m_statistics.inUnknownProtocols += isTaken || !m_promiscReceive.IsNull() ? 0 : 1;
    }
}

void
EthernetNetDevice::ReceiveControl(const Ptr<const Packet>& whole, EthernetFrame& frame)
{
    // IEEE 802.3, clause 31: to the group of MAC control or to this station, and without tags.
    const EthernetFields& fields = frame.fields;
    const bool isForUs =
        fields.destination == MAC_CONTROL_ADDRESS || fields.destination == m_address;
    if (!m_macControl || !isForUs || fields.nVlans > 0 || fields.tagSize > 0)
    {
        DropReceived(frame, m_statistics.inDiscards);
        return;
    }
    const auto payload = frame.TakePayload();
    if (!m_macControl->Receive(*this, payload, fields))
    {
        frame.packet = payload;
        DropReceived(frame, m_statistics.inDiscards);
        return;
    }
    // RFC 3635: those that no higher layer gets are no packets of the interface.
    if (whole)
    {
        m_traces->macRx(whole);
    }
}

void
EthernetNetDevice::DropReceived(EthernetFrame& frame, uint64_t& counter)
{
    ++counter;
    if (m_traces && !m_traces->phyRxDrop.IsEmpty())
    {
        m_traces->phyRxDrop(frame.Write());
    }
}

void
EthernetNetDevice::AddOuterVlans(EthernetFields& fields) const
{
    if (m_outerServiceVlanId != 0)
    {
        fields.vlans[fields.nVlans++] = {TPID_S_VLAN, 0, false, m_outerServiceVlanId};
    }
    if (m_outerVlanId != 0)
    {
        fields.vlans[fields.nVlans++] = {TPID_C_VLAN, 0, false, m_outerVlanId};
    }
}

bool
EthernetNetDevice::IsOfVlan(const EthernetFields& fields) const
{
    // A tag with identifier 0 gives a priority only. More tags are those of a tunnel that does not
    // end here.
    std::size_t i = 0;
    if (m_outerServiceVlanId != 0 || m_outerVlanId != 0)
    {
        EthernetFields outer;
        AddOuterVlans(outer);
        for (; i < outer.nVlans; ++i)
        {
            if (i == fields.nVlans || fields.vlans[i].tpid != outer.vlans[i].tpid ||
                fields.vlans[i].id != outer.vlans[i].id)
            {
                return false;
            }
        }
    }
    uint16_t service = 0;
    uint16_t customer = 0;
    if (i < fields.nVlans && fields.vlans[i].tpid == TPID_S_VLAN)
    {
        service = fields.vlans[i++].id;
    }
    if (i < fields.nVlans && fields.vlans[i].tpid == TPID_C_VLAN)
    {
        customer = fields.vlans[i++].id;
    }
    return i == fields.nVlans && service == m_serviceVlanId && customer == m_vlanId;
}

} // namespace ns3::aidc
