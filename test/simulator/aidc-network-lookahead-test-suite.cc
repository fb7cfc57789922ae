// SPDX-License-Identifier: GPL-2.0-only

#include "model/simulator/network-lookahead.h"
#include "simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/bridge-helper.h"
#include "ns3/csma-helper.h"
#include "ns3/ethernet-helper.h"

// How far nodes may be simulated without knowing of each other.
AIDC_TEST_SUITE("aidc-network-lookahead", UNIT);

void
Expect(Time delay, const std::string& text)
{
    NS_TEST_EXPECT_MSG_EQ(NetworkLookahead::Find().delay, delay, text);
    NS_TEST_EXPECT_MSG_EQ(NetworkLookahead::Find().reason, "", text);
}

// The lookahead is the shortest delay between two nodes, over every kind of channel.
AIDC_TEST_CASE("The lookahead is the shortest delay between two nodes")
{
    Expect(Seconds(0), "without nodes");
    auto nodes = MakeRow(3, MicroSeconds(7));
    Expect(MicroSeconds(7), "SimpleChannel of two ends");
    PointToPointHelper pointToPoint;
    pointToPoint.SetChannelAttribute("Delay", StringValue("5us"));
    pointToPoint.Install(nodes.Get(0), nodes.Get(1));
    Expect(MicroSeconds(5), "PointToPointChannel");
    EthernetHelper ethernet;
    ethernet.SetChannelAttribute("Delay", StringValue("3us"));
    ethernet.Install(nodes.Get(0), nodes.Get(1));
    Expect(MicroSeconds(3), "EthernetChannel");
    pointToPoint.SetChannelAttribute("Delay", StringValue("1ns"));
    pointToPoint.Install(nodes.Get(1), nodes.Get(1));
    Expect(MicroSeconds(3), "a channel within a node does not count");
    BridgeHelper().Install(nodes.Get(2), NetDeviceContainer());
    Expect(MicroSeconds(3), "a bridge stands for its ports' channels");
}

// Nodes are on two sides where no ring of links has an odd number of nodes.
AIDC_TEST_CASE("Links lead from one side of the network to the other, if they can")
{
    auto nodes = MakeRow(4, MicroSeconds(7));
    auto found = NetworkLookahead::Find();
    AIDC_EXPECT(found.hasSides, "a row");
    AIDC_EXPECT((found.sides == std::vector<uint8_t>{0, 1, 0, 1}), "a row");
    Link(nodes.Get(0), nodes.Get(3), MicroSeconds(7));
    NodeContainer others;
    others.Create(2);
    Link(others.Get(1), nodes.Get(2), MicroSeconds(7));
    found = NetworkLookahead::Find();
    AIDC_EXPECT(found.hasSides, "a ring of four");
    AIDC_EXPECT((found.sides == std::vector<uint8_t>{0, 1, 0, 1, 0, 1}),
                "a node without links, and one outside of the ring");
    Link(nodes.Get(0), nodes.Get(2), MicroSeconds(7));
    found = NetworkLookahead::Find();
    AIDC_EXPECT(!found.hasSides, "a ring of three");
    NS_TEST_EXPECT_MSG_EQ(found.delay, MicroSeconds(7), "the same lookahead");
}

// Nodes of a group are on one side, and links between them have no lookahead.
AIDC_TEST_CASE("The nodes of a group count as one")
{
    // Two servers of two hosts, a leaf for the first hosts and one for the second ones
    NodeContainer hosts;
    hosts.Create(4);
    NodeContainer leaves;
    leaves.Create(2);
    for (uint32_t i = 0; i < 4; ++i)
    {
        Link(hosts.Get(i), leaves.Get(i % 2), NanoSeconds(500));
    }
    AIDC_EXPECT(NetworkLookahead::Find().groups.empty(), "no groups");
    NodeGroup::Join(hosts.Get(1), hosts.Get(0));
    NodeGroup::Join(hosts.Get(2), hosts.Get(3));
    NodeGroup::Join(hosts.Get(1), hosts.Get(0)); // again
    Link(hosts.Get(2), hosts.Get(3), NanoSeconds(0));
    auto found = NetworkLookahead::Find();
    NS_TEST_EXPECT_MSG_EQ(found.delay, NanoSeconds(500), "of links between groups");
    AIDC_EXPECT((found.groups == std::vector<uint32_t>{0, 0, 2, 2, 4, 5}),
                "the first node of each");
    AIDC_EXPECT(found.hasSides, "hosts and leaves");
    AIDC_EXPECT((found.sides == std::vector<uint8_t>{0, 0, 0, 0, 1, 1}), "leaves are 1");
    NodeGroup::Join(leaves.Get(0), hosts.Get(1));
    found = NetworkLookahead::Find();
    AIDC_EXPECT((found.groups == std::vector<uint32_t>{0, 0, 2, 2, 0, 5}), "4 joins 0");
    AIDC_EXPECT(!found.hasSides, "0, 2 and 5 are a ring");
    Simulator::Destroy();

    ExpectRefusal("NodeGroup: expected nodes of one process, found node 0 of "
                  "process 0 and node 1 of process 1",
                  [] {
                      const auto a = CreateObject<Node>(0);
                      const auto b = CreateObject<Node>(1);
                      NodeGroup::Join(a, b);
                  });
}

struct None
{
    std::string kind;
    std::function<void(NodeContainer)> link; //!< links three nodes
    std::string reason;                      //!< what the user is told
};

// Where nodes touch each other at once there is no lookahead, and the user is told.
AIDC_TEST_CASES(None,
                row,
                "There is no lookahead: " + row.kind,
                ({{"a link without a delay",
                   [](NodeContainer nodes) { Link(nodes.Get(1), nodes.Get(2), Seconds(0)); },
                   "ns3::SimpleChannel"},
                  {"CSMA",
                   [](NodeContainer nodes) {
                       CsmaHelper csma;
                       csma.SetChannelAttribute("Delay", StringValue("6us"));
                       csma.Install(NodeContainer(nodes.Get(0), nodes.Get(1)));
                   },
                   "ns3::CsmaChannel"},
                  {"a channel of three ends",
                   [](NodeContainer nodes) {
                       const auto channel = CreateObject<SimpleChannel>();
                       channel->SetAttribute("Delay", StringValue("6us"));
                       for (uint32_t i = 0; i < 3; ++i)
                       {
                           const auto device = CreateObject<SimpleNetDevice>();
                           nodes.Get(i)->AddDevice(device);
                           device->SetChannel(channel);
                       }
                   },
                   "ns3::SimpleChannel"}}))
{
    const auto script = [this](std::ostream& log) {
        auto nodes = MakeRow(3, MicroSeconds(7));
        row.link(nodes);
        // In the order of time, nodes may touch each other at once.
        for (const int64_t ns : {10, 20, 30})
        {
            Simulator::ScheduleWithContext(2, NanoSeconds(ns), [&log] {
                log << Simulator::Now().GetTimeStep() << ' ';
                Simulator::ScheduleWithContext(0, NanoSeconds(5), [&log] {
                    log << Simulator::Now().GetTimeStep() << ' ';
                });
            });
        }
        Simulator::Run();
        Simulator::Run(); // it is said once
        log << TimeWindowHelper::GetLookahead().GetTimeStep();
    };
    std::string log;
    std::string errors;
    {
        CapturedStream captured(std::cerr);
        log = RunWith(Simulation::WINDOWS, script);
        errors = captured.GetText();
    }
    NS_TEST_EXPECT_MSG_EQ(log, "10 15 20 25 30 35 0", "in the order of time");
    NS_TEST_EXPECT_MSG_EQ(errors,
                          "Time windows: channel 2 (" + row.reason +
                              ") has no delay between its nodes; events run in the order of "
                              "time\n",
                          "what is said");
}

// A link that is added makes windows shorter.
AIDC_TEST_CASE("The lookahead is found anew when links are added")
{
    const auto log = RunWith(Simulation::WINDOWS, [](std::ostream& log) {
        auto nodes = MakeRow(2, MicroSeconds(10));
        const auto note = [&log] {
            log << Simulator::Now().GetTimeStep() << ':'
                << TimeWindowHelper::GetLookahead().GetTimeStep() << ' ';
        };
        for (const int64_t us : {1, 25, 26, 31, 32})
        {
            Simulator::ScheduleWithContext(0, MicroSeconds(us), note);
        }
        // By an event without a node, in the middle of a window
        Simulator::Schedule(NanoSeconds(25500),
                            [nodes] { Link(nodes.Get(0), nodes.Get(1), NanoSeconds(300)); });
        // An event that would have been too early before
        Simulator::ScheduleWithContext(1, NanoSeconds(25900), [&log] {
            Simulator::ScheduleWithContext(0, NanoSeconds(400), [&log] { log << "soon "; });
        });
        RunFor(NanoSeconds(30500));
        // And between two runs
        Link(nodes.Get(0), nodes.Get(1), NanoSeconds(70));
        Simulator::Run();
    });
    NS_TEST_EXPECT_MSG_EQ(log,
                          "1000:10000 25000:10000 26000:300 soon 31000:70 32000:70 ",
                          "window by time");
}

// A link that gets a delay between two runs is nothing to complain about.
AIDC_TEST_CASE("A lookahead that there was none of before is found without a word")
{
    const CapturedStream captured(std::cerr);
    const auto log = RunWith(Simulation::WINDOWS, [](std::ostream& log) {
        auto nodes = MakeRow(2, Seconds(0));
        Simulator::Run();
        log << TimeWindowHelper::GetLookahead().GetTimeStep() << ' ';
        nodes.Get(0)->GetDevice(0)->GetChannel()->SetAttribute("Delay", StringValue("4us"));
        Simulator::Run();
        log << TimeWindowHelper::GetLookahead().GetTimeStep();
    });
    NS_TEST_EXPECT_MSG_EQ(log, "0 4000", "before and after");
    NS_TEST_EXPECT_MSG_EQ(captured.CountLinesWith("Time windows"), 1, "said before only");
}
