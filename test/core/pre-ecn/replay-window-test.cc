// SPDX-License-Identifier: GPL-2.0-only

// Replay windows: which sequence numbers are new, and whom a full table forgets.

#include "model/core/pre-ecn/domain-message-guard.h"
#include "test/core/core-test.h"

using Verdict = ReplayWindows::Verdict;

TEST(ReplayWindow, TakesEachNumberOnce)
{
    ReplayWindow window;
    for (const uint64_t sequence : {0ULL, 1ULL, 5ULL, 3ULL, 64ULL, 63ULL, 2ULL})
    {
        EXPECT_TRUE(window.Accept(sequence)) << sequence;
        EXPECT_FALSE(window.Accept(sequence)) << sequence;
    }
    EXPECT_TRUE(window.Accept(4));
}

TEST(ReplayWindow, TakesWhatIsLateButNotBelowTheWindow)
{
    constexpr uint64_t WIDTH = ReplayWindow::WIDTH;
    for (const uint64_t largest : {WIDTH, 5 * WIDTH + 17, std::numeric_limits<uint64_t>::max()})
    {
        ReplayWindow window;
        EXPECT_TRUE(window.Accept(largest));
        EXPECT_FALSE(window.Accept(largest - WIDTH)) << largest;
        EXPECT_TRUE(window.Accept(largest - WIDTH + 1)) << largest;
        EXPECT_FALSE(window.Accept(largest - WIDTH + 1)) << largest;
    }
}

TEST(ReplayWindow, FirstNumberMayBeAny)
{
    ReplayWindow window;
    EXPECT_TRUE(window.Accept(1'000'000));
    EXPECT_TRUE(window.Accept(999'999));
    EXPECT_FALSE(window.Accept(0));
}

TEST(ReplayWindow, FarJumpForgetsNothingThatCounts)
{
    ReplayWindow window;
    EXPECT_TRUE(window.Accept(10));
    EXPECT_TRUE(window.Accept((uint64_t{1} << 60) + 20));
    EXPECT_FALSE(window.Accept(10));
    // This number has the bit of 10 in the ring of 1024 bits.
    EXPECT_TRUE(window.Accept((uint64_t{1} << 60) + 10));
    EXPECT_FALSE(window.Accept((uint64_t{1} << 60) + 10));
}

/// Whoever made up the largest number, the sender goes on with its own, and restarts at any.
TEST(ReplayWindow, WithoutAuthenticationNobodyIsLockedOut)
{
    ReplayWindow window;
    EXPECT_TRUE(window.Accept(1, false));
    EXPECT_TRUE(window.Accept(std::numeric_limits<uint64_t>::max(), false));
    for (const uint64_t sequence : {5000ULL, 4999ULL, 5001ULL, 3ULL, 4ULL})
    {
        EXPECT_TRUE(window.Accept(sequence, false)) << sequence;
        EXPECT_FALSE(window.Accept(sequence, false)) << sequence << ": what has just come";
    }
    ReplayWindow authentic;
    EXPECT_TRUE(authentic.Accept(5000));
    EXPECT_FALSE(authentic.Accept(1));
}

/// Any numbers: as a set of all that have come says.
RC_GTEST_PROP(ReplayWindow, AnswersAsASetOfNumbers, ())
{
    constexpr uint64_t WIDTH = ReplayWindow::WIDTH;
    ReplayWindow window;
    std::set<uint64_t> seen;
    uint64_t around = DrawAny<uint32_t>();
    for (int i = 0; i < 300; ++i)
    {
        if (DrawInRange(0, 50) == 0)
        {
            around += DrawInRange<uint64_t>(0, 3 * WIDTH);
        }
        const uint64_t sequence = around + DrawInRange<uint64_t>(0, 2 * WIDTH);
        const bool isLate = !seen.empty() && *seen.rbegin() >= sequence + WIDTH;
        RC_ASSERT(window.Accept(sequence) == (!isLate && seen.insert(sequence).second));
    }
}

TEST(ReplayWindows, SendersHaveTheirOwnNumbers)
{
    ReplayWindows windows;
    EXPECT_EQ(windows.Accept(1, 7, 0, 0), Verdict::FRESH);
    EXPECT_EQ(windows.Accept(2, 7, 0, 0), Verdict::FRESH);
    EXPECT_EQ(windows.Accept(1, 7, 0, 0), Verdict::REPLAYED);
}

TEST(ReplayWindows, FullTableTakesNoNewSenderUntilAnOldOneIsTooOld)
{
    ReplayWindows windows;
    windows.SetLimits(2, 100);
    EXPECT_EQ(windows.Accept(1, 0, 10, 10), Verdict::FRESH);
    EXPECT_EQ(windows.Accept(2, 0, 50, 50), Verdict::FRESH);
    EXPECT_EQ(windows.Accept(3, 0, 110, 110), Verdict::NO_ROOM) << "packets of 10 are not too old";
    EXPECT_EQ(windows.Accept(1, 0, 10, 110), Verdict::REPLAYED);
    EXPECT_EQ(windows.Accept(3, 0, 111, 111), Verdict::FRESH);
    EXPECT_EQ(windows.Accept(2, 0, 50, 111), Verdict::REPLAYED) << "sender 1 was the old one";
}

TEST(ReplayWindows, WithoutAnAgeNobodyIsForgotten)
{
    ReplayWindows windows;
    windows.SetLimits(1, 0);
    EXPECT_EQ(windows.Accept(1, 0, 0, 0), Verdict::FRESH);
    EXPECT_EQ(windows.Accept(2, 0, 1'000'000'000'000, 1'000'000'000'000), Verdict::NO_ROOM);
}

/// A receiver that refuses old packets takes no packet twice, whatever the window forgets.
RC_GTEST_PROP(ReplayWindows, NoPacketThatIsNotTooOldIsTakenTwice, ())
{
    constexpr int64_t MAX_AGE = 50;
    ReplayWindows windows;
    windows.SetLimits(DrawInRange<std::size_t>(1, 4), MAX_AGE);
    std::set<std::pair<uint32_t, uint64_t>> taken;
    for (int64_t now = 0; now < 500; now += DrawInRange<int64_t>(0, 20))
    {
        const auto sender = DrawInRange<uint32_t>(0, 6);
        // A sender's packet has one time, which is its number here.
        const auto time = std::max<int64_t>(now - DrawInRange<int64_t>(0, MAX_AGE + 1), 0);
        const auto sequence = static_cast<uint64_t>(time);
        if (windows.Accept(sender, sequence, time, now) == Verdict::FRESH)
        {
            RC_ASSERT(taken.emplace(sender, sequence).second);
        }
        now += 1;
    }
}
