/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker.h"

#include "bgp-speaker-peer.h"

#include "ns3/abort.h"
#include "ns3/aidc-compat.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ipv4-list-routing.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/try-set-attribute.h"
#include "ns3/uinteger.h"
#include "ns3/value-checker.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeaker");
NS_OBJECT_ENSURE_REGISTERED(BgpSpeaker);

namespace
{

/**
 * @brief Check a hold time.
 * @param time the time
 * @throws std::invalid_argument if a speaker may not offer it
 */
void
CheckHoldTime(const Time& time)
{
    const int64_t seconds = time.GetTimeStep() / Seconds(1).GetTimeStep();
    if (Seconds(seconds) != time || seconds == 1 || seconds == 2)
    {
        throw std::invalid_argument("HoldTime: expected whole seconds, 0 or at least 3");
    }
}

} // namespace

TypeId
BgpSpeaker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aidc::BgpSpeaker")
            .SetParent<JitteredApplication>()
            .SetGroupName("Aidc")
            .AddConstructor<BgpSpeaker>()
            .AddAttribute("As",
                          "The speaker's AS, of up to four octets (RFC 6793); must be set",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BgpSpeaker::m_as),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RouterId",
                          "The BGP identifier; 0.0.0.0: the largest address of the node",
                          Ipv4AddressValue(Ipv4Address::GetAny()),
                          MakeIpv4AddressAccessor(&BgpSpeaker::m_routerId),
                          MakeIpv4AddressChecker())
            .AddAttribute("HoldTime",
                          "Time without a message after which a peer counts as dead, unless the "
                          "peer offers less; whole seconds, 0 for never or at least 3 (RFC 4271, "
                          "section 10)",
                          TimeValue(Seconds(90)),
                          MakeTimeAccessor(&BgpSpeaker::SetHoldTime, &BgpSpeaker::GetHoldTime),
                          MakeValueChecker<TimeValue>(
                              MakeTimeChecker(Seconds(0), Seconds(65535)),
                              [](const TimeValue& value) { CheckHoldTime(value.Get()); }))
            .AddAttribute("SendHoldTime",
                          "Time without progress of what is sent after which a session ends (RFC "
                          "9687), longer than HoldTime; 0 for never; -1 s: 480 s or twice the hold "
                          "time agreed on, whichever is longer",
                          TimeValue(Seconds(-1)),
                          MakeTimeAccessor(&BgpSpeaker::m_sendHoldTime),
                          MakeTimeChecker(Seconds(-1)))
            .AddAttribute("KeepaliveTime",
                          "The longest time between KEEPALIVEs, in whole milliseconds; a third of "
                          "the hold time if this is 0 or longer than a third",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&BgpSpeaker::m_keepaliveTime),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("ConnectRetryTime",
                          "Time between attempts to connect (RFC 4271, section 10)",
                          TimeValue(Seconds(120)),
                          MakeTimeAccessor(&BgpSpeaker::m_connectRetryTime),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("IdleHoldTime",
                          "Time between an error and the next start of a session",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&BgpSpeaker::m_idleHoldTime),
                          MakeTimeChecker(MilliSeconds(1)))
            .AddAttribute("AdvertisementInterval",
                          "The least time between UPDATEs that tell a peer of changes "
                          "(MinRouteAdvertisementIntervalTimer), less up to a quarter by jitter. "
                          "RFC 4271, section 10, suggests 30 s to other ASs; data centers have 0",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&BgpSpeaker::m_advertisementInterval),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("DecisionDelay",
                          "Time between the first change and the decision, as a processor takes "
                          "it; 0 to decide at once on all changes of one time",
                          TimeValue(Seconds(0)),
                          MakeTimeAccessor(&BgpSpeaker::m_decisionDelay),
                          MakeTimeChecker(Seconds(0)))
            .AddAttribute("MaxPaths",
                          "The most routes to a prefix that are used together",
                          UintegerValue(BGP_MAX_PATHS),
                          MakeUintegerAccessor(&BgpSpeaker::m_maxPaths),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RelaxAsPath",
                          "Routes with other ASs on a path as long are used together (RFC 7938)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BgpSpeaker::m_relaxAsPath),
                          MakeBooleanChecker())
            .AddAttribute("DefaultLocalPref",
                          "LOCAL_PREF of routes that have none",
                          UintegerValue(100),
                          MakeUintegerAccessor(&BgpSpeaker::m_defaultLocalPref),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("UsePathBandwidth",
                          "Bandwidths are read, attached and advertised again; else ECMP is plain "
                          "and communities pass as they are",
                          BooleanValue(true),
                          MakeBooleanAccessor(&BgpSpeaker::m_usePathBandwidth),
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
                          MakeUintegerAccessor(&BgpSpeaker::m_pathBandwidthSubtype),
                          MakeUintegerChecker<uint8_t>())
            .AddAttribute("Tier",
                          "The speaker's place in the fabric",
                          EnumValue(LEAF),
                          MakeEnumAccessorFor<Tier>(&BgpSpeaker::m_tier),
                          MakeEnumChecker(LEAF, "Leaf", SPINE, "Spine", SUPER_SPINE, "SuperSpine"))
            .AddAttribute("AttachNonTransitive",
                          "A super-spine attaches the bandwidth of its links, as a non-transitive "
                          "community",
                          BooleanValue(false),
                          MakeBooleanAccessor(&BgpSpeaker::m_attachNonTransitive),
                          MakeBooleanChecker())
            .AddAttribute("OriginBandwidth",
                          "Bandwidth that is attached to the speaker's own routes, in bytes a "
                          "second; by default the largest that can be written",
                          DoubleValue(MAX_PATH_BANDWIDTH),
                          MakeDoubleAccessor(&BgpSpeaker::m_originBandwidth),
                          MakeDoubleChecker<double>(0))
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
                          MakeUintegerAccessor(&BgpSpeaker::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("Port",
                          "TCP port of this speaker and its peers",
                          UintegerValue(BGP_PORT),
                          MakeUintegerAccessor(&BgpSpeaker::m_port),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("TcpBufferSize",
                          "The most bytes that TCP buffers for a connection in each direction",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&BgpSpeaker::m_tcpBufferSize),
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
    : m_pool(std::make_shared<BgpAttributePool>())
{
    NS_LOG_FUNCTION(this);
}

BgpSpeaker::~BgpSpeaker()
{
    NS_LOG_FUNCTION(this);
}

bool
BgpSpeaker::SetHoldTime(const Time& time)
{
    return TrySetAttribute(*this, [this, &time] {
        CheckHoldTime(time);
        m_holdTime = time;
    });
}

Time
BgpSpeaker::GetHoldTime() const
{
    return m_holdTime;
}

void
BgpSpeaker::SetAttributePool(std::shared_ptr<BgpAttributePool> pool)
{
    NS_ABORT_MSG_IF(m_rib, "BgpSpeaker: the pool is given before the application is initialized");
    m_pool = std::move(pool);
}

void
BgpSpeaker::DoInitialize()
{
    NS_LOG_FUNCTION(this);
    m_ipv4 = GetNode()->GetObject<Ipv4>();
    NS_ABORT_MSG_UNLESS(m_ipv4, "BgpSpeaker: node " << GetNode()->GetId() << " has no IPv4");
    const auto routing = m_ipv4->GetRoutingProtocol();
    m_routing = DynamicCast<MultipathRouting>(routing);
    if (const auto list = DynamicCast<Ipv4ListRouting>(routing))
    {
        for (uint32_t i = 0; !m_routing && i < list->GetNRoutingProtocols(); ++i)
        {
            int16_t priority = 0;
            m_routing = DynamicCast<MultipathRouting>(list->GetRoutingProtocol(i, priority));
        }
    }
    NS_ABORT_MSG_IF(m_installRoutes && !m_routing,
                    "BgpSpeaker: expected node " << GetNode()->GetId()
                                                 << " to have MultipathRouting, or InstallRoutes "
                                                    "to be false");
    MakeRib();
    if (m_watchLinks)
    {
        const auto notify = MakeCallback(&BgpSpeaker::NotifyLinks, this);
        if (m_routing)
        {
            m_routing->TraceConnectWithoutContext("RoutesChange", notify);
        }
        for (uint32_t i = 0; i < m_ipv4->GetNInterfaces(); ++i)
        {
            m_ipv4->GetNetDevice(i)->AddLinkChangeCallback(notify);
        }
    }
    JitteredApplication::DoInitialize();
}

void
BgpSpeaker::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_decision.Cancel();
    for (const auto& peer : m_peers)
    {
        for (Peer::Timer& timer : peer->timers)
        {
            timer.event.Cancel();
        }
        for (BgpTcpConnection& connection : peer->connections)
        {
            connection.Abandon();
        }
    }
    m_isRunning = false;
    m_listener = nullptr;
    if (m_ttlSecurity)
    {
        m_ttlSecurity->Dispose();
    }
    m_ttlSecurity = nullptr;
    m_routing = nullptr;
    m_ipv4 = nullptr;
    JitteredApplication::DoDispose();
}

void
BgpSpeaker::MakeRib()
{
    NS_ABORT_MSG_IF(m_as == 0, "BgpSpeaker: expected an As from 1 on");
    NS_ABORT_MSG_IF(m_sendHoldTime.IsStrictlyPositive() && m_sendHoldTime <= m_holdTime,
                    "BgpSpeaker: expected a SendHoldTime of 0 or above the HoldTime of "
                        << m_holdTime.As(Time::S) << ", found " << m_sendHoldTime.As(Time::S));
    if (m_routerId == Ipv4Address::GetAny())
    {
        for (uint32_t i = 0; i < m_ipv4->GetNInterfaces(); ++i)
        {
            for (uint32_t j = 0; j < m_ipv4->GetNAddresses(i); ++j)
            {
                const Ipv4Address address = m_ipv4->GetAddress(i, j).GetLocal();
                if (!address.IsLocalhost() && m_routerId < address)
                {
                    m_routerId = address;
                }
            }
        }
        NS_ABORT_MSG_IF(m_routerId == Ipv4Address::GetAny(),
                        "BgpSpeaker: expected a RouterId, or node " << GetNode()->GetId()
                                                                    << " to have an address");
    }
    BgpRibSettings settings;
    settings.as = m_as;
    settings.decision = {m_maxPaths, m_relaxAsPath, m_defaultLocalPref};
    settings.usesPathBandwidth = m_usePathBandwidth;
    settings.bandwidthFormat.carrier = m_carrier == LINK_BANDWIDTH
                                           ? aidc::BandwidthCarrier::LINK_BANDWIDTH
                                           : aidc::BandwidthCarrier::PATH_BANDWIDTH;
    settings.bandwidthFormat.subtype = m_pathBandwidthSubtype;
    settings.bandwidthFormat.routerId = m_routerId.Get();
    settings.bandwidthFormat.as = m_as;
    settings.tier = static_cast<PathBandwidthTier>(m_tier);
    settings.attachesNonTransitive = m_attachNonTransitive;
    settings.originBandwidth = m_originBandwidth;
    m_rib = std::make_unique<BgpRib>(settings, m_pool);
    for (auto& [prefix, attributes] : std::exchange(m_origins, {}))
    {
        m_rib->Originate(prefix, attributes);
    }
    for (uint32_t number = 0; number < m_peers.size(); ++number)
    {
        MakeSession(number);
    }
}

uint32_t
BgpSpeaker::AddPeer(const BgpPeerSettings& settings)
{
    NS_LOG_FUNCTION(this << settings.address);
    NS_ABORT_MSG_IF(settings.address == Ipv4Address::GetAny(),
                    "BgpSpeaker: expected a peer with an address");
    NS_ABORT_MSG_UNLESS(std::isfinite(settings.linkBandwidth) && settings.linkBandwidth >= 0,
                        "BgpSpeaker: expected a linkBandwidth that is not negative, found "
                            << settings.linkBandwidth);
    for (const auto& policy : {settings.importPolicy, settings.exportPolicy})
    {
        if (policy)
        {
            try
            {
                CheckBgpPolicy(*policy);
            }
            catch (const std::invalid_argument& error)
            {
                NS_ABORT_MSG("BgpSpeaker: peer " << settings.address << ": " << error.what());
            }
        }
    }
    const auto number = static_cast<uint32_t>(m_peers.size());
    NS_ABORT_MSG_UNLESS(m_numbers.emplace(settings.address.Get(), number).second,
                        "BgpSpeaker: expected one peer with address " << settings.address);
    BgpTcpConnectionUser& user = *this;
    m_peers.push_back(std::make_unique<Peer>(user, number, settings));
    if (m_rib)
    {
        MakeSession(number);
        StartPeer(number);
    }
    return number;
}

uint32_t
BgpSpeaker::GetNPeers() const
{
    return static_cast<uint32_t>(m_peers.size());
}

const BgpPeerSettings&
BgpSpeaker::GetPeer(uint32_t peer) const
{
    return m_peers.at(peer)->settings;
}

void
BgpSpeaker::RunAtNode(const std::function<void()>& task)
{
    const uint32_t node = GetNode()->GetId();
    if (Simulator::GetContext() == node)
    {
        task();
        return;
    }
    Simulator::ScheduleWithContext(node, Time(0), [self = Ptr<BgpSpeaker>(this), task] {
        if (self->m_ipv4) // else it has been disposed of
        {
            task();
        }
    });
}

BgpSessionState
BgpSpeaker::GetSessionState(uint32_t peer) const
{
    return m_peers.at(peer)->state;
}

const BgpPeerSession&
BgpSpeaker::GetSession(uint32_t peer) const
{
    NS_ABORT_MSG_UNLESS(m_rib, "BgpSpeaker: there are sessions once it is initialized");
    return *m_peers.at(peer)->session;
}

const BgpRib&
BgpSpeaker::GetRib() const
{
    NS_ABORT_MSG_UNLESS(m_rib, "BgpSpeaker: there are routes once it is initialized");
    return *m_rib;
}

const BgpSpeakerStatistics&
BgpSpeaker::GetStatistics(uint32_t peer) const
{
    return m_peers.at(peer)->statistics;
}

BgpSpeakerStatistics
BgpSpeaker::GetStatistics() const
{
    BgpSpeakerStatistics sum;
    for (const auto& peer : m_peers)
    {
        sum += peer->statistics;
    }
    return sum;
}

void
BgpSpeaker::Print(std::ostream& os) const
{
    os << "AS " << m_as << ", router ID " << m_routerId << '\n';
    for (const auto& peer : m_peers)
    {
        os << "peer " << peer->settings.address << ", AS " << peer->settings.as << ", "
           << GetBgpSessionStateName(peer->state) << '\n';
    }
    for (const BgpPrefix& prefix : GetRib().GetPrefixes())
    {
        os << prefix;
        for (const BgpRibPath& path : m_rib->GetPaths(prefix))
        {
            if (path.peer == BGP_NO_PEER)
            {
                os << " own";
                continue;
            }
            os << " via " << Ipv4Address(path.nextHop) << " weight " << path.weight;
        }
        os << '\n';
    }
}

} // namespace ns3::aidc
