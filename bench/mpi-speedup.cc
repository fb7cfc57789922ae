// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks of two processes: the time of a simulation in one, over its time in two, each
 *        on a processor of its own; and what processes cost where nothing happens.
 *
 * - mpi_2_processes_speedup, mpi_2_processes_k32_speedup: RoCEv2, DCQCN and priority flow control
 *   in a fat-tree of k = 16, in which each host writes 2 MB to another one; of k = 32, 256 kB.
 * - mpi_2_processes_bare_speedup, mpi_2_processes_bare_k32_speedup: the same fat-trees with hosts
 *   without stacks, at half of their links' rate; half of the packets cross from one process to the
 *   other.
 * - mpi_window_cost: two hosts and a switch, in two processes, have an event without a node in each
 *   window; microseconds a window.
 * - mpi_window_messages, mpi_window_bytes: what a process sends in a window of
 *   mpi_2_processes_speedup.
 * - mpi_process_memory: the memory of the larger one of two processes, over the memory of one
 *   process, of mpi_2_processes_k32_speedup. By their names only, as they take long:
 *   mpi_process_memory_k64, 65,536 hosts write 64 kB; mpi_idle_k88 and mpi_idle_k128, 170,368 and
 *   524,288 hosts with routes and nothing to do, which need 17 and 52 GB; bytes a host.
 *
 * All have time windows. The program starts itself, plainly and by mpirun, in turn. What is
 * measured is the time that passes during Simulator::Run() in the slowest process; both sides need
 * two idle processors.
 */

#include "frame-load.h"
#include "paired-timing.h"
#include "roce-network.h"
#include "udp-load.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/mpi-processes.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t N_PROCESSES = 2;
constexpr uint64_t RATE = 100000000000; //!< bit/s of all links
constexpr int64_t DELAY = 1000;         //!< ns of all links

/// What the first process reports of a run.
struct Outcome
{
    double seconds{0};  //!< the time of Simulator::Run() in the slowest process
    double work{0};     //!< what was done, the same with any number of processes: packets, or hosts
    double memory{0};   //!< bytes of the largest process
    double windows{0};  //!< how often the processes have agreed
    double messages{0}; //!< that this process has sent to the other one
    double bytes{0};    //!< of these messages
};

/// What is simulated.
struct Case
{
    std::string name;                //!< of the benchmark
    std::string description;         //!< in words
    uint32_t k;                      //!< ports of a switch of the fat-tree
    Outcome (*simulate)(uint32_t k); //!< simulates it, as one of the processes
    void (*measure)(const std::string& program, const Case& row, uint32_t pairs); //!< measures it
    bool isByNameOnly; //!< whether it is run only if it is named
};

/// What the process had exchanged before the windows: to initialize channels, one by one.
MpiProcesses::Counts g_before;

/// Run the simulation. @return the time in the slowest process, s
double
Run(const Time& end)
{
    Simulator::Stop(end);
    Simulator::Schedule(NanoSeconds(1), [] { g_before = MpiProcesses::Get().GetCounts(); });
    MpiProcesses::Get().Gather(""); // all are ready
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    const auto all = GatherItems(std::vector<double>{time.count()});
    return *std::max_element(all.begin(), all.end());
}

Outcome
SimulateRoce(uint32_t k)
{
    // A host of a larger network has less to send, so that the run takes seconds.
    const uint64_t bytes = k <= 16 ? 2000000 : k <= 32 ? 256000 : 64000;
    FabricHelper network;
    BuildRoceNetwork(MakeFatTree(k, RATE, DELAY), network);
    const auto partners = ChoosePartners(network.GetFabric(), 1);
    std::vector<FlowSpec> flows;
    for (std::size_t i = 0; i < partners.size(); ++i)
    {
        FlowSpec flow;
        flow.source = network.GetFabric().GetHosts()[i];
        flow.destination = partners[i];
        flow.bytes = bytes;
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
    outcome.work = static_cast<double>(network.GetPacketCounts().sent);
    return outcome;
}

Outcome
SimulateBareHosts(uint32_t k)
{
    FabricHelper network;
    network.Build(MakeFatTree(k, RATE, DELAY));
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(0);
    switches.Install(network.GetSwitches());
    network.AssignAddresses();
    const FrameLoad load(network.GetFabric(), network, 0.5);
    Outcome outcome;
    outcome.seconds = Run(MicroSeconds(200));
    outcome.work = static_cast<double>(network.GetPacketCounts().sent);
    return outcome;
}

Outcome
SimulateIdle(uint32_t k)
{
    FabricHelper network;
    network.Build(MakeFatTree(k, RATE, DELAY));
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    Outcome outcome;
    outcome.seconds = Run(MicroSeconds(1));
    outcome.work = static_cast<double>(network.GetFabric().GetHosts().size());
    return outcome;
}

/// The windows of SimulateWindows().
constexpr int64_t N_WINDOWS = 100000;

Outcome
SimulateWindows(uint32_t)
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
    outcome.work = 1;
    return outcome;
}

/// Simulate a case as one of the processes, and have the first one report it.
void
Report(const Case& row)
{
    const auto& processes = MpiProcesses::Get();
    auto outcome = row.simulate(row.k);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto memory =
        GatherItems(std::vector<double>{1024.0 * static_cast<double>(usage.ru_maxrss)});
    outcome.memory = *std::max_element(memory.begin(), memory.end());
    auto counts = processes.GetCounts();
    counts.agreements -= g_before.agreements;
    counts.messages -= g_before.messages;
    counts.bytes -= g_before.bytes;
    if (processes.IsFirst())
    {
        std::cout << outcome.seconds << ' ' << outcome.work << ' ' << outcome.memory << ' '
                  << counts.agreements << ' ' << counts.messages << ' ' << counts.bytes
                  << std::endl;
    }
}

/// Start this program to simulate.
Outcome
Start(const std::string& program, const std::string& name, uint32_t nProcesses)
{
    const std::string n = std::to_string(nProcesses);
    const std::string command = (nProcesses == 1 ? "" : "mpirun --quiet -np " + n + " ") + "'" +
                                program + "' --processes=" + n + " " + name;
    std::FILE* pipe = popen(command.c_str(), "r");
    NS_ABORT_MSG_UNLESS(pipe, "Cannot start " << command);
    Outcome outcome;
    const int nRead = std::fscanf(pipe,
                                  "%lf %lf %lf %lf %lf %lf",
                                  &outcome.seconds,
                                  &outcome.work,
                                  &outcome.memory,
                                  &outcome.windows,
                                  &outcome.messages,
                                  &outcome.bytes);
    const int status = pclose(pipe);
    NS_ABORT_MSG_IF(nRead != 6 || status != 0, "This has failed: " << command);
    return outcome;
}

/// The outcomes of a pair.
struct Pair
{
    Outcome one; //!< of one process
    Outcome two; //!< of two
};

/// Simulate a case by one process and by two.
Pair
StartBoth(const std::string& program, const Case& row)
{
    const Pair pair{Start(program, row.name, 1), Start(program, row.name, N_PROCESSES)};
    NS_ABORT_MSG_IF(pair.one.work != pair.two.work,
                    "Not the same work: " << pair.one.work << " and " << pair.two.work
                                          << " packets");
    std::fprintf(stderr,
                 "  %s: %.2f s in one process, %.2f s in two; %.0f MB, and %.0f MB each\n",
                 row.name.c_str(),
                 pair.one.seconds,
                 pair.two.seconds,
                 pair.one.memory / 1e6,
                 pair.two.memory / 1e6);
    return pair;
}

/// Measure how much faster two processes are.
void
MeasureSpeedup(const std::string& program, const Case& row, uint32_t pairs)
{
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const auto pair = StartBoth(program, row);
        timing.Add(pair.one.seconds, pair.two.seconds);
    }
    PrintResult(row.name, "one process", timing.Get());
}

/// Measure how much memory two processes take.
void
MeasureMemory(const std::string& program, const Case& row, uint32_t)
{
    const auto pair = StartBoth(program, row);
    PrintResult(row.name, pair.two.memory / pair.one.memory, "1", "one process; limit 0.6", 1);
}

/// Measure the memory of a host that does nothing.
void
MeasureIdle(const std::string& program, const Case& row, uint32_t)
{
    const auto outcome = Start(program, row.name, N_PROCESSES);
    PrintResult(row.name,
                outcome.memory * N_PROCESSES / outcome.work,
                "byte",
                "a host, 2 processes",
                1);
}

/// Measure the time of a window.
void
MeasureWindows(const std::string& program, const Case& row, uint32_t pairs)
{
    std::vector<double> seconds;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        seconds.push_back(Start(program, row.name, N_PROCESSES).seconds);
        std::fprintf(stderr, "  %s: %.2f us\n", row.name.c_str(), seconds.back() * 1e6);
    }
    PrintResult(row.name, GetQuantile(seconds, 0.5) * 1e6, "us", "limit 20 us", pairs);
}

/// Measure what a process sends in a window.
void
MeasureMessages(const std::string& program, const Case& row, uint32_t)
{
    const auto outcome = Start(program, row.name, N_PROCESSES);
    const double value = row.name == "mpi_window_bytes" ? outcome.bytes : outcome.messages;
    PrintResult(row.name,
                value / outcome.windows,
                row.name == "mpi_window_bytes" ? "byte" : "1",
                "a window of a process",
                1);
}

const std::vector<Case> CASES{{"mpi_2_processes_speedup",
                               "RoCEv2, k = 16, one process over two",
                               16,
                               &SimulateRoce,
                               &MeasureSpeedup,
                               false},
                              {"mpi_2_processes_k32_speedup",
                               "RoCEv2, k = 32, one process over two",
                               32,
                               &SimulateRoce,
                               &MeasureSpeedup,
                               false},
                              {"mpi_2_processes_bare_speedup",
                               "bare hosts, k = 16, one process over two",
                               16,
                               &SimulateBareHosts,
                               &MeasureSpeedup,
                               false},
                              {"mpi_2_processes_bare_k32_speedup",
                               "bare hosts, k = 32, one process over two",
                               32,
                               &SimulateBareHosts,
                               &MeasureSpeedup,
                               false},
                              {"mpi_window_cost",
                               "windows without events of nodes, 2 processes",
                               0,
                               &SimulateWindows,
                               &MeasureWindows,
                               false},
                              {"mpi_window_messages",
                               "messages of a process in a window, RoCEv2, k = 16",
                               16,
                               &SimulateRoce,
                               &MeasureMessages,
                               false},
                              {"mpi_window_bytes",
                               "bytes of a process in a window, RoCEv2, k = 16",
                               16,
                               &SimulateRoce,
                               &MeasureMessages,
                               false},
                              {"mpi_process_memory",
                               "memory of a process, RoCEv2, k = 32, two processes over one",
                               32,
                               &SimulateRoce,
                               &MeasureMemory,
                               false},
                              {"mpi_process_memory_k64",
                               "memory of a process, RoCEv2, k = 64, two processes over one",
                               64,
                               &SimulateRoce,
                               &MeasureMemory,
                               true},
                              {"mpi_idle_k88",
                               "memory of a host that does nothing, k = 88",
                               88,
                               &SimulateIdle,
                               &MeasureIdle,
                               true},
                              {"mpi_idle_k128",
                               "memory of a host that does nothing, k = 128",
                               128,
                               &SimulateIdle,
                               &MeasureIdle,
                               true}};

/// @return whether this program can be several processes
bool
HasMpi()
{
    return MpiProcesses::IsAvailable() && std::system("mpirun --version >/dev/null 2>&1") == 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.rfind("--processes=", 0) == 0 && argc > 2) // started by itself
    {
        const MpiProcesses processes(first == "--processes=1" ? 1 : N_PROCESSES);
        TimeWindowHelper::Enable();
        for (const auto& row : CASES)
        {
            if (row.name == argv[2])
            {
                Report(row);
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
        const bool isNamed = std::count(argv + 1, argv + argc, row.name) > 0;
        if (!options.selected || (row.isByNameOnly && !isNamed))
        {
            continue;
        }
        if (HasMpi())
        {
            row.measure(argv[0], row, options.pairs);
        }
        else
        {
            PrintLeftOut(row.name, "there is no MPI");
        }
    }
    return 0;
}
