// SPDX-License-Identifier: GPL-2.0-only

#include "ip-tunnel-net-device.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/ipv4-bytes.h"
#include "../core/require-argument.h"
#include "../routing/fragmentation-needed-sender.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/protocol-numbers.h"
#include "ns3/switch-datapath.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelNetDevice");

NS_OBJECT_ENSURE_REGISTERED(IpTunnelNetDevice);

/// A packet that has left a tunnel.
struct IpTunnelArrival
{
    FlowKey flow;                       //!< its flow
    EcnCodepoint inner{};               //!< the inner header's codepoint, as it has arrived
    EcnCodepoint outer{};               //!< the outer header's codepoint
    const TunnelEcnCell* cell{nullptr}; //!< RFC 6040's rule for both
    uint32_t size{0};                   //!< bytes with the inner header
};

namespace
{

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

/// The shortest MTU of a path: the MTU of IPv4 (RFC 791) below the most outer headers.
constexpr uint32_t MIN_PATH_MTU = 68 + IPV4_HEADER_SIZE * (IpTunnelPaths::MAX_WAYPOINTS + 1);
/// The longest IPv4 packet.
constexpr uint32_t MAX_PACKET = std::numeric_limits<uint16_t>::max();
/// The flag DF in the first byte of flags and fragment offset.
constexpr uint8_t DONT_FRAGMENT_BYTE = 0x40;
constexpr uint16_t MORE_FRAGMENTS = 0x2000; //!< the flag MF

/// Read the flow of a packet, as all routers do. size: the bytes that may be read there.
FlowKey
ReadFlowKey(const Ipv4Bytes& header, const uint8_t* payload, std::size_t size)
{
    const uint16_t fragment = load_big_u16(&header[Ipv4Offset::FRAGMENT]);
    return DecodeFlowKey(load_big_u32(&header[Ipv4Offset::SOURCE]),
                         load_big_u32(&header[Ipv4Offset::DESTINATION]),
                         header[Ipv4Offset::PROTOCOL],
                         (fragment & (MORE_FRAGMENTS | IPV4_OFFSET_MASK)) != 0,
                         payload,
                         size);
}

/// Add the shim of a tunnel to a packet. packet: the packet with its inner header.
void
AddShim(const Ptr<Packet>& packet, const TunnelShim& shim, const FlowKey& ends)
{
    uint8_t bytes[MAX_TUNNEL_SHIM];
    EncodeTunnelShim(shim,
                     ends.source,
                     ends.destination,
                     ends.sourcePort,
                     packet->GetSize(),
                     bytes);
    packet->AddHeader(WrittenHeader<Ipv4Header>(bytes, shim.GetSize()));
}

/// Remove the shim that a packet begins with. @return OK, or what is wrong, the packet unchanged
InnerHeaderResult
RemoveShim(EthernetFrame& frame, const TunnelShim& shim)
{
    uint8_t bytes[MAX_TUNNEL_SHIM];
    const uint32_t size = frame.packet->CopyData(bytes, sizeof(bytes));
    const auto result = CheckTunnelShim(shim, bytes, size, frame.packet->GetSize());
    if (result != InnerHeaderResult::OK)
    {
        return result;
    }
    if (frame.packet->GetReferenceCount() > 1)
    {
        frame.packet = frame.packet->Copy(); // somebody else has kept it
    }
    frame.packet->RemoveAtStart(static_cast<uint32_t>(shim.GetSize()));
    return InnerHeaderResult::OK;
}

/// Give a packet, its inner header parsed, outer headers, and parse the outermost. destinations: of
/// outer headers, the innermost first; endpoint: numbers them.
void
Encapsulate(EthernetFrame& frame,
            Ipv4Address local,
            const std::vector<uint32_t>& destinations,
            const IpTunnelRules& rules,
            IpTunnelEndpoint& endpoint)
{
    Ipv4Bytes& bytes = frame.transit.bytes;
    const bool isAtomic = (load_big_u16(&bytes[Ipv4Offset::FRAGMENT]) & IPV4_DONT_FRAGMENT) != 0;
    store_big_u16(&bytes[Ipv4Offset::CHECKSUM], 0);
    if (rules.hasChecksums)
    {
        SetIpv4Checksum(bytes); // the TTL has changed, and the ECN field may have
    }
    // The shim belongs to the innermost outer header. Headers of waypoints are IP in IP around it.
    const bool isVxlan = rules.shim.encapsulation == TunnelShim::VXLAN;
    std::size_t shimSize = rules.shim.GetSize();
    uint8_t protocol = rules.shim.GetProtocol();
    for (const uint32_t destination : destinations)
    {
        const uint16_t identification = isAtomic ? 0 : endpoint.GetNextIdentification();
        const Ipv4Bytes outer = MakeOuterHeader(bytes,
                                                local.Get(),
                                                destination,
                                                identification,
                                                rules,
                                                shimSize,
                                                protocol);
        frame.WritePayload();
        if (shimSize > 0)
        {
            const uint16_t port =
                isVxlan ? GetVxlanSourcePort(HashFlow(frame.transit.flow, 0)) : uint16_t{0};
            const FlowKey ends{local.Get(), destination, port, VXLAN_PORT, protocol};
            AddShim(frame.packet, rules.shim, ends);
            frame.transit.flow = isVxlan ? ends : frame.transit.flow;
        }
        frame.hasTransit = true;
        bytes = outer;
        shimSize = 0;
        protocol = PROTOCOL_IP_IN_IP;
    }
    // The flow stays the inner one, which routers read of all headers but VXLAN's.
    if (HasInnerFlow(frame.transit.flow.protocol))
    {
        // A tunnel in the tunnel: how much of it can still be read?
        uint8_t payload[FLOW_KEY_MAX_BYTES];
        const uint32_t size = frame.packet->CopyData(payload, sizeof(payload));
        frame.transit.flow = ReadFlowKey(bytes, payload, size);
    }
}

/// Remove a packet's outer header, which is parsed, and parse the inner one, unless it has options.
/// A packet that is malformed, or to be dropped by RFC 6040, begins as it has arrived. arrival: the
/// contents of the headers, if OK is returned.
InnerHeaderResult
Decapsulate(EthernetFrame& frame, const IpTunnelRules& rules, IpTunnelArrival& arrival)
{
    const uint8_t outerTos = frame.transit.bytes[Ipv4Offset::TOS];
    const uint8_t outerTtl = frame.transit.bytes[Ipv4Offset::TTL];
    frame.hasTransit = false; // the packet begins with the shim or the inner header
    if (rules.shim.encapsulation != TunnelShim::IP_IN_IP)
    {
        const auto result = RemoveShim(frame, rules.shim);
        if (result != InnerHeaderResult::OK)
        {
            return result;
        }
    }
    uint8_t bytes[IPV4_MAX_HEADER + FLOW_KEY_MAX_BYTES];
    constexpr uint32_t PLAIN = IPV4_HEADER_SIZE + 4; // with ports
    uint32_t n = frame.packet->CopyData(bytes, PLAIN);
    if (n == PLAIN && (bytes[Ipv4Offset::VERSION] != IPV4_PLAIN_VERSION ||
                       HasInnerFlow(bytes[Ipv4Offset::PROTOCOL])))
    {
        n = frame.packet->CopyData(bytes, sizeof(bytes));
    }
    const auto result = CheckInnerHeader(bytes, n, frame.packet->GetSize(), rules.hasChecksums);
    if (result != InnerHeaderResult::OK)
    {
        return result;
    }
    arrival.inner = GetEcn(bytes[Ipv4Offset::TOS]);
    arrival.outer = GetEcn(outerTos);
    arrival.cell = &OpenInnerHeader(bytes, outerTos, outerTtl, rules);
    arrival.size = load_big_u16(bytes + Ipv4Offset::LENGTH);
    const uint32_t headerSize = 4 * (bytes[Ipv4Offset::VERSION] & 0x0fU);
    TransitHeader header;
    std::copy_n(bytes, IPV4_HEADER_SIZE, header.bytes.begin());
    header.flow =
        ReadFlowKey(header.bytes, bytes + headerSize, std::min(n, arrival.size) - headerSize);
    arrival.flow = header.flow;
    if (arrival.cell->isDropped)
    {
        return result;
    }
    if (headerSize == IPV4_HEADER_SIZE)
    {
        frame.ReadPayload(header);
        return result;
    }
    // With options, which a parsed header cannot have: the stack handles it.
    const auto packet = frame.packet->Copy();
    packet->RemoveAtEnd(packet->GetSize() - arrival.size);
    packet->RemoveAtStart(headerSize);
    packet->AddHeader(WrittenHeader<Ipv4Header>(bytes, headerSize));
    frame.packet = packet;
    return result;
}

/// Fragment a packet before it is encapsulated. mtu: the longest fragment in bytes.
std::vector<EthernetFrame>
MakeFragments(const EthernetFrame& frame, uint32_t mtu)
{
    const Ipv4Bytes& bytes = frame.transit.bytes;
    const uint16_t word = load_big_u16(&bytes[Ipv4Offset::FRAGMENT]);
    const uint32_t size = load_big_u16(&bytes[Ipv4Offset::LENGTH]) - IPV4_HEADER_SIZE;
    const uint32_t most = (mtu - IPV4_HEADER_SIZE) & ~7U;
    std::vector<EthernetFrame> fragments;
    for (uint32_t at = 0; at < size; at += most)
    {
        const uint32_t part = std::min(most, size - at);
        const bool isLast = at + part == size;
        EthernetFrame& fragment = fragments.emplace_back();
        fragment.packet = frame.packet->CreateFragment(at, part);
        fragment.hasTransit = true;
        fragment.transit.bytes = bytes;
        store_big_u16(&fragment.transit.bytes[Ipv4Offset::LENGTH],
                      static_cast<uint16_t>(IPV4_HEADER_SIZE + part));
        store_big_u16(&fragment.transit.bytes[Ipv4Offset::FRAGMENT],
                      static_cast<uint16_t>((isLast ? word & MORE_FRAGMENTS : MORE_FRAGMENTS) |
                                            ((word & IPV4_OFFSET_MASK) + at / 8)));
        fragment.transit.flow = ReadFlowKey(fragment.transit.bytes, nullptr, 0);
    }
    return fragments;
}

} // namespace

TypeId
IpTunnelNetDevice::AddHeaderAttributes(TypeId tid)
{
    using Ecn = TunnelEcn;
    using Rules = IpTunnelRules;
    using Shim = TunnelShim;
    using IngressValue = decltype(EnumValue(Ecn::NORMAL));
    using EgressValue = decltype(EnumValue(Ecn::RFC_6040));
    using FieldModelValue = decltype(EnumValue(Rules::PIPE));
    using EncapsulationValue = decltype(EnumValue(Shim::IP_IN_IP));
    constexpr auto RULES = &IpTunnelNetDevice::m_rules;
    constexpr auto SHIM = &IpTunnelNetDevice::m_shim;
    constexpr uint32_t MAX_VNI = 0xffffff;
    return tid
        .AddAttribute(
            "Encapsulation",
            "What is between the outer and the inner header (RFC 2003, RFC 2784, RFC "
            "7348), the same at both ends; set before installation.",
            EnumValue(Shim::IP_IN_IP),
            MakeSettingsAccessor<EncapsulationValue>(SHIM, &Shim::encapsulation),
            MakeEnumChecker(Shim::IP_IN_IP, "IpInIp", Shim::GRE, "Gre", Shim::VXLAN, "Vxlan"))
        .AddAttribute("GreKey",
                      "The key of Encapsulation Gre (RFC 2890), a number, the same at both ends; "
                      "0 for none; set before installation.",
                      UintegerValue(0),
                      MakeSettingsAccessor<UintegerValue>(SHIM, &Shim::greKey),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("Vni",
                      "The VXLAN network identifier of Encapsulation Vxlan, the same at both ends; "
                      "set before installation.",
                      UintegerValue(0),
                      MakeSettingsAccessor<UintegerValue>(SHIM, &Shim::vni),
                      MakeUintegerChecker<uint32_t>(0, MAX_VNI))
        .AddAttribute("IngressMode",
                      "The ECN field that packets enter with (RFC 6040, section 4.1).",
                      EnumValue(Ecn::NORMAL),
                      MakeSettingsAccessor<IngressValue>(RULES, &Rules::ingress),
                      MakeEnumChecker(Ecn::NORMAL, "Normal", Ecn::COMPATIBILITY, "Compatibility"))
        .AddAttribute("EgressMode",
                      "How an outer ECT(1) leaves the tunnel: copied (RFC 6040, section 4.2), "
                      "or not (section 3.2.2.1 of the draft).",
                      EnumValue(Ecn::RFC_6040),
                      MakeSettingsAccessor<EgressValue>(RULES, &Rules::egress),
                      MakeEnumChecker(Ecn::RFC_6040, "Rfc6040", Ecn::PIPE_FOR_ECT_1, "PipeForEct1"))
        .AddAttribute("TtlModel",
                      "Whether the TTL counts the hops in the tunnel (Uniform) or not (Pipe).",
                      EnumValue(Rules::PIPE),
                      MakeSettingsAccessor<FieldModelValue>(RULES, &Rules::ttlModel),
                      MakeEnumChecker(Rules::UNIFORM, "Uniform", Rules::PIPE, "Pipe"))
        .AddAttribute("Ttl",
                      "The outer TTL, in hops, of TtlModel Pipe.",
                      UintegerValue(64),
                      MakeSettingsAccessor<UintegerValue>(RULES, &Rules::ttl),
                      MakeUintegerChecker<uint8_t>(1))
        .AddAttribute("DscpModel",
                      "Whether both headers have one DSCP, and what is changed in the tunnel "
                      "comes out of it (Uniform), or each has its own (Pipe).",
                      EnumValue(Rules::UNIFORM),
                      MakeSettingsAccessor<FieldModelValue>(RULES, &Rules::dscpModel),
                      MakeEnumChecker(Rules::UNIFORM, "Uniform", Rules::PIPE, "Pipe"))
        .AddAttribute("Dscp",
                      "The outer DSCP of DscpModel Pipe.",
                      UintegerValue(0),
                      MakeSettingsAccessor<UintegerValue>(RULES, &Rules::dscp),
                      MakeUintegerChecker<uint8_t>(0, 63));
}

TypeId
IpTunnelNetDevice::GetTypeId()
{
    using C = IpTunnelNetDevice;
    using Paths = IpTunnelPaths::Settings;
    constexpr auto PATHS = &C::m_pathSettings;
    static TypeId tid = AddHeaderAttributes(
        TypeId("ns3::aidc::IpTunnelNetDevice")
            .SetParent<VirtualNetDevice>()
            .SetGroupName("Aidc")
            .AddConstructor<C>()
            .AddAttribute("Local",
                          "This end's address, one of the router's; set before installation.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_local),
                          MakeIpv4AddressChecker())
            .AddAttribute("Remote",
                          "The other end's address, set before installation; 0.0.0.0 to let "
                          "packets of any peer out and none in.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&C::m_remote),
                          MakeIpv4AddressChecker())
            .AddAttribute(
                "EdgeEct1",
                "How packets are treated that are sent as ECT(1).",
                EnumValue(PASSED),
                MakeEnumAccessorFor<Ect1Policy>(&C::m_ect1),
                MakeEnumChecker(PASSED, "Passed", REFUSED, "Refused", REMARKED, "Remarked"))
            .AddAttribute("PathMtu",
                          "The longest outer packet in bytes, where a link behind the first one "
                          "has a smaller MTU than that has.",
                          UintegerValue(MAX_PACKET),
                          MakeFunctionAccessor<C, UintegerValue>(
                              [](const C& tunnel) { return tunnel.m_pathSettings.mtu; },
                              [](C& tunnel, const UintegerValue& mtu) {
                                  tunnel.m_pathSettings.mtu = static_cast<uint32_t>(mtu.Get());
                                  tunnel.m_paths.NotifyRoutes();
                              }),
                          MakeUintegerChecker<uint32_t>(MIN_PATH_MTU, MAX_PACKET))
            .AddAttribute("PathMtuDiscovery",
                          "Whether the MTU of a path is lowered to what a router inside tells "
                          "(RFC 1191).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&C::m_isDiscovering),
                          MakeBooleanChecker())
            .AddAttribute("PathMtuTimeout",
                          "How long an MTU that a router reports is used (RFC 1191, section 6.3).",
                          TimeValue(Minutes(10)),
                          MakeSettingsAccessor<TimeValue>(PATHS, &Paths::mtuTimeout),
                          MakeTimeChecker(Minutes(5)))
            .AddAttribute("HoldTime",
                          "How long a path that comes up again has to stay so before packets that "
                          "have another one return to it.",
                          TimeValue(Seconds(0)),
                          MakeSettingsAccessor<TimeValue>(PATHS, &Paths::holdTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute(
                "KeepaliveInterval",
                "The time between the keepalives of a path; 0 for none, without which "
                "simulations end by themselves.",
                TimeValue(Seconds(0)),
                MakeFunctionAccessor<C, TimeValue>(
                    [](const C& tunnel) { return tunnel.m_pathSettings.keepaliveInterval; },
                    [](C& tunnel, const TimeValue& interval) {
                        tunnel.m_pathSettings.keepaliveInterval = interval.Get();
                        tunnel.m_paths.RestartKeepalives();
                    }),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("KeepaliveMisses",
                          "The number of keepalives without an answer after which a path is down.",
                          UintegerValue(3),
                          MakeSettingsAccessor<UintegerValue>(PATHS, &Paths::keepaliveMisses),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("KeepaliveTos",
                          "The type of service of keepalives; by default class selector 6.",
                          UintegerValue(0xc0),
                          MakeUintegerAccessor(&C::m_keepaliveTos),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("TrafficController",
                          "The controller that steers packets and lets them wait; none by default.",
                          PointerValue(),
                          MakePointerAccessor(&C::m_controller),
                          MakePointerChecker<TunnelTrafficController>())
            .AddTraceSource("PathState",
                            "A path goes up or down.",
                            MakeTraceSourceAccessor(&C::m_pathTrace),
                            "ns3::aidc::IpTunnelNetDevice::PathTracedCallback")
            .AddTraceSource("DefaultPath",
                            "Packets that are not steered take another path.",
                            MakeTraceSourceAccessor(&C::m_defaultTrace),
                            "ns3::aidc::IpTunnelNetDevice::DefaultPathTracedCallback")
            .AddTraceSource("EcnArrival",
                            "A packet arrives with a light mark, a CE that is new or an alarm.",
                            MakeTraceSourceAccessor(&C::m_ecnTrace),
                            "ns3::aidc::IpTunnelNetDevice::EcnTracedCallback")
            .AddTraceSource("Drop",
                            "A packet is dropped.",
                            MakeTraceSourceAccessor(&C::m_dropTrace),
                            "ns3::aidc::IpTunnelNetDevice::DropTracedCallback"));
    return tid;
}

IpTunnelNetDevice::IpTunnelNetDevice()
    : m_paths(*this, m_pathSettings)
{
    NS_LOG_FUNCTION(this);
    SetSendCallback(MakeCallback(&IpTunnelNetDevice::SendFromStack, this));
    SetNeedsArp(false);
    SetIsPointToPoint(true);
}

void
IpTunnelNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_paths.Stop();
    if (m_endpoint)
    {
        m_endpoint->Remove(*this);
    }
    SetSendCallback(SendCallback());
    m_endpoint = nullptr;
    m_controller = nullptr;
    VirtualNetDevice::DoDispose();
}

void
IpTunnelNetDevice::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    AIDC_REFUSED_UNLESS(m_endpoint, "IpTunnelNetDevice: Install() has not been called");
    m_paths.Start();
    VirtualNetDevice::DoInitialize();
}

uint32_t
IpTunnelNetDevice::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    AIDC_REFUSED_IF(m_endpoint, "IpTunnelNetDevice is part of one node");
    const std::string error = FindTunnelShimError(m_shim);
    if (!error.empty())
    {
        throw std::runtime_error("ns3::aidc::IpTunnelNetDevice::" + error);
    }
    m_rules.shim = m_shim;
    m_pathSettings.shimSize = static_cast<uint32_t>(m_shim.GetSize());
    m_endpoint = IpTunnelEndpoint::GetOrMake(node);
    AIDC_REFUSED_UNLESS(m_endpoint->Add(m_local, m_remote, m_shim.GetProtocol(), *this),
                        "IpTunnelNetDevice: there is a tunnel from " << m_local << " to "
                                                                     << m_remote << " already");
    m_rules.hasChecksums = Node::ChecksumEnabled();
    const auto ipv4 = node->GetObject<Ipv4>();
    SetAddress(Mac48Address::Allocate());
    node->AddDevice(this);
    m_paths.Install(this, ipv4, m_remote);
    const uint32_t interface = ipv4->AddInterface(this);
    ipv4->SetUp(interface);
    if (const auto datapath = node->GetObject<SwitchDatapath>())
    {
        datapath->AddTunnel();
    }
    return interface;
}

void
IpTunnelNetDevice::AddArrivals(Ipv4Address local, Ipv4Address remote)
{
    AIDC_REFUSED_UNLESS(m_endpoint, "IpTunnelNetDevice: Install() has not been called");
    AIDC_REFUSED_UNLESS(m_endpoint->Add(local, remote, m_rules.shim.GetProtocol(), *this),
                        "IpTunnelNetDevice: there is a tunnel from " << local << " to " << remote
                                                                     << " already");
}

uint16_t
IpTunnelNetDevice::GetMtu() const
{
    return MAX_PACKET;
}

void
IpTunnelNetDevice::NotifyPathState(uint32_t path, bool isUp)
{
    ++(isUp ? m_statistics.pathsRestored : m_statistics.pathsFailed);
    m_pathTrace(path, isUp);
}

void
IpTunnelNetDevice::NotifyDefaultPath(uint32_t before, uint32_t after)
{
    m_defaultTrace(before, after);
    if (before == TunnelPathChoice::NONE || after == TunnelPathChoice::NONE)
    {
        NotifyRouting();
        m_linkChange();
    }
}

void
IpTunnelNetDevice::NotifyRouting()
{
    const auto ipv4 = GetNode()->GetObject<Ipv4>();
    if (const auto routing = DynamicCast<MultipathRouting>(ipv4->GetRoutingProtocol()))
    {
        const auto interface = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(this));
        IsLinkUp() ? routing->NotifyInterfaceUp(interface)
                   : routing->NotifyInterfaceDown(interface);
    }
}

void
IpTunnelNetDevice::NotifyPaths()
{
    if (m_controller)
    {
        m_controller->NotifyPaths(*this);
    }
}

void
IpTunnelNetDevice::SendKeepalive(uint32_t path)
{
    constexpr uint8_t PROTOCOL = IpTunnelEndpoint::KEEPALIVE_PROTOCOL;
    uint8_t payload[sizeof(path)];
    store_big_u32(payload, path);
    EthernetFrame frame;
    frame.packet = Create<Packet>(payload, sizeof(payload));
    frame.hasTransit = true;
    Ipv4Bytes& bytes = frame.transit.bytes;
    bytes[Ipv4Offset::VERSION] = IPV4_PLAIN_VERSION;
    bytes[Ipv4Offset::TOS] = m_keepaliveTos;
    store_big_u16(&bytes[Ipv4Offset::LENGTH], IP_TUNNEL_KEEPALIVE_SIZE);
    store_big_u16(&bytes[Ipv4Offset::FRAGMENT], IPV4_DONT_FRAGMENT);
    bytes[Ipv4Offset::TTL] = m_rules.ttl;
    bytes[Ipv4Offset::PROTOCOL] = PROTOCOL;
    // From the other end, which sends it back, to this one
    store_big_u32(&bytes[Ipv4Offset::SOURCE], m_remote.Get());
    store_big_u32(&bytes[Ipv4Offset::DESTINATION], m_local.Get());
    frame.transit.flow = {m_remote.Get(), m_local.Get(), 0, 0, PROTOCOL};
    ++m_statistics.keepalivesSent;
    Transmit(frame, FrameContext(), path);
}

bool
IpTunnelNetDevice::NotifyTooLong(const FragmentationNeeded& message)
{
    const bool isLower = m_isDiscovering && m_paths.LearnMtu(message, m_rules.shim);
    m_statistics.mtusLowered += isLower;
    return isLower;
}

void
IpTunnelNetDevice::NotifyKeepalive(const Packet& packet)
{
    uint8_t payload[sizeof(uint32_t)];
    const bool isWhole = packet.CopyData(payload, sizeof(payload)) == sizeof(payload);
    if (isWhole && load_big_u32(payload) < m_paths.GetN())
    {
        ++m_statistics.keepalivesReturned;
        m_paths.NotifyKeepalive(load_big_u32(payload));
    }
}

bool
IpTunnelNetDevice::SendFromStack(Ptr<Packet> packet,
                                 const Address&,
                                 const Address&,
                                 uint16_t protocol)
{
    EthernetFrame frame;
    frame.packet = packet->Copy();
    TransitHeader header;
    if (protocol != ETHERTYPE_IPV4 || !ReadTransitHeader(*packet, header))
    {
        Drop(frame, m_statistics.unsupported, DROP_UNSUPPORTED);
        return false;
    }
    FrameContextTag tag;
    const bool hasContext = frame.packet->RemovePacketTag(tag);
    frame.ReadPayload(header);
    Enter(frame, hasContext ? tag.GetContext() : FrameContext());
    return true;
}

void
IpTunnelNetDevice::Enter(EthernetFrame& frame, const FrameContext& context)
{
    m_paths.Refresh();
    uint8_t& tos = frame.transit.bytes[Ipv4Offset::TOS];
    if (m_ect1 != PASSED && GetEcn(tos) == EcnCodepoint::ECT_1)
    {
        if (m_ect1 == REFUSED)
        {
            Drop(frame, m_statistics.refusedEct1, DROP_ECT_1);
            return;
        }
        ++m_statistics.ect1Remarked;
        tos = SetEcn(tos, EcnCodepoint::ECT_0);
    }
    if (!m_controller)
    {
        SendBy(frame, context, m_paths.GetDefault());
        return;
    }
    // Not by std::move(), which copies a Ptr before ns-3.48: the packet would not be alone.
    TunnelPacket packet{frame.transit, std::exchange(frame.packet, nullptr), context};
    const uint32_t path = m_controller->Choose(*this, packet);
    if (path == TunnelTrafficController::HOLD)
    {
        ++m_statistics.heldPackets;
        return;
    }
    frame.transit = packet.header;
    frame.packet = std::exchange(packet.payload, nullptr);
    SendBy(frame, packet.context, path);
}

void
IpTunnelNetDevice::Resume(TunnelPacket&& packet, uint32_t path)
{
    m_paths.Refresh();
    if (path == TunnelTrafficController::DEFAULT_PATH && m_controller)
    {
        path = m_controller->ChooseDefault(*this, packet);
    }
    EthernetFrame frame;
    frame.packet = std::exchange(packet.payload, nullptr);
    frame.transit = packet.header;
    frame.hasTransit = true;
    SendBy(frame, packet.context, path);
}

void
IpTunnelNetDevice::SendBy(EthernetFrame& frame, const FrameContext& context, uint32_t path)
{
    const uint32_t usable = m_paths.GetUsable(path);
    const uint32_t size = load_big_u16(&frame.transit.bytes[Ipv4Offset::LENGTH]);
    if (usable == TunnelPathChoice::NONE)
    {
        Drop(frame, m_statistics.noPath, DROP_NO_PATH);
    }
    else if (size > m_paths.Get(usable).mtu)
    {
        HandleTooLong(frame, context, usable);
    }
    else if (Transmit(frame, context, usable))
    {
        ++m_statistics.sentPackets;
        m_statistics.sentOctets += size;
    }
}

bool
IpTunnelNetDevice::Transmit(EthernetFrame& frame, const FrameContext& context, uint32_t path)
{
    Encapsulate(frame, m_local, m_paths.Get(path).destinations, m_rules, *m_endpoint);
    const auto result = m_endpoint->Send(frame, context);
    if (result == IpTunnelEndpoint::Result::NO_ROUTE)
    {
        Drop(frame, m_statistics.noPath, DROP_NO_PATH);
    }
    else if (result == IpTunnelEndpoint::Result::RECURSIVE)
    {
        Drop(frame, m_statistics.recursive, DROP_RECURSIVE);
    }
    return result == IpTunnelEndpoint::Result::SENT;
}

void
IpTunnelNetDevice::HandleTooLong(EthernetFrame& frame, const FrameContext& context, uint32_t path)
{
    if (m_paths.ForgetMtus())
    {
        SendBy(frame, context, path);
        return;
    }
    const uint32_t mtu = m_paths.Get(path).mtu;
    Ipv4Bytes bytes = frame.transit.bytes;
    if ((bytes[Ipv4Offset::FRAGMENT] & DONT_FRAGMENT_BYTE) != 0)
    {
        const auto packet = frame.packet;
        Drop(frame, m_statistics.tooLong, DROP_TOO_LONG);
        if (m_rules.hasChecksums)
        {
            SetIpv4Checksum(bytes); // the TTL has changed
        }
        SendFragmentationNeeded(*GetNode()->GetObject<Ipv4>(), bytes, *packet, mtu);
        return;
    }
    ++m_statistics.fragmentedPackets;
    auto fragments = MakeFragments(frame, mtu);
    frame.packet = nullptr;
    for (auto& fragment : fragments)
    {
        SendBy(fragment, context, path);
    }
}

void
IpTunnelNetDevice::Drop(EthernetFrame& frame, uint64_t& counter, DropReason reason)
{
    NS_LOG_LOGIC("Dropped, reason " << reason);
    ++counter;
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(frame.WritePayload(), reason);
    }
    frame.packet = nullptr;
}

void
IpTunnelNetDevice::Open(EthernetFrame& frame)
{
    IpTunnelArrival arrival;
    const auto result = Decapsulate(frame, m_rules, arrival);
    if (result != InnerHeaderResult::OK)
    {
        Drop(frame, m_statistics.malformed[static_cast<std::size_t>(result)], DROP_MALFORMED);
        return;
    }
    const TunnelEcnCell& cell = *arrival.cell;
    if (cell.isLight || cell.alarm != TunnelEcnAlarm::NONE ||
        (arrival.outer == EcnCodepoint::CE && arrival.inner != EcnCodepoint::CE))
    {
        NoteEcn(arrival);
    }
    if (cell.isDropped)
    {
        Drop(frame, m_statistics.ecnDrops, DROP_ECN);
        return;
    }
    ++m_statistics.receivedPackets;
    m_statistics.receivedOctets += arrival.size;
}

void
IpTunnelNetDevice::NoteEcn(const IpTunnelArrival& arrival)
{
    const TunnelEcnCell& cell = *arrival.cell;
    m_statistics.lightMarks += cell.isLight;
    m_statistics.severeMarks += cell.inner == EcnCodepoint::CE && arrival.inner != EcnCodepoint::CE;
    m_statistics.possibleAlarms += cell.alarm == TunnelEcnAlarm::POSSIBLE;
    m_statistics.dangerousAlarms += cell.alarm == TunnelEcnAlarm::DANGEROUS;
    if (cell.alarm != TunnelEcnAlarm::NONE)
    {
        NS_LOG_WARN("RFC 6040, section 4.2: a packet of "
                    << Ipv4Address(arrival.flow.source) << " has codepoint "
                    << static_cast<int>(arrival.inner) << " below "
                    << static_cast<int>(arrival.outer));
    }
    m_ecnTrace(arrival.flow, arrival.inner, arrival.outer, cell);
}

void
IpTunnelNetDevice::GiveToStack(EthernetFrame& frame, const FrameContext& context)
{
    const auto packet = frame.WritePayload();
    m_endpoint->KeepContext(packet, context);
    frame.packet = nullptr;
    Receive(packet, ETHERTYPE_IPV4, GetAddress(), GetAddress(), PACKET_HOST);
}

} // namespace ns3::aidc
