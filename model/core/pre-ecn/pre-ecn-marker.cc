// SPDX-License-Identifier: GPL-2.0-only

#include "pre-ecn-marker.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

/// @return how far the average is from one threshold to the next, 0 to 1
double
GetShare(double average, uint64_t low, uint64_t high)
{
    const double share = (average - static_cast<double>(low)) / static_cast<double>(high - low);
    return std::clamp(share, 0.0, 1.0);
}

/// Say that a number is not from 0 to 1. @return the error, empty if there is none
std::string
FindShareError(const std::string& name, double value)
{
    // Also NaN
    return value >= 0 && value <= 1
               ? ""
               : "expected " + name + " from 0 to 1, found " + std::to_string(value);
}

} // namespace

std::string
FindTwoThresholdsError(const PreEcnThresholds& settings)
{
    if (settings.t1 == 0 || settings.t1 >= settings.t2 || settings.t2 >= settings.maximum)
    {
        return "expected 0 < T1 < T2 < Maximum, found T1 " + std::to_string(settings.t1) +
               " bytes, T2 " + std::to_string(settings.t2) + " bytes, Maximum " +
               std::to_string(settings.maximum) + " bytes";
    }
    auto error = FindShareError("LightProbability", settings.lightProbability);
    error += error.empty() ? FindShareError("SevereProbability", settings.severeProbability) : "";
    error += error.empty() ? FindShareError("AverageWeight", settings.weight) : "";
    return error;
}

std::string
FindAbsurdThreshold(const PreEcnThresholds& settings, const PreEcnBounds& bounds)
{
    const auto found = [](const std::string& name, uint64_t value) {
        return name + " is " + std::to_string(value) + " bytes, ";
    };
    if (settings.t1 < bounds.leastT1)
    {
        return found("T1", settings.t1) + "less than " + std::to_string(bounds.leastT1) +
               ": packets would be marked without congestion";
    }
    if (bounds.greatestT1 > 0 && settings.t1 > bounds.greatestT1)
    {
        return found("T1", settings.t1) + "more than " + std::to_string(bounds.greatestT1) +
               ": the warning would not be an early one";
    }
    if (bounds.greatestT2 > 0 && settings.t2 > bounds.greatestT2)
    {
        return found("T2", settings.t2) + "more than the " + std::to_string(bounds.greatestT2) +
               " that the queue may hold alone: packets would be dropped before any is marked CE";
    }
    return "";
}

PreEcnRegion
PreEcnMarker::GetRegion() const
{
    if (m_average.Get() > static_cast<double>(m_settings.t2))
    {
        return PreEcnRegion::SEVERE;
    }
    return m_average.Get() > static_cast<double>(m_settings.t1) ? PreEcnRegion::LIGHT
                                                                : PreEcnRegion::NORMAL;
}

double
PreEcnMarker::GetLightProbability() const
{
    return m_settings.lightProbability * GetShare(m_average.Get(), m_settings.t1, m_settings.t2);
}

double
PreEcnMarker::GetSevereProbability() const
{
    if (m_average.Get() > static_cast<double>(m_settings.maximum))
    {
        return 1;
    }
    return m_settings.severeProbability *
           GetShare(m_average.Get(), m_settings.t2, m_settings.maximum);
}

double
PreEcnMarker::NextSevereProbability()
{
    const double pb = GetSevereProbability();
    if (m_average.Get() <= static_cast<double>(m_settings.t2))
    {
        m_count = -1;
        return 0;
    }
    ++m_count;
    if (!m_settings.isSpread)
    {
        return pb;
    }
    const double rest = 1 - static_cast<double>(m_count) * pb;
    return rest > pb ? pb / rest : 1;
}

std::array<double, PRE_ECN_REGIONS>
PreEcnMarker::SplitIdle(double packets) const
{
    std::array<double, PRE_ECN_REGIONS> parts{};
    double spent = 0;
    // The average falls as (1 - w)^m: to a threshold in ln(threshold / average) / ln(1 - w).
    const auto stay = [this, packets, &parts, &spent](PreEcnRegion region, uint64_t threshold) {
        if (m_average.Get() > static_cast<double>(threshold))
        {
            const double until = std::log(static_cast<double>(threshold) / m_average.Get()) /
                                 std::log1p(-m_settings.weight);
            const double end = std::clamp(until, spent, packets);
            parts[static_cast<std::size_t>(region)] = end - spent;
            spent = end;
        }
    };
    stay(PreEcnRegion::SEVERE, m_settings.t2);
    stay(PreEcnRegion::LIGHT, m_settings.t1);
    parts[static_cast<std::size_t>(PreEcnRegion::NORMAL)] = packets - spent;
    return parts;
}

void
PreEcnRegionTimes::Count(int64_t now, double idlePackets, const PreEcnMarker& marker)
{
    const int64_t elapsed = now - since;
    since = now;
    if (idlePackets <= 0)
    {
        times[static_cast<std::size_t>(region)] += elapsed;
        return;
    }
    const auto parts = marker.SplitIdle(idlePackets);
    int64_t rest = elapsed;
    for (const auto passed : {PreEcnRegion::SEVERE, PreEcnRegion::LIGHT})
    {
        const auto index = static_cast<std::size_t>(passed);
        const auto part = std::min<int64_t>(
            rest,
            std::llround(parts[index] / idlePackets * static_cast<double>(elapsed)));
        times[index] += part;
        rest -= part;
    }
    times[static_cast<std::size_t>(PreEcnRegion::NORMAL)] += rest;
}

} // namespace ns3::aidc
