// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/fare/available-bandwidth.h"
#include "test/core/core-test.h"

constexpr int64_t MS = 1000000;     // in ns
constexpr double CAPACITY = 12.5e9; // 100 Gbit/s

/// Pauses in ms, and how much is sent in each in hundredths of the capacity.
std::vector<std::pair<int64_t, uint32_t>>
DrawLoads()
{
    return *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int64_t, uint32_t>>>(
        rc::gen::pair(rc::gen::inRange<int64_t>(1, 50), rc::gen::inRange<uint32_t>(0, 130))));
}

AvailableBandwidthSettings
DrawSettings()
{
    AvailableBandwidthSettings settings;
    settings.timeConstant = DrawInRange<int64_t>(1, 200) * MS;
    settings.hysteresis = DrawInRange(0, 30) * 0.01;
    settings.updateInterval = DrawInRange<int64_t>(0, 300) * MS;
    return settings;
}

/// What is sent in a time at a share of the capacity in hundredths.
uint64_t
GetBytes(int64_t time, uint32_t hundredths)
{
    return static_cast<uint64_t>(time) * hundredths / 8; // CAPACITY is 12.5 bytes a ns
}

/// Send at a share of the capacity in hundredths from the last look on until a time in ms.
std::optional<double>
Send(AvailableBandwidth& bandwidth, int64_t from, int64_t to, uint32_t hundredths)
{
    return bandwidth.Update(to * MS, GetBytes((to - from) * MS, hundredths), CAPACITY);
}

/// What a link of a settled load is told as, as a share of its capacity.
double
GetShareTold(AvailableBandwidthSettings settings, uint32_t hundredths)
{
    settings.hysteresis = 0;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    Send(bandwidth, 0, 100 * settings.timeConstant / MS, hundredths);
    return bandwidth.GetTold() / CAPACITY;
}

TEST(AvailableBandwidth, IsTheCapacityAtFirst)
{
    AvailableBandwidth bandwidth({}, CAPACITY, 5 * MS);
    EXPECT_EQ(bandwidth.GetTold(), CAPACITY);
    EXPECT_EQ(bandwidth.GetUtilization(), 0);
    EXPECT_FALSE(bandwidth.Update(6 * MS, 0, CAPACITY));
}

TEST(AvailableBandwidth, HasTheLoadOfTheFormula)
{
    // Half of the capacity for one time constant: 1 - 1/e of it, 0.6321205588285577; then nothing
    // for two: times 1/e^2, 0.1353352832366127
    AvailableBandwidthSettings settings;
    settings.timeConstant = 10 * MS;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    Send(bandwidth, 0, 10, 50);
    const double load = 0.5 * 0.6321205588285577;
    EXPECT_NEAR(bandwidth.GetUtilization(), load, 1e-12);
    Send(bandwidth, 10, 30, 0);
    EXPECT_NEAR(bandwidth.GetUtilization(), load * 0.1353352832366127, 1e-12);
}

TEST(AvailableBandwidth, FallsFromHalfOfTheCapacityOn)
{
    // (1 / (2 u))^E: by hand for u of 0.6, 0.8, 1 and more
    AvailableBandwidthSettings settings;
    settings.timeConstant = 16 * MS;
    settings.updateInterval = MS;
    settings.delay = MS; // E = 16 / (2 (3 + 1)) = 2
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
    // T / (2 (3 intervals + delay)), from 1/2 to 8
    const auto get = [](int64_t timeConstant, int64_t interval, int64_t delay) {
        return AvailableBandwidth({timeConstant, 0.05, interval, delay}, CAPACITY, 0)
            .GetSteepness();
    };
    EXPECT_EQ(get(100, 0, 0), 8) << "the most";
    EXPECT_EQ(get(100, 0, 10), 5);
    EXPECT_EQ(get(300, 10, 0), 5);
    EXPECT_EQ(get(300, 10, 45), 2);
    EXPECT_EQ(get(300, 75, 75), 0.5) << "the least";
    EXPECT_EQ(get(1, 1000, 1000), 0.5);
    EXPECT_NEAR(AvailableBandwidth({}, CAPACITY, 0).GetSteepness(), 10.0 / 3, 1e-12);
}

TEST(AvailableBandwidth, TellsTheLastChangeWhenTheIntervalEnds)
{
    AvailableBandwidthSettings settings;
    // E = 1/2: the root of 1 / (2 u)
    settings.timeConstant = 1;
    settings.hysteresis = 0.1;
    settings.updateInterval = 100 * MS;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    EXPECT_FALSE(Send(bandwidth, 0, 10, 60)) << "0.913, within the hysteresis";
    EXPECT_NEAR(Send(bandwidth, 10, 20, 80).value_or(0), std::sqrt(5.0 / 8) * CAPACITY, 1);
    EXPECT_FALSE(Send(bandwidth, 20, 30, 100));
    EXPECT_FALSE(Send(bandwidth, 30, 119, 60));
    EXPECT_NEAR(Send(bandwidth, 119, 120, 60).value_or(0), std::sqrt(5.0 / 6) * CAPACITY, 1)
        << "not that of 30 ms";
    EXPECT_FALSE(Send(bandwidth, 120, 300, 60));
}

TEST(AvailableBandwidth, TellsNothingOfAChangeThatIsOver)
{
    AvailableBandwidthSettings settings;
    settings.timeConstant = 1;
    settings.updateInterval = 100 * MS;
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    EXPECT_TRUE(Send(bandwidth, 0, 10, 80));
    EXPECT_FALSE(Send(bandwidth, 10, 20, 0));
    EXPECT_FALSE(Send(bandwidth, 20, 120, 80));
}

TEST(AvailableBandwidth, FollowsTheCapacity)
{
    AvailableBandwidth bandwidth({}, CAPACITY, 0);
    EXPECT_EQ(bandwidth.Update(MS, 0, CAPACITY / 2), CAPACITY / 2);
    EXPECT_FALSE(bandwidth.Update(2 * MS, 0, CAPACITY));
    EXPECT_EQ(bandwidth.Update(101 * MS, 0, CAPACITY), CAPACITY);
}

TEST(AvailableBandwidth, RefusesWhatIsOutOfRange)
{
    const auto refuses = [](const AvailableBandwidthSettings& settings,
                            double capacity = CAPACITY) {
        EXPECT_THROW(AvailableBandwidth(settings, capacity, 0), std::invalid_argument);
    };
    refuses({0, 0.05, 0, 0});
    refuses({MS, 0.05, -1, 0});
    refuses({MS, 0.05, 0, -1});
    for (const double hysteresis : {-0.1, 1.1, std::nan("")})
    {
        refuses({MS, hysteresis, 0, 0});
    }
    AvailableBandwidth bandwidth({}, CAPACITY, MS);
    for (const double capacity : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    {
        refuses({}, capacity);
        EXPECT_THROW(bandwidth.Update(2 * MS, 0, capacity), std::invalid_argument);
    }
    EXPECT_THROW(bandwidth.Update(MS, 0, CAPACITY), std::invalid_argument) << "no later time";
}

RC_GTEST_PROP(AvailableBandwidth, ConvergesToAConstantLoadByTheFormula, ())
{
    // u(t) = r (1 - exp(-t / T)), however often it is sampled
    const auto settings = DrawSettings();
    const auto hundredths = DrawInRange<uint32_t>(0, 130);
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    int64_t now = 0;
    for (const auto& [pause, unused] : DrawLoads())
    {
        Send(bandwidth, now, now + pause, hundredths);
        now += pause;
        const double age =
            static_cast<double>(now * MS) / static_cast<double>(settings.timeConstant);
        RC_ASSERT(std::abs(bandwidth.GetUtilization() - hundredths * 0.01 * (1 - std::exp(-age))) <=
                  1e-9);
    }
}

RC_GTEST_PROP(AvailableBandwidth, KeepsToTheLimitAndTheHysteresis, ())
{
    const auto settings = DrawSettings();
    AvailableBandwidth bandwidth(settings, CAPACITY, 0);
    const auto get = [&bandwidth] { // the formula
        const double u = bandwidth.GetUtilization();
        return u <= 0.5  ? CAPACITY
               : u < 1.0 ? CAPACITY * std::pow(2 * u, -bandwidth.GetSteepness())
                         : CAPACITY * std::pow(2, -bandwidth.GetSteepness());
    };
    std::optional<int64_t> last;
    int64_t now = 0;
    for (const auto& [pause, hundredths] : DrawLoads())
    {
        const double before = bandwidth.GetTold();
        const auto told = Send(bandwidth, now, now + pause, hundredths);
        now += pause;
        const bool isTime = !last || (now - *last) * MS >= settings.updateInterval;
        RC_ASSERT(bandwidth.GetTold() == told.value_or(before));
        if (told)
        {
            RC_ASSERT(isTime);
            RC_ASSERT(std::abs(*told - before) > settings.hysteresis * before);
            RC_ASSERT(std::abs(*told - get()) <= 1e-9 * CAPACITY);
            last = now;
        }
        // Without the limit, what was told is never off by more than the hysteresis.
        RC_ASSERT(!isTime || std::abs(get() - bandwidth.GetTold()) <=
                                 settings.hysteresis * bandwidth.GetTold() + 1e-9 * CAPACITY);
    }
}
