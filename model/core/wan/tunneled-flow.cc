/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tunneled-flow.h"

#include "../ipv4-bytes.h"

#include "ns3/protocol-numbers.h"

#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;

/// The fragment offset in flags and fragment offset.
constexpr uint16_t OFFSET_MASK = 0x1fff;
/// The fragment offset and "more fragments": what a whole packet has not.
constexpr uint16_t FRAGMENT_MASK = 0x3fff;

} // namespace

TunneledFlowResult
FindTunneledFlow(uint8_t protocol,
                 uint16_t fragment,
                 const uint8_t* payload,
                 std::size_t size,
                 FlowKey& flow,
                 uint32_t& egress)
{
    using Result = TunneledFlowResult;
    if (protocol != PROTOCOL_IP_IN_IP)
    {
        return Result::NOT_TUNNELED;
    }
    uint32_t end = egress;
    for (uint32_t depth = 0; depth < MAX_TUNNEL_HEADERS; ++depth)
    {
        // Only the first fragment begins with the inner header.
        if ((fragment & OFFSET_MASK) != 0 || size < sizeof(Ipv4Bytes))
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
        if (protocol != PROTOCOL_IP_IN_IP)
        {
            flow = DecodeFlowKey(load_big_u32(payload + Ipv4Offset::SOURCE),
                                 load_big_u32(payload + Ipv4Offset::DESTINATION),
                                 protocol,
                                 (fragment & FRAGMENT_MASK) != 0,
                                 payload + headerSize,
                                 size - headerSize);
            egress = end;
            return Result::OK;
        }
        end = load_big_u32(payload + Ipv4Offset::DESTINATION);
        payload += headerSize;
        size -= headerSize;
    }
    return Result::TOO_DEEP;
}

} // namespace ns3::aidc
