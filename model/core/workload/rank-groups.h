/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_RANK_GROUPS_H
#define AIDC_RANK_GROUPS_H

#include "rank-program.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * Groups of ranks at a distance.
 */

namespace ns3::aidc
{

/// Groups in which each rank is at most once; none if nobody communicates.
using RankGroups = std::vector<RankGroup>;

/// Divide consecutive ranks into groups: blocks of count * distance ranks, by their remainder.
/// @param first the first rank
/// @param n the number of ranks, a multiple of count * distance
/// @param count the ranks of a group
/// @param distance between two of them
/// @return the groups; none if they would have one rank each
RankGroups MakeRankGroups(uint32_t first, uint32_t n, uint32_t count, uint32_t distance);

} // namespace ns3::aidc

#endif // AIDC_RANK_GROUPS_H
