/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-signal-lag.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::aidc
{

int64_t
FindSignalLag(const std::vector<std::vector<double>>& truth,
              const std::vector<LagSample>& samples,
              int64_t bin,
              uint32_t nShifts)
{
    if (bin <= 0 || nShifts == 0)
    {
        throw std::invalid_argument("expected a bin above 0 ns and at least one shift");
    }
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

} // namespace ns3::aidc
