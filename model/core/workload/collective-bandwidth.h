/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_COLLECTIVE_BANDWIDTH_H
#define AIDC_COLLECTIVE_BANDWIDTH_H

#include "collective-schedule.h"

#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief The bandwidth of a collective, as NCCL's tests define it (PERFORMANCE.md of nccl-tests).
 *
 * The bus bandwidth does not depend on the number of members: if all members send at the rate of
 * their links, it is this rate, for any collective and any number of members.
 */
struct CollectiveBandwidth
{
    double algorithm{0}; //!< size over time, in bytes a second
    double bus{0};       //!< the same, times GetBusFactor()
};

/// Get the factor between bus and algorithm bandwidth.
/// @param kind the collective
/// @param nMembers the number of members n, at least 1
/// @return 2 (n - 1) / n for all-reduce; (n - 1) / n for all-gather, reduce-scatter and all-to-all;
///         1 for a broadcast
double GetBusFactor(CollectiveKind kind, uint32_t nMembers);

/// @param kind the collective
/// @param nMembers the number of members, at least 1
/// @param bytes the size, as in CollectiveSchedule; with unequal sizes of an all-to-all, the most
/// that
///        a member sends or gets, those bytes for itself included (CollectiveSizes::GetBytes())
/// @param seconds the time that it took, above 0
/// @return the bandwidth
CollectiveBandwidth GetCollectiveBandwidth(CollectiveKind kind,
                                           uint32_t nMembers,
                                           uint64_t bytes,
                                           double seconds);

} // namespace ns3::aidc

#endif // AIDC_COLLECTIVE_BANDWIDTH_H
