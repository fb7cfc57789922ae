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
    Add({pair, locator, 1, value, value, static_cast<double>(value)});
}

void
CsigBottlenecks::Add(const Part& part)
{
    auto& sum = m_ports[part.locator][part.pair];
    sum.pair = part.pair;
    sum.locator = part.locator;
    Join(part, sum);
}

void
CsigBottlenecks::Join(const Part& part, Part& sum) const
{
    const bool isMin = m_aggregation == CsigAggregation::MIN;
    if (sum.nReports == 0)
    {
        sum.worst = part.worst;
        sum.best = part.best;
    }
    sum.worst = isMin ? std::min(sum.worst, part.worst) : std::max(sum.worst, part.worst);
    sum.best = isMin ? std::max(sum.best, part.best) : std::min(sum.best, part.best);
    sum.nReports += part.nReports;
    sum.sum += part.sum;
}

std::vector<CsigBottlenecks::Part>
CsigBottlenecks::GetParts() const
{
    std::vector<Part> parts;
    for (const auto& [locator, port] : m_ports)
    {
        for (const auto& [pair, part] : port)
        {
            parts.push_back(part);
        }
    }
    return parts;
}

double
CsigBottlenecks::GetScore(const Part& port) const
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
        Part all;
        for (const auto& [pair, part] : port)
        {
            Join(part, all);
        }
        ranking.push_back({locator,
                           all.nReports,
                           static_cast<uint32_t>(port.size()),
                           all.worst,
                           all.best,
                           all.sum / static_cast<double>(all.nReports),
                           GetScore(all)});
    }
    std::stable_sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
        return a.score > b.score;
    });
    return ranking;
}

} // namespace ns3::aidc
