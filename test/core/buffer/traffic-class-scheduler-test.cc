// SPDX-License-Identifier: GPL-2.0-only

// Strict priority and deficit weighted round robin between the classes of a port.

#include "model/core/buffer/port-queues.h"
#include "test/core/core-test.h"

constexpr uint32_t ALL = 0xff;

/// Bytes that each class sends in a number of turns when all of @p ready always have a packet.
std::array<uint64_t, 8>
Serve(TrafficClassScheduler& scheduler,
      uint32_t ready,
      int turns,
      const std::array<uint32_t, 8>& sizes)
{
    std::array<uint64_t, 8> sent{};
    for (int i = 0; i < turns; ++i)
    {
        const auto index = scheduler.Next(ready, ready, [&](uint32_t c) { return sizes[c]; });
        sent.at(index) += sizes[index];
    }
    return sent;
}

TEST(TrafficClassScheduler, NoneWhenNoClassIsReady)
{
    TrafficClassScheduler scheduler;
    const auto never = [](uint32_t) -> uint32_t { throw std::logic_error("asked"); };
    EXPECT_EQ(scheduler.Next(0, 0, never), TrafficClassScheduler::NONE);
    EXPECT_EQ(scheduler.Next(0, ALL, never), TrafficClassScheduler::NONE); // all are paused
}

TEST(TrafficClassScheduler, StrictClassesGoFirstHighestNumberFirst)
{
    TrafficClassScheduler scheduler;
    scheduler.SetQuantum(7, 1000);
    const auto size = [](uint32_t) -> uint32_t { return 100; };
    EXPECT_EQ(scheduler.Next(ALL, ALL, size), 6U);
    EXPECT_EQ(scheduler.Next(0x8d, 0x8d, size), 3U); // 7, 3, 2, 0 are ready; 7 is not strict
    EXPECT_EQ(scheduler.Next(0x81, 0x81, size), 0U);
    EXPECT_EQ(scheduler.Next(0x80, 0x80, size), 7U);
}

TEST(TrafficClassScheduler, RoundRobinSharesInProportionOfTheQuanta)
{
    TrafficClassScheduler scheduler;
    scheduler.SetQuantum(0, 3000);
    scheduler.SetQuantum(1, 9000);
    const auto sent = Serve(scheduler, 3, 40000, {1500, 700});
    EXPECT_NEAR(static_cast<double>(sent[1]) / sent[0], 3, 0.01);
}

TEST(TrafficClassScheduler, LoneClassSendsWhateverItsQuantum)
{
    TrafficClassScheduler scheduler;
    scheduler.SetQuantum(5, 64);
    const auto sent = Serve(scheduler, 1U << 5, 100, {0, 0, 0, 0, 0, 9000});
    EXPECT_EQ(sent[5], 900000U);
}

TEST(TrafficClassScheduler, EmptyClassLosesItsDeficitAndPausedClassKeepsIt)
{
    // Class 0 has 1000 a round and packets of 600; class 1 has packets of 1000.
    // After class 0 has sent one packet it has 400 left, which do not suffice for the next one.
    const auto size = [](uint32_t c) -> uint32_t { return c == 0 ? 600 : 1000; };
    for (const bool paused : {false, true})
    {
        TrafficClassScheduler scheduler;
        scheduler.SetQuantum(0, 1000);
        scheduler.SetQuantum(1, 1000);
        ASSERT_EQ(scheduler.Next(1, 1, size), 0U);
        // Class 0 is empty or paused for some rounds of class 1.
        for (int i = 0; i < 3; ++i)
        {
            ASSERT_EQ(scheduler.Next(2, paused ? 3 : 2, size), 1U);
        }
        // Its next round brings 1000: two packets with the 400 kept, one packet without.
        std::vector<uint32_t> order;
        for (int i = 0; i < 3; ++i)
        {
            order.push_back(scheduler.Next(3, 3, size));
        }
        EXPECT_EQ(order,
                  paused ? (std::vector<uint32_t>{0, 0, 1}) : (std::vector<uint32_t>{0, 1, 0}));
    }
}

/// Shreedhar and Varghese, theorem: the service of a class differs from its share by less than a
/// quantum and a largest packet, at any time, whatever the sizes.
RC_GTEST_PROP(TrafficClassScheduler, RoundRobinIsFairWithinAQuantumAndAPacket, ())
{
    TrafficClassScheduler scheduler;
    const auto n = DrawInRange<uint32_t>(2, 9);
    std::array<uint32_t, 8> quantum{};
    for (uint32_t c = 0; c < n; ++c)
    {
        quantum[c] = DrawInRange<uint32_t>(500, 5000);
        scheduler.SetQuantum(c, quantum[c]);
    }
    std::array<uint64_t, 8> sent{};
    std::array<uint32_t, 8> head{};
    for (auto& h : head)
    {
        h = DrawInRange<uint32_t>(1, 2000);
    }
    const uint32_t ready = (1U << n) - 1;
    for (int i = 0; i < 300; ++i)
    {
        const auto index = scheduler.Next(ready, ready, [&](uint32_t c) { return head[c]; });
        RC_ASSERT(index < n);
        sent[index] += head[index];
        head[index] = DrawInRange<uint32_t>(1, 2000);
        for (uint32_t a = 0; a < n; ++a)
        {
            for (uint32_t b = 0; b < n; ++b)
            {
                // In rounds served: they differ by at most one, and the deficit by less than a
                // packet.
                const double rounds = static_cast<double>(sent[a]) / quantum[a] -
                                      static_cast<double>(sent[b]) / quantum[b];
                RC_ASSERT(rounds <= 1 + 2000.0 / quantum[a] + 2000.0 / quantum[b]);
            }
        }
    }
}
