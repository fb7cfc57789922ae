// SPDX-License-Identifier: GPL-2.0-only

// Whole packets that are a window on average.

#include "model/core/transport/swift-window.h"
#include "test/core/core-test.h"

TEST(WindowRounding, AFractionIsOnePacketMoreInAsManyRoundTrips)
{
    WindowRounding rounding;
    std::vector<double> packets;
    for (int roundTrip = 0; roundTrip < 8; ++roundTrip)
    {
        packets.push_back(rounding.Round(1.25));
        for (double n = packets.back(); n > 0; --n)
        {
            EXPECT_EQ(rounding.Round(1.25), packets.back()) << "the same for a round trip";
            rounding.NotifyAcknowledgment(1, 1.25);
        }
    }
    EXPECT_EQ(packets, std::vector<double>({1, 1, 1, 1, 2, 1, 1, 1}));
}

TEST(WindowRounding, AWholeWindowStays)
{
    WindowRounding rounding;
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_EQ(rounding.Round(3), 3);
        rounding.NotifyAcknowledgment(1, 3);
    }
}

RC_GTEST_PROP(WindowRounding, IsTheWindowOnAverage, ())
{
    WindowRounding rounding;
    const double window = DrawInRange(1, 4000) / 100.0;
    constexpr int ROUND_TRIPS = 1000;
    double sum = 0;
    for (int i = 0; i < ROUND_TRIPS; ++i)
    {
        const double packets = rounding.Round(window);
        RC_ASSERT(packets == std::floor(window) || packets == std::floor(window) + 1);
        sum += packets;
        rounding.NotifyAcknowledgment(packets, window);
    }
    RC_ASSERT(std::abs(sum / ROUND_TRIPS - window) <= 2.0 / ROUND_TRIPS);
}
