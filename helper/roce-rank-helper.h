/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_ROCE_RANK_HELPER_H
#define AIDC_ROCE_RANK_HELPER_H

#include "ns3/message-endpoint.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/ptr.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/workload-plan.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief Connects the ranks of a plan by RoCEv2: a queue pair at each port of their hosts for any
 *        two that send each other messages.
 *
 * If a host has several ports, each message is divided over all queue pairs of its two ranks, as
 * NCCL divides it over the ports of an adapter, unless the user has set the default of the
 * attribute Striped of RoceMessageEndpoint.
 */
class RoceRankHelper
{
  public:
    /// One end of the queue pairs of two ranks.
    struct End
    {
        RoceMessageEndpoint& endpoint; //!< what gets the queue pairs
        Ptr<Node> host;                //!< the host of its adapter
        uint32_t peer{0};              //!< the rank that it knows the other end by
    };

    /// @return pairs of ranks that send each other messages, the lower one first
    static std::set<std::pair<uint32_t, uint32_t>> GetPairs(const WorkloadPlan& plan);

    /// Get what makes the endpoints of ranks: it decides whether they divide messages.
    /// @param hosts the hosts of all ranks
    /// @param nQueuePairs the queue pairs of two ranks at each port
    /// @param isStriped whether messages are divided over all queue pairs; by default as above
    /// @return the factory of RoceMessageEndpoint
    /// @throws std::runtime_error if the user wants messages divided, and two ranks have one queue
    ///         pair
    static ObjectFactory MakeFactory(const NodeContainer& hosts,
                                     uint32_t nQueuePairs = 1,
                                     std::optional<bool> isStriped = std::nullopt);

    /// @return an endpoint with the adapter of the host, if this process simulates it
    static Ptr<RoceMessageEndpoint> MakeEndpoint(const ObjectFactory& factory, Ptr<Node> host);

    /// Connect two ranks. path: the delays of the path between them.
    static void Connect(const End& a, const End& b, const RocePath& path);

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
