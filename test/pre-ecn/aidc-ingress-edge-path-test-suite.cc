// SPDX-License-Identifier: GPL-2.0-only

// What an ingress PE does with the paths of flows: "Traffic Rerouting: Dynamically steering the
// flow to an alternative, less congested path within the WAN if available"
// (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).

#include "edge-network.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-ingress-edge-path", UNIT);

/// Attributes of what steers after 3 notifications within 5 ms.
const Attributes STEERING{{"LightReaction", "Reroute"},
                          {"SteerThreshold", "3"},
                          {"SteerWindow", "5ms"},
                          {"SteerHoldDown", "10ms"},
                          {"SteerQuietTime", "8ms"},
                          {"SteerGap", "50us"}};

/// Add attributes to others.
Attributes
With(Attributes attributes, const Attributes& more)
{
    attributes.insert(attributes.end(), more.begin(), more.end());
    return attributes;
}

// A flow that pauses goes to the other path, stays there for a time, and returns. Expected results:
// flow 1 sends 10 packets, 4 us apart, each 200 us, until 40 ms. It is notified of each 500 us from
// 2.1 ms to 6.1 ms. The third notification is at 3.1 ms; the next burst begins at 3.2 ms, the pause
// before it is 164 us, and it takes path 1. It has to stay until 13.2 ms. Path 0 was last notified
// of at 3.1 ms, the flow at 6.1 ms: it is quiet at 14.1 ms, and the burst of 14.2 ms returns.
AIDC_DATAPATH_TEST_CASES("a flow is steered in a pause and returns")
{
    EdgeNetwork network(STEERING, EdgeNetwork::MakeSettings(mode));
    for (uint32_t i = 0; i < 200; ++i)
    {
        network.SendFlow(1, 1000, MicroSeconds(200 * i + 1), MicroSeconds(4), 10);
    }
    network.SendFlow(2, 1000, MicroSeconds(3), MicroSeconds(8), 5000);
    for (uint32_t i = 0; i <= 8; ++i)
    {
        network.NotifyAt(MicroSeconds(2100 + 500 * i), 1);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.paths.size(), 2, "there and back");
    const auto& there = network.paths[0];
    const auto& back = network.paths[1];
    AIDC_EXPECT(there.oldValue == 0 && there.newValue == 1, "there");
    AIDC_EXPECT(back.oldValue == 1 && back.newValue == 0, "and back");
    NS_TEST_EXPECT_MSG_EQ_TOL(there.time, 3203000, 3000, "in the first pause");
    NS_TEST_EXPECT_MSG_GT(back.time, 14100000, "not before it is quiet");
    NS_TEST_EXPECT_MSG_LT(back.time, 14210000, "then in the next pause");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetStatistics().pathChanges, 2, "counted");
    const auto byC2 = network.GetLeft(1, TunnelNetwork::C2);
    NS_TEST_ASSERT_MSG_EQ(byC2.size(), 550, "55 bursts go by C2");
    NS_TEST_EXPECT_MSG_EQ(network.GetLeft(1, TunnelNetwork::C1).size(), 1450, "the rest by C1");
    NS_TEST_EXPECT_MSG_EQ(network.GetLeft(2, TunnelNetwork::C2).size(), 0, "flow 2 stays");
    AIDC_EXPECT(network.IsWhole(1), "no packet is lost or overtaken");
    AIDC_EXPECT(network.IsWhole(2), "nor of flow 2");
    NS_TEST_EXPECT_MSG_EQ(network.rates.size(), 0, "no rate has changed");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "the flow is forgotten");
}

// A flow without pauses stays, unless it is forced, or the other path is known to be longer.
// Expected results: packets come each 4 us, the gap is 50 us. Notifications come each 500 us from 2
// ms on; the third is at 3 ms. Forced after 1 ms, the flow moves at 4 ms. To a path that is 1 ms
// longer it moves at once.
struct Unpaused
{
    std::string what;  //!< what the flow does
    std::string force; //!< the attribute SteerForceTime
    Time longer;       //!< how much longer path 1 is
    int64_t moved;     //!< when it moves, in ns; 0 for never
};

AIDC_TEST_CASES(Unpaused,
                row,
                "a flow without pauses " + row.what,
                ({{"stays", "0s", Time(), 0},
                  {"is forced", "1ms", Time(), 4003000},
                  {"takes a longer path", "0s", MilliSeconds(1), 3003000}}))
{
    EdgeNetwork network(With(STEERING, {{"SteerForceTime", row.force}}));
    if (!row.longer.IsZero())
    {
        network.controller->SetPathDelay(network.there, 1, row.longer);
    }
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(4), 1500); // 6 ms
    for (uint32_t i = 0; i <= 6; ++i)
    {
        network.NotifyAt(MicroSeconds(2000 + 500 * i), 1);
    }
    RunFor(MilliSeconds(8));
    NS_TEST_ASSERT_MSG_EQ(network.paths.size(), (row.moved == 0 ? 0 : 1), row.what);
    if (row.moved != 0)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(network.paths[0].time, row.moved, 5000, row.what);
    }
}

// Notifications never make a flow change its path more often than once in the hold-down time, and
// few notifications not at all.
AIDC_TEST_CASE("flows do not flap")
{
    EdgeNetwork network(With(STEERING, {{"SteerQuietTime", "20us"}}));
    for (uint32_t i = 0; i < 400; ++i)
    {
        network.SendFlow(1, 1000, MicroSeconds(200 * i + 1), MicroSeconds(4), 10); // 80 ms
        network.SendFlow(2, 1000, MicroSeconds(200 * i + 101), MicroSeconds(4), 10);
    }
    // Flow 1 is notified of just before each of its bursts, flow 2 twice in 5 ms.
    for (uint32_t i = 0; i < 350; ++i)
    {
        network.NotifyAt(MicroSeconds(200 * i + 190), 1);
    }
    for (uint32_t i = 0; i < 28; ++i)
    {
        network.NotifyAt(MicroSeconds(2500 * i + 150), 2);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_GT(network.paths.size(), 5, "flow 1 moves");
    for (std::size_t i = 0; i < network.paths.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(network.paths[i].flow.sourcePort, 1, "only flow 1");
        if (i > 0)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(network.paths[i].time - network.paths[i - 1].time,
                                        10000000,
                                        "after the hold-down time");
        }
    }
    AIDC_EXPECT(network.IsWhole(1), "no packet is lost or overtaken");
    AIDC_EXPECT(network.IsWhole(2), "nor of flow 2");
}

// Notifications that were on their way when a flow left its path do not drive it back. Expected
// results: flow 1 moves in the pause before 3.4 ms, after the notifications of 3, 3.1 and 3.2 ms.
// Notifications from 4 ms on tell of marks that are 1 ms old: their packets had left 2 ms before.
// Until 5.4 ms they are of path 0, which is not quiet then, and the flow stays on path 1. If they
// were of path 1, the flow would leave it after the notification of 4.8 ms, 1.6 ms after the last
// one of path 0.
AIDC_TEST_CASE("late notifications are of the path before")
{
    EdgeNetwork network(With(STEERING, {{"SteerHoldDown", "0s"}, {"SteerQuietTime", "1500us"}}));
    for (uint32_t i = 0; i < 50; ++i)
    {
        network.SendFlow(1, 1000, MicroSeconds(200 * i + 1), MicroSeconds(4), 10);
    }
    for (const uint32_t us : {3000, 3100, 3200})
    {
        network.NotifyAt(MicroSeconds(us), 1);
    }
    for (uint32_t us = 4000; us < 6000; us += 200)
    {
        network.NotifyAt(MicroSeconds(us), 1, CongestionSeverity::LIGHT, MilliSeconds(1));
    }
    RunFor(MicroSeconds(5990));
    NS_TEST_ASSERT_MSG_EQ(network.paths.size(), 1, "it has moved once");
    NS_TEST_EXPECT_MSG_LT(network.paths[0].time, 3410000, "to path 1");
}

AIDC_TEST_CASE("a path that is down is left at once and never taken")
{
    EdgeNetwork network(STEERING);
    // Flow 1 is steered to path 1 in its first pause; flow 2 has no pauses.
    for (uint32_t i = 0; i < 50; ++i)
    {
        network.SendFlow(1, 1000, MicroSeconds(200 * i + 1), MicroSeconds(4), 10); // 10 ms
    }
    network.SendFlow(2, 1000, MicroSeconds(3), MicroSeconds(4), 2500);
    for (const uint32_t ms : {2, 3, 4})
    {
        network.NotifyAt(MilliSeconds(ms), 1);
    }
    // In the middle of a burst.
    Simulator::Schedule(MicroSeconds(6020), [&network, this] {
        NS_TEST_EXPECT_MSG_EQ(network.paths.size(), 1, "it was steered");
        network.SetLink(TunnelNetwork::P1, TunnelNetwork::C2, false);
    });
    // Path 1 is down: nobody goes there.
    for (const uint32_t us : {7000, 7100, 7200, 7300})
    {
        network.NotifyAt(MicroSeconds(us), 1);
        network.NotifyAt(MicroSeconds(us), 2);
    }
    RunFor(MilliSeconds(20));
    NS_TEST_ASSERT_MSG_EQ(network.paths.size(), 2, "to path 1 and back");
    NS_TEST_EXPECT_MSG_EQ(network.paths[1].newValue, 0, "to the path that is up");
    NS_TEST_EXPECT_MSG_EQ(network.paths[1].time, 6020000, "at once");
    const auto byC2 = network.GetLeft(1, TunnelNetwork::C2);
    NS_TEST_ASSERT_MSG_GT(byC2.size(), 90, "it was there");
    NS_TEST_EXPECT_MSG_LT(byC2.back().first, 6025000, "and is there no longer");
    const auto arrived = network.GetArrived(1);
    NS_TEST_EXPECT_MSG_GT(arrived.size(), 497, "only what was on the link is lost");
    AIDC_EXPECT(network.IsWhole(2), "nothing of flow 2");
}

// Flows that are slowed down and steered at once keep their order, also where packets wait while
// the path changes. Expected results: flow 1 comes at 4 Gbit/s and is slowed down by 75 %, to 1
// Gbit/s: its packets leave 8 us apart, a pause of 5 us is enough, and nearly all have to wait. It
// moves after the third notification, at 4 ms, and back at 14 ms, when it has got to 1.1 Gbit/s.
// All packets arrive, in their order.
AIDC_TEST_CASE("packets that wait keep their order when the path changes")
{
    EdgeNetwork network(With(STEERING,
                             {{"LightReaction", "Both"},
                              {"LightStep", "0.75"},
                              {"StepInterval", "1s"},
                              {"QuietTime", "8ms"},
                              {"RecoveryStep", "0.01"},
                              {"SteerGap", "5us"}}));
    network.SendFlow(1, 1000, MicroSeconds(1), MicroSeconds(2), 5000); // 10 ms
    for (const uint32_t ms : {2, 3, 4})
    {
        network.NotifyAt(MilliSeconds(ms), 1);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.paths.size(), 2, "there and back");
    NS_TEST_EXPECT_MSG_EQ_TOL(network.paths[0].time, 4005000, 10000, "after the third one");
    NS_TEST_EXPECT_MSG_GT(network.rates.size(), 3, "it was slowed down");
    const auto byC2 = network.GetLeft(1, TunnelNetwork::C2);
    NS_TEST_ASSERT_MSG_GT(byC2.size(), 500, "it was on path 1");
    for (std::size_t i = 1; i < byC2.size() && byC2[i].first < 12000000; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(byC2[i].first - byC2[i - 1].first, 8000, 80, "1 Gbit/s");
    }
    AIDC_EXPECT(network.IsWhole(1), "no packet is lost or overtaken");
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "the flow is forgotten");
}
