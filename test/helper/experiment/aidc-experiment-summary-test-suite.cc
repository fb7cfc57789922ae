/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test/helper/invalid-values.h"
#include "test/read-file.h"

#include "ns3/experiment-summary.h"
#include "ns3/ns3-release.h"
#include "ns3/scheme-colors.h"
#include "ns3/test.h"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @brief The JSON of a summary.
 *
 * @param summary the summary
 * @return the text
 */
std::string
GetJson(const ExperimentSummary& summary)
{
    std::ostringstream os;
    summary.WriteJson(os);
    return os.str();
}

/**
 * @brief The part of a summary's JSON that follows a key.
 *
 * @param summary the summary
 * @param key the key
 * @return the text after the key and its colon, to the end of the line without a final comma
 */
std::string
GetJsonOf(const ExperimentSummary& summary, const std::string& key)
{
    const auto json = GetJson(summary);
    const auto start = json.find("\"" + key + "\": ");
    if (start == std::string::npos)
    {
        return "no " + key;
    }
    const auto value = start + key.size() + 4;
    auto line = json.substr(value, json.find('\n', value) - value);
    if (line.back() == ',')
    {
        line.pop_back();
    }
    return line;
}

/**
 * @brief The table of a summary, without its heading.
 *
 * @param summary the summary
 * @param width the characters of a line
 * @return the text from the third line on
 */
std::string
GetTable(const ExperimentSummary& summary, std::size_t width = 100)
{
    std::ostringstream os;
    summary.Print(os, width, false);
    const auto table = os.str();
    return table.substr(table.find("\n\n") + 2);
}

/**
 * @ingroup aidc-test
 * @brief The file has the fixed form, everything in the order in which it was given.
 *
 * Expected results: of 1 and 3, mean 2 and, by 12.7062 * sqrt(2) / sqrt(2), a half-width that is
 * compared by its first digits only.
 */
class AidcJsonTestCase : public TestCase
{
  public:
    AidcJsonTestCase()
        : TestCase("summary.json has the fixed form")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentSummary summary("coupled-ecn");
        NS_TEST_EXPECT_MSG_EQ(GetJson(summary),
                              "{\n"
                              "  \"experiment\": \"coupled-ecn\",\n"
                              "  \"ns3\": \"" +
                                  GetNs3Release() +
                                  "\",\n"
                                  "  \"seed\": 1,\n"
                                  "  \"runs\": 1,\n"
                                  "  \"command\": \"\",\n"
                                  "  \"question\": \"\",\n"
                                  "  \"parameters\": {},\n"
                                  "  \"schemes\": {},\n"
                                  "  \"findings\": [],\n"
                                  "  \"outliers\": []\n"
                                  "}\n",
                              "an empty summary");

        summary.SetSeed(4294967295U);
        summary.SetCommand("aidc-coupled-ecn --seed=4294967295");
        summary.SetQuestion("Which one?");
        summary.SetParameter("scenario", "light");
        summary.SetParameter("alpha", 2);
        summary.SetParameter("rtt", 5e-5, "s");
        summary.SetParameter("alpha", 1);
        summary.Add("static-low@light", "goodput", 9.25e9, "bit/s");
        summary.Add("static-low@light", "fct_p99", 0.1, "s");
        summary.Add("coupled@light", "goodput", 1e10, "bit/s");
        NS_TEST_EXPECT_MSG_EQ(
            GetJson(summary),
            "{\n"
            "  \"experiment\": \"coupled-ecn\",\n"
            "  \"ns3\": \"" +
                GetNs3Release() +
                "\",\n"
                "  \"seed\": 4294967295,\n"
                "  \"runs\": 1,\n"
                "  \"command\": \"aidc-coupled-ecn --seed=4294967295\",\n"
                "  \"question\": \"Which one?\",\n"
                "  \"parameters\": {\n"
                "    \"scenario\": \"light\",\n"
                "    \"alpha\": 1,\n"
                "    \"rtt\": {\"value\": 5e-05, \"unit\": \"s\"}\n"
                "  },\n"
                "  \"schemes\": {\n"
                "    \"static-low@light\": {\n"
                "      \"goodput\": {\"value\": 9250000000, \"unit\": \"bit/s\", \"ci95\": null, "
                "\"median\": 9250000000, \"runs\": [9250000000]},\n"
                "      \"fct_p99\": {\"value\": 0.1, \"unit\": \"s\", \"ci95\": null, "
                "\"median\": 0.1, \"runs\": [0.1]}\n"
                "    },\n"
                "    \"coupled@light\": {\n"
                "      \"goodput\": {\"value\": 10000000000, \"unit\": \"bit/s\", \"ci95\": null, "
                "\"median\": 10000000000, \"runs\": [10000000000]}\n"
                "    }\n"
                "  },\n"
                "  \"findings\": [],\n"
                "  \"outliers\": []\n"
                "}\n",
            "a full summary");

        ExperimentSummary runs("x");
        runs.SetRuns(2);
        runs.Add("a", "m", 1, "1");
        runs.Add("a", "m", 3, "1");
        NS_TEST_EXPECT_MSG_EQ(GetJsonOf(runs, "runs"), "2", "runs");
        NS_TEST_EXPECT_MSG_EQ(GetJsonOf(runs, "m").substr(0, 41),
                              "{\"value\": 2, \"unit\": \"1\", \"ci95\": 12.7062",
                              "the mean of two runs");
        NS_TEST_EXPECT_MSG_NE(GetJsonOf(runs, "m").find("\"median\": 2, \"runs\": [1, 3]}"),
                              std::string::npos,
                              "the median of two runs");
        NS_TEST_EXPECT_MSG_EQ(runs.GetMean("a", "m"), 2, "GetMean");
        runs.Copy("a", "b");
        NS_TEST_EXPECT_MSG_EQ(runs.GetMean("b", "m"), 2, "Copy");
        runs.Add("c", "m", 11, "1");
        runs.Add("c", "m", 13, "1");
        runs.AddDifference("c", "a", "m");
        NS_TEST_EXPECT_MSG_EQ(GetJsonOf(runs, "m_difference").substr(0, 36),
                              "{\"value\": 10, \"unit\": \"1\", \"ci95\": 0",
                              "pairs that differ by the same have no interval");
    }
};

/**
 * @ingroup aidc-test
 * @brief Any text can stand in the file.
 *
 * Expected results, by RFC 8259, section 7: quotation mark, reverse solidus and the control
 * characters are escaped; the bytes of well-formed UTF-8 stay as they are, others give U+FFFD each.
 */
class AidcJsonStringTestCase : public TestCase
{
  public:
    AidcJsonStringTestCase()
        : TestCase("any text can stand in summary.json")
    {
    }

  private:
    void DoRun() override
    {
        struct Vector
        {
            std::string text;
            std::string json;
        };

        const std::vector<Vector> vectors{
            {"", R"("")"},
            {R"(C:\data\"new")", R"("C:\\data\\\"new\"")"},
            {"a/b", R"("a/b")"},
            {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
            {std::string("\0\x01\x1f\x7f", 4), R"("\u0000\u0001\u001f\u007f")"},
            // U+00E9, U+20AC, U+1F600
            {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
            // Latin-1, a sequence cut short, an overlong solidus, a surrogate, over U+10FFFF
            {"\xe9t", R"("\ufffdt")"},
            {"\xe2\x82", R"("\ufffd\ufffd")"},
            {"\xc0\xaf", R"("\ufffd\ufffd")"},
            {"\xed\xa0\x80", R"("\ufffd\ufffd\ufffd")"},
            {"\xf4\x90\x80\x80", R"("\ufffd\ufffd\ufffd\ufffd")"},
        };
        for (const auto& v : vectors)
        {
            ExperimentSummary summary("x");
            summary.SetCommand(v.text);
            NS_TEST_EXPECT_MSG_EQ(GetJsonOf(summary, "command"), v.json, "escaped text");
        }
        ExperimentSummary summary("x");
        summary.SetParameter("a \"quoted\" name", 1);
        NS_TEST_EXPECT_MSG_EQ(GetJsonOf(summary, R"(a \"quoted\" name)"), "1", "escaped key");
    }
};

/**
 * @ingroup aidc-test
 * @brief Numbers are written in the fewest digits that read back as the same number.
 */
class AidcJsonNumberTestCase : public TestCase
{
  public:
    AidcJsonNumberTestCase()
        : TestCase("numbers are written in the fewest digits that read back the same")
    {
    }

  private:
    void DoRun() override
    {
        struct Vector
        {
            double value;
            std::string json;
        };

        const std::vector<Vector> vectors{
            {0.1, "0.1"},
            {0.1 + 0.2, "0.30000000000000004"}, // IEEE 754's best-known sum
            {1.0 / 3, "0.3333333333333333"},    // 16 digits are enough here
            {-2.5, "-2.5"},
            {1e-6, "1e-06"},
            {123456789012, "123456789012"},
            {9007199254740992.0, "9007199254740992"}, // 2^53
            {1e300, "1e+300"},
            {0, "0"},
            {-0.0, "0"},
            {NONE, "null"},
            {std::numeric_limits<double>::infinity(), "null"},
            {-std::numeric_limits<double>::infinity(), "null"},
        };
        for (const auto& v : vectors)
        {
            ExperimentSummary summary("x");
            summary.SetParameter("p", v.value);
            NS_TEST_EXPECT_MSG_EQ(GetJsonOf(summary, "p"), v.json, "number");
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief A value that does not exist is null in the file and a dash in the table.
 */
class AidcMissingValueTestCase : public TestCase
{
  public:
    AidcMissingValueTestCase()
        : TestCase("a value that does not exist is null, and a dash in the table")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentSummary summary("x");
        summary.SetRuns(2);
        // In no run, in one of two runs, and not even added
        summary.Add("a", "fct_p50", NONE, "s");
        summary.Add("a", "fct_p50", NONE, "s");
        summary.Add("a", "fct_p99", 0.5, "s");
        summary.Add("a", "fct_p99", NONE, "s");
        summary.Add("b", "fct_p50", 1, "s");
        const std::string null =
            R"({"value": null, "unit": "s", "ci95": null, "median": null, "runs": [)";
        NS_TEST_EXPECT_MSG_EQ(GetJsonOf(summary, "fct_p50"), null + "null, null]}", "in no run");
        NS_TEST_EXPECT_MSG_EQ(GetJsonOf(summary, "fct_p99"),
                              null + "0.5, null]}",
                              "in one of two runs");
        NS_TEST_EXPECT_MSG_EQ(std::isnan(summary.GetMean("a", "fct_p99")), true, "GetMean");
        NS_TEST_EXPECT_MSG_EQ(GetTable(summary),
                              "scheme  fct_p50  fct_p99\n"
                              "a             -        -\n"
                              "b       1.000 s        -\n",
                              "table");
    }
};

/**
 * @ingroup aidc-test
 * @brief The table groups by scenario and scales each metric within one.
 *
 * Expected results: in light all times are in us, as 250 us is the largest; in incast, where it is
 * 250 ms, 12 us would be 0.012 ms, less than a tenth, and keeps its own unit. The same holds for
 * 1500 bytes beside 3 MB. 999.96 Mbit/s has four digits only as 1.000 Gbit/s.
 */
class AidcTableTestCase : public TestCase
{
  public:
    AidcTableTestCase()
        : TestCase("the table groups by scenario and scales values for people")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentSummary summary("coupled-ecn");
        const auto add = [&](const std::string& name, double drops, double fct, double queue) {
            summary.Add(name, "dropped_packets", drops, "packet");
            summary.Add(name, "fct_p99", fct, "s");
            summary.Add(name, "queue_p99", queue, "byte");
            summary.Add(name, "share", 0.5, "1");
        };
        add("static-low@light", 0, 12e-6, 200e3);
        add("static-low@incast", 1234567, 250e-3, 3e6);
        add("coupled@light", 999, 250e-6, 0);
        add("coupled@incast", 1000, 12e-6, 1500);
        summary.SetColumns({"fct_p99", "dropped_packets", "queue_p99"});
        NS_TEST_EXPECT_MSG_EQ(GetTable(summary),
                              "scenario  scheme       fct_p99  dropped_packets  queue_p99\n"
                              "light     static-low  12.00 us                0   200.0 kB\n"
                              "          coupled     250.0 us              999       0 kB\n"
                              "\n"
                              "incast    static-low  250.0 ms        1,234,567   3.000 MB\n"
                              "          coupled     12.00 us            1,000   1.500 kB\n",
                              "two scenarios");

        ExperimentSummary runs("x");
        runs.SetRuns(2);
        for (const auto value : {1.0, 3.0})
        {
            runs.Add("a", "goodput", value * 1e9, "bit/s");
            runs.Add("a", "drops", value * 1e3 + 1 / value, "packet");
            runs.Add("a", "ratio", value / 10, "1");
        }
        runs.Add("b", "goodput", 999.96e6, "bit/s");
        // Half-widths: 12.706 times half the difference, 12.706 * (3000.33 - 1001) / 2 = 12702.0
        NS_TEST_EXPECT_MSG_EQ(
            GetTable(runs),
            "scheme                goodput               drops            ratio\n"
            "a       2.000 ± 12.706 Gbit/s  2,000.7 ± 12,702.0  0.2000 ± 1.2706\n"
            "b                1.000 Gbit/s                   -                -\n",
            "two runs");
        NS_TEST_EXPECT_MSG_EQ(GetTable(runs, 65),
                              "                             a             b\n"
                              "goodput  2.000 ± 12.706 Gbit/s  1.000 Gbit/s\n"
                              "drops       2,000.7 ± 12,702.0             -\n"
                              "ratio          0.2000 ± 1.2706             -\n",
                              "a row for each metric on a narrow terminal");
        NS_TEST_EXPECT_MSG_EQ(GetTable(summary, 37),
                              "light            static-low   coupled\n"
                              "fct_p99            12.00 us  250.0 us\n"
                              "dropped_packets           0       999\n"
                              "queue_p99          200.0 kB      0 kB\n"
                              "\n"
                              "incast           static-low   coupled\n"
                              "fct_p99            250.0 ms  12.00 us\n"
                              "dropped_packets   1,234,567     1,000\n"
                              "queue_p99          3.000 MB  1.500 kB\n",
                              "a block for each scenario");
        const auto blocks = GetTable(summary, 30);
        NS_TEST_EXPECT_MSG_EQ(blocks.substr(0, blocks.find("incast")),
                              "light            static-low\n"
                              "fct_p99            12.00 us\n"
                              "dropped_packets           0\n"
                              "queue_p99          200.0 kB\n"
                              "\n"
                              "light             coupled\n"
                              "fct_p99          250.0 us\n"
                              "dropped_packets       999\n"
                              "queue_p99            0 kB\n"
                              "\n",
                              "schemes that do not fit beside others have a block of their own");
        std::ostringstream os;
        runs.Print(os, 80, false);
        NS_TEST_EXPECT_MSG_EQ(os.str().substr(0, os.str().find('\n')),
                              "x: ns-3 " + GetNs3Release() +
                                  ", seed 1, 2 runs (mean ± half-width of the 95 % CI)",
                              "heading");
    }
};

/**
 * @ingroup aidc-test
 * @brief Names and units outside the fixed format are refused, and so are values beyond the runs.
 */
class AidcRefusedTestCase : public TestCase
{
  public:
    AidcRefusedTestCase()
        : TestCase("names, units and values outside the fixed format are refused")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto name : {"", "Coupled", "coupled_ecn", "-a", "a-", "a--b", "a b", "a@b"})
        {
            NS_TEST_EXPECT_MSG_EQ(IsRefused([name]() { ExperimentSummary summary(name); }),
                                  true,
                                  name);
        }
        ExperimentSummary summary("x");
        const auto isRefused = [&](const char* scheme, const char* metric, const char* unit) {
            return IsRefused([&]() { summary.Add(scheme, metric, 1, unit); });
        };
        for (const auto scheme : {"", "A", "a_b", "@light", "a@", "a@B", "a@b@c", "a b"})
        {
            NS_TEST_EXPECT_MSG_EQ(isRefused(scheme, "goodput", "bit/s"), true, scheme);
        }
        for (const auto metric : {"", "Goodput", "fct-p99", "_a", "a_", "a__b", "99_p", "a.b"})
        {
            NS_TEST_EXPECT_MSG_EQ(isRefused("a", metric, "s"), true, metric);
        }
        for (const auto unit : {"", "ms", "B", "bytes", "Gbit/s", "S"})
        {
            NS_TEST_EXPECT_MSG_EQ(isRefused("a", "m", unit), true, unit);
            NS_TEST_EXPECT_MSG_EQ(IsRefused([&]() { summary.SetParameter("p", 1, unit); }),
                                  true,
                                  unit);
        }
        NS_TEST_EXPECT_MSG_EQ(isRefused("static-2-low@400-g", "fct_p99", "s"), false, "good names");
        NS_TEST_EXPECT_MSG_EQ(isRefused("static-2-low@400-g", "fct_p99", "s"),
                              true,
                              "a second run");
        NS_TEST_EXPECT_MSG_EQ(isRefused("coupled", "fct_p99", "byte"), true, "another unit");
        NS_TEST_EXPECT_MSG_EQ(IsRefused([&]() { summary.SetRuns(0); }), true, "no run");
        NS_TEST_EXPECT_MSG_EQ(IsRefused([&]() { summary.Copy("no-such", "b"); }),
                              true,
                              "a copy of a scheme that is not there");
        NS_TEST_EXPECT_MSG_EQ(
            IsRefused([&]() { summary.AddDifference("coupled", "no-such", "fct_p99"); }),
            true,
            "a difference from a scheme that is not there");
        NS_TEST_EXPECT_MSG_EQ(IsRefused([&]() { summary.GetMean("coupled", "fct_p99"); }),
                              true,
                              "a scheme that was not added");
        NS_TEST_EXPECT_MSG_EQ(IsRefused([&]() { summary.SetParameter("", 1); }), true, "no name");
    }
};

/**
 * @ingroup aidc-test
 * @brief A file that cannot be written is an error with its name; one that can has the JSON.
 */
class AidcJsonFileTestCase : public TestCase
{
  public:
    AidcJsonFileTestCase()
        : TestCase("summary.json is written whole, or the error names it")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentSummary summary("x");
        summary.Add("a", "m", 1, "1");
        const auto path = CreateTempDirFilename("summary.json");
        summary.WriteJson(path);
        NS_TEST_EXPECT_MSG_EQ(ReadFile(path), GetJson(summary), "the file");

        std::string error;
        const auto nowhere = CreateTempDirFilename("no-such-folder") + "/summary.json";
        try
        {
            summary.WriteJson(nowhere);
        }
        catch (const std::runtime_error& e)
        {
            error = e.what();
        }
        NS_TEST_EXPECT_MSG_EQ((error.find(nowhere) != std::string::npos), true, error);
    }
};

/**
 * @ingroup aidc-test
 * @brief A table on a terminal has the colors that the experiment's figures have.
 *
 * Expected results: the colors are those of the script, whose list of schemes goes on in a second
 * line; a name that is in no list has blanks; words that are no colors are left out.
 */
class AidcColorsTestCase : public TestCase
{
  public:
    AidcColorsTestCase()
        : TestCase("The table on a terminal has the colors of figures")
    {
    }

  private:
    void DoRun() override
    {
        const auto script = CreateTempDirFilename("x.gp");
        std::ofstream(script) << "# Colors\n"
                                 "schemes = \"none\"\n"
                                 "colored_schemes = \"off on \" \\\n"
                                 "    .\"odd\"\n"
                                 "scheme_colors = \"#0072B2 #d55e00 red\"\n";
        const auto colors = ReadSchemeColors(script);
        NS_TEST_EXPECT_MSG_EQ((colors == SchemeColors{{"off", 0x0072b2}, {"on", 0xd55e00}}),
                              true,
                              "the lists of the script");
        NS_TEST_EXPECT_MSG_EQ(ReadSchemeColors(script + "-none").size(), 0, "no such file");

        ExperimentSummary summary("x");
        summary.Add("on", "m", 1, "1");
        summary.Add("other", "m", 2, "1");
        std::ostringstream os;
        summary.Print(os, 80, false, colors);
        const auto text = os.str();
        NS_TEST_EXPECT_MSG_EQ(text.substr(text.find("\n\n") + 2),
                              "   scheme  m\n"
                              "\x1b[48;2;213;94;0m  \x1b[0m on      1\n"
                              "   other   2\n",
                              "a swatch before each name");
    }
};

/**
 * @ingroup aidc-test
 * @brief The summary of an experiment: table and file.
 */
class AidcExperimentSummaryTestSuite : public TestSuite
{
  public:
    AidcExperimentSummaryTestSuite()
        : TestSuite("aidc-experiment-summary", TestSuite::Type::UNIT)
    {
        AddTestCase(new AidcJsonTestCase);
        AddTestCase(new AidcJsonStringTestCase);
        AddTestCase(new AidcJsonNumberTestCase);
        AddTestCase(new AidcMissingValueTestCase);
        AddTestCase(new AidcTableTestCase);
        AddTestCase(new AidcRefusedTestCase);
        AddTestCase(new AidcJsonFileTestCase);
        AddTestCase(new AidcColorsTestCase);
    }
};

/// The instance that registers the suite
const AidcExperimentSummaryTestSuite g_aidcExperimentSummaryTestSuite;

} // namespace
