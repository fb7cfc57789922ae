/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-bottlenecks.h"

#include <algorithm>
#include <stdexcept>

namespace ns3::aidc
{

CsigBottlenecks::CsigBottlenecks(CsigAggregation aggregation, uint64_t reference)
    : m_aggregation(aggregation),
      m_reference(reference)
{
    if (reference == 0)
    {
        throw std::invalid_argument("expected a reference above 0 for the severity of bottlenecks");
    }
}

void
CsigBottlenecks::Add(uint32_t pair, uint16_t locator, uint64_t value)
{
    Port& port = m_ports[locator];
    const bool isMin = m_aggregation == CsigAggregation::MIN;
    const bool isWorse = isMin ? value < port.worst : value > port.worst;
    if (port.nReports == 0 || isWorse)
    {
        port.worst = value;
    }
    ++port.nReports;
    port.pairs.insert(pair);
    port.sum += static_cast<double>(value);
    const double share = static_cast<double>(value) / static_cast<double>(m_reference);
    port.score += isMin ? std::max(0.0, 1 - share) : share;
}

std::vector<CsigBottleneck>
CsigBottlenecks::GetRanking() const
{
    std::vector<CsigBottleneck> ranking;
    ranking.reserve(m_ports.size());
    for (const auto& [locator, port] : m_ports)
    {
        ranking.push_back({locator,
                           port.nReports,
                           static_cast<uint32_t>(port.pairs.size()),
                           port.worst,
                           port.sum / static_cast<double>(port.nReports),
                           port.score});
    }
    std::stable_sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
        return a.score > b.score;
    });
    return ranking;
}

uint32_t
CsigBottlenecks::GetRank(uint16_t locator) const
{
    const auto ranking = GetRanking();
    const auto found = std::find_if(ranking.begin(), ranking.end(), [locator](const auto& port) {
        return port.locator == locator;
    });
    return found == ranking.end() ? 0 : static_cast<uint32_t>(found - ranking.begin()) + 1;
}

} // namespace ns3::aidc
