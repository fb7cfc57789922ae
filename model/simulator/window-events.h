/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WINDOW_EVENTS_H
#define AIDC_WINDOW_EVENTS_H

#include "pending-event.h"

#include "ns3/item-heap.h"
#include "ns3/window-calendar.h"

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
 * Windows lie at multiples of their length. Only the events of a window that has a barrier are
 * sorted by time here; the others are sorted by whoever takes them.
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

    /**
     * @brief Set the length of windows, and sort what waits into them.
     * @param length time steps, at least 1
     * @param now the time; all that waits is no earlier
     */
    void SetLength(uint64_t length, uint64_t now);

    /**
     * @brief Add an event.
     * @param event the event, no earlier than all that was taken
     */
    void Insert(const PendingEvent& event);

    /**
     * @brief Tell whether nothing waits.
     * @return whether nothing does
     */
    bool IsEmpty() const;

    /**
     * @brief Find out what comes next; if it is events of nodes, their window is opened.
     * @return what it is
     */
    Next Open();

    /**
     * @brief Take the first event without a node.
     * @return the event; there must be one
     */
    PendingEvent PopGlobal();

    /**
     * @brief Take the first event of the window that is open.
     * @return the event; there must be one
     */
    PendingEvent PopFirst();

    /**
     * @brief Take all events of the window that is open, up to its limit.
     * @param [in,out] events takes the events, in no order; what it had is dropped
     */
    void TakeWindow(std::vector<PendingEvent>& events);

    /**
     * @brief Get where the events of nodes end that come next.
     * @return the end of the window that is open, or the barrier in it
     */
    const EventOrder& GetLimit() const;

    /**
     * @brief Get the beginning of the window that was opened last.
     * @return the time
     */
    uint64_t GetBegin() const;

    /**
     * @brief Tell whether an event waits here.
     * @param id the event
     * @return whether it does
     */
    bool IsWaiting(const EventId& id) const;

    /**
     * @brief Remove an event.
     * @param id the event
     * @return whether it was here
     */
    bool Remove(const EventId& id);

    /**
     * @brief Take all that waits.
     * @return the events, in no order
     */
    std::vector<PendingEvent> TakeAll();

  private:
    using Globals = std::set<PendingEvent, EarlierEvent>; //!< events without a node

    /**
     * @brief Find an event without a node.
     * @param id the event
     * @return where it is, or the end
     */
    Globals::const_iterator FindGlobal(const EventId& id) const;

    /**
     * @brief Tell whether there is an event without a node before a place.
     * @param order the place
     * @return whether there is
     */
    bool HasGlobalBefore(const EventOrder& order) const;

    /// Sort the events of the window that is open by time, unless they are.
    void SortWindow();

    uint64_t m_length{1};                        //!< time steps of a window
    uint64_t m_window{0};                        //!< the number of the window that was opened last
    uint64_t m_end{1};                           //!< its end
    EventOrder m_limit;                          //!< where the events of nodes end that come next
    bool m_hasBarrier{false};                    //!< whether that is a barrier
    ItemHeap<PendingEvent, EarlierEvent> m_rest; //!< the window's events, once they are sorted
    WindowCalendar<PendingEvent> m_calendar;     //!< the other events of nodes
    Globals m_globals;                           //!< the events without a node
    std::vector<PendingEvent> m_memory;          //!< used to sort
};

} // namespace ns3::aidc

#endif // AIDC_WINDOW_EVENTS_H
