/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-nic-port.h"

#include "ns3/roce-psn.h"
#include "ns3/simulator.h"

#include <utility>

/**
 * @file
 * @ingroup aidc
 * What a RoceNicPort does when time passes without packets: retransmission timers, pauses.
 */

namespace ns3::aidc
{

int64_t
RoceNicPort::GetDeadline(const RoceQueuePair& pair)
{
    const Time timeout = NanoSeconds(pair.timeout->Get(pair.requester.GetPacketsInFlight()));
    return pair.waitingSince + timeout.GetTimeStep();
}

void
RoceNicPort::RestartTimer(RoceQueuePair& pair)
{
    if (!pair.timeout || !pair.requester.HasOutstanding())
    {
        return;
    }
    pair.waitingSince = Simulator::Now().GetTimeStep();
    const int64_t deadline = GetDeadline(pair);
    // The event looks at the deadline, so that it need not be moved with each acknowledgment, nor
    // when more packets are sent.
    if (pair.timerTime >= 0)
    {
        if (pair.timerTime <= deadline)
        {
            return;
        }
        pair.timer.Cancel();
    }
    ScheduleTimer(pair, deadline);
}

void
RoceNicPort::ScheduleTimer(RoceQueuePair& pair, int64_t deadline)
{
    pair.timerTime = deadline;
    pair.timer = Simulator::Schedule(TimeStep(deadline) - Simulator::Now(),
                                     &RoceNicPort::HandleTimer,
                                     this,
                                     &pair);
}

void
RoceNicPort::HandleTimer(RoceQueuePair* pair)
{
    pair->timerTime = -1;
    if (!m_settings || !pair->requester.HasOutstanding())
    {
        return;
    }
    const Time now = Simulator::Now();
    if (const int64_t deadline = GetDeadline(*pair); deadline > now.GetTimeStep())
    {
        ScheduleTimer(*pair, deadline);
        return;
    }
    ++m_settings->counted.timeouts;
    pair->waits.retransmission +=
        static_cast<double>((now - TimeStep(pair->waitingSince)).GetNanoSeconds());
    (*m_settings->retransmission)(
        pair->connection.localQp,
        static_cast<uint32_t>(pair->requester.GetUnacknowledged() & PSN_MASK),
        true);
    pair->timeout->NotifyTimeout(pair->requester.GetNext());
    pair->requester.HandleTimeout(pair->completions);
    pair->ForgetSamples();
    if (pair->requester.HasFailed())
    {
        NoteError(*pair);
    }
    else
    {
        pair->control->NotifyLoss(now, true);
        RestartTimer(*pair);
    }
    Activate(*pair);
    Report(*pair);
}

void
RoceNicPort::Report(RoceQueuePair& pair)
{
    // What is called back may have more reported.
    while (!pair.completions.empty() || !pair.deliveries.empty())
    {
        const auto ended = std::exchange(pair.completions, {});
        const auto arrived = std::exchange(pair.deliveries, {});
        for (const auto& delivery : arrived)
        {
            if (!pair.deliverySink.IsNull())
            {
                pair.deliverySink(pair.connection.localQp, delivery);
            }
        }
        for (const auto& completion : ended)
        {
            (*m_settings->completion)(pair.connection.localQp, completion);
            if (!pair.completionSink.IsNull())
            {
                pair.completionSink(pair.connection.localQp, completion);
            }
        }
    }
}

void
RoceNicPort::NoteError(const RoceQueuePair& pair)
{
    ++m_settings->counted.errors;
    (*m_settings->state)(pair.connection.localQp, RoceQpState::ERROR);
}

void
RoceNicPort::Clear()
{
    m_wake.Cancel();
    m_wakeTime = NEVER;
    m_controlClasses = m_dataClasses = 0;
    for (auto& trafficClass : m_classes)
    {
        trafficClass.control.Clear();
        trafficClass.first = trafficClass.last = nullptr;
    }
    while (!m_paced.IsEmpty())
    {
        m_paced.Pop();
    }
}

// Pauses

uint32_t
RoceNicPort::GetNClasses() const
{
    return N_CLASSES;
}

void
RoceNicPort::SetPaused(uint32_t index, bool paused)
{
    Class& trafficClass = m_classes[index];
    if (paused == (trafficClass.pausedSince >= 0))
    {
        return;
    }
    const auto now = static_cast<double>(Simulator::Now().GetNanoSeconds());
    trafficClass.paused = GetPaused(trafficClass, now);
    trafficClass.pausedSince = paused ? now : NEVER;
    m_pausedClasses ^= 1U << index;
    (*m_settings->pause)(m_device->GetIfIndex(), index, paused);
    if (!paused && HasFrame())
    {
        m_device->RequestFrame();
    }
}

void
RoceNicPort::SetDiscarding(uint32_t, bool)
{
    // Nothing waits here that could be dropped: packets are made when they are sent.
}

bool
RoceNicPort::IsWaiting(uint32_t index) const
{
    return (((m_controlClasses | m_dataClasses) >> index) & 1U) != 0;
}

uint64_t
RoceNicPort::GetSent(uint32_t index) const
{
    return m_classes[index].sent;
}

} // namespace ns3::aidc
