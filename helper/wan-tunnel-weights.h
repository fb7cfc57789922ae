/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WAN_TUNNEL_WEIGHTS_H
#define AIDC_WAN_TUNNEL_WEIGHTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The weights of the tunnels between two PEs, by their data centers.
class WanTunnelWeights
{
  public:
    /// Set the weights between all data centers.
    /// @param weights the weight of each tunnel, finite and above 0, at most WanPlan::MAX_ADDRESSES
    void Set(const std::vector<double>& weights);

    /// Set the weights between two data centers, instead of those of all. weights: the weight of
    /// each tunnel, both ways, as above.
    void Set(uint32_t siteA, uint32_t siteB, const std::vector<double>& weights);

    /// Get the weights between two data centers. @return the weight of each tunnel between two PEs
    const std::vector<double>& Get(uint32_t siteA, uint32_t siteB) const;

    /// @return whether tunnels have weights that differ
    bool Differ() const;

    /// Get the largest number of tunnels. It is an error if a data center does not exist.
    /// @return the most tunnels between two PEs
    std::size_t GetMost(uint32_t nSites) const;

  private:
    std::vector<double> m_all{1}; //!< between all
    /// Between two data centers, the lower one first.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<double>> m_pairs;
};

} // namespace ns3::aidc

#endif // AIDC_WAN_TUNNEL_WEIGHTS_H
