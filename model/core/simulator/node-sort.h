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
 * Declaration of ns3::aidc::SortByNode.
 */

namespace ns3::aidc
{

/**
 * @brief Sort items by node; those of a node keep their order.
 *
 * It takes linear time (a counting sort) unless the nodes' ids are much larger than the number of
 * items.
 *
 * @tparam T the type of the items
 * @tparam GetNode the type of getNode
 * @param [in,out] items the items
 * @param [in,out] memory used to sort; of any content
 * @param [in,out] places used to sort; of any content
 * @param getNode takes an item and returns the id of its node
 */
template <typename T, typename GetNode>
void
SortByNode(std::vector<T>& items,
           std::vector<T>& memory,
           std::vector<uint32_t>& places,
           const GetNode& getNode)
{
    constexpr std::size_t PER_ITEM = 8; // beyond that, most of the counters would be for nothing
    uint32_t last = 0;
    for (const auto& item : items)
    {
        last = std::max(last, getNode(item));
    }
    if (last / PER_ITEM > items.size())
    {
        std::stable_sort(items.begin(), items.end(), [&getNode](const T& a, const T& b) {
            return getNode(a) < getNode(b);
        });
        return;
    }
    places.assign(last + std::size_t{1}, 0);
    for (const auto& item : items)
    {
        ++places[getNode(item)];
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
        memory[places[getNode(item)]++] = item;
    }
    items.swap(memory);
}

} // namespace ns3::aidc

#endif // AIDC_NODE_SORT_H
