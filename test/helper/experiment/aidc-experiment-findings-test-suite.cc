/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test/helper/invalid-values.h"

#include "ns3/experiment-findings.h"
#include "ns3/experiment-outliers.h"
#include "ns3/experiment-summary.h"
#include "ns3/test.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// What all findings of these tests compare
const ExperimentComparison
    COMPARISON{"coupled ECN", "light", "coupled", "static", "fct_mean", true, "coupled-ecn"};

/**
 * @brief Add the values of a metric to a summary.
 * @param summary the summary
 * @param scheme the scheme with its scenario
 * @param values the value of each run
 */
void
AddRuns(ExperimentSummary& summary, const std::string& scheme, const std::vector<double>& values)
{
    for (const double value : values)
    {
        summary.Add(scheme, "fct_mean", value, "s");
    }
}

/**
 * @brief Make a summary with one finding.
 * @param values the values of coupled\@light, one a run
 * @param baseline the values of static\@light
 * @param isLessBetter whether a smaller value is better
 * @return the summary
 */
ExperimentSummary
Compare(const std::vector<double>& values, const std::vector<double>& baseline, bool isLessBetter)
{
    ExperimentSummary summary("x");
    summary.SetRuns(static_cast<uint32_t>(values.size()));
    AddRuns(summary, "coupled@light", values);
    AddRuns(summary, "static@light", baseline);
    auto comparison = COMPARISON;
    comparison.isLessBetter = isLessBetter;
    summary.AddFinding(comparison, [](const ExperimentFinding& found) {
        return "It takes " + PrintQuantity(found.value, found.unit) + " in place of " +
               PrintQuantity(found.baselineValue, found.unit) + ".";
    });
    return summary;
}

/**
 * @ingroup aidc-test
 * @brief The verdict follows from the pairs.
 *
 * Half-widths are t * s / sqrt(n), with t of the table of Student's distribution (0.975 quantile):
 * 12.706 for 2 runs, 4.303 for 3, 2.262 for 10.
 */
class AidcVerdictTestCase : public TestCase
{
  public:
    AidcVerdictTestCase()
        : TestCase("ExperimentFindings: verdicts of pairs")
    {
    }

  private:
    void DoRun() override
    {
        struct Vector
        {
            std::string what;             //!< what is compared
            std::vector<double> values;   //!< of the scheme
            std::vector<double> baseline; //!< of the baseline
            double difference;            //!< its mean
            double halfWidth;             //!< of its interval; NaN if there is none
            std::string less;             //!< verdict if less is better
            std::string more;             //!< verdict if more is better
        };

        const std::string neither = "inconclusive";
        // Differences -10, -12 and -8: s = 2. Ratios 0.5, 0.5 and 0.636: logarithms of mean -0.613
        // and s = 0.139, half-width 0.346
        const double three = 4.303 * 2 / std::sqrt(3);
        // Differences of nine times 0.5 and once 5.5: mean 1, s^2 = (9 * 0.25 + 20.25) / 9 = 2.5
        const double ten = 2.262 * std::sqrt(2.5) / std::sqrt(10);
        const std::vector<Vector> vectors{
            {"less", {10, 12, 14}, {20, 24, 22}, -10, three, "better", "worse"},
            {"more", {20, 24, 22}, {10, 12, 14}, 10, three, "worse", "better"},
            {"-1, 1 and 3", {0, 2, 4}, {1, 1, 1}, 1, three, neither, neither},
            // Their own intervals overlap: means 55 and 110, half-widths above 500. Ratios 1/2.
            {"pairs", {10, 100}, {20, 200}, -55, 571.77, "better", "worse"},
            // With zeros. s = sqrt(2), so that the half-width is 12.706
            {"two runs", {12.5, 14.5}, {0, 0}, 13.5, 12.706, "worse", "better"},
            {"two runs within", {11.5, 13.5}, {0, 0}, 12.5, 12.706, neither, neither},
            // Counts with zeros: log 2 and 3, less log 1, have mean 0.896 and s = 0.287, half-width
            // 12.706 * 0.287 / sqrt(2) = 2.58; log 12 and 14, mean 2.562, s = 0.109, 0.98
            {"few packets", {1, 2}, {0, 0}, 1.5, 6.353, neither, neither},
            {"packets", {11, 13}, {0, 0}, 12, 12.706, "worse", "better"},
            // With zeros, by ranks: the interval of the difference contains 0
            {"ten runs",
             {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 5.5},
             {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
             1,
             ten,
             "worse",
             "better"},
            {"the same", {3, 4}, {3, 4}, 0, 0, neither, neither},
            {"one run", {3}, {4}, -1, NONE, "one run", "one run"},
            {"no value in a run", {3, NONE}, {4, 5}, NONE, NONE, "no value", "no value"},
            {"no baseline in one run", {3}, {NONE}, NONE, NONE, "no value", "no value"},
        };
        for (const auto& v : vectors)
        {
            for (const bool isLessBetter : {true, false})
            {
                const auto summary = Compare(v.values, v.baseline, isLessBetter);
                const auto& findings = summary.GetFindings().GetAll();
                NS_TEST_ASSERT_MSG_EQ(findings.size(), 1, v.what);
                const auto& found = findings.front();
                NS_TEST_EXPECT_MSG_EQ(PrintVerdict(found.verdict),
                                      (isLessBetter ? v.less : v.more),
                                      v.what);
                NS_TEST_EXPECT_MSG_EQ(std::isnan(found.difference),
                                      std::isnan(v.difference),
                                      v.what);
                NS_TEST_EXPECT_MSG_EQ(std::isnan(found.halfWidth95),
                                      std::isnan(v.halfWidth),
                                      v.what);
                if (!std::isnan(v.difference))
                {
                    NS_TEST_EXPECT_MSG_EQ_TOL(found.difference, v.difference, 1e-9, v.what);
                }
                if (!std::isnan(v.halfWidth))
                {
                    // The table has four digits
                    NS_TEST_EXPECT_MSG_EQ_TOL(found.halfWidth95, v.halfWidth, 2e-2, v.what);
                }
            }
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief How findings are written and printed.
 */
class AidcFindingTextsTestCase : public TestCase
{
  public:
    AidcFindingTextsTestCase()
        : TestCase("ExperimentFindings: summary.json, verdicts.csv and sentences")
    {
    }

  private:
    /**
     * @brief Check rows with shares, counts, intervals, quotes and scenarios.
     * @param header the columns without scenarios
     */
    void CheckCsv(const std::string& header)
    {
        ExperimentFindings findings;
        const auto add = [&](const ExperimentComparison& comparison,
                             const SchemeMetric& scheme,
                             const SchemeMetric& baseline) {
            findings.Add(comparison, scheme, baseline, [](const auto&) { return "It is."; });
        };
        // Ratios of 1/2, so that the interval has no width
        add({"\"new\"", "light", "b", "a", "m", true, "wan", "share, of all", false, true},
            {"m", "1", {0.25, 0.25}},
            {"m", "1", {0.5, 0.5}});
        // Medians 0 and 5000; log 4001 and 6001 are far from 0
        add({"new", "light", "b", "a", "m", true, "wan", "drops"},
            {"m", "packet", {0, 0}},
            {"m", "packet", {4000, 6000}});
        const std::string rows = "\"\"\"new\"\"\",\"share, of all\",no,b,a,50.0 %,25.0 %,0.50,"
                                 "0.50 to 0.50,,better\n"
                                 "new,drops,yes,b,a,\"5,000\",0,,,packets,better\n";
        NS_TEST_EXPECT_MSG_EQ(findings.PrintCsv(), header + rows, "one scenario");
        add({"new", "heavy", "b", "a", "m", true, "wan"}, {"m", "s", {2}}, {"m", "s", {NONE}});
        const auto csv = findings.PrintCsv();
        NS_TEST_EXPECT_MSG_EQ(csv.substr(0, csv.find('\n') + 1), "scenario," + header, "header");
        NS_TEST_EXPECT_MSG_NE(csv.find("heavy,new,m,yes,b,a,-,2.000 s,,,,no value\n"),
                              std::string::npos,
                              "several scenarios: " << csv);
    }

    void DoRun() override
    {
        const auto one = Compare({1.5e-3}, {2e-3}, true);
        NS_TEST_EXPECT_MSG_EQ(
            one.GetFindings().PrintJson(),
            "[\n"
            "    {\"subject\": \"coupled ECN\", \"scenario\": \"light\", \"scheme\": \"coupled\", "
            "\"baseline\": \"static\", \"metric\": \"fct_mean\", \"label\": \"fct mean\", "
            "\"goal\": true, \"share\": false, \"verdict\": \"one run\", "
            "\"sentence\": \"It takes 1.500 ms in place of 2.000 ms.\", "
            "\"chapter\": \"coupled-ecn\", \"value\": 0.0015, \"baseline_value\": 0.002, "
            "\"median\": 0.0015, \"baseline_median\": 0.002, "
            "\"difference\": -0.0005, \"ci95\": null, \"ratio\": 0.75, \"ratio_ci95\": null, "
            "\"unit\": \"s\"}\n"
            "  ]",
            "the list of one run");
        std::ostringstream json;
        one.WriteJson(json);
        NS_TEST_EXPECT_MSG_NE(
            json.str().find("  \"findings\": " + one.GetFindings().PrintJson() + ",\n"),
            std::string::npos,
            "its place in the file: " << json.str());
        const std::string header =
            "subject,label,goal,scheme,baseline,baseline median,median,ratio,"
            "95 % CI of the ratio,unit,verdict\n";
        NS_TEST_EXPECT_MSG_EQ(one.GetFindings().PrintCsv(),
                              header + "coupled ECN,fct mean,yes,coupled,static,2.000 ms,1.500 ms,"
                                       "0.75,,,one run\n",
                              "a row of one run");
        CheckCsv(header);
        std::ostringstream os;
        one.GetFindings().Print(os, 40);
        NS_TEST_EXPECT_MSG_EQ(os.str(),
                              "\ncoupled ECN (doc/coupled-ecn.rst)\n"
                              "- one run: It takes 1.500 ms in place of\n"
                              "  2.000 ms.\n",
                              "lines of 40 characters");

        const auto none = Compare({NONE, 1}, {2, 2}, true);
        const auto text = none.GetFindings().PrintJson();
        for (const std::string part :
             {"\"verdict\": \"no value\"",
              "\"sentence\": \"fct_mean of coupled or of static does not exist in some run.\"",
              "\"value\": null, \"baseline_value\": 2, \"median\": null, \"baseline_median\": 2, "
              "\"difference\": null, \"ci95\": null, \"ratio\": null, \"ratio_ci95\": null"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in " << text);
        }
        NS_TEST_EXPECT_MSG_EQ(ExperimentFindings().PrintJson(), "[]", "no finding");
    }
};

/**
 * @ingroup aidc-test
 * @brief The sentence that the frame makes, with medians and a ratio, or with a count of runs.
 */
class AidcSentencesTestCase : public TestCase
{
  public:
    AidcSentencesTestCase()
        : TestCase("ExperimentFindings: the sentence of a comparison")
    {
    }

  private:
    /**
     * @brief Make the sentence of a finding.
     * @param values the values of the scheme
     * @param baseline the values of the baseline
     * @param isShare whether they are shares
     * @return the sentence
     */
    static std::string Say(const std::vector<double>& values,
                           const std::vector<double>& baseline,
                           bool isShare)
    {
        const std::string unit = isShare ? "1" : "s";
        ExperimentFindings findings;
        auto comparison = COMPARISON;
        comparison.isShare = isShare;
        findings.Add(comparison,
                     {"m", unit, values},
                     {"m", unit, baseline},
                     [](const ExperimentFinding& finding) {
                         return MakeComparisonSentence(finding, "A step takes {} now", "without");
                     });
        return findings.GetAll().front().sentence;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Say({1.5e-3}, {2e-3}, false),
                              "A step takes 1.500 ms now (without: 2.000 ms).",
                              "of one run");
        // Medians 2 and 4; ratios of 1/2, so that the interval has no width
        NS_TEST_EXPECT_MSG_EQ(
            Say({1, 2, 90}, {2, 4, 180}, false),
            "A step takes 2.000 s now (without: 4.000 s; ratio 0.50, 95 % CI 0.50 "
            "to 0.50).",
            "of several runs");
        NS_TEST_EXPECT_MSG_EQ(Say({0, 0, 9}, {0.5, 0.25, 0.5}, false),
                              "A step takes 0 s now (without: 500.0 ms; better in 2 of 3 runs).",
                              "without a ratio");
        NS_TEST_EXPECT_MSG_EQ(Say({0.5}, {0.272}, true),
                              "A step takes 50.0 % now (without: 27.2 %).",
                              "shares");
        NS_TEST_EXPECT_MSG_EQ(Say({0.5, 0.5}, {50, 50}, false),
                              "A step takes 500.0 ms now (without: 50.00 s; ratio 0.010, 95 % CI "
                              "0.010 to 0.010).",
                              "a small ratio has two digits");
        const ExperimentFinding finding;
        NS_TEST_EXPECT_MSG_EQ(
            IsRefused([&] { MakeComparisonSentence(finding, "It takes long", "without"); }),
            true,
            "no place for the value");
    }
};

/**
 * @ingroup aidc-test
 * @brief What is printed: a matrix and sentences that fit into the terminal, and the table if asked
 *        for.
 */
class AidcMatrixTestCase : public TestCase
{
  public:
    AidcMatrixTestCase()
        : TestCase("ExperimentSummary: findings as a matrix in the width of the terminal")
    {
    }

  private:
    /**
     * @brief Print a summary of two mechanisms, of which each one and both were run.
     * @param width the characters of a line
     * @param hasTable whether the table is asked for
     * @return the text behind the heading
     */
    static std::string Print(std::size_t width, bool hasTable)
    {
        ExperimentSummary summary("x");
        const auto add = [&](const std::string& scheme, double step, double drops) {
            summary.Add(scheme, "step_time", step, "s");
            summary.Add(scheme, "drops", drops, "packet");
        };
        add("none", 0.025, 120);
        add("fast", 0.02, 80);
        add("both", 0.01, 0);
        const auto compare = [&](const std::string& subject,
                                 const std::string& scheme,
                                 const std::string& baseline,
                                 const std::string& metric,
                                 const std::string& label) {
            summary.AddFinding({subject,
                                "",
                                scheme,
                                baseline,
                                metric,
                                true,
                                "wan",
                                label,
                                metric == "drops",
                                false},
                               [](const auto&) { return "It is."; });
        };
        compare("fast lane", "fast", "none", "step_time", "training step");
        compare("fast lane", "fast", "none", "drops", "dropped packets in the WAN");
        compare("both", "both", "none", "step_time", "training step");
        compare("all but fast", "fast", "both", "step_time", "training step");
        std::ostringstream os;
        summary.Print(os, width, hasTable);
        const auto text = os.str();
        return text.substr(text.find("\n\n") + 2);
    }

    void DoRun() override
    {
        const std::string sentences = "\nfast lane (doc/pre-ecn.rst)\n"
                                      "- one run: It is.\n"
                                      "- one run: It is.\n"
                                      "\nboth (doc/pre-ecn.rst)\n"
                                      "- one run: It is.\n"
                                      "\nall but fast (doc/pre-ecn.rst)\n"
                                      "- one run: It is.\n";
        NS_TEST_EXPECT_MSG_EQ(
            Print(80, false),
            "           training step      what it is for (in parentheses: none)\n"
            "none       25.00 ms\n"
            "fast lane  20.00 ms  one run  one run: dropped packets in the WAN 80 "
            "(120)\n"
            "both       10.00 ms  one run\n"
            "\n"
            "              training step\n"
            "both          10.00 ms\n"
            "all but fast  20.00 ms  one run\n" +
                sentences,
            "on a line of 80 characters");
        const auto narrow = Print(60, false);
        NS_TEST_EXPECT_MSG_EQ(narrow.substr(0, narrow.find("both ")),
                              "           training step      what it is for (in\n"
                              "                                parentheses: none)\n"
                              "none       25.00 ms\n"
                              "fast lane  20.00 ms  one run  one run: dropped packets in\n"
                              "                                the WAN 80 (120)\n",
                              "goals are broken between words");
        const auto phone = Print(40, false);
        NS_TEST_EXPECT_MSG_EQ(phone.substr(0, phone.find("both ")),
                              "           training step\n"
                              "  what it is for (in parentheses: none)\n"
                              "none       25.00 ms\n"
                              "fast lane  20.00 ms  one run\n"
                              "  one run: dropped packets in the WAN\n"
                              "    80 (120)\n",
                              "goals are below their rows");
        NS_TEST_EXPECT_MSG_EQ(Print(80, true).substr(Print(80, false).size()),
                              "\nAll metrics\n"
                              "\n"
                              "scheme  step_time  drops\n"
                              "none     25.00 ms    120\n"
                              "fast     20.00 ms     80\n"
                              "both     10.00 ms      0\n",
                              "the table, if it is asked for");
    }
};

/**
 * @ingroup aidc-test
 * @brief Runs of more than twice the median stand out.
 */
class AidcOutliersTestCase : public TestCase
{
  public:
    AidcOutliersTestCase()
        : TestCase("ExperimentOutliers: runs above twice the median, the slowest one first")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<SchemeMetrics> schemes{
            // Median 2: 4 is twice that, and not more
            {"a@one", "a", "one", {{"t", "s", {2, 4, 1, 4.5, 2}}, {"m", "1", {1, 1, 9, 1, 1}}}},
            {"b@one", "b", "one", {{"t", "s", {9, 1, 1}}}},
            {"c@one", "c", "one", {{"t", "s", {NONE, 1, 9}}}},
            {"d@one", "d", "one", {{"m", "1", {1, 1, 9}}}},
            {"e@one", "e", "one", {{"t", "s", {0, 0, 0}}}},
        };
        const ExperimentOutliers outliers(
            schemes,
            "t",
            [](const std::string& scheme, uint32_t run) -> std::optional<LongestWait> {
                if (scheme != "b@one" || run != 1)
                {
                    return std::nullopt;
                }
                return LongestWait{"h to i, queue pair 2", "rate", 0.63, 0.0123, 0.423};
            });
        NS_TEST_EXPECT_MSG_EQ(
            outliers.PrintJson(),
            "[\n"
            "    {\"scheme\": \"b\", \"scenario\": \"one\", \"run\": 1, \"metric\": \"t\", "
            "\"value\": 9, \"median\": 1, \"unit\": \"s\", \"waits\": {\"queue_pair\": \"h to i, "
            "queue pair 2\", \"since\": 0.0123, \"cause\": \"rate\", \"waited\": 0.63, "
            "\"sentence\": \"h to i, queue pair 2, waited 630 ms for its rate, 423 ms of that from "
            "12.3 "
            "ms on.\"}},\n"
            "    {\"scheme\": \"a\", \"scenario\": \"one\", \"run\": 4, \"metric\": \"t\", "
            "\"value\": 4.5, \"median\": 2, \"unit\": \"s\", \"waits\": null}\n"
            "  ]",
            "the list");
        std::ostringstream os;
        outliers.Print(os, 80);
        NS_TEST_EXPECT_MSG_EQ(
            os.str(),
            "\nRuns that stand out (t more than twice the median of their row):\n"
            "- b@one, run 1: 9.000 s (median 1.000 s)\n"
            "- a@one, run 4: 4.500 s (median 2.000 s)\n"
            "The slowest one: h to i, queue pair 2, waited 630 ms for its rate, 423 ms of\n"
            "  that from 12.3 ms on.\n",
            "what is printed");
        std::ostringstream nothing;
        ExperimentOutliers().Print(nothing, 80);
        NS_TEST_EXPECT_MSG_EQ(nothing.str(), "", "no run");
        NS_TEST_EXPECT_MSG_EQ(ExperimentOutliers().PrintJson(), "[]", "no run");
        const std::vector<std::pair<std::string, std::string>> causes{
            {"pause", "x, was paused for 1 ms, 0.5 ms of that from 2 ms on."},
            {"window", "x, waited 1 ms for its window, 0.5 ms of that from 2 ms on."},
            {"timeout", "x, lost 1 ms to timeouts, 0.5 ms of that from 2 ms on."},
        };
        for (const auto& [cause, sentence] : causes)
        {
            NS_TEST_EXPECT_MSG_EQ((LongestWait{"x", cause, 1e-3, 2e-3, 5e-4}.Describe()),
                                  sentence,
                                  cause);
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief What is no finding, and what is refused.
 */
class AidcNoFindingTestCase : public TestCase
{
  public:
    AidcNoFindingTestCase()
        : TestCase("ExperimentFindings: schemes that were not run, and mistakes")
    {
    }

  private:
    void DoRun() override
    {
        const auto add = [](ExperimentSummary& summary,
                            const ExperimentComparison& comparison,
                            const std::string& sentence) {
            summary.AddFinding(comparison, [&](const auto&) { return sentence; });
        };
        ExperimentSummary summary("x");
        summary.SetRuns(2);
        AddRuns(summary, "coupled@light", {1, 2});
        add(summary, COMPARISON, "It is less.");
        NS_TEST_EXPECT_MSG_EQ(summary.GetFindings().GetAll().size(), 0, "no baseline was run");
        AddRuns(summary, "static@light", {2});
        NS_TEST_EXPECT_MSG_EQ(IsRefused([&] { add(summary, COMPARISON, "It is less."); }),
                              true,
                              "one value against two");
        AddRuns(summary, "static@light", {3});
        std::vector<ExperimentComparison> wrong(4, COMPARISON);
        wrong[0].subject = "";
        wrong[1].chapter = "";
        wrong[2].chapter = "doc/coupled-ecn.rst";
        wrong[3].metric = "fct_p99";
        for (std::size_t i = 0; i < wrong.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(IsRefused([&] { add(summary, wrong[i], "It is less."); }),
                                  true,
                                  "mistake " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(IsRefused([&] { add(summary, COMPARISON, ""); }), true, "silence");
        NS_TEST_EXPECT_MSG_EQ(summary.GetFindings().GetAll().size(), 0, "nothing was added");
        add(summary, COMPARISON, "It is less.");
        NS_TEST_EXPECT_MSG_EQ(summary.GetFindings().GetAll().size(), 1, "both were run");

        // An experiment without scenarios
        AddRuns(summary, "coupled", {1, 2});
        AddRuns(summary, "static", {2, 3});
        auto alone = COMPARISON;
        alone.scenario = "";
        add(summary, alone, "It is less.");
        NS_TEST_EXPECT_MSG_EQ(summary.GetFindings().GetAll().size(), 2, "no scenario");
    }
};

/**
 * @ingroup aidc-test
 * @brief What an experiment has found out.
 */
class AidcExperimentFindingsTestSuite : public TestSuite
{
  public:
    AidcExperimentFindingsTestSuite()
        : TestSuite("aidc-experiment-findings", TestSuite::Type::UNIT)
    {
        AddTestCase(new AidcVerdictTestCase);
        AddTestCase(new AidcFindingTextsTestCase);
        AddTestCase(new AidcSentencesTestCase);
        AddTestCase(new AidcMatrixTestCase);
        AddTestCase(new AidcOutliersTestCase);
        AddTestCase(new AidcNoFindingTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentFindingsTestSuite g_aidcExperimentFindingsTestSuite;

} // namespace
