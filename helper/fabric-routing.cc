/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-routing.h"

#include "../model/core/require-argument.h"
#include "fabric-interface.h"
#include "link-address.h"
#include "multipath-routing-helper.h"

#include "ns3/ipv4-address.h"
#include "ns3/log.h"
#include "ns3/next-hop-group.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricRouting");

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

FabricRouting::FabricRouting(const FabricPlan& fabric, const NodeContainer& nodes)
    : m_fabric(fabric),
      m_installer(fabric, nodes)
{
}

void
FabricRouting::SetSwitchRoutes(SwitchRoutes routes)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetSwitchRoutes() comes before AssignAddresses()");
    m_switchRoutes = routes;
}

void
FabricRouting::SetHostRoutes(SwitchRoutes routes)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetHostRoutes() comes before AssignAddresses()");
    m_hostRoutes = routes;
}

void
FabricRouting::SetSharesUplinks(bool shares)
{
    AIDC_REFUSED_IF(m_routes, "FabricHelper::SetSharesUplinks() comes before AssignAddresses()");
    m_sharesUplinks = shares;
}

void
FabricRouting::Compute()
{
    NS_LOG_FUNCTION(this << m_switchRoutes);
    AIDC_REFUSED_IF(m_hostRoutes != SHORTEST_PATHS && m_hostRoutes != m_switchRoutes,
                    "FabricHelper: expected hosts with SHORTEST_PATHS or the kind of routes that "
                    "switches have, see FabricHelper::SetHostRoutes()");
    AIDC_REFUSED_IF(m_sharesUplinks && m_switchRoutes != PATH_BANDWIDTHS,
                    "FabricHelper: expected switches with PATH_BANDWIDTHS to share uplinks; with "
                    "BGP, it is the attribute ShareUplinks of BgpSpeaker");
    m_routes = std::make_unique<FabricRoutes>(m_fabric);
    if (m_switchRoutes == PATH_BANDWIDTHS)
    {
        m_bandwidths = std::make_unique<FabricPathBandwidths>(
            m_fabric,
            FabricPathBandwidthSettings{m_sharesUplinks, m_hostRoutes == PATH_BANDWIDTHS});
        m_bandwidths->Update(*m_routes);
    }
}

const FabricRoutes&
FabricRouting::GetRoutes() const
{
    AIDC_REFUSED_IF(!m_routes, "FabricHelper::AssignAddresses() comes first");
    return *m_routes;
}

void
FabricRouting::Converge(LinkIndex link, bool isUp)
{
    if (m_routes->IsLinkUp(link) == isUp)
    {
        return;
    }
    NS_LOG_LOGIC("Link " << link.value << " is " << (isUp ? "up" : "down") << " for all");
    auto touched = isUp ? m_routes->RestoreLink(link) : m_routes->FailLink(link);
    if (m_bandwidths)
    {
        const auto changed = m_bandwidths->Update(*m_routes);
        touched.insert(touched.end(), changed.begin(), changed.end());
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    }
    for (const NodeIndex id : touched)
    {
        if (m_fabric.GetProcess(id) == Simulator::GetSystemId())
        {
            Install(id);
        }
    }
    if (m_converged)
    {
        m_converged(link, isUp);
    }
}

FabricTable
FabricRouting::GetTable(NodeIndex id) const
{
    switch (m_fabric.IsSwitch(id) ? m_switchRoutes : m_hostRoutes)
    {
    case PATH_BANDWIDTHS:
        return m_routes->GetTable(id, m_bandwidths->GetNextHops(id));
    case OWN_HOSTS:
        return m_routes->GetOwnTable(id);
    default:
        return m_routes->GetTable(id);
    }
}

} // namespace ns3::aidc
