// SPDX-License-Identifier: GPL-2.0-only

#include "wan-helper.h"

#include "../model/core/require-argument.h"
#include "fabric-interface.h"
#include "link-address.h"
#include "local-node.h"
#include "user-default.h"

#include "ns3/aidc-input-error.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/mpi-processes.h"
#include "ns3/names.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <sstream>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcWanHelper");

namespace
{

/// The MTU between routers: jumbo frames of data centers have room in tunnels.
constexpr uint16_t DEFAULT_MTU = 9600;

/// Add the headroom of ports to their node's shared memory.
void
AddHeadroom(Ptr<Node> node, const NetDeviceContainer& ports, const PriorityFlowControlHelper& pfc)
{
    const auto buffer = node->GetObject<SharedBuffer>();
    AIDC_REFUSED_UNLESS(buffer, "WanHelper: node " << node->GetId() << " has no SharedBuffer");
    QueueSizeValue size;
    buffer->GetAttribute("Size", size);
    uint64_t bytes = size.Get().GetValue();
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        bytes += pfc.GetHeadroom(*port).GetSum();
    }
    AIDC_REFUSED_IF(bytes > std::numeric_limits<uint32_t>::max(),
                    "WanHelper: node " << node->GetId() << " needs " << bytes
                                       << " bytes of memory and headroom, which is too much");
    buffer->SetAttribute(
        "Size",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(bytes))));
}

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

void
WanHelper::SetMtu(uint32_t mtu)
{
    AIDC_REFUSED_IF(mtu < 68 || mtu > 65535,
                    "WanHelper: expected an MTU from 68 to 65535 bytes, found " << mtu);
    m_mtu = static_cast<uint16_t>(mtu);
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

WanHelper::Site&
WanHelper::GetSite(uint32_t site)
{
    AIDC_REFUSED_IF(site >= MAX_WAN_SITES || (m_isBuilt && site >= m_sites.size()),
                    "WanHelper: expected a data center from 0 to "
                        << (m_isBuilt ? m_sites.size() : MAX_WAN_SITES) - 1 << ", found " << site);
    while (m_sites.size() <= site)
    {
        auto& border = m_sites.emplace_back().border;
        if (m_detectionDelay)
        {
            border.SetDetectionDelay(*m_detectionDelay);
        }
    }
    return m_sites[site];
}

const WanHelper::Site&
WanHelper::GetSite(uint32_t site) const
{
    AIDC_REFUSED_IF(site >= m_sites.size(),
                    "WanHelper: expected one of " << m_sites.size() << " data centers, found "
                                                  << site);
    return m_sites[site];
}

void
WanHelper::SetDetectionDelay(Time delay)
{
    m_detectionDelay = delay;
    m_failures.SetDetectionDelay(delay);
    for (auto& site : m_sites)
    {
        site.border.SetDetectionDelay(delay);
    }
}

uint64_t
WanHelper::GetLostPackets() const
{
    return std::accumulate(
        m_sites.begin(),
        m_sites.end(),
        m_failures.GetLostPackets(),
        [](uint64_t sum, const Site& site) { return sum + site.border.GetLostPackets(); });
}

void
WanHelper::Build(const std::vector<FabricPlan>& aidcs, const WanPlan& wan)
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_IF(m_isBuilt, "WanHelper::Build() is called once");
    const auto nSites = static_cast<uint32_t>(aidcs.size());
    AIDC_REFUSED_IF(nSites < 2 || nSites != wan.GetNSites() || nSites < m_sites.size(),
                    "WanHelper: expected the plans of as many data centers as the WAN joins, which "
                    "is "
                        << wan.GetNSites() << " and at least 2, and as are configured, which is "
                        << m_sites.size() << "; found " << nSites);
    const WanProcesses processes(wan, MpiProcesses::Get().GetN());
    for (uint32_t site = 0; site < nSites; ++site)
    {
        AIDC_REFUSED_IF(wan.GetEdges(site).empty(),
                        "WanHelper: data center " << site << " has no provider edge router");
        FabricPlan fabric = aidcs[site];
        fabric.SetNetworks(WanPlan::GetNetworks(site));
        if (processes.GetN() > 1)
        {
            processes.Assign(site, fabric);
        }
        GetSite(site).aidc.Build(fabric);
    }
    m_isBuilt = true;
    m_plan = wan;
    BuildRouters(processes);
    for (uint32_t site = 0; site < nSites; ++site)
    {
        auto& [aidc, border] = m_sites[site];
        border.Build(aidc, m_plan, site, m_routers, m_borderRate, m_borderDelay);
        aidc.SetOutsidePause([this, site] { return GetLongestPause(site); });
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
        if (m_plan.IsEdge(router) && IsLocal(router))
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
    AIDC_REFUSED_UNLESS(m_isBuilt, "WanHelper::Build() comes first");
    for (auto& site : m_sites)
    {
        site.aidc.AssignAddresses();
    }
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        if (IsLocal(router))
        {
            AssignAddress(router);
        }
    }
    m_routes = std::make_unique<WanRoutes>(m_plan);
    m_routeInstaller = std::make_unique<WanRouteInstaller>(m_plan, m_routers, m_coreKnowsAidcs);
    for (uint32_t site = 0; site < m_sites.size(); ++site)
    {
        const auto& [aidc, border] = m_sites[site];
        if (aidc.GetSwitchRoutes() == FabricHelper::OWN_HOSTS)
        {
            continue; // a routing protocol sets the others
        }
        const FabricPlan& fabric = aidc.GetFabric();
        NodeContainer nodes;
        for (NodeIndex id; id < NodeIndex(fabric.GetNNodes()); ++id)
        {
            nodes.Add(aidc.GetNode(id));
        }
        m_routeInstaller->InstallAidc(site, fabric, nodes, border.GetLinks());
    }
    m_routeInstaller->Update(*m_routes);
}

void
WanHelper::AssignAddress(NodeIndex router)
{
    const auto node = GetRouter(router);
    const auto ipv4 = node->GetObject<Ipv4>();
    NetDeviceContainer ports;
    for (PortIndex port; port < m_plan.GetPorts(router).GetEnd(); ++port)
    {
        ports.Add(GetPort(router, port));
    }
    ports.Add(GetBorderPorts(router));
    for (auto port = ports.Begin(); port != ports.End(); ++port)
    {
        const uint32_t interface = ipv4->AddInterface(*port);
        ipv4->SetMetric(interface, 1);
        ipv4->SetUp(interface);
    }
    ipv4->AddAddress(LOOPBACK_INTERFACE,
                     Ipv4InterfaceAddress(GetAddress(router), Ipv4Mask::GetOnes()));
    m_datapath.Install(node);
}

void
WanHelper::SetNEdgeAddresses(uint32_t n)
{
    AIDC_REFUSED_IF(n == 0 || n > WanPlan::MAX_ADDRESSES,
                    "WanHelper: expected 1 to " << WanPlan::MAX_ADDRESSES
                                                << " addresses of a PE, found " << n);
    GetRoutes(); // which are there once addresses are assigned
    for (uint32_t site = 0; site < m_sites.size(); ++site)
    {
        for (const NodeIndex edge : m_plan.GetEdges(site))
        {
            const auto ipv4 = GetRouter(edge)->GetObject<Ipv4>();
            for (uint32_t i = m_routeInstaller->GetNEdgeAddresses(); IsLocal(edge) && i < n; ++i)
            {
                ipv4->AddAddress(LOOPBACK_INTERFACE,
                                 Ipv4InterfaceAddress(GetAddress(edge, i), Ipv4Mask::GetOnes()));
            }
        }
    }
    m_routeInstaller->SetNEdgeAddresses(n);
    m_routeInstaller->Update(*m_routes);
}

int64_t
WanHelper::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (auto& site : m_sites)
    {
        next += site.aidc.AssignStreams(next);
    }
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        if (IsLocal(router))
        {
            MultipathRoutingHelper::AssignStreams(NodeContainer(GetRouter(router)), next);
        }
        ++next;
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
WanHelper::DrainLink(LinkIndex link)
{
    m_failures.CheckLink(link);
    if (m_drained.insert(link).second)
    {
        ScheduleDrain(link, true);
    }
}

void
WanHelper::RestoreLink(LinkIndex link)
{
    m_failures.CheckLink(link);
    m_failures.SetFailed(link, false);
    if (m_drained.erase(link) > 0)
    {
        ScheduleDrain(link, false);
    }
}

void
WanHelper::ScheduleDrain(LinkIndex link, bool isDrained)
{
    GetRoutes(); // which are there once addresses are assigned
    Simulator::Schedule(m_failures.GetConvergenceDelay(), [this, link, isDrained] {
        m_routes->SetDrained(link, isDrained);
        m_routeInstaller->Update(*m_routes);
    });
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
WanHelper::ScheduleMaintenance(LinkIndex link, Time drain, Time failure, Time restoration)
{
    m_failures.CheckLink(link);
    if (drain.IsStrictlyNegative() || failure <= drain || restoration <= failure)
    {
        std::ostringstream found;
        found << "a drain in " << drain.As(Time::US) << ", a failure in " << failure.As(Time::US)
              << ", a restoration in " << restoration.As(Time::US);
        throw AidcInputError("links",
                             0,
                             "a drain from now on, a later failure, and a still later restoration",
                             found.str());
    }
    Simulator::Schedule(drain, &WanHelper::DrainLink, this, link);
    ScheduleFailure(link, failure, restoration);
}

void
WanHelper::RegisterNames() const
{
    for (uint32_t site = 0; site < m_sites.size(); ++site)
    {
        m_sites[site].aidc.RegisterNames(WanPlan::GetSiteName(site) + "-");
    }
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

FabricPacketCounts
WanHelper::GetPacketCounts() const
{
    FabricPacketCounts counts;
    for (const auto& nodes : {GetHosts(), GetSwitches(), GetLocalRouters()})
    {
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
            {
                counts.Add((*node)->GetDevice(i));
            }
        }
    }
    return counts.GetSumOverProcesses();
}

const WanRoutes&
WanHelper::GetRoutes() const
{
    AIDC_REFUSED_IF(!m_routes, "WanHelper::AssignAddresses() comes first");
    return *m_routes;
}

NodeContainer
WanHelper::GetHosts() const
{
    NodeContainer hosts;
    for (const auto& site : m_sites)
    {
        hosts.Add(site.aidc.GetHosts());
    }
    return hosts;
}

NodeContainer
WanHelper::GetSwitches() const
{
    NodeContainer switches;
    for (const auto& site : m_sites)
    {
        switches.Add(site.aidc.GetSwitches());
    }
    return switches;
}

NetDeviceContainer
WanHelper::GetBorderPorts(NodeIndex edge) const
{
    NetDeviceContainer ports;
    for (const auto& site : m_sites)
    {
        ports.Add(site.border.GetPorts(edge));
    }
    return ports;
}

NetworkPath
WanHelper::GetPath(NodeIndex a, NodeIndex b, uint32_t siteA, uint32_t siteB) const
{
    AIDC_REFUSED_IF(siteA == siteB,
                    "WanHelper: expected two data centers, found " << siteA << " twice");
    NetworkPath path = GetSite(siteA).border.GetPathToEdge(a);
    path.entry = path.arrivals.size() - 1;
    NodeIndex router = m_plan.GetEdges(siteA).front();
    const auto wan =
        GetRoutes().GetLinks(GetRoutes().GetPath(router, m_plan.GetEdges(siteB).front()));
    for (const auto& link : wan)
    {
        const bool isForward = link.a == router;
        router = isForward ? link.b : link.a;
        path.links.push_back(link);
        path.arrivals.push_back(GetPort(router, isForward ? link.bPort : link.aPort));
    }
    path.nEdges = static_cast<uint32_t>(m_plan.GetEdges(siteA).size());
    const NetworkPath last = GetSite(siteB).border.GetPathFromEdge(b);
    path.links.insert(path.links.end(), last.links.begin(), last.links.end());
    path.arrivals.insert(path.arrivals.end(), last.arrivals.begin(), last.arrivals.end());
    return path;
}

Time
WanHelper::GetLongestPause(uint32_t site) const
{
    const auto getHost = [this](uint32_t of) {
        return GetSite(of).aidc.GetFabric().GetHosts().front();
    };
    Time longest;
    for (uint32_t other = 0; other < m_sites.size(); ++other)
    {
        if (other != site)
        {
            const auto path = GetPath(getHost(site), getHost(other), site, other);
            longest = std::max(longest, path.GetWait().longest);
        }
    }
    return longest;
}

void
WanHelper::BuildRouters(const WanProcesses& processes)
{
    for (NodeIndex router; router < m_plan.GetRouters().GetEnd(); ++router)
    {
        m_routers.Add(CreateObject<Node>(processes.GetProcess(router)));
    }
    for (LinkIndex number; number < m_plan.GetLinks().GetEnd(); ++number)
    {
        const FabricLink& link = m_plan.GetLinks()[number];
        AddWanLink(m_devices,
                   {GetRouter(link.a), GetRouter(link.b)},
                   {link.aPort.value, link.bPort.value},
                   GetMtu(),
                   link,
                   ROUTER_LINKS);
    }
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(m_routing);
    stack.Install(GetLocalRouters());
}

bool
WanHelper::IsLocal(NodeIndex router) const
{
    return IsLocalNode(GetRouter(router));
}

NodeContainer
WanHelper::GetLocalRouters() const
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
        if (IsLocal(edge))
        {
            nodes.Add(GetRouter(edge));
        }
    }
    return nodes;
}

NodeContainer
WanHelper::GetEdges() const
{
    NodeContainer nodes;
    for (uint32_t site = 0; site < m_plan.GetNSites(); ++site)
    {
        nodes.Add(GetEdges(site));
    }
    return nodes;
}

NodeContainer
WanHelper::GetCores() const
{
    return GetEdges(WanRouter::NO_SITE);
}

Ipv4Address
WanHelper::GetAddress(NodeIndex router, uint32_t i)
{
    return Ipv4Address(WanPlan::GetAddress(router, i));
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

} // namespace ns3::aidc
