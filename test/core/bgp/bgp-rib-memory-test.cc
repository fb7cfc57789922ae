// SPDX-License-Identifier: GPL-2.0-only

// The memory of a speaker's routes: it grows as documented, and what is gone leaves nothing.

#include "bgp-rib-speaker.h"
#include "test/core/core-test.h"

TEST(BgpRibMemory, PrefixesThatAreGoneLeaveNothing)
{
    RibSpeaker speaker(2);
    std::size_t size = 0;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        const BgpPrefix prefix{0x14000000 + (i << 8), 24};
        speaker.Announce(0, prefix);
        if (i % 2 == 0)
        {
            speaker.Take(1);
        }
        speaker.Withdraw(0, prefix);
        speaker.Take(1);
        speaker.rib.TakeUsedChanges();
        size = i == 10 ? speaker.rib.GetMemorySize() : size;
    }
    EXPECT_EQ(speaker.rib.GetMemorySize(), size);
    EXPECT_EQ(speaker.rib.CountTold(1), 0U);
}

TEST(BgpRibMemory, SessionsThatComeAndGoLeaveNothing)
{
    RibSpeaker speaker(2);
    std::size_t size = 0;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        speaker.Announce(0, {0x14000000 + (i << 8), 24});
        speaker.Take(1);
        speaker.rib.SetDown(1);
        speaker.rib.SetDown(0);
        speaker.rib.Decide();
        speaker.rib.TakeUsedChanges();
        speaker.rib.SetUp(0, OWN_AS + 1, 1);
        speaker.rib.SetUp(1, OWN_AS + 2, 2);
        size = i == 10 ? speaker.rib.GetMemorySize() : size;
    }
    EXPECT_EQ(speaker.rib.GetMemorySize(), size);
}

TEST(BgpRibMemory, RoutesThatComeAndGoUntoldTakeNoMemory)
{
    RibSpeaker speaker(2);
    std::size_t size = 0;
    for (int i = 0; i < 2000; ++i)
    {
        speaker.Announce(0, P1);
        speaker.Announce(0, P2);
        speaker.Withdraw(0, P1);
        speaker.Announce(0, P1);
        speaker.Withdraw(0, P2);
        speaker.Withdraw(0, P1);
        size = i == 200 ? speaker.rib.GetMemorySize() : size;
    }
    EXPECT_EQ(speaker.rib.GetMemorySize(), size);
    speaker.Announce(0, P2);
    speaker.Announce(0, P1);
    EXPECT_EQ(speaker.Take(1), "+1+2"); // as they first came
}

TEST(BgpRibMemory, MemoryGrowsByPrefixesAndRoutes)
{
    // As documented, with what is reserved in advance: twice as much at most
    for (const uint32_t nPeers : {1U, 8U, 32U})
    {
        for (const uint32_t nPrefixes : {64U, 512U})
        {
            RibSpeaker speaker(nPeers);
            for (uint32_t peer = 0; peer < nPeers; ++peer)
            {
                for (uint32_t i = 0; i < nPrefixes; ++i)
                {
                    speaker.Announce(peer, {0x14000000 + (i << 8), 24});
                }
            }
            const std::size_t documented = nPrefixes * (200 + nPeers * (24 + 16 + 16));
            EXPECT_LE(speaker.rib.GetMemorySize(), 2 * documented + 1000 * nPeers);
        }
    }
}
