/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-selective-repeat.h"

#include <algorithm>

namespace ns3::aidc
{

uint64_t
RoceSelectiveRepeat::FindMissing(const Range& range) const
{
    const uint64_t first = std::max(m_next, range.oldest);
    // The oldest packet counts as missing, even if it has arrived before: its receiver may not have
    // been ready for it.
    if (first < m_end && (first == range.oldest || m_hasArrived.empty()))
    {
        return first;
    }
    for (m_gap = std::max(m_gap, first); m_gap < m_end; ++m_gap)
    {
        if (!m_hasArrived[m_gap % m_maxPackets])
        {
            return m_gap;
        }
    }
    return range.end;
}

RoceSelectiveRepeat::Arrival
RoceSelectiveRepeat::NotifyArrival(uint64_t sequence, const Range& range)
{
    Arrival arrival;
    if (sequence <= range.oldest || sequence >= range.end ||
        sequence - range.oldest >= m_maxPackets)
    {
        return arrival;
    }
    if (m_hasArrived.empty())
    {
        m_hasArrived.resize(m_maxPackets);
    }
    arrival.isNew = !m_hasArrived[sequence % m_maxPackets];
    m_hasArrived[sequence % m_maxPackets] = true;
    m_hasNews = m_hasNews || arrival.isNew;
    m_hasProbe = m_hasProbe && sequence < m_recoveryEnd;
    if (sequence - range.oldest <= m_reorderWindow)
    {
        return arrival; // what is missing may still come
    }
    const uint64_t end = sequence - m_reorderWindow;
    if (!m_isRecovering)
    {
        arrival.isLoss = true;
        Begin(range);
    }
    else
    {
        // What is missing of the packets that were first sent meanwhile is repeated now, too: the
        // recovery is over when these repeats have arrived, so that nothing is repeated twice.
        uint64_t i = std::max(m_end, m_recoveryEnd + 1);
        while (i < end && m_hasArrived[i % m_maxPackets])
        {
            ++i;
        }
        if (i < end)
        {
            arrival.isLoss = true;
            m_recoveryEnd = range.end - 1;
        }
    }
    m_end = std::max(m_end, end);
    return arrival;
}

void
RoceSelectiveRepeat::HandleTimeout(const Range& range)
{
    if (!m_hasNews)
    {
        m_end = range.end;
    }
    Begin(range);
    m_hasProbe = m_recoveryEnd >= m_end;
}

void
RoceSelectiveRepeat::Begin(const Range& range)
{
    m_isRecovering = true;
    m_hasNews = false;
    m_hasProbe = false;
    m_recoveryEnd = range.end - 1;
    m_next = range.oldest;
    m_gap = range.oldest;
    m_end = std::max(m_end, range.oldest + 1);
}

void
RoceSelectiveRepeat::Forget()
{
    m_isRecovering = false;
    m_hasNews = false;
    m_hasProbe = false;
    m_gap = 0;
    m_end = 0;
    m_hasArrived.assign(m_hasArrived.size(), false);
}

} // namespace ns3::aidc
