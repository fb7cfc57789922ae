// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks fast_path_over_stack and fast_path_over_stack_mode: packet-hops a second by the
 * fast path, over packet-hops a second through the stack.
 *
 * The network is a fat-tree of k = 8 with 128 hosts, 100 Gb/s links and switches that share a
 * buffer among ports of one class. Each host sends packets of 1000 bytes at a tenth of its link's
 * rate to one host in another pod. Hosts are traffic generators without protocol stacks, so that
 * switches are measured; the ratio that remains with ns-3's hosts and UDP sockets is printed, too.
 *
 * fast_path_over_stack has ns-3's whole stack on the other side: its point-to-point devices,
 * traffic control and IPv4, 3.2 events a packet-hop. fast_path_over_stack_mode has the same
 * Ethernet ports on both sides, which take fewer events through the stack, too; only
 * SwitchDatapath's mode differs. Networks of Ethernet run in time windows, networks of ns-3's
 * devices by ns-3's default simulator.
 *
 * The sides are in processes of their own, which go on by turns. The seconds are processor time of
 * Simulator::Run().
 */

#include "fat-tree-simulation.h"

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr int64_t TURN = 200000; //!< ns of simulated time in a turn

/// Say what to simulate.
FatTreeSetting
MakeSetting(SwitchDatapath::Mode mode,
            bool hasStacks,
            FabricHelper::DeviceKind devices = FabricHelper::ETHERNET)
{
    FatTreeSetting setting;
    setting.k = 8;
    setting.turn = TURN;
    setting.devices = devices;
    setting.datapath = mode;
    setting.hasStacks = hasStacks;
    setting.hasWindows = devices == FabricHelper::ETHERNET;
    return setting;
}

/// Get the time of a packet-hop. @return seconds
double
GetTimeOfHop(const char* text, const FatTreeTurn& turn, bool isPrinted)
{
    if (isPrinted)
    {
        std::fprintf(stderr,
                     "  %-8s %.0f packet-hops/s; %.3f events and %.0f ns a packet-hop\n",
                     text,
                     turn.hops / turn.seconds,
                     turn.events / turn.hops,
                     turn.seconds / turn.hops * 1e9);
    }
    return turn.seconds / turn.hops;
}

/// Compare the fast path with another way, and print it for the reader. @return packet-hops a
/// second of the fast path over the other way's
PairedRatio
Compare(const std::string& against, const FatTreeSetting& other, uint32_t pairs)
{
    std::cerr << " against " << against
              << (other.hasStacks ? ", hosts with UDP sockets" : ", hosts without protocol stacks")
              << std::endl;
    const auto fast = StartFatTree(MakeSetting(SwitchDatapath::FAST, other.hasStacks));
    const auto stack = StartFatTree(other);
    PairedTiming timing;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        // Which goes first alternates.
        auto fastReport = i % 2 == 0 ? fast->Run() : ChildProcess::Report{};
        const double stackTime = GetTimeOfHop("stack", FatTreeTurn(stack->Run()), i == 0);
        fastReport = i % 2 == 0 ? fastReport : fast->Run();
        // A ratio of rates is the inverse ratio of the times.
        timing.Add(stackTime, GetTimeOfHop("fast", FatTreeTurn(fastReport), i == 0));
    }
    const PairedRatio ratio = timing.Get();
    std::fprintf(stderr,
                 "  fast over stack %.2f (quartiles %.2f to %.2f, %zu pairs)\n",
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs);
    return ratio;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string overStack = "fast_path_over_stack";
    const std::string overMode = "fast_path_over_stack_mode";
    const auto parse = [argc, argv](const std::string& name) {
        return ParseBenchmarkOptions(
            argc,
            argv,
            name,
            "packet-hops a second of processor time through switches by the fast path, over those "
            "through ns-3's stack with its point-to-point devices, and (fast_path_over_stack_mode) "
            "with the same Ethernet ports",
            "fast mode stack",
            9);
    };
    const auto fast = MakeSetting(SwitchDatapath::FAST, false);
    const auto mode = MakeSetting(SwitchDatapath::STACK, false);
    const auto stack = MakeSetting(SwitchDatapath::STACK, false, FabricHelper::POINT_TO_POINT);
    const auto options = parse(overStack);
    if (!options.only.empty())
    {
        FatTreeSimulation simulation(options.only == "fast"   ? fast
                                     : options.only == "mode" ? mode
                                                              : stack);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            GetTimeOfHop(options.only.c_str(), FatTreeTurn(simulation.Run()), true);
        }
        return 0;
    }
    if (options.selected)
    {
        std::cerr << overStack << std::endl;
        const std::string against = "ns-3's stack and point-to-point devices";
        PrintResult(overStack, against, Compare(against, stack, options.pairs));
    }
    if (parse(overMode).selected)
    {
        std::cerr << overMode << std::endl;
        const std::string against = "SwitchDatapath in mode Stack";
        PrintResult(overMode, against, Compare(against, mode, options.pairs));
        Compare(against, MakeSetting(SwitchDatapath::STACK, true), options.pairs);
    }
    return 0;
}
