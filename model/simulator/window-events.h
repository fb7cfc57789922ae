/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WINDOW_EVENTS_H
#define AIDC_WINDOW_EVENTS_H

#include "../core/simulator/item-heap.h"
#include "../core/simulator/window-calendar.h"
#include "pending-event.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The waiting events: those of nodes, by windows of time, and those without a node, which
 * are barriers.
 *
 * The nodes are on one side or on two, and each side has its own windows. The windows of the second
 * side begin in the middle of those of the first. Windows are opened in the order of their
 * beginnings. This class sorts events by time only in windows with a barrier; the caller of
 * TakeWindow() sorts the others.
 */
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
    /// if
    ///        it is empty, there is one side
    /// @param now the time; no waiting event is earlier
    void SetWindows(uint64_t length, const std::vector<uint8_t>& sides, uint64_t now);

    /// Hold back all events at or after a time. @param time the time
    void SetHorizon(uint64_t time);

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

    /**
     * @brief Do what Open() does, of several processes.
     *
     * Each process opens the same window, even if it has no events there. At a barrier, events of
     * nodes at the time of the barrier are run by those processes only that have an event without a
     * node then.
     *
     * @param heads what waits first in any process
     * @return what comes next; for GLOBAL, this process may have no such event (HasGlobal())
     */
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
    PendingEvent PopGlobal();

    /// Take the first event of the open window. @return the event; there must be one
    PendingEvent PopFirst();

    /// Take all events of the open window before its limit. @param events the events, in no order
    void TakeWindow(std::vector<PendingEvent>& events);

    /// Get the limit of the open window. @return the window's end, or the barrier in it
    const EventOrder& GetLimit() const;

    /// Get the beginning of the open window. @return the time
    uint64_t GetBegin() const;

    /// @return the latest time up to which events of any node were taken
    uint64_t GetLatestLimit() const;

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

    /// @return the index of the side
    std::size_t GetSide(uint32_t node) const
    {
        return node < m_sideOfNode.size() ? m_sideOfNode[node] : 0;
    }

    /// Get the beginning of the first window of a side that has events. @param side the side, which
    /// has events
    uint64_t GetNextBegin(const Side& side) const;

    /// Open the first window of a side that has events, if some of them come before a barrier.
    /// @return whether it was opened
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

} // namespace ns3::aidc

#endif // AIDC_WINDOW_EVENTS_H
