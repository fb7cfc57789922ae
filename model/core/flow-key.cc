// SPDX-License-Identifier: GPL-2.0-only

#include "flow-key.h"

#include "gre-header.h"
#include "ipv4-bytes.h"
#include "mix-bits.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <tuple>

namespace ns3::aidc
{

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;

/// Bytes of a source and a destination port.
constexpr std::size_t PORTS_BYTES = 4;

/// Say whether a protocol's header begins with a source and a destination port.
constexpr bool
HasPorts(uint8_t protocol)
{
    return protocol == 6 || protocol == 17 || protocol == 33 || protocol == 132 || protocol == 136;
}

/// Add the ports to a three-tuple, if there are any. size: the bytes that may be read there.
FlowKey
AddPorts(FlowKey key, bool isFragment, const uint8_t* payload, std::size_t size)
{
    if (!isFragment && HasPorts(key.protocol) && size >= PORTS_BYTES)
    {
        key.sourcePort = load_big_u16(payload);
        key.destinationPort = load_big_u16(payload + 2);
    }
    return key;
}

} // namespace

bool
operator==(const FlowKey& a, const FlowKey& b)
{
    return std::tie(a.source, a.destination, a.sourcePort, a.destinationPort, a.protocol) ==
           std::tie(b.source, b.destination, b.sourcePort, b.destinationPort, b.protocol);
}

bool
operator<(const FlowKey& a, const FlowKey& b)
{
    return std::tie(a.source, a.destination, a.sourcePort, a.destinationPort, a.protocol) <
           std::tie(b.source, b.destination, b.sourcePort, b.destinationPort, b.protocol);
}

FlowKey
DecodeFlowKey(uint32_t source,
              uint32_t destination,
              uint8_t protocol,
              bool isFragment,
              const uint8_t* payload,
              std::size_t size)
{
    FlowKey key{source, destination, 0, 0, protocol};
    size = std::min(size, FLOW_KEY_MAX_BYTES);
    while (HasInnerFlow(key.protocol) && !isFragment)
    {
        const bool isGre = key.protocol == PROTOCOL_GRE;
        const std::size_t shim = isGre ? GetGreHeaderSize(payload, size) : 0;
        if ((isGre && shim == 0) || size < shim + IPV4_HEADER_SIZE)
        {
            break;
        }
        // RFC 791: version and IHL in byte 0, "more fragments" and the fragment offset in bytes 6
        // and 7, the protocol in byte 9, the addresses from byte 12.
        const uint8_t* inner = payload + shim;
        const std::size_t headerSize = std::size_t{4} * (inner[0] & 0x0fU);
        if (inner[0] >> 4 != 4 || headerSize < IPV4_HEADER_SIZE || shim + headerSize > size)
        {
            break;
        }
        key = {load_big_u32(inner + 12), load_big_u32(inner + 16), 0, 0, inner[9]};
        isFragment = (load_big_u16(inner + 6) & 0x3fff) != 0;
        payload += shim + headerSize;
        size -= shim + headerSize;
    }
    return AddPorts(key, isFragment, payload, size);
}

uint32_t
HashFlow(const FlowKey& key, uint32_t seed)
{
    const uint64_t addresses = (uint64_t{key.source} << 32) | key.destination;
    const uint64_t rest =
        (uint64_t{key.sourcePort} << 48) | (uint64_t{key.destinationPort} << 32) | key.protocol;
    return static_cast<uint32_t>(MixBits(MixBits(MixBits(seed) ^ addresses) ^ rest) >> 32);
}

} // namespace ns3::aidc
