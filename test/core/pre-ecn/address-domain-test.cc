// SPDX-License-Identifier: GPL-2.0-only

// Domains of addresses.

#include "model/core/pre-ecn/domain-message-guard.h"
#include "test/core/core-test.h"

TEST(AddressDomain, HasTheAddressesOfItsPrefixes)
{
    const auto domain = AddressDomain::Parse("10.1.0.0/16,192.168.7.9/32");
    EXPECT_TRUE(domain.Contains(0x0a010000));
    EXPECT_TRUE(domain.Contains(0x0a01ffff));
    EXPECT_FALSE(domain.Contains(0x0a020000));
    EXPECT_FALSE(domain.Contains(0x0a00ffff));
    EXPECT_TRUE(domain.Contains(0xc0a80709));
    EXPECT_FALSE(domain.Contains(0xc0a80708));
    EXPECT_EQ(domain.Print(), "10.1.0.0/16,192.168.7.9/32");
}

TEST(AddressDomain, WithoutPrefixesItHasAll)
{
    for (const std::string text : {"", "0.0.0.0/0"})
    {
        const auto domain = AddressDomain::Parse(text);
        EXPECT_TRUE(domain.Contains(0));
        EXPECT_TRUE(domain.Contains(0xffffffff));
        EXPECT_EQ(domain.Print(), text);
    }
}

TEST(AddressDomain, RefusesWhatIsNoPrefix)
{
    for (const std::string text : {",",
                                   "10.0.0.0/8,",
                                   ",10.0.0.0/8",
                                   "10.0.0.0",
                                   "10.0.0/8",
                                   "10.0.0.0.0/8",
                                   "10.0.0.256/32",
                                   "10.0.0.0/33",
                                   "10.0.0.0/",
                                   "10.0.0.0/8 ",
                                   " 10.0.0.0/8",
                                   "10.0.0.0/8;11.0.0.0/8",
                                   "10.0.0.1/8",
                                   "0010.0.0.0/8",
                                   "a.b.c.d/8",
                                   "-1.0.0.0/8"})
    {
        EXPECT_THROW(AddressDomain::Parse(text), std::invalid_argument) << text;
    }
}

RC_GTEST_PROP(AddressDomain, AnyTextIsRefusedOrPrintedAsItWas, ())
{
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123./,")));
    try
    {
        const auto domain = AddressDomain::Parse(text);
        RC_ASSERT(AddressDomain::Parse(domain.Print()).Print() == domain.Print());
    }
    catch (const std::invalid_argument&)
    {
    }
}
