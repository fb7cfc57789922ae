// SPDX-License-Identifier: GPL-2.0-only

// How far reports are behind the truth.

#include "model/core/csig/csig-signal-lag.h"
#include "test/core/core-test.h"

/// A port that begins to send in bin 10.
const std::vector<double> STEP{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

TEST(SignalLag, FindsTheDelayOfAStep)
{
    // The report steps in bin 13.
    std::vector<LagSample> samples;
    for (int64_t bin = 0; bin < 20; ++bin)
    {
        samples.push_back({bin * 100 + 50, 0, bin < 13 ? 0.0 : 1.0});
    }
    EXPECT_EQ(FindSignalLag({STEP}, samples, 100, 8), 300);
}

TEST(SignalLag, LooksAtTheRightPort)
{
    EXPECT_EQ(
        FindSignalLag({std::vector<double>(20, 0), STEP}, {{1200, 1, 0}, {1300, 1, 1}}, 100, 8),
        300);
}

TEST(SignalLag, LeavesOutWhatHasNoTruthAtEachShift)
{
    EXPECT_EQ(FindSignalLag({STEP}, {{600, 0, 1}}, 100, 8), -1) << "too early";
    EXPECT_EQ(FindSignalLag({STEP}, {{2000, 0, 1}}, 100, 8), -1) << "too late";
    EXPECT_EQ(FindSignalLag({STEP}, {{1500, 1, 1}}, 100, 8), -1) << "no such port";
    EXPECT_EQ(FindSignalLag({}, {}, 100, 8), -1);
}

// With 8 shifts of 100 ns, a sample needs a truth 700 ns before it: bins 0 and 7 to 19 exist. No
// two bins have the same truth, so that one sample tells the lag.
TEST(SignalLag, TakesTheFirstAndTheLastSampleWithATruthAtEachShift)
{
    std::vector<double> truth;
    for (int bin = 0; bin < 20; ++bin)
    {
        truth.push_back(bin * bin);
    }
    EXPECT_EQ(FindSignalLag({truth}, {{699, 0, truth[3]}}, 100, 8), -1);
    EXPECT_EQ(FindSignalLag({truth}, {{700, 0, truth[3]}}, 100, 8), 400);
    EXPECT_EQ(FindSignalLag({truth}, {{700, 0, truth[0]}}, 100, 8), 700);
    EXPECT_EQ(FindSignalLag({truth}, {{1999, 0, truth[17]}}, 100, 8), 200);
    EXPECT_EQ(FindSignalLag({truth}, {{2000, 0, truth[17]}}, 100, 8), -1);
    // With one shift, which is 0, each sample within the truth counts.
    EXPECT_EQ(FindSignalLag({truth}, {{0, 0, truth[0]}}, 100, 1), 0);
}

TEST(SignalLag, RefusesWhatIsOutOfRange)
{
    EXPECT_THROW(FindSignalLag({}, {}, 0, 1), std::invalid_argument);
    EXPECT_THROW(FindSignalLag({}, {}, 1, 0), std::invalid_argument);
}

RC_GTEST_PROP(SignalLag, FindsAnyDelayOfValuesThatDiffer, ())
{
    constexpr int64_t BIN = 1000;
    constexpr int64_t N = 100;
    const auto lag = DrawInRange<int64_t>(0, 20);
    std::vector<double> truth;
    for (int64_t bin = 0; bin < N; ++bin)
    {
        truth.push_back(static_cast<double>(bin * bin)); // no two alike
    }
    std::vector<LagSample> samples;
    for (int64_t bin = lag; bin < N; ++bin)
    {
        const auto offset = DrawInRange<int64_t>(0, BIN);
        samples.push_back({bin * BIN + offset, 0, truth[static_cast<std::size_t>(bin - lag)]});
    }
    RC_ASSERT(FindSignalLag({truth}, samples, BIN, 20) == lag * BIN);
}
