// SPDX-License-Identifier: GPL-2.0-only

#include "switch-port-bench.h"
#include "test-buffers.h"
#include "test/test-case.h"

#include "ns3/ingress-buffer.h"

namespace
{

// Memory in cells and in partitions.
AIDC_TEST_SUITE("aidc-buffer-cells", UNIT);

/// A packet of 1000 bytes is a frame of 1018: 5 cells of 254. One of 500 bytes takes 3.
constexpr uint32_t CELL = 254;
constexpr uint32_t LARGE = 5 * CELL;
constexpr uint32_t SMALL = 3 * CELL;

/// Make a buffer of so many cells.
Ptr<SharedBuffer>
MakeCells(uint32_t cells)
{
    auto buffer = CreateObject<SharedBuffer>();
    buffer->SetAttribute("CellSize", UintegerValue(CELL));
    buffer->SetAttribute("Size", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, cells * CELL)));
    return buffer;
}

// 100 cells, alpha 1: a queue has (100 - q) at most, packets of 5 cells: the tenth takes it to 50,
// and 45 + 5 <= 55; the eleventh would need 55 of 50.
AIDC_TEST_CASE("A queue takes the cells of its frames")
{
    const auto buffer = MakeCells(100);
    const auto port = MakePort(buffer, {PortClass{}});
    uint32_t queued = 0;
    while (port->Enqueue(MakeItemOf(0)))
    {
        ++queued;
        NS_TEST_ASSERT_MSG_EQ(buffer->GetUsed(), queued * LARGE, "cells");
        NS_TEST_ASSERT_MSG_EQ(GetShare(port, 0)->GetOccupancy(), queued * LARGE, "its own");
    }
    NS_TEST_EXPECT_MSG_EQ(queued, 10, "half of the memory");
    NS_TEST_EXPECT_MSG_EQ(port->GetNBytes(), 10000, "to ns-3 these are bytes of packets");
    while (port->Dequeue())
    {
        --queued;
        NS_TEST_ASSERT_MSG_EQ(buffer->GetUsed(), queued * LARGE, "cells");
    }
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 100 * CELL, "all that was admitted is released");
}

// A threshold of 12 cells is reached by the third packet: 15 cells.
AIDC_TEST_CASE("Marking compares cells with its threshold")
{
    PortClass c;
    c.attributes = {{"Mode", "StaticStep"}, {"Threshold", std::to_string(12 * CELL) + "B"}};
    const auto port = MakePort(MakeCells(1000), {c});
    std::string marks;
    for (uint32_t i = 0; i < 4; ++i)
    {
        port->Enqueue(MakeItemOf(0, 1000, ECT0));
    }
    while (const auto item = port->Dequeue())
    {
        marks += GetEcn(item) == CE ? 'M' : '-';
    }
    NS_TEST_EXPECT_MSG_EQ(marks, "--MM", "from 12 cells on");
}

// Four packets of 5 cells, a threshold of 10: they leave 15, 10, 5 and 0 cells behind, and with
// themselves see 20, 15, 10 and 5.
AIDC_TEST_CASE("Chips mark what leaves by the occupancy with it")
{
    for (const bool isWith : {false, true})
    {
        PortClass c;
        c.attributes = {{"Mode", "StaticStep"},
                        {"Threshold", std::to_string(10 * CELL) + "B"},
                        {"MarkingPoint", isWith ? "DequeueWith" : "Dequeue"}};
        const auto port = MakePort(MakeCells(1000), {c});
        for (uint32_t i = 0; i < 4; ++i)
        {
            port->Enqueue(MakeItemOf(0, 1000, ECT0));
        }
        std::string marks;
        while (const auto item = port->Dequeue())
        {
            marks += GetEcn(item) == CE ? 'M' : '-';
        }
        NS_TEST_EXPECT_MSG_EQ(marks, (isWith ? "MMM-" : "MM--"), "its threshold");
    }
}

// The sum of a child's cells does not follow from its bytes: 1000 and 500 take 8 cells. CoDel
// peeks.
AIDC_TEST_CASE("A queue disc of ns-3's own takes the cells of its frames")
{
    for (const std::string type : {"ns3::FifoQueueDisc", "ns3::CoDelQueueDisc"})
    {
        const auto buffer = MakeCells(1000);
        PortClass child;
        child.type = type;
        child.quantum = 1000;
        PortClass own;
        own.quantum = 1000;
        const auto port = MakePort(buffer, {child, own});
        port->Enqueue(MakeItemOf(0, 1000));
        port->Enqueue(MakeItemOf(0, 500));
        port->Enqueue(MakeItemOf(1, 500));
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), LARGE + 2 * SMALL, type);
        uint32_t left = 0;
        while (const auto item = port->Dequeue())
        {
            left += item->GetSize() == 1000 ? LARGE : SMALL;
            NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), LARGE + 2 * SMALL - left, type);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all that was admitted is released");
    }
}

// Two parts of 50 cells: ports 0 and 1 draw on the first one, ports 2 and 3 on the second one. A
// queue of port 0 takes 25 of its 50; one of port 1 then has 25 at most, one of port 2 has 50.
AIDC_TEST_CASE("Ports draw on their part of the memory")
{
    const auto buffer = MakeCells(100);
    buffer->SetAttribute("Partitions", UintegerValue(2));
    buffer->SetAttribute("PortsPerPartition", UintegerValue(2));
    std::vector<Ptr<SharedBufferQueue>> queues;
    for (uint32_t port = 0; port < 4; ++port)
    {
        queues.push_back(CreateObject<SharedBufferQueue>());
        buffer->AddQueue(queues.back(), port);
    }
    for (uint32_t i = 0; i < 5; ++i)
    {
        NS_TEST_ASSERT_MSG_EQ((queues[0]->Admit(1000) == Admission::ADMITTED), true, "there is");
    }
    AIDC_EXPECT(queues[0]->Admit(1000) == Admission::OVER_THRESHOLD, "25 + 5 of 25");
    NS_TEST_EXPECT_MSG_EQ(queues[1]->GetThreshold(), 25 * CELL, "of the same part");
    NS_TEST_EXPECT_MSG_EQ(queues[2]->GetThreshold(), 50 * CELL, "of the other one");
    NS_TEST_EXPECT_MSG_EQ(queues[3]->GetThreshold(), 50 * CELL, "likewise");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 75 * CELL, "of both");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetSize(), 100 * CELL, "of both");
    for (uint32_t port = 0; port < 4; ++port)
    {
        NS_TEST_EXPECT_MSG_EQ(buffer->GetPartition(port), port / 2, port);
        const auto account = CreateObject<IngressBuffer>();
        buffer->AddIngress(port, 3, account);
        NS_TEST_EXPECT_MSG_EQ(account->GetXoffThreshold(), (port < 2 ? 25 : 50) * CELL, port);
    }
    for (uint32_t i = 0; i < 5; ++i)
    {
        queues[0]->Release(1000);
    }
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all that was admitted is released");
}

// 1200 cells, ports with alpha 2, queues with alpha 1/2: 480 are a queue's that is alone (the test
// of the arithmetic), here in packets of 5 cells, the last of which would take it beyond.
AIDC_TEST_CASE("Two levels: a queue has its alpha of what its port's leaves")
{
    const auto buffer = MakeCells(1200);
    buffer->SetAttribute("PortAlpha", DoubleValue(2));
    std::vector<Ptr<SharedBufferQueue>> queues;
    for (const uint32_t port : {0, 0, 1})
    {
        queues.push_back(CreateObject<SharedBufferQueue>());
        queues.back()->SetAttribute("Alpha", DoubleValue(0.5));
        buffer->AddQueue(queues.back(), port);
    }
    uint64_t first = 0;
    ConnectTrace(queues[0], "Threshold", [&first](uint64_t before, uint64_t) {
        first = first > 0 ? first : before;
    });
    uint32_t held = 0;
    while (queues[0]->Admit(1000) == Admission::ADMITTED)
    {
        held += 5;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(held, 480, 5, "p q B / (1 + q + p q)");
    NS_TEST_EXPECT_MSG_EQ(first, 1200 * CELL, "told from q p B of the empty memory on");
    const double left = 2 * (1200.0 - held) - held;
    NS_TEST_EXPECT_MSG_EQ_TOL(queues[1]->GetThreshold(), left / 2 * CELL, 1, "of the same port");
    NS_TEST_EXPECT_MSG_EQ(queues[2]->GetThreshold(), (1200 - held) * CELL, "of another port");
}

AIDC_TEST_CASE("What divides the memory is refused too late, and alphas may be powers of two only")
{
    const auto buffer = MakeCells(100);
    buffer->SetAttribute("PowerOfTwoAlphas", BooleanValue(true));
    AIDC_EXPECT(!buffer->SetAttributeFailSafe("HeadroomPool", QueueSizeValue(QueueSize("26kB"))),
                "more than there is");
    const auto queue = AddQueue(buffer, 0.5);
    AIDC_EXPECT(!queue->SetAttributeFailSafe("Alpha", DoubleValue(0.3)), "no power of two");
    AIDC_EXPECT(queue->SetAttributeFailSafe("Alpha", DoubleValue(0.25)), "a power of two");
    AIDC_EXPECT(!buffer->SetAttributeFailSafe("CellSize", UintegerValue(208)), "too late");
    AIDC_EXPECT(!buffer->SetAttributeFailSafe("Partitions", UintegerValue(2)), "too late");
    AIDC_EXPECT(buffer->SetAttributeFailSafe("CellSize", UintegerValue(CELL)), "as it is");
}

} // namespace
