/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/experiment-parameters.h"
#include "ns3/experiment-slow-rank.h"
#include "ns3/test.h"

#include <cstdint>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

/**
 * @file
 * @ingroup aidc-test
 * Tests of the option that makes a rank compute slowly.
 */

namespace
{

/**
 * @ingroup aidc-test
 * @brief The rank computes slowly, or the option is refused.
 */
class ExperimentSlowRankTestCase : public TestCase
{
  public:
    ExperimentSlowRankTestCase()
        : TestCase("a rank computes slowly, or the option is refused")
    {
    }

  private:
    /**
     * @brief Apply the option to 4 ranks, each of which computes 1000 ns.
     * @param value the value of the option; none if it is empty
     * @return the nanoseconds of each rank, or the error
     */
    std::string Apply(const std::string& value)
    {
        ExperimentSlowRank slow;
        ExperimentParameters parameters;
        slow.AddTo(parameters);
        WorkloadPlan plan(4);
        std::string text;
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            plan.GetProgram(rank).AddCompute(1000, {});
        }
        try
        {
            if (!value.empty())
            {
                parameters.Set("slow-rank", value);
            }
            slow.Prepare(4);
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        slow.SlowDown(plan);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            text += std::to_string(plan.GetProgram(rank).Get(0).amount) + " ";
        }
        return text;
    }

    void DoRun() override
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
};

/**
 * @ingroup aidc-test
 * @brief A rank that computes slowly.
 */
class AidcExperimentSlowRankTestSuite : public TestSuite
{
  public:
    AidcExperimentSlowRankTestSuite()
        : TestSuite("aidc-experiment-slow-rank", TestSuite::Type::UNIT)
    {
        AddTestCase(new ExperimentSlowRankTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentSlowRankTestSuite g_aidcExperimentSlowRankTestSuite;

} // namespace
