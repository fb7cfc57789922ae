// SPDX-License-Identifier: GPL-2.0-only

// The rate of a flow at the edge of a WAN, with the steps that wait for its first measurement.

#include "model/core/pre-ecn/edge-flow.h"
#include "test/core/core-test.h"

constexpr uint64_t GIGABIT = 1'000'000'000;

/// A flow that sends 1,000 bytes each 1,000 ns: 8 Gbit/s.
struct SteadyFlow
{
    /// Sends until a time, and returns whether a packet has lowered the rate.
    bool SendUntil(int64_t end)
    {
        bool isLowered = false;
        for (; now < end; now += 1000)
        {
            isLowered = flow.Count(rates, now, 1000) || isLowered;
        }
        return isLowered;
    }

    EdgeFlowRate::Settings rates;
    EdgeFlowRate flow;
    int64_t now{0};
};

TEST(EdgeFlowRate, FirstStepComesWithTheFirstMeasurement)
{
    SteadyFlow steady;
    EXPECT_FALSE(steady.flow.Notify(steady.rates, 0, 0.25, 0));
    EXPECT_FALSE(steady.SendUntil(steady.rates.measureTime));
    EXPECT_EQ(steady.flow.Get(), EdgeRateLaw::UNLIMITED);
    EXPECT_TRUE(steady.SendUntil(steady.rates.measureTime + 1000));
    EXPECT_EQ(steady.flow.Get(), 6 * GIGABIT);
    EXPECT_FALSE(steady.SendUntil(4 * steady.rates.measureTime)) << "once only";
}

TEST(EdgeFlowRate, LargestStepThatWaitsCounts)
{
    SteadyFlow steady;
    steady.flow.Notify(steady.rates, 0, 0.25, 0);
    steady.flow.Notify(steady.rates, 1, 0.05, 0);
    steady.flow.Notify(steady.rates, 2, 0, 0);
    EXPECT_TRUE(steady.SendUntil(2 * steady.rates.measureTime));
    EXPECT_EQ(steady.flow.Get(), 6 * GIGABIT);
}

TEST(EdgeFlowRate, StepIsDroppedIfTheRateIsNotKnownInTime)
{
    for (const int64_t late : {0, 1})
    {
        SteadyFlow steady;
        const int64_t end = 2 * steady.rates.measureTime;
        steady.flow.Notify(steady.rates, 0, 0.25, 0);
        EXPECT_FALSE(steady.flow.IsIdle(steady.rates, end)) << "a step waits";
        steady.flow.Count(steady.rates, 0, 100'000);
        EXPECT_EQ(steady.flow.Count(steady.rates, end + late, 1000), late == 0);
    }
}

TEST(EdgeFlowRate, StepOfAKnownRateDoesNotWait)
{
    SteadyFlow steady;
    steady.SendUntil(2 * steady.rates.measureTime);
    EXPECT_TRUE(steady.flow.Notify(steady.rates, steady.now, 0.5, 0));
    EXPECT_EQ(steady.flow.Get(), 4 * GIGABIT);
    steady.flow.Release();
    EXPECT_EQ(steady.flow.Get(), EdgeRateLaw::UNLIMITED);
}

TEST(EdgeFlowRate, RecoversUntilItIsNotLimited)
{
    SteadyFlow steady;
    steady.SendUntil(2 * steady.rates.measureTime);
    steady.flow.Notify(steady.rates, steady.now, 0.5, 0);
    const int64_t quietEnd = steady.now + steady.rates.quietTime;
    steady.flow.Update(steady.rates, quietEnd - 1, false);
    EXPECT_EQ(steady.flow.Get(), 4 * GIGABIT);
    // 25 rises of a fiftieth of 8 Gbit/s.
    const int64_t end = quietEnd + 24 * steady.rates.recoveryInterval;
    steady.flow.Update(steady.rates, end - 1, false);
    EXPECT_LT(steady.flow.Get(), 8 * GIGABIT);
    steady.flow.Update(steady.rates, end, true);
    EXPECT_EQ(steady.flow.Get(), 8 * GIGABIT) << "packets wait";
    steady.flow.Update(steady.rates, end, false);
    EXPECT_EQ(steady.flow.Get(), EdgeRateLaw::UNLIMITED);
    EXPECT_TRUE(steady.flow.IsIdle(steady.rates, end));
}

TEST(EdgeFlowRate, IsNotIdleInItsQuietTime)
{
    SteadyFlow steady;
    steady.flow.Notify(steady.rates, 1000, 0, 0);
    const int64_t end = 1000 + steady.rates.quietTime;
    EXPECT_FALSE(steady.flow.IsIdle(steady.rates, end - 1));
    EXPECT_TRUE(steady.flow.IsIdle(steady.rates, end));
}
