/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-helper.h"

#include "ethernet-helper.h"
#include "user-default.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/names.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcWanHelper");

namespace
{

/// The MTU between routers: jumbo frames of data centers have room in tunnels.
constexpr uint16_t DEFAULT_MTU = 9600;

/// The IPv4 interface of the loopback device.
constexpr uint32_t LOOPBACK = 0;

/// Add the headroom of ports to their node's shared memory.
/// @param node the node
/// @param ports its ports
/// @param pfc derives the headroom
void
AddHeadroom(Ptr<Node> node, const NetDeviceContainer& ports, const PriorityFlowControlHelper& pfc)
{
    const auto buffer = node->GetObject<SharedBuffer>();
    NS_ABORT_MSG_UNLESS(buffer, "WanHelper: node " << node->GetId() << " has no SharedBuffer");
    QueueSizeValue size;
    buffer->GetAttribute("Size", size);
    uint64_t bytes = size.Get().GetValue();
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        bytes += pfc.GetHeadroom(*port).GetSum();
    }
    NS_ABORT_MSG_IF(bytes > std::numeric_limits<uint32_t>::max(),
                    "WanHelper: node " << node->GetId() << " needs " << bytes
                                       << " bytes of memory and headroom, which is too much");
    buffer->SetAttribute(
        "Size",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes))));
}

/// Get the Ethernet ports of a node.
NetDeviceContainer
GetEthernetPorts(Ptr<Node> node)
{
    NetDeviceContainer ports;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        if (DynamicCast<EthernetNetDevice>(node->GetDevice(i)))
        {
            ports.Add(node->GetDevice(i));
        }
    }
    return ports;
}

} // namespace

WanHelper::WanHelper()
    : m_borderDelay(MicroSeconds(1)),
      m_failures(m_plan.GetLinks(), m_routers, m_devices, [this](LinkIndex link, bool isUp) {
          m_routes->SetLinkUp(link, isUp);
          m_routeInstaller->Update(*m_routes);
      })
{
}

uint16_t
WanHelper::GetMtu() const
{
    return m_mtu.value_or(GetUserDefaultOr("ns3::aidc::EthernetNetDevice::Mtu", DEFAULT_MTU));
}

void
WanHelper::SetBorderLink(uint64_t rate, Time delay)
{
    m_borderRate = rate;
    m_borderDelay = delay;
}

void
WanHelper::SetBorder(uint32_t site, const std::vector<NodeIndex>& switches)
{
    m_borders.at(site).SetSwitches(switches);
}

void
WanHelper::SetDetectionDelay(Time delay)
{
    m_failures.SetDetectionDelay(delay);
    for (auto& border : m_borders)
    {
        border.SetDetectionDelay(delay);
    }
}

uint64_t
WanHelper::GetLostPackets() const
{
    return m_failures.GetLostPackets() + m_borders[0].GetLostPackets() +
           m_borders[1].GetLostPackets();
}

void
WanHelper::Build(const FabricPlan& a, const FabricPlan& b, const WanPlan& wan)
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_routers.GetN() > 0, "WanHelper::Build() is called once");
    m_plan = wan;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        NS_ABORT_MSG_IF(m_plan.GetEdges(site).empty(),
                        "WanHelper: data center " << site << " has no provider edge router");
        FabricPlan fabric = site == 0 ? a : b;
        fabric.SetNetworks(WanPlan::GetNetworks(site));
        m_aidcs[site].Build(fabric);
    }
    m_routers.Create(static_cast<uint32_t>(m_plan.GetRouters().size()));
    for (const auto& link : m_plan.GetLinks())
    {
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("Mtu", UintegerValue(GetMtu()));
        ethernet.SetDeviceAttribute("DataRate", DataRateValue(DataRate(link.rate)));
        ethernet.SetChannelAttribute("Delay", TimeValue(NanoSeconds(link.delay)));
        const auto devices =
            ethernet.Install(m_routers.Get(link.a.value), m_routers.Get(link.b.value));
        m_devices.push_back(devices.Get(0));
        m_devices.push_back(devices.Get(1));
    }
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(m_routing);
    stack.Install(m_routers);
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        m_borders[site].Build(m_aidcs[site],
                              m_plan.GetEdges(site),
                              m_routers,
                              m_borderRate,
                              m_borderDelay);
    }
}

void
WanHelper::InstallLossless(const PriorityFlowControlHelper& pfc) const
{
    const auto switches = GetSwitches();
    for (auto node = switches.Begin(); node != switches.End(); ++node)
    {
        AddHeadroom(*node, GetEthernetPorts(*node), pfc);
    }
    pfc.InstallSwitches(switches);
    pfc.InstallHosts(GetHosts());
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        if (m_plan.IsEdge(router))
        {
            const auto ports = GetBorderPorts(router);
            AddHeadroom(GetRouter(router), ports, pfc);
            pfc.InstallSwitch(GetRouter(router), ports);
        }
    }
}

void
WanHelper::AssignAddresses()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_routers.GetN() == 0, "WanHelper::Build() comes first");
    for (auto& aidc : m_aidcs)
    {
        aidc.AssignAddresses();
    }
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        AssignAddress(router);
    }
    m_routes = std::make_unique<WanRoutes>(m_plan);
    m_routeInstaller = std::make_unique<WanRouteInstaller>(m_plan, m_routers, m_coreKnowsAidcs);
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        if (m_aidcs[site].GetSwitchRoutes() == FabricHelper::OWN_HOSTS)
        {
            continue; // a routing protocol sets the others
        }
        const FabricPlan& fabric = m_aidcs[site].GetFabric();
        NodeContainer nodes;
        for (NodeIndex id; id < NodeIndex(fabric.GetNNodes()); ++id)
        {
            nodes.Add(m_aidcs[site].GetNode(id));
        }
        m_routeInstaller->InstallAidc(site, fabric, nodes, m_borders[site].GetLinks());
    }
    m_routeInstaller->Update(*m_routes);
}

void
WanHelper::AssignAddress(NodeIndex router)
{
    const auto node = GetRouter(router);
    const auto ipv4 = node->GetObject<Ipv4>();
    NetDeviceContainer ports = GetWanPorts(router);
    ports.Add(GetBorderPorts(router));
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        const uint32_t interface = ipv4->AddInterface(*port);
        ipv4->SetMetric(interface, 1);
        ipv4->SetUp(interface);
    }
    ipv4->AddAddress(LOOPBACK, Ipv4InterfaceAddress(GetAddress(router), Ipv4Mask::GetOnes()));
    m_datapath.Install(node);
}

int64_t
WanHelper::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (auto& aidc : m_aidcs)
    {
        next += aidc.AssignStreams(next);
    }
    for (auto router = m_routers.Begin(); router != m_routers.End(); ++router)
    {
        MultipathRoutingHelper::AssignStreams(NodeContainer(*router), next++);
    }
    return next - stream;
}

void
WanHelper::FailLink(LinkIndex link)
{
    m_failures.CheckLink(link);
    m_failures.SetFailed(link, true);
}

void
WanHelper::RestoreLink(LinkIndex link)
{
    m_failures.CheckLink(link);
    m_failures.SetFailed(link, false);
}

void
WanHelper::ScheduleFailure(LinkIndex link, Time failure, Time restoration)
{
    m_failures.CheckLink(link);
    FabricLinkFailures::CheckTimes(failure, restoration);
    Simulator::Schedule(failure, &WanHelper::FailLink, this, link);
    Simulator::Schedule(restoration, &WanHelper::RestoreLink, this, link);
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
    NetDeviceContainer ports;
    for (const auto& border : m_borders)
    {
        ports.Add(border.GetPorts(edge));
    }
    return ports;
}

Ptr<EthernetChannel>
WanHelper::GetChannel(LinkIndex link) const
{
    return DynamicCast<EthernetChannel>(m_devices[2 * link.value]->GetChannel());
}

NetworkPath
WanHelper::GetPath(NodeIndex a, NodeIndex b) const
{
    NetworkPath path = m_borders[0].GetPathToEdge(a);
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
    const NetworkPath last = m_borders[1].GetPathFromEdge(b);
    path.links.insert(path.links.end(), last.links.begin(), last.links.end());
    path.arrivals.insert(path.arrivals.end(), last.arrivals.begin(), last.arrivals.end());
    return path;
}

} // namespace ns3::aidc
