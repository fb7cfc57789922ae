// SPDX-License-Identifier: GPL-2.0-only

// TIMELY: Mittal et al., SIGCOMM 2015, algorithm 1, and the simulator of HPCC's authors.

#include "model/core/transport/timely-rate.h"
#include "test/core/core-test.h"

/// 10 Gbit/s, at least 10 Mbit/s, and the paper's parameters.
TimelyRate::Settings
MakeSettings(TimelyRate::Variant variant)
{
    TimelyRate::Settings settings;
    settings.variant = variant;
    settings.minRate = 10e6;
    settings.maxRate = 10e9;
    return settings;
}

/// A round-trip time and what is true after it.
struct Row
{
    int64_t rtt;     //!< us
    double gradient; //!< relative to minRtt
    double rate;     //!< Gbit/s
};

/// From 5 Gbit/s and a round-trip time of 40 us.
void
Play(TimelyRate::Variant variant, const std::vector<Row>& rows)
{
    TimelyRate timely;
    timely.Start(MakeSettings(variant), 5e9);
    timely.NotifyRtt(40000);
    EXPECT_EQ(timely.GetRate(), 5e9) << "only remembered";
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        const auto where = "row " + std::to_string(i + 1);
        timely.NotifyRtt(rows[i].rtt * 1000);
        EXPECT_NEAR(timely.GetGradient(), rows[i].gradient, 1e-6) << where;
        EXPECT_NEAR(timely.GetRate(), rows[i].rate * 1e9, 1000) << where;
    }
}

// Computed independently from algorithm 1.
TEST(TimelyRate, FollowsAWorkedTrace)
{
    Play(TimelyRate::PAPER,
         {{40, 0, 5.010000},
          {60, .875, 1.503000},
          {58, .021875, 1.476697},
          {55, -.128516, 1.486697},
          {54, -.059814, 1.496697},
          {53, -.051227, 1.506697},
          {52, -.050153, 1.516697},
          {51, -.050019, 1.566697}, // five steps from the fifth increase in a row on
          {70, .824998, .532680},
          {600, 23.290625, .461656}});
}

TEST(TimelyRate, FollowsAWorkedTraceOfTheSimulator)
{
    Play(TimelyRate::HPCC,
         {{40, 0, 5.010000},
          {60, .875, 1.503000},
          {58, .021875, 1.476697},
          {55, -.128516, 1.486697},
          {54, -.059814, 1.496697},
          {53, -.051227, 1.506697},
          {52, -.050153, 1.516697},
          {51, -.050019, 1.526697}, // the hyper step only from the sixth one on
          {70, .824998, .519080},
          {600, 23.290625, .449869}});
}

TEST(TimelyRate, GrowsFasterAfterManyIncreases)
{
    TimelyRate paper;
    paper.Start(MakeSettings(TimelyRate::PAPER), 1e9);
    TimelyRate hpcc;
    hpcc.Start(MakeSettings(TimelyRate::HPCC), 1e9);
    paper.NotifyRtt(100000);
    hpcc.NotifyRtt(100000);
    // Delta is 10 Mbit/s, the hyper step 50 Mbit/s.
    const double byGradient[] = {1.01e9, 1.02e9, 1.03e9, 1.04e9, 1.09e9, 1.14e9};
    const double bySteps[] = {1.01e9, 1.02e9, 1.03e9, 1.04e9, 1.05e9, 1.1e9};
    for (int i = 0; i < 6; ++i)
    {
        paper.NotifyRtt(100000);
        hpcc.NotifyRtt(100000);
        EXPECT_NEAR(paper.GetRate(), byGradient[i], 1) << i;
        EXPECT_NEAR(hpcc.GetRate(), bySteps[i], 1) << i;
    }
    // Below T_low, the paper has no gradient, and the simulator counts on.
    paper.NotifyRtt(49999);
    hpcc.NotifyRtt(49999);
    EXPECT_NEAR(paper.GetRate(), 1.15e9, 1);
    EXPECT_NEAR(hpcc.GetRate(), 1.15e9, 1);
}

TEST(TimelyRate, LimitsAreNotPassed)
{
    TimelyRate timely;
    timely.Start(MakeSettings(TimelyRate::PAPER), 20e9);
    EXPECT_EQ(timely.GetRate(), 10e9);
    timely.NotifyRtt(10000);
    timely.NotifyRtt(10000);
    EXPECT_EQ(timely.GetRate(), 10e9);
    timely.NotifyRtt(490000); // a gradient of 21 would make the rate negative
    EXPECT_EQ(timely.GetRate(), 10e6);
}

RC_GTEST_PROP(TimelyRate, StaysInItsBounds, ())
{
    auto settings = MakeSettings(DrawElement({TimelyRate::PAPER, TimelyRate::HPCC}));
    settings.alpha = DrawInRange(0, 101) / 100.0;
    settings.beta = DrawInRange(0, 101) / 100.0;
    TimelyRate timely;
    timely.Start(settings, DrawInRange<int64_t>(0, 20000000000));
    const auto nSteps = DrawInRange(0, 100);
    for (int i = 0; i < nSteps; ++i)
    {
        timely.NotifyRtt(DrawInRange<int64_t>(1, 2000000));
        RC_ASSERT(timely.GetRate() >= settings.minRate);
        RC_ASSERT(timely.GetRate() <= settings.maxRate);
    }
}
