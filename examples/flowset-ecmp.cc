/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment Congestion-aware flow-set switching, against hashing, flowlets and spraying
 *
 * The draft "Congestion-Aware Adaptive Flow Table Switching for ECMP" (Li et al., February 2026) as
 * an experiment, on a leaf-spine fabric of 128 hosts and 100 Gb/s links with DCTCP hosts:
 *
 *        spine 0   spine 1   ...   spine 7        8 uplinks a leaf
 *           |  \  /   |              |
 *        leaf 0     leaf 1   ...   leaf 7         2:1 over-subscribed
 *         ||||       ||||           ||||
 *       16 hosts   16 hosts       16 hosts
 *
 * Schemes: hash-ecmp hashes the five-tuple; flowlet chooses anew at random after a pause of a flow;
 * spray chooses for each packet at random; flow-set is the draft; flow-set-flowlet is the draft
 * with migrations in pauses only (its section 8.2).
 *
 * Scenarios:
 *   load-30, load-50, load-80  flows between any two hosts, arriving at random, of sizes drawn from
 *                              a file, that load the leaves' uplinks (or, where these are faster,
 *                              the hosts' links) to that share on average
 *   elephants  as many hosts of each leaf as it has uplinks send to hosts of the next leaf: there
 *              is a link for each, and nothing but colliding hashes is in the way
 *   failure    load-30, while the first uplink of the first leaf fails and comes back
 *   surge      load-30, and all hosts of the first leaf send to the second leaf at once
 *   fat-tree   load-30 on a fat-tree of the same size (k = 8)
 *   file       the flows of --flows
 *
 * Written to --out: summary.json; slowdown.csv; totals.csv; flows-SCENARIO-SCHEME.csv, what became
 * of each flow; cqi-SCENARIO-SCHEME.csv, the uplinks of the leaves (see FlowSetMonitor); figures as
 * PNG and SVG, where gnuplot is there.
 */

#include "ns3/aidc-module.h"
#include "ns3/core-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// In which situations, unless the user has flows of a file.
const std::vector<std::string>
    SCENARIOS{"load-30", "load-50", "load-80", "elephants", "failure", "surge", "fat-tree"};

/// What is compared.
const std::vector<std::string> SCHEMES{"hash-ecmp",
                                       "flowlet",
                                       "spray",
                                       "flow-set",
                                       "flow-set-flowlet"};

/// What is told of a scenario and a scheme in the table and in totals.csv.
const std::vector<std::string> TOTALS{"fct_slowdown_mean",
                                      "fct_slowdown_p50",
                                      "fct_slowdown_p99",
                                      "reordered_packets",
                                      "load_imbalance",
                                      "migrations",
                                      "dropped_packets",
                                      "lost_packets"};

/// What the user may set.
struct Options
{
    std::string scenarios{"load-30,load-50,load-80,elephants,failure,surge,fat-tree"}; ///< to run
    std::string schemes{"hash-ecmp,flowlet,spray,flow-set,flow-set-flowlet"};          ///< to run
    std::string topology;                                     ///< name or file, or empty
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; ///< file
    std::string flows;                                        ///< file, or empty
    std::string buffer{"12MB"};                               ///< shared buffer of a switch
    std::string marking{"200kB"};                             ///< ECN threshold
    Time interval{MicroSeconds(100)};                         ///< assessment interval
    Time gap{MicroSeconds(20)};                               ///< flowlet gap
    Time duration{MilliSeconds(2)};                           ///< while flows arrive
    ExperimentOptions common;                                 ///< those of all experiments
};

/// The flows of a scenario, and where they go.
struct Scenario
{
    std::string name;            ///< the name
    FabricPlan fabric;           ///< the network
    std::vector<FlowSpec> flows; ///< the flows
    Time limit;                  ///< when the simulation ends at the latest
    bool hasFailure{false};      ///< the first uplink of the first leaf fails
    Time failure;                ///< when it fails
    Time repair;                 ///< when it is back
};

/**
 * @brief Get the ports of a switch that lead up.
 * @param fabric the network
 * @param id the switch
 * @return its ports to switches of a higher tier
 */
std::vector<uint32_t>
GetUplinks(const FabricPlan& fabric, uint32_t id)
{
    std::vector<uint32_t> ports;
    const auto& all = fabric.GetPorts(id);
    for (uint32_t port = 0; port < all.size(); ++port)
    {
        if (fabric.GetNode(all[port].peer).tier > fabric.GetNode(id).tier)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

/**
 * @brief Get the hosts of a leaf.
 * @param fabric the network
 * @param leaf the leaf
 * @return the hosts, by port
 */
std::vector<uint32_t>
GetHostsOf(const FabricPlan& fabric, uint32_t leaf)
{
    std::vector<uint32_t> hosts;
    for (const auto& port : fabric.GetPorts(leaf))
    {
        if (fabric.IsHost(port.peer))
        {
            hosts.push_back(port.peer);
        }
    }
    return hosts;
}

/**
 * @brief Make the network of a scenario.
 * @param scenario the name of the scenario
 * @param options the options
 * @return the network
 */
FabricPlan
MakeNetwork(const std::string& scenario, const Options& options)
{
    const std::string topology = !options.topology.empty() ? options.topology
                                 : scenario == "fat-tree"  ? "fat-tree"
                                                           : "leaf-spine";
    if (topology == "fat-tree")
    {
        return MakeFatTree(options.common.small ? 4 : 8, 100000000000, 1000);
    }
    if (topology == "leaf-spine")
    {
        LeafSpineOptions plan;
        plan.leaves = options.common.small ? 4 : 8;
        plan.spines = options.common.small ? 4 : 8;
        plan.hostsPerLeaf = options.common.small ? 8 : 16;
        plan.leafSpineRate = plan.hostRate;
        return MakeLeafSpine(plan);
    }
    const auto file = TopologyFile::Read(FindDataFile(topology));
    NoteTrailingText(std::cerr, file.GetName(), file.GetTrailingText());
    return file.GetFabric();
}

/**
 * @brief Get what the hosts may send if the uplinks of the leaves are to be filled.
 * @param fabric the network, the same at all leaves
 * @return the share of the hosts' rate, at most 1
 */
double
GetHostShare(const FabricPlan& fabric)
{
    const uint32_t leaf = fabric.GetLeaves().front();
    const auto& ports = fabric.GetPorts(leaf);
    const auto getRate = [&fabric, &ports](uint32_t port) {
        return static_cast<double>(fabric.GetLinks()[ports[port].link].rate);
    };
    double up = 0;
    for (const uint32_t port : GetUplinks(fabric, leaf))
    {
        up += getRate(port);
    }
    double down = 0;
    for (uint32_t port = 0; port < ports.size(); ++port)
    {
        down += fabric.IsHost(ports[port].peer) ? getRate(port) : 0;
    }
    const auto nHosts = static_cast<double>(fabric.GetHosts().size());
    const auto nOwn = static_cast<double>(GetHostsOf(fabric, leaf).size());
    const double leaving = down * (nHosts - nOwn) / (nHosts - 1);
    return leaving > 0 ? std::min(1.0, up / leaving) : 1;
}

/**
 * @brief Make flows that arrive at random.
 * @param fabric the network
 * @param load the share of the rate of what is slower, uplinks or hosts
 * @param options the options
 * @return the flows
 */
std::vector<FlowSpec>
MakeMix(const FabricPlan& fabric, double load, const Options& options)
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile(options.flowSizes));
    PoissonFlowGenerator generator(fabric.GetHosts(), sizes);
    const uint32_t host = fabric.GetHosts().front();
    generator.SetHostRate(DataRate(fabric.GetLinks()[fabric.GetPorts(host).front().link].rate));
    generator.SetLoad(load * GetHostShare(fabric));
    generator.SetDuration(options.duration);
    generator.AssignStreams(1);
    return generator.Generate();
}

/**
 * @brief Add flows from a leaf to another one, a host each, which start within 10 us.
 * @param flows what to add them to
 * @param fabric the network
 * @param from the leaf that sends
 * @param to the leaf that receives
 * @param nFlows the number of flows, at most
 * @param bytes the size of a flow
 * @param start when the first may start
 * @param uniform gives the times
 */
void
AddLeafToLeaf(std::vector<FlowSpec>& flows,
              const FabricPlan& fabric,
              uint32_t from,
              uint32_t to,
              std::size_t nFlows,
              uint64_t bytes,
              Time start,
              Ptr<UniformRandomVariable> uniform)
{
    const auto sources = GetHostsOf(fabric, from);
    const auto destinations = GetHostsOf(fabric, to);
    nFlows = std::min({nFlows, sources.size(), destinations.size()});
    for (std::size_t i = 0; i < nFlows; ++i)
    {
        FlowSpec flow;
        flow.source = sources[i];
        flow.destination = destinations[i];
        flow.bytes = bytes;
        flow.start = start + NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
        flows.push_back(flow);
    }
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
    Scenario scenario{name, MakeNetwork(name, options), {}, MilliSeconds(200), false, {}, {}};
    const FabricPlan& fabric = scenario.fabric;
    const auto& leaves = fabric.GetLeaves();
    const bool needsUplinks = name == "elephants" || name == "failure" || name == "surge";
    CheckOption(!needsUplinks || leaves.size() > 1,
                "a topology of at least two leaves for scenario " + name);
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(10);
    if (name == "file")
    {
        TrailingText trailing;
        scenario.flows = ReadFlowFile(FindDataFile(options.flows), &trailing);
        NoteTrailingText(std::cerr, options.flows, trailing);
    }
    else if (name == "elephants")
    {
        for (std::size_t i = 0; i < leaves.size(); ++i)
        {
            AddLeafToLeaf(scenario.flows,
                          fabric,
                          leaves[i],
                          leaves[(i + 1) % leaves.size()],
                          GetUplinks(fabric, leaves[i]).size(),
                          options.common.small ? 2000000 : 10000000,
                          Seconds(0),
                          uniform);
        }
    }
    else
    {
        const double load = name == "load-80" ? 0.8 : name == "load-50" ? 0.5 : 0.3;
        scenario.flows = MakeMix(fabric, load, options);
    }
    if (name == "surge")
    {
        AddLeafToLeaf(scenario.flows,
                      fabric,
                      leaves.at(0),
                      leaves.at(1),
                      SIZE_MAX,
                      options.common.small ? 500000 : 2000000,
                      options.duration / 4,
                      uniform);
    }
    scenario.hasFailure = name == "failure";
    scenario.failure = options.duration / 4;
    scenario.repair = 3 * options.duration / 4;
    if (scenario.flows.empty())
    {
        throw std::runtime_error("scenario " + name + " has no flows");
    }
    if (name == "file")
    {
        scenario.limit = scenario.flows.back().start + Seconds(1);
    }
    return scenario;
}

/**
 * @brief Make the routing of a scheme.
 * @param scheme the scheme
 * @param options the options
 * @return what makes the switches' routing
 */
MultipathRoutingHelper
MakeRouting(const std::string& scheme, const Options& options)
{
    if (scheme == "hash-ecmp")
    {
        return MultipathRoutingHelper();
    }
    MultipathRoutingHelper routing;
    if (scheme == "flowlet")
    {
        routing.SetSelector("ns3::aidc::FlowletSelector");
        routing.SetSelectorAttribute("Gap", TimeValue(options.gap));
    }
    else if (scheme == "spray")
    {
        routing.SetSelector("ns3::aidc::SpraySelector");
    }
    else
    {
        routing = MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting");
        routing.SetSelector("ns3::aidc::FlowSetSelector");
        routing.SetSelectorAttribute("AssessmentInterval", TimeValue(options.interval));
        const Time gap = scheme == "flow-set" ? Seconds(0) : options.gap;
        routing.SetSelectorAttribute("FlowletGap", TimeValue(gap));
    }
    return routing;
}

/**
 * @brief Run one scheme in one scenario.
 * @param run the names of both
 * @param options the options
 * @param ranks the processes
 * @return what the run has told
 */
ExperimentOutcome
RunOnce(const ExperimentRun& run, const Options& options, const MpiRanks& ranks)
{
    auto scenario = MakeScenario(run.scenario, options);
    scenario.fabric.AssignRanks(ranks.GetN());
    run.Announce(scenario.flows.size());
    const std::string& scheme = run.scheme;
    const FabricPlan& fabric = scenario.fabric;
    ranks.Begin();
    DctcpOptions dctcp;
    dctcp.useSack = false; // acknowledgments may overtake each other
    dctcp.minWindow = 2;   // so that no sender waits for a timer because of marks
    ConfigureDctcp(dctcp);
    FabricHelper network;
    options.common.Configure(network);
    network.SetSwitchRouting(MakeRouting(scheme, options));
    network.SetDetectionDelay(MicroSeconds(50));
    network.SetConvergenceDelay(MicroSeconds(100));
    network.Build(fabric);
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(1);
    switches.SetBufferAttribute("Size", StringValue(options.buffer));
    constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
    switches.SetQueueDiscAttribute(ALL, "Threshold", StringValue(options.marking));
    switches.Install(network.GetSwitches());
    network.AssignAddresses();
    network.AssignStreams(100);

    TcpFlowHelper tcp;
    tcp.StopWhenDone(&ranks);
    tcp.Install(network, scenario.flows, options.flows);

    ReorderMonitor reordering;
    reordering.Add(network.GetHosts());
    LinkLoadMonitor load(MicroSeconds(100));
    FlowSetMonitor flowSets;
    const bool hasFlowSets = scheme.rfind("flow-set", 0) == 0;
    for (const uint32_t id : fabric.GetSwitches())
    {
        if (!network.IsLocal(id))
        {
            continue;
        }
        std::vector<Ptr<NetDevice>> uplinks;
        std::vector<std::string> names(fabric.GetPorts(id).size() + 1);
        for (const uint32_t port : GetUplinks(fabric, id))
        {
            uplinks.push_back(network.GetPort(id, port));
            names[port + 1] = fabric.GetPortName(id, port);
        }
        if (!uplinks.empty())
        {
            load.AddGroup(uplinks);
        }
        if (hasFlowSets)
        {
            const auto routing = MultipathRoutingHelper::GetRouting(network.GetNode(id));
            const bool isLeaf = fabric.GetNode(id).tier == FabricTier::LEAF;
            flowSets.Add(DynamicCast<FlowSetSelector>(routing->GetSelector()),
                         isLeaf ? names : std::vector<std::string>());
        }
    }
    if (scenario.hasFailure)
    {
        const uint32_t leaf = fabric.GetLeaves().front();
        const uint32_t link = fabric.GetPorts(leaf)[GetUplinks(fabric, leaf).at(0)].link;
        network.ScheduleFailure(link, scenario.failure, scenario.repair);
    }
    load.Start();
    Simulator::Stop(scenario.limit);
    Simulator::Run();
    load.Stop();

    ExperimentOutcome outcome;
    tcp.Gather(ranks);
    if (hasFlowSets && run.isFirst)
    {
        flowSets.WriteSeries(run.GetSeriesPath("cqi"), &ranks);
    }
    Time begin = scenario.limit;
    for (const auto& record : tcp.GetRecords())
    {
        begin = std::min(begin, record.spec.start);
    }
    const double elapsed = (GetEndOfFlows(tcp.GetRecords()) - begin).GetSeconds();
    outcome.Add("goodput", 8.0 * tcp.GetDeliveredBytes() / elapsed, "bit/s");
    outcome.Add("completion_time", tcp.IsDone() ? elapsed : std::nan(""), "s");
    outcome.records = tcp.GetRecords();
    const auto metrics = GetFctMetrics(outcome.records);
    outcome.metrics.insert(outcome.metrics.end(), metrics.begin(), metrics.end());
    const auto counts = network.GetPacketCounts();
    outcome.Add("dropped_packets", ranks.Sum(counts.dropped), "packet");
    outcome.Add("marked_packets", ranks.Sum(counts.marked), "packet");
    outcome.Add("packet_hops", ranks.Sum(counts.sent), "packet");
    outcome.Add("reordered_packets", ranks.Sum(reordering.GetReorderedPackets()), "packet");
    outcome.Add("lost_packets", ranks.Sum(network.GetLostPackets()), "packet");
    outcome.Add("load_imbalance", ranks.Sum(load.GetSpread()) / ranks.Sum(load.GetMean()), "1");
    outcome.Add("migrations", ranks.Sum(flowSets.GetMigrations()), "1");
    outcome.Add("migrations_allowed", ranks.Sum(flowSets.GetAllowedMigrations()), "1");
    outcome.Add("migration_intervals", ranks.Sum(flowSets.GetIntervals()), "1");
    outcome.Add("bound_violations", ranks.Sum(flowSets.GetBoundViolations()), "1");
    outcome.Add("reroutes", ranks.Sum(flowSets.GetReroutes()), "1");
    Simulator::Destroy();
    ranks.End();
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
    CheckByteSize("marking", options.marking);
    CheckOption(options.interval.IsStrictlyPositive(), "--interval to be above 0");
    CheckOption(options.gap.IsStrictlyPositive(), "--gap to be above 0");
    CheckOption(options.duration.IsStrictlyPositive(), "--duration to be above 0");
    options.common.Check();
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
    plan.name = "flowset-ecmp";
    plan.command = command;
    plan.figures = "flowset-ecmp.gp";
    plan.scenarios = options.flows.empty() ? SplitNames("scenarios", options.scenarios, SCENARIOS)
                                           : std::vector<std::string>{"file"};
    plan.schemes = SplitNames("schemes", options.schemes, SCHEMES);
    plan.totals = TOTALS;
    plan.columns = TOTALS;
    plan.hasFlowFiles = true;
    const MpiRanks ranks(options.common.ranks);
    ExperimentRunner runner(plan, options.common, ranks);
    auto& summary = runner.GetSummary();
    summary.SetParameter("topology", options.topology.empty() ? "default" : options.topology);
    summary.SetParameter("flow-sizes", options.flowSizes);
    summary.SetParameter("buffer", QueueSize(options.buffer).GetValue(), "byte");
    summary.SetParameter("marking", QueueSize(options.marking).GetValue(), "byte");
    summary.SetParameter("interval", options.interval.GetSeconds(), "s");
    summary.SetParameter("gap", options.gap.GetSeconds(), "s");
    summary.SetParameter("duration", options.duration.GetSeconds(), "s");
    runner.Run([&](const ExperimentRun& run) { return RunOnce(run, options, ranks); });
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage(
        "Congestion-aware flow-set switching, against ECMP by hash, flowlets and spraying, on "
        "a leaf-spine fabric and a fat-tree.");
    cmd.AddValue("scenarios",
                 "scenarios to run: load-30, load-50, load-80, elephants, failure, surge, fat-tree",
                 options.scenarios);
    cmd.AddValue("schemes",
                 "schemes to run: hash-ecmp, flowlet, spray, flow-set, flow-set-flowlet",
                 options.schemes);
    cmd.AddValue("topology",
                 "leaf-spine, fat-tree or a topology file, instead of the scenario's",
                 options.topology);
    cmd.AddValue("flow-sizes", "flow-size file", options.flowSizes);
    cmd.AddValue("flows", "flow file; runs its flows instead of the scenarios", options.flows);
    cmd.AddValue("buffer", "size of a switch's shared buffer, such as 12MB", options.buffer);
    cmd.AddValue("marking", "ECN marking threshold, such as 200kB", options.marking);
    cmd.AddValue("interval", "assessment interval of flow-set switching", options.interval);
    cmd.AddValue("gap", "flowlet gap", options.gap);
    cmd.AddValue("duration",
                 "how long flows arrive; a quarter of it with --small",
                 options.duration);
    options.common.out = "results/flowset-ecmp";
    options.common.AddTo(cmd, "processes of a parallel simulation, under mpirun");
    cmd.Parse(argc, argv);
    if (options.common.small)
    {
        options.duration = options.duration / 4;
    }
    return RunProgram("aidc-flowset-ecmp", [&] {
        CheckOptions(options);
        RunAll(options, JoinCommand("aidc-flowset-ecmp", argc, argv));
    });
}
