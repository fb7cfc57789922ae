/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../attributes.h"
#include "../buffer/test-buffers.h"
#include "../buffer/test-packets.h"
#include "coupled-ecn-bench.h"

#include "ns3/coupled-ecn-queue-disc.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// What the trace of broken invariants has told.
struct Violation
{
    EcnViolation which; //!< the invariant
    uint64_t ecnThrd;   //!< ECN_Thrd in bytes
    uint64_t bufThrd;   //!< Buf_Thrd in bytes

    /**
     * @brief Compare.
     * @param other what to compare with
     * @return true if all is equal
     */
    bool operator==(const Violation& other) const
    {
        return which == other.which && ecnThrd == other.ecnThrd && bufThrd == other.bufThrd;
    }
};

/// What the trace of broken invariants has told, in order.
using Violations = std::vector<Violation>;

/**
 * @brief Note what the trace of broken invariants tells.
 * @param violations where to
 * @param which the invariant
 * @param ecnThrd ECN_Thrd in bytes
 * @param bufThrd Buf_Thrd in bytes
 */
void
NoteViolation(Violations* violations, EcnViolation which, uint64_t ecnThrd, uint64_t bufThrd)
{
    violations->push_back({which, ecnThrd, bufThrd});
}

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
        Run("0B", true, 900000, {{EcnViolation::ABOVE_BUF_THRD, 900000, 499000}});
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
    void Run(const std::string& bias, bool polled, uint64_t ecnThrd, const Violations& expected)
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
 * @brief A stale ECN_Thrd below ECN_Floor is told, and SafetyBias alone never leads to one.
 *
 * Expected results, B = 1,000,000, alpha 1, interval 10 us, Offset 100,000, EcnFloor 30,000. Another
 * queue holds 995,000 at the poll at 10 us, Buf_Thrd = 5,000, and nothing from 11 us on. A packet of
 * 1000 at 12 us: Buf_Thrd = 999,000, but ECN_Thrd = 5,000 (region C), or 3,000 with a SafetyBias of
 * 2,000, is below EcnFloor: a violation of the second invariant. After the poll at 20 us ECN_Thrd =
 * 999,000 - 100,000 (- 2,000), and there is none.
 *
 * While the buffer is empty, a SafetyBias of 995,000 would leave 5,000 of the polled 1,000,000:
 * ECN_Thrd is EcnFloor.
 */
class FloorTestCase : public TestCase
{
  public:
    FloorTestCase()
        : TestCase("a polled ECN_Thrd below ECN_Floor is traced where Buf_Thrd is not below it "
                   "(section 5.3)")
    {
    }

  private:
    void DoRun() override
    {
        Run("0B", 5000, 899000);
        Run("2000B", 3000, 897000);

        auto buffer = MakeBuffer(1000000);
        buffer->SetAttribute("PollInterval", StringValue("10us"));
        auto queueDisc = MakeQueueDisc(
            buffer,
            {{"Offset", "100000B"}, {"EcnFloor", "30000B"}, {"SafetyBias", "995000B"}});
        Violations violations;
        queueDisc->TraceConnectWithoutContext("InvariantViolation",
                                              MakeBoundCallback(&NoteViolation, &violations));
        NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), 30000, "EcnFloor");
        NS_TEST_EXPECT_MSG_EQ(ToChar(queueDisc->GetRegion()), 'B', "clamped");
        NS_TEST_EXPECT_MSG_EQ(Flood(queueDisc, Ipv4With(ECT0)).firstMarked, 30, "first marked");
        NS_TEST_EXPECT_MSG_EQ(violations.size(), 0, "no violation");
        Simulator::Destroy();
    }

    /**
     * @brief Run with or without a bias.
     * @param bias SafetyBias
     * @param stale ECN_Thrd at the packet at 12 us
     * @param fresh ECN_Thrd after the poll at 20 us
     */
    void Run(const std::string& bias, uint64_t stale, uint64_t fresh)
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
        Simulator::Schedule(MicroSeconds(21), [this, queueDisc, fresh] {
            NS_TEST_EXPECT_MSG_EQ(queueDisc->GetEcnThreshold(), fresh, "after the poll");
        });
        Simulator::Schedule(MicroSeconds(22), arrive);
        Simulator::Run();
        Simulator::Destroy();
        const Violations expected{{EcnViolation::BELOW_FLOOR, stale, 999000}};
        NS_TEST_EXPECT_MSG_EQ((violations == expected), true, "SafetyBias " << bias);
    }
};

/**
 * @ingroup aidc-test
 * @brief The coupled ECN threshold where Buf_Thrd is polled, and therefore stale.
 */
class AidcCoupledEcnStalenessTestSuite : public TestSuite
{
  public:
    AidcCoupledEcnStalenessTestSuite()
        : TestSuite("aidc-coupled-ecn-staleness", TestSuite::Type::UNIT)
    {
        AddTestCase(new PolledTestCase);
        AddTestCase(new FloorTestCase);
    }
};

/// The instance that registers the suite
const AidcCoupledEcnStalenessTestSuite g_aidcCoupledEcnStalenessTestSuite;

} // namespace
