/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-route-installer.h"

#include "fabric-interface.h"
#include "multipath-routing-helper.h"

#include "ns3/ipv4-address.h"
#include "ns3/next-hop-group.h"

#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/**
 * @brief Make a mask.
 * @param length the length of the prefix, from 0 to 32
 * @return the mask
 */
Ipv4Mask
MakeMask(uint8_t length)
{
    return Ipv4Mask(length == 0 ? 0 : 0xffffffff << (32 - length));
}

/**
 * @brief Get the ports that each route of a table uses.
 * @param table the table
 * @return the ports by network and length, null to discard
 */
std::map<std::pair<uint32_t, uint8_t>, const std::vector<PortIndex>*>
GetPortsByPrefix(const FabricTable& table)
{
    std::map<std::pair<uint32_t, uint8_t>, const std::vector<PortIndex>*> ports;
    for (const auto& route : table.routes)
    {
        ports[{route.network, route.length}] =
            route.group == FabricTable::DISCARD ? nullptr : &table.groups[route.group];
    }
    return ports;
}

} // namespace

FabricRouteInstaller::FabricRouteInstaller(const FabricPlan& fabric, const NodeContainer& nodes)
    : m_fabric(fabric),
      m_nodes(nodes)
{
}

void
FabricRouteInstaller::Update(NodeIndex id, const FabricRoutes& routes)
{
    const FabricTable table = routes.GetTable(id);
    const auto former = GetPortsByPrefix(m_tables[id]);
    const auto current = GetPortsByPrefix(table);
    const auto routing = MultipathRoutingHelper::GetRouting(m_nodes.Get(id.value));
    const auto& neighbors = m_fabric.GetPorts(id);
    // New routes come first, so that a group that goes on to be used is never without a route.
    for (const auto& [prefix, ports] : current)
    {
        const Ipv4Address network(prefix.first);
        const Ipv4Mask mask = MakeMask(prefix.second);
        const auto found = former.find(prefix);
        const bool isNew = found == former.end();
        if (!ports)
        {
            if (isNew || found->second)
            {
                routing->AddDiscardRoute(network, mask);
            }
        }
        else if (isNew || !found->second || *found->second != *ports)
        {
            std::vector<NextHop> nextHops;
            for (const PortIndex port : *ports)
            {
                const NodeIndex peer = neighbors[port].peer;
                nextHops.emplace_back(GetInterfaceOfPort(port),
                                      m_fabric.IsHost(peer)
                                          ? Ipv4Address::GetAny()
                                          : Ipv4Address(m_fabric.GetAddress(peer)));
            }
            routing->AddRoute(network, mask, nextHops);
        }
    }
    for (const auto& [prefix, ports] : former)
    {
        if (current.find(prefix) == current.end())
        {
            routing->RemoveRoute(Ipv4Address(prefix.first), MakeMask(prefix.second));
        }
    }
    m_tables[id] = table;
}

} // namespace ns3::aidc
