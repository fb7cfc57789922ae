/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-tunnel-net-device.h"

#include "ns3/abort.h"
#include "ns3/aidc-compat.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/multipath-routing.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/switch-datapath.h"
#include "ns3/uinteger.h"

#include <limits>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcIpTunnelNetDevice");

NS_OBJECT_ENSURE_REGISTERED(IpTunnelNetDevice);

namespace
{

/// The shortest MTU of a path: the one of IPv4 (RFC 791) below the most outer headers.
constexpr uint32_t MIN_PATH_MTU = 68 + 20 * (IpTunnelNetDevice::MAX_WAYPOINTS + 1);
/// The longest IPv4 packet.
constexpr uint32_t MAX_PACKET = std::numeric_limits<uint16_t>::max();

} // namespace

TypeId
IpTunnelNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::IpTunnelNetDevice")
            .SetParent<VirtualNetDevice>()
            .SetGroupName("Aidc")
            .AddConstructor<IpTunnelNetDevice>()
            .AddAttribute("Local",
                          "This end's address, one of the router's; set before installation.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&IpTunnelNetDevice::m_local),
                          MakeIpv4AddressChecker())
            .AddAttribute("Remote",
                          "The other end's address, set before installation; 0.0.0.0 to let "
                          "packets of any peer out and none in.",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&IpTunnelNetDevice::m_remote),
                          MakeIpv4AddressChecker())
            .AddAttribute("IngressMode",
                          "The ECN field that packets enter with (RFC 6040, section 4.1).",
                          EnumValue(NORMAL),
                          MakeEnumAccessorFor<IngressMode>(&IpTunnelNetDevice::m_ingressMode),
                          MakeEnumChecker(NORMAL, "Normal", COMPATIBILITY, "Compatibility"))
            .AddAttribute("EgressMode",
                          "How an outer ECT(1) leaves the tunnel: copied (RFC 6040, section 4.2), "
                          "or not (section 3.2.2.1 of the draft).",
                          EnumValue(RFC_6040),
                          MakeEnumAccessorFor<EgressMode>(&IpTunnelNetDevice::m_egressMode),
                          MakeEnumChecker(RFC_6040, "Rfc6040", PIPE_FOR_ECT_1, "PipeForEct1"))
            .AddAttribute(
                "EdgeEct1",
                "How packets are treated that are sent as ECT(1).",
                EnumValue(PASSED),
                MakeEnumAccessorFor<Ect1Policy>(&IpTunnelNetDevice::m_ect1),
                MakeEnumChecker(PASSED, "Passed", REFUSED, "Refused", REMARKED, "Remarked"))
            .AddAttribute("TtlModel",
                          "Whether the TTL counts the hops in the tunnel (Uniform) or not (Pipe).",
                          EnumValue(PIPE),
                          MakeEnumAccessorFor<FieldModel>(&IpTunnelNetDevice::m_ttlModel),
                          MakeEnumChecker(UNIFORM, "Uniform", PIPE, "Pipe"))
            .AddAttribute("Ttl",
                          "The outer TTL, in hops, of TtlModel Pipe.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&IpTunnelNetDevice::m_ttl),
                          MakeUintegerChecker<uint8_t>(1))
            .AddAttribute("DscpModel",
                          "Whether both headers have one DSCP, and what is changed in the tunnel "
                          "comes out of it (Uniform), or each has its own (Pipe).",
                          EnumValue(UNIFORM),
                          MakeEnumAccessorFor<FieldModel>(&IpTunnelNetDevice::m_dscpModel),
                          MakeEnumChecker(UNIFORM, "Uniform", PIPE, "Pipe"))
            .AddAttribute("Dscp",
                          "The outer DSCP of DscpModel Pipe.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&IpTunnelNetDevice::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("PathMtu",
                          "The longest outer packet in bytes, where a link behind the first one "
                          "has a smaller MTU than that has.",
                          UintegerValue(MAX_PACKET),
                          MakeUintegerAccessor(&IpTunnelNetDevice::SetPathMtu,
                                               &IpTunnelNetDevice::GetPathMtu),
                          MakeUintegerChecker<uint32_t>(MIN_PATH_MTU, MAX_PACKET))
            .AddAttribute("HoldTime",
                          "How long a path that comes up again has to stay so before packets that "
                          "have another one return to it.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&IpTunnelNetDevice::m_holdTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("KeepaliveInterval",
                          "The time between the keepalives of a path; 0 for none, without which "
                          "simulations end by themselves.",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&IpTunnelNetDevice::SetKeepaliveInterval,
                                           &IpTunnelNetDevice::GetKeepaliveInterval),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("KeepaliveMisses",
                          "The number of keepalives without an answer after which a path is down.",
                          UintegerValue(3),
                          MakeUintegerAccessor(&IpTunnelNetDevice::m_keepaliveMisses),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("KeepaliveTos",
                          "The type of service of keepalives; by default class selector 6.",
                          UintegerValue(0xc0),
                          MakeUintegerAccessor(&IpTunnelNetDevice::m_keepaliveTos),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("TrafficController",
                          "The controller that steers packets and lets them wait; none by default.",
                          PointerValue(),
                          MakePointerAccessor(&IpTunnelNetDevice::SetTrafficController,
                                              &IpTunnelNetDevice::GetTrafficController),
                          MakePointerChecker<TunnelTrafficController>())
            .AddTraceSource("PathState",
                            "A path goes up or down.",
                            MakeTraceSourceAccessor(&IpTunnelNetDevice::m_pathTrace),
                            "ns3::aidc::IpTunnelNetDevice::PathTracedCallback")
            .AddTraceSource("DefaultPath",
                            "Packets that are not steered take another path.",
                            MakeTraceSourceAccessor(&IpTunnelNetDevice::m_defaultTrace),
                            "ns3::aidc::IpTunnelNetDevice::DefaultPathTracedCallback")
            .AddTraceSource("EcnArrival",
                            "A packet arrives with a light mark, a CE that is new or an alarm.",
                            MakeTraceSourceAccessor(&IpTunnelNetDevice::m_ecnTrace),
                            "ns3::aidc::IpTunnelNetDevice::EcnTracedCallback")
            .AddTraceSource("Drop",
                            "A packet is dropped.",
                            MakeTraceSourceAccessor(&IpTunnelNetDevice::m_dropTrace),
                            "ns3::aidc::IpTunnelNetDevice::DropTracedCallback");
    return tid;
}

IpTunnelNetDevice::IpTunnelNetDevice()
{
    NS_LOG_FUNCTION(this);
    SetSendCallback(MakeCallback(&IpTunnelNetDevice::SendFromStack, this));
    SetNeedsArp(false);
    SetIsPointToPoint(true);
    SetPaths({{}});
}

IpTunnelNetDevice::~IpTunnelNetDevice()
{
    NS_LOG_FUNCTION(this);
}

void
IpTunnelNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_choiceEvent.Cancel();
    m_keepaliveEvent.Cancel();
    if (m_endpoint)
    {
        m_endpoint->Remove(*this);
    }
    SetSendCallback(SendCallback());
    m_endpoint = nullptr;
    m_controller = nullptr;
    m_datapath = nullptr;
    m_routing = nullptr;
    m_ipv4 = nullptr;
    VirtualNetDevice::DoDispose();
}

uint32_t
IpTunnelNetDevice::Install(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    NS_ABORT_MSG_IF(m_endpoint, "IpTunnelNetDevice is part of one node");
    m_endpoint = IpTunnelEndpoint::GetOrMake(node);
    NS_ABORT_MSG_UNLESS(m_endpoint->Add(m_local, m_remote, *this),
                        "IpTunnelNetDevice: there is a tunnel from " << m_local << " to "
                                                                     << m_remote << " already");
    m_hasChecksums = Node::ChecksumEnabled();
    m_ipv4 = node->GetObject<Ipv4>();
    SetAddress(Mac48Address::Allocate());
    node->AddDevice(this);
    const uint32_t interface = m_ipv4->AddInterface(this);
    m_ipv4->SetUp(interface);
    if (const auto datapath = node->GetObject<SwitchDatapath>())
    {
        datapath->AddTunnel();
    }
    return interface;
}

void
IpTunnelNetDevice::SetTrafficController(Ptr<TunnelTrafficController> controller)
{
    m_controller = controller;
}

Ptr<TunnelTrafficController>
IpTunnelNetDevice::GetTrafficController() const
{
    return m_controller;
}

Ipv4Address
IpTunnelNetDevice::GetLocal() const
{
    return m_local;
}

Ipv4Address
IpTunnelNetDevice::GetRemote() const
{
    return m_remote;
}

const IpTunnelStatistics&
IpTunnelNetDevice::GetStatistics() const
{
    return m_statistics;
}

const NetDevice&
IpTunnelNetDevice::GetDevice() const
{
    return *this;
}

uint16_t
IpTunnelNetDevice::GetMtu() const
{
    return MAX_PACKET;
}

bool
IpTunnelNetDevice::IsLinkUp() const
{
    return m_defaultPath != TunnelPathChoice::NONE;
}

void
IpTunnelNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

IpTunnelRules
IpTunnelNetDevice::GetRules() const
{
    IpTunnelRules rules;
    rules.ingress =
        m_ingressMode == NORMAL ? TunnelEcnIngress::NORMAL : TunnelEcnIngress::COMPATIBILITY;
    rules.egress =
        m_egressMode == RFC_6040 ? TunnelEcnEgress::RFC_6040 : TunnelEcnEgress::PIPE_FOR_ECT_1;
    rules.isTtlUniform = m_ttlModel == UNIFORM;
    rules.isDscpUniform = m_dscpModel == UNIFORM;
    rules.ttl = m_ttl;
    rules.dscp = m_dscp;
    rules.hasChecksums = m_hasChecksums;
    return rules;
}

} // namespace ns3::aidc
