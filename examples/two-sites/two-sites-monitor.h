// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TWO_SITES_MONITOR_H
#define AIDC_TWO_SITES_MONITOR_H

#include "two-sites-network.h"
#include "two-sites-traffic.h"

#include "ns3/csig-truth-monitor.h"
#include "ns3/experiment-base.h"
#include "ns3/flow-records.h"
#include "ns3/flow-set-monitor.h"
#include "ns3/flow-set-selector.h"
#include "ns3/link-load-monitor.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/pause-monitor.h"
#include "ns3/process-gather.h"
#include "ns3/ptr.h"
#include "ns3/queue-disc.h"
#include "ns3/roce-helper.h"
#include "ns3/sample-statistics.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/wan-reaction-monitor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// How often the loads of links are sampled, and over which time CSIG's truth has its averages
const Time INTERVAL = MicroSeconds(100);
/// The resolution of CSIG's truth in time
const Time BIN = MicroSeconds(10);

/// Get the bytes that a port has sent. @return the bytes; 0 if the node is of another process
uint64_t
GetSentBytes(const FabricHelper& aidc, NodeIndex node, PortIndex port)
{
    if (!aidc.IsLocal(node))
    {
        return 0;
    }
    const auto layer = aidc.GetNode(node)->GetObject<TrafficControlLayer>();
    return layer->GetRootQueueDiscOnDevice(aidc.GetPort(node, port))->GetStats().nTotalSentBytes;
}

/// Get the completion times of flows.
std::vector<double>
GetTimes(const std::vector<FlowRecord>& records)
{
    std::vector<double> times;
    for (const auto& record : records)
    {
        times.push_back(record.fct.GetSeconds());
    }
    return times;
}

} // namespace

/// Watches a run of TwoSitesExperiment: for each mechanism, what it is for.
class TwoSitesMonitor
{
  public:
    /// The network and its traffic, which is installed, outlive this.
    TwoSitesMonitor(const TwoSitesSettings& settings,
                    const TwoSitesNetwork& network,
                    const TwoSitesTraffic& traffic,
                    const TwoSitesMechanisms& mechanisms)
        : m_network(network),
          m_traffic(traffic),
          m_degradedCapacity(settings.degraded / (settings.degraded + settings.k / 2 - 1)),
          m_hasFlowSets(mechanisms.flowSet),
          m_pauses(TwoSitesSettings::PRIORITY),
          m_load(INTERVAL),
          // From the first core router to a receiver, and back to its sender
          m_reactions(network.GetT1(), 2 * settings.wanDelay - settings.GetEdgeDelay())
    {
        const auto& wan = network.GetWan();
        m_pauses.Add(wan.GetSwitches());
        m_pauses.Add(wan.GetHosts());
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            AddSwitches(site);
        }
        if (mechanisms.csig)
        {
            m_truth = std::make_unique<CsigTruthMonitor>(network.GetDomain(0), INTERVAL, BIN);
            m_truth->AddFabric(wan.GetAidc(0));
        }
        AddWan();
        m_load.Start();
    }

    TwoSitesMonitor(const TwoSitesMonitor&) = delete;
    TwoSitesMonitor& operator=(const TwoSitesMonitor&) = delete;

    /// Stop watching loads.
    void Stop()
    {
        m_load.Stop();
    }

    /// Add what was seen.
    ///
    /// The metrics are
    /// - of coupled ECN: `pauses` of all ports, `paused_time` (their sum), `xoffs` of switches, and
    ///   `unmarked_xoffs`, XOFFs that came before any mark;
    /// - of flow sets: `migrations`, the load_imbalance of uplinks (LinkLoadMonitor), and the
    ///   elephants' mean and longest completion times;
    /// - of FARE: `degraded_share`, the share of the first leaf's traffic to and from spines that
    ///   the degraded link carries, `degraded_misfit`, by how much it differs from the link's share
    ///   of the capacity, and `leaf_slowdown`, the mean over the flows that use these links;
    /// - of pre-ECN: `edge_reaction_time`, `sender_reaction_time`, and `reaction_time`, the first
    /// of
    ///   both; `wan_drops` of core routers, and `burst_fct`;
    /// - of CSIG: `waiting_port_named`, the share of the tags of max(PD) that name the port where
    ///   the packet has waited longest, and `full_port_named`, the share of the tags of min(ABW)
    ///   that name the port with the least bandwidth left, in the first data center. Without tags,
    ///   both are the share that a guess among the ports on the way hits.
    /// @param outcome where the metrics go
    void AddTo(ExperimentOutcome& outcome) const
    {
        outcome.Add("pauses", m_pauses.GetPauses(), "1");
        outcome.Add("paused_time", m_pauses.GetPausedTime().GetSeconds(), "s");
        outcome.Add("xoffs", m_pauses.GetXoffs(), "1");
        outcome.Add("unmarked_xoffs", m_pauses.GetUnmarkedXoffs(), "1");
        outcome.Add("migrations", m_flowSets.GetMigrations(), "1");
        outcome.Add("load_imbalance", m_load.GetSpread() / m_load.GetMean(), "1");
        std::vector<double> elephants;
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            const auto times = GetTimes(m_traffic.GetElephants(site));
            elephants.insert(elephants.end(), times.begin(), times.end());
        }
        outcome.Add("elephant_fct", Mean(elephants), "s");
        outcome.Add("elephant_fct_max", *std::max_element(elephants.begin(), elephants.end()), "s");
        AddDegraded(outcome);
        AddWanTo(outcome);
        AddNamed(outcome);
    }

  private:
    /// Watch the uplinks and the flow sets of a data center. @param site the data center
    void AddSwitches(uint32_t site)
    {
        const auto& aidc = m_network.GetWan().GetAidc(site);
        const FabricPlan& plan = aidc.GetFabric();
        for (const NodeIndex id : plan.GetSwitches())
        {
            if (!aidc.IsLocal(id))
            {
                continue;
            }
            std::vector<Ptr<NetDevice>> uplinks;
            for (const PortIndex port : plan.GetUplinks(id))
            {
                uplinks.push_back(aidc.GetPort(id, port));
            }
            if (!uplinks.empty())
            {
                m_load.AddGroup(uplinks);
            }
            if (m_hasFlowSets)
            {
                const auto routing = MultipathRoutingHelper::GetRouting(aidc.GetNode(id));
                m_flowSets.Add(DynamicCast<FlowSetSelector>(routing->GetSelector()), {});
            }
        }
    }

    /// Watch the WAN.
    void AddWan()
    {
        for (const auto& queue : m_network.GetBottlenecks())
        {
            m_reactions.AddQueue(queue);
        }
        for (const auto& [nic, qps] : m_traffic.GetBurstSenders())
        {
            m_reactions.AddSender(nic, qps);
        }
        const auto& plan = m_network.GetWan().GetPlan();
        for (const auto& [router, controller] : m_network.GetPreEcn().GetControllers())
        {
            if (plan.GetRouters()[router].site == 0)
            {
                m_reactions.AddEdge(controller);
            }
        }
    }

    /// @param outcome where the metrics of the first leaf's links go
    void AddDegraded(ExperimentOutcome& outcome) const
    {
        const auto& aidc = m_network.GetWan().GetAidc(0);
        const FabricPlan& plan = aidc.GetFabric();
        const NodeIndex leaf = plan.GetLeaves().front();
        uint64_t allBytes = 0;
        uint64_t degradedBytes = 0;
        const auto uplinks = plan.GetUplinks(leaf);
        for (const PortIndex port : uplinks)
        {
            const auto& link = plan.GetLinks()[plan.GetPorts(leaf)[port].link];
            const uint64_t bytes =
                GetSentBytes(aidc, link.a, link.aPort) + GetSentBytes(aidc, link.b, link.bPort);
            allBytes += bytes;
            degradedBytes += port == uplinks.front() ? bytes : 0;
        }
        const auto all = static_cast<double>(SumOverProcesses(allBytes));
        const auto degraded = static_cast<double>(SumOverProcesses(degradedBytes));
        std::vector<double> slowdowns;
        for (const auto* records : {&m_traffic.GetElephants(0), &m_traffic.GetStorage(0)})
        {
            for (const auto& record : *records)
            {
                const bool isFrom = plan.GetLeaf(record.spec.source) == leaf;
                const bool isTo = plan.GetLeaf(record.spec.destination) == leaf;
                if (isFrom != isTo)
                {
                    slowdowns.push_back(record.slowdown);
                }
            }
        }
        outcome.Add("degraded_share", degraded / all, "1");
        outcome.Add("degraded_misfit", std::abs(degraded / all - m_degradedCapacity), "1");
        outcome.Add("leaf_slowdown", Mean(slowdowns), "1");
    }

    /// @param outcome where the metrics of the WAN go
    void AddWanTo(ExperimentOutcome& outcome) const
    {
        const double edge = m_reactions.GetEdgeReactionTime();
        const double sender = m_reactions.GetSenderReactionTime();
        uint64_t drops = 0;
        const auto cores = m_network.GetWan().GetCores();
        for (auto core = cores.Begin(); core != cores.End(); ++core)
        {
            const auto layer = (*core)->GetObject<TrafficControlLayer>();
            for (uint32_t i = 0; i < (*core)->GetNDevices(); ++i)
            {
                const auto queueDisc = layer->GetRootQueueDiscOnDevice((*core)->GetDevice(i));
                drops += queueDisc ? queueDisc->GetStats().nTotalDroppedPackets : 0;
            }
        }
        outcome.Add("edge_reaction_time", edge, "s");
        outcome.Add("sender_reaction_time", sender, "s");
        outcome.Add("reaction_time", std::fmin(edge, sender), "s");
        outcome.Add("wan_drops", SumOverProcesses(drops), "packet");
        outcome.Add("burst_fct", Mean(GetTimes(m_traffic.GetBursts())), "s");
    }

    /// @param outcome where the metrics of CSIG go
    void AddNamed(ExperimentOutcome& outcome) const
    {
        const auto add = [this, &outcome](const std::string& name, CsigSignal signal) {
            const auto accuracy = m_truth ? m_truth->GetAccuracy(signal) : CsigAccuracy();
            outcome.Add(name, accuracy.nSignals > 0 ? accuracy.rightPort : GetGuess(), "1");
        };
        add("waiting_port_named", CsigSignal::HOP_DELAY);
        add("full_port_named", CsigSignal::ABW);
    }

    /// @return the share of bottlenecks that a guess among the ports on the way hits
    double GetGuess() const
    {
        const auto& aidc = m_network.GetWan().GetAidc(0);
        double hits = 0;
        double n = 0;
        for (const auto* records : {&m_traffic.GetElephants(0), &m_traffic.GetStorage(0)})
        {
            for (const auto& record : *records)
            {
                const auto path = aidc.GetPath(record.spec.source, record.spec.destination);
                const auto bytes = static_cast<double>(record.spec.bytes);
                // All links but the host's begin at a port of a switch.
                hits += bytes / static_cast<double>(path.links.size() - 1);
                n += bytes;
            }
        }
        return hits / n;
    }

    const TwoSitesNetwork& m_network;          //!< the network
    const TwoSitesTraffic& m_traffic;          //!< its traffic
    const double m_degradedCapacity;           //!< the degraded link's share of its leaf's capacity
    const bool m_hasFlowSets;                  //!< whether switches have flow sets
    PauseMonitor m_pauses;                     //!< pauses and XOFFs
    LinkLoadMonitor m_load;                    //!< the loads of uplinks
    FlowSetMonitor m_flowSets;                 //!< migrations
    WanReactionMonitor m_reactions;            //!< who reacts to congestion in the WAN
    std::unique_ptr<CsigTruthMonitor> m_truth; //!< of the first data center; null without CSIG
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_MONITOR_H
