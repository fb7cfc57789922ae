// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_LOSSLESS_NETWORK_H
#define AIDC_LOSSLESS_NETWORK_H

#include "test/star-fabric.h"

#include "ns3/ingress-buffer.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/priority-flow-control.h"
#include "ns3/shared-buffer.h"

// Networks with a lossless priority, for the test suites.

namespace aidctest
{

/// The rate of links in bit/s.
constexpr uint64_t RATE = 100000000000;
/// The UDP port of receivers.
constexpr uint16_t PORT = 9;
/// The lossless priority.
constexpr uint32_t PRIORITY = 3;

/// A network with a lossless priority, and UDP packets through it.
class LosslessNetwork
{
  public:
    /// Build the network. bufferSize: the memory of a
    /// switch, bytes.
    void Build(const FabricPlan& fabric, SwitchDatapath::Mode datapath, uint32_t bufferSize)
    {
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.SetDatapath(datapath);
        network.SetMtu(mtu);
        network.Build(fabric);
        switches.SetBufferAttribute("Size",
                                    QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bufferSize)));
        switches.SetQueueDisc(SharedBufferSwitchHelper::ALL_CLASSES, "ns3::FifoQueueDisc");
        switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                       "MaxSize",
                                       StringValue("1000MB"));
        switches.Install(network.GetSwitches());
        if (stopsHostsOnly)
        {
            InstallAtHostPorts(fabric);
        }
        else
        {
            pfc.InstallSwitches(network.GetSwitches());
        }
        pfc.InstallHosts(network.GetHosts());
        network.AssignAddresses();
        network.AssignStreams(1);
        for (const NodeIndex host : fabric.GetHosts())
        {
            auto sink = MakeSocket(host, PORT);
            sink->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
                while (socket->Recv())
                {
                    ++received;
                    last = Simulator::Now();
                }
            }));
        }
    }

    /// Send packets at once.
    void Send(NodeIndex from,
              NodeIndex to,
              uint32_t n,
              uint32_t priority = PRIORITY,
              Time when = Seconds(0))
    {
        const auto socket = MakeSocket(from, 0);
        // Up to ns-3.41 an address brings its own type of service.
        socket->Connect(InetSocketAddress(network.GetAddress(to), PORT));
        socket->SetIpTos(static_cast<uint8_t>(priority << 5)); // the class selector
        Simulator::Schedule(when, [this, socket, n] {
            for (uint32_t i = 0; i < n; ++i)
            {
                sent += socket->Send(Create<Packet>(mtu - HEADERS)) > 0;
            }
        });
    }

    /// Get the memory of a switch.
    Ptr<SharedBuffer> GetBuffer(NodeIndex node) const
    {
        return network.GetNode(node)->GetObject<SharedBuffer>();
    }

    /// Get the most that a port of the only switch had in its headroom. Returns bytes.
    uint64_t GetHeadroomPeak() const
    {
        uint64_t peak = 0;
        const NodeIndex node(0);
        for (uint32_t port = 0; port < network.GetFabric().GetPorts(node).size(); ++port)
        {
            const auto ingress = GetBuffer(node)->GetIngress(port, PRIORITY);
            peak = std::max(peak, ingress->GetHeadroomPeak());
        }
        return peak;
    }

    Ptr<PriorityFlowControl> GetControl(NodeIndex node, PortIndex port) const
    {
        return network.GetPort(node, port)->GetObject<PriorityFlowControl>();
    }

    uint16_t mtu{1500};                //!< the MTU of all links
    bool stopsHostsOnly{false};        //!< whether switches do not stop each other
    FabricHelper network;              //!< the network
    PriorityFlowControlHelper pfc;     //!< makes the priority lossless
    SharedBufferSwitchHelper switches; //!< makes the queues of switches
    uint64_t sent{0};                  //!< packets that hosts have sent
    uint64_t received{0};              //!< packets that have arrived at hosts
    Time last;                         //!< when the last one did

  private:
    static constexpr uint32_t HEADERS = 28; //!< of UDP and IPv4

    /// Let switches stop hosts, but not each other.
    void InstallAtHostPorts(const FabricPlan& fabric)
    {
        for (const NodeIndex node : fabric.GetSwitches())
        {
            NetDeviceContainer ports;
            const auto& links = fabric.GetPorts(node);
            for (PortIndex port; port < links.GetEnd(); ++port)
            {
                if (!fabric.IsSwitch(links[port].peer))
                {
                    ports.Add(network.GetPort(node, port));
                }
            }
            pfc.InstallSwitch(network.GetNode(node), ports);
        }
    }

    /// Make a UDP socket. port: its port, 0 for any.
    Ptr<Socket> MakeSocket(NodeIndex host, uint16_t port)
    {
        auto socket = aidctest::MakeSocket(network.GetNode(host), port);
        m_sockets.push_back(socket);
        return socket;
    }

    std::vector<Ptr<Socket>> m_sockets; //!< keeps the sockets
    SimulationEnd m_end;                //!< of this network
};

} // namespace aidctest

#endif // AIDC_LOSSLESS_NETWORK_H
