// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_TREE_H
#define AIDC_CSIG_TREE_H

#include "test/helper/test-fabrics.h"

#include "ns3/csig-fabric-ports.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-truth-monitor.h"
#include "ns3/graph-fabric.h"

// A fat-tree of 16 hosts whose switches update tags, for the test suites.

namespace aidctest
{

/// A billion bits a second.
constexpr uint64_t GBPS = 1'000'000'000;
/// The speed of links that are not slower.
constexpr uint64_t SPEED = 100 * GBPS;

/// Make a fat-tree of 16 hosts with a link that may be slower.
inline FabricPlan
MakeTree(LinkIndex link, uint64_t rate)
{
    const FabricPlan tree = MakeFatTree(4, SPEED, 1000);
    auto links = tree.GetLinks();
    links[link].rate = rate;
    return MakeFabric("tree", tree.GetNNodes(), tree.GetSwitches(), links);
}

/// Find the link from the first leaf to its first spine.
inline LinkIndex
FindUplink(const FabricPlan& fabric)
{
    for (const auto& port : fabric.GetPorts(fabric.GetLeaves().front()))
    {
        if (fabric.IsSwitch(port.peer))
        {
            return port.link;
        }
    }
    return LinkIndex(0);
}

/// A fat-tree of Ethernet with CSIG, which gives the same results by any simulator.
struct CsigTree
{
    CsigTree(const FabricPlan& plan,
             const std::string& signals,
             const std::string& selector = "ns3::aidc::HashSelector")
    {
        MultipathRoutingHelper routing;
        routing.SetSelector(selector);
        network.SetSwitchRouting(routing);
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.SetOrderedArrivals(true);
        network.Build(plan);
        FinishNetwork(network);
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.SetDomainAttribute("ExpandedLocator",
                                StringValue("stage:2,orientation:2,device:7,port:5"));
        csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded"));
        csig.GetHostHelper().SetAttribute("Signals", StringValue(signals));
        csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
        csig.Install(network);
        ports = std::make_unique<CsigFabricPorts>(network);
    }

    FabricHelper network;                   //!< the network
    CsigHelper csig;                        //!< its CSIG
    std::unique_ptr<CsigFabricPorts> ports; //!< LM of its ports
    SimulationEnd m_end;                    //!< of this network
};

inline void
WatchPorts(CsigTruthMonitor& truth, const CsigTree& tree)
{
    const FabricPlan& plan = tree.network.GetFabric();
    for (const NodeIndex id : plan.GetSwitches())
    {
        for (PortIndex port; port < plan.GetPorts(id).GetEnd(); ++port)
        {
            truth.AddPort(tree.network.GetPort(id, port), SPEED, tree.ports->GetLocators(id)[port]);
        }
    }
}

} // namespace aidctest

#endif // AIDC_CSIG_TREE_H
