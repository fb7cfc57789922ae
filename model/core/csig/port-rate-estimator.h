/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PORT_RATE_ESTIMATOR_H
#define AIDC_PORT_RATE_ESTIMATOR_H

#include "csig-rate-estimators.h"

#include <cstdint>
#include <variant>

namespace ns3::aidc
{

/// Holds RateEstimation, which ns-3's attributes want unscoped.
struct RateEstimations
{
    /// The ways to estimate how fast a port sends (section 5.1.1).
    enum Method : uint8_t
    {
        INTERVAL,   //!< the bytes sent in the last interval: IntervalRateEstimator
        EWMA,       //!< a moving average, updated by each packet: EwmaRateEstimator
        DISCOUNTING //!< CONGA's estimator, DRE: DiscountingRateEstimator
    };
};

using RateEstimation = RateEstimations::Method; //!< the ways to estimate how fast a port sends

/// How a port's rate is estimated.
struct RateEstimationSettings
{
    /// The method. Default: the one that section 5.3.1 of the draft asks of every device.
    RateEstimation method{RateEstimation::INTERVAL};
    /// delta_t in ns, from 1 us to 10 s. Default: 100 us, several round trips of a data center and
    /// one of those that section 5.3.2 names.
    int64_t interval{100000};
    /// w, above 0 and at most 1. Default: 1/64, so that the average is one of about 8 us with the
    /// default of weightTime.
    double weight{1.0 / 64};
    /// The time in ns that has the weight w, above 0 and at most 10^9. Default: the time of a
    /// full-size packet, 1,538 bytes on the wire, at 100 Gbit/s.
    double weightTime{123.04};
    /// Tdre in ns, from 1 us to 10 s. Default: 32 us, with a = 0.2 CONGA's tau of 160 us.
    int64_t discountInterval{32000};
    /// a, above 0 and below 1.
    double discountFactor{0.2};
};

/// Compute the available bandwidth of a port (section 5.1.1 of the draft).
/// @param capacity the speed of the port in bit/s
/// @param rate how fast it sends in bit/s
/// @return bit/s; 0 if the rate is above the speed, as the estimate of a busy port may be
constexpr uint64_t
ComputeAvailableBandwidth(uint64_t capacity, uint64_t rate)
{
    return rate < capacity ? capacity - rate : 0;
}

/// Compute the available share of a port's capacity.
/// @param capacity the speed of the port in bit/s
/// @param rate how fast it sends in bit/s
/// @return millionths, rounded down; 0 of a port without capacity
uint64_t ComputeAvailableRatio(uint64_t capacity, uint64_t rate);

/// How fast a port sends, estimated in a configurable way.
class PortRateEstimator
{
  public:
    /// Constructor. @param settings the method and its parameters; parameters of other ways do not
    /// matter @throws std::invalid_argument if a parameter of the way is outside its range
    explicit PortRateEstimator(const RateEstimationSettings& settings = {});

    /// Count bytes that are sent. now: the time in ns, at least 0 and that of the last call; bytes:
    /// the bytes sent.
    void Count(int64_t now, uint64_t bytes)
    {
        if (auto* interval = std::get_if<IntervalRateEstimator>(&m_estimator))
        {
            interval->Count(now, bytes); // the most common way, and the cheapest
            return;
        }
        CountOther(now, bytes);
    }

    /// Get the estimate. @param now the time in ns, at least 0 and that of the last call
    /// @return bit/s
    uint64_t GetRate(int64_t now)
    {
        auto* interval = std::get_if<IntervalRateEstimator>(&m_estimator);
        return interval ? interval->GetRate(now) : GetOtherRate(now);
    }

  private:
    /// Count bytes that are sent, by another method than INTERVAL. now: the time in ns.
    void CountOther(int64_t now, uint64_t bytes);

    /// @param now the time in ns @return the estimate by another method than INTERVAL, in bit/s
    uint64_t GetOtherRate(int64_t now);

    /// One of the three estimators.
    using Estimator =
        std::variant<IntervalRateEstimator, EwmaRateEstimator, DiscountingRateEstimator>;

    static Estimator Make(const RateEstimationSettings& settings);

    Estimator m_estimator; //!< the estimator
};

} // namespace ns3::aidc

#endif // AIDC_PORT_RATE_ESTIMATOR_H
