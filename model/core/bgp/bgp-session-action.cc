/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-session-action.h"

#include <utility>

namespace ns3::aidc
{

void
BgpSessionActionWriter::Do(BgpSessionActionType type)
{
    m_actions->emplace_back().type = type;
}

void
BgpSessionActionWriter::EndSession(bool retainsRoutes)
{
    BgpSessionAction& action = m_actions->emplace_back();
    action.type = BgpSessionActionType::SESSION_DOWN;
    action.retainsRoutes = retainsRoutes;
}

void
BgpSessionActionWriter::Notify(BgpNotification notification)
{
    BgpSessionAction& action = m_actions->emplace_back();
    action.type = BgpSessionActionType::SEND_NOTIFICATION;
    action.notification = std::move(notification);
}

void
BgpSessionActionWriter::StartTimer(BgpSessionTimer timer, uint32_t milliseconds, bool isJittered)
{
    m_timers |= static_cast<uint8_t>(1U << static_cast<uint8_t>(timer));
    BgpSessionAction& action = m_actions->emplace_back();
    action.type = BgpSessionActionType::START_TIMER;
    action.timer = timer;
    action.milliseconds = milliseconds;
    action.isJittered = isJittered;
}

void
BgpSessionActionWriter::StopTimer(BgpSessionTimer timer)
{
    if (IsRunning(timer))
    {
        Expire(timer);
        BgpSessionAction& action = m_actions->emplace_back();
        action.type = BgpSessionActionType::STOP_TIMER;
        action.timer = timer;
    }
}

void
BgpSessionActionWriter::StopTimers()
{
    for (uint8_t timer = 0; timer < static_cast<uint8_t>(BgpSessionTimer::N_TIMERS); ++timer)
    {
        StopTimer(static_cast<BgpSessionTimer>(timer));
    }
}

} // namespace ns3::aidc
