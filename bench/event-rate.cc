/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks event_rate_k16_over_k4 and event_rate_k16_over_nixvector: events a second.
 *
 * Networks are fat-trees of 100 Gb/s links whose switches share a buffer among ports of one class.
 * Each host sends packets of 1000 bytes at a constant rate to one host in another pod, so that all
 * cross 6 links, and each host receives from one. Queues stay short. An event rate is that of
 * Simulator::Run(), in events a second of processor time, when the network is made and all hosts
 * have sent.
 *
 * event_rate_k16_over_k4 is the rate of 1024 hosts over that of 16 hosts with the same load a host:
 * what a larger network takes from the caches of the machine.
 *
 * event_rate_k16_over_nixvector is the rate of FabricHelper's network over that of the same one by
 * ns-3's helpers, with Ipv4NixVectorRouting. All routes are found before. A host's packets keep to
 * one path on both sides; NixVector has one uplink for all hosts of a leaf, another one for each
 * leaf of a pod.
 *
 * The networks are in processes of their own, which go on by turns.
 */

#include "child-process.h"
#include "paired-timing.h"
#include "plain-network.h"
#include "udp-load.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc-container.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"

#ifdef AIDC_HAS_NIX_VECTOR
#include "ns3/nix-vector-helper.h"
#endif

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint64_t RATE = 100000000000; ///< bit/s of all links
constexpr int64_t DELAY = 1000;         ///< ns of all links
constexpr double LOAD = 0.1;            ///< the share of the hosts' links

/// A network and its load.
struct Setting
{
    uint32_t k{0};           ///< ports of a switch
    bool isNixVector{false}; ///< whether ns-3's NixVector routes, in place of FabricHelper
    int64_t turn{0};         ///< ns of simulated time in a turn
};

/**
 * @brief Make the switches' queue discs.
 * @param switches the switches
 * @return the root queue discs of their ports
 */
QueueDiscContainer
InstallPorts(const NodeContainer& switches)
{
    SharedBufferSwitchHelper helper;
    helper.SetNClasses(1);
    return helper.Install(switches);
}

/**
 * @brief A fat-tree and its hosts.
 */
class Simulation
{
  public:
    /**
     * @brief Make the network, and let all hosts send.
     * @param setting what to make
     */
    explicit Simulation(const Setting& setting)
        : m_turn(NanoSeconds(setting.turn))
    {
        const Fabric fabric = MakeFatTree(setting.k, RATE, DELAY);
        if (setting.isNixVector)
        {
            MakePlainNetwork(fabric);
        }
        else
        {
            m_network = std::make_unique<FabricHelper>();
            m_network->Build(fabric);
            m_ports = InstallPorts(m_network->GetSwitches());
            m_network->AssignAddresses();
            m_load =
                std::make_unique<UdpLoad>(fabric, *m_network, LOAD, [](uint32_t) { return true; });
        }
        Simulator::Stop(m_turn + MicroSeconds(20));
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
        const uint64_t received = m_load->GetReceived();
        Simulator::Stop(m_turn);
        const double seconds = GetProcessorTime([] { Simulator::Run(); });
        return {seconds,
                static_cast<double>(Simulator::GetEventCount() - events),
                static_cast<double>(GetHops() - hops),
                static_cast<double>(m_load->GetReceived() - received)};
    }

  private:
    /**
     * @brief Make the network with ns-3's helpers.
     * @param fabric the plan
     */
    void MakePlainNetwork(const Fabric& fabric)
    {
#ifdef AIDC_HAS_NIX_VECTOR
        PlainNetwork network(fabric, Ipv4NixVectorHelper());
        m_ports = InstallPorts(network.GetSwitches());
        network.AssignAddresses(fabric);
        m_load = std::make_unique<UdpLoad>(fabric, network, LOAD, [](uint32_t) { return true; });
#else
        NS_ABORT_MSG("No NixVector for " << fabric.GetName());
#endif
    }

    /**
     * @brief Get the packets that the switches have sent; none may be dropped.
     * @return the number of packets
     */
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

    Time m_turn;                             ///< simulated time of a turn
    std::unique_ptr<FabricHelper> m_network; ///< the network, if it is not ns-3's own
    QueueDiscContainer m_ports;              ///< the root queue discs of all switches
    std::unique_ptr<UdpLoad> m_load;         ///< the hosts
};

/**
 * @brief Start a simulation in a process of its own.
 * @param setting what to simulate
 * @return the process
 */
std::unique_ptr<ChildProcess>
Start(const Setting& setting)
{
    return std::make_unique<ChildProcess>([setting] {
        auto simulation = std::make_shared<Simulation>(setting);
        return [simulation] { return simulation->Run(); };
    });
}

/**
 * @brief Print what a turn was for the reader.
 * @param text what it was a turn of
 * @param turn what it has reported
 */
void
PrintTurn(const std::string& text, const ChildProcess::Report& turn)
{
    const double hops = turn[2] + turn[3]; // each packet has left one host, too
    std::fprintf(stderr,
                 "  %-22s %.0f events/s; %.0f events a turn, %.3f a packet-hop; %.0f ns a "
                 "packet-hop\n",
                 text.c_str(),
                 turn[1] / turn[0],
                 turn[1],
                 turn[1] / hops,
                 turn[0] / hops * 1e9);
}

/**
 * @brief Measure the event rate of a simulation over that of another one, and print it.
 * @param name the name of the benchmark
 * @param against what the other one is
 * @param a the simulation
 * @param b the other one
 * @param pairs the number of pairs
 */
void
Compare(const std::string& name,
        const std::string& against,
        const Setting& a,
        const Setting& b,
        uint32_t pairs)
{
    const auto processA = Start(a);
    const auto processB = Start(b);
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        // Which goes first alternates.
        auto turnA = i % 2 == 0 ? processA->Run() : ChildProcess::Report{};
        const auto turnB = processB->Run();
        turnA = i % 2 == 0 ? turnA : processA->Run();
        // A rate over a rate is the time of an event of B over that of one of A.
        timing.Add(turnB[0] / turnB[1], turnA[0] / turnA[1]);
        if (i == 0)
        {
            PrintTurn("k = " + std::to_string(a.k), turnA);
            PrintTurn(against, turnB);
        }
    }
    const auto ratio = timing.Get();
    std::fprintf(stderr,
                 "  %-32s %.3f (quartiles %.3f to %.3f, %zu pairs)\n",
                 name.c_str(),
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs);
    PrintResult(name, against, ratio);
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string overK4 = "event_rate_k16_over_k4";
    const std::string overNixVector = "event_rate_k16_over_nixvector";
    const auto parse = [argc, argv](const std::string& name) {
        return ParseBenchmarkOptions(
            argc,
            argv,
            name,
            "events a second of processor time in a fat-tree of 1024 hosts, over those in one of "
            "16 hosts, and (event_rate_k16_over_nixvector) with ns-3's NixVector",
            "k16 k4 nixvector",
            9);
    };
    const auto options = parse(overK4);
    // 16 hosts need 64 times the simulated time for as many events.
    const Setting k16{16, false, 60000};
    const Setting k4{4, false, 64 * 60000};
    const Setting nixVector{16, true, 60000};
    if (!options.only.empty())
    {
        const auto setting = options.only == "k16" ? k16 : options.only == "k4" ? k4 : nixVector;
        Simulation simulation(setting);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            PrintTurn(options.only, simulation.Run());
        }
        return 0;
    }
    if (options.selected)
    {
        std::cerr << overK4 << std::endl;
        Compare(overK4, "k = 4", k16, k4, options.pairs);
    }
    if (parse(overNixVector).selected)
    {
#ifdef AIDC_HAS_NIX_VECTOR
        std::cerr << overNixVector << std::endl;
        Compare(overNixVector, "NixVector", k16, nixVector, options.pairs);
#else
        std::cerr << overNixVector << " is left out: this ns-3 was built without its module "
                  << "nix-vector-routing" << std::endl;
#endif
    }
    return 0;
}
