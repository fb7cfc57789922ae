// SPDX-License-Identifier: GPL-2.0-only

#include "csig-port-pair.h"
#include "test/test-case.h"

// How a port estimates what it sends.
AIDC_TEST_SUITE("aidc-csig-estimation", UNIT);

/// Bytes of payload that make a frame without a tag 1,000 bytes on the wire: 1 us at 8 Gb/s.
constexpr uint32_t KILOBYTE = 962;

struct Estimation
{
    std::string name; //!< how it is estimated
    int frames;       //!< frames before the tag
    double rate;      //!< expected, in bit/s
    int64_t idle{0};  //!< how much later the tag comes, in ns
};

// Each way to estimate agrees with a computation of its own. A frame of 1,000 bytes each 2 us: 4
// of 8 Gb/s. The tag comes with frame n, at 2 n us, or later.
AIDC_TEST_CASE_P(EstimationTestCase,
                 Estimation,
                 row,
                 "5.1.1, 5.3.1: ABW by the estimation " + row.name +
                     (row.idle > 0 ? ", after silence" : ""))
{
    CsigPortPair pair({},
                      {{"Estimation", row.name},
                       {"Interval", "10us"},
                       {"Weight", "0.25"},
                       {"WeightBytes", "2000"},
                       {"DiscountInterval", "10us"},
                       {"DiscountFactor", "0.5"}},
                      {},
                      {},
                      {{"AbwQuantum", "1bps"}, {"AbwRatioQuantum", "1"}});
    for (int i = 0; i < row.frames; ++i)
    {
        pair.Forward(2000 * i, KILOBYTE);
    }
    // 8 Gb/s are more than 20 bits of 1 bit/s: ask for the share.
    pair.Forward(2000 * row.frames + row.idle, 100, MakeTag(1, 0xfffff, 0, EXPANDED));
    const auto tags = pair.Run();
    AIDC_ASSERT(tags.back().has_value(), "each frame has a tag");
    const auto expected = static_cast<int64_t>(std::floor((8e9 - row.rate) / 8e9 * 1e6));
    NS_TEST_EXPECT_MSG_EQ_TOL(int64_t{tags.back()->value}, expected, 1, "millionths");
}

/// Send a frame of 1,000 bytes at 8 us, then a tag. time: when the tag comes, in ns. Returns the
/// share that the tag says is available, in millionths.
uint32_t
Ask(Attributes agent, int64_t time)
{
    agent.emplace_back("Phase", "0.25");
    CsigPortPair pair({}, agent, {}, {}, {{"AbwRatioQuantum", "1"}});
    pair.Forward(8000, KILOBYTE);
    pair.Forward(time, 100, MakeTag(1, 0xfffff, 0, EXPANDED));
    return pair.Run().at(1)->value;
}

// Windows begin earlier by their phase, in all estimations that have a timer. With a phase of 1/4,
// windows of 10 us begin at 7.5, 17.5 and 27.5 us.
AIDC_TEST_CASE("5.3.2: windows of a port begin at a phase of its own")
{
    // 1,000 bytes of the 10,000 that a window has room for.
    const Attributes interval{{"Interval", "10us"}};
    NS_TEST_EXPECT_MSG_EQ(Ask(interval, 10000), 1000000, "[-2.5, 7.5)");
    NS_TEST_EXPECT_MSG_EQ(Ask(interval, 17499), 1000000, "[-2.5, 7.5)");
    NS_TEST_EXPECT_MSG_EQ(Ask(interval, 17500), 900000, "[7.5, 17.5)");
    NS_TEST_EXPECT_MSG_EQ(Ask(interval, 27499), 900000, "[7.5, 17.5)");
    NS_TEST_EXPECT_MSG_EQ(Ask(interval, 27500), 1000000, "[17.5, 27.5)");
    const Attributes software{{"Software", "true"}, {"SoftwareInterval", "10us"}};
    NS_TEST_EXPECT_MSG_EQ(Ask(software, 17499), 1000000, "just before the reading");
    NS_TEST_EXPECT_MSG_EQ(Ask(software, 17500), 900000, "from the reading on");
    // tau is 20 us, and X halves at 17.5 us.
    const Attributes discounting{{"Estimation", "Discounting"},
                                 {"DiscountInterval", "10us"},
                                 {"DiscountFactor", "0.5"}};
    NS_TEST_EXPECT_MSG_EQ(Ask(discounting, 17499), 950000, "just before the discount");
    NS_TEST_EXPECT_MSG_EQ(Ask(discounting, 17500), 975000, "from the discount on");
}

AIDC_ADD_TEST_CASES()
{
    // In [10, 20) us frames start at 10, 12, 14, 16, 18 us.
    AddTestCase(new EstimationTestCase({"Interval", 12, 4e9}));
    // Each frame after the first ends a gap of 4 Gb/s: after 12 of them 1 - 0.75^12 of it.
    AddTestCase(new EstimationTestCase({"Ewma", 12, 4e9 * (1 - std::pow(0.75, 12))}));
    // The last frame and 10 us of silence are six times 2 us with 1,000 bytes.
    const double before = 4e9 * (1 - std::pow(0.75, 11));
    const double silence = 8000 / 12e-6;
    AddTestCase(new EstimationTestCase(
        {"Ewma", 12, silence + (before - silence) * std::pow(0.75, 6), 10000}));
    // tau = 20 us. X at the tick of 10 us: 5,000 bytes, halved; at 20 us: 7,500, halved; then
    // frames at 20 and 22 us: 5,750 bytes in 20 us.
    AddTestCase(new EstimationTestCase({"Discounting", 12, 5750 * 8 / 20e-6}));
}
