/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-routes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::aidc
{

FabricRoutes::FabricRoutes(const FabricPlan& fabric)
    : m_fabric(fabric),
      m_distances(fabric)
{
}

std::vector<NodeIndex>
FabricRoutes::FailLink(LinkIndex link)
{
    if (!IsLinkUp(link))
    {
        return {};
    }
    auto isChanged = m_distances.Fail(link);
    UpdateDetached(link, isChanged);
    return GetTouched(link, isChanged);
}

std::vector<NodeIndex>
FabricRoutes::RestoreLink(LinkIndex link)
{
    if (IsLinkUp(link))
    {
        return {};
    }
    auto isChanged = m_distances.Restore(link);
    UpdateDetached(link, isChanged);
    return GetTouched(link, isChanged);
}

std::vector<NodeIndex>
FabricRoutes::GetLiveLeaves(NodeIndex host) const
{
    std::vector<NodeIndex> live;
    for (const NodeIndex leaf : m_fabric.GetAttachments()[m_fabric.GetAttachment(host)].leaves)
    {
        const auto& ports = m_fabric.GetPorts(host);
        const bool isLive = std::any_of(ports.begin(), ports.end(), [&](const FabricPort& port) {
            return port.peer == leaf && IsLinkUp(port.link);
        });
        if (isLive)
        {
            live.push_back(leaf);
        }
    }
    return live;
}

void
FabricRoutes::UpdateDetached(LinkIndex link, std::vector<bool>& isChanged)
{
    const auto note = [&isChanged](const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
        for (std::size_t row = 0; row < isChanged.size(); ++row)
        {
            isChanged[row] = isChanged[row] || a[row] != b[row];
        }
    };
    const auto& ends = m_fabric.GetLinks()[link];
    if (m_fabric.IsSwitch(ends.a) && m_fabric.IsSwitch(ends.b))
    {
        for (auto& [host, distances] : m_detached)
        {
            const auto& found = m_distances.Search(GetLiveLeaves(host));
            note(distances, found);
            distances = found;
        }
        return;
    }
    const NodeIndex host = m_fabric.IsHost(ends.a) ? ends.a : ends.b;
    const uint32_t column = m_fabric.GetAttachment(host);
    const auto& leaves = m_fabric.GetAttachments()[column].leaves;
    if (leaves.size() == 1)
    {
        return;
    }
    const auto former = m_detached.find(host);
    const auto before =
        former == m_detached.end() ? m_distances.GetColumn(column) : std::move(former->second);
    m_detached.erase(host);
    const auto live = GetLiveLeaves(host);
    if (live.empty() || live.size() == leaves.size()) // a host without links is masked everywhere
    {
        note(before, m_distances.GetColumn(column));
        return;
    }
    const auto& found = m_distances.Search(live);
    note(before, found);
    m_detached.emplace(host, found);
}

std::vector<NodeIndex>
FabricRoutes::GetTouched(LinkIndex link, const std::vector<bool>& isChanged) const
{
    // Next hops depend on the node's own distances and on those of its neighbours.
    IndexedVector<NodeIndex, char> isTouched(m_fabric.GetNNodes());
    const auto& switches = m_fabric.GetSwitches();
    for (std::size_t row = 0; row < isChanged.size(); ++row)
    {
        if (!isChanged[row])
        {
            continue;
        }
        isTouched[switches[row]] = 1;
        for (const auto& port : m_fabric.GetPorts(switches[row]))
        {
            isTouched[port.peer] = 1;
        }
    }
    for (const NodeIndex end : {m_fabric.GetLinks()[link].a, m_fabric.GetLinks()[link].b})
    {
        if (m_fabric.IsHost(end))
        {
            isTouched[end] = 1;
        }
    }
    std::vector<NodeIndex> touched;
    for (NodeIndex node; node < isTouched.GetEnd(); ++node)
    {
        if (isTouched[node] && (m_fabric.IsSwitch(node) || m_fabric.HasSeveralLinks(node)))
        {
            touched.push_back(node);
        }
    }
    return touched;
}

FabricTable
FabricRoutes::GetTable(NodeIndex node) const
{
    return FabricTableBuilder(m_fabric, m_distances, m_detached, node).GetTable();
}

FabricTable
FabricRoutes::GetTable(NodeIndex node, const FabricNextHops& nextHops) const
{
    return FabricTableBuilder(m_fabric, m_distances, m_detached, node, &nextHops).GetTable();
}

FabricTable
FabricRoutes::GetOwnTable(NodeIndex node) const
{
    return FabricTableBuilder(m_fabric, m_distances, m_detached, node).GetOwnTable();
}

std::vector<NodeIndex>
FabricRoutes::GetDetachedHosts() const
{
    std::vector<NodeIndex> hosts;
    for (const auto& [host, distances] : m_detached)
    {
        hosts.push_back(host);
    }
    return hosts;
}

std::vector<FabricLink>
FabricRoutes::GetPath(NodeIndex source, NodeIndex destination) const
{
    using Edge = FabricDistances::Edge;
    constexpr uint8_t UNREACHABLE = FabricDistances::UNREACHABLE;
    const auto& links = m_fabric.GetLinks();
    const auto detached = m_detached.find(destination);
    const uint32_t column = m_fabric.GetAttachment(destination);
    const auto getDistance = [&](uint32_t row) {
        return detached != m_detached.end() ? detached->second[row]
                                            : m_distances.GetRow(row)[column];
    };
    // The only link of a host counts as up.
    const auto isUp = [&](const Edge& edge) {
        const NodeIndex a = links[edge.link].a;
        const NodeIndex host = m_fabric.IsHost(a) ? a : links[edge.link].b;
        return IsLinkUp(edge.link) || (m_fabric.IsHost(host) && !m_fabric.HasSeveralLinks(host));
    };
    const auto findFastest = [&](const auto& edges, const auto& leadsOn) {
        const Edge* fastest = nullptr;
        for (const Edge& edge : edges)
        {
            if (isUp(edge) && leadsOn(edge) &&
                (!fastest || links[edge.link].rate > links[fastest->link].rate))
            {
                fastest = &edge;
            }
        }
        return fastest;
    };

    const auto first = m_distances.GetEdgesOfHost(source);
    uint8_t distance = UNREACHABLE;
    for (const Edge& edge : first)
    {
        distance = isUp(edge) ? std::min(distance, getDistance(edge.peer)) : distance;
    }
    if (distance == UNREACHABLE)
    {
        return {};
    }
    const auto isNext = [&](const Edge& edge) { return getDistance(edge.peer) == distance; };
    const Edge* next = findFastest(first, isNext);
    std::vector<FabricLink> path{links[next->link]};
    while (distance > 0)
    {
        --distance;
        next = findFastest(m_distances.GetEdges(next->peer), isNext);
        path.push_back(links[next->link]);
    }
    const auto ends = m_distances.GetEdgesOfHost(destination);
    const auto isHere = [next](const Edge& edge) { return edge.peer == next->peer; };
    const Edge* last = findFastest(ends, isHere);
    if (!last)
    {
        return {}; // it has no link that is up
    }
    path.push_back(links[last->link]);
    return path;
}

} // namespace ns3::aidc
