// SPDX-License-Identifier: GPL-2.0-only

#include "window-events.h"

#include "ns3/simulator.h"

namespace ns3::aidc
{

void
WindowEvents::SetWindows(uint64_t length, const std::vector<uint8_t>& sides, uint64_t now)
{
    if (length == m_length && sides == m_sideOfNode)
    {
        return;
    }
    Globals globals;
    globals.swap(m_globals);
    const auto events = TakeAll();
    m_globals.swap(globals);
    m_length = length;
    m_sideOfNode = sides;
    for (std::size_t i = 0; i < m_sides.size(); ++i)
    {
        m_sides[i] = Side();
        m_sides[i].shift = i * (length / 2);
        m_sides[i].window = (now + m_sides[i].shift) / length;
        m_sides[i].end = (m_sides[i].window + 1) * length - m_sides[i].shift;
    }
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
        return;
    }
    Side& side = m_sides[GetSide(event.node)];
    if (time < side.end)
    {
        side.rest.Push(event);
    }
    else
    {
        // Most events are for the next window, which is found without a division.
        side.calendar.Insert(time - side.end < m_length ? side.window + 1
                                                        : (time + side.shift) / m_length,
                             event);
    }
}

bool
WindowEvents::IsEmpty() const
{
    return m_globals.empty() && std::all_of(m_sides.begin(), m_sides.end(), [](const Side& side) {
               return side.rest.IsEmpty() && side.calendar.IsEmpty();
           });
}

uint64_t
WindowEvents::GetNextBegin(const Side& side) const
{
    const uint64_t window = side.rest.IsEmpty() ? side.calendar.GetFirst() : side.window;
    return std::max(window * m_length, side.shift) - side.shift;
}

bool
WindowEvents::OpenSide(Side& side, const EventOrder& barrier)
{
    if (side.rest.IsEmpty())
    {
        if (side.calendar.IsEmpty() || !(EventOrder{GetNextBegin(side), 0, 0, 0, 0} < barrier))
        {
            return false;
        }
        side.window = side.calendar.GetFirst();
        side.end = (side.window + 1) * m_length - side.shift;
    }
    SetLimit(side, barrier);
    return !m_hasBarrier || side.rest.GetFirst().order < barrier;
}

void
WindowEvents::SetLimit(Side& side, const EventOrder& barrier)
{
    m_limit = {side.end, 0, 0, 0, 0};
    m_hasBarrier = barrier < m_limit;
    if (m_hasBarrier)
    {
        m_limit = barrier;
        SortWindow(side);
    }
}

WindowEvents::Next
WindowEvents::Open()
{
    const bool hasGlobal = !m_globals.empty() && m_globals.begin()->order < m_horizon;
    const EventOrder& barrier = hasGlobal ? m_globals.begin()->order : m_horizon;
    // The side whose window begins first must not wait for what the other one does later.
    const auto hasEvents = [](const Side& side) {
        return !side.rest.IsEmpty() || !side.calendar.IsEmpty();
    };
    m_open = !hasEvents(m_sides[0]) ||
             (hasEvents(m_sides[1]) && GetNextBegin(m_sides[1]) <= GetNextBegin(m_sides[0]));
    for (std::size_t i = 0; i < m_sides.size(); ++i, m_open = 1 - m_open)
    {
        if (OpenSide(m_sides[m_open], barrier))
        {
            m_latest = std::max(m_latest, m_limit.time);
            return Next::NODES;
        }
    }
    return hasGlobal ? Next::GLOBAL : Next::NOTHING;
}

WindowEvents::Heads
WindowEvents::GetHeads() const
{
    Heads heads;
    if (!m_globals.empty())
    {
        heads.barrier = m_globals.begin()->order.time;
    }
    for (std::size_t i = 0; i < m_sides.size(); ++i)
    {
        if (!m_sides[i].rest.IsEmpty() || !m_sides[i].calendar.IsEmpty())
        {
            heads.begins[i] = GetNextBegin(m_sides[i]);
        }
    }
    return heads;
}

void
WindowEvents::AddTo(Heads& heads, uint32_t node, uint64_t time) const
{
    const Side& side = m_sides[GetSide(node)];
    const uint64_t window = time < side.end ? side.window : (time + side.shift) / m_length;
    auto& begin = heads.begins[GetSide(node)];
    begin = std::min(begin, std::max(window * m_length, side.shift) - side.shift);
}

WindowEvents::Next
WindowEvents::OpenAgreed(const Heads& heads)
{
    const uint64_t end = std::min(heads.barrier, m_horizon.time);
    const EventOrder barrier = heads.barrier < m_horizon.time && HasGlobal(end)
                                   ? m_globals.begin()->order
                                   : EventOrder{end, 0, 0, 0, 0};
    m_open = heads.begins[1] <= heads.begins[0];
    for (std::size_t i = 0; i < m_sides.size(); ++i, m_open = 1 - m_open)
    {
        Side& side = m_sides[m_open];
        const uint64_t begin = heads.begins[m_open];
        if (begin == UINT64_MAX || begin > end || (side.isAtBarrier && side.runUntil >= end))
        {
            continue;
        }
        if (side.rest.IsEmpty())
        {
            side.window = (begin + side.shift) / m_length;
            side.end = (side.window + 1) * m_length - side.shift;
        }
        SetLimit(side, barrier);
        side.runUntil = m_limit.time;
        side.isAtBarrier = m_hasBarrier;
        m_latest = std::max(m_latest, m_limit.time);
        return Next::NODES;
    }
    if (heads.barrier >= m_horizon.time)
    {
        return Next::NOTHING;
    }
    for (auto& side : m_sides)
    {
        side.runUntil = 0;
        side.isAtBarrier = false;
    }
    return Next::GLOBAL;
}

void
WindowEvents::SortWindow(Side& side)
{
    if (side.rest.IsEmpty())
    {
        side.calendar.Take(side.window, m_memory);
        side.rest.PushAll(m_memory);
    }
}

PendingEvent
WindowEvents::PopFirst()
{
    SortWindow(m_sides[m_open]);
    return m_sides[m_open].rest.Pop();
}

void
WindowEvents::TakeWindow(std::vector<PendingEvent>& events)
{
    Side& side = m_sides[m_open];
    if (side.rest.IsEmpty())
    {
        side.calendar.Take(side.window, events);
    }
    else if (!m_hasBarrier)
    {
        side.rest.TakeAll(events);
    }
    else
    {
        events.clear();
        while (!side.rest.IsEmpty() && side.rest.GetFirst().order < m_limit)
        {
            events.push_back(side.rest.Pop());
        }
    }
}

uint64_t
WindowEvents::GetBegin() const
{
    const Side& side = m_sides[m_open];
    return std::max(side.end, m_length) - m_length;
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
    const Side& side = m_sides[GetSide(id.GetContext())];
    if (id.GetTs() < side.end)
    {
        const auto& rest = side.rest.GetAll();
        return std::any_of(rest.begin(), rest.end(), isIt);
    }
    return side.calendar.Has((id.GetTs() + side.shift) / m_length, isIt);
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
    Side& side = m_sides[GetSide(id.GetContext())];
    return id.GetTs() < side.end ? side.rest.Remove(isIt)
                                 : side.calendar.Remove((id.GetTs() + side.shift) / m_length, isIt);
}

std::vector<PendingEvent>
WindowEvents::TakeAll()
{
    std::vector<PendingEvent> events;
    std::vector<PendingEvent> some;
    for (auto& side : m_sides)
    {
        side.rest.TakeAll(some);
        events.insert(events.end(), some.begin(), some.end());
        while (!side.calendar.IsEmpty())
        {
            side.calendar.Take(side.calendar.GetFirst(), some);
            events.insert(events.end(), some.begin(), some.end());
        }
    }
    events.insert(events.end(), m_globals.begin(), m_globals.end());
    m_globals.clear();
    return events;
}

// The turns of nodes

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
