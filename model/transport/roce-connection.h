/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_CONNECTION_H
#define AIDC_ROCE_CONNECTION_H

#include "../core/transport/roce-bytes.h"

#include "ns3/flow-key.h"
#include "ns3/nstime.h"
#include "ns3/protocol-numbers.h"

#include <cstdint>

namespace ns3::aidc
{

/// The delays of the path from a queue pair to its peer and back, as far as they are known.
struct RocePath
{
    /// @param rtt the round-trip time of a packet and its acknowledgment on the idle path; 0 if it
    ///        is not known
    /// @param wait how long packets wait in the full buffer of a switch on the way; 0 if it is not
    ///        known
    /// @param slowest rate of the slowest link in bit/s; 0 if it is not known
    /// @param pauses whether all switches pause each other, so that packets wait instead of being
    /// lost
    RocePath(Time rtt = Time(), // converts from a time
             Time wait = Time(),
             uint64_t slowest = 0,
             bool pauses = false)
        : baseRtt(rtt),
          queueing(wait),
          rate(slowest),
          isLossless(pauses)
    {
    }

    Time baseRtt;    //!< round-trip time of the idle path, 0 if it is not known
    Time queueing;   //!< how long a full buffer keeps packets, 0 if it is not known
    uint64_t rate;   //!< of the slowest link in bit/s, 0 if it is not known
    bool isLossless; //!< whether all switches on it pause each other
    /// The longest pause that comes from links that it does not have, 0 if none is known. Only
    /// timeouts count it: in a pause, nothing is sent that would need a larger window.
    Time pause;
};

/// The properties of a connection that are fixed when it is set up.
struct RoceConnection
{
    uint32_t localAddress{0};  //!< IPv4 address, host byte order
    uint32_t remoteAddress{0}; //!< IPv4 address, host byte order
    uint32_t localQp{0};       //!< the number of this queue pair
    uint32_t remoteQp{0};      //!< the number of the peer's queue pair
    uint32_t firstPsn{0};      //!< packet sequence number of the first packet in this direction
    uint32_t remotePsn{0};     //!< the same in the other direction
    uint64_t lineRate{0};      //!< rate of the port, bit/s
    uint8_t dscp{26};          //!< differentiated services codepoint of all but CNPs
    uint8_t trafficClass{0};   //!< the class of that codepoint

    /// @return the flow of the packets in this direction
    FlowKey GetFlow() const
    {
        FlowKey flow;
        flow.source = localAddress;
        flow.destination = remoteAddress;
        flow.sourcePort = GetRoceSourcePort(localQp, remoteQp);
        flow.destinationPort = ROCE_UDP_PORT;
        flow.protocol = PROTOCOL_UDP;
        return flow;
    }
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_CONNECTION_H
