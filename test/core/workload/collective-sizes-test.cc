// SPDX-License-Identifier: GPL-2.0-only

// All-to-all in which each pair of members has a size of its own.

#include "collective-executor.h"
#include "test/core/core-test.h"

using Rows = std::vector<std::vector<uint64_t>>;

TEST(CollectiveSizes, BlocksStandOneBehindAnotherInBothBuffers)
{
    const CollectiveSizes sizes({{5, 1, 2}, {3, 0, 7}, {4, 6, 8}});
    EXPECT_EQ(sizes.GetSent(1, 2).offset, 3U);
    EXPECT_EQ(sizes.GetSent(1, 2).bytes, 7U);
    EXPECT_EQ(sizes.GetReceived(1, 2).offset, 2U);
    EXPECT_EQ(sizes.GetReceived(1, 2).bytes, 7U);
    EXPECT_EQ(sizes.GetReceived(2, 0).offset, 8U);
    EXPECT_EQ(sizes.GetSent(2, 0).offset, 0U);
    EXPECT_EQ(sizes.GetSent(2, 0).bytes, 4U);
    EXPECT_EQ(sizes.GetBytes(), 18U);                             // member 2 sends 18, and gets 17
    EXPECT_EQ(CollectiveSizes({{0, 9}, {1, 9}}).GetBytes(), 18U); // member 1 gets 18
}

TEST(CollectiveSizes, RefusesWhatIsNoMatrixOrTooLarge)
{
    const auto make = [](const Rows& rows) {
        return CatchMessage([&rows] { CollectiveSizes sizes(rows); });
    };
    EXPECT_EQ(make({}), "sizes have from 1 to 4096 rows, not 0");
    EXPECT_EQ(make(Rows(4097)), "sizes have from 1 to 4096 rows, not 4097");
    EXPECT_EQ(make({{1, 2}, {3}}), "row 1 of the sizes has 2 columns, not 1");
    const uint64_t most = 1ULL << 60;
    EXPECT_EQ(make({{0, most}, {most, 0}}), "");
    EXPECT_EQ(make({{1, most}, {0, 0}}), "member 0 sends more than 2^60 bytes");
    EXPECT_EQ(make({{0, most}, {0, 1}}), "member 1 gets more than 2^60 bytes");
    EXPECT_EQ(make({{0, ~0ULL}, {0, 0}}), "member 0 sends more than 2^60 bytes");
}

TEST(CollectiveSizes, HotExpertGetsItsLoadOverTheMean)
{
    const CollectiveSizes sizes = MakeSkewedSizes(4, 1000, 1, 2);
    for (uint32_t from = 0; from < 4; ++from)
    {
        EXPECT_EQ(sizes.GetSent(from, 1).bytes, 500U);
        EXPECT_EQ(sizes.GetSent(from, 0).bytes, 167U);
        EXPECT_EQ(sizes.GetSent(from, 2).bytes, 167U);
        EXPECT_EQ(sizes.GetSent(from, 3).bytes, 166U);
    }
    EXPECT_EQ(sizes.GetBytes(), 2000U);                         // what the hot one gets
    EXPECT_EQ(sizes.GetTransposed().GetSent(1, 3).bytes, 500U); // and sends back
    EXPECT_EQ(sizes.GetTransposed().GetReceived(1, 3).offset, 167U);
    const CollectiveSizes even = MakeSkewedSizes(3, 10, 2, 1);
    EXPECT_EQ(even.GetSent(0, 2).bytes, 3U);
    EXPECT_EQ(even.GetSent(0, 0).bytes, 4U);
    const CollectiveSizes all = MakeSkewedSizes(3, 10, 0, 3);
    EXPECT_EQ(all.GetSent(1, 0).bytes, 10U);
    EXPECT_EQ(all.GetSent(1, 2).bytes, 0U);
    EXPECT_EQ(CatchMessage([] { MakeSkewedSizes(4, 1, 4, 1); }),
              "one of 2 to 4096 members gets the most, not member 4 of 4");
    EXPECT_EQ(CatchMessage([] { MakeSkewedSizes(4, 1, 0, 0.5); }),
              "the load of a member over the mean is from 1 to 4, not 0.500000");
    EXPECT_EQ(CatchMessage([] { MakeSkewedSizes(4, 1ULL << 60, 0, 1); }),
              "all members together have at most 2^60 bytes to send");
}

RC_GTEST_PROP(CollectiveSizes, AllMembersHaveTheRightData, ())
{
    CollectiveScheduleSettings settings;
    settings.kind = CollectiveKind::ALL_TO_ALL;
    settings.algorithm = DrawElement({CollectiveAlgorithm::PAIRWISE, CollectiveAlgorithm::DIRECT});
    settings.nPerServer = DrawInRange<uint32_t>(1, 4);
    settings.nMembers = settings.nPerServer * DrawInRange<uint32_t>(1, 5);
    settings.nChunks = DrawInRange<uint32_t>(1, 4);
    Rows rows(settings.nMembers);
    for (auto& row : rows)
    {
        row = *rc::gen::container<std::vector<uint64_t>>(settings.nMembers,
                                                         rc::gen::inRange<uint64_t>(0, 20));
    }
    settings.sizes = std::make_shared<const CollectiveSizes>(rows);
    settings.bytes = settings.sizes->GetBytes();
    const CollectiveSchedule schedule(settings);
    Executor executor(schedule);
    uint64_t state = DrawAny<uint64_t>();
    RC_ASSERT(executor.Run([&state](std::size_t size) {
        state = state * 6364136223846793005 + 1442695040888963407;
        return static_cast<std::size_t>((state >> 33) % size);
    }));
    RC_ASSERT(HasRightData(executor, schedule));
    for (uint32_t member = 0; member < settings.nMembers; ++member)
    {
        uint64_t sum = 0;
        for (uint32_t to = 0; to < settings.nMembers; ++to)
        {
            sum += to == member ? 0 : rows[member][to];
        }
        RC_ASSERT(executor.sent[member] == sum);
    }
}

uint32_t
CountMessages(const CollectiveScheduleSettings& settings)
{
    const CollectiveSchedule schedule(settings);
    uint32_t nSent = 0;
    uint32_t nReceived = 0;
    for (uint32_t member = 0; member < settings.nMembers; ++member)
    {
        for (uint32_t lane = 0; lane < schedule.GetNLanes(); ++lane)
        {
            for (uint32_t i = 0; i < schedule.GetNSteps(member, lane); ++i)
            {
                const CollectiveStep step = schedule.GetStep(member, lane, i);
                nSent += step.sendTo == CollectiveStep::NONE ? 0 : 1;
                nReceived += step.receiveFrom == CollectiveStep::NONE ? 0 : 1;
            }
        }
    }
    EXPECT_EQ(nSent, nReceived);
    return nSent;
}

TEST(CollectiveSizes, WhereNothingIsSentThereIsNoMessage)
{
    CollectiveScheduleSettings settings;
    settings.kind = CollectiveKind::ALL_TO_ALL;
    settings.nMembers = 4;
    for (const auto algorithm : {CollectiveAlgorithm::PAIRWISE, CollectiveAlgorithm::DIRECT})
    {
        settings.algorithm = algorithm;
        const auto count = [&settings](const Rows& rows, uint32_t nChunks) {
            settings.sizes = std::make_shared<const CollectiveSizes>(rows);
            settings.bytes = settings.sizes->GetBytes();
            settings.nChunks = nChunks;
            return CountMessages(settings);
        };
        EXPECT_EQ(count(Rows(4, {0, 0, 0, 0}), 1), 0U);
        EXPECT_EQ(count(Rows(4, {0, 0, 0, 0}), 3), 0U);
        EXPECT_EQ(count({{9, 0, 0, 0}, {0, 9, 0, 0}, {0, 0, 9, 0}, {0, 0, 0, 9}}, 1), 0U);
        EXPECT_EQ(count({{9, 0, 2, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 9}}, 1), 2U);
        // 2 bytes in 3 chunks are two messages
        EXPECT_EQ(count({{9, 0, 2, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0, 9}}, 3), 3U);
        // Equal parts of no bytes, and of 2 bytes, which are for members 0 and 1
        settings.sizes = nullptr;
        settings.nChunks = 1;
        settings.bytes = 0;
        EXPECT_EQ(CountMessages(settings), 0U);
        settings.bytes = 2;
        EXPECT_EQ(CountMessages(settings), 6U);
    }
}

TEST(CollectiveSizes, AllToAllOf512MembersDeliversTheRightData)
{
    for (const auto algorithm : {CollectiveAlgorithm::PAIRWISE, CollectiveAlgorithm::DIRECT})
    {
        CollectiveScheduleSettings settings;
        settings.kind = CollectiveKind::ALL_TO_ALL;
        settings.algorithm = algorithm;
        settings.nMembers = 512;
        settings.nPerServer = 8;
        settings.sizes = std::make_shared<const CollectiveSizes>(MakeSkewedSizes(512, 600, 77, 30));
        settings.bytes = settings.sizes->GetBytes();
        const CollectiveSchedule schedule(settings);
        Executor executor(schedule);
        EXPECT_TRUE(executor.RunInRounds());
        EXPECT_TRUE(HasRightData(executor, schedule));
    }
}

TEST(CollectiveExchange, RoundsInsideOfServersComeFirstAndNoTwoSendToOne)
{
    CollectiveScheduleSettings settings;
    settings.kind = CollectiveKind::ALL_TO_ALL;
    settings.algorithm = CollectiveAlgorithm::PAIRWISE;
    settings.nMembers = 6;
    settings.nPerServer = 2;
    settings.bytes = 60;
    const CollectiveSchedule schedule(settings);
    const auto getPeers = [&schedule](uint32_t member) {
        std::string text;
        for (uint32_t i = 0; i < schedule.GetNSteps(member, 0); ++i)
        {
            text += std::to_string(schedule.GetStep(member, 0, i).sendTo);
        }
        return text;
    };
    EXPECT_EQ(getPeers(0), "12345");
    EXPECT_EQ(getPeers(1), "03254");
    EXPECT_EQ(getPeers(4), "50123");
    EXPECT_EQ(getPeers(5), "41032");
}
