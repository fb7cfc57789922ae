/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ENDLESS_TIMER_H
#define AIDC_ENDLESS_TIMER_H

/**
 * @file
 * Timers that a simulation does not end by itself with.
 */

namespace ns3::aidc
{

/**
 * @brief Note that a timer has expired that sets itself again for ever, such as a sampler's.
 *
 * ns-3 does not tell which other events are scheduled. So if only such timers have expired for 10 s
 * of simulated time, a warning on the standard error stream, once a simulation, says that they
 * continue until Simulator::Stop(). Without that call the simulation would run for ever, silently.
 */
void NoteEndlessTimer();

} // namespace ns3::aidc

#endif // AIDC_ENDLESS_TIMER_H
