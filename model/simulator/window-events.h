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

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Declaration of class ns3::aidc::WindowEvents.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The events that wait, by windows of time, and those without a node, which are barriers.
 *
 * Nodes are on one side or the other, each with windows of its own; where there are two sides, the
 * windows of the second begin in the middle of the first one's. All windows are opened in the order
 * of their beginnings. Only the events of a window that has a barrier are sorted by time here; the
 * caller of Take() sorts the others.
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

    /// Set the windows, and sort what waits into them.
    /// @param length time steps of a window, at least 1; even if there are two sides
    /// @param sides the side of each node, 0 or 1, by its id; of those beyond, it is 0; if empty,
    ///        there is one side
    /// @param now the time; all that waits is no earlier
    void SetWindows(uint64_t length, const std::vector<uint8_t>& sides, uint64_t now);

    /// Let nothing come next that is at or after a time. @param time the time
    void SetHorizon(uint64_t time);

    /// Add an event. @param event the event, no earlier than all that was taken
    void Insert(const PendingEvent& event);

    /// @return whether nothing waits
    bool IsEmpty() const;

    /// Find out what comes next; if it is events of nodes of a side, its window is opened.
    /// @return what it is, as far as the horizon
    Next Open();

    /// Take the first event without a node. @return the event; there must be one
    PendingEvent PopGlobal();

    /// Take the first event of the window that is open. @return the event; there must be one
    PendingEvent PopFirst();

    /// Take all events of the window that is open, up to its limit.
    /// @param [in,out] events takes the events, in no order; its former items are dropped
    void TakeWindow(std::vector<PendingEvent>& events);

    /// Get where the events of nodes end that come next.
    /// @return the end of the window that is open, or the barrier in it
    const EventOrder& GetLimit() const;

    /// Get the beginning of the window that is open. @return the time
    uint64_t GetBegin() const;

    /// @return the time up to which the events of some nodes were taken, if not of all
    uint64_t GetLatestLimit() const;

    /// @param node a node
    /// @return whether it is on the side whose window is open, as all nodes are without sides
    bool IsOnOpenSide(uint32_t node) const
    {
        return GetSide(node) == m_open;
    }

    /// @param id the event
    /// @return whether the event waits here
    bool IsWaiting(const EventId& id) const;

    /// Remove an event.
    /// @param id the event
    /// @return whether it was here
    bool Remove(const EventId& id);

    /// Take all that waits. @return the events, in no order
    std::vector<PendingEvent> TakeAll();

  private:
    using Globals = std::set<PendingEvent, EarlierEvent>; //!< events without a node

    /// The events of the nodes of a side.
    struct Side
    {
        uint64_t shift{0};  //!< how much earlier than multiples of the length windows begin
        uint64_t window{0}; //!< the number of the window that was opened last
        uint64_t end{0};    //!< its end
        ItemHeap<PendingEvent, EarlierEvent> rest; //!< the window's events, once they are sorted
        WindowCalendar<PendingEvent> calendar;     //!< the other events
    };

    /// @param node the node
    /// @return the index of the side
    std::size_t GetSide(uint32_t node) const
    {
        return node < m_sideOfNode.size() ? m_sideOfNode[node] : 0;
    }

    /// Get the beginning of the first window of a side that has events.
    /// @param side the side, which has events
    /// @return the time
    uint64_t GetNextBegin(const Side& side) const;

    /// Open the first window of a side that has events, if some of them come next.
    /// @param side the side
    /// @param barrier what comes next at the latest
    /// @return whether there are such events
    bool OpenSide(Side& side, const EventOrder& barrier);

    /// Find an event without a node.
    /// @param id the event
    /// @return where it is, or the end
    Globals::const_iterator FindGlobal(const EventId& id) const;

    /// Sort the events of a side's window by time, unless they are. @param side the side
    void SortWindow(Side& side);

    uint64_t m_length{1};               //!< time steps of a window
    std::array<Side, 2> m_sides;        //!< the events of nodes
    std::vector<uint8_t> m_sideOfNode;  //!< the side of each node, by its id
    std::size_t m_open{0};              //!< the side whose window is open
    EventOrder m_limit;                 //!< where the events of nodes end that come next
    EventOrder m_horizon{AFTER_ALL};    //!< before which all is that comes next
    uint64_t m_latest{0};               //!< the latest time of any such end
    bool m_hasBarrier{false};           //!< whether m_limit is before the window's end
    Globals m_globals;                  //!< the events without a node
    std::vector<PendingEvent> m_memory; //!< used to sort

    /// After all events.
    static constexpr EventOrder AFTER_ALL{UINT64_MAX, 0, 0, 0, 0};
};

} // namespace ns3::aidc

#endif // AIDC_WINDOW_EVENTS_H
