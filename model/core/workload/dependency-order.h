/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_DEPENDENCY_ORDER_H
#define AIDC_DEPENDENCY_ORDER_H

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// Put items into an order in which each one comes after those that it depends on.
///
/// Where dependencies leave a choice, the item of the lowest number comes first.
/// @param after by item, the numbers of the items that it depends on
/// @param cycle a cycle, if there is one: each item depends on the next one, and the last one on
///        the first one; otherwise empty
/// @return the numbers of the items in order; some are missing if there is a cycle
std::vector<uint32_t> SortByDependencies(const std::vector<std::vector<uint32_t>>& after,
                                         std::vector<uint32_t>& cycle);

} // namespace ns3::aidc

#endif // AIDC_DEPENDENCY_ORDER_H
