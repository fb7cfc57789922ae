// SPDX-License-Identifier: GPL-2.0-only

// A leaf-spine fabric with coupled ECN, flow-set routing and CSIG; an elephant and an incast.
#include "ns3/aidc-module.h"
#include "ns3/core-module.h"
using namespace ns3;
using namespace ns3::aidc;

int
main(int argc, char* argv[])
{
    uint32_t senders = 8; // of the incast
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "senders of the incast, from 1 to 47", senders);
    cmd.Parse(argc, argv); // takes ns-3's own options and attributes, too
    if (senders < 1 || senders > 47)
    {
        std::cerr << "expected --senders from 1 to 47\n";
        return 1;
    }
    ConfigureDctcp(); // before there are hosts
    FabricHelper network;
    network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting"));
    network.Build(MakeLeafSpine(LeafSpineSettings()));         // 64 hosts at 100 Gbit/s
    SharedBufferSwitchHelper().Install(network.GetSwitches()); // queues with coupled ECN
    network.AssignAddresses();
    CsigHelper csig;
    csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded")); // names ports
    csig.SetPortAttribute("Trusted", BooleanValue(true)); // switches take tags from hosts
    csig.Install(network);
    const auto& hosts = network.GetFabric().GetHosts();
    std::vector<FlowSpec> flows{{hosts[16], hosts[0], 0, 0, 20000000}}; // the elephant, in bytes
    for (uint32_t i = 1; i <= senders; ++i)                             // the incast
    {
        flows.push_back({hosts.at(16 + i), hosts[0], 0, 0, 200000, MicroSeconds(500)});
    }
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(network, flows);
    Simulator::Run();
    for (const auto& flow : tcp.GetRecords())
    {
        std::cout << flow.spec.bytes << " bytes took " << flow.fct.ToDouble(Time::US) << " us\n";
    }
    const Time last = tcp.GetRecords().back().fct;
    std::cout << "last_fct = " << last.GetSeconds() << " s\n"; // a metric of ./aidc sweep
    for (const auto& found : csig.GetBottlenecks())
    {
        std::cout << Ipv4Address(found.flow.source) << " is limited by " << found.port.name << "\n";
    }
    Simulator::Destroy();
}
