/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tunneled-flow.h"

#include "../gre-header.h"
#include "../ipv4-bytes.h"

#include "ns3/protocol-numbers.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
/// The fragment offset and "more fragments": what a whole packet has not.
constexpr uint16_t FRAGMENT_MASK = 0x3fff;

/// What is after a header.
struct Tunneled
{
    bool isTunneled;  //!< whether it is an outer header
    std::size_t shim; //!< the bytes between it and the next one
};

/// Tell whether a header is an outer one. size: the bytes that may be read there.
Tunneled
LookBehind(bool isOfTunnel, uint8_t protocol, const uint8_t* payload, std::size_t size)
{
    if (protocol == PROTOCOL_IP_IN_IP)
    {
        return {true, 0};
    }
    std::size_t shim = 0;
    if (isOfTunnel && protocol == PROTOCOL_GRE)
    {
        shim = GetGreHeaderSize(payload, size);
    }
    else if (isOfTunnel && protocol == PROTOCOL_UDP)
    {
        shim = GetVxlanShimSize(payload, size);
    }
    return {shim > 0, shim};
}

} // namespace

TunneledFlowResult
FindTunneledFlow(uint32_t source,
                 uint8_t protocol,
                 uint16_t fragment,
                 const uint8_t* payload,
                 std::size_t size,
                 FlowKey& flow,
                 uint32_t& egress,
                 std::size_t* offset)
{
    using Result = TunneledFlowResult;
    // Only the first fragment begins with what is after the header.
    const bool isBegin = (fragment & IPV4_OFFSET_MASK) == 0;
    Tunneled behind = LookBehind(isBegin, protocol, payload, size);
    if (!behind.isTunneled)
    {
        return Result::NOT_TUNNELED;
    }
    const uint8_t* const begin = payload;
    uint32_t end = egress;
    for (uint32_t depth = 0; depth < MAX_TUNNEL_HEADERS; ++depth)
    {
        payload += behind.shim;
        size -= behind.shim;
        if ((fragment & IPV4_OFFSET_MASK) != 0 || size < sizeof(Ipv4Bytes))
        {
            return Result::MALFORMED;
        }
        const std::size_t headerSize = std::size_t{4} * (payload[Ipv4Offset::VERSION] & 0x0fU);
        if (payload[Ipv4Offset::VERSION] >> 4 != 4 || headerSize < sizeof(Ipv4Bytes) ||
            headerSize > size)
        {
            return Result::MALFORMED;
        }
        fragment = load_big_u16(payload + Ipv4Offset::FRAGMENT);
        protocol = payload[Ipv4Offset::PROTOCOL];
        const uint32_t from = load_big_u32(payload + Ipv4Offset::SOURCE);
        const bool isOfTunnel = from == source && (fragment & IPV4_OFFSET_MASK) == 0;
        behind = LookBehind(isOfTunnel, protocol, payload + headerSize, size - headerSize);
        if (!behind.isTunneled)
        {
            flow = DecodeFlowKey(from,
                                 load_big_u32(payload + Ipv4Offset::DESTINATION),
                                 protocol,
                                 (fragment & FRAGMENT_MASK) != 0,
                                 payload + headerSize,
                                 size - headerSize);
            egress = end;
            if (offset)
            {
                *offset = static_cast<std::size_t>(payload - begin);
            }
            return Result::OK;
        }
        end = load_big_u32(payload + Ipv4Offset::DESTINATION);
        payload += headerSize;
        size -= headerSize;
    }
    return Result::TOO_DEEP;
}

} // namespace ns3::aidc
