/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-route-installer.h"

#include "fabric-interface.h"
#include "link-address.h"
#include "multipath-routing-helper.h"

#include "ns3/ipv4-address.h"
#include "ns3/next-hop-selector.h"

#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The routes of a table by network and length.
using Routes = std::map<std::pair<uint32_t, uint8_t>, uint32_t>;

Routes
GetGroupsByPrefix(const FabricTable& table)
{
    Routes groups;
    for (const auto& route : table.routes)
    {
        groups[{route.network, route.length}] = route.group;
    }
    return groups;
}

/// Tell whether groups of two tables are the same.
bool
IsSameGroup(const FabricTable& a, uint32_t aGroup, const FabricTable& b, uint32_t bGroup)
{
    constexpr uint32_t DISCARD = FabricTable::DISCARD;
    if (aGroup == DISCARD || bGroup == DISCARD)
    {
        return aGroup == bGroup;
    }
    static const std::vector<double> EQUAL;
    const auto& aWeights = a.weights.empty() ? EQUAL : a.weights[aGroup];
    const auto& bWeights = b.weights.empty() ? EQUAL : b.weights[bGroup];
    return a.groups[aGroup] == b.groups[bGroup] && aWeights == bWeights;
}

} // namespace

FabricRouteInstaller::FabricRouteInstaller(const FabricPlan& fabric, const NodeContainer& nodes)
    : m_fabric(fabric),
      m_nodes(nodes)
{
}

std::vector<NextHop>
FabricRouteInstaller::GetNextHops(NodeIndex id, const FabricTable& table, uint32_t group) const
{
    const auto& neighbors = m_fabric.GetPorts(id);
    const auto& ports = table.groups[group];
    const bool isWeighted = !table.weights.empty() && !table.weights[group].empty();
    std::vector<NextHop> nextHops;
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        const NodeIndex peer = neighbors[ports[i]].peer;
        nextHops.emplace_back(GetInterfaceOfPort(ports[i]),
                              m_fabric.IsHost(peer) ? Ipv4Address::GetAny()
                                                    : Ipv4Address(m_fabric.GetAddress(peer)),
                              isWeighted ? table.weights[group][i] : 1);
    }
    return nextHops;
}

void
FabricRouteInstaller::Update(NodeIndex id, const FabricTable& table)
{
    FabricTable& last = m_tables[id];
    const auto former = GetGroupsByPrefix(last);
    const auto current = GetGroupsByPrefix(table);
    const auto routing = MultipathRoutingHelper::GetRouting(m_nodes.Get(id.value));
    // New routes come first, so that a group that goes on to be used is never without a route.
    std::vector<RouteUpdate> updates;
    for (const auto& [prefix, group] : current)
    {
        const Ipv4Address network(prefix.first);
        const Ipv4Mask mask = MakeMask(prefix.second);
        const auto found = former.find(prefix);
        if (found != former.end() && IsSameGroup(last, found->second, table, group))
        {
            continue;
        }
        if (group == FabricTable::DISCARD)
        {
            routing->AddDiscardRoute(network, mask);
        }
        else
        {
            updates.push_back({network, mask, GetNextHops(id, table, group)});
        }
    }
    if (!updates.empty())
    {
        routing->UpdateRoutes(updates);
    }
    for (const auto& [prefix, group] : former)
    {
        if (current.find(prefix) == current.end())
        {
            routing->RemoveRoute(Ipv4Address(prefix.first), MakeMask(prefix.second));
        }
    }
    last = table;
}

void
FabricRouteInstaller::Rewrite(NodeIndex id)
{
    const auto routing = MultipathRoutingHelper::GetRouting(m_nodes.Get(id.value));
    const FabricTable& table = m_tables[id];
    for (const auto& [network, length, group] : table.routes)
    {
        if (group == FabricTable::DISCARD)
        {
            routing->AddDiscardRoute(Ipv4Address(network), MakeMask(length));
        }
        else
        {
            routing->AddRoute(Ipv4Address(network),
                              MakeMask(length),
                              GetNextHops(id, table, group));
        }
    }
}

} // namespace ns3::aidc
