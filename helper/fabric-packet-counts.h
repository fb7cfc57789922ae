/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_PACKET_COUNTS_H
#define AIDC_FABRIC_PACKET_COUNTS_H

#include "ns3/net-device.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The packets of the ports of a network, of hosts and of switches.
 */
struct FabricPacketCounts
{
    /// Packets whose sending over a link has begun: packet-hops. A packet counts once for each link
    /// of its path, that of its host included. MAC control (PAUSE, PFC) does not count.
    uint64_t sent{0};
    uint64_t dropped{0}; //!< packets dropped by root queue discs
    uint64_t marked{0};  //!< packets marked by root queue discs

    /// Add the packets of a port so far.
    /// @param device the port, of EthernetNetDevice or PointToPointNetDevice; others send nothing
    void Add(Ptr<NetDevice> device);

    /// @return the sums over all ranks (MpiRanks), each of which asks at the same point
    FabricPacketCounts GetSumOverRanks() const;
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_PACKET_COUNTS_H
