// SPDX-License-Identifier: GPL-2.0-only

// Collectives of groups whose ranks are in servers: steps by servers and channels.

#include "test/core/core-test.h"

#include "ns3/collective-schedule.h"

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;
using Ranks = std::vector<uint32_t>;

/// Makes an all-reduce of 64 bytes, with four ranks in a server.
CollectiveScheduleSettings
Make(const Ranks& ranks, uint32_t nChannels = 0, Algorithm algorithm = Algorithm::RING)
{
    CollectiveSettings settings;
    settings.nChannels = nChannels;
    settings.nPerServer = 4;
    settings.nChunks = 2;
    return settings.MakeSchedule(Kind::ALL_REDUCE, algorithm, ranks, 64).GetSettings();
}

TEST(CollectiveSettings, GroupsOverServersUseAllTheirAdapters)
{
    const auto all = Make({0, 1, 2, 3, 4, 5, 6, 7});
    EXPECT_EQ(all.nPerServer, 4U);
    EXPECT_EQ(all.nChannels, 4U);
    EXPECT_EQ(all.nMembers, 8U);
    EXPECT_EQ(all.nChunks, 2U);
    EXPECT_EQ(all.bytes, 64U);
    // Every second rank, in another order of servers
    const auto half = Make({8, 10, 0, 2, 4, 6});
    EXPECT_EQ(half.nPerServer, 2U);
    EXPECT_EQ(half.nChannels, 2U);
    EXPECT_EQ(Make({0, 1, 2, 3, 4, 5, 6, 7}, 1).nChannels, 1U);
    EXPECT_EQ(Make({0, 1, 2, 3, 4, 5, 6, 7}, 3).nChannels, 3U);
    EXPECT_EQ(Make({0, 1, 2, 3, 4, 5, 6, 7}, 0, Algorithm::DOUBLE_TREE).nChannels, 4U);
}

TEST(CollectiveSettings, GroupsInAServerOrAlongARailHaveOneChannel)
{
    EXPECT_EQ(Make({4, 5, 6, 7}).nPerServer, 4U);
    EXPECT_EQ(Make({4, 5, 6, 7}).nChannels, 1U);
    EXPECT_EQ(Make({1, 5, 9}).nPerServer, 1U);
    EXPECT_EQ(Make({1, 5, 9}).nChannels, 1U);
    EXPECT_EQ(Make({1, 5, 9}, 2).nChannels, 2U);
    EXPECT_EQ(Make({3}).nChannels, 1U);
}

TEST(CollectiveSettings, UnequalServersAreNoServers)
{
    for (const Ranks& ranks : {Ranks{0, 1, 2, 4}, // three and one
                               Ranks{0, 4, 5},    // one and two
                               Ranks{0, 1, 4, 5, 2, 3},
                               Ranks{0, 4, 1, 5}})
    {
        EXPECT_EQ(Make(ranks).nPerServer, 1U);
        EXPECT_EQ(Make(ranks).nChannels, 1U);
    }
}

TEST(CollectiveSettings, OtherAlgorithmsDoNotKnowServersOrChannels)
{
    const Ranks all{0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_EQ(Make(all, 0, Algorithm::HALVING_DOUBLING).nPerServer, 1U);
    EXPECT_EQ(Make(all, 4, Algorithm::HALVING_DOUBLING).nChannels, 1U);
    EXPECT_EQ(Make(all, 4, Algorithm::HIERARCHICAL).nPerServer, 4U);
    EXPECT_EQ(Make(all, 4, Algorithm::HIERARCHICAL).nChannels, 1U);
    // Along a rail, with one rank in a server, it is the ring
    EXPECT_EQ(Make({1, 5}, 0, Algorithm::HIERARCHICAL).nPerServer, 1U);
}

TEST(CollectiveSettings, AllToAllsAreDirectAsThoseOfNcclUnlessTheUserSaysOtherwise)
{
    EXPECT_EQ(CollectiveSettings().allToAll, Algorithm::DIRECT);
    EXPECT_EQ(GetCollectiveAlgorithms(Kind::ALL_TO_ALL).front(), Algorithm::DIRECT);
}
