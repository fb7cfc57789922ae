/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-results.h"

#include "experiment-number.h"

#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <filesystem>

namespace ns3::aidc
{

namespace
{

/// @param time the time, in whole ns
/// @return the text; GetSeconds() makes 9.999999999999999e-05 s of 100 us
std::string
PrintSeconds(Time time)
{
    return PrintShortest(static_cast<double>(time.GetNanoSeconds()) / 1e9);
}

} // namespace

std::vector<ResultMetric>
GetFctMetrics(const std::vector<FlowRecord>& records)
{
    std::vector<double> fcts;
    std::vector<double> slowdowns;
    std::size_t unfinished = 0;
    for (const auto& record : records)
    {
        if (record.isDone)
        {
            fcts.push_back(record.fct.GetSeconds());
            slowdowns.push_back(record.slowdown);
        }
        else if (record.spec.bytes > 0)
        {
            ++unfinished;
        }
    }
    return {{"unfinished_flows", static_cast<double>(unfinished), "1"},
            {"fct_mean", Mean(fcts), "s"},
            {"fct_p50", Percentile(fcts, 0.5), "s"},
            {"fct_p99", Percentile(fcts, 0.99), "s"},
            {"fct_slowdown_mean", Mean(slowdowns), "1"},
            {"fct_slowdown_p50", Percentile(slowdowns, 0.5), "1"},
            {"fct_slowdown_p99", Percentile(slowdowns, 0.99), "1"}};
}

Time
GetEndOfFlows(const std::vector<FlowRecord>& records)
{
    Time end;
    for (const auto& record : records)
    {
        if (!record.isDone)
        {
            return Simulator::Now();
        }
        end = std::max(end, record.finish);
    }
    return records.empty() ? Simulator::Now() : end;
}

void
WriteFlowRecords(const std::string& path, uint32_t run, const std::vector<FlowRecord>& records)
{
    ResultFile file(path,
                    "run,source,destination,size_byte,start_s,fct_s,slowdown",
                    run == 1 ? std::ios::trunc : std::ios::app);
    for (const auto& record : records)
    {
        file << run << ',' << record.spec.source << ',' << record.spec.destination << ','
             << record.spec.bytes << ',' << PrintSeconds(record.spec.start) << ','
             << (record.isDone ? PrintSeconds(record.fct) : "nan") << ','
             << (record.isDone ? PrintShortest(record.slowdown) : "nan") << '\n';
    }
    file.Close();
}

SlowdownTable::SlowdownTable(const std::string& folder)
    : m_file((std::filesystem::path(folder) / "slowdown.csv").string(),
             "scenario,scheme,bin_low_byte,bin_high_byte,flows,slowdown_p50,slowdown_p99,"
             "slowdown_mean")
{
}

void
SlowdownTable::Add(const std::vector<FlowRecord>& records)
{
    for (const auto& record : records)
    {
        if (!record.isDone)
        {
            continue;
        }
        uint64_t low = 1;
        while (record.spec.bytes / 10 >= low)
        {
            low *= 10;
        }
        m_bins[low].push_back(record.slowdown);
    }
}

void
SlowdownTable::Write(const std::string& scenario, const std::string& scheme)
{
    for (const auto& [low, slowdowns] : m_bins)
    {
        m_file << scenario << ',' << scheme << ',' << low << ',' << 10 * low << ','
               << slowdowns.size() << ',' << PrintShortest(Percentile(slowdowns, 0.5)) << ','
               << PrintShortest(Percentile(slowdowns, 0.99)) << ','
               << PrintShortest(Mean(slowdowns)) << '\n';
    }
    m_file.flush();
    m_bins.clear();
}

void
SlowdownTable::Close()
{
    m_file.Close();
}

} // namespace ns3::aidc
