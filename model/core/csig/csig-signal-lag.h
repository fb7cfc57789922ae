// SPDX-License-Identifier: GPL-2.0-only

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

/// Find the lag of reports behind the truth.
///
/// The lag is the shift with the least mean square of value(t) - truth(t - shift), over all samples
/// for which the truth is known at each of the shifts. If there are several, it is the smallest.
/// @param truth by port, then by bin of time from 0 on, the true value
/// @param samples what was reported
/// @param bin the width of a bin in ns, above 0
/// @param nShifts how many shifts are tried: 0, bin, 2 * bin, ...; at least 1
/// @return the lag in ns; -1 if no sample can be compared
/// @throws std::invalid_argument if the bin or the number of shifts is out of range
int64_t FindSignalLag(const std::vector<std::vector<double>>& truth,
                      const std::vector<LagSample>& samples,
                      int64_t bin,
                      uint32_t nShifts);

/// How soon senders heard of ports that were full.
struct FullPortReports
{
    uint64_t nTimes{0};          //!< how often a port was full
    uint64_t nLate{0};           //!< how often the first report came after its end
    std::vector<int64_t> delays; //!< the other times, from beginning to first report, ns
};

/// Find how soon senders hear of ports that have become full.
///
/// A port is full while its free share is below the limit in each of at least nBins successive
/// bins. The first report is the first sample of the port in this time that is below the limit,
/// too.
/// @param free the free share of a port's capacity, by port, then by bin of time from 0 on
/// @param samples the reported free shares
/// @param bin the width of a bin in ns, above 0
/// @param nBins how many bins make a port full, at least 1
/// @param limit the share below which a port is full
/// @return the times and delays
/// @throws std::invalid_argument if a number is out of range
FullPortReports FindFullPortReports(const std::vector<std::vector<double>>& free,
                                    const std::vector<LagSample>& samples,
                                    int64_t bin,
                                    uint32_t nBins,
                                    double limit);

} // namespace ns3::aidc

#endif // AIDC_CSIG_SIGNAL_LAG_H
