// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_TRAFFIC_H
#define AIDC_PRE_ECN_TRAFFIC_H

#include "pre-ecn-network.h"

#include "ns3/collective-schedule.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-records.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-application-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/uinteger.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-plan.h"
#include "ns3/workload-plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// When the first burst comes.
const Time FIRST_BURST = MicroSeconds(500);
/// How many hosts of a data center send there.
constexpr std::size_t N_VICTIMS = 4;
/// The messages of each of them, at least.
constexpr int64_t N_MESSAGES = 8;
/// The size of each message.
constexpr uint64_t VICTIM_BYTES = 5'000'000;
/// From the beginning of a message to the beginning of the next one.
const Time VICTIM_INTERVAL = MilliSeconds(2);
/// The DSCP of messages with a class of their own, whose upper three bits are the class.
constexpr uint64_t OWN_DSCP = PreEcnSettings::OWN_PRIORITY * 8 + 2;

/// Set the DSCP of queue pairs from now on, at a host of this process. @return the one before
uint64_t
SetDscp(const Ptr<Node>& host, uint64_t dscp)
{
    UintegerValue before(dscp);
    if (const auto nic = host->GetObject<RoceNic>())
    {
        nic->GetAttribute("Dscp", before);
        nic->SetAttribute("Dscp", UintegerValue(dscp));
    }
    return before.Get();
}

/// Have hosts of a data center send messages for a time, or eight of them if that is longer.
Ptr<FlowRecords>
InstallVictims(const FabricHelper& aidc, Time duration, uint32_t priority)
{
    const auto records = Create<FlowRecords>();
    const int64_t nMessages =
        std::max(N_MESSAGES, duration.GetNanoSeconds() / VICTIM_INTERVAL.GetNanoSeconds());
    const auto& hosts = aidc.GetFabric().GetHosts();
    for (std::size_t i = 0; i < N_VICTIMS; ++i)
    {
        FlowSpec spec;
        spec.source = hosts[(i + 1) * hosts.size() / N_VICTIMS - 1];
        spec.destination = hosts[((i + 1) % N_VICTIMS + 1) * hosts.size() / N_VICTIMS - 1];
        spec.bytes = VICTIM_BYTES;
        const auto sender = aidc.GetNode(spec.source);
        const auto receiver = aidc.GetNode(spec.destination);
        const bool isOwn = priority == PreEcnSettings::OWN_PRIORITY;
        uint64_t before = OWN_DSCP;
        for (const auto& host : {sender, receiver})
        {
            before = isOwn ? SetDscp(host, OWN_DSCP) : before;
        }
        const auto qps = RoceHelper::Connect(
            sender,
            receiver,
            RoceFlowHelper::GetPath(aidc, spec.source, spec.destination, PreEcnSettings::PATH_MTU));
        if (isOwn)
        {
            SetDscp(sender, before);
            SetDscp(receiver, before);
        }
        RoceFlowHelper::Record(sender, qps.first, receiver, qps.second, records);
        for (int64_t k = 0; k < nMessages; ++k)
        {
            spec.start = FIRST_BURST + k * VICTIM_INTERVAL;
            RoceFlowHelper::Post(records, spec, Time(), sender, qps.first);
        }
    }
    return records;
}

/// Within which time the senders of a burst begin.
constexpr double BURST_SPREAD = 50e-6;
/// How long a run may take, as a multiple of the time alone
constexpr double LIMIT_FACTOR = 50;
/// How long a run may take at least, in s
constexpr double LEAST_LIMIT = 5;
/// How long a run may take at most, in s
constexpr double LARGEST_LIMIT = 1e8;

/// Make the programs of the ranks. @return the programs; the first data center's come first
WorkloadPlan
MakeAllReduces(const PreEcnSettings& settings)
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

/// The traffic of PreEcnExperiment: all-reduces between pairs of ranks, one in each of two
/// data centers, and bursts from other hosts of a data center to the other one, in turns: the
/// first burst from the first data center, the second one from the second.
///
/// A pair's all-reduce is the part of a hierarchical all-reduce that crosses the WAN: within the
/// data centers, the ranks have reduced among themselves before.
///
/// A burst comes 0.5 ms after the beginning, and again each time that the path's delay has passed:
/// then the second half of the all-reduce is sent. Its senders begin within 50 us, at random. If
/// both data centers send at a time, each burst comes from both.
///
/// Long flows come in place of all that: all of these hosts send for round trips, from the
/// beginning. With more than two data centers, each host sends to one of each other data center,
/// one way from the data center with the lower number.
///
/// Within each data center but, one way, the last one, four hosts send messages of 5 MB, each to
/// the next one, one each 2 ms, eight of them or more. They have nothing to do with the WAN.
class PreEcnTraffic
{
  public:
    /// Takes the random variable stream 1. settings: outlive this.
    PreEcnTraffic(const PreEcnSettings& settings, const PreEcnScenario& scenario)
        : m_settings(settings),
          m_scenario(scenario),
          m_ranks(MakeAllReduces(settings)),
          m_records{Create<FlowRecords>()}
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(1);
        const auto add =
            [this,
             &uniform](uint32_t from, uint32_t to, uint32_t host, uint64_t bytes, Time start) {
                Flow flow;
                flow.from = from;
                flow.to = to;
                flow.host = host;
                flow.spec.bytes = bytes;
                flow.spec.start = start + Seconds(uniform->GetValue(0, BURST_SPREAD));
                m_flows.push_back(flow);
            };
        if (scenario.isLong)
        {
            // What they may have of the link, if they share it
            const uint32_t n = settings.pairs + settings.senders;
            const double time = settings.GetLongTime(scenario).GetSeconds();
            const double rate = static_cast<double>(settings.coreRate.GetBitRate()) / n;
            for (uint32_t from = 0; from < settings.sites; ++from)
            {
                for (uint32_t to = scenario.isBothWays ? 0 : from + 1; to < settings.sites; ++to)
                {
                    for (uint32_t host = 0; to != from && host < n; ++host)
                    {
                        add(from, to, host, std::llround(time * rate / 8), Time());
                    }
                }
            }
            return;
        }
        for (uint32_t burst = 0; burst < settings.bursts; ++burst)
        {
            for (uint32_t i = 0; i < settings.senders * (scenario.isBothWays ? 2 : 1); ++i)
            {
                const uint32_t from = (scenario.isBothWays ? i / settings.senders : burst) % 2;
                add(from,
                    1 - from,
                    settings.pairs + i % settings.senders,
                    settings.burstBytes,
                    FIRST_BURST + burst * scenario.delay);
            }
        }
    }

    /// Get the number of flows, of bursts or long ones. @return the number
    std::size_t GetNFlows() const
    {
        return m_flows.size();
    }

    /// @return how long a run may take: at least 5 s, and many times as long as it takes alone
    Time GetLimit() const
    {
        // Each message of an all-reduce waits for one from the other side, twice
        const double nDelays =
            m_scenario.isLong ? 2.0 * m_settings.longRoundTrips
                              : 2.0 * m_settings.layers + static_cast<double>(m_settings.bursts);
        double bytes = 0;
        for (const auto& flow : m_flows)
        {
            bytes += static_cast<double>(flow.spec.bytes);
        }
        if (!m_scenario.isLong)
        {
            bytes +=
                static_cast<double>(m_settings.layers) * m_settings.pairs * m_settings.layerBytes;
        }
        const auto rate = static_cast<double>(
            std::min(m_settings.coreRate.GetBitRate(), PreEcnSettings::HOST_RATE));
        const double alone = nDelays * m_scenario.delay.GetSeconds() + 8 * bytes / rate;
        return Seconds(std::clamp(LIMIT_FACTOR * alone, LEAST_LIMIT, LARGEST_LIMIT));
    }

    /// @return the share done in this process, of flows' bytes or, if less, of operations
    double GetShareDone() const
    {
        const double ofFlows = m_flows.empty() ? 1 : m_records.front()->GetShareDone();
        return m_scenario.isLong ? ofFlows : std::min(ofFlows, m_ranks.GetShareDone());
    }

    /// Connect hosts with RoceNics. The simulation stops when all is done, or something fails.
    /// detour: how much longer packets may take, one way, than by the shortest path.
    void Install(const WanHelper& network, Time detour)
    {
        m_hosts.resize(m_settings.sites);
        NodeContainer ranks;
        for (uint32_t site = 0; site < m_settings.sites; ++site)
        {
            const auto& aidc = network.GetAidc(site);
            for (uint32_t i = 0; i < m_settings.pairs; ++i)
            {
                m_hosts[site].push_back(GetHost(network, site, i, m_settings.pairs, 0));
                ranks.Add(aidc.GetNode(m_hosts[site].back()));
            }
            for (uint32_t i = 0; i < m_settings.senders; ++i)
            {
                m_hosts[site].push_back(GetHost(network, site, i, m_settings.senders, 1));
            }
        }
        for (const NodeIndex host : m_hosts[0])
        {
            m_senders.Add(network.GetAidc(0).GetNode(host));
        }
        // All pairs of data centers have paths of the same delays.
        RocePath path = RoceFlowHelper::GetPath(network.GetPath(m_hosts[0][0], m_hosts[1][0]),
                                                PreEcnSettings::PATH_MTU,
                                                network.GetAidc(0).GetFrameOverhead());
        path.queueing += 2 * detour;
        if (!m_scenario.isLong)
        {
            m_ranks.Install(ranks, RoceRankHelper::Connect(m_ranks.GetPlan(), ranks, path));
        }
        for (uint32_t host = m_scenario.isLong ? 0 : m_settings.pairs; host < m_hosts[0].size();
             ++host)
        {
            for (uint32_t a = 0; a < m_settings.sites; ++a)
            {
                for (uint32_t b = a + 1; b < m_settings.sites; ++b)
                {
                    InstallFlows(network, a, b, host, path);
                }
            }
        }
        // While long flows are under way, whatever the scheme
        const Time duration =
            m_scenario.isLong ? m_settings.GetLongTime(m_scenario) * 3 / 4 : Time();
        // One way, the last data center sends nothing.
        for (uint32_t site = 0; site < m_settings.sites - (m_scenario.isBothWays ? 0 : 1); ++site)
        {
            m_records.push_back(
                InstallVictims(network.GetAidc(site), duration, m_settings.victimClass));
        }
        StopWhen(MicroSeconds(10), [this] {
            const bool haveFlowsFailed =
                std::any_of(m_records.begin(), m_records.end(), [](const auto& records) {
                    return records->HasFailed();
                });
            return AreAll(&FlowRecords::AreAllDone) || m_ranks.HasFailed() || haveFlowsFailed;
        });
    }

    /// Get the hosts of the first data center that send, the ranks' first. @return the hosts
    NodeContainer GetSenders() const
    {
        return m_senders;
    }

    /// Find out what has been done. With several processes (MpiProcesses), each one calls it after
    /// the simulation, and calls the functions below, too.
    void Gather()
    {
        for (const auto& records : m_records)
        {
            records->Gather();
        }
    }

    /// Tell whether all is done. @return whether it is
    bool IsDone() const
    {
        return AreAll(&FlowRecords::IsDone);
    }

    /// Tell what is not done, and why. @return the text, in one line; empty if all is done
    std::string DescribeUnfinished() const
    {
        std::string text;
        const auto add = [&text](const std::string& more) {
            text += (text.empty() || more.empty() ? "" : "; ") + more;
        };
        add(m_scenario.isLong ? "" : m_ranks.DescribeUnfinished());
        for (uint32_t i = 0; i < m_records.size(); ++i)
        {
            const std::string where =
                i == 0 ? "" : "within data center " + WanPlan::GetSiteName(i - 1) + ", ";
            add(m_records[i]->IsDone() ? ""
                                       : where + m_records[i]->DescribeUnfinished("under way"));
        }
        return text;
    }

    /// Get when the all-reduces have ended, or the long flows, if all is done. @return the time
    Time GetCompletionTime() const
    {
        Time finish;
        for (const auto& record : m_ranks.GetRankRecords())
        {
            finish = std::max(finish, record.finish);
        }
        return m_scenario.isLong ? GetFinish() : finish;
    }

    /// Get when the last traffic of the WAN has ended, bursts too, if all is done. @return the time
    Time GetFinish() const
    {
        Time finish = m_scenario.isLong ? Time() : GetCompletionTime();
        for (const auto& record : GetRecords())
        {
            finish = std::max(finish, record.finish);
        }
        return finish;
    }

    /// @return the longest time of a message within a data center
    Time GetLongestVictimTime() const
    {
        Time longest;
        for (auto victims = m_records.begin() + 1; victims != m_records.end(); ++victims)
        {
            for (const auto& record : (*victims)->Get())
            {
                longest = std::max(longest, record.fct);
            }
        }
        return longest;
    }

    /// Get the bytes that have crossed the WAN as payload, of what has ended. @return the bytes
    uint64_t GetBytes() const
    {
        uint64_t bytes = m_records.front()->GetDeliveredBytes();
        for (const auto& record : m_ranks.GetCollectiveRecords())
        {
            // Each of the two sends as much as the buffer, half of it in either step.
            bytes += record.isDone ? 2 * record.bytes : 0;
        }
        return bytes;
    }

    /// Get the outcomes of the flows. @return the records
    const std::vector<FlowRecord>& GetRecords() const
    {
        return m_records.front()->Get();
    }

  private:
    /// A flow of a burst, or a long one.
    struct Flow
    {
        FlowSpec spec;    //!< the flow
        uint32_t from{0}; //!< the data center that sends
        uint32_t to{1};   //!< the one that receives
        uint32_t host{0}; //!< which of the hosts there that have a peer
    };

    /// Connect two hosts, and have them send their flows.
    void InstallFlows(const WanHelper& network,
                      uint32_t a,
                      uint32_t b,
                      uint32_t host,
                      const RocePath& path)
    {
        const auto getNode = [this, &network, host](uint32_t site) {
            return network.GetAidc(site).GetNode(m_hosts[site][host]);
        };
        const auto links = network.GetPath(m_hosts[a][host], m_hosts[b][host], a, b).links;
        const auto [qpA, qpB] = RoceHelper::Connect(getNode(a), getNode(b), path);
        RoceFlowHelper::Record(getNode(a), qpA, getNode(b), qpB, m_records.front());
        RoceFlowHelper::Record(getNode(b), qpB, getNode(a), qpA, m_records.front());
        for (auto& [spec, from, to, ofHost] : m_flows)
        {
            if (ofHost == host && std::min(from, to) == a && std::max(from, to) == b)
            {
                spec.source = m_hosts[from][host];
                spec.destination = m_hosts[to][host];
                const Time ideal =
                    RoceFlowHelper::GetIdealFct(links,
                                                spec.bytes,
                                                PreEcnSettings::PATH_MTU,
                                                network.GetAidc(0).GetFrameOverhead());
                RoceFlowHelper::Post(m_records.front(),
                                     spec,
                                     ideal,
                                     getNode(from),
                                     from == a ? qpA : qpB);
            }
        }
    }

    /// Get a host of a job. The offset is 0 for ranks, 1 for bursts.
    static NodeIndex GetHost(const WanHelper& network,
                             uint32_t site,
                             uint32_t i,
                             uint32_t n,
                             uint32_t offset)
    {
        const auto& hosts = network.GetAidc(site).GetFabric().GetHosts();
        return hosts[i * hosts.size() / n + offset];
    }

    /// Tell whether all is done. isDone: FlowRecords::IsDone(), or AreAllDone() before Gather().
    bool AreAll(bool (FlowRecords::*isDone)() const) const
    {
        return (m_scenario.isLong || m_ranks.IsDone()) &&
               std::all_of(m_records.begin(), m_records.end(), [isDone](const auto& records) {
                   return (PeekPointer(records)->*isDone)();
               });
    }

    const PreEcnSettings& m_settings; //!< what the user has set
    const PreEcnScenario m_scenario;  //!< the scenario
    RankApplicationHelper m_ranks;    //!< the ranks
    std::vector<Flow> m_flows;        //!< the flows
    NodeContainer m_senders;          //!< hosts of the first data center
    /// The outcomes of the flows, and then of the messages within each data center
    std::vector<Ptr<FlowRecords>> m_records;
    /// By data center, the hosts that have a peer: of ranks, then of bursts
    std::vector<std::vector<NodeIndex>> m_hosts;
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_TRAFFIC_H
