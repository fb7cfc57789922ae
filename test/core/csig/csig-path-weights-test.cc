// SPDX-License-Identifier: GPL-2.0-only

// Weights of paths from available bandwidth: section 8.2.2 of draft-ravi-ippm-csig-01.

#include "test/core/core-test.h"

#include "ns3/csig-bottlenecks.h"

TEST(CsigPathWeights, BeginsWithEqualWeights)
{
    CsigPathWeights weights(3);
    EXPECT_EQ(weights.GetWeights(), std::vector<double>({1, 1, 1}));
    EXPECT_FALSE(weights.Update()) << "nothing was heard";
    EXPECT_EQ(weights.GetWeights(), std::vector<double>({1, 1, 1}));
}

TEST(CsigPathWeights, MultipliesByTheDifferenceFromTheMean)
{
    CsigPathWeights weights(2, 0.5, 0.05);
    weights.Note(0, 0.1);
    weights.Note(0, 0.3);
    weights.Note(1, 0.6);
    ASSERT_TRUE(weights.Update());
    // Means 0.2 and 0.6, of both 0.4: factors 0.9 and 1.1.
    EXPECT_DOUBLE_EQ(weights.GetWeights()[0], 0.9);
    EXPECT_DOUBLE_EQ(weights.GetWeights()[1], 1.1);
    EXPECT_FALSE(weights.Update()) << "a period begins with nothing";
}

TEST(CsigPathWeights, Section8_2_2TakesAnIdlePortAndAFullOne)
{
    // Shares of exactly 1 and 0, which are in range; their mean is 0.5: factors 1.25 and 0.75.
    CsigPathWeights weights(2, 0.5, 0.05);
    ASSERT_NO_THROW(weights.Note(0, 1));
    ASSERT_NO_THROW(weights.Note(1, 0));
    ASSERT_TRUE(weights.Update());
    EXPECT_DOUBLE_EQ(weights.GetWeights()[0], 1.25);
    EXPECT_DOUBLE_EQ(weights.GetWeights()[1], 0.75);
}

TEST(CsigPathWeights, TakesAPortNotHeardOfAsTheBest)
{
    CsigPathWeights weights(3, 1, 0.05);
    weights.Note(0, 0);
    weights.Note(1, 0.6);
    ASSERT_TRUE(weights.Update());
    // Shares 0, 0.6, 0.6, mean 0.4: factors 0.6, 1.2, 1.2.
    EXPECT_DOUBLE_EQ(weights.GetWeights()[0], 0.6);
    EXPECT_DOUBLE_EQ(weights.GetWeights()[1], 1.2);
    EXPECT_DOUBLE_EQ(weights.GetWeights()[2], 1.2);
}

TEST(CsigPathWeights, SettlesWhereAllHaveTheSameShareLeft)
{
    // Two ports of 100 and 40 Gbit/s that together carry 70: each shall be half full, with weights
    // as 100 to 40.
    const std::vector<double> capacities{100, 40};
    CsigPathWeights weights(2);
    for (int period = 0; period < 200; ++period)
    {
        const auto now = weights.GetWeights();
        for (std::size_t i = 0; i < 2; ++i)
        {
            const double load = 70 * now[i] / (now[0] + now[1]);
            weights.Note(i, std::max(0.0, 1 - load / capacities[i]));
        }
        weights.Update();
    }
    EXPECT_NEAR(weights.GetWeights()[0] / weights.GetWeights()[1], 2.5, 0.01);
}

RC_GTEST_PROP(CsigPathWeights, KeepsTheFloorAndTheMean, ())
{
    const auto n = DrawInRange<std::size_t>(1, 9);
    CsigPathWeights weights(n, 0.5, 0.05);
    const auto shares = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0U, 101U));
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        weights.Note(i % n, shares[i] / 100.0);
        if (i % 3 == 0)
        {
            weights.Update();
        }
    }
    const auto& now = weights.GetWeights();
    RC_ASSERT(*std::min_element(now.begin(), now.end()) >= 0.05);
    const double mean = std::accumulate(now.begin(), now.end(), 0.0) / static_cast<double>(n);
    RC_ASSERT(mean > 1 - 1e-9 && mean < 1 + 0.05 + 1e-9); // what the floor adds
}

TEST(CsigPathWeights, RefusesWhatIsOutOfRange)
{
    EXPECT_THROW(CsigPathWeights(0), std::invalid_argument);
    EXPECT_THROW(CsigPathWeights(1, 0), std::invalid_argument);
    EXPECT_THROW(CsigPathWeights(1, 1.1), std::invalid_argument);
    EXPECT_THROW(CsigPathWeights(1, 0.5, 0), std::invalid_argument);
    EXPECT_THROW(CsigPathWeights(1, 0.5, 1), std::invalid_argument);
    CsigPathWeights weights(1);
    EXPECT_THROW(weights.Note(1, 0.5), std::invalid_argument);
    EXPECT_THROW(weights.Note(0, -0.1), std::invalid_argument);
    EXPECT_THROW(weights.Note(0, 1.1), std::invalid_argument);
}
