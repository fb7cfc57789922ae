/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The control law of an edge's rates (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).

#include "model/core/wan/edge-rate-law.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <vector>

using namespace ns3::aidc;

namespace
{

constexpr uint64_t UNLIMITED = EdgeRateLaw::UNLIMITED;
constexpr uint64_t GIGABIT = 1'000'000'000;

/// Steps of 5 % from 100 Gbit/s at least 10 apart; after 100 quiet, rises by 2 % of it every 20.
EdgeRateLaw::Settings
MakeConfig()
{
    EdgeRateLaw::Settings config;
    config.stepInterval = 10;
    config.quietTime = 100;
    config.recoveryInterval = 20;
    config.recoveryStep = 0.02;
    config.floor = GIGABIT;
    return config;
}

TEST(EdgeRateLaw, IsUnlimitedUntilThereIsAStep)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    EXPECT_EQ(law.GetRate(), UNLIMITED);
    EXPECT_FALSE(law.Update(config, 1000, 0, false));
    EXPECT_FALSE(law.Notify(config, 1000, 0.05, 0, 0)) << "the rate of the flow is not known";
    EXPECT_FALSE(law.Notify(config, 1000, 0, 100 * GIGABIT, 0)) << "no step is configured";
    EXPECT_FALSE(law.IsLimited());
}

TEST(EdgeRateLaw, StepsDownFromTheMeasuredRate)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    EXPECT_TRUE(law.Notify(config, 0, 0.05, 100 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), 95 * GIGABIT);
    EXPECT_FALSE(law.Notify(config, 9, 0.05, 95 * GIGABIT, 0)) << "one step in an interval";
    EXPECT_TRUE(law.Notify(config, 10, 0.05, 95 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), 90'250'000'000U);
    EXPECT_TRUE(law.Notify(config, 20, 0.2, 50 * GIGABIT, 0)) << "it sends less than it may";
    EXPECT_EQ(law.GetRate(), 40 * GIGABIT);
    EXPECT_TRUE(law.Notify(config, 30, 0.5, 80 * GIGABIT, 0)) << "it would send more";
    EXPECT_EQ(law.GetRate(), 20 * GIGABIT);
}

/// One decrease in a feedback delay: when it turns severe, the larger step replaces the smaller
/// one.
TEST(EdgeRateLaw, LargerStepReplacesTheLastOne)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    law.Notify(config, 0, 0.05, 100 * GIGABIT, 500);
    EXPECT_TRUE(law.Notify(config, 100, 0.25, 95 * GIGABIT, 500));
    EXPECT_EQ(law.GetRate(), 75 * GIGABIT) << "of what it was before the first one";
    EXPECT_FALSE(law.Notify(config, 200, 0.25, 95 * GIGABIT, 500)) << "no larger than the last one";
    EXPECT_FALSE(law.Notify(config, 599, 0.25, 75 * GIGABIT, 500));
    EXPECT_TRUE(law.Notify(config, 600, 0.05, 75 * GIGABIT, 500)) << "500 after the larger one";
    EXPECT_EQ(law.GetRate(), 71'250'000'000U);
}

TEST(EdgeRateLaw, WaitsForTheFeedbackOfAStep)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    law.Notify(config, 0, 0.05, 100 * GIGABIT, 500);
    EXPECT_FALSE(law.Notify(config, 499, 0.05, 95 * GIGABIT, 500));
    EXPECT_TRUE(law.Notify(config, 500, 0.05, 95 * GIGABIT, 500));
    // Quiet for 500, not for 100, and 500 between rises, not 20: 90.25 + 2 a rise
    law.Update(config, 999, 0, false);
    EXPECT_EQ(law.GetRate(), 90'250'000'000U);
    law.Update(config, 1000, 0, false);
    EXPECT_EQ(law.GetRate(), 92'250'000'000U);
    law.Update(config, 1499, 0, false);
    EXPECT_EQ(law.GetRate(), 92'250'000'000U);
    law.Update(config, 1500, 0, false);
    EXPECT_EQ(law.GetRate(), 94'250'000'000U);
}

TEST(EdgeRateLaw, RisesByEqualStepsAndIsReleased)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    law.Notify(config, 0, 0.05, 100 * GIGABIT, 0);
    EXPECT_FALSE(law.Update(config, 99, 0, false));
    EXPECT_TRUE(law.Update(config, 100, 0, false));
    EXPECT_EQ(law.GetRate(), 97 * GIGABIT);
    EXPECT_FALSE(law.Update(config, 119, 0, false));
    EXPECT_TRUE(law.Update(config, 120, 0, false));
    EXPECT_EQ(law.GetRate(), 99 * GIGABIT);
    EXPECT_TRUE(law.Update(config, 140, 0, true));
    EXPECT_EQ(law.GetRate(), 101 * GIGABIT) << "packets wait: it could send more than it had";
    EXPECT_TRUE(law.Update(config, 140, 0, false));
    EXPECT_EQ(law.GetRate(), UNLIMITED);
    EXPECT_TRUE(law.Notify(config, 200, 0.5, 10 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), 5 * GIGABIT);
    law.Update(config, 300, 0, false);
    EXPECT_EQ(law.GetRate(), 5'200'000'000U) << "what it had sent before does not count any more";
}

TEST(EdgeRateLaw, NotificationsBetweenStepsKeepItQuiet)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    law.Notify(config, 0, 0.05, 100 * GIGABIT, 0);
    law.Notify(config, 5, 0.05, 95 * GIGABIT, 0);
    EXPECT_FALSE(law.Update(config, 104, 0, false));
    law.Notify(config, 104, 0, 95 * GIGABIT, 0);
    EXPECT_FALSE(law.Update(config, 203, 0, false)) << "also one without a step";
    EXPECT_TRUE(law.Update(config, 204, 0, false));
}

TEST(EdgeRateLaw, FlowBelowTheFloorIsNotLimited)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    for (const uint64_t measured : {uint64_t{1000}, GIGABIT})
    {
        EXPECT_FALSE(law.Notify(config, 0, 0.9, measured, 0));
        EXPECT_FALSE(law.IsLimited());
    }
    EXPECT_TRUE(law.Notify(config, 0, 0.9, GIGABIT + 1, 0)) << "that was no step, so this is early";
    EXPECT_EQ(law.GetRate(), GIGABIT) << "and the floor holds";
    EXPECT_FALSE(law.Notify(config, 10, 0.9, 2 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), GIGABIT);
}

TEST(EdgeRateLaw, LimitedFlowThatFallsBelowTheFloorKeepsItsRateAndIsReleased)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    law.Notify(config, 0, 0.5, 4 * GIGABIT, 0);
    EXPECT_FALSE(law.Notify(config, 10, 0.5, GIGABIT / 2, 0));
    EXPECT_EQ(law.GetRate(), 2 * GIGABIT);
    law.Update(config, 110 + 20 * 26, 0, false); // 25 rises of 80 Mbit/s
    EXPECT_FALSE(law.IsLimited());
}

TEST(EdgeRateLaw, FlowThatComesToSendMoreRisesFaster)
{
    const auto config = MakeConfig();
    EdgeRateLaw law;
    law.Notify(config, 0, 0.5, 4 * GIGABIT, 0);
    law.Update(config, 50, 100 * GIGABIT, true);
    law.Update(config, 100, 0, true);
    EXPECT_EQ(law.GetRate(), 4 * GIGABIT) << "2 Gbit/s, and 2 % of 100";
    law.Update(config, 120, 10 * GIGABIT, false);
    EXPECT_EQ(law.GetRate(), 6 * GIGABIT) << "not released at what it had sent at the step";
}

TEST(EdgeRateLaw, LineRateBoundsALimitedFlowAndReleasesIt)
{
    auto config = MakeConfig();
    config.lineRate = 98 * GIGABIT;
    EdgeRateLaw law;
    law.Notify(config, 0, 0.05, 100 * GIGABIT, 0);
    law.Update(config, 120, 0, true);
    EXPECT_EQ(law.GetRate(), 98 * GIGABIT);
    law.Update(config, 100'000, 0, true);
    EXPECT_EQ(law.GetRate(), 98 * GIGABIT) << "what waits leaves at the line rate at most";
    law.Update(config, 100'000, 0, false);
    EXPECT_FALSE(law.IsLimited());
}

/// A larger step that comes early is one of the rate that there is, not of the one before it rose.
TEST(EdgeRateLaw, EarlyStepIsOneOfTheRateThatHasRisen)
{
    auto config = MakeConfig();
    config.floor = GIGABIT;
    config.stepInterval = 1000;
    config.quietTime = 0;
    config.recoveryInterval = 10;
    EdgeRateLaw law;
    law.Notify(config, 0, 0.01, 2 * GIGABIT, 0);
    law.Update(config, 100, 100 * GIGABIT, false);
    const uint64_t risen = law.GetRate();
    EXPECT_GT(risen, 10 * GIGABIT);
    EXPECT_TRUE(law.Notify(config, 100, 0.5, 100 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), risen / 2);
}

/// Any notifications.
RC_GTEST_PROP(EdgeRateLaw, KeepsItsBounds, ())
{
    auto config = MakeConfig();
    config.stepInterval = *rc::gen::inRange<int64_t>(0, 50);
    config.quietTime = *rc::gen::inRange<int64_t>(0, 200);
    config.recoveryInterval = *rc::gen::inRange<int64_t>(1, 50);
    config.floor = *rc::gen::inRange<uint64_t>(1, 50 * GIGABIT);
    config.lineRate = config.floor + *rc::gen::inRange<uint64_t>(0, 100 * GIGABIT);
    const auto feedback = *rc::gen::inRange<int64_t>(0, 40);
    EdgeRateLaw law;
    int64_t now = 0;
    int64_t lastDrop = -1000;
    double lastStep = 0;
    uint64_t lastBase = 0;
    int64_t lastNotified = -1000;
    for (int i = 0; i < 200; ++i)
    {
        now += *rc::gen::inRange<int64_t>(0, 40);
        const uint64_t old = law.GetRate();
        if (*rc::gen::inRange(0, 3) > 0)
        {
            const bool isWaiting = *rc::gen::arbitrary<bool>();
            const bool hasChanged = law.Update(config, now, 0, isWaiting);
            RC_ASSERT(hasChanged == (law.GetRate() != old));
            RC_ASSERT(law.GetRate() >= old); // nothing but a notification lowers it
            if (hasChanged)
            {
                RC_ASSERT(now - lastNotified >= std::max(config.quietTime, feedback));
                RC_ASSERT(law.IsLimited() || !isWaiting);
            }
        }
        else
        {
            EdgeRateLaw risen = law;
            risen.Update(config, now, 0, true);
            const auto measured = *rc::gen::inRange<uint64_t>(0, 200 * GIGABIT);
            const double step = *rc::gen::inRange(0, 100) / 100.0;
            if (law.Notify(config, now, step, measured, feedback))
            {
                RC_ASSERT(measured > config.floor);
                RC_ASSERT(law.GetRate() < risen.GetRate());
                const bool isEarly = now - lastDrop < std::max(config.stepInterval, feedback);
                RC_ASSERT(!isEarly || step > lastStep);
                lastBase = std::max(isEarly ? lastBase : 0, std::min(risen.GetRate(), measured));
                lastDrop = now;
                lastStep = step;
                // A step is no larger than configured, from what the flow may and does send.
                const auto base = static_cast<double>(lastBase);
                RC_ASSERT(static_cast<double>(law.GetRate()) >=
                          std::min(base * (1 - step), static_cast<double>(config.lineRate)) - 1);
            }
            else
            {
                RC_ASSERT(law.GetRate() == risen.GetRate());
            }
            lastNotified = now;
        }
        RC_ASSERT(law.GetRate() >= config.floor);
        RC_ASSERT(!law.IsLimited() || law.GetRate() <= config.lineRate);
    }
    // Recovery ends: what is lowered to nothing rises by 2 % each time.
    now += std::max(config.quietTime, feedback) + 51 * std::max(config.recoveryInterval, feedback);
    law.Update(config, now, 0, false);
    RC_ASSERT(!law.IsLimited());
}

/// However often it is looked at, the rate is the same.
RC_GTEST_PROP(EdgeRateLaw, DoesNotDependOnWhenItIsLookedAt, ())
{
    const auto config = MakeConfig();
    EdgeRateLaw often;
    EdgeRateLaw seldom;
    for (auto* law : {&often, &seldom})
    {
        law->Notify(config, 0, 0.9, 100 * GIGABIT, 0);
    }
    int64_t now = 0;
    for (const auto pause :
         *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 60)))
    {
        now += pause;
        often.Update(config, now, 0, true);
    }
    seldom.Update(config, now, 0, true);
    RC_ASSERT(often.GetRate() == seldom.GetRate());
}

} // namespace
