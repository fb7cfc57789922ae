/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-route-installer.h"

#include "fabric-interface.h"
#include "link-address.h"
#include "local-node.h"
#include "multipath-routing-helper.h"

#include "ns3/multipath-routing.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

namespace ns3::aidc
{

namespace
{

/// The distance of what is not on the way to a PE.
constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

/// Set a route to a data center.
void
AddRouteToAidc(Ptr<Node> node, uint32_t site, const std::vector<NextHop>& nextHops)
{
    const FabricPrefix prefix = WanPlan::GetNetworks(site).leaves;
    MultipathRoutingHelper::GetRouting(node)->AddRoute(Ipv4Address(prefix.network),
                                                       MakeMask(prefix.length),
                                                       nextHops);
}

} // namespace

WanRouteInstaller::WanRouteInstaller(const WanPlan& plan,
                                     const NodeContainer& routers,
                                     bool coreKnowsAidcs)
    : m_plan(plan),
      m_routers(routers),
      m_coreKnowsAidcs(coreKnowsAidcs),
      m_installed(plan.GetRouters().size())
{
}

IndexedVector<NodeIndex, uint32_t>
WanRouteInstaller::GetDistances(const FabricPlan& fabric, const std::vector<WanBorderLink>& links)
{
    IndexedVector<NodeIndex, uint32_t> distances(fabric.GetNNodes(), NONE);
    std::deque<NodeIndex> open;
    for (const auto& link : links)
    {
        if (distances[link.border] == NONE)
        {
            distances[link.border] = 1;
            open.push_back(link.border);
        }
    }
    for (; !open.empty(); open.pop_front())
    {
        for (const auto& port : fabric.GetPorts(open.front()))
        {
            if (fabric.IsSwitch(port.peer) && distances[port.peer] == NONE)
            {
                distances[port.peer] = distances[open.front()] + 1;
                open.push_back(port.peer);
            }
        }
    }
    return distances;
}

void
WanRouteInstaller::InstallAidc(uint32_t site,
                               const FabricPlan& fabric,
                               const NodeContainer& nodes,
                               const std::vector<WanBorderLink>& links)
{
    const uint32_t nSites = m_plan.GetNSites();
    const auto distances = GetDistances(fabric, links);
    for (const NodeIndex id : fabric.GetSwitches())
    {
        if (!IsLocalNode(nodes.Get(id.value)))
        {
            continue;
        }
        std::vector<NextHop> nextHops;
        for (const auto& link : links)
        {
            if (link.border == id)
            {
                nextHops.emplace_back(link.borderInterface,
                                      Ipv4Address(WanPlan::GetAddress(link.edge)));
            }
        }
        const auto& ports = fabric.GetPorts(id);
        for (PortIndex port; nextHops.empty() && port < ports.GetEnd(); ++port)
        {
            const NodeIndex peer = ports[port].peer;
            if (distances[peer] != NONE && distances[peer] + 1 == distances[id])
            {
                nextHops.emplace_back(GetInterfaceOfPort(port),
                                      Ipv4Address(fabric.GetAddress(peer)));
            }
        }
        for (uint32_t other = 0; other < nSites && !nextHops.empty(); ++other)
        {
            if (other != site)
            {
                AddRouteToAidc(nodes.Get(id.value), other, nextHops);
            }
        }
    }
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        if (!IsLocalNode(m_routers.Get(edge.value)))
        {
            continue;
        }
        std::vector<NextHop> nextHops;
        for (const auto& link : links)
        {
            if (link.edge == edge)
            {
                nextHops.emplace_back(link.edgeInterface,
                                      Ipv4Address(fabric.GetAddress(link.border)));
            }
        }
        AddRouteToAidc(m_routers.Get(edge.value), site, nextHops);
    }
}

std::vector<PortIndex>
WanRouteInstaller::GetPortsToAidc(const WanRoutes& routes, NodeIndex router, uint32_t site) const
{
    // By the drained links on the way, then by delay.
    std::optional<std::pair<uint32_t, int64_t>> least;
    std::vector<PortIndex> ports;
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        const auto delay = routes.GetDelay(router, edge);
        const auto port = routes.GetPort(router, edge);
        const std::pair cost(routes.GetNDrained(router, edge), delay.value_or(0));
        if (!delay || !port || (least && cost > *least))
        {
            continue;
        }
        if (!least || cost < *least)
        {
            least = cost;
            ports.clear();
        }
        if (std::find(ports.begin(), ports.end(), *port) == ports.end())
        {
            ports.push_back(*port);
        }
    }
    return ports;
}

std::map<WanRouteInstaller::Prefix, std::vector<PortIndex>>
WanRouteInstaller::GetRoutesOf(const WanRoutes& routes, NodeIndex router) const
{
    std::map<Prefix, std::vector<PortIndex>> ports;
    for (NodeIndex destination; destination < m_plan.GetRouters().GetEnd(); ++destination)
    {
        const auto port = routes.GetPort(router, destination);
        const bool isEdge = m_plan.IsEdge(destination);
        if (!port ||
            (!isEdge && m_plan.IsEdge(router) && routes.GetNDrained(router, destination) > 0))
        {
            continue;
        }
        for (uint32_t i = 0; i < (isEdge ? m_nEdgeAddresses : 1); ++i)
        {
            ports[{WanPlan::GetAddress(destination, i), 32}] = {*port};
        }
    }
    const uint32_t nSites = m_coreKnowsAidcs ? m_plan.GetNSites() : 0;
    for (uint32_t site = 0; site < nSites; ++site)
    {
        const FabricPrefix prefix = WanPlan::GetNetworks(site).leaves;
        const auto toAidc = GetPortsToAidc(routes, router, site);
        if (m_plan.GetRouters()[router].site != site && !toAidc.empty())
        {
            ports[{prefix.network, prefix.length}] = toAidc;
        }
    }
    return ports;
}

void
WanRouteInstaller::Update(const WanRoutes& routes)
{
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        if (!IsLocalNode(m_routers.Get(router.value)))
        {
            continue;
        }
        auto current = GetRoutesOf(routes, router);
        const auto routing = MultipathRoutingHelper::GetRouting(m_routers.Get(router.value));
        auto& installed = m_installed[router.value];
        // New routes come first, so that a group that goes on to be used is never without a route.
        for (const auto& [prefix, ports] : current)
        {
            const auto found = installed.find(prefix);
            if (found != installed.end() && found->second == ports)
            {
                continue;
            }
            std::vector<NextHop> nextHops;
            for (const PortIndex port : ports)
            {
                const NodeIndex peer = m_plan.GetPorts(router)[port].peer;
                nextHops.emplace_back(GetInterfaceOfPort(port),
                                      Ipv4Address(WanPlan::GetAddress(peer)));
            }
            routing->AddRoute(Ipv4Address(prefix.first), MakeMask(prefix.second), nextHops);
        }
        for (const auto& [prefix, ports] : installed)
        {
            if (current.find(prefix) == current.end())
            {
                routing->RemoveRoute(Ipv4Address(prefix.first), MakeMask(prefix.second));
            }
        }
        installed = std::move(current);
    }
}

} // namespace ns3::aidc
