// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "wan-triangle.h"

#include "ns3/aidc-input-error.h"
#include "ns3/wan-tunnel-helper.h"

// Maintenances of links of the WAN.
AIDC_TEST_SUITE("aidc-wan-maintenance", SYSTEM);

/// A WAN, and how packets get through it.
struct MaintenanceCase
{
    std::string name;                  //!< of the case
    std::function<WanPlan()> makePlan; //!< makes the WAN
    std::string a;                     //!< the core router at one end of the link
    std::string b;                     //!< the core router at the other end
    bool hasTunnels{true};             //!< whether PEs send through tunnels
    bool isPinned{false};              //!< whether primary paths have waypoints
    bool isInWindows{false};           //!< whether the simulator has time windows
    bool isDrained{true};              //!< whether the link is drained before
};

// A maintenance of a link of the WAN while all hosts send over it, both ways. Each host of the
// first and the last data center sends 8 MB to one of the other, from 1 ms to 3.5 ms at least:
// four hosts share a link of 100 Gb/s. Routes converge 0.5 ms after a drain. The link is drained
// at 1.5 ms and taken down at 8 ms. By 4.5 ms nothing waits for it, as packets come to it by a
// link of its own rate, 0.1 ms long; it takes at most 2.5 ms itself. Expected results: with the
// drain, each packet of data that was sent arrives once, and the link carries nothing from the
// convergence on, but what was on its way. Without it, at 2 ms, packets are lost.
AIDC_TEST_CASE_P(MaintenanceTestCase,
                 MaintenanceCase,
                 given,
                 given.name + (given.isDrained ? ", with a drain" : ", without a drain"))
{
    if (given.isInWindows)
    {
        TimeWindowHelper::Enable();
    }
    const WanPlan plan = given.makePlan();
    const uint32_t last = plan.GetNSites() - 1;
    WanNetwork network(plan.GetNSites());
    network.wan.SetCoreKnowsAidcs(!given.hasTunnels);
    network.wan.SetConvergenceDelay(MicroSeconds(500));
    network.Build(plan);
    WanTunnelHelper tunnels;
    if (given.hasTunnels)
    {
        tunnels.SetPinned(given.isPinned);
        tunnels.Install(network.wan);
    }
    const auto link = plan.FindLink(given.a, given.b);
    if (given.isDrained)
    {
        network.wan.ScheduleMaintenance(link,
                                        MicroSeconds(1500),
                                        MilliSeconds(8),
                                        MilliSeconds(30));
    }
    else
    {
        network.wan.ScheduleFailure(link, MilliSeconds(2), MilliSeconds(30));
    }
    for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
    {
        network.Send(0, i, last, i, 8000000, MilliSeconds(1));
        network.Send(last, i, 0, i, 8000000, MilliSeconds(1));
        // When the link is back, for a message more.
        network.Send(0, i, last, 3 - i, 4096, MilliSeconds(40));
    }
    const auto there = network.wan.GetPort(given.a, given.b);
    const auto back = network.wan.GetPort(given.b, given.a);
    std::vector<uint64_t> carried;
    for (const double ms : {2.0, 4.5, 8.0, 30.0, 60.0})
    {
        Simulator::Schedule(MicroSeconds(static_cast<uint64_t>(1000 * ms)), [&] {
            carried.push_back(there->GetStatistics().outUnicastFrames +
                              back->GetStatistics().outUnicastFrames);
        });
    }
    RunFor(Seconds(1));

    NS_TEST_ASSERT_MSG_EQ(network.completions.size(),
                          3 * WanNetwork::HOSTS,
                          "all work requests end");
    for (const auto& completion : network.completions)
    {
        AIDC_EXPECT(completion.status == RoceStatus::SUCCESS, "and well");
    }
    uint64_t sent = 0;
    uint64_t received = 0;
    for (const uint32_t site : {0U, last})
    {
        for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
        {
            sent += network.GetNic(site, i)->GetStatistics().sentPackets;
            received += network.GetNic(site, i)->GetStatistics().receivedPackets;
        }
    }
    NS_TEST_EXPECT_MSG_GT(carried[0], 0, "the link was in use");
    NS_TEST_EXPECT_MSG_GT(carried[4], carried[3], "and is again");
    if (given.isDrained)
    {
        NS_TEST_EXPECT_MSG_EQ(carried[2], carried[1], "nothing takes it once it is drained");
        NS_TEST_EXPECT_MSG_EQ(sent, received, "each packet arrives");
        NS_TEST_EXPECT_MSG_EQ(network.wan.GetLostPackets(), 0, "none is lost");
    }
    else
    {
        NS_TEST_EXPECT_MSG_GT(sent, received, "packets are lost");
        NS_TEST_EXPECT_MSG_GT(network.wan.GetLostPackets(), 0, "by the link");
    }
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "queues drop none");
}

// The only link between two data centers is drained: packets still take it.
AIDC_TEST_CASE("a drained link is the last resort, and wrong times are refused")
{
    WanNetwork network;
    network.settings.paths = {{1000000, WanNetwork::RATE, 2}};
    network.wan.SetCoreKnowsAidcs(false);
    network.Build();
    WanTunnelHelper tunnels;
    tunnels.Install(network.wan);
    const LinkIndex link = network.wan.GetPlan().FindLink("core-0-0", "core-0-1");
    network.wan.DrainLink(link);
    network.Send(0, 0, 1, 0, 4096, MilliSeconds(1));
    RunFor(MilliSeconds(5));
    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), 1, "a message has arrived");
    network.wan.RestoreLink(link);
    const auto expectRefused = [&](LinkIndex which, int drain, int failure, int restoration) {
        const auto error = MessageOf<AidcInputError>([&] {
            network.wan.ScheduleMaintenance(which,
                                            MilliSeconds(drain),
                                            MilliSeconds(failure),
                                            MilliSeconds(restoration));
        });
        AIDC_EXPECT(!error.empty(),
                    which << ": " << drain << ", " << failure << ", " << restoration);
    };
    expectRefused(link, -1, 2, 3);
    expectRefused(link, 2, 2, 3);
    expectRefused(link, 1, 3, 3);
    expectRefused(network.wan.GetPlan().GetLinks().GetEnd(), 1, 2, 3);
}

AIDC_ADD_TEST_CASES()
{
    const auto makeTwoPaths = [] {
        TwoSiteWanSettings settings;
        settings.edgeRate = WanNetwork::RATE;
        settings.paths = {{1000000, WanNetwork::RATE, 2}, {2000000, WanNetwork::RATE, 2}};
        return MakeTwoSiteWan(settings);
    };
    const auto makeTriangle = [] { return MakeWan(MakeTriangle()); };
    const std::vector<MaintenanceCase> cases{
        {"two data centers, no tunnels", makeTwoPaths, "core-0-0", "core-0-1", false},
        {"two data centers, tunnels", makeTwoPaths, "core-0-0", "core-0-1"},
        {"two data centers, pinned paths", makeTwoPaths, "core-0-0", "core-0-1", true, true},
        {"three data centers, no tunnels", makeTriangle, "core-a-0", "core-c-0", false},
        {"three data centers, tunnels", makeTriangle, "core-a-0", "core-c-0"},
        {"three data centers, tunnels, in time windows",
         makeTriangle,
         "core-a-0",
         "core-c-0",
         true,
         false,
         true}};
    for (auto given : cases)
    {
        AddTestCase(new MaintenanceTestCase(given));
        given.isDrained = false;
        AddTestCase(new MaintenanceTestCase(given));
    }
}
