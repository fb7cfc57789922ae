/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-border.h"

#include "../model/core/require-argument.h"
#include "ethernet-helper.h"
#include "link-address.h"
#include "local-node.h"

#include "ns3/aidc-input-error.h"
#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>

namespace ns3::aidc
{

namespace
{

/// Find the switches of the top tier.
std::vector<NodeIndex>
GetTopTier(const FabricPlan& fabric)
{
    FabricTier top = FabricTier::LEAF;
    for (const NodeIndex id : fabric.GetSwitches())
    {
        top = std::max(top, fabric.GetNode(id).tier);
    }
    std::vector<NodeIndex> switches;
    for (const NodeIndex id : fabric.GetSwitches())
    {
        if (fabric.GetNode(id).tier == top)
        {
            switches.push_back(id);
        }
    }
    return switches;
}

/// Get the device at the other end of a link. @param device the device at this end, null if neither
/// end is of this process @return the other one, or null
Ptr<NetDevice>
GetOtherEnd(const Ptr<NetDevice>& device)
{
    if (!device)
    {
        return nullptr;
    }
    const auto channel = device->GetChannel();
    return channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
}

/// Get the index of the IPv4 interface of a port. @return its interface; 0 if it is of another
/// process
uint32_t
GetInterfaceOf(const Ptr<NetDevice>& port)
{
    if (!port || !IsLocalNode(port->GetNode()))
    {
        return 0;
    }
    return static_cast<uint32_t>(port->GetNode()->GetObject<Ipv4>()->GetInterfaceForDevice(port));
}

} // namespace

WanBorder::WanBorder()
    : m_failures(m_plan, m_ends, m_devices, [](LinkIndex, bool) {})
{
}

void
WanBorder::Build(const FabricHelper& aidc,
                 const WanPlan& wan,
                 uint32_t site,
                 const NodeContainer& routers,
                 uint64_t rate,
                 Time delay)
{
    m_aidc = &aidc;
    m_link.rate = rate;
    m_link.delay = delay.GetNanoSeconds();
    const auto switches = GetTopTier(aidc.GetFabric());
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("Mtu", UintegerValue(aidc.GetMtu()));
    ethernet.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
    ethernet.SetChannelAttribute("Delay", TimeValue(delay));
    const auto edges = wan.GetEdges(site);
    for (uint32_t i = 0; i < edges.size(); ++i)
    {
        for (uint32_t j = 0; j < switches.size(); ++j)
        {
            const NodeIndex edge = edges[i];
            const NodeIndex border = switches[j];
            m_links.push_back({edge, border, nullptr});
            m_ends.Add(routers.Get(edge.value));
            m_ends.Add(aidc.GetNode(border));
            if (!IsLocalNode(routers.Get(edge.value)) && !aidc.IsLocal(border))
            {
                m_devices.insert(m_devices.end(), 2, nullptr);
                continue;
            }
            const auto devices = ethernet.Install(routers.Get(edge.value), aidc.GetNode(border));
            // After the ports of the plan and the loopback device; another process finds them so.
            const std::size_t places[2] = {wan.GetPorts(edge).size() + 1 + j,
                                           aidc.GetFabric().GetPorts(border).size() + 1 + i};
            for (uint32_t end = 0; end < 2; ++end)
            {
                const auto device = devices.Get(end);
                const auto number = static_cast<uint32_t>(m_devices.size());
                device->SetAddress(
                    MakeLinkAddress(static_cast<uint8_t>(BORDER_LINKS + site), number));
                device->SetIfIndex(static_cast<uint32_t>(places[end]));
                m_devices.push_back(device);
            }
            m_links.back().port = devices.Get(0);
        }
    }
}

NetDeviceContainer
WanBorder::GetPorts(NodeIndex edge) const
{
    NetDeviceContainer ports;
    for (const auto& link : m_links)
    {
        if (link.edge == edge && link.port)
        {
            ports.Add(link.port);
        }
    }
    return ports;
}

std::vector<WanBorderLink>
WanBorder::GetLinks() const
{
    std::vector<WanBorderLink> links;
    for (const auto& link : m_links)
    {
        links.push_back({link.edge,
                         link.border,
                         GetInterfaceOf(link.port),
                         GetInterfaceOf(GetOtherEnd(link.port))});
    }
    return links;
}

LinkIndex
WanBorder::FindLink(NodeIndex edge, NodeIndex border)
{
    // The ends have their interfaces by now.
    for (auto i = static_cast<uint32_t>(m_plan.size()); i < m_links.size(); ++i)
    {
        FabricLink link = m_link;
        link.a = NodeIndex(2 * i);
        link.b = NodeIndex(2 * i + 1);
        link.aPort = PortIndex(GetInterfaceOf(m_devices[2 * i]) - 1);
        link.bPort = PortIndex(GetInterfaceOf(m_devices[2 * i + 1]) - 1);
        m_plan.Add(link);
    }
    const auto found = std::find_if(m_links.begin(), m_links.end(), [&](const Link& link) {
        return link.edge == edge && link.border == border;
    });
    if (found == m_links.end())
    {
        throw AidcInputError("links",
                             0,
                             "a PE and a border switch of one data center",
                             "router " + std::to_string(edge.value) + " and node " +
                                 std::to_string(border.value));
    }
    return LinkIndex(static_cast<uint32_t>(found - m_links.begin()));
}

void
WanBorder::ScheduleFailure(NodeIndex edge, NodeIndex border, Time failure, Time restoration)
{
    FindLink(edge, border);
    FabricLinkFailures::CheckTimes(failure, restoration);
    Simulator::Schedule(failure, &WanBorder::FailLink, this, edge, border);
    Simulator::Schedule(restoration, &WanBorder::RestoreLink, this, edge, border);
}

NetworkPath
WanBorder::GetPathToEdge(NodeIndex host) const
{
    const FabricPlan& fabric = m_aidc->GetFabric();
    const auto distances = WanRouteInstaller::GetDistances(fabric, GetLinks());
    NetworkPath path;
    NodeIndex node = host;
    const auto goOn = [&](PortIndex port) {
        path.links.push_back(fabric.GetLinks()[fabric.GetPorts(node)[port].link]);
        path.arrivals.push_back(GetOtherEnd(m_aidc->GetPort(node, port)));
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
    path.links.push_back(m_link);
    // The links of the first PE come first.
    const auto found = std::find_if(m_links.begin(), m_links.end(), [node](const Link& link) {
        return link.border == node;
    });
    path.arrivals.push_back(found->port);
    return path;
}

NetworkPath
WanBorder::GetPathFromEdge(NodeIndex host) const
{
    NetworkPath path = GetPathToEdge(host);
    std::reverse(path.links.begin(), path.links.end());
    std::reverse(path.arrivals.begin(), path.arrivals.end());
    std::transform(path.arrivals.begin(), path.arrivals.end(), path.arrivals.begin(), &GetOtherEnd);
    return path;
}

} // namespace ns3::aidc
