// SPDX-License-Identifier: GPL-2.0-only

// Jump start from min(ABW): section 8.1.3 of draft-ravi-ippm-csig-01.

#include "model/core/transport/jump-start.h"
#include "test/core/core-test.h"

TEST(JumpStart, TheFirstSignalCounts)
{
    JumpStart start;
    start.Start(true, 0);
    // The draft's example: 200 Gbit/s are free, and are used from the second round trip on.
    EXPECT_EQ(start.NotifyAvailable(200000000000, 200000000000, 10000), 250000);
    EXPECT_EQ(start.NotifyAvailable(100000000000, 200000000000, 10000), 0);
    EXPECT_FALSE(start.NotifySent(1000000000));
    EXPECT_FALSE(start.NotifySent(9000000000)) << "never anew";
    EXPECT_EQ(start.NotifyAvailable(100000000000, 200000000000, 10000), 0);
}

TEST(JumpStart, IsBoundedByTheLineAndWaitsForARoundTripTime)
{
    JumpStart start;
    start.Start(true, 0);
    EXPECT_EQ(start.NotifyAvailable(400000000000, 100000000000, 0), 0);
    EXPECT_EQ(start.NotifyAvailable(400000000000, 100000000000, 8000), 100000);
    start.Start(true, 0);
    EXPECT_EQ(start.NotifyAvailable(0, 100000000000, 8000), 0) << "nothing is free";
    EXPECT_EQ(start.NotifyAvailable(400000000000, 100000000000, 8000), 0) << "too late";
}

TEST(JumpStart, AnIdleConnectionBeginsAnew)
{
    JumpStart start;
    start.Start(true, 100);
    EXPECT_TRUE(start.WatchesIdleTime());
    EXPECT_FALSE(start.NotifySent(1000)) << "the first packet is no beginning anew";
    EXPECT_EQ(start.NotifyAvailable(1000000000, 2000000000, 8000), 1000);
    EXPECT_FALSE(start.NotifySent(1099));
    EXPECT_EQ(start.NotifyAvailable(1000000000, 2000000000, 8000), 0);
    EXPECT_TRUE(start.NotifySent(1199));
    EXPECT_FALSE(start.NotifySent(1199));
    EXPECT_EQ(start.NotifyAvailable(1000000000, 2000000000, 8000), 1000);
}

TEST(JumpStart, OffIsOff)
{
    JumpStart start;
    start.Start(false, 100);
    EXPECT_FALSE(start.WatchesIdleTime());
    EXPECT_FALSE(start.NotifySent(0));
    EXPECT_FALSE(start.NotifySent(1000));
    EXPECT_EQ(start.NotifyAvailable(1000000000, 2000000000, 8000), 0);
}
