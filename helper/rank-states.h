/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_STATES_H
#define AIDC_RANK_STATES_H

#include "ns3/nstime.h"
#include "ns3/rank-application.h"

#include <string>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief The record of a rank's program.
 */
struct RankRecord
{
    bool isDone{false}; //!< whether all of its operations have ended
    Time finish;        //!< when the last one ended; 0 if not

    /// Why it cannot end: rank, peer, time and cause of a message that could not be sent; or empty.
    std::string failure;
    Time failureTime; //!< when that was; 0 without a failure
};

/**
 * @ingroup aidc
 * @brief What is known of a rank's program.
 */
struct RankState
{
    RankRecord record;                     //!< whether it is done
    std::vector<RankOperationTimes> times; //!< the times of its operations
};

/// @ingroup aidc
/// @brief Exchange the states of programs with other processes (MpiRanks), each of which calls it
/// at
///        the same point.
/// @param [in,out] states the states by rank; those of other processes have no times before
void GatherRankStates(std::vector<RankState>& states);

} // namespace ns3::aidc

#endif // AIDC_RANK_STATES_H
