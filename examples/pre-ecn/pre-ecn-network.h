/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_PRE_ECN_NETWORK_H
#define AIDC_PRE_ECN_NETWORK_H

#include "pre-ecn-settings.h"

#include "ns3/clos-fabric.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/experiment-options.h"
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
#include "ns3/queue-size.h"
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

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ns3::aidc
{

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
/// Factor of the dynamic threshold of a router's queues: one that is alone may take 8/9 of it all
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

/// Make a fat-tree whose links between switches are faster than the hosts, so that flows that meet
/// there are in nobody's way.
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

/// Make the value of an attribute that is a size. @param bytes the size @return the value
QueueSizeValue
MakeSize(uint32_t bytes)
{
    return QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bytes));
}

} // namespace

/**
 * @ingroup aidc
 * @brief The network of PreEcnExperiment: fat-trees, and a WAN of two paths between each two of
 *        them, of which the second one takes 20 % longer.
 *
 * RoCEv2's class is lossless in the data centers, and not in the WAN. The links between core
 * routers are slower than all hosts together, so that the first core router is where queues grow.
 */
class PreEcnNetwork
{
  public:
    /// Constructor; builds the network.
    /// @param settings what the user has set
    /// @param options the options of all experiments
    /// @param scenario the scenario
    /// @param scheme the scheme
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

    /// Get how much longer packets may take, one way, because PEs steer flows or a link is down.
    /// @return the time; 0 if all packets take the primary path
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

    /// Get the queues where all meets that goes from a data center to another one.
    /// @return by data center, the queue discs of the first core router of each path: both paths to
    ///         the first one of the others, then both to the next one; null where a router is of
    ///         another process
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

    /// Get what notifies of congestion and reacts to it.
    /// @return that; without notifiers and controllers in schemes that have none
    const PreEcnWanHelper& GetPreEcn() const
    {
        return m_preEcn;
    }

    /// Get what spreads traffic over paths by their load.
    /// @return that; without controllers in schemes that do not steer by share
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
        // PEs are no bottleneck, and their queues are those of a lossless class.
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

    /// Have the link of the primary path between the first and the second data center go down and
    /// come back.
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
