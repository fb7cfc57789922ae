// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-speaker-peer.h"

#include "../core/bgp/bgp-attribute-table.h"
#include "../core/bgp/bgp-update.h"
#include "../core/require-argument.h"

#include "ns3/callback.h"
#include "ns3/ipv4-address.h"
#include "ns3/log.h"
#include "ns3/nstime.h"

#include <string>
#include <utility>

namespace ns3::aidc
{

NS_LOG_COMPONENT_DEFINE("AidcBgpSpeakerPeer");

/// The octets of the shortest OPEN (RFC 4271, section 4.2).
constexpr uint32_t SHORTEST_OPEN = BGP_HEADER_SIZE + 10;

BgpSpeakerPeer::BgpSpeakerPeer(const BgpSpeakerContext& context,
                               uint32_t number,
                               const BgpPeerSettings& settings)
    : m_context(context),
      m_number(number),
      m_settings(settings),
      m_connections{MakeConnection(BgpConnection::OUTGOING),
                    MakeConnection(BgpConnection::INCOMING)},
      m_advertisement([this] { Advertise(); }),
      m_sendHold([this] { ExpireSendHold(); }),
      m_restart([this] { RemoveStale(); }),
      m_stale([this] { RemoveStale(); })
{
    for (const auto which : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
    {
        for (std::size_t timer = 0; timer < N_TIMERS; ++timer)
        {
            const auto event = GetBgpExpiryEvent(static_cast<BgpSessionTimer>(timer));
            m_timers.emplace_back([this, which, event] { Handle(which, {event, nullptr, {}}); });
        }
    }
}

void
BgpSpeakerPeer::Open(Ptr<Node> node, BgpRib& rib)
{
    NS_LOG_FUNCTION(this << m_settings.address);
    m_node = node;
    m_rib = &rib;
    m_ipv4 = node->GetObject<Ipv4>();
    m_link = BgpPeerLink(m_ipv4, m_settings.address);
    m_localAddress = m_settings.localAddress == Ipv4Address::GetAny() ? m_link.GetLocalAddress()
                                                                      : m_settings.localAddress;
    AIDC_REFUSED_IF(m_localAddress == Ipv4Address::GetAny(),
                    "BgpSpeaker: node "
                        << node->GetId() << " has no interface to the network of peer "
                        << m_settings.address << ": expected a localAddress for it");

    const uint32_t mtu = m_link.GetInterface() < 0 ? 0 : m_ipv4->GetMtu(m_link.GetInterface());
    m_tcp = m_context.settings.MakeTcp(m_settings, mtu);
    m_session = std::make_unique<BgpPeerSession>(m_context.settings.MakeSession(m_settings));
    m_rib->AddPeer({m_settings, 0, m_settings.address.Get(), m_localAddress.Get()});
}

void
BgpSpeakerPeer::Dispose()
{
    NS_LOG_FUNCTION(this);
    for (DeadlineTimer& timer : m_timers)
    {
        timer.Cancel();
    }
    for (DeadlineTimer* const timer : {&m_advertisement, &m_sendHold, &m_restart, &m_stale})
    {
        timer->Cancel();
    }
    if (m_held)
    {
        BgpTcpConnection::Silence(std::exchange(m_held, nullptr));
    }
    for (BgpTcpConnection& connection : m_connections)
    {
        connection.Abandon();
    }
    m_link = BgpPeerLink();
    m_ipv4 = nullptr;
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
    CloseHeld(m_held);
    for (const auto which : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
    {
        if (Get(which).IsOpen())
        {
            Get(which).Close();
            Handle(which, {BgpSessionEvent::TCP_FAILED, nullptr, {}});
        }
    }
    RemoveStale();
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
    RemoveStale(); // packets could not take this way
}

void
BgpSpeakerPeer::StartNow()
{
    const BgpSessionFsm& machine = m_session->Get(BgpConnection::OUTGOING);
    for (const auto timer : {BgpSessionTimer::IDLE_HOLD, BgpSessionTimer::CONNECT_RETRY})
    {
        if (m_session->GetState() < BgpSessionState::OPEN_SENT && machine.IsRunning(timer))
        {
            GetTimer(BgpConnection::OUTGOING, timer).ExpireNow();
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
        BgpTcpConnection::CloseSocket(socket);
    }
    else if (m_session->GivesWay())
    {
        Hold(socket);
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
        BgpTcpConnection::CloseSocket(socket);
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

void
BgpSpeakerPeer::Hold(Ptr<Socket> socket)
{
    CloseHeld(m_held);
    m_held = socket;
    socket->SetRecvCallback(MakeCallback(&BgpSpeakerPeer::ReadHeld, this));
    socket->SetCloseCallbacks(MakeCallback(&BgpSpeakerPeer::CloseHeld, this),
                              MakeCallback(&BgpSpeakerPeer::CloseHeld, this));
    ReadHeld(socket);
}

void
BgpSpeakerPeer::ReadHeld(Ptr<Socket> socket)
{
    if (socket == m_held && socket->GetRxAvailable() >= SHORTEST_OPEN)
    {
        UseConnection(std::exchange(m_held, nullptr));
    }
}

void
BgpSpeakerPeer::CloseHeld(Ptr<Socket> socket)
{
    if (socket && socket == m_held)
    {
        BgpTcpConnection::CloseSocket(std::exchange(m_held, nullptr));
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
    case BgpSessionActionType::SEND_OPEN:
        Send(connection, BgpMessageType::OPEN, EncodeBgpOpen(MakeOpen(machine)));
        break;
    case BgpSessionActionType::SEND_KEEPALIVE:
        Send(connection, BgpMessageType::KEEPALIVE, EncodeBgpKeepalive());
        break;
    case BgpSessionActionType::SEND_NOTIFICATION:
        NS_LOG_INFO("to peer " << m_settings.address << ": " << action.notification);
        m_context.notificationTrace(m_number, true, action.notification);
        Send(connection, BgpMessageType::NOTIFICATION, EncodeBgpNotification(action.notification));
        break;
    case BgpSessionActionType::START_TIMER: {
        DeadlineTimer& timer = GetTimer(connection, action.timer);
        const Time delay = MilliSeconds(action.milliseconds);
        action.isJittered ? StartJittered(timer, delay) : timer.Start(delay);
        break;
    }
    case BgpSessionActionType::STOP_TIMER:
        GetTimer(connection, action.timer).Stop();
        break;
    case BgpSessionActionType::SESSION_UP:
        ++m_statistics.established;
        RestartSendHold(connection);
        m_rib->SetUp(m_number, machine.GetPeerAs(), machine.GetPeerIdentifier());
        SetUp(machine.GetTerms().restart);
        m_context.scheduleDecision();
        break;
    case BgpSessionActionType::SESSION_DOWN:
        ++m_statistics.lost;
        m_advertisement.Stop();
        m_sendHold.Stop();
        SetDown(machine.GetTerms().restart, action.retainsRoutes);
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

// Restarts of the peer and of the speaker

BgpOpen
BgpSpeakerPeer::MakeOpen(const BgpSessionFsm& machine) const
{
    BgpOpen open = machine.GetSettings().open;
    if (auto& restart = open.capabilities.gracefulRestart)
    {
        restart->isRestarting = m_context.isDeferring;
        for (BgpRestartFamily& entry : restart->families)
        {
            // The node's table has not been lost since the session was up.
            entry.isForwardingKept = restart->isRestarting || m_statistics.established > 0;
        }
    }
    return open;
}

void
BgpSpeakerPeer::SetUp(const BgpRestartTerms& terms)
{
    m_hasEndOfRib = false;
    m_owesEndOfRib = m_context.settings.graceful.offersRestart;
    m_restart.Stop();
    if (!terms.isAgreed || !terms.isForwardingKept)
    {
        RemoveStale();
    }
    m_context.checkRestart();
}

void
BgpSpeakerPeer::SetDown(const BgpRestartTerms& terms, bool retains)
{
    m_owesEndOfRib = false;
    m_rib->SetDown(m_number, retains);
    m_restart.Stop();
    m_stale.Stop();
    const uint32_t nStale = m_rib->CountStale(m_number);
    if (nStale > 0)
    {
        NS_LOG_INFO("peer " << m_number << ": " << nStale << " routes are stale");
        m_statistics.staleRoutes += nStale;
        m_restart.Start(Seconds(terms.restartTime));
        m_stale.Start(m_context.settings.graceful.staleTime);
    }
}

void
BgpSpeakerPeer::RemoveStale()
{
    m_restart.Stop();
    m_stale.Stop();
    const uint32_t nStale = m_rib->CountStale(m_number);
    if (nStale > 0)
    {
        NS_LOG_INFO("peer " << m_number << ": " << nStale << " stale routes are removed");
        m_statistics.staleRemoved += nStale;
        m_rib->RemoveStale(m_number);
        m_context.scheduleDecision();
    }
}

bool
BgpSpeakerPeer::IsAwaited() const
{
    if (!m_isWanted || !m_link.IsUp())
    {
        return false;
    }
    const auto established = m_session->GetEstablished();
    if (!established)
    {
        return true;
    }
    const BgpRestartTerms& terms = m_session->Get(*established).GetTerms().restart;
    return terms.isAgreed && !terms.isPeerRestarting && !m_hasEndOfRib;
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
    const bool hasSome = m_rib->HasChanges(m_number) || m_owesEndOfRib;
    if (!hasSome || m_advertisement.IsRunning() || m_context.isDeferring)
    {
        return;
    }
    const auto established = m_session->GetEstablished();
    if (!established || Get(*established).IsWaiting())
    {
        return; // called again when the connection has drained
    }
    const BgpPeerChanges changes = m_rib->TakeChanges(m_number);
    BgpPackedUpdates packed = PackBgpUpdates(changes.withdrawn,
                                             changes.announced,
                                             m_session->Get(*established).GetTerms());
    NS_LOG_LOGIC("to peer " << m_settings.address << ": " << changes.announced.size()
                            << " routes announced, " << changes.withdrawn.size()
                            << " withdrawn, in " << packed.messages.size() << " messages");
    const bool hasRoutes = !packed.messages.empty();
    if (std::exchange(m_owesEndOfRib, false))
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
    case BgpMessageType::OPEN: {
        const BgpOpenResult result = DecodeBgpOpen(frame.body, frame.bodySize);
        if (result.notification)
        {
            Handle(connection, {BgpSessionEvent::OPEN_ERROR, nullptr, *result.notification});
            break;
        }
        m_canRefresh = result.open.capabilities.hasRouteRefresh;
        Handle(connection, {BgpSessionEvent::OPEN_RECEIVED, &result.open, {}});
        break;
    }
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
    case BgpMessageType::ROUTE_REFRESH: {
        const auto refresh = DecodeBgpRouteRefresh(frame.body, frame.bodySize);
        Handle(connection, {BgpSessionEvent::ROUTE_REFRESH_RECEIVED, nullptr, {}});
        if (m_session->GetEstablished() == connection && refresh &&
            refresh->family == BGP_IPV4_UNICAST && refresh->subtype == 0)
        {
            m_rib->Refresh(m_number);
            m_context.scheduleDecision();
        }
        break;
    }
    }
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
        ++m_statistics.endsOfRib;
        m_hasEndOfRib = true;
        RemoveStale();
        m_context.checkRestart();
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
    // RFC 4271, section 6.3: not an address of this node; from an external peer, one on its link
    m_statistics.ownNextHops += WithdrawBgpRoutes(changes, [this](uint32_t nextHop) {
        return m_ipv4->GetInterfaceForAddress(Ipv4Address(nextHop)) >= 0;
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

} // namespace ns3::aidc
