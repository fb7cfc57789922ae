/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ROUTING_H
#define AIDC_FABRIC_ROUTING_H

#include "../model/core/fabric/fabric-table-builder.h"
#include "fabric-link-failures.h"
#include "fabric-path-bandwidths.h"

#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"
#include "ns3/next-hop-group.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::aidc
{

/// Writes the routes of a fabric to the forwarding tables of its switches, and of its hosts with
/// several links.
class FabricRouteInstaller
{
  public:
    /// Constructor. nodes: its nodes, which outlive this.
    FabricRouteInstaller(const FabricPlan& fabric, const NodeContainer& nodes);

    /**
     * @brief Set the routes of a node, and change only what differs from those that it has.
     *
     * If only weights differ, they are changed in place, so that selectors keep their state of
     * flows.
     *
     * @param id its id
     * @param table the routes
     */
    void Update(NodeIndex id, const FabricTable& table);

    /// Set the routes of a node again, because others may have replaced or removed them.
    void Rewrite(NodeIndex id);

  private:
    std::vector<NextHop> GetNextHops(NodeIndex id, const FabricTable& table, uint32_t group) const;

    const FabricPlan& m_fabric;                //!< the plan
    const NodeContainer& m_nodes;              //!< its nodes
    std::map<NodeIndex, FabricTable> m_tables; //!< the routes installed, by node
};

/// The routes of a fabric, computed from its plan, and again when a link has changed.
class FabricRouting
{
  public:
    /// The kinds of routes of switches.
    enum SwitchRoutes
    {
        SHORTEST_PATHS,  //!< all shortest paths, with equal weights
        PATH_BANDWIDTHS, //!< those that BGP would have, weighted by path bandwidth
        OWN_HOSTS        //!< those to a leaf's own hosts: a routing protocol sets the others
    };

    /// Constructor. fabric: the plan, which may change until Compute(), and outlives this; nodes:
    /// its nodes, which outlive this.
    FabricRouting(const FabricPlan& fabric, const NodeContainer& nodes);

    /// @param routes the kind of routes of the switches; set before Compute()
    void SetSwitchRoutes(SwitchRoutes routes);

    /// @return the kind of routes of the switches
    SwitchRoutes GetSwitchRoutes() const
    {
        return m_switchRoutes;
    }

    /// @param routes the kind of routes of hosts with several links; set before Compute()
    void SetHostRoutes(SwitchRoutes routes);

    /// @return the kind of routes of hosts with several links
    SwitchRoutes GetHostRoutes() const
    {
        return m_hostRoutes;
    }

    /// @param shares whether path bandwidths are those with the attribute ShareUplinks of
    ///        BgpSpeaker; set before Compute()
    void SetSharesUplinks(bool shares);

    /// @param converged called with a link that has changed, after the routes have; may be null
    void SetConvergedCallback(FabricLinkFailures::ConvergeCallback converged)
    {
        m_converged = std::move(converged);
    }

    /// Compute all routes, with all links up.
    void Compute();

    /// @return whether the routes are computed
    bool IsComputed() const
    {
        return m_routes != nullptr;
    }

    /// @return the routes, once they are computed
    const FabricRoutes& GetRoutes() const;

    /// @param id the id of a node of this process, which gets its routes
    void Install(NodeIndex id)
    {
        m_installer.Update(id, GetTable(id));
    }

    /// @param id the id of a switch, whose routes a routing protocol may have replaced; it gets
    ///           them again
    void Rewrite(NodeIndex id)
    {
        m_installer.Rewrite(id);
    }

    /// Compute the routes again after a change of a link, and install them.
    void Converge(LinkIndex link, bool isUp);

  private:
    /// @return the routes that the node should have
    FabricTable GetTable(NodeIndex id) const;

    const FabricPlan& m_fabric;                         //!< the plan
    SwitchRoutes m_switchRoutes{SHORTEST_PATHS};        //!< the kind of routes of the switches
    SwitchRoutes m_hostRoutes{SHORTEST_PATHS};          //!< that of hosts with several links
    bool m_sharesUplinks{false};                        //!< path bandwidths are shares of uplinks
    FabricLinkFailures::ConvergeCallback m_converged;   //!< called after new routes
    std::unique_ptr<FabricRoutes> m_routes;             //!< the routes
    std::unique_ptr<FabricPathBandwidths> m_bandwidths; //!< if they are in use
    FabricRouteInstaller m_installer;                   //!< sets the routes
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROUTING_H
