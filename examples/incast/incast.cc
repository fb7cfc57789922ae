// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @experiment Many senders to one receiver, with any transport and any marking
 *
 * What is dropped, marked or paused when hosts answer one host at once, and how fair is it?
 *     sender 0 ----\
 *        ...        +--- switch ----- receiver      all links: 100 Gb/s, 1 us
 *     sender n-1 --/     (12 MB)
 *
 * With loss, the last flows wait for timeouts, and goodput collapses (Phanishayee et al., FAST
 * 2008); marks keep the queue short until even the smallest windows of all senders are more than
 * it holds (DCTCP, RFC 8257, section 5; DCQCN, Zhu et al., SIGCOMM 2015, section 6).
 *
 * Switches mark never (off), from --marking on (static), from --kmin to --kmax (red), or from an
 * offset below the buffer's threshold on (coupled). In scenario remote, the senders are at another
 * leaf, so that pauses spread over a spine.
 */

#include "ns3/clos-fabric.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-recorder.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3::aidc
{

/// Many hosts send to one at the same time.
class IncastExperiment : public ExperimentBase
{
  public:
    IncastExperiment()
        : ExperimentBase("incast",
                         "Many senders to one receiver at one switch: what is dropped, marked or "
                         "paused, how long flows take, and how fairly they share the link.",
                         {true, true})
    {
        auto& plan = GetPlan();
        auto& options = GetParameters();
        plan.scenarios = {"incast"};
        plan.schemes = {"off", "static", "red", "coupled"};
        m_switch.alpha = 8;
        options.AddNames("scenarios",
                         "scenarios to run: incast, remote",
                         {"incast", "remote"},
                         plan.scenarios);
        options.AddNames("schemes", "how the switch marks", plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode"});
        options.AddCount("degree", "senders, from 1 to 1000", m_degree).InSmall("16");
        options.AddBytes("size", "bytes that each sender sends", m_bytes).InSmall("200kB");
        options.AddRate("rate", "rate of all links", m_rate);
        options.AddTime("delay", "delay of all links", m_delay);
        options.AddTime("jitter",
                        "each sender starts at a random time within this period",
                        m_jitter,
                        true);
        options.AddTime("limit", "latest end of a run", m_limit);
        m_switch.AddBufferTo(options);
        m_switch.AddStaticMarkingTo(options);
        options.Get("marking").UseWith(plan, {"static"});
        m_switch.AddRedTo(options, plan);
        m_switch.AddCoupledMarkingTo(options, plan);
        m_transport.AddTo(options);
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        m_transport.Prepare(GetOptions());
        CheckRange("degree", m_degree, 1, 1000);
        CheckOption(m_switch.kmin <= m_switch.kmax, "--kmin up to --kmax");
        m_transport.CheckLinks(plan, [this](const auto& name) { return MakeFabric(name); });
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        // The network, in the order in which one builds it
        const FabricPlan fabric = MakeFabric(run.scenario);
        ExperimentTransport transport(m_transport);
        FabricHelper network;
        GetOptions().Configure(network);
        transport.Configure(network);
        transport.Build(network, fabric, m_switch.Make(run.scheme));

        // Its traffic
        transport.InstallFlows(network, MakeFlows(fabric), "", m_limit);
        run.Announce(m_degree);

        // What is watched: the queue before the receiver
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
        transport.Simulate(run, recorder, m_limit);
        monitor.Stop();

        // Its outcome
        ExperimentOutcome outcome;
        outcome.records = transport.GetFlows().GetRecords();
        const double elapsed = GetEndOfFlows(outcome.records).GetSeconds();
        const auto delivered = static_cast<double>(transport.GetFlows().GetDeliveredBytes());
        outcome.Add("goodput", 8 * delivered / elapsed, "bit/s");
        outcome.Add("delivered_bytes", delivered, "byte");
        outcome.Add("completion_time", transport.GetFlows().IsDone() ? elapsed : std::nan(""), "s");
        outcome.Add(GetFctMetrics(outcome.records));
        outcome.Add("fairness", GetJainIndex(outcome.records), "1");
        outcome.Add(GetPacketMetrics(network.GetPacketCounts()));
        outcome.Add("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte");
        outcome.Add("queue_max", monitor.GetMaxOccupancy(), "byte");
        outcome.Add(transport.GetMetrics(network));
        Simulator::Destroy();
        return outcome;
    }

    /// The network: the receiver is its first host, the senders are its last ones
    FabricPlan MakeFabric(const std::string& scenario) const
    {
        const uint64_t rate = m_rate.GetBitRate();
        const int64_t delay = m_delay.GetNanoSeconds();
        if (scenario == "remote")
        {
            return MakeLeafSpine({2, 1, m_degree, 1, 1, rate, rate * m_degree, 0, delay, delay});
        }
        FabricPlan fabric("incast");
        const auto tor = fabric.AddNode(FabricTier::LEAF, 0, 0);
        for (uint32_t i = 0; i <= m_degree; ++i)
        {
            fabric.AddLink(tor, fabric.AddNode(FabricTier::HOST, 0, i), rate, delay);
        }
        fabric.Finish();
        return fabric;
    }

    /// Each sender has a flow, and they begin within the jitter
    std::vector<FlowSpec> MakeFlows(const FabricPlan& fabric) const
    {
        auto jitter = CreateObject<UniformRandomVariable>();
        jitter->SetStream(1);
        const auto longest = static_cast<double>(m_jitter.GetNanoSeconds());
        const auto& hosts = fabric.GetHosts();
        std::vector<FlowSpec> flows;
        for (std::size_t i = hosts.size() - m_degree; i < hosts.size(); ++i)
        {
            const Time start = NanoSeconds(static_cast<int64_t>(jitter->GetValue(0, longest)));
            flows.push_back({hosts[i], hosts.front(), 0, 0, m_bytes, start});
        }
        return flows;
    }

    uint32_t m_degree{32};                  //!< senders
    uint32_t m_bytes{1000000};              //!< bytes of a flow
    DataRate m_rate{"100Gbps"};             //!< of all links
    Time m_delay{MicroSeconds(1)};          //!< of all links
    Time m_jitter{MicroSeconds(1)};         //!< flows begin within this time
    Time m_limit{Seconds(1)};               //!< when a run ends at the latest
    ExperimentSwitchOptions m_switch;       //!< the switches
    ExperimentTransportOptions m_transport; //!< what carries the flows
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::IncastExperiment().Main(argc, argv);
}
