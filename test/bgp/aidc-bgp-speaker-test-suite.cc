/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-network.h"

#include "ns3/test.h"

#include <string>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// A network that is announced: 192.0.2.0/24.
const BgpPrefix PREFIX = MakeBgpPrefix(0xc0000200, 24);

/**
 * @ingroup aidc-test
 * @brief Two speakers come up and tell each other their routes.
 */
class TwoSpeakersTestCase : public TestCase
{
  public:
    TwoSpeakersTestCase()
        : TestCase("two speakers come up, exchange routes, and withdraw them")
    {
    }

  private:
    void DoRun() override
    {
        BgpNetwork network(2);
        BgpPeerSettings settings;
        settings.linkBandwidth = 12.5e9;
        network.Peer(0, 1, settings, settings);
        network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
        BgpNetwork::RunUntil(2);
        NS_TEST_ASSERT_MSG_EQ(network.IsUp(0), true, "session of 0");
        NS_TEST_ASSERT_MSG_EQ(network.IsUp(1), true, "session of 1");
        const auto& paths = network.GetPaths(1, PREFIX);
        NS_TEST_ASSERT_MSG_EQ(paths.size(), 1, "the route is there");
        NS_TEST_EXPECT_MSG_EQ(Ipv4Address(paths[0].nextHop), Ipv4Address("10.0.0.1"), "");
        NS_TEST_EXPECT_MSG_EQ(paths[0].weight, 12.5e9, "the link is the smaller bandwidth");
        // 127.0.0.0/8, the link, and the route; at the origin, none is written
        NS_TEST_EXPECT_MSG_EQ(network.GetRouting(1)->GetNRoutes(), 3, "it is written");
        NS_TEST_EXPECT_MSG_EQ(network.GetRouting(0)->GetNRoutes(), 2, "one's own is not");

        network.speakers[0]->Withdraw(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
        BgpNetwork::RunUntil(3);
        NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 0, "withdrawn");
        NS_TEST_EXPECT_MSG_EQ(network.GetRouting(1)->GetNRoutes(), 2, "removed");

        const BgpSpeakerStatistics statistics = network.speakers[0]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.sent.Get(BgpMessageType::UPDATE).messages, 2, "");
        NS_TEST_EXPECT_MSG_EQ(
            network.speakers[1]->GetStatistics().received.Get(BgpMessageType::UPDATE).bytes,
            statistics.sent.Get(BgpMessageType::UPDATE).bytes,
            "all bytes arrive");
        for (const SeenNotification& seen : network.notifications)
        {
            NS_TEST_EXPECT_MSG_EQ(+seen.code, 6, "both connect at once: no error but");
            NS_TEST_EXPECT_MSG_EQ(+seen.subcode, 7, "a collision (RFC 4486)");
        }
        BgpNetwork::RunUntil(400);
        NS_TEST_EXPECT_MSG_EQ((network.IsUp(0) && network.IsUp(1)), true, "KEEPALIVEs hold it up");
        NS_TEST_EXPECT_MSG_EQ(network.speakers[0]->GetStatistics().lost, 0, "all the time");
    }
};

/**
 * @ingroup aidc-test
 * @brief The test suite.
 */
class BgpSpeakerTestSuite : public TestSuite
{
  public:
    BgpSpeakerTestSuite()
        : TestSuite("aidc-bgp-speaker", TestSuite::Type::UNIT)
    {
        AddTestCase(new TwoSpeakersTestCase);
    }
};

/// Registers the test suite.
BgpSpeakerTestSuite g_bgpSpeakerTestSuite;

} // namespace
