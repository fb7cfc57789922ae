// SPDX-License-Identifier: GPL-2.0-only

// CSIG on hosts: datagrams, section 4.2.2 of draft-ravi-ippm-csig-01.

#include "csig-host-traffic.h"
#include "model/core/csig/csig-flow-rule.h"
#include "model/csig/csig-l4-protocol.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"

AIDC_TEST_SUITE("aidc-csig-host-udp", UNIT);

/// What happens to the tags.
enum TagFate
{
    WRITES, //!< the router writes into them
    STRIPS, //!< the router strips them
    NO_TAGS //!< the hosts do not tag datagrams
};

// Section 4.2.2: an application of requests and answers over UDP that reflects.
AIDC_TEST_CASES(TagFate,
                kind,
                std::string("4.2.2: reflection over UDP, ") + (kind == WRITES ? "tags arrive"
                                                               : kind == STRIPS
                                                                   ? "tags are stripped"
                                                                   : "datagrams are not tagged"),
                ({WRITES, STRIPS, NO_TAGS}))
{
    constexpr uint32_t REQUESTS = 100;
    CsigHostNetwork network;
    const std::array<Ptr<CsigHost>, 2> hosts{network.InstallA(), network.InstallB()};
    for (const auto& host : hosts)
    {
        host->SetAttribute("TagUdp", BooleanValue(kind != NO_TAGS));
    }
    hosts[1]->SetAttribute("Format", EnumValue(CsigFormat::EXPANDED));
    const FlowKey flow{network.addressA.Get(), network.addressB.Get(), 6000, 7, 17};
    const FlowKey back{flow.destination, flow.source, 7, 6000, 17};
    std::vector<CsigFields> written[2];
    std::vector<CsigFields> signals[2];
    for (const int side : {0, 1})
    {
        (side == 0 ? network.toB : network.toA)->edit = [&, side](Ptr<Packet> packet) {
            CsigTag tag;
            if (kind == STRIPS)
            {
                ReplaceTag(packet, std::nullopt);
            }
            else if (packet->PeekPacketTag(tag))
            {
                auto fields = tag.GetFields();
                fields.value = written[side].size() % 30;
                fields.locator = static_cast<uint16_t>(side + 1);
                written[side].push_back(fields);
                ReplaceTag(packet, fields);
            }
            return true;
        };
        ConnectTrace(hosts[side], "Signal", [&, side](const FlowKey&, const CsigFields& fields) {
            signals[side].push_back(fields);
        });
    }
    const auto client = MakeSocket(network.nodes.Get(0), 6000);
    const auto server = MakeSocket(network.nodes.Get(2), 7);
    client->Connect(InetSocketAddress(network.addressB, 7));
    // B answers requests: the same payload back, with what B reflects.
    server->SetRecvCallback(ToCallback([&](Ptr<Socket> socket) {
        Address from;
        while (auto packet = socket->RecvFrom(from))
        {
            AIDC_EXPECT(hosts[1]->RemoveReflection(packet, back), "a header");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the request is whole");
            hosts[1]->AddReflection(packet, back);
            // The request's tag is still on it, and must not leave.
            socket->SendTo(packet, 0, from);
        }
    }));
    uint32_t answers = 0;
    client->SetRecvCallback(ToCallback([&](Ptr<Socket> socket) {
        while (auto packet = socket->Recv())
        {
            AIDC_EXPECT(hosts[0]->RemoveReflection(packet, flow), "a header");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the answer is whole");
            ++answers;
        }
    }));
    for (uint32_t i = 0; i < REQUESTS; ++i)
    {
        Simulator::Schedule(MilliSeconds(2 * i + 1), [&] {
            auto packet = Create<Packet>(100);
            hosts[0]->AddReflection(packet, flow);
            client->Send(packet);
        });
    }
    RunFor(Seconds(1));

    NS_TEST_EXPECT_MSG_EQ(answers, REQUESTS, "all requests are answered");
    if (kind != WRITES)
    {
        NS_TEST_EXPECT_MSG_EQ(signals[0].size() + signals[1].size(), 0, "no signals");
        const auto capability = hosts[0]->GetCapability(flow);
        NS_TEST_EXPECT_MSG_EQ((capability == CsigCapability::NOT_CAPABLE),
                              (kind == STRIPS),
                              "6.3.3: the path is not capable");
        if (kind == STRIPS)
        {
            NS_TEST_EXPECT_MSG_LT(hosts[0]->GetStatistics().tagsSent,
                                  REQUESTS / 4,
                                  "6.3.3: no more tags then");
        }
        return;
    }
    // A's last tag comes back with the last answer; B's has no request after it.
    NS_TEST_EXPECT_MSG_EQ(written[0].size(), REQUESTS, "requests are tagged");
    AIDC_EXPECT(signals[0] == written[0], "4.4.4: A's signals");
    NS_TEST_EXPECT_MSG_EQ(written[1].size(), REQUESTS, "answers are tagged");
    // What A has not reflected yet, it reflects once.
    for (const bool isNew : {true, false})
    {
        auto packet = Create<Packet>();
        hosts[0]->AddReflection(packet, flow);
        CsigReflectionHeader header;
        packet->PeekHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.GetReflection().fields.has_value(), isNew, "4.3.2: once");
    }
    written[1].pop_back();
    AIDC_EXPECT(signals[1] == written[1], "4.4.4: B's signals");
}

// Section 9: tags that an application leaves on a packet do not leave the host.
AIDC_TEST_CASE("9: applications cannot tag packets")
{
    CsigHostNetwork network;
    auto host = network.InstallA();
    uint32_t packets = 0;
    uint32_t tags = 0;
    network.toB->edit = [&](Ptr<Packet> packet) {
        CsigTag tag;
        tags += packet->PeekPacketTag(tag);
        ++packets;
        return true;
    };
    auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
    Simulator::Schedule(MilliSeconds(1), [&] {
        auto packet = Create<Packet>(100);
        packet->AddPacketTag(CsigTag(CsigFields{CsigFormat::COMPACT, 0, 0, 0, 1}));
        socket->SendTo(packet, 0, InetSocketAddress(network.addressB, 7));
    });
    RunFor(MilliSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(packets, 1, "the packet leaves");
    NS_TEST_EXPECT_MSG_EQ(tags, 0, "without its tag");
    NS_TEST_EXPECT_MSG_EQ(host->GetStatistics().foreignTags, 1, "which is counted");
}

// Section 9: datagrams are tagged by DSCP, and never if they have several receivers, whose paths
// are several.
AIDC_TEST_CASE("9: rules for datagrams")
{
    constexpr uint8_t DSCP = 10;
    CsigHostNetwork network;
    CsigFlowRule rule;
    rule.dscp = DSCP;
    CsigHostHelper helper;
    helper.SetAttribute("TagUdp", BooleanValue(true));
    helper.Authorize(rule);
    helper.Install(network.nodes.Get(0));
    const auto& statistics = network.nodes.Get(0)->GetObject<CsigHost>()->GetStatistics();
    auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
    socket->SetAllowBroadcast(true);
    const auto send = [&](uint8_t dscp, const char* to, uint64_t tags) {
        const auto before = statistics.tagsSent;
        // Up to ns-3.41 an address brings its own type of service.
        socket->Connect(InetSocketAddress(to, 7));
        socket->SetIpTos(dscp << 2);
        const auto sent = socket->Send(Create<Packet>(100));
        NS_TEST_EXPECT_MSG_EQ(sent, 100, "sent to " << to);
        NS_TEST_EXPECT_MSG_EQ(statistics.tagsSent - before, tags, "tags to " << to);
    };
    Simulator::Schedule(MilliSeconds(1), [&] {
        send(0, "10.0.2.2", 0);
        send(DSCP, "10.0.2.2", 1);
        send(DSCP + 1, "10.0.2.2", 0);
        send(DSCP, "255.255.255.255", 0);
    });
    RunFor(MilliSeconds(10));
    NS_TEST_EXPECT_MSG_EQ(statistics.tagsSent, 1, "one is tagged");
}

// Section 4.2.2: payloads that are too short for the header are left as they are.
AIDC_TEST_CASE("4.2.2: payloads without a whole header")
{
    auto host = CreateObject<CsigHost>();
    uint64_t bad = 0;
    for (const uint8_t flags : {0x80, 0xC0}) // 3 and 7 bytes
    {
        const std::size_t whole = flags == 0x80 ? 3 : 7;
        for (std::size_t size = 0; size <= 8; ++size)
        {
            Bytes bytes(size, 0);
            if (size > 0)
            {
                bytes[0] = flags;
            }
            auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(size));
            const bool isTaken = host->RemoveReflection(packet, FlowKey());
            NS_TEST_EXPECT_MSG_EQ(isTaken, (size >= whole), "taken if whole, size " << size);
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(),
                                  (isTaken ? size - whole : size),
                                  "what is left, size " << size);
            bad += !isTaken;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(host->GetStatistics().malformedReflections, bad, "counted");
    NS_TEST_EXPECT_MSG_EQ(bad, 3 + 7, "sizes below 3 and below 7");
}
