/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ROUTE_INSTALLER_H
#define AIDC_FABRIC_ROUTE_INSTALLER_H

#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"
#include "ns3/next-hop-selector.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <map>
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

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROUTE_INSTALLER_H
