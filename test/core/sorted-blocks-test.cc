/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Values sorted by their keys, against std::map.

#include "ns3/sorted-blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <rapidcheck/gtest.h>
#include <utility>
#include <vector>

using namespace ns3::aidc;

namespace
{

using Blocks = SortedBlocks<uint32_t, uint32_t>;
using Reference = std::map<uint32_t, uint32_t>;

/// The first values.
std::vector<uint32_t>
GetFirst(const Blocks& blocks, std::size_t n)
{
    std::vector<uint32_t> values;
    blocks.VisitFirst(n, [&values](std::size_t place, uint32_t value) {
        EXPECT_EQ(place, values.size());
        values.push_back(value);
    });
    return values;
}

/// The first values of the reference.
std::vector<uint32_t>
GetFirst(const Reference& reference, std::size_t n)
{
    std::vector<uint32_t> values;
    for (auto i = reference.begin(); i != reference.end() && values.size() < n; ++i)
    {
        values.push_back(i->second);
    }
    return values;
}

/// Adds to both.
void
Insert(Blocks& blocks, Reference& reference, uint32_t key, uint32_t value)
{
    EXPECT_EQ(blocks.Insert(key, value), reference.insert({key, value}).second);
}

/// Removes the first one of both, which are not empty.
void
PopFront(Blocks& blocks, Reference& reference)
{
    EXPECT_EQ(blocks.GetFront().key, reference.begin()->first);
    EXPECT_EQ(blocks.GetFront().value, reference.begin()->second);
    blocks.PopFront();
    reference.erase(reference.begin());
}

/// Both hold the same, and are empty then.
void
ExpectEqual(Blocks& blocks, Reference& reference)
{
    EXPECT_EQ(GetFirst(blocks, reference.size() + 1), GetFirst(reference, reference.size()));
    while (!reference.empty())
    {
        ASSERT_FALSE(blocks.IsEmpty());
        PopFront(blocks, reference);
    }
    EXPECT_TRUE(blocks.IsEmpty());
}

/// Adds keys in an order, each twice, and takes all out from the front.
void
CheckOrder(const std::vector<uint32_t>& keys)
{
    Blocks blocks;
    Reference reference;
    for (int round = 0; round < 2; ++round)
    {
        for (const uint32_t key : keys)
        {
            Insert(blocks, reference, key, ~key);
            Insert(blocks, reference, key, 0);
        }
        ExpectEqual(blocks, reference);
    }
}

TEST(SortedBlocks, IsEmptyAtFirst)
{
    Blocks blocks;
    EXPECT_TRUE(blocks.IsEmpty());
    EXPECT_FALSE(blocks.Remove(1));
    EXPECT_TRUE(GetFirst(blocks, 3).empty());
}

TEST(SortedBlocks, SortsWhateverTheOrder)
{
    std::vector<uint32_t> keys(1000);
    for (uint32_t i = 0; i < keys.size(); ++i)
    {
        keys[i] = 10 * i;
    }
    CheckOrder(keys);
    CheckOrder({keys.rbegin(), keys.rend()});
    std::mt19937 random(1);
    std::shuffle(keys.begin(), keys.end(), random);
    CheckOrder(keys);
}

TEST(SortedBlocks, ServesAsAQueueOfEvents)
{
    // The first one leaves, and others come in behind it: near by, far off, or last of all.
    Blocks blocks;
    Reference reference;
    std::mt19937 random(1);
    Insert(blocks, reference, 0, 0);
    for (uint32_t i = 1; i < 100000; ++i)
    {
        const uint32_t now = reference.begin()->first;
        if (reference.size() > 3000 || (reference.size() > 1 && random() % 2 == 0))
        {
            PopFront(blocks, reference);
        }
        const uint32_t delays[] = {1 + static_cast<uint32_t>(random() % 10), 20000, 30000};
        Insert(blocks, reference, now + delays[random() % 3], i);
        if (random() % 50 == 0)
        {
            const auto victim = std::next(reference.begin(), random() % reference.size());
            Insert(blocks, reference, victim->first + 1, i); // that it is not the only one
            EXPECT_TRUE(blocks.Remove(victim->first));
            reference.erase(victim);
        }
        ASSERT_EQ(GetFirst(blocks, 9), GetFirst(reference, 9));
    }
    ExpectEqual(blocks, reference);
}

RC_GTEST_PROP(SortedBlocks, DoesWhatAMapDoes, ())
{
    Blocks blocks;
    Reference reference;
    const auto operations = *rc::gen::container<std::vector<std::pair<uint32_t, uint32_t>>>(
        1000,
        rc::gen::pair(rc::gen::inRange<uint32_t>(0, 6), rc::gen::inRange<uint32_t>(0, 600)));
    for (const auto& [operation, key] : operations)
    {
        if (operation == 0 && !reference.empty())
        {
            PopFront(blocks, reference);
        }
        else if (operation == 1)
        {
            EXPECT_EQ(blocks.Remove(key), reference.erase(key) > 0);
        }
        else
        {
            Insert(blocks, reference, key, operation);
        }
        RC_ASSERT(blocks.IsEmpty() == reference.empty());
        RC_ASSERT(GetFirst(blocks, 5) == GetFirst(reference, 5));
    }
    ExpectEqual(blocks, reference);
}

} // namespace
