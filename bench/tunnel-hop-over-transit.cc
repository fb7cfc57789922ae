// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark tunnel_hop_over_transit: processor time of a PE's hop over the time of a plain
 * transit hop.
 *
 * A host sends packets of 1000 bytes through a chain of 32 routers to another one, at half of the
 * links' rate of 100 Gb/s. On one side all routers only pass them on. On the other side every
 * router is a PE: the first one puts packets into an IP-in-IP tunnel to the second one, which takes
 * them out, the third one into another, and so on; with the ECN tables of RFC 6040. Both sides have
 * the fast path, and queue discs on shared buffers. The hosts, which have no stacks, are on both
 * sides.
 *
 * The sides are in processes of their own, which go on by turns. The seconds are processor time of
 * Simulator::Run().
 */

#include "child-process.h"
#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/ethernet-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4-header.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/protocol-numbers.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-datapath.h"
#include "ns3/udp-header.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t ROUTERS = 32;       //!< routers in the chain, an even number
constexpr int64_t GAP = 160;           //!< ns from one packet to the next
constexpr uint32_t PAYLOAD = 972;      //!< bytes of UDP payload
constexpr int64_t TURN = 320000;       //!< ns of simulated time in a turn
constexpr uint8_t UDP = 17;            //!< the protocol number of UDP
const char* const SOURCE = "10.1.0.2"; //!< the sending host
const char* const SINK = "10.2.0.2";   //!< the receiving host

/// Two hosts and the chain between them.
class Chain
{
  public:
    /// Constructor.
    explicit Chain(bool hasTunnels)
    {
        NodeContainer nodes(ROUTERS + 2); // the hosts are the first and the last one
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        MultipathRoutingHelper multipath;
        stack.SetRoutingHelper(multipath);
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
        ethernet.SetDeviceAttribute("Mtu", StringValue("1500"));
        ethernet.SetChannelAttribute("Delay", StringValue("1us"));
        NetDeviceContainer last;
        for (uint32_t i = 0; i <= ROUTERS; ++i)
        {
            last = ethernet.Install(nodes.Get(i), nodes.Get(i + 1));
            if (i == 0)
            {
                m_source = last.Get(0);
            }
        }
        SharedBufferSwitchHelper switches;
        switches.SetNClasses(1);
        for (uint32_t i = 1; i <= ROUTERS; ++i)
        {
            stack.Install(nodes.Get(i));
            switches.Install(nodes.Get(i));
            InstallRouter(nodes.Get(i), i, hasTunnels);
        }
        last.Get(1)->SetReceiveCallback(MakeCallback(&Chain::Receive, this));
        UdpHeader udp;
        udp.SetSourcePort(5000);
        udp.SetDestinationPort(9);
        m_datagram = Create<Packet>(PAYLOAD);
        m_datagram->AddHeader(udp);
        Ipv4Header header;
        header.SetSource(Ipv4Address(SOURCE));
        header.SetDestination(Ipv4Address(SINK));
        header.SetProtocol(UDP);
        header.SetTtl(250);
        header.SetDontFragment();
        header.SetEcn(Ipv4Header::ECN_ECT0);
        header.SetPayloadSize(static_cast<uint16_t>(m_datagram->GetSize()));
        m_datagram->AddHeader(header);
        Simulator::ScheduleWithContext(0, NanoSeconds(0), [this] { Send(); });
        Run(); // what is allocated on first use is
        NS_ABORT_MSG_IF(m_received == 0, "No packet has arrived");
    }

    /// Simulate for the time of a turn. @return the packets that have arrived in it
    uint64_t Run()
    {
        const uint64_t before = m_received;
        Simulator::Stop(NanoSeconds(TURN));
        Simulator::Run();
        return m_received - before;
    }

  private:
    /// Get the address of a router. @param i which one, from 1 on
    static Ipv4Address GetAddress(uint32_t i)
    {
        return Ipv4Address(0xc0000200 + i); // 192.0.2.i
    }

    /// Give a router its addresses, routes and tunnels.
    static void InstallRouter(const Ptr<Node>& node, uint32_t i, bool hasTunnels)
    {
        const auto ipv4 = node->GetObject<Ipv4>();
        ipv4->AddAddress(0, Ipv4InterfaceAddress(GetAddress(i), Ipv4Mask::GetOnes()));
        for (uint32_t port = 0; port < node->GetNDevices(); ++port)
        {
            if (ipv4->GetInterfaceForDevice(node->GetDevice(port)) < 0)
            {
                ipv4->SetUp(ipv4->AddInterface(node->GetDevice(port)));
            }
        }
        const auto onward = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(node->GetDevice(1)));
        auto datapath = CreateObject<SwitchDatapath>();
        datapath->Install(node);
        const auto routing = MultipathRoutingHelper::GetRouting(node);
        uint32_t way = onward;
        if (hasTunnels)
        {
            // Odd ones are entries, even ones exits, of pairs.
            const bool isEntry = i % 2 == 1;
            auto tunnel = CreateObject<IpTunnelNetDevice>();
            tunnel->SetAttribute("Local", Ipv4AddressValue(GetAddress(i)));
            tunnel->SetAttribute("Remote", Ipv4AddressValue(GetAddress(isEntry ? i + 1 : i - 1)));
            tunnel->SetAttribute("EgressMode", StringValue("PipeForEct1"));
            const uint32_t interface = tunnel->Install(node);
            routing->AddRoute(GetAddress(i + 1), Ipv4Mask::GetOnes(), {NextHop(onward)});
            way = isEntry ? interface : onward;
        }
        routing->AddRoute(Ipv4Address("10.2.0.0"), Ipv4Mask("/16"), {NextHop(way)});
    }

    /// Send a datagram, and schedule the next one.
    void Send()
    {
        m_source->Send(m_datagram->Copy(), m_source->GetBroadcast(), ETHERTYPE_IPV4);
        Simulator::Schedule(NanoSeconds(GAP), [this] { Send(); });
    }

    /// Count a datagram. @return true: it was taken
    bool Receive(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        ++m_received;
        return true;
    }

    Ptr<NetDevice> m_source; //!< the port of the sending host
    Ptr<Packet> m_datagram;  //!< what it sends over and over
    uint64_t m_received{0};  //!< the datagrams that have arrived
};

/// Start a process that has a chain.
std::unique_ptr<ChildProcess>
Start(bool hasTunnels)
{
    return std::make_unique<ChildProcess>([hasTunnels] {
        auto chain = std::make_shared<Chain>(hasTunnels);
        return [chain] {
            uint64_t packets = 0;
            const double seconds = GetProcessorTime([&] { packets = chain->Run(); });
            return ChildProcess::Report{seconds, static_cast<double>(packets)};
        };
    });
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = "tunnel_hop_over_transit";
    const auto options =
        ParseBenchmarkOptions(argc,
                              argv,
                              name,
                              "processor time of a packet through a chain of PEs, which "
                              "encapsulate and decapsulate it in "
                              "turn, over that through a chain of routers that only pass it on",
                              "tunnel transit",
                              101);
    if (!options.selected)
    {
        return 0;
    }
    if (!options.only.empty())
    {
        Chain chain(options.only == "tunnel");
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            chain.Run();
        }
        return 0;
    }
    std::cerr << name << ": a PE's hop over a plain transit hop, on the fast path" << std::endl;
    const auto tunnel = Start(true);
    const auto transit = Start(false);
    PairedTiming timing;
    for (uint32_t i = 0; i < options.pairs; ++i)
    {
        // Which goes first alternates.
        auto a = i % 2 == 0 ? tunnel->Run() : ChildProcess::Report{};
        const auto b = transit->Run();
        a = i % 2 == 0 ? a : tunnel->Run();
        timing.Add(a[0] / a[1], b[0] / b[1]);
    }
    const auto ratio = timing.Get();
    PrintNote("all routers are PEs", ratio, ROUTERS);
    PrintResult(name, "the same chain without tunnels", ratio);
    return 0;
}
