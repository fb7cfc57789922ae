// SPDX-License-Identifier: GPL-2.0-only

#include "test/helper/invalid-values.h"
#include "test/test-case.h"

#include "ns3/sample-statistics.h"

// Mean and percentiles.
AIDC_TEST_SUITE("aidc-sample-statistics", UNIT);

AIDC_TEST_CASE("mean")
{
    NS_TEST_EXPECT_MSG_EQ(Mean({2, 4, 4, 4, 5, 5, 7, 9}), 5, "mean");
    AIDC_EXPECT(std::isnan(Mean({})), "mean of nothing");
}

// Expected results: h = (n - 1) q. For 15, 20, 35, 40, 50 and q = 0.4, h = 1.6, so 20 + 0.6 * 15 =
// 29; for 1, 2, 3, 4 and q = 0.25, h = 0.75, so 1.75; q = 0.5, h = 1.5, so 2.5.
AIDC_TEST_CASE("percentiles interpolate between the closest ranks")
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
    AIDC_EXPECT(std::isnan(Percentile({}, 0.5)), "of nothing");
    AIDC_EXPECT(std::isnan(Percentile({1, NONE, 2}, 0.5)), "of NaN");
    for (const auto q : {-0.1, 1.1, 99.0, NONE})
    {
        AIDC_EXPECT(IsRefused([q]() { Percentile({1, 2}, q); }), q);
    }
}
