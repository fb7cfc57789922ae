/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_FARE_CLOS_SCENARIO_H
#define AIDC_FARE_CLOS_SCENARIO_H

#include "fare-clos-settings.h"

#include "ns3/clos-fabric.h"
#include "ns3/clos-throughput.h"
#include "ns3/experiment-uplinks.h"
#include "ns3/fabric-plan.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup aidc
 * The scenarios of FareClosExperiment.
 */

namespace ns3::aidc
{

/// @ingroup aidc
/// @brief A pair of hosts, the first of which sends to the second.
struct FareClosPair
{
    NodeIndex source;      //!< who sends
    NodeIndex destination; //!< who receives
};

/// @ingroup aidc
/// @brief A scenario of FareClosExperiment: the network, what is down, who sends to whom, and what
///        can be carried at most.
struct FareClosScenario
{
    FabricPlan fabric;                     //!< the network, as BGP knows it
    FabricPlan left;                       //!< the same with what its links have left
    std::vector<LinkIndex> failed;         //!< the links that are down from the beginning
    std::vector<LinkIndex> background;     //!< the links that have background traffic
    std::vector<LinkIndex> slowed;         //!< the links that are slow without BGP's knowledge
    std::optional<LinkIndex> lost;         //!< the link that fails and comes back
    std::vector<FareClosPair> permutation; //!< each host sends to that of the next leaf or pod

    /// Get the links that are down while the scenario is measured. @return the links
    std::vector<LinkIndex> GetDown() const
    {
        auto links = failed;
        if (lost)
        {
            links.push_back(*lost);
        }
        return links;
    }

    /// Get the most that the permutation can have, on the wire.
    /// @param isIntact whether it is without the link that fails
    /// @return bit/s
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

    /// Get the most that all-to-all can have, on the wire. @return bit/s
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

/// Make a network as the draft's Figures 1 and 2 have it, of which no tier is slower than that
/// below.
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
    FabricPlan copy(fabric.GetName());
    for (NodeIndex id; id.value < fabric.GetNNodes(); ++id)
    {
        const auto& node = fabric.GetNode(id);
        copy.AddNode(node.tier, node.pod, node.index);
    }
    const auto& links = fabric.GetLinks();
    for (LinkIndex id; id < links.GetEnd(); ++id)
    {
        const auto& link = links[id];
        const double rate = (slow.count(id) > 0 ? share : 1) * static_cast<double>(link.rate);
        copy.AddLink(link.a, link.b, static_cast<uint64_t>(rate), link.delay);
    }
    copy.Finish();
    return copy;
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

/// Have each host send to the host of the same place at the next leaf or, with super-spines, at the
/// leaf of the same place in the next pod. @return the pairs of hosts
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

/// @ingroup aidc
/// @brief Make a scenario; takes the random variable stream 1.
/// @param name its name
/// @param settings what the user has set
/// @return the scenario
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
        const PortIndex port = GetUplinks(scenario.fabric, spine).front();
        const LinkIndex link = scenario.fabric.GetPorts(spine)[port].link;
        scenario.fabric = scenario.left = SlowDown(scenario.fabric, {link}, settings.slow);
    }
    else if (kind != "intact")
    {
        const NodeIndex leaf = scenario.fabric.GetLeaves().front();
        const PortIndex port = GetUplinks(scenario.fabric, leaf).front();
        scenario.lost = scenario.fabric.GetPorts(leaf)[port].link;
    }
    scenario.permutation = MakePermutation(scenario.fabric, isFiveStage ? WIDTH : 1);
    return scenario;
}

} // namespace ns3::aidc

#endif // AIDC_FARE_CLOS_SCENARIO_H
