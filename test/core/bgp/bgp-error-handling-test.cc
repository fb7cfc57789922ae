/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// UPDATEs with errors: RFC 7606, each test named after a section; RFC 4271, section 6.3; RFC 5065,
// 6793, 7607 and 8092. Expected actions are those of the RFCs' texts.

#include "bgp-messages.h"

#include "ns3/bgp-error-handling.h"
#include "ns3/bgp-update-codec.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace aidctest::bgp;

namespace
{

constexpr auto NONE = BgpErrorAction::NONE;
constexpr auto DISCARD = BgpErrorAction::ATTRIBUTE_DISCARD;
constexpr auto WITHDRAW = BgpErrorAction::TREAT_AS_WITHDRAW;
constexpr auto RESET = BgpErrorAction::SESSION_RESET;

// Attributes without errors, of AS 65001 in four octets
const std::string ORIGIN = "40010100 ";
const std::string AS_PATH = "4002060201 0000fde9 ";
const std::string NEXT_HOP = "400304 0a000102 ";
const std::string MANDATORY = ORIGIN + AS_PATH + NEXT_HOP;
const std::string LOCAL_PREF = "400504 00000064 ";
const std::string MP_REACH = "800e0c 0001 01 04 0a000102 00 10 0a09 "; // 10.9.0.0/16
const std::string MP_UNREACH = "800f06 0001 01 10 0a08 ";              // 10.8.0.0/16

const std::string ROUTE = "080a"; // 10.0.0.0/8

/// Decode an UPDATE of attributes and announced routes, in hexadecimal digits.
BgpUpdateResult
Decode(const std::string& attributes,
       const std::string& announced = ROUTE,
       const BgpSessionOptions& session = {})
{
    const BgpBytes body = MakeUpdateBody({}, ParseHex(attributes), ParseHex(announced));
    return DecodeBgpUpdate(body.data(), body.size(), session);
}

/// A value of an attribute, and what becomes of it.
struct Case
{
    std::string attributes; //!< all of them
    BgpErrorAction action;  //!< what is done
};

/// Check that each case has its action, a single fault of its type, and the routes it leaves.
void
Check(const std::vector<Case>& cases, uint8_t type, const BgpSessionOptions& session = {})
{
    for (const Case& row : cases)
    {
        SCOPED_TRACE(row.attributes);
        const BgpUpdateResult result = Decode(row.attributes, ROUTE, session);
        EXPECT_EQ(result.action, row.action);
        ASSERT_EQ(result.faults.size(), row.action == NONE ? 0U : 1U);
        if (row.action != NONE)
        {
            EXPECT_EQ(result.faults[0].type, type);
            EXPECT_EQ(result.faults[0].action, row.action);
        }
        const std::vector<BgpPrefix> route{{0x0a000000, 8}};
        const bool isKept = row.action == NONE || row.action == DISCARD;
        EXPECT_EQ(result.update.announced == route, isKept);
        EXPECT_EQ(result.update.withdrawn == route, row.action == WITHDRAW);
    }
}

/// A session with an internal peer.
BgpSessionOptions
Internal()
{
    return MakeSession(true, BgpPeerType::INTERNAL);
}

TEST(BgpErrorHandling, Rfc7606Section2TreatAsWithdrawWithdrawsAllRoutes)
{
    const BgpUpdateResult result = Decode(MP_REACH + MP_UNREACH + "40010103 " + AS_PATH + NEXT_HOP);
    EXPECT_EQ(result.action, WITHDRAW);
    EXPECT_FALSE(result.update.Announces());
    const BgpRouteChanges changes = GetBgpRouteChanges(result.update);
    EXPECT_EQ(changes.withdrawn,
              (std::vector<BgpPrefix>{{0x0a000000, 8}, {0x0a090000, 16}, {0x0a080000, 16}}));
    EXPECT_TRUE(changes.announced.empty());
}

TEST(BgpErrorHandling, Rfc7606Section3aLengthsThatDoNotFitTheMessage)
{
    // The lengths of withdrawn routes and of attributes are too large by one, or cut off.
    for (const char* text : {"0001 0000", "0000 0001", "0003 100a 0000", "0000 0005 40010100", ""})
    {
        SCOPED_TRACE(text);
        const BgpBytes body = ParseHex(text);
        const BgpUpdateResult result = DecodeBgpUpdate(body.data(), body.size(), {});
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification ==
                    BgpNotification(BgpUpdateError::MALFORMED_ATTRIBUTE_LIST));
    }
}

TEST(BgpErrorHandling, Rfc7606Section3cFlagsThatAreInConflict)
{
    // Optional and transitive bits of each type; a partial bit and the low four are no error.
    const std::string rest = AS_PATH + NEXT_HOP;
    Check({{"c0010100" + rest, WITHDRAW},
           {"80010100" + rest, WITHDRAW},
           {"00010100" + rest, WITHDRAW},
           {"60010100" + rest, NONE},
           {"4f010100" + rest, NONE}},
          1);
    Check({{ORIGIN + NEXT_HOP + "c002060201 0000fde9", WITHDRAW}}, 2);
    Check({{ORIGIN + AS_PATH + "c003040a000102", WITHDRAW}}, 3);
    Check({{MANDATORY + "c00404 00000001", WITHDRAW}, {MANDATORY + "400404 00000001", WITHDRAW}},
          4);
    Check({{MANDATORY + "c00600", WITHDRAW}}, 6);
    Check({{MANDATORY + "400708 0000fde9 0a000001", WITHDRAW}}, 7);
    Check({{MANDATORY + "80080400000001", WITHDRAW}}, 8);
    Check({{MANDATORY + "801008 0002fde900000001", WITHDRAW}}, 16);
    Check({{MANDATORY + "80200c 000000010000000200000003", WITHDRAW}}, 32);
    Check({{MANDATORY + LOCAL_PREF + "c00904 00000001", WITHDRAW}}, 9, Internal());
    // Those of MP_REACH_NLRI and MP_UNREACH_NLRI, whose routes are withdrawn
    const std::string reach = "c0" + MP_REACH.substr(2);
    EXPECT_EQ(Decode(reach + ORIGIN + AS_PATH, "").action, WITHDRAW);
    EXPECT_EQ(Decode(reach + ORIGIN + AS_PATH, "").update.withdrawn,
              (std::vector<BgpPrefix>{{0x0a090000, 16}}));
    EXPECT_EQ(Decode("c0" + MP_UNREACH.substr(2), "").action, WITHDRAW);
    EXPECT_TRUE(Decode("c0" + MP_UNREACH.substr(2), "").update.mpUnreach);
}

TEST(BgpErrorHandling, Rfc7606Section3dMissingMandatoryAttributes)
{
    Check({{AS_PATH + NEXT_HOP, WITHDRAW}}, 1);
    Check({{ORIGIN + NEXT_HOP, WITHDRAW}}, 2);
    Check({{ORIGIN + AS_PATH, WITHDRAW}}, 3);
    Check({{MANDATORY, WITHDRAW}}, 5, Internal());
    Check({{MANDATORY + LOCAL_PREF, NONE}}, 5, Internal());
    // All of them, and none: without announced routes nothing is missing.
    EXPECT_EQ(Decode("").faults.size(), 3U);
    EXPECT_EQ(Decode("", "").action, NONE);
    EXPECT_EQ(Decode(ORIGIN, "").action, NONE);
    // MP_REACH_NLRI has its own next hop (RFC 4760, section 3).
    EXPECT_EQ(Decode(MP_REACH + ORIGIN + AS_PATH, "").action, NONE);
    EXPECT_EQ(Decode(MP_REACH + ORIGIN + AS_PATH).action, WITHDRAW);
    EXPECT_EQ(Decode(MP_REACH + ORIGIN, "").action, WITHDRAW);
}

TEST(BgpErrorHandling, Rfc7606Section3eNextHopsThatAreNoHosts)
{
    const std::string rest = ORIGIN + AS_PATH;
    Check({{rest + "400304 00000000", WITHDRAW},
           {rest + "400304 7f000001", WITHDRAW},
           {rest + "400304 e0000005", WITHDRAW},
           {rest + "400304 ffffffff", WITHDRAW},
           {rest + "400304 dfffffff", NONE},
           {rest + "400304 01000000", NONE}},
          3);
    // Beside MP_REACH_NLRI alone, NEXT_HOP is ignored, be it in front or behind.
    EXPECT_EQ(Decode("400304 00000000" + rest + MP_REACH, "").action, NONE);
    EXPECT_EQ(Decode(MP_REACH + rest + "400303 000000", "").action, NONE);
    EXPECT_EQ(Decode("800e0c 0001 01 04 00000000 00 10 0a09" + rest, "").action, WITHDRAW);
}

TEST(BgpErrorHandling, Rfc7606Section3gOfRepeatedAttributesTheFirstIsKept)
{
    const BgpUpdateResult result = Decode(MANDATORY + "800404 00000001 800404 00000002 "
                                                      "c06301aa c06301bb 40010103");
    EXPECT_EQ(result.action, DISCARD);
    EXPECT_EQ(result.faults.size(), 3U);
    EXPECT_EQ(result.update.attributes.multiExitDisc, 1U);
    EXPECT_EQ(result.update.attributes.unknown, (std::vector<BgpUnknownAttribute>{{99, {0xaa}}}));
    EXPECT_EQ(result.update.announced.size(), 1U);
    // Also if that one has an error
    EXPECT_EQ(Decode("40010103" + MANDATORY).action, WITHDRAW);
}

TEST(BgpErrorHandling, Rfc7606Section3gRepeatedMpAttributesResetTheSession)
{
    for (const std::string& attribute : {MP_REACH, MP_UNREACH})
    {
        const BgpUpdateResult result = Decode(MANDATORY + attribute + attribute);
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification ==
                    BgpNotification(BgpUpdateError::MALFORMED_ATTRIBUTE_LIST));
        EXPECT_TRUE(result.update.IsEndOfRib());
    }
}

TEST(BgpErrorHandling, Rfc7606Section3hTheStrongestActionCounts)
{
    const std::string discard = "400601ff ";
    const std::string withdraw = "800403000001 ";
    const std::string reset = "00630100 ";
    EXPECT_EQ(Decode(MANDATORY + discard).action, DISCARD);
    EXPECT_EQ(Decode(MANDATORY + discard + withdraw).action, WITHDRAW);
    EXPECT_EQ(Decode(MANDATORY + withdraw + discard).action, WITHDRAW);
    EXPECT_EQ(Decode(MANDATORY + withdraw + reset).action, RESET);
    EXPECT_EQ(Decode(reset + withdraw).action, RESET);
    EXPECT_EQ(Decode(MANDATORY + discard + withdraw + reset).faults.size(), 3U);
}

TEST(BgpErrorHandling, Rfc7606Section3jMpAttributesThatAreCutOffResetTheSession)
{
    EXPECT_EQ(Decode(MANDATORY + "800e0c 0001 01 04").action, RESET);
    EXPECT_EQ(Decode(MANDATORY + "800f06 0001").action, RESET);
    EXPECT_EQ(Decode(MANDATORY + "900e00").action, RESET);
}

TEST(BgpErrorHandling, Rfc7606Section4AttributesThatOverrunTheirList)
{
    // An attribute longer than the rest, and rests too short for flags, type and length
    Check({{MANDATORY + "c00808 00000001", WITHDRAW}}, 8);
    Check({{MANDATORY + "c008", WITHDRAW}, {MANDATORY + "d00800", WITHDRAW}}, 8);
    Check({{MANDATORY + "c0", WITHDRAW}}, 0);
    // The routes are where the length of all attributes says.
    EXPECT_EQ(Decode(MANDATORY + "c0").update.withdrawn, (std::vector<BgpPrefix>{{0x0a000000, 8}}));
}

TEST(BgpErrorHandling, Rfc7606Section4OnlyAsPathAndAtomicAggregateMayBeEmpty)
{
    Check({{ORIGIN + "400200" + NEXT_HOP, NONE}}, 2);
    Check({{MANDATORY + "400600", NONE}}, 6);
    Check({{"400100" + AS_PATH + NEXT_HOP, WITHDRAW}}, 1);
    Check({{ORIGIN + AS_PATH + "400300", WITHDRAW}}, 3);
    Check({{MANDATORY + "800400", WITHDRAW}}, 4);
    Check({{MANDATORY + "c00700", DISCARD}}, 7);
    Check({{MANDATORY + "c00800", WITHDRAW}}, 8);
    Check({{MANDATORY + "c01000", WITHDRAW}}, 16);
    Check({{MANDATORY + "c02000", WITHDRAW}}, 32);
    Check({{MANDATORY + "800e00", RESET}}, 14);
    Check({{MANDATORY + "800f00", RESET}}, 15);
}

TEST(BgpErrorHandling, Rfc7606Section52WithoutAnnouncedRoutesErrorsResetTheSession)
{
    const BgpUpdateResult result = Decode("40010103", "");
    EXPECT_EQ(result.action, RESET);
    EXPECT_TRUE(result.notification ==
                BgpNotification(BgpUpdateError::INVALID_ORIGIN, ParseHex("40010103")));
    EXPECT_EQ(Decode(MP_UNREACH + "800403000001", "").action, RESET);
    EXPECT_EQ(Decode("400303000001", "").action, RESET);
    EXPECT_EQ(Decode("c0", "").action, RESET);
    // Withdrawn routes are not enough to rely on.
    const BgpBytes body = MakeUpdateBody({8, 10}, ParseHex("800403000001"), {});
    EXPECT_EQ(DecodeBgpUpdate(body.data(), body.size(), {}).action, RESET);
    // Errors that leave out an attribute do not matter.
    EXPECT_EQ(Decode("400601ff", "").action, DISCARD);
}

TEST(BgpErrorHandling, Rfc7606Section53PrefixesThatCannotBeRead)
{
    for (const char* prefix : {"21 0a00000000", "18 0a00", "08"})
    {
        SCOPED_TRACE(prefix);
        const BgpNotification expected(BgpUpdateError::INVALID_NETWORK_FIELD);
        BgpUpdateResult result = Decode(MANDATORY, prefix);
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification == expected);
        const BgpBytes body = MakeUpdateBody(ParseHex(prefix), {}, {});
        result = DecodeBgpUpdate(body.data(), body.size(), {});
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification == expected);
    }
    const std::string reach = "800e0c 0001 01 04 0a000102 00 18 0a09";
    const BgpUpdateResult result = Decode(MANDATORY + reach);
    EXPECT_EQ(result.action, RESET);
    EXPECT_TRUE(result.notification ==
                BgpNotification(BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, ParseHex(reach)));
    EXPECT_EQ(Decode(MANDATORY + "800f06 0001 01 21 0a08").action, RESET);
}

TEST(BgpErrorHandling, Rfc7606Section71Origin)
{
    const std::string rest = AS_PATH + NEXT_HOP;
    Check({{"40010101" + rest, NONE},
           {"40010102" + rest, NONE},
           {"40010103" + rest, WITHDRAW},
           {"400101ff" + rest, WITHDRAW},
           {"4001020000" + rest, WITHDRAW}},
          1);
}

TEST(BgpErrorHandling, Rfc7606Section72AsPath)
{
    const std::string rest = ORIGIN + NEXT_HOP;
    Check({{rest + "400206 0201 0000fde9", NONE},
           {rest + "400206 0101 0000fde9", NONE},
           {rest + "400206 0001 0000fde9", WITHDRAW},      // unknown segment
           {rest + "400206 0501 0000fde9", WITHDRAW},      // unknown segment
           {rest + "400206 0202 0000fde9", WITHDRAW},      // overrun
           {rest + "400207 0201 0000fde9 02", WITHDRAW},   // underrun
           {rest + "400208 0201 0000fde9 0200", WITHDRAW}, // no numbers
           {rest + "400204 0201 fde9", WITHDRAW}},         // two octets from a peer of four
          2);
    BgpSessionOptions session;
    session.firstAs = 65001;
    Check({{MANDATORY, NONE},
           {rest + "400206 0201 0000fdea", WITHDRAW},
           {rest + "400206 0101 0000fde9", WITHDRAW},
           {rest + "400200", WITHDRAW}},
          2,
          session);
}

TEST(BgpErrorHandling, Rfc7606Section73NextHop)
{
    const std::string rest = ORIGIN + AS_PATH;
    Check({{rest + "400303 0a0001", WITHDRAW}, {rest + "400305 0a00010203", WITHDRAW}}, 3);
}

TEST(BgpErrorHandling, Rfc7606Section74MultiExitDisc)
{
    Check({{MANDATORY + "800404 ffffffff", NONE},
           {MANDATORY + "800403 000001", WITHDRAW},
           {MANDATORY + "800405 0000000001", WITHDRAW}},
          4);
}

TEST(BgpErrorHandling, Rfc7606Section75LocalPref)
{
    Check({{MANDATORY + LOCAL_PREF, DISCARD}, {MANDATORY + "400503 000001", DISCARD}}, 5);
    Check({{MANDATORY + "400503 000001", WITHDRAW}}, 5, Internal());
    EXPECT_FALSE(Decode(MANDATORY + LOCAL_PREF).update.attributes.localPref);
}

TEST(BgpErrorHandling, Rfc7606Section76AtomicAggregate)
{
    Check({{MANDATORY + "400601ff", DISCARD}}, 6);
    EXPECT_FALSE(Decode(MANDATORY + "400601ff").update.attributes.isAtomicAggregate);
}

TEST(BgpErrorHandling, Rfc7606Section77Aggregator)
{
    const std::string six = MANDATORY + "c00706 fde9 0a000001";
    const std::string eight = MANDATORY + "c00708 0000fde9 0a000001";
    Check({{eight, NONE}, {six, DISCARD}, {MANDATORY + "c00707 0000fde9 0a0000", DISCARD}}, 7);
    const std::string mandatory = ORIGIN + "4002040201fde9" + NEXT_HOP;
    Check({{mandatory + "c00706 fde9 0a000001", NONE},
           {mandatory + "c00708 0000fde9 0a000001", DISCARD}},
          7,
          MakeSession(false));
}

TEST(BgpErrorHandling, Rfc7606Section78Communities)
{
    Check({{MANDATORY + "c00808 0000000100000002", NONE},
           {MANDATORY + "c00803 000001", WITHDRAW},
           {MANDATORY + "c00806 000000010000", WITHDRAW}},
          8);
}

TEST(BgpErrorHandling, Rfc7606Section79OriginatorId)
{
    Check({{MANDATORY + "800904 00000001", DISCARD}, {MANDATORY + "800903 000001", DISCARD}}, 9);
    const std::string internal = MANDATORY + LOCAL_PREF;
    Check({{internal + "800904 00000001", NONE}, {internal + "800903 000001", WITHDRAW}},
          9,
          Internal());
}

TEST(BgpErrorHandling, Rfc7606Section710ClusterList)
{
    Check({{MANDATORY + "800a04 00000001", DISCARD}, {MANDATORY + "800a00", DISCARD}}, 10);
    const std::string internal = MANDATORY + LOCAL_PREF;
    Check({{internal + "800a08 0000000100000002", NONE},
           {internal + "800a06 000000010000", WITHDRAW},
           {internal + "800a00", WITHDRAW}},
          10,
          Internal());
}

TEST(BgpErrorHandling, Rfc7606Section711MpReachWithAnotherLengthOfNextHop)
{
    for (const char* attribute : {"800e10 0001 01 08 0a000102 0a000103 00 10 0a09",
                                  "800e08 0001 01 00 00 10 0a09",
                                  "800e0c 0001 01 20 0a000102 00 10 0a09",
                                  "800e04 0001 01 00"})
    {
        SCOPED_TRACE(attribute);
        const BgpUpdateResult result = Decode(MANDATORY + attribute);
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification ==
                    BgpNotification(BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, ParseHex(attribute)));
    }
}

TEST(BgpErrorHandling, Rfc7606Section714ExtendedCommunities)
{
    Check({{MANDATORY + "c01008 ffffffffffffffff", NONE},
           {MANDATORY + "c01007 ffffffffffffff", WITHDRAW},
           {MANDATORY + "c01009 ffffffffffffffffff", WITHDRAW}},
          16);
}

TEST(BgpErrorHandling, Rfc8092Section6LargeCommunities)
{
    Check({{MANDATORY + "c0200c 000000010000000200000003", NONE},
           {MANDATORY + "c02008 0000000100000002", WITHDRAW}},
          32);
}

TEST(BgpErrorHandling, Rfc4271Section63UnknownWellKnownAttributes)
{
    const BgpUpdateResult result = Decode(MANDATORY + "406302abcd");
    EXPECT_EQ(result.action, RESET);
    EXPECT_TRUE(result.notification ==
                BgpNotification(BgpUpdateError::UNRECOGNIZED_WELL_KNOWN, ParseHex("406302abcd")));
}

TEST(BgpErrorHandling, Rfc4271Section63SubcodesAndData)
{
    // Without routes, what would be treat-as-withdraw resets the session, and tells the peer.
    const struct
    {
        const char* attribute;
        BgpUpdateError subcode;
        bool hasData;
    } cases[] = {
        {"c0010100", BgpUpdateError::ATTRIBUTE_FLAGS_ERROR, true},
        {"4001020000", BgpUpdateError::ATTRIBUTE_LENGTH_ERROR, true},
        {"40010103", BgpUpdateError::INVALID_ORIGIN, true},
        {"400206 0501 0000fde9", BgpUpdateError::MALFORMED_AS_PATH, true},
        {"400206 0201 00000000", BgpUpdateError::MALFORMED_AS_PATH, true},
        {"400303 0a0001", BgpUpdateError::ATTRIBUTE_LENGTH_ERROR, true},
        {"400304 00000000", BgpUpdateError::INVALID_NEXT_HOP, true},
        {"800403 000001", BgpUpdateError::ATTRIBUTE_LENGTH_ERROR, true},
        {"c00803 000001", BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, true},
        {"800903 000001", BgpUpdateError::ATTRIBUTE_LENGTH_ERROR, true},
        {"800a03 000001", BgpUpdateError::ATTRIBUTE_LENGTH_ERROR, true},
        {"c01007 00000000000001", BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, true},
        {"c02003 000001", BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, true},
        {"c00808 00000001", BgpUpdateError::MALFORMED_ATTRIBUTE_LIST, false},
    };

    for (const auto& row : cases)
    {
        SCOPED_TRACE(row.attribute);
        const BgpUpdateResult result = Decode(row.attribute, "", Internal());
        EXPECT_EQ(result.action, RESET);
        const BgpBytes data = row.hasData ? ParseHex(row.attribute) : BgpBytes();
        EXPECT_TRUE(result.notification == BgpNotification(row.subcode, data));
    }
    // Of several, the first one is told.
    EXPECT_EQ(Decode("400601ff 800403000001 40010103", "").notification.subcode, 5U);
}

TEST(BgpErrorHandling, Rfc5065Section5ConfederationSegmentsFromOutside)
{
    const std::string attributes = ORIGIN + NEXT_HOP + "40020c 0301 0000fde8 0201 0000fde9";
    Check({{attributes, WITHDRAW}}, 2);
    Check({{attributes, NONE}}, 2, MakeSession(true, BgpPeerType::CONFEDERATION));
    Check({{attributes + LOCAL_PREF, NONE}}, 2, Internal());
}

TEST(BgpErrorHandling, Rfc6793Section6As4PathAndAs4Aggregator)
{
    const BgpSessionOptions old = MakeSession(false);
    const std::string mandatory = ORIGIN + "4002040201fde9" + NEXT_HOP;
    Check({{mandatory + "c01106 0201 fa56ea01", NONE},
           {mandatory + "c01106 0301 fa56ea01", NONE}, // of a confederation: left out
           {mandatory + "c01100", DISCARD},
           {mandatory + "c01106 0202 fa56ea01", DISCARD},
           {mandatory + "c01102 0200", DISCARD},
           {mandatory + "c01106 0701 fa56ea01", DISCARD}},
          17,
          old);
    Check({{mandatory + "c01206 fa56ea01 0a00", DISCARD}}, 18, old);
    // Peers that know four octets must not send them.
    Check({{MANDATORY + "c01106 0201 fa56ea01", DISCARD}}, 17);
    Check({{MANDATORY + "c01208 fa56ea01 0a000001", DISCARD}}, 18);
}

TEST(BgpErrorHandling, Rfc7607Section2AsZero)
{
    Check({{ORIGIN + NEXT_HOP + "40020a 0202 0000fde9 00000000", WITHDRAW}}, 2);
    Check({{MANDATORY + "c00708 00000000 0a000001", DISCARD}}, 7);
    const BgpSessionOptions old = MakeSession(false);
    const std::string mandatory = ORIGIN + "4002040201fde9" + NEXT_HOP;
    Check({{mandatory + "c01106 0201 00000000", DISCARD}}, 17, old);
    Check({{mandatory + "c01208 00000000 0a000001", DISCARD}}, 18, old);
}

TEST(BgpErrorHandling, TheTableHasNoRowTwiceAndNamesForAll)
{
    std::size_t nRows = 0;
    const BgpErrorRule* const rows = GetBgpErrorRules(nRows);
    std::set<std::pair<int, int>> seen;
    for (std::size_t i = 0; i < nRows; ++i)
    {
        const BgpErrorRule& row = rows[i];
        EXPECT_TRUE(seen.insert({static_cast<int>(row.type), static_cast<int>(row.fault)}).second);
        EXPECT_EQ(&GetBgpErrorRule(row.type, row.fault), &row);
        EXPECT_EQ(std::string(row.section).substr(0, 4), "RFC ");
        EXPECT_NE(std::string(GetBgpErrorActionName(row.action)), "none");
        EXPECT_NE(std::string(GetBgpFaultName(row.fault)), "");
    }
    EXPECT_EQ(GetBgpErrorRule(BgpAttributeType::ORIGIN, BgpFault::AS_ZERO).action, RESET);
    EXPECT_EQ(std::string(GetBgpAttributeInfo(16).name), "EXTENDED COMMUNITIES");
    EXPECT_EQ(std::string(GetBgpAttributeInfo(99).name), "unknown");
}

} // namespace
