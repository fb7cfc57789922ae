// SPDX-License-Identifier: GPL-2.0-only

// Which of a tunnel's paths packets take that nobody steers.

#include "model/core/tunnel/tunnel-paths.h"
#include "test/core/core-test.h"

constexpr uint32_t NONE = TunnelPathChoice::NONE;

TEST(TunnelPathChoice, TheFirstPathThatIsUp)
{
    TunnelPathChoice choice;
    EXPECT_EQ(choice.Choose(0, 0), NONE);
    choice.Reset(3);
    EXPECT_EQ(choice.Choose(0, 0), 0U);
    EXPECT_TRUE(choice.SetUp(0, false, 10));
    EXPECT_FALSE(choice.SetUp(0, false, 11));
    EXPECT_EQ(choice.Choose(11, 0), 1U);
    EXPECT_EQ(choice.GetNextChoice(11, 0), std::nullopt);
    EXPECT_TRUE(choice.SetUp(1, false, 12));
    EXPECT_EQ(choice.Choose(12, 0), 2U);
    EXPECT_TRUE(choice.SetUp(2, false, 13));
    EXPECT_EQ(choice.Choose(13, 0), NONE);
    EXPECT_TRUE(choice.SetUp(0, true, 14));
    EXPECT_EQ(choice.Choose(14, 0), 0U);
}

TEST(TunnelPathChoice, ThePrimaryIsTakenAgainAfterTheHoldTime)
{
    TunnelPathChoice choice;
    choice.Reset(2);
    choice.Choose(0, 100);
    choice.SetUp(0, false, 10);
    EXPECT_EQ(choice.Choose(10, 100), 1U);
    choice.SetUp(0, true, 20);
    EXPECT_EQ(choice.Choose(20, 100), 1U);
    EXPECT_EQ(choice.GetNextChoice(20, 100), 120);
    EXPECT_EQ(choice.Choose(119, 100), 1U);
    EXPECT_EQ(choice.Choose(120, 100), 0U);
    EXPECT_EQ(choice.GetNextChoice(120, 100), std::nullopt);
}

TEST(TunnelPathChoice, TheHoldTimeBeginsAgainWithEachFailure)
{
    TunnelPathChoice choice;
    choice.Reset(2);
    choice.Choose(0, 100);
    choice.SetUp(0, false, 10);
    choice.Choose(10, 100);
    choice.SetUp(0, true, 20);
    choice.SetUp(0, false, 90);
    choice.SetUp(0, true, 95);
    EXPECT_EQ(choice.Choose(120, 100), 1U);
    EXPECT_EQ(choice.GetNextChoice(120, 100), 195);
    EXPECT_EQ(choice.Choose(195, 100), 0U);
}

TEST(TunnelPathChoice, APathThatIsTheOnlyOneNeedNotWait)
{
    TunnelPathChoice choice;
    choice.Reset(1);
    choice.Choose(0, 100);
    choice.SetUp(0, false, 10);
    EXPECT_EQ(choice.Choose(10, 100), NONE);
    choice.SetUp(0, true, 11);
    EXPECT_EQ(choice.GetNextChoice(11, 100), 111);
    EXPECT_EQ(choice.Choose(11, 100), 0U);
    EXPECT_EQ(choice.GetNextChoice(11, 100), std::nullopt);
}

/// Whatever happens: the choice is up if any path is, and an event at the time that is told
/// suffices to return.
RC_GTEST_PROP(TunnelPathChoice, ChoicesAreUpAndReturnsAreTold, ())
{
    const auto n = DrawInRange<uint32_t>(1, 5);
    const auto hold = DrawInRange<int64_t>(0, 50);
    TunnelPathChoice choice;
    choice.Reset(n);
    uint32_t chosen = choice.Choose(0, hold);
    std::optional<int64_t> next;
    for (int64_t now = 1; now < 300; ++now)
    {
        if (*rc::gen::weightedElement<bool>({{9, false}, {1, true}}))
        {
            choice.SetUp(DrawInRange<uint32_t>(0, n), DrawAny<bool>(), now);
            chosen = choice.Choose(now, hold);
            next = choice.GetNextChoice(now, hold);
        }
        else
        {
            const uint32_t again = choice.Choose(now, hold);
            RC_ASSERT(again == chosen || now == next);
            chosen = again;
            next = choice.GetNextChoice(now, hold);
        }
        bool isAnyUp = false;
        for (uint32_t i = 0; i < n; ++i)
        {
            isAnyUp = isAnyUp || choice.IsUp(i);
        }
        RC_ASSERT(isAnyUp == (chosen != NONE));
        if (chosen != NONE)
        {
            RC_ASSERT(choice.IsUp(chosen));
        }
    }
}
