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
 * Octets are those of frames from the destination address to the frame check sequence, both
 * included. MAC control is in the octets only (RFC 3635, section 3.2), and in outFrames, which is
 * no counter of these. A frame that has arrived is in exactly one of the other counters, but for
 * inUnknownProtocols.
 */
struct EthernetPortStatistics
{
    // What a transit packet touches comes first.
    uint64_t inOctets{0};         //!< ifHCInOctets: octets of all frames without errors
    uint64_t inUnicastFrames{0};  //!< ifHCInUcastPkts: those to one address, delivered
    uint64_t outOctets{0};        //!< ifHCOutOctets: octets of frames whose sending has begun
    uint64_t outFrames{0};        //!< frames whose sending has begun, MAC control among them
    uint64_t outUnicastFrames{0}; //!< ifHCOutUcastPkts: those to one address, sent or not

    uint64_t inMulticastFrames{0};  //!< ifHCInMulticastPkts: those to a group, delivered
    uint64_t inBroadcastFrames{0};  //!< ifHCInBroadcastPkts: those to all, delivered
    uint64_t inErrors{0};           //!< ifInErrors: corrupted, too long, shorter than an Ethernet
                                    //!< frame, or with a malformed header
    uint64_t inDiscards{0};         //!< ifInDiscards: for another VLAN, or refused by a tag's rules
    uint64_t inOtherHosts{0};       //!< those to another station that no handler takes
    uint64_t inUnknownProtocols{0}; //!< ifInUnknownProtos: of the delivered ones, those that nobody
                                    //!< in the node takes
    uint64_t inLost{0};             //!< frames that were on the link when it failed, or sent since
    uint64_t outMulticastFrames{0}; //!< ifHCOutMulticastPkts: those to a group, sent or not
    uint64_t outBroadcastFrames{0}; //!< ifHCOutBroadcastPkts: those to all, sent or not
    uint64_t outDiscards{0};        //!< ifOutDiscards: refused while the link is down or the
                                    //!< device's own queue is full
    uint64_t outErrors{0};          //!< ifOutErrors: longer than the MTU, or a protocol number
                                    //!< that is no EtherType
    uint64_t outLost{0};            //!< of the discarded ones, those refused while the link is down
};

} // namespace ns3::aidc

#endif // AIDC_ETHERNET_PORT_STATISTICS_H
