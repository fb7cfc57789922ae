/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wan-tunnel-weights.h"

#include "../model/core/require-argument.h"

#include "ns3/wan-plan.h"

#include <algorithm>
#include <cmath>

namespace ns3::aidc
{

namespace
{

/// Check the weights of tunnels. @param weights the weights
void
CheckWeights(const std::vector<double>& weights)
{
    AIDC_REFUSED_IF(weights.empty() || weights.size() > WanPlan::MAX_ADDRESSES,
                    "WanTunnelHelper: expected weights of 1 to "
                        << WanPlan::MAX_ADDRESSES << " tunnels, found " << weights.size());
    for (const double weight : weights)
    {
        AIDC_REFUSED_UNLESS(std::isfinite(weight) && weight > 0,
                            "WanTunnelHelper: expected weights above 0, found " << weight);
    }
}

} // namespace

void
WanTunnelWeights::Set(const std::vector<double>& weights)
{
    CheckWeights(weights);
    m_all = weights;
}

void
WanTunnelWeights::Set(uint32_t siteA, uint32_t siteB, const std::vector<double>& weights)
{
    CheckWeights(weights);
    AIDC_REFUSED_IF(siteA == siteB || std::max(siteA, siteB) >= MAX_WAN_SITES,
                    "WanTunnelHelper: expected two data centers below "
                        << MAX_WAN_SITES << ", found " << siteA << " and " << siteB);
    m_pairs[std::minmax(siteA, siteB)] = weights;
}

const std::vector<double>&
WanTunnelWeights::Get(uint32_t siteA, uint32_t siteB) const
{
    const auto found = m_pairs.find(std::minmax(siteA, siteB));
    return found == m_pairs.end() ? m_all : found->second;
}

bool
WanTunnelWeights::Differ() const
{
    const auto differ = [](const std::vector<double>& weights) {
        return std::any_of(weights.begin(), weights.end(), [&weights](double weight) {
            return weight != weights.front();
        });
    };
    return differ(m_all) || std::any_of(m_pairs.begin(), m_pairs.end(), [&](const auto& pair) {
               return differ(pair.second);
           });
}

std::size_t
WanTunnelWeights::GetMost(uint32_t nSites) const
{
    std::size_t most = m_all.size();
    for (const auto& [pair, weights] : m_pairs)
    {
        AIDC_REFUSED_IF(pair.second >= nSites,
                        "WanTunnelHelper: expected weights for data centers below "
                            << nSites << ", found " << pair.first << " and " << pair.second);
        most = std::max(most, weights.size());
    }
    return most;
}

} // namespace ns3::aidc
