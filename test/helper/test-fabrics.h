// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TEST_FABRICS_H
#define AIDC_TEST_FABRICS_H

#include "test/test-case.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/queue-item.h"

// Small networks of FabricHelper and packets through them, for the test suites.

namespace aidctest
{

/// The protocol number of ICMP.
constexpr uint8_t ICMP_PROTOCOL = 1;
/// The protocol number of UDP.
constexpr uint8_t UDP_PROTOCOL = 17;
/// The port to which test packets are sent.
constexpr uint16_t SINK_PORT = 9;

/// Finish a network: queue discs for the switches, addresses, streams.
inline void
FinishNetwork(FabricHelper& network)
{
    TrafficControlHelper trafficControl;
    trafficControl.SetRootQueueDisc("ns3::FifoQueueDisc");
    const auto& fabric = network.GetFabric();
    for (const NodeIndex id : fabric.GetSwitches())
    {
        for (PortIndex port; port < fabric.GetPorts(id).GetEnd(); ++port)
        {
            trafficControl.Install(network.GetPort(id, port));
        }
    }
    network.AssignAddresses();
    network.AssignStreams(1);
}

/// Send a UDP packet of 100 bytes.
inline void
SendUdp(Ptr<Socket> socket, Ipv4Address to)
{
    socket->SendTo(Create<Packet>(100), 0, InetSocketAddress(to, SINK_PORT));
}

/// Write down all routes.
inline std::string
PrintRoutes(const FabricHelper& network)
{
    std::ostringstream text;
    const auto stream = Create<OutputStreamWrapper>(&text);
    for (const NodeIndex id : network.GetFabric().GetSwitches())
    {
        MultipathRoutingHelper::GetRouting(network.GetNode(id))
            ->PrintRoutingTable(stream, Time::NS);
    }
    // The time of printing is no part of the routes.
    std::istringstream lines(text.str());
    std::string routes;
    for (std::string line; std::getline(lines, line);)
    {
        routes += line.find("Time") == std::string::npos ? line + '\n' : "";
    }
    return routes;
}

/// Counts what IPv4 of all nodes of a network does.
class PacketCounter
{
  public:
    /// A packet that was delivered to a host.
    struct Delivery
    {
        NodeIndex host;    //!< the host that it was delivered to
        Ipv4Header header; //!< its header
        uint16_t port{0};  //!< its source port if it is of UDP
        Time time;         //!< when it was delivered
    };

    /// A packet that IPv4 has dropped.
    struct Drop
    {
        NodeIndex node;    //!< where it was dropped
        Ipv4Header header; //!< its header
        Time time;         //!< when it was dropped
    };

    explicit PacketCounter(const FabricHelper& network)
    {
        const auto& fabric = network.GetFabric();
        for (NodeIndex id; id < NodeIndex(fabric.GetNNodes()); ++id)
        {
            const auto ipv4 = network.GetNode(id)->GetObject<Ipv4L3Protocol>();
            ConnectTrace(ipv4,
                         "Drop",
                         [this](const Ipv4Header& header,
                                Ptr<const Packet>,
                                Ipv4L3Protocol::DropReason,
                                Ptr<Ipv4> ipv4,
                                uint32_t) {
                             const NodeIndex node(ipv4->GetObject<Node>()->GetId());
                             drops.push_back({node, header, Simulator::Now()});
                         });
            if (fabric.IsHost(id))
            {
                m_sinks.push_back(MakeSocket(network.GetNode(id), SINK_PORT));
                ConnectTrace(ipv4,
                             "LocalDeliver",
                             [this, id](const Ipv4Header& header,
                                        Ptr<const Packet> packet,
                                        uint32_t) { Delivered(id, header, packet); });
            }
            else
            {
                const auto layer = network.GetNode(id)->GetObject<TrafficControlLayer>();
                for (PortIndex port; port < fabric.GetPorts(id).GetEnd(); ++port)
                {
                    const auto root = layer->GetRootQueueDiscOnDevice(network.GetPort(id, port));
                    ConnectTrace(root, "Enqueue", [this](Ptr<const QueueDiscItem>) { ++forwards; });
                }
            }
        }
    }

    PacketCounter(const PacketCounter&) = delete;
    PacketCounter& operator=(const PacketCounter&) = delete;

    /// Forget what has been counted.
    void Clear()
    {
        deliveries.clear();
        drops.clear();
        forwards = 0;
    }

    std::vector<Delivery> deliveries; //!< packets delivered to hosts
    std::vector<Drop> drops;          //!< packets dropped by IPv4
    uint64_t forwards{0};             //!< packets that switches have queued at a port

  private:
    void Delivered(NodeIndex host, const Ipv4Header& header, Ptr<const Packet> packet)
    {
        uint8_t port[2] = {0, 0};
        if (header.GetProtocol() == UDP_PROTOCOL)
        {
            packet->CopyData(port, sizeof(port));
        }
        deliveries.push_back(
            {host, header, static_cast<uint16_t>(port[0] << 8 | port[1]), Simulator::Now()});
    }

    std::vector<Ptr<Socket>> m_sinks; //!< so that packets find a port
};

} // namespace aidctest

#endif // AIDC_TEST_FABRICS_H
