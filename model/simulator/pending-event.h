/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PENDING_EVENT_H
#define AIDC_PENDING_EVENT_H

#include "../core/simulator/event-order.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"

#include <cstdint>

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

} // namespace ns3::aidc

#endif // AIDC_PENDING_EVENT_H
