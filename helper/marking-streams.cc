/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "marking-streams.h"

#include "../model/buffer/find-marking-queues.h"

#include "ns3/mpi-ranks.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/queue-disc.h"
#include "ns3/rank-gather.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// How many queues a node has.
struct NodeQueues
{
    uint32_t node; //!< the id of the node
    uint64_t n;    //!< queues
};

} // namespace

int64_t
AssignMarkingStreams(const QueueDiscContainer& queueDiscs, int64_t stream)
{
    if (MpiRanks::Get().GetN() == 1)
    {
        int64_t used = 0;
        for (auto root = queueDiscs.Begin(); root != queueDiscs.End(); ++root)
        {
            for (const auto& placed : FindMarkingQueues(*root))
            {
                used += placed.queue->AssignStreams(stream + used);
            }
        }
        return used;
    }
    const std::set<Ptr<QueueDisc>> known(queueDiscs.Begin(), queueDiscs.End());
    std::map<uint32_t, std::vector<Ptr<MarkingQueue>>> queues; // by node
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        const auto layer = (*node)->GetObject<TrafficControlLayer>();
        for (uint32_t i = 0; layer && i < (*node)->GetNDevices(); ++i)
        {
            const auto root = layer->GetRootQueueDiscOnDevice((*node)->GetDevice(i));
            if (known.count(root) == 0)
            {
                continue;
            }
            for (const auto& placed : FindMarkingQueues(root))
            {
                queues[(*node)->GetId()].push_back(placed.queue);
            }
        }
    }
    std::vector<NodeQueues> counts;
    for (const auto& [node, ofNode] : queues)
    {
        counts.push_back({node, ofNode.size()});
    }
    counts = GatherItems(counts);
    std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.node < b.node;
    });
    int64_t used = 0;
    for (const auto& [node, n] : counts)
    {
        int64_t next = stream + used;
        for (const auto& queue : queues[node])
        {
            next += queue->AssignStreams(next);
        }
        used += static_cast<int64_t>(n); // a queue uses one
    }
    return used;
}

} // namespace ns3::aidc
