// SPDX-License-Identifier: GPL-2.0-only

#include "csig-signal-lag.h"

#include "../require-argument.h"

#include <algorithm>

namespace ns3::aidc
{

int64_t
FindSignalLag(const std::vector<std::vector<double>>& truth,
              const std::vector<LagSample>& samples,
              int64_t bin,
              uint32_t nShifts)
{
    AIDC_REQUIRE(bin > 0 && nShifts > 0, "expected a bin above 0 ns and at least one shift");
    std::vector<double> squares(nShifts, 0);
    bool hasAny = false;
    for (const auto& sample : samples)
    {
        const int64_t last = sample.time / bin;
        if (sample.port >= truth.size() || last < nShifts - 1 ||
            last >= static_cast<int64_t>(truth[sample.port].size()))
        {
            continue;
        }
        hasAny = true;
        const auto& values = truth[sample.port];
        for (uint32_t shift = 0; shift < nShifts; ++shift)
        {
            const double error = sample.value - values[static_cast<std::size_t>(last - shift)];
            squares[shift] += error * error;
        }
    }
    const auto least = std::min_element(squares.begin(), squares.end());
    return hasAny ? (least - squares.begin()) * bin : -1;
}

FullPortReports
FindFullPortReports(const std::vector<std::vector<double>>& free,
                    const std::vector<LagSample>& samples,
                    int64_t bin,
                    uint32_t nBins,
                    double limit)
{
    AIDC_REQUIRE(bin > 0 && nBins > 0, "expected a bin above 0 ns and at least one bin");
    // The times of the reports of a full port, by port
    std::vector<std::vector<int64_t>> reports(free.size());
    for (const auto& sample : samples)
    {
        if (sample.port < reports.size() && sample.value < limit)
        {
            reports[sample.port].push_back(sample.time);
        }
    }
    FullPortReports found;
    for (std::size_t port = 0; port < free.size(); ++port)
    {
        std::sort(reports[port].begin(), reports[port].end());
        const auto& shares = free[port];
        const auto isFull = [limit](double share) { return share < limit; };
        auto begin = std::find_if(shares.begin(), shares.end(), isFull);
        while (begin != shares.end())
        {
            const auto end = std::find_if_not(begin, shares.end(), isFull);
            if (end - begin >= static_cast<int64_t>(nBins))
            {
                const int64_t from = (begin - shares.begin()) * bin;
                const int64_t to = (end - shares.begin()) * bin;
                const auto first =
                    std::lower_bound(reports[port].begin(), reports[port].end(), from);
                ++found.nTimes;
                if (first != reports[port].end() && *first < to)
                {
                    found.delays.push_back(*first - from);
                }
                else
                {
                    ++found.nLate;
                }
            }
            begin = std::find_if(end, shares.end(), isFull);
        }
    }
    return found;
}

} // namespace ns3::aidc
