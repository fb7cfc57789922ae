// SPDX-License-Identifier: GPL-2.0-only

// Buckets and uniform steps of CSIG's signals.

#include "model/core/csig/csig-quantizer.h"
#include "random-buckets.h"
#include "test/core/core-test.h"

#include "ns3/csig-signal.h"

constexpr uint64_t LARGEST = std::numeric_limits<uint64_t>::max();
constexpr uint64_t GBPS = 1000000000; //!< bit/s
constexpr uint64_t PERCENT = 10000;   //!< millionths
constexpr uint64_t US = 1000;         //!< ns

constexpr CsigSignal ALL[]{CsigSignal::ABW,
                           CsigSignal::ABW_RATIO,
                           CsigSignal::HOP_DELAY,
                           CsigSignal::QUEUE_DEPTH};

/// The columns of table 2 of the draft's appendix A, as a user would write them.
CsigBuckets
MakeTable2(CsigSignal signal)
{
    switch (signal)
    {
    case CsigSignal::ABW:
        return ParseCsigBuckets(signal, "0,1Gbps,5Gbps,10Gbps,20Gbps,50Gbps,75Gbps,90Gbps");
    case CsigSignal::ABW_RATIO:
        return ParseCsigBuckets(signal, "0,1%,5%,10%,20%,50%,75%,90%");
    case CsigSignal::HOP_DELAY:
    case CsigSignal::QUEUE_DEPTH:
        break;
    }
    return ParseCsigBuckets(signal, "0,10us,50us,100us,200us,400us,800us,2000us");
}

TEST(CsigBuckets, AppendixATable2)
{
    const uint64_t gigabits[]{0, 1, 5, 10, 20, 50, 75, 90, 0};
    const uint64_t percents[]{0, 1, 5, 10, 20, 50, 75, 90, 0};
    const uint64_t microseconds[]{0, 10, 50, 100, 200, 400, 800, 2000, 0};
    const auto check = [](CsigSignal signal, uint64_t unit, const uint64_t* lows) {
        const auto buckets = MakeTable2(signal);
        EXPECT_EQ(buckets.GetNBuckets(), 8U);
        for (uint32_t code = 0; code < 8; ++code)
        {
            const uint64_t low = lows[code] * unit;
            const uint64_t high = code == 7 ? CsigRange::OPEN : lows[code + 1] * unit;
            EXPECT_EQ(buckets.Decode(code), (CsigRange{low, high})) << code;
            EXPECT_EQ(buckets.Encode(low), code);
            EXPECT_EQ(buckets.Encode(high - 1), code);
        }
    };
    check(CsigSignal::ABW, GBPS, gigabits);
    check(CsigSignal::ABW_RATIO, PERCENT, percents);
    check(CsigSignal::HOP_DELAY, US, microseconds);
}

TEST(CsigBuckets, Figure5BottlenecksInTable2)
{
    // 20G, 12.5 % and 18 us; 20G is on a border, which is of the upper bucket
    EXPECT_EQ(MakeTable2(CsigSignal::ABW).Encode(20 * GBPS), 4U);
    EXPECT_EQ(MakeTable2(CsigSignal::ABW).Encode(20 * GBPS - 1), 3U);
    EXPECT_EQ(MakeTable2(CsigSignal::ABW_RATIO).Encode(125000), 3U);
    EXPECT_EQ(MakeTable2(CsigSignal::HOP_DELAY).Encode(18 * US), 1U);
}

TEST(CsigBuckets, ComparisonSeesEachBucket)
{
    const CsigBuckets buckets({0, 10, 50, 100});
    EXPECT_EQ(buckets, CsigBuckets({0, 10, 50, 100}));
    EXPECT_FALSE(buckets == CsigBuckets({0, 10, 50, 101}));
    EXPECT_FALSE(buckets == CsigBuckets({0, 10, 50}));
}

TEST(CsigBuckets, WrongBucketsAreRefusedWithTheirNumber)
{
    const auto refuse = [](const std::vector<uint64_t>& lows) {
        return CatchMessage([&] { CsigBuckets{lows}; });
    };
    EXPECT_EQ(refuse({}), "A signal of CSIG needs from 1 to 32 buckets, found 0");
    EXPECT_EQ(refuse(std::vector<uint64_t>(33, 0)),
              "A signal of CSIG needs from 1 to 32 buckets, found 33");
    EXPECT_EQ(refuse({1, 2}), "CSIG bucket 0 must begin at 0, found 1");
    EXPECT_EQ(refuse({0, 5, 5}),
              "CSIG bucket 2 must begin above bucket 1, at more than 5, found 5");
    EXPECT_EQ(refuse({0, 7, 5}),
              "CSIG bucket 2 must begin above bucket 1, at more than 7, found 5");
    EXPECT_THROW(CsigBuckets({0, LARGEST}), std::invalid_argument);
    EXPECT_NO_THROW(CsigBuckets({0, LARGEST - 1}));
}

TEST(CsigBuckets, ThirtyTwoBucketsUseAllCodes)
{
    std::vector<uint64_t> lows;
    for (uint64_t i = 0; i < 32; ++i)
    {
        lows.push_back(i * 10);
    }
    const CsigBuckets buckets(lows);
    for (uint32_t code = 0; code < 32; ++code)
    {
        EXPECT_EQ(buckets.Encode(code * 10), code);
        EXPECT_EQ(buckets.Encode(code * 10 + 9), code);
    }
    EXPECT_EQ(buckets.Encode(LARGEST), 31U);
}

TEST(CsigBuckets, CodeThatNoDeviceReplacedIsTheLastBucket)
{
    EXPECT_EQ(CsigBuckets({0, 10}).Decode(31), (CsigRange{10, CsigRange::OPEN}));
}

TEST(CsigBuckets, RepresentativeIsTheMiddleAndOfAnOpenBucketItsBegin)
{
    EXPECT_EQ((CsigRange{10, 20}).GetRepresentative(), 15U);
    EXPECT_EQ((CsigRange{10, 11}).GetRepresentative(), 10U);
    EXPECT_EQ((CsigRange{LARGEST - 3, LARGEST - 1}).GetRepresentative(), LARGEST - 2);
    EXPECT_EQ((CsigRange{90, CsigRange::OPEN}).GetRepresentative(), 90U);
}

/// Any buckets and value: as a walk over all of them finds.
RC_GTEST_PROP(CsigBuckets, ValueIsInTheBucketOfItsCode, ())
{
    const auto lows = *GenLows();
    const CsigBuckets buckets(lows);
    const auto value = *rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, lows.back() + 10),
                                       rc::gen::elementOf(lows),
                                       rc::gen::just(LARGEST));
    uint32_t expected = 0;
    while (expected + 1 < lows.size() && lows[expected + 1] <= value)
    {
        ++expected;
    }
    RC_ASSERT(buckets.Encode(value) == expected);
    const auto range = buckets.Decode(expected);
    RC_ASSERT(range.low <= value);
    RC_ASSERT(value < range.high || range.high == CsigRange::OPEN);
    RC_ASSERT(buckets.Encode(range.GetRepresentative()) == expected);
}

TEST(CsigQuantizer, Section4_1_3DefaultsUseAll32BucketsFinerAtLowValues)
{
    const CsigQuantizer quantizer;
    for (const auto signal : ALL)
    {
        const auto& buckets = quantizer.GetBuckets(signal);
        ASSERT_EQ(buckets.GetNBuckets(), 32U) << GetCsigName(signal);
        const auto first = buckets.Decode(0);
        const auto last = buckets.Decode(30);
        EXPECT_LE((first.high - first.low), (last.high - last.low)) << GetCsigName(signal);
    }
    // The draft's example: 0 and 1 Gbit/s must be told apart, 399 and 400 need not.
    EXPECT_NE(quantizer.Encode(CsigFormat::COMPACT, CsigSignal::ABW, 0),
              quantizer.Encode(CsigFormat::COMPACT, CsigSignal::ABW, GBPS));
}

TEST(CsigQuantizer, DefaultsAreThoseOfTheManual)
{
    const auto format = [](CsigSignal signal) {
        return FormatCsigBuckets(signal, GetDefaultCsigBuckets(signal));
    };
    EXPECT_EQ(format(CsigSignal::ABW),
              "0,100Mbps,200Mbps,500Mbps,1Gbps,2Gbps,3Gbps,4Gbps,5Gbps,6Gbps,8Gbps,10Gbps,"
              "12500Mbps,15Gbps,20Gbps,25Gbps,30Gbps,40Gbps,50Gbps,60Gbps,75Gbps,90Gbps,100Gbps,"
              "125Gbps,150Gbps,175Gbps,200Gbps,250Gbps,300Gbps,350Gbps,400Gbps,600Gbps");
    EXPECT_EQ(format(CsigSignal::ABW_RATIO),
              "0,1%,2%,3%,4%,5%,6%,8%,10%,12%,14%,16%,18%,20%,23%,26%,30%,34%,38%,42%,46%,50%,55%,"
              "60%,65%,70%,75%,80%,85%,90%,95%,98%");
    const std::string times =
        "0,500ns,1us,2us,3us,4us,5us,6us,8us,10us,12us,15us,20us,25us,30us,40us,50us,60us,80us,"
        "100us,125us,150us,200us,250us,300us,400us,500us,650us,800us,1ms,1500us,2ms";
    EXPECT_EQ(format(CsigSignal::HOP_DELAY), times);
    EXPECT_EQ(format(CsigSignal::QUEUE_DEPTH), times);
}

TEST(CsigQuantizer, Section4_1_3QuantaOfTheDraftReach8TbpsAnd128Ms)
{
    const CsigQuantizer quantizer;
    EXPECT_EQ(quantizer.GetQuantum(CsigSignal::ABW), 8000000U);
    EXPECT_EQ(quantizer.GetQuantum(CsigSignal::HOP_DELAY), 128U);
    const auto bandwidth = quantizer.Decode(CsigFormat::EXPANDED, CsigSignal::ABW, 0xFFFFF);
    EXPECT_EQ(bandwidth, (CsigRange{1048575U * 8000000ULL, CsigRange::OPEN})); // 8.39 Tbit/s
    const auto delay = quantizer.Decode(CsigFormat::EXPANDED, CsigSignal::HOP_DELAY, 0xFFFFF);
    EXPECT_EQ(delay, (CsigRange{1048575U * 128ULL, CsigRange::OPEN})); // 134 ms
}

TEST(CsigQuantizer, Section4_1_2UniformStepsSaturateAt0xFFFFF)
{
    CsigQuantizer quantizer;
    quantizer.SetQuantum(CsigSignal::ABW, 100);
    const auto encode = [&](uint64_t value) {
        return quantizer.Encode(CsigFormat::EXPANDED, CsigSignal::ABW, value);
    };
    EXPECT_EQ(encode(0), 0U);
    EXPECT_EQ(encode(99), 0U);
    EXPECT_EQ(encode(100), 1U);
    EXPECT_EQ(encode(104857499), 0xFFFFEU);
    EXPECT_EQ(encode(104857500), 0xFFFFFU);
    EXPECT_EQ(encode(104857600), 0xFFFFFU);
    EXPECT_EQ(encode(LARGEST), 0xFFFFFU);
    EXPECT_EQ(quantizer.Decode(CsigFormat::EXPANDED, CsigSignal::ABW, 7), (CsigRange{700, 800}));
}

TEST(CsigQuantizer, WholeShareFitsTheExpandedFormat)
{
    const CsigQuantizer quantizer;
    EXPECT_EQ(quantizer.Encode(CsigFormat::EXPANDED, CsigSignal::ABW_RATIO, 1000000), 1000000U);
}

TEST(CsigQuantizer, Section4_1_3BucketsAndQuantaAreOfEachSignal)
{
    CsigQuantizer quantizer;
    for (uint32_t i = 0; i < CSIG_SIGNALS; ++i)
    {
        quantizer.SetBuckets(ALL[i], CsigBuckets({0, 10 * (i + 1)}));
        quantizer.SetQuantum(ALL[i], i + 1);
    }
    for (uint32_t i = 0; i < CSIG_SIGNALS; ++i)
    {
        EXPECT_EQ(quantizer.Encode(CsigFormat::COMPACT, ALL[i], 10 * (i + 1) - 1), 0U);
        EXPECT_EQ(quantizer.Encode(CsigFormat::COMPACT, ALL[i], 10 * (i + 1)), 1U);
        EXPECT_EQ(quantizer.Encode(CsigFormat::EXPANDED, ALL[i], 12), 12 / (i + 1));
        EXPECT_EQ(quantizer.Decode(CsigFormat::COMPACT, ALL[i], 0), (CsigRange{0, 10 * (i + 1)}));
    }
}

TEST(CsigQuantizer, QuantumOutsideItsRangeIsRefused)
{
    CsigQuantizer quantizer;
    EXPECT_THROW(quantizer.SetQuantum(CsigSignal::ABW, 0), std::invalid_argument);
    EXPECT_THROW(quantizer.SetQuantum(CsigSignal::ABW, CsigQuantizer::MAX_QUANTUM + 1),
                 std::invalid_argument);
    EXPECT_NO_THROW(quantizer.SetQuantum(CsigSignal::ABW, CsigQuantizer::MAX_QUANTUM));
}

/// Any signal, format and pair of values: codes are in the order of the values, and the values of a
/// code hold what was encoded.
RC_GTEST_PROP(CsigQuantizer, CodesKeepTheOrderAndHoldTheValue, ())
{
    const CsigQuantizer quantizer;
    const auto signal =
        *rc::gen::elementOf(std::vector<CsigSignal>(std::begin(ALL), std::end(ALL)));
    const auto format = DrawElement({CsigFormat::COMPACT, CsigFormat::EXPANDED});
    const auto genValue = rc::gen::map(rc::gen::inRange<uint32_t>(0, 64),
                                       [](uint32_t shift) { return LARGEST >> shift; });
    const uint64_t a = *genValue;
    const uint64_t b = *rc::gen::oneOf(genValue, rc::gen::inRange<uint64_t>(0, 20000000));
    const auto codeA = quantizer.Encode(format, signal, a);
    const auto codeB = quantizer.Encode(format, signal, b);
    RC_ASSERT(codeA <= GetCsigMaxValue(format));
    const bool isInOrder = a <= b ? codeA <= codeB : codeA >= codeB;
    RC_ASSERT(isInOrder);
    const auto range = quantizer.Decode(format, signal, codeB);
    RC_ASSERT(range.low <= b && (b < range.high || range.high == CsigRange::OPEN));
    RC_ASSERT(quantizer.Encode(format, signal, range.GetRepresentative()) == codeB);
}
