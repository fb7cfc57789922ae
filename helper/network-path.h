// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_NETWORK_PATH_H
#define AIDC_NETWORK_PATH_H

#include "../model/core/fabric/fabric-elements.h"

#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// How packets may wait on a path.
struct PathWait
{
    Time longest; //!< the longest wait if one link is congested; 0 without a SharedBuffer
    /// Whether all switches pause the one before, so that none drops packets
    bool isLossless{false};
};

/// A path between two hosts of a network that a helper has built.
struct NetworkPath
{
    std::vector<FabricLink> links;        //!< the links, from the source to the destination
    std::vector<Ptr<NetDevice>> arrivals; //!< the device by which packets of each link arrive
    uint32_t nEdges{1};                   //!< PEs that share the links of a WAN, if it has some
    std::size_t entry{0}; //!< which arrival is at the PE where it enters the WAN, if it has some

    /// Compute the longest wait of a packet if one link of the path is congested.
    ///
    /// The bytes that wait for a link may fill the SharedBuffer of its switch. If switches pause
    /// each other, a full buffer fills the one before it, so that the bytes of all these buffers
    /// wait. They leave at the rate of the congested link; a slower link that leads to these
    /// switches does not delay them. The result is the largest time of all links.
    ///
    /// A PE that limits rates (IngressEdgeController) holds packets back for a congested link of
    /// the WAN, as a pause would: what waits there, and in the switches that it pauses, leaves at
    /// the part of that link's rate that this PE has, and then waits for the link.
    ///
    /// With several processes (MpiProcesses), each one calls it at the same point, and gets the
    /// same.
    /// @return the wait
    PathWait GetWait() const;

    /// Compute the waits of several paths at once, as GetWait() does.
    static std::vector<PathWait> GetWaits(const std::vector<NetworkPath>& paths);
};

} // namespace ns3::aidc

#endif // AIDC_NETWORK_PATH_H
