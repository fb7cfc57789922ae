/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FAILURES_NETWORK_H
#define AIDC_FAILURES_NETWORK_H

#include "failure-probe.h"

#include "ns3/bfd-speaker.h"
#include "ns3/bgp-fabric-helper.h"
#include "ns3/bgp-message.h"
#include "ns3/bgp-speaker.h"
#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/experiment-options.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-helper.h"
#include "ns3/link-failure-error-model.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/process-gather.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * ns3::aidc::FailuresSettings and FailuresNetwork declarations.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What a user may set of FabricFailuresExperiment.
struct FailuresSettings
{
    uint32_t leaves{8};                 //!< leaves
    uint32_t spines{4};                 //!< spines
    uint32_t hosts{2};                  //!< hosts of a leaf
    Time interval{MicroSeconds(1)};     //!< between packets of a host
    Time detection{MicroSeconds(50)};   //!< until a port knows of its link
    Time hold{Seconds(9)};              //!< hold time of BGP
    Time bfdInterval{MilliSeconds(50)}; //!< between packets of BFD
    uint32_t bfdMultiplier{3};          //!< intervals without a packet until a link has failed
    Time restart{Seconds(2)};           //!< until a restarting speaker is back
    Time drain{Seconds(1)};             //!< between graceful shutdown and shutdown
    Time down{Seconds(20)};             //!< until what has failed is back
};

namespace
{

/// The rate of hosts, and of links between switches, so that leaves do not block.
constexpr uint64_t RATE = 25'000'000'000; // bit/s
/// Of all links.
constexpr int64_t DELAY = 1000; // ns
/// The first random variable stream of the network.
constexpr int64_t NETWORK_STREAM = 1000;
/// The first random variable stream of the speakers.
constexpr int64_t BGP_STREAM = 10000;
/// The part of a speaker's restart after which a link fails.
constexpr int64_t RESTART_PARTS = 4;

/// Make the network. @param settings what the user has set @return the plan
FabricPlan
MakePlan(const FailuresSettings& settings)
{
    LeafSpineSettings shape;
    shape.leaves = settings.leaves;
    shape.spines = settings.spines;
    shape.hostsPerLeaf = settings.hosts;
    shape.hostRate = shape.leafSpineRate = RATE;
    shape.hostDelay = shape.leafSpineDelay = DELAY;
    return MakeLeafSpine(shape);
}

} // namespace

/**
 * @ingroup aidc
 * @brief The fabric of a scheme, and what happens to it in a scenario.
 */
class FailuresNetwork
{
  public:
    /**
     * @brief Constructor.
     * @param settings what the user has set
     * @param options the options of all experiments
     * @param scenario the name of the scenario
     * @param scheme the name of the scheme
     */
    FailuresNetwork(const FailuresSettings& settings,
                    const ExperimentOptions& options,
                    const std::string& scenario,
                    const std::string& scheme)
        : m_settings(settings),
          m_scenario(scenario),
          m_drains(scheme == "drain")
    {
        options.Configure(m_network);
        m_network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        m_network.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        m_network.SetDetectionDelay(settings.detection);
        m_network.Build(MakePlan(settings));
        m_network.AssignAddresses();
        m_network.AssignStreams(NETWORK_STREAM);
        m_bgp.SetSpeakerAttribute("HoldTime", TimeValue(settings.hold));
        m_bgp.SetSpeakerAttribute("GracefulRestart", BooleanValue(scheme == "graceful-restart"));
        if (scheme == "bfd")
        {
            m_bgp.SetBfd(settings.bfdInterval, static_cast<uint8_t>(settings.bfdMultiplier));
        }
        if (scheme == "bfd" || scheme == "hold-time")
        {
            m_bgp.SetSpeakerAttribute("WatchLinks", BooleanValue(false));
        }
        m_bgp.Install(m_network);
        m_bgp.AssignStreams(BGP_STREAM);

        const FabricPlan& fabric = m_network.GetFabric();
        const auto& switches = fabric.GetSwitches();
        m_leaf = fabric.GetLeaves().front();
        m_spine = *std::find_if(switches.begin(), switches.end(), [&fabric](NodeIndex id) {
            return fabric.GetNode(id).tier == FabricTier::SPINE;
        });
        for (const auto& port : fabric.GetPorts(m_spine))
        {
            m_links.push_back(port.link);
        }
        const Callback<void, const BgpPrefix&, const std::vector<BgpRibPath>&> noteChange(
            [this](const BgpPrefix&, const std::vector<BgpRibPath>&) {
                m_changes.push_back(Simulator::Now().GetTimeStep());
            });
        for (const NodeIndex node : switches)
        {
            if (m_network.IsLocal(node))
            {
                m_bgp.GetSpeaker(node)->TraceConnectWithoutContext("RouteChange", noteChange);
            }
        }
        FailInSilence();
    }

    FailuresNetwork(const FailuresNetwork&) = delete;
    FailuresNetwork& operator=(const FailuresNetwork&) = delete;

    /// Schedule the failure of the scenario. @param failure when it happens
    void Schedule(Time failure)
    {
        Simulator::Schedule(failure - Simulator::Now(), [this] { m_before = Count(); });
        const Time restoration = failure + m_settings.down;
        if (m_scenario == "link" || m_scenario == "spine")
        {
            const std::size_t n = m_scenario == "link" ? 1 : m_links.size();
            for (std::size_t i = 0; i < n; ++i)
            {
                At(failure, [this, i] { m_network.FailLink(m_links[i]); });
                At(restoration, [this, i] { m_network.RestoreLink(m_links[i]); });
            }
        }
        else if (!m_directions.empty())
        {
            for (const auto& direction : m_directions)
            {
                At(failure, [direction] { direction->Fail(); });
                At(restoration, [direction] { direction->Restore(); });
            }
        }
        else if (m_scenario == "maintenance")
        {
            if (m_drains)
            {
                At(failure, [this] { m_bgp.Drain(m_spine); });
                At(restoration + m_settings.drain, [this] { m_bgp.Undrain(m_spine); });
            }
            At(failure + m_settings.drain * (m_drains ? 1 : 0), [this] { SetStopped(true); });
            At(restoration, [this] { SetStopped(false); });
        }
        else
        {
            const NodeIndex node = m_scenario == "restart-leaf" ? m_leaf : m_spine;
            At(failure, [this, node] {
                if (m_network.IsLocal(node))
                {
                    m_bgp.GetSpeaker(node)->Restart(m_settings.restart);
                }
            });
            m_steps.push_back(failure + m_settings.restart);
            if (m_scenario == "restart-failure")
            {
                At(failure + m_settings.restart / RESTART_PARTS,
                   [this] { m_network.FailLink(m_links.front()); });
            }
        }
    }

    /// @return the fabric
    const FabricHelper& GetFabric() const
    {
        return m_network;
    }

    /// Get when something happens: what is scheduled, and changes of routes that have happened.
    /// Of several processes (MpiProcesses), each one calls it after the simulation, as all
    /// functions below.
    /// @return the times, ascending; of several within the probe's lead, the first one
    std::vector<Time> GetMoments() const
    {
        std::vector<Time> all = m_steps;
        const Time first = *std::min_element(m_steps.begin(), m_steps.end());
        for (const int64_t change : GatherItems(m_changes))
        {
            if (TimeStep(change) > first)
            {
                all.push_back(TimeStep(change));
            }
        }
        std::sort(all.begin(), all.end());
        std::vector<Time> moments;
        for (const Time& time : all)
        {
            if (moments.empty() || time > moments.back() + NanoSeconds(FailureProbe::LEAD))
            {
                moments.push_back(time);
            }
        }
        return moments;
    }

    /// @param from a time
    /// @param to another one
    /// @return when routes have changed last between them; not a number of seconds if never
    double GetLastChange(Time from, Time to) const
    {
        double last = std::nan("");
        for (const int64_t change : GatherItems(m_changes))
        {
            const Time time = TimeStep(change);
            if (time >= from && time < to && !(time.GetSeconds() <= last))
            {
                last = time.GetSeconds();
            }
        }
        return last;
    }

    /// @return messages and bytes of BGP without KEEPALIVEs, and packets of BFD, from the failure
    /// on
    std::vector<ResultMetric> GetMetrics() const
    {
        auto metrics = Count();
        for (std::size_t i = 0; i < metrics.size(); ++i)
        {
            metrics[i].value -= m_before[i].value;
        }
        return metrics;
    }

  private:
    /// Have something happen.
    void At(Time time, const std::function<void()>& act)
    {
        m_steps.push_back(time);
        Simulator::Schedule(time - Simulator::Now(), act);
    }

    /// Let the ports that receive what is silently lost lose it, once m_directions fail.
    void FailInSilence()
    {
        const FabricPlan& fabric = m_network.GetFabric();
        const bool isLink = m_scenario == "silent-link" || m_scenario == "silent-direction";
        if (!isLink && m_scenario != "silent-spine")
        {
            return;
        }
        for (const NodeIndex node : fabric.GetSwitches())
        {
            const auto& ports = fabric.GetPorts(node);
            for (PortIndex port; port < ports.GetEnd(); ++port)
            {
                const NodeIndex peer = ports[port].peer;
                const bool isUp = node == m_spine && (!isLink || peer == m_leaf);
                const bool isDown = peer == m_spine && (!isLink || node == m_leaf);
                if (isUp || (isDown && m_scenario != "silent-direction"))
                {
                    // Each process has all of them, so that each schedules the same.
                    m_directions.push_back(CreateObject<LinkFailureErrorModel>());
                    if (m_network.IsLocal(node))
                    {
                        m_network.GetPort(node, port)
                            ->SetAttribute("ReceiveErrorModel", PointerValue(m_directions.back()));
                    }
                }
            }
        }
    }

    /// Stop or start all sessions of the first spine. @param isStopped whether they stop
    void SetStopped(bool isStopped)
    {
        if (!m_network.IsLocal(m_spine))
        {
            return;
        }
        const auto speaker = m_bgp.GetSpeaker(m_spine);
        for (uint32_t peer = 0; peer < speaker->GetNPeers(); ++peer)
        {
            isStopped ? speaker->StopPeer(peer) : speaker->StartPeer(peer);
        }
    }

    /// Get messages and bytes of BGP without KEEPALIVEs, and packets of BFD, so far.
    std::vector<ResultMetric> Count() const
    {
        const auto sent = m_bgp.GetStatistics().sent;
        const auto total = sent.GetTotal();
        const auto keepalives = sent.Get(BgpMessageType::KEEPALIVE);
        uint64_t nPackets = 0;
        for (const NodeIndex id : m_network.GetFabric().GetSwitches())
        {
            if (const auto bfd = BfdSpeaker::Find(m_network.GetNode(id)))
            {
                nPackets += bfd->GetStatistics().sent;
            }
        }
        return {{"bgp_messages", static_cast<double>(total.messages - keepalives.messages), "1"},
                {"bgp_bytes", static_cast<double>(total.bytes - keepalives.bytes), "byte"},
                {"bfd_packets", static_cast<double>(SumOverProcesses(nPackets)), "packet"}};
    }

    FailuresSettings m_settings;                          //!< what the user has set
    std::string m_scenario;                               //!< the scenario
    bool m_drains;                                        //!< whether spines are drained
    FabricHelper m_network;                               //!< the fabric
    BgpFabricHelper m_bgp;                                //!< its speakers
    NodeIndex m_leaf;                                     //!< the first leaf
    NodeIndex m_spine;                                    //!< the first spine
    std::vector<LinkIndex> m_links;                       //!< of the spine, to the leaf first
    std::vector<Ptr<LinkFailureErrorModel>> m_directions; //!< that silently fail
    std::vector<Time> m_steps;                            //!< what is scheduled
    std::vector<int64_t> m_changes;                       //!< of routes, in time steps
    std::vector<ResultMetric> m_before;                   //!< metrics at the failure
};

} // namespace ns3::aidc

#endif // AIDC_FAILURES_NETWORK_H
