/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bfd-speaker.h"

#include "../core/require-argument.h"
#include "../routing/find-multipath-routing.h"
#include "bfd-speaker-session.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-packet-info-tag.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <array>
#include <limits>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBfdSpeaker");
NS_OBJECT_ENSURE_REGISTERED(BfdSpeaker);

TypeId
BfdSpeaker::GetTypeId()
{
    const Time longest = MicroSeconds(std::numeric_limits<uint32_t>::max());
    static TypeId tid =
        TypeId("ns3::aidc::BfdSpeaker")
            .SetParent<JitteredApplication>()
            .SetGroupName("Aidc")
            .AddConstructor<BfdSpeaker>()
            .AddAttribute("DesiredMinTx",
                          "The least time between packets that are sent while a session is up, in "
                          "whole microseconds, less up to a quarter by jitter; the neighbor may "
                          "require more",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&BfdSpeaker::m_desiredMinTx),
                          MakeTimeChecker(MicroSeconds(1), longest))
            .AddAttribute("RequiredMinRx",
                          "The least time between packets that are received, in whole "
                          "microseconds; the neighbor may send less often",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&BfdSpeaker::m_requiredMinRx),
                          MakeTimeChecker(MicroSeconds(1), longest))
            .AddAttribute("DetectMultiplier",
                          "Intervals without a packet after which the neighbor takes a session "
                          "down",
                          UintegerValue(3),
                          MakeUintegerAccessor(&BfdSpeaker::m_detectMultiplier),
                          MakeUintegerChecker<uint8_t>(1))
            .AddAttribute("Passive",
                          "A session sends nothing until a packet of the neighbor comes",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BfdSpeaker::m_isPassive),
                          MakeBooleanChecker())
            .AddAttribute("Dscp",
                          "Differentiated services codepoint of packets; 48 is CS6, for network "
                          "control (RFC 4594)",
                          UintegerValue(48),
                          MakeUintegerAccessor(&BfdSpeaker::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("BlockNextHops",
                          "Next hops of the node's MultipathRouting over an interface of which a "
                          "session has failed are not used",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BfdSpeaker::m_blocksNextHops),
                          MakeBooleanChecker())
            .AddTraceSource("SessionState",
                            "A session has got another state.",
                            MakeTraceSourceAccessor(&BfdSpeaker::m_stateTrace),
                            "ns3::aidc::BfdSpeaker::SessionStateTracedCallback")
            .AddTraceSource("Failure",
                            "The path of a session has failed, or works again.",
                            MakeTraceSourceAccessor(&BfdSpeaker::m_failureTrace),
                            "ns3::aidc::BfdSpeaker::FailureTracedCallback")
            .AddTraceSource("Discard",
                            "A packet was discarded.",
                            MakeTraceSourceAccessor(&BfdSpeaker::m_discardTrace),
                            "ns3::aidc::BfdSpeaker::DiscardTracedCallback");
    return tid;
}

BfdSpeaker::BfdSpeaker()
    : m_context(std::make_unique<BfdSpeakerContext>(BfdSpeakerContext{
          m_dscp,
          m_ipv4,
          [this](double min, double max) { return DrawJitter(min, max); },
          [this](uint32_t interface, bool hasFailed) { NotifyFailure(interface, hasFailed); },
          m_statistics,
          m_stateTrace,
          m_failureTrace}))
{
    NS_LOG_FUNCTION(this);
}

BfdSpeaker::~BfdSpeaker() = default;

Ptr<BfdSpeaker>
BfdSpeaker::Find(Ptr<Node> node)
{
    for (uint32_t i = 0; i < node->GetNApplications(); ++i)
    {
        if (const auto speaker = DynamicCast<BfdSpeaker>(node->GetApplication(i)))
        {
            return speaker;
        }
    }
    return nullptr;
}

uint32_t
BfdSpeaker::AddSession(uint32_t interface, Ipv4Address neighbor)
{
    NS_LOG_FUNCTION(this << interface << neighbor);
    uint32_t number = GetNSessions();
    const auto ipv4 = GetNode() ? GetNode()->GetObject<Ipv4>() : nullptr;
    AIDC_REFUSED_UNLESS(ipv4 && interface < ipv4->GetNInterfaces(),
                        "BfdSpeaker: expected the index of an interface of the node, found "
                            << interface);
    if (m_table.Find(interface, neighbor.Get(), number))
    {
        return number;
    }
    m_table.Add(interface, neighbor.Get());
    m_sessions.push_back(std::make_unique<BfdSpeakerSession>(*m_context,
                                                             MakeSettings(),
                                                             number,
                                                             interface,
                                                             neighbor));
    if (m_isRunning)
    {
        RunAtNode([this, number] { m_sessions[number]->Start(); });
    }
    return number;
}

const BfdSession&
BfdSpeaker::GetSession(uint32_t session) const
{
    return m_sessions.at(session)->GetMachine();
}

void
BfdSpeaker::Follow(uint32_t session, FailureCallback notify)
{
    m_sessions.at(session)->Follow(std::move(notify));
}

void
BfdSpeaker::SetAdminDown(uint32_t session, bool isAdminDown)
{
    NS_LOG_FUNCTION(this << session << isAdminDown);
    RunAtNode([this, session, isAdminDown] { m_sessions.at(session)->SetAdminDown(isAdminDown); });
}

void
BfdSpeaker::UpdateSessions()
{
    NS_LOG_FUNCTION(this);
    RunAtNode([this] {
        for (const auto& session : m_sessions)
        {
            session->UpdateSettings(MakeSettings());
        }
    });
}

BfdSessionSettings
BfdSpeaker::MakeSettings() const
{
    return {static_cast<uint32_t>(m_desiredMinTx.GetMicroSeconds()),
            static_cast<uint32_t>(m_requiredMinRx.GetMicroSeconds()),
            m_detectMultiplier,
            m_isPassive};
}

// The application

void
BfdSpeaker::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_ipv4 = GetNode()->GetObject<Ipv4>();
    AIDC_REFUSED_UNLESS(m_ipv4, "BfdSpeaker: node " << GetNode()->GetId() << " has no IPv4");
    if (m_blocksNextHops)
    {
        m_routing = FindMultipathRouting(m_ipv4);
        AIDC_REFUSED_UNLESS(m_routing,
                            "BfdSpeaker: expected node " << GetNode()->GetId()
                                                         << " to have MultipathRouting, or "
                                                            "BlockNextHops to be false");
    }
    JitteredApplication::DoInitialize();
}

void
BfdSpeaker::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_isRunning = false;
    for (const auto& session : m_sessions)
    {
        session->Dispose();
    }
    m_socket = nullptr;
    m_routing = nullptr;
    m_ipv4 = nullptr;
    JitteredApplication::DoDispose();
}

void
BfdSpeaker::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_isRunning = true;
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    AIDC_REFUSED_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), BFD_PORT)) != 0,
                    "BfdSpeaker: node " << GetNode()->GetId() << " has UDP port " << BFD_PORT
                                        << " in use");
    m_socket->SetRecvPktInfo(true);
    m_socket->SetRecvCallback(MakeCallback(&BfdSpeaker::Read, this));
    for (const auto& session : m_sessions)
    {
        session->Start();
    }
}

void
BfdSpeaker::StopApplication()
{
    NS_LOG_FUNCTION(this);
    for (const auto& session : m_sessions)
    {
        session->Stop();
    }
    m_isRunning = false;
    m_socket->Close();
    m_socket = nullptr;
}

void
BfdSpeaker::RunAtNode(const std::function<void()>& task)
{
    if (!m_isRunning || Simulator::GetContext() == GetNode()->GetId())
    {
        task();
        return;
    }
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   Time(0),
                                   [self = Ptr<BfdSpeaker>(this), task] {
                                       if (self->m_isRunning)
                                       {
                                           task();
                                       }
                                   });
}

void
BfdSpeaker::NotifyFailure(uint32_t interface, bool hasFailed)
{
    uint32_t& failures = m_failures[interface];
    failures = hasFailed ? failures + 1 : failures - 1;
    if (m_routing)
    {
        m_routing->SetBlocked(interface, failures > 0);
    }
}

// Packets

void
BfdSpeaker::Read(Ptr<Socket> socket)
{
    Address from;
    while (const auto datagram = socket->RecvFrom(from))
    {
        const auto source = InetSocketAddress::ConvertFrom(from).GetIpv4();
        const BfdDiscard discard = Take(*datagram, source);
        if (discard == BfdDiscard::NONE)
        {
            ++m_statistics.received;
            continue;
        }
        NS_LOG_LOGIC("a packet of " << source << " is discarded: " << GetBfdDiscardName(discard));
        ++m_statistics.discarded.at(static_cast<std::size_t>(discard));
        m_discardTrace(discard, source);
    }
}

BfdDiscard
BfdSpeaker::Take(const Packet& datagram, Ipv4Address source)
{
    Ipv4PacketInfoTag arrival;
    datagram.PeekPacketTag(arrival);
    if (arrival.GetTtl() != BFD_TTL)
    {
        return BfdDiscard::WRONG_TTL;
    }
    // What follows the longest length of a packet does not count.
    std::array<uint8_t, std::numeric_limits<uint8_t>::max()> bytes;
    const uint32_t size = datagram.CopyData(bytes.data(), static_cast<uint32_t>(bytes.size()));
    BfdPacket packet;
    BfdDiscard discard = DecodeBfdPacket(bytes.data(), size, packet);
    if (discard != BfdDiscard::NONE)
    {
        return discard;
    }
    const int32_t interface =
        m_ipv4->GetInterfaceForDevice(GetNode()->GetDevice(arrival.GetRecvIf()));
    uint32_t number = 0;
    discard = m_table.Select(packet, static_cast<uint32_t>(interface), source.Get(), number);
    if (discard != BfdDiscard::NONE)
    {
        return discard;
    }
    return m_sessions[number]->Receive(packet);
}

} // namespace ns3::aidc
