/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-requester.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// So often the interval between trials in vain doubles at most.
constexpr uint32_t MAX_DOUBLINGS = 10;

/**
 * @brief Compare positions, which wrap around as TCP's sequence numbers do.
 * @param a the one
 * @param b the other
 * @return how far a is behind b, negative if it is before
 */
int32_t
Distance(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b);
}

} // namespace

std::optional<uint8_t>
CsigRequester::NextPacket(const CsigRequestPlan& plan, int64_t now, uint32_t end)
{
    Follow(plan);
    const auto nTypes = static_cast<uint32_t>(plan.types.size());
    uint32_t turn = m_turn;
    Path* path = nullptr;
    for (uint32_t i = 0; i < nTypes && !path; ++i)
    {
        turn = (m_turn + i) % nTypes;
        auto& candidate = GetPath(plan.types[turn]);
        path = IsDue(candidate, plan, now) ? &candidate : nullptr;
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
    if (path->capability == CsigCapability::NOT_CAPABLE)
    {
        path->capability = CsigCapability::UNKNOWN;
        path->strikes = plan.patience - 1; // one more strike is enough
        path->vainTrials = std::min(path->vainTrials + (path->isSilent ? 1 : 0), MAX_DOUBLINGS);
    }
    if (!path->isWatching)
    {
        path->isWatching = true;
        path->watchedEnd = end;
        path->watchedTime = now;
        path->others = 0;
    }
    return path->type;
}

void
CsigRequester::NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end)
{
    for (auto& path : m_paths)
    {
        const auto left = Distance(end, path.watchedEnd);
        if (path.isWatching && left >= 0 && static_cast<uint32_t>(left) < std::max(size, 1U))
        {
            Strike(path, plan, now, true);
        }
    }
}

void
CsigRequester::Restart()
{
    for (auto& path : m_paths)
    {
        path.isWatching = false;
    }
}

void
CsigRequester::NoteSignal(const CsigFields& fields, int64_t now)
{
    m_signals[fields.type] = {fields, now};
    m_known = static_cast<uint16_t>(m_known | 1U << fields.type);
    auto& path = GetPath(fields.type);
    path.capability = CsigCapability::CAPABLE;
    path.isWatching = false;
    path.isSilent = false;
    path.strikes = 0;
    path.vainTrials = 0;
}

void
CsigRequester::NoteOther(const CsigRequestPlan& plan,
                         uint8_t type,
                         int64_t now,
                         std::optional<uint32_t> acknowledged)
{
    for (auto& path : m_paths)
    {
        if (path.type != type && IsAnswer(path, plan, now, acknowledged) &&
            ++path.others >= plan.types.size())
        {
            Strike(path, plan, now, false);
        }
    }
}

void
CsigRequester::NoteEmpty(const CsigRequestPlan& plan,
                         int64_t now,
                         std::optional<uint32_t> acknowledged)
{
    for (auto& path : m_paths)
    {
        if (IsAnswer(path, plan, now, acknowledged))
        {
            Strike(path, plan, now, false);
        }
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
    bool isStopped = !m_paths.empty();
    for (const auto& path : m_paths)
    {
        if (path.capability == CsigCapability::CAPABLE)
        {
            return CsigCapability::CAPABLE;
        }
        isStopped = isStopped && path.capability == CsigCapability::NOT_CAPABLE;
    }
    return isStopped ? CsigCapability::NOT_CAPABLE : CsigCapability::UNKNOWN;
}

CsigCapability
CsigRequester::GetCapability(uint8_t type) const
{
    const auto found = std::find_if(m_paths.begin(), m_paths.end(), [&](const Path& path) {
        return path.type == type;
    });
    return found == m_paths.end() ? CsigCapability::UNKNOWN : found->capability;
}

CsigRequester::Path&
CsigRequester::GetPath(uint8_t type)
{
    for (auto& path : m_paths)
    {
        if (path.type == type)
        {
            return path;
        }
    }
    m_paths.emplace_back();
    m_paths.back().type = type;
    return m_paths.back();
}

void
CsigRequester::Follow(const CsigRequestPlan& plan)
{
    for (const auto type : plan.types)
    {
        GetPath(type);
    }
    if (m_paths.size() > plan.types.size())
    {
        const auto& types = plan.types;
        m_paths.erase(std::remove_if(m_paths.begin(),
                                     m_paths.end(),
                                     [&](const Path& path) {
                                         return std::find(types.begin(), types.end(), path.type) ==
                                                types.end();
                                     }),
                      m_paths.end());
    }
}

bool
CsigRequester::IsDue(const Path& path, const CsigRequestPlan& plan, int64_t now)
{
    if (path.capability == CsigCapability::NOT_CAPABLE)
    {
        return (now - path.stopTime) >> path.vainTrials >= plan.retryInterval;
    }
    return !path.isSilent || !path.isWatching;
}

bool
CsigRequester::IsAnswer(const Path& path,
                        const CsigRequestPlan& plan,
                        int64_t now,
                        std::optional<uint32_t> acknowledged)
{
    return path.isWatching && (acknowledged ? Distance(*acknowledged, path.watchedEnd) >= 0
                                            : now - path.watchedTime >= plan.reflectionDelay);
}

void
CsigRequester::Strike(Path& path, const CsigRequestPlan& plan, int64_t now, bool isSilent)
{
    path.isWatching = false;
    path.isSilent = isSilent;
    path.vainTrials = isSilent ? path.vainTrials : 0;
    if (++path.strikes >= plan.patience)
    {
        path.capability = CsigCapability::NOT_CAPABLE;
        path.stopTime = now;
    }
}

} // namespace ns3::aidc
