/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_WAITS_H
#define AIDC_ROCE_WAITS_H

#include "../core/never.h"
#include "roce-nic-statistics.h"

namespace ns3::aidc
{

/**
 * @brief Keeps how long a queue pair has waited, in all and at once; times are in ns.
 *
 * Pauses of its class and waits for its rate are known elsewhere, and given as sums so far.
 */
class RoceWaits
{
  public:
    /// The window has closed, or is still closed. @param now the time
    void NotifyBlocked(double now)
    {
        m_blockedSince = m_blockedSince == NEVER_DOUBLE ? now : m_blockedSince;
    }

    /// A packet may be sent. @param now the time
    void NotifyReady(double now)
    {
        m_waits.window += m_blockedSince == NEVER_DOUBLE ? 0 : now - m_blockedSince;
        m_blockedSince = NEVER_DOUBLE;
    }

    /// @param duration how long a timeout, or the transmission of a repeat, has taken
    void AddRetransmission(double duration)
    {
        m_waits.retransmission += duration;
    }

    /// A packet of data is sent, which ends all waits. pause: the time in pause so far; rate: the
    /// waits for the rate so far.
    void NotifySent(double now, double pause, double rate)
    {
        const RoceWaitTimes before = m_known;
        m_known = Get(pause, rate);
        const auto note = [now](double waited, RoceLongestWait& longest) {
            if (waited > longest.length)
            {
                longest = {now - waited, waited};
            }
        };
        note(m_known.pause - before.pause, m_longest.pause);
        note(m_known.rate - before.rate, m_longest.rate);
        note(m_known.window - before.window, m_longest.window);
        note(m_known.retransmission - before.retransmission, m_longest.retransmission);
    }

    /// pause: the time in pause so far; rate: the waits for the rate so far. @return all waits so
    /// far
    RoceWaitTimes Get(double pause, double rate) const
    {
        RoceWaitTimes waits = m_waits;
        waits.pause = pause;
        waits.rate = rate;
        return waits;
    }

    /// @return the longest wait for each cause
    const RoceLongestWaits& GetLongest() const
    {
        return m_longest;
    }

  private:
    RoceWaitTimes m_waits;               //!< for the window and for retransmissions
    RoceWaitTimes m_known;               //!< all waits, at the last packet of data
    RoceLongestWaits m_longest;          //!< GetLongest()
    double m_blockedSince{NEVER_DOUBLE}; //!< since when the window is closed
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_WAITS_H
