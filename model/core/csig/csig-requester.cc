// SPDX-License-Identifier: GPL-2.0-only

#include "csig-requester.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// So often the interval between trials in vain doubles at most.
constexpr uint32_t MAX_DOUBLINGS = 10;

/// @return how far position a is behind b, negative if before; both wrap around as TCP's do
int32_t
Distance(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b);
}

} // namespace

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

CsigPathWatch&
CsigPathWatches::Get(uint8_t type)
{
    for (auto& watch : m_watches)
    {
        if (watch.GetType() == type)
        {
            return watch;
        }
    }
    return m_watches.emplace_back(type);
}

void
CsigPathWatches::NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end)
{
    for (auto& watch : m_watches)
    {
        watch.NoteRepeat(plan, now, size, end);
    }
}

void
CsigPathWatches::Restart()
{
    for (auto& watch : m_watches)
    {
        watch.Restart();
    }
}

void
CsigPathWatches::NoteSignal(uint8_t type)
{
    for (auto& watch : m_watches)
    {
        if (watch.GetType() == type)
        {
            watch.NoteSignal();
        }
    }
}

void
CsigPathWatches::NoteOther(const CsigRequestPlan& plan,
                           uint8_t type,
                           int64_t now,
                           std::optional<uint32_t> acknowledged)
{
    for (auto& watch : m_watches)
    {
        if (watch.GetType() != type)
        {
            watch.NoteOther(plan, now, acknowledged);
        }
    }
}

void
CsigPathWatches::NoteEmpty(const CsigRequestPlan& plan,
                           int64_t now,
                           std::optional<uint32_t> acknowledged)
{
    for (auto& watch : m_watches)
    {
        watch.NoteEmpty(plan, now, acknowledged);
    }
}

CsigCapability
CsigPathWatches::GetCapability() const
{
    bool isStopped = !m_watches.empty();
    for (const auto& watch : m_watches)
    {
        if (watch.GetCapability() == CsigCapability::CAPABLE)
        {
            return CsigCapability::CAPABLE;
        }
        isStopped = isStopped && watch.GetCapability() == CsigCapability::NOT_CAPABLE;
    }
    return isStopped ? CsigCapability::NOT_CAPABLE : CsigCapability::UNKNOWN;
}

CsigCapability
CsigPathWatches::GetCapability(uint8_t type) const
{
    for (const auto& watch : m_watches)
    {
        if (watch.GetType() == type)
        {
            return watch.GetCapability();
        }
    }
    return CsigCapability::UNKNOWN;
}

std::optional<uint8_t>
CsigRequester::NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end)
{
    Follow(plan);
    const auto nTypes = static_cast<uint32_t>(plan.types.size());
    uint32_t turn = m_turn;
    CsigPathWatch* path = nullptr;
    for (uint32_t i = 0; i < nTypes && !path; ++i)
    {
        turn = (m_turn + i) % nTypes;
        auto& candidate = Get(plan.types[turn]);
        path = candidate.IsDue(plan, now) ? &candidate : nullptr;
    }
    if (!path)
    {
        return std::nullopt;
    }
    if (GetCapability() == CsigCapability::NOT_CAPABLE)
    {
        m_untagged = 0; // the first packet tries the path again
    }
    if (m_untagged > 0)
    {
        --m_untagged;
        return std::nullopt;
    }
    m_untagged = plan.period - 1;
    m_turn = turn + 1;
    path->NoteRequest(plan, now, end);
    return path->GetType();
}

void
CsigRequester::NoteSignal(const CsigFields& fields, int64_t now)
{
    m_signals[fields.type] = {fields, now};
    m_known = static_cast<uint16_t>(m_known | 1U << fields.type);
    Get(fields.type).NoteSignal();
}

const CsigRequester::Signal*
CsigRequester::GetSignal(uint8_t type) const
{
    return type < m_signals.size() && (m_known >> type & 1) != 0 ? &m_signals[type] : nullptr;
}

void
CsigRequester::Follow(const CsigRequestPlan& plan)
{
    const auto& types = plan.types;
    for (const auto type : types)
    {
        Get(type);
    }
    if (m_watches.size() > types.size())
    {
        const auto isForeign = [&types](const CsigPathWatch& path) {
            return std::find(types.begin(), types.end(), path.GetType()) == types.end();
        };
        m_watches.erase(std::remove_if(m_watches.begin(), m_watches.end(), isForeign),
                        m_watches.end());
    }
}

} // namespace ns3::aidc
