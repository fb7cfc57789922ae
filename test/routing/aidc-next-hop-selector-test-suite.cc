/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "router-bench.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/flow-key.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// A network of the tests.
const Ipv4Address NETWORK("10.9.0.0");

/// The mask of 16 bits.
const Ipv4Mask MASK16("255.255.0.0");

/**
 * @brief Make a router whose flows may take all of its ports.
 * @param nPorts the number of ports
 * @param selector the TypeId name of what chooses
 * @param seed attribute Seed of that
 * @return the router
 */
std::unique_ptr<RouterBench>
MakeRouter(uint32_t nPorts, const std::string& selector, uint32_t seed = 0)
{
    MultipathRoutingHelper helper("ns3::aidc::MultipathRouting", selector);
    helper.SetSelectorAttribute("Seed", UintegerValue(seed));
    auto bench = std::make_unique<RouterBench>(nPorts, helper);
    bench->Start();
    bench->routing->AddRoute(NETWORK, MASK16, bench->GetAllPorts());
    return bench;
}

/**
 * @brief Compute the statistic of Pearson's test that all counts have the same expectation.
 * @param counts the counts
 * @return chi-square
 */
double
ComputeChiSquare(const std::vector<double>& counts)
{
    double sum = 0;
    for (const double count : counts)
    {
        sum += count;
    }
    const double expected = sum / static_cast<double>(counts.size());
    double chiSquare = 0;
    for (const double count : counts)
    {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    return chiSquare;
}

/**
 * @ingroup aidc-test
 * @brief A next hop of weight 0 is not used, whatever the selector; SetWeights changes weights.
 */
class WeightZeroTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param selector the TypeId name of what chooses
     */
    explicit WeightZeroTestCase(const std::string& selector)
        : TestCase("a next hop of weight 0 gets nothing until SetWeights gives it some: " +
                   selector),
          m_selector(selector)
    {
    }

  private:
    void DoRun() override
    {
        auto bench = MakeRouter(3, m_selector);
        auto& routing = *bench->routing;
        uint32_t next = 0; // new flows each time: some selectors keep known ones where they are
        const auto expect = [&](const std::set<uint32_t>& ports, const char* what) {
            std::set<uint32_t> found;
            for (const uint32_t end = next + 200; next < end; ++next)
            {
                found.insert(bench->GetPort(next));
            }
            NS_TEST_EXPECT_MSG_EQ((found == ports), true, what);
        };
        expect({1, 2, 3}, "all");
        NS_TEST_EXPECT_MSG_EQ(routing.SetWeights(NETWORK, MASK16, {1, 0, 1}), true, "set");
        expect({1, 3}, "without the second");
        routing.SetWeights(NETWORK, MASK16, {0, 1, 0});
        expect({2}, "the second only");
        routing.SetWeights(NETWORK, MASK16, {0, 0, 0});
        expect({0}, "none");
        routing.SetWeights(NETWORK, MASK16, {1, 1, 1});
        expect({1, 2, 3}, "all again");
        NS_TEST_EXPECT_MSG_EQ(routing.SetWeights(NETWORK, MASK16, {1, 1}), false, "too few");
        NS_TEST_EXPECT_MSG_EQ(routing.SetWeights(NETWORK, Ipv4Mask("/17"), {1, 1, 1}),
                              false,
                              "no such route");
        routing.AddRoute(NETWORK, MASK16, {NextHop(1, Ipv4Address::GetAny(), 0), NextHop(3)});
        expect({3}, "weight 0 from the start");
        Simulator::Destroy();
    }

    std::string m_selector; ///< what chooses
};

/**
 * @ingroup aidc-test
 * @brief What a selector foresees is what it chooses, and to ask it changes nothing.
 */
class ForeseeTestCase : public TestCase
{
  public:
    /// What can be foreseen.
    enum Foresight
    {
        ALL,   ///< all that is chosen
        KNOWN, ///< what is chosen for known flows
        NONE   ///< nothing
    };

    /**
     * @brief Constructor.
     * @param selector the TypeId of the selector
     * @param foresight what it can foresee
     */
    ForeseeTestCase(const std::string& selector, Foresight foresight)
        : TestCase("what is foreseen is what is chosen: " + selector),
          m_selector(selector),
          m_foresight(foresight)
    {
    }

  private:
    void DoRun() override
    {
        auto asked = MakeRouter(4, m_selector, 1); // the same seed
        auto control = MakeRouter(4, m_selector, 1);
        asked->routing->AssignStreams(10);
        control->routing->AssignStreams(10);
        for (int round = 0; round < 2; ++round)
        {
            for (uint32_t flow = 0; flow < 100; ++flow)
            {
                const uint32_t foreseen = Foresee(*asked, flow);
                const uint32_t chosen = asked->GetPort(flow);
                const bool isForeseen = m_foresight == ALL || (m_foresight == KNOWN && round > 0);
                const uint32_t expected = isForeseen ? chosen : 0;
                NS_TEST_EXPECT_MSG_EQ(foreseen, expected, "flow " << flow);
                NS_TEST_EXPECT_MSG_EQ(chosen, control->GetPort(flow), "had it not been asked");
            }
        }
        Simulator::Destroy();
    }

    /**
     * @brief Ask which way a packet is going to take.
     * @param bench the router
     * @param flow the number of the packet's flow
     * @return the interface, 0 if there is no telling
     */
    static uint32_t Foresee(const RouterBench& bench, uint32_t flow)
    {
        const auto header = RouterBench::MakeHeader(flow);
        std::array<uint8_t, FLOW_KEY_MAX_BYTES> bytes{};
        const uint32_t nBytes =
            RouterBench::MakePayload(flow)->CopyData(bytes.data(), bytes.size());
        const auto key = ReadFlowKey(header.GetSource().Get(),
                                     header.GetDestination().Get(),
                                     header.GetProtocol(),
                                     false,
                                     bytes.data(),
                                     nBytes);
        uint32_t found = 0;
        for (uint32_t step = 0; step < MultipathRouting::N_FORESEE_STEPS; ++step)
        {
            bench.routing->Foresee(step, header.GetDestination(), key, found);
        }
        return found;
    }

    std::string m_selector; ///< the selector
    Foresight m_foresight;  ///< what it can foresee
};

/**
 * @ingroup aidc-test
 * @brief All fragments of a datagram take one path.
 *
 * Expected results: only the first fragment has the ports, so that no fragment may be spread by
 * them. Unfragmented packets of the same addresses, with 50 ports, take all 4 paths.
 */
class FragmentTestCase : public TestCase
{
  public:
    FragmentTestCase()
        : TestCase("all fragments of a UDP datagram take one path")
    {
    }

  private:
    void DoRun() override
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
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Flows over three tiers of switches, each of which chooses among 4 links.
 *
 * Expected results: 20,000 flows over the 4 * 4 * 4 = 64 links of the last tier. If each choice is
 * uniform and independent of the others, chi-square has 63 degrees of freedom and exceeds 113.7
 * with a probability of 1e-4 (Wilson and Hilferty: 63 * (1 - 2 / 567 + 3.719 * sqrt(2 / 567))^3).
 * With one seed for all, a switch gets only flows that choose alike: 4 of 64 links are used.
 */
class PolarizationTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param seed attribute Seed of all switches
     */
    explicit PolarizationTestCase(uint32_t seed)
        : TestCase(seed == 0 ? "each switch spreads the flows of the tier before it evenly"
                             : "with the same seed everywhere they do not spread"),
          m_seed(seed)
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::unique_ptr<RouterBench>> switches;
        for (uint32_t i = 0; i < 1 + 4 + 16; ++i)
        {
            switches.push_back(MakeRouter(4, "ns3::aidc::HashSelector", m_seed));
        }
        std::vector<double> counts(64);
        for (uint32_t flow = 0; flow < 20000; ++flow)
        {
            const uint32_t first = switches[0]->GetPort(flow) - 1;
            const uint32_t second = 4 * first + switches[1 + first]->GetPort(flow) - 1;
            const uint32_t third = 4 * second + switches[5 + second]->GetPort(flow) - 1;
            ++counts[third];
        }
        if (m_seed == 0)
        {
            NS_TEST_EXPECT_MSG_LT(ComputeChiSquare(counts), 113.7, "even");
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ(std::count(counts.begin(), counts.end(), 0), 60, "unused links");
        }
        Simulator::Destroy();
    }

    uint32_t m_seed; ///< attribute Seed
};

/**
 * @ingroup aidc-test
 * @brief The shares of WeightedSelector.
 *
 * Expected results: weights 1, 2, 5 are shares of 1/8, 1/4 and 5/8; weights 1, 2, 1 are 1/4, 1/2
 * and 1/4. So 3/8 of the flows leave the third next hop, and no other moves. The standard deviation
 * of a share of 100,000 flows is at most 0.16 %, the tolerance 1 %.
 */
class WeightedTestCase : public TestCase
{
  public:
    WeightedTestCase()
        : TestCase("WeightedSelector has shares within 1 %, and moves only the difference")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t nFlows = 100000;
        auto bench = MakeRouter(3, "ns3::aidc::WeightedSelector");
        const auto measure = [&bench] {
            std::vector<uint32_t> ports(nFlows);
            for (uint32_t flow = 0; flow < nFlows; ++flow)
            {
                ports[flow] = bench->GetPort(flow);
            }
            return ports;
        };
        const auto share = [](const std::vector<uint32_t>& ports, uint32_t port) {
            return static_cast<double>(std::count(ports.begin(), ports.end(), port)) / nFlows;
        };
        bench->routing->SetWeights(NETWORK, MASK16, {1, 2, 5});
        const auto before = measure();
        NS_TEST_EXPECT_MSG_EQ_TOL(share(before, 1), 0.125, 0.01, "weight 1 of 8");
        NS_TEST_EXPECT_MSG_EQ_TOL(share(before, 2), 0.25, 0.01, "weight 2 of 8");
        NS_TEST_EXPECT_MSG_EQ_TOL(share(before, 3), 0.625, 0.01, "weight 5 of 8");
        bench->routing->SetWeights(NETWORK, MASK16, {1, 2, 1});
        const auto after = measure();
        uint32_t nMoved = 0;
        uint32_t nNeedless = 0;
        for (uint32_t flow = 0; flow < nFlows; ++flow)
        {
            nMoved += before[flow] != after[flow] ? 1 : 0;
            nNeedless += before[flow] != after[flow] && before[flow] != 3 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(nNeedless, 0, "flows of next hops that lose nothing");
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(nMoved) / nFlows, 0.375, 0.01, "moved");
        NS_TEST_EXPECT_MSG_EQ_TOL(share(after, 2), 0.5, 0.01, "weight 2 of 4");

        // A failure moves the flows of the failed one only, and its return brings them back there.
        bench->ipv4->SetDown(2);
        const auto failed = measure();
        uint32_t nOthers = 0;
        for (uint32_t flow = 0; flow < nFlows; ++flow)
        {
            nOthers += after[flow] != 2 && failed[flow] != after[flow] ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(nOthers, 0, "flows of next hops that have not failed");
        NS_TEST_EXPECT_MSG_EQ_TOL(share(failed, 1), 0.5, 0.01, "weight 1 of 2");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Flowlets end after a silence that is longer than the gap.
 *
 * Expected results: of 200 packets, 199 follow a silence. Those of the gap itself, 100 us, change
 * nothing. After those of 1 ns more each chooses one of 2 next hops at random: 99.5 changes are
 * expected, with a standard deviation of 7; from 60 to 140 are accepted.
 */
class FlowletTestCase : public TestCase
{
  public:
    FlowletTestCase()
        : TestCase("FlowletSelector changes the next hop only after a silence longer than the gap")
    {
    }

  private:
    /**
     * @brief Count the changes of the port of one flow.
     * @param silence between its packets
     * @return the number of changes
     */
    uint32_t CountChanges(Time silence)
    {
        auto bench = MakeRouter(2, "ns3::aidc::FlowletSelector");
        bench->routing->GetSelector()->SetAttribute("Gap", TimeValue(MicroSeconds(100)));
        bench->routing->AssignStreams(1);
        std::vector<uint32_t> ports;
        for (int64_t i = 0; i < 200; ++i)
        {
            Simulator::Schedule(i * silence,
                                [&bench, &ports] { ports.push_back(bench->GetPort(7)); });
        }
        Simulator::Run();
        uint32_t nChanges = 0;
        for (std::size_t i = 1; i < ports.size(); ++i)
        {
            nChanges += ports[i] != ports[i - 1] ? 1 : 0;
        }
        Simulator::Destroy();
        return nChanges;
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(CountChanges(MicroSeconds(100)), 0, "the gap itself");
        const uint32_t nChanges = CountChanges(NanoSeconds(100001));
        NS_TEST_EXPECT_MSG_GT(nChanges, 60, "longer than the gap");
        NS_TEST_EXPECT_MSG_LT(nChanges, 140, "longer than the gap");
    }
};

/**
 * @ingroup aidc-test
 * @brief Packets of one flow sprayed over 3 next hops.
 *
 * Expected results: in turn, 3,000 packets are 1,000 each, and 3 that follow each other go
 * different ways. At random, chi-square of 2 degrees of freedom exceeds 18.4 with a probability of
 * exp(-18.4 / 2) = 1e-4, and a packet goes the way of the one before with a probability of 1/3:
 * 1,000 of 2,999, with a standard deviation of 26.
 */
class SprayTestCase : public TestCase
{
  public:
    SprayTestCase()
        : TestCase("SpraySelector sends each packet over a random next hop, or the next in turn")
    {
    }

  private:
    /**
     * @brief Spray packets.
     * @param mode attribute Mode
     * @return the port of each packet
     */
    static std::vector<uint32_t> Spray(const std::string& mode)
    {
        auto bench = MakeRouter(3, "ns3::aidc::SpraySelector");
        bench->routing->GetSelector()->SetAttribute("Mode", StringValue(mode));
        bench->routing->AssignStreams(1);
        std::vector<uint32_t> ports;
        for (uint32_t i = 0; i < 3000; ++i)
        {
            ports.push_back(bench->GetPort(7));
        }
        Simulator::Destroy();
        return ports;
    }

    void DoRun() override
    {
        const auto inTurn = Spray("RoundRobin");
        const auto atRandom = Spray("Random");
        std::vector<double> counts(3);
        uint32_t nRepeated = 0;
        for (std::size_t i = 0; i < atRandom.size(); ++i)
        {
            ++counts[atRandom[i] - 1];
            nRepeated += i > 0 && atRandom[i] == atRandom[i - 1] ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ((i < 1 || inTurn[i] != inTurn[i - 1]), true, "in turn, " << i);
            NS_TEST_EXPECT_MSG_EQ((i < 2 || inTurn[i] != inTurn[i - 2]), true, "in turn, " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(inTurn.begin(), inTurn.end(), 1), 1000, "in turn");
        NS_TEST_EXPECT_MSG_EQ(std::count(inTurn.begin(), inTurn.end(), 2), 1000, "in turn");
        NS_TEST_EXPECT_MSG_LT(ComputeChiSquare(counts), 18.4, "at random");
        NS_TEST_EXPECT_MSG_EQ_TOL(nRepeated, 1000.0, 130.0, "at random: repeated");
    }
};

/**
 * @ingroup aidc-test
 * @brief Random choices are those of the streams that are assigned.
 */
class StreamsTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param selector the TypeId name of what chooses
     */
    explicit StreamsTestCase(const std::string& selector)
        : TestCase("the same streams give the same choices, other streams others: " + selector),
          m_selector(selector)
    {
    }

  private:
    /**
     * @brief Get the ports of 200 flows.
     * @param stream the first stream
     * @return the ports
     */
    std::vector<uint32_t> Choose(int64_t stream)
    {
        auto bench = MakeRouter(4, m_selector, 1); // the hash does not depend on the node
        NS_TEST_EXPECT_MSG_EQ(
            MultipathRoutingHelper::AssignStreams(NodeContainer(bench->node), stream),
            1,
            "streams used");
        std::vector<uint32_t> ports;
        for (uint32_t flow = 0; flow < 200; ++flow)
        {
            ports.push_back(bench->GetPort(flow));
        }
        Simulator::Destroy();
        return ports;
    }

    void DoRun() override
    {
        const auto first = Choose(5);
        NS_TEST_EXPECT_MSG_EQ((Choose(5) == first), true, "the same stream");
        NS_TEST_EXPECT_MSG_EQ((Choose(6) == first), false, "another stream");
    }

    std::string m_selector; ///< what chooses
};

/**
 * @ingroup aidc-test
 * @brief Hosts with one or two links to a chain of two switches with two links between them.
 *
 *     A -- X == Y -- B
 */
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

    ~ParallelLinks()
    {
        Simulator::Destroy();
    }

    ParallelLinks(const ParallelLinks&) = delete;
    ParallelLinks& operator=(const ParallelLinks&) = delete;

    NodeContainer nodes;                              ///< A, X, Y, B
    std::map<uint16_t, std::set<uint32_t>> linksOf;   ///< of X, by destination port
    std::vector<std::pair<Time, uint32_t>> forwarded; ///< by X: when, over which interface

  private:
    /**
     * @brief Add a route.
     * @param i the node
     * @param network the network
     * @param mask its mask
     * @param nextHops where it leads
     */
    void AddRoute(uint32_t i,
                  const char* network,
                  Ipv4Mask mask,
                  const std::vector<NextHop>& nextHops) const
    {
        MultipathRoutingHelper::GetRouting(nodes.Get(i))
            ->AddRoute(Ipv4Address(network), mask, nextHops);
    }

    /**
     * @brief Note a packet that X forwards.
     * @param packet what follows its header
     * @param interface where it leaves
     */
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
};

/**
 * @ingroup aidc-test
 * @brief A TCP connection stays on its path.
 *
 * Expected results: each of 16 connections of 100 kB has one link, and both links are used: all on
 * one has a probability of 2^-15.
 */
class TcpTestCase : public TestCase
{
  public:
    TcpTestCase()
        : TestCase("HashSelector keeps each TCP connection on one of two equal paths")
    {
    }

  private:
    void DoRun() override
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
        Simulator::Stop(Seconds(5));
        Simulator::Run();
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
};

/**
 * @ingroup aidc-test
 * @brief An interface fails and comes back while datagrams of 16 flows pass, one each millisecond.
 *
 * Expected results: 300 rounds of 16 datagrams, all of which arrive; from 100 ms on, when one of
 * the links goes down, until 200 ms, when it is up again, all take the other.
 */
class FailureTestCase : public TestCase
{
  public:
    FailureTestCase()
        : TestCase("traffic leaves an interface that goes down, and takes it again when it is up")
    {
    }

  private:
    void DoRun() override
    {
        ParallelLinks network;
        std::vector<Ptr<Socket>> senders;
        uint32_t nReceived = 0;
        network.nodes.Get(3)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "LocalDeliver",
            Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
                [&nReceived](const Ipv4Header&, Ptr<const Packet>, uint32_t) { ++nReceived; }));
        auto sink = Socket::CreateSocket(network.nodes.Get(3), UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        for (uint32_t flow = 0; flow < 16; ++flow)
        {
            auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
            socket->Connect(InetSocketAddress(Ipv4Address("10.0.4.2"), 9));
            for (int64_t i = 0; i < 300; ++i)
            {
                Simulator::Schedule(MilliSeconds(i),
                                    [socket] { socket->Send(Create<Packet>(100)); });
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
            NS_TEST_EXPECT_MSG_GT(counts[i][3], 0, "the link that stays, part " << i);
        }
        NS_TEST_EXPECT_MSG_GT(counts[0][2], 0, "before");
        NS_TEST_EXPECT_MSG_EQ(counts[1][2], 0, "while it is down");
        NS_TEST_EXPECT_MSG_EQ(counts[2][2], counts[0][2], "after");
        NS_TEST_EXPECT_MSG_EQ(nReceived, 4800, "received");
    }
};

/**
 * @ingroup aidc-test
 * @brief What chooses among next hops.
 */
class AidcNextHopSelectorTestSuite : public TestSuite
{
  public:
    AidcNextHopSelectorTestSuite()
        : TestSuite("aidc-next-hop-selector", TestSuite::Type::UNIT)
    {
        for (const auto* selector : {"ns3::aidc::HashSelector",
                                     "ns3::aidc::WeightedSelector",
                                     "ns3::aidc::FlowletSelector",
                                     "ns3::aidc::FlowSetSelector",
                                     "ns3::aidc::SpraySelector"})
        {
            AddTestCase(new WeightZeroTestCase(selector));
        }
        AddTestCase(new ForeseeTestCase("ns3::aidc::HashSelector", ForeseeTestCase::ALL));
        AddTestCase(new ForeseeTestCase("ns3::aidc::WeightedSelector", ForeseeTestCase::ALL));
        AddTestCase(new ForeseeTestCase("ns3::aidc::FlowSetSelector", ForeseeTestCase::KNOWN));
        AddTestCase(new ForeseeTestCase("ns3::aidc::FlowletSelector", ForeseeTestCase::NONE));
        AddTestCase(new ForeseeTestCase("ns3::aidc::SpraySelector", ForeseeTestCase::NONE));
        AddTestCase(new FragmentTestCase);
        AddTestCase(new PolarizationTestCase(0));
        AddTestCase(new PolarizationTestCase(1));
        AddTestCase(new WeightedTestCase);
        AddTestCase(new FlowletTestCase);
        AddTestCase(new SprayTestCase);
        for (const auto* selector : {"ns3::aidc::FlowletSelector",
                                     "ns3::aidc::FlowSetSelector",
                                     "ns3::aidc::SpraySelector"})
        {
            AddTestCase(new StreamsTestCase(selector));
        }
        AddTestCase(new TcpTestCase);
        AddTestCase(new FailureTestCase);
    }
};

/// The instance that registers the suite
const AidcNextHopSelectorTestSuite g_aidcNextHopSelectorTestSuite;

} // namespace
