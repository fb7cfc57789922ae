/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_NETWORK_H
#define AIDC_CSIG_FABRIC_NETWORK_H

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-collector.h"
#include "ns3/csig-fabric-ports.h"
#include "ns3/csig-helper.h"
#include "ns3/data-rate.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/experiment-uplinks.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-records.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/graph-fabric.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/user-default.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The networks of CsigFabricExperiment, and their flows.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// What a user may set of CsigFabricExperiment.
struct CsigFabricSettings
{
    /// The speed of all links that are not slower, in bit/s
    static constexpr uint64_t SPEED = 100'000'000'000;

    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    ExperimentSwitchOptions switches;                         //!< the switches
    ExperimentTransportOptions transport;                     //!< what carries the flows
    Time window{MicroSeconds(100)};                           //!< of the truth and of estimators
    Time period{MicroSeconds(200)};                           //!< of new weights
    Time duration{MilliSeconds(2)};                           //!< while flows arrive
    DataRate rate{"40Gbps"};                                  //!< of flows at a constant rate
    uint32_t size{20000000};                                  //!< of these flows, in bytes
    DataRate threshold{"10Gbps"};                             //!< less is congestion
    double others{0.5};                                       //!< spines and cores without CSIG
    Time softwareInterval{MilliSeconds(1)};                   //!< of agents in software
    bool isSmall{false};                                      //!< whether it is to take seconds
};

/// @ingroup aidc
/// A network with CSIG, and its flows.
struct CsigFabricNetwork
{
    const CsigFabricSettings& settings;       //!< what the user has set
    FabricHelper network{};                   //!< the network
    CsigHelper csig{};                        //!< its CSIG
    std::unique_ptr<CsigFabricPorts> ports{}; //!< LM of its ports

    /// Make the plan of a fat-tree. @param nSlow leaves whose first uplink is slower, at most
    /// @param rate the speed of these uplinks @return the plan
    FabricPlan MakePlan(std::size_t nSlow = 0, uint64_t rate = 0) const
    {
        const FabricPlan tree =
            MakeFatTree(settings.isSmall ? 4 : 8, CsigFabricSettings::SPEED, 1000);
        auto links = tree.GetLinks();
        const auto& leaves = tree.GetLeaves();
        for (std::size_t i = 0; i < leaves.size() && i < nSlow; ++i)
        {
            const PortIndex uplink = GetUplinks(tree, leaves[i]).front();
            links[tree.GetPorts(leaves[i])[uplink].link].rate = rate;
        }
        return MakeFabric(tree.GetName(), tree.GetNNodes(), tree.GetSwitches(), links);
    }

    /// Build the network, without CSIG. @param plan its plan @param scenario the scenario
    void Build(const FabricPlan& plan, const std::string& scenario)
    {
        DctcpSettings dctcp;
        dctcp.useSack =
            scenario != "engineering"; // new weights move flows, whose ACKs may overtake
        // Room for the reflection in the header of a segment.
        dctcp.mtu = static_cast<uint16_t>(
            CsigHostHelper::GetSegmentSize(network.GetMtu(), CsigFormat::EXPANDED, false) + 40);
        ConfigureDctcp(dctcp);
        MultipathRoutingHelper routing;
        if (scenario == "engineering")
        {
            routing.SetSelector("ns3::aidc::WeightedSelector");
        }
        network.SetSwitchRouting(routing);
        network.Build(plan);
        settings.switches.MakeStatic().Install(network.GetSwitches());
        network.AssignAddresses();
        network.AssignStreams(100);
    }

    /// Set what all hosts and switches have, before CSIG is installed.
    /// @param scheme the scheme, which may be an estimator
    /// @param signals what hosts ask for
    /// @param tagsUdp whether datagrams are tagged
    void ConfigureCsig(const std::string& scheme, const std::string& signals, bool tagsUdp)
    {
        if (!HasUserDefault("ns3::aidc::CsigPort::Trusted"))
        {
            csig.SetPortAttribute("Trusted", BooleanValue(true));
        }
        if (!HasUserDefault("ns3::aidc::CsigDomain::ExpandedLocator"))
        {
            csig.SetDomainAttribute("ExpandedLocator",
                                    StringValue("stage:2,orientation:2,device:7,port:5"));
        }
        csig.SetAgentAttribute("Estimation",
                               StringValue(scheme == "ewma"  ? "Ewma"
                                           : scheme == "dre" ? "Discounting"
                                                             : "Interval"));
        csig.SetAgentAttribute("Interval", TimeValue(settings.window));
        auto& hosts = csig.GetHostHelper();
        if (!HasUserDefault("ns3::aidc::CsigHost::Format"))
        {
            hosts.SetAttribute("Format", StringValue("Expanded"));
        }
        hosts.SetAttribute("Signals", StringValue(signals));
        hosts.SetAttribute("TagUdp", BooleanValue(tagsUdp));
    }

    /// Give the network CSIG, as ConfigureCsig() sets it.
    /// @param scheme the scheme, which may be an estimator
    /// @param signals what hosts ask for
    /// @param tagsUdp whether datagrams are tagged
    void InstallCsig(const std::string& scheme, const std::string& signals, bool tagsUdp)
    {
        ConfigureCsig(scheme, signals, tagsUdp);
        csig.Install(network);
        ports = std::make_unique<CsigFabricPorts>(network);
    }

    /// Let a collector take the signals of all hosts. @param[in,out] collector the collector
    void Collect(CsigCollector& collector) const
    {
        const FabricPlan& plan = network.GetFabric();
        for (const NodeIndex host : plan.GetHosts())
        {
            collector.AddHost(network.GetNode(host));
            collector.SetGroup(plan.GetAddress(host), plan.GetNodeName(plan.GetLeaf(host)));
        }
        for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
        {
            for (const auto& [locator, name] : ports->GetNames(format))
            {
                collector.SetPort(locator, name, format);
            }
        }
    }

    /// Make flows that arrive at random. @param load the share of the hosts' rate
    /// @return the flows
    std::vector<FlowSpec> MakeMix(double load) const
    {
        const auto sizes = FlowSizeDistribution::Read(FindDataFile(settings.flowSizes));
        PoissonFlowGenerator generator(network.GetFabric().GetHosts(), sizes);
        generator.SetHostRate(DataRate(CsigFabricSettings::SPEED));
        generator.SetLoad(load);
        generator.SetDuration(settings.duration);
        generator.AssignStreams(1);
        return generator.Generate();
    }

    /// Make flows from each host to its counterpart in the next pod.
    /// @param nIncast how many hosts of other pods send to the first host instead
    /// @return the flows, those of the incast first
    std::vector<FlowSpec> MakeCounterparts(std::size_t nIncast) const
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(10);
        const auto& hosts = network.GetFabric().GetHosts();
        const std::size_t perPod = hosts.size() / network.GetFabric().GetNPods();
        std::vector<FlowSpec> flows;
        const auto add = [&](std::size_t from, std::size_t to) {
            const Time start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
            flows.push_back({hosts[from], hosts[to], 0, 0, settings.size, start});
        };
        std::vector<bool> isBusy(hosts.size());
        isBusy[0] = nIncast > 0;
        for (std::size_t i = 0; i < nIncast; ++i)
        {
            // Spread over the other pods and their leaves.
            const std::size_t sender = perPod + i * (hosts.size() - perPod) / nIncast;
            isBusy[sender] = true;
            add(sender, 0);
        }
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const std::size_t to = (i + perPod) % hosts.size();
            if (!isBusy[i] && !isBusy[to])
            {
                add(i, to);
            }
        }
        return flows;
    }
};

/// @ingroup aidc
/// Simulate a run until its flows are done, for 200 ms at most.
/// @tparam Flows what sends the flows, with GetShareDone(), Gather() and GetRecords()
/// @param run the run
/// @param fabric the network
/// @param flows the flows
/// @return what became of the flows
template <typename Flows>
std::vector<FlowRecord>
SimulateCsigFabric(const ExperimentRun& run, const CsigFabricNetwork& fabric, Flows& flows)
{
    const Time limit = MilliSeconds(200);
    FabricRecorder recorder(MicroSeconds(10));
    recorder.Add(fabric.network);
    recorder.AddBottlenecks(fabric.csig);
    run.Start(recorder);
    run.Follow(limit, [&flows] { return flows.GetShareDone(); });
    Simulator::Stop(limit);
    Simulator::Run();
    run.Write(recorder);
    flows.Gather();
    return flows.GetRecords();
}

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_NETWORK_H
