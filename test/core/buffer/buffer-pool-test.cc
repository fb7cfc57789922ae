// SPDX-License-Identifier: GPL-2.0-only

// The shared buffer: Dynamic Threshold of Choudhury and Hahne (1998), reserved bytes, caps,
// headroom.

#include "model/core/buffer/buffer-pool.h"
#include "model/core/coupled-ecn/ecn-threshold.h"
#include "test/core/core-test.h"

BufferPool
MakePool(uint64_t size, uint32_t nQueues, double alpha)
{
    BufferPool pool(size);
    BufferLimits limits;
    limits.alpha = alpha;
    for (uint32_t i = 0; i < nQueues; ++i)
    {
        EXPECT_TRUE(pool.SetLimits(pool.AddQueue(), limits));
    }
    return pool;
}

struct SteadyState
{
    double alpha;
    uint32_t nQueues;
    uint64_t threshold; //!< alpha B / (1 + n alpha), rounded, for B = 12,000,000
};

class DynamicThreshold : public testing::TestWithParam<SteadyState>
{
};

TEST_P(DynamicThreshold, GreedyQueuesSettleAtTheClosedForm)
{
    const auto& row = GetParam();
    auto pool = MakePool(12000000, row.nQueues, row.alpha);
    bool admitted = true;
    while (admitted) // all queues grow in turn, a byte at a time towards the end
    {
        admitted = false;
        for (uint32_t q = 0; q < row.nQueues; ++q)
        {
            for (const uint64_t bytes : {1000, 100, 10, 1})
            {
                if (pool.Admit(q, bytes) == Admission::ADMITTED)
                {
                    admitted = true;
                    break;
                }
            }
        }
    }
    for (uint32_t q = 0; q < row.nQueues; ++q)
    {
        // The last 1000-byte steps of unequal queues leave them apart by less than that.
        EXPECT_NEAR(pool.GetOccupancy(q), row.threshold, 1000) << "queue " << q;
        EXPECT_EQ(pool.Check(q, 1000), Admission::OVER_THRESHOLD);
    }
    const double free = 12e6 / (1 + row.nQueues * row.alpha);
    EXPECT_NEAR(pool.GetFree(), free, 1000);
}

INSTANTIATE_TEST_SUITE_P(ChoudhuryHahne,
                         DynamicThreshold,
                         testing::Values(SteadyState{1, 1, 6000000},
                                         SteadyState{1, 4, 2400000},
                                         SteadyState{1, 48, 244898},
                                         SteadyState{8, 4, 2909091},
                                         SteadyState{8, 48, 249351},
                                         SteadyState{0.125, 4, 1000000}));

// What is left between mark and drop when n queues grow together (the manual's validation). For a
// large alpha Buf_Thrd is the queue's use and what is free, so marking begins when free = Offset,
// q = (B - Offset) / n = (12,000,000 - 159,000) / 48 = 246,688; dropping begins at
// alpha B / (1 + n alpha) = 249,351. The Offset is not what is left: 2,663 bytes are.
TEST(BufferPool, QueuesThatGrowTogetherShareTheOffset)
{
    constexpr uint64_t OFFSET = 159000;
    constexpr uint64_t STEP = 10;
    auto pool = MakePool(12000000, 48, 8);
    uint64_t firstMark = 0;
    for (uint64_t q = STEP;; q += STEP)
    {
        for (uint32_t queue = 0; queue < 48; ++queue)
        {
            if (pool.Admit(queue, STEP) != Admission::ADMITTED)
            {
                EXPECT_NEAR(firstMark, 246688, 2 * STEP);
                EXPECT_NEAR(q, 249351, 2 * STEP);
                return;
            }
            if (firstMark == 0 &&
                q >= ComputeEcnThreshold(pool.GetThreshold(queue), OFFSET, 30000).bytes)
            {
                firstMark = q;
            }
        }
    }
}

TEST(BufferPool, ThresholdIsPhysicallyBounded)
{
    // alpha 8 of 12 MB would promise 96 MB: an idle queue may have what there is.
    auto pool = MakePool(12000000, 2, 8);
    EXPECT_EQ(pool.GetThreshold(0), 12000000U);
    ASSERT_EQ(pool.Admit(1, 2000000), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(0), 10000000U); // what is free
    EXPECT_EQ(pool.GetThreshold(1), 12000000U); // its own use and what is free
}

TEST(BufferPool, AdmitsUpToTheThresholdAndNotAByteMore)
{
    auto pool = MakePool(1000, 1, 1); // threshold 1000 - q: 500 fits when empty, then T = 500
    EXPECT_EQ(pool.Check(0, 1000), Admission::ADMITTED);
    EXPECT_EQ(pool.Check(0, 1001), Admission::BUFFER_EXHAUSTED);
    ASSERT_EQ(pool.Admit(0, 500), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(0), 500U);
    EXPECT_EQ(pool.Check(0, 1), Admission::OVER_THRESHOLD);
    EXPECT_EQ(pool.Check(0, 501), Admission::BUFFER_EXHAUSTED);
    pool.Release(0, 1);
    EXPECT_EQ(pool.GetThreshold(0), 501U);
    EXPECT_EQ(pool.Check(0, 2), Admission::ADMITTED);
}

TEST(BufferPool, ReservedBytesAreAlwaysThere)
{
    BufferPool pool(1000);
    const auto greedy = pool.AddQueue();
    const auto poor = pool.AddQueue();
    BufferLimits limits;
    limits.alpha = 1000;
    ASSERT_TRUE(pool.SetLimits(greedy, limits));
    limits.alpha = 0.001;
    limits.reserved = 300;
    ASSERT_TRUE(pool.SetLimits(poor, limits));
    EXPECT_EQ(pool.GetThreshold(greedy), 700U);
    ASSERT_EQ(pool.Admit(greedy, 700), Admission::ADMITTED);
    EXPECT_EQ(pool.GetFree(), 0U);
    EXPECT_EQ(pool.Check(greedy, 1), Admission::BUFFER_EXHAUSTED);
    EXPECT_EQ(pool.GetThreshold(poor), 300U);
    EXPECT_EQ(pool.Admit(poor, 100), Admission::ADMITTED);
    EXPECT_EQ(pool.Check(poor, 201), Admission::BUFFER_EXHAUSTED);
    EXPECT_EQ(pool.Admit(poor, 200), Admission::ADMITTED);
    EXPECT_EQ(pool.Check(poor, 1), Admission::BUFFER_EXHAUSTED);
}

TEST(BufferPool, Section9CapBoundsTheThreshold)
{
    auto pool = MakePool(1000, 1, 8);
    BufferLimits limits = pool.GetLimits(0);
    limits.cap = 200;
    ASSERT_TRUE(pool.SetLimits(0, limits));
    EXPECT_EQ(pool.GetThreshold(0), 200U);
    EXPECT_EQ(pool.Admit(0, 200), Admission::ADMITTED);
    EXPECT_EQ(pool.Admit(0, 1), Admission::OVER_CAP);
}

// What fills a limit to the byte is within it, and the reason of a refusal is another one.
TEST(BufferPool, LimitsAreFilledExactly)
{
    auto pool = MakePool(1000, 1, 0.5); // Buf_Thrd 500
    EXPECT_EQ(pool.Check(0, 1000), Admission::OVER_THRESHOLD);
    EXPECT_EQ(pool.Check(0, 1001), Admission::BUFFER_EXHAUSTED);
    BufferLimits limits = pool.GetLimits(0);
    limits.cap = 600;
    ASSERT_TRUE(pool.SetLimits(0, limits));
    EXPECT_EQ(pool.Check(0, 600), Admission::OVER_THRESHOLD);
    EXPECT_EQ(pool.Check(0, 601), Admission::OVER_CAP);
    limits.headroom = 50; // and 950 shared: Buf_Thrd 475
    ASSERT_TRUE(pool.SetLimits(0, limits));
    ASSERT_EQ(pool.Admit(0, 316), Admission::ADMITTED); // now 0.5 * 634 = 317
    EXPECT_EQ(pool.Check(0, 50), Admission::HEADROOM);
    EXPECT_EQ(pool.Check(0, 51), Admission::OVER_THRESHOLD);
    // Charged elsewhere, a queue has its cap alone.
    limits.chargedElsewhere = true;
    limits.headroom = 0;
    ASSERT_TRUE(pool.SetLimits(0, limits));
    EXPECT_EQ(pool.Check(0, 285), Admission::OVER_CAP);
    ASSERT_EQ(pool.Admit(0, 284), Admission::ADMITTED); // 600
    EXPECT_EQ(pool.Check(0, 1), Admission::OVER_CAP);
}

TEST(BufferPool, HeadroomTakesWhatTheThresholdRefusesAndIsGivenBackFirst)
{
    BufferPool pool(1000);
    const auto q = pool.AddQueue();
    BufferLimits limits;
    limits.alpha = 1;
    limits.headroom = 200; // 800 shared: the queue settles at 400
    ASSERT_TRUE(pool.SetLimits(q, limits));
    ASSERT_EQ(pool.Admit(q, 400), Admission::ADMITTED);
    EXPECT_EQ(pool.Admit(q, 150), Admission::HEADROOM);
    EXPECT_EQ(pool.Check(q, 51), Admission::OVER_THRESHOLD);
    EXPECT_EQ(pool.GetOccupancy(q), 550U);
    EXPECT_EQ(pool.GetFree(), 400U); // the headroom is not shared memory
    pool.Release(q, 150);
    EXPECT_EQ(pool.GetOccupancy(q), 400U);
    EXPECT_EQ(pool.GetFree(), 400U);
    pool.Release(q, 400);
    EXPECT_EQ(pool.GetFree(), 800U);
}

// What an ingress account is charged for is not counted again at the egress queue.
TEST(BufferPool, AQueueChargedElsewhereIsInNoSumAndHasItsCapAlone)
{
    auto pool = MakePool(1000, 2, 1);
    BufferLimits limits = pool.GetLimits(0);
    limits.chargedElsewhere = true;
    limits.cap = 5000;
    ASSERT_TRUE(pool.SetLimits(0, limits));
    EXPECT_EQ(pool.Admit(0, 4000), Admission::ADMITTED);
    EXPECT_EQ(pool.GetOccupancy(0), 4000U);
    EXPECT_EQ(pool.GetUsed(), 0U);
    EXPECT_EQ(pool.GetFree(), 1000U);
    EXPECT_EQ(pool.GetThreshold(0), 1000U); // alpha times what is free
    EXPECT_EQ(pool.Admit(0, 1001), Admission::OVER_CAP);
    ASSERT_EQ(pool.Admit(1, 400), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(0), 600U);
    // From now on it is charged itself, for what it holds too.
    limits.chargedElsewhere = false;
    ASSERT_TRUE(pool.SetLimits(0, limits));
    EXPECT_EQ(pool.GetUsed(), 4400U);
    EXPECT_EQ(pool.GetFree(), 0U);
    limits.chargedElsewhere = true;
    ASSERT_TRUE(pool.SetLimits(0, limits));
    EXPECT_EQ(pool.GetUsed(), 400U);
    pool.Release(0, 4000);
    EXPECT_EQ(pool.GetOccupancy(0), 0U);
    EXPECT_EQ(pool.GetUsed(), 400U);
}

// What marking engines see that learn of less free memory at once and of more at the next poll.
TEST(BufferPool, Section61TheThresholdOfLessFreeMemoryIsNeverTheHigherOne)
{
    auto pool = MakePool(1000, 2, 2);
    ASSERT_EQ(pool.Admit(0, 300), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(0), 1000U);      // min(2 * 700, 300 + 700)
    EXPECT_EQ(pool.GetThreshold(0, 700), 1000U); // as many as there are
    EXPECT_EQ(pool.GetThreshold(0, 400), 700U);  // min(2 * 400, 300 + 400)
    EXPECT_EQ(pool.GetThreshold(0, 300), 600U);  // min(2 * 300, 300 + 300)
    EXPECT_EQ(pool.GetThreshold(0, 200), 400U);  // min(2 * 200, 300 + 200)
    EXPECT_EQ(pool.GetThreshold(0, 0), 0U);
    EXPECT_EQ(pool.GetThreshold(1, 700), 700U); // min(2 * 700, 0 + 700)
}

RC_GTEST_PROP(BufferPool,
              Section61ThresholdsAreMonotoneInTheFreeMemory,
              (uint16_t use, uint16_t reserved, uint16_t cap, uint16_t free, uint16_t more))
{
    BufferPool pool(1 << 20);
    BufferLimits limits;
    limits.alpha = DrawElement({1.0 / 128, 0.5, 1.0, 3.0, 64.0});
    limits.reserved = reserved;
    limits.cap = cap;
    const auto q = pool.AddQueue();
    RC_ASSERT(pool.SetLimits(q, limits));
    pool.Force(q, use);
    RC_ASSERT(pool.GetThreshold(q, free) <= pool.GetThreshold(q, uint64_t{free} + more));
}

TEST(BufferPool, RefusesImpossibleLimits)
{
    BufferPool pool(1000);
    const auto q = pool.AddQueue();
    const auto other = pool.AddQueue();
    BufferLimits limits;
    limits.reserved = 600;
    EXPECT_TRUE(pool.SetLimits(q, limits));
    EXPECT_FALSE(pool.SetLimits(other, limits)); // 1200 of 1000
    limits.reserved = 400;
    limits.headroom = 1;
    EXPECT_FALSE(pool.SetLimits(other, limits));
    EXPECT_EQ(pool.GetLimits(other).reserved, 0U); // unchanged
    limits = {};
    for (const double alpha : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    {
        limits.alpha = alpha;
        EXPECT_FALSE(pool.SetLimits(other, limits)) << alpha;
    }
    EXPECT_FALSE(pool.SetSize(599));
    EXPECT_TRUE(pool.SetSize(600));
    EXPECT_EQ(pool.GetFree(), 0U);
}

TEST(BufferPool, AllOfTheMemoryMayBeSetAside)
{
    BufferPool pool(1000);
    const auto q = pool.AddQueue();
    BufferLimits limits;
    limits.reserved = 1000;
    EXPECT_TRUE(pool.SetLimits(q, limits));
    limits.reserved = 1001;
    EXPECT_FALSE(pool.SetLimits(q, limits));
    limits.reserved = 400;
    limits.headroom = 600;
    EXPECT_TRUE(pool.SetLimits(q, limits));
    EXPECT_EQ(pool.GetShared(), 0U);
    limits.headroom = 601;
    EXPECT_FALSE(pool.SetLimits(q, limits));
}

TEST(BufferPool, ShrinkingBelowTheUseLeavesNothingFree)
{
    auto pool = MakePool(1000, 1, 1);
    ASSERT_EQ(pool.Admit(0, 500), Admission::ADMITTED);
    ASSERT_TRUE(pool.SetSize(100));
    EXPECT_EQ(pool.GetFree(), 0U);
    EXPECT_EQ(pool.GetThreshold(0), 0U);
    EXPECT_EQ(pool.Check(0, 1), Admission::BUFFER_EXHAUSTED);
    pool.Release(0, 500);
    EXPECT_EQ(pool.GetFree(), 100U);
}

/// Any sequence of arrivals, departures and reconfigurations keeps the books.
RC_GTEST_PROP(BufferPool, BytesAdmittedAreBytesReleasedOrHeld, ())
{
    const auto nQueues = DrawInRange<uint32_t>(1, 6);
    BufferPool pool(DrawInRange<uint64_t>(1, 20000));
    std::vector<uint64_t> held(nQueues);       // the reference: bytes in less bytes out,
    std::vector<uint64_t> inHeadroom(nQueues); // and how many of them went to the headroom
    for (uint32_t q = 0; q < nQueues; ++q)
    {
        pool.AddQueue();
    }
    const auto steps = DrawInRange(0, 200);
    for (int i = 0; i < steps; ++i)
    {
        const auto q = DrawInRange<uint32_t>(0, nQueues);
        const auto bytes = DrawInRange<uint64_t>(1, 3000);
        switch (DrawInRange(0, 5))
        {
        case 0: {
            BufferLimits limits;
            limits.alpha = DrawElement({0.01, 0.5, 1.0, 8.0});
            limits.reserved = DrawInRange<uint64_t>(0, 2000);
            limits.headroom = DrawInRange<uint64_t>(0, 2000);
            limits.cap = DrawInRange<uint64_t>(0, 20000);
            pool.SetLimits(q, limits);
            break;
        }
        case 1: {
            const auto some = std::min(bytes, held[q]);
            pool.Release(q, some);
            held[q] -= some;
            inHeadroom[q] -= std::min(some, inHeadroom[q]);
            break;
        }
        default: {
            const auto threshold = pool.GetThreshold(q);
            const auto after = held[q] - inHeadroom[q] + bytes;
            const auto foretold = pool.Check(q, bytes);
            const auto admission = pool.Admit(q, bytes);
            RC_ASSERT(admission == foretold);
            RC_ASSERT((admission == Admission::ADMITTED) == (after <= threshold));
            if (admission == Admission::HEADROOM)
            {
                inHeadroom[q] += bytes;
                RC_ASSERT(inHeadroom[q] <= pool.GetLimits(q).headroom);
            }
            if (admission == Admission::ADMITTED || admission == Admission::HEADROOM)
            {
                held[q] += bytes;
            }
            else
            {
                RC_ASSERT(inHeadroom[q] + bytes > pool.GetLimits(q).headroom);
            }
        }
        }
        RC_ASSERT(pool.GetOccupancy(q) == held[q]);
        RC_ASSERT(pool.GetUsed() == std::accumulate(held.begin(), held.end(), uint64_t{0}));
        RC_ASSERT(pool.GetThreshold(q) <= pool.GetLimits(q).cap);
    }
    for (uint32_t q = 0; q < nQueues; ++q)
    {
        pool.Release(q, held[q]);
    }
    RC_ASSERT(pool.GetUsed() == 0U);
}

RC_GTEST_PROP(BufferPool, NeverHoldsMoreThanItsSize, ())
{
    const auto size = DrawInRange<uint64_t>(1, 20000);
    auto pool = MakePool(size, 4, DrawElement({0.01, 1.0, 8.0, 1e9}));
    for (int i = 0; i < 100; ++i)
    {
        const auto q = DrawInRange<uint32_t>(0, 4);
        pool.Admit(q, DrawInRange<uint64_t>(0, 3000));
        RC_ASSERT(pool.GetUsed() <= size);
    }
}
