/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "weight-loop.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <tuple>

using namespace ns3::aidc;
using namespace aidctest;

/// In ns
constexpr int64_t SECOND = 1000000000;

/// Leaves, spines, staggered.
class WeightLoopFabrics : public testing::TestWithParam<std::tuple<uint32_t, uint32_t, bool>>
{
  public:
    /**
     * @brief Expect what is disturbed for a while to settle, and to lose no more than by rates.
     * @param settings the loop, without disturbance
     */
    static void ExpectSettles(WeightLoop::Settings settings)
    {
        const int64_t time = 5 * SECOND + 10 * settings.bandwidth.updateInterval +
                             3 * settings.bandwidth.timeConstant;
        WeightLoop loop(settings);
        loop.SetOther(0.4);
        loop.Run(time);
        loop.SetOther(0);
        loop.Run(2 * time);
        // All that is sent fits, by rates
        EXPECT_GE(loop.Run(time), 0.9999);
        EXPECT_LE(loop.GetSwing(), 0.02);
        EXPECT_NEAR(loop.GetShare(), 1.0 / settings.nSpines, 0.03);
    }

    /// The settings of the parameters.
    static WeightLoop::Settings GetSettings()
    {
        WeightLoop::Settings settings;
        std::tie(settings.nLeaves, settings.nSpines, settings.isStaggered) = GetParam();
        settings.interval = 10000000;
        settings.bandwidth.delay = 7 * settings.interval;
        return settings;
    }
};

TEST_P(WeightLoopFabrics, SettleAtAllLoads)
{
    for (const double load : {0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95})
    {
        auto settings = GetSettings();
        settings.load = load;
        SCOPED_TRACE(load);
        ExpectSettles(settings);
    }
}

TEST_P(WeightLoopFabrics, SettleWithAllTimes)
{
    for (const int64_t updateInterval : {int64_t(0), SECOND / 10, SECOND, 5 * SECOND})
    {
        for (const int64_t timeConstant : {SECOND / 100, SECOND / 10, SECOND})
        {
            for (const int64_t delay : {SECOND / 100, SECOND / 5})
            {
                auto settings = GetSettings();
                settings.load = 0.95;
                settings.bandwidth.updateInterval = updateInterval;
                settings.bandwidth.timeConstant = timeConstant;
                settings.bandwidth.delay += delay;
                settings.delay = delay;
                SCOPED_TRACE(testing::Message()
                             << updateInterval << " " << timeConstant << " " << delay);
                ExpectSettles(settings);
            }
        }
    }
}

TEST_P(WeightLoopFabrics, LoseLessThanRatesBesideOthers)
{
    // Others take 60 % of what the first spine has down, or it has lost half of its rate.
    for (const bool isSlow : {false, true})
    {
        auto settings = GetSettings();
        (isSlow ? settings.slow : settings.other) = isSlow ? 0.5 : 0.6;
        const double lost = isSlow ? 0.5 : 0.6;
        settings.load = 0.8 - lost * 0.8 / settings.nSpines; // less than what is left
        auto byRates = settings;
        byRates.isStatic = true;
        WeightLoop loop(settings);
        loop.Run(10 * SECOND);
        const double arrived = loop.Run(10 * SECOND);
        EXPECT_GE(arrived, 0.999);
        EXPECT_GE(arrived, WeightLoop(byRates).Run(SECOND) + 0.02);
    }
}

INSTANTIATE_TEST_SUITE_P(WeightLoop,
                         WeightLoopFabrics,
                         testing::Values(std::make_tuple(2U, 2U, false),
                                         std::make_tuple(2U, 2U, true),
                                         std::make_tuple(3U, 3U, true),
                                         std::make_tuple(8U, 4U, false),
                                         std::make_tuple(16U, 2U, true)));
