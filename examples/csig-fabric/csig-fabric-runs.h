// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_CSIG_FABRIC_RUNS_H
#define AIDC_CSIG_FABRIC_RUNS_H

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-collector.h"
#include "ns3/csig-fabric-ports.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-mesh-prober.h"
#include "ns3/csig-path-engineer.h"
#include "ns3/csig-truth-monitor.h"
#include "ns3/csig-udp-flow-helper.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-records.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/graph-fabric.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/reorder-monitor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/user-default.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// @file
/// The networks of CsigFabricExperiment with their flows, and its runs, by scenario. Each run
/// builds its network, simulates and measures; it leaves Simulator::Destroy() to its caller.

namespace ns3::aidc
{

/// What a user may set of CsigFabricExperiment.
struct CsigFabricSettings
{
    /// The speed of all links that are not slower, in bit/s
    static constexpr uint64_t SPEED = 100'000'000'000;

    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    ExperimentSwitchOptions switches;                         //!< the switches
    ExperimentTransportOptions transport;                     //!< what carries the flows
    Time window{MicroSeconds(100)};                           //!< of the truth and of estimators
    Time period{MicroSeconds(200)};                           //!< of new weights
    Time duration{MilliSeconds(2)};                           //!< while flows arrive
    DataRate rate{"40Gbps"};                                  //!< of flows at a constant rate
    uint32_t size{20000000};                                  //!< of these flows, in bytes
    DataRate threshold{"10Gbps"};                             //!< less is congestion
    double others{0.5};                                       //!< spines and cores without CSIG
    Time softwareInterval{MilliSeconds(1)};                   //!< of agents in software
    bool isSmall{false};                                      //!< whether it is to take seconds
};

/// A network with CSIG, and its flows.
struct CsigFabricNetwork
{
    const CsigFabricSettings& settings;       //!< what the user has set
    FabricHelper network{};                   //!< the network
    CsigHelper csig{};                        //!< its CSIG
    std::unique_ptr<CsigFabricPorts> ports{}; //!< LM of its ports

    /// Make the plan of a fat-tree, in which the first uplinks of at most nSlow leaves have a rate.
    FabricPlan MakePlan(std::size_t nSlow = 0, uint64_t rate = 0) const
    {
        const FabricPlan tree =
            MakeFatTree(settings.isSmall ? 4 : 8, CsigFabricSettings::SPEED, 1000);
        auto links = tree.GetLinks();
        const auto& leaves = tree.GetLeaves();
        for (std::size_t i = 0; i < leaves.size() && i < nSlow; ++i)
        {
            const PortIndex uplink = tree.GetUplinks(leaves[i]).front();
            links[tree.GetPorts(leaves[i])[uplink].link].rate = rate;
        }
        return CopyFabric(tree, links);
    }

    /// Build the network, without CSIG. @param plan its plan @param scenario the scenario
    void Build(const FabricPlan& plan, const std::string& scenario)
    {
        DctcpSettings dctcp;
        dctcp.useSack =
            scenario != "engineering"; // new weights move flows, whose ACKs may overtake
        // Room for the reflection in the header of a segment.
        dctcp.mtu = static_cast<uint16_t>(
            CsigHostHelper::GetSegmentSize(network.GetMtu(), CsigFormat::EXPANDED, false) + 40);
        ConfigureDctcp(dctcp);
        MultipathRoutingHelper routing;
        if (scenario == "engineering")
        {
            routing.SetSelector("ns3::aidc::WeightedSelector");
        }
        network.SetSwitchRouting(routing);
        network.Build(plan);
        settings.switches.Make("static").Install(network.GetSwitches());
        network.AssignAddresses();
        network.AssignStreams(100);
    }

    /// Set what all hosts and switches have, before CSIG is installed. scheme: may be an estimator;
    /// signals: what hosts ask for; tagsUdp: whether datagrams are tagged.
    void ConfigureCsig(const std::string& scheme, const std::string& signals, bool tagsUdp)
    {
        if (!HasUserDefault("ns3::aidc::CsigPort::Trusted"))
        {
            csig.SetPortAttribute("Trusted", BooleanValue(true));
        }
        if (!HasUserDefault("ns3::aidc::CsigDomain::ExpandedLocator"))
        {
            csig.SetDomainAttribute("ExpandedLocator",
                                    StringValue("stage:2,orientation:2,device:7,port:5"));
        }
        csig.SetAgentAttribute("Estimation",
                               StringValue(scheme == "ewma"  ? "Ewma"
                                           : scheme == "dre" ? "Discounting"
                                                             : "Interval"));
        csig.SetAgentAttribute("Interval", TimeValue(settings.window));
        auto& hosts = csig.GetHostHelper();
        if (!HasUserDefault("ns3::aidc::CsigHost::Format"))
        {
            hosts.SetAttribute("Format", StringValue("Expanded"));
        }
        hosts.SetAttribute("Signals", StringValue(signals));
        hosts.SetAttribute("TagUdp", BooleanValue(tagsUdp));
    }

    /// Give the network CSIG, as ConfigureCsig() sets it.
    void InstallCsig(const std::string& scheme, const std::string& signals, bool tagsUdp)
    {
        ConfigureCsig(scheme, signals, tagsUdp);
        csig.Install(network);
        ports = std::make_unique<CsigFabricPorts>(network);
    }

    /// Let a collector take the signals of all hosts. @param[in,out] collector the collector
    void Collect(CsigCollector& collector) const
    {
        const FabricPlan& plan = network.GetFabric();
        for (const NodeIndex host : plan.GetHosts())
        {
            collector.AddHost(network.GetNode(host));
            collector.SetGroup(plan.GetAddress(host), plan.GetNodeName(plan.GetLeaf(host)));
        }
        for (const auto format : {CsigFormat::COMPACT, CsigFormat::EXPANDED})
        {
            for (const auto& [locator, name] : ports->GetNames(format))
            {
                collector.SetPort(locator, name, format);
            }
        }
    }

    /// Make flows that arrive at random. load: the share of the hosts' rate.
    std::vector<FlowSpec> MakeMix(double load) const
    {
        const auto sizes = FlowSizeDistribution::Read(FindDataFile(settings.flowSizes));
        PoissonFlowGenerator generator(network.GetFabric().GetHosts(), sizes);
        generator.SetHostRate(DataRate(CsigFabricSettings::SPEED));
        generator.SetLoad(load);
        generator.SetDuration(settings.duration);
        generator.AssignStreams(1);
        return generator.Generate();
    }

    /// Install flows of MakeMix() by TCP, and stop when they are done.
    void InstallMix(const ExperimentRun& run, double load, TcpFlowHelper& tcp) const
    {
        const auto flows = MakeMix(load);
        run.Announce(flows.size());
        tcp.StopWhenDone();
        tcp.Install(network, flows);
    }

    /// Make flows from each host to its counterpart in the next pod; but nIncast hosts of others,
    /// whose flows come first, send to the first host.
    std::vector<FlowSpec> MakeCounterparts(std::size_t nIncast) const
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(10);
        const auto& hosts = network.GetFabric().GetHosts();
        const std::size_t perPod = hosts.size() / network.GetFabric().GetNPods();
        std::vector<FlowSpec> flows;
        const auto add = [&](std::size_t from, std::size_t to) {
            const Time start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
            flows.push_back({hosts[from], hosts[to], 0, 0, settings.size, start});
        };
        std::vector<bool> isBusy(hosts.size());
        isBusy[0] = nIncast > 0;
        for (std::size_t i = 0; i < nIncast; ++i)
        {
            // Spread over the other pods and their leaves.
            const std::size_t sender = perPod + i * (hosts.size() - perPod) / nIncast;
            isBusy[sender] = true;
            add(sender, 0);
        }
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            const std::size_t to = (i + perPod) % hosts.size();
            if (!isBusy[i] && !isBusy[to])
            {
                add(i, to);
            }
        }
        return flows;
    }
};

/// Simulate a run until its flows are done, for 200 ms at most. Flows: FlowRecordsHelper, or one
/// derived from it.
template <typename Flows>
std::vector<FlowRecord>
SimulateCsigFabric(const ExperimentRun& run, const CsigFabricNetwork& fabric, Flows& flows)
{
    const Time limit = MilliSeconds(200);
    FabricRecorder recorder(MicroSeconds(10));
    recorder.Add(fabric.network);
    recorder.AddBottlenecks(fabric.csig);
    run.Start(recorder);
    run.Follow(limit, [&flows] { return flows.GetShareDone(); });
    Simulator::Stop(limit);
    Simulator::Run();
    run.Write(recorder);
    flows.Gather();
    return flows.GetRecords();
}

namespace
{

/// Add the outcome of the flows and of the packets.
void
AddFlows(ExperimentOutcome& outcome,
         const std::vector<FlowRecord>& records,
         const FabricHelper& network)
{
    uint64_t delivered = 0;
    for (const auto& record : records)
    {
        delivered += record.receivedBytes;
    }
    outcome.records = records;
    outcome.Add("goodput", 8.0 * delivered / GetEndOfFlows(records).GetSeconds(), "bit/s");
    outcome.Add(GetFctMetrics(records));
    outcome.Add(GetPacketMetrics(network.GetPacketCounts()));
}

/// Write what a collector has of the first run. @param run the run @param collector the collector
void
WriteCollected(const ExperimentRun& run, const CsigCollector& collector)
{
    if (run.isFirst)
    {
        collector.WriteHeatMap(run.GetSeriesPath("heat"));
        collector.WriteSummaries(run.GetSeriesPath("pairs"));
    }
}

} // namespace

/// Compare what tags report with the truth.
inline ExperimentOutcome
RunCsigFabricAccuracy(CsigFabricNetwork& fabric, const ExperimentRun& run)
{
    const auto& settings = fabric.settings;
    fabric.Build(fabric.MakePlan(), run.scenario);
    fabric.InstallCsig(run.scheme, "min(ABW),min(ABW/C),max(PD)", false);
    TcpFlowHelper tcp;
    fabric.InstallMix(run, 0.5, tcp);
    CsigTruthMonitor truth(fabric.csig.GetDomain(), settings.window, MicroSeconds(10));
    truth.AddFabric(fabric.network);
    CsigCollector collector(fabric.csig.GetDomain(), settings.window);
    fabric.Collect(collector);
    if (run.isFirst)
    {
        truth.KeepSeries(100);
    }
    const auto records = SimulateCsigFabric(run, fabric, tcp);
    if (run.isFirst)
    {
        truth.WriteSeries(run.GetSeriesPath("truth"));
    }

    ExperimentOutcome outcome;
    AddFlows(outcome, records, fabric.network);
    const std::vector<std::pair<std::string, CsigSignal>> signals{
        {"abw", CsigSignal::ABW},
        {"abw_ratio", CsigSignal::ABW_RATIO},
        {"delay", CsigSignal::HOP_DELAY}};
    for (const auto& [name, signal] : signals)
    {
        const auto accuracy = truth.GetAccuracy(signal);
        const std::string unit = signal == CsigSignal::HOP_DELAY ? "s" : "1";
        outcome.Add(name + "_signals", accuracy.nSignals, "1");
        outcome.Add(name + "_error_mean", accuracy.errorMean, unit);
        outcome.Add(name + "_error_p99", accuracy.errorP99, unit);
        outcome.Add(name + "_bias", accuracy.bias, unit);
        outcome.Add(name + "_right_port", accuracy.rightPort, "1");
        outcome.Add(name + "_lag", accuracy.lag, "s");
        if (run.isFirst)
        {
            std::ostringstream line;
            line << run.scheme << ',' << GetCsigName(signal) << ',' << accuracy.nSignals << ','
                 << accuracy.errorMean << ',' << accuracy.errorP99 << ',' << accuracy.bias << ','
                 << accuracy.rightPort << ',' << accuracy.lag;
            outcome.lines.push_back(
                {"accuracy.csv",
                 "scheme,signal,signals,error_mean,error_p99,bias,right_port,lag_s",
                 line.str()});
        }
    }
    WriteCollected(run, collector);
    return outcome;
}

/// Look for a degraded link.
inline ExperimentOutcome
RunCsigFabricDegradedLink(CsigFabricNetwork& fabric, const ExperimentRun& run)
{
    const auto& settings = fabric.settings;
    fabric.Build(fabric.MakePlan(1, CsigFabricSettings::SPEED / 4), run.scenario);
    fabric.InstallCsig(run.scheme, "min(ABW),max(PD)", true);
    const FabricPlan& plan = fabric.network.GetFabric();
    std::vector<FlowSpec> flows;
    if (run.scheme == "loaded-mesh")
    {
        flows = fabric.MakeMix(0.3);
    }
    CsigMeshProber prober(fabric.csig.GetDomain());
    prober.Install(fabric.network, 20);
    run.Announce(flows.size());
    TcpFlowHelper tcp;
    tcp.Install(fabric.network, flows);
    const NodeIndex leaf = plan.GetLeaves().front();
    const PortIndex uplink = plan.GetUplinks(leaf).at(0);
    prober.Watch(fabric.ports->GetLocatorsOfLink(plan.GetPorts(leaf)[uplink].link),
                 MicroSeconds(20));
    run.Follow(settings.duration);
    Simulator::Stop(settings.duration);
    Simulator::Run();
    tcp.Gather();
    const auto records = tcp.GetRecords();

    ExperimentOutcome outcome;
    AddFlows(outcome, records, fabric.network);
    const double capacity = static_cast<double>(CsigFabricSettings::SPEED * plan.GetHosts().size());
    outcome.Add("probes_share",
                8.0 * prober.GetSentBytes() / settings.duration.GetSeconds() / capacity,
                "1");
    outcome.Add("signals", prober.GetNSignals(), "1");
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

/// Send at constant rates, and let flows change their paths.
inline ExperimentOutcome
RunCsigFabricBalancing(CsigFabricNetwork& fabric, const ExperimentRun& run)
{
    const auto& settings = fabric.settings;
    fabric.Build(fabric.MakePlan(), run.scenario);
    fabric.InstallCsig(run.scheme, "min(ABW)", true);
    const FabricPlan& plan = fabric.network.GetFabric();
    const std::size_t nIncast = run.scenario == "incast" ? plan.GetNPods() - 1 : 0;
    const auto flows = fabric.MakeCounterparts(nIncast);
    run.Announce(flows.size());
    CsigUdpFlowSettings udp;
    udp.rate = settings.rate;
    udp.balances = run.scheme != "hash";
    udp.policy.threshold = settings.threshold.GetBitRate();
    udp.policy.pause = 2 * settings.window.GetNanoSeconds();
    udp.policy.leafStage = static_cast<uint32_t>(FabricTier::LEAF);
    udp.policy.sparesLastHop = run.scheme == "csig-balancer";
    CsigUdpFlowHelper sent;
    sent.Install(fabric.network, fabric.csig.GetDomain(), flows, udp);
    sent.StopWhenDone();
    CsigCollector collector(fabric.csig.GetDomain(), settings.window);
    fabric.Collect(collector);
    const auto records = SimulateCsigFabric(run, fabric, sent);

    ExperimentOutcome outcome;
    AddFlows(outcome, records, fabric.network);
    double incast = 0;
    double others = 0;
    uint64_t incastRehashes = 0;
    for (std::size_t i = 0; i < records.size(); ++i)
    {
        (i < nIncast ? incast : others) += records[i].slowdown;
        incastRehashes += i < nIncast ? sent.GetNRehashesOf(i) : 0;
    }
    outcome.Add("rehashes", sent.GetNRehashes(), "1");
    outcome.Add("incast_rehashes", incastRehashes, "1");
    outcome.Add("last_hop_signals", sent.GetNLastHop(), "1");
    outcome.Add("incast_slowdown_mean", incast / static_cast<double>(nIncast), "1");
    outcome.Add("others_slowdown_mean",
                others / static_cast<double>(records.size() - nIncast),
                "1");
    WriteCollected(run, collector);
    return outcome;
}

/// Weight the uplinks of switches.
inline ExperimentOutcome
RunCsigFabricEngineering(CsigFabricNetwork& fabric, const ExperimentRun& run)
{
    const auto& settings = fabric.settings;
    fabric.Build(fabric.MakePlan(SIZE_MAX, 40'000'000'000), run.scenario);
    fabric.InstallCsig(run.scheme, "min(ABW/C)", false);
    const FabricPlan& plan = fabric.network.GetFabric();
    TcpFlowHelper tcp;
    fabric.InstallMix(run, 0.5, tcp);
    ReorderMonitor reordering;
    reordering.Add(fabric.network.GetHosts());
    CsigPathEngineer engineer(fabric.csig.GetDomain(), settings.period);
    for (const NodeIndex id : plan.GetSwitches())
    {
        engineer.AddSwitch(fabric.network, id, *fabric.ports);
    }
    CsigCollector collector(fabric.csig.GetDomain(), settings.window);
    fabric.Collect(collector);
    if (run.scheme == "csig-weights")
    {
        for (const NodeIndex host : plan.GetHosts())
        {
            engineer.AddHost(fabric.network.GetNode(host));
        }
        engineer.Start();
    }
    const auto records = SimulateCsigFabric(run, fabric, tcp);
    engineer.Stop();

    ExperimentOutcome outcome;
    AddFlows(outcome, records, fabric.network);
    outcome.Add("reordered_packets", reordering.GetReorderedPackets(), "packet");
    outcome.Add("weight_updates", engineer.GetNUpdates(), "1");
    ResultFile file;
    if (run.isFirst)
    {
        file = ResultFile(run.GetSeriesPath("weights"), "port,rate_bps,weight");
    }
    double slow = 0;
    for (const NodeIndex leaf : plan.GetLeaves())
    {
        const auto& ports = plan.GetPorts(leaf);
        for (const PortIndex port : plan.GetUplinks(leaf))
        {
            const uint64_t rate = plan.GetLinks()[ports[port].link].rate;
            const double weight = engineer.GetWeight(fabric.ports->GetLocators(leaf)[port]);
            slow += rate < CsigFabricSettings::SPEED ? weight : 0;
            file << plan.GetPortName(leaf, port) << ',' << rate << ',' << weight << '\n';
        }
    }
    outcome.Add("slow_weight", slow / static_cast<double>(plan.GetLeaves().size()), "1");
    WriteCollected(run, collector);
    return outcome;
}

/// Send over RoCEv2, by congestion controls that use the signals or do not.
inline ExperimentOutcome
RunCsigFabricSenders(CsigFabricNetwork& fabric, const ExperimentRun& run)
{
    const auto& settings = fabric.settings;
    auto& network = fabric.network;
    const bool hasJumpStart = run.scheme == "jump-start";
    const bool hasCsig = settings.transport.transport == "swift" && run.scheme != "round-trip";
    ExperimentTransport transport(settings.transport);
    if (hasCsig)
    {
        transport.GetControl().Set("GoverningDelay", StringValue("HopDelay"));
        transport.GetControl().Set("JumpStart", BooleanValue(hasJumpStart));
        const double window = run.scheme == "ten-packets" ? 10 : 0; // 0 for its default
        transport.GetControl().Set("InitialWindow", DoubleValue(window));
    }
    transport.Configure(network);
    transport.Build(network, fabric.MakePlan(), settings.switches.Make("static"));
    if (hasCsig)
    {
        const std::string signals = hasJumpStart ? "max(PD),min(ABW)" : "max(PD)";
        if (!HasUserDefault("ns3::aidc::CsigPathSignals::Format"))
        {
            fabric.csig.SetNicAttribute("Format", StringValue("Expanded"));
        }
        fabric.csig.SetNicAttribute("Signals", StringValue(signals));
        fabric.InstallCsig(run.scheme, signals, false);
    }
    const FabricPlan& plan = network.GetFabric();
    const auto flows = run.scenario == "senders-mix" ? fabric.MakeMix(0.5)
                                                     : fabric.MakeCounterparts(plan.GetNPods() - 1);
    run.Announce(flows.size());
    transport.InstallFlows(network, flows, "flows", MilliSeconds(200));
    EcnQueueMonitor queues(MicroSeconds(10));
    for (const NodeIndex id : plan.GetSwitches())
    {
        for (PortIndex port; network.IsLocal(id) && port < plan.GetPorts(id).GetEnd(); ++port)
        {
            for (const auto& queue : transport.GetDataQueues(network.GetPort(id, port)))
            {
                queues.Add(queue);
            }
        }
    }
    queues.Start();
    const auto records = SimulateCsigFabric(run, fabric, transport.GetFlows());
    queues.Stop();

    ExperimentOutcome outcome;
    AddFlows(outcome, records, network);
    outcome.Add("queue_p99", queues.GetOccupancyPercentile(0.99), "byte");
    outcome.Add("queue_max", queues.GetMaxOccupancy(), "byte");
    outcome.Add(transport.GetMetrics(network));
    return outcome;
}

} // namespace ns3::aidc

#endif // AIDC_CSIG_FABRIC_RUNS_H
