/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_FRAMES_H
#define AIDC_IP_TUNNEL_FRAMES_H

#include "../core/tunnel/ip-tunnel-headers.h"
#include "../core/tunnel/tunnel-ecn.h"
#include "ip-tunnel-endpoint.h"

#include "ns3/ethernet-frame.h"
#include "ns3/flow-key.h"
#include "ns3/ipv4-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <vector>

/// @file
/// Encapsulation, decapsulation, fragments and keepalives of a tunnel.

namespace ns3::aidc
{

/// A packet that has left a tunnel.
struct IpTunnelArrival
{
    FlowKey flow;                       //!< its flow
    EcnCodepoint inner{};               //!< the inner header's codepoint, as it has arrived
    EcnCodepoint outer{};               //!< the outer header's codepoint
    const TunnelEcnCell* cell{nullptr}; //!< RFC 6040's rule for both
    uint32_t size{0};                   //!< bytes with the inner header
};

/**
 * @brief Give a packet outer headers.
 * @param [in,out] frame the packet, its inner header parsed; the outermost header is parsed
 *        afterwards
 * @param local the source of the outer headers
 * @param destinations their destinations, the innermost first
 * @param rules how headers are treated
 * @param [in,out] endpoint numbers outer headers
 */
void Encapsulate(EthernetFrame& frame,
                 Ipv4Address local,
                 const std::vector<uint32_t>& destinations,
                 const IpTunnelRules& rules,
                 IpTunnelEndpoint& endpoint);

/**
 * @brief Remove the outer header of a packet.
 * @param [in,out] frame the packet, its outer header parsed. The inner header is parsed
 *        afterwards, unless it has options. If the packet is malformed, or to be dropped by RFC
 *        6040, it begins with the shim or the inner header as it has arrived.
 * @param rules how headers are treated
 * @param [out] arrival the contents of the headers, if the result is OK
 * @return OK, or what is wrong with the shim or the inner header
 */
InnerHeaderResult Decapsulate(EthernetFrame& frame,
                              const IpTunnelRules& rules,
                              IpTunnelArrival& arrival);

/// Fragment a packet before it is encapsulated.
/// @param frame the packet, its header parsed
/// @param mtu the longest fragment in bytes
/// @return its fragments
std::vector<EthernetFrame> MakeFragments(const EthernetFrame& frame, uint32_t mtu);

/**
 * @brief Make a keepalive, before it is encapsulated.
 * @param local the address to which it returns
 * @param remote the other end, which sends it back
 * @param path the index of its path
 * @param tos its type of service
 * @param ttl its time to live
 * @return the keepalive
 */
EthernetFrame MakeKeepalive(Ipv4Address local,
                            Ipv4Address remote,
                            uint32_t path,
                            uint8_t tos,
                            uint8_t ttl);

/// Read a keepalive that has returned.
/// @param packet the bytes after its IPv4 header
/// @return the index of its path, if it has one
std::optional<uint32_t> ReadKeepalive(const Packet& packet);

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_FRAMES_H
