/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dependency-order.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>

namespace ns3::aidc
{

std::vector<uint32_t>
SortByDependencies(const std::vector<std::vector<uint32_t>>& after, std::vector<uint32_t>& cycle)
{
    const auto n = static_cast<uint32_t>(after.size());
    std::vector<std::size_t> nLeft(n);
    std::vector<std::vector<uint32_t>> next(n);
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> ready;
    for (uint32_t item = 0; item < n; ++item)
    {
        nLeft[item] = after[item].size();
        for (const uint32_t other : after[item])
        {
            next[other].push_back(item);
        }
        if (nLeft[item] == 0)
        {
            ready.push(item);
        }
    }
    std::vector<uint32_t> order;
    order.reserve(n);
    while (!ready.empty())
    {
        const uint32_t item = ready.top();
        ready.pop();
        order.push_back(item);
        for (const uint32_t other : next[item])
        {
            if (--nLeft[other] == 0)
            {
                ready.push(other);
            }
        }
    }
    cycle.clear();
    if (order.size() == n)
    {
        return order;
    }
    // Each item that is left depends on another one that is left: so a walk along them gets back
    // to where it has been.
    const auto isLeft = [&nLeft](uint32_t item) { return nLeft[item] > 0; };
    std::vector<bool> isVisited(n);
    auto item = static_cast<uint32_t>(
        std::find_if(nLeft.begin(), nLeft.end(), [](std::size_t left) { return left > 0; }) -
        nLeft.begin());
    while (!isVisited[item])
    {
        isVisited[item] = true;
        cycle.push_back(item);
        item = *std::find_if(after[item].begin(), after[item].end(), isLeft);
    }
    cycle.erase(cycle.begin(), std::find(cycle.begin(), cycle.end(), item));
    return order;
}

} // namespace ns3::aidc
