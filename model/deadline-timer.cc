/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "deadline-timer.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::aidc
{

DeadlineTimer::DeadlineTimer(std::function<void()> expire)
    : m_expire(std::move(expire))
{
}

DeadlineTimer::~DeadlineTimer()
{
    Cancel();
}

void
DeadlineTimer::Start(const Time& delay)
{
    m_deadline = (Simulator::Now() + delay).GetTimeStep();
    if (!m_event.IsExpired())
    {
        if (static_cast<int64_t>(m_event.GetTs()) <= m_deadline)
        {
            return;
        }
        m_event.Cancel();
    }
    m_event = Simulator::Schedule(delay, &DeadlineTimer::ComeUp, this);
}

void
DeadlineTimer::ExpireNow()
{
    if (IsRunning())
    {
        Stop();
        m_expire();
    }
}

void
DeadlineTimer::Cancel()
{
    Stop();
    m_event.Cancel();
}

void
DeadlineTimer::ComeUp()
{
    const int64_t left = m_deadline - Simulator::Now().GetTimeStep();
    if (IsRunning() && left > 0)
    {
        m_event = Simulator::Schedule(TimeStep(left), &DeadlineTimer::ComeUp, this);
        return;
    }
    ExpireNow();
}

} // namespace ns3::aidc
