/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_ROUTE_INSTALLER_H
#define AIDC_FABRIC_ROUTE_INSTALLER_H

#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <map>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Brings the routes of a fabric into the forwarding tables of its switches, and of its hosts
 * with several links.
 */
class FabricRouteInstaller
{
  public:
    /**
     * @brief Constructor
     * @param fabric the plan
     * @param nodes its nodes, which outlive this
     */
    FabricRouteInstaller(const FabricPlan& fabric, const NodeContainer& nodes);

    /**
     * @brief Set the routes of a node, and change only what differs from those that it has.
     * @param id its id
     * @param routes the routes of the fabric
     */
    void Update(NodeIndex id, const FabricRoutes& routes);

  private:
    const FabricPlan& m_fabric;                //!< the plan
    const NodeContainer& m_nodes;              //!< its nodes
    std::map<NodeIndex, FabricTable> m_tables; //!< the routes installed, by node
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_ROUTE_INSTALLER_H
