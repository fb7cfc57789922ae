// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmarks event_rate_k16_over_k4, windows_over_default_k16, event_rate_k16_over_nixvector
 * and packet_hops_k16_over_nixvector: what is simulated in a second.
 *
 * Networks are fat-trees of 100 Gb/s links whose switches share a buffer among ports of one class.
 * Each host sends packets of 1000 bytes at a constant rate to hosts in other pods, so that all
 * cross 6 links. Queues stay short. FabricHelper's networks run in time windows, unless said
 * otherwise, NixVector's by ns-3's default simulator. An event rate is measured in
 * Simulator::Run(), in events a second of processor time, when the network is made and all hosts
 * have sent.
 *
 * There are two patterns:
 * - messages, of which the results are: a host sends a message of 10 packets to a host drawn at
 *   random, then one to another host, and so on, the same ones in all networks of a size. Flows in
 *   data centers are as short: in examples/data/flow-sizes, 15 % of web search's are of 10 kB or
 *   less, 70 % of Hadoop's and 80 % of data mining's, with medians of 73 kB, 700 bytes and 1.1 kB.
 * - permutation, which is only printed for the reader: a host sends to one host and receives from
 *   one, so that the receivers' routes are all known when the measurement begins.
 *
 * event_rate_k16_over_k4 is the rate of 1024 hosts over the rate of 16 hosts with the same load a
 * host: what a larger network takes from the caches of the machine. The result is for hosts that
 * send at half of their links' rate; at a tenth of it, where a node has fewer events in a window,
 * the ratio is printed for the reader.
 *
 * windows_over_default_k16 is the rate of 1024 hosts at half of their links' rate in time windows,
 * over the rate of the same network by ns-3's default simulator. Both have the same events.
 *
 * event_rate_k16_over_nixvector is the rate of FabricHelper's network over the rate of the same
 * network by ns-3's helpers, with Ipv4NixVectorRouting, and packet_hops_k16_over_nixvector compares
 * the packets on links in a second: the two networks do not have the same number of events for a
 * packet. NixVector searches the network when a host first sends to another one, and then keeps the
 * route; a search has no event, so that the rate of events falls. A host's packets to another one
 * keep to one path on both sides; NixVector has one uplink for all hosts of a leaf, another one for
 * each leaf of a pod.
 *
 * The networks are in processes of their own, which go on by turns.
 */

#include "child-process.h"
#include "fat-tree-simulation.h"
#include "paired-timing.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr int64_t TURN = 20000;   //!< ns of simulated time in a turn of k = 16 at LOW_LOAD
constexpr double LOW_LOAD = 0.1;  //!< the share of the hosts' links
constexpr double HALF_LOAD = 0.5; //!< the same, of links that are half full

/// What the user may set in addition to the options of all benchmarks.
struct LoadOptions
{
    bool hasMessages{true};    //!< measure the pattern messages
    bool hasPermutation{true}; //!< measure the pattern permutation
    uint32_t message{10};      //!< packets of a message
};

/// Say what is simulated of FabricHelper's networks. @param load the share of the hosts' links
FatTreeSetting
MakeSetting(uint32_t k, double load)
{
    FatTreeSetting setting;
    setting.k = k;
    setting.load = load;
    // A fat-tree has k^3 / 4 hosts.
    setting.turn = static_cast<int64_t>(TURN * (4096.0 / (k * k * k)) * (LOW_LOAD / load));
    setting.hasWindows = true;
    return setting;
}

/// Print what a turn was for the reader.
void
PrintTurn(const std::string& text, const FatTreeTurn& turn)
{
    std::fprintf(
        stderr,
        "  %-24s %.0f events/s, %.0f packet-hops/s; %.0f events a turn, %.3f a packet-hop; "
        "%.0f ns a packet-hop\n",
        text.c_str(),
        turn.events / turn.seconds,
        turn.hops / turn.seconds,
        turn.events,
        turn.events / turn.hops,
        turn.seconds / turn.hops * 1e9);
}

/// Print a ratio for the reader.
void
PrintRatio(const std::string& name, const PairedRatio& ratio)
{
    std::fprintf(stderr,
                 "  %-32s %.3f (quartiles %.3f to %.3f, %zu pairs)\n",
                 name.c_str(),
                 ratio.median,
                 ratio.lowerQuartile,
                 ratio.upperQuartile,
                 ratio.pairs);
}

/// How a simulation compares with another one.
struct Comparison
{
    PairedRatio events; //!< events a second of the first over the second's
    PairedRatio hops;   //!< packet-hops a second, likewise
};

/// Measure how a simulation compares with another one, and print it for the reader.
Comparison
Compare(const std::string& against,
        const FatTreeSetting& a,
        const FatTreeSetting& b,
        uint32_t pairs)
{
    const std::string pattern =
        a.message > 0 ? "messages of " + std::to_string(a.message) + " packets" : "permutation";
    std::cerr << " " << pattern << ", " << 100 * a.load << " % of the hosts' links" << std::endl;
    const auto processA = StartFatTree(a);
    const auto processB = StartFatTree(b);
    PairedTiming events;
    PairedTiming hops;
    for (uint32_t i = 0; i < pairs; ++i)
    {
        // Which goes first alternates.
        auto reportA = i % 2 == 0 ? processA->Run() : ChildProcess::Report{};
        const FatTreeTurn turnB(processB->Run());
        reportA = i % 2 == 0 ? reportA : processA->Run();
        const FatTreeTurn turnA(reportA);
        // A ratio of rates is the inverse ratio of the times of an event.
        events.Add(turnB.seconds / turnB.events, turnA.seconds / turnA.events);
        hops.Add(turnB.seconds / turnB.hops, turnA.seconds / turnA.hops);
        if (i == 0)
        {
            PrintTurn("k = " + std::to_string(a.k) + (a.hasWindows ? ", windows" : ""), turnA);
            PrintTurn(against, turnB);
        }
    }
    const Comparison comparison{events.Get(), hops.Get()};
    PrintRatio("events a second", comparison.events);
    PrintRatio("packet-hops a second", comparison.hops);
    return comparison;
}

/// Measure how a simulation compares with another one, for each pattern that is asked for.
/// @return the ratios for messages, if these are asked for
std::optional<Comparison>
CompareLoads(const std::string& against,
             FatTreeSetting a,
             FatTreeSetting b,
             const LoadOptions& options,
             uint32_t pairs)
{
    std::optional<Comparison> result;
    if (options.hasMessages)
    {
        a.message = options.message;
        b.message = options.message;
        result = Compare(against, a, b, pairs);
    }
    if (options.hasPermutation)
    {
        a.message = 0;
        b.message = 0;
        Compare(against, a, b, pairs);
    }
    return result;
}

/// Take the options of the load from a command line. @param arguments the arguments, of which these
/// are removed @return the options; ends the program if they cannot be understood
LoadOptions
TakeLoadOptions(std::vector<char*>& arguments)
{
    LoadOptions options;
    std::vector<char*> others;
    for (char* argument : arguments)
    {
        const std::string text = argument;
        const std::string value = text.substr(std::min(text.find('=') + 1, text.size()));
        if (text == "--load=permutation" || text == "--load=messages")
        {
            options.hasPermutation = value == "permutation";
            options.hasMessages = !options.hasPermutation;
        }
        else if (text.rfind("--message=", 0) == 0 && !value.empty() && value.size() < 8 &&
                 value.find_first_not_of("0123456789") == std::string::npos &&
                 std::stoul(value) > 0)
        {
            options.message = static_cast<uint32_t>(std::stoul(value));
        }
        else
        {
            others.push_back(argument);
        }
    }
    arguments = others;
    return options;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string overK4 = "event_rate_k16_over_k4";
    const std::string overDefault = "windows_over_default_k16";
    const std::string overNixVector = "event_rate_k16_over_nixvector";
    const std::string hopsOverNixVector = "packet_hops_k16_over_nixvector";
    std::vector<char*> arguments(argv, argv + argc);
    const auto load = TakeLoadOptions(arguments);
    const auto parse = [&arguments](const std::string& name) {
        return ParseBenchmarkOptions(
            static_cast<int>(arguments.size()),
            arguments.data(),
            name,
            "events a second of processor time in a fat-tree of 1024 hosts, over those in one of "
            "16 hosts, with ns-3's default simulator (windows_over_default_k16), and with "
            "ns-3's NixVector (event_rate_k16_over_nixvector, packet_hops_k16_over_nixvector)\n\n"
            "  --load=LOAD  only messages, of which the results are, or permutation\n"
            "  --message=N  packets of a message (default: 10)",
            "k16 k4 k16-half k4-half k16-default nixvector",
            9);
    };
    const auto options = parse(overK4);
    const FatTreeSetting k16 = MakeSetting(16, LOW_LOAD);
    const FatTreeSetting k4 = MakeSetting(4, LOW_LOAD);
    const FatTreeSetting k16Half = MakeSetting(16, HALF_LOAD);
    const FatTreeSetting k4Half = MakeSetting(4, HALF_LOAD);
    FatTreeSetting k16Default = k16Half;
    k16Default.hasWindows = false;
    const FatTreeSetting nixVector{16, true, 0, TURN};
    if (!options.only.empty())
    {
        const std::map<std::string, FatTreeSetting> sides{{"k16", k16},
                                                          {"k4", k4},
                                                          {"k16-half", k16Half},
                                                          {"k4-half", k4Half},
                                                          {"k16-default", k16Default},
                                                          {"nixvector", nixVector}};
        auto setting = sides.at(options.only);
        setting.message = load.hasMessages ? load.message : 0;
        FatTreeSimulation simulation(setting);
        for (uint32_t i = 0; i < options.pairs; ++i)
        {
            PrintTurn(options.only, FatTreeTurn(simulation.Run()));
        }
        return 0;
    }
    if (options.selected)
    {
        std::cerr << overK4 << std::endl;
        if (const auto result = CompareLoads("k = 4", k16Half, k4Half, load, options.pairs))
        {
            PrintResult(overK4, "k = 4", result->events);
        }
        CompareLoads("k = 4", k16, k4, load, options.pairs);
    }
    if (parse(overDefault).selected)
    {
        std::cerr << overDefault << std::endl;
        if (const auto result =
                CompareLoads("default simulator", k16Half, k16Default, load, options.pairs))
        {
            PrintResult(overDefault, "ns-3's default simulator", result->events);
        }
    }
    const bool hasEvents = parse(overNixVector).selected;
    const bool hasHops = parse(hopsOverNixVector).selected;
    if (hasEvents || hasHops)
    {
#ifdef AIDC_HAS_NIX_VECTOR
        std::cerr << overNixVector << ", " << hopsOverNixVector << std::endl;
        if (const auto result = CompareLoads("NixVector", k16, nixVector, load, options.pairs))
        {
            if (hasEvents)
            {
                PrintResult(overNixVector, "NixVector", result->events);
            }
            if (hasHops)
            {
                PrintResult(hopsOverNixVector, "NixVector", result->hops);
            }
        }
#else
        const std::string reason = "this ns-3 was built without its module nix-vector-routing";
        PrintLeftOut(overNixVector, reason);
        PrintLeftOut(hopsOverNixVector, reason);
#endif
    }
    return 0;
}
