// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// @experiment Two data centers train one model over a WAN, and what each mechanism is good for
///
/// The question: two AI data centers train one model over a WAN, alongside storage traffic, while a
/// link within the first one has degraded and a link of the WAN congests. What does each mechanism
/// of this module gain there, and what do all of them together?
///
///        fat-tree 0                     primary path                     fat-tree 1
///       core    core                                                    core    core
///      spine   spine -- PE --- core-0-0 ======== core-0-1 --- PE -- spine   spine
///       x |  \ / |       \                                    /       | \ / |
///       leaf    leaf      +-- core-1-0 ======== core-1-1 ----+       leaf  leaf
///       R  S    R  S          a path 20 % longer                     R  S  R  S
///
/// R is a rank, S a storage host, x the degraded link between the first leaf and its first spine.
/// For each layer, ranks reduce-scatter gradients in their data center, all-reduce their parts in
/// pairs over the WAN, and all-gather the result. Storage hosts send incasts to ranks, elephants to
/// each other, and bursts over the WAN. All of it is RoCEv2, lossless in the data centers.
///
/// Schemes: baseline has none of the mechanisms: ECMP by hash, BGP without bandwidths, static ECN
/// marking, one threshold in the WAN, DCQCN end to end. The next five have one mechanism each:
/// coupled-ecn the ECN threshold that is coupled to the dynamic buffer threshold; flow-set
/// congestion-aware flow-set switching; fare weights from the path bandwidths that BGP carries;
/// pre-ecn marks at two thresholds in the WAN, and the provider edge reacts to notifications; csig
/// signals of the path in tags of packets, which Swift uses within the data centers in place of
/// DCQCN. fare-pre-ecn has these two, all has all five, and all-but-csig, for example, four.
///
/// No draft has this experiment: it puts all five of them together. It prints a matrix and
/// sentences: the training step, and what each mechanism is meant to improve, against the baseline
/// in the same runs. The files two-sites-network, two-sites-traffic and two-sites-monitor make the
/// network, its traffic and the metrics. doc/two-sites.rst says what comes out and why.

#include "two-sites-monitor.h"
#include "two-sites-network.h"
#include "two-sites-traffic.h"

#include "ns3/experiment-base.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-recorder.h"
#include "ns3/simulator.h"

namespace ns3::aidc
{

/// The experiment.
class TwoSitesExperiment : public ExperimentBase
{
  public:
    TwoSitesExperiment()
        : ExperimentBase(
              "two-sites",
              "Two AI data centers train one model over a WAN, beside storage traffic: what "
              "each mechanism is good for, and all of them together.",
              {true})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"step"};
        plan.schemes = {"baseline",
                        "coupled-ecn",
                        "flow-set",
                        "fare",
                        "pre-ecn",
                        "csig",
                        "fare-pre-ecn",
                        "all",
                        "all-but-coupled-ecn",
                        "all-but-flow-set",
                        "all-but-fare",
                        "all-but-pre-ecn",
                        "all-but-csig"};

        auto& parameters = GetParameters();
        parameters.AddNames("schemes", "schemes to run", plan.schemes)
            .Sets({"ns3::aidc::RoceNic::CongestionControl"});
        m_settings.AddTo(parameters);
    }

  private:
    void Prepare(ExperimentPlan&) override
    {
        CheckOption(m_settings.size == "small" || m_settings.size == "default" ||
                        m_settings.size == "large",
                    "--size to be small, default or large, found \"" + m_settings.size + "\"");
        CheckOption(!GetOptions().small || m_settings.size != "large",
                    "--size=large without --small");
        if (m_settings.size == "small")
        {
            GetParameters().TakeSmall();
        }
        else if (m_settings.size == "large")
        {
            GetParameters().TakeLarge();
        }
        m_settings.Check();
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const TwoSitesMechanisms mechanisms(run.scheme);
        const TwoSitesNetwork network(m_settings, GetOptions(), mechanisms);
        TwoSitesTraffic traffic(m_settings);
        traffic.Install(network);
        run.Announce(traffic.GetNFlows());
        TwoSitesMonitor monitor(m_settings, network, traffic, mechanisms);
        FabricRecorder recorder(MicroSeconds(20));
        recorder.Add(network.GetWan());
        run.Start(recorder, TwoSitesTraffic::GetStart());
        run.Follow(TwoSitesTraffic::GetLimit(), [&traffic] { return traffic.GetShareDone(); });
        Simulator::Stop(TwoSitesTraffic::GetLimit());
        Simulator::Run();
        monitor.Stop();
        traffic.Gather();
        if (!traffic.IsDone())
        {
            run.GiveUp(traffic.DescribeUnfinished());
        }

        ExperimentOutcome outcome;
        outcome.Add("step_time", traffic.GetStepTime().GetSeconds(), "s");
        outcome.Add("step_above_floor", traffic.GetTimeAboveFloor().GetSeconds(), "s");
        outcome.Add("reduce_scatter_time",
                    traffic.GetCollectiveTime(CollectiveKind::REDUCE_SCATTER),
                    "s");
        outcome.Add("wan_all_reduce_time",
                    traffic.GetCollectiveTime(CollectiveKind::ALL_REDUCE),
                    "s");
        monitor.AddTo(outcome);
        outcome.Add(GetPacketMetrics(network.GetWan().GetPacketCounts()));
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            for (const auto* records : {&traffic.GetElephants(site), &traffic.GetStorage(site)})
            {
                outcome.records.insert(outcome.records.end(), records->begin(), records->end());
            }
        }
        run.Write(recorder);
        outcome.Add(GetFctMetrics(outcome.records));
        Simulator::Destroy();
        return outcome;
    }

    TwoSitesSettings m_settings; //!< what the user has set
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::TwoSitesExperiment().Main(argc, argv);
}
