// SPDX-License-Identifier: GPL-2.0-only

// Values, buckets and speeds of CSIG as users write them.

#include "model/core/csig/csig-locator.h"
#include "random-buckets.h"
#include "test/core/core-test.h"

#include "ns3/csig-signal.h"

constexpr uint64_t LARGEST = std::numeric_limits<uint64_t>::max();

constexpr CsigSignal ALL[]{CsigSignal::ABW,
                           CsigSignal::ABW_RATIO,
                           CsigSignal::HOP_DELAY,
                           CsigSignal::QUEUE_DEPTH};

TEST(CsigText, ReadsEachUnit)
{
    const auto abw = [](const char* text) { return ParseCsigValue(CsigSignal::ABW, text); };
    EXPECT_EQ(abw("17bps"), 17U);
    EXPECT_EQ(abw("17Kbps"), 17000U);
    EXPECT_EQ(abw("17Mbps"), 17000000U);
    EXPECT_EQ(abw("12.5Gbps"), 12500000000U);
    EXPECT_EQ(abw("1.6Tbps"), 1600000000000U);
    EXPECT_EQ(abw("0"), 0U);
    EXPECT_EQ(abw(" 0.000 "), 0U);
    EXPECT_EQ(abw(".5Gbps"), 500000000U);
    EXPECT_EQ(abw("1.00000000000000000000Gbps"), 1000000000U);
    EXPECT_EQ(ParseCsigValue(CsigSignal::ABW_RATIO, "12.5%"), 125000U);
    EXPECT_EQ(ParseCsigValue(CsigSignal::ABW_RATIO, "12ppm"), 12U);
    EXPECT_EQ(ParseCsigValue(CsigSignal::HOP_DELAY, "1.5s"), 1500000000U);
    EXPECT_EQ(ParseCsigValue(CsigSignal::HOP_DELAY, "3ms"), 3000000U);
    EXPECT_EQ(ParseCsigValue(CsigSignal::QUEUE_DEPTH, "3us"), 3000U);
    EXPECT_EQ(ParseCsigValue(CsigSignal::QUEUE_DEPTH, "3ns"), 3U);
}

TEST(CsigText, ValueErrorsSayWhatWasExpectedAndFound)
{
    const auto refuse = [](CsigSignal signal, const std::string& text) {
        return CatchMessage([&] { ParseCsigValue(signal, text); });
    };
    const std::string abw = "expected a value of min(ABW): a number and Tbps, Gbps, Mbps, Kbps or "
                            "bps, found ";
    for (const std::string text :
         {"", "5", "Gbps", "5 Gbps", "5GBps", "-5Gbps", "1.2.3Gbps", "5us"})
    {
        EXPECT_EQ(refuse(CsigSignal::ABW, text), abw + "\"" + text + "\"");
    }
    EXPECT_EQ(refuse(CsigSignal::ABW, std::string("5\0\x80x", 4)), abw + "\"5??x\"");
    EXPECT_EQ(refuse(CsigSignal::ABW, std::string(100, 'x')),
              abw + "\"" + std::string(40, 'x') + "...\"");
    EXPECT_EQ(refuse(CsigSignal::ABW_RATIO, "5"),
              "expected a value of min(ABW/C): a number and % or ppm, found \"5\"");
    EXPECT_EQ(refuse(CsigSignal::HOP_DELAY, "0.5ns"),
              "expected a whole number of ns below 2^64 - 1, found \"0.5ns\"");
    EXPECT_EQ(refuse(CsigSignal::HOP_DELAY, "18446744073709551616ns"),
              "expected a whole number of ns below 2^64 - 1, found \"18446744073709551616ns\"");
    EXPECT_EQ(refuse(CsigSignal::HOP_DELAY, "18446744073709551615ns"),
              "expected a whole number of ns below 2^64 - 1, found \"18446744073709551615ns\"");
    EXPECT_EQ(ParseCsigValue(CsigSignal::HOP_DELAY, "18446744073709551614ns"), LARGEST - 1);
}

TEST(CsigText, BucketErrorsSayWhichBucket)
{
    const auto refuse = [](const std::string& text) {
        return CatchMessage([&] { ParseCsigBuckets(CsigSignal::HOP_DELAY, text); });
    };
    EXPECT_EQ(refuse("0,10us,50"),
              "CSIG bucket 2: expected a value of max(PD): a number and s, ms, us or ns, found "
              "\"50\"");
    EXPECT_EQ(refuse("0,"),
              "CSIG bucket 1: expected a value of max(PD): a number and s, ms, us or ns, found "
              "\"\"");
    EXPECT_EQ(refuse("1us,2us"), "CSIG bucket 0 must begin at 0, found 1000");
    EXPECT_EQ(refuse("0,10us,5us"),
              "CSIG bucket 2 must begin above bucket 1, at more than 10000, found 5000");
    std::string many = "0";
    for (uint32_t i = 1; i < 40; ++i)
    {
        many += "," + std::to_string(i) + "us";
    }
    EXPECT_EQ(refuse(many), "A signal of CSIG needs from 1 to 32 buckets, found 33");
}

TEST(CsigText, SpeedsReadBackAndErrorsSayWhich)
{
    EXPECT_EQ(FormatCsigSpeeds(CsigSpeeds()),
              "10Gbps,25Gbps,40Gbps,100Gbps,200Gbps,400Gbps,800Gbps");
    const auto speeds = ParseCsigSpeeds("2.5Gbps, 1.6Tbps");
    EXPECT_EQ(speeds.Decode(1), 2500000000U);
    EXPECT_EQ(speeds.Decode(2), 1600000000000U);
    EXPECT_EQ(speeds.Decode(3), 0U);
    EXPECT_EQ(FormatCsigSpeeds(speeds), "2500Mbps,1600Gbps");
    EXPECT_EQ(FormatCsigSpeeds(ParseCsigSpeeds("")), "");
    EXPECT_EQ(CatchMessage([] { ParseCsigSpeeds("1Gbps,x"); }),
              "CSIG speed 1: expected a value of min(ABW): a number and Tbps, Gbps, Mbps, Kbps or "
              "bps, found \"x\"");
    EXPECT_THROW(ParseCsigSpeeds("1Gbps,0"), std::invalid_argument);
}

TEST(CsigText, WritesTheLargestUnitWithoutAFraction)
{
    EXPECT_EQ(FormatCsigBuckets(CsigSignal::ABW, CsigBuckets({0, 1, 2000, 12500000000})),
              "0,1bps,2Kbps,12500Mbps");
    EXPECT_EQ(FormatCsigBuckets(CsigSignal::ABW_RATIO, CsigBuckets({0, 15000, 20000})),
              "0,15000ppm,2%");
    EXPECT_EQ(FormatCsigBuckets(CsigSignal::HOP_DELAY, CsigBuckets({0, 500, 2000000, 1000000000})),
              "0,500ns,2ms,1s");
}

/// Any buckets of any signal: their text reads back as the same.
RC_GTEST_PROP(CsigText, WrittenBucketsReadBack, ())
{
    const auto signal =
        *rc::gen::elementOf(std::vector<CsigSignal>(std::begin(ALL), std::end(ALL)));
    auto lows = *GenLows();
    const auto unit = DrawElement<uint64_t>({1, 500, 1000000, 12500000000000});
    for (auto& low : lows)
    {
        low *= unit;
    }
    const CsigBuckets buckets(lows);
    RC_ASSERT(ParseCsigBuckets(signal, FormatCsigBuckets(signal, buckets)) == buckets);
}

TEST(CsigText, SignalsHaveTheNamesOfTheDraft)
{
    EXPECT_EQ(ParseCsigSignals("min(ABW/C)"), std::vector<CsigSignal>{CsigSignal::ABW_RATIO});
    const std::vector<CsigSignal> all(std::begin(ALL), std::end(ALL));
    EXPECT_EQ(FormatCsigSignals(all), "min(ABW),min(ABW/C),max(PD),max(nQD)");
    EXPECT_EQ(ParseCsigSignals(FormatCsigSignals(all)), all);
    for (const auto* text : {"", ",", "min(ABW),", ",min(ABW)", "min(ABW),,max(PD)", "abw", "min"})
    {
        EXPECT_THROW(ParseCsigSignals(text), std::invalid_argument) << text;
    }
}
