// SPDX-License-Identifier: GPL-2.0-only

#include "wan-routes.h"

#include "../require-argument.h"

#include <set>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

WanRoutes::WanRoutes(const WanPlan& plan)
    : m_plan(plan),
      m_isUp(plan.GetLinks().size()),
      m_isDrained(plan.GetLinks().size())
{
    for (LinkIndex link; link < m_isUp.GetEnd(); ++link)
    {
        m_isUp[link] = 1;
    }
    Compute();
}

void
WanRoutes::SetLinkUp(LinkIndex link, bool isUp)
{
    if (IsLinkUp(link) != isUp)
    {
        m_isUp[link] = isUp;
        Compute();
    }
}

void
WanRoutes::SetDrained(LinkIndex link, bool isDrained)
{
    if ((m_isDrained[link] != 0) != isDrained)
    {
        m_isDrained[link] = isDrained;
        Compute();
    }
}

void
WanRoutes::Compute()
{
    const std::size_t n = m_plan.GetRouters().size();
    m_ways.assign(n, IndexedVector<NodeIndex, Way>(n));
    for (NodeIndex destination; destination < NodeIndex(static_cast<uint32_t>(n)); ++destination)
    {
        ComputeTo(destination);
    }
}

void
WanRoutes::ComputeTo(NodeIndex destination)
{
    auto& ways = m_ways[destination.value];
    std::set<std::tuple<uint32_t, int64_t, uint32_t, NodeIndex>> open{{0, 0, 0, destination}};
    ways[destination].delay = 0;
    while (!open.empty())
    {
        const auto [nDrained, delay, nLinks, router] = *open.begin();
        open.erase(open.begin());
        if (router != destination && m_plan.IsEdge(router))
        {
            continue; // packets end there
        }
        for (const auto& [link, peer] : m_plan.GetPorts(router))
        {
            const FabricLink& plan = m_plan.GetLinks()[link];
            Way& way = ways[peer];
            const std::tuple next(nDrained + m_isDrained[link], delay + plan.delay, nLinks + 1);
            if (IsLinkUp(link) &&
                (way.delay < 0 || next < std::tuple(way.nDrained, way.delay, way.nLinks)))
            {
                open.erase({way.nDrained, way.delay, way.nLinks, peer});
                std::tie(way.nDrained, way.delay, way.nLinks) = next;
                way.port = plan.a == peer ? plan.aPort : plan.bPort;
                open.insert({way.nDrained, way.delay, way.nLinks, peer});
            }
        }
    }
}

std::optional<PortIndex>
WanRoutes::GetPort(NodeIndex router, NodeIndex destination) const
{
    const Way& way = m_ways[destination.value][router];
    if (router == destination || way.delay < 0)
    {
        return std::nullopt;
    }
    return way.port;
}

std::vector<NodeIndex>
WanRoutes::GetPath(NodeIndex router, NodeIndex destination) const
{
    if (!GetDelay(router, destination))
    {
        return {};
    }
    std::vector<NodeIndex> path{router};
    while (const auto port = GetPort(path.back(), destination))
    {
        path.push_back(m_plan.GetPorts(path.back())[*port].peer);
    }
    return path;
}

std::vector<FabricLink>
WanRoutes::GetLinks(const std::vector<NodeIndex>& path) const
{
    std::vector<FabricLink> links;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
    {
        const FabricLink* best = nullptr;
        uint8_t isDrained = 0;
        for (const auto& [link, peer] : m_plan.GetPorts(path[i]))
        {
            const FabricLink& plan = m_plan.GetLinks()[link];
            if (peer == path[i + 1] && IsLinkUp(link) &&
                (!best ||
                 std::pair(m_isDrained[link], plan.delay) < std::pair(isDrained, best->delay)))
            {
                best = &plan;
                isDrained = m_isDrained[link];
            }
        }
        AIDC_REQUIRE(best,
                     "expected a path of links that are up, found none between routers " +
                         std::to_string(path[i].value) + " and " +
                         std::to_string(path[i + 1].value));
        links.push_back(*best);
    }
    return links;
}

std::vector<std::vector<NodeIndex>>
WanRoutes::FindDisjointPaths(NodeIndex router, NodeIndex destination, std::size_t max) const
{
    std::vector<std::vector<NodeIndex>> paths;
    WanRoutes rest(*this);
    while (paths.size() < max)
    {
        const auto path = rest.GetPath(router, destination);
        if (path.size() < 2)
        {
            break;
        }
        for (std::size_t i = 0; i + 1 < path.size(); ++i)
        {
            const PortIndex port = *rest.GetPort(path[i], destination);
            rest.m_isUp[m_plan.GetPorts(path[i])[port].link] = 0;
        }
        rest.Compute();
        paths.push_back(path);
    }
    return paths;
}

std::vector<NodeIndex>
WanRoutes::FindWaypoints(const std::vector<NodeIndex>& path) const
{
    std::vector<NodeIndex> waypoints;
    for (std::size_t i = 0; i + 1 < path.size();)
    {
        // The farthest router that the routes reach along the path.
        std::size_t j = path.size() - 1;
        while (j > i && GetPath(path[i], path[j]) !=
                            std::vector<NodeIndex>(path.begin() + i, path.begin() + j + 1))
        {
            --j;
        }
        AIDC_REQUIRE(j > i,
                     "expected a path along the routes, found another one from router " +
                         std::to_string(path[i].value) + " to " +
                         std::to_string(path[i + 1].value));
        if (j + 1 < path.size())
        {
            waypoints.push_back(path[j]);
        }
        i = j;
    }
    return waypoints;
}

} // namespace ns3::aidc
