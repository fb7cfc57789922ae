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

    /// Compute how long a packet may wait, if one link of the path is congested.
    ///
    /// What waits for a link is the SharedBuffer of its switch. Where switches pause each other, a
    /// full buffer fills the one before it, so their buffers wait together. The result is the
    /// largest one of all switches, or of all groups of switches that pause each other. The bytes
    /// leave at the rate of the slowest link of these switches.
    /// @return the time; 0 without a SharedBuffer on the path
    Time GetLongestWait() const;
};

} // namespace ns3::aidc

#endif // AIDC_NETWORK_PATH_H
