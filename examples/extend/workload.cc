// SPDX-License-Identifier: GPL-2.0-only

// A workload of one's own: in each round, every host sends to the host some places on.
#include "ns3/clos-fabric.h"
#include "ns3/core-module.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-spec-file.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/tcp-flow-helper.h"

#include <iostream>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

std::vector<FlowSpec>
MakeShifts(const std::vector<NodeIndex>& hosts, uint32_t nRounds, Time round, uint64_t bytes)
{
    std::vector<FlowSpec> flows;
    for (uint32_t i = 1; i <= nRounds; ++i)
    {
        for (std::size_t j = 0; j < hosts.size(); ++j)
        {
            FlowSpec flow;
            flow.source = hosts[j];
            flow.destination = hosts[(j + i) % hosts.size()];
            flow.bytes = bytes;
            flow.start = i * round;
            flows.push_back(flow);
        }
    }
    return flows;
}

int
main()
{
    ConfigureDctcp();
    FabricHelper network;
    network.Build(MakeLeafSpine(LeafSpineSettings()));
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(network, MakeShifts(network.GetFabric().GetHosts(), 4, MicroSeconds(100), 100000));
    Simulator::Run();
    const auto& last = tcp.GetRecords().back();
    std::cout << "The last flow took " << last.fct.As(Time::US) << "\n";
    Simulator::Destroy();
}
