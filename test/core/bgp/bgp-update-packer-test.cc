// SPDX-License-Identifier: GPL-2.0-only

// Many routes in few UPDATEs: RFC 4271, section 4.3; RFC 7606, section 5.1.

#include "bgp-messages.h"
#include "test/core/core-test.h"

using namespace aidctest::bgp;

/// Attributes with a path of one AS: ORIGIN, AS_PATH and NEXT_HOP.
BgpSharedAttributes
Attributes(uint32_t as)
{
    BgpPathAttributes attributes;
    attributes.asPath.Prepend(as);
    attributes.nextHop = 0x0a000001;
    return std::make_shared<const BgpPathAttributes>(attributes);
}

/// Prefixes of 24 bits, which take four bytes each.
std::vector<BgpPrefix>
Prefixes(uint32_t n)
{
    std::vector<BgpPrefix> prefixes;
    for (uint32_t i = 0; i < n; ++i)
    {
        prefixes.push_back({0x0a000000 + (i << 8), 24});
    }
    return prefixes;
}

TEST(BgpUpdatePacker, MessagesAreAsFullAsTheyCanBe)
{
    // 23 bytes are fixed; ORIGIN has 4, AS_PATH 9, NEXT_HOP 7: (4096 - 43) / 4 = 1013 routes, and
    // (4096 - 23) / 4 = 1018 that are withdrawn.
    const BgpPackedUpdates packed =
        PackBgpUpdates(Prefixes(1018), Routes(*Attributes(1), Prefixes(1013)), {});
    ASSERT_EQ(packed.messages.size(), 2U);
    EXPECT_EQ(packed.messages[0].size(), 23U + 4 * 1018);
    EXPECT_EQ(packed.messages[1].size(), 43U + 4 * 1013);
    EXPECT_EQ(
        PackBgpUpdates(Prefixes(1019), Routes(*Attributes(1), Prefixes(1014)), {}).messages.size(),
        4U);
}

TEST(BgpUpdatePacker, RoutesOfEqualAttributesAreTogether)
{
    // Equal ones of three objects, and others in between
    std::vector<BgpOutgoingRoute> routes;
    const BgpSharedAttributes attributes[] = {Attributes(1), Attributes(2), Attributes(1)};
    for (uint32_t i = 0; i < 9; ++i)
    {
        routes.push_back({{i << 24, 8}, attributes[i % 3]});
    }
    const BgpPackedUpdates packed = PackBgpUpdates({{0x0a000000, 8}}, routes, {});
    ASSERT_EQ(packed.messages.size(), 3U);
    EXPECT_EQ(DecodeUpdate(packed.messages[0]).update.withdrawn.size(), 1U);
    const BgpUpdate first = DecodeUpdate(packed.messages[1]).update;
    EXPECT_TRUE(first.attributes == *attributes[0]);
    EXPECT_EQ(first.announced.size(), 6U);
    const BgpUpdate second = DecodeUpdate(packed.messages[2]).update;
    EXPECT_TRUE(second.attributes == *attributes[1]);
    EXPECT_EQ(second.announced.size(), 3U);
}

TEST(BgpUpdatePacker, RoutesThatFitInNoMessageAreToldApart)
{
    // 4 bytes of a message remain: enough for 24 bits, not for 25.
    BgpPathAttributes attributes = *Attributes(1);
    attributes.unknown.push_back({99, BgpBytes(4096 - 43 - 4 - 4)});
    const BgpPackedUpdates packed =
        PackBgpUpdates({},
                       Routes(attributes, {{0x0a000000, 25}, {0x0a000000, 24}, {0x0b000000, 32}}),
                       {});
    ASSERT_EQ(packed.messages.size(), 1U);
    EXPECT_EQ(packed.messages[0].size(), 4096U);
    EXPECT_EQ(packed.unsendable, (std::vector<BgpPrefix>{{0x0a000000, 25}, {0x0b000000, 32}}));
}

TEST(BgpUpdatePacker, NothingTakesNoMessage)
{
    EXPECT_TRUE(PackBgpUpdates({}, {}, {}).messages.empty());
}

RC_GTEST_PROP(BgpUpdatePacker, AllRoutesArriveOnce, (bool isFourOctetAs))
{
    const BgpSessionTerms session = MakeSession(isFourOctetAs);
    std::vector<BgpSharedAttributes> sets;
    for (int i = 0; i < 3; ++i)
    {
        sets.push_back(std::make_shared<const BgpPathAttributes>(DrawAttributes()));
    }
    std::map<BgpPrefix, BgpSharedAttributes> expected;
    std::set<BgpPrefix> withdrawn;
    const auto nRoutes = DrawInRange<uint32_t>(0, 6000);
    for (uint32_t i = 0; i < nRoutes; ++i)
    {
        const BgpPrefix prefix = MakeBgpPrefix(i * 2654435761U, static_cast<uint8_t>(1 + i % 32));
        (i % 5 == 0 ? void(withdrawn.insert(prefix)) : void(expected[prefix] = sets[i % 3]));
    }
    std::vector<BgpOutgoingRoute> routes;
    for (const auto& [prefix, attributes] : expected)
    {
        withdrawn.erase(prefix);
        routes.push_back({prefix, attributes});
    }
    const BgpPackedUpdates packed =
        PackBgpUpdates({withdrawn.begin(), withdrawn.end()}, routes, session);
    for (const BgpPrefix& prefix : packed.unsendable)
    {
        RC_ASSERT(expected.erase(prefix) == 1);
    }
    for (const BgpBytes& message : packed.messages)
    {
        RC_ASSERT(message.size() <= BGP_MAX_MESSAGE_SIZE);
        const BgpUpdateResult result = DecodeUpdate(message, session);
        RC_ASSERT(result.action == BgpErrorAction::NONE);
        RC_ASSERT(result.update.withdrawn.empty() != result.update.announced.empty());
        for (const BgpPrefix& prefix : result.update.withdrawn)
        {
            RC_ASSERT(withdrawn.erase(prefix) == 1);
        }
        for (const BgpPrefix& prefix : result.update.announced)
        {
            RC_ASSERT(*expected.at(prefix) == result.update.attributes);
            expected.erase(prefix);
        }
    }
    RC_ASSERT(withdrawn.empty());
    RC_ASSERT(expected.empty());
}
