// SPDX-License-Identifier: GPL-2.0-only

#include "test/star-fabric.h"
#include "test/test-case.h"
#include "test/workload/fake-message-endpoint.h"

#include "ns3/experiment-ranks.h"
#include "ns3/experiment-run.h"

// Tests of the ranks of a run of an experiment.

// The ranks of a run of an experiment.
AIDC_TEST_SUITE("aidc-experiment-ranks", UNIT);

/// Metrics by name.
using Metrics = std::map<std::string, double>;

/// Make a job of two ranks, one of which computes 100 us and then sends 1000 bytes to the other
/// one, which computes 200 us.
WorkloadPlan
MakeMessage()
{
    WorkloadPlan plan(2);
    const uint32_t item = plan.AddItem("x");
    plan.GetProgram(0).AddCompute(100000, {}, item);
    plan.GetProgram(1).AddCompute(200000, {}, item);
    plan.AddMessage(item, 0, 1, 1000, 1, {0}, {});
    return plan;
}

/// Make a job of two ranks that compute 300 us, and then all-reduce 2000 bytes: each sends 1000
/// bytes twice.
WorkloadPlan
MakeAllReduce()
{
    WorkloadPlan plan(2);
    const uint32_t item = plan.AddItem("compute");
    std::vector<std::vector<uint32_t>> after;
    for (const uint32_t rank : {0, 1})
    {
        after.push_back({plan.GetProgram(rank).AddCompute(300000, {}, item)});
    }
    plan.AddCollective("sum",
                       {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 2000},
                       std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0, 1}),
                       after);
    return plan;
}

/// Make a job of two ranks that all-reduce 40 kB twenty times, one after another.
WorkloadPlan
MakeAllReduces()
{
    WorkloadPlan plan(2);
    const auto both = std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0, 1});
    std::vector<std::vector<uint32_t>> after(2);
    for (int i = 0; i < 20; ++i)
    {
        const auto operations =
            plan.AddCollective("sum",
                               {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 40000},
                               both,
                               after);
        after = {{operations[0]}, {operations[1]}};
    }
    return plan;
}

/// What one job and two jobs tell, over links of 1 byte/ns and 1000 ns.
class ExperimentRanksTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    Metrics Run(const WorkloadPlan& plan,
                const std::optional<WorkloadPlan>& other,
                const std::function<void(ExperimentRanks&)>& prepare)
    {
        FabricHelper network;
        network.Build(MakeStar(4, 8000000000, 1000));
        network.AssignAddresses();
        ExperimentRun run;
        run.scenario = "jobs";
        run.scheme = "plain";
        ExperimentRanks ranks(run, plan, other);
        prepare(ranks);
        NodeContainer nodes;
        for (uint32_t rank = 0; rank < ranks.GetPlan().GetNRanks(); ++rank)
        {
            nodes.Add(network.GetHosts().Get(rank));
        }
        ranks.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
        ranks.Simulate(network, MicroSeconds(300));
        m_end = Simulator::Now();
        auto all = ranks.GetMetrics();
        all.push_back({"marked_packets", 10, "packet"});
        ranks.Extrapolate(all);
        Metrics metrics;
        for (const auto& metric : all)
        {
            metrics[metric.name] = metric.value;
        }
        Simulator::Destroy();
        return metrics;
    }

    /// A job by itself, which starts later.
    void RunOne()
    {
        const auto metrics = Run(MakeAllReduce(), std::nullopt, [](ExperimentRanks& ranks) {
            ranks.SetStart(MicroSeconds(50));
        });
        // 300 us, two messages of 2 us, and 1 us for the last acknowledgment
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics.at("completion_time"), 355e-6, 1e-12, "one job");
        NS_TEST_EXPECT_MSG_EQ(metrics.count("completion_time_other"), 0, "there is no other one");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics.at("computation_time"), 300e-6, 1e-12, "of each");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics.at("all_reduce_time"), 5e-6, 1e-12, "of each");
        // 2 (n - 1) / n times 2000 bytes in 5 us
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics.at("bus_bandwidth"), 3.2e9, 1, "as NCCL's tests");
        NS_TEST_EXPECT_MSG_EQ(m_end, MicroSeconds(360), "the next multiple of 10 us");
    }

    /// Two jobs at once: what is told is the first one's.
    void RunTwo()
    {
        Metrics metrics = Run(MakeMessage(), MakeAllReduce(), [](ExperimentRanks&) {});
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["completion_time"], 200e-6, 1e-12, "the first job");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["completion_time_other"], 305e-6, 1e-12, "the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["computation_time"], 150e-6, 1e-12, "a mean of two");
        // The message is under way from 100 to 103 us, with its acknowledgment, and received at
        // 102 us
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["send_time"], 1.5e-6, 1e-12, "of one rank of two");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["receive_time"], 51e-6, 1e-12, "of the other rank");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["exposed_communication"], 1.5e-6, 1e-12, "its sender's");
        AIDC_EXPECT(std::isnan(metrics["bus_bandwidth"]), "of no collective");

        metrics = Run(MakeAllReduce(), MakeMessage(), [](ExperimentRanks&) {});
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["completion_time"], 305e-6, 1e-12, "the first job");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["completion_time_other"], 200e-6, 1e-12, "the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["computation_time"], 300e-6, 1e-12, "of each");
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics["bus_bandwidth"], 3.2e9, 1, "of one collective");
    }

    /// Something else takes longer than the ranks, or never ends.
    void RunWithOthers()
    {
        const auto metrics = Run(MakeMessage(), std::nullopt, [](ExperimentRanks& ranks) {
            ranks.WaitFor("others are not done",
                          [] { return Simulator::Now() >= MicroSeconds(995); });
        });
        NS_TEST_EXPECT_MSG_EQ_TOL(metrics.at("completion_time"), 200e-6, 1e-12, "of the ranks");
        NS_TEST_EXPECT_MSG_EQ(m_end, MilliSeconds(1), "when the others are done");
        const std::string text = MessageOf([&] {
            Run(MakeMessage(), std::nullopt, [](ExperimentRanks& ranks) {
                ranks.SetStart(MilliSeconds(100));
                ranks.WaitFor("others are not done", [] { return false; });
            });
        });
        NS_TEST_EXPECT_MSG_EQ(text,
                              "the run of plain@jobs has not ended by +1100ms: others are not done",
                              "a second after the start");
    }

    /// Counters are extrapolated to what was leapt, but not in a run with other traffic.
    void RunWithLeaps()
    {
        const auto run = [this](const Time& start, const Time& othersEnd) {
            return Run(MakeAllReduces(), std::nullopt, [&](ExperimentRanks& ranks) {
                const auto fabric = MakeStar(4, 8000000000, 1000);
                const auto& hosts = fabric.GetHosts();
                ranks.SetStart(start);
                ranks.Leap(LeapSettings(),
                           FabricPlaces(fabric, {hosts.begin(), hosts.begin() + 2}),
                           [othersEnd] { return Simulator::Now() < othersEnd; });
            });
        };
        const auto alone = run(Time(), Time());
        const double leapt = alone.at("leapt_operations");
        AIDC_EXPECT(leapt > 0.5, leapt);
        // All are of the same bytes
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.at("counter_factor"), 1 / (1 - leapt), 1e-9, "by bytes");
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.at("marked_packets"), 10 / (1 - leapt), 1e-9, "times that");
        for (const auto& metrics : {run(Time(), MicroSeconds(50)), run(MicroSeconds(50), Time())})
        {
            AIDC_EXPECT(metrics.at("leapt_operations") > 0.3, metrics.at("leapt_operations"));
            NS_TEST_EXPECT_MSG_EQ(metrics.at("counter_factor"), 1, "packets of others");
            NS_TEST_EXPECT_MSG_EQ(metrics.at("marked_packets"), 10, "packets of others");
        }
    }

    Time m_end; //!< when the simulation ended
};

AIDC_TEST_CASE_F(ExperimentRanksTestCase, "one job and two jobs, and what they wait for")
{
    RunOne();
    RunTwo();
    RunWithOthers();
    RunWithLeaps();
}
