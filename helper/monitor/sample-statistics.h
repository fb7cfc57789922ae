/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SAMPLE_STATISTICS_H
#define AIDC_SAMPLE_STATISTICS_H

#include <cstddef>
#include <limits>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// @param values the sample
/// @return the arithmetic mean; NaN when the sample is empty
double Mean(const std::vector<double>& values);

/// @ingroup aidc
/// @param values the sample
/// @return the standard deviation, with n - 1 in the denominator; NaN below two values
double StandardDeviation(const std::vector<double>& values);

/// @ingroup aidc
/// The half-width of the 95 % confidence interval of the mean.
///
/// It is t * s / sqrt(n), with t the 0.975 quantile of Student's distribution of n - 1 degrees of
/// freedom, s the standard deviation of the sample and n its size. It holds for independent values
/// that are about normally distributed, as the means of independent runs are.
/// @param values the sample
/// @return the half-width; NaN when the sample has fewer than two values
double ConfidenceHalfWidth95(const std::vector<double>& values);

/// @ingroup aidc
/// A quantile of a sample, by linear interpolation between the two closest ranks.
///
/// This is type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American
/// Statistician 50(4), 1996, which is the default of NumPy and R: with the values sorted as x[0] to
/// x[n-1] and h = (n - 1) * q, it is x[floor(h)] + (h - floor(h)) * (x[floor(h)+1] - x[floor(h)]).
/// @param values the sample, in any order
/// @param q the quantile, from 0 to 1: 0.99 for the 99th percentile
/// @return the quantile; NaN when the sample is empty or holds a NaN
/// @throws std::invalid_argument when q is not in [0, 1]
double Percentile(std::vector<double> values, double q);

/// @ingroup aidc
/// @param values the sample
/// @return the median; NaN when the sample is empty or a value is not finite
double Median(const std::vector<double>& values);

/// @ingroup aidc
/// @brief What paired values say: those of a sample compared with those of another one, pair by
///        pair.
struct PairedComparison
{
    /// Geometric mean of the ratios; NaN unless all values are positive.
    double ratio{std::numeric_limits<double>::quiet_NaN()};
    /// Low end of its 95 % confidence interval; NaN likewise, and for one pair.
    double ratioLow{std::numeric_limits<double>::quiet_NaN()};
    /// High end of that interval.
    double ratioHigh{std::numeric_limits<double>::quiet_NaN()};
    std::size_t nSmaller{0}; //!< pairs in which the first value is the smaller one
    std::size_t nLarger{0};  //!< pairs in which it is the larger one
    std::size_t nEqual{0};   //!< pairs in which both are the same
    int sign{0};             //!< 1 or -1: it is larger or smaller, at a level of 5 %; 0: neither
};

/// @ingroup aidc
/// Compare paired values, such as those of two schemes in runs with the same random choices.
///
/// - If all values are positive, Student's t is applied to the logarithms of the ratios. Times and
///   rates have long upper tails: a single slow run widens an interval of differences until it
///   contains 0, whatever all other runs say.
/// - Otherwise there is no ratio. If all values are counts (whole and not negative), Student's t is
///   applied to the differences of log(1 + x).
/// - Of other values, Wilcoxon's signed-rank test is applied to the differences, with its exact
///   distribution: pairs without a difference are left out, ties share their ranks.
/// - Below six pairs with a difference, that test cannot reach 5 % (two-sided, five pairs of one
///   sign have 2 / 2^5 = 6.25 %). Student's t is applied to all differences then.
/// @param values the sample
/// @param others the other one
/// @return what the pairs say; without a sign for fewer than two pairs, or if a value is not finite
/// @throws std::invalid_argument if the samples do not have the same size
PairedComparison ComparePairs(const std::vector<double>& values, const std::vector<double>& others);

} // namespace ns3::aidc

#endif // AIDC_SAMPLE_STATISTICS_H
