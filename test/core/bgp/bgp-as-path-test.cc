// SPDX-License-Identifier: GPL-2.0-only

// AS paths: RFC 4271, sections 4.3 and 5.1.2; RFC 6793, section 4.2.3.

#include "bgp-messages.h"
#include "model/core/bgp/bgp-as-path.h"
#include "test/core/core-test.h"

using namespace aidctest::bgp;

constexpr auto SET = BgpSegmentType::SET;
constexpr auto SEQUENCE = BgpSegmentType::SEQUENCE;

BgpAsPath
Path(std::vector<BgpAsSegment> segments)
{
    BgpAsPath path;
    path.segments = std::move(segments);
    return path;
}

std::string
Print(const BgpAsPath& path)
{
    std::ostringstream text;
    text << path;
    return text.str();
}

TEST(BgpAsPath, ASetCountsAsOne)
{
    EXPECT_EQ(Path({}).GetLength(), 0U);
    EXPECT_EQ(Path({{SEQUENCE, {1, 2, 3}}}).GetLength(), 3U);
    EXPECT_EQ(Path({{SEQUENCE, {1, 2}}, {SET, {3, 4, 5}}}).GetLength(), 3U);
}

TEST(BgpAsPath, TheNeighborIsTheFirstOfALeadingSequence)
{
    EXPECT_EQ(Path({}).GetNeighborAs(), 0U);
    EXPECT_EQ(Path({{SEQUENCE, {1, 2}}}).GetNeighborAs(), 1U);
    EXPECT_EQ(Path({{SET, {1, 2}}}).GetNeighborAs(), 0U);
}

TEST(BgpAsPath, ContainsWhatAnySegmentHas)
{
    const BgpAsPath path = Path({{SEQUENCE, {1}}, {SET, {3, 4}}});
    for (const uint32_t as : {1, 3, 4})
    {
        EXPECT_TRUE(path.Contains(as)) << as;
    }
    EXPECT_FALSE(path.Contains(2));
}

TEST(BgpAsPath, PrependsToALeadingSequenceThatHasRoom)
{
    BgpAsPath path;
    path.Prepend(3);
    path.Prepend(2);
    EXPECT_TRUE(path == Path({{SEQUENCE, {2, 3}}}));
    path = Path({{SET, {5, 6}}});
    path.Prepend(1);
    EXPECT_TRUE(path == Path({{SEQUENCE, {1}}, {SET, {5, 6}}}));
    path = Path({{SEQUENCE, std::vector<uint32_t>(255, 9)}});
    path.Prepend(1);
    EXPECT_TRUE(path == Path({{SEQUENCE, {1}}, {SEQUENCE, std::vector<uint32_t>(255, 9)}}));
}

TEST(BgpAsPath, PrintsEachKindOfSegment)
{
    EXPECT_EQ(Print(Path({})), "");
    EXPECT_EQ(Print(Path({{SEQUENCE, {1, 2}}, {SET, {3, 4}}})), "1 2 {3,4}");
}

TEST(BgpAsPath, LongSequencesAreWrittenAsSeveral)
{
    BgpBytes bytes;
    EncodeBgpAsPath(bytes, Path({{SEQUENCE, std::vector<uint32_t>(300, 9)}}), true);
    BgpAsPath path;
    ASSERT_TRUE(DecodeBgpAsPath({bytes.data(), bytes.size()}, true, path));
    ASSERT_EQ(path.segments.size(), 2U);
    EXPECT_EQ(path.segments[0].numbers.size(), 255U);
    EXPECT_EQ(path.segments[1].numbers.size(), 45U);
}

/// AS_PATH, AS4_PATH and what they mean together. Expected values are by hand from the rules.
TEST(BgpAsPath, Rfc6793Section423MergesAs4Path)
{
    constexpr uint32_t TRANS = BGP_AS_TRANS;
    constexpr uint32_t BIG = 4200000001;

    const struct
    {
        const char* name;
        BgpAsPath asPath;
        BgpAsPath as4Path;
        const char* expected;
    } cases[] = {
        {"as long", Path({{SEQUENCE, {TRANS, 2}}}), Path({{SEQUENCE, {BIG, 2}}}), "4200000001 2"},
        {"two-octet routers have been added",
         Path({{SEQUENCE, {7, 8, TRANS, 2}}}),
         Path({{SEQUENCE, {BIG, 2}}}),
         "7 8 4200000001 2"},
        {"two-octet routers have been added in two segments",
         Path({{SEQUENCE, {7}}, {SEQUENCE, {8, TRANS, 2}}}),
         Path({{SEQUENCE, {BIG, 2}}}),
         "7 8 4200000001 2"},
        {"shorter: AS4_PATH is ignored",
         Path({{SEQUENCE, {TRANS}}}),
         Path({{SEQUENCE, {BIG, 2}}}),
         "23456"},
        {"a set counts as one",
         Path({{SEQUENCE, {7, TRANS}}, {SET, {1, 2, 3}}}),
         Path({{SEQUENCE, {BIG}}, {SET, {1, 2, 70000}}}),
         "7 4200000001 {1,2,70000}"},
        {"no AS4_PATH", Path({{SEQUENCE, {1, 2}}}), Path({}), "1 2"},
    };

    for (const auto& row : cases)
    {
        EXPECT_EQ(Print(MergeBgpAs4Path(row.asPath, row.as4Path)), row.expected) << row.name;
    }
}

RC_GTEST_PROP(BgpAsPath, WhatIsWrittenIsRead, ())
{
    const BgpAsPath path = DrawAsPath();
    BgpBytes bytes;
    EncodeBgpAsPath(bytes, path, true);
    BgpAsPath again;
    RC_ASSERT(DecodeBgpAsPath({bytes.data(), bytes.size()}, true, again));
    RC_ASSERT(again == path);
    // Any part of it ends within a segment, or is a shorter path.
    const auto size = DrawInRange<std::size_t>(0, bytes.size() + 1);
    RC_ASSERT(!DecodeBgpAsPath({bytes.data(), size}, true, again) ||
              again.segments.size() < path.segments.size() || size == bytes.size());
}

RC_GTEST_PROP(BgpAsPath, AnOldRouterInBetweenLosesNothing, ())
{
    const BgpAsPath path = DrawAsPath();
    BgpAsPath seen;
    BgpBytes bytes;
    EncodeBgpAsPath(bytes, path, false);
    RC_ASSERT(DecodeBgpAsPath({bytes.data(), bytes.size()}, false, seen));
    RC_ASSERT(seen.GetLength() == path.GetLength());
    seen.Prepend(65001);
    BgpAsPath expected = path;
    expected.Prepend(65001);
    const BgpAsPath merged = MergeBgpAs4Path(seen, path);
    RC_ASSERT(Print(merged) == Print(path.segments.empty() ? seen : expected));
}
