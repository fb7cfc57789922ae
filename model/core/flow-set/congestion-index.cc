// SPDX-License-Identifier: GPL-2.0-only

#include "congestion-index.h"

#include "../multiply-divide.h"
#include "../require-argument.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3::aidc
{

namespace
{

/// The largest number
constexpr uint64_t LARGEST = std::numeric_limits<uint64_t>::max();
constexpr uint32_t ONE_PPM = 1000000; //!< millionths of a whole

/// Check a congestion_threshold. @throws std::invalid_argument if it is outside its range
void
CheckThreshold(uint32_t thresholdPpm)
{
    AIDC_REQUIRE(
        thresholdPpm >= 1 && thresholdPpm <= ONE_PPM,
        "The congestion threshold must be from 1 to 1000000 millionths of the capacity, not " +
            std::to_string(thresholdPpm));
}

} // namespace

void
CheckSettings(const CongestionIndexSettings& settings)
{
    AIDC_REQUIRE(settings.useQueueDepth || settings.useBufferUtilization || settings.useDrops,
                 "The congestion index needs at least one metric, found none of queue depth, "
                 "buffer utilisation and drops");
    CheckThreshold(settings.thresholdPpm);
    AIDC_REQUIRE(settings.dropsPerLevel > 0,
                 "The drops a level of the congestion index must be at least 1, not 0");
    AIDC_REQUIRE(settings.maximum >= 1 && settings.maximum <= 255,
                 "The maximum of the congestion index must be from 1 to 255, not " +
                     std::to_string(settings.maximum));
    AIDC_REQUIRE(settings.smoothing > 0 && settings.smoothing <= 1,
                 "The weight of the newest reading must be above 0 and at most 1, not " +
                     std::to_string(settings.smoothing));
}

uint32_t
ComputeCqi(uint64_t depth, uint64_t capacity, uint32_t thresholdPpm, uint32_t maximum)
{
    CheckThreshold(thresholdPpm);
    // Rounding down twice is rounding down once, as both divisors are integers.
    const uint64_t levels = ComputeShare(depth, capacity) / thresholdPpm;
    return static_cast<uint32_t>(std::min<uint64_t>(levels, maximum));
}

CongestionIndex::CongestionIndex(const CongestionIndexSettings& settings)
    : m_settings(settings)
{
    CheckSettings(settings);
}

void
CongestionIndex::SetSettings(const CongestionIndexSettings& settings)
{
    CheckSettings(settings);
    m_settings = settings;
}

uint32_t
CongestionIndex::Update(const PortReading& reading)
{
    const uint64_t maximum = m_settings.maximum;
    uint64_t index = 0;
    if (m_settings.useQueueDepth)
    {
        index = ComputeCqi(Smooth(m_depth, reading.queueBytes),
                           reading.queueCapacity,
                           m_settings.thresholdPpm,
                           m_settings.maximum);
    }
    if (m_settings.useBufferUtilization)
    {
        // More than the maximum stands for counts no more, or a limit that fell to 0 for a moment
        // would stay in the average.
        const uint64_t share = std::min(ComputeShare(reading.bufferBytes, reading.bufferLimit),
                                        maximum * m_settings.thresholdPpm);
        index = std::max(index, Smooth(m_utilization, share) / m_settings.thresholdPpm);
    }
    if (m_settings.useDrops)
    {
        const uint64_t since = reading.dropsTotal >= m_lastDropsTotal ? m_lastDropsTotal : 0;
        const uint64_t drops = Smooth(m_drops, reading.dropsTotal - since);
        index = std::max(index, std::min(maximum, drops / m_settings.dropsPerLevel));
    }
    m_lastDropsTotal = reading.dropsTotal;
    return static_cast<uint32_t>(index);
}

void
CongestionIndex::Reset()
{
    m_depth = {};
    m_utilization = {};
    m_drops = {};
}

uint64_t
CongestionIndex::Smooth(OccupancyAverage& average, uint64_t reading) const
{
    if (m_settings.smoothing == 1)
    {
        return reading;
    }
    average.Update(reading, m_settings.smoothing);
    // To the nearest: the average of a constant comes close to it from below.
    const double rounded = average.Get() + 0.5;
    return rounded < static_cast<double>(LARGEST) ? static_cast<uint64_t>(rounded) : LARGEST;
}

AssessmentInterval::AssessmentInterval(int64_t min, int64_t max, double low, double high)
    : m_min(min),
      m_max(max),
      m_low(low),
      m_high(high),
      m_interval(min)
{
    AIDC_REQUIRE(min > 0 && max >= min,
                 "The bounds of the assessment interval must be above 0 ns and in order, not " +
                     std::to_string(min) + " and " + std::to_string(max));
    AIDC_REQUIRE(
        low >= 0 && low < high && high <= 1,
        "The loads that change the assessment interval must be from 0 to 1 and in order, not " +
            std::to_string(low) + " and " + std::to_string(high));
}

int64_t
AssessmentInterval::Update(uint64_t bytes, uint64_t capacity)
{
    const double load =
        capacity == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(capacity);
    if (load >= m_high)
    {
        m_interval = std::max(m_min, m_interval / 2);
    }
    else if (load <= m_low)
    {
        m_interval = m_interval > m_max / 2 ? m_max : m_interval * 2;
    }
    return m_interval;
}

} // namespace ns3::aidc
