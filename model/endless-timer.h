/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ENDLESS_TIMER_H
#define AIDC_ENDLESS_TIMER_H

/**
 * @file
 * @ingroup aidc
 * Timers that a simulation does not end by itself with.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Note that a timer has expired that sets itself again for ever, such as a sampler's.
 *
 * ns-3 does not tell what else is scheduled. So if nothing but such timers has expired for 10 s of
 * simulated time, the user is told on the standard error stream, once a simulation, that they go on
 * until Simulator::Stop(). Without it, that would be for ever, and in silence.
 */
void NoteEndlessTimer();

} // namespace ns3::aidc

#endif // AIDC_ENDLESS_TIMER_H
