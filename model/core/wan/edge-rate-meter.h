/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_RATE_METER_H
#define AIDC_EDGE_RATE_METER_H

#include "ns3/multiply-divide.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Measures the rate at which a flow arrives at the edge of a WAN.
 *
 * A measurement lasts from a packet to the first one that comes at least a window later, so that
 * packets and the time between them are counted alike and a flow that sends seldom is measured
 * too. The rate is the larger of the last two measurements: one pause of a flow that sends in
 * bursts does not make it look slow.
 */
class EdgeRateMeter
{
  public:
    /**
     * @brief Count a packet.
     * @param now the time in ns, never before that of the packet before
     * @param bytes its size
     * @param window how long a measurement lasts in ns, at least 1
     */
    void Count(int64_t now, uint32_t bytes, int64_t window)
    {
        if (m_bytes > 0 && now - m_start >= window)
        {
            m_before = m_last;
            m_last = std::max<uint64_t>(
                MultiplyDivide(m_bytes, 8'000'000'000, static_cast<uint64_t>(now - m_start)),
                1);
            m_bytes = 0;
        }
        if (m_bytes == 0)
        {
            m_start = now;
        }
        m_bytes += bytes;
    }

    /**
     * @brief Get the rate.
     * @return bit/s, 0 if it is not known yet
     */
    uint64_t GetRate() const
    {
        return std::max(m_last, m_before);
    }

  private:
    int64_t m_start{0};   //!< time of the first packet of the measurement
    uint64_t m_bytes{0};  //!< what has come since, that packet included
    uint64_t m_last{0};   //!< the last measurement in bit/s, 0 if there is none
    uint64_t m_before{0}; //!< the one before
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_RATE_METER_H
