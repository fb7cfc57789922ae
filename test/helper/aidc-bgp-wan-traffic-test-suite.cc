// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wan-network.h"
#include "test/test-case.h"
#include "wan-network.h"

// Traffic between two data centers with BGP.
AIDC_TEST_SUITE("aidc-bgp-wan-traffic", SYSTEM);

/// Traffic, and what happens to links in the midst of it.
struct Traffic
{
    std::string name; //!< in words
    bool hasTunnels;  //!< whether PEs use tunnels
    std::function<void(WanNetwork& network, bool isFailed)>
        change;              //!< fails links, or restores them
    bool isInWindows{false}; //!< of the simulator
};

/// Fail or restore a border link of each data center.
void
ChangeOneBorderLink(WanNetwork& network, bool isFailed)
{
    ChangeBorder(network.wan, 0, "pe-a-0", "spine-0", isFailed);
    ChangeBorder(network.wan, 1, "pe-b-1", "spine-1", isFailed);
}

/// Fail or restore all border links of a border switch.
void
ChangeBorderSwitch(WanNetwork& network, bool isFailed)
{
    ChangeBorder(network.wan, 0, "pe-a-0", "spine-0", isFailed);
    ChangeBorder(network.wan, 0, "pe-a-1", "spine-0", isFailed);
}

/// Fail or restore all border links of a PE of each data center.
void
ChangeAllBorderLinks(WanNetwork& network, bool isFailed)
{
    for (const std::string spine : {"spine-0", "spine-1"})
    {
        ChangeBorder(network.wan, 0, "pe-a-0", spine, isFailed);
        ChangeBorder(network.wan, 1, "pe-b-1", spine, isFailed);
    }
}

/// Fail or restore links so that a PE of the second data center reaches one of its leaves only.
void
ChangeLeaf(WanNetwork& network, bool isFailed)
{
    FabricHelper& aidc = network.wan.GetAidc(1);
    const LinkIndex link = FindLink(aidc.GetFabric(), "leaf-0", "spine-0");
    isFailed ? aidc.FailLink(link) : aidc.RestoreLink(link);
    ChangeBorder(network.wan, 1, "pe-b-0", "spine-1", isFailed);
}

/// Fail or restore the links of a PE to the WAN.
void
ChangeWan(WanNetwork& network, bool isFailed)
{
    for (const std::string core : {"core-0-0", "core-1-0"})
    {
        const LinkIndex link = network.wan.GetPlan().FindLink("pe-a-0", core);
        isFailed ? network.wan.FailLink(link) : network.wan.RestoreLink(link);
    }
}

// Hosts of both data centers go on to reach each other when links fail, and after. Each host sends
// a message to each host of the other side: before a failure, during it and after it. Expected
// results: each takes the round-trip time of an idle network (RoundTripTestCase and
// TunnelRoundTripTestCase of other suites), as timeouts are longer than that: none of its packets
// is lost. Failed links lose no packet of these, and nothing is dropped.
AIDC_TEST_CASES(Traffic,
                row,
                row.name + (row.hasTunnels ? ", with tunnels" : ", without tunnels") +
                    (row.isInWindows ? ", in time windows" : ""),
                ({{"a border link of each side fails", false, &ChangeOneBorderLink},
                  {"a border switch loses its PEs", false, &ChangeBorderSwitch},
                  {"a PE loses the WAN", false, &ChangeWan},
                  {"a border link of each side fails", true, &ChangeOneBorderLink},
                  {"a border switch loses its PEs", true, &ChangeBorderSwitch},
                  {"a PE loses the WAN", true, &ChangeWan},
                  {"a PE of each side loses its data center", true, &ChangeAllBorderLinks},
                  {"a PE reaches one of two leaves", true, &ChangeLeaf},
                  {"a PE of each side loses its data center", true, &ChangeAllBorderLinks, true},
                  {"a PE reaches one of two leaves", true, &ChangeLeaf, true}}))
{
    if (row.isInWindows)
    {
        TimeWindowHelper::Enable();
    }
    WanNetwork network;
    PrepareBgp(network.wan);
    network.settings.edges = 2;
    network.wan.SetCoreKnowsAidcs(!row.hasTunnels);
    network.Build();
    WanTunnelHelper tunnels;
    BgpWanHelper bgp;
    if (row.hasTunnels)
    {
        // A path by a waypoint is up at its entry if the exit is not there.
        tunnels.SetAttribute("KeepaliveInterval", TimeValue(MilliSeconds(5)));
        tunnels.Install(network.wan);
        bgp.Install(network.wan, tunnels);
    }
    else
    {
        bgp.Install(network.wan);
    }
    bgp.AssignStreams(1000);
    const uint32_t nMessages = 2 * WanNetwork::HOSTS * WanNetwork::HOSTS;
    for (const bool isFailed : {false, true, false})
    {
        row.change(network, isFailed);
        RunFor(SETTLED);
        AIDC_EXPECT(bgp.IsSettled(), "settled");
        network.completions.clear();
        const uint64_t lost = network.wan.GetLostPackets();
        std::vector<Time> expected;
        for (uint32_t i = 0; i < nMessages; ++i)
        {
            const uint32_t site = i % 2;
            const Time start = MicroSeconds(10 * i);
            network.Send(site, i / 2 % 4, 1 - site, i / 8, 4096, start);
            expected.push_back(Simulator::Now() + start + NanoSeconds(2015080) +
                               NanoSeconds(row.hasTunnels ? 10 : 0));
        }
        RunFor(SETTLED);
        auto& completions = network.completions;
        std::sort(completions.begin(), completions.end(), [](const auto& a, const auto& b) {
            return a.time < b.time;
        });
        NS_TEST_ASSERT_MSG_EQ(completions.size(), nMessages, "all have ended");
        for (uint32_t i = 0; i < completions.size(); ++i)
        {
            AIDC_EXPECT(completions[i].status == RoceStatus::SUCCESS, "well");
            NS_TEST_EXPECT_MSG_EQ_TOL(completions[i].time.GetNanoSeconds(),
                                      expected[i].GetNanoSeconds(),
                                      20,
                                      "after the time that links take, roundings apart");
        }
        NS_TEST_EXPECT_MSG_EQ(network.wan.GetLostPackets(), lost, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "nor dropped");
    }
}
