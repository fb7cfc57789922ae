/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ETHERNET_PORT_STATISTICS_H
#define AIDC_ETHERNET_PORT_STATISTICS_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The counters of an Ethernet port, named for those of RFC 2863 (ifTable, ifXTable) and
 *        RFC 3635 (their meaning for Ethernet).
 *
 * A frame's octets are those from the destination address to the frame check sequence, both
 * included. MAC control frames count in the octets (RFC 3635, section 3.2), in outControlFrames,
 * and in outFrames, which these RFCs do not have; in no other counter. Any other frame that has
 * arrived counts once in the counters whose names begin with "in", beside inOctets;
 * inUnknownProtocols counts some of the delivered ones again.
 */
struct EthernetPortStatistics
{
    // What a transit packet touches comes first.
    uint64_t inOctets{0};         //!< ifHCInOctets: octets of all frames without errors
    uint64_t inUnicastFrames{0};  //!< ifHCInUcastPkts: unicast frames, delivered
    uint64_t outOctets{0};        //!< ifHCOutOctets: octets of frames whose sending has begun
    uint64_t outFrames{0};        //!< frames whose sending has begun, MAC control among them
    uint64_t outUnicastFrames{0}; //!< ifHCOutUcastPkts: unicast frames, sent or not

    uint64_t inMulticastFrames{0};  //!< ifHCInMulticastPkts: multicast frames, delivered
    uint64_t inBroadcastFrames{0};  //!< ifHCInBroadcastPkts: broadcast frames, delivered
    uint64_t inErrors{0};           //!< ifInErrors: corrupted, too long, shorter than an Ethernet
                                    //!< frame, or with a malformed header
    uint64_t inDiscards{0};         //!< ifInDiscards: for another VLAN, or refused by a tag's rules
    uint64_t inOtherHosts{0};       //!< unicast frames to another station, not handled
    uint64_t inUnknownProtocols{0}; //!< ifInUnknownProtos: delivered frames without a receiver in
                                    //!< the node
    uint64_t inLost{0};             //!< frames that were on the link when it failed, or sent since
    uint64_t outControlFrames{0};   //!< dot3HCOutPauseFrames: MAC control whose sending has begun
    uint64_t outMulticastFrames{0}; //!< ifHCOutMulticastPkts: multicast frames, sent or not
    uint64_t outBroadcastFrames{0}; //!< ifHCOutBroadcastPkts: broadcast frames, sent or not
    uint64_t outDiscards{0};        //!< ifOutDiscards: refused while the link is down or the
                                    //!< device's own queue is full
    uint64_t outErrors{0};          //!< ifOutErrors: longer than the MTU, or a protocol number
                                    //!< that is no EtherType
    uint64_t outLost{0};            //!< of outDiscards: refused while the link is down

    /// Get what the frames whose sending has begun occupy on the wire.
    /// @param overhead octets of a frame besides its own (EthernetNetDevice::GetOverhead())
    /// @return octets
    uint64_t GetWireOctets(uint64_t overhead) const
    {
        return outOctets + outFrames * overhead;
    }
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_STATISTICS_H
