/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_RETRANSMISSION_TIMER_H
#define AIDC_ROCE_RETRANSMISSION_TIMER_H

#include "../core/never.h"
#include "../core/transport/roce-requester.h"
#include "../core/transport/roce-timeout.h"
#include "../core/transport/vector-fifo.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace ns3::aidc
{

/**
 * @brief Measures how long the peer takes to answer a requester, and expires after the limit.
 *
 * RoceTimeout sets the limit. The timer has one event, which compares the time with the deadline
 * when it is due. So an acknowledgment or another packet sent does not move the event.
 */
class RoceRetransmissionTimer
{
  public:
    /// @param requester the requester, which outlives the timer
    /// @param timeout how long it waits; none to wait forever
    /// @param expire called when it has waited too long, with the time waited
    /// @param probe called before that, when a probe is due
    RoceRetransmissionTimer(const RoceRequester& requester,
                            const std::optional<RoceTimeout>& timeout,
                            std::function<void(Time)> expire,
                            std::function<void()> probe)
        : m_requester(requester),
          m_timeout(timeout),
          m_expire(std::move(expire)),
          m_probe(std::move(probe))
    {
    }

    ~RoceRetransmissionTimer()
    {
        m_event.Cancel();
    }

    // The event refers to this object.
    RoceRetransmissionTimer(const RoceRetransmissionTimer&) = delete;
    RoceRetransmissionTimer& operator=(const RoceRetransmissionTimer&) = delete;

    /// Start over if the peer owes an answer.
    void Restart()
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

    /// Stop waiting.
    void Cancel()
    {
        m_event.Cancel();
        m_due = NEVER;
    }

    /// Note a packet that asks for an acknowledgment and was not sent before. now: the time
    /// at which its transmission begins.
    void NotifySent(uint64_t sequence, Time now)
    {
        m_samples.Push({sequence, now});
    }

    /// Note that packets were acknowledged. @return the round-trip time of the newest of them,
    /// 0 if it was not measured
    Time NotifyProgress(Time now)
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

    /// Forget when packets were sent: a packet sent twice measures no round-trip time.
    void ForgetSamples()
    {
        m_samples.Clear();
    }

  private:
    /// A packet that has asked for an acknowledgment.
    struct Sample
    {
        uint64_t sequence{0}; //!< its number
        Time sent;            //!< when its transmission began
    };

    /// @return the deadline of the probe or, after it, of the timeout in time steps, given the
    ///         packets that are in flight now
    int64_t GetDeadline() const
    {
        const uint64_t nPackets = m_requester.GetPacketsInFlight();
        const int64_t probe = m_hasProbed ? 0 : m_timeout->GetProbe(nPackets);
        return m_since + NanoSeconds(probe > 0 ? probe : m_timeout->Get(nPackets)).GetTimeStep();
    }

    /// @param deadline when to call Check(), in time steps
    void Schedule(int64_t deadline)
    {
        m_due = deadline;
        m_event = Simulator::Schedule(TimeStep(deadline) - Simulator::Now(),
                                      &RoceRetransmissionTimer::Check,
                                      this);
    }

    /// Expire, if the deadline has come.
    void Check()
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

    const RoceRequester& m_requester;     //!< the requester
    std::optional<RoceTimeout> m_timeout; //!< how long it waits
    std::function<void(Time)> m_expire;   //!< called when it has waited too long
    std::function<void()> m_probe;        //!< called when a probe is due
    VectorFifo<Sample> m_samples;         //!< the packets to measure round-trip times with
    int64_t m_since{0};                   //!< start of the wait, time steps
    bool m_hasProbed{false};              //!< whether there was a probe since then
    int64_t m_due{NEVER};                 //!< when the event is due: at the deadline or before
    EventId m_event;                      //!< calls Check()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_RETRANSMISSION_TIMER_H
