/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of Chakra traces, matched between ranks.

#include "model/core/workload/chakra-collectives.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::aidc;

namespace
{

ChakraNode
MakeNode(uint64_t id, int64_t type, int64_t bytes, const std::string& group = "")
{
    ChakraNode node;
    node.id = id;
    node.name = "n";
    node.type = ChakraNodeType::COLLECTIVE;
    node.communicationType = type;
    node.communicationSize = bytes;
    node.group = group;
    return node;
}

TEST(ChakraCollectives, MatchesTheSameNumberOfEachRank)
{
    ChakraSettings settings;
    settings.groups["g"] = {1, 0};
    settings.nChunks = 3;
    WorkloadPlan plan(2);
    ChakraCollectives collectives(settings, plan);
    // In the group "g": an all-reduce and a barrier; among all ranks: an all-to-all, which stands
    // at different places
    const std::vector<ChakraNode> first = {MakeNode(1, 0, 100, "g"),
                                           MakeNode(2, 6, 40),
                                           MakeNode(3, 9, 0, "g")};
    const std::vector<ChakraNode> second = {MakeNode(11, 6, 40),
                                            MakeNode(12, 0, 100, "g"),
                                            MakeNode(13, 9, 0, "g")};
    for (const ChakraNode& node : first)
    {
        collectives.Match(0, node);
    }
    for (const ChakraNode& node : second)
    {
        collectives.Match(1, node);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(collectives.AddOperation(0, first[i], {}), i);
        EXPECT_EQ(collectives.AddOperation(1, second[i], {}), i);
    }
    // An item each, named after the node that came first, and a tag for each of the three chunks
    ASSERT_EQ(plan.GetItems().size(), 3U);
    EXPECT_EQ(plan.GetItems()[1].name, "node 2 (n)");
    const uint32_t operations[2][3] = {{0, 1, 2}, {1, 0, 2}};
    for (uint32_t item = 0; item < 3; ++item)
    {
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            const RankOperation& operation = plan.GetProgram(rank).Get(operations[rank][item]);
            EXPECT_EQ(operation.label, item);
            EXPECT_EQ(operation.tag, (1U << 31) + 3 * item);
        }
    }
    // Rank 0 is the second member of "g", and the first one of all ranks
    EXPECT_EQ(plan.GetProgram(0).GetCollective(0).member, 1U);
    EXPECT_EQ(plan.GetProgram(0).GetCollective(1).member, 0U);
    EXPECT_EQ(plan.GetProgram(1).GetCollective(1).member, 0U);
}

TEST(ChakraCollectives, MakesACollectiveOfEachType)
{
    struct Row
    {
        int64_t type;                  // comm_type in Chakra's schema
        CollectiveKind kind;           // what it is
        CollectiveAlgorithm algorithm; // as set below, if it can be set
        uint64_t bytes; // as CollectiveSchedule counts them, of 100 that a rank puts in
    };

    const std::vector<Row> rows = {
        {0, CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::HALVING_DOUBLING, 100},
        {2, CollectiveKind::ALL_GATHER, CollectiveAlgorithm::HALVING_DOUBLING, 4 * 100},
        {5, CollectiveKind::BROADCAST, CollectiveAlgorithm::CHAIN, 100},
        {6, CollectiveKind::ALL_TO_ALL, CollectiveAlgorithm::PAIRWISE, 100},
        {7, CollectiveKind::REDUCE_SCATTER, CollectiveAlgorithm::RING, 100},
        {8, CollectiveKind::REDUCE_SCATTER, CollectiveAlgorithm::RING, 100},
        {9, CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RECURSIVE_DOUBLING, 0},
    };
    ChakraSettings settings;
    settings.allReduce = CollectiveAlgorithm::HALVING_DOUBLING;
    settings.allGather = CollectiveAlgorithm::HALVING_DOUBLING;
    settings.broadcast = CollectiveAlgorithm::CHAIN;
    settings.allToAll = CollectiveAlgorithm::PAIRWISE;
    WorkloadPlan plan(4);
    ChakraCollectives collectives(settings, plan);
    for (const Row& row : rows)
    {
        const ChakraNode node = MakeNode(1, row.type, 100);
        collectives.Match(0, node);
        const auto& made = plan.GetItems().back().collective;
        ASSERT_TRUE(made);
        EXPECT_EQ(made->GetKind(), row.kind) << row.type;
        EXPECT_EQ(made->GetAlgorithm(), row.algorithm) << row.type;
        EXPECT_EQ(made->GetBytes(), row.bytes) << row.type;
        EXPECT_EQ(made->GetNMembers(), 4U);
    }
}

TEST(ChakraCollectives, NamesTheRankAndTheNodeThatDoNotFit)
{
    const auto fail = [](uint32_t rank, const ChakraNode& node) {
        ChakraSettings settings;
        settings.groups["g"] = {0, 2};
        WorkloadPlan plan(3);
        ChakraCollectives collectives(settings, plan);
        const ChakraNode other = MakeNode(1, 0, 100, "g");
        collectives.Match(0, other);
        try
        {
            collectives.Match(rank, node);
            collectives.AddOperation(rank, node, {});
        }
        catch (const ChakraError& error)
        {
            return std::to_string(error.GetRank()) + ": " + error.what();
        }
        return std::string();
    };
    EXPECT_EQ(fail(2, MakeNode(5, 0, 100, "g")), "");
    EXPECT_EQ(fail(1, MakeNode(5, 0, 100, "g")),
              "1: node 5 (n) is of the process group \"g\", which has not this rank");
    EXPECT_EQ(fail(2, MakeNode(5, 0, 99, "g")),
              "2: node 5 (n) does not match node 1 (n) of rank 0: both are number 0 of their "
              "process group");
    EXPECT_EQ(fail(2, MakeNode(5, 7, 100, "g")),
              "2: node 5 (n) does not match node 1 (n) of rank 0: both are number 0 of their "
              "process group");
    EXPECT_EQ(fail(0, MakeNode(5, 0, 100, "g")),
              "0: node 5 (n) is number 1 of its process group, which 1 of 2 ranks have");
    EXPECT_EQ(fail(1, MakeNode(5, 0, 100)),
              "1: node 5 (n) is number 0 of its process group, which 1 of 3 ranks have");
}

} // namespace
