// SPDX-License-Identifier: GPL-2.0-only

#include "csig-bottlenecks.h"

#include "../require-argument.h"

#include <algorithm>
#include <numeric>

namespace ns3::aidc
{

CsigBottlenecks::CsigBottlenecks(CsigAggregation aggregation, uint64_t reference)
    : m_aggregation(aggregation),
      m_reference(reference)
{
    AIDC_REQUIRE(reference > 0, "expected a reference above 0 for the severity of bottlenecks");
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
        const double share = static_cast<double>(all.best) / static_cast<double>(m_reference);
        const double severity =
            m_aggregation == CsigAggregation::MIN ? std::max(0.0, 1 - share) : share;
        ranking.push_back({locator,
                           all.nReports,
                           static_cast<uint32_t>(port.size()),
                           all.worst,
                           all.best,
                           all.sum / static_cast<double>(all.nReports),
                           severity * static_cast<double>(all.nReports)});
    }
    std::stable_sort(ranking.begin(), ranking.end(), [](const auto& a, const auto& b) {
        return a.score > b.score;
    });
    return ranking;
}

bool
IsCsigLastHop(const CsigLocator& locator, uint32_t leafStage)
{
    return locator.Get(CsigAttribute::STAGE) == leafStage &&
           locator.Get(CsigAttribute::ORIENTATION) == static_cast<uint32_t>(CsigOrientation::DOWN);
}

CsigPathPolicy::CsigPathPolicy(const CsigPathPolicySettings& settings)
    : m_settings(settings)
{
    AIDC_REQUIRE(settings.patience > 0, "expected a patience of at least 1 signal");
    AIDC_REQUIRE(settings.pause >= 0, "expected a pause between changes of at least 0");
}

CsigPathAction
CsigPathPolicy::NoteSignal(int64_t now, uint64_t value, const CsigLocator& locator)
{
    const bool isCongested = m_settings.aggregation == CsigAggregation::MIN
                                 ? value < m_settings.threshold
                                 : value > m_settings.threshold;
    if (!isCongested)
    {
        m_nCongested = 0;
        return CsigPathAction::KEEP;
    }
    if (m_settings.sparesLastHop && IsCsigLastHop(locator, m_settings.leafStage))
    {
        m_nCongested = 0;
        return CsigPathAction::LAST_HOP;
    }
    ++m_nCongested;
    const bool isTooSoon = m_lastChange && now - *m_lastChange < m_settings.pause;
    if (m_nCongested < m_settings.patience || isTooSoon)
    {
        return CsigPathAction::KEEP;
    }
    m_nCongested = 0;
    m_lastChange = now;
    return CsigPathAction::REHASH;
}

CsigPathWeights::CsigPathWeights(std::size_t nMembers, double gain, double floor)
    : m_gain(gain),
      m_floor(floor),
      m_members(nMembers),
      m_weights(nMembers, 1)
{
    AIDC_REQUIRE(nMembers > 0, "expected at least one port to weight");
    AIDC_REQUIRE(gain > 0 && gain <= 1, "expected a gain above 0 and at most 1");
    AIDC_REQUIRE(floor > 0 && floor < 1, "expected a least weight above 0 and below 1");
}

void
CsigPathWeights::Note(std::size_t member, double share)
{
    AIDC_REQUIRE(member < m_members.size(), "expected one of the ports that are weighted");
    AIDC_REQUIRE(share >= 0 && share <= 1, "expected an available share from 0 to 1");
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
