// SPDX-License-Identifier: GPL-2.0-only

// The paths of a tunnel's flow sets: when a set may move, and which sets move for an amount.

#include "model/core/pre-ecn/flow-set-paths.h"
#include "test/core/core-test.h"

/// Some sets, and paths of equal delays. The gap is 10; a set that is silent for 1,000 begins at
/// home.
struct Sets
{
    explicit Sets(uint32_t nSets, uint32_t nPaths = 2)
        : paths(nPaths),
          sets(nSets)
    {
        settings.gap = 10;
        settings.returnTime = 1000;
    }

    uint32_t Send(int64_t now, uint32_t set = 0, uint32_t bytes = 100)
    {
        return sets.Choose(settings, now, set, bytes, paths).path;
    }

    /// Give each set a rate in units of 1 Gbit/s, measured over 1 us.
    void SetRates(int64_t now, const std::vector<uint32_t>& rates)
    {
        sets.Measure(now);
        for (uint32_t i = 0; i < rates.size(); ++i)
        {
            Send(now, i, rates[i] * 125);
        }
        sets.Measure(now + 1000);
    }

    FlowSetPaths::Settings settings;
    std::vector<FlowSetPaths::Path> paths;
    FlowSetPaths sets;
};

TEST(FlowSetPaths, NumberOfSetsIsChecked)
{
    EXPECT_THROW(FlowSetPaths(0), std::invalid_argument);
    EXPECT_THROW(FlowSetPaths(FlowSetPaths::MAX_SETS + 1), std::invalid_argument);
    EXPECT_EQ(FlowSetPaths(FlowSetPaths::MAX_SETS).GetNSets(), FlowSetPaths::MAX_SETS);
}

TEST(FlowSetPaths, MovesInAPauseOnly)
{
    Sets test(1);
    test.SetRates(0, {8});
    EXPECT_EQ(test.Send(1100), 0U);
    EXPECT_EQ(test.sets.Move(1100, 0, 1, 8e9), 0);
    EXPECT_EQ(test.Send(1109), 0U);
    EXPECT_EQ(test.Send(1118), 0U);
    EXPECT_EQ(test.Send(1128), 1U);
    EXPECT_EQ(test.Send(1129), 1U);
}

TEST(FlowSetPaths, PauseMakesUpForTheDifferenceOfDelays)
{
    for (const int64_t more : {-50, -10, -9, 0, 40})
    {
        // The path that the set leaves takes longer by that.
        Sets test(1);
        test.SetRates(0, {8});
        test.paths[0].delay = 100 + more;
        test.paths[1].delay = 100;
        test.Send(2000);
        test.sets.Move(2000, 0, 1, 8e9);
        const int64_t pause = std::max<int64_t>(10 + more, 0);
        if (pause > 0)
        {
            EXPECT_EQ(test.Send(2000 + pause - 1), 0U) << more;
            EXPECT_EQ(test.Send(2000 + 2 * pause - 1), 1U) << more;
        }
        else
        {
            EXPECT_EQ(test.Send(2000), 1U) << more;
        }
    }
}

TEST(FlowSetPaths, MovesWithoutAPauseIfForced)
{
    Sets test(1);
    test.SetRates(0, {8});
    test.settings.force = 30;
    test.Send(1100);
    test.sets.Move(1100, 0, 1, 8e9);
    for (int64_t now = 1105; now < 1130; now += 5)
    {
        EXPECT_EQ(test.Send(now), 0U);
    }
    const auto choice = test.sets.Choose(test.settings, 1130, 0, 100, test.paths);
    EXPECT_EQ(choice.path, 1U);
    EXPECT_EQ(choice.before, 0U);
    EXPECT_TRUE(choice.isForced);
}

/// It is forced when its path was too busy for twice the difference, 11, by all decisions.
TEST(FlowSetPaths, IsForcedToAPathThatIsMuchShorterWhenItsPathStaysBusy)
{
    for (const bool isInterrupted : {false, true})
    {
        Sets test(1);
        test.SetRates(0, {8});
        test.settings.force = 30;
        test.paths[0].delay = 11;
        test.Send(1095);
        test.sets.NoteBusy(1100, {true, false});
        test.sets.Move(1100, 0, 1, 8e9);
        test.Send(1105);
        test.sets.NoteBusy(1109, {!isInterrupted, false});
        test.sets.NoteBusy(1110, {true, false});
        test.Send(1115);
        EXPECT_EQ(test.Send(1129), 0U) << "before ForceTime";
        EXPECT_EQ(test.Send(1131), isInterrupted ? 0U : 1U);
        EXPECT_EQ(test.Send(1132), 1U);
    }
}

TEST(FlowSetPaths, IsNotForcedToAPathThatIsMuchShorter)
{
    for (const int64_t shorter : {10, 11})
    {
        Sets test(1);
        test.SetRates(0, {8});
        test.settings.force = 30;
        test.paths[0].delay = shorter;
        test.Send(1100);
        test.sets.Move(1100, 0, 1, 8e9);
        test.Send(1115);
        EXPECT_EQ(test.Send(1131), shorter == 10 ? 1U : 0U);
    }
}

TEST(FlowSetPaths, LeavesAPathThatIsDownAtOnceAndReturns)
{
    Sets test(8, 3);
    for (uint32_t i = 0; i < 8; ++i)
    {
        test.Send(0, i);
    }
    test.paths[0].isUp = false;
    EXPECT_EQ(test.sets.NotifyPaths(1, test.paths), 8U);
    EXPECT_EQ(test.sets.Count(0), 0U);
    EXPECT_EQ(test.sets.Count(1), 4U) << "half of the sets take each of the others";
    EXPECT_EQ(test.sets.Count(2), 4U);
    EXPECT_NE(test.Send(1), 0U) << "without any pause";
    test.paths[0].isUp = true;
    EXPECT_EQ(test.sets.NotifyPaths(20, test.paths), 0U);
    EXPECT_NE(test.Send(10), 0U);
    EXPECT_EQ(test.Send(20), 0U) << "in a pause";
    for (auto& path : test.paths)
    {
        path.isUp = false;
    }
    EXPECT_EQ(test.sets.NotifyPaths(30, test.paths), 0U) << "there is none";
}

TEST(FlowSetPaths, DoesNotWaitForAPathThatHasGoneDown)
{
    Sets test(1, 3);
    test.SetRates(0, {8});
    test.Send(1100);
    test.sets.Move(1100, 0, 1, 8e9);
    test.paths[1].isUp = false;
    test.sets.NotifyPaths(1101, test.paths);
    EXPECT_EQ(test.Send(1200), 0U);
}

TEST(FlowSetPaths, BeginsAtHomeAfterASilence)
{
    Sets test(1);
    test.SetRates(0, {8});
    test.Send(1100);
    test.sets.Move(1100, 0, 1, 8e9);
    EXPECT_EQ(test.Send(1200), 1U);
    EXPECT_EQ(test.Send(2199), 1U);
    EXPECT_EQ(test.Send(3199), 0U);
}

TEST(FlowSetPaths, NewHomesMoveWhatIsAtHome)
{
    Sets test(3, 3);
    test.SetRates(0, {8, 4, 2});
    test.sets.Move(1100, 0, 2, 8e9);
    EXPECT_EQ(test.Send(1200, 0), 2U);
    test.Send(1200, 1);
    test.Send(1200, 2);
    test.sets.SetHomes(1200, {1, 1, 0});
    EXPECT_EQ(test.Send(1205, 1), 0U) << "it waits for a pause";
    test.sets.CancelMoves();
    EXPECT_EQ(test.Send(1215, 0), 2U) << "it was not at home";
    EXPECT_EQ(test.Send(1215, 1), 1U);
    EXPECT_EQ(test.Send(1215, 2), 0U);
}

TEST(FlowSetPaths, MovesTheFastestThatFit)
{
    Sets test(5);
    test.SetRates(0, {1, 7, 3, 2, 0});
    EXPECT_NEAR(test.sets.GetRate(0), 13e9, 1);
    EXPECT_NEAR(test.sets.Move(1100, 0, 1, 6.5e9), .5e9, 1) << "3, 2 and 1, but not 7";
    EXPECT_EQ(test.Send(1200, 0), 1U);
    EXPECT_EQ(test.Send(1200, 1), 0U);
    EXPECT_EQ(test.Send(1200, 2), 1U);
    EXPECT_EQ(test.Send(1200, 3), 1U);
    EXPECT_EQ(test.Send(1200, 4), 0U) << "a set without traffic has nothing to move";
}

TEST(FlowSetPaths, MovesThatWereCancelledAreNotMade)
{
    Sets test(1);
    test.SetRates(0, {8});
    test.sets.Move(1100, 0, 1, 8e9);
    test.sets.CancelMoves();
    EXPECT_EQ(test.Send(1200), 0U);
}

TEST(FlowSetPaths, SetThatIsChosenAgainHasWaitedSinceTheFirstTime)
{
    Sets test(2);
    test.settings.force = 30;
    test.SetRates(0, {4, 8});
    test.Send(1100, 0);
    test.Send(1100, 1);
    test.sets.Move(1100, 0, 1, 4e9);
    test.sets.CancelMoves();
    EXPECT_EQ(test.Send(1105, 0), 0U);
    EXPECT_EQ(test.sets.Move(1120, 0, 1, 8e9), 4e9) << "set 0 again, though set 1 is faster";
    EXPECT_EQ(test.Send(1125, 0), 1U) << "a pause of 20";
    test.Send(1125, 1);
    test.sets.Move(1130, 0, 1, 8e9);
    EXPECT_EQ(test.Send(1130, 1), 0U) << "a pause of 5";
    test.sets.CancelMoves();
    EXPECT_EQ(test.Send(1139, 1), 0U);
    EXPECT_EQ(test.Send(1148, 1), 0U);
    test.sets.Move(1150, 0, 1, 8e9);
    EXPECT_EQ(test.Send(1157, 1), 0U);
    EXPECT_EQ(test.Send(1160, 1), 1U) << "30 after the first time";
}

TEST(FlowSetPaths, MovesASetThatIsTooLargeByProbability)
{
    const auto isMoved = [](double amount, double limit, double draw) {
        Sets test(2);
        test.SetRates(0, {8, 4});
        return test.sets.MoveOne(1100, 0, 1, amount, limit, draw) && test.Send(1200, 1) == 1 &&
               test.Send(1200, 0) == 0;
    };
    EXPECT_TRUE(isMoved(1e9, 4.1e9, 0.24));
    EXPECT_FALSE(isMoved(1e9, 4.1e9, 0.26));
    EXPECT_FALSE(isMoved(1e9, 3.9e9, 0.24)) << "above the limit";
    EXPECT_FALSE(isMoved(0, 4.1e9, 0)) << "nothing is left";
    Sets test(2);
    test.SetRates(0, {8, 4});
    EXPECT_FALSE(test.sets.MoveOne(1100, 1, 0, 1e9, 8e9, 0)) << "no set is there";
}

RC_GTEST_PROP(FlowSetPaths, NeverMoreThanTheAmount, ())
{
    const auto n = DrawInRange<uint32_t>(1, 100);
    Sets test(n, 3);
    const auto rates =
        *rc::gen::container<std::vector<uint32_t>>(n, rc::gen::inRange<uint32_t>(0, 50));
    test.SetRates(0, rates);
    const double all = test.sets.GetRate(0);
    const double amount = all * DrawInRange(0, 101) / 100;
    const double left = test.sets.Move(1100, 0, 1, amount);
    for (uint32_t i = 0; i < n; ++i)
    {
        test.Send(1200, i, 0);
    }
    RC_ASSERT(left >= 0);
    RC_ASSERT(std::abs(test.sets.GetRate(1) + left - amount) < 1);
    RC_ASSERT(std::abs(test.sets.GetRate(0) + test.sets.GetRate(1) - all) < 1);
    RC_ASSERT(test.sets.Count(0) + test.sets.Count(1) + test.sets.Count(2) == n);
    for (uint32_t i = 0; i < n; ++i)
    {
        // Whatever could still have been moved does not fit.
        RC_ASSERT(test.sets.GetPath(i) == 1 || rates[i] == 0 || rates[i] * 1e9 > left);
    }
}
