// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

// What does not fit into tunnels.
AIDC_TEST_SUITE("aidc-ip-tunnel-limits", UNIT);

using N = TunnelNetwork;

constexpr uint8_t ICMP = 1; //!< the protocol number of ICMP

struct Mtu
{
    SwitchDatapath::Mode mode;                   //!< how packets get through routers
    std::string mtu;                             //!< the attribute PathMtu
    std::vector<std::vector<Ipv4Address>> paths; //!< the paths
    uint32_t expected;                           //!< the longest inner packet
};

// Packets that do not fit are fragmented, or their source is told.
AIDC_TEST_CASE_P(MtuTestCase,
                 Mtu,
                 row,
                 "RFC 2003, 5.1 and RFC 4459, 3.4: an MTU of " + std::to_string(row.expected) +
                     GetSuffix(row.mode))
{
    N::Settings settings;
    settings.mode = row.mode;
    settings.paths = row.paths;
    if (!row.mtu.empty())
    {
        settings.tunnel = {{"PathMtu", row.mtu}};
    }
    N network(settings);
    const uint32_t total = 3 * row.expected + 100;
    const auto send = [&network](int64_t us, uint32_t size, uint16_t fragment) {
        DatagramSpec spec;
        spec.size = size;
        spec.fragment = fragment;
        network.SendAt(MicroSeconds(us), MakeDatagram(spec));
    };
    send(0, row.expected, 0x4000);
    send(100, row.expected + 1, 0x4000);
    send(200, row.expected, 0);
    send(300, row.expected + 1, 0);
    send(400, total, 0x2000 | 100); // a fragment in the middle of a datagram
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.there->GetPaths().FindMtu(0), row.expected, "the MTU");

    // The second one has gone nowhere, and A knows why (RFC 1191: type 3, code 4, the MTU).
    const auto& answers = network.sent[{N::P1, N::A}];
    NS_TEST_ASSERT_MSG_EQ(answers.size(), 1, "one ICMP message");
    const Bytes& icmp = answers[0].bytes;
    NS_TEST_EXPECT_MSG_EQ(+icmp[9], +ICMP, "ICMP");
    NS_TEST_EXPECT_MSG_EQ(+icmp[20], 3, "destination unreachable");
    NS_TEST_EXPECT_MSG_EQ(+icmp[21], 4, "fragmentation needed");
    NS_TEST_EXPECT_MSG_EQ(Get16(icmp, 26), row.expected, "the MTU");
    NS_TEST_EXPECT_MSG_EQ(Get16(icmp, 30), row.expected + 1, "the inner packet");
    NS_TEST_EXPECT_MSG_EQ(+icmp[43], 2, "the inner source is 10.1.0.2");

    const auto& arrived = network.sent[{N::P2, N::B}];
    const uint32_t most = (row.expected - 20) / 8 * 8;

    struct Fragment
    {
        uint32_t size;
        uint32_t word;
    };

    std::vector<Fragment> expected{{row.expected, 0x4000},
                                   {row.expected, 0},
                                   {20 + most, 0x2000},
                                   {20 + row.expected - 19 - most, most / 8}};
    uint32_t at = 0;
    for (; at + most < total - 20; at += most)
    {
        expected.push_back({20 + most, 0x2000 | (100 + at / 8)});
    }
    expected.push_back({20 + total - 20 - at, 0x2000 | (100 + at / 8)});
    NS_TEST_ASSERT_MSG_EQ(arrived.size(), expected.size(), "fragments");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const Bytes& bytes = arrived[i].bytes;
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), expected[i].size, "fragment " << i);
        NS_TEST_EXPECT_MSG_EQ(Get16(bytes, 6), expected[i].word, "fragment " << i);
        NS_TEST_EXPECT_MSG_EQ(CountHeaders(bytes), 1, "fragment " << i);
        NS_TEST_EXPECT_MSG_EQ(Get16(bytes, 4), 7, "fragment " << i);
    }
    const auto& statistics = network.there->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.tooLong, 1, "with DF");
    NS_TEST_EXPECT_MSG_EQ(statistics.fragmentedPackets, 2, "without DF");
    NS_TEST_EXPECT_MSG_EQ(statistics.sentPackets, expected.size(), "packets into the tunnel");
}

// A smaller MTU in the tunnel of which its entry does not know.
AIDC_TEST_CASE("fragments of outer packets are put together at the exit")
{
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        N::Settings settings;
        settings.mode = mode;
        N network(settings);
        network.GetPort(N::C1, N::P2)->SetMtu(600);
        DatagramSpec spec;
        spec.size = 1480;
        spec.fragment = 0;
        spec.tos = 2;
        const Bytes bytes = MakeDatagram(spec);
        network.Send(bytes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((network.sent[{N::C1, N::P2}].size()), 3, "fragments");
        NS_TEST_ASSERT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 1, "a packet");
        const Bytes& out = network.sent[{N::P2, N::B}].front().bytes;
        AIDC_EXPECT(Bytes(out.begin() + 12, out.end()) == Bytes(bytes.begin() + 12, bytes.end()),
                    "what was sent");
    }
}

AIDC_ADD_TEST_CASES()
{
    const Ipv4Address c2("192.0.2.12");
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        AddTestCases<MtuTestCase>(
            {{mode, "", {{}}, 1480}, {mode, "", {{c2}}, 1460}, {mode, "605", {{}}, 585}});
    }
}
