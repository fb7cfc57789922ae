// SPDX-License-Identifier: GPL-2.0-only

// The watchdog against storms of pauses and deadlocks: detection and restoration.

#include "model/core/ethernet/mac-control.h"
#include "model/core/never.h"
#include "test/core/core-test.h"

constexpr auto NOTHING = PauseWatchdogEvent::NONE;
constexpr auto STORM = PauseWatchdogEvent::STORM;
constexpr auto RESTORED = PauseWatchdogEvent::RESTORED;

/// Detection after 200, restoration after 400.
class PauseWatchdogTest : public testing::Test
{
  protected:
    PauseWatchdogTest()
    {
        dog.SetTimes(200, 400);
    }

    /// A look at a queue that has packets, unless said otherwise.
    PauseWatchdogEvent Look(int64_t now, bool paused, uint64_t sent = 0, bool waiting = true)
    {
        return dog.Observe(now, {paused, waiting, sent});
    }

    PauseWatchdog dog;
};

TEST_F(PauseWatchdogTest, AQueueThatNobodyPausesIsNotLookedAt)
{
    EXPECT_EQ(dog.GetDeadline(), NEVER);
    EXPECT_EQ(Look(5, false), NOTHING);
    EXPECT_EQ(dog.GetDeadline(), NEVER);
}

TEST_F(PauseWatchdogTest, AQueueThatIsStoppedForTheDetectionTimeIsStormed)
{
    Look(1000, true);
    EXPECT_EQ(dog.GetDeadline(), 1200);
    EXPECT_EQ(Look(1199, true), NOTHING);
    EXPECT_FALSE(dog.IsStormed());
    EXPECT_EQ(Look(1200, true), STORM);
    EXPECT_TRUE(dog.IsStormed());
    EXPECT_EQ(dog.GetDeadline(), NEVER); // until the pauses end
}

TEST_F(PauseWatchdogTest, APauseThatEndsInTimeIsNoStorm)
{
    Look(1000, true);
    Look(1199, false);
    EXPECT_EQ(dog.GetDeadline(), NEVER);
    Look(1199, true);
    EXPECT_EQ(Look(1200, true), NOTHING);
    EXPECT_EQ(dog.GetDeadline(), 1399);
}

TEST_F(PauseWatchdogTest, AQueueThatSendsNowAndThenIsNotStopped)
{
    Look(1000, true, 7);
    EXPECT_EQ(Look(1200, true, 8), NOTHING);
    EXPECT_EQ(dog.GetDeadline(), 1400);
    EXPECT_EQ(Look(1400, true, 8), STORM);
}

TEST_F(PauseWatchdogTest, AnEmptyQueueIsNotStoppedUntilAPacketComes)
{
    Look(1000, true, 0, false);
    EXPECT_EQ(Look(1200, true, 0, false), NOTHING);
    EXPECT_EQ(dog.GetDeadline(), 1400);
    EXPECT_EQ(Look(1400, true, 0, true), NOTHING); // it came at some time since 1200
    EXPECT_EQ(Look(1600, true, 0, true), STORM);
}

TEST_F(PauseWatchdogTest, TheStormIsOverAfterTheRestorationTimeWithoutPauses)
{
    Look(0, true);
    ASSERT_EQ(Look(200, true), STORM);
    Look(300, false);
    EXPECT_EQ(dog.GetDeadline(), 700);
    Look(699, true); // one more
    EXPECT_EQ(dog.GetDeadline(), NEVER);
    Look(800, false);
    EXPECT_EQ(Look(1199, false), NOTHING);
    EXPECT_EQ(Look(1200, false, 99), RESTORED); // that it sends does not matter
    EXPECT_FALSE(dog.IsStormed());
    EXPECT_EQ(dog.GetDeadline(), NEVER);
    Look(1300, true);
    EXPECT_EQ(dog.GetDeadline(), 1500);
}

/// Against a reference that remembers the whole history instead of a state.
RC_GTEST_PROP(PauseWatchdog, StormAndRestorationNeedTheirTimes, ())
{
    const auto detection = DrawInRange<int64_t>(1, 50);
    const auto restoration = DrawInRange<int64_t>(1, 50);
    PauseWatchdog dog;
    dog.SetTimes(detection, restoration);
    bool stormed = false;
    int64_t pausedSince = -1; // of looks in a row
    int64_t freeSince = -1;
    int64_t lastStorm = -1;
    int64_t now = 0;
    const auto steps = DrawInRange(1, 200);
    for (int i = 0; i < steps; ++i)
    {
        now += DrawInRange<int64_t>(0, 20);
        const PausedQueueView view{DrawInRange(0, 8) != 0, true, 0};
        pausedSince = !view.paused ? -1 : (pausedSince < 0 ? now : pausedSince);
        freeSince = view.paused ? -1 : (freeSince < 0 ? now : freeSince);
        const auto event = dog.Observe(now, view);
        if (event == STORM)
        {
            RC_ASSERT(!stormed);
            RC_ASSERT(pausedSince >= 0 && now - pausedSince >= detection);
            stormed = true;
            lastStorm = now;
        }
        else if (event == RESTORED)
        {
            RC_ASSERT(stormed);
            RC_ASSERT(freeSince >= lastStorm && now - freeSince >= restoration);
            stormed = false;
        }
        else if (!stormed && dog.GetDeadline() != NEVER)
        {
            RC_ASSERT(dog.GetDeadline() > now);
            RC_ASSERT(dog.GetDeadline() <= now + detection);
        }
        RC_ASSERT(dog.IsStormed() == stormed);
    }
}
