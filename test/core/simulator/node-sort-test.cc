// SPDX-License-Identifier: GPL-2.0-only

// Items sorted by node, against std::stable_sort.

#include "model/core/simulator/window-calendar.h"
#include "test/core/core-test.h"

/// What is sorted.
struct Item
{
    uint32_t node;  //!< the node
    uint32_t place; //!< where it was before

    bool operator==(const Item& other) const
    {
        return node == other.node && place == other.place;
    }
};

RC_GTEST_PROP(SortByNode, IsAStableSort, ())
{
    // With few nodes they are counted; with ids up to 2^32 - 1 that would take all memory.
    const uint32_t last = DrawElement<uint32_t>({0, 5, 300, UINT32_MAX - 1});
    const auto nodes =
        *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(0, last + 1));
    std::vector<Item> items;
    for (const uint32_t node : nodes)
    {
        items.push_back({node, static_cast<uint32_t>(items.size())});
    }
    auto expected = items;
    std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) {
        return a.node < b.node;
    });
    std::vector<Item> memory{{7, 7}};
    std::vector<uint32_t> places{9};
    SortByNode(items, memory, places, [](const Item& item) { return item.node; });
    RC_ASSERT(items == expected);
}
