// SPDX-License-Identifier: GPL-2.0-only

// HPCC's window by in-band telemetry: Li et al., SIGCOMM 2019, algorithm 1.

#include "model/core/transport/hpcc-window.h"
#include "test/core/core-test.h"

using Outcome = HpccWindow::Outcome;

constexpr uint8_t RATE_100G = 2; //!< the code of 100 Gbit/s

/// 100 Gbit/s and 8 us, W_AI of 80 bytes.
UtilizationWindow::Settings
MakeSettings()
{
    UtilizationWindow::Settings settings;
    settings.additiveIncrease = 80;
    settings.minWindow = 1250;
    settings.maxWindow = 100000;
    settings.baseRtt = 8000;
    return settings;
}

/// A report of one hop of 100 Gbit/s.
HpccWindow::Report
MakeReport(int64_t now, uint64_t acknowledged, uint64_t next, uint64_t sent, uint64_t queued = 0)
{
    HpccWindow::Report report;
    report.now = now;
    report.acknowledged = acknowledged;
    report.next = next;
    report.header.hops[0] = MakeIntHop(RATE_100G, now, sent, queued);
    report.header.nHops = 1;
    return report;
}

// Computed independently from algorithm 1. Two hops of 100 Gbit/s; hops as (time in ns, bytes in
// 128 bytes, queue in 80 bytes).
TEST(HpccWindow, FollowsAWorkedTrace)
{
    /// A report and what is true after it.
    struct Row
    {
        uint64_t acknowledged; //!< bytes
        uint64_t next;         //!< bytes
        IntHop first;          //!< first hop
        IntHop second;         //!< second hop
        double utilization;    //!< U
        double window;         //!< W
        double reference;      //!< Wc
        uint32_t stage;        //!< incStage
    };

    const auto hop = [](uint32_t time, uint32_t bytes, uint32_t queue) {
        return IntHop{RATE_100G, time, bytes, queue};
    };
    // clang-format off
    const std::vector<Row> rows{
        {1000, 101000, hop(1000, 100, 0), hop(1500, 500, 0), 0, 100000, 100000, 0},
        {50000, 150000, hop(4000, 393, 0), hop(4500, 770, 0), .375040, 100000, 100000, 0},
        {101000, 200000, hop(8000, 783, 0), hop(8500, 1150, 50), .686720, 100000, 100000, 0},
        {102000, 201000, hop(8100, 793, 0), hop(8590, 1158, 60), .690936, 100000, 100000, 1},
        {201000, 300000, hop(16000, 1560, 10), hop(16500, 1931, 500), 1.044673, 91017.544, 100000,
         1},
        {250000, 340000, hop(20000, 1950, 0), hop(20500, 2321, 700), 1.221537, 77850.905, 77850.905,
         0},
        {301000, 380000, hop(24000, 2340, 0), hop(24500, 2700, 100), 1.135888, 65190.594, 77850.905,
         0},
        {381000, 440000, hop(32000, 2800, 0), hop(32500, 3100, 0), .588800, 77930.905, 77930.905,
         1},
        {441000, 500000, hop(40000, 3200, 0), hop(40500, 3500, 0), .512000, 78010.905, 78010.905,
         2},
        {501000, 560000, hop(48000, 3600, 0), hop(48500, 3900, 0), .512000, 78090.905, 78090.905,
         3},
    };
    // clang-format on
    HpccWindow window;
    window.Start(MakeSettings());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const auto where = "row " + std::to_string(i + 1);
        HpccWindow::Report report;
        report.now = rows[i].second.time + 4000;
        report.acknowledged = rows[i].acknowledged;
        report.next = rows[i].next;
        report.header.hops[0] = rows[i].first;
        report.header.hops[1] = rows[i].second;
        report.header.nHops = 2;
        EXPECT_EQ(window.NotifyReport(report), i == 0 ? Outcome::FIRST : Outcome::USED) << where;
        const auto& windows = window.GetWindows();
        EXPECT_NEAR(windows.GetUtilization(), rows[i].utilization, 5e-7) << where;
        EXPECT_NEAR(windows.GetWindow(), rows[i].window, 5e-4) << where;
        EXPECT_NEAR(windows.GetReference(), rows[i].reference, 5e-4) << where;
        EXPECT_EQ(windows.GetStage(), rows[i].stage) << where;
    }
}

TEST(HpccWindow, ReadingsThatWrapAroundAreTheSame)
{
    // 100,000 bytes in 8 us, before and after each number wraps around.
    for (const uint64_t sent : {uint64_t{0}, INT_BYTES_WRAP - 12800})
    {
        for (const int64_t start : {int64_t{0}, INT_TIME_WRAP - 100})
        {
            HpccWindow window;
            window.Start(MakeSettings());
            EXPECT_EQ(window.NotifyReport(MakeReport(start, 0, 1, sent)), Outcome::FIRST);
            EXPECT_EQ(window.NotifyReport(MakeReport(start + 8000, 2, 3, sent + 99968)),
                      Outcome::USED);
            EXPECT_NEAR(window.GetWindows().GetUtilization(), .99968, 1e-9);
        }
    }
}

TEST(HpccWindow, TwoReadingsAWrapAreNeeded)
{
    // 2^20 * 128 bytes take 10.737418 ms at 100 Gbit/s, and times wrap around after 16.777216 ms.
    constexpr int64_t LONGEST = 10737418 / 2;
    for (const int64_t elapsed : {LONGEST, LONGEST + 1})
    {
        HpccWindow window;
        window.Start(MakeSettings());
        window.NotifyReport(MakeReport(0, 0, 1, 0));
        const auto outcome = window.NotifyReport(MakeReport(elapsed, 2, 3, 1280000));
        EXPECT_EQ(outcome, elapsed == LONGEST ? Outcome::USED : Outcome::TOO_OLD);
        // From the next one on, it is known again.
        EXPECT_EQ(window.NotifyReport(MakeReport(elapsed + 8000, 4, 5, 1280000 + 51200)),
                  Outcome::USED);
        EXPECT_NEAR(window.GetWindows().GetUtilization(), .512, 1e-9);
    }
    // At 25 Gbit/s, times wrap around first.
    auto report = MakeReport(0, 0, 1, 0);
    report.header.hops[0].rateCode = 0;
    HpccWindow window;
    window.Start(MakeSettings());
    window.NotifyReport(report);
    report.now = INT_TIME_WRAP / 2 + 1;
    EXPECT_EQ(window.NotifyReport(report), Outcome::TOO_OLD);
}

TEST(HpccWindow, ReportsThatTellNothingChangeNothing)
{
    HpccWindow window;
    window.Start(MakeSettings());
    auto report = MakeReport(0, 0, 1, 0);
    report.header.nHops = 0;
    EXPECT_EQ(window.NotifyReport(report), Outcome::NO_HOP);
    report.header.nHops = 6;
    EXPECT_EQ(window.NotifyReport(report), Outcome::TOO_MANY_HOPS);
    report.header.nHops = 2;
    report.header.hops[1].rateCode = 7;
    EXPECT_EQ(window.NotifyReport(report), Outcome::UNKNOWN_RATE);
    EXPECT_EQ(window.NotifyReport(MakeReport(0, 0, 1, 0)), Outcome::FIRST);
    EXPECT_EQ(window.NotifyReport(MakeReport(0, 0, 1, 0)), Outcome::NOT_NEWER);
    EXPECT_EQ(window.GetWindows().GetUtilization(), 0);
    EXPECT_EQ(window.GetWindows().GetWindow(), 100000);
}

TEST(HpccWindow, ReportsThatWereOvertakenChangeNothing)
{
    HpccWindow window;
    window.Start(MakeSettings());
    window.NotifyReport(MakeReport(0, 0, 1, 0));
    EXPECT_EQ(window.NotifyReport(MakeReport(8000, 2, 3, 51200)), Outcome::USED);
    auto report = MakeReport(7000, 1, 4, 44800);
    report.now = 8100;
    EXPECT_EQ(window.NotifyReport(report), Outcome::NOT_NEWER);
    EXPECT_NEAR(window.GetWindows().GetUtilization(), .512, 1e-9);
    EXPECT_EQ(window.NotifyReport(MakeReport(16000, 4, 5, 102400)), Outcome::USED);
    EXPECT_NEAR(window.GetWindows().GetUtilization(), .512, 1e-9);
}

TEST(HpccWindow, AnotherPathBeginsAnew)
{
    HpccWindow window;
    window.Start(MakeSettings());
    window.NotifyReport(MakeReport(0, 0, 1, 0));
    auto other = MakeReport(8000, 2, 3, 50000000);
    other.header.pathId = 1;
    EXPECT_EQ(window.NotifyReport(other), Outcome::PATH_CHANGED);
    other = MakeReport(16000, 4, 5, 50000000 + 51200);
    other.header.pathId = 1;
    EXPECT_EQ(window.NotifyReport(other), Outcome::USED);
    EXPECT_NEAR(window.GetWindows().GetUtilization(), .512, 1e-9);
    other.header.nHops = 2;
    EXPECT_EQ(window.NotifyReport(other), Outcome::PATH_CHANGED);
    other.header.hops[1].rateCode = 1;
    EXPECT_EQ(window.NotifyReport(other), Outcome::PATH_CHANGED);
}

TEST(HpccWindow, ParametersAreDerivedFromTheLine)
{
    UtilizationWindow::Settings settings;
    const auto derive = [&](uint64_t minRate) {
        return UtilizationWindow::Derive(settings, 100000000000, minRate, 8000, 50);
    };
    const auto derived = derive(100000000);
    EXPECT_EQ(derived.maxWindow, 100000); // 100 Gbit/s times 8 us
    EXPECT_EQ(derived.minWindow, 100);
    EXPECT_NEAR(derived.additiveIncrease, 100, 1e-9); // 100000 * 0.05 / 50
    EXPECT_EQ(derived.baseRtt, 8000);
    settings.additiveIncrease = 80;
    EXPECT_EQ(derive(100000000).additiveIncrease, 80);
    EXPECT_EQ(derive(200000000000).minWindow, 100000);
}

RC_GTEST_PROP(HpccWindow, StaysInItsBounds, ())
{
    auto settings = MakeSettings();
    settings.maxStage = DrawInRange(0U, 7U);
    HpccWindow window;
    window.Start(settings);
    int64_t now = 0;
    uint64_t acknowledged = 0;
    const auto nSteps = DrawInRange(0, 60);
    for (int i = 0; i < nSteps; ++i)
    {
        now += DrawInRange<int64_t>(0, 20000);
        acknowledged += DrawInRange<uint64_t>(0, 20);
        HpccWindow::Report report;
        report.now = now;
        report.acknowledged = acknowledged;
        report.next = acknowledged + DrawInRange<uint64_t>(0, 100);
        for (auto& hop : report.header.hops)
        {
            hop = {DrawInRange<uint8_t>(0, 8),
                   DrawInRange<uint32_t>(0, 1 << 24),
                   DrawInRange<uint32_t>(0, 1 << 20),
                   DrawInRange<uint32_t>(0, 1 << 17)};
        }
        report.header.nHops = DrawInRange<uint8_t>(0, 16);
        window.NotifyReport(report);
        const auto& windows = window.GetWindows();
        RC_ASSERT(windows.GetWindow() >= settings.minWindow);
        RC_ASSERT(windows.GetWindow() <= settings.maxWindow);
        RC_ASSERT(windows.GetReference() >= settings.minWindow);
        RC_ASSERT(windows.GetReference() <= settings.maxWindow);
        RC_ASSERT(windows.GetUtilization() >= 0);
    }
}
