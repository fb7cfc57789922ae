/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment What CSIG reports of a fat-tree, and what its users make of it
 *
 * The draft "Congestion Signaling (CSIG)" (Ravi et al., February 2024) on a fat-tree (k = 8, 128
 * hosts, 100 Gb/s links) of Ethernet switches that update tags of the expanded format. The locator
 * has stage, orientation, device and port.
 *
 * Scenarios, and the schemes of each:
 *   accuracy       DCTCP flows at 50 % load; what tags report against what the simulator knows
 *                  (CsigTruthMonitor). interval, ewma, dre: how ports estimate their rate
 *   degraded-link  a link between a leaf and a spine has a quarter of its speed; a mesh of UDP
 *                  probes (CsigMeshProber) looks for it by their tags alone. idle-mesh: nothing
 *                  else is sent; loaded-mesh: DCTCP flows at 30 % load
 *   hot-spot       each host sends to its counterpart in the next pod at a constant rate, so that
 *                  there is room for all, if hashes did not collide. hash: no flow changes its
 *                  path; csig-blind: a flow changes it for any congestion; csig-balancer: for
 *                  congestion in the core only (CsigPathBalancer)
 *   incast         hosts of all other pods send to one host at once, while the rest is as in
 *                  hot-spot; the same schemes
 *   engineering    the first uplink of each leaf has 40 Gb/s; DCTCP flows at 50 % load. equal:
 *                  uplinks have equal weights; csig-weights: weights follow the available share
 *                  of the capacity (CsigPathEngineer)
 *
 * Written to --out: summary.json; totals.csv; slowdown.csv; flows-SCENARIO-SCHEME.csv; and
 *   accuracy.csv                 error and lag by scheme and signal
 *   truth-accuracy-SCHEME.csv    tags and their truth, one in a hundred
 *   heat-SCENARIO-SCHEME.csv     which ports tags name as bottlenecks, by time (CsigCollector)
 *   pairs-SCENARIO-SCHEME.csv    signals by leaf of the source and of the destination, by time
 *   ranking-degraded-link-SCHEME.csv  the bottlenecks by rank
 *   weights-engineering-SCHEME.csv    the weights of the leaves' uplinks in the end
 * and figures as PNG and SVG, where gnuplot is there.
 *
 * There is no congestion control by CSIG: users of signals take the trace source Signal or the
 * method SetSink of CsigHost.
 */

#include "ns3/aidc-module.h"
#include "ns3/core-module.h"
#include "ns3/network-module.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/// In which situations.
const std::vector<std::string> SCENARIOS{"accuracy",
                                         "degraded-link",
                                         "hot-spot",
                                         "incast",
                                         "engineering"};

/// What is compared in each.
const std::map<std::string, std::vector<std::string>> SCHEMES_OF{
    {"accuracy", {"interval", "ewma", "dre"}},
    {"degraded-link", {"idle-mesh", "loaded-mesh"}},
    {"hot-spot", {"hash", "csig-blind", "csig-balancer"}},
    {"incast", {"hash", "csig-blind", "csig-balancer"}},
    {"engineering", {"equal", "csig-weights"}}};

/// All schemes.
const std::vector<std::string> SCHEMES{"interval",
                                       "ewma",
                                       "dre",
                                       "idle-mesh",
                                       "loaded-mesh",
                                       "hash",
                                       "csig-blind",
                                       "csig-balancer",
                                       "equal",
                                       "csig-weights"};

/// What is told of each scenario and scheme in the table and in totals.csv; NaN where it makes no
/// sense.
const std::vector<std::string> TOTALS{"goodput",
                                      "fct_slowdown_mean",
                                      "fct_slowdown_p99",
                                      "dropped_packets",
                                      "rehashes",
                                      "abw_error_mean",
                                      "abw_lag",
                                      "rank",
                                      "detection_time"};

/// The speed of all links that are not slower.
constexpr uint64_t SPEED = 100'000'000'000;

/// What the user may set.
struct Options
{
    std::string scenarios{"accuracy,degraded-link,hot-spot,incast,engineering"}; ///< to run
    std::string schemes{"interval,ewma,dre,idle-mesh,loaded-mesh,hash,csig-blind,csig-balancer,"
                        "equal,csig-weights"};                ///< to run
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; ///< file
    std::string buffer{"12MB"};                               ///< shared buffer of a switch
    std::string marking{"200kB"};                             ///< ECN threshold
    Time window{MicroSeconds(100)};                           ///< of the truth and of estimators
    Time period{MicroSeconds(200)};                           ///< of new weights
    Time duration{MilliSeconds(2)};                           ///< while flows arrive
    DataRate rate{"40Gbps"};                                  ///< of flows at a constant rate
    std::string size{"20MB"};                                 ///< of these flows
    DataRate threshold{"10Gbps"};                             ///< less is congestion
    ExperimentOptions common;                                 ///< those of all experiments
};

/// A network with CSIG.
struct CsigFabric
{
    FabricHelper network;                   ///< the network
    CsigHelper csig;                        ///< its CSIG
    std::unique_ptr<CsigFabricPorts> ports; ///< LM of its ports
};

/**
 * @brief Make a fat-tree, with some links slower.
 * @param options the options
 * @param rates the speed of links that are slower
 * @return the network
 */
FabricPlan
MakeTree(const Options& options, const std::map<uint32_t, uint64_t>& rates = {})
{
    const FabricPlan tree = MakeFatTree(options.common.small ? 4 : 8, SPEED, 1000);
    auto links = tree.GetLinks();
    for (const auto& [link, rate] : rates)
    {
        links.at(link).rate = rate;
    }
    return MakeFabric(tree.GetName(), tree.GetNNodes(), tree.GetSwitches(), links);
}

/**
 * @brief Get the first port of a leaf that leads up.
 * @param fabric the network
 * @param leaf the leaf
 * @return its port
 */
uint32_t
GetFirstUplink(const FabricPlan& fabric, uint32_t leaf)
{
    const auto& ports = fabric.GetPorts(leaf);
    uint32_t port = 0;
    while (fabric.IsHost(ports[port].peer))
    {
        ++port;
    }
    return port;
}

/**
 * @brief Get the links of the first uplinks of leaves.
 * @param options the options
 * @param nLeaves how many leaves, at most
 * @param rate the speed that they get
 * @return speeds by link
 */
std::map<uint32_t, uint64_t>
SlowFirstUplinks(const Options& options, std::size_t nLeaves, uint64_t rate)
{
    const FabricPlan tree = MakeTree(options);
    std::map<uint32_t, uint64_t> rates;
    for (const uint32_t leaf : tree.GetLeaves())
    {
        if (rates.size() < nLeaves)
        {
            rates[tree.GetPorts(leaf)[GetFirstUplink(tree, leaf)].link] = rate;
        }
    }
    return rates;
}

/**
 * @brief Make flows that arrive at random.
 * @param fabric the network
 * @param load the share of the hosts' rate
 * @param options the options
 * @return the flows
 */
std::vector<FlowSpec>
MakeMix(const FabricPlan& fabric, double load, const Options& options)
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile(options.flowSizes));
    PoissonFlowGenerator generator(fabric.GetHosts(), sizes);
    generator.SetHostRate(DataRate(SPEED));
    generator.SetLoad(load);
    generator.SetDuration(options.duration);
    generator.AssignStreams(1);
    return generator.Generate();
}

/**
 * @brief Make a flow at a constant rate that starts within 10 us.
 * @param source the host that sends
 * @param destination the host that receives
 * @param options the options
 * @param uniform gives the time
 * @return the flow
 */
FlowSpec
MakeFlow(uint32_t source,
         uint32_t destination,
         const Options& options,
         Ptr<UniformRandomVariable> uniform)
{
    FlowSpec flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = QueueSize(options.size).GetValue();
    flow.start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
    return flow;
}

/**
 * @brief Make flows from each host to its counterpart in the next pod.
 * @param fabric the network
 * @param options the options
 * @param nIncast how many hosts of other pods send to the first host instead
 * @return the flows, those of the incast first
 */
std::vector<FlowSpec>
MakeCounterparts(const FabricPlan& fabric, const Options& options, std::size_t nIncast)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(10);
    const auto& hosts = fabric.GetHosts();
    const std::size_t perPod = hosts.size() / fabric.GetNPods();
    std::vector<FlowSpec> flows;
    std::vector<bool> isBusy(hosts.size());
    isBusy[0] = nIncast > 0;
    for (std::size_t i = 0; i < nIncast; ++i)
    {
        // Spread over the other pods and their leaves.
        const std::size_t sender = perPod + i * (hosts.size() - perPod) / nIncast;
        isBusy[sender] = true;
        flows.push_back(MakeFlow(hosts[sender], hosts[0], options, uniform));
    }
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        const std::size_t to = (i + perPod) % hosts.size();
        if (!isBusy[i] && !isBusy[to])
        {
            flows.push_back(MakeFlow(hosts[i], hosts[to], options, uniform));
        }
    }
    return flows;
}

/**
 * @brief Give a network CSIG.
 * @param fabric the network, with its addresses assigned
 * @param scheme the scheme, which may be an estimator
 * @param signals what hosts ask for
 * @param tagsUdp whether datagrams are tagged
 * @param options the options
 */
void
InstallCsig(CsigFabric& fabric,
            const std::string& scheme,
            const std::string& signals,
            bool tagsUdp,
            const Options& options)
{
    CsigHelper& csig = fabric.csig;
    csig.SetDomainAttribute("ExpandedLocator",
                            StringValue("stage:2,orientation:2,device:7,port:5"));
    csig.SetAgentAttribute("Estimation",
                           StringValue(scheme == "ewma"  ? "Ewma"
                                       : scheme == "dre" ? "Discounting"
                                                         : "Interval"));
    csig.SetAgentAttribute("Interval", TimeValue(options.window));
    auto& hosts = csig.GetHostHelper();
    hosts.SetAttribute("Format", StringValue("Expanded"));
    hosts.SetAttribute("Signals", StringValue(signals));
    hosts.SetAttribute("TagUdp", BooleanValue(tagsUdp));
    csig.Install(fabric.network);
    fabric.ports = std::make_unique<CsigFabricPorts>(fabric.network);
}

/**
 * @brief Build a network.
 * @param fabric what to build
 * @param plan its plan
 * @param scenario the scenario
 * @param options the options
 */
void
Build(CsigFabric& fabric,
      const FabricPlan& plan,
      const std::string& scenario,
      const Options& options)
{
    FabricHelper& network = fabric.network;
    DctcpOptions dctcp;
    dctcp.useSack = scenario != "engineering"; // new weights move flows, whose ACKs may overtake
    // Room for the reflection in the header of a segment.
    dctcp.mtu = static_cast<uint16_t>(
        CsigHostHelper::GetSegmentSize(network.GetMtu(), CsigFormat::EXPANDED, false) + 40);
    ConfigureDctcp(dctcp);
    options.common.Configure(network);
    MultipathRoutingHelper routing;
    if (scenario == "engineering")
    {
        routing.SetSelector("ns3::aidc::WeightedSelector");
    }
    network.SetSwitchRouting(routing);
    network.Build(plan);
    SharedBufferSwitchHelper switches;
    switches.SetNClasses(1);
    switches.SetBufferAttribute("Size", StringValue(options.buffer));
    constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
    switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
    switches.SetQueueDiscAttribute(ALL, "Threshold", StringValue(options.marking));
    switches.Install(network.GetSwitches());
    network.AssignAddresses();
    network.AssignStreams(100);
}

/**
 * @brief Let a collector take the signals of all hosts.
 * @param collector the collector
 * @param fabric the network
 */
void
Collect(CsigCollector& collector, const CsigFabric& fabric)
{
    const FabricPlan& plan = fabric.network.GetFabric();
    for (const uint32_t host : plan.GetHosts())
    {
        collector.AddHost(fabric.network.GetNode(host));
        collector.SetGroup(plan.GetAddress(host), plan.GetNodeName(plan.GetLeaf(host)));
    }
    for (const auto& [locator, name] : fabric.ports->GetNames())
    {
        collector.SetPort(locator, name);
    }
}

/**
 * @brief Add what became of the flows, and of the packets.
 * @param outcome what to add it to
 * @param records the flows
 * @param network the network
 * @param elapsed how long it took
 */
void
AddFlows(ExperimentOutcome& outcome,
         const std::vector<FlowRecord>& records,
         const FabricHelper& network,
         Time elapsed)
{
    uint64_t delivered = 0;
    for (const auto& record : records)
    {
        delivered += record.receivedBytes;
    }
    outcome.records = records;
    outcome.Add("goodput", 8.0 * delivered / elapsed.GetSeconds(), "bit/s");
    const auto metrics = GetFctMetrics(records);
    outcome.metrics.insert(outcome.metrics.end(), metrics.begin(), metrics.end());
    const auto counts = network.GetPacketCounts();
    outcome.Add("dropped_packets", static_cast<double>(counts.dropped), "packet");
    outcome.Add("marked_packets", static_cast<double>(counts.marked), "packet");
    outcome.Add("packet_hops", static_cast<double>(counts.sent), "packet");
}

/**
 * @brief Write what a collector has of the first run.
 * @param run the run
 * @param collector the collector
 */
void
WriteCollected(const ExperimentRun& run, const CsigCollector& collector)
{
    if (run.isFirst)
    {
        collector.WriteHeatMap(run.GetSeriesPath("heat"));
        collector.WriteSummaries(run.GetSeriesPath("pairs"));
    }
}

/**
 * @brief Compare what tags report with the truth.
 * @param run the names of scenario and scheme
 * @param options the options
 * @return what the run has told
 */
ExperimentOutcome
RunAccuracy(const ExperimentRun& run, const Options& options)
{
    CsigFabric fabric;
    Build(fabric, MakeTree(options), run.scenario, options);
    InstallCsig(fabric, run.scheme, "min(ABW),min(ABW/C),max(PD)", false, options);
    const FabricPlan& plan = fabric.network.GetFabric();
    const auto flows = MakeMix(plan, 0.5, options);
    run.Announce(flows.size());
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(fabric.network, flows);
    CsigTruthMonitor truth(fabric.csig.GetDomain(), options.window, MicroSeconds(10));
    for (const uint32_t id : plan.GetSwitches())
    {
        for (uint32_t port = 0; port < plan.GetPorts(id).size(); ++port)
        {
            const uint64_t rate = plan.GetLinks()[plan.GetPorts(id)[port].link].rate;
            truth.AddPort(fabric.network.GetPort(id, port),
                          rate,
                          fabric.ports->GetLocators(id)[port]);
        }
    }
    for (const uint32_t host : plan.GetHosts())
    {
        truth.AddHost(fabric.network.GetNode(host));
    }
    CsigCollector collector(fabric.csig.GetDomain(), options.window);
    Collect(collector, fabric);
    if (run.isFirst)
    {
        truth.KeepSeries(100);
    }
    Simulator::Stop(MilliSeconds(200));
    Simulator::Run();
    if (run.isFirst)
    {
        truth.WriteSeries(run.GetSeriesPath("truth"));
    }

    ExperimentOutcome outcome;
    AddFlows(outcome, tcp.GetRecords(), fabric.network, GetEndOfFlows(tcp.GetRecords()));
    const std::vector<std::pair<std::string, CsigSignal>> signals{
        {"abw", CsigSignal::ABW},
        {"abw_ratio", CsigSignal::ABW_RATIO},
        {"delay", CsigSignal::HOP_DELAY}};
    std::ofstream file;
    if (run.isFirst)
    {
        file.open(std::filesystem::path(run.out) / "accuracy.csv", std::ios::app);
    }
    for (const auto& [name, signal] : signals)
    {
        const auto accuracy = truth.GetAccuracy(signal);
        const std::string unit = signal == CsigSignal::HOP_DELAY ? "s" : "1";
        outcome.Add(name + "_signals", static_cast<double>(accuracy.nSignals), "1");
        outcome.Add(name + "_error_mean", accuracy.errorMean, unit);
        outcome.Add(name + "_error_p99", accuracy.errorP99, unit);
        outcome.Add(name + "_bias", accuracy.bias, unit);
        outcome.Add(name + "_right_port", accuracy.rightPort, "1");
        outcome.Add(name + "_lag", accuracy.lag, "s");
        file << run.scheme << ',' << GetCsigName(signal) << ',' << accuracy.nSignals << ','
             << accuracy.errorMean << ',' << accuracy.errorP99 << ',' << accuracy.bias << ','
             << accuracy.rightPort << ',' << accuracy.lag << '\n';
    }
    WriteCollected(run, collector);
    return outcome;
}

/**
 * @brief Look for a degraded link.
 * @param run the names of scenario and scheme
 * @param options the options
 * @return what the run has told
 */
ExperimentOutcome
RunDegradedLink(const ExperimentRun& run, const Options& options)
{
    CsigFabric fabric;
    Build(fabric,
          MakeTree(options, SlowFirstUplinks(options, 1, SPEED / 4)),
          run.scenario,
          options);
    InstallCsig(fabric, run.scheme, "min(ABW),max(PD)", true, options);
    const FabricPlan& plan = fabric.network.GetFabric();
    std::vector<FlowSpec> flows;
    if (run.scheme == "loaded-mesh")
    {
        flows = MakeMix(plan, 0.3, options);
    }
    CsigMeshProber prober(fabric.csig.GetDomain());
    prober.Install(fabric.network, 20);
    run.Announce(flows.size());
    TcpFlowHelper tcp;
    tcp.Install(fabric.network, flows);
    const uint32_t leaf = plan.GetLeaves().front();
    const uint32_t uplink = GetFirstUplink(plan, leaf);
    prober.Watch(fabric.ports->GetLocatorsOfLink(plan.GetPorts(leaf)[uplink].link),
                 MicroSeconds(20));
    Simulator::Stop(options.duration);
    Simulator::Run();

    ExperimentOutcome outcome;
    AddFlows(outcome, tcp.GetRecords(), fabric.network, GetEndOfFlows(tcp.GetRecords()));
    const double capacity = static_cast<double>(SPEED * plan.GetHosts().size());
    outcome.Add("probes_share",
                8.0 * prober.GetSentBytes() / options.duration.GetSeconds() / capacity,
                "1");
    outcome.Add("signals", static_cast<double>(prober.GetNSignals()), "1");
    outcome.Add("rank", prober.GetRank(CsigSignal::ABW), "1");
    outcome.Add("margin", prober.GetMargin(CsigSignal::ABW), "1");
    outcome.Add("detection_time", prober.GetDetectionTime(CsigSignal::ABW), "s");
    outcome.Add("rank_by_delay", prober.GetRank(CsigSignal::HOP_DELAY), "1");
    outcome.Add("margin_by_delay", prober.GetMargin(CsigSignal::HOP_DELAY), "1");
    outcome.Add("detection_time_by_delay", prober.GetDetectionTime(CsigSignal::HOP_DELAY), "s");
    if (run.isFirst)
    {
        prober.WriteRanking(run.GetSeriesPath("ranking"), fabric.ports->GetNames());
    }
    return outcome;
}

/**
 * @brief Send at constant rates, and let flows change their paths.
 * @param run the names of scenario and scheme
 * @param options the options
 * @return what the run has told
 */
ExperimentOutcome
RunBalancing(const ExperimentRun& run, const Options& options)
{
    CsigFabric fabric;
    Build(fabric, MakeTree(options), run.scenario, options);
    InstallCsig(fabric, run.scheme, "min(ABW)", true, options);
    const FabricPlan& plan = fabric.network.GetFabric();
    const std::size_t nIncast = run.scenario == "incast" ? plan.GetNPods() - 1 : 0;
    const auto flows = MakeCounterparts(plan, options, nIncast);
    run.Announce(flows.size());
    CsigUdpFlowOptions udp;
    udp.rate = options.rate;
    udp.balances = run.scheme != "hash";
    udp.policy.threshold = options.threshold.GetBitRate();
    udp.policy.pause = 2 * options.window.GetNanoSeconds();
    udp.policy.leafStage = static_cast<uint32_t>(FabricTier::LEAF);
    udp.policy.sparesLastHop = run.scheme == "csig-balancer";
    CsigUdpFlowHelper sent;
    sent.Install(fabric.network, fabric.csig.GetDomain(), flows, udp);
    sent.StopWhenDone();
    CsigCollector collector(fabric.csig.GetDomain(), options.window);
    Collect(collector, fabric);
    Simulator::Stop(MilliSeconds(200));
    Simulator::Run();

    ExperimentOutcome outcome;
    const auto records = sent.GetRecords();
    AddFlows(outcome, records, fabric.network, GetEndOfFlows(records));
    double incast = 0;
    double others = 0;
    uint64_t incastRehashes = 0;
    for (std::size_t i = 0; i < records.size(); ++i)
    {
        (i < nIncast ? incast : others) += records[i].slowdown;
        incastRehashes += i < nIncast ? sent.GetNRehashesOf(i) : 0;
    }
    outcome.Add("rehashes", static_cast<double>(sent.GetNRehashes()), "1");
    outcome.Add("incast_rehashes", static_cast<double>(incastRehashes), "1");
    outcome.Add("last_hop_signals", static_cast<double>(sent.GetNLastHop()), "1");
    outcome.Add("incast_slowdown_mean", incast / static_cast<double>(nIncast), "1");
    outcome.Add("others_slowdown_mean",
                others / static_cast<double>(records.size() - nIncast),
                "1");
    WriteCollected(run, collector);
    return outcome;
}

/**
 * @brief Weight the uplinks of switches.
 * @param run the names of scenario and scheme
 * @param options the options
 * @return what the run has told
 */
ExperimentOutcome
RunEngineering(const ExperimentRun& run, const Options& options)
{
    CsigFabric fabric;
    Build(fabric,
          MakeTree(options, SlowFirstUplinks(options, SIZE_MAX, 40'000'000'000)),
          run.scenario,
          options);
    InstallCsig(fabric, run.scheme, "min(ABW/C)", false, options);
    const FabricPlan& plan = fabric.network.GetFabric();
    const auto flows = MakeMix(plan, 0.5, options);
    run.Announce(flows.size());
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(fabric.network, flows);
    ReorderMonitor reordering;
    reordering.Add(fabric.network.GetHosts());
    CsigPathEngineer engineer(fabric.csig.GetDomain(), options.period);
    for (const uint32_t id : plan.GetSwitches())
    {
        engineer.AddSwitch(fabric.network, id, fabric.ports->GetLocators(id));
    }
    CsigCollector collector(fabric.csig.GetDomain(), options.window);
    Collect(collector, fabric);
    if (run.scheme == "csig-weights")
    {
        for (const uint32_t host : plan.GetHosts())
        {
            engineer.AddHost(fabric.network.GetNode(host));
        }
        engineer.Start();
    }
    Simulator::Stop(MilliSeconds(200));
    Simulator::Run();
    engineer.Stop();

    ExperimentOutcome outcome;
    AddFlows(outcome, tcp.GetRecords(), fabric.network, GetEndOfFlows(tcp.GetRecords()));
    outcome.Add("reordered_packets",
                static_cast<double>(reordering.GetReorderedPackets()),
                "packet");
    outcome.Add("weight_updates", static_cast<double>(engineer.GetNUpdates()), "1");
    std::ofstream file;
    if (run.isFirst)
    {
        file = OpenResult(run.out,
                          "weights-" + run.scenario + "-" + run.scheme + ".csv",
                          "port,rate_bps,weight");
    }
    double slow = 0;
    for (const uint32_t leaf : plan.GetLeaves())
    {
        const auto& ports = plan.GetPorts(leaf);
        for (uint32_t port = GetFirstUplink(plan, leaf); port < ports.size(); ++port)
        {
            const uint64_t rate = plan.GetLinks()[ports[port].link].rate;
            const double weight = engineer.GetWeight(fabric.ports->GetLocators(leaf)[port]);
            slow += rate < SPEED ? weight : 0;
            file << plan.GetPortName(leaf, port) << ',' << rate << ',' << weight << '\n';
        }
    }
    outcome.Add("slow_weight", slow / static_cast<double>(plan.GetLeaves().size()), "1");
    WriteCollected(run, collector);
    return outcome;
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
    auto outcome = run.scenario == "accuracy"        ? RunAccuracy(run, options)
                   : run.scenario == "degraded-link" ? RunDegradedLink(run, options)
                   : run.scenario == "engineering"   ? RunEngineering(run, options)
                                                     : RunBalancing(run, options);
    for (const auto& name : TOTALS)
    {
        const bool isThere = std::any_of(outcome.metrics.begin(),
                                         outcome.metrics.end(),
                                         [&](const auto& metric) { return metric.name == name; });
        if (!isThere)
        {
            const bool isTime = name == "abw_lag" || name == "detection_time";
            outcome.Add(name, std::nan(""), isTime ? "s" : "1");
        }
    }
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
    CheckByteSize("marking", options.marking);
    CheckByteSize("size", options.size);
    CheckOption(options.window.IsStrictlyPositive(), "--window to be above 0");
    CheckOption(options.period.IsStrictlyPositive(), "--period to be above 0");
    CheckOption(options.duration.IsStrictlyPositive(), "--duration to be above 0");
    CheckOption(options.rate.GetBitRate() > 0, "--rate to be above 0");
    CheckOption(options.common.devices == "ethernet",
                "--devices=ethernet, whose frames can have tags");
    CheckOption(options.common.ranks == 1, "--ranks=1, as this experiment is not parallel");
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
    plan.name = "csig-fabric";
    plan.command = command;
    plan.figures = "csig-fabric.gp";
    plan.scenarios = SplitNames("scenarios", options.scenarios, SCENARIOS);
    plan.schemes = SplitNames("schemes", options.schemes, SCHEMES);
    plan.schemesOf = SCHEMES_OF;
    plan.totals = TOTALS;
    plan.columns = TOTALS;
    plan.hasFlowFiles = true;
    const MpiRanks ranks(options.common.ranks);
    ExperimentRunner runner(plan, options.common, ranks);
    auto& summary = runner.GetSummary();
    summary.SetParameter("flow-sizes", options.flowSizes);
    summary.SetParameter("buffer", QueueSize(options.buffer).GetValue(), "byte");
    summary.SetParameter("marking", QueueSize(options.marking).GetValue(), "byte");
    summary.SetParameter("window", options.window.GetSeconds(), "s");
    summary.SetParameter("period", options.period.GetSeconds(), "s");
    summary.SetParameter("duration", options.duration.GetSeconds(), "s");
    summary.SetParameter("rate", static_cast<double>(options.rate.GetBitRate()), "bit/s");
    summary.SetParameter("size", QueueSize(options.size).GetValue(), "byte");
    summary.SetParameter("threshold", static_cast<double>(options.threshold.GetBitRate()), "bit/s");
    std::filesystem::create_directories(options.common.out);
    OpenResult(options.common.out,
               "accuracy.csv",
               "scheme,signal,signals,error_mean,error_p99,bias,right_port,lag_s");
    runner.Run([&](const ExperimentRun& run) { return RunOnce(run, options); });
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage("What CSIG reports of a fat-tree under load against what is true, and what its users "
              "make of it: a mesh of probes, path load balancing, traffic engineering.");
    cmd.AddValue("scenarios",
                 "scenarios to run: accuracy, degraded-link, hot-spot, incast, engineering",
                 options.scenarios);
    cmd.AddValue("schemes",
                 "schemes to run, where they make sense: interval, ewma, dre; idle-mesh, "
                 "loaded-mesh; hash, csig-blind, csig-balancer; equal, csig-weights",
                 options.schemes);
    cmd.AddValue("flow-sizes", "flow-size file", options.flowSizes);
    cmd.AddValue("buffer", "size of a switch's shared buffer, such as 12MB", options.buffer);
    cmd.AddValue("marking", "ECN marking threshold, such as 200kB", options.marking);
    cmd.AddValue("window",
                 "what available bandwidth is measured over: the truth, the estimation of schemes "
                 "other than ewma and dre, and series",
                 options.window);
    cmd.AddValue("period", "how often csig-weights sets new weights", options.period);
    cmd.AddValue("duration",
                 "how long flows arrive and probes are sent; a quarter of it with --small",
                 options.duration);
    cmd.AddValue("rate",
                 "rate of the flows of hot-spot and incast; half as much again with --small, where "
                 "fewer share a leaf",
                 options.rate);
    cmd.AddValue("size",
                 "size of the flows of hot-spot and incast, such as 20MB; a quarter of it with "
                 "--small",
                 options.size);
    cmd.AddValue("threshold",
                 "less available bandwidth is congestion to flows that change their path",
                 options.threshold);
    options.common.out = "results/csig-fabric";
    options.common.AddTo(cmd, "processes of a parallel simulation; this experiment has 1");
    cmd.Parse(argc, argv);
    return RunProgram("aidc-csig-fabric", [&] {
        CheckOptions(options);
        if (options.common.small)
        {
            options.duration = options.duration / 4;
            options.rate = DataRate(options.rate.GetBitRate() / 2 * 3);
            options.size = std::to_string(QueueSize(options.size).GetValue() / 4) + "B";
        }
        RunAll(options, JoinCommand("aidc-csig-fabric", argc, argv));
    });
}
