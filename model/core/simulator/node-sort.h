/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_NODE_SORT_H
#define AIDC_NODE_SORT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * Declaration of ns3::aidc::SortByNode.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Sort items by node; those of a node keep their order.
 *
 * It takes linear time (a counting sort) unless the nodes' ids are much larger than the number of
 * items.
 *
 * @tparam T the type of the items, with a member node
 * @param [in,out] items the items
 * @param [in,out] memory used to sort; of any content
 * @param [in,out] places used to sort; of any content
 */
template <typename T>
void
SortByNode(std::vector<T>& items, std::vector<T>& memory, std::vector<uint32_t>& places)
{
    constexpr std::size_t PER_ITEM = 8; // beyond that, most of the counters would be for nothing
    uint32_t last = 0;
    for (const auto& item : items)
    {
        last = std::max(last, item.node);
    }
    if (last / PER_ITEM > items.size())
    {
        std::stable_sort(items.begin(), items.end(), [](const T& a, const T& b) {
            return a.node < b.node;
        });
        return;
    }
    places.assign(last + std::size_t{1}, 0);
    for (const auto& item : items)
    {
        ++places[item.node];
    }
    uint32_t place = 0;
    for (auto& entry : places)
    {
        const uint32_t n = entry;
        entry = place;
        place += n;
    }
    memory.resize(items.size());
    for (const auto& item : items)
    {
        memory[places[item.node]++] = item;
    }
    items.swap(memory);
}

} // namespace ns3::aidc

#endif // AIDC_NODE_SORT_H
