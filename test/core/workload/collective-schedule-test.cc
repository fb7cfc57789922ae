// SPDX-License-Identifier: GPL-2.0-only

// Collectives as steps: their number, the bytes that are sent, and that all members have the right
// data in the end.

#include "collective-executor.h"
#include "test/core/core-test.h"

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

struct Way
{
    Kind kind;
    Algorithm algorithm;
};

const std::vector<Way> WAYS = {{Kind::ALL_REDUCE, Algorithm::RING},
                               {Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING},
                               {Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING},
                               {Kind::ALL_REDUCE, Algorithm::DOUBLE_TREE},
                               {Kind::ALL_REDUCE, Algorithm::HIERARCHICAL},
                               {Kind::ALL_REDUCE, Algorithm::NVLS},
                               {Kind::ALL_GATHER, Algorithm::RING},
                               {Kind::ALL_GATHER, Algorithm::HALVING_DOUBLING},
                               {Kind::REDUCE_SCATTER, Algorithm::RING},
                               {Kind::REDUCE_SCATTER, Algorithm::HALVING_DOUBLING},
                               {Kind::ALL_TO_ALL, Algorithm::PAIRWISE},
                               {Kind::ALL_TO_ALL, Algorithm::DIRECT},
                               {Kind::BROADCAST, Algorithm::BINOMIAL_TREE},
                               {Kind::BROADCAST, Algorithm::CHAIN}};

bool
NeedsPowerOfTwo(const Way& way)
{
    return way.algorithm == Algorithm::HALVING_DOUBLING && way.kind != Kind::ALL_REDUCE;
}

bool
HasChannels(const Way& way)
{
    return way.algorithm == Algorithm::RING || way.algorithm == Algorithm::CHAIN ||
           way.algorithm == Algorithm::DOUBLE_TREE || way.algorithm == Algorithm::NVLS;
}

bool
KnowsServers(const Way& way)
{
    return HasChannels(way) || way.algorithm == Algorithm::HIERARCHICAL ||
           way.kind == Kind::ALL_TO_ALL;
}

RC_GTEST_PROP(CollectiveSchedule, AllMembersHaveTheRightData, ())
{
    const Way way = WAYS[DrawInRange<std::size_t>(0, WAYS.size())];
    CollectiveScheduleSettings settings;
    settings.kind = way.kind;
    settings.algorithm = way.algorithm;
    settings.nMembers = DrawInRange<uint32_t>(1, 20);
    settings.nChunks = DrawInRange<uint32_t>(1, 5);
    if (NeedsPowerOfTwo(way))
    {
        settings.nMembers = 1U << settings.nMembers % 5;
        settings.nChunks = 1;
    }
    if (HasChannels(way))
    {
        settings.nChannels = DrawInRange<uint32_t>(1, 5);
    }
    if (KnowsServers(way))
    {
        settings.nPerServer = DrawInRange<uint32_t>(1, 5);
        settings.nMembers = DrawInRange<uint32_t>(1, 6) * settings.nPerServer;
    }
    settings.bytes = DrawInRange<uint64_t>(0, 200);
    settings.root = DrawInRange<uint32_t>(0, settings.nMembers);
    const CollectiveSchedule schedule(settings);
    Executor executor(schedule);
    if (way.algorithm == Algorithm::HALVING_DOUBLING ||
        way.algorithm == Algorithm::RECURSIVE_DOUBLING)
    {
        executor.RunBeforeFolds();
        RC_ASSERT(executor.nEarly == 0U);
    }
    uint64_t state = DrawAny<uint64_t>();
    RC_ASSERT(executor.Run([&state](std::size_t size) {
        state = state * 6364136223846793005 + 1442695040888963407;
        return static_cast<std::size_t>((state >> 33) % size);
    }));
    RC_ASSERT(HasRightData(executor, schedule));
}

/// Delivers the data of a collective, as large as its members are many and a bit more.
void
CheckDelivery(CollectiveScheduleSettings settings)
{
    settings.bytes = 2 * settings.nMembers + 1;
    const CollectiveSchedule schedule(settings);
    Executor executor(schedule);
    ASSERT_TRUE(executor.RunInRounds());
    EXPECT_TRUE(HasRightData(executor, schedule))
        << GetCollectiveName(settings.kind) << " by "
        << GetCollectiveAlgorithmName(settings.algorithm) << " of " << settings.nMembers;
}

TEST(CollectiveSchedule, EveryCollectiveAt3To512MembersDeliversTheRightData)
{
    for (const uint32_t n : {3, 6, 8, 12, 64, 512})
    {
        for (const Way& way : WAYS)
        {
            if (NeedsPowerOfTwo(way) && (n & (n - 1)) != 0)
            {
                continue;
            }
            CollectiveScheduleSettings settings;
            settings.kind = way.kind;
            settings.algorithm = way.algorithm;
            settings.nMembers = n;
            settings.root = n / 3;
            const uint32_t nPerServer = n % 8 == 0 ? 8 : 3;
            CheckDelivery(settings);
            if (KnowsServers(way))
            {
                settings.nPerServer = nPerServer;
                settings.nChannels = HasChannels(way) ? 2 : 1;
                CheckDelivery(settings);
            }
        }
    }
}

/// Checks steps and bytes sent by each member, where all parts are equal.
void
CheckCounts(Way way, uint32_t n, uint64_t bytes, uint32_t nSteps, uint64_t sent)
{
    for (const uint32_t nChunks : {1, 4})
    {
        if (nChunks > 1 && NeedsPowerOfTwo(way))
        {
            continue;
        }
        const CollectiveSchedule schedule(way.kind, way.algorithm, n, bytes, nChunks);
        Executor executor(schedule);
        ASSERT_TRUE(executor.Run([](std::size_t) { return 0; }));
        for (uint32_t member = 0; member < n; ++member)
        {
            EXPECT_EQ(schedule.GetNSteps(member, 0), nSteps)
                << GetCollectiveAlgorithmName(way.algorithm) << n;
            EXPECT_EQ(executor.sent[member], sent)
                << GetCollectiveAlgorithmName(way.algorithm) << n;
        }
    }
}

TEST(CollectiveSchedule, HasTheStepsAndBytesOfTheLiterature)
{
    for (const auto& [n, log2] : std::map<uint32_t, uint32_t>{{2, 1}, {4, 2}, {8, 3}, {16, 4}})
    {
        const uint64_t s = 64 * 16;
        CheckCounts({Kind::ALL_REDUCE, Algorithm::RING}, n, s, 2 * (n - 1), 2 * s / n * (n - 1));
        CheckCounts({Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING},
                    n,
                    s,
                    2 * log2,
                    2 * s / n * (n - 1));
        CheckCounts({Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING}, n, s, log2, log2 * s);
        for (const auto kind : {Kind::ALL_GATHER, Kind::REDUCE_SCATTER})
        {
            CheckCounts({kind, Algorithm::RING}, n, s, n - 1, s / n * (n - 1));
            CheckCounts({kind, Algorithm::HALVING_DOUBLING}, n, s, log2, s / n * (n - 1));
        }
        CheckCounts({Kind::ALL_TO_ALL, Algorithm::PAIRWISE}, n, s, n - 1, s / n * (n - 1));
        CheckCounts({Kind::ALL_TO_ALL, Algorithm::DIRECT}, n, s, 1, s / n * (n - 1));
    }
    CheckCounts({Kind::ALL_REDUCE, Algorithm::RING}, 6, 240, 10, 400);
    CheckCounts({Kind::ALL_REDUCE, Algorithm::RING}, 1, 240, 0, 0);
    // Halving-doubling: half of the buffer first
    const CollectiveSchedule halving(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 8, 1000);
    EXPECT_EQ(halving.GetStep(5, 0, 0).sendBytes, 500U);
    EXPECT_EQ(halving.GetStep(5, 0, 0).sendTo, 1U);
    EXPECT_EQ(halving.GetStep(5, 0, 5).sendBytes, 500U);
}

TEST(CollectiveSchedule, HierarchicalWithoutTwoLevelsIsTheRing)
{
    // One member in each server, and all members in one server
    for (const uint32_t nPerServer : {1, 6})
    {
        CollectiveScheduleSettings settings;
        settings.nMembers = 6;
        settings.nPerServer = nPerServer;
        settings.nChunks = 3;
        settings.bytes = 1000;
        const CollectiveSchedule ring(settings);
        settings.algorithm = Algorithm::HIERARCHICAL;
        const CollectiveSchedule hierarchical(settings);
        for (uint32_t member = 0; member < 6; ++member)
        {
            for (uint32_t lane = 0; lane < 3; ++lane)
            {
                ASSERT_EQ(hierarchical.GetNSteps(member, lane), 10U);
                for (uint32_t i = 0; i < 10; ++i)
                {
                    const auto step = hierarchical.GetStep(member, lane, i);
                    const auto other = ring.GetStep(member, lane, i);
                    EXPECT_EQ(step.sendTo, other.sendTo);
                    EXPECT_EQ(step.receiveFrom, other.receiveFrom);
                    EXPECT_EQ(step.sendOffset, other.sendOffset);
                    EXPECT_EQ(step.sendBytes, other.sendBytes);
                    EXPECT_EQ(step.receiveOffset, other.receiveOffset);
                    EXPECT_EQ(step.reduces, other.reduces);
                    EXPECT_EQ(step.stepsBefore, 0U); // chunks do not wait for each other
                }
            }
        }
    }
}

TEST(CollectiveSchedule, RingOfAThousandRanksHasItsStepsWithoutMemory)
{
    const CollectiveSchedule ring(Kind::ALL_REDUCE, Algorithm::RING, 1024, 64000000);
    EXPECT_EQ(ring.GetNSteps(7, 0), 2046U);
    uint64_t sent = 0;
    for (uint32_t step = 0; step < 2046; ++step)
    {
        sent += ring.GetStep(7, 0, step).sendBytes;
    }
    EXPECT_EQ(sent, 2 * 64000000ULL / 1024 * 1023);
    EXPECT_LE(sizeof(ring), 48U); // 16 of them point to unequal sizes
}

TEST(CollectiveSchedule, RingsOfChannelsLeaveServersByDifferentMembersAndKeepToRails)
{
    CollectiveScheduleSettings settings;
    settings.nMembers = 16;
    settings.nPerServer = 4;
    settings.nChannels = 4;
    settings.bytes = 1000;
    const CollectiveSchedule ring(settings);
    for (uint32_t channel = 0; channel < 4; ++channel)
    {
        std::vector<uint32_t> leaving;
        uint32_t member = 0;
        for (uint32_t i = 0; i < 16; ++i)
        {
            const uint32_t next = ring.GetStep(member, channel, 0).sendTo;
            EXPECT_EQ(ring.GetStep(next, channel, 0).receiveFrom, member);
            if (next / 4 != member / 4)
            {
                EXPECT_EQ(next / 4, (member / 4 + 1) % 4);
                EXPECT_EQ(next % 4, member % 4); // on the rail
                EXPECT_EQ(member % 4, member / 4 % 2 == 0 ? channel : (channel + 1) % 4);
                leaving.push_back(member / 4);
            }
            member = next;
        }
        EXPECT_EQ(member, 0U); // all have been there
        EXPECT_EQ(leaving.size(), 4U);
    }
}

TEST(CollectiveSchedule, BroadcastReachesTwiceAsManyInEachStep)
{
    // In step k of the tree, members 0 to 2^k - 1 behind the root send, to the members 2^k further
    const CollectiveSchedule tree(Kind::BROADCAST, Algorithm::BINOMIAL_TREE, 6, 100, 1, 2);
    const auto getSteps = [](const CollectiveSchedule& schedule, uint32_t member) {
        std::string text;
        for (uint32_t i = 0; i < schedule.GetNSteps(member, 0); ++i)
        {
            const auto step = schedule.GetStep(member, 0, i);
            text += step.sendTo == CollectiveStep::NONE ? "<" + std::to_string(step.receiveFrom)
                                                        : ">" + std::to_string(step.sendTo);
        }
        return text;
    };
    EXPECT_EQ(getSteps(tree, 2), ">3>4>0");
    EXPECT_EQ(getSteps(tree, 3), "<2>5>1");
    EXPECT_EQ(getSteps(tree, 4), "<2");
    EXPECT_EQ(getSteps(tree, 5), "<3");
    EXPECT_EQ(getSteps(tree, 0), "<2");
    EXPECT_EQ(getSteps(tree, 1), "<3");
    const CollectiveSchedule chain(Kind::BROADCAST, Algorithm::CHAIN, 3, 100, 5, 1);
    EXPECT_EQ(getSteps(chain, 1), ">2");
    EXPECT_EQ(getSteps(chain, 2), "<1>0");
    EXPECT_EQ(getSteps(chain, 0), "<2");
    EXPECT_EQ(chain.GetStep(1, 3, 0).sendBytes, 20U);
}

TEST(CollectiveSchedule, OthersThanPowersOfTwoAreFolded)
{
    // 6 = 4 + 2: members 0 and 2 give their data to 1 and 3, which tell 4 and 5 when they have it
    const CollectiveSchedule folded(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 6, 100);
    EXPECT_EQ(folded.GetNSteps(0, 0), 2U);
    EXPECT_EQ(folded.GetNSteps(1, 0), 7U);
    EXPECT_EQ(folded.GetNSteps(5, 0), 5U);
    EXPECT_EQ(folded.GetStep(2, 0, 0).sendTo, 3U);
    EXPECT_EQ(folded.GetStep(2, 0, 0).sendBytes, 100U);
    EXPECT_EQ(folded.GetStep(3, 0, 1).sendTo, 5U);
    EXPECT_EQ(folded.GetStep(3, 0, 1).sendBytes, 0U);
    EXPECT_EQ(folded.GetStep(3, 0, 1).receiveFrom, CollectiveStep::NONE);
    EXPECT_EQ(folded.GetStep(5, 0, 0).receiveFrom, 3U);
    EXPECT_EQ(folded.GetStep(5, 0, 0).sendTo, CollectiveStep::NONE);
    EXPECT_EQ(folded.GetStep(5, 0, 1).sendBytes, 50U);
    EXPECT_EQ(folded.GetStep(3, 0, 6).sendTo, 2U);

    // 5 = 4 + 1: of the pairs 1 and 3, 2 and 4 of the first step, the fold delays one only
    const CollectiveSchedule one(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, 5, 100);
    EXPECT_EQ(one.GetStep(3, 0, 0).receiveFrom, 1U);
    EXPECT_EQ(one.GetStep(3, 0, 0).receiveBytes, 0U);
    EXPECT_EQ(one.GetStep(2, 0, 0).sendTo, 4U);
    EXPECT_EQ(one.GetStep(2, 0, 0).sendBytes, 50U);
    EXPECT_EQ(one.GetStep(2, 0, 1).receiveFrom, 1U);
    EXPECT_EQ(one.GetStep(2, 0, 1).receiveBytes, 0U);
    EXPECT_EQ(one.GetStep(3, 0, 2).sendTo, 4U);
    EXPECT_EQ(one.GetStep(3, 0, 2).sendBytes, 0U);
}

TEST(CollectiveSchedule, RefusesWhatThereIsNot)
{
    const auto make = [](Kind kind, Algorithm algorithm, uint32_t n, uint32_t nChunks, uint32_t r) {
        return CatchMessage([=] { CollectiveSchedule(kind, algorithm, n, 1, nChunks, r); });
    };
    EXPECT_EQ(make(Kind::ALL_TO_ALL, Algorithm::RING, 4, 1, 0), "there is no all-to-all by ring");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 0, 1, 0),
              "all-reduce by ring has at least one member");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 4, 0, 0),
              "all-reduce by ring has from 1 to 4096 chunks, not 0");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 4, 4096, 0), "");
    EXPECT_EQ(make(Kind::ALL_REDUCE, Algorithm::RING, 4, 4097, 0),
              "all-reduce by ring has from 1 to 4096 chunks, not 4097");
    EXPECT_EQ(make(Kind::BROADCAST, Algorithm::CHAIN, 4, 1, 4),
              "the root is one of 4 members, counted from 0, not 4");
    EXPECT_EQ(make(Kind::ALL_GATHER, Algorithm::HALVING_DOUBLING, 6, 1, 0),
              "all-gather by halving-doubling needs a power of two members, not 6");
    EXPECT_EQ(make(Kind::REDUCE_SCATTER, Algorithm::HALVING_DOUBLING, 4, 2, 0),
              "reduce-scatter by halving-doubling has one chunk, not 2");
    EXPECT_EQ(
        CatchMessage([] { CollectiveSchedule(Kind::ALL_REDUCE, Algorithm::RING, 2, 1ULL << 61); }),
        "all-reduce by ring has at most 2^60 bytes, not 2305843009213693952");
}

TEST(CollectiveSchedule, RefusesServersChannelsAndSizesThatDoNotFit)
{
    const auto check = [](void (*change)(CollectiveScheduleSettings&)) {
        CollectiveScheduleSettings settings;
        settings.nMembers = 12;
        settings.bytes = 64;
        change(settings);
        return CatchMessage([&settings] { CollectiveSchedule schedule(settings); });
    };
    using S = CollectiveScheduleSettings;
    EXPECT_EQ(check([](S&) {}), "");
    EXPECT_EQ(check([](S& s) { s.nPerServer = 8; }),
              "all-reduce by ring has a multiple of the members of a server, 8, not 12");
    EXPECT_EQ(check([](S& s) { s.nPerServer = 0; }),
              "all-reduce by ring has a multiple of the members of a server, 0, not 12");
    EXPECT_EQ(check([](S& s) { s.nChannels = 65; }),
              "all-reduce by ring has from 1 to 64 channels, not 65");
    EXPECT_EQ(check([](S& s) { s.nChannels = 0; }),
              "all-reduce by ring has from 1 to 64 channels, not 0");
    EXPECT_EQ(check([](S& s) {
                  s.nChannels = 64;
                  s.nChunks = 2049;
              }),
              "all-reduce by ring has at most 131072 chunks of all channels, trees and peers, not "
              "131136");
    EXPECT_EQ(check([](S& s) {
                  s.algorithm = Algorithm::NVLS;
                  s.nPerServer = s.nMembers = 2049;
              }),
              "all-reduce by nvls has at most 2048 members of a server, not 2049");
    EXPECT_EQ(check([](S& s) {
                  s.algorithm = Algorithm::RECURSIVE_DOUBLING;
                  s.nChannels = 2;
              }),
              "all-reduce by recursive-doubling has from 1 to 1 channels, not 2");
    EXPECT_EQ(check([](S& s) {
                  s.algorithm = Algorithm::RECURSIVE_DOUBLING;
                  s.nPerServer = 2;
              }),
              "all-reduce by recursive-doubling has no steps inside of servers");
    EXPECT_EQ(check([](S& s) {
                  s.sizes =
                      std::make_shared<const CollectiveSizes>(CollectiveSizes({{0, 1}, {1, 0}}));
              }),
              "all-reduce by ring has no sizes of each pair");
    EXPECT_EQ(check([](S& s) {
                  s.kind = Kind::ALL_TO_ALL;
                  s.algorithm = Algorithm::DIRECT;
                  s.sizes =
                      std::make_shared<const CollectiveSizes>(CollectiveSizes({{0, 1}, {1, 0}}));
              }),
              "all-to-all by direct has the sizes of other members, or another number of bytes");
}

TEST(CollectiveSchedule, NamesAreReadBack)
{
    for (const Way& way : WAYS)
    {
        Kind kind = Kind::BROADCAST;
        Algorithm algorithm = Algorithm::CHAIN;
        EXPECT_TRUE(ParseCollectiveKind(GetCollectiveName(way.kind), kind));
        EXPECT_TRUE(ParseCollectiveAlgorithm(GetCollectiveAlgorithmName(way.algorithm), algorithm));
        EXPECT_EQ(kind, way.kind);
        EXPECT_EQ(algorithm, way.algorithm);
        EXPECT_FALSE(ParseCollectiveKind("ring", kind));
        EXPECT_NO_THROW(CollectiveSchedule(kind, GetCollectiveAlgorithms(kind).front(), 7, 1));
    }
}
