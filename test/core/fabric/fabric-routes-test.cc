/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Forwarding tables of fabrics: shortest paths, aggregation, failures. The reference for distances
// is the algorithm of Floyd and Warshall over the links that are up.

#include "ns3/clos-fabric.h"
#include "ns3/fabric-routes.h"
#include "ns3/graph-fabric.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <rapidcheck/gtest.h>
#include <stdexcept>
#include <tuple>
#include <vector>

using namespace ns3::aidc;

namespace
{

constexpr uint64_t RATE = 100000000000;
constexpr uint32_t DISCARD = FabricTable::DISCARD;
constexpr uint32_t FAR = 1000000; ///< the reference's distance without a path

using Distances = std::vector<std::vector<uint32_t>>;

/// The distances of all pairs of switches, by nodes.
Distances
GetDistances(const FabricPlan& fabric, const FabricRoutes& routes)
{
    Distances d(fabric.GetNNodes(), std::vector<uint32_t>(fabric.GetNNodes(), FAR));
    for (uint32_t i = 0; i < fabric.GetLinks().size(); ++i)
    {
        const auto& link = fabric.GetLinks()[i];
        if (routes.IsLinkUp(i))
        {
            d[link.a][link.b] = 1;
            d[link.b][link.a] = 1;
        }
    }
    const auto& switches = fabric.GetSwitches();
    for (const uint32_t via : switches)
    {
        d[via][via] = 0;
        for (const uint32_t from : switches)
        {
            for (const uint32_t to : switches)
            {
                d[from][to] = std::min(d[from][to], d[from][via] + d[via][to]);
            }
        }
    }
    return d;
}

/// The tables of all switches, by nodes.
std::vector<FabricTable>
GetTables(const FabricPlan& fabric, const FabricRoutes& routes)
{
    std::vector<FabricTable> tables(fabric.GetNNodes());
    for (const uint32_t node : fabric.GetSwitches())
    {
        tables[node] = routes.GetTable(node);
    }
    return tables;
}

/// What can be compared of a route: the network, the length, the ports or nothing for DISCARD.
using Route = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>;

/// The routes of a table with their ports.
std::vector<Route>
GetRoutes(const FabricTable& table)
{
    std::vector<Route> routes;
    for (const auto& [network, length, group] : table.routes)
    {
        const auto ports = group == DISCARD ? std::vector<uint32_t>() : table.groups.at(group);
        routes.emplace_back(network, length, ports);
    }
    return routes;
}

/// The next hops of an address by the longest prefix; none if it is discarded or nothing matches.
std::vector<uint32_t>
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
    return group == DISCARD ? std::vector<uint32_t>() : table.groups.at(group);
}

/// Whether a table has what its definition says, for any contents.
bool
IsWellFormed(const FabricTable& table)
{
    std::vector<bool> isUsed(table.groups.size());
    for (size_t i = 0; i < table.routes.size(); ++i)
    {
        const auto& route = table.routes[i];
        if (i > 0)
        {
            const auto& last = table.routes[i - 1];
            if (std::tie(last.network, last.length) >= std::tie(route.network, route.length))
            {
                return false;
            }
        }
        if (route.group != DISCARD)
        {
            isUsed.at(route.group) = true;
        }
    }
    for (const auto& ports : table.groups)
    {
        if (ports.empty() ||
            std::adjacent_find(ports.begin(), ports.end(), std::greater_equal<uint32_t>()) !=
                ports.end())
        {
            return false;
        }
    }
    return std::find(isUsed.begin(), isUsed.end(), false) == isUsed.end();
}

/// From every switch to every host: all ports that are on shortest paths and no others.
void
CheckShortestPaths(const FabricPlan& fabric,
                   const std::vector<FabricTable>& tables,
                   const Distances& distances)
{
    for (const uint32_t host : fabric.GetHosts())
    {
        const uint32_t leaf = fabric.GetLeaf(host);
        for (const uint32_t node : fabric.GetSwitches())
        {
            const auto& ports = fabric.GetPorts(node);
            std::vector<uint32_t> expected;
            for (uint32_t port = 0; port < ports.size(); ++port)
            {
                const uint32_t peer = ports[port].peer;
                const bool isOnPath = fabric.IsSwitch(peer) && distances[node][leaf] < FAR &&
                                      distances[peer][leaf] + 1 == distances[node][leaf];
                if (isOnPath || peer == host)
                {
                    expected.push_back(port);
                }
            }
            RC_ASSERT(LookUp(tables[node], fabric.GetAddress(host)) == expected);
        }
    }
}

/// Whether the live next hops of an address lead in a circle, or to a host, from a node on.
bool
IsLooping(const FabricPlan& fabric,
          const FabricRoutes& routes,
          const std::vector<FabricTable>& tables,
          uint32_t address,
          uint32_t node,
          std::vector<char>& state)
{
    state[node] = 1; // on the path
    for (const uint32_t port : LookUp(tables[node], address))
    {
        const auto [link, peer] = fabric.GetPorts(node)[port];
        if (routes.IsLinkUp(link) &&
            (fabric.IsHost(peer) || state[peer] == 1 ||
             (state[peer] == 0 && IsLooping(fabric, routes, tables, address, peer, state))))
        {
            return true;
        }
    }
    state[node] = 2; // done
    return false;
}

/// Addresses that no host has are dropped somewhere, whatever members of groups are chosen.
void
CheckNonexistentHosts(const FabricPlan& fabric,
                      const FabricRoutes& routes,
                      const std::vector<FabricTable>& tables)
{
    // The fabrics are small: 10.pod.leaf.host or 10.leaf.leaf.host, with at most 150 hosts a leaf.
    for (const uint32_t second : {0, 1, 2, 3, 4, 5, 37, 255})
    {
        for (const uint32_t third : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 37, 255})
        {
            for (const uint32_t last : {0, 200, 255})
            {
                const uint32_t address = 10U << 24 | second << 16 | third << 8 | last;
                std::vector<char> state(fabric.GetNNodes());
                for (const uint32_t node : fabric.GetSwitches())
                {
                    // Not in one expression: RC_ASSERT evaluates both sides of its operators.
                    const bool isLooping =
                        state[node] == 0 && IsLooping(fabric, routes, tables, address, node, state);
                    RC_ASSERT(!isLooping);
                }
            }
        }
    }
}

/// Random numbers of a test case. They do not shrink, but cases are large from the first one on.
class Draw
{
  public:
    /// A number from begin to end - 1.
    uint32_t operator()(uint32_t begin, uint32_t end)
    {
        return begin + m_engine() % (end - begin);
    }

  private:
    std::mt19937 m_engine{*rc::gen::resize(rc::kNominalSize, rc::gen::inRange(1U, 1U << 30))};
};

/// A Clos network of five stages.
FabricPlan
MakeRandomClos5(Draw& draw)
{
    ClosOptions options;
    options.pods = draw(1, 6);
    options.leavesPerPod = draw(1, 6);
    options.hostsPerLeaf = draw(1, 3);
    options.spinesPerPod = draw(1, 4);
    options.superSpinesPerPlane = draw(1, 4);
    options.parallelLinks = draw(1, 3);
    return MakeClos5(options);
}

/// A Clos network of three stages.
FabricPlan
MakeRandomLeafSpine(Draw& draw)
{
    LeafSpineOptions options;
    options.leaves = draw(1, 7);
    options.spines = draw(1, 5);
    options.hostsPerLeaf = draw(1, 3);
    options.parallelLinks = draw(1, 3);
    return MakeLeafSpine(options);
}

/// Any connected graph of switches, some with a host: a tree and some links more.
FabricPlan
MakeRandomGraph(Draw& draw)
{
    const auto n = draw(1, 10);
    std::vector<FabricLink> links;
    const auto add = [&links](uint32_t a, uint32_t b) {
        FabricLink link;
        link.a = a;
        link.b = b;
        link.rate = RATE;
        links.push_back(link);
    };
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
    std::vector<uint32_t> switches;
    uint32_t nNodes = n;
    for (uint32_t i = 0; i < n; ++i)
    {
        switches.push_back(i);
        if (i == 0 || draw(0, 3) == 0)
        {
            add(i, nNodes++);
        }
    }
    return MakeFabric("graph", nNodes, switches, links);
}

/// Any small fabric.
FabricPlan
MakeRandomFabric(Draw& draw)
{
    switch (draw(0, 3))
    {
    case 0:
        return MakeRandomClos5(draw);
    case 1:
        return MakeRandomLeafSpine(draw);
    default:
        return MakeRandomGraph(draw);
    }
}

/// Fails a link that is up, restores one that is down.
std::vector<uint32_t>
Toggle(FabricRoutes& routes, uint32_t link)
{
    return routes.IsLinkUp(link) ? routes.FailLink(link) : routes.RestoreLink(link);
}

/// Fails a random share of the links, then toggles some again.
void
ToggleSome(const FabricPlan& fabric, FabricRoutes& routes, Draw& draw)
{
    const auto nLinks = static_cast<uint32_t>(fabric.GetLinks().size());
    const uint32_t percent = draw(0, 60);
    for (uint32_t link = 0; link < nLinks; ++link)
    {
        if (draw(0, 100) < percent)
        {
            routes.FailLink(link);
        }
    }
    for (int i = 0; i < 5; ++i)
    {
        Toggle(routes, draw(0, nLinks));
    }
}

RC_GTEST_PROP(FabricRoutes, LeadOverAllShortestPathsThatAreUp, ())
{
    Draw draw;
    const auto fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    const auto tables = GetTables(fabric, routes);
    CheckShortestPaths(fabric, tables, GetDistances(fabric, routes));
    for (const auto& table : tables)
    {
        RC_ASSERT(IsWellFormed(table));
    }
}

RC_GTEST_PROP(FabricRoutes, NonexistentHostsDoNotLoop, ())
{
    Draw draw;
    const auto fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    CheckNonexistentHosts(fabric, routes, GetTables(fabric, routes));
}

RC_GTEST_PROP(FabricRoutes, TablesOfOtherSwitchesDoNotChange, ())
{
    Draw draw;
    const auto fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    const auto before = GetTables(fabric, routes);
    const auto nLinks = static_cast<uint32_t>(fabric.GetLinks().size());
    const auto touched = Toggle(routes, draw(0, nLinks));
    RC_ASSERT(std::is_sorted(touched.begin(), touched.end()));
    for (const uint32_t node : fabric.GetSwitches())
    {
        if (!std::binary_search(touched.begin(), touched.end(), node))
        {
            RC_ASSERT(GetRoutes(routes.GetTable(node)) == GetRoutes(before[node]));
        }
    }
}

RC_GTEST_PROP(FabricRoutes, RestoringAllLinksGivesTheInitialTables, ())
{
    Draw draw;
    const auto fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    const auto before = GetTables(fabric, routes);
    ToggleSome(fabric, routes, draw);
    for (uint32_t link = 0; link < fabric.GetLinks().size(); ++link)
    {
        routes.RestoreLink(link);
    }
    const auto after = GetTables(fabric, routes);
    for (const uint32_t node : fabric.GetSwitches())
    {
        RC_ASSERT(GetRoutes(after[node]) == GetRoutes(before[node]));
        RC_ASSERT(after[node].groups == before[node].groups);
    }
}

// k = 4: hosts 0-15, leaves 16-23, spines 24-31, super-spines 32-35. A leaf has the ports 0 and 1
// to hosts, a spine to leaves; 2 and 3 are uplinks. A super-spine has a port for each pod.
TEST(FabricRoutes, OfAFatTreeAreAggregated)
{
    constexpr uint32_t NET = 0x0a000000; // 10.0.0.0
    const auto fabric = MakeFatTree(4, RATE, 0);
    const FabricRoutes routes(fabric);
    EXPECT_EQ(GetRoutes(routes.GetTable(16)),
              (std::vector<Route>{Route{0, 0, {2, 3}},
                                  Route{NET, 24, {}},
                                  Route{NET + 2, 32, {0}},
                                  Route{NET + 3, 32, {1}}}));
    EXPECT_EQ(GetRoutes(routes.GetTable(24)),
              (std::vector<Route>{Route{0, 0, {2, 3}},
                                  Route{NET, 16, {}},
                                  Route{NET, 24, {0}},
                                  Route{NET + 256, 24, {1}}}));
    EXPECT_EQ(GetRoutes(routes.GetTable(35)),
              (std::vector<Route>{Route{NET, 16, {0}},
                                  Route{NET + (1 << 16), 16, {1}},
                                  Route{NET + (2 << 16), 16, {2}},
                                  Route{NET + (3 << 16), 16, {3}}}));
}

// A leaf: k/2 hosts, its prefix, all others. A spine: k/2 leaves, its pod, all others. A
// super-spine: k pods.
TEST(FabricRoutes, OfAFatTreeOf32Are18Or32)
{
    const auto fabric = MakeFatTree(32, RATE, 0);
    const FabricRoutes routes(fabric);
    for (const uint32_t node : {fabric.GetLeaves()[0], fabric.GetLeaves()[511]})
    {
        EXPECT_EQ(routes.GetTable(node).routes.size(), 16U + 2U);
    }
    const uint32_t firstSpine = fabric.GetLeaves()[511] + 1;
    EXPECT_EQ(routes.GetTable(firstSpine).routes.size(), 16U + 2U);
    EXPECT_EQ(routes.GetTable(firstSpine + 511).routes.size(), 16U + 2U);
    EXPECT_EQ(routes.GetTable(firstSpine + 512).routes.size(), 32U);
    EXPECT_EQ(routes.GetTable(fabric.GetNNodes() - 1).routes.size(), 32U);
}

// k = 4, links 0-15 of hosts, then 16-31 of leaves; 16 is that of leaf 0 and spine 0 of pod 0.
// Leaf 1 (node 17) reaches leaf 0 over spine 1 alone, its port 3, and everything else over both.
// Beyond its pod's leaves 0 and 1, and beyond the pods 0 to 3, nothing may follow the default.
TEST(FabricRoutes, AfterAFailureTheCommonestGroupStaysAggregated)
{
    constexpr uint32_t NET = 0x0a000000;
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    routes.FailLink(16);
    const auto table = routes.GetTable(17);
    EXPECT_EQ(LookUp(table, NET + 2), (std::vector<uint32_t>{3}));
    EXPECT_EQ(LookUp(table, NET + (2 << 16) + 2), (std::vector<uint32_t>{2, 3}));
    // Leaf 2 of pod 1 (node 18): the pod's prefix is left to the default, leaf 0 has a route.
    const auto remote = routes.GetTable(18);
    EXPECT_EQ(LookUp(remote, NET + 2), (std::vector<uint32_t>{3}));
    EXPECT_EQ(LookUp(remote, NET + 256 + 2), (std::vector<uint32_t>{2, 3}));
    EXPECT_EQ(LookUp(remote, NET + 512 + 2), std::vector<uint32_t>());
    EXPECT_EQ(LookUp(remote, NET + (4 << 16) + 2), std::vector<uint32_t>());
    EXPECT_EQ(LookUp(remote, NET + (255 << 16) + 2), std::vector<uint32_t>());
}

// Two spines, two parallel links each: ports 1 and 2 to spine 0, 3 and 4 to spine 1.
TEST(FabricRoutes, AFailedPortStaysAMemberWhileItsPeerIsClose)
{
    LeafSpineOptions options;
    options.leaves = 2;
    options.spines = 2;
    options.hostsPerLeaf = 1;
    options.parallelLinks = 2;
    const auto fabric = MakeLeafSpine(options); // hosts 0, 1; leaves 2, 3; links 2-5 of leaf 2
    FabricRoutes routes(fabric);
    const auto address = fabric.GetAddress(1);
    EXPECT_TRUE(routes.FailLink(2).empty());
    EXPECT_EQ(LookUp(routes.GetTable(2), address), (std::vector<uint32_t>{1, 2, 3, 4}));
    routes.FailLink(3); // spine 0 is still one link from leaf 3
    EXPECT_EQ(LookUp(routes.GetTable(2), address), (std::vector<uint32_t>{1, 2, 3, 4}));
}

// The sequence above: the second failure takes spine 0 from leaf 2, and that is one search more.
TEST(FabricRoutes, TheLastOfParallelLinksCostsASearch)
{
    LeafSpineOptions options;
    options.leaves = 2;
    options.spines = 2;
    options.hostsPerLeaf = 1;
    options.parallelLinks = 2;
    const auto fabric = MakeLeafSpine(options);
    FabricRoutes routes(fabric);
    EXPECT_EQ(routes.GetNSearches(), 2U);
    routes.FailLink(2);
    EXPECT_EQ(routes.GetNSearches(), 2U);
    EXPECT_FALSE(routes.FailLink(3).empty());
    EXPECT_EQ(routes.GetNSearches(), 3U);
}

TEST(FabricRoutes, ALinkThatIsDownAlreadyOrUpAlreadyChangesNothing)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    EXPECT_TRUE(routes.RestoreLink(16).empty());
    EXPECT_FALSE(routes.FailLink(16).empty());
    EXPECT_FALSE(routes.IsLinkUp(16));
    EXPECT_TRUE(routes.FailLink(16).empty());
    EXPECT_FALSE(routes.RestoreLink(16).empty());
    EXPECT_TRUE(routes.IsLinkUp(16));
}

TEST(FabricRoutes, TheLinkOfAHostTouchesNoTable)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    const auto nSearches = routes.GetNSearches();
    EXPECT_TRUE(routes.FailLink(0).empty());
    EXPECT_FALSE(routes.IsLinkUp(0));
    EXPECT_TRUE(routes.RestoreLink(0).empty());
    EXPECT_EQ(routes.GetNSearches(), nSearches);
}

// k = 8: 128 hosts' links, then 32 leaves with 4 uplinks each. The link of a leaf and a spine is
// the only shortest path of the spine to this one leaf: other leaves have other spines. That of a
// spine and a super-spine is the super-spine's only way down to the 4 leaves of the pod.
TEST(FabricRoutes, AFailureSearchesForTheLeavesBelowTheLink)
{
    const auto fabric = MakeFatTree(8, RATE, 0);
    FabricRoutes routes(fabric);
    EXPECT_EQ(routes.GetNSearches(), 32U);
    routes.FailLink(128 + 5);
    EXPECT_EQ(routes.GetNSearches(), 32U + 1U);
    routes.RestoreLink(128 + 5);
    EXPECT_EQ(routes.GetNSearches(), 33U + 1U);
    routes.FailLink(128 + 128 + 5);
    EXPECT_EQ(routes.GetNSearches(), 34U + 4U);
    routes.RestoreLink(128 + 128 + 5);
    EXPECT_EQ(routes.GetNSearches(), 38U + 4U);
}

// Leaf 0 without uplinks: it discards what is not its own, and everyone discards its prefix.
TEST(FabricRoutes, UnreachableLeavesAreDiscarded)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    routes.FailLink(16);
    routes.FailLink(17);
    for (const uint32_t node : fabric.GetSwitches())
    {
        const auto table = routes.GetTable(node);
        EXPECT_EQ(LookUp(table, fabric.GetAddress(0)).empty(), node != 16) << node;
        EXPECT_EQ(LookUp(table, fabric.GetAddress(8)).empty(), node == 16) << node;
    }
}

// 70 spines: more ports than a word of 64 bits, numbered 1 to 70 after the host's.
TEST(FabricRoutes, GroupsHaveAnyNumberOfPorts)
{
    LeafSpineOptions options;
    options.leaves = 2;
    options.spines = 70;
    options.hostsPerLeaf = 1;
    const auto fabric = MakeLeafSpine(options);
    FabricRoutes routes(fabric);
    std::vector<uint32_t> expected;
    for (uint32_t port = 1; port <= 70; ++port)
    {
        expected.push_back(port);
    }
    EXPECT_EQ(LookUp(routes.GetTable(2), fabric.GetAddress(1)), expected);
    routes.FailLink(2 + 70 + 69); // of leaf 1 and the last spine
    expected.pop_back();
    EXPECT_EQ(LookUp(routes.GetTable(2), fabric.GetAddress(1)), expected);
}

/// A ring or a row of switches with a host each.
FabricPlan
MakeRing(uint32_t n, bool isClosed)
{
    std::vector<uint32_t> switches;
    std::vector<FabricLink> links;
    FabricLink link;
    link.rate = RATE;
    for (uint32_t i = 0; i < n; ++i)
    {
        switches.push_back(i);
        link.a = i;
        link.b = n + i;
        links.push_back(link);
    }
    for (uint32_t i = 0; i + (isClosed ? 0 : 1) < n; ++i)
    {
        link.a = i;
        link.b = (i + 1) % n;
        links.push_back(link);
    }
    return MakeFabric("ring", 2 * n, switches, links);
}

TEST(FabricRoutes, PathsHaveAtMost254Links)
{
    const auto row = MakeRing(255, false); // 254 links
    EXPECT_EQ(LookUp(FabricRoutes(row).GetTable(0), row.GetAddress(255 + 254)).size(), 1U);
    const auto longer = MakeRing(256, false);
    EXPECT_THROW(FabricRoutes{longer}, std::invalid_argument);
}

// A ring of 300 is cut between its first and last switch: 299 links between them, one less after
// each switch. Those with 254 links or less are reached.
TEST(FabricRoutes, WhatAFailureMovesFartherIsDiscarded)
{
    const auto ring = MakeRing(300, true);
    FabricRoutes routes(ring);
    const auto before = GetRoutes(routes.GetTable(0));
    routes.FailLink(599);
    for (uint32_t node = 0; node < 299; ++node)
    {
        const bool isReached = 299 - node <= 254;
        EXPECT_EQ(LookUp(routes.GetTable(node), ring.GetAddress(599)).size(), isReached) << node;
    }
    routes.RestoreLink(599);
    EXPECT_EQ(GetRoutes(routes.GetTable(0)), before);
}

/// The nodes that a path visits, from a node on; empty if its links are not contiguous.
std::vector<uint32_t>
GetNodesOf(const std::vector<FabricLink>& path, uint32_t from)
{
    std::vector<uint32_t> nodes{from};
    for (const auto& link : path)
    {
        if (link.a != nodes.back() && link.b != nodes.back())
        {
            return {};
        }
        nodes.push_back(link.a == nodes.back() ? link.b : link.a);
    }
    return nodes;
}

// k = 4: hosts 0 to 15, leaves 16 to 23 (two a pod), spines 24 to 31, super-spines 32 to 35
TEST(FabricRoutes, APathIsShortestAndLeadsThere)
{
    const FabricPlan fabric = MakeFatTree(4, RATE, 1000);
    const FabricRoutes routes(fabric);
    EXPECT_EQ(GetNodesOf(routes.GetPath(0, 1), 0), (std::vector<uint32_t>{0, 16, 1}));
    const auto inPod = GetNodesOf(routes.GetPath(0, 2), 0);
    ASSERT_EQ(inPod.size(), 5U); // host, leaf, spine, leaf, host
    EXPECT_EQ(inPod.back(), 2U);
    const auto betweenPods = GetNodesOf(routes.GetPath(15, 0), 15);
    ASSERT_EQ(betweenPods.size(), 7U);
    EXPECT_EQ(betweenPods.back(), 0U);
    EXPECT_GE(betweenPods[3], 32U); // over a super-spine
}

// Two leaves, 0 and 1, with a host each and two links, the second of which is faster
TEST(FabricRoutes, APathTakesTheFastestLinkThatIsUp)
{
    std::vector<FabricLink> links(4);
    links[0] = {0, 2, 0, 0, RATE, 0, 0, 0};
    links[1] = {1, 3, 0, 0, RATE, 0, 0, 0};
    links[2] = {0, 1, 0, 0, RATE, 0, 0, 0};
    links[3] = {0, 1, 0, 0, 4 * RATE, 0, 0, 0};
    const FabricPlan fabric = MakeFabric("two", 4, {0, 1}, links);
    FabricRoutes routes(fabric);
    ASSERT_EQ(routes.GetPath(2, 3).size(), 3U);
    EXPECT_EQ(routes.GetPath(2, 3)[1].rate, 4 * RATE);
    routes.FailLink(3);
    ASSERT_EQ(routes.GetPath(2, 3).size(), 3U);
    EXPECT_EQ(routes.GetPath(2, 3)[1].rate, RATE);
    routes.FailLink(2);
    EXPECT_TRUE(routes.GetPath(2, 3).empty());
}

} // namespace
