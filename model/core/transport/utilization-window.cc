/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "utilization-window.h"

#include <algorithm>

namespace ns3::aidc
{

void
UtilizationWindow::Start(const Settings& settings, double window)
{
    *this = UtilizationWindow();
    m_settings = settings;
    m_window = std::clamp(window, settings.minWindow, settings.maxWindow);
    m_reference = m_window;
}

void
UtilizationWindow::Raise(double size)
{
    const double bounded = std::min(size, m_settings.maxWindow);
    m_window = std::max(m_window, bounded);
    m_reference = std::max(m_reference, bounded);
}

void
UtilizationWindow::Lower(double size)
{
    const double bounded = std::max(size, m_settings.minWindow);
    m_window = std::min(m_window, bounded);
    m_reference = std::min(m_reference, bounded);
}

void
UtilizationWindow::NotifyUtilization(int64_t now, double utilization, int64_t rtt)
{
    const bool isFirst = !m_lastReport;
    const double weight =
        isFirst ? 1
                : static_cast<double>(std::min(now - *m_lastReport, m_settings.baseRtt)) /
                      static_cast<double>(m_settings.baseRtt);
    m_utilization += weight * (utilization - m_utilization);
    m_lastReport = now;
    const bool isByUtilization = m_utilization >= m_settings.eta || m_stage >= m_settings.maxStage;
    double window = m_settings.maxWindow;
    if (!isByUtilization)
    {
        window = m_reference + m_settings.additiveIncrease;
    }
    else if (m_utilization > 0)
    {
        window = m_reference * m_settings.eta / m_utilization + m_settings.additiveIncrease;
    }
    m_window = std::clamp(window, m_settings.minWindow, m_settings.maxWindow);
    if (isFirst || now - m_lastUpdate >= rtt)
    {
        m_stage = isByUtilization ? 0 : m_stage + 1;
        m_reference = m_window;
        m_lastUpdate = now;
    }
}

} // namespace ns3::aidc
