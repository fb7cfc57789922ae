// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_FARE_CLOS_SCENARIO_H
#define AIDC_FARE_CLOS_SCENARIO_H

#include "ns3/clos-fabric.h"
#include "ns3/clos-throughput.h"
#include "ns3/data-rate.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-plan.h"
#include "ns3/graph-fabric.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// @file
/// What a user may set of FareClosExperiment, and its scenarios.

namespace ns3::aidc
{

/// What a user may set of FareClosExperiment.
struct FareClosSettings
{
    FareClosSettings()
    {
        switches.kmin = 100000;
        switches.kmax = 400000;
    }

    uint32_t leaves{8};               //!< leaves of three stages
    uint32_t pods{8};                 //!< pods of five stages, of 4 leaves each
    uint32_t hosts{4};                //!< hosts of a leaf
    DataRate rate{25'000'000'000};    //!< links of hosts and of switches
    Time delay{MicroSeconds(1)};      //!< one-way delay of each link
    double degraded{0.125};           //!< share of links failed or slow
    double slow{0.5};                 //!< share of its rate that a slow link has
    double background{0.5};           //!< share of a link's rate that background traffic has
    uint32_t queuePairs{4};           //!< queue pairs of a pair of hosts
    uint32_t message{32768};          //!< bytes of a message
    uint32_t exchange{2000000};       //!< bytes of a host in all-to-all
    Time settle{MicroSeconds(1000)};  //!< from a change until it is measured
    Time window{MicroSeconds(500)};   //!< how long is measured
    Time detection{MicroSeconds(50)}; //!< until a port knows of its link
    ExperimentSwitchOptions switches; //!< the switches' buffers, and from where on they mark
    double pmax{0.2};                 //!< share of packets marked just below kmax
    ExperimentTransportOptions transport{MakeRoce()}; //!< what carries the messages
    uint32_t reorderWindow{32};                       //!< attribute ReorderWindow of RoceNic

    /// Let a user set the options of what is run.
    void AddTo(ExperimentParameters& parameters, const ExperimentPlan& plan)
    {
        AddNetworkTo(parameters, plan);
        parameters.AddCount("queue-pairs",
                            "queue pairs per pair of hosts, from 1 to 256",
                            queuePairs);
        parameters.AddBytes("message", "bytes per message of the permutation", message);
        parameters
            .AddBytes(
                "exchange",
                "bytes that each host sends in all-to-all, split equally among all other hosts",
                exchange)
            .InSmall("1MB");
        parameters.AddTime("settle", "time from a change until throughput is measured", settle)
            .InSmall("750us");
        parameters.AddTime("window", "time over which throughput is measured", window);
        const std::vector<std::string> lost{"one-link-lost-3",
                                            "one-link-lost-5",
                                            "member-lost-3",
                                            "member-lost-5"};
        parameters
            .AddTime("detection", "time until a switch notices that a link is down", detection)
            .Sets({"ns3::aidc::EthernetChannel::DetectionDelay"})
            .UseIf([&plan, lost] { return plan.HasScenario(lost); },
                   "--scenarios=one-link-lost-N or member-lost-N");
        switches.AddBufferTo(parameters);
        parameters.AddBytes("kmin", "queue above which some packets are marked", switches.kmin)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Kmin"});
        parameters.AddBytes("kmax", "queue above which all packets are marked", switches.kmax)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Kmax"});
        parameters
            .AddNumber(
                "pmax",
                "share of packets that are marked just below --kmax",
                pmax,
                [](double value) { return value >= 0 && value <= 1; },
                "from 0 to 1")
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Pmax"});
        transport.AddTo(parameters);
        parameters
            .AddCount("reorder-window",
                      "packets that may overtake a packet before RoCEv2 retransmits it",
                      reorderWindow)
            .Sets({"ns3::aidc::RoceNic::ReorderWindow"})
            .UseIf([this] { return transport.recovery == "selective-repeat"; },
                   "--recovery=selective-repeat");
    }

    /// Check what single options cannot tell. @throws std::runtime_error with what was expected
    void Check() const
    {
        CheckRange("leaves", leaves, 2, 64);
        CheckRange("pods", pods, 2, 16);
        CheckRange("hosts", hosts, 1, 16);
        CheckRange("queue-pairs", queuePairs, 1, 256);
        const uint32_t nOthers = hosts * std::max(leaves, pods * 4) - 1;
        CheckOption(exchange >= nOthers,
                    "--exchange of at least " + std::to_string(nOthers) +
                        "B, a byte for each other host");
        CheckOption(switches.kmin <= switches.kmax, "--kmin up to --kmax");
        CheckOption(reorderWindow <= 4096,
                    "--reorder-window up to 4096, found " + std::to_string(reorderWindow));
    }

  private:
    /// Let a user set the options of the network and of what is degraded there.
    void AddNetworkTo(ExperimentParameters& parameters, const ExperimentPlan& plan)
    {
        const std::vector<std::string> three{"intact-3",
                                             "one-link-lost-3",
                                             "member-lost-3",
                                             "degraded-3",
                                             "loaded"};
        const std::vector<std::string> five{"intact-5",
                                            "one-link-lost-5",
                                            "member-lost-5",
                                            "degraded-5",
                                            "degraded-core-5"};
        parameters.AddCount("leaves", "leaves of three stages, from 2 to 64", leaves)
            .InSmall("4")
            .UseIf([&plan, three] { return plan.HasScenario(three); }, "scenarios of three stages");
        parameters
            .AddCount("pods",
                      "pods of five stages, from 2 to 16, of 4 leaves and 4 spines each",
                      pods)
            .InSmall("2")
            .UseIf([&plan, five] { return plan.HasScenario(five); }, "scenarios of five stages");
        parameters.AddCount("hosts", "hosts per leaf, from 1 to 16", hosts);
        parameters.AddRate(
            "rate",
            "rate of hosts' links; switch links follow, so that the fabric is non-blocking",
            rate);
        parameters.AddTime("delay", "one-way delay of each link", delay);
        parameters
            .AddNumber(
                "degraded",
                "share of switch links that degraded scenarios and loaded degrade: half of them "
                "are "
                "down, or have background traffic in loaded, half are slow",
                degraded,
                [](double value) { return value >= 0 && value <= 0.5; },
                "from 0 to 0.5")
            .UseIn(plan, {"degraded-3", "degraded-5", "loaded"});
        parameters
            .AddNumber(
                "slow",
                "rate of a slow link in degraded scenarios and loaded, as a share of its full rate",
                slow,
                [](double value) { return value >= 0.01 && value <= 1; },
                "from 0.01 to 1")
            .UseIn(plan, {"degraded-3", "degraded-5", "degraded-core-5", "loaded"});
        parameters
            .AddNumber(
                "background",
                "background traffic of a link that has it, in both directions, as a share of its "
                "rate",
                background,
                [](double value) { return value >= 0.01 && value <= 0.9; },
                "from 0.01 to 0.9")
            .UseIn(plan, {"loaded"});
    }

    /// Get the transport's defaults here. @return DCQCN with selective repeat
    static ExperimentTransportOptions MakeRoce()
    {
        ExperimentTransportOptions options;
        options.transports = {"dcqcn", "swift", "hpcc", "timely", "none"};
        options.transport = "dcqcn";
        options.recovery = "selective-repeat";
        return options;
    }
};

/// A pair of hosts, the first of which sends to the second.
struct FareClosPair
{
    NodeIndex source;      //!< who sends
    NodeIndex destination; //!< who receives
};

/// A scenario of FareClosExperiment: the network, what is down, who sends to whom, and what
/// can be carried at most.
struct FareClosScenario
{
    FabricPlan fabric;                     //!< the network, as BGP knows it
    FabricPlan left;                       //!< the same with what its links have left
    std::vector<LinkIndex> failed;         //!< the links that are down from the beginning
    std::vector<LinkIndex> background;     //!< the links that have background traffic
    std::vector<LinkIndex> slowed;         //!< the links that are slow without BGP's knowledge
    std::optional<LinkIndex> lost;         //!< the link that fails and comes back
    std::vector<FareClosPair> permutation; //!< each host sends to its peer at the next leaf or pod

    /// @return the links that are down while the scenario is measured
    std::vector<LinkIndex> GetDown() const
    {
        auto links = failed;
        if (lost)
        {
            links.push_back(*lost);
        }
        return links;
    }

    /// @return bit/s of the permutation on the wire at most, with the link that fails or not
    double GetPermutationBound(bool isIntact = false) const
    {
        std::vector<LeafDemand> demands;
        for (const auto& pair : permutation)
        {
            const NodeIndex from = fabric.GetLeaf(pair.source);
            const NodeIndex to = fabric.GetLeaf(pair.destination);
            if (demands.empty() || demands.back().source != from)
            {
                demands.push_back({from, to, 0});
            }
            demands.back().rate +=
                fabric.GetLinks()[fabric.GetPorts(pair.source)[PortIndex(0)].link].rate;
        }
        return static_cast<double>(GetMaxThroughput(left, demands, isIntact ? failed : GetDown()));
    }

    /// @return the most that all-to-all can have on the wire, bit/s
    double GetAllToAllBound() const
    {
        const auto n = static_cast<double>(fabric.GetHosts().size());
        return GetAllToAllRate(left, GetDown()) * n * (n - 1);
    }
};

namespace
{

/// Spines, leaves and spines of a pod, and super-spines of a plane: as in the draft's figures.
constexpr uint32_t WIDTH = 4;

/// Make a network of the draft's Figure 1 or 2; no tier is slower than the tier below.
FabricPlan
MakeNetwork(const FareClosSettings& settings, bool isFiveStage, uint32_t parallelLinks)
{
    const uint64_t rate = settings.rate.GetBitRate();
    const uint64_t trunk = rate * settings.hosts / WIDTH;
    const int64_t delay = settings.delay.GetNanoSeconds();
    if (isFiveStage)
    {
        ClosSettings shape;
        shape.pods = settings.pods;
        shape.leavesPerPod = shape.spinesPerPod = shape.superSpinesPerPlane = WIDTH;
        shape.hostsPerLeaf = settings.hosts;
        shape.parallelLinks = parallelLinks;
        shape.hostRate = rate;
        shape.leafSpineRate = trunk / parallelLinks;
        shape.spineSuperSpineRate = trunk;
        shape.hostDelay = shape.leafSpineDelay = shape.spineSuperSpineDelay = delay;
        return MakeClos5(shape);
    }
    LeafSpineSettings shape;
    shape.leaves = settings.leaves;
    shape.spines = WIDTH;
    shape.hostsPerLeaf = settings.hosts;
    shape.parallelLinks = parallelLinks;
    shape.hostRate = rate;
    shape.leafSpineRate = trunk / parallelLinks;
    shape.hostDelay = shape.leafSpineDelay = delay;
    return MakeLeafSpine(shape);
}

/// Copy a network, some links of which are slow: they have a share of their rate.
FabricPlan
SlowDown(const FabricPlan& fabric, const std::set<LinkIndex>& slow, double share)
{
    auto links = fabric.GetLinks();
    for (const LinkIndex link : slow)
    {
        links[link].rate = static_cast<uint64_t>(share * static_cast<double>(links[link].rate));
    }
    return CopyFabric(fabric, links);
}

/// Draw a share of the links between switches, which are in the order in which they were drawn.
std::vector<LinkIndex>
DrawLinks(const FabricPlan& fabric, double share)
{
    std::vector<LinkIndex> links;
    const auto& all = fabric.GetLinks();
    for (LinkIndex id; id < all.GetEnd(); ++id)
    {
        if (!fabric.IsHost(all[id].a) && !fabric.IsHost(all[id].b))
        {
            links.push_back(id);
        }
    }
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    const auto n = static_cast<std::size_t>(std::lround(share * static_cast<double>(links.size())));
    for (std::size_t i = 0; i < n; ++i)
    {
        const auto last = static_cast<uint32_t>(links.size() - 1);
        std::swap(links[i], links[uniform->GetInteger(static_cast<uint32_t>(i), last)]);
    }
    links.resize(n);
    return links;
}

/// Get the end of a link that is farther from the top.
NodeIndex
GetLowerEnd(const FabricPlan& fabric, LinkIndex link)
{
    const auto& ends = fabric.GetLinks()[link];
    return fabric.GetNode(ends.a).tier < fabric.GetNode(ends.b).tier ? ends.a : ends.b;
}

/// Pair each host with its counterpart at the next leaf, or in the next pod if there is one.
std::vector<FareClosPair>
MakePermutation(const FabricPlan& fabric, std::size_t places)
{
    const auto& hosts = fabric.GetHosts();
    const std::size_t offset = places * hosts.size() / fabric.GetLeaves().size();
    std::vector<FareClosPair> pairs;
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        pairs.push_back({hosts[i], hosts[(i + offset) % hosts.size()]});
    }
    return pairs;
}

/// Degrade links that are drawn: half of them are slow; the others are down or, in loaded, have
/// background traffic, of which BGP does not know. The network of the scenario is intact before.
void
Degrade(FareClosScenario& scenario, const FareClosSettings& settings, bool isLoaded)
{
    auto& others = isLoaded ? scenario.background : scenario.failed;
    std::set<LinkIndex> slow;
    std::set<NodeIndex> hasOther;
    for (const LinkIndex link : DrawLinks(scenario.fabric, settings.degraded))
    {
        // A switch loses one of its links up at most, so that all leaves have a common spine.
        if (others.size() <= slow.size() &&
            hasOther.insert(GetLowerEnd(scenario.fabric, link)).second)
        {
            others.push_back(link);
        }
        else
        {
            slow.insert(link);
        }
    }
    scenario.left = SlowDown(scenario.fabric, slow, settings.slow);
    if (isLoaded)
    {
        const std::set<LinkIndex> taken(others.begin(), others.end());
        scenario.left = SlowDown(scenario.left, taken, 1 - settings.background);
        scenario.slowed.assign(slow.begin(), slow.end());
    }
    else
    {
        scenario.fabric = scenario.left;
    }
}

} // namespace

/// Make a scenario of a name; takes the random variable stream 1.
inline FareClosScenario
MakeFareClosScenario(const std::string& name, const FareClosSettings& settings)
{
    const std::string kind = name.substr(0, name.rfind('-'));
    const bool isFiveStage = name.back() == '5';
    const FabricPlan network = MakeNetwork(settings, isFiveStage, kind == "member-lost" ? 2 : 1);
    FareClosScenario scenario{network, network, {}, {}, {}, {}, {}};
    if (kind == "degraded" || kind == "loaded")
    {
        Degrade(scenario, settings, kind == "loaded");
    }
    else if (kind == "degraded-core")
    {
        const auto& all = scenario.fabric.GetSwitches();
        const auto isSpine = [&](NodeIndex id) {
            return scenario.fabric.GetNode(id).tier == FabricTier::SPINE;
        };
        const NodeIndex spine = *std::find_if(all.begin(), all.end(), isSpine);
        const PortIndex port = scenario.fabric.GetUplinks(spine).front();
        const LinkIndex link = scenario.fabric.GetPorts(spine)[port].link;
        scenario.fabric = scenario.left = SlowDown(scenario.fabric, {link}, settings.slow);
    }
    else if (kind != "intact")
    {
        const NodeIndex leaf = scenario.fabric.GetLeaves().front();
        const PortIndex port = scenario.fabric.GetUplinks(leaf).front();
        scenario.lost = scenario.fabric.GetPorts(leaf)[port].link;
    }
    scenario.permutation = MakePermutation(scenario.fabric, isFiveStage ? WIDTH : 1);
    return scenario;
}

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_SCENARIO_H
