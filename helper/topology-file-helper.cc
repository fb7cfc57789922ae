/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-file-helper.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/input-error.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcTopologyFileHelper");

namespace
{

/// The first address of the networks of the links.
constexpr uint32_t FIRST_NETWORK = 0x0a000000;

/// The number of networks of 4 addresses in 10.0.0.0/8.
constexpr uint32_t MAX_LINKS = 1U << 22;

/**
 * @brief Make the address of a device.
 * @param link the index of the link
 * @param end the end of the link, 0 or 1
 * @return a locally administered address
 */
Mac48Address
MakeMacAddress(uint32_t link, uint32_t end)
{
    const uint32_t low = link * 2 + end;
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
 * @brief Give a device an address.
 * @param device the device
 * @param address the address
 * @return the interface of the device
 */
uint32_t
AddAddress(Ptr<NetDevice> device, Ipv4Address address)
{
    auto ipv4 = device->GetNode()->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask(0xfffffffc)));
    ipv4->SetMetric(interface, 1);
    ipv4->SetUp(interface);
    return interface;
}

/**
 * @brief Make a node accept packets for itself at the interface that has the address only.
 *
 * The weak model, ns-3's default, compares the destination of each packet that is passed on with
 * the addresses of all interfaces, which on a switch of 145 ports takes a quarter of the time.
 *
 * @param node the node
 */
void
UseStrongEndSystemModel(Ptr<Node> node)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    if (!ipv4->SetAttributeFailSafe("StrongEndSystemModel", BooleanValue(true)))
    {
        ipv4->SetAttribute("WeakEsModel", BooleanValue(false)); // up to ns-3.40
    }
}

} // namespace

TopologyFileHelper::TopologyFileHelper()
    : m_hostQueueSize(QueueSizeUnit::PACKETS, 100000)
{
}

void
TopologyFileHelper::SetMtu(uint16_t mtu)
{
    static constexpr uint16_t MIN_MTU = 68;
    if (mtu < MIN_MTU)
    {
        throw InputError("MTU",
                         0,
                         "at least " + std::to_string(MIN_MTU) + " bytes",
                         std::to_string(mtu));
    }
    m_mtu = mtu;
}

uint16_t
TopologyFileHelper::GetMtu() const
{
    return m_mtu;
}

void
TopologyFileHelper::SetHostQueueSize(const QueueSize& size)
{
    m_hostQueueSize = size;
}

void
TopologyFileHelper::CheckStar(const TopologyFile& topology)
{
    const std::size_t nSwitches = topology.GetSwitches().size();
    if (nSwitches != 1)
    {
        throw InputError(topology.GetName(),
                         topology.GetSwitchesLine(),
                         "exactly one switch, because routing over several switches is not "
                         "available yet",
                         std::to_string(nSwitches) + " switches");
    }
    const uint32_t center = topology.GetSwitches()[0];
    std::map<uint32_t, uint32_t> lineOfHost;
    for (const auto& link : topology.GetLinks())
    {
        if (link.a != center && link.b != center)
        {
            throw InputError(topology.GetName(),
                             link.line,
                             "a link between a host and the switch, " + std::to_string(center),
                             std::to_string(link.a) + " " + std::to_string(link.b));
        }
        const uint32_t host = link.a == center ? link.b : link.a;
        const auto [first, isNew] = lineOfHost.emplace(host, link.line);
        if (!isNew)
        {
            throw InputError(topology.GetName(),
                             link.line,
                             "one link for each host",
                             "a second link of host " + std::to_string(host) +
                                 " after that of line " + std::to_string(first->second));
        }
    }
    if (topology.GetLinks().size() > MAX_LINKS)
    {
        throw InputError(topology.GetName(),
                         topology.GetLinks()[MAX_LINKS].line,
                         "at most " + std::to_string(MAX_LINKS) + " links",
                         std::to_string(topology.GetLinks().size()));
    }
}

void
TopologyFileHelper::Build(const TopologyFile& topology)
{
    NS_LOG_FUNCTION(this << topology.GetName());
    NS_ABORT_MSG_IF(m_nodes.GetN() > 0, "TopologyFileHelper::Build() is called once");
    CheckStar(topology);
    m_topology = topology;
    m_nodes.Create(topology.GetNNodes());

    PointToPointHelper pointToPoint;
    pointToPoint.SetDeviceAttribute("Mtu", UintegerValue(m_mtu));
    const auto& links = m_topology.GetLinks();
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        const TopologyLink& link = links[i];
        pointToPoint.SetDeviceAttribute("DataRate", DataRateValue(link.rate));
        pointToPoint.SetChannelAttribute("Delay", TimeValue(link.delay));
        const NetDeviceContainer devices =
            pointToPoint.Install(m_nodes.Get(link.a), m_nodes.Get(link.b));
        for (uint32_t end = 0; end < 2; ++end)
        {
            devices.Get(end)->SetAddress(MakeMacAddress(i, end));
            if (link.errorRate > 0)
            {
                auto errorModel = CreateObject<RateErrorModel>();
                errorModel->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
                errorModel->SetRate(link.errorRate);
                devices.Get(end)->SetAttribute("ReceiveErrorModel", PointerValue(errorModel));
                m_errorModels.emplace_back(errorModel);
            }
        }
        const bool hostIsA = !m_topology.IsSwitch(link.a);
        Attachment attachment;
        attachment.link = i;
        attachment.hostDevice = devices.Get(hostIsA ? 0 : 1);
        attachment.switchPort = devices.Get(hostIsA ? 1 : 0);
        m_attachments[hostIsA ? link.a : link.b] = attachment;
    }

    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.Install(m_nodes);
    for (const auto id : m_topology.GetSwitches())
    {
        UseStrongEndSystemModel(m_nodes.Get(id));
    }
}

void
TopologyFileHelper::AssignAddresses()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_nodes.GetN() == 0, "TopologyFileHelper::Build() comes first");
    TrafficControlHelper trafficControl;
    trafficControl.SetRootQueueDisc("ns3::FifoQueueDisc",
                                    "MaxSize",
                                    QueueSizeValue(m_hostQueueSize));
    Ipv4StaticRoutingHelper routing;
    for (const auto& [id, attachment] : m_attachments)
    {
        trafficControl.Install(attachment.hostDevice);
        const uint32_t network = FIRST_NETWORK + 4 * attachment.link;
        const Ipv4Address gateway(network + 2);
        const uint32_t interface = AddAddress(attachment.hostDevice, Ipv4Address(network + 1));
        AddAddress(attachment.switchPort, gateway);
        auto ipv4 = attachment.hostDevice->GetNode()->GetObject<Ipv4>();
        routing.GetStaticRouting(ipv4)->SetDefaultRoute(gateway, interface);
    }
}

int64_t
TopologyFileHelper::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (const auto& errorModel : m_errorModels)
    {
        next += DynamicCast<RateErrorModel>(errorModel)->AssignStreams(next);
    }
    return next - stream;
}

const TopologyFile&
TopologyFileHelper::GetTopology() const
{
    return m_topology;
}

Ptr<Node>
TopologyFileHelper::GetNode(uint32_t id) const
{
    if (id >= m_nodes.GetN())
    {
        throw InputError(m_topology.GetName(), 0, "the id of a node", std::to_string(id));
    }
    return m_nodes.Get(id);
}

NodeContainer
TopologyFileHelper::GetHosts() const
{
    NodeContainer hosts;
    for (const uint32_t id : m_topology.GetHosts())
    {
        hosts.Add(m_nodes.Get(id));
    }
    return hosts;
}

NodeContainer
TopologyFileHelper::GetSwitches() const
{
    NodeContainer switches;
    for (const uint32_t id : m_topology.GetSwitches())
    {
        switches.Add(m_nodes.Get(id));
    }
    return switches;
}

const TopologyFileHelper::Attachment&
TopologyFileHelper::GetAttachment(uint32_t id) const
{
    const auto found = m_attachments.find(id);
    if (found == m_attachments.end())
    {
        throw InputError(m_topology.GetName(), 0, "the id of a host", std::to_string(id));
    }
    return found->second;
}

Ipv4Address
TopologyFileHelper::GetAddress(uint32_t id) const
{
    return Ipv4Address(FIRST_NETWORK + 4 * GetAttachment(id).link + 1);
}

Ptr<NetDevice>
TopologyFileHelper::GetHostDevice(uint32_t id) const
{
    return GetAttachment(id).hostDevice;
}

Ptr<NetDevice>
TopologyFileHelper::GetSwitchPort(uint32_t id) const
{
    return GetAttachment(id).switchPort;
}

const TopologyLink&
TopologyFileHelper::GetHostLink(uint32_t id) const
{
    return m_topology.GetLinks()[GetAttachment(id).link];
}

} // namespace ns3::aidc
