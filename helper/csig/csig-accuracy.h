/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_ACCURACY_H
#define AIDC_CSIG_ACCURACY_H

#include "../../model/core/csig/csig-signal-lag.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// How accurate a signal is.
struct CsigAccuracy
{
    uint64_t nSignals{0}; //!< tags that were compared
    double errorMean{0};  //!< mean of the error's size, see CsigTruthMonitor; NaN without any
    double errorP99{0};   //!< its 99th percentile
    double bias{0};       //!< mean of the error, positive if too much was reported
    double rightPort{0};  //!< share of the tags that name the true bottleneck
    double lag{0};        //!< the lag of senders' signals behind the truth, s; NaN without any
    /// Share of the tags that report at least the limit less than the truth.
    double falseBottlenecks{0};
    /// Share of the tags that report at least the limit more than the truth.
    double missedBottlenecks{0};
};

/// @ingroup aidc
/// What a signal has reported, compared with the truth.
struct CsigComparisons
{
    std::vector<double> errors;     //!< of each tag
    uint64_t nRight{0};             //!< tags that name the true bottleneck
    std::vector<LagSample> samples; //!< the signals reflected to senders

    /// @param limit the error from which on a bottleneck is wrong, as CsigTruthMonitor::LIMIT
    /// @return how accurate the signal is, without its lag
    CsigAccuracy GetAccuracy(double limit) const;
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_ACCURACY_H
