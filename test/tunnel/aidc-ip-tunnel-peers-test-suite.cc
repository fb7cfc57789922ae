// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

// The ends of tunnels, and what comes to them.
AIDC_TEST_SUITE("aidc-ip-tunnel-peers", UNIT);

using N = TunnelNetwork;

// Several tunnels of a PE, and one in the middle of another's way.
AIDC_TEST_CASE("a PE has several tunnels, of which each packet takes its own")
{
    for (const auto mode : {SwitchDatapath::FAST, SwitchDatapath::STACK})
    {
        N::Settings settings;
        settings.mode = mode;
        N network(settings);
        // To C2, which knows P1 as a peer now beside letting anyone's packets out,
        // for 10.2.9/24; C2 passes these on to P2 by a tunnel of its own, whose peer P2 learns
        // of.
        const auto make = [&](N::Place place, const char* local, const char* remote) {
            auto tunnel = CreateObject<IpTunnelNetDevice>();
            SetAll(tunnel, {{"Local", local}, {"Remote", remote}});
            const uint32_t interface = tunnel->Install(network.nodes.Get(place));
            network.GetRouting(place)->AddRoute(Ipv4Address("10.2.9.0"),
                                                Ipv4Mask("/24"),
                                                {NextHop(interface)});
            return tunnel;
        };
        const auto first = make(N::P1, "192.0.2.1", "192.0.2.12");
        const auto second = make(N::C2, "192.0.2.12", "192.0.2.2");
        auto exit = CreateObject<IpTunnelNetDevice>();
        SetAll(exit, {{"Local", "192.0.2.2"}, {"Remote", "192.0.2.12"}});
        exit->Install(network.nodes.Get(N::P2));
        auto bytes = MakeDatagram({});
        network.SendAt(MicroSeconds(0), bytes);
        bytes[18] = 9; // 10.2.9.2
        auto header = GetHeader(bytes);
        SetIpv4Checksum(header);
        std::copy(header.begin(), header.end(), bytes.begin());
        network.SendAt(MicroSeconds(10), bytes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P1, N::C1}].size()), 1, "the one to P2");
        NS_TEST_ASSERT_MSG_EQ((network.sent[{N::P1, N::C2}].size()), 1, "the one to C2");
        NS_TEST_ASSERT_MSG_EQ((network.sent[{N::C2, N::P2}].size()), 1, "and on");
        const Bytes& on = network.sent[{N::C2, N::P2}].front().bytes;
        NS_TEST_EXPECT_MSG_EQ(CountHeaders(on), 2, "out of one and into the other");
        NS_TEST_EXPECT_MSG_EQ(+on[15], 12, "from C2");
        NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 2, "both arrive");
        NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().sentPackets, 1, "P1 to P2");
        NS_TEST_EXPECT_MSG_EQ(first->GetStatistics().sentPackets, 1, "P1 to C2");
        NS_TEST_EXPECT_MSG_EQ(second->GetStatistics().sentPackets, 1, "C2 to P2");
        NS_TEST_EXPECT_MSG_EQ(network.back->GetStatistics().receivedPackets, 1, "of P1");
        NS_TEST_EXPECT_MSG_EQ(exit->GetStatistics().receivedPackets, 1, "of C2");
        NS_TEST_EXPECT_MSG_EQ(network.waypoint->GetStatistics().receivedPackets, 1, "at C2");
    }
}

/// Put an outer header before bytes. source: the last byte of 192.0.2.0/24, of the source. Returns
/// an IPv4 packet to P2.
Bytes
Wrap(const Bytes& inner, uint8_t source = 1)
{
    const auto size = static_cast<uint16_t>(20 + inner.size());
    Ipv4Bytes header{0x45,
                     2,
                     static_cast<uint8_t>(size >> 8),
                     static_cast<uint8_t>(size),
                     0,
                     0,
                     0x40,
                     0,
                     64,
                     4,
                     0,
                     0,
                     192,
                     0,
                     2,
                     source,
                     192,
                     0,
                     2,
                     2};
    SetIpv4Checksum(header);
    Bytes bytes(header.size() + inner.size());
    const auto end = std::copy(header.begin(), header.end(), bytes.begin());
    std::copy(inner.begin(), inner.end(), end);
    return bytes;
}

// Outer packets that nobody should send: they are counted and dropped.
AIDC_DATAPATH_TEST_CASES("unknown peers and malformed inner packets are dropped")
{
    N::Settings settings;
    settings.mode = mode;
    N network(settings);
    const auto port = network.GetPort(N::C1, N::P2);
    int64_t us = 0;
    const auto inject = [&](const Bytes& bytes) {
        Simulator::ScheduleWithContext(port->GetNode()->GetId(),
                                       MicroSeconds(us += 20),
                                       [port, bytes] {
                                           port->Send(Create<Packet>(bytes.data(), bytes.size()),
                                                      port->GetBroadcast(),
                                                      0x0800);
                                       });
    };
    const Bytes good = MakeDatagram({});
    const auto change = [&good](std::size_t at, uint8_t value, bool isSealed = true) {
        auto bytes = good;
        bytes[at] = value;
        if (isSealed)
        {
            auto header = GetHeader(bytes);
            SetIpv4Checksum(header);
            std::copy(header.begin(), header.end(), bytes.begin());
        }
        return bytes;
    };
    inject(Wrap(good));
    inject(Wrap(good, 77)); // no peer
    inject(Wrap({}));
    inject(Wrap(Bytes(good.begin(), good.begin() + 19)));
    inject(Wrap(Bytes(good.begin(), good.end() - 1)));
    inject(Wrap(change(0, 0x65)));
    inject(Wrap(change(0, 0x44)));
    inject(Wrap(change(3, 19)));
    inject(Wrap(change(8, 9, false)));
    auto padded = good;
    padded.resize(130);
    inject(Wrap(padded));
    // Six tunnels that all end here: the last is not opened.
    auto nested = good;
    for (int i = 0; i < 6; ++i)
    {
        nested = Wrap(nested);
    }
    inject(nested);
    uint32_t peers = 0;
    const auto endpoint = network.nodes.Get(N::P2)->GetObject<IpTunnelEndpoint>();
    ConnectTrace(endpoint, "Drop", [&](Ipv4Address source, Ipv4Address to) {
        ++peers;
        NS_TEST_EXPECT_MSG_EQ(to, Ipv4Address("192.0.2.2"), "from " << source);
    });
    Simulator::Run();
    const auto& found = network.back->GetStatistics();
    const auto count = [&found](InnerHeaderResult result) {
        return found.malformed[static_cast<std::size_t>(result)];
    };
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::TRUNCATED), 3, "too short");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::NOT_IPV4), 1, "not IPv4");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::BAD_HEADER_LENGTH), 1, "a wrong header length");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::BAD_LENGTH), 1, "a wrong length");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::BAD_CHECKSUM), 1, "a wrong checksum");
    NS_TEST_EXPECT_MSG_EQ(endpoint->GetStatistics().unknownPeers, 1, "of an unknown peer");
    NS_TEST_EXPECT_MSG_EQ(endpoint->GetStatistics().tooDeep, 1, "too many headers");
    NS_TEST_EXPECT_MSG_EQ(peers, 2, "traced");
    const auto& out = network.sent[{N::P2, N::B}];
    NS_TEST_ASSERT_MSG_EQ(out.size(), 2, "the good ones");
    NS_TEST_EXPECT_MSG_EQ(out[1].bytes.size(), 100, "without the padding");

    // Any bytes: none ends the program, and each is counted once.
    const uint64_t before = found.receivedPackets + GetDroppedAtExit(found);
    constexpr uint32_t RANDOM = 3000;
    std::mt19937 random(1);
    us = 0;
    for (uint32_t i = 0; i < RANDOM; ++i)
    {
        Bytes bytes(random() % 120);
        for (auto& byte : bytes)
        {
            byte = static_cast<uint8_t>(random());
        }
        if (i % 3 != 0 && bytes.size() >= 20)
        {
            // Near to right: a good header with a few wrong bits
            std::copy(good.begin(), good.begin() + 20, bytes.begin());
            bytes[3] = static_cast<uint8_t>(bytes.size() - random() % 2);
            bytes[random() % 20] ^= static_cast<uint8_t>(1 << random() % 8);
            bytes[0] = static_cast<uint8_t>(random() % 2 ? 0x45 : 0x40 | random() % 16);
            bytes[9] = static_cast<uint8_t>(random() % 2 ? 4 : 17);
            auto header = GetHeader(bytes);
            SetIpv4Checksum(header);
            std::copy(header.begin(), header.end(), bytes.begin());
        }
        inject(Wrap(bytes));
    }
    Simulator::Run();
    const uint64_t after = found.receivedPackets + GetDroppedAtExit(found);
    NS_TEST_EXPECT_MSG_GT(after - before, RANDOM - 1, "each once, nested ones more often");
    NS_TEST_EXPECT_MSG_LT(after - before, RANDOM * 11 / 10, "not many more");
}
