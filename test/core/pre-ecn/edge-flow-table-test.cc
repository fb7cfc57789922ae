// SPDX-License-Identifier: GPL-2.0-only

// The flows that the edge of a WAN keeps a state of.

#include "model/core/pre-ecn/edge-flow.h"
#include "test/core/core-test.h"

struct State
{
    int number{0};      //!< the test's
    bool isBusy{false}; //!< whether the flow may not be forgotten
};

FlowKey
Key(uint16_t port)
{
    return {1, 2, port, 4791, 17};
}

bool
MayForget(const State& state)
{
    return !state.isBusy;
}

TEST(EdgeFlowTable, KeepsStatesWhereTheyAre)
{
    EdgeFlowTable<State> table;
    State* first = table.FindOrAdd(Key(1), 0, MayForget);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->number, 0);
    first->number = 7;
    for (uint16_t port = 2; port < 1000; ++port)
    {
        table.FindOrAdd(Key(port), 0, MayForget);
    }
    EXPECT_EQ(table.FindOrAdd(Key(1), 0, MayForget), first);
    EXPECT_EQ(table.Find(Key(1), 0), first);
    EXPECT_EQ(first->number, 7);
    EXPECT_EQ(table.Find(Key(1000), 0), nullptr);
    EXPECT_EQ(table.GetSize(), 999U);
}

TEST(EdgeFlowTable, FullTableForgetsTheLongestSilentThatMayBe)
{
    EdgeFlowTable<State> table;
    table.SetMaxFlows(3);
    table.FindOrAdd(Key(1), 1, MayForget)->isBusy = true;
    table.FindOrAdd(Key(2), 2, MayForget);
    table.FindOrAdd(Key(3), 3, MayForget);
    table.Find(Key(2), 4);
    EXPECT_NE(table.FindOrAdd(Key(4), 5, MayForget), nullptr);
    EXPECT_NE(table.Find(Key(1), 5), nullptr);
    EXPECT_NE(table.Find(Key(2), 5), nullptr);
    EXPECT_EQ(table.Find(Key(3), 5), nullptr);
    for (const uint16_t port : {2, 4})
    {
        table.Find(Key(port), 5)->isBusy = true;
    }
    EXPECT_EQ(table.FindOrAdd(Key(5), 6, MayForget), nullptr) << "all are busy";
    EXPECT_EQ(table.GetSize(), 3U);
}

TEST(EdgeFlowTable, ForEachForgetsWhatShallNotStay)
{
    EdgeFlowTable<State> table;
    for (uint16_t port = 0; port < 10; ++port)
    {
        table.FindOrAdd(Key(port), port, MayForget)->number = port;
    }
    int next = 0;
    table.ForEach([&next](const FlowKey& key, State& state, int64_t lastTime) {
        EXPECT_EQ(state.number, next) << "in the order in which they were added";
        EXPECT_EQ(key.sourcePort, next);
        EXPECT_EQ(lastTime, next);
        ++next;
        return state.number % 3 == 0;
    });
    EXPECT_EQ(table.GetSize(), 4U);
    EXPECT_EQ(table.Find(Key(1), 10), nullptr);
    EXPECT_NE(table.Find(Key(9), 10), nullptr);
}

/// Against a list of keys, the most recent first
RC_GTEST_PROP(EdgeFlowTable, AnswersAsAListOfFlows, ())
{
    const auto size = DrawInRange<std::size_t>(1, 6);
    EdgeFlowTable<State> table;
    table.SetMaxFlows(size);
    std::vector<uint16_t> model;
    for (int64_t now = 0; now < 100; ++now)
    {
        const auto port = DrawInRange<uint16_t>(0, 10);
        const auto at = std::find(model.begin(), model.end(), port);
        if (at != model.end())
        {
            std::rotate(model.begin(), at, at + 1);
        }
        if (DrawAny<bool>())
        {
            RC_ASSERT((table.Find(Key(port), now) != nullptr) == (at != model.end()));
            continue;
        }
        if (at == model.end())
        {
            if (model.size() == size)
            {
                model.pop_back();
            }
            model.insert(model.begin(), port);
        }
        RC_ASSERT(table.FindOrAdd(Key(port), now, MayForget) != nullptr);
        RC_ASSERT(table.GetSize() == model.size());
    }
    for (uint16_t port = 0; port < 10; ++port)
    {
        const bool isThere = std::find(model.begin(), model.end(), port) != model.end();
        RC_ASSERT((table.Find(Key(port), 100) != nullptr) == isThere);
    }
}
