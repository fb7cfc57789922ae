// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WINDOW_EVENTS_H
#define AIDC_WINDOW_EVENTS_H

#include "../core/cache-line.h"
#include "../core/simulator/window-calendar.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace ns3::aidc
{

/// An event that waits to be run.
struct PendingEvent
{
    EventOrder order; //!< its place
    uint32_t node;    //!< its context: the id of its node, or Simulator::NO_CONTEXT
    EventImpl* impl;  //!< the event, with a reference to it; null if it was removed

    /// Get the number of its EventId.
    /// @return its number in 32 bits, without the values to which ns-3 gives a meaning
    uint32_t GetUid() const
    {
        constexpr uint64_t N_UIDS = (uint64_t{1} << 32) - EventId::VALID;
        return static_cast<uint32_t>(order.number % N_UIDS) + EventId::VALID;
    }

    /// @return its EventId
    EventId GetId() const
    {
        return EventId(impl, order.time, node, GetUid());
    }

    /// @param id the EventId; its number alone is not unique, as it repeats
    /// @return whether the EventId is of this event
    bool Is(const EventId& id) const
    {
        return impl == id.PeekEventImpl() && order.time == id.GetTs() && node == id.GetContext() &&
               GetUid() == id.GetUid();
    }
};

/// Compares the places of events.
struct EarlierEvent
{
    /// Compare two events. @return whether a comes before b
    bool operator()(const PendingEvent& a, const PendingEvent& b) const
    {
        return a.order < b.order;
    }
};

/// The waiting events: events of nodes, by windows of time, and events without a node, which are
/// barriers.
///
/// The nodes are on one side or on two, and each side has its own windows. The windows of the
/// second side begin in the middle of the windows of the first. Windows are opened in the order of
/// their beginnings. This class sorts events by time only in windows with a barrier; the caller of
/// TakeWindow() sorts the others.
class WindowEvents
{
  public:
    /// What comes next.
    enum class Next
    {
        NOTHING, //!< nothing waits
        GLOBAL,  //!< an event without a node
        NODES    //!< events of nodes
    };

    /// What waits first, on which processes agree (MpiProcesses).
    struct Heads
    {
        /// The time of the first event without a node; UINT64_MAX if there is none.
        uint64_t barrier{UINT64_MAX};
        /// By side, the beginning of the first window with events; UINT64_MAX if there is none.
        std::array<uint64_t, 2> begins{UINT64_MAX, UINT64_MAX};
    };

    /// Set the windows, and sort what waits into them.
    /// @param length time steps of a window, at least 1; even if there are two sides
    /// @param sides the side of each node, 0 or 1, by its id. Nodes beyond the end are on side 0;
    ///        if it is empty, there is one side
    /// @param now the time; no waiting event is earlier
    void SetWindows(uint64_t length, const std::vector<uint8_t>& sides, uint64_t now);

    /// Hold back all events at or after a time. @param time the time
    void SetHorizon(uint64_t time)
    {
        m_horizon = {time, 0, 0, 0, 0};
    }

    /// Add an event. @param event the event, not earlier than any event that was taken
    void Insert(const PendingEvent& event);

    /// @return whether nothing waits
    bool IsEmpty() const;

    /// Find what comes next before the horizon. If it is events of nodes, their window is opened.
    Next Open();

    /// @return what waits first
    Heads GetHeads() const;

    /// Count an event that is still to be inserted. node: the id of its node; time: when it
    /// happens; heads: what waits first.
    void AddTo(Heads& heads, uint32_t node, uint64_t time) const;

    /// Do what Open() does, with several processes.
    ///
    /// Each process opens the same window, even if it has no events there. At a barrier, events of
    /// nodes at the time of the barrier are run only by the processes that have an event without a
    /// node then.
    /// @param heads what waits first in any process
    /// @return what comes next; for GLOBAL, this process may have no such event (HasGlobal())
    Next OpenAgreed(const Heads& heads);

    /// @param heads what waits first of this process
    /// @param others before this time no other process has events
    /// @param barrier the first event without a node of any process
    /// @return whether the next window ends before others have something to do
    bool IsAlone(const Heads& heads, uint64_t others, uint64_t barrier) const
    {
        const uint64_t begin = std::min(heads.begins[0], heads.begins[1]);
        return begin < others && begin + m_length <= std::min(barrier, heads.barrier);
    }

    /// @return whether there is an event without a node at this time
    bool HasGlobal(uint64_t time) const
    {
        return !m_globals.empty() && m_globals.begin()->order.time == time;
    }

    /// @param node the id of a node
    /// @return the time before which the events of its side were run, of several processes
    uint64_t GetRunUntil(uint32_t node) const
    {
        return m_sides[GetSide(node)].runUntil;
    }

    /// Take the first event without a node. @return the event; there must be one
    PendingEvent PopGlobal()
    {
        return m_globals.extract(m_globals.begin()).value();
    }

    /// Take the first event of the open window. @return the event; there must be one
    PendingEvent PopFirst();

    /// Take all events of the open window before its limit. @param events the events, in no order
    void TakeWindow(std::vector<PendingEvent>& events);

    /// Get the limit of the open window. @return the window's end, or the barrier in it
    const EventOrder& GetLimit() const
    {
        return m_limit;
    }

    /// Get the beginning of the open window. @return the time
    uint64_t GetBegin() const;

    /// @return the latest time up to which events of any node were taken
    uint64_t GetLatestLimit() const
    {
        return m_latest;
    }

    /// @param time the same of all processes
    void SetLatestLimit(uint64_t time)
    {
        m_latest = time;
    }

    /// @return whether it is on the side of the open window; always true with one side
    bool IsOnOpenSide(uint32_t node) const
    {
        return GetSide(node) == m_open;
    }

    /// @return whether the event waits here
    bool IsWaiting(const EventId& id) const;

    /// Remove an event. @return whether it was here
    bool Remove(const EventId& id);

    /// Take all waiting events. @return the events, in no order
    std::vector<PendingEvent> TakeAll();

  private:
    using Globals = std::set<PendingEvent, EarlierEvent>; //!< events without a node

    /// The events of the nodes of a side.
    struct Side
    {
        uint64_t shift{0};  //!< by how much windows begin before multiples of their length
        uint64_t window{0}; //!< the number of the last window that was opened
        uint64_t end{1};    //!< the end of that window
        /// Of several processes: all have run the events before this time; 0 if a barrier may have
        /// added some.
        uint64_t runUntil{0};
        bool isAtBarrier{false}; //!< of several processes: whether a barrier ended what ran last
        ItemHeap<PendingEvent, EarlierEvent> rest; //!< the window's events, once they are sorted
        WindowCalendar<PendingEvent> calendar;     //!< the other events
    };

    std::size_t GetSide(uint32_t node) const
    {
        return node < m_sideOfNode.size() ? m_sideOfNode[node] : 0;
    }

    /// @return the beginning of the first window of a side that has events
    uint64_t GetNextBegin(const Side& side) const;

    /// Open a side's first window, if it has events before a barrier. @return whether it was opened
    bool OpenSide(Side& side, const EventOrder& barrier);

    /// Limit the open window to its end or to a barrier.
    void SetLimit(Side& side, const EventOrder& barrier);

    /// Find an event without a node. @return its place, or the end
    Globals::const_iterator FindGlobal(const EventId& id) const;

    /// Sort the events of a side's window by time, unless they are. @param side the side
    void SortWindow(Side& side);

    uint64_t m_length{1};               //!< time steps of a window
    std::array<Side, 2> m_sides;        //!< the events of nodes
    std::vector<uint8_t> m_sideOfNode;  //!< the side of each node, by its id
    std::size_t m_open{0};              //!< the side whose window is open
    EventOrder m_limit;                 //!< the limit of the open window
    EventOrder m_horizon{AFTER_ALL};    //!< all events from here on are held back
    uint64_t m_latest{0};               //!< the latest time of any limit
    bool m_hasBarrier{false};           //!< whether m_limit is before the window's end
    Globals m_globals;                  //!< the events without a node
    std::vector<PendingEvent> m_memory; //!< used to sort

    /// After all events.
    static constexpr EventOrder AFTER_ALL{UINT64_MAX, 0, 0, 0, 0};
};

/// The events of a window, node by node. A node's turn has the node's events in their order, with
/// the events that the node schedules for itself during the turn. The nodes of a group (NodeGroup)
/// have one turn.
class NodeTurns
{
  public:
    /// Set the groups of nodes, when all turns are over.
    /// @param groups the first node of each node's group, by id; empty if there are no groups
    void SetGroups(const std::vector<uint32_t>& groups)
    {
        m_groups = groups;
    }

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
    void Push(const PendingEvent& event)
    {
        m_own.Push(event);
    }

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

#endif // AIDC_WINDOW_EVENTS_H
