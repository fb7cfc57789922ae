/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-turns.h"

#include "../core/simulator/node-sort.h"
#include "window-events.h"

#include <algorithm>

namespace ns3::aidc
{

void
NodeTurns::SetGroups(const std::vector<uint32_t>& groups)
{
    m_groups = groups;
}

bool
NodeTurns::IsEmpty() const
{
    return m_own.IsEmpty() && m_next == m_events.size();
}

void
NodeTurns::Load(WindowEvents& events)
{
    events.TakeWindow(m_events);
    if (m_groups.empty())
    {
        SortByNode(m_events, m_sorted, m_places, [](const auto& event) { return event.node; });
    }
    else
    {
        SortByNode(m_events, m_sorted, m_places, [this](const auto& event) {
            return GetGroup(event.node);
        });
    }
    m_next = 0;
    m_end = 0;
}

bool
NodeTurns::Begin()
{
    if (m_next == m_events.size())
    {
        m_events.clear();
        m_next = 0;
        m_end = 0;
        return false;
    }
    m_node = GetGroup(m_events[m_next].node);
    m_end = m_next + 1;
    while (m_end < m_events.size() && IsTurnOf(m_events[m_end].node))
    {
        ++m_end;
    }
    std::sort(m_events.begin() + static_cast<std::ptrdiff_t>(m_next),
              m_events.begin() + static_cast<std::ptrdiff_t>(m_end),
              EarlierEvent());
    return true;
}

void
NodeTurns::Push(const PendingEvent& event)
{
    m_own.Push(event);
}

bool
NodeTurns::IsWaiting(const EventId& id) const
{
    const auto isIt = [&id](const PendingEvent& event) { return event.Is(id); };
    const auto& own = m_own.GetAll();
    const auto end = IsTurnOf(id.GetContext()) ? m_end : m_events.size();
    return std::any_of(own.begin(), own.end(), isIt) ||
           std::any_of(m_events.begin() + static_cast<std::ptrdiff_t>(m_next),
                       m_events.begin() + static_cast<std::ptrdiff_t>(end),
                       isIt);
}

bool
NodeTurns::Remove(const EventId& id)
{
    const auto isIt = [&id](const PendingEvent& event) { return event.Is(id); };
    const auto found =
        std::find_if(m_events.begin() + static_cast<std::ptrdiff_t>(m_next), m_events.end(), isIt);
    if (found == m_events.end())
    {
        return m_own.Remove(isIt);
    }
    found->impl = nullptr; // it keeps its place
    return true;
}

std::vector<PendingEvent>
NodeTurns::TakeAll()
{
    std::vector<PendingEvent> left;
    m_own.TakeAll(left);
    left.insert(left.end(), m_events.begin() + static_cast<std::ptrdiff_t>(m_next), m_events.end());
    m_events.clear();
    m_next = 0;
    m_end = 0;
    return left;
}

} // namespace ns3::aidc
