/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-ranks.h"

#include "experiment-timeline.h"

#include "ns3/fabric-recorder.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// How long ranks may take at least.
const Time MIN_LIMIT = Seconds(1);

/// How many times as long as alone they may take.
constexpr int64_t MAX_SLOWDOWN = 20;

/// The first interval of samples.
const Time INTERVAL = MicroSeconds(10);

} // namespace

ExperimentRanks::ExperimentRanks(const ExperimentRun& run, WorkloadPlan plan)
    : m_run(run),
      m_ranks(std::move(plan)),
      m_timeline(m_ranks)
{
}

void
ExperimentRanks::Install(const NodeContainer& nodes,
                         const std::vector<Ptr<MessageEndpoint>>& endpoints)
{
    m_nodes = nodes;
    m_ranks.Install(nodes, endpoints);
    m_ranks.StopWhenDone([this](const std::string& why) { m_stuck = why; });
}

void
ExperimentRanks::Simulate(const FabricNetwork& network, const Time& alone)
{
    FabricRecorder recorder(INTERVAL);
    recorder.Add(network);
    m_run.Start(recorder);
    if (m_run.isFirst)
    {
        m_timeline.WatchWaits(m_nodes, INTERVAL);
    }
    const Time limit = std::max(MIN_LIMIT, MAX_SLOWDOWN * alone);
    m_run.Follow(limit, [this] { return m_ranks.GetShareDone(); });
    Simulator::Stop(limit);
    Simulator::Run();
    if (!m_ranks.IsDone())
    {
        m_run.GiveUp(m_stuck.empty() ? m_ranks.DescribeUnfinished() : m_stuck);
    }
    m_busiest = FindBusiestPort(network);
    m_timeline.AddNote("busiest_link", m_busiest.name);
    m_timeline.AddNote("busiest_link_load", std::to_string(m_busiest.load));
    m_run.Write(recorder);
    m_run.Write(m_timeline);
}

std::vector<ResultMetric>
ExperimentRanks::GetMetrics() const
{
    Time finish;
    for (const auto& record : m_ranks.GetRankRecords())
    {
        finish = std::max(finish, record.finish);
    }
    double bandwidth = 0;
    const auto collectives = m_ranks.GetCollectiveRecords();
    for (const auto& record : collectives)
    {
        bandwidth += 8 * record.bandwidth.bus;
    }
    std::vector<ResultMetric> metrics{
        {"completion_time", finish.GetSeconds(), "s"},
        {"bus_bandwidth",
         !collectives.empty() ? bandwidth / static_cast<double>(collectives.size()) : std::nan(""),
         "bit/s"}};
    const auto times = GetTimelineMetrics(GetPlan(), m_timeline.GetSums());
    metrics.insert(metrics.end(), times.begin(), times.end());
    metrics.push_back({"busiest_link_load", m_busiest.load, "1"});
    return metrics;
}

} // namespace ns3::aidc
