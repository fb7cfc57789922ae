// SPDX-License-Identifier: GPL-2.0-only

/**
 * @file
 * @experiment RoCEv2 over 1,000 km: recovery, spraying over unequal paths, and PFC
 *
 * The question: how does RoCEv2 perform over a path that holds 125 MB per round trip, when packets
 * are lost, when they take paths with different delays, and when the far end is congested? How
 * much memory does a lossless far end need?
 *
 *     sender 0 --\                /-- path 0: 5 ms --\
 *       ...       +-- near switch                     +-- far switch -- receiver
 *     sender n-1-/                \-- path 1: 6 ms --/
 *
 * What is known: light takes 5 ms for 1,000 km of fiber. Go-back-N retransmits a whole round
 * trip of packets after each loss, selective repeat only what is missing (Mittal et al., SIGCOMM
 * 2018). A receiver that stops its peer by priority flow control still receives what is in flight
 * for one round trip (IEEE 802.1Q-2022, Annex N): that much memory has to be free.
 *
 * Scenarios: in loss, one sender has one path whose long link loses packets at random (--loss). In
 * spray, one sender's packets take both paths in turn; the second one is longer (--detour). In
 * incast, --senders send to one receiver over one path; the far switch has --buffer.
 *
 * Schemes: go-back-n and selective-repeat are RoCEv2 over a class that drops, without and with
 * selective repeat. reorder-window is selective repeat that lets packets overtake each other by as
 * many as the detour allows before one counts as lost (RoceNic's ReorderWindow). pfc is go-back-N
 * over a lossless class, with the headroom of the long link in addition to --buffer.
 *
 * All have DCQCN. The window of a queue pair and its timeouts are derived from the path (RoceNic).
 * A flow has the bytes that its host sends in --round-trips round trips.
 *
 * link_share is goodput over the payload that the receiver's link, or one sender's link, carries.
 * queue_max is the longest queue of the far switch, headroom the memory that a lossless class has
 * for the long link. Both depend on --delay:
 *
 *     ./aidc sweep long-haul --vary delay=50us,1ms,5ms,10ms,20ms --scenarios=incast
 */

#include "ns3/data-rate.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/enum.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-spec-file.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/next-hop-selector.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

namespace
{

/// Delay of the other links.
constexpr int64_t SHORT_DELAY = 1000; // ns
/// Payload of a full packet.
constexpr double PAYLOAD = 4096;
/// Bytes of a full packet on a link: with headers of RoCEv2, UDP, IPv4 and Ethernet, check
/// sequence, preamble, gap.
constexpr double FRAME = 4178;
/// A run ends after the time that all flows take one after the other, times this.
constexpr int64_t PATIENCE = 3;

/// Add the metrics of the far switch's memory for the long link: none if it is not lossless.
void
AddHeadroom(const FabricHelper& network, ExperimentOutcome& outcome)
{
    const FabricPlan& fabric = network.GetFabric();
    const NodeIndex far = fabric.GetLeaf(fabric.GetHosts().front());
    const auto buffer = network.GetNode(far)->GetObject<SharedBuffer>(); // null in other processes
    uint64_t headroom = 0;
    uint64_t peak = 0;
    const auto& ports = fabric.GetPorts(far);
    for (PortIndex port(0); port < PortIndex(ports.size()); ++port)
    {
        if (!buffer || fabric.IsHost(ports[port].peer))
        {
            continue;
        }
        const uint32_t device = network.GetPort(far, port)->GetIfIndex();
        const auto account = buffer->GetIngress(device, ExperimentTransport::DATA_CLASS);
        headroom = std::max<uint64_t>(headroom, account->GetLimits().headroom);
        peak = std::max(peak, account->GetHeadroomPeak());
    }
    outcome.Add("headroom", SumOverProcesses(headroom), "byte");
    outcome.Add("headroom_peak", SumOverProcesses(peak), "byte");
}

} // namespace

// What a user may set

/// The experiment.
class LongHaulExperiment : public ExperimentBase
{
  public:
    LongHaulExperiment()
        : ExperimentBase(
              "long-haul",
              "RoCEv2 over 1,000 km: recovery, spraying over unequal paths, and PFC with the "
              "memory that it takes.",
              {true, false})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"loss", "spray", "incast"};
        plan.schemes = {"go-back-n", "selective-repeat", "reorder-window", "pfc"};
        plan.schemesOf = {{"loss", {"go-back-n", "selective-repeat", "reorder-window"}},
                          {"spray", {"go-back-n", "selective-repeat", "reorder-window"}},
                          {"incast", {"go-back-n", "selective-repeat", "pfc"}}};
        m_switch.buffer = 64'000'000;
        m_switch.alpha = 8;

        auto& parameters = GetParameters();
        parameters.AddNames("scenarios", "scenarios to run", plan.scenarios);
        parameters.AddNames("schemes", "how packets are sent", plan.schemes)
            .Sets({"ns3::aidc::RoceNic::Recovery",
                   "ns3::aidc::RoceNic::ReorderWindow",
                   "ns3::aidc::RoceNic::CongestionControl",
                   "ns3::aidc::CoupledEcnQueueDisc::Mode"});
        parameters
            .AddTime("delay", "one-way delay of a long link: 5 ms for 1,000 km of fiber", m_delay)
            .InSmall("500us");
        parameters.AddTime("detour", "extra delay of the second path, in spray", m_detour, true)
            .InSmall("100us")
            .UseIn(plan, {"spray"});
        parameters
            .AddNumber(
                "loss",
                "share of packets that a long link loses, in loss",
                m_loss,
                [](double value) { return value >= 0 && value <= 0.1; },
                "from 0 to 0.1")
            .InSmall("1e-3")
            .UseIn(plan, {"loss"});
        parameters
            .AddCount("senders", "senders to one receiver, from 2 to 100, in incast", m_senders)
            .UseIn(plan, {"incast"});
        parameters.AddRate("rate", "rate of a host's link", m_rate).InSmall("25Gbps");
        parameters.AddCount("round-trips",
                            "duration of a flow on an idle network, in round trips, at least 1",
                            m_roundTrips);
        m_switch.AddBufferTo(parameters);
        parameters.Get("buffer").InSmall("1MB");
        m_switch.AddStaticMarkingTo(parameters);
    }

  private:
    void Prepare(ExperimentPlan&) override
    {
        CheckRange("senders", m_senders, 2, 100);
        CheckRange("round-trips", m_roundTrips, 1, 1000);
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const FabricPlan fabric = MakeNetwork(run.scenario);
        ExperimentTransport transport(MakeTransport(run.scheme));
        FabricHelper network;
        GetOptions().Configure(network);
        transport.Configure(network);
        if (run.scenario == "spray")
        {
            MultipathRoutingHelper routing;
            routing.SetSelector("ns3::aidc::SpraySelector");
            routing.SetSelectorAttribute("Mode", EnumValue(SpraySelector::ROUND_ROBIN));
            network.SetSwitchRouting(routing);
        }
        transport.Build(network, fabric, m_switch.Make("static"));
        const auto hosts = network.GetHosts();
        for (auto host = hosts.Begin(); run.scheme == "reorder-window" && host != hosts.End();
             ++host)
        {
            RoceHelper::GetNic(*host)->SetAttribute("ReorderWindow",
                                                    UintegerValue(GetReorderWindow()));
        }

        const auto flows = MakeFlows(fabric);
        run.Announce(flows.size());
        transport.InstallFlows(network, flows, "", GetLimit());

        const auto port = network.GetSwitchPort(fabric.GetHosts().front());
        const auto queue = transport.GetDataQueue(port);
        EcnQueueMonitor monitor(MicroSeconds(100));
        monitor.Add(queue);
        if (run.isFirst && run.scenario == "incast")
        {
            monitor.WriteSeries(queue, run.GetSeriesPath("queue"));
        }
        monitor.Start();
        FabricRecorder recorder(MicroSeconds(100));
        recorder.Add(network);
        transport.Simulate(run, recorder, GetLimit());
        monitor.Stop();

        ExperimentOutcome outcome;
        outcome.records = transport.GetFlows().GetRecords();
        const double elapsed = GetEndOfFlows(outcome.records).GetSeconds();
        const auto delivered = static_cast<double>(transport.GetFlows().GetDeliveredBytes());
        const double goodput = 8 * delivered / elapsed;
        outcome.Add("goodput", goodput, "bit/s");
        outcome.Add("link_share",
                    goodput / (static_cast<double>(m_rate.GetBitRate()) * PAYLOAD / FRAME),
                    "1");
        outcome.Add("completion_time", transport.GetFlows().IsDone() ? elapsed : std::nan(""), "s");
        outcome.Add(GetFctMetrics(outcome.records));
        outcome.Add(GetPacketMetrics(network.GetPacketCounts()));
        outcome.Add("queue_max", monitor.GetMaxOccupancy(), "byte");
        AddHeadroom(network, outcome);
        outcome.Add(transport.GetMetrics(network));
        Simulator::Destroy();
        return outcome;
    }

    /// @return the number of senders
    uint32_t GetNSenders(const std::string& scenario) const
    {
        return scenario == "incast" ? m_senders : 1;
    }

    /// @return the plan; the receiver is its first host, the senders are its last ones
    FabricPlan MakeNetwork(const std::string& scenario) const
    {
        FabricPlan fabric("long-haul");
        const auto far = fabric.AddNode(FabricTier::LEAF, 0, 0);
        const auto near = fabric.AddNode(FabricTier::LEAF, 1, 1);
        const uint64_t rate = m_rate.GetBitRate();
        const uint32_t nSenders = GetNSenders(scenario);
        fabric.AddLink(far, fabric.AddNode(FabricTier::HOST, 0, 0), rate, SHORT_DELAY);
        for (uint32_t i = 0; i < nSenders; ++i)
        {
            fabric.AddLink(near, fabric.AddNode(FabricTier::HOST, 1, 1 + i), rate, SHORT_DELAY);
        }
        const uint32_t nPaths = scenario == "spray" ? 2 : 1;
        for (uint32_t i = 0; i < nPaths; ++i)
        {
            const auto router = fabric.AddNode(FabricTier::SPINE, NO_POD, i);
            const Time delay = m_delay + m_detour * static_cast<int64_t>(i);
            const double loss = scenario == "loss" ? m_loss : 0;
            fabric.AddLink(near, router, rate * nSenders, SHORT_DELAY);
            fabric.AddLink(router, far, rate * nSenders, delay.GetNanoSeconds(), loss);
        }
        fabric.Finish();
        return fabric;
    }

    /// @return a flow of each sender, which all begin at once
    std::vector<FlowSpec> MakeFlows(const FabricPlan& fabric) const
    {
        const double seconds = 2 * m_delay.GetSeconds() * m_roundTrips;
        const double bytes =
            seconds * static_cast<double>(m_rate.GetBitRate()) / 8 * PAYLOAD / FRAME;
        const auto whole = static_cast<uint64_t>(std::ceil(bytes));
        const auto& hosts = fabric.GetHosts();
        std::vector<FlowSpec> flows;
        for (std::size_t i = 1; i < hosts.size(); ++i)
        {
            flows.push_back({hosts[i], hosts.front(), 0, 0, whole});
        }
        return flows;
    }

    /// @return how the flows of the scheme are sent
    ExperimentTransportOptions MakeTransport(const std::string& scheme) const
    {
        ExperimentTransportOptions options;
        options.transport = "dcqcn";
        options.lossless = scheme == "pfc" ? "on" : "off";
        options.recovery = scheme == "selective-repeat" || scheme == "reorder-window"
                               ? "selective-repeat"
                               : "go-back-n";
        return options;
    }

    /// @return packets of a sender that may overtake one on the longer path, with a tenth to spare
    uint32_t GetReorderWindow() const
    {
        const double bits = m_detour.GetSeconds() * static_cast<double>(m_rate.GetBitRate());
        return static_cast<uint32_t>(std::ceil(1.1 * bits / 8 / FRAME));
    }

    /// @return when a run ends at the latest
    Time GetLimit() const
    {
        return m_delay * (2 * PATIENCE * static_cast<int64_t>(m_roundTrips) * m_senders);
    }

    Time m_delay{MilliSeconds(5)};    //!< of a long link: 1000 km
    Time m_detour{MilliSeconds(1)};   //!< by which the second path is longer
    DataRate m_rate{"100Gbps"};       //!< of hosts
    double m_loss{1e-5};              //!< share of packets that a long link loses
    uint32_t m_senders{2};            //!< to one receiver
    uint32_t m_roundTrips{10};        //!< that a flow takes alone
    ExperimentSwitchOptions m_switch; //!< the switches at both ends
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::LongHaulExperiment().Main(argc, argv);
}
