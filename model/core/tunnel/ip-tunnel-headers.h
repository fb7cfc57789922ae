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

/// The result of checking a shim and an inner header from the wire.
enum class InnerHeaderResult : uint8_t
{
    OK,                //!< a valid header
    TRUNCATED,         //!< the header, or the packet by its length, is not complete
    NOT_IPV4,          //!< its version is not 4, or the shim has another payload
    BAD_HEADER_LENGTH, //!< its header length is below 5 words
    BAD_LENGTH,        //!< its total length is below its header length
    BAD_CHECKSUM,      //!< its checksum is wrong
    BAD_SHIM,          //!< the version or the flags of the shim are not those of the tunnel
    OTHER_NETWORK,     //!< the shim has another key or VNI
    N_RESULTS          //!< how many there are
};

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

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_HEADERS_H
