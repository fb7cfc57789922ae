// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @ingroup aidc
 * @brief Benchmark tcp_flows_per_s: short TCP flows completed in a second.
 *
 * The network is a leaf-spine of 128 hosts with 100 Gb/s links and Ethernet ports. Flows of 1000
 * bytes begin at random times and go between hosts drawn at random, 276 in a microsecond, so that
 * more flows take longer and the network is as loaded by few as by many. They take a quarter of a
 * host's link; no queue is long.
 *
 * The seconds are processor time from TcpFlowHelper::Install() to the file of flows, and of
 * Simulator::Destroy(): sockets, packets, records and metrics, but for the making of the network.
 * Each run is a process of its own.
 *
 * Events run in time windows, as in experiments, or with --simulator=default by ns-3's default
 * simulator. The result is for 32,000 flows. The cost of a flow must not grow with the flows that
 * are done, so that runs of 2,000 and 8,000 flows, and of --flows, are printed for the reader, too.
 */

#include "child-process.h"
#include "paired-timing.h"

#include "ns3/abort.h"
#include "ns3/clos-fabric.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/time-window-helper.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

constexpr uint32_t FLOWS = 32000;          //!< flows of the run that is the result
constexpr uint64_t BYTES = 1000;           //!< the size of a flow
constexpr double FLOWS_PER_SECOND = 276e6; //!< flows that begin in a second of simulated time

/// Draw flows; the same ones in each run. @return the flows, by start
std::vector<FlowSpec>
DrawFlows(uint32_t n, uint32_t nHosts)
{
    std::mt19937 random(1);
    const auto duration = static_cast<uint32_t>(n / FLOWS_PER_SECOND * 1e9);
    std::vector<FlowSpec> flows(n);
    for (auto& flow : flows)
    {
        const uint32_t source = random() % nHosts;
        flow.source = NodeIndex(source);
        flow.destination = NodeIndex((source + 1 + random() % (nHosts - 1)) % nHosts);
        flow.bytes = BYTES;
        flow.start = NanoSeconds(random() % duration);
    }
    std::stable_sort(flows.begin(), flows.end(), [](const FlowSpec& a, const FlowSpec& b) {
        return a.start < b.start;
    });
    return flows;
}

/// What the user may set in addition to the options of all benchmarks.
struct FlowOptions
{
    uint32_t flows{0};     //!< the number of flows; 0 for the result's, and fewer
    bool hasWindows{true}; //!< whether events run in time windows
};

/// Simulate flows, from their sockets to the file of flows. @return seconds of processor
/// time, flows, events, median of the slowdowns
ChildProcess::Report
Simulate(uint32_t n, bool hasWindows)
{
    hasWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    LeafSpineSettings settings;
    settings.leaves = 8;
    settings.spines = 4;
    const FabricPlan fabric = MakeLeafSpine(settings);
    ConfigureDctcp();
    FabricHelper network;
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.Build(fabric);
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    network.AssignStreams(1);

    const auto flows = DrawFlows(n, network.GetHosts().GetN());
    const auto folder = std::filesystem::temp_directory_path() /
                        ("aidc-bench-tcp-flows-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    double median = 0;
    uint64_t events = 0;
    const double seconds = GetProcessorTime([&] {
        TcpFlowHelper tcp;
        tcp.StopWhenDone();
        tcp.Install(network, flows);
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_ABORT_MSG_UNLESS(tcp.IsDone(), "A flow is not done");
        for (const auto& metric : GetFctMetrics(tcp.GetRecords()))
        {
            median = metric.name == "fct_slowdown_p50" ? metric.value : median;
        }
        WriteFlowRecords((folder / "flows.csv").string(), 1, tcp.GetRecords());
        events = Simulator::GetEventCount();
        Simulator::Destroy();
    });
    std::filesystem::remove_all(folder);
    return {seconds, static_cast<double>(n), static_cast<double>(events), median};
}

/// Simulate flows in a process of their own, several times. @return the median of the flows
/// completed in a second
double
Measure(uint32_t n, bool hasWindows, uint32_t runs)
{
    std::vector<double> rates;
    ChildProcess::Report report{};
    for (uint32_t i = 0; i < runs; ++i)
    {
        const auto simulate = [n, hasWindows] { return Simulate(n, hasWindows); };
        report = ChildProcess([simulate] { return simulate; }).Run();
        rates.push_back(report[1] / report[0]);
    }
    const double rate = GetQuantile(rates, 0.5);
    std::fprintf(stderr,
                 "  %6u flows: %.0f flows/s (quartiles %.0f to %.0f, %zu runs), %.0f us and %.1f "
                 "events a flow; median slowdown %.2f\n",
                 n,
                 rate,
                 GetQuantile(rates, 0.25),
                 GetQuantile(rates, 0.75),
                 rates.size(),
                 1e6 / rate,
                 report[2] / report[1],
                 report[3]);
    return rate;
}

/// Take the options of the flows from a command line. @param arguments the arguments, of which
/// these are removed
FlowOptions
TakeFlowOptions(std::vector<char*>& arguments)
{
    const std::string option = "--flows=";
    FlowOptions options;
    std::vector<char*> others;
    for (char* argument : arguments)
    {
        const std::string text = argument;
        const std::string value = text.substr(std::min(option.size(), text.size()));
        if (text == "--simulator=default")
        {
            options.hasWindows = false;
        }
        else if (text.rfind(option, 0) == 0 && !value.empty() && value.size() < 8 &&
                 value.find_first_not_of("0123456789") == std::string::npos &&
                 std::stoul(value) >= 100)
        {
            options.flows = static_cast<uint32_t>(std::stoul(value));
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
    const std::string name = "tcp_flows_per_s";
    std::vector<char*> arguments(argv, argv + argc);
    const auto [flows, hasWindows] = TakeFlowOptions(arguments);
    const auto options =
        ParseBenchmarkOptions(static_cast<int>(arguments.size()),
                              arguments.data(),
                              name,
                              "TCP flows of 1000 bytes among 128 hosts, completed in a second of "
                              "processor time; a pair is a run here\n\n"
                              "  --flows=N    only print what a run of that many flows takes\n"
                              "  --simulator=default  by ns-3's default simulator",
                              "flows",
                              5);
    if (!options.only.empty())
    {
        Simulate(flows > 0 ? flows : FLOWS, hasWindows);
        return 0;
    }
    if (options.selected)
    {
        std::cerr << name << std::endl;
        if (flows > 0)
        {
            Measure(flows, hasWindows, options.pairs);
            return 0;
        }
        Measure(FLOWS / 16, hasWindows, options.pairs);
        Measure(FLOWS / 4, hasWindows, options.pairs);
        const double rate = Measure(FLOWS, hasWindows, options.pairs);
        PrintResult(name, rate, "1/s", "32,000 flows among 128 hosts", options.pairs);
    }
    return 0;
}
