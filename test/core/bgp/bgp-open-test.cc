// SPDX-License-Identifier: GPL-2.0-only

// OPEN: RFC 4271, sections 4.2 and 6.2; RFC 5492; RFC 6286; RFC 6793; RFC 7607; RFC 9072.

#include "bgp-messages.h"
#include "model/core/bgp/bgp-open.h"
#include "test/core/core-test.h"

using namespace aidctest::bgp;

/// Decode the body of an OPEN in hexadecimal digits.
BgpOpenResult
Decode(const std::string& text)
{
    const BgpBytes body = ParseHex(text);
    return DecodeBgpOpen(body.data(), body.size());
}

/// Decode a whole OPEN that has to be without errors.
BgpOpen
DecodeGood(const BgpBytes& message)
{
    const BgpBytes body = GetBody(message);
    const BgpOpenResult result = DecodeBgpOpen(body.data(), body.size());
    EXPECT_FALSE(result.notification);
    return result.open;
}

TEST(BgpOpen, ReadsAnExaBgpOpen)
{
    const BgpOpen open = DecodeGood(ParseHex(OPEN_EXABGP));
    EXPECT_EQ(open.version, 4U);
    EXPECT_EQ(open.as, 65002U);
    EXPECT_EQ(open.GetAs(), 65002U);
    EXPECT_EQ(open.holdTime, 9U);
    EXPECT_EQ(open.identifier, 0x0a000002U);
    EXPECT_EQ(open.capabilities.families.size(), 1U);
    EXPECT_TRUE(open.capabilities.HasFamily(BGP_IPV4_UNICAST));
    EXPECT_FALSE(open.capabilities.HasFamily({2, 1}));
    EXPECT_EQ(open.capabilities.fourOctetAs, 65002U);
    EXPECT_FALSE(open.capabilities.hasRouteRefresh);
    ASSERT_EQ(open.capabilities.unknown.size(), 1U); // extended messages (RFC 8654)
    EXPECT_EQ(open.capabilities.unknown[0].code, 6U);
}

TEST(BgpOpen, ReadsAllCapabilitiesAndKeepsUnknownOnes)
{
    const BgpOpen open = DecodeGood(ParseHex(OPEN_FULL));
    EXPECT_EQ(open.as, BGP_AS_TRANS);
    EXPECT_EQ(open.GetAs(), 4200000001U);
    EXPECT_TRUE(open.capabilities.hasRouteRefresh);
    ASSERT_TRUE(open.capabilities.gracefulRestart); // 8078 0001 01 80
    EXPECT_TRUE(open.capabilities.gracefulRestart->isRestarting);
    EXPECT_EQ(open.capabilities.gracefulRestart->restartTime, 120U);
    ASSERT_EQ(open.capabilities.unknown.size(), 1U);
    EXPECT_EQ(open.capabilities.unknown[0].code, 73U);
    EXPECT_EQ(open.capabilities.unknown[0].value, (BgpBytes{'l', 'e', 'a', 'f', '1'}));
}

TEST(BgpOpen, WritesWhatItHasRead)
{
    for (const char* text : {OPEN_EXABGP, OPEN_FULL})
    {
        const BgpOpen open = DecodeGood(ParseHex(text));
        EXPECT_TRUE(DecodeGood(EncodeBgpOpen(open)).capabilities == open.capabilities);
    }
    // All capabilities are in one parameter, by their codes.
    EXPECT_EQ(GetBody(EncodeBgpOpen(MakeBgpOpen(65002, 9, 0x0a000002))),
              ParseHex("04 fdea 0009 0a000002 10 020e 0104 0001 00 01 0200 4104 0000fdea"));
    EXPECT_EQ(MakeBgpOpen(4200000001, 9, 1).as, BGP_AS_TRANS);
}

TEST(BgpOpen, Rfc4760Section8WithoutFamiliesItIsIpv4Unicast)
{
    EXPECT_TRUE(BgpCapabilities().HasFamily(BGP_IPV4_UNICAST));
    EXPECT_FALSE(BgpCapabilities().HasFamily({1, 2}));
}

/// What is wrong with an OPEN, and what is sent: code 2, the subcode, and data.
TEST(BgpOpen, Rfc4271Section62Errors)
{
    const std::string four = "04 fdea 0009 0a000002 ";

    const struct
    {
        const char* name;
        std::string body;
        BgpNotification expected;
    } cases[] = {
        {"version 3", "03 fdea 0009 0a000002 00", {BgpOpenError::UNSUPPORTED_VERSION, {0, 4}}},
        {"version 5", "05 fdea 0009 0a000002 ff", {BgpOpenError::UNSUPPORTED_VERSION, {0, 4}}},
        {"AS 0 (RFC 7607)", "04 0000 0009 0a000002 00", BgpOpenError::BAD_PEER_AS},
        {"AS 0 in four octets (RFC 7607)",
         "04 5ba0 0009 0a000002 08 0206 4104 00000000",
         BgpOpenError::BAD_PEER_AS},
        {"two ASs", four + "08 0206 4104 0000fdeb", BgpOpenError::BAD_PEER_AS},
        {"hold time 1", "04 fdea 0001 0a000002 00", BgpOpenError::UNACCEPTABLE_HOLD_TIME},
        {"hold time 2", "04 fdea 0002 0a000002 00", BgpOpenError::UNACCEPTABLE_HOLD_TIME},
        {"identifier 0 (RFC 6286)", "04 fdea 0009 00000000 00", BgpOpenError::BAD_IDENTIFIER},
        {"authentication (RFC 4271, 4.2)",
         four + "03 0101 00",
         BgpOpenError::UNSUPPORTED_OPTIONAL_PARAMETER},
        {"unknown parameter", four + "02 0900", BgpOpenError::UNSUPPORTED_OPTIONAL_PARAMETER},
        {"parameters cut off", four + "04 0206", BgpOpenError::UNSPECIFIC},
        {"bytes behind", four + "00 0206", BgpOpenError::UNSPECIFIC},
        {"parameter overruns", four + "02 0204", BgpOpenError::UNSPECIFIC},
        {"parameter without length", four + "01 02", BgpOpenError::UNSPECIFIC},
        {"capability overruns", four + "04 0202 4104", BgpOpenError::UNSPECIFIC},
        {"capability without length", four + "03 0201 41", BgpOpenError::UNSPECIFIC},
        {"multiprotocol too short", four + "05 0203 0101 00", BgpOpenError::UNSPECIFIC},
        {"multiprotocol too long", four + "09 0207 0105 0001000101", BgpOpenError::UNSPECIFIC},
        {"four-octet AS of two", four + "06 0204 4102 fdea", BgpOpenError::UNSPECIFIC},
        {"route refresh with a value", four + "05 0203 0201 00", BgpOpenError::UNSPECIFIC},
        {"too short", "04 fdea 0009 0a0000", BgpOpenError::UNSPECIFIC},
        {"nothing", "", BgpOpenError::UNSPECIFIC},
    };

    for (const auto& row : cases)
    {
        SCOPED_TRACE(row.name);
        const auto notification = Decode(row.body).notification;
        ASSERT_TRUE(notification);
        EXPECT_TRUE(*notification == row.expected);
    }
    for (const char* time : {"0000", "0003", "ffff"})
    {
        EXPECT_FALSE(Decode(std::string("04 fdea ") + time + " 0a000002 00").notification);
    }
}

TEST(BgpOpen, Rfc4271Section62TheConfigurationDecides)
{
    const BgpOpen own = MakeBgpOpen(65001, 9, 0x0a000001);
    const BgpOpen peer = MakeBgpOpen(65002, 9, 0x0a000002);
    EXPECT_FALSE(CheckBgpOpen(peer, own, 65002));
    EXPECT_FALSE(CheckBgpOpen(peer, own, 0));
    EXPECT_TRUE(CheckBgpOpen(peer, own, 65003) == BgpNotification(BgpOpenError::BAD_PEER_AS));
    // An identifier has to be unique in an AS only (RFC 6286, section 2.1).
    EXPECT_FALSE(CheckBgpOpen(MakeBgpOpen(65002, 9, 0x0a000001), own, 65002));
    EXPECT_TRUE(CheckBgpOpen(MakeBgpOpen(65001, 9, 0x0a000001), own, 65001) ==
                BgpNotification(BgpOpenError::BAD_IDENTIFIER));
    BgpOpen other = peer;
    other.capabilities.families = {{2, 1}};
    EXPECT_TRUE(CheckBgpOpen(other, own, 65002) ==
                BgpNotification(BgpOpenError::UNSUPPORTED_CAPABILITY, {1, 4, 0, 1, 0, 1}));
}

TEST(BgpOpen, BothSidesHaveToKnowWhatTheyUse)
{
    const BgpOpen own = MakeBgpOpen(65001, 9, 0x0a000001);
    BgpOpen peer = MakeBgpOpen(4200000001, 9, 0x0a000002);
    BgpSessionTerms terms = NegotiateBgpSession(own, peer);
    EXPECT_EQ(terms.peerType, BgpPeerType::EXTERNAL);
    EXPECT_EQ(terms.firstAs, 4200000001U);
    EXPECT_TRUE(terms.isFourOctetAs);
    peer = MakeBgpOpen(65001, 9, 0x0a000002);
    peer.capabilities.fourOctetAs.reset();
    terms = NegotiateBgpSession(own, peer);
    EXPECT_EQ(terms.peerType, BgpPeerType::INTERNAL);
    EXPECT_EQ(terms.firstAs, 0U);
    EXPECT_FALSE(terms.isFourOctetAs);
}

TEST(BgpOpen, Rfc9072ManyCapabilitiesHaveALongLength)
{
    BgpOpen open = MakeBgpOpen(65001, 9, 0x0a000001);
    open.capabilities.unknown = {{200, BgpBytes(237)}}; // 14 bytes and 239: 253 in all
    BgpBytes message = EncodeBgpOpen(open);
    EXPECT_EQ(BgpBytes(message.begin() + 28, message.begin() + 31), ParseHex("ff 02 fd"));
    EXPECT_TRUE(DecodeGood(message).capabilities == open.capabilities);
    open.capabilities.unknown[0].value.resize(238);
    message = EncodeBgpOpen(open);
    EXPECT_EQ(BgpBytes(message.begin() + 28, message.begin() + 35), ParseHex("ff ff 0101 02 00fe"));
    EXPECT_TRUE(DecodeGood(message).capabilities == open.capabilities);
    // The first length may be any but 0.
    message[28] = 1;
    EXPECT_TRUE(DecodeGood(message).capabilities == open.capabilities);
    open.capabilities.unknown.assign(20, {200, BgpBytes(255)});
    EXPECT_TRUE(EncodeBgpOpen(open).empty());
    for (const char* text : {"ff ff", "ff ff 00", "ff ff 0004 020001", "ff ff 0002 0200"})
    {
        EXPECT_TRUE(Decode(std::string("04 fdea 0009 0a000002 ") + text).notification ==
                    BgpNotification(BgpOpenError::UNSPECIFIC))
            << text;
    }
}

RC_GTEST_PROP(BgpOpen, WhatIsWrittenIsRead, ())
{
    BgpOpen open = MakeBgpOpen(DrawAs(), 9, 1);
    BgpCapabilities& capabilities = open.capabilities;
    capabilities.families = {BGP_IPV4_UNICAST, {2, 1}};
    capabilities.hasRouteRefresh = DrawAny<bool>();
    capabilities.unknown = DrawList(5, [] {
        BgpBytes value = *rc::gen::arbitrary<BgpBytes>();
        value.resize(std::min<std::size_t>(value.size(), 255));
        return BgpUnknownCapability{DrawInRange<uint8_t>(100, 255), value};
    });
    open.holdTime = DrawInRange<uint16_t>(3, 65535);
    open.identifier = DrawInRange<uint32_t>(1, 4294967295U);
    const BgpOpen again = DecodeGood(EncodeBgpOpen(open));
    RC_ASSERT(again.capabilities == open.capabilities);
    RC_ASSERT(again.as == open.as);
    RC_ASSERT(again.holdTime == open.holdTime);
    RC_ASSERT(again.identifier == open.identifier);
}
