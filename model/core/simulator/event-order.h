/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EVENT_ORDER_H
#define AIDC_EVENT_ORDER_H

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The place of an event among those of its node, and among those without a node.
 *
 * It is made of what every way of running the simulation agrees on: when the event happens, when it
 * was scheduled, and by whom. The order in which a simulator happens to reach two nodes is not in
 * it. For events scheduled by one node, or by events without a node, it is the order of
 * scheduling, as in ns-3's default simulator.
 */
struct EventOrder
{
    uint64_t time{0};      //!< when the event happens, in time steps
    uint64_t scheduled{0}; //!< when it was scheduled, in time steps
    uint32_t phase{0};     //!< how many events without a node had been run then
    uint32_t scheduler{0}; //!< who scheduled it: 0 for an event without a node, a node's id plus 1
    uint64_t number{0};    //!< counts what the simulator has been given, from 1
};

/// @brief Tell whether an event comes before another one.
/// @param a the event
/// @param b the other one
/// @return whether it does
inline bool
operator<(const EventOrder& a, const EventOrder& b)
{
    if (a.time != b.time)
    {
        return a.time < b.time;
    }
    if (a.scheduled != b.scheduled)
    {
        return a.scheduled < b.scheduled;
    }
    if (a.phase != b.phase)
    {
        return a.phase < b.phase;
    }
    if (a.scheduler != b.scheduler)
    {
        return a.scheduler < b.scheduler;
    }
    return a.number < b.number;
}

} // namespace ns3::aidc

#endif // AIDC_EVENT_ORDER_H
