/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-requester.h"

#include <algorithm>

namespace ns3::aidc
{

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
        auto& candidate = GetPath(plan.types[turn]);
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
CsigRequester::NoteRepeat(const CsigRequestPlan& plan, int64_t now, uint32_t size, uint32_t end)
{
    for (auto& path : m_paths)
    {
        path.NoteRepeat(plan, now, size, end);
    }
}

void
CsigRequester::Restart()
{
    for (auto& path : m_paths)
    {
        path.Restart();
    }
}

void
CsigRequester::NoteSignal(const CsigFields& fields, int64_t now)
{
    m_signals[fields.type] = {fields, now};
    m_known = static_cast<uint16_t>(m_known | 1U << fields.type);
    GetPath(fields.type).NoteSignal();
}

void
CsigRequester::NoteOther(const CsigRequestPlan& plan,
                         uint8_t type,
                         int64_t now,
                         std::optional<uint32_t> acknowledged)
{
    for (auto& path : m_paths)
    {
        if (path.GetType() != type)
        {
            path.NoteOther(plan, now, acknowledged);
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
        path.NoteEmpty(plan, now, acknowledged);
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
    return GetCsigCapability(m_paths);
}

CsigCapability
CsigRequester::GetCapability(uint8_t type) const
{
    const auto found = std::find_if(m_paths.begin(), m_paths.end(), [&](const auto& path) {
        return path.GetType() == type;
    });
    return found == m_paths.end() ? CsigCapability::UNKNOWN : found->GetCapability();
}

CsigPathWatch&
CsigRequester::GetPath(uint8_t type)
{
    for (auto& path : m_paths)
    {
        if (path.GetType() == type)
        {
            return path;
        }
    }
    return m_paths.emplace_back(type);
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
                                     [&](const CsigPathWatch& path) {
                                         return std::find(types.begin(),
                                                          types.end(),
                                                          path.GetType()) == types.end();
                                     }),
                      m_paths.end());
    }
}

} // namespace ns3::aidc
