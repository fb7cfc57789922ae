// SPDX-License-Identifier: GPL-2.0-only

// What a receiver reflects: sections 4.2, 4.3.2, 6.3.2 and 6.3.3 of draft-ravi-ippm-csig-01.

#include "model/core/csig/csig-reflection.h"
#include "test/core/core-test.h"

CsigFields
Compact(uint8_t type, uint32_t value, uint16_t locator = 0)
{
    return {CsigFormat::COMPACT, type, 0, locator, value};
}

CsigFields
Expanded(uint8_t type, uint32_t value)
{
    return {CsigFormat::EXPANDED, type, 0, 0, value};
}

/// Peek and advance.
CsigReflection
Take(CsigReflector& reflector)
{
    const auto reflection = reflector.Peek();
    reflector.Advance();
    return reflection;
}

const CsigReflection NOTHING{};

TEST(CsigReflector, Section432AFlowWithoutTagsHasNothingToReflect)
{
    CsigReflector reflector;
    EXPECT_FALSE(reflector.HasNews());
    EXPECT_EQ(Take(reflector), NOTHING);
}

TEST(CsigReflector, Section432FieldsAreReflectedOnce)
{
    CsigReflector reflector;
    reflector.NoteTag(Compact(0, 12, 34), CsigSummary::LATEST);
    EXPECT_TRUE(reflector.HasNews());
    EXPECT_EQ(reflector.Peek(), (CsigReflection{Compact(0, 12, 34), false}));
    // A reflection that found no room is not lost.
    EXPECT_EQ(Take(reflector), (CsigReflection{Compact(0, 12, 34), false}));
    EXPECT_FALSE(reflector.HasNews());
    EXPECT_EQ(Take(reflector), NOTHING);
}

TEST(CsigReflector, Section42CoalescedLatest)
{
    CsigReflector reflector;
    for (const uint32_t value : {7, 3, 5})
    {
        reflector.NoteTag(Compact(0, value), CsigSummary::LATEST);
    }
    EXPECT_EQ(Take(reflector).fields, Compact(0, 5));
    EXPECT_FALSE(reflector.HasNews());
}

TEST(CsigReflector, Section42CoalescedSummaryIsTheWorst)
{
    CsigReflector reflector;
    for (const uint32_t value : {7, 3, 5})
    {
        reflector.NoteTag(Compact(0, value), CsigSummary::SMALLEST);
        reflector.NoteTag(Compact(2, value), CsigSummary::LARGEST);
    }
    EXPECT_EQ(Take(reflector).fields, Compact(0, 3));
    EXPECT_EQ(Take(reflector).fields, Compact(2, 7));
    // Only of what has come since
    reflector.NoteTag(Compact(0, 9), CsigSummary::SMALLEST);
    EXPECT_EQ(Take(reflector).fields, Compact(0, 9));
}

TEST(CsigReflector, Section42OfEqualValuesTheNewestStays)
{
    CsigReflector reflector;
    reflector.NoteTag(Compact(0, 3, 1), CsigSummary::SMALLEST);
    reflector.NoteTag(Compact(0, 3, 2), CsigSummary::SMALLEST);
    EXPECT_EQ(Take(reflector).fields, Compact(0, 3, 2));
}

TEST(CsigReflector, Section42TypesTakeTurns)
{
    CsigReflector reflector;
    // Two packets an acknowledgement, of types 0 and 1: the newest one is always of type 1.
    std::map<uint8_t, int> reflected;
    for (int i = 0; i < 10; ++i)
    {
        reflector.NoteTag(Compact(0, 1), CsigSummary::LATEST);
        reflector.NoteTag(Compact(1, 2), CsigSummary::LATEST);
        ++reflected[Take(reflector).fields->type];
    }
    EXPECT_EQ(reflected, (std::map<uint8_t, int>{{0, 5}, {1, 5}}));
}

TEST(CsigReflector, Section632FormatsAreKeptApart)
{
    CsigReflector reflector;
    reflector.NoteTag(Compact(0, 31), CsigSummary::SMALLEST);
    reflector.NoteTag(Expanded(0, 100), CsigSummary::SMALLEST);
    EXPECT_EQ(Take(reflector).fields, Compact(0, 31));
    EXPECT_EQ(Take(reflector).fields, Expanded(0, 100));
}

TEST(CsigReflector, Section633UntaggedPacketsAreReported)
{
    CsigReflector reflector;
    reflector.NoteUntagged();
    EXPECT_TRUE(reflector.HasNews());
    EXPECT_EQ(Take(reflector), (CsigReflection{std::nullopt, true}));
    EXPECT_FALSE(reflector.HasNews());
}

TEST(CsigReflector, Section633FieldsComeBeforeTheReportOfUntaggedPackets)
{
    CsigReflector reflector;
    reflector.NoteTag(Compact(0, 4), CsigSummary::LATEST);
    reflector.NoteUntagged();
    EXPECT_EQ(Take(reflector), (CsigReflection{Compact(0, 4), true}));
    // With a valid reflection the path is known to be capable.
    EXPECT_FALSE(reflector.HasNews());
}

// However tags and reflections alternate, a type that waits is reflected before another one is for
// the second time, and what is reflected has come since this type's last turn.
RC_GTEST_PROP(CsigReflector, Section42NoTypeStarves, ())
{
    CsigReflector reflector;
    using Slot = std::pair<CsigFormat, uint8_t>;
    std::map<Slot, CsigFields> newest;
    std::map<Slot, std::set<Slot>> overtaken; // by type that waits, the types reflected meanwhile
    const auto steps = DrawInRange(0, 200);
    for (int i = 0; i < steps; ++i)
    {
        if (DrawInRange(0, 3) > 0)
        {
            CsigFields fields;
            fields.format = DrawElement({CsigFormat::COMPACT, CsigFormat::EXPANDED});
            const int types = fields.format == CsigFormat::COMPACT ? 8 : 16;
            fields.type = static_cast<uint8_t>(DrawInRange(0, types));
            fields.value = static_cast<uint32_t>(DrawInRange(0, 32));
            reflector.NoteTag(fields, CsigSummary::LATEST);
            newest[{fields.format, fields.type}] = fields;
            overtaken[{fields.format, fields.type}];
            continue;
        }
        const auto reflection = Take(reflector);
        RC_ASSERT(reflection.fields.has_value() == !newest.empty());
        if (reflection.fields)
        {
            const Slot slot{reflection.fields->format, reflection.fields->type};
            RC_ASSERT(newest.count(slot) == 1U);
            RC_ASSERT(newest[slot] == *reflection.fields);
            newest.erase(slot);
            overtaken.erase(slot);
            for (auto& [waiting, others] : overtaken)
            {
                RC_ASSERT(others.insert(slot).second);
            }
        }
    }
}
