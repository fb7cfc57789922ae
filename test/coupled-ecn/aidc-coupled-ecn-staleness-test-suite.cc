// SPDX-License-Identifier: GPL-2.0-only

#include "coupled-ecn-bench.h"
#include "test/buffer/test-buffers.h"
#include "test/test-case.h"

#include "ns3/ingress-buffer.h"

// The coupled ECN threshold where Buf_Thrd is polled, and therefore stale.
AIDC_TEST_SUITE("aidc-coupled-ecn-staleness", UNIT);

/// What the trace of broken invariants has told.
struct Violation
{
    EcnViolation which; //!< the invariant
    uint64_t ecnThrd;   //!< ECN_Thrd in bytes
    uint64_t bufThrd;   //!< Buf_Thrd in bytes

    /// Compare. Returns true if all is equal.
    bool operator==(const Violation& other) const
    {
        return which == other.which && ecnThrd == other.ecnThrd && bufThrd == other.bufThrd;
    }
};

/// What the trace of broken invariants has told, in order.
using Violations = std::vector<Violation>;

/// Note what the trace of broken invariants tells. ecnThrd: ECN_Thrd in bytes. bufThrd: Buf_Thrd in
/// bytes.
void
NoteViolation(Violations* violations, EcnViolation which, uint64_t ecnThrd, uint64_t bufThrd)
{
    violations->push_back({which, ecnThrd, bufThrd});
}

/// Run with or without a bias. ecnThrd: ECN_Thrd before the packet at 2 us.
void
RunBiased(const std::string& bias, bool polled, uint64_t ecnThrd, const Violations& expected)
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
    Violations violations;
    queueDisc->TraceConnectWithoutContext("InvariantViolation",
                                          MakeBoundCallback(&NoteViolation, &violations));
    Simulator::Schedule(MicroSeconds(1), [other] { other->Admit(500000); });
    Simulator::Schedule(MicroSeconds(2), [queueDisc, ecnThrd] {
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(),
                              ecnThrd,
                              "before the packet");
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
    AIDC_EXPECT(violations == expected, bias << " polled " << polled);
}

// Polling leaves ECN_Thrd stale; a bias makes it err on the low side. Expected results, B =
// 1,000,000, alpha 1, interval 10 us, Offset 100,000, EcnFloor 50,000. The buffer is empty when it
// is polled first: visible 1,000,000, ECN_Thrd 900,000. At 1 us another queue takes 500,000. A
// packet of 1000 at 2 us: Buf_Thrd = 499,000 < 900,000, a violation. After the poll at 10 us
// ECN_Thrd = 499,000 - 100,000 = 399,000; a packet at 11 us: Buf_Thrd = 498,000, no violation.
// With a SafetyBias of 501,000 ECN_Thrd = 399,000 at 2 us, below 499,000; event-driven it is
// 399,000 as well, whatever the bias.
AIDC_TEST_CASE("a polled ECN_Thrd may exceed Buf_Thrd, which is traced; a sufficient bias to the "
               "low side avoids it (section 6.1)")
{
    RunBiased("0B", true, 900000, {{EcnViolation::ABOVE_BUF_THRD, 900000, 499000}});
    RunBiased("501000B", true, 399000, {});
    RunBiased("0B", false, 400000, {});
    RunBiased("501000B", false, 400000, {});
}

/// Run with or without a bias. stale: ECN_Thrd at the packet at 12 us. fresh: ECN_Thrd after
/// the poll at 20 us.
void
RunBiased(const std::string& bias, uint64_t stale, uint64_t fresh)
{
    auto buffer = MakeBuffer(1000000);
    buffer->SetAttribute("PollInterval", StringValue("10us"));
    auto queueDisc =
        MakeQueueDisc(buffer,
                      {{"Offset", "100000B"}, {"EcnFloor", "30000B"}, {"SafetyBias", bias}});
    auto other = AddOther(buffer);
    Violations violations;
    queueDisc->TraceConnectWithoutContext("InvariantViolation",
                                          MakeBoundCallback(&NoteViolation, &violations));
    const auto arrive = [queueDisc] { queueDisc->Enqueue(MakeIpv4Item(1000, ECT0)); };
    Simulator::Schedule(MicroSeconds(1), [other] { other->Admit(995000); });
    Simulator::Schedule(MicroSeconds(11), [other] { other->Release(995000); });
    Simulator::Schedule(MicroSeconds(12), arrive);
    Simulator::Schedule(MicroSeconds(21), [queueDisc, fresh] {
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), fresh, "after the poll");
    });
    Simulator::Schedule(MicroSeconds(22), arrive);
    Simulator::Run();
    Simulator::Destroy();
    const Violations expected{{EcnViolation::BELOW_FLOOR, stale, 999000}};
    AIDC_EXPECT(violations == expected, "SafetyBias " << bias);
}

// A stale ECN_Thrd below ECN_Floor is told, and SafetyBias alone never leads to one. Expected
// results, B = 1,000,000, alpha 1, interval 10 us, Offset 100,000, EcnFloor 30,000. Another queue
// holds 995,000 at the poll at 10 us, Buf_Thrd = 5,000, and nothing from 11 us on. A packet of
// 1000 at 12 us: Buf_Thrd = 999,000, but ECN_Thrd = 5,000 (region C), or 3,000 with a SafetyBias
// of 2,000, is below EcnFloor: a violation of the second invariant. After the poll at 20 us
// ECN_Thrd = 999,000 - 100,000 (- 2,000), and there is none. While the buffer is empty, a
// SafetyBias of 995,000 would leave 5,000 of the polled 1,000,000: ECN_Thrd is EcnFloor.
AIDC_TEST_CASE("a polled ECN_Thrd below ECN_Floor is traced where Buf_Thrd is not below it "
               "(section 5.3)")
{
    RunBiased("0B", 5000, 899000);
    RunBiased("2000B", 3000, 897000);

    auto buffer = MakeBuffer(1000000);
    buffer->SetAttribute("PollInterval", StringValue("10us"));
    auto queueDisc =
        MakeQueueDisc(buffer,
                      {{"Offset", "100000B"}, {"EcnFloor", "30000B"}, {"SafetyBias", "995000B"}});
    Violations violations;
    queueDisc->TraceConnectWithoutContext("InvariantViolation",
                                          MakeBoundCallback(&NoteViolation, &violations));
    NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(), 30000, "EcnFloor");
    NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetQueue()->GetRegion()), 'B', "clamped");
    NS_TEST_EXPECT_MSG_EQ(Flood(queueDisc, Ipv4With(ECT0)).firstMarked, 30, "first marked");
    NS_TEST_EXPECT_MSG_EQ(violations.size(), 0, "no violation");
    Simulator::Destroy();
}

/// With DecreaseAtOnce a polled Buf_Thrd is never above the current one. Expected results, at every
/// event of a random load on four queues, polled every 10 us: what the marking engines see is at
/// most Buf_Thrd, and at most what it was at the last poll. For alpha <= 1, where Buf_Thrd depends
/// on the free memory alone, it is the least Buf_Thrd since the poll, the poll's included, as the
/// test keeps it by itself. So the first invariant of section 5.3 holds; without DecreaseAtOnce the
/// same load breaks it. The second one is the price: a threshold that was below EcnFloor at any
/// time since the poll stays there, not only one that was so at the poll. So states below EcnFloor
/// are more frequent with DecreaseAtOnce.
class DecreaseAtOnceTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    void Run(bool decreaseAtOnce)
    {
        m_above = 0;
        m_below = 0;
        m_stale = 0;
        m_period = 0;
        m_queues.clear();
        auto buffer = MakeBuffer(400000);
        buffer->SetAttribute("PollInterval", StringValue("10us"));
        buffer->SetAttribute("DecreaseAtOnce", StringValue(decreaseAtOnce ? "true" : "false"));
        const std::vector<Attributes> limits{{{"Alpha", "0.5"}, {"Reserved", "5000B"}},
                                             {{"Alpha", "1"}, {"Cap", "120000B"}},
                                             {{"Alpha", "8"}},
                                             {{"Alpha", "2"}, {"Headroom", "10000B"}}};
        for (const auto& limit : limits)
        {
            m_queues.push_back(
                MakeQueueDisc(buffer,
                              {{"Offset", "20000B"}, {"EcnFloor", std::to_string(FLOOR) + "B"}},
                              limit));
            ConnectTrace(m_queues.back(),
                         "InvariantViolation",
                         [this](EcnViolation which, uint64_t, uint64_t) {
                             m_above += which == EcnViolation::ABOVE_BUF_THRD;
                         });
        }
        m_polled.clear();
        for (const auto& queue : m_queues)
        {
            m_polled.push_back(queue->GetBufferQueue()->GetThreshold());
        }
        m_least = m_polled;
        m_last = m_polled;
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(3);
        // Never at a multiple of 10 us, where the order of poll and event would matter.
        for (int64_t step = 0; step < 20000; ++step)
        {
            Simulator::Schedule(NanoSeconds(100 * step + 50),
                                &DecreaseAtOnceTestCase::Step,
                                this,
                                step,
                                decreaseAtOnce);
        }
        Simulator::Run();
        Simulator::Destroy();
    }

    /// Let a packet arrive or leave, and look at all queues.
    void Step(int64_t step, bool decreaseAtOnce)
    {
        const int64_t period = Simulator::Now().GetNanoSeconds() / 10000;
        if (period != m_period)
        {
            // Since the last step nothing has changed: this is what was polled in between.
            m_period = period;
            m_polled = m_last;
            m_least = m_last;
        }
        const auto& queue = m_queues[m_random->GetInteger(0, 3)];
        // Filling and emptying in turn.
        const double arrivals = (step / 2500) % 2 == 0 ? 0.75 : 0.3;
        if (m_random->GetValue(0, 1) < arrivals)
        {
            queue->Enqueue(MakeIpv4Item(m_random->GetInteger(64, 1500), ECT0));
        }
        else
        {
            queue->Dequeue();
        }
        for (std::size_t i = 0; i < m_queues.size(); ++i)
        {
            const auto share = m_queues[i]->GetBufferQueue();
            const uint64_t live = share->GetThreshold();
            const uint64_t visible = share->GetVisibleThreshold();
            m_least[i] = std::min(m_least[i], live);
            m_last[i] = live;
            m_below += FindEcnViolation(m_queues[i]->GetQueue()->GetEcnThreshold(), live, FLOOR) ==
                       EcnViolation::BELOW_FLOOR;
            if (!decreaseAtOnce)
            {
                NS_TEST_ASSERT_MSG_EQ(visible, m_polled[i], "polled, queue " << i);
                continue;
            }
            NS_TEST_ASSERT_MSG_LT_OR_EQ(visible, live, "queue " << i << ", step " << step);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(visible, m_polled[i], "queue " << i << ", step " << step);
            if (i < 2) // alpha <= 1
            {
                NS_TEST_ASSERT_MSG_EQ(visible, m_least[i], "queue " << i << ", step " << step);
            }
            m_stale += visible < live;
        }
    }

    static constexpr uint64_t FLOOR = 60000;        //!< EcnFloor in bytes
    std::vector<Ptr<CoupledEcnQueueDisc>> m_queues; //!< the queues
    std::vector<uint64_t> m_polled;                 //!< Buf_Thrd at the last poll
    std::vector<uint64_t> m_least;                  //!< the least since then
    std::vector<uint64_t> m_last;                   //!< Buf_Thrd after the last step
    Ptr<UniformRandomVariable> m_random;            //!< draws the load
    int64_t m_period{0};                            //!< number of the poll interval
    uint32_t m_above{0};                            //!< violations of the first invariant
    uint32_t m_below{0};                            //!< states below EcnFloor that need not be
    uint32_t m_stale{0};                            //!< thresholds seen that are too low
};

AIDC_TEST_CASE_F(DecreaseAtOnceTestCase,
                 "decreases of Buf_Thrd take effect at once, increases at the poll: ECN_Thrd "
                 "errs on the low side only (section 6.1)")
{
    Run(true);
    NS_TEST_EXPECT_MSG_EQ(m_above, 0, "ECN_Thrd never exceeds Buf_Thrd");
    NS_TEST_EXPECT_MSG_GT(m_stale, 1000, "thresholds are stale on the low side");
    const auto below = m_below;
    Run(false);
    NS_TEST_EXPECT_MSG_GT(m_above, 100, "the same load, merely polled");
    NS_TEST_EXPECT_MSG_GT(m_below, 0, "polled below EcnFloor, which Buf_Thrd is not any more");
    NS_TEST_EXPECT_MSG_GT(below, m_below, "more often where any dip since the poll counts");
}

/// Run the events. stale: ECN_Thrd from 2 us to the poll at 10 us.
void
CheckLimits(bool decreaseAtOnce, uint64_t stale)
{
    auto buffer = MakeBuffer(100000);
    buffer->SetAttribute("PollInterval", StringValue("10us"));
    buffer->SetAttribute("DecreaseAtOnce", StringValue(decreaseAtOnce ? "true" : "false"));
    auto queueDisc = MakeQueueDisc(buffer, {{"Offset", "10000B"}, {"EcnFloor", "1500B"}});
    auto other = AddOther(buffer);
    auto third = AddOther(buffer);
    const auto at = [](int64_t us, const std::function<void()>& call) {
        Simulator::Schedule(MicroSeconds(us), call);
    };
    // Half a microsecond after an event
    const auto expect = [queueDisc, decreaseAtOnce](int64_t us, uint64_t ecnThrd) {
        Simulator::Schedule(NanoSeconds(1000 * us + 500), [queueDisc, decreaseAtOnce, us, ecnThrd] {
            NS_TEST_EXPECT_MSG_EQ(queueDisc->GetQueue()->GetEcnThreshold(),
                                  ecnThrd,
                                  us << " us, DecreaseAtOnce " << decreaseAtOnce);
        });
    };
    at(1, [other] { other->Admit(80000); });
    at(2, [other] { other->Release(80000); });
    at(3, [third] { third->SetAttribute("Alpha", StringValue("1")); });
    at(4, [third] { third->SetAttribute("Cap", StringValue("50000B")); });
    at(5, [queueDisc] { queueDisc->GetBufferQueue()->SetAttribute("Alpha", StringValue("2")); });
    at(6, [buffer] {
        AddOther(buffer);
        buffer->AddIngress(0, 0, CreateObject<IngressBuffer>());
    });
    at(7, [buffer] { buffer->SetAttribute("Size", StringValue("200000B")); });
    at(13,
       [queueDisc] { queueDisc->GetBufferQueue()->SetAttribute("Alpha", StringValue("0.25")); });
    for (const int64_t us : {2, 3, 4, 5, 6, 7, 9})
    {
        expect(us, stale);
    }
    expect(10, 190000);
    expect(13, decreaseAtOnce ? 40000 : 190000);
    expect(20, 40000);
    Simulator::Run();
    Simulator::Destroy();
}

// Limits that change between two polls poll nothing. Expected results, B = 100,000, alpha 1,
// interval 10 us, Offset 10,000, EcnFloor 1500, an empty queue. Another queue holds 80,000 from 1
// us to 2 us: Buf_Thrd is 20,000, and 100,000 again. With DecreaseAtOnce ECN_Thrd is 10,000 until
// the poll at 10 us; without, it stays 90,000. At 3 us a third queue gets another Alpha, at 4 us a
// Cap, at 5 us the queue itself an Alpha of 2, at 6 us a queue and an account are added, at 7 us
// the memory grows to 200,000. None of this is a reason to see more before the poll. Then min(2 *
// 200,000, 200,000) - 10,000 = 190,000. At 13 us the queue's Alpha becomes 0.25: Buf_Thrd is
// 50,000, seen at once with DecreaseAtOnce, else at 20 us, although no packet comes: ECN_Thrd is
// 40,000.
AIDC_TEST_CASE("new limits of any queue are seen at the next poll; decreases at once if so "
               "set (section 6.1)")
{
    CheckLimits(true, 10000);
    CheckLimits(false, 90000);
}
