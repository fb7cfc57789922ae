// SPDX-License-Identifier: GPL-2.0-only

// UPDATE: RFC 4271, section 4.3; RFC 4760; RFC 6793; RFC 1997, 4360 and 8092.

#include "bgp-messages.h"
#include "bgp-update-equality.h"
#include "model/core/bgp/bgp-update.h"
#include "model/core/fare/path-bandwidth.h"
#include "test/core/core-test.h"

using namespace aidctest::bgp;

constexpr auto SEQUENCE = BgpSegmentType::SEQUENCE;

BgpUpdate
FullUpdate()
{
    BgpUpdate update;
    update.withdrawn = {{0xc0000200, 25}};
    update.announced = {{0x0a010000, 16}, {0x0a020300, 24}};
    BgpPathAttributes& attributes = update.attributes;
    attributes.origin = BgpOrigin::INCOMPLETE;
    attributes.asPath.segments = {{SEQUENCE, {4200000001, 65001}},
                                  {BgpSegmentType::SET, {64512, 64513, 70000}}};
    attributes.nextHop = 0x0a000102;
    attributes.multiExitDisc = 100;
    attributes.isAtomicAggregate = true;
    attributes.aggregator = BgpAggregator{4200000009, 0x0a000009};
    attributes.communities = {BGP_NO_EXPORT};
    attributes.partial = 1 << 8;
    attributes.extendedCommunities = {{0x0002fde900000007}, {0x01060a0000024a40}};
    attributes.largeCommunities = {{1, 2, 3}};
    return update;
}

void
Append(BgpBytes& bytes, const std::vector<BgpPrefix>& prefixes)
{
    for (const BgpPrefix& prefix : prefixes)
    {
        EncodeBgpPrefix(bytes, prefix);
    }
}

/// The body of an UPDATE of any kind. Speakers do not send MP attributes, nor routes of two kinds.
BgpBytes
MakeBody(const BgpUpdate& update, const BgpSessionTerms& session)
{
    BgpBytes withdrawn;
    BgpBytes attributes;
    BgpBytes announced;
    Append(withdrawn, update.withdrawn);
    if (update.mpReach)
    {
        BgpBytes reach;
        Append(reach, update.mpReach->prefixes);
        attributes = {0x80, 14, static_cast<uint8_t>(9 + reach.size()), 0, 1, 1, 4};
        AppendBgp(attributes, update.mpReach->nextHop);
        attributes.push_back(0);
        AppendBgpBytes(attributes, reach);
    }
    if (update.mpUnreach)
    {
        BgpBytes unreach;
        Append(unreach, *update.mpUnreach);
        AppendBgpBytes(attributes, {0x80, 15, static_cast<uint8_t>(3 + unreach.size()), 0, 1, 1});
        AppendBgpBytes(attributes, unreach);
    }
    if (update.Announces())
    {
        EncodeBgpPathAttributes(attributes, update.attributes, session);
    }
    Append(announced, update.announced);
    return MakeUpdateBody(withdrawn, attributes, announced);
}

/// The body of FullUpdate() without its withdrawn route, which has five bytes.
BgpBytes
MakeAnnouncement(BgpBytes body)
{
    body.erase(body.begin() + 2, body.begin() + 7);
    body[1] = 0;
    return body;
}

/// Decode what has to be without errors.
BgpUpdate
DecodeGood(const BgpBytes& message, const BgpSessionTerms& terms = {})
{
    const BgpUpdateResult result = DecodeUpdate(message, terms);
    EXPECT_EQ(result.action, BgpErrorAction::NONE);
    EXPECT_TRUE(result.faults.empty());
    return result.update;
}

TEST(BgpUpdate, ReadsAnExaBgpUpdate)
{
    const BgpUpdate update = DecodeGood(ParseHex(UPDATE_EXABGP));
    BgpUpdate expected;
    expected.announced = {{0xcb007100, 24}};
    expected.attributes.asPath.segments = {{SEQUENCE, {65002}}};
    expected.attributes.nextHop = 0x0a000102;
    expected.attributes.extendedCommunities = {{0x01060a0000024a40}};
    EXPECT_TRUE(IsSame(update, expected));
    EXPECT_EQ(EncodeRoutes(update.attributes, update.announced), ParseHex(UPDATE_EXABGP));
}

TEST(BgpUpdate, ReadsAndWritesAllAttributes)
{
    const BgpUpdate update = DecodeGood(ParseHex(UPDATE_FULL));
    EXPECT_TRUE(IsSame(update, FullUpdate()));
    // Routes are withdrawn and announced by messages of their own.
    EXPECT_EQ(GetBody(EncodeRoutes(update.attributes, update.announced)),
              MakeAnnouncement(GetBody(ParseHex(UPDATE_FULL))));
    const BgpPackedUpdates packed = PackBgpUpdates(update.withdrawn, {}, {});
    ASSERT_EQ(packed.messages.size(), 1U);
    EXPECT_EQ(GetBody(packed.messages[0]), ParseHex("0005 19c0000200 0000"));
}

TEST(BgpUpdate, Rfc6793MergesWhatTwoOctetPeersSend)
{
    const BgpSessionTerms session = MakeSession(false);
    const BgpUpdate update = DecodeGood(ParseHex(UPDATE_TWO_OCTETS), session);
    BgpAsPath path;
    path.segments = {{SEQUENCE, {65001, 4200000001, 64512}}};
    EXPECT_TRUE(update.attributes.asPath == path);
    const BgpAggregator aggregator{4200000001, 0x0a000009};
    EXPECT_TRUE(update.attributes.aggregator == aggregator);
    // The whole path goes out again in both attributes.
    const BgpBytes again = EncodeRoutes(update.attributes, update.announced, session);
    EXPECT_TRUE(IsSame(DecodeGood(again, session), update));
}

TEST(BgpUpdate, Rfc6793IgnoresBothIfTheAggregatorHasNotKeptThem)
{
    BgpBytes message = ParseHex(UPDATE_TWO_OCTETS);
    const BgpBytes aggregator{0xc0, 7, 6};
    const auto place =
        std::search(message.begin(), message.end(), aggregator.begin(), aggregator.end());
    ASSERT_NE(place, message.end());
    place[3] = 0xfd; // 65000 in place of AS_TRANS
    place[4] = 0xe8;
    const BgpUpdate update = DecodeGood(message, MakeSession(false));
    BgpAsPath path;
    path.segments = {{SEQUENCE, {65001, BGP_AS_TRANS, 64512}}};
    EXPECT_TRUE(update.attributes.asPath == path);
    EXPECT_EQ(update.attributes.aggregator->as, 65000U);
}

TEST(BgpUpdate, Rfc6793OfTheTwoAttributesNothingRemains)
{
    // Not even that they were partial: they are made anew for peers that need them.
    const BgpBytes attributes = ParseHex("40010100 4002040201fde9 400304 0a000102 "
                                         "e01106 0201 fa56ea01");
    const BgpBytes body = MakeUpdateBody({}, attributes, {8, 10});
    const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), MakeSession(false));
    EXPECT_EQ(result.action, BgpErrorAction::NONE);
    EXPECT_EQ(result.update.attributes.asPath.GetNeighborAs(), 4200000001U);
    EXPECT_EQ(result.update.attributes.partial, 0U);
    EXPECT_TRUE(result.update.attributes.unknown.empty());
}

TEST(BgpUpdate, Rfc4760ReadsMpReach)
{
    const BgpSessionTerms session = MakeSession(false);
    const BgpUpdate update = DecodeGood(ParseHex(UPDATE_MP_REACH), session);
    ASSERT_TRUE(update.mpReach);
    EXPECT_EQ(update.mpReach->nextHop, 0x0a000102U);
    EXPECT_EQ(update.mpReach->prefixes, (std::vector<BgpPrefix>{{0x0a090000, 16}}));
}

TEST(BgpUpdate, Rfc4760IgnoresNextHopBesideMpReach)
{
    const BgpBytes reach = ParseHex("800e0c 0001 01 04 0a000102 00 10 0a09 40010100 400200");
    BgpBytes both = reach;
    AppendBgpBytes(both, ParseHex("400304 0a000103"));
    const BgpBytes body = MakeUpdateBody({}, both, {});
    const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), {});
    EXPECT_EQ(result.action, BgpErrorAction::NONE);
    EXPECT_EQ(result.update.attributes.nextHop, 0U);
    EXPECT_TRUE(result.update.mpReach && result.update.announced.empty());
}

TEST(BgpUpdate, Rfc4760IgnoresOtherFamilies)
{
    // MP_REACH_NLRI of 2001:db8::/32 and MP_UNREACH_NLRI of IPv6 unicast
    const BgpBytes attributes =
        ParseHex("800e1a 0002 01 10 fe800000000000000000000000000001 00 20 20010db8"
                 "800f03 0002 01 400101 00 400200");
    const BgpBytes body = MakeUpdateBody({}, attributes, {});
    const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), {});
    EXPECT_EQ(result.action, BgpErrorAction::NONE);
    EXPECT_EQ(result.nIgnoredFamilies, 2U);
    EXPECT_FALSE(result.update.Announces());
}

TEST(BgpUpdate, EndOfRibIsAnUpdateThatSaysNothing)
{
    EXPECT_TRUE(IsSame(DecodeGood(ParseHex(END_OF_RIB)), {}));
}

TEST(BgpUpdate, ShortAttributesMayHaveALongLength)
{
    // FRR sends AS_PATH in this way.
    const BgpBytes attributes = ParseHex("40010100 50020006 02010000fde9 4003040a000102");
    const BgpBytes body = MakeUpdateBody({}, attributes, {8, 10});
    const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), {});
    EXPECT_EQ(result.action, BgpErrorAction::NONE);
    EXPECT_EQ(result.update.attributes.asPath.GetNeighborAs(), 65001U);
}

TEST(BgpUpdate, Rfc4271Section5PassesUnknownTransitiveAttributesOnAsPartial)
{
    // Types 99 (optional transitive), 100 (optional), 30 (optional transitive, partial)
    const BgpBytes attributes = ParseHex("40010100 400200 4003040a000102"
                                         "c06302abcd 80640101 e01e00");
    const BgpBytes body = MakeUpdateBody({}, attributes, {8, 10});
    const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), {});
    EXPECT_EQ(result.action, BgpErrorAction::NONE);
    const std::vector<BgpUnknownAttribute> expected{{30, {}}, {99, {0xab, 0xcd}}};
    EXPECT_EQ(result.update.attributes.unknown, expected);
    EXPECT_EQ(
        GetBody(EncodeRoutes(result.update.attributes, result.update.announced)),
        MakeUpdateBody({}, ParseHex("40010100 400200 4003040a000102 e01e00 e06302abcd"), {8, 10}));
}

TEST(BgpUpdate, InternalAttributesGoToInternalPeersOnly)
{
    BgpUpdate update = FullUpdate();
    update.withdrawn.clear();
    update.attributes.localPref = 200;
    update.attributes.originatorId = 1;
    update.attributes.clusterList = {2, 3};
    const BgpSessionTerms internal = MakeSession(true, BgpPeerType::INTERNAL);
    const BgpBytes message = EncodeRoutes(update.attributes, update.announced, internal);
    EXPECT_TRUE(IsSame(DecodeGood(message, internal), update));
    EXPECT_EQ(GetBody(EncodeRoutes(update.attributes, update.announced)),
              MakeAnnouncement(GetBody(ParseHex(UPDATE_FULL))));
}

TEST(BgpUpdate, WhatDoesNotFitIsNotWritten)
{
    BgpPathAttributes attributes = FullUpdate().attributes;
    const std::vector<BgpPrefix> prefixes{{0x0a010000, 16}};
    const std::size_t left = BGP_MAX_MESSAGE_SIZE - EncodeRoutes(attributes, prefixes).size();
    attributes.unknown.push_back({99, BgpBytes(left - 4)}); // 4 bytes: flags, type, length
    EXPECT_EQ(EncodeRoutes(attributes, prefixes).size(), BGP_MAX_MESSAGE_SIZE);
    attributes.unknown.back().value.push_back(0);
    EXPECT_TRUE(EncodeRoutes(attributes, prefixes).empty());
    attributes.communities.assign(20000, 1);
    EXPECT_TRUE(EncodeRoutes(attributes, prefixes).empty());
}

TEST(BgpUpdate, Rfc4271Section43AnAnnouncementWinsOverAWithdrawal)
{
    BgpUpdate update = FullUpdate();
    update.withdrawn = {{0x0a010000, 16}, {0x0a010000, 17}, {0x0a090000, 16}, {0x0b000000, 8}};
    update.mpUnreach = std::vector<BgpPrefix>{{0x0a020300, 24}, {0x0c000000, 8}};
    update.mpReach = BgpMpReach{0x0a000103, {{0x0a090000, 16}, {0x0a020300, 24}}};
    const BgpRouteChanges changes = GetBgpRouteChanges(update);
    EXPECT_EQ(changes.withdrawn,
              (std::vector<BgpPrefix>{{0x0a010000, 17}, {0x0b000000, 8}, {0x0c000000, 8}}));
    ASSERT_EQ(changes.announced.size(), 2U);
    EXPECT_EQ(changes.announced[0].attributes.nextHop, 0x0a000103U);
    EXPECT_EQ(changes.announced[0].prefixes, update.mpReach->prefixes);
    EXPECT_EQ(changes.announced[1].attributes.nextHop, 0x0a000102U);
    EXPECT_EQ(changes.announced[1].prefixes, (std::vector<BgpPrefix>{{0x0a010000, 16}}));
}

TEST(BgpUpdate, Rfc4271Section63ChecksRoutesWhoseBytesAreCorrect)
{
    BgpRouteChanges changes;
    changes.withdrawn = {{0x0a000000, 8}};
    changes.announced.resize(2);
    changes.announced[0].attributes.nextHop = 0x0a000102;
    changes.announced[0].attributes.extendedCommunities = {{0x0004fde900000000}, // 0 bytes a second
                                                           {0x0004fde9ffc00000}}; // no number
    changes.announced[0].prefixes = {{0x7f000000, 8}, {0x0a010000, 16}, {0xe0000000, 4}, {0, 0}};
    changes.announced[1].attributes.nextHop = 0x0a000103;
    changes.announced[1].prefixes = {{0x0a020000, 16}};
    EXPECT_EQ(CountMalformedBandwidths(changes, PATH_BANDWIDTH_SUBTYPE), 1U);
    EXPECT_EQ(RemoveBgpMartians(changes), 2U);
    EXPECT_EQ(changes.announced[0].prefixes, (std::vector<BgpPrefix>{{0x0a010000, 16}, {0, 0}}));
    EXPECT_EQ(WithdrawBgpRoutes(changes, [](uint32_t nextHop) { return nextHop == 0x0a000102; }),
              2U);
    ASSERT_EQ(changes.announced.size(), 1U);
    EXPECT_EQ(changes.announced[0].attributes.nextHop, 0x0a000103U);
    EXPECT_EQ(changes.withdrawn,
              (std::vector<BgpPrefix>{{0x0a000000, 8}, {0x0a010000, 16}, {0, 0}}));
}

TEST(BgpUpdate, PrefixesArePrintedAndLoseTheirLastBits)
{
    std::ostringstream text;
    text << MakeBgpPrefix(0x0a01ffff, 17) << ' ' << MakeBgpPrefix(0xffffffff, 0) << ' '
         << MakeBgpPrefix(0xffffffff, 32);
    EXPECT_EQ(text.str(), "10.1.128.0/17 0.0.0.0/0 255.255.255.255/32");
    const BgpBytes body = MakeUpdateBody({9, 0xff, 0xff}, {}, {});
    EXPECT_EQ(DecodeBgpUpdate(body.data(), body.size(), {}).update.withdrawn,
              (std::vector<BgpPrefix>{{0xff800000, 9}}));
}

TEST(BgpUpdate, HashesSeeEachAttribute)
{
    const BgpPathAttributes full = FullUpdate().attributes;
    std::vector<BgpPathAttributes> others(14, full);
    others[0].origin = BgpOrigin::IGP;
    others[1].asPath.Prepend(1);
    ++others[2].nextHop;
    others[3].multiExitDisc.reset();
    others[4].localPref = 0;
    others[5].isAtomicAggregate = false;
    others[6].aggregator->as = 2;
    others[7].communities.push_back(1);
    others[8].originatorId = 0;
    others[9].clusterList = {1};
    std::swap(others[10].extendedCommunities[0], others[10].extendedCommunities[1]);
    others[11].largeCommunities[0].local2 = 4;
    others[12].unknown.push_back({99, {}});
    others[13].partial = 0;
    EXPECT_EQ(HashBgpPathAttributes(full), HashBgpPathAttributes(FullUpdate().attributes));
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        EXPECT_FALSE(others[i] == full) << i;
        EXPECT_NE(HashBgpPathAttributes(others[i]), HashBgpPathAttributes(full)) << i;
    }
}

RC_GTEST_PROP(BgpUpdate, WhatIsWrittenIsRead, (bool isFourOctetAs))
{
    BgpUpdate update;
    update.withdrawn = DrawList(5, DrawPrefix);
    update.announced = DrawList(5, DrawPrefix);
    if (DrawAny<bool>())
    {
        update.mpReach = BgpMpReach{0x0a000001, DrawList(3, DrawPrefix)};
    }
    if (DrawAny<bool>())
    {
        update.mpUnreach = DrawList(3, DrawPrefix);
    }
    if (update.Announces())
    {
        update.attributes = DrawAttributes();
        update.attributes.nextHop = update.announced.empty() ? 0 : update.attributes.nextHop;
    }
    const BgpSessionTerms session = MakeSession(isFourOctetAs);
    const BgpBytes body = MakeBody(update, session);
    const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), session);
    RC_ASSERT(result.action == BgpErrorAction::NONE);
    RC_ASSERT(IsSame(result.update, update));
}

RC_GTEST_PROP(BgpUpdate, AnyBytesHaveAResult, (const BgpBytes& bytes, bool isFourOctetAs))
{
    const BgpSessionTerms session = MakeSession(isFourOctetAs);
    const BgpUpdateResult result = DecodeBgpUpdate(bytes.data(), bytes.size(), session);
    if (result.action == BgpErrorAction::SESSION_RESET)
    {
        RC_ASSERT(result.notification.code == 3);
        RC_ASSERT(IsSame(result.update, BgpUpdate()));
    }
}
