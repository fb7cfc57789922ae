// SPDX-License-Identifier: GPL-2.0-only

// The packets of a port by class, against lists and a search for the class that sends.

#include "model/core/buffer/port-queues.h"
#include "test/core/core-test.h"

/// A packet: its size in bytes.
using Item = std::shared_ptr<uint32_t>;

TEST(PortQueues, APausedClassWaitsAndIsNotChosen)
{
    PortQueues<Item> queues(2);
    queues.Push(1, std::make_shared<uint32_t>(100));
    queues.SetPaused(1, true);
    const auto size = [](uint32_t) -> uint32_t { return 100; };
    EXPECT_TRUE(queues.IsWaiting(1));
    EXPECT_FALSE(queues.IsReady());
    EXPECT_EQ(queues.Next(size), PortQueues<Item>::NONE);
    queues.SetPaused(1, false);
    EXPECT_EQ(queues.Next(size), 1U);
}

TEST(PortQueues, AClassMayHaveItsPacketsElsewhere)
{
    PortQueues<Item> queues(3);
    queues.SetWaiting(2, true);
    EXPECT_EQ(queues.Next([](uint32_t) -> uint32_t { return 1; }), 2U);
    EXPECT_EQ(queues.Pop(2), nullptr);
    EXPECT_TRUE(queues.IsWaiting(2)); // as told
    queues.SetWaiting(2, false);
    EXPECT_FALSE(queues.IsReady());
}

RC_GTEST_PROP(PortQueues, KeepTheOrderOfEachClassAndServeThePriorities, ())
{
    constexpr uint32_t CLASSES = 4;
    PortQueues<Item> queues(CLASSES); // without quanta: the highest class goes first
    std::array<std::deque<Item>, CLASSES> lists;
    std::array<bool, CLASSES> isPaused{};
    const auto steps = *rc::gen::container<std::vector<uint32_t>>(rc::gen::arbitrary<uint32_t>());
    for (const uint32_t step : steps)
    {
        const uint32_t index = step / 8 % CLASSES;
        switch (step % 8)
        {
        case 0:
            isPaused[index] = !isPaused[index];
            queues.SetPaused(index, isPaused[index]);
            break;
        case 1:
        case 2:
        case 3:
        case 4:
            lists[index].push_back(std::make_shared<uint32_t>(step));
            queues.Push(index, lists[index].back());
            break;
        default: {
            uint32_t expected = PortQueues<Item>::NONE;
            for (uint32_t i = 0; i < CLASSES; ++i)
            {
                expected = !lists[i].empty() && !isPaused[i] ? i : expected;
            }
            const uint32_t chosen = queues.Next([&](uint32_t i) { return *queues.GetFront(i); });
            RC_ASSERT(chosen == expected);
            if (chosen != PortQueues<Item>::NONE)
            {
                RC_ASSERT(queues.Pop(chosen) == lists[chosen].front());
                lists[chosen].pop_front();
            }
        }
        }
        for (uint32_t i = 0; i < CLASSES; ++i)
        {
            RC_ASSERT(queues.IsWaiting(i) == !lists[i].empty());
        }
    }
    for (uint32_t i = 0; i < CLASSES; ++i)
    {
        for (const auto& item : lists[i])
        {
            RC_ASSERT(queues.Pop(i) == item);
        }
        RC_ASSERT(queues.Pop(i) == nullptr);
    }
}
