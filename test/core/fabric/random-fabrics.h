// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_RANDOM_FABRICS_H
#define AIDC_RANDOM_FABRICS_H

#include "fabric-numbers.h"
#include "test/core/core-test.h"

#include "ns3/clos-fabric.h"
#include "ns3/fabric-routes.h"
#include "ns3/graph-fabric.h"

// Fabrics at random, and their routes computed by other means.

namespace aidctest
{

/// The rate of all links, in bit/s.
constexpr uint64_t RATE = 100000000000;

/// What stands for no next hop.
constexpr uint32_t DISCARD = FabricTable::DISCARD;

/// The switches, and the hosts that have several links: who has a table.
inline std::vector<NodeIndex>
GetTableOwners(const FabricPlan& fabric)
{
    std::vector<NodeIndex> owners;
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        if (fabric.IsSwitch(node) || fabric.HasSeveralLinks(node))
        {
            owners.push_back(node);
        }
    }
    return owners;
}

inline IndexedVector<NodeIndex, FabricTable>
GetTables(const FabricPlan& fabric, const FabricRoutes& routes)
{
    IndexedVector<NodeIndex, FabricTable> tables(fabric.GetNNodes());
    for (const NodeIndex node : GetTableOwners(fabric))
    {
        tables[node] = routes.GetTable(node);
    }
    return tables;
}

/// What can be compared of a route: the network, the length, the ports or nothing for DISCARD.
using Route = std::tuple<uint32_t, uint32_t, std::vector<PortIndex>>;

inline std::vector<Route>
GetRoutes(const FabricTable& table)
{
    std::vector<Route> routes;
    for (const auto& [network, length, group] : table.routes)
    {
        const auto ports = group == DISCARD ? std::vector<PortIndex>() : table.groups.at(group);
        routes.emplace_back(network, length, ports);
    }
    return routes;
}

/// The next hops of an address by the longest prefix; none if it is discarded or nothing matches.
inline std::vector<PortIndex>
LookUp(const FabricTable& table, uint32_t address)
{
    uint32_t group = DISCARD;
    int32_t longest = -1;
    for (const auto& route : table.routes)
    {
        const uint32_t mask = route.length == 0 ? 0 : 0xffffffffU << (32 - route.length);
        if ((address & mask) == route.network && route.length > longest)
        {
            longest = route.length;
            group = route.group;
        }
    }
    return group == DISCARD ? std::vector<PortIndex>() : table.groups.at(group);
}

/// A Clos network of five stages.
inline FabricPlan
MakeRandomClos5(Draw& draw)
{
    ClosSettings settings;
    settings.pods = draw(1, 6);
    settings.leavesPerPod = draw(1, 6);
    settings.hostsPerLeaf = draw(1, 3);
    settings.spinesPerPod = draw(1, 4);
    settings.superSpinesPerPlane = draw(1, 4);
    settings.parallelLinks = draw(1, 3);
    settings.leavesPerHost = draw(1, settings.leavesPerPod + 1);
    settings.leavesPerPod -= settings.leavesPerPod % settings.leavesPerHost;
    return MakeClos5(settings);
}

/// A Clos network of three stages.
inline FabricPlan
MakeRandomLeafSpine(Draw& draw)
{
    LeafSpineSettings settings;
    settings.leaves = draw(1, 7);
    settings.spines = draw(1, 5);
    settings.hostsPerLeaf = draw(1, 3);
    settings.parallelLinks = draw(1, 3);
    settings.leavesPerHost = draw(1, settings.leaves + 1);
    settings.leaves -= settings.leaves % settings.leavesPerHost;
    return MakeLeafSpine(settings);
}

/// Any connected graph of switches, some with a host: a tree and some links more. With several
/// links, other hosts have some to switches anywhere, even twice to one.
inline FabricPlan
MakeRandomGraph(Draw& draw, bool hasSeveralLinks)
{
    const auto n = draw(1, 10);
    FabricLinks links;
    const auto add = [&links](uint32_t a, uint32_t b) { links.Add(Link(a, b, RATE)); };
    for (uint32_t i = 1; i < n; ++i)
    {
        add(draw(0, i), i);
    }
    const auto nMore = n == 1 ? 0 : draw(0, n);
    for (uint32_t i = 0; i < nMore; ++i)
    {
        const auto a = draw(0, n - 1);
        add(a, draw(a + 1, n));
    }
    std::vector<NodeIndex> switches;
    uint32_t nNodes = n;
    for (uint32_t i = 0; i < n; ++i)
    {
        switches.emplace_back(i);
        if (i == 0 || draw(0, 3) == 0)
        {
            add(i, nNodes++);
        }
    }
    for (uint32_t i = hasSeveralLinks ? draw(1, 8) : 0; i > 0; --i)
    {
        for (uint32_t k = draw(2, 5); k > 0; --k)
        {
            add(nNodes, draw(0, n));
        }
        ++nNodes;
    }
    return MakeFabric("graph", nNodes, switches, links);
}

/// Any small fabric.
inline FabricPlan
MakeRandomFabric(Draw& draw)
{
    switch (draw(0, 4))
    {
    case 0:
        return MakeRandomClos5(draw);
    case 1:
        return MakeRandomLeafSpine(draw);
    default:
        return MakeRandomGraph(draw, draw(0, 2) == 0);
    }
}

/// Fails a link that is up, restores one that is down.
inline std::vector<NodeIndex>
Toggle(FabricRoutes& routes, LinkIndex link)
{
    return routes.IsLinkUp(link) ? routes.FailLink(link) : routes.RestoreLink(link);
}

/// Fails a random share of the links, then toggles some again.
inline void
ToggleSome(const FabricPlan& fabric, FabricRoutes& routes, Draw& draw)
{
    const auto nLinks = static_cast<uint32_t>(fabric.GetLinks().size());
    const uint32_t percent = draw(0, 60);
    for (LinkIndex link; link < fabric.GetLinks().GetEnd(); ++link)
    {
        if (draw(0, 100) < percent)
        {
            routes.FailLink(link);
        }
    }
    for (int i = 0; i < 5; ++i)
    {
        Toggle(routes, LinkIndex(draw(0, nLinks)));
    }
}

/// A ring or a row of switches with a host each.
inline FabricPlan
MakeRing(uint32_t n, bool isClosed)
{
    std::vector<NodeIndex> switches;
    FabricLinks links;
    for (uint32_t i = 0; i < n; ++i)
    {
        switches.emplace_back(i);
        links.Add(Link(i, n + i, RATE));
    }
    for (uint32_t i = 0; i + (isClosed ? 0 : 1) < n; ++i)
    {
        links.Add(Link(i, (i + 1) % n, RATE));
    }
    return MakeFabric("ring", 2 * n, switches, links);
}

} // namespace aidctest

#endif // AIDC_RANDOM_FABRICS_H
