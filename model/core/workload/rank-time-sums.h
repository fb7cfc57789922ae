/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_TIME_SUMS_H
#define AIDC_RANK_TIME_SUMS_H

#include "collective-kind.h"
#include "rank-program.h"

#include <cstdint>
#include <map>
#include <vector>

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

/// When an operation of a rank was under way.
struct OperationInterval
{
    TimeInterval time;      //!< from its start to its end, or to the end of the simulation
    bool hasStarted{false}; //!< whether it has started; otherwise there is no time
    bool hasEnded{false};   //!< whether it has ended
    bool isLeapt{false};    //!< whether it was accounted for, and not executed
};

/// The intervals of a rank's operations, by their number.
using OperationIntervals = std::vector<OperationInterval>;

/// What a rank has done, and for how long; in ns.
struct RankTimeSums
{
    /// How long at least one unit has computed. Delays (RankProgram::NO_UNIT) do not compute.
    int64_t computation{0};

    /// How long at least one collective or message was under way. A message that is received is so
    /// from when the rank waits for it.
    int64_t communication{0};

    /// How long communication was under way while no unit computed: exposed communication. It has
    /// the waits for other ranks that are not as far.
    int64_t exposed{0};

    int64_t sends{0};                              //!< the sum over messages that are sent
    int64_t receives{0};                           //!< the sum over messages that are received
    std::map<CollectiveKind, int64_t> collectives; //!< the sum over collectives, by kind

    int64_t finish{0}; //!< when the last operation ended
};

/// @brief Add up what a rank has done.
/// @param program the program of the rank
/// @param times when its operations were under way
/// @return the sums
/// @throws std::logic_error if there are more or fewer times than operations
RankTimeSums SumRankTimes(const RankProgram& program, const OperationIntervals& times);

/// @brief Find the slowest rank: the one that computes longest, as the others wait for it; of
///        those that compute equally long, the one that ends last; the first one of those.
/// @param sums the sums by rank, at least one
/// @return the rank
uint32_t FindSlowestRank(const std::vector<RankTimeSums>& sums);

} // namespace ns3::aidc

#endif // AIDC_RANK_TIME_SUMS_H
