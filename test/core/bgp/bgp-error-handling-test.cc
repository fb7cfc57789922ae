// SPDX-License-Identifier: GPL-2.0-only

// UPDATEs with errors: RFC 7606, sections 2 to 5, each test named after one, and RFC 4271, section
// 6.3. Expected actions are from the texts of the RFCs.

#include "bgp-update-errors.h"
#include "model/core/bgp/bgp-attribute-table.h"
#include "test/core/core-test.h"

using namespace aidctest::bgp;

TEST(BgpErrorHandling, Rfc7606Section2TreatAsWithdrawWithdrawsAllRoutes)
{
    const BgpUpdateResult result =
        DecodeRoutes(MP_REACH + MP_UNREACH + "40010103 " + AS_PATH + NEXT_HOP);
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
    CheckErrors({{"c0010100" + rest, WITHDRAW},
                 {"80010100" + rest, WITHDRAW},
                 {"00010100" + rest, WITHDRAW},
                 {"60010100" + rest, NONE},
                 {"4f010100" + rest, NONE}},
                1);
    CheckErrors({{ORIGIN + NEXT_HOP + "c002060201 0000fde9", WITHDRAW}}, 2);
    CheckErrors({{ORIGIN + AS_PATH + "c003040a000102", WITHDRAW}}, 3);
    CheckErrors(
        {{MANDATORY + "c00404 00000001", WITHDRAW}, {MANDATORY + "400404 00000001", WITHDRAW}},
        4);
    CheckErrors({{MANDATORY + "c00600", WITHDRAW}}, 6);
    CheckErrors({{MANDATORY + "400708 0000fde9 0a000001", WITHDRAW}}, 7);
    CheckErrors({{MANDATORY + "80080400000001", WITHDRAW}}, 8);
    CheckErrors({{MANDATORY + "801008 0002fde900000001", WITHDRAW}}, 16);
    CheckErrors({{MANDATORY + "80200c 000000010000000200000003", WITHDRAW}}, 32);
    CheckErrors({{MANDATORY + LOCAL_PREF + "c00904 00000001", WITHDRAW}}, 9, Internal());
    // Flags of MP_REACH_NLRI and MP_UNREACH_NLRI, whose routes are withdrawn
    const std::string reach = "c0" + MP_REACH.substr(2);
    EXPECT_EQ(DecodeRoutes(reach + ORIGIN + AS_PATH, "").action, WITHDRAW);
    EXPECT_EQ(DecodeRoutes(reach + ORIGIN + AS_PATH, "").update.withdrawn,
              (std::vector<BgpPrefix>{{0x0a090000, 16}}));
    EXPECT_EQ(DecodeRoutes("c0" + MP_UNREACH.substr(2), "").action, WITHDRAW);
    EXPECT_TRUE(DecodeRoutes("c0" + MP_UNREACH.substr(2), "").update.mpUnreach);
}

TEST(BgpErrorHandling, Rfc7606Section3dMissingMandatoryAttributes)
{
    CheckErrors({{AS_PATH + NEXT_HOP, WITHDRAW}}, 1);
    CheckErrors({{ORIGIN + NEXT_HOP, WITHDRAW}}, 2);
    CheckErrors({{ORIGIN + AS_PATH, WITHDRAW}}, 3);
    CheckErrors({{MANDATORY, WITHDRAW}}, 5, Internal());
    CheckErrors({{MANDATORY + LOCAL_PREF, NONE}}, 5, Internal());
    // All of them, and none: without announced routes nothing is missing.
    EXPECT_EQ(DecodeRoutes("").faults.size(), 3U);
    EXPECT_EQ(DecodeRoutes("", "").action, NONE);
    EXPECT_EQ(DecodeRoutes(ORIGIN, "").action, NONE);
    // MP_REACH_NLRI has its own next hop (RFC 4760, section 3).
    EXPECT_EQ(DecodeRoutes(MP_REACH + ORIGIN + AS_PATH, "").action, NONE);
    EXPECT_EQ(DecodeRoutes(MP_REACH + ORIGIN + AS_PATH).action, WITHDRAW);
    EXPECT_EQ(DecodeRoutes(MP_REACH + ORIGIN, "").action, WITHDRAW);
}

TEST(BgpErrorHandling, Rfc7606Section3eNextHopsThatAreNoHosts)
{
    const std::string rest = ORIGIN + AS_PATH;
    CheckErrors({{rest + "400304 00000000", WITHDRAW},
                 {rest + "400304 7f000001", WITHDRAW},
                 {rest + "400304 e0000005", WITHDRAW},
                 {rest + "400304 ffffffff", WITHDRAW},
                 {rest + "400304 dfffffff", NONE},
                 {rest + "400304 01000000", NONE}},
                3);
    // Beside MP_REACH_NLRI alone, NEXT_HOP is ignored, be it in front or behind.
    EXPECT_EQ(DecodeRoutes("400304 00000000" + rest + MP_REACH, "").action, NONE);
    EXPECT_EQ(DecodeRoutes(MP_REACH + rest + "400303 000000", "").action, NONE);
    EXPECT_EQ(DecodeRoutes("800e0c 0001 01 04 00000000 00 10 0a09" + rest, "").action, WITHDRAW);
}

TEST(BgpErrorHandling, Rfc7606Section3gOfRepeatedAttributesTheFirstIsKept)
{
    const BgpUpdateResult result = DecodeRoutes(MANDATORY + "800404 00000001 800404 00000002 "
                                                            "c06301aa c06301bb 40010103");
    EXPECT_EQ(result.action, DISCARD);
    EXPECT_EQ(result.faults.size(), 3U);
    EXPECT_EQ(result.update.attributes.multiExitDisc, 1U);
    EXPECT_EQ(result.update.attributes.unknown, (std::vector<BgpUnknownAttribute>{{99, {0xaa}}}));
    EXPECT_EQ(result.update.announced.size(), 1U);
    // Also if that one has an error
    EXPECT_EQ(DecodeRoutes("40010103" + MANDATORY).action, WITHDRAW);
}

TEST(BgpErrorHandling, Rfc7606Section3gRepeatedMpAttributesResetTheSession)
{
    for (const std::string& attribute : {MP_REACH, MP_UNREACH})
    {
        const BgpUpdateResult result = DecodeRoutes(MANDATORY + attribute + attribute);
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification ==
                    BgpNotification(BgpUpdateError::MALFORMED_ATTRIBUTE_LIST));
        EXPECT_FALSE(result.update.Announces());
        EXPECT_TRUE(result.update.withdrawn.empty() && !result.update.mpUnreach);
    }
}

TEST(BgpErrorHandling, Rfc7606Section3hTheStrongestActionCounts)
{
    const std::string discard = "400601ff ";
    const std::string withdraw = "800403000001 ";
    const std::string reset = "00630100 ";
    EXPECT_EQ(DecodeRoutes(MANDATORY + discard).action, DISCARD);
    EXPECT_EQ(DecodeRoutes(MANDATORY + discard + withdraw).action, WITHDRAW);
    EXPECT_EQ(DecodeRoutes(MANDATORY + withdraw + discard).action, WITHDRAW);
    EXPECT_EQ(DecodeRoutes(MANDATORY + withdraw + reset).action, RESET);
    EXPECT_EQ(DecodeRoutes(reset + withdraw).action, RESET);
    EXPECT_EQ(DecodeRoutes(MANDATORY + discard + withdraw + reset).faults.size(), 3U);
}

TEST(BgpErrorHandling, Rfc7606Section3jMpAttributesThatAreCutOffResetTheSession)
{
    EXPECT_EQ(DecodeRoutes(MANDATORY + "800e0c 0001 01 04").action, RESET);
    EXPECT_EQ(DecodeRoutes(MANDATORY + "800f06 0001").action, RESET);
    EXPECT_EQ(DecodeRoutes(MANDATORY + "900e00").action, RESET);
}

TEST(BgpErrorHandling, Rfc7606Section4AttributesThatOverrunTheirList)
{
    // An attribute longer than the rest, and rests too short for flags, type and length
    CheckErrors({{MANDATORY + "c00808 00000001", WITHDRAW}}, 8);
    CheckErrors({{MANDATORY + "c008", WITHDRAW}, {MANDATORY + "d00800", WITHDRAW}}, 8);
    CheckErrors({{MANDATORY + "c0", WITHDRAW}}, 0);
    // The routes are where the length of all attributes says.
    EXPECT_EQ(DecodeRoutes(MANDATORY + "c0").update.withdrawn,
              (std::vector<BgpPrefix>{{0x0a000000, 8}}));
}

TEST(BgpErrorHandling, Rfc7606Section4OnlyAsPathAndAtomicAggregateMayBeEmpty)
{
    CheckErrors({{ORIGIN + "400200" + NEXT_HOP, NONE}}, 2);
    CheckErrors({{MANDATORY + "400600", NONE}}, 6);
    CheckErrors({{"400100" + AS_PATH + NEXT_HOP, WITHDRAW}}, 1);
    CheckErrors({{ORIGIN + AS_PATH + "400300", WITHDRAW}}, 3);
    CheckErrors({{MANDATORY + "800400", WITHDRAW}}, 4);
    CheckErrors({{MANDATORY + "c00700", DISCARD}}, 7);
    CheckErrors({{MANDATORY + "c00800", WITHDRAW}}, 8);
    CheckErrors({{MANDATORY + "c01000", WITHDRAW}}, 16);
    CheckErrors({{MANDATORY + "c02000", WITHDRAW}}, 32);
    CheckErrors({{MANDATORY + "800e00", RESET}}, 14);
    CheckErrors({{MANDATORY + "800f00", RESET}}, 15);
}

TEST(BgpErrorHandling, Rfc7606Section52WithoutAnnouncedRoutesErrorsResetTheSession)
{
    const BgpUpdateResult result = DecodeRoutes("40010103", "");
    EXPECT_EQ(result.action, RESET);
    EXPECT_TRUE(result.notification ==
                BgpNotification(BgpUpdateError::INVALID_ORIGIN, ParseHex("40010103")));
    EXPECT_EQ(DecodeRoutes(MP_UNREACH + "800403000001", "").action, RESET);
    EXPECT_EQ(DecodeRoutes("400303000001", "").action, RESET);
    EXPECT_EQ(DecodeRoutes("c0", "").action, RESET);
    // Withdrawn routes are not enough to rely on.
    const BgpBytes body = MakeUpdateBody({8, 10}, ParseHex("800403000001"), {});
    EXPECT_EQ(DecodeBgpUpdate(body.data(), body.size(), {}).action, RESET);
    // Errors that leave out an attribute do not matter.
    EXPECT_EQ(DecodeRoutes("400601ff", "").action, DISCARD);
}

TEST(BgpErrorHandling, Rfc7606Section53PrefixesThatCannotBeRead)
{
    for (const char* prefix : {"21 0a00000000", "18 0a00", "08"})
    {
        SCOPED_TRACE(prefix);
        const BgpNotification expected(BgpUpdateError::INVALID_NETWORK_FIELD);
        BgpUpdateResult result = DecodeRoutes(MANDATORY, prefix);
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification == expected);
        const BgpBytes body = MakeUpdateBody(ParseHex(prefix), {}, {});
        result = DecodeBgpUpdate(body.data(), body.size(), {});
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification == expected);
    }
    const std::string reach = "800e0c 0001 01 04 0a000102 00 18 0a09";
    const BgpUpdateResult result = DecodeRoutes(MANDATORY + reach);
    EXPECT_EQ(result.action, RESET);
    EXPECT_TRUE(result.notification ==
                BgpNotification(BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, ParseHex(reach)));
    EXPECT_EQ(DecodeRoutes(MANDATORY + "800f06 0001 01 21 0a08").action, RESET);
}

TEST(BgpErrorHandling, Rfc4271Section63UnknownWellKnownAttributes)
{
    const BgpUpdateResult result = DecodeRoutes(MANDATORY + "406302abcd");
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
        const BgpUpdateResult result = DecodeRoutes(row.attribute, "", Internal());
        EXPECT_EQ(result.action, RESET);
        const BgpBytes data = row.hasData ? ParseHex(row.attribute) : BgpBytes();
        EXPECT_TRUE(result.notification == BgpNotification(row.subcode, data));
    }
    // Of several, the first one is told.
    EXPECT_EQ(DecodeRoutes("400601ff 800403000001 40010103", "").notification.subcode, 5U);
}

TEST(BgpErrorHandling, TheTableHasNoRuleTwiceAndNamesForAll)
{
    int last = 0;
    for (const BgpAttribute& attribute : GetBgpAttributes())
    {
        SCOPED_TRACE(attribute.name);
        const auto type = static_cast<uint8_t>(attribute.type);
        EXPECT_GT(type, last) << "attributes are written in the order of their types";
        last = type;
        EXPECT_EQ(FindBgpAttribute(type), &attribute);
        for (const BgpErrorRule& rule : attribute.rules)
        {
            if (rule.section)
            {
                EXPECT_EQ(&GetBgpErrorRule(type, rule.fault), &rule);
                EXPECT_EQ(std::string(rule.section).substr(0, 4), "RFC ");
                EXPECT_NE(std::string(GetBgpErrorActionName(rule.action)), "none");
                EXPECT_NE(std::string(GetBgpFaultName(rule.fault)), "");
            }
        }
    }
    EXPECT_EQ(GetBgpErrorRule(1, BgpFault::AS_ZERO).action, RESET);
    EXPECT_EQ(&GetBgpErrorRule(1, BgpFault::FLAGS), &GetBgpErrorRule(0, BgpFault::FLAGS));
    EXPECT_EQ(std::string(FindBgpAttribute(16)->name), "EXTENDED COMMUNITIES");
    EXPECT_EQ(FindBgpAttribute(99), nullptr);
}
