// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/mac48-address.h"
#include "ns3/queue-item.h"
#include "ns3/queue.h"

// The internal queue of the queue discs on a shared buffer.
AIDC_TEST_SUITE("aidc-ring-queue", UNIT);

/// A queue, and what its traces have told.
class TracedQueue
{
  public:
    explicit TracedQueue(const ObjectFactory& factory)
        : queue(factory.Create<Queue<QueueDiscItem>>())
    {
        queue->TraceConnectWithoutContext("Enqueue", MakeCallback(&TracedQueue::Note<'e'>, this));
        queue->TraceConnectWithoutContext("Dequeue", MakeCallback(&TracedQueue::Note<'d'>, this));
        queue->TraceConnectWithoutContext("Drop", MakeCallback(&TracedQueue::Note<'x'>, this));
        queue->TraceConnectWithoutContext("DropBeforeEnqueue",
                                          MakeCallback(&TracedQueue::Note<'b'>, this));
        queue->TraceConnectWithoutContext("DropAfterDequeue",
                                          MakeCallback(&TracedQueue::Note<'a'>, this));
        queue->TraceConnectWithoutContext("PacketsInQueue",
                                          MakeCallback(&TracedQueue::NoteValue<'n'>, this));
        queue->TraceConnectWithoutContext("BytesInQueue",
                                          MakeCallback(&TracedQueue::NoteValue<'s'>, this));
    }

    std::string Tell()
    {
        std::string text = std::move(m_log);
        m_log.clear();
        const auto first = queue->Peek();
        for (const uint64_t value : {first ? first->GetPacket()->GetUid() : 0,
                                     uint64_t{queue->GetNPackets()},
                                     uint64_t{queue->GetNBytes()},
                                     uint64_t{queue->GetTotalReceivedPackets()},
                                     uint64_t{queue->GetTotalReceivedBytes()},
                                     uint64_t{queue->GetTotalDroppedPackets()},
                                     uint64_t{queue->GetTotalDroppedBytes()},
                                     uint64_t{queue->GetTotalDroppedPacketsBeforeEnqueue()},
                                     uint64_t{queue->GetTotalDroppedPacketsAfterDequeue()},
                                     uint64_t{queue->GetTotalDroppedBytesAfterDequeue()},
                                     uint64_t{queue->IsEmpty()}})
        {
            text += std::to_string(value) + ' ';
        }
        return text;
    }

    Ptr<Queue<QueueDiscItem>> queue; //!< the queue

  private:
    template <char C>
    void Note(Ptr<const QueueDiscItem> item)
    {
        m_log += C + std::to_string(item->GetPacket()->GetUid()) + ' ';
    }

    template <char C>
    void NoteValue(uint32_t before, uint32_t now)
    {
        m_log += C + std::to_string(before) + '>' + std::to_string(now) + ' ';
    }

    std::string m_log; //!< what the traces have told
};

// A ring is to who uses it what ns-3's queue is.
AIDC_TEST_CASE("Packets, counters and traces are those of ns-3's DropTailQueue")
{
    ObjectFactory dropTail("ns3::DropTailQueue<QueueDiscItem>");
    dropTail.Set("MaxSize", StringValue("1000000p"));
    TracedQueue expected(dropTail);
    TracedQueue ring(ObjectFactory("ns3::aidc::RingQueue"));
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    for (int i = 0; i < 5000; ++i)
    {
        // It grows for a while, and then becomes empty.
        const uint32_t nEnqueue = i % 1000 < 500 ? 6 : 3;
        const uint32_t action = random->GetInteger(0, 9);
        if (action < nEnqueue)
        {
            const auto item = Create<Ipv4QueueDiscItem>(Create<Packet>(random->GetInteger(1, 1500)),
                                                        Mac48Address(),
                                                        0x0800,
                                                        Ipv4Header());
            AIDC_ASSERT(expected.queue->Enqueue(item), "no limit");
            AIDC_ASSERT(ring.queue->Enqueue(item), "no limit");
        }
        else if (action == 9)
        {
            NS_TEST_ASSERT_MSG_EQ(ring.queue->Remove(), expected.queue->Remove(), "removed");
        }
        else
        {
            NS_TEST_ASSERT_MSG_EQ(ring.queue->Dequeue(), expected.queue->Dequeue(), "dequeued");
        }
        NS_TEST_ASSERT_MSG_EQ(ring.Tell(), expected.Tell(), "after " << i << " actions");
    }
    expected.queue->Flush();
    ring.queue->Flush();
    NS_TEST_EXPECT_MSG_EQ(ring.Tell(), expected.Tell(), "flushed");
    NS_TEST_EXPECT_MSG_EQ(ring.queue->Dequeue(), nullptr, "empty");
}

/// Callbacks are called in the order in which they were connected, until they are not.
class ConnectionsTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Note a call of the first callback.
    void NoteFirst(Ptr<const QueueDiscItem>)
    {
        m_log += '1';
    }

    /// Note a call of the second callback.
    void NoteSecond(Ptr<const QueueDiscItem>)
    {
        m_log += '2';
    }

    /// Note a call of the callback that has a context.
    void NoteNamed(std::string context, Ptr<const QueueDiscItem>)
    {
        m_log += context;
    }

    std::string m_log; //!< the calls
};

AIDC_TEST_CASE_F(ConnectionsTestCase, "Callbacks come and go as with ns-3's trace sources")
{
    for (const auto* type : {"ns3::DropTailQueue<QueueDiscItem>", "ns3::aidc::RingQueue"})
    {
        m_log.clear();
        const auto queue = ObjectFactory(type).Create<Queue<QueueDiscItem>>();
        const auto enqueue = [this, &queue] {
            queue->Enqueue(
                Create<Ipv4QueueDiscItem>(Create<Packet>(1), Address(), 0x0800, Ipv4Header()));
            m_log += '|';
        };
        const auto first = MakeCallback(&ConnectionsTestCase::NoteFirst, this);
        const auto second = MakeCallback(&ConnectionsTestCase::NoteSecond, this);
        const auto named = MakeCallback(&ConnectionsTestCase::NoteNamed, this);
        enqueue();
        queue->TraceConnectWithoutContext("Enqueue", first);
        enqueue();
        queue->TraceConnectWithoutContext("Enqueue", second);
        queue->TraceConnect("Enqueue", "c", named);
        queue->TraceConnectWithoutContext("Enqueue", first);
        enqueue();
        queue->TraceDisconnectWithoutContext("Enqueue", second);
        enqueue();
        queue->TraceDisconnectWithoutContext("Enqueue", first);
        enqueue();
        queue->TraceConnectWithoutContext("Enqueue", first);
        enqueue();
        queue->TraceDisconnect("Enqueue", "c", named);
        queue->TraceDisconnectWithoutContext("Enqueue", first);
        enqueue();
        queue->TraceConnectWithoutContext("Enqueue", second);
        enqueue();
        NS_TEST_EXPECT_MSG_EQ(m_log, "|1|12c1|1c1|c|c1||2|", type);
    }
}
