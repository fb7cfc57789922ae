// SPDX-License-Identifier: GPL-2.0-only

// What a folded Clos network can carry: networks of which that can be computed by hand.

#include "test/core/core-test.h"

#include "ns3/clos-fabric.h"
#include "ns3/clos-throughput.h"

constexpr uint64_t UNIT = 100000000000;

/// 8 leaves and 4 spines, 4 hosts a leaf, as the 3-stage network of the FARE draft.
FabricPlan
MakeThreeStages(uint32_t parallelLinks = 1)
{
    LeafSpineSettings settings{8, 4, 4, 1, parallelLinks};
    settings.leafSpineRate = UNIT / parallelLinks;
    return MakeLeafSpine(settings);
}

/// 8 pods of 4 leaves and 4 spines, 4 planes of 4 super-spines, as its 5-stage network.
FabricPlan
MakeFiveStages()
{
    ClosSettings settings;
    settings.pods = 8;
    settings.leavesPerPod = settings.spinesPerPod = 4;
    settings.superSpinesPerPlane = settings.hostsPerLeaf = 4;
    return MakeClos5(settings);
}

/// Each leaf to the one that is so many places behind it.
std::vector<LeafDemand>
MakeShift(const FabricPlan& fabric, std::size_t places)
{
    const auto& leaves = fabric.GetLeaves();
    std::vector<LeafDemand> demands;
    for (std::size_t i = 0; i < leaves.size(); ++i)
    {
        demands.push_back({leaves[i], leaves[(i + places) % leaves.size()], 4 * UNIT});
    }
    return demands;
}

/// The links of a node to a tier, in the order of ports.
std::vector<LinkIndex>
GetLinksTo(const FabricPlan& fabric, NodeIndex node, FabricTier tier)
{
    std::vector<LinkIndex> links;
    for (const auto& port : fabric.GetPorts(node))
    {
        if (fabric.GetNode(port.peer).tier == tier)
        {
            links.push_back(port.link);
        }
    }
    return links;
}

std::vector<LinkIndex>
GetUp(const FabricPlan& fabric, std::size_t leaf)
{
    return GetLinksTo(fabric, fabric.GetLeaves()[leaf], FabricTier::SPINE);
}

/// The links of a pod's first spine to super-spines.
std::vector<LinkIndex>
GetTop(const FabricPlan& fabric, uint32_t pod)
{
    for (const NodeIndex id : fabric.GetSwitches())
    {
        const auto& node = fabric.GetNode(id);
        if (node.tier == FabricTier::SPINE && node.pod == pod && node.index == 0)
        {
            return GetLinksTo(fabric, id, FabricTier::SUPER_SPINE);
        }
    }
    return {};
}

TEST(ClosThroughput, ThreeStagesCarryWhatBothLeavesHaveToTheSameSpines)
{
    const auto fabric = MakeThreeStages();
    const auto demands = MakeShift(fabric, 1);
    EXPECT_EQ(GetMaxThroughput(fabric, demands), 32 * UNIT);
    // Leaf 0 has three links to send over, and three to receive over.
    const LinkIndex first = GetUp(fabric, 0)[0];
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {first}), 30 * UNIT);
    // The next one has lost its link to that spine: two left to either side, three between them
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {first, GetUp(fabric, 1)[0]}), 29 * UNIT);
    // or its link to another spine: two spines are left between them.
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {first, GetUp(fabric, 1)[1]}), 28 * UNIT);
}

TEST(ClosThroughput, ParallelLinksAreOne)
{
    const auto fabric = MakeThreeStages(2);
    const auto demands = MakeShift(fabric, 1);
    EXPECT_EQ(GetMaxThroughput(fabric, demands), 32 * UNIT);
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {GetUp(fabric, 0)[0]}), 31 * UNIT);
}

TEST(ClosThroughput, HostsMayBeWhatIsSlow)
{
    const auto fabric = MakeThreeStages();
    const NodeIndex a = fabric.GetLeaves()[0];
    const NodeIndex b = fabric.GetLeaves()[5];
    EXPECT_EQ(GetMaxThroughput(fabric, {{a, b, UNIT}}, {GetUp(fabric, 0)[2]}), UNIT);
    EXPECT_EQ(GetMaxThroughput(fabric, {}), 0);
}

TEST(ClosThroughput, FiveStagesCarryWhatBothPodsHaveToTheSameSuperSpines)
{
    const auto fabric = MakeFiveStages();
    const auto demands = MakeShift(fabric, 4); // to the next pod
    EXPECT_EQ(GetMaxThroughput(fabric, demands), 128 * UNIT);
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {GetUp(fabric, 0)[0]}), 126 * UNIT);
    // Pod 1 sends over 15 links to super-spines and receives over 15.
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {GetTop(fabric, 1)[0]}), 126 * UNIT);
    // Pods 1 and 2 share two super-spines of the plane: 15 to pod 1, 14 to pod 2, 15 to pod 3.
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {GetTop(fabric, 1)[0], GetTop(fabric, 2)[1]}),
              124 * UNIT);
    // What a leaf has lost to a spine and what that spine has lost above it count once.
    EXPECT_EQ(GetMaxThroughput(fabric, demands, {GetUp(fabric, 0)[0], GetTop(fabric, 0)[0]}),
              126 * UNIT);
}

TEST(ClosThroughput, FiveStagesWithinAPod)
{
    const auto fabric = MakeFiveStages();
    const NodeIndex a = fabric.GetLeaves()[0];
    const NodeIndex b = fabric.GetLeaves()[1];
    auto lost = GetTop(fabric, 0); // does not matter
    EXPECT_EQ(GetMaxThroughput(fabric, {{a, b, 4 * UNIT}}, lost), 4 * UNIT);
    lost.push_back(GetUp(fabric, 1)[3]);
    EXPECT_EQ(GetMaxThroughput(fabric, {{a, b, 4 * UNIT}}, lost), 3 * UNIT);
}

TEST(ClosThroughput, DemandsThatShareLinksAreRefused)
{
    const auto fabric = MakeFiveStages();
    const auto& leaves = fabric.GetLeaves();
    EXPECT_THROW(GetMaxThroughput(fabric, {{leaves[0], leaves[4], 1}, {leaves[0], leaves[5], 1}}),
                 std::invalid_argument);
    EXPECT_THROW(GetMaxThroughput(fabric, {{leaves[0], leaves[4], 1}, {leaves[1], leaves[4], 1}}),
                 std::invalid_argument);
    EXPECT_THROW(GetMaxThroughput(fabric, {{leaves[0], leaves[4], 1}, {leaves[1], leaves[8], 1}}),
                 std::invalid_argument);
}

// In three stages nothing is shared: a sum of minima is the maximum flow.
RC_GTEST_PROP(ClosThroughputProperty, ThreeStagesAreSumsOfMinima, ())
{
    auto fabric = MakeThreeStages(2);
    std::vector<LinkIndex> lost;
    for (std::size_t leaf = 0; leaf < 8; ++leaf)
    {
        for (const LinkIndex link : GetUp(fabric, leaf))
        {
            if (DrawInRange(0, 4) == 0)
            {
                lost.push_back(link);
            }
        }
    }
    const auto getRate = [&fabric, &lost](std::size_t leaf, std::size_t spine) {
        uint64_t rate = 0;
        for (const std::size_t place : {2 * spine, 2 * spine + 1})
        {
            const LinkIndex link = GetUp(fabric, leaf)[place];
            rate += std::find(lost.begin(), lost.end(), link) == lost.end() ? UNIT / 2 : 0;
        }
        return rate;
    };
    const auto places = DrawInRange<std::size_t>(1, 8);
    uint64_t expected = 0;
    for (std::size_t leaf = 0; leaf < 8; ++leaf)
    {
        for (std::size_t spine = 0; spine < 4; ++spine)
        {
            expected += std::min(getRate(leaf, spine), getRate((leaf + places) % 8, spine));
        }
    }
    RC_ASSERT(GetMaxThroughput(fabric, MakeShift(fabric, places), lost) == expected);
}

TEST(ClosThroughput, AllToAllIsBoundByCuts)
{
    constexpr double rate = UNIT;
    const auto three = MakeThreeStages();
    // A host to 31 others; a leaf's 4 hosts to 28 others over 4 or 3 links
    EXPECT_DOUBLE_EQ(GetAllToAllRate(three), rate / 31);
    EXPECT_DOUBLE_EQ(GetAllToAllRate(three, {GetUp(three, 0)[0]}), 3 * rate / (4 * 28));
    const auto five = MakeFiveStages();
    EXPECT_DOUBLE_EQ(GetAllToAllRate(five), rate / 127);
    EXPECT_DOUBLE_EQ(GetAllToAllRate(five, {GetUp(five, 9)[0]}), 3 * rate / (4 * 124));
    // A pod's 16 hosts to 112 others over 13 links
    auto lost = GetTop(five, 3);
    lost.pop_back();
    EXPECT_DOUBLE_EQ(GetAllToAllRate(five, lost), 13 * rate / (16 * 112));
}
