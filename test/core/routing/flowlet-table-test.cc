// SPDX-License-Identifier: GPL-2.0-only

// Flowlets: when a packet goes where its predecessor went, and when not.

#include "model/core/routing/flowlet-table.h"
#include "test/core/core-test.h"

constexpr int64_t GAP = 1000;

/// Says that any member is usable.
bool
IsAnyUsable(uint32_t)
{
    return true;
}

auto
Choose(uint32_t member)
{
    return [member] { return member; };
}

/// A choice that must not be asked for.
uint32_t
ChooseNever()
{
    throw std::logic_error("asked to choose");
}

TEST(FlowletTable, FirstPacketChooses)
{
    FlowletTable table(4);
    // Neither the time nor the gap let an entry without a packet pass for a flowlet.
    constexpr int64_t LARGEST = std::numeric_limits<int64_t>::max();
    EXPECT_EQ(table.Select(0, 0, LARGEST, Choose(7), IsAnyUsable), 7U);
    EXPECT_EQ(table.Select(1, -5, 0, Choose(8), IsAnyUsable), 8U);
    EXPECT_EQ(table.Select(2, LARGEST, GAP, Choose(9), IsAnyUsable), 9U);
}

TEST(FlowletTable, PauseOfTheGapKeepsAndOneNanosecondMoreChooses)
{
    FlowletTable table(4);
    EXPECT_EQ(table.Select(0, 0, GAP, Choose(1), IsAnyUsable), 1U);
    EXPECT_EQ(table.Select(0, GAP, GAP, ChooseNever, IsAnyUsable), 1U);
    EXPECT_EQ(table.Select(0, 2 * GAP + 1, GAP, Choose(2), IsAnyUsable), 2U);
}

TEST(FlowletTable, EachPacketProlongsTheFlowlet)
{
    FlowletTable table(4);
    table.Select(0, 0, GAP, Choose(1), IsAnyUsable);
    for (int64_t now = GAP; now <= 100 * GAP; now += GAP)
    {
        EXPECT_EQ(table.Select(0, now, GAP, ChooseNever, IsAnyUsable), 1U);
    }
}

TEST(FlowletTable, GapOfZeroKeepsPacketsOfOneInstant)
{
    FlowletTable table(4);
    EXPECT_EQ(table.Select(0, 5, 0, Choose(1), IsAnyUsable), 1U);
    EXPECT_EQ(table.Select(0, 5, 0, ChooseNever, IsAnyUsable), 1U);
    EXPECT_EQ(table.Select(0, 6, 0, Choose(2), IsAnyUsable), 2U);
}

TEST(FlowletTable, UnusableMemberIsLeftAtOnceAndTheNewOneKept)
{
    FlowletTable table(4);
    const auto isNot1 = [](uint32_t member) { return member != 1; };
    table.Select(0, 0, GAP, Choose(1), IsAnyUsable);
    EXPECT_EQ(table.Select(0, 1, GAP, Choose(2), isNot1), 2U);
    EXPECT_EQ(table.Select(0, 2, GAP, ChooseNever, isNot1), 2U);
}

TEST(FlowletTable, NoneIsReturnedAndNotKept)
{
    FlowletTable table(4);
    const auto isAsked = [](uint32_t member) -> bool {
        EXPECT_NE(member, FlowletTable::NONE);
        return true;
    };
    EXPECT_EQ(table.Select(0, 0, GAP, Choose(FlowletTable::NONE), isAsked), FlowletTable::NONE);
    EXPECT_EQ(table.Select(0, 1, GAP, Choose(3), isAsked), 3U);
}

TEST(FlowletTable, HashesOfEqualLowerBitsShareAnEntry)
{
    FlowletTable table(4);
    table.Select(0x1, 0, GAP, Choose(1), IsAnyUsable);
    EXPECT_EQ(table.Select(0xfffffff1, 1, GAP, ChooseNever, IsAnyUsable), 1U); // 1 modulo 4 too
    EXPECT_EQ(table.Select(0x2, 1, GAP, Choose(2), IsAnyUsable), 2U);
    EXPECT_EQ(table.Select(0x0, 1, GAP, Choose(0), IsAnyUsable), 0U);
    EXPECT_EQ(table.Select(0x3, 1, GAP, Choose(3), IsAnyUsable), 3U);
}

TEST(FlowletTable, OneEntryIsSharedByAll)
{
    FlowletTable table(1);
    table.Select(0, 0, GAP, Choose(1), IsAnyUsable);
    EXPECT_EQ(table.Select(0xffffffff, 0, GAP, ChooseNever, IsAnyUsable), 1U);
}

TEST(FlowletTable, RefusesWhatIsNoPowerOfTwo)
{
    for (const uint32_t nEntries : {0U, 3U, 6U, 65535U, 0xffffffffU})
    {
        EXPECT_THROW(FlowletTable{nEntries}, std::invalid_argument) << nEntries;
    }
}

/// Any packets: as a map of flows, which has the rule once more, says.
RC_GTEST_PROP(FlowletTable, AnswersAsAMapOfFlowlets, ())
{
    FlowletTable table(8);
    std::map<uint32_t, std::pair<uint32_t, int64_t>> flowlets; // member, time of the last packet
    int64_t now = DrawInRange<int64_t>(-100, 100);
    for (uint32_t i = 0; i < 200; ++i)
    {
        now += DrawInRange<int64_t>(0, 8);
        const auto hash = DrawAny<uint32_t>();
        const auto failed = DrawInRange<uint32_t>(0, 3);
        const auto choice = DrawInRange<uint32_t>(0, 3);
        const auto flowlet = flowlets.find(hash % 8);
        const bool goesOn = flowlet != flowlets.end() && now <= flowlet->second.second + 20 &&
                            flowlet->second.first != failed;
        const auto expected = goesOn ? flowlet->second.first : choice;
        flowlets[hash % 8] = {expected, now};
        const auto isUsable = [failed](uint32_t member) { return member != failed; };
        RC_ASSERT(table.Select(hash, now, 20, Choose(choice), isUsable) == expected);
    }
}
