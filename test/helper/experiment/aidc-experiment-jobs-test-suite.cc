/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "helper/experiment/experiment-jobs.h"
#include "test/captured-stream.h"
#include "test/read-file.h"

#include "ns3/experiment-runner.h"
#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/test.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @brief Write to the standard error stream of this process, whatever a test has made of std::cerr.
 * @param text the text
 */
void
Say(const std::string& text)
{
    const auto ignored = write(STDERR_FILENO, text.data(), text.size());
    static_cast<void>(ignored);
}

/**
 * @brief Wait.
 * @param ms how long, in ms
 */
void
Sleep(int ms)
{
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

/// Some tasks, and what this process hears of them
struct HeardTasks
{
    /**
     * @param n how many there are
     * @param work what they do
     */
    HeardTasks(std::size_t n,
               std::function<std::string(std::size_t, const ExperimentJobs::Report&)> work)
    {
        tasks.n = n;
        tasks.getName = [](std::size_t i) { return "task " + std::to_string(i); };
        tasks.work = std::move(work);
        tasks.notifyBegin = [this](std::size_t) {
            ++underWay;
            most = std::max(most, underWay);
        };
        tasks.notifyReport = [this](std::size_t i, const std::string& text) { reports[i] += text; };
        tasks.notifyEnd = [this](std::size_t) { --underWay; };
        tasks.take = [this](std::size_t i, const std::string& result, const std::string& text) {
            taken.push_back(i);
            results += result;
            said += text;
        };
    }

    /**
     * @brief Do them.
     * @param nAtOnce how many at once
     * @return the error, empty if there is none
     */
    std::string Run(std::size_t nAtOnce)
    {
        const CapturedStream err(std::cerr);
        try
        {
            ExperimentJobs(nAtOnce).Run(tasks);
        }
        catch (const std::runtime_error& error)
        {
            printed = err.GetText();
            return error.what();
        }
        return "";
    }

    ExperimentJobs::Tasks tasks;                //!< the tasks
    int underWay{0};                            //!< how many are under way
    int most{0};                                //!< how many were at once
    std::map<std::size_t, std::string> reports; //!< what they have reported
    std::vector<std::size_t> taken;             //!< those whose results were taken
    std::string results;                        //!< these results
    std::string said;                           //!< what they have printed
    std::string printed;                        //!< what this process has printed
};

/**
 * @brief Whether this process has no child left.
 * @return true if so
 */
bool
IsAlone()
{
    return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

/**
 * @ingroup aidc-test
 * @brief Tasks are done in processes of their own, and their results taken in order.
 */
class AidcJobsTestCase : public TestCase
{
  public:
    AidcJobsTestCase()
        : TestCase("ExperimentJobs: processes, order, reports, what is printed")
    {
    }

  private:
    void DoRun() override
    {
        const pid_t here = getpid();
        int touched = 0;
        const std::string big(1000000, 'x'); // more than a pipe holds
        HeardTasks heard(5, [&](std::size_t i, const ExperimentJobs::Report& report) {
            const bool isApart = getpid() != here && touched == 0;
            ++touched;
            report("half of ");
            Sleep(i == 0 ? 300 : 10); // so that the others are done before the first one
            report(std::to_string(i));
            Say("said by " + std::to_string(i) + "\n" + (i == 1 ? big : ""));
            return std::to_string(i) + (isApart ? " apart;" : " here;") + (i == 3 ? big : "");
        });
        NS_TEST_EXPECT_MSG_EQ(heard.Run(3), "", "no error");
        const std::vector<std::size_t> order{0, 1, 2, 3, 4};
        NS_TEST_EXPECT_MSG_EQ((heard.taken == order), true, "the order");
        NS_TEST_EXPECT_MSG_EQ(
            (heard.results == "0 apart;1 apart;2 apart;3 apart;" + big + "4 apart;"),
            true,
            "the results");
        NS_TEST_EXPECT_MSG_EQ(
            (heard.said == "said by 0\nsaid by 1\n" + big + "said by 2\nsaid by 3\nsaid by 4\n"),
            true,
            "what was printed");
        NS_TEST_EXPECT_MSG_EQ(heard.reports[4], "half of 4", "what was reported");
        NS_TEST_EXPECT_MSG_EQ(heard.most, 3, "at once");
        NS_TEST_EXPECT_MSG_EQ(heard.underWay, 0, "all have ended");
        NS_TEST_EXPECT_MSG_EQ(touched, 0, "the memory of this process");
        NS_TEST_EXPECT_MSG_EQ(IsAlone(), true, "no process is left");
        NS_TEST_EXPECT_MSG_EQ(HeardTasks(0, nullptr).Run(2), "", "no task");

        HeardTasks ordered(4, [](std::size_t i, const auto&) { return std::to_string(i); });
        ordered.tasks.order = {2, 0, 3, 1};
        std::vector<std::size_t> begun;
        ordered.tasks.notifyBegin = [&begun](std::size_t i) { begun.push_back(i); };
        NS_TEST_EXPECT_MSG_EQ(ordered.Run(1), "", "no error");
        NS_TEST_EXPECT_MSG_EQ((begun == ordered.tasks.order), true, "the order of their begin");
        NS_TEST_EXPECT_MSG_EQ(ordered.results, "0123", "results are taken in their own order");
    }
};

/**
 * @ingroup aidc-test
 * @brief A task that throws, crashes, exits or is killed ends all of them, with its reason.
 */
class AidcJobsErrorsTestCase : public TestCase
{
  public:
    AidcJobsErrorsTestCase()
        : TestCase("ExperimentJobs: tasks that fail")
    {
    }

  private:
    /**
     * @brief Do tasks of which one fails, and two others would take a minute.
     * @param fail makes it fail
     * @param expected how the error begins
     * @param printed what is printed before it
     */
    void Expect(const std::function<void()>& fail,
                const std::string& expected,
                const std::string& printed)
    {
        const auto begun = std::chrono::steady_clock::now();
        HeardTasks heard(3, [&](std::size_t i, const auto&) {
            if (i == 1)
            {
                fail();
            }
            Sleep(60000);
            return std::string();
        });
        const auto error = heard.Run(3);
        NS_TEST_EXPECT_MSG_EQ(error.substr(0, expected.size()), expected, error);
        NS_TEST_EXPECT_MSG_EQ(heard.printed, printed, expected);
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
        NS_TEST_EXPECT_MSG_LT(passed.count(), 30, "the others were ended");
        NS_TEST_EXPECT_MSG_EQ(IsAlone(), true, "no process is left");
    }

    void DoRun() override
    {
        Expect([] { throw std::runtime_error("no such file"); }, "no such file", "");
        Expect(
            [] {
                Say("last words\n");
                std::_Exit(3);
            },
            "task 1 has ended with exit status 3 before it was done",
            "last words\n");
        Expect([] { kill(getpid(), SIGKILL); },
               "task 1 was ended by signal 9 (Killed); if memory was too small, a smaller --jobs "
               "needs less",
               "");
        Expect(
            [] {
                std::signal(SIGSEGV, SIG_DFL);
                Say("bad memory\n");
                kill(getpid(), SIGSEGV);
            },
            "task 1 was ended by signal 11 (Segmentation fault)",
            "bad memory\n");
    }
};

/**
 * @ingroup aidc-test
 * @brief The results of a run survive their way through bytes.
 */
class AidcOutcomeBytesTestCase : public TestCase
{
  public:
    AidcOutcomeBytesTestCase()
        : TestCase("ExperimentOutcome: as bytes and back")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentOutcome outcome;
        outcome.Add("fct_mean", 0.1 + 0.2, "s");
        outcome.Add("none", std::nan(""), "1");
        outcome.Add("endless", -std::numeric_limits<double>::infinity(), "1");
        outcome.lines.push_back({"a.csv", "x,y", "1,2"});
        FlowRecord record;
        record.spec.source = NodeIndex(4000000000);
        record.spec.destination = NodeIndex(2);
        record.spec.priority = 3;
        record.spec.port = 65535;
        record.spec.bytes = 1ULL << 63;
        record.spec.start = NanoSeconds(-5);
        record.spec.line = 7;
        record.receivedBytes = 8;
        record.isDone = true;
        record.finish = Seconds(9);
        record.fct = NanoSeconds(10);
        record.idealFct = NanoSeconds(11);
        record.slowdown = 1.0 / 3;
        outcome.records = {record, FlowRecord()};
        NS_TEST_EXPECT_MSG_EQ(ExperimentOutcome::Decode(outcome.Encode()).longestWait.has_value(),
                              false,
                              "nobody has waited");
        outcome.longestWait = LongestWait{"a to b, queue pair 2", "rate", 0.1 + 0.2, 0.5, 0.25};
        const auto bytes = outcome.Encode();
        const auto found = ExperimentOutcome::Decode(bytes);
        NS_TEST_ASSERT_MSG_EQ(found.longestWait.has_value(), true, "somebody has");
        NS_TEST_EXPECT_MSG_EQ(found.longestWait->queuePair, "a to b, queue pair 2", "who");
        NS_TEST_EXPECT_MSG_EQ(found.longestWait->cause, "rate", "why");
        NS_TEST_EXPECT_MSG_EQ(found.longestWait->waited, 0.1 + 0.2, "how long");
        NS_TEST_EXPECT_MSG_EQ(found.longestWait->since, 0.5, "since when");
        NS_TEST_EXPECT_MSG_EQ(found.longestWait->longest, 0.25, "the longest one");
        NS_TEST_ASSERT_MSG_EQ(found.metrics.size(), 3, "metrics");
        NS_TEST_EXPECT_MSG_EQ(found.metrics[0].name, "fct_mean", "name");
        NS_TEST_EXPECT_MSG_EQ(found.metrics[0].value, 0.1 + 0.2, "value");
        NS_TEST_EXPECT_MSG_EQ(found.metrics[0].unit, "s", "unit");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(found.metrics[1].value), true, "no value");
        NS_TEST_EXPECT_MSG_EQ(found.metrics[2].value, outcome.metrics[2].value, "infinite");
        NS_TEST_ASSERT_MSG_EQ(found.lines.size(), 1, "lines");
        NS_TEST_EXPECT_MSG_EQ(found.lines[0].file + found.lines[0].header + found.lines[0].line,
                              "a.csvx,y1,2",
                              "line");
        NS_TEST_ASSERT_MSG_EQ(found.records.size(), 2, "records");
        const auto& back = found.records[0];
        NS_TEST_EXPECT_MSG_EQ(back.spec.source, record.spec.source, "source");
        NS_TEST_EXPECT_MSG_EQ(back.spec.destination, record.spec.destination, "destination");
        NS_TEST_EXPECT_MSG_EQ(back.spec.priority, 3, "priority");
        NS_TEST_EXPECT_MSG_EQ(back.spec.port, 65535, "port");
        NS_TEST_EXPECT_MSG_EQ(back.spec.bytes, record.spec.bytes, "bytes");
        NS_TEST_EXPECT_MSG_EQ(back.spec.start, record.spec.start, "start");
        NS_TEST_EXPECT_MSG_EQ(back.spec.line, 7, "line");
        NS_TEST_EXPECT_MSG_EQ(back.receivedBytes, 8, "received");
        NS_TEST_EXPECT_MSG_EQ(back.isDone, true, "done");
        NS_TEST_EXPECT_MSG_EQ(back.finish, Seconds(9), "finish");
        NS_TEST_EXPECT_MSG_EQ(back.fct, NanoSeconds(10), "fct");
        NS_TEST_EXPECT_MSG_EQ(back.idealFct, NanoSeconds(11), "ideal");
        NS_TEST_EXPECT_MSG_EQ(back.slowdown, 1.0 / 3, "slowdown");
        NS_TEST_EXPECT_MSG_EQ(found.records[1].isDone, false, "another one");

        for (const auto& wrong : {bytes.substr(0, bytes.size() - 1), bytes + "x", std::string()})
        {
            bool isRefused = false;
            try
            {
                ExperimentOutcome::Decode(wrong);
            }
            catch (const std::logic_error&)
            {
                isRefused = true;
            }
            NS_TEST_EXPECT_MSG_EQ(isRefused, true, wrong.size() << " bytes");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief An experiment writes the same bytes with any number of jobs.
 */
class AidcRunnerJobsTestCase : public TestCase
{
  public:
    AidcRunnerJobsTestCase()
        : TestCase("ExperimentRunner: the same files with any number of jobs")
    {
    }

  private:
    /**
     * @brief Run two schemes in two scenarios, three times each.
     * @param nJobs the number of jobs
     * @param fails which run fails; empty for none
     * @return all files by name, without wall times; in case of an error, its text as "error"
     */
    std::map<std::string, std::string> Run(uint32_t nJobs, const std::string& fails = "")
    {
        const auto folder = std::filesystem::path(CreateTempDirFilename("file")).parent_path() /
                            ("jobs-" + std::to_string(nJobs));
        ExperimentOptions options;
        options.runs = 3;
        options.jobs = nJobs;
        options.out = folder.string();
        ExperimentPlan plan;
        plan.name = "test";
        plan.scenarios = {"one", "two"};
        plan.schemes = {"a", "b"};
        plan.totals = {"count", "twice"};
        plan.columns = {"count"};
        plan.hasFlowFiles = true;
        plan.conclude = [](ExperimentSummary& summary) {
            for (const std::string key : {"a@one", "b@one", "a@two", "b@two"})
            {
                const auto counts = summary.GetValues(key, "count");
                for (const double count : counts)
                {
                    summary.Add(key, "twice", 2 * count, "1");
                }
            }
        };
        ExperimentRunner runner(plan, options);
        const CapturedStream err(std::cerr);
        const CapturedStream out(std::cout);
        try
        {
            runner.Run([&](const ExperimentRun& run) {
                if (run.GetName() == fails)
                {
                    throw std::runtime_error("it rains");
                }
                run.Announce(1);
                Sleep(run.scheme == "a" ? 20 : 0);
                ExperimentOutcome outcome;
                outcome.Add("count",
                            100.0 * run.number + static_cast<double>(RngSeedManager::GetRun()) / 3,
                            "1");
                FlowRecord record;
                record.spec.bytes = 1000;
                record.isDone = true;
                record.fct = MicroSeconds(run.number);
                record.slowdown = 1.0 / run.number;
                outcome.records.push_back(record);
                outcome.lines.push_back({"all.csv", "run", run.GetName()});
                if (run.isFirst)
                {
                    ResultFile series(run.GetSeriesPath("series"), "x");
                    series << run.GetName() << "\n";
                    series.Close();
                }
                return outcome;
            });
        }
        catch (const std::runtime_error& error)
        {
            return {{"error", error.what()}};
        }
        std::map<std::string, std::string> files;
        const std::regex wall("\"wall_time\".*");
        for (const auto& entry : std::filesystem::directory_iterator(folder))
        {
            files[entry.path().filename().string()] =
                std::regex_replace(ReadFile(entry.path().string()), wall, "");
        }
        return files;
    }

    void DoRun() override
    {
        const auto one = Run(1);
        // .results, summary.json, totals.csv, slowdown.csv, all.csv, four files of flows and series
        NS_TEST_EXPECT_MSG_EQ(one.size(), 13, "the files");
        std::string all = "run\n";
        for (const std::string key : {"a@one", "b@one", "a@two", "b@two"})
        {
            for (const std::string number : {"1", "2", "3"})
            {
                all += "run " + number + " of " + key + "\n";
            }
        }
        NS_TEST_EXPECT_MSG_EQ(one.at("all.csv"), all, "a file of several runs");
        // Run numbers 1, 2, 3: mean 200 + 2/3, and twice of that
        const auto& totals = one.at("totals.csv");
        NS_TEST_EXPECT_MSG_NE(totals.find("two,b,200.66666666666666,401.3333333333333,"),
                              std::string::npos,
                              totals);
        for (const uint32_t nJobs : {2, 5, 100})
        {
            const auto several = Run(nJobs);
            NS_TEST_EXPECT_MSG_EQ(several.size(), one.size(), nJobs << " jobs");
            for (const auto& [name, text] : one)
            {
                NS_TEST_EXPECT_MSG_EQ((several.at(name) == text), true, name);
            }
        }
        for (const uint32_t nJobs : {1, 3})
        {
            const auto error = Run(nJobs, "run 2 of b@one").at("error");
            const std::string expected = "it rains (run 2 of b@one)";
            NS_TEST_EXPECT_MSG_EQ(error.substr(0, expected.size()), expected, error);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief Runs in processes of their own.
 */
class AidcExperimentJobsTestSuite : public TestSuite
{
  public:
    AidcExperimentJobsTestSuite()
        : TestSuite("aidc-experiment-jobs", TestSuite::Type::UNIT)
    {
        AddTestCase(new AidcJobsTestCase);
        AddTestCase(new AidcJobsErrorsTestCase);
        AddTestCase(new AidcOutcomeBytesTestCase);
        AddTestCase(new AidcRunnerJobsTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentJobsTestSuite g_aidcExperimentJobsTestSuite;

} // namespace
