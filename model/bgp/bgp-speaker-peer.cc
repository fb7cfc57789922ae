/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-speaker-peer.h"

#include "../core/bgp/bgp-attribute-table.h"
#include "../core/bgp/bgp-open.h"
#include "../core/bgp/bgp-update.h"
#include "../core/require-argument.h"
#include "bgp-tcp-socket.h"

#include "ns3/bgp-message.h"
#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeakerPeer");

/// The octets of the shortest OPEN (RFC 4271, section 4.2).
constexpr uint32_t SHORTEST_OPEN = BGP_HEADER_SIZE + 10;

BgpSecondConnection::BgpSecondConnection(Take take)
    : m_take(std::move(take))
{
}

void
BgpSecondConnection::Hold(Ptr<Socket> socket)
{
    Drop();
    m_socket = socket;
    socket->SetRecvCallback(MakeCallback(&BgpSecondConnection::Read, this));
    socket->SetCloseCallbacks(MakeCallback(&BgpSecondConnection::Close, this),
                              MakeCallback(&BgpSecondConnection::Close, this));
    Read(socket);
}

void
BgpSecondConnection::Drop()
{
    if (const auto socket = Release())
    {
        BgpTcpSocket::Close(socket);
    }
}

void
BgpSecondConnection::Abandon()
{
    Release();
}

Ptr<Socket>
BgpSecondConnection::Release()
{
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                    MakeNullCallback<void, Ptr<Socket>>());
    }
    return std::exchange(m_socket, nullptr);
}

void
BgpSecondConnection::Read(Ptr<Socket> socket)
{
    if (socket == m_socket && socket->GetRxAvailable() >= SHORTEST_OPEN)
    {
        m_take(Release());
    }
}

void
BgpSecondConnection::Close(Ptr<Socket> socket)
{
    if (socket == m_socket)
    {
        Drop();
    }
}

BgpSpeakerPeer::BgpSpeakerPeer(const BgpSpeakerContext& context,
                               uint32_t number,
                               const BgpPeerSettings& settings)
    : m_context(context),
      m_number(number),
      m_settings(settings),
      m_connections{MakeConnection(BgpConnection::OUTGOING),
                    MakeConnection(BgpConnection::INCOMING)},
      m_timers([this](BgpConnection connection, BgpSessionEvent event) {
          Handle(connection, {event, nullptr, {}});
      }),
      m_advertisement([this] { Advertise(); }),
      m_sendHold([this] { ExpireSendHold(); }),
      m_restart(context, number, m_statistics),
      m_second([this](Ptr<Socket> socket) { UseConnection(socket); })
{
}

void
BgpSpeakerPeer::Open(Ptr<Node> node, BgpRib& rib)
{
    NS_LOG_FUNCTION(this << m_settings.address);
    m_node = node;
    m_rib = &rib;
    m_restart.Open(rib);
    const auto ipv4 = node->GetObject<Ipv4>();
    m_link = BgpPeerLink(ipv4, m_settings.address);
    m_localAddress = m_settings.localAddress == Ipv4Address::GetAny() ? m_link.GetLocalAddress()
                                                                      : m_settings.localAddress;
    AIDC_REFUSED_IF(m_localAddress == Ipv4Address::GetAny(),
                    "BgpSpeaker: node "
                        << node->GetId() << " has no interface to the network of peer "
                        << m_settings.address << ": expected a localAddress for it");

    const uint32_t mtu = m_link.GetInterface() < 0 ? 0 : ipv4->GetMtu(m_link.GetInterface());
    m_tcp = m_context.settings.MakeTcp(m_settings, mtu);
    m_session = std::make_unique<BgpPeerSession>(m_context.settings.MakeSession(m_settings));
    m_rib->AddPeer({m_settings, 0, m_settings.address.Get(), m_localAddress.Get()});
}

void
BgpSpeakerPeer::Dispose()
{
    NS_LOG_FUNCTION(this);
    m_timers.Cancel();
    m_advertisement.Cancel();
    m_sendHold.Cancel();
    m_restart.Dispose();
    m_second.Abandon();
    for (BgpTcpConnection& connection : m_connections)
    {
        connection.Abandon();
    }
    m_link = BgpPeerLink();
    m_node = nullptr;
}

void
BgpSpeakerPeer::Start()
{
    BgpPeerActions actions;
    m_session->Start(actions);
    Perform(actions);
}

void
BgpSpeakerPeer::Stop(BgpCease reason)
{
    if (!m_session)
    {
        return;
    }
    BgpPeerActions actions;
    m_session->Stop(reason, actions);
    Perform(actions);
    m_context.checkRestart(); // it is not waited for
}

void
BgpSpeakerPeer::Reset(BgpCease reason)
{
    BgpPeerActions actions;
    m_session->Reset(reason, actions);
    Perform(actions);
}

void
BgpSpeakerPeer::CloseConnections()
{
    m_second.Drop();
    for (const auto which : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
    {
        if (Get(which).IsOpen())
        {
            Get(which).Close();
            Handle(which, {BgpSessionEvent::TCP_FAILED, nullptr, {}});
        }
    }
    m_restart.RemoveStale();
    m_context.checkRestart(); // a peer without a link is not waited for
}

void
BgpSpeakerPeer::Crash()
{
    CloseConnections();
    Stop();
}

void
BgpSpeakerPeer::SetLeaving(bool isLeaving)
{
    m_settings.isLeaving = isLeaving;
    if (m_rib)
    {
        m_rib->SetLeaving(m_number, isLeaving);
        m_context.scheduleDecision();
    }
}

void
BgpSpeakerPeer::RequestRefresh()
{
    const auto established = m_session->GetEstablished();
    if (established && m_canRefresh)
    {
        Send(*established, BgpMessageType::ROUTE_REFRESH, EncodeBgpRouteRefresh({}));
    }
}

void
BgpSpeakerPeer::CheckLink()
{
    if (!m_link.Update())
    {
        return;
    }
    NS_LOG_INFO("AS " << m_context.settings.as << ", peer " << m_settings.address << ": link is "
                      << (m_link.IsUp() ? "up" : "down"));
    if (!m_link.IsUp())
    {
        CloseConnections();
        return;
    }
    StartNow();
}

void
BgpSpeakerPeer::NotifyBfd(bool hasFailed)
{
    if (!hasFailed)
    {
        StartNow();
        return;
    }
    if (m_session->GetState() >= BgpSessionState::OPEN_SENT)
    {
        Reset(BgpCease::BFD_DOWN);
    }
    m_restart.RemoveStale(); // packets could not take this way
}

void
BgpSpeakerPeer::StartNow()
{
    const BgpSessionFsm& machine = m_session->Get(BgpConnection::OUTGOING);
    for (const auto timer : {BgpSessionTimer::IDLE_HOLD, BgpSessionTimer::CONNECT_RETRY})
    {
        if (m_session->GetState() < BgpSessionState::OPEN_SENT && machine.IsRunning(timer))
        {
            m_timers.Get(BgpConnection::OUTGOING, timer).ExpireNow();
            break;
        }
    }
}

void
BgpSpeakerPeer::CountSmallTtl()
{
    NS_LOG_WARN("a segment of peer " << m_settings.address << " has less than "
                                     << +m_settings.minTtl << " as its time to live");
    ++m_statistics.tooSmallTtl;
}

// Connections

void
BgpSpeakerPeer::Accept(Ptr<Socket> socket, bool isWelcome)
{
    NS_LOG_FUNCTION(this << m_settings.address << isWelcome);
    if (!isWelcome)
    {
        ++m_statistics.refused;
        BgpTcpSocket::Close(socket);
    }
    else if (m_session->GivesWay())
    {
        m_second.Hold(socket);
    }
    else
    {
        UseConnection(socket);
    }
}

void
BgpSpeakerPeer::UseConnection(Ptr<Socket> socket)
{
    BgpPeerActions actions;
    const bool isAccepted = m_session->Accept(actions);
    Perform(actions);
    if (!isAccepted)
    {
        NS_LOG_LOGIC("a connection of peer " << m_settings.address << " is refused");
        ++m_statistics.refused;
        BgpTcpSocket::Close(socket);
        return;
    }
    BgpTcpConnection& connection = Get(BgpConnection::INCOMING);
    connection.Accept(socket, m_tcp);
    Handle(BgpConnection::INCOMING, {BgpSessionEvent::TCP_CONFIRMED, nullptr, {}});
    connection.Read();
}

BgpTcpConnection
BgpSpeakerPeer::MakeConnection(BgpConnection which)
{
    return BgpTcpConnection([this, which](BgpTcpEvent event) { TakeEvent(which, event); },
                            [this, which](const BgpFrame& frame) { TakeFrame(which, frame); });
}

void
BgpSpeakerPeer::TakeEvent(BgpConnection which, BgpTcpEvent event)
{
    switch (event)
    {
    case BgpTcpEvent::CONNECTED:
        Handle(which, {BgpSessionEvent::TCP_ACKNOWLEDGED, nullptr, {}});
        break;
    case BgpTcpEvent::FAILED:
        Handle(which, {BgpSessionEvent::TCP_FAILED, nullptr, {}});
        break;
    case BgpTcpEvent::TAKEN:
        RestartSendHold(which);
        break;
    case BgpTcpEvent::DRAINED:
        Advertise();
        break;
    }
}

// The session

void
BgpSpeakerPeer::Handle(BgpConnection connection, const BgpSessionInput& input)
{
    BgpPeerActions actions;
    m_session->Handle(connection, input, actions);
    Perform(actions);
}

void
BgpSpeakerPeer::Perform(const BgpPeerActions& actions)
{
    for (const BgpPeerAction& action : actions)
    {
        Perform(action.connection, action.action);
    }
    const BgpSessionState state = m_session->GetState();
    if (state != m_state)
    {
        NS_LOG_INFO("AS " << m_context.settings.as << ", peer " << m_settings.address << ": "
                          << GetBgpSessionStateName(state));
        m_context.stateTrace(m_number, std::exchange(m_state, state), state);
    }
}

void
BgpSpeakerPeer::Perform(BgpConnection connection, const BgpSessionAction& action)
{
    const BgpSessionFsm& machine = m_session->Get(connection);
    switch (action.type)
    {
    case BgpSessionActionType::CONNECT:
        Get(connection).Connect(m_node, m_localAddress, m_settings.address, m_tcp);
        break;
    case BgpSessionActionType::CLOSE:
        Get(connection).Close();
        break;
    case BgpSessionActionType::SEND_OPEN: {
        BgpOpen open = machine.GetSettings().open;
        m_restart.Mark(open);
        Send(connection, BgpMessageType::OPEN, EncodeBgpOpen(open));
        break;
    }
    case BgpSessionActionType::SEND_KEEPALIVE:
        Send(connection, BgpMessageType::KEEPALIVE, EncodeBgpKeepalive());
        break;
    case BgpSessionActionType::SEND_NOTIFICATION:
        NS_LOG_INFO("to peer " << m_settings.address << ": " << action.notification);
        m_context.notificationTrace(m_number, true, action.notification);
        Send(connection, BgpMessageType::NOTIFICATION, EncodeBgpNotification(action.notification));
        break;
    case BgpSessionActionType::START_TIMER: {
        DeadlineTimer& timer = m_timers.Get(connection, action.timer);
        const Time delay = MilliSeconds(action.milliseconds);
        action.isJittered ? StartJittered(timer, delay) : timer.Start(delay);
        break;
    }
    case BgpSessionActionType::STOP_TIMER:
        m_timers.Get(connection, action.timer).Stop();
        break;
    case BgpSessionActionType::SESSION_UP:
        ++m_statistics.established;
        RestartSendHold(connection);
        m_rib->SetUp(m_number, machine.GetPeerAs(), machine.GetPeerIdentifier());
        m_restart.SetUp(machine.GetTerms().restart);
        m_context.scheduleDecision();
        break;
    case BgpSessionActionType::SESSION_DOWN:
        ++m_statistics.lost;
        m_advertisement.Stop();
        m_sendHold.Stop();
        m_restart.SetDown(machine.GetTerms().restart, action.retainsRoutes);
        m_context.scheduleDecision();
        break;
    }
}

void
BgpSpeakerPeer::StartJittered(DeadlineTimer& timer, const Time& delay)
{
    const double factor = m_context.drawJitter(BGP_MIN_JITTER);
    timer.Start(TimeStep(static_cast<int64_t>(factor * static_cast<double>(delay.GetTimeStep()))));
}

void
BgpSpeakerPeer::RestartSendHold(BgpConnection connection)
{
    const uint16_t holdTime = m_session->Get(connection).GetHoldTime();
    const Time time = m_context.settings.GetSendHoldTime(holdTime);
    if (m_session->GetEstablished() == connection && time.IsStrictlyPositive())
    {
        m_sendHold.Start(time);
    }
}

void
BgpSpeakerPeer::ExpireSendHold()
{
    if (const auto established = m_session->GetEstablished())
    {
        NS_LOG_WARN("peer " << m_settings.address << " takes nothing: the session ends");
        ++m_statistics.sendHoldExpired;
        Handle(*established, {BgpSessionEvent::SEND_HOLD_EXPIRED, nullptr, {}});
    }
}

// Messages

void
BgpSpeakerPeer::Send(BgpConnection connection, BgpMessageType type, const BgpBytes& message)
{
    m_statistics.sent.Count(type, message.size());
    m_context.sentTrace(m_number, type, message);
    Get(connection).Send(message);
    if (!Get(connection).IsWaiting())
    {
        RestartSendHold(connection);
    }
}

void
BgpSpeakerPeer::Advertise()
{
    const bool hasSome = m_rib->HasChanges(m_number) || m_restart.OwesEndOfRib();
    if (!hasSome || m_advertisement.IsRunning() || m_context.isDeferring)
    {
        return;
    }
    const auto established = m_session->GetEstablished();
    if (!established || Get(*established).IsWaiting())
    {
        return; // what drains the connection calls again
    }
    const BgpPeerChanges changes = m_rib->TakeChanges(m_number);
    BgpPackedUpdates packed = PackBgpUpdates(changes.withdrawn,
                                             changes.announced,
                                             m_session->Get(*established).GetTerms());
    NS_LOG_LOGIC("to peer " << m_settings.address << ": " << changes.announced.size()
                            << " routes announced, " << changes.withdrawn.size()
                            << " withdrawn, in " << packed.messages.size() << " messages");
    const bool hasRoutes = !packed.messages.empty();
    if (m_restart.TakeOwedEndOfRib())
    {
        packed.messages.push_back(EncodeBgpEndOfRib());
    }
    for (const BgpBytes& message : packed.messages)
    {
        Send(*established, BgpMessageType::UPDATE, message);
    }
    m_statistics.tooLarge += packed.unsendable.size();
    if (packed.messages.empty())
    {
        return;
    }
    Handle(*established, {BgpSessionEvent::UPDATE_SENT, nullptr, {}});
    const Time interval =
        m_settings.advertisementInterval.value_or(m_context.settings.advertisementInterval);
    if (hasRoutes && interval > Time(0))
    {
        StartJittered(m_advertisement, interval);
    }
}

void
BgpSpeakerPeer::TakeFrame(BgpConnection connection, const BgpFrame& frame)
{
    if (frame.status == BgpFrame::Status::ERROR)
    {
        Handle(connection, {BgpSessionEvent::HEADER_ERROR, nullptr, frame.notification});
        return;
    }
    m_statistics.received.Count(frame.type, BGP_HEADER_SIZE + frame.bodySize);
    if (!m_context.receivedTrace.IsEmpty())
    {
        const BgpBytes message(frame.body - BGP_HEADER_SIZE, frame.body + frame.bodySize);
        m_context.receivedTrace(m_number, frame.type, message);
    }
    switch (frame.type)
    {
    case BgpMessageType::OPEN:
        TakeOpen(connection, frame);
        break;
    case BgpMessageType::UPDATE:
        TakeUpdate(connection, frame);
        break;
    case BgpMessageType::NOTIFICATION: {
        const BgpNotification notification =
            DecodeBgpNotification(frame.body, frame.bodySize).value_or(BgpNotification());
        NS_LOG_INFO("from peer " << m_settings.address << ": " << notification);
        m_context.notificationTrace(m_number, false, notification);
        Handle(connection, {BgpSessionEvent::NOTIFICATION_RECEIVED, nullptr, notification});
        break;
    }
    case BgpMessageType::KEEPALIVE:
        Handle(connection, {BgpSessionEvent::KEEPALIVE_RECEIVED, nullptr, {}});
        break;
    case BgpMessageType::ROUTE_REFRESH:
        TakeRefresh(connection, frame);
        break;
    }
}

void
BgpSpeakerPeer::TakeOpen(BgpConnection connection, const BgpFrame& frame)
{
    const BgpOpenResult result = DecodeBgpOpen(frame.body, frame.bodySize);
    if (result.notification)
    {
        Handle(connection, {BgpSessionEvent::OPEN_ERROR, nullptr, *result.notification});
        return;
    }
    m_canRefresh = result.open.capabilities.hasRouteRefresh;
    Handle(connection, {BgpSessionEvent::OPEN_RECEIVED, &result.open, {}});
}

void
BgpSpeakerPeer::TakeUpdate(BgpConnection connection, const BgpFrame& frame)
{
    const BgpSessionFsm& machine = m_session->Get(connection);
    if (machine.GetState() != BgpSessionState::ESTABLISHED)
    {
        Handle(connection, {BgpSessionEvent::UPDATE_RECEIVED, nullptr, {}});
        return;
    }
    BgpUpdateResult result = DecodeUpdate(frame, machine.GetTerms());
    if (result.action == BgpErrorAction::SESSION_RESET)
    {
        Handle(connection, {BgpSessionEvent::UPDATE_ERROR, nullptr, result.notification});
        return;
    }
    Handle(connection, {BgpSessionEvent::UPDATE_RECEIVED, nullptr, {}});
    if (result.isEndOfRib)
    {
        m_restart.TakeEndOfRib();
        return;
    }
    const BgpRouteChanges changes = GetChanges(std::move(result.update), machine.GetTerms());
    m_context.scheduleDecision();
    if (!m_rib->Receive(m_number, changes))
    {
        NS_LOG_WARN("peer " << m_settings.address << " has announced more than "
                            << m_settings.maxPrefixes << " routes: the session ends");
        ++m_statistics.tooManyPrefixes;
        constexpr auto REASON = BgpCease::MAXIMUM_PREFIXES_REACHED;
        m_settings.restartsAfterMaximum ? Reset(REASON) : Stop(REASON);
    }
}

BgpUpdateResult
BgpSpeakerPeer::DecodeUpdate(const BgpFrame& frame, const BgpSessionTerms& terms)
{
    BgpUpdateResult result = DecodeBgpUpdate(frame.body, frame.bodySize, terms);
    for (const BgpUpdateFault& fault : result.faults)
    {
        const BgpAttribute* const known = FindBgpAttribute(fault.type);
        NS_LOG_WARN("UPDATE of peer "
                    << m_settings.address << ", attribute "
                    << (known ? std::string(known->name) : std::to_string(fault.type)) << ": "
                    << GetBgpFaultName(fault.fault) << ", " << GetBgpErrorActionName(fault.action)
                    << " (" << GetBgpErrorRule(fault.type, fault.fault).section << ")");
    }
    if (result.action != BgpErrorAction::SESSION_RESET)
    {
        m_statistics.attributeDiscards += result.action == BgpErrorAction::ATTRIBUTE_DISCARD;
        m_statistics.treatedAsWithdrawn += result.action == BgpErrorAction::TREAT_AS_WITHDRAW;
        m_statistics.ignoredFamilies += result.nIgnoredFamilies;
    }
    return result;
}

BgpRouteChanges
BgpSpeakerPeer::GetChanges(BgpUpdate update, const BgpSessionTerms& terms)
{
    BgpRouteChanges changes = GetBgpRouteChanges(std::move(update));
    m_statistics.martians += RemoveBgpMartians(changes);
    // RFC 4271, section 6.3: not an address of this node; of an external peer, one on its link
    const auto ipv4 = m_node->GetObject<Ipv4>();
    m_statistics.ownNextHops += WithdrawBgpRoutes(changes, [&ipv4](uint32_t nextHop) {
        return ipv4->GetInterfaceForAddress(Ipv4Address(nextHop)) >= 0;
    });
    const bool isOnLink = m_tcp.ttl == 1 || m_settings.minTtl == 255;
    if (isOnLink && terms.IsExternal())
    {
        m_statistics.foreignNextHops += WithdrawBgpRoutes(changes, [this](uint32_t nextHop) {
            return !m_link.HasAddress(Ipv4Address(nextHop));
        });
    }
    m_statistics.malformedBandwidths +=
        CountMalformedBandwidths(changes, m_context.settings.pathBandwidthSubtype);
    return changes;
}

void
BgpSpeakerPeer::TakeRefresh(BgpConnection connection, const BgpFrame& frame)
{
    const auto refresh = DecodeBgpRouteRefresh(frame.body, frame.bodySize);
    Handle(connection, {BgpSessionEvent::ROUTE_REFRESH_RECEIVED, nullptr, {}});
    if (m_session->GetEstablished() == connection && refresh &&
        refresh->family == BGP_IPV4_UNICAST && refresh->subtype == 0)
    {
        m_rib->Refresh(m_number);
        m_context.scheduleDecision();
    }
}

} // namespace ns3::aidc
