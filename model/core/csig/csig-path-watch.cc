/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-path-watch.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// So often the interval between trials in vain doubles at most.
constexpr uint32_t MAX_DOUBLINGS = 10;

/// Compare positions, which wrap around as TCP's sequence numbers do. @return how far a is behind
/// b, negative if it is before
int32_t
Distance(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b);
}

} // namespace

CsigPathWatch::CsigPathWatch(uint8_t type)
    : m_type(type)
{
}

bool
CsigPathWatch::IsDue(const CsigRequestPlan& plan, int64_t now) const
{
    if (m_capability == CsigCapability::NOT_CAPABLE)
    {
        return (now - m_stopTime) >> m_vainTrials >= plan.retryInterval;
    }
    return !m_isSilent || !m_isWatching;
}

void
CsigPathWatch::NoteRequest(const CsigRequestPlan& plan, int64_t now, uint32_t end)
{
    if (m_capability == CsigCapability::NOT_CAPABLE)
    {
        m_capability = CsigCapability::UNKNOWN;
        m_strikes = plan.patience - 1; // one more strike is enough
        m_vainTrials = std::min(m_vainTrials + (m_isSilent ? 1 : 0), MAX_DOUBLINGS);
    }
    if (!m_isWatching)
    {
        m_isWatching = true;
        m_watchedEnd = end;
        m_watchedTime = now;
        m_others = 0;
    }
}

void
CsigPathWatch::NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end)
{
    const auto left = Distance(end, m_watchedEnd);
    if (m_isWatching && left >= 0 && static_cast<uint32_t>(left) < std::max(size, 1U))
    {
        Strike(plan, now, true);
    }
}

void
CsigPathWatch::NoteSignal()
{
    m_capability = CsigCapability::CAPABLE;
    m_isWatching = false;
    m_isSilent = false;
    m_strikes = 0;
    m_vainTrials = 0;
}

void
CsigPathWatch::NoteOther(const CsigRequestPlan& plan,
                         int64_t now,
                         std::optional<uint32_t> acknowledged)
{
    if (IsAnswer(plan, now, acknowledged) && ++m_others >= plan.maxOthers * plan.types.size())
    {
        Strike(plan, now, false);
    }
}

void
CsigPathWatch::NoteEmpty(const CsigRequestPlan& plan,
                         int64_t now,
                         std::optional<uint32_t> acknowledged)
{
    if (IsAnswer(plan, now, acknowledged))
    {
        Strike(plan, now, false);
    }
}

bool
CsigPathWatch::IsAnswer(const CsigRequestPlan& plan,
                        int64_t now,
                        std::optional<uint32_t> acknowledged) const
{
    return m_isWatching && (acknowledged ? Distance(*acknowledged, m_watchedEnd) >= 0
                                         : now - m_watchedTime >= plan.reflectionDelay);
}

void
CsigPathWatch::Strike(const CsigRequestPlan& plan, int64_t now, bool isSilent)
{
    m_isWatching = false;
    m_isSilent = isSilent;
    m_vainTrials = isSilent ? m_vainTrials : 0;
    if (++m_strikes >= plan.patience)
    {
        m_capability = CsigCapability::NOT_CAPABLE;
        m_stopTime = now;
    }
}

CsigCapability
GetCsigCapability(const std::vector<CsigPathWatch>& watches)
{
    bool isStopped = !watches.empty();
    for (const auto& watch : watches)
    {
        if (watch.GetCapability() == CsigCapability::CAPABLE)
        {
            return CsigCapability::CAPABLE;
        }
        isStopped = isStopped && watch.GetCapability() == CsigCapability::NOT_CAPABLE;
    }
    return isStopped ? CsigCapability::NOT_CAPABLE : CsigCapability::UNKNOWN;
}

} // namespace ns3::aidc
