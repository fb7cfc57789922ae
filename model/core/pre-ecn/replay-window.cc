/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "replay-window.h"

#include <algorithm>
#include <iterator>

namespace ns3::aidc
{

bool
ReplayWindow::Accept(uint64_t sequence, bool isAuthentic)
{
    if (!m_isEmpty && sequence <= m_largest && m_largest - sequence >= WIDTH)
    {
        if (isAuthentic)
        {
            return false;
        }
        *this = ReplayWindow();
    }
    if (m_isEmpty || sequence > m_largest)
    {
        const uint64_t from = m_isEmpty ? sequence / WORD : m_largest / WORD + 1;
        const uint64_t to = sequence / WORD;
        // Numbers that come into the window; a far jump clears the whole ring.
        for (uint64_t word = from; word <= to && word - from < WORDS; ++word)
        {
            m_seen[word % WORDS] = 0;
        }
        m_largest = sequence;
        m_isEmpty = false;
    }
    uint64_t& word = m_seen[sequence / WORD % WORDS];
    const uint64_t bit = uint64_t{1} << (sequence % WORD);
    const bool isNew = (word & bit) == 0;
    word |= bit;
    return isNew;
}

void
ReplayWindows::SetLimits(std::size_t maxSenders, int64_t maxAge)
{
    m_maxSenders = maxSenders;
    m_maxAge = maxAge;
}

ReplayWindows::Verdict
ReplayWindows::Accept(uint32_t sender,
                      uint64_t sequence,
                      int64_t time,
                      int64_t now,
                      bool isAuthentic)
{
    auto found = m_senders.find(sender);
    if (found == m_senders.end())
    {
        for (auto old = m_senders.begin();
             m_senders.size() >= m_maxSenders && m_maxAge > 0 && old != m_senders.end();)
        {
            old = now - old->second.newest > m_maxAge ? m_senders.erase(old) : std::next(old);
        }
        if (m_senders.size() >= m_maxSenders)
        {
            return Verdict::NO_ROOM;
        }
        found = m_senders.emplace(sender, Sender{{}, time}).first;
    }
    auto& [window, newest] = found->second;
    if (!window.Accept(sequence, isAuthentic))
    {
        return Verdict::REPLAYED;
    }
    newest = std::max(newest, time);
    return Verdict::FRESH;
}

} // namespace ns3::aidc
