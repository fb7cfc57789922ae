// SPDX-License-Identifier: GPL-2.0-only

#include "csig-host-network.h"
#include "csig-port-pair.h"
#include "test/test-case.h"

#include "ns3/csig-queue-port.h"
#include "ns3/csig-tag.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/queue.h"

// CSIG in ports of ns-3's point-to-point devices.
AIDC_TEST_SUITE("aidc-csig-queue-port", UNIT);

/// What a packet of 1,000 bytes takes at 100 Mb/s, with UDP, IP and PPP headers, in ns: 1,030 * 80.
constexpr int64_t PACKET_TIME = 82400;

/// A point-to-point port with CSIG that sends to host B, and what B receives.
class QueuePortNetwork : public CsigHostNetwork
{
  public:
    QueuePortNetwork(const Attributes& port,
                     const Attributes& agent,
                     const Attributes& domainAttributes = {})
    {
        auto domain = CreateObject<CsigDomain>();
        SetAll(domain, domainAttributes);
        auto measuring = CreateObject<CsigAgent>();
        SetAll(measuring, agent);
        csig = CreateObject<CsigQueuePort>();
        SetAll(csig, port);
        csig->SetAttribute("Domain", PointerValue(domain));
        csig->SetAttribute("Agent", PointerValue(measuring));
        const auto device = nodes.Get(1)->GetDevice(2); // behind the loopback and A
        PointerValue queue;
        device->GetAttribute("TxQueue", queue);
        queue.Get<Object>()->SetAttribute("MaxSize", QueueSizeValue(QueueSize("1p")));
        csig->Install(device);
        m_sink = MakeSocket(nodes.Get(2), 9);
        m_sink->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
            while (auto packet = socket->Recv())
            {
                CsigTag tag;
                tags.push_back(packet->PeekPacketTag(tag) ? std::optional(tag.GetFields())
                                                          : std::nullopt);
            }
        }));
        m_source = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
    }

    /// Let the router send 1,000 bytes. time: when, in ns.
    void Send(int64_t time, const std::optional<CsigFields>& tag = std::nullopt)
    {
        Simulator::Schedule(NanoSeconds(time), [this, tag] {
            auto packet = Create<Packet>(1000);
            if (tag)
            {
                packet->AddPacketTag(CsigTag(*tag));
            }
            m_source->SendTo(packet, 0, InetSocketAddress(addressB, 9));
        });
    }

    Ptr<CsigQueuePort> csig;                     //!< the port's
    std::vector<std::optional<CsigFields>> tags; //!< of the packets that B has received

  private:
    Ptr<Socket> m_source; //!< the router's
    Ptr<Socket> m_sink;   //!< B's
};

AIDC_TEST_CASE("5.1.1: a point-to-point port measures what leaves its queue disc")
{
    // In [1, 2) ms five packets of 1,030 bytes at 100 Mb/s: 58.8 % are left.
    QueuePortNetwork network({}, {{"Interval", "1ms"}, {"Device", "5"}, {"Port", "3"}});
    for (int i = 0; i < 5; ++i)
    {
        network.Send(1000000 + 150000 * i);
    }
    network.Send(2100000, MakeTag(1, 0xfffff, 0, EXPANDED));
    network.Send(2300000, MakeTag(1, 588000, 7, EXPANDED));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(network.tags.size(), 7, "seven packets");
    for (int i = 0; i < 5; ++i)
    {
        AIDC_EXPECT(!network.tags[i].has_value(), "4.4.2: none is added");
    }
    AIDC_EXPECT(network.tags[5] == MakeTag(1, 588000, 323, EXPANDED), "the expanded tag");
    AIDC_EXPECT(network.tags[6] == MakeTag(1, 588000, 7, EXPANDED), "equal");
    NS_TEST_EXPECT_MSG_EQ(network.csig->GetStatistics().taggedOut, 2, "two tags are sent");
    NS_TEST_EXPECT_MSG_EQ(network.csig->GetStatistics().updated, 1, "one is updated");
}

// Delay, depth and TTL in the queue. The first packet is on the wire, the second in the device's
// queue of one; the sixth leaves the queue disc four packet times after it has come, when the
// seventh, 1,028 bytes, is left.
AIDC_TEST_CASE("5.4.1: PD at a point-to-point port is the time in the queue disc")
{
    for (const uint8_t type : {2, 3})
    {
        QueuePortNetwork network({},
                                 {{"Port", "2"}},
                                 {{"ExpandedLocator", "port:8,ttl:8"}, {"QueueDepth", "true"}});
        for (int i = 0; i < 7; ++i)
        {
            network.Send(1000000,
                         i == 5 ? std::optional(MakeTag(type, 0, 0, EXPANDED)) : std::nullopt);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.tags.size(), 7, "seven packets");
        AIDC_ASSERT(network.tags[5].has_value(), "the last but one has a tag");
        const int64_t expected = type == 2 ? 4 * PACKET_TIME : 1028 * 80;
        NS_TEST_EXPECT_MSG_EQ(network.tags[5]->value, expected / 128, "128 ns a step");
        NS_TEST_EXPECT_MSG_EQ(network.tags[5]->locator, 2 * 256 + 64, "port 2, TTL 64");
    }
}

// Tags are taken off, or left.
AIDC_TEST_CASE("6.1, 6.3.2: stripping at a point-to-point port; unsupported and frozen tags")
{
    auto frozen = MakeTag(1, 31);
    frozen.reserved = 1;
    const auto unknown = MakeTag(7, 3, 5);
    std::map<std::string, std::vector<CsigFields>> traced;
    const auto run = [&](const Attributes& port, CsigPortStatistics& statistics) {
        QueuePortNetwork network(port, {}, {{"DoNotUpdate", "true"}});
        traced.clear();
        for (const std::string name : {"Strip", "Unsupported", "TagSent"})
        {
            ConnectTrace(network.csig,
                         name,
                         [&traced, name](Ptr<const NetDevice>, const CsigFields& fields) {
                             traced[name].push_back(fields);
                         });
        }
        network.Send(1000000, frozen);
        network.Send(2000000, unknown);
        Simulator::Run();
        statistics = network.csig->GetStatistics();
        return network.tags;
    };
    using Tags = std::vector<std::optional<CsigFields>>;
    CsigPortStatistics statistics;
    AIDC_EXPECT((run({}, statistics) == Tags{frozen, unknown}), "as they were");
    NS_TEST_EXPECT_MSG_EQ(statistics.frozen, 1, "one is frozen");
    NS_TEST_EXPECT_MSG_EQ(statistics.unsupported, 1, "one is not supported");
    using Traced = std::map<std::string, std::vector<CsigFields>>;
    AIDC_EXPECT((traced == Traced{{"Unsupported", {unknown}}, {"TagSent", {frozen, unknown}}}),
                "traces");
    AIDC_EXPECT((run({{"StripUnsupported", "true"}}, statistics) == Tags{frozen, std::nullopt}),
                "the unsupported tag is stripped");
    NS_TEST_EXPECT_MSG_EQ(statistics.stripped, 1, "one is stripped");
    AIDC_EXPECT(
        (traced == Traced{{"Unsupported", {unknown}}, {"Strip", {unknown}}, {"TagSent", {frozen}}}),
        "traces");
    AIDC_EXPECT((run({{"StripEgress", "true"}}, statistics) == Tags{std::nullopt, std::nullopt}),
                "all tags are stripped");
    NS_TEST_EXPECT_MSG_EQ(statistics.stripped, 2, "two are stripped");
    NS_TEST_EXPECT_MSG_EQ(statistics.taggedOut, 0, "none is sent");
    AIDC_EXPECT((traced == Traced{{"Strip", {frozen, unknown}}}), "traces");
}

// Devices that cannot have such a port.
AIDC_TEST_CASE("A device without a queue disc, or without a rate, is refused")
{
    CsigHostNetwork network;
    const auto install = [&](uint32_t node, uint32_t device) {
        return RunInChild([&] {
            CreateObject<CsigQueuePort>()->Install(network.nodes.Get(node)->GetDevice(device));
        });
    };
    AIDC_EXPECT(!install(1, 2).died, "this one is right");
    AIDC_EXPECT(!install(0, 1).died, "IPv4 has given it a queue disc");
    AIDC_EXPECT(install(0, 0).Says("DataRate"), "the loopback device");
    auto bare = CreateObject<PointToPointNetDevice>();
    CreateObject<Node>()->AddDevice(bare);
    ExpectRefusal("no root queue disc", [&] { CreateObject<CsigQueuePort>()->Install(bare); });
}
