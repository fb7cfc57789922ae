// SPDX-License-Identifier: GPL-2.0-only

// The routes of a speaker: RFC 4271, sections 3.2, 4.3, 5.1, 6.7, 9.1 and 9.2; RFC 1997; RFC 2918;
// RFC 4360, section 6.

#include "bgp-rib-speaker.h"
#include "test/core/core-test.h"

TEST(BgpRib, RoutesAreToldOnce)
{
    RibSpeaker speaker(3);
    speaker.Announce(0, P1);
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_EQ(speaker.Take(1), "");
    EXPECT_EQ(speaker.Take(0), ""); // it has the path from there
    speaker.Withdraw(0, P1);
    EXPECT_EQ(speaker.Take(1), "-1");
    EXPECT_EQ(speaker.Take(2), ""); // it has never been told
    EXPECT_TRUE(speaker.rib.GetPrefixes().empty());
}

TEST(BgpRib, WhatIsGoneBeforeItIsToldIsNothing)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    EXPECT_TRUE(speaker.rib.HasChanges(1));
    speaker.Withdraw(0, P1);
    EXPECT_FALSE(speaker.rib.HasChanges(1));
    EXPECT_EQ(speaker.Take(1), "");
}

TEST(BgpRib, WhatIsAsBeforeWhenItIsToldIsNothing)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    EXPECT_EQ(speaker.Take(1), "+1");
    speaker.Announce(0, P1, speaker.Attributes(0, {7}));
    EXPECT_TRUE(speaker.rib.HasChanges(1));
    speaker.Announce(0, P1);
    EXPECT_FALSE(speaker.rib.HasChanges(1));
    speaker.Withdraw(0, P1);
    speaker.Announce(0, P1);
    EXPECT_EQ(speaker.Take(1), "");
}

TEST(BgpRib, ChangesAreInTheOrderOfTheirFirstOne)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P2);
    speaker.Announce(0, P1);
    speaker.Announce(0, P2, speaker.Attributes(0, {7}));
    EXPECT_EQ(speaker.Take(1), "+2+1");
    // However often routes come and go, the last state is told.
    for (int i = 0; i < 1000; ++i)
    {
        speaker.Withdraw(0, P1);
        speaker.Announce(0, P1);
    }
    speaker.Withdraw(0, P1);
    EXPECT_EQ(speaker.Take(1), "-1");
}

TEST(BgpRib, APrefixThatIsWithdrawnAndAnnouncedIsAnnounced)
{
    // RFC 4271, section 4.3
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    BgpUpdate update;
    update.withdrawn = {P1, P2};
    update.announced = {P1};
    update.attributes = speaker.Attributes(0);
    speaker.rib.Receive(0, GetBgpRouteChanges(update));
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.GetPrefixes(), std::vector<BgpPrefix>{P1});
}

TEST(BgpRib, ASessionThatGoesDownTakesItsRoutes)
{
    RibSpeaker speaker(3);
    speaker.Announce(0, P1);
    speaker.Announce(0, P2);
    speaker.Announce(1, P2);
    EXPECT_EQ(speaker.Take(2), "+1+2");
    speaker.rib.TakeUsedChanges();
    speaker.rib.SetDown(0);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.CountReceived(0), 0U);
    EXPECT_EQ(speaker.rib.TakeUsedChanges(), (std::vector<BgpPrefix>{P1, P2}));
    EXPECT_EQ(speaker.Take(2), "-1+2");
    EXPECT_FALSE(speaker.rib.HasChanges(0));
    speaker.rib.SetUp(0, OWN_AS + 1, 1);
    EXPECT_EQ(speaker.Take(0), "+2");
}

TEST(BgpRib, WhatIsToldIsAsForAnExternalPeer)
{
    RibSpeaker speaker(2);
    BgpPathAttributes attributes = speaker.Attributes(0, {7});
    attributes.multiExitDisc = 5;
    attributes.localPref = 200;
    attributes.communities = {0x00010002};
    attributes.unknown = {{99, {1, 2, 3}}};
    attributes.extendedCommunities.push_back({0x4300000000000001});
    attributes.extendedCommunities.push_back({0x0002fde900000007});
    speaker.Announce(0, P1, attributes);
    speaker.Take(1);
    EXPECT_EQ(speaker.told.asPath.segments[0].numbers,
              (std::vector<uint32_t>{OWN_AS, OWN_AS + 1, 7}));
    EXPECT_EQ(speaker.told.nextHop, 0x0a000003U);
    EXPECT_FALSE(speaker.told.multiExitDisc); // 5.1.4
    EXPECT_FALSE(speaker.told.localPref);     // 5.1.5
    EXPECT_EQ(speaker.told.communities, attributes.communities);
    EXPECT_TRUE(speaker.told.unknown == attributes.unknown);
    // RFC 4360, section 6: without what is not transitive; and 12.5 GB/s in place of 65,504
    EXPECT_EQ(speaker.told.extendedCommunities,
              (std::vector<BgpExtendedCommunity>{{0x0002fde900000007}, {0x01060a0000fe4a40}}));
}

TEST(BgpRib, WellKnownCommunitiesKeepRoutes)
{
    // RFC 1997; peer 2 is internal
    std::vector<BgpRibPeer> peers(3);
    peers[2].as = OWN_AS;
    RibSpeaker speaker(3, peers);
    for (const uint32_t community : {BGP_NO_EXPORT, BGP_NO_EXPORT_SUBCONFED, BGP_NO_ADVERTISE})
    {
        BgpPathAttributes attributes = speaker.Attributes(0);
        attributes.communities = {community};
        speaker.Announce(0, P1, attributes);
        EXPECT_EQ(speaker.Take(1), "");
        EXPECT_EQ(speaker.Take(2), community == BGP_NO_ADVERTISE ? "-1" : "+1");
    }
}

TEST(BgpRib, InternalPeersAreToldWhatIsNotFromOthers)
{
    // RFC 4271, sections 5.1.5 and 9.2.1
    std::vector<BgpRibPeer> peers(3);
    peers[0].as = peers[1].as = OWN_AS;
    RibSpeaker speaker(3, peers);
    BgpPathAttributes attributes = speaker.Attributes(2);
    speaker.Announce(2, P1, attributes);
    EXPECT_EQ(speaker.Take(0), "+1");
    EXPECT_EQ(speaker.told.localPref, 100U);
    EXPECT_EQ(speaker.told.asPath.GetLength(), 1U);
    attributes = speaker.Attributes(0);
    attributes.asPath.segments = {{BgpSegmentType::SEQUENCE, {7}}};
    speaker.Announce(0, P2, attributes);
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_EQ(speaker.Take(2), "+2");
}

TEST(BgpRib, LoopsAreRejectedAndReplaceWhatWasThere)
{
    // RFC 4271, section 9.1.2; section 6.3: the speaker's own address
    RibSpeaker speaker(2);
    BgpPathAttributes own = speaker.Attributes(0);
    own.nextHop = 0x0a000001;
    for (const BgpPathAttributes& rejected : {speaker.Attributes(0, {OWN_AS}), own})
    {
        speaker.Announce(0, P1);
        EXPECT_EQ(speaker.Take(1), "+1");
        speaker.Announce(0, P1, rejected);
        EXPECT_EQ(speaker.Take(1), "-1");
        EXPECT_EQ(speaker.rib.CountReceived(0), 0U);
    }
}

TEST(BgpRib, PoliciesDecideWhatIsTakenAndTold)
{
    BgpPolicy import;
    import.rules.resize(2);
    import.rules[0].prefix = P1;
    import.rules[0].isAccepted = false;
    import.rules[1].prefix = P2;
    import.rules[1].localPref = 200;
    BgpPolicy toPeer;
    toPeer.rules.resize(1);
    toPeer.rules[0].neighborAs = OWN_AS + 1;
    toPeer.rules[0].multiExitDisc = 9;
    toPeer.acceptsOthers = false;
    std::vector<BgpRibPeer> peers(3);
    peers[0].importPolicy = std::make_shared<const BgpPolicy>(import);
    peers[2].exportPolicy = std::make_shared<const BgpPolicy>(toPeer);
    RibSpeaker speaker(3, peers);
    EXPECT_TRUE(speaker.Announce(0, P1));
    EXPECT_TRUE(speaker.rib.GetPrefixes().empty());
    speaker.Announce(1, P2);
    EXPECT_EQ(speaker.Take(2), "");
    speaker.Announce(0, P2, speaker.Attributes(0, {7})); // is longer, but preferred
    EXPECT_EQ(speaker.Take(2), "+2");
    EXPECT_EQ(speaker.told.multiExitDisc, 9U);
    ASSERT_EQ(speaker.rib.GetPaths(P2).size(), 1U);
    EXPECT_EQ(speaker.rib.GetPaths(P2)[0].peer, 0U);
}

TEST(BgpRib, MoreThanTheMaximumIsRefused)
{
    // RFC 4271, section 6.7
    BgpRibPeer peer;
    peer.maxPrefixes = 1;
    RibSpeaker speaker(2, {peer});
    EXPECT_TRUE(speaker.Announce(0, P1));
    EXPECT_TRUE(speaker.Announce(0, P1, speaker.Attributes(0, {7})));
    EXPECT_FALSE(speaker.Announce(0, P2));
    EXPECT_EQ(speaker.rib.CountReceived(0), 1U);
}

TEST(BgpRib, OwnRoutesComeFirst)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.rib.Originate(P1);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.GetPaths(P1), (std::vector<BgpRibPath>{{BGP_NO_PEER, 0, 0}}));
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_EQ(speaker.told.asPath.GetLength(), 1U);
    EXPECT_EQ(speaker.told.extendedCommunities,
              (std::vector<BgpExtendedCommunity>{{0x01060a0000fe7bff}}));
    speaker.rib.Withdraw(P1);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_EQ(speaker.told.asPath.GetLength(), 2U);
}

TEST(BgpRib, AChangeOfAWeightIsToldIfItIsAnotherValue)
{
    RibSpeaker speaker(3);
    speaker.Announce(0, P1);
    speaker.Announce(1, P1);
    EXPECT_EQ(speaker.Take(2), "+1");
    speaker.rib.TakeUsedChanges();
    // 25 GB/s, give or take 1/4096, are the same binary16, but another weight.
    speaker.rib.SetLinkBandwidth(0, 12.501 * GB);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.rib.TakeUsedChanges(), std::vector<BgpPrefix>{P1});
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].weight, 12.501 * GB);
    EXPECT_FALSE(speaker.rib.HasChanges(2));
    speaker.rib.SetLinkBandwidth(0, 25 * GB);
    speaker.rib.Decide();
    EXPECT_EQ(speaker.Take(2), "+1");
    EXPECT_EQ(speaker.told.extendedCommunities[0].GetLocal16(), 0x50b0); // 37.5
    // What is limited elsewhere does not even change the weight.
    BgpPathAttributes limited = speaker.Attributes(0);
    BandwidthChange change;
    change.transitive = 5 * GB;
    ChangeBandwidths(change, {}, limited.extendedCommunities);
    speaker.Announce(0, P1, limited);
    speaker.rib.TakeUsedChanges();
    speaker.Take(2);
    speaker.rib.SetLinkBandwidth(0, 50 * GB);
    speaker.rib.Decide();
    EXPECT_TRUE(speaker.rib.TakeUsedChanges().empty());
    EXPECT_FALSE(speaker.rib.HasChanges(2));
}

TEST(BgpRib, LinkBandwidthsOfExternalPeersAreTakenInEitherForm)
{
    // RFC 10005; 0x4e9502f9 are 10 Gbit/s
    BgpRibSettings settings = RibSpeaker::MakeSettings();
    settings.bandwidthFormat.carrier = BandwidthCarrier::LINK_BANDWIDTH;
    settings.bandwidthFormat.as = OWN_AS;
    RibSpeaker speaker(3, {}, settings);
    const uint64_t communities[] = {0x0004fde94e9502f9, 0x4004fde94e9502f9};
    for (uint32_t peer = 0; peer < 2; ++peer)
    {
        BgpPathAttributes attributes = speaker.Attributes(peer);
        attributes.extendedCommunities = {{communities[peer]}};
        speaker.Announce(peer, P1, attributes);
    }
    ASSERT_EQ(speaker.rib.GetPaths(P1).size(), 2U);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].weight, 1.25 * GB);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[1].weight, 1.25 * GB);
    EXPECT_EQ(speaker.Take(2), "+1");
    EXPECT_EQ(speaker.told.extendedCommunities,
              (std::vector<BgpExtendedCommunity>{{0x0004fde84f1502f9}}));
    // RFC 4360, section 6: no other one that is not transitive is taken from another AS
    BgpPathAttributes attributes = speaker.Attributes(0);
    attributes.extendedCommunities = {{0x4004fde94e9502f9},
                                      {0x4003fde900000001},
                                      {0x41040a0000010001},
                                      {0x4304000000000001}};
    speaker.Announce(0, P2, attributes);
    EXPECT_EQ(speaker.rib.GetBest(P2)->extendedCommunities,
              (std::vector<BgpExtendedCommunity>{{0x4004fde94e9502f9}}));
}

TEST(BgpRib, Rfc6286PeersOfDifferentAssMayHaveTheSameIdentifier)
{
    // Two paths of 5 GB/s over links of 12.5 GB/s; as parallel links to one node, they would have
    // 2.5 GB/s each.
    RibSpeaker speaker(2);
    for (uint32_t peer = 0; peer < 2; ++peer)
    {
        speaker.rib.SetUp(peer, OWN_AS + 1 + peer, 7);
        BgpPathAttributes attributes = speaker.Attributes(peer);
        BandwidthChange change;
        change.transitive = 5 * GB;
        ChangeBandwidths(change, {}, attributes.extendedCommunities);
        speaker.Announce(peer, P1, attributes);
    }
    ASSERT_EQ(speaker.rib.GetPaths(P1).size(), 2U);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].weight, 5 * GB);
    EXPECT_EQ(speaker.rib.GetPaths(P1)[1].weight, 5 * GB);
}

TEST(BgpRib, APeerCanAskForAllAgain)
{
    // RFC 2918
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.Announce(0, P2);
    EXPECT_EQ(speaker.Take(1), "+1+2");
    speaker.rib.Refresh(1);
    speaker.Withdraw(0, P2);
    EXPECT_EQ(speaker.Take(1), "-2+1");
    EXPECT_EQ(speaker.Take(1), "");
}

TEST(BgpRib, PrefixesThatNobodyWasToldAreReportedWhenTheyAreGone)
{
    RibSpeaker speaker(2);
    speaker.Announce(0, P1);
    speaker.Announce(1, P2);
    EXPECT_EQ(speaker.rib.TakeUsedChanges(), (std::vector<BgpPrefix>{P1, P2}));
    speaker.rib.SetDown(0);
    speaker.rib.Decide();
    speaker.Withdraw(1, P2);
    EXPECT_EQ(speaker.rib.TakeUsedChanges(), (std::vector<BgpPrefix>{P1, P2}));
}

TEST(BgpRib, ANextHopThatChangesAloneIsUsedAndNotTold)
{
    RibSpeaker speaker(2);
    BgpPathAttributes attributes = speaker.Attributes(0);
    speaker.Announce(0, P1, attributes);
    speaker.Take(1);
    speaker.rib.TakeUsedChanges();
    attributes.nextHop = 0x0a000064;
    speaker.Announce(0, P1, attributes);
    EXPECT_EQ(speaker.rib.TakeUsedChanges(), std::vector<BgpPrefix>{P1});
    EXPECT_EQ(speaker.rib.GetPaths(P1)[0].nextHop, 0x0a000064U);
    EXPECT_EQ(speaker.Take(1), "");
}

TEST(BgpRib, OnlyPeersThatExchangeThemGetNonTransitiveBandwidths)
{
    // RFC 4360, section 6, but for the bandwidths of the speaker itself
    BgpRibSettings settings = RibSpeaker::MakeSettings();
    settings.tier = PathBandwidthTier::SUPER_SPINE;
    settings.attachesNonTransitive = true;
    std::vector<BgpRibPeer> peers(3);
    peers[0].exchangesNonTransitive = peers[1].exchangesNonTransitive = true;
    RibSpeaker speaker(3, peers, settings);
    BgpPathAttributes attributes = speaker.Attributes(0);
    attributes.extendedCommunities.push_back({0x4300000000000001});
    speaker.Announce(0, P1, attributes);
    const BgpExtendedCommunity transitive{0x0106000000007bff};
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_EQ(speaker.told.extendedCommunities,
              (std::vector<BgpExtendedCommunity>{transitive, {0x41060a0000fe4a40}}));
    EXPECT_EQ(speaker.Take(2), "+1");
    EXPECT_EQ(speaker.told.extendedCommunities, (std::vector<BgpExtendedCommunity>{transitive}));
}

TEST(BgpRib, WhatIsForInternalPeersStaysInTheAs)
{
    // RFC 4456, section 8
    std::vector<BgpRibPeer> peers(2);
    peers[0].as = OWN_AS;
    RibSpeaker speaker(2, peers);
    BgpPathAttributes attributes;
    attributes.nextHop = 1;
    attributes.localPref = 100;
    attributes.originatorId = 7;
    attributes.clusterList = {8};
    speaker.Announce(0, P1, attributes);
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_FALSE(speaker.told.originatorId);
    EXPECT_TRUE(speaker.told.clusterList.empty());
    EXPECT_FALSE(speaker.told.localPref);
}
