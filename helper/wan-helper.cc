/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-helper.h"

#include "ethernet-helper.h"
#include "user-default.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
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

/**
 * @brief Find the switches of the top tier.
 * @param fabric the plan of a data center
 * @return its super-spines; without any, spines; without any, leaves
 */
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

/**
 * @brief Add the headroom of ports to their node's shared memory.
 * @param node the node
 * @param ports its ports
 * @param pfc derives the headroom
 */
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

/**
 * @brief Get the Ethernet ports of a node.
 * @param node the node
 * @return the ports
 */
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

WanHelper::~WanHelper() = default;

void
WanHelper::SetMtu(uint16_t mtu)
{
    m_mtu = mtu;
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
    m_border.at(site) = switches;
}

void
WanHelper::SetCoreKnowsAidcs(bool isKnown)
{
    m_coreKnowsAidcs = isKnown;
}

void
WanHelper::SetDatapath(SwitchDatapath::Mode mode)
{
    m_datapath = mode;
}

void
WanHelper::SetOrderedArrivals(bool isOrdered)
{
    m_isOrdered = isOrdered;
}

void
WanHelper::SetDetectionDelay(Time delay)
{
    m_failures.SetDetectionDelay(delay);
}

void
WanHelper::SetConvergenceDelay(Time delay)
{
    m_failures.SetConvergenceDelay(delay);
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
        if (m_border[site].empty())
        {
            m_border[site] = GetTopTier(fabric);
        }
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
    m_borderPorts = IndexedVector<NodeIndex, NetDeviceContainer>(m_plan.GetRouters().size());
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        BuildBorder(site);
    }
}

void
WanHelper::BuildBorder(uint32_t site)
{
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("Mtu", UintegerValue(m_aidcs[site].GetMtu()));
    ethernet.SetDeviceAttribute("DataRate", DataRateValue(DataRate(m_borderRate)));
    ethernet.SetChannelAttribute("Delay", TimeValue(m_borderDelay));
    for (const NodeIndex edge : m_plan.GetEdges(site))
    {
        for (const NodeIndex border : m_border[site])
        {
            NS_ABORT_MSG_UNLESS(m_aidcs[site].GetFabric().IsSwitch(border),
                                "WanHelper: node " << border << " of data center " << site
                                                   << " is no switch");
            const auto devices =
                ethernet.Install(m_routers.Get(edge.value), m_aidcs[site].GetNode(border));
            m_borderPorts[edge].Add(devices.Get(0));
            WanBorderLink link;
            link.edge = edge;
            link.border = border;
            m_borderLinks[site].push_back(link);
        }
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
            AddHeadroom(GetRouter(router), m_borderPorts[router], pfc);
            pfc.InstallSwitch(GetRouter(router), m_borderPorts[router]);
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
        const FabricPlan& fabric = m_aidcs[site].GetFabric();
        NodeContainer nodes;
        for (NodeIndex id; id < NodeIndex(fabric.GetNNodes()); ++id)
        {
            nodes.Add(m_aidcs[site].GetNode(id));
        }
        std::size_t next = 0;
        for (const NodeIndex edge : m_plan.GetEdges(site))
        {
            const auto& ports = m_borderPorts[edge];
            for (uint32_t i = 0; i < ports.GetN(); ++i, ++next)
            {
                const auto peer = ports.Get(i)->GetChannel()->GetDevice(1);
                const auto getInterface = [](Ptr<NetDevice> device) {
                    const auto ipv4 = device->GetNode()->GetObject<Ipv4>();
                    return static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device));
                };
                m_borderLinks[site][next].edgeInterface = getInterface(ports.Get(i));
                m_borderLinks[site][next].borderInterface = getInterface(peer);
            }
        }
        m_routeInstaller->InstallAidc(site, fabric, nodes, m_borderLinks[site]);
    }
    m_routeInstaller->Update(*m_routes);
}

void
WanHelper::AssignAddress(NodeIndex router)
{
    const auto node = GetRouter(router);
    const auto ipv4 = node->GetObject<Ipv4>();
    NetDeviceContainer ports = GetWanPorts(router);
    ports.Add(m_borderPorts[router]);
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        const uint32_t interface = ipv4->AddInterface(*port);
        ipv4->SetMetric(interface, 1);
        ipv4->SetUp(interface);
    }
    ipv4->AddAddress(LOOPBACK, Ipv4InterfaceAddress(GetAddress(router), Ipv4Mask::GetOnes()));
    auto datapath = CreateObject<SwitchDatapath>();
    if (m_datapath)
    {
        datapath->SetAttribute("Mode", EnumValue(*m_datapath));
    }
    if (m_isOrdered)
    {
        datapath->SetAttribute("OrderedArrivals", BooleanValue(*m_isOrdered));
    }
    else
    {
        SetDerived(*datapath, "OrderedArrivals", BooleanValue(true));
    }
    datapath->Install(node);
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

} // namespace ns3::aidc
