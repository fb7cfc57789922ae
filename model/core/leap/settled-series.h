/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_SETTLED_SERIES_H
#define AIDC_SETTLED_SERIES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief What a series of durations says of those that come after it.
 *
 * The last durations of the series have a mean with an interval, and a trend with an interval. If
 * the trend goes on, the mean of the durations to come differs from the mean of those before by the
 * trend times half of both numbers. The bound on the relative error is the sum of the interval
 * of the mean and of the greatest trend that the durations allow (95 %, Student's t). So a slow
 * drift, and noise that may hide one, allow few durations ahead, and a series that repeats allows
 * thousands.
 */
struct SettledSeries
{
    std::size_t nUsed{0}; //!< the last durations, of which this is; 0 if they have not settled
    double mean{0};       //!< their mean
    double halfWidth{0};  //!< relative half-width of the interval of the mean
    double trend{0};      //!< relative bound on the change from one duration to the next
    uint64_t nAhead{0};   //!< how many durations ahead have an error up to the accepted one

    /// @param n how many durations are ahead
    /// @return the bound on the relative error of their mean
    double GetError(uint64_t n) const;
};

/// @brief Find the last durations of a series that say most of those to come.
///
/// Of 3 to 7, all must be the same within a tenth of the accepted error. Of 8 or more, residuals
/// may be correlated with the ones before them.
/// @param durations the series in ns, oldest first
/// @param error the accepted relative error, above 0
/// @param isRepeated whether the last two are known to be the same, by more than these numbers;
///        then two may do, which differ by at most 10^-5
/// @return what it says; nUsed is 0 if no last durations allow one ahead
SettledSeries FindSettled(const std::vector<double>& durations,
                          double error,
                          bool isRepeated = false);

} // namespace ns3::aidc

#endif // AIDC_SETTLED_SERIES_H
