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
 * @ingroup aidc
 * @brief Tells whether the average queue of a congested router is falling.
 *
 * Packets of a falling queue are marked as long as it is above the threshold, though fewer packets
 * arrive than leave: the senders have slowed down already.
 *
 * It is falling if it is shorter than at the last look that is a window old or more, and less than
 * three. If there was none, there were no marks for so long: congestion has just begun.
 */
class QueueTrend
{
  public:
    /// Look at the average queue.
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
