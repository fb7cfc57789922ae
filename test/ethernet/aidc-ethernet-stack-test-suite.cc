/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-pair.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/packet-socket-address.h"
#include "ns3/packet-socket-client.h"
#include "ns3/packet-socket-helper.h"
#include "ns3/packet-socket-server.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/socket.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

constexpr uint16_t PORT = 9;
/// Headers of UDP and IPv4.
constexpr uint32_t UDP_HEADERS = 28;

/// A datagram that has arrived.
struct Datagram
{
    int64_t time;  ///< when, in nanoseconds
    uint32_t size; ///< bytes of payload
};

/**
 * @ingroup aidc-test
 * @brief Two hosts with ns-3's stack, 10.0.0.1 and 10.0.0.2, whose link works as an EthernetPair's.
 */
class Hosts
{
  public:
    /**
     * @brief Constructor.
     * @param queueDisc the root queue disc of both: its TypeId; empty for none
     * @param attributes of the devices
     */
    explicit Hosts(const std::string& queueDisc = "", const Attributes& attributes = {})
        : nodes(2)
    {
        InternetStackHelper().Install(nodes);
        EthernetHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
        helper.SetChannelAttribute("Delay", StringValue("500ns"));
        for (const auto& [name, value] : attributes)
        {
            helper.SetDeviceAttribute(name, StringValue(value));
        }
        devices = helper.Install(nodes);
        TrafficControlHelper control;
        if (queueDisc == "ns3::MqQueueDisc")
        {
            const auto root = control.SetRootQueueDisc(queueDisc);
            const auto classes = control.AddQueueDiscClasses(root, 1, "ns3::QueueDiscClass");
            control.AddChildQueueDiscs(root, classes, "ns3::FifoQueueDisc");
        }
        else if (!queueDisc.empty())
        {
            control.SetRootQueueDisc(queueDisc);
        }
        if (!queueDisc.empty())
        {
            roots = control.Install(devices);
        }
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        if (queueDisc.empty())
        {
            control.Uninstall(devices); // what the address helper has installed
        }
        Listen();
    }

    Hosts(const Hosts&) = delete;
    Hosts& operator=(const Hosts&) = delete;

    ~Hosts()
    {
        Simulator::Destroy();
    }

    /**
     * @brief Get a port.
     * @param i of the first host or of the second
     * @return the port
     */
    Ptr<EthernetNetDevice> GetPort(uint32_t i) const
    {
        return DynamicCast<EthernetNetDevice>(devices.Get(i));
    }

    /**
     * @brief Make a socket of the first host.
     * @return the socket
     */
    Ptr<Socket> MakeSocket() const
    {
        auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->SetAllowBroadcast(true);
        return socket;
    }

    NodeContainer nodes;             ///< the hosts
    NetDeviceContainer devices;      ///< their ports
    QueueDiscContainer roots;        ///< their root queue discs
    std::vector<Datagram> datagrams; ///< what the second host has got

  private:
    /// Have the second host take datagrams.
    void Listen()
    {
        for (const Address& local : {Address(InetSocketAddress(Ipv4Address::GetAny(), PORT)),
                                     Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))})
        {
            auto socket = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
            socket->Bind(local);
            socket->SetRecvCallback(MakeCallback(&Hosts::Receive, this));
            m_sockets.push_back(socket);
        }
    }

    /**
     * @brief Take datagrams.
     * @param socket where they are
     */
    void Receive(Ptr<Socket> socket)
    {
        while (auto packet = socket->Recv())
        {
            datagrams.push_back({Simulator::Now().GetNanoSeconds(), packet->GetSize()});
        }
    }

    std::vector<Ptr<Socket>> m_sockets; ///< of the second host
};

/**
 * @ingroup aidc-test
 * @brief The addresses of frames of IP packets (RFC 894; RFC 1112, section 6.4; RFC 2464).
 */
class DestinationTestCase : public TestCase
{
  public:
    DestinationTestCase()
        : TestCase("IP packets to one, to a group and to all have such addresses on the wire")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("ns3::FifoQueueDisc");
        Ipv6AddressHelper("2001:db8::", 64).Assign(hosts.devices);
        Simulator::Run(); // IPv6 looks for duplicate addresses and routers first
        std::vector<Bytes> frames;
        hosts.GetPort(0)->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>(
                [&frames](Ptr<const Packet> frame) { frames.push_back(GetBytes(frame)); }));
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
            Ptr<Socket> socket;    ///< by which it is sent
            Address to;            ///< to whom
            Mac48Address expected; ///< the address of the frame
            uint16_t type;         ///< the EtherType of the frame
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
};

/**
 * @ingroup aidc-test
 * @brief A datagram of 1 byte is in a frame of 60: its padding must not reach the socket.
 */
class PaddingTestCase : public TestCase
{
  public:
    PaddingTestCase()
        : TestCase("What pads a short frame does not reach the receiver")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
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
};

/**
 * @ingroup aidc-test
 * @brief Ten packets of 1,000 bytes at once, and one when the port has long been idle.
 *
 * One is sent at once; the others wait in the root queue disc, and follow without a gap.
 */
class RootTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param root the TypeId of the root queue disc; empty for none
     */
    explicit RootTestCase(const std::string& root)
        : TestCase("A port under " + (root.empty() ? std::string("no queue disc") : root)),
          m_root(root)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts(m_root);
        auto socket = hosts.MakeSocket();
        const InetSocketAddress to("10.0.0.2", PORT);
        Simulator::Schedule(Seconds(1), [&] {
            for (int i = 0; i < 10; ++i)
            {
                socket->SendTo(Create<Packet>(1000 - UDP_HEADERS), 0, to);
            }
            if (!m_root.empty())
            {
                NS_TEST_EXPECT_MSG_EQ(hosts.roots.Get(0)->GetNPackets(), 9, "all but the first");
            }
        });
        Simulator::Schedule(Seconds(2),
                            [&] { socket->SendTo(Create<Packet>(1000 - UDP_HEADERS), 0, to); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), 11, "all arrive");
        for (int64_t i = 0; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[i].time,
                                  1000000000 + (i + 1) * GetWireTime(1000) + LINK_DELAY,
                                  "packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[10].time,
                              2000000000 + GetWireTime(1000) + LINK_DELAY,
                              "at once");
        NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(0)->GetStatistics().outUnicastFrames, 11, "all");
    }

    std::string m_root; ///< the TypeId of the root queue disc
};

/**
 * @ingroup aidc-test
 * @brief A queue disc of 5 packets: of ten at once, one is sent, five wait and four are dropped.
 */
class DropTestCase : public TestCase
{
  public:
    DropTestCase()
        : TestCase("What does not fit is dropped by the queue disc, not by the port")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("ns3::FifoQueueDisc");
        hosts.roots.Get(0)->SetMaxSize(QueueSize("5p"));
        auto socket = hosts.MakeSocket();
        Simulator::Schedule(Time(0), [&] {
            for (int i = 0; i < 10; ++i)
            {
                socket->SendTo(Create<Packet>(100), 0, InetSocketAddress("10.0.0.2", PORT));
            }
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams.size(), 6, "one on the wire, five in the queue");
        NS_TEST_EXPECT_MSG_EQ(hosts.roots.Get(0)->GetStats().nTotalDroppedPackets, 4, "dropped");
        NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(0)->GetStatistics().outDiscards, 0, "not here");
    }
};

/**
 * @ingroup aidc-test
 * @brief Packets that do not come from the queue disc share the wire with those that do.
 *
 * Five datagrams of 1,000 bytes, and at once two packets by Send(), which go next.
 */
class DirectTestCase : public TestCase
{
  public:
    DirectTestCase()
        : TestCase("Packets beside the queue disc wait for the wire, and go next")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("ns3::FifoQueueDisc");
        std::vector<std::pair<int64_t, uint32_t>> sent;
        hosts.GetPort(0)->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>([&sent](Ptr<const Packet> frame) {
                sent.emplace_back(Simulator::Now().GetNanoSeconds(), frame->GetSize());
            }));
        auto socket = hosts.MakeSocket();
        Simulator::Schedule(Time(0), [&] {
            for (int i = 0; i < 5; ++i)
            {
                socket->SendTo(Create<Packet>(1000 - UDP_HEADERS),
                               0,
                               InetSocketAddress("10.0.0.2", PORT));
            }
            for (int i = 0; i < 2; ++i)
            {
                hosts.GetPort(0)->Send(Create<Packet>(100),
                                       hosts.devices.Get(1)->GetAddress(),
                                       0x88b5);
            }
        });
        Simulator::Run();
        const std::vector<std::pair<int64_t, uint32_t>> expected{{0, 1014},
                                                                 {1038, 114},
                                                                 {1176, 114},
                                                                 {1314, 1014},
                                                                 {2352, 1014},
                                                                 {3390, 1014},
                                                                 {4428, 1014}};
        NS_TEST_EXPECT_MSG_EQ((sent == expected), true, "one after the other");
    }
};

/**
 * @ingroup aidc-test
 * @brief The link fails at 1.5 us, which is noticed at once: two of ten packets are on it.
 */
class DownTestCase : public TestCase
{
  public:
    DownTestCase()
        : TestCase("What the queue disc sends into a link that is down is discarded, and counted")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("ns3::FifoQueueDisc");
        auto link = DynamicCast<EthernetChannel>(hosts.GetPort(0)->GetChannel());
        auto socket = hosts.MakeSocket();
        const auto send = [&](int n) {
            for (int i = 0; i < n; ++i)
            {
                socket->SendTo(Create<Packet>(1000 - UDP_HEADERS),
                               0,
                               InetSocketAddress("10.0.0.2", PORT));
            }
        };
        Simulator::Schedule(Time(0), [&] { send(10); });
        Simulator::Schedule(NanoSeconds(1500), &EthernetChannel::Fail, link);
        Simulator::Schedule(MicroSeconds(10), &EthernetChannel::Restore, link);
        Simulator::Schedule(MicroSeconds(11), [&] { send(2); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(1)->GetStatistics().inLost, 2, "on the link");
        NS_TEST_EXPECT_MSG_EQ(hosts.GetPort(0)->GetStatistics().outDiscards, 8, "the others");
        NS_TEST_EXPECT_MSG_EQ(hosts.roots.Get(0)->GetNPackets(), 0, "nothing is left");
        NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), 2, "those after the repair");
        NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[1].time,
                              11000 + 2 * GetWireTime(1000) + LINK_DELAY,
                              "as ever");
    }
};

/**
 * @ingroup aidc-test
 * @brief A switch port of two classes, one of which is paused until 20 us.
 */
class PausedTestCase : public TestCase
{
  public:
    PausedTestCase()
        : TestCase("A paused class waits while the port sends the other, and goes on when resumed")
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts;
        const auto roots = SharedBufferSwitchHelper().Install(hosts.nodes.Get(0));
        NS_TEST_ASSERT_MSG_EQ(roots.GetN(), 1, "one port");
        auto port = DynamicCast<SwitchPortQueueDisc>(roots.Get(0));
        auto paused = hosts.MakeSocket();
        auto other = hosts.MakeSocket();
        for (const auto& [socket, priority] : {std::pair{paused, 3}, std::pair{other, 1}})
        {
            // Up to ns-3.41 the socket's type of service is that of its address, or comes after it.
            socket->Connect(InetSocketAddress("10.0.0.2", PORT));
            socket->SetIpTos(static_cast<uint8_t>(priority << 5));
        }
        Simulator::Schedule(Time(0), [&] {
            port->SetPaused(3, true);
            for (int i = 0; i < 3; ++i)
            {
                paused->Send(Create<Packet>(1000 - UDP_HEADERS));
                other->Send(Create<Packet>(500 - UDP_HEADERS));
            }
        });
        Simulator::Schedule(MicroSeconds(20), [&] { port->SetPaused(3, false); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(hosts.datagrams.size(), 6, "all arrive");
        for (int64_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[i].time,
                                  (i + 1) * GetWireTime(500) + LINK_DELAY,
                                  "the other class");
            NS_TEST_EXPECT_MSG_EQ(hosts.datagrams[3 + i].time,
                                  20000 + (i + 1) * GetWireTime(1000) + LINK_DELAY,
                                  "the paused class");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief A megabyte by TCP, under the root queue disc that ns-3 installs by default.
 */
class TcpTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name what it is
     * @param attributes of the ports
     */
    TcpTestCase(const std::string& name, const Attributes& attributes)
        : TestCase("TCP carries a megabyte over ports with " + name),
          m_attributes(attributes)
    {
    }

  private:
    void DoRun() override
    {
        Hosts hosts("ns3::FqCoDelQueueDisc", m_attributes);
        BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress("10.0.0.2", PORT));
        bulk.SetAttribute("MaxBytes", UintegerValue(1000000));
        bulk.Install(hosts.nodes.Get(0));
        const auto apps =
            PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress("10.0.0.2", PORT))
                .Install(hosts.nodes.Get(1));
        Simulator::Stop(Seconds(10));
        Simulator::Run();
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

    Attributes m_attributes; ///< of the ports
};

/**
 * @ingroup aidc-test
 * @brief ns-3's packet sockets, as in its own suite packet-socket-apps.
 */
class PacketSocketTestCase : public TestCase
{
  public:
    PacketSocketTestCase()
        : TestCase("Packet sockets send and receive")
    {
    }

  private:
    void DoRun() override
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
        server->TraceConnectWithoutContext("Rx",
                                           Callback<void, Ptr<const Packet>, const Address&>(
                                               [&sizes](Ptr<const Packet> packet, const Address&) {
                                                   sizes.push_back(packet->GetSize());
                                               }));
        server->SetLocal(address);
        nodes.Get(1)->AddApplication(server);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((sizes == std::vector<uint32_t>{1000, 1000, 1000}), true, "all");
    }
};

/**
 * @ingroup aidc-test
 * @brief Ethernet ports under ns-3's stack.
 */
class AidcEthernetStackTestSuite : public TestSuite
{
  public:
    AidcEthernetStackTestSuite()
        : TestSuite("aidc-ethernet-stack", TestSuite::Type::UNIT)
    {
        AddTestCase(new DestinationTestCase);
        AddTestCase(new PaddingTestCase);
        for (const auto* root : {"",
                                 "ns3::FifoQueueDisc",
                                 "ns3::PfifoFastQueueDisc",
                                 "ns3::FqCoDelQueueDisc",
                                 "ns3::MqQueueDisc"})
        {
            AddTestCase(new RootTestCase(root));
        }
        AddTestCase(new DropTestCase);
        AddTestCase(new DirectTestCase);
        AddTestCase(new DownTestCase);
        AddTestCase(new PausedTestCase);
        AddTestCase(new TcpTestCase("the defaults", {}));
        AddTestCase(new TcpTestCase("address resolution", {{"NeedsArp", "true"}}));
        AddTestCase(new TcpTestCase("jumbo frames and a VLAN", {{"Mtu", "9000"}, {"VlanId", "5"}}));
        AddTestCase(new PacketSocketTestCase);
    }
};

/// The instance that registers the suite
const AidcEthernetStackTestSuite g_aidcEthernetStackTestSuite;

} // namespace
