// SPDX-License-Identifier: GPL-2.0-only

// The loop of ComputeExplicitRate(), computed once per feedback delay and all the time. The bounds
// of the gain follow from the roots of z^(n+1) - z^n + gain, where n is the number of additional
// delays, and of s + gain exp(-s).

#include "model/core/pre-ecn/port-shares.h"
#include "test/core/core-test.h"

/// A link of 8 Gbit/s sends a byte in a ns; the feedback delay is 1 ms, in which it sends 1 MB.
ExplicitRateSettings
MakeSettings(double gain)
{
    ExplicitRateSettings settings;
    settings.capacity = 8e9;
    settings.gain = gain;
    settings.queue = 500'000;
    settings.feedback = 1'000'000;
    return settings;
}

/// What comes of a queue that is 10 kB longer than it should be.
struct Outcome
{
    double last;  //!< its distance from the target in the end
    double least; //!< the least distance
};

/// Compute the rate some times per feedback delay, with an effect later. nLate: after how many
/// computations a rate takes effect, 1 for the next one.
Outcome
Settle(double gain, std::size_t nLate, std::size_t nPerDelay = 1)
{
    const auto settings = MakeSettings(gain);
    double queue = settings.queue + 10'000;
    std::deque<double> rates(nLate, settings.capacity);
    Outcome outcome{0, 10'000};
    const double seconds =
        1e-9 * static_cast<double>(settings.feedback) / static_cast<double>(nPerDelay);
    for (std::size_t i = 0; i < 400 * nPerDelay; ++i)
    {
        rates.push_back(ComputeExplicitRate(settings, queue));
        rates.pop_front();
        queue += (rates.front() - settings.capacity) / 8 * seconds;
        outcome.least = std::min(outcome.least, queue - settings.queue);
    }
    outcome.last = std::abs(queue - settings.queue);
    return outcome;
}

TEST(ExplicitRate, FixedPoint)
{
    auto settings = MakeSettings(0.25);
    EXPECT_DOUBLE_EQ(ComputeExplicitRate(settings, 500'000), 8e9) << "q = q0: R = C";
    EXPECT_DOUBLE_EQ(ComputeExplicitRate(settings, 900'000), 8e9 - 0.25 * 400'000 * 8e3);
    EXPECT_DOUBLE_EQ(ComputeExplicitRate(settings, 0), 8e9 + 0.25 * 500'000 * 8e3);
    settings.utilization = 0.95;
    settings.queue = 0;
    EXPECT_DOUBLE_EQ(ComputeExplicitRate(settings, 0), 0.95 * 8e9) << "target rho C, and no queue";
    EXPECT_DOUBLE_EQ(ComputeExplicitRate(settings, 100e6), 0.05 * 8e9) << "nobody stops";
}

TEST(ExplicitRate, BoundsOfTheGainOncePerDelay)
{
    struct Row
    {
        std::size_t nLate;   // how many delays
        double stable;       // the gain below which the queue settles
        double withoutSwing; // the largest gain without overshoot
    };

    for (const Row& row : {Row{1, 2, 1}, Row{2, 1, 0.25}, Row{3, 0.618, 4.0 / 27}})
    {
        EXPECT_LT(Settle(0.98 * row.stable, row.nLate).last, 5'000) << row.nLate;
        EXPECT_GT(Settle(1.02 * row.stable, row.nLate).last, 10'000) << row.nLate;
        EXPECT_GT(Settle(0.99 * row.withoutSwing, row.nLate).least, -0.01) << row.nLate;
        EXPECT_LT(Settle(1.3 * row.withoutSwing, row.nLate).least, -1) << row.nLate;
    }
}

TEST(ExplicitRate, BoundsOfTheGainAllTheTime)
{
    constexpr double HALF_PI = 1.5708;
    constexpr double INVERSE_E = 0.3679;
    constexpr std::size_t N = 200;
    EXPECT_LT(Settle(0.96 * HALF_PI, N, N).last, 5'000);
    EXPECT_GT(Settle(1.04 * HALF_PI, N, N).last, 10'000);
    EXPECT_GT(Settle(0.99 * INVERSE_E, N, N).least, -0.01);
    EXPECT_LT(Settle(1.3 * INVERSE_E, N, N).least, -1);
    EXPECT_GT(Settle(0.25, N, N).least, -0.01) << "the default, at the delay that it is for";
    EXPECT_GT(Settle(0.25, N / 2, N).least, -0.01) << "and at a shorter one";
    EXPECT_GT(Settle(0.25, 1, N).least, -0.01);
}
