/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-path-bandwidths.h"

#include <algorithm>

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
    default:
        return PathBandwidthTier::LEAF;
    }
}

FabricPathBandwidths::FabricPathBandwidths(const FabricPlan& fabric)
    : m_fabric(fabric),
      m_numbers(fabric.GetNNodes()),
      m_ports(fabric.GetSwitches().size()),
      m_nextHops(fabric.GetSwitches().size())
{
    const FabricAsPlan asPlan(fabric);
    for (const NodeIndex node : fabric.GetSwitches())
    {
        m_numbers[node] = m_topology.AddSwitch(GetPathBandwidthTier(fabric.GetNode(node).tier),
                                               asPlan.GetAs(node),
                                               fabric.GetAddress(node));
    }
    for (LinkIndex index; index < fabric.GetLinks().GetEnd(); ++index)
    {
        const FabricLink& link = fabric.GetLinks()[index];
        if (fabric.IsSwitch(link.a) && fabric.IsSwitch(link.b))
        {
            const uint32_t number = m_topology.AddLink(m_numbers[link.a],
                                                       m_numbers[link.b],
                                                       static_cast<double>(link.rate) / 8);
            m_links.emplace_back(index, number);
            m_ports[m_numbers[link.a]][number] = link.aPort;
            m_ports[m_numbers[link.b]][number] = link.bPort;
        }
    }
}

std::vector<NodeIndex>
FabricPathBandwidths::Update(const FabricRoutes& routes)
{
    for (const auto& [link, number] : m_links)
    {
        m_topology.SetLinkUp(number, routes.IsLinkUp(link));
    }
    const auto nSwitches = static_cast<uint32_t>(m_nextHops.size());
    std::vector<FabricNextHops> nextHops(nSwitches);
    std::vector<GroupNumbers> groups(nSwitches);
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
        for (uint32_t i = 0; i < nSwitches; ++i)
        {
            nextHops[i].attachments.push_back(GetWay(i, found[i], nextHops[i], groups[i]));
        }
    }
    for (const NodeIndex host : routes.GetDetachedHosts())
    {
        const auto& found = compute(routes.GetLiveLeaves(host));
        for (uint32_t i = 0; i < nSwitches; ++i)
        {
            nextHops[i].hosts[host] = GetWay(i, found[i], nextHops[i], groups[i]);
        }
    }
    std::vector<NodeIndex> changed;
    for (const NodeIndex node : m_fabric.GetSwitches())
    {
        if (!(nextHops[m_numbers[node]] == m_nextHops[m_numbers[node]]))
        {
            changed.push_back(node);
        }
    }
    m_nextHops.swap(nextHops);
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
    bool isPlain = true;
    for (const auto& nextHop : routes.nextHops)
    {
        isPlain = isPlain && nextHop.weight == 0;
    }
    // Links and ports of a switch are in the same order, as each link gets the next port.
    for (const auto& nextHop : routes.nextHops)
    {
        group.ports.push_back(m_ports[number].at(nextHop.link));
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
