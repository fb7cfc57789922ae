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
    if (port.nReports == 0)
    {
        port.worst = value;
        port.best = value;
    }
    port.worst = isMin ? std::min(port.worst, value) : std::max(port.worst, value);
    port.best = isMin ? std::max(port.best, value) : std::min(port.best, value);
    ++port.nReports;
    port.sums[pair] += static_cast<double>(value);
}

double
CsigBottlenecks::GetScore(const Port& port) const
{
    const double share = static_cast<double>(port.best) / static_cast<double>(m_reference);
    const double severity =
        m_aggregation == CsigAggregation::MIN ? std::max(0.0, 1 - share) : share;
    return severity * static_cast<double>(port.nReports);
}

std::vector<CsigBottleneck>
CsigBottlenecks::GetRanking() const
{
    std::vector<CsigBottleneck> ranking;
    ranking.reserve(m_ports.size());
    for (const auto& [locator, port] : m_ports)
    {
        double sum = 0;
        for (const auto& [pair, values] : port.sums)
        {
            sum += values;
        }
        ranking.push_back({locator,
                           port.nReports,
                           static_cast<uint32_t>(port.sums.size()),
                           port.worst,
                           port.best,
                           sum / static_cast<double>(port.nReports),
                           GetScore(port)});
    }
    std::stable_sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
        return a.score > b.score;
    });
    return ranking;
}

} // namespace ns3::aidc
