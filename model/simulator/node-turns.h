/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NODE_TURNS_H
#define AIDC_NODE_TURNS_H

#include "../core/cache-line.h"
#include "../core/simulator/item-heap.h"
#include "pending-event.h"

#include "ns3/event-id.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

class WindowEvents;

/// The events of a window, node by node. A node's turn has the node's events in their order, with
/// those that the node schedules for itself during the turn. The nodes of a group (NodeGroup) have
/// one turn.
class NodeTurns
{
  public:
    /// Set the groups of nodes, when all turns are over.
    /// @param groups the first node of each node's group, by id; empty if there are no groups
    void SetGroups(const std::vector<uint32_t>& groups);

    /// @return whether no event is left
    bool IsEmpty() const;

    /// Take all events of the open window, when all turns are over. @param events has the window
    void Load(WindowEvents& events);

    /// Begin the turn of the next node, after the last turn has ended.
    /// @return whether there is another node
    bool Begin();

    /// @return the node whose turn it is, or the first one of the group
    uint32_t GetNode() const
    {
        return m_node;
    }

    /// @return whether it is its turn
    bool IsTurnOf(uint32_t node) const
    {
        return GetGroup(node) == m_node;
    }

    /// Take the next event of the turn.
    /// @return the event, valid until the next call; null if the turn has ended
    const PendingEvent* Pop()
    {
        while (m_next < m_end || !m_own.IsEmpty())
        {
            if (!m_own.IsEmpty() &&
                (m_next == m_end || !(m_events[m_next].order < m_own.GetFirst().order)))
            {
                m_popped = m_own.Pop();
                return &m_popped;
            }
            const PendingEvent& event = m_events[m_next++];
            Prefetch();
            if (event.impl)
            {
                return &event;
            }
        }
        return nullptr;
    }

    /// @param time a time, in time steps
    /// @return whether an event of the turn is left, at or before this time
    bool HasEventUntil(uint64_t time) const
    {
        return (m_next < m_end && m_events[m_next].order.time <= time) ||
               (!m_own.IsEmpty() && m_own.GetFirst().order.time <= time);
    }

    /// Add an event that the node has scheduled for itself within the window.
    void Push(const PendingEvent& event);

    /// @return whether it waits here
    bool IsWaiting(const EventId& id) const;

    /// Remove an event. @return whether it was here
    bool Remove(const EventId& id);

    /// Take all events that are left, as when an exception has ended a turn.
    /// @return the events, in no order
    std::vector<PendingEvent> TakeAll();

  private:
    /// By how many events the fetching of memory is ahead.
    static constexpr std::size_t PREFETCH_AHEAD = 3;

    /// How many cache lines of an event are fetched. The event of a frame on a link has a few.
    static constexpr std::size_t PREFETCH_LINES = 3;

    /// @return the first node of its group
    uint32_t GetGroup(uint32_t node) const
    {
        return node < m_groups.size() ? m_groups[node] : node;
    }

    /// Have the processor fetch the memory of a later event. It is a hint, without side effects.
    void Prefetch() const
    {
        if (m_next + PREFETCH_AHEAD < m_events.size())
        {
            const auto* event =
                reinterpret_cast<const char*>(m_events[m_next + PREFETCH_AHEAD].impl);
            for (std::size_t line = 0; line < PREFETCH_LINES; ++line)
            {
                __builtin_prefetch(event + line * CACHE_LINE);
            }
        }
    }

    std::vector<PendingEvent> m_events; //!< the events of the window, sorted by node and place
    std::size_t m_next{0};              //!< the first event that was not taken
    std::size_t m_end{0};               //!< the end of the events of the turn
    uint32_t m_node{0};                 //!< whose turn it is: the first node of a group
    std::vector<uint32_t> m_groups;     //!< the first node of each node's group, if there are some
    ItemHeap<PendingEvent, EarlierEvent> m_own; //!< what the node has scheduled in its turn
    PendingEvent m_popped{};                    //!< the last event taken from m_own
    std::vector<PendingEvent> m_sorted;         //!< memory for sorting
    std::vector<uint32_t> m_places;             //!< memory for sorting, by node
};

} // namespace ns3::aidc

#endif // AIDC_NODE_TURNS_H
