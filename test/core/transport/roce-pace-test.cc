/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/core/transport/roce-pace.h"

#include <gtest/gtest.h>

using namespace ns3::aidc;

namespace
{

// 1,000 bytes take 80 ns at 100 Gb/s and 160 ns at 50 Gb/s.
constexpr uint64_t LINE = 100'000'000'000;

TEST(RocePace, AtTheLineRateThereIsNothingToWaitFor)
{
    RocePace pace(LINE);
    pace.NotifySent(1000, 1000, LINE);
    EXPECT_EQ(pace.GetNextTime(), 1000);
    pace.NotifySent(1080, 1000, 2 * LINE);
    EXPECT_EQ(pace.GetNextTime(), 1080);
    EXPECT_EQ(pace.GetWait(), 0);
}

TEST(RocePace, TheNextPacketIsDueAfterItsTimeAtTheRate)
{
    RocePace pace(LINE);
    pace.NotifySent(1000, 1000, LINE / 2);
    EXPECT_EQ(pace.GetNextTime(), 1000) << "after an idle time, another one may follow at once";
    pace.NotifySent(1080, 1000, LINE / 2);
    EXPECT_EQ(pace.GetNextTime(), 1160);
    EXPECT_EQ(pace.GetWait(), 0) << "the line is busy until then";
    pace.NotifySent(1160, 1000, LINE / 2);
    EXPECT_EQ(pace.GetNextTime(), 1320);
    EXPECT_EQ(pace.GetWait(), 80) << "the line is free after 80 ns";
}

TEST(RocePace, OnePacketAtMostIsMadeUpFor)
{
    RocePace pace(LINE);
    pace.NotifySent(1000, 1000, LINE / 2);
    pace.NotifySent(1080, 1000, LINE / 2);
    pace.NotifySent(1200, 1000, LINE / 2); // 40 ns late
    EXPECT_EQ(pace.GetNextTime(), 1320);
    EXPECT_EQ(pace.GetWait(), 40);
    pace.NotifySent(2000, 1000, LINE / 2); // 680 ns late, of which 160 are made up for
    EXPECT_EQ(pace.GetNextTime(), 2000);
    EXPECT_EQ(pace.GetWait(), 40);
}

} // namespace
