/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_NETWORK_H
#define AIDC_FARE_CLOS_NETWORK_H

#include "fare-clos-scenario.h"
#include "fare-clos-settings.h"

#include "ns3/bgp-fabric-helper.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/experiment-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/spray-selector.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// The exponent of the retransmission timeout, 0.5 ms: a link that fails loses packets.
constexpr uint8_t ACK_TIMEOUT = 7;
/// Times of available bandwidth for runs of a millisecond, where its defaults are for seconds.
const Time LOOK_INTERVAL = MicroSeconds(10);   //!< between two looks at loads
const Time UPDATE_INTERVAL = MicroSeconds(20); //!< between two updates of a link
const Time TIME_CONSTANT = MicroSeconds(600);  //!< of the average load
/// The first random variable stream of the network.
constexpr int64_t NETWORK_STREAM = 1000;
/// The first one of the speakers.
constexpr int64_t BGP_STREAM = 10000;

/// Tell whether a scheme weighs paths.
bool
HasWeights(const std::string& scheme)
{
    return scheme.rfind("fare", 0) == 0;
}

/// Tell whether a scheme tells leaves their share of the uplinks of spines.
bool
SharesUplinks(const std::string& scheme)
{
    return scheme.rfind("fare-share", 0) == 0;
}

/// Tell whether a scheme weighs links by what is available of them.
bool
UsesAvailable(const std::string& scheme)
{
    return scheme.rfind("fare-available", 0) == 0;
}

/// Tell whether a scheme sends packets in turn, and not flows.
bool
Sprays(const std::string& scheme)
{
    const std::string end = "-spray";
    return scheme.size() > end.size() && scheme.substr(scheme.size() - end.size()) == end;
}

MultipathRoutingHelper
MakeRouting(const std::string& scheme)
{
    if (scheme == "flow-set")
    {
        MultipathRoutingHelper routing("ns3::aidc::FlowSetEcmpRouting");
        routing.SetSelector("ns3::aidc::FlowSetSelector");
        // As in flowset-ecmp: runs of milliseconds do not see the draft's interval of 10 ms.
        if (!HasUserDefault("ns3::aidc::FlowSetSelector::AssessmentInterval"))
        {
            routing.SetSelectorAttribute("AssessmentInterval", TimeValue(MicroSeconds(100)));
        }
        return routing;
    }
    MultipathRoutingHelper routing(HasWeights(scheme) ? "ns3::aidc::PathBandwidthRouting"
                                                      : "ns3::aidc::MultipathRouting");
    if (Sprays(scheme))
    {
        routing.SetSelector("ns3::aidc::SpraySelector");
        routing.SetSelectorAttribute("Mode", EnumValue(SpraySelector::ROUND_ROBIN));
        routing.SetSelectorAttribute("Weighted", BooleanValue(HasWeights(scheme)));
    }
    return routing;
}

/// Make what installs switches, which mark as DCQCN is configured: by a band.
SharedBufferSwitchHelper
MakeSwitches(const FareClosSettings& settings)
{
    constexpr uint32_t all = SharedBufferSwitchHelper::ALL_CLASSES;
    auto switches = settings.switches.MakeStatic();
    switches.SetQueueDiscAttribute(all, "Mode", StringValue("StaticRed"));
    switches.SetQueueDiscAttribute(all,
                                   "Kmin",
                                   QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, settings.kmin)));
    switches.SetQueueDiscAttribute(all,
                                   "Kmax",
                                   QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, settings.kmax)));
    switches.SetQueueDiscAttribute(all, "Pmax", DoubleValue(settings.pmax));
    return switches;
}

} // namespace

/// @ingroup aidc
/// @brief The network of FareClosExperiment: switches that speak BGP, and hosts with RoCEv2.
class FareClosNetwork
{
  public:
    /// Constructor; builds the network.
    /// @param settings what the user has set
    /// @param options the options of all experiments
    /// @param scenario the scenario, which outlives this
    /// @param scheme the scheme
    FareClosNetwork(const FareClosSettings& settings,
                    const ExperimentOptions& options,
                    const FareClosScenario& scenario,
                    const std::string& scheme)
        : m_scenario(scenario),
          m_transport(settings.transport)
    {
        options.Configure(m_network);
        m_transport.Configure(m_network);
        m_network.SetSwitchRouting(MakeRouting(scheme));
        m_network.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        m_network.SetDetectionDelay(settings.detection);
        m_network.Build(scenario.fabric);
        m_transport.InstallSwitches(MakeSwitches(settings), m_network);
        m_network.AssignAddresses();
        m_network.AssignStreams(NETWORK_STREAM);
        m_bgp.SetSpeakerAttribute("UsePathBandwidth", BooleanValue(HasWeights(scheme)));
        m_bgp.SetSpeakerAttribute("ShareUplinks", BooleanValue(SharesUplinks(scheme)));
        if (UsesAvailable(scheme))
        {
            UseAvailableBandwidth();
        }
        m_bgp.Install(m_network);
        m_bgp.AssignStreams(BGP_STREAM);
        m_transport.InstallHosts(m_network);
        const auto hosts = m_network.GetHosts();
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            const auto nic = RoceHelper::GetNic(*host);
            nic->SetAttribute("ReorderWindow", UintegerValue(settings.reorderWindow));
            SetDerived(*nic, "AckTimeout", UintegerValue(ACK_TIMEOUT));
        }
        for (const LinkIndex link : scenario.failed)
        {
            m_network.FailLink(link);
        }
        for (const LinkIndex link : scenario.slowed)
        {
            SlowDown(link, scenario.left.GetLinks()[link].rate);
        }
    }

    FareClosNetwork(const FareClosNetwork&) = delete;
    FareClosNetwork& operator=(const FareClosNetwork&) = delete;

    /// Have the scenario's link fail.
    /// @param failure when
    /// @param restoration when it comes back
    void ScheduleFailure(Time failure, Time restoration)
    {
        m_network.ScheduleFailure(*m_scenario.lost, failure, restoration);
    }

    /// @return the network
    const FabricHelper& GetFabric() const
    {
        return m_network;
    }

    /// Get the speakers of the switches. @return the speakers
    const BgpFabricHelper& GetBgp() const
    {
        return m_bgp;
    }

    /// Get the metrics of transport and queues. @return the metrics
    std::vector<ResultMetric> GetMetrics() const
    {
        std::vector<ResultMetric> metrics;
        const auto counts = m_network.GetPacketCounts();
        metrics.push_back({"dropped_packets", static_cast<double>(counts.dropped), "packet"});
        metrics.push_back({"marked_packets", static_cast<double>(counts.marked), "packet"});
        metrics.push_back(
            {"lost_packets", static_cast<double>(m_network.GetLostPackets()), "packet"});
        metrics.push_back({"packet_hops", static_cast<double>(counts.sent), "packet"});
        const auto more = m_transport.GetMetrics(m_network);
        metrics.insert(metrics.end(), more.begin(), more.end());
        return metrics;
    }

  private:
    /// Have speakers tell what is available of links, with times that fit a run of milliseconds.
    void UseAvailableBandwidth()
    {
        m_bgp.UseAvailableBandwidth();
        const auto set = [this](const std::string& name, Time value) {
            if (!HasUserDefault("ns3::aidc::LinkBandwidthMonitor::" + name))
            {
                m_bgp.SetMonitorAttribute(name, TimeValue(value));
            }
        };
        set("Interval", LOOK_INTERVAL);
        set("UpdateInterval", UPDATE_INTERVAL);
        set("TimeConstant", TIME_CONSTANT);
    }

    /// Have a link go on at a rate, in bit/s, that its speakers do not know.
    void SlowDown(LinkIndex link, uint64_t rate)
    {
        const auto& ends = m_scenario.fabric.GetLinks()[link];
        for (const auto& [node, port] :
             {std::pair(ends.a, ends.aPort), std::pair(ends.b, ends.bPort)})
        {
            if (m_network.IsLocal(node))
            {
                m_network.GetPort(node, port)->SetAttribute("DataRate", DataRateValue(rate));
            }
        }
    }

    const FareClosScenario& m_scenario; //!< the scenario
    ExperimentTransport m_transport;    //!< RoCEv2
    FabricHelper m_network;             //!< the network
    BgpFabricHelper m_bgp;              //!< its speakers
};

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_NETWORK_H
