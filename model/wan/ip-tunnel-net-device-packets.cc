/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-net-device.h"

#include "ns3/ethernet-net-device.h"
#include "ns3/icmpv4-l4-protocol.h"
#include "ns3/ipv4-bytes.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/socket.h"
#include "ns3/switch-datapath.h"
#include "ns3/written-header.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

// What an IpTunnelNetDevice does with packets.

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelPackets");

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;

constexpr uint16_t DONT_FRAGMENT = 0x4000;         //!< the flag DF
constexpr uint16_t MORE_FRAGMENTS = 0x2000;        //!< the flag MF
constexpr uint16_t OFFSET_MASK = 0x1fff;           //!< the fragment offset, in units of 8 bytes
constexpr uint8_t PLAIN_VERSION_AND_LENGTH = 0x45; //!< version 4, no options

/**
 * @brief Read the flow of a packet, as all routers do.
 * @param header the packet's header
 * @param payload what follows it
 * @param size the bytes that may be read there
 * @return the flow
 */
FlowKey
ReadFlowKey(const Ipv4Bytes& header, const uint8_t* payload, std::size_t size)
{
    const uint16_t fragment = load_big_u16(&header[Ipv4Offset::FRAGMENT]);
    return DecodeFlowKey(load_big_u32(&header[Ipv4Offset::SOURCE]),
                         load_big_u32(&header[Ipv4Offset::DESTINATION]),
                         header[Ipv4Offset::PROTOCOL],
                         (fragment & (MORE_FRAGMENTS | OFFSET_MASK)) != 0,
                         payload,
                         size);
}

} // namespace

bool
IpTunnelNetDevice::SendFromStack(Ptr<Packet> packet,
                                 const Address&,
                                 const Address&,
                                 uint16_t protocol)
{
    EthernetFrame frame;
    frame.packet = packet->Copy();
    TransitHeader header;
    if (protocol != ETHERTYPE_IPV4 || !ReadTransitHeader(*packet, header))
    {
        Drop(frame, m_statistics.unsupported, DROP_UNSUPPORTED);
        return false;
    }
    FrameContextTag tag;
    const bool hasContext = frame.packet->RemovePacketTag(tag);
    frame.ReadPayload(header);
    Enter(frame, hasContext ? tag.GetContext() : FrameContext());
    return true;
}

void
IpTunnelNetDevice::Enter(EthernetFrame& frame, const FrameContext& context)
{
    if (m_isStale || !m_routing)
    {
        UpdatePaths();
    }
    const uint8_t tos = frame.transit.bytes[Ipv4Offset::TOS];
    if (m_ect1 != PASSED && GetEcn(tos) == EcnCodepoint::ECT_1 && !AdmitEct1(frame))
    {
        return;
    }
    if (!m_controller)
    {
        SendBy(frame, context, m_defaultPath);
        return;
    }
    // Not by std::move(), which copies a Ptr before ns-3.48: the packet would not be alone.
    TunnelPacket packet{frame.transit, std::exchange(frame.packet, nullptr), context};
    const uint32_t path = m_controller->Choose(*this, packet);
    if (path == TunnelTrafficController::HOLD)
    {
        ++m_statistics.heldPackets;
        return;
    }
    frame.transit = packet.header;
    frame.packet = std::exchange(packet.payload, nullptr);
    SendBy(frame, packet.context, path);
}

bool
IpTunnelNetDevice::AdmitEct1(EthernetFrame& frame)
{
    if (m_ect1 == REFUSED)
    {
        Drop(frame, m_statistics.refusedEct1, DROP_ECT_1);
        return false;
    }
    ++m_statistics.ect1Remarked;
    uint8_t& tos = frame.transit.bytes[Ipv4Offset::TOS];
    tos = SetEcn(tos, EcnCodepoint::ECT_0);
    return true;
}

void
IpTunnelNetDevice::Resume(TunnelPacket&& packet, uint32_t path)
{
    if (m_isStale || !m_routing)
    {
        UpdatePaths();
    }
    EthernetFrame frame;
    frame.packet = std::exchange(packet.payload, nullptr);
    frame.transit = packet.header;
    frame.hasTransit = true;
    SendBy(frame, packet.context, path);
}

uint32_t
IpTunnelNetDevice::GetUsable(uint32_t path) const
{
    return path < m_paths.size() && m_choice.IsUp(path) ? path : m_defaultPath;
}

void
IpTunnelNetDevice::SendBy(EthernetFrame& frame, const FrameContext& context, uint32_t path)
{
    const uint32_t index = GetUsable(path);
    if (index == TunnelPathChoice::NONE)
    {
        Drop(frame, m_statistics.noPath, DROP_NO_PATH);
        return;
    }
    const uint32_t size = load_big_u16(&frame.transit.bytes[Ipv4Offset::LENGTH]);
    if (size > m_paths[index].mtu)
    {
        HandleTooLong(frame, context, m_paths[index]);
        return;
    }
    Encapsulate(frame, m_paths[index]);
    CountSent(Transmit(frame, context), size);
}

void
IpTunnelNetDevice::CountSent(bool isSent, uint32_t size)
{
    m_statistics.sentPackets += isSent;
    m_statistics.sentOctets += isSent ? size : 0;
}

void
IpTunnelNetDevice::Encapsulate(EthernetFrame& frame, const Path& path)
{
    const IpTunnelRules rules = GetRules();
    const bool isAtomic =
        (load_big_u16(&frame.transit.bytes[Ipv4Offset::FRAGMENT]) & DONT_FRAGMENT) != 0;
    Ipv4Bytes& bytes = frame.transit.bytes;
    store_big_u16(&bytes[Ipv4Offset::CHECKSUM], 0);
    if (m_hasChecksums)
    {
        SetIpv4Checksum(bytes); // the TTL has changed, and the ECN field may have
    }
    for (const uint32_t destination : path.destinations)
    {
        const uint16_t identification = isAtomic ? 0 : m_endpoint->GetNextIdentification();
        const Ipv4Bytes outer =
            MakeOuterHeader(bytes, m_local.Get(), destination, identification, rules);
        frame.WritePayload();
        frame.hasTransit = true;
        bytes = outer;
    }
    // The flow stays the inner one, which routers read of all headers.
    if (frame.transit.flow.protocol == PROTOCOL_IP_IN_IP)
    {
        // A tunnel in the tunnel: how much of it can still be read?
        uint8_t payload[FLOW_KEY_MAX_BYTES];
        const uint32_t size = frame.packet->CopyData(payload, sizeof(payload));
        frame.transit.flow = ReadFlowKey(bytes, payload, size);
    }
}

bool
IpTunnelNetDevice::Transmit(EthernetFrame& frame, const FrameContext& context)
{
    return (m_datapath && m_datapath->Send(frame, context)) || TransmitByStack(frame, context);
}

bool
IpTunnelNetDevice::TransmitByStack(EthernetFrame& frame, const FrameContext& context)
{
    const Ipv4Header header = m_header.Read(frame.transit.bytes);
    const auto packet = frame.packet->GetReferenceCount() > 1 ? frame.packet->Copy() : frame.packet;
    Socket::SocketErrno error;
    const auto route = m_ipv4->GetRoutingProtocol()->RouteOutput(packet, header, nullptr, error);
    if (!route)
    {
        frame.hasTransit = false; // only what it was before
        Drop(frame, m_statistics.noPath, DROP_NO_PATH);
        return false;
    }
    if (dynamic_cast<TransitTunnel*>(PeekPointer(route->GetOutputDevice())))
    {
        frame.hasTransit = false;
        Drop(frame, m_statistics.recursive, DROP_RECURSIVE);
        return false;
    }
    // As ns-3 does with what it forwards.
    SocketPriorityTag priority;
    packet->RemovePacketTag(priority);
    priority.SetPriority(Socket::IpTos2Priority(header.GetTos()));
    if (priority.GetPriority() != 0)
    {
        packet->AddPacketTag(priority);
    }
    KeepContext(packet, context);
    frame.packet = nullptr;
    m_ipv4->SendWithHeader(packet, header, route);
    return true;
}

void
IpTunnelNetDevice::KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const
{
    if (context.ingressPort == FrameContext::NO_PORT)
    {
        return;
    }
    const auto node = GetNode();
    if (const auto port = DynamicCast<EthernetNetDevice>(node->GetDevice(context.ingressPort)))
    {
        port->KeepContext(packet, context);
    }
}

void
IpTunnelNetDevice::HandleTooLong(EthernetFrame& frame,
                                 const FrameContext& context,
                                 const Path& path)
{
    const Ipv4Bytes bytes = frame.transit.bytes;
    const uint16_t word = load_big_u16(&bytes[Ipv4Offset::FRAGMENT]);
    if ((word & DONT_FRAGMENT) != 0)
    {
        const Ipv4Header header = m_header.Read(bytes);
        const auto packet = frame.packet;
        Drop(frame, m_statistics.tooLong, DROP_TOO_LONG);
        m_ipv4->GetObject<Icmpv4L4Protocol>()->SendDestUnreachFragNeeded(
            header,
            packet,
            static_cast<uint16_t>(path.mtu));
        return;
    }
    ++m_statistics.fragmentedPackets;
    const auto packet = std::exchange(frame.packet, nullptr);
    const uint32_t size = load_big_u16(&bytes[Ipv4Offset::LENGTH]) - IPV4_HEADER_SIZE;
    const uint32_t most = (path.mtu - IPV4_HEADER_SIZE) & ~7U;
    for (uint32_t at = 0; at < size; at += most)
    {
        const uint32_t part = std::min(most, size - at);
        const bool isLast = at + part == size;
        EthernetFrame fragment;
        fragment.packet = packet->CreateFragment(at, part);
        fragment.hasTransit = true;
        fragment.transit.bytes = bytes;
        store_big_u16(&fragment.transit.bytes[Ipv4Offset::LENGTH],
                      static_cast<uint16_t>(IPV4_HEADER_SIZE + part));
        store_big_u16(&fragment.transit.bytes[Ipv4Offset::FRAGMENT],
                      static_cast<uint16_t>((isLast ? word & MORE_FRAGMENTS : MORE_FRAGMENTS) |
                                            ((word & OFFSET_MASK) + at / 8)));
        fragment.transit.flow = ReadFlowKey(fragment.transit.bytes, nullptr, 0);
        Encapsulate(fragment, path);
        CountSent(Transmit(fragment, context), IPV4_HEADER_SIZE + part);
    }
}

void
IpTunnelNetDevice::Drop(EthernetFrame& frame, uint64_t& counter, DropReason reason)
{
    NS_LOG_LOGIC("Dropped, reason " << reason);
    ++counter;
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(frame.WritePayload(), reason);
    }
    frame.packet = nullptr;
}

void
IpTunnelNetDevice::Open(EthernetFrame& frame)
{
    const IpTunnelRules rules = GetRules();
    const uint8_t outerTos = frame.transit.bytes[Ipv4Offset::TOS];
    const uint8_t outerTtl = frame.transit.bytes[Ipv4Offset::TTL];
    frame.hasTransit = false; // the packet begins with the inner header
    uint8_t bytes[IPV4_MAX_HEADER + FLOW_KEY_MAX_BYTES];
    constexpr uint32_t PLAIN = IPV4_HEADER_SIZE + 4; // with ports
    uint32_t n = frame.packet->CopyData(bytes, PLAIN);
    if (n == PLAIN && (bytes[Ipv4Offset::VERSION] != PLAIN_VERSION_AND_LENGTH ||
                       bytes[Ipv4Offset::PROTOCOL] == PROTOCOL_IP_IN_IP))
    {
        n = frame.packet->CopyData(bytes, sizeof(bytes));
    }
    const auto result = CheckInnerHeader(bytes, n, frame.packet->GetSize(), m_hasChecksums);
    if (result != InnerHeaderResult::OK)
    {
        Drop(frame, m_statistics.malformed[static_cast<std::size_t>(result)], DROP_MALFORMED);
        return;
    }
    const EcnCodepoint inner = GetEcn(bytes[Ipv4Offset::TOS]);
    const auto& cell = OpenInnerHeader(bytes, outerTos, outerTtl, rules);
    const uint32_t length = load_big_u16(bytes + Ipv4Offset::LENGTH);
    const uint32_t headerSize = 4 * (bytes[Ipv4Offset::VERSION] & 0x0fU);
    TransitHeader header;
    std::copy_n(bytes, IPV4_HEADER_SIZE, header.bytes.begin());
    header.flow = ReadFlowKey(header.bytes, bytes + headerSize, std::min(n, length) - headerSize);
    if (cell.isLight || cell.alarm != TunnelEcnAlarm::NONE ||
        (GetEcn(outerTos) == EcnCodepoint::CE && inner != EcnCodepoint::CE))
    {
        NoteEcn(header.flow, inner, GetEcn(outerTos), cell);
    }
    if (cell.isDropped)
    {
        Drop(frame, m_statistics.ecnDrops, DROP_ECN);
        return;
    }
    ++m_statistics.receivedPackets;
    m_statistics.receivedOctets += length;
    if (headerSize == IPV4_HEADER_SIZE)
    {
        frame.ReadPayload(header);
        return;
    }
    // With options, which a value cannot have: the stack goes on.
    const auto packet = frame.packet->Copy();
    packet->RemoveAtEnd(packet->GetSize() - length);
    packet->RemoveAtStart(headerSize);
    packet->AddHeader(WrittenHeader<Ipv4Header>(bytes, headerSize));
    frame.packet = packet;
}

void
IpTunnelNetDevice::NoteEcn(const FlowKey& flow,
                           EcnCodepoint inner,
                           EcnCodepoint outer,
                           const TunnelEcnCell& cell)
{
    m_statistics.lightMarks += cell.isLight;
    m_statistics.severeMarks += cell.inner == EcnCodepoint::CE && inner != EcnCodepoint::CE;
    m_statistics.possibleAlarms += cell.alarm == TunnelEcnAlarm::POSSIBLE;
    m_statistics.dangerousAlarms += cell.alarm == TunnelEcnAlarm::DANGEROUS;
    if (cell.alarm != TunnelEcnAlarm::NONE)
    {
        NS_LOG_WARN("RFC 6040, section 4.2: a packet of "
                    << Ipv4Address(flow.source) << " has codepoint " << static_cast<int>(inner)
                    << " below " << static_cast<int>(outer));
    }
    m_ecnTrace(flow, inner, outer, cell);
}

void
IpTunnelNetDevice::GiveToStack(EthernetFrame& frame, const FrameContext& context)
{
    const auto packet = frame.WritePayload();
    KeepContext(packet, context);
    frame.packet = nullptr;
    Receive(packet, ETHERTYPE_IPV4, GetAddress(), GetAddress(), PACKET_HOST);
}

} // namespace ns3::aidc
