// SPDX-License-Identifier: GPL-2.0-only

// JSON with its lines, and numbers of texts.

#include "model/core/workload/json-value.h"
#include "model/core/workload/text-reader.h"
#include "test/core/core-test.h"

TEST(JsonValue, ValuesKnowTheirLines)
{
    const JsonValue value = ParseJsonText("{\"a\": [1,\n\"x\"],\n\"b\": true}");
    ASSERT_NE(value.Find("a"), nullptr);
    EXPECT_EQ(value.Find("a")->items.at(1).line, 2U);
    EXPECT_EQ(value.Find("b")->line, 3U);
    EXPECT_EQ(value.Find("c"), nullptr);
    EXPECT_EQ(value.Describe(), "an object");
    EXPECT_EQ(value.Find("a")->Describe(), "an array");
    EXPECT_EQ(value.Find("b")->Describe(), "true");
}

TEST(JsonValue, ErrorsInLongLinesTellTheByte)
{
    EXPECT_EQ(CatchMessage([] { ParseJsonText("[1, x]"); }),
              "line 1: expected a value of JSON, found \"x\"");
    EXPECT_EQ(CatchMessage([] { ParseJsonText("[\n" + std::string(2000, ' ') + "x]"); }),
              "line 2: expected a value of JSON at byte 2000 of the line, found \"x\"");
}

// RFC 8259, section 6
TEST(JsonValue, NumbersAreThoseOfTheStandard)
{
    for (const std::string text :
         {"0", "-0", "10", "0.5", "-1.50", "1e9", "2E+3", "0e0", "12.5e-30", "1e00"})
    {
        const JsonValue value = ParseJsonText("[" + text + "]").items.at(0);
        EXPECT_EQ(value.type, JsonValue::Type::NUMBER) << text;
        EXPECT_EQ(value.text, text);
    }
    for (const std::string text : {"+1",
                                   "01",
                                   "-01",
                                   "00",
                                   ".5",
                                   "1.",
                                   "-",
                                   "1e",
                                   "1e+",
                                   "--1",
                                   "1.e",
                                   "0x1",
                                   "1e1.",
                                   "1e999",
                                   "-.5",
                                   "1.2.3"})
    {
        EXPECT_EQ(CatchMessage([&text] { ParseJsonText(text); }).substr(0, 42),
                  "line 1: expected a value of JSON, found \"" + text.substr(0, 1))
            << text;
    }
}

// RFC 8259, section 7: four hexadecimal digits, of either case
TEST(JsonValue, EscapesHaveFourHexadecimalDigits)
{
    const auto read = [](const std::string& escape) {
        return ParseJsonText("[\"" + escape + "z\"]").items.at(0).text;
    };
    EXPECT_EQ(read("\\u0041"), "Az");
    EXPECT_EQ(read("\\u00e9"), "\xc3\xa9z");     // U+00E9 in UTF-8
    EXPECT_EQ(read("\\u20AC"), "\xe2\x82\xacz"); // U+20AC
    EXPECT_EQ(read("\\uFfFd"), "\xef\xbf\xbdz"); // U+FFFD
    EXPECT_EQ(read("\\ud7ff"), "\xed\x9f\xbfz"); // the last one before the surrogates
    for (const std::string digits : {"G234",
                                     "1G34",
                                     "12G4",
                                     "123G",
                                     "12g4",
                                     "/234",
                                     ":234",
                                     "@234",
                                     "`234",
                                     "12 4",
                                     "-123",
                                     "0x12",
                                     "123",
                                     "12",
                                     "",
                                     "d800",
                                     "DFFF"})
    {
        const auto said = CatchMessage([&] { read("\\u" + digits); });
        EXPECT_EQ(said.rfind("line 1: expected an escape sequence of JSON; of \\u", 0), 0U)
            << digits << ": " << said;
    }
}

// RFC 3629, section 4: the first and the last sequence of each row are text. What is next to them
// is not, so that its first byte is replaced.
TEST(JsonValue, Rfc3629Section4SequencesAreWrittenAsTheyAre)
{
    for (const std::string text : {"\x7e",
                                   "\xc2\x80",
                                   "\xdf\xbf",
                                   "\xe0\xa0\x80",
                                   "\xe0\xbf\xbf",
                                   "\xe1\x80\x80",
                                   "\xec\xbf\xbf",
                                   "\xed\x80\x80",
                                   "\xed\x9f\xbf",
                                   "\xee\x80\x80",
                                   "\xef\xbf\xbf",
                                   "\xf0\x90\x80\x80",
                                   "\xf0\xbf\xbf\xbf",
                                   "\xf1\x80\x80\x80",
                                   "\xf3\xbf\xbf\xbf",
                                   "\xf4\x80\x80\x80",
                                   "\xf4\x8f\xbf\xbf"})
    {
        EXPECT_EQ(FormatJsonString(text), '"' + text + '"');
    }
    for (const std::string text : {"\x80",
                                   "\xc1\xbf",
                                   "\xc2\x7e",
                                   "\xc2\xc0",
                                   "\xe0\x9f\xbf",
                                   "\xe1\x80\x7e",
                                   "\xe1\x80\xc0",
                                   "\xed\xa0\x80",
                                   "\xf0\x8f\xbf\xbf",
                                   "\xf4\x90\x80\x80",
                                   "\xf5\x80\x80\x80"})
    {
        EXPECT_EQ(FormatJsonString(text).substr(0, 7), "\"\\ufffd");
    }
}

TEST(JsonValue, ErrorsAreOneLine)
{
    EXPECT_EQ(CatchMessage([] { ParseJsonText("{\"a\\nb\" 1}"); }),
              "line 1: expected \":\" behind the key \"a?b\", found \"1\"");
}

TEST(NumberText, WholeNumbersMayHaveAnExponent)
{
    uint64_t value = 7;
    EXPECT_TRUE(ParseWholeNumber("18446744073709551615", value));
    EXPECT_EQ(value, UINT64_MAX);
    EXPECT_TRUE(ParseWholeNumber("64e6", value));
    EXPECT_EQ(value, 64000000U);
    EXPECT_TRUE(ParseWholeNumber("6291456.0", value));
    EXPECT_EQ(value, 6291456U);
    for (const std::string wrong : {"",
                                    "-1",
                                    "1.5",
                                    "18446744073709551616",
                                    "9007199254740993.0",
                                    "1e300",
                                    "0x10",
                                    "1 ",
                                    "e"})
    {
        EXPECT_FALSE(ParseWholeNumber(wrong, value)) << wrong;
    }
    EXPECT_EQ(value, 6291456U);
}
