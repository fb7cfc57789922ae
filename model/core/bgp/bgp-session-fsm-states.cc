/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-message.h"
#include "bgp-session-fsm.h"

#include <optional>
#include <utility>

// What the states do with events: RFC 4271, section 8.2.2.

namespace ns3::aidc
{

/**
 * @brief Get the type of the message that an event is about.
 * @param event the event
 * @return the type, if it is about a message
 */
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

/**
 * @brief Say whether a NOTIFICATION is about the version: event 24.
 * @param notification the NOTIFICATION
 * @return whether it is
 */
static bool
IsVersionError(const BgpNotification& notification)
{
    return notification.code == static_cast<uint8_t>(BgpErrorCode::OPEN_MESSAGE) &&
           notification.subcode == static_cast<uint8_t>(BgpOpenError::UNSUPPORTED_VERSION);
}

/**
 * @brief Get what the end of a session by user or program says.
 * @param input the event
 * @return the NOTIFICATION that has come with it, else the usual one
 */
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

void
BgpSessionFsm::HandleIdle(Event event)
{
    switch (event)
    {
    case Event::MANUAL_START:
        m_connectRetryCounter = 0;
        [[fallthrough]];
    case Event::AUTOMATIC_START:
    case Event::IDLE_HOLD_EXPIRED:
        StopTimer(Timer::IDLE_HOLD);
        if (m_settings->isPassive)
        {
            m_state = State::ACTIVE;
            break;
        }
        RestartConnectRetry();
        m_state = State::CONNECT;
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
BgpSessionFsm::HandleBeforeOpen(const BgpSessionInput& input)
{
    const bool waitsForOpen = IsRunning(Timer::DELAY_OPEN);
    switch (input.event)
    {
    case Event::MANUAL_START:
    case Event::AUTOMATIC_START:
    case Event::UPDATE_SENT:
        break;
    case Event::MANUAL_STOP:
        if (m_state == State::ACTIVE && waitsForOpen && m_settings->notifiesBeforeOpen)
        {
            Notify(GetCease(input));
        }
        Stop();
        break;
    case Event::CONNECT_RETRY_EXPIRED:
        if (m_isConnecting || m_isConnected)
        {
            Do(BgpSessionActionType::CLOSE);
            m_isConnected = false;
        }
        StopTimer(Timer::DELAY_OPEN);
        RestartConnectRetry();
        m_state = State::CONNECT;
        Connect();
        break;
    case Event::DELAY_OPEN_EXPIRED:
        if (!waitsForOpen) // it has been stopped: there is no connection to send on
        {
            break;
        }
        m_timers &= ~(1U << static_cast<uint8_t>(Timer::DELAY_OPEN));
        SendOpen();
        break;
    case Event::TCP_ACKNOWLEDGED:
    case Event::TCP_CONFIRMED:
        BeginConnection();
        break;
    case Event::TCP_FAILED:
        m_isConnected = false;
        m_isConnecting = false;
        if (m_state == State::CONNECT && waitsForOpen)
        {
            StopTimer(Timer::DELAY_OPEN);
            RestartConnectRetry();
            m_state = State::ACTIVE;
            break;
        }
        End(m_state == State::ACTIVE);
        break;
    case Event::OPEN_RECEIVED:
        if (!waitsForOpen)
        {
            End();
        }
        else if (const auto error = TakeOpen(*input.open)) // event 22
        {
            if (m_settings->notifiesBeforeOpen)
            {
                Notify(*error);
            }
            End();
        }
        else
        {
            SendOpen();
            Confirm();
        }
        break;
    case Event::HEADER_ERROR:
    case Event::OPEN_ERROR:
        if (m_settings->notifiesBeforeOpen && m_isConnected)
        {
            Notify(input.notification);
        }
        End();
        break;
    case Event::NOTIFICATION_RECEIVED:
        End(!(waitsForOpen && IsVersionError(input.notification)));
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
        m_isConnected = false;
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
        if (IsVersionError(input.notification))
        {
            End(false);
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
        m_isConnected = false;
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
        End(!IsVersionError(input.notification));
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
    case Event::SEND_HOLD_EXPIRED: // a NOTIFICATION would wait behind the rest
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
