/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_HEADERS_H
#define AIDC_IP_TUNNEL_HEADERS_H

#include "../ipv4-bytes.h"
#include "tunnel-ecn.h"
#include "tunnel-shim.h"

#include "ns3/flow-key.h"
#include "ns3/protocol-numbers.h"

#include <cstddef>
#include <cstdint>

/// @file
/// The IPv4 headers of tunnels (RFC 2003), as a tunnel's ends read and write them.

namespace ns3::aidc
{

/// How the ends of a tunnel treat headers.
struct IpTunnelRules
{
    /// How inner and outer fields depend on each other (RFC 3443 for the TTL, RFC 2983 for the
    /// DSCP).
    enum FieldModel : uint8_t
    {
        UNIFORM, //!< the tunnel is part of the path: both headers have the same field
        PIPE     //!< the tunnel is one hop: each header has its own field
    };

    TunnelEcn::Ingress ingress{TunnelEcn::NORMAL}; //!< ECN at the entry
    TunnelEcn::Egress egress{TunnelEcn::RFC_6040}; //!< ECN at the exit
    FieldModel ttlModel{PIPE};                     //!< the TTL
    FieldModel dscpModel{UNIFORM};                 //!< the DSCP
    uint8_t ttl{64};                               //!< the outer TTL, if it is not the inner one
    uint8_t dscp{0};                               //!< the outer DSCP, if it is not the inner one
    bool hasChecksums{false}; //!< whether headers have checksums; the field is 0 otherwise
    TunnelShim shim;          //!< what is between the innermost outer header and the inner one
};

/**
 * @brief Write an outer header.
 *
 * Its DF is the inner one's (RFC 2003, section 3.1). Its identification is 0 with DF (RFC 6864).
 *
 * @param inner the inner header
 * @param source its source, host byte order
 * @param destination its destination, host byte order
 * @param identification its identification without DF
 * @param rules how the tunnel treats headers
 * @param shimSize the bytes between it and the inner header
 * @param protocol what follows it
 * @return the header
 */
Ipv4Bytes MakeOuterHeader(const Ipv4Bytes& inner,
                          uint32_t source,
                          uint32_t destination,
                          uint16_t identification,
                          const IpTunnelRules& rules,
                          std::size_t shimSize = 0,
                          uint8_t protocol = PROTOCOL_IP_IN_IP);

/// The bytes of a keepalive: its header, followed by the index of its path.
constexpr uint32_t IP_TUNNEL_KEEPALIVE_SIZE = IPV4_HEADER_SIZE + sizeof(uint32_t);

/// The most bytes of an IPv4 header.
constexpr std::size_t IPV4_MAX_HEADER = 60;

/// Check an inner header.
/// @param bytes the inner packet's first bytes; may be null if size is 0
/// @param size the number of readable bytes: all of the packet, or at least IPV4_MAX_HEADER
/// @param packetSize the bytes of the inner packet, with any bytes after it
/// @param hasChecksum whether it has a checksum
/// @return OK, or what is wrong
InnerHeaderResult CheckInnerHeader(const uint8_t* bytes,
                                   std::size_t size,
                                   std::size_t packetSize,
                                   bool hasChecksum);

/**
 * @brief Treat an inner header as the exit of a tunnel does.
 * @param [in,out] inner a header that is OK; its ECN field, DSCP, TTL and checksum are changed
 * @param outerTos the outer header's type of service
 * @param outerTtl the outer header's TTL, as it has arrived
 * @param rules how the tunnel treats headers
 * @return RFC 6040's rule; the header is unchanged if the packet is to be dropped
 */
const TunnelEcnCell& OpenInnerHeader(uint8_t* inner,
                                     uint8_t outerTos,
                                     uint8_t outerTtl,
                                     const IpTunnelRules& rules);

/// The most outer headers that a packet may have.
constexpr uint32_t MAX_TUNNEL_HEADERS = 8;

/// The most bytes after an outermost header that FindTunneledFlow reads: the longest headers, the
/// shim of a tunnel, and the ports.
constexpr std::size_t TUNNELED_FLOW_MAX_BYTES = 60 * MAX_TUNNEL_HEADERS + MAX_TUNNEL_SHIM + 4;

/// The result of a search for the flow in a tunnel packet.
enum class TunneledFlowResult : uint8_t
{
    OK,           //!< found
    NOT_TUNNELED, //!< the packet is neither IP in IP, nor GRE or VXLAN with IPv4
    MALFORMED,    //!< an inner header is incomplete, not IPv4, or in another fragment
    TOO_DEEP,     //!< there are more headers than MAX_TUNNEL_HEADERS
};

/**
 * @brief Find the flow of a tunnel packet's innermost header.
 *
 * A packet may have several outer headers: the tunnel's, and one for each waypoint of its path. The
 * innermost header is the one that the ingress PE has encapsulated. Its key is from DecodeFlowKey,
 * as at the PE. The function checks the version and IHL of inner headers, and that these headers
 * are complete, but neither total lengths nor checksums.
 *
 * A header of IP in IP is always an outer one. A header of GRE or VXLAN is one if its source is
 * that of the outermost header, as a PE is the source of all outer headers. Otherwise it is a
 * tunnel of somebody else, which the PE has taken for a flow.
 *
 * @param source source address of the outermost header, host byte order
 * @param protocol IP protocol number of the outermost header
 * @param fragment flags and fragment offset of the outermost header, its bytes 6 and 7
 * @param payload the bytes after the outermost header; may be null if size is 0
 * @param size the number of readable bytes
 * @param [out] flow the key of the innermost header, unchanged unless the result is OK
 * @param [in,out] egress the destination of the outermost header; if the result is OK, afterwards
 *        the destination of the innermost outer header, where the tunnel ends
 * @param [out] offset if not null and the result is OK, where the innermost header is in the bytes
 * @return OK, or why there is none
 */
TunneledFlowResult FindTunneledFlow(uint32_t source,
                                    uint8_t protocol,
                                    uint16_t fragment,
                                    const uint8_t* payload,
                                    std::size_t size,
                                    FlowKey& flow,
                                    uint32_t& egress,
                                    std::size_t* offset = nullptr);

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_HEADERS_H
