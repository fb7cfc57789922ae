// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_PRE_ECN_NETWORK_H
#define AIDC_PRE_ECN_NETWORK_H

#include "ns3/clos-fabric.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/marking-queue.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/path-share-wan-helper.h"
#include "ns3/pointer.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/ptr.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/string.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-plan.h"
#include "ns3/wan-tunnel-helper.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// A scenario of PreEcnExperiment, such as 10ms, 10ms-long, 10ms-both or
/// 10ms-long-both-maintenance.
struct PreEcnScenario
{
    Time delay;                 //!< one-way, of the primary path between PEs
    bool isLong{false};         //!< long flows in place of all-reduces and bursts
    bool isBothWays{false};     //!< whether both data centers of a pair send at a time
    bool hasMaintenance{false}; //!< whether a link is drained, taken down and restored
    bool hasFailure{false};     //!< whether it goes down without notice

    /// @return whether a link is down for some time
    bool HasOutage() const
    {
        return hasMaintenance || hasFailure;
    }

    /// Read the name of a scenario. @throws std::runtime_error with what was expected, if wrong
    static PreEcnScenario Parse(const std::string& name)
    {
        PreEcnScenario scenario;
        std::string delay = name;
        const auto cut = [&delay](const std::string& end) {
            const bool hasEnd = delay.size() > end.size() &&
                                delay.compare(delay.size() - end.size(), end.size(), end) == 0;
            delay.resize(delay.size() - (hasEnd ? end.size() : 0));
            return hasEnd;
        };
        scenario.hasMaintenance = cut("-maintenance");
        scenario.hasFailure = !scenario.hasMaintenance && cut("-failure");
        scenario.isBothWays = cut("-both");
        scenario.isLong = cut("-long");
        // Without decimals: names of files and metrics have no dots.
        const auto unit = delay.find_first_not_of("0123456789");
        double number = 0;
        const bool isDelay = unit != std::string::npos &&
                             ParseNumber(delay.substr(0, unit), number) &&
                             (delay.substr(unit) == "us" || delay.substr(unit) == "ms");
        const double ms = isDelay ? number * (delay[unit] == 'u' ? 1e-3 : 1) : 0;
        CheckOption(
            ms >= 0.01 && ms <= 1000 && (scenario.isLong || !scenario.HasOutage()),
            "--scenarios to be some of DELAY, DELAY-long, DELAY-both, DELAY-long-both, and the "
            "long ones also with -maintenance or -failure behind, with a whole DELAY from 10us "
            "to 1000ms, such as 5ms; found \"" +
                name + "\"");
        scenario.delay = NanoSeconds(std::llround(ms * 1e6));
        return scenario;
    }
};

/// When a link of PreEcnExperiment is out of service.
struct PreEcnOutage
{
    Time drain;       //!< when routes begin to avoid it, in a maintenance
    Time failure;     //!< when it goes down
    Time restoration; //!< when it is up again
};

/// What a user may set of PreEcnExperiment, and what follows from it.
struct PreEcnSettings
{
    PreEcnSettings()
    {
        switches.buffer = 32'000'000;
    }

    /// The speed of hosts, in bit/s
    static constexpr uint64_t HOST_RATE = 100'000'000'000;
    /// The speed of links between switches, and between PEs and switches, in bit/s
    static constexpr uint64_t FABRIC_RATE = 400'000'000'000;
    /// The class of RoCEv2, where RoceNic's DSCP goes
    static constexpr uint32_t PRIORITY = 3;
    /// A lossless class of their own for messages within data centers, which the DSCP 34 has
    static constexpr uint32_t OWN_PRIORITY = 4;
    /// The payload of a full packet
    static constexpr uint32_t PATH_MTU = 4096;

    /// How long it takes to notice that a link is down or up, as in the suite aidc-pe-failure
    static constexpr int64_t DETECTION_MS = 1;
    /// How long it takes until all routers have other routes then, as in that suite
    static constexpr int64_t CONVERGENCE_MS = 1;

    uint32_t sites{2};                        //!< data centers
    uint32_t k{4};                            //!< ports of a switch of the fat-trees
    uint32_t edges{2};                        //!< PEs of each data center
    DataRate coreRate{"400Gbps"};             //!< links between core routers
    Time edgeDelay{MicroSeconds(100)};        //!< links between PEs and core routers
    ExperimentSwitchOptions switches;         //!< the data centers' switches
    uint32_t buffer{64'000'000};              //!< a router's memory
    uint32_t t1{2'000'000};                   //!< T1, and the single threshold
    uint32_t t2{16'000'000};                  //!< T2
    uint32_t maximum{48'000'000};             //!< where all packets are marked
    Time interval{MicroSeconds(100)};         //!< between a flow's notifications
    std::string steering{"share"};            //!< how PEs steer: by share, or flow by flow
    Time reportInterval{MicroSeconds(500)};   //!< between reports of the load of links
    double lightStep{0.05};                   //!< step down of a flow's rate for light congestion
    double severeStep{0.25};                  //!< step down for severe congestion
    bool limitsTunnels{false};                //!< whether a PE sends no more than a core link takes
    double backLoss{0};                       //!< part of packets lost on the way back to PEs
    uint32_t pairs{4};                        //!< pairs of ranks, one in each data center
    uint32_t layers{4};                       //!< all-reduces of each pair
    uint32_t layerBytes{32'000'000};          //!< bytes of each of them
    uint32_t chunks{4};                       //!< chunks of each of them
    uint32_t senders{4};                      //!< senders of a burst
    uint32_t burstBytes{32'000'000};          //!< bytes of each of them
    uint32_t bursts{2};                       //!< bursts
    uint32_t longRoundTrips{10};              //!< how long long flows take, if nothing is lost
    uint32_t victimClass{PRIORITY};           //!< the class of messages within data centers
    std::string recovery{"selective-repeat"}; //!< how RoCEv2 retransmits

    /// Let a user set them. @param[in,out] parameters what the user may set @param plan what is run
    void AddTo(ExperimentParameters& parameters, const ExperimentPlan& plan)
    {
        const auto hasTwoSteps = [&plan] {
            return plan.HasScheme(
                {"two-threshold", "two-threshold-reroute", "two-threshold-both", "mixed-core"});
        };
        const std::string twoSteps = "schemes of two thresholds";
        const auto hasRates = [&plan] {
            return plan.HasScheme({"two-threshold", "two-threshold-both", "mixed-core"});
        };
        const std::string rates = "--schemes=two-threshold, two-threshold-both or mixed-core";
        const auto hasLong = [&plan] {
            return std::any_of(plan.scenarios.begin(), plan.scenarios.end(), [](const auto& name) {
                return PreEcnScenario::Parse(name).isLong;
            });
        };
        const auto hasShort = [&plan] {
            return std::any_of(plan.scenarios.begin(), plan.scenarios.end(), [](const auto& name) {
                return !PreEcnScenario::Parse(name).isLong;
            });
        };
        const std::string isShort = "scenarios without -long";
        const auto hasBursts = [this, hasShort] { return bursts > 0 && hasShort(); };
        parameters.AddCount(
            "sites",
            "data centers; more than two need scenarios with -long, with flows between all pairs",
            sites);
        parameters.AddCount("k", "ports per switch of the fat-trees, even", k);
        parameters.AddCount("edges", "provider edge routers per data center", edges);
        parameters.AddRate("core-rate", "rate of the links between core routers", coreRate)
            .InSmall("200Gbps");
        parameters.AddTime("edge-delay",
                           "one-way delay of the links between provider edge and core routers",
                           edgeDelay);
        switches.AddChipTo(parameters);
        parameters.AddBytes("buffer", "size of a router's shared buffer", buffer, false, 10000)
            .InSmall("24MB")
            .Sets({"ns3::aidc::SharedBuffer::Size"});
        parameters.AddBytes("t1", "lower threshold, also for single-threshold", t1)
            .InSmall("1MB")
            .Sets({"ns3::aidc::PreEcnQueueDisc::T1", "ns3::aidc::CoupledEcnQueueDisc::Threshold"})
            .UseIf([&plan,
                    hasTwoSteps] { return hasTwoSteps() || plan.HasScheme({"single-threshold"}); },
                   "schemes with thresholds");
        parameters.AddBytes("t2", "higher threshold", t2)
            .InSmall("6MB")
            .Sets({"ns3::aidc::PreEcnQueueDisc::T2"})
            .UseIf(hasTwoSteps, twoSteps);
        parameters
            .AddBytes("maximum", "average queue above which all packets are marked CE", maximum)
            .InSmall("20MB")
            .Sets({"ns3::aidc::PreEcnQueueDisc::Maximum"})
            .UseIf(hasTwoSteps, twoSteps);
        parameters.AddTime("interval", "minimum time between notifications of a flow", interval)
            .Sets({"ns3::aidc::CongestionNotifier::Interval"})
            .UseIf(hasTwoSteps, twoSteps);
        const auto steers = [&plan] {
            return plan.HasScheme({"two-threshold-reroute", "two-threshold-both"});
        };
        parameters
            .AddText("steering",
                     "how PEs steer: share (flow sets, by link load), flow (the flows that "
                     "notifications name)",
                     steering)
            .UseIf(steers, "--schemes=two-threshold-reroute or two-threshold-both");
        parameters.AddTime("report-interval", "time between load reports of a link", reportInterval)
            .Sets({"ns3::aidc::LinkLoadReporter::Interval"})
            .UseIf([this, steers] { return steers() && steering == "share"; },
                   "--steering=share, and --schemes=two-threshold-reroute or two-threshold-both");
        const auto hasSteps = [hasRates] {
            return hasRates() && !CreateObject<IngressEdgeController>()->FollowsRates();
        };
        const std::string steps = rates + ", and --ns3::aidc::IngressEdgeController::RateLaw=Steps";
        const auto isStep = [](double value) { return value >= 0 && value <= 0.99; };
        parameters
            .AddNumber("light-step",
                       "fraction by which a PE lowers the rate of a flow for light congestion",
                       lightStep,
                       isStep,
                       "from 0 to 0.99")
            .Sets({"ns3::aidc::IngressEdgeController::LightStep"})
            .UseIf(hasSteps, steps);
        parameters
            .AddNumber("severe-step",
                       "fraction by which a PE lowers the rate of a flow for severe congestion",
                       severeStep,
                       isStep,
                       "from 0 to 0.99")
            .Sets({"ns3::aidc::IngressEdgeController::SevereStep"})
            .UseIf(hasSteps, steps);
        parameters
            .AddFlag("limit-tunnels",
                     "limit each provider edge router to the rate of a link between core routers, "
                     "unless flows are steered",
                     limitsTunnels)
            .UseIf(hasRates, rates);
        parameters.AddNumber(
            "back-loss",
            "fraction of all packets, including notifications, lost from core routers to the "
            "provider "
            "edge routers of the first data center",
            backLoss,
            [](double value) { return value >= 0 && value <= 1; },
            "from 0 to 1");
        parameters.AddCount("pairs", "pairs of ranks, one in each data center", pairs).InSmall("2");
        parameters.AddCount("layers", "all-reduces of each pair of ranks", layers)
            .InSmall("2")
            .UseIf(hasShort, isShort);
        parameters.AddBytes("layer-bytes", "bytes of an all-reduce", layerBytes)
            .InSmall("18MB")
            .UseIf(hasShort, isShort);
        parameters.AddCount("chunks", "chunks of an all-reduce", chunks).UseIf(hasShort, isShort);
        parameters
            .AddCount("senders",
                      "senders per burst, or pairs with long flows besides the ranks",
                      senders)
            .InSmall("2")
            .UseIf([hasBursts, hasLong] { return hasBursts() || hasLong(); },
                   "--bursts above 0, or scenarios with -long");
        parameters.AddBytes("burst-bytes", "bytes that each sender of a burst sends", burstBytes)
            .InSmall("12MB")
            .UseIf(hasBursts, "--bursts above 0, and " + isShort);
        parameters.AddCount("bursts", "bursts of cross traffic", bursts).UseIf(hasShort, isShort);
        parameters
            .AddCount("long-round-trips", "duration of long flows, in round trips", longRoundTrips)
            .UseIf(hasLong, "scenarios with -long");
        parameters.AddCount(
            "victim-class",
            "class of messages within data centers: 3, which the WAN's traffic has, or 4, "
            "a lossless class of their own",
            victimClass);
        parameters
            .AddText("recovery", "how RoCEv2 retransmits: go-back-n, selective-repeat", recovery)
            .Sets({"ns3::aidc::RoceNic::Recovery"});
    }

    /// @return how long flows take that fill the primary path, without its delay and losses
    Time GetLongTime(const PreEcnScenario& scenario) const
    {
        return 2 * int64_t{longRoundTrips} * scenario.delay;
    }

    /// Get when the link is out of service: drained after a quarter of GetLongTime(), taken down
    /// when routes have converged and what waited for it has arrived, and restored another quarter
    /// later.
    /// @return the times; without notice, all but the drain hold
    PreEcnOutage GetOutage(const PreEcnScenario& scenario) const
    {
        const Time quarter = GetLongTime(scenario) / 4;
        PreEcnOutage outage;
        outage.drain = quarter;
        outage.failure = outage.drain + MilliSeconds(CONVERGENCE_MS) +
                         coreRate.CalculateBytesTxTime(buffer) + scenario.delay;
        outage.restoration = outage.failure + quarter;
        return outage;
    }

    /// Check them for a scenario. @throws std::runtime_error with what was expected
    void Check(const PreEcnScenario& scenario) const
    {
        const uint32_t nHosts = k * k * k / 4;
        CheckOption(k >= 4 && k % 2 == 0 && k <= 32,
                    "--k as an even number from 4 to 32, found " + std::to_string(k));
        CheckOption(edges > 0, "--edges above 0");
        CheckOption(victimClass == PRIORITY || victimClass == OWN_PRIORITY,
                    "--victim-class as 3 or 4, found " + std::to_string(victimClass));
        CheckRange("sites", sites, 2, MAX_WAN_SITES);
        CheckOption(sites == 2 || scenario.isLong,
                    "--sites=2 in scenarios without -long, found " + std::to_string(sites));
        CheckOption(pairs > 0 && pairs <= nHosts / 2,
                    "--pairs from 1 to " + std::to_string(nHosts / 2) +
                        ", half of the hosts, found " + std::to_string(pairs));
        CheckOption(senders > 0 && senders <= nHosts / 2,
                    "--senders from 1 to " + std::to_string(nHosts / 2) +
                        ", half of the hosts, found " + std::to_string(senders));
        CheckOption(layers > 0, "--layers above 0");
        CheckOption(chunks > 0, "--chunks above 0");
        CheckRange("long-round-trips", longRoundTrips, 1, 1'000'000);
        CheckOption(2 * edgeDelay < scenario.delay,
                    "--edge-delay below half of the delay of the scenario");
        if (scenario.HasOutage())
        {
            // Even if flows have both paths until then, they are under way until the link is
            // restored.
            const auto outage = GetOutage(scenario);
            const double least = 4 * (outage.failure - outage.drain).GetSeconds() /
                                 (2 * scenario.delay.GetSeconds());
            CheckOption(longRoundTrips >= least,
                        "--long-round-trips of " + std::to_string(std::llround(std::ceil(least))) +
                            " at least, so that long flows outlast the outage of a link, found " +
                            std::to_string(longRoundTrips));
        }
        CheckOption(t1 < t2 && t2 < maximum, "--t1 below --t2, and that below --maximum");
        CheckOption(steering == "share" || steering == "flow",
                    "--steering to be share or flow, found \"" + steering + "\"");
        CheckOption(recovery == "go-back-n" || recovery == "selective-repeat",
                    "--recovery to be go-back-n or selective-repeat, found \"" + recovery + "\"");
    }
};

namespace
{

/// Every class of a port
constexpr auto ALL = SharedBufferSwitchHelper::ALL_CLASSES;
/// Delay of the links in data centers, in ns
constexpr int64_t DELAY = 1000;
/// Room for a full packet in the data centers
constexpr uint16_t MTU = 4200;
/// ECN threshold of queues that mark nothing
constexpr uint32_t MARK_NOTHING = std::numeric_limits<uint32_t>::max();
/// Factor of the dynamic threshold of a router's queues: one alone may take 8/9 of the memory
constexpr double ROUTER_ALPHA = 8;
/// Paths between two data centers
constexpr uint32_t N_PATHS = 2;
/// Speed of the links between PEs and core routers
constexpr uint64_t EDGE_RATE = 800'000'000'000;

const std::string REROUTE = "two-threshold-reroute"; //!< the scheme of that name
const std::string BOTH = "two-threshold-both";       //!< the scheme of that name
const std::string MIXED = "mixed-core";              //!< the scheme of that name

/// Tell whether there are routers that mark in two steps.
bool
HasTwoSteps(const std::string& scheme)
{
    return scheme != "tail-drop" && scheme != "single-threshold";
}

/// Make a fat-tree whose switches have faster links than hosts, so that flows are in nobody's way.
FabricPlan
MakeAidc(uint32_t k)
{
    ClosSettings settings;
    settings.pods = k;
    settings.leavesPerPod = k / 2;
    settings.hostsPerLeaf = k / 2;
    settings.spinesPerPod = k / 2;
    settings.superSpinesPerPlane = k / 2;
    settings.hostRate = PreEcnSettings::HOST_RATE;
    settings.leafSpineRate = PreEcnSettings::FABRIC_RATE;
    settings.spineSuperSpineRate = PreEcnSettings::FABRIC_RATE;
    settings.hostDelay = DELAY;
    settings.leafSpineDelay = DELAY;
    settings.spineSuperSpineDelay = DELAY;
    return MakeClos5(settings);
}

} // namespace

/// The network of PreEcnExperiment: fat-trees, and a WAN of two paths between each two of
/// them, of which the second one takes 20 % longer.
///
/// RoCEv2's class is lossless in the data centers, and not in the WAN. The links between core
/// routers are slower than all hosts together, so that the first core router is where queues grow.
class PreEcnNetwork
{
  public:
    /// Builds the network.
    PreEcnNetwork(const PreEcnSettings& settings,
                  const ExperimentOptions& options,
                  const PreEcnScenario& scenario,
                  const std::string& scheme)
        : m_sites(settings.sites)
    {
        for (uint32_t site = 0; site < m_sites; ++site)
        {
            options.Configure(m_wan.GetAidc(site));
            m_wan.GetAidc(site).SetMtu(GetUserDefaultOr("ns3::aidc::EthernetNetDevice::Mtu", MTU));
        }
        m_wan.SetDatapath(options.datapath == "stack" ? SwitchDatapath::STACK
                                                      : SwitchDatapath::FAST);
        m_wan.SetCoreKnowsAidcs(false);
        m_wan.SetBorderLink(PreEcnSettings::FABRIC_RATE, NanoSeconds(DELAY));
        if (scenario.HasOutage())
        {
            m_wan.SetDetectionDelay(MilliSeconds(PreEcnSettings::DETECTION_MS));
            m_wan.SetConvergenceDelay(MilliSeconds(PreEcnSettings::CONVERGENCE_MS));
        }
        m_wan.Build(std::vector<FabricPlan>(m_sites, MakeAidc(settings.k)),
                    MakePaths(settings, scenario.delay));

        auto switches = settings.switches.Make("off"); // what is marked was marked in the WAN
        switches.SetNClasses(8);
        m_stream += SharedBufferSwitchHelper::AssignStreams(switches.Install(m_wan.GetSwitches()),
                                                            m_stream);
        InstallRouters(settings, scheme);
        PriorityFlowControlHelper pfc;
        // Each lossless class has its accounts and its headroom, so that a pause of one stops no
        // other.
        pfc.SetPriorities(
            settings.victimClass == PreEcnSettings::PRIORITY
                ? std::vector<uint32_t>{PreEcnSettings::PRIORITY}
                : std::vector<uint32_t>{PreEcnSettings::PRIORITY, settings.victimClass});
        m_wan.InstallLossless(pfc);
        m_wan.AssignAddresses();
        m_stream += m_wan.AssignStreams(m_stream);
        InstallTunnels(settings, scheme);
        if (scenario.HasOutage())
        {
            m_detour = m_tunnels.GetDetour();
            ScheduleOutage(settings.GetOutage(scenario), scenario.hasMaintenance);
        }
        InstallHosts(settings);
        LosePackets(settings);
    }

    /// Get the network. @return the network
    const WanHelper& GetWan() const
    {
        return m_wan;
    }

    /// @return how much longer packets may take, one way, as PEs steer or a link is down; or 0
    Time GetDetour() const
    {
        return m_detour;
    }

    /// Get the queue of RoCEv2's class at a port. @param device the port @return the queue disc
    static Ptr<MarkingQueue> GetQueue(Ptr<NetDevice> device)
    {
        const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
        return DynamicCast<SwitchPortQueueDisc>(layer->GetRootQueueDiscOnDevice(device))
            ->GetClass(PreEcnSettings::PRIORITY)
            ->GetQueue();
    }

    /// @return by data center, the queues at the first core router of paths to others: of both
    /// paths to the first of these, then to the next; null where a router is another process's
    std::vector<std::vector<Ptr<MarkingQueue>>> GetBottlenecks() const
    {
        std::vector<std::vector<Ptr<MarkingQueue>>> queues(m_sites);
        for (uint32_t from = 0; from < m_sites; ++from)
        {
            for (uint32_t to = 0; to < m_sites; ++to)
            {
                for (uint32_t path = 0; to != from && path < N_PATHS; ++path)
                {
                    const bool isLocal = m_wan.IsLocal(m_wan.GetPlan().Find(GetCore(path, from)));
                    queues[from].push_back(
                        isLocal ? GetQueue(m_wan.GetPort(GetCore(path, from), GetCore(path, to)))
                                : nullptr);
                }
            }
        }
        return queues;
    }

    /// @return what notifies of congestion and reacts to it; empty in schemes that have none
    const PreEcnWanHelper& GetPreEcn() const
    {
        return m_preEcn;
    }

    /// @return what spreads traffic by the load of paths; empty in schemes that do not
    const PathShareWanHelper& GetPathShares() const
    {
        return m_shares;
    }

  private:
    /// Install the queue discs of routers.
    void InstallRouters(const PreEcnSettings& settings, const std::string& scheme)
    {
        SharedBufferSwitchHelper routers;
        routers.SetBufferAttribute("Size", MakeSize(settings.buffer));
        if (!HasUserDefault("ns3::aidc::SharedBufferQueue::Alpha"))
        {
            routers.SetClassAttribute(ALL, "Alpha", DoubleValue(ROUTER_ALPHA));
        }
        routers.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
        routers.SetQueueDiscAttribute(ALL,
                                      "Threshold",
                                      MakeSize(scheme == "tail-drop" ? MARK_NOTHING : settings.t1));
        auto twoSteps = routers;
        twoSteps.SetQueueDisc(PreEcnSettings::PRIORITY, "ns3::aidc::PreEcnQueueDisc");
        const auto set = [&twoSteps](const std::string& name, const AttributeValue& value) {
            twoSteps.SetQueueDiscAttribute(PreEcnSettings::PRIORITY, name, value);
        };
        set("T1", MakeSize(settings.t1));
        set("T2", MakeSize(settings.t2));
        set("Maximum", MakeSize(settings.maximum));
        // A queue of megabytes is no burst of a few packets: it needs no long memory.
        if (!HasUserDefault("ns3::aidc::PreEcnQueueDisc::AverageWeight"))
        {
            set("AverageWeight", DoubleValue(0.02));
        }
        const auto& plan = m_wan.GetPlan();
        for (const NodeIndex core : plan.GetCores())
        {
            const auto& name = plan.GetRouters()[core].name;
            const bool isNearFirst = name == GetCore(0, 0) || name == GetCore(1, 0);
            const bool isSupported = HasTwoSteps(scheme) && (scheme != MIXED || isNearFirst);
            const auto own =
                m_wan.IsLocal(core) ? NodeContainer(m_wan.GetRouter(core)) : NodeContainer();
            m_stream += SharedBufferSwitchHelper::AssignStreams(
                (isSupported ? twoSteps : routers).Install(own),
                m_stream);
        }
        // PEs are no bottleneck, and their queues are of a lossless class.
        const NodeContainer edges = m_wan.GetEdges();
        m_stream += SharedBufferSwitchHelper::AssignStreams(routers.Install(edges), m_stream);
    }

    /// Install tunnels, and what notifies of congestion and reacts to it.
    void InstallTunnels(const PreEcnSettings& settings, const std::string& scheme)
    {
        if (HasTwoSteps(scheme))
        {
            m_tunnels.SetAttribute("EgressMode", EnumValue(IpTunnelNetDevice::PIPE_FOR_ECT_1));
        }
        m_tunnels.Install(m_wan);
        if (!HasTwoSteps(scheme))
        {
            return;
        }
        const bool isSteered = scheme == REROUTE || scheme == BOTH;
        const bool isShare = isSteered && settings.steering == "share";
        const auto reaction = scheme == REROUTE       ? (isShare ? IngressEdgeController::NONE
                                                                 : IngressEdgeController::REROUTE)
                              : isSteered && !isShare ? IngressEdgeController::BOTH
                                                      : IngressEdgeController::RATE;
        const auto set = [this](const std::string& name, const AttributeValue& value) {
            if (!HasUserDefault("ns3::aidc::IngressEdgeController::" + name))
            {
                m_preEcn.SetControllerAttribute(name, value);
            }
        };
        m_detour = isSteered ? m_tunnels.GetDetour() : Time();
        m_preEcn.SetNotifierAttribute("Interval", TimeValue(settings.interval));
        m_preEcn.SetLimitsTunnels(settings.limitsTunnels);
        set("LightReaction", EnumValue(reaction));
        set("LightStep", DoubleValue(settings.lightStep));
        set("SevereStep", DoubleValue(settings.severeStep));
        m_preEcn.Install(m_wan, m_tunnels);
        if (isShare)
        {
            m_shares.SetReporterAttribute("Interval", TimeValue(settings.reportInterval));
            if (!HasUserDefault("ns3::aidc::LinkLoadReporter::MeasureTime"))
            {
                m_shares.SetReporterAttribute("MeasureTime",
                                              TimeValue(settings.reportInterval / 2));
            }
            m_shares.Install(m_wan, m_tunnels);
        }
    }

    /// Lose packets on the way back to the PEs of the first data center.
    void LosePackets(const PreEcnSettings& settings)
    {
        for (uint32_t edge = 0; settings.backLoss > 0 && edge < settings.edges; ++edge)
        {
            for (const std::string core : {"core-0-0", "core-1-0"})
            {
                auto errors = CreateObject<RateErrorModel>();
                errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
                errors->SetRate(settings.backLoss);
                m_stream += errors->AssignStreams(m_stream);
                m_wan.GetPort("pe-a-" + std::to_string(edge), core)
                    ->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            }
        }
    }

    /// Install the hosts' adapters.
    void InstallHosts(const PreEcnSettings& settings)
    {
        RoceHelper roce;
        const auto set = [&roce](const std::string& name, const AttributeValue& value) {
            if (!HasUserDefault("ns3::aidc::RoceNic::" + name))
            {
                roce.SetAttribute(name, value);
            }
        };
        set("CongestionControl", ObjectFactoryValue(ObjectFactory("ns3::aidc::DcqcnControl")));
        set("PathMtu", UintegerValue(PreEcnSettings::PATH_MTU));
        set("Recovery",
            StringValue(settings.recovery == "go-back-n" ? "GoBackN" : "SelectiveRepeat"));
        roce.Install(m_wan.GetHosts());
    }

    /// Have the primary path's link between the first two data centers go down and come back.
    void ScheduleOutage(const PreEcnOutage& outage, bool isDrained)
    {
        const auto link = m_wan.GetPlan().FindLink(GetCore(0, 0), GetCore(0, 1));
        if (isDrained)
        {
            m_wan.ScheduleMaintenance(link, outage.drain, outage.failure, outage.restoration);
        }
        else
        {
            m_wan.ScheduleFailure(link, outage.failure, outage.restoration);
        }
    }

    /// Get the name of a core router.
    std::string GetCore(uint32_t path, uint32_t site) const
    {
        // As MakeTwoSiteWan() and MakeWan() name them
        return m_sites == 2 ? "core-" + std::to_string(path) + "-" + std::to_string(site)
                            : "core-" + WanPlan::GetSiteName(site) + "-" + std::to_string(path);
    }

    /// Get what the paths of the WAN are made of.
    static WanPlan MakePaths(const PreEcnSettings& settings, Time delay)
    {
        const uint64_t rate = settings.coreRate.GetBitRate();
        const int64_t ns = delay.GetNanoSeconds();
        const std::vector<WanPathSettings> paths{{ns, rate, 2}, {ns + ns / 5, rate, 2}};
        const auto setEdges = [&settings](auto& wan) {
            wan.edges = settings.edges;
            wan.edgeRate = EDGE_RATE;
            wan.edgeDelay = settings.edgeDelay.GetNanoSeconds();
        };
        if (settings.sites == 2)
        {
            TwoSiteWanSettings wan;
            setEdges(wan);
            wan.paths = paths;
            return MakeTwoSiteWan(wan);
        }
        WanSettings wan;
        setEdges(wan);
        for (uint32_t a = 0; a < settings.sites; ++a)
        {
            for (uint32_t b = a + 1; b < settings.sites; ++b)
            {
                wan.pairs.push_back({a, b, paths});
            }
        }
        return MakeWan(wan);
    }

    const uint32_t m_sites;      //!< the number of data centers
    WanHelper m_wan;             //!< the network
    WanTunnelHelper m_tunnels;   //!< its tunnels
    PreEcnWanHelper m_preEcn;    //!< notifies and reacts
    PathShareWanHelper m_shares; //!< steers by share
    Time m_detour;               //!< GetDetour()
    int64_t m_stream{1000};      //!< the next random variable stream
};

} // namespace ns3::aidc

#endif // AIDC_PRE_ECN_NETWORK_H
