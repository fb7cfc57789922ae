/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-tracks.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace ns3::aidc
{

std::vector<uint32_t>
AssignTracks(const std::vector<TimeInterval>& intervals)
{
    std::vector<std::size_t> order(intervals.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&intervals](std::size_t a, std::size_t b) {
        return intervals[a].begin < intervals[b].begin;
    });
    // With the smallest first: when tracks become free, and those that are free
    using End = std::pair<int64_t, uint32_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free;
    std::vector<uint32_t> tracks(intervals.size());
    uint32_t nTracks = 0;
    for (const std::size_t i : order)
    {
        const TimeInterval& interval = intervals[i];
        while (!ends.empty() && ends.top().first <= interval.begin)
        {
            free.push(ends.top().second);
            ends.pop();
        }
        if (free.empty())
        {
            free.push(nTracks++);
        }
        tracks[i] = free.top();
        free.pop();
        ends.emplace(std::max(interval.end, interval.begin + 1), tracks[i]);
    }
    return tracks;
}

} // namespace ns3::aidc
