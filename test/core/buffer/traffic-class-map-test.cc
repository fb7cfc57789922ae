// SPDX-License-Identifier: GPL-2.0-only

// Which class a packet goes to.

#include "model/core/buffer/traffic-class-map.h"
#include "test/core/core-test.h"

/// The second byte of an IPv4 header.
uint8_t
Tos(int dscp, int ecn)
{
    return static_cast<uint8_t>(dscp << 2 | ecn);
}

TEST(TrafficClassMap, ClassSelectorsAreTheDefault)
{
    TrafficClassMap map;
    EXPECT_EQ(map.GetClassOfTos(Tos(56, 0)), 0U); // not yet
    map.Fill(8);
    EXPECT_EQ(map.GetClassOfTos(Tos(0, 0)), 0U);
    EXPECT_EQ(map.GetClassOfTos(Tos(8, 0)), 1U);  // CS1
    EXPECT_EQ(map.GetClassOfTos(Tos(46, 2)), 5U); // EF
    EXPECT_EQ(map.GetClassOfTos(Tos(56, 0)), 7U); // CS7
    map.Fill(4);
    EXPECT_EQ(map.GetClassOfTos(Tos(46, 0)), 3U); // the highest that there is
}

TEST(TrafficClassMap, NamedDscpsGoToTheirClasses)
{
    TrafficClassMap map;
    EXPECT_EQ(map.GetHighestOfDscps(), -1);
    map.SetDscps("46:1, 0:3", 4);
    map.Fill(4);
    EXPECT_EQ(map.GetDscps(), "46:1, 0:3");
    EXPECT_EQ(map.GetHighestOfDscps(), 3);
    EXPECT_EQ(map.GetClassOfTos(Tos(46, 0)), 1U);
    EXPECT_EQ(map.GetClassOfTos(Tos(0, 1)), 3U);
    EXPECT_EQ(map.GetClassOfTos(Tos(8, 0)), 1U);
}

TEST(TrafficClassMap, WrongPairsAreRefusedAndNothingChanges)
{
    TrafficClassMap map;
    map.SetDscps("46:1", 4);
    for (const char* text :
         {"46", "46:", "46:4", "46:-1", "64:1", "-1:1", "46=1", "46:1 2", "46:1,,"})
    {
        EXPECT_THROW(map.SetDscps(text, 4), std::invalid_argument) << text;
        EXPECT_EQ(map.GetDscps(), "46:1");
        EXPECT_EQ(map.GetHighestOfDscps(), 1);
    }
}

// IEEE 802.1Qbb: flow control of a priority stops the class of this priority.
TEST(TrafficClassMap, APcpGoesToTheClassOfItsNumber)
{
    TrafficClassMap map;
    map.Fill(8);
    for (uint8_t pcp = 0; pcp < 8; ++pcp)
    {
        EXPECT_EQ(map.GetClassOfPcp(pcp, Tos(46, 0)), pcp); // whatever the DSCP
        EXPECT_EQ(map.GetClassOfPcp(pcp, Tos(0, 1)), pcp);  // ECT(1), without an L4S class
    }
    map.Fill(4);
    EXPECT_EQ(map.GetClassOfPcp(2, 0), 2U);
    EXPECT_EQ(map.GetClassOfPcp(7, 0), 3U); // the highest that there is
}

TEST(TrafficClassMap, NamedPcpsGoToTheirClasses)
{
    TrafficClassMap map;
    EXPECT_EQ(map.GetHighestOfPcps(), -1);
    map.SetPcps("1:0, 0:1", 4);
    map.SetL4sClass(2);
    map.Fill(4);
    EXPECT_EQ(map.GetPcps(), "1:0, 0:1");
    EXPECT_EQ(map.GetHighestOfPcps(), 1);
    EXPECT_EQ(map.GetClassOfPcp(0, Tos(46, 0)), 1U);
    EXPECT_EQ(map.GetClassOfPcp(1, Tos(46, 2)), 0U);
    EXPECT_EQ(map.GetClassOfPcp(3, Tos(46, 0)), 3U);
    EXPECT_EQ(map.GetClassOfPcp(0, Tos(0, 1)), 2U); // ECT(1)
    EXPECT_EQ(map.GetClassOfPcp(0, Tos(0, 3)), 2U); // CE
    EXPECT_EQ(map.GetClassOfTos(Tos(0, 0)), 0U);    // DSCPs are another matter
    for (const char* text : {"1", "8:1", "-1:1", "1:4", "1:0;"})
    {
        EXPECT_THROW(map.SetPcps(text, 4), std::invalid_argument) << text;
        EXPECT_EQ(map.GetPcps(), "1:0, 0:1");
        EXPECT_EQ(map.GetHighestOfPcps(), 1);
    }
}

TEST(TrafficClassMap, NonIpPacketsGoToTheHighestClassThatThereIs)
{
    TrafficClassMap map;
    map.SetNonIpClass(7);
    EXPECT_EQ(map.GetNonIpClass(), 7U);
    map.Fill(8);
    EXPECT_EQ(map.GetNonIpClass(), 7U);
    map.Fill(2);
    EXPECT_EQ(map.GetNonIpClass(), 1U);
}

// RFC 9331, section 5.1: ECT(1) is 01, CE is 11.
RC_GTEST_PROP(TrafficClassMap, L4sGoesToItsClassWhateverTheDscp, ())
{
    const auto dscp = DrawInRange(0, 64);
    const auto l4s = DrawInRange(0, 8);
    TrafficClassMap map;
    map.SetL4sClass(l4s);
    map.Fill(8);
    RC_ASSERT(map.GetL4sClass() == l4s);
    for (const int ecn : {1, 3})
    {
        RC_ASSERT(map.GetClassOfTos(Tos(dscp, ecn)) == static_cast<uint32_t>(l4s));
    }
    for (const int ecn : {0, 2})
    {
        RC_ASSERT(map.GetClassOfTos(Tos(dscp, ecn)) == static_cast<uint32_t>(dscp / 8));
    }
}
