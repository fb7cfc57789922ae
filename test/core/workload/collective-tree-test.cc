// SPDX-License-Identifier: GPL-2.0-only

// NCCL's double binary tree: who is whose parent, over members and over servers.

#include "model/core/workload/collective-tree.h"
#include "test/core/core-test.h"

#include "ns3/collective-schedule.h"

constexpr uint32_t NONE = CollectiveDoubleTree::NONE;

/// The parents of all nodes of a tree, as "- 2 0 2".
std::string
GetParents(uint32_t nNodes, uint32_t tree)
{
    const CollectiveDoubleTree trees(nNodes);
    std::string text;
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        const uint32_t parent = trees.GetParent(tree, node);
        text += (node > 0 ? " " : "") + (parent == NONE ? "-" : std::to_string(parent));
    }
    return text;
}

/// How far the deepest node is from the root.
uint32_t
GetDepth(uint32_t nNodes, uint32_t tree)
{
    const CollectiveDoubleTree trees(nNodes);
    uint32_t depth = 0;
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        uint32_t above = 0;
        for (uint32_t parent = node; trees.GetParent(tree, parent) != NONE; ++above)
        {
            parent = trees.GetParent(tree, parent);
        }
        depth = std::max(depth, above);
    }
    return depth;
}

TEST(CollectiveDoubleTree, HasTheParentsOfNcclsTrees)
{
    // From the rules in the comments of src/graph/trees.cc of NCCL
    EXPECT_EQ(GetParents(4, 0), "- 2 0 2");
    EXPECT_EQ(GetParents(4, 1), "1 3 1 -");
    EXPECT_EQ(GetParents(6, 0), "- 2 4 2 0 4");
    EXPECT_EQ(GetParents(6, 1), "1 5 3 1 3 -");
    EXPECT_EQ(GetParents(8, 0), "- 2 4 2 0 6 4 6");
    EXPECT_EQ(GetParents(8, 1), "1 3 1 7 5 3 5 -");
    EXPECT_EQ(GetParents(12, 0), "- 2 4 2 8 6 4 6 0 10 8 10");
    EXPECT_EQ(GetParents(12, 1), "1 3 1 11 5 7 5 3 9 7 9 -");
    const std::vector<std::array<uint32_t, 2>> depths = {{4, 2}, {6, 3}, {8, 3}, {12, 4}};
    for (const auto& [nNodes, depth] : depths)
    {
        EXPECT_EQ(GetDepth(nNodes, 0), depth);
        EXPECT_EQ(GetDepth(nNodes, 1), depth);
    }
    // An odd number: shifted by one, as in the picture of 13 ranks there
    EXPECT_EQ(GetParents(13, 0), "- 2 4 2 8 6 4 6 0 10 12 10 8");
    EXPECT_EQ(GetParents(13, 1), "9 - 3 5 3 9 7 5 7 1 11 0 11");
    EXPECT_EQ(GetParents(2, 0), "- 0");
    EXPECT_EQ(GetParents(2, 1), "1 -");
    EXPECT_EQ(GetParents(1, 0), "-");
    EXPECT_EQ(GetParents(1, 1), "-");
}

RC_GTEST_PROP(CollectiveDoubleTree, IsTwoTreesOfWhichAnInnerNodeIsALeafOfOne, ())
{
    const auto nNodes = DrawInRange<uint32_t>(2, 600);
    const CollectiveDoubleTree trees(nNodes);
    std::vector<uint32_t> nInner(nNodes);
    for (const uint32_t tree : {0, 1})
    {
        uint32_t nRoots = 0;
        std::set<uint32_t> children;
        for (uint32_t node = 0; node < nNodes; ++node)
        {
            nRoots += trees.GetParent(tree, node) == NONE ? 1 : 0;
            const auto own = trees.GetChildren(tree, node);
            nInner[node] += own[0] != NONE ? 1 : 0;
            RC_ASSERT(own[0] != NONE || own[1] == NONE);
            for (const uint32_t child : own)
            {
                if (child != NONE)
                {
                    RC_ASSERT(trees.GetParent(tree, child) == node);
                    RC_ASSERT(children.insert(child).second);
                }
            }
        }
        RC_ASSERT(nRoots == 1U);
        RC_ASSERT(children.size() == nNodes - 1U); // each one but the root has one parent
        uint32_t log2 = 0;
        while ((2U << log2) <= nNodes)
        {
            ++log2;
        }
        RC_ASSERT(GetDepth(nNodes, tree) <= log2 + 1);
    }
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        RC_ASSERT(nInner[node] <= (nNodes % 2 == 1 && node == 0 ? 2U : 1U));
    }
}

TEST(CollectiveTree, GoesUpAndDownWithHalfOfTheDataInEachTree)
{
    const CollectiveSchedule tree(CollectiveKind::ALL_REDUCE,
                                  CollectiveAlgorithm::DOUBLE_TREE,
                                  4,
                                  1000,
                                  2);
    ASSERT_EQ(tree.GetNLanes(), 4U); // 2 chunks in each of two trees
    // Member 2 is below 0 in the first tree, above 1 and 3
    const std::vector<std::string> expected = {"<1+", "<3+", ">0<0", ">1", ">3"};
    ASSERT_EQ(tree.GetNSteps(2, 0), expected.size());
    for (uint32_t i = 0; i < expected.size(); ++i)
    {
        const CollectiveStep step = tree.GetStep(2, 0, i);
        const std::string text =
            (step.sendTo != NONE ? ">" + std::to_string(step.sendTo) : "") +
            (step.receiveFrom != NONE ? "<" + std::to_string(step.receiveFrom) : "") +
            (step.reduces ? "+" : "");
        EXPECT_EQ(text, expected[i]);
        EXPECT_EQ(step.sendBytes, step.sendTo != NONE ? 250U : 0U);
    }
    // It is a leaf of the second one
    EXPECT_EQ(tree.GetNSteps(2, 1), 1U);
    EXPECT_EQ(tree.GetStep(2, 1, 0).sendTo, 1U);
    EXPECT_EQ(tree.GetStep(2, 1, 0).sendOffset, 250U);
}

TEST(CollectiveTree, WithNvlsEachMemberIsTheHeadOfAPartOfEachChannel)
{
    CollectiveScheduleSettings settings;
    settings.algorithm = CollectiveAlgorithm::NVLS;
    settings.nMembers = 12;
    settings.nPerServer = 3;
    settings.nChannels = 2;
    settings.bytes = 600;
    const CollectiveSchedule nvls(settings);
    ASSERT_EQ(nvls.GetNLanes(), 6U); // 2 channels, and 3 heads in each
    const auto describe = [&nvls](uint32_t member, uint32_t lane) {
        std::string text;
        for (uint32_t i = 0; i < nvls.GetNSteps(member, lane); ++i)
        {
            const CollectiveStep step = nvls.GetStep(member, lane, i);
            text += step.sendTo != NONE ? " >" + std::to_string(step.sendTo) : " ";
            text += step.work == SwitchWork::REDUCE ? "r"
                    : step.work == SwitchWork::COPY ? "c"
                                                    : "";
            text += step.receiveFrom != NONE ? "<" + std::to_string(step.receiveFrom) : "";
            text += step.reduces ? "+" : "";
        }
        return text;
    };
    // Lane 1: number 1 is the head. Server 2 is below 0, and above 1 and 3, in the first tree
    EXPECT_EQ(describe(6, 1), " >7r<7");
    EXPECT_EQ(describe(8, 1), " >7r<7");
    EXPECT_EQ(describe(7, 1), " <4+ <10+ <8+ <6+ >1<1 >4 >10 >8c >6c");
    EXPECT_EQ(describe(1, 1), " <7+ <2+ <0+ >7 >2c >0c");
    // The second channel, lanes 3 to 5, takes the second tree, of which server 2 is a leaf below 1
    EXPECT_EQ(describe(7, 4), " <8+ <6+ >4<4 >8c >6c");
    EXPECT_EQ(nvls.GetStep(6, 1, 0).sendBytes, 100U);
    EXPECT_EQ(nvls.GetStep(6, 1, 0).sendOffset, 100U);
}

TEST(CollectiveTree, OverServersHasAChainBelowTheHeadOfEachServer)
{
    CollectiveScheduleSettings settings;
    settings.algorithm = CollectiveAlgorithm::DOUBLE_TREE;
    settings.nMembers = 12;
    settings.nPerServer = 3;
    settings.nChannels = 2;
    settings.bytes = 400;
    const CollectiveSchedule tree(settings);
    ASSERT_EQ(tree.GetNLanes(), 4U);
    // Channel 1: number 1 of each server is its head, 2 is below it, 0 below 2. In the first tree,
    // server 2 is below 0, and above 1 and 3.
    const uint32_t lane = 2;
    const auto getParent = [&](uint32_t member) {
        for (uint32_t i = 0; i < tree.GetNSteps(member, lane); ++i)
        {
            const CollectiveStep step = tree.GetStep(member, lane, i);
            if (step.receiveFrom != NONE && !step.reduces)
            {
                return step.receiveFrom;
            }
        }
        return NONE;
    };
    EXPECT_EQ(getParent(1), NONE);
    EXPECT_EQ(getParent(7), 1U);
    EXPECT_EQ(getParent(4), 7U);
    EXPECT_EQ(getParent(10), 7U);
    for (uint32_t server = 0; server < 4; ++server)
    {
        EXPECT_EQ(getParent(3 * server + 2), 3 * server + 1);
        EXPECT_EQ(getParent(3 * server), 3 * server + 2);
    }
    EXPECT_EQ(tree.GetNSteps(7, lane), 7U); // three children and a parent
}
