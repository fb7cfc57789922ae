// SPDX-License-Identifier: GPL-2.0-only

// Rules of what is taken from a peer and sent to it, and attributes that are in memory once.

#include "bgp-rib-speaker.h"
#include "model/core/bgp/bgp-path-attributes.h"
#include "test/core/core-test.h"

#include "ns3/bgp-policy.h"

/// 10.a.b.0 with a length.
BgpPrefix
Prefix(uint32_t a, uint32_t b, uint8_t length)
{
    return {10U << 24 | a << 16 | b << 8, length};
}

/// Attributes with a path of ASs.
BgpPathAttributes
Path(const std::vector<uint32_t>& ases)
{
    BgpPathAttributes attributes;
    if (!ases.empty())
    {
        attributes.asPath.segments.push_back({BgpSegmentType::SEQUENCE, ases});
    }
    return attributes;
}

BgpPolicyRule
PrefixRule(const BgpPrefix& prefix)
{
    BgpPolicyRule rule;
    rule.prefix = prefix;
    return rule;
}

/// Whether a policy of a rule alone takes a route.
bool
Matches(const BgpPolicyRule& rule, const BgpPrefix& prefix, const BgpPathAttributes& attributes)
{
    const BgpPolicy policy{{rule}, false};
    return AskBgpPolicy(&policy, prefix, attributes).isAccepted;
}

TEST(BgpPolicy, APrefixIsMatchedByItsLengths)
{
    const BgpPathAttributes none;
    BgpPolicyRule rule = PrefixRule(Prefix(1, 0, 16));
    const auto matches = [&](const BgpPrefix& prefix) { return Matches(rule, prefix, none); };
    EXPECT_TRUE(matches(Prefix(1, 0, 16)));
    EXPECT_FALSE(matches(Prefix(1, 2, 24)));
    EXPECT_FALSE(matches(Prefix(2, 0, 16)));
    rule.ge = 24;
    EXPECT_FALSE(matches(Prefix(1, 0, 16)));
    EXPECT_FALSE(matches(Prefix(1, 0, 23)));
    EXPECT_TRUE(matches(Prefix(1, 2, 24)));
    EXPECT_TRUE(matches(Prefix(1, 2, 32)));
    EXPECT_FALSE(matches(Prefix(2, 2, 24)));
    rule.le = 24;
    EXPECT_TRUE(matches(Prefix(1, 2, 24)));
    EXPECT_FALSE(matches(Prefix(1, 2, 25)));
    rule.ge.reset();
    EXPECT_TRUE(matches(Prefix(1, 0, 16)));
    EXPECT_TRUE(matches(Prefix(1, 2, 24)));
    EXPECT_FALSE(matches(Prefix(0, 0, 15)));
    rule = PrefixRule({0, 0});
    rule.le = 32;
    EXPECT_TRUE(matches({0xffffffff, 32}));
}

TEST(BgpPolicy, AllConditionsOfARuleHaveToHold)
{
    BgpPolicyRule rule = PrefixRule(Prefix(1, 0, 16));
    rule.asInPath = 3;
    rule.neighborAs = 1;
    EXPECT_TRUE(Matches(rule, Prefix(1, 0, 16), Path({1, 2, 3})));
    EXPECT_FALSE(Matches(rule, Prefix(1, 0, 16), Path({2, 1, 3})));
    EXPECT_FALSE(Matches(rule, Prefix(1, 0, 16), Path({1, 2})));
    EXPECT_FALSE(Matches(rule, Prefix(2, 0, 16), Path({1, 2, 3})));
    EXPECT_TRUE(Matches({}, Prefix(2, 0, 16), Path({})));
}

TEST(BgpPolicy, TheFirstRuleDecides)
{
    BgpPolicy policy;
    policy.rules.resize(3);
    policy.rules[0].asInPath = 7;
    policy.rules[0].isAccepted = false;
    policy.rules[1].neighborAs = 1;
    policy.rules[1].localPref = 200;
    policy.rules[1].multiExitDisc = 5;
    policy.rules[2].localPref = 50;
    const BgpPrefix prefix = Prefix(1, 0, 24);
    EXPECT_FALSE(AskBgpPolicy(&policy, prefix, Path({1, 7})).isAccepted);
    const BgpPolicyResult second = AskBgpPolicy(&policy, prefix, Path({1, 2}));
    EXPECT_TRUE(second.isAccepted);
    EXPECT_EQ(second.localPref, 200U);
    EXPECT_EQ(second.multiExitDisc, 5U);
    EXPECT_EQ(AskBgpPolicy(&policy, prefix, Path({2})).localPref, 50U);
    policy.rules.pop_back();
    EXPECT_TRUE(AskBgpPolicy(&policy, prefix, Path({2})).isAccepted);
    policy.acceptsOthers = false;
    EXPECT_FALSE(AskBgpPolicy(&policy, prefix, Path({2})).isAccepted);
    EXPECT_TRUE(AskBgpPolicy(nullptr, prefix, Path({2})).isAccepted);
}

TEST(BgpPolicy, Rfc1997CommunitiesAreMatchedRemovedAndAdded)
{
    BgpPathAttributes attributes = Path({1});
    attributes.communities = {3, 1, 2};
    BgpPolicyRule rule;
    rule.communities = {1, 3};
    EXPECT_TRUE(Matches(rule, Prefix(1, 0, 24), attributes));
    rule.communities = {1, 4};
    EXPECT_FALSE(Matches(rule, Prefix(1, 0, 24), attributes));
    rule.removed = {1, 5};
    rule.added = {2, 9, 1};
    ChangeBgpCommunities(rule, attributes.communities);
    EXPECT_EQ(attributes.communities, (std::vector<uint32_t>{3, 2, 9, 1}));
}

TEST(BgpPolicy, TheRuleThatHasDecidedIsNamed)
{
    BgpPolicy policy;
    policy.rules.resize(2);
    policy.rules[0].neighborAs = 1;
    policy.rules[1].neighborAs = 2;
    const BgpPrefix prefix = Prefix(1, 0, 24);
    EXPECT_EQ(AskBgpPolicy(&policy, prefix, Path({2})).rule, &policy.rules[1]);
    EXPECT_EQ(AskBgpPolicy(&policy, prefix, Path({3})).rule, nullptr);
}

/// Rules that make a prefix of two the last choice: it gets a community and a longer path.
std::shared_ptr<const BgpPolicy>
MakeDrain()
{
    BgpPolicy policy;
    policy.rules.resize(1);
    policy.rules[0].prefix = aidctest::P1;
    policy.rules[0].removed = {0x00010001};
    policy.rules[0].added = {0x00010007};
    policy.rules[0].nPrepended = 2;
    return std::make_shared<const BgpPolicy>(policy);
}

TEST(BgpPolicy, Rfc4271Section512ThePathToAnExternalPeerIsPrepended)
{
    std::vector<BgpRibPeer> peers(2);
    peers[1].exportPolicy = MakeDrain();
    aidctest::RibSpeaker speaker(2, peers);
    BgpPathAttributes attributes = speaker.Attributes(0, {7});
    attributes.communities = {0x00010001, 0x00010002};
    speaker.Announce(0, aidctest::P1, attributes);
    EXPECT_EQ(speaker.Take(1), "+1");
    EXPECT_EQ(speaker.told.asPath.GetLength(), 5U); // the own AS three times, then 65001 and 7
    EXPECT_EQ(speaker.told.asPath.GetNeighborAs(), aidctest::OWN_AS);
    EXPECT_EQ(speaker.told.communities, (std::vector<uint32_t>{0x00010002, 0x00010007}));
    speaker.Announce(0, aidctest::P2, attributes); // another prefix is told as ever
    EXPECT_EQ(speaker.Take(1), "+2");
    EXPECT_EQ(speaker.told.asPath.GetLength(), 3U);
    EXPECT_EQ(speaker.told.communities, attributes.communities);
}

TEST(BgpPolicy, ThePathFromAPeerIsPrependedByThePeersAs)
{
    std::vector<BgpRibPeer> peers(2);
    peers[0].importPolicy = MakeDrain();
    aidctest::RibSpeaker speaker(3, peers);
    // of one announcement, each prefix has its rule
    BgpUpdate update;
    update.announced = {aidctest::P1, aidctest::P2};
    update.attributes = speaker.Attributes(0);
    speaker.rib.Receive(0, GetBgpRouteChanges(update));
    speaker.Announce(1, aidctest::P1, speaker.Attributes(1, {7}));
    EXPECT_EQ(speaker.rib.GetPaths(aidctest::P1)[0].peer, 1U); // 2 ASs, in place of 3
    EXPECT_EQ(speaker.rib.GetBest(aidctest::P2)->asPath.GetLength(), 1U);
    speaker.Withdraw(1, aidctest::P1);
    EXPECT_EQ(speaker.rib.GetBest(aidctest::P1)->asPath.GetLength(), 3U);
    EXPECT_EQ(speaker.Take(2), "+1+2"); // which is no loop to the next one
}

TEST(BgpPolicy, LengthsAreChecked)
{
    const auto check = [](const BgpPolicyRule& rule) {
        return CatchMessage([&rule] { CheckBgpPolicy({{{}, rule}, true}); });
    };
    const std::string order = "rule 2 of a BGP policy: expected length <= ge <= le <= 32 and no "
                              "bits beyond the length, found 10.1.0.0/16 ge ";
    BgpPolicyRule rule = PrefixRule(Prefix(1, 0, 16));
    EXPECT_EQ(check(rule), "");
    rule.ge = 15;
    EXPECT_EQ(check(rule), order + "15 le 32");
    rule.ge = 20;
    rule.le = 19;
    EXPECT_EQ(check(rule), order + "20 le 19");
    rule.ge.reset();
    rule.le = 33;
    EXPECT_EQ(check(rule), order + "16 le 33");
    rule.le = 24;
    EXPECT_EQ(check(rule), "");
    rule.prefix->network |= 1;
    EXPECT_NE(check(rule), "");
    rule.prefix.reset();
    EXPECT_EQ(check(rule), "rule 2 of a BGP policy: expected ge and le with a prefix only");
}

TEST(BgpAttributePool, EqualAttributesAreOneObject)
{
    BgpAttributePool pool;
    const BgpSharedAttributes a = pool.Intern(Path({1, 2}));
    EXPECT_EQ(pool.Intern(Path({1, 2})), a);
    EXPECT_NE(pool.Intern(Path({1, 3})), a);
    EXPECT_EQ(*a, Path({1, 2}));
}

TEST(BgpAttributePool, WhatNobodyHasIsGivenBack)
{
    BgpAttributePool pool;
    std::vector<BgpSharedAttributes> kept;
    for (uint32_t i = 0; i < 100000; ++i)
    {
        const BgpSharedAttributes attributes = pool.Intern(Path({i}));
        if (i % 1000 == 0)
        {
            kept.push_back(attributes);
        }
        ASSERT_LE(pool.GetSize(), 64 + 2 * kept.size());
    }
    pool.Sweep();
    EXPECT_EQ(pool.GetSize(), 100U);
    EXPECT_EQ(pool.Intern(Path({5000})), kept[5]);
}
