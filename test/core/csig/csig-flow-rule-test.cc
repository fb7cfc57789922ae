// SPDX-License-Identifier: GPL-2.0-only

// Which flows a host may tag: section 9 of draft-ravi-ippm-csig-01.

#include "model/core/csig/csig-flow-rule.h"
#include "test/core/core-test.h"

// 10.0.0.1:5000 -> 10.1.2.3:80, TCP
constexpr FlowKey FLOW{0x0a000001, 0x0a010203, 5000, 80, 6};
constexpr uint8_t DSCP = 10;

TEST(CsigFlowRule, Section9AnEmptyRuleFitsEverything)
{
    EXPECT_TRUE(CsigFlowRule{}.Matches(FLOW, DSCP));
    EXPECT_TRUE(CsigFlowRule{}.Matches(FlowKey{}, 0));
}

TEST(CsigFlowRule, Section9Destination)
{
    CsigFlowRule rule;
    for (const int length : {8, 16, 24, 32})
    {
        rule.prefixLength = static_cast<uint8_t>(length);
        rule.destination = 0x0a010203;
        EXPECT_TRUE(rule.Matches(FLOW, DSCP)) << length;
        rule.destination ^= 1U << (32 - length); // differs in the prefix's last bit
        EXPECT_FALSE(rule.Matches(FLOW, DSCP)) << length;
    }
    // Bits behind the prefix do not matter.
    rule.prefixLength = 24;
    rule.destination = 0x0a0102ff;
    EXPECT_TRUE(rule.Matches(FLOW, DSCP));
}

TEST(CsigFlowRule, Section9EitherPort)
{
    for (const uint16_t port : {80, 5000, 81})
    {
        CsigFlowRule rule;
        rule.port = port;
        EXPECT_EQ(rule.Matches(FLOW, DSCP), port != 81) << port;
    }
}

TEST(CsigFlowRule, Section9Protocol)
{
    CsigFlowRule rule;
    rule.protocol = 6;
    EXPECT_TRUE(rule.Matches(FLOW, DSCP));
    rule.protocol = 17;
    EXPECT_FALSE(rule.Matches(FLOW, DSCP));
}

TEST(CsigFlowRule, Section9Dscp)
{
    CsigFlowRule rule;
    rule.dscp = DSCP;
    EXPECT_TRUE(rule.Matches(FLOW, DSCP));
    EXPECT_FALSE(rule.Matches(FLOW, 0));
}

TEST(CsigFlowRule, Section9AllThatIsSetHasToFit)
{
    CsigFlowRule rule;
    rule.port = 80;
    rule.dscp = 11;
    EXPECT_FALSE(rule.Matches(FLOW, DSCP));
    rule.dscp = DSCP;
    EXPECT_TRUE(rule.Matches(FLOW, DSCP));
}

TEST(CsigFlowRule, Section9Source)
{
    CsigFlowRule rule;
    rule.source = 0x0a000001;
    for (const int length : {0, 8, 32})
    {
        rule.sourcePrefixLength = static_cast<uint8_t>(length);
        EXPECT_TRUE(rule.Matches(FLOW, DSCP)) << length;
        FlowKey other = FLOW;
        other.source = 0x0b000001;
        EXPECT_EQ(rule.Matches(other, DSCP), length == 0) << length;
    }
}

TEST(CsigFlowRule, Section9ImpossibleRulesAreRefused)
{
    CsigFlowRule rule;
    EXPECT_NO_THROW(CheckCsigFlowRule(rule));
    rule.sourcePrefixLength = 33;
    EXPECT_THROW(CheckCsigFlowRule(rule), std::invalid_argument);
    rule = {};
    rule.prefixLength = 33;
    EXPECT_THROW(CheckCsigFlowRule(rule), std::invalid_argument);
    rule = {};
    rule.dscp = 64;
    EXPECT_THROW(CheckCsigFlowRule(rule), std::invalid_argument);
}
