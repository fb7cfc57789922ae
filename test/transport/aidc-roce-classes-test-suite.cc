// SPDX-License-Identifier: GPL-2.0-only

#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/fabric-recorder.h"
#include "ns3/longest-wait.h"
#include "ns3/priority-flow-control.h"
#include "ns3/tcp-flow-helper.h"

// Traffic classes of RoCEv2, and what is beside it.
AIDC_TEST_SUITE("aidc-roce-classes", UNIT);

constexpr uint32_t ALL = SharedBufferSwitchHelper::ALL_CLASSES; //!< classes
constexpr uint32_t ROCE_CLASS = 3;                              //!< of DSCP 26

// An adapter takes its time from a marked packet to the notification, as users have measured it
// (55 us: aliyun/ns-3-alibabacloud, issue 12).
AIDC_TEST_CASES(int64_t,
                delay,
                "A notification is sent " + std::to_string(delay) +
                    " us after the marked packet has come",
                ({0, 55}))
{
    constexpr uint32_t TOS = 15;         // IPv4's type of service
    constexpr uint32_t SOURCE = 26;      // IPv4's source address
    constexpr uint32_t DESTINATION = 30; // IPv4's destination address
    constexpr uint32_t OPCODE = 42;      // the base transport header's opcode
    constexpr uint32_t HEADERS = 54;     // Ethernet, IPv4, UDP, base transport header
    RoceNetwork network(3);
    network.switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
    network.switches.SetQueueDiscAttribute(ALL, "Threshold", StringValue("20kB"));
    network.roce.SetAttribute("CnpDelay", TimeValue(MicroSeconds(delay)));
    network.Start();
    const auto port = network.GetHostPort(0);
    std::map<uint8_t, std::vector<Time>> marks; // by the last byte of the sender's address
    std::map<uint8_t, std::vector<Time>> sent;  // notifications: the same
    ConnectTrace(port, "PhyRxEnd", [&marks](Ptr<const Packet> frame) {
        uint8_t bytes[HEADERS];
        if (frame->CopyData(bytes, HEADERS) == HEADERS && (bytes[TOS] & 3) == 3)
        {
            marks[bytes[SOURCE + 3]].push_back(Simulator::Now());
        }
    });
    ConnectTrace(port, "PhyTxBegin", [&sent](Ptr<const Packet> frame) {
        uint8_t bytes[HEADERS];
        if (frame->CopyData(bytes, HEADERS) == HEADERS && bytes[OPCODE] == 0x81)
        {
            sent[bytes[DESTINATION + 3]].push_back(Simulator::Now());
        }
    });
    network.Write(1, 0, 2000000);
    network.Write(2, 0, 2000000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(marks.size(), 2, "packets of both were marked");
    for (const auto& [source, times] : marks)
    {
        const auto& cnps = sent[source];
        NS_TEST_ASSERT_MSG_GT(cnps.size(), 1, "there are notifications");
        // They may wait for an acknowledgment on the wire, 8 * 86 bits at 100 Gb/s.
        NS_TEST_EXPECT_MSG_EQ_TOL((cnps[0] - times[0]).GetNanoSeconds(),
                                  1000 * delay + 4,
                                  4,
                                  "from the mark to the notification");
        for (std::size_t i = 1; i < cnps.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT(cnps[i] - cnps[i - 1], MicroSeconds(49), "one an interval");
        }
    }
}

/// A paused class of an adapter stops, and others go on.
class PausedClassTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check who has waited longest of two hosts.
    void CheckLongestWait(const FabricHelper& network, uint32_t qp)
    {
        FabricRecorder recorder(MicroSeconds(1));
        recorder.Add(network);
        const auto wait = recorder.FindLongestWait();
        AIDC_ASSERT(wait.has_value(), "there is one");
        NS_TEST_EXPECT_MSG_EQ(wait->queuePair,
                              "host-1 to host-0, queue pair " + std::to_string(qp),
                              "the paused one");
        NS_TEST_EXPECT_MSG_EQ(wait->cause, "pause", "why");
        NS_TEST_EXPECT_MSG_EQ_TOL(wait->waited, 200e-6, 1e-7, "how long");
        NS_TEST_EXPECT_MSG_EQ_TOL(wait->longest, 200e-6, 1e-7, "in one wait");
        NS_TEST_EXPECT_MSG_EQ_TOL(wait->since, 51e-6, 5e-7, "since when");
        AIDC_EXPECT(!FindLongestWait({{"first", network.GetHosts().Get(0)}}).has_value(),
                    "the other one only receives");
    }

    std::vector<std::pair<Time, bool>> m_pauses; //!< beginnings and ends
};

AIDC_TEST_CASE_F(PausedClassTestCase, "A paused class stops, and others go on")
{
    RoceNetwork network(2);
    network.isLossless = true;
    network.pfc.SetPriorities({3, 4});
    network.Start();
    const auto nic = network.GetNic(1);
    ConnectTrace(nic, "Pause", [this](uint32_t, uint32_t trafficClass, bool isPaused) {
        NS_TEST_EXPECT_MSG_EQ(trafficClass, 3, "the class");
        m_pauses.emplace_back(Simulator::Now(), isPaused);
    });
    std::vector<uint32_t> qps;
    for (const uint32_t trafficClass : {3, 4})
    {
        nic->SetAttribute("Dscp", UintegerValue(8 * trafficClass + 2));
        qps.push_back(network.Connect(1, 0).first);
        RoceWork work;
        work.nBytes = 5000000; // 800 us for both
        nic->Post(qps.back(), work);
    }
    const auto control = network.GetSwitchPort(1)->GetObject<PriorityFlowControl>();
    const Time begin = MicroSeconds(50);
    const Time end = MicroSeconds(250);
    Simulator::Schedule(begin, &PriorityFlowControl::SetXoff, control, 3, true);
    Simulator::Schedule(end, &PriorityFlowControl::SetXoff, control, 3, false);
    const auto port = nic->GetPort(0);
    std::vector<uint64_t> sent;
    for (const Time& time : {begin + MicroSeconds(5), end})
    {
        Simulator::Schedule(time, [&sent, port] {
            sent.push_back(port->GetSent(3));
            sent.push_back(port->GetSent(4));
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network.GetStatuses(1), "SS", "both are done");
    NS_TEST_ASSERT_MSG_EQ(m_pauses.size(), 2, "a pause is traced");
    AIDC_EXPECT(m_pauses[0].second, "from");
    AIDC_EXPECT(!m_pauses[1].second, "to");
    // The frame of 84 bytes waits for an acknowledgment at most, and takes 1 us.
    NS_TEST_EXPECT_MSG_GT(m_pauses[0].first, begin + MicroSeconds(1), "from");
    NS_TEST_EXPECT_MSG_LT(m_pauses[0].first, begin + NanoSeconds(1100), "from");
    NS_TEST_EXPECT_MSG_GT(m_pauses[1].first, end + MicroSeconds(1), "to");
    NS_TEST_EXPECT_MSG_LT(m_pauses[1].first, end + NanoSeconds(1100), "to");
    NS_TEST_EXPECT_MSG_EQ(sent[0], sent[2], "the class stands still");
    // 195 us of the whole line, in packets of 4178 bytes.
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(sent[3] - sent[1]),
                              195e-6 * 100e9 / 8 / 4178,
                              2,
                              "the other one has the line for itself");
    NS_TEST_EXPECT_MSG_EQ_TOL(nic->GetQueuePair(qps[0]).GetWaitTimes().pause,
                              200e3,
                              100,
                              "its time in pause");
    NS_TEST_EXPECT_MSG_EQ(nic->GetQueuePair(qps[1]).GetWaitTimes().pause, 0, "none");
    const auto& longest = nic->FindQueuePair(qps[0])->GetLongestWaits().pause;
    NS_TEST_EXPECT_MSG_EQ_TOL(longest.length, 200e3, 100, "in one wait");
    // The line is free again at most a packet of the other class (334 ns) after the pause
    NS_TEST_EXPECT_MSG_EQ_TOL(longest.since, 51e3, 500, "from the pause on");
    AIDC_EXPECT(nic->FindQueuePair(qps[1] + 1) == nullptr, "no queue pair");
    CheckLongestWait(network.network, qps[0]);
    const auto& pauses =
        network.GetHostPort(1)->GetObject<PriorityFlowControl>()->GetStatistics().priorities;
    NS_TEST_EXPECT_MSG_EQ(pauses[3].pauses, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(pauses[4].pauses, 0, "not of the other one");
    NS_TEST_EXPECT_MSG_EQ(nic->GetStatistics().timeouts, 0, "a pause is no loss");
    NS_TEST_EXPECT_MSG_EQ(nic->GetStatistics().retransmittedPackets, 0, "a pause is no loss");
}

// ns-3's TCP runs beside RoCEv2 in another class: both have their share of a port, and TCP goes on
// while the class of RoCEv2 is paused.
AIDC_TEST_CASE("TCP and RoCEv2 share a port by their classes")
{
    constexpr double RATE = 25e9;
    DctcpSettings dctcp;
    dctcp.mtu = 4200;
    ConfigureDctcp(dctcp);
    RoceNetwork network(3, static_cast<uint64_t>(RATE));
    network.isLossless = true;
    for (const uint32_t i : {0U, ROCE_CLASS})
    {
        network.switches.SetClassAttribute(i, "Quantum", UintegerValue(8400));
    }
    network.switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticRed"));
    network.switches.SetQueueDiscAttribute(0, "Mode", StringValue("StaticStep"));
    network.switches.SetQueueDiscAttribute(0, "Threshold", StringValue("100kB"));
    network.Start();
    const NodeContainer hosts = network.network.GetHosts();
    FlowSpec flow;
    flow.source = NodeIndex(hosts.Get(1)->GetId());
    flow.destination = NodeIndex(hosts.Get(0)->GetId());
    flow.bytes = 1000000000;
    TcpFlowHelper tcp;
    tcp.Install(network.network, {flow});
    network.Write(2, 0, 500000000);

    // Times and what has arrived by then: TCP's bytes and RoCEv2's.
    struct Sample
    {
        double tcp;
        double roce;
    };

    std::vector<Sample> samples;
    for (const int64_t time : {5, 15, 16, 20, 21, 31})
    {
        Simulator::Schedule(MilliSeconds(time), [&] {
            samples.push_back(
                {static_cast<double>(tcp.GetDeliveredBytes()),
                 static_cast<double>(network.GetNic(0)->GetStatistics().receivedBytes)});
        });
    }
    const auto control = network.GetHostPort(0)->GetObject<PriorityFlowControl>();
    Simulator::Schedule(MilliSeconds(15), &PriorityFlowControl::SetXoff, control, ROCE_CLASS, true);
    Simulator::Schedule(MilliSeconds(20),
                        &PriorityFlowControl::SetXoff,
                        control,
                        ROCE_CLASS,
                        false);
    RunFor(MilliSeconds(31));
    // Parts of the line's rate, in payload, of which headers leave 97 to 98 %.
    const auto part = [&samples](std::size_t i, double seconds, double Sample::* what) {
        return 8 * (samples[i + 1].*what - samples[i].*what) / seconds / RATE;
    };
    for (const std::size_t i : {0, 4})
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(part(i, 10e-3, &Sample::tcp), 0.49, 0.02, "TCP's share");
        NS_TEST_EXPECT_MSG_EQ_TOL(part(i, 10e-3, &Sample::roce), 0.49, 0.02, "RoCEv2's share");
    }
    NS_TEST_EXPECT_MSG_EQ(part(2, 4e-3, &Sample::roce), 0, "RoCEv2 is paused");
    NS_TEST_EXPECT_MSG_GT(part(2, 4e-3, &Sample::tcp), 0.95, "TCP has all");
    const auto& sender = network.GetNic(2)->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(sender.errors, 0, "the queue pair outlives the pause");
}
