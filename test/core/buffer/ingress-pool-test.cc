// SPDX-License-Identifier: GPL-2.0-only

// Accounts of lossless traffic by the port that it came in by: XOFF, headroom, XON.

#include "model/core/buffer/ingress-pool.h"
#include "test/core/core-test.h"

/// A pool of 1000 bytes and an account with 200 bytes of headroom: 800 are shared.
class IngressPoolTest : public testing::Test
{
  protected:
    IngressPoolTest()
        : pool(1000),
          ingress(pool),
          account(ingress.AddAccount())
    {
        limits.headroom = 200;
        limits.xonOffset = 100;
        EXPECT_TRUE(ingress.SetLimits(account, limits));
    }

    BufferPool pool;
    IngressPool ingress;
    IngressPool::AccountId account;
    IngressLimits limits;
};

// alpha 1 of 800 bytes: XOFF = 800 - q, so that q settles at 400.
TEST_F(IngressPoolTest, XoffComesAtTheDynamicThreshold)
{
    auto outcome = ingress.Admit(account, 399);
    EXPECT_EQ(outcome.admission, Admission::ADMITTED);
    EXPECT_EQ(outcome.signal, PauseSignal::NONE); // 399 of 401
    EXPECT_FALSE(ingress.IsXoff(account));
    outcome = ingress.Admit(account, 1);
    EXPECT_EQ(outcome.admission, Admission::ADMITTED);
    EXPECT_EQ(outcome.signal, PauseSignal::XOFF); // 400 of 400
    EXPECT_TRUE(ingress.IsXoff(account));
}

TEST_F(IngressPoolTest, HeadroomTakesWhatComesAfterXoffAndNotAByteMore)
{
    ASSERT_EQ(ingress.Admit(account, 400).signal, PauseSignal::XOFF);
    const auto outcome = ingress.Admit(account, 200);
    EXPECT_EQ(outcome.admission, Admission::HEADROOM);
    EXPECT_EQ(outcome.signal, PauseSignal::NONE); // once is enough
    EXPECT_EQ(ingress.GetHeadroomUsed(account), 200U);
    EXPECT_EQ(ingress.Admit(account, 1).admission, Admission::OVER_THRESHOLD);
    EXPECT_EQ(ingress.GetOccupancy(account), 600U);
}

TEST_F(IngressPoolTest, APacketThatCrossesTheThresholdGoesToTheHeadroomAndStopsThePeer)
{
    ASSERT_EQ(ingress.Admit(account, 350).signal, PauseSignal::NONE); // of 450
    const auto outcome = ingress.Admit(account, 150);
    EXPECT_EQ(outcome.admission, Admission::HEADROOM);
    EXPECT_EQ(outcome.signal, PauseSignal::XOFF);
}

// 400 held, 400 free: XON = 400 - 100. Each byte that leaves adds one to it: 350 held, XON = 350.
TEST_F(IngressPoolTest, XonComesBelowXoffByTheOffset)
{
    ASSERT_EQ(ingress.Admit(account, 400).signal, PauseSignal::XOFF);
    EXPECT_EQ(ingress.GetXonThreshold(account), 300U);
    EXPECT_EQ(ingress.Release(account, 49), PauseSignal::NONE);
    EXPECT_TRUE(ingress.IsXoff(account));
    EXPECT_EQ(ingress.Release(account, 1), PauseSignal::XON);
    EXPECT_FALSE(ingress.IsXoff(account));
    EXPECT_EQ(ingress.Release(account, 350), PauseSignal::NONE);
    EXPECT_EQ(pool.GetUsed(), 0U);
}

// Others may leave a threshold of nothing; the account still goes on once it is empty.
TEST_F(IngressPoolTest, AnEmptyAccountGoesOnWhateverTheThreshold)
{
    const auto lossy = pool.AddQueue();
    BufferLimits greedy;
    greedy.alpha = 1000;
    ASSERT_TRUE(pool.SetLimits(lossy, greedy));
    ASSERT_EQ(ingress.Admit(account, 400).signal, PauseSignal::XOFF);
    ASSERT_EQ(pool.Admit(lossy, 400), Admission::ADMITTED); // all that is free
    EXPECT_EQ(ingress.GetXoffThreshold(account), 0U);
    EXPECT_EQ(ingress.Admit(account, 200).admission, Admission::HEADROOM);
    EXPECT_EQ(ingress.Release(account, 200), PauseSignal::NONE);
    pool.Force(lossy, 390);
    ASSERT_EQ(ingress.Release(account, 390), PauseSignal::NONE); // 790 and 10 held
    EXPECT_EQ(ingress.GetXonThreshold(account), 0U);
    EXPECT_EQ(ingress.Release(account, 10), PauseSignal::XON);
}

// Otherwise the next XOFF would find less headroom than was set aside for it.
TEST_F(IngressPoolTest, XonComesOnlyOnceTheHeadroomIsFree)
{
    const auto lossy = pool.AddQueue();
    ASSERT_EQ(pool.Admit(lossy, 400), Admission::ADMITTED);
    pool.Force(lossy, 400);
    ASSERT_EQ(ingress.Admit(account, 100).admission, Admission::HEADROOM);
    ASSERT_EQ(ingress.Admit(account, 50).admission, Admission::HEADROOM);
    pool.Release(lossy, 800);
    ASSERT_EQ(ingress.GetXonThreshold(account), 700U);
    EXPECT_EQ(ingress.Release(account, 100), PauseSignal::NONE);
    EXPECT_EQ(ingress.Release(account, 50), PauseSignal::XON);
}

// Nothing would come to let it go on.
TEST_F(IngressPoolTest, ARefusalStopsOnlyAnAccountThatHoldsSomething)
{
    EXPECT_EQ(ingress.Admit(account, 1001).admission, Admission::BUFFER_EXHAUSTED);
    EXPECT_FALSE(ingress.IsXoff(account));
    ASSERT_EQ(ingress.Admit(account, 1).signal, PauseSignal::NONE);
    EXPECT_EQ(ingress.Admit(account, 1001).signal, PauseSignal::XOFF);
}

TEST_F(IngressPoolTest, RefusesImpossibleLimits)
{
    limits.headroom = 1001;
    EXPECT_FALSE(ingress.SetLimits(account, limits));
    limits.headroom = 0;
    limits.xoffAlpha = std::nan("");
    EXPECT_FALSE(ingress.SetLimits(account, limits));
    EXPECT_EQ(pool.GetFree(), 800U); // unchanged
}

/// Any traffic on any limits keeps the invariants of the class.
RC_GTEST_PROP(IngressPool, KeepsItsInvariants, ())
{
    const auto size = DrawInRange<uint64_t>(1000, 20000);
    const auto n = DrawInRange<uint32_t>(1, 6);
    BufferPool pool(size);
    IngressPool ingress(pool);
    std::vector<std::vector<uint64_t>> packets(n); // the reference: what is there, by account
    std::vector<uint64_t> held(n);
    std::vector<bool> stopped(n);
    for (uint32_t i = 0; i < n; ++i)
    {
        ingress.AddAccount();
        IngressLimits limits;
        limits.xoffAlpha = DrawElement({0.01, 0.25, 1.0, 8.0});
        limits.reserved = DrawInRange<uint64_t>(0, 100);
        limits.headroom = DrawInRange<uint64_t>(0, 2000);
        limits.xonOffset = DrawInRange<uint64_t>(0, 1000);
        ingress.SetLimits(i, limits); // whether they fit or not
    }
    const auto steps = DrawInRange(0, 300);
    for (int step = 0; step < steps; ++step)
    {
        const auto i = DrawInRange<uint32_t>(0, n);
        if (DrawInRange(0, 5) < 2 && !packets[i].empty())
        {
            const auto k = DrawInRange<std::size_t>(0, packets[i].size());
            const auto bytes = packets[i][k];
            packets[i].erase(packets[i].begin() + static_cast<std::ptrdiff_t>(k));
            held[i] -= bytes;
            const auto signal = ingress.Release(i, bytes);
            RC_ASSERT(signal != PauseSignal::XOFF);
            RC_ASSERT(signal == PauseSignal::NONE || stopped[i]); // XON only after XOFF
            stopped[i] = stopped[i] && signal == PauseSignal::NONE;
            RC_ASSERT(!stopped[i] || held[i] > ingress.GetXonThreshold(i) ||
                      ingress.GetHeadroomUsed(i) > 0);
        }
        else
        {
            const auto bytes = DrawInRange<uint64_t>(1, 1500);
            const auto room = ingress.GetXoffThreshold(i);
            const auto use = held[i] - ingress.GetHeadroomUsed(i);
            const auto outcome = ingress.Admit(i, bytes);
            RC_ASSERT((outcome.admission == Admission::ADMITTED) == (use + bytes <= room));
            if (outcome.admission == Admission::ADMITTED ||
                outcome.admission == Admission::HEADROOM)
            {
                packets[i].push_back(bytes);
                held[i] += bytes;
            }
            RC_ASSERT(outcome.signal == PauseSignal::NONE || !stopped[i]);
            stopped[i] = stopped[i] || outcome.signal == PauseSignal::XOFF;
            // A packet that found no room below the threshold means that the peer is stopped.
            RC_ASSERT(stopped[i] || outcome.admission == Admission::ADMITTED || held[i] == 0);
        }
        uint64_t all = 0;
        for (uint32_t k = 0; k < n; ++k)
        {
            RC_ASSERT(ingress.IsXoff(k) == stopped[k]);
            RC_ASSERT(ingress.GetOccupancy(k) == held[k]);
            RC_ASSERT(ingress.GetHeadroomUsed(k) == 0 || stopped[k]);
            RC_ASSERT(held[k] > 0 || !stopped[k]);
            all += held[k];
        }
        RC_ASSERT(pool.GetUsed() == all);
        RC_ASSERT(all <= size);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        for (const auto bytes : packets[i])
        {
            ingress.Release(i, bytes);
        }
        RC_ASSERT(!ingress.IsXoff(i));
    }
    RC_ASSERT(pool.GetUsed() == 0U);
}
