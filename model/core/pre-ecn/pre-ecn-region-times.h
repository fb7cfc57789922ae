/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_REGION_TIMES_H
#define AIDC_PRE_ECN_REGION_TIMES_H

#include "pre-ecn-marker.h"

#include <array>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Counts the time that the average queue of a PreEcnMarker spends in each region.
 *
 * While the queue is idle, the average falls as if packets were sent (SplitIdle()).
 */
class PreEcnRegionTimes
{
  public:
    /// Times by PreEcnRegion, in ns.
    using Times = std::array<int64_t, PRE_ECN_REGIONS>;

    /// Begin to count. @param now the time in ns
    void Start(int64_t now)
    {
        m_since = now;
    }

    /// Count the time since the last call.
    /// @param now the time in ns
    /// @param idlePackets how many packets could have been sent meanwhile; 0 if the queue was not
    ///        idle
    /// @param marker the marker, whose average has not fallen yet
    void Count(int64_t now, double idlePackets, const PreEcnMarker& marker);

    /// Begin with another region. @param region the region of the average from now on
    void SetRegion(PreEcnRegion region)
    {
        m_region = region;
    }

    /// @return the region that was set last
    PreEcnRegion GetRegion() const
    {
        return m_region;
    }

    /// @return when time was counted last, in ns
    int64_t GetSince() const
    {
        return m_since;
    }

    /// @return the times that were counted
    const Times& Get() const
    {
        return m_times;
    }

  private:
    PreEcnRegion m_region{PreEcnRegion::NORMAL}; //!< the region
    int64_t m_since{0};                          //!< when time was counted last
    Times m_times{};                             //!< the times
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_REGION_TIMES_H
