// SPDX-License-Identifier: GPL-2.0-only

// Sets of times, tracks of what overlaps, and what is exposed: against sets of single nanoseconds.

#include "model/core/workload/workload-timeline.h"
#include "test/core/core-test.h"

/// Intervals as "0-5 7-9".
std::string
Print(const std::vector<TimeInterval>& intervals)
{
    std::string text;
    for (const auto& [begin, end] : intervals)
    {
        text += (text.empty() ? "" : " ") + std::to_string(begin) + "-" + std::to_string(end);
    }
    return text;
}

std::set<int64_t>
GetNanoseconds(const std::vector<TimeInterval>& intervals)
{
    std::set<int64_t> all;
    for (const auto& [begin, end] : intervals)
    {
        for (int64_t time = begin; time < end; ++time)
        {
            all.insert(time);
        }
    }
    return all;
}

/// Random intervals in 200 ns, some of them empty.
std::vector<TimeInterval>
DrawIntervals()
{
    std::vector<TimeInterval> intervals(DrawInRange<std::size_t>(0, 20));
    for (auto& interval : intervals)
    {
        interval.begin = DrawInRange(0, 150);
        interval.end = interval.begin + DrawInRange(0, 50);
    }
    return intervals;
}

TEST(TimeIntervals, JoinWhatOverlapsOrTouches)
{
    EXPECT_EQ(Print(JoinIntervals({{7, 9}, {0, 2}, {1, 5}, {5, 6}, {3, 3}, {8, 8}})), "0-6 7-9");
    EXPECT_EQ(Print(JoinIntervals({{4, 4}})), "");
}

TEST(TimeIntervals, SubtractLeavesTheRest)
{
    EXPECT_EQ(Print(SubtractIntervals({{0, 10}, {20, 30}}, {{2, 4}, {8, 22}, {25, 26}})),
              "0-2 4-8 22-25 26-30");
    EXPECT_EQ(Print(SubtractIntervals({{5, 6}}, {{0, 10}})), "");
    EXPECT_EQ(Print(SubtractIntervals({{5, 6}}, {})), "5-6");
}

RC_GTEST_PROP(TimeIntervals, AreTheSetsOfTheirNanoseconds, ())
{
    const auto a = DrawIntervals();
    const auto b = DrawIntervals();
    const auto joined = JoinIntervals(a);
    const auto left = SubtractIntervals(joined, JoinIntervals(b));
    auto expected = GetNanoseconds(a);
    RC_ASSERT(GetNanoseconds(joined) == expected);
    RC_ASSERT(GetTotalLength(joined) == static_cast<int64_t>(expected.size()));
    for (const int64_t time : GetNanoseconds(b))
    {
        expected.erase(time);
    }
    RC_ASSERT(GetNanoseconds(left) == expected);
    RC_ASSERT(GetTotalLength(left) == static_cast<int64_t>(expected.size()));
    for (std::size_t i = 1; i < joined.size(); ++i)
    {
        RC_ASSERT(joined[i - 1].end < joined[i].begin);
    }
}

TEST(TimelineTracks, AnIntervalGetsTheFirstFreeTrack)
{
    using Tracks = std::vector<uint32_t>;
    EXPECT_EQ(AssignTracks({{0, 5}, {5, 9}, {2, 7}, {7, 8}}), (Tracks{0, 0, 1, 1}));
    // Two that take no time, and one that begins with them
    EXPECT_EQ(AssignTracks({{3, 3}, {3, 3}, {3, 9}, {4, 5}}), (Tracks{0, 1, 2, 0}));
    EXPECT_EQ(AssignTracks({}), Tracks());
}

RC_GTEST_PROP(TimelineTracks, NoTrackHasTwoAtATimeAndThereAreAsFewAsCanBe, ())
{
    const auto intervals = DrawIntervals();
    const auto tracks = AssignTracks(intervals);
    RC_ASSERT(tracks.size() == intervals.size());
    std::map<int64_t, std::set<uint32_t>> used; // by nanosecond
    std::size_t most = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i)
    {
        const auto [begin, end] = intervals[i];
        for (int64_t time = begin; time < std::max(end, begin + 1); ++time)
        {
            RC_ASSERT(used[time].insert(tracks[i]).second);
            most = std::max(most, used[time].size());
        }
    }
    // At some time, each track is in use: fewer would not do
    const auto highest = std::max_element(tracks.begin(), tracks.end());
    RC_ASSERT(most == (tracks.empty() ? 0 : *highest + 1U));
}

/// A program of each kind of operation, with the times that it is given.
class Program
{
  public:
    /// Note when an operation, the next one, was under way until it ended.
    void Add(uint32_t operation, int64_t begin, int64_t end)
    {
        EXPECT_EQ(operation, times.size());
        times.push_back({{begin, end}, true, true});
    }

    RankProgram program;      //!< the program
    OperationIntervals times; //!< when its operations were under way
};

TEST(RankTimeSums, ExposedIsCommunicationWithoutComputation)
{
    Program rank;
    const auto group = std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0, 1});
    const auto add = [&group](RankProgram& program, CollectiveKind kind) {
        const auto algorithm = GetCollectiveAlgorithms(kind).front();
        return program.AddCollective({CollectiveSchedule(kind, algorithm, 2, 100), group, 0},
                                     0,
                                     {});
    };
    rank.Add(rank.program.AddCompute(100, {}), 0, 100);
    rank.Add(rank.program.AddCompute(100, {}, 0, 1), 50, 150);                   // on another unit
    rank.Add(rank.program.AddCompute(500, {}, 0, RankProgram::NO_UNIT), 0, 500); // a delay
    rank.Add(add(rank.program, CollectiveKind::ALL_REDUCE), 80, 200);
    rank.Add(add(rank.program, CollectiveKind::ALL_REDUCE), 190, 210);
    rank.Add(add(rank.program, CollectiveKind::ALL_GATHER), 300, 301);
    rank.Add(rank.program.AddSend(1, 10, 1, {}), 140, 160);
    rank.Add(rank.program.AddReceive(1, 10, 1, {}), 400, 450);
    const auto sums = SumRankTimes(rank.program, rank.times);
    EXPECT_EQ(sums.computation, 150);
    EXPECT_EQ(sums.communication, 130 + 1 + 50); // 80 to 210, 300 to 301, 400 to 450
    EXPECT_EQ(sums.exposed, 60 + 1 + 50);        // 150 to 210 of the first
    EXPECT_EQ(sums.sends, 20);
    EXPECT_EQ(sums.receives, 50);
    EXPECT_EQ(sums.collectives.at(CollectiveKind::ALL_REDUCE), 140);
    EXPECT_EQ(sums.collectives.at(CollectiveKind::ALL_GATHER), 1);
    EXPECT_EQ(sums.collectives.size(), 2U);
    EXPECT_EQ(sums.finish, 500);
}

TEST(RankTimeSums, WhatHasNotStartedCountsNothingAndWhatHasNotEndedCountsSoFar)
{
    Program rank;
    rank.Add(rank.program.AddCompute(100, {}), 0, 100);
    rank.program.AddReceive(1, 10, 1, {});
    rank.times.push_back({{100, 700}, true, false});
    rank.program.AddCompute(9, {1});
    rank.times.push_back({});
    const auto sums = SumRankTimes(rank.program, rank.times);
    EXPECT_EQ(sums.receives, 600);
    EXPECT_EQ(sums.exposed, 600);
    EXPECT_EQ(sums.computation, 100);
    EXPECT_EQ(sums.finish, 100);
    rank.times.pop_back();
    EXPECT_THROW(SumRankTimes(rank.program, rank.times), std::logic_error);
}

TEST(RankTimeSums, TheSlowestRankComputesLongestThenEndsLast)
{
    std::vector<RankTimeSums> sums(4);
    for (auto& rank : sums)
    {
        rank.computation = 10;
        rank.finish = 50;
    }
    EXPECT_EQ(FindSlowestRank(sums), 0U);
    sums[2].finish = 51;
    EXPECT_EQ(FindSlowestRank(sums), 2U);
    sums[1].computation = 11;
    EXPECT_EQ(FindSlowestRank(sums), 1U);
}
