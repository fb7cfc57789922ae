// SPDX-License-Identifier: GPL-2.0-only

// Swift's windows and targets.

#include "model/core/transport/swift-window.h"
#include "test/core/core-test.h"

/// The configuration of the worked trace.
SwiftWindow::Settings
MakeSettings()
{
    SwiftWindow::Settings settings;
    settings.baseTarget = 25000;
    settings.hopTarget = 1000;
    settings.scalingRange = 50000;
    return settings;
}

/// Make windows that begin with as many packets.
SwiftWindow
MakeWindow(const SwiftWindow::Settings& settings, double fabric, double endpoint)
{
    SwiftWindow window;
    window.Start(settings, fabric, endpoint);
    return window;
}

// Computed independently: two hops, windows of 4 and 16 packets, no average of endpoint delays.
TEST(SwiftWindow, FollowsTheWorkedTrace)
{
    /// An acknowledgment, the target before it, and the windows after it.
    struct Row
    {
        int64_t time;     //!< us
        int64_t rtt;      //!< us
        int64_t endpoint; //!< us
        double nPackets;  //!< acknowledged
        double target;    //!< us
        double fabric;    //!< packets
        double ecwnd;     //!< packets
        double pace;      //!< us
    };

    const std::vector<Row> rows{
        {0, 20, 2, 1, 33.531086, 4.25, 16.0625, 0},
        {5, 22, 2, 1, 33.287334, 4.48529412, 16.12475681, 0},
        {10, 24, 2, 2, 33.076795, 4.93119576, 16.24878969, 0},
        {40, 60, 5, 1, 32.719970, 3.33312756, 16.31033273, 0},     // cut
        {50, 70, 5, 1, 34.310563, 3.33312756, 16.37164356, 0},     // too soon for another
        {101, 70, 5, 1, 34.310563, 3.33312756, 16.43272478, 0},    // again
        {200, 200, 10, 1, 34.310563, 3.33312756, 16.49357896, 0},  // and again
        {410, 205, 150, 1, 34.310563, 2.33006526, 12.09529124, 0}, // both are cut
        {620, 200, 20, 1, 36.063721, 1.16503263, 12.17796804, 0},  // max_mdf
        {830, 400, 30, 1, 40.494353, 1.16503263, 12.26008355, 0},
        {1240, 400, 30, 1, 40.494353, .58251631, 12.34164906, 686.676},
        {1700, 500, 40, 1, 46.760214, .58251631, 12.42267551, 858.345},
        {2300, 500, 40, 1, 46.760214, .29125816, 12.50317347, 1716.690},
        {2400, 30, 2, 1, 55.621478, 1.29125816, 12.58315316, 0}, // by ai * n
        {2430, 28, 2, 1, 39.735975, 2.06569663, 12.66262450, 0},
        {2460, 26, 2, 1, 36.727590, 2.54979482, 12.74159707, 0},
    };
    auto window = MakeWindow(MakeSettings(), 4, 16);
    for (const auto& row : rows)
    {
        const auto where = "at " + std::to_string(row.time);
        EXPECT_NEAR(window.GetTarget(2), row.target * 1000, 1e-3) << where;
        window.NotifyAcknowledgment(row.time * 1000,
                                    {row.rtt * 1000, row.endpoint * 1000, row.nPackets, 2});
        EXPECT_NEAR(window.GetFabricWindow(), row.fabric, 1e-8) << where;
        EXPECT_NEAR(window.GetEndpointWindow(), row.ecwnd, 1e-8) << where;
        EXPECT_EQ(window.GetWindow(),
                  std::min(window.GetFabricWindow(), window.GetEndpointWindow()));
        EXPECT_NEAR(window.GetPacingDelay(), row.pace * 1000, 1) << where;
    }
}

TEST(SwiftWindow, TheTargetGrowsWithHopsAndShrinksWithTheWindow)
{
    const std::vector<std::pair<double, double>> targets{
        {.05, 77},
        {.1, 77},
        {.25, 58.022660},
        {1, 41.694944},
        {16, 29.449157},
        {100, 27},
        {200, 27},
    };
    for (const auto& [packets, target] : targets)
    {
        const auto window = MakeWindow(MakeSettings(), packets, 16);
        EXPECT_NEAR(window.GetTarget(2), target * 1000, 1e-3) << packets;
        EXPECT_NEAR(window.GetTarget(5), (target + 3) * 1000, 1e-3) << packets;
    }
}

TEST(SwiftWindow, LossesCutOnceInARoundTripAndTimeoutsToTheLeast)
{
    auto window = MakeWindow(MakeSettings(), 16, 32);
    window.NotifyAcknowledgment(0, {20000, 0, 0, 2}); // so the round trip is known
    window.NotifyLoss(1000, false);
    EXPECT_EQ(window.GetFabricWindow(), 8);
    EXPECT_EQ(window.GetEndpointWindow(), 16);
    window.NotifyLoss(20999, false);
    EXPECT_EQ(window.GetFabricWindow(), 8) << "within the round trip";
    window.NotifyLoss(21000, true); // the first timeout
    EXPECT_EQ(window.GetFabricWindow(), 4);
    for (int64_t i = 2; i < 5; ++i)
    {
        window.NotifyLoss(21000 * i, true);
    }
    EXPECT_EQ(window.GetFabricWindow(), 0.5);
    auto reset = window;
    window.NotifyLoss(84001, true); // the fifth, whenever it comes
    EXPECT_EQ(window.GetFabricWindow(), 0.001);
    EXPECT_EQ(window.GetEndpointWindow(), 0.001);
    EXPECT_EQ(window.GetPacingDelay(), 20000000);
    reset.NotifyAcknowledgment(84000, {20000, 0, 0, 2}); // begins counting anew
    reset.NotifyLoss(84001, true);
    EXPECT_EQ(reset.GetFabricWindow(), 0.5);
}

// Section 8.1.1 of draft-ravi-ippm-csig-01: md = beta * (max(PD) - target) / max(PD).
TEST(SwiftWindow, MaxPdGovernsTheWindowOnceItIsKnown)
{
    auto settings = MakeSettings();
    settings.usesHopDelay = true;
    settings.hopDelayTarget = 10000;
    auto window = MakeWindow(settings, 10, 100);
    window.NotifyAcknowledgment(0, {20000, 0, 1, 2});
    EXPECT_EQ(window.GetFabricWindow(), 10.1) << "below the target of the round trip";
    window = MakeWindow(settings, 10, 100);
    window.NotifyHopDelay(9999);
    window.NotifyAcknowledgment(0, {900000, 0, 1, 2});
    EXPECT_EQ(window.GetFabricWindow(), 10.1) << "delay on the way back is nothing";
    window = MakeWindow(settings, 10, 100);
    window.NotifyHopDelay(10000);
    window.NotifyAcknowledgment(0, {20000, 0, 1, 2});
    EXPECT_EQ(window.GetFabricWindow(), 10) << "at the target";
    window.NotifyHopDelay(16000);
    window.NotifyAcknowledgment(1, {20000, 0, 1, 2});
    EXPECT_DOUBLE_EQ(window.GetFabricWindow(), 7) << "0.8 * 6 / 16 less";
    window.NotifyAcknowledgment(20000, {20000, 0, 1, 2});
    EXPECT_DOUBLE_EQ(window.GetFabricWindow(), 7) << "once in a round trip";
    window.NotifyHopDelay(1000000);
    window.NotifyAcknowledgment(20001, {20000, 0, 1, 2});
    EXPECT_DOUBLE_EQ(window.GetFabricWindow(), 3.5) << "max_mdf";
    auto off = MakeWindow(MakeSettings(), 10, 100);
    off.NotifyHopDelay(1000000);
    off.NotifyAcknowledgment(0, {20000, 0, 1, 2});
    EXPECT_EQ(off.GetFabricWindow(), 10.1) << "not asked for";
}

// Section 8.1.1: a signal judges the window once. Four idle acknowledgments without one, a round
// trip apart each, leave a window of 10 at what the first one has made of it.
TEST(SwiftWindow, EachMaxPdIsUsedOnce)
{
    auto settings = MakeSettings();
    settings.usesHopDelay = true;
    settings.hopDelayTarget = 10000;
    auto window = MakeWindow(settings, 10, 100);
    window.NotifyHopDelay(16000);
    for (int64_t i = 0; i < 5; ++i)
    {
        window.NotifyAcknowledgment(20000 * i, {20000, 0, 1, 2});
        EXPECT_DOUBLE_EQ(window.GetFabricWindow(), 7) << "0.8 * 6 / 16 less, once";
    }
    // The four packets acknowledged meanwhile and this acknowledgment's packet grow the window.
    window.NotifyHopDelay(0);
    window.NotifyAcknowledgment(100000, {20000, 0, 1, 2});
    EXPECT_DOUBLE_EQ(window.GetFabricWindow(), 7 + 5 / 7.0);
}

// After 16 windows without a max(PD), as on a path that has lost its last CSIG port.
TEST(SwiftWindow, WithoutMaxPdTheRoundTripTimeGovernsAgain)
{
    auto settings = MakeSettings();
    settings.usesHopDelay = true;
    settings.hopDelayTarget = 10000;
    auto window = MakeWindow(settings, 2, 100);
    window.NotifyHopDelay(10000);
    window.NotifyAcknowledgment(0, {20000, 0, 1, 2});
    for (int64_t i = 1; i < 32; ++i)
    {
        window.NotifyAcknowledgment(20000 * i, {20000, 0, 1, 2});
        EXPECT_EQ(window.GetFabricWindow(), 2) << "still waits for one";
    }
    window.NotifyAcknowledgment(640000, {20000, 0, 1, 2});
    EXPECT_EQ(window.GetFabricWindow(), 2.5) << "below the target of the round trip";
    window.NotifyAcknowledgment(660000, {20000, 0, 1, 2});
    EXPECT_EQ(window.GetFabricWindow(), 2.9);
}

// In proportion to what is left to the target, and at least by a quarter.
TEST(SwiftWindow, NearTheTargetOfMaxPdAWindowGrowsLess)
{
    auto settings = MakeSettings();
    settings.usesHopDelay = true;
    settings.hopDelayTarget = 10000;
    settings.leastIncrease = 0.25;
    const std::vector<std::pair<int64_t, double>> sizes{
        {0, 10.1},
        {2000, 10.08},
        {5000, 10.05},
        {7500, 10.025},
        {9999, 10.025},
        {10000, 10},
    };
    for (const auto& [delay, size] : sizes)
    {
        auto window = MakeWindow(settings, 10, 100);
        window.NotifyHopDelay(delay);
        window.NotifyAcknowledgment(0, {20000, 0, 1, 2});
        EXPECT_DOUBLE_EQ(window.GetFabricWindow(), size) << delay;
        EXPECT_DOUBLE_EQ(window.GetEndpointWindow(), 100.01) << "the end hosts' window as always";
    }
}

TEST(SwiftWindow, WholePacketsAreInFlightWithMaxPd)
{
    auto settings = MakeSettings();
    settings.additiveIncrease = 0;
    EXPECT_EQ(MakeWindow(settings, 2.75, 16).GetInFlight(), 2.75);
    EXPECT_EQ(MakeWindow(settings, 0.5, 16).GetInFlight(), 1);
    settings.usesHopDelay = true;
    EXPECT_EQ(MakeWindow(settings, 0.5, 16).GetInFlight(), 1);
    auto window = MakeWindow(settings, 2.75, 16);
    double sum = 0;
    for (int roundTrip = 0; roundTrip < 4; ++roundTrip)
    {
        window.NotifyHopDelay(0);
        const auto inFlight = window.GetInFlight();
        sum += inFlight;
        window.NotifyAcknowledgment(20000 * roundTrip, {20000, 0, inFlight, 2});
    }
    EXPECT_EQ(sum, 10) << "2, 2, 3 and 3 of 2.75";
}

TEST(SwiftWindow, EndpointDelayIsAveraged)
{
    auto settings = MakeSettings();
    settings.endpointGain = 0.25;
    auto window = MakeWindow(settings, 10, 10);
    window.NotifyAcknowledgment(0, {50000, 20000, 0, 0});
    window.NotifyAcknowledgment(1000, {500000, 340000, 0, 0}); // average 100
    EXPECT_EQ(window.GetEndpointWindow(), 10) << "at its target";
    window.NotifyAcknowledgment(2000, {900000, 500000, 0, 0}); // average 200
    EXPECT_DOUBLE_EQ(window.GetEndpointWindow(), 6) << "0.8 * 100 / 200 less";
}

TEST(SwiftWindow, WithoutARoundTripTimeTheFabricsWindowStays)
{
    auto settings = MakeSettings();
    settings.initialRtt = 8000;
    auto window = MakeWindow(settings, 0.5, 4);
    window.NotifyAcknowledgment(0, {0, 0, 1, 2});
    EXPECT_EQ(window.GetFabricWindow(), 0.5);
    EXPECT_EQ(window.GetPacingDelay(), 16000);
}

TEST(SwiftWindow, BothWindowsAreRaisedAndLoweredWithinBounds)
{
    auto window = MakeWindow(MakeSettings(), 4, 16);
    window.Raise(8);
    EXPECT_EQ(window.GetFabricWindow(), 8);
    EXPECT_EQ(window.GetEndpointWindow(), 16);
    window.Lower(10);
    EXPECT_EQ(window.GetFabricWindow(), 8);
    EXPECT_EQ(window.GetEndpointWindow(), 10);
    window.Raise(1000);
    EXPECT_EQ(window.GetWindow(), 256);
    window.Lower(0);
    EXPECT_EQ(window.GetWindow(), 0.001);
}

RC_GTEST_PROP(SwiftWindow, StaysInItsBoundsAndCutsAtMostOnceInARoundTrip, ())
{
    auto settings = MakeSettings();
    settings.usesHopDelay = DrawAny<bool>();
    settings.minWindow = DrawInRange(1, 1000) / 1000.0;
    settings.maxWindow = DrawInRange(1, 500);
    settings.additiveIncrease = DrawInRange(0, 100);
    settings.maxDecrease = DrawInRange(0, 100) / 100.0;
    auto window = MakeWindow(settings, DrawInRange(0, 600), DrawInRange(0, 600));
    int64_t now = 0;
    int64_t lastCut = -1;
    const auto nSteps = DrawInRange(0, 100);
    for (int i = 0; i < nSteps; ++i)
    {
        now += DrawInRange<int64_t>(0, 30000);
        const auto before = window.GetFabricWindow();
        window.NotifyHopDelay(DrawInRange<int64_t>(0, 50000));
        const auto endpoint = DrawInRange<int64_t>(0, 200000);
        const int64_t rtt = 30000;
        window.NotifyAcknowledgment(now, {rtt, std::min(endpoint, rtt), 1, 3});
        for (const auto packets : {window.GetFabricWindow(), window.GetEndpointWindow()})
        {
            RC_ASSERT(packets >= settings.minWindow);
            RC_ASSERT(packets <= settings.maxWindow);
        }
        RC_ASSERT(std::isfinite(window.GetPacingDelay()));
        if (window.GetFabricWindow() < before)
        {
            RC_ASSERT(lastCut < 0 || now - lastCut >= rtt);
            RC_ASSERT(
                window.GetFabricWindow() >=
                std::max(settings.minWindow, before * (1 - settings.maxDecrease) * (1 - 1e-12)));
            lastCut = now;
        }
        if (DrawInRange(0, 8) == 0)
        {
            const auto whole = window.GetFabricWindow();
            window.NotifyLoss(now, DrawAny<bool>());
            RC_ASSERT(window.GetFabricWindow() >= settings.minWindow);
            if (window.GetFabricWindow() < whole)
            {
                RC_ASSERT(lastCut < 0 || now - lastCut >= rtt);
                lastCut = now;
            }
        }
    }
}
