/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-rank-helper.h"

#include "roce-helper.h"

#include "ns3/abort.h"
#include "ns3/roce-message-endpoint.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// Add the members that a member of a collective sends to.
/// @param collective the collective, and the member
/// @param rank the rank of the member
/// @param [in,out] pairs where pairs of ranks are added
void
AddPairs(const RankCollective& collective,
         uint32_t rank,
         std::set<std::pair<uint32_t, uint32_t>>& pairs)
{
    const CollectiveSchedule& schedule = collective.schedule;
    // The lanes of each chunk have the same partners.
    for (uint32_t lane = 0; lane < schedule.GetNStreams(); ++lane)
    {
        for (uint32_t step = 0; step < schedule.GetNSteps(collective.member, lane); ++step)
        {
            const uint32_t to = schedule.GetStep(collective.member, lane, step).sendTo;
            if (to != CollectiveStep::NONE)
            {
                pairs.insert(std::minmax(rank, (*collective.ranks)[to]));
            }
        }
    }
}

} // namespace

std::set<std::pair<uint32_t, uint32_t>>
RoceRankHelper::GetPairs(const WorkloadPlan& plan)
{
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const RankOperation& operation = program.Get(i);
            if (operation.kind == RankOperationKind::SEND)
            {
                pairs.insert(std::minmax(rank, operation.peer));
            }
            else if (operation.kind == RankOperationKind::COLLECTIVE)
            {
                AddPairs(program.GetCollective(i), rank, pairs);
            }
        }
    }
    return pairs;
}

std::vector<Ptr<MessageEndpoint>>
RoceRankHelper::Connect(const WorkloadPlan& plan, const NodeContainer& hosts, const RocePath& path)
{
    NS_ABORT_MSG_IF(hosts.GetN() != plan.GetNRanks(),
                    "RoceRankHelper: expected "
                        << plan.GetNRanks() << " hosts, one for each rank, found " << hosts.GetN());
    std::vector<Ptr<RoceMessageEndpoint>> endpoints;
    for (uint32_t rank = 0; rank < hosts.GetN(); ++rank)
    {
        endpoints.push_back(CreateObject<RoceMessageEndpoint>());
        if (RoceHelper::IsLocal(hosts.Get(rank)))
        {
            endpoints.back()->SetNic(RoceHelper::GetNic(hosts.Get(rank)));
        }
    }
    for (const auto& [a, b] : GetPairs(plan))
    {
        const auto [first, second] = RoceHelper::Connect(hosts.Get(a), hosts.Get(b), path);
        if (RoceHelper::IsLocal(hosts.Get(a)))
        {
            endpoints[a]->AddPeer(b, first);
        }
        if (RoceHelper::IsLocal(hosts.Get(b)))
        {
            endpoints[b]->AddPeer(a, second);
        }
    }
    return {endpoints.begin(), endpoints.end()};
}

} // namespace ns3::aidc
