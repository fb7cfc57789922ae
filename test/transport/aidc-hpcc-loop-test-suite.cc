// SPDX-License-Identifier: GPL-2.0-only

#include "loop-network.h"
#include "test/test-case.h"

#include <initializer_list>

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

/// A network, and what is expected of it.
struct HpccLoop
{
    uint32_t nFlows;   //!< flows, each of a host of its own
    double eta;        //!< the wanted utilization
    double throughput; //!< the share of the link that is payload
    double tail;       //!< 99th percentile of the queue in packets
    double fairness;   //!< Jain's index: the model's least one, of flows that begin within 100 ns
};

/// HPCC keeps the queue near zero and the link at eta: Li et al., SIGCOMM 2019, section 3. Expected
/// results: of a packet model of its own, with one queue, flows with windows and paces by the
/// paper's algorithm 1, and telemetry in the header's units. Of eta, payload is 4096 of 4220 bytes.
/// What is measured is in a file, in the folder of the option --tempdir.
AIDC_TEST_CASES(
    HpccLoop,
    row,
    "HPCC keeps the queue near zero, flows: " + std::to_string(row.nFlows) +
        ", eta: " + std::to_string(row.eta),
    ({{2, 0.95, 0.9237, 1, 0.97}, {8, 0.95, 0.8883, 3, 0.70}, {2, 0.98, 0.9516, 1, 0.97}}))
{
    const auto result = MeasureHpcc(row.nFlows, row.eta, MilliSeconds(1), MilliSeconds(2));
    Publish(CreateTempDirFilename("loop.txt"), result);
    NS_TEST_EXPECT_MSG_EQ_TOL(result.throughput, row.throughput, 0.02, "eta of the link");
    NS_TEST_EXPECT_MSG_LT(result.tailQueue, (row.tail + 1.5) * PACKET, "near zero");
    NS_TEST_EXPECT_MSG_GT(result.fairness, row.fairness, "shares");
}

/// A network, and what is expected of it.
struct HpccStart
{
    uint32_t nFlows;      //!< flows, each of a host of its own
    double peak;          //!< the largest queue in bytes
    uint32_t nRoundTrips; //!< idle round trips after which the queue is near zero
    double tail;          //!< 99th percentile of the queue then, in packets
};

/// Flows that begin at line rate at once leave no queue some round trips later. Expected results:
/// of the same model.
AIDC_TEST_CASES(HpccStart,
                row,
                "HPCC drains the queue of a start at line rate, flows: " +
                    std::to_string(row.nFlows),
                ({{2, 62700, 12, 1}, {8, 413820, 20, 3}}))
{
    constexpr int64_t T = 4698; // the idle round trip, ns
    const Time drained = NanoSeconds(row.nRoundTrips * T);
    const auto start = MeasureHpcc(row.nFlows, 0.95, Time(), drained);
    const auto then = MeasureHpcc(row.nFlows, 0.95, drained, drained + MicroSeconds(50));
    Publish(CreateTempDirFilename("start.txt"), start);
    Publish(CreateTempDirFilename("then.txt"), then);
    NS_TEST_EXPECT_MSG_EQ_TOL(start.maxQueue, row.peak, 0.1 * row.peak, "first windows");
    NS_TEST_EXPECT_MSG_LT(then.tailQueue, (row.tail + 1.5) * PACKET, "near zero");
}

/// A network, and what is expected of it.
struct TimelyLoop
{
    const char* variant; //!< the variant
    uint32_t nFlows;     //!< flows, each of a host of its own
    int64_t delay;       //!< the delay of a link in ns
    double least;        //!< the least share of the link that is payload
};

/// TIMELY shares a link of 10 Gbit/s, the paper's. Flows begin with their share, as TIMELY has no
/// window against the queue of a start. Expected results: of a packet model of its own, with one
/// queue, flows that pace packets of 4218 bytes, and an acknowledgment each four packets. TIMELY
/// has no fixed point (Zhu et al., CoNEXT 2016), so that the model's runs differ by when flows
/// begin: the throughput is expected to be at least the throughput of forty runs, in which flows
/// begin within 50 us, less a margin of 0.05, and the queue is to stay below T_high on average.
/// What is measured is in a file, in the folder of the option --tempdir.
AIDC_TEST_CASES(TimelyLoop,
                row,
                "TIMELY shares a link, flows: " + std::to_string(row.nFlows) +
                    ", ns: " + std::to_string(row.delay) + ", " + row.variant,
                ({{"Paper", 2, 1000, 0.91},
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
                  {"Hpcc", 64, 10000, 0.21}}))
{
    constexpr uint64_t RATE = 10000000000;
    constexpr double MARGIN = 0.05;
    LoopNetwork network(row.nFlows, RATE, row.delay);
    network.roce.SetCongestionControl("ns3::aidc::TimelyControl",
                                      "Variant",
                                      StringValue(row.variant),
                                      "MinRate",
                                      DataRateValue(DataRate(RATE / 1000)),
                                      "InitialRate",
                                      DataRateValue(DataRate(RATE / row.nFlows)));
    const auto result = network.Run(MilliSeconds(50), MilliSeconds(150), false);
    Publish(CreateTempDirFilename("loop.txt"), result);
    NS_TEST_EXPECT_MSG_GT(result.throughput, row.least - MARGIN, "the link is used");
    NS_TEST_EXPECT_MSG_LT(result.meanQueue * 8 / RATE, 500e-6, "below T_high");
}
