/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FOREIGN_EVENTS_H
#define AIDC_FOREIGN_EVENTS_H

#include "ns3/event-impl.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace ns3::aidc
{

/// Holds events of other threads until the simulation's own thread takes them.
class ForeignEvents
{
  public:
    /// An event.
    struct Entry
    {
        uint32_t context; //!< its context
        uint64_t delay;   //!< time steps, from the time at which it is taken
        EventImpl* impl;  //!< the event
    };

    /// Add an event; called by any thread. @param entry the event
    void Add(const Entry& entry)
    {
        const std::lock_guard lock(m_mutex);
        m_entries.push_back(entry);
        m_hasSome = true;
    }

    /// Take all events. @return the events, in the order in which they were added
    std::vector<Entry> Take()
    {
        std::vector<Entry> entries;
        if (m_hasSome)
        {
            const std::lock_guard lock(m_mutex);
            entries.swap(m_entries);
            m_hasSome = false;
        }
        return entries;
    }

  private:
    std::atomic<bool> m_hasSome{false}; //!< whether there are events
    std::mutex m_mutex;                 //!< protects the events
    std::vector<Entry> m_entries;       //!< the events
};

} // namespace ns3::aidc

#endif // AIDC_FOREIGN_EVENTS_H
