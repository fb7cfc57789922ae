// SPDX-License-Identifier: GPL-2.0-only

#include "port-rate-estimator.h"

#include "../multiply-divide.h"
#include "../require-argument.h"

#include <cmath>
#include <string>

namespace ns3::aidc
{

namespace
{

constexpr uint64_t NS_PER_S = 1000000000; //!< nanoseconds of a second

/// Check that an interval in ns is within the range of IntervalRateEstimator.
void
CheckInterval(int64_t interval)
{
    AIDC_REQUIRE(interval >= IntervalRateEstimator::MIN_INTERVAL &&
                     interval <= IntervalRateEstimator::MAX_INTERVAL,
                 "The interval of a rate estimator must be from 1 us to 10 s, not " +
                     std::to_string(interval) + " ns");
}

AnyRateEstimator
MakeEstimator(const RateEstimationSettings& settings)
{
    switch (settings.method)
    {
    case RateEstimation::INTERVAL:
        break;
    case RateEstimation::EWMA:
        return EwmaRateEstimator(settings.weight, settings.weightTime);
    case RateEstimation::DISCOUNTING:
        return DiscountingRateEstimator(settings.discountInterval, settings.discountFactor);
    }
    return IntervalRateEstimator(settings.interval);
}

} // namespace

IntervalRateEstimator::IntervalRateEstimator(int64_t interval)
    : m_interval(interval),
      m_end(interval)
{
    CheckInterval(interval);
}

void
IntervalRateEstimator::Advance(int64_t now)
{
    const int64_t passed = (now - m_end) / m_interval; // whole intervals after the current one
    if (passed == 0)
    {
        // bits * 10^9 / delta_t in two parts, neither of which overflows
        const uint64_t interval = static_cast<uint64_t>(m_interval);
        const uint64_t bits = m_bytes * 8;
        m_rate = bits / interval * NS_PER_S + bits % interval * NS_PER_S / interval;
    }
    else
    {
        m_rate = 0;
    }
    m_bytes = 0;
    m_end += (passed + 1) * m_interval;
}

EwmaRateEstimator::EwmaRateEstimator(double weight, double step)
    : m_decay(std::log1p(-weight) / step)
{
    AIDC_REQUIRE(weight > 0 && weight <= 1,
                 "The weight of a rate estimator must be above 0 and at most 1, not " +
                     std::to_string(weight));
    AIDC_REQUIRE(step > 0 && step <= NS_PER_S,
                 "The time step of a rate estimator must be above 0 ns and at most 1 s, not " +
                     std::to_string(step) + " ns");
}

void
EwmaRateEstimator::Count(int64_t now, uint64_t bytes)
{
    if (now <= m_last)
    {
        m_bytes += bytes;
        return;
    }
    m_average = ComputeAverage(now);
    m_last = now;
    m_bytes = bytes;
}

uint64_t
EwmaRateEstimator::GetRate(int64_t now) const
{
    return static_cast<uint64_t>(ComputeAverage(now) + 0.5);
}

double
EwmaRateEstimator::ComputeAverage(int64_t now) const
{
    if (now <= m_last)
    {
        return m_average;
    }
    const auto time = static_cast<double>(now - m_last);
    const double rate = static_cast<double>(m_bytes) * (8.0 * NS_PER_S) / time;
    return rate + (m_average - rate) * std::exp(m_decay * time);
}

DiscountingRateEstimator::DiscountingRateEstimator(int64_t interval, double factor)
    : m_interval(interval),
      m_keep(1 - factor),
      m_perByte(8.0 * NS_PER_S * factor / static_cast<double>(interval)),
      m_next(interval)
{
    CheckInterval(interval);
    AIDC_REQUIRE(factor > 0 && factor < 1,
                 "The factor of a discounting rate estimator must be above 0 and below 1, not " +
                     std::to_string(factor));
}

void
DiscountingRateEstimator::Count(int64_t now, uint64_t bytes)
{
    Advance(now);
    m_x += static_cast<double>(bytes);
}

uint64_t
DiscountingRateEstimator::GetRate(int64_t now)
{
    Advance(now);
    return static_cast<uint64_t>(m_x * m_perByte + 0.5);
}

void
DiscountingRateEstimator::Advance(int64_t now)
{
    if (now < m_next)
    {
        return;
    }
    const int64_t ticks = (now - m_next) / m_interval + 1;
    m_next += ticks * m_interval;
    double power = m_keep;
    for (auto rest = static_cast<uint64_t>(ticks); rest != 0; rest /= 2)
    {
        m_x *= rest % 2 != 0 ? power : 1;
        power *= power;
    }
}

uint64_t
ComputeAvailableRatio(uint64_t capacity, uint64_t rate)
{
    const uint64_t available = ComputeAvailableBandwidth(capacity, rate);
    constexpr uint64_t million = 1000000;
    constexpr uint64_t largest = UINT64_MAX / million;
    if (available > largest)
    {
        return ComputeShare(available, capacity);
    }
    return capacity == 0 ? 0 : available * million / capacity;
}

PortRateEstimator::PortRateEstimator(const RateEstimationSettings& settings)
    : m_estimator(MakeEstimator(settings))
{
}

} // namespace ns3::aidc
