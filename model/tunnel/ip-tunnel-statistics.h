/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_IP_TUNNEL_STATISTICS_H
#define AIDC_IP_TUNNEL_STATISTICS_H

#include "../core/tunnel/ip-tunnel-headers.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// The counters of an IpTunnelNetDevice. Octets are those of inner packets.
struct IpTunnelStatistics
{
    uint64_t sentPackets{0};     //!< packets that were encapsulated, fragments one by one
    uint64_t sentOctets{0};      //!< their octets
    uint64_t receivedPackets{0}; //!< packets that were decapsulated and not dropped
    uint64_t receivedOctets{0};  //!< their octets

    // At the entry
    uint64_t heldPackets{0};       //!< packets that the traffic controller has held
    uint64_t fragmentedPackets{0}; //!< packets that were too long, without DF
    uint64_t ect1Remarked{0};      //!< packets with ECT(1) that enter as ECT(0)

    // At the exit
    uint64_t lightMarks{0};      //!< packets that arrived with a light mark
    uint64_t severeMarks{0};     //!< packets with an outer CE and an inner ECT(0) or ECT(1)
    uint64_t possibleAlarms{0};  //!< alarms (!) of RFC 6040
    uint64_t dangerousAlarms{0}; //!< alarms (!!!) of RFC 6040, dropped packets included

    // Paths
    uint64_t keepalivesSent{0};     //!< keepalives
    uint64_t keepalivesReturned{0}; //!< keepalives that have returned
    uint64_t pathsFailed{0};        //!< times that a path has gone down
    uint64_t pathsRestored{0};      //!< times that a path has come up again
    uint64_t mtusLowered{0};        //!< times that a router has told a smaller MTU

    // Packets that were dropped at the entry
    uint64_t refusedEct1{0}; //!< with ECT(1), which the domain does not let in
    uint64_t tooLong{0};     //!< with DF, for the path's MTU; the source gets an ICMP message
    uint64_t noPath{0};      //!< while no path was up
    uint64_t recursive{0};   //!< whose outer header leads into a tunnel of this node again
    uint64_t unsupported{0}; //!< not IPv4, or with options

    // Packets that were dropped at the exit
    uint64_t ecnDrops{0}; //!< not ECN-capable and marked with CE
    std::array<uint64_t, static_cast<std::size_t>(InnerHeaderResult::N_RESULTS)>
        malformed{}; //!< by reason; InnerHeaderResult::OK stays 0
};

/// @ingroup aidc
/// The counters of an IpTunnelEndpoint: packets that belong to none of its tunnels.
struct IpTunnelEndpointStatistics
{
    uint64_t unknownPeers{0}; //!< dropped: from no known peer
    uint64_t tooDeep{0};      //!< dropped: tunnels in tunnels that all end here
    uint64_t mixedEcn{0};     //!< dropped: reassembled from fragments with CE and with Not-ECT
    /// Messages "fragmentation needed" that lower no MTU of a tunnel: forged or superfluous ones.
    uint64_t ignoredTooLong{0};
};

} // namespace ns3::aidc

#endif // AIDC_IP_TUNNEL_STATISTICS_H
