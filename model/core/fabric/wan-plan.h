/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_PLAN_H
#define AIDC_WAN_PLAN_H

#include "fabric-addressing.h"
#include "fabric-elements.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Plans of the WAN between two data centers.
 */

namespace ns3::aidc
{

/// The number of data centers that a WAN joins.
inline constexpr uint32_t WAN_SITES = 2;

/// @ingroup aidc
/// @brief A router of a WanPlan.
struct WanRouter
{
    /// The site of a core router.
    static constexpr uint32_t NO_SITE = WAN_SITES;

    std::string name;       //!< such as pe-a-0 or core-1-0
    uint32_t site{NO_SITE}; //!< the data center of a provider edge router (PE), or NO_SITE
};

/**
 * @ingroup aidc
 * @brief The plan of a WAN: provider edge routers (PEs) of two data centers, core routers, links.
 *
 * Routers and links are numbered from 0 in the order in which they are added, and so are a
 * router's ports. Each router has an address of its own, whatever its links.
 *
 * This is a plan only: nothing here moves packets.
 */
class WanPlan
{
  public:
    /// Add a PE, named pe-a-0, pe-a-1, ... or pe-b-0 and so on.
    /// @param site its data center, 0 (a) or 1 (b)
    /// @return its number
    /// @throws std::invalid_argument if there is no such data center
    NodeIndex AddEdge(uint32_t site);

    /// Add a core router.
    /// @param name its name, which no other router has
    /// @return its number
    /// @throws std::invalid_argument if the name is taken
    NodeIndex AddCore(const std::string& name);

    /// Add a link.
    /// @param a the router at one end
    /// @param b the router at the other end
    /// @param rate bit/s in each direction, above 0
    /// @param delay one-way propagation delay in ns, at least 0
    /// @return its number
    /// @throws std::invalid_argument if a value is out of range
    LinkIndex AddLink(NodeIndex a, NodeIndex b, uint64_t rate, int64_t delay);

    /// @return the routers, by number
    const IndexedVector<NodeIndex, WanRouter>& GetRouters() const
    {
        return m_routers;
    }

    /// @return the links, by number
    const FabricLinks& GetLinks() const
    {
        return m_links;
    }

    /// Get the ports of a router, with their links and peers.
    /// @param router the router
    /// @return its ports, in their order
    const FabricNodePorts& GetPorts(NodeIndex router) const
    {
        return m_ports[router];
    }

    /// @param site the data center
    /// @return its PEs, ascending
    std::vector<NodeIndex> GetEdges(uint32_t site) const;

    /// @return the core routers, ascending
    std::vector<NodeIndex> GetCores() const;

    /// @param router the router
    /// @return whether the router is a PE
    bool IsEdge(NodeIndex router) const
    {
        return m_routers[router].site != WanRouter::NO_SITE;
    }

    /// Find a router.
    /// @param name its name
    /// @return its number
    /// @throws std::invalid_argument if there is none
    NodeIndex Find(const std::string& name) const;

    /// @param a the name of the router at one end
    /// @param b the name of the router at the other end
    /// @return the first link between them
    /// @throws std::invalid_argument if there is none
    LinkIndex FindLink(const std::string& a, const std::string& b) const
    {
        return m_ports[Find(a)][FindPort(a, b)].link;
    }

    /// @param router the name of a router
    /// @param peer the name of the router at the other end of the port's link
    /// @return the first such port
    /// @throws std::invalid_argument if there is none
    PortIndex FindPort(const std::string& router, const std::string& peer) const;

    /// @param router the router
    /// @return an address of 172.31.0.0/16, in host byte order
    static uint32_t GetAddress(NodeIndex router);

    /// Get the networks of a data center, which differ from each other's and from the routers'.
    /// @param site the data center
    /// @return 10.1.0.0/16 and 172.17.0.0/16 of the first, 10.2.0.0/16 and 172.18.0.0/16 of the
    ///         second
    static FabricNetworks GetNetworks(uint32_t site);

  private:
    /// Add a router.
    /// @param router the router
    /// @return its number
    NodeIndex Add(const WanRouter& router);

    IndexedVector<NodeIndex, WanRouter> m_routers; //!< the routers
    FabricLinks m_links;                           //!< the links
    FabricPorts m_ports;                           //!< the ports of each router
};

/// @ingroup aidc
/// @brief A path between the PEs of both data centers, as MakeTwoSiteWan() makes it.
struct WanPathSettings
{
    int64_t delay{1000000};      //!< one-way delay in ns from PE to PE
    uint64_t rate{400000000000}; //!< bit/s of its links between core routers
    uint32_t routers{2};         //!< its core routers, at least 2
};

/// @ingroup aidc
/// @brief The options of MakeTwoSiteWan().
struct TwoSiteWanSettings
{
    uint32_t edges{1};               //!< PEs of each data center, at least 1
    uint64_t edgeRate{400000000000}; //!< bit/s of the links between PEs and core routers
    int64_t edgeDelay{100000};       //!< ns of these links
    /// The paths; the primary one is that of the least delay.
    std::vector<WanPathSettings> paths{{1000000, 400000000000, 2}, {2000000, 400000000000, 2}};
};

/**
 * @ingroup aidc
 * @brief Make a WAN of disjoint paths between two data centers.
 *
 * Path p is a line of core routers core-p-0, core-p-1, ... The first has a link to each PE of data
 * center a, the last to each PE of b. The delay of the path without the links of the PEs is divided
 * equally among the links between core routers.
 *
 * @param settings the settings
 * @return the plan
 * @throws std::invalid_argument if a setting is out of range
 */
WanPlan MakeTwoSiteWan(const TwoSiteWanSettings& settings);

} // namespace ns3::aidc

#endif // AIDC_WAN_PLAN_H
