/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks of two ranks: the time of a simulation in one process, over that in two, each
 *        on a processor of its own; and what ranks cost where nothing happens.
 *
 * - mpi_2_ranks_speedup: RoCEv2, DCQCN and priority flow control in a fat-tree of k = 16, each host
 *   writes 2 MB to another one.
 * - mpi_2_ranks_bare_speedup: the same fat-tree with hosts without stacks, at half of their links'
 *   rate; half of the packets cross from one rank to the other.
 * - mpi_window_cost: two hosts and a switch, in two ranks, send a packet in each window; seconds a
 *   window.
 *
 * All have time windows. The program starts itself, plainly and by mpirun, in turn. The time is
 * that which passes during Simulator::Run() in the slowest rank; both sides need two idle
 * processors.
 */

#include "frame-load.h"
#include "paired-timing.h"
#include "udp-load.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/mpi-ranks.h"
#include "ns3/nstime.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/queue-size.h"
#include "ns3/rank-gather.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t N_RANKS = 2;
constexpr uint32_t K = 16;              //!< ports of a switch
constexpr uint64_t RATE = 100000000000; //!< bit/s of all links
constexpr int64_t DELAY = 1000;         //!< ns of all links

/// What the first rank reports of a run.
struct Outcome
{
    double seconds{0};   //!< the time of Simulator::Run() in the slowest rank
    uint64_t packets{0}; //!< packets that switches have sent, the same with any number of ranks
};

/// What is simulated.
struct Case
{
    std::string name;        //!< of the benchmark
    std::string description; //!< in words
    Outcome (*simulate)();   //!< simulates it, as one of the ranks
};

/**
 * @brief Run the simulation.
 * @param end when it ends at the latest
 * @return the time in the slowest rank, s
 */
double
Run(const Time& end)
{
    Simulator::Stop(end);
    MpiRanks::Get().Gather(""); // all are ready
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const auto all = GatherItems(std::vector<double>{time.count()});
    return *std::max_element(all.begin(), all.end());
}

Outcome
SimulateRoce()
{
    FabricHelper network;
    network.SetMtu(4200);
    network.Build(MakeFatTree(K, RATE, DELAY));
    SharedBufferSwitchHelper switches;
    switches.SetBufferAttribute("Size", QueueSizeValue(QueueSize("32MB")));
    switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                   "Mode",
                                   StringValue("StaticRed"));
    switches.Install(network.GetSwitches());
    PriorityFlowControlHelper pfc;
    pfc.InstallSwitches(network.GetSwitches());
    pfc.InstallHosts(network.GetHosts());
    network.AssignAddresses();
    network.AssignStreams(1);
    RoceHelper roce;
    roce.SetCongestionControl("ns3::aidc::DcqcnControl");
    roce.Install(network.GetHosts());
    const auto partners = ChoosePartners(network.GetFabric(), 1);
    std::vector<FlowSpec> flows;
    for (std::size_t i = 0; i < partners.size(); ++i)
    {
        FlowSpec flow;
        flow.source = network.GetFabric().GetHosts()[i];
        flow.destination = partners[i];
        flow.bytes = 2000000;
        flow.start = MicroSeconds(1);
        flows.push_back(flow);
    }
    RoceFlowHelper traffic;
    traffic.StopWhenDone();
    traffic.Install(network, flows);
    Outcome outcome;
    outcome.seconds = Run(Seconds(1));
    traffic.Gather();
    NS_ABORT_MSG_UNLESS(traffic.IsDone(), "A flow is not done");
    outcome.packets = network.GetPacketCounts().sent;
    return outcome;
}

Outcome
SimulateBareHosts()
{
    FabricHelper network;
    network.Build(MakeFatTree(K, RATE, DELAY));
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(0);
    switches.Install(network.GetSwitches());
    network.AssignAddresses();
    const FrameLoad load(network.GetFabric(), network, 0.5);
    Outcome outcome;
    outcome.seconds = Run(MicroSeconds(200));
    outcome.packets = network.GetPacketCounts().sent;
    return outcome;
}

/// The windows of SimulateWindows().
constexpr int64_t N_WINDOWS = 100000;

Outcome
SimulateWindows()
{
    LeafSpineSettings settings;
    settings.leaves = 2;
    settings.spines = 1;
    settings.hostsPerLeaf = 1;
    FabricHelper network;
    network.Build(MakeLeafSpine(settings));
    network.AssignAddresses();
    // An event without a node in each window of the two sides, which costs next to nothing itself
    for (int64_t i = 1; i <= N_WINDOWS; ++i)
    {
        Simulator::Schedule(NanoSeconds(i * DELAY), [] {});
    }
    Outcome outcome;
    outcome.seconds = Run(NanoSeconds((N_WINDOWS + 1) * DELAY)) / N_WINDOWS;
    outcome.packets = 1;
    return outcome;
}

const std::vector<Case> CASES{
    {"mpi_2_ranks_speedup", "RoCEv2, k = 16, one process over two ranks", &SimulateRoce},
    {"mpi_2_ranks_bare_speedup", "bare hosts, k = 16, one process over two", &SimulateBareHosts},
    {"mpi_window_cost", "windows without events of nodes, 2 ranks", &SimulateWindows}};

/**
 * @brief Start this program to simulate.
 * @param program its path
 * @param name the name of the case
 * @param nRanks the number of ranks
 * @return the outcome
 */
Outcome
Start(const std::string& program, const std::string& name, uint32_t nRanks)
{
    const std::string n = std::to_string(nRanks);
    const std::string command = (nRanks == 1 ? "" : "mpirun --quiet -np " + n + " ") + "'" +
                                program + "' --ranks=" + n + " --only=" + name;
    std::FILE* pipe = popen(command.c_str(), "r");
    NS_ABORT_MSG_UNLESS(pipe, "Cannot start " << command);
    Outcome outcome;
    unsigned long packets = 0;
    const int nRead = std::fscanf(pipe, "%lf %lu", &outcome.seconds, &packets);
    outcome.packets = packets;
    const int status = pclose(pipe);
    NS_ABORT_MSG_IF(nRead != 2 || status != 0, "This has failed: " << command);
    return outcome;
}

/**
 * @brief Measure a case, and print the result.
 * @param program the path of this program
 * @param row the case
 * @param pairs the number of pairs
 */
void
Measure(const std::string& program, const Case& row, uint32_t pairs)
{
    if (row.name == "mpi_window_cost")
    {
        std::vector<double> seconds;
        for (uint32_t i = 0; i < pairs; ++i)
        {
            seconds.push_back(Start(program, row.name, N_RANKS).seconds);
            std::fprintf(stderr, "  %s: %.2f us\n", row.name.c_str(), seconds.back() * 1e6);
        }
        PrintResult(row.name, GetQuantile(seconds, 0.5), "s", "limit 20e-6 s", pairs);
        return;
    }
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const auto one = Start(program, row.name, 1);
        const auto several = Start(program, row.name, N_RANKS);
        NS_ABORT_MSG_IF(several.packets != one.packets,
                        "Not the same work: " << one.packets << " and " << several.packets
                                              << " packets");
        timing.Add(one.seconds, several.seconds);
    }
    const auto ratio = timing.Get();
    std::fprintf(stderr,
                 "  %-32s %.3f (quartiles %.3f to %.3f, %zu pairs; 1 is %.1f s)\n",
                 row.name.c_str(),
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs,
                 ratio.seconds);
    PrintResult(row.name, "one rank", ratio);
}

/// @return whether this program can be several ranks
bool
HasMpi()
{
    return MpiRanks::IsAvailable() && std::system("mpirun --version >/dev/null 2>&1") == 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.rfind("--ranks=", 0) == 0) // started by itself
    {
        const MpiRanks ranks(first == "--ranks=1" ? 1 : N_RANKS);
        TimeWindowHelper::Enable();
        const std::string only = argc > 2 ? argv[2] : "";
        for (const auto& row : CASES)
        {
            if (only == "--only=" + row.name)
            {
                const auto outcome = row.simulate();
                if (ranks.IsFirst())
                {
                    std::cout << outcome.seconds << " " << outcome.packets << std::endl;
                }
            }
        }
        return 0;
    }
    // Open MPI wants to be told that the superuser, too, may start programs.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    for (const auto& row : CASES)
    {
        const auto options = ParseBenchmarkOptions(argc, argv, row.name, row.description, "", 3);
        if (!options.selected)
        {
            continue;
        }
        if (HasMpi())
        {
            Measure(argv[0], row, options.pairs);
        }
        else
        {
            PrintLeftOut(row.name, "there is no MPI");
        }
    }
    return 0;
}
