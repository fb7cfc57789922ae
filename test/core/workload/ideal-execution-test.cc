// SPDX-License-Identifier: GPL-2.0-only

// The time of programs that nobody is in the way of.

#include "test/core/core-test.h"

#include "ns3/ideal-execution.h"
#include "ns3/training-step-planner.h"

/// The time of a collective of all ranks, at 400 Gb/s and 1 us, without its last acknowledgment.
double
GetMicros(const CollectiveSchedule& schedule)
{
    const uint32_t n = schedule.GetNMembers();
    std::vector<uint32_t> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0);
    WorkloadPlan plan(n);
    plan.AddCollective("c",
                       schedule,
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(n));
    return 1e6 * GetIdealSeconds(plan, 400e9, 1e-6) - 1;
}

TEST(IdealExecution, CollectivesTakeTheTimeOfTheirBytesAndLatencies)
{
    using Kind = CollectiveKind;
    using Algorithm = CollectiveAlgorithm;
    constexpr uint64_t S = 64000000;
    // 2 (n - 1) steps of S / n, 160 us each, and their latencies
    EXPECT_NEAR(GetMicros({Kind::ALL_REDUCE, Algorithm::RING, 8, S}), 14 * 161, 1e-6);
    EXPECT_NEAR(GetMicros({Kind::ALL_REDUCE, Algorithm::RING, 8, S, 4}), 14 * 160 + 1, 1e-6);
    // n - 1 steps of S / n = 256 us
    EXPECT_NEAR(GetMicros({Kind::ALL_GATHER, Algorithm::RING, 5, S}), 4 * 257, 1e-6);
    // 3 steps of S = 1280 us; each one but the last waits for an acknowledgment
    EXPECT_NEAR(GetMicros({Kind::BROADCAST, Algorithm::BINOMIAL_TREE, 8, S}), 3 * 1281 + 2, 1e-6);
    // 16 + n - 2 chunks of 80 us through n - 1 links
    EXPECT_NEAR(GetMicros({Kind::BROADCAST, Algorithm::CHAIN, 5, S, 16}), 19 * 80 + 4, 1e-6);
    // Two buffers and, among the 4 that are left, 1.5 of one; a latency each, and one to say so
    EXPECT_GT(GetMicros({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 6, S}), 3.5 * 1280 + 6);
    EXPECT_LT(GetMicros({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 6, S}), 3.5 * 1280 + 10);
}

TEST(IdealExecution, CollectivePaysItsCosts)
{
    // A launch, and 6 steps of 1 MB, twice on the wire, with a latency of the step and the link's
    CollectiveScheduleSettings settings;
    settings.nMembers = 4;
    settings.bytes = 4000000;
    settings.costs.launch = 5000;
    settings.costs.between = {2000, 2, 1, 0};
    EXPECT_NEAR(GetMicros(CollectiveSchedule(settings)), 5 + 6 * (2 + 40 + 1), 1e-6);
}

TEST(IdealExecution, PipelineHasTheBubbleOfItsStages)
{
    // (m + p - 1) t, and a latency from stage to stage, forward and backward
    TrainingStep step;
    step.pp = step.nLayers = 4;
    step.nMicrobatches = 8;
    step.forwardNs = 100000;
    step.backwardNs = 200000;
    WorkloadPlan plan(4);
    AddTrainingStep(plan, step);
    EXPECT_NEAR(1e6 * GetIdealSeconds(plan, 400e9, 1e-6), (8 + 4 - 1) * 300 + 2 * 3, 1e-6);
}

TEST(IdealExecution, RanksWaitForASlowOne)
{
    TrainingStep step;
    step.dp = 4;
    step.forwardNs = 100000;
    step.backwardNs = 200000;
    WorkloadPlan plan(4);
    AddTrainingStep(plan, step);
    const double all = 1e6 * GetIdealSeconds(plan, 400e9, 0);
    EXPECT_NEAR(all, 300, 1e-6);
    const uint32_t delay = plan.GetProgram(2).AddCompute(7, {}, 0, RankProgram::NO_UNIT);
    plan.GetProgram(2).SlowDown(1.5);
    EXPECT_NEAR(1e6 * GetIdealSeconds(plan, 400e9, 0), 450, 1e-6);
    EXPECT_EQ(plan.GetProgram(2).Get(delay).amount, 7U);
    EXPECT_EQ(plan.GetProgram(1).Get(0).amount, 100000U);
    EXPECT_THROW(plan.GetProgram(2).SlowDown(0.9), std::invalid_argument);
    EXPECT_THROW(plan.GetProgram(2).SlowDown(1001), std::invalid_argument);
    EXPECT_THROW(plan.GetProgram(2).SlowDown(std::nan("")), std::invalid_argument);
}

TEST(IdealExecution, OfNothingTakesNoTime)
{
    EXPECT_EQ(GetIdealSeconds(WorkloadPlan(3), 1e9, 1), 0);
}
