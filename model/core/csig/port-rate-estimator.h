/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PORT_RATE_ESTIMATOR_H
#define AIDC_PORT_RATE_ESTIMATOR_H

#include <cstdint>
#include <variant>

/**
 * @file
 * @brief Estimators of the rate of a port: the three that section 5.1.1 of draft-ravi-ippm-csig-01
 * (February 2024) names.
 *
 * All take the time in ns and need no events: each call first does what a timer would have done
 * since the last call. Two calls may have the same time, but time never goes back. Bytes count at
 * the time of the call, so count a packet when its transmission starts.
 */

namespace ns3::aidc
{

/**
 * @brief The rate of the last whole interval: a timer that reads a counter of bytes.
 *
 * Intervals begin at multiples of delta_t. The rate is exact, in integers, rounded down. A packet
 * counts in the interval that its transmission starts in, so the rate of a busy port exceeds its
 * speed by up to a packet an interval.
 */
class IntervalRateEstimator
{
  public:
    /// The shortest interval in ns.
    static constexpr int64_t MIN_INTERVAL = 1000;
    /// The longest interval in ns.
    static constexpr int64_t MAX_INTERVAL = 10000000000;

    /// Constructor. @param interval delta_t in ns, from 1 us to 10 s @throws std::invalid_argument
    /// if the interval is outside its range
    explicit IntervalRateEstimator(int64_t interval);

    /// Count bytes that are sent. now: the time in ns, at least 0 and that of the last call; bytes:
    /// the bytes sent.
    void Count(int64_t now, uint64_t bytes)
    {
        if (now >= m_end)
        {
            Advance(now);
        }
        m_bytes += bytes;
    }

    /// Get the rate of the last interval that has ended. @param now the time in ns, at least 0 and
    /// that of the last call @return bit/s; 0 in the first interval
    uint64_t GetRate(int64_t now)
    {
        if (now >= m_end)
        {
            Advance(now);
        }
        return m_rate;
    }

  private:
    /// End the intervals that have passed. @param now the time in ns, at least m_end
    void Advance(int64_t now);

    int64_t m_interval;  //!< delta_t in ns
    int64_t m_end;       //!< when the current interval ends, in ns
    uint64_t m_bytes{0}; //!< sent in the current interval
    uint64_t m_rate{0};  //!< of the interval before it, in bit/s
};

/**
 * @brief An exponentially weighted moving average, updated by each packet.
 *
 * The rate between the starts of two packets is the size of the first one over the time between
 * them; for a busy port, this is the speed of the port. avg += w (rate - avg), where w is the
 * weight of a time step, such as the time of a full-size packet. A time T counts as T / step of
 * them, by the power of 1 - w. So the average is one over time: short packets count less than long
 * ones, and while the port is idle the average decays as fast as it has grown, like RED's average
 * (Floyd and Jacobson, 1993, section 4). Packets of the same instant count as one.
 */
class EwmaRateEstimator
{
  public:
    /// Constructor. weight: w, above 0 and at most 1; step: the time in ns that has the weight w,
    /// above 0 and at most 10^9. @throws std::invalid_argument if a value is outside its range
    EwmaRateEstimator(double weight, double step);

    /// Count bytes that are sent. now: the time in ns, at least that of the last call; bytes: the
    /// bytes sent.
    void Count(int64_t now, uint64_t bytes);

    /// Get the average as if the time of the last packet ended now. The object does not change.
    /// @param now the time in ns, at least that of the last call @return bit/s, to the nearest
    uint64_t GetRate(int64_t now) const;

  private:
    /// Compute the average at a time in ns. @return bit/s
    double ComputeAverage(int64_t now) const;

    double m_decay;      //!< log(1 - w) for each ns, below 0
    int64_t m_last{0};   //!< when the last packet was counted, in ns
    uint64_t m_bytes{0}; //!< counted at that moment
    double m_average{0}; //!< avg in bit/s up to that moment
};

/**
 * @brief The Discounting Rate Estimator (DRE).
 *
 * Alizadeh et al., "CONGA: Distributed Congestion-Aware Load Balancing for Datacenters", SIGCOMM
 * 2014, section 3.2: X += bytes with each packet, X *= 1 - a at each multiple of Tdre; the rate is
 * X / tau with tau = Tdre / a. A call after a long pause does all missed ticks by repeated squaring
 * of 1 - a, so that it costs no more than 63 products.
 */
class DiscountingRateEstimator
{
  public:
    /// Constructor. interval: Tdre in ns, from 1 us to 10 s; factor: a, above 0 and below 1.
    /// @throws std::invalid_argument if a value is outside its range
    DiscountingRateEstimator(int64_t interval, double factor);

    /// Count bytes that are sent. now: the time in ns, at least 0 and that of the last call; bytes:
    /// the bytes sent.
    void Count(int64_t now, uint64_t bytes);

    /// Get the estimate. @param now the time in ns, at least 0 and that of the last call
    /// @return bit/s, to the nearest
    uint64_t GetRate(int64_t now);

  private:
    /// Do the ticks that have passed. @param now the time in ns
    void Advance(int64_t now);

    int64_t m_interval; //!< Tdre in ns
    double m_keep;      //!< 1 - a
    double m_perByte;   //!< bit/s for each byte of X
    int64_t m_next;     //!< when the next tick is, in ns
    double m_x{0};      //!< X in bytes
};

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
