// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/max-min-share.h"
#include "test/core/core-test.h"

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/// Worked by hand.
TEST(MaxMinShare, SmallDemandsLeaveTheirRestToTheOthers)
{
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(100, {10, 20, 60, 90}), 35);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(100, {90, 10, 60, 20}), 35);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(98, {INFINITE, INFINITE, INFINITE, INFINITE}), 24.5);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(95, {30, 30, 30}), INFINITE) << "nobody needs a limit";
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(90, {30, 30, 30}), INFINITE);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(89, {30, 30, 30}), 89.0 / 3);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(100, {0, INFINITE, 30, 0}), 70);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(100, {}), INFINITE);
    EXPECT_DOUBLE_EQ(ComputeMaxMinShare(0, {1, 2}), 0);
}

/// All have the share or their demand, and together the capacity.
RC_GTEST_PROP(MaxMinShare, TheCapacityIsUsed, ())
{
    const auto demands = *rc::gen::nonEmpty(rc::gen::container<std::vector<double>>(
        rc::gen::map(rc::gen::inRange(0, 1000), [](int d) { return static_cast<double>(d); })));
    const double capacity = DrawInRange(1, 20000);
    const double share = ComputeMaxMinShare(capacity, demands);
    double sum = 0;
    for (const double demand : demands)
    {
        sum += std::min(demand, share);
    }
    const double all = std::accumulate(demands.begin(), demands.end(), 0.0);
    RC_ASSERT((share == INFINITE) == (all <= capacity));
    RC_ASSERT(std::abs(sum - std::min(all, capacity)) < 1e-6 * capacity);
}
