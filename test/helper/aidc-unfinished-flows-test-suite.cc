// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "test/workload/parse-text.h"

#include "ns3/flow-records.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/tcp-flow-helper.h"

// Tests of simulations that end although flows do not, and of flows that follow the network's MTU.

// Simulations that end, and flows that fit.
AIDC_TEST_SUITE("aidc-unfinished-flows", UNIT);

/// Make a flow of 5000 bytes.
FlowSpec
MakeFlow(uint32_t from, uint32_t to, Time start = Time())
{
    FlowSpec flow;
    flow.source = NodeIndex(from);
    flow.destination = NodeIndex(to);
    flow.bytes = 5000;
    flow.start = start;
    return flow;
}

/// Hosts 0, 2 and 3 behind switch 1; what comes from or goes to host 3 is lost.
const std::string STAR = "4 1 3\n1\n1 0 10Gbps 1us 0\n1 2 10Gbps 1us 0\n1 3 10Gbps 1us 1\n";

/// Run flows to a host that can be reached and to one that cannot.
std::string
FindEnd(const std::function<void(FabricHelper&, const std::vector<FlowSpec>&)>& install)
{
    FabricHelper network;
    network.SetMtu(4200);
    network.Build(ParseTopology(STAR).GetFabric());
    network.AssignAddresses();
    network.AssignStreams(1);
    const CapturedStream captured(std::cerr);
    install(network, {MakeFlow(0, 2), MakeFlow(0, 3), MakeFlow(2, 0, MicroSeconds(500))});
    Simulator::Run(); // without Stop()
    return captured.GetText();
}

void
Check(const std::string& text, const std::string& cause)
{
    const std::string beginning = "aidc: the simulation stops at ";
    NS_TEST_EXPECT_MSG_EQ(text.substr(0, beginning.size()), beginning, text);
    NS_TEST_EXPECT_MSG_NE(text.find(": 1 of 3 flows are not done: flow 1 from 0 to 3, 0 of "
                                    "5000 bytes, " +
                                    cause + "\n"),
                          std::string::npos,
                          text);
    NS_TEST_EXPECT_MSG_EQ(text.find('\n') + 1, text.size(), "one line");
}

// A simulation ends when the flows that are left cannot be done.
AIDC_TEST_CASE("a simulation ends when the flows that are left cannot be done, and says why")
{
    {
        ConfigureDctcp();
        TcpFlowHelper tcp;
        Check(FindEnd([&tcp](auto& network, const auto& flows) {
                  tcp.StopWhenDone();
                  tcp.Install(network, flows);
              }),
              "no connection was made");
        AIDC_EXPECT(tcp.GetRecords()[2].isDone, "the flow that starts later");
        // SYNs are repeated at 10, 20, 40 ... ms
        NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(5), "as soon as TCP gives up");
        NS_TEST_EXPECT_MSG_EQ_TOL(tcp.GetShareDone(), 2.0 / 3, 1e-9, "share");
        Simulator::Destroy();
    }
    {
        RoceFlowHelper roce;
        Check(FindEnd([&roce](auto& network, const auto& flows) {
                  RoceHelper().Install(network.GetHosts());
                  roce.StopWhenDone();
                  roce.Install(network, flows);
              }),
              "queue pair failed: retry exceeded");
        AIDC_EXPECT(roce.GetRecords()[2].isDone, "the flow that starts later");
        Simulator::Destroy();
    }
    // Nobody works for this flow
    const auto records = Create<FlowRecords>();
    records->Add(MakeFlow(0, 3), Seconds(1));
    records->StopWhenDone();
    const CapturedStream captured(std::cerr);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(10), "the first look");
    NS_TEST_EXPECT_MSG_EQ(captured.GetText(),
                          "aidc: the simulation stops at +0.01ms: 1 of 1 flows are not done: "
                          "flow 0 from 0 to 3, 0 of 5000 bytes, nothing is scheduled any "
                          "more\n",
                          "nothing goes on");
}

// What never starts is refused.
AIDC_TEST_CASE("flows that start before the simulation or go nowhere are refused")
{
    FabricHelper network;
    network.Build(ParseTopology(STAR).GetFabric());
    network.AssignAddresses();
    RoceHelper().Install(network.GetHosts());
    TcpFlowHelper tcp;
    RoceFlowHelper roce;
    for (const auto& [flow, message] :
         {std::make_pair(MakeFlow(0, 2, MicroSeconds(-1)),
                         "flows: expected a flow that starts at 0 s or later, found \"-1e-06s\""),
          std::make_pair(MakeFlow(2, 2),
                         "flows: expected a flow between two different hosts, found \"2 2\"")})
    {
        const std::vector<FlowSpec> flows{flow};
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { tcp.Install(network, flows); }), message, "TCP");
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { roce.Install(network, flows); }), message, "RoCE");
    }
    NS_TEST_EXPECT_MSG_EQ(tcp.GetRecords().size() + roce.GetRecords().size(), 0, "no records");
}

/// Send a flow of 1 MB. Returns the error; empty if the flow is done.
std::string
SendFlow(uint32_t mtu, const DctcpSettings& settings)
{
    ConfigureDctcp(settings);
    FabricHelper network;
    network.SetMtu(mtu);
    network.Build(ParseTopology(STAR).GetFabric());
    network.AssignAddresses();
    network.AssignStreams(1);
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    FlowSpec flow = MakeFlow(0, 2);
    flow.bytes = 1000000;
    const std::string error = MessageOf([&] { tcp.Install(network, {flow}); });
    if (error.empty())
    {
        RunFor(Seconds(1));
        const auto& record = tcp.GetRecords().at(0);
        AIDC_EXPECT(record.isDone, "done");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(record.slowdown, 1, "fragments have headers of IP only");
        // The flow, its handshake and its end go over two links
        const uint64_t segment = settings.mtu == 0 ? mtu - 40 : settings.mtu - 40U;
        const auto sent = network.GetPacketCounts().sent;
        const uint64_t nSegments = (flow.bytes + segment - 1) / segment;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent, 2 * nSegments, "packets");
        NS_TEST_EXPECT_MSG_LT(sent, 3.4 * static_cast<double>(nSegments) + 40, "packets");
    }
    Simulator::Destroy();
    Config::Reset();
    return error;
}

// Segments fit into the network's MTU.
AIDC_TEST_CASE("segments follow the network's MTU, and larger ones are refused")
{
    DctcpSettings settings;
    for (const uint32_t mtu : {1500, 4200, 9000})
    {
        NS_TEST_EXPECT_MSG_EQ(SendFlow(mtu, settings), "", mtu);
    }
    settings.mtu = 1400; // room for what hosts add
    NS_TEST_EXPECT_MSG_EQ(SendFlow(1500, settings), "", "smaller segments");
    settings.mtu = 9000;
    NS_TEST_EXPECT_MSG_EQ(SendFlow(1500, settings),
                          "TcpFlowHelper: expected segments of at most 1460 bytes for the "
                          "network's MTU of 1500 (leave DctcpSettings::mtu at 0 to follow it), "
                          "found \"8960\"",
                          "larger segments");
}

// Helpers refuse what does not fit.
AIDC_TEST_CASE("helpers refuse the other kind of node, and times in the wrong order")
{
    FabricHelper network;
    ExpectRefusal("expected an MTU from 68 to 65535 bytes, found 100000",
                  [&] { network.SetMtu(100000); });
    network.Build(ParseTopology(STAR).GetFabric());
    const std::string host = "expected switches, which FabricHelper::GetSwitches() has, found "
                             "\"node 0, a host\"";
    const std::string aSwitch = "expected hosts, which FabricHelper::GetHosts() has, found "
                                "\"node 1, a switch\"";
    SharedBufferSwitchHelper switches;
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { switches.Install(network.GetHosts()); }),
                          "SharedBufferSwitchHelper: " + host,
                          "switches");
    switches.Install(network.GetSwitches());
    PriorityFlowControlHelper pfc;
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { pfc.InstallSwitches(network.GetHosts()); }),
                          "PriorityFlowControlHelper::InstallSwitches(): " + host,
                          "switches");
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { pfc.InstallHosts(network.GetSwitches()); }),
                          "PriorityFlowControlHelper::InstallHosts(): " + aSwitch,
                          "hosts");
    network.AssignAddresses();
    NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { RoceHelper().Install(network.GetSwitches()); }),
                          "RoceHelper: " + aSwitch,
                          "RoCEv2");
    const auto schedule = [&](int64_t failure, int64_t restoration) {
        return MessageOf([&] {
            network.ScheduleFailure(LinkIndex(0), MicroSeconds(failure), MicroSeconds(restoration));
        });
    };
    NS_TEST_EXPECT_MSG_EQ(schedule(5, 3),
                          "links: expected a failure from now on and a later restoration, found "
                          "\"a failure in +5us, a restoration in +3us\"",
                          "restored before it fails");
    NS_TEST_EXPECT_MSG_NE(schedule(5, 5), "", "restored as it fails");
    NS_TEST_EXPECT_MSG_NE(schedule(-1, 5), "", "failed in the past");
    NS_TEST_EXPECT_MSG_EQ(schedule(0, 1), "", "at once");
}
