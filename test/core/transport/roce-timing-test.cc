// SPDX-License-Identifier: GPL-2.0-only

// Codes of times: InfiniBand Architecture Specification, volume 1, sections 9.7.5.2.8 and 9.9.2.1.
// The times of receivers that are not ready are the same as tshark's.

#include "model/core/transport/roce-timeout.h"
#include "test/core/core-test.h"

/// In hundredths of a millisecond.
constexpr std::array<uint32_t, 32> RNR{65536, 1,    2,    3,     4,     6,     8,     12,
                                       16,    24,   32,   48,    64,    96,    128,   192,
                                       256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                       4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};

TEST(RoceTiming, RnrTimersOfAllCodes)
{
    for (std::size_t code = 0; code < RNR.size(); ++code)
    {
        EXPECT_EQ(GetRnrTimerMicroseconds(static_cast<uint8_t>(code)), RNR[code] * 10) << code;
    }
    EXPECT_EQ(GetRnrTimerMicroseconds(25), 61440U); // 61.44 ms
    EXPECT_EQ(GetRnrTimerMicroseconds(0x20 | 25), 61440U);
}

TEST(RoceTiming, AckTimeoutsArePowersOfTwo)
{
    EXPECT_EQ(GetAckTimeoutNanoseconds(0), 0U); // no timer
    EXPECT_EQ(GetAckTimeoutNanoseconds(1), 8192U);
    EXPECT_EQ(GetAckTimeoutNanoseconds(8), 1048576U);
    EXPECT_EQ(GetAckTimeoutNanoseconds(12), 16777216U);
    EXPECT_EQ(GetAckTimeoutNanoseconds(14), 67108864U);
    EXPECT_EQ(GetAckTimeoutNanoseconds(18), 1073741824U);
    EXPECT_EQ(GetAckTimeoutNanoseconds(31), 8796093022208U);
}

TEST(RoceTiming, WindowIsTwoRoundTripsAndTheLongestWait)
{
    constexpr uint64_t RATE = 100'000'000'000;
    // 2 * 10 ms * 12.5 GB/s = 250 MB: 61,035.2 packets
    EXPECT_EQ(GetRoceWindow(10'000'000, 0, RATE, 4096), 61036U);
    // 64 MB of buffer, 5.12 ms, hold 15,625 packets more: 76,660.2
    EXPECT_EQ(GetRoceWindow(10'000'000, 5'120'000, RATE, 4096), 76661U);
    EXPECT_EQ(GetRoceWindow(10'000'000, 0, RATE, 1024), 244141U); // 244,140.6
    EXPECT_EQ(GetRoceWindow(100'000'000, 0, 4 * RATE, 4096), 2441407U);
}

TEST(RoceTiming, WindowHasBounds)
{
    constexpr uint64_t RATE = 100'000'000'000;
    EXPECT_EQ(GetRoceWindow(10'000, 960'000, RATE, 4096), ROCE_MIN_WINDOW); // 2990.7
    EXPECT_EQ(GetRoceWindow(0, 960'000, RATE, 4096), ROCE_MIN_WINDOW);      // not known
    EXPECT_EQ(GetRoceWindow(200'000'000, 0, 8 * RATE, 4096), ROCE_MAX_WINDOW);
}
