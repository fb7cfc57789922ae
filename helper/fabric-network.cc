// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-network.h"

#include "../model/core/buffer/pfc-headroom.h"
#include "../model/core/ethernet/ethernet-fields.h"
#include "../model/core/mix-bits.h"
#include "../model/core/require-argument.h"
#include "../model/simulator/point-to-point-process-channel.h"
#include "ethernet-helper.h"
#include "factory-attribute.h"
#include "link-address.h"
#include "user-default.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/mpi-processes.h"
#include "ns3/names.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/process-gather.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <array>
#include <tuple>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcFabricNetwork");

namespace
{

/// @return the packets whose sending has begun; 0 if it is of another kind
uint64_t
GetSent(const Ptr<NetDevice>& device)
{
    if (const auto port = DynamicCast<EthernetNetDevice>(device))
    {
        const auto& counted = port->GetStatistics();
        return counted.outFrames - counted.outControlFrames;
    }
    // ns-3's device does not count. A packet that it sends has been in its queue, and has left it.
    const auto port = DynamicCast<PointToPointNetDevice>(device);
    const auto queue = port ? port->GetQueue() : nullptr;
    return queue ? queue->GetTotalReceivedPackets() - queue->GetNPackets() : 0;
}

/// Links nodes of different processes as PointToPointHelper does, which needs ns-3's mpi module.
class PointToPointProcessHelper
{
  public:
    PointToPointProcessHelper()
    {
        m_deviceFactory.SetTypeId(PointToPointNetDevice::GetTypeId());
        m_channelFactory.SetTypeId(PointToPointProcessChannel::GetTypeId());
    }

    void SetDeviceAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_deviceFactory, name, value);
    }

    void SetChannelAttribute(const std::string& name, const AttributeValue& value)
    {
        SetFactoryAttribute(m_channelFactory, name, value);
    }

    /// Link two nodes. b: a node of another process. @return the devices at both
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const
    {
        const auto channel = m_channelFactory.Create<PointToPointProcessChannel>();
        NetDeviceContainer devices;
        for (const auto& node : std::array{a, b})
        {
            const auto device = m_deviceFactory.Create<PointToPointNetDevice>();
            device->SetAddress(Mac48Address::Allocate());
            node->AddDevice(device);
            const auto queue = CreateObject<DropTailQueue<Packet>>();
            device->SetQueue(queue);
            // As PointToPointHelper: the queue disc waits while the device's queue is full.
            const auto interface = CreateObject<NetDeviceQueueInterface>();
            interface->GetTxQueue(0)->ConnectQueueTraces(queue);
            device->AggregateObject(interface);
            device->Attach(channel);
            devices.Add(device);
        }
        return devices;
    }

  private:
    ObjectFactory m_deviceFactory;  //!< makes devices
    ObjectFactory m_channelFactory; //!< makes channels
};

/// Check that all processes have divided the plan alike; each has done so for itself.
void
CheckProcesses(const FabricPlan& fabric)
{
    uint64_t hash = 0;
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        hash = MixBits(hash ^ fabric.GetProcess(node));
    }
    const auto least = MpiProcesses::Get().GetLeast({hash, ~hash});
    AIDC_REFUSED_IF(least[0] != ~least[1],
                    "The processes have divided "
                        << fabric.GetName()
                        << " in different ways: expected the same build of "
                           "aidc, with the same Scotch, on all machines");
}

} // namespace

void
FabricPacketCounts::Add(Ptr<NetDevice> device)
{
    sent += GetSent(device);
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    if (const auto queueDisc = layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr)
    {
        dropped += queueDisc->GetStats().nTotalDroppedPackets;
        marked += queueDisc->GetStats().nTotalMarkedPackets;
    }
}

FabricPacketCounts
FabricPacketCounts::GetSumOverProcesses() const
{
    FabricPacketCounts sum;
    sum.sent = SumOverProcesses(sent);
    sum.dropped = SumOverProcesses(dropped);
    sum.marked = SumOverProcesses(marked);
    return sum;
}

void
FabricNetwork::SetMtu(uint32_t mtu)
{
    AIDC_REFUSED_IF(mtu < 68 || mtu > 65535,
                    "FabricHelper: expected an MTU from 68 to 65535 bytes, found " << mtu);
    m_mtu = static_cast<uint16_t>(mtu);
}

FrameOverhead
FabricNetwork::GetFrameOverhead() const
{
    constexpr FrameOverhead PPP{2, 0};
    constexpr FrameOverhead ETHERNET_FRAME{EthernetFields::MIN_SIZE + EthernetNetDevice::FCS_SIZE +
                                               HeadroomSettings::WIRE_OVERHEAD,
                                           EthernetFrame::GAP_SIZE};
    return m_deviceKind == ETHERNET ? ETHERNET_FRAME : PPP;
}

uint16_t
FabricNetwork::GetMtu() const
{
    constexpr uint16_t DEFAULT = 9000;
    return m_mtu.value_or(GetUserDefaultOr(GetDeviceType() + "::Mtu", DEFAULT));
}

void
FabricNetwork::MakeNodesAndLinks(const FabricPlan& fabric)
{
    NS_LOG_FUNCTION(this << fabric.GetName());
    AIDC_REFUSED_IF(m_nodes.GetN() > 0, "FabricHelper::Build() is called once");
    RefuseUserDefaults(GetDeviceType(), {"DataRate"}, "FabricHelper, whose plan has the rates");
    RefuseUserDefaults(m_deviceKind == ETHERNET ? "ns3::aidc::EthernetChannel"
                                                : "ns3::PointToPointChannel",
                       {"Delay"},
                       "FabricHelper, whose plan has the delays");
    m_fabric = fabric;
    if (m_fabric.GetNProcesses() == 1)
    {
        m_fabric.AssignProcesses(MpiProcesses::Get().GetN());
        CheckProcesses(m_fabric);
    }
    for (NodeIndex id; id < NodeIndex(m_fabric.GetNNodes()); ++id)
    {
        m_nodes.Add(CreateObject<Node>(m_fabric.GetProcess(id)));
    }
    m_devices.resize(2 * m_fabric.GetLinks().size());
    for (LinkIndex link; link < m_fabric.GetLinks().GetEnd(); ++link)
    {
        MakeLink(link);
    }
}

void
FabricNetwork::MakeLink(LinkIndex link)
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
    const bool isRemote = MpiProcesses::Get().GetN() > 1 && IsLocal(plan.a) != IsLocal(plan.b);
    const auto devices = m_deviceKind == ETHERNET ? makeDevices(EthernetHelper())
                         : isRemote               ? makeDevices(PointToPointProcessHelper())
                                                  : makeDevices(PointToPointHelper());
    const PortIndex ports[2] = {plan.aPort, plan.bPort};
    for (uint32_t end = 0; end < 2; ++end)
    {
        const auto device = devices.Get(end);
        device->SetAddress(MakeLinkAddress(FABRIC_LINKS, 2 * link.value + end));
        // Another process finds the device to which a packet goes by the node's and this number.
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

int64_t
FabricNetwork::AssignErrorStreams(int64_t stream)
{
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
    return next - stream;
}

void
FabricNetwork::RegisterNames(const std::string& prefix) const
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

FabricPacketCounts
FabricNetwork::GetPacketCounts() const
{
    FabricPacketCounts counts;
    for (const auto& device : m_devices)
    {
        if (device)
        {
            counts.Add(device);
        }
    }
    return counts.GetSumOverProcesses();
}

bool
FabricNetwork::IsLocal(NodeIndex id) const
{
    return m_fabric.GetProcess(id) == Simulator::GetSystemId();
}

Ptr<Node>
FabricNetwork::GetNode(NodeIndex id) const
{
    AIDC_REFUSED_IF(id.value >= m_nodes.GetN(),
                    "FabricHelper: expected the id of a node of " << m_fabric.GetName()
                                                                  << ", found " << id.value);
    return m_nodes.Get(id.value);
}

NodeContainer
FabricNetwork::GetLocal(const std::vector<NodeIndex>& ids) const
{
    NodeContainer nodes;
    for (const NodeIndex id : ids)
    {
        if (IsLocal(id))
        {
            nodes.Add(m_nodes.Get(id.value));
        }
    }
    return nodes;
}

Ptr<NetDevice>
FabricNetwork::GetPort(NodeIndex id, PortIndex port) const
{
    AIDC_REFUSED_IF(id.value >= m_nodes.GetN() || !(port < m_fabric.GetPorts(id).GetEnd()),
                    "FabricHelper: expected a node of "
                        << m_fabric.GetName() << " and one of its ports, found " << id.value << " "
                        << port.value);
    return GetDevice(m_fabric.GetPorts(id)[port].link, id);
}

const FabricNodePorts&
FabricNetwork::GetPortsOfHost(NodeIndex id) const
{
    AIDC_REFUSED_IF(id.value >= m_nodes.GetN() || !m_fabric.IsHost(id),
                    "FabricHelper: expected the id of a host of " << m_fabric.GetName()
                                                                  << ", found " << id.value);
    return m_fabric.GetPorts(id);
}

NetDeviceContainer
FabricNetwork::GetHostDevices(NodeIndex id) const
{
    NetDeviceContainer devices;
    for (const auto& port : GetPortsOfHost(id))
    {
        devices.Add(GetDevice(port.link, id));
    }
    return devices;
}

NetDeviceContainer
FabricNetwork::GetSwitchPorts(NodeIndex id) const
{
    NetDeviceContainer devices;
    for (const auto& port : GetPortsOfHost(id))
    {
        devices.Add(GetDevice(port.link, port.peer));
    }
    return devices;
}

namespace
{

/// The load of a port, as processes exchange it.
struct Item
{
    uint32_t node; //!< the number of its node in the plan
    uint32_t port; //!< its number there
    double load;   //!< the share of the time in which it has sent
};

} // namespace

BusiestPort
FindBusiestPort(const FabricNetwork& network)
{
    const FabricPlan& plan = network.GetFabric();
    const double time = Simulator::Now().GetSeconds();
    std::vector<Item> items;
    // Each process reports the busiest one of its own ports
    Item own{0, 0, 0};
    for (NodeIndex node; node < NodeIndex(plan.GetNNodes()); ++node)
    {
        for (PortIndex port; network.IsLocal(node) && port < plan.GetPorts(node).GetEnd(); ++port)
        {
            const auto device = DynamicCast<EthernetNetDevice>(network.GetPort(node, port));
            if (!device || time <= 0)
            {
                continue;
            }
            const uint64_t octets = device->GetStatistics().GetWireOctets(PREAMBLE_AND_GAP);
            const uint64_t rate = plan.GetLinks()[plan.GetPorts(node)[port].link].rate;
            const double load =
                8 * static_cast<double>(octets) / (static_cast<double>(rate) * time);
            if (load > own.load)
            {
                own = {node.value, port.value, load};
            }
        }
    }
    items.push_back(own);
    Item busiest{0, 0, 0};
    for (const auto& item : GatherItems(items))
    {
        if (std::tie(busiest.load, item.node, item.port) <
            std::tie(item.load, busiest.node, busiest.port))
        {
            busiest = item;
        }
    }
    if (busiest.load <= 0)
    {
        return {};
    }
    return {plan.GetPortName(NodeIndex(busiest.node), PortIndex(busiest.port)), busiest.load};
}

} // namespace ns3::aidc
