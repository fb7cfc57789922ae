// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/pre-ecn/shaping.h"
#include "test/core/core-test.h"

/// Queues that always have packets of their sizes, until the queue number 0 has sent n times.
template <std::size_t N>
std::array<uint64_t, N>
SendAll(const std::array<uint32_t, N>& sizes, uint32_t n)
{
    FairOrder order;
    for (uint32_t i = 0; i < N; ++i)
    {
        order.Add(i, 0);
    }
    std::array<uint64_t, N> sent{};
    while (n > 0)
    {
        const uint32_t queue = order.GetFirst();
        const uint64_t finish = order.Take(sizes.at(queue));
        order.Add(queue, finish);
        sent.at(queue) += sizes.at(queue);
        n -= queue == 0 ? 1 : 0;
    }
    return sent;
}

/// Equal packets take turns.
TEST(FairOrder, TakesTurns)
{
    FairOrder order;
    std::vector<uint32_t> sent;
    std::array<uint64_t, 3> finish{};
    order.Add(2, 0);
    order.Add(0, 0);
    order.Add(1, 0);
    for (int i = 0; i < 6; ++i)
    {
        const uint32_t queue = order.GetFirst();
        sent.push_back(queue);
        finish.at(queue) = order.Take(1000);
        order.Add(queue, finish.at(queue));
    }
    EXPECT_EQ(sent, (std::vector<uint32_t>{2, 0, 1, 2, 0, 1}));
}

/// Bytes count, not packets: two queues differ by no more than the sum of their largest packets
/// (theorem 1 of Goyal et al.).
TEST(FairOrder, SharesBytes)
{
    const std::array<uint32_t, 4> sizes{64, 1500, 4200, 9000};
    for (const uint32_t n : {1U, 50U, 1000U, 10000U})
    {
        const auto sent = SendAll(sizes, n);
        for (std::size_t a = 0; a < sizes.size(); ++a)
        {
            for (std::size_t b = 0; b < a; ++b)
            {
                const uint64_t difference =
                    std::max(sent.at(a), sent.at(b)) - std::min(sent.at(a), sent.at(b));
                EXPECT_LE(difference, sizes.at(a) + sizes.at(b)) << n << ": " << a << ", " << b;
            }
        }
    }
}

/// A queue that was idle saves nothing: it takes turns from now on.
TEST(FairOrder, IdleQueuesSaveNothing)
{
    FairOrder order;
    uint64_t finish = 0;
    for (int i = 0; i < 100; ++i)
    {
        order.Add(0, finish);
        finish = order.Take(1000);
    }
    order.Add(0, finish);
    order.Add(1, 0);
    EXPECT_EQ(order.GetFirst(), 1);
    order.Add(1, order.Take(1000));
    EXPECT_EQ(order.GetFirst(), 0) << "its turn";
    order.Take(1000);
    EXPECT_EQ(order.GetFirst(), 1);
    order.Take(1000);
    EXPECT_TRUE(order.IsEmpty());
}
