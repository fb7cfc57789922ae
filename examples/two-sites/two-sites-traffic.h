// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TWO_SITES_TRAFFIC_H
#define AIDC_TWO_SITES_TRAFFIC_H

#include "two-sites-network.h"

#include "ns3/collective-schedule.h"
#include "ns3/double.h"
#include "ns3/experiment-rank-options.h"
#include "ns3/flow-records.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/roce-nic.h"
#include "ns3/sample-statistics.h"
#include "ns3/workload-plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The channels of a rank, each a ring of its own with an equal part of the bytes, as NCCL has
/// them; and the queue pairs of a burst's sender
constexpr uint32_t TWO_SITES_CHANNELS = 4;

namespace
{

/// By channel of a rank, the operations that the next one waits for.
using Operations = std::vector<std::vector<uint32_t>>;

/// Add a collective. It waits for the last operations of its channels, and replaces them.
void
AddCollective(WorkloadPlan& plan,
              const std::string& name,
              CollectiveKind kind,
              uint64_t bytes,
              const RankGroup& ranks,
              Operations& last)
{
    const CollectiveSchedule schedule(kind,
                                      CollectiveAlgorithm::RING,
                                      static_cast<uint32_t>(ranks->size()),
                                      bytes);
    Operations after;
    for (const uint32_t rank : *ranks)
    {
        after.push_back(last[rank]);
    }
    const auto operations = plan.AddCollective(name, schedule, ranks, after);
    for (std::size_t i = 0; i < ranks->size(); ++i)
    {
        last[(*ranks)[i]] = {operations[i]};
    }
}

/// Add what a channel of all ranks does. The first rank's has the number first; others follow.
void
AddChannel(WorkloadPlan& plan, const TwoSitesSettings& settings, uint32_t first, uint32_t n)
{
    // Collectives of one group follow each other. Each kind has groups of its own, so that the next
    // layer is reduced while the last one is on its way over the WAN.
    std::vector<RankGroup> reducing;
    std::vector<RankGroup> gathering;
    std::vector<RankGroup> pairs;
    for (uint32_t site = 0; site < WAN_SITES; ++site)
    {
        std::vector<uint32_t> ranks(n);
        std::iota(ranks.begin(), ranks.end(), first + site * n);
        reducing.push_back(std::make_shared<const std::vector<uint32_t>>(ranks));
        gathering.push_back(std::make_shared<const std::vector<uint32_t>>(ranks));
    }
    for (uint32_t i = first; i < first + n; ++i)
    {
        pairs.push_back(
            std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{i, n + i}));
    }
    const auto nanoseconds = static_cast<uint64_t>(settings.compute.GetNanoSeconds());
    const uint64_t bytes = settings.layerBytes / TWO_SITES_CHANNELS;
    const uint32_t compute = plan.AddItem("compute");
    Operations computed(first + WAN_SITES * n);
    for (uint32_t i = first; i < computed.size(); ++i)
    {
        computed[i] = {plan.GetProgram(i).AddCompute(settings.layers * nanoseconds, {}, compute)};
    }
    for (uint32_t layer = settings.layers; layer-- > 0;)
    {
        for (uint32_t i = first; i < computed.size(); ++i)
        {
            computed[i] = {plan.GetProgram(i).AddCompute(nanoseconds, computed[i], compute)};
        }
        const std::string name = "layer " + std::to_string(layer);
        auto last = computed;
        for (const auto& group : reducing)
        {
            AddCollective(plan, name, CollectiveKind::REDUCE_SCATTER, bytes, group, last);
        }
        for (const auto& pair : pairs)
        {
            AddCollective(plan, name, CollectiveKind::ALL_REDUCE, bytes / n, pair, last);
        }
        for (const auto& group : gathering)
        {
            AddCollective(plan, name, CollectiveKind::ALL_GATHER, bytes, group, last);
        }
    }
}

} // namespace

/// Make the training step.
///
/// All ranks of both data centers train one model: for each layer they reduce-scatter the gradients
/// in the data center, all-reduce their parts with the rank of the same number in the other one,
/// and all-gather the result. While a layer is reduced, the next one is computed. A rank has some
/// channels, each with a part of the bytes and queue pairs of its own.
/// @param settings what the user has set
/// @return the programs of all channels: the first channel of all ranks comes first, and in each
///         channel the first data center
inline WorkloadPlan
MakeTwoSitesStep(const TwoSitesSettings& settings)
{
    const uint32_t n = settings.GetNRanks();
    WorkloadPlan plan(TWO_SITES_CHANNELS * WAN_SITES * n);
    for (uint32_t channel = 0; channel < TWO_SITES_CHANNELS; ++channel)
    {
        AddChannel(plan, settings, channel * WAN_SITES * n, n);
    }
    return plan;
}

namespace
{

/// When traffic begins: routes are there, also routes across the WAN.
const Time START = MilliSeconds(50);
/// When the simulation ends at the latest.
const Time LIMIT = Seconds(1);
/// Within which time elephants, or the senders of a burst, begin, in s
constexpr double SPREAD = 50e-6;
/// When the first burst comes, in delays of the WAN
constexpr int64_t FIRST_BURST = 1;
/// The time from a burst to the next one, in delays of the WAN
constexpr int64_t NEXT_BURST = 3;
} // namespace

/// The traffic of TwoSitesExperiment.
///
/// Every second host is a rank, and all ranks have a training step (MakeTwoSitesStep()).
///
/// The other hosts are storage. At random times several of them send to one rank's host at once
/// (incasts). Half of them send elephants to each other, one each; the other half send bursts to
/// the other data center, in turns.
class TwoSitesTraffic
{
  public:
    /// Takes the random variable streams 1 and 2. settings: outlive this.
    explicit TwoSitesTraffic(const TwoSitesSettings& settings)
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

    TwoSitesTraffic(const TwoSitesTraffic&) = delete;
    TwoSitesTraffic& operator=(const TwoSitesTraffic&) = delete;

    /// Connect hosts. The simulation stops when all is done, or something could not be sent.
    void Install(const TwoSitesNetwork& network)
    {
        InstallStep(network);
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            InstallFlows(network, site);
        }
        InstallBursts(network);
        StopWhen(START, [this] {
            return AreAll([](const auto& flows) { return flows.AreAllDone(); }) ||
                   m_step.HasFailed() || SumOverProcesses(m_bursts->HasFailed() ? 1 : 0) > 0;
        });
    }

    /// @return how many flows there are, without the flows of the training step
    std::size_t GetNFlows() const
    {
        std::size_t n = m_bursts->Get().size();
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            n += GetElephants(site).size() + GetStorage(site).size();
        }
        return n;
    }

    /// @return when the traffic begins: routes are there
    static Time GetStart()
    {
        return START;
    }

    /// @return when the simulation ends at the latest
    static Time GetLimit()
    {
        return LIMIT;
    }

    /// @return the share done in this process, of flows' bytes or, if less, of operations
    double GetShareDone() const
    {
        double share = std::min(m_step.GetShareDone(), m_bursts->GetShareDone());
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            share =
                std::min({share, m_elephants[site].GetShareDone(), m_storage[site].GetShareDone()});
        }
        return share;
    }

    /// Find out what has been done. With several processes (MpiProcesses), each one calls it after
    /// the simulation, and calls the functions below, too.
    void Gather()
    {
        m_bursts->Gather();
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            m_elephants[site].Gather();
            m_storage[site].Gather();
        }
    }

    /// @return whether all is done
    bool IsDone() const
    {
        return AreAll([](const auto& flows) { return flows.IsDone(); });
    }

    /// @return what is not done, and why, in one line; empty if all is done
    std::string DescribeUnfinished() const
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

    /// @return how long the training step has taken, if it is done
    Time GetStepTime() const
    {
        Time finish;
        for (const auto& record : m_step.GetRankRecords())
        {
            finish = std::max(finish, record.finish);
        }
        return finish - START;
    }

    /// @return the step's time beyond the propagation over the WAN of what layers exchange in turn
    Time GetTimeAboveFloor() const
    {
        return GetStepTime() - m_floor;
    }

    /// @return the mean time of collectives, from the first member's start to the last one's end, s
    double GetCollectiveTime(CollectiveKind kind) const
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

    /// @return the elephants of a data center
    const std::vector<FlowRecord>& GetElephants(uint32_t site) const
    {
        return m_elephants.at(site).GetRecords();
    }

    /// @return the flows of a data center's incasts
    const std::vector<FlowRecord>& GetStorage(uint32_t site) const
    {
        return m_storage.at(site).GetRecords();
    }

    /// @return the flows of bursts over the WAN, of both data centers
    const std::vector<FlowRecord>& GetBursts() const
    {
        return m_bursts->Get();
    }

    /// @return by adapter of this process, the first data center's queue pairs that send bursts
    const std::map<Ptr<RoceNic>, std::set<uint32_t>>& GetBurstSenders() const
    {
        return m_burstSenders;
    }

  private:
    static std::vector<NodeIndex> GetHosts(const FabricPlan& plan, bool isRank)
    {
        const auto& all = plan.GetHosts();
        std::vector<NodeIndex> hosts;
        for (std::size_t i = isRank ? 0 : 1; i < all.size(); i += 2)
        {
            hosts.push_back(all[i]);
        }
        return hosts;
    }

    /// Connect the ranks. @param network the network
    void InstallStep(const TwoSitesNetwork& network)
    {
        NodeContainer hosts;
        std::array<NodeIndex, WAN_SITES> ends;
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            const auto& aidc = network.GetWan().GetAidc(site);
            auto ofSite = GetHosts(aidc.GetFabric(), true);
            ends[site] = ofSite.front();
            Shuffle(ofSite, *m_uniform);
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

    /// Draw the flows of a data center, and install them.
    void InstallFlows(const TwoSitesNetwork& network, uint32_t site)
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
            const NodeIndex receiver = others[(i + others.size() / 2) % others.size()];
            const Time start = START + Seconds(m_uniform->GetValue(0, SPREAD));
            elephants.push_back({others[i], receiver, 0, 0, m_settings.elephantBytes, start});
        }
        m_elephants[site].Install(aidc, elephants, "elephants");

        std::vector<FlowSpec> storage;
        for (double time = m_gap->GetValue(); time < m_settings.duration.GetSeconds();
             time += m_gap->GetValue())
        {
            const NodeIndex receiver =
                ranks[m_uniform->GetInteger(0, static_cast<uint32_t>(ranks.size() - 1))];
            Shuffle(others, *m_uniform);
            for (uint32_t i = 0; i < m_settings.storageSenders; ++i)
            {
                storage.push_back(
                    {others[i], receiver, 0, 0, m_settings.storageBytes, START + Seconds(time)});
            }
        }
        m_storage[site].SetSharedQueuePairs(true);
        m_storage[site].Install(aidc, storage, "storage");
    }

    void InstallBursts(const TwoSitesNetwork& network)
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

    /// Install the bursts of a queue pair.
    void InstallBursts(const TwoSitesNetwork& network,
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
        const auto [first, second] = RoceHelper::Connect(
            nodes[0],
            nodes[1],
            RoceFlowHelper::GetPath(path, TwoSitesSettings::PATH_MTU, overhead));
        const std::array<uint32_t, WAN_SITES> qps{first, second};
        if (RoceHelper::IsLocal(nodes[0]))
        {
            m_burstSenders[RoceHelper::GetNic(nodes[0])].insert(first);
        }
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            RoceFlowHelper::Record(nodes[site],
                                   qps[site],
                                   nodes[1 - site],
                                   qps[1 - site],
                                   m_bursts);
        }
        for (uint32_t burst = 0; burst < m_settings.bursts; ++burst)
        {
            const uint32_t site = burst % WAN_SITES;
            const uint64_t bytes = m_settings.burstBytes / TWO_SITES_CHANNELS;
            const Time start = START + (FIRST_BURST + NEXT_BURST * burst) * m_settings.wanDelay +
                               Seconds(m_uniform->GetValue(0, SPREAD));
            const FlowSpec flow{hosts[site], hosts[1 - site], 0, 0, bytes, start};
            const Time ideal = RoceFlowHelper::GetIdealFct(path.links,
                                                           flow.bytes,
                                                           TwoSitesSettings::PATH_MTU,
                                                           overhead);
            RoceFlowHelper::Post(m_bursts, flow, ideal, nodes[site], qps[site]);
        }
    }

    /// Tell whether all is done. isDone: tells it of some flows.
    template <typename IsDone>
    bool AreAll(IsDone isDone) const
    {
        return m_step.IsDone() && isDone(*m_bursts) &&
               std::all_of(m_elephants.begin(), m_elephants.end(), isDone) &&
               std::all_of(m_storage.begin(), m_storage.end(), isDone);
    }

    const TwoSitesSettings& m_settings;                        //!< what the user has set
    Ptr<UniformRandomVariable> m_uniform;                      //!< draws hosts
    Ptr<ExponentialRandomVariable> m_gap;                      //!< draws times between incasts
    RankApplicationHelper m_step;                              //!< the training step
    std::array<RoceFlowHelper, WAN_SITES> m_elephants;         //!< by data center
    std::array<RoceFlowHelper, WAN_SITES> m_storage;           //!< by data center
    Time m_floor;                                              //!< of the step: propagation alone
    Ptr<FlowRecords> m_bursts;                                 //!< over the WAN
    std::map<Ptr<RoceNic>, std::set<uint32_t>> m_burstSenders; //!< GetBurstSenders()
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_TRAFFIC_H
