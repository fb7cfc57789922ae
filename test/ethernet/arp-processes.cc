// SPDX-License-Identifier: GPL-2.0-only

#include "test/connect-trace.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/ethernet-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/mpi-processes.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/time-window-helper.h"
#include "ns3/udp-socket-factory.h"

#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

// Address resolution (ARP) over a link between processes: two hosts send each other a packet.
// Prints when each one has received it, the same for one process and two, and ends with 1 if one
// has not.
//
//     mpirun -np 2 arp-processes 2

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

int
main(int argc, char* argv[])
{
    const MpiProcesses processes(argc > 1 ? static_cast<uint32_t>(std::stoul(argv[1])) : 1);
    TimeWindowHelper::Enable();
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    NodeContainer hosts;
    for (uint32_t i = 0; i < 2; ++i)
    {
        hosts.Add(CreateObject<Node>(i * (processes.GetN() - 1)));
    }
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("NeedsArp", BooleanValue(true));
    ethernet.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    const auto ports = ethernet.Install(hosts.Get(0), hosts.Get(1));
    std::vector<Ptr<Socket>> sockets;
    std::array<std::string, 2> told; // by host
    for (uint32_t i = 0; i < 2; ++i)
    {
        const auto host = hosts.Get(i);
        if (host->GetSystemId() != processes.GetIndex())
        {
            continue;
        }
        InternetStackHelper().Install(host);
        const std::string own = "0.0.0." + std::to_string(i + 1);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0", own.c_str()).Assign(ports.Get(i));
        const auto socket = Socket::CreateSocket(host, UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        socket->SetRecvCallback(ToCallback([&told, i](Ptr<Socket> from) {
            while (const auto packet = from->Recv())
            {
                told[i] += "host " + std::to_string(i) + ": " + std::to_string(packet->GetSize()) +
                           " bytes at " + std::to_string(Simulator::Now().GetNanoSeconds()) +
                           " ns\n";
            }
        }));
        const std::string other = i == 0 ? "10.0.0.2" : "10.0.0.1";
        Simulator::ScheduleWithContext(host->GetId(), MicroSeconds(1 + i), [socket, other] {
            socket->SendTo(Create<Packet>(1000), 0, InetSocketAddress(other.c_str(), 9));
        });
        sockets.push_back(socket);
    }
    Simulator::Stop(MilliSeconds(1));
    Simulator::Run();
    std::string all;
    for (const auto& own : told)
    {
        for (const auto& text : processes.Gather(own))
        {
            all += text;
        }
    }
    Simulator::Destroy();
    if (processes.IsFirst())
    {
        std::cout << all;
    }
    const auto isThere = [&all](const char* host) { return all.find(host) != std::string::npos; };
    return isThere("host 0: 1000 bytes") && isThere("host 1: 1000 bytes") ? 0 : 1;
}
