/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/channel.h"
#include "ns3/config.h"
#include "ns3/experiment-data-file.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-file.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/input-error.h"
#include "ns3/input-reader.h"
#include "ns3/poisson-flow-generator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/test.h"
#include "ns3/topology-file.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup aidc-test
 * Tests of the readers of input, of the flow generator and of the helpers that use them.
 */

using namespace ns3;
using namespace ns3::aidc;

namespace
{

/**
 * @brief Run something that may throw an InputError.
 * @param run what to run
 * @return the message of the InputError; empty if there was none
 */
std::string
MessageOf(const std::function<void()>& run)
{
    try
    {
        run();
    }
    catch (const std::runtime_error& error) // InputError is one
    {
        return error.what();
    }
    return "";
}

/**
 * @brief Parse a topology.
 * @param text the text
 * @return the topology
 */
TopologyFile
ParseTopology(const std::string& text)
{
    std::istringstream stream(text);
    return TopologyFile::Parse(stream, "t");
}

/**
 * @brief Parse flows.
 * @param text the text
 * @param trailing where what follows is told, unless null
 * @return the flows
 */
std::vector<FlowSpec>
ParseFlows(const std::string& text, TrailingText* trailing = nullptr)
{
    std::istringstream stream(text);
    return ParseFlowFile(stream, "f", trailing);
}

/**
 * @brief Parse a distribution.
 * @param text the text
 * @return the distribution
 */
FlowSizeDistribution
ParseSizes(const std::string& text)
{
    std::istringstream stream(text);
    return FlowSizeDistribution::Parse(stream, "d");
}

/// The readers.
enum Reader
{
    TOPOLOGY,
    FLOWS,
    SIZES
};

/**
 * @brief Parse a text with one of the readers.
 * @param reader the reader
 * @param text the text
 */
void
Parse(Reader reader, const std::string& text)
{
    switch (reader)
    {
    case TOPOLOGY:
        ParseTopology(text);
        break;
    case FLOWS:
        ParseFlows(text);
        break;
    case SIZES:
        ParseSizes(text);
        break;
    }
}

/// A text that a reader refuses.
struct BadInput
{
    Reader reader;       ///< the reader
    std::string text;    ///< the text
    std::string message; ///< the beginning of the whole message
};

/// A line of a topology's links, for what comes after it.
const std::string LINK = "0 2 100Gbps 3us 0\n";

/// What the readers refuse. 2^32 - 1 = 4294967295; 2^53 = 9007199254740992.
const std::vector<BadInput> BAD_INPUTS{
    // The header of a topology
    {TOPOLOGY, "", "t:1: expected 3 numbers: nodes switches links, found \"end of file\""},
    {TOPOLOGY, "\n# c\n", "t:3: expected 3 numbers: nodes switches links, found \"end of file\""},
    {TOPOLOGY, "3 1\n", "t:1: expected 3 numbers: nodes switches links, found \"3 1\""},
    {TOPOLOGY, "3 1 2 0\n", "t:1: expected 3 numbers: nodes switches links, found \"3 1 2 0\""},
    {TOPOLOGY, "0 0 0\n", "t:1: expected a number of nodes from 1 to 4294967295, found \"0\""},
    {TOPOLOGY, "x 0 0\n", "t:1: expected a number of nodes from 1 to 4294967295, found \"x\""},
    {TOPOLOGY, "-3 0 0\n", "t:1: expected a number of nodes from 1 to 4294967295, found \"-3\""},
    {TOPOLOGY,
     "4294967296 0 0\n",
     "t:1: expected a number of nodes from 1 to 4294967295, found \"4294967296\""},
    {TOPOLOGY,
     "18446744073709551617 0 0\n",
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
    {TOPOLOGY,
     "3 1 2\n2\n" + LINK,
     "t:4: expected link 2 of 2, 5 fields: a b rate delay error_rate, found \"end of file\""},
    {TOPOLOGY,
     "3 1 2\n2\n" + LINK + "1 2 100Gbps 3us\n",
     "t:4: expected link 2 of 2, 5 fields: a b rate delay error_rate, found \"1 2 100Gbps 3us\""},
    {TOPOLOGY,
     "3 1 2\n2\n" + LINK + "1 2 1Gbps 3us 0 #\n",
     "t:4: expected link 2 of 2, 5 fields: a b rate delay error_rate, found "
     "\"1 2 1Gbps 3us 0 #\""},
    {TOPOLOGY,
     "3 1 1\r\n2\r\njunk\r\n",
     "t:3: expected link 1 of 1, 5 fields: a b rate delay error_rate, found \"junk\""},
    {TOPOLOGY, "3 1 1\n2\n3 2 1Gbps 0 0\n", "t:3: expected the id of a node from 0 to 2, found"},
    {TOPOLOGY, "3 1 1\n2\n0 -2 1Gbps 0 0\n", "t:3: expected the id of a node from 0 to 2, found"},
    {TOPOLOGY,
     "3 1 1\n2\n1 1 1Gbps 0 0\n",
     "t:3: expected a link between two different nodes, found \"1 1\""},
    {TOPOLOGY, "3 1 1\n2\n0 2 0Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 0.5bps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 -1Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gxps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1.2.3Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1e3Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY,
     "3 1 1\n2\n0 2 1000001Gbps 0 0\n",
     "t:3: expected a rate above 0 and at most 1 Pb/s"},
    {TOPOLOGY, "3 1 1\n2\n0 2 99999999999999999999Gbps 0 0\n", "t:3: expected a rate above 0 and"},
    {TOPOLOGY, "3 1 1\n2\n0 2 1Gbps -3us 0\n", "t:3: expected a delay from 0 to 1h"},
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
    {TOPOLOGY,
     "#\n3 1 1\n2\n" + LINK,
     "t:2: expected a link for each host, found \"host 1 without a link\""},
    // Nothing is allocated for counts that no data follows
    {TOPOLOGY,
     "4294967295 4294967295 4294967295\n0\n",
     "t:2: expected 4294967295 ids of switches, found \"0\""},
    {TOPOLOGY,
     "4294967295 0 1\n" + LINK,
     "t:1: expected a link for each host, found \"host 1 without a link\""},
    // What is found is shown in printable characters, and cut after 80 bytes
    {TOPOLOGY,
     std::string("\x01\xff\0", 3),
     "t:1: expected 3 numbers: nodes switches links, found \"\\x01\\xff\\x00\""},
    {TOPOLOGY,
     std::string(81, 'y'),
     "t:1: expected 3 numbers: nodes switches links, found \"" + std::string(80, 'y') + "...\""},

    // Flows
    {FLOWS, "", "f:1: expected the number of flows, found \"end of file\""},
    {FLOWS, "1 2\n", "f:1: expected the number of flows, found \"1 2\""},
    {FLOWS, "-1\n", "f:1: expected a number of flows from 0 to 4294967295, found \"-1\""},
    {FLOWS,
     "4000000000\n0 1 3 100 1 0\n",
     "f:3: expected flow 2 of 4000000000, 6 fields: source destination priority port bytes start, "
     "found \"end of file\""},
    {FLOWS, "1\n0 1 3 100 1\n", "f:2: expected flow 1 of 1, 6 fields"},
    {FLOWS, "1\n0 1 3 100 1 0 0\n", "f:2: expected flow 1 of 1, 6 fields"},
    {FLOWS, "1\na 1 3 100 1 0\n", "f:2: expected the id of a source from 0 to 4294967295"},
    {FLOWS, "1\n0 b 3 100 1 0\n", "f:2: expected the id of a destination from 0 to 4294967295"},
    {FLOWS,
     "1\n7 7 3 100 1 0\n",
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
    {SIZES, "", "d:1: expected a last point of 100 percent, found \"end of file\""},
    {SIZES, "0 0\n1 99.9\n", "d:3: expected a last point of 100 percent, found \"end of file\""},
    {SIZES, "0 0 0\n", "d:1: expected 2 fields: bytes percent, found \"0 0 0\""},
    {SIZES, "0\n", "d:1: expected 2 fields: bytes percent, found \"0\""},
    {SIZES, "1 1\n2 100\n", "d:1: expected a first point of 0 percent, found \"1\""},
    {SIZES, "1.5 0\n", "d:1: expected a number of bytes from 0 to 9007199254740992, found \"1.5\""},
    {SIZES,
     "0 0\n9007199254740993 100\n",
     "d:2: expected a number of bytes from 0 to 9007199254740992, found \"9007199254740993\""},
    {SIZES, "0 0\n1 100.1\n", "d:2: expected a percentage from 0 to 100, found \"100.1\""},
    {SIZES, "0 0\n1 5%\n", "d:2: expected a percentage from 0 to 100, found \"5%\""},
    {SIZES,
     "0 0\n5 50\n4 100\n",
     "d:3: expected a number of bytes that is not below the previous one, 5, found \"4\""},
    {SIZES,
     "0 0\n5 50\n6 49\n",
     "d:3: expected a percentage that is not below the previous one, found \"49\""},
    {SIZES, "0 0\n5 50\n5 50\n6 100\n", "d:3: expected each point once, found \"5 50\""},
    {SIZES, "0 0\n0 100\n", "d:3: expected a size above 0, found \"end of file\""},
};

/**
 * @ingroup aidc-test
 * @brief A reader refuses a text with file, line, what was expected and what was found.
 */
class BadInputTestCase : public TestCase
{
  public:
    BadInputTestCase()
        : TestCase("bad input is refused with file, line, and what was expected")
    {
    }

  private:
    void DoRun() override
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
                              "/: expected a file that can be read, found \"read error\"",
                              "a folder");
        const InputError error("a", 3, "b", "c\n");
        NS_TEST_EXPECT_MSG_EQ(error.GetFile(), "a", "file");
        NS_TEST_EXPECT_MSG_EQ(error.GetLine(), 3, "line");
        NS_TEST_EXPECT_MSG_EQ(error.GetExpected(), "b", "expected");
        NS_TEST_EXPECT_MSG_EQ(error.GetFound(), "c\n", "found");
        NS_TEST_EXPECT_MSG_EQ(std::string(error.what()),
                              "a:3: expected b, found \"c\\x0a\"",
                              "all");
    }
};

/**
 * @ingroup aidc-test
 * @brief A topology file is read as it stands.
 */
class TopologyFileTestCase : public TestCase
{
  public:
    TopologyFileTestCase()
        : TestCase("a topology file is read as it stands")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = ParseTopology("# comment\r\n"
                                            "6 2 6\r\n"
                                            "\r\n"
                                            "  4\t1 \r\n"
                                            "0 1 100Gbps 3us 0\r\n"
                                            " # comment\r\n"
                                            "2 1 25Gbps 0.001ms 0.000000\r\n"
                                            "3 4 1.5Mb/s 1000ns 1\r\n"
                                            "5 4 1000 1e-3 5e-1\r\n"
                                            "1 4 1KiB/s 0 0\r\n"
                                            "1 4 1kbps 1min 0");
        NS_TEST_ASSERT_MSG_EQ(topology.GetNNodes(), 6, "nodes");
        NS_TEST_EXPECT_MSG_EQ(topology.GetName(), "t", "name");
        NS_TEST_EXPECT_MSG_EQ((topology.GetSwitches() == std::vector<uint32_t>{4, 1}),
                              true,
                              "switches in the order of the file");
        NS_TEST_EXPECT_MSG_EQ(topology.GetSwitchesLine(), 4, "line of the switches");
        NS_TEST_EXPECT_MSG_EQ((topology.GetHosts() == std::vector<uint32_t>{0, 2, 3, 5}),
                              true,
                              "hosts");
        NS_TEST_EXPECT_MSG_EQ(topology.IsSwitch(1), true, "switch");
        NS_TEST_EXPECT_MSG_EQ(topology.IsSwitch(0), false, "host");
        NS_TEST_EXPECT_MSG_EQ(topology.IsSwitch(6), false, "no node");
        NS_TEST_EXPECT_MSG_EQ(topology.IsHost(5), true, "host");
        NS_TEST_EXPECT_MSG_EQ(topology.IsHost(6), false, "no node");
        NS_TEST_EXPECT_MSG_EQ(topology.GetTrailingText().lines, 0, "nothing follows");

        // The same, worked out: ns-3's k is 1000, Ki is 1024, B is 8 bits
        struct Expected
        {
            uint32_t a;
            uint32_t b;
            uint64_t rate;
            int64_t delayNs;
            double errorRate;
            uint32_t line;
        };

        const std::vector<Expected> expected{{0, 1, 100000000000, 3000, 0, 5},
                                             {2, 1, 25000000000, 1000, 0, 7},
                                             {3, 4, 1500000, 1000, 1, 8},
                                             {5, 4, 1000, 1000000, 0.5, 9},
                                             {1, 4, 8192, 0, 0, 10},
                                             {1, 4, 1000, 60000000000, 0, 11}};
        const auto& links = topology.GetLinks();
        NS_TEST_ASSERT_MSG_EQ(links.size(), expected.size(), "links");
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(links[i].a, expected[i].a, "a of link " << i);
            NS_TEST_EXPECT_MSG_EQ(links[i].b, expected[i].b, "b of link " << i);
            NS_TEST_EXPECT_MSG_EQ(links[i].rate.GetBitRate(), expected[i].rate, "rate " << i);
            NS_TEST_EXPECT_MSG_EQ(links[i].delay.GetNanoSeconds(), expected[i].delayNs, "ns " << i);
            NS_TEST_EXPECT_MSG_EQ(links[i].errorRate, expected[i].errorRate, "error rate " << i);
            NS_TEST_EXPECT_MSG_EQ(links[i].line, expected[i].line, "line " << i);
        }

        // Without switches the second line is blank, or missing
        NS_TEST_EXPECT_MSG_EQ(ParseTopology("2 0 1\n\n0 1 1Gbps 0 0\n").GetHosts().size(), 2, "");
        NS_TEST_EXPECT_MSG_EQ(ParseTopology("2 0 1\n0 1 1Gbps 0 0\n").GetSwitchesLine(), 1, "");

        // What follows the last link is told and not read
        const auto spare =
            ParseTopology("3 1 2\n2\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n"
                          "3 2 1Gbps 0 0\n# c\n\nsrc dst rate delay error_rate\nremark\n");
        NS_TEST_EXPECT_MSG_EQ(spare.GetLinks().size(), 2, "links");
        NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().line, 5, "first line after the links");
        NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().lines, 3, "lines after the links");
        NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().records, 1, "links after the links");
    }
};

/**
 * @ingroup aidc-test
 * @brief A flow file is read, sorted by start, and checked against a topology.
 */
class FlowFileTestCase : public TestCase
{
  public:
    FlowFileTestCase()
        : TestCase("a flow file is read, sorted by start and checked against a topology")
    {
    }

  private:
    void DoRun() override
    {
        TrailingText trailing;
        const auto flows = ParseFlows("4\r\n"
                                      "0 1 3 100 2000 2\r\n"
                                      "1 0 0 0 1 1.5e-3\r\n"
                                      "# c\r\n"
                                      "2 1 65535 65535 9223372036854775807 0.0015\r\n"
                                      "1 2 3 100 5 0\r\n"
                                      "\r\n"
                                      "First line: # of flows\r\n"
                                      "1 2 3 100 5 0\r\n",
                                      &trailing);
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 4, "flows");
        // By start: 0, 1.5 ms, 1.5 ms, 2 s; the two that start together as in the file
        const std::vector<uint32_t> lines{6, 3, 5, 2};
        const std::vector<int64_t> starts{0, 1500000, 1500000, 2000000000};
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(flows[i].line, lines[i], "line of flow " << i);
            NS_TEST_EXPECT_MSG_EQ(flows[i].start.GetNanoSeconds(), starts[i], "start " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(flows[2].source, 2, "source");
        NS_TEST_EXPECT_MSG_EQ(flows[2].destination, 1, "destination");
        NS_TEST_EXPECT_MSG_EQ(flows[2].priority, 65535, "priority");
        NS_TEST_EXPECT_MSG_EQ(flows[2].port, 65535, "port");
        NS_TEST_EXPECT_MSG_EQ(flows[2].bytes, 9223372036854775807ULL, "bytes");
        NS_TEST_EXPECT_MSG_EQ(trailing.line, 8, "first line after the flows");
        NS_TEST_EXPECT_MSG_EQ(trailing.lines, 2, "lines after the flows");
        NS_TEST_EXPECT_MSG_EQ(trailing.records, 1, "flows after the flows");
        NS_TEST_EXPECT_MSG_EQ(ParseFlows("0").size(), 0, "no flows");

        const auto topology = ParseTopology("3 1 2\n2\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n").GetFabric();
        CheckFlows(ParseFlows("1\n0 1 3 100 1 0\n"), topology, "f");
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { CheckFlows(flows, topology, "f"); }),
                              "f:6: expected the id of a host of t, found \"2, a switch\"",
                              "a flow to a switch");
        NS_TEST_EXPECT_MSG_EQ(
            MessageOf([&] { CheckFlows(ParseFlows("1\n3 1 3 100 1 0\n"), topology, "f"); }),
            "f:2: expected the id of a host of t, found \"3\"",
            "a flow from nowhere");
    }
};

/**
 * @ingroup aidc-test
 * @brief Mean and quantiles of a distribution are those of straight lines between its points.
 */
class FlowSizeDistributionTestCase : public TestCase
{
  public:
    FlowSizeDistributionTestCase()
        : TestCase("mean and quantiles of a distribution are those of straight lines")
    {
    }

  private:
    void DoRun() override
    {
        // 100 to 200 bytes with 50 %, 200 bytes with 20 %, nothing up to 1000, then up to 2000.
        // Mean: 0.5 * 150 + 0.2 * 200 + 0 + 0.3 * 1500 = 75 + 40 + 450 = 565
        const auto sizes = ParseSizes("# c\n100 0\r\n200 50\n\n200 70.0\n1000 70\n2000 1e2");
        NS_TEST_EXPECT_MSG_EQ(sizes.GetPoints().size(), 5, "points");
        NS_TEST_EXPECT_MSG_EQ_TOL(sizes.GetMean(), 565, 1e-9, "mean");
        const std::vector<std::pair<double, uint64_t>> quantiles{
            {-1, 100},    // moved to 0
            {0, 100},     // the first point
            {0.25, 150},  // half of the first line
            {0.5, 200},   // its end
            {0.6, 200},   // the step
            {0.7, 1000},  // after the gap
            {0.85, 1500}, // half of the last line
            {0.99, 1967}, // 1000 + 29 / 30 * 1000 = 1966.67
            {1, 2000},    // moved to the end
            {2, 2000},
        };
        for (const auto& [u, bytes] : quantiles)
        {
            NS_TEST_EXPECT_MSG_EQ(sizes.Sample(u), bytes, "size at " << u);
        }
        // At least one byte: 0.1 of 2 bytes is 0.2
        NS_TEST_EXPECT_MSG_EQ(ParseSizes("0 0\n2 100\n").Sample(0.1), 1, "least size");
        NS_TEST_EXPECT_MSG_EQ(ParseSizes("0 0\n2 100\n").Sample(0), 1, "least size");
        // All flows have the same size
        NS_TEST_EXPECT_MSG_EQ(ParseSizes("7 0\n7 100\n").Sample(0.3), 7, "one size");
        NS_TEST_EXPECT_MSG_EQ(ParseSizes("7 0\n7 100\n").GetMean(), 7, "mean of one size");
        // The largest sizes stay exact
        NS_TEST_EXPECT_MSG_EQ(ParseSizes("9007199254740992 0\n9007199254740992 100\n").Sample(0.5),
                              9007199254740992ULL,
                              "largest size");
    }
};

/**
 * @ingroup aidc-test
 * @brief The files that come with the module load, and hold what they say.
 */
class ShippedDataTestCase : public TestCase
{
  public:
    ShippedDataTestCase()
        : TestCase("the files that come with the module load and hold what they say")
    {
    }

  private:
    void DoRun() override
    {
        // Each term is the share of a line times the middle of its two sizes.
        // Web search: 0.15*5e3 + 0.05*15e3 + 0.1*25e3 + 0.1*40e3 + 0.13*65e3 + 0.07*140e3
        //   + 0.1*600e3 + 0.1*1.5e6 + 0.1*3.5e6 + 0.07*7.5e6 + 0.03*20e6
        //   = 750 + 750 + 2500 + 4000 + 8450 + 9800 + 60000 + 150000 + 350000 + 525000 + 600000
        // Data mining: 0.1 * (90 + 198 + 388 + 730 + 1000 + 1485 + 2515 + 6580 + 205000)
        //   + 0.05*1.78e6 + 0.03*51.58e6 + 0.02*550e6 = 21798.6 + 89000 + 1547400 + 11000000
        // Hadoop: 0.5 + 1.5 + 7.5 + 32.5 + 18.75 + 45 + 55 + 65 + 85 + 105 + 135 + 370 + 4000 +
        // 3250
        //   + 3000 + 10500 + 16250 + 22500 + 60000
        const std::map<std::string, double> means{
            {"flow-sizes/web-search-dctcp.txt", 1711250},
            {"flow-sizes/data-mining-vl2.txt", 12658198.6},
            {"flow-sizes/hadoop-facebook.txt", 120420.75},
        };
        for (const auto& [name, mean] : means)
        {
            const auto sizes = FlowSizeDistribution::Read(FindDataFile(name));
            NS_TEST_EXPECT_MSG_EQ_TOL(sizes.GetMean(), mean, mean * 1e-12, "mean of " << name);
        }

        struct Topology
        {
            std::string name;
            std::size_t hosts;
            int64_t delayNs;
        };

        for (const auto& expected :
             std::vector<Topology>{{"topologies/tor-8-12us.txt", 8, 3000},
                                   {"topologies/tor-48-12us.txt", 48, 3000},
                                   {"topologies/tor-48-200us.txt", 48, 50000},
                                   {"topologies/tor-48-incast.txt", 144, 3000}})
        {
            const auto topology = TopologyFile::Read(FindDataFile(expected.name));
            NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), expected.hosts, expected.name);
            NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().size(), expected.hosts, expected.name);
            NS_TEST_ASSERT_MSG_EQ(topology.GetSwitches().size(), 1, expected.name);
            NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches()[0], expected.hosts, expected.name);
            NS_TEST_EXPECT_MSG_EQ(topology.GetTrailingText().lines, 0, expected.name);
            for (const auto& link : topology.GetLinks())
            {
                NS_TEST_EXPECT_MSG_EQ(link.rate.GetBitRate(), 100000000000, expected.name);
                NS_TEST_EXPECT_MSG_EQ(link.delay.GetNanoSeconds(), expected.delayNs, expected.name);
            }
        }
        const auto flows = ReadFlowFile(FindDataFile("flows/pair.txt"));
        CheckFlows(flows,
                   TopologyFile::Read(FindDataFile("topologies/tor-8-12us.txt")).GetFabric(),
                   "pair");
        NS_TEST_EXPECT_MSG_EQ(flows.size(), 2, "flows");

        const std::string message = MessageOf([] { FindDataFile("no/such.txt"); });
        NS_TEST_EXPECT_MSG_NE(message.find("as no/such.txt, "), std::string::npos, message);
        NS_TEST_EXPECT_MSG_NE(message.find("/examples/data/no/such.txt"),
                              std::string::npos,
                              message);
        NS_TEST_EXPECT_MSG_NE(MessageOf([] { FindExampleFile("no-such.gp"); }), "", "no such file");
        NS_TEST_EXPECT_MSG_NE(FindExampleFile("data/flows/pair.txt"), "", "a file of the examples");
    }
};

/**
 * @ingroup aidc-test
 * @brief Files of public simulators load unchanged, where the environment says where they are.
 */
class PublicDataTestCase : public TestCase
{
  public:
    PublicDataTestCase()
        : TestCase(std::string("files of public simulators load unchanged") +
                   (std::getenv("AIDC_SHARED_DATA") ? "" : " (skipped: AIDC_SHARED_DATA not set)"))
    {
    }

  private:
    void DoRun() override
    {
        const char* folder = std::getenv("AIDC_SHARED_DATA");
        if (!folder)
        {
            return;
        }
        const std::string root = std::string(folder) + "/";

        struct Topology
        {
            std::string name;
            std::size_t nodes;
            std::size_t switches;
            std::size_t links;
            std::size_t leaves;
        };

        // The counts are those of the files' first lines. Leaves: the one switch; switches 320 to
        // 339, which have 16 hosts each; switches 128 to 135, likewise.
        for (const auto& expected : std::vector<Topology>{
                 {"topologies/hpcc-topology.txt", 66, 1, 65, 1},
                 {"topologies/hpcc-fat.txt", 376, 56, 480, 20},
                 {"topologies/conweave-leaf_spine_128_100G_OS2.txt", 144, 16, 192, 8},
             })
        {
            const auto topology = TopologyFile::Read(root + expected.name);
            NS_TEST_EXPECT_MSG_EQ(topology.GetNNodes(), expected.nodes, expected.name);
            NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches().size(), expected.switches, expected.name);
            NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().size(), expected.links, expected.name);
            const FabricPlan fabric = topology.GetFabric();
            NS_TEST_EXPECT_MSG_EQ(fabric.GetLeaves().size(), expected.leaves, expected.name);
        }
        // A table of 256 links below a header that announces 65
        const auto spare = TopologyFile::Read(root + "topologies/hpcc-topology.txt");
        NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().records, 256 - 65, "spare links");
        NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().line, 2 + 65 + 1, "first spare link");

        const auto flows = ReadFlowFile(root + "flows/hpcc-flow.txt");
        NS_TEST_ASSERT_MSG_EQ(flows.size(), 2, "flows");
        NS_TEST_EXPECT_MSG_EQ(flows[1].source, 3, "source");
        NS_TEST_EXPECT_MSG_EQ(flows[1].bytes, 200000000, "bytes");
        NS_TEST_EXPECT_MSG_EQ(flows[1].start, Seconds(2), "start");
        CheckFlows(flows, spare.GetFabric(), "flows");

        // The numbers of points are those of the files' lines. Solar2022: 0.00001 * 2047.5
        //   + 0.29999 * 4095.5 + 0.05 * 10239.5 + 0.15 * 16383.5 + 0.1 * 40959.5 + 0.35 * 65535.5
        //   + 0.05 * 163840 = 0.020475 + 1228.609045 + 511.975 + 2457.525 + 4095.95 + 22937.425
        //   + 8192 = 39423.50452
        const std::map<std::string, std::size_t> points{{"AliStorage2019.txt", 9},
                                                        {"FbHdp_distribution.txt", 20},
                                                        {"Solar2022.txt", 8},
                                                        {"WebSearch_distribution.txt", 12}};
        for (const auto& [name, count] : points)
        {
            const auto sizes = FlowSizeDistribution::Read(root + "flow-sizes/" + name);
            NS_TEST_EXPECT_MSG_EQ(sizes.GetPoints().size(), count, name);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(
            FlowSizeDistribution::Read(root + "flow-sizes/Solar2022.txt").GetMean(),
            39423.50452,
            1e-6,
            "mean");
    }
};

/**
 * @ingroup aidc-test
 * @brief Whatever the bytes, a reader returns a value or throws an InputError.
 */
class RandomBytesTestCase : public TestCase
{
  public:
    RandomBytesTestCase()
        : TestCase("whatever the bytes, a reader returns a value or throws an InputError")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> seeds{
            "3 1 2\n2\n0 2 100Gbps 3us 0\n1 2 100Gbps 3us 0.5\n",
            "2\n0 1 3 100 2000 2\n1 0 3 100 1 1e-3\n",
            "0 0\n10 50\n20 100\n",
        };
        // Bytes that files of these formats are made of, so that some texts get far
        const std::string alphabet = "0123456789 \t\r\n.-+eE#GMkbpsunmh/i";
        std::mt19937 random(1);
        uint32_t nValues = 0;
        uint32_t nErrors = 0;
        const auto parse = [&](int reader, const std::string& text) {
            try
            {
                Parse(static_cast<Reader>(reader), text);
                ++nValues;
            }
            catch (const InputError&)
            {
                ++nErrors;
            }
        };
        for (int reader = TOPOLOGY; reader <= SIZES; ++reader)
        {
            const std::string& seed = seeds[reader];
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
        NS_TEST_EXPECT_MSG_GT(nValues, 3, "texts that were read");
        NS_TEST_EXPECT_MSG_GT(nErrors, 3, "texts that were refused");
    }
};

/**
 * @ingroup aidc-test
 * @brief Flows arrive as a Poisson process of the rate and the sizes that were asked for.
 */
class PoissonFlowGeneratorTestCase : public TestCase
{
  public:
    PoissonFlowGeneratorTestCase()
        : TestCase("flows arrive as a Poisson process of the rate and sizes asked for")
    {
    }

  private:
    void DoRun() override
    {
        // Sizes are uniform from 0 to 2000 bytes: mean 1000, mean square 2000^2 / 3.
        // 10 hosts of 8 Mb/s at a load of 0.5 make 0.5 * 10 * 8e6 / (8 * 1000) = 5000 flows/s,
        // so that 50000 are expected in 10 s. Bounds are 5 standard deviations, which a normal
        // variable exceeds once in 1.7 million times:
        //   number of flows: Poisson, sqrt(50000) = 223.6
        //   bytes in all: compound Poisson, sqrt(50000 * 2000^2 / 3) = 258199 around 5e7
        //   flows from, and flows to, a host: Poisson, sqrt(5000) = 70.7 around 5000
        const std::vector<uint32_t> hosts{20, 21, 22, 23, 24, 25, 26, 27, 28, 30};
        PoissonFlowGenerator generator(hosts, ParseSizes("0 0\n2000 100\n"));
        generator.SetLoad(0.5);
        generator.SetHostRate(DataRate(8000000));
        generator.SetStart(Seconds(3));
        generator.SetDuration(Seconds(10));
        NS_TEST_EXPECT_MSG_EQ_TOL(generator.GetArrivalRate(), 5000, 1e-9, "arrival rate");
        NS_TEST_EXPECT_MSG_EQ(generator.AssignStreams(40), 4, "streams");
        const auto flows = generator.Generate();
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows.size()), 50000, 5 * 223.6, "flows");

        double bytes = 0;
        std::map<uint32_t, double> sent;
        std::map<uint32_t, double> received;
        Time previous = Seconds(3);
        for (const auto& flow : flows)
        {
            bytes += static_cast<double>(flow.bytes);
            ++sent[flow.source];
            ++received[flow.destination];
            NS_TEST_ASSERT_MSG_NE(flow.source, flow.destination, "a flow to itself");
            NS_TEST_ASSERT_MSG_EQ((flow.bytes >= 1 && flow.bytes <= 2000), true, "size");
            NS_TEST_ASSERT_MSG_EQ((flow.start >= previous), true, "order");
            previous = flow.start;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(previous, Seconds(13), "end");
        NS_TEST_EXPECT_MSG_EQ_TOL(bytes, 5e7, 5 * 258199, "bytes");
        NS_TEST_EXPECT_MSG_EQ(sent.size(), 10, "sources");
        NS_TEST_EXPECT_MSG_EQ(received.size(), 10, "destinations");
        for (const uint32_t host : hosts)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(sent[host], 5000, 5 * 70.7, "flows from " << host);
            NS_TEST_EXPECT_MSG_EQ_TOL(received[host], 5000, 5 * 70.7, "flows to " << host);
        }

        // The same streams give the same flows, others do not
        const auto generate = [&hosts](int64_t stream) {
            PoissonFlowGenerator other(hosts, ParseSizes("0 0\n2000 100\n"));
            other.SetHostRate(DataRate(8000000));
            other.SetDuration(MilliSeconds(100));
            other.AssignStreams(stream);
            std::ostringstream text;
            for (const auto& flow : other.Generate())
            {
                text << flow.source << " " << flow.destination << " " << flow.bytes << " "
                     << flow.start.GetNanoSeconds() << "\n";
            }
            return text.str();
        };
        NS_TEST_EXPECT_MSG_EQ(generate(7), generate(7), "the same streams");
        NS_TEST_EXPECT_MSG_NE(generate(7), generate(11), "other streams");

        NS_TEST_EXPECT_MSG_EQ(MessageOf([&generator] { generator.SetLoad(1.5); }),
                              "load: expected a number above 0 and at most 1, found \"1.500000\"",
                              "load above 1");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetLoad(0); }), "", "no load");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetLoad(std::nan("")); }),
                              "",
                              "load that is no number");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&generator] { generator.SetHostRate(DataRate(0)); }),
                              "",
                              "no rate");
        NS_TEST_EXPECT_MSG_NE(
            MessageOf([] { PoissonFlowGenerator({1}, ParseSizes("0 0\n2 100\n")); }),
            "",
            "one host");
    }
};

/**
 * @ingroup aidc-test
 * @brief The ideal completion time is that of a pipeline of links.
 */
class IdealFctTestCase : public TestCase
{
  public:
    IdealFctTestCase()
        : TestCase("the ideal completion time is that of a pipeline of links")
    {
    }

  private:
    void DoRun() override
    {
        // MTU 1500, so 1460 bytes a segment and 42 bytes of headers. Two links of 1 us each: the
        // handshake and the way of the data make 3 * 2 us = 6 us.
        // 1000 bytes are 1042 on the wire, 8.336 us at 1 Gb/s: 6 + 2 * 8.336 = 22.672 us.
        // 3000 bytes are packets of 1502, 1502 and 122 bytes: 12.016, 12.016 and 0.976 us.
        // - 1 Gb/s and 1 Gb/s: they are at the switch at 12.016, 24.032, 25.008 and over the second
        //   link at 24.032, 36.048, 37.024: 6 + 37.024 = 43.024 us
        // - 1 and 10 Gb/s: over the second link at 13.2176, 25.2336, 25.3312: 31.3312 us
        // - 10 and 1 Gb/s: at the switch at 1.2016, then 25.008 for all: 32.2096 us
        struct Case
        {
            uint64_t r1;
            uint64_t r2;
            uint64_t bytes;
            int64_t ns;
        };

        const std::vector<Case> cases{{1000000000, 1000000000, 1000, 22672},
                                      {1000000000, 1000000000, 3000, 43024},
                                      {1000000000, 10000000000, 3000, 31331},
                                      {10000000000, 1000000000, 3000, 32210}};
        for (const auto& c : cases)
        {
            const Time ideal = TcpFlowHelper::GetIdealFct(MakePath({c.r1, c.r2}), c.bytes, 1500, 2);
            NS_TEST_EXPECT_MSG_EQ(ideal.GetNanoSeconds(), c.ns, c.bytes << " bytes at " << c.r1);
        }

        // Longer paths, against following each packet over each link
        const uint64_t giga = 1000000000;
        for (const auto& rates : std::vector<std::vector<uint64_t>>{
                 {10 * giga, 40 * giga, 10 * giga, 25 * giga},
                 {100 * giga, 400 * giga, 400 * giga, 100 * giga},
                 {40 * giga, 25 * giga, 10 * giga, giga},
                 {giga, 10 * giga, 25 * giga, 40 * giga},
                 {10 * giga, giga, 10 * giga, giga, 10 * giga, 2 * giga}})
        {
            for (const uint64_t bytes : {1, 1460, 1461, 2920, 2921, 1000000})
            {
                for (const uint32_t overhead : {2, 38}) // of PPP and of Ethernet
                {
                    const auto ideal =
                        TcpFlowHelper::GetIdealFct(MakePath(rates), bytes, 1500, overhead);
                    NS_TEST_EXPECT_MSG_EQ_TOL(ideal.GetSeconds(),
                                              FollowPackets(rates, bytes, overhead),
                                              1e-9,
                                              bytes << " bytes over " << rates.size() << " links");
                }
            }
        }
    }

    /**
     * @brief Make a path of links of 1 us each.
     * @param rates the rates of the links in bit/s
     * @return the links
     */
    static std::vector<FabricLink> MakePath(const std::vector<uint64_t>& rates)
    {
        std::vector<FabricLink> path;
        for (const uint64_t rate : rates)
        {
            FabricLink link;
            link.rate = rate;
            link.delay = 1000;
            path.push_back(link);
        }
        return path;
    }

    /**
     * @brief Follow the packets of a flow over a path, each behind the one before it.
     * @param rates the rates of the links in bit/s, each with a delay of 1 us
     * @param bytes the size of the flow
     * @param overhead bytes of a packet on a link beside its own
     * @return when the last packet is there, the handshake included, in seconds
     */
    static double FollowPackets(const std::vector<uint64_t>& rates,
                                uint64_t bytes,
                                uint32_t overhead)
    {
        std::vector<double> isFreeAt(rates.size(), 0);
        double arrival = 0;
        for (uint64_t left = bytes; left > 0;)
        {
            const uint64_t segment = std::min<uint64_t>(left, 1460);
            left -= segment;
            arrival = 0;
            for (std::size_t i = 0; i < rates.size(); ++i)
            {
                isFreeAt[i] =
                    std::max(arrival, isFreeAt[i]) + 8.0 * (segment + 40 + overhead) / rates[i];
                arrival = isFreeAt[i];
            }
        }
        return arrival + 3e-6 * rates.size();
    }
};

/**
 * @ingroup aidc-test
 * @brief A topology file becomes a network in which TCP flows complete.
 */
class NetworkTestCase : public TestCase
{
  public:
    NetworkTestCase()
        : TestCase("a topology file becomes a network in which TCP flows complete")
    {
    }

  private:
    void DoRun() override
    {
        CheckRefusals();
        CheckFlowTimes();
        CheckErrorRate();
    }

    void DoTeardown() override
    {
        Simulator::Destroy();
        Config::Reset();
    }

    /**
     * @brief A topology that is no network is refused, with its line.
     */
    void CheckRefusals()
    {
        const std::vector<std::pair<std::string, std::string>> refused{
            {"2 0 1\n0 1 1Gbps 0 0\n", "t: "},
            {"3 1 2\n2\n0 1 1Gbps 0 0\n0 2 1Gbps 0 0\n", "t: "},
            {"2 1 2\n1\n0 1 1Gbps 0 0\n0 1 1Gbps 0 0\n", "t: "},
        };
        for (const auto& [text, expected] : refused)
        {
            const auto topology = ParseTopology(text);
            const std::string message = MessageOf([&topology] { topology.GetFabric(); });
            NS_TEST_EXPECT_MSG_EQ(message.substr(0, expected.size()), expected, text);
        }
        FabricHelper helper;
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&helper] { helper.SetMtu(67); }),
                              "MTU: expected at least 68 bytes, found \"67\"",
                              "MTU");
        TcpFlowHelper tcp;
        NS_TEST_EXPECT_MSG_NE(MessageOf([&tcp] { tcp.SetFirstPort(49152); }), "", "port");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&tcp] { tcp.SetFirstPort(0); }), "", "port");
    }

    /**
     * @brief Flows complete, and none before the ideal time.
     */
    void CheckFlowTimes()
    {
        ConfigureDctcp();
        const auto topology = TopologyFile::Read(FindDataFile("topologies/tor-8-12us.txt"));
        FabricHelper network;
        network.Build(topology.GetFabric());
        network.AssignAddresses();
        NS_TEST_EXPECT_MSG_EQ(network.AssignStreams(1), 1, "a stream for the switch");
        NS_TEST_EXPECT_MSG_EQ(network.GetHosts().GetN(), 8, "hosts");
        NS_TEST_ASSERT_MSG_EQ(network.GetSwitches().GetN(), 1, "switches");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitches().Get(0), network.GetNode(8), "the switch");
        // The only leaf has 10.0.0.1, its hosts what follows
        NS_TEST_EXPECT_MSG_EQ(network.GetAddress(5), Ipv4Address("10.0.0.7"), "address");
        NS_TEST_EXPECT_MSG_EQ(network.GetHostDevice(5)->GetNode(), network.GetNode(5), "device");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(5)->GetNode(), network.GetNode(8), "port");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(5)->GetChannel(),
                              network.GetHostDevice(5)->GetChannel(),
                              "the two ends of a link");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(5)->GetMtu(), 9000, "MTU");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&network] { network.GetHostDevice(8); }), "", "no host");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&network] { network.GetPort(5, 1); }), "", "no port");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&network] { network.GetAddress(9); }), "", "no node");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&network] { network.GetNode(9); }), "", "no node");

        TypeIdValue socketType;
        network.GetNode(0)->GetObject<TcpL4Protocol>()->GetAttribute("SocketType", socketType);
        NS_TEST_EXPECT_MSG_EQ(socketType.Get().GetName(), "ns3::TcpDctcp", "congestion control");

        auto flows = ReadFlowFile(FindDataFile("flows/pair.txt"));
        FlowSpec tiny;
        tiny.source = 6;
        tiny.destination = 7;
        tiny.bytes = 1;
        tiny.start = MicroSeconds(7);
        flows.push_back(tiny);
        TcpFlowHelper tcp;
        tcp.SetStopWhenDone(true);
        tcp.Install(network, flows, "pair.txt");
        NS_TEST_EXPECT_MSG_EQ(tcp.IsDone(), false, "not yet");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&] {
                                  auto wrong = flows;
                                  wrong[0].destination = 8;
                                  tcp.Install(network, wrong, "wrong.txt");
                              }),
                              "",
                              "a flow to the switch");
        Simulator::Stop(Seconds(1));
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(tcp.IsDone(), true, "done");
        NS_TEST_ASSERT_MSG_EQ(tcp.GetRecords().size(), 3, "records");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetDeliveredBytes(), 2000000 + 500000 + 1, "bytes");
        Time last = Seconds(0);
        for (const auto& record : tcp.GetRecords())
        {
            NS_TEST_EXPECT_MSG_EQ(record.isDone, true, "done");
            NS_TEST_EXPECT_MSG_EQ(record.receivedBytes, record.spec.bytes, "bytes");
            NS_TEST_EXPECT_MSG_EQ(record.finish - record.spec.start, record.fct, "time");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(record.fct, record.idealFct, "not before the ideal");
            NS_TEST_EXPECT_MSG_EQ_TOL(record.slowdown,
                                      record.fct.GetSeconds() / record.idealFct.GetSeconds(),
                                      1e-12,
                                      "slowdown");
            last = std::max(last, record.finish);
        }
        NS_TEST_EXPECT_MSG_EQ(last, Simulator::Now(), "stopped with the last flow");
        // The byte alone: 18 us and 2 * 43 * 8 bit / 100 Gb/s = 6.88 ns. The handshake is two
        // packets of at most 82 bytes (60 of TCP, 20 of IPv4, 2 of PPP) over two links each: 26 ns.
        const auto& alone = tcp.GetRecords()[2];
        NS_TEST_EXPECT_MSG_EQ(alone.idealFct.GetNanoSeconds(), 18007, "ideal of a byte");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(alone.fct.GetNanoSeconds(), 18007 + 40, "time of a byte");
        Simulator::Destroy();
    }

    /**
     * @brief Links lose packets where the file says so; a flow without size does not end.
     */
    void CheckErrorRate()
    {
        const auto topology = ParseTopology("4 1 3\n1\n"
                                            "1 0 10Gbps 1us 0\n"
                                            "2 1 10Gbps 1us 0\n"
                                            "3 1 10Gbps 1us 1\n");
        DctcpOptions options;
        options.mtu = 1500;
        ConfigureDctcp(options);
        FabricHelper network;
        network.SetMtu(1500);
        network.SetHostQueueSize(QueueSize("5000p"));
        network.Build(topology.GetFabric());
        network.AssignAddresses();
        NS_TEST_EXPECT_MSG_EQ(network.AssignStreams(1), 3, "one for each end, one for the switch");

        FlowSpec endless;
        endless.source = 0;
        endless.destination = 2;
        FlowSpec lost;
        lost.source = 0;
        lost.destination = 3;
        lost.bytes = 1;
        TcpFlowHelper tcp;
        tcp.Install(network, {endless, lost});
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(5), "time");
        const auto& records = tcp.GetRecords();
        // 10 Gb/s bring at most 6.25 MB in 5 ms
        NS_TEST_EXPECT_MSG_GT(records[0].receivedBytes, 1000000, "the flow without end");
        NS_TEST_EXPECT_MSG_LT(records[0].receivedBytes, 6250000, "the flow without end");
        NS_TEST_EXPECT_MSG_EQ(records[0].isDone, false, "the flow without end");
        NS_TEST_EXPECT_MSG_EQ(records[0].idealFct.IsZero(), true, "the flow without end");
        NS_TEST_EXPECT_MSG_EQ(records[1].receivedBytes, 0, "the flow over the link that loses all");
        NS_TEST_EXPECT_MSG_EQ(tcp.IsDone(), false, "one flow is not done");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetDeliveredBytes(), records[0].receivedBytes, "bytes");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The suite of the workload.
 */
class AidcWorkloadTestSuite : public TestSuite
{
  public:
    AidcWorkloadTestSuite()
        : TestSuite("aidc-workload", TestSuite::Type::UNIT)
    {
        AddTestCase(new BadInputTestCase);
        AddTestCase(new TopologyFileTestCase);
        AddTestCase(new FlowFileTestCase);
        AddTestCase(new FlowSizeDistributionTestCase);
        AddTestCase(new ShippedDataTestCase);
        AddTestCase(new PublicDataTestCase);
        AddTestCase(new RandomBytesTestCase);
        AddTestCase(new PoissonFlowGeneratorTestCase);
        AddTestCase(new IdealFctTestCase);
        AddTestCase(new NetworkTestCase);
    }
};

/// The one instance, which registers itself.
AidcWorkloadTestSuite g_aidcWorkloadTestSuite;

} // namespace
