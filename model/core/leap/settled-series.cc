/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "settled-series.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t MAX_USED = 64;      //!< the most durations that are used
constexpr std::size_t FEW = 8;            //!< fewer must be nearly the same
constexpr double SAME = 1e-5;             //!< relative difference of two that are the same
constexpr double NEARLY_SAME = 0.1;       //!< of the accepted error, of a few
constexpr double RESOLUTION = 1;          //!< ns
constexpr uint64_t MAX_AHEAD = 1U << 30U; //!< the most ahead
constexpr double MAX_CORRELATION = 0.9;   //!< of residuals

/// Student's t, two-sided, 95 %, by degrees of freedom from 1 on.
constexpr std::array<double, 12> STUDENT =
    {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179};

double
GetStudent(std::size_t freedom)
{
    // Beyond the table within 0.3 %
    return freedom <= STUDENT.size() ? STUDENT[freedom - 1]
                                     : 1.96 + 2.6 / static_cast<double>(freedom);
}

/// How much the mean of correlated residuals varies more than that of independent ones
double
GetInflation(const std::vector<double>& residuals)
{
    double own = 0;
    double next = 0;
    for (std::size_t i = 0; i < residuals.size(); ++i)
    {
        own += residuals[i] * residuals[i];
        next += i > 0 ? residuals[i] * residuals[i - 1] : 0;
    }
    const double r = own > 0 ? std::clamp(next / own, 0.0, MAX_CORRELATION) : 0;
    return std::sqrt((1 + r) / (1 - r));
}

/// Find how many are ahead within the accepted error
void
LookAhead(SettledSeries& series, double error)
{
    const double left = error - series.halfWidth;
    const auto n = static_cast<double>(series.nUsed);
    const double ahead = series.trend > 0 ? 2 * left / series.trend - n : 2.0 * MAX_AHEAD;
    series.nAhead =
        left <= 0 || ahead < 1 ? 0 : static_cast<uint64_t>(std::min<double>(ahead, MAX_AHEAD));
}

SettledSeries
Judge(const double* durations, std::size_t n, double error)
{
    const auto [least, most] = std::minmax_element(durations, durations + n);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        mean += durations[i] / static_cast<double>(n);
    }
    SettledSeries series;
    const double range = *most - *least;
    if (mean <= 0 || (n < FEW && range > (n == 2 ? SAME : NEARLY_SAME * error) * mean))
    {
        return series;
    }
    series.nUsed = n;
    series.mean = mean;
    if (n == 2)
    {
        series.halfWidth = range / mean;
        series.trend = (range + RESOLUTION) / mean;
        LookAhead(series, error);
        return series;
    }
    const auto count = static_cast<double>(n);
    const double middle = (count - 1) / 2;
    const double spread = count * (count * count - 1) / 12; // sum of squares of i - middle
    double slope = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        slope += (static_cast<double>(i) - middle) * (durations[i] - mean) / spread;
    }
    std::vector<double> residuals;
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        residuals.push_back(durations[i] - mean - slope * (static_cast<double>(i) - middle));
        squares += residuals.back() * residuals.back();
    }
    const double deviation = std::sqrt(squares / (count - 2) + RESOLUTION * RESOLUTION / 12);
    const double factor = GetStudent(n - 2) * (n < FEW ? 1 : GetInflation(residuals));
    series.halfWidth = factor * deviation / std::sqrt(count) / mean;
    series.trend = (std::abs(slope) + factor * deviation / std::sqrt(spread)) / mean;
    LookAhead(series, error);
    return series;
}

} // namespace

double
SettledSeries::GetError(uint64_t n) const
{
    return halfWidth + trend * (static_cast<double>(nUsed) + static_cast<double>(n)) / 2;
}

SettledSeries
FindSettled(const std::vector<double>& durations, double error, bool isRepeated)
{
    SettledSeries best;
    const std::size_t most = std::min(durations.size(), MAX_USED);
    for (std::size_t n = isRepeated ? 2 : 3; n <= most; ++n)
    {
        const auto series = Judge(durations.data() + durations.size() - n, n, error);
        if (series.nAhead > 0 && series.nAhead >= best.nAhead)
        {
            best = series;
        }
    }
    return best;
}

} // namespace ns3::aidc
