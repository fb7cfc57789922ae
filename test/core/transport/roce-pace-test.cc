// SPDX-License-Identifier: GPL-2.0-only

#include "model/core/transport/roce-turns.h"
#include "test/core/core-test.h"

// 1,000 bytes take 80 ns at 100 Gb/s and 160 ns at 50 Gb/s.
constexpr uint64_t LINE = 100'000'000'000;

TEST(RocePace, AtTheLineRateThereIsNothingToWaitFor)
{
    RocePace pace(LINE);
    pace.NotifySent(1000, 1000, LINE);
    EXPECT_EQ(pace.GetNextTime(LINE), 1000);
    pace.NotifySent(1080, 1000, 2 * LINE);
    EXPECT_EQ(pace.GetNextTime(2 * LINE), 1080);
    EXPECT_EQ(pace.GetWait(), 0);
}

TEST(RocePace, TheNextPacketIsDueAfterItsTimeAtTheRate)
{
    RocePace pace(LINE);
    pace.NotifySent(1000, 1000, LINE / 2);
    EXPECT_EQ(pace.GetNextTime(LINE / 2), 1000)
        << "after an idle time, another one may follow at once";
    pace.NotifySent(1080, 1000, LINE / 2);
    EXPECT_EQ(pace.GetNextTime(LINE / 2), 1160);
    pace.NotifySent(1160, 1000, LINE / 2);
    EXPECT_EQ(pace.GetWait(), 0) << "the line was busy until then";
    EXPECT_EQ(pace.GetNextTime(LINE / 2), 1320);
    pace.NotifySent(1320, 1000, LINE / 2);
    EXPECT_EQ(pace.GetWait(), 80) << "the line was free after 80 ns";
}

TEST(RocePace, OnePacketAtMostIsMadeUpFor)
{
    RocePace pace(LINE);
    pace.NotifySent(1000, 1000, LINE / 2);
    pace.NotifySent(1080, 1000, LINE / 2);
    pace.NotifySent(1200, 1000, LINE / 2); // 40 ns late
    EXPECT_EQ(pace.GetNextTime(LINE / 2), 1320);
    EXPECT_EQ(pace.GetWait(), 0);
    pace.NotifySent(2000, 1000, LINE / 2); // 680 ns late, of which 160 are made up for
    EXPECT_EQ(pace.GetNextTime(LINE / 2), 2000);
    EXPECT_EQ(pace.GetWait(), 40) << "from 1,280 ns, when the line was free, to 1,320 ns";
}

// At 10 Mb/s, 1,000 bytes have a gap of 800,000 ns.
TEST(RocePace, AGapFollowsTheRateOfTheMoment)
{
    RocePace pace(LINE);
    pace.NotifySent(0, 1000, 10'000'000);
    pace.NotifySent(0, 1000, 10'000'000);
    EXPECT_EQ(pace.GetNextTime(10'000'000), 800000);
    EXPECT_EQ(pace.GetNextTime(20'000'000), 400000) << "twice the rate, half the gap";
    EXPECT_EQ(pace.GetNextTime(LINE), 0) << "an open window";
    EXPECT_EQ(pace.GetNextTime(5'000'000), 1600000) << "a rate that falls";
    // Sent after a rise at 300,000 ns to a rate with a gap of 200,000 ns
    pace.NotifySent(300000, 1000, 40'000'000);
    EXPECT_EQ(pace.GetWait(), 200000 - 80);
    EXPECT_EQ(pace.GetNextTime(40'000'000), 400000) << "100,000 ns late, which are made up for";
    // A packet at the line rate, and then a cut
    RocePace cut(LINE);
    cut.NotifySent(1000, 1000, LINE);
    EXPECT_EQ(cut.GetNextTime(LINE / 10), 1800);
}
