// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PORT_RATE_ESTIMATOR_H
#define AIDC_PORT_RATE_ESTIMATOR_H

#include <algorithm>
#include <cstdint>
#include <variant>

/// @file
/// Estimators of the rate of a port: the three that section 5.1.1 of draft-ravi-ippm-csig-01
/// (February 2024) names. Also the largest value of an interval.
///
/// All take the time `now` in ns, at least 0, and need no events: each call first does what a timer
/// would have done since the last call. Two calls may have the same time, but time never goes back.
/// Bytes count at the time of the call, so count a packet when its transmission starts. Rates are
/// in bit/s. Constructors throw std::invalid_argument if a parameter is outside its range.

namespace ns3::aidc
{

/// The rate of the last whole interval: a timer that reads a counter of bytes.
///
/// Intervals begin at multiples of delta_t. The rate is exact, in integers, rounded down. A packet
/// counts in the interval that its transmission starts in, so the rate of a busy port exceeds its
/// speed by up to a packet an interval.
class IntervalRateEstimator
{
  public:
    static constexpr int64_t MIN_INTERVAL = 1000;        //!< the shortest interval in ns
    static constexpr int64_t MAX_INTERVAL = 10000000000; //!< the longest interval in ns

    /// Constructor. @param interval delta_t in ns, from 1 us to 10 s
    explicit IntervalRateEstimator(int64_t interval);

    /// Count bytes that are sent.
    void Count(int64_t now, uint64_t bytes)
    {
        if (now >= m_end)
        {
            Advance(now);
        }
        m_bytes += bytes;
    }

    /// @return the rate of the last interval that has ended; 0 in the first interval
    uint64_t GetRate(int64_t now)
    {
        if (now >= m_end)
        {
            Advance(now);
        }
        return m_rate;
    }

  private:
    /// End the intervals that have passed. now: at least m_end.
    void Advance(int64_t now);

    int64_t m_interval;  //!< delta_t in ns
    int64_t m_end;       //!< when the current interval ends, in ns
    uint64_t m_bytes{0}; //!< sent in the current interval
    uint64_t m_rate{0};  //!< of the interval before it, in bit/s
};

/// An exponentially weighted moving average, updated by each packet.
///
/// The rate between the starts of two packets is the size of the first one over the time between
/// them; for a busy port, this is the speed of the port. avg += w (rate - avg), where w is the
/// weight of a time step, such as the time of a full-size packet. A time T counts as T / step of
/// them, by the power of 1 - w. So the average is one over time: short packets count less than long
/// ones, and while the port is idle the average decays as fast as it has grown, like RED's average
/// (Floyd and Jacobson, 1993, section 4). Packets of the same instant count as one.
class EwmaRateEstimator
{
  public:
    /// Constructor. weight: w, above 0 and at most 1; step: the time in ns that has the weight w,
    /// above 0 and at most 10^9.
    EwmaRateEstimator(double weight, double step);

    /// Count bytes that are sent.
    void Count(int64_t now, uint64_t bytes);

    /// @return the average as if the time of the last packet ended now, to the nearest
    uint64_t GetRate(int64_t now) const;

  private:
    double ComputeAverage(int64_t now) const;

    double m_decay;      //!< log(1 - w) for each ns, below 0
    int64_t m_last{0};   //!< when the last packet was counted, in ns
    uint64_t m_bytes{0}; //!< counted at that moment
    double m_average{0}; //!< avg in bit/s up to that moment
};

/// The Discounting Rate Estimator (DRE).
///
/// Alizadeh et al., "CONGA: Distributed Congestion-Aware Load Balancing for Datacenters", SIGCOMM
/// 2014, section 3.2: X += bytes with each packet, X *= 1 - a at each multiple of Tdre; the rate is
/// X / tau with tau = Tdre / a. A call after a long pause does all missed ticks by repeated
/// squaring of 1 - a, so that it costs no more than 63 products.
class DiscountingRateEstimator
{
  public:
    /// Constructor. interval: Tdre in ns, from 1 us to 10 s; factor: a, above 0 and below 1.
    DiscountingRateEstimator(int64_t interval, double factor);

    /// Count bytes that are sent.
    void Count(int64_t now, uint64_t bytes);

    /// @return the estimate, to the nearest
    uint64_t GetRate(int64_t now);

  private:
    /// Do the ticks that have passed.
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
    /// one of the intervals that section 5.3.2 names.
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

/// One of the three estimators.
using AnyRateEstimator =
    std::variant<IntervalRateEstimator, EwmaRateEstimator, DiscountingRateEstimator>;

/// How fast a port sends, estimated in a configurable way.
class PortRateEstimator
{
  public:
    /// Constructor. settings: the method and its parameters; other parameters do not matter.
    explicit PortRateEstimator(const RateEstimationSettings& settings = {});

    /// Count bytes that are sent.
    void Count(int64_t now, uint64_t bytes)
    {
        std::visit([=](auto& estimator) { estimator.Count(now, bytes); }, m_estimator);
    }

    /// @return the estimate
    uint64_t GetRate(int64_t now)
    {
        return std::visit([=](auto& estimator) { return estimator.GetRate(now); }, m_estimator);
    }

  private:
    AnyRateEstimator m_estimator; //!< the method's estimator
};

/// The largest value of the last whole interval: a timer that reads and clears a register.
/// Intervals begin at multiples of their length.
class IntervalPeak
{
  public:
    /// Constructor. @param interval the length of an interval in ns, above 0
    explicit IntervalPeak(int64_t interval)
        : m_interval(interval),
          m_end(interval)
    {
    }

    /// Note a value.
    void Note(int64_t now, uint64_t value)
    {
        Advance(now);
        m_current = std::max(m_current, value);
    }

    /// @return the largest value of the last interval that has ended; 0 if there was none in it
    uint64_t Get(int64_t now)
    {
        Advance(now);
        return m_last;
    }

  private:
    /// End the intervals that have passed.
    void Advance(int64_t now)
    {
        if (now < m_end)
        {
            return;
        }
        const int64_t passed = (now - m_end) / m_interval; // whole intervals after the current one
        m_last = passed == 0 ? m_current : 0;
        m_current = 0;
        m_end += (passed + 1) * m_interval;
    }

    int64_t m_interval;    //!< the length of an interval in ns
    int64_t m_end;         //!< when the current interval ends, in ns
    uint64_t m_current{0}; //!< the largest value of the current interval
    uint64_t m_last{0};    //!< the largest value of the interval before it
};

} // namespace ns3::aidc

#endif // AIDC_PORT_RATE_ESTIMATOR_H
