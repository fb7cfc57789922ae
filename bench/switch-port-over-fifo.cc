// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark switch_port_over_fifo: a whole simulation with switch ports, over the same one
 * with FifoQueueDisc as root.
 *
 * One switch, 16 hosts at 100 Gb/s, and ns-3's whole stack. The ports have 8 classes with coupled
 * ECN in a shared buffer, or one FifoQueueDisc; the device queue holds one packet on both sides.
 * The result is for UDP: all hosts send to one destination after the other, at 80 % of their links'
 * rate, so that short queues build and nothing is dropped or marked. Both sides then carry the same
 * packets, which the program checks, and UDP does the least else, so that the cost of the ports
 * weighs most. With DCTCP the windows are bounded so that nothing is marked either; as classes
 * change the order of packets, and with it how many there are, its times are divided by their
 * number.
 *
 * Two processes have a simulation each and go on by turns, some milliseconds at a time: whole
 * simulations one after the other would be too far apart on a machine that is not idle. What is
 * timed is all that the simulations do once their networks are made.
 */

#include "child-process.h"
#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/queue.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tcp-socket.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t N_HOSTS = 16;
constexpr uint32_t N_CLASSES = 8;
constexpr uint32_t UDP_PAYLOAD = 1472; //!< bytes, with its headers one MTU
constexpr uint32_t TCP_FLOWS = 6;      //!< flows a host sends
constexpr uint32_t TCP_BUFFER = 32768; //!< bytes, bounds the window
constexpr uint16_t PORT = 9;
constexpr int64_t TURN_NS = 10000;       //!< simulated time of a turn
constexpr uint32_t PAIRS_A_NETWORK = 51; //!< turns after which networks are made anew

/// What the switch's ports are.
enum class Ports
{
    FIFO,         //!< FifoQueueDisc as root
    COUPLED,      //!< SwitchPortQueueDisc with 8 times CoupledEcnQueueDisc
    CLASSES_FIFO, //!< SwitchPortQueueDisc with 8 times FifoQueueDisc
};

/// What the hosts send.
enum class Traffic
{
    UDP,
    DCTCP,
};

/// The second byte of the IP header of a class. @return its class selector and ECT(0)
uint8_t
GetTos(uint32_t index)
{
    return static_cast<uint8_t>((index % N_CLASSES) << 5 | 2);
}

/**
 * @brief Sends datagrams at a constant rate to all other hosts in turn.
 */
class UdpSource
{
  public:
    /// Constructor.
    UdpSource(Ptr<Node> node, uint32_t self, const std::vector<Ipv4Address>& destinations)
        : m_self(self)
    {
        for (uint32_t i = 0; i < destinations.size(); ++i)
        {
            auto socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
            // Up to ns-3.41 an address brings its own type of service.
            socket->Connect(InetSocketAddress(destinations[i], PORT));
            socket->SetIpTos(GetTos(self + i));
            m_sockets.push_back(socket);
        }
        Simulator::ScheduleWithContext(node->GetId(), Time(0), [this] { Send(); });
    }

  private:
    /// Send a datagram, and schedule the next one.
    void Send()
    {
        m_next += m_next == m_self ? 1 : 0;
        if (m_next >= m_sockets.size())
        {
            m_next = m_self == 0 ? 1 : 0;
        }
        m_sockets[m_next]->Send(Create<Packet>(UDP_PAYLOAD));
        ++m_next;
        Simulator::Schedule(NanoSeconds(150), &UdpSource::Send, this);
    }

    std::vector<Ptr<Socket>> m_sockets; //!< one a host
    uint32_t m_self;                    //!< the number of this one
    uint32_t m_next{0};                 //!< the number of the next destination
};

/// Give the switch its queue discs.
QueueDiscContainer
InstallPorts(Ptr<Node> node, Ports ports)
{
    if (ports == Ports::FIFO)
    {
        NetDeviceContainer devices;
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            PointerValue queue;
            if (node->GetDevice(i)->GetAttributeFailSafe("TxQueue", queue)) // not loopback
            {
                queue.Get<QueueBase>()->SetMaxSize(QueueSize("1p"));
                devices.Add(node->GetDevice(i));
            }
        }
        TrafficControlHelper helper;
        helper.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("12MB"));
        return helper.Install(devices);
    }
    SharedBufferSwitchHelper helper;
    helper.SetBufferAttribute("Size", StringValue("12MB"));
    for (uint32_t i = 0; i < N_CLASSES - 1; ++i)
    {
        helper.SetClassAttribute(i, "Quantum", UintegerValue(1500));
    }
    if (ports == Ports::CLASSES_FIFO)
    {
        helper.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "ns3::FifoQueueDisc");
        helper.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                     "MaxSize",
                                     StringValue("12MB"));
    }
    return helper.Install(node);
}

/**
 * @brief One switch and its hosts.
 */
class Network
{
  public:
    /// Constructor.
    Network(Ports ports, Traffic traffic)
    {
        NodeContainer hosts(N_HOSTS);
        auto node = CreateObject<Node>();
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        Ipv4StaticRoutingHelper routing;
        stack.SetRoutingHelper(routing);
        stack.Install(hosts);
        stack.Install(node);

        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
        link.SetChannelAttribute("Delay", StringValue("1us"));
        std::vector<NetDeviceContainer> links;
        for (uint32_t i = 0; i < N_HOSTS; ++i)
        {
            links.push_back(link.Install(node, hosts.Get(i)));
        }
        m_roots = InstallPorts(node, ports);

        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        for (uint32_t i = 0; i < N_HOSTS; ++i)
        {
            const auto interfaces = addresses.Assign(links[i]);
            addresses.NewNetwork();
            m_destinations.push_back(interfaces.GetAddress(1));
            routing.GetStaticRouting(hosts.Get(i)->GetObject<Ipv4>())
                ->SetDefaultRoute(interfaces.GetAddress(0), 1);
        }

        const auto protocol =
            traffic == Traffic::UDP ? UdpSocketFactory::GetTypeId() : TcpSocketFactory::GetTypeId();
        PacketSinkHelper sink(protocol.GetName(), InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink.Install(hosts);
        for (uint32_t i = 0; i < N_HOSTS; ++i)
        {
            if (traffic == Traffic::UDP)
            {
                m_sources.push_back(std::make_unique<UdpSource>(hosts.Get(i), i, m_destinations));
                continue;
            }
            for (uint32_t j = 1; j <= TCP_FLOWS; ++j)
            {
                InetSocketAddress to(m_destinations[(i + j) % N_HOSTS], PORT);
                BulkSendHelper bulk("ns3::TcpSocketFactory", to);
                bulk.SetAttribute("Tos", UintegerValue(GetTos(i + j) & 0xfc));
                bulk.Install(hosts.Get(i));
            }
        }
        // Connections begin, and what is allocated on first use is.
        for (uint32_t i = 0; i < 5; ++i)
        {
            Run();
        }
    }

    /// Simulate for the time of a turn.
    void Run()
    {
        Simulator::Stop(NanoSeconds(TURN_NS));
        Simulator::Run();
    }

    /// Get the number of packets that the switch has sent; none may be dropped or marked.
    uint64_t GetNPackets() const
    {
        uint64_t packets = 0;
        for (uint32_t i = 0; i < m_roots.GetN(); ++i)
        {
            const auto& stats = m_roots.Get(i)->GetStats();
            packets += stats.nTotalSentPackets;
            NS_ABORT_MSG_IF(stats.nTotalDroppedPackets + stats.nTotalMarkedPackets > 0,
                            "A packet was dropped or marked");
        }
        return packets;
    }

  private:
    QueueDiscContainer m_roots;                        //!< the switch's egress queues
    std::vector<Ipv4Address> m_destinations;           //!< the hosts
    std::vector<std::unique_ptr<UdpSource>> m_sources; //!< what sends UDP
};

/// Start a process that has a network.
std::unique_ptr<ChildProcess>
Start(Ports ports, Traffic traffic)
{
    return std::make_unique<ChildProcess>([ports, traffic] {
        auto network = std::make_shared<Network>(ports, traffic);
        return [network] {
            const uint64_t before = network->GetNPackets();
            const double seconds = GetProcessorTime([&network] { network->Run(); });
            return ChildProcess::Report{seconds,
                                        static_cast<double>(network->GetNPackets() - before)};
        };
    });
}

/// Measure simulations with other ports over simulations with FifoQueueDisc.
PairedRatio
Compare(const std::string& text, Ports ports, Traffic traffic, uint32_t pairs)
{
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; i += PAIRS_A_NETWORK)
    {
        const auto a = Start(ports, traffic);
        const auto b = Start(Ports::FIFO, traffic);
        for (uint32_t j = i; j < std::min(pairs, i + PAIRS_A_NETWORK); ++j)
        {
            // Which goes first alternates.
            auto turnA = j % 2 == 0 ? a->Run() : ChildProcess::Report{};
            const auto turnB = b->Run();
            turnA = j % 2 == 0 ? turnA : a->Run();
            NS_ABORT_MSG_IF(traffic == Traffic::UDP && turnA[1] != turnB[1],
                            "Not the same work: " << turnA[1] << " and " << turnB[1] << " packets");
            timing.Add(turnA[0] / turnA[1], turnB[0] / turnB[1]);
        }
    }
    const auto ratio = timing.Get();
    PrintNote(text, ratio, 1);
    return ratio;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = "switch_port_over_fifo";
    const auto options = ParseBenchmarkOptions(
        argc,
        argv,
        name,
        "processor time of a simulation whose switch has ports of 8 classes with coupled ECN, over "
        "the same one with FifoQueueDisc as root",
        "fifo coupled classes-fifo",
        501);
    if (!options.selected)
    {
        return 0;
    }
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue("On"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(TCP_BUFFER));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(TCP_BUFFER));
    if (!options.only.empty())
    {
        const auto ports = options.only == "fifo"      ? Ports::FIFO
                           : options.only == "coupled" ? Ports::COUPLED
                                                       : Ports::CLASSES_FIFO;
        Network network(ports, Traffic::UDP);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            network.Run();
        }
        return 0;
    }
    std::cerr << name << ": a simulation with other switch ports over one with FifoQueueDisc"
              << std::endl;
    const auto result =
        Compare("8 classes with coupled ECN, UDP", Ports::COUPLED, Traffic::UDP, options.pairs);
    const uint32_t fewer = std::max(1U, options.pairs / 3);
    Compare("8 classes with coupled ECN, DCTCP", Ports::COUPLED, Traffic::DCTCP, fewer);
    Compare("8 classes with FifoQueueDisc, UDP", Ports::CLASSES_FIFO, Traffic::UDP, fewer);
    PrintResult(name, "the same simulation with FifoQueueDisc as root", result);
    return 0;
}
