// SPDX-License-Identifier: GPL-2.0-only

// DCQCN's notification point: at most one congestion notification packet in an interval.

#include "model/core/transport/dcqcn-reaction-point.h"
#include "test/core/core-test.h"

TEST(CnpGate, TheFirstMarkPassesAtOnceAndThenOneInAnInterval)
{
    CnpGate gate;
    EXPECT_TRUE(gate.Pass(0, 50000));
    EXPECT_FALSE(gate.Pass(0, 50000));
    EXPECT_FALSE(gate.Pass(49999, 50000));
    EXPECT_TRUE(gate.Pass(50000, 50000));
    EXPECT_FALSE(gate.Pass(99999, 50000)) << "the interval begins with the last CNP";
    EXPECT_TRUE(gate.Pass(170000, 50000));
    EXPECT_FALSE(gate.Pass(200000, 50000)) << "not on a grid";
}

TEST(CnpGate, NoIntervalIsACnpForEachMark)
{
    CnpGate gate;
    EXPECT_TRUE(gate.Pass(7, 0));
    EXPECT_TRUE(gate.Pass(7, 0));
}

RC_GTEST_PROP(CnpGate, LetsOnePassInAnIntervalWhereMarksAreDense, ())
{
    const auto interval = DrawInRange<int64_t>(1, 100);
    const auto begin = DrawInRange<int64_t>(0, 1000);
    CnpGate gate;
    for (int64_t i = 0; i < 10 * interval; ++i)
    {
        RC_ASSERT(gate.Pass(begin + i, interval) == (i % interval == 0));
    }
}
