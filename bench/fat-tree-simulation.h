// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FAT_TREE_SIMULATION_H
#define AIDC_FAT_TREE_SIMULATION_H

#include "child-process.h"
#include "frame-load.h"
#include "paired-timing.h"
#include "plain-network.h"
#include "udp-load.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc-container.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/switch-datapath.h"
#include "ns3/time-window-helper.h"

#ifdef AIDC_HAS_NIX_VECTOR
#include "ns3/nix-vector-helper.h"
#endif

#include <cstdint>
#include <memory>

/**
 * @file
 * @ingroup aidc
 * @brief A fat-tree under load, which goes on by turns.
 */

namespace ns3::aidc
{

/**
 * @ingroup aidc
 * @brief A network and its load.
 */
struct FatTreeSetting
{
    uint32_t k{0};           //!< ports of a switch
    bool isNixVector{false}; //!< whether ns-3's NixVector routes, in place of FabricHelper
    uint32_t message{0};     //!< packets of a message; 0 for the permutation
    int64_t turn{0};         //!< ns of simulated time in a turn
    /// Devices, unless NixVector routes, which has ns-3's own.
    FabricHelper::DeviceKind devices{FabricHelper::ETHERNET};
    SwitchDatapath::Mode datapath{SwitchDatapath::FAST}; //!< how packets get through switches
    bool hasWindows{false}; //!< whether events run in time windows; else by ns-3's own simulator
    double load{0.1};       //!< the share of the hosts' links
    bool hasStacks{true}; //!< whether hosts have protocol stacks; otherwise FrameLoad's permutation
    /// Has work to do on the network before hosts send; none if null.
    void (*prepare)(const FabricHelper& network){nullptr};
};

/**
 * @ingroup aidc
 * @brief A fat-tree of 100 Gb/s links and its hosts, of which all send.
 */
class FatTreeSimulation
{
  public:
    /**
     * @brief Make the network, and let all hosts send.
     * @param setting what to make
     */
    explicit FatTreeSimulation(const FatTreeSetting& setting)
        : m_turn(NanoSeconds(setting.turn))
    {
        if (setting.hasWindows)
        {
            TimeWindowHelper::Enable();
        }
        const FabricPlan fabric = MakeFatTree(setting.k, RATE, DELAY);
        const UdpPattern pattern = setting.message > 0 ? MakeMessages(fabric, setting.message, 1)
                                                       : MakePermutation(fabric, 1);
        if (setting.isNixVector)
        {
            MakePlainNetwork(fabric, pattern, setting.load);
        }
        else
        {
            m_network = std::make_unique<FabricHelper>();
            m_network->SetDeviceKind(setting.devices);
            m_network->SetDatapath(setting.datapath);
            m_network->Build(fabric);
            m_ports = InstallPorts(m_network->GetSwitches());
            m_network->AssignAddresses();
            if (setting.prepare)
            {
                setting.prepare(*m_network);
            }
            if (setting.hasStacks)
            {
                m_load = std::make_unique<UdpLoad>(fabric,
                                                   *m_network,
                                                   pattern,
                                                   setting.load,
                                                   [](NodeIndex) { return true; });
            }
            else
            {
                m_frames = std::make_unique<FrameLoad>(fabric, *m_network, setting.load);
            }
        }
        Simulator::Stop(MicroSeconds(20));
        Simulator::Run();
    }

    /**
     * @brief Go on for the time of a turn.
     * @return seconds of processor time, events, packets sent by ports of switches, packets that
     *         have reached hosts; in that turn
     */
    ChildProcess::Report Run()
    {
        const uint64_t events = Simulator::GetEventCount();
        const uint64_t hops = GetHops();
        const uint64_t received = GetReceived();
        Simulator::Stop(m_turn);
        const double seconds = GetProcessorTime([] { Simulator::Run(); });
        return {seconds,
                static_cast<double>(Simulator::GetEventCount() - events),
                static_cast<double>(GetHops() - hops),
                static_cast<double>(GetReceived() - received)};
    }

  private:
    static constexpr uint64_t RATE = 100000000000; //!< bit/s of all links
    static constexpr int64_t DELAY = 1000;         //!< ns of all links

    /// Make the switches' queue discs: coupled ECN on a shared buffer, without classes.
    static QueueDiscContainer InstallPorts(const NodeContainer& switches)
    {
        SharedBufferSwitchHelper helper;
        helper.SetNClasses(0);
        return helper.Install(switches);
    }

    /// Make the network with ns-3's helpers. @param load the share of the hosts' links
    void MakePlainNetwork(const FabricPlan& fabric, const UdpPattern& pattern, double load)
    {
#ifdef AIDC_HAS_NIX_VECTOR
        PlainNetwork network(fabric, Ipv4NixVectorHelper());
        m_ports = InstallPorts(network.GetSwitches());
        network.AssignAddresses(fabric);
        m_load = std::make_unique<UdpLoad>(fabric, network, pattern, load, [](NodeIndex) {
            return true;
        });
#else
        NS_ABORT_MSG("No NixVector for " << fabric.GetName() << ", " << pattern.messageSize << ", "
                                         << load);
#endif
    }

    /// Get the packets that have reached hosts.
    uint64_t GetReceived() const
    {
        return m_load ? m_load->GetReceived() : m_frames->GetReceived();
    }

    /// Get the packets that the switches have sent; none may be dropped.
    uint64_t GetHops() const
    {
        uint64_t hops = 0;
        for (uint32_t i = 0; i < m_ports.GetN(); ++i)
        {
            const auto& stats = m_ports.Get(i)->GetStats();
            hops += stats.nTotalSentPackets;
            NS_ABORT_MSG_IF(stats.nTotalDroppedPackets > 0, "A packet was dropped");
        }
        return hops;
    }

    Time m_turn;                             //!< simulated time of a turn
    std::unique_ptr<FabricHelper> m_network; //!< the network, if it is not ns-3's own
    QueueDiscContainer m_ports;              //!< the root queue discs of all switches
    std::unique_ptr<UdpLoad> m_load;         //!< the hosts, with stacks
    std::unique_ptr<FrameLoad> m_frames;     //!< the hosts, without
};

/**
 * @ingroup aidc
 * @brief What a turn of a FatTreeSimulation has reported, by name.
 */
struct FatTreeTurn
{
    /**
     * @brief Constructor.
     * @param report what FatTreeSimulation::Run() returns
     */
    explicit FatTreeTurn(const ChildProcess::Report& report)
        : seconds(report[0]),
          events(report[1]),
          hops(report[2] + report[3]) // each packet has left one host, too
    {
    }

    double seconds; //!< processor time
    double events;  //!< events
    double hops;    //!< packets sent into links
};

/**
 * @ingroup aidc
 * @brief Start a simulation in a process of its own.
 * @param setting what to simulate
 * @return the process
 */
inline std::unique_ptr<ChildProcess>
StartFatTree(const FatTreeSetting& setting)
{
    return std::make_unique<ChildProcess>([setting] {
        auto simulation = std::make_shared<FatTreeSimulation>(setting);
        return [simulation] { return simulation->Run(); };
    });
}

} // namespace ns3::aidc

#endif // AIDC_FAT_TREE_SIMULATION_H
