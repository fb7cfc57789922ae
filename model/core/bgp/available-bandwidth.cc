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

namespace
{

/// The utilization up to which a link counts as free.
constexpr double FREE = 0.5;

/// The steepness at which a loop settles whatever its delays are.
constexpr double LEAST_STEEPNESS = 0.5;

/// The largest one: a full link is told as 1/256 of its capacity, which binary16 still resolves.
constexpr double LARGEST_STEEPNESS = 8;

/// Get the steepness at which the loop is stable.
/// @param settings the times of the loop
/// @return E
double
GetStableSteepness(const AvailableBandwidthSettings& settings)
{
    // Steepness times delay over time constant has to stay below pi / 2
    constexpr double SHARE = 0.5;
    const double delay =
        static_cast<double>(settings.updateInterval) + static_cast<double>(settings.delay);
    const auto timeConstant = static_cast<double>(settings.timeConstant);
    return delay * LARGEST_STEEPNESS <= SHARE * timeConstant
               ? LARGEST_STEEPNESS
               : std::max(SHARE * timeConstant / delay, LEAST_STEEPNESS);
}

} // namespace

AvailableBandwidth::AvailableBandwidth(const AvailableBandwidthSettings& settings,
                                       double capacity,
                                       int64_t now)
    : m_settings(settings),
      m_counted(now),
      m_steepness(GetStableSteepness(settings)),
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
    if (settings.delay < 0)
    {
        throw std::invalid_argument("available bandwidth: delay: expected 0 or more");
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
    const double utilization = m_capacity > 0 ? rate / m_capacity : 0;
    const auto timeConstant = static_cast<double>(m_settings.timeConstant);
    m_utilization -= std::expm1(-elapsed / timeConstant) * (utilization - m_utilization);
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
    return m_capacity * std::pow(FREE / std::clamp(m_utilization, FREE, 1.0), m_steepness);
}

std::optional<int64_t>
AvailableBandwidth::GetNextUpdate() const
{
    if (std::abs(Get() - m_told) <= m_settings.hysteresis * m_told)
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
