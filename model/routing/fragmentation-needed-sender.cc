/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fragmentation-needed-sender.h"

#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/socket.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// Precedence 6, internetwork control (RFC 1812, section 4.3.2.5).
constexpr uint8_t INTERNETWORK_CONTROL = 0xc0;
/// The longest message about an error (RFC 1812, section 4.3.2.3).
constexpr uint32_t MOST_QUOTED = 576;

} // namespace

void
SendFragmentationNeeded(Ipv4& ipv4, const Ipv4Bytes& header, const Packet& payload, uint32_t mtu)
{
    FragmentationNeeded message;
    message.mtu =
        static_cast<uint16_t>(std::min<uint32_t>(mtu, std::numeric_limits<uint16_t>::max()));
    message.quoted = header;
    payload.CopyData(message.behind.data(), static_cast<uint32_t>(message.behind.size()));
    if (!MayCauseIcmpError(header, message.behind.front()))
    {
        return;
    }
    const auto bytes = EncodeFragmentationNeeded(message);
    const auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    SocketIpTosTag tos;
    tos.SetTos(INTERNETWORK_CONTROL);
    packet->AddPacketTag(tos);
    const Ipv4Address source(boost::endian::load_big_u32(&header[Ipv4Offset::SOURCE]));
    Ipv4Header answer;
    answer.SetDestination(source);
    answer.SetProtocol(PROTOCOL_ICMP);
    Socket::SocketErrno error;
    const auto route = ipv4.GetRoutingProtocol()->RouteOutput(packet, answer, nullptr, error);
    if (route)
    {
        ipv4.Send(packet, route->GetSource(), source, PROTOCOL_ICMP, route);
    }
}

std::optional<FragmentationNeeded>
ReadFragmentationNeeded(const Ipv4Header& header, const Packet& payload)
{
    if (header.GetProtocol() != PROTOCOL_ICMP)
    {
        return std::nullopt;
    }
    std::array<uint8_t, MOST_QUOTED> bytes;
    const uint32_t size = payload.CopyData(bytes.data(), MOST_QUOTED);
    const bool hasChecksum = Node::ChecksumEnabled() && size == payload.GetSize();
    return DecodeFragmentationNeeded(bytes.data(), size, hasChecksum);
}

bool
RefuseTooLong(Ipv4& ipv4, const Ipv4Header& header, const Packet& payload, uint32_t interface)
{
    const uint32_t mtu = ipv4.GetNetDevice(interface)->GetMtu();
    const uint32_t size = payload.GetSize() + header.GetSerializedSize();
    // The TTL is decremented later, and decides first.
    if (size <= mtu || !header.IsDontFragment() || header.GetTtl() <= 1)
    {
        return false;
    }
    Ipv4Header quoted = header;
    if (Node::ChecksumEnabled())
    {
        quoted.EnableChecksum();
    }
    Packet packet;
    packet.AddHeader(quoted);
    Ipv4Bytes bytes{};
    packet.CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    SendFragmentationNeeded(ipv4, bytes, payload, mtu);
    return true;
}

} // namespace ns3::aidc
