// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CHI_SQUARE_H
#define AIDC_CHI_SQUARE_H

#include <vector>

// Pearson's test of equal shares.

namespace aidctest
{

/// Compute the statistic of Pearson's test that all counts have the same expectation.
template <typename T>
double
ComputeChiSquare(const std::vector<T>& counts)
{
    double sum = 0;
    for (const auto count : counts)
    {
        sum += count;
    }
    const double expected = sum / static_cast<double>(counts.size());
    double chiSquare = 0;
    for (const auto count : counts)
    {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    return chiSquare;
}

} // namespace aidctest

#endif // AIDC_CHI_SQUARE_H
