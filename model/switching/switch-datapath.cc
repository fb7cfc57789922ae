// SPDX-License-Identifier: GPL-2.0-only

#include "switch-datapath.h"

#include "../aidc-compat.h"
#include "../core/buffer/port-queues.h"
#include "../core/require-argument.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ethernet-frame.h"
#include "ns3/flow-key.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/time-window-simulator-impl.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcSwitchDatapath");

NS_OBJECT_ENSURE_REGISTERED(TransitTunnelEnd);
NS_OBJECT_ENSURE_REGISTERED(SwitchDatapath);

namespace
{

using boost::endian::load_big_u32;

/// Time steps that a packet takes where packets are served in the order of their ports.
constexpr uint64_t LATENCY = 1;

/// Tell whether queue discs may look at packets' priority tags, as ns-3's pfifo_fast does.
/// @param root the root, may be null @return false if all are known not to
bool
MayUsePriority(const Ptr<QueueDisc>& root)
{
    if (!root)
    {
        return false;
    }
    if (!dynamic_cast<PortBuffer*>(PeekPointer(root)))
    {
        return true;
    }
    for (std::size_t i = 0; i < root->GetNQueueDiscClasses(); ++i)
    {
        if (MayUsePriority(root->GetQueueDiscClass(i)->GetQueueDisc()))
        {
            return true;
        }
    }
    return false;
}

/// Have a device's packets no longer be taken by the traffic control layer.
void
RemoveStackHandlers(const Ptr<Node>& node)
{
    // One is IPv4's handler, the other one is ARP's, which these links do without.
    const auto handler =
        MakeCallback(&TrafficControlLayer::Receive, node->GetObject<TrafficControlLayer>());
    node->UnregisterProtocolHandler(handler);
    node->UnregisterProtocolHandler(handler);
}

} // namespace

TypeId
TransitTunnelEnd::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::TransitTunnelEnd").SetParent<Object>().SetGroupName("Aidc");
    return tid;
}

TypeId
SwitchDatapath::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::SwitchDatapath")
            .SetParent<EthernetFrameHandler>()
            .SetGroupName("Aidc")
            .AddConstructor<SwitchDatapath>()
            .AddAttribute("Mode",
                          "How packets get through, set before installation.",
                          EnumValue(FAST),
                          MakeEnumAccessorFor<Mode>(&SwitchDatapath::m_mode),
                          MakeEnumChecker(FAST, "Fast", STACK, "Stack"))
            .AddAttribute("OrderedArrivals",
                          "Whether packets that arrive at once are served in the order of the "
                          "ports, one time step later.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&SwitchDatapath::m_isOrdered),
                          MakeBooleanChecker())
            .AddTraceSource("UnicastForward",
                            "A packet is passed on without the stack.",
                            MakeTraceSourceAccessor(&SwitchDatapath::m_forwardTrace),
                            "ns3::aidc::SwitchDatapath::ForwardTracedCallback");
    return tid;
}

void
SwitchDatapath::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_ipv4 = nullptr;
    m_routing = nullptr;
    m_tunnelEnd = nullptr;
    m_ingress.clear();
    m_ports.clear();
    m_arrivals.clear();
    m_former.clear();
    EthernetFrameHandler::DoDispose();
}

void
SwitchDatapath::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(m_ipv4, "SwitchDatapath serves one node");
    m_node = node->GetId();
    m_ipv4 = node->GetObject<Ipv4L3Protocol>();
    AIDC_REFUSED_UNLESS(m_ipv4, "SwitchDatapath: the node has no IPv4");
    m_routing = DynamicCast<MultipathRouting>(m_ipv4->GetRoutingProtocol());
    m_hasChecksums = Node::ChecksumEnabled();
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        RemoveStackHandlers(node);
        const auto port = DynamicCast<EthernetNetDevice>(node->GetDevice(i));
        if (port && m_routing && m_mode == FAST)
        {
            port->SetFrameHandler(this);
        }
    }
    // The loopback device has one of its own, which the new one replaces too.
    const auto receive = MakeCallback(&Ipv4L3Protocol::Receive, PeekPointer(m_ipv4));
    node->UnregisterProtocolHandler(receive);
    node->RegisterProtocolHandler(m_isOrdered ? MakeCallback(&SwitchDatapath::Receive, this)
                                              : receive,
                                  ETHERTYPE_IPV4,
                                  nullptr);
    node->AggregateObject(this);
}

void
SwitchDatapath::AddTunnel()
{
    // A new device has brought the same handlers again.
    RemoveStackHandlers(m_ipv4->GetObject<Node>());
}

bool
SwitchDatapath::Handle(EthernetNetDevice& device, EthernetFrame& frame, const FrameContext& context)
{
    if (frame.fields.etherType != ETHERTYPE_IPV4)
    {
        return false;
    }
    if (!m_isOrdered)
    {
        return Forward(device, frame, context);
    }
    // While somebody watches the port, it has more to tell when this is over.
    auto* windows = TimeWindowSimulatorImpl::GetRunning();
    if (windows && !device.IsWatched() && windows->TryAdvance(TimeStep(LATENCY)))
    {
        Serve(device, frame, context);
        return true;
    }
    Arrival& arrival = Defer(TimeStep(static_cast<uint64_t>(context.arrival))).emplace_back();
    arrival.port = device.GetIfIndex();
    arrival.device = &device;
    arrival.frame = std::move(frame);
    arrival.context = context;
    return true;
}

void
SwitchDatapath::Receive(Ptr<NetDevice> device,
                        Ptr<const Packet> packet,
                        uint16_t protocol,
                        const Address& from,
                        const Address& to,
                        NetDevice::PacketType type)
{
    if (dynamic_cast<TransitTunnel*>(PeekPointer(device)))
    {
        // It has had its turn when it arrived at a port.
        GiveToStack({device, packet, protocol, from, to, type});
        return;
    }
    auto other =
        std::make_unique<StackPacket>(StackPacket{device, packet, protocol, from, to, type});
    Arrival& arrival = Defer(Simulator::Now()).emplace_back();
    arrival.port = device->GetIfIndex();
    arrival.other = std::move(other);
}

std::vector<SwitchDatapath::Arrival>&
SwitchDatapath::Defer(Time now)
{
    if (!m_arrivals.empty() && m_time != now)
    {
        // The arrivals of the last time step are about to be served in this one.
        m_former.swap(m_arrivals);
    }
    if (m_arrivals.empty())
    {
        m_time = now;
        m_flush.Schedule(m_node, TimeStep(LATENCY));
    }
    return m_arrivals;
}

void
SwitchDatapath::Flush()
{
    std::vector<Arrival>& arrivals = m_former.empty() ? m_arrivals : m_former;
    if (arrivals.size() > 1)
    {
        std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) {
            return a.port < b.port;
        });
    }
    for (auto& arrival : arrivals)
    {
        if (arrival.other)
        {
            GiveToStack(*arrival.other);
        }
        else
        {
            Serve(*arrival.device, arrival.frame, arrival.context);
        }
    }
    arrivals.clear();
}

void
SwitchDatapath::Serve(EthernetNetDevice& device, EthernetFrame& frame, const FrameContext& context)
{
    if (!Forward(device, frame, context))
    {
        Mac48Address from;
        from.CopyFrom(frame.fields.source.data());
        const auto packet = frame.TakePayload();
        device.KeepContext(packet, context);
        GiveToStack(
            {&device, packet, ETHERTYPE_IPV4, from, device.GetAddress(), NetDevice::PACKET_HOST});
    }
}

void
SwitchDatapath::GiveToStack(const StackPacket& packet)
{
    m_ipv4->Receive(packet.device,
                    packet.packet,
                    packet.protocol,
                    packet.from,
                    packet.to,
                    packet.type);
}

bool
SwitchDatapath::Forward(const NetDevice& device,
                        EthernetFrame& frame,
                        const FrameContext& context,
                        uint32_t depth)
{
    TransitHeader read;
    if (!frame.hasTransit && !ReadTransitHeader(*frame.packet, read))
    {
        return false;
    }
    const TransitHeader& arrived = frame.hasTransit ? frame.transit : read;
    const Ipv4Interface* ingress = GetIngress(device);
    if (arrived.bytes[Ipv4Offset::TTL] <= 1 || !ingress || !ingress->IsUp() ||
        !ingress->IsForwarding() || (m_hasChecksums && SumIpv4Words(arrived.bytes) != 0xffff))
    {
        return false;
    }
    NextHopGroup* group =
        m_routing->FindTransit(load_big_u32(&arrived.bytes[Ipv4Offset::DESTINATION]));
    if (!group)
    {
        return MayBeTunneled(arrived) && LeaveTunnel(frame, arrived, context, depth);
    }
    const uint32_t interface = m_routing->Select(*group, arrived.flow).nextHop.interface;
    const Port& port = GetPort(interface);
    const uint32_t size = GetIpv4Length(arrived.bytes);
    if (!port.tunnel && (!port.device || size > port.device->GetMtu()))
    {
        return false;
    }
    if (!frame.hasTransit)
    {
        frame.ReadPayload(read);
    }
    --frame.transit.bytes[Ipv4Offset::TTL];
    if (!port.tunnel)
    {
        Enqueue(frame, context, port, static_cast<int32_t>(interface));
        return true;
    }
    if (!m_forwardTrace.IsEmpty())
    {
        m_forwardTrace(m_header.Read(frame.transit.bytes), frame.packet, interface);
    }
    port.tunnel->Enter(frame, context);
    return true;
}

bool
SwitchDatapath::LeaveTunnel(EthernetFrame& frame,
                            const TransitHeader& outer,
                            const FrameContext& context,
                            uint32_t depth)
{
    if (!m_tunnelEnd)
    {
        m_tunnelEnd = PeekPointer(m_ipv4->GetObject<TransitTunnelEnd>());
    }
    TransitTunnel* tunnel = nullptr;
    if (!m_tunnelEnd || !m_tunnelEnd->Leave(frame, outer, depth, tunnel))
    {
        return false;
    }
    if (tunnel && !Forward(tunnel->GetDevice(), frame, context, depth + 1))
    {
        tunnel->GiveToStack(frame, context);
    }
    return true;
}

bool
SwitchDatapath::Send(EthernetFrame& frame, const FrameContext& context)
{
    if (!m_routing || m_mode != FAST)
    {
        return false;
    }
    const Ipv4Bytes& bytes = frame.transit.bytes;
    NextHopGroup* group = m_routing->FindTransit(load_big_u32(&bytes[Ipv4Offset::DESTINATION]));
    if (!group)
    {
        return false;
    }
    const Port& port = GetPort(m_routing->Select(*group, frame.transit.flow).nextHop.interface);
    if (!port.device || GetIpv4Length(bytes) > port.device->GetMtu())
    {
        return false;
    }
    Enqueue(frame, context, port, -1);
    return true;
}

void
SwitchDatapath::Enqueue(EthernetFrame& frame,
                        const FrameContext& context,
                        const Port& port,
                        int32_t forwarding)
{
    const auto item = Create<EthernetQueueItem>(frame.packet,
                                                port.device->GetRemoteAddress(),
                                                ETHERTYPE_IPV4,
                                                m_header.Read(frame.transit.bytes),
                                                frame.transit,
                                                context);
    if (port.needsPriority)
    {
        SocketPriorityTag priority;
        priority.SetPriority(Socket::IpTos2Priority(frame.transit.bytes[Ipv4Offset::TOS]));
        frame.packet->ReplacePacketTag(priority);
    }
    ++m_nForwarded;
    if (forwarding >= 0 && !m_forwardTrace.IsEmpty())
    {
        m_forwardTrace(item->GetHeader(), frame.packet, static_cast<uint32_t>(forwarding));
    }
    frame.packet = nullptr; // the item's alone, and not to be copied when it is sent at once
    port.device->Forward(item);
}

const Ipv4Interface*
SwitchDatapath::FindIngress(const NetDevice& device)
{
    const int32_t interface = m_ipv4->GetInterfaceForDevice(&device);
    if (interface < 0)
    {
        return nullptr;
    }
    m_ingress.resize(std::max<std::size_t>(m_ingress.size(), device.GetIfIndex() + 1));
    return m_ingress[device.GetIfIndex()] = PeekPointer(m_ipv4->GetInterface(interface));
}

const SwitchDatapath::Port&
SwitchDatapath::FindPort(uint32_t interface)
{
    m_ports.resize(std::max<std::size_t>(m_ports.size(), interface + 1));
    Port& port = m_ports[interface];
    const auto device = m_ipv4->GetNetDevice(interface);
    port.isKnown = true;
    port.device = dynamic_cast<EthernetNetDevice*>(PeekPointer(device));
    port.tunnel = dynamic_cast<TransitTunnel*>(PeekPointer(device));
    port.needsPriority = port.device && MayUsePriority(port.device->GetQueueDisc());
    return port;
}

} // namespace ns3::aidc
