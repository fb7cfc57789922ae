// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

// IP-in-IP tunnels through a network.
AIDC_TEST_SUITE("aidc-ip-tunnel", UNIT);

using N = TunnelNetwork;

/// The addresses of the core routers.
const Ipv4Address C1_ADDRESS("192.0.2.11");
/// @copydoc C1_ADDRESS
const Ipv4Address C2_ADDRESS("192.0.2.12");

N::Settings
MakeSettings(SwitchDatapath::Mode mode, const Attributes& tunnel = {})
{
    N::Settings settings;
    settings.mode = mode;
    settings.tunnel = tunnel;
    return settings;
}

/// Send all kinds of packets. forwarded: set to the packets past the stack at P2.
std::map<N::Hop, std::vector<N::Sent>>
SendAll(N::Settings settings, SwitchDatapath::Mode mode, uint64_t& forwarded)
{
    settings.mode = mode;
    N network(settings);
    network.AddEcnWriter()->SetCodepoint(1);
    int slot = 0;
    const auto send = [&](DatagramSpec spec) {
        spec.identification = static_cast<uint16_t>(slot);
        network.SendAt(MicroSeconds(20 * slot++), MakeDatagram(spec));
    };
    for (uint32_t tos = 0; tos < 256; tos += 5)
    {
        DatagramSpec spec;
        spec.tos = static_cast<uint8_t>(tos);
        spec.port = static_cast<uint16_t>(tos);
        send(spec);
    }
    for (const uint8_t ttl : {1, 2, 3, 4, 64, 255})
    {
        DatagramSpec spec;
        spec.ttl = ttl;
        send(spec);
    }
    for (const uint32_t size : {28, 1440, 1441, 1460, 1461, 1480, 1481, 1500, 3000, 8000})
    {
        for (const uint16_t fragment : {0x4000, 0x0000, 0x2000, 0x2010, 0x0123})
        {
            DatagramSpec spec;
            spec.tos = 2;
            spec.size = size;
            spec.fragment = fragment;
            send(spec);
        }
    }
    // A tunnel in the tunnel, which ends at the host
    DatagramSpec spec;
    auto inside = MakeDatagram(spec);
    spec.size = 120;
    auto outside = MakeDatagram(spec);
    outside[9] = 4;
    auto header = GetHeader(outside);
    SetIpv4Checksum(header);
    std::copy(header.begin(), header.end(), outside.begin());
    std::copy(inside.begin(), inside.end(), outside.begin() + 20);
    network.SendAt(MicroSeconds(20 * slot++), outside);
    Simulator::Run();
    forwarded = network.nodes.Get(N::P2)->GetObject<SwitchDatapath>()->GetNForwarded();
    return network.sent;
}

/// What a network is like.
struct Same
{
    std::string name;     //!< in words
    N::Settings settings; //!< without the mode
};

// Both datapaths send the same bytes at the same times, whatever goes through the tunnel.
AIDC_TEST_CASE_P(SameBytesTestCase, Same, row, "the same bytes by both datapaths: " + row.name)
{
    uint64_t forwarded = 0;
    const auto fast = SendAll(row.settings, SwitchDatapath::FAST, forwarded);
    NS_TEST_EXPECT_MSG_GT(forwarded, 50, "most packets are past the stack");
    const auto stack = SendAll(row.settings, SwitchDatapath::STACK, forwarded);
    NS_TEST_EXPECT_MSG_EQ(forwarded, 0, "none is past the stack");
    CompareSent(fast, stack);
    for (const auto& [hop, packets] : fast)
    {
        for (const auto& packet : packets)
        {
            NS_TEST_EXPECT_MSG_GT(CountHeaders(packet.bytes), 0, "checksums");
        }
    }
}

// TTL and DSCP by the models.
AIDC_DATAPATH_TEST_CASES("RFC 2983 and RFC 3443: uniform and pipe models")
{
    // Sends a packet of TTL 10 and DSCP 46. outerTtl, outerDscp: from P1 to C1. ttl: what B gets.
    const auto check = [this](const std::string& model, int outerTtl, int outerDscp, int ttl) {
        N network(MakeSettings(
            mode,
            {{"TtlModel", model}, {"DscpModel", model}, {"Ttl", "33"}, {"Dscp", "11"}}));
        DatagramSpec spec;
        spec.tos = 46 << 2;
        spec.ttl = 10;
        network.Send(MakeDatagram(spec));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 1, "arrived");
        const Bytes& in = network.sent[{N::P1, N::C1}].front().bytes;
        const Bytes& on = network.sent[{N::C1, N::P2}].front().bytes;
        const Bytes& out = network.sent[{N::P2, N::B}].front().bytes;
        NS_TEST_EXPECT_MSG_EQ(+in[8], outerTtl, model);
        NS_TEST_EXPECT_MSG_EQ(+on[8], outerTtl - 1, model);
        NS_TEST_EXPECT_MSG_EQ(+in[28], 9, "the router at the entry has passed it on");
        NS_TEST_EXPECT_MSG_EQ((in[1] >> 2), outerDscp, model);
        NS_TEST_EXPECT_MSG_EQ((in[21] >> 2), 46, model);
        NS_TEST_EXPECT_MSG_EQ(+out[8], ttl, model);
        NS_TEST_EXPECT_MSG_EQ((out[1] >> 2), 46, model);
    };
    // P1 takes one off 10 before, P2 one behind the tunnel; in it, C1 takes one off the outer.
    check("Pipe", 33, 11, 8);
    check("Uniform", 9, 46, 7);
}

// ECT(1) at the domain's edge.
AIDC_DATAPATH_TEST_CASES("packets sent as ECT(1) are passed, refused or remarked")
{
    for (const std::string policy : {"Passed", "Refused", "Remarked"})
    {
        N network(MakeSettings(mode, {{"EdgeEct1", policy}}));
        for (uint8_t ecn = 0; ecn < 4; ++ecn)
        {
            DatagramSpec spec;
            spec.tos = ecn;
            network.SendAt(MicroSeconds(10 * ecn), MakeDatagram(spec));
        }
        Simulator::Run();
        std::vector<int> arrived;
        for (const auto& packet : network.sent[{N::P2, N::B}])
        {
            arrived.push_back(packet.bytes[1] & 3);
            NS_TEST_EXPECT_MSG_EQ(CountHeaders(packet.bytes), 1, "checksum");
        }
        const std::vector<int> expected = policy == "Passed"    ? std::vector{0, 1, 2, 3}
                                          : policy == "Refused" ? std::vector{0, 2, 3}
                                                                : std::vector{0, 2, 2, 3};
        AIDC_EXPECT(arrived == expected, policy);
        const auto& statistics = network.there->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.refusedEct1, (policy == "Refused"), policy);
        NS_TEST_EXPECT_MSG_EQ(statistics.ect1Remarked, (policy == "Remarked"), policy);
        const auto& exit = network.back->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(exit.lightMarks, (policy == "Passed"), "marked already");
    }
}

// Waypoints: an outer header each, and marks get out of all of them.
AIDC_DATAPATH_TEST_CASES("waypoints cost an outer header each")
{
    auto settings = MakeSettings(mode);
    settings.paths = {{C2_ADDRESS, C1_ADDRESS}};
    N network(settings);
    const auto writer = network.AddEcnWriter();
    writer->SetCodepoint(3);
    DatagramSpec spec;
    spec.tos = 2;
    network.Send(MakeDatagram(spec));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((network.sent.count({N::P1, N::C1})), 0, "not the direct way");
    const std::vector<N::Hop> hops{{N::P1, N::C2}, {N::C2, N::C1}, {N::C1, N::P2}, {N::P2, N::B}};
    uint32_t headers = 4;
    for (const auto& hop : hops)
    {
        NS_TEST_ASSERT_MSG_EQ(network.sent[hop].size(), 1, "from " << hop.first);
        const Bytes& bytes = network.sent[hop].front().bytes;
        NS_TEST_EXPECT_MSG_EQ(CountHeaders(bytes), headers, "from " << hop.first);
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 100 + 20 * (headers - 1), "from " << hop.first);
        --headers;
    }
    // Of the outermost: the source is the entry, and the destination is the next waypoint.
    const Bytes& first = network.sent[hops[0]].front().bytes;
    NS_TEST_EXPECT_MSG_EQ(+first[15], 1, "192.0.2.1");
    NS_TEST_EXPECT_MSG_EQ(+first[19], 12, "192.0.2.12");
    NS_TEST_EXPECT_MSG_EQ(+first[39], 11, "192.0.2.11");
    NS_TEST_EXPECT_MSG_EQ(+first[59], 2, "192.0.2.2");
    NS_TEST_EXPECT_MSG_EQ((network.sent[hops[3]].front().bytes[1] & 3), 3, "CE from C1");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetPaths().FindMtu(0), 1440, "three headers");
    NS_TEST_EXPECT_MSG_EQ(network.waypoint->GetStatistics().receivedPackets, 1, "at C2");
    const auto c2 = network.nodes.Get(N::C2)->GetObject<SwitchDatapath>();
    NS_TEST_EXPECT_MSG_EQ(c2->GetNForwarded(), (mode == SwitchDatapath::FAST), "fast path");
}

// Flows of a tunnel spread over parallel links, and each stays at its own.
AIDC_DATAPATH_TEST_CASES("flows of a tunnel spread over parallel links")
{
    // By 0, 1 and 4 waypoints
    const std::vector<std::vector<Ipv4Address>> paths{
        {},
        {C1_ADDRESS},
        {C1_ADDRESS, C2_ADDRESS, C1_ADDRESS, C2_ADDRESS}};
    for (const auto& path : paths)
    {
        auto settings = MakeSettings(mode);
        settings.paths = {path};
        settings.nParallel = 4;
        N network(settings);
        constexpr uint32_t FLOWS = 400;
        for (uint32_t i = 0; i < 3 * FLOWS; ++i)
        {
            DatagramSpec spec;
            spec.port = static_cast<uint16_t>(i % FLOWS);
            network.SendAt(MicroSeconds(i), MakeDatagram(spec));
        }
        std::map<uint32_t, std::set<uint32_t>> linksOfFlow;
        std::map<uint32_t, uint32_t> packetsOfLink;
        for (uint32_t link = 0; link < 4; ++link)
        {
            ConnectTrace(network.GetPort(N::P1, N::C1, link),
                         "PhyTxBegin",
                         [&, link](Ptr<const Packet> frame) {
                             Bytes bytes(frame->GetSize());
                             frame->CopyData(bytes.data(), frame->GetSize());
                             const std::size_t at = 14 + 20 * (path.size() + 2);
                             linksOfFlow[Get16(bytes, at)].insert(link);
                             ++packetsOfLink[link];
                         });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 3 * FLOWS, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(linksOfFlow.size(), FLOWS, "all flows are seen");
        for (const auto& [flow, links] : linksOfFlow)
        {
            NS_TEST_EXPECT_MSG_EQ(links.size(), 1, "flow " << flow << " stays where it is");
        }
        for (uint32_t link = 0; link < 4; ++link)
        {
            // 100 flows a link, with a standard deviation of sqrt(400 * 1/4 * 3/4) = 8.7: within 5.
            NS_TEST_EXPECT_MSG_EQ_TOL(packetsOfLink[link] / 3.0, 100.0, 43.0, "link " << link);
        }
    }
}

// What is queued behind a tunnel's entry or exit knows by which port it has come in.
AIDC_DATAPATH_TEST_CASES("queued packets know their ingress port")
{
    N network(MakeSettings(mode));
    std::vector<uint32_t> found;
    const auto watch = [&](uint32_t node, uint32_t from, uint32_t to) {
        network.GetPort(node, from)->SetKeepContext(true);
        network.GetPort(node, to)->SetKeepContext(true);
        auto root = CreateObject<EcnWriterQueueDisc>();
        network.nodes.Get(node)->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(
            network.GetPort(node, to),
            root);
        ConnectTrace(root, "Enqueue", [&](Ptr<const QueueDiscItem> item) {
            found.push_back(GetFrameContext(*item).ingressPort);
        });
    };
    watch(N::P1, N::A, N::C1);
    watch(N::P2, N::C1, N::B);
    network.Send(MakeDatagram({}));
    // Too long: fragments have come in by that port, too.
    DatagramSpec spec;
    spec.size = 2000;
    spec.fragment = 0;
    network.Send(MakeDatagram(spec));
    Simulator::Run();
    const uint32_t entry = network.GetPort(N::P1, N::A)->GetIfIndex();
    const uint32_t exit = network.GetPort(N::P2, N::C1)->GetIfIndex();
    std::sort(found.begin(), found.end());
    std::vector<uint32_t> expected{entry, entry, entry, exit, exit, exit};
    std::sort(expected.begin(), expected.end());
    AIDC_EXPECT(found == expected, "three packets at each");
}

AIDC_ADD_TEST_CASES()
{
    N::Settings settings;
    AddTestCase(new SameBytesTestCase({"a direct path", settings}));
    settings.isOrdered = true;
    AddTestCase(new SameBytesTestCase({"ordered arrivals", settings}));
    settings.paths = {{C2_ADDRESS}};
    settings.isTunnelFirst = true;
    AddTestCase(new SameBytesTestCase({"a waypoint", settings}));
    settings.paths = {{C2_ADDRESS, C1_ADDRESS}};
    settings.tunnel = {{"TtlModel", "Uniform"}, {"EgressMode", "PipeForEct1"}};
    AddTestCase(new SameBytesTestCase({"two waypoints, uniform TTL", settings}));
    settings.paths = {{}};
    settings.isOrdered = false;
    settings.tunnel = {{"DscpModel", "Pipe"}, {"Dscp", "12"}, {"EdgeEct1", "Remarked"}};
    AddTestCase(new SameBytesTestCase({"a DSCP of its own, ECT(1) remarked", settings}));
}
