/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cross-aidc-traffic.h"

#include "ns3/collective-schedule.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-rank-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace ns3::aidc
{

namespace
{

/// When the first burst comes.
const Time FIRST_BURST = MicroSeconds(500);
/// Within which time the senders of a burst begin.
constexpr double BURST_SPREAD = 50e-6;
/// How often it is looked whether all is done.
const Time STOP_INTERVAL = MicroSeconds(10);

/**
 * @brief Make the programs of the ranks.
 * @param settings what the user has set
 * @return the programs; those of the first data center come first
 */
WorkloadPlan
MakeAllReduces(const CrossAidcSettings& settings)
{
    WorkloadPlan plan(2 * settings.pairs);
    const CollectiveSchedule schedule(CollectiveKind::ALL_REDUCE,
                                      CollectiveAlgorithm::RING,
                                      2,
                                      settings.layerBytes,
                                      settings.chunks);
    for (uint32_t layer = 0; layer < settings.layers; ++layer)
    {
        for (uint32_t rank = 0; rank < settings.pairs; ++rank)
        {
            plan.AddCollective("layer " + std::to_string(layer) + " of pair " +
                                   std::to_string(rank),
                               schedule,
                               std::make_shared<const std::vector<uint32_t>>(
                                   std::vector<uint32_t>{rank, settings.pairs + rank}),
                               {{}, {}});
        }
    }
    return plan;
}

/**
 * @brief Count a message that has arrived.
 * @param records the records
 * @param delivery the message, whose immediate data is the index of its flow
 */
void
Receive(Ptr<FlowRecords> records, uint32_t, const RoceDelivery& delivery)
{
    records->AddDelivered(delivery.immediate, delivery.nBytes);
}

} // namespace

CrossAidcTraffic::CrossAidcTraffic(const CrossAidcSettings& settings, Time delay)
    : m_settings(settings),
      m_ranks(MakeAllReduces(settings)),
      m_records(Create<FlowRecords>())
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    for (uint32_t burst = 0; burst < settings.bursts; ++burst)
    {
        for (uint32_t i = 0; i < settings.senders; ++i)
        {
            FlowSpec flow;
            flow.bytes = settings.burstBytes;
            flow.start = FIRST_BURST + burst * delay + Seconds(uniform->GetValue(0, BURST_SPREAD));
            m_flows.push_back(flow);
        }
    }
}

std::size_t
CrossAidcTraffic::GetNFlows() const
{
    return m_flows.size();
}

NodeIndex
CrossAidcTraffic::GetHost(const WanHelper& network,
                          uint32_t site,
                          uint32_t i,
                          uint32_t n,
                          uint32_t offset)
{
    const auto& hosts = network.GetAidc(site).GetFabric().GetHosts();
    return hosts[i * hosts.size() / n + offset];
}

void
CrossAidcTraffic::Install(const WanHelper& network)
{
    NodeContainer ranks;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        for (uint32_t i = 0; i < m_settings.pairs; ++i)
        {
            ranks.Add(
                network.GetAidc(site).GetNode(GetHost(network, site, i, m_settings.pairs, 0)));
        }
    }
    for (uint32_t i = 0; i < m_settings.pairs; ++i)
    {
        m_senders.Add(ranks.Get(i));
    }
    const auto links = network.GetPath(GetHost(network, 0, 0, m_settings.pairs, 0),
                                       GetHost(network, 1, 0, m_settings.pairs, 0));
    NodeContainer routers = network.GetSwitches();
    routers.Add(network.GetEdges(0));
    routers.Add(network.GetEdges(1));
    routers.Add(network.GetCores());
    const RocePath path = RoceFlowHelper::GetPath(links,
                                                  routers,
                                                  CrossAidcSettings::PATH_MTU,
                                                  network.GetAidc(0).GetFrameOverhead());
    m_ranks.Install(ranks, RoceRankHelper::Connect(m_ranks.GetPlan(), ranks, path));
    InstallBursts(network, path);
    Simulator::Schedule(STOP_INTERVAL, &CrossAidcTraffic::LookWhetherDone, this);
}

void
CrossAidcTraffic::InstallBursts(const WanHelper& network, const RocePath& path)
{
    for (uint32_t i = 0; i < m_settings.senders; ++i)
    {
        std::array<NodeIndex, WAN_SITES> hosts;
        std::array<Ptr<RoceNic>, WAN_SITES> nics;
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            hosts[site] = GetHost(network, site, i, m_settings.senders, 1);
            nics[site] = RoceHelper::GetNic(network.GetAidc(site).GetNode(hosts[site]));
        }
        m_senders.Add(network.GetAidc(0).GetNode(hosts[0]));
        const auto links = network.GetPath(hosts[0], hosts[1]);
        const auto [first, second] = RoceHelper::Connect(nics[0], nics[1], path);
        const std::array<uint32_t, WAN_SITES> qps{first, second};
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            nics[site]->SetDeliverySink(qps[site], MakeBoundCallback(&Receive, m_records));
        }
        for (uint32_t burst = 0; burst < m_settings.bursts; ++burst)
        {
            const uint32_t site = burst % WAN_SITES;
            auto& flow = m_flows[burst * m_settings.senders + i];
            flow.source = hosts[site];
            flow.destination = hosts[1 - site];
            RoceWork work;
            work.operation = RoceOperation::WRITE;
            work.hasImmediate = true;
            work.nBytes = flow.bytes;
            work.immediate =
                m_records->Add(flow,
                               RoceFlowHelper::GetIdealFct(links,
                                                           flow.bytes,
                                                           CrossAidcSettings::PATH_MTU,
                                                           network.GetAidc(0).GetFrameOverhead()));
            work.id = work.immediate;
            Simulator::ScheduleWithContext(network.GetAidc(site).GetNode(hosts[site])->GetId(),
                                           flow.start,
                                           &RoceNic::Post,
                                           nics[site],
                                           qps[site],
                                           work);
        }
    }
}

void
CrossAidcTraffic::LookWhetherDone()
{
    if (IsDone())
    {
        Simulator::Stop();
    }
    else
    {
        Simulator::Schedule(STOP_INTERVAL, &CrossAidcTraffic::LookWhetherDone, this);
    }
}

NodeContainer
CrossAidcTraffic::GetSenders() const
{
    return m_senders;
}

bool
CrossAidcTraffic::IsDone() const
{
    return m_ranks.IsDone() && m_records->IsDone();
}

double
CrossAidcTraffic::GetCompletionTime() const
{
    Time finish;
    for (const auto& record : m_ranks.GetRankRecords())
    {
        finish = std::max(finish, record.finish);
    }
    return m_ranks.IsDone() ? finish.GetSeconds() : std::nan("");
}

uint64_t
CrossAidcTraffic::GetBytes() const
{
    uint64_t bytes = m_records->GetDeliveredBytes();
    for (const auto& record : m_ranks.GetCollectiveRecords())
    {
        // Each of the two sends as much as the buffer, half of it in either step.
        bytes += record.isDone ? 2 * record.bytes : 0;
    }
    return bytes;
}

const std::vector<FlowRecord>&
CrossAidcTraffic::GetRecords() const
{
    return m_records->Get();
}

} // namespace ns3::aidc
