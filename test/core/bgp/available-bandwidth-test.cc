/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/available-bandwidth.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <optional>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace ns3::aidc;

constexpr int64_t MS = 1000000;     // in ns
constexpr double CAPACITY = 12.5e9; // 100 Gbit/s
constexpr double HUNDREDTH = 0.01;

/// Pauses in ms, some of them none, and how much is sent in each in hundredths of the capacity.
std::vector<std::pair<int64_t, uint32_t>>
DrawLoads()
{
    return *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int64_t, uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<int64_t>(0, 50), rc::gen::inRange<uint32_t>(0, 130))));
}

/// Settings of all kinds.
AvailableBandwidthSettings
DrawSettings()
{
    AvailableBandwidthSettings settings;
    settings.timeConstant = *rc::gen::inRange<int64_t>(1, 200) * MS;
    settings.hysteresis = *rc::gen::inRange(0, 30) * HUNDREDTH;
    settings.updateInterval = *rc::gen::inRange<int64_t>(0, 300) * MS;
    return settings;
}

/// What is sent in a time at a share of the capacity in hundredths.
uint64_t
GetBytes(int64_t time, uint32_t hundredths)
{
    return static_cast<uint64_t>(time) * hundredths / 8; // CAPACITY is 12.5 bytes a ns
}

TEST(AvailableBandwidth, IsTheCapacityAtFirst)
{
    const AvailableBandwidth bandwidth({}, CAPACITY, 5 * MS);
    EXPECT_EQ(bandwidth.Get(), CAPACITY);
    EXPECT_EQ(bandwidth.GetTold(), CAPACITY);
    EXPECT_EQ(bandwidth.GetLoad(), 0);
    EXPECT_FALSE(bandwidth.GetNextUpdate());
}

TEST(AvailableBandwidth, HasTheLoadOfTheFormula)
{
    // Half of the capacity for one time constant: 1 - 1/e of it, 0.6321205588285577; then nothing
    // for two: times 1/e^2, 0.1353352832366127
    AvailableBandwidthSettings settings;
    settings.timeConstant = 10 * MS;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    bandwidth.Count(10 * MS, GetBytes(10 * MS, 50));
    const double load = 0.5 * CAPACITY * 0.6321205588285577;
    EXPECT_NEAR(bandwidth.GetLoad(), load, 1e-12 * load);
    bandwidth.Count(30 * MS, 0);
    EXPECT_NEAR(bandwidth.GetLoad(), load * 0.1353352832366127, 1e-12 * load);
}

/// What a link of a settled load is told as, as a share of its capacity.
double
GetShareTold(AvailableBandwidthSettings settings, uint32_t hundredths)
{
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    const int64_t time = 100 * settings.timeConstant;
    bandwidth.Count(time, GetBytes(time, hundredths));
    return bandwidth.Get() / CAPACITY;
}

TEST(AvailableBandwidth, FallsFromHalfOfTheCapacityOn)
{
    // (1 / (2 u))^E: by hand for u of 0.6, 0.8, 1 and more
    AvailableBandwidthSettings settings;
    settings.timeConstant = 8 * MS;
    settings.updateInterval = MS;
    settings.delay = MS; // E = 8 / (2 (1 + 1)) = 2
    EXPECT_EQ(GetShareTold(settings, 0), 1);
    EXPECT_EQ(GetShareTold(settings, 50), 1);
    EXPECT_NEAR(GetShareTold(settings, 60), 25.0 / 36, 1e-6);
    EXPECT_NEAR(GetShareTold(settings, 80), 25.0 / 64, 1e-6);
    EXPECT_NEAR(GetShareTold(settings, 100), 0.25, 1e-6);
    EXPECT_NEAR(GetShareTold(settings, 130), 0.25, 1e-6);
    settings.updateInterval = 1000 * MS; // E = 1/2
    EXPECT_NEAR(GetShareTold(settings, 100), std::sqrt(0.5), 1e-6);
}

TEST(AvailableBandwidth, IsAsSteepAsTheTimesAllow)
{
    const auto get = [](int64_t timeConstant, int64_t interval, int64_t delay) {
        return AvailableBandwidth({timeConstant, 0.05, interval, delay}, CAPACITY, 0)
            .GetSteepness();
    };
    EXPECT_EQ(get(100, 0, 0), 8) << "the most";
    EXPECT_EQ(get(100, 10, 0), 5);
    EXPECT_EQ(get(100, 10, 15), 2);
    EXPECT_EQ(get(100, 50, 50), 0.5) << "the least";
    EXPECT_EQ(get(1, 1000, 1000), 0.5);
}

TEST(AvailableBandwidth, TellsTheLastChangeWhenTheIntervalEnds)
{
    AvailableBandwidthSettings settings;
    // E = 1/2: the root of 1 / (2 u)
    settings.timeConstant = 1;
    settings.hysteresis = 0.1;
    settings.updateInterval = 100 * MS;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    bandwidth.Count(10 * MS, GetBytes(10 * MS, 60));
    EXPECT_FALSE(bandwidth.Update(10 * MS)) << "0.913, within the hysteresis";
    bandwidth.Count(20 * MS, GetBytes(10 * MS, 80));
    EXPECT_EQ(bandwidth.GetNextUpdate(), 20 * MS);
    EXPECT_NEAR(*bandwidth.Update(20 * MS), std::sqrt(5.0 / 8) * CAPACITY, 1);
    bandwidth.Count(30 * MS, GetBytes(10 * MS, 100));
    EXPECT_FALSE(bandwidth.Update(30 * MS));
    bandwidth.Count(40 * MS, GetBytes(10 * MS, 60));
    EXPECT_EQ(bandwidth.GetNextUpdate(), 120 * MS);
    EXPECT_FALSE(bandwidth.Update(120 * MS - 1));
    EXPECT_NEAR(*bandwidth.Update(120 * MS), std::sqrt(5.0 / 6) * CAPACITY, 1)
        << "not that of 30 ms";
    EXPECT_FALSE(bandwidth.GetNextUpdate());
}

TEST(AvailableBandwidth, TellsNothingOfAChangeThatIsOver)
{
    AvailableBandwidthSettings settings;
    settings.timeConstant = 1;
    settings.updateInterval = 100 * MS;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    bandwidth.Count(10 * MS, GetBytes(10 * MS, 80));
    EXPECT_TRUE(bandwidth.Update(10 * MS));
    bandwidth.Count(20 * MS, 0);
    EXPECT_TRUE(bandwidth.GetNextUpdate());
    bandwidth.Count(30 * MS, GetBytes(10 * MS, 80));
    EXPECT_FALSE(bandwidth.GetNextUpdate());
}

TEST(AvailableBandwidth, FollowsTheCapacity)
{
    AvailableBandwidth bandwidth({}, CAPACITY, 0);
    bandwidth.SetCapacity(CAPACITY / 2);
    EXPECT_EQ(bandwidth.Update(MS), CAPACITY / 2);
    bandwidth.SetCapacity(0);
    EXPECT_FALSE(bandwidth.Update(2 * MS));
    EXPECT_EQ(bandwidth.Update(1001 * MS), 0);
}

TEST(AvailableBandwidth, RefusesWhatIsOutOfRange)
{
    const auto refuses = [](AvailableBandwidthSettings settings, double capacity = CAPACITY) {
        EXPECT_THROW(AvailableBandwidth(settings, capacity, 0), std::invalid_argument);
    };
    AvailableBandwidthSettings settings;
    settings.timeConstant = 0;
    refuses(settings);
    settings = {};
    for (const double hysteresis : {-0.1, 1.1, std::nan("")})
    {
        settings.hysteresis = hysteresis;
        refuses(settings);
    }
    settings = {};
    settings.updateInterval = -1;
    refuses(settings);
    settings = {};
    settings.delay = -1;
    refuses(settings);
    for (const double capacity : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    {
        refuses({}, capacity);
        AvailableBandwidth bandwidth({}, CAPACITY, 0);
        EXPECT_THROW(bandwidth.SetCapacity(capacity), std::invalid_argument);
    }
}

RC_GTEST_PROP(AvailableBandwidth, ConvergesToAConstantLoadByTheFormula, ())
{
    // load(t) = r (1 - exp(-t / T)), however often it is sampled
    const auto settings = DrawSettings();
    const auto hundredths = *rc::gen::inRange<uint32_t>(0, 130);
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    const double rate = CAPACITY * hundredths * HUNDREDTH;
    int64_t now = 0;
    for (const auto& [pause, unused] : DrawLoads())
    {
        now += pause * MS;
        bandwidth.Count(now, GetBytes(pause * MS, hundredths));
        const double age = static_cast<double>(now) / static_cast<double>(settings.timeConstant);
        RC_ASSERT(std::abs(bandwidth.GetLoad() - rate * (1 - std::exp(-age))) <= 1e-9 * CAPACITY);
    }
}

RC_GTEST_PROP(AvailableBandwidth, CountsWhatIsSentInNoTimeLater, ())
{
    const auto settings = DrawSettings();
    AvailableBandwidth whole(settings, CAPACITY, 0);
    AvailableBandwidth parts(settings, CAPACITY, 0);
    int64_t now = 0;
    for (const auto& [pause, hundredths] : DrawLoads())
    {
        const uint64_t bytes = GetBytes((pause + 1) * MS, hundredths);
        parts.Count(now, bytes / 3);
        now += (pause + 1) * MS;
        parts.Count(now, bytes - bytes / 3);
        whole.Count(now, bytes);
        RC_ASSERT(parts.GetLoad() == whole.GetLoad());
    }
}

RC_GTEST_PROP(AvailableBandwidth, KeepsToTheLimitAndTheHysteresis, ())
{
    const auto settings = DrawSettings();
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    std::optional<int64_t> last;
    int64_t now = 0;
    const auto update = [&] {
        const double before = bandwidth.GetTold();
        const auto told = bandwidth.Update(now);
        if (told)
        {
            RC_ASSERT(!last || now - *last >= settings.updateInterval);
            RC_ASSERT(std::abs(*told - before) > settings.hysteresis * before);
            RC_ASSERT(*told == bandwidth.Get());
            last = now;
        }
        // Without the limit, what was told is never off by more than the hysteresis.
        if (!last || now - *last >= settings.updateInterval)
        {
            RC_ASSERT(std::abs(bandwidth.Get() - bandwidth.GetTold()) <=
                      settings.hysteresis * bandwidth.GetTold());
        }
    };
    for (const auto& [pause, hundredths] : DrawLoads())
    {
        now += pause * MS;
        bandwidth.Count(now, GetBytes(pause * MS, hundredths));
        update();
    }
    // When the load has settled, the last value is told when its time has come.
    if (const auto next = bandwidth.GetNextUpdate())
    {
        now = std::max(now, *next);
        update();
    }
    RC_ASSERT(!bandwidth.GetNextUpdate());
    RC_ASSERT(std::abs(bandwidth.Get() - bandwidth.GetTold()) <=
              settings.hysteresis * bandwidth.GetTold());
}
