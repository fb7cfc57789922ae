// SPDX-License-Identifier: GPL-2.0-only

#include "parse-text.h"
#include "test/test-case.h"

#include "ns3/aidc-input-error.h"

// Topologies with servers, in SimAI's format.

AIDC_TEST_SUITE("aidc-topology-servers", UNIT);

/// Two servers of two GPUs, two rails and a spine, as SimAI's generator writes them: `--ro -g 4
/// -gps 2 -nvbw 3600Gbps -psn 1`.
const std::string TINY = "9 2 2 3 10 H100\n"
                         "4 5 6 7 8 \n"
                         "0 4 3600Gbps 0.000025ms 0\n"
                         "0 6 400Gbps 0.0005ms 0\n"
                         "1 4 3600Gbps 0.000025ms 0\n"
                         "1 7 400Gbps 0.0005ms 0\n"
                         "2 5 3600Gbps 0.000025ms 0\n"
                         "2 6 400Gbps 0.0005ms 0\n"
                         "3 5 3600Gbps 0.000025ms 0\n"
                         "3 7 400Gbps 0.0005ms 0\n"
                         "6 8 400Gbps 0.0005ms 0\n"
                         "7 8 400Gbps 0.0005ms 0\n";

std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to);
}

/// The ends of a link and its rate in bit/s.
using Link = std::tuple<uint32_t, uint32_t, uint64_t>;

std::vector<Link>
GetLinks(const FabricPlan& fabric)
{
    std::vector<Link> links;
    for (const FabricLink& link : fabric.GetLinks())
    {
        links.emplace_back(link.a.value, link.b.value, link.rate);
    }
    return links;
}

AIDC_TEST_CASE("NVSwitches are scale-up switches, and no nodes of the fabric")
{
    const auto topology = ParseTopology(TINY);
    constexpr uint64_t RATE = 400000000000;
    NS_TEST_EXPECT_MSG_EQ(topology.GetNNodes(), 7, "4 GPUs, 2 leaves, a spine");
    const auto fabric = topology.GetFabric();
    AIDC_EXPECT((GetLinks(fabric) == std::vector<Link>{{0, 4, RATE},
                                                       {1, 5, RATE},
                                                       {2, 4, RATE},
                                                       {3, 5, RATE},
                                                       {4, 6, RATE},
                                                       {5, 6, RATE}}),
                "without the NVSwitches 4 and 5");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetLinks()[LinkIndex(0)].line, 4, "line of the file");
    NS_TEST_EXPECT_MSG_EQ(fabric.GetNode(NodeIndex(2)).server, 1, "server of a host");
    const auto& servers = topology.GetServers();
    NS_TEST_ASSERT_MSG_EQ(servers.GetNGpus(), 4, "GPUs");
    NS_TEST_EXPECT_MSG_EQ(servers.GetNServers(), 2, "servers");
    NS_TEST_EXPECT_MSG_EQ(servers.GetHost(3).value, 3, "host");
    NS_TEST_EXPECT_MSG_EQ(servers.GetScaleUpLink(3).rate, 3600000000000, "rate");
    NS_TEST_EXPECT_MSG_EQ(servers.GetScaleUpLink(3).latency, 50, "two links of 25 ns");

    // Without servers there is no plan of them
    NS_TEST_EXPECT_MSG_EQ(ParseTopology("2 0 1\n0 1 1Gbps 0 0\n").GetServers().GetNGpus(),
                          0,
                          "three numbers");
}

AIDC_TEST_CASE("ids may have any order, and GPUs links to several NVSwitches")
{
    // NVSwitches 0 and 3, switch 1; GPUs 2 and 4
    const auto topology = ParseTopology("5 2 2 1 7 A100\n3 0 1\n"
                                        "2 0 100Gbps 10ns 0\n2 3 50Gbps 20ns 0\n"
                                        "0 4 100Gbps 10ns 0\n3 4 60Gbps 10ns 0\n"
                                        "1 2 8Gbps 1us 0\n4 1 9Gbps 1us 0\n4 1 9Gbps 1us 0\n");
    AIDC_EXPECT((GetLinks(topology.GetFabric()) ==
                 std::vector<Link>{{0, 1, 8000000000}, {2, 0, 9000000000}, {2, 0, 9000000000}}),
                "1 is node 0, 2 node 1, 4 node 2");
    const auto& servers = topology.GetServers();
    NS_TEST_ASSERT_MSG_EQ(servers.GetNGpus(), 2, "GPUs");
    NS_TEST_EXPECT_MSG_EQ(servers.GetHost(0).value, 1, "host");
    NS_TEST_EXPECT_MSG_EQ(servers.GetScaleUpLink(0).rate, 150000000000, "both rates");
    NS_TEST_EXPECT_MSG_EQ(servers.GetScaleUpLink(0).latency, 40, "the longer delay, twice");
    NS_TEST_EXPECT_MSG_EQ(servers.GetScaleUpLink(1).rate, 160000000000, "both rates");
    NS_TEST_EXPECT_MSG_EQ(servers.GetScaleUpLink(1).latency, 20, "twice the delay");
    const CapturedStream notes(std::cerr);
    topology.PrintNotes();
    NS_TEST_EXPECT_MSG_EQ(notes.GetText(),
                          "note: t:9: another link between the nodes 4 and 1 of line 8; they "
                          "are parallel\n",
                          "ids of the file");

    // A server of one GPU needs no NVSwitch
    const auto alone = ParseTopology("3 1 0 1 2 H100\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n");
    NS_TEST_EXPECT_MSG_EQ(alone.GetServers().GetNServers(), 2, "servers");
}

AIDC_TEST_CASE("the user is told of links that count twice or not, and delays are not cut")
{
    const std::string link = "0 4 3600Gbps 0.000025ms 0\n";
    const auto twice = ParseTopology(Replace(TINY, link, link + link));
    NS_TEST_EXPECT_MSG_EQ(twice.GetServers().GetScaleUpLink(0).rate, 7200000000000, "adds up");
    const CapturedStream notes(std::cerr);
    twice.PrintNotes();
    NS_TEST_EXPECT_MSG_EQ(notes.GetText(),
                          "note: t:13: 1 records follow those that the first line announces; "
                          "they are not used\n"
                          "note: t:4: another link between the nodes 0 and 4 of line 3; their "
                          "rates add up\n",
                          "both");
    // Two links of 12.5 ns are 25 ns, and one of the network is rounded with a note
    const auto halves =
        ParseTopology(Replace(Replace(TINY, "0 4 3600Gbps 0.000025ms 0", "0 4 3600Gbps 12.5ns 0"),
                              "0 6 400Gbps 0.0005ms 0",
                              "0 6 400Gbps 500.5ns 0"));
    NS_TEST_EXPECT_MSG_EQ(halves.GetServers().GetScaleUpLink(0).latency, 25, "2 x 12.5 ns");
    NS_TEST_EXPECT_MSG_EQ(halves.GetLinks()[LinkIndex(0)].delay, 501, "rounded");
    const CapturedStream others(std::cerr);
    halves.PrintNotes();
    NS_TEST_EXPECT_MSG_EQ(others.GetText(),
                          "note: t:4: the delay 500.5ns is rounded to 501ns, and so are delays "
                          "of other links\n",
                          "rounded");
}

AIDC_TEST_CASE("servers may have links between GPUs, or none, instead of NVSwitches")
{
    const std::string network = "0 4 400Gbps 0.0005ms 0\n1 4 400Gbps 0.0005ms 0\n"
                                "2 4 400Gbps 0.0005ms 0\n3 4 400Gbps 0.0005ms 0\n";
    const auto none = ParseTopology("5 2 0 1 4 A100\n4\n" + network);
    NS_TEST_EXPECT_MSG_EQ(none.GetServers().GetNServers(), 2, "servers");
    AIDC_EXPECT(!none.GetServers().AreConnected(0, 1), "by the network");
    const CapturedStream notes(std::cerr);
    none.PrintNotes();
    NS_TEST_EXPECT_MSG_EQ(notes.GetText(),
                          "note: t:1: 2 servers have no NVSwitch: their GPUs reach each other "
                          "by the network\n",
                          "told");
    // One server has an NVSwitch, and the other has none
    const auto half = ParseTopology("8 2 1 3 8 H100\n4 5 6 7\n0 4 3600Gbps 25ns 0\n"
                                    "1 4 3600Gbps 25ns 0\n0 5 400Gbps 1us 0\n"
                                    "1 6 400Gbps 1us 0\n2 5 400Gbps 1us 0\n"
                                    "3 6 400Gbps 1us 0\n5 7 400Gbps 1us 0\n"
                                    "6 7 400Gbps 1us 0\n")
                          .GetServers();
    AIDC_EXPECT(half.AreConnected(0, 1), "by the NVSwitch");
    AIDC_EXPECT(!half.AreConnected(2, 3), "by the network");
    NS_TEST_EXPECT_MSG_EQ(half.GetScaleUpLink(1).rate, 3600000000000, "rate");

    const auto direct = ParseTopology("5 4 0 1 7 A100\n4\n" + network +
                                      "0 1 2400Gbps 0.000025ms 0\n1 2 1200Gbps 12.5ns 0\n"
                                      "2 1 1200Gbps 12.5ns 0\n");
    const auto& servers = direct.GetServers();
    AIDC_ASSERT(servers.AreConnected(0, 1), "a link");
    NS_TEST_EXPECT_MSG_EQ(servers.FindDirectLink(1, 0)->rate, 2400000000000, "its rate");
    NS_TEST_EXPECT_MSG_EQ(servers.FindDirectLink(1, 0)->latency, 25, "its delay, once");
    NS_TEST_EXPECT_MSG_EQ(servers.FindDirectLink(1, 2)->rate, 2400000000000, "both");
    AIDC_EXPECT(!servers.AreConnected(0, 3), "by the network");
    NS_TEST_EXPECT_MSG_EQ(direct.GetFabric().GetLinks().size(), 4, "links of the fabric");

    const auto expect = [this](const std::string& text, const std::string& message) {
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { ParseTopology(text); }), message, text);
    };
    expect("5 2 0 1 5 A100\n4\n" + network + "1 2 2400Gbps 25ns 0\n",
           "t:7: expected links of GPUs to switches, or to GPUs of their server, found \"one of "
           "the GPUs 1 and 2\"");
    expect("5 2 0 1 5 A100\n4\n" + network + "0 1 2400Gbps 25ns 0.5\n",
           "t:7: expected an error rate of 0 at a link of two GPUs, which loses nothing, found "
           "\"0.5\"");
    expect(Replace(TINY, "1 4 3600Gbps", "0 1 3600Gbps"),
           "t:5: expected links of GPUs to switches, or to NVSwitches, found \"one of the GPUs "
           "0 and 1\"");
}

/// Expect a change of TINY to be refused.
void
Expect(const std::string& from, const std::string& to, const std::string& message)
{
    const auto found = MessageOf([&] { ParseTopology(Replace(TINY, from, to)); });
    NS_TEST_EXPECT_MSG_EQ(found.substr(0, message.size()), message, from << " -> " << to);
}

// Mistakes are refused with their line.
AIDC_TEST_CASE("mistakes in a topology with servers are refused with their line")
{
    Expect("9 2 2 3 10 H100", "9 2 2 3 10", "t:1: expected 3 numbers: nodes switches links");
    Expect("9 2 2 3 10 H100",
           "9 0 2 3 10 H100",
           "t:1: expected a number of GPUs of a server from 1 to 4294967295, found \"0\"");
    Expect("9 2 2 3 10 H100",
           "9 2 10 3 10 H100",
           "t:1: expected a number of NVSwitches from 0 to 9, found \"10\"");
    Expect("9 2 2 3 10 H100",
           "9 2 2 8 10 H100",
           "t:1: expected a number of switches without NVSwitches from 0 to 7, found \"8\"");
    Expect("9 2 2 3 10 H100",
           "9 3 2 3 10 H100",
           "t:1: expected a number of GPUs, nodes without switches, that is a multiple of the "
           "3 of a server, found \"4\"");
    Expect("9 2 2 3 10 H100",
           "5 2 2 3 10 H100",
           "t:1: expected a number of GPUs, nodes without switches, that is a multiple of the "
           "2 of a server, found \"0\"");
    Expect("9 2 2 3 10 H100",
           "9 2 2 3 11 H100",
           "t:13: expected link 11 of 11, 5 fields: a b rate delay error_rate, found \"end of "
           "file\"");
    Expect("4 5 6 7 8",
           "4 5 6 7",
           "t:2: expected 5 ids of switches, NVSwitches first, found \"4 5 6 7");
    Expect("4 5 6 7 8", "4 5 6 7 9", "t:2: expected the id of a switch from 0 to 8, found");
    Expect("4 5 6 7 8", "4 5 6 4 8", "t:2: expected each switch once, found \"4 twice\"");
    Expect("0 4 3600Gbps",
           "0 4 3600G",
           "t:3: expected a rate above 0 and at most 1 Pb/s, such as 100Gbps, found");
    Expect("0 4 3600Gbps",
           "6 4 3600Gbps",
           "t:3: expected a link of NVSwitch 4 to a GPU, found \"one to switch 6\"");
    Expect("0 4 3600Gbps",
           "4 5 3600Gbps",
           "t:3: expected a link of NVSwitch 4 to a GPU, found \"one to NVSwitch 5\"");
    Expect("1 4 3600Gbps",
           "2 4 3600Gbps",
           "t:5: expected links of NVSwitch 4 to GPUs of one server, found \"GPU 2 of server "
           "1 and GPUs of server 0\"");
    Expect("0 4 3600Gbps 0.000025ms 0",
           "0 4 3600Gbps 0.000025ms 0.1",
           "t:3: expected an error rate of 0 at NVSwitch 4, which loses nothing, found "
           "\"0.1\"");
    Expect("0 4 3600Gbps 0.000025ms 0",
           "0 4 3600Gbps 0 0",
           "t:3: expected a delay of at least 1ns at NVSwitch 4, found \"0\"");
    Expect("1 4 3600Gbps",
           "0 4 3600Gbps",
           "t:1: expected a link of each GPU to an NVSwitch, found \"GPU 1 without a link\"");
    Expect("1 7 400Gbps",
           "0 7 400Gbps",
           "t:1: expected a link of each GPU to a switch, found \"GPU 1 without a link\"");
    // Only NVSwitches: --no-asw --no-psw
    NS_TEST_EXPECT_MSG_EQ(
        MessageOf([] { ParseTopology("3 2 1 0 2 H100\n2\n0 2 1Gbps 1ns 0\n1 2 1Gbps 1ns 0\n"); }),
        "t:1: expected a link of each GPU to a switch, found \"GPU 0 without a link\"",
        "no switches");
}
