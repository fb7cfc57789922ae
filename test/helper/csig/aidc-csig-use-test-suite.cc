/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What CSIG's signals are used for, with a router that writes what a test wants into tags. Sections
// are those of draft-ravi-ippm-csig-01.

#include "../../csig/csig-host-network.h"
#include "../../csig/csig-host-traffic.h"
#include "../../death-test.h"
#include "../test-fabrics.h"

#include "ns3/boolean.h"
#include "ns3/csig-answer-header.h"
#include "ns3/csig-collector.h"
#include "ns3/csig-path-balancer.h"
#include "ns3/csig-reflection-header.h"
#include "ns3/csig-udp-flow-helper.h"
#include "ns3/csig-udp-sink.h"
#include "ns3/csig-udp-source.h"
#include "ns3/enum.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"

#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

constexpr uint32_t LEAF_STAGE = 1;
constexpr uint16_t SINK = 7;

/**
 * @brief Make a domain whose locators tell stage and orientation.
 * @return the domain
 */
Ptr<CsigDomain>
MakeDomain()
{
    auto domain = CreateObject<CsigDomain>();
    domain->SetAttribute("ExpandedLocator", StringValue("stage:2,orientation:2,device:8,port:4"));
    return domain;
}

/**
 * @brief Make LM.
 * @param domain the domain
 * @param stage the stage
 * @param orientation where the port leads to
 * @return LM of the expanded format
 */
uint16_t
MakeLocator(Ptr<CsigDomain> domain, uint32_t stage, CsigOrientation orientation)
{
    CsigLocator locator;
    locator.Set(CsigAttribute::STAGE, stage);
    locator.Set(CsigAttribute::ORIENTATION, static_cast<uint32_t>(orientation));
    return domain->GetLayout(CsigFormat::EXPANDED).Pack(locator);
}

/**
 * @ingroup aidc-test
 * @brief A source on host A, a sink on host B, and a router between them.
 */
struct UseNetwork : CsigHostNetwork
{
    UseNetwork()
    {
        for (auto& host : {InstallA(), InstallB()})
        {
            host->SetAttribute("TagUdp", BooleanValue(true));
            host->SetAttribute("Format", EnumValue(CsigHost::EXPANDED));
            host->SetDomain(domain);
        }
        source = CreateObject<CsigUdpSource>();
        source->SetAttribute("Local", Ipv4AddressValue(addressA));
        source->SetAttribute("Remote", Ipv4AddressValue(addressB));
        source->SetAttribute("RemotePort", UintegerValue(SINK));
        source->SetAttribute("FirstPort", UintegerValue(5000));
        source->SetAttribute("Rate", StringValue("8Mbps"));
        source->SetAttribute("PacketSize", UintegerValue(1000));
        source->SetStartTime(MicroSeconds(10));
        nodes.Get(0)->AddApplication(source);
        sink = CreateObject<CsigUdpSink>();
        sink->SetAttribute("Local", Ipv4AddressValue(addressB));
        sink->SetAttribute("Port", UintegerValue(SINK));
        nodes.Get(2)->AddApplication(sink);
    }

    /**
     * @brief Let the router write a signal on all that goes to B, and count it by source port.
     * @param value S
     * @param locator LM
     */
    void WriteAll(uint32_t value, uint16_t locator)
    {
        toB->edit = [this, value, locator](Ptr<Packet> datagram) {
            uint8_t header[2];
            datagram->CopyData(header, 2);
            ++nOfPort[static_cast<uint16_t>(header[0] << 8 | header[1])];
            CsigTag tag;
            if (datagram->PeekPacketTag(tag))
            {
                auto fields = tag.GetFields();
                fields.value = value;
                fields.locator = locator;
                ReplaceTag(datagram, fields);
            }
            return true;
        };
    }

    Ptr<CsigDomain> domain{MakeDomain()}; ///< what the network has in common
    Ptr<CsigUdpSource> source;            ///< on A
    Ptr<CsigUdpSink> sink;                ///< on B
    std::map<uint16_t, uint32_t> nOfPort; ///< datagrams at the router by source port
};

/**
 * @ingroup aidc-test
 * @brief Section 4.2.2: a UDP application reflects signals in its payload.
 */
class UdpReflectionTest : public TestCase
{
  public:
    /// Constructor.
    UdpReflectionTest()
        : TestCase("Section 4.2.2: source and sink exchange signals, until all has arrived")
    {
    }

  private:
    void DoRun() override
    {
        UseNetwork network;
        network.WriteAll(42, 0x1234);
        network.source->SetAttribute("Size", UintegerValue(9500));
        network.sink->SetAttribute("Size", UintegerValue(9500));
        std::vector<CsigFields> signals;
        network.source->TraceConnectWithoutContext(
            "Signal",
            Callback<void, const FlowKey&, const CsigFields&>(
                [&](const FlowKey& flow, const CsigFields& fields) {
                    NS_TEST_EXPECT_MSG_EQ(flow.sourcePort, 5000, "the only port");
                    signals.push_back(fields);
                }));
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.sink->IsDone(), true, "9500 bytes have arrived");
        // 8 Mbit/s are 1 ms a datagram: the tenth is sent 9 ms after the first, and takes 1028 + 2
        // bytes at 100 Mbit/s and 10 us over each of two links.
        const Time finish = MicroSeconds(10) + MilliSeconds(9) + 2 * NanoSeconds(82400 + 10000);
        NS_TEST_EXPECT_MSG_EQ(network.sink->GetFinish(), finish, "the tenth datagram");
        NS_TEST_EXPECT_MSG_EQ(network.source->GetSentBytes(), 10000U, "the source has stopped");
        NS_TEST_EXPECT_MSG_EQ(network.sink->GetReceivedBytes(), 10000U, "nothing is lost");
        NS_TEST_ASSERT_MSG_EQ(signals.size(), 10U, "each datagram is answered");
        NS_TEST_EXPECT_MSG_EQ(signals[0].value, 42U, "what the router has written");
        NS_TEST_EXPECT_MSG_EQ(signals[0].locator, 0x1234, "and where");
    }
};

/**
 * @ingroup aidc-test
 * @brief Losses are made up for, answers are as rare as configured.
 */
class UdpLossTest : public TestCase
{
  public:
    /// Constructor.
    UdpLossTest()
        : TestCase("A source goes on until as much has arrived as it has to send")
    {
    }

  private:
    void DoRun() override
    {
        UseNetwork network;
        uint32_t nArrived = 0;
        uint32_t nAnswers = 0;
        network.toB->edit = [&](Ptr<Packet>) { return ++nArrived % 2 == 0; };
        network.toA->edit = [&](Ptr<Packet>) {
            ++nAnswers;
            return true;
        };
        network.source->SetAttribute("Size", UintegerValue(10000));
        network.sink->SetAttribute("Size", UintegerValue(10000));
        network.sink->SetAttribute("Period", UintegerValue(4));
        Simulator::Stop(MilliSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network.source->GetSentBytes(), 20000U, "half of it is lost");
        NS_TEST_EXPECT_MSG_EQ(network.sink->GetReceivedBytes(), 10000U, "the other half arrives");
        NS_TEST_EXPECT_MSG_EQ(nAnswers, 3U, "to datagrams 4, 8, and the tenth, which is the last");
    }
};

/**
 * @ingroup aidc-test
 * @brief Source ports.
 */
class SourcePortsTest : public TestCase
{
  public:
    /// Constructor.
    SourcePortsTest()
        : TestCase("Section 8.2.1: source ports are taken in turn, or kept until a rehash")
    {
    }

  private:
    void DoRun() override
    {
        using Counts = std::map<uint16_t, uint32_t>;
        {
            UseNetwork network;
            network.WriteAll(42, 0);
            network.source->SetAttribute("Ports", UintegerValue(3));
            network.source->SetAttribute("Rotate", BooleanValue(true));
            Simulator::Stop(MicroSeconds(6500));
            Simulator::Run();
            const Counts expected{{5000, 3}, {5001, 2}, {5002, 2}};
            NS_TEST_EXPECT_MSG_EQ((network.nOfPort == expected), true, "7 probes in turn");
        }
        UseNetwork network;
        network.WriteAll(42, 0);
        network.source->SetAttribute("Ports", UintegerValue(2));
        for (const int64_t us : {2500, 5500, 6500})
        {
            Simulator::Schedule(MicroSeconds(us), &CsigUdpSource::Rehash, network.source);
        }
        Simulator::Stop(MicroSeconds(8500));
        Simulator::Run();
        const Counts expected{{5000, 3 + 1}, {5001, 3 + 2}};
        NS_TEST_EXPECT_MSG_EQ((network.nOfPort == expected), true, "two ports, round and round");
        NS_TEST_EXPECT_MSG_EQ(network.source->GetNRehashes(), 3U, "as often as told");
    }
};

/**
 * @ingroup aidc-test
 * @brief Bytes that are no answer.
 */
class MalformedAnswerTest : public TestCase
{
  public:
    /// Constructor.
    MalformedAnswerTest()
        : TestCase("Answers that end too early are counted, and stop nothing")
    {
    }

  private:
    /**
     * @brief Hand a datagram to the source as if the sink had sent it.
     * @param network the network
     * @param payload its payload
     */
    static void Give(const UseNetwork& network, Ptr<Packet> payload)
    {
        const auto flow = network.source->GetFlow();
        UdpHeader udp;
        udp.SetSourcePort(flow.destinationPort);
        udp.SetDestinationPort(flow.sourcePort);
        payload->AddHeader(udp);
        Ipv4Header header;
        header.SetSource(network.addressB);
        header.SetDestination(network.addressA);
        header.SetProtocol(UDP_PROTOCOL);
        header.SetPayloadSize(static_cast<uint16_t>(payload->GetSize()));
        const auto ipv4 = network.nodes.Get(0)->GetObject<Ipv4L3Protocol>();
        ipv4->GetProtocol(UDP_PROTOCOL)->Receive(payload, header, ipv4->GetInterface(1));
    }

    void DoRun() override
    {
        // The whole answer: a reflection header of flags and empty compact fields, and 8 bytes.
        constexpr uint32_t WHOLE = 1 + 2 + 8;
        for (uint32_t size = 0; size <= WHOLE; ++size)
        {
            UseNetwork network;
            network.source->SetAttribute("Size", UintegerValue(1));
            network.toB->edit = [](Ptr<Packet>) { return false; };
            auto answer = Create<Packet>();
            answer->AddHeader(CsigAnswerHeader(1));
            answer->AddHeader(CsigReflectionHeader());
            NS_TEST_ASSERT_MSG_EQ(answer->GetSize(), WHOLE, "as computed");
            answer->RemoveAtEnd(WHOLE - size);
            Simulator::Schedule(MicroSeconds(500), [&network, answer] { Give(network, answer); });
            Simulator::Stop(MicroSeconds(2500));
            Simulator::Run();
            const uint32_t nSent = size < WHOLE ? 3 : 1;
            NS_TEST_EXPECT_MSG_EQ(network.source->GetSentBytes(), 1000 * nSent, size << " bytes");
            const uint32_t nMalformed = size < WHOLE ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(network.source->GetNMalformed(), nMalformed, size << " bytes");
        }

        CsigAnswerHeader answer;
        for (uint32_t size = 0; size < 8; ++size)
        {
            NS_TEST_EXPECT_MSG_EQ(Create<Packet>(size)->PeekHeader(answer), 0U, "too short");
        }
        auto packet = Create<Packet>(3);
        packet->AddHeader(CsigAnswerHeader(0x0102030405060708));
        uint8_t bytes[9];
        NS_TEST_EXPECT_MSG_EQ(packet->CopyData(bytes, 9), 9U, "8 bytes before the payload");
        for (uint32_t i = 0; i < 8; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bytes[i], i + 1, "big endian");
        }
        packet->RemoveHeader(answer);
        NS_TEST_EXPECT_MSG_EQ(answer.GetReceivedBytes(), 0x0102030405060708U, "as written");
    }
};

/**
 * @ingroup aidc-test
 * @brief A flow that can take another path.
 */
class BalancerTest : public TestCase
{
  public:
    /// Constructor.
    BalancerTest()
        : TestCase("Section 8.2.1: a flow takes another path for the core, not for the last hop")
    {
    }

  private:
    /// What a run gives.
    struct Outcome
    {
        uint64_t nRehashes; ///< changes of the path
        uint64_t nLastHop;  ///< signals of the last hop
        std::size_t nPaths; ///< source ports seen
    };

    /**
     * @brief Send 10 datagrams through a bottleneck.
     * @param abw available bandwidth in steps of 8 Mbit/s
     * @param stage the stage of the bottleneck
     * @param orientation where it leads to
     * @param sparesLastHop see CsigPathPolicyConfig
     * @return what happened
     */
    Outcome Run(uint32_t abw, uint32_t stage, CsigOrientation orientation, bool sparesLastHop)
    {
        UseNetwork network;
        network.WriteAll(abw, MakeLocator(network.domain, stage, orientation));
        network.source->SetAttribute("Ports", UintegerValue(16));
        CsigPathPolicyConfig config;
        config.threshold = 80'000'000; // 10 steps
        config.patience = 2;
        config.pause = 0;
        config.leafStage = LEAF_STAGE;
        config.sparesLastHop = sparesLastHop;
        CsigPathBalancer balancer(network.source, network.domain, CsigSignal::ABW, config);
        Simulator::Stop(MicroSeconds(9500));
        Simulator::Run();
        return {network.source->GetNRehashes(), balancer.GetNLastHop(), network.nOfPort.size()};
    }

    void DoRun() override
    {
        const auto core = Run(5, 2, CsigOrientation::UP, true);
        NS_TEST_EXPECT_MSG_EQ(core.nRehashes, 5U, "after each second signal");
        NS_TEST_EXPECT_MSG_EQ(core.nPaths, 5U, "the fifth change comes after the last datagram");
        NS_TEST_EXPECT_MSG_EQ(core.nLastHop, 0U, "none");
        const auto last = Run(5, LEAF_STAGE, CsigOrientation::DOWN, true);
        NS_TEST_EXPECT_MSG_EQ(last.nRehashes, 0U, "another path does not help");
        NS_TEST_EXPECT_MSG_EQ(last.nPaths, 1U, "the first one");
        NS_TEST_EXPECT_MSG_EQ(last.nLastHop, 10U, "each signal");
        const auto blind = Run(5, LEAF_STAGE, CsigOrientation::DOWN, false);
        NS_TEST_EXPECT_MSG_EQ(blind.nRehashes, 5U, "whoever cannot tell changes all the time");
        const auto idle = Run(50, 2, CsigOrientation::UP, true);
        NS_TEST_EXPECT_MSG_EQ(idle.nRehashes, 0U, "400 Mbit/s are enough");
    }
};

/**
 * @ingroup aidc-test
 * @brief Summaries.
 */
class CollectorTest : public TestCase
{
  public:
    /// Constructor.
    CollectorTest()
        : TestCase("Section 8.2.2: signals are summarized by source, destination and time")
    {
    }

  private:
    /**
     * @brief Read a file.
     * @param path the file
     * @return its lines
     */
    static std::vector<std::string> ReadLines(const std::string& path)
    {
        std::ifstream file(path);
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);)
        {
            lines.push_back(line);
        }
        return lines;
    }

    void DoRun() override
    {
        UseNetwork network;
        CsigCollector collector(network.domain, MilliSeconds(5));
        collector.AddHost(network.nodes.Get(0));
        collector.SetGroup(network.addressA.Get(), "left");
        collector.SetGroup(network.addressB.Get(), "right");
        collector.SetPort(0x0042, "here");
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
        Simulator::Stop(MicroSeconds(10500));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(collector.GetNSignals(), 10U, "the eleventh says nothing");
        // Steps of 8 Mbit/s, of which the middle counts: code n is 8 n + 4. The first five come
        // back within 5 ms. Percentiles as of numpy.percentile.
        collector.WriteSummaries(CreateTempDirFilename("summaries.csv"));
        const std::vector<std::string> summaries{
            "time_s,source,destination,signal,signals,min,mean,p50,p99,max",
            "0,left,right,min(ABW),5,1.2e+07,2.8e+07,2.8e+07,4.368e+07,4.4e+07",
            "0.005,left,right,min(ABW),5,5.2e+07,6.8e+07,6.8e+07,8.368e+07,8.4e+07"};
        NS_TEST_EXPECT_MSG_EQ((ReadLines(CreateTempDirFilename("summaries.csv")) == summaries),
                              true,
                              "by pair and bin");
        collector.WriteHeatMap(CreateTempDirFilename("heat.csv"));
        const std::vector<std::string> heat{"time_s,port,signal,signals,mean",
                                            "0,here,min(ABW),3,2.8e+07",
                                            "0,67,min(ABW),2,2.8e+07",
                                            "0.005,here,min(ABW),2,6.8e+07",
                                            "0.005,67,min(ABW),3,6.8e+07"};
        NS_TEST_EXPECT_MSG_EQ((ReadLines(CreateTempDirFilename("heat.csv")) == heat),
                              true,
                              "by port and bin");
    }
};

/**
 * @ingroup aidc-test
 * @brief Flows over a fabric.
 */
class UdpFlowsTest : public TestCase
{
  public:
    /// Constructor.
    UdpFlowsTest()
        : TestCase("A flow alone takes its ideal completion time")
    {
    }

  private:
    void DoRun() override
    {
        FabricHelper network;
        network.SetDeviceKind(FabricHelper::ETHERNET);
        network.Build(MakeFatTree(4, 100'000'000'000, 1000));
        FinishNetwork(network);
        FlowSpec flow;
        flow.source = 0;
        flow.destination = 15;
        flow.bytes = 80001;
        flow.start = MicroSeconds(3);
        CsigUdpFlowOptions options;
        options.rate = DataRate("40Gbps");
        options.packetSize = 8000;
        CsigUdpFlowHelper flows;
        flows.Install(network, MakeDomain(), {flow}, options);
        flows.StopWhenDone();
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const auto records = flows.GetRecords();
        NS_TEST_ASSERT_MSG_EQ(records.size(), 1U, "one flow");
        NS_TEST_ASSERT_MSG_EQ(records[0].isDone, true, "it is done");
        // Eleven datagrams, 1.6 us each; the last one over 6 links of 1 us and 8028 bytes or more.
        const int64_t ideal = 10 * 1600 + 6 * (1000 + 8028 * 8 / 100);
        NS_TEST_EXPECT_MSG_EQ_TOL(records[0].idealFct.GetNanoSeconds(), ideal, 6, "computed");
        // Ethernet adds 38 bytes to each datagram, and rounds.
        const int64_t headers = 6 * (38 * 8 / 100 + 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(records[0].fct.GetNanoSeconds(), ideal + headers, 12, "met");
        NS_TEST_EXPECT_MSG_EQ(flows.GetNRehashes(), 0U, "nobody balances");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Configuration mistakes.
 */
class UseMistakesTest : public TestCase
{
  public:
    /// Constructor.
    UseMistakesTest()
        : TestCase("Mistakes end with what was expected")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = [](const char* attribute, const AttributeValue& value) {
            UseNetwork network;
            network.source->SetAttribute(attribute, value);
            Simulator::Stop(MilliSeconds(1));
            Simulator::Run();
        };
        const auto ports = RunInChild([&] { run("Ports", UintegerValue(65535)); });
        NS_TEST_EXPECT_MSG_EQ(ports.Says("expected at most 60536 ports"), true, ports.errors);
        const auto rate = RunInChild([&] { run("Rate", DataRateValue(DataRate(0))); });
        NS_TEST_EXPECT_MSG_EQ(rate.Says("expected a rate above 0"), true, rate.errors);
        const auto bin =
            RunInChild([] { CsigCollector collector(CreateObject<CsigDomain>(), Seconds(0)); });
        NS_TEST_EXPECT_MSG_EQ(bin.Says("expected a bin of at least 1 ns"), true, bin.errors);
        const auto host = RunInChild([] {
            CsigCollector collector(CreateObject<CsigDomain>(), Seconds(1));
            collector.AddHost(CreateObject<Node>());
        });
        NS_TEST_EXPECT_MSG_EQ(host.Says("to have a CsigHost"), true, host.errors);
    }
};

/**
 * @ingroup aidc-test
 * @brief The uses of CSIG.
 */
class CsigUseTestSuite : public TestSuite
{
  public:
    CsigUseTestSuite()
        : TestSuite("aidc-csig-use", TestSuite::Type::UNIT)
    {
        AddTestCase(new UdpReflectionTest);
        AddTestCase(new UdpLossTest);
        AddTestCase(new SourcePortsTest);
        AddTestCase(new MalformedAnswerTest);
        AddTestCase(new BalancerTest);
        AddTestCase(new CollectorTest);
        AddTestCase(new UdpFlowsTest);
        AddTestCase(new UseMistakesTest);
    }
};

CsigUseTestSuite g_csigUseTestSuite; ///< the suite

} // namespace
