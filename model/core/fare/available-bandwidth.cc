// SPDX-License-Identifier: GPL-2.0-only

#include "available-bandwidth.h"

#include "../require-argument.h"

#include <algorithm>
#include <cmath>
#include <string>

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

double
GetStableSteepness(const AvailableBandwidthSettings& settings)
{
    // Steepness times delay over time constant has to stay below pi / 2.
    constexpr double SHARE = 0.5;
    // An update waits for an interval at most; two more are for what the settings do not tell.
    constexpr double INTERVALS = 3;
    const double delay = INTERVALS * static_cast<double>(settings.updateInterval) +
                         static_cast<double>(settings.delay);
    const double most = SHARE * static_cast<double>(settings.timeConstant);
    return std::max(most >= LARGEST_STEEPNESS * delay ? LARGEST_STEEPNESS : most / delay,
                    LEAST_STEEPNESS);
}

/// Refuse a capacity that is none.
void
CheckCapacity(double capacity)
{
    AIDC_REQUIRE(capacity > 0 && std::isfinite(capacity),
                 "available bandwidth: expected a capacity above 0, found " +
                     std::to_string(capacity));
}

} // namespace

AvailableBandwidth::AvailableBandwidth(const AvailableBandwidthSettings& settings,
                                       double capacity,
                                       int64_t now)
    : m_settings(settings),
      m_steepness(GetStableSteepness(settings)),
      m_counted(now),
      m_told(capacity)
{
    const auto require = [](bool holds, const std::string& what) {
        AIDC_REQUIRE(holds, "available bandwidth: expected " + what);
    };
    require(settings.timeConstant > 0, "a time constant above 0");
    // Written so that NaN is refused, too
    require(settings.hysteresis >= 0 && settings.hysteresis <= 1, "a hysteresis from 0 to 1");
    require(settings.updateInterval >= 0, "an update interval of at least 0");
    require(settings.delay >= 0, "a delay of at least 0");
    CheckCapacity(capacity);
}

std::optional<double>
AvailableBandwidth::Update(int64_t now, uint64_t bytes, double capacity)
{
    AIDC_REQUIRE(now > m_counted, "available bandwidth: expected a later time");
    CheckCapacity(capacity);
    constexpr double NANOSECONDS = 1e9;
    const auto elapsed = static_cast<double>(now - m_counted);
    const double sent = static_cast<double>(bytes) * NANOSECONDS / (elapsed * capacity);
    const double weight = -std::expm1(-elapsed / static_cast<double>(m_settings.timeConstant));
    m_utilization += weight * (sent - m_utilization);
    m_counted = now;

    const double bandwidth =
        capacity * std::pow(FREE / std::clamp(m_utilization, FREE, 1.0), m_steepness);
    if (std::abs(bandwidth - m_told) <= m_settings.hysteresis * m_told ||
        (m_updated && now - *m_updated < m_settings.updateInterval))
    {
        return std::nullopt;
    }
    m_updated = now;
    m_told = bandwidth;
    return bandwidth;
}

} // namespace ns3::aidc
