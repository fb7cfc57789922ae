// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "wan-triangle.h"

#include "ns3/names.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/wan-tunnel-helper.h"

// Three data centers, as WanHelper and WanTunnelHelper build them.
AIDC_TEST_SUITE("aidc-wan-sites", UNIT);

/// Get the time of a packet and its acknowledgment. Returns ns.
double
GetRoundTrip(uint32_t site, uint32_t other, bool isDetour, bool hasTunnels)
{
    // By the sum of the numbers of both.
    const double delays[] = {0, 1000000, 2500000, 2000000};
    const bool isLonger = isDetour && site + other == 2;
    const double delay = isLonger ? 1000000 + 2000000 - 200000 : delays[site + other];
    const int nLinks = isLonger ? 10 : 9;
    const double header = hasTunnels ? 2 * 1.6 * (nLinks - 6) : 0;
    return 2 * (delay + 6000 + nLinks - 1) + nLinks * (334.56 + 5.92) + header;
}

struct AllPairs
{
    SwitchDatapath::Mode mode; //!< of all switches and routers
    bool hasTunnels;           //!< whether PEs send through tunnels
    bool isInWindows;          //!< whether the simulator has time windows
};

// The round-trip time from each host of three data centers to each host of the others. Expected
// results, as in aidc-wan-helper: 9 links that take 334.56 ns for the packet and 5.92 ns for its
// acknowledgment, 6 of them 1 us long, 8 switches of 1 ns, and the delay from PE to PE: from a to
// b 1 ms, from b to c 2 ms, from a to c 2.5 ms. While the link of a and c is down, their packets
// go by way of core-b-0: 1 + 2 ms without two links of PEs of 0.1 ms, and a link and a router
// more. Tunnels add an outer header, 1.6 ns, on the 3 or 4 links from PE to PE.
AIDC_TEST_CASES(AllPairs,
                row,
                std::string("all hosts of three data centers reach all others") +
                    (row.hasTunnels ? " through tunnels" : "") +
                    (row.isInWindows ? ", in time windows" : "") + GetSuffix(row.mode),
                ({{SwitchDatapath::FAST, false, false},
                  {SwitchDatapath::FAST, false, true},
                  {SwitchDatapath::STACK, false, false},
                  {SwitchDatapath::FAST, true, false},
                  {SwitchDatapath::FAST, true, true},
                  {SwitchDatapath::STACK, true, false}}))
{
    if (row.isInWindows)
    {
        TimeWindowHelper::Enable();
    }
    WanNetwork network(3);
    network.wan.SetDatapath(row.mode);
    for (uint32_t site = 0; site < 3; ++site)
    {
        network.wan.GetAidc(site).SetDatapath(row.mode);
    }
    network.wan.SetCoreKnowsAidcs(!row.hasTunnels);
    network.Build(MakeWan(MakeTriangle()));
    WanTunnelHelper tunnels;
    if (row.hasTunnels)
    {
        tunnels.Install(network.wan);
    }
    std::vector<double> expected;
    const auto sendAll = [&](bool isDetour) {
        for (uint32_t site = 0; site < 3; ++site)
        {
            for (uint32_t other = 0; other < 3; ++other)
            {
                for (uint32_t i = 0; i < 16 && other != site; ++i)
                {
                    // One packet at a time.
                    const Time start = MilliSeconds(7 * expected.size() + 1);
                    network.Send(site, i / 4, other, i % 4, 4096, start);
                    expected.push_back(static_cast<double>(start.GetNanoSeconds()) +
                                       GetRoundTrip(site, other, isDetour, row.hasTunnels));
                }
            }
        }
    };
    sendAll(false);
    const auto link = network.wan.GetPlan().FindLink("core-a-0", "core-c-0");
    const Time failure = MilliSeconds(7 * expected.size());
    sendAll(true);
    const Time restoration = MilliSeconds(7 * expected.size());
    network.wan.ScheduleFailure(link, failure, restoration);
    sendAll(false);
    RunFor(MilliSeconds(7 * expected.size() + 10));
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), expected.size(), "all have ended");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        AIDC_EXPECT(network.completions[i].status == RoceStatus::SUCCESS, "and well");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.completions[i].time.GetNanoSeconds()),
                                  expected[i],
                                  20,
                                  "after the time that links take, roundings apart, message " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetLostPackets(), 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "nor dropped");
    if (row.hasTunnels)
    {
        const auto& plan = network.wan.GetPlan();
        const auto& there =
            tunnels.GetTunnel(plan.Find("pe-c-0"), plan.Find("pe-b-0"))->GetStatistics();
        // Messages from c to b, and acknowledgments of messages from b to c.
        NS_TEST_EXPECT_MSG_EQ(there.sentPackets, 3 * 2 * 16, "packets in the tunnel");
    }
}

// Several tunnels between two PEs, with weights. There are two paths from a to b, of 1 ms and 1.2
// ms, and tunnels of weights 3 and 1; to c there is one path and one tunnel. Each of 400 messages
// of one packet takes a tunnel by the hash of its queue pair. Expected results: tunnel 0 takes the
// path of 1 ms, and tunnel 1 the path of 1.2 ms. Tunnel 0 carries 300 of the messages, give or take
// four standard deviations of a binomial distribution, 4 * 8.7. When the link of the first path is
// down, all arrive by the other one.
AIDC_DATAPATH_TEST_CASES("tunnels with weights")
{
    WanNetwork network(3);
    network.wan.SetDatapath(mode);
    network.wan.SetRouterRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
    network.wan.SetCoreKnowsAidcs(false);
    WanSettings settings = MakeTriangle();
    settings.pairs[0].paths.push_back({1200000, WanNetwork::RATE, 2});
    network.Build(MakeWan(settings));
    WanTunnelHelper tunnels;
    tunnels.SetWeights(1, 0, {3, 1});
    tunnels.Install(network.wan);
    const auto& plan = network.wan.GetPlan();
    const NodeIndex a = plan.Find("pe-a-0");
    const NodeIndex b = plan.Find("pe-b-0");
    const NodeIndex c = plan.Find("pe-c-0");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetNTunnels(a, b), 2, "from a to b");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetNTunnels(b, a), 2, "and back");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetNTunnels(a, c), 1, "from a to c");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetTunnels(a).size(), 3, "tunnels of a");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetPaths(a, b, 0).front().delay,
                          MicroSeconds(1000),
                          "the path of tunnel 0");
    NS_TEST_EXPECT_MSG_EQ(tunnels.GetPaths(a, b, 1).front().delay,
                          MicroSeconds(1200),
                          "the path of tunnel 1");
    const auto* group = MultipathRoutingHelper::GetRouting(network.wan.GetRouter(a))
                            ->FindTransit(Ipv4Address("10.2.0.1").Get());
    AIDC_ASSERT(group && group->members.size() == 2, "next hops");
    NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.weight, 3, "weight of tunnel 0");
    NS_TEST_EXPECT_MSG_EQ(group->members[1].nextHop.weight, 1, "weight of tunnel 1");

    const auto send = [&](Time start) {
        for (uint32_t i = 0; i < 400; ++i)
        {
            // So that the numbers of queue pairs differ at both ends, and flows with them.
            network.Send(0, i % 4, 1, i / 100, 4096, start + MicroSeconds(10 * i));
        }
    };
    send(MilliSeconds(1));
    RunFor(MilliSeconds(20));
    const auto getSent = [&](NodeIndex from, NodeIndex to, std::size_t i) {
        return static_cast<double>(tunnels.GetTunnel(from, to, i)->GetStatistics().sentPackets);
    };
    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), 400, "all have ended");
    NS_TEST_EXPECT_MSG_EQ_TOL(getSent(a, b, 0), 300, 35, "by tunnel 0");
    NS_TEST_EXPECT_MSG_EQ(getSent(a, b, 0) + getSent(a, b, 1), 400, "by both");
    NS_TEST_EXPECT_MSG_EQ(getSent(b, a, 0) + getSent(b, a, 1), 400, "and back");
    NS_TEST_EXPECT_MSG_EQ(
        network.wan.GetPort("core-a-1", "core-b-1")->GetStatistics().outUnicastFrames,
        getSent(a, b, 1),
        "tunnel 1 by the second path");

    network.wan.FailLink(plan.FindLink("core-a-0", "core-b-0"));
    send(MilliSeconds(1));
    RunFor(MilliSeconds(20));
    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), 800, "all have ended");
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetLostPackets(), 0, "nothing is lost");
}

/// PEs are notified of congestion in each of their tunnels, and of no other. Hosts of a and c send
/// to b, by two tunnels from a, and one from c, all of them through links of 25 Gb/s between core
/// routers. Each host of a has eight queue pairs, so that both tunnels have flows. Expected
/// results: a's PE is notified as the entry of both of its tunnels to b, and c's PE as the entry of
/// its tunnel; b's PE, which sends acknowledgments only, is not. Each notification is accepted, as
/// it is for a tunnel that its flow takes. All messages arrive.
class NotificationsTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    std::set<std::pair<uint32_t, uint32_t>> m_tunnels; //!< tunnels that notifications have named
};

AIDC_TEST_CASE_F(NotificationsTestCase, "notifications of several tunnels and data centers")
{
    const uint64_t coreRate = WanNetwork::RATE / 4;
    WanNetwork network(3);
    network.wan.SetBorderLink(4 * WanNetwork::RATE, MicroSeconds(1));
    network.wan.SetCoreKnowsAidcs(false);
    network.routers.SetQueueDisc(WanNetwork::PRIORITY, "ns3::aidc::PreEcnQueueDisc");
    const auto set = [&network](const std::string& name, const std::string& value) {
        network.routers.SetQueueDiscAttribute(WanNetwork::PRIORITY, name, StringValue(value));
    };
    set("T1", "200kB");
    set("T2", "4MB");
    set("Maximum", "8MB");
    set("Guard", "Off");
    network.roce.SetCongestionControl("ns3::aidc::DcqcnControl");
    WanSettings settings = MakeTriangle();
    settings.edgeRate = 4 * WanNetwork::RATE;
    settings.pairs[0].paths = {{1000000, coreRate, 2}, {1200000, coreRate, 2}};
    settings.pairs[1].paths = {{2000000, coreRate, 2}};
    network.Build(MakeWan(settings));
    WanTunnelHelper tunnels;
    tunnels.SetAttribute("EgressMode", StringValue("PipeForEct1"));
    tunnels.SetWeights(0, 1, {1, 1});
    tunnels.Install(network.wan);
    PreEcnWanHelper preEcn;
    preEcn.SetKey("000102030405060708090a0b0c0d0e0f");
    preEcn.Install(network.wan, tunnels);
    for (const auto& [edge, controller] : preEcn.GetControllers())
    {
        ConnectTrace(controller,
                     "Notification",
                     [this](const CongestionNotification& notification) {
                         m_tunnels.emplace(notification.ingress, notification.egress);
                     });
    }
    for (uint32_t i = 0; i < 8 * WanNetwork::HOSTS; ++i)
    {
        network.Send(0, i % 4, 1, i / 8, 1000000, MicroSeconds(10));
        network.Send(2, i % 4, 1, i / 8, 500000, MicroSeconds(10));
    }
    RunFor(MilliSeconds(500));
    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), 16 * WanNetwork::HOSTS, "all arrive");
    const auto& plan = network.wan.GetPlan();
    const auto getEnds = [&plan](const std::string& from, const std::string& to, uint32_t i) {
        return std::pair(WanPlan::GetAddress(plan.Find(from), i),
                         WanPlan::GetAddress(plan.Find(to), i));
    };
    const std::set<std::pair<uint32_t, uint32_t>> expected{getEnds("pe-a-0", "pe-b-0", 0),
                                                           getEnds("pe-a-0", "pe-b-0", 1),
                                                           getEnds("pe-c-0", "pe-b-0", 0)};
    AIDC_EXPECT(m_tunnels == expected, "the tunnels that have congestion");
    uint64_t sent = 0;
    for (const auto& notifier : preEcn.GetNotifiers())
    {
        sent += notifier->GetStatistics().light + notifier->GetStatistics().severe;
    }
    uint64_t accepted = 0;
    for (const auto& [edge, controller] : preEcn.GetControllers())
    {
        const auto& statistics = controller->GetReceiver().GetStatistics();
        accepted += statistics.light + statistics.severe;
    }
    NS_TEST_EXPECT_MSG_EQ(accepted, sent, "each notification is accepted");
}

// Names of three data centers, and what WanHelper and WanTunnelHelper refuse.
AIDC_TEST_CASE("names, and what is refused")
{
    {
        WanNetwork network(3);
        network.Build(MakeWan(MakeTriangle()));
        network.wan.RegisterNames();
        NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("c-host-3"),
                              network.wan.GetAidc(2).GetHosts().Get(3),
                              "a host of the third data center");
        NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("core-c-0"),
                              network.wan.GetRouter("core-c-0"),
                              "its core router");
        NS_TEST_EXPECT_MSG_EQ(network.wan.GetHosts().GetN(), 12, "hosts of all");
        NS_TEST_EXPECT_MSG_EQ(network.wan.GetEdges().GetN(), 3, "PEs of all");
        const auto path = network.wan.GetPath(NodeIndex(0), NodeIndex(1), 2, 1).links;
        NS_TEST_EXPECT_MSG_EQ(path.size(), 9, "links from c to b");
        NS_TEST_EXPECT_MSG_EQ(path[4].delay, 1800000, "of which one between core routers");
        ExpectRefusal("a data center from 0 to 2, found 3", [&] { network.wan.GetAidc(3); });
        WanTunnelHelper tunnels;
        tunnels.SetWeights({2, 1});
        ExpectRefusal("a routing that uses them", [&] { tunnels.Install(network.wan); });
        ExpectRefusal("weights above 0, found 0", [&] { tunnels.SetWeights({1, 0}); });
        ExpectRefusal("weights of 1 to 16 tunnels, found 0", [&] { tunnels.SetWeights({}); });
        ExpectRefusal("found 1 and 1", [&] { tunnels.SetWeights(1, 1, {1}); });
        tunnels.SetWeights(1, 3, {1});
        ExpectRefusal("found 1 and 3", [&] { tunnels.Install(network.wan); });
    }
    Names::Clear();
    WanNetwork network;
    const auto build = [&network] {
        const auto aidc = MakeFatTree(2, WanNetwork::RATE, 1000);
        network.wan.Build({aidc, aidc}, MakeWan(MakeTriangle()));
    };
    ExpectRefusal("which is 3 and at least 2", build);
    const auto get = [&network] { network.wan.GetAidc(MAX_WAN_SITES); };
    ExpectRefusal("from 0 to 13, found 14", get);
}
