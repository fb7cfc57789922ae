/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../death-test.h"
#include "router-bench.h"
#include "routing-comparison.h"

#include "ns3/icmpv4.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/node-container.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"
#include "ns3/udp-socket-factory.h"

#include <cmath>
#include <functional>
#include <iomanip>
#include <limits>
#include <set>
#include <sstream>
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
 * @ingroup aidc-test
 * @brief The longest prefix wins, and a discard route ends the search.
 *
 * Expected results: of 0.0.0.0/0, 10.0.0.0/8, 10.9.0.0/16, 10.9.8.0/24 and 10.9.8.7/32 the longest
 * that has the destination.
 */
class LongestPrefixTestCase : public TestCase
{
  public:
    LongestPrefixTestCase()
        : TestCase("the route with the longest prefix wins; a discard route ends the search")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(5);
        bench.Start();
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.8.7") == Verdict::NONE), true, "no route");
        auto& routing = *bench.routing;
        routing.AddRoute(Ipv4Address("10.9.0.0"), Ipv4Mask("/16"), {NextHop(3)});
        routing.AddRoute(Ipv4Address("0.0.0.0"), Ipv4Mask("/0"), {NextHop(1)});
        routing.AddRoute(Ipv4Address("10.9.8.7"), Ipv4Mask("/32"), {NextHop(5)});
        routing.AddRoute(Ipv4Address("10.0.0.0"),
                         Ipv4Mask("/8"),
                         {NextHop(2, Ipv4Address("10.0.0.9"))});
        routing.AddRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24"), {NextHop(4)});
        const auto expect = [this, &bench](const char* destination, uint32_t port) {
            NS_TEST_EXPECT_MSG_EQ((bench.AskFor(destination) == Verdict::FORWARD),
                                  true,
                                  destination);
            NS_TEST_EXPECT_MSG_EQ(bench.outInterface, port, destination);
        };
        expect("11.9.8.7", 1);
        expect("10.8.8.7", 2);
        NS_TEST_EXPECT_MSG_EQ(bench.gateway, Ipv4Address("10.0.0.9"), "gateway");
        expect("10.9.9.7", 3);
        NS_TEST_EXPECT_MSG_EQ(bench.gateway, Ipv4Address::GetAny(), "on the link");
        expect("10.9.8.8", 4);
        expect("10.9.8.7", 5);
        routing.AddDiscardRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24"));
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.8.8") == Verdict::REFUSE), true, "discarded");
        expect("10.9.8.7", 5);
        NS_TEST_EXPECT_MSG_EQ(routing.RemoveRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24")),
                              true,
                              "removed");
        NS_TEST_EXPECT_MSG_EQ(routing.RemoveRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24")),
                              false,
                              "not there");
        expect("10.9.8.8", 3);
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Routes with the same next hops share a group.
 *
 * Expected results: the numbers of routes and groups beyond those at the start, which are those of
 * the loopback network, 127.0.0.0/8.
 */
class GroupTestCase : public TestCase
{
  public:
    GroupTestCase()
        : TestCase("routes with the same next hops share a group, which goes with the last of them")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(4);
        bench.Start();
        auto& routing = *bench.routing;
        const auto expect = [this, &routing](std::size_t routes, std::size_t groups) {
            NS_TEST_EXPECT_MSG_EQ(routing.GetNRoutes(), 1 + routes, "routes");
            NS_TEST_EXPECT_MSG_EQ(routing.GetNGroups(), 1 + groups, "groups of " << routes);
        };
        const Ipv4Mask mask("/24");
        const auto network = [](uint32_t i) { return Ipv4Address(0x0a000000 + (i << 8)); };
        expect(0, 0);
        for (uint32_t i = 0; i < 100; ++i)
        {
            routing.AddRoute(network(i), mask, bench.GetAllPorts());
        }
        expect(100, 1);
        // One next hop, weight or gateway that differs makes another group.
        routing.AddRoute(network(100), mask, {NextHop(1), NextHop(2)});
        expect(101, 2);
        routing.AddRoute(network(101), mask, {NextHop(1), NextHop(2, Ipv4Address("10.2.2.2"))});
        expect(102, 3);
        routing.AddRoute(network(102), mask, {NextHop(1), NextHop(2, Ipv4Address::GetAny(), 3)});
        expect(103, 4);
        routing.AddRoute(network(102), mask, {NextHop(1), NextHop(2)}); // replaced
        expect(103, 3);
        routing.AddRoute(network(102), mask, {NextHop(1), NextHop(2)}); // by the same
        expect(103, 3);
        routing.AddDiscardRoute(network(101), mask);
        expect(103, 2);
        routing.RemoveRoute(network(100), mask);
        expect(102, 2);
        routing.RemoveRoute(network(102), mask);
        expect(101, 1);
        for (uint32_t i = 0; i < 100; ++i)
        {
            routing.RemoveRoute(network(i), mask);
        }
        expect(1, 0);
        routing.RemoveRoute(network(101), mask);
        expect(0, 0);
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief A route without usable next hop gives way.
 */
class DownTestCase : public TestCase
{
  public:
    DownTestCase()
        : TestCase("a route whose interfaces are all down gives way to the next shorter prefix")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(4);
        bench.Start();
        auto& routing = *bench.routing;
        routing.AddRoute(Ipv4Address("10.0.0.0"), Ipv4Mask("/8"), {NextHop(4)});
        routing.AddRoute(NETWORK, MASK16, {NextHop(1), NextHop(2), NextHop(3)});
        const auto expect = [this, &bench](const std::set<uint32_t>& ports, const char* what) {
            std::set<uint32_t> found;
            for (uint32_t flow = 0; flow < 200; ++flow)
            {
                found.insert(bench.GetPort(flow));
            }
            NS_TEST_EXPECT_MSG_EQ((found == ports), true, what);
        };
        expect({1, 2, 3}, "all up");
        bench.ipv4->SetDown(2);
        expect({1, 3}, "one down");
        bench.ipv4->SetDown(1);
        bench.ipv4->SetDown(3);
        expect({4}, "the shorter prefix");
        bench.ipv4->SetDown(4);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE), true, "no route");
        routing.AddDiscardRoute(Ipv4Address("0.0.0.0"), Ipv4Mask("/0"));
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::REFUSE), true, "discarded");
        bench.ipv4->SetUp(4);
        expect({4}, "the shorter prefix is back");
        bench.ipv4->SetUp(2);
        expect({2}, "the longer prefix is back");
        bench.ipv4->SetUp(1);
        bench.ipv4->SetUp(3);
        expect({1, 2, 3}, "all up again");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The networks of interfaces come and go with them.
 */
class ConnectedTestCase : public TestCase
{
  public:
    ConnectedTestCase()
        : TestCase("a connected network is there while its interface is up and has the address")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(3);
        bench.Start();
        const Ipv4InterfaceAddress address("10.9.0.2", "255.255.255.0");
        const auto isConnected = [&bench] {
            return bench.AskFor("10.9.0.1") == Verdict::FORWARD && bench.outInterface == 1;
        };
        bench.ipv4->AddAddress(1, address);
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "address added");
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.2") == Verdict::LOCAL), true, "own address");
        bench.ipv4->SetDown(1);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE), true, "down");
        bench.ipv4->SetUp(1);
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "up");
        bench.ipv4->RemoveAddress(1, 0);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE), true, "removed");
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.2") == Verdict::NONE), true, "not its own");
        bench.ipv4->SetDown(1);
        bench.ipv4->AddAddress(1, address);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE),
                              true,
                              "added while down");
        bench.ipv4->SetUp(1);
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "up again");

        // A user's route to the same network wins, whichever was there first.
        const Ipv4Mask mask("/24");
        bench.routing->AddRoute(Ipv4Address("10.9.0.0"), mask, {NextHop(2)});
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route");
        bench.ipv4->SetDown(1);
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route stays");
        bench.ipv4->SetUp(1);
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route was first");
        NS_TEST_EXPECT_MSG_EQ(bench.routing->RemoveRoute(Ipv4Address("10.9.0.0"), mask), true, "");
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "the user's route removed");
        bench.routing->AddRoute(Ipv4Address("10.9.0.0"), mask, {NextHop(2)});
        bench.ipv4->RemoveAddress(1, 0);
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route without the address");
        bench.routing->RemoveRoute(Ipv4Address("10.9.0.0"), mask);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE), true, "nothing left");

        // The connected network stands in while the user's route cannot be used.
        bench.ipv4->AddAddress(1, address);
        bench.routing->AddRoute(Ipv4Address("10.9.0.0"), mask, {NextHop(2)});
        bench.ipv4->SetDown(2);
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "the user's route is down");
        bench.ipv4->SetDown(1);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE), true, "both down");
        bench.ipv4->SetUp(1);
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "the connected network is up");
        bench.ipv4->SetUp(2);
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route is up");
        bench.routing->AddDiscardRoute(Ipv4Address("10.9.0.0"), mask);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::REFUSE), true, "discard");
        bench.routing->RemoveRoute(Ipv4Address("10.9.0.0"), mask);
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "no route of the user");
        NS_TEST_EXPECT_MSG_EQ(bench.routing->GetNGroups(), 2, "this and 127.0.0.0/8");
        bench.ipv4->RemoveAddress(1, 0);
        NS_TEST_EXPECT_MSG_EQ(bench.routing->GetNGroups(), 1, "127.0.0.0/8");

        // Two interfaces of one network
        bench.ipv4->AddAddress(1, address);
        bench.ipv4->AddAddress(2, Ipv4InterfaceAddress("10.9.0.3", "255.255.255.0"));
        NS_TEST_EXPECT_MSG_EQ(isConnected(), true, "over the first interface");
        bench.ipv4->SetDown(1);
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "over the second one");
        bench.ipv4->SetDown(2);
        NS_TEST_EXPECT_MSG_EQ((bench.AskFor("10.9.0.1") == Verdict::NONE), true, "over neither");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Routes of packets that this node sends.
 */
class RouteOutputTestCase : public TestCase
{
  public:
    RouteOutputTestCase()
        : TestCase("RouteOutput keeps to the interface that is asked for, and what it gives away")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(3);
        bench.Start();
        auto& routing = *bench.routing;
        routing.AddRoute(NETWORK, MASK16, bench.GetAllPorts());
        routing.AddRoute(Ipv4Address("0.0.0.0"), Ipv4Mask("/0"), {NextHop(1)});
        bench.ipv4->AddAddress(3, Ipv4InterfaceAddress("10.3.0.1", "255.255.255.0"));
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        const auto output = [&](uint32_t flow, uint32_t oif, bool hasPacket) {
            return routing.RouteOutput(hasPacket ? RouterBench::MakePayload(flow) : nullptr,
                                       RouterBench::MakeHeader(flow),
                                       oif > 0 ? bench.node->GetDevice(oif) : nullptr,
                                       error);
        };
        for (const bool hasPacket : {false, true})
        {
            std::set<uint32_t> used;
            for (uint32_t flow = 0; flow < 100000; flow += 1000) // of different sources
            {
                const auto route = output(flow, 0, hasPacket);
                used.insert(bench.ipv4->GetInterfaceForDevice(route->GetOutputDevice()));
                NS_TEST_EXPECT_MSG_EQ(output(flow, 0, hasPacket)->GetOutputDevice(),
                                      route->GetOutputDevice(),
                                      "again");
            }
            NS_TEST_EXPECT_MSG_EQ((used == std::set<uint32_t>{1, 2, 3}), true, "all interfaces");
            for (uint32_t oif = 1; oif <= 3; ++oif)
            {
                NS_TEST_EXPECT_MSG_EQ(output(0, oif, hasPacket)->GetOutputDevice(),
                                      bench.node->GetDevice(oif),
                                      "the interface that is asked for");
            }
        }
        // TCP is asked with its header: connections of the same addresses spread by their ports.
        std::set<uint32_t> ofConnections;
        for (uint16_t port = 1; port < 100; ++port)
        {
            auto packet = Create<Packet>();
            TcpHeader tcp;
            tcp.SetSourcePort(port);
            packet->AddHeader(tcp);
            auto tcpHeader = RouterBench::MakeHeader(0);
            tcpHeader.SetProtocol(6);
            const auto route = routing.RouteOutput(packet, tcpHeader, nullptr, error);
            ofConnections.insert(bench.ipv4->GetInterfaceForDevice(route->GetOutputDevice()));
            bench.Ask(tcpHeader, packet);
            NS_TEST_EXPECT_MSG_EQ(route->GetOutputDevice(),
                                  bench.node->GetDevice(bench.outInterface),
                                  "as if it were forwarded");
        }
        NS_TEST_EXPECT_MSG_EQ((ofConnections == std::set<uint32_t>{1, 2, 3}), true, "all");
        NS_TEST_EXPECT_MSG_EQ(output(0, 3, true)->GetSource(),
                              Ipv4Address("10.3.0.1"),
                              "the interface's address");
        NS_TEST_EXPECT_MSG_EQ((output(0, 4, true) == nullptr), true, "no route over this one");
        NS_TEST_EXPECT_MSG_EQ(error, Socket::ERROR_NOROUTETOHOST, "said so");

        // A route that is kept does not change.
        auto header = RouterBench::MakeHeader(0);
        const auto ask = [&](const char* destination) {
            header.SetDestination(Ipv4Address(destination));
            return routing.RouteOutput(nullptr, header, nullptr, error);
        };
        const auto first = ask("192.0.2.1");
        const auto second = ask("192.0.2.2");
        bench.AskFor("192.0.2.3");
        NS_TEST_EXPECT_MSG_EQ(error, Socket::ERROR_NOTERROR, "found");
        NS_TEST_EXPECT_MSG_EQ(first->GetDestination(), Ipv4Address("192.0.2.1"), "first");
        NS_TEST_EXPECT_MSG_EQ(second->GetDestination(), Ipv4Address("192.0.2.2"), "second");
        NS_TEST_EXPECT_MSG_EQ(first->GetOutputDevice(), second->GetOutputDevice(), "same device");
        bench.ipv4->SetDown(1);
        NS_TEST_EXPECT_MSG_EQ((ask("192.0.2.1") == nullptr), true, "down");
        NS_TEST_EXPECT_MSG_EQ(error, Socket::ERROR_NOROUTETOHOST, "said so");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief The printed table.
 */
class PrintTestCase : public TestCase
{
  public:
    PrintTestCase()
        : TestCase("PrintRoutingTable lists the routes and leaves the stream's format alone")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(2);
        bench.Start();
        bench.routing->AddRoute(
            NETWORK,
            MASK16,
            {NextHop(1, Ipv4Address("10.1.1.1"), 2.5), NextHop(2, Ipv4Address("10.2.2.2"))});
        bench.routing->AddDiscardRoute(Ipv4Address("10.0.0.0"), Ipv4Mask("/8"));
        bench.ipv4->SetDown(2);
        std::ostringstream os;
        os << std::hex << std::showbase << std::internal << std::setfill('*')
           << std::setprecision(2);
        const auto flags = os.flags();
        bench.routing->PrintRoutingTable(Create<OutputStreamWrapper>(&os));
        NS_TEST_EXPECT_MSG_EQ((os.flags() == flags), true, "flags");
        NS_TEST_EXPECT_MSG_EQ(os.fill(), '*', "fill character");
        NS_TEST_EXPECT_MSG_EQ(os.precision(), 2, "precision");

        std::ostringstream plain;
        bench.routing->PrintRoutingTable(Create<OutputStreamWrapper>(&plain));
        std::vector<std::string> words;
        std::istringstream is(plain.str());
        std::string all;
        for (std::string word; is >> word;)
        {
            all += word + ' ';
        }
        for (const auto* text : {"Destination Gateway Weight State Iface ",
                                 "10.9.0.0/16 10.1.1.1 2.5 up 1 10.2.2.2 1 down 2 ",
                                 "10.0.0.0/8 discard ",
                                 "127.0.0.0/8 0.0.0.0 1 up 0 "})
        {
            NS_TEST_EXPECT_MSG_EQ((all.find(text) != std::string::npos), true, text << ": " << all);
        }
        Simulator::Destroy();
    }
};

/// What happens in a SmallNetwork.
using Scenario = std::function<void(SmallNetwork&)>;

/// A line and how often it is expected.
using ExpectedLine = std::pair<std::string, uint32_t>;

/**
 * @ingroup aidc-test
 * @brief MultipathRouting, alone and in a list, does what ns-3's static routing does.
 *
 * Expected results: the same packets are sent, delivered and dropped in the same order; and the
 * lines that the scenario is about.
 */
class ComparisonTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param name what it is about
     * @param scenario what happens
     * @param lines what that gives
     * @param reference with which it is compared
     */
    ComparisonTestCase(const std::string& name,
                       Scenario scenario,
                       const std::vector<ExpectedLine>& lines,
                       RoutingKind reference = RoutingKind::STATIC)
        : TestCase("as static routing: " + name),
          m_scenario(std::move(scenario)),
          m_lines(lines),
          m_reference(reference)
    {
    }

  private:
    /**
     * @brief Run the scenario.
     * @param kind the routing protocol
     * @return all that has happened
     */
    std::string Run(RoutingKind kind) const
    {
        SmallNetwork network(kind);
        // When nodes have been initialized, with their queue discs.
        Simulator::Schedule(MilliSeconds(1), [this, &network] { m_scenario(network); });
        return network.Run();
    }

    void DoRun() override
    {
        const std::string expected = Run(m_reference);
        NS_TEST_EXPECT_MSG_EQ(Run(RoutingKind::MULTIPATH), expected, "alone");
        NS_TEST_EXPECT_MSG_EQ(Run(RoutingKind::MULTIPATH_IN_LIST), expected, "in a list");
        for (const auto& [text, n] : m_lines)
        {
            uint32_t found = 0;
            std::istringstream is(expected);
            for (std::string line; std::getline(is, line);)
            {
                found += line == text ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_EQ(found, n, text << " in\n" << expected);
        }
    }

    Scenario m_scenario;               ///< what happens
    std::vector<ExpectedLine> m_lines; ///< what that gives
    RoutingKind m_reference;           ///< with which it is compared
};

/**
 * @ingroup aidc-test
 * @brief Where multicast packets go.
 *
 * Expected results: the outputs of the first route of the group whose origin and input match, less
 * those that are down and the one on which the packet came.
 */
class MulticastTestCase : public TestCase
{
  public:
    MulticastTestCase()
        : TestCase("a multicast packet is copied to the outputs of its route that are up, not back")
    {
    }

  private:
    void DoRun() override
    {
        RouterBench bench(4);
        bench.Start();
        auto& routing = *bench.routing;
        const Ipv4Address source = RouterBench::MakeHeader(0).GetSource();
        routing.AddMulticastRoute(source, Ipv4Address("239.1.1.1"), bench.input, {1, 2});
        routing.AddMulticastRoute(Ipv4Address::GetAny(),
                                  Ipv4Address("239.1.1.1"),
                                  Ipv4::IF_ANY,
                                  {3, 4, bench.input});
        routing.AddMulticastRoute(Ipv4Address::GetAny(), Ipv4Address("239.1.1.2"), 1, {2});
        const auto expect =
            [&](const char* group, uint32_t flow, const std::set<uint32_t>& outputs) {
                auto header = RouterBench::MakeHeader(flow);
                header.SetDestination(Ipv4Address(group));
                bench.Ask(header, RouterBench::MakePayload(flow));
                NS_TEST_EXPECT_MSG_EQ((bench.outputs == outputs), true, group << ", " << flow);
                NS_TEST_EXPECT_MSG_EQ(bench.nDelivered, 1, group << ", delivered");
            };
        expect("239.1.1.1", 0, {1, 2});
        expect("239.1.1.1", 1000, {3, 4}); // another source
        expect("239.1.1.2", 0, {});        // another input
        expect("239.1.1.3", 0, {});
        bench.ipv4->SetDown(4);
        expect("239.1.1.1", 1000, {3});
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Routers without addresses at their ports.
 *
 *     A (10.0.1.1) -- R1 (10.255.0.1 at lo) -- R2 (10.255.0.2 at lo) -- B (10.0.2.1)
 *
 * Expected results: datagrams with a TTL of 1 and 2 come back as ICMP time exceeded (type 11) of R1
 * and R2, and one with a TTL of 3 as port unreachable (type 3) of B.
 */
class UnnumberedTestCase : public TestCase
{
  public:
    UnnumberedTestCase()
        : TestCase("a router without addresses at its ports forwards, and sends from its router ID")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(4);
        InternetStackHelper stack;
        stack.SetRoutingHelper(MultipathRoutingHelper());
        stack.Install(nodes);
        PointToPointHelper link;
        for (uint32_t i = 0; i < 3; ++i)
        {
            link.Install(nodes.Get(i), nodes.Get(i + 1));
        }
        std::vector<Ptr<Ipv4>> ipv4;
        for (uint32_t i = 0; i < 4; ++i)
        {
            ipv4.push_back(nodes.Get(i)->GetObject<Ipv4>());
            for (uint32_t d = 1; d < nodes.Get(i)->GetNDevices(); ++d)
            {
                ipv4[i]->AddInterface(nodes.Get(i)->GetDevice(d));
                ipv4[i]->SetUp(d);
            }
        }
        const auto add = [&ipv4, &nodes](uint32_t i, const char* network, uint32_t interface) {
            MultipathRoutingHelper::GetRouting(nodes.Get(i))
                ->AddRoute(Ipv4Address(network), Ipv4Mask("/24"), {NextHop(interface)});
        };
        const Ipv4Mask host = Ipv4Mask::GetOnes();
        ipv4[0]->AddAddress(1, Ipv4InterfaceAddress(Ipv4Address("10.0.1.1"), host));
        ipv4[1]->AddAddress(0, Ipv4InterfaceAddress(Ipv4Address("10.255.0.1"), host));
        ipv4[2]->AddAddress(0, Ipv4InterfaceAddress(Ipv4Address("10.255.0.2"), host));
        ipv4[3]->AddAddress(1, Ipv4InterfaceAddress(Ipv4Address("10.0.2.1"), host));
        add(0, "10.0.2.0", 1);
        add(1, "10.0.2.0", 2);
        add(2, "10.0.2.0", 2);
        add(1, "10.0.1.0", 1);
        add(2, "10.0.1.0", 1);
        add(3, "10.0.1.0", 1);
        add(3, "10.255.0.0", 1);
        ipv4[0]->TraceConnectWithoutContext("LocalDeliver",
                                            MakeCallback(&UnnumberedTestCase::Note, this));
        auto socket = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        for (uint8_t ttl = 1; ttl <= 3; ++ttl)
        {
            Simulator::Schedule(MilliSeconds(ttl), [socket, ttl] {
                socket->SetIpTtl(ttl);
                socket->SendTo(Create<Packet>(100),
                               0,
                               InetSocketAddress(Ipv4Address("10.0.2.1"), 33434));
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_log,
                              "10.255.0.1 type 11, 10.255.0.2 type 11, 10.0.2.1 type 3, ",
                              "ICMP messages");

        // Its own packets, too.
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        Ipv4Header header;
        header.SetDestination(Ipv4Address("10.0.1.1"));
        const auto route = MultipathRoutingHelper::GetRouting(nodes.Get(1))
                               ->RouteOutput(nullptr, header, nullptr, error);
        NS_TEST_EXPECT_MSG_EQ(route->GetSource(), Ipv4Address("10.255.0.1"), "router ID");
        Simulator::Destroy();
    }

    /**
     * @brief Note an ICMP message.
     * @param header its header
     * @param packet what follows
     */
    void Note(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
    {
        Icmpv4Header icmp;
        packet->PeekHeader(icmp);
        std::ostringstream os;
        os << header.GetSource() << " type " << int{icmp.GetType()} << ", ";
        m_log += os.str();
    }

    std::string m_log; ///< the messages
};

/**
 * @ingroup aidc-test
 * @brief Configuration errors end the program.
 */
class DeathTestCase : public TestCase
{
  public:
    DeathTestCase()
        : TestCase("a wrong route ends the program with a message")
    {
    }

  private:
    void DoRun() override
    {
        const auto expect = [this](const std::function<void(MultipathRouting&)>& call,
                                   const char* message) {
            const auto ending = RunInChild([&call] {
                RouterBench bench(2);
                bench.Start();
                bench.routing->AddRoute(NETWORK, MASK16, {NextHop(1), NextHop(2)});
                call(*bench.routing);
            });
            NS_TEST_EXPECT_MSG_EQ(ending.Says(message), true, message << ": " << ending.errors);
        };
        const auto expectRoute = [&expect](const Ipv4Address& network,
                                           const std::vector<NextHop>& nextHops,
                                           const char* message) {
            expect([&](MultipathRouting& r) { r.AddRoute(network, MASK16, nextHops); }, message);
        };
        expectRoute(Ipv4Address("10.9.0.1"), {NextHop(1)}, "10.9.0.1 has bits beyond its mask");
        expectRoute(NETWORK, {}, "the route to 10.9.0.0 has no next hop");
        expectRoute(NETWORK, {NextHop(1), NextHop(9)}, "has interfaces 0 to 3, found 9");
        const auto weight = [](double value) { return NextHop(1, Ipv4Address::GetAny(), value); };
        expectRoute(NETWORK, {weight(-1)}, "finite and not negative, found -1");
        expectRoute(NETWORK,
                    {weight(std::numeric_limits<double>::infinity())},
                    "finite and not negative, found inf");
        expectRoute(NETWORK, {weight(std::nan(""))}, "finite and not negative, found");
        expect([](MultipathRouting& r) { r.SetWeights(NETWORK, MASK16, {1, -2}); },
               "for the route to 10.9.0.0, found -2");
        expect([](MultipathRouting& r) { r.AddMulticastRoute(NETWORK, NETWORK, 1, {2}); },
               "expected a multicast group, found 10.9.0.0");
    }
};

/**
 * @ingroup aidc-test
 * @brief MultipathRouting and its selectors.
 */
class AidcMultipathRoutingTestSuite : public TestSuite
{
  public:
    AidcMultipathRoutingTestSuite()
        : TestSuite("aidc-multipath-routing", TestSuite::Type::UNIT)
    {
        AddTestCase(new LongestPrefixTestCase);
        AddTestCase(new GroupTestCase);
        AddTestCase(new DownTestCase);
        AddTestCase(new ConnectedTestCase);
        AddTestCase(new RouteOutputTestCase);
        AddTestCase(new PrintTestCase);
        AddComparisons();
        AddTestCase(new MulticastTestCase);
        AddTestCase(new UnnumberedTestCase);
        AddTestCase(new DeathTestCase);
    }

  private:
    /// Add the comparisons with static routing.
    void AddComparisons()
    {
        using N = SmallNetwork;
        const auto add = [this](const char* name,
                                const Scenario& scenario,
                                const std::vector<ExpectedLine>& lines,
                                RoutingKind reference = RoutingKind::STATIC) {
            AddTestCase(new ComparisonTestCase(name, scenario, lines, reference));
        };
        add("a datagram to a host behind a router",
            [](N& n) { n.Send(N::A, "10.0.2.2"); },
            {{"R tx 2 10.0.1.1 > 10.0.2.2 ttl 63", 1}, {"B gets 100 from 10.0.1.1", 1}});
        add("a TTL of 1 gives ICMP time exceeded",
            [](N& n) { n.Send(N::A, "10.0.2.2", 1); },
            {{"A local 1 10.0.1.2 icmp 11/0", 1}, {"R drops 10.0.2.2 reason 1", 1}});
        add("an interface with forwarding disabled passes nothing on",
            [](N& n) {
                n.GetIpv4(N::R)->SetForwarding(1, false);
                n.Send(N::A, "10.0.2.2");
                n.Send(N::A, "10.0.1.2");
            },
            {{"R drops 10.0.2.2 reason 5", 1}, {"R gets 100 from 10.0.1.1", 1}});
        add("no route",
            [](N& n) {
                n.Send(N::A, "192.0.2.1");
                n.Send(N::S, "192.0.2.1");
            },
            {{"R drops 192.0.2.1 reason 2", 1}, {"S sends -1", 1}});
        add("the broadcast of a connected network",
            [](N& n) { n.Send(N::A, "10.0.1.255"); },
            {{"R gets 100 from 10.0.1.1", 1}});
        add("the broadcast of a network behind a router",
            [](N& n) { n.Send(N::A, "10.0.2.255"); },
            {{"R gets 100 from 10.0.1.1", 1}});
        add("the limited broadcast",
            [](N& n) { n.Send(N::A, "255.255.255.255"); },
            {{"R gets 100 from 10.0.1.1", 1}, {"S gets 100 from 10.0.3.1", 1}});
        add("a datagram to the address of another interface is delivered",
            [](N& n) { n.Send(N::A, "10.0.2.1"); },
            {{"R gets 100 from 10.0.1.1", 1}});
        add("a ping to 127.0.0.1",
            [](N& n) { n.Ping(N::A, "127.0.0.1"); },
            {{"A local 0 127.0.0.1 icmp 8/0", 1}, {"A local 0 127.0.0.1 icmp 0/0", 1}});
        add("a ping to an own address",
            [](N& n) { n.Ping(N::A, "10.0.1.1"); },
            {{"A local 1 10.0.1.1 icmp 0/0", 1}});
        add("a ping to a host behind a router",
            [](N& n) { n.Ping(N::A, "10.0.2.2"); },
            {{"A local 1 10.0.2.2 icmp 0/0", 1}});
        add("a port without socket gives ICMP port unreachable",
            [](N& n) { n.Send(N::A, "10.0.2.2", 64, 10); },
            {{"A local 1 10.0.2.2 icmp 3/3", 1}});
        add("an interface that is down",
            [](N& n) {
                n.GetIpv4(N::R)->SetDown(2);
                n.Send(N::A, "10.0.2.2");
            },
            {{"R drops 10.0.2.2 reason 2", 1}});
        add("a connected network whose route by another way is down",
            [](N& n) {
                n.AddRoute(N::A, "10.0.1.0", "/24", "10.0.3.2", 2);
                n.GetIpv4(N::A)->SetDown(2);
                n.Send(N::A, "10.0.1.2");
                n.Ping(N::R, "10.0.1.1");
            },
            {{"R gets 100 from 10.0.1.1", 1}, {"R local 1 10.0.1.1 icmp 0/0", 1}});
        add("the other way is found by its own route",
            [](N& n) {
                n.AddRoute(N::A, "10.0.4.0", "/24", "10.0.3.2", 2);
                n.AddRoute(N::B, "10.0.3.0", "/24", "10.0.4.1", 2);
                n.Send(N::A, "10.0.4.2");
            },
            {{"S tx 2 10.0.3.1 > 10.0.4.2 ttl 63", 1}, {"B gets 100 from 10.0.3.1", 1}});
        add(
            "a group is forwarded by multicast routes, and delivered on the way",
            [](N& n) {
                n.AddRoute(N::S, "224.0.0.0", "/4", "0.0.0.0", 1);
                n.AddMulticastRoute(N::A, "239.1.1.1", 2, {1});
                n.AddMulticastRoute(N::R, "239.1.1.1", 1, {2});
                n.Send(N::S, "239.1.1.1");
            },
            {{"A gets 100 from 10.0.3.2", 1},
             {"R gets 100 from 10.0.3.2", 1},
             {"B gets 100 from 10.0.3.2", 1}},
            RoutingKind::STATIC_IN_LIST);
        add(
            "a group without multicast route is delivered on the link only",
            [](N& n) {
                n.AddRoute(N::A, "224.0.0.0", "/4", "0.0.0.0", 1);
                n.Send(N::A, "239.1.1.1");
            },
            {{"R gets 100 from 10.0.1.1", 1}, {"B gets 100 from 10.0.1.1", 0}},
            RoutingKind::STATIC_IN_LIST);
    }
};

/// The instance that registers the suite
const AidcMultipathRoutingTestSuite g_aidcMultipathRoutingTestSuite;

} // namespace
