// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/pre-ecn/notification-gate.h"
#include "test/core/core-test.h"

constexpr auto LIGHT = CongestionSeverity::LIGHT;
constexpr auto SEVERE = CongestionSeverity::SEVERE;

/// 80 octets, and the headers of UDP, IPv4 and Ethernet: RFC 768, 791, IEEE 802.3.
TEST(NotificationBudget, ANotificationTakesItsTime)
{
    EXPECT_EQ(NotificationBudget::BYTES, 146);
    EXPECT_EQ(NotificationBudget::GetTime({1'000'000'000, 1}), 1168);
    EXPECT_EQ(NotificationBudget::GetTime({0, 1}), 0);
}

TEST(NotificationBudget, WithoutABoundAllPass)
{
    NotificationBudget budget;
    for (uint32_t i = 0; i < 100'000; ++i)
    {
        ASSERT_TRUE(budget.Pass({0, 1}, 0, LIGHT));
    }
}

/// One for each flow at once, one more for each of them if congestion is severe, and from then on
/// no more than the rate.
TEST(NotificationBudget, SevereCongestionComesFirst)
{
    NotificationBudget budget;
    const NotificationBudget::Settings settings{1'000'000'000, 100};
    uint32_t nLight = 0;
    uint32_t nSevere = 0;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        nLight += budget.Pass(settings, 0, LIGHT);
    }
    for (uint32_t i = 0; i < 1000; ++i)
    {
        nSevere += budget.Pass(settings, 0, SEVERE);
    }
    EXPECT_EQ(nLight, 100);
    EXPECT_EQ(nSevere, 100);
    EXPECT_FALSE(budget.Pass(settings, 1167, SEVERE));
    EXPECT_TRUE(budget.Pass(settings, 1168, SEVERE)) << "after the time of one";
    EXPECT_FALSE(budget.Pass(settings, 1168, SEVERE));
    EXPECT_FALSE(budget.Pass(settings, 100 * 1168, LIGHT)) << "that half is not for light ones";
    EXPECT_TRUE(budget.Pass(settings, 1168 + 101 * 1168, LIGHT));
}

/// In ten seconds, at most what the bound says and the bucket.
TEST(NotificationBudget, TheBoundHolds)
{
    NotificationBudget budget;
    const NotificationBudget::Settings settings{1'000'000, 10};
    uint32_t n = 0;
    for (int64_t now = 0; now < 10'000'000'000; now += 100'000)
    {
        n += budget.Pass(settings, now, now % 200'000 == 0 ? LIGHT : SEVERE);
    }
    EXPECT_GE(n * 146 * 8, 9'900'000);
    EXPECT_LE(n * 146 * 8, 10'000'000 + 20 * 146 * 8);
}
