// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-network.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-bgp-speaker", UNIT);

/// A network that is announced: 192.0.2.0/24.
const BgpPrefix PREFIX = MakeBgpPrefix(0xc0000200, 24);

AIDC_TEST_CASE("two speakers come up, exchange routes, and withdraw them")
{
    BgpNetwork network(2);
    BgpPeerSettings settings;
    settings.linkBandwidth = 12.5e9;
    network.Peer(0, 1, settings, settings);
    network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
    BgpNetwork::RunUntil(2);
    AIDC_ASSERT(network.IsUp(0), "session of 0");
    AIDC_ASSERT(network.IsUp(1), "session of 1");
    const auto& paths = network.GetPaths(1, PREFIX);
    NS_TEST_ASSERT_MSG_EQ(paths.size(), 1, "the route is there");
    NS_TEST_EXPECT_MSG_EQ(Ipv4Address(paths[0].nextHop),
                          Ipv4Address("10.0.0.1"),
                          "the next hop of the first path");
    NS_TEST_EXPECT_MSG_EQ(paths[0].weight, 12.5e9, "the link is the smaller bandwidth");
    // 127.0.0.0/8, the link, and the route; at the origin, none is written
    NS_TEST_EXPECT_MSG_EQ(network.GetRouting(1)->GetNRoutes(), 3, "it is written");
    NS_TEST_EXPECT_MSG_EQ(network.GetRouting(0)->GetNRoutes(), 2, "one's own is not");

    network.speakers[0]->Withdraw(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
    BgpNetwork::RunUntil(3);
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 0, "withdrawn");
    NS_TEST_EXPECT_MSG_EQ(network.GetRouting(1)->GetNRoutes(), 2, "removed");

    const BgpSpeakerStatistics statistics = network.speakers[0]->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.sent.Get(BgpMessageType::UPDATE).messages,
                          2,
                          "an UPDATE a route");
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
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "KEEPALIVEs hold it up");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[0]->GetStatistics().lost, 0, "all the time");
}

/// What a speaker has seen: times, states, routes.
using Log = std::vector<std::string>;

/// Note what a speaker sees.
void
Follow(const BgpNetwork& network, uint32_t speaker, Log& log)
{
    const auto note = [&log](const std::string& what) {
        log.push_back(std::to_string(Simulator::Now().GetNanoSeconds()) + ' ' + what);
    };
    ConnectTrace(network.speakers[speaker],
                 "SessionState",
                 [note](uint32_t peer, BgpSessionState, BgpSessionState to) {
                     note(std::to_string(peer) + GetBgpSessionStateName(to));
                 });
    ConnectTrace(network.speakers[speaker],
                 "RouteChange",
                 [note](const BgpPrefix& prefix, const std::vector<BgpRibPath>& paths) {
                     std::ostringstream text;
                     text << prefix;
                     for (const BgpRibPath& path : paths)
                     {
                         text << ' ' << path.peer << ':' << path.weight;
                     }
                     note(text.str());
                 });
}

/// Run three leaves and two spines, with links that fail and links that get slower.
std::vector<Log>
Follow(bool isInWindows)
{
    isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    std::vector<Log> logs(5);
    {
        BgpNetwork network(5, {{"AdvertisementInterval", "500ms"}});
        for (uint32_t i = 0; i < 5; ++i)
        {
            Follow(network, i, logs[i]);
        }
        BgpPeerSettings toLeaf;
        toLeaf.linkBandwidth = 50e9;
        BgpPeerSettings toSpine = toLeaf;
        toSpine.tier = PathBandwidthTier::SPINE;
        for (const uint32_t spine : {3U, 4U})
        {
            network.speakers[spine]->SetAttribute("Tier", StringValue("Spine"));
            for (const uint32_t leaf : {0U, 1U, 2U})
            {
                network.Peer(leaf, spine, toSpine, toLeaf);
            }
        }
        for (const uint32_t leaf : {0U, 1U, 2U})
        {
            network.speakers[leaf]->Originate(Ipv4Address(0xc0000200 + 256 * leaf),
                                              Ipv4Mask("/24"));
        }
        for (uint32_t round = 0; round < 12; ++round)
        {
            BgpNetwork::RunUntil(10 + 3 * round);
            network.SetFailed(round / 2 % 6, round % 2 == 0);
            network.speakers[round % 3]->SetLinkBandwidth(round % 2, 12.5e9 * (1 + round % 4));
        }
        BgpNetwork::RunUntil(100);
        for (uint32_t leaf = 0; leaf < 3; ++leaf)
        {
            logs[leaf].push_back(network.IsUp(leaf, 0) && network.IsUp(leaf, 1) ? "up" : "?");
            std::ostringstream routes;
            network.speakers[leaf]->Print(routes);
            logs[leaf].push_back(routes.str());
        }
    }
    TimeWindowHelper::Disable();
    return logs;
}

// What happens is the same by both simulators.
AIDC_TEST_CASE("time windows and ns-3's default simulator have the same sessions and routes")
{
    const auto inOrder = Follow(false);
    const auto inWindows = Follow(true);
    for (std::size_t speaker = 0; speaker < inOrder.size(); ++speaker)
    {
        NS_TEST_EXPECT_MSG_GT(inOrder[speaker].size(), 10, "something happens");
        AIDC_EXPECT(inOrder[speaker] == inWindows[speaker], "speaker " << speaker);
    }
}
