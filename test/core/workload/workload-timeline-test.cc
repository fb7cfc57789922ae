// SPDX-License-Identifier: GPL-2.0-only

// The timeline of a workload: threads, slices and flows, checked by the rules of the format.

#include "model/core/workload/json-value.h"
#include "model/core/workload/workload-timeline.h"
#include "test/core/core-test.h"

using Numbers = std::vector<uint32_t>;

using Thread = std::pair<uint32_t, uint32_t>;

/// A slice or the end of a flow, as it was read.
struct Event
{
    std::string phase;    //!< its letter
    std::string name;     //!< its name
    std::string category; //!< its category
    int64_t begin;        //!< in ns
    int64_t end;          //!< in ns
};

/// A timeline, as it was read.
struct Timeline
{
    explicit Timeline(const WorkloadTimeline& timeline)
    {
        std::ostringstream os;
        timeline.Write(os);
        text = os.str();
        json = ParseJsonText(text);
        for (const auto& item : json.Find("traceEvents")->items)
        {
            const auto get = [&item](const std::string& key) {
                const JsonValue* found = item.Find(key);
                return found ? found->text : std::string();
            };
            const auto toNs = [](const std::string& micros) {
                return micros.empty() ? 0
                                      : std::stoll(std::string(micros).erase(micros.size() - 4, 1));
            };
            const auto number = [&get](const std::string& key) {
                return get(key).empty() ? 0U : static_cast<uint32_t>(std::stoul(get(key)));
            };
            const Thread thread{number("pid"), number("tid")};
            const std::string phase = get("ph");
            const int64_t time = toNs(get("ts"));
            if (phase == "X")
            {
                slices[thread].push_back(
                    {phase, get("name"), get("cat"), time, time + toNs(get("dur"))});
            }
            else if (phase == "s" || phase == "f")
            {
                flows[number("id")].push_back(
                    {thread, {phase, get("name"), get("cat"), time, time}});
            }
            else if (get("name") == "thread_name")
            {
                threads[thread] = item.Find("args")->Find("name")->text;
            }
            else if (get("name") == "process_name")
            {
                processes[thread.first] = item.Find("args")->Find("name")->text;
            }
            else
            {
                others.push_back(phase + " " + get("name") + " " + get("ts"));
            }
        }
    }

    /// What of the format's rules it breaks; empty if nothing.
    std::string FindBreach() const
    {
        for (const auto& [thread, all] : slices)
        {
            if (threads.count(thread) == 0 || processes.count(thread.first) == 0)
            {
                return "a thread without a name";
            }
            for (const auto& a : all)
            {
                for (const auto& b : all)
                {
                    const bool isApart = a.end <= b.begin || b.end <= a.begin;
                    const bool isNested = (a.begin <= b.begin && b.end <= a.end) ||
                                          (b.begin <= a.begin && a.end <= b.end);
                    if (a.end < a.begin || (!isApart && !isNested))
                    {
                        return a.name + " and " + b.name + " overlap";
                    }
                }
            }
        }
        for (const auto& [id, ends] : flows)
        {
            if (ends.size() != 2 || ends[0].second.name != ends[1].second.name ||
                ends[0].second.category != ends[1].second.category)
            {
                return "a flow without two ends of a name";
            }
            const bool isFirstBegin = ends[0].second.phase == "s";
            const auto& begin = ends[isFirstBegin ? 0 : 1].second;
            const auto& end = ends[isFirstBegin ? 1 : 0].second;
            if (begin.phase != "s" || end.phase != "f" || begin.begin > end.begin)
            {
                return "a flow that does not go forward";
            }
            for (const auto& [thread, event] : ends)
            {
                const auto found = slices.find(thread);
                const std::size_t nAround =
                    found == slices.end()
                        ? 0
                        : static_cast<std::size_t>(
                              std::count_if(found->second.begin(),
                                            found->second.end(),
                                            [time = event.begin](const auto& slice) {
                                                return slice.begin <= time &&
                                                       time < std::max(slice.end, slice.begin + 1);
                                            }));
                if (nAround != 1)
                {
                    return "an end of a flow in " + std::to_string(nAround) + " slices";
                }
            }
        }
        return "";
    }

    /// The slices of a thread as "name category begin-end, ...".
    std::string Print(uint32_t process, const std::string& name) const
    {
        std::string printed;
        for (const auto& [thread, own] : threads)
        {
            if (thread.first == process && own == name)
            {
                for (const auto& slice : slices.at(thread))
                {
                    printed += (printed.empty() ? "" : ", ") + slice.name + " " + slice.category +
                               " " + std::to_string(slice.begin) + "-" + std::to_string(slice.end);
                }
            }
        }
        return printed;
    }

    std::string text;                                                //!< the file
    JsonValue json;                                                  //!< its content
    std::map<Thread, std::vector<Event>> slices;                     //!< by thread
    std::map<uint32_t, std::vector<std::pair<Thread, Event>>> flows; //!< by id
    std::map<Thread, std::string> threads;                           //!< their names
    std::map<uint32_t, std::string> processes;                       //!< their names
    std::vector<std::string> others; //!< other events, in their order
};

OperationInterval
MakeEnded(int64_t begin, int64_t end)
{
    return {{begin, end}, true, true};
}

/// Two ranks: each computes; rank 0 sends to rank 1; then there is an all-reduce.
WorkloadPlan
MakePlan()
{
    WorkloadPlan plan(2);
    const uint32_t layer = plan.AddItem("layer 1");
    const uint32_t move = plan.AddItem("move");
    plan.GetProgram(0).AddCompute(500, {}, layer);
    plan.GetProgram(1).AddCompute(500, {}, layer);
    plan.AddMessage(move, 0, 1, 2000, 9, {0}, {});
    plan.AddCollective("sum",
                       {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 2, 4096},
                       std::make_shared<const Numbers>(Numbers{0, 1}),
                       {{1}, {1}});
    return plan;
}

TEST(WorkloadTimeline, RanksAreProcessesWithAThreadForEachKind)
{
    const WorkloadPlan plan = MakePlan();
    const Timeline timeline({plan,
                             {{MakeEnded(0, 500), MakeEnded(500, 4500), MakeEnded(4500, 9000)},
                              {MakeEnded(0, 500), MakeEnded(0, 3500), MakeEnded(3500, 9001)}}});
    EXPECT_EQ(timeline.FindBreach(), "");
    EXPECT_EQ(timeline.processes, (std::map<uint32_t, std::string>{{1, "rank 0"}, {2, "rank 1"}}));
    EXPECT_EQ(timeline.Print(1, "computation"), "layer 1 computation 0-500");
    EXPECT_EQ(timeline.Print(1, "sends"), "move send 500-4500");
    EXPECT_EQ(timeline.Print(2, "receives"), "move receive 0-3500");
    EXPECT_EQ(timeline.Print(2, "collectives"), "sum all-reduce 3500-9001");
    // The message goes from the begin of its slice to the last nanosecond before it arrives
    ASSERT_EQ(timeline.flows.size(), 1U);
    const auto& ends = timeline.flows.at(1);
    EXPECT_EQ(ends[0].second.begin, 500);
    EXPECT_EQ(ends[1].second.begin, 3499);
    EXPECT_EQ(timeline.threads.at(ends[0].first), "sends");
    EXPECT_EQ(timeline.threads.at(ends[1].first), "receives");
    EXPECT_NE(timeline.text.find(R"("args":{"to":1,"bytes":2000,"tag":9})"), std::string::npos);
    EXPECT_NE(timeline.text.find(R"("args":{"bytes":4096,"members":2,"algorithm":"ring"})"),
              std::string::npos);
}

TEST(WorkloadTimeline, AMessageThatWasThereEndsInASliceWithoutTime)
{
    const WorkloadPlan plan = MakePlan();
    const Timeline timeline({plan,
                             {{MakeEnded(0, 500), MakeEnded(500, 4500), MakeEnded(4500, 9000)},
                              {MakeEnded(0, 500), MakeEnded(7000, 7000), MakeEnded(7000, 9001)}}});
    EXPECT_EQ(timeline.FindBreach(), "");
    EXPECT_EQ(timeline.Print(2, "receives"), "move receive 7000-7000");
    EXPECT_EQ(timeline.flows.at(1)[1].second.begin, 7000);
}

TEST(WorkloadTimeline, WhatHasNotEndedIsUnfinishedAndHasNoFlow)
{
    const WorkloadPlan plan = MakePlan();
    WorkloadTimeline written(plan,
                             {{MakeEnded(0, 500), MakeEnded(500, 4500), {}},
                              {MakeEnded(0, 500), {{0, 8000}, true, false}, {}}});
    written.AddInstant(1, 7000, "rank 1 cannot send");
    written.AddInstant(std::nullopt, 6000, "link down");
    written.AddCounter(0, "wait", 0, TraceArguments().AddMicros("pause", 2500));
    written.AddNote("slowest_rank", "1");
    const Timeline timeline(written);
    EXPECT_EQ(timeline.FindBreach(), "");
    EXPECT_TRUE(timeline.flows.empty());
    EXPECT_EQ(timeline.Print(2, "receives"), "move receive 0-8000");
    EXPECT_EQ(timeline.Print(2, "collectives"), "");
    EXPECT_NE(timeline.text.find(R"("state":"unfinished")"), std::string::npos);
    const std::vector<std::string> others{"C wait 0.000",
                                          "i rank 1 cannot send 7.000",
                                          "i link down 6.000"};
    std::vector<std::string> found;
    std::copy_if(timeline.others.begin(),
                 timeline.others.end(),
                 std::back_inserter(found),
                 [](const auto& text) { return text[0] != 'M'; });
    EXPECT_EQ(found, others);
    EXPECT_EQ(timeline.json.Find("otherData")->Find("slowest_rank")->text, "1");
}

TEST(WorkloadTimeline, ComputationsThatTakeNoTimeAreLeftOut)
{
    WorkloadPlan plan(1);
    const uint32_t item = plan.AddItem("x");
    plan.GetProgram(0).AddCompute(0, {}, item);
    plan.GetProgram(0).AddCompute(10, {}, item, 1);
    plan.GetProgram(0).AddCompute(10, {}, item, RankProgram::NO_UNIT);
    plan.GetProgram(0).AddCompute(10, {}, item, RankProgram::NO_UNIT);
    const Timeline timeline(
        {plan, {{MakeEnded(5, 5), MakeEnded(5, 15), MakeEnded(15, 25), MakeEnded(15, 25)}}});
    EXPECT_EQ(timeline.FindBreach(), "");
    EXPECT_EQ(timeline.Print(1, "computation"), "");
    EXPECT_EQ(timeline.Print(1, "computation (unit 1)"), "x computation 5-15");
    EXPECT_EQ(timeline.Print(1, "delays"), "x delay 15-25");
    EXPECT_EQ(timeline.Print(1, "delays 2"), "x delay 15-25");
}

TEST(WorkloadTimeline, TimesOfAnotherPlanAreRefused)
{
    const WorkloadPlan plan = MakePlan();
    EXPECT_THROW(WorkloadTimeline(plan, {{}, {}}), std::logic_error);
    EXPECT_THROW(WorkloadTimeline(plan, {{}}), std::logic_error);
}

TEST(WorkloadTimeline, RanksBehindTheMostOperationsAreLeftOutButCounted)
{
    WorkloadPlan plan(3);
    const uint32_t item = plan.AddItem("x");
    std::vector<OperationIntervals> times(3);
    const std::size_t half = WorkloadTimeline::MAX_OPERATIONS / 2;
    for (uint32_t rank = 0; rank < 3; ++rank)
    {
        for (std::size_t i = 0; i < half; ++i)
        {
            plan.GetProgram(rank).AddCompute(1, {}, item);
            times[rank].push_back(MakeEnded(static_cast<int64_t>(i), static_cast<int64_t>(i) + 1));
        }
    }
    const WorkloadTimeline timeline(plan, times);
    ASSERT_EQ(timeline.GetSums().size(), 3U);
    EXPECT_EQ(timeline.GetSums()[2].computation, static_cast<int64_t>(half));
    std::ostringstream os;
    timeline.Write(os);
    EXPECT_LT(os.str().size(), WorkloadTimeline::MAX_OPERATIONS * 150);
    EXPECT_NE(os.str().find("the first 2 of 3"), std::string::npos);
}

/// Random times of messages and computations between some ranks keep all rules.
RC_GTEST_PROP(WorkloadTimeline, KeepsTheRulesOfTheFormat, ())
{
    const auto nRanks = DrawInRange<uint32_t>(2, 5);
    WorkloadPlan plan(nRanks);
    const uint32_t item = plan.AddItem("x");
    std::vector<OperationIntervals> times(nRanks);
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, int64_t> lastSend;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, int64_t> lastReceive;
    const auto nMessages = DrawInRange(0, 30);
    for (int i = 0; i < nMessages; ++i)
    {
        const auto from = DrawInRange<uint32_t>(0, nRanks);
        const uint32_t to = (from + DrawInRange<uint32_t>(1, nRanks)) % nRanks;
        const auto tag = DrawInRange<uint32_t>(0, 2);
        plan.AddMessage(item, from, to, 1, tag, {}, {});
        // As an execution has them: they start in their order, and arrive later
        const int64_t sent = lastSend[{from, to, tag}] + DrawInRange(0, 50);
        const int64_t arrived = sent + DrawInRange(1, 60);
        const int64_t awaited = lastReceive[{from, to, tag}] + DrawInRange(0, 60);
        lastSend[{from, to, tag}] = sent;
        lastReceive[{from, to, tag}] = std::max(arrived, awaited);
        times[from].push_back(MakeEnded(sent, arrived + DrawInRange(0, 9)));
        times[to].push_back(MakeEnded(awaited, std::max(arrived, awaited)));
        const auto nanoseconds = DrawInRange(0, 40);
        const auto unit = DrawElement({0U, 1U, RankProgram::NO_UNIT});
        plan.GetProgram(to).AddCompute(static_cast<uint64_t>(nanoseconds), {}, item, unit);
        times[to].push_back(MakeEnded(sent, sent + nanoseconds));
    }
    const WorkloadTimeline written(plan, times);
    const Timeline timeline(written);
    RC_ASSERT(timeline.FindBreach() == "");
    RC_ASSERT(timeline.flows.size() == static_cast<std::size_t>(nMessages));
    // The slices are the operations
    const auto sums = written.GetSums();
    std::vector<int64_t> sends(nRanks);
    std::vector<int64_t> receives(nRanks);
    for (const auto& [thread, all] : timeline.slices)
    {
        for (const auto& slice : all)
        {
            sends[thread.first - 1] += slice.category == "send" ? slice.end - slice.begin : 0;
            receives[thread.first - 1] += slice.category == "receive" ? slice.end - slice.begin : 0;
        }
    }
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        RC_ASSERT(sums[rank].sends == sends[rank]);
        RC_ASSERT(sums[rank].receives == receives[rank]);
    }
    RC_ASSERT(Timeline(written).text == timeline.text);
}
