/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-helper.h"
#include "user-default.h"

#include "ns3/abort.h"
#include "ns3/aidc-input-error.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

#include <string>

/**
 * @file
 * @ingroup aidc
 * What a FabricHelper tells of the network that it has built.
 */

namespace ns3::aidc
{

FabricPacketCounts
FabricHelper::GetPacketCounts() const
{
    FabricPacketCounts counts;
    for (const auto& device : m_devices)
    {
        const auto layer = device ? device->GetNode()->GetObject<TrafficControlLayer>() : nullptr;
        const auto queueDisc = layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr;
        if (queueDisc)
        {
            const auto& stats = queueDisc->GetStats();
            counts.sent += stats.nTotalSentPackets;
            counts.dropped += stats.nTotalDroppedPackets;
            counts.marked += stats.nTotalMarkedPackets;
        }
    }
    return counts;
}

uint16_t
FabricHelper::GetMtu() const
{
    constexpr uint16_t DEFAULT = 9000;
    return m_mtu.value_or(GetUserDefaultOr(GetDeviceType() + "::Mtu", DEFAULT));
}

std::string
FabricHelper::GetDeviceType() const
{
    return m_deviceKind == ETHERNET ? "ns3::aidc::EthernetNetDevice" : "ns3::PointToPointNetDevice";
}

const FabricPlan&
FabricHelper::GetFabric() const
{
    return m_fabric;
}

const FabricRoutes&
FabricHelper::GetRoutes() const
{
    NS_ABORT_MSG_IF(!m_routes, "FabricHelper::AssignAddresses() comes first");
    return *m_routes;
}

NetworkPath
FabricHelper::GetPath(NodeIndex source, NodeIndex destination) const
{
    NetworkPath path{GetRoutes().GetPath(source, destination), {}};
    NodeIndex node = source;
    for (const auto& link : path.links)
    {
        const bool isForward = link.a == node;
        node = isForward ? link.b : link.a;
        path.arrivals.push_back(GetPort(node, isForward ? link.bPort : link.aPort));
    }
    return path;
}

FabricHelper::SwitchRoutes
FabricHelper::GetSwitchRoutes() const
{
    return m_switchRoutes;
}

bool
FabricHelper::IsLocal(NodeIndex id) const
{
    return m_fabric.GetRank(id) == Simulator::GetSystemId();
}

Ptr<Node>
FabricHelper::GetNode(NodeIndex id) const
{
    if (id.value >= m_nodes.GetN())
    {
        throw AidcInputError(m_fabric.GetName(), 0, "the id of a node", std::to_string(id.value));
    }
    return m_nodes.Get(id.value);
}

NodeContainer
FabricHelper::GetHosts() const
{
    NodeContainer hosts;
    for (const NodeIndex id : m_fabric.GetHosts())
    {
        if (IsLocal(id))
        {
            hosts.Add(m_nodes.Get(id.value));
        }
    }
    return hosts;
}

NodeContainer
FabricHelper::GetSwitches() const
{
    NodeContainer switches;
    for (const NodeIndex id : m_fabric.GetSwitches())
    {
        if (IsLocal(id))
        {
            switches.Add(m_nodes.Get(id.value));
        }
    }
    return switches;
}

Ipv4Address
FabricHelper::GetAddress(NodeIndex id) const
{
    if (id.value >= m_nodes.GetN())
    {
        throw AidcInputError(m_fabric.GetName(), 0, "the id of a node", std::to_string(id.value));
    }
    return Ipv4Address(m_fabric.GetAddress(id));
}

Ptr<NetDevice>
FabricHelper::GetPort(NodeIndex id, PortIndex port) const
{
    if (id.value >= m_nodes.GetN() || !(port < m_fabric.GetPorts(id).GetEnd()))
    {
        throw AidcInputError(m_fabric.GetName(),
                             0,
                             "a node and one of its ports",
                             std::to_string(id.value) + " " + std::to_string(port.value));
    }
    return GetDevice(m_fabric.GetPorts(id)[port].link, id);
}

Ptr<NetDevice>
FabricHelper::GetDevice(LinkIndex link, NodeIndex id) const
{
    return m_devices[2 * link.value + (m_fabric.GetLinks()[link].a == id ? 0 : 1)];
}

const FabricNodePorts&
FabricHelper::GetPortsOfHost(NodeIndex id) const
{
    if (id.value >= m_nodes.GetN() || !m_fabric.IsHost(id))
    {
        throw AidcInputError(m_fabric.GetName(), 0, "the id of a host", std::to_string(id.value));
    }
    return m_fabric.GetPorts(id);
}

Ptr<NetDevice>
FabricHelper::GetHostDevice(NodeIndex id) const
{
    return GetDevice(GetPortsOfHost(id).front().link, id);
}

Ptr<NetDevice>
FabricHelper::GetSwitchPort(NodeIndex id) const
{
    const FabricPort& first = GetPortsOfHost(id).front();
    return GetDevice(first.link, first.peer);
}

NetDeviceContainer
FabricHelper::GetHostDevices(NodeIndex id) const
{
    NetDeviceContainer devices;
    for (const auto& port : GetPortsOfHost(id))
    {
        devices.Add(GetDevice(port.link, id));
    }
    return devices;
}

NetDeviceContainer
FabricHelper::GetSwitchPorts(NodeIndex id) const
{
    NetDeviceContainer devices;
    for (const auto& port : GetPortsOfHost(id))
    {
        devices.Add(GetDevice(port.link, port.peer));
    }
    return devices;
}

} // namespace ns3::aidc
