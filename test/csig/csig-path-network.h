// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_PATH_NETWORK_H
#define AIDC_CSIG_PATH_NETWORK_H

#include "model/core/csig/csig-fields.h"
#include "test/helper/test-fabrics.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-host.h"
#include "ns3/flow-key.h"
#include "ns3/mac48-address.h"

// The path of the draft's figure 5, for the test suites of CSIG.

namespace aidctest
{

/// One hop of figure 5, and the traffic that makes it what it is.
struct FigureHop
{
    uint64_t capacity;  //!< C in Gb/s
    uint64_t available; //!< ABW in Gb/s
    uint32_t delay;     //!< D in us
    uint32_t frame;     //!< bytes on the wire of a frame of other traffic
};

/// Figure 5. 100 us of C - ABW, and D at C, are whole numbers of the frames.
constexpr std::array<FigureHop, 5> FIGURE_HOPS{{{800, 100, 10, 6250},
                                                {100, 95, 3, 6250},
                                                {100, 70, 18, 6250},
                                                {100, 90, 5, 6250},
                                                {40, 20, 8, 5000}}};

/// Check that the other traffic of a hop is whole frames.
constexpr bool
IsWhole(const FigureHop& hop)
{
    return (hop.capacity - hop.available) * 12500 % hop.frame == 0 &&
           hop.delay * hop.capacity * 125 % hop.frame == 0;
}

static_assert(IsWhole(FIGURE_HOPS[0]) && IsWhole(FIGURE_HOPS[1]) && IsWhole(FIGURE_HOPS[2]) &&
              IsWhole(FIGURE_HOPS[3]) && IsWhole(FIGURE_HOPS[4]));

/// A host, ToR, Aggr, Core, Aggr, ToR, a host: nodes 0 to 6. Switch i has its port 1 towards node i
/// + 1. CSIG asks for one signal.
class FigurePath
{
  public:
    /// When the interval that is measured begins and ends, in us.
    static constexpr int64_t MEASURED_FROM = 100;
    /// See MEASURED_FROM.
    static constexpr int64_t MEASURED_TO = 200;

    /// format: "Compact" or "Expanded". install: installs CSIG, if it is not to be installed on all
    /// nodes with the same attributes.
    FigurePath(SwitchDatapath::Mode datapath,
               const std::string& signal,
               const std::string& format,
               CsigHelper& helper,
               const std::function<void(FabricHelper&)>& install = {})
    {
        using Tier = FabricTier;
        FabricPlan fabric("figure-5");
        fabric.AddNode(Tier::HOST, NO_POD, 0);
        fabric.AddNode(Tier::LEAF, 0, 0);
        fabric.AddNode(Tier::SPINE, 0, 0);
        fabric.AddNode(Tier::SUPER_SPINE, NO_POD, 0);
        fabric.AddNode(Tier::SPINE, 1, 0);
        fabric.AddNode(Tier::LEAF, 1, 0);
        fabric.AddNode(Tier::HOST, NO_POD, 1);
        fabric.AddLink(NodeIndex(0), NodeIndex(1), 800000000000, 1000);
        for (uint32_t i = 0; i < FIGURE_HOPS.size(); ++i)
        {
            fabric.AddLink(NodeIndex(i + 1),
                           NodeIndex(i + 2),
                           FIGURE_HOPS[i].capacity * 1000000000,
                           1000);
        }
        fabric.Finish();
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.SetDatapath(datapath);
        network.Build(fabric);
        FinishNetwork(network);
        helper.SetAgentAttribute("Phase", DoubleValue(0)); // see MEASURED_FROM
        helper.SetPortAttribute("Trusted", BooleanValue(true));
        auto& hosts = helper.GetHostHelper();
        hosts.SetAttribute("TagUdp", BooleanValue(true));
        hosts.SetAttribute("Signals", StringValue(signal));
        hosts.SetAttribute("Format", StringValue(format));
        install ? install(network) : helper.Install(network);
        for (const uint32_t host : {0U, 6U})
        {
            m_sockets[host] = MakeSocket(network.GetNode(NodeIndex(host)), SINK_PORT);
            const auto csig = network.GetNode(NodeIndex(host))->GetObject<CsigHost>();
            if (!csig)
            {
                continue;
            }
            ConnectTrace(csig, "Tag", [this, host](const FlowKey&, const CsigFields& fields) {
                tags[host].push_back(fields);
            });
        }
    }

    /// Let other traffic take C - ABW of each hop in the measured interval.
    void Load()
    {
        for (uint32_t i = 0; i < FIGURE_HOPS.size(); ++i)
        {
            const auto& hop = FIGURE_HOPS[i];
            const auto device = GetHop(i);
            const uint64_t span = MEASURED_TO - MEASURED_FROM; // us; 1 Gb/s is 125 bytes a us
            const uint64_t frames = (hop.capacity - hop.available) * 125 * span / hop.frame;
            for (uint64_t n = 0; n < frames; ++n)
            {
                Simulator::Schedule(NanoSeconds(1000 * MEASURED_FROM + 1000 * span * n / frames),
                                    [device, &hop] { SendOther(device, hop.frame); });
            }
        }
    }

    /// Let each UDP packet of 100 bytes meet a queue that takes D at each hop from now on.
    void Delay()
    {
        for (uint32_t i = 0; i < FIGURE_HOPS.size(); ++i)
        {
            const auto device = GetHop(i);
            ConnectTrace(GetDevice(i + 1, 0), "PhyRxEnd", [device, i](Ptr<const Packet> frame) {
                if (frame->GetSize() > 1000)
                {
                    return; // other traffic
                }
                const auto& hop = FIGURE_HOPS[i];
                const uint64_t bytes = hop.delay * hop.capacity * 125;
                for (uint64_t n = 0; n < bytes / hop.frame; ++n)
                {
                    SendOther(device, hop.frame);
                }
            });
        }
    }

    /// Let a host send a packet to the other one. from: 0 or 6. time: when, in us.
    void Send(uint32_t from, int64_t time)
    {
        Simulator::Schedule(MicroSeconds(time), [this, from] {
            SendUdp(m_sockets[from], network.GetAddress(NodeIndex(6 - from)));
        });
    }

    /// Get how many packets a host has received. host: 0 or 6.
    uint32_t GetReceived(uint32_t host)
    {
        return m_sockets[host]->GetRxAvailable() / 100;
    }

    /// Get the port by which packets to node 6 leave a switch. hop: the hop, from 0.
    Ptr<EthernetNetDevice> GetHop(uint32_t hop) const
    {
        return GetDevice(hop + 1, 1);
    }

    Ptr<EthernetNetDevice> GetDevice(uint32_t node, uint32_t port) const
    {
        return DynamicCast<EthernetNetDevice>(network.GetPort(NodeIndex(node), PortIndex(port)));
    }

    FabricHelper network;                             //!< the network
    std::map<uint32_t, std::vector<CsigFields>> tags; //!< that hosts have received

  private:
    /// Send a frame of other traffic, which the next device ignores. size: bytes on the wire.
    static void SendOther(Ptr<EthernetNetDevice> device, uint32_t size)
    {
        device->SetAttribute("TxQueueSize", QueueSizeValue(QueueSize("10000p")));
        device->Send(Create<Packet>(size - 38), Mac48Address("02:00:00:00:00:99"), 0x9000);
    }

    std::map<uint32_t, Ptr<Socket>> m_sockets; //!< of the hosts
    SimulationEnd m_end;                       //!< of this network
};

} // namespace aidctest

#endif // AIDC_CSIG_PATH_NETWORK_H
