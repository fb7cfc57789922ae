// SPDX-License-Identifier: GPL-2.0-only

#include "bfd-network.h"
#include "test/bgp/bgp-fabric-network.h"
#include "test/test-case.h"

#include "ns3/bfd-fabric-helper.h"

AIDC_TEST_SUITE("aidc-bfd-routes", UNIT);

/// A network that is announced: 192.0.2.0/24.
const BgpPrefix PREFIX = MakeBgpPrefix(0xc0000200, 24);

// RFC 5882, section 4, and RFC 9384: a session of BGP follows BFD.
AIDC_TEST_CASES(bool,
                isGraceful,
                std::string("RFC 5882, 4, and RFC 9384: BFD down ends a session of BGP, and "
                            "AdminDown does not") +
                    (isGraceful ? ", with graceful restart" : ""),
                ({false, true}))
{
    BfdNetwork network(2);
    for (const auto& speaker : network.speakers)
    {
        speaker->SetAttribute("GracefulRestart", BooleanValue(isGraceful));
    }
    BgpPeerSettings peer;
    peer.usesBfd = true;
    network.Peer(0, 1, peer, peer);
    const auto failure = MakeSilentFailure(network.links[0].Get(1));
    network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
    std::vector<Time> downs;
    ConnectTrace(network.speakers[1],
                 "SessionState",
                 [&downs](uint32_t, BgpSessionState before, BgpSessionState) {
                     if (before == BgpSessionState::ESTABLISHED)
                     {
                         downs.push_back(Simulator::Now());
                     }
                 });
    BgpNetwork::RunUntil(10);
    AIDC_ASSERT(network.IsUp(0) && network.IsUp(1), "up");
    NS_TEST_EXPECT_MSG_EQ(network.bfd[0]->GetNSessions(), 1, "BGP has added the session");
    AIDC_EXPECT(network.GetLast(1).state == BfdState::UP, "BFD is up");
    network.notifications.clear();

    failure->Fail();
    BgpNetwork::RunUntil(10.2);
    AIDC_EXPECT(!(network.IsUp(0) || network.IsUp(1)), "down at both ends");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 0, "the route is gone");
    NS_TEST_ASSERT_MSG_EQ(downs.size(), 1, "once");
    NS_TEST_EXPECT_MSG_EQ(downs[0], network.GetLast(1).time, "when BFD is down");
    AIDC_ASSERT(!network.notifications.empty(), "it says why");
    for (const SeenNotification& seen : network.notifications)
    {
        NS_TEST_EXPECT_MSG_EQ(+seen.code, 6, "cease");
        NS_TEST_EXPECT_MSG_EQ(+seen.subcode, (isGraceful ? 9 : 10), "a hard reset, BFD down");
    }

    // Packets of 1 get to 0, but not the other way round: no session comes up.
    BgpNetwork::RunUntil(60);
    AIDC_EXPECT(!(network.IsUp(0) || network.IsUp(1)), "still down");
    failure->Restore();
    BgpNetwork::RunUntil(75);
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up again");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "the route is back");

    network.bfd[0]->SetAdminDown(0, true);
    BgpNetwork::RunUntil(100);
    AIDC_EXPECT(network.GetLast(1).state == BfdState::DOWN, "BFD is down");
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "BGP is not");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetStatistics().lost, 1, "only by the failure");
}

// What is missing is named.
AIDC_TEST_CASE("a session of BGP with BFD needs a BfdSpeaker, and a BfdSpeaker an interface")
{
    BgpPeerSettings peer;
    peer.usesBfd = true;
    const auto runAlone = [&peer] {
        BgpNetwork network(2);
        network.Peer(0, 1, peer, peer);
        BgpNetwork::RunUntil(1);
    };
    ExpectRefusal("expected node 0 to have a BfdSpeaker", runAlone);
    const auto addToNone = [] {
        BfdNetwork network(1);
        network.bfd[0]->AddSession(7, Ipv4Address("10.0.0.2"));
    };
    ExpectRefusal("expected the index of an interface", addToNone);
}

// A fabric with BGP on BFD: a link that loses packets in silence.
AIDC_TEST_CASE("BGP of a fabric goes around a link that has failed in silence")
{
    const FabricPlan plan = MakeLeafSpine({4, 4, 1});
    BgpFabricNetwork fabric(plan, [](BgpFabricHelper& bgp) { bgp.SetBfd(MilliSeconds(10)); });
    AIDC_ASSERT(fabric.Settle(3), "settled");
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(fabric.Compare(), "", "tables");
    const NodeIndex leaf = plan.GetLeaves()[0];
    const auto& ports = plan.GetPorts(leaf);
    PortIndex port;
    while (!plan.IsSwitch(ports[port].peer))
    {
        ++port;
    }
    const NodeIndex spine = ports[port].peer;
    const auto address = fabric.network.GetAddress(plan.GetHosts().back());
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(fabric.network, leaf, address).size(), 4, "spines");
    const auto failure = MakeSilentFailure(fabric.network.GetPort(leaf, port));
    const uint32_t peer = fabric.bgp.GetPeer(leaf, port);
    const auto last = fabric.bgp.GetSpeaker(leaf);

    failure->Fail();
    RunFor(MilliSeconds(40));
    AIDC_EXPECT(!(last->GetSessionState(peer) == BgpSessionState::ESTABLISHED), "down");
    NS_TEST_EXPECT_MSG_EQ(fabric.bgp.GetStatistics().lost, 2, "one session, at both ends");
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(fabric.network, leaf, address).size(),
                          3,
                          "the leaf sends over three spines");
    const auto own = fabric.network.GetAddress(plan.GetHosts().front());
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(fabric.network, spine, own).size(),
                          0,
                          "the spine has no way to the leaf's host");
    const NodeIndex other = plan.GetLeaves()[1];
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(fabric.network, other, own).size(),
                          3,
                          "other leaves know, too");

    failure->Restore();
    RunFor(Seconds(20));
    AIDC_EXPECT(fabric.bgp.IsSettled(), "settled again");
    NS_TEST_EXPECT_MSG_EQ(fabric.Compare(), "", "tables");
    NS_TEST_EXPECT_MSG_EQ(fabric.bgp.GetStatistics().lost, 2, "no other session");
}

// A fabric without a routing protocol: BFD blocks next hops. Ports have no addresses, and there
// are parallel links.
AIDC_TEST_CASE("without BGP, BFD takes the next hops of a link that fails in silence out")
{
    const FabricPlan plan = MakeLeafSpine({4, 2, 1, 1, 2});
    FabricHelper network;
    network.Build(plan);
    network.AssignAddresses();
    BfdFabricHelper helper;
    helper.SetTimes(MilliSeconds(20), 3);
    const auto speakers = helper.Install(network);
    NS_TEST_EXPECT_MSG_EQ(speakers.GetN(), 6, "switches");
    NS_TEST_EXPECT_MSG_EQ(helper.AssignStreams(network, 1), 6, "streams");
    const NodeIndex leaf = plan.GetLeaves()[0];
    const auto address = network.GetAddress(plan.GetHosts().back());
    const auto speaker = BfdSpeaker::Find(network.GetNode(leaf));
    NS_TEST_EXPECT_MSG_EQ(speaker->GetNSessions(), 4, "links");
    RunFor(Seconds(3));
    for (uint32_t i = 0; i < 4; ++i)
    {
        AIDC_EXPECT(speaker->GetSession(i).GetState() == BfdState::UP, "up");
    }
    const PortWeights all = GetPortWeights(network, leaf, address);
    NS_TEST_ASSERT_MSG_EQ(all.size(), 4, "ways");

    // The second of two parallel links loses what the leaf sends.
    const PortIndex port(std::next(all.begin())->first);
    const auto& [link, spine] = plan.GetPorts(leaf)[port];
    const FabricLink& ends = plan.GetLinks()[link];
    const PortIndex back = ends.a == spine ? ends.aPort : ends.bPort;
    const auto failure = MakeSilentFailure(network.GetPort(spine, back));
    const auto own = network.GetAddress(plan.GetHosts().front());
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(network, spine, own).size(), 2, "parallel links");
    failure->Fail();
    RunFor(MilliSeconds(100));
    PortWeights expected = all;
    expected.erase(port.value);
    NS_TEST_EXPECT_MSG_EQ(Print(GetPortWeights(network, leaf, address)),
                          Print(expected),
                          "the leaf was told by the other direction");
    NS_TEST_EXPECT_MSG_EQ(GetPortWeights(network, spine, own).count(back.value),
                          0,
                          "the spine has noticed");
    const auto ipv4 = network.GetNode(leaf)->GetObject<Ipv4>();
    AIDC_EXPECT(ipv4->IsUp(port.value + 1), "the interface is up");
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().failed, 1, "the parallel link has not");

    failure->Restore();
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(Print(GetPortWeights(network, leaf, address)), Print(all), "back");

    // AdminDown says nothing of the link.
    speaker->SetAdminDown(0, true);
    RunFor(Seconds(2));
    NS_TEST_EXPECT_MSG_EQ(Print(GetPortWeights(network, leaf, address)), Print(all), "stays");

    // While blocked, an interface that goes down and up stays blocked.
    const auto routing = MultipathRoutingHelper::GetRouting(network.GetNode(leaf));
    routing->SetBlocked(port.value + 1, true);
    ipv4->SetDown(port.value + 1);
    ipv4->SetUp(port.value + 1);
    NS_TEST_EXPECT_MSG_EQ(Print(GetPortWeights(network, leaf, address)),
                          Print(expected),
                          "blocked and up");
    routing->SetBlocked(port.value + 1, false);
    NS_TEST_EXPECT_MSG_EQ(Print(GetPortWeights(network, leaf, address)), Print(all), "free");
}
