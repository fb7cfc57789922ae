// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_AVAILABLE_BANDWIDTH_H
#define AIDC_AVAILABLE_BANDWIDTH_H

#include <cstdint>
#include <optional>

/// @file
/// The bandwidth of a link by its load, and when it is worth an update.

namespace ns3::aidc
{

/// How a link's load is averaged, and how often it is told.
struct AvailableBandwidthSettings
{
    int64_t timeConstant{2000000000}; //!< of the average, in ns, above 0
    double hysteresis{0.05}; //!< the change that is told, as a share of what was told last, 0 to 1
    int64_t updateInterval{100000000}; //!< the least time between two updates in ns, not negative

    /// The time from an update until all traffic that it moves has moved and is counted, in ns, not
    /// negative: the time that measurements, BGP and the links take
    int64_t delay{0};
};

/// The available bandwidth of a link (draft-xu-idr-fare-00, section "Introduction": "link
/// capacity minus link load") in a form by which several switches can share their traffic.
///
/// The bandwidth that is told moves the load, so this is a control loop. A capacity minus a load
/// that the weights themselves have made has a gain of -U/(1-U) at a utilization of U, and diverges
/// above one half. Instead, the bandwidth that is told is
///
///      capacity                             u <= 1/2
///      capacity (1 / (2 u))^E               u > 1/2
///
/// with the average utilization u, at most 1, and the steepness E. In logarithms, a difference of
/// utilization moves weights by E times itself, and weights move utilization by at most themselves.
/// With E below 1 the loop settles whatever its delays are. With a larger E paths come nearer to
/// equal utilization, and it settles if the average is slow against the delay: the time constant T
/// and the delay D need E D / T < pi / 2. E is T / (2 D), from 1/2 to 8, and D counts three update
/// intervals, so that up to two more than the settings tell do no harm. doc/fare.rst has the proof.
///
/// The utilization is an exponentially weighted moving average: after dt with the rate r,
///
///      u += (1 - exp(-dt / T)) (r / capacity - u)
///
/// so that it does not depend on how often it is sampled. The bandwidth is told when it differs
/// from the last one told by more than the hysteresis, and not before the interval since the last
/// update is over. A change within the interval is told when the interval ends, if it still is one.
/// A change of the capacity is told like others.
///
/// Time is given by the caller, and there are no events. Bandwidths are in bytes a second.
class AvailableBandwidth
{
  public:
    /// Constructor: the link has no load, and its capacity, the bandwidth without load, above 0,
    /// has been told. now: in ns.
    /// @throws std::invalid_argument if a setting or the capacity is outside its range
    AvailableBandwidth(const AvailableBandwidthSettings& settings, double capacity, int64_t now);

    /// Count the bytes that were sent since the last call, and tell the bandwidth, if it has
    /// changed and the time for it has come. now: in ns, later than at the last call; capacity: the
    /// bandwidth of the link without load, above 0. @return the bandwidth to be told
    /// @throws std::invalid_argument if the time or the capacity is outside its range
    std::optional<double> Update(int64_t now, uint64_t bytes, double capacity);

    /// @return the average utilization: the load as a share of the capacity
    double GetUtilization() const
    {
        return m_utilization;
    }

    /// @return how strongly the bandwidth follows the utilization: E, from 1/2 to 8
    double GetSteepness() const
    {
        return m_steepness;
    }

    /// @return the bandwidth that was told last, bytes a second
    double GetTold() const
    {
        return m_told;
    }

  private:
    AvailableBandwidthSettings m_settings; //!< how the load is averaged and told
    double m_steepness;                    //!< E
    double m_utilization{0};               //!< the average, as a share of the capacity
    int64_t m_counted;                     //!< when the load was counted last
    double m_told;                         //!< the bandwidth that was told last
    std::optional<int64_t> m_updated;      //!< when, if there has been an update
};

} // namespace ns3::aidc

#endif // AIDC_AVAILABLE_BANDWIDTH_H
