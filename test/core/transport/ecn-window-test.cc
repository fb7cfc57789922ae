// SPDX-License-Identifier: GPL-2.0-only

// DCTCP's window: RFC 8257 on RFC 5681.

#include "model/core/transport/ecn-window.h"
#include "test/core/core-test.h"

/// Packets of 1000 bytes, four of them in the beginning.
EcnWindow::Settings
MakeSettings()
{
    EcnWindow::Settings settings;
    settings.initialWindow = 4000;
    return settings;
}

// RFC 8257, section 3.3, computed independently with sequence numbers and exact fractions: the
// sender always fills its window, and each packet is acknowledged by itself. Slow start, a cut,
// additive increase, marks of all packets of several windows, the least window, and a recovery.
TEST(EcnWindow, FollowsAWorkedTrace)
{
    /// An acknowledgment of a packet and what is true after it.
    struct Row
    {
        int isMarked;       //!< whether it echoes a mark
        uint64_t nInFlight; //!< bytes in flight after it
        double window;      //!< cwnd
        double alpha;       //!< alpha
    };

    const std::vector<Row> rows{
        {0, 3000, 5000.000000, 0.937500000},  {0, 4000, 6000.000000, 0.937500000},
        {0, 5000, 7000.000000, 0.937500000},  {0, 6000, 8000.000000, 0.937500000},
        {0, 7000, 9000.000000, 0.878906250},  {0, 8000, 10000.000000, 0.878906250},
        {0, 9000, 11000.000000, 0.878906250}, {0, 10000, 12000.000000, 0.878906250},
        {1, 11000, 6726.562500, 0.878906250}, {1, 10000, 6726.562500, 0.878906250},
        {1, 9000, 6726.562500, 0.878906250},  {0, 8000, 6726.562500, 0.878906250},
        {0, 7000, 6726.562500, 0.847412109},  {0, 6000, 6726.562500, 0.847412109},
        {0, 5000, 6726.562500, 0.847412109},  {0, 5000, 6726.562500, 0.847412109},
        {0, 5000, 6726.562500, 0.847412109},  {0, 5000, 6726.562500, 0.847412109},
        {0, 5000, 6726.562500, 0.847412109},  {1, 5000, 6726.562500, 0.847412109},
        {1, 5000, 4002.056301, 0.810073853},  {1, 4000, 4002.056301, 0.810073853},
        {1, 3000, 4002.056301, 0.810073853},  {1, 3000, 4002.056301, 0.810073853},
        {1, 3000, 4002.056301, 0.810073853},  {1, 3000, 4002.056301, 0.810073853},
        {1, 3000, 2357.322745, 0.821944237},  {1, 2000, 2357.322745, 0.821944237},
        {1, 1000, 2357.322745, 0.821944237},  {1, 1000, 2357.322745, 0.821944237},
        {1, 1000, 2000.000000, 0.833072722},  {0, 1000, 2000.000000, 0.833072722},
        {0, 1000, 2500.000000, 0.781005677},  {0, 1000, 2900.000000, 0.781005677},
        {0, 1000, 3244.827586, 0.732192822},  {0, 2000, 3553.010370, 0.732192822},
        {0, 2000, 3834.461843, 0.686430771},  {0, 2000, 4095.254632, 0.686430771},
        {0, 3000, 4339.439693, 0.686430771},  {0, 3000, 4569.884190, 0.643528847},
        {0, 3000, 4788.708116, 0.643528847},  {0, 3000, 4997.532704, 0.643528847},
        {0, 3000, 5197.631445, 0.643528847},  {1, 4000, 3589.137868, 0.618933295},
        {1, 3000, 3589.137868, 0.618933295},  {1, 2000, 3589.137868, 0.618933295},
        {0, 2000, 3589.137868, 0.618933295},  {0, 2000, 3589.137868, 0.618933295},
        {0, 2000, 3867.756310, 0.605249964},  {0, 2000, 4126.304140, 0.605249964},
        {0, 3000, 4368.651763, 0.605249964},  {0, 3000, 4597.555336, 0.567421841},
        {0, 3000, 4815.062234, 0.567421841},  {0, 3000, 5022.743870, 0.567421841},
        {0, 4000, 5221.838234, 0.567421841},  {0, 4000, 5413.341677, 0.531957976},
        {0, 4000, 5598.070457, 0.531957976},  {0, 4000, 5776.703435, 0.531957976},
        {0, 4000, 5949.812547, 0.531957976},  {0, 4000, 6117.885069, 0.531957976},
    };
    EcnWindow window;
    window.Start(MakeSettings());
    int number = 0;
    for (const auto& row : rows)
    {
        window.NotifyAcknowledgment(1000, row.nInFlight, row.isMarked != 0);
        EXPECT_NEAR(window.GetWindow(), row.window, 1e-5) << "packet " << number;
        EXPECT_NEAR(window.GetAlpha(), row.alpha, 1e-8) << "packet " << number;
        ++number;
    }
}

TEST(EcnWindow, SlowStartEndsAtItsThreshold)
{
    auto settings = MakeSettings();
    settings.initialWindow = 20000;
    EcnWindow window;
    window.Start(settings);
    window.NotifyLoss(true);
    EXPECT_EQ(window.GetThreshold(), 10000);
    EXPECT_EQ(window.GetWindow(), 2000);
    for (const double expected : {5000.0, 8000.0, 10000.0, 10300.0})
    {
        window.NotifyAcknowledgment(3000, 8000, false);
        EXPECT_EQ(window.GetWindow(), expected);
    }
}

TEST(EcnWindow, AWindowThatIsNotUsedDoesNotGrow)
{
    EcnWindow window;
    window.Start(MakeSettings());
    window.NotifyAcknowledgment(500, 1500, false); // in slow start, no more than half of it
    EXPECT_EQ(window.GetWindow(), 4000);
    window.NotifyAcknowledgment(1000, 3000, false);
    EXPECT_EQ(window.GetWindow(), 5000);
}

TEST(EcnWindow, LossesHalveItOnceInAWindowOfData)
{
    auto settings = MakeSettings();
    settings.initialWindow = 24000;
    EcnWindow window;
    window.Start(settings);
    window.NotifyAcknowledgment(1000, 10000, false);
    window.NotifyLoss(false);
    EXPECT_EQ(window.GetWindow(), 12000);
    window.NotifyLoss(false);
    window.NotifyAcknowledgment(10000, 6000, true);
    EXPECT_EQ(window.GetWindow(), 12000) << "what was in flight then";
    window.NotifyLoss(false);
    EXPECT_EQ(window.GetWindow(), 12000);
    window.NotifyAcknowledgment(1000, 6000, false);
    window.NotifyLoss(false);
    EXPECT_LT(window.GetWindow(), 7000) << "what was sent after it";
}

RC_GTEST_PROP(EcnWindow, WindowAndAlphaStayInTheirBounds, ())
{
    auto settings = MakeSettings();
    settings.gain = DrawInRange(0, 17) / 16.0;
    EcnWindow window;
    window.Start(settings);
    const auto nSteps = DrawInRange(0, 100);
    for (int i = 0; i < nSteps; ++i)
    {
        const auto before = window.GetWindow();
        if (DrawInRange(0, 10) == 0)
        {
            window.NotifyLoss(DrawAny<bool>());
            RC_ASSERT(window.GetWindow() <= before);
        }
        else
        {
            const auto nBytes = DrawInRange<uint64_t>(0, 5000);
            const auto nInFlight = DrawInRange<uint64_t>(0, 50000);
            window.NotifyAcknowledgment(nBytes, nInFlight, DrawAny<bool>());
            RC_ASSERT(window.GetWindow() <= before + static_cast<double>(nBytes) + 1e-6);
            RC_ASSERT(window.GetWindow() >= before / 2 - 1e-6);
        }
        RC_ASSERT(window.GetWindow() >= settings.minWindow);
        RC_ASSERT(window.GetAlpha() >= 0);
        RC_ASSERT(window.GetAlpha() <= 1);
    }
}
