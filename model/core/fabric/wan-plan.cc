// SPDX-License-Identifier: GPL-2.0-only

#include "wan-plan.h"

#include "../require-argument.h"

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t ROUTER_NETWORK = 0xac1f0000; //!< 172.31.0.0/16, of routers
constexpr uint32_t LEAF_NETWORK = 0x0a010000;   //!< 10.1.0.0/16, of the first data center
constexpr uint32_t SPINE_NETWORK = 0xac110000;  //!< 172.17.0.0/16, of its spines
constexpr uint32_t NEXT_NETWORK = 0x00010000;   //!< from one data center's networks to the next's
constexpr uint8_t NETWORK_LENGTH = 16;          //!< the length of each network

/// From a router's address to its next one.
constexpr uint32_t NEXT_ADDRESS = 0x00001000;
/// The most routers.
constexpr uint32_t MAX_ROUTERS = NEXT_ADDRESS - 2;

/// @throws std::invalid_argument if there can be no such data center
void
CheckSite(uint32_t site)
{
    AIDC_REQUIRE(site < MAX_WAN_SITES,
                 "expected a data center from 0 to " + std::to_string(MAX_WAN_SITES - 1) +
                     ", found " + std::to_string(site));
}

/// edgeDelay: of a link of a PE, in ns @throws std::invalid_argument if there is no such path
void
CheckPath(const WanPathSettings& path, int64_t edgeDelay)
{
    AIDC_REQUIRE(path.routers >= 2 && path.delay - 2 * edgeDelay >= 0,
                 "expected paths of at least 2 core routers and a delay of at least " +
                     std::to_string(2 * edgeDelay) + " ns, which the PEs' links have; found " +
                     std::to_string(path.routers) + " and " + std::to_string(path.delay) + " ns");
}

/// Add the links between the core routers of a path. edgeDelay: the delay of a link of a PE in ns.
void
AddLine(WanPlan& plan,
        const WanPathSettings& path,
        int64_t edgeDelay,
        const std::vector<NodeIndex>& routers)
{
    const int64_t core = path.delay - 2 * edgeDelay;
    const auto nLinks = static_cast<int64_t>(routers.size()) - 1;
    for (int64_t i = 0; i < nLinks; ++i)
    {
        // Shares that differ by a nanosecond at most.
        const int64_t delay = core * (i + 1) / nLinks - core * i / nLinks;
        plan.AddLink(routers[i], routers[i + 1], path.rate, delay);
    }
}

/// Check the pairs of a WAN. @throws std::invalid_argument if there is no such WAN
uint32_t
CheckPairs(const WanSettings& settings)
{
    AIDC_REQUIRE(settings.edges > 0 && !settings.pairs.empty(),
                 "expected a WAN with PEs and pairs of data centers, found " +
                     std::to_string(settings.edges) + " PEs and " +
                     std::to_string(settings.pairs.size()) + " pairs");
    uint32_t nSites = 0;
    std::set<std::pair<uint32_t, uint32_t>> known;
    for (const auto& pair : settings.pairs)
    {
        const std::string found =
            ", found " + std::to_string(pair.a) + " and " + std::to_string(pair.b);
        const uint32_t last = std::max(pair.a, pair.b);
        AIDC_REQUIRE(pair.a != pair.b && last < MAX_WAN_SITES,
                     "expected pairs of two data centers below " + std::to_string(MAX_WAN_SITES) +
                         found);
        AIDC_REQUIRE(!pair.paths.empty() && known.emplace(std::min(pair.a, pair.b), last).second,
                     "expected each pair of data centers once, and with paths" + found +
                         (pair.paths.empty() ? " without paths" : " twice"));
        for (const auto& path : pair.paths)
        {
            CheckPath(path, settings.edgeDelay);
        }
        nSites = std::max(nSites, last + 1);
    }
    // Data centers are reached from the first one until all are, or nothing changes any more.
    std::set<uint32_t> reached{0};
    for (uint32_t round = 1; round < nSites; ++round)
    {
        for (const auto& [a, b] : known)
        {
            if (reached.count(a) > 0 || reached.count(b) > 0)
            {
                reached.insert({a, b});
            }
        }
    }
    for (uint32_t site = 0; site < nSites; ++site)
    {
        AIDC_REQUIRE(reached.count(site) > 0,
                     "expected paths that join all data centers, found none from a to " +
                         WanPlan::GetSiteName(site));
    }
    return nSites;
}

} // namespace

NodeIndex
WanPlan::Add(const WanRouter& router)
{
    AIDC_REQUIRE(m_routers.size() < MAX_ROUTERS,
                 "expected at most " + std::to_string(MAX_ROUTERS) + " routers");
    for (const auto& other : m_routers)
    {
        if (other.name == router.name)
        {
            throw std::invalid_argument("expected routers with names of their own, found " +
                                        router.name + " twice");
        }
    }
    m_ports.Add({});
    return m_routers.Add(router);
}

NodeIndex
WanPlan::AddEdge(uint32_t site)
{
    CheckSite(site);
    return Add({"pe-" + GetSiteName(site) + "-" + std::to_string(GetEdges(site).size()), site});
}

NodeIndex
WanPlan::AddCore(const std::string& name)
{
    return Add({name, WanRouter::NO_SITE});
}

LinkIndex
WanPlan::AddLink(NodeIndex a, NodeIndex b, uint64_t rate, int64_t delay)
{
    AIDC_REQUIRE(a < m_routers.GetEnd() && b < m_routers.GetEnd() && a != b,
                 "expected two routers below " + std::to_string(m_routers.size()) +
                     " at the ends of a link, found " + std::to_string(a.value) + " and " +
                     std::to_string(b.value));
    AIDC_REQUIRE(rate > 0 && delay >= 0,
                 "expected a link of a rate above 0 and a delay of at least 0, found " +
                     std::to_string(rate) + " bit/s and " + std::to_string(delay) + " ns");
    FabricLink link;
    link.a = a;
    link.b = b;
    link.rate = rate;
    link.delay = delay;
    link.aPort = m_ports[a].Add({m_links.GetEnd(), b});
    link.bPort = m_ports[b].Add({m_links.GetEnd(), a});
    return m_links.Add(link);
}

uint32_t
WanPlan::GetNSites() const
{
    uint32_t nSites = 0;
    for (const auto& router : m_routers)
    {
        if (router.site != WanRouter::NO_SITE)
        {
            nSites = std::max(nSites, router.site + 1);
        }
    }
    return nSites;
}

std::vector<NodeIndex>
WanPlan::GetEdges(uint32_t site) const
{
    std::vector<NodeIndex> edges;
    for (NodeIndex router; router < m_routers.GetEnd(); ++router)
    {
        if (m_routers[router].site == site)
        {
            edges.push_back(router);
        }
    }
    return edges;
}

std::vector<NodeIndex>
WanPlan::GetCores() const
{
    return GetEdges(WanRouter::NO_SITE);
}

NodeIndex
WanPlan::Find(const std::string& name) const
{
    for (NodeIndex router; router < m_routers.GetEnd(); ++router)
    {
        if (m_routers[router].name == name)
        {
            return router;
        }
    }
    throw std::invalid_argument("expected the name of a router, found \"" + name + "\"");
}

PortIndex
WanPlan::FindPort(const std::string& router, const std::string& peer) const
{
    const auto& ports = m_ports[Find(router)];
    const NodeIndex other = Find(peer);
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        if (ports[port].peer == other)
        {
            return port;
        }
    }
    throw std::invalid_argument("expected two routers with a link, found " + router + " and " +
                                peer);
}

uint32_t
WanPlan::GetAddress(NodeIndex router, uint32_t i)
{
    return ROUTER_NETWORK + 1 + router.value + i * NEXT_ADDRESS;
}

FabricNetworks
WanPlan::GetNetworks(uint32_t site)
{
    CheckSite(site);
    return {{LEAF_NETWORK + site * NEXT_NETWORK, NETWORK_LENGTH},
            {SPINE_NETWORK + site * NEXT_NETWORK, NETWORK_LENGTH}};
}

WanPlan
MakeTwoSiteWan(const TwoSiteWanSettings& settings)
{
    AIDC_REQUIRE(settings.edges > 0 && !settings.paths.empty(),
                 "expected a WAN with PEs and paths, found " + std::to_string(settings.edges) +
                     " PEs and " + std::to_string(settings.paths.size()) + " paths");
    WanPlan plan;
    for (uint32_t site = 0; site < 2; ++site)
    {
        for (uint32_t i = 0; i < settings.edges; ++i)
        {
            plan.AddEdge(site);
        }
    }
    for (std::size_t p = 0; p < settings.paths.size(); ++p)
    {
        const auto& path = settings.paths[p];
        CheckPath(path, settings.edgeDelay);
        std::vector<NodeIndex> routers;
        for (uint32_t i = 0; i < path.routers; ++i)
        {
            routers.push_back(plan.AddCore("core-" + std::to_string(p) + "-" + std::to_string(i)));
        }
        for (uint32_t site = 0; site < 2; ++site)
        {
            for (const NodeIndex edge : plan.GetEdges(site))
            {
                plan.AddLink(edge,
                             site == 0 ? routers.front() : routers.back(),
                             settings.edgeRate,
                             settings.edgeDelay);
            }
        }
        AddLine(plan, path, settings.edgeDelay, routers);
    }
    return plan;
}

WanPlan
MakeWan(const WanSettings& settings)
{
    const uint32_t nSites = CheckPairs(settings);
    // The core routers of a data center.
    std::vector<std::vector<NodeIndex>> gateways(nSites);
    WanPlan plan;
    for (uint32_t site = 0; site < nSites; ++site)
    {
        for (uint32_t i = 0; i < settings.edges; ++i)
        {
            plan.AddEdge(site);
        }
    }
    for (const auto& pair : settings.pairs)
    {
        for (const uint32_t site : {pair.a, pair.b})
        {
            gateways[site].resize(std::max(gateways[site].size(), pair.paths.size()));
        }
    }
    for (uint32_t site = 0; site < nSites; ++site)
    {
        for (std::size_t p = 0; p < gateways[site].size(); ++p)
        {
            gateways[site][p] =
                plan.AddCore("core-" + WanPlan::GetSiteName(site) + "-" + std::to_string(p));
            for (const NodeIndex edge : plan.GetEdges(site))
            {
                plan.AddLink(edge, gateways[site][p], settings.edgeRate, settings.edgeDelay);
            }
        }
    }
    for (const auto& pair : settings.pairs)
    {
        const auto [first, last] = std::minmax(pair.a, pair.b);
        for (std::size_t p = 0; p < pair.paths.size(); ++p)
        {
            const std::string prefix = "core-" + WanPlan::GetSiteName(first) +
                                       WanPlan::GetSiteName(last) + "-" + std::to_string(p) + "-";
            std::vector<NodeIndex> routers{gateways[first][p]};
            for (uint32_t i = 1; i + 1 < pair.paths[p].routers; ++i)
            {
                routers.push_back(plan.AddCore(prefix + std::to_string(i)));
            }
            routers.push_back(gateways[last][p]);
            AddLine(plan, pair.paths[p], settings.edgeDelay, routers);
        }
    }
    return plan;
}

WanProcesses::WanProcesses(const WanPlan& plan, uint32_t nProcesses)
    : m_nProcesses(nProcesses),
      m_nSites(plan.GetNSites()),
      m_routers(plan.GetRouters().size())
{
    AIDC_REQUIRE(nProcesses > 0 && m_nSites > 0,
                 "expected at least 1 process and 1 data center, found " +
                     std::to_string(nProcesses) + " and " + std::to_string(m_nSites));
    IndexedVector<NodeIndex, uint8_t> isKnown(plan.GetRouters().size());
    std::deque<NodeIndex> open;
    for (uint32_t site = 0; site < m_nSites; ++site)
    {
        for (const NodeIndex edge : plan.GetEdges(site))
        {
            m_routers[edge] = GetFirst(site);
            isKnown[edge] = 1;
            open.push_back(edge);
        }
    }
    for (; !open.empty(); open.pop_front())
    {
        for (const auto& port : plan.GetPorts(open.front()))
        {
            if (isKnown[port.peer] == 0)
            {
                m_routers[port.peer] = m_routers[open.front()];
                isKnown[port.peer] = 1;
                open.push_back(port.peer);
            }
        }
    }
}

uint32_t
WanProcesses::GetFirst(uint32_t site) const
{
    return static_cast<uint32_t>(uint64_t{site} * m_nProcesses / m_nSites);
}

uint32_t
WanProcesses::GetN(uint32_t site) const
{
    return std::max(GetFirst(site + 1) - GetFirst(site), 1U);
}

void
WanProcesses::Assign(uint32_t site, FabricPlan& fabric) const
{
    fabric.AssignProcesses(GetN(site));
    IndexedVector<NodeIndex, uint32_t> processes(fabric.GetNNodes());
    for (NodeIndex node; node < processes.GetEnd(); ++node)
    {
        processes[node] = GetFirst(site) + fabric.GetProcess(node);
    }
    fabric.SetProcesses(processes, m_nProcesses);
}

} // namespace ns3::aidc
