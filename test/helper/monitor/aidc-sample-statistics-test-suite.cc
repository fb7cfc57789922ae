/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test/helper/invalid-values.h"
#include "test/test-case.h"

#include "ns3/sample-statistics.h"

#include <cmath>

using namespace aidctest;

namespace
{

// Mean, deviation, confidence interval and percentiles.
AIDC_TEST_SUITE("aidc-sample-statistics", UNIT);

// Expected results, with the 0.975 quantiles of Student's t from table 1.3.6.7.2 of the
// NIST/SEMATECH e-Handbook of Statistical Methods: 12.706 for 1 degree of freedom, 2.776 for
// 4, 2.365 for 7.
// - 1, 3: mean 2, squares 1 + 1, s = sqrt(2), half-width 12.706 * sqrt(2) / sqrt(2) = 12.706
// - 10, 12, 14, 16, 18: mean 14, squares 16 + 4 + 0 + 4 + 16 = 40, s = sqrt(40 / 4),
//   half-width 2.776 * sqrt(10) / sqrt(5) = 3.926
// - 2, 4, 4, 4, 5, 5, 7, 9: mean 40 / 8 = 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32,
//   s = sqrt(32 / 7), half-width 2.365 * sqrt(32 / 7) / sqrt(8) = 2.365 * 0.75593 = 1.788
AIDC_TEST_CASE("mean, deviation and confidence interval are those of the textbook")
{
    struct Vector
    {
        std::vector<double> values;
        double mean;
        double deviation;
        double halfWidth;
    };

    const std::vector<Vector> vectors{
        {{1, 3}, 2, std::sqrt(2.0), 12.706},
        {{10, 12, 14, 16, 18}, 14, std::sqrt(10.0), 3.926},
        {{2, 4, 4, 4, 5, 5, 7, 9}, 5, std::sqrt(32.0 / 7), 1.788},
        {{6, 6, 6}, 6, 0, 0},
    };
    for (const auto& v : vectors)
    {
        NS_TEST_EXPECT_MSG_EQ(Mean(v.values), v.mean, "mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(StandardDeviation(v.values), v.deviation, 1e-12, "deviation");
        // The table has three decimals
        NS_TEST_EXPECT_MSG_EQ_TOL(ConfidenceHalfWidth95(v.values), v.halfWidth, 1e-3, "ci95");
    }
    NS_TEST_EXPECT_MSG_EQ(Median({5, 1, 900}), 5, "median");
    NS_TEST_EXPECT_MSG_EQ(Median({4, 1, 2, 900}), 3, "median of an even number");
    AIDC_EXPECT(std::isnan(Median({1, NONE, 2})), "median without a value");
    AIDC_EXPECT(std::isnan(Mean({})), "mean of nothing");
    AIDC_EXPECT(std::isnan(StandardDeviation({1})), "deviation of one value");
    AIDC_EXPECT(std::isnan(ConfidenceHalfWidth95({1})), "ci95 of one value");
    AIDC_EXPECT(std::isnan(ConfidenceHalfWidth95({1, NONE})), "ci95 of NaN");
}

/// Pairs are compared by the logarithms of their ratios; counts with zeros by those of 1 + x, other
/// values without a ratio by ranks. The 0.975 quantiles of Student's t are 2.262 for ten pairs and
/// 3.182 for four. Wilcoxon's test has p = 2 S / 2^n, with n pairs that differ, and S sets of ranks
/// whose sum is at most the lesser sum of ranks of one sign. Sets of distinct ranks by their sum 0,
/// 1, 2...: 1, 1, 1, 2, 2, 3, 4, 5, 6, 8.
class AidcComparePairsTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    void CheckAgainstZeros(const std::string& what, std::vector<double> differences, int sign)
    {
        for (auto& difference : differences)
        {
            difference /= 2;
        }
        const auto compared = ComparePairs(differences, std::vector<double>(differences.size(), 0));
        NS_TEST_EXPECT_MSG_EQ(compared.sign, sign, what);
        AIDC_EXPECT(std::isnan(compared.ratio), what);
    }

    /// Counts with zeros are compared by log(1 + x).
    void CheckCounts()
    {
        // log 1562, 5318, 1408, 2778 = 7.354, 8.579, 7.250, 7.929: mean 7.778, s^2 = (0.180 + 0.641
        // + 0.279 + 0.023) / 3 = 0.374, half-width 3.182 * 0.612 / 2 = 0.974. By differences, it
        // would be 3.182 * 1808 / 2 = 2877, beyond the mean of 2766.
        const std::vector<double> none(4, 0);
        const std::vector<double> dropped{1561, 5317, 1407, 2777};
        const auto compared = ComparePairs(none, dropped);
        NS_TEST_EXPECT_MSG_EQ(compared.sign, -1, "none dropped, in four of four runs");
        NS_TEST_EXPECT_MSG_EQ(compared.nSmaller, 4, "four of four");
        AIDC_EXPECT(std::isnan(compared.ratio), "no ratio to none");
        NS_TEST_EXPECT_MSG_EQ(ComparePairs(dropped, none).sign, 1, "the other way round");
        // log 2, 2, 2, 1: mean 0.520, s = 0.347, half-width 3.182 * 0.347 / 2 = 0.551
        NS_TEST_EXPECT_MSG_EQ(ComparePairs({1, 1, 1, 0}, none).sign, 0, "one packet, or none");
        // (6, 6, 6, -4) log 2: mean 3.5, s = 5, half-width 3.182 * 5 / 2 = 7.96, all in log 2
        NS_TEST_EXPECT_MSG_EQ(ComparePairs({63, 63, 63, 0}, {0, 0, 0, 15}).sign, 0, "once more");
        NS_TEST_EXPECT_MSG_EQ(ComparePairs(none, none).sign, 0, "nothing in either");
        // One value with a fraction: no counts, so mean 2765.6, half-width 2877
        NS_TEST_EXPECT_MSG_EQ(ComparePairs(none, {1561.5, 5317, 1407, 2777}).sign, 0, "a fraction");
    }
};

AIDC_TEST_CASE_F(AidcComparePairsTestCase,
                 "pairs: better or worse by ratios, or by ranks where there are zeros or signs")
{
    // Nine ratios of exp(0.4), and a wild seed of exp(2.4). Logarithms: mean 0.6, s^2 = (9 *
    // 0.04 + 3.24) / 9 = 0.4, half-width 2.262 * sqrt(0.4 / 10) = 0.4524. The differences are
    // 0.4918 and once 10.0232: mean 1.445, s = 9.5314 / sqrt(10) = 3.014, half-width 2.156.
    std::vector<double> skewed(10, std::exp(0.4));
    skewed[7] = std::exp(2.4);
    const std::vector<double> ones(10, 1);
    auto compared = ComparePairs(skewed, ones);
    NS_TEST_EXPECT_MSG_EQ(compared.sign, 1, "ten of ten are larger, one of them by far");
    NS_TEST_EXPECT_MSG_EQ(compared.nLarger, 10, "ten of ten");
    NS_TEST_EXPECT_MSG_EQ(compared.nSmaller, 0, "none");
    NS_TEST_EXPECT_MSG_EQ_TOL(compared.ratio, std::exp(0.6), 1e-9, "geometric mean");
    NS_TEST_EXPECT_MSG_EQ_TOL(compared.ratioLow, std::exp(0.6 - 0.4524), 1e-3, "low end");
    NS_TEST_EXPECT_MSG_EQ_TOL(compared.ratioHigh, std::exp(0.6 + 0.4524), 1e-3, "high end");
    NS_TEST_EXPECT_MSG_EQ(ComparePairs(ones, skewed).sign, -1, "the other way round");

    // Ratios 2, 2, 2, 1/2: logarithms of base 2 have mean 0.5, s = 1, half-width 1.591
    compared = ComparePairs({2, 2, 2, 0.5}, {1, 1, 1, 1});
    NS_TEST_EXPECT_MSG_EQ(compared.sign, 0, "three of four");
    NS_TEST_EXPECT_MSG_EQ_TOL(compared.ratioLow, std::exp2(0.5 - 1.591), 1e-3, "low end");
    NS_TEST_EXPECT_MSG_EQ(compared.nSmaller, 1, "one is smaller");
    NS_TEST_EXPECT_MSG_EQ(ComparePairs({3, 3, 3, 3}, {3, 3, 3, 3}).sign, 0, "the same");
    // Pairs of very different sizes, each 10 to 13 % smaller
    NS_TEST_EXPECT_MSG_EQ(ComparePairs({9, 88, 870, 9000}, {10, 100, 1000, 10000}).sign,
                          -1,
                          "the sizes do not matter");

    // p = 2 * 1 / 1024
    CheckAgainstZeros("ten of ten, a wild one", {1, 2, 3, 4, 5, 6, 7, 8, 9, 9000}, 1);
    // Sums up to 8: 1 + 1 + 1 + 2 + 2 + 3 + 4 + 5 + 6 = 25 sets, p = 50 / 1024 = 0.0488
    CheckAgainstZeros("ranks 3 and 5 of ten", {-1, -2, 3, -4, 5, -6, -7, -8, -9, -900}, -1);
    // 8 sets more: p = 66 / 1024 = 0.0645
    CheckAgainstZeros("ranks 3 and 6 of ten", {-1, -2, 3, -4, -5, 6, -7, -8, -9, -900}, 0);
    // p = 2 / 64 = 0.031
    CheckAgainstZeros("six, and two without a difference", {0, 5, 1, 2, 0, 3, 4, 900}, 1);
    // One of six equal ranks of 3.5: 1 + 6 sets, p = 14 / 64 = 0.22
    CheckAgainstZeros("ties", {1, 1, -1, 1, 1, 1}, 0);
    // All four larger, in halves: mean 2.5, s = 1.291, half-width 3.182 * 1.291 / 2 = 2.054
    CheckAgainstZeros("four pairs, by Student's t", {1, 2, 3, 4}, 1);
    // Five, in halves: mean 22, s = 43.6, half-width 2.776 * 43.6 / sqrt(5) = 54
    CheckAgainstZeros("five pairs, a wild one", {1, 2, 3, 4, 100}, 0);
    CheckAgainstZeros("one pair", {1}, 0);

    CheckCounts();

    compared = ComparePairs({3}, {4});
    NS_TEST_EXPECT_MSG_EQ_TOL(compared.ratio, 0.75, 1e-12, "ratio of one pair");
    AIDC_EXPECT(std::isnan(compared.ratioLow), "no interval");
    NS_TEST_EXPECT_MSG_EQ(compared.sign, 0, "no sign");
    NS_TEST_EXPECT_MSG_EQ(ComparePairs({1, NONE}, {2, 2}).nSmaller, 0, "no value");
    AIDC_EXPECT(std::isnan(ComparePairs({}, {}).ratio), "no pairs");
    AIDC_EXPECT(IsRefused([] { ComparePairs({1, 2}, {1}); }), "no pairs");
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

} // namespace
