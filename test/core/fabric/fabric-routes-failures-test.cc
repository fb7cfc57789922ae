// SPDX-License-Identifier: GPL-2.0-only

// Forwarding tables of fabrics: shortest paths, aggregation, failures. The reference for distances
// is the algorithm of Floyd and Warshall over the links that are up.

#include "random-fabrics.h"
#include "test/core/core-test.h"

RC_GTEST_PROP(FabricRoutes, TablesOfOtherSwitchesDoNotChange, ())
{
    Draw draw;
    const auto fabric = MakeRandomFabric(draw);
    FabricRoutes routes(fabric);
    ToggleSome(fabric, routes, draw);
    const auto before = GetTables(fabric, routes);
    const auto nLinks = static_cast<uint32_t>(fabric.GetLinks().size());
    const auto touched = Toggle(routes, LinkIndex(draw(0, nLinks)));
    RC_ASSERT(std::is_sorted(touched.begin(), touched.end()));
    for (const NodeIndex node : GetTableOwners(fabric))
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
    for (LinkIndex link; link < fabric.GetLinks().GetEnd(); ++link)
    {
        routes.RestoreLink(link);
    }
    const auto after = GetTables(fabric, routes);
    for (const NodeIndex node : GetTableOwners(fabric))
    {
        RC_ASSERT(GetRoutes(after[node]) == GetRoutes(before[node]));
        RC_ASSERT(after[node].groups == before[node].groups);
    }
}

// k = 4, links 0-15 of hosts, then 16-31 of leaves; link 16 joins leaf 0 and spine 0 of pod 0. Leaf
// 1 (node 17) reaches leaf 0 over spine 1 alone, its port 3, and everything else over both. Beyond
// its pod's leaves 0 and 1, and beyond the pods 0 to 3, nothing may follow the default.
TEST(FabricRoutes, AfterAFailureTheCommonestGroupStaysAggregated)
{
    constexpr uint32_t NET = 0x0a000000;
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    routes.FailLink(LinkIndex(16));
    const auto table = routes.GetTable(NodeIndex(17));
    EXPECT_EQ(LookUp(table, NET + 2), Ports({3}));
    EXPECT_EQ(LookUp(table, NET + (2 << 16) + 2), Ports({2, 3}));
    // Leaf 2 of pod 1 (node 18): the pod's prefix is left to the default, leaf 0 has a route.
    const auto remote = routes.GetTable(NodeIndex(18));
    EXPECT_EQ(LookUp(remote, NET + 2), Ports({3}));
    EXPECT_EQ(LookUp(remote, NET + 256 + 2), Ports({2, 3}));
    EXPECT_EQ(LookUp(remote, NET + 512 + 2), Ports({}));
    EXPECT_EQ(LookUp(remote, NET + (4 << 16) + 2), Ports({}));
    EXPECT_EQ(LookUp(remote, NET + (255 << 16) + 2), Ports({}));
}

// Two spines, two parallel links each: ports 1 and 2 to spine 0, 3 and 4 to spine 1.
TEST(FabricRoutes, AFailedPortStaysAMemberWhileItsPeerIsClose)
{
    const auto fabric =
        MakeLeafSpine({2, 2, 1, 1, 2}); // hosts 0, 1; leaves 2, 3; links 2-5 of leaf 2
    FabricRoutes routes(fabric);
    const auto address = fabric.GetAddress(NodeIndex(1));
    EXPECT_TRUE(routes.FailLink(LinkIndex(2)).empty());
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(2)), address), Ports({1, 2, 3, 4}));
    routes.FailLink(LinkIndex(3)); // spine 0 is still one link from leaf 3
    EXPECT_EQ(LookUp(routes.GetTable(NodeIndex(2)), address), Ports({1, 2, 3, 4}));
}

// The sequence above: the second failure takes spine 0 from leaf 2, and that is one search more.
TEST(FabricRoutes, TheLastOfParallelLinksCostsASearch)
{
    const auto fabric = MakeLeafSpine({2, 2, 1, 1, 2});
    FabricRoutes routes(fabric);
    EXPECT_EQ(routes.GetNSearches(), 2U);
    routes.FailLink(LinkIndex(2));
    EXPECT_EQ(routes.GetNSearches(), 2U);
    EXPECT_FALSE(routes.FailLink(LinkIndex(3)).empty());
    EXPECT_EQ(routes.GetNSearches(), 3U);
}

TEST(FabricRoutes, ALinkThatIsDownAlreadyOrUpAlreadyChangesNothing)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    EXPECT_TRUE(routes.RestoreLink(LinkIndex(16)).empty());
    EXPECT_FALSE(routes.FailLink(LinkIndex(16)).empty());
    EXPECT_FALSE(routes.IsLinkUp(LinkIndex(16)));
    EXPECT_TRUE(routes.FailLink(LinkIndex(16)).empty());
    EXPECT_FALSE(routes.RestoreLink(LinkIndex(16)).empty());
    EXPECT_TRUE(routes.IsLinkUp(LinkIndex(16)));
}

TEST(FabricRoutes, TheLinkOfAHostTouchesNoTable)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    const auto nSearches = routes.GetNSearches();
    EXPECT_TRUE(routes.FailLink(LinkIndex(0)).empty());
    EXPECT_FALSE(routes.IsLinkUp(LinkIndex(0)));
    EXPECT_TRUE(routes.RestoreLink(LinkIndex(0)).empty());
    EXPECT_EQ(routes.GetNSearches(), nSearches);
}

// k = 8: 128 hosts' links, then 32 leaves with 4 uplinks each. The link of a leaf and a spine is
// the only shortest path of the spine to this one leaf: other leaves have other spines. The link of
// a spine and a super-spine is the super-spine's only way down to the 4 leaves of the pod.
TEST(FabricRoutes, AFailureSearchesForTheLeavesBelowTheLink)
{
    const auto fabric = MakeFatTree(8, RATE, 0);
    FabricRoutes routes(fabric);
    EXPECT_EQ(routes.GetNSearches(), 32U);
    routes.FailLink(LinkIndex(128 + 5));
    EXPECT_EQ(routes.GetNSearches(), 32U + 1U);
    routes.RestoreLink(LinkIndex(128 + 5));
    EXPECT_EQ(routes.GetNSearches(), 33U + 1U);
    routes.FailLink(LinkIndex(128 + 128 + 5));
    EXPECT_EQ(routes.GetNSearches(), 34U + 4U);
    routes.RestoreLink(LinkIndex(128 + 128 + 5));
    EXPECT_EQ(routes.GetNSearches(), 38U + 4U);
}

// Leaf 0 without uplinks: it discards what is not its own, and everyone discards its prefix.
TEST(FabricRoutes, UnreachableLeavesAreDiscarded)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    FabricRoutes routes(fabric);
    routes.FailLink(LinkIndex(16));
    routes.FailLink(LinkIndex(17));
    for (const NodeIndex node : fabric.GetSwitches())
    {
        const auto table = routes.GetTable(node);
        EXPECT_EQ(LookUp(table, fabric.GetAddress(NodeIndex(0))).empty(), node != NodeIndex(16))
            << node;
        EXPECT_EQ(LookUp(table, fabric.GetAddress(NodeIndex(8))).empty(), node == NodeIndex(16))
            << node;
    }
}

// A ring of 300 is cut between its first and last switch: 299 links between them, one less after
// each switch. Switches with 254 links or less are reached.
TEST(FabricRoutes, WhatAFailureMovesFartherIsDiscarded)
{
    const auto ring = MakeRing(300, true);
    FabricRoutes routes(ring);
    const auto before = GetRoutes(routes.GetTable(NodeIndex(0)));
    routes.FailLink(LinkIndex(599));
    for (NodeIndex node; node < NodeIndex(299); ++node)
    {
        const bool isReached = 299 - node.value <= 254;
        EXPECT_EQ(LookUp(routes.GetTable(node), ring.GetAddress(NodeIndex(599))).size(), isReached)
            << node;
    }
    routes.RestoreLink(LinkIndex(599));
    EXPECT_EQ(GetRoutes(routes.GetTable(NodeIndex(0))), before);
}
