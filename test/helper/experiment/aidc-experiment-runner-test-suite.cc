/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "helper/experiment/remaining-time.h"
#include "helper/experiment/run-progress.h"
#include "test/captured-stream.h"

#include "ns3/aidc-version.h"
#include "ns3/clos-fabric.h"
#include "ns3/experiment-progress.h"
#include "ns3/experiment-runner.h"
#include "ns3/fabric-helper.h"
#include "ns3/nstime.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-datapath.h"
#include "ns3/test.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @brief Read a file.
 * @param folder its folder
 * @param name its name
 * @return its text; "none" if there is no such file
 */
std::string
ReadText(const std::string& folder, const std::string& name)
{
    std::ifstream file(std::filesystem::path(folder) / name);
    std::ostringstream text;
    if (!file)
    {
        return "none";
    }
    text << file.rdbuf();
    return text.str();
}

/**
 * @ingroup aidc-test
 * @brief Two schemes in two scenarios, two runs each: the order, the random numbers, the files.
 *
 * Run r of scheme j in scenario i, counted from 1, tells 100 i + 10 j + r: the mean of two runs is
 * 100 i + 10 j + 1.5.
 */
class AidcRunnerTestCase : public TestCase
{
  public:
    AidcRunnerTestCase()
        : TestCase("ExperimentRunner: every scheme in every scenario, and what it writes")
    {
    }

  private:
    /**
     * @brief Make a run.
     * @param run which one
     * @return what it tells: two flows, of which one is done, 2 us after it has started
     */
    ExperimentOutcome MakeRun(const ExperimentRun& run)
    {
        const auto number = RngSeedManager::GetRun();
        m_calls << run.scheme << '@' << run.scenario << ' ' << RngSeedManager::GetSeed() << ' '
                << number << (run.isFirst ? " first\n" : "\n");
        run.Announce(2);
        ExperimentOutcome outcome;
        outcome.Add("count",
                    (run.scenario == "one" ? 100 : 200) + (run.scheme == "a" ? 10 : 20) +
                        static_cast<double>(number),
                    "1");
        outcome.Add("left_out", 1, "s");
        if (run.scenario == "one")
        {
            outcome.Add("only_there", 5, "1");
        }
        FlowRecord record;
        record.spec.source = NodeIndex(3);
        record.spec.destination = NodeIndex(5);
        record.spec.bytes = 1000;
        record.spec.start = MicroSeconds(1);
        outcome.records.push_back(record);
        record.isDone = true;
        record.fct = MicroSeconds(2);
        record.slowdown = static_cast<double>(number) + 0.5;
        outcome.records.push_back(record);
        return outcome;
    }

    void DoRun() override
    {
        const auto folder =
            std::filesystem::path(CreateTempDirFilename("file")).parent_path() / "results";
        ExperimentOptions options;
        options.seed = 7;
        options.runs = 2;
        options.out = folder.string();
        ExperimentPlan plan;
        plan.name = "test";
        plan.command = "aidc-test --seed=7";
        plan.question = "How much?";
        plan.scenarios = {"one", "two"};
        plan.schemes = {"a", "b"};
        plan.totals = {"count", "only_there"};
        plan.columns = {"count"};
        plan.hasFlowFiles = true;
        std::string progress;
        std::string table;
        {
            ExperimentRunner runner(plan, options);
            runner.GetSummary().SetParameter("answer", 42);
            const CapturedStream err(std::cerr);
            const CapturedStream out(std::cout);
            runner.Run([this](const ExperimentRun& run) { return MakeRun(run); });
            progress = err.GetText();
            table = out.GetText();
        }
        NS_TEST_EXPECT_MSG_EQ(m_calls.str(),
                              "a@one 7 1 first\na@one 7 2\nb@one 7 1 first\nb@one 7 2\n"
                              "a@two 7 1 first\na@two 7 2\nb@two 7 1 first\nb@two 7 2\n",
                              "the order, seeds and run numbers");
        NS_TEST_EXPECT_MSG_EQ(progress,
                              "[1/8] a@one, 2 flows\n[2/8] a@one, 2 flows\n"
                              "[3/8] b@one, 2 flows\n[4/8] b@one, 2 flows\n"
                              "[5/8] a@two, 2 flows\n[6/8] a@two, 2 flows\n"
                              "[7/8] b@two, 2 flows\n[8/8] b@two, 2 flows\n",
                              "the progress");
        NS_TEST_EXPECT_MSG_NE(table.find("count"), std::string::npos, "the table");
        NS_TEST_EXPECT_MSG_EQ(table.find("left_out"), std::string::npos, "not a column");
        // Half of the interval of two values that are 1 apart: Student's t of 12.706205, times 1/2.
        std::istringstream totals(ReadText(options.out, "totals.csv"));
        for (const std::string begin : {"scenario,scheme,count,only_there,count_ci95",
                                        "one,a,111.5,5,6.353102",
                                        "one,b,121.5,5,6.353102",
                                        "two,a,211.5,nan,6.353102",
                                        "two,b,221.5,nan,6.353102"})
        {
            std::string line;
            std::getline(totals, line);
            NS_TEST_EXPECT_MSG_EQ(line.substr(0, begin.size()), begin, "the totals");
        }
        NS_TEST_EXPECT_MSG_EQ(ReadText(options.out, "flows-two-b.csv"),
                              "run,source,destination,size_byte,start_s,fct_s,slowdown\n"
                              "1,3,5,1000,1e-06,nan,nan\n1,3,5,1000,1e-06,2e-06,1.5\n"
                              "2,3,5,1000,1e-06,nan,nan\n2,3,5,1000,1e-06,2e-06,2.5\n",
                              "the flows of both runs");
        const auto slowdown = ReadText(options.out, "slowdown.csv");
        NS_TEST_EXPECT_MSG_NE(slowdown.find("one,a,1000,10000,2,"),
                              std::string::npos,
                              "one flow a run is done, found " << slowdown);
        const auto summary = ReadText(options.out, "summary.json");
        const std::vector<std::string> texts{"\"experiment\": \"test\"",
                                             "\"seed\": 7",
                                             "\"runs\": 2",
                                             "aidc-test --seed=7",
                                             "\"question\": \"How much?\"",
                                             "\"answer\": 42",
                                             "\"aidc\": \"" + GetAidcVersion() + "\"",
                                             "\"devices\": \"ethernet\"",
                                             "\"datapath\": \"fast\"",
                                             "\"left_out\"",
                                             "\"runs\": [221, 222]",
                                             "\"wall_time\""};
        for (const auto& text : texts)
        {
            NS_TEST_EXPECT_MSG_NE(summary.find(text), std::string::npos, text);
        }

        // A scenario in which not all schemes make sense.
        plan.schemesOf["two"] = {"c", "b"};
        options.runs = 1;
        m_calls.str("");
        ExperimentRunner runner(plan, options);
        const CapturedStream err(std::cerr);
        const CapturedStream out(std::cout);
        runner.Run([this](const ExperimentRun& run) { return MakeRun(run); });
        NS_TEST_EXPECT_MSG_EQ(m_calls.str(),
                              "a@one 7 1 first\nb@one 7 1 first\nb@two 7 1 first\n",
                              "what the plan and the scenario both have");
        NS_TEST_EXPECT_MSG_EQ(err.GetText(),
                              "[1/3] a@one, 2 flows\n[2/3] b@one, 2 flows\n"
                              "[3/3] b@two, 2 flows\n",
                              "the progress");
    }

    std::ostringstream m_calls; //!< the runs that were made
};

/**
 * @ingroup aidc-test
 * @brief How far an experiment is: one line of a terminal, a line each tenth elsewhere.
 */
class AidcProgressTestCase : public TestCase
{
  public:
    AidcProgressTestCase()
        : TestCase("ExperimentProgress: a line of a terminal, or a line each tenth of the runs")
    {
    }

  private:
    /**
     * @brief Begin some runs.
     * @param isTerminal whether a line can be written anew
     * @param n how many
     * @return what is told
     */
    static std::string Tell(bool isTerminal, std::size_t n)
    {
        std::ostringstream os;
        {
            ExperimentProgress progress(os, isTerminal, std::vector<std::string>(n, "a@one"));
            for (std::size_t i = 0; i < n; ++i)
            {
                progress.Begin(i, "a@one");
                RunProgress run(
                    [&](const auto& text, double share) { progress.Tell(i, text, share); });
                run.Announce(7);
                run.Follow(MilliSeconds(1));
                Simulator::Stop(MilliSeconds(1));
                Simulator::Run();
                Simulator::Destroy();
                progress.End(i);
            }
        }
        return os.str();
    }

    /**
     * @brief Begin some runs at once, a1 and so on, and end the first five of them one by one, each
     *        followed by the next one.
     * @param isTerminal whether a line can be written anew
     * @param n how many there are
     * @param nAtOnce how many are under way at once
     * @return what is told
     */
    static std::string TellSeveral(bool isTerminal, std::size_t n, std::size_t nAtOnce)
    {
        std::ostringstream os;
        {
            ExperimentProgress progress(os, isTerminal, std::vector<std::string>(n, "a"), nAtOnce);
            std::size_t begun = 0;
            const auto begin = [&] {
                progress.Begin(begun, "a" + std::to_string(begun + 1));
                ++begun;
            };
            while (begun < nAtOnce)
            {
                begin();
            }
            progress.Tell(0, "", 0);
            progress.Tell(1, "", 0);
            for (std::size_t i = 0; i < std::min<std::size_t>(n, 4); ++i)
            {
                progress.End(i);
                if (i == 0)
                {
                    progress.Print(isTerminal ? "said by a1" : "");
                }
                if (begun < n)
                {
                    begin();
                }
            }
        }
        return os.str();
    }

    /**
     * @brief Check the time that is left, of a run of at most 9 s that takes 1.2 s of wall time
     *        for its first millisecond, when 40 % of it is done, or no one knows.
     */
    void CheckRemainingTime()
    {
        for (const bool isKnown : {true, false})
        {
            std::ostringstream os;
            ExperimentProgress progress(os, true, {"a@one"});
            progress.Begin(0, "a@one");
            RunProgress run([&](const auto& text, double share) { progress.Tell(0, text, share); });
            run.Announce(7);
            const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(120)); };
            for (int64_t i = 0; i < 10; ++i)
            {
                Simulator::Schedule(MicroSeconds(100 * i), wait);
            }
            run.Follow(Seconds(9), [isKnown] { return isKnown ? 0.4 : 0; });
            Simulator::Schedule(MilliSeconds(12), wait);
            Simulator::Stop(MilliSeconds(13));
            Simulator::Run();
            Simulator::Destroy();
            const std::string text = os.str();
            NS_TEST_EXPECT_MSG_NE(text.find("of at most 9000 ms simulated"),
                                  std::string::npos,
                                  text);
            const bool isTold = text.find(" left") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isTold, isKnown, text);
            NS_TEST_EXPECT_MSG_EQ(text.find(" h left"), std::string::npos, text);
        }
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Tell(false, 2),
                              "[1/2] a@one, 7 flows\n[2/2] a@one, 7 flows\n",
                              "few runs");
        CheckRemainingTime();
        const std::string many = Tell(false, 40);
        NS_TEST_EXPECT_MSG_EQ(std::count(many.begin(), many.end(), '\n'), 10, many);
        NS_TEST_EXPECT_MSG_NE(many.find("[5/40] a@one, 7 flows\n[9/40]"), std::string::npos, many);
        NS_TEST_EXPECT_MSG_EQ(Tell(true, 2),
                              "\r\033[K[1/2] a@one, 7 flows\r\033[K[2/2] a@one, 7 flows\r\033[K",
                              "a line that is written anew, and cleared at the end");
        NS_TEST_EXPECT_MSG_EQ(TellSeveral(false, 20, 3),
                              "[0/20 done] a1, a2, a3\n[2/20 done] a3, a4\n[4/20 done] a5, a6\n",
                              "several at once");
        NS_TEST_EXPECT_MSG_EQ(TellSeveral(true, 3, 3),
                              "\r\033[K[0/3 done] a1, a2, a3\r\033[K[1/3 done] a2, a3"
                              "\r\033[Ksaid by a1\n\r\033[K[2/3 done] a3\r\033[K[3/3 done]\r\033[K",
                              "several at once on a terminal");
        const auto crowd = TellSeveral(true, 30, 30);
        NS_TEST_EXPECT_MSG_NE(crowd.find("a11 and 19 more\r"), std::string::npos, crowd);
    }
};

/**
 * @ingroup aidc-test
 * @brief The remaining time, by the clock of the test.
 *
 * A run of a takes 10 s, and a run of b 40 s.
 */
class AidcRemainingTimeTestCase : public TestCase
{
  public:
    AidcRemainingTimeTestCase()
        : TestCase("RemainingTime: schemes that take four times as long as others")
    {
    }

  private:
    /**
     * @brief Check an estimate.
     * @param remaining the runs
     * @param now the time in s
     * @param expected how long the rest takes in s
     */
    void Check(const RemainingTime& remaining, double now, double expected)
    {
        const auto found = remaining.Estimate(now);
        NS_TEST_ASSERT_MSG_EQ(found.has_value(), true, "at " << now);
        NS_TEST_EXPECT_MSG_EQ_TOL(*found, expected, 1e-9, "at " << now);
    }

    void DoRun() override
    {
        RemainingTime one({"a", "a", "b", "b"}, 1);
        one.Begin(0, 0);
        NS_TEST_EXPECT_MSG_EQ(one.Estimate(5).has_value(), false, "nothing is known");
        one.SetShare(0, 0.009);
        NS_TEST_EXPECT_MSG_EQ(one.Estimate(5).has_value(), false, "nearly nothing");
        one.SetShare(0, 0.5);
        Check(one, 5, 5 + 10 + 2 * 10); // b costs as much as the most expensive one so far
        one.End(0, 10);
        one.Begin(1, 10);
        Check(one, 12, 10 + 2 * 10);
        one.End(1, 20);
        one.Begin(2, 20);
        one.SetShare(2, 0.25);
        Check(one, 30, 30 + 40); // a quarter took 10 s
        one.End(2, 60);
        one.Begin(3, 60);
        one.SetShare(3, 0.75); // what is done of it says less than the run that is done
        Check(one, 61, 10);
        one.End(3, 100);
        Check(one, 100, 0);

        // First runs first, two at once
        RemainingTime two({"a", "a", "b", "b"}, 2);
        two.Begin(0, 0);
        two.Begin(2, 0);
        two.SetShare(0, 0.4);
        two.SetShare(2, 0.1);
        Check(two, 4, (6 + 10 + 36 + 40) / 2.0);
        two.End(0, 10);
        two.SetShare(2, 0.25);
        two.Begin(1, 10);
        Check(two, 10, (10 + 30 + 40) / 2.0);
        two.End(1, 20);
        two.SetShare(2, 0.5);
        two.Begin(3, 20);
        Check(two, 20, 40); // the last run is longer than half of the rest, 20 + 40
    }
};

/**
 * @ingroup aidc-test
 * @brief Options out of range are refused.
 */
class AidcRunnerErrorsTestCase : public TestCase
{
  public:
    AidcRunnerErrorsTestCase()
        : TestCase("ExperimentOptions: what is refused, and how it is told")
    {
    }

  private:
    /**
     * @brief Check options.
     * @param options the options
     * @param abilities what the experiment can do
     * @return the error, empty if there is none
     */
    static std::string Check(const ExperimentOptions& options, const ExperimentAbilities& abilities)
    {
        try
        {
            options.Check(abilities);
        }
        catch (const std::runtime_error& error)
        {
            return error.what();
        }
        return "";
    }

    void DoRun() override
    {
        ExperimentOptions valid;
        valid.out = "results";
        std::vector<ExperimentOptions> refused(6, valid);
        refused[0].seed = 0;
        refused[1].runs = 0;
        refused[2].ranks = 0;
        refused[3].out = "";
        refused[4].devices = "token-ring";
        refused[5].datapath = "slow";
        const std::vector<std::string> expected{
            "expected --seed to be at least 1",
            "expected --runs to be at least 1",
            "expected --ranks to be at least 1",
            "expected --out to be a folder",
            "expected --devices to be ethernet or point-to-point, found \"token-ring\"",
            "expected --datapath to be fast or stack, found \"slow\"",
        };
        for (std::size_t i = 0; i < refused.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Check(refused[i], {true, true}),
                                  expected[i],
                                  "the text of error " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(Check(valid, {}), "", "no error");
        ExperimentOptions able = valid;
        able.ranks = 2;
        NS_TEST_EXPECT_MSG_EQ(Check(able, {true, false}), "", "a parallel experiment");
        NS_TEST_EXPECT_MSG_EQ(
            Check(able, {false, true}),
            "expected --ranks to be 1, as this experiment is not parallel, found 2",
            "an experiment of one process");
        able = valid;
        able.devices = "point-to-point";
        NS_TEST_EXPECT_MSG_EQ(Check(able, {false, true}), "", "links of ns-3's");
        NS_TEST_EXPECT_MSG_EQ(Check(able, {true, false}),
                              "expected --devices to be ethernet, found \"point-to-point\"",
                              "an experiment of Ethernet");
    }
};

/**
 * @ingroup aidc-test
 * @brief The options choose the devices and the datapath of the network.
 */
class AidcRunnerDevicesTestCase : public TestCase
{
  public:
    AidcRunnerDevicesTestCase()
        : TestCase("ExperimentOptions: the devices and the datapath of the network")
    {
    }

  private:
    /**
     * @brief Build a network of two leaves and look at its first switch.
     * @param devices the option of that name
     * @param datapath the option of that name
     * @return the type of its first device, and the mode of its datapath if it has one
     */
    static std::string Build(const std::string& devices, const std::string& datapath)
    {
        ExperimentOptions options;
        options.devices = devices;
        options.datapath = datapath;
        LeafSpineSettings plan;
        plan.leaves = 2;
        plan.spines = 2;
        plan.hostsPerLeaf = 1;
        std::string found;
        {
            FabricHelper network;
            options.Configure(network);
            network.Build(MakeLeafSpine(plan));
            network.AssignAddresses(); // which connects the switches' ports
            const auto node = network.GetSwitches().Get(0);
            found = node->GetDevice(0)->GetInstanceTypeId().GetName();
            if (const auto path = node->GetObject<SwitchDatapath>())
            {
                StringValue mode;
                path->GetAttribute("Mode", mode);
                found += " " + mode.Get();
            }
        }
        Simulator::Destroy();
        return found;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Build("ethernet", "fast"),
                              "ns3::aidc::EthernetNetDevice Fast",
                              "the fast datapath");
        NS_TEST_EXPECT_MSG_EQ(Build("ethernet", "stack"),
                              "ns3::aidc::EthernetNetDevice Stack",
                              "through the stack");
        NS_TEST_EXPECT_MSG_EQ(Build("point-to-point", "fast").substr(0, 26),
                              "ns3::PointToPointNetDevice",
                              "ns-3's devices");
    }
};

/**
 * @ingroup aidc-test
 * @brief What experiments do alike.
 */
class AidcExperimentRunnerTestSuite : public TestSuite
{
  public:
    AidcExperimentRunnerTestSuite()
        : TestSuite("aidc-experiment-runner", TestSuite::Type::UNIT)
    {
        AddTestCase(new AidcRunnerTestCase);
        AddTestCase(new AidcProgressTestCase);
        AddTestCase(new AidcRemainingTimeTestCase);
        AddTestCase(new AidcRunnerErrorsTestCase);
        AddTestCase(new AidcRunnerDevicesTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentRunnerTestSuite g_aidcExperimentRunnerTestSuite;

} // namespace
