/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "two-sites-traffic.h"

#include "two-sites-step.h"

#include "ns3/double.h"
#include "ns3/process-gather.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/roce-rank-helper.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// When traffic begins: routes are there, also those that cross the WAN.
const Time START = MilliSeconds(50);
/// When the simulation ends at the latest.
const Time LIMIT = Seconds(1);
/// How often it is looked whether all is done.
const Time STOP_INTERVAL = MicroSeconds(10);
/// Within which time elephants, or the senders of a burst, begin, in s
constexpr double SPREAD = 50e-6;
/// When the first burst comes, in delays of the WAN
constexpr int64_t FIRST_BURST = 1;
/// The time from a burst to the next one, in delays of the WAN
constexpr int64_t NEXT_BURST = 3;
} // namespace

TwoSitesTraffic::TwoSitesTraffic(const TwoSitesSettings& settings)
    : m_settings(settings),
      m_uniform(CreateObject<UniformRandomVariable>()),
      m_gap(CreateObject<ExponentialRandomVariable>()),
      m_step(MakeTwoSitesStep(settings)),
      m_bursts(Create<FlowRecords>())
{
    m_uniform->SetStream(1);
    m_gap->SetStream(2);
    m_gap->SetAttribute("Mean", DoubleValue(settings.storageInterval.GetSeconds()));
    m_step.SetStart(START);
}

Time
TwoSitesTraffic::GetStart()
{
    return START;
}

Time
TwoSitesTraffic::GetLimit()
{
    return LIMIT;
}

std::vector<NodeIndex>
TwoSitesTraffic::GetHosts(const FabricPlan& plan, bool isRank)
{
    const auto& all = plan.GetHosts();
    std::vector<NodeIndex> hosts;
    for (std::size_t i = isRank ? 0 : 1; i < all.size(); i += 2)
    {
        hosts.push_back(all[i]);
    }
    return hosts;
}

void
TwoSitesTraffic::Shuffle(std::vector<NodeIndex>& hosts) const
{
    for (std::size_t i = hosts.size(); i > 1; --i)
    {
        std::swap(hosts[i - 1], hosts[m_uniform->GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
}

void
TwoSitesTraffic::Install(const TwoSitesNetwork& network)
{
    InstallStep(network);
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        InstallFlows(network, site);
    }
    InstallBursts(network);
    Simulator::Schedule(START, &TwoSitesTraffic::LookWhetherDone, this);
}

void
TwoSitesTraffic::InstallStep(const TwoSitesNetwork& network)
{
    NodeContainer hosts;
    std::array<NodeIndex, WAN_SITES> ends;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        const auto& aidc = network.GetWan().GetAidc(site);
        auto ofSite = GetHosts(aidc.GetFabric(), true);
        ends[site] = ofSite.front();
        Shuffle(ofSite);
        for (const NodeIndex host : ofSite)
        {
            hosts.Add(aidc.GetNode(host));
        }
    }
    NodeContainer ranks;
    for (uint32_t channel = 0; channel < TWO_SITES_CHANNELS; ++channel)
    {
        ranks.Add(hosts);
    }
    // The longest way of a data center, and a way over the WAN
    const auto& aidc = network.GetWan().GetAidc(0);
    const auto& all = aidc.GetFabric().GetHosts();
    const NetworkPath far = network.GetWan().GetPath(ends[0], ends[1]);
    const std::array<RocePath, 2> paths{
        RoceFlowHelper::GetPath(aidc, all.front(), all.back(), TwoSitesSettings::PATH_MTU),
        RoceFlowHelper::GetPath(far, TwoSitesSettings::PATH_MTU, aidc.GetFrameOverhead())};
    // Layers follow each other over the WAN: both messages of a pair, and an acknowledgment
    m_floor = 3 * m_settings.layers * Seconds(FlowRecords::GetDelaySeconds(far.links));
    const ObjectFactory factory = RoceRankHelper::MakeFactory(ranks);
    std::vector<Ptr<RoceMessageEndpoint>> endpoints;
    for (uint32_t rank = 0; rank < ranks.GetN(); ++rank)
    {
        endpoints.push_back(RoceRankHelper::MakeEndpoint(factory, ranks.Get(rank)));
    }
    const uint32_t n = m_settings.GetNRanks();
    for (const auto& [a, b] : RoceRankHelper::GetPairs(m_step.GetPlan()))
    {
        const bool isFar = a / n != b / n;
        network.SelectControl(ranks.Get(a), isFar);
        network.SelectControl(ranks.Get(b), isFar);
        RoceRankHelper::Connect({*endpoints[a], ranks.Get(a), b},
                                {*endpoints[b], ranks.Get(b), a},
                                paths[isFar ? 1 : 0]);
    }
    m_step.Install(ranks, {endpoints.begin(), endpoints.end()});
}

void
TwoSitesTraffic::InstallFlows(const TwoSitesNetwork& network, uint32_t site)
{
    const auto& aidc = network.GetWan().GetAidc(site);
    const auto hosts = aidc.GetHosts();
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        network.SelectControl(*host, false);
    }
    const auto ranks = GetHosts(aidc.GetFabric(), true);
    auto others = GetHosts(aidc.GetFabric(), false);
    std::vector<FlowSpec> elephants;
    for (std::size_t i = 1; i < others.size(); i += 2)
    {
        FlowSpec flow;
        flow.source = others[i];
        flow.destination = others[(i + others.size() / 2) % others.size()];
        flow.bytes = m_settings.elephantBytes;
        flow.start = START + Seconds(m_uniform->GetValue(0, SPREAD));
        elephants.push_back(flow);
    }
    m_elephants[site].Install(aidc, elephants, "elephants");

    std::vector<FlowSpec> storage;
    for (double time = m_gap->GetValue(); time < m_settings.duration.GetSeconds();
         time += m_gap->GetValue())
    {
        FlowSpec flow;
        flow.destination = ranks[m_uniform->GetInteger(0, static_cast<uint32_t>(ranks.size() - 1))];
        flow.bytes = m_settings.storageBytes;
        flow.start = START + Seconds(time);
        Shuffle(others);
        for (uint32_t i = 0; i < m_settings.storageSenders; ++i)
        {
            flow.source = others[i];
            storage.push_back(flow);
        }
    }
    m_storage[site].SetSharedQueuePairs(true);
    m_storage[site].Install(aidc, storage, "storage");
}

void
TwoSitesTraffic::InstallBursts(const TwoSitesNetwork& network)
{
    const auto& wan = network.GetWan();
    std::array<std::vector<NodeIndex>, WAN_SITES> hosts;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        hosts[site] = GetHosts(wan.GetAidc(site).GetFabric(), false);
    }
    for (std::size_t i = 0; i < hosts[0].size(); i += 2)
    {
        for (uint32_t channel = 0; channel < TWO_SITES_CHANNELS; ++channel)
        {
            InstallBursts(network, {hosts[0][i], hosts[1][i]});
        }
    }
}

void
TwoSitesTraffic::InstallBursts(const TwoSitesNetwork& network,
                               const std::array<NodeIndex, WAN_SITES>& hosts)
{
    const auto& wan = network.GetWan();
    std::array<Ptr<Node>, WAN_SITES> nodes;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        nodes[site] = wan.GetAidc(site).GetNode(hosts[site]);
        network.SelectControl(nodes[site], true);
    }
    const auto path = wan.GetPath(hosts[0], hosts[1]);
    const auto overhead = wan.GetAidc(0).GetFrameOverhead();
    const auto [first, second] =
        RoceHelper::Connect(nodes[0],
                            nodes[1],
                            RoceFlowHelper::GetPath(path, TwoSitesSettings::PATH_MTU, overhead));
    const std::array<uint32_t, WAN_SITES> qps{first, second};
    if (RoceHelper::IsLocal(nodes[0]))
    {
        m_burstSenders[RoceHelper::GetNic(nodes[0])].insert(first);
    }
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        RoceFlowHelper::Record(nodes[site], qps[site], nodes[1 - site], qps[1 - site], m_bursts);
    }
    for (uint32_t burst = 0; burst < m_settings.bursts; ++burst)
    {
        const uint32_t site = burst % WAN_SITES;
        FlowSpec flow;
        flow.source = hosts[site];
        flow.destination = hosts[1 - site];
        flow.bytes = m_settings.burstBytes / TWO_SITES_CHANNELS;
        flow.start = START + (FIRST_BURST + NEXT_BURST * burst) * m_settings.wanDelay +
                     Seconds(m_uniform->GetValue(0, SPREAD));
        const Time ideal = RoceFlowHelper::GetIdealFct(path.links,
                                                       flow.bytes,
                                                       TwoSitesSettings::PATH_MTU,
                                                       overhead);
        RoceFlowHelper::Post(m_bursts, flow, ideal, nodes[site], qps[site]);
    }
}

void
TwoSitesTraffic::LookWhetherDone()
{
    if (AreAllDone() || m_step.HasFailed() || SumOverProcesses(m_bursts->HasFailed() ? 1 : 0) > 0)
    {
        Simulator::Stop();
    }
    else
    {
        Simulator::Schedule(STOP_INTERVAL, &TwoSitesTraffic::LookWhetherDone, this);
    }
}

std::size_t
TwoSitesTraffic::GetNFlows() const
{
    std::size_t n = m_bursts->Get().size();
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        n += GetElephants(site).size() + GetStorage(site).size();
    }
    return n;
}

double
TwoSitesTraffic::GetShareDone() const
{
    double share = std::min(m_step.GetShareDone(), m_bursts->GetShareDone());
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        share = std::min({share, m_elephants[site].GetShareDone(), m_storage[site].GetShareDone()});
    }
    return share;
}

bool
TwoSitesTraffic::AreAllDone() const
{
    const auto isDone = [](const RoceFlowHelper& flows) { return flows.AreAllDone(); };
    return m_step.IsDone() && m_bursts->AreAllDone() &&
           std::all_of(m_elephants.begin(), m_elephants.end(), isDone) &&
           std::all_of(m_storage.begin(), m_storage.end(), isDone);
}

void
TwoSitesTraffic::Gather()
{
    m_bursts->Gather();
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        m_elephants[site].Gather();
        m_storage[site].Gather();
    }
}

bool
TwoSitesTraffic::IsDone() const
{
    const auto isDone = [](const RoceFlowHelper& flows) { return flows.IsDone(); };
    return m_step.IsDone() && m_bursts->IsDone() &&
           std::all_of(m_elephants.begin(), m_elephants.end(), isDone) &&
           std::all_of(m_storage.begin(), m_storage.end(), isDone);
}

std::string
TwoSitesTraffic::DescribeUnfinished() const
{
    std::string text = m_step.DescribeUnfinished();
    const auto add = [&text](const std::string& more) {
        text += (text.empty() || more.empty() ? "" : "; ") + more;
    };
    add(m_bursts->IsDone() ? "" : "bursts: " + m_bursts->DescribeUnfinished("under way"));
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        add(m_elephants[site].IsDone() ? "" : "elephants under way");
        add(m_storage[site].IsDone() ? "" : "incasts under way");
    }
    return text;
}

double
TwoSitesTraffic::GetCollectiveTime(CollectiveKind kind) const
{
    std::vector<double> times;
    for (const auto& record : m_step.GetCollectiveRecords())
    {
        if (record.kind == kind)
        {
            times.push_back((record.finish - record.start).GetSeconds());
        }
    }
    return Mean(times);
}

Time
TwoSitesTraffic::GetTimeAboveFloor() const
{
    return GetStepTime() - m_floor;
}

Time
TwoSitesTraffic::GetStepTime() const
{
    Time finish;
    for (const auto& record : m_step.GetRankRecords())
    {
        finish = std::max(finish, record.finish);
    }
    return finish - START;
}

} // namespace ns3::aidc
