/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loop-network.h"
#include "test/test-case.h"

#include "ns3/data-rate.h"

#include <fstream>
#include <initializer_list>

using namespace aidctest;

namespace
{

// HPCC and TIMELY in closed loops.
AIDC_TEST_SUITE("aidc-hpcc-loop", UNIT);

/// Write down what was measured.
void
Publish(const std::string& file, const LoopNetwork::Result& result)
{
    std::ofstream(file) << "throughput " << result.throughput << ", queue mean " << result.meanQueue
                        << " B, 99th percentile " << result.tailQueue << " B, largest "
                        << result.maxQueue << " B, Jain's index " << result.fairness << '\n';
}

/// Bytes of a packet in a queue.
constexpr double PACKET = 4198;

/// Have flows begin at line rate at once.
LoopNetwork::Result
MeasureHpcc(uint32_t nFlows, double eta, Time from, Time to)
{
    LoopNetwork network(nFlows, 100000000000, 1000);
    network.roce.SetCongestionControl("ns3::aidc::HpccControl", "Eta", DoubleValue(eta));
    return network.Run(from, to, true);
}

/// HPCC keeps the queue near zero and the link at eta: Li et al., SIGCOMM 2019, section 3. Expected
/// results: of a packet model of its own, with one queue, flows with windows and paces by the
/// paper's algorithm 1, and telemetry in the header's units. Of eta, payload is 4096 of 4220 bytes.
/// What is measured is in a file, in the folder of the option --tempdir.
class HpccLoopTestCase : public TestCase
{
  public:
    /// A network, and what is expected of it.
    struct Row
    {
        uint32_t nFlows;   //!< flows, each of a host of its own
        double eta;        //!< the wanted utilization
        double throughput; //!< the share of the link that is payload
        double tail;       //!< 99th percentile of the queue in packets
        double fairness; //!< Jain's index: the model's least one, of flows that begin within 100 ns
    };

    explicit HpccLoopTestCase(const Row& row)
        : TestCase("HPCC keeps the queue near zero, flows: " + std::to_string(row.nFlows) +
                   ", eta: " + std::to_string(row.eta)),
          m_row(row)
    {
    }

  private:
    void DoRun() override
    {
        const auto result = MeasureHpcc(m_row.nFlows, m_row.eta, MilliSeconds(1), MilliSeconds(2));
        Publish(CreateTempDirFilename("loop.txt"), result);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.throughput, m_row.throughput, 0.02, "eta of the link");
        NS_TEST_EXPECT_MSG_LT(result.tailQueue, (m_row.tail + 1.5) * PACKET, "near zero");
        NS_TEST_EXPECT_MSG_GT(result.fairness, m_row.fairness, "shares");
    }

    Row m_row; //!< the network
};

/// Flows that begin at line rate at once leave no queue some round trips later. Expected results:
/// of the same model.
class HpccStartTestCase : public TestCase
{
  public:
    /// A network, and what is expected of it.
    struct Row
    {
        uint32_t nFlows;      //!< flows, each of a host of its own
        double peak;          //!< the largest queue in bytes
        uint32_t nRoundTrips; //!< idle round trips after which the queue is near zero
        double tail;          //!< 99th percentile of the queue then, in packets
    };

    explicit HpccStartTestCase(const Row& row)
        : TestCase("HPCC drains the queue of a start at line rate, flows: " +
                   std::to_string(row.nFlows)),
          m_row(row)
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t T = 4698; // the idle round trip, ns
        const Time drained = NanoSeconds(m_row.nRoundTrips * T);
        const auto start = MeasureHpcc(m_row.nFlows, 0.95, Time(), drained);
        const auto then = MeasureHpcc(m_row.nFlows, 0.95, drained, drained + MicroSeconds(50));
        Publish(CreateTempDirFilename("start.txt"), start);
        Publish(CreateTempDirFilename("then.txt"), then);
        NS_TEST_EXPECT_MSG_EQ_TOL(start.maxQueue, m_row.peak, 0.1 * m_row.peak, "first windows");
        NS_TEST_EXPECT_MSG_LT(then.tailQueue, (m_row.tail + 1.5) * PACKET, "near zero");
    }

    Row m_row; //!< the network
};

/// TIMELY shares a link of 10 Gbit/s, the paper's. Flows begin with their share, as TIMELY has no
/// window against the queue of a start. Expected results: of a packet model of its own, with one
/// queue, flows that pace packets of 4218 bytes, and an acknowledgment each four packets. TIMELY
/// has no fixed point (Zhu et al., CoNEXT 2016), so that the model's runs differ by when flows
/// begin: the throughput is expected to be at least that of forty runs, in which they begin within
/// 50 us, less a margin of 0.05, and the queue is to stay below T_high on average. What is measured
/// is in a file, in the folder of the option --tempdir.
class TimelyLoopTestCase : public TestCase
{
  public:
    /// A network, and what is expected of it.
    struct Row
    {
        const char* variant; //!< the variant
        uint32_t nFlows;     //!< flows, each of a host of its own
        int64_t delay;       //!< the delay of a link in ns
        double least;        //!< the least share of the link that is payload
    };

    explicit TimelyLoopTestCase(const Row& row)
        : TestCase("TIMELY shares a link, flows: " + std::to_string(row.nFlows) +
                   ", ns: " + std::to_string(row.delay) + ", " + row.variant),
          m_row(row)
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint64_t RATE = 10000000000;
        constexpr double MARGIN = 0.05;
        LoopNetwork network(m_row.nFlows, RATE, m_row.delay);
        network.roce.SetCongestionControl("ns3::aidc::TimelyControl",
                                          "Variant",
                                          StringValue(m_row.variant),
                                          "MinRate",
                                          DataRateValue(DataRate(RATE / 1000)),
                                          "InitialRate",
                                          DataRateValue(DataRate(RATE / m_row.nFlows)));
        const auto result = network.Run(MilliSeconds(50), MilliSeconds(150), false);
        Publish(CreateTempDirFilename("loop.txt"), result);
        NS_TEST_EXPECT_MSG_GT(result.throughput, m_row.least - MARGIN, "the link is used");
        NS_TEST_EXPECT_MSG_LT(result.meanQueue * 8 / RATE, 500e-6, "below T_high");
    }

    Row m_row; //!< the network
};

AIDC_ADD_TEST_CASES()
{
    for (const HpccLoopTestCase::Row& row :
         std::initializer_list<HpccLoopTestCase::Row>{{2, 0.95, 0.9237, 1, 0.97},
                                                      {8, 0.95, 0.8883, 3, 0.70},
                                                      {2, 0.98, 0.9516, 1, 0.97}})
    {
        AddTestCase(new HpccLoopTestCase(row));
    }
    for (const HpccStartTestCase::Row& row :
         std::initializer_list<HpccStartTestCase::Row>{{2, 62700, 12, 1}, {8, 413820, 20, 3}})
    {
        AddTestCase(new HpccStartTestCase(row));
    }
    for (const TimelyLoopTestCase::Row& row :
         std::initializer_list<TimelyLoopTestCase::Row>{{"Paper", 2, 1000, 0.91},
                                                        {"Paper", 2, 10000, 0.61},
                                                        {"Paper", 8, 1000, 0.86},
                                                        {"Paper", 8, 10000, 0.43},
                                                        {"Paper", 64, 1000, 0.57},
                                                        {"Paper", 64, 10000, 0.39},
                                                        {"Hpcc", 2, 1000, 0.81},
                                                        {"Hpcc", 2, 10000, 0.92},
                                                        {"Hpcc", 8, 1000, 0.79},
                                                        {"Hpcc", 8, 10000, 0.58},
                                                        {"Hpcc", 64, 1000, 0.28},
                                                        {"Hpcc", 64, 10000, 0.21}})
    {
        AddTestCase(new TimelyLoopTestCase(row));
    }
}

} // namespace
