// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_ROUTES_H
#define AIDC_WAN_ROUTES_H

#include "wan-plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::aidc
{

/// The routes among the routers of a WanPlan: the fewest drained links, then the least delay, then
/// the fewest links, over links that are up. No path leads through a provider edge router (PE).
///
/// A link is drained before a maintenance takes it down: routes take it only where there is no
/// other way, as with the largest metric of a link-state protocol (RFC 6987, RFC 8379).
///
/// This is what a link-state protocol would compute: Dijkstra's algorithm for each router as the
/// destination. Hosts and their data centers are not included.
class WanRoutes
{
  public:
    /// Constructor.
    /// @param plan the plan, which outlives this; all of its links are up, and none is drained
    explicit WanRoutes(const WanPlan& plan);

    /// Set whether a link is up.
    void SetLinkUp(LinkIndex link, bool isUp);

    /// @return whether the link is up
    bool IsLinkUp(LinkIndex link) const
    {
        return m_isUp[link] != 0;
    }

    /// Set whether routes avoid a link that is up. isDrained: whether they do.
    void SetDrained(LinkIndex link, bool isDrained);

    /// Count the drained links on the way from a router to another one. @return the links; 0 if
    /// there is no path
    uint32_t GetNDrained(NodeIndex router, NodeIndex destination) const
    {
        return m_ways[destination.value][router].nDrained;
    }

    /// Get the port by which a router sends packets for another one. @return the port, none if
    /// there is no path or it is the same router
    std::optional<PortIndex> GetPort(NodeIndex router, NodeIndex destination) const;

    /// Get the delay from a router to another one. @return one-way delay in ns, none if there is no
    /// path
    std::optional<int64_t> GetDelay(NodeIndex router, NodeIndex destination) const
    {
        const int64_t delay = m_ways[destination.value][router].delay;
        return delay < 0 ? std::nullopt : std::optional(delay);
    }

    /// Get the path from a router to another one. @return the routers from the first to the last,
    /// none if there is no path
    std::vector<NodeIndex> GetPath(NodeIndex router, NodeIndex destination) const;

    /// Get the links of a path.
    /// @return its links; of parallel links, the ones that the routes use
    /// @throws std::invalid_argument if two routers that follow each other have no link that is up
    std::vector<FabricLink> GetLinks(const std::vector<NodeIndex>& path) const;

    /// Find paths that share no link: the shortest one, the shortest without its links, and so on.
    /// @return the paths, the one of the least delay first
    std::vector<std::vector<NodeIndex>> FindDisjointPaths(NodeIndex router,
                                                          NodeIndex destination,
                                                          std::size_t max) const;

    /// Find the routers by way of which packets have to go to follow a path.
    /// @return as few of its inner routers as suffice, in their order
    /// @throws std::invalid_argument if the routes do not lead over one of its links
    std::vector<NodeIndex> FindWaypoints(const std::vector<NodeIndex>& path) const;

  private:
    /// How a router gets to a destination.
    struct Way
    {
        uint32_t nDrained{0}; //!< the number of drained links
        int64_t delay{-1};    //!< in ns, below 0 if there is no path
        uint32_t nLinks{0};   //!< the number of links
        PortIndex port;       //!< the first port
    };

    void Compute();

    /// Compute the ways to a destination. @param destination the destination
    void ComputeTo(NodeIndex destination);

    const WanPlan& m_plan;                             //!< the plan
    IndexedVector<LinkIndex, uint8_t> m_isUp;          //!< whether links are up
    IndexedVector<LinkIndex, uint8_t> m_isDrained;     //!< whether routes avoid links
    std::vector<IndexedVector<NodeIndex, Way>> m_ways; //!< by destination and router
};

} // namespace ns3::aidc

#endif // AIDC_WAN_ROUTES_H
