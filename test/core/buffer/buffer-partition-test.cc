// SPDX-License-Identifier: GPL-2.0-only

// Memory as switch chips have it: cells, shared memory as configured, pooled headroom, two levels.

#include "model/core/buffer/buffer-pool.h"
#include "model/core/buffer/ingress-pool.h"
#include "test/core/core-test.h"

using namespace ns3::aidc;

namespace
{

// A frame is the packet and 18 octets, at least 64. 4140 + 18 = 4158 octets are 16.4 cells of 254;
// 46 + 18 = 64 are one. 236 + 18 = 254 are one cell, and one octet more is two.
TEST(BufferCells, CountTheFrameWithHeaderAndCheckSequence)
{
    const BufferCells cells{254};
    EXPECT_EQ(cells.GetCharge(4140), 17U * 254);
    EXPECT_EQ(cells.GetCharge(46), 254U);
    EXPECT_EQ(cells.GetCharge(20), 254U);
    EXPECT_EQ(cells.GetCharge(236), 254U);
    EXPECT_EQ(cells.GetCharge(237), 508U);
    EXPECT_EQ(BufferCells{1}.GetCharge(1006), 1024U); // frames in bytes
    EXPECT_EQ(BufferCells{1}.GetCharge(1), 64U);      // padded
    EXPECT_EQ(BufferCells{}.GetCharge(1006), 1006U);  // packets, as without cells
}

// Two queues with 100 reserved and 50 of headroom each; 1000 are shared whatever they have.
TEST(BufferPool, SharedMemoryMayBeSetAndWhatIsSetAsideComesOnTop)
{
    BufferPool pool(10);
    ASSERT_TRUE(pool.SetShared(1000));
    BufferLimits limits;
    limits.reserved = 100;
    limits.headroom = 50;
    ASSERT_TRUE(pool.SetLimits(pool.AddQueue(), limits));
    ASSERT_TRUE(pool.SetLimits(pool.AddQueue(), limits));
    EXPECT_EQ(pool.GetShared(), 1000U);
    EXPECT_EQ(pool.GetSize(), 1300U);
    EXPECT_EQ(pool.GetThreshold(0), 1100U);
    ASSERT_TRUE(pool.SetShared(0)); // now all but what is set aside of the size
    EXPECT_EQ(pool.GetShared(), 1000U);
    ASSERT_TRUE(pool.SetSize(1200));
    EXPECT_EQ(pool.GetShared(), 900U);
}

// Three queues of 1000 shared bytes, headroom of 100 each but 150 for all: the first takes its 100,
// the second 50, the third none. What the first gives back, the third may take.
TEST(BufferPool, HeadroomMayBePooled)
{
    BufferPool pool(1150);
    ASSERT_TRUE(pool.SetHeadroomPool(150));
    BufferLimits limits;
    limits.headroom = 100;
    for (int i = 0; i < 3; ++i)
    {
        ASSERT_TRUE(pool.SetLimits(pool.AddQueue(), limits));
    }
    EXPECT_EQ(pool.GetShared(), 1000U);
    for (int i = 0; i < 3; ++i)
    {
        pool.Force(i, 334); // no shared memory is left
    }
    ASSERT_EQ(pool.Admit(0, 100), Admission::HEADROOM);
    EXPECT_EQ(pool.Admit(0, 1), Admission::BUFFER_EXHAUSTED); // its own limit
    ASSERT_EQ(pool.Admit(1, 50), Admission::HEADROOM);
    EXPECT_EQ(pool.Admit(1, 1), Admission::BUFFER_EXHAUSTED); // the pool's
    EXPECT_EQ(pool.Admit(2, 1), Admission::BUFFER_EXHAUSTED);
    pool.Release(0, 30);
    EXPECT_EQ(pool.Admit(2, 31), Admission::BUFFER_EXHAUSTED);
    EXPECT_EQ(pool.Admit(2, 30), Admission::HEADROOM);
    EXPECT_FALSE(pool.SetHeadroomPool(1151));
}

// A queue alone with factor q in a port with factor p settles where x = q (p (B - x) - x), that is
// at p q B / (1 + q + p q): of 1,200,000 with p = 2 and q = 1/2, at 1 / 2.5 of it, 480,000.
TEST(BufferPool, TwoLevelsLimitAQueueByWhatItsPortLeaves)
{
    BufferPool pool(1200000);
    BufferLimits limits;
    limits.alpha = 0.5;
    const auto port = pool.AddPort(2);
    for (int i = 0; i < 2; ++i)
    {
        const auto queue = pool.AddQueue();
        ASSERT_TRUE(pool.SetLimits(queue, limits));
        pool.SetGroup(queue, port);
    }
    const auto other = pool.AddQueue();
    uint64_t held = 0;
    while (pool.Admit(0, 10) == Admission::ADMITTED)
    {
        held += 10;
    }
    EXPECT_NEAR(held, 480000, 10);
    // The port leaves 2 * 720,000 - 480,000.
    EXPECT_NEAR(pool.GetThreshold(1), 480000, 20);
    // A queue of no port has its factor of what is free.
    EXPECT_EQ(pool.GetThreshold(other), 1200000 - held);
    pool.Release(0, held);
    EXPECT_EQ(pool.GetThreshold(1), 1200000U); // half of 2 * B
    EXPECT_EQ(pool.GetUsed(), 0U);
}

// Lossy queues share 600 of 1000: with factor 1 one of them settles at 300, though 1000 are free; a
// queue of no group then has 700. When that one takes 600, 300 are left of the bound, but only 100
// of the memory.
TEST(BufferPool, AGroupMayHaveABound)
{
    BufferPool pool(1000);
    const auto bound = pool.AddBound(600);
    for (int i = 0; i < 2; ++i)
    {
        pool.SetGroup(pool.AddQueue(), bound);
    }
    const auto other = pool.AddQueue();
    EXPECT_EQ(pool.GetThreshold(0), 600U);
    ASSERT_EQ(pool.Admit(0, 300), Admission::ADMITTED);
    EXPECT_EQ(pool.Admit(0, 1), Admission::OVER_THRESHOLD);
    EXPECT_EQ(pool.GetThreshold(1), 300U);
    EXPECT_EQ(pool.GetThreshold(other), 700U);
    ASSERT_EQ(pool.Admit(other, 600), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(1), 100U);
}

// A port in a bound: factor 2 of what the bound leaves, less what the port has.
TEST(BufferPool, AGroupMayBeInAGroup)
{
    BufferPool pool(1000);
    const auto bound = pool.AddBound(600);
    const auto port = pool.AddPort(2, bound);
    pool.SetGroup(pool.AddQueue(), port);
    pool.SetGroup(pool.AddQueue(), bound);
    ASSERT_EQ(pool.Admit(1, 200), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(0), 800U); // 2 * (600 - 200), and 800 are free
    ASSERT_EQ(pool.Admit(0, 100), Admission::ADMITTED);
    EXPECT_EQ(pool.GetThreshold(0), 500U); // 2 * (600 - 300) - 100
    pool.Release(0, 100);
    pool.Release(1, 200);
    EXPECT_EQ(pool.GetThreshold(1), 600U);
}

RC_GTEST_PROP(BufferPool, WhatIsReleasedIsWhatWasAdmittedInCellsAndPorts, (bool isPooled))
{
    BufferPool pool(100000);
    pool.SetCellSize(DrawInRange<uint32_t>(0, 300));
    RC_ASSERT(pool.SetHeadroomPool(isPooled ? 5000 : 0));
    const auto port = pool.AddPort(2);
    BufferLimits limits;
    limits.reserved = 700;
    limits.headroom = 3000;
    for (uint32_t i = 0; i < 3; ++i)
    {
        const auto queue = pool.AddQueue();
        RC_ASSERT(pool.SetLimits(queue, limits));
        if (i > 0)
        {
            pool.SetGroup(queue, port);
        }
    }
    std::vector<std::pair<uint32_t, uint32_t>> held;
    const auto sizes = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange(20U, 9200U));
    uint64_t sum = 0;
    for (const uint32_t size : sizes)
    {
        const uint32_t queue = size % 3;
        const uint32_t bytes = pool.GetCharge(size);
        const auto admission = pool.Admit(queue, bytes);
        if (admission == Admission::ADMITTED || admission == Admission::HEADROOM)
        {
            held.emplace_back(queue, bytes);
            sum += bytes;
        }
        RC_ASSERT(pool.GetUsed() == sum);
        RC_ASSERT(pool.GetUsed() <= pool.GetSize());
    }
    for (const auto& [queue, bytes] : held)
    {
        pool.Release(queue, bytes);
    }
    RC_ASSERT(pool.GetUsed() == 0U);
    RC_ASSERT(pool.GetFree() == pool.GetShared());
    RC_ASSERT(pool.GetThreshold(1) == pool.GetThreshold(2));
}

TEST(BufferPool, AlphasMayHaveToBePowersOfTwo)
{
    BufferPool pool(1000);
    pool.SetPowersOfTwo(true);
    const auto queue = pool.AddQueue();
    BufferLimits limits;
    for (const double alpha : {1.0 / 128, 0.5, 1.0, 8.0})
    {
        limits.alpha = alpha;
        EXPECT_TRUE(pool.SetLimits(queue, limits)) << alpha;
    }
    for (const double alpha : {0.3, 3.0, 0.0, -2.0})
    {
        limits.alpha = alpha;
        EXPECT_FALSE(pool.SetLimits(queue, limits)) << alpha;
    }
}

// SAI: the peer goes on at the larger one of xon and XOFF - offset. 1000 bytes, factor 1: XOFF is
// 1000 - use. At 400 in use XOFF is 600 and XON max(300, 600 - 500); with another one's 650, XOFF
// is 350 - 0 and XON 300.
TEST(IngressPool, XonIsNotBelowItsLeast)
{
    BufferPool pool(1000);
    IngressPool ingresses(pool);
    const auto account = ingresses.AddAccount();
    IngressLimits limits;
    limits.xonOffset = 500;
    limits.xon = 300;
    ASSERT_TRUE(ingresses.SetLimits(account, limits));
    EXPECT_EQ(ingresses.GetXonThreshold(account), 500U);
    ASSERT_EQ(ingresses.Admit(account, 400).signal, PauseSignal::NONE);
    EXPECT_EQ(ingresses.GetXonThreshold(account), 300U);
    pool.Force(pool.AddQueue(), 400);
    EXPECT_EQ(ingresses.GetXoffThreshold(account), 200U);
    EXPECT_EQ(ingresses.GetXonThreshold(account), 0U); // XOFF is below it
}

} // namespace
