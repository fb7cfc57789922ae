// SPDX-License-Identifier: GPL-2.0-only

// The memory that programs and their checks take.

#include "test/core/core-test.h"

#include "ns3/workload-plan.h"

TEST(WorkloadPlan, OperationsNeedNotStartInTheOrderOfTheProgram)
{
    // Both ranks would stay at their first operation
    WorkloadPlan plan(2);
    for (const uint32_t rank : {0, 1})
    {
        plan.GetProgram(rank).AddReceive(1 - rank, 8, 1, {});
        plan.GetProgram(rank).AddSend(1 - rank, 8, 1, {});
    }
    plan.Check();
    // Now they do
    WorkloadPlan circle(2);
    for (const uint32_t rank : {0, 1})
    {
        circle.GetProgram(rank).AddReceive(1 - rank, 8, 1, {});
        circle.GetProgram(rank).AddSend(1 - rank, 8, 1, {0});
    }
    EXPECT_NE(CatchMessage([&] { circle.Check(); }).find("never starts"), std::string::npos);
}

TEST(WorkloadPlan, TakesTheMemoryThatTheManualTells)
{
    EXPECT_EQ(sizeof(RankOperation), 24U);
    EXPECT_LE(sizeof(RankCollective), 40U);
    EXPECT_LE(sizeof(WorkloadItem), 48U);
}
