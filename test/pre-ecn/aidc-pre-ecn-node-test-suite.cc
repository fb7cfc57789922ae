// SPDX-License-Identifier: GPL-2.0-only

#include "test/buffer/test-packets.h"
#include "test/test-case.h"
#include "test/tunnel/router-line.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/global-value.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/red-queue-disc.h"

// Two-threshold marking in nodes.
AIDC_TEST_SUITE("aidc-pre-ecn-node", UNIT);

/// Thresholds of 100, 300 and 400 packets of 1000 bytes, on the queue itself.
const Attributes THRESHOLDS{{"T1", "100kB"},
                            {"T2", "300kB"},
                            {"Maximum", "400kB"},
                            {"AverageWeight", "1"}};
/// A FIFO queue that marks nothing.
const std::string FIFO = "ns3::FifoQueueDisc";
/// The queue disc under test.
const std::string PRE_ECN = "ns3::aidc::PreEcnQueueDisc";

/// Send packets through two routers.
std::vector<uint8_t>
RunMode(SwitchDatapath::Mode mode)
{
    RouterLine line(mode, PRE_ECN, THRESHOLDS, FIFO, {});
    std::array<uint32_t, 4> told{};
    auto queue = DynamicCast<PreEcnQueue>(line.GetPortClass(2)->GetQueue());
    ConnectTrace(queue,
                 "CongestionMark",
                 [&told](Ptr<const QueueDiscItem> item, CongestionSeverity, double) {
                     ++told[GetEcn(item)];
                 });
    Simulator::Schedule(MicroSeconds(1), [&line] { line.Send(ECT0, 500); });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(line.order.size(), 1000, "none is lost");
    NS_TEST_EXPECT_MSG_EQ(line.wrongChecksums, 0, "checksums");
    NS_TEST_EXPECT_MSG_EQ(line.received[ECT1], told[ECT1], "light marks");
    NS_TEST_EXPECT_MSG_EQ(line.received[CE], told[CE], "severe marks");
    AIDC_EXPECT(line.received[CE] >= 180, "above the maximum");
    AIDC_EXPECT(line.received[ECT1] >= 250, "between the thresholds");
    AIDC_EXPECT(line.received[ECT0] >= 200, "below T1");
    const auto statistics = queue->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.lightMarks, told[ECT1], "counted");
    NS_TEST_EXPECT_MSG_EQ(statistics.severeMarks, told[CE], "counted");
    NS_TEST_EXPECT_MSG_EQ(queue->GetSharedBuffer()->GetUsed(), 0, "all is given back");
    return line.order;
}

// Packets through two routers, of which the first marks; its queue grows by one packet each time
// that two arrive. Expected results: 500 packets each come in at the rate of the link that they go
// out by, 1000 in all: the queue grows to about 500. Up to 100 waiting none is marked; above 400
// all are CE, about 100 * 2 packets; the others are a mix. The checksums of all are right, the
// codepoints are the same as in the trace, and none is lost. Both datapaths mark the same packets.
AIDC_TEST_CASE("packets are marked alike on both datapaths, with right checksums")
{
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    const auto fast = RunMode(SwitchDatapath::FAST);
    const auto stack = RunMode(SwitchDatapath::STACK);
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    AIDC_EXPECT(fast == stack, "the same packets");
}

/// A queue disc of the core.
struct Mixed
{
    std::string queueDisc; //!< its TypeId
    Attributes attributes; //!< its attributes
};

/// Get the codepoints of packets that went through two routers, the first a plain one.
std::vector<uint8_t>
RunMixed(const Mixed& row, uint8_t tos, const std::string& second)
{
    RouterLine line(SwitchDatapath::FAST,
                    row.queueDisc,
                    row.attributes,
                    second,
                    second == FIFO ? Attributes{} : THRESHOLDS);
    if (auto red = DynamicCast<RedQueueDisc>(line.GetPortClass(2)->GetQueueDisc()))
    {
        red->AssignStreams(1);
    }
    Simulator::Schedule(MicroSeconds(1), [&line, tos] { line.Send(tos, 500); });
    Simulator::Run();
    return line.order;
}

// A router of another kind behind one that marks ECT(1), or before it. Expected results (section
// 3.2.3, RFC 3168): a router without the mechanism treats ECT(1) as ECT(0). Its decisions are the
// same for packets sent as ECT(0) and for packets sent as ECT(1): the same ones become CE, and the
// others stay what they were.
AIDC_TEST_CASES(Mixed,
                row,
                "in a mixed core, " + row.queueDisc + " treats ECT(1) as ECT(0)",
                ({{"ns3::RedQueueDisc",
                   {{"UseEcn", "true"},
                    {"UseHardDrop", "false"},
                    {"MaxSize", "1000p"},
                    {"MinTh", "50"},
                    {"MaxTh", "400"},
                    {"LInterm", "2"},
                    {"QW", "0.1"},
                    {"LinkBandwidth", "8Gbps"}}},
                  {"ns3::aidc::CoupledEcnQueueDisc",
                   {{"Mode", "StaticRed"}, {"Kmin", "50kB"}, {"Kmax", "400kB"}, {"Pmax", "0.5"}}},
                  {"ns3::CoDelQueueDisc", {{"UseEcn", "true"}, {"CeThreshold", "200us"}}}}))
{
    const auto ect0 = RunMixed(row, ECT0, FIFO);
    const auto ect1 = RunMixed(row, ECT1, FIFO);
    NS_TEST_ASSERT_MSG_EQ(ect0.size(), 1000, "none is lost");
    NS_TEST_ASSERT_MSG_EQ(ect1.size(), 1000, "none is lost");
    uint32_t ce = 0;
    for (std::size_t i = 0; i < ect0.size(); ++i)
    {
        ce += ect0[i] == CE ? 1 : 0;
        NS_TEST_EXPECT_MSG_EQ((ect0[i] == CE), (ect1[i] == CE), "the same packets");
        AIDC_EXPECT(ect1[i] == CE || ect1[i] == ECT1, "else as they were");
        AIDC_EXPECT(ect0[i] == CE || ect0[i] == ECT0, "else as they were");
    }
    AIDC_EXPECT(ce >= 100 && ce <= 900, "some are marked: " << ce);
    // The second router, which marks nothing here as it has no queue, lets CE through.
    AIDC_EXPECT(RunMixed(row, ECT0, PRE_ECN) == ect0, "CE stays CE");
}

// As the root of a device, and as a child of ns-3's PrioQueueDisc, installed by ns-3's helper.
// Expected results: 100 packets of 1000 bytes at once; the device takes one or two, the others
// wait. T2 is 50,500, so that packets that make the queue 51 packets long and more are CE or, as
// the probability of ECT(1) is 1 then, ECT(1); Maximum is 70,500: from 71 on CE. All arrive: 98 or
// 99 waiting, 28 or 29 CE, 20 between.
AIDC_TEST_CASES(bool,
                isRoot,
                isRoot ? "as root by TrafficControlHelper" : "as child of PrioQueueDisc",
                ({true, false}))
{
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    InternetStackHelper().Install(nodes);
    const auto devices = link.Install(nodes);
    const auto install = [](auto add) {
        add("ns3::aidc::PreEcnQueueDisc",
            "T1",
            StringValue("50kB"),
            "T2",
            StringValue("50500B"),
            "Maximum",
            StringValue("70500B"),
            "SevereProbability",
            StringValue("0"),
            "AverageWeight",
            StringValue("1"),
            "GreatestT1Delay",
            StringValue("0s"));
    };
    TrafficControlHelper helper;
    if (isRoot)
    {
        install([&helper](auto... arguments) { helper.SetRootQueueDisc(arguments...); });
    }
    else
    {
        const auto handle = helper.SetRootQueueDisc("ns3::PrioQueueDisc");
        const auto classes = helper.AddQueueDiscClasses(handle, 3, "ns3::QueueDiscClass");
        install(
            [&](auto... arguments) { helper.AddChildQueueDiscs(handle, classes, arguments...); });
    }
    const auto root = helper.Install(devices.Get(0)).Get(0);
    // Packets of priority 0 go to band 1.
    const auto queueDisc =
        DynamicCast<PreEcnQueueDisc>(isRoot ? root : root->GetQueueDiscClass(1)->GetQueueDisc());
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    std::array<uint32_t, 4> received{};
    auto sink = MakeSocket(nodes.Get(1), RECEIVER_PORT);
    ConnectTrace(nodes.Get(1)->GetObject<Ipv4L3Protocol>(),
                 "Rx",
                 [&received](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t) {
                     Ipv4Header header;
                     packet->PeekHeader(header);
                     ++received[header.GetEcn()];
                 });
    auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    source->Connect(InetSocketAddress(interfaces.GetAddress(1), RECEIVER_PORT));
    source->SetIpTos(ECT0);
    Simulator::ScheduleWithContext(nodes.Get(0)->GetId(), Seconds(1), [source] {
        for (int i = 0; i < 100; ++i)
        {
            source->Send(Create<Packet>(972));
        }
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(received[CE] + received[ECT1] + received[ECT0], 100, "all arrive");
    AIDC_EXPECT(received[CE] == 28 || received[CE] == 29, received[CE]);
    NS_TEST_EXPECT_MSG_EQ(received[ECT1], 20, "ECT(1)");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets, received[CE], "ns-3's count");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetStatistics().lightMarks, 20, "own count");
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetDevice(),
                          devices.Get(0),
                          "the device is known");
    Simulator::Destroy();
}
