/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "available-bandwidth.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3::aidc
{

AvailableBandwidth::AvailableBandwidth(const AvailableBandwidthSettings& settings,
                                       double capacity,
                                       int64_t now)
    : m_settings(settings),
      m_counted(now),
      m_told(capacity)
{
    if (settings.timeConstant <= 0)
    {
        throw std::invalid_argument("available bandwidth: time constant: expected above 0");
    }
    // Written so that what is no number is refused, too
    if (!(settings.hysteresis >= 0 && settings.hysteresis <= 1))
    {
        throw std::invalid_argument("available bandwidth: hysteresis: expected 0 to 1");
    }
    if (settings.updateInterval < 0)
    {
        throw std::invalid_argument("available bandwidth: update interval: expected 0 or more");
    }
    SetCapacity(capacity);
}

void
AvailableBandwidth::Count(int64_t now, uint64_t bytes)
{
    m_bytes += bytes;
    const auto elapsed = static_cast<double>(now - m_counted);
    if (elapsed <= 0)
    {
        return;
    }
    constexpr double NANOSECONDS = 1e9;
    const double rate = static_cast<double>(m_bytes) * NANOSECONDS / elapsed;
    const auto timeConstant = static_cast<double>(m_settings.timeConstant);
    m_load -= std::expm1(-elapsed / timeConstant) * (rate - m_load);
    m_counted = now;
    m_bytes = 0;
}

void
AvailableBandwidth::SetCapacity(double capacity)
{
    if (!(capacity >= 0) || std::isinf(capacity))
    {
        throw std::invalid_argument("available bandwidth: capacity: expected 0 or more");
    }
    m_capacity = capacity;
}

double
AvailableBandwidth::Get() const
{
    return std::max(m_capacity - m_load, 0.0);
}

std::optional<int64_t>
AvailableBandwidth::GetNextUpdate() const
{
    if (std::abs(Get() - m_told) <= m_settings.hysteresis * m_capacity)
    {
        return std::nullopt;
    }
    return m_updated ? *m_updated + m_settings.updateInterval : m_counted;
}

std::optional<double>
AvailableBandwidth::Update(int64_t now)
{
    const auto next = GetNextUpdate();
    if (!next || now < *next)
    {
        return std::nullopt;
    }
    m_updated = now;
    m_told = Get();
    return m_told;
}

} // namespace ns3::aidc
