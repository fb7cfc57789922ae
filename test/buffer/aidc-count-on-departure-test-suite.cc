/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-port-bench.h"
#include "test-buffers.h"

#include "ns3/queue-disc.h"
#include "ns3/queue-item.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/test.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief Get all totals of a queue disc.
 * @param queueDisc the queue disc
 * @return packets and bytes: received, enqueued, dequeued, sent, dropped before and after, marked
 */
std::vector<uint64_t>
GetTotals(QueueDisc& queueDisc)
{
    const auto& stats = queueDisc.GetStats();
    return {stats.nTotalReceivedPackets,
            stats.nTotalReceivedBytes,
            stats.nTotalEnqueuedPackets,
            stats.nTotalEnqueuedBytes,
            stats.nTotalDequeuedPackets,
            stats.nTotalDequeuedBytes,
            stats.nTotalSentPackets,
            stats.nTotalSentBytes,
            stats.nTotalDroppedPacketsBeforeEnqueue,
            stats.nTotalDroppedBytesBeforeEnqueue,
            stats.nTotalDroppedPacketsAfterDequeue,
            stats.nTotalDroppedBytesAfterDequeue,
            stats.nTotalMarkedPackets,
            stats.nTotalMarkedBytes};
}

/**
 * @ingroup aidc-test
 * @brief Two equal ports get the same packets; one is used as ns-3 does, and one by PortQueue.
 *
 * In a random order, packets of four classes come and leave, and classes are paused, resumed and
 * emptied; classes drop packets and mark them. A part of the packets comes and leaves by
 * QueueDisc::Enqueue() and Dequeue() at both ports, as those of the node's own stack do. Both ports
 * do the same with each packet at every moment, and have counted the same whenever they are empty.
 */
class SamePacketsTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param seed of the random order
     * @param quantum of all classes
     */
    SamePacketsTestCase(uint32_t seed, uint32_t quantum)
        : TestCase("CountOnDeparture does the same with packets, seed " + std::to_string(seed) +
                   ", quantum " + std::to_string(quantum)),
          m_random(seed),
          m_quantum(quantum)
    {
    }

  private:
    void DoRun() override
    {
        m_counted = MakeOne(false);
        m_direct = MakeOne(true);
        for (int i = 0; i < 20000; ++i)
        {
            Step();
            NS_TEST_ASSERT_MSG_EQ(m_direct->HasPackets(), m_counted->HasPackets(), "packets");
            NS_TEST_ASSERT_MSG_EQ(m_direct->GetQueuedBytes(), m_counted->GetNBytes(), "bytes");
            NS_TEST_ASSERT_MSG_EQ(m_direct->GetNPackets(), 0, "never counted as queued");
            if (i % 500 == 499)
            {
                Drain();
            }
        }
        const auto totals = GetTotals(*m_counted);
        NS_TEST_EXPECT_MSG_GT(totals[6], 5000, "many are sent");
        NS_TEST_EXPECT_MSG_GT(totals[8], 100, "some are dropped on arrival");
        NS_TEST_EXPECT_MSG_GT(totals[10], 100, "some are dropped later");
        NS_TEST_EXPECT_MSG_GT(totals[12], 100, "some are marked");
        Simulator::Destroy();
        m_counted = nullptr;
        m_direct = nullptr;
    }

    /**
     * @brief Make a port.
     * @param countOnDeparture the attribute
     * @return the port
     */
    Ptr<SwitchPortQueueDisc> MakeOne(bool countOnDeparture) const
    {
        const PortClass small{"ns3::aidc::CoupledEcnQueueDisc",
                              {{"Offset", "2000B"}},
                              m_quantum,
                              {{"Cap", "9000B"}}};
        const PortClass red{"ns3::aidc::CoupledEcnQueueDisc",
                            {{"Mode", "StaticStep"}, {"Threshold", "3000B"}},
                            m_quantum,
                            {}};
        auto port = MakePort(MakeBuffer(60000),
                             {small, red, red, small},
                             {{"CountOnDeparture", countOnDeparture ? "true" : "false"}});
        port->Attach();
        return port;
    }

    /// Do one thing with both ports.
    void Step()
    {
        const uint32_t what = m_random() % 100;
        const uint32_t index = m_random() % 4;
        if (what < 55)
        {
            const uint32_t size = 64 + m_random() % 1400;
            const bool isOwn = m_random() % 4 == 0;
            const bool queued = m_counted->Enqueue(MakeItemOf(index, size, ECT0));
            const auto item = MakeItemOf(index, size, ECT0);
            NS_TEST_ASSERT_MSG_EQ((isOwn ? m_direct->Enqueue(item) : m_direct->Push(item)),
                                  queued,
                                  "queued or dropped");
        }
        else if (what < 97)
        {
            Leave(m_random() % 4 == 0);
        }
        else if (what < 99)
        {
            const bool paused = !m_counted->IsPaused(index);
            m_counted->SetPaused(index, paused);
            m_direct->SetPaused(index, paused);
        }
        else
        {
            for (const bool discarding : {true, false})
            {
                m_counted->SetDiscarding(index, discarding);
                m_direct->SetDiscarding(index, discarding);
            }
        }
    }

    /**
     * @brief Let a packet leave both ports.
     * @param isOwn whether by QueueDisc::Dequeue()
     * @return false if there is none
     */
    bool Leave(bool isOwn)
    {
        const auto expected = m_counted->Dequeue();
        const auto item = isOwn ? m_direct->Dequeue() : m_direct->Pop();
        NS_TEST_EXPECT_MSG_EQ(!item, !expected, "a packet may be sent");
        if (item && expected)
        {
            NS_TEST_EXPECT_MSG_EQ(item->GetSize(), expected->GetSize(), "the same one");
            NS_TEST_EXPECT_MSG_EQ(GetTos(item), GetTos(expected), "with the same mark");
        }
        return expected != nullptr;
    }

    /// Let all packets leave, and compare what has been counted.
    void Drain()
    {
        for (uint32_t index = 0; index < 4; ++index)
        {
            m_counted->SetPaused(index, false);
            m_direct->SetPaused(index, false);
        }
        while (Leave(false))
        {
        }
        Compare(*m_direct, *m_counted);
        for (uint32_t index = 0; index < 4; ++index)
        {
            Compare(*GetChild(m_direct, index), *GetChild(m_counted, index));
            NS_TEST_EXPECT_MSG_EQ(m_direct->GetSent(index), m_counted->GetSent(index), "sent");
        }
    }

    /**
     * @brief Compare what two queue discs have counted.
     * @param queueDisc the one
     * @param expected the other
     */
    void Compare(QueueDisc& queueDisc, QueueDisc& expected)
    {
        const auto totals = GetTotals(queueDisc);
        const auto expectedTotals = GetTotals(expected);
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(totals[i], expectedTotals[i], "total " << i);
        }
    }

    std::mt19937 m_random;              //!< the order
    uint32_t m_quantum;                 //!< of all classes
    Ptr<SwitchPortQueueDisc> m_counted; //!< the port that ns-3 counts
    Ptr<SwitchPortQueueDisc> m_direct;  //!< the other
};

/**
 * @ingroup aidc-test
 * @brief Without the attribute, without a port that knows PortQueue, or with a class that cannot,
 * packets are counted as they come.
 */
class CountedAsEverTestCase : public TestCase
{
  public:
    CountedAsEverTestCase()
        : TestCase("CountOnDeparture has no effect where it cannot")
    {
    }

  private:
    void DoRun() override
    {
        const Attributes wanted{{"CountOnDeparture", "true"}};
        const PortClass own;
        const PortClass foreign{"ns3::FqCoDelQueueDisc", {}, 0, {}};
        Check(MakePort(MakeBuffer(60000), {own, own}), true, 1, "by default");
        Check(MakePort(MakeBuffer(60000), {own, own}, wanted), false, 1, "not attached");
        Check(MakePort(MakeBuffer(60000), {own, foreign}, wanted), true, 1, "FqCoDel beside");
        Check(MakePort(MakeBuffer(60000), {own, own}, wanted), true, 0, "wanted and possible");
        auto late = MakePort(MakeBuffer(60000), {own, own}, wanted);
        late->Enqueue(MakeItemOf(0));
        Check(late, true, 2, "attached with a packet in it");
        Simulator::Destroy();
    }

    /**
     * @brief Push a packet and see how it is counted.
     * @param port the port
     * @param isAttached whether the port is attached before
     * @param expected the packets that it counts then
     * @param what which case it is
     */
    void Check(Ptr<SwitchPortQueueDisc> port,
               bool isAttached,
               uint32_t expected,
               const std::string& what)
    {
        if (isAttached)
        {
            port->Attach();
        }
        NS_TEST_EXPECT_MSG_EQ(port->Push(MakeItemOf(0)), true, what);
        NS_TEST_EXPECT_MSG_EQ(port->GetNPackets(), expected, what);
        NS_TEST_EXPECT_MSG_EQ(port->HasPackets(), true, what);
        while (port->Pop())
        {
        }
        NS_TEST_EXPECT_MSG_EQ(port->HasPackets(), false, what);
    }
};

/**
 * @ingroup aidc-test
 * @brief Packets that are counted as they leave.
 */
class AidcCountOnDepartureTestSuite : public TestSuite
{
  public:
    AidcCountOnDepartureTestSuite()
        : TestSuite("aidc-count-on-departure", TestSuite::Type::UNIT)
    {
        for (const uint32_t quantum : {0, 1500})
        {
            for (uint32_t seed = 1; seed <= 3; ++seed)
            {
                AddTestCase(new SamePacketsTestCase(seed, quantum));
            }
        }
        AddTestCase(new CountedAsEverTestCase);
    }
};

/// The instance that registers the suite
const AidcCountOnDepartureTestSuite g_aidcCountOnDepartureTestSuite;

} // namespace
