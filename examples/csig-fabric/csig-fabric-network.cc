/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-fabric-network.h"

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-host-helper.h"
#include "ns3/experiment-uplinks.h"
#include "ns3/graph-fabric.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/string.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/user-default.h"

namespace ns3::aidc
{

FabricPlan
MakeCsigFabricPlan(const CsigFabricSettings& settings, const std::map<LinkIndex, uint64_t>& rates)
{
    const FabricPlan tree = MakeFatTree(settings.isSmall ? 4 : 8, CsigFabricSettings::SPEED, 1000);
    auto links = tree.GetLinks();
    for (const auto& [link, rate] : rates)
    {
        links[link].rate = rate;
    }
    return MakeFabric(tree.GetName(), tree.GetNNodes(), tree.GetSwitches(), links);
}

std::map<LinkIndex, uint64_t>
SlowCsigFabricUplinks(const CsigFabricSettings& settings, std::size_t nLeaves, uint64_t rate)
{
    const FabricPlan tree = MakeCsigFabricPlan(settings);
    std::map<LinkIndex, uint64_t> rates;
    for (const NodeIndex leaf : tree.GetLeaves())
    {
        if (rates.size() < nLeaves)
        {
            rates[tree.GetPorts(leaf)[GetUplinks(tree, leaf).at(0)].link] = rate;
        }
    }
    return rates;
}

void
CsigFabricNetwork::Build(const FabricPlan& plan,
                         const std::string& scenario,
                         const CsigFabricSettings& settings)
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
                                 bool tagsUdp,
                                 const CsigFabricSettings& settings)
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
CsigFabricNetwork::InstallCsig(const std::string& scheme,
                               const std::string& signals,
                               bool tagsUdp,
                               const CsigFabricSettings& settings)
{
    ConfigureCsig(scheme, signals, tagsUdp, settings);
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

} // namespace ns3::aidc
