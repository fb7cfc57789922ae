// SPDX-License-Identifier: GPL-2.0-only

// The assessment interval: draft-li-rtgwg-congestion-aware-flowset-switching-00, section 5.1.1.

#include "model/core/flow-set/congestion-index.h"
#include "test/core/core-test.h"

TEST(AssessmentInterval, Section511RecommendedRangeIs10To100Milliseconds)
{
    EXPECT_EQ(AssessmentInterval::RECOMMENDED_MIN, 10 * 1000 * 1000);
    EXPECT_EQ(AssessmentInterval::RECOMMENDED_MAX, 100 * 1000 * 1000);
}

TEST(AssessmentInterval, Section511IsConfigurable)
{
    // Equal bounds make it constant, whatever the load.
    AssessmentInterval interval(25, 25, 0.25, 0.75);
    EXPECT_EQ(interval.Get(), 25);
    EXPECT_EQ(interval.Update(0, 1000), 25);
    EXPECT_EQ(interval.Update(1000, 1000), 25);
}

TEST(AssessmentInterval, Section511IsLengthenedDuringLowTraffic)
{
    // 10, 20, 40, 80, then 160 is beyond the longest.
    AssessmentInterval interval(10, 100, 0.25, 0.75);
    EXPECT_EQ(interval.Get(), 10);
    EXPECT_EQ(interval.Update(250, 1000), 20); // the bound belongs to it
    EXPECT_EQ(interval.Update(0, 1000), 40);
    EXPECT_EQ(interval.Update(0, 0), 80); // nothing could be sent
    EXPECT_EQ(interval.Update(0, 1000), 100);
    EXPECT_EQ(interval.Get(), 100);
}

TEST(AssessmentInterval, Section511IsShortenedDuringHighTraffic)
{
    // 100, 50, 25, 12 (rounded down), then 6 is below the shortest.
    AssessmentInterval interval(10, 100, 0.25, 0.75);
    for (int i = 0; i < 4; ++i)
    {
        interval.Update(0, 1000);
    }
    ASSERT_EQ(interval.Get(), 100);
    EXPECT_EQ(interval.Update(750, 1000), 50); // the bound belongs to it
    EXPECT_EQ(interval.Update(1000, 1000), 25);
    EXPECT_EQ(interval.Update(2000, 1000), 12);
    EXPECT_EQ(interval.Update(1000, 1000), 10);
}

TEST(AssessmentInterval, IsUnchangedInBetween)
{
    AssessmentInterval interval(10, 100, 0.25, 0.75);
    interval.Update(0, 1000);
    EXPECT_EQ(interval.Update(251, 1000), 20);
    EXPECT_EQ(interval.Update(749, 1000), 20);
}

TEST(AssessmentInterval, DoublesWithoutOverflow)
{
    constexpr int64_t LARGEST = std::numeric_limits<int64_t>::max();
    AssessmentInterval interval(LARGEST / 2 + 1, LARGEST, 0.25, 0.75);
    EXPECT_EQ(interval.Update(0, 1), LARGEST);
}

TEST(AssessmentInterval, RefusesImpossibleBounds)
{
    EXPECT_THROW(AssessmentInterval(0, 10, 0.25, 0.75), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(-1, 10, 0.25, 0.75), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(11, 10, 0.25, 0.75), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(10, 10, 0.75, 0.75), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(10, 10, -0.1, 0.75), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(10, 10, 0.25, 1.1), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(10, 10, std::nan(""), 0.75), std::invalid_argument);
    EXPECT_THROW(AssessmentInterval(10, 10, 0.25, std::nan("")), std::invalid_argument);
    EXPECT_NO_THROW(AssessmentInterval(1, 1, 0, 1)) << "the ends of the ranges";
}

RC_GTEST_PROP(AssessmentInterval, StaysWithinItsBounds, ())
{
    const auto min = DrawInRange<int64_t>(1, 1000);
    const auto max = min + DrawInRange<int64_t>(0, 100000);
    AssessmentInterval interval(min, max, 0.25, 0.75);
    for (const auto bytes : *rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange(0, 1500)))
    {
        const auto before = interval.Get();
        const auto after = interval.Update(bytes, 1000);
        RC_ASSERT(after >= min && after <= max);
        RC_ASSERT(after == interval.Get());
        RC_ASSERT(bytes < 750 || after <= before);
        RC_ASSERT(bytes > 250 || after >= before);
    }
}
