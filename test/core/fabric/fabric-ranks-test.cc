/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How the nodes of a fabric are distributed over ranks.

#include "model/core/fabric/graph-partition.h"
#include "random-fabrics.h"
#include "test/core/core-test.h"

using namespace aidctest;

std::vector<NodeIndex>
GetNodes(const FabricPlan& fabric)
{
    std::vector<NodeIndex> nodes;
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        nodes.push_back(node);
    }
    return nodes;
}

/// The rank of each node, by number.
std::vector<uint32_t>
GetRanks(const FabricPlan& fabric)
{
    std::vector<uint32_t> ranks;
    for (const NodeIndex node : GetNodes(fabric))
    {
        ranks.push_back(fabric.GetRank(node));
    }
    return ranks;
}

/// The sum of the rates of links whose ends have different ranks, in bit/s.
uint64_t
GetCut(const FabricPlan& fabric, const std::vector<uint32_t>& ranks)
{
    uint64_t cut = 0;
    for (const FabricLink& link : fabric.GetLinks())
    {
        cut += ranks[link.a.value] != ranks[link.b.value] ? link.rate : 0;
    }
    return cut;
}

/// The largest sum of the rates of a rank's ports, as a multiple of the mean.
double
GetImbalance(const FabricPlan& fabric, uint32_t nRanks)
{
    std::vector<double> loads(nRanks);
    for (const FabricLink& link : fabric.GetLinks())
    {
        loads[fabric.GetRank(link.a)] += static_cast<double>(link.rate);
        loads[fabric.GetRank(link.b)] += static_cast<double>(link.rate);
    }
    return *std::max_element(loads.begin(), loads.end()) * nRanks /
           std::accumulate(loads.begin(), loads.end(), 0.0);
}

/// Whole pods in their order, as many at each rank, and the top tier spread evenly.
std::vector<uint32_t>
DivideByPods(const FabricPlan& fabric, uint32_t nRanks)
{
    const auto nodes = GetNodes(fabric);
    const auto nTop = std::count_if(nodes.begin(), nodes.end(), [&fabric](NodeIndex node) {
        return fabric.GetNode(node).pod == NO_POD;
    });
    std::vector<uint32_t> ranks;
    uint64_t top = 0;
    for (const NodeIndex node : nodes)
    {
        const uint32_t pod = fabric.GetNode(node).pod;
        ranks.push_back(static_cast<uint32_t>(pod == NO_POD
                                                  ? top++ * nRanks / static_cast<uint64_t>(nTop)
                                                  : uint64_t{pod} * nRanks / fabric.GetNPods()));
    }
    return ranks;
}

/// Two rings of leaves with two hosts each, between which there is one link. Leaves of the two
/// rings alternate: 0, 2, 4, 6 are one, and 1, 3, 5, 7 the other one.
FabricPlan
MakeTwoRings()
{
    constexpr uint32_t N = 8;
    FabricLinks links;
    std::vector<NodeIndex> switches;
    for (uint32_t leaf = 0; leaf < N; ++leaf)
    {
        switches.emplace_back(leaf);
        links.Add(Link(leaf, (leaf + 2) % N, RATE));
        links.Add(Link(N + 2 * leaf, leaf, RATE));
        links.Add(Link(N + 2 * leaf + 1, leaf, RATE));
    }
    links.Add(Link(0, 1, RATE / 10));
    return MakeFabric("two-rings", 3 * N, switches, links);
}

TEST(FabricRanks, AreZeroBeforeTheyAreAssigned)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    EXPECT_EQ(fabric.GetRank(NodeIndex(0)), 0U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(35)), 0U);
}

TEST(FabricRanks, HaveWholePodsAndTheirPartOfTheTopTier)
{
    auto fabric = MakeFatTree(4, RATE, 0); // hosts 0-15, leaves 16-23, spines 24-31, top 32-35
    fabric.AssignRanks(2);                 // pods 0 and 1, pods 2 and 3
    EXPECT_EQ(fabric.GetRank(NodeIndex(7)), 0U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(8)), 1U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(19)), 0U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(20)), 1U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(27)), 0U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(28)), 1U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(33)), 0U);
    EXPECT_EQ(fabric.GetRank(NodeIndex(34)), 1U);
}

TEST(FabricRanks, AreAtMostTheLeaves)
{
    auto fabric = MakeFatTree(4, RATE, 0);
    EXPECT_EQ(CatchMessage([&] { fabric.AssignRanks(9); }),
              "expected at most 8 ranks, one per leaf, and at least 1; found 9");
    EXPECT_NE(CatchMessage([&] { fabric.AssignRanks(0); }), "");
    fabric.AssignRanks(8); // twice the pods
    const auto ranks = GetRanks(fabric);
    EXPECT_EQ(std::set<uint32_t>(ranks.begin(), ranks.end()).size(), 8U);
}

TEST(FabricRanks, CutTheThinLinkBetweenTwoRings)
{
    if (!CanPartitionGraphs())
    {
        GTEST_SKIP() << "built without Scotch";
    }
    auto fabric = MakeTwoRings();
    fabric.AssignRanks(2);
    EXPECT_EQ(GetCut(fabric, GetRanks(fabric)), RATE / 10);
}

TEST(FabricRanks, ShareHostsWithALinkToEachRail)
{
    if (!CanPartitionGraphs())
    {
        GTEST_SKIP() << "built without Scotch";
    }
    LeafSpineSettings settings; // all hosts have the same first leaf
    settings.leaves = 8;
    settings.leavesPerHost = 8;
    settings.hostsPerLeaf = 32;
    settings.spines = 4;
    auto fabric = MakeLeafSpine(settings);
    for (const uint32_t nRanks : {2, 4, 8})
    {
        fabric.AssignRanks(nRanks);
        EXPECT_LE(GetImbalance(fabric, nRanks), 1.06) << nRanks;
    }
}

TEST(FabricRanks, DivideALargeFatTree)
{
    auto fabric = MakeFatTree(32, RATE, 0);
    for (const uint32_t nRanks : {2, 3, 7, 16, 32, 64, 100})
    {
        fabric.AssignRanks(nRanks);
        const auto ranks = GetRanks(fabric);
        EXPECT_EQ(std::set<uint32_t>(ranks.begin(), ranks.end()).size(), nRanks);
        if (32 % nRanks == 0)
        {
            EXPECT_LE(GetImbalance(fabric, nRanks), 1.05) << nRanks;
            EXPECT_LE(GetCut(fabric, ranks), GetCut(fabric, DivideByPods(fabric, nRanks)))
                << nRanks;
        }
        else if (CanPartitionGraphs())
        {
            EXPECT_LE(GetImbalance(fabric, nRanks), 1.2) << nRanks; // 512 leaves, 5 at a rank
        }
    }
}

// Whatever the fabric: each node has a rank, no rank is without nodes, a leaf has its hosts, and
// the same fabric is divided in the same way.
RC_GTEST_PROP(FabricRanks, CoverAnyFabric, ())
{
    Draw draw;
    auto fabric = MakeRandomFabric(draw);
    auto again = fabric;
    const auto nLeaves = static_cast<uint32_t>(fabric.GetLeaves().size());
    const auto nRanks = draw(1, nLeaves + 1);
    fabric.AssignRanks(nRanks);
    again.AssignRanks(nRanks);
    const auto ranks = GetRanks(fabric);
    RC_ASSERT(ranks == GetRanks(again));
    const std::set<uint32_t> used(ranks.begin(), ranks.end());
    RC_ASSERT(used.size() == nRanks);
    RC_ASSERT(*used.rbegin() == nRanks - 1);
    for (const NodeIndex host : fabric.GetHosts())
    {
        std::set<uint32_t> leaves;
        for (const FabricPort& port : fabric.GetPorts(host))
        {
            leaves.insert(port.peer.value);
        }
        if (leaves.size() == 1)
        {
            RC_ASSERT(fabric.GetRank(host) == fabric.GetRank(fabric.GetLeaf(host)));
        }
    }
}

// Where pods divide evenly, nothing more crosses between ranks than with whole pods, and no rank
// has more than a few per cent above its share.
RC_GTEST_PROP(FabricRanks, CutNoMoreThanWholePods, ())
{
    Draw draw;
    ClosSettings settings;
    const uint32_t nRanks = draw(1, 5);
    settings.pods = nRanks * draw(1, 4);
    settings.leavesPerPod = draw(1, 6);
    settings.hostsPerLeaf = draw(1, 5);
    settings.spinesPerPod = draw(1, 5);
    settings.superSpinesPerPlane = nRanks * draw(1, 3);
    settings.leafSpineRate = draw(1, 9) * RATE;
    settings.spineSuperSpineRate = draw(1, 9) * RATE;
    auto fabric = MakeClos5(settings);
    fabric.AssignRanks(nRanks);
    RC_ASSERT(GetImbalance(fabric, nRanks) <= 1.05 + 1e-9);
    RC_ASSERT(GetCut(fabric, GetRanks(fabric)) <= GetCut(fabric, DivideByPods(fabric, nRanks)));
}
