// SPDX-License-Identifier: GPL-2.0-only

// The arithmetic and the stages of DCQCN's reaction point, in both variants.

#include "model/core/transport/dcqcn-reaction-point.h"
#include "test/core/core-test.h"

enum Happening
{
    CNP,   //!< a CNP: cut, with R_T lowered, and alpha raised
    CUT,   //!< a cut that does not lower R_T
    ALPHA, //!< alpha's timer
    TIMER, //!< the rate timer
    BYTES  //!< the byte counter
};

/// An event and what is true after it; -1 is not looked at.
struct Row
{
    Happening event;  //!< what happens
    double rate;      //!< R_C in Gbit/s
    double target;    //!< R_T in Gbit/s
    double alpha;     //!< alpha
    int64_t timers;   //!< T
    int64_t counters; //!< BC
};

void
Play(const DcqcnSettings& settings, const std::vector<Row>& rows, double tolerance)
{
    DcqcnRates rates;
    rates.Reset(settings, 1);
    int number = 0;
    for (const auto& row : rows)
    {
        switch (row.event)
        {
        case CNP:
            rates.Cut(true);
            rates.RaiseAlpha();
            break;
        case CUT:
            rates.Cut(false);
            break;
        case ALPHA:
            rates.DecayAlpha(1);
            break;
        case TIMER:
            rates.ExpireTimer(1);
            break;
        case BYTES:
            rates.ExpireByteCounter(1);
            break;
        }
        const auto where = "row " + std::to_string(++number);
        EXPECT_NEAR(rates.GetRate() / 1e9, row.rate, tolerance) << where;
        EXPECT_NEAR(rates.GetTargetRate() / 1e9, row.target, tolerance) << where;
        if (row.alpha >= 0)
        {
            EXPECT_NEAR(rates.GetAlpha(), row.alpha, 5e-9) << where;
        }
        EXPECT_EQ(rates.GetTimerCount(), row.timers) << where;
        EXPECT_EQ(rates.GetByteCount(), row.counters) << where;
    }
}

// Zhu et al., SIGCOMM 2015, equations 1 to 4 and section 3.2, computed independently: 40 Gbit/s,
// g = 1/256, F = 5, R_AI = 40 Mbit/s, R_HAI = 400 Mbit/s.
TEST(DcqcnRates, FollowsTheWorkedTraceOfThePaper)
{
    const std::vector<Row> rows{
        {CNP, 20, 40, 1, 0, 0},
        {ALPHA, 20, 40, .99609375, 0, 0},
        {ALPHA, 20, 40, .99220276, 0, 0},
        {CNP, 10.077972, 20, .99223322, 0, 0},
        {ALPHA, 10.077972, 20, .98835731, 0, 0},
        {TIMER, 15.038986, 20, -1, 1, 0},
        {TIMER, 17.519493, 20, -1, 2, 0},
        {BYTES, 18.759747, 20, -1, 2, 1},
        {TIMER, 19.379873, 20, -1, 3, 1},
        {ALPHA, 19.379873, 20, .98449654, 3, 1},
        {TIMER, 19.689937, 20, -1, 4, 1},    // the last step of fast recovery
        {TIMER, 19.864968, 20.04, -1, 5, 1}, // additive increase
        {BYTES, 19.972484, 20.08, -1, 5, 2},
        {BYTES, 20.046242, 20.12, -1, 5, 3},
        {TIMER, 20.103121, 20.16, -1, 6, 3},
        {BYTES, 20.151561, 20.20, -1, 6, 4},
        {BYTES, 20.195780, 20.24, -1, 6, 5},
        {BYTES, 20.417890, 20.64, -1, 6, 6}, // hyper increase
        {TIMER, 20.728945, 21.04, -1, 7, 6},
        {BYTES, 21.084473, 21.44, -1, 7, 7},
        {CNP, 10.705677, 21.084473, .98455710, 0, 0},
    };
    Play({DcqcnSettings::PAPER, 1.0 / 256, 5, 40e6, 400e6, 100e6, 40e9}, rows, 1e-6);
}

// With g = 0, alpha stays 1 and each cut halves the rate: all numbers are exact.
TEST(DcqcnRates, ThePapersStagesAndACnpInEach)
{
    const std::vector<Row> rows{
        {CNP, 20, 40, 1, 0, 0},
        {CNP, 10, 20, 1, 0, 0},
        {TIMER, 15, 20, 1, 1, 0}, // max(1, 0) < 2: fast recovery
        {CNP, 7.5, 15, 1, 0, 0},  // in fast recovery
        {BYTES, 11.25, 15, 1, 0, 1},
        {BYTES, 13.625, 16, 1, 0, 2},   // max(0, 2) = 2: additive increase
        {CNP, 6.8125, 13.625, 1, 0, 0}, // in additive increase
        {TIMER, 10.21875, 13.625, 1, 1, 0},
        {BYTES, 11.921875, 13.625, 1, 1, 1}, // max(1, 1) < 2
        {TIMER, 13.2734375, 14.625, 1, 2, 1},
        {TIMER, 14.44921875, 15.625, 1, 3, 1},
        {BYTES, 15.537109375, 16.625, 1, 3, 2},          // min(3, 2) = 2: still additive
        {BYTES, 18.0810546875, 20.625, 1, 3, 3},         // min(3, 3) > 2: hyper increase
        {TIMER, 21.35302734375, 24.625, 1, 4, 3},        // at each of both
        {CNP, 10.676513671875, 21.35302734375, 1, 0, 0}, // in hyper increase
        {TIMER, 16.0147705078125, 21.35302734375, 1, 1, 0},
    };
    Play({DcqcnSettings::PAPER, 0, 2, 1e9, 4e9, 1e6, 40e9}, rows, 1e-12);
}

TEST(DcqcnRates, TheStagesOfNetworkAdaptersAndACutInEach)
{
    const std::vector<Row> rows{
        {CUT, 20, 40, 1, 0, 0},
        {CUT, 10, 40, 1, 0, 0},   // R_T is kept
        {TIMER, 25, 40, 1, 1, 0}, // T = 0 < 1: fast recovery
        {CNP, 12.5, 25, 1, 0, 0}, // after fast recovery
        {TIMER, 18.75, 25, 1, 1, 0},
        {TIMER, 22.375, 26, 1, 2, 0}, // T = 1: additive increase, once
        {CNP, 11.1875, 22.375, 1, 0, 0},
        {TIMER, 16.78125, 22.375, 1, 1, 0},
        {TIMER, 20.078125, 23.375, 1, 2, 0},
        {TIMER, 23.7265625, 27.375, 1, 3, 0}, // T = 2: hyper increase
        {TIMER, 27.55078125, 31.375, 1, 4, 0},
        {CNP, 13.775390625, 27.55078125, 1, 0, 0},
    };
    Play({DcqcnSettings::MELLANOX, 0, 1, 1e9, 4e9, 1e6, 40e9}, rows, 1e-12);
}

TEST(DcqcnRates, StayBetweenTheLeastRateAndTheLineRate)
{
    DcqcnRates rates;
    rates.Reset({DcqcnSettings::PAPER, 0, 1, 30e9, 30e9, 15e9, 40e9}, 1);
    EXPECT_EQ(rates.GetRate(), 40e9);
    rates.Cut(true);
    EXPECT_EQ(rates.GetRate(), 20e9);
    rates.Cut(true);
    EXPECT_EQ(rates.GetRate(), 15e9);
    rates.ExpireTimer(1);
    EXPECT_EQ(rates.GetTargetRate(), 40e9) << "20 and 30 Gbit/s";
    EXPECT_EQ(rates.GetRate(), 27.5e9);
    rates.Reset({DcqcnSettings::PAPER, 0, 1, 1, 1, 100e9, 40e9}, 1);
    rates.Cut(true);
    EXPECT_EQ(rates.GetRate(), 40e9) << "a least rate that the port does not have";
}

TEST(DcqcnRates, WhatLastsForeverTakesNoTime)
{
    constexpr uint64_t MANY = uint64_t{1} << 60;
    DcqcnRates rates;
    rates.Reset({DcqcnSettings::MELLANOX, 1.0 / 256, 1, 1, 1, 1e6, 40e9}, 1);
    rates.Cut(true);
    rates.DecayAlpha(MANY);
    rates.ExpireTimer(MANY);
    EXPECT_EQ(rates.GetAlpha(), 0);
    EXPECT_EQ(rates.GetRate(), 40e9);
    EXPECT_EQ(rates.GetTargetRate(), 40e9);
    EXPECT_EQ(rates.GetTimerCount(), MANY);
    EXPECT_EQ(ComputeDecay(0.5, 3), 0.125);
    EXPECT_EQ(ComputeDecay(0.5, 100), std::ldexp(1.0, -100));
}

DcqcnSettings
MakeSettings()
{
    DcqcnSettings settings;
    settings.variant = DrawElement({DcqcnSettings::PAPER, DcqcnSettings::MELLANOX});
    settings.gain = DrawInRange(0, 257) / 256.0;
    settings.threshold = DrawInRange(0U, 8U);
    settings.lineRate = DrawInRange(1, 400) * 1e9;
    settings.minRate = DrawInRange(1, 2000) * 1e6;
    settings.additiveIncrease = DrawInRange(0, 1000) * 1e6;
    settings.hyperIncrease = DrawInRange(0, 1000) * 1e6;
    return settings;
}

RC_GTEST_PROP(DcqcnRates, RatesAndAlphaStayInTheirBounds, ())
{
    const auto settings = MakeSettings();
    DcqcnRates rates;
    rates.Reset(settings, DrawInRange(0, 101) / 100.0);
    const auto events = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5));
    for (const auto event : events)
    {
        switch (event)
        {
        case CNP:
            rates.Cut(DrawAny<bool>());
            break;
        case CUT:
            rates.RaiseAlpha();
            break;
        case ALPHA:
            rates.DecayAlpha(DrawInRange<uint64_t>(0, 200));
            break;
        case TIMER:
            rates.ExpireTimer(DrawInRange<uint64_t>(0, 200));
            break;
        default:
            rates.ExpireByteCounter(DrawInRange<uint64_t>(0, 200));
        }
        RC_ASSERT(rates.GetAlpha() >= 0);
        RC_ASSERT(rates.GetAlpha() <= 1);
        RC_ASSERT(rates.GetRate() >= std::min(settings.minRate, settings.lineRate));
        RC_ASSERT(rates.GetRate() <= rates.GetTargetRate());
        RC_ASSERT(rates.GetTargetRate() <= settings.lineRate);
    }
}

RC_GTEST_PROP(DcqcnRates, ManyExpiriesAreTheSameAsOneByOne, ())
{
    const auto settings = MakeSettings();
    DcqcnRates together;
    together.Reset(settings, 1);
    together.Cut(true);
    const auto nBefore = DrawInRange<uint64_t>(0, 10);
    together.ExpireTimer(nBefore);
    if (settings.variant == DcqcnSettings::PAPER)
    {
        together.ExpireByteCounter(DrawInRange<uint64_t>(0, 10));
    }
    auto single = together;
    const auto n = DrawInRange<uint64_t>(0, 300);
    together.ExpireTimer(n);
    together.DecayAlpha(n);
    for (uint64_t i = 0; i < n; ++i)
    {
        single.ExpireTimer(1);
        single.DecayAlpha(1);
    }
    RC_ASSERT(together.GetTimerCount() == single.GetTimerCount());
    RC_ASSERT(together.GetByteCount() == single.GetByteCount());
    RC_ASSERT(std::abs(together.GetRate() - single.GetRate()) <= 1e-9 * settings.lineRate);
    RC_ASSERT(std::abs(together.GetTargetRate() - single.GetTargetRate()) <=
              1e-9 * settings.lineRate);
    RC_ASSERT(std::abs(together.GetAlpha() - single.GetAlpha()) <= 1e-9);
}
