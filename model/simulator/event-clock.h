/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EVENT_CLOCK_H
#define AIDC_EVENT_CLOCK_H

#include "time-window-simulator-impl.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstdint>

/**
 * @file
 * The functions of the simulator that each hop of a packet calls. While time windows run, they call
 * TimeWindowSimulatorImpl directly. ns3::Simulator would look up its implementation and make a Time
 * first, which takes more instructions than the function itself.
 */

namespace ns3::aidc
{

/// Get Simulator::Now() in time steps.
inline int64_t
GetTimeStepNow()
{
    const auto* windows = TimeWindowSimulatorImpl::GetRunning();
    return windows ? windows->GetTimeStep() : Simulator::Now().GetTimeStep();
}

/// Get Simulator::Now().
inline Time
GetTimeNow()
{
    return TimeStep(static_cast<uint64_t>(GetTimeStepNow()));
}

/// Schedule an event, as Simulator::ScheduleWithContext() does. node: the node whose event it is;
/// delay: the time until then.
inline void
ScheduleOnNode(uint32_t node, const Time& delay, EventImpl* event)
{
    if (auto* windows = TimeWindowSimulatorImpl::GetRunning())
    {
        windows->ScheduleWithContext(node, delay, event);
    }
    else
    {
        Simulator::ScheduleWithContext(node, delay, event);
    }
}

} // namespace ns3::aidc

#endif // AIDC_EVENT_CLOCK_H
