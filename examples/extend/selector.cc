// SPDX-License-Identifier: GPL-2.0-only

// A selector of one's own: all flows to a destination take the same next hop.
#include "ns3/clos-fabric.h"
#include "ns3/core-module.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/next-hop-selector.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/tcp-flow-helper.h"

#include <iostream>

using namespace ns3;
using namespace ns3::aidc;

struct ByDestination : public NextHopSelector
{
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ByDestination").SetParent<NextHopSelector>().AddConstructor<ByDestination>();
        return tid;
    }

    uint32_t Select(NextHopGroup& group, const FlowKey& key) override
    {
        return group.usable[key.destination % group.usable.size()]; // never empty
    }
};

NS_OBJECT_ENSURE_REGISTERED(ByDestination);

int
main()
{
    ConfigureDctcp();
    FabricHelper network;
    network.SetSwitchRouting(
        MultipathRoutingHelper("ns3::aidc::MultipathRouting", "ByDestination"));
    network.Build(MakeLeafSpine(LeafSpineSettings()));
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    PermutationFlowGenerator flows(network.GetFabric().GetHosts(),
                                   FlowSizeDistribution::MakeFixed(200000));
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(network, flows.Generate());
    Simulator::Run();
    std::cout << tcp.GetRecords().size() << " flows, slowdown of the first "
              << tcp.GetRecords()[0].slowdown << "\n";
    Simulator::Destroy();
}
