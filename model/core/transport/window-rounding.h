/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WINDOW_ROUNDING_H
#define AIDC_WINDOW_ROUNDING_H

#include <cmath>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Whole packets in flight that are a window of packets on average: one more than the
 * window's whole part in as many round trips as its fraction says.
 *
 * Rounded down always, windows of 1.1 and 1.9 packets would send the same, and one of 2 packets
 * twice as much.
 */
class WindowRounding
{
  public:
    /// Take note of an acknowledgment. A round trip is over when all that may be in flight is
    /// acknowledged.
    /// @param nPackets how many packets it acknowledges
    /// @param window the window in packets, at least 0
    void NotifyAcknowledgment(double nPackets, double window)
    {
        const double whole = std::floor(window);
        m_nAcknowledged += nPackets;
        if (m_nAcknowledged >= whole + m_extra)
        {
            m_nAcknowledged = 0;
            m_fraction += window - whole;
            m_extra = m_fraction >= 1 ? 1 : 0;
            m_fraction -= m_extra;
        }
    }

    /// @param window the window in packets, at least 0
    /// @return its whole part, or one packet more
    double Round(double window) const
    {
        return std::floor(window) + m_extra;
    }

  private:
    double m_nAcknowledged{0}; //!< packets in this round trip
    double m_fraction{0};      //!< what has been rounded off, below 1
    double m_extra{0};         //!< packets more in this round trip, 0 or 1
};

} // namespace ns3::aidc

#endif // AIDC_WINDOW_ROUNDING_H
