// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-speaker.h"

#include "../aidc-compat.h"
#include "../attribute-accessors.h"
#include "../core/bgp/bgp-open.h"
#include "../core/require-argument.h"
#include "bgp-decision-process.h"
#include "bgp-link.h"
#include "bgp-peer-table.h"
#include "bgp-speaker-peer.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeaker");
NS_OBJECT_ENSURE_REGISTERED(BgpSpeaker);

namespace
{

/// @throws std::invalid_argument if a restart time is no whole number of seconds
void
CheckRestartTime(const TimeValue& value)
{
    const Time time = value.Get();
    if (Seconds(time.GetTimeStep() / Seconds(1).GetTimeStep()) != time)
    {
        std::ostringstream text;
        text << "RestartTime: expected whole seconds, found " << time.As(Time::S);
        throw std::invalid_argument(text.str());
    }
}

} // namespace

TypeId
BgpSpeaker::AddRouteAttributes(TypeId tid)
{
    using Routes = BgpRibSettings;
    using Decisions = BgpDecisionSettings;
    constexpr auto ROUTES = &BgpSpeaker::m_ribSettings;
    constexpr auto DECISIONS = &BgpSpeaker::m_decisionSettings;
    constexpr auto FORMAT = &BgpSpeaker::m_format;
    return tid
        .AddAttribute("MaxPaths",
                      "The most routes to a prefix that are used together",
                      UintegerValue(BGP_MAX_PATHS),
                      MakeSettingsAccessor<UintegerValue>(DECISIONS, &Decisions::maxPaths),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("RelaxAsPath",
                      "Routes with other ASs on a path as long are used together (RFC 7938)",
                      BooleanValue(true),
                      MakeSettingsAccessor<BooleanValue>(DECISIONS, &Decisions::relaxesAsPath),
                      MakeBooleanChecker())
        .AddAttribute("DefaultLocalPref",
                      "LOCAL_PREF of routes that have none",
                      UintegerValue(100),
                      MakeSettingsAccessor<UintegerValue>(DECISIONS, &Decisions::defaultLocalPref),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("UsePathBandwidth",
                      "Bandwidths are read, attached and advertised again; else ECMP is plain "
                      "and communities pass as they are",
                      BooleanValue(true),
                      MakeSettingsAccessor<BooleanValue>(ROUTES, &Routes::usesPathBandwidth),
                      MakeBooleanChecker())
        .AddAttribute(
            "BandwidthCarrier",
            "The community that carries bandwidths: draft-xu-idr-fare's path "
            "bandwidth, or RFC 10005's link bandwidth",
            EnumValue(PATH_BANDWIDTH),
            MakeEnumAccessorFor<Carrier>(&BgpSpeaker::m_carrier),
            MakeEnumChecker(PATH_BANDWIDTH, "PathBandwidth", LINK_BANDWIDTH, "LinkBandwidth"))
        .AddAttribute("PathBandwidthSubtype",
                      "Low octet of the type of path bandwidths, which is not yet assigned",
                      UintegerValue(PATH_BANDWIDTH_SUBTYPE),
                      MakeSettingsAccessor<UintegerValue>(FORMAT, &BandwidthFormat::subtype),
                      MakeUintegerChecker<uint8_t>())
        .AddAttribute("Tier",
                      "The speaker's place in the fabric",
                      EnumValue(LEAF),
                      MakeEnumAccessorFor<Tier>(&BgpSpeaker::m_tier),
                      MakeEnumChecker(LEAF,
                                      "Leaf",
                                      SPINE,
                                      "Spine",
                                      SUPER_SPINE,
                                      "SuperSpine",
                                      EDGE,
                                      "Edge",
                                      HOST,
                                      "Host"))
        .AddAttribute("AttachNonTransitive",
                      "A super-spine attaches the bandwidth of its links, as a non-transitive "
                      "community",
                      BooleanValue(false),
                      MakeSettingsAccessor<BooleanValue>(ROUTES, &Routes::attachesNonTransitive),
                      MakeBooleanChecker())
        .AddAttribute("ShareUplinks",
                      "Spines and leaves tell the nodes below them of at most the fair share that "
                      "each of these has of the routes from above, if all use them at once",
                      BooleanValue(false),
                      MakeSettingsAccessor<BooleanValue>(ROUTES, &Routes::sharesUplinks),
                      MakeBooleanChecker())
        .AddAttribute("OriginBandwidth",
                      "Bandwidth that is attached to the speaker's own routes, in bytes a "
                      "second; by default the largest that can be written",
                      DoubleValue(MAX_PATH_BANDWIDTH),
                      MakeSettingsAccessor<DoubleValue>(ROUTES, &Routes::originBandwidth),
                      MakeDoubleChecker<double>(0));
}

TypeId
BgpSpeaker::AddGracefulAttributes(TypeId tid)
{
    using Settings = BgpGracefulSettings;
    constexpr auto SETTINGS = &BgpSpeaker::m_graceful;
    return tid
        .AddAttribute("GracefulRestart",
                      "Graceful restart is offered to peers, also for NOTIFICATIONs, and "
                      "End-of-RIB is sent to all peers (RFC 4724, RFC 8538)",
                      BooleanValue(false),
                      MakeSettingsAccessor<BooleanValue>(SETTINGS, &Settings::offersRestart),
                      MakeBooleanChecker())
        .AddAttribute(
            "RestartTime",
            "Offered to peers: the time until the session is back, after which they "
            "remove the routes of this speaker; whole seconds (RFC 4724, section 3)",
            TimeValue(Seconds(120)),
            MakeSettingsAccessor<TimeValue>(SETTINGS, &Settings::restartTime),
            MakeValueChecker<TimeValue>(MakeTimeChecker(Seconds(0), Seconds(BGP_MAX_RESTART_TIME)),
                                        CheckRestartTime))
        .AddAttribute("StaleTime",
                      "The longest time that a peer's routes stay after the loss of its "
                      "session, whatever the peer offers (RFC 4724, section 4.2; 360 s in FRR)",
                      TimeValue(Seconds(360)),
                      MakeSettingsAccessor<TimeValue>(SETTINGS, &Settings::staleTime),
                      MakeTimeChecker(Seconds(0)))
        .AddAttribute("SelectionDeferralTime",
                      "The longest time that a restarted speaker waits for End-of-RIB of its "
                      "peers before it chooses routes (RFC 4724, section 4.1; 360 s in FRR)",
                      TimeValue(Seconds(360)),
                      MakeSettingsAccessor<TimeValue>(SETTINGS, &Settings::deferralTime),
                      MakeTimeChecker(Seconds(0)))
        .AddAttribute("AcceptGracefulShutdown",
                      "Routes of external peers with the community 65535:0 get LOCAL_PREF 0 "
                      "(RFC 8326, section 4.1)",
                      BooleanValue(true),
                      MakeSettingsAccessor<BooleanValue>(SETTINGS, &Settings::acceptsShutdown),
                      MakeBooleanChecker());
}

TypeId
BgpSpeaker::GetTypeId()
{
    using Sessions = BgpSpeakerSettings;
    constexpr auto SESSIONS = &BgpSpeaker::m_settings;
    static const TypeId sessions =
        TypeId("ns3::aidc::BgpSpeaker")
            .SetParent<JitteredApplication>()
            .SetGroupName("Aidc")
            .AddConstructor<BgpSpeaker>()
            .AddAttribute("As",
                          "The speaker's AS, of up to four octets (RFC 6793); must be set",
                          UintegerValue(0),
                          MakeSettingsAccessor<UintegerValue>(SESSIONS, &Sessions::as),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RouterId",
                          "The BGP identifier; 0.0.0.0: the largest address of the node",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeSettingsAccessor<Ipv4AddressValue>(SESSIONS, &Sessions::routerId),
                          MakeIpv4AddressChecker())
            .AddAttribute("HoldTime",
                          "Time without a message after which a peer counts as dead, unless the "
                          "peer offers less; whole seconds, 0 for never or at least 3 (RFC 4271, "
                          "section 10)",
                          TimeValue(Seconds(90)),
                          MakeSettingsAccessor<TimeValue>(SESSIONS, &Sessions::holdTime),
                          MakeValueChecker<TimeValue>(
                              MakeTimeChecker(Seconds(0), Seconds(65535)),
                              [](const TimeValue& value) { Sessions::CheckHoldTime(value.Get()); }))
            .AddAttribute(
                "SendHoldTime",
                "Time without a whole message that TCP takes after which a session ends "
                "(RFC 9687), longer than HoldTime; 0 for never; -1 s: 480 s or twice the hold "
                "time agreed on, whichever is longer",
                TimeValue(Seconds(-1)),
                MakeSettingsAccessor<TimeValue>(SESSIONS, &Sessions::sendHoldTime),
                MakeTimeChecker(Seconds(-1)))
            .AddAttribute("KeepaliveTime",
                          "The longest time between KEEPALIVEs, in whole milliseconds; a third of "
                          "the hold time if this is 0 or longer than a third",
                          TimeValue(Seconds(0)),
                          MakeSettingsAccessor<TimeValue>(SESSIONS, &Sessions::keepaliveTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("ConnectRetryTime",
                          "Time between attempts to connect (RFC 4271, section 10)",
                          TimeValue(Seconds(120)),
                          MakeSettingsAccessor<TimeValue>(SESSIONS, &Sessions::connectRetryTime),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("IdleHoldTime",
                          "Time between an error and the next start of a session",
                          TimeValue(Seconds(5)),
                          MakeSettingsAccessor<TimeValue>(SESSIONS, &Sessions::idleHoldTime),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute(
                "AdvertisementInterval",
                "The least time between UPDATEs that tell a peer of changes "
                "(MinRouteAdvertisementIntervalTimer), less up to a quarter by jitter. "
                "RFC 4271, section 10, suggests 30 s to other ASs; data centers have 0",
                TimeValue(Seconds(0)),
                MakeSettingsAccessor<TimeValue>(SESSIONS, &Sessions::advertisementInterval),
                MakeTimeChecker(Seconds(0)))
            .AddAttribute("DecisionDelay",
                          "Time between the first change and the decision, as a processor takes "
                          "it; 0 to decide at once on all changes of one time",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&BgpSpeaker::m_decisionDelay),
                          MakeTimeChecker(Seconds(0)));
    static const TypeId routes = AddRouteAttributes(sessions);
    static TypeId tid =
        AddGracefulAttributes(routes)
            .AddAttribute(
                "InstallRoutes",
                "Routes are written into the node's MultipathRouting, which must be there",
                BooleanValue(true),
                MakeBooleanAccessor(&BgpSpeaker::m_installRoutes),
                MakeBooleanChecker())
            .AddAttribute("WatchLinks",
                          "Sessions end and start with the interface and the link of their peer; "
                          "else the hold time tells",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BgpSpeaker::m_watchLinks),
                          MakeBooleanChecker())
            .AddAttribute("Dscp",
                          "Differentiated services codepoint of all segments; 48 is CS6, for "
                          "network control (RFC 4594)",
                          UintegerValue(48),
                          MakeSettingsAccessor<UintegerValue>(SESSIONS, &Sessions::dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("Port",
                          "TCP port of this speaker and its peers",
                          UintegerValue(BGP_PORT),
                          MakeSettingsAccessor<UintegerValue>(SESSIONS, &Sessions::port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("TcpBufferSize",
                          "The most bytes that TCP buffers for a connection in each direction",
                          UintegerValue(65535),
                          MakeSettingsAccessor<UintegerValue>(SESSIONS, &Sessions::tcpBufferSize),
                          MakeUintegerChecker<uint32_t>(4096))
            .AddTraceSource("SessionState",
                            "A session has got another state.",
                            MakeTraceSourceAccessor(&BgpSpeaker::m_stateTrace),
                            "ns3::aidc::BgpSpeaker::SessionStateTracedCallback")
            .AddTraceSource("MessageSent",
                            "TCP has been given a message.",
                            MakeTraceSourceAccessor(&BgpSpeaker::m_sentTrace),
                            "ns3::aidc::BgpSpeaker::MessageTracedCallback")
            .AddTraceSource("MessageReceived",
                            "A message has arrived, correct or not.",
                            MakeTraceSourceAccessor(&BgpSpeaker::m_receivedTrace),
                            "ns3::aidc::BgpSpeaker::MessageTracedCallback")
            .AddTraceSource("RouteChange",
                            "The routes to a prefix that are used, or their weights, have changed.",
                            MakeTraceSourceAccessor(&BgpSpeaker::m_routeTrace),
                            "ns3::aidc::BgpSpeaker::RouteChangeTracedCallback")
            .AddTraceSource("Notification",
                            "A NOTIFICATION is sent or has come.",
                            MakeTraceSourceAccessor(&BgpSpeaker::m_notificationTrace),
                            "ns3::aidc::BgpSpeaker::NotificationTracedCallback");
    return tid;
}

BgpSpeaker::BgpSpeaker()
    : m_pool(std::make_shared<BgpAttributePool>()),
      m_context(std::make_unique<BgpSpeakerContext>(
          BgpSpeakerContext{m_settings,
                            [this](double min) { return DrawJitter(min); },
                            [this] { m_process->Schedule(); },
                            m_stateTrace,
                            m_sentTrace,
                            m_receivedTrace,
                            m_notificationTrace,
                            [this] { CheckRestart(); }})),
      m_peers(std::make_unique<BgpPeerTable>(*m_context)),
      m_process(std::make_unique<BgpDecisionProcess>(m_decisionDelay,
                                                     m_routeTrace,
                                                     [this] {
                                                         for (const auto& peer : m_peers->GetAll())
                                                         {
                                                             peer->Advertise();
                                                         }
                                                     })),
      m_deferral([this] { EndDeferral(); })
{
    NS_LOG_FUNCTION(this);
}

BgpSpeaker::~BgpSpeaker()
{
    NS_LOG_FUNCTION(this);
}

void
BgpSpeaker::SetAttributePool(std::shared_ptr<BgpAttributePool> pool)
{
    AIDC_REFUSED_IF(m_process->GetRib(),
                    "BgpSpeaker: the pool is given before the application is initialized");
    m_pool = std::move(pool);
}

static BgpPrefix
MakePrefix(Ipv4Address network, Ipv4Mask mask)
{
    AIDC_REFUSED_IF((network.Get() & ~mask.Get()) != 0,
                    "BgpSpeaker: " << network << " has bits beyond its mask " << mask);
    return MakeBgpPrefix(network.Get(), static_cast<uint8_t>(mask.GetPrefixLength()));
}

void
BgpSpeaker::Originate(Ipv4Address network, Ipv4Mask mask, const BgpPathAttributes& attributes)
{
    RunAtNode([this, prefix = MakePrefix(network, mask), attributes] {
        m_process->Originate(prefix, attributes);
    });
}

void
BgpSpeaker::Withdraw(Ipv4Address network, Ipv4Mask mask)
{
    RunAtNode([this, prefix = MakePrefix(network, mask)] { m_process->Withdraw(prefix); });
}

void
BgpSpeaker::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_ipv4 = GetNode()->GetObject<Ipv4>();
    AIDC_REFUSED_UNLESS(m_ipv4, "BgpSpeaker: node " << GetNode()->GetId() << " has no IPv4");
    const auto routing =
        Ipv4RoutingHelper::GetRouting<MultipathRouting>(m_ipv4->GetRoutingProtocol());
    AIDC_REFUSED_IF(m_installRoutes && !routing,
                    "BgpSpeaker: expected node " << GetNode()->GetId()
                                                 << " to have MultipathRouting, or InstallRoutes "
                                                    "to be false");
    m_watcher = Create<BgpLinkWatcher>(GetNode()->GetId(), [this] {
        for (const auto& peer : m_peers->GetAll())
        {
            peer->CheckLink();
        }
    });
    if (m_installRoutes)
    {
        const auto findLink = [this](uint32_t peer) -> const BgpPeerLink& {
            return m_peers->Get(peer).GetLink();
        };
        m_process->SetRouting(m_ipv4, routing, findLink, m_watcher);
    }
    OpenSessions();
    if (m_watchLinks)
    {
        m_watcher->Watch(m_ipv4, routing);
    }
    JitteredApplication::DoInitialize();
}

void
BgpSpeaker::DoDispose()
{
    NS_LOG_FUNCTION(this);
    CancelRestart();
    m_process->Dispose();
    m_peers->Dispose();
    if (m_watcher)
    {
        m_watcher->SetActive(false);
    }
    m_isRunning = false;
    m_ipv4 = nullptr;
    JitteredApplication::DoDispose();
}

void
BgpSpeaker::OpenSessions()
{
    m_settings.Complete(m_ipv4);
    m_settings.pathBandwidthSubtype = m_format.subtype;
    m_settings.graceful = m_graceful;
    m_ribSettings.acceptsGracefulShutdown = m_settings.graceful.acceptsShutdown;
    m_ribSettings.as = m_settings.as;
    m_ribSettings.decision = m_decisionSettings;
    m_ribSettings.bandwidthFormat = m_format;
    m_ribSettings.bandwidthFormat.carrier = m_carrier == LINK_BANDWIDTH
                                                ? aidc::BandwidthCarrier::LINK_BANDWIDTH
                                                : aidc::BandwidthCarrier::PATH_BANDWIDTH;
    m_ribSettings.bandwidthFormat.routerId = m_settings.routerId.Get();
    m_ribSettings.bandwidthFormat.as = m_settings.as;
    m_ribSettings.tier = static_cast<PathBandwidthTier>(m_tier);
    m_process->Open(m_ribSettings, m_pool);
    for (uint32_t number = 0; number < GetNPeers(); ++number)
    {
        m_peers->Open(number, GetNode(), *m_process->GetRib());
    }
}

void
BgpSpeaker::StartApplication()
{
    NS_LOG_FUNCTION(this);
    SetRunning(true);
}

void
BgpSpeaker::SetRunning(bool isRunning)
{
    m_isRunning = isRunning;
    m_watcher->SetActive(isRunning);
    if (!isRunning)
    {
        m_peers->StopListening();
        return;
    }
    m_peers->Listen(GetNode());
    m_process->Schedule();
    for (const auto& peer : m_peers->GetAll())
    {
        if (m_watchLinks)
        {
            peer->CheckLink(); // it may have changed during a restart
        }
        if (peer->IsWanted())
        {
            peer->Start();
        }
    }
}

void
BgpSpeaker::StopApplication()
{
    NS_LOG_FUNCTION(this);
    CancelRestart();
    SetRunning(false);
    for (const auto& peer : m_peers->GetAll())
    {
        peer->Stop();
    }
}

void
BgpSpeaker::RunAtNode(const std::function<void()>& task)
{
    if (!m_process->GetRib() || Simulator::GetContext() == GetNode()->GetId())
    {
        task();
        return;
    }
    Simulator::ScheduleWithContext(GetNode()->GetId(),
                                   Time(0),
                                   [self = Ptr<BgpSpeaker>(this), task] {
                                       if (self->m_ipv4) // else it has been disposed of
                                       {
                                           task();
                                       }
                                   });
}

void
BgpSpeaker::CheckOpen() const
{
    AIDC_REFUSED_UNLESS(m_process->GetRib(),
                        "BgpSpeaker: there are sessions and routes once it is initialized");
}

uint32_t
BgpSpeaker::AddPeer(const BgpPeerSettings& settings)
{
    const uint32_t number = m_peers->Add(settings);
    if (BgpRib* const rib = m_process->GetRib())
    {
        m_peers->Open(number, GetNode(), *rib);
        StartPeer(number);
    }
    return number;
}

void
BgpSpeaker::StartPeer(uint32_t peer)
{
    NS_LOG_FUNCTION(this << peer);
    m_peers->Get(peer).SetWanted(true);
    RunAtNode([this, peer] {
        if (m_isRunning)
        {
            m_peers->Get(peer).Start();
        }
    });
}

void
BgpSpeaker::StopPeer(uint32_t peer)
{
    NS_LOG_FUNCTION(this << peer);
    m_peers->Get(peer).SetWanted(false);
    RunAtNode([this, peer] { m_peers->Get(peer).Stop(); });
}

void
BgpSpeaker::ResetPeer(uint32_t peer)
{
    NS_LOG_FUNCTION(this << peer);
    CheckOpen();
    RunAtNode([this, peer] { m_peers->Get(peer).Reset(); });
}

void
BgpSpeaker::RefreshPeer(uint32_t peer)
{
    NS_LOG_FUNCTION(this << peer);
    CheckOpen();
    RunAtNode([this, peer] { m_peers->Get(peer).RequestRefresh(); });
}

void
BgpSpeaker::SetLinkBandwidth(uint32_t peer, double bytesPerSecond)
{
    NS_LOG_FUNCTION(this << peer << bytesPerSecond);
    AIDC_REFUSED_UNLESS(std::isfinite(bytesPerSecond) && bytesPerSecond >= 0,
                        "BgpSpeaker: expected a bandwidth that is not negative, found "
                            << bytesPerSecond);
    m_peers->Get(peer).SetLinkBandwidth(bytesPerSecond);
    if (BgpRib* const rib = m_process->GetRib())
    {
        RunAtNode([this, rib, peer, bytesPerSecond] {
            rib->SetLinkBandwidth(peer, bytesPerSecond);
            m_process->Schedule();
        });
    }
}

void
BgpSpeaker::SetGracefulShutdown(uint32_t peer, bool isLeaving)
{
    NS_LOG_FUNCTION(this << peer << isLeaving);
    RunAtNode([this, peer, isLeaving] { m_peers->Get(peer).SetLeaving(isLeaving); });
}

void
BgpSpeaker::SetGracefulShutdown(bool isLeaving)
{
    for (uint32_t peer = 0; peer < GetNPeers(); ++peer)
    {
        SetGracefulShutdown(peer, isLeaving);
    }
}

void
BgpSpeaker::Restart(const Time& outage)
{
    NS_LOG_FUNCTION(this << outage);
    AIDC_REFUSED_IF(outage.IsStrictlyNegative(),
                    "BgpSpeaker: expected an outage that is not negative, found "
                        << outage.As(Time::S));
    CheckOpen();
    RunAtNode([this, outage] {
        if (m_isRunning)
        {
            BeginRestart(outage);
        }
    });
}

void
BgpSpeaker::BeginRestart(const Time& outage)
{
    NS_LOG_FUNCTION(this << outage);
    m_return.Cancel();
    m_deferral.Stop();
    SetRunning(false);
    m_context->isDeferring = m_settings.graceful.offersRestart;
    m_process->SetHeld(m_context->isDeferring);
    for (const auto& peer : m_peers->GetAll())
    {
        peer->Crash();
    }
    m_return = Simulator::Schedule(outage, &BgpSpeaker::Return, this);
}

void
BgpSpeaker::Return()
{
    NS_LOG_FUNCTION(this);
    SetRunning(true);
    if (m_context->isDeferring)
    {
        m_deferral.Start(m_settings.graceful.deferralTime);
        CheckRestart();
    }
}

void
BgpSpeaker::CheckRestart()
{
    const auto& peers = m_peers->GetAll();
    if (m_context->isDeferring && m_deferral.IsRunning() &&
        std::none_of(peers.begin(), peers.end(), [](const auto& peer) {
            return peer->IsAwaited();
        }))
    {
        EndDeferral();
    }
}

void
BgpSpeaker::EndDeferral()
{
    NS_LOG_INFO("after its restart, the speaker chooses routes");
    m_deferral.Stop();
    m_context->isDeferring = false;
    m_process->SetHeld(false);
}

void
BgpSpeaker::CancelRestart()
{
    m_return.Cancel();
    m_deferral.Cancel();
    m_context->isDeferring = false;
    m_process->SetHeld(false);
}

uint32_t
BgpSpeaker::GetNPeers() const
{
    return static_cast<uint32_t>(m_peers->GetAll().size());
}

const BgpPeerSettings&
BgpSpeaker::GetPeer(uint32_t peer) const
{
    return m_peers->Get(peer).GetSettings();
}

BgpSessionState
BgpSpeaker::GetSessionState(uint32_t peer) const
{
    return m_peers->Get(peer).GetState();
}

const BgpPeerSession&
BgpSpeaker::GetSession(uint32_t peer) const
{
    CheckOpen();
    return m_peers->Get(peer).GetSession();
}

const BgpRib&
BgpSpeaker::GetRib() const
{
    CheckOpen();
    return *m_process->GetRib();
}

const BgpSpeakerStatistics&
BgpSpeaker::GetStatistics(uint32_t peer) const
{
    return m_peers->Get(peer).GetStatistics();
}

BgpSpeakerStatistics
BgpSpeaker::GetStatistics() const
{
    return m_peers->GetStatistics();
}

void
BgpSpeaker::Print(std::ostream& os) const
{
    CheckOpen();
    os << "AS " << m_settings.as << ", router ID " << m_settings.routerId << '\n';
    m_peers->Print(os);
    m_process->Print(os);
}

} // namespace ns3::aidc
