// SPDX-License-Identifier: GPL-2.0-only

#include "fragmentation-needed-sender.h"

#include "../core/transport/roce-bytes.h"

#include "ns3/channel.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/socket.h"
#include "ns3/warning.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <limits>
#include <sstream>

namespace ns3::aidc
{

namespace
{

/// Precedence 6, internetwork control (RFC 1812, section 4.3.2.5).
constexpr uint8_t INTERNETWORK_CONTROL = 0xc0;
/// The longest message about an error (RFC 1812, section 4.3.2.3).
constexpr uint32_t MOST_QUOTED = 576;

/// @return whether it is one of RoCEv2
bool
IsRoce(const Ipv4Header& header, const Packet& payload)
{
    std::array<uint8_t, 4> ports{};
    return header.GetProtocol() == PROTOCOL_UDP &&
           payload.CopyData(ports.data(), ports.size()) == ports.size() &&
           boost::endian::load_big_u16(&ports[2]) == ROCE_UDP_PORT;
}

/// Warn of a link that is too small for packets of RoCEv2, whose adapters do not discover the MTU
/// of their path: their queue pairs repeat such packets until they fail.
void
WarnOfMtu(const NetDevice& device)
{
    const auto node = device.GetNode();
    std::ostringstream text;
    text << "port " << device.GetIfIndex() << " of node " << node->GetId();
    const auto channel = device.GetChannel();
    for (std::size_t i = 0; channel && i < channel->GetNDevices(); ++i)
    {
        const auto other = channel->GetDevice(i);
        if (other && PeekPointer(other) != &device)
        {
            text << ", to node " << other->GetNode()->GetId() << ",";
        }
    }
    text << " has an MTU of " << device.GetMtu()
         << " bytes, and drops longer packets of RoCEv2, which may not be fragmented: expected a "
            "larger MTU there, or a smaller attribute PathMtu of RoceNic";
    WarnOnce(text.str());
}

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
    if (IsRoce(header, payload))
    {
        WarnOfMtu(*ipv4.GetNetDevice(interface));
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
