/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_CSIG_FABRIC_NETWORK_H
#define AIDC_CSIG_FABRIC_NETWORK_H

#include "ns3/csig-collector.h"
#include "ns3/csig-fabric-ports.h"
#include "ns3/csig-helper.h"
#include "ns3/data-rate.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-records.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The networks of CsigFabricExperiment.
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
/// Make the plan of a fat-tree, with some links slower.
/// @param settings what the user has set
/// @param rates the speed of links that are slower
/// @return the plan
FabricPlan MakeCsigFabricPlan(const CsigFabricSettings& settings,
                              const std::map<LinkIndex, uint64_t>& rates = {});

/// @ingroup aidc
/// Get the links of the first uplinks of leaves.
/// @param settings what the user has set
/// @param nLeaves how many leaves, at most
/// @param rate the speed that they get
/// @return speeds by link
std::map<LinkIndex, uint64_t> SlowCsigFabricUplinks(const CsigFabricSettings& settings,
                                                    std::size_t nLeaves,
                                                    uint64_t rate);

/// @ingroup aidc
/// A network with CSIG.
struct CsigFabricNetwork
{
    FabricHelper network;                   //!< the network
    CsigHelper csig;                        //!< its CSIG
    std::unique_ptr<CsigFabricPorts> ports; //!< LM of its ports

    /// Build the network, without CSIG.
    /// @param plan its plan
    /// @param scenario the scenario
    /// @param settings what the user has set
    void Build(const FabricPlan& plan,
               const std::string& scenario,
               const CsigFabricSettings& settings);

    /// Set what all hosts and switches have, before CSIG is installed.
    /// @param scheme the scheme, which may be an estimator
    /// @param signals what hosts ask for
    /// @param tagsUdp whether datagrams are tagged
    /// @param settings what the user has set
    void ConfigureCsig(const std::string& scheme,
                       const std::string& signals,
                       bool tagsUdp,
                       const CsigFabricSettings& settings);

    /// Give the network CSIG.
    /// @param scheme the scheme, which may be an estimator
    /// @param signals what hosts ask for
    /// @param tagsUdp whether datagrams are tagged
    /// @param settings what the user has set
    void InstallCsig(const std::string& scheme,
                     const std::string& signals,
                     bool tagsUdp,
                     const CsigFabricSettings& settings);

    /// Let a collector take the signals of all hosts. @param[in,out] collector the collector
    void Collect(CsigCollector& collector) const;
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
