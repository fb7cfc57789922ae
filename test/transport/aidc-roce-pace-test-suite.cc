// SPDX-License-Identifier: GPL-2.0-only

#include "roce-network.h"
#include "test/test-case.h"

#include "ns3/congestion-control.h"

// Pace of queue pairs.
AIDC_TEST_SUITE("aidc-roce-pace", UNIT);

/// A rate at which a packet of 4,096 bytes takes longer than any of these simulations.
constexpr uint64_t SLOW = 1'000'000;
/// When a timer raises the rate.
const Time RISE = MicroSeconds(100);

/// A congestion control that is slow until something raises its rate to the line rate.
class RisingControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("aidctest::RisingControl")
                .SetParent<CongestionControl>()
                .AddConstructor<RisingControl>()
                .AddAttribute("By",
                              "What raises the rate: Acknowledgment, Cnp, Loss or Timer.",
                              StringValue("Acknowledgment"),
                              MakeStringAccessor(&RisingControl::m_by),
                              MakeStringChecker());
        return tid;
    }

    void NotifyAcknowledgment(Time, const Acknowledgment&) override
    {
        Rise("Acknowledgment");
    }

    void NotifyCnp(Time) override
    {
        Rise("Cnp");
    }

    void NotifyLoss(Time, bool) override
    {
        Rise("Loss");
    }

    uint64_t GetRate(Time now) override
    {
        const bool isFast = m_isFast || (m_by == "Timer" && now >= RISE);
        return isFast ? GetConnection().lineRate : SLOW;
    }

    Time GetNextChange() const override
    {
        return m_by == "Timer" && Simulator::Now() < RISE ? RISE : Time::Max();
    }

    uint64_t GetWindow(Time) override
    {
        return 1'000'000; // so that each packet asks for an acknowledgment
    }

  private:
    /// Raise the rate, if this is what raises it.
    void Rise(const std::string& what)
    {
        m_isFast = m_isFast || what == m_by;
    }

    std::string m_by;     //!< what raises the rate
    bool m_isFast{false}; //!< whether it is raised
};

NS_OBJECT_ENSURE_REGISTERED(RisingControl);

struct RisingRate
{
    std::string by; //!< what raises the rate
    Time latest;    //!< when all is done
};

// Two hosts, links of 100 Gb/s and 1 us. The first packet leaves at once; the second one would wait
// 33 ms for a rate of 1 Mb/s. Its acknowledgment comes back within 6 us: four links of 1 us, two
// transmissions of 0.34 us each way. A timer raises the rate after 100 us.
AIDC_TEST_CASES(RisingRate,
                row,
                "A packet that waits for its pace leaves when the rate rises: " + row.by,
                ({{"Acknowledgment", MicroSeconds(20)},
                  {"Cnp", MicroSeconds(20)},
                  {"Timer", RISE + MicroSeconds(20)}}))
{
    RoceNetwork network(2);
    network.roce.SetCongestionControl("aidctest::RisingControl", "By", StringValue(row.by));
    if (row.by == "Cnp")
    {
        const uint32_t all = SharedBufferSwitchHelper::ALL_CLASSES;
        network.switches.SetQueueDiscAttribute(all, "Mode", StringValue("StaticStep"));
        network.switches.SetQueueDiscAttribute(all, "Threshold", StringValue("1B"));
    }
    network.Start();
    network.Write(0, 1, 4 * 4096);
    RunFor(MilliSeconds(10));
    NS_TEST_ASSERT_MSG_EQ(network.completions.size(), 1, "within 10 ms, of 100 at the slow rate");
    NS_TEST_EXPECT_MSG_LT(network.completions[0].time, row.latest, "soon after the rise");
    NS_TEST_EXPECT_MSG_EQ(network.GetNic(0)->GetStatistics().retransmittedPackets, 0, "once");
    const auto waits = network.GetNic(0)->GetQueuePair(network.GetQp(0, 1)).GetWaitTimes();
    NS_TEST_EXPECT_MSG_LT(waits.rate,
                          static_cast<double>(row.latest.GetNanoSeconds()),
                          "as it has waited, not as it would have");
}
