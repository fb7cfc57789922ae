// SPDX-License-Identifier: GPL-2.0-only

// The Congestion Quantification Index: draft-li-rtgwg-congestion-aware-flowset-switching-00,
// sections 5.1.2, 9.1 and 9.3.

#include "model/core/flow-set/congestion-index.h"
#include "model/core/multiply-divide.h"
#include "test/core/core-test.h"

constexpr uint64_t MAX = std::numeric_limits<uint64_t>::max();
constexpr uint32_t TEN_PERCENT = 100000;

/// The product of two numbers, high and low word, by multiplication of halves.
std::pair<uint64_t, uint64_t>
Multiply(uint64_t a, uint64_t b)
{
    constexpr uint64_t HALF = 0xffffffff;
    const uint64_t low = (a & HALF) * (b & HALF);
    const uint64_t middle = (a >> 32) * (b & HALF) + (low >> 32);
    const uint64_t middle2 = (a & HALF) * (b >> 32) + (middle & HALF);
    return {(a >> 32) * (b >> 32) + (middle >> 32) + (middle2 >> 32), middle2 << 32 | (low & HALF)};
}

/// Numbers of all magnitudes.
rc::Gen<uint64_t>
AnyNumber()
{
    return rc::gen::map(
        rc::gen::pair(rc::gen::inRange(0, 64),
                      rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<uint64_t>())),
        [](const std::pair<int, uint64_t>& drawn) { return drawn.second >> drawn.first; });
}

TEST(CongestionIndex, Section512RecommendedValues)
{
    const CongestionIndexSettings settings;
    EXPECT_EQ(settings.maximum, 16U);
    EXPECT_EQ(settings.thresholdPpm, 100000U); // 10 %
    EXPECT_TRUE(settings.useQueueDepth);       // the metric of the recommended method
    EXPECT_FALSE(settings.useBufferUtilization);
    EXPECT_FALSE(settings.useDrops);
}

// A capacity of 1000 has a threshold of 100.
TEST(CongestionIndex, Section512CqiOfTheRecommendedMethod)
{
    EXPECT_EQ(ComputeCqi(0, 1000, TEN_PERCENT, 16), 0U);
    EXPECT_EQ(ComputeCqi(99, 1000, TEN_PERCENT, 16), 0U);
    EXPECT_EQ(ComputeCqi(100, 1000, TEN_PERCENT, 16), 1U);
    EXPECT_EQ(ComputeCqi(999, 1000, TEN_PERCENT, 16), 9U);
    EXPECT_EQ(ComputeCqi(1600, 1000, TEN_PERCENT, 16), 16U);
    EXPECT_EQ(ComputeCqi(1700, 1000, TEN_PERCENT, 16), 16U);
}

// 3 * (0.1 * 12,000,003) is 3,600,000.9: 3,600,000 is below three thresholds.
TEST(CongestionIndex, Section512ThresholdsThatAreNoWholeBytes)
{
    EXPECT_EQ(ComputeCqi(3600000, 12000003, TEN_PERCENT, 16), 2U);
    EXPECT_EQ(ComputeCqi(3600001, 12000003, TEN_PERCENT, 16), 3U);
    EXPECT_EQ(ComputeCqi(0, 3, TEN_PERCENT, 16), 0U); // the threshold is 0.3 bytes: 1 / 0.3 = 3.3
    EXPECT_EQ(ComputeCqi(1, 3, TEN_PERCENT, 16), 3U);
}

// With a threshold of 10 %, a queue within its capacity has a CQI of at most 10; each of the ten
// steps is met exactly.
TEST(CongestionIndex, Section512EachStepIsMetExactly)
{
    for (const uint64_t capacity : {10U, 1000U, 70U, 12000000U, 1310720U})
    {
        for (uint64_t step = 1; step <= 10; ++step)
        {
            EXPECT_EQ(ComputeCqi(step * capacity / 10, capacity, TEN_PERCENT, 16), step);
            EXPECT_EQ(ComputeCqi(step * capacity / 10 - 1, capacity, TEN_PERCENT, 16), step - 1);
        }
    }
}

TEST(CongestionIndex, Section512RangeIsFrom0ToTheMaximum)
{
    EXPECT_EQ(ComputeCqi(MAX, 1, 1, 255), 255U);
    EXPECT_EQ(ComputeCqi(MAX, MAX, 1, 255), 255U);
    EXPECT_EQ(ComputeCqi(MAX, MAX, 1000000, 16), 1U);
    EXPECT_EQ(ComputeCqi(MAX - 1, MAX, 1000000, 16), 0U);
    EXPECT_EQ(ComputeCqi(1, MAX, 1, 16), 0U);
    EXPECT_EQ(ComputeCqi(5, 10, TEN_PERCENT, 4), 4U);
}

TEST(CongestionIndex, QueueWithoutCapacityIsEmptyOrFull)
{
    EXPECT_EQ(ComputeCqi(0, 0, TEN_PERCENT, 16), 0U);
    EXPECT_EQ(ComputeCqi(1, 0, TEN_PERCENT, 16), 16U);
}

TEST(CongestionIndex, RefusesThresholdsThatAreNoShare)
{
    EXPECT_THROW(ComputeCqi(1, 1, 0, 16), std::invalid_argument);
    EXPECT_THROW(ComputeCqi(1, 1, 1000001, 16), std::invalid_argument);
}

// 2^64 - 1 is 18,446,744,073,709 wholes of 1,000,000 and 551,615 more.
TEST(CongestionIndex, SharesEndAtTheLargestNumber)
{
    constexpr uint64_t WHOLES = 18446744073709;
    EXPECT_EQ(ComputeShare(WHOLES, 1), WHOLES * 1000000);
    EXPECT_EQ(ComputeShare(2 * WHOLES + 1, 2), WHOLES * 1000000 + 500000);
    EXPECT_EQ(ComputeShare(4 * WHOLES + 3, 4), MAX); // 750,000 more
    EXPECT_EQ(ComputeShare(WHOLES + 1, 1), MAX);
    EXPECT_EQ(ComputeShare(MAX, 1), MAX);
}

/// By the definition of a quotient rounded down: share * whole <= 1e6 * amount < (share + 1) *
/// whole.
RC_GTEST_PROP(CongestionIndex, SharesAreExactForAnyNumbers, ())
{
    const auto amount = *AnyNumber();
    const auto whole = std::max<uint64_t>(1, *AnyNumber());
    const auto share = ComputeShare(amount, whole);
    RC_PRE(share < MAX);
    RC_ASSERT(Multiply(share, whole) <= Multiply(1000000, amount));
    RC_ASSERT(Multiply(share + 1, whole) > Multiply(1000000, amount));
}

/// By counting up: the CQI is the largest level k <= maximum with k * threshold * capacity <= 1e6 *
/// depth.
RC_GTEST_PROP(CongestionIndex, Section512CqiIsTheHighestLevelReached, ())
{
    const auto depth = *AnyNumber();
    const auto capacity = *rc::gen::map(AnyNumber(), [](uint64_t n) { return n >> 8; });
    const auto threshold = DrawInRange<uint32_t>(1, 1000001);
    const auto maximum = DrawInRange<uint32_t>(1, 256);
    // At most 2^8 * 2^56.
    uint32_t level = 0;
    while (level < maximum && capacity > 0 &&
           Multiply(threshold, (level + 1) * capacity) <= Multiply(1000000, depth))
    {
        ++level;
    }
    if (capacity == 0)
    {
        level = depth == 0 ? 0 : maximum;
    }
    RC_ASSERT(ComputeCqi(depth, capacity, threshold, maximum) == level);
}

TEST(CongestionIndex, Section512UsesTheQueueDepth)
{
    CongestionIndex index({});
    EXPECT_EQ(index.Update({350, 1000, 1000, 1000, 99}), 3U); // buffer and drops do not count
    EXPECT_EQ(index.Update({0, 1000, 1000, 1000, 99}), 0U);
}

TEST(CongestionIndex, Section512UsesTheBufferUtilization)
{
    CongestionIndexSettings settings;
    settings.useQueueDepth = false;
    settings.useBufferUtilization = true;
    CongestionIndex index(settings);
    EXPECT_EQ(index.Update({1000, 1000, 450, 1000, 99}), 4U);
    EXPECT_EQ(index.Update({1000, 1000, 450, 500, 99}), 9U);  // the limit shrank: 90 %
    EXPECT_EQ(index.Update({1000, 1000, 450, 0, 99}), 16U);   // nothing may be held any more
    EXPECT_EQ(index.Update({1000, 1000, 450, 300, 99}), 15U); // 150 %
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 99}), 0U);
}

TEST(CongestionIndex, Section512UsesTheIncrementOfTheDropCounter)
{
    CongestionIndexSettings settings;
    settings.useQueueDepth = false;
    settings.useDrops = true;
    settings.dropsPerLevel = 10;
    CongestionIndex index(settings);
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 30}), 3U);
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 30}), 0U);
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 49}), 1U);    // 19 more
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 1049}), 16U); // 1000 more
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 20}), 2U);    // the counter began anew
}

TEST(CongestionIndex, Section512TheWorstOfSeveralMetricsCounts)
{
    CongestionIndexSettings settings;
    settings.useBufferUtilization = true;
    settings.useDrops = true;
    CongestionIndex index(settings);
    EXPECT_EQ(index.Update({500, 1000, 300, 1000, 2}), 5U);
    EXPECT_EQ(index.Update({500, 1000, 700, 1000, 4}), 7U);
    EXPECT_EQ(index.Update({500, 1000, 700, 1000, 12}), 8U);
}

// Weight 1/4 and a queue of 800 of 1000 from then on: 200, 350, 462.5, 546.875.
TEST(CongestionIndex, Section91SmoothsTheReadings)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.25;
    CongestionIndex index(settings);
    const PortReading reading{800, 1000, 0, 0, 0};
    EXPECT_EQ(index.Update(reading), 2U);
    EXPECT_EQ(index.Update(reading), 3U);
    EXPECT_EQ(index.Update(reading), 4U);
    EXPECT_EQ(index.Update(reading), 5U);
    for (int i = 0; i < 100; ++i)
    {
        index.Update(reading);
    }
    EXPECT_EQ(index.Update(reading), 8U); // a constant is reached
}

// Weight 1/10: a single full queue gives 100 of 1000, not 1000.
TEST(CongestionIndex, Section91DoesNotOverreactToAnInstant)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.1;
    CongestionIndex index(settings);
    EXPECT_EQ(index.Update({0, 1000, 0, 0, 0}), 0U);
    EXPECT_EQ(index.Update({1000, 1000, 0, 0, 0}), 1U);
    EXPECT_EQ(index.Update({0, 1000, 0, 0, 0}), 0U);
}

// Weight 1/2: drops of 0 to 8, 0, 0 make 4, 2, 1; a utilisation of 160 % (the most that counts), 0,
// 0 makes 80, 40 and 20 %.
TEST(CongestionIndex, Section91SmoothsEachMetric)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.5;
    settings.useQueueDepth = false;
    settings.useDrops = true;
    CongestionIndex drops(settings);
    EXPECT_EQ(drops.Update({0, 0, 0, 0, 8}), 4U);
    EXPECT_EQ(drops.Update({0, 0, 0, 0, 8}), 2U);
    EXPECT_EQ(drops.Update({0, 0, 0, 0, 8}), 1U);

    settings.useDrops = false;
    settings.useBufferUtilization = true;
    CongestionIndex utilization(settings);
    EXPECT_EQ(utilization.Update({0, 0, 1, 0, 0}), 8U);
    EXPECT_EQ(utilization.Update({0, 0, 0, 1000, 0}), 4U);
    EXPECT_EQ(utilization.Update({0, 0, 0, 1000, 0}), 2U);
}

TEST(CongestionIndex, SmoothingTakesAnyReading)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.5;
    settings.useDrops = true;
    CongestionIndex index(settings);
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_EQ(index.Update({MAX, MAX, 0, 0, i % 2 == 0 ? MAX : 0}), 16U);
    }
}

// As a double the largest reading is 2^64, and so is the average after 64 of them: more than its
// integer can hold. A queue that is full is 10 times its threshold of 10 %.
TEST(CongestionIndex, SmoothingStopsAtTheLargestReading)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.5;
    CongestionIndex index(settings);
    for (int i = 0; i < 64; ++i)
    {
        index.Update({MAX, MAX, 0, 0, 0});
    }
    EXPECT_EQ(index.Update({MAX, MAX, 0, 0, 0}), 10U);
}

TEST(CongestionIndex, ResetForgetsTheAveragesButNotTheDropCounter)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.5;
    settings.useDrops = true;
    settings.useBufferUtilization = true;
    CongestionIndex index(settings);
    EXPECT_EQ(index.Update({1000, 1000, 600, 1000, 8}), 5U); // 50 %, 30 % and 4 drops
    index.Reset();
    EXPECT_EQ(index.Update({0, 1000, 0, 1000, 8}), 0U);
    EXPECT_EQ(index.Update({1000, 1000, 0, 1000, 8}), 5U);
}

TEST(CongestionIndex, Section93RefusesImpossibleConfigurations)
{
    EXPECT_NO_THROW(CheckSettings(CongestionIndexSettings{}));
    const auto refuses = [](auto change) {
        CongestionIndexSettings settings;
        change(settings);
        EXPECT_THROW(CheckSettings(settings), std::invalid_argument);
        EXPECT_THROW(CongestionIndex{settings}, std::invalid_argument);
    };
    refuses([](auto& settings) { settings.useQueueDepth = false; });
    refuses([](auto& settings) { settings.thresholdPpm = 0; });
    refuses([](auto& settings) { settings.thresholdPpm = 1000001; });
    refuses([](auto& settings) { settings.dropsPerLevel = 0; });
    refuses([](auto& settings) { settings.maximum = 0; });
    refuses([](auto& settings) { settings.maximum = 256; });
    refuses([](auto& settings) { settings.smoothing = 0; });
    refuses([](auto& settings) { settings.smoothing = 1.001; });
    refuses([](auto& settings) { settings.smoothing = std::nan(""); });
}

TEST(CongestionIndex, Section93ConfigurationChangesBetweenReadings)
{
    CongestionIndexSettings settings;
    settings.smoothing = 0.5;
    CongestionIndex index(settings);
    EXPECT_EQ(index.Update({800, 1000, 0, 1000, 0}), 4U); // (0 + 800) / 2 = 400
    settings.thresholdPpm = 200000;
    index.SetSettings(settings);
    EXPECT_EQ(index.Update({800, 1000, 0, 1000, 0}), 3U); // (400 + 800) / 2 = 600: kept
    settings.thresholdPpm = 0;
    EXPECT_THROW(index.SetSettings(settings), std::invalid_argument);
    EXPECT_EQ(index.Update({1000, 1000, 0, 1000, 0}), 4U); // (600 + 1000) / 2 = 800, by 200
}

RC_GTEST_PROP(CongestionIndex, Section512StaysWithinItsRange, ())
{
    CongestionIndexSettings settings;
    settings.useBufferUtilization = DrawAny<bool>();
    settings.useDrops = DrawAny<bool>();
    settings.maximum = DrawInRange<uint32_t>(1, 256);
    settings.smoothing = DrawElement({0.001, 0.3, 1.0});
    CongestionIndex index(settings);
    for (int i = 0; i < 20; ++i)
    {
        RC_ASSERT(
            index.Update({*AnyNumber(), *AnyNumber(), *AnyNumber(), *AnyNumber(), *AnyNumber()}) <=
            settings.maximum);
    }
}
