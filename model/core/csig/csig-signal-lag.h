/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_SIGNAL_LAG_H
#define AIDC_CSIG_SIGNAL_LAG_H

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// A reported value of a port.
struct LagSample
{
    int64_t time{0};  //!< when the report arrived, ns
    uint32_t port{0}; //!< the port, from 0
    double value{0};  //!< the value
};

/**
 * @brief Find the lag of reports behind the truth.
 *
 * The lag is the shift with the least mean square of value(t) - truth(t - shift), over all samples
 * for which the truth is known at each of the shifts. Of several, it is the smallest.
 *
 * @param truth by port, then by bin of time from 0 on, the true value
 * @param samples what was reported
 * @param bin the width of a bin in ns, above 0
 * @param nShifts how many shifts are tried: 0, bin, 2 * bin, ...; at least 1
 * @return the lag in ns; -1 if no sample can be compared
 * @throws std::invalid_argument if the bin or the number of shifts is out of range
 */
int64_t FindSignalLag(const std::vector<std::vector<double>>& truth,
                      const std::vector<LagSample>& samples,
                      int64_t bin,
                      uint32_t nShifts);

} // namespace ns3::aidc

#endif // AIDC_CSIG_SIGNAL_LAG_H
