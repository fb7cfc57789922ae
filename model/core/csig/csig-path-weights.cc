/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-path-weights.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ns3::aidc
{

CsigPathWeights::CsigPathWeights(std::size_t nMembers, double gain, double floor)
    : m_gain(gain),
      m_floor(floor),
      m_members(nMembers),
      m_weights(nMembers, 1)
{
    if (nMembers == 0)
    {
        throw std::invalid_argument("expected at least one port to weight");
    }
    if (!(gain > 0 && gain <= 1))
    {
        throw std::invalid_argument("expected a gain above 0 and at most 1");
    }
    if (!(floor > 0 && floor < 1))
    {
        throw std::invalid_argument("expected a least weight above 0 and below 1");
    }
}

void
CsigPathWeights::Note(std::size_t member, double share)
{
    if (member >= m_members.size())
    {
        throw std::invalid_argument("expected one of the ports that are weighted");
    }
    if (!(share >= 0 && share <= 1))
    {
        throw std::invalid_argument("expected an available share from 0 to 1");
    }
    m_members[member].sum += share;
    ++m_members[member].n;
}

bool
CsigPathWeights::Update()
{
    std::vector<double> shares(m_members.size(), -1);
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        if (m_members[i].n > 0)
        {
            shares[i] = m_members[i].sum / static_cast<double>(m_members[i].n);
        }
        m_members[i] = {};
    }
    const double best = *std::max_element(shares.begin(), shares.end());
    if (best < 0)
    {
        return false;
    }
    std::replace_if(shares.begin(), shares.end(), [](double share) { return share < 0; }, best);
    const double n = static_cast<double>(shares.size());
    const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / n;
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        m_weights[i] *= 1 + m_gain * (shares[i] - mean);
    }
    const double scale = n / std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
    for (double& weight : m_weights)
    {
        weight = std::max(m_floor, weight * scale);
    }
    return true;
}
} // namespace ns3::aidc
