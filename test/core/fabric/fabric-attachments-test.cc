// SPDX-License-Identifier: GPL-2.0-only

// Hosts with several links: where they are attached, their addresses, and routes that survive the
// failure of one of their links.

#include "random-fabrics.h"
#include "test/core/core-test.h"

constexpr uint32_t NET = 0x0a000000; //!< 10.0.0.0

/// Four leaves in two pairs that share two hosts each: hosts 0-3, leaves 4-7, spines 8 and 9.
FabricPlan
MakePairs()
{
    return MakeLeafSpine({4, 2, 2, 2});
}

/// Rails that only hosts connect, as nodes 0 to nRails - 1, and hosts with a link to each of them.
FabricLinks
LinkRails(uint32_t nRails, uint32_t nHosts)
{
    FabricLinks links;
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        for (uint32_t rail = 0; rail < nRails; ++rail)
        {
            links.Add(Link(nRails + host, rail));
        }
    }
    return links;
}

TEST(FabricAttachments, PairsOfLeavesShareTheirHosts)
{
    const auto fabric = MakePairs();
    EXPECT_EQ(fabric.GetHosts(), Nodes({0, 1, 2, 3}));
    EXPECT_EQ(fabric.GetLeaves(), Nodes({4, 5, 6, 7}));
    ASSERT_EQ(fabric.GetLinks().size(), 4U * 2 + 4 * 2);
    for (uint32_t host = 0; host < 4; ++host)
    {
        const auto& ports = fabric.GetPorts(NodeIndex(host));
        ASSERT_EQ(ports.size(), 2U);
        EXPECT_EQ(ports[PortIndex(0)].peer, NodeIndex(4 + host / 2 * 2));
        EXPECT_EQ(ports[PortIndex(1)].peer, NodeIndex(5 + host / 2 * 2));
        EXPECT_EQ(fabric.GetLeaf(NodeIndex(host)), NodeIndex(4 + host / 2 * 2));
        EXPECT_TRUE(fabric.HasSeveralLinks(NodeIndex(host)));
    }
    // The leaves' own, and two pairs.
    const auto& attachments = fabric.GetAttachments();
    ASSERT_EQ(attachments.size(), 6U);
    EXPECT_EQ(attachments[3].leaves, Nodes({7}));
    EXPECT_EQ(attachments[4].leaves, Nodes({4, 5}));
    EXPECT_EQ(attachments[5].leaves, Nodes({6, 7}));
    EXPECT_EQ(fabric.GetAttachment(NodeIndex(1)), 4U);
    EXPECT_EQ(fabric.GetAttachment(NodeIndex(2)), 5U);
}

// Without super-spines each leaf is a pod, and pairs are pods behind the four leaves.
TEST(FabricAttachments, PairsHavePrefixesBehindThoseOfTheLeaves)
{
    const auto fabric = MakePairs();
    EXPECT_EQ(fabric.GetNPods(), 4U);
    EXPECT_EQ(fabric.GetAddress(NodeIndex(7)), NET + (3 << 8) + 1); // the last leaf
    EXPECT_EQ(fabric.GetAddress(NodeIndex(0)), NET + (4 << 8) + 2);
    EXPECT_EQ(fabric.GetAddress(NodeIndex(1)), NET + (4 << 8) + 3);
    EXPECT_EQ(fabric.GetAddress(NodeIndex(3)), NET + (5 << 8) + 3);
}

// In a pod of four leaves, pairs are its leaves 4 and 5, so that other pods need no more routes.
TEST(FabricAttachments, PairsOfAPodAreInItsPrefix)
{
    ClosSettings settings;
    settings.pods = 3;
    settings.leavesPerPod = 4;
    settings.leavesPerHost = 2;
    const auto fabric = MakeClos5(settings); // 12 hosts, 12 leaves, 6 spines, 4 super-spines
    ASSERT_EQ(fabric.GetHosts().size(), 12U);
    EXPECT_EQ(fabric.GetAddress(NodeIndex(11)), NET + (2 << 16) + (5 << 8) + 3);
    const FabricRoutes routes(fabric);
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(fabric.GetNNodes() - 1))),
              (std::vector<Route>{Route{NET, 16, Ports({0})},
                                  Route{NET + (1 << 16), 16, Ports({1})},
                                  Route{NET + (2 << 16), 16, Ports({2})}}));
    // A host: its own two leaves one by one, and all else over both.
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(0))),
              (std::vector<Route>{Route{0, 0, Ports({0, 1})},
                                  Route{NET, 24, Ports({0})},
                                  Route{NET + 256, 24, Ports({1})}}));
}

// A rail-optimised fabric: groups of 8 rails with 16 hosts. A leaf has its 16 hosts, a default
// route, its own prefix and the prefix of its group, whatever the number of groups.
TEST(FabricAttachments, TablesOfRailsDoNotGrowWithTheFabric)
{
    for (const uint32_t nGroups : {3, 16})
    {
        const auto fabric = MakeLeafSpine({8 * nGroups, 4, 16, 8});
        ASSERT_EQ(fabric.GetHosts().size(), 16 * nGroups);
        const FabricRoutes routes(fabric);
        const NodeIndex leaf = fabric.GetLeaves().back();
        EXPECT_EQ(routes.GetTable(leaf).routes.size(), 16U + 3U);
        EXPECT_EQ(LookUp(routes.GetTable(leaf), fabric.GetAddress(NodeIndex(0))).size(), 4U);
        // A host: 8 leaves of its own, and a default route over all its links.
        const auto host = routes.GetTable(fabric.GetHosts().back());
        EXPECT_EQ(host.routes.size(), 8U + 1U);
        EXPECT_EQ(LookUp(host, fabric.GetAddress(NodeIndex(0))).size(), 8U);
    }
}

// Host 0 loses its link to leaf 4: leaf 4 sends over both spines to leaf 5, the spines to leaf 5
// alone. Host 1, at the same leaves, goes on as before, and so do tables that need no change.
TEST(FabricAttachments, AHostWithoutOneOfItsLeavesHasRoutesOfItsOwn)
{
    const auto fabric = MakePairs();
    FabricRoutes routes(fabric);
    const auto before = GetTables(fabric, routes);
    const auto address = fabric.GetAddress(NodeIndex(0));
    const auto other = fabric.GetAddress(NodeIndex(1));
    const LinkIndex link = fabric.GetPorts(NodeIndex(0)).front().link;
    const auto touched = routes.FailLink(link);
    EXPECT_TRUE(std::count(touched.begin(), touched.end(), NodeIndex(8)) == 1);
    // Ports 0 and 1 of a leaf lead to its hosts, 2 and 3 to spines; port i of a spine to leaf i.
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(4)), address), Ports({2, 3}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(5)), address), Ports({0}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(8)), address), Ports({1}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(8)), other), Ports({0, 1}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(4)), other), Ports({1}));
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(6))), GetRoutes(before[NodeIndex(6)]));
    // Host 1 sends to it by leaf 5; itself it has that one left, masked ports apart.
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(1)), address), Ports({1}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(0)), fabric.GetAddress(NodeIndex(3))),
              Ports({0, 1}));
    // Without any link it is masked everywhere, as a host with one link.
    routes.FailLink(fabric.GetPorts(NodeIndex(0))[PortIndex(1)].link);
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(8)), address), Ports({0, 1}));
    routes.RestoreLink(link);
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(8)), address), Ports({0}));
    routes.RestoreLink(fabric.GetPorts(NodeIndex(0))[PortIndex(1)].link);
    for (const NodeIndex node : GetTableOwners(fabric))
    {
        EXPECT_EQ(GetRoutes(routes.GetTable(node)), GetRoutes(before[node])) << node;
    }
}

// Leaf 4 loses both spines: hosts 0 and 1 send to others by leaf 5, and to leaf 4 by its link. All
// tables change, as nobody else reaches the address of leaf 4.
TEST(FabricAttachments, HostsAvoidALeafWithoutUplinks)
{
    const auto fabric = MakePairs();
    FabricRoutes routes(fabric);
    routes.FailLink(LinkIndex(8));
    EXPECT_EQ(routes.FailLink(LinkIndex(9)), Nodes({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    const auto table = routes.GetTable(NodeIndex(0));
    EXPECT_EQ(LookUp(table, fabric.GetAddress(NodeIndex(3))), Ports({1}));
    EXPECT_EQ(LookUp(table, fabric.GetAddress(NodeIndex(1))), Ports({0, 1}));
    EXPECT_EQ(LookUp(table, fabric.GetAddress(NodeIndex(4))), Ports({0}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(3)), fabric.GetAddress(NodeIndex(4))), Ports({}));
}

TEST(FabricAttachments, APathTakesTheFastestOfAHostsLinks)
{
    // Host 2 with links to both leaves, host 3 at leaf 1
    const FabricLinks links{Link(2, 0), Link(2, 1), Link(2, 1, 4 * RATE), Link(3, 1), Link(0, 1)};
    const auto fabric = MakeFabric("two", 4, Nodes({0, 1}), links);
    FabricRoutes routes(fabric);
    const auto path = routes.GetPath(NodeIndex(2), NodeIndex(3));
    ASSERT_EQ(path.size(), 2U); // not over leaf 0
    EXPECT_EQ(path[0].rate, 4 * RATE);
    EXPECT_EQ(routes.GetPath(NodeIndex(3), NodeIndex(2))[1].rate, 4 * RATE);
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(1)), fabric.GetAddress(NodeIndex(2))),
              Ports({0, 1}));
    routes.FailLink(LinkIndex(1));
    routes.FailLink(LinkIndex(2));
    EXPECT_EQ(routes.GetPath(NodeIndex(2), NodeIndex(3)).size(), 3U);
    EXPECT_EQ(routes.GetPath(NodeIndex(3), NodeIndex(2)).size(), 3U);
    routes.FailLink(LinkIndex(0));
    EXPECT_TRUE(routes.GetPath(NodeIndex(2), NodeIndex(3)).empty());
}

TEST(FabricPlanes, MayBeConnectedByHostsOnly)
{
    const auto fabric = MakeFabric("rails", 6, Nodes({0, 1, 2}), LinkRails(3, 3));
    EXPECT_EQ(fabric.GetPlane(NodeIndex(0)), 0U);
    EXPECT_EQ(fabric.GetPlane(NodeIndex(2)), 2U);
    const FabricRoutes routes(fabric);
    const auto address = fabric.GetAddress(NodeIndex(5));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(3)), address), Ports({0, 1, 2}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(2)), address), Ports({2}));
    // A rail's own address is that rail's only.
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(3)), fabric.GetAddress(NodeIndex(1))), Ports({1}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(0)), fabric.GetAddress(NodeIndex(1))), Ports({}));
}

TEST(FabricPlanes, AreSharedByAllHosts)
{
    // Host 3 at the switches 0 and 1, host 4 at 1 and 2, host 5 at 2 and 0: each two share one.
    const FabricLinks shared{Link(3, 0),
                             Link(3, 1),
                             Link(4, 1),
                             Link(4, 2),
                             Link(5, 2),
                             Link(5, 0)};
    const auto fabric = MakeFabric("ring", 6, Nodes({0, 1, 2}), shared);
    const FabricRoutes routes(fabric);
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(3)), fabric.GetAddress(NodeIndex(4))), Ports({1}));
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(3)), fabric.GetAddress(NodeIndex(5))), Ports({0}));
    const FabricLinks apart{Link(2, 0), Link(2, 1), Link(3, 0), Link(4, 1)};
    EXPECT_EQ(CatchMessage([&] { MakeFabric("apart", 5, Nodes({0, 1}), apart); }),
              "node 1: expected switches that are connected, found no path to node 0");
}

TEST(FabricAttachments, LeavesOfAHostDivideThoseThatThereAre)
{
    EXPECT_EQ(CatchMessage([&] { MakeLeafSpine({4, 4, 16, 3}); }),
              "expected leavesPerHost that divides leaves 4, found 3");
    ClosSettings clos;
    clos.leavesPerHost = 0;
    EXPECT_EQ(CatchMessage([&] { MakeClos5(clos); }),
              "expected leavesPerHost of at least 1, found 0");
}

// Flows between hosts with several links are spread: of each pair that shares no leaf, the sender
// uses all of its links, and all links of the receiver are reached, in a fabric without failures.
RC_GTEST_PROP(FabricAttachments, AllLinksOfHostsAreUsed, ())
{
    LeafSpineSettings settings{4,
                               DrawInRange<uint32_t>(1, 4),
                               DrawInRange<uint32_t>(1, 4),
                               DrawInRange<uint32_t>(2, 5)};
    settings.leaves = settings.leavesPerHost * DrawInRange<uint32_t>(2, 4);
    const auto fabric = MakeLeafSpine(settings);
    const FabricRoutes routes(fabric);
    const auto tables = GetTables(fabric, routes);
    const NodeIndex from = fabric.GetHosts().front();
    const NodeIndex to = fabric.GetHosts().back();
    std::set<std::pair<NodeIndex, PortIndex>> used;
    std::vector<NodeIndex> nodes{from};
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        if (nodes[i] == to)
        {
            continue;
        }
        for (const PortIndex port : LookUp(tables[nodes[i]], fabric.GetAddress(to)))
        {
            if (used.emplace(nodes[i], port).second)
            {
                nodes.push_back(fabric.GetPorts(nodes[i])[port].peer);
            }
        }
    }
    const auto nArrivals = std::count(nodes.begin(), nodes.end(), to);
    RC_ASSERT(static_cast<uint32_t>(nArrivals) == settings.leavesPerHost);
    for (PortIndex port; port < fabric.GetPorts(from).GetEnd(); ++port)
    {
        RC_ASSERT(used.count({from, port}) == 1U);
    }
}
