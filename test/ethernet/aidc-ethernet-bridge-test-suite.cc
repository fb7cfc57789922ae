// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/bridge-net-device.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/ethernet-helper.h"
#include "ns3/icmpv4.h"
#include "ns3/ipv4-raw-socket-factory.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"

// Ethernet ports as ports of ns-3's bridge.
AIDC_TEST_SUITE("aidc-ethernet-bridge", UNIT);

constexpr uint16_t PORT = 9;
constexpr uint32_t N_HOSTS = 3;

/// Three hosts, 10.0.0.1 to 10.0.0.3, around ns-3's learning bridge.
class Lan
{
  public:
    Lan()
        : hosts(N_HOSTS)
    {
        EthernetHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
        helper.SetDeviceAttribute("NeedsArp", StringValue("true"));
        helper.SetChannelAttribute("Delay", StringValue("500ns"));
        auto node = CreateObject<Node>();
        auto bridge = CreateObject<BridgeNetDevice>();
        for (uint32_t i = 0; i < N_HOSTS; ++i)
        {
            const auto link = helper.Install(hosts.Get(i), node);
            devices.Add(link.Get(0));
            ports.Add(link.Get(1));
        }
        node->AddDevice(bridge);
        for (uint32_t i = 0; i < N_HOSTS; ++i)
        {
            bridge->AddBridgePort(ports.Get(i));
        }
        InternetStackHelper().Install(hosts);
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
    }

    /// Get the counters of a host. i: its number, from 0.
    const EthernetPortStatistics& Count(uint32_t i) const
    {
        return DynamicCast<EthernetNetDevice>(devices.Get(i))->GetStatistics();
    }

    /// Have a host take what comes by UDP or TCP. i: its number, from 0.
    Ptr<PacketSink> Listen(uint32_t i, const std::string& factory) const
    {
        PacketSinkHelper sink(factory, InetSocketAddress(Ipv4Address::GetAny(), PORT));
        return DynamicCast<PacketSink>(sink.Install(hosts.Get(i)).Get(0));
    }

    NodeContainer hosts;        //!< the hosts
    NetDeviceContainer devices; //!< their ports
    NetDeviceContainer ports;   //!< the bridge's
    SimulationEnd m_end;        //!< of this network
};

// Datagrams between hosts of a bridge: addresses are asked for by broadcast (RFC 826), once; then
// the bridge knows who is where, and the third host sees nothing more.
AIDC_TEST_CASE("Hosts resolve addresses over ns-3's bridge, and exchange datagrams")
{
    Lan lan;
    const auto sink = lan.Listen(1, "ns3::UdpSocketFactory");
    auto socket = Socket::CreateSocket(lan.hosts.Get(0), UdpSocketFactory::GetTypeId());
    socket->SetAllowBroadcast(true);
    // The first waits for the address, which ns-3 asks for after a random time.
    for (int i = 0; i < 10; ++i)
    {
        Simulator::Schedule(MilliSeconds(i == 0 ? 0 : 100 + i), [&] {
            socket->SendTo(Create<Packet>(100), 0, InetSocketAddress("10.0.0.2", PORT));
        });
    }
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 1000, "all ten");
    NS_TEST_EXPECT_MSG_EQ(lan.Count(0).outBroadcastFrames, 1, "a request");
    NS_TEST_EXPECT_MSG_EQ(lan.Count(0).inUnicastFrames, 1, "a reply");
    NS_TEST_EXPECT_MSG_EQ(lan.Count(0).outUnicastFrames, 10, "the datagrams");
    NS_TEST_EXPECT_MSG_EQ(lan.Count(1).inUnicastFrames, 10, "the datagrams");
    NS_TEST_EXPECT_MSG_EQ(lan.Count(2).inBroadcastFrames, 1, "the request");
    NS_TEST_EXPECT_MSG_EQ(lan.Count(2).inUnicastFrames + lan.Count(2).inOtherHosts,
                          0,
                          "the bridge has learned");

    const auto third = lan.Listen(2, "ns3::UdpSocketFactory");
    Simulator::Schedule(MilliSeconds(1), [&] {
        socket->SendTo(Create<Packet>(100), 0, InetSocketAddress("255.255.255.255", PORT));
    });
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 1100, "to all");
    NS_TEST_EXPECT_MSG_EQ(third->GetTotalRx(), 100, "to all");
}

// Two hosts send to the third one by TCP, whose link they share.
AIDC_TEST_CASE("Two TCP connections over ns-3's bridge")
{
    Lan lan;
    const auto sink = lan.Listen(2, "ns3::TcpSocketFactory");
    BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress("10.0.0.3", PORT));
    bulk.SetAttribute("MaxBytes", UintegerValue(300000));
    bulk.Install(lan.hosts.Get(0));
    bulk.Install(lan.hosts.Get(1));
    RunFor(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 600000, "all of both");
}

// An echo request (RFC 792) by a raw socket, and the reply.
AIDC_TEST_CASE("A host answers a ping over ns-3's bridge")
{
    Lan lan;
    auto socket = Socket::CreateSocket(lan.hosts.Get(0), Ipv4RawSocketFactory::GetTypeId());
    socket->SetAttribute("Protocol", UintegerValue(1));
    socket->Bind();
    std::vector<uint8_t> types;
    socket->SetRecvCallback(ToCallback([&types](Ptr<Socket> s) {
        auto packet = s->Recv();
        Ipv4Header ip;
        Icmpv4Header icmp;
        packet->RemoveHeader(ip);
        packet->RemoveHeader(icmp);
        types.push_back(icmp.GetType());
    }));
    Simulator::Schedule(Time(0), [&] {
        auto packet = Create<Packet>();
        Icmpv4Echo echo;
        echo.SetIdentifier(1);
        echo.SetSequenceNumber(1);
        echo.SetData(Create<Packet>(1));
        packet->AddHeader(echo);
        Icmpv4Header header;
        header.SetType(Icmpv4Header::ICMPV4_ECHO);
        packet->AddHeader(header);
        socket->SendTo(packet, 0, InetSocketAddress("10.0.0.3", 0));
    });
    RunFor(Seconds(1));
    AIDC_EXPECT(types == std::vector<uint8_t>{0}, "an echo reply");
}
