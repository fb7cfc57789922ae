// SPDX-License-Identifier: GPL-2.0-only

#include "test/core/hex-bytes.h"
#include "test/test-case.h"
#include "tunnel-network.h"

#include "ns3/ip-tunnel-endpoint.h"

AIDC_TEST_SUITE("aidc-ip-tunnel-path-mtu", UNIT);

using N = TunnelNetwork;

/// UDP from 10.1.0.10 to 10.2.0.20, 1500 bytes with DF and ECT(0), as the host sends it: TTL 64.
const std::string HOST_HEADER = "450205dc1234400040110ebb0a01000a0a020014c00012b705c80000";

Bytes
MakeHostDatagram(uint32_t size = 1500)
{
    Bytes bytes = ParseHex(HOST_HEADER);
    bytes.resize(size, 0x5a);
    bytes[2] = static_cast<uint8_t>(size >> 8);
    bytes[3] = static_cast<uint8_t>(size);
    auto header = GetHeader(bytes);
    SetIpv4Checksum(header);
    std::copy(header.begin(), header.end(), bytes.begin());
    return bytes;
}

/// An encapsulation and the bytes of its outer header and shim.
struct Case
{
    std::string name;      //!< for the name of the test
    Attributes attributes; //!< attributes of both tunnels
    uint32_t overhead;     //!< bytes
};

struct PathMtu
{
    SwitchDatapath::Mode mode; //!< how packets get through routers
    Case what;                 //!< the encapsulation
};

// A router inside says that a packet is too long, and the entry tells the next one's source. The
// link from C1 to P2 has an MTU of 1400 bytes, the other ones 9000. Expected messages are as in RFC
// 1191, section 4, byte by byte, computed independently.
AIDC_TEST_CASE_P(PathMtuTestCase,
                 PathMtu,
                 row,
                 "RFC 1191, 4 and RFC 2003, 5.1: " + row.what.name + GetSuffix(row.mode))
{
    N::Settings settings;
    settings.mode = row.mode;
    settings.mtu = "9000";
    settings.tunnel = row.what.attributes;
    N network(settings);
    network.GetPort(N::C1, N::P2)->SetMtu(1400);
    const uint32_t mtu = 1400 - row.what.overhead;
    network.SendAt(MicroSeconds(0), MakeHostDatagram());          // dropped by C1
    network.SendAt(MicroSeconds(100), MakeHostDatagram());        // refused by P1
    network.SendAt(MicroSeconds(200), MakeHostDatagram(mtu + 1)); // refused by P1
    network.SendAt(MicroSeconds(300), MakeHostDatagram(mtu));     // just right
    DatagramSpec spec;
    spec.size = 1500;
    spec.fragment = 0;
    network.SendAt(MicroSeconds(400), MakeDatagram(spec)); // fragmented by P1
    Simulator::Run();

    const auto& toEntry = network.sent[{N::C1, N::P1}];
    NS_TEST_ASSERT_MSG_EQ(toEntry.size(), 1, "a message of C1");
    if (row.what.overhead == 20)
    {
        // From 192.0.2.11; the identification of a packet with DF is 0 (RFC 6864).
        AIDC_EXPECT(toEntry[0].bytes == ParseHex("45c000380000000040"
                                                 "01"
                                                 "f5f8"
                                                 "c000020bc0000201"
                                                 "03045a7100000578"
                                                 "450205f0000040004004b104c0000201c0000202"
                                                 "450205dc12344000"),
                    "C1's message byte for byte");
    }
    NS_TEST_EXPECT_MSG_EQ(Get16(toEntry[0].bytes, 26), 1400, "the MTU");
    const auto& toHost = network.sent[{N::P1, N::A}];
    NS_TEST_ASSERT_MSG_EQ(toHost.size(), 2, "messages of P1");
    if (row.what.overhead == 20)
    {
        AIDC_EXPECT(toHost[0].bytes == ParseHex("45c00038000000004001adf9c00002010a01000a"
                                                "03041f1800000564"
                                                "450205dc123440003f110fbb0a01000a0a020014"
                                                "c00012b705c80000"),
                    "P1's message byte for byte");
    }
    for (const auto& packet : toHost)
    {
        NS_TEST_EXPECT_MSG_EQ(+packet.bytes[1], 0xc0, "RFC 1812, 4.3.2.5: precedence 6");
        NS_TEST_EXPECT_MSG_EQ(Get16(packet.bytes, 26), mtu, "path MTU less the overhead");
        NS_TEST_EXPECT_MSG_EQ(Get16(packet.bytes, 32), 0x1234, "quotes the inner packet");
    }
    const auto& out = network.sent[{N::P2, N::B}];
    NS_TEST_ASSERT_MSG_EQ(out.size(), 3, "the fourth one, and fragments of the last one");
    NS_TEST_EXPECT_MSG_EQ(out[0].bytes.size(), mtu, "the fourth one");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().mtusLowered, 1, "once");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().tooLong, 2, "refused");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().fragmentedPackets, 1, "the last one");
    const auto endpoint = network.nodes.Get(N::P1)->GetObject<IpTunnelEndpoint>();
    NS_TEST_EXPECT_MSG_EQ(endpoint->GetStatistics().ignoredTooLong, 0, "none is ignored");
}

// An MTU behind a waypoint applies to the header that leads on. The packet has one header less
// there, so the tunnel carries 1400 - 20 bytes, as without the waypoint.
AIDC_DATAPATH_TEST_CASES("an MTU before and behind a waypoint")
{
    // On the way to the waypoint: both headers count.
    for (const bool isBefore : {false, true})
    {
        N::Settings settings;
        settings.mode = mode;
        settings.mtu = "9000";
        settings.paths = {{Ipv4Address("192.0.2.12")}};
        N network(settings);
        if (isBefore)
        {
            // To C2 by way of C1
            network.GetRouting(N::P1)->AddRoute(
                Ipv4Address("192.0.2.12"),
                Ipv4Mask::GetOnes(),
                {NextHop(network.nodes.Get(N::P1)->GetObject<Ipv4>()->GetInterfaceForDevice(
                    network.GetPort(N::P1, N::C1)))});
        }
        network.GetPort(isBefore ? N::C1 : N::C2, isBefore ? N::C2 : N::P2)->SetMtu(1400);
        network.SendAt(MicroSeconds(0), MakeHostDatagram());
        network.SendAt(MicroSeconds(100), MakeHostDatagram());
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ((network.sent[{N::P1, N::A}].size()), 1, "refused");
        NS_TEST_EXPECT_MSG_EQ(Get16(network.sent[{N::P1, N::A}][0].bytes, 26),
                              (isBefore ? 1360 : 1380),
                              "the MTU");
    }
}

// RFC 1191, section 6.3: the MTU is soft state.
AIDC_DATAPATH_TEST_CASES("RFC 1191, 6.3: an old MTU is forgotten")
{
    N::Settings settings;
    settings.mode = mode;
    settings.mtu = "9000";
    settings.tunnel = {{"PathMtuTimeout", "5min"}};
    N network(settings);
    const auto link = network.GetPort(N::C1, N::P2);
    link->SetMtu(1400);
    Simulator::Schedule(Seconds(10), [link] { link->SetMtu(9000); });
    network.SendAt(Seconds(0), MakeHostDatagram());   // dropped by C1
    network.SendAt(Seconds(299), MakeHostDatagram()); // refused
    network.SendAt(Seconds(301), MakeHostDatagram()); // passes
    network.SendAt(Seconds(302), MakeHostDatagram()); // passes
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P1, N::A}].size()), 1, "refused once");
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 2, "and then no more");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(303), "no timer runs on");
    auto tunnel = CreateObject<IpTunnelNetDevice>();
    AIDC_EXPECT(!tunnel->SetAttributeFailSafe("PathMtuTimeout", TimeValue(Minutes(4))),
                "RFC 1191, 6.3: not before 5 minutes");
}

/// Have the entry get a message. icmp: ICMP's bytes, whose checksum is set. Returns the MTU, and
/// how many messages are ignored.
std::pair<uint32_t, uint64_t>
Get(SwitchDatapath::Mode mode, Bytes icmp, bool isOn = true)
{
    icmp[2] = icmp[3] = 0;
    uint32_t sum = 0;
    for (std::size_t i = 0; i < icmp.size(); i += 2)
    {
        sum += Get16(icmp, i);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~(sum + (sum >> 16));
    icmp[2] = static_cast<uint8_t>(sum >> 8);
    icmp[3] = static_cast<uint8_t>(sum);
    Bytes packet = ParseHex("45c000380000000040010000c000020bc0000201");
    auto header = GetHeader(packet);
    SetIpv4Checksum(header);
    std::copy(header.begin(), header.end(), packet.begin());
    packet.insert(packet.end(), icmp.begin(), icmp.end());
    N::Settings settings;
    settings.mode = mode;
    settings.mtu = "9000";
    settings.tunnel = {{"PathMtuDiscovery", isOn ? "true" : "false"}};
    N network(settings);
    const auto port = network.GetPort(N::C1, N::P1);
    Simulator::ScheduleWithContext(port->GetNode()->GetId(), MicroSeconds(10), [&] {
        port->Send(Create<Packet>(packet.data(), static_cast<uint32_t>(packet.size())),
                   port->GetBroadcast(),
                   0x0800);
    });
    Simulator::Run();
    const auto endpoint = network.nodes.Get(N::P1)->GetObject<IpTunnelEndpoint>();
    return {network.there->GetPaths().FindMtu(0), endpoint->GetStatistics().ignoredTooLong};
}

// Messages that the entry does not believe, and others that tell no MTU or too little.
AIDC_DATAPATH_TEST_CASES("forged messages are ignored, plateaus are used")
{
    const Bytes good = ParseHex("0304000000000578"
                                "450205f0000040004004b104c0000201c0000202450205dc12344000");
    constexpr uint32_t FULL = 9000 - 20;
    const auto expect = [this](const Bytes& icmp, uint32_t mtu, uint64_t ignored) {
        const auto [found, count] = Get(mode, icmp);
        NS_TEST_EXPECT_MSG_EQ(found, mtu, "the MTU");
        NS_TEST_EXPECT_MSG_EQ(count, ignored, "ignored");
    };
    const auto change = [&good](std::size_t at, uint8_t value) {
        Bytes bytes = good;
        bytes[at] = value;
        return bytes;
    };
    expect(good, 1380, 0);
    auto oldRouter = good;
    oldRouter[6] = oldRouter[7] = 0;
    expect(oldRouter, 1492 - 20, 0); // RFC 1191, table 7-1: below 1520
    auto tiny = good;
    tiny[6] = 0;
    tiny[7] = 40;
    // RFC 1191, section 3: never below 68, and a tunnel carries 68 bytes (RFC 791)
    expect(tiny, 68, 0);
    auto longer = good;
    longer[6] = 0x05;
    longer[7] = 0xf0; // 1520, as long as the packet
    expect(longer, FULL, 1);
    expect(change(23, 77), FULL, 1);   // from another source
    expect(change(27, 77), FULL, 1);   // to another destination
    expect(change(17, 6), FULL, 1);    // another protocol
    expect(change(14, 0), FULL, 1);    // without DF
    expect(change(14, 0x60), FULL, 1); // a fragment, although it has DF
    // RFC 6864, section 4.1: the entry gives packets with DF no other identification than 0
    expect(change(12, 1), FULL, 1);
    expect(change(13, 1), FULL, 1);
    expect(change(10, 0x40), FULL, 1); // longer than the tunnel sends
    expect(change(28, 0x60), FULL, 1); // no IPv4 inside
    expect(change(1, 3), FULL, 0);     // port unreachable is none of the tunnel's
    const auto [mtu, ignored] = Get(mode, good, false);
    NS_TEST_EXPECT_MSG_EQ(mtu, FULL, "turned off");
    NS_TEST_EXPECT_MSG_EQ(ignored, 1, "turned off");
}

AIDC_ADD_TEST_CASES()
{
    for (const auto mode : DATAPATHS)
    {
        AddTestCases<PathMtuTestCase>(
            {{mode, {"IP in IP", {}, 20}},
             {mode, {"GRE", {{"Encapsulation", "Gre"}}, 24}},
             {mode, {"GRE with a key", {{"Encapsulation", "Gre"}, {"GreKey", "7"}}, 28}},
             {mode, {"VXLAN", {{"Encapsulation", "Vxlan"}}, 50}}});
    }
}
