/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pre-ecn-region-times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ns3::aidc
{

void
PreEcnRegionTimes::Count(int64_t now, double idlePackets, const PreEcnMarker& marker)
{
    const int64_t elapsed = now - m_since;
    m_since = now;
    if (idlePackets <= 0)
    {
        m_times[static_cast<std::size_t>(m_region)] += elapsed;
        return;
    }
    const auto parts = marker.SplitIdle(idlePackets);
    int64_t rest = elapsed;
    for (const auto region : {PreEcnRegion::SEVERE, PreEcnRegion::LIGHT})
    {
        const auto index = static_cast<std::size_t>(region);
        const auto part = std::min<int64_t>(
            rest,
            std::llround(parts[index] / idlePackets * static_cast<double>(elapsed)));
        m_times[index] += part;
        rest -= part;
    }
    m_times[static_cast<std::size_t>(PreEcnRegion::NORMAL)] += rest;
}

} // namespace ns3::aidc
