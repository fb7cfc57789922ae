/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-watchdog.h"

namespace ns3::aidc
{

void
PauseWatchdog::SetTimes(int64_t detection, int64_t restoration)
{
    m_detection = detection;
    m_restoration = restoration;
}

PauseWatchdogEvent
PauseWatchdog::Observe(int64_t now, const PausedQueueView& view)
{
    const bool progress = view.sent != m_sent || view.waiting != m_waiting;
    m_sent = view.sent;
    m_waiting = view.waiting;
    // What must last: without a storm, the pause; in a storm, that there is none.
    const bool lasting = view.paused != m_stormed;
    if (!lasting)
    {
        m_since = NEVER;
        return PauseWatchdogEvent::NONE;
    }
    if (m_since == NEVER || (!m_stormed && progress))
    {
        m_since = now;
        return PauseWatchdogEvent::NONE;
    }
    if (now < GetDeadline())
    {
        return PauseWatchdogEvent::NONE;
    }
    if (!m_stormed && !view.waiting)
    {
        m_since = now; // nothing is stopped; look again
        return PauseWatchdogEvent::NONE;
    }
    m_stormed = !m_stormed;
    // After a storm is found, the peer is pausing; after one is over, it is not.
    m_since = NEVER;
    return m_stormed ? PauseWatchdogEvent::STORM : PauseWatchdogEvent::RESTORED;
}

int64_t
PauseWatchdog::GetDeadline() const
{
    if (m_since == NEVER)
    {
        return NEVER;
    }
    return m_since + (m_stormed ? m_restoration : m_detection);
}

} // namespace ns3::aidc
