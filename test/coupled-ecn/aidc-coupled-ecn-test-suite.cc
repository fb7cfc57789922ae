/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../buffer/test-packets.h"
#include "../death-test.h"

#include "ns3/boolean.h"
#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/double.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/random-variable-stream.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

#include <functional>
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

/// Old and new values that a trace of bytes has told.
using Changes = std::vector<std::pair<uint64_t, uint64_t>>;

/// Makes a packet of so many bytes.
using Maker = std::function<Ptr<QueueDiscItem>(uint32_t)>;

/**
 * @brief Note what a trace tells.
 * @param changes where to
 * @param first the first argument of the trace
 * @param second the second argument of the trace
 */
void
Note(Changes* changes, uint64_t first, uint64_t second)
{
    changes->emplace_back(first, second);
}

/**
 * @brief Note what a trace of regions tells.
 * @param text where to, two letters a change
 * @param before the region before
 * @param after the region after
 */
void
NoteRegion(std::string* text, EcnRegion before, EcnRegion after)
{
    *text += {ToChar(before), ToChar(after), ' '};
}

/**
 * @brief Note what a trace of reconfigurations tells.
 * @param texts where to
 * @param before the configuration before
 * @param after the configuration after
 */
void
NoteReconfiguration(std::vector<std::pair<std::string, std::string>>* texts,
                    const std::string& before,
                    const std::string& after)
{
    texts->emplace_back(before, after);
}

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
 * @brief Make a queue disc, initialized.
 * @param buffer the shared buffer to draw on
 * @param attributes of the queue disc
 * @param limits attributes of its share of the buffer
 * @return the queue disc
 */
Ptr<CoupledEcnQueueDisc>
MakeQueueDisc(Ptr<SharedBuffer> buffer, const Attributes& attributes, const Attributes& limits = {})
{
    auto queueDisc = CreateObject<CoupledEcnQueueDisc>();
    for (const auto& [name, value] : attributes)
    {
        queueDisc->SetAttribute(name, StringValue(value));
    }
    for (const auto& [name, value] : limits)
    {
        queueDisc->GetBufferQueue()->SetAttribute(name, StringValue(value));
    }
    queueDisc->SetSharedBuffer(buffer);
    queueDisc->Initialize();
    return queueDisc;
}

/**
 * @brief Add a queue that stands for the other ports of the switch.
 * @param buffer the shared buffer
 * @return the queue, whose alpha lets it take all memory but little
 */
Ptr<SharedBufferQueue>
AddOther(Ptr<SharedBuffer> buffer)
{
    auto other = CreateObject<SharedBufferQueue>();
    other->SetAttribute("Alpha", DoubleValue(64));
    buffer->AddQueue(other);
    return other;
}

/**
 * @brief Get a maker of IPv4 packets.
 * @param tos their DSCP and ECN codepoint
 * @return the maker
 */
Maker
Ipv4With(uint8_t tos)
{
    return [tos](uint32_t size) { return MakeIpv4Item(size, tos); };
}

/// What happened to a series of packets.
struct Flooded
{
    uint32_t firstMarked{0};  ///< the first that was marked, from 1; 0 for none
    uint32_t lastAdmitted{0}; ///< the last before the first that was dropped, from 1
    uint32_t marked{0};       ///< how many of the admitted were marked
};

/**
 * @brief Enqueue packets until one is dropped.
 * @param queueDisc the queue disc
 * @param maker makes the packets
 * @param size bytes a packet
 * @return what happened
 */
Flooded
Flood(Ptr<QueueDisc> queueDisc, const Maker& maker, uint32_t size = 1000)
{
    Flooded result;
    while (true)
    {
        const auto before = queueDisc->GetStats().nTotalMarkedPackets;
        if (!queueDisc->Enqueue(maker(size)))
        {
            return result;
        }
        ++result.lastAdmitted;
        if (queueDisc->GetStats().nTotalMarkedPackets > before)
        {
            ++result.marked;
            if (result.firstMarked == 0)
            {
                result.firstMarked = result.lastAdmitted;
            }
        }
    }
}

/**
 * @brief Dequeue all packets.
 * @param queueDisc the queue disc
 * @return how many of them are CE
 */
uint32_t
Drain(Ptr<QueueDisc> queueDisc)
{
    uint32_t ce = 0;
    while (auto item = queueDisc->Dequeue())
    {
        ce += GetEcn(item) == CE ? 1 : 0;
    }
    return ce;
}

/// A row of section 5.2, with Buf_Thrd set by a static cap and packets of 1000 bytes.
struct RegionRow
{
    std::string name;      ///< what it is about
    uint32_t bufThrd;      ///< Cap in bytes
    uint32_t offset;       ///< Offset in bytes
    uint32_t floor;        ///< EcnFloor in bytes
    EcnRegion region;      ///< the expected region
    uint64_t ecnThrd;      ///< the expected ECN_Thrd in bytes
    uint32_t firstMarked;  ///< the expected first packet that is marked, 0 for none
    uint32_t lastAdmitted; ///< the expected last packet that is admitted
};

/**
 * @ingroup aidc-test
 * @brief The reference algorithm at work: where marking begins, and where packets are dropped.
 *
 * Expected results: those of the rows below. With packets of 1000 bytes, n of them occupy 1000 n:
 * the first marked is the first n with 1000 n >= ECN_Thrd, the last admitted the last n with
 * 1000 n <= Buf_Thrd. All from the first marked on are marked, up to the drop by the cap.
 */
class RegionTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param row the row
     */
    explicit RegionTestCase(const RegionRow& row)
        : TestCase("ECN_Thrd by Buf_Thrd, Offset and ECN_Floor (section 5.2): " + row.name),
          m_row(row)
    {
    }

  private:
    void DoRun() override
    {
        const CapturedErrors errors; // an Offset that is too large is warned of
        auto buffer = MakeBuffer(12000000);
        auto queueDisc = MakeQueueDisc(buffer,
                                       {{"Offset", std::to_string(m_row.offset) + "B"},
                                        {"EcnFloor", std::to_string(m_row.floor) + "B"}},
                                       {{"Cap", std::to_string(m_row.bufThrd) + "B"}});
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetBufferQueue()->GetThreshold(),
                              m_row.bufThrd,
                              "the cap");
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), m_row.ecnThrd, "ECN_Thrd");
        NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetRegion()), ToChar(m_row.region), "region");
        const auto flooded = Flood(queueDisc, Ipv4With(ECT0));
        NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, m_row.firstMarked, "first marked");
        NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, m_row.lastAdmitted, "last admitted");
        const uint32_t marked =
            m_row.firstMarked == 0 ? 0 : m_row.lastAdmitted - m_row.firstMarked + 1;
        NS_TEST_EXPECT_MSG_EQ(flooded.marked, marked, "marked");
        const auto& stats = queueDisc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.GetNMarkedPackets(CoupledEcnQueueDisc::THRESHOLD_MARK),
                              marked,
                              "reason of the marks");
        NS_TEST_EXPECT_MSG_EQ(stats.GetNDroppedPackets(SharedBufferQueue::CAP_DROP),
                              1,
                              "reason of the drop");
        NS_TEST_EXPECT_MSG_EQ(Drain(queueDisc), marked, "the marked packets are CE");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
    }

    RegionRow m_row; ///< the row
};

/**
 * @ingroup aidc-test
 * @brief In region C a packet that fills the queue to the byte is marked, the next is dropped.
 *
 * Expected results, Buf_Thrd = 99999 < EcnFloor = 100000, hence ECN_Thrd = 99999: 99 packets of
 * 1000 bytes make 99000, one of 999 makes 99999: marked. No byte more is admitted.
 */
class DropBoundaryTestCase : public TestCase
{
  public:
    DropBoundaryTestCase()
        : TestCase("in region C packets are marked exactly at the tail drop boundary (section 5.2)")
    {
    }

  private:
    void DoRun() override
    {
        auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                       {{"Offset", "0B"}, {"EcnFloor", "100000B"}},
                                       {{"Cap", "99999B"}});
        for (int i = 0; i < 99; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(queueDisc->Enqueue(MakeIpv4Item(1000, ECT0)), true, i);
        }
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets, 0, "99000 < 99999");
        NS_TEST_EXPECT_MSG_EQ(queueDisc->Enqueue(MakeIpv4Item(999, ECT0)), true, "99999");
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets, 1, "99999 >= 99999");
        NS_TEST_EXPECT_MSG_EQ(queueDisc->Enqueue(MakeIpv4Item(20, ECT0)), false, "100019 > 99999");
    }
};

/**
 * @ingroup aidc-test
 * @brief With a dynamic Buf_Thrd marking begins where the shrinking ECN_Thrd meets the occupancy.
 *
 * Expected results, B = 1,000,000, alpha 0.5, Offset 100,000, EcnFloor 50,000, packets of 1000:
 * after n packets Buf_Thrd = 0.5 (1000000 - 1000 n) = 500000 - 500 n, ECN_Thrd = 400000 - 500 n
 * (region A up to n = 699). Marked when 1000 n >= 400000 - 500 n, n >= 266.7: the 267th, for which
 * ECN_Thrd = 266500. Packet n is admitted when 1000 n <= 500000 - 500 (n - 1), n <= 333.7: the last
 * is the 333rd. It is the threshold that drops the next, as 667000 bytes are free.
 */
class AlphaTestCase : public TestCase
{
  public:
    AlphaTestCase()
        : TestCase("ECN_Thrd follows a Buf_Thrd that is alpha times the free memory (section 5.2)")
    {
    }

  private:
    void DoRun() override
    {
        auto buffer = MakeBuffer(1000000);
        auto queueDisc = MakeQueueDisc(buffer,
                                       {{"Offset", "100000B"}, {"EcnFloor", "50000B"}},
                                       {{"Alpha", "0.5"}});
        const auto flooded = Flood(queueDisc, Ipv4With(ECT0));
        NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 267, "first marked");
        NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 333, "last admitted");
        NS_TEST_EXPECT_MSG_EQ(flooded.marked, 67, "267 to 333");
        NS_TEST_EXPECT_MSG_EQ(
            queueDisc->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
            1,
            "reason of the drop");
        while (queueDisc->GetNPackets() > 267)
        {
            queueDisc->Dequeue();
        }
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 266500, "400000 - 500 * 267");
    }
};

/**
 * @ingroup aidc-test
 * @brief Region C with a dynamic threshold: the packet after which none is admitted is marked.
 *
 * Expected results, alpha 1, Offset 10,000, EcnFloor 150,000, packets of 1000: after n packets
 * Buf_Thrd = B - 1000 n; packet n is admitted when 1000 n <= B - 1000 (n - 1), and marked in region
 * C when 1000 n >= B - 1000 n.
 *  B = 200,000: admitted up to n = 100 (200.5 / 2 + ...: 2 n <= 201); regions: A while
 *   190 - n > 150, to n = 39; B while 200 - n > 150, to n = 49, with ECN_Thrd = 150,000 out of
 *   reach; C from n = 50 on; marked from 2 n >= 200: n = 100, the last.
 *  B = 201,000: admitted up to n = 101 (2 n <= 202), marked from 2 n >= 201: n = 101, the last.
 */
class CriticalTestCase : public TestCase
{
  public:
    CriticalTestCase()
        : TestCase("in region C the packet that meets a dynamic Buf_Thrd is marked (section 5.2)")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t size : {200000, 201000})
        {
            const uint32_t last = size == 200000 ? 100 : 101;
            auto queueDisc =
                MakeQueueDisc(MakeBuffer(size), {{"Offset", "10000B"}, {"EcnFloor", "150000B"}});
            std::string regions;
            queueDisc->TraceConnectWithoutContext("Region",
                                                  MakeBoundCallback(&NoteRegion, &regions));
            const auto flooded = Flood(queueDisc, Ipv4With(ECT0));
            NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, last, "first marked");
            NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, last, "last admitted");
            NS_TEST_EXPECT_MSG_EQ(regions, "AB BC ", "regions");
            NS_TEST_EXPECT_MSG_EQ(
                queueDisc->GetStats().GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP),
                1,
                "reason of the drop");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief ECN_Thrd moves with Buf_Thrd when only other queues have traffic.
 *
 * Expected results, B = 1,000,000, alpha 1, Offset 300,000, EcnFloor 200,000; Buf_Thrd = B - all
 * use. Before a packet of this queue (above) and after it (below), packets of 1000: other 400,000:
 * 600,000 -> A 300,000     + own 1000: 599,000 -> A 299,000 other 500,000: 499,000 -> B 200,000 +
 * own 2000: 498,000 -> B 200,000 other 800,000: 198,000 -> C 198,000     + own 3000: 197,000 -> C
 * 197,000 other 0:       997,000 -> A 697,000     - own 2000: 998,000 -> A 698,000 The traces tell
 * the values after the packets, from the empty buffer's 1,000,000 and 700,000 on.
 */
class OtherQueuesTestCase : public TestCase
{
  public:
    OtherQueuesTestCase()
        : TestCase("ECN_Thrd is recomputed with any transition of Buf_Thrd, also by other queues' "
                   "traffic alone (section 6.1)")
    {
    }

  private:
    void DoRun() override
    {
        auto buffer = MakeBuffer(1000000);
        auto queueDisc = MakeQueueDisc(buffer, {{"Offset", "300000B"}, {"EcnFloor", "200000B"}});
        auto other = AddOther(buffer);
        std::string regions;
        Changes bufThrd;
        Changes ecnThrd;
        queueDisc->TraceConnectWithoutContext("Region", MakeBoundCallback(&NoteRegion, &regions));
        queueDisc->TraceConnectWithoutContext("BufThrd", MakeBoundCallback(&Note, &bufThrd));
        queueDisc->TraceConnectWithoutContext("EcnThrd", MakeBoundCallback(&Note, &ecnThrd));

        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 700000, "empty buffer");
        other->Admit(400000);
        Expect(queueDisc, 'A', 300000);
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        Expect(queueDisc, 'A', 299000);
        other->Admit(100000);
        Expect(queueDisc, 'B', 200000);
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        Expect(queueDisc, 'B', 200000);
        other->Admit(300000);
        Expect(queueDisc, 'C', 198000);
        queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        Expect(queueDisc, 'C', 197000);
        other->Release(800000);
        Expect(queueDisc, 'A', 697000);
        queueDisc->Dequeue();
        Expect(queueDisc, 'A', 698000);

        NS_TEST_EXPECT_MSG_EQ(regions, "AB BC CA ", "Region");
        const Changes expectedBufThrd{{1000000, 599000},
                                      {599000, 498000},
                                      {498000, 197000},
                                      {197000, 998000}};
        const Changes expectedEcnThrd{{700000, 299000},
                                      {299000, 200000},
                                      {200000, 197000},
                                      {197000, 698000}};
        NS_TEST_EXPECT_MSG_EQ((bufThrd == expectedBufThrd), true, "BufThrd");
        NS_TEST_EXPECT_MSG_EQ((ecnThrd == expectedEcnThrd), true, "EcnThrd");
    }

    /**
     * @brief Compare the threshold with what it is to be.
     * @param queueDisc the queue disc
     * @param region the letter of the region
     * @param ecnThrd ECN_Thrd in bytes
     */
    void Expect(Ptr<CoupledEcnQueueDisc> queueDisc, char region, uint64_t ecnThrd)
    {
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), ecnThrd, "ECN_Thrd");
        NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetRegion()), region, "region at " << ecnThrd);
    }
};

/**
 * @ingroup aidc-test
 * @brief The invariants hold for every queue at every arrival and departure of any.
 *
 * Expected results: ECN_Thrd <= Buf_Thrd, and ECN_Thrd >= EcnFloor unless Buf_Thrd < EcnFloor, for
 * four queues with different parameters, under a random load that drives them through all regions;
 * and the trace of violations is silent.
 */
class InvariantTestCase : public TestCase
{
  public:
    InvariantTestCase()
        : TestCase("ECN_Thrd never exceeds Buf_Thrd, and is below ECN_Floor only where Buf_Thrd is "
                   "(section 5.3)")
    {
    }

  private:
    void DoRun() override
    {
        auto buffer = MakeBuffer(400000);
        const std::vector<Attributes> attributes{
            {{"Offset", "50000B"}, {"EcnFloor", "10000B"}},
            {{"Offset", "100000B"}, {"EcnFloor", "30000B"}},
            {{"Offset", "20000B"}, {"EcnFloor", "50000B"}},
            {{"Offset", "200000B"}, {"EcnFloor", "60000B"}},
        };
        const std::vector<Attributes> limits{{{"Alpha", "0.5"}, {"Reserved", "5000B"}},
                                             {{"Alpha", "1"}, {"Cap", "120000B"}},
                                             {{"Alpha", "8"}},
                                             {{"Alpha", "2"}, {"Headroom", "10000B"}}};
        std::vector<Ptr<CoupledEcnQueueDisc>> queueDiscs;
        Changes violations;
        for (std::size_t i = 0; i < attributes.size(); ++i)
        {
            queueDiscs.push_back(MakeQueueDisc(buffer, attributes[i], limits[i]));
            queueDiscs.back()->TraceConnectWithoutContext("InvariantViolation",
                                                          MakeBoundCallback(&Note, &violations));
        }
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        std::vector<uint32_t> seen(3, 0);
        for (uint32_t step = 0; step < 20000; ++step)
        {
            const auto& queueDisc = queueDiscs[random->GetInteger(0, 3)];
            // Filling and emptying in turn.
            const double arrivals = (step / 2500) % 2 == 0 ? 0.75 : 0.3;
            if (random->GetValue(0, 1) < arrivals)
            {
                const auto tos = static_cast<uint8_t>(random->GetInteger(0, 3));
                queueDisc->Enqueue(MakeIpv4Item(random->GetInteger(64, 1500), tos));
            }
            else
            {
                queueDisc->Dequeue();
            }
            for (const auto& q : queueDiscs)
            {
                const uint64_t bufThrd = q->GetBufferQueue()->GetThreshold();
                const uint64_t ecnThrd = q->GetEcnThreshold();
                QueueSizeValue floor;
                q->GetAttribute("EcnFloor", floor);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(ecnThrd, bufThrd, "invariant 1, step " << step);
                NS_TEST_ASSERT_MSG_EQ(
                    (ecnThrd >= floor.Get().GetValue() || bufThrd < floor.Get().GetValue()),
                    true,
                    "invariant 2, step " << step);
                ++seen[static_cast<int>(q->GetRegion())];
            }
        }
        for (const auto n : seen)
        {
            NS_TEST_EXPECT_MSG_GT(n, 100, "the load reaches every region");
        }
        NS_TEST_EXPECT_MSG_EQ(violations.size(), 0, "InvariantViolation");
        for (const auto& q : queueDiscs)
        {
            Drain(q);
        }
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
    }
};

/**
 * @ingroup aidc-test
 * @brief Polling leaves ECN_Thrd stale; a bias makes it err on the low side.
 *
 * Expected results, B = 1,000,000, alpha 1, interval 10 us, Offset 100,000, EcnFloor 50,000. The
 * buffer is empty when it is polled first: visible 1,000,000, ECN_Thrd 900,000. At 1 us another
 * queue takes 500,000. A packet of 1000 at 2 us: Buf_Thrd = 499,000 < 900,000, a violation. After
 * the poll at 10 us ECN_Thrd = 499,000 - 100,000 = 399,000; a packet at 11 us: Buf_Thrd = 498,000,
 * no violation. With a SafetyBias of 501,000 ECN_Thrd = 399,000 at 2 us, below 499,000;
 * event-driven it is 399,000 as well, whatever the bias.
 */
class PolledTestCase : public TestCase
{
  public:
    PolledTestCase()
        : TestCase(
              "a polled ECN_Thrd may exceed Buf_Thrd, which is traced; a sufficient bias to the "
              "low side avoids it (section 6.1)")
    {
    }

  private:
    void DoRun() override
    {
        Run("0B", true, 900000, {{900000, 499000}});
        Run("501000B", true, 399000, {});
        Run("0B", false, 400000, {});
        Run("501000B", false, 400000, {});
    }

    /**
     * @brief Run with or without a bias.
     * @param bias SafetyBias
     * @param polled whether Buf_Thrd is polled
     * @param ecnThrd ECN_Thrd before the packet at 2 us
     * @param expected the violations
     */
    void Run(const std::string& bias, bool polled, uint64_t ecnThrd, const Changes& expected)
    {
        auto buffer = MakeBuffer(1000000);
        if (polled)
        {
            buffer->SetAttribute("PollInterval", StringValue("10us"));
        }
        auto queueDisc =
            MakeQueueDisc(buffer,
                          {{"Offset", "100000B"}, {"EcnFloor", "50000B"}, {"SafetyBias", bias}});
        auto other = AddOther(buffer);
        Changes violations;
        queueDisc->TraceConnectWithoutContext("InvariantViolation",
                                              MakeBoundCallback(&Note, &violations));
        Simulator::Schedule(MicroSeconds(1), [other] { other->Admit(500000); });
        Simulator::Schedule(MicroSeconds(2), [this, queueDisc, ecnThrd] {
            NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), ecnThrd, "before the packet");
            queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        });
        Simulator::Schedule(MicroSeconds(11),
                            [queueDisc] { queueDisc->Enqueue(MakeIpv4Item(1000, ECT0)); });
        Simulator::Schedule(MicroSeconds(12), [queueDisc, other] {
            Drain(queueDisc);
            other->Release(500000);
        });
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ((violations == expected), true, bias << " polled " << polled);
    }
};

/**
 * @ingroup aidc-test
 * @brief Packets that are not ECN-capable: dropped at Buf_Thrd, or where others are marked.
 *
 * Expected results, Buf_Thrd 250,000, ECN_Thrd 100,000, packets of 1000: by default 250 are
 * admitted, none is marked, the 251st is dropped by the cap. With DropNotEct the 100th would have
 * to be marked and is dropped; the 99 before it stay, so that an ECN-capable packet then is the
 * 100th and is marked. That holds for IPv6 and for packets that are not IP.
 */
class NotEctTestCase : public TestCase
{
  public:
    NotEctTestCase()
        : TestCase("packets that are not ECN-capable are admitted up to Buf_Thrd, or dropped where "
                   "others are marked with DropNotEct")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Maker> makers{Ipv4With(NOT_ECT),
                                        [](uint32_t size) { return MakeIpv6Item(size, NOT_ECT); },
                                        &MakeNonIpItem};
        for (const auto& maker : makers)
        {
            for (const std::string dropNotEct : {"false", "true"})
            {
                auto buffer = MakeBuffer(12000000);
                auto queueDisc = MakeQueueDisc(
                    buffer,
                    {{"Offset", "150000B"}, {"EcnFloor", "100000B"}, {"DropNotEct", dropNotEct}},
                    {{"Cap", "250000B"}});
                const auto flooded = Flood(queueDisc, maker);
                const bool drops = dropNotEct == "true";
                NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, (drops ? 99 : 250), "admitted");
                NS_TEST_EXPECT_MSG_EQ(flooded.marked, 0, "cannot be marked");
                NS_TEST_EXPECT_MSG_EQ(
                    queueDisc->GetStats().GetNDroppedPackets(
                        drops ? CoupledEcnQueueDisc::NOT_ECT_DROP : SharedBufferQueue::CAP_DROP),
                    1,
                    "reason of the drop");
                NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(),
                                      (drops ? 99000 : 250000),
                                      "what was dropped takes no memory");
                if (drops)
                {
                    queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
                    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetStats().nTotalMarkedPackets,
                                          1,
                                          "the 100th");
                }
                Drain(queueDisc);
                NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
            }
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief ECT(0), ECT(1) and CE, IPv4 and IPv6, are treated alike, and the DSCP is left alone.
 *
 * Expected results, Buf_Thrd 250,000, ECN_Thrd 100,000, packets of 1000: 100 to 250 are marked,
 * whatever the codepoint, that is 151. What was ECT leaves as ECT 99 times and as CE 151 times;
 * what was CE stays CE 250 times. The DSCP, here 46, is that of the arrival.
 */
class CodepointTestCase : public TestCase
{
  public:
    CodepointTestCase()
        : TestCase(
              "ECT(0), ECT(1) and CE are alike, for IPv4 and IPv6, and the DSCP is not touched "
              "(section 3)")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint8_t dscp = 46;
        for (const auto make : {&MakeIpv4Item, &MakeIpv6Item})
        {
            for (const uint8_t ecn : {ECT0, ECT1, CE})
            {
                auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                               {{"Offset", "150000B"}, {"EcnFloor", "100000B"}},
                                               {{"Cap", "250000B"}});
                const auto flooded = Flood(queueDisc, [make, ecn](uint32_t size) {
                    return make(size, static_cast<uint8_t>(dscp << 2 | ecn));
                });
                NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 100, "codepoint " << +ecn);
                NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 250, "codepoint " << +ecn);
                NS_TEST_EXPECT_MSG_EQ(flooded.marked, 151, "codepoint " << +ecn);
                for (uint32_t n = 1; n <= 250; ++n)
                {
                    const auto item = queueDisc->Dequeue();
                    NS_TEST_ASSERT_MSG_EQ(+GetEcn(item), (n < 100 ? +ecn : +CE), "packet " << n);
                    NS_TEST_ASSERT_MSG_EQ((GetTos(item) >> 2), dscp, "packet " << n);
                }
            }
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief A static threshold marks from its value on, wherever Buf_Thrd is.
 *
 * Expected results, Threshold 50,000, packets of 1000: the 50th is the first marked. With a
 * Buf_Thrd of 40,000 the 41st is dropped before any was marked: the failure of section 4.
 */
class StaticStepTestCase : public TestCase
{
  public:
    StaticStepTestCase()
        : TestCase("a static threshold does not follow Buf_Thrd: it may be beyond it (section 4)")
    {
    }

  private:
    void DoRun() override
    {
        const Attributes step{{"Mode", "StaticStep"}, {"Threshold", "50000B"}};
        auto roomy = MakeQueueDisc(MakeBuffer(12000000), step, {{"Cap", "250000B"}});
        NS_TEST_EXPECT_MSG_EQ(roomy->GetEcnThreshold(), 50000, "Threshold");
        const auto flooded = Flood(roomy, Ipv4With(ECT0));
        NS_TEST_EXPECT_MSG_EQ(flooded.firstMarked, 50, "first marked");
        NS_TEST_EXPECT_MSG_EQ(flooded.lastAdmitted, 250, "last admitted");

        auto tight = MakeQueueDisc(MakeBuffer(12000000), step, {{"Cap", "40000B"}});
        const auto silent = Flood(tight, Ipv4With(ECT0));
        NS_TEST_EXPECT_MSG_EQ(silent.marked, 0, "never marked");
        NS_TEST_EXPECT_MSG_EQ(silent.lastAdmitted, 40, "last admitted");
    }
};

/**
 * @ingroup aidc-test
 * @brief The probability of the static RED band.
 *
 * Expected results, Kmin 100,000, Kmax 300,000, Pmax 0.2, packets of 1000, 10,000 arrivals at a
 * constant occupancy q: p = 0.2 (q - 100000) / 200000 within the band, 0 up to Kmin, 1 above Kmax.
 *  q = 100,000: 0 marks                q = 301,000: 10,000 marks
 *  q = 200,000: p = 0.1, binomial, mean 1000, deviation sqrt(10000 * 0.1 * 0.9) = 30
 *  q = 300,000: p = 0.2, mean 2000, deviation sqrt(10000 * 0.2 * 0.8) = 40
 * The counts are to be within five deviations (probability of a failure 6e-7; the stream is fixed).
 * One random variable is used; the same stream gives the same marks, another stream others. With
 * Kmin = Kmax = 100,000 the band is a step: nothing up to it, all above.
 */
class StaticRedTestCase : public TestCase
{
  public:
    StaticRedTestCase()
        : TestCase("static RED marks with the probability of its band, reproducibly by its stream")
    {
    }

  private:
    void DoRun() override
    {
        const Attributes red{{"Mode", "StaticRed"},
                             {"Kmin", "100000B"},
                             {"Kmax", "300000B"},
                             {"Pmax", "0.2"}};
        NS_TEST_EXPECT_MSG_EQ(Count(Mark(red, 100, 1)), 0, "p = 0");
        NS_TEST_EXPECT_MSG_EQ(Count(Mark(red, 301, 1)), 10000, "p = 1");
        const auto marks = Mark(red, 200, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(marks)), 1000.0, 150.0, "p = 0.1");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(Count(Mark(red, 300, 1))),
                                  2000.0,
                                  200.0,
                                  "p = 0.2");
        NS_TEST_EXPECT_MSG_EQ((Mark(red, 200, 1) == marks), true, "the same stream");
        NS_TEST_EXPECT_MSG_EQ((Mark(red, 200, 2) == marks), false, "another stream");

        const Attributes step{{"Mode", "StaticRed"}, {"Kmin", "100000B"}, {"Kmax", "100000B"}};
        NS_TEST_EXPECT_MSG_EQ(Count(Mark(step, 100, 1)), 0, "at the step");
        NS_TEST_EXPECT_MSG_EQ(Count(Mark(step, 101, 1)), 10000, "above the step");
    }

    /**
     * @brief Let packets arrive at a constant occupancy.
     * @param attributes of the queue disc
     * @param packets the occupancy in packets of 1000 bytes, the arriving one included
     * @param stream the random stream
     * @return for each of 10,000 arrivals, whether it was marked
     */
    std::vector<bool> Mark(const Attributes& attributes, uint32_t packets, int64_t stream)
    {
        auto queueDisc = MakeQueueDisc(MakeBuffer(12000000), attributes);
        NS_TEST_EXPECT_MSG_EQ(queueDisc->AssignStreams(stream), 1, "one stream");
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 100000, "Kmin");
        for (uint32_t i = 1; i < packets; ++i)
        {
            queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        }
        std::vector<bool> marks;
        for (int i = 0; i < 10000; ++i)
        {
            const auto item = MakeIpv4Item(1000, ECT0);
            queueDisc->Enqueue(item);
            queueDisc->Dequeue();
            marks.push_back(GetEcn(item) == CE);
        }
        return marks;
    }

    /**
     * @brief Count marks.
     * @param marks the marks
     * @return how many there are
     */
    static uint32_t Count(const std::vector<bool>& marks)
    {
        uint32_t n = 0;
        for (const bool mark : marks)
        {
            n += mark ? 1 : 0;
        }
        return n;
    }
};

/**
 * @ingroup aidc-test
 * @brief The averaged occupancy, without idle periods.
 *
 * Expected results (RED: avg = (1 - w) avg + w q, from 0):
 *  w = 0.5, packets of 1000: q = 1000, 2000, 3000, 4000 gives avg = 500, 1250, 2125, 3062.5. With a
 *   threshold of 2000 the 3rd is the first marked; the instantaneous occupancy would mark the 2nd.
 *  w = 0.002, q = 50,000 on every arrival: avg = 50000 (1 - 0.998^n). 0.998^99 = 0.820208, n = 99
 *   gives 8989.6; 0.998^100 = 0.818567, n = 100 gives 9071.6: a threshold of 9071 marks the 100th
 *   first. 0.998^999 = 0.135334, n = 999 gives 43233.3; 0.998^1000 = 0.135064, n = 1000 gives
 *   43246.8: a threshold of 43246 marks the 1000th first. Without a device and a LinkRate the rate
 *   is not known, and the average does not decay while the queue is empty in between.
 */
class AverageTestCase : public TestCase
{
  public:
    AverageTestCase()
        : TestCase("the averaged occupancy is RED's moving average (section 2: instantaneous or "
                   "averaged)")
    {
    }

  private:
    void DoRun() override
    {
        Attributes attributes{{"Mode", "StaticStep"},
                              {"Threshold", "2000B"},
                              {"UseAverage", "true"},
                              {"AverageWeight", "0.5"}};
        const Attributes cap{{"Cap", "10000B"}};
        NS_TEST_EXPECT_MSG_EQ(
            Flood(MakeQueueDisc(MakeBuffer(12000000), attributes, cap), Ipv4With(ECT0)).firstMarked,
            3,
            "averaged");
        attributes[2].second = "false";
        NS_TEST_EXPECT_MSG_EQ(
            Flood(MakeQueueDisc(MakeBuffer(12000000), attributes, cap), Ipv4With(ECT0)).firstMarked,
            2,
            "instantaneous");
        NS_TEST_EXPECT_MSG_EQ(CountToMark("9071B"), 100, "n = 100");
        NS_TEST_EXPECT_MSG_EQ(CountToMark("43246B"), 1000, "n = 1000");
    }

    /**
     * @brief Let packets of 50,000 bytes arrive at an empty queue until one is marked.
     * @param threshold the threshold
     * @return the number of packets
     */
    static uint32_t CountToMark(const std::string& threshold)
    {
        auto queueDisc = MakeQueueDisc(
            MakeBuffer(12000000),
            {{"Mode", "StaticStep"}, {"Threshold", threshold}, {"UseAverage", "true"}});
        for (uint32_t n = 1; n < 2000; ++n)
        {
            queueDisc->Enqueue(MakeIpv4Item(50000, ECT0));
            if (GetEcn(queueDisc->Dequeue()) == CE)
            {
                return n;
            }
        }
        return 0;
    }
};

/**
 * @ingroup aidc-test
 * @brief The average decays for the packets that could have been sent while the queue was empty.
 *
 * Expected results (RED: avg = (1 - w)^m avg, m = idle time * rate / packet), w = 0.5, LinkRate
 * 8 Mbit/s = 1 byte/us, Mtu 1500: four packets of 1000 bring avg to 3062.5 (see above), then the
 * queue is empty for 3000 us, m = 2: 765.625; the next packet of 1000: 0.5 * 765.625 + 500 =
 * 882.8125. It is marked with a threshold of 882, not with 883. Without a LinkRate: 0.5 * 3062.5 +
 * 500 = 2031.25, marked with 2031, not with 2032.
 *
 * An idle period counts once: if that packet is dropped (not ECN-capable, threshold 800), the queue
 * stays empty, and a packet that arrives at the same time finds m = 0: 0.5 * 882.8125 + 500 =
 * 941.4, marked. Counted twice it would be 0.5 * 220.7 + 500 = 610.4.
 */
class IdleTestCase : public TestCase
{
  public:
    IdleTestCase()
        : TestCase("the averaged occupancy decays while the queue is empty, by LinkRate, once an "
                   "idle period")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("882B", "8Mbps"), +CE, "882.8 >= 882");
        NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("883B", "8Mbps"), +ECT0, "882.8 < 883");
        NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("2031B", "0bps"), +CE, "2031.25 >= 2031");
        NS_TEST_EXPECT_MSG_EQ(+EcnAfterIdle("2032B", "0bps"), +ECT0, "2031.25 < 2032");

        const auto queueDisc = MakeAveraging("800B", "8Mbps");
        Simulator::Schedule(MicroSeconds(3000), [this, queueDisc] {
            NS_TEST_EXPECT_MSG_EQ(queueDisc->Enqueue(MakeIpv4Item(1000, NOT_ECT)),
                                  false,
                                  "dropped");
            const auto item = MakeIpv4Item(1000, ECT0);
            queueDisc->Enqueue(item);
            NS_TEST_EXPECT_MSG_EQ(+GetEcn(item), +CE, "941.4 >= 800");
        });
        Simulator::Run();
        Simulator::Destroy();
    }

    /**
     * @brief Make a queue disc whose average is 3062.5 and that has just become empty.
     * @param threshold the threshold
     * @param rate LinkRate
     * @return the queue disc
     */
    static Ptr<CoupledEcnQueueDisc> MakeAveraging(const std::string& threshold,
                                                  const std::string& rate)
    {
        auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                       {{"Mode", "StaticStep"},
                                        {"Threshold", threshold},
                                        {"UseAverage", "true"},
                                        {"AverageWeight", "0.5"},
                                        {"DropNotEct", "true"},
                                        {"LinkRate", rate},
                                        {"Mtu", "1500"}});
        for (int i = 0; i < 4; ++i)
        {
            queueDisc->Enqueue(MakeIpv4Item(1000, ECT0));
        }
        Drain(queueDisc);
        return queueDisc;
    }

    /**
     * @brief Let a packet arrive at a queue that has been empty for 3000 us.
     * @param threshold the threshold
     * @param rate LinkRate
     * @return the packet's ECN codepoint
     */
    static uint8_t EcnAfterIdle(const std::string& threshold, const std::string& rate)
    {
        const auto queueDisc = MakeAveraging(threshold, rate);
        const auto item = MakeIpv4Item(1000, ECT0);
        Simulator::Schedule(MicroSeconds(3000), [queueDisc, item] { queueDisc->Enqueue(item); });
        Simulator::Run();
        Simulator::Destroy();
        return GetEcn(item);
    }
};

/**
 * @ingroup aidc-test
 * @brief Offset from LinkRate and Rtt: slightly more than their product, here by one MTU.
 *
 * Expected results: 100 Gbit/s * 40 us / 8 = 500,000, + 1500; 400 Gbit/s * 20 us / 8 = 1,000,000
 * and * 50 us = 2,500,000 (section 6.2 names 1 MB to 2.5 MB for these), + 9000. 1 Gbit/s * 1 ns / 8
 * = 0.125, rounded up to 1, + 1500. Where Rtt is 0, Offset is what was set. ECN_Thrd of an empty
 * buffer of 12,000,000 is the rest.
 */
class OffsetTestCase : public TestCase
{
  public:
    OffsetTestCase()
        : TestCase("Offset is derived to slightly exceed Link_Rate * RTT (section 6.2)")
    {
    }

  private:
    void DoRun() override
    {
        Expect("100Gbps", "40us", "0", 501500);
        Expect("400Gbps", "20us", "9000", 1009000);
        Expect("400Gbps", "50us", "9000", 2509000);
        Expect("1Gbps", "1ns", "0", 1501);
        Expect("100Gbps", "0s", "0", 123456);
    }

    /**
     * @brief Compare the Offset in force with what it is to be.
     * @param rate LinkRate
     * @param rtt Rtt
     * @param mtu Mtu
     * @param offset the Offset in bytes
     */
    void Expect(const std::string& rate,
                const std::string& rtt,
                const std::string& mtu,
                uint64_t offset)
    {
        auto queueDisc =
            MakeQueueDisc(MakeBuffer(12000000),
                          {{"LinkRate", rate}, {"Rtt", rtt}, {"Mtu", mtu}, {"Offset", "123456B"}});
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEffectiveOffset(), offset, rate << " * " << rtt);
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 12000000 - offset, "ECN_Thrd");
    }
};

/**
 * @ingroup aidc-test
 * @brief Impossible configurations end the program at initialization, with the reason.
 *
 * Expected results: EcnFloor below the MTU (section 6.3), by default 1500, or 9000 as set; Kmax
 * below Kmin; Rtt where no rate is known. An EcnFloor of exactly the MTU is allowed, and a static
 * mode has no floor.
 */
class ConfigDeathTestCase : public TestCase
{
  public:
    ConfigDeathTestCase()
        : TestCase(
              "ECN_Floor MUST NOT be configured smaller than the MTU (section 6.3): refused at "
              "initialization")
    {
    }

  private:
    void DoRun() override
    {
        const auto initialize = [](const Attributes& attributes) {
            return RunInChild([attributes] { MakeQueueDisc(MakeBuffer(12000000), attributes); });
        };
        const auto low = initialize({{"EcnFloor", "1499B"}});
        NS_TEST_EXPECT_MSG_EQ(low.Says("EcnFloor is 1499 bytes"), true, low.errors);
        NS_TEST_EXPECT_MSG_EQ(low.Says("MTU, 1500 bytes"), true, low.errors);
        const auto jumbo = initialize({{"EcnFloor", "8999B"}, {"Mtu", "9000"}});
        NS_TEST_EXPECT_MSG_EQ(jumbo.Says("MTU, 9000 bytes"), true, jumbo.errors);
        const auto equal = initialize({{"EcnFloor", "1500B"}});
        NS_TEST_EXPECT_MSG_EQ(equal.died, false, equal.errors);
        const auto step = initialize({{"EcnFloor", "0B"}, {"Mode", "StaticStep"}});
        NS_TEST_EXPECT_MSG_EQ(step.died, false, step.errors);
        const auto band = initialize({{"Mode", "StaticRed"}, {"Kmin", "2000B"}, {"Kmax", "1999B"}});
        NS_TEST_EXPECT_MSG_EQ(band.Says("Kmax is less than Kmin"), true, band.errors);
        const auto rate = initialize({{"Rtt", "40us"}});
        NS_TEST_EXPECT_MSG_EQ(rate.Says("set LinkRate"), true, rate.errors);

        // A root finds the MTU of its device.
        const auto device = RunInChild([] {
            NodeContainer nodes(2);
            auto devices = PointToPointHelper().Install(nodes);
            devices.Get(0)->SetMtu(9000);
            InternetStackHelper().Install(nodes);
            TrafficControlHelper helper;
            helper.SetRootQueueDisc("ns3::aidc::CoupledEcnQueueDisc",
                                    "EcnFloor",
                                    StringValue("8999B"));
            helper.Install(devices.Get(0));
            Simulator::Run();
        });
        NS_TEST_EXPECT_MSG_EQ(device.Says("MTU, 9000 bytes"), true, device.errors);
    }
};

/**
 * @ingroup aidc-test
 * @brief A reconfiguration while running takes effect at once, or is refused and changes nothing.
 *
 * Expected results, Buf_Thrd 300,000 by Cap, Offset 100,000, EcnFloor 50,000: ECN_Thrd 200,000.
 *  Offset 150,000: 150,000 (A). EcnFloor 200,000: 150,000 is not above it: 200,000 (B).
 *  EcnFloor 1499, Offset or EcnFloor in packets, Mtu 200,001, Rtt without a rate: refused.
 *  Kmin beyond Kmax is of no effect in mode Coupled; mode StaticRed is then refused.
 *  Mode StaticStep: Threshold, 200,000 by default. Then EcnFloor 0 is of no effect, but mode
 * Coupled is refused until EcnFloor is 1500 again: then 300,000 - 150,000 = 150,000. Cap 200,000:
 * 50,000 (A). Each accepted change of the queue disc is traced: Offset, EcnFloor, Kmin, Mode,
 * EcnFloor, EcnFloor, Mode: 7.
 */
class ReconfigurationTestCase : public TestCase
{
  public:
    ReconfigurationTestCase()
        : TestCase("a reconfiguration while running takes effect and is traced, or is refused and "
                   "nothing changes (sections 6.3 and 9)")
    {
    }

  private:
    void DoRun() override
    {
        auto queueDisc = MakeQueueDisc(MakeBuffer(12000000),
                                       {{"Offset", "100000B"}, {"EcnFloor", "50000B"}},
                                       {{"Cap", "300000B"}});
        std::vector<std::pair<std::string, std::string>> told;
        queueDisc->TraceConnectWithoutContext("Reconfiguration",
                                              MakeBoundCallback(&NoteReconfiguration, &told));
        m_queueDisc = queueDisc;
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 200000, "as configured");
        Set("Offset", "150000B", true, 150000);
        Set("EcnFloor", "200000B", true, 200000);
        Set("EcnFloor", "1499B", false, 200000);
        Set("EcnFloor", "300p", false, 200000);
        Set("Offset", "10p", false, 200000);
        Set("Mtu", "200001", false, 200000);
        Set("Rtt", "40us", false, 200000);
        Set("Rtt", "-1us", false, 200000);
        Set("Pmax", "1.1", false, 200000);
        Set("AverageWeight", "-0.1", false, 200000);
        NS_TEST_ASSERT_MSG_EQ(told.size(), 2, "refused ones are not told");
        NS_TEST_EXPECT_MSG_EQ(Has(told[0].first, "Offset 100000B"), true, told[0].first);
        NS_TEST_EXPECT_MSG_EQ(Has(told[0].second, "Offset 150000B"), true, told[0].second);
        NS_TEST_EXPECT_MSG_EQ(Has(told[1].second, "EcnFloor 200000B"), true, told[1].second);

        Set("Kmin", "2MB", true, 200000);
        Set("Mode", "StaticRed", false, 200000);
        Set("Mode", "StaticStep", true, 200000);
        Set("EcnFloor", "0B", true, 200000);
        Set("Mode", "Coupled", false, 200000);
        Set("EcnFloor", "1500B", true, 200000);
        Set("Mode", "Coupled", true, 150000);
        NS_TEST_EXPECT_MSG_EQ(told.size(), 7, "every accepted change is told");

        queueDisc->GetBufferQueue()->SetAttribute("Cap", StringValue("200000B"));
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 50000, "200000 - 150000");

        // The next packets are treated by what is in force: 50000 / 1000.
        NS_TEST_EXPECT_MSG_EQ(Flood(queueDisc, Ipv4With(ECT0)).firstMarked, 50, "first marked");
    }

    /**
     * @brief Set an attribute.
     * @param name its name
     * @param value its value
     * @param accepted whether it is to be accepted
     * @param ecnThrd ECN_Thrd after it
     */
    void Set(const std::string& name, const std::string& value, bool accepted, uint64_t ecnThrd)
    {
        StringValue before;
        StringValue after;
        m_queueDisc->GetAttribute(name, before);
        NS_TEST_EXPECT_MSG_EQ(m_queueDisc->SetAttributeFailSafe(name, StringValue(value)),
                              accepted,
                              name << " = " << value);
        m_queueDisc->GetAttribute(name, after);
        NS_TEST_EXPECT_MSG_EQ((before.Get() == after.Get()), !accepted, name << " = " << value);
        NS_TEST_EXPECT_MSG_EQ(m_queueDisc->GetEcnThreshold(), ecnThrd, name << " = " << value);
    }

    /**
     * @brief Tell whether a text is in another.
     * @param text the text
     * @param part what to look for
     * @return true if it is there
     */
    static bool Has(const std::string& text, const std::string& part)
    {
        return text.find(part) != std::string::npos;
    }

    Ptr<CoupledEcnQueueDisc> m_queueDisc; ///< the queue disc
};

/**
 * @ingroup aidc-test
 * @brief An Offset beyond typical buffer allocations is warned of.
 *
 * Expected results, B = 1,000,000, alpha 1: a single busy queue gets alpha B / (1 + alpha) =
 * 500,000. 500,000 is not warned of, 500,001 is, once for all queues of the buffer, and again for
 * another buffer. With a cap of 100,000 it is the cap. A reconfiguration is checked too; static
 * modes use no Offset.
 */
class WarningTestCase : public TestCase
{
  public:
    WarningTestCase()
        : TestCase("an Offset that exceeds typical buffer allocations is warned of, once a buffer "
                   "(section 9)")
    {
    }

  private:
    void DoRun() override
    {
        const auto count = [](const std::vector<Attributes>& all, const Attributes& limits = {}) {
            const CapturedErrors errors;
            auto buffer = MakeBuffer(1000000);
            for (const auto& attributes : all)
            {
                MakeQueueDisc(buffer, attributes, limits);
            }
            return errors.CountLinesWith("warning: Offset");
        };
        const Attributes normal{{"Offset", "500000B"}};
        const Attributes large{{"Offset", "500001B"}};
        NS_TEST_EXPECT_MSG_EQ(count({normal, normal}), 0, "normal");
        NS_TEST_EXPECT_MSG_EQ(count({large}), 1, "large");
        NS_TEST_EXPECT_MSG_EQ(count({large, normal, large}), 1, "once a buffer");
        NS_TEST_EXPECT_MSG_EQ(count({large}), 1, "another buffer");
        NS_TEST_EXPECT_MSG_EQ(count({normal}, {{"Cap", "100000B"}}), 1, "beyond the cap");
        NS_TEST_EXPECT_MSG_EQ(count({{{"Offset", "500001B"}, {"Mode", "StaticStep"}}}),
                              0,
                              "static");

        const CapturedErrors errors;
        auto queueDisc = MakeQueueDisc(MakeBuffer(1000000), normal);
        NS_TEST_EXPECT_MSG_EQ(errors.GetText(), "", "normal");
        queueDisc->SetAttribute("Offset", StringValue("600000B"));
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("600000"), 1, "it says how large");
        NS_TEST_EXPECT_MSG_EQ(errors.CountLinesWith("500000"), 1, "it says what is typical");
    }
};

/**
 * @ingroup aidc-test
 * @brief A cap on a queue protects the others from it.
 *
 * Expected results, B = 1,000,000, alpha 8, packets of 1000. Without a cap a greedy queue takes n
 * packets while 1000 n <= 8 (1000000 - 1000 (n - 1)), 9 n <= 8008: 889. Another queue then has what
 * is free: min(8 * 111,000, 111,000). With a cap of 200,000 the greedy one takes 200, and the other
 * may have 800,000.
 */
class CapTestCase : public TestCase
{
  public:
    CapTestCase()
        : TestCase("per-queue maximum caps insulate queues from buffer starvation (section 9)")
    {
    }

  private:
    void DoRun() override
    {
        const Attributes attributes{{"Offset", "50000B"}};
        for (const std::string cap : {"0B", "200000B"})
        {
            const bool isCapped = cap != "0B";
            auto buffer = MakeBuffer(1000000);
            auto greedy = MakeQueueDisc(buffer, attributes, {{"Alpha", "8"}, {"Cap", cap}});
            auto other = MakeQueueDisc(buffer, attributes, {{"Alpha", "8"}});
            NS_TEST_EXPECT_MSG_EQ(Flood(greedy, Ipv4With(NOT_ECT)).lastAdmitted,
                                  (isCapped ? 200 : 889),
                                  "greedy");
            NS_TEST_EXPECT_MSG_EQ(other->GetBufferQueue()->GetThreshold(),
                                  (isCapped ? 800000 : 111000),
                                  "Buf_Thrd of the other");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief A queue disc on a simulated device, installed by ns-3's own helper.
 *
 * Base of the tests in a node: one sender, links of 10 Mbit/s and 1 ms to receivers, device queues
 * of one packet.
 */
class NodeTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * @brief Make nodes and links.
     * @param receivers the number of receivers
     */
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
            others.Get(i)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
                "Rx",
                MakeCallback(&NodeTestCase::Receive, this));
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
            auto sink = Socket::CreateSocket(link.Get(1)->GetNode(), UdpSocketFactory::GetTypeId());
            sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
            m_sockets.push_back(sink);
            auto source = Socket::CreateSocket(m_sender, UdpSocketFactory::GetTypeId());
            source->Connect(InetSocketAddress(interfaces.GetAddress(1), port));
            // After Connect, which up to ns-3.41 takes the address's, 0.
            source->SetIpTos(ECT0);
            m_sockets.push_back(source);
        }
    }

    /**
     * @brief Send packets of 1000 bytes, headers of IP and UDP included, all at once.
     * @param link to which receiver
     * @param packets how many
     */
    void Burst(uint32_t link, uint32_t packets)
    {
        for (uint32_t i = 0; i < packets; ++i)
        {
            m_sockets[2 * link + 1]->Send(Create<Packet>(972));
        }
    }

    /**
     * @brief Count a packet that has arrived.
     * @param packet the packet, with its IP header
     */
    void Receive(Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t)
    {
        Ipv4Header header;
        packet->PeekHeader(header);
        ++m_received;
        m_ceReceived += header.GetEcn() == Ipv4Header::ECN_CE ? 1 : 0;
    }

    Ptr<Node> m_sender;                      ///< the sender
    NetDeviceContainer m_devices;            ///< the sender's devices
    std::vector<NetDeviceContainer> m_links; ///< by receiver
    std::vector<Ptr<Socket>> m_sockets;      ///< sink and source, by receiver
    uint32_t m_received{0};                  ///< packets that have arrived
    uint32_t m_ceReceived{0};                ///< those of them that were CE
};

/**
 * @ingroup aidc-test
 * @brief A root queue disc with a buffer of its own, in a node.
 *
 * Expected results: 100 packets at once. The device takes one or two (by the release of ns-3), the
 * others wait: each is in the queue with those before it. Cap 50,000, Offset 20,000, EcnFloor
 * 30,000 give ECN_Thrd 30,000 (B): marked are those that make the queue 30, 31... 50 packets
 * long, 21. Those after the 50th are dropped: 100 - 51 = 49 or 100 - 52 = 48. All others arrive, 21
 * as CE.
 */
class RootTestCase : public NodeTestCase
{
  public:
    RootTestCase()
        : NodeTestCase("as root of a device, installed by TrafficControlHelper, it marks and drops "
                       "in a buffer of its own")
    {
    }

  private:
    void DoRun() override
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
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The roots of two devices share the node's buffer.
 *
 * Expected results, B = 200,000, alpha 1: while the first queue holds q bytes, the second has a
 * Buf_Thrd of 200,000 - q. A burst of 300 packets of 1000 fills the first to n with 1000 n <=
 * 200000 - 1000 (n - 1): n = 100.
 */
class SharedRootsTestCase : public NodeTestCase
{
  public:
    SharedRootsTestCase()
        : NodeTestCase("the roots of two devices share the SharedBuffer of their node")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_EXPECT_MSG_EQ(second->GetEcnThreshold(), 80000, "100000 - 20000");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(first->GetSharedBuffer(), buffer, "the node's");
        NS_TEST_EXPECT_MSG_EQ(second->GetSharedBuffer(), buffer, "the node's");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetNQueues(), 2, "two ports");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Children of ns-3's PrioQueueDisc draw on the node's buffer and know their device.
 *
 * Expected results: three bands. Packets of priority 0 go to band 1 (the default map). The Offset
 * is derived from the device: 10 Mbit/s * 8 ms / 8 = 10,000, + 9000 of MTU. As in the test of the
 * root, a Cap of 50,000 and ECN_Thrd of 31,000 mark those that make the queue 31 to 50 packets
 * long: 20; 100 packets less 50 and the one or two that the device takes are dropped.
 */
class PrioChildTestCase : public NodeTestCase
{
  public:
    PrioChildTestCase()
        : NodeTestCase("as children of ns3::PrioQueueDisc they draw on the node's SharedBuffer")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_EXPECT_MSG_EQ(child->GetEffectiveOffset(), 19000, "of the device");
        }
        const auto& stats = children[1]->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalMarkedPackets, 20, "marked");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<int>(stats.nTotalDroppedPackets), 49, 1, "dropped");
        NS_TEST_EXPECT_MSG_EQ(m_received, 100 - stats.nTotalDroppedPackets, "arrived");
        NS_TEST_EXPECT_MSG_EQ(m_ceReceived, 20, "arrived as CE");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The coupled ECN threshold as a queue disc.
 */
class AidcCoupledEcnTestSuite : public TestSuite
{
  public:
    AidcCoupledEcnTestSuite()
        : TestSuite("aidc-coupled-ecn", TestSuite::Type::UNIT)
    {
        const auto a = EcnRegion::A;
        const auto b = EcnRegion::B;
        const auto c = EcnRegion::C;
        const std::vector<RegionRow> rows{
            {"region A, far from the floor", 3000000, 1000000, 100000, a, 2000000, 2000, 3000},
            {"region A, a byte above the floor", 250001, 150000, 100000, a, 100001, 101, 250},
            {"region B, Buf_Thrd - Offset at the floor",
             250000,
             150000,
             100000,
             b,
             100000,
             100,
             250},
            {"region B, Offset equal to Buf_Thrd", 250000, 250000, 100000, b, 100000, 100, 250},
            {"region B, Offset beyond Buf_Thrd", 250000, 4000000000, 100000, b, 100000, 100, 250},
            {"region B, a byte above the floor", 100001, 50000, 100000, b, 100000, 100, 100},
            {"region C, Buf_Thrd at the floor", 100000, 50000, 100000, c, 100000, 100, 100},
            {"region C, a byte below the floor", 99999, 0, 100000, c, 99999, 0, 99},
            {"no Offset marks at the boundary", 250000, 0, 1500, a, 250000, 250, 250},
        };
        for (const auto& row : rows)
        {
            AddTestCase(new RegionTestCase(row));
        }
        AddTestCase(new DropBoundaryTestCase);
        AddTestCase(new AlphaTestCase);
        AddTestCase(new CriticalTestCase);
        AddTestCase(new OtherQueuesTestCase);
        AddTestCase(new InvariantTestCase);
        AddTestCase(new PolledTestCase);
        AddTestCase(new NotEctTestCase);
        AddTestCase(new CodepointTestCase);
        AddTestCase(new StaticStepTestCase);
        AddTestCase(new StaticRedTestCase);
        AddTestCase(new AverageTestCase);
        AddTestCase(new IdleTestCase);
        AddTestCase(new OffsetTestCase);
        AddTestCase(new ConfigDeathTestCase);
        AddTestCase(new ReconfigurationTestCase);
        AddTestCase(new WarningTestCase);
        AddTestCase(new CapTestCase);
        AddTestCase(new RootTestCase);
        AddTestCase(new SharedRootsTestCase);
        AddTestCase(new PrioChildTestCase);
    }
};

/// The instance that registers the suite
const AidcCoupledEcnTestSuite g_aidcCoupledEcnTestSuite;

} // namespace
