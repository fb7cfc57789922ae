// SPDX-License-Identifier: GPL-2.0-only

// The control law of an edge's rates (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).

#include "model/core/pre-ecn/edge-rate-law.h"
#include "test/core/core-test.h"

constexpr uint64_t UNLIMITED = EdgeRateLaw::UNLIMITED;
constexpr uint64_t GIGABIT = 1'000'000'000;

/// Steps of 5 % from 100 Gbit/s at least 10 apart; after 100 quiet, rises by 2 % of it every 20.
EdgeRateLaw::Settings
MakeSettings()
{
    EdgeRateLaw::Settings settings;
    settings.stepInterval = 10;
    settings.quietTime = 100;
    settings.recoveryInterval = 20;
    settings.recoveryStep = 0.02;
    settings.floor = GIGABIT;
    return settings;
}

TEST(EdgeRateLaw, IsUnlimitedUntilThereIsAStep)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    EXPECT_EQ(law.GetRate(), UNLIMITED);
    EXPECT_FALSE(law.Update(settings, 1000, 0, false));
    EXPECT_FALSE(law.Notify(settings, 1000, 0.05, 0, 0)) << "the rate of the flow is not known";
    EXPECT_FALSE(law.Notify(settings, 1000, 0, 100 * GIGABIT, 0)) << "no step is configured";
    EXPECT_FALSE(law.IsLimited());
}

TEST(EdgeRateLaw, Section3221StepsDownFromTheMeasuredRate)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    EXPECT_TRUE(law.Notify(settings, 0, 0.05, 100 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), 95 * GIGABIT);
    EXPECT_FALSE(law.Notify(settings, 9, 0.05, 95 * GIGABIT, 0)) << "one step in an interval";
    EXPECT_TRUE(law.Notify(settings, 10, 0.05, 95 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), 90'250'000'000U);
    EXPECT_TRUE(law.Notify(settings, 20, 0.2, 50 * GIGABIT, 0)) << "it sends less than it may";
    EXPECT_EQ(law.GetRate(), 40 * GIGABIT);
    EXPECT_TRUE(law.Notify(settings, 30, 0.5, 80 * GIGABIT, 0)) << "it would send more";
    EXPECT_EQ(law.GetRate(), 20 * GIGABIT);
}

/// One decrease in a feedback delay: when it turns severe, the larger step replaces the smaller
/// one.
TEST(EdgeRateLaw, Section3221LargerStepReplacesTheLastOne)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.05, 100 * GIGABIT, 500);
    EXPECT_TRUE(law.Notify(settings, 100, 0.25, 95 * GIGABIT, 500));
    EXPECT_EQ(law.GetRate(), 75 * GIGABIT) << "of what it was before the first one";
    EXPECT_FALSE(law.Notify(settings, 200, 0.25, 95 * GIGABIT, 500))
        << "no larger than the last one";
    EXPECT_FALSE(law.Notify(settings, 599, 0.25, 75 * GIGABIT, 500));
    EXPECT_TRUE(law.Notify(settings, 600, 0.05, 75 * GIGABIT, 500)) << "500 after the larger one";
    EXPECT_EQ(law.GetRate(), 71'250'000'000U);
}

TEST(EdgeRateLaw, WaitsForTheFeedbackOfAStep)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.05, 100 * GIGABIT, 500);
    EXPECT_FALSE(law.Notify(settings, 499, 0.05, 95 * GIGABIT, 500));
    EXPECT_TRUE(law.Notify(settings, 500, 0.05, 95 * GIGABIT, 500));
    // Quiet for 500, not for 100, and 500 between rises, not 20: 90.25 + 2 a rise
    law.Update(settings, 999, 0, false);
    EXPECT_EQ(law.GetRate(), 90'250'000'000U);
    law.Update(settings, 1000, 0, false);
    EXPECT_EQ(law.GetRate(), 92'250'000'000U);
    law.Update(settings, 1499, 0, false);
    EXPECT_EQ(law.GetRate(), 92'250'000'000U);
    law.Update(settings, 1500, 0, false);
    EXPECT_EQ(law.GetRate(), 94'250'000'000U);
}

TEST(EdgeRateLaw, RisesByEqualStepsAndIsReleased)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.05, 100 * GIGABIT, 0);
    EXPECT_FALSE(law.Update(settings, 99, 0, false));
    EXPECT_TRUE(law.Update(settings, 100, 0, false));
    EXPECT_EQ(law.GetRate(), 97 * GIGABIT);
    EXPECT_FALSE(law.Update(settings, 119, 0, false));
    EXPECT_TRUE(law.Update(settings, 120, 0, false));
    EXPECT_EQ(law.GetRate(), 99 * GIGABIT);
    EXPECT_TRUE(law.Update(settings, 140, 0, true));
    EXPECT_EQ(law.GetRate(), 101 * GIGABIT) << "packets wait: it could send more than it had";
    EXPECT_TRUE(law.Update(settings, 140, 0, false));
    EXPECT_EQ(law.GetRate(), UNLIMITED);
    EXPECT_TRUE(law.Notify(settings, 200, 0.5, 10 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), 5 * GIGABIT);
    law.Update(settings, 300, 0, false);
    EXPECT_EQ(law.GetRate(), 5'200'000'000U) << "what it had sent before does not count any more";
}

TEST(EdgeRateLaw, NotificationsBetweenStepsKeepItQuiet)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.05, 100 * GIGABIT, 0);
    law.Notify(settings, 5, 0.05, 95 * GIGABIT, 0);
    EXPECT_FALSE(law.Update(settings, 104, 0, false));
    law.Notify(settings, 104, 0, 95 * GIGABIT, 0);
    EXPECT_FALSE(law.Update(settings, 203, 0, false)) << "also one without a step";
    EXPECT_TRUE(law.Update(settings, 204, 0, false));
}

TEST(EdgeRateLaw, FlowBelowTheFloorIsNotLimited)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    for (const uint64_t measured : {uint64_t{1000}, GIGABIT})
    {
        EXPECT_FALSE(law.Notify(settings, 0, 0.9, measured, 0));
        EXPECT_FALSE(law.IsLimited());
    }
    EXPECT_TRUE(law.Notify(settings, 0, 0.9, GIGABIT + 1, 0))
        << "that was no step, so this is early";
    EXPECT_EQ(law.GetRate(), GIGABIT) << "and the floor holds";
    EXPECT_FALSE(law.Notify(settings, 10, 0.9, 2 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), GIGABIT);
}

TEST(EdgeRateLaw, LimitedFlowThatFallsBelowTheFloorKeepsItsRateAndIsReleased)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.5, 4 * GIGABIT, 0);
    EXPECT_FALSE(law.Notify(settings, 10, 0.5, GIGABIT / 2, 0));
    EXPECT_EQ(law.GetRate(), 2 * GIGABIT);
    law.Update(settings, 110 + 20 * 26, 0, false); // 25 rises of 80 Mbit/s
    EXPECT_FALSE(law.IsLimited());
}

TEST(EdgeRateLaw, FlowThatComesToSendMoreRisesFaster)
{
    const auto settings = MakeSettings();
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.5, 4 * GIGABIT, 0);
    law.Update(settings, 50, 100 * GIGABIT, true);
    law.Update(settings, 100, 0, true);
    EXPECT_EQ(law.GetRate(), 4 * GIGABIT) << "2 Gbit/s, and 2 % of 100";
    law.Update(settings, 120, 10 * GIGABIT, false);
    EXPECT_EQ(law.GetRate(), 6 * GIGABIT) << "not released at what it had sent at the step";
}

TEST(EdgeRateLaw, LineRateBoundsALimitedFlowAndReleasesIt)
{
    auto settings = MakeSettings();
    settings.lineRate = 98 * GIGABIT;
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.05, 100 * GIGABIT, 0);
    law.Update(settings, 120, 0, true);
    EXPECT_EQ(law.GetRate(), 98 * GIGABIT);
    law.Update(settings, 100'000, 0, true);
    EXPECT_EQ(law.GetRate(), 98 * GIGABIT) << "what waits leaves at the line rate at most";
    law.Update(settings, 100'000, 0, false);
    EXPECT_FALSE(law.IsLimited());
}

/// A larger step that comes early is a step of the present rate, not of the rate before it rose.
TEST(EdgeRateLaw, EarlyStepIsOneOfTheRateThatHasRisen)
{
    auto settings = MakeSettings();
    settings.floor = GIGABIT;
    settings.stepInterval = 1000;
    settings.quietTime = 0;
    settings.recoveryInterval = 10;
    EdgeRateLaw law;
    law.Notify(settings, 0, 0.01, 2 * GIGABIT, 0);
    law.Update(settings, 100, 100 * GIGABIT, false);
    const uint64_t risen = law.GetRate();
    EXPECT_GT(risen, 10 * GIGABIT);
    EXPECT_TRUE(law.Notify(settings, 100, 0.5, 100 * GIGABIT, 0));
    EXPECT_EQ(law.GetRate(), risen / 2);
}

/// Any notifications.
RC_GTEST_PROP(EdgeRateLaw, KeepsItsBounds, ())
{
    auto settings = MakeSettings();
    settings.stepInterval = DrawInRange<int64_t>(0, 50);
    settings.quietTime = DrawInRange<int64_t>(0, 200);
    settings.recoveryInterval = DrawInRange<int64_t>(1, 50);
    settings.floor = DrawInRange<uint64_t>(1, 50 * GIGABIT);
    settings.lineRate = settings.floor + DrawInRange<uint64_t>(0, 100 * GIGABIT);
    const auto feedback = DrawInRange<int64_t>(0, 40);
    EdgeRateLaw law;
    int64_t now = 0;
    int64_t lastDrop = -1000;
    double lastStep = 0;
    uint64_t lastBase = 0;
    int64_t lastNotified = -1000;
    for (int i = 0; i < 200; ++i)
    {
        now += DrawInRange<int64_t>(0, 40);
        const uint64_t old = law.GetRate();
        if (DrawInRange(0, 3) > 0)
        {
            const bool isWaiting = DrawAny<bool>();
            const bool hasChanged = law.Update(settings, now, 0, isWaiting);
            RC_ASSERT(hasChanged == (law.GetRate() != old));
            RC_ASSERT(law.GetRate() >= old); // nothing but a notification lowers it
            if (hasChanged)
            {
                RC_ASSERT(now - lastNotified >= std::max(settings.quietTime, feedback));
                RC_ASSERT(law.IsLimited() || !isWaiting);
            }
        }
        else
        {
            EdgeRateLaw risen = law;
            risen.Update(settings, now, 0, true);
            const auto measured = DrawInRange<uint64_t>(0, 200 * GIGABIT);
            const double step = DrawInRange(0, 100) / 100.0;
            if (law.Notify(settings, now, step, measured, feedback))
            {
                RC_ASSERT(measured > settings.floor);
                RC_ASSERT(law.GetRate() < risen.GetRate());
                const bool isEarly = now - lastDrop < std::max(settings.stepInterval, feedback);
                RC_ASSERT(!isEarly || step > lastStep);
                lastBase = std::max(isEarly ? lastBase : 0, std::min(risen.GetRate(), measured));
                lastDrop = now;
                lastStep = step;
                // A step is no larger than configured, from what the flow may and does send.
                const auto base = static_cast<double>(lastBase);
                RC_ASSERT(static_cast<double>(law.GetRate()) >=
                          std::min(base * (1 - step), static_cast<double>(settings.lineRate)) - 1);
            }
            else
            {
                RC_ASSERT(law.GetRate() == risen.GetRate());
            }
            lastNotified = now;
        }
        RC_ASSERT(law.GetRate() >= settings.floor);
        RC_ASSERT(!law.IsLimited() || law.GetRate() <= settings.lineRate);
    }
    // Recovery ends: what is lowered to nothing rises by 2 % each time.
    now +=
        std::max(settings.quietTime, feedback) + 51 * std::max(settings.recoveryInterval, feedback);
    law.Update(settings, now, 0, false);
    RC_ASSERT(!law.IsLimited());
}

/// However often it is looked at, the rate is the same.
RC_GTEST_PROP(EdgeRateLaw, DoesNotDependOnWhenItIsLookedAt, ())
{
    const auto settings = MakeSettings();
    EdgeRateLaw often;
    EdgeRateLaw seldom;
    for (auto* law : {&often, &seldom})
    {
        law->Notify(settings, 0, 0.9, 100 * GIGABIT, 0);
    }
    int64_t now = 0;
    for (const auto pause :
         *rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(0, 60)))
    {
        now += pause;
        often.Update(settings, now, 0, true);
    }
    seldom.Update(settings, now, 0, true);
    RC_ASSERT(often.GetRate() == seldom.GetRate());
}

/// A rate that a router tells holds at once, without steps, below the floor too, and as long as it
/// is confirmed; then it doubles, and again each time when it has held as long as what was told.
TEST(EdgeRateLaw, ToldRatesHoldAtOnceAndAsLongAsTheyAreValid)
{
    const EdgeRateLaw::Settings settings;
    EdgeRateLaw law;
    EXPECT_TRUE(law.SetExplicitRate(settings, 0, {3'000, 10'000'000, 1, 0, 1'000'000}, 10'000));
    EXPECT_EQ(law.GetRate(), 3'000);
    EXPECT_TRUE(
        law.SetExplicitRate(settings, 1'000, {2'000, 10'000'000, 1, 1'000, 1'000'000}, 10'000));
    EXPECT_FALSE(
        law.SetExplicitRate(settings, 2'000, {5'000, 10'000'000, 1, 2'000, 1'000'000}, 10'000));
    EXPECT_EQ(law.GetRate(), 5'000) << "up as well as down";
    law.Update(settings, 10'001'999, 10'000, false);
    EXPECT_EQ(law.GetRate(), 5'000);
    law.SetExplicitRate(settings,
                        10'001'999,
                        {2'000, 10'000'000, 1, 10'001'999, 1'000'000},
                        10'000);
    law.Update(settings, 20'001'998, 10'000, false);
    EXPECT_EQ(law.GetRate(), 2'000);
    law.Update(settings, 20'001'999, 10'000, false);
    EXPECT_EQ(law.GetRate(), 4'000) << "no longer valid";
    law.Update(settings, 30'001'998, 10'000, false);
    EXPECT_EQ(law.GetRate(), 4'000) << "as long as a told rate";
    law.Update(settings, 30'001'999, 10'000, false);
    EXPECT_EQ(law.GetRate(), 8'000);
    law.Update(settings, 40'001'999, 10'000, true);
    EXPECT_EQ(law.GetRate(), 16'000) << "packets wait: it could send more than it had";
    law.Update(settings, 40'001'999, 10'000, false);
    EXPECT_FALSE(law.IsLimited());
}

/// A rate that a step has lowered rises by steps, though it was told before.
TEST(EdgeRateLaw, AfterAStepToldRatesDoNotDouble)
{
    EdgeRateLaw::Settings settings;
    settings.recoveryStep = 0.1;
    EdgeRateLaw law;
    law.SetExplicitRate(settings, 0, {4 * GIGABIT, 1'000'000, 1, 0, 500'000}, 10 * GIGABIT);
    law.Notify(settings, 500'000, 0.5, 4 * GIGABIT, 500'000);
    EXPECT_EQ(law.GetRate(), 2 * GIGABIT);
    law.Update(settings, 1'000'000, 0, false);
    EXPECT_EQ(law.GetRate(), 3 * GIGABIT);
}

/// However seldom it is looked at, a told rate r has become 2^n r after n validities, and any
/// number of them ends the limit.
RC_GTEST_PROP(EdgeRateLaw, ToldRatesDoubleInEachValidity, ())
{
    const EdgeRateLaw::Settings settings;
    const auto rate = DrawInRange<uint64_t>(1, GIGABIT);
    const auto validity = DrawInRange<int64_t>(500'000, 1'000'000'000);
    const auto n = DrawInRange<int>(0, 200);
    EdgeRateLaw law;
    law.SetExplicitRate(settings, 0, {rate, validity, 1, 0, 1000}, 0);
    int64_t now = 0;
    while (DrawInRange(0, 4) > 0)
    {
        now = std::min(now + DrawInRange<int64_t>(0, validity), n * validity);
        law.Update(settings, now, 0, true);
    }
    law.Update(settings, n * validity + validity - 1, 0, true);
    const double expected = std::ldexp(static_cast<double>(rate), n);
    const double found = static_cast<double>(law.GetRate());
    RC_ASSERT(std::abs(found - std::min(expected, 0x1p64)) <= 1e-15 * found);
}

/// The router that allows the least counts, until what it has told is no longer valid.
TEST(EdgeRateLaw, TheTightestRouterCounts)
{
    const EdgeRateLaw::Settings settings;
    EdgeRateLaw law;
    const auto tell = [&](int64_t now, uint64_t rate, uint64_t source, int64_t time) {
        law.SetExplicitRate(settings, now, {rate, 1'000'000, source, time, 0}, 1'000'000'000);
        return law.GetRate();
    };
    EXPECT_EQ(tell(1, EdgeRateLaw::UNLIMITED, 1, 1), EdgeRateLaw::UNLIMITED);
    EXPECT_EQ(tell(2, 500, 1, 2), 500);
    EXPECT_EQ(tell(3, 600, 2, 3), 500) << "another one allows more";
    EXPECT_EQ(tell(4, 400, 2, 4), 400) << "or less";
    EXPECT_EQ(tell(5, 500, 1, 5), 400);
    EXPECT_EQ(tell(6, 550, 2, 6), 500) << "the same one may raise it: then the first one counts";
    EXPECT_EQ(tell(7, 100, 2, 5), 500) << "what it has told before comes late";
    EXPECT_EQ(tell(8, EdgeRateLaw::UNLIMITED, 2, 8), 500) << "the limit ends by time";
    EXPECT_EQ(tell(1'000'006, 700, 1, 1'000'000), 700) << "the first one is alone again";
}
