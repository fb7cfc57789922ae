/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-adj-rib-out.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::aidc
{

void
BgpAdjRibOut::Compare(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes)
{
    const bool differs = number < m_told.size() ? m_told[number] != wanted : wanted != nullptr;
    if (number >= m_isPending.size())
    {
        if (!differs)
        {
            return;
        }
        m_isPending.resize(nPrefixes);
    }
    if (differs == m_isPending[number])
    {
        return;
    }
    m_isPending[number] = differs;
    if (!differs)
    {
        --m_nPending;
        return;
    }
    if (m_pending.size() > 2 * std::size_t{m_nPending} + 64)
    {
        // Most are not pending any more: routes that flap must not fill the memory.
        std::vector<bool> isOpen = m_isPending;
        m_pending.erase(std::remove_if(m_pending.begin(),
                                       m_pending.end(),
                                       [&isOpen](uint32_t other) {
                                           const bool isKept = isOpen[other];
                                           isOpen[other] = false;
                                           return !isKept;
                                       }),
                        m_pending.end());
    }
    ++m_nPending;
    m_pending.push_back(number);
}

std::vector<uint32_t>
BgpAdjRibOut::TakePending()
{
    std::vector<uint32_t> pending = std::exchange(m_pending, {});
    pending.erase(std::remove_if(pending.begin(),
                                 pending.end(),
                                 [this](uint32_t number) {
                                     const bool isPending = m_isPending[number];
                                     m_isPending[number] = false;
                                     return !isPending;
                                 }),
                  pending.end());
    m_nPending = 0;
    return pending;
}

int
BgpAdjRibOut::Tell(uint32_t number, const BgpSharedAttributes& wanted, std::size_t nPrefixes)
{
    if (number >= m_told.size())
    {
        m_told.resize(nPrefixes);
    }
    BgpSharedAttributes& last = m_told[number];
    const int change = (wanted ? 1 : 0) - (last ? 1 : 0);
    m_nTold += static_cast<uint32_t>(change);
    last = wanted;
    return change;
}

std::vector<uint32_t>
BgpAdjRibOut::MakeStale()
{
    static const BgpSharedAttributes STALE = std::make_shared<const BgpPathAttributes>();
    std::vector<uint32_t> numbers;
    for (uint32_t number = 0; number < m_told.size(); ++number)
    {
        if (m_told[number])
        {
            m_told[number] = STALE;
            numbers.push_back(number);
        }
    }
    return numbers;
}

std::size_t
BgpAdjRibOut::GetMemorySize() const
{
    return m_told.capacity() * sizeof(BgpSharedAttributes) + m_isPending.capacity() / 8 +
           m_pending.capacity() * sizeof(uint32_t);
}

} // namespace ns3::aidc
