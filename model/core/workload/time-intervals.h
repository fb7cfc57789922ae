/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_TIME_INTERVALS_H
#define AIDC_TIME_INTERVALS_H

#include <cstdint>
#include <vector>

/**
 * @file
 * Sets of times, as intervals.
 */

namespace ns3::aidc
{

/// The times from its begin up to, but without, its end.
struct TimeInterval
{
    int64_t begin{0}; //!< the first time, in ns
    int64_t end{0};   //!< the end, in ns, not before the begin

    /// @return its length in ns
    int64_t GetLength() const
    {
        return end - begin;
    }
};

/// @brief Get the times that are in at least one interval.
/// @param intervals intervals in any order, which may overlap
/// @return the same times as intervals that are apart, by time; none is empty
std::vector<TimeInterval> JoinIntervals(std::vector<TimeInterval> intervals);

/// @brief Get the times that are in some intervals but not in others.
/// @param from what JoinIntervals() returned
/// @param others what JoinIntervals() returned
/// @return the times of the former that are not among the latter, in the same form
std::vector<TimeInterval> SubtractIntervals(const std::vector<TimeInterval>& from,
                                            const std::vector<TimeInterval>& others);

/// Add up lengths. @return the sum of their lengths in ns
int64_t GetTotalLength(const std::vector<TimeInterval>& intervals);

} // namespace ns3::aidc

#endif // AIDC_TIME_INTERVALS_H
