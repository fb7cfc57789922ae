// SPDX-License-Identifier: GPL-2.0-only

// Leaves that weigh paths by available bandwidth, all at once: what arrives, and whether it
// settles.

#include "test/core/core-test.h"
#include "weight-loop.h"

/// In ns
constexpr int64_t SECOND = 1000000000;

/// In which a loop with the default times settles.
constexpr int64_t TIME = 5 * SECOND;

/// The loads of the uplinks that the loop has to stand.
constexpr double LOADS[] = {0.7, 0.8, 0.9, 0.95};

TEST(WeightLoop, HalvesTheDifferenceOfTwoPathsWhereItIsLeastSteep)
{
    // Without an average, E is 1/2. By hand, of two paths with all of the load, above 1/2: the
    // weights (1 / (2 u))^(1/2) give the logarithm of the ratio of shares -1/2 times what it was.
    // Hashes give the first path 1.5 times the other: ln 1.5. So it tends to ln 1.5 / (1 + 1/2).
    WeightLoop::Settings settings;
    settings.load = 0.8;
    settings.uneven = 0.5;
    settings.bandwidth = {1, 0, 0, settings.interval};
    WeightLoop loop(settings);
    const auto ratio = [&loop] { return std::log(loop.GetShare() / (1 - loop.GetShare())); };
    double expected = std::log(1.5);
    EXPECT_NEAR(ratio(), expected, 1e-9);
    for (int i = 0; i < 8; ++i)
    {
        loop.Run(settings.interval);
        expected = std::log(1.5) - expected / 2;
        EXPECT_NEAR(ratio(), expected, 1e-6) << i;
    }
}

/// Leaves, spines, updates of delay that the law does not know of.
class WeightLoopFabrics : public testing::TestWithParam<std::tuple<uint32_t, uint32_t, int64_t>>
{
  public:
    static WeightLoop::Settings GetSettings(double load)
    {
        WeightLoop::Settings settings;
        settings.nLeaves = std::get<0>(GetParam());
        settings.nSpines = std::get<1>(GetParam());
        settings.delay = std::get<2>(GetParam()) * settings.bandwidth.updateInterval;
        settings.load = load;
        settings.bandwidth.delay = settings.interval;
        return settings;
    }

    /// What arrives in a time with weights by full rates.
    static double RunStatic(WeightLoop::Settings settings)
    {
        settings.isStatic = true;
        return WeightLoop(settings).Run(settings.interval);
    }
};

TEST_P(WeightLoopFabrics, DeliverWhatStaticWeightsDeliver)
{
    // From the first packet on, also where hashes are uneven
    for (const double load : LOADS)
    {
        for (const double uneven : {0.0, 0.1})
        {
            auto settings = GetSettings(load);
            settings.uneven = uneven;
            EXPECT_GE(WeightLoop(settings).Run(TIME), 0.99 * RunStatic(settings))
                << load << " " << uneven;
        }
    }
}

TEST_P(WeightLoopFabrics, SettleAfterADisturbance)
{
    for (const double load : LOADS)
    {
        SCOPED_TRACE(load);
        const auto settings = GetSettings(load);
        WeightLoop loop(settings);
        loop.SetOther(0.4);
        loop.Run(TIME);
        loop.SetOther(0);
        // All that is sent fits, by full rates. It does from the end of the disturbance on.
        EXPECT_GE(loop.Run(TIME), 0.99);
        EXPECT_GE(loop.Run(TIME), 0.9999);
        EXPECT_LE(loop.GetSwing(), 0.02);
        EXPECT_NEAR(loop.GetShare(), 1.0 / settings.nSpines, 0.03);
    }
}

TEST_P(WeightLoopFabrics, DeliverMoreBesideOthers)
{
    // Others take 60 % of what the first spine has down, or it has lost half of its rate.
    for (const bool isSlow : {false, true})
    {
        const double lost = isSlow ? 0.5 : 0.6;
        auto settings = GetSettings(0);
        settings.load = 0.8 - lost * 0.8 / settings.nSpines; // less than what is left
        (isSlow ? settings.slow : settings.other) = isSlow ? 1 - lost : lost;
        WeightLoop loop(settings);
        loop.Run(TIME);
        const double arrived = loop.Run(TIME);
        EXPECT_GE(arrived, 0.99) << isSlow;
        EXPECT_GE(arrived, RunStatic(settings) + 0.02) << isSlow;
    }
}

INSTANTIATE_TEST_SUITE_P(WeightLoop,
                         WeightLoopFabrics,
                         testing::Combine(testing::Values(2, 4, 8, 16),
                                          testing::Values(2, 4),
                                          testing::Values(0, 1, 2)));

TEST(WeightLoopTimes, SettleWhateverTheyAre)
{
    for (const int64_t updateInterval : {int64_t(0), SECOND / 10, SECOND, 5 * SECOND})
    {
        for (const int64_t timeConstant : {SECOND / 100, SECOND / 10, SECOND})
        {
            for (const int64_t delay : {int64_t(0), SECOND / 100, SECOND / 5})
            {
                WeightLoop::Settings settings;
                settings.load = 0.95;
                settings.bandwidth = {timeConstant,
                                      0.05,
                                      updateInterval,
                                      delay + settings.interval};
                settings.delay = delay + 2 * updateInterval;
                const int64_t time = 5 * SECOND + 10 * updateInterval + 3 * timeConstant;
                WeightLoop loop(settings);
                loop.SetOther(0.4);
                loop.Run(time);
                loop.SetOther(0);
                loop.Run(2 * time);
                EXPECT_GE(loop.Run(time), 0.9999)
                    << updateInterval << " " << timeConstant << " " << delay;
                EXPECT_LE(loop.GetSwing(), 0.02);
            }
        }
    }
}
