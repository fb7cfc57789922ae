/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_INTERVAL_PEAK_H
#define AIDC_INTERVAL_PEAK_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The largest value of the last whole interval: a timer that reads and clears a register.
 *
 * Intervals begin at multiples of their length. It needs no events: each call first does what a
 * timer would have done since the last call.
 */
class IntervalPeak
{
  public:
    /// Constructor. @param interval the length of an interval in ns, above 0
    explicit IntervalPeak(int64_t interval)
        : m_interval(interval),
          m_end(interval)
    {
    }

    /// Note a value. now: the time in ns, at least 0 and that of the last call.
    void Note(int64_t now, uint64_t value)
    {
        Advance(now);
        m_current = std::max(m_current, value);
    }

    /// Get the largest value of the last interval that has ended. @param now the time in ns, at
    /// least 0 and that of the last call @return the value; 0 if there was none in it
    uint64_t Get(int64_t now)
    {
        Advance(now);
        return m_last;
    }

  private:
    /// End the intervals that have passed. @param now the time in ns
    void Advance(int64_t now)
    {
        if (now < m_end)
        {
            return;
        }
        const int64_t passed = (now - m_end) / m_interval; // whole intervals after the current one
        m_last = passed == 0 ? m_current : 0;
        m_current = 0;
        m_end += (passed + 1) * m_interval;
    }

    int64_t m_interval;    //!< the length of an interval in ns
    int64_t m_end;         //!< when the current interval ends, in ns
    uint64_t m_current{0}; //!< the largest value of the current interval
    uint64_t m_last{0};    //!< the largest value of the interval before it
};

} // namespace ns3::aidc

#endif // AIDC_INTERVAL_PEAK_H
