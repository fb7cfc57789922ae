/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test/helper/invalid-values.h"

#include "ns3/sample-statistics.h"
#include "ns3/test.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief Mean, deviation and confidence interval are those of the textbook.
 *
 * Expected results, with the 0.975 quantiles of Student's t from table 1.3.6.7.2 of the
 * NIST/SEMATECH e-Handbook of Statistical Methods: 12.706 for 1 degree of freedom, 2.776 for
 * 4, 2.365 for 7.
 * - 1, 3: mean 2, squares 1 + 1, s = sqrt(2), half-width 12.706 * sqrt(2) / sqrt(2) = 12.706
 * - 10, 12, 14, 16, 18: mean 14, squares 16 + 4 + 0 + 4 + 16 = 40, s = sqrt(40 / 4),
 *   half-width 2.776 * sqrt(10) / sqrt(5) = 3.926
 * - 2, 4, 4, 4, 5, 5, 7, 9: mean 40 / 8 = 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32,
 *   s = sqrt(32 / 7), half-width 2.365 * sqrt(32 / 7) / sqrt(8) = 2.365 * 0.75593 = 1.788
 */
class AidcMeanTestCase : public TestCase
{
  public:
    AidcMeanTestCase()
        : TestCase("mean")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Mean({2, 4, 4, 4, 5, 5, 7, 9}), 5, "mean");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(Mean({})), true, "mean of nothing");
    }
};

/**
 * @ingroup aidc-test
 * @brief Percentiles interpolate between the closest ranks.
 *
 * Expected results: h = (n - 1) q. For 15, 20, 35, 40, 50 and q = 0.4, h = 1.6, so 20 + 0.6 * 15 =
 * 29; for 1, 2, 3, 4 and q = 0.25, h = 0.75, so 1.75; q = 0.5, h = 1.5, so 2.5.
 */
class AidcPercentileTestCase : public TestCase
{
  public:
    AidcPercentileTestCase()
        : TestCase("percentiles interpolate between the closest ranks")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<double> unsorted{40, 15, 50, 35, 20};
        NS_TEST_EXPECT_MSG_EQ_TOL(Percentile(unsorted, 0.4), 29, 1e-12, "0.4 of five");
        NS_TEST_EXPECT_MSG_EQ(Percentile(unsorted, 0.5), 35, "median of five");
        NS_TEST_EXPECT_MSG_EQ(Percentile(unsorted, 0), 15, "smallest");
        NS_TEST_EXPECT_MSG_EQ(Percentile(unsorted, 1), 50, "largest");
        NS_TEST_EXPECT_MSG_EQ(Percentile({4, 3, 2, 1}, 0.25), 1.75, "0.25 of four");
        NS_TEST_EXPECT_MSG_EQ(Percentile({4, 3, 2, 1}, 0.5), 2.5, "median of four");
        NS_TEST_EXPECT_MSG_EQ(Percentile({7}, 0.99), 7, "of one");
        NS_TEST_EXPECT_MSG_EQ(Percentile({5, 5, 5, 5}, 0.99), 5, "of equal values");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(Percentile({}, 0.5)), true, "of nothing");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(Percentile({1, NONE, 2}, 0.5)), true, "of NaN");
        for (const auto q : {-0.1, 1.1, 99.0, NONE})
        {
            NS_TEST_EXPECT_MSG_EQ(IsRefused([q]() { Percentile({1, 2}, q); }), true, q);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Mean and percentiles.
 */
class AidcSampleStatisticsTestSuite : public TestSuite
{
  public:
    AidcSampleStatisticsTestSuite()
        : TestSuite("aidc-sample-statistics", TestSuite::Type::UNIT)
    {
        AddTestCase(new AidcMeanTestCase);
        AddTestCase(new AidcPercentileTestCase);
    }
};

/// The instance that registers the suite
const AidcSampleStatisticsTestSuite g_aidcSampleStatisticsTestSuite;

} // namespace
