/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FLOWSET_ECMP_SCENARIO_H
#define AIDC_FLOWSET_ECMP_SCENARIO_H

#include "ns3/clos-fabric.h"
#include "ns3/data-rate.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-uplinks.h"
#include "ns3/fabric-plan.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/topology-file.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The scenarios of FlowSetEcmpExperiment.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief What the scenarios of FlowSetEcmpExperiment are made from.
struct FlowSetEcmpTraffic
{
    std::string topology;     //!< name or file, or empty for that of the scenario
    DataRate rate{"100Gbps"}; //!< of the links, where the topology is not a file
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    std::string flows;                                        //!< file, or empty
    Time duration{MilliSeconds(2)};                           //!< while flows arrive
    uint32_t elephantSize{10000000}; //!< of scenarios of long flows, in bytes
};

/// @ingroup aidc
/// @brief The flows of a scenario of FlowSetEcmpExperiment, and where they go.
struct FlowSetEcmpScenario
{
    FabricPlan fabric;           //!< the network
    std::vector<FlowSpec> flows; //!< the flows
    Time limit;                  //!< when the simulation ends at the latest
    bool hasFailure{false};      //!< whether the first uplink of the first leaf fails
    Time failure;                //!< when it fails
    Time repair;                 //!< when it is back
};

namespace
{

/// @return the hosts, by port
std::vector<NodeIndex>
GetHostsOf(const FabricPlan& fabric, NodeIndex leaf)
{
    std::vector<NodeIndex> hosts;
    for (const auto& port : fabric.GetPorts(leaf))
    {
        if (fabric.IsHost(port.peer))
        {
            hosts.push_back(port.peer);
        }
    }
    return hosts;
}

/// Give the links of the first spine a quarter of their rate. @return the network with these links
FabricPlan
SlowDownSpine(const FabricPlan& fabric)
{
    const auto isSlow = [&fabric](NodeIndex node) {
        return fabric.GetNode(node).tier == FabricTier::SPINE && fabric.GetNode(node).index == 0;
    };
    FabricPlan slower(fabric.GetName());
    for (NodeIndex i; i < NodeIndex(fabric.GetNNodes()); ++i)
    {
        const FabricNode& node = fabric.GetNode(i);
        slower.AddNode(node.tier, node.pod, node.index);
    }
    for (const FabricLink& link : fabric.GetLinks())
    {
        const bool isSlowed = isSlow(link.a) || isSlow(link.b);
        slower.AddLink(link.a, link.b, isSlowed ? link.rate / 4 : link.rate, link.delay);
    }
    slower.Finish();
    return slower;
}

FabricPlan
MakeNetwork(const std::string& scenario, const FlowSetEcmpTraffic& traffic, bool isSmall)
{
    const std::string topology = !traffic.topology.empty() ? traffic.topology
                                 : scenario == "fat-tree"  ? "fat-tree"
                                                           : "leaf-spine";
    if (topology == "fat-tree")
    {
        return MakeFatTree(isSmall ? 4 : 8, traffic.rate.GetBitRate(), 1000);
    }
    if (topology == "leaf-spine")
    {
        LeafSpineSettings plan;
        plan.leaves = isSmall ? 4 : 8;
        plan.spines = isSmall ? 4 : 8;
        plan.hostsPerLeaf = isSmall ? 8 : 16;
        plan.hostRate = traffic.rate.GetBitRate();
        plan.leafSpineRate = plan.hostRate;
        const FabricPlan fabric = MakeLeafSpine(plan);
        return scenario == "asymmetric" ? SlowDownSpine(fabric) : fabric;
    }
    const auto file = TopologyFile::Read(FindDataFile(topology));
    file.PrintNotes();
    return file.GetFabric();
}

/// Get what the hosts may send if the uplinks of the leaves are to be filled. @return the share of
/// the hosts' rate, at most 1
double
GetHostShare(const FabricPlan& fabric)
{
    const NodeIndex leaf = fabric.GetLeaves().front();
    const auto& ports = fabric.GetPorts(leaf);
    const auto getRate = [&fabric, &ports](PortIndex port) {
        return static_cast<double>(fabric.GetLinks()[ports[port].link].rate);
    };
    double up = 0;
    for (const PortIndex port : GetUplinks(fabric, leaf))
    {
        up += getRate(port);
    }
    double down = 0;
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        down += fabric.IsHost(ports[port].peer) ? getRate(port) : 0;
    }
    const auto nHosts = static_cast<double>(fabric.GetHosts().size());
    const auto nOwn = static_cast<double>(GetHostsOf(fabric, leaf).size());
    const double leaving = down * (nHosts - nOwn) / (nHosts - 1);
    return leaving > 0 ? std::min(1.0, up / leaving) : 1;
}

/// Make flows that arrive at random. The load is a share of the rate of what is slower, uplinks or
/// hosts.
std::vector<FlowSpec>
MakeMix(const FabricPlan& fabric, double load, const FlowSetEcmpTraffic& traffic)
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile(traffic.flowSizes));
    PoissonFlowGenerator generator(fabric.GetHosts(), sizes);
    uint64_t rate = 0; // of all links of a host
    for (const auto& port : fabric.GetPorts(fabric.GetHosts().front()))
    {
        rate += fabric.GetLinks()[port.link].rate;
    }
    generator.SetHostRate(DataRate(rate));
    generator.SetLoad(load * GetHostShare(fabric));
    generator.SetDuration(traffic.duration);
    generator.AssignStreams(1);
    return generator.Generate();
}

/// Get the hosts of the next leaf that has other hosts. @return the hosts of the leaf after it,
/// around the end, that shares none with it @throws std::runtime_error if all leaves share hosts
/// with it
std::vector<NodeIndex>
GetHostsOfNext(const FabricPlan& fabric, std::size_t index)
{
    const auto& leaves = fabric.GetLeaves();
    const auto own = GetHostsOf(fabric, leaves[index]);
    for (std::size_t i = 1; i < leaves.size(); ++i)
    {
        const auto hosts = GetHostsOf(fabric, leaves[(index + i) % leaves.size()]);
        if (std::find_first_of(hosts.begin(), hosts.end(), own.begin(), own.end()) == hosts.end())
        {
            return hosts;
        }
    }
    throw std::runtime_error("expected a topology of leaves with hosts of their own, found none "
                             "without hosts of leaf " +
                             std::to_string(leaves[index].value));
}

/// Add at most nFlows flows from a leaf to the next one with other hosts, a host each, which start
/// within 10 us.
void
AddLeafToLeaf(std::vector<FlowSpec>& flows,
              const FabricPlan& fabric,
              std::size_t from,
              std::size_t nFlows,
              uint64_t bytes,
              Time start,
              Ptr<UniformRandomVariable> uniform)
{
    const auto sources = GetHostsOf(fabric, fabric.GetLeaves().at(from));
    const auto destinations = GetHostsOfNext(fabric, from);
    nFlows = std::min({nFlows, sources.size(), destinations.size()});
    for (std::size_t i = 0; i < nFlows; ++i)
    {
        FlowSpec flow;
        flow.source = sources[i];
        flow.destination = destinations[i];
        flow.bytes = bytes;
        flow.start = start + NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
        flows.push_back(flow);
    }
}

} // namespace

/// @ingroup aidc
/// @brief Make a scenario.
/// @param name its name
/// @param traffic what it is made from
/// @param isSmall whether it is to take seconds
/// @return the scenario
/// @throws std::runtime_error if a file or the topology is not as it should be, or there are no
///        flows
inline FlowSetEcmpScenario
MakeFlowSetEcmpScenario(const std::string& name, const FlowSetEcmpTraffic& traffic, bool isSmall)
{
    FlowSetEcmpScenario scenario{MakeNetwork(name, traffic, isSmall),
                                 {},
                                 MilliSeconds(200),
                                 false,
                                 {},
                                 {}};
    const FabricPlan& fabric = scenario.fabric;
    const auto& leaves = fabric.GetLeaves();
    const bool hasElephants = name == "elephants" || name == "saturated" || name == "asymmetric";
    const bool needsUplinks = hasElephants || name == "failure" || name == "surge";
    CheckOption(!needsUplinks || leaves.size() > 1,
                "a topology of at least two leaves for scenario " + name);
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(10);
    if (name == "file")
    {
        TrailingText trailing;
        scenario.flows = ReadFlowFile(FindDataFile(traffic.flows), &trailing);
        NoteTrailingText(traffic.flows, trailing);
    }
    else if (hasElephants)
    {
        // Twenty times as long as a flow alone needs is long enough for all.
        const Time alone = traffic.rate.CalculateBytesTxTime(traffic.elephantSize);
        scenario.limit = std::max(scenario.limit, 20 * alone);
        for (std::size_t i = 0; i < leaves.size(); ++i)
        {
            AddLeafToLeaf(scenario.flows,
                          fabric,
                          i,
                          name == "saturated" ? SIZE_MAX : GetUplinks(fabric, leaves[i]).size(),
                          traffic.elephantSize,
                          Seconds(0),
                          uniform);
        }
    }
    else
    {
        const double load = name == "load-80" ? 0.8 : name == "load-50" ? 0.5 : 0.3;
        scenario.flows = MakeMix(fabric, load, traffic);
    }
    if (name == "surge")
    {
        AddLeafToLeaf(scenario.flows,
                      fabric,
                      0,
                      SIZE_MAX,
                      isSmall ? 500000 : 2000000,
                      traffic.duration / 4,
                      uniform);
    }
    scenario.hasFailure = name == "failure";
    scenario.failure = traffic.duration / 4;
    scenario.repair = 3 * traffic.duration / 4;
    if (scenario.flows.empty())
    {
        throw std::runtime_error("scenario " + name + " has no flows");
    }
    if (name == "file")
    {
        scenario.limit = scenario.flows.back().start + Seconds(1);
    }
    return scenario;
}

} // namespace ns3::aidc

#endif // AIDC_FLOWSET_ECMP_SCENARIO_H
