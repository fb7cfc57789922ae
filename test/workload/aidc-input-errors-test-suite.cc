// SPDX-License-Identifier: GPL-2.0-only

#include "parse-text.h"
#include "test/test-case.h"

#include "ns3/aidc-input-error.h"
#include "ns3/training-step-file.h"
#include "ns3/workload-file.h"

#include <sys/stat.h>

// Tests of the readers of input, of the flow generator and of the helpers that use them.

// What readers of files refuse, and how they say it.
AIDC_TEST_SUITE("aidc-input-errors", UNIT);

/// A text that a reader refuses.
struct BadInput
{
    Reader reader;       //!< the reader
    std::string text;    //!< the text
    std::string message; //!< the beginning of the whole message
};

/// What the first line of a topology should be.
const std::string HEADER =
    "3 numbers: nodes switches links; PowerTCP's 4 numbers: nodes switches tors links; Reverie's 6 "
    "numbers: the same and two rates; or SimAI's 6 fields: nodes gpus_per_server nvswitches "
    "switches links gpu_type";

/// A line of a topology's links, for what comes after it.
const std::string LINK = "0 2 100Gbps 3us 0\n";

/// What the readers refuse. 2^32 - 1 = 4294967295; 2^53 = 9007199254740992.
// clang-format off
const std::vector<BadInput> BAD_INPUTS{
    // The header of a topology
    {TOPOLOGY, "", "t:1: expected " + HEADER + ", found \"end of file\""},
    {TOPOLOGY, "\n# c\n", "t:3: expected " + HEADER + ", found \"end of file\""},
    {TOPOLOGY, "3 1\n", "t:1: expected " + HEADER + ", found \"3 1\""},
    {TOPOLOGY, "3 1 2 0\n", "t:1: expected a number of ToR switches from 0 to 1, found \"2\""},
    {TOPOLOGY, "0 0 0\n", "t:1: expected a number of nodes from 1 to 4294967295, found \"0\""},
    {TOPOLOGY, "x 0 0\n", "t:1: expected a number of nodes from 1 to 4294967295, found \"x\""},
    {TOPOLOGY, "-3 0 0\n", "t:1: expected a number of nodes from 1 to 4294967295, found \"-3\""},
    {TOPOLOGY, "4294967296 0 0\n",
     "t:1: expected a number of nodes from 1 to 4294967295, found \"4294967296\""},
    {TOPOLOGY, "18446744073709551617 0 0\n",
     "t:1: expected a number of nodes from 1 to 4294967295, found \"18446744073709551617\""},
    {TOPOLOGY, "3 4 2\n", "t:1: expected a number of switches from 0 to 3, found \"4\""},
    {TOPOLOGY, "3 1 2.5\n", "t:1: expected a number of links from 0 to 4294967295, found \"2.5\""},
    // Its switches
    {TOPOLOGY, "3 1 2\n", "t:2: expected the id of 1 switch, found \"end of file\""},
    {TOPOLOGY, "3 1 2\n2 1\n", "t:2: expected the id of 1 switch, found \"2 1\""},
    {TOPOLOGY, "3 2 2\n2\n", "t:2: expected 2 ids of switches, found \"2\""},
    {TOPOLOGY, "3 1 2\n3\n", "t:2: expected the id of a switch from 0 to 2, found \"3\""},
    {TOPOLOGY, "3 2 2\n2 2\n", "t:2: expected each switch once, found \"2 twice\""},
    {TOPOLOGY, "# c\n\n3 2 2\n\n2 2\n", "t:5: expected each switch once, found \"2 twice\""},
    // Its links
    {TOPOLOGY, "3 1 2\n2\n" + LINK,
     "t:4: expected link 2 of 2, 5 fields: a b rate delay error_rate, found \"end of file\""},
    {TOPOLOGY, "3 1 2\n2\n" + LINK + "1 2 100Gbps 3us\n",
     "t:4: expected link 2 of 2, 5 fields: a b rate delay error_rate, found \"1 2 100Gbps 3us\""},
    {TOPOLOGY,
     "3 1 2\n2\n" + LINK + "1 2 1Gbps 3us 0 #\n",
     "t:4: expected link 2 of 2, 5 fields: a b rate delay error_rate, found "
     "\"1 2 1Gbps 3us 0 #\""},
    {TOPOLOGY, "3 1 1\r\n2\r\njunk\r\n",
     "t:3: expected link 1 of 1, 5 fields: a b rate delay error_rate, found \"junk\""},
    // Rows behind the announced ones
    {TOPOLOGY,
     "2 1 1\n1\n0 1 1Gbps 0 0\ntext\n0 1 1Gbps 0\n",
     "t:5: expected text or another link, 5 fields: a b rate delay error_rate, found \"0 1 1Gbps "
     "0\""},
    {TOPOLOGY, "2 1 1\n1\n0 1 1Gbps 0 0\n9 8 1Gb 0 0\n", "t:4: expected a rate above 0"},
    {TOPOLOGY, "2 1 1\n1\n0 1 1Gbps 0 0\n-9 8 1Gbps 0 0\n", "t:4: expected the id of a node"},
    {FLOWS,
     "1\n0 1 3 100 5 2\n0 1 3 100 5\n",
     "f:3: expected text or another flow, 6 fields: source destination priority port bytes start, "
     "found \"0 1 3 100 5\""},
    {FLOWS, "1\n0 1 3 100 5 2\n\n0 1 3 100 -5 2\n", "f:4: expected a number of bytes from 1 to"},
    {TOPOLOGY, "3 1 1\n2\n3 2 1Gbps 0 0\n", "t:3: expected the id of a node from 0 to 2, found"},
    {TOPOLOGY, "3 1 1\n2\n0 -2 1Gbps 0 0\n", "t:3: expected the id of a node from 0 to 2, found"},
    {TOPOLOGY, "3 1 1\n2\n1 1 1Gbps 0 0\n",
     "t:3: expected a link between two different nodes, found \"1 1\""},
    {TOPOLOGY, "3 1 1\n2\n0 2 0Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 0.5bps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 -1Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gxps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 40 1us 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 40 1us 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 -25000000000 1us 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1e16 1us 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 2 1\n2\n" + LINK, "t:1: expected a number of ToR switches from 0 to 1"},
    {TOPOLOGY, "3 1 1 1 100\n2\n" + LINK, "t:1: expected " + HEADER},
    {TOPOLOGY, "3 1 1\n2\n0 2 40G 1us 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1.2.3Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1e3Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1000001Gbps 0 0\n",
     "t:3: expected a rate above 0 and at most 1 Pb/s"},
    {TOPOLOGY, "3 1 1\n2\n0 2 99999999999999999999Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps -3us 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 3 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps us 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 3xs 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 3us3 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 3601 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 1e999s 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps nan 0\n", "t:3: expected a delay from 0 to 1h"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 0 1.01\n", "t:3: expected an error rate from 0 to 1, found"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 0 -1e-9\n", "t:3: expected an error rate from 0 to 1, found"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 0 nan\n", "t:3: expected an error rate from 0 to 1, found"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps 0 0x1\n", "t:3: expected an error rate from 0 to 1, found"},
    {TOPOLOGY, "#\n3 1 1\n2\n" + LINK,
     "t:2: expected a link for each host, found \"host 1 without a link\""},
    // Nothing is allocated for counts that no data follows
    {TOPOLOGY, "4294967295 4294967295 4294967295\n0\n",
     "t:2: expected 4294967295 ids of switches, found \"0\""},
    {TOPOLOGY, "4294967295 0 1\n" + LINK,
     "t:1: expected a link for each host, found \"host 1 without a link\""},
    // What is found is shown in printable characters, and cut after 80 bytes
    {TOPOLOGY, std::string("\x01\xff\0", 3),
     "t:1: expected " + HEADER + ", found \"\\x01\\xff\\x00\""},
    {TOPOLOGY, std::string(81, 'y'),
     "t:1: expected " + HEADER + ", found \"" + std::string(80, 'y') + "...\""},

    // A byte-order mark is skipped, and does not move the lines
    {TOPOLOGY,
     "\xef\xbb\xbf"
     "3 1\n",
     "t:1: expected " + HEADER + ", found \"3 1\""},
    {FLOWS, "\xef\xbb\xbf" "1\n7 7 3 100 1 0\n",
     "f:2: expected a flow between two different hosts"},

    // Flows
    {FLOWS, "", "f:1: expected the number of flows, found \"end of file\""},
    {FLOWS, "1 2\n", "f:1: expected the number of flows, found \"1 2\""},
    {FLOWS, "-1\n", "f:1: expected a number of flows from 0 to 4294967295, found \"-1\""},
    {FLOWS,
     "4000000000\n0 1 3 100 1 0\n",
     "f:3: expected flow 2 of 4000000000, 6 fields: source destination priority port bytes start, "
     "found \"end of file\""},
    {FLOWS, "1\n0 1 3 100\n", "f:2: expected flow 1 of 1, 6 fields"},
    {FLOWS, "2\n0 1 3 100 1\n0 1 3 100 1 0\n", "f:3: expected flow 2 of 2, 5 fields"},
    {FLOWS, "2\n0 1 3 100 1 0\n0 1 3 100 1\n", "f:3: expected flow 2 of 2, 6 fields"},
    {FLOWS, "1\n0 1 3 100 1\n0 1 3 100 1 0\n", "f:3: expected text or another flow, 5 fields"},
    {FLOWS, "1\n0 1 3 0 1\n", "f:2: expected a number of bytes from 1 to"},
    {FLOWS, "1\n0 1 3 100 1 0 0\n", "f:2: expected flow 1 of 1, 6 fields"},
    {FLOWS, "1\na 1 3 100 1 0\n", "f:2: expected the id of a source from 0 to 4294967295"},
    {FLOWS, "1\n0 b 3 100 1 0\n", "f:2: expected the id of a destination from 0 to 4294967295"},
    {FLOWS, "1\n7 7 3 100 1 0\n",
     "f:2: expected a flow between two different hosts, found \"7 7\""},
    {FLOWS, "1\n0 1 65536 100 1 0\n", "f:2: expected a priority from 0 to 65535, found \"65536\""},
    {FLOWS, "1\n0 1 3 65536 1 0\n", "f:2: expected a port from 0 to 65535, found \"65536\""},
    {FLOWS, "1\n0 1 3 100 0 0\n", "f:2: expected a number of bytes from 1 to"},
    {FLOWS, "1\n0 1 3 100 1.5 0\n", "f:2: expected a number of bytes from 1 to"},
    {FLOWS, "1\n0 1 3 100 1 -1\n", "f:2: expected a start from 0 to 1e6 seconds, found \"-1\""},
    {FLOWS, "1\n0 1 3 100 1 2s\n", "f:2: expected a start from 0 to 1e6 seconds, found \"2s\""},
    {FLOWS, "1\n0 1 3 100 1 1e7\n", "f:2: expected a start from 0 to 1e6 seconds, found \"1e7\""},
    {FLOWS, "1\n0 1 3 100 1 inf\n", "f:2: expected a start from 0 to 1e6 seconds, found \"inf\""},

    // Distributions
    {SIZES,
     "",
     "d:1: expected a last point of 100 percent, or of 1 in a file of shares, found \"end of "
     "file\""},
    {SIZES,
     "0 0\n1 99.9\n",
     "d:3: expected a last point of 100 percent, or of 1 in a file of shares, found \"end of "
     "file\""},
    {SIZES, "0 0 0\n",
     "d:1: expected 2 fields: bytes percent (or a share from 0 to 1), found \"0 0 0\""},
    {SIZES, "0\n", "d:1: expected 2 fields: bytes percent (or a share from 0 to 1), found \"0\""},
    {SIZES, "1 1\n2 100\n", "d:1: expected a first point of 0 percent, found \"1\""},
    {SIZES, "1.5 0\n", "d:1: expected a number of bytes from 0 to 9007199254740992, found \"1.5\""},
    {SIZES, "0 0\n9007199254740993 100\n",
     "d:2: expected a number of bytes from 0 to 9007199254740992, found \"9007199254740993\""},
    {SIZES, "0 0\n1 100.1\n", "d:2: expected a percentage from 0 to 100, found \"100.1\""},
    {SIZES, "0 0\n1 5%\n", "d:2: expected a percentage from 0 to 100, found \"5%\""},
    {SIZES, "0 0\n5 50\n4 100\n",
     "d:3: expected a number of bytes that is not below the previous one, 5, found \"4\""},
    {SIZES, "0 0\n5 50\n6 49\n",
     "d:3: expected a percentage that is not below the previous one, found \"49\""},
    {SIZES, "0 0\n5 50\n5 50\n6 100\n", "d:3: expected each point once, found \"5 50\""},
    {SIZES, "0 0\n0 100\n", "d:3: expected a size above 0, found \"end of file\""},
};
// clang-format on

// A reader refuses a text with file, line, what was expected and what was found.
AIDC_TEST_CASE("bad input is refused with file, line, and what was expected")
{
    for (const auto& input : BAD_INPUTS)
    {
        const std::string message = MessageOf([&input] { Parse(input.reader, input.text); });
        NS_TEST_EXPECT_MSG_EQ(message.substr(0, input.message.size()),
                              input.message,
                              "message for: " << input.text);
    }
    const std::string missing = MessageOf([] { TopologyFile::Read("/no/such/file"); });
    NS_TEST_EXPECT_MSG_EQ(missing,
                          "/no/such/file: expected a file that can be opened, found \"No such "
                          "file or directory\"",
                          "a file that does not exist");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([] { ReadFlowFile("/"); }),
                          "/: expected a file that can be read, found \"a folder\"",
                          "a folder");
    const AidcInputError error("a", 3, "b", "c\n");
    NS_TEST_EXPECT_MSG_EQ(error.GetFile(), "a", "file");
    NS_TEST_EXPECT_MSG_EQ(error.GetLine(), 3, "line");
    NS_TEST_EXPECT_MSG_EQ(error.GetExpected(), "b", "expected");
    NS_TEST_EXPECT_MSG_EQ(error.GetFound(), "c\n", "found");
    NS_TEST_EXPECT_MSG_EQ(std::string(error.what()), "a:3: expected b, found \"c\\x0a\"", "all");
}

// Each reader says which file is missing, no file, may not be read, or is empty.
AIDC_TEST_CASE("a missing, unreadable or empty file is refused by its own path")
{
    const std::string empty = CreateTempDirFilename("empty.0.et");
    std::ofstream(empty).close();
    const std::string closed = CreateTempDirFilename("closed.0.et");
    std::ofstream(closed).close();
    chmod(closed.c_str(), 0);
    const std::string marked = CreateTempDirFilename("marked");
    std::ofstream(marked) << "\xef\xbb\xbf";
    const std::vector<std::function<void(const std::string&)>> readers{
        [](const std::string& path) { TopologyFile::Read(path); },
        [](const std::string& path) { ReadFlowFile(path); },
        [](const std::string& path) { FlowSizeDistribution::Read(path); },
        [](const std::string& path) { ReadTrainingStepFile(path); },
        [](const std::string& path) { ReadProcessGroupFile(path); },
        [](const std::string& path) {
            ReadChakraFiles(path.substr(0, path.rfind(".0.et")), 1, ChakraSettings());
        }};
    for (const auto& read : readers)
    {
        for (const std::string& path : {std::string("/no/such/file.0.et"), empty, closed})
        {
            // A user who may read all files can read this one, too; it is empty.
            const std::string message = MessageOf([&] { read(path); });
            NS_TEST_EXPECT_MSG_EQ(message.substr(0, path.size() + 1), path + ":", message);
        }
    }
    for (std::size_t i = 0; i < 5; ++i)
    {
        const std::string message = MessageOf([&] { readers[i](marked); });
        NS_TEST_EXPECT_MSG_NE(message.find("end of file"), std::string::npos, message);
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { readers[i]("/"); }),
                              "/: expected a file that can be read, found \"a folder\"",
                              "a folder");
    }
    std::istringstream text("3 1 4\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n2 1 1Gbps 1us 0\n"
                            "1 2 1Gbps 1us 0\n");
    const auto topology = TopologyFile::Parse(text, "t");
    const CapturedStream notes(std::cerr);
    topology.PrintNotes();
    NS_TEST_EXPECT_MSG_EQ(
        notes.GetText(),
        "note: t:5: another link between the nodes 2 and 1 of line 4; they are parallel\n"
        "note: t:6: another link between the nodes 1 and 2 of line 4; they are parallel\n",
        "links that are there twice");
}

AIDC_TEST_CASE("whatever the bytes, a reader returns a value or throws an AidcInputError")
{
    const std::vector<std::pair<Reader, std::string>> seeds{
        {TOPOLOGY, "3 1 2\n2\n0 2 100Gbps 3us 0\n1 2 100Gbps 3us 0.5\n"},
        {TOPOLOGY,
         "4 2 1 1 4 H100\n2 3\n0 2 9Gbps 3us 0\n1 2 9Gbps 3us 0\n0 3 9Gbps 3us 0\n"
         "1 3 9Gbps 3us 0\n"},
        {FLOWS, "2\n0 1 3 100 2000 2\n1 0 3 100 1 1e-3\n"},
        {SIZES, "0 0\n10 50\n20 100\n"},
    };
    // Bytes that files of these formats are made of, so that some texts get far
    const std::string alphabet = "0123456789 \t\r\n.-+eE#GMkbpsunmh/i";
    std::mt19937 random(1);
    uint32_t nValues = 0;
    uint32_t nErrors = 0;
    const auto parse = [&](Reader reader, const std::string& text) {
        try
        {
            Parse(reader, text);
            ++nValues;
        }
        catch (const AidcInputError&)
        {
            ++nErrors;
        }
    };
    for (const auto& [reader, seed] : seeds)
    {
        for (std::size_t length = 0; length <= seed.size(); ++length)
        {
            parse(reader, seed.substr(0, length));
        }
        for (int i = 0; i < 5000; ++i)
        {
            std::string text = seed;
            for (uint32_t changes = 1 + random() % 3; changes > 0; --changes)
            {
                text[random() % text.size()] = alphabet[random() % alphabet.size()];
            }
            parse(reader, text);

            text.clear();
            for (uint32_t size = random() % 64; size > 0; --size)
            {
                text += static_cast<char>(random() % 256);
            }
            parse(reader, text);
        }
    }
    // The texts without a change are values, the empty ones errors: so both happen
    NS_TEST_EXPECT_MSG_GT(nValues, 4, "texts that were read");
    NS_TEST_EXPECT_MSG_GT(nErrors, 3, "texts that were refused");
}
