// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FLOW_KEY_H
#define AIDC_FLOW_KEY_H

#include "protocol-numbers.h"

#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// What the packets of a flow have in common: the five-tuple, in host byte order.
///
/// Without ports, which are 0 then, it is the three-tuple.
struct FlowKey
{
    uint32_t source{0};          //!< IPv4 source address
    uint32_t destination{0};     //!< IPv4 destination address
    uint16_t sourcePort{0};      //!< source port, 0 without ports
    uint16_t destinationPort{0}; //!< destination port, 0 without ports
    uint8_t protocol{0};         //!< IP protocol number
};

/// @param a a key @param b another key @return whether all fields are equal
bool operator==(const FlowKey& a, const FlowKey& b);

/// @param a a key @param b another key
/// @return whether a comes before b, by the fields in the order of declaration
bool operator<(const FlowKey& a, const FlowKey& b);

/// @param key a flow
/// @return the flow of the opposite direction
inline FlowKey
ReverseFlow(const FlowKey& key)
{
    return {key.destination, key.source, key.destinationPort, key.sourcePort, key.protocol};
}

/// The most bytes after an IPv4 header that DecodeFlowKey looks at.
///
/// The bytes of five headers of tunnels in tunnels, without options, of a header of GRE with a key,
/// and 4 bytes of ports.
constexpr std::size_t FLOW_KEY_MAX_BYTES = 112;

/// Tell whether DecodeFlowKey looks for the flow after headers of tunnels.
/// @param protocol IP protocol number
/// @return true for IP in IP and GRE
constexpr bool
HasInnerFlow(uint8_t protocol)
{
    return protocol == PROTOCOL_IP_IN_IP || protocol == PROTOCOL_GRE;
}

/// Read a packet's flow key.
///
/// The ports are read of TCP, UDP (also below RoCEv2), DCCP, SCTP and UDP-Lite, which all begin
/// with them. A fragment has its three-tuple, the first one too: the others have no ports, and a
/// datagram's fragments shall take one path.
///
/// IP in IP (RFC 2003) and IPv4 in GRE (RFC 2784) have the key of the inner packet, by the same
/// rules, so that the flows in a tunnel can be told apart; a tunnel in a tunnel has the key of the
/// innermost packet that can be seen. VXLAN has the key of its outer header, as its source port is
/// a hash of the inner flow (RFC 7348, section 5). An inner header must be whole, and its version
/// and IHL are checked; its total length and its checksum are not.
///
/// Everything else, and what is too short, falls back to what is there: the three-tuple. Bytes from
/// FLOW_KEY_MAX_BYTES on change nothing.
/// @param source IPv4 source address of the packet, host byte order
/// @param destination IPv4 destination address, host byte order
/// @param protocol IP protocol number
/// @param isFragment whether the packet is a fragment, be it the first one
/// @param payload what follows the IPv4 header; may be null if size is 0
/// @param size the bytes that may be read there
/// @return the key
FlowKey DecodeFlowKey(uint32_t source,
                      uint32_t destination,
                      uint8_t protocol,
                      bool isFragment,
                      const uint8_t* payload,
                      std::size_t size);

/// Hash a flow key.
///
/// The same on every platform. Each bit of the key and of the seed changes about half of the bits
/// of the result, so that every range of its bits may be used alone; different seeds give
/// independent hashes. Switches need different seeds, or the traffic polarises: a switch that
/// receives what another one has chosen by a hash finds all of it at the same hashes.
/// @param key the key
/// @param seed the switch's seed
/// @return the hash
uint32_t HashFlow(const FlowKey& key, uint32_t seed);

/// Hashes the keys of a container, the same in each run.
struct FlowKeyHash
{
    /// @return the hash of a key
    std::size_t operator()(const FlowKey& key) const
    {
        return HashFlow(key, 0);
    }
};

/// Choose one of n members by a hash.
///
/// The members divide the hashes into contiguous regions (hash-threshold, RFC 2992) that differ in
/// size by at most one hash of 2^32. It is the upper bits that decide.
/// @param hash the hash
/// @param n the number of members, at least 1
/// @return the member, from 0 to n - 1
constexpr uint32_t
PickMember(uint32_t hash, uint32_t n)
{
    return static_cast<uint32_t>((uint64_t{hash} * n) >> 32);
}

} // namespace ns3::aidc

#endif // AIDC_FLOW_KEY_H
