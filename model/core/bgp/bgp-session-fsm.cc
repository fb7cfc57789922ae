// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-session-fsm.h"

#include "../require-argument.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace ns3::aidc
{

/// Milliseconds in a second.
static constexpr uint32_t MS = 1000;

const char*
GetBgpSessionStateName(BgpSessionState state)
{
    static constexpr const char* NAMES[] =
        {"Idle", "Connect", "Active", "OpenSent", "OpenConfirm", "Established"};
    return NAMES[static_cast<std::size_t>(state)];
}

BgpSessionEvent
GetBgpExpiryEvent(BgpSessionTimer timer)
{
    static constexpr BgpSessionEvent EVENTS[] = {BgpSessionEvent::CONNECT_RETRY_EXPIRED,
                                                 BgpSessionEvent::HOLD_EXPIRED,
                                                 BgpSessionEvent::KEEPALIVE_EXPIRED,
                                                 BgpSessionEvent::IDLE_HOLD_EXPIRED};
    return EVENTS[static_cast<std::size_t>(timer)];
}

/// @return the type of message that an event is about, if it is about one
static std::optional<BgpMessageType>
GetMessageType(BgpSessionEvent event)
{
    switch (event)
    {
    case BgpSessionEvent::OPEN_RECEIVED:
    case BgpSessionEvent::OPEN_ERROR:
        return BgpMessageType::OPEN;
    case BgpSessionEvent::NOTIFICATION_RECEIVED:
        return BgpMessageType::NOTIFICATION;
    case BgpSessionEvent::KEEPALIVE_RECEIVED:
        return BgpMessageType::KEEPALIVE;
    case BgpSessionEvent::UPDATE_RECEIVED:
    case BgpSessionEvent::UPDATE_ERROR:
        return BgpMessageType::UPDATE;
    case BgpSessionEvent::ROUTE_REFRESH_RECEIVED:
        return BgpMessageType::ROUTE_REFRESH;
    default:
        return std::nullopt;
    }
}

/// @return the NOTIFICATION that an end by user or program has come with, else the usual one
static BgpNotification
GetCease(const BgpSessionInput& input)
{
    if (input.notification.code != 0)
    {
        return input.notification;
    }
    return input.event == BgpSessionEvent::MANUAL_STOP ? BgpCease::ADMINISTRATIVE_SHUTDOWN
                                                       : BgpCease::UNSPECIFIC;
}

BgpSessionFsm::BgpSessionFsm(std::shared_ptr<const BgpSessionSettings> settings)
    : m_settings(std::move(settings))
{
    AIDC_REQUIRE(m_settings->open.holdTime == 0 || m_settings->open.holdTime >= 3,
                 "hold time: expected 0 or at least 3 s, found " +
                     std::to_string(m_settings->open.holdTime));
}

void
BgpSessionFsm::Handle(const BgpSessionInput& input, BgpSessionActions& actions)
{
    m_actions = &actions;
    // Only a NOTIFICATION, or what has the same effect, says otherwise (RFC 4724, section 4.2).
    m_retains = m_terms.restart.isAgreed;
    for (const auto timer : {Timer::CONNECT_RETRY, Timer::HOLD, Timer::KEEPALIVE, Timer::IDLE_HOLD})
    {
        if (input.event == GetBgpExpiryEvent(timer))
        {
            Expire(timer);
        }
    }
    switch (m_state)
    {
    case State::IDLE:
        HandleIdle(input.event);
        break;
    case State::CONNECT:
    case State::ACTIVE:
        HandleBeforeOpen(input.event);
        break;
    case State::OPEN_SENT:
        HandleOpenSent(input);
        break;
    case State::OPEN_CONFIRM:
        HandleOpenConfirm(input);
        break;
    case State::ESTABLISHED:
        HandleEstablished(input);
        break;
    }
    m_actions = nullptr;
}

void
BgpSessionFsm::HoldIdle(BgpSessionActions& actions)
{
    if (m_state == State::IDLE && !IsRunning(Timer::IDLE_HOLD))
    {
        m_actions = &actions;
        StartTimer(Timer::IDLE_HOLD, m_settings->idleHoldTime, true);
        m_actions = nullptr;
    }
}

std::optional<BgpNotification>
BgpSessionFsm::TakeOpen(const BgpOpen& open)
{
    if (open.holdTime == 1 || open.holdTime == 2)
    {
        return BgpOpenError::UNACCEPTABLE_HOLD_TIME;
    }
    if (auto error = CheckBgpOpen(open, m_settings->open, m_settings->peerAs))
    {
        return error;
    }
    m_holdTime = std::min(m_settings->open.holdTime, open.holdTime); // section 4.2
    m_peerIdentifier = open.identifier;
    m_peerAs = open.GetAs();
    m_terms = NegotiateBgpSession(m_settings->open, open);
    return std::nullopt;
}

void
BgpSessionFsm::SendOpen()
{
    m_isOpen = true;
    StopTimer(Timer::CONNECT_RETRY);
    Do(BgpSessionActionType::SEND_OPEN);
    StartTimer(Timer::HOLD, m_settings->openHoldTime, false);
    m_state = State::OPEN_SENT;
}

void
BgpSessionFsm::Confirm()
{
    Do(BgpSessionActionType::SEND_KEEPALIVE);
    StopTimer(Timer::HOLD);
    RestartHold();
    RestartKeepalive();
    m_state = State::OPEN_CONFIRM;
}

void
BgpSessionFsm::RestartConnectRetry()
{
    if (!m_settings->isPassive)
    {
        StartTimer(Timer::CONNECT_RETRY, m_settings->connectRetryTime, true);
    }
}

void
BgpSessionFsm::RestartHold()
{
    if (m_holdTime > 0)
    {
        StartTimer(Timer::HOLD, m_holdTime * MS, false);
    }
}

void
BgpSessionFsm::RestartKeepalive()
{
    if (m_holdTime > 0)
    {
        const uint32_t third = m_holdTime * MS / 3;
        const uint32_t configured = m_settings->keepaliveTime;
        StartTimer(Timer::KEEPALIVE, configured > 0 ? std::min(configured, third) : third, true);
    }
}

void
BgpSessionFsm::Notify(BgpNotification notification)
{
    if (m_state == State::ESTABLISHED && m_terms.restart.keepsOnNotification)
    {
        notification = HardenBgpCease(std::move(notification));
    }
    m_retains = m_terms.restart.keepsOnNotification && !IsBgpHardReset(notification);
    Do(BgpSessionActionType::SEND_NOTIFICATION).notification = std::move(notification);
}

void
BgpSessionFsm::Fail(BgpNotification notification)
{
    Notify(std::move(notification));
    End();
}

void
BgpSessionFsm::End()
{
    Stop();
    if (m_settings->restarts)
    {
        StartTimer(Timer::IDLE_HOLD, m_settings->idleHoldTime, true);
    }
}

void
BgpSessionFsm::Stop()
{
    for (uint8_t timer = 0; timer < static_cast<uint8_t>(Timer::N_TIMERS); ++timer)
    {
        StopTimer(static_cast<Timer>(timer));
    }
    if (std::exchange(m_isOpen, false))
    {
        Do(BgpSessionActionType::CLOSE);
    }
    if (std::exchange(m_state, State::IDLE) == State::ESTABLISHED)
    {
        Do(BgpSessionActionType::SESSION_DOWN).retainsRoutes = m_retains;
    }
}

void
BgpSessionFsm::Connect()
{
    RestartConnectRetry();
    m_state = State::CONNECT;
    m_isOpen = true;
    Do(BgpSessionActionType::CONNECT);
}

BgpSessionAction&
BgpSessionFsm::Do(BgpSessionActionType type)
{
    BgpSessionAction& action = m_actions->emplace_back();
    action.type = type;
    return action;
}

void
BgpSessionFsm::StartTimer(Timer timer, uint32_t milliseconds, bool isJittered)
{
    m_timers |= static_cast<uint8_t>(1U << static_cast<uint8_t>(timer));
    BgpSessionAction& action = Do(BgpSessionActionType::START_TIMER);
    action.timer = timer;
    action.milliseconds = milliseconds;
    action.isJittered = isJittered;
}

void
BgpSessionFsm::StopTimer(Timer timer)
{
    if (IsRunning(timer))
    {
        Expire(timer);
        Do(BgpSessionActionType::STOP_TIMER).timer = timer;
    }
}

void
BgpSessionFsm::Expire(Timer timer)
{
    m_timers &= static_cast<uint8_t>(~(1U << static_cast<uint8_t>(timer)));
}

// How states handle events: RFC 4271, section 8.2.2

void
BgpSessionFsm::HandleIdle(Event event)
{
    switch (event)
    {
    case Event::MANUAL_START:
    case Event::AUTOMATIC_START:
    case Event::IDLE_HOLD_EXPIRED:
        StopTimer(Timer::IDLE_HOLD);
        if (m_settings->isPassive)
        {
            m_state = State::ACTIVE;
            break;
        }
        Connect();
        break;
    case Event::MANUAL_STOP:
        Stop();
        break;
    case Event::TCP_ACKNOWLEDGED:
    case Event::TCP_CONFIRMED:
        Do(BgpSessionActionType::CLOSE); // Idle takes no connection
        break;
    default:
        break;
    }
}

void
BgpSessionFsm::HandleBeforeOpen(Event event)
{
    switch (event)
    {
    case Event::MANUAL_START:
    case Event::AUTOMATIC_START:
    case Event::UPDATE_SENT:
        break;
    case Event::MANUAL_STOP:
        Stop();
        break;
    case Event::CONNECT_RETRY_EXPIRED:
        if (m_isOpen)
        {
            Do(BgpSessionActionType::CLOSE);
        }
        Connect();
        break;
    case Event::TCP_ACKNOWLEDGED:
    case Event::TCP_CONFIRMED:
        SendOpen();
        break;
    case Event::TCP_FAILED:
        m_isOpen = false;
        End();
        break;
    default:
        End();
        break;
    }
}

bool
BgpSessionFsm::HandleAfterOpen(const BgpSessionInput& input)
{
    switch (input.event)
    {
    case Event::MANUAL_START:
    case Event::AUTOMATIC_START:
    case Event::TCP_ACKNOWLEDGED: // another connection has another machine
    case Event::TCP_CONFIRMED:
        return true;
    case Event::MANUAL_STOP:
        Notify(GetCease(input));
        Stop();
        return true;
    case Event::AUTOMATIC_STOP:
        Fail(GetCease(input));
        return true;
    case Event::HOLD_EXPIRED:
        Fail(BgpErrorCode::HOLD_TIMER_EXPIRED);
        return true;
    case Event::HEADER_ERROR:
        Fail(input.notification);
        return true;
    case Event::COLLISION_DUMP:
        Fail(BgpCease::CONNECTION_COLLISION_RESOLUTION);
        return true;
    case Event::UPDATE_SENT:
        if (m_state == State::ESTABLISHED)
        {
            RestartKeepalive();
        }
        return true;
    default:
        return false;
    }
}

void
BgpSessionFsm::HandleOpenSent(const BgpSessionInput& input)
{
    if (HandleAfterOpen(input))
    {
        return;
    }
    switch (input.event)
    {
    case Event::TCP_FAILED:
        m_isOpen = false;
        StopTimer(Timer::HOLD);
        RestartConnectRetry();
        m_state = State::ACTIVE;
        break;
    case Event::OPEN_RECEIVED:
        if (const auto error = TakeOpen(*input.open))
        {
            Fail(*error);
        }
        else
        {
            Confirm();
        }
        break;
    case Event::OPEN_ERROR:
        Fail(input.notification);
        break;
    case Event::NOTIFICATION_RECEIVED:
        if (IsBgpVersionError(input.notification))
        {
            End();
            break;
        }
        [[fallthrough]];
    default:
        FailByEvent(input.event);
        break;
    }
}

bool
BgpSessionFsm::HandleAfterConfirm(const BgpSessionInput& input)
{
    switch (input.event)
    {
    case Event::KEEPALIVE_EXPIRED:
        Do(BgpSessionActionType::SEND_KEEPALIVE);
        RestartKeepalive();
        return true;
    case Event::TCP_FAILED:
        m_isOpen = false;
        End();
        return true;
    default:
        return HandleAfterOpen(input);
    }
}

void
BgpSessionFsm::HandleOpenConfirm(const BgpSessionInput& input)
{
    if (HandleAfterConfirm(input))
    {
        return;
    }
    switch (input.event)
    {
    case Event::NOTIFICATION_RECEIVED:
        End();
        break;
    case Event::OPEN_ERROR:
        Fail(input.notification);
        break;
    case Event::KEEPALIVE_RECEIVED:
        RestartHold();
        m_state = State::ESTABLISHED;
        Do(BgpSessionActionType::SESSION_UP);
        break;
    default:
        FailByEvent(input.event);
        break;
    }
}

void
BgpSessionFsm::HandleEstablished(const BgpSessionInput& input)
{
    if (HandleAfterConfirm(input))
    {
        return;
    }
    switch (input.event)
    {
    case Event::NOTIFICATION_RECEIVED:
        m_retains = m_terms.restart.keepsOnNotification && !IsBgpHardReset(input.notification);
        End();
        break;
    case Event::KEEPALIVE_RECEIVED:
    case Event::UPDATE_RECEIVED:
        RestartHold();
        break;
    case Event::ROUTE_REFRESH_RECEIVED: // the hold time is about other messages (section 6.5)
        break;
    case Event::UPDATE_ERROR:
        Fail(input.notification);
        break;
    case Event::SEND_HOLD_EXPIRED: // a NOTIFICATION would wait for the rest
        m_retains = m_terms.restart.keepsOnNotification;
        End();
        break;
    case Event::REPLACED:
        End();
        break;
    default:
        FailByEvent(input.event);
        break;
    }
}

void
BgpSessionFsm::FailByEvent(Event event)
{
    const auto type = GetMessageType(event);
    if (!type)
    {
        Fail(BgpStateError::UNSPECIFIC);
        return;
    }
    BgpBytes data{static_cast<uint8_t>(*type)};
    const auto subcode = m_state == State::OPEN_SENT      ? BgpStateError::IN_OPEN_SENT
                         : m_state == State::OPEN_CONFIRM ? BgpStateError::IN_OPEN_CONFIRM
                                                          : BgpStateError::IN_ESTABLISHED;
    Fail(BgpNotification(subcode, std::move(data)));
}

} // namespace ns3::aidc
