/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-fabric-network.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-host-helper.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-uplinks.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/graph-fabric.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/poisson-flow-generator.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/user-default.h"

namespace ns3::aidc
{

FabricPlan
CsigFabricNetwork::MakePlan(std::size_t nSlow, uint64_t rate) const
{
    const FabricPlan tree = MakeFatTree(settings.isSmall ? 4 : 8, CsigFabricSettings::SPEED, 1000);
    auto links = tree.GetLinks();
    const auto& leaves = tree.GetLeaves();
    for (std::size_t i = 0; i < leaves.size() && i < nSlow; ++i)
    {
        const PortIndex uplink = GetUplinks(tree, leaves[i]).front();
        links[tree.GetPorts(leaves[i])[uplink].link].rate = rate;
    }
    return MakeFabric(tree.GetName(), tree.GetNNodes(), tree.GetSwitches(), links);
}

void
CsigFabricNetwork::Build(const FabricPlan& plan, const std::string& scenario)
{
    DctcpSettings dctcp;
    dctcp.useSack = scenario != "engineering"; // new weights move flows, whose ACKs may overtake
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

void
CsigFabricNetwork::ConfigureCsig(const std::string& scheme,
                                 const std::string& signals,
                                 bool tagsUdp)
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

void
CsigFabricNetwork::InstallCsig(const std::string& scheme, const std::string& signals, bool tagsUdp)
{
    ConfigureCsig(scheme, signals, tagsUdp);
    csig.Install(network);
    ports = std::make_unique<CsigFabricPorts>(network);
}

void
CsigFabricNetwork::Collect(CsigCollector& collector) const
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

std::vector<FlowSpec>
CsigFabricNetwork::MakeMix(double load) const
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile(settings.flowSizes));
    PoissonFlowGenerator generator(network.GetFabric().GetHosts(), sizes);
    generator.SetHostRate(DataRate(CsigFabricSettings::SPEED));
    generator.SetLoad(load);
    generator.SetDuration(settings.duration);
    generator.AssignStreams(1);
    return generator.Generate();
}

std::vector<FlowSpec>
CsigFabricNetwork::MakeCounterparts(std::size_t nIncast) const
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

} // namespace ns3::aidc
