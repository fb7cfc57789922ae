/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_PATH_WEIGHTS_H
#define AIDC_CSIG_PATH_WEIGHTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::aidc
{

/**
 * @brief The weights of equal-cost ports, from the available bandwidth that signals report.
 *
 * Section 8.2.2 of draft-ravi-ippm-csig-01 (February 2024) is about traffic engineering by
 * summarized signals. How weights are computed is ours. A tag names a port only if the port is the
 * bottleneck of a path, so there are no signals of most ports. Such a port has at least as much
 * available bandwidth as any port with signals, and counts as the best of them.
 *
 * Available bandwidth depends on the present weights, so it is no weight itself: with perfect
 * balance it is the same everywhere. At the end of a period each weight is multiplied by
 *
 *     1 + gain * (a - mean of all a)
 *
 * where a is the port's mean available share of its capacity. Then all weights are scaled so that
 * their mean is 1. No weight falls below a floor, so that each port gets some traffic to be
 * measured by.
 */
class CsigPathWeights
{
  public:
    /// Constructor; all weights are 1.
    /// @param nMembers the number of ports, at least 1
    /// @param gain the part of a difference that is corrected in a period, above 0 and at most 1
    /// @param floor the least weight, above 0 and below 1
    /// @throws std::invalid_argument if a parameter is out of range
    explicit CsigPathWeights(std::size_t nMembers, double gain = 0.5, double floor = 0.05);

    /// Take a signal that names a port. member: the port, from 0; share: the available share of its
    /// capacity, from 0 to 1. @throws std::invalid_argument if there is no such port or share
    void Note(std::size_t member, double share);

    /// End a period.
    /// @return whether any signal has named a port; otherwise the weights are as before
    bool Update();

    /// @return a weight for each port
    const std::vector<double>& GetWeights() const
    {
        return m_weights;
    }

  private:
    /// The signals of a port in a period.
    struct Member
    {
        double sum{0}; //!< the sum of the shares
        uint64_t n{0}; //!< how many
    };

    double m_gain;                 //!< the part of a difference that is corrected
    double m_floor;                //!< the least weight
    std::vector<Member> m_members; //!< the ports, in this period
    std::vector<double> m_weights; //!< the weights
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_WEIGHTS_H
