// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_SAMPLE_STATISTICS_H
#define AIDC_SAMPLE_STATISTICS_H

#include <vector>

namespace ns3::aidc
{

/// @return the arithmetic mean; NaN when the sample is empty
double Mean(const std::vector<double>& values);

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

} // namespace ns3::aidc

#endif // AIDC_SAMPLE_STATISTICS_H
