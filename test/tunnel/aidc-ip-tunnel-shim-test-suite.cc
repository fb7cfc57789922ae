// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

#include "ns3/ip-tunnel-endpoint.h"

// GRE and VXLAN in tunnels.
AIDC_TEST_SUITE("aidc-ip-tunnel-shim", UNIT);

using N = TunnelNetwork;

/// An encapsulation, and what packets have in it (RFC 2784, RFC 2890, RFC 7348).
struct Shim
{
    std::string name;      //!< for the name of a test
    Attributes attributes; //!< attributes of both tunnels
    uint8_t protocol;      //!< of the outer header
    uint32_t size;         //!< bytes between the outer and the inner header
};

/// GRE without and with a key, and VXLAN.
const std::vector<Shim>&
GetShims()
{
    static const std::vector<Shim> shims{
        {"GRE", {{"Encapsulation", "Gre"}}, 47, 4},
        {"GRE with a key", {{"Encapsulation", "Gre"}, {"GreKey", "16909060"}}, 47, 8},
        {"VXLAN", {{"Encapsulation", "Vxlan"}, {"Vni", "66051"}}, 17, 30}};
    return shims;
}

/// A test of an encapsulation in a mode of the datapath.
class ShimTestCase : public DatapathTestCase
{
  public:
    ShimTestCase(const std::string& name, SwitchDatapath::Mode mode, const Shim& shim)
        : DatapathTestCase(shim.name + ": " + name, mode),
          m_shim(shim)
    {
    }

  protected:
    N::Settings GetSettings(const Attributes& more = {}) const
    {
        N::Settings settings;
        settings.mode = m_mode;
        settings.tunnel = m_shim.attributes;
        settings.tunnel.insert(settings.tunnel.end(), more.begin(), more.end());
        return settings;
    }

    /// Check the headers of a packet in the WAN. at: where the header is that leads to P2.
    std::size_t CheckHeaders(const Bytes& bytes, std::size_t at = 0)
    {
        const std::size_t inner = at + 20 + m_shim.size;
        AIDC_EXPECT(bytes.size() >= inner + 20, "too short");
        if (bytes.size() < inner + 20)
        {
            return at;
        }
        NS_TEST_EXPECT_MSG_EQ(SumIpv4Words(GetHeader(bytes, at)), 0xffff, "outer checksum");
        NS_TEST_EXPECT_MSG_EQ(SumIpv4Words(GetHeader(bytes, inner)), 0xffff, "inner checksum");
        NS_TEST_EXPECT_MSG_EQ(+bytes[at + 9], +m_shim.protocol, "protocol");
        NS_TEST_EXPECT_MSG_EQ(Get16(bytes, at + 2), bytes.size() - at, "outer length");
        const Bytes shim(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 20,
                         bytes.begin() + static_cast<std::ptrdiff_t>(inner));
        const auto length = static_cast<uint32_t>(bytes.size() - at - 20);
        Bytes expected{0, 0, 8, 0};
        if (m_shim.size == 8)
        {
            expected = {0x20, 0, 8, 0, 1, 2, 3, 4};
        }
        else if (m_shim.protocol == 17)
        {
            NS_TEST_EXPECT_MSG_GT(Get16(shim, 0), 49151, "RFC 7348: a dynamic source port");
            expected = {shim[0],
                        shim[1],
                        0x12,
                        0xb5,
                        static_cast<uint8_t>(length >> 8),
                        static_cast<uint8_t>(length),
                        0,
                        0,
                        8,
                        0,
                        0,
                        0,
                        1,
                        2,
                        3,
                        0,
                        2,
                        0,
                        192,
                        0,
                        2,
                        2,
                        2,
                        0,
                        192,
                        0,
                        2,
                        1,
                        8,
                        0};
        }
        AIDC_EXPECT(shim == expected, "the shim byte for byte");
        return inner;
    }

    const Shim m_shim; //!< the encapsulation
};

/// RFC 9601: the tables of RFC 6040 across the shim. The expected results are figures 3 and 4 of
/// RFC 6040, and RFC 9601, section 4, for an entry whose exit may not propagate ECN.
class ShimEcnTestCase : public ShimTestCase
{
  public:
    ShimEcnTestCase(SwitchDatapath::Mode mode, const Shim& shim, const std::string& ingress)
        : ShimTestCase("RFC 9601, 4 and 6: all cells, " + ingress, mode, shim),
          m_ingress(ingress)
    {
    }

  private:
    void DoRun() override
    {
        constexpr int DROP = -1;
        constexpr int FIGURE_4[4][4] = {{0, 0, 0, DROP}, {1, 1, 1, 3}, {2, 1, 2, 3}, {3, 3, 3, 3}};
        N network(GetSettings({{"IngressMode", m_ingress}}));
        const auto writer = network.AddEcnWriter();
        std::vector<int> expected;
        std::vector<int> entered;
        int slot = 0;
        for (int inner = 0; inner < 4; ++inner)
        {
            for (int written = -1; written < 4; ++written)
            {
                DatagramSpec spec;
                spec.tos = static_cast<uint8_t>(46 << 2 | inner);
                spec.port = static_cast<uint16_t>(1000 + slot);
                const Time when = MicroSeconds(100 * slot++);
                network.SendAt(when, MakeDatagram(spec));
                Simulator::Schedule(when, [writer, written] { writer->SetCodepoint(written); });
                const int begun = m_ingress == "Normal" ? inner : 0;
                entered.push_back(46 << 2 | begun);
                const int result = FIGURE_4[inner][written < 0 ? begun : written];
                if (result != DROP)
                {
                    expected.push_back(46 << 2 | result);
                }
            }
        }
        Simulator::Run();
        const auto& outer = network.sent[{N::P1, N::C1}];
        const auto& out = network.sent[{N::P2, N::B}];
        NS_TEST_ASSERT_MSG_EQ(outer.size(), entered.size(), "packets in");
        NS_TEST_ASSERT_MSG_EQ(out.size(), expected.size(), "packets out");
        for (std::size_t i = 0; i < entered.size(); ++i)
        {
            const std::size_t inner = CheckHeaders(outer[i].bytes);
            NS_TEST_EXPECT_MSG_EQ(+outer[i].bytes[1], entered[i], "the outer field");
            NS_TEST_EXPECT_MSG_EQ(+outer[i].bytes[inner + 1],
                                  (46 << 2 | static_cast<int>(i / 5)),
                                  "the inner field");
        }
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(+out[i].bytes[1], expected[i], "RFC 6040, figure 4");
            NS_TEST_EXPECT_MSG_EQ(SumIpv4Words(GetHeader(out[i].bytes)), 0xffff, "checksum");
            NS_TEST_EXPECT_MSG_EQ(out[i].bytes.size(), 100, "what was sent");
        }
        const auto datapath = network.nodes.Get(N::P2)->GetObject<SwitchDatapath>();
        NS_TEST_EXPECT_MSG_EQ(datapath->GetNForwarded(),
                              (m_mode == SwitchDatapath::FAST ? expected.size() : 0),
                              "past the stack");
    }

    std::string m_ingress; //!< the attribute IngressMode
};

// The longest inner packet, below a waypoint's header, too. Of 1500 bytes, GRE leaves 1476, a key
// 4 less, VXLAN 1450; a waypoint takes 20 more.
AIDC_TEST_CASE_OF(ShimTestCase, ShimMtuTestCase, "MTU, fragments, a waypoint and keepalives")
{
    for (const bool hasWaypoint : {false, true})
    {
        auto settings = GetSettings({{"KeepaliveInterval", "1ms"}});
        if (hasWaypoint)
        {
            settings.paths = {{Ipv4Address("192.0.2.12")}};
        }
        N network(settings);
        const std::map<uint32_t, uint32_t> direct{{4, 1476}, {8, 1472}, {30, 1450}};
        const uint32_t mtu = direct.at(m_shim.size) - (hasWaypoint ? 20 : 0);
        DatagramSpec spec;
        spec.size = mtu;
        network.SendAt(MicroSeconds(100), MakeDatagram(spec));
        spec.size = mtu + 1;
        network.SendAt(MicroSeconds(200), MakeDatagram(spec)); // with DF
        spec.fragment = 0;
        network.SendAt(MicroSeconds(300), MakeDatagram(spec));
        RunFor(MicroSeconds(3500));
        NS_TEST_EXPECT_MSG_EQ(network.there->GetPaths().FindMtu(0), mtu, "the MTU");
        NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().tooLong, 1, "with DF");
        NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().fragmentedPackets, 1, "without");
        NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 3, "one and two fragments");
        NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().keepalivesReturned, 4, "of 4");
        const auto& first = network.sent[{N::P1, hasWaypoint ? N::C2 : N::C1}];
        AIDC_ASSERT(first.size() > 3, "packets");
        for (const auto& packet : first)
        {
            if (packet.bytes[9] == IpTunnelEndpoint::KEEPALIVE_PROTOCOL)
            {
                continue; // one of P2's, on its way back
            }
            if (hasWaypoint)
            {
                NS_TEST_EXPECT_MSG_EQ(+packet.bytes[9], 4, "IP in IP to the waypoint");
                NS_TEST_EXPECT_MSG_EQ(+packet.bytes[19], 12, "to C2");
            }
            CheckHeaders(packet.bytes, hasWaypoint ? 20 : 0);
        }
        if (hasWaypoint)
        {
            NS_TEST_EXPECT_MSG_GT(network.waypoint->GetStatistics().receivedPackets, 6, "at C2");
        }
    }
}

// The flows of a tunnel spread over equal links, and each stays on its link. GRE has no ports:
// routers read the inner ones. VXLAN has a source port of each flow.
AIDC_TEST_CASE_OF(ShimTestCase, ShimSpreadTestCase, "flows spread")
{
    auto settings = GetSettings();
    settings.nParallel = 4;
    N network(settings);
    constexpr uint32_t FLOWS = 400;
    std::map<uint32_t, std::set<uint32_t>> links;
    std::map<uint32_t, std::set<uint32_t>> ports;
    std::map<uint32_t, uint32_t> loads;
    for (uint32_t link = 0; link < settings.nParallel; ++link)
    {
        ConnectTrace(network.GetPort(N::P1, N::C1, link),
                     "PhyTxBegin",
                     [&, link](Ptr<const Packet> frame) {
                         Bytes bytes(frame->GetSize());
                         frame->CopyData(bytes.data(), frame->GetSize());
                         const std::size_t inner = 14 + 20 + m_shim.size;
                         const uint32_t flow = Get16(bytes, inner + 20);
                         links[flow].insert(link);
                         ports[flow].insert(Get16(bytes, 14 + 20));
                         ++loads[link];
                     });
    }
    for (uint32_t i = 0; i < 2 * FLOWS; ++i)
    {
        DatagramSpec spec;
        spec.port = static_cast<uint16_t>(10000 + i % FLOWS);
        network.SendAt(MicroSeconds(i), MakeDatagram(spec));
    }
    Simulator::Run();
    std::set<uint32_t> entropy;
    NS_TEST_ASSERT_MSG_EQ(links.size(), FLOWS, "flows");
    for (const auto& [flow, used] : links)
    {
        NS_TEST_EXPECT_MSG_EQ(used.size(), 1, "flow " << flow << " stays on its link");
        NS_TEST_EXPECT_MSG_EQ(ports[flow].size(), 1, "flow " << flow << " has one port");
        entropy.insert(*ports[flow].begin());
    }
    for (const auto& [link, load] : loads)
    {
        // 100 of 400 flows, 5 standard deviations of 8.7
        NS_TEST_EXPECT_MSG_EQ_TOL(load / 2.0, 100.0, 43.0, "link " << link);
    }
    NS_TEST_EXPECT_MSG_EQ(loads.size(), 4, "links");
    if (m_shim.protocol == 17)
    {
        // 400 of 16384 ports: 5 collisions are expected.
        NS_TEST_EXPECT_MSG_GT(entropy.size(), 380, "RFC 7348, 5: entropy");
    }
}

struct SameShimBytes
{
    Shim shim;                     //!< the encapsulation
    std::vector<Ipv4Address> path; //!< the waypoints
};

/// Send packets.
std::map<N::Hop, std::vector<N::Sent>>
SendAll(const SameShimBytes& row, SwitchDatapath::Mode mode)
{
    N::Settings settings;
    settings.mode = mode;
    settings.tunnel = row.shim.attributes;
    settings.tunnel.emplace_back("TtlModel", "Uniform");
    settings.paths = {row.path};
    N network(settings);
    network.AddEcnWriter()->SetCodepoint(1);
    int slot = 0;
    for (const uint32_t size : {28, 100, 1400, 1450, 1451, 1472, 1476, 1480, 3000, 8000})
    {
        for (const uint16_t fragment : {0x4000, 0x0000, 0x2000, 0x2010, 0x0123})
        {
            DatagramSpec spec;
            spec.tos = static_cast<uint8_t>(slot % 256);
            spec.ttl = static_cast<uint8_t>(2 + slot % 60);
            spec.size = size;
            spec.fragment = fragment;
            spec.identification = static_cast<uint16_t>(slot);
            network.SendAt(MicroSeconds(20 * slot++), MakeDatagram(spec));
        }
    }
    Simulator::Run();
    return network.sent;
}

// Both datapaths send the same bytes at the same times.
AIDC_TEST_CASE_P(SameShimBytesTestCase,
                 SameShimBytes,
                 row,
                 row.shim.name + ": the same bytes by both datapaths, " +
                     std::to_string(row.path.size()) + " waypoints")
{
    const auto fast = SendAll(row, SwitchDatapath::FAST);
    NS_TEST_EXPECT_MSG_GT((fast.at({N::P2, N::B}).size()), 40, "packets arrive");
    CompareSent(fast, SendAll(row, SwitchDatapath::STACK));
}

// What does not belong to the tunnel is counted and dropped, and UDP stays with its sockets.
AIDC_TEST_CASE_OF(ShimTestCase, ShimErrorsTestCase, "malformed shims are dropped")
{
    N network(GetSettings());
    // What a good packet looks like
    network.Send(MakeDatagram({}));
    Simulator::Run();
    const Bytes good = network.sent[{N::P1, N::C1}].at(0).bytes;
    const auto port = network.GetPort(N::C1, N::P2);
    int64_t us = 0;
    const auto inject = [&](Bytes bytes) {
        auto header = GetHeader(bytes);
        SetIpv4Checksum(header);
        std::copy(header.begin(), header.end(), bytes.begin());
        Simulator::ScheduleWithContext(
            port->GetNode()->GetId(),
            MicroSeconds(us += 20),
            [port, bytes] {
                port->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                           port->GetBroadcast(),
                           0x0800);
            });
    };
    const auto change = [&good](std::size_t at, uint8_t value) {
        Bytes bytes = good;
        bytes[at] = value;
        return bytes;
    };
    const bool isGre = m_shim.protocol == 47;
    inject(good);
    inject(change(9, 4));                                     // IP in IP: another tunnel's
    inject(change(15, 77));                                   // of an unknown peer
    inject(isGre ? change(21, 1) : change(28, 0));            // version 1; no flag I
    inject(isGre ? change(23, 0xdd) : change(20 + 28, 0x81)); // not IPv4
    inject(isGre ? change(20, m_shim.size == 8 ? 0 : 0x20) : change(34, 9)); // another network
    Bytes cut(good.begin(), good.begin() + 20 + 3);
    cut[2] = 0;
    cut[3] = 23;
    inject(cut);
    const auto socket =
        Socket::CreateSocket(network.nodes.Get(N::P2), UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(Ipv4Address("192.0.2.2"), 4790));
    uint32_t datagrams = 0;
    socket->SetRecvCallback(
        ToCallback([&datagrams](Ptr<Socket> s) { datagrams += s->Recv() != nullptr; }));
    Simulator::Schedule(MicroSeconds(500), [&network, this] {
        const auto sender =
            Socket::CreateSocket(network.nodes.Get(N::P1), UdpSocketFactory::GetTypeId());
        sender->Connect(InetSocketAddress(Ipv4Address("192.0.2.2"), 4790));
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(10)), 10, "sent");
    });
    Simulator::Run();
    const auto& found = network.back->GetStatistics();
    const auto count = [&found](InnerHeaderResult result) {
        return found.malformed[static_cast<std::size_t>(result)];
    };
    NS_TEST_EXPECT_MSG_EQ(found.receivedPackets, 2, "the good ones");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::BAD_SHIM), 1, "a wrong shim");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::NOT_IPV4), 1, "not IPv4");
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::OTHER_NETWORK), 1, "of another network");
    const auto endpoint = network.nodes.Get(N::P2)->GetObject<IpTunnelEndpoint>();
    NS_TEST_EXPECT_MSG_EQ(count(InnerHeaderResult::TRUNCATED), 1, "too short");
    NS_TEST_EXPECT_MSG_EQ(endpoint->GetStatistics().unknownPeers, 1, "of an unknown peer");
    NS_TEST_EXPECT_MSG_EQ(datagrams, 1, "UDP of another port");

    // Any bytes behind a right outer header: none ends the program.
    std::mt19937 random(1);
    const uint64_t before = found.receivedPackets + GetDroppedAtExit(found);
    constexpr uint32_t RANDOM = 2000;
    for (uint32_t i = 0; i < RANDOM; ++i)
    {
        Bytes bytes = good;
        for (uint32_t n = random() % 4 + 1; n > 0; --n)
        {
            auto& byte = bytes[20 + random() % (bytes.size() - 20)];
            byte = static_cast<uint8_t>(random());
        }
        if (!isGre)
        {
            bytes[22] = good[22];
            bytes[23] = good[23];
        }
        inject(bytes);
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(found.receivedPackets + GetDroppedAtExit(found) - before,
                          RANDOM,
                          "each is counted once");
}

AIDC_ADD_TEST_CASES()
{
    const Ipv4Address c1("192.0.2.11");
    const Ipv4Address c2("192.0.2.12");
    for (const auto& shim : GetShims())
    {
        AddTestCases<SameShimBytesTestCase>({{shim, {}}, {shim, {c2, c1}}});
        for (const auto mode : DATAPATHS)
        {
            AddTestCase(new ShimEcnTestCase(mode, shim, "Normal"));
            AddTestCase(new ShimEcnTestCase(mode, shim, "Compatibility"));
            AddTestCase(new ShimMtuTestCase(mode, shim));
            AddTestCase(new ShimSpreadTestCase(mode, shim));
            AddTestCase(new ShimErrorsTestCase(mode, shim));
        }
    }
}
