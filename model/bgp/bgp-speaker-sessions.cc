/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-peer.h"
#include "bgp-speaker.h"

#include "ns3/abort.h"
#include "ns3/bgp-message.h"
#include "ns3/bgp-open.h"
#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <memory>
#include <utility>

// Sessions: connections, timers.

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeakerSessions");

/// The most bytes of headers that a segment has: 20 of IPv4, 60 of TCP with options.
constexpr uint32_t MAX_HEADERS = 80;

/// What fits in most links, bytes.
constexpr uint32_t USUAL_MTU = 1500;

/**
 * @brief Get a time of a session.
 * @param time the time
 * @return milliseconds
 */
static uint32_t
GetMilliseconds(const Time& time)
{
    return static_cast<uint32_t>(time.GetMilliSeconds());
}

/**
 * @brief Get how long a peer may take nothing of what is sent (RFC 9687, section 4.2).
 * @param configured attribute SendHoldTime
 * @param holdTime what both sides have agreed on, in seconds
 * @return the time, 0: for ever
 */
static Time
GetSendHoldTime(const Time& configured, int64_t holdTime)
{
    constexpr int64_t LEAST = 480;
    if (holdTime == 0)
    {
        return Time(0);
    }
    return configured.IsStrictlyNegative() ? Seconds(std::max(LEAST, 2 * holdTime)) : configured;
}

void
BgpSpeaker::MakeSession(uint32_t number)
{
    Peer& peer = *m_peers[number];
    const BgpPeerSettings& known = peer.settings;
    FindLink(peer);

    const auto settings = std::make_shared<BgpSessionSettings>();
    settings->open =
        MakeBgpOpen(m_as, static_cast<uint16_t>(m_holdTime.GetSeconds()), m_routerId.Get());
    settings->peerAs = known.as;
    settings->connectRetryTime = GetMilliseconds(m_connectRetryTime);
    settings->keepaliveTime = GetMilliseconds(m_keepaliveTime);
    settings->idleHoldTime = GetMilliseconds(m_idleHoldTime);
    settings->isPassive = known.isPassive;
    peer.session = std::make_unique<BgpPeerSession>(settings);

    BgpRibPeer route;
    route.as = known.as;
    route.address = known.address.Get();
    route.localAddress = peer.localAddress.Get();
    route.tier = known.tier;
    route.linkBandwidth = known.linkBandwidth;
    route.exchangesNonTransitive = known.exchangesNonTransitive;
    route.maxPrefixes = known.maxPrefixes;
    route.importPolicy = known.importPolicy;
    route.exportPolicy = known.exportPolicy;
    m_rib->AddPeer(std::move(route));

    const bool isExternal = known.as != m_as;
    peer.tcp.port = m_port;
    peer.tcp.typeOfService = static_cast<uint8_t>(m_dscp << 2);
    peer.tcp.ttl = known.ttl > 0 ? known.ttl : known.minTtl > 0 ? 255 : isExternal ? 1 : 0;
    peer.tcp.bufferSize = m_tcpBufferSize;
    if (peer.interface >= 0)
    {
        const uint32_t mtu = m_ipv4->GetMtu(peer.interface);
        peer.tcp.segmentSize = std::max(std::min(mtu, USUAL_MTU), 2 * MAX_HEADERS) - MAX_HEADERS;
    }
    if (known.minTtl > 0)
    {
        if (!m_ttlSecurity)
        {
            m_ttlSecurity = CreateObject<BgpTtlSecurity>();
            m_ttlSecurity->Insert(GetNode(),
                                  m_port,
                                  BgpTtlSecurity::DropCallback([this](Ipv4Address from, uint8_t) {
                                      ++m_peers[FindPeer(from)]->statistics.tooSmallTtl;
                                  }));
        }
        m_ttlSecurity->SetMinTtl(known.address, known.minTtl);
    }
}

void
BgpSpeaker::StartApplication()
{
    NS_LOG_FUNCTION(this);
    m_isRunning = true;
    Listen();
    ScheduleDecision();
    for (uint32_t number = 0; number < m_peers.size(); ++number)
    {
        if (m_peers[number]->isWanted)
        {
            BgpPeerActions actions;
            m_peers[number]->session->Start(actions);
            Perform(number, actions);
        }
    }
}

void
BgpSpeaker::StopApplication()
{
    NS_LOG_FUNCTION(this);
    m_isRunning = false;
    for (uint32_t number = 0; number < m_peers.size(); ++number)
    {
        BgpPeerActions actions;
        m_peers[number]->session->Stop({}, actions);
        Perform(number, actions);
    }
    if (m_listener)
    {
        m_listener->Close();
        m_listener = nullptr;
    }
}

void
BgpSpeaker::StartPeer(uint32_t peer)
{
    m_peers.at(peer)->isWanted = true;
    if (m_rib)
    {
        RunAtNode([this, peer] {
            if (m_isRunning)
            {
                BgpPeerActions actions;
                m_peers[peer]->session->Start(actions);
                Perform(peer, actions);
            }
        });
    }
}

void
BgpSpeaker::StopPeer(uint32_t peer)
{
    m_peers.at(peer)->isWanted = false;
    if (m_rib)
    {
        RunAtNode([this, peer] {
            BgpPeerActions actions;
            m_peers[peer]->session->Stop({}, actions);
            Perform(peer, actions);
        });
    }
}

void
BgpSpeaker::ResetPeer(uint32_t peer)
{
    NS_ABORT_MSG_UNLESS(m_rib, "BgpSpeaker: there are sessions once it is initialized");
    RunAtNode([this, peer] {
        BgpPeerActions actions;
        m_peers.at(peer)->session->Reset(BgpCease::ADMINISTRATIVE_RESET, actions);
        Perform(peer, actions);
    });
}

void
BgpSpeaker::RefreshPeer(uint32_t peer)
{
    NS_ABORT_MSG_UNLESS(m_rib, "BgpSpeaker: there are sessions once it is initialized");
    RunAtNode([this, peer] {
        const auto established = m_peers.at(peer)->session->GetEstablished();
        if (established && m_peers[peer]->canRefresh)
        {
            Send(peer, *established, BgpMessageType::ROUTE_REFRESH, EncodeBgpRouteRefresh({}));
        }
    });
}

// Connections

void
BgpSpeaker::Listen()
{
    BgpTcpSettings settings;
    settings.port = m_port;
    settings.typeOfService = static_cast<uint8_t>(m_dscp << 2);
    settings.ttl = 255; // of what answers before it is known who asks; peers may ask for it
    settings.bufferSize = m_tcpBufferSize;
    for (const auto& peer : m_peers)
    {
        settings.segmentSize = std::min(settings.segmentSize, peer->tcp.segmentSize);
    }
    m_listener = BgpTcpConnection::MakeSocket(GetNode(), settings);
    NS_ABORT_MSG_IF(m_listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port)) != 0 ||
                        m_listener->Listen() != 0,
                    "BgpSpeaker: node " << GetNode()->GetId() << " has TCP port " << m_port
                                        << " in use");
    m_listener->SetAcceptCallback(MakeCallback(&BgpSpeaker::AskForConnection, this),
                                  MakeCallback(&BgpSpeaker::TakeConnection, this));
}

uint32_t
BgpSpeaker::FindPeer(Ipv4Address address) const
{
    const auto known = m_numbers.find(address.Get());
    return known == m_numbers.end() ? BGP_NO_PEER : known->second;
}

bool
BgpSpeaker::AskForConnection(Ptr<Socket> /* socket */, const Address& from)
{
    return m_isRunning && FindPeer(InetSocketAddress::ConvertFrom(from).GetIpv4()) != BGP_NO_PEER;
}

void
BgpSpeaker::TakeConnection(Ptr<Socket> socket, const Address& from)
{
    const uint32_t number = FindPeer(InetSocketAddress::ConvertFrom(from).GetIpv4());
    NS_LOG_FUNCTION(this << number);
    BgpPeerActions actions;
    Peer& peer = *m_peers[number];
    const bool isAccepted = m_isRunning && peer.session->Accept(actions);
    Perform(number, actions);
    if (!isAccepted)
    {
        ++peer.statistics.refused;
        BgpTcpConnection::Refuse(socket);
        return;
    }
    BgpTcpConnection& connection = peer.connections[1];
    connection.Accept(socket, peer.tcp);
    Handle(number, BgpConnection::INCOMING, {BgpSessionEvent::TCP_CONFIRMED, nullptr, {}});
    connection.Read();
}

void
BgpSpeaker::HandleConnected(BgpTcpConnection& connection)
{
    const uint32_t id = connection.GetId();
    Handle(id / 2, GetConnection(connection), {BgpSessionEvent::TCP_ACKNOWLEDGED, nullptr, {}});
}

void
BgpSpeaker::HandleFailed(BgpTcpConnection& connection)
{
    const uint32_t id = connection.GetId();
    Handle(id / 2, GetConnection(connection), {BgpSessionEvent::TCP_FAILED, nullptr, {}});
}

void
BgpSpeaker::HandleTaken(BgpTcpConnection& connection)
{
    RestartSendHold(connection.GetId() / 2, GetConnection(connection));
}

void
BgpSpeaker::RestartSendHold(uint32_t number, BgpConnection connection)
{
    const BgpPeerSession& session = *m_peers[number]->session;
    const Time time = GetSendHoldTime(m_sendHoldTime, session.Get(connection).GetHoldTime());
    if (session.GetEstablished() == connection && time.IsStrictlyPositive())
    {
        StartTimer(number, Peer::SEND_HOLD, time, false);
    }
}

void
BgpSpeaker::HandleDrained(BgpTcpConnection& connection)
{
    Advertise(connection.GetId() / 2);
}

// Sessions

void
BgpSpeaker::Handle(uint32_t number, BgpConnection connection, const BgpSessionInput& input)
{
    BgpPeerActions actions;
    m_peers[number]->session->Handle(connection, input, actions);
    Perform(number, actions);
}

void
BgpSpeaker::Perform(uint32_t number, const BgpPeerActions& actions)
{
    for (const BgpPeerAction& action : actions)
    {
        Perform(number, action.connection, action.action);
    }
    Peer& peer = *m_peers[number];
    const BgpSessionState state = peer.session->GetState();
    if (state != peer.state)
    {
        NS_LOG_INFO("AS " << m_as << ", peer " << peer.settings.address << ": "
                          << GetBgpSessionStateName(state));
        m_stateTrace(number, std::exchange(peer.state, state), state);
    }
}

void
BgpSpeaker::Perform(uint32_t number, BgpConnection connection, const BgpSessionAction& action)
{
    Peer& peer = *m_peers[number];
    const auto which = static_cast<uint32_t>(connection);
    BgpTcpConnection& tcp = peer.connections[which];
    const BgpSessionFsm& machine = peer.session->Get(connection);
    switch (action.type)
    {
    case BgpSessionActionType::CONNECT:
        tcp.Connect(GetNode(), peer.localAddress, peer.settings.address, peer.tcp);
        break;
    case BgpSessionActionType::CLOSE:
        tcp.Close();
        break;
    case BgpSessionActionType::SEND_OPEN:
        Send(number, connection, BgpMessageType::OPEN, EncodeBgpOpen(machine.GetSettings().open));
        break;
    case BgpSessionActionType::SEND_KEEPALIVE:
        Send(number, connection, BgpMessageType::KEEPALIVE, EncodeBgpKeepalive());
        break;
    case BgpSessionActionType::SEND_NOTIFICATION:
        m_notificationTrace(number, true, action.notification);
        Send(number,
             connection,
             BgpMessageType::NOTIFICATION,
             EncodeBgpNotification(action.notification));
        break;
    case BgpSessionActionType::START_TIMER:
        StartTimer(number,
                   which * Peer::N_TIMERS + static_cast<uint32_t>(action.timer),
                   MilliSeconds(action.milliseconds),
                   action.isJittered);
        break;
    case BgpSessionActionType::STOP_TIMER:
        peer.timers[which * Peer::N_TIMERS + static_cast<uint32_t>(action.timer)].deadline = -1;
        break;
    case BgpSessionActionType::SESSION_UP:
        ++peer.statistics.established;
        RestartSendHold(number, connection);
        m_rib->SetUp(number, machine.GetPeerAs(), machine.GetPeerIdentifier());
        ScheduleDecision();
        break;
    case BgpSessionActionType::SESSION_DOWN:
        ++peer.statistics.lost;
        peer.timers[Peer::ADVERTISEMENT].deadline = -1;
        peer.timers[Peer::SEND_HOLD].deadline = -1;
        m_rib->SetDown(number);
        ScheduleDecision();
        break;
    }
}

void
BgpSpeaker::Send(uint32_t number,
                 BgpConnection connection,
                 BgpMessageType type,
                 const BgpBytes& message)
{
    Peer& peer = *m_peers[number];
    peer.statistics.sent.Count(type, message.size());
    m_sentTrace(number, type, message);
    peer.Get(connection).Send(message);
    if (!peer.Get(connection).IsWaiting())
    {
        RestartSendHold(number, connection);
    }
}

void
BgpSpeaker::StartTimer(uint32_t number, uint32_t timer, Time delay, bool isJittered)
{
    Peer::Timer& started = m_peers[number]->timers[timer];
    const double factor = isJittered ? DrawJitter(BGP_MIN_JITTER) : 1;
    const auto steps = static_cast<int64_t>(factor * static_cast<double>(delay.GetTimeStep()));
    started.deadline = Simulator::Now().GetTimeStep() + steps;
    if (!started.event.IsExpired())
    {
        if (static_cast<int64_t>(started.event.GetTs()) <= started.deadline)
        {
            return;
        }
        started.event.Cancel();
    }
    started.event = Simulator::Schedule(TimeStep(steps), &BgpSpeaker::Expire, this, number, timer);
}

void
BgpSpeaker::Expire(uint32_t number, uint32_t timer)
{
    Peer::Timer& expired = m_peers[number]->timers[timer];
    if (expired.deadline < 0)
    {
        return;
    }
    const int64_t left = expired.deadline - Simulator::Now().GetTimeStep();
    if (left > 0)
    {
        expired.event =
            Simulator::Schedule(TimeStep(left), &BgpSpeaker::Expire, this, number, timer);
        return;
    }
    expired.deadline = -1;
    if (timer == Peer::ADVERTISEMENT)
    {
        Advertise(number);
        return;
    }
    if (timer == Peer::SEND_HOLD)
    {
        if (const auto established = m_peers[number]->session->GetEstablished())
        {
            ++m_peers[number]->statistics.sendHoldExpired;
            Handle(number, *established, {BgpSessionEvent::SEND_HOLD_EXPIRED, nullptr, {}});
        }
        return;
    }
    const auto event = GetBgpExpiryEvent(static_cast<BgpSessionTimer>(timer % Peer::N_TIMERS));
    Handle(number, static_cast<BgpConnection>(timer / Peer::N_TIMERS), {event, nullptr, {}});
}

} // namespace ns3::aidc
