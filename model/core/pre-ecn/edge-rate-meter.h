/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_EDGE_RATE_METER_H
#define AIDC_EDGE_RATE_METER_H

#include "../multiply-divide.h"

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @brief Measures the rate at which a flow arrives at the edge of a WAN.
 *
 * A measurement lasts from a packet to the first packet at least a window later. So there are as
 * many packets as gaps between them, and flows that send rarely are measured, too. The rate is the
 * larger of the last two measurements, so that one pause of a flow that sends in bursts does not
 * make it look slow.
 *
 * A pause in which the flow sends less than the floor, the least rate that matters, is silence
 * between messages. It ends a measurement of several packets at the last packet, because the rate
 * of a message does not depend on the time of the next message.
 */
class EdgeRateMeter
{
  public:
    /// Count a packet. now: the time in ns, not before the last packet; bytes: its size; window:
    /// how long a measurement lasts in ns, at least 1; floor: the least rate that matters in bit/s.
    void Count(int64_t now, uint32_t bytes, int64_t window, uint64_t floor)
    {
        const bool isSilent = 8e9 * static_cast<double>(m_latestBytes) <
                              static_cast<double>(floor) * static_cast<double>(now - m_latest);
        if (isSilent && m_latest > m_start)
        {
            Finish(m_bytes - m_latestBytes, m_latest - m_start);
        }
        else if (m_bytes > 0 && now - m_start >= window)
        {
            Finish(m_bytes, now - m_start);
        }
        if (m_bytes == 0)
        {
            m_start = now;
        }
        m_bytes += bytes;
        m_latest = now;
        m_latestBytes = bytes;
    }

    /// @return the rate in bit/s, 0 if it is not known yet
    uint64_t GetRate() const
    {
        return std::max(m_last, m_before);
    }

  private:
    /// Finish a measurement. time: the duration of the measurement in ns, above 0.
    void Finish(uint64_t bytes, int64_t time)
    {
        m_before = m_last;
        m_last =
            std::max<uint64_t>(MultiplyDivide(bytes, 8'000'000'000, static_cast<uint64_t>(time)),
                               1);
        m_bytes = 0;
    }

    int64_t m_start{0};        //!< time of the first packet of the measurement
    uint64_t m_bytes{0};       //!< bytes since then, with this packet
    int64_t m_latest{0};       //!< time of the latest packet
    uint32_t m_latestBytes{0}; //!< its size
    uint64_t m_last{0};        //!< the last measurement in bit/s, 0 if there is none
    uint64_t m_before{0};      //!< the one before
};

} // namespace ns3::aidc

#endif // AIDC_EDGE_RATE_METER_H
