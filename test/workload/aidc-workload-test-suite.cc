// SPDX-License-Identifier: GPL-2.0-only

#include "parse-text.h"
#include "test/test-case.h"

#include "ns3/experiment-data-file.h"

#include <cstdlib>

// Tests of the readers of input, of the flow generator and of the helpers that use them.

// Files of topologies, flows and flow sizes.
AIDC_TEST_SUITE("aidc-workload", UNIT);

AIDC_TEST_CASE("a topology file is read as it stands")
{
    const auto topology = ParseTopology("# comment\r\n"
                                        "6 2 6\r\n"
                                        "\r\n"
                                        "  4\t1 \r\n"
                                        "0 1 100Gbps 3us 0\r\n"
                                        " # comment\r\n"
                                        "2 1 25Gbps 0.001ms 0.000000\r\n"
                                        "3 4 1.5Mb/s 1000ns 1\r\n"
                                        "5 4 1000bps 1e-3s 5e-1\r\n"
                                        "1 4 1KiB/s 0 0\r\n"
                                        "1 4 1kbps 1min 0");
    NS_TEST_ASSERT_MSG_EQ(topology.GetNNodes(), 6, "nodes");
    NS_TEST_EXPECT_MSG_EQ(topology.GetName(), "t", "name");
    AIDC_EXPECT((topology.GetSwitches() == std::vector<NodeIndex>{NodeIndex(4), NodeIndex(1)}),
                "switches in the order of the file");
    AIDC_EXPECT((topology.GetHosts() ==
                 std::vector<NodeIndex>{NodeIndex(0), NodeIndex(2), NodeIndex(3), NodeIndex(5)}),
                "hosts");
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
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        const FabricLink& link = links[LinkIndex(i)];
        NS_TEST_EXPECT_MSG_EQ(link.a.value, expected[i].a, "a of link " << i);
        NS_TEST_EXPECT_MSG_EQ(link.b.value, expected[i].b, "b of link " << i);
        NS_TEST_EXPECT_MSG_EQ(link.rate, expected[i].rate, "rate " << i);
        NS_TEST_EXPECT_MSG_EQ(link.delay, expected[i].delayNs, "ns " << i);
        NS_TEST_EXPECT_MSG_EQ(link.errorRate, expected[i].errorRate, "error rate " << i);
        NS_TEST_EXPECT_MSG_EQ(link.line, expected[i].line, "line " << i);
    }

    // Without switches the second line is blank, or missing
    NS_TEST_EXPECT_MSG_EQ(ParseTopology("2 0 1\n\n0 1 1Gbps 0 0\n").GetHosts().size(), 2, "blank");
    NS_TEST_EXPECT_MSG_EQ(ParseTopology("2 0 1\n0 1 1Gbps 0 0\n").GetHosts().size(), 2, "missing");

    // PowerTCP's header has the number of ToR switches, and Reverie's two rates, too; their
    // rates are in bit/s
    for (const std::string header : {"3 1 1 2", "3 1 0 2 25000000000 100000000000.0"})
    {
        const auto other = ParseTopology(header + "\n2\n0 2 25000000000.0 1us 0\n"
                                                  "1 2 1e11 12.5ns 0\n");
        NS_TEST_ASSERT_MSG_EQ(other.GetLinks().size(), 2, header);
        NS_TEST_EXPECT_MSG_EQ(other.GetHosts().size(), 2, header);
        NS_TEST_EXPECT_MSG_EQ(other.GetServers().GetNGpus(), 0, header);
        const FabricLinks& read = other.GetLinks();
        NS_TEST_EXPECT_MSG_EQ(read[LinkIndex(0)].rate, 25000000000, header);
        NS_TEST_EXPECT_MSG_EQ(read[LinkIndex(1)].rate, 100000000000, header);
        NS_TEST_EXPECT_MSG_EQ(read[LinkIndex(1)].delay, 13, "rounded, not cut");
    }

    // What follows the last link is told and not read
    const auto spare =
        ParseTopology("3 1 2\n2\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n"
                      "3 2 1Gbps 0 0\n# c\n\nsrc dst rate delay error_rate\nremark\n");
    NS_TEST_EXPECT_MSG_EQ(spare.GetLinks().size(), 2, "links");
    NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().line, 5, "first line after the links");
    NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().lines, 3, "lines after the links");
    NS_TEST_EXPECT_MSG_EQ(spare.GetTrailingText().records, 1, "links after the links");
}

AIDC_TEST_CASE("a flow file is read, sorted by start and checked against a topology")
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
    // As ConWeave's generator writes them: without ports
    const auto others = ParseFlows("2 \n0 4 3 20000 2.000000100\n1 5 3 4000 2.000001000\n");
    NS_TEST_ASSERT_MSG_EQ(others.size(), 2, "flows without ports");
    NS_TEST_EXPECT_MSG_EQ(others[0].bytes, 20000, "bytes");
    NS_TEST_EXPECT_MSG_EQ(others[0].start, NanoSeconds(2000000100), "start");
    NS_TEST_EXPECT_MSG_EQ(others[1].priority, 3, "priority");
    NS_TEST_EXPECT_MSG_EQ(others[1].port, 0, "port");
    // By start: 0, 1.5 ms, 1.5 ms, 2 s; the two that start together as in the file
    const std::vector<uint32_t> lines{6, 3, 5, 2};
    const std::vector<int64_t> starts{0, 1500000, 1500000, 2000000000};
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(flows[i].line, lines[i], "line of flow " << i);
        NS_TEST_EXPECT_MSG_EQ(flows[i].start.GetNanoSeconds(), starts[i], "start " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(flows[2].source, NodeIndex(2), "source");
    NS_TEST_EXPECT_MSG_EQ(flows[2].destination, NodeIndex(1), "destination");
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
    FlowSpec own; // such as no file may have
    own.source = own.destination = NodeIndex(1);
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { CheckFlows({own}, topology, "f"); }),
                          "f: expected a flow between two different hosts, found \"1 1\"",
                          "a flow to its own source");
}

/// Check quantiles and the mean.
void
CheckSizes(const FlowSizeDistribution& sizes)
{
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
}

// Mean and quantiles of a distribution follow straight lines between its points.
AIDC_TEST_CASE("mean and quantiles of a distribution are those of straight lines")
{
    // 100 to 200 bytes with 50 %, 200 bytes with 20 %, nothing up to 1000, then up to 2000.
    // Mean: 0.5 * 150 + 0.2 * 200 + 0 + 0.3 * 1500 = 75 + 40 + 450 = 565
    CheckSizes(ParseSizes("# c\n100 0\r\n200 50\n\n200 70.0\n1000 70\n2000 1e2"));
    // The same in shares
    CheckSizes(ParseSizes("100 0.0\n200 0.5\n200 0.7\n1000 0.7\n2000 1\n"));
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

AIDC_TEST_CASE("the files that come with the module load and hold what they say")
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
                               {"topologies/tor-48-incast.txt", 144, 3000},
                               {"topologies/tor-48-incast-200us.txt", 144, 50000}})
    {
        const auto topology = TopologyFile::Read(FindDataFile(expected.name));
        NS_TEST_EXPECT_MSG_EQ(topology.GetHosts().size(), expected.hosts, expected.name);
        NS_TEST_EXPECT_MSG_EQ(topology.GetLinks().size(), expected.hosts, expected.name);
        NS_TEST_ASSERT_MSG_EQ(topology.GetSwitches().size(), 1, expected.name);
        NS_TEST_EXPECT_MSG_EQ(topology.GetSwitches()[0].value, expected.hosts, expected.name);
        NS_TEST_EXPECT_MSG_EQ(topology.GetTrailingText().lines, 0, expected.name);
        for (const auto& link : topology.GetLinks())
        {
            NS_TEST_EXPECT_MSG_EQ(link.rate, 100000000000, expected.name);
            NS_TEST_EXPECT_MSG_EQ(link.delay, expected.delayNs, expected.name);
        }
    }
    const auto flows = ReadFlowFile(FindDataFile("flows/pair.txt"));
    CheckFlows(flows,
               TopologyFile::Read(FindDataFile("topologies/tor-8-12us.txt")).GetFabric(),
               "pair");
    NS_TEST_EXPECT_MSG_EQ(flows.size(), 2, "flows");

    const std::string message = MessageOf([] { FindDataFile("no/such.txt"); });
    NS_TEST_EXPECT_MSG_NE(message.find("as no/such.txt, "), std::string::npos, message);
    NS_TEST_EXPECT_MSG_NE(message.find("/examples/data/no/such.txt"), std::string::npos, message);
}

// Files of public simulators load unchanged, where the environment says where they are.
AIDC_TEST_CASE(std::string("files of public simulators load unchanged") +
               (std::getenv("AIDC_SHARED_DATA") ? "" : " (skipped: AIDC_SHARED_DATA not set)"))
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

    // The counts are from the files' first lines. Leaves: the one switch; switches 320 to 339,
    // which have 16 hosts each; switches 128 to 135, likewise.
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
    NS_TEST_EXPECT_MSG_EQ(flows[1].source, NodeIndex(3), "source");
    NS_TEST_EXPECT_MSG_EQ(flows[1].bytes, 200000000, "bytes");
    NS_TEST_EXPECT_MSG_EQ(flows[1].start, Seconds(2), "start");
    CheckFlows(flows, spare.GetFabric(), "flows");

    // The numbers of points are the files' line counts. Solar2022: 0.00001 * 2047.5
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

// Topology files whose hosts have links to several switches. Expected results: the plan has the
// nodes and links of the file; what is no fabric is named with file and line.
AIDC_TEST_CASE("topologies with hosts of several links are read")
{
    // Hosts 0 and 1 at the leaves 3 and 4, host 2 at 4 by two links; 5 is a spine.
    const std::string head = "6 3 8\n3 4 5\n0 3 1Gbps 0 0\n0 4 2Gbps 0 0\n1 3 1Gbps 0 0\n";
    const auto fabric = ParseTopology(head + "1 4 1Gbps 0 0\n2 4 1Gbps 0 0\n2 4 1Gbps 0 0\n"
                                             "3 5 1Gbps 0 0\n4 5 1Gbps 0 0\n")
                            .GetFabric();
    NS_TEST_EXPECT_MSG_EQ(fabric.GetHosts().size(), 3, "hosts");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetSwitches().size(), 3, "switches");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetLeaves().size(), 2, "leaves");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetLinks().size(), 8, "links");
    NS_TEST_ASSERT_MSG_EQ(fabric.GetPorts(NodeIndex(0)).size(), 2, "ports of host 0");
    const auto& second = fabric.GetPorts(NodeIndex(0))[PortIndex(1)];
    NS_TEST_EXPECT_MSG_EQ(second.peer, NodeIndex(4), "its second leaf");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetLinks()[second.link].rate, 2000000000, "its second link");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetAttachment(NodeIndex(0)),
                          fabric.GetAttachment(NodeIndex(1)),
                          "the same leaves");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetAttachment(NodeIndex(2)),
                          fabric.GetAttachment(NodeIndex(4)),
                          "one leaf");

    // A host as a link's other end, and hosts that share no switch
    const auto describe = [](const std::string& text) {
        return MessageOf([&text] { ParseTopology(text).GetFabric(); });
    };
    NS_TEST_EXPECT_MSG_EQ(
        describe("3 1 3\n2\n0 2 1Gbps 0 0\n1 2 1Gbps 0 0\n0 1 1Gbps 0 0\n"),
        "t: node 0: expected a host's link to a leaf, found link 2 (line 5) to node 1",
        "a link between hosts");
    NS_TEST_EXPECT_MSG_EQ(
        describe("5 2 4\n3 4\n0 3 1Gbps 0 0\n0 4 1Gbps 0 0\n1 3 1Gbps 0 0\n2 4 1Gbps 0 0\n"),
        "t: node 4: expected switches that are connected, found no path to node 3",
        "hosts do not pass packets on");

    const auto rails = TopologyFile::Read(FindDataFile("topologies/rails-16.txt")).GetFabric();
    NS_TEST_EXPECT_MSG_EQ(rails.GetHosts().size(), 16, "hosts of rails");
    NS_TEST_EXPECT_MSG_EQ(rails.GetLeaves().size(), 8, "rails");
    NS_TEST_EXPECT_MSG_EQ(rails.GetSwitches().size(), 8 + 4, "rails and spines");
    NS_TEST_EXPECT_MSG_EQ(rails.GetLinks().size(), 16 * 4 + 8 * 4, "links of rails");
    for (const NodeIndex host : rails.GetHosts())
    {
        NS_TEST_EXPECT_MSG_EQ(rails.GetPorts(host).size(), 4, "interfaces of " << host);
    }
}
