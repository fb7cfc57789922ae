// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_BGP_FABRIC_NETWORK_H
#define AIDC_BGP_FABRIC_NETWORK_H

#include "helper/fabric-path-bandwidths.h"
#include "test/test-case.h"

#include "ns3/bgp-fabric-helper.h"
#include "ns3/flow-key.h"
#include "ns3/multipath-routing-helper.h"

// Fabrics whose switches speak BGP, or have the weights of the topology, for the suites.

namespace aidctest
{

/// The weights above 0 by which a switch sends to an address, by port.
using PortWeights = std::map<uint32_t, double>;

/// Get where a node sends what is for an address, by its forwarding table. Returns the weights of
/// usable ports; empty if there is no route.
inline PortWeights
GetPortWeights(const FabricHelper& network, NodeIndex node, Ipv4Address destination)
{
    PortWeights weights;
    const auto routing = MultipathRoutingHelper::GetRouting(network.GetNode(node));
    if (const NextHopGroup* group = routing->FindTransit(destination.Get()))
    {
        for (const uint32_t i : group->usable)
        {
            weights[group->members[i].nextHop.interface - 1] = group->members[i].nextHop.weight;
        }
    }
    return weights;
}

/// Write weights. Returns such as 2:12.5 3:25 (in GB/s)
inline std::string
Print(const PortWeights& weights)
{
    std::ostringstream text;
    for (const auto& [port, weight] : weights)
    {
        text << (text.tellp() > 0 ? " " : "") << port << ':' << (weight == 1 ? 1 : weight / 1e9);
    }
    return text.str();
}

/// Get the weights that the topology says for a host: of ports to switches, or of the host's.
/// Returns the weights; of plain ECMP, and of the host's ports, 1.
inline PortWeights
GetExpectedWeights(const FabricPlan& fabric,
                   const FabricNextHops& nextHops,
                   NodeIndex node,
                   NodeIndex host)
{
    PortWeights weights;
    // A host that has lost some of its leaves has a prefix of its own, where that is known.
    const auto detached = nextHops.hosts.find(host);
    const bool isDetached = detached != nextHops.hosts.end();
    const bool isKnown = isDetached && detached->second.distance != FabricNextHops::UNREACHABLE;
    const auto& way = isKnown ? detached->second : nextHops.attachments[fabric.GetAttachment(host)];
    if (isDetached && !isKnown && way.distance == 0)
    {
        return weights; // a leaf that it has left
    }
    if (way.distance == 0)
    {
        const auto& ports = fabric.GetPorts(node);
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            if (ports[port].peer == host)
            {
                weights[port.value] = 1;
            }
        }
    }
    else if (way.distance != FabricNextHops::UNREACHABLE)
    {
        const auto& group = nextHops.groups[way.group];
        for (std::size_t i = 0; i < group.ports.size(); ++i)
        {
            const double weight = group.weights.empty() ? 1 : group.weights[i];
            if (weight > 0)
            {
                weights[group.ports[i].value] = weight;
            }
        }
    }
    return weights;
}

/// A fabric whose switches speak BGP.
class BgpFabricNetwork
{
  public:
    /// Constructor; the sessions start at time 0. settings: whether hosts speak, and nodes share
    /// uplinks.
    template <typename Prepare>
    BgpFabricNetwork(const FabricPlan& fabric,
                     Prepare prepare,
                     const FabricPathBandwidthSettings& settings = {})
        : m_settings(settings)
    {
        if (settings.hasHosts)
        {
            network.SetHostRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
            network.SetHostRoutes(FabricHelper::OWN_HOSTS);
        }
        bgp.SetSpeakerAttribute("ShareUplinks", BooleanValue(settings.sharesUplinks));
        network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        network.SetSwitchRoutes(FabricHelper::OWN_HOSTS);
        network.Build(fabric);
        network.AssignAddresses();
        prepare(bgp);
        bgp.Install(network);
        bgp.AssignStreams(1 + network.AssignStreams(1));
    }

    /// Constructor; the sessions start at time 0. settings: whether hosts speak, and nodes share
    /// uplinks.
    explicit BgpFabricNetwork(const FabricPlan& fabric,
                              const FabricPathBandwidthSettings& settings = {})
        : BgpFabricNetwork(fabric, [](BgpFabricHelper&) {}, settings)
    {
    }

    /// Simulate until all is settled, by steps of a second.
    bool Settle(int most)
    {
        for (int i = 0; i < most; ++i)
        {
            RunFor(Seconds(1));
            if (bgp.IsSettled())
            {
                return true;
            }
        }
        return false;
    }

    std::vector<NodeIndex> GetSpeakingNodes() const
    {
        std::vector<NodeIndex> nodes = network.GetFabric().GetSwitches();
        for (const NodeIndex host : network.GetFabric().GetHosts())
        {
            if (Speaks(host))
            {
                nodes.push_back(host);
            }
        }
        return nodes;
    }

    /// Compare the forwarding tables and RIBs of all nodes that speak with the topology. Returns
    /// the first difference, empty if there is none.
    std::string Compare() const
    {
        const FabricPlan& fabric = network.GetFabric();
        FabricPathBandwidths oracle(fabric, m_settings);
        oracle.Update(network.GetRoutes());
        for (const NodeIndex node : GetSpeakingNodes())
        {
            const auto& nextHops = oracle.GetNextHops(node);
            for (const NodeIndex host : fabric.GetHosts())
            {
                if (host == node)
                {
                    continue;
                }
                const auto expected = GetExpectedWeights(fabric, nextHops, node, host);
                auto found = GetPortWeights(network, node, network.GetAddress(host));
                auto usable = expected;
                for (const auto& [port, weight] : expected)
                {
                    // The port of a host that has lost its link cannot be used.
                    if (!network.GetRoutes().IsLinkUp(fabric.GetPorts(node)[PortIndex(port)].link))
                    {
                        usable.erase(port);
                    }
                }
                if (found != usable)
                {
                    return fabric.GetNodeName(node) + " to " + fabric.GetNodeName(host) +
                           ": expected " + Print(usable) + ", found " + Print(found);
                }
            }
            const std::string rib = CompareRib(node, nextHops);
            if (!rib.empty())
            {
                return rib;
            }
        }
        return "";
    }

    FabricHelper network; //!< the fabric
    BgpFabricHelper bgp;  //!< the speakers

  private:
    bool Speaks(NodeIndex node) const
    {
        const FabricPlan& fabric = network.GetFabric();
        return fabric.IsSwitch(node) || (m_settings.hasHosts && fabric.HasSeveralLinks(node));
    }

    /// Compare the prefixes of a RIB with the topology. Returns the difference, empty if there is
    /// none.
    std::string CompareRib(NodeIndex node, const FabricNextHops& nextHops) const
    {
        const FabricPlan& fabric = network.GetFabric();
        const auto& rib = bgp.GetSpeaker(node)->GetRib();
        std::size_t nPrefixes = 0;
        std::size_t nWritten = 0;
        const auto count = [&](const FabricNextHops::Way& way) {
            nPrefixes += way.distance != FabricNextHops::UNREACHABLE ? 1 : 0;
            nWritten += way.distance != FabricNextHops::UNREACHABLE && way.distance > 0 ? 1 : 0;
        };
        for (const auto& way : nextHops.attachments)
        {
            count(way);
        }
        for (const auto& [host, way] : nextHops.hosts)
        {
            count(way);
        }
        if (rib.GetPrefixes().size() != nPrefixes)
        {
            return fabric.GetNodeName(node) + ": expected " + std::to_string(nPrefixes) +
                   " prefixes, found " + std::to_string(rib.GetPrefixes().size());
        }
        // Beside them, the table has the own prefixes and hosts, and the networks of links.
        std::size_t nOther = network.GetRoutes().GetOwnTable(node).routes.size() + 1; // 127.0.0.0/8
        for (const FabricPort& port : fabric.GetPorts(node))
        {
            nOther += Speaks(port.peer) && network.GetRoutes().IsLinkUp(port.link) ? 1 : 0;
        }
        const auto nRoutes =
            MultipathRoutingHelper::GetRouting(network.GetNode(node))->GetNRoutes();
        if (nRoutes != nWritten + nOther)
        {
            return fabric.GetNodeName(node) + ": expected " + std::to_string(nWritten + nOther) +
                   " routes in the table, found " + std::to_string(nRoutes);
        }
        return "";
    }

    FabricPathBandwidthSettings m_settings; //!< who speaks, and what they are told
    SimulationEnd m_end;                    //!< of this network
};

/// Random numbers of a test.
class Draw
{
  public:
    explicit Draw(uint32_t seed)
        : m_engine(seed)
    {
    }

    /// Draw a number.
    uint32_t operator()(uint32_t begin, uint32_t end)
    {
        return begin + m_engine() % (end - begin);
    }

  private:
    std::mt19937 m_engine; //!< makes them
};

/// Draw a fabric of three stages or five, with hosts at one leaf or two, parallel links, and links
/// of 10, 40, 100 and 400 Gbit/s.
inline FabricPlan
DrawFabric(Draw& draw)
{
    const uint64_t rates[] = {10000000000, 40000000000, 100000000000, 400000000000};
    const bool hasSuperSpines = draw(0, 2) == 0;
    const uint32_t nPods = hasSuperSpines ? draw(2, 4) : 1;
    const uint32_t nLeaves = draw(2, 4);
    const uint32_t nSpines = draw(1, 4);
    const uint32_t nSupers = hasSuperSpines ? draw(1, 3) : 0; // of a plane
    FabricPlan plan("drawn");
    const auto link = [&](NodeIndex a, NodeIndex b) {
        for (uint32_t i = draw(0, 3) == 0 ? 2 : 1; i > 0; --i)
        {
            plan.AddLink(a, b, rates[draw(0, 4)], 1000);
        }
    };
    std::vector<NodeIndex> supers;
    for (uint32_t i = 0; i < nSpines * nSupers; ++i)
    {
        supers.push_back(plan.AddNode(FabricTier::SUPER_SPINE, NO_POD, i));
    }
    std::vector<NodeIndex> spines;
    for (uint32_t i = 0; !hasSuperSpines && i < nSpines; ++i)
    {
        spines.push_back(plan.AddNode(FabricTier::SPINE, NO_POD, i));
    }
    for (uint32_t pod = 0; pod < nPods; ++pod)
    {
        for (uint32_t i = 0; hasSuperSpines && i < nSpines; ++i)
        {
            const NodeIndex spine = plan.AddNode(FabricTier::SPINE, pod, i);
            spines.push_back(spine);
            for (uint32_t k = 0; k < nSupers; ++k)
            {
                link(spine, supers[i * nSupers + k]);
            }
        }
        std::vector<NodeIndex> leaves;
        for (uint32_t i = 0; i < nLeaves; ++i)
        {
            const NodeIndex leaf = plan.AddNode(FabricTier::LEAF, hasSuperSpines ? pod : i, i);
            leaves.push_back(leaf);
            for (uint32_t k = 0; k < nSpines; ++k)
            {
                link(leaf, spines[spines.size() - nSpines + k]);
            }
        }
        for (uint32_t i = 0; i < nLeaves; ++i)
        {
            const NodeIndex host = plan.AddNode(FabricTier::HOST, 0, pod * 2 * nLeaves + 2 * i);
            plan.AddLink(host, leaves[i], rates[2], 1000);
            const NodeIndex other =
                plan.AddNode(FabricTier::HOST, 0, pod * 2 * nLeaves + 2 * i + 1);
            plan.AddLink(other, leaves[i], rates[2], 1000);
            if (draw(0, 2) == 0)
            {
                plan.AddLink(other, leaves[(i + 1) % nLeaves], rates[draw(0, 4)], 1000);
            }
            else if (draw(0, 3) == 0)
            {
                plan.AddLink(other, leaves[i], rates[draw(0, 4)], 1000);
            }
        }
    }
    plan.Finish();
    return plan;
}

} // namespace aidctest

#endif // AIDC_BGP_FABRIC_NETWORK_H
