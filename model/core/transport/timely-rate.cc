/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timely-rate.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// The growths in a row after which a rate grows faster.
constexpr uint32_t MANY_INCREASES = 5;

/// How much faster, in variant PAPER.
constexpr double FASTER = 5;

} // namespace

void
TimelyRate::Start(const Settings& settings, double rate)
{
    *this = TimelyRate();
    m_settings = settings;
    m_rate = std::clamp(rate, settings.minRate, settings.maxRate);
}

void
TimelyRate::NotifyRtt(int64_t rtt)
{
    if (m_lastRtt == 0)
    {
        m_lastRtt = rtt;
        return;
    }
    const auto difference = static_cast<double>(rtt - m_lastRtt);
    m_difference += m_settings.alpha * (difference - m_difference);
    m_lastRtt = rtt;
    const double gradient = GetGradient();
    if (rtt < m_settings.tLow)
    {
        Increase(false);
    }
    else if (rtt > m_settings.tHigh)
    {
        const double excess = 1 - static_cast<double>(m_settings.tHigh) / static_cast<double>(rtt);
        Decrease(1 - m_settings.beta * excess);
    }
    else if (gradient <= 0)
    {
        Increase(true);
    }
    else
    {
        Decrease(1 - m_settings.beta * gradient);
    }
}

void
TimelyRate::Increase(bool isByGradient)
{
    double step = m_settings.addStep;
    if (m_settings.variant == HPCC)
    {
        step = m_nIncreases < MANY_INCREASES ? step : m_settings.hyperStep;
        ++m_nIncreases;
    }
    else
    {
        m_nIncreases = isByGradient ? m_nIncreases + 1 : 0;
        step *= m_nIncreases < MANY_INCREASES ? 1 : FASTER;
    }
    m_rate = std::min(m_rate + step, m_settings.maxRate);
}

void
TimelyRate::Decrease(double share)
{
    m_nIncreases = 0;
    m_rate = std::max(m_rate * std::max(share, 0.0), m_settings.minRate);
}

} // namespace ns3::aidc
