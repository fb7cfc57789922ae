// SPDX-License-Identifier: GPL-2.0-only

// Forwarding tables of fabrics: shortest paths, aggregation, failures. The reference for distances
// is the algorithm of Floyd and Warshall over the links that are up.

#include "random-fabrics.h"
#include "test/core/core-test.h"

constexpr uint32_t FAR = 1000000; //!< the reference's distance without a path

using Distances = IndexedVector<NodeIndex, IndexedVector<NodeIndex, uint32_t>>;

/// The distances of all pairs of switches, by nodes.
Distances
GetDistances(const FabricPlan& fabric, const FabricRoutes& routes)
{
    Distances d(fabric.GetNNodes(), IndexedVector<NodeIndex, uint32_t>(fabric.GetNNodes(), FAR));
    for (LinkIndex i; i < fabric.GetLinks().GetEnd(); ++i)
    {
        const auto& link = fabric.GetLinks()[i];
        if (routes.IsLinkUp(i))
        {
            d[link.a][link.b] = 1;
            d[link.b][link.a] = 1;
        }
    }
    const auto& switches = fabric.GetSwitches();
    for (const NodeIndex via : switches)
    {
        d[via][via] = 0;
        for (const NodeIndex from : switches)
        {
            for (const NodeIndex to : switches)
            {
                d[from][to] = std::min(d[from][to], d[from][via] + d[via][to]);
            }
        }
    }
    return d;
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
            std::adjacent_find(ports.begin(), ports.end(), [](PortIndex a, PortIndex b) {
                return !(a < b);
            }) != ports.end())
        {
            return false;
        }
    }
    return std::find(isUsed.begin(), isUsed.end(), false) == isUsed.end();
}

/// The leaves that reach a host: by its links that are up, or by all of its links if none is.
std::vector<NodeIndex>
GetLeavesOf(const FabricPlan& fabric, const FabricRoutes& routes, NodeIndex host)
{
    std::vector<NodeIndex> up;
    std::vector<NodeIndex> all;
    for (const auto& port : fabric.GetPorts(host))
    {
        all.push_back(port.peer);
        if (routes.IsLinkUp(port.link))
        {
            up.push_back(port.peer);
        }
    }
    return up.empty() ? all : up;
}

/// From every switch and every host with several links to every host: all ports that are on
/// shortest paths and no others.
void
CheckShortestPaths(const FabricPlan& fabric,
                   const FabricRoutes& routes,
                   const IndexedVector<NodeIndex, FabricTable>& tables,
                   const Distances& distances)
{
    for (const NodeIndex host : fabric.GetHosts())
    {
        const auto leaves = GetLeavesOf(fabric, routes, host);
        const auto getDistance = [&](NodeIndex from) {
            uint32_t nearest = FAR;
            for (const NodeIndex leaf : leaves)
            {
                nearest = std::min(nearest, distances[from][leaf]);
            }
            return nearest;
        };
        for (const NodeIndex node : GetTableOwners(fabric))
        {
            if (node == host)
            {
                continue;
            }
            const auto& ports = fabric.GetPorts(node);
            uint32_t distance = fabric.IsSwitch(node) ? getDistance(node) : FAR;
            for (PortIndex port; fabric.IsHost(node) && port < ports.GetEnd(); ++port)
            {
                if (routes.IsLinkUp(ports[port].link))
                {
                    distance = std::min(distance, getDistance(ports[port].peer) + 1);
                }
            }
            std::vector<PortIndex> expected;
            for (PortIndex port; port < ports.GetEnd(); ++port)
            {
                const NodeIndex peer = ports[port].peer;
                const bool isOnPath =
                    fabric.IsSwitch(peer) && distance < FAR && getDistance(peer) + 1 == distance;
                if (isOnPath || (distance == 0 && peer == host))
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
          const IndexedVector<NodeIndex, FabricTable>& tables,
          uint32_t address,
          NodeIndex node,
          IndexedVector<NodeIndex, char>& state)
{
    state[node] = 1; // on the path
    for (const PortIndex port : LookUp(tables[node], address))
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
                      const IndexedVector<NodeIndex, FabricTable>& tables)
{
    // The fabrics are small: 10.pod.leaf.host or 10.leaf.leaf.host, with at most 150 hosts a leaf.
    for (const uint32_t second : {0, 1, 2, 3, 4, 5, 37, 255})
    {
        for (const uint32_t third : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 37, 255})
        {
            for (const uint32_t last : {0, 200, 255})
            {
                const uint32_t address = 10U << 24 | second << 16 | third << 8 | last;
                IndexedVector<NodeIndex, char> state(fabric.GetNNodes());
                for (const NodeIndex node : fabric.GetSwitches())
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

RC_GTEST_PROP(FabricRoutes, LeadOverAllShortestPathsThatAreUp, ())
{
    Draw draw;
    const auto fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    const auto tables = GetTables(fabric, routes);
    CheckShortestPaths(fabric, routes, tables, GetDistances(fabric, routes));
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

// k = 4: hosts 0-15, leaves 16-23, spines 24-31, super-spines 32-35. A leaf has the ports 0 and 1
// to hosts, a spine to leaves; 2 and 3 are uplinks. A super-spine has a port for each pod.
TEST(FabricRoutes, OfAFatTreeAreAggregated)
{
    constexpr uint32_t NET = 0x0a000000; // 10.0.0.0
    const auto fabric = MakeFatTree(4, RATE, 0);
    const FabricRoutes routes(fabric);
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(16))),
              (std::vector<Route>{Route{0, 0, Ports({2, 3})},
                                  Route{NET, 24, Ports({})},
                                  Route{NET + 2, 32, Ports({0})},
                                  Route{NET + 3, 32, Ports({1})}}));
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(24))),
              (std::vector<Route>{Route{0, 0, Ports({2, 3})},
                                  Route{NET, 16, Ports({})},
                                  Route{NET, 24, Ports({0})},
                                  Route{NET + 256, 24, Ports({1})}}));
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(35))),
              (std::vector<Route>{Route{NET, 16, Ports({0})},
                                  Route{NET + (1 << 16), 16, Ports({1})},
                                  Route{NET + (2 << 16), 16, Ports({2})},
                                  Route{NET + (3 << 16), 16, Ports({3})}}));
}

// A leaf: k/2 hosts, its prefix, all others. A spine: k/2 leaves, its pod, all others. A
// super-spine: k pods.
TEST(FabricRoutes, OfAFatTreeOf32Are18Or32)
{
    const auto fabric = MakeFatTree(32, RATE, 0);
    const FabricRoutes routes(fabric);
    for (const NodeIndex node : {fabric.GetLeaves()[0], fabric.GetLeaves()[511]})
    {
        EXPECT_EQ(routes.GetTable(node).routes.size(), 16U + 2U);
    }
    const uint32_t firstSpine = fabric.GetLeaves()[511].value + 1;
    EXPECT_EQ(routes.GetTable(NodeIndex(firstSpine)).routes.size(), 16U + 2U);
    EXPECT_EQ(routes.GetTable(NodeIndex(firstSpine + 511)).routes.size(), 16U + 2U);
    EXPECT_EQ(routes.GetTable(NodeIndex(firstSpine + 512)).routes.size(), 32U);
    EXPECT_EQ(routes.GetTable(NodeIndex(fabric.GetNNodes() - 1)).routes.size(), 32U);
}

// 70 spines: more ports than a word of 64 bits, numbered 1 to 70 after the host's.
TEST(FabricRoutes, GroupsHaveAnyNumberOfPorts)
{
    const auto fabric = MakeLeafSpine({2, 70, 1});
    FabricRoutes routes(fabric);
    std::vector<PortIndex> expected;
    for (uint32_t port = 1; port <= 70; ++port)
    {
        expected.emplace_back(port);
    }
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(2)), fabric.GetAddress(NodeIndex(1))), expected);
    routes.FailLink(LinkIndex(2 + 70 + 69)); // of leaf 1 and the last spine
    expected.pop_back();
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(2)), fabric.GetAddress(NodeIndex(1))), expected);
}

TEST(FabricRoutes, PathsHaveAtMost254Links)
{
    const auto row = MakeRing(255, false); // 254 links
    EXPECT_EQ(LookUp(FabricRoutes(row).GetTable(NodeIndex(0)), row.GetAddress(NodeIndex(255 + 254)))
                  .size(),
              1U);
    const auto longer = MakeRing(256, false);
    EXPECT_THROW(FabricRoutes{longer}, std::invalid_argument);
}

/// The nodes that a path visits, from a node on; empty if its links are not contiguous.
std::vector<NodeIndex>
GetNodesOf(const std::vector<FabricLink>& path, NodeIndex from)
{
    std::vector<NodeIndex> nodes{from};
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
    EXPECT_EQ(GetNodesOf(routes.GetPath(NodeIndex(0), NodeIndex(1)), NodeIndex(0)),
              Nodes({0, 16, 1}));
    const auto inPod = GetNodesOf(routes.GetPath(NodeIndex(0), NodeIndex(2)), NodeIndex(0));
    ASSERT_EQ(inPod.size(), 5U); // host, leaf, spine, leaf, host
    EXPECT_EQ(inPod.back(), NodeIndex(2));
    const auto betweenPods = GetNodesOf(routes.GetPath(NodeIndex(15), NodeIndex(0)), NodeIndex(15));
    ASSERT_EQ(betweenPods.size(), 7U);
    EXPECT_EQ(betweenPods.back(), NodeIndex(0));
    EXPECT_GE(betweenPods[3].value, 32U); // over a super-spine
}

// Two leaves, 0 and 1, with a host each and two links, the second of which is faster
TEST(FabricRoutes, APathTakesTheFastestLinkThatIsUp)
{
    const FabricLinks links{Link(0, 2), Link(1, 3), Link(0, 1), Link(0, 1, 4 * RATE)};
    const FabricPlan fabric = MakeFabric("two", 4, Nodes({0, 1}), links);
    FabricRoutes routes(fabric);
    ASSERT_EQ(routes.GetPath(NodeIndex(2), NodeIndex(3)).size(), 3U);
    EXPECT_EQ(routes.GetPath(NodeIndex(2), NodeIndex(3))[1].rate, 4 * RATE);
    routes.FailLink(LinkIndex(3));
    ASSERT_EQ(routes.GetPath(NodeIndex(2), NodeIndex(3)).size(), 3U);
    EXPECT_EQ(routes.GetPath(NodeIndex(2), NodeIndex(3))[1].rate, RATE);
    routes.FailLink(LinkIndex(2));
    EXPECT_TRUE(routes.GetPath(NodeIndex(2), NodeIndex(3)).empty());
}

// A slow link and three that are equally fast, with delays to know them by: the first one that is
// up
TEST(FabricRoutes, APathTakesTheFirstOfEquallyFastLinks)
{
    FabricLinks links{Link(0, 2),
                      Link(1, 3),
                      Link(0, 1, RATE / 2),
                      Link(0, 1),
                      Link(0, 1),
                      Link(0, 1)};
    for (const uint32_t link : {3, 4, 5})
    {
        links[LinkIndex(link)].delay = link;
    }
    const FabricPlan fabric = MakeFabric("two", 4, Nodes({0, 1}), links);
    FabricRoutes routes(fabric);
    for (const LinkIndex link : {LinkIndex(3), LinkIndex(4), LinkIndex(5)})
    {
        const auto middle = routes.GetPath(NodeIndex(2), NodeIndex(3)).at(1);
        EXPECT_EQ(middle.rate, RATE);
        EXPECT_EQ(middle.delay, links[link].delay);
        routes.FailLink(link);
    }
    EXPECT_EQ(routes.GetPath(NodeIndex(2), NodeIndex(3)).at(1).rate, RATE / 2);
}
