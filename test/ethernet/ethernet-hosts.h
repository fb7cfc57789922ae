// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_ETHERNET_HOSTS_H
#define AIDC_ETHERNET_HOSTS_H

#include "test/test-case.h"

#include "ns3/ethernet-helper.h"
#include "ns3/fifo-queue-disc.h"
#include "ns3/inet6-socket-address.h"

// Two hosts with ns-3's stack and an Ethernet link between them, for the test suites.

namespace aidctest
{

/// The port that the sockets have.
constexpr uint16_t PORT = 9;

/// A datagram that has arrived.
struct Datagram
{
    int64_t time;  //!< when, in nanoseconds
    uint32_t size; //!< bytes of payload
};

/// Two hosts with ns-3's stack, 10.0.0.1 and 10.0.0.2, whose link works as an EthernetPair's.
class EthernetHosts
{
  public:
    /// queueDisc: the root queue disc of both: its TypeId; empty for none.
    explicit EthernetHosts(const std::string& queueDisc = "", const Attributes& attributes = {})
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

    Ptr<EthernetNetDevice> GetPort(uint32_t i) const
    {
        return DynamicCast<EthernetNetDevice>(devices.Get(i));
    }

    /// Make a socket of the first host.
    Ptr<Socket> MakeSocket() const
    {
        auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->SetAllowBroadcast(true);
        return socket;
    }

    NodeContainer nodes;             //!< the hosts
    NetDeviceContainer devices;      //!< their ports
    QueueDiscContainer roots;        //!< their root queue discs
    std::vector<Datagram> datagrams; //!< what the second host has got

  private:
    /// Have the second host take datagrams.
    void Listen()
    {
        for (const Address& local : {Address(InetSocketAddress(Ipv4Address::GetAny(), PORT)),
                                     Address(Inet6SocketAddress(Ipv6Address::GetAny(), PORT))})
        {
            auto socket = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
            socket->Bind(local);
            socket->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
                while (auto packet = socket->Recv())
                {
                    datagrams.push_back({Simulator::Now().GetNanoSeconds(), packet->GetSize()});
                }
            }));
            m_sockets.push_back(socket);
        }
    }

    std::vector<Ptr<Socket>> m_sockets; //!< of the second host
    SimulationEnd m_end;                //!< of this network
};

} // namespace aidctest

#endif // AIDC_ETHERNET_HOSTS_H
