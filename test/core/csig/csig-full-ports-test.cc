// SPDX-License-Identifier: GPL-2.0-only

// How soon senders hear of ports that have become full.

#include "model/core/csig/csig-signal-lag.h"
#include "test/core/core-test.h"

/// A port that is full from bin 3 to bin 5, and in bin 8.
const std::vector<double> TWICE{1, 1, 1, 0.1, 0, 0.1, 0.5, 1, 0, 1};

TEST(FullPorts, DelayIsThatOfTheFirstReport)
{
    const auto found =
        FindFullPortReports({TWICE}, {{470, 0, 0.1}, {450, 0, 0}, {420, 0, 0.9}}, 100, 3, 0.2);
    EXPECT_EQ(found.nTimes, 1U);
    EXPECT_EQ(found.nLate, 0U);
    EXPECT_EQ(found.delays, std::vector<int64_t>{150});
}

TEST(FullPorts, AReportIsLateWhenThePortIsFullNoMore)
{
    const auto found = FindFullPortReports({TWICE}, {{600, 0, 0}, {299, 0, 0}}, 100, 3, 0.2);
    EXPECT_EQ(found.nTimes, 1U);
    EXPECT_EQ(found.nLate, 1U);
    EXPECT_TRUE(found.delays.empty());
}

TEST(FullPorts, EachTimeCountsIfItIsLongEnough)
{
    const auto found = FindFullPortReports({TWICE}, {{300, 0, 0}, {899, 0, 0}}, 100, 1, 0.2);
    EXPECT_EQ(found.nTimes, 2U);
    EXPECT_EQ(found.delays, (std::vector<int64_t>{0, 99}));
    EXPECT_EQ(FindFullPortReports({TWICE}, {}, 100, 4, 0.2).nTimes, 0U);
    EXPECT_EQ(FindFullPortReports({TWICE}, {}, 100, 4, 0.5).nTimes, 0U) << "bin 6 is at the limit";
}

TEST(FullPorts, ReportsOfOtherPortsDoNotCount)
{
    const std::vector<double> idle(10, 1);
    const auto found = FindFullPortReports({idle, TWICE}, {{400, 0, 0}, {400, 7, 0}}, 100, 3, 0.2);
    EXPECT_EQ(found.nTimes, 1U);
    EXPECT_EQ(found.nLate, 1U);
}

TEST(FullPorts, TheEndOfTheRecordEndsIt)
{
    const auto found = FindFullPortReports({{1, 0, 0}}, {{299, 0, 0}}, 100, 2, 0.2);
    EXPECT_EQ(found.delays, std::vector<int64_t>{199});
}

TEST(FullPorts, RefusesWhatIsOutOfRange)
{
    EXPECT_THROW(FindFullPortReports({}, {}, 0, 1, 0.2), std::invalid_argument);
    EXPECT_THROW(FindFullPortReports({}, {}, 1, 0, 0.2), std::invalid_argument);
}
