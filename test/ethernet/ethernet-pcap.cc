// SPDX-License-Identifier: GPL-2.0-only

// Writes traces of Ethernet ports, which test/python/test_ethernet_pcap.py has tshark read.
//
// Usage: aidc-test-programs ethernet-pcap FOLDER. Each capture is of both directions of a link of
// two hosts, 02:00:00:00:00:01 and 02:00:00:00:00:02, with 10.0.0.1 and 10.0.0.2, that exchange
// UDP, TCP, IPv6 and MAC control. There are ASCII traces, too.

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-helper.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/mac48-address.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/pointer.h"
#include "ns3/priority-flow-control.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/time-window-helper.h"
#include "ns3/trace-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// Simulate a link and capture its frames. payload: bytes of the second datagram.
void
Capture(const std::string& file,
        const std::vector<std::pair<std::string, std::string>>& attributes,
        uint32_t payload,
        const std::string& mode = "Pfc")
{
    NodeContainer nodes(2);
    InternetStackHelper().Install(nodes);
    EthernetHelper ethernet;
    for (const auto& [name, value] : attributes)
    {
        ethernet.SetDeviceAttribute(name, StringValue(value));
    }
    const auto devices = ethernet.Install(nodes);
    devices.Get(0)->SetAddress(Mac48Address("02:00:00:00:00:01"));
    devices.Get(1)->SetAddress(Mac48Address("02:00:00:00:00:02"));
    ethernet.EnablePcap(file, devices.Get(0), true, true);
    Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    Ipv6AddressHelper("2001:db8::", 64).Assign(devices);

    for (const auto* factory : {"ns3::UdpSocketFactory", "ns3::TcpSocketFactory"})
    {
        PacketSinkHelper(factory, InetSocketAddress(Ipv4Address::GetAny(), 9)).Install(nodes);
        PacketSinkHelper(factory, Inet6SocketAddress(Ipv6Address::GetAny(), 10)).Install(nodes);
    }
    BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress("10.0.0.2", 9));
    bulk.SetAttribute("MaxBytes", UintegerValue(20000));
    bulk.Install(nodes.Get(0));

    auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    auto socket6 = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    const auto peer = nodes.Get(1)->GetObject<Ipv6>()->GetAddress(1, 1).GetAddress();
    Simulator::Schedule(Seconds(5), [&] {
        socket->SendTo(Create<Packet>(1), 0, InetSocketAddress("10.0.0.2", 9));
        socket->SendTo(Create<Packet>(payload), 0, InetSocketAddress("10.0.0.2", 9));
        socket6->SendTo(Create<Packet>(1), 0, Inet6SocketAddress(peer, 10));
    });
    auto control = CreateObjectWithAttributes<PriorityFlowControl>("Mode", StringValue(mode));
    control->Install(DynamicCast<EthernetNetDevice>(devices.Get(0)));
    Simulator::Schedule(Seconds(6), &PriorityFlowControl::SetXoff, control, 3, true);
    Simulator::Schedule(Seconds(6) + MicroSeconds(1),
                        &PriorityFlowControl::SetXoff,
                        control,
                        3,
                        false);
    Simulator::Stop(Seconds(7));
    Simulator::Run();
    Simulator::Destroy();
}

/// Log what two ports say of three packets: the first waits for nothing, the second waits, the
/// third is too long, and the second is corrupted on its way.
void
Log(const std::string& both, const std::string& own)
{
    NodeContainer nodes(2);
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("DataRate", StringValue("8Gbps")); // a byte takes 1 ns
    ethernet.SetChannelAttribute("Delay", StringValue("500ns"));
    const auto devices = ethernet.Install(nodes);
    auto errors = CreateObject<ReceiveListErrorModel>();
    errors->SetList({1}); // from 0
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    ethernet.EnableAscii(AsciiTraceHelper().CreateFileStream(both), devices);
    ethernet.EnableAscii(own, devices.Get(0), true);
    for (const uint32_t size : {20, 20, 1501})
    {
        devices.Get(0)->Send(Create<Packet>(size), devices.Get(1)->GetAddress(), 0x88b5);
    }
    Simulator::Run();
    Simulator::Destroy();
}

/// Log to one file what two ports say that send to each other at once.
void
LogBothWays(const std::string& file)
{
    NodeContainer nodes(2);
    EthernetHelper ethernet;
    ethernet.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
    ethernet.SetChannelAttribute("Delay", StringValue("500ns"));
    const auto devices = ethernet.Install(nodes);
    devices.Get(0)->SetAddress(Mac48Address("02:00:00:00:00:01"));
    devices.Get(1)->SetAddress(Mac48Address("02:00:00:00:00:02"));
    ethernet.EnableAscii(AsciiTraceHelper().CreateFileStream(file), devices);
    for (const uint32_t node : {1, 0})
    {
        for (uint64_t time = 0; time < 5000; time += 100 + node * 50)
        {
            Simulator::ScheduleWithContext(node, NanoSeconds(time), [devices, node] {
                devices.Get(node)->Send(Create<Packet>(20),
                                        devices.Get(1 - node)->GetAddress(),
                                        0x88b5);
            });
        }
    }
    Simulator::Run();
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    if (argc != 2)
    {
        std::cerr << "Usage: " << argv[0] << " FOLDER" << std::endl;
        return 2;
    }
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    const std::string folder = std::string(argv[1]) + "/";
    Log(folder + "both.tr", folder + "own.tr"); // first, as ns-3 asks of those who print packets
    LogBothWays(folder + "default.tr");
    TimeWindowHelper::Enable();
    LogBothWays(folder + "windows.tr");
    TimeWindowHelper::Disable();
    Capture(folder + "plain.pcap", {}, 1472);
    Capture(folder + "arp.pcap", {{"NeedsArp", "true"}}, 1472, "Pause");
    Capture(folder + "jumbo.pcap", {{"Mtu", "9000"}}, 8972);
    Capture(folder + "vlan.pcap", {{"VlanId", "291"}, {"VlanPriority", "5"}}, 1472);
    Capture(folder + "tunnel.pcap",
            {{"ServiceVlanId", "100"}, {"VlanId", "291"}, {"VlanPriority", "5"}},
            1472);
    return 0;
}
