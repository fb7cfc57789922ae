/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FULL_PORTS_H
#define AIDC_CSIG_FULL_PORTS_H

#include "csig-signal-lag.h"

#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/// @ingroup aidc
/// What senders have heard of ports that were full.
struct FullPortReports
{
    uint64_t nTimes{0};          //!< how often a port was full
    uint64_t nLate{0};           //!< how often it was over when the first sender heard of it
    std::vector<int64_t> delays; //!< of the other times, from their begin to the first report, ns
};

/**
 * @ingroup aidc
 * @brief Find how soon senders hear of ports that have become full.
 *
 * A port is full while each of at least nBins successive bins has less than the limit left. The
 * first report is the first sample of this port, in this time, that is below the limit, too.
 *
 * @param free by port, then by bin of time from 0 on, which share of its capacity a port had left
 * @param samples what was reported: shares
 * @param bin the width of a bin in ns, above 0
 * @param nBins how many bins make a port full, at least 1
 * @param limit the share below which a port is full
 * @return what was found
 * @throws std::invalid_argument if a number is out of range
 */
FullPortReports FindFullPortReports(const std::vector<std::vector<double>>& free,
                                    const std::vector<LagSample>& samples,
                                    int64_t bin,
                                    uint32_t nBins,
                                    double limit);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FULL_PORTS_H
