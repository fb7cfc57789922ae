// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// @experiment RoCEv2 between data centers over a WAN: who reacts to congestion, and when
///
/// The question: a sender learns of congestion in a WAN after a round trip of many milliseconds.
/// What is gained if core routers warn early, and the provider edge before the WAN reacts for the
/// senders (draft-hu-rtgwg-pre-ecn-wan-01)?
///
///      fat-tree 0                   primary path                   fat-tree 1
///     hosts -- switches -- PE -- core-0-0 ==== core-0-1 -- PE -- switches -- hosts
///                           \                             /
///                            +-- core-1-0 ==== core-1-1 -+    a path 20 % longer
///
/// With --sites above 2, each two data centers have such paths: core-a-0 ==== core-b-0 and core-a-1
/// ==== core-b-1, core-a-0 ==== core-c-0 and so on.
///
/// Ranks of both data centers all-reduce in pairs, at the speed of the links between core routers;
/// bursts from other hosts meet them there, from the first data center and then from the second
/// one.
///
/// What the draft says: with two thresholds and notifications, the edge reacts before queues
/// overflow. It has no numbers.
///
/// Schemes: tail-drop marks nothing; single-threshold marks CE from T1 on, to which the senders
/// react end to end (DCQCN). In the others, core routers mark ECT(1) from T1 on and CE from T2 on,
/// and notify the provider edge, which lowers rates (two-threshold), steers flows to another path
/// (two-threshold-reroute), or does both (two-threshold-both). mixed-core is two-threshold where
/// only the core routers of the first data center can do that; the others are as in
/// single-threshold.
///
/// Scenarios: the one-way delay between the provider edge routers, such as 10ms; with -long, long
/// flows meet there in place of all-reduces and bursts; with -both, both data centers send at a
/// time. With -maintenance, the primary path's link between the first two is drained meanwhile,
/// down, and restored; with -failure, it goes down without notice.
///
/// It prints one row per scheme and scenario: how long the all-reduces take, goodput, drops, the
/// longest queue, how soon the edge and the senders react, and what flows that stay in their data
/// center suffer. pre-ecn-network.h makes the network, pre-ecn-traffic.h its traffic.

#include "pre-ecn-monitor.h"
#include "pre-ecn-network.h"
#include "pre-ecn-traffic.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-records.h"
#include "ns3/mpi-processes.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

namespace ns3::aidc
{

/// The experiment pre-ecn, which the comment of pre-ecn.cc describes.
class PreEcnExperiment : public ExperimentBase
{
  public:
    PreEcnExperiment()
        : ExperimentBase(
              "pre-ecn",
              "RoCEv2 between data centers over a WAN, with bursts of cross traffic: who "
              "reacts to congestion, how soon, and what is lost.",
              {true})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"1ms", "10ms", "50ms", "1ms-long"};
        plan.schemes = {"tail-drop",
                        "single-threshold",
                        "two-threshold",
                        "two-threshold-reroute",
                        "two-threshold-both",
                        "mixed-core"};

        auto& parameters = GetParameters();
        m_scenarios = JoinWords(plan.scenarios, ",");
        parameters.AddText(
            "scenarios",
            "one-way delays between provider edge routers; add -long for long flows, "
            "-both for both directions, and -maintenance or -failure of a link under "
            "long flows, such as 5ms-long-both-maintenance",
            m_scenarios);
        parameters.AddNames("schemes", "schemes to run", plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode",
                   "ns3::aidc::IpTunnelNetDevice::EgressMode",
                   "ns3::aidc::IngressEdgeController::LightReaction"});
        m_settings.AddTo(parameters, plan);
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        plan.scenarios.clear();
        std::istringstream list(m_scenarios + ',');
        for (std::string name; std::getline(list, name, ',');)
        {
            m_settings.Check(PreEcnScenario::Parse(name));
            CheckOption(std::count(plan.scenarios.begin(), plan.scenarios.end(), name) == 0,
                        "--scenarios to have " + name + " once");
            plan.scenarios.push_back(name);
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto scenario = PreEcnScenario::Parse(run.scenario);
        PreEcnTraffic traffic(m_settings, scenario);
        run.Announce(traffic.GetNFlows());
        const PreEcnNetwork network(m_settings, GetOptions(), scenario, run.scheme);
        traffic.Install(network.GetWan(), network.GetDetour());
        PreEcnMonitor monitor(m_settings, network, traffic.GetSenders(), scenario.delay);
        FabricRecorder recorder(MicroSeconds(10));
        recorder.Add(network.GetWan());
        run.Start(recorder);
        const Time limit = traffic.GetLimit();
        run.Follow(limit, [&traffic] { return traffic.GetShareDone(); });
        Simulator::Stop(limit);
        Simulator::Run();
        traffic.Gather();
        monitor.Gather();
        if (!traffic.IsDone())
        {
            run.GiveUp(traffic.DescribeUnfinished());
        }

        ExperimentOutcome outcome;
        outcome.records = traffic.GetRecords();
        const Time finish = traffic.GetFinish();
        outcome.Add("completion_time", traffic.GetCompletionTime().GetSeconds(), "s");
        outcome.Add("victim_fct", traffic.GetLongestVictimTime().GetSeconds(), "s");
        outcome.Add("goodput",
                    8 * static_cast<double>(traffic.GetBytes()) / finish.GetSeconds(),
                    "bit/s");
        outcome.Add(GetFctMetrics(outcome.records));
        outcome.Add(GetPacketMetrics(network.GetWan().GetPacketCounts()));
        monitor.AddTo(outcome, finish);
        if (scenario.isLong)
        {
            // As long as all flows send: the last packets are a path's delay under way.
            const auto first =
                std::min_element(outcome.records.begin(),
                                 outcome.records.end(),
                                 [](const auto& a, const auto& b) { return a.finish < b.finish; });
            const Time end = first->finish - scenario.delay;
            outcome.Add("link_utilization", monitor.GetUtilization(end), "1");
            outcome.Add("fairness", GetJainIndex(outcome.records), "1");
        }
        if (scenario.HasOutage())
        {
            outcome.Add("lost_packets", monitor.GetLostPackets(network), "packet");
        }
        const bool isBaseline = run.scheme == "tail-drop" || run.scheme == "single-threshold";
        if (isBaseline && MpiProcesses::Get().IsFirst() &&
            monitor.GetLongestQueue() <= m_settings.t2)
        {
            PrintUserLine("pre-ecn: note: in " + run.scenario + " with " + run.scheme +
                          ", no queue of a core router was longer than T2: the bottleneck is "
                          "elsewhere, and the schemes have nothing to do. More --edges, --pairs or "
                          "--senders, or a lower --core-rate, would move it there");
        }
        if (run.isFirst)
        {
            monitor.Write(run);
        }
        run.Write(recorder);
        Simulator::Destroy();
        return outcome;
    }

    PreEcnSettings m_settings; //!< what a user may set
    std::string m_scenarios;   //!< the names of the scenarios
};

/// @return the experiment
std::unique_ptr<ExperimentBase>
MakePreEcnExperiment()
{
    return std::make_unique<PreEcnExperiment>();
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::MakePreEcnExperiment()->Main(argc, argv);
}
