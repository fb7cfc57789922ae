/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-outliers.h"

#include "experiment-json.h"
#include "terminal-text.h"

#include "ns3/sample-statistics.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// A run stands out above this many times the median.
constexpr double FACTOR = 2;

/// The most runs that are printed.
constexpr std::size_t MOST_PRINTED = 10;

/// @param outlier a run
/// @return its name, such as "all@step, run 3"
std::string
GetName(const ExperimentOutlier& outlier)
{
    return outlier.scheme + (outlier.scenario.empty() ? "" : "@" + outlier.scenario) + ", run " +
           std::to_string(outlier.run);
}

/// @param wait the longest wait of a run, if it is known
/// @return that as JSON
std::string
PrintWaitJson(const std::optional<LongestWait>& wait)
{
    return wait
               ? "{\"queue_pair\": " + ToJson(wait->queuePair) +
                     ", \"since\": " + ToJson(wait->since) + ", \"cause\": " + ToJson(wait->cause) +
                     ", \"waited\": " + ToJson(wait->waited) +
                     ", \"sentence\": " + ToJson(wait->Describe()) + "}"
               : "null";
}

} // namespace

ExperimentOutliers::ExperimentOutliers(const std::vector<SchemeMetrics>& schemes,
                                       const std::string& metric,
                                       const GetWait& getWait)
{
    for (const auto& scheme : schemes)
    {
        const auto* const found = scheme.Find(metric);
        if (!found)
        {
            continue;
        }
        const double median = Median(found->values);
        for (uint32_t run = 1; run <= found->values.size(); ++run)
        {
            const double value = found->values[run - 1];
            if (value > FACTOR * median)
            {
                m_outliers.push_back({scheme.name,
                                      scheme.scenario,
                                      run,
                                      metric,
                                      value,
                                      median,
                                      found->unit,
                                      getWait(scheme.fullName, run)});
            }
        }
    }
    std::stable_sort(m_outliers.begin(), m_outliers.end(), [](const auto& a, const auto& b) {
        return a.value > b.value;
    });
}

std::string
ExperimentOutliers::PrintJson() const
{
    std::string json = "[";
    auto separator = "\n";
    for (const auto& outlier : m_outliers)
    {
        json += separator;
        json += "    {\"scheme\": " + ToJson(outlier.scheme) +
                ", \"scenario\": " + ToJson(outlier.scenario) +
                ", \"run\": " + std::to_string(outlier.run) +
                ", \"metric\": " + ToJson(outlier.metric) +
                ", \"value\": " + ToJson(outlier.value) +
                ", \"median\": " + ToJson(outlier.median) + ", \"unit\": " + ToJson(outlier.unit) +
                ", \"waits\": " + PrintWaitJson(outlier.waits) + "}";
        separator = ",\n";
    }
    return json + (m_outliers.empty() ? "]" : "\n  ]");
}

void
ExperimentOutliers::Print(std::ostream& os, std::size_t width) const
{
    if (m_outliers.empty())
    {
        return;
    }
    os << "\n"
       << WrapText("Runs that stand out (" + m_outliers.front().metric +
                       " more than twice the median of their row):",
                   width,
                   2);
    for (std::size_t i = 0; i < std::min(MOST_PRINTED, m_outliers.size()); ++i)
    {
        const auto& outlier = m_outliers[i];
        os << WrapText("- " + GetName(outlier) + ": " + PrintQuantity(outlier.value, outlier.unit) +
                           " (median " + PrintQuantity(outlier.median, outlier.unit) + ")",
                       width,
                       2);
    }
    if (m_outliers.size() > MOST_PRINTED)
    {
        os << "- and " << m_outliers.size() - MOST_PRINTED << " more, in summary.json\n";
    }
    if (const auto& wait = m_outliers.front().waits)
    {
        os << WrapText("The slowest one: " + wait->Describe(), width, 2);
    }
}

} // namespace ns3::aidc
