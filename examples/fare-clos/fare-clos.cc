// SPDX-License-Identifier: GPL-2.0-only

#include "fare-clos-monitor.h"
#include "fare-clos-scenario.h"
#include "fare-clos-traffic.h"

#include "ns3/bgp-fabric-helper.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-recorder.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/next-hop-selector.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// @file
/// @experiment ECMP weighted by path bandwidths that BGP carries (FARE), compared with plain ECMP
///
/// The question: when links of a Clos network are lost or slow, equal shares overload the paths
/// behind them. How close to the maximum flow does a network get whose switches exchange the
/// bandwidths of paths by BGP (draft-xu-idr-fare)?
///
/// The networks are from the draft's Figures 1 and 2, of three and five stages, and not blocking:
///
///     spine 0    spine 1    spine 2    spine 3     BGP with the bandwidth of the path
///        |  \   /   |   \  /   |   \  /   |
///     leaf 0     leaf 1     ...        leaf 7      a leaf weights its uplinks by it
///      ||||       ||||                  ||||
///     4 hosts    4 hosts               4 hosts
///
/// With five stages, 8 pods of these leaves and spines stand below 4 planes of 4 super-spines. Each
/// host sends to another one (permutation), or to all others (all-to-all).
///
/// What the draft says: with weights, goodput is what the remaining links can carry; it has no
/// numbers. The bound is the maximum flow.
///
/// Schemes: ecmp is BGP without bandwidths, flow by flow; fare has them, flow by flow, too.
/// ecmp-spray and fare-spray are the same packet by packet. fare-share and fare-share-spray are
/// fare and fare-spray with the attribute ShareUplinks: leaves learn of links above their spines,
/// which the draft does not tell them. fare-available and fare-available-spray weigh links by their
/// available bandwidth (draft-xu-idr-fare-00), and not by their rates. flow-set is congestion-aware
/// flow-set switching. max-flow is the bound that no routing exceeds.
///
/// Scenarios, each with three stages (-3) and five (-5):
///  - intact: all links are up
///  - one-link-lost: the first leaf loses one of its four links to spines, and gets it back
///  - member-lost: a leaf and a spine have two parallel links; the first leaf loses one of them
///  - degraded: some links are down, and some are slow: half their rate, unless --slow is another
///  - degraded-core, with five stages: a link of a spine and a super-spine has half its rate
///
/// In loaded, with three stages, links are drawn as in degraded: half of them have background
/// traffic, and half are slow, of which BGP's static weights know nothing.
///
/// It prints one row per scheme and scenario: goodput and its share of the bound, for the
/// permutation and for all-to-all, completion times, and how long BGP takes after the failure, with
/// its messages. fare-clos-traffic.h has the traffic.

namespace ns3::aidc
{

namespace
{

/// The exponent of the retransmission timeout, 0.5 ms: a link that fails loses packets.
constexpr uint8_t ACK_TIMEOUT = 7;
/// Times of available bandwidth for runs of a millisecond, where its defaults are for seconds.
const Time LOOK_INTERVAL = MicroSeconds(10);   //!< between two looks at loads
const Time UPDATE_INTERVAL = MicroSeconds(20); //!< between two updates of a link
const Time TIME_CONSTANT = MicroSeconds(600);  //!< of the average load
/// The first random variable stream of the network.
constexpr int64_t NETWORK_STREAM = 1000;
/// The first one of the speakers.
constexpr int64_t BGP_STREAM = 10000;

/// Tell whether a scheme weighs paths.
bool
HasWeights(const std::string& scheme)
{
    return scheme.rfind("fare", 0) == 0;
}

/// Tell whether a scheme sends packets in turn, and not flows.
bool
Sprays(const std::string& scheme)
{
    const std::string end = "-spray";
    return scheme.size() > end.size() && scheme.substr(scheme.size() - end.size()) == end;
}

MultipathRoutingHelper
MakeRouting(const std::string& scheme)
{
    if (scheme == "flow-set")
    {
        MultipathRoutingHelper routing("ns3::aidc::FlowSetEcmpRouting");
        routing.SetSelector("ns3::aidc::FlowSetSelector");
        // As in flowset-ecmp: runs of milliseconds do not see the draft's interval of 10 ms.
        if (!HasUserDefault("ns3::aidc::FlowSetSelector::AssessmentInterval"))
        {
            routing.SetSelectorAttribute("AssessmentInterval", TimeValue(MicroSeconds(100)));
        }
        return routing;
    }
    MultipathRoutingHelper routing(HasWeights(scheme) ? "ns3::aidc::PathBandwidthRouting"
                                                      : "ns3::aidc::MultipathRouting");
    if (Sprays(scheme))
    {
        routing.SetSelector("ns3::aidc::SpraySelector");
        routing.SetSelectorAttribute("Mode", EnumValue(SpraySelector::ROUND_ROBIN));
        routing.SetSelectorAttribute("Weighted", BooleanValue(HasWeights(scheme)));
    }
    return routing;
}

/// Make the helper that installs switches, which mark as DCQCN is configured: by a band.
SharedBufferSwitchHelper
MakeSwitches(const FareClosSettings& settings)
{
    constexpr uint32_t all = SharedBufferSwitchHelper::ALL_CLASSES;
    auto switches = settings.switches.Make("red");
    switches.SetQueueDiscAttribute(all, "Pmax", DoubleValue(settings.pmax));
    return switches;
}

/// The network of FareClosExperiment: switches that speak BGP, and hosts with RoCEv2.
class FareClosNetwork
{
  public:
    /// Constructor; builds the network of a scenario, which outlives this.
    FareClosNetwork(const FareClosSettings& settings,
                    const ExperimentOptions& options,
                    const FareClosScenario& scenario,
                    const std::string& scheme)
        : m_scenario(scenario),
          m_transport(settings.transport)
    {
        options.Configure(m_network);
        m_transport.Configure(m_network);
        m_network.SetSwitchRouting(MakeRouting(scheme));
        m_network.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        m_network.SetDetectionDelay(settings.detection);
        m_network.Build(scenario.fabric);
        m_transport.InstallSwitches(MakeSwitches(settings), m_network);
        m_network.AssignAddresses();
        m_network.AssignStreams(NETWORK_STREAM);
        m_bgp.SetSpeakerAttribute("UsePathBandwidth", BooleanValue(HasWeights(scheme)));
        m_bgp.SetSpeakerAttribute("ShareUplinks", BooleanValue(scheme.rfind("fare-share", 0) == 0));
        if (scheme.rfind("fare-available", 0) == 0)
        {
            UseAvailableBandwidth();
        }
        m_bgp.Install(m_network);
        m_bgp.AssignStreams(BGP_STREAM);
        m_transport.InstallHosts(m_network);
        const auto hosts = m_network.GetHosts();
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            const auto nic = RoceHelper::GetNic(*host);
            nic->SetAttribute("ReorderWindow", UintegerValue(settings.reorderWindow));
            SetDerived(*nic, "AckTimeout", UintegerValue(ACK_TIMEOUT));
        }
        for (const LinkIndex link : scenario.failed)
        {
            m_network.FailLink(link);
        }
        for (const LinkIndex link : scenario.slowed)
        {
            SlowDown(link, scenario.left.GetLinks()[link].rate);
        }
    }

    FareClosNetwork(const FareClosNetwork&) = delete;
    FareClosNetwork& operator=(const FareClosNetwork&) = delete;

    /// Have the scenario's link fail, and come back.
    void ScheduleFailure(Time failure, Time restoration)
    {
        m_network.ScheduleFailure(*m_scenario.lost, failure, restoration);
    }

    /// @return the network
    const FabricHelper& GetFabric() const
    {
        return m_network;
    }

    /// @return the speakers of the switches
    const BgpFabricHelper& GetBgp() const
    {
        return m_bgp;
    }

    /// @return the metrics of transport and queues
    std::vector<ResultMetric> GetMetrics() const
    {
        auto metrics = GetPacketMetrics(m_network.GetPacketCounts());
        const auto lost = static_cast<double>(m_network.GetLostPackets());
        metrics.insert(metrics.end() - 1, {"lost_packets", lost, "packet"});
        const auto more = m_transport.GetMetrics(m_network);
        metrics.insert(metrics.end(), more.begin(), more.end());
        return metrics;
    }

  private:
    /// Have speakers tell the available bandwidth of links, with times that fit a run of
    /// milliseconds.
    void UseAvailableBandwidth()
    {
        m_bgp.UseAvailableBandwidth();
        const auto set = [this](const std::string& name, Time value) {
            if (!HasUserDefault("ns3::aidc::LinkBandwidthMonitor::" + name))
            {
                m_bgp.SetMonitorAttribute(name, TimeValue(value));
            }
        };
        set("Interval", LOOK_INTERVAL);
        set("UpdateInterval", UPDATE_INTERVAL);
        set("TimeConstant", TIME_CONSTANT);
    }

    /// Have a link go on at a rate, in bit/s, that its speakers do not know.
    void SlowDown(LinkIndex link, uint64_t rate)
    {
        const auto& ends = m_scenario.fabric.GetLinks()[link];
        for (const auto& [node, port] :
             {std::pair(ends.a, ends.aPort), std::pair(ends.b, ends.bPort)})
        {
            if (m_network.IsLocal(node))
            {
                m_network.GetPort(node, port)->SetAttribute("DataRate", DataRateValue(rate));
            }
        }
    }

    const FareClosScenario& m_scenario; //!< the scenario
    ExperimentTransport m_transport;    //!< RoCEv2
    FabricHelper m_network;             //!< the network
    BgpFabricHelper m_bgp;              //!< its speakers
};

/// The payload of a packet.
constexpr uint32_t PAYLOAD = 4096;
/// Its headers of IPv4 and UDP.
constexpr uint32_t HEADERS = 20 + 8;
/// The port that receives (RFC 863).
constexpr uint16_t DISCARD = 9;
/// The type of service with the DSCP CS5, whose class goes before RoCEv2's (26).
constexpr uint8_t TYPE_OF_SERVICE = 40 << 2;
/// The random variable stream of the times at which switches begin.
constexpr int64_t BACKGROUND_STREAM = 3;
/// When traffic begins: routes are there.
const Time START = MilliSeconds(10);

/// How long the permutation goes on, so that what has begun to arrive is known.
const Time TAIL = MicroSeconds(500);

/// How long all-to-all may take.
const Time LIMIT = Seconds(1);

/// The scheme that has no simulation.
const char* const BOUND = "max-flow";

/// The scenario whose loads BGP's weights do not know.
const char* const LOADED = "loaded";

/// The background traffic of FareClosExperiment: UDP at a constant rate between the two
/// switches of a link, in both directions. It goes before RoCEv2, slows down for nobody, and
/// no route moves it.
class FareClosBackground
{
  public:
    /// Constructor; installs the traffic. Takes the random variable stream 3.
    FareClosBackground(const FareClosNetwork& network,
                       const FareClosScenario& scenario,
                       double share,
                       Time start)
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(BACKGROUND_STREAM);
        const auto& fabric = network.GetFabric();
        const double bits = 8.0 * (PAYLOAD + HEADERS + fabric.GetFrameOverhead().bytes);
        for (const LinkIndex link : scenario.background)
        {
            const auto& ends = scenario.fabric.GetLinks()[link];
            const Time interval = Seconds(bits / (share * static_cast<double>(ends.rate)));
            for (const auto& [node, port] :
                 {std::pair(ends.a, ends.aPort), std::pair(ends.b, ends.bPort)})
            {
                // All processes draw for all switches.
                const Time first = start + Seconds(uniform->GetValue(0, interval.GetSeconds()));
                if (fabric.IsLocal(node))
                {
                    Install(network, node, port, interval, first);
                }
            }
        }
    }

    FareClosBackground(const FareClosBackground&) = delete;
    FareClosBackground& operator=(const FareClosBackground&) = delete;

  private:
    /// A switch that sends.
    struct Sender
    {
        Ptr<Socket> socket; //!< its socket
        Ipv4Address to;     //!< the address of the link's other end
        Time interval;      //!< between two packets
    };

    /// Have a switch send over a link and take what the other one sends.
    void Install(const FareClosNetwork& network,
                 NodeIndex from,
                 PortIndex port,
                 Time interval,
                 Time start)
    {
        const auto node = network.GetFabric().GetNode(from);
        const auto& bgp = network.GetBgp();
        const uint32_t number = bgp.GetPeer(from, port);
        const auto& peer = bgp.GetSpeaker(from)->GetPeer(number);
        auto sender = std::make_unique<Sender>();
        sender->to = peer.address;
        sender->interval = interval;
        sender->socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        sender->socket->SetIpTos(TYPE_OF_SERVICE);
        // Packets that have no room in the socket, which nobody reads, are discarded.
        sender->socket->Bind(InetSocketAddress(peer.localAddress, DISCARD));
        Simulator::ScheduleWithContext(node->GetId(),
                                       start - Simulator::Now(),
                                       &FareClosBackground::Send,
                                       sender.get());
        m_senders.push_back(std::move(sender));
    }

    /// Send a packet, and schedule the next one.
    static void Send(const Sender* sender)
    {
        sender->socket->SendTo(Create<Packet>(PAYLOAD), 0, InetSocketAddress(sender->to, DISCARD));
        Simulator::Schedule(sender->interval, &FareClosBackground::Send, sender);
    }

    std::vector<std::unique_ptr<Sender>> m_senders; //!< of this process
};

/// All schemes.
const std::vector<std::string> ALL_SCHEMES{"ecmp",
                                           "fare",
                                           "ecmp-spray",
                                           "fare-spray",
                                           "fare-share",
                                           "fare-share-spray",
                                           "fare-available",
                                           "fare-available-spray",
                                           "flow-set",
                                           BOUND};

/// The schemes that are compared by default.
const std::vector<std::string> USUAL_SCHEMES{"ecmp", "fare", "ecmp-spray", "fare-spray", BOUND};

/// The same in loaded.
const std::vector<std::string> LOADED_SCHEMES{"fare",
                                              "fare-spray",
                                              "fare-available",
                                              "fare-available-spray",
                                              "flow-set",
                                              BOUND};

/// Take texts out of a list.
std::vector<std::string>
GetOthers(std::vector<std::string> all, const std::vector<std::string>& others)
{
    const auto isOther = [&others](const std::string& text) {
        return std::find(others.begin(), others.end(), text) != others.end();
    };
    all.erase(std::remove_if(all.begin(), all.end(), isOther), all.end());
    return all;
}

} // namespace

/// The experiment fare-clos, which the comment of fare-clos.cc describes.
class FareClosExperiment : public ExperimentBase
{
  public:
    FareClosExperiment()
        : ExperimentBase(
              "fare-clos",
              "Equal-cost paths weighted by the bandwidth that BGP carries, in a Clos network with "
              "lost and slow links, compared with plain ECMP and the maximum flow.",
              {true})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"intact-3",
                          "one-link-lost-3",
                          "member-lost-3",
                          "degraded-3",
                          "intact-5",
                          "one-link-lost-5",
                          "member-lost-5",
                          "degraded-5",
                          "degraded-core-5",
                          LOADED};
        plan.schemes = USUAL_SCHEMES;

        const auto all = plan.scenarios;
        // With five stages, member-lost takes long, and shows little more than with three. Shares
        // of uplinks, and a link between spines and super-spines, are a question of their own.
        plan.scenarios = GetOthers(all, {"member-lost-5", "degraded-core-5", LOADED});
        auto& parameters = GetParameters();
        parameters.AddNames(
            "scenarios",
            "scenarios to run, of " + JoinWords(all, ", ") +
                "; member-lost-5, degraded-core-5 and loaded only if they are named",
            all,
            plan.scenarios);
        parameters
            .AddNames("schemes",
                      "schemes to run, of " + JoinWords(ALL_SCHEMES, ", ") + "; by default " +
                          JoinWords(LOADED_SCHEMES, ", ") + " in loaded",
                      ALL_SCHEMES,
                      plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode",
                   "ns3::aidc::CoupledEcnQueueDisc::Threshold",
                   "ns3::aidc::BgpSpeaker::UsePathBandwidth",
                   "ns3::aidc::BgpSpeaker::ShareUplinks",
                   "ns3::aidc::SpraySelector::Mode",
                   "ns3::aidc::SpraySelector::Weighted"});
        m_settings.AddTo(parameters, plan);
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        m_settings.transport.Prepare(GetOptions());
        m_settings.Check();
        m_settings.transport.CheckLinks(plan, [this](const std::string& scenario) {
            return MakeFareClosScenario(scenario, m_settings).fabric;
        });
        if (plan.HasScenario({LOADED}) && plan.schemes == USUAL_SCHEMES)
        {
            plan.schemes = ALL_SCHEMES;
            for (const auto& scenario : plan.scenarios)
            {
                plan.schemesOf[scenario] = scenario == LOADED ? LOADED_SCHEMES : USUAL_SCHEMES;
            }
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto scenario = MakeFareClosScenario(run.scenario, m_settings);
        if (run.scheme == BOUND)
        {
            return MakeBound(scenario);
        }
        run.Announce(scenario.permutation.size() * m_settings.queuePairs);
        ExperimentOutcome outcome;
        RunPermutation(run, scenario, outcome);
        RunAllToAll(run, scenario, outcome);
        return outcome;
    }

    /// @return the bound, which no routing exceeds
    ExperimentOutcome MakeBound(const FareClosScenario& scenario) const
    {
        FabricHelper network; // not built
        GetOptions().Configure(network);
        const double efficiency = FareClosTraffic::GetEfficiency(network);
        ExperimentOutcome outcome;
        outcome.Add("goodput", scenario.GetPermutationBound() * efficiency, "bit/s");
        outcome.Add("bound_share", 1, "1");
        outcome.Add("all_to_all_goodput", scenario.GetAllToAllBound() * efficiency, "bit/s");
        outcome.Add("all_to_all_bound_share", 1, "1");
        outcome.Add(GetFctMetrics({}));
        for (const char* name : {"marked_packets", "lost_packets", "retransmitted_packets", "cnps"})
        {
            outcome.Add(name, std::nan(""), "packet");
        }
        for (const std::string name : {"failure", "recovery"})
        {
            outcome.Add(name + "_convergence_time", std::nan(""), "s");
            outcome.Add(name + "_messages", std::nan(""), "1");
            outcome.Add(name + "_bytes", std::nan(""), "byte");
        }
        outcome.Add("pauses", std::nan(""), "1");
        outcome.Add("paused_time", std::nan(""), "s");
        return outcome;
    }

    /// Simulate the permutation, whose metrics the outcome gets.
    void RunPermutation(const ExperimentRun& run,
                        const FareClosScenario& scenario,
                        ExperimentOutcome& outcome) const
    {
        const Time phase = m_settings.settle + m_settings.window;
        const int nPhases = scenario.lost ? 3 : 1; // before, while the link is down, after
        const Time end = START + nPhases * phase + TAIL;
        FareClosNetwork network(m_settings, GetOptions(), scenario, run.scheme);
        FareClosMonitor monitor(scenario, network.GetFabric(), network.GetBgp());
        if (run.isFirst)
        {
            monitor.KeepSession();
        }
        const FareClosBackground background(network, scenario, m_settings.background, START);
        FareClosTraffic traffic(m_settings);
        traffic.InstallPermutation(network.GetFabric(), scenario.permutation, START, end);
        const Time failure = START + phase;
        const Time recovery = failure + phase;
        if (scenario.lost)
        {
            network.ScheduleFailure(failure, recovery);
        }
        FabricRecorder recorder(MicroSeconds(10));
        recorder.Add(network.GetFabric());
        run.Start(recorder, START);
        run.Follow(end);
        Simulator::Stop(end);
        Simulator::Run();
        run.Write(recorder);
        traffic.Gather();

        const auto getGoodput = [this, &traffic, phase](int number) {
            const Time from = START + number * phase + m_settings.settle;
            return 8 * traffic.GetBytes(from, from + m_settings.window) /
                   m_settings.window.GetSeconds();
        };
        const Time from = START + (scenario.lost ? 1 : 0) * phase + m_settings.settle;
        const double bound =
            scenario.GetPermutationBound() * FareClosTraffic::GetEfficiency(network.GetFabric());
        const double goodput = getGoodput(scenario.lost ? 1 : 0);
        outcome.Add("goodput", goodput, "bit/s");
        outcome.Add("bound_share", goodput / bound, "1");
        outcome.Add("goodput_before", scenario.lost ? getGoodput(0) : std::nan(""), "bit/s");
        outcome.Add("goodput_after", scenario.lost ? getGoodput(2) : std::nan(""), "bit/s");
        outcome.records = traffic.GetRecords(network.GetFabric(), from, from + m_settings.window);
        outcome.Add(GetFctMetrics(outcome.records));
        outcome.Add(network.GetMetrics());
        outcome.Add(monitor.GetMetrics("start", Time(), START));
        outcome.Add(
            monitor.GetMetrics("failure", scenario.lost ? failure : end, std::min(recovery, end)));
        outcome.Add(monitor.GetMetrics("recovery", scenario.lost ? recovery : end, end));
        if (run.isFirst)
        {
            monitor.WriteSession(run.out + "/bgp-" + run.scenario + "-" + run.scheme + ".pcap");
            monitor.WriteWeights(run.GetSeriesPath("weights"));
            traffic.WriteSeries(run.GetSeriesPath("goodput"),
                                scenario.fabric,
                                START,
                                START + nPhases * phase);
        }
        Simulator::Destroy();
    }

    /// Simulate all-to-all, whose metrics the outcome gets.
    void RunAllToAll(const ExperimentRun& run,
                     const FareClosScenario& scenario,
                     ExperimentOutcome& outcome) const
    {
        FareClosNetwork network(m_settings, GetOptions(), scenario, run.scheme);
        const FareClosBackground background(network, scenario, m_settings.background, START);
        FareClosTraffic traffic(m_settings);
        traffic.InstallAllToAll(network.GetFabric(), START);
        if (scenario.lost)
        {
            network.ScheduleFailure(START / 2, START + LIMIT);
        }
        run.Follow(START + LIMIT, [&traffic] { return traffic.GetShareArrived(); });
        Simulator::Stop(START + LIMIT);
        Simulator::Run();
        traffic.Gather();
        const Time end = traffic.GetEnd();
        const double goodput = end < Time::Max()
                                   ? 8 * traffic.GetBytes(START, end) / (end - START).GetSeconds()
                                   : std::nan("");
        const double bound =
            scenario.GetAllToAllBound() * FareClosTraffic::GetEfficiency(network.GetFabric());
        outcome.Add("all_to_all_goodput", goodput, "bit/s");
        outcome.Add("all_to_all_bound_share", goodput / bound, "1");
        Simulator::Destroy();
    }

    FareClosSettings m_settings; //!< what a user may set
};

/// @return the experiment
std::unique_ptr<ExperimentBase>
MakeFareClosExperiment()
{
    return std::make_unique<FareClosExperiment>();
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::MakeFareClosExperiment()->Main(argc, argv);
}
