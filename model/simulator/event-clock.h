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
 * @ingroup aidc
 * What a packet asks of the simulator at each hop. While time windows run, they are asked directly:
 * ns3::Simulator finds its implementation and makes a Time first, which takes more instructions
 * than a clock has work.
 */

namespace ns3::aidc
{

/// Simulator::Now() in time steps.
/// @return the time
inline int64_t
GetTimeStepNow()
{
    const auto* windows = TimeWindowSimulatorImpl::GetRunning();
    return windows ? windows->GetTimeStep() : Simulator::Now().GetTimeStep();
}

/// Simulator::Now().
/// @return the time
inline Time
GetTimeNow()
{
    return TimeStep(static_cast<uint64_t>(GetTimeStepNow()));
}

/// Simulator::ScheduleWithContext().
/// @param node the node whose event it is
/// @param delay the time until then
/// @param event the event
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
