/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FABRIC_PATH_BANDWIDTHS_H
#define AIDC_FABRIC_PATH_BANDWIDTHS_H

#include "../model/core/bgp/path-bandwidth-policy.h"
#include "../model/core/bgp/path-bandwidth-topology.h"
#include "../model/core/fabric/fabric-next-hops.h"

#include "ns3/fabric-as-plan.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief Get the tier of a switch in BGP with path bandwidth.
/// @param tier its tier, not that of a host
/// @return its tier in BGP
PathBandwidthTier GetPathBandwidthTier(FabricTier tier);

/**
 * @ingroup aidc
 * @brief The next hops and weights of the switches of a FabricPlan by path bandwidth
 *        (draft-xu-idr-fare), computed from the topology. A BgpFabricHelper's speakers converge to
 *        the same.
 *
 * A leaf has the prefixes of its attachments. A host that has lost some of its leaves has a
 * separate prefix at the others.
 *
 * Cost: a search for each attachment, at each change. A switch keeps a few bytes for each
 * attachment, and each set of next hops once.
 */
class FabricPathBandwidths
{
  public:
    /// Constructor; all links are up, and nothing is computed.
    /// @param fabric a finished fabric, which must live as long as this object
    /// @throws std::invalid_argument if the plan has no AS numbers (see FabricAsPlan)
    explicit FabricPathBandwidths(const FabricPlan& fabric);

    /// No constructor from a fabric that will not live as long.
    explicit FabricPathBandwidths(FabricPlan&&) = delete;

    /// Compute all next hops.
    /// @param routes the routes, for the links that are up and the detached hosts
    /// @return the switches whose next hops have changed, ascending
    std::vector<NodeIndex> Update(const FabricRoutes& routes);

    /// @param node the switch
    /// @return the next hops of the switch, after Update()
    const FabricNextHops& GetNextHops(NodeIndex node) const
    {
        return m_nextHops[m_numbers[node]];
    }

  private:
    /// The groups of next hops of a switch by their numbers.
    using GroupNumbers = std::map<FabricNextHops::Group, uint32_t>;

    /// @param number the switch's number in the topology
    /// @param routes its routes to the prefix
    /// @param [in,out] nextHops its next hops, which get a group if it is new
    /// @param [in,out] groups its groups
    /// @return the route
    FabricNextHops::Way GetWay(uint32_t number,
                               const PathBandwidthRoutes& routes,
                               FabricNextHops& nextHops,
                               GroupNumbers& groups) const;

    const FabricPlan& m_fabric;                          //!< the plan
    PathBandwidthTopology m_topology;                    //!< switches, and links between them
    IndexedVector<NodeIndex, uint32_t> m_numbers;        //!< of switches in the topology
    std::vector<std::pair<LinkIndex, uint32_t>> m_links; //!< links, and their numbers in it
    std::vector<std::map<uint32_t, PortIndex>> m_ports;  //!< of each switch by numbers of links
    std::vector<FabricNextHops> m_nextHops;              //!< by number of the switch
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_PATH_BANDWIDTHS_H
