/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-plan.h"

#include <stdexcept>

namespace ns3::aidc
{

namespace
{

constexpr uint32_t ROUTER_NETWORK = 0xac1f0000; //!< 172.31.0.0/16, of routers
constexpr uint32_t LEAF_NETWORK = 0x0a010000;   //!< 10.1.0.0/16, of the first data center
constexpr uint32_t SPINE_NETWORK = 0xac110000;  //!< 172.17.0.0/16, of its spines
constexpr uint32_t NEXT_NETWORK = 0x00010000;   //!< from one data center's networks to the next's
constexpr uint8_t NETWORK_LENGTH = 16;          //!< the length of each of them

/// The most routers.
constexpr uint32_t MAX_ROUTERS = 65534;

} // namespace

NodeIndex
WanPlan::Add(const WanRouter& router)
{
    if (m_routers.size() == MAX_ROUTERS)
    {
        throw std::invalid_argument("expected at most " + std::to_string(MAX_ROUTERS) + " routers");
    }
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
    if (site >= WAN_SITES)
    {
        throw std::invalid_argument("expected data center 0 or 1, found " + std::to_string(site));
    }
    const std::string prefix = site == 0 ? "pe-a-" : "pe-b-";
    return Add({prefix + std::to_string(GetEdges(site).size()), site});
}

NodeIndex
WanPlan::AddCore(const std::string& name)
{
    return Add({name, WanRouter::NO_SITE});
}

LinkIndex
WanPlan::AddLink(NodeIndex a, NodeIndex b, uint64_t rate, int64_t delay)
{
    if (!(a < m_routers.GetEnd()) || !(b < m_routers.GetEnd()) || a == b)
    {
        throw std::invalid_argument("expected two routers below " +
                                    std::to_string(m_routers.size()) +
                                    " at the ends of a link, "
                                    "found " +
                                    std::to_string(a.value) + " and " + std::to_string(b.value));
    }
    if (rate == 0 || delay < 0)
    {
        throw std::invalid_argument("expected a link of a rate above 0 and a delay of at least 0, "
                                    "found " +
                                    std::to_string(rate) + " bit/s and " + std::to_string(delay) +
                                    " ns");
    }
    FabricLink link;
    link.a = a;
    link.b = b;
    link.rate = rate;
    link.delay = delay;
    link.aPort = m_ports[a].Add({m_links.GetEnd(), b});
    link.bPort = m_ports[b].Add({m_links.GetEnd(), a});
    return m_links.Add(link);
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
WanPlan::GetAddress(NodeIndex router)
{
    return ROUTER_NETWORK + 1 + router.value;
}

FabricNetworks
WanPlan::GetNetworks(uint32_t site)
{
    return {{LEAF_NETWORK + site * NEXT_NETWORK, NETWORK_LENGTH},
            {SPINE_NETWORK + site * NEXT_NETWORK, NETWORK_LENGTH}};
}

WanPlan
MakeTwoSiteWan(const TwoSiteWanSettings& settings)
{
    if (settings.edges == 0 || settings.paths.empty())
    {
        throw std::invalid_argument("expected a WAN with PEs and paths, found " +
                                    std::to_string(settings.edges) + " PEs and " +
                                    std::to_string(settings.paths.size()) + " paths");
    }
    WanPlan plan;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        for (uint32_t i = 0; i < settings.edges; ++i)
        {
            plan.AddEdge(site);
        }
    }
    for (std::size_t p = 0; p < settings.paths.size(); ++p)
    {
        const auto& path = settings.paths[p];
        const int64_t core = path.delay - 2 * settings.edgeDelay;
        if (path.routers < 2 || core < 0)
        {
            throw std::invalid_argument(
                "expected paths of at least 2 core routers and a delay of at least " +
                std::to_string(2 * settings.edgeDelay) + " ns, that of the PEs' links; found " +
                std::to_string(path.routers) + " and " + std::to_string(path.delay) + " ns");
        }
        std::vector<NodeIndex> routers;
        for (uint32_t i = 0; i < path.routers; ++i)
        {
            routers.push_back(plan.AddCore("core-" + std::to_string(p) + "-" + std::to_string(i)));
        }
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            for (const NodeIndex edge : plan.GetEdges(site))
            {
                plan.AddLink(edge,
                             site == 0 ? routers.front() : routers.back(),
                             settings.edgeRate,
                             settings.edgeDelay);
            }
        }
        const auto nLinks = static_cast<int64_t>(routers.size()) - 1;
        for (int64_t i = 0; i < nLinks; ++i)
        {
            // Shares that differ by a nanosecond at most.
            const int64_t delay = core * (i + 1) / nLinks - core * i / nLinks;
            plan.AddLink(routers[i], routers[i + 1], path.rate, delay);
        }
    }
    return plan;
}

} // namespace ns3::aidc
