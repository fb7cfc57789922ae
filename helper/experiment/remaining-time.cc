/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "remaining-time.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Part of a run, before which its end is a guess.
constexpr double LEAST = 0.01;

} // namespace

RemainingTime::RemainingTime(std::vector<std::string> kinds, std::size_t nAtOnce)
    : m_kinds(std::move(kinds)),
      m_nAtOnce(nAtOnce)
{
    for (const auto& kind : m_kinds)
    {
        ++m_due[kind];
    }
}

void
RemainingTime::Begin(std::size_t run, double now)
{
    m_runs[run].begin = now;
    --m_due.at(m_kinds.at(run));
}

void
RemainingTime::SetShare(std::size_t run, double share)
{
    m_runs.at(run).share = share;
}

void
RemainingTime::End(std::size_t run, double now)
{
    auto& done = m_done[m_kinds.at(run)];
    done.sum += now - m_runs.at(run).begin;
    ++done.n;
    m_runs.erase(run);
}

std::map<std::string, double>
RemainingTime::GetCosts(double now) const
{
    std::map<std::string, double> costs;
    for (const auto& [kind, done] : m_done)
    {
        costs[kind] = done.sum / static_cast<double>(done.n);
    }
    for (const auto& [run, state] : m_runs)
    {
        const auto& kind = m_kinds[run];
        if (state.share >= LEAST && m_done.count(kind) == 0)
        {
            costs[kind] = std::max(costs[kind], (now - state.begin) / state.share);
        }
    }
    return costs;
}

std::optional<double>
RemainingTime::Estimate(double now) const
{
    const auto costs = GetCosts(now);
    if (costs.empty())
    {
        return std::nullopt;
    }
    double most = 0;
    for (const auto& [kind, cost] : costs)
    {
        most = std::max(most, cost);
    }
    const auto getCost = [&](const std::string& kind) {
        const auto found = costs.find(kind);
        return found == costs.end() ? most : found->second;
    };
    double sum = 0;
    double longest = 0;
    for (const auto& [run, state] : m_runs)
    {
        const double left = getCost(m_kinds[run]) * (1 - state.share);
        sum += left;
        longest = std::max(longest, left);
    }
    for (const auto& [kind, n] : m_due)
    {
        sum += static_cast<double>(n) * getCost(kind);
        longest = std::max(longest, n > 0 ? getCost(kind) : 0);
    }
    return std::max(sum / static_cast<double>(m_nAtOnce), longest);
}

} // namespace ns3::aidc
