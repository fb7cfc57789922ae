// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/experiment-parameters.h"

// What a user may set of an experiment.
AIDC_TEST_SUITE("aidc-experiment-parameters", UNIT);

/// One parameter of each kind.
struct Values
{
    bool flag{false};                         //!< a flag
    std::string word{"east"};                 //!< a text that is not in the summary
    uint32_t count{7};                        //!< a whole number
    std::vector<std::string> names{"a", "b"}; //!< names
    std::string text;                         //!< a text
    double number{0.5};                       //!< a number from 0 to 1
    uint32_t bytes{1500000};                  //!< a size
    uint32_t bytesOrNone{0};                  //!< a size or 0
    Time time{MicroSeconds(250)};             //!< a time
    Time timeOrNone;                          //!< a time or 0
    DataRate rate{"2500Mbps"};                //!< a rate
    ExperimentParameters parameters;          //!< all of them

    Values()
    {
        parameters.AddFlag("flag", "a flag", flag);
        parameters.AddWord("word", "a word", word);
        parameters.AddCount("count", "a count", count);
        parameters.AddNames("names", "names", {"a", "b", "c"}, names);
        parameters.AddText("text", "a text", text, "nothing");
        parameters.AddNumber(
            "number",
            "a number",
            number,
            [](double value) { return value >= 0 && value <= 1; },
            "from 0 to 1");
        parameters.AddBytes("bytes", "a size", bytes);
        parameters.AddBytes("bytes-or-none", "a size", bytesOrNone, true);
        parameters.AddTime("time", "a time", time);
        parameters.AddTime("time-or-none", "a time", timeOrNone, true);
        parameters.AddRate("rate", "a rate", rate);
    }

    /// Parse a command line. Returns the error, empty if there is none.
    std::string Parse(const std::vector<std::string>& arguments)
    {
        return MessageOf([&] {
            for (const auto& argument : arguments)
            {
                const auto equals = argument.find('=');
                parameters.Set(argument.substr(2, equals - 2),
                               equals == std::string::npos ? "true" : argument.substr(equals + 1));
            }
        });
    }
};

// Texts of a command line become values, and these are in the summary.
AIDC_TEST_CASE("ExperimentParameters: from the command line to the values and the summary")
{
    Values untouched;
    NS_TEST_EXPECT_MSG_EQ(untouched.Parse({}), "", "defaults");
    NS_TEST_EXPECT_MSG_EQ(untouched.parameters.PrintJson(),
                          "\"text\": \"nothing\", "
                          "\"number\": 0.5, "
                          "\"bytes\": {\"value\": 1500000, \"unit\": \"byte\"}, "
                          "\"bytes-or-none\": {\"value\": 0, \"unit\": \"byte\"}, "
                          "\"time\": {\"value\": 0.00025, \"unit\": \"s\"}, "
                          "\"time-or-none\": {\"value\": 0, \"unit\": \"s\"}, "
                          "\"rate\": {\"value\": 2500000000, \"unit\": \"bit/s\"}",
                          "the summary of the defaults");

    Values set;
    NS_TEST_EXPECT_MSG_EQ(set.Parse({"--flag",
                                     "--word=west",
                                     "--count=12",
                                     "--names=c,a",
                                     "--text=a folder/file.txt",
                                     "--number=1e-2",
                                     "--bytes=64KiB",
                                     "--bytes-or-none=0B",
                                     "--time=0.5ms",
                                     "--time-or-none=2s",
                                     "--rate=100Gbps"}),
                          "",
                          "no error");
    NS_TEST_EXPECT_MSG_EQ(untouched.Parse({"--word="}), "", "an empty text");
    NS_TEST_EXPECT_MSG_EQ(untouched.word, "", "an empty text");
    AIDC_EXPECT(set.flag, "flag");
    NS_TEST_EXPECT_MSG_EQ(set.word, "west", "word");
    NS_TEST_EXPECT_MSG_EQ(set.count, 12, "count");
    AIDC_EXPECT((set.names == std::vector<std::string>{"c", "a"}), "names");
    NS_TEST_EXPECT_MSG_EQ(set.text, "a folder/file.txt", "text with blanks");
    NS_TEST_EXPECT_MSG_EQ(set.number, 0.01, "number");
    NS_TEST_EXPECT_MSG_EQ(set.bytes, 65536, "bytes");
    NS_TEST_EXPECT_MSG_EQ(set.bytesOrNone, 0, "no bytes");
    NS_TEST_EXPECT_MSG_EQ(set.time, MicroSeconds(500), "time");
    NS_TEST_EXPECT_MSG_EQ(set.timeOrNone, Seconds(2), "another time");
    NS_TEST_EXPECT_MSG_EQ(set.rate.GetBitRate(), 100000000000, "rate");
    const std::string json = set.parameters.PrintJson();
    for (const std::string text : {"\"text\": \"a folder/file.txt\"",
                                   "\"number\": 0.01",
                                   "{\"value\": 65536, \"unit\": \"byte\"}",
                                   "{\"value\": 100000000000, \"unit\": \"bit/s\"}"})
    {
        NS_TEST_EXPECT_MSG_NE(json.find(text), std::string::npos, text << " in " << json);
    }
}

void
Refuse(const std::string& option,
       const std::vector<std::string>& texts,
       const std::string& expected)
{
    for (const auto& text : texts)
    {
        Values values;
        NS_TEST_EXPECT_MSG_EQ(values.Parse({"--" + option + "=" + text}),
                              "expected --" + option + " to be " + expected + ", found \"" + text +
                                  "\"",
                              text);
    }
}

// Wrong units, values out of range and unknown names are refused.
AIDC_TEST_CASE("ExperimentParameters: what is refused, and in which words")
{
    Refuse("count", {"-1", "1.5", "4294967296", "x"}, "a whole number of 32 bits");
    Refuse("names", {"d"}, "some of a, b, c");
    Refuse("number", {"-0.1", "1.1", "nan", "half", "0.5x"}, "from 0 to 1");
    Refuse("bytes",
           {"0B", "1GB", "100", "100p", "MB", "12Mb", "-1B"},
           "a size in B, kB, KB, KiB, MB or MiB, such as 200kB");
    Refuse("bytes-or-none", {"0", "10us"}, "a size in B, kB, KB, KiB, MB or MiB, such as 200kB");
    Refuse("time",
           {"100", "us", "10 us", "-1us", "10kB", "10lightyears"},
           "a time with its unit, such as 100us");
    Refuse("time", {"0s"}, "above 0");
    Refuse("time-or-none", {"0", "x"}, "a time with its unit, such as 100us");
    Refuse("rate", {"40", "Gbps", "40GB", "-1bps"}, "a rate with its unit, such as 40Gbps");
    Refuse("rate", {"0bps"}, "above 0");
}

/// Returns the error, empty if there is none.
std::string
SetOption(Values& values, const std::string& name, const std::string& text)
{
    return MessageOf([&] { values.parameters.Set(name, text); });
}

// Options are set one by one.
AIDC_TEST_CASE("ExperimentParameters: options one by one")
{
    Values values;
    NS_TEST_EXPECT_MSG_EQ(SetOption(values, "flag", "true"), "", "on");
    AIDC_EXPECT(values.flag, "on");
    NS_TEST_EXPECT_MSG_EQ(SetOption(values, "flag", "false"), "", "off");
    AIDC_EXPECT(!values.flag, "off");
    NS_TEST_EXPECT_MSG_EQ(SetOption(values, "flag", "perhaps"),
                          "expected --flag to be true or false, found \"perhaps\"",
                          "neither");
    NS_TEST_EXPECT_MSG_EQ(SetOption(values, "time", "3us"), "", "a time");
    NS_TEST_EXPECT_MSG_EQ(values.time, MicroSeconds(3), "a time");
    NS_TEST_EXPECT_MSG_EQ(SetOption(values, "colour", "red"),
                          "expected an option, one of flag, word, count, names, text, number, "
                          "bytes, bytes-or-none, time, time-or-none, rate, found \"colour\"",
                          "no such option");
    AIDC_EXPECT(values.parameters.IsFlag("flag"), "a flag");
    AIDC_EXPECT(!values.parameters.IsFlag("word"), "no flag");
    AIDC_EXPECT(!values.parameters.IsFlag("colour"), "no option");
}

/// Returns the error, empty if there is none.
std::string
Check(const ExperimentParameters& parameters)
{
    return MessageOf([&] { parameters.Check(); });
}

// What is given has an effect, or is refused: options that a run does not use, names that come
// twice, attributes that are an option's. Defaults of --small leave alone what is given.
AIDC_TEST_CASE("ExperimentParameters: what is given has an effect, or is refused")
{
    Values values;
    NS_TEST_EXPECT_MSG_EQ(values.Parse({"--names=a,b,a"}),
                          "expected --names to be names that differ, found \"a\" twice",
                          "twice");
    bool isUsed = false;
    values.parameters.Get("time")
        .UseIf([&isUsed] { return isUsed; }, "--word=west")
        .InSmall("10us");
    values.parameters.Get("rate").InSmall("1Gbps");
    values.parameters.Get("bytes").Sets({"ns3::aidc::SharedBuffer::Size"});
    NS_TEST_EXPECT_MSG_EQ(Check(values.parameters), "", "the option is not given");
    NS_TEST_EXPECT_MSG_EQ(values.Parse({"--rate=2500Mbps"}), "", "given, as it was");
    values.parameters.TakeSmall();
    NS_TEST_EXPECT_MSG_EQ(values.time, MicroSeconds(10), "the default of --small");
    NS_TEST_EXPECT_MSG_EQ(values.rate.GetBitRate(), 2500000000, "given");
    NS_TEST_EXPECT_MSG_EQ(Check(values.parameters), "", "a default is not given");
    NS_TEST_EXPECT_MSG_EQ(values.Parse({"--time=10us"}), "", "given");
    NS_TEST_EXPECT_MSG_EQ(Check(values.parameters),
                          "expected --word=west with --time, which is not used otherwise",
                          "not used");
    isUsed = true;
    NS_TEST_EXPECT_MSG_EQ(Check(values.parameters), "", "used");
    Config::SetDefault("ns3::aidc::SharedBuffer::Size", StringValue("1MB"));
    NS_TEST_EXPECT_MSG_EQ(Check(values.parameters),
                          "expected --bytes in place of --ns3::aidc::SharedBuffer::Size",
                          "an option's attribute");
}
