// SPDX-License-Identifier: GPL-2.0-only

#include "switch-port-bench.h"
#include "test-buffers.h"
#include "test/test-case.h"

#include "ns3/integer.h"

// The classes of a switch port, and its configuration.
AIDC_TEST_SUITE("aidc-switch-port", UNIT);

// Expected results: without a map the three upper bits of the DSCP, at most the highest class: with
// 8 classes DSCP 46 (101110) is class 5, with 4 it is 3, with 1 it is 0. A map names single DSCPs,
// and leaves the others. IPv6 is treated as IPv4.
AIDC_TEST_CASE("a packet's class is that of the DSCP's three upper bits, or of the map")
{
    for (const uint32_t n : {8, 4, 1})
    {
        auto port = MakePort(MakeBuffer(12000000), std::vector<PortClass>(n));
        for (uint32_t dscp = 0; dscp < 64; ++dscp)
        {
            for (uint32_t ecn = 0; ecn < 4; ++ecn)
            {
                NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(dscp << 2 | ecn),
                                      std::min(dscp / 8, n - 1),
                                      "DSCP " << dscp << ", " << n << " classes");
            }
        }
    }
    auto port = MakePort(MakeBuffer(12000000),
                         std::vector<PortClass>(4),
                         {{"DscpMap", "46:1, 0:2,63:0 ,8:3"}});
    const auto expect = [this, port](uint32_t dscp, uint32_t index) {
        NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(dscp << 2), index, "DSCP " << dscp);
    };
    expect(46, 1);
    expect(0, 2);
    expect(63, 0);
    expect(8, 3);
    expect(1, 0);
    expect(9, 1);
    expect(45, 3);
    port->Enqueue(MakeIpv6Item(1000, 46 << 2));
    NS_TEST_EXPECT_MSG_EQ(CountPackets(port, 1), 1, "IPv6");

    // While running too; a class that the port does not have is refused then.
    AIDC_EXPECT(port->SetAttributeFailSafe("DscpMap", StringValue("46:3")), "while running");
    expect(46, 3);
    expect(0, 0);
    AIDC_EXPECT(!port->SetAttributeFailSafe("DscpMap", StringValue("46:4")), "no such class");
    expect(46, 3);
}

AIDC_TEST_CASE("a map that is not DSCP:class pairs within their ranges is refused")
{
    auto port = CreateObject<SwitchPortQueueDisc>();
    const auto set = [port](const std::string& map) {
        return port->SetAttributeFailSafe("DscpMap", StringValue(map));
    };
    AIDC_EXPECT(set("46:5"), "a good one");
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
        AIDC_EXPECT(!set(map), map);
    }
    StringValue map;
    port->GetAttribute("DscpMap", map);
    NS_TEST_EXPECT_MSG_EQ(map.Get(), "46:5", "as it was");
    AIDC_EXPECT(set(""), "none");
    for (const auto* name : {"NClasses", "NonIpClass", "L4sClass"})
    {
        AIDC_EXPECT(!port->SetAttributeFailSafe(name, StringValue("9")), name);
    }
    AIDC_EXPECT(!port->SetAttributeFailSafe("NClasses", UintegerValue(0)), "0");
    AIDC_EXPECT(!port->SetAttributeFailSafe("L4sClass", IntegerValue(-2)), "-2");
}

// An L4S class beside a classic class whose threshold is coupled. Expected results: class 0 is
// coupled, Buf_Thrd 250,000 by Cap, Offset 150,000, EcnFloor 100,000: ECN_Thrd 100,000, so that the
// 100th of its packets of 1000 is the first marked. Class 1 marks from 10,000 on, its 10th. ECT(1)
// and CE go to class 1 whatever their DSCP, Not-ECT and ECT(0) do not. When another queue of the
// 12,000,000 takes 11,950,000, Buf_Thrd is 50,000: ECN_Thrd of class 0 is 50,000 (region C), class
// 1's stays 10,000.
AIDC_TEST_CASE("ECN_Thrd serves the classic queue, the L4S queue keeps its own marking "
               "(section 3)")
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
        NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(dscp << 2 | NOT_ECT), byDscp, dscp);
        NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(dscp << 2 | ECT0), byDscp, dscp);
        NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(dscp << 2 | ECT1), 1, dscp);
        NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(dscp << 2 | CE), 1, dscp);
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
    NS_TEST_EXPECT_MSG_EQ(CountPackets(port, 0), 120, "classic");
    NS_TEST_EXPECT_MSG_EQ(CountPackets(port, 1), 121, "L4S");
    // The marks of children are the port's too.
    NS_TEST_EXPECT_MSG_EQ(port->GetStats().nTotalMarkedPackets, 21 + 112, "100-120, 10-121");
    DrainOrder(port);

    auto other = CreateObject<SharedBufferQueue>();
    other->SetAttribute("Alpha", DoubleValue(65536));
    buffer->AddQueue(other);
    other->Admit(11950000);
    const auto ecnThrd = [port](uint32_t index) {
        return DynamicCast<CoupledEcnQueue>(port->GetClass(index)->GetQueue())->GetEcnThreshold();
    };
    NS_TEST_EXPECT_MSG_EQ(ecnThrd(0), 50000, "follows");
    NS_TEST_EXPECT_MSG_EQ(ecnThrd(1), 10000, "does not");

    AIDC_EXPECT(!port->SetAttributeFailSafe("L4sClass", IntegerValue(2)), "two");
    AIDC_EXPECT(port->SetAttributeFailSafe("L4sClass", IntegerValue(-1)), "none");
    NS_TEST_EXPECT_MSG_EQ(port->GetClassMap().GetClassOfTos(ECT1), 0, "as its DSCP");
}

// Expected results: by default class 7, or class 3 of four; with four classes, a NonIpClass of 1 is
// 1. While running 7 is 3 again.
AIDC_TEST_CASE("packets that are not IP go to NonIpClass, at most the highest class")
{
    const auto expect = [this](Ptr<SwitchPortQueueDisc> port, uint32_t index) {
        const uint32_t before = CountPackets(port, index);
        AIDC_EXPECT(port->Enqueue(MakeNonIpItem(100)), "admitted");
        NS_TEST_EXPECT_MSG_EQ(CountPackets(port, index), before + 1, index);
    };
    expect(MakePort(MakeBuffer(12000000), std::vector<PortClass>(8)), 7);
    auto four = MakePort(MakeBuffer(12000000), std::vector<PortClass>(4));
    expect(four, 3);
    auto port = MakePort(MakeBuffer(12000000), std::vector<PortClass>(4), {{"NonIpClass", "1"}});
    expect(port, 1);
    port->SetAttribute("NonIpClass", UintegerValue(7));
    expect(port, 3);
    port->SetAttribute("NonIpClass", UintegerValue(2));
    expect(port, 2);
}

// Headroom, cap and reserve of a class hold for children of ours and of ns-3 alike. Expected
// results, packets of 1000, cap 2000 and headroom 3000: 2 are admitted, 3 go to the headroom, the
// 6th is refused by the cap; when one has left, one is admitted again. At the port the drop has the
// buffer's reason.
AIDC_TEST_CASE("a class's cap and headroom hold for every kind of child")
{
    for (const std::string type : {"ns3::aidc::CoupledEcnQueueDisc", "ns3::FifoQueueDisc"})
    {
        const bool isOurs = type != "ns3::FifoQueueDisc";
        auto buffer = MakeBuffer(1000000);
        // Without an Offset, which would be too large for the cap.
        const Attributes attributes =
            isOurs ? Attributes{{"Offset", "0B"}} : Attributes{{"MaxSize", "1000p"}};
        auto port =
            MakePort(buffer, {{type, attributes, 0, {{"Cap", "2000B"}, {"Headroom", "3000B"}}}});
        for (int i = 1; i <= 7; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(port->Enqueue(MakeItemOf(0)), (i <= 5), type << " " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 5000, type);
        NS_TEST_EXPECT_MSG_EQ(port->GetStats().GetNDroppedPackets(SharedBufferQueue::CAP_DROP),
                              2,
                              type);
        port->Dequeue();
        AIDC_EXPECT(port->Enqueue(MakeItemOf(0)), type);
        AIDC_EXPECT(!port->Enqueue(MakeItemOf(0)), type);
        DrainOrder(port);
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, type);
    }
}

// Expected results: NClasses classes, each with a CoupledEcnQueueDisc, which all draw on one buffer
// of the size BufferSize.
AIDC_TEST_CASE("a port without classes and buffer makes NClasses coupled ones on a buffer of its "
               "own")
{
    auto port = MakePort(nullptr, {}, {{"NClasses", "3"}, {"BufferSize", "5MB"}});
    NS_TEST_ASSERT_MSG_EQ(port->GetNClasses(), 3, "NClasses");
    NS_TEST_EXPECT_MSG_EQ(port->GetSharedBuffer()->GetSize(), 5000000, "BufferSize");
    NS_TEST_EXPECT_MSG_EQ(port->GetSharedBuffer()->GetNQueues(), 3, "a share a class");
    for (uint32_t i = 0; i < 3; ++i)
    {
        const auto queue = DynamicCast<CoupledEcnQueue>(port->GetClass(i)->GetQueue());
        NS_TEST_ASSERT_MSG_NE(queue, nullptr, "kind");
        NS_TEST_EXPECT_MSG_EQ(queue->GetSharedBuffer(), port->GetSharedBuffer(), "the buffer");
        NS_TEST_EXPECT_MSG_EQ(GetShare(port, i), queue, "the share");
    }
    auto all = MakePort(nullptr, {});
    NS_TEST_EXPECT_MSG_EQ(all->GetNClasses(), 8, "by default");
    NS_TEST_EXPECT_MSG_EQ(all->GetSharedBuffer()->GetSize(), 12000000, "by default");
}

// Impossible configurations end the program, with the reason.
AIDC_TEST_CASE("a port that cannot be ends the program with the reason")
{
    const auto make = [](uint32_t n, const Attributes& attributes = {}) {
        return RunInChild([n, attributes] {
            MakePort(MakeBuffer(12000000), std::vector<PortClass>(n), attributes);
        });
    };
    const auto nine = make(9);
    AIDC_EXPECT(nine.Says("at most 8 classes are possible"), nine.errors);
    const auto eight = make(8);
    AIDC_EXPECT(!eight.died, eight.errors);
    const auto l4s = make(2, {{"L4sClass", "2"}});
    AIDC_EXPECT(l4s.Says("L4sClass is 2, there are 2 classes"), l4s.errors);
    const auto map = make(2, {{"DscpMap", "0:2"}});
    AIDC_EXPECT(map.Says("DscpMap names class 2"), map.errors);

    ExpectRefusal("expected AddClass() with a ns3::aidc::SwitchPortClass", [] {
        auto port = CreateObject<SwitchPortQueueDisc>();
        auto qdClass = CreateObject<QueueDiscClass>();
        qdClass->SetQueueDisc(CreateObject<CoupledEcnQueueDisc>());
        port->AddQueueDiscClass(qdClass);
        port->Initialize();
    });
    ExpectRefusal("There is no class 2", [] {
        MakePort(MakeBuffer(12000000), std::vector<PortClass>(2))->SetPaused(2, true);
    });
}
