/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_ROUTE_INSTALLER_H
#define AIDC_WAN_ROUTE_INSTALLER_H

#include "../model/core/fabric/wan-routes.h"

#include "ns3/fabric-plan.h"
#include "ns3/ipv4-address.h"
#include "ns3/next-hop-selector.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/wan-plan.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// A link between a provider edge router (PE) and a border switch of its data center.
struct WanBorderLink
{
    NodeIndex edge;              //!< the PE, in the WanPlan
    NodeIndex border;            //!< the switch, in its FabricPlan
    uint32_t edgeInterface{0};   //!< the IPv4 interface of the PE; 0 of another process
    uint32_t borderInterface{0}; //!< the IPv4 interface of the switch; 0 of another process
};

/**
 * @brief Writes the routes between data centers to forwarding tables.
 *
 * A switch of a data center has a route to each other data center: to all neighbors that are fewer
 * links from a PE. Its paths have no valleys: in a Clos network with PEs at the top tier, these
 * neighbors are above the switch. A router has a route to the address of each other router and, if
 * it is to know the data centers, one to each data center: to the closest of its PEs, or to all
 * that are equally close. Of several processes (MpiProcesses), each one sets the routes of its own
 * nodes. A PE has no route to a core router by a drained link: only paths of tunnels by way of this
 * router would take it.
 */
class WanRouteInstaller
{
  public:
    /// Constructor. routers: its routers; both outlive this; coreKnowsAidcs: whether routers have
    /// routes to the data center behind other routers.
    WanRouteInstaller(const WanPlan& plan, const NodeContainer& routers, bool coreKnowsAidcs);

    /// Get the distances of switches from PEs.
    /// @param fabric the plan of a data center
    /// @param links the links between its border switches and PEs
    /// @return by node, the number of links to the closest PE; the largest number for hosts
    static IndexedVector<NodeIndex, uint32_t> GetDistances(const FabricPlan& fabric,
                                                           const std::vector<WanBorderLink>& links);

    /// Set the routes of a data center's switches to the others, and its PEs' routes to it. nodes:
    /// gives the node of each switch; links: the links between its border switches and PEs.
    void InstallAidc(uint32_t site,
                     const FabricPlan& fabric,
                     const NodeContainer& nodes,
                     const std::vector<WanBorderLink>& links);

    /// Set the number of addresses of a PE, to which routers have routes from Update() on.
    /// @param n the number, 1 by default
    void SetNEdgeAddresses(uint32_t n)
    {
        m_nEdgeAddresses = n;
    }

    /// @return the number of addresses of a PE
    uint32_t GetNEdgeAddresses() const
    {
        return m_nEdgeAddresses;
    }

    /// Set the routes of all routers. Routes that stay the same are not touched.
    void Update(const WanRoutes& routes);

  private:
    /// A prefix, by network and length.
    using Prefix = std::pair<uint32_t, uint8_t>;

    std::map<Prefix, std::vector<PortIndex>> GetRoutesOf(const WanRoutes& routes,
                                                         NodeIndex router) const;

    /// Get the ports of a router towards a data center. @return the ports to its closest PEs, none
    /// if there is no path
    std::vector<PortIndex> GetPortsToAidc(const WanRoutes& routes,
                                          NodeIndex router,
                                          uint32_t site) const;

    const WanPlan& m_plan;          //!< the plan
    const NodeContainer& m_routers; //!< its routers
    bool m_coreKnowsAidcs;          //!< whether routers know all data centers
    uint32_t m_nEdgeAddresses{1};   //!< SetNEdgeAddresses()
    /// The routes installed, by router and prefix.
    std::vector<std::map<Prefix, std::vector<PortIndex>>> m_installed;
};

} // namespace ns3::aidc

#endif // AIDC_WAN_ROUTE_INSTALLER_H
