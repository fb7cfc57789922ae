// SPDX-License-Identifier: GPL-2.0-only

// How long frames occupy a wire. A minimum frame is 64 bytes, with preamble, start of frame and gap
// 84 (IEEE 802.3, clauses 4.2 and 4.4.2): 672 bits.

#include "model/core/ethernet/wire-clock.h"
#include "test/core/core-test.h"

constexpr uint64_t NS = 1000000000;
constexpr uint64_t PS = 1000000000000;
constexpr uint64_t GBPS = 1000000000;
constexpr uint64_t MIN_FRAME = 84 * 8;

/// Twice the width.
__extension__ using Wide = unsigned __int128;

/// When a wire is free that was idle at 0 and has carried frames back to back since.
int64_t
SendBackToBack(uint64_t rate, uint64_t steps, const std::vector<uint64_t>& frames)
{
    WireClock clock;
    clock.SetRate(rate, steps);
    int64_t end = 0;
    for (const uint64_t bits : frames)
    {
        end = clock.Occupy(end, bits);
    }
    return end;
}

// A frame whose time is a whole number of steps: 12,304 bits (1,518 + 20 bytes) at 1 Gb/s.
TEST(WireClock, AFrameTakesItsBitsOverTheRate)
{
    WireClock clock;
    clock.SetRate(GBPS, NS);
    EXPECT_EQ(clock.GetEnd(), 0);
    EXPECT_EQ(clock.Occupy(1000, 12304), 13304);
    EXPECT_EQ(clock.GetEnd(), 13304);
}

// 672 bits at 800 Gb/s are 0.84 ns, which is no whole number of ns: 100 of them take 84 ns all the
// same, and end at floor(0.84 i) on their way.
TEST(WireClock, FramesShorterThanAStepAddUp)
{
    WireClock clock;
    clock.SetRate(800 * GBPS, NS);
    int64_t end = 0;
    for (int64_t i = 1; i <= 100; ++i)
    {
        end = clock.Occupy(end, MIN_FRAME);
        EXPECT_EQ(end, i * 84 / 100) << i;
    }
    EXPECT_EQ(end, 84);
}

// The same at a resolution of 1 ps: each takes exactly 840 ps.
TEST(WireClock, AFinerResolutionShowsTheExactTimes)
{
    EXPECT_EQ(SendBackToBack(800 * GBPS, PS, {MIN_FRAME}), 840);
    EXPECT_EQ(SendBackToBack(800 * GBPS, PS, std::vector<uint64_t>(100, MIN_FRAME)), 84000);
}

// 7 Gb/s: 672 bits are 96 ns; 100 bits are 14 2/7 ns, so 7 of them are 100 ns.
TEST(WireClock, RatesThatDoNotDivide)
{
    EXPECT_EQ(SendBackToBack(7 * GBPS, NS, {MIN_FRAME}), 96);
    EXPECT_EQ(SendBackToBack(7 * GBPS, NS, {100}), 14);
    EXPECT_EQ(SendBackToBack(7 * GBPS, NS, std::vector<uint64_t>(6, 100)), 85);
    EXPECT_EQ(SendBackToBack(7 * GBPS, NS, std::vector<uint64_t>(7, 100)), 100);
}

// After a pause of the wire the rest of a step does not count: at 800 Gb/s each of these frames
// ends at once.
TEST(WireClock, AGapForgetsTheRest)
{
    WireClock clock;
    clock.SetRate(800 * GBPS, NS);
    for (int64_t start = 0; start < 1000; start += 10)
    {
        EXPECT_EQ(clock.Occupy(start, MIN_FRAME), start);
    }
}

// The rest belongs to the rate at which it was left.
TEST(WireClock, ANewRateForgetsTheRest)
{
    WireClock clock;
    clock.SetRate(800 * GBPS, NS);
    EXPECT_EQ(clock.Occupy(0, MIN_FRAME), 0); // leaves 0.84 ns
    clock.SetRate(1000 * GBPS, NS);
    EXPECT_EQ(clock.Occupy(0, 900), 0); // 0.9 ns
    EXPECT_EQ(clock.Occupy(0, 100), 1); // with 0.1 ns
}

// The limits: 2^17 bits at 1 bit/s, and at 100 Tb/s at a resolution of 1 fs (10 fs a bit).
TEST(WireClock, TheLimitsDoNotOverflow)
{
    constexpr uint64_t MOST = uint64_t{1} << 17;
    EXPECT_EQ(SendBackToBack(1, NS, {MOST}), int64_t{131072} * 1000000000);
    EXPECT_EQ(SendBackToBack(100000 * GBPS, PS * 1000, {MOST}), 1310720);
    // The longest payload that ns-3's MTU can express, with all of its overhead, at 1 ps.
    EXPECT_EQ(SendBackToBack(100000 * GBPS, PS, {uint64_t{8} * 70000}), 5600);
}

// Frames that follow one another without a gap: the sum of their bits over the rate, rounded down,
// computed by arithmetic of twice the width.
RC_GTEST_PROP(WireClock, ABusyWireHasItsExactRate, ())
{
    const auto rate = DrawInRange<uint64_t>(1, 100000 * GBPS + 1);
    const auto steps = DrawElement({NS, PS});
    const auto frames = *rc::gen::container<std::vector<uint64_t>>(
        rc::gen::inRange<uint64_t>(1, uint64_t{1} << 17));
    Wide bits = 0;
    for (const uint64_t frame : frames)
    {
        bits += frame;
    }
    const Wide expected = bits * steps / rate;
    RC_PRE(expected < (static_cast<Wide>(1) << 63));
    RC_ASSERT(SendBackToBack(rate, steps, frames) == static_cast<int64_t>(expected));
}

// The gap of 12 bytes behind frames of 1,538 bytes in all at 100 Gb/s takes 0.96 ns: the frames end
// at 123.04 i - 0.96 ns, rounded down.
TEST(WireClock, AFrameIsWholeBeforeItsGap)
{
    WireClock clock;
    clock.SetRate(100 * GBPS, NS);
    for (int64_t i = 1; i <= 100; ++i)
    {
        EXPECT_EQ(clock.Occupy(clock.GetEnd(), 12304), i * 12304 / 100);
        EXPECT_EQ(clock.GetEndWithout(96), (i * 12304 - 96) / 100);
    }
    clock.SetRate(GBPS, NS);
    EXPECT_EQ(clock.Occupy(20000, 12304), 32304);
    EXPECT_EQ(clock.GetEndWithout(96), 32208);
    EXPECT_EQ(clock.GetEndWithout(0), 32304);
    EXPECT_EQ(clock.GetEndWithout(12304), 20000);
}

// The same for any rate, frames and bits that are left, by arithmetic of twice the width; never
// before the frame has begun.
RC_GTEST_PROP(WireClock, TheEndWithoutSomeBitsIsExact, ())
{
    const auto rate = DrawInRange<uint64_t>(1, 100000 * GBPS + 1);
    const auto steps = DrawElement({NS, PS});
    const auto frames = *rc::gen::nonEmpty(rc::gen::container<std::vector<uint64_t>>(
        rc::gen::inRange<uint64_t>(1, uint64_t{1} << 17)));
    Wide bits = 0;
    for (const uint64_t frame : frames)
    {
        bits += frame;
    }
    RC_PRE(bits * steps / rate < (static_cast<Wide>(1) << 63));
    WireClock clock;
    clock.SetRate(rate, steps);
    int64_t begin = 0;
    for (const uint64_t frame : frames)
    {
        begin = clock.GetEnd();
        clock.Occupy(begin, frame);
    }
    const auto left = DrawInRange<uint64_t>(0, frames.back() + 1);
    const Wide expected = (bits - left) * steps / rate;
    RC_ASSERT(clock.GetEndWithout(left) == static_cast<int64_t>(expected));
    RC_ASSERT(clock.GetEndWithout(left) >= begin);
}

// With gaps a frame never takes longer than its exact time and the rest of a step, and the wire is
// never free before it is occupied.
RC_GTEST_PROP(WireClock, AFrameIsOffByLessThanAStep, ())
{
    const auto rate = DrawInRange<uint64_t>(GBPS, 100000 * GBPS + 1);
    WireClock clock;
    clock.SetRate(rate, NS);
    int64_t now = 0;
    const auto gaps = *rc::gen::container<std::vector<uint64_t>>(rc::gen::inRange<uint64_t>(0, 3));
    for (const uint64_t gap : gaps)
    {
        now += static_cast<int64_t>(gap);
        const auto bits = DrawInRange<uint64_t>(1, uint64_t{1} << 17);
        const int64_t end = clock.Occupy(now, bits);
        const auto whole = static_cast<int64_t>(bits * NS / rate);
        RC_ASSERT(end >= now + whole);
        RC_ASSERT(end <= now + whole + 1);
        now = end;
    }
}
