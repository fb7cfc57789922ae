// SPDX-License-Identifier: GPL-2.0-only

// Which segments go without a tag because they repeat earlier ones: section 6.3.1 of
// draft-ravi-ippm-csig-01 (no packet is lost for a tag).

#include "model/core/csig/csig-flow-table.h"
#include "test/core/core-test.h"

TEST(CsigSentSegments, Section631DataThatWasSentBeforeIsARepetition)
{
    CsigSentSegments sent;
    EXPECT_FALSE(sent.Note(1000, 100, 7));
    EXPECT_FALSE(sent.Note(1100, 100, 7));
    EXPECT_TRUE(sent.Note(1000, 100, 7));
    EXPECT_TRUE(sent.Note(1100, 100, 7));
    EXPECT_TRUE(sent.Note(1150, 100, 7)) << "half of it is new";
    EXPECT_FALSE(sent.Note(1250, 1, 7));
}

TEST(CsigSentSegments, Section631AcknowledgmentsThatWereSentBeforeAreRepetitions)
{
    CsigSentSegments sent;
    EXPECT_FALSE(sent.Note(1, 0, 500));
    EXPECT_TRUE(sent.Note(1, 0, 500));
    EXPECT_FALSE(sent.Note(1, 0, 600));
    EXPECT_FALSE(sent.Note(1, 10, 700)) << "new data";
    EXPECT_TRUE(sent.Note(11, 0, 700)) << "it was sent with the data";
    EXPECT_FALSE(sent.Note(11, 10, 700)) << "new data";
}

TEST(CsigSentSegments, Section631ANewConnectionBeginsAnew)
{
    CsigSentSegments sent;
    sent.Note(1000, 100, 1000);
    sent.Restart();
    EXPECT_FALSE(sent.Note(10, 100, 10));
    EXPECT_TRUE(sent.Note(10, 100, 20));
}

// Each byte is new once, wherever the sequence numbers begin and wrap around.
RC_GTEST_PROP(CsigSentSegments, Section631EachByteIsNewOnce, ())
{
    CsigSentSegments sent;
    const auto first = DrawAny<uint32_t>();
    uint64_t end = 0;
    for (int i = 0; i < 50; ++i)
    {
        const uint64_t back =
            DrawInRange<uint64_t>(0, 3) == 0 ? DrawInRange<uint64_t>(0, end + 1) : uint64_t{0};
        const auto size = DrawInRange<uint32_t>(1, 1U << 20);
        const uint64_t start = end - back;
        const bool isRepeat = sent.Note(first + static_cast<uint32_t>(start), size, 0);
        RC_ASSERT(isRepeat == (back > 0));
        end = std::max(end, start + size);
    }
}
