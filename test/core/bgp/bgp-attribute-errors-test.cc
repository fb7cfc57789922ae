// SPDX-License-Identifier: GPL-2.0-only

// Errors of each path attribute: RFC 7606, section 7, and RFC 5065, 6793, 7607 and 8092, each test
// named after a section. Expected actions are from the texts of the RFCs.

#include "bgp-update-errors.h"
#include "test/core/core-test.h"

using namespace aidctest::bgp;

TEST(BgpAttributeErrors, Rfc7606Section71Origin)
{
    const std::string rest = AS_PATH + NEXT_HOP;
    CheckErrors({{"40010101" + rest, NONE},
                 {"40010102" + rest, NONE},
                 {"40010103" + rest, WITHDRAW},
                 {"400101ff" + rest, WITHDRAW},
                 {"4001020000" + rest, WITHDRAW}},
                1);
}

TEST(BgpAttributeErrors, Rfc7606Section72AsPath)
{
    const std::string rest = ORIGIN + NEXT_HOP;
    CheckErrors({{rest + "400206 0201 0000fde9", NONE},
                 {rest + "400206 0101 0000fde9", NONE},
                 {rest + "400206 0001 0000fde9", WITHDRAW},      // unknown segment
                 {rest + "400206 0501 0000fde9", WITHDRAW},      // unknown segment
                 {rest + "400206 0202 0000fde9", WITHDRAW},      // overrun
                 {rest + "400207 0201 0000fde9 02", WITHDRAW},   // underrun
                 {rest + "400208 0201 0000fde9 0200", WITHDRAW}, // no numbers
                 {rest + "400204 0201 fde9", WITHDRAW}},         // two octets from a peer of four
                2);
    BgpSessionTerms session;
    session.firstAs = 65001;
    CheckErrors({{MANDATORY, NONE},
                 {rest + "400206 0201 0000fdea", WITHDRAW},
                 {rest + "400206 0101 0000fde9", WITHDRAW},
                 {rest + "400200", WITHDRAW}},
                2,
                session);
}

TEST(BgpAttributeErrors, Rfc7606Section73NextHop)
{
    const std::string rest = ORIGIN + AS_PATH;
    CheckErrors({{rest + "400303 0a0001", WITHDRAW}, {rest + "400305 0a00010203", WITHDRAW}}, 3);
}

TEST(BgpAttributeErrors, Rfc7606Section74MultiExitDisc)
{
    CheckErrors({{MANDATORY + "800404 ffffffff", NONE},
                 {MANDATORY + "800403 000001", WITHDRAW},
                 {MANDATORY + "800405 0000000001", WITHDRAW}},
                4);
}

TEST(BgpAttributeErrors, Rfc7606Section75LocalPref)
{
    CheckErrors({{MANDATORY + LOCAL_PREF, DISCARD}, {MANDATORY + "400503 000001", DISCARD}}, 5);
    CheckErrors({{MANDATORY + "400503 000001", WITHDRAW}}, 5, Internal());
    EXPECT_FALSE(DecodeRoutes(MANDATORY + LOCAL_PREF).update.attributes.localPref);
}

TEST(BgpAttributeErrors, Rfc7606Section76AtomicAggregate)
{
    CheckErrors({{MANDATORY + "400601ff", DISCARD}}, 6);
    EXPECT_FALSE(DecodeRoutes(MANDATORY + "400601ff").update.attributes.isAtomicAggregate);
}

TEST(BgpAttributeErrors, Rfc7606Section77Aggregator)
{
    const std::string six = MANDATORY + "c00706 fde9 0a000001";
    const std::string eight = MANDATORY + "c00708 0000fde9 0a000001";
    CheckErrors({{eight, NONE}, {six, DISCARD}, {MANDATORY + "c00707 0000fde9 0a0000", DISCARD}},
                7);
    const std::string mandatory = ORIGIN + "4002040201fde9" + NEXT_HOP;
    CheckErrors({{mandatory + "c00706 fde9 0a000001", NONE},
                 {mandatory + "c00708 0000fde9 0a000001", DISCARD}},
                7,
                MakeSession(false));
}

TEST(BgpAttributeErrors, Rfc7606Section78Communities)
{
    CheckErrors({{MANDATORY + "c00808 0000000100000002", NONE},
                 {MANDATORY + "c00803 000001", WITHDRAW},
                 {MANDATORY + "c00806 000000010000", WITHDRAW}},
                8);
}

TEST(BgpAttributeErrors, Rfc7606Section79OriginatorId)
{
    CheckErrors({{MANDATORY + "800904 00000001", DISCARD}, {MANDATORY + "800903 000001", DISCARD}},
                9);
    const std::string internal = MANDATORY + LOCAL_PREF;
    CheckErrors({{internal + "800904 00000001", NONE}, {internal + "800903 000001", WITHDRAW}},
                9,
                Internal());
}

TEST(BgpAttributeErrors, Rfc7606Section710ClusterList)
{
    CheckErrors({{MANDATORY + "800a04 00000001", DISCARD}, {MANDATORY + "800a00", DISCARD}}, 10);
    const std::string internal = MANDATORY + LOCAL_PREF;
    CheckErrors({{internal + "800a08 0000000100000002", NONE},
                 {internal + "800a06 000000010000", WITHDRAW},
                 {internal + "800a00", WITHDRAW}},
                10,
                Internal());
}

TEST(BgpAttributeErrors, Rfc7606Section711MpReachWithAnotherLengthOfNextHop)
{
    for (const char* attribute : {"800e10 0001 01 08 0a000102 0a000103 00 10 0a09",
                                  "800e08 0001 01 00 00 10 0a09",
                                  "800e0c 0001 01 20 0a000102 00 10 0a09",
                                  "800e04 0001 01 00"})
    {
        SCOPED_TRACE(attribute);
        const BgpUpdateResult result = DecodeRoutes(MANDATORY + attribute);
        EXPECT_EQ(result.action, RESET);
        EXPECT_TRUE(result.notification ==
                    BgpNotification(BgpUpdateError::OPTIONAL_ATTRIBUTE_ERROR, ParseHex(attribute)));
    }
}

TEST(BgpAttributeErrors, Rfc7606Section714ExtendedCommunities)
{
    CheckErrors({{MANDATORY + "c01008 ffffffffffffffff", NONE},
                 {MANDATORY + "c01007 ffffffffffffff", WITHDRAW},
                 {MANDATORY + "c01009 ffffffffffffffffff", WITHDRAW}},
                16);
}

TEST(BgpAttributeErrors, Rfc8092Section6LargeCommunities)
{
    CheckErrors({{MANDATORY + "c0200c 000000010000000200000003", NONE},
                 {MANDATORY + "c02008 0000000100000002", WITHDRAW}},
                32);
}

TEST(BgpAttributeErrors, Rfc5065Section5ConfederationSegmentsFromOutside)
{
    // A speaker is in no confederation, and so is none of its peers.
    for (const char* segment : {"0301 0000fde8", "0401 0000fde8"})
    {
        const std::string attributes = ORIGIN + NEXT_HOP + "40020c " + segment + "0201 0000fde9";
        CheckErrors({{attributes, WITHDRAW}}, 2);
        CheckErrors({{attributes + LOCAL_PREF, WITHDRAW}}, 2, Internal());
    }
}

TEST(BgpAttributeErrors, Rfc6793Section6As4PathAndAs4Aggregator)
{
    const BgpSessionTerms old = MakeSession(false);
    const std::string mandatory = ORIGIN + "4002040201fde9" + NEXT_HOP;
    CheckErrors({{mandatory + "c01106 0201 fa56ea01", NONE},
                 {mandatory + "c01106 0301 fa56ea01", NONE}, // of a confederation: left out
                 {mandatory + "c01100", DISCARD},
                 {mandatory + "c01106 0202 fa56ea01", DISCARD},
                 {mandatory + "c01102 0200", DISCARD},
                 {mandatory + "c01106 0701 fa56ea01", DISCARD}},
                17,
                old);
    CheckErrors({{mandatory + "c01206 fa56ea01 0a00", DISCARD}}, 18, old);
    // Peers that know four octets must not send them.
    CheckErrors({{MANDATORY + "c01106 0201 fa56ea01", DISCARD}}, 17);
    CheckErrors({{MANDATORY + "c01208 fa56ea01 0a000001", DISCARD}}, 18);
}

TEST(BgpAttributeErrors, Rfc7607Section2AsZero)
{
    CheckErrors({{ORIGIN + NEXT_HOP + "40020a 0202 0000fde9 00000000", WITHDRAW}}, 2);
    CheckErrors({{MANDATORY + "c00708 00000000 0a000001", DISCARD}}, 7);
    const BgpSessionTerms old = MakeSession(false);
    const std::string mandatory = ORIGIN + "4002040201fde9" + NEXT_HOP;
    CheckErrors({{mandatory + "c01106 0201 00000000", DISCARD}}, 17, old);
    CheckErrors({{mandatory + "c01208 00000000 0a000001", DISCARD}}, 18, old);
}
