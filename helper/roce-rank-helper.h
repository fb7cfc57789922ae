/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_RANK_HELPER_H
#define AIDC_ROCE_RANK_HELPER_H

#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/ptr.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Connects the ranks of a plan by RoCEv2: a queue pair for any two that send each other
 *        messages.
 */
class RoceRankHelper
{
  public:
    /// @param plan the plan
    /// @return pairs of ranks that send each other messages, the lower one first
    static std::set<std::pair<uint32_t, uint32_t>> GetPairs(const WorkloadPlan& plan);

    /// Connect the ranks, before the simulation begins.
    /// @param plan the plan
    /// @param hosts the host of each rank, as many as ranks, with a RoceNic (RoceHelper)
    /// @param path the delays of the longest path between them, for congestion controls and
    ///        timeouts
    /// @return the message endpoint of each rank, for RankApplicationHelper
    static std::vector<Ptr<MessageEndpoint>> Connect(const WorkloadPlan& plan,
                                                     const NodeContainer& hosts,
                                                     const RocePath& path = RocePath());
};

} // namespace ns3::aidc

#endif // AIDC_ROCE_RANK_HELPER_H
