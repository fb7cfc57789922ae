/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-rate-estimator.h"

#include "congestion-index.h"

#include <cstdint>

namespace ns3::aidc
{

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

PortRateEstimator::PortRateEstimator(const RateEstimationConfig& config)
    : m_estimator(Make(config))
{
}

PortRateEstimator::Estimator
PortRateEstimator::Make(const RateEstimationConfig& config)
{
    switch (config.method)
    {
    case RateEstimation::INTERVAL:
        break;
    case RateEstimation::EWMA:
        return EwmaRateEstimator(config.weight);
    case RateEstimation::DISCOUNTING:
        return DiscountingRateEstimator(config.discountInterval, config.discountFactor);
    }
    return IntervalRateEstimator(config.interval);
}

void
PortRateEstimator::Count(int64_t now, uint64_t bytes)
{
    std::visit([=](auto& estimator) { estimator.Count(now, bytes); }, m_estimator);
}

uint64_t
PortRateEstimator::GetRate(int64_t now)
{
    if (auto* ewma = std::get_if<EwmaRateEstimator>(&m_estimator))
    {
        return ewma->GetRate();
    }
    if (auto* discounting = std::get_if<DiscountingRateEstimator>(&m_estimator))
    {
        return discounting->GetRate(now);
    }
    return std::get<IntervalRateEstimator>(m_estimator).GetRate(now);
}

} // namespace ns3::aidc
