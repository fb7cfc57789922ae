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
#include <utility>

namespace ns3::aidc
{

namespace
{

/// When the first burst comes.
const Time FIRST_BURST = MicroSeconds(500);
/// Within which time the senders of a burst begin.
constexpr double BURST_SPREAD = 50e-6;
/// How long a run may take, as a multiple of the time alone
constexpr double LIMIT_FACTOR = 50;
/// How long a run may take at least, in s
constexpr double LEAST_LIMIT = 5;
/// How long a run may take at most, in s
constexpr double LARGEST_LIMIT = 1e8;
/// How often it is looked whether all is done.
const Time STOP_INTERVAL = MicroSeconds(10);

/// Make the programs of the ranks.
/// @param settings what the user has set
/// @return the programs; those of the first data center come first
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

} // namespace

CrossAidcTraffic::CrossAidcTraffic(const CrossAidcSettings& settings,
                                   const CrossAidcScenario& scenario)
    : m_settings(settings),
      m_scenario(scenario),
      m_ranks(MakeAllReduces(settings)),
      m_records(Create<FlowRecords>())
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    const auto add = [this, &uniform](uint32_t site, uint32_t i, uint64_t bytes, Time start) {
        Flow flow;
        flow.site = site;
        flow.pair = i;
        flow.spec.bytes = bytes;
        flow.spec.start = start + Seconds(uniform->GetValue(0, BURST_SPREAD));
        m_flows.push_back(flow);
    };
    const uint32_t nSites = scenario.isBothWays ? WAN_SITES : 1;
    if (scenario.isLong)
    {
        // What they may have of the link, if they share it
        const uint32_t n = settings.pairs + settings.senders;
        const double time = settings.longRoundTrips * 2 * scenario.delay.GetSeconds();
        const double rate = static_cast<double>(settings.coreRate.GetBitRate()) / n;
        for (uint32_t i = 0; i < n * nSites; ++i)
        {
            add(i / n, i % n, std::llround(time * rate / 8), Time());
        }
        return;
    }
    for (uint32_t burst = 0; burst < settings.bursts; ++burst)
    {
        for (uint32_t i = 0; i < settings.senders * nSites; ++i)
        {
            add(scenario.isBothWays ? i / settings.senders : burst % WAN_SITES,
                settings.pairs + i % settings.senders,
                settings.burstBytes,
                FIRST_BURST + burst * scenario.delay);
        }
    }
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
CrossAidcTraffic::Install(const WanHelper& network, Time detour)
{
    // The hosts of ranks, then those of bursts
    std::vector<std::array<NodeIndex, WAN_SITES>> pairs;
    std::array<NodeContainer, WAN_SITES> hosts;
    for (const auto& [n, offset] :
         {std::pair{m_settings.pairs, 0U}, std::pair{m_settings.senders, 1U}})
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            auto& pair = pairs.emplace_back();
            for (uint32_t site = 0; site < WAN_SITES; ++site)
            {
                pair[site] = GetHost(network, site, i, n, offset);
                hosts[site].Add(network.GetAidc(site).GetNode(pair[site]));
            }
        }
    }
    m_senders = hosts[0];
    RocePath path = RoceFlowHelper::GetPath(network.GetPath(pairs[0][0], pairs[0][1]),
                                            CrossAidcSettings::PATH_MTU,
                                            network.GetAidc(0).GetFrameOverhead());
    path.queueing += 2 * detour;
    if (!m_scenario.isLong)
    {
        NodeContainer ranks;
        for (const auto& site : hosts)
        {
            for (uint32_t i = 0; i < m_settings.pairs; ++i)
            {
                ranks.Add(site.Get(i));
            }
        }
        m_ranks.Install(ranks, RoceRankHelper::Connect(m_ranks.GetPlan(), ranks, path));
    }
    for (uint32_t i = m_scenario.isLong ? 0 : m_settings.pairs; i < pairs.size(); ++i)
    {
        InstallFlows(network, i, pairs[i], path);
    }
    m_victims.Install(network.GetAidc(0), FIRST_BURST);
    Simulator::Schedule(STOP_INTERVAL, &CrossAidcTraffic::LookWhetherDone, this);
}

void
CrossAidcTraffic::InstallFlows(const WanHelper& network,
                               uint32_t pair,
                               const std::array<NodeIndex, WAN_SITES>& hosts,
                               const RocePath& path)
{
    std::array<Ptr<RoceNic>, WAN_SITES> nics;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        nics[site] = RoceHelper::GetNic(network.GetAidc(site).GetNode(hosts[site]));
    }
    const auto links = network.GetPath(hosts[0], hosts[1]).links;
    const auto [first, second] = RoceHelper::Connect(nics[0], nics[1], path);
    const std::array<uint32_t, WAN_SITES> qps{first, second};
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        RoceFlowHelper::Record(nics[site], qps[site], nics[1 - site], qps[1 - site], m_records);
    }
    for (auto& [spec, site, ofPair] : m_flows)
    {
        if (ofPair == pair)
        {
            spec.source = hosts[site];
            spec.destination = hosts[1 - site];
            const Time ideal = RoceFlowHelper::GetIdealFct(links,
                                                           spec.bytes,
                                                           CrossAidcSettings::PATH_MTU,
                                                           network.GetAidc(0).GetFrameOverhead());
            RoceFlowHelper::Post(m_records,
                                 spec,
                                 ideal,
                                 network.GetAidc(site).GetNode(hosts[site]),
                                 qps[site]);
        }
    }
}

void
CrossAidcTraffic::LookWhetherDone()
{
    if (IsDone() || m_ranks.HasFailed() || m_records->HasFailed() ||
        m_victims.GetRecords().HasFailed())
    {
        Simulator::Stop();
    }
    else
    {
        Simulator::Schedule(STOP_INTERVAL, &CrossAidcTraffic::LookWhetherDone, this);
    }
}

Time
CrossAidcTraffic::GetLimit() const
{
    // Each message of an all-reduce waits for one from the other side, twice
    const double nDelays = m_scenario.isLong
                               ? 2.0 * m_settings.longRoundTrips
                               : 2.0 * m_settings.layers + static_cast<double>(m_settings.bursts);
    double bytes = 0;
    for (const auto& flow : m_flows)
    {
        bytes += static_cast<double>(flow.spec.bytes);
    }
    if (!m_scenario.isLong)
    {
        bytes += static_cast<double>(m_settings.layers) * m_settings.pairs * m_settings.layerBytes;
    }
    const auto rate = static_cast<double>(
        std::min(m_settings.coreRate.GetBitRate(), CrossAidcSettings::HOST_RATE));
    const double alone = nDelays * m_scenario.delay.GetSeconds() + 8 * bytes / rate;
    return Seconds(std::clamp(LIMIT_FACTOR * alone, LEAST_LIMIT, LARGEST_LIMIT));
}

double
CrossAidcTraffic::GetShareDone() const
{
    const double ofFlows = m_flows.empty() ? 1 : m_records->GetShareDone();
    return m_scenario.isLong ? ofFlows : std::min(ofFlows, m_ranks.GetShareDone());
}

std::string
CrossAidcTraffic::DescribeUnfinished() const
{
    std::string text;
    const auto add = [&text](const std::string& more) {
        text += (text.empty() || more.empty() ? "" : "; ") + more;
    };
    add(m_scenario.isLong ? "" : m_ranks.DescribeUnfinished());
    add(m_records->IsDone() ? "" : m_records->DescribeUnfinished("under way"));
    add(m_victims.GetRecords().IsDone()
            ? ""
            : "within the first data center, " +
                  m_victims.GetRecords().DescribeUnfinished("under way"));
    return text;
}

bool
CrossAidcTraffic::IsDone() const
{
    return (m_scenario.isLong || m_ranks.IsDone()) && m_records->IsDone() &&
           m_victims.GetRecords().IsDone();
}

Time
CrossAidcTraffic::GetCompletionTime() const
{
    Time finish;
    for (const auto& record : m_ranks.GetRankRecords())
    {
        finish = std::max(finish, record.finish);
    }
    return m_scenario.isLong ? GetFinish() : finish;
}

Time
CrossAidcTraffic::GetFinish() const
{
    Time finish = m_scenario.isLong ? Time() : GetCompletionTime();
    for (const auto& record : m_records->Get())
    {
        finish = std::max(finish, record.finish);
    }
    return finish;
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
