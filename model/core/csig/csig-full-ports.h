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

/// How soon senders heard of ports that were full.
struct FullPortReports
{
    uint64_t nTimes{0};          //!< how often a port was full
    uint64_t nLate{0};           //!< how often the first report came after its end
    std::vector<int64_t> delays; //!< the other times, from beginning to first report, ns
};

/**
 * @brief Find how soon senders hear of ports that have become full.
 *
 * A port is full while its free share is below the limit in each of at least nBins successive bins.
 * The first report is the first sample of the port in this time that is below the limit, too.
 *
 * @param free the free share of a port's capacity, by port, then by bin of time from 0 on
 * @param samples the reported free shares
 * @param bin the width of a bin in ns, above 0
 * @param nBins how many bins make a port full, at least 1
 * @param limit the share below which a port is full
 * @return the times and delays
 * @throws std::invalid_argument if a number is out of range
 */
FullPortReports FindFullPortReports(const std::vector<std::vector<double>>& free,
                                    const std::vector<LagSample>& samples,
                                    int64_t bin,
                                    uint32_t nBins,
                                    double limit);

} // namespace ns3::aidc

#endif // AIDC_CSIG_FULL_PORTS_H
