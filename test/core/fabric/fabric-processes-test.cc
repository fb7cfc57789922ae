// SPDX-License-Identifier: GPL-2.0-only

// How the nodes of a fabric are distributed over processes.

#include "model/core/fabric/fabric-processes.h"
#include "random-fabrics.h"
#include "test/core/core-test.h"

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

/// The process of each node, by number.
std::vector<uint32_t>
GetProcesses(const FabricPlan& fabric)
{
    std::vector<uint32_t> processes;
    for (const NodeIndex node : GetNodes(fabric))
    {
        processes.push_back(fabric.GetProcess(node));
    }
    return processes;
}

/// The sum of the rates of links whose ends are in different processes, in bit/s.
uint64_t
GetCut(const FabricPlan& fabric, const std::vector<uint32_t>& processes)
{
    uint64_t cut = 0;
    for (const FabricLink& link : fabric.GetLinks())
    {
        cut += processes[link.a.value] != processes[link.b.value] ? link.rate : 0;
    }
    return cut;
}

/// The largest sum of the rates of a process's ports, as a multiple of the mean.
double
GetImbalance(const FabricPlan& fabric, uint32_t nProcesses)
{
    std::vector<double> loads(nProcesses);
    for (const FabricLink& link : fabric.GetLinks())
    {
        loads[fabric.GetProcess(link.a)] += static_cast<double>(link.rate);
        loads[fabric.GetProcess(link.b)] += static_cast<double>(link.rate);
    }
    return *std::max_element(loads.begin(), loads.end()) * nProcesses /
           std::accumulate(loads.begin(), loads.end(), 0.0);
}

/// Whole pods in their order, as many in each process, and the top tier spread evenly.
std::vector<uint32_t>
DivideByPods(const FabricPlan& fabric, uint32_t nProcesses)
{
    const auto nodes = GetNodes(fabric);
    const auto nTop = std::count_if(nodes.begin(), nodes.end(), [&fabric](NodeIndex node) {
        return fabric.GetNode(node).pod == NO_POD;
    });
    std::vector<uint32_t> processes;
    uint64_t top = 0;
    for (const NodeIndex node : nodes)
    {
        const uint32_t pod = fabric.GetNode(node).pod;
        processes.push_back(
            static_cast<uint32_t>(pod == NO_POD ? top++ * nProcesses / static_cast<uint64_t>(nTop)
                                                : uint64_t{pod} * nProcesses / fabric.GetNPods()));
    }
    return processes;
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

TEST(FabricProcesses, AreZeroBeforeTheyAreAssigned)
{
    const auto fabric = MakeFatTree(4, RATE, 0);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(0)), 0U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(35)), 0U);
}

TEST(FabricProcesses, HaveWholePodsAndTheirPartOfTheTopTier)
{
    auto fabric = MakeFatTree(4, RATE, 0); // hosts 0-15, leaves 16-23, spines 24-31, top 32-35
    fabric.AssignProcesses(2);             // pods 0 and 1, pods 2 and 3
    EXPECT_EQ(fabric.GetProcess(NodeIndex(7)), 0U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(8)), 1U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(19)), 0U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(20)), 1U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(27)), 0U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(28)), 1U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(33)), 0U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(34)), 1U);
}

TEST(FabricProcesses, AreAtMostTheLeaves)
{
    auto fabric = MakeFatTree(4, RATE, 0);
    EXPECT_EQ(CatchMessage([&] { fabric.AssignProcesses(9); }),
              "expected at most 8 processes, one per leaf, and at least 1; found 9");
    EXPECT_NE(CatchMessage([&] { fabric.AssignProcesses(0); }), "");
    fabric.AssignProcesses(8); // twice the pods
    const auto processes = GetProcesses(fabric);
    EXPECT_EQ(std::set<uint32_t>(processes.begin(), processes.end()).size(), 8U);
}

TEST(FabricProcesses, CutTheThinLinkBetweenTwoRings)
{
    if (!CanPartitionGraphs())
    {
        GTEST_SKIP() << "built without Scotch";
    }
    auto fabric = MakeTwoRings();
    fabric.AssignProcesses(2);
    EXPECT_EQ(GetCut(fabric, GetProcesses(fabric)), RATE / 10);
}

TEST(FabricProcesses, ShareHostsWithALinkToEachRail)
{
    if (!CanPartitionGraphs())
    {
        GTEST_SKIP() << "built without Scotch";
    }
    LeafSpineSettings settings{8, 4, 32, 8}; // all hosts have the same first leaf
    auto fabric = MakeLeafSpine(settings);
    for (const uint32_t nProcesses : {2, 4, 8})
    {
        fabric.AssignProcesses(nProcesses);
        EXPECT_LE(GetImbalance(fabric, nProcesses), 1.06) << nProcesses;
    }
}

TEST(FabricProcesses, DivideALargeFatTree)
{
    auto fabric = MakeFatTree(32, RATE, 0);
    for (const uint32_t nProcesses : {2, 3, 7, 16, 32, 64, 100})
    {
        fabric.AssignProcesses(nProcesses);
        const auto processes = GetProcesses(fabric);
        EXPECT_EQ(std::set<uint32_t>(processes.begin(), processes.end()).size(), nProcesses);
        if (32 % nProcesses == 0)
        {
            EXPECT_LE(GetImbalance(fabric, nProcesses), 1.05) << nProcesses;
            EXPECT_LE(GetCut(fabric, processes), GetCut(fabric, DivideByPods(fabric, nProcesses)))
                << nProcesses;
        }
        else if (CanPartitionGraphs())
        {
            EXPECT_LE(GetImbalance(fabric, nProcesses), 1.2) << nProcesses; // 5 of 512 leaves each
        }
    }
}

// Whatever the fabric: each node has a process, no process is without nodes, a leaf has its hosts,
// and the same fabric is divided in the same way.
RC_GTEST_PROP(FabricProcesses, CoverAnyFabric, ())
{
    Draw draw;
    auto fabric = MakeRandomFabric(draw);
    auto again = fabric;
    const auto nLeaves = static_cast<uint32_t>(fabric.GetLeaves().size());
    const auto nProcesses = draw(1, nLeaves + 1);
    fabric.AssignProcesses(nProcesses);
    again.AssignProcesses(nProcesses);
    const auto processes = GetProcesses(fabric);
    RC_ASSERT(processes == GetProcesses(again));
    const std::set<uint32_t> used(processes.begin(), processes.end());
    RC_ASSERT(used.size() == nProcesses);
    RC_ASSERT(*used.rbegin() == nProcesses - 1);
    for (const NodeIndex host : fabric.GetHosts())
    {
        std::set<uint32_t> leaves;
        for (const FabricPort& port : fabric.GetPorts(host))
        {
            leaves.insert(port.peer.value);
        }
        if (leaves.size() == 1)
        {
            RC_ASSERT(fabric.GetProcess(host) == fabric.GetProcess(fabric.GetLeaf(host)));
        }
    }
}

// Where pods divide evenly, nothing more crosses between processes than with whole pods, and no
// process has more than a few per cent above its share.
RC_GTEST_PROP(FabricProcesses, CutNoMoreThanWholePods, ())
{
    Draw draw;
    ClosSettings settings;
    const uint32_t nProcesses = draw(1, 5);
    settings.pods = nProcesses * draw(1, 4);
    settings.leavesPerPod = draw(1, 6);
    settings.hostsPerLeaf = draw(1, 5);
    settings.spinesPerPod = draw(1, 5);
    settings.superSpinesPerPlane = nProcesses * draw(1, 3);
    settings.leafSpineRate = draw(1, 9) * RATE;
    settings.spineSuperSpineRate = draw(1, 9) * RATE;
    auto fabric = MakeClos5(settings);
    fabric.AssignProcesses(nProcesses);
    RC_ASSERT(GetImbalance(fabric, nProcesses) <= 1.05 + 1e-9);
    RC_ASSERT(GetCut(fabric, GetProcesses(fabric)) <=
              GetCut(fabric, DivideByPods(fabric, nProcesses)));
}
