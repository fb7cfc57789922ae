// SPDX-License-Identifier: GPL-2.0-only

#include "sample-statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace ns3::aidc
{

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

} // namespace ns3::aidc
