/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csig-fabric-bottlenecks.h"

#include "csig-fabric-flows.h"

#include "ns3/boolean.h"
#include "ns3/csig-truth-monitor.h"
#include "ns3/experiment-results.h"
#include "ns3/nstime.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-flow-helper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// Get the spines and cores that are not like the leaves: a share of a tier, evenly among it.
std::vector<NodeIndex>
GetOthers(const FabricPlan& plan, double share)
{
    std::map<FabricTier, uint32_t> seen;
    std::vector<NodeIndex> others;
    for (const NodeIndex node : plan.GetSwitches())
    {
        const auto tier = plan.GetNode(node).tier;
        const double before = seen[tier]++ * share;
        if (tier != FabricTier::LEAF && std::floor(before + share) > std::floor(before))
        {
            others.push_back(node);
        }
    }
    return others;
}

/// Install CSIG, with some switches as the scheme has them: pass-through, discard or software. In
/// another one, all switches are alike.
void
InstallMix(CsigFabricNetwork& fabric, const std::string& scheme, const CsigFabricSettings& settings)
{
    const bool passes = scheme == "pass-through";
    const bool isSoftware = scheme == "software";
    const bool isMixed = passes || isSoftware || scheme == "discard";
    const FabricPlan& plan = fabric.network.GetFabric();
    const auto others = GetOthers(plan, isMixed ? settings.others : 0);
    if (scheme == "discard")
    {
        for (const NodeIndex node : others)
        {
            fabric.csig.Exclude(node);
        }
        fabric.csig.Install(fabric.network);
        return;
    }
    std::vector<NodeIndex> alike;
    for (NodeIndex node; node < NodeIndex(plan.GetNNodes()); ++node)
    {
        if (std::find(others.begin(), others.end(), node) == others.end())
        {
            alike.push_back(node);
        }
    }
    fabric.csig.Install(fabric.network, alike);
    CsigHelper own;
    own.SetDomain(fabric.csig.GetDomain());
    own.SetPortAttribute("Support", StringValue(passes ? "PassThrough" : "Complete"));
    own.SetAgentAttribute("Software", BooleanValue(isSoftware));
    own.SetAgentAttribute("SoftwareInterval", TimeValue(settings.softwareInterval));
    own.Install(fabric.network, others);
}

} // namespace

ExperimentOutcome
RunCsigFabricBottlenecks(CsigFabricNetwork& fabric,
                         const ExperimentRun& run,
                         const CsigFabricSettings& settings)
{
    fabric.Build(MakeCsigFabricPlan(settings), run.scenario, settings);
    fabric.ConfigureCsig(run.scheme, "min(ABW),max(PD)", false, settings);
    InstallMix(fabric, run.scheme, settings);
    const double load = run.scenario == "bottlenecks-80"   ? 0.8
                        : run.scenario == "bottlenecks-50" ? 0.5
                                                           : 0.3;
    const auto flows = MakeCsigFabricMix(fabric.network.GetFabric(), load, settings);
    run.Announce(flows.size());
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(fabric.network, flows);
    CsigTruthMonitor truth(fabric.csig.GetDomain(), settings.window, MicroSeconds(10));
    truth.AddFabric(fabric.network);
    ExperimentOutcome outcome;
    outcome.records = SimulateCsigFabric(run, fabric, tcp);
    outcome.Add(GetFctMetrics(outcome.records));
    outcome.Add("dropped_packets",
                static_cast<double>(fabric.network.GetPacketCounts().dropped),
                "packet");
    const auto abw = truth.GetAccuracy(CsigSignal::ABW);
    const auto delay = truth.GetAccuracy(CsigSignal::HOP_DELAY);
    const auto full = truth.GetFullPortReports();
    const std::vector<double> delays(full.delays.begin(), full.delays.end());
    outcome.Add("reported", truth.GetReportedShare(), "1");
    outcome.Add("abw_signals", static_cast<double>(abw.nSignals), "1");
    outcome.Add("abw_error_mean", abw.errorMean, "1");
    outcome.Add("abw_lag", abw.lag, "s");
    outcome.Add("abw_right_port", abw.rightPort, "1");
    outcome.Add("abw_false", abw.falseBottlenecks, "1");
    outcome.Add("abw_missed", abw.missedBottlenecks, "1");
    outcome.Add("full_ports", static_cast<double>(full.nTimes), "1");
    outcome.Add("full_port_delay", Mean(delays) / 1e9, "s");
    outcome.Add("full_ports_late",
                static_cast<double>(full.nLate) / static_cast<double>(full.nTimes),
                "1");
    outcome.Add("delay_right_port", delay.rightPort, "1");
    outcome.Add("delay_error_mean", delay.errorMean, "s");
    return outcome;
}

} // namespace ns3::aidc
