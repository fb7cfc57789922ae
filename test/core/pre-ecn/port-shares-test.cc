// SPDX-License-Identifier: GPL-2.0-only

// The shares of a port, packet by packet. The loop is in explicit-rate-loop-test.cc.

#include "model/core/pre-ecn/port-shares.h"
#include "test/core/core-test.h"

using Verdict = NotificationVerdict;
constexpr auto NONE = CongestionSeverity::NONE;
constexpr auto LIGHT = CongestionSeverity::LIGHT;
constexpr auto SEVERE = CongestionSeverity::SEVERE;

FlowKey
MakeFlow(uint32_t i)
{
    return {i, 0, 0, 0, 17};
}

/// 10 Gbit/s; packets of 1,000 bytes that take 1,100 on the link; D is 1 ms, so flows are told each
/// 1 ms / 8 = 125 us.
class Port
{
  public:
    Port()
    {
        settings.law.capacity = 10e9;
        settings.law.feedback = 1'000'000;
        settings.law.utilization = 0.99;
        settings.interval = 100'000;
    }

    /// A packet, and what its flow is told.
    Verdict Arrive(int64_t time, uint32_t flow, CongestionSeverity severity = NONE)
    {
        PortShares::Arrival arrival{time, 1000, 1100, 0, severity};
        const auto verdict = shares.Count(settings, MakeFlow(flow), arrival);
        if (verdict == Verdict::SEND)
        {
            const auto share = shares.TakeShare(settings);
            told[flow].push_back({time, share.rate});
            validity = share.validity;
        }
        return verdict;
    }

    /// Flows whose packets come at intervals, all marked from a time on.
    void Send(int64_t from, int64_t to, const std::vector<int64_t>& intervals, int64_t marked)
    {
        for (int64_t time = from; time < to; time += 100)
        {
            for (uint32_t i = 0; i < intervals.size(); ++i)
            {
                if (time % intervals[i] == 0)
                {
                    Arrive(time, i, time >= marked ? LIGHT : NONE);
                }
            }
        }
    }

    struct Told
    {
        int64_t time;
        uint64_t rate;
    };

    PortShares::Settings settings;
    PortShares shares;
    std::map<uint32_t, std::vector<Told>> told;
    int64_t validity{0};
};

/// Flows of 8, 8 and 1 Gbit/s (intervals of 1, 1 and 8 us). What there is to share is 9.9 * 1000 /
/// 1100 = 9 Gbit/s, of which the small one has 1, and the others 4 each.
TEST(PortShares, LargeFlowsAreToldTheirShare)
{
    Port port;
    port.Send(0, 1'000'000, {1000, 1000, 8000}, 300'000);
    for (const uint32_t flow : {0, 1})
    {
        ASSERT_GE(port.told[flow].size(), 6);
        EXPECT_EQ(port.told[flow].front().time, 300'000) << "at the first mark";
        for (const auto& told : port.told[flow])
        {
            if (told.rate != NOTIFICATION_RATE_UNLIMITED)
            {
                EXPECT_NEAR(static_cast<double>(told.rate), 4e9, 0.15e9) << told.time;
            }
        }
        EXPECT_NE(port.told[flow].back().rate, NOTIFICATION_RATE_UNLIMITED);
        EXPECT_LE(port.told[flow].size(), 2 + 700 / 100);
    }
    // It is notified of, as it is marked, but not limited.
    for (const auto& told : port.told[2])
    {
        EXPECT_EQ(told.rate, NOTIFICATION_RATE_UNLIMITED);
    }
    EXPECT_EQ(port.validity, 1'000'000 + 4 * 125'000);
}

/// Without marks nothing is told, whatever arrives.
TEST(PortShares, AMarkBegins)
{
    Port port;
    port.Send(0, 2'000'000, {500, 500}, 3'000'000);
    EXPECT_TRUE(port.told.empty());
    EXPECT_EQ(port.shares.GetShare(), std::numeric_limits<double>::infinity());
}

/// An average queue above T1 begins, too: the first mark comes by chance, and may be late.
TEST(PortShares, TheAverageBegins)
{
    Port port;
    for (int64_t time = 0; time < 200'000; time += 500)
    {
        for (const uint32_t flow : {0, 1})
        {
            PortShares::Arrival arrival{time, 1000, 1100, 0, NONE, time >= 100'000};
            if (port.shares.Count(port.settings, MakeFlow(flow), arrival) == Verdict::SEND)
            {
                port.told[flow].push_back({time, port.shares.TakeShare(port.settings).rate});
            }
        }
    }
    for (const uint32_t flow : {0, 1})
    {
        ASSERT_FALSE(port.told[flow].empty());
        EXPECT_LE(port.told[flow].front().time, 100'000 + 50'000 + 500) << "a short measurement";
        EXPECT_NEAR(static_cast<double>(port.told[flow].front().rate), 4.5e9, 0.2e9);
    }
}

/// 400 flows send by turns, with 20 Gbit/s in all. They share 9 Gbit/s from the first telling on,
/// which comes as soon as each has sent twice: 800 packets of 1,000 bytes at 20 Gbit/s are 320 us.
TEST(PortShares, TheFirstShareIsThatOfAllFlows)
{
    Port port;
    for (int64_t time = 0, i = 0; time < 1'000'000; time += 400, ++i)
    {
        PortShares::Arrival arrival{time, 1000, 1100, 0, NONE, true};
        const auto flow = static_cast<uint32_t>(i % 400);
        if (port.shares.Count(port.settings, MakeFlow(flow), arrival) == Verdict::SEND)
        {
            port.told[flow].push_back({time, port.shares.TakeShare(port.settings).rate});
        }
    }
    int64_t first = 1'000'000;
    for (const auto& [flow, told] : port.told)
    {
        EXPECT_NEAR(static_cast<double>(told.front().rate), 9e9 / 400, 0.1 * 9e9 / 400) << flow;
        first = std::min(first, told.front().time);
    }
    EXPECT_EQ(port.told.size(), 400);
    EXPECT_NEAR(static_cast<double>(first), 320e3, 1e3);
}

/// A flow that begins is told the share in force by its first packet, not after a measurement.
TEST(PortShares, FlowsThatBeginAreTold)
{
    Port port;
    port.Send(0, 500'000, {1000, 1000}, 0);
    ASSERT_NEAR(port.shares.GetShare(), 4.5e9, 0.15e9);
    port.Arrive(500'000, 2);
    ASSERT_EQ(port.told[2].size(), 1);
    EXPECT_NEAR(static_cast<double>(port.told[2].front().rate), 4.5e9, 0.15e9);
    // It sends no more, so it needs no limit.
    port.Send(500'100, 2'000'000, {1000, 1000}, 0);
    EXPECT_EQ(port.told[2].size(), 1);
}

/// A flow is told when its packets come. 1,000 flows share 9 Gbit/s: a packet of each comes in 889
/// us, which is later than the refresh of 125 us. So the share has to hold for some packets.
TEST(PortShares, SharesHoldForSomePackets)
{
    Port port;
    for (int64_t time = 0, i = 0; time < 20'000'000; time += 800, ++i)
    {
        port.Arrive(time, static_cast<uint32_t>(i % 1000), LIGHT);
    }
    EXPECT_NEAR(static_cast<double>(port.told[0].back().rate), 9e6, 0.5e6);
    EXPECT_NEAR(static_cast<double>(port.validity), 1e6 + 4 * 889e3, 4 * 50e3);
}

/// Flows that have taken the shares are told them again without marks, each 125 us, until they send
/// less: 4.5 Gbit/s is a packet in 1.778 us.
TEST(PortShares, SharesAreConfirmedWithoutMarks)
{
    Port port;
    port.Send(0, 200'000, {1000, 1000}, 0);
    port.Send(200'000, 2'500'000, {1800, 1800}, 5'000'000);
    const auto before = port.told[0].size();
    EXPECT_GE(before, 2'000 / 125);
    EXPECT_LE(before, 2'500 / 100);
    EXPECT_NEAR(static_cast<double>(port.told[0].back().rate), 4.5e9, 0.1e9);
    port.Send(2'500'000, 2'800'000, {8000, 8000}, 5'000'000); // a measurement, and it is over
    const auto end = port.told[0].size();
    port.Send(2'800'000, 5'000'000, {8000, 8000}, 5'000'000);
    EXPECT_EQ(port.told[0].size(), end);
    EXPECT_EQ(port.shares.GetShare(), std::numeric_limits<double>::infinity());
}

/// Severe congestion is told at once.
TEST(PortShares, WorseCongestionIsToldAtOnce)
{
    Port port;
    EXPECT_EQ(port.Arrive(0, 1, LIGHT), Verdict::SEND);
    EXPECT_EQ(port.Arrive(1000, 1, LIGHT), Verdict::SUPPRESSED);
    EXPECT_EQ(port.Arrive(2000, 1, SEVERE), Verdict::SEND);
    EXPECT_EQ(port.Arrive(3000, 1, SEVERE), Verdict::SUPPRESSED);
    EXPECT_EQ(port.Arrive(4000, 1, LIGHT), Verdict::SUPPRESSED);
    EXPECT_EQ(port.Arrive(127'000, 1, LIGHT), Verdict::SEND);
}

/// Flows beyond the table are not told, but what they send is not given to others: 5 of 9 Gbit/s.
TEST(PortShares, FlowsWithoutRoomCount)
{
    Port port;
    port.settings.maxFlows = 2;
    port.Send(0, 800'000, {1000, 1000, 1600}, 300'000);
    EXPECT_TRUE(port.told[2].empty());
    EXPECT_EQ(port.Arrive(800'000, 7, LIGHT), Verdict::FULL);
    EXPECT_EQ(port.Arrive(800'000, 7, NONE), Verdict::SUPPRESSED);
    EXPECT_NEAR(static_cast<double>(port.told[0].back().rate), 2e9, 0.15e9);
    EXPECT_EQ(port.shares.GetNFlows(), 2);
}

/// 4,096 flows at 100 us would be 4,096 * 146 * 8 / 100 us = 48 Gbit/s of notifications. With a
/// bound of 1 Gbit/s, each flow is told each 4,096 * 1.168 us = 4.8 ms.
TEST(PortShares, ManyFlowsAreToldLessOften)
{
    Port port;
    port.settings.timeOfNotification = 1168;
    constexpr uint32_t N = 4096;
    uint64_t nTold = 0;
    constexpr int64_t END = 50'000'000;
    for (int64_t time = 0, i = 0; time < END; time += 500, ++i)
    {
        nTold += port.Arrive(time, static_cast<uint32_t>(i % N), LIGHT) == Verdict::SEND ? 1 : 0;
    }
    // Flows that are due, but have no packet in a measurement, are forgotten until they send again.
    EXPECT_GT(port.shares.GetNFlows(), 0.9 * N);
    EXPECT_LE(nTold, N + END / 1168);
    EXPECT_GE(nTold, END / 1168 * 8 / 10);
    for (uint32_t flow = 0; flow < N; ++flow)
    {
        ASSERT_GE(port.told[flow].size(), 8) << "each has its turn";
        ASSERT_LE(port.told[flow].size(), 12);
    }
    EXPECT_NEAR(static_cast<double>(port.validity), 1e6 + 4.0 * N * 1168, 2e6);
}
