/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecn-window.h"

#include <algorithm>
#include <limits>

namespace ns3::aidc
{

void
EcnWindow::Start(const Settings& settings)
{
    *this = EcnWindow();
    m_settings = settings;
    m_window = std::max(settings.initialWindow, settings.minWindow);
    m_threshold = std::numeric_limits<double>::infinity();
    m_alpha = settings.initialAlpha;
}

void
EcnWindow::NotifyAcknowledgment(const Acknowledgment& acknowledgment)
{
    const auto nBytes = acknowledgment.nBytes;
    const auto inFlightBefore = static_cast<double>(acknowledgment.nInFlight + nBytes);
    m_nInFlight = acknowledgment.nInFlight;
    m_nSinceCut += nBytes;
    m_isCut = m_isCut && m_nSinceCut <= m_nToReact;

    // RFC 8257, section 3.3
    m_nAcked += nBytes;
    m_nMarked += acknowledgment.isMarked ? nBytes : 0;
    if (m_nAcked > m_nToObserve)
    {
        const double share = static_cast<double>(m_nMarked) / static_cast<double>(m_nAcked);
        m_alpha = m_alpha * (1 - m_settings.gain) + m_settings.gain * share;
        m_nToObserve = m_nInFlight;
        m_nAcked = 0;
        m_nMarked = 0;
    }
    if (acknowledgment.isMarked)
    {
        Cut(1 - m_alpha / 2);
    }
    else if (!m_isCut)
    {
        // A window that is not used does not grow (RFC 7661). In slow start half of it will do, as
        // in Linux: where its own line is the limit, an adapter can only send a packet for each
        // that is acknowledged.
        const bool isSlowStart = m_window < m_threshold;
        const double used =
            isSlowStart ? 2 * inFlightBefore : inFlightBefore + m_settings.packetSize;
        const auto increase = static_cast<double>(nBytes);
        if (used > m_window)
        {
            m_window += isSlowStart ? std::min(increase, m_threshold - m_window)
                                    : m_settings.packetSize * increase / m_window;
        }
    }
}

void
EcnWindow::NotifyLoss(bool isTimeout)
{
    if (isTimeout)
    {
        // RFC 5681, section 3.1
        m_threshold = std::max(m_window / 2, m_settings.minWindow);
        m_window = m_settings.minWindow;
        m_isCut = false;
        return;
    }
    Cut(0.5);
}

void
EcnWindow::Cut(double factor)
{
    if (m_isCut)
    {
        return;
    }
    m_window = std::max(m_window * factor, m_settings.minWindow);
    m_threshold = m_window;
    m_isCut = true;
    m_nSinceCut = 0;
    m_nToReact = m_nInFlight;
}

} // namespace ns3::aidc
