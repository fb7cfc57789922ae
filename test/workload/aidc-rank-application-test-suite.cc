// SPDX-License-Identifier: GPL-2.0-only

#include "fake-message-endpoint.h"
#include "test/core/catch-message.h"
#include "test/simulator/simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/rank-application-helper.h"
#include "ns3/rank-application.h"
#include "ns3/roce-helper.h"
#include "ns3/training-step-planner.h"

// Tests of programs of ranks at hosts.

// Programs of ranks at hosts.
AIDC_TEST_SUITE("aidc-rank-application", UNIT);

/// The numbers of operations, or of ranks.
using Numbers = std::vector<uint32_t>;

/// A plan that is executed by hosts, over links of 1 byte/ns and 1000 ns.
class PlannedRun
{
  public:
    explicit PlannedRun(const WorkloadPlan& plan, Time start = Time(0))
        : helper(plan)
    {
        NodeContainer nodes(plan.GetNRanks());
        helper.SetStart(start);
        applications =
            helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
        for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
        {
            const auto application = applications.Get(rank);
            ConnectTrace(application, "OperationStarted", [this](uint32_t r, uint32_t i) {
                Note("+", r, i);
            });
            ConnectTrace(application, "OperationEnded", [this](uint32_t r, uint32_t i) {
                Note("-", r, i);
            });
            ConnectTrace(application, "Done", [this](uint32_t r, Time time) {
                trace += " done " + std::to_string(r) + "@" + std::to_string(time.GetNanoSeconds());
            });
        }
        helper.StopWhenDone();
        RunFor(Seconds(10));
        stopped = Simulator::Now();
    }

    /// Get when an operation was under way. Returns start and end in ns, as "0-5".
    std::string GetTimes(uint32_t rank, uint32_t operation) const
    {
        const auto application = DynamicCast<RankApplication>(applications.Get(rank));
        const auto& times = application->GetTimes()[operation];
        return std::to_string(times.start.GetNanoSeconds()) + "-" +
               (times.hasEnded ? std::to_string(times.end.GetNanoSeconds()) : "");
    }

    RankApplicationHelper helper;      //!< the helper
    ApplicationContainer applications; //!< by rank
    std::string trace;                 //!< what was traced
    Time stopped;                      //!< when the simulation stopped

  private:
    void Note(const char* what, uint32_t rank, uint32_t operation)
    {
        trace += " " + std::to_string(rank) + what + std::to_string(operation);
    }

    SimulationEnd m_end; //!< of this network
};

AIDC_TEST_CASE("operations start when what they wait for has ended")
{
    const WorkloadPlan plan = MakeTwoRankPlan();
    {
        PlannedRun run(plan);
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(0, 0), "0-500", "computation");
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(0, 1), "0-2100", "message");
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(0, 2), "500-4500", "message after it");
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(1, 0), "0-1100", "receive");
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(1, 1), "0-5000", "computation");
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(1, 2), "5000-5000", "message that was there");
        NS_TEST_EXPECT_MSG_EQ(run.GetTimes(1, 3), "5000-5010", "last computation");
        NS_TEST_EXPECT_MSG_EQ(run.trace,
                              " 0+0 0+1 1+0 1+1 0-0 0+2 1-0 0-1 0-2 done 0@4500 1-1 1+2 1-2 "
                              "1+3 1-3 done 1@5010",
                              "traces");
        NS_TEST_EXPECT_MSG_EQ(run.stopped, MicroSeconds(10), "the simulation stops");
        NS_TEST_EXPECT_MSG_EQ(run.helper.GetRankRecords()[1].finish, NanoSeconds(5010), "rank");
    }
    PlannedRun later(plan, MicroSeconds(3));
    NS_TEST_EXPECT_MSG_EQ(later.GetTimes(1, 3), "8000-8010", "a start of 3 us");
    AIDC_EXPECT(later.helper.IsDone(), "done");
    AIDC_EXPECT(later.helper.GetUnfinished().empty(), "nothing is left");
}

/// Check the time of a collective, from the start to the last message that arrives. expected:
/// the time in ns, without the acknowledgment of the last message.
void
Check(const CollectiveSchedule& schedule, int64_t expected, double busFactor)
{
    const uint32_t n = schedule.GetNMembers();
    Numbers ranks;
    for (uint32_t i = 0; i < n; ++i)
    {
        ranks.push_back((3 * i + 1) % n); // 3 has no divisor in common with any n here
    }
    WorkloadPlan plan(n);
    plan.AddCollective("c",
                       schedule,
                       std::make_shared<const Numbers>(ranks),
                       std::vector<Numbers>(n));
    PlannedRun run(plan);
    const auto records = run.helper.GetCollectiveRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 1, "records");
    const CollectiveRecord& record = records[0];
    const auto what = std::string(GetCollectiveName(record.kind)) + " by " +
                      GetCollectiveAlgorithmName(record.algorithm);
    AIDC_EXPECT(record.isDone, what);
    NS_TEST_EXPECT_MSG_EQ(record.name, "c", what);
    NS_TEST_EXPECT_MSG_EQ(record.start, Time(0), what);
    NS_TEST_EXPECT_MSG_EQ(record.finish.GetNanoSeconds(), expected + 1000, what);
    const double algorithm = static_cast<double>(schedule.GetBytes()) / (1e-9 * (expected + 1000));
    NS_TEST_EXPECT_MSG_EQ_TOL(record.bandwidth.algorithm, algorithm, 1e-3, what);
    NS_TEST_EXPECT_MSG_EQ_TOL(record.bandwidth.bus, algorithm * busFactor, 1e-3, what);
}

// Collectives take the time of their steps.
AIDC_TEST_CASE("collectives take the time of their steps")
{
    using Kind = CollectiveKind;
    using Algorithm = CollectiveAlgorithm;
    constexpr uint64_t S = 4000000;
    // A step of S / n bytes takes S / n + 1000 ns
    Check({Kind::ALL_REDUCE, Algorithm::RING, 4, S}, 6 * 1001000, 1.5);
    Check({Kind::ALL_REDUCE, Algorithm::RING, 8, S}, 14 * 501000, 1.75);
    // Chunks keep the links busy: only the latency of the last step remains
    Check({Kind::ALL_REDUCE, Algorithm::RING, 4, S, 4}, 6 * 1000000 + 1000, 1.5);
    Check({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 4, S}, 6000000 + 4 * 1000, 1.5);
    Check({Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING, 4, S}, 2 * 4001000, 1.5);
    Check({Kind::ALL_GATHER, Algorithm::RING, 5, S}, 4 * 801000, 0.8);
    Check({Kind::ALL_GATHER, Algorithm::HALVING_DOUBLING, 8, S}, 3500000 + 3 * 1000, 0.875);
    Check({Kind::REDUCE_SCATTER, Algorithm::RING, 5, S}, 4 * 801000, 0.8);
    Check({Kind::ALL_TO_ALL, Algorithm::PAIRWISE, 5, S}, 4 * 801000, 0.8);
    // The root sends to three others, and waits for an acknowledgment in between
    Check({Kind::BROADCAST, Algorithm::BINOMIAL_TREE, 8, S}, 3 * 4001000 + 2 * 1000, 1);
    // n - 2 + m chunks of S / m, through n - 1 links
    Check({Kind::BROADCAST, Algorithm::CHAIN, 5, S, 8}, 11 * 500000 + 4 * 1000, 1);
}

AIDC_TEST_CASE("collectives cost a launch, latencies and bytes of a protocol")
{
    CollectiveScheduleSettings settings;
    settings.nMembers = 4;
    settings.bytes = 4000000;
    settings.costs.launch = 5000;
    settings.costs.between = {2000, 2, 1, 0};
    // The launch; 6 steps of a latency, 1 MB twice and the link's 1000 ns
    Check(CollectiveSchedule(settings), 5000 + 6 * (2000 + 2000000 + 1000), 1.5);
    // In servers of two, the ring goes inside of and between servers in turn; of 128 bytes, 120 are
    // data: a block of 960 kB has 1024 kB
    settings.nPerServer = 2;
    settings.bytes = 3840000;
    settings.costs.inside = {500, 128, 120, 0};
    settings.costs.between = {2000, 128, 120, 0};
    Check(CollectiveSchedule(settings),
          5000 + 3 * (500 + 1024000 + 1000) + 3 * (2000 + 1024000 + 1000),
          1.5);
    // The host is busy for 300 ns with each message to another server
    settings.costs.post = 300;
    Check(CollectiveSchedule(settings),
          5000 + 3 * (500 + 1024000 + 1000) + 3 * (300 + 2000 + 1024000 + 1000),
          1.5);
    // All at once in an all-to-all: the last of 3 messages without bytes leaves after 3 times
    settings.kind = CollectiveKind::ALL_TO_ALL;
    settings.algorithm = CollectiveAlgorithm::DIRECT;
    settings.nPerServer = 1;
    settings.bytes = 4;
    settings.costs = CollectiveCosts();
    settings.costs.post = 300;
    settings.costs.between = {2000, 1, 1, 0};
    Check(CollectiveSchedule(settings), 3 * 300 + 2000 + 1 + 1000, 0.75);
}

AIDC_TEST_CASE("what is under way when all stops is told")
{
    WorkloadPlan plan(2);
    plan.AddMessage(plan.AddItem("m"), 0, 1, 5000, 1, {}, {});
    const Numbers none;
    plan.AddCollective("c",
                       {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 10},
                       std::make_shared<const Numbers>(Numbers{0, 1}),
                       {{0}, none});
    plan.GetProgram(1).AddCompute(9000, {}, 0);
    plan.GetProgram(1).AddCompute(1, {2}, 0);
    RankApplicationHelper helper(plan);
    NodeContainer nodes(2);
    const auto applications =
        helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
    applications.Get(1)->SetStopTime(NanoSeconds(8000));
    Simulator::Stop(NanoSeconds(6500)); // the message has arrived, but is not acknowledged
    Simulator::Run();
    const auto unfinished = helper.GetUnfinished();
    NS_TEST_ASSERT_MSG_EQ(unfinished.size(), 3, "operations");
    NS_TEST_EXPECT_MSG_EQ(unfinished[0],
                          "rank 0, operation 0 (m: send of 5000 bytes to rank 1 with tag 1)",
                          "rank 0");
    NS_TEST_EXPECT_MSG_EQ(unfinished[1], "rank 1, operation 1 (c: all-reduce of 10 bytes)", "1");
    NS_TEST_EXPECT_MSG_EQ(unfinished[2], "rank 1, operation 2 (m: computation of 9000 ns)", "1");
    NS_TEST_EXPECT_MSG_EQ(helper.GetUnfinished(1).size(), 1, "one of them");
    RunFor(NanoSeconds(20000));
    AIDC_EXPECT(!helper.GetRankRecords()[1].isDone, "rank 1 was stopped");
    AIDC_EXPECT(!helper.GetCollectiveRecords()[0].isDone, "and its collective");
    NS_TEST_EXPECT_MSG_EQ(helper.GetCollectiveRecords()[0].bandwidth.bus, 0, "no bandwidth");
    AIDC_EXPECT(!helper.IsDone(), "not done");
}

AIDC_TEST_CASE("operations have the same times in time windows")
{
    TrainingStep step;
    step.dp = 4;
    step.tp = 2;
    step.pp = 2;
    step.ep = 2;
    step.nLayers = 4;
    step.nMicrobatches = 3;
    step.forwardNs = 700;
    step.backwardNs = 1500;
    step.pipelineBytes = 3000;
    step.tensor = {1000, CollectiveAlgorithm::RECURSIVE_DOUBLING, 1};
    step.expert.bytes = 500;
    step.data = {10000, CollectiveAlgorithm::RING, 3};
    WorkloadPlan plan(16);
    AddTrainingStep(plan, step);
    const auto run = [this, &plan](std::ostream& log) {
        // Links that nothing is sent over: a message takes more than two of their delays
        const NodeContainer nodes = MakeRow(16, NanoSeconds(400));
        RankApplicationHelper helper(plan);
        const auto applications =
            helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
        helper.StopWhenDone();
        Simulator::Run();
        AIDC_EXPECT(helper.IsDone(), "done");
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            const auto application = DynamicCast<RankApplication>(applications.Get(rank));
            for (const auto& times : application->GetTimes())
            {
                log << times.start.GetNanoSeconds() << "-" << times.end.GetNanoSeconds() << " ";
            }
        }
        for (const auto& record : helper.GetCollectiveRecords())
        {
            log << record.name << " " << record.finish.GetNanoSeconds() << "\n";
        }
    };
    const std::string inWindows = RunWith(Simulation::WINDOWS, run);
    AIDC_EXPECT(!inWindows.empty(), "something was written");
    NS_TEST_EXPECT_MSG_EQ(inWindows, RunWith(Simulation::DEFAULT, run), "times");
}

AIDC_TEST_CASE("what does not fit together is refused before the simulation")
{
    WorkloadPlan plan(2);
    ExpectRefusal("expected a host and an endpoint for each of 2 ranks, found 3 and 3", [&plan] {
        RankApplicationHelper helper(plan);
        NodeContainer nodes(3);
        helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, Time(0)));
    });
    ExpectRefusal("RankApplicationHelper::Install() is called once", [&plan] {
        RankApplicationHelper helper(plan);
        NodeContainer nodes(2);
        const auto endpoints = FakeMessageEndpoint::Make(nodes, 1, Time(0));
        helper.Install(nodes, endpoints);
        helper.Install(nodes, endpoints);
    });
    ExpectRefusal("expected 2 hosts, one for each rank, found 3",
                  [&plan] { RoceRankHelper::Connect(plan, NodeContainer(3)); });
    ExpectRefusal("expected programs to start at 0 s or later, found -1us", [&plan] {
        RankApplicationHelper helper(plan);
        helper.SetStart(MicroSeconds(-1));
    });
    plan.GetProgram(0).AddSend(1, 5, 1, {}, plan.AddItem("x"));
    NS_TEST_EXPECT_MSG_EQ(CatchMessage([&plan] { RankApplicationHelper helper(plan); }),
                          "rank 0, operation 0 (x: send of 5 bytes to rank 1 with tag 1) is "
                          "never received",
                          "a message without a receiver");
    Simulator::Destroy();
}
