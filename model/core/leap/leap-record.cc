/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "leap-record.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// Of a duration: members that differ by less end at the same time.
constexpr double SAME_ENDS = 1e-5;

/// Of paces, as series are rounded to whole ns.
constexpr double UNIT = 1e9;

} // namespace

bool
LeapSample::IsSame(const LeapSample& other) const
{
    const double most = SAME_ENDS * static_cast<double>(duration);
    const auto isSame = [most](int64_t a, int64_t b) {
        return static_cast<double>(std::abs(a - b)) <= most;
    };
    return isSame(stagger, other.stagger) &&
           std::equal(ends.begin(), ends.end(), other.ends.begin(), isSame);
}

void
LeapRecord::Add(std::shared_ptr<const LeapSample> sample)
{
    m_samples.push_back(std::move(sample));
    if (m_samples.size() > MAX_SAMPLES)
    {
        m_samples.pop_front();
    }
}

void
LeapRecord::Clear()
{
    m_samples.clear();
}

bool
LeapRecord::IsRepeated() const
{
    const std::size_t n = m_samples.size();
    return n >= 2 && m_samples[n - 1]->IsSame(*m_samples[n - 2]);
}

LeapRecord::Series
LeapRecord::GetSeries() const
{
    Series all;
    for (const auto& sample : m_samples)
    {
        all[0].push_back(static_cast<double>(sample->duration));
        all[1].push_back(static_cast<double>(sample->duration + sample->stagger));
        const double sum = std::accumulate(sample->ends.begin(), sample->ends.end(), 0.0);
        all[2].push_back(sum / static_cast<double>(sample->ends.size()));
        all[3].push_back(UNIT * (1 + sample->pace)); // 0 without congestion control
    }
    return all;
}

LeapEstimate
LeapRecord::Estimate(double error, const std::vector<uint32_t>& families) const
{
    const auto all = GetSeries();
    LeapEstimate estimate;
    std::size_t n = MAX_SAMPLES;
    for (const auto& series : all)
    {
        const auto found = FindSettled(series, error, IsRepeated());
        n = std::min(n, found.nUsed);
        if (&series == &all[0] || found.nAhead < estimate.series.nAhead)
        {
            estimate.series = found;
        }
    }
    if (n == 0)
    {
        return {};
    }
    const std::vector<std::shared_ptr<const LeapSample>> used(m_samples.end() -
                                                                  static_cast<std::ptrdiff_t>(n),
                                                              m_samples.end());
    estimate.series.mean = 0; // of the durations, whichever series allows less
    for (const auto& sample : used)
    {
        estimate.series.mean += static_cast<double>(sample->duration) / static_cast<double>(n);
    }
    const std::size_t nMembers = used.front()->ends.size();
    for (std::size_t member = 0; member < nMembers; ++member)
    {
        double sum = 0;
        for (const auto& sample : used)
        {
            sum += static_cast<double>(sample->ends[member]);
        }
        estimate.ends.push_back(std::llround(sum / static_cast<double>(n)));
    }
    estimate.leastStagger = used.front()->stagger;
    bool isFirst = true;
    for (const auto& sample : used)
    {
        estimate.leastStagger = std::min(estimate.leastStagger, sample->stagger);
        estimate.mostStagger = std::max(estimate.mostStagger, sample->stagger);
        estimate.ever.insert(sample->neighbors.begin(), sample->neighbors.end());
        std::set<uint32_t> own;
        for (const uint32_t kind : sample->neighbors)
        {
            if (isFirst || estimate.always.count(families[kind]) > 0)
            {
                own.insert(families[kind]);
            }
        }
        estimate.always = own;
        isFirst = false;
    }
    return estimate;
}

std::string
LeapRecord::Describe(double error) const
{
    if (m_samples.size() < 2)
    {
        return std::to_string(m_samples.size()) + " executed, of at least 2";
    }
    const std::size_t n = std::min<std::size_t>(m_samples.size(), 8);
    const auto vary = [n](const std::vector<double>& all) {
        const auto begin = all.end() - static_cast<std::ptrdiff_t>(n);
        const auto [least, most] = std::minmax_element(begin, all.end());
        return *most / *least - 1;
    };
    const auto all = GetSeries();
    const bool isPace = vary(all[3]) > vary(all[0]);
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << (isPace ? "the rates or windows before " : "")
         << "the last " << n << " of " << m_samples.size() << " executed ones vary by "
         << 100 * std::max(vary(all[0]), vary(all[3])) << " %, which says too little of "
         << "those to come with an error of " << 100 * error << " %";
    return text.str();
}

} // namespace ns3::aidc
