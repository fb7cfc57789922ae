// SPDX-License-Identifier: GPL-2.0-only

// Routes whose session is lost (RFC 4724, section 4.2), and routes whose session is about to be
// shut down (RFC 8326, section 4).

#include "bgp-rib-speaker.h"
#include "test/core/core-test.h"

TEST(BgpRibStale, Rfc4724Section42StaleRoutesAreUsedAsOthers)
{
    RibSpeaker speaker(3);
    speaker.Announce(0, P1);
    speaker.Announce(1, P1);
    EXPECT_EQ(speaker.Take(2), "+1");
    speaker.rib.TakeUsedChanges();
    const auto before = speaker.rib.GetPaths(P1);
    ASSERT_EQ(before.size(), 2U);
    speaker.rib.SetDown(0, true);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.CountStale(0), 1U);
    EXPECT_EQ(speaker.rib.CountReceived(0), 1U);
    // neither the table of the node nor any peer sees a difference
    EXPECT_TRUE(speaker.rib.GetPaths(P1) == before);
    EXPECT_TRUE(speaker.rib.TakeUsedChanges().empty());
    EXPECT_EQ(speaker.Take(2), "");
    // a route that is worse than the stale one does not replace it, a better one does
    speaker.Announce(1, P1, speaker.Attributes(1, {7}));
    ASSERT_EQ(speaker.rib.GetPaths(P1).size(), 1U);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].peer, 0U);
}

TEST(BgpRibStale, Rfc4724Section42WithoutRetentionRoutesAreDeletedAtOnce)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.rib.SetDown(0);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.CountStale(0), 0U);
    EXPECT_TRUE(speaker.rib.GetPrefixes().empty());
}

TEST(BgpRibStale, Rfc4724Section42EndOfRibRemovesThoseThatAreStillStale)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.Announce(0, P2);
    EXPECT_EQ(speaker.Take(1), "+1+2");
    speaker.rib.SetDown(0, true);
    speaker.rib.SetUp(0, OWN_AS + 1, 1);
    EXPECT_EQ(speaker.rib.CountStale(0), 2U);
    speaker.Announce(0, P1); // the same route is fresh, and nothing else has changed
    EXPECT_EQ(speaker.rib.CountStale(0), 1U);
    EXPECT_EQ(speaker.Take(1), "");
    speaker.rib.RemoveStale(0);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.CountStale(0), 0U);
    EXPECT_EQ(speaker.rib.CountReceived(0), 1U);
    EXPECT_EQ(speaker.Take(1), "-2");
    EXPECT_EQ(speaker.rib.GetPrefixes(), std::vector<BgpPrefix>{P1});
}

TEST(BgpRibStale, Rfc4724Section42AStaleRouteIsReplacedOrWithdrawn)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.Announce(0, P2);
    speaker.rib.SetDown(0, true);
    speaker.rib.SetUp(0, OWN_AS + 1, 1);
    speaker.Announce(0, P1, speaker.Attributes(0, {7}));
    EXPECT_EQ(speaker.rib.GetBest(P1)->asPath.GetLength(), 2U);
    speaker.Withdraw(0, P2);
    EXPECT_EQ(speaker.rib.CountStale(0), 0U);
    EXPECT_EQ(speaker.rib.GetPrefixes(), std::vector<BgpPrefix>{P1});
    speaker.rib.RemoveStale(0);
    EXPECT_EQ(speaker.rib.CountReceived(0), 1U);
}

TEST(BgpRibStale, Rfc4724Section42ASecondFailureDeletesTheOlderStaleRoutes)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.Announce(0, P2);
    speaker.rib.SetDown(0, true);
    speaker.rib.SetUp(0, OWN_AS + 1, 1);
    speaker.Announce(0, P2);
    speaker.rib.SetDown(0, true); // P1 is stale since the first one
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.CountStale(0), 1U);
    EXPECT_EQ(speaker.rib.GetPrefixes(), std::vector<BgpPrefix>{P2});
    speaker.rib.SetDown(0); // and a hard reset deletes what is left
    speaker.rib.Decide();
    EXPECT_TRUE(speaker.rib.GetPrefixes().empty());
    EXPECT_EQ(speaker.rib.CountReceived(0), 0U);
}

TEST(BgpRibStale, ARestartedPeerIsToldAllRoutes)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    EXPECT_EQ(speaker.Take(1), "+1");
    speaker.rib.SetDown(1, true);
    speaker.rib.SetUp(1, OWN_AS + 2, 2);
    EXPECT_EQ(speaker.Take(1), "+1");
}

TEST(BgpRibStale, MarksTakeNoMemoryWithoutStaleRoutes)
{
    RibSpeaker speaker(1);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        speaker.Announce(0, {0x14000000 + (i << 8), 24});
    }
    speaker.rib.SetDown(0, true);
    EXPECT_EQ(speaker.rib.CountStale(0), 1000U);
    speaker.rib.RemoveStale(0);
    speaker.rib.Decide();
    speaker.rib.TakeUsedChanges();
    EXPECT_TRUE(speaker.rib.GetPrefixes().empty());
    speaker.rib.SetUp(0, OWN_AS + 1, 1);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        speaker.Announce(0, {0x14000000 + (i << 8), 24});
    }
    EXPECT_EQ(speaker.rib.CountStale(0), 0U);
    EXPECT_EQ(speaker.rib.CountReceived(0), 1000U);
}

TEST(BgpGracefulShutdown, Rfc8326Section4ARouteWithTheCommunityIsTheLastOne)
{
    RibSpeaker speaker(3);
    BgpPathAttributes leaving = speaker.Attributes(0);
    leaving.communities = {0x00010002, 0xffff0000}; // 65535:0
    speaker.Announce(0, P1, leaving);
    ASSERT_EQ(speaker.rib.GetPaths(P1).size(), 1U); // it is used as long as there is no other
    EXPECT_EQ(speaker.rib.GetBest(P1)->localPref, 0U);
    EXPECT_EQ(speaker.Take(2), "+1");
    EXPECT_EQ(speaker.told.communities, leaving.communities); // and keeps the community
    EXPECT_FALSE(speaker.told.localPref);
    // the backup has a longer path, and wins before the first one is withdrawn
    speaker.Announce(1, P1, speaker.Attributes(1, {7, 8}));
    ASSERT_EQ(speaker.rib.GetPaths(P1).size(), 1U);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].peer, 1U);
    EXPECT_EQ(speaker.Take(2), "+1");
    EXPECT_TRUE(speaker.told.communities.empty());
    // without the community again
    speaker.Announce(0, P1);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].peer, 0U);
}

TEST(BgpGracefulShutdown, Rfc8326Section4TheSettingDecides)
{
    BgpRibSettings settings = RibSpeaker::MakeSettings();
    settings.acceptsGracefulShutdown = false;
    RibSpeaker speaker(2, {}, settings);
    BgpPathAttributes leaving = speaker.Attributes(0);
    leaving.communities = {BGP_GRACEFUL_SHUTDOWN};
    speaker.Announce(0, P1, leaving);
    EXPECT_FALSE(speaker.rib.GetBest(P1)->localPref);
    // from an internal peer, LOCAL_PREF says it already
    std::vector<BgpRibPeer> peers(2);
    peers[0].as = OWN_AS;
    RibSpeaker other(2, peers);
    leaving.localPref = 70;
    other.Announce(0, P1, leaving);
    EXPECT_EQ(other.rib.GetBest(P1)->localPref, 70U);
}

TEST(BgpGracefulShutdown, Rfc8326Section41ThePeerIsToldAllRoutesWithTheCommunity)
{
    RibSpeaker speaker(3);
    speaker.Announce(0, P1);
    speaker.rib.Originate(P2);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.Take(1), "+1+2");
    EXPECT_EQ(speaker.Take(2), "+1+2");
    speaker.rib.SetLeaving(1, true);
    EXPECT_EQ(speaker.Take(1), "+1+2");
    EXPECT_EQ(speaker.told.communities, (std::vector<uint32_t>{0xffff0000}));
    EXPECT_EQ(speaker.Take(2), ""); // others are not told anything
    speaker.rib.SetLeaving(1, false);
    EXPECT_EQ(speaker.Take(1), "+1+2");
    EXPECT_TRUE(speaker.told.communities.empty());
    speaker.rib.SetLeaving(1, true);
    speaker.rib.SetLeaving(1, false);
    EXPECT_EQ(speaker.Take(1), ""); // nothing in between was told
}

TEST(BgpGracefulShutdown, Rfc8326Section41ThePeersOwnRoutesAreTheLastOnesToo)
{
    RibSpeaker speaker(3);
    speaker.Announce(0, P1);
    speaker.Announce(1, P1, speaker.Attributes(1, {7}));
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].peer, 0U);
    speaker.rib.SetLeaving(0, true);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].peer, 1U);
    speaker.Announce(0, P2); // one that comes later, and is the only one
    EXPECT_EQ(speaker.rib.GetPaths(P2)[0].peer, 0U);
    speaker.Take(2);
    EXPECT_EQ(speaker.told.communities, (std::vector<uint32_t>{0xffff0000}));
    speaker.rib.SetLeaving(0, false);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].peer, 0U);
}
