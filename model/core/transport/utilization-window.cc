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
    const int64_t elapsed = isFirst ? m_settings.baseRtt : now - *m_lastReport;
    m_lastReport = now;
    const bool isRound = isFirst || now - m_lastUpdate >= rtt;
    Update(utilization, elapsed, isRound);
    m_lastUpdate = isRound ? now : m_lastUpdate;
}

void
UtilizationWindow::Update(double utilization, int64_t elapsed, bool isRound)
{
    const double weight = static_cast<double>(std::min(elapsed, m_settings.baseRtt)) /
                          static_cast<double>(m_settings.baseRtt);
    m_utilization += weight * (utilization - m_utilization);
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
    if (isRound)
    {
        m_stage = isByUtilization ? 0 : m_stage + 1;
        m_reference = m_window;
    }
}

UtilizationWindow::Settings
UtilizationWindow::Derive(Settings settings, const Line& line)
{
    const double bytesAtOne = static_cast<double>(line.baseRtt) / 8e9; // of one bit/s
    const double product = line.rate * bytesAtOne;
    if (settings.additiveIncrease == 0)
    {
        settings.additiveIncrease = product * (1 - settings.eta) / line.nFlows;
    }
    settings.minWindow = std::min(line.rate, std::max(1.0, line.minRate)) * bytesAtOne;
    settings.maxWindow = product;
    settings.baseRtt = line.baseRtt;
    return settings;
}

} // namespace ns3::aidc
