/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-intervals.h"

#include <algorithm>
#include <cstddef>

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

} // namespace ns3::aidc
