// SPDX-License-Identifier: GPL-2.0-only

// The flows that a host remembers.

#include "model/core/csig/csig-flow-table.h"
#include "test/core/core-test.h"

FlowKey
Key(uint16_t port)
{
    return {1, 2, port, 80, 6};
}

bool
Add(CsigFlowTable& table, uint16_t port, int64_t now)
{
    const bool isNew = !table.Peek(Key(port));
    table.Add(Key(port), now);
    return isNew;
}

TEST(CsigFlowTable, KeepsWhatIsKnownOfAFlow)
{
    CsigFlowTable table;
    table.Add(Key(1), 0).reflector.NoteUntagged();
    EXPECT_FALSE(table.Add(Key(2), 0).reflector.HasNews());
    EXPECT_TRUE(table.Add(Key(1), 0).reflector.HasNews());
    ASSERT_NE(table.Find(Key(1), 0), nullptr);
    EXPECT_TRUE(table.Find(Key(1), 0)->reflector.HasNews());
    ASSERT_NE(table.Peek(Key(2)), nullptr);
    EXPECT_FALSE(table.Peek(Key(2))->reflector.HasNews());
    EXPECT_EQ(table.Find(Key(3), 0), nullptr);
    EXPECT_EQ(table.Peek(Key(3)), nullptr);
    EXPECT_EQ(table.GetSize(), 2U);
    table.Clear();
    EXPECT_EQ(table.Peek(Key(1)), nullptr);
    EXPECT_EQ(table.GetSize(), 0U);
}

TEST(CsigFlowTable, SilentFlowsMakeRoom)
{
    CsigFlowTable table;
    table.SetLimits(100, 10);
    Add(table, 1, 0);
    Add(table, 2, 5);
    Add(table, 3, 14); // flow 1 has been silent for 14, flow 2 for 9
    EXPECT_EQ(table.Peek(Key(1)), nullptr);
    EXPECT_NE(table.Peek(Key(2)), nullptr);
    Add(table, 4, 15); // flow 2 has been silent for 10
    EXPECT_EQ(table.Peek(Key(2)), nullptr);
}

TEST(CsigFlowTable, ShrinkingForgetsTheOldest)
{
    CsigFlowTable table;
    for (uint16_t port = 0; port < 5; ++port)
    {
        Add(table, port, port);
    }
    table.SetLimits(2, 1000);
    EXPECT_EQ(table.GetSize(), 2U);
    EXPECT_EQ(table.Peek(Key(2)), nullptr);
    EXPECT_NE(table.Peek(Key(3)), nullptr);
    EXPECT_NE(table.Peek(Key(4)), nullptr);
}

// Against a list of keys, the most recent first
RC_GTEST_PROP(CsigFlowTable, ForgetsTheLongestSilent, ())
{
    const auto size = DrawInRange<std::size_t>(1, 6);
    CsigFlowTable table;
    table.SetLimits(size, 1'000'000);
    std::vector<uint16_t> model;
    for (int64_t now = 0; now < 100; ++now)
    {
        const auto port = DrawInRange<uint16_t>(0, 10);
        const bool adds = DrawAny<bool>();
        const auto at = std::find(model.begin(), model.end(), port);
        const bool isThere = at != model.end();
        if (isThere)
        {
            std::rotate(model.begin(), at, at + 1);
        }
        if (!adds)
        {
            RC_ASSERT((table.Find(Key(port), now) != nullptr) == isThere);
            continue;
        }
        RC_ASSERT(Add(table, port, now) == !isThere);
        if (!isThere)
        {
            if (model.size() == size)
            {
                model.pop_back();
            }
            model.insert(model.begin(), port);
        }
        RC_ASSERT(table.GetSize() == model.size());
    }
    for (uint16_t port = 0; port < 10; ++port)
    {
        const bool isThere = std::find(model.begin(), model.end(), port) != model.end();
        RC_ASSERT((table.Peek(Key(port)) != nullptr) == isThere);
    }
}

TEST(CsigFlowTable, TellsTheKeysOfAllFlowsInTheirOrder)
{
    CsigFlowTable table;
    EXPECT_TRUE(table.GetKeys().empty());
    for (const uint16_t port : {7, 3, 9})
    {
        table.Add(Key(port), 0);
    }
    table.Find(Key(7), 1);
    const std::vector<FlowKey> expected{Key(3), Key(7), Key(9)};
    EXPECT_EQ(table.GetKeys(), expected);
}

// Section 5.3.2: averages across packets of a flow. A SYN begins another flow of the same
// five-tuple.
TEST(CsigFlowTable, Section532ANewConnectionHasNoAverages)
{
    CsigFlow flow;
    flow.averages.back() = 17.0;
    flow.RestartSending();
    for (const auto& average : flow.averages)
    {
        EXPECT_FALSE(average.has_value());
    }
}
