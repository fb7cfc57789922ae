/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CsigHost: what is done to TCP segments and UDP datagrams.

#include "csig-host.h"
#include "csig-reflection-header.h"
#include "csig-tag.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/net-device.h"
#include "ns3/protocol-numbers.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"

#include <boost/endian/conversion.hpp>
#include <limits>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;

constexpr std::size_t SEQUENCE = 4;       //!< where it is in a TCP header
constexpr std::size_t ACKNOWLEDGMENT = 8; //!< likewise
constexpr std::size_t FLAGS = 13;         //!< likewise

/**
 * @brief Read the header of a TCP segment.
 * @param segment the segment
 * @param[out] header the header
 * @return whether it is whole
 */
bool
ReadHeader(Ptr<const Packet> segment, TcpHeaderBytes& header)
{
    const auto size = segment->CopyData(header.bytes.data(), TCP_MAX_HEADER_SIZE);
    header.size = DecodeTcpHeaderSize(header.bytes.data(), size).value_or(0);
    return header.size != 0;
}

/**
 * @brief Get the MTU of a packet's route.
 * @param route the route, may be null
 * @return that of its device, the largest number if there is none
 */
uint32_t
GetMtu(const Ptr<Ipv4Route>& route)
{
    const auto device = route ? route->GetOutputDevice() : nullptr;
    return device ? device->GetMtu() : std::numeric_limits<uint32_t>::max();
}

/**
 * @brief Get the flow of a packet, in its own direction.
 * @param source its source
 * @param destination its destination
 * @param ports the first bytes of its transport header
 * @param protocol the transport
 * @return the flow
 */
FlowKey
GetFlow(const Ipv4Address& source,
        const Ipv4Address& destination,
        const uint8_t* ports,
        uint8_t protocol)
{
    return {source.Get(),
            destination.Get(),
            load_big_u16(ports),
            load_big_u16(ports + 2),
            protocol};
}

/**
 * @brief Get the flow of the opposite direction.
 * @param flow a flow
 * @return the other one
 */
FlowKey
Reverse(const FlowKey& flow)
{
    return {flow.destination, flow.source, flow.destinationPort, flow.sourcePort, flow.protocol};
}

} // namespace

void
CsigHost::SendSegment(Ptr<Packet> segment,
                      const Ipv4Address& source,
                      const Ipv4Address& destination,
                      const Ptr<Ipv4Route>& route)
{
    RemoveForeignTag(segment);
    TcpHeaderBytes header;
    if (!ReadHeader(segment, header))
    {
        return;
    }
    const auto key = GetFlow(source, destination, header.bytes.data(), PROTOCOL_TCP);
    const auto flags = header.bytes[FLAGS];
    const auto now = Simulator::Now().GetNanoSeconds();
    if ((flags & TcpHeader::SYN) != 0)
    {
        SendSyn(segment, header, key, route);
        return;
    }
    auto flow = m_flows.Find(key, now);
    if (!flow || !flow->negotiation.IsAgreed())
    {
        return;
    }
    const auto data = static_cast<uint32_t>(segment->GetSize() - header.size);
    if (flow->reflector.HasNews())
    {
        const auto fields = flow->reflector.Peek().fields;
        if (m_options.Append(segment, header, fields, key, GetMtu(route)))
        {
            flow->reflector.Advance();
            ++(fields ? m_statistics.reflectionsSent : m_statistics.emptySent);
        }
    }
    const auto sequence = load_big_u32(header.bytes.data() + SEQUENCE);
    const auto acknowledgment = load_big_u32(header.bytes.data() + ACKNOWLEDGMENT);
    const bool isRepeat = flow->sent.Note(sequence, data, acknowledgment);
    if (data == 0 && !m_tagAcks)
    {
        return;
    }
    if (!isRepeat)
    {
        TagPacket(segment, route, key, *flow, sequence + data);
        return;
    }
    const auto before = flow->requester.GetCapability();
    flow->requester.NoteRepeat(m_plan, now, data, sequence + data);
    TraceCapability(key, before, flow->requester.GetCapability());
}

void
CsigHost::SendSyn(Ptr<Packet> segment,
                  TcpHeaderBytes& header,
                  const FlowKey& key,
                  const Ptr<Ipv4Route>& route)
{
    const auto now = Simulator::Now().GetNanoSeconds();
    bool hasOption = false;
    if ((header.bytes[FLAGS] & TcpHeader::ACK) != 0)
    {
        auto flow = m_flows.Find(key, now);
        if (flow)
        {
            hasOption = flow->negotiation.SendSynAck();
            flow->RestartSending();
        }
    }
    else
    {
        auto& flow = m_flows.Add(key, now);
        hasOption = flow.negotiation.SendSyn(m_maxOffers);
        flow.RestartSending();
    }
    if (hasOption)
    {
        m_options.Append(segment, header, std::nullopt, key, GetMtu(route));
    }
}

bool
CsigHost::ReceiveSegment(Ptr<Packet> segment, const Ipv4Header& ipHeader)
{
    TcpHeaderBytes header;
    if (!ReadHeader(segment, header))
    {
        ++m_statistics.malformedSegments;
        m_dropTrace(segment);
        return false;
    }
    const auto incoming =
        GetFlow(ipHeader.GetSource(), ipHeader.GetDestination(), header.bytes.data(), PROTOCOL_TCP);
    m_arriving = Reverse(incoming);
    std::optional<CsigReflection> reflection;
    if (header.size > TCP_MIN_HEADER_SIZE)
    {
        switch (m_options.Take(segment, header, incoming, reflection))
        {
        case CsigSegmentOptions::Result::MALFORMED:
            ++m_statistics.malformedSegments;
            m_dropTrace(segment);
            return false;
        case CsigSegmentOptions::Result::CORRUPT:
            ++m_statistics.corruptSegments;
            return true;
        case CsigSegmentOptions::Result::GOOD:
            break;
        }
    }

    const auto tag = TakeTag(segment);
    const auto key = m_arriving;
    const auto flags = header.bytes[FLAGS];
    const auto now = Simulator::Now().GetNanoSeconds();
    if ((flags & TcpHeader::SYN) != 0)
    {
        ReceiveSyn(key, (flags & TcpHeader::ACK) != 0, reflection && !reflection->fields);
        return true;
    }
    auto flow = m_flows.Find(key, now);
    const bool isAgreed = flow && flow->negotiation.IsAgreed();
    if (isAgreed && (tag || segment->GetSize() > header.size))
    {
        NoteArrival(*flow, tag);
    }
    if (reflection && isAgreed)
    {
        const auto acknowledged =
            (flags & TcpHeader::ACK) != 0
                ? std::optional(load_big_u32(header.bytes.data() + ACKNOWLEDGMENT))
                : std::nullopt;
        NoteReflection(key, *flow, *reflection, acknowledged);
    }
    else if (reflection)
    {
        ++m_statistics.unexpectedOptions;
    }
    if (tag)
    {
        m_tagTrace(key, *tag);
    }
    return true;
}

void
CsigHost::ReceiveSyn(const FlowKey& key, bool isAnswer, bool hasOption)
{
    const auto now = Simulator::Now().GetNanoSeconds();
    if (isAnswer)
    {
        auto flow = m_flows.Find(key, now);
        if (flow)
        {
            flow->negotiation.ReceiveSynAck(hasOption);
        }
    }
    else if (hasOption)
    {
        m_flows.Add(key, now).negotiation.ReceiveSyn(true);
    }
    else if (auto flow = m_flows.Find(key, now))
    {
        flow->negotiation.ReceiveSyn(false);
    }
}

void
CsigHost::RemoveForeignTag(Ptr<Packet> packet)
{
    CsigTag tag;
    if (packet->RemovePacketTag(tag))
    {
        ++m_statistics.foreignTags;
    }
}

void
CsigHost::SendDatagram(Ptr<Packet> datagram,
                       const Ipv4Address& source,
                       const Ipv4Address& destination,
                       const Ptr<Ipv4Route>& route)
{
    RemoveForeignTag(datagram);
    std::array<uint8_t, UDP_HEADER_SIZE> header{};
    if (!m_tagUdp || destination.IsMulticast() || destination.IsBroadcast() ||
        datagram->CopyData(header.data(), UDP_HEADER_SIZE) < UDP_HEADER_SIZE)
    {
        return;
    }
    const auto key = GetFlow(source, destination, header.data(), PROTOCOL_UDP);
    auto& flow = m_flows.Add(key, Simulator::Now().GetNanoSeconds());
    TagPacket(datagram, route, key, flow, 0);
}

bool
CsigHost::ReceiveDatagram(Ptr<Packet> datagram, const Ipv4Header& ipHeader)
{
    std::array<uint8_t, UDP_HEADER_SIZE> header{};
    if (datagram->CopyData(header.data(), UDP_HEADER_SIZE) < UDP_HEADER_SIZE)
    {
        ++m_statistics.malformedSegments;
        m_dropTrace(datagram);
        return false;
    }
    const auto tag = TakeTag(datagram);
    const auto key = Reverse(
        GetFlow(ipHeader.GetSource(), ipHeader.GetDestination(), header.data(), PROTOCOL_UDP));
    const auto now = Simulator::Now().GetNanoSeconds();
    auto flow = tag ? &m_flows.Add(key, now) : m_flows.Find(key, now);
    if (flow)
    {
        NoteArrival(*flow, tag);
    }
    if (tag)
    {
        m_tagTrace(key, *tag);
    }
    return true;
}

void
CsigHost::AddReflection(Ptr<Packet> payload, const FlowKey& flow)
{
    auto& known = m_flows.Add(flow, Simulator::Now().GetNanoSeconds());
    const auto reflection = known.reflector.Peek();
    known.reflector.Advance();
    if (reflection.fields)
    {
        ++m_statistics.reflectionsSent;
    }
    else if (reflection.untagged)
    {
        ++m_statistics.emptySent;
    }
    payload->AddHeader(CsigReflectionHeader(reflection));
}

bool
CsigHost::RemoveReflection(Ptr<Packet> payload, const FlowKey& flow)
{
    CsigReflectionHeader header;
    if (payload->PeekHeader(header) == 0)
    {
        ++m_statistics.malformedReflections;
        return false;
    }
    payload->RemoveHeader(header);
    auto known = m_flows.Find(flow, Simulator::Now().GetNanoSeconds());
    if (known)
    {
        NoteReflection(flow, *known, header.GetReflection(), std::nullopt);
    }
    return true;
}

} // namespace ns3::aidc
