// SPDX-License-Identifier: GPL-2.0-only

#include "ip-tunnel-endpoint.h"

#include "../core/ipv4-bytes.h"
#include "../core/require-argument.h"
#include "../routing/fragmentation-needed-sender.h"

#include "ns3/callback.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/ip-l4-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/log.h"
#include "ns3/protocol-numbers.h"
#include "ns3/socket.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelEndpoint");

namespace
{

/// Takes the packets of a protocol from ns-3's IPv4, and sends none. Of UDP's packets, it takes
/// VXLAN's and leaves all others to ns-3's UDP.
class IpTunnelL4Protocol : public IpL4Protocol
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::aidc::IpTunnelL4Protocol")
                                .SetParent<IpL4Protocol>()
                                .SetGroupName("Aidc")
                                .AddConstructor<IpTunnelL4Protocol>();
        return tid;
    }

    /// Takes a packet without its header, and the header.
    using Taker = Callback<void, Ptr<Packet>, const Ipv4Header&>;

    /// Insert a taker into a stack, unless the protocol has one. For UDP, it gets VXLAN's packets.
    static void Insert(Ipv4& ipv4, uint8_t protocol, Taker taker)
    {
        const auto present = ipv4.GetProtocol(protocol);
        if (DynamicCast<IpTunnelL4Protocol>(present))
        {
            return;
        }
        auto inserted = CreateObject<IpTunnelL4Protocol>();
        inserted->m_protocol = protocol;
        inserted->m_taker = taker;
        if (protocol == PROTOCOL_UDP)
        {
            // A socket would drop VXLAN's packets, as ns-3 takes a checksum of 0 for a wrong one.
            inserted->m_udp = present;
        }
        ipv4.Insert(inserted);
    }

    // From IpL4Protocol
    int GetProtocolNumber() const override
    {
        return m_protocol;
    }

    RxStatus Receive(Ptr<Packet> p,
                     const Ipv4Header& header,
                     Ptr<Ipv4Interface> incomingInterface) override
    {
        if (!IsTaken(*p))
        {
            return m_udp->Receive(p, header, incomingInterface);
        }
        if (!m_taker.IsNull())
        {
            m_taker(p, header);
        }
        return RX_OK;
    }

    RxStatus Receive(Ptr<Packet>, const Ipv6Header&, Ptr<Ipv6Interface>) override
    {
        return RX_OK;
    }

    void ReceiveIcmp(Ipv4Address source,
                     uint8_t ttl,
                     uint8_t type,
                     uint8_t code,
                     uint32_t info,
                     Ipv4Address quotedSource,
                     Ipv4Address quotedDestination,
                     const uint8_t quoted[8]) override
    {
        if (m_udp)
        {
            m_udp->ReceiveIcmp(source,
                               ttl,
                               type,
                               code,
                               info,
                               quotedSource,
                               quotedDestination,
                               quoted);
        }
    }

    void SetDownTarget(DownTargetCallback) override
    {
    }

    void SetDownTarget6(DownTargetCallback6) override
    {
    }

    DownTargetCallback GetDownTarget() const override
    {
        return {};
    }

    DownTargetCallback6 GetDownTarget6() const override
    {
        return {};
    }

  protected:
    void DoDispose() override
    {
        NS_LOG_FUNCTION(this);
        m_udp = nullptr;
        m_taker.Nullify();
        IpL4Protocol::DoDispose();
    }

  private:
    /// Tell whether a packet is for the taker.
    bool IsTaken(const Packet& packet) const
    {
        uint8_t ports[4];
        // A packet too short for a UDP header is not passed on, as ns-3 would read beyond its end.
        return !m_udp || packet.GetSize() < UDP_HEADER_SIZE ||
               (packet.CopyData(ports, sizeof(ports)) == sizeof(ports) &&
                boost::endian::load_big_u16(ports + 2) == VXLAN_PORT);
    }

    uint8_t m_protocol{0};   //!< the protocol number
    Taker m_taker;           //!< takes the packets
    Ptr<IpL4Protocol> m_udp; //!< ns-3's UDP, null for other protocols
};
} // namespace

NS_OBJECT_ENSURE_REGISTERED(IpTunnelEndpoint);

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

/// Tell whether a packet is a fragment: by "more fragments" and the offset.
bool
IsFragment(const Ipv4Bytes& header)
{
    constexpr uint16_t MASK = 0x3fff;
    return (load_big_u16(&header[Ipv4Offset::FRAGMENT]) & MASK) != 0;
}

/// Write the fields of a header that are read here.
Ipv4Bytes
GetFields(const Ipv4Header& header)
{
    Ipv4Bytes bytes{};
    bytes[Ipv4Offset::TOS] = header.GetTos();
    bytes[Ipv4Offset::TTL] = header.GetTtl();
    bytes[Ipv4Offset::PROTOCOL] = header.GetProtocol();
    store_big_u16(&bytes[Ipv4Offset::IDENTIFIER], header.GetIdentification());
    store_big_u32(&bytes[Ipv4Offset::SOURCE], header.GetSource().Get());
    store_big_u32(&bytes[Ipv4Offset::DESTINATION], header.GetDestination().Get());
    return bytes;
}

} // namespace

TypeId
IpTunnelEndpoint::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aidc::IpTunnelEndpoint")
                            .SetParent<TransitTunnelEnd>()
                            .SetGroupName("Aidc")
                            .AddConstructor<IpTunnelEndpoint>()
                            .AddTraceSource("Drop",
                                            "A packet is dropped before its tunnel gets it.",
                                            MakeTraceSourceAccessor(&IpTunnelEndpoint::m_dropTrace),
                                            "ns3::aidc::IpTunnelEndpoint::DropTracedCallback");
    return tid;
}

IpTunnelEndpoint::IpTunnelEndpoint()
{
    NS_LOG_FUNCTION(this);
}

IpTunnelEndpoint::~IpTunnelEndpoint()
{
    NS_LOG_FUNCTION(this);
}

void
IpTunnelEndpoint::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_tunnels.clear();
    m_datapath = nullptr;
    m_ipv4 = nullptr;
    m_node = nullptr;
    TransitTunnelEnd::DoDispose();
}

void
IpTunnelEndpoint::NotifyNewAggregate()
{
    m_node = GetObject<Node>();
    m_ipv4 = GetObject<Ipv4>();
    m_datapath = GetObject<SwitchDatapath>();
    TransitTunnelEnd::NotifyNewAggregate();
}

Ptr<IpTunnelEndpoint>
IpTunnelEndpoint::GetOrMake(Ptr<Node> node)
{
    if (auto endpoint = node->GetObject<IpTunnelEndpoint>())
    {
        return endpoint;
    }
    const auto ipv4 = node->GetObject<Ipv4>();
    AIDC_REFUSED_UNLESS(ipv4, "IpTunnelEndpoint: the node has no IPv4");
    auto endpoint = CreateObject<IpTunnelEndpoint>();
    const auto self = PeekPointer(endpoint);
    IpTunnelL4Protocol::Insert(*ipv4,
                               KEEPALIVE_PROTOCOL,
                               MakeCallback(&IpTunnelEndpoint::ReceiveKeepalive, self));
    // ns-3's ICMP passes on less than what is needed here: neither MTU nor length for UDP.
    ipv4->TraceConnectWithoutContext("LocalDeliver",
                                     MakeCallback(&IpTunnelEndpoint::SeeDelivery, self));
    ipv4->TraceConnectWithoutContext("Rx", MakeCallback(&IpTunnelEndpoint::SeeArrival, self));
    ipv4->TraceConnectWithoutContext("Drop", MakeCallback(&IpTunnelEndpoint::SeeDrop, self));
    node->AggregateObject(endpoint);
    return endpoint;
}

bool
IpTunnelEndpoint::Add(Ipv4Address local, Ipv4Address remote, uint8_t protocol, IpTunnelExit& exit)
{
    // Keepalives that return do not tell the protocol.
    const bool isOfAnyPeer = remote == Ipv4Address::GetAny();
    if (Has(local, remote, isOfAnyPeer ? protocol : 0))
    {
        return false;
    }
    IpTunnelL4Protocol::Insert(*m_ipv4, protocol, MakeCallback(&IpTunnelEndpoint::Receive, this));
    const Tunnel tunnel{GetEnds(local.Get(), remote.Get()), protocol, &exit};
    const auto place = std::find_if(m_tunnels.begin(), m_tunnels.end(), [&](const Tunnel& other) {
        return tunnel.ends < other.ends;
    });
    m_tunnels.insert(place, tunnel);
    return true;
}

void
IpTunnelEndpoint::Remove(const IpTunnelExit& exit)
{
    m_tunnels.erase(std::remove_if(m_tunnels.begin(),
                                   m_tunnels.end(),
                                   [&exit](const Tunnel& tunnel) { return tunnel.exit == &exit; }),
                    m_tunnels.end());
}

IpTunnelExit*
IpTunnelEndpoint::Find(uint64_t ends, uint8_t protocol) const
{
    auto tunnel = std::lower_bound(
        m_tunnels.begin(),
        m_tunnels.end(),
        ends,
        [](const Tunnel& candidate, uint64_t wanted) { return candidate.ends < wanted; });
    for (; tunnel != m_tunnels.end() && tunnel->ends == ends; ++tunnel)
    {
        if (protocol == 0 || tunnel->protocol == protocol)
        {
            return tunnel->exit;
        }
    }
    return nullptr;
}

IpTunnelEndpoint::Result
IpTunnelEndpoint::Send(EthernetFrame& frame, const FrameContext& context)
{
    return m_datapath && m_datapath->Send(frame, context) ? Result::SENT
                                                          : SendByStack(frame, context);
}

IpTunnelEndpoint::Result
IpTunnelEndpoint::SendByStack(EthernetFrame& frame, const FrameContext& context)
{
    const Ipv4Header header = m_header.Read(frame.transit.bytes);
    const auto packet = frame.packet->GetReferenceCount() > 1 ? frame.packet->Copy() : frame.packet;
    Socket::SocketErrno error;
    const auto route = m_ipv4->GetRoutingProtocol()->RouteOutput(packet, header, nullptr, error);
    const bool isRecursive =
        route && dynamic_cast<TransitTunnel*>(PeekPointer(route->GetOutputDevice()));
    if (!route || isRecursive)
    {
        NS_LOG_LOGIC("No way to " << header.GetDestination());
        frame.hasTransit = false;
        return isRecursive ? Result::RECURSIVE : Result::NO_ROUTE;
    }
    // As ns-3 does for packets that it forwards.
    SocketPriorityTag priority;
    packet->RemovePacketTag(priority);
    priority.SetPriority(Socket::IpTos2Priority(header.GetTos()));
    if (priority.GetPriority() != 0)
    {
        packet->AddPacketTag(priority);
    }
    KeepContext(packet, context);
    frame.packet = nullptr;
    m_ipv4->SendWithHeader(packet, header, route);
    return Result::SENT;
}

void
IpTunnelEndpoint::KeepContext(const Ptr<Packet>& packet, const FrameContext& context) const
{
    if (context.ingressPort == FrameContext::NO_PORT)
    {
        return;
    }
    if (const auto port = DynamicCast<EthernetNetDevice>(m_node->GetDevice(context.ingressPort)))
    {
        port->KeepContext(packet, context);
    }
}

bool
IpTunnelEndpoint::Leave(EthernetFrame& frame,
                        const TransitHeader& outer,
                        uint32_t depth,
                        TransitTunnel*& tunnel)
{
    tunnel = nullptr;
    const Ipv4Bytes& bytes = outer.bytes;
    const uint32_t source = load_big_u32(&bytes[Ipv4Offset::SOURCE]);
    const uint32_t destination = load_big_u32(&bytes[Ipv4Offset::DESTINATION]);
    const uint8_t protocol = bytes[Ipv4Offset::PROTOCOL];
    IpTunnelExit* exit = Find(GetEnds(destination, source), protocol);
    exit = exit ? exit : Find(GetEnds(destination, 0), protocol);
    if (!exit || IsFragment(bytes))
    {
        return false;
    }
    if (depth >= MAX_DEPTH)
    {
        Drop(m_statistics.tooDeep, bytes);
        frame.packet = nullptr;
        return true;
    }
    if (!frame.hasTransit)
    {
        frame.ReadPayload(outer);
    }
    exit->Open(frame);
    tunnel = frame.packet ? exit : nullptr;
    return true;
}

void
IpTunnelEndpoint::Receive(Ptr<Packet> packet, const Ipv4Header& header)
{
    EthernetFrame frame;
    frame.packet = packet;
    frame.hasTransit = true;
    // Not as a fragment: the stack has reassembled them.
    Ipv4Bytes& outer = frame.transit.bytes;
    outer = GetFields(header);
    if (m_reassembled)
    {
        const auto codepoint = m_reassembled->Combine();
        if (!codepoint)
        {
            NS_LOG_LOGIC("Dropped: fragments with CE and with Not-ECT from " << header.GetSource());
            Drop(m_statistics.mixedEcn, outer);
            return;
        }
        outer[Ipv4Offset::TOS] = SetEcn(header.GetTos(), *codepoint);
    }
    TransitTunnel* tunnel = nullptr;
    if (!Leave(frame, frame.transit, m_depth, tunnel))
    {
        NS_LOG_LOGIC("Dropped: no tunnel from " << header.GetSource());
        Drop(m_statistics.unknownPeers, outer);
    }
    if (!tunnel)
    {
        return;
    }
    FrameContextTag tag;
    const bool hasContext = frame.packet->RemovePacketTag(tag);
    ++m_depth;
    tunnel->GiveToStack(frame, hasContext ? tag.GetContext() : FrameContext());
    --m_depth;
}

void
IpTunnelEndpoint::ReceiveKeepalive(Ptr<Packet> packet, const Ipv4Header& header)
{
    if (auto exit = Find(GetEnds(header.GetDestination().Get(), header.GetSource().Get()), 0))
    {
        exit->NotifyKeepalive(*packet);
    }
}

void
IpTunnelEndpoint::Drop(uint64_t& count, const Ipv4Bytes& outer)
{
    ++count;
    m_dropTrace(Ipv4Address(load_big_u32(&outer[Ipv4Offset::SOURCE])),
                Ipv4Address(load_big_u32(&outer[Ipv4Offset::DESTINATION])));
}

void
IpTunnelEndpoint::SeeArrival(Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t)
{
    m_isFragment = false;
    m_reassembled.reset();
    Ipv4Bytes bytes;
    if (packet->CopyData(bytes.data(), bytes.size()) < bytes.size() || !IsFragment(bytes))
    {
        return;
    }
    const uint64_t ends = GetEnds(load_big_u32(&bytes[Ipv4Offset::DESTINATION]),
                                  load_big_u32(&bytes[Ipv4Offset::SOURCE]));
    const uint8_t protocol = bytes[Ipv4Offset::PROTOCOL];
    if (!Find(ends, protocol) && !Find(ends & ~uint64_t{UINT32_MAX}, protocol))
    {
        return;
    }
    Ipv4Header header;
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    packet->PeekHeader(header);
    m_isFragment = header.IsChecksumOk(); // the stack drops others
    if (m_isFragment)
    {
        m_fragments.Add(bytes);
    }
}

void
IpTunnelEndpoint::SeeDrop(const Ipv4Header& header,
                          Ptr<const Packet>,
                          Ipv4L3Protocol::DropReason reason,
                          Ptr<Ipv4>,
                          uint32_t)
{
    if (reason == Ipv4L3Protocol::DROP_FRAGMENT_TIMEOUT)
    {
        m_fragments.Take(GetFields(header));
    }
}

void
IpTunnelEndpoint::SeeDelivery(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
{
    if (m_isFragment)
    {
        m_reassembled = m_fragments.Take(GetFields(header));
    }
    const auto message = ReadFragmentationNeeded(header, *packet);
    if (!message)
    {
        return;
    }
    const uint32_t source = load_big_u32(&message->quoted[Ipv4Offset::SOURCE]);
    bool isTaken = false;
    for (const auto& tunnel : m_tunnels)
    {
        isTaken = (tunnel.ends >> 32 == source && tunnel.exit->NotifyTooLong(*message)) || isTaken;
    }
    m_statistics.ignoredTooLong += !isTaken;
}

} // namespace ns3::aidc
