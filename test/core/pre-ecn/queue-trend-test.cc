// SPDX-License-Identifier: GPL-2.0-only

// Whether a queue is falling, of which the edge of a WAN is notified.

#include "model/core/pre-ecn/notification-gate.h"
#include "test/core/core-test.h"

constexpr int64_t WINDOW = 100;

TEST(QueueTrend, ComparesWithTheLookAWindowAgo)
{
    QueueTrend trend;
    for (int64_t now = 0; now <= 500; now += 10)
    {
        const auto average = static_cast<double>(1000 + now);
        EXPECT_FALSE(trend.IsFalling(now, average, WINDOW)) << "it grows";
    }
    for (int64_t now = 510; now <= 1000; now += 10)
    {
        // Falls as fast as it grew: 50 after the top it is as long as a window before, and 100
        // after the top shorter than two windows before.
        const bool isFalling =
            trend.IsFalling(now, static_cast<double>(1500 - (now - 500)), WINDOW);
        if (now <= 550 || now > 600)
        {
            EXPECT_EQ(isFalling, now > 600) << now;
        }
    }
}

TEST(QueueTrend, ConstantQueueDoesNotFall)
{
    QueueTrend trend;
    for (int64_t now = 0; now <= 1000; now += 10)
    {
        EXPECT_FALSE(trend.IsFalling(now, 5000, WINDOW));
    }
}

TEST(QueueTrend, NewCongestionIsComparedWithNothingOfThePast)
{
    QueueTrend trend;
    trend.IsFalling(0, 9000, WINDOW);
    trend.IsFalling(100, 9000, WINDOW);
    EXPECT_TRUE(trend.IsFalling(110, 8000, WINDOW));
    // No marks for long; then they begin at a shorter queue.
    EXPECT_FALSE(trend.IsFalling(100'000, 2000, WINDOW));
    EXPECT_FALSE(trend.IsFalling(100'010, 1000, WINDOW));
    // Marks are a window and more apart, but not three.
    EXPECT_FALSE(trend.IsFalling(100'150, 2500, WINDOW));
    EXPECT_TRUE(trend.IsFalling(100'290, 2400, WINDOW));
}
