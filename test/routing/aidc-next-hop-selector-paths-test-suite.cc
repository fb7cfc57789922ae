// SPDX-License-Identifier: GPL-2.0-only

#include "router-bench.h"
#include "test/core/chi-square.h"
#include "test/test-case.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"

// The paths of flows: over tiers of switches, of fragments, of TCP, and around failures.
AIDC_TEST_SUITE("aidc-next-hop-selector-paths", UNIT);

// Expected results: only the first fragment has the ports, so that no fragment may be spread by
// them. Unfragmented packets of the same addresses, with 50 ports, take all 4 paths.
AIDC_TEST_CASE("all fragments of a UDP datagram take one path")
{
    auto bench = MakeRouter(4, "ns3::aidc::HashSelector");
    std::set<uint32_t> allPorts;
    for (uint32_t source = 0; source < 50; ++source)
    {
        std::set<uint32_t> ofFragments;
        std::set<uint32_t> ofPackets;
        for (uint32_t flow = source * 1000; flow < source * 1000 + 50; ++flow)
        {
            ofPackets.insert(bench->GetPort(flow));
            for (const uint16_t offset : {0, 1480, 2960})
            {
                auto header = RouterBench::MakeHeader(flow);
                header.SetFragmentOffset(offset);
                if (offset < 2960)
                {
                    header.SetMoreFragments();
                }
                bench->Ask(header,
                           offset == 0 ? RouterBench::MakePayload(flow)
                                       : Create<Packet>(100 + flow));
                ofFragments.insert(bench->outInterface);
                allPorts.insert(bench->outInterface);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(ofFragments.size(), 1, "fragments of source " << source);
        NS_TEST_EXPECT_MSG_EQ(ofPackets.size(), 4, "packets of source " << source);
    }
    NS_TEST_EXPECT_MSG_EQ(allPorts.size(), 4, "fragments of all sources");
}

// Flows over three tiers of switches, each of which chooses among 4 links. Expected results: 20,000
// flows over the 4 * 4 * 4 = 64 links of the last tier. If each choice is uniform and independent
// of the others, chi-square has 63 degrees of freedom and exceeds 113.7 with a probability of 1e-4
// (Wilson and Hilferty: 63 * (1 - 2 / 567 + 3.719 * sqrt(2 / 567))^3). With one seed for all, a
// switch gets only flows that choose alike: 4 of 64 links are used.
AIDC_TEST_CASES(uint32_t,
                seed,
                seed == 0 ? "each switch spreads the flows of the tier before it evenly"
                          : "with the same seed everywhere they do not spread",
                ({0, 1}))
{
    std::vector<std::unique_ptr<RouterBench>> switches;
    for (uint32_t i = 0; i < 1 + 4 + 16; ++i)
    {
        switches.push_back(MakeRouter(4, "ns3::aidc::HashSelector", seed));
    }
    std::vector<double> counts(64);
    for (uint32_t flow = 0; flow < 20000; ++flow)
    {
        const uint32_t first = switches[0]->GetPort(flow) - 1;
        const uint32_t second = 4 * first + switches[1 + first]->GetPort(flow) - 1;
        const uint32_t third = 4 * second + switches[5 + second]->GetPort(flow) - 1;
        ++counts[third];
    }
    if (seed == 0)
    {
        NS_TEST_EXPECT_MSG_LT(ComputeChiSquare(counts), 113.7, "even");
    }
    else
    {
        NS_TEST_EXPECT_MSG_EQ(std::count(counts.begin(), counts.end(), 0), 60, "unused links");
    }
}

/// Hosts with one or two links to a chain of two switches with two links between them.
///
///     A -- X == Y -- B
class ParallelLinks
{
  public:
    ParallelLinks()
        : nodes(4)
    {
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.SetRoutingHelper(MultipathRoutingHelper());
        stack.Install(nodes);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        link.SetChannelAttribute("Delay", StringValue("10us"));
        Ipv4AddressHelper address("10.0.1.0", "255.255.255.0");
        for (const auto& [left, right] :
             std::vector<std::pair<uint32_t, uint32_t>>{{0, 1}, {1, 2}, {1, 2}, {2, 3}})
        {
            address.Assign(link.Install(nodes.Get(left), nodes.Get(right)));
            address.NewNetwork();
        }
        const std::vector<NextHop> right{NextHop(2, Ipv4Address("10.0.2.2")),
                                         NextHop(3, Ipv4Address("10.0.3.2"))};
        const std::vector<NextHop> left{NextHop(1, Ipv4Address("10.0.2.1")),
                                        NextHop(2, Ipv4Address("10.0.3.1"))};
        const Ipv4Mask mask("/24");
        AddRoute(0, "0.0.0.0", Ipv4Mask("/0"), {NextHop(1, Ipv4Address("10.0.1.2"))});
        AddRoute(1, "10.0.4.0", mask, right);
        AddRoute(2, "10.0.1.0", mask, left);
        AddRoute(3, "0.0.0.0", Ipv4Mask("/0"), {NextHop(1, Ipv4Address("10.0.4.1"))});
        nodes.Get(1)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "UnicastForward",
            MakeCallback(&ParallelLinks::Note, this));
    }

    NodeContainer nodes;                              //!< A, X, Y, B
    std::map<uint16_t, std::set<uint32_t>> linksOf;   //!< of X, by destination port
    std::vector<std::pair<Time, uint32_t>> forwarded; //!< by X: when, over which interface

  private:
    void AddRoute(uint32_t i,
                  const char* network,
                  Ipv4Mask mask,
                  const std::vector<NextHop>& nextHops) const
    {
        MultipathRoutingHelper::GetRouting(nodes.Get(i))
            ->AddRoute(Ipv4Address(network), mask, nextHops);
    }

    /// Note a packet that X forwards.
    void Note(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t interface)
    {
        if (header.GetDestination() != Ipv4Address("10.0.4.2"))
        {
            return; // the way back
        }
        std::array<uint8_t, 4> ports;
        packet->CopyData(ports.data(), ports.size());
        linksOf[static_cast<uint16_t>(ports[2] << 8 | ports[3])].insert(interface);
        forwarded.emplace_back(Simulator::Now(), interface);
    }

    SimulationEnd m_end; //!< of this network
};

// Expected results: each of 16 connections of 100 kB has one link, and both links are used: all on
// one has a probability of 2^-15.
AIDC_TEST_CASE("HashSelector keeps each TCP connection on one of two equal paths")
{
    ParallelLinks network;
    ApplicationContainer sinks;
    for (uint16_t port = 5000; port < 5016; ++port)
    {
        BulkSendHelper sender("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address("10.0.4.2"), port));
        sender.SetAttribute("MaxBytes", UintegerValue(100000));
        sender.Install(network.nodes.Get(0));
        sinks.Add(PacketSinkHelper("ns3::TcpSocketFactory",
                                   InetSocketAddress(Ipv4Address::GetAny(), port))
                      .Install(network.nodes.Get(3)));
    }
    RunFor(Seconds(5));
    std::set<uint32_t> all;
    for (const auto& [port, links] : network.linksOf)
    {
        NS_TEST_EXPECT_MSG_EQ(links.size(), 1, "links of connection " << port);
        all.insert(links.begin(), links.end());
    }
    NS_TEST_EXPECT_MSG_EQ(network.linksOf.size(), 16, "connections");
    NS_TEST_EXPECT_MSG_EQ(all.size(), 2, "links in use");
    for (uint32_t i = 0; i < sinks.GetN(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<PacketSink>(sinks.Get(i))->GetTotalRx(),
                              100000,
                              "bytes of connection " << i);
    }
}

// An interface fails and comes back while datagrams of 16 flows pass, one each millisecond.
// Expected results: 300 rounds of 16 datagrams, all of which arrive; from 100 ms on, when one of
// the links goes down, until 200 ms, when it is up again, all take the other.
AIDC_TEST_CASE("traffic leaves an interface that goes down, and takes it again when it is up")
{
    ParallelLinks network;
    std::vector<Ptr<Socket>> senders;
    uint32_t nReceived = 0;
    ConnectTrace(network.nodes.Get(3)->GetObject<Ipv4L3Protocol>(),
                 "LocalDeliver",
                 [&nReceived](const Ipv4Header&, Ptr<const Packet>, uint32_t) { ++nReceived; });
    auto sink = MakeSocket(network.nodes.Get(3), 9);
    for (uint32_t flow = 0; flow < 16; ++flow)
    {
        auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
        socket->Connect(InetSocketAddress(Ipv4Address("10.0.4.2"), 9));
        for (int64_t i = 0; i < 300; ++i)
        {
            Simulator::Schedule(MilliSeconds(i), [socket] { socket->Send(Create<Packet>(100)); });
        }
    }
    const auto ipv4 = network.nodes.Get(1)->GetObject<Ipv4>();
    Simulator::Schedule(MilliSeconds(100), [ipv4] { ipv4->SetDown(2); });
    Simulator::Schedule(MilliSeconds(200), [ipv4] { ipv4->SetUp(2); });
    Simulator::Run();
    std::array<std::map<uint32_t, uint32_t>, 3> counts;
    for (const auto& [time, interface] : network.forwarded)
    {
        ++counts[time.GetMilliSeconds() / 100][interface];
    }
    for (const uint32_t i : {0, 1, 2})
    {
        NS_TEST_EXPECT_MSG_EQ(counts[i][2] + counts[i][3], 1600, "forwarded, part " << i);
    }
    // Of 16 flows of 100 packets 8 use a link, with a standard deviation of 2.
    NS_TEST_EXPECT_MSG_EQ_TOL(counts[0][2], 800, 600, "before");
    NS_TEST_EXPECT_MSG_EQ(counts[1][2], 0, "while it is down");
    NS_TEST_EXPECT_MSG_EQ(counts[2][2], counts[0][2], "after");
    NS_TEST_EXPECT_MSG_EQ(nReceived, 4800, "received");
}
