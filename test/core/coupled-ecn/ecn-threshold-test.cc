// SPDX-License-Identifier: GPL-2.0-only

// The coupled ECN threshold: draft "Dynamic ECN Threshold" (March 2026), sections 4, 5.2, 5.3,
// 6, 9.

#include "model/core/coupled-ecn/ecn-threshold.h"
#include "model/core/occupancy-average.h"
#include "test/core/core-test.h"

constexpr uint64_t MAX = std::numeric_limits<uint64_t>::max();

struct Row
{
    const char* name;
    uint64_t bufThrd;
    uint64_t offset;
    uint64_t floor;
    uint64_t ecnThrd; //!< by hand from section 5.2's three lines
    EcnRegion region;
};

class EcnThresholdTable : public testing::TestWithParam<Row>
{
};

TEST_P(EcnThresholdTable, Section52)
{
    const auto& row = GetParam();
    const auto result = ComputeEcnThreshold(row.bufThrd, row.offset, row.floor);
    EXPECT_EQ(result.bytes, row.ecnThrd);
    EXPECT_EQ(ToChar(result.region), ToChar(row.region));
}

INSTANTIATE_TEST_SUITE_P(
    Rows,
    EcnThresholdTable,
    testing::Values(
        // Section 4: 12 MB, 4 active queues, then 48; with an Offset of 1 MB and 150 KB.
        Row{"LightLoad", 3000000, 1000000, 100000, 2000000, EcnRegion::A},
        Row{"Incast", 250000, 150000, 100000, 100000, EcnRegion::B},
        // Each side of Buf_Thrd - Offset = ECN_Floor: "greater" is A, "equal" is B.
        Row{"JustA", 250001, 150000, 100000, 100001, EcnRegion::A},
        Row{"JustBelowA", 249999, 150000, 100000, 100000, EcnRegion::B},
        // Each side of Buf_Thrd = ECN_Floor: "greater" is B, "equal" is C.
        Row{"JustB", 100001, 50000, 100000, 100000, EcnRegion::B},
        Row{"AtFloor", 100000, 50000, 100000, 100000, EcnRegion::C},
        Row{"BelowFloor", 99999, 0, 100000, 99999, EcnRegion::C},
        // Offset larger than Buf_Thrd: the difference is negative, hence B (or C), never a wrap.
        Row{"OffsetAboveBuffer", 250000, 250001, 100000, 100000, EcnRegion::B},
        Row{"HugeOffset", 250000, MAX, 100000, 100000, EcnRegion::B},
        Row{"OffsetEqualsBuffer", 250000, 250000, 0, 0, EcnRegion::B},
        Row{"NoOffset", 250000, 0, 100000, 250000, EcnRegion::A},
        Row{"NoFloor", 250000, 100000, 0, 150000, EcnRegion::A},
        Row{"NoBuffer", 0, 1000, 100000, 0, EcnRegion::C},
        Row{"AllZero", 0, 0, 0, 0, EcnRegion::C},
        Row{"HugeBuffer", MAX, 1, 9000, MAX - 1, EcnRegion::A},
        Row{"HugeFloor", MAX - 1, 0, MAX, MAX - 1, EcnRegion::C}),
    [](const auto& row) { return row.param.name; });

RC_GTEST_PROP(EcnThreshold,
              Section53InvariantsHoldForAnyInput,
              (uint64_t buf, uint64_t off, uint64_t floor))
{
    const auto result = ComputeEcnThreshold(buf, off, floor);
    RC_ASSERT(result.bytes <= buf);
    RC_ASSERT(result.bytes >= floor || buf < floor);
}

RC_GTEST_PROP(EcnThreshold, Section52RegionsAgreeWithWideArithmetic, ())
{
    // Small numbers meet the boundaries often; the reference works on signed 64-bit integers.
    const auto buf = DrawInRange<int64_t>(0, 40);
    const auto off = DrawInRange<int64_t>(0, 40);
    const auto floor = DrawInRange<int64_t>(0, 40);
    const char region = buf - off > floor ? 'A' : buf > floor ? 'B' : 'C';
    const int64_t bytes = region == 'A' ? buf - off : region == 'B' ? floor : buf;
    const auto result = ComputeEcnThreshold(buf, off, floor);
    RC_ASSERT(ToChar(result.region) == region);
    RC_ASSERT(result.bytes == static_cast<uint64_t>(bytes));
}

RC_GTEST_PROP(EcnThreshold,
              Section52NeverFallsWhenTheBufferGrows,
              (uint32_t buf, uint32_t off, uint32_t floor))
{
    RC_ASSERT(ComputeEcnThreshold(buf, off, floor).bytes <=
              ComputeEcnThreshold(uint64_t{buf} + 1, off, floor).bytes);
}

struct BiasRow
{
    uint64_t bufThrd;
    uint64_t bias;
    uint64_t ecnThrd; //!< by hand, Offset 100,000, ECN_Floor 30,000
    EcnRegion region;
};

class EcnBias : public testing::TestWithParam<BiasRow>
{
};

// Sections 5.3 and 6.1: the bias is additional Offset, and below the floor it is taken off
// Buf_Thrd.
TEST_P(EcnBias, Section53)
{
    const auto& row = GetParam();
    const auto result = ComputeEcnThreshold(row.bufThrd, 100000, 30000, row.bias);
    EXPECT_EQ(result.bytes, row.ecnThrd);
    EXPECT_EQ(ToChar(result.region), ToChar(row.region));
}

INSTANTIATE_TEST_SUITE_P(Rows,
                         EcnBias,
                         testing::Values(BiasRow{1000000, 50000, 850000, EcnRegion::A},
                                         BiasRow{180001, 50000, 30001, EcnRegion::A},
                                         BiasRow{180000, 50000, 30000, EcnRegion::B},
                                         BiasRow{1000000, 995000, 30000, EcnRegion::B},
                                         BiasRow{1000000, MAX, 30000, EcnRegion::B},
                                         BiasRow{30001, 50000, 30000, EcnRegion::B},
                                         BiasRow{30000, 50000, 30000, EcnRegion::C},
                                         BiasRow{29999, 9999, 20000, EcnRegion::C},
                                         BiasRow{29999, 29999, 0, EcnRegion::C},
                                         BiasRow{29999, MAX, 0, EcnRegion::C},
                                         BiasRow{5000, 0, 5000, EcnRegion::C}));

RC_GTEST_PROP(EcnThreshold,
              Section53InvariantsHoldForAnyBias,
              (uint64_t buf, uint64_t off, uint64_t floor, uint64_t bias))
{
    const auto result = ComputeEcnThreshold(buf, off, floor, bias);
    RC_ASSERT(FindEcnViolation(result.bytes, buf, floor) == EcnViolation::NONE);
    // The larger the bias, the lower the threshold.
    RC_ASSERT(result.bytes <= ComputeEcnThreshold(buf, off, floor, bias / 2).bytes);
    RC_ASSERT(ComputeEcnThreshold(buf, off, floor, 0).bytes ==
              ComputeEcnThreshold(buf, off, floor).bytes);
}

RC_GTEST_PROP(EcnThreshold, Section61ABiasedThresholdNeverFallsWhenTheBufferGrows, ())
{
    const auto buf = DrawInRange<uint64_t>(0, 60);
    const auto off = DrawInRange<uint64_t>(0, 20);
    const auto floor = DrawInRange<uint64_t>(0, 20);
    const auto bias = DrawInRange<uint64_t>(0, 20);
    RC_ASSERT(ComputeEcnThreshold(buf, off, floor, bias).bytes <=
              ComputeEcnThreshold(buf + 1, off, floor, bias).bytes);
}

TEST(EcnViolation, Section53NamesTheInvariantThatDoesNotHold)
{
    // ECN_Thrd <= Buf_Thrd.
    EXPECT_EQ(FindEcnViolation(900000, 899999, 30000), EcnViolation::ABOVE_BUF_THRD);
    EXPECT_EQ(FindEcnViolation(900000, 900000, 30000), EcnViolation::NONE);
    EXPECT_EQ(FindEcnViolation(1, 0, 30000), EcnViolation::ABOVE_BUF_THRD);
    // ECN_Thrd >= ECN_Floor, unless Buf_Thrd < ECN_Floor.
    EXPECT_EQ(FindEcnViolation(5000, 1000000, 30000), EcnViolation::BELOW_FLOOR);
    EXPECT_EQ(FindEcnViolation(29999, 30000, 30000), EcnViolation::BELOW_FLOOR);
    EXPECT_EQ(FindEcnViolation(30000, 1000000, 30000), EcnViolation::NONE);
    EXPECT_EQ(FindEcnViolation(5000, 29999, 30000), EcnViolation::NONE);
    EXPECT_EQ(FindEcnViolation(0, 0, 0), EcnViolation::NONE);
}

TEST(EcnOffset, Section62SlightlyExceedsRateTimesRtt)
{
    // 400 Gbit/s: 20 us is 1 MB, 50 us is 2.5 MB, the section's own range; one MTU on top.
    EXPECT_EQ(DeriveEcnLevels(400000000000, 20000, 9000).offset, 1000000U + 9000U);
    EXPECT_EQ(DeriveEcnLevels(400000000000, 50000, 9000).offset, 2500000U + 9000U);
    // 1 Gbit/s and 1 ns is 0.125 byte: rounded up.
    EXPECT_EQ(DeriveEcnLevels(1000000000, 1, 1500).offset, 1U + 1500U);
    EXPECT_EQ(DeriveEcnLevels(0, 20000, 1500).offset, 1500U);
}

TEST(EcnFloor, Section63DefaultIsBetween30And100KilobytesAndNeverBelowTheMtu)
{
    EXPECT_EQ(DeriveEcnLevels(100000000000, 1000, 9000).floor, 30000U);     // BDP/7 = 1786
    EXPECT_EQ(DeriveEcnLevels(100000000000, 28000, 9000).floor, 50000U);    // 350000 / 7
    EXPECT_EQ(DeriveEcnLevels(100000000000, 1000000, 9000).floor, 100000U); // BDP/7 = 1785714
    EXPECT_EQ(DeriveEcnLevels(100000000000, 1000, 65535).floor, 65535U);
}

TEST(EcnFloor, Section63MustNotBeBelowTheMtu)
{
    EXPECT_EQ(FindEcnFloorError(9000, 9000), "");
    EXPECT_EQ(FindEcnFloorError(100000, 9000), "");
    EXPECT_NE(FindEcnFloorError(8999, 9000).find("8999"), std::string::npos);
    EXPECT_NE(FindEcnFloorError(0, 1500).find("MTU"), std::string::npos);
}

TEST(EcnOffset, Section9WarnsAboveTypicalAllocations)
{
    // alpha 1: a single busy queue of 12 MB gets 6 MB.
    EXPECT_EQ(ComputeTypicalAllocation(12000000, 1, 0, MAX), 6000000U);
    EXPECT_EQ(FindEcnOffsetError(6000000, 6000000, 30000), "");
    const auto text = FindEcnOffsetError(6000001, 6000000, 3000000);
    EXPECT_NE(text.find("Offset is 6000001 bytes"), std::string::npos) << text;
    EXPECT_NE(text.find("6000000 bytes that"), std::string::npos) << text;
    EXPECT_NE(text.find("marked from 3000000 bytes on"), std::string::npos) << text;
    // A cap bounds it further. 3 MB of its own leave 9 MB to share, of which it gets 8 / 9.
    EXPECT_EQ(ComputeTypicalAllocation(12000000, 1, 0, 1000000), 1000000U);
    EXPECT_EQ(ComputeTypicalAllocation(12000000, 8, 3000000, MAX), 11000000U);
    EXPECT_EQ(ComputeTypicalAllocation(12000000, 8, 12000000, MAX), 12000000U);
}

TEST(EcnFloor, Section9WarnsWhereAQueueCannotGrowBeyondIt)
{
    EXPECT_EQ(FindEcnFloorWithinError(49999, 50000), "");
    // At 50,000 Buf_Thrd is EcnFloor: region C, and no headroom.
    for (const uint64_t floor : {50000, 60000})
    {
        const auto text = FindEcnFloorWithinError(floor, 50000);
        EXPECT_NE(text.find("EcnFloor is " + std::to_string(floor)), std::string::npos) << text;
        EXPECT_NE(text.find("50000 bytes that"), std::string::npos) << text;
    }
}

TEST(RedProbability, ProfileOfDcqcn)
{
    // Kmin 5 KB, Kmax 200 KB, Pmax 1 %: (102.5 - 5) / 195 of 1 % is 0.5 %.
    EXPECT_EQ(ComputeRedProbability(0, 5000, 200000, 0.01), 0);
    EXPECT_EQ(ComputeRedProbability(5000, 5000, 200000, 0.01), 0);
    EXPECT_DOUBLE_EQ(ComputeRedProbability(102500, 5000, 200000, 0.01), 0.005);
    EXPECT_DOUBLE_EQ(ComputeRedProbability(200000, 5000, 200000, 0.01), 0.01);
    EXPECT_EQ(ComputeRedProbability(200001, 5000, 200000, 0.01), 1);
    // Kmin = Kmax is a step.
    EXPECT_EQ(ComputeRedProbability(5000, 5000, 5000, 0.5), 0);
    EXPECT_EQ(ComputeRedProbability(5001, 5000, 5000, 0.5), 1);
}

TEST(OccupancyAverage, FollowsREDsFormula)
{
    // From 0 with constant q: avg_n = q (1 - (1 - w)^n); 100 (1 - 0.998^100) = 18.143.
    OccupancyAverage average;
    for (int n = 0; n < 100; ++n)
    {
        average.Update(100, 0.002);
    }
    EXPECT_NEAR(average.Get(), 18.143, 0.0005);
    for (int n = 100; n < 1000; ++n)
    {
        average.Update(100, 0.002);
    }
    EXPECT_NEAR(average.Get(), 86.494, 0.0005);
    // Idle for 100 packets: 86.494 * 0.998^100 = 86.494 * 0.81857 = 70.801.
    average.Decay(100, 0.002);
    EXPECT_NEAR(average.Get(), 70.801, 0.001);
}
