/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-helper.h"

#include "ethernet-helper.h"
#include "fabric-interface.h"
#include "fabric-role.h"
#include "user-default.h"

#include "ns3/abort.h"
#include "ns3/aidc-input-error.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/ethernet-fields.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/names.h"
#include "ns3/pfc-headroom.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricHelper");

namespace
{

/// The IPv4 interface of the loopback device.
constexpr uint32_t LOOPBACK = 0;

/// The size of a host's queue disc: memory in plenty.
const QueueSize DEFAULT_HOST_QUEUE_SIZE(QueueSizeUnit::PACKETS, 100000);

/**
 * @brief Make the address of a device.
 * @param link the index of the link
 * @param end the end of the link, 0 or 1
 * @return a locally administered address
 */
Mac48Address
MakeMacAddress(LinkIndex link, uint32_t end)
{
    const uint32_t low = link.value * 2 + end;
    const uint8_t bytes[6] = {0x02,
                              0x00,
                              static_cast<uint8_t>(low >> 24),
                              static_cast<uint8_t>(low >> 16),
                              static_cast<uint8_t>(low >> 8),
                              static_cast<uint8_t>(low)};
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

/**
 * @brief Tell whether a device has a root queue disc.
 * @param device the device
 * @return true if it has
 */
bool
HasQueueDisc(Ptr<NetDevice> device)
{
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    return layer->GetRootQueueDiscOnDevice(device) != nullptr;
}

} // namespace

FabricHelper::FabricHelper()
    : m_routeInstaller(m_fabric, m_nodes),
      m_failures(m_fabric.GetLinks(), m_nodes, m_devices, [this](LinkIndex link, bool isUp) {
          Converge(link, isUp);
      })
{
}

FabricHelper::~FabricHelper() = default;

void
FabricHelper::SetDeviceKind(DeviceKind kind)
{
    m_deviceKind = kind;
}

void
FabricHelper::SetDatapath(SwitchDatapath::Mode mode)
{
    m_datapath = mode;
}

void
FabricHelper::SetMtu(uint32_t mtu)
{
    static constexpr uint32_t MIN_MTU = 68;
    static constexpr uint32_t MAX_MTU = 65535;
    if (mtu < MIN_MTU || mtu > MAX_MTU)
    {
        throw AidcInputError("MTU",
                             0,
                             "from " + std::to_string(MIN_MTU) + " to " + std::to_string(MAX_MTU) +
                                 " bytes",
                             std::to_string(mtu));
    }
    m_mtu = static_cast<uint16_t>(mtu);
}

FrameOverhead
FabricHelper::GetFrameOverhead() const
{
    constexpr FrameOverhead PPP{2, 0};
    constexpr FrameOverhead ETHERNET_FRAME{EthernetFields::MIN_SIZE + EthernetNetDevice::FCS_SIZE +
                                               HeadroomParameters::WIRE_OVERHEAD,
                                           EthernetFrame::GAP_SIZE};
    return m_deviceKind == ETHERNET ? ETHERNET_FRAME : PPP;
}

void
FabricHelper::SetHostQueueSize(const QueueSize& size)
{
    m_hostQueueSize = size;
}

void
FabricHelper::SetSwitchRouting(const MultipathRoutingHelper& routing)
{
    m_switchRouting = routing;
}

void
FabricHelper::SetSwitchRoutes(SwitchRoutes routes)
{
    NS_ABORT_MSG_IF(m_routes, "FabricHelper::SetSwitchRoutes() comes before AssignAddresses()");
    m_switchRoutes = routes;
}

void
FabricHelper::SetConvergedCallback(FabricLinkFailures::ConvergeCallback converged)
{
    m_converged = std::move(converged);
}

void
FabricHelper::SetHostRouting(const MultipathRoutingHelper& routing)
{
    m_hostRouting = routing;
}

void
FabricHelper::SetOrderedArrivals(bool isOrdered)
{
    m_isOrdered = isOrdered;
}

void
FabricHelper::SetDetectionDelay(Time delay)
{
    m_failures.SetDetectionDelay(delay);
}

void
FabricHelper::SetConvergenceDelay(Time delay)
{
    m_failures.SetConvergenceDelay(delay);
}

void
FabricHelper::Build(const FabricPlan& fabric)
{
    NS_LOG_FUNCTION(this << fabric.GetName());
    NS_ABORT_MSG_IF(m_nodes.GetN() > 0, "FabricHelper::Build() is called once");
    RefuseUserDefaults(GetDeviceType(), {"DataRate"}, "FabricHelper, whose plan has the rates");
    RefuseUserDefaults(m_deviceKind == ETHERNET ? "ns3::aidc::EthernetChannel"
                                                : "ns3::PointToPointChannel",
                       {"Delay"},
                       "FabricHelper, whose plan has the delays");
    m_fabric = fabric;
    for (NodeIndex id; id < NodeIndex(m_fabric.GetNNodes()); ++id)
    {
        m_nodes.Add(CreateObject<Node>(m_fabric.GetRank(id)));
    }
    m_devices.resize(2 * m_fabric.GetLinks().size());
    for (LinkIndex link; link < m_fabric.GetLinks().GetEnd(); ++link)
    {
        BuildLink(link);
    }
    for (const bool isHost : {true, false})
    {
        const auto nodes = isHost ? GetHosts() : GetSwitches();
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            FabricRole::Set(*node, isHost ? FabricRole::HOST : FabricRole::SWITCH);
        }
    }
    InternetStackHelper hosts;
    hosts.SetIpv6StackInstall(false);
    hosts.SetRoutingHelper(m_hostRouting);
    hosts.Install(GetHosts());
    InternetStackHelper switches;
    switches.SetIpv6StackInstall(false);
    switches.SetRoutingHelper(m_switchRouting);
    switches.Install(GetSwitches());
}

void
FabricHelper::BuildLink(LinkIndex link)
{
    const FabricLink& plan = m_fabric.GetLinks()[link];
    if (!IsLocal(plan.a) && !IsLocal(plan.b))
    {
        return;
    }
    const auto makeDevices = [&](auto&& maker) {
        maker.SetDeviceAttribute("Mtu", UintegerValue(GetMtu()));
        maker.SetDeviceAttribute("DataRate", DataRateValue(DataRate(plan.rate)));
        maker.SetChannelAttribute("Delay", TimeValue(NanoSeconds(plan.delay)));
        return maker.Install(m_nodes.Get(plan.a.value), m_nodes.Get(plan.b.value));
    };
    const auto devices = m_deviceKind == ETHERNET ? makeDevices(EthernetHelper())
                                                  : makeDevices(PointToPointHelper());
    const PortIndex ports[2] = {plan.aPort, plan.bPort};
    for (uint32_t end = 0; end < 2; ++end)
    {
        const auto device = devices.Get(end);
        device->SetAddress(MakeMacAddress(link, end));
        // By the node's and this number another rank finds the device to which a packet goes.
        device->SetIfIndex(ports[end].value);
        if (plan.errorRate > 0)
        {
            auto errorModel = CreateObject<RateErrorModel>();
            errorModel->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errorModel->SetRate(plan.errorRate);
            device->SetAttribute("ReceiveErrorModel", PointerValue(errorModel));
            m_errorModels[2 * link.value + end] = errorModel;
        }
        m_devices[2 * link.value + end] = device;
    }
}

void
FabricHelper::AssignAddresses()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_nodes.GetN() == 0, "FabricHelper::Build() comes first");
    m_routes = std::make_unique<FabricRoutes>(m_fabric);
    if (m_switchRoutes == PATH_BANDWIDTHS)
    {
        m_bandwidths = std::make_unique<FabricPathBandwidths>(m_fabric);
        m_bandwidths->Update(*m_routes);
    }
    TrafficControlHelper trafficControl;
    trafficControl.SetRootQueueDisc("ns3::FifoQueueDisc");
    ObjectFactory queues("ns3::aidc::RingQueue");
    for (NodeIndex id; id < NodeIndex(m_fabric.GetNNodes()); ++id)
    {
        if (!IsLocal(id))
        {
            continue;
        }
        for (PortIndex port; m_fabric.IsHost(id) && port < m_fabric.GetPorts(id).GetEnd(); ++port)
        {
            if (!HasQueueDisc(GetPort(id, port)))
            {
                const auto queueDisc = trafficControl.Install(GetPort(id, port)).Get(0);
                // A queue disc with a queue tells the size of the queue.
                const QueueSize users = queueDisc->GetMaxSize();
                queueDisc->AddInternalQueue(queues.Create<QueueDisc::InternalQueue>());
                const bool isUsers = HasUserDefault("ns3::FifoQueueDisc::MaxSize");
                queueDisc->SetMaxSize(
                    m_hostQueueSize.value_or(isUsers ? users : DEFAULT_HOST_QUEUE_SIZE));
            }
        }
        AssignAddress(id);
        if (m_fabric.IsHost(id) && m_fabric.HasSeveralLinks(id))
        {
            MultipathRoutingHelper::SpreadUdp(m_nodes.Get(id.value));
            if (m_isOrdered.value_or(true)) // packets may arrive at once here, too
            {
                InstallDatapath(id, SwitchDatapath::STACK);
            }
            m_routeInstaller.Update(id, GetTable(id));
        }
        else if (m_fabric.IsHost(id))
        {
            const Ipv4Address leaf(m_fabric.GetAddress(m_fabric.GetLeaf(id)));
            MultipathRoutingHelper::GetRouting(m_nodes.Get(id.value))
                ->AddRoute(Ipv4Address::GetAny(),
                           Ipv4Mask::GetZero(),
                           {NextHop(GetInterfaceOfPort(PortIndex(0)), leaf)});
        }
        else
        {
            InstallDatapath(id, m_datapath);
            m_routeInstaller.Update(id, GetTable(id));
        }
    }
}

void
FabricHelper::InstallDatapath(NodeIndex id, std::optional<SwitchDatapath::Mode> mode)
{
    auto datapath = CreateObject<SwitchDatapath>();
    if (mode)
    {
        datapath->SetAttribute("Mode", EnumValue(*mode));
    }
    if (m_isOrdered)
    {
        datapath->SetAttribute("OrderedArrivals", BooleanValue(*m_isOrdered));
    }
    else
    {
        SetDerived(*datapath, "OrderedArrivals", BooleanValue(true));
    }
    datapath->Install(m_nodes.Get(id.value));
}

void
FabricHelper::AssignAddress(NodeIndex id)
{
    const auto ipv4 = m_nodes.Get(id.value)->GetObject<Ipv4>();
    for (PortIndex port; port < m_fabric.GetPorts(id).GetEnd(); ++port)
    {
        const uint32_t interface = ipv4->AddInterface(GetPort(id, port));
        NS_ASSERT(interface == GetInterfaceOfPort(port));
        ipv4->SetMetric(interface, 1);
        ipv4->SetUp(interface);
    }
    // Ports that a switch has beside the plan's, such as those to other networks.
    const auto node = m_nodes.Get(id.value);
    for (uint32_t i = 0; m_fabric.IsSwitch(id) && i < node->GetNDevices(); ++i)
    {
        if (ipv4->GetInterfaceForDevice(node->GetDevice(i)) < 0)
        {
            ipv4->SetUp(ipv4->AddInterface(node->GetDevice(i)));
        }
    }
    const bool isAtPort = m_fabric.IsHost(id) && !m_fabric.HasSeveralLinks(id);
    const uint32_t interface = isAtPort ? GetInterfaceOfPort(PortIndex(0)) : LOOPBACK;
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(GetAddress(id), Ipv4Mask::GetOnes()));
}

int64_t
FabricHelper::AssignStreams(int64_t stream)
{
    // Ends of links and switches of other ranks count too, so that ranks do not change results.
    int64_t next = stream;
    for (LinkIndex link; link < m_fabric.GetLinks().GetEnd(); ++link)
    {
        for (uint32_t end = 0; m_fabric.GetLinks()[link].errorRate > 0 && end < 2; ++end)
        {
            const auto errorModel = m_errorModels.find(2 * link.value + end);
            if (errorModel != m_errorModels.end())
            {
                errorModel->second->AssignStreams(next);
            }
            ++next;
        }
    }
    const auto assign = [this, &next](NodeIndex id) {
        if (IsLocal(id))
        {
            MultipathRoutingHelper::AssignStreams(NodeContainer(m_nodes.Get(id.value)), next);
        }
        ++next;
    };
    for (const NodeIndex id : m_fabric.GetSwitches())
    {
        assign(id);
    }
    for (const NodeIndex id : m_fabric.GetHosts())
    {
        if (m_fabric.HasSeveralLinks(id))
        {
            assign(id);
        }
    }
    return next - stream;
}

void
FabricHelper::RegisterNames(const std::string& prefix) const
{
    for (NodeIndex id; id < NodeIndex(m_fabric.GetNNodes()); ++id)
    {
        const std::string name = m_fabric.GetNodeName(id);
        Names::Add(prefix + name, m_nodes.Get(id.value));
        for (PortIndex port; IsLocal(id) && port < m_fabric.GetPorts(id).GetEnd(); ++port)
        {
            const std::string portName = m_fabric.GetPortName(id, port);
            Names::Add(prefix + name, portName.substr(name.size() + 1), GetPort(id, port));
        }
    }
}

void
FabricHelper::FailLink(LinkIndex link)
{
    SetFailed(link, true);
}

void
FabricHelper::RestoreLink(LinkIndex link)
{
    SetFailed(link, false);
}

void
FabricHelper::ScheduleFailure(LinkIndex link, Time failure, Time restoration)
{
    m_failures.CheckLink(link);
    FabricLinkFailures::CheckTimes(failure, restoration);
    Simulator::Schedule(failure, &FabricHelper::FailLink, this, link);
    Simulator::Schedule(restoration, &FabricHelper::RestoreLink, this, link);
}

void
FabricHelper::SetFailed(LinkIndex link, bool isFailed)
{
    m_failures.CheckLink(link);
    NS_ABORT_MSG_IF(!m_routes, "FabricHelper::AssignAddresses() comes before links fail");
    m_failures.SetFailed(link, isFailed);
}

void
FabricHelper::Converge(LinkIndex link, bool isUp)
{
    if (m_routes->IsLinkUp(link) == isUp)
    {
        return;
    }
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
        if (IsLocal(id))
        {
            m_routeInstaller.Update(id, GetTable(id));
        }
    }
    if (m_converged)
    {
        m_converged(link, isUp);
    }
}

FabricTable
FabricHelper::GetTable(NodeIndex id) const
{
    if (m_fabric.IsSwitch(id) && m_switchRoutes == PATH_BANDWIDTHS)
    {
        return m_routes->GetTable(id, m_bandwidths->GetNextHops(id));
    }
    return m_fabric.IsSwitch(id) && m_switchRoutes == OWN_HOSTS ? m_routes->GetOwnTable(id)
                                                                : m_routes->GetTable(id);
}

void
FabricHelper::RewriteRoutes(NodeIndex id)
{
    m_routeInstaller.Rewrite(id);
}

uint64_t
FabricHelper::GetLostPackets() const
{
    return m_failures.GetLostPackets();
}

} // namespace ns3::aidc
