/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "failed-attempt.h"

#include "ns3/callback.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/roce-rank-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace ns3::aidc
{

FailedAttempt::FailedAttempt(WorkloadPlan plan, const FailedAttemptSettings& settings)
    : m_ranks(std::move(plan)),
      m_settings(settings)
{
}

void
FailedAttempt::Install(FabricHelper& network,
                       const std::vector<NodeIndex>& hosts,
                       const RocePath& path,
                       RankTimeline& timeline)
{
    NodeContainer nodes;
    for (const NodeIndex host : hosts)
    {
        nodes.Add(network.GetNode(host));
    }
    const auto endpoints = RoceRankHelper::Connect(m_ranks.GetPlan(), nodes, path);
    auto programs = m_ranks.Install(nodes, endpoints);
    programs.Stop(m_settings.end);
    for (uint32_t rank = 0; rank < endpoints.size(); ++rank)
    {
        if (RoceHelper::IsLocal(nodes.Get(rank)))
        {
            Simulator::ScheduleWithContext(nodes.Get(rank)->GetId(),
                                           m_settings.end,
                                           &RoceMessageEndpoint::Abort,
                                           DynamicCast<RoceMessageEndpoint>(endpoints[rank]));
        }
    }
    for (uint32_t rank = 0; rank < programs.GetN(); ++rank)
    {
        programs.Get(rank)->TraceConnectWithoutContext(
            "Failed",
            Callback<void, uint32_t, uint32_t, const std::string&>(
                [&timeline,
                 end = m_settings.end](uint32_t from, uint32_t to, const std::string& cause) {
                    if (Simulator::Now() < end)
                    {
                        timeline.NotifyInstant("first attempt: rank " + std::to_string(from) +
                                               " cannot send to rank " + std::to_string(to) + ": " +
                                               cause);
                    }
                }));
    }
    timeline.WatchLinks(network);
    const LinkIndex link =
        network.GetFabric().GetPorts(hosts.at(m_settings.rank))[PortIndex()].link;
    Simulator::Schedule(m_settings.failure, [&network, link] { network.FailLink(link); });
    Simulator::Schedule(m_settings.end, [&timeline] { timeline.NotifyInstant("restart"); });
}

double
FailedAttempt::GetDetectionSeconds() const
{
    std::optional<Time> first;
    const auto records = m_ranks.GetRankRecords();
    for (uint32_t rank = 0; rank < records.size(); ++rank)
    {
        const auto& record = records[rank];
        if (rank != m_settings.rank && !record.failure.empty() &&
            record.failureTime < m_settings.end)
        {
            first = std::min(first.value_or(record.failureTime), record.failureTime);
        }
    }
    return first ? (*first - m_settings.failure).GetSeconds() : std::nan("");
}

} // namespace ns3::aidc
