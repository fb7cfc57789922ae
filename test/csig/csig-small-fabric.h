// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_SMALL_FABRIC_H
#define AIDC_CSIG_SMALL_FABRIC_H

#include "model/core/csig/csig-fields.h"
#include "test/helper/test-fabrics.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"

// A small fabric with CSIG and traffic over its uplinks, for the test suites.

namespace aidctest
{

/// Two leaves with two hosts each at 100 Gb/s, and two spines at 40 Gb/s; UDP packets with random
/// pauses between them from each host to one at the other leaf.
class SmallFabric
{
  public:
    explicit SmallFabric(FabricHelper::DeviceKind kind = FabricHelper::ETHERNET,
                         SwitchDatapath::Mode datapath = SwitchDatapath::FAST)
    {
        LeafSpineSettings settings{2, 2, 2};
        settings.leafSpineRate = 40000000000;
        network.SetDeviceKind(kind);
        network.SetDatapath(datapath);
        network.Build(MakeLeafSpine(settings));
        FinishNetwork(network);
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.GetHostHelper().SetAttribute("TagUdp", BooleanValue(true));
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(1);
    }

    /// Note the tags that hosts receive.
    void Watch()
    {
        for (const NodeIndex host : network.GetFabric().GetHosts())
        {
            ConnectTrace(network.GetNode(host)->GetObject<CsigHost>(),
                         "Tag",
                         [this, host](const FlowKey&, const CsigFields& fields) {
                             tags.push_back({host, Simulator::Now().GetNanoSeconds(), fields});
                         });
        }
    }

    /// Let each host send. pause: the mean time from one to the next, in
    /// ns. start: when to begin, in ns.
    void Send(int packets, double pause, double start = 1000, double spread = 0.5)
    {
        const auto& hosts = network.GetFabric().GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            auto socket = MakeSocket(network.GetNode(hosts[i]), SINK_PORT);
            m_sockets.push_back(socket);
            const auto to = network.GetAddress(NodeIndex(hosts[(i + 2) % hosts.size()]));
            double time = start;
            for (int n = 0; n < packets; ++n)
            {
                time += m_random->GetValue((1 - spread) * pause, (1 + spread) * pause);
                Simulator::Schedule(NanoSeconds(static_cast<uint64_t>(time)), [socket, to] {
                    while (socket->Recv())
                    {
                    }
                    socket->SendTo(Create<Packet>(1400), 0, InetSocketAddress(to, SINK_PORT));
                });
            }
        }
    }

    /// A tag that has arrived.
    struct Arrival
    {
        ns3::aidc::NodeIndex host; //!< where
        int64_t time;              //!< when, in ns
        CsigFields fields;         //!< what it says
    };

    FabricHelper network;      //!< the network
    CsigHelper csig;           //!< makes the CSIG domain
    std::vector<Arrival> tags; //!< tags that have arrived

  private:
    Ptr<UniformRandomVariable> m_random; //!< the pauses
    std::vector<Ptr<Socket>> m_sockets;  //!< of the hosts
    SimulationEnd m_end;                 //!< of this network
};

} // namespace aidctest

#endif // AIDC_CSIG_SMALL_FABRIC_H
