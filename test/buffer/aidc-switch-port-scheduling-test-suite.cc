// SPDX-License-Identifier: GPL-2.0-only

#include "switch-port-bench.h"
#include "test-buffers.h"
#include "test/test-case.h"

#include <cstdlib>

// Which class of a switch port sends next, and which is paused.
AIDC_TEST_SUITE("aidc-switch-port-scheduling", UNIT);

// Expected results: packets of classes 0 1 2 0 1 2 leave as 2 2 1 1 0 0. With a quantum for classes
// 0 and 1, class 2 still goes first.
AIDC_TEST_CASE("classes without a quantum have strict priority, the highest first")
{
    auto port = MakePort(MakeBuffer(12000000), std::vector<PortClass>(3));
    for (const uint32_t index : {0, 1, 2, 0, 1, 2})
    {
        port->Enqueue(MakeItemOf(index));
    }
    NS_TEST_EXPECT_MSG_EQ(DrainOrder(port), "221100", "strict");

    std::vector<PortClass> classes(3);
    classes[0].quantum = 1000;
    classes[1].quantum = 1000;
    auto mixed = MakePort(MakeBuffer(12000000), classes);
    for (const uint32_t index : {0, 1, 2, 0, 1, 2})
    {
        mixed->Enqueue(MakeItemOf(index));
    }
    NS_TEST_EXPECT_MSG_EQ(DrainOrder(mixed).substr(0, 2), "22", "before those with a quantum");
}

/// Give both classes 450 packets. sizes: bytes a packet, by class.
void
Fill(Ptr<QueueDisc> port, const std::vector<uint32_t>& sizes)
{
    for (int i = 0; i < 450; ++i)
    {
        port->Enqueue(MakeItemOf(0, sizes[0]));
        port->Enqueue(MakeItemOf(1, sizes[1]));
    }
}

// Expected results: with quanta 3000 and 1000 and packets of 1000, 200 packets are 50 rounds of 3
// and 1: 150 and 50; the choice of the first class may shift that by a round. With equal quanta of
// 1500, packets of 300 and 1500: after any number of packets the bytes differ by no more than a
// quantum and a packet of each (Shreedhar and Varghese, lemma 2). For children of ours and of ns-3.
AIDC_TEST_CASE("classes with a quantum share the link in the proportion of their quanta")
{
    for (const std::string type : {"ns3::aidc::CoupledEcnQueueDisc", "ns3::FifoQueueDisc"})
    {
        PortClass first{type, {}, 3000};
        PortClass second{type, {}, 1000};
        auto port = MakePort(MakeBuffer(12000000), {first, second});
        Fill(port, {1000, 1000});
        std::vector<uint32_t> sent(2, 0);
        for (int i = 0; i < 200; ++i)
        {
            ++sent[ClassOf(port->Dequeue())];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<int>(sent[0]), 150, 3, type);
        NS_TEST_EXPECT_MSG_EQ(sent[0] + sent[1], 200, type);

        first.quantum = 1500;
        second.quantum = 1500;
        auto fair = MakePort(MakeBuffer(12000000), {first, second});
        const std::vector<uint32_t> sizes{300, 1500};
        Fill(fair, sizes);
        std::vector<int> bytes(2, 0);
        for (int i = 0; i < 480; ++i)
        {
            const auto index = ClassOf(fair->Dequeue());
            bytes[index] += static_cast<int>(sizes[index]);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(bytes[0] - bytes[1]),
                                        1500 + 300 + 1500,
                                        type << ", packet " << i);
        }
    }
}

/// Note what the trace of pauses tells. text: where to: the class, then + for paused or - for
/// resumed.
void
NotePause(std::string* text, uint32_t index, bool paused)
{
    *text += std::to_string(index) + (paused ? "+ " : "- ");
}

// A paused class keeps its packets; the others go on. Expected results: with class 1 paused,
// packets of classes 0 1 0 1 leave as 0 0, and the port says that it has none to send while two
// remain. Resumed, they leave. A class that is paused twice is traced once. The same for classes
// with a quantum.
AIDC_TEST_CASE("a paused class sends nothing and holds up no other; pausing is traced")
{
    for (const uint32_t quantum : {0, 1000})
    {
        auto buffer = MakeBuffer(12000000);
        PortClass aClass;
        aClass.quantum = quantum;
        auto port = MakePort(buffer, {aClass, aClass});
        std::string told;
        port->TraceConnectWithoutContext("Pause", MakeBoundCallback(&NotePause, &told));
        AIDC_EXPECT(!port->IsPaused(1), "by default");
        port->SetPaused(1, true);
        port->SetPaused(1, true);
        AIDC_EXPECT(port->IsPaused(1), "paused");
        AIDC_EXPECT(!port->IsPaused(0), "the other");
        for (const uint32_t index : {0, 1, 0, 1})
        {
            port->Enqueue(MakeItemOf(index));
        }
        NS_TEST_EXPECT_MSG_EQ(DrainOrder(port), "00", "the other");
        NS_TEST_EXPECT_MSG_EQ(port->GetNPackets(), 2, "kept");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 2000, "kept");
        port->SetPaused(1, false);
        NS_TEST_EXPECT_MSG_EQ(DrainOrder(port), "11", "resumed");
        NS_TEST_EXPECT_MSG_EQ(told, "1+ 1- ", "Pause");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
    }
}

/// Resuming starts the transmission of what has waited, without a new packet.
///
/// Expected results: class 0 is paused at 0.5 s, 10 packets of 1000 are sent at 1 s: none arrives.
/// Resumed at 2 s, the first of them (1002 bytes with the header of PPP) arrives after
/// 1002 * 8 / 10 Mbit/s = 801.6 us and 1 ms of delay, at 2.0018016 s, the last 9 * 801.6 us later,
/// at 2.009016 s.
class ResumeTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    std::vector<Time> m_arrivals; //!< when packets have arrived
};

AIDC_TEST_CASE_F(ResumeTestCase, "resuming a class restarts transmission in a simulated port")
{
    NodeContainer nodes(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
    link.SetChannelAttribute("Delay", StringValue("1ms"));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    const auto devices = link.Install(nodes);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(nodes);
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::aidc::SwitchPortQueueDisc", "NClasses", UintegerValue(2));
    auto port = DynamicCast<SwitchPortQueueDisc>(helper.Install(devices.Get(0)).Get(0));
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    constexpr uint16_t udpPort = 9;
    auto sink = MakeSocket(nodes.Get(1), udpPort);
    auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    source->Connect(InetSocketAddress(interfaces.GetAddress(1), udpPort));
    ConnectTrace(devices.Get(1), "PhyRxEnd", [this](Ptr<const Packet>) {
        m_arrivals.push_back(Simulator::Now());
    });
    const uint32_t context = nodes.Get(0)->GetId();
    Simulator::ScheduleWithContext(context, Seconds(0.5), [port] { port->SetPaused(0, true); });
    Simulator::ScheduleWithContext(context, Seconds(1), [source] {
        for (int i = 0; i < 10; ++i)
        {
            source->Send(Create<Packet>(972));
        }
    });
    Simulator::ScheduleWithContext(context, Seconds(2), [this, port] {
        NS_TEST_EXPECT_MSG_EQ(m_arrivals.size(), 0, "paused");
        NS_TEST_EXPECT_MSG_EQ(port->GetNPackets(), 10, "waiting");
        port->SetPaused(0, false);
    });
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(m_arrivals.size(), 10, "all have arrived");
    NS_TEST_EXPECT_MSG_EQ(m_arrivals.front(), NanoSeconds(2001801600), "the first");
    NS_TEST_EXPECT_MSG_EQ(m_arrivals.back(), NanoSeconds(2009016000), "the last");
    NS_TEST_EXPECT_MSG_EQ(port->GetSharedBuffer()->GetUsed(), 0, "all is given back");
    Simulator::Destroy();
}
