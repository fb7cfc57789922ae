/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_BORDER_H
#define AIDC_WAN_BORDER_H

#include "fabric-helper.h"
#include "network-path.h"
#include "wan-route-installer.h"

#include "ns3/fabric-plan.h"
#include "ns3/net-device-container.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// The links between a data center and its provider edge routers (PEs): each PE has a link to each
/// border switch.
class WanBorder
{
  public:
    /// Choose the border switches.
    /// @param switches the switches; none for the switches of the top tier
    void SetSwitches(const std::vector<NodeIndex>& switches)
    {
        m_switches = switches;
    }

    /// Make the links.
    /// @param aidc the data center, which is built; outlives this
    /// @param edges the PEs
    /// @param routers the routers of the WAN
    /// @param rate the rate of a link in bit/s
    /// @param delay its one-way propagation delay
    void Build(const FabricHelper& aidc,
               const std::vector<NodeIndex>& edges,
               const NodeContainer& routers,
               uint64_t rate,
               Time delay);

    /// @param edge a router
    /// @return its ports to the data center, in the order of the border switches
    NetDeviceContainer GetPorts(NodeIndex edge) const;

    /// @return the links, once both ends have their IPv4 interfaces
    std::vector<WanBorderLink> GetLinks() const;

    /// @param host a host of the data center
    /// @return a shortest path to the first PE
    NetworkPath GetPathToEdge(NodeIndex host) const;

    /// @param host a host of the data center
    /// @return the same path in the other direction
    NetworkPath GetPathFromEdge(NodeIndex host) const;

  private:
    /// A link.
    struct Link
    {
        NodeIndex edge;      //!< the PE
        NodeIndex border;    //!< the border switch
        Ptr<NetDevice> port; //!< the port of the PE
    };

    std::vector<NodeIndex> m_switches;   //!< the border switches
    const FabricHelper* m_aidc{nullptr}; //!< the data center
    FabricLink m_link;                   //!< the rate and the delay of each link
    std::vector<Link> m_links;           //!< the links, by PE and switch
};

} // namespace ns3::aidc

#endif // AIDC_WAN_BORDER_H
