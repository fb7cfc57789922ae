// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "test/workload/parse-text.h"

#include "ns3/channel.h"
#include "ns3/experiment-data-file.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/tcp-l4-protocol.h"

// Tests of the readers of input, of the flow generator and of the helpers that use them.

// TCP flows over the network of a topology file, and the time that they need at least.
AIDC_TEST_SUITE("aidc-tcp-flow-helper", UNIT);

/// Make a path of links of 1 us each. rates: the rates of the links in bit/s.
std::vector<FabricLink>
MakePath(const std::vector<uint64_t>& rates)
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

/// Follow the packets of a flow over a path, each behind the one before it. rates: the rates of the
/// links in bit/s, each with a delay of 1 us. overhead: what a packet takes of a link beside its
/// own bytes. Returns when the last packet is there, the handshake included, in seconds.
double
FollowPackets(const std::vector<uint64_t>& rates, uint64_t bytes, FrameOverhead overhead)
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
                std::max(arrival, isFreeAt[i]) + 8.0 * (segment + 40 + overhead.bytes) / rates[i];
            arrival = isFreeAt[i] - 8.0 * overhead.gap / rates[i];
        }
    }
    return arrival + 3e-6 * rates.size();
}

/// Follow the packets of a flow that wait for each other at the first and the last link only, as if
/// each had links of its own between them. rates: the rates of the links in bit/s, each with a
/// delay of 1 us. overhead: what a packet takes of a link beside its own bytes. Returns when the
/// last packet is there, the handshake included, in seconds.
double
SpreadPackets(const std::vector<uint64_t>& rates, uint64_t bytes, FrameOverhead overhead)
{
    std::vector<std::pair<double, double>> arrivals; // at the last link, with the bits there
    double sent = 0;
    for (uint64_t left = bytes; left > 0;)
    {
        const uint64_t segment = std::min<uint64_t>(left, 1460);
        left -= segment;
        const double bits = 8.0 * (segment + 40 + overhead.bytes);
        sent += bits / rates.front();
        double arrival = sent - 8.0 * overhead.gap / rates.front();
        for (std::size_t i = 1; i + 1 < rates.size(); ++i)
        {
            arrival += (bits - 8.0 * overhead.gap) / rates[i];
        }
        arrivals.emplace_back(arrival, bits);
    }
    std::sort(arrivals.begin(), arrivals.end());
    double end = 0;
    for (const auto& [arrival, bits] : arrivals)
    {
        end = std::max(end, arrival) + bits / rates.back();
    }
    return end - 8.0 * overhead.gap / rates.back() + 3e-6 * rates.size();
}

AIDC_TEST_CASE("the ideal completion time is that of a pipeline of links")
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
        const Time ideal =
            TcpFlowHelper::GetIdealFct(MakePath({c.r1, c.r2}), c.bytes, 1500, {2, 0});
        NS_TEST_EXPECT_MSG_EQ(ideal.GetNanoSeconds(), c.ns, c.bytes << " bytes at " << c.r1);
    }

    // Longer paths, against following each packet over each link
    const uint64_t giga = 1000000000;
    for (const auto& rates : std::vector<std::vector<uint64_t>>{
             {10 * giga, 40 * giga, 10 * giga, 25 * giga},
             {100 * giga, 400 * giga, 400 * giga, 100 * giga},
             {40 * giga, 25 * giga, 10 * giga, giga},
             {giga, 10 * giga, 25 * giga, 40 * giga},
             {100 * giga, 100 * giga, 100 * giga, 100 * giga},
             {10 * giga, giga, 10 * giga, giga, 10 * giga, 2 * giga}})
    {
        for (const uint64_t bytes : {1, 1460, 1461, 2920, 2921, 1000000})
        {
            for (const FrameOverhead overhead : {FrameOverhead{2, 0}, FrameOverhead{38, 12}})
            {
                const auto ideal =
                    TcpFlowHelper::GetIdealFct(MakePath(rates), bytes, 1500, overhead);
                NS_TEST_EXPECT_MSG_EQ_TOL(ideal.GetSeconds(),
                                          FollowPackets(rates, bytes, overhead),
                                          1e-9,
                                          bytes << " bytes over " << rates.size() << " links");
                const auto spread =
                    TcpFlowHelper::GetIdealFct(MakePath(rates), bytes, 1500, overhead, true);
                const double best = SpreadPackets(rates, bytes, overhead);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(spread.GetSeconds(),
                                            best + 1e-9,
                                            bytes << " bytes over several paths");
                // A short last packet that overtakes others delays them at most by itself.
                NS_TEST_EXPECT_MSG_GT(spread.GetSeconds(),
                                      best - 8.0 * 1540 / rates.back() - 1e-9,
                                      bytes << " bytes over several paths");
            }
        }
    }
}

// Where packets are sprayed, a short last one overtakes the others, and a flow alone is no faster
// than its ideal. Sizes of 1 to 4 segments with a last one of 1 byte. Over a single path each
// packet waits for those before it at each of the 4 links, which a spine more does not.
AIDC_TEST_CASE("a slowdown is not below 1 where packets are sprayed")
{
    ConfigureDctcp(); // segments that fill the MTU
    MultipathRoutingHelper routing;
    routing.SetSelector("ns3::aidc::SpraySelector");
    FabricHelper network;
    network.SetSwitchRouting(routing);
    network.SetDeviceKind(FabricHelper::ETHERNET);
    network.Build(MakeLeafSpine({2, 4, 1}));
    network.AssignAddresses();
    network.AssignStreams(1);
    std::vector<FlowSpec> flows;
    for (uint32_t i = 0; i < 40; ++i)
    {
        FlowSpec flow;
        flow.source = NodeIndex(0);
        flow.destination = NodeIndex(1);
        flow.bytes = 1460 * (i % 4 + 1) + 1;
        flow.start = MicroSeconds(100 * (i + 1));
        flows.push_back(flow);
    }
    TcpFlowHelper tcp;
    tcp.Install(network, flows);
    RunFor(MilliSeconds(20));
    AIDC_EXPECT(tcp.IsDone(), "all flows");
    for (const auto& record : tcp.GetRecords())
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(record.slowdown, 1, record.spec.bytes << " bytes");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(record.fct + NanoSeconds(10), record.idealFct, "the ideal");
    }
}

/// A topology file becomes a network in which TCP flows complete.
class NetworkTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    /// A topology that is no network is refused, with its line.
    void CheckRefusals()
    {
        const std::vector<std::pair<std::string, std::string>> refused{
            {"2 0 1\n0 1 1Gbps 0 0\n", "t: "},
            {"3 1 2\n2\n0 1 1Gbps 0 0\n0 2 1Gbps 0 0\n", "t: "},
            {"4 2 2\n2 3\n0 2 1Gbps 0 0\n1 3 1Gbps 0 0\n", "t: "},
        };
        for (const auto& [text, expected] : refused)
        {
            const auto topology = ParseTopology(text);
            const std::string message = MessageOf([&topology] { topology.GetFabric(); });
            NS_TEST_EXPECT_MSG_EQ(message.substr(0, expected.size()), expected, text);
        }
        FabricHelper helper;
        ExpectRefusal("expected an MTU from 68 to 65535 bytes, found 67",
                      [&helper] { helper.SetMtu(67); });
    }

    /// Flows complete, and none before the ideal time.
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
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitches().Get(0),
                              network.GetNode(NodeIndex(8)),
                              "the switch");
        // The only leaf has 10.0.0.1, its hosts what follows
        NS_TEST_EXPECT_MSG_EQ(network.GetAddress(NodeIndex(5)), Ipv4Address("10.0.0.7"), "address");
        NS_TEST_EXPECT_MSG_EQ(network.GetHostDevice(NodeIndex(5))->GetNode(),
                              network.GetNode(NodeIndex(5)),
                              "device");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(NodeIndex(5))->GetNode(),
                              network.GetNode(NodeIndex(8)),
                              "port");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(NodeIndex(5))->GetChannel(),
                              network.GetHostDevice(NodeIndex(5))->GetChannel(),
                              "the two ends of a link");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(NodeIndex(5))->GetMtu(), 9000, "MTU");
        ExpectRefusal("id of a host", [&network] { network.GetHostDevice(NodeIndex(8)); });
        ExpectRefusal("ports", [&network] { network.GetPort(NodeIndex(5), PortIndex(1)); });
        ExpectRefusal("id of a node", [&network] { network.GetAddress(NodeIndex(9)); });
        ExpectRefusal("id of a node", [&network] { network.GetNode(NodeIndex(9)); });

        TypeIdValue socketType;
        network.GetNode(NodeIndex(0))
            ->GetObject<TcpL4Protocol>()
            ->GetAttribute("SocketType", socketType);
        NS_TEST_EXPECT_MSG_EQ(socketType.Get().GetName(), "ns3::TcpDctcp", "congestion control");

        auto flows = ReadFlowFile(FindDataFile("flows/pair.txt"));
        FlowSpec tiny;
        tiny.source = NodeIndex(6);
        tiny.destination = NodeIndex(7);
        tiny.bytes = 1;
        tiny.start = MicroSeconds(7);
        flows.push_back(tiny);
        TcpFlowHelper tcp;
        tcp.StopWhenDone();
        tcp.Install(network, flows, "pair.txt");
        AIDC_EXPECT(!tcp.IsDone(), "not yet");
        NS_TEST_EXPECT_MSG_NE(MessageOf([&] {
                                  auto wrong = flows;
                                  wrong[0].destination = NodeIndex(8);
                                  tcp.Install(network, wrong, "wrong.txt");
                              }),
                              "",
                              "a flow to the switch");
        RunFor(Seconds(1));

        AIDC_EXPECT(tcp.IsDone(), "done");
        NS_TEST_ASSERT_MSG_EQ(tcp.GetRecords().size(), 3, "records");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetDeliveredBytes(), 2000000 + 500000 + 1, "bytes");
        Time last = Seconds(0);
        for (const auto& record : tcp.GetRecords())
        {
            AIDC_EXPECT(record.isDone, "done");
            NS_TEST_EXPECT_MSG_EQ(record.receivedBytes, record.spec.bytes, "bytes");
            NS_TEST_EXPECT_MSG_EQ(record.finish - record.spec.start, record.fct, "time");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(record.fct, record.idealFct, "not before the ideal");
            NS_TEST_EXPECT_MSG_EQ_TOL(record.slowdown,
                                      record.fct.GetSeconds() / record.idealFct.GetSeconds(),
                                      1e-12,
                                      "slowdown");
            last = std::max(last, record.finish);
        }
        const int64_t stop = (last.GetMicroSeconds() / 10 + 1) * 10;
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(stop), "the next multiple of 10 us");
        // The byte alone: 18 us and 2 * 72 * 8 bit / 100 Gb/s = 11.52 ns, as 64 bytes are the least
        // of a frame, behind 8 of preamble. The handshake is two packets of at most 106 bytes (60
        // of TCP, 20 of IPv4, 18 of Ethernet and these 8) over two links each: 33.9 ns.
        const auto& alone = tcp.GetRecords()[2];
        NS_TEST_EXPECT_MSG_EQ(alone.idealFct.GetNanoSeconds(), 18011, "ideal of a byte");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(alone.fct.GetNanoSeconds(), 18011 + 40, "time of a byte");
        Simulator::Destroy();
    }

    /// Links lose packets where the file says so; a flow without size does not end.
    void CheckErrorRate()
    {
        const auto topology = ParseTopology("4 1 3\n1\n"
                                            "1 0 10Gbps 1us 0\n"
                                            "2 1 10Gbps 1us 0\n"
                                            "3 1 10Gbps 1us 1\n");
        DctcpSettings settings;
        settings.mtu = 1500;
        ConfigureDctcp(settings);
        FabricHelper network;
        network.SetMtu(1500);
        network.SetHostQueueSize(QueueSize("5000p"));
        network.Build(topology.GetFabric());
        network.AssignAddresses();
        NS_TEST_EXPECT_MSG_EQ(network.AssignStreams(1), 3, "one for each end, one for the switch");

        FlowSpec endless;
        endless.source = NodeIndex(0);
        endless.destination = NodeIndex(2);
        FlowSpec lost;
        lost.source = NodeIndex(0);
        lost.destination = NodeIndex(3);
        lost.bytes = 1;
        TcpFlowHelper tcp;
        tcp.Install(network, {endless, lost});
        RunFor(MilliSeconds(5));
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MilliSeconds(5), "time");
        const auto& records = tcp.GetRecords();
        // 10 Gb/s bring at most 6.25 MB in 5 ms
        NS_TEST_EXPECT_MSG_GT(records[0].receivedBytes, 1000000, "the flow without end");
        NS_TEST_EXPECT_MSG_LT(records[0].receivedBytes, 6250000, "the flow without end");
        AIDC_EXPECT(!records[0].isDone, "the flow without end");
        AIDC_EXPECT(records[0].idealFct.IsZero(), "the flow without end");
        NS_TEST_EXPECT_MSG_EQ(records[1].receivedBytes, 0, "the flow over the link that loses all");
        AIDC_EXPECT(!tcp.IsDone(), "one flow is not done");
        NS_TEST_EXPECT_MSG_EQ(tcp.GetDeliveredBytes(), records[0].receivedBytes, "bytes");
        Simulator::Destroy();
    }
};

AIDC_TEST_CASE_F(NetworkTestCase, "a topology file becomes a network in which TCP flows complete")
{
    CheckRefusals();
    CheckFlowTimes();
    CheckErrorRate();
}
