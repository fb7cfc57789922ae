/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-groups.h"

#include <memory>
#include <utility>

namespace ns3::aidc
{

RankGroups
MakeRankGroups(uint32_t first, uint32_t n, uint32_t count, uint32_t distance)
{
    RankGroups groups;
    if (count == 1)
    {
        return groups;
    }
    for (uint32_t block = first; block < first + n; block += count * distance)
    {
        for (uint32_t rank = block; rank < block + distance; ++rank)
        {
            std::vector<uint32_t> ranks;
            for (uint32_t i = 0; i < count; ++i)
            {
                ranks.push_back(rank + i * distance);
            }
            groups.push_back(std::make_shared<const std::vector<uint32_t>>(std::move(ranks)));
        }
    }
    return groups;
}

} // namespace ns3::aidc
