/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-frames.h"

#include "../core/ipv4-bytes.h"

#include "ns3/ethernet-frame.h"
#include "ns3/ipv4-header.h"
#include "ns3/protocol-numbers.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

constexpr uint16_t MORE_FRAGMENTS = 0x2000; //!< the flag MF

/// Read the flow of a packet, as all routers do. size: the bytes that may be read there.
FlowKey
ReadFlowKey(const Ipv4Bytes& header, const uint8_t* payload, std::size_t size)
{
    const uint16_t fragment = load_big_u16(&header[Ipv4Offset::FRAGMENT]);
    return DecodeFlowKey(load_big_u32(&header[Ipv4Offset::SOURCE]),
                         load_big_u32(&header[Ipv4Offset::DESTINATION]),
                         header[Ipv4Offset::PROTOCOL],
                         (fragment & (MORE_FRAGMENTS | IPV4_OFFSET_MASK)) != 0,
                         payload,
                         size);
}

/// Add the shim of a tunnel to a packet. packet: the packet with its inner header.
void
AddShim(const Ptr<Packet>& packet, const TunnelShim& shim, const FlowKey& ends)
{
    uint8_t bytes[MAX_TUNNEL_SHIM];
    EncodeTunnelShim(shim,
                     ends.source,
                     ends.destination,
                     ends.sourcePort,
                     packet->GetSize(),
                     bytes);
    packet->AddHeader(WrittenHeader<Ipv4Header>(bytes, shim.GetSize()));
}

/// Remove the shim of a tunnel from a packet. frame: the packet, which begins with the shim,
/// unchanged unless the result is OK. @return OK, or what is wrong with it
InnerHeaderResult
RemoveShim(EthernetFrame& frame, const TunnelShim& shim)
{
    uint8_t bytes[MAX_TUNNEL_SHIM];
    const uint32_t size = frame.packet->CopyData(bytes, sizeof(bytes));
    const auto result = CheckTunnelShim(shim, bytes, size, frame.packet->GetSize());
    if (result != InnerHeaderResult::OK)
    {
        return result;
    }
    if (frame.packet->GetReferenceCount() > 1)
    {
        frame.packet = frame.packet->Copy(); // somebody else has kept it
    }
    frame.packet->RemoveAtStart(static_cast<uint32_t>(shim.GetSize()));
    return InnerHeaderResult::OK;
}

} // namespace

void
Encapsulate(EthernetFrame& frame,
            Ipv4Address local,
            const std::vector<uint32_t>& destinations,
            const IpTunnelRules& rules,
            IpTunnelEndpoint& endpoint)
{
    Ipv4Bytes& bytes = frame.transit.bytes;
    const bool isAtomic = (load_big_u16(&bytes[Ipv4Offset::FRAGMENT]) & IPV4_DONT_FRAGMENT) != 0;
    store_big_u16(&bytes[Ipv4Offset::CHECKSUM], 0);
    if (rules.hasChecksums)
    {
        SetIpv4Checksum(bytes); // the TTL has changed, and the ECN field may have
    }
    // The shim belongs to the innermost outer header. Those of waypoints are IP in IP around it.
    const bool isVxlan = rules.shim.encapsulation == TunnelShim::VXLAN;
    std::size_t shimSize = rules.shim.GetSize();
    uint8_t protocol = rules.shim.GetProtocol();
    for (const uint32_t destination : destinations)
    {
        const uint16_t identification = isAtomic ? 0 : endpoint.GetNextIdentification();
        const Ipv4Bytes outer = MakeOuterHeader(bytes,
                                                local.Get(),
                                                destination,
                                                identification,
                                                rules,
                                                shimSize,
                                                protocol);
        frame.WritePayload();
        if (shimSize > 0)
        {
            const uint16_t port =
                isVxlan ? GetVxlanSourcePort(HashFlow(frame.transit.flow, 0)) : uint16_t{0};
            const FlowKey ends{local.Get(), destination, port, VXLAN_PORT, protocol};
            AddShim(frame.packet, rules.shim, ends);
            frame.transit.flow = isVxlan ? ends : frame.transit.flow;
        }
        frame.hasTransit = true;
        bytes = outer;
        shimSize = 0;
        protocol = PROTOCOL_IP_IN_IP;
    }
    // The flow stays the inner one, which routers read of all headers but VXLAN's.
    if (HasInnerFlow(frame.transit.flow.protocol))
    {
        // A tunnel in the tunnel: how much of it can still be read?
        uint8_t payload[FLOW_KEY_MAX_BYTES];
        const uint32_t size = frame.packet->CopyData(payload, sizeof(payload));
        frame.transit.flow = ReadFlowKey(bytes, payload, size);
    }
}

InnerHeaderResult
Decapsulate(EthernetFrame& frame, const IpTunnelRules& rules, IpTunnelArrival& arrival)
{
    const uint8_t outerTos = frame.transit.bytes[Ipv4Offset::TOS];
    const uint8_t outerTtl = frame.transit.bytes[Ipv4Offset::TTL];
    frame.hasTransit = false; // the packet begins with the shim or the inner header
    if (rules.shim.encapsulation != TunnelShim::IP_IN_IP)
    {
        const auto result = RemoveShim(frame, rules.shim);
        if (result != InnerHeaderResult::OK)
        {
            return result;
        }
    }
    uint8_t bytes[IPV4_MAX_HEADER + FLOW_KEY_MAX_BYTES];
    constexpr uint32_t PLAIN = IPV4_HEADER_SIZE + 4; // with ports
    uint32_t n = frame.packet->CopyData(bytes, PLAIN);
    if (n == PLAIN && (bytes[Ipv4Offset::VERSION] != IPV4_PLAIN_VERSION ||
                       HasInnerFlow(bytes[Ipv4Offset::PROTOCOL])))
    {
        n = frame.packet->CopyData(bytes, sizeof(bytes));
    }
    const auto result = CheckInnerHeader(bytes, n, frame.packet->GetSize(), rules.hasChecksums);
    if (result != InnerHeaderResult::OK)
    {
        return result;
    }
    arrival.inner = GetEcn(bytes[Ipv4Offset::TOS]);
    arrival.outer = GetEcn(outerTos);
    arrival.cell = &OpenInnerHeader(bytes, outerTos, outerTtl, rules);
    arrival.size = load_big_u16(bytes + Ipv4Offset::LENGTH);
    const uint32_t headerSize = 4 * (bytes[Ipv4Offset::VERSION] & 0x0fU);
    TransitHeader header;
    std::copy_n(bytes, IPV4_HEADER_SIZE, header.bytes.begin());
    header.flow =
        ReadFlowKey(header.bytes, bytes + headerSize, std::min(n, arrival.size) - headerSize);
    arrival.flow = header.flow;
    if (arrival.cell->isDropped)
    {
        return result;
    }
    if (headerSize == IPV4_HEADER_SIZE)
    {
        frame.ReadPayload(header);
        return result;
    }
    // With options, which a parsed header cannot have: the stack handles it.
    const auto packet = frame.packet->Copy();
    packet->RemoveAtEnd(packet->GetSize() - arrival.size);
    packet->RemoveAtStart(headerSize);
    packet->AddHeader(WrittenHeader<Ipv4Header>(bytes, headerSize));
    frame.packet = packet;
    return result;
}

std::vector<EthernetFrame>
MakeFragments(const EthernetFrame& frame, uint32_t mtu)
{
    const Ipv4Bytes& bytes = frame.transit.bytes;
    const uint16_t word = load_big_u16(&bytes[Ipv4Offset::FRAGMENT]);
    const uint32_t size = load_big_u16(&bytes[Ipv4Offset::LENGTH]) - IPV4_HEADER_SIZE;
    const uint32_t most = (mtu - IPV4_HEADER_SIZE) & ~7U;
    std::vector<EthernetFrame> fragments;
    for (uint32_t at = 0; at < size; at += most)
    {
        const uint32_t part = std::min(most, size - at);
        const bool isLast = at + part == size;
        EthernetFrame& fragment = fragments.emplace_back();
        fragment.packet = frame.packet->CreateFragment(at, part);
        fragment.hasTransit = true;
        fragment.transit.bytes = bytes;
        store_big_u16(&fragment.transit.bytes[Ipv4Offset::LENGTH],
                      static_cast<uint16_t>(IPV4_HEADER_SIZE + part));
        store_big_u16(&fragment.transit.bytes[Ipv4Offset::FRAGMENT],
                      static_cast<uint16_t>((isLast ? word & MORE_FRAGMENTS : MORE_FRAGMENTS) |
                                            ((word & IPV4_OFFSET_MASK) + at / 8)));
        fragment.transit.flow = ReadFlowKey(fragment.transit.bytes, nullptr, 0);
    }
    return fragments;
}

EthernetFrame
MakeKeepalive(Ipv4Address local, Ipv4Address remote, uint32_t path, uint8_t tos, uint8_t ttl)
{
    constexpr uint8_t PROTOCOL = IpTunnelEndpoint::KEEPALIVE_PROTOCOL;
    uint8_t payload[sizeof(path)];
    store_big_u32(payload, path);
    EthernetFrame frame;
    frame.packet = Create<Packet>(payload, sizeof(payload));
    frame.hasTransit = true;
    Ipv4Bytes& bytes = frame.transit.bytes;
    bytes[Ipv4Offset::VERSION] = IPV4_PLAIN_VERSION;
    bytes[Ipv4Offset::TOS] = tos;
    store_big_u16(&bytes[Ipv4Offset::LENGTH], IP_TUNNEL_KEEPALIVE_SIZE);
    store_big_u16(&bytes[Ipv4Offset::FRAGMENT], IPV4_DONT_FRAGMENT);
    bytes[Ipv4Offset::TTL] = ttl;
    bytes[Ipv4Offset::PROTOCOL] = PROTOCOL;
    store_big_u32(&bytes[Ipv4Offset::SOURCE], remote.Get());
    store_big_u32(&bytes[Ipv4Offset::DESTINATION], local.Get());
    frame.transit.flow = {remote.Get(), local.Get(), 0, 0, PROTOCOL};
    return frame;
}

std::optional<uint32_t>
ReadKeepalive(const Packet& packet)
{
    uint8_t payload[sizeof(uint32_t)];
    const bool isWhole = packet.CopyData(payload, sizeof(payload)) == sizeof(payload);
    return isWhole ? std::make_optional(load_big_u32(payload)) : std::nullopt;
}

} // namespace ns3::aidc
