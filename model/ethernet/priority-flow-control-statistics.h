/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRIORITY_FLOW_CONTROL_STATISTICS_H
#define AIDC_PRIORITY_FLOW_CONTROL_STATISTICS_H

#include "../core/ethernet/mac-control.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The counters of a port's PAUSE and priority flow control.
 */
struct PriorityFlowControlStatistics
{
    /// Counters of a priority. A frame for several priorities counts for each of them.
    struct Priority
    {
        uint64_t sentXoff{0};     //!< frames sent to stop it, repetitions included
        uint64_t sentXon{0};      //!< frames sent to resume it
        uint64_t receivedXoff{0}; //!< PFC frames received that stop it
        uint64_t receivedXon{0};  //!< PFC frames received that resume it
        uint64_t pauses{0};       //!< times that it was stopped, by PFC or PAUSE
        uint64_t storms{0};       //!< times that the watchdog has found a storm
        Time paused;              //!< how long it was stopped, by PFC or PAUSE
    };

    std::array<Priority, PFC_PRIORITIES> priorities; //!< by priority
    uint64_t sentPause{0};                           //!< PAUSE frames sent
    uint64_t receivedPause{0};                       //!< PAUSE frames received
    uint64_t unknown{0}; //!< frames received that are neither PFC nor PAUSE
};

} // namespace ns3::aidc

#endif // AIDC_PRIORITY_FLOW_CONTROL_STATISTICS_H
