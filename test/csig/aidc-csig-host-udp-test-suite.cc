/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// CSIG on hosts: datagrams, section 4.2.2 of draft-ravi-ippm-csig-01.

#include "csig-host-traffic.h"
#include "model/core/csig/csig-flow-rule.h"
#include "model/csig/csig-reflection-header.h"
#include "test/test-case.h"

#include "ns3/csig-host-helper.h"
#include "ns3/enum.h"
#include "ns3/udp-socket-factory.h"

using namespace aidctest;

AIDC_TEST_SUITE("aidc-csig-host-udp", UNIT);

/// Section 4.2.2: an application of requests and answers over UDP that reflects.
class UdpTestCase : public TestCase
{
  public:
    /// What happens to the tags.
    enum Network
    {
        WRITES, //!< the router writes into them
        STRIPS, //!< the router strips them
        NO_TAGS //!< the hosts do not tag datagrams
    };

    explicit UdpTestCase(Network kind)
        : TestCase(std::string("4.2.2: reflection over UDP, ") +
                   (kind == WRITES   ? "tags arrive"
                    : kind == STRIPS ? "tags are stripped"
                                     : "datagrams are not tagged")),
          m_kind(kind)
    {
    }

  private:
    static constexpr uint32_t REQUESTS = 100; //!< how many there are

    void DoRun() override
    {
        CsigHostNetwork network;
        m_hosts[0] = network.InstallA();
        m_hosts[1] = network.InstallB();
        for (const auto& host : m_hosts)
        {
            host->SetAttribute("TagUdp", BooleanValue(m_kind != NO_TAGS));
        }
        m_hosts[1]->SetAttribute("Format", EnumValue(CsigFormat::EXPANDED));
        m_flow = {network.addressA.Get(), network.addressB.Get(), 6000, 7, 17};
        std::vector<CsigFields> written[2];
        std::vector<CsigFields> signals[2];
        for (const int side : {0, 1})
        {
            (side == 0 ? network.toB : network.toA)->edit = [&, side](Ptr<Packet> packet) {
                CsigTag tag;
                if (m_kind == STRIPS)
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
            ConnectTrace(m_hosts[side],
                         "Signal",
                         [&, side](const FlowKey&, const CsigFields& fields) {
                             signals[side].push_back(fields);
                         });
        }
        Open(network, 0, 6000);
        Open(network, 1, 7);
        m_sockets[0]->Connect(InetSocketAddress(network.addressB, 7));
        for (uint32_t i = 0; i < REQUESTS; ++i)
        {
            Simulator::Schedule(MilliSeconds(2 * i + 1), [this] { Request(); });
        }
        Simulator::Stop(Seconds(1));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(m_answers, REQUESTS, "all requests are answered");
        if (m_kind != WRITES)
        {
            NS_TEST_EXPECT_MSG_EQ(signals[0].size() + signals[1].size(), 0, "no signals");
            const auto capability = m_hosts[0]->GetCapability(m_flow);
            NS_TEST_EXPECT_MSG_EQ((capability == CsigCapability::NOT_CAPABLE),
                                  (m_kind == STRIPS),
                                  "6.3.3: the path is not capable");
            if (m_kind == STRIPS)
            {
                NS_TEST_EXPECT_MSG_LT(m_hosts[0]->GetStatistics().tagsSent,
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
            m_hosts[0]->AddReflection(packet, m_flow);
            CsigReflectionHeader header;
            packet->PeekHeader(header);
            NS_TEST_EXPECT_MSG_EQ(header.GetReflection().fields.has_value(), isNew, "4.3.2: once");
        }
        written[1].pop_back();
        AIDC_EXPECT(signals[1] == written[1], "4.4.4: B's signals");
    }

    /// Open a socket. side: 0 for A, 1 for B.
    void Open(const CsigHostNetwork& network, uint32_t side, uint16_t port)
    {
        m_sockets[side] =
            Socket::CreateSocket(network.nodes.Get(2 * side), UdpSocketFactory::GetTypeId());
        m_sockets[side]->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        m_sockets[side]->SetRecvCallback(
            MakeCallback(side == 0 ? &UdpTestCase::TakeAnswer : &UdpTestCase::Answer, this));
    }

    void Request()
    {
        auto packet = Create<Packet>(100);
        m_hosts[0]->AddReflection(packet, m_flow);
        m_sockets[0]->Send(packet);
    }

    /// Answer a request at B: the same payload back, with what B reflects.
    void Answer(Ptr<Socket> socket)
    {
        const FlowKey flow{m_flow.destination, m_flow.source, 7, 6000, 17};
        Address from;
        while (auto packet = socket->RecvFrom(from))
        {
            AIDC_EXPECT(m_hosts[1]->RemoveReflection(packet, flow), "a header");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the request is whole");
            m_hosts[1]->AddReflection(packet, flow);
            // The request's tag is still on it, and must not leave.
            socket->SendTo(packet, 0, from);
        }
    }

    void TakeAnswer(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            AIDC_EXPECT(m_hosts[0]->RemoveReflection(packet, m_flow), "a header");
            NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the answer is whole");
            ++m_answers;
        }
    }

    Network m_kind;           //!< what happens to the tags
    Ptr<CsigHost> m_hosts[2]; //!< of A and B
    Ptr<Socket> m_sockets[2]; //!< of A and B
    FlowKey m_flow;           //!< from A to B
    uint32_t m_answers{0};    //!< answers that have come
};

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
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
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
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
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

AIDC_ADD_TEST_CASES()
{
    AddTestCase(new UdpTestCase(UdpTestCase::WRITES));
    AddTestCase(new UdpTestCase(UdpTestCase::STRIPS));
    AddTestCase(new UdpTestCase(UdpTestCase::NO_TAGS));
}
