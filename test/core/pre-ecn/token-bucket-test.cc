// SPDX-License-Identifier: GPL-2.0-only

// Token buckets: rate, burst, and that the arithmetic is exact; the meter of rates.

#include "model/core/pre-ecn/edge-flow.h"
#include "model/core/pre-ecn/shaping.h"
#include "test/core/core-test.h"

constexpr uint64_t GIGABIT = 1'000'000'000;
constexpr uint64_t FLOOR = GIGABIT / 10;

/// Let packets of one size leave as soon as they may.
int64_t
Drain(TokenBucket& bucket, int64_t now, uint32_t nPackets, uint32_t bytes)
{
    for (uint32_t i = 0; i < nPackets; ++i)
    {
        now = bucket.GetReadyTime(now, bytes);
        bucket.Take(now, bytes);
    }
    return now;
}

TEST(TokenBucket, BurstLeavesAtOnceAndThenTheRateHolds)
{
    TokenBucket bucket;
    bucket.Start(100, GIGABIT, 3000, 3000); // 8 ns a byte
    EXPECT_EQ(Drain(bucket, 100, 3, 1000), 100);
    EXPECT_EQ(bucket.GetReadyTime(100, 1000), 8100);
    EXPECT_EQ(bucket.GetReadyTime(5000, 1000), 8100) << "asking costs nothing";
    EXPECT_EQ(Drain(bucket, 5000, 10, 1000), 80100);
}

TEST(TokenBucket, MayBeginEmpty)
{
    TokenBucket bucket;
    bucket.Start(100, GIGABIT, 3000, 0);
    EXPECT_EQ(Drain(bucket, 100, 3, 1000), 24100);
    bucket.Start(100, GIGABIT, 3000, 500);
    EXPECT_EQ(Drain(bucket, 100, 3, 1000), 20100);
}

TEST(TokenBucket, FillsUpToTheBurstInAPause)
{
    TokenBucket bucket;
    bucket.Start(0, GIGABIT, 2000, 2000);
    Drain(bucket, 0, 2, 1000);
    EXPECT_EQ(Drain(bucket, 1'000'000'000'000, 2, 1000), 1'000'000'000'000);
    EXPECT_EQ(bucket.GetReadyTime(1'000'000'000'000, 1000), 1'000'000'008'000);
}

TEST(TokenBucket, PacketAboveTheBurstLeavesTheBucketInDebt)
{
    TokenBucket bucket;
    bucket.Start(0, GIGABIT, 1000, 1000);
    EXPECT_EQ(Drain(bucket, 0, 1, 9000), 0);
    // 8,000 bytes are owed, and the next packet waits for a full bucket.
    EXPECT_EQ(bucket.GetReadyTime(0, 9000), 72000);
    EXPECT_EQ(bucket.GetReadyTime(0, 500), 68000);
}

TEST(TokenBucket, ChangedRateHoldsFromThenOn)
{
    TokenBucket bucket;
    bucket.Start(0, GIGABIT, 1000, 1000);
    Drain(bucket, 0, 1, 1000);
    bucket.SetRate(4000, 2 * GIGABIT); // 500 bytes have come in 4 us
    EXPECT_EQ(bucket.GetReadyTime(4000, 1000), 6000);
    bucket.SetRate(4000, GIGABIT / 2);
    EXPECT_EQ(bucket.GetReadyTime(4000, 1000), 12000);
}

TEST(TokenBucket, LargestNumbersFit)
{
    TokenBucket bucket;
    bucket.Start(0, 1, TokenBucket::MAX_BURST, TokenBucket::MAX_BURST);
    bucket.Take(0, TokenBucket::MAX_BURST);
    EXPECT_EQ(bucket.GetReadyTime(0, TokenBucket::MAX_BURST), 8'589'934'592'000'000'000);
    bucket.SetRate(0, 800 * GIGABIT);
    EXPECT_EQ(bucket.GetReadyTime(0, TokenBucket::MAX_BURST), 10'737'418'240 / 1000 + 1);
}

/// In any time t no more leaves than burst + rate * t (and no packet is above the burst); what
/// always waits leaves at the rate, to the nanosecond, after any number of packets.
RC_GTEST_PROP(TokenBucket, KeepsTheRateWithoutDrift, ())
{
    const auto rate = DrawInRange<uint64_t>(1'000'000, 800 * GIGABIT);
    const auto burst = DrawInRange<uint32_t>(1500, 100'000);
    TokenBucket bucket;
    bucket.Start(0, rate, burst, burst);
    uint64_t sent = 0;
    int64_t now = 0;
    for (int i = 0; i < 500; ++i)
    {
        const auto bytes = DrawInRange<uint32_t>(1, 1501);
        now = bucket.GetReadyTime(now, bytes);
        bucket.Take(now, bytes);
        sent += bytes;
        // sent <= burst + rate * now, and at the nanosecond before, it was not so
        const double allowed = burst + static_cast<double>(rate) * static_cast<double>(now) / 8e9;
        RC_ASSERT(static_cast<double>(sent) <= allowed * (1 + 1e-12));
        if (now > 0)
        {
            const double before =
                burst + static_cast<double>(rate) * static_cast<double>(now - 1) / 8e9;
            RC_ASSERT(static_cast<double>(sent) >= before * (1 - 1e-12));
        }
    }
}

TEST(EdgeRateMeter, MeasuresFromPacketToPacket)
{
    EdgeRateMeter meter;
    EXPECT_EQ(meter.GetRate(), 0U);
    meter.Count(0, 1000, 10'000, FLOOR);
    meter.Count(4000, 1000, 10'000, FLOOR);
    meter.Count(8000, 1000, 10'000, FLOOR);
    EXPECT_EQ(meter.GetRate(), 0U) << "the window is not over";
    meter.Count(12'000, 1000, 10'000, FLOOR); // 3,000 bytes in 12 us
    EXPECT_EQ(meter.GetRate(), 2 * GIGABIT);
}

TEST(EdgeRateMeter, FlowThatSendsSeldomIsMeasuredToo)
{
    EdgeRateMeter meter;
    meter.Count(0, 1000, 100, 1);
    meter.Count(1'000'000, 1000, 100, 1);
    EXPECT_EQ(meter.GetRate(), 8'000'000U);
}

TEST(EdgeRateMeter, OnePauseDoesNotCountAndTwoDo)
{
    EdgeRateMeter meter;
    int64_t now = 0;
    const auto burst = [&] {
        for (int i = 0; i < 100; ++i, now += 8000)
        {
            meter.Count(now, 1000, 80'000, 1);
        }
    };
    burst();
    EXPECT_EQ(meter.GetRate(), GIGABIT);
    now += 1'000'000'000;
    meter.Count(now, 1000, 80'000, 1);
    EXPECT_EQ(meter.GetRate(), GIGABIT);
    now += 1'000'000'000;
    meter.Count(now, 1000, 80'000, 1);
    EXPECT_LT(meter.GetRate(), 100'000U);
}

// 1 Gbit/s, of which one packet takes 80 us at the floor. The five packets before a pause of 10 ms
// are four in 32 us, and not five in 10 ms; with a floor of 100 kbit/s, the pause counts.
TEST(EdgeRateMeter, SilenceEndsAMeasurementAtTheLastPacket)
{
    for (const uint64_t floor : {FLOOR, FLOOR / 1000})
    {
        EdgeRateMeter meter;
        for (int i = 0; i < 5; ++i)
        {
            meter.Count(8000 * i, 1000, 80'000, floor);
        }
        EXPECT_EQ(meter.GetRate(), 0U);
        meter.Count(10'032'000, 1000, 80'000, floor);
        EXPECT_EQ(meter.GetRate(), floor == FLOOR ? GIGABIT : 40'000'000'000U / 10'032);
    }
}

// The rate of messages of one packet includes their pauses, and is below the floor.
TEST(EdgeRateMeter, SinglePacketsAreMeasuredWithThePauses)
{
    EdgeRateMeter meter;
    meter.Count(0, 1000, 80'000, FLOOR);
    meter.Count(1'000'000, 1000, 80'000, FLOOR);
    EXPECT_EQ(meter.GetRate(), 8'000'000U);
}

RC_GTEST_PROP(EdgeRateMeter, FindsTheRateOfAnEvenFlow, ())
{
    const auto interval = DrawInRange<int64_t>(1, 10'000);
    const auto bytes = DrawInRange<uint32_t>(64, 9000);
    const auto window = DrawInRange<int64_t>(1, 100'000);
    EdgeRateMeter meter;
    int64_t now = DrawInRange<int64_t>(0, 1000);
    for (int64_t end = now + 3 * window + interval; now <= end; now += interval)
    {
        meter.Count(now, bytes, window, 1);
    }
    RC_ASSERT(meter.GetRate() == 8 * GIGABIT * bytes / static_cast<uint64_t>(interval));
}
