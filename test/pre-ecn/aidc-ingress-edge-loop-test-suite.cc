// SPDX-License-Identifier: GPL-2.0-only

// The loop of draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1: a congested core router marks and
// notifies, and the ingress PE slows flows down, without the hosts.

#include "edge-network.h"
#include "model/core/pre-ecn/edge-rate-law.h"
#include "test/test-case.h"

#include "ns3/congestion-notifier.h"
#include "ns3/pre-ecn-queue-disc.h"

// PreEcnQueueDisc, CongestionNotifier and IngressEdgeController together.
AIDC_TEST_SUITE("aidc-ingress-edge-loop", UNIT);

Bytes
Copy(const Packet& packet)
{
    Bytes bytes(packet.GetSize());
    packet.CopyData(bytes.data(), packet.GetSize());
    return bytes;
}

// Light congestion is over before it gets severe, and the hosts see nothing of it. Expected
// results: the link from C1 to P2 has 4 Gbit/s. Two flows of 1,000 bytes each 2.667 us, 3 Gbit/s,
// may have 4 * 1,000 / 1,058 = 3.78 Gbit/s of it, with 20 bytes of outer header and 38 of Ethernet.
// The first mark's notification takes 0.5 us and 146 bytes, 0.1 us, to get to P1, and the
// measurement 50 us and a packet more. With steps of 5 %, each 100 us, 10 steps of both flows bring
// 6 below 3.78 Gbit/s, after 1.2 ms, in which at most 2.22 Gbit/s * 1.2 ms / 8 = 333 kB pile up:
// T2, 1 MB, is never reached. All is by the defaults, and the link is never idle for long. What the
// hosts send beyond that waits at P1, 2.5 Gbit/s * 12 ms / 8 = 3.8 MB of the 6 MB that it may have
// there.
AIDC_TEST_CASE("light congestion is dealt with at the edge, and the hosts see nothing of it")
{
    auto settings = EdgeNetwork::MakeSettings();
    settings.tunnel = {{"EgressMode", "PipeForEct1"}};
    EdgeNetwork network(Attributes(), settings);
    const auto c1 = network.nodes.Get(TunnelNetwork::C1);
    const auto port = network.GetPort(TunnelNetwork::C1, TunnelNetwork::P2);
    port->SetAttribute("DataRate", StringValue("4Gbps"));
    auto queueDisc = CreateObject<PreEcnQueueDisc>();
    SetAll(queueDisc, {{"T1", "20kB"}, {"T2", "1MB"}, {"Maximum", "2MB"}, {"AverageWeight", "1"}});
    queueDisc->AssignStreams(1);
    c1->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(port, queueDisc);
    auto notifier = CreateObject<CongestionNotifier>();
    notifier->Install(c1);
    std::map<uint32_t, int64_t> firstMarks;
    double largest = 0;
    ConnectTrace(queueDisc,
                 "CongestionMark",
                 [&](Ptr<const QueueDiscItem> item, CongestionSeverity, double average) {
                     const auto marked = Copy(*item->GetPacket());
                     firstMarks.emplace(Get16(marked, 20), Simulator::Now().GetNanoSeconds());
                     largest = std::max(largest, average);
                 });
    for (const uint16_t flow : {1, 2})
    {
        network.SendFlow(flow,
                         1000,
                         MicroSeconds(flow),
                         NanoSeconds(2667),
                         4500, // 12 ms
                         2);   // ECT(0)
    }
    Simulator::Run();

    const auto& statistics = network.controller->GetReceiver().GetStatistics();
    NS_TEST_EXPECT_MSG_GT(statistics.light, 20, "C1 has notified");
    NS_TEST_EXPECT_MSG_EQ(statistics.severe, 0, "of light congestion only");
    NS_TEST_EXPECT_MSG_EQ(network.refused.size(), 0, "and nothing is refused");
    NS_TEST_EXPECT_MSG_LT(largest, 1e6, "it stays below T2");
    NS_TEST_ASSERT_MSG_EQ(firstMarks.size(), 2, "both flows are marked");
    for (const uint16_t flow : {1, 2})
    {
        const auto first =
            std::find_if(network.rates.begin(), network.rates.end(), [flow](const auto& rate) {
                return rate.flow.sourcePort == flow;
            });
        AIDC_ASSERT(first != network.rates.end(), "each is slowed down");
        const int64_t reaction = first->time - firstMarks[flow];
        NS_TEST_EXPECT_MSG_GT(reaction, 50000, "after it was measured");
        NS_TEST_EXPECT_MSG_LT(reaction, 50000 + 3000 + 2667, "and no later");
        AIDC_EXPECT(network.IsWhole(flow), "no packet is lost or overtaken");
    }
    const double sum = network.GetRate(1, MilliSeconds(5), MilliSeconds(15)) +
                       network.GetRate(2, MilliSeconds(5), MilliSeconds(15));
    NS_TEST_EXPECT_MSG_LT(sum, 3.9e9, "they share the link");
    NS_TEST_EXPECT_MSG_GT(sum, 0.98 * 3.78e9, "and use it");
    for (const auto& packet : network.sent[{TunnelNetwork::P2, TunnelNetwork::B}])
    {
        NS_TEST_EXPECT_MSG_EQ((packet.bytes.at(1) & 3), 2, "no mark gets to the receiver");
    }
    NS_TEST_EXPECT_MSG_EQ(network.controller->GetNFlows(), 0, "in the end all is as before");
}

/// A kind of small packets.
struct Kind
{
    uint8_t opcode; //!< RoCEv2's
    uint8_t tos;    //!< type of service
    bool waits;     //!< whether they wait
};

// Acknowledgments and congestion notifications of RoCEv2, and network control, do not wait behind
// the data of their flow. Expected results: a queue pair sends data of 1,000 bytes each 4 us, 2
// Gbit/s, and from 2 ms on is limited to a half of it, so that data waits for milliseconds. Each
// 100 us it sends a packet of 64 bytes as well. These packets leave after 2 us of delay, and at
// most the time of two packets of data before them on each of the two links, 0.4 us.
AIDC_TEST_CASE("acknowledgments and network control do not wait behind data")
{
    // WRITE middle, acknowledgment, atomic acknowledgment, CNP; RFC 4594's network control
    for (const Kind& kind : {Kind{0x07, 0, true},
                             Kind{0x11, 0, false},
                             Kind{0x12, 0, false},
                             Kind{0x81, 0, false},
                             Kind{0x07, 48 << 2, false}})
    {
        EdgeNetwork network({{"LightStep", "0.5"}, {"QuietTime", "1s"}});
        const auto send = [&network](Time when, uint32_t size, uint8_t opcode, uint8_t tos) {
            DatagramSpec spec;
            spec.size = size;
            spec.port = 1;
            spec.tos = tos;
            auto bytes = MakeDatagram(spec);
            bytes.at(22) = 4791 >> 8;
            bytes.at(23) = 4791 & 0xff;
            bytes.at(28) = opcode;
            network.SendAt(when, bytes);
        };
        for (uint32_t i = 0; i < 2000; ++i)
        {
            send(MicroSeconds(1 + 4 * i), 1000, 0x07, 0);
        }
        constexpr uint32_t N = 40;
        for (uint32_t i = 0; i < N; ++i)
        {
            send(MicroSeconds(4000 + 100 * i), 64, kind.opcode, kind.tos);
        }
        Simulator::Schedule(MilliSeconds(2), [&network] {
            auto flow = EdgeNetwork::GetFlow(1);
            flow.destinationPort = 4791;
            const auto bytes = network.MakeNotification(flow, CongestionSeverity::LIGHT);
            network.Receive(bytes);
        });
        RunFor(MilliSeconds(20));
        NS_TEST_ASSERT_MSG_EQ(network.rates.size(), 1, "the flow is limited");
        uint32_t n = 0;
        for (const auto& [time, size] : network.GetLeft(1, TunnelNetwork::C1))
        {
            if (size == 64)
            {
                const int64_t waited = time - MicroSeconds(4000 + 100 * n).GetNanoSeconds();
                NS_TEST_EXPECT_MSG_EQ((waited > 100000), kind.waits, waited);
                NS_TEST_EXPECT_MSG_EQ((waited < 10000), !kind.waits, waited);
                ++n;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(n, N, "all leave");
    }
}
