/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment Many senders to one receiver, with any transport and any marking
 *
 * The question: several hosts answer one host at the same time, as storage servers do, or the ranks
 * of an all-to-all. One port of the switch has to take what all of them send. What is dropped,
 * marked or paused, how long do the flows take, and does each of them get its share?
 *
 *     sender 0 ----\
 *     sender 1 -----+
 *        ...        +--- switch ----- receiver      all links: 100 Gb/s, 1 us
 *     sender n-1 --/     (12 MB)
 *
 * What is known: with loss, the last flows wait for timeouts, and goodput collapses (Phanishayee et
 * al., FAST 2008); marks keep the queue short until even the smallest windows of all senders are
 * more than it holds (DCTCP, RFC 8257, section 5; DCQCN, Zhu et al., SIGCOMM 2015, section 6).
 *
 * Scenarios: incast is this network; in remote, on demand, the senders are at another leaf, two
 * hops away, so that pauses spread over a spine. The schemes are how switches mark: off never does,
 * static from --marking on, red within the band from --kmin to --kmax, coupled from an offset below
 * the dynamic threshold of the shared buffer on. --transport chooses who sends: DCTCP, or DCQCN,
 * Swift, HPCC or TIMELY over RoCEv2, all but Swift over priority flow control unless
 * --lossless=off. Marks mean nothing to the last three. With HPCC, switches write in-band
 * telemetry.
 *
 * It prints one row per scheme: goodput, drops, marks, completion times, fairness, the longest
 * queue, and with a lossless class the pauses. fairness is Jain's index of the rates of the flows,
 * their sizes over their completion times: 1 if all are equal, 1/n if one of n flows has it all.
 * delivered_bytes is degree times size if all flows are done. queue-SCENARIO-SCHEME.csv has the
 * queue of the receiver's port, and flows-SCENARIO-SCHEME.csv each flow.
 *
 * Goodput is sensitive to --buffer, which decides whether there is loss, and to --degree:
 *
 *     ./aidc sweep incast --vary degree=2,4,8,16,32 --seeds 5
 */

#include "incast.h"

#include "ns3/clos-fabric.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-recorder.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::aidc
{

namespace
{

/// Get Jain's index of the rates of flows.
/// @param records the flows
/// @return the index, from 1 over the number of flows to 1; NaN if a flow is not done
double
GetFairness(const std::vector<FlowRecord>& records)
{
    double sum = 0;
    double squares = 0;
    for (const auto& record : records)
    {
        if (!record.isDone)
        {
            return std::nan("");
        }
        const double rate = static_cast<double>(record.spec.bytes) / record.fct.GetSeconds();
        sum += rate;
        squares += rate * rate;
    }
    return sum * sum / (static_cast<double>(records.size()) * squares);
}

} // namespace

FabricPlan
IncastExperiment::MakeNetwork(const std::string& scenario) const
{
    if (scenario == "remote")
    {
        LeafSpineSettings settings;
        settings.leaves = 2;
        settings.spines = 1;
        settings.hostsPerLeaf = m_degree;
        settings.hostRate = m_rate.GetBitRate();
        settings.overSubscription = 1; // all senders have room up to the receiver's leaf
        settings.hostDelay = m_delay.GetNanoSeconds();
        settings.leafSpineDelay = m_delay.GetNanoSeconds();
        return MakeLeafSpine(settings);
    }
    FabricPlan fabric("incast");
    const auto tor = fabric.AddNode(FabricTier::LEAF, 0, 0);
    for (uint32_t i = 0; i <= m_degree; ++i)
    {
        const auto host = fabric.AddNode(FabricTier::HOST, 0, i);
        fabric.AddLink(tor, host, m_rate.GetBitRate(), m_delay.GetNanoSeconds());
    }
    fabric.Finish();
    return fabric;
}

std::vector<FlowSpec>
IncastExperiment::MakeFlows(const FabricPlan& fabric) const
{
    auto jitter = CreateObject<UniformRandomVariable>();
    jitter->SetStream(1);
    const auto& hosts = fabric.GetHosts();
    std::vector<FlowSpec> flows;
    for (std::size_t i = hosts.size() - m_degree; i < hosts.size(); ++i)
    {
        FlowSpec flow;
        flow.source = hosts[i];
        flow.destination = hosts.front();
        flow.bytes = m_bytes;
        flow.start = NanoSeconds(static_cast<int64_t>(
            jitter->GetValue(0, static_cast<double>(m_jitter.GetNanoSeconds()))));
        flows.push_back(flow);
    }
    return flows;
}

SharedBufferSwitchHelper
IncastExperiment::MakeSwitches(const std::string& scheme) const
{
    if (scheme == "coupled")
    {
        return m_switch.MakeCoupled();
    }
    if (scheme == "red")
    {
        return m_switch.MakeRed();
    }
    auto options = m_switch;
    if (scheme == "off")
    {
        options.marking = std::numeric_limits<uint32_t>::max(); // no queue is that long
    }
    return options.MakeStatic();
}

ExperimentOutcome
IncastExperiment::MakeRun(const ExperimentRun& run) const
{
    // The network, in the order in which one builds it
    const FabricPlan fabric = MakeNetwork(run.scenario);
    ExperimentTransport transport(m_transport);
    FabricHelper network;
    GetOptions().Configure(network);
    transport.Configure(network);
    network.Build(fabric);
    transport.InstallSwitches(MakeSwitches(run.scheme), network);
    network.AssignAddresses();
    network.AssignStreams(100);
    transport.InstallHosts(network);

    // Its traffic
    const auto flows = MakeFlows(fabric);
    run.Announce(flows.size());
    transport.InstallFlows(network, flows, "", m_limit);

    // What is watched: the queue of the port that leads to the receiver
    const auto queue = transport.GetDataQueue(network.GetSwitchPort(fabric.GetHosts().front()));
    EcnQueueMonitor monitor(MicroSeconds(1));
    monitor.Add(queue);
    if (run.isFirst)
    {
        monitor.WriteSeries(queue, run.GetSeriesPath("queue"));
    }
    monitor.Start();
    FabricRecorder recorder(MicroSeconds(1));
    recorder.Add(network);
    run.Start(recorder);

    run.Follow(m_limit, [&transport] { return transport.GetFlows().GetShareDone(); });
    Simulator::Stop(m_limit);
    Simulator::Run();
    monitor.Stop();
    run.Write(recorder);

    // What has come of it
    ExperimentOutcome outcome;
    transport.GetFlows().Gather();
    outcome.records = transport.GetFlows().GetRecords();
    const double elapsed = GetEndOfFlows(outcome.records).GetSeconds();
    const auto delivered = static_cast<double>(transport.GetFlows().GetDeliveredBytes());
    outcome.Add("goodput", 8 * delivered / elapsed, "bit/s");
    outcome.Add("delivered_bytes", delivered, "byte");
    outcome.Add("completion_time", transport.GetFlows().IsDone() ? elapsed : std::nan(""), "s");
    outcome.Add(GetFctMetrics(outcome.records));
    outcome.Add("fairness", GetFairness(outcome.records), "1");
    const auto counts = network.GetPacketCounts();
    outcome.Add("dropped_packets", static_cast<double>(counts.dropped), "packet");
    outcome.Add("marked_packets", static_cast<double>(counts.marked), "packet");
    outcome.Add("packet_hops", static_cast<double>(counts.sent), "packet");
    outcome.Add("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte");
    outcome.Add("queue_max", monitor.GetMaxOccupancy(), "byte");
    outcome.Add(transport.GetMetrics(network));
    Simulator::Destroy();
    return outcome;
}

// What a user may set

IncastExperiment::IncastExperiment()
    : ExperimentBase("incast",
                     "Many senders to one receiver at one switch: what is dropped, marked or "
                     "paused, how long flows take, and how fairly they share the link.",
                     {true, true})
{
    auto& plan = GetPlan();
    plan.scenarios = {"incast"};
    const std::vector<std::string> scenarios{"incast", "remote"};
    plan.schemes = {"off", "static", "red", "coupled"};
    m_switch.alpha = 8;

    auto& parameters = GetParameters();
    parameters.AddNames("scenarios",
                        "scenarios to run: " + JoinWords(scenarios, ", "),
                        scenarios,
                        plan.scenarios);
    parameters
        .AddNames("schemes",
                  "how the switch marks: " + JoinWords(plan.schemes, ", "),
                  plan.schemes,
                  plan.schemes)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode"});
    parameters.AddCount("degree", "senders, from 1 to 1000", m_degree).InSmall("16");
    parameters.AddBytes("size", "bytes that each sender sends", m_bytes).InSmall("200kB");
    parameters.AddRate("rate", "rate of all links", m_rate);
    parameters.AddTime("delay", "delay of all links", m_delay);
    parameters.AddTime("jitter",
                       "each sender starts at a random time within this period",
                       m_jitter,
                       true);
    parameters.AddTime("limit", "latest end of a run", m_limit);
    m_switch.AddBufferTo(parameters);
    m_switch.AddStaticMarkingTo(parameters);
    parameters.Get("marking").UseIf([&plan] { return plan.HasScheme({"static"}); },
                                    "--schemes=static");
    m_switch.AddRedTo(parameters, plan);
    m_switch.AddCoupledMarkingTo(parameters, plan);
    m_transport.AddTo(parameters);
}

void
IncastExperiment::Prepare(ExperimentPlan& plan)
{
    m_transport.Prepare(GetOptions());
    CheckOption(m_degree >= 1 && m_degree <= 1000,
                "--degree from 1 to 1000, found " + std::to_string(m_degree));
    CheckOption(m_switch.kmin <= m_switch.kmax, "--kmin up to --kmax");
    for (const auto& scenario : plan.scenarios)
    {
        m_transport.CheckLinks(MakeNetwork(scenario));
    }
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::IncastExperiment().Main(argc, argv);
}
