// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_TWO_SITES_NETWORK_H
#define AIDC_TWO_SITES_NETWORK_H

#include "ns3/bgp-wan-helper.h"
#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/csig-port.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/fabric-plan.h"
#include "ns3/graph-fabric.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/ipv4.h"
#include "ns3/marking-queue.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-helper.h"
#include "ns3/shared-buffer-switch-helper.h"
#include "ns3/string.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"
#include "ns3/wan-helper.h"
#include "ns3/wan-tunnel-helper.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// The number of data centers.
inline constexpr uint32_t WAN_SITES = 2;

namespace
{

/// Schemes that have all mechanisms but one.
const std::string ALL_BUT = "all-but-";

} // namespace

/// The mechanisms that a scheme of TwoSitesExperiment has.
struct TwoSitesMechanisms
{
    /// @param scheme baseline, a mechanism, fare-pre-ecn, all, or all-but- with a mechanism
    explicit TwoSitesMechanisms(const std::string& scheme)
    {
        const auto has = [&scheme](const std::string& name) {
            return scheme == name || scheme == "all" ||
                   (scheme.rfind(ALL_BUT, 0) == 0 && scheme != ALL_BUT + name) ||
                   (scheme == "fare-pre-ecn" && (name == "fare" || name == "pre-ecn"));
        };
        coupledEcn = has("coupled-ecn");
        flowSet = has("flow-set");
        fare = has("fare");
        preEcn = has("pre-ecn");
        csig = has("csig");
    }

    bool coupledEcn; //!< the ECN threshold of switches is coupled to their buffers
    bool flowSet;    //!< switches move flow sets away from congested ports
    bool fare;       //!< switches weigh paths by the bandwidths that BGP carries
    bool preEcn;     //!< core routers mark in two steps, and the provider edge reacts
    bool csig;       //!< hosts get CSIG's signals, and Swift uses them in place of DCQCN
};

/// What a user may set of TwoSitesExperiment, and what follows from it.
struct TwoSitesSettings
{
    TwoSitesSettings()
    {
        switches.buffer = 2'000'000;
    }

    /// The speed of hosts and of the links between switches, in bit/s
    static constexpr uint64_t HOST_RATE = 100'000'000'000;
    /// The class of RoCEv2, where RoceNic's DSCP goes
    static constexpr uint32_t PRIORITY = 3;
    /// The payload of a full packet
    static constexpr uint32_t PATH_MTU = 4096;
    /// Provider edge routers (PEs) of each data center
    static constexpr uint32_t EDGES = 2;

    std::string size{"default"};             //!< small, default or large
    uint32_t k{4};                           //!< ports of a switch of the fat-trees
    ExperimentSwitchOptions switches;        //!< the switches of the data centers
    double degraded{0.25};                   //!< what is left of the rate of the degraded link
    Time wanDelay{MilliSeconds(1)};          //!< one-way, of the primary path between PEs
    DataRate coreRate{"200Gbps"};            //!< links between core routers
    uint32_t layers{4};                      //!< layers of the model
    uint32_t layerBytes{8'000'000};          //!< bytes of a layer's gradients
    Time compute{MicroSeconds(100)};         //!< computation of a layer, in each direction
    uint32_t storageBytes{500'000};          //!< bytes of each sender of an incast
    uint32_t storageSenders{6};              //!< senders of an incast
    Time storageInterval{MicroSeconds(200)}; //!< mean time between incasts of a data center
    Time duration{MilliSeconds(8)};          //!< how long incasts begin
    uint32_t elephantBytes{20'000'000};      //!< bytes of an elephant
    uint32_t burstBytes{24'000'000};         //!< bytes of each sender of a burst
    uint32_t bursts{2};                      //!< bursts over the WAN

    /// Get the ranks of a data center: every second host. @return their number
    uint32_t GetNRanks() const
    {
        return k * k * k / 8;
    }

    /// The links between PEs and core routers. @return their one-way delay
    Time GetEdgeDelay() const
    {
        return wanDelay / 10;
    }

    /// @return bit/s of links between PEs and core routers: twice the rate among core routers
    uint64_t GetEdgeRate() const
    {
        return 2 * coreRate.GetBitRate();
    }

    /// Let a user set them. @param[in,out] parameters what the user may set
    void AddTo(ExperimentParameters& parameters)
    {
        parameters.AddText(
            "size",
            "small (seconds), default (minutes) or large: the defaults of other options",
            size);
        parameters.AddCount("k", "ports of a switch of the fat-trees, even, from 4 to 16", k)
            .InLarge("8");
        switches.AddMemoryTo(parameters, "size of a switch's shared buffer, such as 2MB", 10000);
        parameters.AddNumber(
            "degraded",
            "what is left of the rate of the link between the first leaf and its first spine",
            degraded,
            [](double value) { return value >= 0.01 && value <= 1; },
            "from 0.01 to 1");
        parameters.AddTime("wan-delay", "one-way delay between provider edge routers", wanDelay);
        parameters
            .AddRate("core-rate",
                     "rate of the links between core routers; the PEs' links have twice as much",
                     coreRate)
            .InLarge("1600Gbps");
        parameters.AddCount("layers", "layers of the model", layers).InSmall("1").InLarge("8");
        parameters.AddBytes("layer-bytes", "bytes of a layer's gradients", layerBytes)
            .InSmall("4MB");
        parameters.AddTime("compute", "computation of a layer, in each direction", compute, true);
        parameters.AddBytes("storage-bytes", "bytes of each sender of an incast", storageBytes);
        parameters.AddCount("storage-senders", "senders of an incast", storageSenders);
        parameters.AddTime("storage-interval",
                           "mean time between incasts of a data center",
                           storageInterval);
        parameters.AddTime("duration", "how long incasts begin", duration).InSmall("1ms");
        parameters.AddBytes("elephant-bytes", "bytes of an elephant", elephantBytes).InSmall("4MB");
        parameters
            .AddBytes("burst-bytes", "bytes of each sender of a burst over the WAN", burstBytes)
            .UseIf([this] { return bursts > 0; }, "--bursts above 0");
        parameters
            .AddCount("bursts", "bursts over the WAN, from either data center in turn", bursts)
            .InSmall("1");
    }

    /// Check them. @throws std::runtime_error with what was expected
    void Check() const
    {
        CheckOption(k >= 4 && k % 2 == 0 && k <= 16,
                    "--k as an even number from 4 to 16, found " + std::to_string(k));
        const uint32_t nOthers = k * k * k / 8;
        CheckOption(storageSenders > 0 && storageSenders <= nOthers,
                    "--storage-senders from 1 to " + std::to_string(nOthers) +
                        ", half of the hosts of a data center, found " +
                        std::to_string(storageSenders));
        CheckOption(layers > 0, "--layers above 0");
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
/// Speed of the links between a data center and its PEs, in bit/s
constexpr uint64_t BORDER_RATE = 400'000'000'000;
/// Factor of the dynamic threshold of a router's queues: one alone may take 8/9 of the memory
constexpr double ROUTER_ALPHA = 8;
// Of a core router, as the time that its link needs to send as much, as in pre-ecn
constexpr double T1 = 40e-6;       //!< T1 and the single threshold
constexpr double T2 = 320e-6;      //!< T2
constexpr double MAXIMUM = 960e-6; //!< where all packets are marked
constexpr double MEMORY = 1280e-6; //!< the memory

/// The random variable stream of the seeds of hashes
constexpr int64_t HASH_STREAM = 3;

/// Make the fat-tree of a data center.
FabricPlan
MakeAidc(const TwoSitesSettings& settings, bool isDegraded)
{
    const FabricPlan tree = MakeFatTree(settings.k, TwoSitesSettings::HOST_RATE, DELAY);
    if (!isDegraded)
    {
        return tree;
    }
    const NodeIndex leaf = tree.GetLeaves().front();
    auto links = tree.GetLinks();
    auto& rate = links[tree.GetPorts(leaf)[tree.GetUplinks(leaf).front()].link].rate;
    rate = static_cast<uint64_t>(static_cast<double>(rate) * settings.degraded);
    return CopyFabric(tree, links);
}

/// Make the routing of the switches.
MultipathRoutingHelper
MakeRouting(const TwoSitesMechanisms& mechanisms)
{
    if (!mechanisms.flowSet)
    {
        return MultipathRoutingHelper(mechanisms.fare ? "ns3::aidc::PathBandwidthRouting"
                                                      : "ns3::aidc::MultipathRouting");
    }
    MultipathRoutingHelper routing("ns3::aidc::FlowSetEcmpRouting");
    routing.SetSelector("ns3::aidc::FlowSetSelector");
    // As in flowset-ecmp: flows of milliseconds do not live to see the draft's interval of 10 ms.
    if (!HasUserDefault("ns3::aidc::FlowSetSelector::AssessmentInterval"))
    {
        routing.SetSelectorAttribute("AssessmentInterval", TimeValue(MicroSeconds(100)));
    }
    return routing;
}

} // namespace

/// The network of TwoSitesExperiment: two fat-trees and a WAN of two paths, of which the
/// second one takes 20 % longer; switches and provider edge routers (PEs) speak BGP.
///
/// The link between the first leaf of the first data center and its first spine has lost a part of
/// its rate. RoCEv2's class is lossless in the data centers, and not in the WAN.
class TwoSitesNetwork
{
  public:
    /// Builds the network.
    TwoSitesNetwork(const TwoSitesSettings& settings,
                    const ExperimentOptions& options,
                    const TwoSitesMechanisms& mechanisms)
        : m_settings(settings),
          m_mechanisms(mechanisms)
    {
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            auto& aidc = m_wan.GetAidc(site);
            options.Configure(aidc);
            aidc.SetMtu(GetUserDefaultOr("ns3::aidc::EthernetNetDevice::Mtu", MTU));
            aidc.SetSwitchRouting(MakeRouting(mechanisms));
            aidc.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        }
        m_wan.SetDatapath(options.datapath == "stack" ? SwitchDatapath::STACK
                                                      : SwitchDatapath::FAST);
        m_wan.SetCoreKnowsAidcs(false);
        if (mechanisms.fare)
        {
            m_wan.SetRouterRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        }
        m_wan.SetBorderLink(BORDER_RATE, NanoSeconds(DELAY));
        TwoSiteWanSettings wan;
        wan.edges = TwoSitesSettings::EDGES;
        wan.edgeRate = settings.GetEdgeRate();
        wan.edgeDelay = settings.GetEdgeDelay().GetNanoSeconds();
        const int64_t delay = settings.wanDelay.GetNanoSeconds();
        const uint64_t rate = settings.coreRate.GetBitRate();
        wan.paths = {{delay, rate, 2}, {delay + delay / 5, rate, 2}};
        m_t1 = static_cast<uint32_t>(std::lround(T1 * static_cast<double>(rate) / 8));
        m_wan.Build({MakeAidc(settings, true), MakeAidc(settings, false)}, MakeTwoSiteWan(wan));

        DrawHashes();
        InstallSwitches(0);
        InstallSwitches(1);
        InstallRouters();
        PriorityFlowControlHelper pfc;
        pfc.SetPriorities({TwoSitesSettings::PRIORITY});
        m_wan.InstallLossless(pfc);
        m_wan.AssignAddresses();
        m_stream += m_wan.AssignStreams(m_stream);
        InstallTunnels();
        if (!mechanisms.fare || !HasUserDefault("ns3::aidc::BgpSpeaker::UsePathBandwidth"))
        {
            m_bgp.SetSpeakerAttribute("UsePathBandwidth", BooleanValue(mechanisms.fare));
        }
        m_bgp.Install(m_wan, m_tunnels);
        m_stream += m_bgp.AssignStreams(m_stream);
        InstallHosts();
        for (uint32_t site = 0; site < WAN_SITES && mechanisms.csig; ++site)
        {
            InstallCsig(site);
        }
    }

    TwoSitesNetwork(const TwoSitesNetwork&) = delete;
    TwoSitesNetwork& operator=(const TwoSitesNetwork&) = delete;

    /// Get the network. @return the network
    const WanHelper& GetWan() const
    {
        return m_wan;
    }

    /// @return what notifies of congestion in the WAN and reacts; empty in schemes that have none
    const PreEcnWanHelper& GetPreEcn() const
    {
        return m_preEcn;
    }

    /// @return the CSIG domain of a data center; null in schemes that have none
    Ptr<CsigDomain> GetDomain(uint32_t site) const
    {
        return m_csig.at(site).GetDomain();
    }

    /// @return RoCEv2's queues of this process at the first core router of each path, where all
    /// that the first data center sends to the other one meets
    std::vector<Ptr<MarkingQueue>> GetBottlenecks() const
    {
        std::vector<Ptr<MarkingQueue>> queues;
        for (const std::string path : {"core-0-", "core-1-"})
        {
            if (!m_wan.IsLocal(m_wan.GetPlan().Find(path + "0")))
            {
                continue;
            }
            const auto port = m_wan.GetPort(path + "0", path + "1");
            const auto layer = port->GetNode()->GetObject<TrafficControlLayer>();
            queues.push_back(DynamicCast<SwitchPortQueueDisc>(layer->GetRootQueueDiscOnDevice(port))
                                 ->GetClass(TwoSitesSettings::PRIORITY)
                                 ->GetQueue());
        }
        return queues;
    }

    /// Get the length above which a bottleneck counts as congested. @return T1 in bytes
    uint32_t GetT1() const
    {
        return m_t1;
    }

    /// Choose the congestion control of a host's queue pairs from now on. Swift follows CSIG, whose
    /// domain is a data center: queue pairs to the other one, far away, have DCQCN in all schemes.
    void SelectControl(Ptr<Node> host, bool isFar) const
    {
        if (!RoceHelper::IsLocal(host))
        {
            return;
        }
        ObjectFactory control("ns3::aidc::DcqcnControl");
        if (m_mechanisms.csig && !isFar)
        {
            control = ObjectFactory("ns3::aidc::SwiftControl",
                                    "GoverningDelay",
                                    StringValue("HopDelay"),
                                    "JumpStart",
                                    BooleanValue(true));
        }
        RoceHelper::GetNic(host)->SetAttribute("CongestionControl", ObjectFactoryValue(control));
    }

  private:
    /// Draw the seeds of all switches' and routers' hashes: each run has other ones.
    void DrawHashes() const
    {
        if (HasUserDefault("ns3::aidc::NextHopSelector::Seed"))
        {
            return;
        }
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(HASH_STREAM);
        // Each process draws for all nodes, so that seeds do not depend on how many processes there
        // are.
        const auto draw = [&uniform](Ptr<Node> node, bool isLocal) {
            const uint32_t seed = uniform->GetInteger(1, 1U << 31);
            if (isLocal)
            {
                const auto selector = MultipathRoutingHelper::GetRouting(node)->GetSelector();
                selector->SetAttribute("Seed", UintegerValue(seed));
                selector->SetIpv4(node->GetObject<Ipv4>()); // takes the seed
            }
        };
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            const auto& aidc = m_wan.GetAidc(site);
            for (const NodeIndex id : aidc.GetFabric().GetSwitches())
            {
                draw(aidc.GetNode(id), aidc.IsLocal(id));
            }
        }
        const WanPlan& plan = m_wan.GetPlan();
        for (const uint32_t site : {WanRouter::NO_SITE, 0U, 1U})
        {
            for (const NodeIndex router : plan.GetEdges(site))
            {
                draw(m_wan.GetRouter(router), m_wan.IsLocal(router));
            }
        }
    }

    /// Install the switches of a data center. @param site the data center
    void InstallSwitches(uint32_t site)
    {
        const auto& options = m_settings.switches;
        auto switches = options.Make(m_mechanisms.coupledEcn ? "coupled" : "static");
        switches.SetNClasses(8);
        if (!m_mechanisms.coupledEcn)
        {
            // From 400 kB to 1.6 MB, as DCQCN is configured at 100 Gb/s.
            switches.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticRed"));
        }
        m_stream += SharedBufferSwitchHelper::AssignStreams(
            switches.Install(m_wan.GetAidc(site).GetSwitches()),
            m_stream);
    }

    /// Install the queue discs of routers.
    void InstallRouters()
    {
        const double rate = static_cast<double>(m_settings.coreRate.GetBitRate()) / 8;
        const auto getSize = [rate](double time) {
            return MakeSize(static_cast<uint32_t>(std::lround(time * rate)));
        };
        SharedBufferSwitchHelper routers;
        routers.SetBufferAttribute("Size", getSize(MEMORY));
        routers.SetClassAttribute(ALL, "Alpha", DoubleValue(ROUTER_ALPHA));
        routers.SetQueueDiscAttribute(ALL, "Mode", StringValue("StaticStep"));
        routers.SetQueueDiscAttribute(ALL, "Threshold", MakeSize(m_t1));
        auto cores = routers;
        if (m_mechanisms.preEcn)
        {
            const auto set = [&cores](const std::string& name, const AttributeValue& value) {
                if (!HasUserDefault("ns3::aidc::PreEcnQueueDisc::" + name))
                {
                    cores.SetQueueDiscAttribute(TwoSitesSettings::PRIORITY, name, value);
                }
            };
            cores.SetQueueDisc(TwoSitesSettings::PRIORITY, "ns3::aidc::PreEcnQueueDisc");
            set("T1", MakeSize(m_t1));
            set("T2", getSize(T2));
            set("Maximum", getSize(MAXIMUM));
            // A queue of megabytes is no burst of a few packets: it needs no long memory.
            set("AverageWeight", DoubleValue(0.02));
        }
        m_stream +=
            SharedBufferSwitchHelper::AssignStreams(cores.Install(m_wan.GetCores()), m_stream);
        const NodeContainer edges = m_wan.GetEdges();
        m_stream += SharedBufferSwitchHelper::AssignStreams(routers.Install(edges), m_stream);
    }

    /// Install tunnels, and what notifies of congestion and reacts to it.
    void InstallTunnels()
    {
        if (m_mechanisms.preEcn)
        {
            m_tunnels.SetAttribute("EgressMode", EnumValue(IpTunnelNetDevice::PIPE_FOR_ECT_1));
        }
        m_tunnels.Install(m_wan);
        if (m_mechanisms.preEcn)
        {
            m_preEcn.Install(m_wan, m_tunnels);
        }
    }

    /// Install the hosts' adapters.
    void InstallHosts() const
    {
        RoceHelper roce;
        const auto set = [&roce](const std::string& name, const AttributeValue& value) {
            if (!HasUserDefault("ns3::aidc::RoceNic::" + name))
            {
                roce.SetAttribute(name, value);
            }
        };
        set("PathMtu", UintegerValue(TwoSitesSettings::PATH_MTU));
        set("Recovery", StringValue("SelectiveRepeat"));
        roce.Install(m_wan.GetHosts());
    }

    /// Install CSIG in a data center. @param site the data center
    void InstallCsig(uint32_t site)
    {
        const auto& aidc = m_wan.GetAidc(site);
        auto& csig = m_csig[site];
        if (!HasUserDefault("ns3::aidc::CsigPort::Trusted"))
        {
            csig.SetPortAttribute("Trusted", BooleanValue(true));
        }
        csig.SetNicAttribute("Format", StringValue("Expanded"));
        csig.SetNicAttribute("Signals", StringValue("max(PD),min(ABW)"));
        csig.Install(aidc);
        // Tags end where the data center does.
        const FabricPlan& plan = aidc.GetFabric();
        for (const NodeIndex id : plan.GetSwitches())
        {
            const auto node = aidc.GetNode(id);
            for (uint32_t i = plan.GetPorts(id).GetEnd().value;
                 aidc.IsLocal(id) && i < node->GetNDevices();
                 ++i)
            {
                if (const auto device = DynamicCast<EthernetNetDevice>(node->GetDevice(i)))
                {
                    const auto port = CreateObject<CsigPort>();
                    port->SetAttribute("Domain", PointerValue(csig.GetDomain()));
                    port->SetAttribute("StripEgress", BooleanValue(true));
                    port->Install(device);
                }
            }
        }
    }

    const TwoSitesSettings& m_settings;       //!< what the user has set
    const TwoSitesMechanisms m_mechanisms;    //!< what the scheme has
    uint32_t m_t1;                            //!< GetT1()
    WanHelper m_wan;                          //!< the network
    BgpWanHelper m_bgp;                       //!< the speakers of switches and PEs
    std::array<CsigHelper, WAN_SITES> m_csig; //!< CSIG in the data centers
    WanTunnelHelper m_tunnels;                //!< its tunnels
    PreEcnWanHelper m_preEcn;                 //!< notifies and reacts
    int64_t m_stream{1000};                   //!< the next random variable stream
};

} // namespace ns3::aidc

#endif // AIDC_TWO_SITES_NETWORK_H
