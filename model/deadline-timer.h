// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_DEADLINE_TIMER_H
#define AIDC_DEADLINE_TIMER_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace ns3::aidc
{

/// A timer that is restarted far more often than it expires.
///
/// A restart only moves the deadline. The event stays scheduled; when it is due before the
/// deadline, it is scheduled again. So the simulator has one event of the timer, not one for each
/// start.
class DeadlineTimer
{
  public:
    /// Constructor of a timer that does not run. @param expire called when it expires
    explicit DeadlineTimer(std::function<void()> expire)
        : m_expire(std::move(expire))
    {
    }

    ~DeadlineTimer()
    {
        Cancel();
    }

    DeadlineTimer(const DeadlineTimer&) = delete;
    DeadlineTimer& operator=(const DeadlineTimer&) = delete;

    /// Start the timer, from the beginning if it runs. @param delay the time until it expires
    void Start(const Time& delay)
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

    /// Stop the timer if it runs.
    void Stop()
    {
        m_deadline = -1;
    }

    /// Make the timer expire now if it runs.
    void ExpireNow()
    {
        if (IsRunning())
        {
            Stop();
            m_expire();
        }
    }

    /// Stop the timer, and cancel its event.
    void Cancel()
    {
        Stop();
        m_event.Cancel();
    }

    /// @return whether the timer runs
    bool IsRunning() const
    {
        return m_deadline >= 0;
    }

  private:
    /// The event is due.
    void ComeUp()
    {
        const int64_t left = m_deadline - Simulator::Now().GetTimeStep();
        if (IsRunning() && left > 0)
        {
            m_event = Simulator::Schedule(TimeStep(left), &DeadlineTimer::ComeUp, this);
            return;
        }
        ExpireNow();
    }

    std::function<void()> m_expire; //!< is called
    int64_t m_deadline{-1};         //!< time steps, -1: it does not run
    EventId m_event;                //!< at the deadline or before
};

} // namespace ns3::aidc

#endif // AIDC_DEADLINE_TIMER_H
