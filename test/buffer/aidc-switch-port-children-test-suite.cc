// SPDX-License-Identifier: GPL-2.0-only

#include "switch-port-bench.h"
#include "test-buffers.h"
#include "test/test-case.h"

// Queue discs of ns-3 as the children of a switch port.
AIDC_TEST_SUITE("aidc-switch-port-children", UNIT);

/// Check the identities that QueueDisc states. queueDisc: a queue disc that is empty.
void
CheckEmpty(Ptr<QueueDisc> queueDisc)
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

/// A queue disc as a child.
struct Child
{
    std::string type;      //!< its TypeId
    Attributes attributes; //!< its attributes
    bool drops;            //!< whether packets are dropped after being dequeued
    uint32_t quantum{0};   //!< of both classes
};

// Queue discs of ns-3 as children: their packets are in the shared buffer as well.
//
// Expected results, B = 100,000, alpha 1, packets of 1000: one class takes n packets while
// 1000 n <= 100000 - 1000 (n - 1): 50; the 51st is dropped by the threshold, before the child has
// seen it. The other class may then have 50,000: m packets while 1000 m <= 50000 - 1000 (m -
// 1): 25. While packets leave, one of each class every 20 ms, some of the disciplines drop others
// of them (CoDel does after 100 ms above its target of 5 ms), but the buffer holds what the
// children hold, at every moment, and in the end nothing. At root and children, received = dropped
// before enqueue
// + enqueued, and enqueued = dequeued when all have left.
AIDC_TEST_CASE_P(ChildTestCase,
                 Child,
                 row,
                 row.type +
                     " as a child draws on the shared buffer and gives all back, with quantum " +
                     std::to_string(row.quantum))
{
    const auto buffer = MakeBuffer(100000);
    const PortClass both{row.type, row.attributes, row.quantum, {}};
    const auto port = MakePort(buffer, {both, both});
    const auto flood = [&](uint32_t index) {
        uint32_t n = 0;
        while (port->Enqueue(MakeItemOf(index)))
        {
            ++n;
        }
        return n;
    };
    NS_TEST_EXPECT_MSG_EQ(flood(0), 50, "the first class");
    NS_TEST_EXPECT_MSG_EQ(flood(1), 25, "the second class");
    NS_TEST_EXPECT_MSG_EQ(port->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
                          2,
                          "the buffer's reason");
    NS_TEST_EXPECT_MSG_EQ(GetChild(port, 0)->GetStats().nTotalReceivedPackets,
                          50,
                          "the child does not see what the buffer refuses");
    // The shares of the buffer are what the children hold.
    const auto compare = [&] {
        for (uint32_t i = 0; i < 2; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(GetShare(port, i)->GetOccupancy(),
                                  GetChild(port, i)->GetNBytes(),
                                  "class " << i << " at " << Simulator::Now().As(Time::MS));
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), port->GetNBytes(), Simulator::Now());
    };
    compare();
    uint32_t nLeft = 0;
    const std::function<void()> leave = [&] {
        for (int i = 0; i < 2; ++i)
        {
            nLeft += port->Dequeue() ? 1 : 0;
            compare();
        }
        if (port->GetNPackets() > 0)
        {
            Simulator::Schedule(MilliSeconds(20), leave);
        }
    };
    Simulator::Schedule(MilliSeconds(20), leave);
    Simulator::Run();
    Simulator::Destroy();

    const auto& stats = port->GetStats();
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
    NS_TEST_EXPECT_MSG_EQ(nLeft + stats.nTotalDroppedPacketsAfterDequeue, 75, "all");
    NS_TEST_EXPECT_MSG_EQ((stats.nTotalDroppedPacketsAfterDequeue > 0), row.drops, "dropped");
    CheckEmpty(port);
    CheckEmpty(GetChild(port, 0));
    CheckEmpty(GetChild(port, 1));
    NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets, 77, "50 + 25 and two dropped");
    // The classes can be filled again.
    AIDC_EXPECT(port->Enqueue(MakeItemOf(0, 50000)), "half of the buffer");
}

/// Check the identities that QueueDisc states, at a port and its child.
void
CheckIdentity(Ptr<SwitchPortQueueDisc> port)
{
    for (const auto& queueDisc : {Ptr<QueueDisc>(port), GetChild(port, 0)})
    {
        const auto& stats = queueDisc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalReceivedPackets,
                              stats.nTotalDroppedPacketsBeforeEnqueue + stats.nTotalEnqueuedPackets,
                              "packets");
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedPackets - stats.nTotalDequeuedPackets,
                              queueDisc->GetNPackets(),
                              "held");
    }
}

// What a child drops by its own rules takes no memory and is told as the child's drop. Expected
// results: a FifoQueueDisc of 10 packets drops the 11th to 15th: the port counts them as its
// child's drops, the buffer holds 10,000 bytes. RED with averages of weight 1, MinTh 2000 and
// MaxTh 4000 (bytes) drops every packet that finds more than MaxTh, so that no more than 5 packets
// of 1000 are ever held.
AIDC_TEST_CASE("packets that a child drops take no memory, and statistics remain identities")
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
    NS_TEST_EXPECT_MSG_EQ(red->GetStats().nTotalDroppedPacketsBeforeEnqueue, 100 - queued, "told");
    DrainOrder(fifo);
    DrainOrder(red);
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}

AIDC_ADD_TEST_CASES()
{
    const Attributes red{{"MaxSize", "1000000B"}, {"MinTh", "900000"}, {"MaxTh", "950000"}};
    for (const uint32_t quantum : {0, 1500})
    {
        AddTestCases<ChildTestCase>({{"ns3::FifoQueueDisc", {{"MaxSize", "1000p"}}, false, quantum},
                                     {"ns3::RedQueueDisc", red, false, quantum},
                                     {"ns3::CoDelQueueDisc", {}, true, quantum},
                                     {"ns3::FqCoDelQueueDisc", {}, true, quantum}});
    }
}
