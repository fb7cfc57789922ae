/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-time-sums.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

std::vector<TimeInterval>
JoinIntervals(std::vector<TimeInterval> intervals)
{
    std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) {
        return a.begin < b.begin;
    });
    std::vector<TimeInterval> joined;
    for (const auto& interval : intervals)
    {
        if (interval.GetLength() <= 0)
        {
            continue;
        }
        if (!joined.empty() && interval.begin <= joined.back().end)
        {
            joined.back().end = std::max(joined.back().end, interval.end);
        }
        else
        {
            joined.push_back(interval);
        }
    }
    return joined;
}

std::vector<TimeInterval>
SubtractIntervals(const std::vector<TimeInterval>& from, const std::vector<TimeInterval>& others)
{
    std::vector<TimeInterval> left;
    std::size_t next = 0; // the first one of the others that ends after the present time
    for (const auto& interval : from)
    {
        int64_t begin = interval.begin;
        while (next < others.size() && others[next].end <= begin)
        {
            ++next;
        }
        for (std::size_t i = next; i < others.size() && others[i].begin < interval.end; ++i)
        {
            if (others[i].begin > begin)
            {
                left.push_back({begin, others[i].begin});
            }
            begin = others[i].end;
        }
        if (begin < interval.end)
        {
            left.push_back({begin, interval.end});
        }
    }
    return left;
}

int64_t
GetTotalLength(const std::vector<TimeInterval>& intervals)
{
    int64_t sum = 0;
    for (const auto& interval : intervals)
    {
        sum += interval.GetLength();
    }
    return sum;
}

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
