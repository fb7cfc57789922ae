// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/experiment-parameters.h"
#include "ns3/experiment-rank-options.h"

// Tests of the option that makes a rank compute slowly.

// A rank that computes slowly.
AIDC_TEST_SUITE("aidc-experiment-slow-rank", UNIT);

/// Apply the option to 4 ranks, each of which computes 1000 ns. value: the value of the option;
/// none if it is empty.
std::string
Apply(const std::string& value)
{
    ExperimentSlowRank slow;
    ExperimentParameters parameters;
    slow.AddTo(parameters);
    WorkloadPlan plan(4);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        plan.GetProgram(rank).AddCompute(1000, {});
    }
    std::string text = MessageOf([&] {
        if (!value.empty())
        {
            parameters.Set("slow-rank", value);
        }
        slow.Prepare(4);
    });
    if (!text.empty())
    {
        return text;
    }
    slow.SlowDown(plan);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        text += std::to_string(plan.GetProgram(rank).Get(0).amount) + " ";
    }
    return text;
}

AIDC_TEST_CASE("a rank computes slowly, or the option is refused")
{
    NS_TEST_EXPECT_MSG_EQ(Apply(""), "1000 1000 1000 1000 ", "none");
    NS_TEST_EXPECT_MSG_EQ(Apply("2:1.5"), "1000 1000 1500 1000 ", "slow");
    NS_TEST_EXPECT_MSG_EQ(Apply("0:1000"), "1000000 1000 1000 1000 ", "slowest");
    for (const std::string value :
         {"2", "4:2", "2:1", "2:0.5", "2:1001", "x:2", ":2", "2:", "2:x", "-1:2", "2:2:2"})
    {
        NS_TEST_EXPECT_MSG_EQ(Apply(value),
                              "expected --slow-rank as a rank below 4, a colon and a factor "
                              "above 1, at most 1000, found \"" +
                                  value + "\"",
                              value);
    }
}
