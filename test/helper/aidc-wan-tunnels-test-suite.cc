// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "wan-network.h"

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/wan-tunnel-helper.h"

// Tunnels between two data centers, as WanTunnelHelper makes them.
AIDC_TEST_SUITE("aidc-wan-tunnels", UNIT);

// A warning if packets of the data centers do not fit the tunnels. Expected results: the data
// centers have 4200 bytes. An outer header has 20, and the alternate path has two of them.
AIDC_TEST_CASE("a warning if the tunnels' MTU is too small")
{
    for (const uint16_t mtu : {4239, 4240, 9600})
    {
        WanNetwork network;
        network.wan.SetMtu(mtu);
        network.wan.SetCoreKnowsAidcs(false);
        network.Build();
        CapturedStream errors(std::cerr);
        WanTunnelHelper tunnels;
        tunnels.Install(network.wan);
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("more than 4199 bytes do not fit the tunnels"),
                              (mtu == 4239 ? 1 : 0),
                              mtu);
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("WanHelper::SetMtu() to 4240"),
                              (mtu == 4239 ? 1 : 0),
                              mtu);
        NS_TEST_EXPECT_MSG_EQ(errors.GetText().empty(), (mtu != 4239), errors.GetText());
    }
}

// The round-trip time between hosts of both data centers through tunnels. Expected results:
// 2,015,080 ns as without tunnels (RoundTripTestCase), and 20 bytes of an outer header on 3 links
// in both directions, 2 * 3 * 1.6 = 9.6 ns. By the alternate path, which costs a header more on the
// first 2 of its links, it is 2 ms and 2 * 2 * 1.6 = 6.4 ns more.
AIDC_DATAPATH_TEST_CASES("the way there and back through tunnels")
{
    WanNetwork network;
    network.wan.SetDatapath(mode);
    network.wan.SetCoreKnowsAidcs(false);
    network.Build();
    WanTunnelHelper tunnels;
    tunnels.SetPinned(true);
    tunnels.Install(network.wan);
    const auto& plan = network.wan.GetPlan();
    const auto there = tunnels.GetTunnel(plan.Find("pe-a-0"), plan.Find("pe-b-0"));
    const auto back = tunnels.GetTunnel(plan.Find("pe-b-0"), plan.Find("pe-a-0"));
    NS_TEST_ASSERT_MSG_EQ(there->GetPaths().GetN(), 2, "paths");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetPaths(plan.Find("pe-a-0"), plan.Find("pe-b-0")).at(1).delay,
                          MilliSeconds(2),
                          "the delay of the alternate path");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetDetour(), MilliSeconds(1), "2 ms in place of 1 ms");
    NS_TEST_EXPECT_MSG_EQ(there->GetPaths().Get(0).waypoints.at(0),
                          WanHelper::GetAddress(plan.Find("core-0-1")),
                          "the waypoint of the primary path");
    NS_TEST_EXPECT_MSG_EQ(there->GetPaths().Get(1).waypoints.at(0),
                          WanHelper::GetAddress(plan.Find("core-1-1")),
                          "the waypoint of the alternate path");
    network.wan.ScheduleFailure(plan.FindLink("core-0-0", "core-0-1"),
                                MilliSeconds(5),
                                MilliSeconds(100));
    network.Send(0, 0, 1, 1, 4096, MilliSeconds(1));
    network.Send(1, 2, 0, 3, 4096, MilliSeconds(2));
    network.Send(0, 1, 1, 2, 4096, MilliSeconds(10));
    RunFor(MilliSeconds(20));
    // Pinned paths have a header more up to the last core router, on 2 links of 3.
    const std::vector<double> expected{1e6 + 2015080 + 9.6 + 6.4,
                                       2e6 + 2015080 + 9.6 + 6.4,
                                       10e6 + 4015080 + 9.6 + 6.4};
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), expected.size(), "all have ended");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.completions[i].time.GetNanoSeconds()),
                                  expected[i],
                                  20,
                                  "after the time that links take, roundings apart");
    }
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "nothing is dropped");
    for (const auto& tunnel : {there, back})
    {
        NS_TEST_EXPECT_MSG_EQ(tunnel->GetStatistics().sentPackets, 3, "one each way");
        NS_TEST_EXPECT_MSG_EQ(tunnel->GetStatistics().receivedPackets, 3, "one each way");
    }
}

// A link of the WAN goes down while all hosts send. The primary path is pinned, and the routes
// follow after 1 ms. Expected results: the tunnel takes the alternate path when its primary one
// has lost its route, and the primary one again when that is back and HoldTime has passed. All
// messages arrive. No packet is unaccounted for: what was encapsulated at one PE was decapsulated
// at the other one, lost with the link, dropped by a queue or, until the routes follow, by a core
// router without a route.
AIDC_TEST_CASES(bool,
                isInWindows,
                std::string("a link goes down, and tunnels move") +
                    (isInWindows ? ", in time windows" : ""),
                ({false, true}))
{
    if (isInWindows)
    {
        TimeWindowHelper::Enable();
    }
    const Time failure = MilliSeconds(3);
    const Time restoration = MilliSeconds(20);
    const Time hold = MilliSeconds(1);
    const Time delay = MicroSeconds(500);
    WanNetwork network;
    network.wan.SetCoreKnowsAidcs(false);
    network.wan.SetDetectionDelay(delay);
    network.wan.SetConvergenceDelay(delay);
    network.Build();
    WanTunnelHelper tunnels;
    tunnels.SetPinned(true);
    tunnels.SetAttribute("HoldTime", TimeValue(hold));
    tunnels.Install(network.wan);
    const auto& plan = network.wan.GetPlan();
    const auto there = tunnels.GetTunnel(plan.Find("pe-a-0"), plan.Find("pe-b-0"));
    const auto back = tunnels.GetTunnel(plan.Find("pe-b-0"), plan.Find("pe-a-0"));
    std::vector<std::pair<Time, uint32_t>> moves; // when, to which path
    ConnectTrace(there, "DefaultPath", [&](uint32_t, uint32_t after) {
        if (Simulator::Now() > failure)
        {
            moves.emplace_back(Simulator::Now(), after);
        }
    });
    uint64_t dropped = 0; // packets that core routers could not pass on, or queues dropped
    const auto cores = network.wan.GetCores();
    for (auto router = cores.Begin(); router != cores.End(); ++router)
    {
        ConnectTrace((*router)->GetObject<Ipv4L3Protocol>(),
                     "Drop",
                     [&dropped](const Ipv4Header&,
                                Ptr<const Packet>,
                                Ipv4L3Protocol::DropReason,
                                Ptr<Ipv4>,
                                uint32_t) { ++dropped; });
    }
    network.wan.ScheduleFailure(plan.FindLink("core-0-0", "core-0-1"), failure, restoration);
    // 16 MB of each host by a link of 100 Gb/s: until 6 ms at least.
    for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
    {
        network.Send(0, i, 1, i, 16000000, MilliSeconds(1));
        network.Send(1, i, 0, i, 16000000, MilliSeconds(1));
    }
    RunFor(Seconds(1));

    NS_TEST_ASSERT_MSG_EQ(network.completions.size(),
                          2 * WanNetwork::HOSTS,
                          "all work requests end");
    for (const auto& completion : network.completions)
    {
        AIDC_EXPECT(completion.status == RoceStatus::SUCCESS, "and well");
    }
    NS_TEST_ASSERT_MSG_EQ(moves.size(), 2, "to the alternate path, and back");
    if (moves.size() != 2)
    {
        return; // assertions go on where they are told to
    }
    NS_TEST_EXPECT_MSG_EQ(moves[0].second, 1, "to the alternate path");
    NS_TEST_EXPECT_MSG_EQ(moves[1].second, 0, "to the primary path");
    NS_TEST_EXPECT_MSG_GT(network.wan.GetLostPackets(), 0, "the link has lost packets");
    NS_TEST_EXPECT_MSG_EQ(moves[0].first, failure + 2 * delay, "with the route");
    NS_TEST_EXPECT_MSG_EQ(moves[1].first, restoration + 2 * delay + hold, "once it is stable");
    const auto& forth = there->GetStatistics();
    const auto& other = back->GetStatistics();
    for (auto router = cores.Begin(); router != cores.End(); ++router)
    {
        dropped += CountDrops(*router);
    }
    NS_TEST_EXPECT_MSG_EQ(forth.sentPackets + other.sentPackets,
                          forth.receivedPackets + other.receivedPackets + dropped +
                              network.wan.GetLostPackets(),
                          "none is missing");
}
