// SPDX-License-Identifier: GPL-2.0-only

#include "switch-port-bench.h"
#include "test-buffers.h"
#include "test/test-case.h"

// What ns-3 tells of a switch port.
AIDC_TEST_SUITE("aidc-switch-port-statistics", UNIT);

/// What ns-3 tells of a port agrees with what has happened to its packets, at every moment. In a
/// random order, packets of four classes come and leave, and classes are paused, resumed and
/// emptied; classes drop packets and mark them. One class has a queue disc of ns-3's own. The test
/// keeps a list of the packets of each class, by what Enqueue() and Dequeue() answer. Expected
/// results, after each step: the port's size and statistics match the lists; each trace source has
/// told of each packet once; the identities hold that QueueDisc states; each class has sent its
/// packets in the order of their arrival; the buffer's use is the sum of the queued bytes.
class StatisticsTestCase : public TestCase
{
  public:
    StatisticsTestCase(uint32_t seed, uint32_t quantum)
        : TestCase("ns-3's statistics, sizes and traces are right, seed " + std::to_string(seed) +
                   ", quantum " + std::to_string(quantum)),
          m_random(seed),
          m_quantum(quantum)
    {
    }

  private:
    /// Counters of packets.
    struct Counters
    {
        uint32_t received{0}; //!< given to the port
        uint32_t enqueued{0}; //!< queued
        uint32_t dequeued{0}; //!< that have left a queue, sent or not
        uint32_t refused{0};  //!< dropped as they came
        uint32_t emptied{0};  //!< dropped from a queue
        uint32_t marked{0};   //!< marked with CE
    };

    void DoRun() override
    {
        const PortClass small{"ns3::aidc::CoupledEcnQueueDisc",
                              {{"Offset", "2000B"}, {"EcnFloor", "1500B"}},
                              m_quantum,
                              {{"Cap", "9000B"}}};
        const PortClass step{"ns3::aidc::CoupledEcnQueueDisc",
                             {{"Mode", "StaticStep"}, {"Threshold", "3000B"}},
                             m_quantum,
                             {}};
        const PortClass fifo{"ns3::FifoQueueDisc", {{"MaxSize", "10p"}}, m_quantum, {}};
        m_buffer = MakeBuffer(60000);
        m_port = MakePort(m_buffer, {small, step, fifo, small});
        Connect();
        for (int i = 0; i < 20000; ++i)
        {
            Step();
            Compare();
        }
        for (uint32_t index = 0; index < CLASSES; ++index)
        {
            m_port->SetPaused(index, false);
        }
        while (m_port->GetNPackets() > 0)
        {
            Leave();
            Compare();
        }
        NS_TEST_EXPECT_MSG_EQ(m_buffer->GetUsed(), 0, "all is given back");
        NS_TEST_EXPECT_MSG_GT(m_seen.dequeued, 5000, "many are sent");
        NS_TEST_EXPECT_MSG_GT(m_seen.refused, 100, "some are dropped on arrival");
        NS_TEST_EXPECT_MSG_GT(m_seen.emptied, 100, "some are dropped later");
        NS_TEST_EXPECT_MSG_GT(m_seen.marked, 100, "some are marked");
        Simulator::Destroy();
        m_port = nullptr;
        m_buffer = nullptr;
    }

    /// Connect the trace sources of the port.
    void Connect()
    {
        const auto count = [this](const std::string& name, uint32_t Counters::* counter) {
            ConnectTrace(m_port, name, [this, counter](Ptr<const QueueDiscItem>) {
                ++(m_told.*counter);
            });
        };
        count("Enqueue", &Counters::enqueued);
        count("Dequeue", &Counters::dequeued);
        const auto countWhy = [this](const std::string& name, uint32_t Counters::* counter) {
            ConnectTrace(m_port, name, [this, counter](Ptr<const QueueDiscItem>, const char*) {
                ++(m_told.*counter);
            });
        };
        countWhy("DropBeforeEnqueue", &Counters::refused);
        countWhy("DropAfterDequeue", &Counters::emptied);
        countWhy("Mark", &Counters::marked);
    }

    /// Do one thing with the port.
    void Step()
    {
        const uint32_t what = m_random() % 100;
        const uint32_t index = m_random() % CLASSES;
        if (what < 55)
        {
            Arrive(index, 64 + m_random() % 1400);
        }
        else if (what < 97)
        {
            Leave();
        }
        else if (what < 99)
        {
            m_port->SetPaused(index, !m_port->IsPaused(index));
        }
        else
        {
            const auto n = static_cast<uint32_t>(m_packets[index].size());
            m_seen.dequeued += n;
            m_seen.emptied += n;
            m_packets[index].clear();
            m_port->SetDiscarding(index, true);
            AIDC_EXPECT(!m_port->Enqueue(MakeItemOf(index)), "refused meanwhile");
            ++m_seen.received;
            ++m_seen.refused;
            m_port->SetDiscarding(index, false);
        }
    }

    /// Have a packet come. size: its size in bytes.
    void Arrive(uint32_t index, uint32_t size)
    {
        const auto item = MakeItemOf(index, size, ECT0);
        const bool isQueued = m_port->Enqueue(item);
        ++m_seen.received;
        ++(isQueued ? m_seen.enqueued : m_seen.refused);
        m_seen.marked += GetEcn(item) == CE;
        if (isQueued)
        {
            m_packets[index].push_back(item);
        }
    }

    /// Let a packet leave, if one may.
    void Leave()
    {
        bool isReady = false;
        for (uint32_t index = 0; index < CLASSES; ++index)
        {
            isReady |= !m_packets[index].empty() && !m_port->IsPaused(index);
        }
        const auto item = m_port->Dequeue();
        NS_TEST_ASSERT_MSG_EQ((item != nullptr), isReady, "a packet may be sent");
        if (item)
        {
            auto& packets = m_packets[ClassOf(item)];
            AIDC_ASSERT(!packets.empty(), "a packet that was queued");
            NS_TEST_EXPECT_MSG_EQ(item, packets.front(), "the first one");
            packets.pop_front();
            ++m_seen.dequeued;
        }
    }

    /// Compare what ns-3 tells with the lists.
    void Compare()
    {
        uint32_t packets = 0;
        uint32_t bytes = 0;
        for (uint32_t index = 0; index < CLASSES; ++index)
        {
            uint32_t ofClass = 0;
            for (const auto& item : m_packets[index])
            {
                ofClass += item->GetSize();
            }
            NS_TEST_ASSERT_MSG_EQ(CountPackets(m_port, index), m_packets[index].size(), index);
            NS_TEST_ASSERT_MSG_EQ(GetShare(m_port, index)->GetOccupancy(), ofClass, index);
            NS_TEST_ASSERT_MSG_EQ(m_port->IsWaiting(index), !m_packets[index].empty(), index);
            packets += m_packets[index].size();
            bytes += ofClass;
        }
        NS_TEST_ASSERT_MSG_EQ(m_port->GetNPackets(), packets, "packets");
        NS_TEST_ASSERT_MSG_EQ(m_port->GetNBytes(), bytes, "bytes");
        NS_TEST_ASSERT_MSG_EQ(m_buffer->GetUsed(), bytes, "memory");
        const auto& stats = m_port->GetStats();
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalReceivedPackets, m_seen.received, "received");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalEnqueuedPackets, m_seen.enqueued, "enqueued");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalDequeuedPackets, m_seen.dequeued, "dequeued");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalDroppedPacketsBeforeEnqueue, m_seen.refused, "refused");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalDroppedPacketsAfterDequeue, m_seen.emptied, "emptied");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalMarkedPackets, m_seen.marked, "marked");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalSentPackets, m_seen.dequeued - m_seen.emptied, "sent");
        NS_TEST_ASSERT_MSG_EQ(stats.nTotalEnqueuedBytes - stats.nTotalDequeuedBytes, bytes, "held");
        NS_TEST_ASSERT_MSG_EQ(m_told.enqueued, m_seen.enqueued, "trace Enqueue");
        NS_TEST_ASSERT_MSG_EQ(m_told.dequeued, m_seen.dequeued, "trace Dequeue");
        NS_TEST_ASSERT_MSG_EQ(m_told.refused, m_seen.refused, "trace DropBeforeEnqueue");
        NS_TEST_ASSERT_MSG_EQ(m_told.emptied, m_seen.emptied, "trace DropAfterDequeue");
        NS_TEST_ASSERT_MSG_EQ(m_told.marked, m_seen.marked, "trace Mark");
    }

    static constexpr uint32_t CLASSES = 4; //!< the number of classes

    std::mt19937 m_random;                                         //!< the order
    uint32_t m_quantum;                                            //!< of all classes
    Ptr<SharedBuffer> m_buffer;                                    //!< the buffer
    Ptr<SwitchPortQueueDisc> m_port;                               //!< the port
    std::array<std::deque<Ptr<QueueDiscItem>>, CLASSES> m_packets; //!< the queued packets, by class
    Counters m_seen;                                               //!< by what the port answers
    Counters m_told;                                               //!< by the trace sources
};

AIDC_ADD_TEST_CASES()
{
    for (const uint32_t quantum : {0, 1500})
    {
        for (uint32_t seed = 1; seed <= 3; ++seed)
        {
            AddTestCase(new StatisticsTestCase(seed, quantum));
        }
    }
}
