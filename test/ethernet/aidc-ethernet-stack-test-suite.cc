// SPDX-License-Identifier: GPL-2.0-only

#include "ethernet-hosts.h"
#include "ethernet-pair.h"
#include "test/test-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/packet-socket-address.h"
#include "ns3/packet-socket-client.h"
#include "ns3/packet-socket-helper.h"
#include "ns3/packet-socket-server.h"
#include "ns3/tcp-socket-factory.h"

// Ethernet ports under ns-3's stack.
AIDC_TEST_SUITE("aidc-ethernet-stack", UNIT);

// The addresses of frames of IP packets (RFC 894; RFC 1112, section 6.4; RFC 2464).
AIDC_TEST_CASE("IP packets to one, to a group and to all have such addresses on the wire")
{
    EthernetHosts hosts("ns3::FifoQueueDisc");
    Ipv6AddressHelper("2001:db8::", 64).Assign(hosts.devices);
    Simulator::Run(); // IPv6 looks for duplicate addresses and routers first
    std::vector<Bytes> frames;
    ConnectTrace(hosts.GetPort(0), "PhyTxBegin", [&frames](Ptr<const Packet> frame) {
        frames.push_back(GetBytes(frame));
    });
    auto ipv4 = hosts.MakeSocket();
    ipv4->Bind(InetSocketAddress("10.0.0.1", 1000));
    ipv4->BindToNetDevice(hosts.devices.Get(0));
    auto ipv6 = hosts.MakeSocket();
    ipv6->Bind6();
    ipv6->BindToNetDevice(hosts.devices.Get(0));
    const auto local = hosts.nodes.Get(1)->GetObject<Ipv6>()->GetAddress(1, 0).GetAddress();
    const auto peer = Mac48Address::ConvertFrom(hosts.devices.Get(1)->GetAddress());

    struct Row
    {
        Ptr<Socket> socket;    //!< by which it is sent
        Address to;            //!< to whom
        Mac48Address expected; //!< the address of the frame
        uint16_t type;         //!< the EtherType of the frame
    };

    const std::vector<Row> rows{
        {ipv4, InetSocketAddress("10.0.0.2", PORT), peer, 0x0800},
        {ipv4, InetSocketAddress("224.0.0.5", PORT), "01:00:5e:00:00:05", 0x0800},
        {ipv4, InetSocketAddress("255.255.255.255", PORT), "ff:ff:ff:ff:ff:ff", 0x0800},
        {ipv6, Inet6SocketAddress(local, PORT), peer, 0x86dd},
        {ipv6, Inet6SocketAddress("ff02::1", PORT), "33:33:00:00:00:01", 0x86dd},
    };
    for (const auto& row : rows)
    {
        frames.clear();
        row.socket->SendTo(Create<Packet>(100), 0, row.to);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(frames.size(), 1, row.expected << " one frame");
        Mac48Address destination;
        destination.CopyFrom(frames[0].data());
        NS_TEST_EXPECT_MSG_EQ(destination, row.expected, "the address");
        NS_TEST_EXPECT_MSG_EQ((frames[0][12] << 8 | frames[0][13]), row.type, "the EtherType");
    }
    NS_TEST_EXPECT_MSG_EQ(hosts.datagrams.size(), rows.size(), "all are for it");
}

// A datagram of 1 byte is in a frame of 60: its padding must not reach the socket.
AIDC_TEST_CASE("What pads a short frame does not reach the receiver")
{
    EthernetHosts hosts;
    Ipv6AddressHelper("2001:db8::", 64).Assign(hosts.devices);
    const auto peer = hosts.nodes.Get(1)->GetObject<Ipv6>()->GetAddress(1, 1).GetAddress();
    auto socket = hosts.MakeSocket();
    auto socket6 = hosts.MakeSocket();
    Simulator::Schedule(Seconds(5), [&] {
        for (const uint32_t size : {1, 17, 18, 19})
        {
            socket->SendTo(Create<Packet>(size), 0, InetSocketAddress("10.0.0.2", PORT));
        }
        socket6->SendTo(Create<Packet>(1), 0, Inet6SocketAddress(peer, PORT));
    });
    Simulator::Run();
    const std::vector<uint32_t> sizes{1, 17, 18, 19, 1};
    NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), sizes.size(), "all arrive");
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[i].size, sizes[i], "as they were sent");
    }
}

struct Tcp
{
    std::string name;
    Attributes attributes; //!< of the ports
};

// A megabyte by TCP, under the root queue disc that ns-3 installs by default.
AIDC_TEST_CASES(Tcp,
                row,
                "TCP carries a megabyte over ports with " + row.name,
                ({{"the defaults", {}},
                  {"address resolution", {{"NeedsArp", "true"}}},
                  {"jumbo frames and a VLAN", {{"Mtu", "9000"}, {"VlanId", "5"}}}}))
{
    EthernetHosts hosts("ns3::FqCoDelQueueDisc", row.attributes);
    BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress("10.0.0.2", PORT));
    bulk.SetAttribute("MaxBytes", UintegerValue(1000000));
    bulk.Install(hosts.nodes.Get(0));
    const auto apps = PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress("10.0.0.2", PORT))
                          .Install(hosts.nodes.Get(1));
    RunFor(Seconds(10));
    NS_TEST_EXPECT_MSG_EQ(DynamicCast<PacketSink>(apps.Get(0))->GetTotalRx(), 1000000, "all");
    for (const uint32_t i : {0, 1})
    {
        const auto& out = hosts.GetPort(i)->GetStatistics();
        const auto& in = hosts.GetPort(1 - i)->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(in.inOctets, out.outOctets, "a link loses nothing");
        NS_TEST_EXPECT_MSG_EQ(CountIn(in),
                              out.outUnicastFrames + out.outMulticastFrames +
                                  out.outBroadcastFrames,
                              "a link loses nothing");
        NS_TEST_EXPECT_MSG_EQ(in.inErrors + in.inDiscards + out.outDiscards, 0, "nothing");
    }
}

// ns-3's packet sockets, as in its own suite packet-socket-apps.
AIDC_TEST_CASE("Packet sockets send and receive")
{
    EthernetPair pair;
    // The nodes' own callbacks are back with new devices.
    const NodeContainer nodes(pair.a->GetNode(), pair.b->GetNode());
    const auto devices = EthernetHelper().Install(nodes);
    PacketSocketHelper().Install(nodes);
    PacketSocketAddress address;
    address.SetSingleDevice(devices.Get(0)->GetIfIndex());
    address.SetPhysicalAddress(devices.Get(1)->GetAddress());
    address.SetProtocol(0x88b5);
    auto client = CreateObject<PacketSocketClient>();
    client->SetRemote(address);
    client->SetAttribute("PacketSize", UintegerValue(1000));
    client->SetAttribute("MaxPackets", UintegerValue(3));
    nodes.Get(0)->AddApplication(client);
    auto server = CreateObject<PacketSocketServer>();
    std::vector<uint32_t> sizes;
    ConnectTrace(server, "Rx", [&sizes](Ptr<const Packet> packet, const Address&) {
        sizes.push_back(packet->GetSize());
    });
    server->SetLocal(address);
    nodes.Get(1)->AddApplication(server);
    Simulator::Run();
    AIDC_EXPECT((sizes == std::vector<uint32_t>{1000, 1000, 1000}), "all");
}
