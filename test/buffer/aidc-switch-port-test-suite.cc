/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../death-test.h"
#include "test-packets.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/double.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/inet-socket-address.h"
#include "ns3/integer.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// Names of attributes and their values in words.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// A class of a port.
struct PortClass
{
    std::string type{"ns3::aidc::CoupledEcnQueueDisc"}; ///< TypeId of its queue disc
    Attributes attributes{};                            ///< of its queue disc
    uint32_t quantum{0};                                ///< Quantum
    Attributes limits{};                                ///< of its share of the buffer
};

/**
 * @brief Make a shared buffer.
 * @param size bytes
 * @return the buffer
 */
Ptr<SharedBuffer>
MakeBuffer(uint32_t size)
{
    return CreateObjectWithAttributes<SharedBuffer>(
        "Size",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, size)));
}

/**
 * @brief Make a port, initialized.
 * @param buffer the shared buffer
 * @param classes its classes
 * @param attributes of the port
 * @return the port
 */
Ptr<SwitchPortQueueDisc>
MakePort(Ptr<SharedBuffer> buffer,
         const std::vector<PortClass>& classes,
         const Attributes& attributes = {})
{
    auto port = CreateObject<SwitchPortQueueDisc>();
    for (const auto& [name, value] : attributes)
    {
        port->SetAttribute(name, StringValue(value));
    }
    for (const auto& c : classes)
    {
        ObjectFactory factory;
        factory.SetTypeId(c.type);
        for (const auto& [name, value] : c.attributes)
        {
            factory.Set(name, StringValue(value));
        }
        auto qdClass = CreateObject<SwitchPortClass>();
        qdClass->SetAttribute("Quantum", UintegerValue(c.quantum));
        qdClass->SetQueueDisc(factory.Create<QueueDisc>());
        if (auto fqCoDel = DynamicCast<FqCoDelQueueDisc>(qdClass->GetQueueDisc()))
        {
            fqCoDel->SetQuantum(1500); // it takes that from its device, if it is a root
        }
        for (const auto& [name, value] : c.limits)
        {
            qdClass->GetBufferQueue()->SetAttribute(name, StringValue(value));
        }
        port->AddQueueDiscClass(qdClass);
    }
    port->SetSharedBuffer(buffer);
    port->Initialize();
    return port;
}

/**
 * @brief Get the queue disc of a class.
 * @param port the port
 * @param index the class
 * @return the queue disc
 */
Ptr<QueueDisc>
GetChild(Ptr<QueueDisc> port, uint32_t index)
{
    return port->GetQueueDiscClass(index)->GetQueueDisc();
}

/**
 * @brief Get the share of the buffer of a class.
 * @param port the port
 * @param index the class
 * @return the share
 */
Ptr<SharedBufferQueue>
GetShare(Ptr<QueueDisc> port, uint32_t index)
{
    return DynamicCast<SwitchPortClass>(port->GetQueueDiscClass(index))->GetBufferQueue();
}

/**
 * @brief Make a packet whose class by default is a given one.
 * @param index the class, 0 to 7
 * @param size bytes
 * @param ecn the ECN codepoint
 * @return the packet, with a class selector as DSCP
 */
Ptr<QueueDiscItem>
MakeItemOf(uint32_t index, uint32_t size = 1000, uint8_t ecn = NOT_ECT)
{
    return MakeIpv4Item(size, static_cast<uint8_t>(index << 5 | ecn));
}

/**
 * @brief Get the class that a packet of MakeItemOf was made for.
 * @param item the packet
 * @return the class
 */
uint32_t
ClassOf(Ptr<const QueueDiscItem> item)
{
    return static_cast<uint32_t>(GetTos(item)) >> 5;
}

/**
 * @brief Get the order in which the classes of the queued packets are sent.
 * @param port the port
 * @return a digit a packet
 */
std::string
DrainOrder(Ptr<QueueDisc> port)
{
    std::string order;
    while (auto item = port->Dequeue())
    {
        order += std::to_string(ClassOf(item));
    }
    return order;
}

/**
 * @ingroup aidc-test
 * @brief The class of a packet by its DSCP.
 *
 * Expected results: without a map the three upper bits of the DSCP, at most the highest class: with
 * 8 classes DSCP 46 (101110) is class 5, with 4 it is 3, with 1 it is 0. A map names single DSCPs,
 * and leaves the others. IPv6 is treated as IPv4.
 */
class DscpTestCase : public TestCase
{
  public:
    DscpTestCase()
        : TestCase("a packet's class is that of the DSCP's three upper bits, or of the map")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t n : {8, 4, 1})
        {
            auto port = MakePort(MakeBuffer(12000000), std::vector<PortClass>(n));
            for (uint32_t dscp = 0; dscp < 64; ++dscp)
            {
                for (uint32_t ecn = 0; ecn < 4; ++ecn)
                {
                    NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(dscp << 2 | ecn),
                                          std::min(dscp / 8, n - 1),
                                          "DSCP " << dscp << ", " << n << " classes");
                }
            }
        }
        auto port = MakePort(MakeBuffer(12000000),
                             std::vector<PortClass>(4),
                             {{"DscpMap", "46:1, 0:2,63:0 ,8:3"}});
        const auto expect = [this, port](uint32_t dscp, uint32_t index) {
            NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(dscp << 2), index, "DSCP " << dscp);
        };
        expect(46, 1);
        expect(0, 2);
        expect(63, 0);
        expect(8, 3);
        expect(1, 0);
        expect(9, 1);
        expect(45, 3);
        port->Enqueue(MakeIpv6Item(1000, 46 << 2));
        NS_TEST_EXPECT_MSG_EQ(GetChild(port, 1)->GetNPackets(), 1, "IPv6");

        // While running too; a class that the port does not have is refused then.
        NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe("DscpMap", StringValue("46:3")),
                              true,
                              "while running");
        expect(46, 3);
        expect(0, 0);
        NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe("DscpMap", StringValue("46:4")),
                              false,
                              "no such class");
        expect(46, 3);
    }
};

/**
 * @ingroup aidc-test
 * @brief Maps that are not `DSCP:class` pairs are refused.
 */
class BadMapTestCase : public TestCase
{
  public:
    BadMapTestCase()
        : TestCase("a map that is not DSCP:class pairs within their ranges is refused")
    {
    }

  private:
    void DoRun() override
    {
        auto port = CreateObject<SwitchPortQueueDisc>();
        const auto set = [port](const std::string& map) {
            return port->SetAttributeFailSafe("DscpMap", StringValue(map));
        };
        NS_TEST_EXPECT_MSG_EQ(set("46:5"), true, "a good one");
        for (const auto* map : {"46",
                                "46:",
                                ":5",
                                "46:8",
                                "46:-1",
                                "64:0",
                                "-1:0",
                                "46;5",
                                "46:5:3",
                                "46:5 3",
                                "a:b",
                                "46:5,,0:1",
                                "46:5,0",
                                "99999999999:0"})
        {
            NS_TEST_EXPECT_MSG_EQ(set(map), false, map);
        }
        StringValue map;
        port->GetAttribute("DscpMap", map);
        NS_TEST_EXPECT_MSG_EQ(map.Get(), "46:5", "as it was");
        NS_TEST_EXPECT_MSG_EQ(set(""), true, "none");
        for (const auto* name : {"NClasses", "NonIpClass", "L4sClass"})
        {
            NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe(name, StringValue("9")), false, name);
        }
        NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe("NClasses", UintegerValue(0)), false, "0");
        NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe("L4sClass", IntegerValue(-2)),
                              false,
                              "-2");
    }
};

/**
 * @ingroup aidc-test
 * @brief An L4S class beside a classic class whose threshold is coupled.
 *
 * Expected results: class 0 is coupled, Buf_Thrd 250,000 by Cap, Offset 150,000, EcnFloor 100,000:
 * ECN_Thrd 100,000, so that the 100th of its packets of 1000 is the first marked. Class 1 marks
 * from 10,000 on, its 10th. ECT(1) and CE go to class 1 whatever their DSCP, Not-ECT and ECT(0) do
 * not. When another queue of the 12,000,000 takes 11,950,000, Buf_Thrd is 50,000: ECN_Thrd of class
 * 0 is 50,000 (region C), class 1's stays 10,000.
 */
class L4sTestCase : public TestCase
{
  public:
    L4sTestCase()
        : TestCase("ECN_Thrd serves the classic queue, the L4S queue keeps its own marking "
                   "(section 3)")
    {
    }

  private:
    void DoRun() override
    {
        auto buffer = MakeBuffer(12000000);
        const PortClass classic{"ns3::aidc::CoupledEcnQueueDisc",
                                {{"Offset", "150000B"}, {"EcnFloor", "100000B"}},
                                0,
                                {{"Cap", "250000B"}}};
        const PortClass l4s{"ns3::aidc::CoupledEcnQueueDisc",
                            {{"Mode", "StaticStep"}, {"Threshold", "10000B"}}};
        auto port = MakePort(buffer, {classic, l4s}, {{"L4sClass", "1"}});
        for (uint32_t dscp = 0; dscp < 64; ++dscp)
        {
            const uint32_t byDscp = std::min(dscp / 8, 1U);
            NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(dscp << 2 | NOT_ECT), byDscp, dscp);
            NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(dscp << 2 | ECT0), byDscp, dscp);
            NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(dscp << 2 | ECT1), 1, dscp);
            NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(dscp << 2 | CE), 1, dscp);
        }
        for (uint32_t n = 1; n <= 120; ++n)
        {
            const auto ect0 = MakeIpv4Item(1000, ECT0);
            const auto ect1 = MakeIpv6Item(1000, ECT1);
            port->Enqueue(ect0);
            port->Enqueue(ect1);
            NS_TEST_EXPECT_MSG_EQ(+GetEcn(ect0), +(n < 100 ? ECT0 : CE), "classic " << n);
            NS_TEST_EXPECT_MSG_EQ(+GetEcn(ect1), +(n < 10 ? ECT1 : CE), "L4S " << n);
        }
        port->Enqueue(MakeIpv4Item(1000, CE));
        NS_TEST_EXPECT_MSG_EQ(GetChild(port, 0)->GetNPackets(), 120, "classic");
        NS_TEST_EXPECT_MSG_EQ(GetChild(port, 1)->GetNPackets(), 121, "L4S");
        // The marks of children are the port's too.
        NS_TEST_EXPECT_MSG_EQ(port->GetStats().nTotalMarkedPackets, 21 + 112, "100-120, 10-121");
        DrainOrder(port);

        auto other = CreateObject<SharedBufferQueue>();
        other->SetAttribute("Alpha", DoubleValue(65536));
        buffer->AddQueue(other);
        other->Admit(11950000);
        const auto ecnThrd = [port](uint32_t index) {
            return DynamicCast<CoupledEcnQueueDisc>(GetChild(port, index))->GetEcnThreshold();
        };
        NS_TEST_EXPECT_MSG_EQ(ecnThrd(0), 50000, "follows");
        NS_TEST_EXPECT_MSG_EQ(ecnThrd(1), 10000, "does not");

        NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe("L4sClass", IntegerValue(2)),
                              false,
                              "two");
        NS_TEST_EXPECT_MSG_EQ(port->SetAttributeFailSafe("L4sClass", IntegerValue(-1)),
                              true,
                              "none");
        NS_TEST_EXPECT_MSG_EQ(port->GetClassOfTos(ECT1), 0, "as its DSCP");
    }
};

/**
 * @ingroup aidc-test
 * @brief Packets that are not IP go to NonIpClass, or the highest class where there are fewer.
 *
 * Expected results: by default class 7, of four classes 3; of those a NonIpClass of 1 is 1. While
 * running 7 is 3 again.
 */
class NonIpTestCase : public TestCase
{
  public:
    NonIpTestCase()
        : TestCase("packets that are not IP go to NonIpClass, at most the highest class")
    {
    }

  private:
    void DoRun() override
    {
        const auto expect = [this](Ptr<SwitchPortQueueDisc> port, uint32_t index) {
            const uint32_t before = GetChild(port, index)->GetNPackets();
            NS_TEST_EXPECT_MSG_EQ(port->Enqueue(MakeNonIpItem(100)), true, "admitted");
            NS_TEST_EXPECT_MSG_EQ(GetChild(port, index)->GetNPackets(), before + 1, index);
        };
        expect(MakePort(MakeBuffer(12000000), std::vector<PortClass>(8)), 7);
        auto four = MakePort(MakeBuffer(12000000), std::vector<PortClass>(4));
        expect(four, 3);
        auto port =
            MakePort(MakeBuffer(12000000), std::vector<PortClass>(4), {{"NonIpClass", "1"}});
        expect(port, 1);
        port->SetAttribute("NonIpClass", UintegerValue(7));
        expect(port, 3);
        port->SetAttribute("NonIpClass", UintegerValue(2));
        expect(port, 2);
    }
};

/**
 * @ingroup aidc-test
 * @brief Classes without a quantum have strict priority, the higher one first.
 *
 * Expected results: packets of classes 0 1 2 0 1 2 leave as 2 2 1 1 0 0. With a quantum for classes
 * 0 and 1, class 2 still goes first.
 */
class StrictTestCase : public TestCase
{
  public:
    StrictTestCase()
        : TestCase("classes without a quantum have strict priority, the highest first")
    {
    }

  private:
    void DoRun() override
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
};

/**
 * @ingroup aidc-test
 * @brief Classes with a quantum share the link by bytes in the proportion of their quanta.
 *
 * Expected results: with quanta 3000 and 1000 and packets of 1000, 200 packets are 50 rounds of 3
 * and 1: 150 and 50; the choice of the first class may shift that by a round. With equal quanta of
 * 1500, packets of 300 and 1500: after any number of packets the bytes differ by no more than a
 * quantum and a packet of each (Shreedhar and Varghese, lemma 2). For children of ours and of ns-3.
 */
class DeficitTestCase : public TestCase
{
  public:
    DeficitTestCase()
        : TestCase("classes with a quantum share the link in the proportion of their quanta")
    {
    }

  private:
    void DoRun() override
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

    /**
     * @brief Give both classes 450 packets.
     * @param port the port
     * @param sizes bytes a packet, by class
     */
    static void Fill(Ptr<QueueDisc> port, const std::vector<uint32_t>& sizes)
    {
        for (int i = 0; i < 450; ++i)
        {
            port->Enqueue(MakeItemOf(0, sizes[0]));
            port->Enqueue(MakeItemOf(1, sizes[1]));
        }
    }
};

/**
 * @brief Note what the trace of pauses tells.
 * @param text where to: the class, then + for paused or - for resumed
 * @param index the class
 * @param paused whether it is paused
 */
void
NotePause(std::string* text, uint32_t index, bool paused)
{
    *text += std::to_string(index) + (paused ? "+ " : "- ");
}

/**
 * @ingroup aidc-test
 * @brief A paused class keeps its packets; the others go on.
 *
 * Expected results: with class 1 paused, packets of classes 0 1 0 1 leave as 0 0, and the port says
 * that it has none to send while two remain. Resumed, they leave. A class that is paused twice is
 * traced once. The same for classes with a quantum.
 */
class PauseTestCase : public TestCase
{
  public:
    PauseTestCase()
        : TestCase("a paused class sends nothing and holds up no other; pausing is traced")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t quantum : {0, 1000})
        {
            auto buffer = MakeBuffer(12000000);
            PortClass aClass;
            aClass.quantum = quantum;
            auto port = MakePort(buffer, {aClass, aClass});
            std::string told;
            port->TraceConnectWithoutContext("Pause", MakeBoundCallback(&NotePause, &told));
            NS_TEST_EXPECT_MSG_EQ(port->IsPaused(1), false, "by default");
            port->SetPaused(1, true);
            port->SetPaused(1, true);
            NS_TEST_EXPECT_MSG_EQ(port->IsPaused(1), true, "paused");
            NS_TEST_EXPECT_MSG_EQ(port->IsPaused(0), false, "the other");
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
};

/**
 * @ingroup aidc-test
 * @brief Resuming starts the transmission of what has waited, without a new packet.
 *
 * Expected results: class 0 is paused at 0.5 s, 10 packets of 1000 are sent at 1 s: none arrives.
 * Resumed at 2 s, the first of them (1002 bytes with the header of PPP) arrives after
 * 1002 * 8 / 10 Mbit/s = 801.6 us and 1 ms of delay, at 2.0018016 s, the last 9 * 801.6 us later,
 * at 2.009016 s.
 */
class ResumeTestCase : public TestCase
{
  public:
    ResumeTestCase()
        : TestCase("resuming a class restarts transmission in a simulated port")
    {
    }

  private:
    void DoRun() override
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
        auto sink = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), udpPort));
        auto source = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        source->Connect(InetSocketAddress(interfaces.GetAddress(1), udpPort));
        devices.Get(1)->TraceConnectWithoutContext("PhyRxEnd",
                                                   MakeCallback(&ResumeTestCase::Receive, this));
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

    /// Note when a packet arrives.
    void Receive(Ptr<const Packet>)
    {
        m_arrivals.push_back(Simulator::Now());
    }

    std::vector<Time> m_arrivals; ///< when packets have arrived
};

/**
 * @ingroup aidc-test
 * @brief Queue discs of ns-3 as children: their packets are in the shared buffer as well.
 *
 * Expected results, B = 100,000, alpha 1, packets of 1000: one class takes n packets while
 * 1000 n <= 100000 - 1000 (n - 1): 50; the 51st is dropped by the threshold, before the child has
 * seen it. The other class may then have 50,000: m packets while 1000 m <= 50000 - 1000 (m -
 * 1): 25. While packets leave, one of each class every 20 ms, some of the disciplines drop others
 * of them (CoDel does after 100 ms above its target of 5 ms), but the buffer holds what the
 * children hold, at every moment, and in the end nothing. At root and children, received = dropped
 * before enqueue
 * + enqueued, and enqueued = dequeued when all have left.
 */
class ChildTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param type TypeId of the children
     * @param attributes of the children
     * @param drops whether they drop packets after dequeuing them
     * @param quantum of both classes
     */
    ChildTestCase(const std::string& type,
                  const Attributes& attributes,
                  bool drops,
                  uint32_t quantum)
        : TestCase(type +
                   " as a child draws on the shared buffer and gives all back, with quantum " +
                   std::to_string(quantum)),
          m_class{type, attributes, quantum, {}},
          m_drops(drops)
    {
    }

  private:
    void DoRun() override
    {
        m_buffer = MakeBuffer(100000);
        m_port = MakePort(m_buffer, {m_class, m_class});
        const auto flood = [this](uint32_t index) {
            uint32_t n = 0;
            while (m_port->Enqueue(MakeItemOf(index)))
            {
                ++n;
            }
            return n;
        };
        NS_TEST_EXPECT_MSG_EQ(flood(0), 50, "the first class");
        NS_TEST_EXPECT_MSG_EQ(flood(1), 25, "the second class");
        NS_TEST_EXPECT_MSG_EQ(
            m_port->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
            2,
            "the buffer's reason");
        NS_TEST_EXPECT_MSG_EQ(GetChild(m_port, 0)->GetStats().nTotalReceivedPackets,
                              50,
                              "the child does not see what the buffer refuses");
        Compare();
        Simulator::Schedule(MilliSeconds(20), [this] { Leave(); });
        Simulator::Run();
        Simulator::Destroy();

        const auto& stats = m_port->GetStats();
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsed(), 0, "all is given back");
        NS_TEST_EXPECT_MSG_EQ(m_left + stats.nTotalDroppedPacketsAfterDequeue, 75, "all");
        NS_TEST_EXPECT_MSG_EQ((stats.nTotalDroppedPacketsAfterDequeue > 0), m_drops, "dropped");
        CheckIdentity(m_port);
        CheckIdentity(GetChild(m_port, 0));
        CheckIdentity(GetChild(m_port, 1));
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, 77, "50 + 25 and two dropped");
        // The classes can be filled again.
        NS_TEST_EXPECT_MSG_EQ(m_port->Enqueue(MakeItemOf(0, 50000)), true, "half of the buffer");
        m_port = nullptr;
        m_buffer = nullptr;
    }

    /// Let two packets leave.
    void Leave()
    {
        for (int i = 0; i < 2; ++i)
        {
            m_left += m_port->Dequeue() ? 1 : 0;
            Compare();
        }
        if (m_port->GetNPackets() > 0)
        {
            Simulator::Schedule(MilliSeconds(20), [this] { Leave(); });
        }
    }

    /// Compare the shares of the buffer with what the children hold.
    void Compare()
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(GetShare(m_port, i)->GetOccupancy(),
                                  GetChild(m_port, i)->GetNBytes(),
                                  "class " << i << " at " << Simulator::Now().As(Time::MS));
        }
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsed(), m_port->GetNBytes(), Simulator::Now());
    }

    /**
     * @brief Check the identities that QueueDisc states.
     * @param queueDisc a queue disc that is empty
     */
    void CheckIdentity(Ptr<QueueDisc> queueDisc)
    {
        const auto& stats = queueDisc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets,
                              stats.nTotalDroppedPacketsBeforeEnqueue + stats.nTotalEnqueuedPackets,
                              "packets");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedBytes,
                              stats.nTotalDroppedBytesBeforeEnqueue + stats.nTotalEnqueuedBytes,
                              "bytes");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets, stats.nTotalDequeuedPackets, "left");
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetNBytes(), 0, "empty");
    }

    PortClass m_class;               ///< both classes
    bool m_drops;                    ///< whether packets are dropped after being dequeued
    Ptr<SharedBuffer> m_buffer;      ///< the buffer
    Ptr<SwitchPortQueueDisc> m_port; ///< the port
    uint32_t m_left{0};              ///< packets that have left
};

/**
 * @ingroup aidc-test
 * @brief What a child drops by its own rules takes no memory and is told as the child's drop.
 *
 * Expected results: a FifoQueueDisc of 10 packets drops the 11th to 15th: the port counts them as
 * its child's drops, the buffer holds 10,000 bytes. RED with averages of weight 1, MinTh 2000 and
 * MaxTh 4000 (bytes) drops every packet that finds more than MaxTh, so that no more than 5 packets
 * of 1000 are ever held.
 */
class ChildDropTestCase : public TestCase
{
  public:
    ChildDropTestCase()
        : TestCase("packets that a child drops take no memory, and statistics remain identities")
    {
    }

  private:
    void DoRun() override
    {
        auto buffer = MakeBuffer(1000000);
        auto fifo = MakePort(buffer, {{"ns3::FifoQueueDisc", {{"MaxSize", "10p"}}}});
        for (int i = 0; i < 15; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(fifo->Enqueue(MakeItemOf(0)), (i < 10), i);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 10000, "what it holds");
        CheckIdentity(fifo);
        NS_TEST_EXPECT_MSG_EQ(fifo->GetStats().nTotalDroppedPacketsBeforeEnqueue, 5, "told");
        NS_TEST_EXPECT_MSG_EQ(
            fifo->GetStats().GetNDroppedPackets(SharedBufferQueue::CAP_DROP) +
                fifo->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
            0,
            "not by the buffer");

        auto red = MakePort(buffer,
                            {{"ns3::RedQueueDisc",
                              {{"MaxSize", "1000000B"},
                               {"MinTh", "2000"},
                               {"MaxTh", "4000"},
                               {"QW", "1"},
                               {"Gentle", "false"},
                               {"MeanPktSize", "1000"},
                               {"LinkBandwidth", "1Gbps"}}}});
        uint32_t queued = 0;
        for (int i = 0; i < 100; ++i)
        {
            queued += red->Enqueue(MakeItemOf(0)) ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 10000 + red->GetNBytes(), i);
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(queued, 5, "RED");
        CheckIdentity(red);
        NS_TEST_EXPECT_MSG_EQ(red->GetStats().nTotalDroppedPacketsBeforeEnqueue,
                              100 - queued,
                              "told");
        DrainOrder(fifo);
        DrainOrder(red);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
    }

    /**
     * @brief Check the identities that QueueDisc states, at a port and its child.
     * @param port the port
     */
    void CheckIdentity(Ptr<QueueDisc> port)
    {
        for (const auto& queueDisc : {port, GetChild(port, 0)})
        {
            const auto& stats = queueDisc->GetStats();
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets,
                                  stats.nTotalDroppedPacketsBeforeEnqueue +
                                      stats.nTotalEnqueuedPackets,
                                  "packets");
            NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets - stats.nTotalDequeuedPackets,
                                  queueDisc->GetNPackets(),
                                  "held");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Headroom, cap and reserve of a class hold for children of ours and of ns-3 alike.
 *
 * Expected results, packets of 1000, cap 2000 and headroom 3000: 2 are admitted, 3 go to the
 * headroom, the 6th is refused by the cap; when one has left, one is admitted again. At the port
 * the drop has the buffer's reason: as it is for a child of ns-3, behind ns-3's prefix for children
 * for one of ours.
 */
class LimitsTestCase : public TestCase
{
  public:
    LimitsTestCase()
        : TestCase("a class's cap and headroom hold for every kind of child")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string type : {"ns3::aidc::CoupledEcnQueueDisc", "ns3::FifoQueueDisc"})
        {
            const bool isOurs = type != "ns3::FifoQueueDisc";
            auto buffer = MakeBuffer(1000000);
            // Without an Offset, which would be too large for the cap.
            const Attributes attributes =
                isOurs ? Attributes{{"Offset", "0B"}} : Attributes{{"MaxSize", "1000p"}};
            auto port =
                MakePort(buffer,
                         {{type, attributes, 0, {{"Cap", "2000B"}, {"Headroom", "3000B"}}}});
            for (int i = 1; i <= 7; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(port->Enqueue(MakeItemOf(0)), (i <= 5), type << " " << i);
            }
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 5000, type);
            const std::string prefix = isOurs ? QueueDisc::CHILD_QUEUE_DISC_DROP : "";
            NS_TEST_EXPECT_MSG_EQ(
                port->GetStats().GetNDroppedPackets(prefix + SharedBufferQueue::CAP_DROP),
                2,
                type);
            port->Dequeue();
            NS_TEST_EXPECT_MSG_EQ(port->Enqueue(MakeItemOf(0)), true, type);
            NS_TEST_EXPECT_MSG_EQ(port->Enqueue(MakeItemOf(0)), false, type);
            DrainOrder(port);
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, type);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief A port without classes makes some; a port without a buffer makes one.
 *
 * Expected results: NClasses classes, each with a CoupledEcnQueueDisc, which all draw on one buffer
 * of the size BufferSize.
 */
class DefaultsTestCase : public TestCase
{
  public:
    DefaultsTestCase()
        : TestCase(
              "a port without classes and buffer makes NClasses coupled ones on a buffer of its "
              "own")
    {
    }

  private:
    void DoRun() override
    {
        auto port = MakePort(nullptr, {}, {{"NClasses", "3"}, {"BufferSize", "5MB"}});
        NS_TEST_ASSERT_MSG_EQ(port->GetNQueueDiscClasses(), 3, "NClasses");
        NS_TEST_EXPECT_MSG_EQ(port->GetSharedBuffer()->GetSize(), 5000000, "BufferSize");
        NS_TEST_EXPECT_MSG_EQ(port->GetSharedBuffer()->GetNQueues(), 3, "a share a class");
        for (uint32_t i = 0; i < 3; ++i)
        {
            const auto child = DynamicCast<CoupledEcnQueueDisc>(GetChild(port, i));
            NS_TEST_ASSERT_MSG_NE(child, nullptr, "kind");
            NS_TEST_EXPECT_MSG_EQ(child->GetSharedBuffer(), port->GetSharedBuffer(), "the buffer");
            NS_TEST_EXPECT_MSG_EQ(GetShare(port, i), child->GetBufferQueue(), "the share");
        }
        auto all = MakePort(nullptr, {});
        NS_TEST_EXPECT_MSG_EQ(all->GetNQueueDiscClasses(), 8, "by default");
        NS_TEST_EXPECT_MSG_EQ(all->GetSharedBuffer()->GetSize(), 12000000, "by default");
    }
};

/**
 * @ingroup aidc-test
 * @brief Impossible configurations end the program, with the reason.
 */
class PortDeathTestCase : public TestCase
{
  public:
    PortDeathTestCase()
        : TestCase("a port that cannot be ends the program with the reason")
    {
    }

  private:
    void DoRun() override
    {
        const auto make = [](uint32_t n, const Attributes& attributes = {}) {
            return RunInChild([n, attributes] {
                MakePort(MakeBuffer(12000000), std::vector<PortClass>(n), attributes);
            });
        };
        const auto nine = make(9);
        NS_TEST_EXPECT_MSG_EQ(nine.Says("9 classes, at most 8 are possible"), true, nine.errors);
        const auto eight = make(8);
        NS_TEST_EXPECT_MSG_EQ(eight.died, false, eight.errors);
        const auto l4s = make(2, {{"L4sClass", "2"}});
        NS_TEST_EXPECT_MSG_EQ(l4s.Says("L4sClass is 2, there are 2 classes"), true, l4s.errors);
        const auto map = make(2, {{"DscpMap", "0:2"}});
        NS_TEST_EXPECT_MSG_EQ(map.Says("DscpMap names class 2"), true, map.errors);

        const auto wrong = RunInChild([] {
            auto port = CreateObject<SwitchPortQueueDisc>();
            auto qdClass = CreateObject<QueueDiscClass>();
            qdClass->SetQueueDisc(CreateObject<CoupledEcnQueueDisc>());
            port->AddQueueDiscClass(qdClass);
            port->Initialize();
        });
        NS_TEST_EXPECT_MSG_EQ(wrong.Says("must be a ns3::aidc::SwitchPortClass"),
                              true,
                              wrong.errors);
        const auto pause = RunInChild(
            [] { MakePort(MakeBuffer(12000000), std::vector<PortClass>(2))->SetPaused(2, true); });
        NS_TEST_EXPECT_MSG_EQ(pause.Says("There is no class 2"), true, pause.errors);
    }
};

/**
 * @ingroup aidc-test
 * @brief The egress queues of a switch port.
 */
class AidcSwitchPortTestSuite : public TestSuite
{
  public:
    AidcSwitchPortTestSuite()
        : TestSuite("aidc-switch-port", TestSuite::Type::UNIT)
    {
        AddTestCase(new DscpTestCase);
        AddTestCase(new BadMapTestCase);
        AddTestCase(new L4sTestCase);
        AddTestCase(new NonIpTestCase);
        AddTestCase(new StrictTestCase);
        AddTestCase(new DeficitTestCase);
        AddTestCase(new PauseTestCase);
        AddTestCase(new ResumeTestCase);
        for (const uint32_t quantum : {0, 1500})
        {
            AddTestCase(
                new ChildTestCase("ns3::FifoQueueDisc", {{"MaxSize", "1000p"}}, false, quantum));
            AddTestCase(new ChildTestCase(
                "ns3::RedQueueDisc",
                {{"MaxSize", "1000000B"}, {"MinTh", "900000"}, {"MaxTh", "950000"}},
                false,
                quantum));
            AddTestCase(new ChildTestCase("ns3::CoDelQueueDisc", {}, true, quantum));
            AddTestCase(new ChildTestCase("ns3::FqCoDelQueueDisc", {}, true, quantum));
        }
        AddTestCase(new ChildDropTestCase);
        AddTestCase(new LimitsTestCase);
        AddTestCase(new DefaultsTestCase);
        AddTestCase(new PortDeathTestCase);
    }
};

/// The instance that registers the suite
const AidcSwitchPortTestSuite g_aidcSwitchPortTestSuite;

} // namespace
