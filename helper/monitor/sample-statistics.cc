/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sample-statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3::aidc
{

namespace
{

/// The pairs with a difference that Wilcoxon's test needs to reach a level of 5 %.
constexpr std::size_t MIN_RANKED = 6;

/// @param values the sample
/// @return the sign of its mean, if that is beyond its 95 % confidence interval; else 0
int
GetSignOfMean(const std::vector<double>& values)
{
    const double mean = Mean(values);
    const double halfWidth = ConfidenceHalfWidth95(values);
    return mean > halfWidth ? 1 : mean < -halfWidth ? -1 : 0;
}

/// @param values the sample
/// @return whether none is negative or has a fraction, as numbers of packets
bool
AreCounts(const std::vector<double>& values)
{
    return std::all_of(values.begin(), values.end(), [](double value) {
        return value >= 0 && std::trunc(value) == value;
    });
}

/// @param differences differences of pairs, none of which is 0
/// @return twice the rank of each one's absolute value; ties share the mean of their ranks
std::vector<std::size_t>
GetDoubledRanks(std::vector<double> differences)
{
    std::vector<std::size_t> ranks;
    for (auto& difference : differences)
    {
        difference = std::abs(difference);
    }
    for (const double difference : differences)
    {
        std::size_t doubled = 1;
        for (const double other : differences)
        {
            doubled += other < difference ? 2 : other == difference ? 1 : 0;
        }
        ranks.push_back(doubled);
    }
    return ranks;
}

/// Apply Wilcoxon's signed-rank test.
/// @param differences differences of pairs, none of which is 0
/// @return their sign, if it is not by chance at a level of 5 % (two-sided); else 0
int
GetSignOfRanks(const std::vector<double>& differences)
{
    const auto ranks = GetDoubledRanks(differences);
    const std::size_t sum = std::accumulate(ranks.begin(), ranks.end(), std::size_t{0});
    std::size_t positive = 0;
    // How likely each sum of positive ranks is, if each sign is positive with probability 1/2
    std::vector<double> likely(sum + 1, 0);
    likely[0] = 1;
    for (std::size_t i = 0; i < ranks.size(); ++i)
    {
        positive += differences[i] > 0 ? ranks[i] : 0;
        for (std::size_t next = sum + 1; next-- > 0;)
        {
            likely[next] = (likely[next] + (next >= ranks[i] ? likely[next - ranks[i]] : 0)) / 2;
        }
    }
    const std::size_t lesser = std::min(positive, sum - positive);
    const double tail = std::accumulate(likely.begin(),
                                        likely.begin() + static_cast<std::ptrdiff_t>(lesser) + 1,
                                        0.0);
    constexpr double LEVEL = 0.05;
    return 2 * tail > LEVEL ? 0 : positive > lesser ? 1 : -1;
}

/// Compare pairs that have no ratio.
/// @param values the sample
/// @param others the other one
/// @return 1 or -1 if the former are larger or smaller, at a level of 5 %; else 0
int
GetSignWithoutRatio(const std::vector<double>& values, const std::vector<double>& others)
{
    const bool areCounts = AreCounts(values) && AreCounts(others);
    std::vector<double> differences;
    std::vector<double> unequal;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        differences.push_back(areCounts ? std::log1p(values[i]) - std::log1p(others[i])
                                        : values[i] - others[i]);
        if (differences[i] != 0)
        {
            unequal.push_back(differences[i]);
        }
    }
    return areCounts || unequal.size() < MIN_RANKED ? GetSignOfMean(differences)
                                                    : GetSignOfRanks(unequal);
}

} // namespace

double
Mean(const std::vector<double>& values)
{
    if (values.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double
StandardDeviation(const std::vector<double>& values)
{
    if (values.size() < 2)
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    // Two passes: the textbook formula of one pass cancels badly when the spread is small
    const auto mean = Mean(values);
    auto sum = 0.0;
    for (const auto value : values)
    {
        sum += (value - mean) * (value - mean);
    }
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

double
ConfidenceHalfWidth95(const std::vector<double>& values)
{
    const auto deviation = StandardDeviation(values);
    if (!std::isfinite(deviation))
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto n = static_cast<double>(values.size());
    const boost::math::students_t distribution(n - 1);
    return boost::math::quantile(distribution, 0.975) * deviation / std::sqrt(n);
}

PairedComparison
ComparePairs(const std::vector<double>& values, const std::vector<double>& others)
{
    if (values.size() != others.size())
    {
        throw std::invalid_argument("expected " + std::to_string(values.size()) +
                                    " values to compare with, found " +
                                    std::to_string(others.size()));
    }
    PairedComparison compared;
    std::vector<double> logarithms;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (!std::isfinite(values[i]) || !std::isfinite(others[i]))
        {
            return {};
        }
        compared.nSmaller += values[i] < others[i] ? 1 : 0;
        compared.nLarger += values[i] > others[i] ? 1 : 0;
        compared.nEqual += values[i] == others[i] ? 1 : 0;
        if (values[i] > 0 && others[i] > 0)
        {
            logarithms.push_back(std::log(values[i] / others[i]));
        }
    }
    if (!values.empty() && logarithms.size() == values.size())
    {
        const double mean = Mean(logarithms);
        const double halfWidth = ConfidenceHalfWidth95(logarithms);
        compared.ratio = std::exp(mean);
        compared.ratioLow = std::exp(mean - halfWidth);
        compared.ratioHigh = std::exp(mean + halfWidth);
        compared.sign = GetSignOfMean(logarithms);
    }
    else
    {
        compared.sign = GetSignWithoutRatio(values, others);
    }
    return compared;
}

double
Percentile(std::vector<double> values, double q)
{
    if (!(q >= 0 && q <= 1))
    {
        throw std::invalid_argument("a quantile must be in [0, 1]");
    }
    if (values.empty() ||
        std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto position = static_cast<double>(values.size() - 1) * q;
    const auto lower = static_cast<std::size_t>(position);
    const auto fraction = position - static_cast<double>(lower);
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(lower);
    std::nth_element(values.begin(), nth, values.end());
    if (fraction == 0)
    {
        return *nth;
    }
    // All that follows the n-th element is at least as large, so the next rank is its minimum
    const auto next = *std::min_element(nth + 1, values.end());
    return *nth + fraction * (next - *nth);
}

double
Median(const std::vector<double>& values)
{
    return std::isfinite(Mean(values)) ? Percentile(values, 0.5)
                                       : std::numeric_limits<double>::quiet_NaN();
}

} // namespace ns3::aidc
