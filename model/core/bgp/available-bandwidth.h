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
 * @brief The bandwidth of a link less its load, and when it is worth an update.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief How a link's load is averaged, and how often it is told.
 */
struct AvailableBandwidthSettings
{
    int64_t timeConstant{100000000}; //!< of the average, in ns, above 0
    double hysteresis{0.05}; //!< the change that is told, as a share of the capacity, 0 to 1
    int64_t updateInterval{1000000000}; //!< the least time between two updates in ns, not negative
};

/**
 * @ingroup aidc
 * @brief The capacity of a link minus its load (draft-xu-idr-fare, section "Introduction"), as it
 *        is told to others.
 *
 * The load is an exponentially weighted moving average of what is sent: after dt with the rate r,
 *
 *      load += (1 - exp(-dt / T)) (r - load)
 *
 * so that it does not depend on how often it is sampled. The bandwidth is told when it differs from
 * what was told last by more than the hysteresis, and not before the interval since the last update
 * is over. A change within the interval is not lost: it is told when the interval ends, if it still
 * is one.
 *
 * Time is given by the caller, and there are no events. Bandwidths are in bytes a second.
 */
class AvailableBandwidth
{
  public:
    /**
     * @brief Constructor: the link has no load, and its capacity has been told.
     * @param settings how the load is averaged and told
     * @param capacity the bandwidth of the link without load, not negative
     * @param now the time in ns
     * @throws std::invalid_argument if a setting or the capacity is outside its range
     */
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

    /**
     * @brief Change the bandwidth of the link without load.
     * @param capacity bytes a second, not negative
     * @throws std::invalid_argument if the capacity is negative or no number
     */
    void SetCapacity(double capacity);

    /**
     * @brief Get the average load.
     * @return bytes a second
     */
    double GetLoad() const
    {
        return m_load;
    }

    /**
     * @brief Get the capacity minus the load, 0 if the load is more.
     * @return bytes a second
     */
    double Get() const;

    /**
     * @brief Get what was told last.
     * @return bytes a second
     */
    double GetTold() const
    {
        return m_told;
    }

    /**
     * @brief Get the time of the next update, if nothing changes until then.
     * @return the time in ns, which may be over; none if there is nothing to tell
     */
    std::optional<int64_t> GetNextUpdate() const;

    /**
     * @brief Tell the bandwidth, if it has changed and the time for it has come.
     * @param now the time in ns, at least that of the last update
     * @return the bandwidth to be told, in bytes a second
     */
    std::optional<double> Update(int64_t now);

  private:
    AvailableBandwidthSettings m_settings; //!< how the load is averaged and told
    double m_capacity{0};                  //!< of the link
    int64_t m_counted;                     //!< when the load was counted last
    uint64_t m_bytes{0};                   //!< sent at that time, not counted yet
    double m_load{0};                      //!< the average
    double m_told;                         //!< what was told last
    std::optional<int64_t> m_updated;      //!< when, if there has been an update
};

} // namespace ns3::aidc

#endif // AIDC_AVAILABLE_BANDWIDTH_H
