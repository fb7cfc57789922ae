/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment ECN threshold coupled to a switch's shared buffer, against two static thresholds
 *
 * The problem statement of the draft "Dynamic ECN Threshold" (Yang et al., March 2026; section 4)
 * as an experiment: a 48-port 100 Gb/s switch with 12 MB of shared buffer, DCTCP hosts.
 *
 *        hosts ----\            /---- host 0   <- watched port
 *                   +-- switch +----- host 1
 *        hosts ----/  (12 MB)   \---- ...
 *
 * Schemes: static-low marks from 200 KB on, static-high from 2 MB on, coupled from
 * Buf_Thrd - Offset on, with the Offset and the ECN_Floor that the switch helper derives from the
 * links (rate times RTT and one MTU; a seventh of that within 30 KB to 100 KB).
 *
 * Scenarios:
 *   light   4 receivers with 2 long-lived senders each; RTT 200 us, so that a seventh of the
 *           bandwidth-delay product, what DCTCP needs (RFC 8257), is 357 KB
 *   incast  48 receivers, all at once, with 2 senders each of 5 MB; RTT 12 us
 *   incast-capped  the same with a static cap of 250 KB a queue, the draft's section 4 number
 *   mix     flows between any two hosts, arriving at random, of sizes drawn from a file; RTT 12 us
 *   file    the flows of --flows
 *
 * The draft says that static-low wastes throughput in light, that static-high drops before it marks
 * in incast, and that coupled does neither. The program prints what the simulation says.
 *
 * Written to --out: summary.json; totals.csv; slowdown.csv; queue-SCENARIO-SCHEME.csv, the watched
 * queue (see EcnQueueMonitor); figures as PNG and SVG, where gnuplot is there.
 */

#include "ns3/aidc-module.h"
#include "ns3/core-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// In which situations, unless the user has flows of a file.
const std::vector<std::string> SCENARIOS{"light", "incast", "incast-capped", "mix"};

/// What is compared.
const std::vector<std::string> SCHEMES{"static-low", "static-high", "coupled"};

/// What the user may set.
struct Options
{
    std::string scenarios{"light,incast,incast-capped,mix"}; ///< the scenarios to run
    std::string topology; ///< file, or empty for that of the scenario
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; ///< file
    std::string flows;                                        ///< file, or empty
    std::string buffer{"12MB"};                               ///< size of the shared buffer
    std::string offset{"0B"};                                 ///< Offset of coupled, 0 to derive it
    double alpha{8};                                          ///< of the dynamic threshold
    double load{0.6};                                         ///< of scenario mix
    ExperimentOptions common;                                 ///< those of all experiments
};

/// The flows of a scenario, and where they go.
struct Scenario
{
    std::string name;            ///< the name
    TopologyFile topology;       ///< the network
    std::string cap;             ///< static cap of a queue, 0 for none
    std::vector<FlowSpec> flows; ///< the flows
    Time limit;                  ///< when the simulation ends at the latest
    Time sampling;               ///< the interval of the series
};

/**
 * @brief Make flows of two senders to each receiver, which start within 10 us.
 * @param hosts the hosts: the first ones receive, the last ones send
 * @param nReceivers the number of receivers
 * @param bytes the size of a flow, 0 for one without end
 * @return the flows
 */
std::vector<FlowSpec>
MakeFanIn(const std::vector<uint32_t>& hosts, std::size_t nReceivers, uint64_t bytes)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    std::vector<FlowSpec> flows;
    for (std::size_t i = 0; i < 2 * nReceivers; ++i)
    {
        FlowSpec flow;
        flow.source = hosts[hosts.size() - 1 - i];
        flow.destination = hosts[i / 2];
        flow.bytes = bytes;
        flow.start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
        flows.push_back(flow);
    }
    return flows;
}

/**
 * @brief Make a scenario.
 * @param name its name
 * @param options the options
 * @return the scenario
 */
Scenario
MakeScenario(const std::string& name, const Options& options)
{
    const bool light = name == "light";
    const bool incast = name == "incast" || name == "incast-capped";
    const std::string file = !options.topology.empty() ? options.topology
                             : light                   ? "topologies/tor-48-200us.txt"
                             : incast                  ? "topologies/tor-48-incast.txt"
                                                       : "topologies/tor-48-12us.txt";
    Scenario scenario{name, TopologyFile::Read(FindDataFile(file)), "0B", {}, {}, {}};
    NoteTrailingText(std::cerr, scenario.topology.GetName(), scenario.topology.GetTrailingText());
    const auto hosts = scenario.topology.GetHosts();
    const std::size_t third = std::max<std::size_t>(1, hosts.size() / 3);
    if (light)
    {
        scenario.flows = MakeFanIn(hosts, std::min<std::size_t>(4, third), 0);
        scenario.limit = MilliSeconds(options.common.small ? 10 : 30);
        scenario.sampling = MicroSeconds(20);
    }
    else if (incast)
    {
        scenario.cap = name == "incast" ? "0B" : "250kB";
        scenario.flows = MakeFanIn(hosts, third, options.common.small ? 1000000 : 5000000);
        scenario.limit = MilliSeconds(100);
        scenario.sampling = MicroSeconds(1);
    }
    else if (name == "mix")
    {
        const auto sizes = FlowSizeDistribution::Read(FindDataFile(options.flowSizes));
        PoissonFlowGenerator generator(hosts, sizes);
        generator.SetLoad(options.load);
        generator.SetDuration(MicroSeconds(options.common.small ? 300 : 3000));
        generator.AssignStreams(1);
        scenario.flows = generator.Generate();
        scenario.limit = MilliSeconds(200);
        scenario.sampling = MicroSeconds(5);
    }
    else
    {
        TrailingText trailing;
        scenario.flows = ReadFlowFile(FindDataFile(options.flows), &trailing);
        NoteTrailingText(std::cerr, options.flows, trailing);
        scenario.sampling = MicroSeconds(100);
    }
    if (scenario.flows.empty())
    {
        throw std::runtime_error("scenario " + name + " has no flows");
    }
    if (scenario.limit.IsZero())
    {
        scenario.limit = scenario.flows.back().start + Seconds(1);
    }
    return scenario;
}

/**
 * @brief Configure the marking of a switch.
 * @param helper the switch helper
 * @param scheme the scheme
 * @param options the options
 */
void
SetScheme(SharedBufferSwitchHelper& helper, const std::string& scheme, const Options& options)
{
    constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
    if (scheme == "coupled")
    {
        // The default, with what the helper derives from the links.
        if (QueueSize(options.offset).GetValue() > 0)
        {
            helper.SetQueueDiscAttribute(ALL, "Offset", StringValue(options.offset));
        }
        return;
    }
    helper.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
    helper.SetQueueDiscAttribute(ALL,
                                 "Threshold",
                                 StringValue(scheme == "static-low" ? "200kB" : "2MB"));
}

/**
 * @brief Run one scheme in one scenario.
 * @param run the names of both
 * @param options the options
 * @return what the run has told
 */
ExperimentOutcome
RunOnce(const ExperimentRun& run, const Options& options)
{
    const auto scenario = MakeScenario(run.scenario, options);
    run.Announce(scenario.flows.size());
    ConfigureDctcp();
    FabricHelper network;
    options.common.Configure(network);
    network.Build(scenario.topology.GetFabric());

    Config::SetDefault("ns3::aidc::SharedBufferQueue::Alpha", DoubleValue(options.alpha));
    Config::SetDefault("ns3::aidc::SharedBufferQueue::Cap", StringValue(scenario.cap));
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(1);
    switches.SetBufferAttribute("Size", StringValue(options.buffer));
    SetScheme(switches, run.scheme, options);
    switches.Install(network.GetSwitches());
    network.AssignAddresses();
    network.AssignStreams(100);

    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(network, scenario.flows, options.flows);

    EcnQueueMonitor monitor(scenario.sampling);
    std::set<uint32_t> receivers;
    for (const auto& flow : scenario.flows)
    {
        if (receivers.insert(flow.destination).second)
        {
            monitor.AddPort(network.GetSwitchPort(flow.destination));
        }
    }
    if (run.isFirst)
    {
        const auto port = network.GetSwitchPort(scenario.flows.front().destination);
        monitor.WriteSeries(EcnQueueMonitor::FindQueues(port).front(), run.GetSeriesPath("queue"));
    }
    monitor.Start();
    ShowProgress progress(Seconds(10), std::cerr);
    Simulator::Stop(scenario.limit);
    Simulator::Run();
    monitor.Stop();

    ExperimentOutcome outcome;
    Time begin = scenario.limit;
    for (const auto& flow : scenario.flows)
    {
        begin = std::min(begin, flow.start);
    }
    const double elapsed = (GetEndOfFlows(tcp.GetRecords()) - begin).GetSeconds();
    outcome.Add("goodput", 8.0 * tcp.GetDeliveredBytes() / elapsed, "bit/s");
    outcome.Add("dropped_packets", monitor.GetDroppedPackets(), "packet");
    outcome.Add("marked_packets", monitor.GetMarkedPackets(), "packet");
    outcome.Add("drops_before_first_mark", monitor.GetDropsBeforeFirstMark(), "packet");
    outcome.Add("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte");
    outcome.Add("queue_max", monitor.GetMaxOccupancy(), "byte");
    if (scenario.name != "light") // its flows do not end
    {
        outcome.Add("completion_time", tcp.IsDone() ? elapsed : std::nan(""), "s");
        const auto metrics = GetFctMetrics(tcp.GetRecords());
        outcome.metrics.insert(outcome.metrics.end(), metrics.begin(), metrics.end());
    }
    outcome.records = tcp.GetRecords();
    Simulator::Destroy();
    return outcome;
}

/**
 * @brief Check what the user has set, apart from names and files.
 * @param options the options
 */
void
CheckOptions(const Options& options)
{
    CheckByteSize("buffer", options.buffer);
    CheckByteSize("offset", options.offset, true);
    CheckOption(options.alpha >= 1.0 / 65536 && options.alpha <= 65536,
                "--alpha to be from 1/65536 to 65536");
    CheckOption(options.load > 0 && options.load <= 1, "--load to be above 0 and at most 1");
    options.common.Check();
    CheckOption(options.common.ranks == 1,
                "--ranks to be 1: the network is a single switch, which cannot be divided");
}

/**
 * @brief Run all schemes in all scenarios, and write the results.
 * @param options the options
 * @param command the command line
 */
void
RunAll(const Options& options, const std::string& command)
{
    ExperimentPlan plan;
    plan.name = "coupled-ecn";
    plan.command = command;
    plan.figures = "coupled-ecn.gp";
    plan.scenarios = options.flows.empty() ? SplitNames("scenarios", options.scenarios, SCENARIOS)
                                           : std::vector<std::string>{"file"};
    plan.schemes = SCHEMES;
    plan.totals = {"dropped_packets", "marked_packets"};
    plan.columns = {"goodput",
                    "dropped_packets",
                    "drops_before_first_mark",
                    "marked_packets",
                    "queue_p99",
                    "fct_mean",
                    "fct_p99",
                    "fct_slowdown_p99"};
    const MpiRanks ranks(options.common.ranks);
    ExperimentRunner runner(plan, options.common, ranks);
    auto& summary = runner.GetSummary();
    summary.SetParameter("buffer", QueueSize(options.buffer).GetValue(), "byte");
    summary.SetParameter("alpha", options.alpha);
    summary.SetParameter("load", options.load);
    summary.SetParameter("flow-sizes", options.flowSizes);
    summary.SetParameter("topology", options.topology.empty() ? "default" : options.topology);
    runner.Run([&](const ExperimentRun& run) { return RunOnce(run, options); });
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage("ECN marking coupled to the dynamic buffer threshold, against two static thresholds, "
              "on a shared-buffer switch.");
    cmd.AddValue("scenarios",
                 "scenarios to run: light, incast, incast-capped, mix",
                 options.scenarios);
    cmd.AddValue("topology", "topology file instead of the scenario's", options.topology);
    cmd.AddValue("flow-sizes", "flow-size file of scenario mix", options.flowSizes);
    cmd.AddValue("flows", "flow file; runs its flows instead of the scenarios", options.flows);
    cmd.AddValue("load", "load of scenario mix, above 0 and at most 1", options.load);
    cmd.AddValue("buffer", "size of the shared buffer, such as 12MB", options.buffer);
    cmd.AddValue("offset", "Offset of coupled, such as 150kB; 0B derives it", options.offset);
    cmd.AddValue("alpha", "factor of the dynamic threshold", options.alpha);
    options.common.out = "results/coupled-ecn";
    options.common.AddTo(cmd, "processes of a parallel simulation: 1");
    cmd.Parse(argc, argv);
    return RunProgram("aidc-coupled-ecn", [&] {
        CheckOptions(options);
        RunAll(options, JoinCommand("aidc-coupled-ecn", argc, argv));
    });
}
