// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TUNNEL_NETWORK_H
#define AIDC_TUNNEL_NETWORK_H

#include "model/core/ipv4-bytes.h"
#include "model/core/tunnel/tunnel-ecn.h"
#include "test/test-case.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/ethernet-channel.h"
#include "ns3/ethernet-frame.h"
#include "ns3/ethernet-helper.h"
#include "ns3/global-value.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/multipath-routing-helper.h"

// Two PEs, two core routers and what is behind the PEs, for the test suites.

namespace aidctest
{

/// Get the packets that a tunnel's exit has dropped.
inline uint64_t
GetDroppedAtExit(const IpTunnelStatistics& statistics)
{
    return std::accumulate(statistics.malformed.begin(),
                           statistics.malformed.end(),
                           statistics.ecnDrops);
}

/// Bytes of a packet.
using Bytes = std::vector<uint8_t>;

/// What a datagram of the tests is like.
struct DatagramSpec
{
    uint8_t tos{0};             //!< type of service
    uint32_t size{100};         //!< bytes with the IPv4 header, at least 28
    uint16_t fragment{0x4000};  //!< flags and fragment offset; DF by default
    uint8_t ttl{64};            //!< time to live
    uint16_t port{5000};        //!< source port
    uint16_t identification{7}; //!< identification
};

/// Get the IPv4 header that bytes begin with.
inline Ipv4Bytes
GetHeader(const Bytes& bytes, std::size_t at = 0)
{
    Ipv4Bytes header{};
    for (std::size_t i = 0; i < header.size(); ++i)
    {
        header.at(i) = bytes.at(at + i);
    }
    return header;
}

/// Read two bytes.
template <typename T>
uint32_t
Get16(const T& bytes, std::size_t at)
{
    return static_cast<uint32_t>(bytes.at(at) << 8 | bytes.at(at + 1));
}

/// Make a UDP datagram from 10.1.0.2 to 10.2.0.2. Returns the datagram with its IPv4 header.
inline Bytes
MakeDatagram(const DatagramSpec& spec)
{
    Bytes bytes(spec.size, 0x5a);
    Ipv4Bytes header{0x45, spec.tos, 0,  0, 0, 0, 0,  0, spec.ttl, 17,
                     0,    0,        10, 1, 0, 2, 10, 2, 0,        2};
    const auto put = [](auto& to, std::size_t at, uint32_t value) {
        to.at(at) = static_cast<uint8_t>(value >> 8);
        to.at(at + 1) = static_cast<uint8_t>(value);
    };
    put(header, Ipv4Offset::LENGTH, spec.size);
    put(header, Ipv4Offset::IDENTIFIER, spec.identification);
    put(header, Ipv4Offset::FRAGMENT, spec.fragment);
    SetIpv4Checksum(header);
    std::copy(header.begin(), header.end(), bytes.begin());
    put(bytes, 20, spec.port);
    put(bytes, 22, 9);
    put(bytes, 24, spec.size - 20);
    put(bytes, 26, 0); // no UDP checksum
    return bytes;
}

/// A queue disc that writes a codepoint into the ECN field of all packets, if it is told to.
class EcnWriterQueueDisc : public QueueDisc
{
  public:
    /// Set what to write. codepoint: the codepoint, -1 for nothing.
    void SetCodepoint(int codepoint)
    {
        m_codepoint = codepoint;
    }

  private:
    bool DoEnqueue(Ptr<QueueDiscItem> item) override
    {
        const auto ipItem = DynamicCast<Ipv4QueueDiscItem>(item);
        if (m_codepoint >= 0 && ipItem)
        {
            Ipv4Header header = ipItem->GetHeader();
            header.SetTos(SetEcn(header.GetTos(), static_cast<EcnCodepoint>(m_codepoint)));
            if (const auto fast = DynamicCast<EthernetQueueItem>(item))
            {
                item = fast->CopyWithTos(header.GetTos());
            }
            else
            {
                item = Create<Ipv4QueueDiscItem>(item->GetPacket(),
                                                 item->GetAddress(),
                                                 item->GetProtocol(),
                                                 header);
            }
        }
        return GetInternalQueue(0)->Enqueue(item);
    }

    Ptr<QueueDiscItem> DoDequeue() override
    {
        return GetInternalQueue(0)->Dequeue();
    }

    bool CheckConfig() override
    {
        if (GetNInternalQueues() == 0)
        {
            AddInternalQueue(
                CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>>("MaxSize",
                                                                         StringValue("100000p")));
        }
        return true;
    }

    void InitializeParams() override
    {
    }

    int m_codepoint{-1}; //!< what to write
};

/// Host A, PE P1, core routers C1 and C2, PE P2, host B, and tunnels between the PEs. A - P1 - C1 -
/// P2 - B, and C2 is linked to P1, C1 and P2. Hosts have no stacks. The PEs' addresses are
/// 192.0.2.1 and 192.0.2.2, the core's 192.0.2.11 and 192.0.2.12; ports have none. P1 reaches P2 by
/// C1, as long as that is up, then by C2. 10.1/16 is behind P1, 10.2/16 behind P2.
class TunnelNetwork
{
  public:
    /// The nodes.
    enum Place : uint32_t
    {
        A,
        P1,
        C1,
        C2,
        P2,
        B
    };

    /// A link in one direction.
    using Hop = std::pair<uint32_t, uint32_t>;

    /// A frame as it leaves a port.
    struct Sent
    {
        int64_t time; //!< when, in ns
        Bytes bytes;  //!< the packet, without the Ethernet header
    };

    /// What the network is like.
    struct Settings
    {
        SwitchDatapath::Mode mode{SwitchDatapath::FAST}; //!< how packets get through routers
        Attributes tunnel{};                             //!< attributes of both tunnels
        bool isOrdered{false};                           //!< OrderedArrivals
        bool isTunnelFirst{false};                       //!< tunnels before datapaths
        uint32_t nParallel{1};                           //!< links between P1 and C1
        std::vector<std::vector<Ipv4Address>> paths{{}}; //!< of the tunnel there
        std::string mtu{"1500"};                         //!< of all links but the hosts'
    };

    explicit TunnelNetwork(const Settings& settings)
        : m_settings(settings)
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        nodes.Create(6);
        m_ports.resize(6);
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        MultipathRoutingHelper multipath;
        stack.SetRoutingHelper(multipath);
        for (const auto place : {P1, C1, C2, P2})
        {
            stack.Install(nodes.Get(place));
        }
        Link(A, P1, "9000");
        for (uint32_t i = 0; i < settings.nParallel; ++i)
        {
            Link(P1, C1, settings.mtu);
        }
        Link(C1, P2, settings.mtu);
        Link(P1, C2, settings.mtu);
        Link(C2, P2, settings.mtu);
        Link(C1, C2, settings.mtu);
        Link(P2, B, "9000");
        SetAddress(P1, "192.0.2.1");
        SetAddress(P2, "192.0.2.2");
        SetAddress(C1, "192.0.2.11");
        SetAddress(C2, "192.0.2.12");
        AddRoutes();
        if (settings.isTunnelFirst)
        {
            AddTunnels();
        }
        for (const auto place : {P1, C1, C2, P2})
        {
            auto datapath = CreateObject<SwitchDatapath>();
            datapath->SetAttribute("Mode", EnumValue(settings.mode));
            datapath->SetAttribute("OrderedArrivals", BooleanValue(settings.isOrdered));
            datapath->Install(nodes.Get(place));
        }
        if (!settings.isTunnelFirst)
        {
            AddTunnels();
        }
    }

    TunnelNetwork(const TunnelNetwork&) = delete;
    TunnelNetwork& operator=(const TunnelNetwork&) = delete;

    ~TunnelNetwork()
    {
        Simulator::Destroy();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    /// Send bytes from a host. bytes: an IPv4 packet.
    void Send(const Bytes& bytes, Place from = A)
    {
        const auto device = m_ports[from].begin()->second.front();
        device->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                     device->GetBroadcast(),
                     0x0800);
    }

    /// Send bytes later. bytes: an IPv4 packet.
    void SendAt(Time when, const Bytes& bytes, Place from = A)
    {
        Simulator::ScheduleWithContext(nodes.Get(from)->GetId(), when, [this, bytes, from] {
            Send(bytes, from);
        });
    }

    Ptr<EthernetNetDevice> GetPort(uint32_t from, uint32_t to, uint32_t index = 0) const
    {
        return m_ports.at(from).at(to).at(index);
    }

    /// Fail or restore a link, and the interfaces at both of its ends.
    void SetLink(uint32_t a, uint32_t b, bool isUp)
    {
        for (const auto& [from, to] : {Hop{a, b}, Hop{b, a}})
        {
            const auto ipv4 = nodes.Get(from)->GetObject<Ipv4>();
            const auto interface = ipv4->GetInterfaceForDevice(GetPort(from, to));
            if (isUp)
            {
                ipv4->SetUp(interface);
            }
            else
            {
                ipv4->SetDown(interface);
            }
        }
        const auto channel = DynamicCast<EthernetChannel>(GetPort(a, b)->GetChannel());
        if (isUp)
        {
            channel->Restore();
        }
        else
        {
            channel->Fail();
        }
    }

    /// Have C1 write an ECN field into what it sends to P2.
    Ptr<EcnWriterQueueDisc> AddEcnWriter()
    {
        auto writer = CreateObject<EcnWriterQueueDisc>();
        nodes.Get(C1)->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(GetPort(C1, P2),
                                                                                  writer);
        return writer;
    }

    Ptr<MultipathRouting> GetRouting(Place place) const
    {
        return MultipathRoutingHelper::GetRouting(nodes.Get(place));
    }

    NodeContainer nodes;                   //!< the nodes
    Ptr<IpTunnelNetDevice> there;          //!< the tunnel of P1 to P2
    Ptr<IpTunnelNetDevice> back;           //!< the tunnel of P2 to P1
    Ptr<IpTunnelNetDevice> waypoint;       //!< what lets packets out at C2
    std::map<Hop, std::vector<Sent>> sent; //!< all packets, by the hop

  private:
    /// Link two nodes. mtu: bytes.
    void Link(uint32_t a, uint32_t b, const std::string& mtu)
    {
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("DataRate", StringValue("8Gbps")); // a byte takes 1 ns
        ethernet.SetDeviceAttribute("Mtu", StringValue(mtu));
        ethernet.SetDeviceAttribute("TxQueueSize", StringValue("100000p"));
        ethernet.SetChannelAttribute("Delay", StringValue("500ns"));
        const auto devices = ethernet.Install(nodes.Get(a), nodes.Get(b));
        for (uint32_t i = 0; i < 2; ++i)
        {
            const uint32_t from = i == 0 ? a : b;
            const uint32_t to = i == 0 ? b : a;
            const auto port = DynamicCast<EthernetNetDevice>(devices.Get(i));
            m_ports[from][to].push_back(port);
            ConnectTrace(port, "PhyTxBegin", [this, from, to](Ptr<const Packet> frame) {
                Bytes bytes(frame->GetSize());
                frame->CopyData(bytes.data(), frame->GetSize());
                bytes.erase(bytes.begin(), bytes.begin() + 14);
                bytes.resize(std::min<std::size_t>(bytes.size(), Get16(bytes, 2)));
                sent[{from, to}].push_back({Simulator::Now().GetNanoSeconds(), bytes});
            });
            if (const auto ipv4 = nodes.Get(from)->GetObject<Ipv4>())
            {
                ipv4->SetUp(ipv4->AddInterface(port));
            }
            else
            {
                using Receive = NetDevice::ReceiveCallback;
                port->SetReceiveCallback(
                    Receive([](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                        return true;
                    }));
            }
        }
    }

    void SetAddress(Place place, const char* address)
    {
        nodes.Get(place)->GetObject<Ipv4>()->AddAddress(
            0,
            Ipv4InterfaceAddress(Ipv4Address(address), Ipv4Mask::GetOnes()));
    }

    std::vector<NextHop> Via(Place from, uint32_t to) const
    {
        std::vector<NextHop> hops;
        for (const auto& port : m_ports.at(from).at(to))
        {
            hops.emplace_back(nodes.Get(from)->GetObject<Ipv4>()->GetInterfaceForDevice(port));
        }
        return hops;
    }

    void AddRoutes()
    {
        const auto add = [this](Place from, const char* network, uint32_t length, uint32_t to) {
            const Ipv4Mask mask(length == 32 ? 0xffffffff : 0xffff0000);
            GetRouting(from)->AddRoute(Ipv4Address(network), mask, Via(from, to));
        };
        add(P1, "10.1.0.0", 16, A);
        add(P2, "10.2.0.0", 16, B);
        add(P1, "192.0.2.11", 32, C1);
        add(P1, "192.0.2.12", 32, C2);
        add(P1, "192.0.2.2", 32, C1);
        add(C1, "192.0.2.1", 32, P1);
        add(C1, "192.0.2.2", 32, P2);
        add(C1, "192.0.2.12", 32, C2);
        add(C2, "192.0.2.1", 32, P1);
        add(C2, "192.0.2.2", 32, P2);
        add(C2, "192.0.2.11", 32, C1);
        add(P2, "192.0.2.11", 32, C1);
        add(P2, "192.0.2.12", 32, C2);
        add(P2, "192.0.2.1", 32, C1);
    }

    /// network: where it leads, null for nowhere.
    Ptr<IpTunnelNetDevice> AddTunnel(Place place,
                                     const char* local,
                                     const char* remote,
                                     const char* network)
    {
        auto tunnel = CreateObject<IpTunnelNetDevice>();
        SetAll(tunnel, {{"Local", local}, {"Remote", remote}});
        SetAll(tunnel, m_settings.tunnel);
        if (!network)
        {
            // A waypoint, whose headers are always IP in IP
            SetAll(tunnel, {{"Encapsulation", "IpInIp"}, {"GreKey", "0"}, {"Vni", "0"}});
        }
        const uint32_t interface = tunnel->Install(nodes.Get(place));
        if (network)
        {
            GetRouting(place)->AddRoute(Ipv4Address(network), Ipv4Mask("/16"), {interface});
        }
        return tunnel;
    }

    void AddTunnels()
    {
        there = AddTunnel(P1, "192.0.2.1", "192.0.2.2", "10.2.0.0");
        there->SetPaths(m_settings.paths);
        back = AddTunnel(P2, "192.0.2.2", "192.0.2.1", "10.1.0.0");
        waypoint = AddTunnel(C2, "192.0.2.12", "0.0.0.0", nullptr);
        AddTunnel(C1, "192.0.2.11", "0.0.0.0", nullptr);
    }

    Settings m_settings; //!< what it is like
    std::vector<std::map<uint32_t, std::vector<Ptr<EthernetNetDevice>>>> m_ports; //!< the ports
};

/// Say what is wrong with the checksums of a packet's IPv4 headers, of tunnels too. Returns the
/// number of headers, 0 if a checksum is wrong.
inline uint32_t
CountHeaders(const Bytes& bytes)
{
    uint32_t n = 0;
    for (std::size_t at = 0;; at += 20)
    {
        const Ipv4Bytes header = GetHeader(bytes, at);
        if (SumIpv4Words(header) != 0xffff)
        {
            return 0;
        }
        ++n;
        if (header[Ipv4Offset::PROTOCOL] != 4)
        {
            return n;
        }
    }
}

/// Check that the same bytes were sent at the same times, by each hop.
inline void
CompareSent(const std::map<TunnelNetwork::Hop, std::vector<TunnelNetwork::Sent>>& sent,
            const std::map<TunnelNetwork::Hop, std::vector<TunnelNetwork::Sent>>& others)
{
    NS_TEST_ASSERT_MSG_EQ(sent.size(), others.size(), "links");
    for (const auto& [hop, packets] : sent)
    {
        const auto& same = others.at(hop);
        NS_TEST_ASSERT_MSG_EQ(packets.size(),
                              same.size(),
                              "packets from " << hop.first << " to " << hop.second);
        for (std::size_t i = 0; i < packets.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(packets[i].time, same[i].time, "when, packet " << i);
            AIDC_EXPECT(packets[i].bytes == same[i].bytes, "packet " << i << " from " << hop.first);
        }
    }
}

} // namespace aidctest

#endif // AIDC_TUNNEL_NETWORK_H
