// SPDX-License-Identifier: GPL-2.0-only

#include "long-flows.h"

#include "leap-record.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr std::size_t LONGEST_WINDOW = 32; //!< in intervals
constexpr std::size_t LEAST_USED = 64;     //!< intervals, as rates saw for a millisecond
constexpr std::size_t LEAST_WINDOWS = 8;   //!< as a few may be the same by chance
constexpr std::size_t MOST_WINDOWS = LeapRecord::MAX_SAMPLES; //!< of a flow
constexpr double MOST_AHEAD = 8;   //!< times the intervals that were observed
constexpr double LEAST_AHEAD = 16; //!< intervals that are worth a leap

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
        m_nObserved = 0;
        m_nLeapt = 0;
    }
    m_past.push_back(std::move(flows));
    ++m_nObserved;
    if (m_past.size() > LONGEST_WINDOW * MOST_WINDOWS + 1)
    {
        m_past.pop_front();
    }
}

void
LongFlows::Take(const Leap& leap)
{
    m_nLeapt += leap.nIntervals;
    for (auto& flows : m_past)
    {
        for (std::size_t flow = 0; flow < flows.size(); ++flow)
        {
            flows[flow].unsent -= leap.nBytes[flow];
            flows[flow].unacknowledged -= leap.nBytes[flow];
        }
    }
}

LongFlows::Leap
LongFlows::Find(uint64_t most) const
{
    Leap best;
    for (std::size_t window = 1; window <= LONGEST_WINDOW; window *= 2)
    {
        // Each window once
        if (m_nObserved > LEAST_USED && (m_nObserved - 1) % window == 0 && !m_past[0].empty())
        {
            const auto leap = FindIn(window, most);
            best = leap.nIntervals > best.nIntervals ? leap : best;
        }
    }
    return best;
}

LongFlows::Leap
LongFlows::FindIn(std::size_t window, uint64_t most) const
{
    const auto length = static_cast<double>(window);
    const auto leapt = static_cast<double>(m_nLeapt);
    const std::size_t last = m_past.size() - 1;
    const std::size_t n = std::min(last / window, MOST_WINDOWS);
    double longest = std::min<double>(most, MOST_AHEAD * static_cast<double>(last) - leapt);
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
        const Flow& before = m_past[last - n * window][flow];
        const Flow& now = m_past[last][flow];
        const double more = static_cast<double>(now.unacknowledged - now.unsent) -
                            static_cast<double>(before.unacknowledged - before.unsent);
        if (settled.nUsed < LEAST_WINDOWS || more > settled.mean ||
            settled.nUsed * window < std::max(LEAST_USED, last / 2))
        {
            return {}; // it has settled too late, if at all, or what it sends does not arrive
        }
        const double nLeft = static_cast<double>(now.unsent) / settled.mean;
        const double nAhead = length * static_cast<double>(settled.nAhead) - leapt;
        longest = std::min({longest, length * (nLeft - 1), nAhead});
    }
    Leap leap;
    leap.nIntervals = longest < LEAST_AHEAD ? 0 : static_cast<uint64_t>(longest);
    const double nWindows = static_cast<double>(leap.nIntervals) / length;
    for (const auto& settled : found)
    {
        const auto nAhead = static_cast<uint64_t>(nWindows + leapt / length);
        leap.error = std::max(leap.error, settled.GetError(nAhead));
        leap.nBytes.push_back(static_cast<uint64_t>(settled.mean * nWindows));
    }
    return leap;
}

} // namespace ns3::aidc
