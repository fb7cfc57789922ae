// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/experiment-results.h"
#include "ns3/mpi-processes.h"
#include "ns3/tcp-flow-helper.h"

#include <filesystem>

// Results of flows, and what parallel simulations need.
AIDC_TEST_SUITE("aidc-experiment-results", UNIT);

/// fct: its completion time in us, 0 if it is not done.
FlowRecord
MakeRecord(uint64_t bytes, int64_t fct, double slowdown)
{
    FlowRecord record;
    record.spec.bytes = bytes;
    record.isDone = fct > 0;
    record.fct = MicroSeconds(fct);
    record.slowdown = slowdown;
    return record;
}

// The metrics of completion times. Done are flows with 10 us, 20 us, 30 us, 40 us, 60 us and the
// slowdowns 1, 2, 4, 5, 8; one is not done, and one has no end, which is not counted. Expected
// results: mean 160 / 5 = 32 us, median 30 us; p99 is 0.96 of the way from the fourth value to the
// fifth ((5 - 1) * 0.99 = 3.96): 40 + 0.96 * 20 = 59.2 us. Slowdown: mean 20 / 5 = 4, median 4, p99
// 5 + 0.96 * 3 = 7.88.
AIDC_TEST_CASE("GetFctMetrics: mean, median and 99th percentile of flows that are done")
{
    const auto metrics = GetFctMetrics({MakeRecord(1000, 20, 2),
                                        MakeRecord(1000, 60, 8),
                                        MakeRecord(1000, 0, 0),
                                        MakeRecord(1000, 10, 1),
                                        MakeRecord(0, 0, 0),
                                        MakeRecord(1000, 40, 5),
                                        MakeRecord(1000, 30, 4)});
    const std::vector<ResultMetric> expected{{"unfinished_flows", 1, "1"},
                                             {"fct_mean", 32e-6, "s"},
                                             {"fct_p50", 30e-6, "s"},
                                             {"fct_p99", 59.2e-6, "s"},
                                             {"fct_slowdown_mean", 4, "1"},
                                             {"fct_slowdown_p50", 4, "1"},
                                             {"fct_slowdown_p99", 7.88, "1"}};
    NS_TEST_ASSERT_MSG_EQ(metrics.size(), expected.size(), "metrics");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(metrics[i].name, expected[i].name, "name");
        NS_TEST_EXPECT_MSG_EQ(metrics[i].unit, expected[i].unit, expected[i].name);
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics[i].value, expected[i].value, 1e-9, expected[i].name);
    }
    const auto none = GetFctMetrics({MakeRecord(1000, 0, 0)});
    NS_TEST_EXPECT_MSG_EQ(none[0].value, 1, "unfinished");
    for (std::size_t i = 1; i < none.size(); ++i)
    {
        AIDC_EXPECT(std::isnan(none[i].value), none[i].name);
    }
}

// A simulation that is not parallel. Expected results: one process needs no MPI and is alone; two
// processes are an error, as mpirun has not started this one as one of two. It says so, with
// MPI and without.
AIDC_TEST_CASE(
    "MpiProcesses: one process needs no MPI; two that mpirun has not started are an error")
{
    const MpiProcesses processes(1);
    NS_TEST_EXPECT_MSG_EQ(processes.GetN(), 1, "processes");
    NS_TEST_EXPECT_MSG_EQ(processes.GetIndex(), 0, "this one");
    AIDC_EXPECT(processes.IsFirst(), "this one");
    NS_TEST_ASSERT_MSG_EQ(processes.Gather("text").size(), 1, "no others");
    NS_TEST_EXPECT_MSG_EQ(processes.Gather("text").front(), "text", "its own");
    NS_TEST_EXPECT_MSG_EQ(processes.Sum(0.1), 0.1, "the sum");
    AIDC_EXPECT(std::isnan(processes.Sum(std::nan(""))), "the sum");
    const std::string error = MessageOf([] { const MpiProcesses two(2); });
    NS_TEST_EXPECT_MSG_EQ(error.rfind("--processes=2: ", 0), 0, error);
    NS_TEST_EXPECT_MSG_NE(error.find("expected"), std::string::npos, error);
}
