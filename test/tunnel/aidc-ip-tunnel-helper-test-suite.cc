// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/ip-tunnel-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"

AIDC_TEST_SUITE("aidc-ip-tunnel-helper", UNIT);

// Tunnels over ns-3's own devices and routing: a chain of five routers, of which the first and the
// last have addresses that the routers between them do not know.
AIDC_TEST_CASE("tunnels between PEs, over ns-3's own devices and routing")
{
    NodeContainer nodes(5);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    for (uint32_t i = 0; i < 4; ++i)
    {
        addresses.Assign(link.Install(nodes.Get(i), nodes.Get(i + 1)));
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    // Behind the PEs, and nobody's in the core
    IpTunnelHelper::SetAddress(nodes.Get(0), Ipv4Address("172.16.1.1"));
    IpTunnelHelper::SetAddress(nodes.Get(4), Ipv4Address("172.16.2.1"));
    NS_TEST_EXPECT_MSG_EQ(IpTunnelHelper::GetAddress(nodes.Get(4)),
                          Ipv4Address("172.16.2.1"),
                          "its own");
    NS_TEST_EXPECT_MSG_EQ(IpTunnelHelper::GetAddress(nodes.Get(2)),
                          Ipv4Address("10.0.1.2"),
                          "that of the first link");

    // From the second router to the fourth one, by way of the third one
    IpTunnelHelper tunnels;
    tunnels.SetDeviceAttribute("TtlModel", StringValue("Uniform"));
    const auto [there, back] = tunnels.Install(nodes.Get(1), nodes.Get(3));
    tunnels.SetPaths(there, {{nodes.Get(2)}, {}});
    AIDC_EXPECT(tunnels.InstallWaypoint(nodes.Get(2)) == nullptr, "it is one already");
    NS_TEST_EXPECT_MSG_EQ(there->GetPaths().GetN(), 2, "paths");
    NS_TEST_EXPECT_MSG_EQ(there->GetPaths().Get(0).waypoints.size(), 1, "waypoints");
    NS_TEST_EXPECT_MSG_EQ(there->GetRemote(), Ipv4Address("10.0.2.2"), "the other end");
    NS_TEST_EXPECT_MSG_EQ(back->GetRemote(), Ipv4Address("10.0.0.2"), "the other end");
    const Ipv4Mask mask("255.255.255.0");
    const auto route = [&](uint32_t node, const char* network, uint32_t interface) {
        Ipv4StaticRoutingHelper()
            .GetStaticRouting(nodes.Get(node)->GetObject<Ipv4>())
            ->AddNetworkRouteTo(Ipv4Address(network), mask, interface);
    };
    route(0, "172.16.2.0", 1);
    route(4, "172.16.1.0", 1);
    route(1, "172.16.1.0", 1);
    route(3, "172.16.2.0", 2);
    IpTunnelHelper::AddRoute(there, Ipv4Address("172.16.2.0"), mask);
    IpTunnelHelper::AddRoute(back, Ipv4Address("172.16.1.0"), mask);

    uint32_t answers = 0;
    std::vector<Ptr<Socket>> sockets;
    for (const uint32_t node : {0, 4})
    {
        sockets.push_back(Socket::CreateSocket(nodes.Get(node), UdpSocketFactory::GetTypeId()));
        sockets.back()->Bind(InetSocketAddress(IpTunnelHelper::GetAddress(nodes.Get(node)), 9));
    }
    sockets[0]->SetRecvCallback(ToCallback([&](Ptr<Socket> socket) {
        ++answers;
        NS_TEST_EXPECT_MSG_EQ(socket->Recv()->GetSize(), 2000, "as it was sent");
    }));
    sockets[1]->SetRecvCallback(ToCallback([](Ptr<Socket> socket) {
        Address from;
        const auto packet = socket->RecvFrom(from);
        socket->SendTo(packet, 0, from);
    }));
    Simulator::Schedule(Seconds(1), [&] {
        sockets[0]->SendTo(Create<Packet>(2000), 0, InetSocketAddress("172.16.2.1", 9));
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(answers, 1, "there and back");
    // The host has fragmented at 1500 bytes, and each first fragment is too long again.
    NS_TEST_EXPECT_MSG_EQ(there->GetPaths().FindMtu(0), 1460, "two headers");
    NS_TEST_EXPECT_MSG_EQ(there->GetStatistics().sentPackets, 3, "there");
    NS_TEST_EXPECT_MSG_EQ(there->GetStatistics().fragmentedPackets, 1, "there");
    NS_TEST_EXPECT_MSG_EQ(back->GetStatistics().receivedPackets, 3, "there");
    NS_TEST_EXPECT_MSG_EQ(back->GetStatistics().sentPackets, 3, "back");
    Simulator::Destroy();
}
