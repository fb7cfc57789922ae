// SPDX-License-Identifier: GPL-2.0-only

#include "router-bench.h"
#include "test/test-case.h"

#include "ns3/ipv4-interface-address.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/tcp-header.h"

#include <iomanip>

// The table of MultipathRouting, and the routes that it gives.
AIDC_TEST_SUITE("aidc-multipath-routing", UNIT);

// Expected results: of 0.0.0.0/0, 10.0.0.0/8, 10.9.0.0/16, 10.9.8.0/24 and 10.9.8.7/32 the longest
// that has the destination.
AIDC_TEST_CASE("the route with the longest prefix wins; a discard route ends the search")
{
    RouterBench bench(5);
    bench.Start();
    AIDC_EXPECT(bench.AskFor("10.9.8.7") == Verdict::NONE, "no route");
    auto& routing = *bench.routing;
    routing.AddRoute(Ipv4Address("10.9.0.0"), Ipv4Mask("/16"), {NextHop(3)});
    routing.AddRoute(Ipv4Address("0.0.0.0"), Ipv4Mask("/0"), {NextHop(1)});
    routing.AddRoute(Ipv4Address("10.9.8.7"), Ipv4Mask("/32"), {NextHop(5)});
    routing.AddRoute(Ipv4Address("10.0.0.0"),
                     Ipv4Mask("/8"),
                     {NextHop(2, Ipv4Address("10.0.0.9"))});
    routing.AddRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24"), {NextHop(4)});
    const auto expect = [this, &bench](const char* destination, uint32_t port) {
        AIDC_EXPECT(bench.AskFor(destination) == Verdict::FORWARD, destination);
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
    AIDC_EXPECT(bench.AskFor("10.9.8.8") == Verdict::REFUSE, "discarded");
    expect("10.9.8.7", 5);
    AIDC_EXPECT(routing.RemoveRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24")), "removed");
    AIDC_EXPECT(!routing.RemoveRoute(Ipv4Address("10.9.8.0"), Ipv4Mask("/24")), "not there");
    expect("10.9.8.8", 3);
    Simulator::Destroy();
}

// Expected results: the numbers of routes and groups beyond the route and the group at the start,
// which are for the loopback network, 127.0.0.0/8.
AIDC_TEST_CASE("routes with the same next hops share a group, which goes with the last of them")
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

// A route without usable next hop gives way.
AIDC_TEST_CASE("a route whose interfaces are all down gives way to the next shorter prefix")
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
        AIDC_EXPECT(found == ports, what);
    };
    expect({1, 2, 3}, "all up");
    bench.ipv4->SetDown(2);
    expect({1, 3}, "one down");
    bench.ipv4->SetDown(1);
    bench.ipv4->SetDown(3);
    expect({4}, "the shorter prefix");
    bench.ipv4->SetDown(4);
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::NONE, "no route");
    routing.AddDiscardRoute(Ipv4Address("0.0.0.0"), Ipv4Mask("/0"));
    AIDC_EXPECT(bench.AskFor("10.9.0.1") == Verdict::REFUSE, "discarded");
    bench.ipv4->SetUp(4);
    expect({4}, "the shorter prefix is back");
    bench.ipv4->SetUp(2);
    expect({2}, "the longer prefix is back");
    bench.ipv4->SetUp(1);
    bench.ipv4->SetUp(3);
    expect({1, 2, 3}, "all up again");
    Simulator::Destroy();
}

// Routes of packets that this node sends.
AIDC_TEST_CASE("RouteOutput keeps to the interface that is asked for, and what it gives away")
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
        AIDC_EXPECT((used == std::set<uint32_t>{1, 2, 3}), "all interfaces");
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
    AIDC_EXPECT((ofConnections == std::set<uint32_t>{1, 2, 3}), "all");
    NS_TEST_EXPECT_MSG_EQ(output(0, 3, true)->GetSource(),
                          Ipv4Address("10.3.0.1"),
                          "the interface's address");
    AIDC_EXPECT(output(0, 4, true) == nullptr, "no route over this one");
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
    AIDC_EXPECT(ask("192.0.2.1") == nullptr, "down");
    NS_TEST_EXPECT_MSG_EQ(error, Socket::ERROR_NOROUTETOHOST, "said so");
    Simulator::Destroy();
}

AIDC_TEST_CASE("PrintRoutingTable lists the routes and leaves the stream's format alone")
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
    os << std::hex << std::showbase << std::internal << std::setfill('*') << std::setprecision(2);
    const auto flags = os.flags();
    bench.routing->PrintRoutingTable(Create<OutputStreamWrapper>(&os));
    AIDC_EXPECT(os.flags() == flags, "flags");
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
        AIDC_EXPECT(all.find(text) != std::string::npos, text << ": " << all);
    }
}

// Configuration errors end the program.
AIDC_TEST_CASE("a wrong route ends the program with a message")
{
    const auto expect = [this](const std::function<void(MultipathRouting&)>& call,
                               const char* message) {
        ExpectRefusal(message, [&call] {
            RouterBench bench(2);
            bench.Start();
            bench.routing->AddRoute(NETWORK, MASK16, {NextHop(1), NextHop(2)});
            call(*bench.routing);
        });
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

// UpdateRoutes sets weights in place where all routes of a group change alike.
AIDC_TEST_CASE("routes that change alike keep their group")
{
    RouterBench bench(2);
    bench.Start();
    auto& routing = *bench.routing;
    const auto group = [&routing](const char* address) {
        return routing.FindTransit(Ipv4Address(address).Get());
    };
    const auto make = [](const char* network, double first, double second) {
        const Ipv4Address any = Ipv4Address::GetAny();
        return RouteUpdate{Ipv4Address(network),
                           MASK16,
                           {NextHop(1, any, first), NextHop(2, any, second)}};
    };
    const auto weigh = [&group](const char* address) {
        return group(address)->members[1].nextHop.weight;
    };
    routing.UpdateRoutes({make("10.1.0.0", 1, 1), make("10.2.0.0", 1, 1)});
    const NextHopGroup* const shared = group("10.1.0.1");
    AIDC_ASSERT(shared && shared == group("10.2.0.1"), "one group");

    routing.UpdateRoutes({make("10.2.0.0", 1, 3), make("10.1.0.0", 1, 3)});
    AIDC_EXPECT(group("10.1.0.1") == shared && group("10.2.0.1") == shared, "alike: in place");
    NS_TEST_EXPECT_MSG_EQ(weigh("10.1.0.1"), 3, "the weight is set");

    routing.UpdateRoutes({make("10.1.0.0", 1, 2)});
    AIDC_EXPECT(group("10.2.0.1") == shared, "the other one stays");
    NS_TEST_EXPECT_MSG_EQ(weigh("10.2.0.1"), 3, "and keeps its weight");
    NS_TEST_EXPECT_MSG_EQ(weigh("10.1.0.1"), 2, "the first one has its own");
    routing.UpdateRoutes({make("10.2.0.0", 1, 5), make("10.1.0.0", 1, 4)});
    AIDC_EXPECT(group("10.2.0.1") == shared, "alone: in place");
    NS_TEST_EXPECT_MSG_EQ(weigh("10.2.0.1"), 5, "the second");
    NS_TEST_EXPECT_MSG_EQ(weigh("10.1.0.1"), 4, "the first");

    // Together again, then apart in one call
    routing.AddRoute(Ipv4Address("10.1.0.0"), MASK16, make("10.1.0.0", 1, 5).nextHops);
    AIDC_EXPECT(group("10.1.0.1") == shared, "together");
    routing.UpdateRoutes({make("10.1.0.0", 1, 6), make("10.2.0.0", 1, 7)});
    NS_TEST_EXPECT_MSG_EQ(weigh("10.1.0.1"), 6, "apart: the first");
    NS_TEST_EXPECT_MSG_EQ(weigh("10.2.0.1"), 7, "apart: the second");

    routing.UpdateRoutes({{Ipv4Address("10.1.0.0"), MASK16, {NextHop(2)}}});
    NS_TEST_EXPECT_MSG_EQ(group("10.1.0.1")->members.size(), 1, "other next hops");
    Simulator::Destroy();
}
