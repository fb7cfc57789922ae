/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-rank-helper.h"

#include "../model/core/require-argument.h"
#include "roce-helper.h"
#include "user-default.h"

#include "ns3/boolean.h"

#include <algorithm>

namespace ns3::aidc
{

namespace
{

/// Add the members that a member of a collective sends to.
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

ObjectFactory
RoceRankHelper::MakeFactory(const NodeContainer& hosts,
                            uint32_t nQueuePairs,
                            std::optional<bool> isStriped)
{
    uint32_t nPorts = 1;
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        nPorts = std::max(nPorts, RoceHelper::GetNPorts(*host));
    }
    ObjectFactory factory("ns3::aidc::RoceMessageEndpoint");
    const auto users = GetUserDefault(factory.GetTypeId(), "Striped");
    const auto* wanted = dynamic_cast<const BooleanValue*>(PeekPointer(users));
    AIDC_REFUSED_IF(wanted && wanted->Get() && nPorts * nQueuePairs == 1,
                    "expected several queue pairs of two ranks, or hosts with several links, for "
                    "ns3::aidc::RoceMessageEndpoint::Striped=true, found one queue pair");
    SetDerived(factory, "Striped", BooleanValue(nPorts > 1));
    if (isStriped)
    {
        factory.Set("Striped", BooleanValue(*isStriped));
    }
    return factory;
}

Ptr<RoceMessageEndpoint>
RoceRankHelper::MakeEndpoint(const ObjectFactory& factory, Ptr<Node> host)
{
    const auto endpoint = factory.Create<RoceMessageEndpoint>();
    if (RoceHelper::IsLocal(host))
    {
        endpoint->SetNic(RoceHelper::GetNic(host));
    }
    return endpoint;
}

void
RoceRankHelper::Connect(const End& a, const End& b, const RocePath& path)
{
    for (const auto& [first, second] : RoceHelper::ConnectPorts(a.host, b.host, path))
    {
        if (RoceHelper::IsLocal(a.host))
        {
            a.endpoint.AddPeer(a.peer, first);
        }
        if (RoceHelper::IsLocal(b.host))
        {
            b.endpoint.AddPeer(b.peer, second);
        }
    }
}

std::vector<Ptr<MessageEndpoint>>
RoceRankHelper::Connect(const WorkloadPlan& plan, const NodeContainer& hosts, const RocePath& path)
{
    AIDC_REFUSED_IF(hosts.GetN() != plan.GetNRanks(),
                    "RoceRankHelper: expected "
                        << plan.GetNRanks() << " hosts, one for each rank, found " << hosts.GetN());
    const ObjectFactory factory = MakeFactory(hosts);
    std::vector<Ptr<RoceMessageEndpoint>> endpoints;
    for (uint32_t rank = 0; rank < hosts.GetN(); ++rank)
    {
        endpoints.push_back(MakeEndpoint(factory, hosts.Get(rank)));
    }
    for (const auto& [a, b] : GetPairs(plan))
    {
        Connect({*endpoints[a], hosts.Get(a), b}, {*endpoints[b], hosts.Get(b), a}, path);
    }
    return {endpoints.begin(), endpoints.end()};
}

} // namespace ns3::aidc
