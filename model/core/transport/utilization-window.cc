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
UtilizationWindow::Start(const Config& config, double window)
{
    *this = UtilizationWindow();
    m_config = config;
    m_window = std::clamp(window, config.minWindow, config.maxWindow);
    m_reference = m_window;
}

void
UtilizationWindow::Raise(double size)
{
    const double bounded = std::min(size, m_config.maxWindow);
    m_window = std::max(m_window, bounded);
    m_reference = std::max(m_reference, bounded);
}

void
UtilizationWindow::Lower(double size)
{
    const double bounded = std::max(size, m_config.minWindow);
    m_window = std::min(m_window, bounded);
    m_reference = std::min(m_reference, bounded);
}

void
UtilizationWindow::NotifyUtilization(int64_t now, double utilization, int64_t rtt)
{
    const bool isFirst = !m_lastReport;
    const double weight =
        isFirst ? 1
                : static_cast<double>(std::min(now - *m_lastReport, m_config.baseRtt)) /
                      static_cast<double>(m_config.baseRtt);
    m_utilization += weight * (utilization - m_utilization);
    m_lastReport = now;
    const bool isByUtilization = m_utilization >= m_config.eta || m_stage >= m_config.maxStage;
    double window = m_config.maxWindow;
    if (!isByUtilization)
    {
        window = m_reference + m_config.additiveIncrease;
    }
    else if (m_utilization > 0)
    {
        window = m_reference * m_config.eta / m_utilization + m_config.additiveIncrease;
    }
    m_window = std::clamp(window, m_config.minWindow, m_config.maxWindow);
    if (isFirst || now - m_lastUpdate >= rtt)
    {
        m_stage = isByUtilization ? 0 : m_stage + 1;
        m_reference = m_window;
        m_lastUpdate = now;
    }
}

} // namespace ns3::aidc
