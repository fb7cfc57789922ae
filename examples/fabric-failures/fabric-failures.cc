// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// @experiment Packets lost when links, switches and BGP speakers of a fabric fail, restart or
/// leave
///
/// The question: a part of a fabric fails, or is taken out of service. How many packets are lost,
/// and how long does it take until none is lost any more? What do BFD, graceful restart and
/// graceful shutdown change?
///
///     spine 0    spine 1    spine 2    spine 3     BGP with the bandwidth of the path
///        |  \   /   |   \  /   |   \  /   |
///     leaf 0     leaf 1     ...        leaf 7      leaf 0 and spine 0 have the failures
///       ||         ||                    ||
///     2 hosts    2 hosts               2 hosts     each sends one packet per microsecond
///
/// What is known: BGP's hold time is 9 s, so a failure that nobody reports lasts for 6 to 9 s, as
/// the peer was heard of up to 3 s before. BFD takes 100 to 150 ms at 50 ms and a multiplier of 3.
/// With 4 spines and 8 leaves, a spine has 1/4 of all packets, and each of its links has 1/16.
///
/// Scenarios:
///  - link: the link of leaf 0 and spine 0 is cut; both ports notice after --detection
///  - spine: all links of spine 0 are cut, as if it lost power; leaves' ports notice
///  - silent-link: the link loses all packets, and both ports stay up
///  - silent-direction: the same, only from leaf 0 to spine 0
///  - silent-spine: all links of spine 0 lose all packets, and all ports stay up
///  - restart-spine, restart-leaf: the speaker ends as if it was killed, and is back after
///    --restart; the node's datapath works all the time
///  - restart-failure: as restart-spine, and the link to leaf 0 is cut after a quarter of that time
///  - maintenance: an operator takes spine 0 out of service, and back
///
/// Schemes: hold-time is BGP alone, whose sessions do not follow the ports. bfd is BGP that follows
/// BFD. In link-loss sessions end when their port goes down. For restarts, plain has no graceful
/// restart, and graceful-restart has it; links end sessions in both. For maintenance, plain stops
/// the sessions of the spine, and drain does so --drain after a graceful shutdown.
///
/// Packets: each has a host at another leaf and a UDP port that are drawn at random, so hashes send
/// a quarter of them over each spine. There are too few to congest any link: all losses are due to
/// failures. A first simulation without packets finds out when routes change. Then hosts send a
/// packet each --interval around these times, and fewer in between (failure-probe.h).
///
/// It prints one row per scheme and scenario: packets lost of hosts that send one each --interval;
/// the outage, from the failure until the last packet was lost; convergence_time, until the last
/// route has changed. recovery_... is the same when the link or the spine is back. Messages and
/// bytes of BGP, without KEEPALIVEs, and packets of BFD are counted from the failure to the end of
/// the run.

#include "failure-probe.h"

#include "ns3/bfd-speaker.h"
#include "ns3/bgp-fabric-helper.h"
#include "ns3/bgp-message.h"
#include "ns3/bgp-speaker.h"
#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-results.h"
#include "ns3/fabric-helper.h"
#include "ns3/link-failure-error-model.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/process-gather.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// What a user may set of FabricFailuresExperiment.
struct FailuresSettings
{
    uint32_t leaves{8};                 //!< leaves
    uint32_t spines{4};                 //!< spines
    uint32_t hosts{2};                  //!< hosts of a leaf
    Time interval{MicroSeconds(1)};     //!< between packets of a host
    Time detection{MicroSeconds(50)};   //!< until a port knows of its link
    Time hold{Seconds(9)};              //!< hold time of BGP
    Time bfdInterval{MilliSeconds(50)}; //!< between packets of BFD
    uint32_t bfdMultiplier{3};          //!< intervals without a packet until a link has failed
    Time restart{Seconds(2)};           //!< until a restarting speaker is back
    Time drain{Seconds(1)};             //!< between graceful shutdown and shutdown
    Time down{Seconds(20)};             //!< until what has failed is back
};

namespace
{

/// The rate of hosts, and of links between switches, so that leaves do not block.
constexpr uint64_t RATE = 25'000'000'000; // bit/s
/// Of all links.
constexpr int64_t DELAY = 1000; // ns
/// The first random variable stream of the network.
constexpr int64_t NETWORK_STREAM = 1000;
/// The first random variable stream of the speakers.
constexpr int64_t BGP_STREAM = 10000;
/// The part of a speaker's restart after which a link fails.
constexpr int64_t RESTART_PARTS = 4;

/// Make the network.
FabricPlan
MakePlan(const FailuresSettings& settings)
{
    LeafSpineSettings shape;
    shape.leaves = settings.leaves;
    shape.spines = settings.spines;
    shape.hostsPerLeaf = settings.hosts;
    shape.hostRate = shape.leafSpineRate = RATE;
    shape.hostDelay = shape.leafSpineDelay = DELAY;
    return MakeLeafSpine(shape);
}

} // namespace

/// The fabric of a scheme, and what happens to it in a scenario.
class FailuresNetwork
{
  public:
    /// Constructor. options: the options of all experiments.
    FailuresNetwork(const FailuresSettings& settings,
                    const ExperimentOptions& options,
                    const std::string& scenario,
                    const std::string& scheme)
        : m_settings(settings),
          m_scenario(scenario),
          m_drains(scheme == "drain")
    {
        options.Configure(m_network);
        m_network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        m_network.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        m_network.SetDetectionDelay(settings.detection);
        m_network.Build(MakePlan(settings));
        m_network.AssignAddresses();
        m_network.AssignStreams(NETWORK_STREAM);
        m_bgp.SetSpeakerAttribute("HoldTime", TimeValue(settings.hold));
        m_bgp.SetSpeakerAttribute("GracefulRestart", BooleanValue(scheme == "graceful-restart"));
        if (scheme == "bfd")
        {
            m_bgp.SetBfd(settings.bfdInterval, static_cast<uint8_t>(settings.bfdMultiplier));
        }
        if (scheme == "bfd" || scheme == "hold-time")
        {
            m_bgp.SetSpeakerAttribute("WatchLinks", BooleanValue(false));
        }
        m_bgp.Install(m_network);
        m_bgp.AssignStreams(BGP_STREAM);

        const FabricPlan& fabric = m_network.GetFabric();
        const auto& switches = fabric.GetSwitches();
        m_leaf = fabric.GetLeaves().front();
        m_spine = *std::find_if(switches.begin(), switches.end(), [&fabric](NodeIndex id) {
            return fabric.GetNode(id).tier == FabricTier::SPINE;
        });
        for (const auto& port : fabric.GetPorts(m_spine))
        {
            m_links.push_back(port.link);
        }
        const Callback<void, const BgpPrefix&, const std::vector<BgpRibPath>&> noteChange(
            [this](const BgpPrefix&, const std::vector<BgpRibPath>&) {
                m_changes.push_back(Simulator::Now().GetTimeStep());
            });
        for (const NodeIndex node : switches)
        {
            if (m_network.IsLocal(node))
            {
                m_bgp.GetSpeaker(node)->TraceConnectWithoutContext("RouteChange", noteChange);
            }
        }
        FailInSilence();
    }

    FailuresNetwork(const FailuresNetwork&) = delete;
    FailuresNetwork& operator=(const FailuresNetwork&) = delete;

    /// Schedule the failure of the scenario.
    void Schedule(Time failure)
    {
        Simulator::Schedule(failure - Simulator::Now(), [this] { m_before = Count(); });
        const Time restoration = failure + m_settings.down;
        if (m_scenario == "link" || m_scenario == "spine")
        {
            const std::size_t n = m_scenario == "link" ? 1 : m_links.size();
            for (std::size_t i = 0; i < n; ++i)
            {
                At(failure, [this, i] { m_network.FailLink(m_links[i]); });
                At(restoration, [this, i] { m_network.RestoreLink(m_links[i]); });
            }
        }
        else if (!m_directions.empty())
        {
            for (const auto& direction : m_directions)
            {
                At(failure, [direction] { direction->Fail(); });
                At(restoration, [direction] { direction->Restore(); });
            }
        }
        else if (m_scenario == "maintenance")
        {
            if (m_drains)
            {
                At(failure, [this] { m_bgp.Drain(m_spine); });
                At(restoration + m_settings.drain, [this] { m_bgp.Undrain(m_spine); });
            }
            At(failure + m_settings.drain * (m_drains ? 1 : 0), [this] { SetStopped(true); });
            At(restoration, [this] { SetStopped(false); });
        }
        else
        {
            const NodeIndex node = m_scenario == "restart-leaf" ? m_leaf : m_spine;
            At(failure, [this, node] {
                if (m_network.IsLocal(node))
                {
                    m_bgp.GetSpeaker(node)->Restart(m_settings.restart);
                }
            });
            m_steps.push_back(failure + m_settings.restart);
            if (m_scenario == "restart-failure")
            {
                At(failure + m_settings.restart / RESTART_PARTS,
                   [this] { m_network.FailLink(m_links.front()); });
            }
        }
    }

    /// @return the fabric
    const FabricHelper& GetFabric() const
    {
        return m_network;
    }

    /// @return when something is scheduled or routes change, ascending; if several are within the
    /// probe's lead, the first one. Processes call it, and what follows, after the simulation.
    std::vector<Time> GetMoments() const
    {
        std::vector<Time> all = m_steps;
        const Time first = *std::min_element(m_steps.begin(), m_steps.end());
        for (const int64_t change : GatherItems(m_changes))
        {
            if (TimeStep(change) > first)
            {
                all.push_back(TimeStep(change));
            }
        }
        std::sort(all.begin(), all.end());
        std::vector<Time> moments;
        for (const Time& time : all)
        {
            if (moments.empty() || time > moments.back() + NanoSeconds(FailureProbe::LEAD))
            {
                moments.push_back(time);
            }
        }
        return moments;
    }

    /// @return when routes have changed last between two times, in seconds; not a number if never
    double GetLastChange(Time from, Time to) const
    {
        double last = std::nan("");
        for (const int64_t change : GatherItems(m_changes))
        {
            const Time time = TimeStep(change);
            if (time >= from && time < to && !(time.GetSeconds() <= last))
            {
                last = time.GetSeconds();
            }
        }
        return last;
    }

    /// @return messages and bytes of BGP without KEEPALIVEs, and packets of BFD, since the failure
    std::vector<ResultMetric> GetMetrics() const
    {
        auto metrics = Count();
        for (std::size_t i = 0; i < metrics.size(); ++i)
        {
            metrics[i].value -= m_before[i].value;
        }
        return metrics;
    }

  private:
    /// Have something happen.
    void At(Time time, const std::function<void()>& act)
    {
        m_steps.push_back(time);
        Simulator::Schedule(time - Simulator::Now(), act);
    }

    /// Let the receiving ports lose the packets that are silently lost, once m_directions fail.
    void FailInSilence()
    {
        const FabricPlan& fabric = m_network.GetFabric();
        const bool isLink = m_scenario == "silent-link" || m_scenario == "silent-direction";
        if (!isLink && m_scenario != "silent-spine")
        {
            return;
        }
        for (const NodeIndex node : fabric.GetSwitches())
        {
            const auto& ports = fabric.GetPorts(node);
            for (PortIndex port; port < ports.GetEnd(); ++port)
            {
                const NodeIndex peer = ports[port].peer;
                const bool isUp = node == m_spine && (!isLink || peer == m_leaf);
                const bool isDown = peer == m_spine && (!isLink || node == m_leaf);
                if (isUp || (isDown && m_scenario != "silent-direction"))
                {
                    // Each process has all of them, so that each schedules the same.
                    m_directions.push_back(CreateObject<LinkFailureErrorModel>());
                    if (m_network.IsLocal(node))
                    {
                        m_network.GetPort(node, port)
                            ->SetAttribute("ReceiveErrorModel", PointerValue(m_directions.back()));
                    }
                }
            }
        }
    }

    /// Stop or start all sessions of the first spine.
    void SetStopped(bool isStopped)
    {
        if (!m_network.IsLocal(m_spine))
        {
            return;
        }
        const auto speaker = m_bgp.GetSpeaker(m_spine);
        for (uint32_t peer = 0; peer < speaker->GetNPeers(); ++peer)
        {
            isStopped ? speaker->StopPeer(peer) : speaker->StartPeer(peer);
        }
    }

    /// Get messages and bytes of BGP without KEEPALIVEs, and packets of BFD, so far.
    std::vector<ResultMetric> Count() const
    {
        const auto sent = m_bgp.GetStatistics().sent;
        const auto total = sent.GetTotal();
        const auto keepalives = sent.Get(BgpMessageType::KEEPALIVE);
        uint64_t nPackets = 0;
        for (const NodeIndex id : m_network.GetFabric().GetSwitches())
        {
            if (const auto bfd = BfdSpeaker::Find(m_network.GetNode(id)))
            {
                nPackets += bfd->GetStatistics().sent;
            }
        }
        return {{"bgp_messages", static_cast<double>(total.messages - keepalives.messages), "1"},
                {"bgp_bytes", static_cast<double>(total.bytes - keepalives.bytes), "byte"},
                {"bfd_packets", static_cast<double>(SumOverProcesses(nPackets)), "packet"}};
    }

    FailuresSettings m_settings;                          //!< what the user has set
    std::string m_scenario;                               //!< the scenario
    bool m_drains;                                        //!< whether spines are drained
    FabricHelper m_network;                               //!< the fabric
    BgpFabricHelper m_bgp;                                //!< its speakers
    NodeIndex m_leaf;                                     //!< the first leaf
    NodeIndex m_spine;                                    //!< the first spine
    std::vector<LinkIndex> m_links;                       //!< of the spine, to the leaf first
    std::vector<Ptr<LinkFailureErrorModel>> m_directions; //!< that silently fail
    std::vector<Time> m_steps;                            //!< what is scheduled
    std::vector<int64_t> m_changes;                       //!< of routes, in time steps
    std::vector<ResultMetric> m_before;                   //!< metrics at the failure
};

namespace
{

/// Before it, nothing fails: sessions of BGP and BFD come up.
const Time START = Seconds(10);
/// How long a run goes on when all that failed is back: sessions wait for some seconds at most.
const Time TAIL = Seconds(60);
/// The first random variable stream of the traffic.
constexpr int64_t PROBE_STREAM = 100;

/// @return whether a speaker restarts in it
bool
IsRestart(const std::string& scenario)
{
    return scenario.rfind("restart", 0) == 0;
}

} // namespace

// What a user may set

/// The experiment.
class FabricFailuresExperiment : public ExperimentBase
{
  public:
    FabricFailuresExperiment()
        : ExperimentBase(
              "fabric-failures",
              "Packets lost when links, switches and BGP speakers of a fabric fail, restart "
              "or leave, with hold time, link loss, BFD, graceful restart and drain.",
              {true})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"link",
                          "spine",
                          "silent-link",
                          "silent-direction",
                          "silent-spine",
                          "restart-spine",
                          "restart-leaf",
                          "restart-failure",
                          "maintenance"};
        plan.schemes = {"hold-time", "bfd", "link-loss", "plain", "graceful-restart", "drain"};
        plan.schemesOf = {{"maintenance", {"plain", "drain"}}};
        for (const std::string scenario : {"link", "spine"})
        {
            plan.schemesOf[scenario] = {"hold-time", "bfd", "link-loss"};
        }
        for (const std::string scenario : {"silent-link", "silent-direction", "silent-spine"})
        {
            plan.schemesOf[scenario] = {"hold-time", "bfd"};
        }
        for (const std::string scenario : {"restart-spine", "restart-leaf", "restart-failure"})
        {
            plan.schemesOf[scenario] = {"plain", "graceful-restart"};
        }

        auto& parameters = GetParameters();
        parameters.AddNames("scenarios", "scenarios to run", plan.scenarios);
        parameters.AddNames("schemes", "what detects or mitigates the failure", plan.schemes)
            .Sets({"ns3::aidc::BgpSpeaker::WatchLinks", "ns3::aidc::BgpSpeaker::GracefulRestart"});
        parameters.AddCount("leaves", "leaves, from 2 to 64", m_settings.leaves).InSmall("4");
        parameters.AddCount("spines", "spines, from 2 to 64", m_settings.spines).InSmall("2");
        parameters.AddCount("hosts", "hosts per leaf, from 1 to 16", m_settings.hosts);
        parameters.AddTime("interval",
                           "time between packets of each host, from 200ns to 1ms",
                           m_settings.interval);
        parameters
            .AddTime("detection",
                     "time until a port detects that its link is down",
                     m_settings.detection)
            .UseIn(plan, {"link", "spine", "restart-failure"});
        parameters
            .AddTime("hold-time", "hold time of BGP, whole seconds, at least 3", m_settings.hold)
            .Sets({"ns3::aidc::BgpSpeaker::HoldTime"});
        parameters
            .AddTime("bfd-interval",
                     "time between BFD packets, from 1ms to 10s",
                     m_settings.bfdInterval)
            .Sets({"ns3::aidc::BfdSpeaker::DesiredMinTx", "ns3::aidc::BfdSpeaker::RequiredMinRx"})
            .UseWith(plan, {"bfd"});
        parameters
            .AddCount("bfd-multiplier",
                      "intervals without a packet until BFD detects a failure, from 1 to 255",
                      m_settings.bfdMultiplier)
            .Sets({"ns3::aidc::BfdSpeaker::DetectMultiplier"})
            .UseWith(plan, {"bfd"});
        parameters.AddTime("restart", "time until a speaker is back", m_settings.restart)
            .UseIn(plan, {"restart-spine", "restart-leaf", "restart-failure"});
        parameters
            .AddTime("drain", "time from a graceful shutdown to the shutdown", m_settings.drain)
            .UseWith(plan, {"drain"});
        parameters
            .AddTime("down",
                     "time from the failure to the repair, longer than --hold-time",
                     m_settings.down)
            .UseIf(
                [&plan] {
                    return plan.HasScheme({"hold-time", "bfd", "link-loss"}) ||
                           plan.HasScenario({"maintenance"});
                },
                "--scenarios without a restart");
    }

  private:
    void Prepare(ExperimentPlan&) override
    {
        CheckRange("leaves", m_settings.leaves, 2, 64);
        CheckRange("spines", m_settings.spines, 2, 64);
        CheckRange("hosts", m_settings.hosts, 1, 16);
        CheckRange("bfd-multiplier", m_settings.bfdMultiplier, 1, UINT8_MAX);
        CheckOption(m_settings.interval >= NanoSeconds(200) &&
                        m_settings.interval <= MilliSeconds(1),
                    "--interval from 200ns to 1ms");
        CheckOption(m_settings.bfdInterval >= MilliSeconds(1) &&
                        m_settings.bfdInterval <= Seconds(10),
                    "--bfd-interval from 1ms to 10s");
        CheckOption(m_settings.hold >= Seconds(3) &&
                        m_settings.hold == Seconds(std::floor(m_settings.hold.GetSeconds())),
                    "--hold-time of whole seconds, at least 3");
        CheckOption(m_settings.down > m_settings.hold + m_settings.drain,
                    "--down longer than --hold-time and --drain together");
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(1);
        // At any time between two KEEPALIVEs
        const Time failure =
            START + Seconds(m_settings.hold.GetSeconds() / 3 * uniform->GetValue());
        const bool isRestart = IsRestart(run.scenario);
        const Time restoration = failure + (isRestart ? m_settings.restart : m_settings.down);
        const Time end = restoration + TAIL;
        const auto moments = FindMoments(run, failure, end);

        FailuresNetwork network(m_settings, GetOptions(), run.scenario, run.scheme);
        network.Schedule(failure);
        FailureProbe probe(network.GetFabric(),
                           m_settings.interval,
                           moments,
                           end - MilliSeconds(1),
                           PROBE_STREAM);
        const std::size_t nHosts = network.GetFabric().GetFabric().GetHosts().size();
        run.Announce(nHosts * (nHosts - m_settings.hosts)); // pairs of hosts
        run.Follow(end);
        Simulator::Stop(end);
        Simulator::Run();
        probe.Gather();

        ExperimentOutcome outcome;
        // A restart is over when the speaker has all routes again. All else fails, and comes back.
        const auto add = [&](const std::string& prefix, Time from, Time to) {
            const auto loss = probe.GetLoss(from - NanoSeconds(FailureProbe::LEAD), to);
            outcome.Add(prefix + "lost_packets", loss.packets, "packet");
            outcome.Add(prefix + "outage", std::max(Time(), loss.end - from).GetSeconds(), "s");
            outcome.Add(prefix + "convergence_time",
                        network.GetLastChange(from, to) - from.GetSeconds(),
                        "s");
        };
        add("", failure, isRestart ? end : restoration - NanoSeconds(FailureProbe::LEAD));
        if (isRestart)
        {
            const double none = std::nan("");
            outcome.Add("recovery_lost_packets", none, "packet");
            outcome.Add("recovery_outage", none, "s");
            outcome.Add("recovery_convergence_time", none, "s");
        }
        else
        {
            add("recovery_", restoration, end);
        }
        outcome.Add(network.GetMetrics());
        outcome.Add("probe_packets", probe.GetNSent(), "packet");
        Simulator::Destroy();
        return outcome;
    }

    /// Find out when routes change, by a simulation without traffic.
    std::vector<Time> FindMoments(const ExperimentRun& run, Time failure, Time end) const
    {
        FailuresNetwork network(m_settings, GetOptions(), run.scenario, run.scheme);
        network.Schedule(failure);
        Simulator::Stop(end);
        Simulator::Run();
        const auto moments = network.GetMoments();
        Simulator::Destroy();
        return moments;
    }

    FailuresSettings m_settings; //!< what a user may set
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::FabricFailuresExperiment().Main(argc, argv);
}
