// SPDX-License-Identifier: GPL-2.0-only

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

constexpr double UNIT = 1e9;              //!< of paces, as series are rounded to whole ns
constexpr std::size_t FEW = 8;            //!< fewer must be nearly the same
constexpr double SAME = 1e-5;             //!< of durations: what differs by less is the same
constexpr double NEARLY_SAME = 0.1;       //!< of the accepted error, of a few
constexpr double RESOLUTION = 1;          //!< ns
constexpr uint64_t MAX_AHEAD = 1U << 30U; //!< the most ahead
constexpr double MAX_CORRELATION = 0.9;   //!< of residuals

/// Student's t, two-sided, 95 %, by degrees of freedom from 1 on.
constexpr std::array<double, 12> STUDENT =
    {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179};

double
GetStudent(std::size_t freedom)
{
    // Beyond the table within 0.3 %
    return freedom <= STUDENT.size() ? STUDENT[freedom - 1]
                                     : 1.96 + 2.6 / static_cast<double>(freedom);
}

/// How much more the mean of correlated residuals varies than the mean of independent ones
double
GetInflation(const std::vector<double>& residuals)
{
    double own = 0;
    double next = 0;
    for (std::size_t i = 0; i < residuals.size(); ++i)
    {
        own += residuals[i] * residuals[i];
        next += i > 0 ? residuals[i] * residuals[i - 1] : 0;
    }
    const double r = own > 0 ? std::clamp(next / own, 0.0, MAX_CORRELATION) : 0;
    return std::sqrt((1 + r) / (1 - r));
}

/// Find how many are ahead within the accepted error
void
LookAhead(SettledSeries& series, double error)
{
    const double left = error - series.halfWidth;
    const auto n = static_cast<double>(series.nUsed);
    const double ahead = series.trend > 0 ? 2 * left / series.trend - n : 2.0 * MAX_AHEAD;
    series.nAhead =
        left <= 0 || ahead < 1 ? 0 : static_cast<uint64_t>(std::min<double>(ahead, MAX_AHEAD));
}

/// Judge some durations. nearly: of the accepted error, how much a few may differ.
SettledSeries
Judge(const double* durations, std::size_t n, double error, double nearly = NEARLY_SAME)
{
    const auto [least, most] = std::minmax_element(durations, durations + n);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        mean += durations[i] / static_cast<double>(n);
    }
    SettledSeries series;
    const double range = *most - *least;
    if (mean <= 0 || (n < FEW && range > (n == 2 ? SAME : nearly * error) * mean))
    {
        return series;
    }
    series.nUsed = n;
    series.mean = mean;
    if (n == 2)
    {
        series.halfWidth = range / mean;
        series.trend = (range + RESOLUTION) / mean;
        LookAhead(series, error);
        return series;
    }
    const auto count = static_cast<double>(n);
    const double middle = (count - 1) / 2;
    const double spread = count * (count * count - 1) / 12; // sum of squares of i - middle
    double slope = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        slope += (static_cast<double>(i) - middle) * (durations[i] - mean) / spread;
    }
    std::vector<double> residuals;
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i)
    {
        residuals.push_back(durations[i] - mean - slope * (static_cast<double>(i) - middle));
        squares += residuals.back() * residuals.back();
    }
    const double deviation = std::sqrt(squares / (count - 2) + RESOLUTION * RESOLUTION / 12);
    const double factor = GetStudent(n - 2) * (n < FEW ? 1 : GetInflation(residuals));
    series.halfWidth = factor * deviation / std::sqrt(count) / mean;
    series.trend = (std::abs(slope) + factor * deviation / std::sqrt(spread)) / mean;
    LookAhead(series, error);
    return series;
}

} // namespace

SettledSeries
FindSettled(const std::vector<double>& durations, double error, bool isRepeated)
{
    SettledSeries best;
    const std::size_t most = std::min(durations.size(), LeapRecord::MAX_SAMPLES);
    for (std::size_t n = isRepeated ? 2 : 3; n <= most; ++n)
    {
        const auto series = Judge(durations.data() + durations.size() - n, n, error);
        if (series.nAhead > 0 && series.nAhead >= best.nAhead)
        {
            best = series;
        }
    }
    return best;
}

bool
LeapSample::IsSame(const LeapSample& other) const
{
    const double most = SAME * static_cast<double>(duration);
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

LeapRecord::Series
LeapRecord::GetSeries() const
{
    Series all;
    for (const auto& sample : m_samples)
    {
        all[0].push_back(static_cast<double>(sample->duration));
        all[1].push_back(static_cast<double>(sample->duration + sample->stagger));
        all[2].push_back(UNIT * (1 + sample->pace)); // 0 without congestion control
    }
    return all;
}

LeapEstimate
LeapRecord::Estimate(double error, const std::vector<uint32_t>& families) const
{
    const auto all = GetSeries();
    const auto last = m_samples.rbegin();
    const bool isRepeated = m_samples.size() >= 2 && last[0]->IsSame(*last[1]);
    LeapEstimate estimate;
    std::size_t n = MAX_SAMPLES;
    for (const auto& series : all)
    {
        const auto found = FindSettled(series, error, isRepeated);
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
    const auto count = static_cast<double>(n);
    const auto begin = all[0].end() - static_cast<std::ptrdiff_t>(n);
    estimate.series.mean = std::accumulate(begin, all[0].end(), 0.0) / count;
    const std::size_t nMembers = used.front()->ends.size();
    for (std::size_t member = 0; member < nMembers; ++member)
    {
        // Relative to the duration
        const int64_t first = used.front()->ends[member];
        std::vector<double> ends;
        double sum = 0;
        for (const auto& sample : used)
        {
            const auto difference = static_cast<double>(sample->ends[member] - first);
            ends.push_back(estimate.series.mean + difference);
            sum += difference;
        }
        const auto judged = Judge(ends.data(), n, error, 1);
        estimate.series.nAhead = std::min(estimate.series.nAhead, judged.nAhead);
        if (judged.nAhead == 0)
        {
            return {}; // which other members' ends have made up for
        }
        estimate.ends.push_back(first + std::llround(sum / count));
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
LeapRecord::Describe() const
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
    const bool isPace = vary(all[2]) > vary(all[0]);
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << (isPace ? "the rates or windows before " : "")
         << "the last " << n << " of " << m_samples.size() << " executed ones vary by "
         << 100 * std::max(vary(all[0]), vary(all[2])) << " %, too much for the accepted error";
    return text.str();
}

} // namespace ns3::aidc
