// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-peer-session.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

static BgpConnection
GetOther(BgpConnection connection)
{
    return connection == BgpConnection::OUTGOING ? BgpConnection::INCOMING
                                                 : BgpConnection::OUTGOING;
}

/// Append the actions of a machine.
static void
Append(BgpConnection connection, BgpSessionActions own, BgpPeerActions& actions)
{
    for (BgpSessionAction& action : own)
    {
        actions.push_back({connection, std::move(action)});
    }
}

/// Make the settings of the machine that takes connections: each connection has it anew.
static std::shared_ptr<const BgpSessionSettings>
MakeIncoming(const BgpSessionSettings& settings)
{
    BgpSessionSettings incoming = settings;
    incoming.isPassive = true;
    incoming.restarts = false;
    return std::make_shared<const BgpSessionSettings>(std::move(incoming));
}

BgpPeerSession::BgpPeerSession(const std::shared_ptr<const BgpSessionSettings>& settings)
    : m_machines{BgpSessionFsm(settings), BgpSessionFsm(MakeIncoming(*settings))}
{
}

void
BgpPeerSession::Start(BgpPeerActions& actions)
{
    if (!m_isStarted)
    {
        m_isStarted = true;
        Pass(BgpConnection::OUTGOING, {BgpSessionEvent::MANUAL_START, nullptr, {}}, actions);
    }
}

void
BgpPeerSession::Stop(const BgpNotification& notification, BgpPeerActions& actions)
{
    m_isStarted = false;
    for (const auto connection : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
    {
        Pass(connection, {BgpSessionEvent::MANUAL_STOP, nullptr, notification}, actions);
    }
}

void
BgpPeerSession::Reset(const BgpNotification& notification, BgpPeerActions& actions)
{
    for (const auto connection : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
    {
        Pass(connection, {BgpSessionEvent::AUTOMATIC_STOP, nullptr, notification}, actions);
    }
    TidyUp(actions);
}

bool
BgpPeerSession::GivesWay() const
{
    const auto established = GetEstablished();
    return m_isStarted && established && Get(*established).GetTerms().restart.isAgreed;
}

bool
BgpPeerSession::Accept(BgpPeerActions& actions)
{
    if (GivesWay())
    {
        Pass(*GetEstablished(), {BgpSessionEvent::REPLACED, nullptr, {}}, actions);
        TidyUp(actions);
    }
    const BgpSessionState state = Get(BgpConnection::INCOMING).GetState();
    if (!m_isStarted || GetEstablished() || state == BgpSessionState::OPEN_CONFIRM)
    {
        return false;
    }
    // The peer would not make another one if it still had the last one.
    const auto end = state == BgpSessionState::OPEN_SENT ? BgpSessionEvent::COLLISION_DUMP
                                                         : BgpSessionEvent::MANUAL_STOP;
    Pass(BgpConnection::INCOMING, {end, nullptr, {}}, actions);
    Pass(BgpConnection::INCOMING, {BgpSessionEvent::AUTOMATIC_START, nullptr, {}}, actions);
    return true;
}

void
BgpPeerSession::Handle(BgpConnection connection,
                       const BgpSessionInput& input,
                       BgpPeerActions& actions)
{
    const bool isOpen = input.event == BgpSessionEvent::OPEN_RECEIVED;
    if (!isOpen || Resolve(connection, *input.open, actions))
    {
        Pass(connection, input, actions);
    }
    TidyUp(actions);
}

BgpSessionState
BgpPeerSession::GetState() const
{
    return std::max(m_machines[0].GetState(), m_machines[1].GetState());
}

std::optional<BgpConnection>
BgpPeerSession::GetEstablished() const
{
    for (const auto connection : {BgpConnection::OUTGOING, BgpConnection::INCOMING})
    {
        if (Get(connection).GetState() == BgpSessionState::ESTABLISHED)
        {
            return connection;
        }
    }
    return std::nullopt;
}

void
BgpPeerSession::Pass(BgpConnection connection,
                     const BgpSessionInput& input,
                     BgpPeerActions& actions)
{
    BgpSessionActions own;
    m_machines[static_cast<std::size_t>(connection)].Handle(input, own);
    Append(connection, std::move(own), actions);
}

bool
BgpPeerSession::Resolve(BgpConnection connection, const BgpOpen& open, BgpPeerActions& actions)
{
    const BgpSessionState other = Get(GetOther(connection)).GetState();
    const BgpSessionSettings& settings = Get(connection).GetSettings();
    if (other < BgpSessionState::OPEN_CONFIRM || CheckBgpOpen(open, settings.open, settings.peerAs))
    {
        return true; // no collision, or an error that the machine answers
    }
    const std::pair own{settings.open.identifier, settings.open.GetAs()};
    const std::pair peer{open.identifier, open.GetAs()};
    const BgpConnection preferred = peer < own ? BgpConnection::OUTGOING : BgpConnection::INCOMING;
    const bool isKept = other != BgpSessionState::ESTABLISHED && preferred == connection;
    Pass(isKept ? GetOther(connection) : connection,
         {BgpSessionEvent::COLLISION_DUMP, nullptr, {}},
         actions);
    return isKept;
}

void
BgpPeerSession::TidyUp(BgpPeerActions& actions)
{
    const BgpSessionInput end{BgpSessionEvent::MANUAL_STOP,
                              nullptr,
                              BgpCease::CONNECTION_COLLISION_RESOLUTION};
    const auto established = GetEstablished();
    if (established && Get(GetOther(*established)).GetState() < BgpSessionState::OPEN_SENT)
    {
        // It has not sent OPEN, so the peer has not chosen it.
        Pass(GetOther(*established), end, actions);
    }
    const BgpSessionState incoming = Get(BgpConnection::INCOMING).GetState();
    if (incoming == BgpSessionState::CONNECT || incoming == BgpSessionState::ACTIVE)
    {
        Pass(BgpConnection::INCOMING, end, actions);
    }
    if (m_isStarted && GetState() == BgpSessionState::IDLE)
    {
        BgpSessionActions own;
        m_machines[0].HoldIdle(own);
        Append(BgpConnection::OUTGOING, std::move(own), actions);
    }
}

} // namespace ns3::aidc
