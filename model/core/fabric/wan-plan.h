// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WAN_PLAN_H
#define AIDC_WAN_PLAN_H

#include "fabric-elements.h"
#include "fabric-plan.h"

#include <cstdint>
#include <string>
#include <vector>

/// @file
/// Plans of the WAN between data centers.

namespace ns3::aidc
{

/// The most data centers that a WAN joins: as many as WanPlan::GetNetworks() has networks for.
inline constexpr uint32_t MAX_WAN_SITES = 14;

/// A router of a WanPlan.
struct WanRouter
{
    /// The site of a core router.
    static constexpr uint32_t NO_SITE = MAX_WAN_SITES;

    std::string name;       //!< such as pe-a-0 or core-1-0
    uint32_t site{NO_SITE}; //!< the data center of a provider edge router (PE), or NO_SITE
};

/// The plan of a WAN: provider edge routers (PEs) of data centers, core routers, links.
///
/// Data centers are numbered from 0, and have a letter as their name: a, b and so on. Routers and
/// links are numbered from 0 in the order in which they are added, and so are a router's ports.
/// Each router has an address of its own, whatever its links.
///
/// This is a plan only: nothing here moves packets.
class WanPlan
{
  public:
    /// Add a PE, named pe-a-0, pe-a-1, ... or pe-b-0 and so on.
    /// @param site its data center, below MAX_WAN_SITES
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
    /// @return its ports, in their order
    const FabricNodePorts& GetPorts(NodeIndex router) const
    {
        return m_ports[router];
    }

    /// @return the number of data centers: one more than the largest that a PE belongs to
    uint32_t GetNSites() const;

    /// @return its PEs, ascending
    std::vector<NodeIndex> GetEdges(uint32_t site) const;

    /// @return the core routers, ascending
    std::vector<NodeIndex> GetCores() const;

    /// @return whether the router is a PE
    bool IsEdge(NodeIndex router) const
    {
        return m_routers[router].site != WanRouter::NO_SITE;
    }

    /// Find a router.
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

    /// The most addresses of a router.
    static constexpr uint32_t MAX_ADDRESSES = 16;

    /// Get an address of a router. PEs have more than one if there are several tunnels between two
    /// of them.
    /// @param router the router
    /// @param i the number of the address, below MAX_ADDRESSES
    /// @return an address of 172.31.0.0/16, in host byte order
    static uint32_t GetAddress(NodeIndex router, uint32_t i = 0);

    /// @param site the data center, below MAX_WAN_SITES
    /// @return its name: a, b and so on
    static std::string GetSiteName(uint32_t site)
    {
        return std::string(1, static_cast<char>('a' + site));
    }

    /// Get the networks of a data center, which no other data center and no router uses.
    /// @param site the data center, below MAX_WAN_SITES
    /// @return 10.1.0.0/16 and 172.17.0.0/16 of the first, 10.2.0.0/16 and 172.18.0.0/16 of the
    ///         second, up to 10.14.0.0/16 and 172.30.0.0/16
    /// @throws std::invalid_argument if there is no such data center
    static FabricNetworks GetNetworks(uint32_t site);

  private:
    NodeIndex Add(const WanRouter& router);

    IndexedVector<NodeIndex, WanRouter> m_routers; //!< the routers
    FabricLinks m_links;                           //!< the links
    FabricPorts m_ports;                           //!< the ports of each router
};

/// A path between the PEs of two data centers, as MakeTwoSiteWan() and MakeWan() make it.
struct WanPathSettings
{
    int64_t delay{1000000};      //!< one-way delay in ns from PE to PE
    uint64_t rate{400000000000}; //!< bit/s of its links between core routers
    uint32_t routers{2};         //!< its core routers, at least 2
};

/// The options of MakeTwoSiteWan().
struct TwoSiteWanSettings
{
    uint32_t edges{1};               //!< PEs of each data center, at least 1
    uint64_t edgeRate{400000000000}; //!< bit/s of the links between PEs and core routers
    int64_t edgeDelay{100000};       //!< ns of these links
    /// The paths; the primary one has the least delay.
    std::vector<WanPathSettings> paths{{1000000, 400000000000, 2}, {2000000, 400000000000, 2}};
};

/// Make a WAN of disjoint paths between two data centers.
///
/// Path p is a line of core routers core-p-0, core-p-1, ... The first has a link to each PE of data
/// center a, the last to each PE of b. The delay of the path without the links of the PEs is
/// divided equally among the links between core routers.
/// @param settings the settings
/// @return the plan
/// @throws std::invalid_argument if a setting is out of range
WanPlan MakeTwoSiteWan(const TwoSiteWanSettings& settings);

/// The paths between two data centers, as MakeWan() makes them.
struct WanPairSettings
{
    uint32_t a{0}; //!< a data center, below MAX_WAN_SITES
    uint32_t b{1}; //!< another one
    /// The paths, at least one.
    std::vector<WanPathSettings> paths{{1000000, 400000000000, 2}};
};

/// The options of MakeWan().
struct WanSettings
{
    uint32_t edges{1};               //!< PEs of each data center, at least 1
    uint64_t edgeRate{400000000000}; //!< bit/s of the links between PEs and core routers
    int64_t edgeDelay{100000};       //!< ns of these links
    /// The pairs of data centers that have paths of their own, each pair once. By way of other data
    /// centers' core routers, they have to join all data centers.
    std::vector<WanPairSettings> pairs;
};

/// Make a WAN between data centers: a line, a ring, a mesh, or anything else that paths make.
///
/// Data center a has the core routers core-a-0, core-a-1, ..., as many as the pair with the most
/// paths needs, and each of its PEs has a link to each core router. Path p between a and b joins
/// core-a-p and core-b-p by way of core-ab-p-1, core-ab-p-2, ..., if it has more than these two
/// core routers. Its delay without the links of the PEs is divided equally among the links between
/// core routers. Core routers of a data center pass on traffic between others.
/// @param settings the settings
/// @return the plan
/// @throws std::invalid_argument if a setting is out of range, a pair is there twice, or the paths
/// do not join all data centers
WanPlan MakeWan(const WanSettings& settings);

/// Distributes data centers and the routers of the WAN between them over the processes of a
/// parallel simulation.
///
/// With at most as many processes as data centers, a process has consecutive whole data centers.
/// With more processes, a data center has consecutive processes of its own, and its nodes are
/// distributed over these. PEs are in the first process of their data center, and so are the core
/// routers that are the fewest links away from them.
class WanProcesses
{
  public:
    /// @param plan the plan of the WAN
    /// @param nProcesses the number of processes, at least 1
    /// @throws std::invalid_argument if there are no processes, or no data centers
    WanProcesses(const WanPlan& plan, uint32_t nProcesses);

    /// @return the number of all processes
    uint32_t GetN() const
    {
        return m_nProcesses;
    }

    /// @param site a data center @return its first process
    uint32_t GetFirst(uint32_t site) const;

    /// @param site a data center @return the number of its processes, at least 1
    uint32_t GetN(uint32_t site) const;

    /// Distribute the nodes of a data center over its processes. @throws std::invalid_argument if
    /// it has more processes than leaves
    void Assign(uint32_t site, FabricPlan& fabric) const;

    /// @param router a router of the WAN @return its process
    uint32_t GetProcess(NodeIndex router) const
    {
        return m_routers[router];
    }

  private:
    uint32_t m_nProcesses;                        //!< the number of processes
    uint32_t m_nSites;                            //!< the number of data centers
    IndexedVector<NodeIndex, uint32_t> m_routers; //!< the process of each router
};

} // namespace ns3::aidc

#endif // AIDC_WAN_PLAN_H
