/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-retransmission-timer.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::aidc
{

RoceRetransmissionTimer::RoceRetransmissionTimer(const RoceRequester& requester,
                                                 const std::optional<RoceTimeout>& timeout,
                                                 std::function<void(Time)> expire,
                                                 std::function<void()> probe)
    : m_requester(requester),
      m_timeout(timeout),
      m_expire(std::move(expire)),
      m_probe(std::move(probe))
{
}

RoceRetransmissionTimer::~RoceRetransmissionTimer()
{
    m_event.Cancel();
}

int64_t
RoceRetransmissionTimer::GetDeadline() const
{
    const uint64_t nPackets = m_requester.GetPacketsInFlight();
    const int64_t probe = m_hasProbed ? 0 : m_timeout->GetProbe(nPackets);
    return m_since + NanoSeconds(probe > 0 ? probe : m_timeout->Get(nPackets)).GetTimeStep();
}

void
RoceRetransmissionTimer::Restart()
{
    if (!m_timeout || !m_requester.HasOutstanding())
    {
        return;
    }
    m_since = Simulator::Now().GetTimeStep();
    m_hasProbed = false;
    const int64_t deadline = GetDeadline();
    if (m_due <= deadline)
    {
        return; // the event looks again
    }
    if (m_due < NEVER)
    {
        m_event.Cancel();
    }
    Schedule(deadline);
}

void
RoceRetransmissionTimer::Cancel()
{
    m_event.Cancel();
    m_due = NEVER;
}

Time
RoceRetransmissionTimer::NotifyProgress(Time now)
{
    Time rtt;
    while (!m_samples.IsEmpty() && m_samples[0].sequence < m_requester.GetUnacknowledged())
    {
        rtt = now - m_samples[0].sent;
        m_samples.Pop();
    }
    if (m_timeout)
    {
        if (rtt.IsStrictlyPositive())
        {
            m_timeout->NotifyRtt(rtt.GetNanoSeconds());
        }
        m_timeout->NotifyProgress(m_requester.GetUnacknowledged());
    }
    return rtt;
}

void
RoceRetransmissionTimer::Schedule(int64_t deadline)
{
    m_due = deadline;
    m_event = Simulator::Schedule(TimeStep(deadline) - Simulator::Now(),
                                  &RoceRetransmissionTimer::Check,
                                  this);
}

void
RoceRetransmissionTimer::Check()
{
    m_due = NEVER;
    if (!m_requester.HasOutstanding())
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    if (const int64_t deadline = GetDeadline(); deadline > now)
    {
        Schedule(deadline);
        return;
    }
    if (!m_hasProbed && m_timeout->GetProbe(m_requester.GetPacketsInFlight()) > 0)
    {
        m_hasProbed = true;
        Schedule(GetDeadline());
        m_probe();
        return;
    }
    m_timeout->NotifyTimeout(m_requester.GetNext());
    m_expire(TimeStep(now - m_since));
}

} // namespace ns3::aidc
