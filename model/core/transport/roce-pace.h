/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_PACE_H
#define AIDC_ROCE_PACE_H

#include <algorithm>
#include <cstdint>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Decides when a queue pair may send its next packet at the rate of its congestion control.
 *
 * If other queue pairs on the port have delayed a packet, the next one may leave earlier, by at
 * most the gap of one packet. At the line rate, packets do not wait.
 */
class RocePace
{
  public:
    /// @param lineRate the rate of the port, bit/s
    explicit RocePace(uint64_t lineRate)
        : m_lineRate(lineRate)
    {
    }

    /// @return when the next packet may be sent, in ns, fractions included
    double GetNextTime() const
    {
        return m_nextTime;
    }

    /// @return the time during which the rate has kept the line idle so far, in ns
    double GetWait() const
    {
        return m_wait;
    }

    /// Take note of a packet.
    /// @param now the time at which its transmission begins, in ns
    /// @param wireBytes its bytes on the wire
    /// @param rate the rate, bit/s
    void NotifySent(double now, uint32_t wireBytes, uint64_t rate)
    {
        if (rate >= m_lineRate)
        {
            m_nextTime = now;
            return;
        }
        const double bits = 8e9 * wireBytes;
        const double gap = bits / static_cast<double>(rate);
        m_nextTime = std::max(m_nextTime, now - gap) + gap;
        m_wait += std::max(0.0, m_nextTime - now - bits / static_cast<double>(m_lineRate));
    }

  private:
    uint64_t m_lineRate;  //!< the rate of the port, bit/s
    double m_nextTime{0}; //!< GetNextTime()
    double m_wait{0};     //!< GetWait()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_PACE_H
