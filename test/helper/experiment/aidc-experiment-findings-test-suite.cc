/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../invalid-values.h"

#include "ns3/experiment-findings.h"
#include "ns3/experiment-summary.h"
#include "ns3/test.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
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
 * @brief The verdict follows from the interval of the differences of pairs.
 *
 * Half-widths are t * s / sqrt(n), with t of the table of Student's distribution (0.975 quantile):
 * 12.706 for 2 runs, 4.303 for 3, 2.262 for 10.
 */
class AidcVerdictTestCase : public TestCase
{
  public:
    AidcVerdictTestCase()
        : TestCase("ExperimentFindings: verdicts by Student's t of the differences of pairs")
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

        const std::string equal = "no difference within the interval";
        // Differences -10, -12 and -8: s = 2
        const double three = 4.303 * 2 / std::sqrt(3);
        // Differences of nine times 1 and once 11: mean 2, s^2 = (9 * 1 + 81) / 9 = 10
        const double ten = 2.262 * std::sqrt(10) / std::sqrt(10);
        const std::vector<Vector> vectors{
            {"less", {10, 12, 14}, {20, 24, 22}, -10, three, "gains", "loses"},
            {"more", {20, 24, 22}, {10, 12, 14}, 10, three, "loses", "gains"},
            {"-1, 1 and 3", {0, 2, 4}, {1, 1, 1}, 1, three, equal, equal},
            // Their own intervals overlap: means 50.5 and 51.5, half-widths of 629
            {"pairs", {1, 100}, {2, 101}, -1, 0, "gains", "loses"},
            // s = sqrt(2), so that the half-width is 12.706
            {"two runs", {12, 14}, {0, 0}, 13, 12.706, "loses", "gains"},
            {"two runs within", {11, 13}, {0, 0}, 12, 12.706, equal, equal},
            {"ten runs",
             {1, 1, 1, 1, 1, 1, 1, 1, 1, 11},
             {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
             2,
             ten,
             equal,
             equal},
            {"the same", {3, 4}, {3, 4}, 0, 0, equal, equal},
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
                    NS_TEST_EXPECT_MSG_EQ_TOL(found.halfWidth95, v.halfWidth, 2e-3, v.what);
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
        : TestCase("ExperimentFindings: summary.json and what is printed")
    {
    }

  private:
    void DoRun() override
    {
        const auto one = Compare({1.5e-3}, {2e-3}, true);
        NS_TEST_EXPECT_MSG_EQ(
            one.GetFindings().PrintJson(),
            "[\n"
            "    {\"subject\": \"coupled ECN\", \"scenario\": \"light\", \"scheme\": \"coupled\", "
            "\"baseline\": \"static\", \"metric\": \"fct_mean\", \"verdict\": \"one run\", "
            "\"sentence\": \"It takes 1.500 ms in place of 2.000 ms.\", "
            "\"chapter\": \"coupled-ecn\", \"value\": 0.0015, \"baseline_value\": 0.002, "
            "\"difference\": -0.0005, \"ci95\": null, \"unit\": \"s\"}\n"
            "  ]",
            "the list of one run");
        std::ostringstream json;
        one.WriteJson(json);
        NS_TEST_EXPECT_MSG_NE(
            json.str().find("  \"findings\": " + one.GetFindings().PrintJson() + "\n}\n"),
            std::string::npos,
            "its place in the file: " << json.str());
        std::ostringstream os;
        one.PrintTable(os);
        NS_TEST_EXPECT_MSG_NE(os.str().find("static   2.000 ms\n"
                                            "\n"
                                            "It takes 1.500 ms in place of 2.000 ms.\n"
                                            "  coupled ECN: one run; see doc/coupled-ecn.rst\n"),
                              std::string::npos,
                              "behind the table: " << os.str());

        ExperimentFinding finding;
        finding.unit = "s";
        finding.value = 1.5e-3;
        finding.baselineValue = 2e-3;
        finding.difference = -5e-4;
        finding.halfWidth95 = NONE;
        NS_TEST_EXPECT_MSG_EQ(MakeComparisonSentence(finding, "pre-ECN", "a step takes", "without"),
                              "With pre-ECN, a step takes 1.500 ms; without, 2.000 ms.",
                              "of one run");
        finding.halfWidth95 = 1e-4;
        NS_TEST_EXPECT_MSG_EQ(MakeComparisonSentence(finding, "pre-ECN", "a step takes", "without"),
                              "With pre-ECN, a step takes 1.500 ms; without, 2.000 ms (difference "
                              "-500.0 us +- 100.0 us).",
                              "of several runs");
        finding.unit = "packet";
        finding.value = 3;
        finding.baselineValue = 4;
        finding.halfWidth95 = NONE;
        NS_TEST_EXPECT_MSG_EQ(MakeComparisonSentence(finding, "csig", "it loses", "with int"),
                              "With csig, it loses 3 packets; with int, 4 packets.",
                              "a unit in words");

        const auto none = Compare({NONE, 1}, {2, 2}, true);
        const auto text = none.GetFindings().PrintJson();
        for (const std::string part :
             {"\"verdict\": \"no value\"",
              "\"sentence\": \"fct_mean of coupled or of static does not exist in some run.\"",
              "\"value\": null, \"baseline_value\": 2, \"difference\": null, \"ci95\": null"})
        {
            NS_TEST_EXPECT_MSG_NE(text.find(part), std::string::npos, part << " in " << text);
        }
        NS_TEST_EXPECT_MSG_EQ(ExperimentFindings().PrintJson(), "[]", "no finding");
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
        AddTestCase(new AidcNoFindingTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentFindingsTestSuite g_aidcExperimentFindingsTestSuite;

} // namespace
