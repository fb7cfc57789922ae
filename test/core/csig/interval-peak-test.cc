// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/csig/port-rate-estimator.h"
#include "test/core/core-test.h"

TEST(IntervalPeak, IsThatOfTheLastWholeInterval)
{
    IntervalPeak peak(100);
    peak.Note(10, 7);
    peak.Note(20, 9);
    peak.Note(99, 8);
    EXPECT_EQ(peak.Get(99), 0U);
    EXPECT_EQ(peak.Get(100), 9U);
    peak.Note(150, 3);
    EXPECT_EQ(peak.Get(199), 9U);
    EXPECT_EQ(peak.Get(200), 3U);
    EXPECT_EQ(peak.Get(300), 0U);
}

TEST(IntervalPeak, ForgetsAfterASilentInterval)
{
    IntervalPeak peak(100);
    peak.Note(10, 7);
    EXPECT_EQ(peak.Get(250), 0U);
}

RC_GTEST_PROP(IntervalPeak, EqualsThePlainMaximum, ())
{
    const auto interval = DrawInRange<int64_t>(1, 50);
    IntervalPeak peak(interval);
    std::vector<std::pair<int64_t, uint64_t>> values;
    int64_t now = 0;
    for (const auto& [pause, value] :
         *rc::gen::container<std::vector<std::pair<uint8_t, uint16_t>>>(
             rc::gen::pair(rc::gen::inRange<uint8_t>(0, 60), rc::gen::arbitrary<uint16_t>())))
    {
        now += pause;
        peak.Note(now, value);
        values.emplace_back(now, value);
        uint64_t expected = 0;
        for (const auto& [time, noted] : values)
        {
            if (time / interval == now / interval - 1)
            {
                expected = std::max(expected, noted);
            }
        }
        RC_ASSERT(peak.Get(now) == expected);
    }
}
