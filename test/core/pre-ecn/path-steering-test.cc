// SPDX-License-Identifier: GPL-2.0-only

// The choice of paths at the edge (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1).

#include "model/core/pre-ecn/path-steering.h"
#include "test/core/core-test.h"

/// Two notifications within 100 move a flow, 1,000 apart; 300 are quiet, and the gap is 10.
PathSteering::Settings
MakeSettings()
{
    PathSteering::Settings settings;
    settings.threshold = 2;
    settings.window = 100;
    settings.holdDown = 1000;
    settings.quietTime = 300;
    settings.gap = 10;
    return settings;
}

/// A flow of one tunnel.
struct Flow
{
    explicit Flow(uint32_t nPaths)
        : paths(nPaths)
    {
    }

    void Notify(int64_t now, int64_t sent)
    {
        steering.Notify(settings, now, sent, paths);
    }

    void Notify(int64_t now)
    {
        Notify(now, now);
    }

    uint32_t Send(int64_t now)
    {
        return steering.Choose(settings, now, paths);
    }

    /// The path of a packet, without sending it.
    uint32_t Probe(int64_t now) const
    {
        return Flow(*this).Send(now);
    }

    PathSteering::Settings settings{MakeSettings()};
    std::vector<SteeredPath> paths;
    PathSteering steering;
};

TEST(PathSteering, Section3221MovesAfterSomeNotificationsWithinAWindow)
{
    Flow flow(2);
    EXPECT_EQ(flow.Send(20), 0U);
    flow.Notify(30);
    EXPECT_EQ(flow.Send(60), 0U) << "one is not enough";
    flow.Notify(130);
    EXPECT_EQ(flow.Send(160), 0U) << "the first one is too long ago";
    flow.Notify(229);
    EXPECT_EQ(flow.Send(260), 1U);
}

TEST(PathSteering, MovesInAPauseOnly)
{
    Flow flow(2);
    flow.Send(100);
    flow.Notify(100);
    flow.Notify(101);
    EXPECT_EQ(flow.Send(109), 0U);
    EXPECT_EQ(flow.Send(118), 0U);
    EXPECT_EQ(flow.Send(128), 1U);
}

TEST(PathSteering, FlowThatBeginsMayHaveSentJustNow)
{
    Flow flow(2);
    flow.steering = PathSteering(1000);
    flow.Notify(1000);
    flow.Notify(1001);
    EXPECT_EQ(flow.Send(1009), 0U);
}

TEST(PathSteering, PauseMakesUpForTheDifferenceOfDelays)
{
    for (const int64_t more : {-50, -10, -9, 0, 40})
    {
        // The path that the flow leaves takes longer by that.
        Flow flow(2);
        flow.paths[0].delay = 100 + more;
        flow.paths[1].delay = 100;
        flow.Send(1000);
        flow.Notify(1000);
        flow.Notify(1000);
        const int64_t pause = std::max<int64_t>(10 + more, 0);
        if (pause > 0)
        {
            EXPECT_EQ(flow.Send(1000 + pause - 1), 0U) << more;
            EXPECT_EQ(flow.Send(1000 + 2 * pause - 1), 1U) << more;
        }
        else
        {
            EXPECT_EQ(flow.Send(1000), 1U) << more;
        }
    }
}

TEST(PathSteering, IsForcedAfterATimeWhereThatIsConfigured)
{
    for (const bool isForced : {false, true})
    {
        Flow flow(2);
        flow.settings.force = isForced ? 50 : 0;
        flow.Send(100);
        flow.Notify(100);
        flow.Notify(101);
        for (int64_t now = 105; now <= 150; now += 5)
        {
            EXPECT_EQ(flow.Send(now), 0U) << now;
        }
        EXPECT_EQ(flow.Send(151), isForced ? 1U : 0U);
    }
}

TEST(PathSteering, HoldsAPathForATime)
{
    Flow flow(3);
    flow.Notify(100);
    flow.Notify(100);
    EXPECT_EQ(flow.Send(100), 1U);
    for (int64_t now = 110; now < 1100; now += 20)
    {
        flow.Notify(now);
        EXPECT_EQ(flow.Send(now + 10), 1U) << now;
    }
    flow.Notify(1100);
    EXPECT_EQ(flow.Send(1110), 2U) << "never notified of";
}

TEST(PathSteering, Section3221NeverWantsAPathThatIsDownOrWasNotifiedOf)
{
    Flow flow(4);
    flow.paths[1].isUp = false;
    flow.paths[2].lastNotified = 0;
    flow.paths[3].lastNotified = 1;
    flow.Notify(299);
    flow.Notify(299);
    EXPECT_EQ(flow.Probe(310), 0U);
    flow.Notify(300);
    EXPECT_EQ(flow.Probe(310), 2U);
    // Meanwhile it was notified of, and there is another one: the next notification finds it.
    flow.paths[2].lastNotified = 301;
    EXPECT_EQ(flow.Send(320), 0U);
    flow.Notify(321);
    EXPECT_EQ(flow.Send(340), 3U);
}

TEST(PathSteering, PrefersWhatWasNotifiedOfLongestAgo)
{
    Flow flow(4);
    flow.paths[1].lastNotified = 50;
    flow.paths[2].lastNotified = 40;
    flow.paths[3].lastNotified = 60;
    flow.Notify(1000);
    flow.Notify(1000);
    EXPECT_EQ(flow.Send(1010), 2U);
}

TEST(PathSteering, HashDecidesBetweenEqualPaths)
{
    std::vector<int> nWanted(4);
    for (uint32_t i = 0; i < 3000; ++i)
    {
        Flow flow(4);
        flow.steering = PathSteering(0, PathSteering::PRIMARY, i * 0x9e3779b9U);
        flow.Notify(0);
        flow.Notify(0);
        ++nWanted.at(flow.Send(10));
    }
    EXPECT_EQ(nWanted[0], 0);
    for (uint32_t path = 1; path < 4; ++path)
    {
        EXPECT_NEAR(nWanted[path], 1000, 100) << path;
    }
}

TEST(PathSteering, LateNotificationsAreOfThePathBefore)
{
    Flow flow(2);
    flow.Notify(0);
    flow.Notify(0);
    EXPECT_EQ(flow.Send(100), 1U);
    flow.Notify(150, 99);
    EXPECT_EQ(flow.paths[0].lastNotified, 150);
    EXPECT_EQ(flow.paths[1].lastNotified, std::nullopt);
    flow.Notify(160, 100);
    EXPECT_EQ(flow.paths[0].lastNotified, 150);
    EXPECT_EQ(flow.paths[1].lastNotified, 160);
}

TEST(PathSteering, LeavesAPathThatIsDownAtOnce)
{
    Flow flow(3);
    flow.Send(100);
    flow.paths[0].isUp = false;
    flow.paths[1].lastNotified = 99;
    EXPECT_EQ(flow.Send(100), 2U);
    flow.paths[2].isUp = false;
    EXPECT_EQ(flow.Send(100), 1U) << "better one that was notified of than none";
    flow.paths[1].isUp = false;
    EXPECT_EQ(flow.Send(100), 1U) << "there is no other one";
    flow.paths[0].isUp = true;
    EXPECT_EQ(flow.Send(100), 0U);
}

TEST(PathSteering, ReturnsToThePrimaryPathAfterAQuietTimeAndInAPause)
{
    Flow flow(2);
    flow.Notify(0);
    flow.Notify(0);
    EXPECT_EQ(flow.Send(100), 1U);
    EXPECT_EQ(flow.Send(1099), 1U) << "the hold-down time lasts until 1100";
    EXPECT_EQ(flow.Send(1105), 1U) << "no pause";
    EXPECT_EQ(flow.Send(1115), 0U);
    EXPECT_TRUE(flow.steering.IsIdle(flow.settings, 2115));
    EXPECT_FALSE(flow.steering.IsIdle(flow.settings, 2114));
}

TEST(PathSteering, DoesNotReturnToAPathThatIsNotifiedOfOrDown)
{
    Flow flow(2);
    flow.Notify(0);
    flow.Notify(0);
    flow.Send(100);
    flow.paths[0].lastNotified = 2000; // by another flow
    EXPECT_EQ(flow.Send(2299), 1U);
    flow.paths[0].isUp = false;
    EXPECT_EQ(flow.Send(2400), 1U);
    flow.paths[0].isUp = true;
    EXPECT_EQ(flow.Send(2500), 0U);
}

TEST(PathSteering, StaysIfTheCongestionIsOverBeforeThereIsAPause)
{
    Flow flow(2);
    flow.Send(0);
    flow.Notify(1);
    flow.Notify(2);
    for (int64_t now = 5; now <= 305; now += 5)
    {
        EXPECT_EQ(flow.Send(now), 0U);
    }
    EXPECT_EQ(flow.Send(1000), 0U);
}

TEST(PathSteering, OnePathIsKept)
{
    Flow flow(1);
    flow.Notify(0);
    flow.Notify(0);
    EXPECT_EQ(flow.Send(100), 0U);
    flow.paths[0].isUp = false;
    EXPECT_EQ(flow.Send(200), 0U);
}

/// Any notifications, packets and failures: no flapping, no reordering, no bad paths.
RC_GTEST_PROP(PathSteering, KeepsItsPromises, ())
{
    Flow flow(DrawInRange<uint32_t>(1, 5));
    flow.settings.threshold = DrawInRange<uint32_t>(1, PathSteering::MAX_THRESHOLD + 1);
    flow.settings.holdDown = DrawInRange<int64_t>(0, 500);
    flow.settings.quietTime = DrawInRange<int64_t>(0, 300);
    flow.settings.gap = DrawInRange<int64_t>(1, 30);
    flow.steering = PathSteering(0, PathSteering::PRIMARY, DrawAny<uint32_t>());
    for (auto& path : flow.paths)
    {
        path.delay = DrawInRange<int64_t>(0, 20);
    }
    int64_t now = 0;
    int64_t lastMove = -10'000;
    int64_t lastPacket = 0;
    uint32_t path = 0;
    for (int i = 0; i < 300; ++i)
    {
        now += DrawInRange<int64_t>(0, 40);
        switch (DrawInRange(0, 6))
        {
        case 0:
            flow.paths[DrawInRange<std::size_t>(0, flow.paths.size())].isUp = DrawInRange(0, 4) > 0;
            break;
        case 1:
        case 2:
        case 3:
            flow.Notify(now, now - DrawInRange<int64_t>(0, 50));
            break;
        default:
            const auto before = flow.paths;
            const uint32_t next = flow.Send(now);
            if (next != path)
            {
                RC_ASSERT(before[next].isUp);
                if (before[path].isUp)
                {
                    RC_ASSERT(now - lastMove >= flow.settings.holdDown);
                    // RC_ASSERT() evaluates both sides of an operator.
                    const auto last = before[next].lastNotified;
                    const bool isQuiet = !last || now - *last >= flow.settings.quietTime;
                    RC_ASSERT(isQuiet);
                    RC_ASSERT(now + before[next].delay >=
                              lastPacket + before[path].delay + flow.settings.gap);
                }
                lastMove = now;
            }
            path = next;
            lastPacket = now;
        }
    }
}
