// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark ethernet_over_point_to_point: what a packet costs over EthernetNetDevice, over
 * what it costs over ns-3's PointToPointNetDevice.
 *
 * Two hosts are linked at 100 Gb/s and send packets of 1,000 bytes to each other, each at 70 % of
 * the link's rate, in these ways:
 * - udp, which is the result: datagrams by sockets and ns-3's stack, 16 at a time, so that they
 * wait in a FifoQueueDisc. The queue of the PointToPointNetDevice holds one packet, as it must for
 *   queue discs to have the queue;
 * - queue: by NetDevice::Send(), 16 at a time, which wait in the device;
 * - send: by NetDevice::Send(), one at a time, which never wait.
 *
 * Both sides carry the same packets, which the program checks. Two processes have a simulation each
 * and go on by turns. The time is measured in Simulator::Run(), once the network is made.
 */

#include "child-process.h"
#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/ethernet-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t SIZE = 1000;          //!< bytes of a packet, with its IP header
constexpr uint32_t HEADERS = 28;         //!< of UDP and IPv4
constexpr int64_t GAP_NS = 120;          //!< from a packet to the next one: 83 ns are on the wire
constexpr int64_t TURN_NS = 240000;      //!< simulated time of a turn: 2,000 packets each way
constexpr uint32_t PAIRS_A_NETWORK = 51; //!< turns after which networks are made anew
constexpr uint16_t PORT = 9;

/// How packets are sent.
enum class Load
{
    UDP,   //!< by sockets, 16 at a time
    QUEUE, //!< by the device, 16 at a time
    SEND,  //!< by the device, one at a time
};

/**
 * @brief A host that sends to the other one.
 */
class Host
{
  public:
    /// Constructor.
    Host(Ptr<NetDevice> device, Ptr<NetDevice> peer, Ipv4Address address, Load load)
        : m_device(device),
          m_peer(peer->GetAddress()),
          m_address(address, PORT),
          m_isUdp(load == Load::UDP),
          m_burst(load == Load::SEND ? 1 : 16)
    {
        if (m_isUdp)
        {
            m_socket = Socket::CreateSocket(device->GetNode(), UdpSocketFactory::GetTypeId());
            m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
            m_socket->SetRecvCallback(MakeCallback(&Host::Read, this));
        }
        else
        {
            device->SetReceiveCallback(MakeCallback(&Host::Take, this));
        }
        Simulator::ScheduleWithContext(device->GetNode()->GetId(), Time(0), [this] { Send(); });
    }

    /// Get the packets that have arrived.
    uint64_t GetReceived() const
    {
        return m_received;
    }

  private:
    /// Send some packets, and schedule the next ones.
    void Send()
    {
        for (uint32_t i = 0; i < m_burst; ++i)
        {
            if (m_isUdp)
            {
                m_socket->SendTo(Create<Packet>(SIZE - HEADERS), 0, m_address);
            }
            else
            {
                m_device->Send(Create<Packet>(SIZE), m_peer, 0x0800);
            }
        }
        Simulator::Schedule(NanoSeconds(GAP_NS * m_burst), &Host::Send, this);
    }

    /// Read datagrams.
    void Read(Ptr<Socket> socket)
    {
        while (socket->Recv())
        {
            ++m_received;
        }
    }

    bool Take(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        ++m_received;
        return true;
    }

    Ptr<NetDevice> m_device;     //!< its device
    Address m_peer;              //!< the other host's device
    InetSocketAddress m_address; //!< the other host
    bool m_isUdp;                //!< whether it sends by its socket
    uint32_t m_burst;            //!< packets at a time
    Ptr<Socket> m_socket;        //!< its socket
    uint64_t m_received{0};      //!< packets that have arrived
};

/**
 * @brief Two hosts and their link.
 */
class Network
{
  public:
    /// Constructor.
    Network(bool isEthernet, Load load)
    {
        NodeContainer nodes(2);
        NetDeviceContainer devices;
        if (isEthernet)
        {
            EthernetHelper helper;
            helper.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
            helper.SetChannelAttribute("Delay", StringValue("1us"));
            devices = helper.Install(nodes);
        }
        else
        {
            PointToPointHelper helper;
            helper.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
            helper.SetChannelAttribute("Delay", StringValue("1us"));
            if (load == Load::UDP)
            {
                helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
            }
            devices = helper.Install(nodes);
        }
        Ipv4InterfaceContainer interfaces;
        if (load == Load::UDP)
        {
            InternetStackHelper stack;
            stack.SetIpv6StackInstall(false);
            stack.Install(nodes);
            TrafficControlHelper control;
            control.SetRootQueueDisc("ns3::FifoQueueDisc");
            control.Install(devices);
            interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            m_hosts[i] = std::make_unique<Host>(devices.Get(i),
                                                devices.Get(1 - i),
                                                load == Load::UDP ? interfaces.GetAddress(1 - i)
                                                                  : Ipv4Address::GetAny(),
                                                load);
        }
        Run();
    }

    /// Simulate for the time of a turn.
    void Run()
    {
        Simulator::Stop(NanoSeconds(TURN_NS));
        Simulator::Run();
    }

    /// Get the packets that have arrived.
    uint64_t GetReceived() const
    {
        return m_hosts[0]->GetReceived() + m_hosts[1]->GetReceived();
    }

  private:
    std::array<std::unique_ptr<Host>, 2> m_hosts; //!< the hosts
};

/// Start a process that has a network.
std::unique_ptr<ChildProcess>
Start(bool isEthernet, Load load)
{
    return std::make_unique<ChildProcess>([isEthernet, load] {
        auto network = std::make_shared<Network>(isEthernet, load);
        return [network] {
            const uint64_t before = network->GetReceived();
            const double seconds = GetProcessorTime([&network] { network->Run(); });
            return ChildProcess::Report{seconds,
                                        static_cast<double>(network->GetReceived() - before)};
        };
    });
}

/// Measure simulations with Ethernet over simulations with point-to-point devices.
PairedRatio
Compare(const std::string& text, Load load, uint32_t pairs)
{
    PairedTiming timing;
    double packets = 0;
    for (uint32_t i = 0; i < pairs; i += PAIRS_A_NETWORK)
    {
        const auto a = Start(true, load);
        const auto b = Start(false, load);
        for (uint32_t j = i; j < std::min(pairs, i + PAIRS_A_NETWORK); ++j)
        {
            // Which goes first alternates.
            auto turnA = j % 2 == 0 ? a->Run() : ChildProcess::Report{};
            const auto turnB = b->Run();
            turnA = j % 2 == 0 ? turnA : a->Run();
            NS_ABORT_MSG_IF(turnA[1] != turnB[1] || turnA[1] == 0,
                            "Not the same work: " << turnA[1] << " and " << turnB[1] << " packets");
            packets = turnB[1];
            timing.Add(turnA[0], turnB[0]);
        }
    }
    const auto ratio = timing.Get();
    PrintNote(text, ratio, packets);
    return ratio;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string name = "ethernet_over_point_to_point";
    const auto options = ParseBenchmarkOptions(
        argc,
        argv,
        name,
        "processor time of a packet over EthernetNetDevice, over that over ns-3's "
        "PointToPointNetDevice",
        "ethernet point-to-point",
        501);
    if (!options.selected)
    {
        return 0;
    }
    if (!options.only.empty())
    {
        Network network(options.only == "ethernet", Load::UDP);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            network.Run();
        }
        return 0;
    }
    std::cerr << name << ": two hosts on an Ethernet link over the same on a point-to-point one"
              << std::endl;
    const auto result = Compare("UDP, FifoQueueDisc, 16 at a time", Load::UDP, options.pairs);
    const uint32_t fewer = std::max(1U, options.pairs / 3);
    Compare("NetDevice::Send, 16 at a time", Load::QUEUE, fewer);
    Compare("NetDevice::Send, one at a time", Load::SEND, fewer);
    PrintResult(name, "ns-3's PointToPointNetDevice", result);
    return 0;
}
