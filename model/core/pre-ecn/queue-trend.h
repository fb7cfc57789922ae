/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_QUEUE_TREND_H
#define AIDC_QUEUE_TREND_H

#include <cstdint>
#include <optional>

namespace ns3::aidc
{

/**
 * @brief Tells whether the average queue of a congested router is falling.
 *
 * A falling queue above the threshold still marks packets, although fewer packets arrive than
 * leave: the senders have already slowed down.
 *
 * The queue is falling if it is shorter than at an earlier look, one that is at least one and less
 * than three windows old. Without such a look, there were no marks for so long that congestion has
 * just begun.
 */
class QueueTrend
{
  public:
    /// Take a look at the average queue.
    /// @param now the time in ns, never less than before
    /// @param average the average queue in bytes
    /// @param window the least time to compare over, in ns, > 0
    /// @return whether it is falling
    bool IsFalling(int64_t now, double average, int64_t window)
    {
        if (!m_last || now - m_last->time >= window)
        {
            m_before = m_last;
            m_last = Look{now, average};
        }
        return m_before && (now - m_before->time) / 3 < window && average < m_before->average;
    }

  private:
    /// A look at the queue.
    struct Look
    {
        int64_t time;   //!< when, in ns
        double average; //!< the average queue in bytes
    };

    std::optional<Look> m_last;   //!< the last one that is kept
    std::optional<Look> m_before; //!< the one before, a window earlier or more
};

} // namespace ns3::aidc

#endif // AIDC_QUEUE_TREND_H
