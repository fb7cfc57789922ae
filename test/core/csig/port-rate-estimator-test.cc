// SPDX-License-Identifier: GPL-2.0-only

// How fast a port sends: section 5.1.1 of the draft on CSIG.

#include "model/core/csig/port-rate-estimator.h"
#include "test/core/core-test.h"

constexpr uint64_t GBPS = 1000000000; //!< bit/s
constexpr int64_t US = 1000;          //!< ns
constexpr int64_t MS = 1000000;       //!< ns
constexpr int64_t S = 1000000000;     //!< ns

/// When and how much a port sends.
using Packets = std::vector<std::pair<int64_t, uint64_t>>;

/// Any packets, some of them at one instant, some after long pauses.
rc::Gen<Packets>
GenPackets()
{
    const auto genGap = rc::gen::oneOf(rc::gen::inRange<int64_t>(0, 3000),
                                       rc::gen::inRange<int64_t>(0, 1000000),
                                       rc::gen::just<int64_t>(0));
    return rc::gen::map(
        rc::gen::container<Packets>(rc::gen::pair(genGap, rc::gen::inRange<uint64_t>(1, 9216))),
        [](Packets packets) {
            int64_t now = 0;
            for (auto& [time, bytes] : packets)
            {
                now += time;
                time = now;
            }
            return packets;
        });
}

/// Says whether an estimate is the expected one but for the rounding to bit/s and of doubles.
bool
IsClose(uint64_t estimate, long double expected)
{
    return std::abs(static_cast<long double>(estimate) - expected) <= 1 + 1e-10L * expected;
}

TEST(IntervalRateEstimator, Section5_1_1RateIsThatOfTheLastWholeInterval)
{
    // Of 10 us: 12,500 bytes are 10 Gbit/s.
    IntervalRateEstimator estimator(10 * US);
    estimator.Count(0, 5000);
    EXPECT_EQ(estimator.GetRate(9999), 0U); // none has ended
    estimator.Count(9999, 7500);
    EXPECT_EQ(estimator.GetRate(10000), 10 * GBPS);
    estimator.Count(10000, 1250);
    EXPECT_EQ(estimator.GetRate(19999), 10 * GBPS);
    EXPECT_EQ(estimator.GetRate(20000), GBPS);
    EXPECT_EQ(estimator.GetRate(29999), GBPS);
    EXPECT_EQ(estimator.GetRate(30000), 0U);
}

TEST(IntervalRateEstimator, IdleIntervalsCountAsSuch)
{
    IntervalRateEstimator estimator(10 * US);
    estimator.Count(5, 12500);
    estimator.Count(39 * US, 1250); // three intervals later
    EXPECT_EQ(estimator.GetRate(39 * US), 0U);
    EXPECT_EQ(estimator.GetRate(40 * US), GBPS);
}

TEST(IntervalRateEstimator, Section5_3_2IntervalsFrom10UsTo1S)
{
    for (const int64_t interval : {10 * US, 100 * US, MS, 10 * MS, 100 * MS, S})
    {
        // 100 Gbit/s are 12.5 bytes a nanosecond.
        IntervalRateEstimator estimator(interval);
        estimator.Count(interval - 1, static_cast<uint64_t>(interval) * 25 / 2);
        EXPECT_EQ(estimator.GetRate(interval), 100 * GBPS) << interval;
    }
}

TEST(IntervalRateEstimator, NothingOverflowsAtItsEnds)
{
    // 1.6 Tbit/s over 10 s, late in the life of a simulator
    IntervalRateEstimator estimator(IntervalRateEstimator::MAX_INTERVAL);
    constexpr int64_t late =
        9000000000 * S / IntervalRateEstimator::MAX_INTERVAL * IntervalRateEstimator::MAX_INTERVAL;
    estimator.Count(late, 2000000000000);
    EXPECT_EQ(estimator.GetRate(late + IntervalRateEstimator::MAX_INTERVAL), 1600 * GBPS);
}

TEST(IntervalRateEstimator, IntervalOutsideItsRangeIsRefused)
{
    for (const int64_t interval : {INT64_C(-1), INT64_C(0), INT64_C(999), 10 * S + 1})
    {
        EXPECT_THROW(IntervalRateEstimator{interval}, std::invalid_argument) << interval;
    }
    EXPECT_NO_THROW(IntervalRateEstimator{US});
    EXPECT_NO_THROW(IntervalRateEstimator{10 * S});
}

/// Any packets: as summing up the last whole interval at each moment says.
RC_GTEST_PROP(IntervalRateEstimator, Section5_1_1IsTheSumOfTheLastInterval, ())
{
    const auto packets = *GenPackets();
    const auto interval = DrawElement<int64_t>({1000, 1001, 10000, 100000});
    IntervalRateEstimator estimator(interval);
    for (const auto& [now, size] : packets)
    {
        estimator.Count(now, size);
        const auto end = now / interval * interval;
        uint64_t bytes = 0;
        for (const auto& [time, other] : packets)
        {
            bytes += time >= end - interval && time < end ? other : 0;
        }
        RC_ASSERT(estimator.GetRate(now) ==
                  bytes * 8 * 1000000000 / static_cast<uint64_t>(interval));
    }
}

TEST(EwmaRateEstimator, WeightOneIsTheRateBetweenTheLastTwoPackets)
{
    EwmaRateEstimator estimator(1, 1000);
    EXPECT_EQ(estimator.GetRate(1000), 0U);
    estimator.Count(1000, 1250);
    EXPECT_EQ(estimator.GetRate(1000), 0U); // no time between two packets yet
    estimator.Count(2000, 100);
    EXPECT_EQ(estimator.GetRate(2000), 10 * GBPS); // 1250 bytes in 1 us
    estimator.Count(3000, 100);
    EXPECT_EQ(estimator.GetRate(3000), 8 * GBPS / 10); // 100 bytes in 1 us
}

TEST(EwmaRateEstimator, BusyPortApproachesItsSpeedAsAPower)
{
    // From 0, n packets at 10 Gbit/s give 1 - (1 - w)^n of it: 1/2, 3/4, 7/8 with w = 1/2.
    EwmaRateEstimator estimator(0.5, 1000);
    estimator.Count(0, 1250);
    const uint64_t expected[]{5 * GBPS, 7500000000, 8750000000, 9375000000};
    for (int64_t i = 0; i < 4; ++i)
    {
        estimator.Count((i + 1) * 1000, 1250);
        EXPECT_EQ(estimator.GetRate((i + 1) * 1000), expected[i]) << i;
    }
}

TEST(EwmaRateEstimator, PacketsOfOneInstantCountAsOne)
{
    EwmaRateEstimator estimator(1, 1000);
    estimator.Count(0, 1000);
    estimator.Count(0, 250);
    estimator.Count(1000, 1);
    EXPECT_EQ(estimator.GetRate(1000), 10 * GBPS);
}

TEST(EwmaRateEstimator, Section5_1_1DecaysWhileIdle)
{
    // 10 Gbit/s for long, then silence: the rate of the last packet, spread over the time since,
    // and of what was before it half each 1 us.
    EwmaRateEstimator estimator(0.5, 1000);
    for (int64_t i = 0; i < 100; ++i)
    {
        estimator.Count(i * US, 1250);
    }
    EXPECT_EQ(estimator.GetRate(100 * US), 10 * GBPS);
    // 10 us after the start of the last packet: 1 Gbit/s + 9 Gbit/s / 2^10
    EXPECT_EQ(estimator.GetRate(109 * US), GBPS + 9 * GBPS / 1024 + 1);
    EXPECT_EQ(estimator.GetRate(10099 * US), GBPS / 1000);
    EXPECT_EQ(estimator.GetRate(100 * US), 10 * GBPS) << "reading changes nothing";
    // A packet after 10 ms finds nothing left of the time before: 1,250 bytes in 10 ms.
    estimator.Count(10099 * US, 1250);
    estimator.Count(10100 * US, 1250);
    EXPECT_EQ(estimator.GetRate(10100 * US), (GBPS / 1000 + 10 * GBPS) / 2);
}

TEST(EwmaRateEstimator, Section5_1_1IsAnAverageOfTimeForAnyMixOfSizes)
{
    // A port of 100 Gbit/s that is busy 40 % of the time: a long packet (1,250 bytes, 100 ns) at
    // once behind a short one (125 bytes, 10 ns), then 165 ns of silence. An average over packets
    // would be (100 + 37.7) / 2 = 69 Gbit/s.
    EwmaRateEstimator estimator(1.0 / 1024, 100);
    int64_t now = 0;
    for (int i = 0; i < 20000; ++i, now += 275)
    {
        estimator.Count(now, 125);
        estimator.Count(now + 10, 1250);
    }
    // Within a period the average varies by 275 / 100 / 1024 = 0.3 % of the rates' range.
    EXPECT_NEAR(static_cast<double>(estimator.GetRate(now)), 40e9, 0.3e9);
}

TEST(EwmaRateEstimator, WeightOutsideItsRangeIsRefused)
{
    for (const double weight : {0.0, -0.1, 1.01, std::nan("")})
    {
        EXPECT_THROW(EwmaRateEstimator(weight, 100), std::invalid_argument) << weight;
    }
    for (const double step : {0.0, -1.0, 1e9 + 1, std::nan("")})
    {
        EXPECT_THROW(EwmaRateEstimator(0.5, step), std::invalid_argument) << step;
    }
}

/// Any packets: as the sum of all rates, each with its own weight, says.
RC_GTEST_PROP(EwmaRateEstimator, Section5_1_1IsTheWeightedSumOfAllRates, ())
{
    const auto packets = *GenPackets();
    const auto weight = DrawElement({1.0, 0.5, 1.0 / 64, 0.3});
    const auto step = DrawElement({1.0, 123.04, 5000.0});
    const auto idle = DrawElement<int64_t>({0, 1, 700, 100000});
    EwmaRateEstimator estimator(weight, step);
    Packets instants;
    for (const auto& [now, bytes] : packets)
    {
        estimator.Count(now, bytes);
        if (!instants.empty() && instants.back().first == now)
        {
            instants.back().second += bytes;
        }
        else
        {
            instants.emplace_back(now, bytes);
        }
    }
    if (instants.empty())
    {
        RC_ASSERT(estimator.GetRate(idle) == 0);
        return;
    }
    const int64_t end = instants.back().first + idle;
    const auto keep = [&](int64_t time) {
        return std::pow(1 - static_cast<long double>(weight),
                        static_cast<long double>(time) / step);
    };
    long double expected = 0;
    instants.emplace_back(end, 0);
    for (std::size_t i = 0; i + 1 < instants.size(); ++i)
    {
        const auto [begin, bytes] = instants[i];
        const int64_t next = instants[i + 1].first;
        if (next > begin)
        {
            const long double rate =
                8e9L * static_cast<long double>(bytes) / static_cast<long double>(next - begin);
            expected += rate * (1 - keep(next - begin)) * keep(end - next);
        }
    }
    RC_ASSERT(IsClose(estimator.GetRate(end), expected));
}

TEST(DiscountingRateEstimator, CongaFromIdleAtLineRate)
{
    // 10 Gbit/s, Tdre = 32 us, a = 0.2: utilization before each tick .2 .36 .488 .5904 .67232, and
    // in CONGA's 3 bits, rounded down, 1 2 3 4 5
    DiscountingRateEstimator estimator(32 * US, 0.2);
    const uint64_t expected[]{2000000000, 3600000000, 4880000000, 5904000000, 6723200000};
    for (int64_t i = 0; i < 5; ++i)
    {
        estimator.Count(i * 32 * US, 40000); // 32 us at 10 Gbit/s
        const auto rate = estimator.GetRate((i + 1) * 32 * US - 1);
        EXPECT_TRUE(IsClose(rate, expected[i])) << rate;
        EXPECT_EQ(rate * 8 / (10 * GBPS), static_cast<uint64_t>(i + 1));
    }
}

TEST(DiscountingRateEstimator, CongaForgetsByOneMinusAOfEachTick)
{
    DiscountingRateEstimator estimator(32 * US, 0.5);
    estimator.Count(0, 80000); // X / tau = 80000 * 8 / 64 us = 10 Gbit/s
    EXPECT_EQ(estimator.GetRate(32 * US - 1), 10 * GBPS);
    EXPECT_EQ(estimator.GetRate(32 * US), 5 * GBPS);
    EXPECT_EQ(estimator.GetRate(5 * 32 * US), 10 * GBPS / 32);
    EXPECT_EQ(estimator.GetRate(100 * S), 0U);
    EXPECT_EQ(estimator.GetRate(std::numeric_limits<int64_t>::max() / 2), 0U);
}

TEST(DiscountingRateEstimator, ValueOutsideItsRangeIsRefused)
{
    EXPECT_THROW(DiscountingRateEstimator(999, 0.5), std::invalid_argument);
    EXPECT_THROW(DiscountingRateEstimator(10 * S + 1, 0.5), std::invalid_argument);
    for (const double factor : {0.0, -0.1, 1.0, std::nan("")})
    {
        EXPECT_THROW(DiscountingRateEstimator(US, factor), std::invalid_argument) << factor;
    }
}

/// Any packets: as ticking one by one says.
RC_GTEST_PROP(DiscountingRateEstimator, CongaIsTheTimerTickByTick, ())
{
    const auto packets = *GenPackets();
    const auto interval = DrawElement<int64_t>({1000, 1001, 32000});
    const auto factor = DrawElement({0.5, 0.2, 0.01});
    DiscountingRateEstimator estimator(interval, factor);
    long double x = 0;
    int64_t tick = interval;
    for (const auto& [now, bytes] : packets)
    {
        for (; tick <= now; tick += interval)
        {
            x *= 1 - static_cast<long double>(factor);
        }
        x += bytes;
        estimator.Count(now, bytes);
        const long double tau = static_cast<long double>(interval) / factor;
        RC_ASSERT(IsClose(estimator.GetRate(now), x * 8e9L / tau));
    }
}

TEST(PortRateEstimator, UsesTheConfiguredWay)
{
    // 1250 bytes every 1 us, read at 10 us: 10 Gbit/s for whole intervals of 2 us; with w = 1/2 a
    // us 1 - 2^-10 of it; X of Tdre = 2 us and a = 1/2 worked out below
    const auto estimate = [](RateEstimation method) {
        RateEstimationSettings settings;
        settings.method = method;
        settings.interval = 2 * US;
        settings.weight = 0.5;
        settings.weightTime = US;
        settings.discountInterval = 2 * US;
        settings.discountFactor = 0.5;
        PortRateEstimator estimator(settings);
        for (int64_t i = 0; i < 10; ++i)
        {
            estimator.Count(i * US, 1250);
        }
        return estimator.GetRate(10 * US);
    };
    EXPECT_EQ(estimate(RateEstimation::INTERVAL), 10 * GBPS);
    EXPECT_EQ(estimate(RateEstimation::EWMA), 10 * GBPS - 10 * GBPS / 1024);
    // 2500 bytes in each of five intervals, halved 5, 4, 3, 2 and 1 times: 2421.875 bytes over 4 us
    EXPECT_EQ(estimate(RateEstimation::DISCOUNTING), 4843750000U);
}

TEST(PortRateEstimator, ChecksTheConfiguredWayOnly)
{
    RateEstimationSettings settings;
    settings.weight = 2;
    EXPECT_NO_THROW(PortRateEstimator{settings});
    settings.method = RateEstimation::EWMA;
    EXPECT_THROW(PortRateEstimator{settings}, std::invalid_argument);
    settings.method = RateEstimation::DISCOUNTING;
    settings.discountFactor = 1;
    EXPECT_THROW(PortRateEstimator{settings}, std::invalid_argument);
    settings.method = RateEstimation::INTERVAL;
    settings.interval = 0;
    EXPECT_THROW(PortRateEstimator{settings}, std::invalid_argument);
}

TEST(PortRateEstimator, Section5_1_1AvailableIsCapacityMinusRate)
{
    EXPECT_EQ(ComputeAvailableBandwidth(100 * GBPS, 30 * GBPS), 70 * GBPS);
    EXPECT_EQ(ComputeAvailableBandwidth(100 * GBPS, 100 * GBPS), 0U);
    EXPECT_EQ(ComputeAvailableBandwidth(100 * GBPS, 101 * GBPS), 0U);
}

TEST(PortRateEstimator, Figure5RatiosOfAvailableBandwidth)
{
    EXPECT_EQ(ComputeAvailableRatio(800 * GBPS, 700 * GBPS), 125000U);
    EXPECT_EQ(ComputeAvailableRatio(100 * GBPS, 5 * GBPS), 950000U);
    EXPECT_EQ(ComputeAvailableRatio(40 * GBPS, 20 * GBPS), 500000U);
    EXPECT_EQ(ComputeAvailableRatio(40 * GBPS, 0), 1000000U);
    EXPECT_EQ(ComputeAvailableRatio(40 * GBPS, 41 * GBPS), 0U);
    EXPECT_EQ(ComputeAvailableRatio(3, 2), 333333U);
    EXPECT_EQ(ComputeAvailableRatio(0, 0), 0U);
    constexpr auto largest = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ(ComputeAvailableRatio(largest, largest / 2), 500000U);
}
