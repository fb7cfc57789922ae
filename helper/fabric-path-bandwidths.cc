// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-path-bandwidths.h"

#include "ns3/fabric-bgp-plan.h"

#include <algorithm>
#include <iterator>

namespace ns3::aidc
{

PathBandwidthTier
GetPathBandwidthTier(FabricTier tier)
{
    switch (tier)
    {
    case FabricTier::SUPER_SPINE:
        return PathBandwidthTier::SUPER_SPINE;
    case FabricTier::SPINE:
        return PathBandwidthTier::SPINE;
    case FabricTier::HOST:
        return PathBandwidthTier::HOST;
    default:
        return PathBandwidthTier::LEAF;
    }
}

FabricPathBandwidths::FabricPathBandwidths(const FabricPlan& fabric,
                                           const FabricPathBandwidthSettings& settings)
    : m_fabric(fabric),
      m_nodes(fabric.GetSwitches()),
      m_numbers(fabric.GetNNodes())
{
    const FabricAsPlan asPlan(fabric);
    m_topology.SetSharesUplinks(settings.sharesUplinks);
    const auto isIn = [&](NodeIndex node) {
        return fabric.IsSwitch(node) || (settings.hasHosts && fabric.HasSeveralLinks(node));
    };
    std::copy_if(fabric.GetHosts().begin(),
                 fabric.GetHosts().end(),
                 std::back_inserter(m_nodes),
                 isIn);
    m_nextHops.resize(m_nodes.size());
    for (const NodeIndex node : m_nodes)
    {
        m_numbers[node] = m_topology.AddSwitch(GetPathBandwidthTier(fabric.GetNode(node).tier),
                                               asPlan.GetAs(node),
                                               fabric.GetAddress(node));
    }
    for (LinkIndex index; index < fabric.GetLinks().GetEnd(); ++index)
    {
        const FabricLink& link = fabric.GetLinks()[index];
        if (isIn(link.a) && isIn(link.b))
        {
            m_topology.AddLink(m_numbers[link.a],
                               m_numbers[link.b],
                               static_cast<double>(link.rate) / 8);
            m_links.push_back(index);
        }
    }
}

std::vector<NodeIndex>
FabricPathBandwidths::Update(const FabricRoutes& routes)
{
    for (uint32_t number = 0; number < m_links.size(); ++number)
    {
        m_topology.SetLinkUp(number, routes.IsLinkUp(m_links[number]));
    }
    const auto nNodes = static_cast<uint32_t>(m_nextHops.size());
    std::vector<FabricNextHops> nextHops(nNodes);
    std::vector<GroupNumbers> groups(nNodes);
    const auto compute = [this](const std::vector<NodeIndex>& leaves) -> const auto& {
        std::vector<uint32_t> origins;
        for (const NodeIndex leaf : leaves)
        {
            origins.push_back(m_numbers[leaf]);
        }
        return m_topology.Compute(origins);
    };
    for (const auto& attachment : m_fabric.GetAttachments())
    {
        const auto& found = compute(attachment.leaves);
        for (uint32_t i = 0; i < nNodes; ++i)
        {
            nextHops[i].attachments.push_back(GetWay(i, found[i], nextHops[i], groups[i]));
        }
    }
    for (const NodeIndex host : routes.GetDetachedHosts())
    {
        const auto& found = compute(routes.GetLiveLeaves(host));
        for (uint32_t i = 0; i < nNodes; ++i)
        {
            nextHops[i].hosts[host] = GetWay(i, found[i], nextHops[i], groups[i]);
        }
    }
    std::vector<NodeIndex> changed;
    for (const NodeIndex node : m_nodes)
    {
        if (!(nextHops[m_numbers[node]] == m_nextHops[m_numbers[node]]))
        {
            changed.push_back(node);
        }
    }
    m_nextHops.swap(nextHops);
    std::sort(changed.begin(), changed.end());
    return changed;
}

FabricNextHops::Way
FabricPathBandwidths::GetWay(uint32_t number,
                             const PathBandwidthRoutes& routes,
                             FabricNextHops& nextHops,
                             GroupNumbers& groups) const
{
    FabricNextHops::Way way;
    if (routes.distance >= FabricNextHops::UNREACHABLE)
    {
        return way;
    }
    way.distance = static_cast<uint8_t>(routes.distance);
    if (way.distance == 0)
    {
        return way;
    }
    FabricNextHops::Group group;
    const bool isPlain = std::all_of(routes.nextHops.begin(),
                                     routes.nextHops.end(),
                                     [](const auto& nextHop) { return nextHop.weight == 0; });
    // Links and ports of a node are in the same order, as each link gets the next port.
    for (const auto& nextHop : routes.nextHops)
    {
        const FabricLink& link = m_fabric.GetLinks()[m_links[nextHop.link]];
        group.ports.push_back(link.a == m_nodes[number] ? link.aPort : link.bPort);
        if (!isPlain)
        {
            group.weights.push_back(nextHop.weight);
        }
    }
    const auto [found, isNew] =
        groups.emplace(group, static_cast<uint32_t>(nextHops.groups.size()));
    if (isNew)
    {
        nextHops.groups.push_back(group);
    }
    way.group = found->second;
    return way;
}

} // namespace ns3::aidc
