// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FABRIC_PATH_BANDWIDTHS_H
#define AIDC_FABRIC_PATH_BANDWIDTHS_H

#include "../model/core/fare/path-bandwidth-policy.h"
#include "../model/core/fare/path-bandwidth-topology.h"

#include "ns3/fabric-plan.h"
#include "ns3/fabric-routes.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::aidc
{

/// Get the tier of a switch or host in BGP with path bandwidth. @return its tier in BGP
PathBandwidthTier GetPathBandwidthTier(FabricTier tier);

/// How path bandwidths are computed.
struct FabricPathBandwidthSettings
{
    bool sharesUplinks{false}; //!< nodes below are told their share of the routes from above
    bool hasHosts{false};      //!< hosts with several links have weights, too
};

/// The next hops and weights of the switches of a FabricPlan by path bandwidth (draft-xu-idr-fare),
/// computed from the topology. A BgpFabricHelper's speakers converge to the same result.
///
/// Hosts with several links may have next hops and weights, too; packets do not pass through them.
/// A leaf has the prefixes of its attachments. A host that has lost some of its leaves has a
/// separate prefix at the others.
///
/// Cost: a search for each attachment, at each change. A switch keeps a few bytes for each
/// attachment, and each set of next hops once.
class FabricPathBandwidths
{
  public:
    /// All links are up, and nothing is computed. fabric: finished; outlives this.
    /// @throws std::invalid_argument if the plan has no AS numbers (see FabricAsPlan)
    explicit FabricPathBandwidths(const FabricPlan& fabric,
                                  const FabricPathBandwidthSettings& settings = {});

    /// No constructor from a fabric that will not live as long.
    explicit FabricPathBandwidths(FabricPlan&&, const FabricPathBandwidthSettings& = {}) = delete;

    /// Compute all next hops. @param routes the routes, for the links that are up and the detached
    /// hosts @return the switches and hosts whose next hops have changed, ascending
    std::vector<NodeIndex> Update(const FabricRoutes& routes);

    /// @param node the switch, or host that has weights @return its next hops, after Update()
    const FabricNextHops& GetNextHops(NodeIndex node) const
    {
        return m_nextHops[m_numbers[node]];
    }

  private:
    /// The groups of next hops of a switch by their numbers.
    using GroupNumbers = std::map<FabricNextHops::Group, uint32_t>;

    /// nextHops: its next hops, which get a group if it is new. @return the route
    FabricNextHops::Way GetWay(uint32_t number,
                               const PathBandwidthRoutes& routes,
                               FabricNextHops& nextHops,
                               GroupNumbers& groups) const;

    const FabricPlan& m_fabric;                   //!< the plan
    PathBandwidthTopology m_topology;             //!< nodes, and links between them
    std::vector<NodeIndex> m_nodes;               //!< switches and hosts, by number in it
    IndexedVector<NodeIndex, uint32_t> m_numbers; //!< of these nodes in the topology
    std::vector<LinkIndex> m_links;               //!< links, by number in it
    std::vector<FabricNextHops> m_nextHops;       //!< by number of the node
};

} // namespace ns3::aidc

#endif // AIDC_FABRIC_PATH_BANDWIDTHS_H
