// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-hosts.h"
#include "ethernet-pair.h"
#include "test/test-case.h"

#include "ns3/switch-port-queue-disc.h"

// Ethernet ports under root queue discs.
AIDC_TEST_SUITE("aidc-ethernet-queue-disc", UNIT);

/// Headers of UDP and IPv4.
constexpr uint32_t UDP_HEADERS = 28;

// Ten packets of 1,000 bytes at once, and one when the port has long been idle. One is sent at
// once; the others wait in the root queue disc, and follow without a gap.
AIDC_TEST_CASES(std::string,
                root,
                "A port under " + (root.empty() ? std::string("no queue disc") : root),
                ({"",
                  "ns3::FifoQueueDisc",
                  "ns3::PfifoFastQueueDisc",
                  "ns3::FqCoDelQueueDisc",
                  "ns3::MqQueueDisc"}))
{
    EthernetHosts hosts(root);
    auto socket = hosts.MakeSocket();
    const InetSocketAddress to("10.0.0.2", PORT);
    Simulator::Schedule(Seconds(1), [&] {
        for (int i = 0; i < 10; ++i)
        {
            socket->SendTo(Create<Packet>(1000 - UDP_HEADERS), 0, to);
        }
        if (!root.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(hosts.roots.Get(0)->GetNPackets(), 9, "all but the first");
        }
    });
    Simulator::Schedule(Seconds(2),
                        [&] { socket->SendTo(Create<Packet>(1000 - UDP_HEADERS), 0, to); });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), 11, "all arrive");
    for (int64_t i = 0; i < 10; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[i].time,
                              1000000000 + (i + 1) * GetWireTime(1000) - GAP + LINK_DELAY,
                              "packet " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[10].time,
                          2000000000 + GetWireTime(1000) - GAP + LINK_DELAY,
                          "at once");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(0)->GetStatistics().outUnicastFrames, 11, "all");
}

// A queue disc of 5 packets: of ten at once, one is sent, five wait and four are dropped.
AIDC_TEST_CASE("What does not fit is dropped by the queue disc, not by the port")
{
    EthernetHosts hosts("ns3::FifoQueueDisc");
    hosts.roots.Get(0)->SetMaxSize(QueueSize("5p"));
    auto socket = hosts.MakeSocket();
    Simulator::Schedule(Time(0), [&] {
        for (int i = 0; i < 10; ++i)
        {
            socket->SendTo(Create<Packet>(100), 0, InetSocketAddress("10.0.0.2", PORT));
        }
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.datagrams.size(), 6, "one on the wire, five in the queue");
    NS_TEST_EXPECT_MSG_EQ(hosts.roots.Get(0)->GetStats().nTotalDroppedPackets, 4, "dropped");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(0)->GetStatistics().outDiscards, 0, "not here");
}

// Packets that do not come from the queue disc share the wire with those that do. Five datagrams of
// 1,000 bytes, and at once two packets by Send(), which go next.
AIDC_TEST_CASE("Packets beside the queue disc wait for the wire, and go next")
{
    EthernetHosts hosts("ns3::FifoQueueDisc");
    std::vector<std::pair<int64_t, uint32_t>> sent;
    ConnectTrace(hosts.GetPort(0), "PhyTxBegin", [&sent](Ptr<const Packet> frame) {
        sent.emplace_back(Simulator::Now().GetNanoSeconds(), frame->GetSize());
    });
    auto socket = hosts.MakeSocket();
    Simulator::Schedule(Time(0), [&] {
        for (int i = 0; i < 5; ++i)
        {
            socket->SendTo(Create<Packet>(1000 - UDP_HEADERS),
                           0,
                           InetSocketAddress("10.0.0.2", PORT));
        }
        for (int i = 0; i < 2; ++i)
        {
            hosts.GetPort(0)->Send(Create<Packet>(100), hosts.devices.Get(1)->GetAddress(), 0x88b5);
        }
    });
    Simulator::Run();
    const std::vector<std::pair<int64_t, uint32_t>> expected{{0, 1014},
                                                             {1038, 114},
                                                             {1176, 114},
                                                             {1314, 1014},
                                                             {2352, 1014},
                                                             {3390, 1014},
                                                             {4428, 1014}};
    AIDC_EXPECT(sent == expected, "one after the other");
}

// The link fails at 1.5 us, which is noticed at once: two of ten packets are on it.
AIDC_TEST_CASE("What the queue disc sends into a link that is down is discarded, and counted")
{
    EthernetHosts hosts("ns3::FifoQueueDisc");
    auto link = DynamicCast<EthernetChannel>(hosts.GetPort(0)->GetChannel());
    auto socket = hosts.MakeSocket();
    const auto send = [&](int n) {
        for (int i = 0; i < n; ++i)
        {
            socket->SendTo(Create<Packet>(1000 - UDP_HEADERS),
                           0,
                           InetSocketAddress("10.0.0.2", PORT));
        }
    };
    Simulator::Schedule(Time(0), [&] { send(10); });
    Simulator::Schedule(NanoSeconds(1500), &EthernetChannel::Fail, link);
    Simulator::Schedule(MicroSeconds(10), &EthernetChannel::Restore, link);
    Simulator::Schedule(MicroSeconds(11), [&] { send(2); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(1)->GetStatistics().inLost, 2, "on the link");
    NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(0)->GetStatistics().outDiscards, 8, "the others");
    NS_TEST_EXPECT_MSG_EQ(hosts.roots.Get(0)->GetNPackets(), 0, "nothing is left");
    NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), 2, "those after the repair");
    NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[1].time,
                          11000 + 2 * GetWireTime(1000) - GAP + LINK_DELAY,
                          "as ever");
}

// A switch port of two classes, one of which is paused until 20 us.
AIDC_TEST_CASE("A paused class waits while the port sends the other, and goes on when resumed")
{
    EthernetHosts hosts;
    SharedBufferSwitchHelper helper;
    const auto roots = helper.Install(hosts.nodes.Get(0));
    NS_TEST_ASSERT_MSG_EQ(roots.GetN(), 1, "one port");
    auto port = DynamicCast<SwitchPortQueueDisc>(roots.Get(0));
    auto paused = hosts.MakeSocket();
    auto other = hosts.MakeSocket();
    for (const auto& [socket, priority] : {std::pair{paused, 3}, std::pair{other, 1}})
    {
        // Up to ns-3.41 the socket takes its address's type of service, unless it is set later.
        socket->Connect(InetSocketAddress("10.0.0.2", PORT));
        socket->SetIpTos(static_cast<uint8_t>(priority << 5));
    }
    Simulator::Schedule(Time(0), [&] {
        port->SetPaused(3, true);
        for (int i = 0; i < 3; ++i)
        {
            paused->Send(Create<Packet>(1000 - UDP_HEADERS));
            other->Send(Create<Packet>(500 - UDP_HEADERS));
        }
    });
    Simulator::Schedule(MicroSeconds(20), [&] { port->SetPaused(3, false); });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), 6, "all arrive");
    for (int64_t i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[i].time,
                              (i + 1) * GetWireTime(500) - GAP + LINK_DELAY,
                              "the other class");
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[3 + i].time,
                              20000 + (i + 1) * GetWireTime(1000) - GAP + LINK_DELAY,
                              "the paused class");
    }
}
