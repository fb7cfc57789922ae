// SPDX-License-Identifier: GPL-2.0-only

#include "bfd-speaker.h"

#include "../core/require-argument.h"
#include "../deadline-timer.h"

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-packet-info-tag.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/log.h"
#include "ns3/multipath-routing.h"
#include "ns3/simulator.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBfdSpeaker");

/// Set a timer; 0 microseconds stop it.
static void
SetTimer(DeadlineTimer& timer, const Time& from, uint64_t microseconds, double factor)
{
    if (microseconds == 0)
    {
        timer.Stop();
        return;
    }
    const auto time =
        NanoSeconds(static_cast<int64_t>(factor * 1000 * static_cast<double>(microseconds)));
    timer.Start(std::max(Time(0), from + time - Simulator::Now()));
}

/// A session of a BfdSpeaker: its timers and the packets that it sends.
///
/// It carries out the actions of BfdSession. Packets go to IPv4 with a route of the session, so
/// that they leave by its interface whatever the node's routes are.
class BfdSpeaker::Session
{
  public:
    /// Constructor of a session that sends nothing before Start(). speaker: outlives the session.
    Session(BfdSpeaker& speaker, uint32_t number, uint32_t interface, Ipv4Address neighbor)
        : m_speaker(speaker),
          m_number(number),
          m_interface(interface),
          m_neighbor(neighbor),
          m_machine(speaker.MakeSettings(), BfdSessionTable::GetDiscriminator(number)),
          m_transmission([this] { Handle(&BfdSession::ExpireTransmission); }),
          m_detection([this] { Handle(&BfdSession::ExpireDetection); })
    {
    }

    /// Start to send.
    void Start()
    {
        Handle(&BfdSession::Start);
    }

    /// Take the session down administratively, and stop its timers.
    void Stop()
    {
        SetAdminDown(true);
        m_transmission.Cancel();
        m_detection.Cancel();
    }

    /// Stop the timers and forget the clients, at the end of the simulation.
    void Dispose()
    {
        m_transmission.Cancel();
        m_detection.Cancel();
        m_clients.clear();
    }

    /// Take a packet. @return what becomes of it
    BfdDiscard Receive(const BfdPacket& packet)
    {
        BfdActions actions;
        const BfdDiscard discard = m_machine.Receive(packet, actions);
        if (discard == BfdDiscard::NONE)
        {
            m_lastReceived = Simulator::Now();
        }
        Perform(actions);
        return discard;
    }

    /// Take the session down administratively, or let it come up.
    void SetAdminDown(bool isAdminDown)
    {
        Handle(&BfdSession::SetAdminDown, isAdminDown);
    }

    /// Change the settings.
    void UpdateSettings(const BfdSessionSettings& settings)
    {
        Handle(&BfdSession::SetSettings, settings);
    }

    /// Call a function when the path has failed, and when the failure is over.
    void Follow(std::function<void(bool)> notify)
    {
        m_clients.push_back(std::move(notify));
    }

    /// @return states, intervals and discriminators
    const BfdSession& GetMachine() const
    {
        return m_machine;
    }

  private:
    /// Have the machine handle an event, and perform the actions.
    template <typename Event, typename... Args>
    void Handle(Event event, const Args&... args)
    {
        BfdActions actions;
        (m_machine.*event)(args..., actions);
        Perform(actions);
    }

    /// Perform actions, and tell clients if the path has failed or works again.
    void Perform(const BfdActions& actions)
    {
        for (const BfdAction& action : actions)
        {
            Perform(action);
        }
        const bool hasFailed = m_machine.HasFailed();
        if (hasFailed == m_hasFailed)
        {
            return;
        }
        m_hasFailed = hasFailed;
        m_speaker.m_statistics.failed += hasFailed;
        m_speaker.m_failureTrace(m_number, hasFailed);
        m_speaker.NotifyFailure(m_interface, hasFailed);
        for (const auto& notify : m_clients)
        {
            notify(hasFailed);
        }
    }

    void Perform(const BfdAction& action)
    {
        switch (action.type)
        {
        case BfdActionType::SEND:
            if (action.isPeriodic)
            {
                m_lastSent = Simulator::Now();
            }
            Send(action.packet);
            break;
        case BfdActionType::SET_TRANSMISSION: {
            const double max = GetBfdMaxJitter(m_machine.GetSettings().detectMultiplier);
            SetTimer(m_transmission,
                     m_lastSent,
                     action.microseconds,
                     m_speaker.DrawJitter(BFD_MIN_JITTER, max));
            break;
        }
        case BfdActionType::SET_DETECTION:
            SetTimer(m_detection, m_lastReceived, action.microseconds, 1);
            break;
        case BfdActionType::CHANGE_STATE: {
            const BfdState state = m_machine.GetState();
            NS_LOG_INFO("neighbor " << m_neighbor << ": " << GetBfdStateName(state));
            m_speaker.m_statistics.established += state == BfdState::UP;
            m_speaker.m_stateTrace(m_number, action.before, state, m_machine.GetDiagnostic());
            break;
        }
        }
    }

    void Send(const BfdPacket& packet) const
    {
        const auto bytes = EncodeBfdPacket(packet);
        const auto datagram = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
        SocketIpTtlTag ttl;
        ttl.SetTtl(BFD_TTL);
        datagram->AddPacketTag(ttl);
        const auto octet = static_cast<uint8_t>(m_speaker.m_dscp << 2);
        SocketIpTosTag tos;
        tos.SetTos(octet);
        datagram->AddPacketTag(tos);
        SocketPriorityTag priority;
        priority.SetPriority(Socket::IpTos2Priority(octet));
        datagram->AddPacketTag(priority);
        const auto route = Create<Ipv4Route>();
        route->SetSource(GetSource());
        route->SetDestination(m_neighbor);
        route->SetGateway(m_neighbor);
        route->SetOutputDevice(m_speaker.m_ipv4->GetNetDevice(m_interface));
        constexpr uint32_t N_SOURCE_PORTS = 65536 - BFD_MIN_SOURCE_PORT;
        const auto port = static_cast<uint16_t>(BFD_MIN_SOURCE_PORT + m_number % N_SOURCE_PORTS);
        ++m_speaker.m_statistics.sent;
        const auto udp = m_speaker.m_ipv4->GetObject<UdpL4Protocol>();
        udp->Send(datagram, route->GetSource(), m_neighbor, port, BFD_PORT, route);
    }

    /// @return the interface's address in the neighbor's network, any other, or the loopback's
    Ipv4Address GetSource() const
    {
        Ipv4& ipv4 = *m_speaker.m_ipv4;
        if (ipv4.GetNAddresses(m_interface) > 0)
        {
            return ipv4.SourceAddressSelection(m_interface, m_neighbor);
        }
        for (uint32_t i = 0; i < ipv4.GetNAddresses(0); ++i)
        {
            const auto own = ipv4.GetAddress(0, i).GetLocal();
            if (!own.IsLocalhost())
            {
                return own;
            }
        }
        AIDC_REFUSE("BfdSpeaker: expected an address of interface "
                    << m_interface << ", or of the loopback device, to send to " << m_neighbor);
        return {};
    }

    BfdSpeaker& m_speaker;                            //!< has all sessions
    uint32_t m_number;                                //!< from 0 on
    uint32_t m_interface;                             //!< to the neighbor
    Ipv4Address m_neighbor;                           //!< its address
    BfdSession m_machine;                             //!< the states
    DeadlineTimer m_transmission;                     //!< until the next packet
    DeadlineTimer m_detection;                        //!< until the session has failed
    Time m_lastSent;                                  //!< the last periodic packet
    Time m_lastReceived;                              //!< the last packet that was accepted
    bool m_hasFailed{false};                          //!< as clients were told
    std::vector<std::function<void(bool)>> m_clients; //!< who is told
};

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
    m_sessions.push_back(std::make_unique<Session>(*this, number, interface, neighbor));
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
        m_routing = Ipv4RoutingHelper::GetRouting<MultipathRouting>(m_ipv4->GetRoutingProtocol());
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
    // Bytes beyond the longest length of a packet do not count.
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
    return discard == BfdDiscard::NONE ? m_sessions[number]->Receive(packet) : discard;
}

} // namespace ns3::aidc
