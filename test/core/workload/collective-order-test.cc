// SPDX-License-Identifier: GPL-2.0-only

// The order of collectives, worked out by hand: 50 bytes take a nanosecond.

#include "model/core/workload/dependency-order.h"
#include "test/core/core-test.h"

using Kind = OrderedStep::Kind;
using Numbers = std::vector<uint32_t>;

OrderedStep
Compute(uint64_t nanoseconds, const Numbers& after = {}, uint32_t unit = 0)
{
    return {Kind::COMPUTE, nanoseconds, unit, 0, after};
}

OrderedStep
Collect(uint64_t number, const Numbers& after = {})
{
    return {Kind::COLLECTIVE, number, 0, 0, after};
}

TEST(CollectiveOrder, EarlyOnesDoNotWaitForLateOnes)
{
    // The collective of the lower id waits for 2 ms of computation at one rank
    EXPECT_EQ(EstimateCollectiveOrder(
                  {{Compute(2000000), Collect(0, {0}), Collect(1)}, {Collect(0), Collect(1)}},
                  {{0, 2, 1000, 1}, {0, 2, 1000, 2}}),
              (Numbers{1, 0}));
}

TEST(CollectiveOrder, IdsBreakTies)
{
    EXPECT_EQ(EstimateCollectiveOrder({{Collect(0), Collect(1), Collect(2)}},
                                      {{0, 1, 10, 7}, {0, 1, 10, 5}, {0, 1, 10, 6}}),
              (Numbers{1, 2, 0}));
    // Both become ready at 10 ns, by way of units that compute one thing after another
    EXPECT_EQ(EstimateCollectiveOrder(
                  {{Compute(4), Compute(6), Compute(10, {}, 1), Collect(1, {2}), Collect(0, {1})}},
                  {{0, 1, 10, 1}, {0, 1, 10, 2}}),
              (Numbers{0, 1}));
}

TEST(CollectiveOrder, AGroupDoesOneAtATime)
{
    // 0 takes 100 ns; 1 is ready at 50 ns and 2 at 40 ns; 3, of another group, at 45 ns
    EXPECT_EQ(EstimateCollectiveOrder({{Collect(0),
                                        Compute(50, {}, 1),
                                        Collect(1, {1}),
                                        Compute(40, {}, 2),
                                        Collect(2, {3}),
                                        Compute(45, {}, 3),
                                        Collect(3, {5})}},
                                      {{0, 1, 5000, 0}, {0, 1, 1, 1}, {0, 1, 1, 2}, {9, 1, 1, 3}}),
              (Numbers{0, 3, 2, 1}));
}

TEST(CollectiveOrder, MessagesTakeTime)
{
    // Collective 0 waits for a message of 5000 bytes, and 1 for a computation of 99 or 101 ns
    for (const uint64_t nanoseconds : {99, 101})
    {
        const OrderedStep send{Kind::SEND, 5000, 1, 8, {}};
        const OrderedStep receive{Kind::RECEIVE, 5000, 0, 8, {}};
        EXPECT_EQ(EstimateCollectiveOrder(
                      {{send, Collect(0), Collect(1)},
                       {receive, Collect(0, {0}), Compute(nanoseconds), Collect(1, {2})}},
                      {{0, 2, 1, 1}, {0, 2, 1, 2}}),
                  nanoseconds < 100 ? (Numbers{1, 0}) : (Numbers{0, 1}));
    }
}

TEST(CollectiveOrder, WhatNeverStartsIsMissing)
{
    EXPECT_EQ(
        EstimateCollectiveOrder({{Collect(0), Collect(1, {0})}, {Collect(0, {1}), Collect(1)}},
                                {{0, 2, 1, 1}, {1, 2, 1, 2}}),
        Numbers{});
}
