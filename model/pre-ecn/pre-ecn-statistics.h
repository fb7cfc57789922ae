/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_STATISTICS_H
#define AIDC_PRE_ECN_STATISTICS_H

#include "../core/pre-ecn/pre-ecn-marker.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/// @ingroup aidc
/// The counters of a PreEcnQueue.
struct PreEcnStatistics
{
    std::array<uint64_t, PRE_ECN_REGIONS> packets{}; //!< packets by the region of their arrival
    std::array<int64_t, PRE_ECN_REGIONS> time{};     //!< time of the average in each region, in ns
    uint64_t lightMarks{0};                          //!< packets marked ECT(1), here or before
    uint64_t severeMarks{0};                         //!< packets marked CE, here or before
    uint64_t notEctDrops{0}; //!< packets dropped because they cannot be marked CE
    uint64_t unmarkable{0};  //!< packets chosen for a mark whose items cannot be changed
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_STATISTICS_H
