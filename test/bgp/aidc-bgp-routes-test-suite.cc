// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-network.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-bgp-routes", UNIT);

/// Make one of many prefixes. Returns 20.i.0.0/24, with the upper bits of i in the second and third
/// octet.
BgpPrefix
MakePrefix(uint32_t i)
{
    return MakeBgpPrefix(0x14000000 + (i << 8), 24);
}

/// Announce prefixes. n: how many, from MakePrefix(0) on.
void
Announce(const BgpNetwork& network, uint32_t speaker, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i)
    {
        network.speakers[speaker]->Originate(Ipv4Address(MakePrefix(i).network), Ipv4Mask("/24"));
    }
}

uint64_t
CountSent(const BgpNetwork& network, uint32_t speaker, BgpMessageType type)
{
    return network.speakers[speaker]->GetStatistics().sent.Get(type).messages;
}

// RFC 4271, section 9.2.1.1: UPDATEs are apart by the interval of advertisements.
AIDC_TEST_CASE("RFC 4271, 9.2.1.1: UPDATEs to a peer are apart, withdrawals too, and the last "
               "state is told")
{
    BgpNetwork network(2, {{"AdvertisementInterval", "20s"}});
    network.Peer(0, 1);
    std::vector<double> times;
    ConnectTrace(network.speakers[0],
                 "MessageSent",
                 [&times](uint32_t, BgpMessageType type, const BgpBytes&) {
                     if (type == BgpMessageType::UPDATE)
                     {
                         times.push_back(Simulator::Now().GetSeconds());
                     }
                 });
    BgpNetwork::RunUntil(10);
    const auto set = [&network](bool isThere) {
        const Ipv4Address address(MakePrefix(0).network);
        isThere ? network.speakers[0]->Originate(address, Ipv4Mask("/24"))
                : network.speakers[0]->Withdraw(address, Ipv4Mask("/24"));
    };
    set(true);
    BgpNetwork::RunUntil(10.5);
    NS_TEST_ASSERT_MSG_EQ(times.size(), 1, "the first one goes at once");
    for (uint32_t second = 11; second <= 400; ++second)
    {
        BgpNetwork::RunUntil(second);
        set(second % 2 == 0);
    }
    set(false);
    BgpNetwork::RunUntil(450);
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, MakePrefix(0)).size(), 0, "the last state");
    for (std::size_t i = 1; i < times.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(times[i] - times[i - 1], 15, "apart, less a quarter");
    }
    // What is as it was is not told, so it may be up to 27 of 390 s / 15 s.
    AIDC_EXPECT(times.size() > 5 && times.size() <= 27, "few UPDATEs");
}

// Many prefixes are packed, and get through TCP's small buffers.
AIDC_TEST_CASE("RFC 4271, 4.3: many prefixes of equal attributes are in few UPDATEs, which "
               "wait for TCP to have room")
{
    constexpr uint32_t N = 20000;
    BgpNetwork network(3, {{"TcpBufferSize", "4096"}});
    network.Peer(0, 1);
    network.Peer(1, 2);
    Announce(network, 0, N);
    BgpNetwork::RunUntil(80);
    NS_TEST_EXPECT_MSG_EQ(network.speakers[2]->GetRib().GetPrefixes().size(), N, "all arrive");
    // 4 bytes a prefix, and about 4000 in a message
    const uint64_t messages = CountSent(network, 0, BgpMessageType::UPDATE);
    AIDC_EXPECT(messages >= 20 && messages <= 21, "few messages");
    AIDC_EXPECT(network.notifications.size() <= 8, "but of collisions");
    NS_TEST_EXPECT_MSG_EQ(network.GetRouting(2)->GetNRoutes(), N + 2, "they are written");
    NS_TEST_EXPECT_MSG_EQ(network.GetRouting(2)->GetNGroups(), 3, "with one group");
    network.SetFailed(0, true);
    BgpNetwork::RunUntil(160);
    NS_TEST_EXPECT_MSG_EQ(network.speakers[2]->GetRib().GetPrefixes().size(), 0, "all go");
    NS_TEST_EXPECT_MSG_EQ(network.GetRouting(2)->GetNRoutes(), 2, "and are removed");
}

// RFC 4486, section 4: too many prefixes.
AIDC_TEST_CASES(bool,
                restarts,
                std::string("RFC 4486, 4: more prefixes than the maximum end the session, ") +
                    (restarts ? "for a while" : "for good"),
                ({false, true}))
{
    BgpNetwork network(2);
    BgpPeerSettings settings;
    settings.maxPrefixes = 10;
    settings.restartsAfterMaximum = restarts;
    network.Peer(0, 1, {}, settings);
    Announce(network, 0, 10);
    BgpNetwork::RunUntil(10);
    AIDC_ASSERT(network.IsUp(1), "as many as allowed");
    network.notifications.clear();
    Announce(network, 0, 11);
    BgpNetwork::RunUntil(11);
    NS_TEST_ASSERT_MSG_EQ(network.notifications.size(), 2, "sent and received");
    NS_TEST_EXPECT_MSG_EQ(network.notifications[0].speaker, 1, "by who has the maximum");
    NS_TEST_EXPECT_MSG_EQ(+network.notifications[0].code, 6, "cease");
    NS_TEST_EXPECT_MSG_EQ(+network.notifications[0].subcode, 1, "maximum of prefixes");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetRib().GetPrefixes().size(), 0, "none kept");
    network.speakers[0]->Withdraw(Ipv4Address(MakePrefix(10).network), Ipv4Mask("/24"));
    BgpNetwork::RunUntil(100);
    NS_TEST_EXPECT_MSG_EQ(network.IsUp(1), restarts, "by itself");
    network.speakers[1]->StartPeer(0);
    BgpNetwork::RunUntil(200);
    AIDC_EXPECT(network.IsUp(1), "as the user says");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetRib().GetPrefixes().size(), 10, "all back");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetStatistics().tooManyPrefixes, 1, "counted");
}

/// Expect a speaker to have routes to prefixes, and no others.
void
Expect(const BgpNetwork& network, uint32_t speaker, const std::vector<uint32_t>& expected)
{
    std::vector<BgpPrefix> prefixes;
    for (const uint32_t i : expected)
    {
        prefixes.push_back(MakePrefix(i));
    }
    AIDC_EXPECT(network.speakers[speaker]->GetRib().GetPrefixes() == prefixes,
                "speaker " << speaker);
}

// Policies of prefixes and ASs, in and out; RFC 2918: routes are told again.
AIDC_TEST_CASE("policies of prefixes and ASs, in and out; RFC 2918: a peer tells all again")
{
    // 0 - 1 - 2 - 3: 1 takes all but 20.0.1.0/24; 2 tells none of AS 65001's but 20.0.2.0/24
    const auto in = std::make_shared<BgpPolicy>();
    BgpPolicyRule rule;
    rule.prefix = MakePrefix(1);
    rule.isAccepted = false;
    in->rules.push_back(rule);
    const auto out = std::make_shared<BgpPolicy>();
    rule.prefix = MakePrefix(2);
    rule.isAccepted = true;
    out->rules.push_back(rule);
    BgpPolicyRule as;
    as.asInPath = 65001;
    as.isAccepted = false;
    out->rules.push_back(as);
    BgpNetwork network(4);
    BgpPeerSettings takes;
    takes.importPolicy = in;
    BgpPeerSettings tells;
    tells.exportPolicy = out;
    network.Peer(0, 1, {}, takes);
    network.Peer(1, 2);
    network.Peer(2, 3, tells);
    Announce(network, 0, 4);
    network.speakers[2]->Originate(Ipv4Address(MakePrefix(9).network), Ipv4Mask("/24"));
    BgpNetwork::RunUntil(10);
    Expect(network, 1, {0, 2, 3, 9});
    Expect(network, 2, {0, 2, 3, 9});
    Expect(network, 3, {2, 9});

    // A policy that changes takes effect with a refresh.
    in->rules.clear();
    network.speakers[1]->RefreshPeer(0);
    BgpNetwork::RunUntil(11);
    Expect(network, 1, {0, 1, 2, 3, 9});
    NS_TEST_EXPECT_MSG_EQ(CountSent(network, 1, BgpMessageType::ROUTE_REFRESH), 1, "asked");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[1]->GetStatistics(0).lost, 0, "session stays");
}

AIDC_TEST_CASE("equal routes become one route of several next hops, whose weights change in "
               "place")
{
    // 0 is a leaf with links to the spines 1 and 2, which lead to the leaf 3
    BgpNetwork network(4);
    for (const uint32_t spine : {1U, 2U})
    {
        network.speakers[spine]->SetAttribute("Tier", StringValue("Spine"));
        BgpPeerSettings toSpine;
        toSpine.tier = PathBandwidthTier::SPINE;
        toSpine.linkBandwidth = 50e9;
        BgpPeerSettings toLeaf;
        toLeaf.linkBandwidth = 50e9;
        network.Peer(0, spine, toSpine, toLeaf);
        network.Peer(3, spine, toSpine, toLeaf);
    }
    Announce(network, 3, 2);
    uint32_t changes = 0;
    ConnectTrace(network.speakers[0],
                 "RouteChange",
                 [&changes](const BgpPrefix&, const std::vector<BgpRibPath>&) { ++changes; });
    BgpNetwork::RunUntil(10);
    const auto routing = network.GetRouting(0);
    const NextHopGroup* const group = routing->FindTransit(MakePrefix(0).network + 1);
    AIDC_ASSERT(group != nullptr, "there is a route");
    NS_TEST_ASSERT_MSG_EQ(group->members.size(), 2, "over both spines");
    NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.weight, 50e9, "min(50, 50) GB/s");
    NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.gateway, Ipv4Address("10.0.0.2"), "1");
    NS_TEST_EXPECT_MSG_EQ(group->members[1].nextHop.gateway, Ipv4Address("10.0.2.2"), "2");
    changes = 0;

    // The own link to spine 2 has only 12.5 GB/s left: all routes change alike.
    network.speakers[0]->SetLinkBandwidth(1, 12.5e9);
    BgpNetwork::RunUntil(11);
    const auto isKept = [&routing, group] {
        return routing->FindTransit(MakePrefix(0).network + 1) == group &&
               routing->FindTransit(MakePrefix(1).network + 1) == group;
    };
    AIDC_EXPECT(isKept(), "in place");
    NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.weight, 50e9, "as before");
    NS_TEST_EXPECT_MSG_EQ(group->members[1].nextHop.weight, 12.5e9, "min(12.5, 50) GB/s");
    NS_TEST_EXPECT_MSG_EQ(changes, 2, "a change each");

    // The remote link of spine 1 has 25 GB/s left, which it tells in one UPDATE.
    network.speakers[1]->SetLinkBandwidth(1, 25e9);
    BgpNetwork::RunUntil(12);
    AIDC_EXPECT(isKept(), "in place");
    NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.weight, 25e9, "min(50, 25) GB/s");

    std::ostringstream text;
    network.speakers[0]->Print(text);
    NS_TEST_EXPECT_MSG_EQ(text.str(),
                          "AS 65001, router ID 1.0.0.1\n"
                          "peer 10.0.0.2, AS 65002, Established\n"
                          "peer 10.0.2.2, AS 65003, Established\n"
                          "20.0.0.0/24 via 10.0.0.2 weight 2.5e+10 via 10.0.2.2 weight "
                          "1.25e+10\n"
                          "20.0.1.0/24 via 10.0.0.2 weight 2.5e+10 via 10.0.2.2 weight "
                          "1.25e+10\n",
                          "printed");

    // Without bandwidths, ECMP is plain.
    network.SetFailed(0, true);
    BgpNetwork::RunUntil(13);
    const NextHopGroup* const left = routing->FindTransit(MakePrefix(0).network + 1);
    AIDC_ASSERT(left != nullptr, "there is a route");
    NS_TEST_EXPECT_MSG_EQ(left->members.size(), 1, "over spine 2");
}

// Plain ECMP has weights of 1.
AIDC_TEST_CASE("without bandwidths, all weights are 1; a route that becomes one's own is "
               "removed")
{
    BgpNetwork network(2, {{"UsePathBandwidth", "false"}});
    network.Peer(0, 1);
    network.Peer(0, 1);
    Announce(network, 1, 1);
    BgpNetwork::RunUntil(10);
    const auto routing = network.GetRouting(0);
    const NextHopGroup* const group = routing->FindTransit(MakePrefix(0).network + 1);
    AIDC_ASSERT(group != nullptr, "there is a route");
    NS_TEST_ASSERT_MSG_EQ(group->members.size(), 2, "over parallel links");
    NS_TEST_EXPECT_MSG_EQ(group->members[0].nextHop.weight, 1, "plain");
    NS_TEST_EXPECT_MSG_EQ(group->members[1].nextHop.weight, 1, "plain");
    routing->AddDiscardRoute(Ipv4Address("30.0.0.0"), Ipv4Mask("/8"));
    Announce(network, 0, 1);
    network.speakers[0]->Originate(Ipv4Address("30.0.0.0"), Ipv4Mask("/8"));
    BgpNetwork::RunUntil(11);
    AIDC_EXPECT(routing->FindTransit(MakePrefix(0).network + 1) == nullptr, "its own now");
    NS_TEST_EXPECT_MSG_EQ(routing->GetNRoutes(), 4, "127.0.0.0/8, two links and the user's");
    network.speakers[0]->Withdraw(Ipv4Address("30.0.0.0"), Ipv4Mask("/8"));
    network.speakers[0]->Withdraw(Ipv4Address(MakePrefix(0).network), Ipv4Mask("/24"));
    BgpNetwork::RunUntil(12);
    NS_TEST_EXPECT_MSG_EQ(routing->GetNRoutes(), 5, "and the peer's again");
}
