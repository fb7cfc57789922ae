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
 * @brief Rounds a window to whole packets, so that their average over round trips is the window.
 *
 * The result is the window's whole part, or one packet more in a part of round trips that equals
 * the window's fraction. If windows were always rounded down, windows of 1.1 and 1.9 packets would
 * send the same, and a window of 2 packets twice as much.
 */
class WindowRounding
{
  public:
    /// Note an acknowledgment. A round trip is over when as many packets are acknowledged
    /// as may be in flight. window: the window in packets, at least 0.
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

    /// @param window the window in packets, at least 0 @return its whole part, or one packet more
    double Round(double window) const
    {
        return std::floor(window) + m_extra;
    }

  private:
    double m_nAcknowledged{0}; //!< packets acknowledged in this round trip
    double m_fraction{0};      //!< the sum of fractions rounded off, below 1
    double m_extra{0};         //!< packets more in this round trip, 0 or 1
};

} // namespace ns3::aidc

#endif // AIDC_WINDOW_ROUNDING_H
