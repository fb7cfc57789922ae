// SPDX-License-Identifier: GPL-2.0-only

// The flow table: draft-li-rtgwg-congestion-aware-flowset-switching-00, sections 6.1 and 7.1.

#include "model/core/flow-set/flow-set-switching.h"
#include "test/core/core-test.h"

#include <type_traits>

constexpr int64_t AGEING = 100;

/// Make an entry as of a packet.
void
Use(FlowSetTable& table, uint32_t hash, uint16_t port, int64_t now)
{
    auto& entry = table.Get(hash, now);
    entry.flow = hash;
    entry.port = port;
    entry.isValid = true;
    entry.lastUsed = now;
}

TEST(FlowSetTable, Section61EntryHasTheFieldsOfTheDraft)
{
    FlowSetEntry entry{};
    EXPECT_FALSE(entry.isValid);
    entry.flow = 0xffffffff;           // flow identifier, a hash of 32 bits
    entry.port = 0xffff;               // egress port identifier
    entry.isValid = true;              // valid bit
    entry.lastUsed = INT64_C(1) << 62; // timestamp
    EXPECT_EQ(entry.flow, 0xffffffffU);
    EXPECT_EQ(entry.port, 0xffffU);
    EXPECT_TRUE(entry.isValid);
    EXPECT_EQ(entry.lastUsed, INT64_C(1) << 62);
    EXPECT_TRUE(std::is_trivially_copyable_v<FlowSetEntry>);
}

TEST(FlowSetTable, EntryTakesOneCacheLineOf64Bytes)
{
    static_assert(sizeof(FlowSetEntry) <= 64);
    FlowSetTable table(8, AGEING);
    for (uint32_t hash = 0; hash < 8; ++hash)
    {
        const auto begin = reinterpret_cast<uintptr_t>(&table.Get(hash, 0));
        EXPECT_EQ(begin / 64, (begin + sizeof(FlowSetEntry) - 1) / 64);
    }
}

TEST(FlowSetTable, IsEmptyAtFirst)
{
    FlowSetTable table(4, AGEING);
    EXPECT_EQ(table.GetSize(), 4U);
    for (uint32_t hash = 0; hash < 4; ++hash)
    {
        EXPECT_FALSE(table.Get(hash, 0).isValid);
    }
    EXPECT_EQ(table.GetOccupancy(0), 0U);
}

TEST(FlowSetTable, FlowsThatAreEqualModuloTheSizeShareAnEntry)
{
    FlowSetTable table(8, AGEING);
    Use(table, 3, 1, 0);
    EXPECT_TRUE(table.Get(11, 0).isValid);
    EXPECT_TRUE(table.Get(0xfffffffb, 0).isValid); // = 3 modulo 8
    EXPECT_EQ(&table.Get(3, 0), &table.Get(11, 0));
    EXPECT_FALSE(table.Get(4, 0).isValid);
    EXPECT_EQ(table.GetOccupancy(0), 1U);
}

TEST(FlowSetTable, OneFlowSetTakesAllFlows)
{
    FlowSetTable table(1, AGEING);
    Use(table, 3, 1, 0);
    EXPECT_TRUE(table.Get(0xffffffff, 0).isValid);
}

TEST(FlowSetTable, Section61EntriesAgeFromTheirLastUse)
{
    FlowSetTable table(8, AGEING);
    Use(table, 3, 1, 10);
    EXPECT_TRUE(table.Get(3, 110).isValid); // unused for the aging time, not for longer
    Use(table, 3, 1, 110);
    EXPECT_TRUE(table.Get(3, 210).isValid);
    EXPECT_FALSE(table.Get(3, 211).isValid);
    EXPECT_FALSE(table.Get(3, 110).isValid); // the look-up before has found it too old
}

TEST(FlowSetTable, OccupancyIsExactWithoutLookUps)
{
    FlowSetTable table(8, AGEING);
    Use(table, 1, 1, 0);
    Use(table, 2, 1, 50);
    Use(table, 3, 1, 100);
    EXPECT_EQ(table.GetOccupancy(100), 3U);
    EXPECT_EQ(table.GetOccupancy(101), 2U);
    EXPECT_EQ(table.GetOccupancy(151), 1U);
    EXPECT_EQ(table.GetOccupancy(201), 0U);
}

TEST(FlowSetTable, Section71ClearInvalidatesAllEntries)
{
    FlowSetTable table(8, AGEING);
    Use(table, 1, 1, 0);
    table.Clear();
    EXPECT_EQ(table.GetOccupancy(0), 0U);
    EXPECT_FALSE(table.Get(1, 0).isValid);
}

TEST(FlowSetTable, Section93RefusesImpossibleConfigurations)
{
    EXPECT_THROW(FlowSetTable(0, AGEING), std::invalid_argument);
    EXPECT_THROW(FlowSetTable(3, AGEING), std::invalid_argument);
    EXPECT_THROW(FlowSetTable(FlowSetTable::MAX_SIZE * 2, AGEING), std::invalid_argument);
    EXPECT_NO_THROW(FlowSetTable(FlowSetTable::MAX_SIZE, AGEING)); // nothing is allocated
    EXPECT_THROW(FlowSetTable(8, 0), std::invalid_argument);
    EXPECT_THROW(FlowSetTable(8, -1), std::invalid_argument);
}

/// Against a map from flow set to the time of the last use.
RC_GTEST_PROP(FlowSetTable, OccupancyIsThatOfAPlainMap, ())
{
    const uint32_t size = 1U << DrawInRange(0, 6);
    FlowSetTable table(size, AGEING);
    std::map<uint32_t, int64_t> lastUsed;
    int64_t now = 0;
    const auto steps = DrawInRange(0, 100);
    for (int i = 0; i < steps; ++i)
    {
        now += DrawInRange(0, 60);
        const auto hash = DrawAny<uint32_t>();
        const auto found = lastUsed.find(hash % size);
        RC_ASSERT(table.Get(hash, now).isValid ==
                  (found != lastUsed.end() && now <= found->second + AGEING));
        if (DrawAny<bool>())
        {
            Use(table, hash, 1, now);
            lastUsed[hash % size] = now;
        }
        uint32_t live = 0;
        for (const auto& [flowSet, time] : lastUsed)
        {
            live += now <= time + AGEING ? 1 : 0;
        }
        RC_ASSERT(table.GetOccupancy(now) == live);
    }
}
