// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wire-bench.h"
#include "model/bgp/bgp-speaker-settings.h"
#include "test/test-case.h"

using namespace aidctest::bgp;

AIDC_TEST_SUITE("aidc-bgp-guards", UNIT);

/// Make an UPDATE of AS 65002 that announces a prefix. prefix: length and network as on the wire,
/// in hexadecimal digits. nextHop: its next hop, in hexadecimal digits. more: other attributes, in
/// hexadecimal digits.
BgpBytes
Announce(const std::string& prefix,
         const std::string& nextHop = "0a000002",
         const std::string& more = "")
{
    const std::string attributes = "4001010040020602010000fdea" + ("400304" + nextHop) + more;
    BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
    AppendBgp(message, uint16_t{0});
    AppendBgp(message, static_cast<uint16_t>(attributes.size() / 2));
    AppendBgpBytes(message, ParseHex(attributes + prefix));
    FinishBgpMessage(message);
    return message;
}

// Prefixes that no route leads to are ignored, and the session stays.
AIDC_TEST_CASE("RFC 4271, 6.3: martians are ignored")
{
    WireBench bench;
    bench.Establish();
    const auto& speaker = bench.network.speakers[0];
    // 0/8, 127/8, 127.1.2.3/32, 224/4, 239.1/16, 240/4, 255.255.255.255/32
    const std::vector<std::string>
        martians{"0800", "087f", "207f010203", "04e0", "10ef01", "04f0", "20ffffffff"};
    for (const std::string& prefix : martians)
    {
        bench.Send(Announce(prefix));
    }
    NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().GetPrefixes().size(), 0, "none is taken");
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().martians, martians.size(), "counted");
    // The default route, 126/8, 128/8, 223/8 and 0/1, which is more than 0/8
    for (const std::string prefix : {"00", "087e", "0880", "08df", "0100"})
    {
        bench.Send(Announce(prefix));
    }
    NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().GetPrefixes().size(), 5, "these are routes");
    // One message with both
    bench.Send(Announce("08e0"
                        "08de"));
    NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().GetPrefixes().size(), 6, "222/8");
    AIDC_EXPECT(bench.network.IsUp(0), "the session stays");
}

// A next hop that is the speaker's own address is refused, and all is counted.
AIDC_TEST_CASE("RFC 4271, 6.3: own next hops are refused; what is ignored is counted")
{
    WireBench bench;
    bench.Establish();
    const auto& speaker = bench.network.speakers[0];
    bench.Send(Announce("1814"
                        "0001"));
    NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().GetPrefixes().size(), 1, "20.0.1.0/24");
    bench.Send(Announce("1814"
                        "0001",
                        "0a000001"));
    NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().GetPrefixes().size(), 0, "as if withdrawn");
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().ownNextHops, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().foreignNextHops, 0, "not as foreign");
    // A path bandwidth that is no number, and a negative link bandwidth
    bench.Send(Announce("1814"
                        "0001",
                        "0a000002",
                        "c01010"
                        "01060a0000027e00"
                        "0004fdeaff800000"));
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().malformedBandwidths, 2, "counted");
    NS_TEST_EXPECT_MSG_EQ(speaker->GetRib().GetPrefixes().size(), 1, "the route is taken");
    // MP_REACH_NLRI of IPv6: 2001:db8::/32 by 2001:db8::2
    bench.Send(Announce("1814"
                        "0001",
                        "0a000002",
                        "800e1a"
                        "000201"
                        "10"
                        "20010db8000000000000000000000002"
                        "00"
                        "2020010db8"));
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics(0).ignoredFamilies, 1, "counted");
    AIDC_EXPECT(bench.network.IsUp(0), "the session stays");
}

/// Send KEEPALIVEs for a time.
void
Keep(WireBench& bench, double seconds)
{
    for (const double end = Simulator::Now().GetSeconds() + seconds;
         Simulator::Now().GetSeconds() < end && !bench.isClosed;)
    {
        bench.Send(ParseHex(KEEPALIVE));
        BgpNetwork::RunUntil(Simulator::Now().GetSeconds() + 0.9);
    }
}

struct SendHold
{
    std::string sendHoldTime; //!< attribute
    double seconds;           //!< until the end
};

// A peer that takes nothing loses its session, though it sends KEEPALIVEs.
AIDC_TEST_CASES(SendHold,
                row,
                "RFC 9687: a peer that takes nothing, SendHoldTime " +
                    (row.sendHoldTime.empty() ? "derived" : row.sendHoldTime),
                ({{"", 480}, // the hold time is 9 s: more than twice of it
                  {"100s", 100}}))
{
    Attributes attributes{{"TcpBufferSize", "4096"}};
    if (!row.sendHoldTime.empty())
    {
        attributes.emplace_back("SendHoldTime", row.sendHoldTime);
    }
    WireBench bench(attributes);
    const auto& speaker = bench.network.speakers[0];
    bench.Establish();
    Keep(bench, 5);
    bench.StopReading();
    // More than the buffers of both sides: each prefix has attributes of its own
    for (uint32_t i = 0; i < 5000; ++i)
    {
        BgpPathAttributes own;
        own.communities = {i};
        speaker->Originate(Ipv4Address(0x14000000 + (i << 8)), Ipv4Mask("/24"), own);
    }
    Keep(bench, row.seconds - 10);
    AIDC_EXPECT(bench.network.IsUp(0), "not yet");
    Keep(bench, 20);
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().sendHoldExpired, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().lost, 1, "the session is down");
    for (const auto& seen : bench.network.notifications)
    {
        AIDC_EXPECT(!seen.isSent, "no NOTIFICATION could arrive");
    }
}

AIDC_TEST_CASE("RFC 9687, 4: the send hold time is twice the hold time, at least 480 s")
{
    BgpSpeakerSettings settings;
    settings.sendHoldTime = Seconds(-1);
    using Times = std::vector<std::pair<int, int>>;
    for (const auto& [hold, sendHold] :
         Times{{9, 480}, {180, 480}, {240, 480}, {241, 482}, {300, 600}, {0, 0}})
    {
        NS_TEST_EXPECT_MSG_EQ(settings.GetSendHoldTime(hold), Seconds(sendHold), hold);
    }
    const auto start = [] {
        BgpNetwork network(2, {{"HoldTime", "9s"}, {"SendHoldTime", "9s"}});
        network.Peer(0, 1);
        BgpNetwork::RunUntil(1);
    };
    ExpectRefusal("SendHoldTime of 0 or above the HoldTime", start);
}

// A peer takes a few bytes at a time, and no whole message within the send hold time. Expected
// results: a message of 1,000 routes has 4,055 bytes. At 20 bytes a second, TCP takes one in 203 s,
// which is more than 100 s.
AIDC_TEST_CASE("RFC 9687, 3: the send hold timer restarts with whole messages only")
{
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4096)); // of the client
    WireBench bench({{"TcpBufferSize", "4096"}, {"SendHoldTime", "100s"}});
    const auto& speaker = bench.network.speakers[0];
    bench.Establish();
    bench.StopReading();
    for (uint32_t i = 0; i < 10000; ++i)
    {
        speaker->Originate(Ipv4Address(0x14000000 + (i << 8)), Ipv4Mask("/24"));
    }
    const double begin = Simulator::Now().GetSeconds();
    while (!bench.isClosed && Simulator::Now().GetSeconds() < begin + 300)
    {
        bench.Send(ParseHex(KEEPALIVE));
        bench.Take(20);
        BgpNetwork::RunUntil(Simulator::Now().GetSeconds() + 0.9);
        if (speaker->GetStatistics().sendHoldExpired > 0)
        {
            break;
        }
    }
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(131072));
    const double passed = Simulator::Now().GetSeconds() - begin;
    NS_TEST_EXPECT_MSG_EQ(speaker->GetStatistics().sendHoldExpired, 1, "counted");
    AIDC_EXPECT(passed > 99 && passed < 204, "after " << passed << " s");
}

// Silence in both directions but for KEEPALIVEs is no reason to end a session.
AIDC_TEST_CASE("RFC 9687: sessions that only send KEEPALIVEs stay")
{
    BgpNetwork network(2, {{"HoldTime", "9s"}, {"SendHoldTime", "10s"}});
    network.Peer(0, 1);
    BgpNetwork::RunUntil(600);
    AIDC_EXPECT(network.IsUp(0), "up");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[0]->GetStatistics().lost, 0, "all the time");
}

/// The interface that a router sends by, -1 for none.
int32_t
GetInterface(const BgpNetwork& network, const char* destination)
{
    Ipv4Header header;
    header.SetDestination(Ipv4Address(destination));
    Socket::SocketErrno error = Socket::ERROR_NOTERROR;
    const auto route = network.GetRouting(0)->RouteOutput(nullptr, header, nullptr, error);
    const auto ipv4 = network.nodes.Get(0)->GetObject<Ipv4>();
    return route ? ipv4->GetInterfaceForDevice(route->GetOutputDevice()) : -1;
}

AIDC_TEST_CASE("a connected network and a route set by hand come before BGP's")
{
    // Router 0 has a stub network, 10.0.1.0/30, at interface 2, and BGP at interface 1.
    BgpNetwork network(3);
    network.Peer(0, 1);
    network.Link(0, 2);
    const Ipv4Address stub("10.0.1.0");
    const Ipv4Mask mask("/30");
    network.speakers[1]->Originate(stub, mask);
    BgpNetwork::RunUntil(5);
    AIDC_ASSERT(network.IsUp(0), "the session is up");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(0, MakeBgpPrefix(stub.Get(), 30)).size(),
                          1,
                          "BGP knows the network");
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 2, "it is connected");
    const auto ipv4 = network.nodes.Get(0)->GetObject<Ipv4>();
    ipv4->SetDown(2);
    BgpNetwork::RunUntil(6);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 1, "BGP's, while it is down");
    ipv4->SetUp(2);
    BgpNetwork::RunUntil(7);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 2, "connected again");
    network.speakers[1]->Withdraw(stub, mask);
    BgpNetwork::RunUntil(8);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 2, "as before");

    // A route by hand to 20.0.0.0/8 comes and goes beside BGP's.
    const Ipv4Address far("20.0.0.0");
    const Ipv4Mask eight("/8");
    network.speakers[1]->Originate(far, eight);
    BgpNetwork::RunUntil(9);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 1, "BGP's");
    network.GetRouting(0)->AddRoute(far, eight, {NextHop(2, Ipv4Address("10.0.1.2"), 1)});
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 2, "by hand");
    network.speakers[1]->Withdraw(far, eight);
    BgpNetwork::RunUntil(10);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 2, "stays");
    network.speakers[1]->Originate(far, eight);
    BgpNetwork::RunUntil(11);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 2, "stays in front");
    network.GetRouting(0)->RemoveRoute(far, eight);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 1, "BGP's again");
    network.speakers[1]->Withdraw(far, eight);
    BgpNetwork::RunUntil(12);
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), -1, "none");

    // An address on a network that BGP has a route to
    network.speakers[1]->Originate(Ipv4Address("30.0.0.0"), eight);
    BgpNetwork::RunUntil(13);
    ipv4->AddAddress(2, {Ipv4Address("30.0.0.1"), eight});
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "30.0.0.2"), 2, "connected");
    ipv4->RemoveAddress(2, Ipv4Address("30.0.0.1"));
    NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "30.0.0.2"), 1, "BGP's again");
}
