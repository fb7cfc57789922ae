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
 * @ingroup aidc
 * @brief The weights of equal-cost ports, from the available bandwidth that signals tell of them.
 *
 * Traffic engineering by summarized signals is section 8.2.2 of draft-ravi-ippm-csig-01 (February
 * 2024); how to get weights is ours. A tag names a port only if it is the bottleneck of a path, so
 * most ports are not heard of. One of which nothing is heard has at least as much as the others
 * that are, and counts as the best of them.
 *
 * Available bandwidth is what the present weights leave, so it is no weight itself: where all is
 * well balanced it is the same everywhere. At the end of a period each weight is multiplied by
 *
 *     1 + gain * (a - mean of all a)
 *
 * with a the port's mean available share of its capacity, and all are scaled so that their mean is
 * 1. None falls below a floor, so that a port that was left can be tried again.
 */
class CsigPathWeights
{
  public:
    /// Constructor; all weights are 1.
    /// @param nMembers the number of ports, at least 1
    /// @param gain how much of a difference is made up for in a period, above 0 and at most 1
    /// @param floor the least weight, above 0 and below 1
    /// @throws std::invalid_argument if a parameter is out of range
    explicit CsigPathWeights(std::size_t nMembers, double gain = 0.5, double floor = 0.05);

    /// Take a signal that names a port.
    /// @param member the port, from 0
    /// @param share the available share of its capacity, from 0 to 1
    /// @throws std::invalid_argument if there is no such port or share
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
    /// What a period has told of a port.
    struct Member
    {
        double sum{0}; //!< the sum of the shares
        uint64_t n{0}; //!< how many
    };

    double m_gain;                 //!< how much of a difference is made up for
    double m_floor;                //!< the least weight
    std::vector<Member> m_members; //!< the ports, in this period
    std::vector<double> m_weights; //!< the weights
};

} // namespace ns3::aidc

#endif // AIDC_CSIG_PATH_WEIGHTS_H
