// SPDX-License-Identifier: GPL-2.0-only

// Collectives of Chakra traces, matched between ranks.

#include "model/core/workload/chakra-collectives.h"
#include "test/core/core-test.h"

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

/// Collectives of some traces, matched.
class Fixture
{
  public:
    Fixture(const ChakraSettings& settings,
            std::vector<ChakraTrace> traces,
            ChakraCollectives::Matching matching = ChakraCollectives::Matching::BY_ORDER)
        : plan(static_cast<uint32_t>(traces.size())),
          collectives(settings, plan),
          m_traces(std::move(traces))
    {
        m_graphs.reserve(m_traces.size());
        for (uint32_t rank = 0; rank < m_traces.size(); ++rank)
        {
            m_graphs.emplace_back(rank, m_traces[rank], false);
            collectives.AddRank(m_graphs.back(), {});
        }
        collectives.Match(matching);
    }

    const ChakraNode& Get(uint32_t rank, std::size_t i) const
    {
        return m_traces[rank].nodes[i];
    }

    WorkloadPlan plan;
    ChakraCollectives collectives;

  private:
    std::vector<ChakraTrace> m_traces;
    std::vector<ChakraGraph> m_graphs;
};

TEST(ChakraCollectives, MatchesTheSameNumberOfEachRank)
{
    ChakraSettings settings;
    settings.groups["g"] = {1, 0};
    settings.nChunks = 3;
    // In the group "g": an all-reduce and a barrier; among all ranks: an all-to-all, which stands
    // at different places
    Fixture made(settings,
                 {{"", {MakeNode(1, 0, 100, "g"), MakeNode(2, 6, 40), MakeNode(3, 9, 0, "g")}},
                  {"", {MakeNode(11, 6, 40), MakeNode(12, 0, 100, "g"), MakeNode(13, 9, 0, "g")}}});
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(made.collectives.AddOperation(0, made.Get(0, i), {}), i);
        EXPECT_EQ(made.collectives.AddOperation(1, made.Get(1, i), {}), i);
    }
    // An item each, named after the node of the first member, and tags for each of the three chunks
    ASSERT_EQ(made.plan.GetItems().size(), 3U);
    EXPECT_EQ(made.plan.GetItems()[1].GetName(), "node 2 (n)");
    const uint32_t operations[2][3] = {{0, 1, 2}, {1, 0, 2}};
    for (uint32_t item = 0; item < 3; ++item)
    {
        const uint32_t tag = made.plan.GetProgram(0).Get(operations[0][item]).tag;
        EXPECT_EQ(made.plan.GetProgram(1).Get(operations[1][item]).tag, tag);
        EXPECT_EQ((tag - (1U << 31)) % 3, 0U);
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            EXPECT_EQ(made.plan.GetProgram(rank).Get(operations[rank][0]).label,
                      made.plan.GetProgram(0).Get(0).label);
        }
    }
    // Rank 0 is the second member of "g", and the first one of all ranks
    EXPECT_EQ(made.plan.GetProgram(0).GetCollective(0).member, 1U);
    EXPECT_EQ(made.plan.GetProgram(0).GetCollective(1).member, 0U);
    EXPECT_EQ(made.plan.GetProgram(1).GetCollective(1).member, 0U);
}

TEST(ChakraCollectives, MatchesIdsWhereAllRanksHaveTheSame)
{
    // The second one waits for the first one at rank 1 only
    ChakraTrace first{"", {MakeNode(1, 0, 100), MakeNode(2, 0, 200)}};
    ChakraTrace second = first;
    second.nodes[0].dataDependencies = {2};
    using Matching = ChakraCollectives::Matching;
    Fixture byId({}, {first, second}, Matching::BY_ID);
    EXPECT_EQ(byId.collectives.GetNumber(byId.Get(0, 0)),
              byId.collectives.GetNumber(byId.Get(1, 0)));
    EXPECT_THROW(Fixture({}, {first, second}, Matching::BY_ORDER), ChakraError);
    // By order where ids differ
    second.nodes[0].id = 9;
    second.nodes[0].communicationSize = 200;
    second.nodes[1].communicationSize = 100;
    second.nodes[0].dataDependencies = {2};
    Fixture byOrder({}, {first, second}, Matching::BY_ID);
    EXPECT_EQ(byOrder.collectives.GetNumber(byOrder.Get(0, 0)),
              byOrder.collectives.GetNumber(byOrder.Get(1, 1)));
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
    for (const Row& row : rows)
    {
        const ChakraTrace trace{"", {MakeNode(1, row.type, 100)}};
        Fixture made(settings, {trace, trace, trace, trace});
        made.collectives.AddOperation(0, made.Get(0, 0), {});
        const auto& collective = made.plan.GetItems().back().collective;
        ASSERT_TRUE(collective);
        EXPECT_EQ(collective->GetKind(), row.kind) << row.type;
        EXPECT_EQ(collective->GetAlgorithm(), row.algorithm) << row.type;
        EXPECT_EQ(collective->GetBytes(), row.bytes) << row.type;
        EXPECT_EQ(collective->GetNMembers(), 4U);
    }
}

TEST(ChakraCollectives, NamesTheRankAndTheNodeThatDoNotFit)
{
    const auto fail = [](uint32_t rank, const ChakraNode& node) {
        ChakraSettings settings;
        settings.groups["g"] = {0, 2};
        std::vector<ChakraTrace> traces(3);
        traces[0].nodes.push_back(MakeNode(1, 0, 100, "g"));
        traces[rank].nodes.push_back(node);
        try
        {
            Fixture(settings, traces);
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
              "0: node 1 (n) is number 0 of its process group, which 1 of 2 ranks have");
}

/// The members of the collective of each rank.
std::string
PrintGroups(const ChakraSettings& settings, const ChakraNode& node, uint32_t nRanks)
{
    std::string text;
    Fixture made(settings, std::vector<ChakraTrace>(nRanks, ChakraTrace{"", {node}}));
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        made.collectives.AddOperation(rank, made.Get(rank, 0), {});
        for (const uint32_t other : *made.plan.GetProgram(rank).GetCollective(0).ranks)
        {
            text += std::to_string(other);
        }
        text += " ";
    }
    return text;
}

TEST(ChakraCollectives, InvolvesDimensionsOfTheNetwork)
{
    ChakraSettings settings;
    ChakraNode node = MakeNode(1, 0, 100);
    node.dimensions = {true, true, true};
    EXPECT_EQ(PrintGroups(settings, node, 4), "0123 0123 0123 0123 ");
    settings.dimensions = {2, 4};
    // By ASTRA-sim's numbering, rank = x + 2 y
    node.dimensions = {true, false};
    EXPECT_EQ(PrintGroups(settings, node, 8), "01 01 23 23 45 45 67 67 ");
    node.dimensions = {false, true};
    EXPECT_EQ(PrintGroups(settings, node, 8), "0246 1357 0246 1357 0246 1357 0246 1357 ");
    node.dimensions = {false, false};
    EXPECT_EQ(PrintGroups(settings, node, 8), "0 1 2 3 4 5 6 7 ");
    settings.dimensions = {2, 2, 3};
    node.dimensions = {true, false, true};
    EXPECT_EQ(PrintGroups(settings, node, 12).substr(0, 16), "014589 014589 23");
    // A process group tells who takes part, whatever the dimensions
    settings.groups["0"] = {1, 0};
    node.group = "0";
    EXPECT_EQ(PrintGroups(settings, node, 2), "10 10 ");
}

TEST(ChakraCollectives, RefusesDimensionsThatItDoesNotKnow)
{
    ChakraSettings settings;
    ChakraNode node = MakeNode(1, 0, 100);
    node.dimensions = {true, false};
    const auto fail = [&](uint32_t nRanks) {
        return CatchMessage([&] { PrintGroups(settings, node, nRanks); });
    };
    const std::string begin = "node 1 (n) involves the dimensions [true, false] of a network";
    EXPECT_EQ(fail(4), begin + ", whose sizes are not known: tell them with dimensions");
    settings.dimensions = {2, 2, 2};
    EXPECT_EQ(fail(8), begin + " that has 3");
    settings.dimensions = {2, 2};
    EXPECT_EQ(fail(6),
              begin + ", but the product of its sizes, dimensions, is not the number of ranks, 6");
}

TEST(ChakraCollectives, TellsWhatHasNoEffect)
{
    ChakraSettings settings;
    settings.groups = {{"a", {0}}, {"b", {0, 1}}, {"c", {1}}};
    ChakraTrace trace{"", {MakeNode(1, 0, 100, "b")}};
    ChakraTrace other = trace;
    trace.nodes.push_back(MakeNode(2, 6, 100, "a"));
    trace.nodes[0].priority = 3;
    EXPECT_EQ(Fixture(settings, {trace, other}).collectives.GetNotes(),
              (std::vector<std::string>{"1 collectives of process groups of one rank send nothing",
                                        "comm_priority is not used, which 1 collectives have",
                                        "process groups without a collective: c"}));
}
