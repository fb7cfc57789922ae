/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-rate-estimator.h"

#include "../parts-per-million.h"

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

PortRateEstimator::PortRateEstimator(const RateEstimationSettings& settings)
    : m_estimator(Make(settings))
{
}

PortRateEstimator::Estimator
PortRateEstimator::Make(const RateEstimationSettings& settings)
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

void
PortRateEstimator::CountOther(int64_t now, uint64_t bytes)
{
    if (auto* ewma = std::get_if<EwmaRateEstimator>(&m_estimator))
    {
        ewma->Count(now, bytes);
        return;
    }
    std::get<DiscountingRateEstimator>(m_estimator).Count(now, bytes);
}

uint64_t
PortRateEstimator::GetOtherRate(int64_t now)
{
    if (const auto* ewma = std::get_if<EwmaRateEstimator>(&m_estimator))
    {
        return ewma->GetRate(now);
    }
    return std::get<DiscountingRateEstimator>(m_estimator).GetRate(now);
}

} // namespace ns3::aidc
