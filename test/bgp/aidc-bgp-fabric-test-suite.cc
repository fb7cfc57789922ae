// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-fabric-network.h"
#include "test/test-case.h"

#include "ns3/ipv4.h"

AIDC_TEST_SUITE("aidc-bgp-fabric", SYSTEM);

// A fat-tree converges, with what RFC 7938 wants of sessions. Expected results: in a fat-tree of k
// = 4 each prefix goes over each link between switches once, in one direction: 8 prefixes times 32
// links are told. There is a session for each of the 32 links, between ASs that differ. Four hops
// of 1 us do with a round trip for TCP, OPEN and KEEPALIVE each: less than a millisecond.
AIDC_TEST_CASE("speakers of a fat-tree have sessions over all links and agree on routes")
{
    const FabricPlan plan = MakeFatTree(4, 100000000000, 1000);
    BgpFabricNetwork fabric(plan, [](BgpFabricHelper& bgp) {
        bgp.SetFirstAs(4210000000);
        bgp.SetLinkNetwork("192.168.0.0", "/24");
        bgp.SetMinTtl(255);
    });
    AIDC_EXPECT(!fabric.bgp.IsSettled(), "before");
    NS_TEST_EXPECT_MSG_EQ(fabric.bgp.GetLastRouteChange(), Seconds(0), "before");
    std::set<std::string> traced;
    fabric.bgp.TraceConnect(
        "RouteChange",
        Callback<void, std::string, const BgpPrefix&, const std::vector<BgpRibPath>&>(
            [&traced](std::string name, const BgpPrefix&, const std::vector<BgpRibPath>&) {
                traced.insert(name);
            }));
    AIDC_EXPECT(fabric.Settle(1), "settled");
    NS_TEST_EXPECT_MSG_EQ(fabric.Compare(), "", "tables");
    NS_TEST_EXPECT_MSG_EQ(traced.size(), 20, "switches that have traced");
    NS_TEST_EXPECT_MSG_EQ(traced.count("super-spine-3"), 1, "a switch that has traced");
    // SYN, SYN with ACK, OPEN and KEEPALIVE on one link, then an UPDATE over four
    NS_TEST_EXPECT_MSG_GT_OR_EQ(fabric.bgp.GetLastRouteChange(), MicroSeconds(8), "convergence");
    NS_TEST_EXPECT_MSG_LT(fabric.bgp.GetLastRouteChange(), MilliSeconds(1), "convergence");
    const auto statistics = fabric.bgp.GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.established, 2 * 32, "sessions");
    NS_TEST_EXPECT_MSG_EQ(statistics.lost, 0, "sessions");
    NS_TEST_EXPECT_MSG_EQ(statistics.sent.Get(BgpMessageType::OPEN).messages, 2 * 32, "OPEN");
    uint32_t nTold = 0;
    for (const NodeIndex node : plan.GetSwitches())
    {
        const auto speaker = fabric.bgp.GetSpeaker(node);
        for (PortIndex port; port < plan.GetPorts(node).GetEnd(); ++port)
        {
            const auto& [link, peer] = plan.GetPorts(node)[port];
            if (!plan.IsSwitch(peer))
            {
                continue;
            }
            const uint32_t number = fabric.bgp.GetPeer(node, port);
            const auto& settings = speaker->GetPeer(number);
            nTold += speaker->GetRib().CountTold(number);
            NS_TEST_EXPECT_MSG_EQ(settings.as, fabric.bgp.GetAs(peer), "AS");
            NS_TEST_EXPECT_MSG_NE(settings.as, fabric.bgp.GetAs(node), "AS");
            NS_TEST_EXPECT_MSG_EQ(settings.linkBandwidth, 12.5e9, "bandwidth");
            NS_TEST_EXPECT_MSG_EQ((settings.address.Get() ^ settings.localAddress.Get()),
                                  1,
                                  "RFC 3021: both addresses of a /31");
            NS_TEST_EXPECT_MSG_EQ(settings.address.CombineMask("/24"),
                                  Ipv4Address("192.168.0.0"),
                                  "network of links");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(nTold, 8 * 32, "routes told");
    ExpectRefusal("the id of a switch", [&] { fabric.bgp.GetSpeaker(NodeIndex(0)); });
    const auto getPeer = [&] { fabric.bgp.GetPeer(plan.GetLeaves()[0], PortIndex(0)); };
    ExpectRefusal("its port to another one", getPeer);
}

// Expected results: 1,000 packets from pod 0 to pod 3 arrive; packets sent from the failure of the
// spine's link on their way until it is known are lost, later ones arrive.
AIDC_TEST_CASE("packets follow BGP's routes, around a link that has failed")
{
    const FabricPlan plan = MakeFatTree(4, 10000000000, 1000);
    BgpFabricNetwork fabric(plan);
    fabric.Settle(1);
    const auto receiver = MakeSocket(fabric.network.GetNode(NodeIndex(15)), 9);
    const auto sender =
        Socket::CreateSocket(fabric.network.GetNode(NodeIndex(0)), UdpSocketFactory::GetTypeId());
    sender->Connect(InetSocketAddress(fabric.network.GetAddress(NodeIndex(15)), 9));
    const auto count = [&] {
        uint32_t n = 0;
        while (receiver->Recv())
        {
            ++n;
        }
        return n;
    };
    const auto send = [&] {
        for (uint32_t i = 0; i < 1000; ++i)
        {
            Simulator::Schedule(MicroSeconds(i), [sender] { sender->Send(Create<Packet>(100)); });
        }
        RunFor(MilliSeconds(10));
    };
    send();
    NS_TEST_EXPECT_MSG_EQ(count(), 1000, "packets");
    // Of leaf 0, ports 2 and 3 lead up.
    fabric.network.FailLink(plan.GetPorts(plan.GetLeaves()[0])[PortIndex(2)].link);
    RunFor(MilliSeconds(10));
    send();
    NS_TEST_EXPECT_MSG_EQ(count(), 1000, "packets around the link");
    fabric.network.FailLink(plan.GetPorts(plan.GetLeaves()[0])[PortIndex(3)].link);
    RunFor(MilliSeconds(10));
    send();
    NS_TEST_EXPECT_MSG_EQ(count(), 0, "packets without a way");
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(fabric.network,
                                         plan.GetSwitches().back(),
                                         fabric.network.GetAddress(NodeIndex(0)))
                              .size(),
                          0,
                          "ways to a leaf without links");
}

struct Hour
{
    uint32_t seed;     //!< the seed
    bool watchesLinks; //!< whether sessions follow the links
};

// Expected results: afterwards, and again when all links are up, sessions are established where
// links are up, each table has the routes and weights that are computed from the topology, and no
// others.
AIDC_TEST_CASE_P(HourTestCase,
                 Hour,
                 row,
                 "after an hour of links that flap, all is as computed, seed " +
                     std::to_string(row.seed) + (row.watchesLinks ? "" : ", by hold times"))
{
    Draw draw(row.seed);
    const FabricPlan plan = DrawFabric(draw);
    BgpFabricNetwork fabric(plan, [this](BgpFabricHelper& bgp) {
        bgp.SetSpeakerAttribute("WatchLinks", BooleanValue(row.watchesLinks));
    });
    fabric.network.SetDetectionDelay(MilliSeconds(draw(0, 3) * 50));
    const auto nLinks = static_cast<uint32_t>(plan.GetLinks().size());
    // From failures of milliseconds, within a handshake, to failures beyond all timers.
    constexpr uint32_t HOUR = 3600;
    uint32_t nFailures = 0;
    for (Time at = Seconds(0); at < Seconds(HOUR);
         at += MilliSeconds(draw(0, 4) == 0 ? draw(1, 200) : draw(1000, 30000)))
    {
        const LinkIndex link(draw(0, nLinks));
        const uint32_t lengths[] = {10, 1000, 15000, 60000};
        const Time length = MilliSeconds(draw(1, lengths[draw(0, 4)]));
        fabric.network.ScheduleFailure(link, at, at + length);
        ++nFailures;
    }
    // The last ones do not come back at once.
    std::set<uint32_t> down;
    for (uint32_t i = draw(1, 5); i > 0; --i)
    {
        down.insert(draw(0, nLinks));
    }
    for (const uint32_t link : down)
    {
        Simulator::Schedule(Seconds(HOUR + 61),
                            &FabricHelper::FailLink,
                            &fabric.network,
                            LinkIndex(link));
    }
    RunFor(Seconds(HOUR + 62));
    NS_TEST_EXPECT_MSG_GT(nFailures, 200, "failures");
    NS_TEST_EXPECT_MSG_GT(fabric.bgp.GetStatistics().lost, 100, "sessions that were lost");
    AIDC_EXPECT(fabric.Settle(60), "settled");
    NS_TEST_EXPECT_MSG_EQ(fabric.Compare(), "", "tables");
    for (const uint32_t link : down)
    {
        fabric.network.RestoreLink(LinkIndex(link));
    }
    AIDC_EXPECT(fabric.Settle(60), "settled, all links up");
    NS_TEST_EXPECT_MSG_EQ(fabric.Compare(), "", "tables, all links up");
    const auto lost = fabric.bgp.GetStatistics().lost;
    const Time last = fabric.bgp.GetLastRouteChange();
    RunFor(Seconds(60));
    NS_TEST_EXPECT_MSG_EQ(fabric.bgp.GetStatistics().lost, lost, "sessions lost afterwards");
    NS_TEST_EXPECT_MSG_EQ(fabric.bgp.GetLastRouteChange(), last, "routes change afterwards");
}

AIDC_ADD_TEST_CASES()
{
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        AddTestCase(new HourTestCase({seed, true}));
    }
    AddTestCase(new HourTestCase({4, false}));
}
