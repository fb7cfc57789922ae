/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-timeline.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

namespace ns3::aidc
{

namespace
{

/// @return whether there are messages outside of collectives
bool
HasMessages(const WorkloadPlan& plan)
{
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            if (program.Get(i).kind == RankOperationKind::SEND)
            {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::vector<ResultMetric>
GetTimelineMetrics(const WorkloadPlan& plan, const std::vector<RankTimeSums>& sums)
{
    std::vector<ResultMetric> metrics;
    const auto add = [&metrics, &sums](const std::string& name,
                                       const std::function<int64_t(const RankTimeSums&)>& get) {
        int64_t sum = 0; // of whole ns, so that it does not depend on an order
        for (const auto& rank : sums)
        {
            sum += get(rank);
        }
        const double mean = 1e-9 * static_cast<double>(sum) / static_cast<double>(sums.size());
        metrics.push_back({name, mean, "s"});
    };
    add("computation_time", [](const auto& rank) { return rank.computation; });
    add("exposed_communication", [](const auto& rank) { return rank.exposed; });
    std::set<CollectiveKind> kinds;
    for (const auto& item : plan.GetItems())
    {
        if (item.collective)
        {
            kinds.insert(item.collective->GetKind());
        }
    }
    for (const CollectiveKind kind : kinds)
    {
        std::string name = GetCollectiveName(kind);
        std::replace(name.begin(), name.end(), '-', '_');
        add(name + "_time", [kind](const auto& rank) {
            const auto found = rank.collectives.find(kind);
            return found == rank.collectives.end() ? 0 : found->second;
        });
    }
    if (HasMessages(plan))
    {
        add("send_time", [](const auto& rank) { return rank.sends; });
        add("receive_time", [](const auto& rank) { return rank.receives; });
    }
    return metrics;
}

} // namespace ns3::aidc
