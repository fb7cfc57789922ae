/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NETWORK_PATH_H
#define AIDC_NETWORK_PATH_H

#include "../model/core/fabric/fabric-elements.h"

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A path between two hosts of a network that a helper has built.
 */
struct NetworkPath
{
    std::vector<FabricLink> links;        //!< the links, from the source to the destination
    std::vector<Ptr<NetDevice>> arrivals; //!< the device by which packets of each link arrive

    /// Compute the longest wait of a packet if one link of the path is congested.
    ///
    /// The bytes that wait for a link may fill the SharedBuffer of its switch. If switches pause
    /// each other, a full buffer fills the one before it, so that the bytes of all these buffers
    /// wait. They leave at the rate of the slowest link of these switches. The result is the
    /// largest time of all switches, or of all groups of switches that pause each other.
    ///
    /// Of several ranks (MpiRanks), each one calls it at the same point, and gets the same.
    /// @return the time; 0 without a SharedBuffer on the path
    Time GetLongestWait() const;

    /// Compute the longest waits of several paths at once, as GetLongestWait() does.
    /// @param paths the paths
    /// @return the times
    static std::vector<Time> GetLongestWaits(const std::vector<NetworkPath>& paths);
};

} // namespace ns3::aidc

#endif // AIDC_NETWORK_PATH_H
