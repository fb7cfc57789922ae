// SPDX-License-Identifier: GPL-2.0-only

// What a peer has been told, and what it is still to be told: RFC 4271, section 3.2.

#include "test/core/core-test.h"

#include "ns3/bgp-rib.h"

using Numbers = std::vector<uint32_t>;

/// How many prefixes there are.
constexpr std::size_t N = 8;

const BgpSharedAttributes NOTHING;

BgpSharedAttributes
Attributes()
{
    return std::make_shared<const BgpPathAttributes>();
}

TEST(BgpAdjRibOut, PrefixesAreTakenInTheOrderOfTheirFirstChange)
{
    BgpAdjRibOut out;
    const auto first = Attributes();
    EXPECT_FALSE(out.HasPending());
    out.Compare(5, first, N);
    out.Compare(2, first, N);
    out.Compare(5, Attributes(), N);
    EXPECT_TRUE(out.HasPending());
    EXPECT_EQ(out.TakePending(), (Numbers{5, 2}));
    EXPECT_FALSE(out.HasPending());
}

TEST(BgpAdjRibOut, WhatComesAndGoesInBetweenIsNotTold)
{
    BgpAdjRibOut out;
    const auto told = Attributes();
    out.Compare(1, told, N);
    out.Compare(1, NOTHING, N);
    EXPECT_FALSE(out.HasPending());
    EXPECT_EQ(out.TakePending(), Numbers{});
    EXPECT_EQ(out.Tell(3, told, N), 1);
    out.Compare(3, Attributes(), N);
    out.Compare(3, told, N); // as the peer knows it
    EXPECT_EQ(out.TakePending(), Numbers{});
    out.Compare(3, NOTHING, N);
    EXPECT_EQ(out.TakePending(), Numbers{3});
}

TEST(BgpAdjRibOut, CountsWhatThePeerKnows)
{
    BgpAdjRibOut out;
    EXPECT_EQ(out.Tell(3, Attributes(), N), 1);
    EXPECT_EQ(out.Tell(3, Attributes(), N), 0);
    EXPECT_EQ(out.Tell(4, NOTHING, N), 0);
    EXPECT_EQ(out.CountTold(), 1U);
    EXPECT_TRUE(out.IsTold(3));
    EXPECT_EQ(out.Tell(3, NOTHING, N), -1);
    EXPECT_EQ(out.CountTold(), 0U);
    EXPECT_FALSE(out.IsTold(3) || out.IsTold(100));
}

TEST(BgpAdjRibOut, Rfc2918WhatIsStaleIsToldAgain)
{
    BgpAdjRibOut out;
    const auto told = Attributes();
    out.Tell(6, told, N);
    out.Tell(2, told, N);
    EXPECT_EQ(out.MakeStale(), (Numbers{2, 6}));
    EXPECT_EQ(out.CountTold(), 2U);
    out.Compare(6, told, N);
    out.Compare(2, NOTHING, N);
    EXPECT_EQ(out.TakePending(), (Numbers{6, 2}));
}

TEST(BgpAdjRibOut, ChangesToAndFroDoNotFillTheMemory)
{
    BgpAdjRibOut out;
    for (int i = 0; i < 10000; ++i)
    {
        out.Compare(1, Attributes(), N);
        out.Compare(1, NOTHING, N);
    }
    EXPECT_LT(out.GetMemorySize(), 1000U);
    EXPECT_EQ(out.TakePending(), Numbers{});
}
