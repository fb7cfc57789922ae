// SPDX-License-Identifier: GPL-2.0-only

// When a requester takes packets for lost: R. Mittal et al., "Revisiting Network Support for RDMA"
// (IRN), SIGCOMM 2018, section 3.1; RFC 6298.

#include "model/core/transport/roce-timeout.h"
#include "test/core/core-test.h"

constexpr int64_t US = 1000;
constexpr int64_t MS = 1000 * US;

/// A path of an idle round-trip time and a buffer, in selective repeat.
RoceTimeout::Settings
MakeSettings(int64_t baseRtt, int64_t queueing)
{
    RoceTimeout::Settings settings;
    settings.baseRtt = baseRtt;
    settings.queueing = queueing;
    settings.lowPackets = 3;
    return settings;
}

TEST(RoceTimeout, IrnsNetworkHasIrnsTimeouts)
{
    // Six links of 2 us each way; 240 KB for each of the six ports of a switch, emptied at 40 Gb/s.
    // The paper has "approximately 320 us", 100 us, and N = 3.
    const RoceTimeout timeout(MakeSettings(24 * US, 6 * 240'000 * 8 * US / 40'000));
    EXPECT_EQ(timeout.Get(1), 100 * US);
    EXPECT_EQ(timeout.Get(3), 100 * US);
    EXPECT_EQ(timeout.Get(4), 312 * US);
}

// RFC 8985, section 7.2: a probe after 2 SRTT, unless the timeout comes first.
TEST(RoceTimeout, Rfc8985AProbeIsDueAfterTwoSmoothedRoundTrips)
{
    auto settings = MakeSettings(2 * MS, 5 * MS);
    settings.lowPackets = 0;
    RoceTimeout off(settings);
    settings.hasProbe = true;
    RoceTimeout timeout(settings);
    EXPECT_EQ(timeout.GetProbe(5), 0) << "no round trip is known";
    off.NotifyRtt(2 * MS);
    timeout.NotifyRtt(2 * MS);
    EXPECT_EQ(off.GetProbe(5), 0);
    EXPECT_EQ(timeout.GetProbe(5), 4 * MS);
    EXPECT_EQ(timeout.Get(5), 7 * MS);
    timeout.NotifyTimeout(100);
    EXPECT_EQ(timeout.GetProbe(5), 0) << "after a timeout, timeouts";
    timeout.NotifyProgress(101);
    EXPECT_EQ(timeout.GetProbe(5), 4 * MS);
    settings.queueing = 0;
    RoceTimeout late(settings);
    for (int i = 0; i < 200; ++i)
    {
        late.NotifyRtt(2 * MS); // the variation goes to 0, and the timeout to a round trip
    }
    EXPECT_EQ(late.GetProbe(5), 0);
}

// IRN, section 3.1, has its timeouts in networks without priority flow control. Where all switches
// pause each other, one packet may wait as long as many, and for links of other paths: adapters'
// default of 4.096 us * 2^14 holds.
TEST(RoceTimeout, WhereAllSwitchesPauseEachOtherTimeoutsAreAdapters)
{
    auto settings = MakeSettings(24 * US, 288 * US);
    settings.isLossless = true;
    EXPECT_EQ(RoceTimeout(settings).Get(1), 67'108'864);
    EXPECT_EQ(RoceTimeout(settings).Get(4), 67'108'864);
    settings.queueing = 70 * MS;
    EXPECT_EQ(RoceTimeout(settings).Get(4), 70 * MS + 24 * US)
        << "unless a full buffer takes longer";
    settings.low = 50 * US;
    EXPECT_EQ(RoceTimeout(settings).Get(1), 50 * US) << "unless the user sets one";
}

TEST(RoceTimeout, NoTimeoutIsBelowTheIdleRoundTrip)
{
    struct Row
    {
        int64_t baseRtt;
        int64_t queueing;
        int64_t low;
        int64_t high;
    };

    for (const auto& row : {Row{5 * US, 960 * US, 100 * US, 965 * US},
                            Row{200 * US, 960 * US, 800 * US, 1160 * US},
                            Row{1001 * US, 960 * US, 1961 * US, 1961 * US},
                            Row{200 * MS, 5 * MS, 205 * MS, 205 * MS}})
    {
        const RoceTimeout timeout(MakeSettings(row.baseRtt, row.queueing));
        EXPECT_EQ(timeout.Get(3), row.low);
        EXPECT_EQ(timeout.Get(4), row.high);
    }
}

TEST(RoceTimeout, MeasuredRoundTripsRaiseBoth)
{
    // RFC 6298, section 2: SRTT 10, RTTVAR 5 ms; then RTTVAR 3/4 * 5 + 1/4 * 10 = 6.25 and SRTT
    // 7/8 * 10 + 1/8 * 20 = 11.25 ms.
    RoceTimeout timeout(MakeSettings(5 * US, 960 * US));
    timeout.NotifyRtt(10 * MS);
    EXPECT_EQ(timeout.Get(1), 30 * MS);
    EXPECT_EQ(timeout.Get(4), 30 * MS);
    timeout.NotifyRtt(20 * MS);
    EXPECT_EQ(timeout.Get(1), 36'250 * US);
    EXPECT_EQ(timeout.Get(4), 36'250 * US);
    // Short ones do not lower them below what the path may take.
    for (int i = 0; i < 200; ++i)
    {
        timeout.NotifyRtt(5 * US);
    }
    EXPECT_EQ(timeout.Get(1), 100 * US);
    EXPECT_EQ(timeout.Get(4), 965 * US);
}

TEST(RoceTimeout, AnUnknownPathIsMeasured)
{
    RoceTimeout timeout(MakeSettings(0, 960 * US));
    EXPECT_EQ(timeout.Get(1), 67'108'864); // 4.096 us * 2^14, as adapters come with
    EXPECT_EQ(timeout.Get(4), 67'108'864);
    timeout.NotifyRtt(50 * US); // 4 * 50 is more than 50 + 4 * 25
    EXPECT_EQ(timeout.Get(1), 200 * US);
    EXPECT_EQ(timeout.Get(4), 1010 * US);
    timeout.NotifyRtt(20 * US); // the path was not idle before; SRTT 46.25, RTTVAR 26.25
    EXPECT_EQ(timeout.Get(1), 151'250);
    EXPECT_EQ(timeout.Get(4), 980 * US);
    RoceTimeout far(MakeSettings(0, 960 * US));
    far.NotifyRtt(200 * MS); // 200 + 4 * 100
    EXPECT_EQ(far.Get(1), 600 * MS);
    EXPECT_EQ(far.Get(4), 600 * MS);
}

TEST(RoceTimeout, TheLowOneIsForTheFirstAttemptAndOthersWaitTwiceAsLong)
{
    RoceTimeout timeout(MakeSettings(5 * US, 995 * US));
    EXPECT_EQ(timeout.Get(1), 100 * US);
    EXPECT_EQ(timeout.Get(4), MS);
    const auto expect = [&timeout](int64_t least) {
        EXPECT_GE(timeout.Get(1), least);
        EXPECT_LT(timeout.Get(1), 2 * least);
        EXPECT_EQ(timeout.Get(4), timeout.Get(1));
    };
    timeout.NotifyTimeout(7);
    for (int i = 1; i <= 7; ++i)
    {
        expect(MS << i);
        timeout.NotifyTimeout(7);
    }
    expect(MS << 7); // not beyond all attempts
    // RFC 6298, section 5: packets that were sent before say nothing of it.
    timeout.NotifyProgress(7);
    expect(MS << 7);
    timeout.NotifyProgress(8);
    EXPECT_EQ(timeout.Get(1), 100 * US);
    EXPECT_EQ(timeout.Get(4), MS);
}

TEST(RoceTimeout, ConnectionsThatLosePacketsTogetherDoNotSendThemAgainTogether)
{
    // How many of 1,000 connections with adjacent seeds have their second attempts within each
    // tenth of the time in which there are any.
    std::array<int, 10> tenths{};
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        auto settings = MakeSettings(5 * US, 995 * US);
        settings.seed = seed;
        RoceTimeout timeout(settings);
        timeout.NotifyTimeout(7);
        ++tenths.at(static_cast<std::size_t>((timeout.Get(4) - 2 * MS) / (200 * US)));
    }
    for (const int n : tenths)
    {
        EXPECT_NEAR(n, 100, 40); // four standard deviations
    }
}

TEST(RoceTimeout, WhatTheUserSetsHolds)
{
    auto settings = MakeSettings(5 * US, 995 * US);
    settings.low = 30 * US;
    settings.high = 200 * US;
    RoceTimeout timeout(settings);
    EXPECT_EQ(timeout.Get(3), 30 * US);
    EXPECT_EQ(timeout.Get(4), 200 * US);
    timeout.NotifyRtt(10 * MS);
    EXPECT_EQ(timeout.Get(3), 30 * US);
    EXPECT_EQ(timeout.Get(4), 200 * US);
    timeout.NotifyTimeout(7);
    timeout.NotifyTimeout(7);
    EXPECT_EQ(timeout.Get(3), 200 * US);
    EXPECT_EQ(timeout.Get(4), 200 * US);
    // A low one that is not set does not exceed a high one that is.
    settings.low.reset();
    settings.high = 50 * US;
    EXPECT_EQ(RoceTimeout(settings).Get(3), 50 * US);
}
