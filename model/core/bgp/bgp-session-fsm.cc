/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-session-fsm.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
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

uint16_t
NegotiateBgpHoldTime(uint16_t own, uint16_t peer)
{
    return std::min(own, peer);
}

BgpSessionFsm::BgpSessionFsm(std::shared_ptr<const BgpSessionSettings> settings)
    : m_settings(std::move(settings))
{
    if (m_settings->open.holdTime == 1 || m_settings->open.holdTime == 2)
    {
        throw std::invalid_argument("hold time: expected 0 or at least 3 s, found " +
                                    std::to_string(m_settings->open.holdTime));
    }
}

void
BgpSessionFsm::Handle(const BgpSessionInput& input, BgpSessionActions& actions)
{
    m_actions = &actions;
    switch (input.event) // a timer that has expired does not run
    {
    case Event::CONNECT_RETRY_EXPIRED:
        m_timers &= ~(1U << static_cast<uint8_t>(Timer::CONNECT_RETRY));
        break;
    case Event::HOLD_EXPIRED:
        m_timers &= ~(1U << static_cast<uint8_t>(Timer::HOLD));
        break;
    case Event::KEEPALIVE_EXPIRED:
        m_timers &= ~(1U << static_cast<uint8_t>(Timer::KEEPALIVE));
        break;
    case Event::IDLE_HOLD_EXPIRED:
        m_timers &= ~(1U << static_cast<uint8_t>(Timer::IDLE_HOLD));
        break;
    default: // DELAY_OPEN_EXPIRED needs to know whether the timer has been running
        break;
    }
    switch (m_state)
    {
    case State::IDLE:
        HandleIdle(input.event);
        break;
    case State::CONNECT:
    case State::ACTIVE:
        HandleBeforeOpen(input);
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
    m_holdTime = NegotiateBgpHoldTime(m_settings->open.holdTime, open.holdTime);
    m_peerIdentifier = open.identifier;
    m_peerAs = open.GetAs();
    m_options = NegotiateBgpSession(m_settings->open, open);
    return std::nullopt;
}

void
BgpSessionFsm::BeginConnection()
{
    if (m_isConnected)
    {
        return; // another connection has another machine
    }
    m_isConnected = true;
    m_isConnecting = false;
    StopTimer(Timer::CONNECT_RETRY);
    if (m_settings->delayOpenTime > 0)
    {
        StartTimer(Timer::DELAY_OPEN, m_settings->delayOpenTime, false);
        return;
    }
    SendOpen();
}

void
BgpSessionFsm::SendOpen()
{
    StopTimer(Timer::CONNECT_RETRY);
    StopTimer(Timer::DELAY_OPEN);
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
BgpSessionFsm::Fail(BgpNotification notification)
{
    Notify(std::move(notification));
    End();
}

void
BgpSessionFsm::End(bool isCounted)
{
    Release();
    m_connectRetryCounter += isCounted ? 1 : 0;
    if (m_settings->restarts)
    {
        StartTimer(Timer::IDLE_HOLD, m_settings->idleHoldTime, true);
    }
}

void
BgpSessionFsm::Stop()
{
    Release();
    m_connectRetryCounter = 0;
}

void
BgpSessionFsm::Release()
{
    for (uint8_t timer = 0; timer < static_cast<uint8_t>(Timer::N_TIMERS); ++timer)
    {
        StopTimer(static_cast<Timer>(timer));
    }
    if (m_isConnected || m_isConnecting)
    {
        Do(BgpSessionActionType::CLOSE);
    }
    m_isConnected = false;
    m_isConnecting = false;
    const bool wasUp = m_state == State::ESTABLISHED;
    m_state = State::IDLE;
    if (wasUp)
    {
        Do(BgpSessionActionType::SESSION_DOWN);
    }
}

void
BgpSessionFsm::Connect()
{
    m_isConnecting = true;
    Do(BgpSessionActionType::CONNECT);
}

void
BgpSessionFsm::Do(BgpSessionActionType type)
{
    BgpSessionAction action;
    action.type = type;
    m_actions->push_back(std::move(action));
}

void
BgpSessionFsm::Notify(BgpNotification notification)
{
    BgpSessionAction action;
    action.type = BgpSessionActionType::SEND_NOTIFICATION;
    action.notification = std::move(notification);
    m_actions->push_back(std::move(action));
}

void
BgpSessionFsm::StartTimer(Timer timer, uint32_t milliseconds, bool isJittered)
{
    m_timers |= static_cast<uint8_t>(1U << static_cast<uint8_t>(timer));
    BgpSessionAction action;
    action.type = BgpSessionActionType::START_TIMER;
    action.timer = timer;
    action.milliseconds = milliseconds;
    action.isJittered = isJittered;
    m_actions->push_back(std::move(action));
}

void
BgpSessionFsm::StopTimer(Timer timer)
{
    if (!IsRunning(timer))
    {
        return;
    }
    m_timers &= static_cast<uint8_t>(~(1U << static_cast<uint8_t>(timer)));
    BgpSessionAction action;
    action.type = BgpSessionActionType::STOP_TIMER;
    action.timer = timer;
    m_actions->push_back(std::move(action));
}

} // namespace ns3::aidc
