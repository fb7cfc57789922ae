/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "long-flows.h"

#include "leap-record.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t LONGEST_WINDOW = 128; //!< in intervals
constexpr std::size_t LEAST_WINDOWS = 8;    //!< of a flow
constexpr std::size_t LEAST_OBSERVED = 32;  //!< intervals, as rates saw for a millisecond
constexpr std::size_t MOST_AHEAD = 8;       //!< times the intervals that were observed
constexpr std::size_t MOST_WINDOWS = LeapRecord::MAX_SAMPLES;

} // namespace

void
LongFlows::Observe(std::vector<Flow> flows)
{
    const auto isSame = [](const Flow& a, const Flow& b) {
        return a.task == b.task && a.connection == b.connection;
    };
    if (!m_past.empty() &&
        !std::equal(flows.begin(), flows.end(), m_past[0].begin(), m_past[0].end(), isSame))
    {
        m_past.clear();
    }
    m_past.push_back(std::move(flows));
    if (m_past.size() > LONGEST_WINDOW * MOST_WINDOWS + 1)
    {
        m_past.pop_front();
    }
}

void
LongFlows::Take(const Leap& leap)
{
    for (auto& flows : m_past)
    {
        for (std::size_t flow = 0; flow < flows.size(); ++flow)
        {
            flows[flow].unsent -= leap.nBytes[flow];
        }
    }
}

LongFlows::Leap
LongFlows::Find(uint64_t most) const
{
    Leap best;
    if (m_past.size() <= LEAST_OBSERVED || m_past[0].empty())
    {
        return best;
    }
    most = std::min<uint64_t>(most, MOST_AHEAD * (m_past.size() - 1));
    const std::size_t longest = std::min((m_past.size() - 1) / LEAST_WINDOWS, LONGEST_WINDOW);
    for (std::size_t window = 1; window <= longest; window *= 2)
    {
        const auto leap = FindIn(window, most);
        best = leap.nIntervals > best.nIntervals ? leap : best;
    }
    return best;
}

LongFlows::Leap
LongFlows::FindIn(std::size_t window, uint64_t most) const
{
    const auto length = static_cast<double>(window);
    const std::size_t last = m_past.size() - 1;
    const std::size_t n = std::min(last / window, MOST_WINDOWS);
    auto longest = static_cast<double>(most);
    std::vector<SettledSeries> found;
    for (std::size_t flow = 0; flow < m_past[0].size(); ++flow)
    {
        std::vector<double> series;
        for (std::size_t i = last - n * window; i < last; i += window)
        {
            series.push_back(
                static_cast<double>(m_past[i][flow].unsent - m_past[i + window][flow].unsent));
        }
        found.push_back(FindSettled(series, m_error));
        const auto& settled = found.back();
        const double nLeft = static_cast<double>(m_past[last][flow].unsent) / settled.mean;
        if (settled.nUsed < LEAST_WINDOWS || nLeft <= 1)
        {
            return {};
        }
        longest = std::min({longest, length * (nLeft - 1), length * double(settled.nAhead)});
    }
    Leap leap;
    leap.nIntervals = static_cast<uint64_t>(longest);
    const double nWindows = static_cast<double>(leap.nIntervals) / length;
    for (const auto& settled : found)
    {
        leap.error = std::max(leap.error, settled.GetError(static_cast<uint64_t>(nWindows)));
        leap.nBytes.push_back(static_cast<uint64_t>(settled.mean * nWindows));
    }
    return leap;
}

} // namespace ns3::aidc
