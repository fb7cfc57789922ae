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
#include <iterator>

/**
 * @file
 * @ingroup aidc
 * What a WanHelper tells of the network that it has built.
 */

namespace ns3::aidc
{

namespace
{

/**
 * @brief Get the other end of a link.
 * @param device one end
 * @return the other one
 */
Ptr<NetDevice>
GetPeer(const Ptr<NetDevice>& device)
{
    const auto channel = device->GetChannel();
    return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
}

} // namespace

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

NetworkPath
WanHelper::GetPath(NodeIndex a, NodeIndex b) const
{
    NetworkPath path = GetPathToEdge(0, a);
    const auto wan = GetRoutes().GetLinks(
        GetRoutes().GetPath(m_plan.GetEdges(0).front(), m_plan.GetEdges(1).front()));
    NodeIndex router = m_plan.GetEdges(0).front();
    for (const auto& link : wan)
    {
        const bool isForward = link.a == router;
        router = isForward ? link.b : link.a;
        path.links.push_back(link);
        path.arrivals.push_back(GetPort(router, isForward ? link.bPort : link.aPort));
    }
    const NetworkPath back = GetPathToEdge(1, b);
    path.links.insert(path.links.end(), back.links.rbegin(), back.links.rend());
    std::transform(back.arrivals.rbegin(),
                   back.arrivals.rend(),
                   std::back_inserter(path.arrivals),
                   &GetPeer);
    return path;
}

NetworkPath
WanHelper::GetPathToEdge(uint32_t site, NodeIndex host) const
{
    const FabricHelper& aidc = m_aidcs[site];
    const FabricPlan& fabric = aidc.GetFabric();
    const auto distances = WanRouteInstaller::GetDistances(fabric, m_borderLinks[site]);
    NetworkPath path;
    NodeIndex node = host;
    const auto goOn = [&](PortIndex port) {
        path.links.push_back(fabric.GetLinks()[fabric.GetPorts(node)[port].link]);
        path.arrivals.push_back(GetPeer(aidc.GetPort(node, port)));
        node = fabric.GetPorts(node)[port].peer;
    };
    goOn(PortIndex(0));
    while (distances[node] > 1)
    {
        PortIndex port;
        while (distances[fabric.GetPorts(node)[port].peer] >= distances[node])
        {
            ++port;
        }
        goOn(port);
    }
    FabricLink border;
    border.rate = m_borderRate;
    border.delay = m_borderDelay.GetNanoSeconds();
    path.links.push_back(border);
    const auto place = std::find(m_border[site].begin(), m_border[site].end(), node);
    path.arrivals.push_back(m_borderPorts[m_plan.GetEdges(site).front()].Get(
        static_cast<uint32_t>(place - m_border[site].begin())));
    return path;
}

} // namespace ns3::aidc
