/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_AVAILABLE_BANDWIDTH_H
#define AIDC_AVAILABLE_BANDWIDTH_H

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup aidc
 * @brief The bandwidth of a link by its load, and when it is worth an update.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief How a link's load is averaged, and how often it is told.
struct AvailableBandwidthSettings
{
    int64_t timeConstant{1000000000}; //!< of the average, in ns, above 0
    double hysteresis{0.05};          //!< the change that is told, as a share of what was told last
    int64_t updateInterval{100000000}; //!< the least time between two updates in ns, not negative

    /// The time from an update until all traffic that it moves has moved and is counted, in ns, not
    /// negative: what the monitor, BGP and the links take
    int64_t delay{0};
};

/**
 * @ingroup aidc
 * @brief The bandwidth of a link (draft-xu-idr-fare, section "Introduction": "link capacity minus
 *        link load") in the form that others can share their traffic by.
 *
 * What is told moves the load, so this is a control loop. A capacity minus a load that the weights
 * have made themselves has a gain of -U/(1-U) at a utilization of U, and diverges above one half.
 * So what is told is
 *
 *      capacity                             u <= 1/2
 *      capacity (1 / (2 u))^E               u > 1/2
 *
 * with the average utilization u, at most 1, and the steepness E. In logarithms, a difference of
 * utilization moves weights by E times itself, and weights move utilization by at most themselves.
 * A loop with E below 1 settles whatever its delays are. A steeper one brings paths nearer to equal
 * utilization; it settles if the average is slow against the delay. So E follows from the settings:
 * half of the time constant over the update interval and the delay, from 1/2 to 8.
 *
 * The utilization is an exponentially weighted moving average of what is sent: after dt with the
 * rate r,
 *
 *      u += (1 - exp(-dt / T)) (r / capacity - u)
 *
 * so that it does not depend on how often it is sampled. The bandwidth is told when it differs from
 * what was told last by more than the hysteresis, and not before the interval since the last update
 * is over. A change within the interval is not lost: it is told when the interval ends, if it still
 * is one. A change of the capacity is told like others.
 *
 * Time is given by the caller, and there are no events. Bandwidths are in bytes a second.
 */
class AvailableBandwidth
{
  public:
    /// Constructor: the link has no load, and its capacity has been told.
    /// @param settings how the load is averaged and told
    /// @param capacity the bandwidth of the link without load, not negative
    /// @param now the time in ns
    /// @throws std::invalid_argument if a setting or the capacity is outside its range
    AvailableBandwidth(const AvailableBandwidthSettings& settings, double capacity, int64_t now);

    /**
     * @brief Count what has been sent since the last call.
     *
     * What is sent in no time counts at the next call.
     *
     * @param now the time in ns, at least that of the last call
     * @param bytes how much
     */
    void Count(int64_t now, uint64_t bytes);

    /// Change the bandwidth of the link without load.
    /// @param capacity bytes a second, not negative
    /// @throws std::invalid_argument if the capacity is negative or no number
    void SetCapacity(double capacity);

    /// Get the average load. @return bytes a second
    double GetLoad() const
    {
        return m_utilization * m_capacity;
    }

    /// Get how strongly the bandwidth follows the utilization. @return E
    double GetSteepness() const
    {
        return m_steepness;
    }

    /// Get the bandwidth that would be told now. @return bytes a second
    double Get() const;

    /// Get what was told last. @return bytes a second
    double GetTold() const
    {
        return m_told;
    }

    /// Get the time of the next update, if nothing changes until then.
    /// @return the time in ns, which may be over; none if there is nothing to tell
    std::optional<int64_t> GetNextUpdate() const;

    /// Tell the bandwidth, if it has changed and the time for it has come.
    /// @param now the time in ns, at least that of the last update
    /// @return the bandwidth to be told, in bytes a second
    std::optional<double> Update(int64_t now);

  private:
    AvailableBandwidthSettings m_settings; //!< how the load is averaged and told
    double m_capacity{0};                  //!< of the link
    int64_t m_counted;                     //!< when the load was counted last
    uint64_t m_bytes{0};                   //!< sent at that time, not counted yet
    double m_utilization{0};               //!< the average, as a share of the capacity
    double m_steepness;                    //!< E
    double m_told;                         //!< what was told last
    std::optional<int64_t> m_updated;      //!< when, if there has been an update
};

} // namespace ns3::aidc

#endif // AIDC_AVAILABLE_BANDWIDTH_H
