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
 * @brief Decides when a queue pair may send its next packet at the rate of its congestion control.
 *
 * The gap after a packet follows the rate of the moment: a rate that rises while a packet waits
 * lets it leave earlier, and one that falls lets it leave later.
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

    /// @param rate the rate now, bit/s
    /// @return when the next packet may be sent at this rate, in ns, fractions included
    double GetNextTime(uint64_t rate) const
    {
        return rate >= m_lineRate ? m_start : m_start + m_bits / static_cast<double>(rate);
    }

    /// @return the time during which the rate has kept the line idle before the last packet, in ns
    double GetWait() const
    {
        return m_wait;
    }

    /// Note a packet. now: the time at which its transmission begins, in ns; wireBytes: its
    /// bytes on the wire; rate: the rate, bit/s.
    void NotifySent(double now, uint32_t wireBytes, uint64_t rate)
    {
        const double due = GetNextTime(rate);
        const double lineTime = m_bits / static_cast<double>(m_lineRate);
        m_wait += std::max(0.0, std::min(due, now) - m_sent - lineTime);
        m_sent = now;
        m_bits = 8e9 * wireBytes;
        const double gap = m_bits / static_cast<double>(rate);
        m_start = rate >= m_lineRate ? now : std::clamp(due, now - gap, now);
    }

  private:
    uint64_t m_lineRate; //!< the rate of the port, bit/s
    double m_start{0};   //!< when the gap after the last packet began, ns
    double m_bits{0};    //!< the last packet, in bit/s times ns
    double m_sent{0};    //!< when the transmission of the last packet began, ns
    double m_wait{0};    //!< GetWait()
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_PACE_H
