/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-network.h"

#include "ns3/test.h"

#include <cstdint>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief Routes of BGP are behind connected networks and routes set by hand.
 */
class DistanceTestCase : public TestCase
{
  public:
    DistanceTestCase()
        : TestCase("a connected network and a route set by hand come before BGP's")
    {
    }

  private:
    /// The interface that a router sends by, -1 for none.
    static int32_t GetInterface(const BgpNetwork& network, const char* destination)
    {
        Ipv4Header header;
        header.SetDestination(Ipv4Address(destination));
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        const auto route = network.GetRouting(0)->RouteOutput(nullptr, header, nullptr, error);
        const auto ipv4 = network.nodes.Get(0)->GetObject<Ipv4>();
        return route ? ipv4->GetInterfaceForDevice(route->GetOutputDevice()) : -1;
    }

    void DoRun() override
    {
        // Router 0 has a stub network, 10.0.1.0/30, at interface 2, and BGP at interface 1.
        BgpNetwork network(3);
        network.Peer(0, 1);
        network.Link(0, 2);
        const Ipv4Address stub("10.0.1.0");
        const Ipv4Mask mask("/30");
        network.speakers[1]->Originate(stub, mask);
        BgpNetwork::RunUntil(5);
        NS_TEST_ASSERT_MSG_EQ(network.IsUp(0), true, "the session is up");
        NS_TEST_EXPECT_MSG_EQ(network.GetPaths(0, MakeBgpPrefix(stub.Get(), 30)).size(),
                              1,
                              "BGP knows the network");
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 2, "it is connected");
        const auto ipv4 = network.nodes.Get(0)->GetObject<Ipv4>();
        ipv4->SetDown(2);
        BgpNetwork::RunUntil(6);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 1, "BGP's, while it is down");
        ipv4->SetUp(2);
        BgpNetwork::RunUntil(7);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 2, "connected again");
        network.speakers[1]->Withdraw(stub, mask);
        BgpNetwork::RunUntil(8);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "10.0.1.2"), 2, "as before");

        // A route by hand to 20.0.0.0/8 comes and goes beside BGP's.
        const Ipv4Address far("20.0.0.0");
        const Ipv4Mask eight("/8");
        network.speakers[1]->Originate(far, eight);
        BgpNetwork::RunUntil(9);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 1, "BGP's");
        network.GetRouting(0)->AddRoute(far, eight, {NextHop(2, Ipv4Address("10.0.1.2"), 1)});
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 2, "by hand");
        network.speakers[1]->Withdraw(far, eight);
        BgpNetwork::RunUntil(10);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 2, "stays");
        network.speakers[1]->Originate(far, eight);
        BgpNetwork::RunUntil(11);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 2, "stays in front");
        network.GetRouting(0)->RemoveRoute(far, eight);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), 1, "BGP's again");
        network.speakers[1]->Withdraw(far, eight);
        BgpNetwork::RunUntil(12);
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "20.0.0.1"), -1, "none");

        // An address on a network that BGP has a route to
        network.speakers[1]->Originate(Ipv4Address("30.0.0.0"), eight);
        BgpNetwork::RunUntil(13);
        ipv4->AddAddress(2, {Ipv4Address("30.0.0.1"), eight});
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "30.0.0.2"), 2, "connected");
        ipv4->RemoveAddress(2, Ipv4Address("30.0.0.1"));
        NS_TEST_EXPECT_MSG_EQ(GetInterface(network, "30.0.0.2"), 1, "BGP's again");
    }
};

/**
 * @ingroup aidc-test
 * @brief The test suite.
 */
class BgpGuardsTestSuite : public TestSuite
{
  public:
    BgpGuardsTestSuite()
        : TestSuite("aidc-bgp-guards", TestSuite::Type::UNIT)
    {
        AddTestCase(new DistanceTestCase);
    }
};

/// Registers the test suite.
BgpGuardsTestSuite g_bgpGuardsTestSuite;

} // namespace
