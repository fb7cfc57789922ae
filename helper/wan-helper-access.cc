/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-helper.h"

#include "ns3/abort.h"
#include "ns3/names.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>

/**
 * @file
 * @ingroup aidc
 * What a WanHelper tells of the network that it has built.
 */

namespace ns3::aidc
{

FabricHelper&
WanHelper::GetAidc(uint32_t site)
{
    return m_aidcs.at(site);
}

const FabricHelper&
WanHelper::GetAidc(uint32_t site) const
{
    return m_aidcs.at(site);
}

void
WanHelper::RegisterNames() const
{
    m_aidcs[0].RegisterNames("a-");
    m_aidcs[1].RegisterNames("b-");
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        const std::string& name = m_plan.GetRouters()[router].name;
        Names::Add(name, GetRouter(router));
        const auto& ports = m_plan.GetPorts(router);
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            const auto nBefore =
                std::count_if(ports.begin(), ports.begin() + port.value, [&](const auto& other) {
                    return other.peer == ports[port].peer;
                });
            std::string portName = m_plan.GetRouters()[ports[port].peer].name;
            if (nBefore > 0)
            {
                portName += "." + std::to_string(nBefore + 1);
            }
            Names::Add(name, portName, GetPort(router, port));
        }
    }
}

uint64_t
WanHelper::GetLostPackets() const
{
    return m_failures.GetLostPackets();
}

FabricPacketCounts
WanHelper::GetPacketCounts() const
{
    FabricPacketCounts counts;
    const auto add = [&counts](Ptr<Node> node) {
        const auto layer = node->GetObject<TrafficControlLayer>();
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            if (const auto queueDisc = layer->GetRootQueueDiscOnDevice(node->GetDevice(i)))
            {
                const auto& stats = queueDisc->GetStats();
                counts.sent += stats.nTotalSentPackets;
                counts.dropped += stats.nTotalDroppedPackets;
                counts.marked += stats.nTotalMarkedPackets;
            }
        }
    };
    for (const auto& nodes : {GetHosts(), GetSwitches(), m_routers})
    {
        std::for_each(nodes.Begin(), nodes.End(), add);
    }
    return counts;
}

const WanPlan&
WanHelper::GetPlan() const
{
    return m_plan;
}

const WanRoutes&
WanHelper::GetRoutes() const
{
    NS_ABORT_MSG_IF(!m_routes, "WanHelper::AssignAddresses() comes first");
    return *m_routes;
}

Ptr<Node>
WanHelper::GetRouter(NodeIndex router) const
{
    return m_routers.Get(router.value);
}

Ptr<Node>
WanHelper::GetRouter(const std::string& name) const
{
    return GetRouter(m_plan.Find(name));
}

NodeContainer
WanHelper::GetEdges(uint32_t site) const
{
    NodeContainer nodes;
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        nodes.Add(GetRouter(edge));
    }
    return nodes;
}

NodeContainer
WanHelper::GetCores() const
{
    return GetEdges(WanRouter::NO_SITE);
}

NodeContainer
WanHelper::GetHosts() const
{
    return NodeContainer(m_aidcs[0].GetHosts(), m_aidcs[1].GetHosts());
}

NodeContainer
WanHelper::GetSwitches() const
{
    return NodeContainer(m_aidcs[0].GetSwitches(), m_aidcs[1].GetSwitches());
}

Ipv4Address
WanHelper::GetAddress(NodeIndex router)
{
    return Ipv4Address(WanPlan::GetAddress(router));
}

Ptr<EthernetNetDevice>
WanHelper::GetPort(NodeIndex router, PortIndex port) const
{
    const LinkIndex link = m_plan.GetPorts(router)[port].link;
    const uint32_t end = m_plan.GetLinks()[link].a == router ? 0 : 1;
    return DynamicCast<EthernetNetDevice>(m_devices[2 * link.value + end]);
}

Ptr<EthernetNetDevice>
WanHelper::GetPort(const std::string& router, const std::string& peer) const
{
    return GetPort(m_plan.Find(router), m_plan.FindPort(router, peer));
}

NetDeviceContainer
WanHelper::GetWanPorts(NodeIndex router) const
{
    NetDeviceContainer ports;
    for (PortIndex port; port < m_plan.GetPorts(router).GetEnd(); ++port)
    {
        ports.Add(GetPort(router, port));
    }
    return ports;
}

NetDeviceContainer
WanHelper::GetBorderPorts(NodeIndex edge) const
{
    return m_borderPorts[edge];
}

Ptr<EthernetChannel>
WanHelper::GetChannel(LinkIndex link) const
{
    return DynamicCast<EthernetChannel>(m_devices[2 * link.value]->GetChannel());
}

std::vector<FabricLink>
WanHelper::GetPath(NodeIndex a, NodeIndex b) const
{
    std::vector<FabricLink> sides[WAN_SITES]; // from the host to its PE
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        const FabricPlan& fabric = m_aidcs[site].GetFabric();
        const auto distances = WanRouteInstaller::GetDistances(fabric, m_borderLinks[site]);
        const NodeIndex host = site == 0 ? a : b;
        NodeIndex node = fabric.GetLeaf(host);
        sides[site].push_back(fabric.GetLinks()[fabric.GetPorts(host).front().link]);
        while (distances[node] > 1)
        {
            const auto& ports = fabric.GetPorts(node);
            const auto closer = std::find_if(ports.begin(), ports.end(), [&](const auto& port) {
                return distances[port.peer] < distances[node];
            });
            sides[site].push_back(fabric.GetLinks()[closer->link]);
            node = closer->peer;
        }
        FabricLink border;
        border.rate = m_borderRate;
        border.delay = m_borderDelay.GetNanoSeconds();
        sides[site].push_back(border);
    }
    auto path = sides[0];
    const auto wan = GetRoutes().GetLinks(
        GetRoutes().GetPath(m_plan.GetEdges(0).front(), m_plan.GetEdges(1).front()));
    path.insert(path.end(), wan.begin(), wan.end());
    path.insert(path.end(), sides[1].rbegin(), sides[1].rend());
    return path;
}

} // namespace ns3::aidc
