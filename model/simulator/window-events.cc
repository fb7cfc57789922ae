/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-events.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::aidc
{

void
WindowEvents::SetLength(uint64_t length, uint64_t now)
{
    if (length == m_length)
    {
        return;
    }
    Globals globals;
    globals.swap(m_globals);
    const auto events = TakeAll();
    m_globals.swap(globals);
    m_calendar = {};
    m_length = length;
    m_window = now / length;
    m_end = (m_window + 1) * length;
    for (const auto& event : events)
    {
        Insert(event);
    }
}

void
WindowEvents::Insert(const PendingEvent& event)
{
    const uint64_t time = event.order.time;
    if (event.node == Simulator::NO_CONTEXT)
    {
        m_globals.insert(event);
    }
    else if (time < m_end)
    {
        m_rest.Push(event);
    }
    else
    {
        // Most events are for the next window, which is found without a division.
        m_calendar.Insert(time - m_end < m_length ? m_window + 1 : time / m_length, event);
    }
}

bool
WindowEvents::IsEmpty() const
{
    return m_rest.IsEmpty() && m_calendar.IsEmpty() && m_globals.empty();
}

bool
WindowEvents::HasGlobalBefore(const EventOrder& order) const
{
    return !m_globals.empty() && m_globals.begin()->order < order;
}

WindowEvents::Next
WindowEvents::Open()
{
    if (m_rest.IsEmpty())
    {
        if (m_calendar.IsEmpty())
        {
            return m_globals.empty() ? Next::NOTHING : Next::GLOBAL;
        }
        const uint64_t first = m_calendar.GetFirst();
        if (HasGlobalBefore({first * m_length, 0, 0, 0, 0}))
        {
            return Next::GLOBAL;
        }
        m_window = first;
        m_end = (first + 1) * m_length;
    }
    m_limit = {m_end, 0, 0, 0, 0};
    m_hasBarrier = HasGlobalBefore(m_limit);
    if (m_hasBarrier)
    {
        m_limit = m_globals.begin()->order;
        SortWindow();
        if (!(m_rest.GetFirst().order < m_limit))
        {
            return Next::GLOBAL;
        }
    }
    return Next::NODES;
}

void
WindowEvents::SortWindow()
{
    if (m_rest.IsEmpty())
    {
        m_calendar.Take(m_window, m_memory);
        m_rest.PushAll(m_memory);
    }
}

PendingEvent
WindowEvents::PopGlobal()
{
    return m_globals.extract(m_globals.begin()).value();
}

PendingEvent
WindowEvents::PopFirst()
{
    SortWindow();
    return m_rest.Pop();
}

void
WindowEvents::TakeWindow(std::vector<PendingEvent>& events)
{
    if (m_rest.IsEmpty())
    {
        m_calendar.Take(m_window, events);
    }
    else if (!m_hasBarrier)
    {
        m_rest.TakeAll(events);
    }
    else
    {
        events.clear();
        while (!m_rest.IsEmpty() && m_rest.GetFirst().order < m_limit)
        {
            events.push_back(m_rest.Pop());
        }
    }
}

const EventOrder&
WindowEvents::GetLimit() const
{
    return m_limit;
}

uint64_t
WindowEvents::GetBegin() const
{
    return m_end - m_length;
}

WindowEvents::Globals::const_iterator
WindowEvents::FindGlobal(const EventId& id) const
{
    // From the first one of that time on, whatever else its place is made of
    auto i = m_globals.lower_bound(
        PendingEvent{{id.GetTs(), 0, 0, 0, 0}, Simulator::NO_CONTEXT, nullptr});
    while (i != m_globals.end() && i->order.time == id.GetTs() && !i->Is(id))
    {
        ++i;
    }
    return i == m_globals.end() || !i->Is(id) ? m_globals.end() : i;
}

bool
WindowEvents::IsWaiting(const EventId& id) const
{
    if (id.GetContext() == Simulator::NO_CONTEXT)
    {
        return FindGlobal(id) != m_globals.end();
    }
    const auto isIt = [&id](const PendingEvent& event) { return event.Is(id); };
    if (id.GetTs() < m_end)
    {
        const auto& rest = m_rest.GetAll();
        return std::any_of(rest.begin(), rest.end(), isIt);
    }
    return m_calendar.Has(id.GetTs() / m_length, isIt);
}

bool
WindowEvents::Remove(const EventId& id)
{
    if (id.GetContext() == Simulator::NO_CONTEXT)
    {
        const auto found = FindGlobal(id);
        if (found == m_globals.end())
        {
            return false;
        }
        m_globals.erase(found);
        return true;
    }
    const auto isIt = [&id](const PendingEvent& event) { return event.Is(id); };
    return id.GetTs() < m_end ? m_rest.Remove(isIt)
                              : m_calendar.Remove(id.GetTs() / m_length, isIt);
}

std::vector<PendingEvent>
WindowEvents::TakeAll()
{
    std::vector<PendingEvent> events;
    std::vector<PendingEvent> some;
    m_rest.TakeAll(events);
    while (!m_calendar.IsEmpty())
    {
        m_calendar.Take(m_calendar.GetFirst(), some);
        events.insert(events.end(), some.begin(), some.end());
    }
    events.insert(events.end(), m_globals.begin(), m_globals.end());
    m_globals.clear();
    return events;
}

} // namespace ns3::aidc
