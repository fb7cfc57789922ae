// SPDX-License-Identifier: GPL-2.0-only

// The headroom of priority flow control: IEEE 802.1Qbb, Annex O.

#include "model/core/buffer/pfc-headroom.h"
#include "test/core/core-test.h"

/// A link of 100 Gb/s, times in nanoseconds.
HeadroomSettings
Link100()
{
    HeadroomSettings p;
    p.bitsPerSecond = 100000000000;
    p.ticksPerSecond = 1000000000;
    return p;
}

// 300 m of fiber at 5 ns a meter: 1.5 us each way, 3 us are 300,000 bits = 37,500 octets.
// Interfaces of 100 ns, passed four times: 40,000 bits = 5,000 octets.
// Response of 394 quanta: 394 * 512 / 8 = 25,216 octets in 2017.28 ns; here 2018 ns, 25,225 octets.
// Frames of 9000 octets of IP: 9018 with header and FCS, 9038 with preamble and gap.
// PFC frame: 84 octets.
// Sum: 9038 + 9038 + 84 + 37,500 + 5,000 + 25,225 + 9038 = 94,923.
TEST(PfcHeadroom, AnnexOWorkedExample)
{
    HeadroomSettings p = Link100();
    p.delay = 1500;
    p.interfaceDelay = 100;
    p.responseTime = 2018;
    p.ownFrame = 9038;
    p.peerFrame = 9038;
    const auto terms = ComputeHeadroom(p);
    EXPECT_EQ(terms.crossing, 9038U);
    EXPECT_EQ(terms.waiting, 9038U);
    EXPECT_EQ(terms.pfcFrames, 84U);
    EXPECT_EQ(terms.cable, 37500U);
    EXPECT_EQ(terms.interfaces, 5000U);
    EXPECT_EQ(terms.response, 25225U);
    EXPECT_EQ(terms.peer, 9038U);
    EXPECT_EQ(terms.GetSum(), 94923U);
}

// Cells of 254 octets, 84 octets on the wire each: a factor of 254 / 84. 400 Gb/s, 5 m at 5 ns a
// meter, 2180 ns, one priority: 9146 + 84 + 2500 + 109,000 + 9146 = 129,876 octets of small frames
// take 129,876 * 254 / 84 = 392,720.3, each of the five terms rounded up. 27,656 of the last
// frame's hold two largest ones, 37 cells of 254 each: 18,796.
TEST(PfcHeadroom, SmallFramesTakeCells)
{
    HeadroomSettings p;
    p.bitsPerSecond = 400000000000;
    p.ticksPerSecond = 1000000000;
    p.delay = 25;
    p.responseTime = 2180;
    p.ownFrame = 9146;
    p.peerFrame = 9146;
    p.cellSize = 254;
    const auto terms = ComputeHeadroom(p);
    EXPECT_EQ(terms.crossing, 0U);
    EXPECT_EQ(terms.waiting, 27656U);
    EXPECT_EQ(terms.pfcFrames, 254U);
    EXPECT_EQ(terms.cable, 7560U);
    EXPECT_EQ(terms.response, 329596U);
    EXPECT_EQ(terms.peer, 27656U);
    EXPECT_EQ(terms.GetSum(), 392722U);
}

// A cell that is no larger than the smallest frame on the wire: the frames are as they are. 9146
// octets take 109 cells of 84, so that the two largest ones take 218.
TEST(PfcHeadroom, SmallCellsHoldLargeFramesAsTheyAre)
{
    HeadroomSettings p = Link100();
    p.ownFrame = 9146;
    p.peerFrame = 9146;
    p.cellSize = 84;
    const auto terms = ComputeHeadroom(p);
    EXPECT_EQ(terms.peer, 9146U);
    EXPECT_EQ(terms.crossing, 218U * 84 - 9146);
}

// The two largest frames are apart: ours may be a jumbo frame of a lossy class.
TEST(PfcHeadroom, AnnexOFramesOfBothEnds)
{
    HeadroomSettings p = Link100();
    p.ownFrame = 9038;
    p.peerFrame = 1538;
    const auto terms = ComputeHeadroom(p);
    EXPECT_EQ(terms.GetSum(), 9038U + 84U + 2U * 1538U);
}

// Two priorities cross their thresholds while a frame is sent: the second one's PFC frame waits for
// the first one's.
TEST(PfcHeadroom, FramesOfOtherPrioritiesGoFirst)
{
    HeadroomSettings p = Link100();
    p.losslessPriorities = 2;
    EXPECT_EQ(ComputeHeadroom(p).GetSum(), 168U);
}

TEST(PfcHeadroom, PartsOfOctetsCountAsOctets)
{
    HeadroomSettings p;
    p.bitsPerSecond = 10000000; // an octet takes 800 ns
    p.ticksPerSecond = 1000000000;
    p.responseTime = 801;
    EXPECT_EQ(ComputeHeadroom(p).response, 2U);
}

TEST(PfcHeadroom, ASumThatIsTooLargeIsNotASmallOne)
{
    HeadroomTerms terms;
    terms.cable = std::numeric_limits<uint64_t>::max() - 10;
    terms.peer = 11;
    EXPECT_EQ(terms.GetSum(), std::numeric_limits<uint64_t>::max());
}

/// The same with floating point: T * rate / 8 for the time that the pause takes to act.
RC_GTEST_PROP(PfcHeadroom, IsWhatArrivesUntilThePauseActs, ())
{
    HeadroomSettings p;
    p.ticksPerSecond = 1000000000;
    p.bitsPerSecond = DrawInRange<uint64_t>(1000000000, 1600000000000);
    p.delay = DrawInRange<uint64_t>(0, 100000);
    p.interfaceDelay = DrawInRange<uint64_t>(0, 10000);
    p.responseTime = DrawInRange<uint64_t>(0, 10000);
    p.ownFrame = DrawInRange<uint64_t>(84, 9300);
    p.peerFrame = DrawInRange<uint64_t>(84, 9300);
    const double rate = static_cast<double>(p.bitsPerSecond) / 8; // octets a second
    const double ownSending = (p.ownFrame + 84) / rate;
    const double oneWay = 1e-9 * (p.delay + 2 * p.interfaceDelay);
    const double until = ownSending + oneWay + 1e-9 * p.responseTime + p.peerFrame / rate + oneWay;
    const double expected = p.peerFrame + until * rate;
    const auto sum = static_cast<double>(ComputeHeadroom(p).GetSum());
    RC_ASSERT(sum > expected - 0.01);
    RC_ASSERT(sum < expected + 3.01); // three terms are rounded up
}
