/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-wan-network.h"
#include "test/test-case.h"
#include "wan-network.h"

#include "ns3/time-window-helper.h"

using namespace aidctest;

// Traffic between two data centers with BGP.
AIDC_TEST_SUITE("aidc-bgp-wan-traffic", SYSTEM);

/// Hosts of both data centers go on to reach each other when links fail, and after. Each host sends
/// a message to each host of the other side: before a failure, during it and after it. Expected
/// results: each takes the round-trip time of an idle network (RoundTripTestCase and
/// TunnelRoundTripTestCase of other suites), as timeouts are longer than that: none of its packets
/// is lost. Failed links lose no packet of these, and nothing is dropped.
class TrafficTestCase : public TestCase
{
  public:
    /// Fails links, or restores them.
    using Change = std::function<void(WanNetwork&, bool isFailed)>;

    TrafficTestCase(const std::string& name,
                    bool hasTunnels,
                    const Change& change,
                    bool isInWindows = false)
        : TestCase(name + (hasTunnels ? ", with tunnels" : ", without tunnels") +
                   (isInWindows ? ", in time windows" : "")),
          m_hasTunnels(hasTunnels),
          m_isInWindows(isInWindows),
          m_change(change)
    {
    }

  private:
    void DoRun() override
    {
        m_isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
        Simulate();
        TimeWindowHelper::Disable();
    }

    void Simulate()
    {
        WanNetwork network;
        PrepareBgp(network.wan);
        network.settings.edges = 2;
        network.wan.SetCoreKnowsAidcs(!m_hasTunnels);
        network.Build();
        WanTunnelHelper tunnels;
        BgpWanHelper bgp;
        if (m_hasTunnels)
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
            m_change(network, isFailed);
            Simulator::Stop(SETTLED);
            Simulator::Run();
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
                                   NanoSeconds(m_hasTunnels ? 10 : 0));
            }
            Simulator::Stop(SETTLED);
            Simulator::Run();
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

    bool m_hasTunnels;  //!< whether PEs send through tunnels
    bool m_isInWindows; //!< whether the simulator is that of time windows
    Change m_change;    //!< fails links, or restores them
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

AIDC_ADD_TEST_CASES()
{
    for (const bool hasTunnels : {false, true})
    {
        const auto add = [&](const std::string& name, const TrafficTestCase::Change& change) {
            AddTestCase(new TrafficTestCase(name, hasTunnels, change));
        };
        add("a border link of each side fails", &ChangeOneBorderLink);
        add("a border switch loses its PEs", &ChangeBorderSwitch);
        add("a PE loses the WAN", &ChangeWan);
    }
    for (const bool isInWindows : {false, true})
    {
        AddTestCase(new TrafficTestCase("a PE of each side loses its data center",
                                        true,
                                        &ChangeAllBorderLinks,
                                        isInWindows));
        AddTestCase(
            new TrafficTestCase("a PE reaches one of two leaves", true, &ChangeLeaf, isInWindows));
    }
}
