// SPDX-License-Identifier: GPL-2.0-only

#include "test/buffer/test-buffers.h"
#include "test/buffer/test-packets.h"
#include "test/test-case.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/ipv4-l3-protocol.h"

// The coupled ECN threshold in nodes, installed by ns-3's own helper.
AIDC_TEST_SUITE("aidc-coupled-ecn-node", UNIT);

/// A queue disc on a simulated device, installed by ns-3's own helper. Base of the tests in a node:
/// one sender, links of 10 Mbit/s and 1 ms to receivers, device queues of one packet.
class NodeTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// Make nodes and links.
    void Build(uint32_t receivers)
    {
        m_ceReceived = 0;
        m_received = 0;
        m_sender = CreateObject<Node>();
        m_devices = NetDeviceContainer();
        m_links.clear();
        NodeContainer nodes(m_sender);
        NodeContainer others(receivers);
        nodes.Add(others);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("10Mbps"));
        link.SetChannelAttribute("Delay", StringValue("1ms"));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.Install(nodes);
        for (uint32_t i = 0; i < receivers; ++i)
        {
            m_links.push_back(link.Install(m_sender, others.Get(i)));
            m_devices.Add(m_links.back().Get(0));
            ConnectTrace(others.Get(i)->GetObject<Ipv4L3Protocol>(),
                         "Rx",
                         [this](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t) {
                             Ipv4Header header;
                             packet->PeekHeader(header);
                             ++m_received;
                             m_ceReceived += header.GetEcn() == Ipv4Header::ECN_CE ? 1 : 0;
                         });
        }
    }

    /// Assign addresses, after queue discs have been installed.
    void AssignAddresses()
    {
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        m_sockets.clear();
        for (const auto& link : m_links)
        {
            const auto interfaces = addresses.Assign(link);
            addresses.NewNetwork();
            constexpr uint16_t port = 9;
            auto sink = MakeSocket(link.Get(1)->GetNode(), port);
            m_sockets.push_back(sink);
            auto source = Socket::CreateSocket(m_sender, UdpSocketFactory::GetTypeId());
            source->Connect(InetSocketAddress(interfaces.GetAddress(1), port));
            // After Connect, which up to ns-3.41 takes the address's, 0.
            source->SetIpTos(ECT0);
            m_sockets.push_back(source);
        }
    }

    /// Send packets of 1000 bytes, headers of IP and UDP included, all at once.
    void Burst(uint32_t link, uint32_t packets)
    {
        for (uint32_t i = 0; i < packets; ++i)
        {
            m_sockets[2 * link + 1]->Send(Create<Packet>(972));
        }
    }

    Ptr<Node> m_sender;                      //!< the sender
    NetDeviceContainer m_devices;            //!< the sender's devices
    std::vector<NetDeviceContainer> m_links; //!< by receiver
    std::vector<Ptr<Socket>> m_sockets;      //!< sink and source, by receiver
    uint32_t m_received{0};                  //!< packets that have arrived
    uint32_t m_ceReceived{0};                //!< packets that have arrived as CE
};

// A root queue disc with a buffer of its own, in a node. Expected results: 100 packets at once. The
// device takes one or two (by the release of ns-3), the others wait: each is in the queue with the
// packets before it. Cap 50,000, Offset 20,000, EcnFloor 30,000 give ECN_Thrd 30,000 (B): the
// packets that make the queue 30, 31... 50 packets long are marked, 21. Packets after the 50th are
// dropped: 100 - 51 = 49 or 100 - 52 = 48. All others arrive, 21 as CE.
AIDC_TEST_CASE_F(NodeTestCase,
                 "as root of a device, installed by TrafficControlHelper, it marks and drops "
                 "in a buffer of its own")
{
    Build(1);
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::aidc::CoupledEcnQueueDisc",
                            "BufferSize",
                            StringValue("500kB"),
                            "Offset",
                            StringValue("20kB"),
                            "EcnFloor",
                            StringValue("30kB"));
    const auto queueDiscs = helper.Install(m_devices);
    auto root = DynamicCast<CoupledEcnQueueDisc>(queueDiscs.Get(0));
    root->GetBufferQueue()->SetAttribute("Cap", StringValue("50kB"));
    AssignAddresses();
    Simulator::ScheduleWithContext(m_sender->GetId(), Seconds(1), [this] { Burst(0, 100); });
    Simulator::Run();

    const auto& stats = root->GetStats();
    NS_TEST_EXPECT_MSG_EQ(root->GetSharedBuffer()->GetSize(), 500000, "BufferSize");
    NS_TEST_EXPECT_MSG_EQ(root->GetSharedBuffer()->GetNQueues(), 1, "its own");
    NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets, 21, "marked");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<int>(stats.nTotalDroppedPackets), 49, 1, "dropped");
    NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(SharedBufferQueue::CAP_DROP),
                          stats.nTotalDroppedPackets,
                          "reason of the drops");
    NS_TEST_EXPECT_MSG_EQ(m_received, 100 - stats.nTotalDroppedPackets, "arrived");
    NS_TEST_EXPECT_MSG_EQ(m_ceReceived, 21, "arrived as CE");
    NS_TEST_EXPECT_MSG_EQ(root->GetSharedBuffer()->GetUsed(), 0, "all is given back");
}

// Expected results, B = 200,000, alpha 1: while the first queue holds q bytes, the second has a
// Buf_Thrd of 200,000 - q. A burst of 300 packets of 1000 fills the first to n with 1000 n <=
// 200000 - 1000 (n - 1): n = 100.
AIDC_TEST_CASE_F(NodeTestCase, "the roots of two devices share the SharedBuffer of their node")
{
    Build(2);
    auto buffer = MakeBuffer(200000);
    m_sender->AggregateObject(buffer);
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::aidc::CoupledEcnQueueDisc", "Offset", StringValue("20kB"));
    const auto queueDiscs = helper.Install(m_devices);
    auto first = DynamicCast<CoupledEcnQueueDisc>(queueDiscs.Get(0));
    auto second = DynamicCast<CoupledEcnQueueDisc>(queueDiscs.Get(1));
    AssignAddresses();
    Simulator::ScheduleWithContext(m_sender->GetId(), Seconds(1), [this, first, second] {
        Burst(0, 300);
        NS_TEST_EXPECT_MSG_EQ(first->GetNPackets(), 100, "the first");
        NS_TEST_EXPECT_MSG_EQ(second->GetBufferQueue()->GetThreshold(), 100000, "the second");
        NS_TEST_EXPECT_MSG_EQ(second->GetQueue()->GetEcnThreshold(), 80000, "100000 - 20000");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(first->GetSharedBuffer(), buffer, "the node's");
    NS_TEST_EXPECT_MSG_EQ(second->GetSharedBuffer(), buffer, "the node's");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetNQueues(), 2, "two ports");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}

// Children of ns-3's PrioQueueDisc draw on the node's buffer and know their device. Expected
// results: three bands. Packets of priority 0 go to band 1 (the default map). The Offset is derived
// from the device: 10 Mbit/s * 8 ms / 8 = 10,000, + 9000 of MTU. As in the test of the root, a Cap
// of 50,000 and ECN_Thrd of 31,000 mark the packets that make the queue 31 to 50 packets long: 20;
// 100 packets less 50 and the one or two that the device takes are dropped.
AIDC_TEST_CASE_F(NodeTestCase,
                 "as children of ns3::PrioQueueDisc they draw on the node's SharedBuffer")
{
    Build(1);
    m_devices.Get(0)->SetMtu(9000);
    auto buffer = MakeBuffer(500000);
    m_sender->AggregateObject(buffer);
    TrafficControlHelper helper;
    const auto handle = helper.SetRootQueueDisc("ns3::PrioQueueDisc");
    const auto classes = helper.AddQueueDiscClasses(handle, 3, "ns3::QueueDiscClass");
    helper.AddChildQueueDiscs(handle,
                              classes,
                              "ns3::aidc::CoupledEcnQueueDisc",
                              "Rtt",
                              StringValue("8ms"),
                              "EcnFloor",
                              StringValue("9kB"));
    const auto root = helper.Install(m_devices).Get(0);
    std::vector<Ptr<CoupledEcnQueueDisc>> children;
    for (uint32_t i = 0; i < 3; ++i)
    {
        children.push_back(
            DynamicCast<CoupledEcnQueueDisc>(root->GetQueueDiscClass(i)->GetQueueDisc()));
        children[i]->GetBufferQueue()->SetAttribute("Cap", StringValue("50kB"));
    }
    AssignAddresses();
    Simulator::ScheduleWithContext(m_sender->GetId(), Seconds(1), [this, children, buffer] {
        Burst(0, 100);
        NS_TEST_EXPECT_MSG_EQ(children[1]->GetNPackets(), 50, "band 1 is full");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 50000, "in the node's buffer");
    });
    Simulator::Run();
    for (const auto& child : children)
    {
        NS_TEST_EXPECT_MSG_EQ(child->GetSharedBuffer(), buffer, "the node's");
        NS_TEST_EXPECT_MSG_EQ(child->GetQueue()->GetEffectiveOffset(), 19000, "of the device");
    }
    const auto& stats = children[1]->GetStats();
    NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets, 20, "marked");
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<int>(stats.nTotalDroppedPackets), 49, 1, "dropped");
    NS_TEST_EXPECT_MSG_EQ(m_received, 100 - stats.nTotalDroppedPackets, "arrived");
    NS_TEST_EXPECT_MSG_EQ(m_ceReceived, 20, "arrived as CE");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}
