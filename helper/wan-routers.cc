/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-routers.h"

#include "ethernet-helper.h"
#include "link-address.h"
#include "local-node.h"

#include "ns3/data-rate.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/names.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::aidc
{

void
WanRouters::BuildRouters(const WanPlan& plan,
                         uint16_t mtu,
                         const MultipathRoutingHelper& routing,
                         const WanProcesses& processes)
{
    m_plan = plan;
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        m_routers.Add(CreateObject<Node>(processes.GetProcess(router)));
    }
    for (LinkIndex number; number < m_plan.GetLinks().GetEnd(); ++number)
    {
        const FabricLink& link = m_plan.GetLinks()[number];
        if (!IsLocal(link.a) && !IsLocal(link.b))
        {
            m_devices.insert(m_devices.end(), 2, nullptr);
            continue;
        }
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("Mtu", UintegerValue(mtu));
        ethernet.SetDeviceAttribute("DataRate", DataRateValue(DataRate(link.rate)));
        ethernet.SetChannelAttribute("Delay", TimeValue(NanoSeconds(link.delay)));
        const auto devices =
            ethernet.Install(m_routers.Get(link.a.value), m_routers.Get(link.b.value));
        const PortIndex ports[2] = {link.aPort, link.bPort};
        for (uint32_t end = 0; end < 2; ++end)
        {
            const auto device = devices.Get(end);
            device->SetAddress(MakeLinkAddress(ROUTER_LINKS, 2 * number.value + end));
            // By the node's and this number another process finds the device.
            device->SetIfIndex(ports[end].value);
            m_devices.push_back(device);
        }
    }
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(routing);
    stack.Install(GetLocalRouters());
}

bool
WanRouters::IsLocal(NodeIndex router) const
{
    return IsLocalNode(GetRouter(router));
}

NodeContainer
WanRouters::GetLocalRouters() const
{
    NodeContainer nodes;
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        if (IsLocal(router))
        {
            nodes.Add(GetRouter(router));
        }
    }
    return nodes;
}

void
WanRouters::RegisterRouterNames() const
{
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        const std::string& name = m_plan.GetRouters()[router].name;
        Names::Add(name, GetRouter(router));
        const auto& ports = m_plan.GetPorts(router);
        for (PortIndex port; IsLocal(router) && port < ports.GetEnd(); ++port)
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

Ptr<Node>
WanRouters::GetRouter(NodeIndex router) const
{
    return m_routers.Get(router.value);
}

Ptr<Node>
WanRouters::GetRouter(const std::string& name) const
{
    return GetRouter(m_plan.Find(name));
}

NodeContainer
WanRouters::GetEdges(uint32_t site) const
{
    NodeContainer nodes;
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        if (IsLocal(edge))
        {
            nodes.Add(GetRouter(edge));
        }
    }
    return nodes;
}

NodeContainer
WanRouters::GetEdges() const
{
    NodeContainer nodes;
    for (uint32_t site = 0; site < m_plan.GetNSites(); ++site)
    {
        nodes.Add(GetEdges(site));
    }
    return nodes;
}

NodeContainer
WanRouters::GetCores() const
{
    return GetEdges(WanRouter::NO_SITE);
}

Ipv4Address
WanRouters::GetAddress(NodeIndex router, uint32_t i)
{
    return Ipv4Address(WanPlan::GetAddress(router, i));
}

Ptr<EthernetNetDevice>
WanRouters::GetPort(NodeIndex router, PortIndex port) const
{
    const LinkIndex link = m_plan.GetPorts(router)[port].link;
    const uint32_t end = m_plan.GetLinks()[link].a == router ? 0 : 1;
    return DynamicCast<EthernetNetDevice>(m_devices[2 * link.value + end]);
}

Ptr<EthernetNetDevice>
WanRouters::GetPort(const std::string& router, const std::string& peer) const
{
    return GetPort(m_plan.Find(router), m_plan.FindPort(router, peer));
}

NetDeviceContainer
WanRouters::GetWanPorts(NodeIndex router) const
{
    NetDeviceContainer ports;
    for (PortIndex port; port < m_plan.GetPorts(router).GetEnd(); ++port)
    {
        if (const auto device = GetPort(router, port))
        {
            ports.Add(device);
        }
    }
    return ports;
}

Ptr<EthernetChannel>
WanRouters::GetChannel(LinkIndex link) const
{
    const auto device = m_devices[2 * link.value];
    return device ? DynamicCast<EthernetChannel>(device->GetChannel()) : nullptr;
}

} // namespace ns3::aidc
