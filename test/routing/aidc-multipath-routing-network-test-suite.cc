// SPDX-License-Identifier: GPL-2.0-only

#include "router-bench.h"
#include "routing-comparison.h"
#include "test/test-case.h"

#include "ns3/ipv4-interface-address.h"

// MultipathRouting in networks: beside ns-3's static routing, with and without addresses.
AIDC_TEST_SUITE("aidc-multipath-routing-network", UNIT);

// The networks of interfaces come and go with them.
AIDC_TEST_CASE("a connected network is there while its interface is up and has the address")
{
    RouterBench bench(3);
    bench.Start();
    const Ipv4InterfaceAddress address("10.9.0.2", "255.255.255.0");
    const auto isConnected = [&bench] {
        return bench.AskFor("10.9.0.1") == Verdict::FORWARD && bench.outInterface == 1;
    };
    bench.ipv4->AddAddress(1, address);
    AIDC_EXPECT(isConnected(), "address added");
    AIDC_EXPECT(bench.AskFor("10.9.0.2") == Verdict::LOCAL, "own address");
    bench.ipv4->SetDown(1);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "down");
    bench.ipv4->SetUp(1);
    AIDC_EXPECT(isConnected(), "up");
    bench.ipv4->RemoveAddress(1, 0);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "removed");
    AIDC_EXPECT(bench.AskFor("10.9.0.2") == Verdict::NONE, "not its own");
    bench.ipv4->SetDown(1);
    bench.ipv4->AddAddress(1, address);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "added while down");
    bench.ipv4->SetUp(1);
    AIDC_EXPECT(isConnected(), "up again");

    // A user's route to the same network wins, whichever was there first.
    const Ipv4Mask mask("/24");
    bench.routing->AddRoute(Ipv4Address("10.9.0.0"), mask, {NextHop(2)});
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route");
    bench.ipv4->SetDown(1);
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route stays");
    bench.ipv4->SetUp(1);
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route was first");
    AIDC_EXPECT(bench.routing->RemoveRoute(Ipv4Address("10.9.0.0"), mask), "the route was there");
    AIDC_EXPECT(isConnected(), "the user's route removed");
    bench.routing->AddRoute(Ipv4Address("10.9.0.0"), mask, {NextHop(2)});
    bench.ipv4->RemoveAddress(1, 0);
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route without the address");
    bench.routing->RemoveRoute(Ipv4Address("10.9.0.0"), mask);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "nothing left");

    // The connected network stands in while the user's route cannot be used.
    bench.ipv4->AddAddress(1, address);
    bench.routing->AddRoute(Ipv4Address("10.9.0.0"), mask, {NextHop(2)});
    bench.ipv4->SetDown(2);
    AIDC_EXPECT(isConnected(), "the user's route is down");
    bench.ipv4->SetDown(1);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "both down");
    bench.ipv4->SetUp(1);
    AIDC_EXPECT(isConnected(), "the connected network is up");
    bench.ipv4->SetUp(2);
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "the user's route is up");
    bench.routing->AddDiscardRoute(Ipv4Address("10.9.0.0"), mask);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::REFUSE, "discard");
    bench.routing->RemoveRoute(Ipv4Address("10.9.0.0"), mask);
    AIDC_EXPECT(isConnected(), "no route of the user");
    NS_TEST_EXPECT_MSG_EQ(bench.routing->GetNGroups(), 2, "this and 127.0.0.0/8");
    bench.ipv4->RemoveAddress(1, 0);
    NS_TEST_EXPECT_MSG_EQ(bench.routing->GetNGroups(), 1, "127.0.0.0/8");

    // Two interfaces of one network
    bench.ipv4->AddAddress(1, address);
    bench.ipv4->AddAddress(2, Ipv4InterfaceAddress("10.9.0.3", "255.255.255.0"));
    AIDC_EXPECT(isConnected(), "over the first interface");
    bench.ipv4->SetDown(1);
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(0), 2, "over the second one");
    bench.ipv4->SetDown(2);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "over neither");
    Simulator::Destroy();
}

/// What happens in a SmallNetwork.
using Scenario = std::function<void(SmallNetwork&)>;

/// A line and how often it is expected.
using ExpectedLine = std::pair<std::string, uint32_t>;

/// MultipathRouting, alone and in a list, does what ns-3's static routing does. Expected results:
/// the same packets are sent, delivered and dropped in the same order; and the lines that the
/// scenario is about.
class ComparisonTestCase : public TestCase
{
  public:
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

    Scenario m_scenario;               //!< what happens
    std::vector<ExpectedLine> m_lines; //!< what that gives
    RoutingKind m_reference;           //!< with which it is compared
};

// Where multicast packets go. Expected results: the outputs of the first route of the group whose
// origin and input match, less the outputs that are down and the one on which the packet came.
AIDC_TEST_CASE("a multicast packet is copied to the outputs of its route that are up, not back")
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
    const auto expect = [&](const char* group, uint32_t flow, const std::set<uint32_t>& outputs) {
        auto header = RouterBench::MakeHeader(flow);
        header.SetDestination(Ipv4Address(group));
        bench.Ask(header, RouterBench::MakePayload(flow));
        AIDC_EXPECT(bench.outputs == outputs, group << ", " << flow);
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

/// Routers without addresses at their ports.
///
///     A (10.0.1.1) -- R1 (10.255.0.1 at lo) -- R2 (10.255.0.2 at lo) -- B (10.0.2.1)
///
/// Expected results: datagrams with a TTL of 1 and 2 come back as ICMP time exceeded (type 11) of
/// R1 and R2, and one with a TTL of 3 as port unreachable (type 3) of B.
class UnnumberedTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Note an ICMP message.
    void Note(const Ipv4Header& header, Ptr<const Packet> packet, uint32_t)
    {
        Icmpv4Header icmp;
        packet->PeekHeader(icmp);
        std::ostringstream os;
        os << header.GetSource() << " type " << int{icmp.GetType()} << ", ";
        m_log += os.str();
    }

    std::string m_log; //!< the messages
};

AIDC_TEST_CASE_F(UnnumberedTestCase,
                 "a router without addresses at its ports forwards, and sends from its router ID")
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

// The comparisons with static routing
AIDC_ADD_TEST_CASES()
{
    using N = SmallNetwork;
    const auto add = [](const char* name,
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
