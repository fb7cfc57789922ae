// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/never.h"
#include "model/core/transport/roce-turns.h"
#include "test/core/core-test.h"

TEST(RoceTurns, ClassesTakeTurnsAndInAClassItsQueuePairs)
{
    RoceTurns turns;
    RoceTurn a(3);
    RoceTurn b(3);
    RoceTurn c(5);
    EXPECT_EQ(turns.Take(0), nullptr);
    for (auto* turn : {&a, &b, &c})
    {
        turns.Push(*turn, 0);
        EXPECT_TRUE(turn->IsWaiting());
    }
    EXPECT_EQ(turns.GetReady(), 0x28U);
    EXPECT_EQ(turns.Take(0), &a);
    EXPECT_FALSE(a.IsWaiting());
    turns.Push(a, 0); // behind b
    EXPECT_EQ(turns.Take(0), &c);
    EXPECT_EQ(turns.GetReady(), 0x08U);
    EXPECT_EQ(turns.Take(0), &b);
    EXPECT_EQ(turns.Take(0), &a);
    EXPECT_EQ(turns.Take(0), nullptr);
}

TEST(RoceTurns, QueuePairsWaitForTheirTimeInItsOrder)
{
    RoceTurns turns;
    RoceTurn a(0);
    RoceTurn b(0);
    RoceTurn c(0);
    EXPECT_EQ(turns.GetNextTime(), NEVER_DOUBLE);
    turns.PushPaced(a, 30);
    turns.PushPaced(b, 10.5);
    turns.PushPaced(c, 10.5);
    EXPECT_TRUE(b.IsWaiting());
    EXPECT_EQ(turns.GetNextTime(), 10.5);
    turns.MovePaced(10);
    EXPECT_EQ(turns.Take(10), nullptr);
    turns.MovePaced(11);
    EXPECT_EQ(turns.GetNextTime(), 30);
    EXPECT_EQ(turns.Take(11), &b) << "came first";
    EXPECT_EQ(turns.Take(11), &c);
    EXPECT_EQ(turns.Take(11), nullptr);
}

TEST(RoceTurns, AQueuePairThatWaitsForItsTimeIsTakenOut)
{
    RoceTurns turns;
    RoceTurn a(0);
    RoceTurn b(0);
    RoceTurn c(0);
    turns.PushPaced(a, 30);
    turns.PushPaced(b, 20);
    turns.Push(c, 0);
    turns.WithdrawPaced(b);
    EXPECT_FALSE(b.IsWaiting());
    EXPECT_EQ(turns.GetNextTime(), 30);
    turns.WithdrawPaced(c);
    EXPECT_TRUE(c.IsWaiting()) << "waits for its turn, not for its time";
    turns.PushPaced(b, 40); // later than before
    turns.MovePaced(35);
    EXPECT_EQ(turns.Take(35), &c);
    EXPECT_EQ(turns.Take(35), &a);
    EXPECT_EQ(turns.Take(35), nullptr);
    turns.WithdrawPaced(a);
    EXPECT_EQ(turns.GetNextTime(), 40);
}

TEST(RoceTurns, APausedClassHasNoTurnAndItsPausesAreMeasured)
{
    RoceTurns turns;
    RoceTurn a(1);
    RoceTurn b(2);
    turns.Push(a, 100);
    turns.Push(b, 100);
    EXPECT_TRUE(turns.SetPaused(1, true, 150));
    EXPECT_FALSE(turns.SetPaused(1, true, 160)) << "as it was";
    EXPECT_EQ(turns.GetPaused(), 0x02U);
    EXPECT_EQ(turns.Take(170), &b);
    EXPECT_EQ(turns.Take(180), nullptr);
    EXPECT_TRUE(turns.SetPaused(1, false, 250));
    EXPECT_EQ(turns.Take(300), &a);
    EXPECT_EQ(a.GetPausedTime(), 100) << "from 150 to 250";
    EXPECT_EQ(b.GetPausedTime(), 0);
    turns.SetPaused(1, true, 400);
    turns.Push(a, 420); // only what it waits for counts
    turns.SetPaused(1, false, 450);
    EXPECT_EQ(turns.Take(450), &a);
    EXPECT_EQ(a.GetPausedTime(), 130);
}

TEST(RoceTurns, AllAreForgotten)
{
    RoceTurns turns;
    RoceTurn a(1);
    RoceTurn b(1);
    turns.Push(a, 0);
    turns.PushPaced(b, 10);
    turns.Clear();
    turns.MovePaced(20);
    EXPECT_EQ(turns.GetReady(), 0U);
    EXPECT_EQ(turns.Take(20), nullptr);
}
