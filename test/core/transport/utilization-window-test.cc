// SPDX-License-Identifier: GPL-2.0-only

// HPCC's window from the utilization of the busiest link.

#include "model/core/transport/hpcc-window.h"
#include "test/core/core-test.h"

/// 100 Gbit/s and 8 us, W_AI = 50 bytes, at least 1250 bytes.
UtilizationWindow::Settings
MakeSettings()
{
    UtilizationWindow::Settings settings;
    settings.additiveIncrease = 50;
    settings.minWindow = 1250;
    settings.maxWindow = 100000;
    settings.baseRtt = 8000;
    return settings;
}

// Li et al., SIGCOMM 2019, algorithm 1, computed independently with exact fractions. The queue and
// what is not available of the link make the utilization: 1 - ABW/C + queue / T.
TEST(UtilizationWindow, FollowsAWorkedTrace)
{
    /// A report and what is true after it.
    struct Row
    {
        int64_t time;       //!< ns
        uint32_t available; //!< ABW/C in millionths
        int64_t queue;      //!< ns
        int64_t rtt;        //!< ns
        double utilization; //!< U
        double window;      //!< W
        double reference;   //!< Wc
        uint32_t stage;     //!< incStage
    };

    const std::vector<Row> rows{
        {0, 0, 0, 8000, 1.000000000, 95050.000000, 95050.000000, 0},
        {2000, 0, 4000, 9000, 1.125000000, 80314.444444, 95050.000000, 0},
        {4000, 0, 8000, 10000, 1.343750000, 67248.139535, 95050.000000, 0},
        {9000, 0, 8000, 12000, 1.753906250, 51533.652561, 95050.000000, 0},
        {12000, 0, 8000, 12000, 1.846191406, 48960.150754, 48960.150754, 0},
        {20000, 100000, 0, 9000, 0.900000000, 49010.150754, 48960.150754, 0},
        {24000, 500000, 0, 8000, 0.700000000, 49010.150754, 49010.150754, 1},
        {28000, 500000, 0, 8000, 0.600000000, 49060.150754, 49010.150754, 1},
        {32000, 500000, 0, 8000, 0.550000000, 49060.150754, 49060.150754, 2},
        {40000, 500000, 0, 8000, 0.500000000, 49110.150754, 49110.150754, 3},
        {48000, 600000, 0, 8000, 0.400000000, 49160.150754, 49160.150754, 4},
        {56000, 600000, 0, 8000, 0.400000000, 49210.150754, 49210.150754, 5},
        {64000, 600000, 0, 8000, 0.400000000, 100000.000000, 100000.000000, 0},
        {72000, 600000, 0, 8000, 0.400000000, 100000.000000, 100000.000000, 1},
        {74000, 600000, 0, 8000, 0.400000000, 100000.000000, 100000.000000, 1},
        {80000, 50000, 0, 8000, 0.812500000, 100000.000000, 100000.000000, 2},
        {88000, 20000, 0, 8000, 0.980000000, 96988.775510, 96988.775510, 0},
        {96000, 30000, 2000, 8000, 1.220000000, 75574.046504, 75574.046504, 0},
        {100000, 30000, 100000, 8000, 7.345000000, 9824.723510, 75574.046504, 0},
        {104000, 0, 800000, 8000, 54.172500000, 1375.309782, 1375.309782, 0},
        {112000, 0, 8000000, 8000, 1001.000000000, 1250.000000, 1250.000000, 0},
    };
    UtilizationWindow window;
    window.Start(MakeSettings(), 100000);
    for (const auto& row : rows)
    {
        const auto where = "at " + std::to_string(row.time);
        const double queue = static_cast<double>(row.queue) / 8000;
        window.NotifyUtilization(row.time, 1 - row.available / 1e6 + queue, row.rtt);
        EXPECT_NEAR(window.GetUtilization(), row.utilization, 1e-8) << where;
        EXPECT_NEAR(window.GetWindow(), row.window, 1e-5) << where;
        EXPECT_NEAR(window.GetReference(), row.reference, 1e-5) << where;
        EXPECT_EQ(window.GetStage(), row.stage) << where;
    }
}

TEST(UtilizationWindow, AnIdlePathIsTakenAsAWhole)
{
    auto settings = MakeSettings();
    settings.maxStage = 0;
    UtilizationWindow window;
    window.Start(settings, 2000);
    window.NotifyUtilization(0, 0, 8000);
    EXPECT_EQ(window.GetWindow(), 100000);
}

TEST(UtilizationWindow, IsRaisedAndLoweredWithinBounds)
{
    UtilizationWindow window;
    window.Start(MakeSettings(), 10000);
    window.Raise(5000);
    EXPECT_EQ(window.GetWindow(), 10000);
    window.Raise(60000);
    EXPECT_EQ(window.GetWindow(), 60000);
    EXPECT_EQ(window.GetReference(), 60000);
    window.Raise(200000);
    EXPECT_EQ(window.GetWindow(), 100000);
    window.Lower(0);
    EXPECT_EQ(window.GetWindow(), 1250);
    EXPECT_EQ(window.GetReference(), 1250);
}

RC_GTEST_PROP(UtilizationWindow, StaysInItsBounds, ())
{
    auto settings = MakeSettings();
    settings.maxStage = DrawInRange(0U, 7U);
    settings.additiveIncrease = DrawInRange(0, 100000);
    settings.maxWindow = DrawInRange(1250, 200000);
    UtilizationWindow window;
    window.Start(settings, DrawInRange(0, 300000));
    int64_t now = 0;
    const auto nSteps = DrawInRange(0, 100);
    for (int i = 0; i < nSteps; ++i)
    {
        now += DrawInRange<int64_t>(0, 20000);
        window.NotifyUtilization(now,
                                 DrawInRange(0, 3000) / 1000.0,
                                 DrawInRange<int64_t>(0, 30000));
        RC_ASSERT(window.GetWindow() >= settings.minWindow);
        RC_ASSERT(window.GetWindow() <= settings.maxWindow);
        RC_ASSERT(window.GetReference() >= settings.minWindow);
        RC_ASSERT(window.GetReference() <= settings.maxWindow);
        RC_ASSERT(window.GetUtilization() >= 0);
        RC_ASSERT(window.GetStage() <= settings.maxStage);
    }
}
