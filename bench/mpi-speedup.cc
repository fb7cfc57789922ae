/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark mpi_2_ranks_speedup: the time of a simulation, over that on two processors.
 *
 * A fat-tree of 1024 hosts and 100 Gb/s links of 1 us, whose switches share a buffer among ports of
 * one class. Each host sends packets of 1000 bytes to one in another pod, at a tenth of its link's
 * rate; half of them cross from one rank to the other. Pods are shared out evenly to ranks, and so
 * are super-spines, so that every link of a super-spine leads to either rank: the ranks agree on
 * their time after each delay of a link, in which there are some 20000 events.
 *
 * The program starts itself, plainly and by mpirun, in turn. The time is that which passes during
 * Simulator::Run() in the slowest rank, and each side is to have two idle processors. Where ns-3
 * has no MPI there is nothing to measure. Open MPI runs for the superuser only if the environment
 * has OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1.
 */

#include "paired-timing.h"

#include <iostream>
#include <string>

#ifdef NS3_MPI
#include "udp-load.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/mpi-ranks.h"
#include "ns3/nstime.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#endif

using namespace ns3;
using namespace ns3::aidc;

#ifdef NS3_MPI

namespace
{

constexpr uint32_t N_RANKS = 2;
constexpr uint32_t K = 16;              //!< ports of a switch
constexpr uint64_t RATE = 100000000000; //!< bit/s of all links
constexpr int64_t DELAY = 1000;         //!< ns of all links
constexpr double LOAD = 0.1;            //!< the share of the hosts' links
constexpr int64_t DURATION = 100000;    //!< ns of simulated time

/// What the first rank reports of a run.
struct Outcome
{
    double seconds{0};  //!< the time of Simulator::Run() in the slowest rank
    double received{0}; //!< packets that have reached hosts
};

/**
 * @brief Simulate, as one of the ranks.
 * @param ranks all ranks
 * @return the outcome, the same in all ranks
 */
Outcome
Simulate(const MpiRanks& ranks)
{
    ranks.Begin();
    FabricPlan fabric = MakeFatTree(K, RATE, DELAY);
    fabric.AssignRanks(ranks.GetN());
    Outcome outcome;
    {
        FabricHelper network;
        network.Build(fabric);
        SharedBufferSwitchHelper switches;
        switches.SetNClasses(1);
        switches.Install(network.GetSwitches());
        network.AssignAddresses();
        const UdpLoad load(fabric,
                           network,
                           MakePermutation(fabric, 1),
                           LOAD,
                           [&network](uint32_t id) { return network.IsLocal(id); });
        Simulator::Stop(NanoSeconds(DURATION));
        ranks.GatherOthers(""); // all are ready
        const auto begin = std::chrono::steady_clock::now();
        Simulator::Run();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        outcome.seconds = time.count();
        for (const auto& other : ranks.GatherOthers(std::to_string(time.count())))
        {
            outcome.seconds = std::max(outcome.seconds, std::stod(other));
        }
        outcome.received = ranks.Sum(static_cast<double>(load.GetReceived()));
    }
    Simulator::Destroy();
    ranks.End();
    return outcome;
}

/**
 * @brief Start this program to simulate.
 * @param program its path
 * @param nRanks the number of ranks
 * @return the outcome
 */
Outcome
Start(const std::string& program, uint32_t nRanks)
{
    const std::string n = std::to_string(nRanks);
    const std::string command =
        (nRanks == 1 ? "" : "mpirun -np " + n + " ") + "'" + program + "' --ranks=" + n;
    std::FILE* pipe = popen(command.c_str(), "r");
    NS_ABORT_MSG_UNLESS(pipe, "Cannot start " << command);
    Outcome outcome;
    const int nRead = std::fscanf(pipe, "%lf %lf", &outcome.seconds, &outcome.received);
    const int status = pclose(pipe);
    NS_ABORT_MSG_IF(nRead != 2 || status != 0, "This has failed: " << command);
    return outcome;
}

/**
 * @brief Measure one rank over several.
 * @param program the path of this program
 * @param pairs the number of pairs
 * @return the ratio
 */
PairedRatio
Measure(const std::string& program, uint32_t pairs)
{
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        const auto one = Start(program, 1);
        const auto several = Start(program, N_RANKS);
        // Which of two packets that arrive at one time goes first is another choice with ranks.
        NS_ABORT_MSG_IF(std::abs(several.received / one.received - 1) > 0.01,
                        "Not the same work: " << one.received << " and " << several.received
                                              << " packets");
        timing.Add(one.seconds, several.seconds);
    }
    return timing.Get();
}

} // namespace

#endif

int
main(int argc, char* argv[])
{
    const std::string name = "mpi_2_ranks_speedup";
#ifdef NS3_MPI
    const std::string first = argc > 1 ? argv[1] : "";
    if (first.rfind("--ranks=", 0) == 0) // started by itself
    {
        const MpiRanks ranks(first == "--ranks=1" ? 1 : N_RANKS);
        const auto outcome = Simulate(ranks);
        if (ranks.IsFirst())
        {
            std::cout << outcome.seconds << " " << outcome.received << std::endl;
        }
        return 0;
    }
#endif
    const auto options = ParseBenchmarkOptions(
        argc,
        argv,
        name,
        "time of a simulation of 1024 hosts in one process, over that in two by MPI",
        "",
        3);
    if (!options.selected)
    {
        return 0;
    }
#ifdef NS3_MPI
    const auto ratio = Measure(argv[0], options.pairs);
    std::fprintf(stderr,
                 "  %-32s %.3f (quartiles %.3f to %.3f, %zu pairs; 1 is %.1f s)\n",
                 name.c_str(),
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs,
                 ratio.seconds);
    PrintResult(name, "one rank", ratio);
#else
    PrintLeftOut(name, "this ns-3 was built without MPI");
#endif
    return 0;
}
