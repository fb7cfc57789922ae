// SPDX-License-Identifier: GPL-2.0-only

#include "test/connect-trace.h"

#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/inet-socket-address.h"
#include "ns3/mpi-processes.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/time-window-helper.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// Priority flow control over links between processes: eight hosts of two leaves
// send to one of a third, at once. Prints what each port has sent and obeyed, the same for any
// number of processes, and ends with 1 if a packet is lost, or no port between switches was
// stopped.
//
//     mpirun -np 2 pause-processes 2

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

constexpr uint32_t PRIORITY = 3;  //!< the lossless one
constexpr uint32_t PACKETS = 200; //!< of each sender
constexpr uint32_t LEAVES = 3;
constexpr uint32_t HOSTS_PER_LEAF = 4;

/// What the receiver has got.
struct Received
{
    uint32_t packets{0}; //!< how many
    Time last;           //!< when the last one came
};

/// Write what the ports of the local nodes have sent and obeyed. [out]: isStopped set if a port
/// from a switch to another one was stopped.
std::string
WritePorts(const FabricHelper& network, bool& isStopped)
{
    std::ostringstream text;
    const FabricPlan& fabric = network.GetFabric();
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        for (PortIndex port; network.IsLocal(node) && port < fabric.GetPorts(node).GetEnd(); ++port)
        {
            const auto control =
                network.GetPort(node, port)->GetObject<ns3::aidc::PriorityFlowControl>();
            const auto& counted = control->GetStatistics().priorities[PRIORITY];
            text << 1000 + node.value << " port " << port.value << ": sent " << counted.sentXoff
                 << " XOFF and " << counted.sentXon << " XON, received " << counted.receivedXoff
                 << " and " << counted.receivedXon << ", paused " << counted.pauses << " times, "
                 << counted.paused.GetNanoSeconds() << " ns\n";
            isStopped = isStopped || (counted.pauses > 0 && fabric.IsSwitch(node) &&
                                      fabric.IsSwitch(fabric.GetPorts(node)[port].peer));
        }
    }
    return text.str();
}

bool
Simulate(const MpiProcesses& processes)
{
    TimeWindowHelper::Enable();
    LeafSpineSettings settings;
    settings.leaves = LEAVES;
    settings.spines = 1;
    settings.hostsPerLeaf = HOSTS_PER_LEAF;
    settings.leafSpineRate = settings.hostRate;
    const FabricPlan fabric = MakeLeafSpine(settings);
    std::string lines;
    bool isRight = false;
    {
        FabricHelper network;
        network.Build(fabric);
        SharedBufferSwitchHelper switches;
        switches.SetBufferAttribute("Size", QueueSizeValue(QueueSize("1MB")));
        switches.Install(network.GetSwitches());
        PriorityFlowControlHelper pfc;
        pfc.InstallSwitches(network.GetSwitches());
        pfc.InstallHosts(network.GetHosts());
        network.AssignAddresses();
        network.AssignStreams(1);

        Received received;
        std::vector<Ptr<Socket>> sockets;
        const auto& hosts = fabric.GetHosts();
        const NodeIndex receiver = hosts.back();
        uint32_t nSenders = 0;
        for (const NodeIndex host : hosts)
        {
            const bool isSender = fabric.GetLeaf(host) != fabric.GetLeaf(receiver);
            nSenders += isSender ? 1 : 0;
            if (!network.IsLocal(host) || (!isSender && host != receiver))
            {
                continue;
            }
            auto socket =
                Socket::CreateSocket(network.GetNode(host), UdpSocketFactory::GetTypeId());
            socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
            if (host == receiver)
            {
                socket->SetRecvCallback(ToCallback([&](Ptr<Socket> from) {
                    while (from->Recv())
                    {
                        ++received.packets;
                        received.last = Simulator::Now();
                    }
                }));
            }
            else
            {
                socket->Connect(InetSocketAddress(network.GetAddress(receiver), 9));
                socket->SetIpTos(PRIORITY << 5);
                Simulator::ScheduleWithContext(network.GetNode(host)->GetId(),
                                               NanoSeconds(host.value),
                                               [socket] {
                                                   for (uint32_t i = 0; i < PACKETS; ++i)
                                                   {
                                                       socket->Send(Create<Packet>(1472));
                                                   }
                                               });
            }
            sockets.push_back(socket);
        }
        Simulator::Stop(MilliSeconds(2));
        Simulator::Run();

        bool isStopped = false;
        lines = WritePorts(network, isStopped);
        if (network.IsLocal(receiver))
        {
            lines += "received " + std::to_string(received.packets) + ", the last one at " +
                     std::to_string(received.last.GetNanoSeconds()) + " ns\n";
        }
        const double nReceived = processes.Sum(received.packets);
        isRight = nReceived == nSenders * PACKETS && processes.Sum(isStopped ? 1 : 0) > 0;
    }
    std::string all;
    for (const auto& text : processes.Gather(lines))
    {
        all += text;
    }
    Simulator::Destroy();
    if (processes.IsFirst())
    {
        std::vector<std::string> sorted;
        std::istringstream text(all);
        for (std::string line; std::getline(text, line);)
        {
            sorted.push_back(line);
        }
        std::sort(sorted.begin(), sorted.end());
        for (const auto& line : sorted)
        {
            std::cout << line << "\n";
        }
    }
    return isRight;
}

} // namespace

int
main(int argc, char* argv[])
{
    const MpiProcesses processes(argc > 1 ? static_cast<uint32_t>(std::stoul(argv[1])) : 1);
    return Simulate(processes) ? 0 : 1;
}
