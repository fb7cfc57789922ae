/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-time-sums.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

RankTimeSums
SumRankTimes(const RankProgram& program, const OperationIntervals& times)
{
    if (times.size() != program.GetN())
    {
        throw std::logic_error("expected a time for each operation of the rank");
    }
    RankTimeSums sums;
    std::vector<TimeInterval> computations;
    std::vector<TimeInterval> communications;
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        if (!times[i].hasStarted)
        {
            continue;
        }
        const TimeInterval& time = times[i].time;
        const RankOperation& operation = program.Get(i);
        sums.finish = times[i].hasEnded ? std::max(sums.finish, time.end) : sums.finish;
        switch (operation.kind)
        {
        case RankOperationKind::COMPUTE:
            if (operation.peer != RankProgram::NO_UNIT)
            {
                computations.push_back(time);
            }
            continue;
        case RankOperationKind::SEND:
            sums.sends += time.GetLength();
            break;
        case RankOperationKind::RECEIVE:
            sums.receives += time.GetLength();
            break;
        case RankOperationKind::COLLECTIVE:
            sums.collectives[program.GetCollective(i).schedule.GetKind()] += time.GetLength();
            break;
        }
        communications.push_back(time);
    }
    computations = JoinIntervals(std::move(computations));
    communications = JoinIntervals(std::move(communications));
    sums.computation = GetTotalLength(computations);
    sums.communication = GetTotalLength(communications);
    sums.exposed = GetTotalLength(SubtractIntervals(communications, computations));
    return sums;
}

uint32_t
FindSlowestRank(const std::vector<RankTimeSums>& sums)
{
    const auto slowest =
        std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
            return std::tie(a.computation, a.finish) < std::tie(b.computation, b.finish);
        });
    return static_cast<uint32_t>(slowest - sums.begin());
}

} // namespace ns3::aidc
