/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-requester.h"

namespace ns3::aidc
{

std::optional<uint8_t>
CsigRequester::NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end)
{
    if (m_capability == CsigCapability::NOT_CAPABLE)
    {
        if (now - m_stopTime < plan.retryInterval)
        {
            return std::nullopt;
        }
        m_capability = CsigCapability::UNKNOWN;
        m_strikes = plan.patience - 1; // one more strike is enough
        m_untagged = 0;
    }
    if (m_untagged > 0)
    {
        --m_untagged;
        return std::nullopt;
    }
    m_untagged = plan.period - 1;
    if (!m_isWatching)
    {
        m_isWatching = true;
        m_watchedEnd = end;
        m_watchedTime = now;
    }
    m_turn %= plan.types.size();
    return plan.types[m_turn++];
}

void
CsigRequester::NoteSignal(const CsigFields& fields, int64_t now)
{
    m_signals[fields.type] = {fields, now};
    m_known = static_cast<uint16_t>(m_known | 1U << fields.type);
    m_capability = CsigCapability::CAPABLE;
    m_isWatching = false;
    m_strikes = 0;
}

void
CsigRequester::NoteEmpty(const CsigRequestPlan& plan,
                         int64_t now,
                         std::optional<uint32_t> acknowledged)
{
    // Positions wrap around, as TCP's sequence numbers do.
    const bool isAnswer = acknowledged ? static_cast<int32_t>(*acknowledged - m_watchedEnd) >= 0
                                       : now - m_watchedTime >= plan.reflectionDelay;
    if (!m_isWatching || !isAnswer)
    {
        return;
    }
    m_isWatching = false;
    if (++m_strikes >= plan.patience)
    {
        m_capability = CsigCapability::NOT_CAPABLE;
        m_stopTime = now;
    }
}

const CsigRequester::Signal*
CsigRequester::GetSignal(uint8_t type) const
{
    return type < m_signals.size() && (m_known >> type & 1) != 0 ? &m_signals[type] : nullptr;
}

CsigCapability
CsigRequester::GetCapability() const
{
    return m_capability;
}

} // namespace ns3::aidc
