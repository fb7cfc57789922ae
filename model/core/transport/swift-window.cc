/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "swift-window.h"

#include <cmath>

namespace ns3::aidc
{

namespace
{

/// After the acknowledgment of so many windows without a max(PD), the round-trip time governs. Of
/// signals that take turns at random, so many others in a row are one case in 65,536.
constexpr double PATIENCE = 16;

} // namespace

void
SwiftWindow::Start(const Settings& settings, double fabricWindow, double endpointWindow)
{
    *this = SwiftWindow();
    m_settings = settings;
    m_rtt = settings.initialRtt;
    const double atMin = 1 / std::sqrt(settings.scalingMin);
    const double atMax = 1 / std::sqrt(settings.scalingMax);
    m_scalingSlope = settings.scalingRange / (atMin - atMax);
    m_scalingOffset = -m_scalingSlope * atMax;
    m_fabric.size = std::clamp(fabricWindow, settings.minWindow, settings.maxWindow);
    m_endpoint.size = std::clamp(endpointWindow, settings.minWindow, settings.maxWindow);
}

void
SwiftWindow::Raise(double size)
{
    const double bounded = std::clamp(size, m_settings.minWindow, m_settings.maxWindow);
    m_fabric.size = std::max(m_fabric.size, bounded);
    m_endpoint.size = std::max(m_endpoint.size, bounded);
}

void
SwiftWindow::Lower(double size)
{
    const double bounded = std::clamp(size, m_settings.minWindow, m_settings.maxWindow);
    m_fabric.size = std::min(m_fabric.size, bounded);
    m_endpoint.size = std::min(m_endpoint.size, bounded);
}

double
SwiftWindow::GetTarget(uint32_t nHops) const
{
    const double scaling = m_scalingSlope / std::sqrt(m_fabric.size) + m_scalingOffset;
    return m_settings.baseTarget + nHops * m_settings.hopTarget +
           std::clamp(scaling, 0.0, m_settings.scalingRange);
}

void
SwiftWindow::NotifyAcknowledgment(int64_t now, const Acknowledgment& acknowledgment)
{
    m_nTimeouts = 0;
    if (acknowledgment.rtt > 0)
    {
        m_rtt = acknowledgment.rtt;
    }
    const double nPackets = acknowledgment.nPackets;
    m_nUnjudged += nPackets;
    if (m_settings.usesHopDelay && m_hopDelay)
    {
        const auto delay = static_cast<double>(*m_hopDelay);
        const double target = m_settings.hopDelayTarget;
        const double part = std::clamp(1 - delay / target, m_settings.leastIncrease, 1.0);
        Update(m_fabric, now, part * m_nUnjudged, delay, target);
        m_hopDelay.reset();
        m_nUnjudged = 0;
        m_patience = PATIENCE * std::max(1.0, m_fabric.size);
    }
    else if (acknowledgment.rtt > 0 && m_nUnjudged >= m_patience)
    {
        m_patience = 0;
        m_nUnjudged = 0;
        const auto delay = static_cast<double>(acknowledgment.rtt - acknowledgment.endpointDelay);
        Update(m_fabric, now, nPackets, delay, GetTarget(acknowledgment.nHops));
    }
    const auto delay = static_cast<double>(acknowledgment.endpointDelay);
    const double before = m_endpointDelay.value_or(delay);
    m_endpointDelay = before + m_settings.endpointGain * (delay - before);
    Update(m_endpoint, now, nPackets, *m_endpointDelay, m_settings.endpointTarget);
    m_rounding.NotifyAcknowledgment(nPackets, GetWindow());
}

void
SwiftWindow::NotifyLoss(int64_t now, bool isTimeout)
{
    if (isTimeout && ++m_nTimeouts >= m_settings.retransmitLimit)
    {
        Change(m_fabric, now, m_settings.minWindow);
        Change(m_endpoint, now, m_settings.minWindow);
        return;
    }
    for (auto* window : {&m_fabric, &m_endpoint})
    {
        if (CanDecrease(*window, now))
        {
            Change(*window, now, window->size * (1 - m_settings.maxDecrease));
        }
    }
}

void
SwiftWindow::Update(Window& window, int64_t now, double nPackets, double delay, double target) const
{
    if (delay < target)
    {
        const double increase = m_settings.additiveIncrease * nPackets;
        Change(window, now, window.size + increase / std::max(1.0, window.size));
    }
    else if (CanDecrease(window, now))
    {
        // A delay of 0 is at its target of 0: nothing in excess.
        const double excess = delay > 0 ? (delay - target) / delay : 0;
        const double decrease = std::min(m_settings.beta * excess, m_settings.maxDecrease);
        Change(window, now, window.size * (1 - decrease));
    }
}

void
SwiftWindow::Change(Window& window, int64_t now, double size) const
{
    const double bounded = std::clamp(size, m_settings.minWindow, m_settings.maxWindow);
    if (bounded < window.size)
    {
        window.lastDecrease = now;
    }
    window.size = bounded;
}

bool
SwiftWindow::CanDecrease(const Window& window, int64_t now) const
{
    return !window.lastDecrease || now - *window.lastDecrease >= m_rtt;
}

} // namespace ns3::aidc
