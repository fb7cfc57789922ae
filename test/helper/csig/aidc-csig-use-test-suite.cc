// SPDX-License-Identifier: GPL-2.0-only

// What CSIG's signals are used for, with a router that writes what a test wants into tags. Section
// numbers refer to draft-ravi-ippm-csig-01.

#include "test/csig/csig-use-network.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"

#include "ns3/csig-collector.h"
#include "ns3/csig-udp-flow-helper.h"

// The uses of CSIG: balancer, collector, flows over a fabric.
AIDC_TEST_SUITE("aidc-csig-use", UNIT);

constexpr uint32_t LEAF_STAGE = 1;

uint16_t
MakeLocator(Ptr<CsigDomain> domain, uint32_t stage, CsigOrientation orientation)
{
    CsigLocator locator;
    locator.Set(CsigAttribute::STAGE, stage);
    locator.Set(CsigAttribute::ORIENTATION, static_cast<uint32_t>(orientation));
    return domain->GetLayout(CsigFormat::EXPANDED).Encode(locator);
}

/// What a run gives.
struct Outcome
{
    uint64_t nRehashes; //!< changes of the path
    uint64_t nLastHop;  //!< signals of the last hop
    std::size_t nPaths; //!< source ports seen
};

/// Send 10 datagrams through a bottleneck. abw: available bandwidth in steps of 8 Mbit/s.
Outcome
RunBalancer(uint32_t abw, uint32_t stage, CsigOrientation orientation, bool sparesLastHop)
{
    UseNetwork network;
    network.WriteAll(abw, MakeLocator(network.domain, stage, orientation));
    network.source->SetAttribute("Ports", UintegerValue(16));
    CsigPathPolicySettings settings;
    settings.threshold = 80'000'000; // 10 steps
    settings.patience = 2;
    settings.pause = 0;
    settings.leafStage = LEAF_STAGE;
    settings.sparesLastHop = sparesLastHop;
    CsigPathBalancer balancer(network.source, network.domain, CsigSignal::ABW, settings);
    RunFor(MicroSeconds(9500));
    return {network.source->GetNRehashes(), balancer.GetNLastHop(), network.nOfPort.size()};
}

// A flow that can take another path.
AIDC_TEST_CASE("Section 8.2.1: a flow takes another path for the core, not for the last hop")
{
    const auto core = RunBalancer(5, 2, CsigOrientation::UP, true);
    NS_TEST_EXPECT_MSG_EQ(core.nRehashes, 5U, "after each second signal");
    NS_TEST_EXPECT_MSG_EQ(core.nPaths, 5U, "the fifth change comes after the last datagram");
    NS_TEST_EXPECT_MSG_EQ(core.nLastHop, 0U, "none");
    const auto last = RunBalancer(5, LEAF_STAGE, CsigOrientation::DOWN, true);
    NS_TEST_EXPECT_MSG_EQ(last.nRehashes, 0U, "another path does not help");
    NS_TEST_EXPECT_MSG_EQ(last.nPaths, 1U, "the first one");
    NS_TEST_EXPECT_MSG_EQ(last.nLastHop, 10U, "each signal");
    const auto blind = RunBalancer(5, LEAF_STAGE, CsigOrientation::DOWN, false);
    NS_TEST_EXPECT_MSG_EQ(blind.nRehashes, 5U, "a flow that cannot tell changes all the time");
    const auto idle = RunBalancer(50, 2, CsigOrientation::UP, true);
    NS_TEST_EXPECT_MSG_EQ(idle.nRehashes, 0U, "400 Mbit/s are enough");
}

std::vector<std::string>
ReadLines(const std::string& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

// Summaries.
AIDC_TEST_CASE("Section 8.2.2: signals are summarized by source, destination and time")
{
    UseNetwork network;
    CsigCollector collector(network.domain, MilliSeconds(5));
    collector.AddHost(network.nodes.Get(0));
    collector.SetGroup(network.addressA.Get(), "left");
    collector.SetGroup(network.addressB.Get(), "right");
    collector.SetPort(0x0042, "here");
    collector.SetPort(0x0043, "a port by tags of the other format", CsigFormat::COMPACT);
    uint32_t n = 0;
    network.toB->edit = [&](Ptr<Packet> datagram) {
        // Codes 1 to 10 at the ports 0x42 and 0x43 in turn, and one that nobody has changed.
        CsigTag tag;
        if (datagram->PeekPacketTag(tag) && n < 10)
        {
            auto fields = tag.GetFields();
            fields.locator = n % 2 == 0 ? 0x0042 : 0x0043;
            fields.value = ++n;
            ReplaceTag(datagram, fields);
        }
        return true;
    };
    RunFor(MicroSeconds(10500));
    // The eleventh says nothing. Steps of 8 Mbit/s, of which the middle counts: code n is 8 n
    // + 4. The first five come back within 5 ms. Percentiles as of numpy.percentile.
    collector.WriteSummaries(CreateTempDirFilename("summaries.csv"));
    const std::vector<std::string> summaries{
        "time_s,source,destination,signal,signals,min,mean,p50,p99,max",
        "0,left,right,min(ABW),5,1.2e+07,2.8e+07,2.8e+07,4.368e+07,4.4e+07",
        "0.005,left,right,min(ABW),5,5.2e+07,6.8e+07,6.8e+07,8.368e+07,8.4e+07"};
    AIDC_EXPECT(ReadLines(CreateTempDirFilename("summaries.csv")) == summaries, "by pair and bin");
    collector.WriteHeatMap(CreateTempDirFilename("heat.csv"));
    const std::vector<std::string> heat{"time_s,port,signal,signals,mean",
                                        "0,here,min(ABW),3,2.8e+07",
                                        "0,67,min(ABW),2,2.8e+07",
                                        "0.005,here,min(ABW),2,6.8e+07",
                                        "0.005,67,min(ABW),3,6.8e+07"};
    AIDC_EXPECT(ReadLines(CreateTempDirFilename("heat.csv")) == heat, "by port and bin");
}

// Flows over a fabric.
AIDC_TEST_CASE("A flow alone takes its ideal completion time")
{
    FabricHelper network;
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.Build(MakeFatTree(4, 100'000'000'000, 1000));
    FinishNetwork(network);
    FlowSpec flow;
    flow.source = NodeIndex(0);
    flow.destination = NodeIndex(15);
    flow.bytes = 80001;
    flow.start = MicroSeconds(3);
    CsigUdpFlowSettings settings;
    settings.rate = DataRate("40Gbps");
    settings.packetSize = 8000;
    CsigUdpFlowHelper flows;
    flows.Install(network, MakeDomain(), {flow}, settings);
    flows.StopWhenDone();
    RunFor(MilliSeconds(1));
    const auto records = flows.GetRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 1U, "one flow");
    AIDC_ASSERT(records[0].isDone, "it is done");
    // Eleven datagrams, 1.6 us each; the last one over 6 links of 1 us and 8028 bytes or more.
    const int64_t ideal = 10 * 1600 + 6 * (1000 + 8028 * 8 / 100);
    NS_TEST_EXPECT_MSG_EQ_TOL(records[0].idealFct.GetNanoSeconds(), ideal, 6, "computed");
    // Ethernet adds 38 bytes to each datagram, and rounds.
    const int64_t headers = 6 * (38 * 8 / 100 + 1);
    NS_TEST_EXPECT_MSG_EQ_TOL(records[0].fct.GetNanoSeconds(), ideal + headers, 12, "met");
    NS_TEST_EXPECT_MSG_EQ(flows.GetNRehashes(), 0U, "nobody balances");
}

// Configuration mistakes.
AIDC_TEST_CASE("Mistakes end with what was expected")
{
    const auto run = [](const char* attribute, const AttributeValue& value) {
        UseNetwork network;
        network.source->SetAttribute(attribute, value);
        RunFor(MilliSeconds(1));
    };
    ExpectRefusal("expected at most 60536 ports", [&] { run("Ports", UintegerValue(65535)); });
    ExpectRefusal("expected a rate above 0", [&] { run("Rate", DataRateValue(DataRate(0))); });
    ExpectRefusal("expected a bin of at least 1 ns",
                  [] { CsigCollector collector(CreateObject<CsigDomain>(), Seconds(0)); });
    ExpectRefusal("to have a CsigHost", [] {
        CsigCollector collector(CreateObject<CsigDomain>(), Seconds(1));
        collector.AddHost(CreateObject<Node>());
    });
}
