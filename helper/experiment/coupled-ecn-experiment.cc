/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coupled-ecn-experiment.h"

#include "experiment-data-file.h"

#include "ns3/ecn-queue-monitor.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ns3::aidc
{

CoupledEcnExperiment::CoupledEcnExperiment()
    : ExperimentBase("coupled-ecn",
                     "ECN marking coupled to the dynamic buffer threshold, against two static "
                     "thresholds, on a shared-buffer switch.",
                     {false, true})
{
    auto& plan = GetPlan();
    plan.figures = "coupled-ecn.gp";
    plan.scenarios = {"light", "incast", "incast-capped", "mix"};
    plan.schemes = {"static-low", "static-high", "coupled"};
    plan.totals = {"dropped_packets", "marked_packets"};
    plan.columns = {"goodput",
                    "dropped_packets",
                    "drops_before_first_mark",
                    "marked_packets",
                    "queue_p99",
                    "fct_mean",
                    "fct_p99",
                    "fct_slowdown_p99"};
    m_switch.alpha = 8;
    m_switch.cap = 250000;

    auto& parameters = GetParameters();
    parameters.AddNames("scenarios",
                        "scenarios to run: " + JoinWords(plan.scenarios, ", "),
                        plan.scenarios,
                        plan.scenarios);
    parameters.AddText("topology",
                       "topology file instead of the scenario's",
                       m_traffic.topology,
                       "default");
    parameters.AddText("flow-sizes", "flow-size file of scenario mix", m_traffic.flowSizes);
    parameters.AddText("flows",
                       "flow file; runs its flows instead of the scenarios",
                       m_traffic.flows,
                       "none");
    parameters.AddNumber(
        "load",
        "load of scenario mix, above 0 and at most 1",
        m_traffic.load,
        [](double load) { return load > 0 && load <= 1; },
        "above 0 and at most 1");
    m_switch.AddBufferTo(parameters, "static cap of a queue in incast-capped");
    m_switch.AddCoupledMarkingTo(parameters);
    m_transport.AddTo(parameters);
}

void
CoupledEcnExperiment::Prepare(ExperimentPlan& plan)
{
    m_transport.Prepare(GetOptions(), plan);
    if (m_transport.IsLossless())
    {
        // Beyond a cap packets are dropped, where a lossless class must not drop.
        auto& names = plan.scenarios;
        names.erase(std::remove(names.begin(), names.end(), "incast-capped"), names.end());
        CheckOption(!names.empty(), "--lossless=off with --scenarios=incast-capped");
    }
    if (!m_traffic.flows.empty())
    {
        plan.scenarios = {"file"};
    }
    if (std::find(plan.scenarios.begin(), plan.scenarios.end(), "mix") != plan.scenarios.end())
    {
        FlowSizeDistribution::Read(FindDataFile(m_traffic.flowSizes)); // not after minutes
    }
}

SharedBufferSwitchHelper
CoupledEcnExperiment::MakeSwitches(const std::string& scheme, bool isCapped) const
{
    auto options = m_switch;
    options.cap = isCapped ? m_switch.cap : 0;
    if (scheme == "coupled")
    {
        return options.MakeCoupled();
    }
    options.marking = scheme == "static-low" ? 200000 : 2000000;
    return options.MakeStatic();
}

ExperimentOutcome
CoupledEcnExperiment::MakeRun(const ExperimentRun& run, const MpiRanks&)
{
    const auto scenario = MakeCoupledEcnScenario(run.scenario, m_traffic, GetOptions().small);
    run.Announce(scenario.flows.size());
    ExperimentTransport transport(m_transport);
    FabricHelper network;
    GetOptions().Configure(network);
    transport.Configure(network);
    network.Build(scenario.topology.GetFabric());
    transport.InstallSwitches(MakeSwitches(run.scheme, scenario.isCapped), network);
    network.AssignAddresses();
    network.AssignStreams(100);
    transport.InstallHosts(network);
    transport.InstallFlows(network, scenario.flows, m_traffic.flows, scenario.limit);

    EcnQueueMonitor monitor(scenario.sampling);
    std::set<NodeIndex> receivers;
    for (const auto& flow : scenario.flows)
    {
        if (receivers.insert(flow.destination).second)
        {
            const auto ports = network.GetSwitchPorts(flow.destination);
            for (uint32_t i = 0; i < ports.GetN(); ++i)
            {
                for (const auto& queue : transport.GetDataQueues(ports.Get(i)))
                {
                    monitor.Add(queue);
                }
            }
        }
    }
    if (run.isFirst)
    {
        const auto port = network.GetSwitchPort(scenario.flows.front().destination);
        monitor.WriteSeries(transport.GetDataQueues(port).front(), run.GetSeriesPath("queue"));
    }
    monitor.Start();
    run.Follow(scenario.limit);
    Simulator::Stop(scenario.limit);
    Simulator::Run();
    monitor.Stop();

    ExperimentOutcome outcome;
    Time begin = scenario.limit;
    for (const auto& flow : scenario.flows)
    {
        begin = std::min(begin, flow.start);
    }
    const double elapsed = (GetEndOfFlows(transport.GetRecords()) - begin).GetSeconds();
    outcome.Add("goodput", 8.0 * transport.GetDeliveredBytes() / elapsed, "bit/s");
    outcome.Add("dropped_packets", monitor.GetDroppedPackets(), "packet");
    outcome.Add("marked_packets", monitor.GetMarkedPackets(), "packet");
    outcome.Add("packet_hops", static_cast<double>(network.GetPacketCounts().sent), "packet");
    outcome.Add("drops_before_first_mark", monitor.GetDropsBeforeFirstMark(), "packet");
    outcome.Add("headroom_at_first_mark", monitor.GetHeadroomAtFirstMark(), "byte");
    if (run.scheme == "coupled")
    {
        for (const auto region : {EcnRegion::A, EcnRegion::B, EcnRegion::C})
        {
            const char letter = static_cast<char>('a' + static_cast<int>(region));
            outcome.Add(std::string("time_in_region_") + letter,
                        monitor.GetTimeInRegion(region).GetSeconds(),
                        "s");
            outcome.Add(std::string("marked_in_region_") + letter,
                        monitor.GetMarkedPackets(region),
                        "packet");
        }
    }
    outcome.Add("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte");
    outcome.Add("queue_max", monitor.GetMaxOccupancy(), "byte");
    if (!scenario.isEndless)
    {
        outcome.Add("completion_time", transport.IsDone() ? elapsed : std::nan(""), "s");
        outcome.Add(GetFctMetrics(transport.GetRecords()));
    }
    outcome.Add(transport.GetMetrics(network));
    outcome.records = transport.GetRecords();
    Simulator::Destroy();
    return outcome;
}

} // namespace ns3::aidc
