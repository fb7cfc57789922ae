// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wire-bench.h"
#include "model/core/bgp/bgp-open.h"
#include "model/core/bgp/bgp-update.h"
#include "test/test-case.h"

using namespace aidctest::bgp;

AIDC_TEST_SUITE("aidc-bgp-restart", UNIT);

/// The first route of the peer: 20.0.1.0/24.
const BgpPrefix FIRST = MakeBgpPrefix(0x14000100, 24);

/// The second one: 20.0.2.0/24.
const BgpPrefix SECOND = MakeBgpPrefix(0x14000200, 24);

/// What the peer offers: N, F, 30 s.
const BgpGracefulRestart OFFER{false, true, 30, {{BGP_IPV4_UNICAST, true}}};

/// End-of-RIB as the body of an UPDATE.
const BgpBytes END_OF_RIB_BODY{0, 0, 0, 0};

/// A speaker with graceful restart, and a peer of bytes whose routes it has.
class RestartBench : public WireBench
{
  public:
    explicit RestartBench(Attributes attributes = {})
        : WireBench(Complete(std::move(attributes)))
    {
    }

    /// offer: the capability of graceful restart; none: without it.
    void SendOpen(const std::optional<BgpGracefulRestart>& offer)
    {
        BgpOpen open = MakeBgpOpen(65002, 0, 0x0a000002);
        open.capabilities.gracefulRestart = offer;
        Send(EncodeBgpOpen(open));
    }

    /// Bring a session up. offer: the capability of graceful restart; none: without it.
    void Open(const std::optional<BgpGracefulRestart>& offer)
    {
        Connect();
        SendOpen(offer);
        Send(ParseHex(KEEPALIVE));
    }

    void Announce(const BgpPrefix& prefix)
    {
        BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
        AppendBgpBytes(message, ParseHex("0000 0014 40010100 40020602010000fdea 4003040a000002"));
        EncodeBgpPrefix(message, prefix);
        FinishBgpMessage(message);
        Send(message);
    }

    /// Bring a session up, and announce both routes.
    void OpenWithRoutes(const std::optional<BgpGracefulRestart>& offer)
    {
        Open(offer);
        Announce(FIRST);
        Announce(SECOND);
        Send(EncodeBgpEndOfRib());
    }

    /// Send a NOTIFICATION, and close.
    void Notify(const BgpNotification& notification)
    {
        Send(EncodeBgpNotification(notification));
        End();
    }

    static void Wait(double seconds)
    {
        BgpNetwork::RunUntil(Simulator::Now().GetSeconds() + seconds);
    }

    /// Say which routes are in both the speaker's table and the node's table. Returns, for example,
    /// "1 2 stale 1 of 2" for both, one of them stale; "?" if the tables differ.
    std::string GetRoutes() const
    {
        std::string text;
        const BgpRib& rib = network.speakers[0]->GetRib();
        uint32_t n = 0;
        for (const BgpPrefix& prefix : {FIRST, SECOND})
        {
            const bool has = !rib.GetPaths(prefix).empty();
            if (has != (network.GetRouting(0)->FindTransit(prefix.network + 1) != nullptr))
            {
                return "?";
            }
            if (has)
            {
                text += (prefix == FIRST ? "1 " : "2 ");
                ++n;
            }
        }
        return text + "stale " + std::to_string(rib.CountStale(0)) + " of " + std::to_string(n);
    }

    /// Count End-of-RIB among the messages. Returns how many have come since Connect()
    std::size_t CountEndsOfRib() const
    {
        return static_cast<std::size_t>(
            std::count(messages.begin(),
                       messages.end(),
                       std::make_pair(BgpMessageType::UPDATE, END_OF_RIB_BODY)));
    }

  private:
    /// Add the attributes that all tests need.
    static Attributes Complete(Attributes attributes)
    {
        const auto isRestart = [](const auto& entry) { return entry.first == "GracefulRestart"; };
        if (std::none_of(attributes.begin(), attributes.end(), isRestart))
        {
            attributes.emplace_back("GracefulRestart", "true");
        }
        attributes.emplace_back("HoldTime", "0s");
        return attributes;
    }
};

// The routes of a peer that is lost: RFC 4724, section 4.2, and RFC 8538, section 4.
AIDC_TEST_CASE("RFC 4724, 4.2, and RFC 8538, 4: what becomes of the routes of a lost session")
{
    const BgpGracefulRestart withoutN{false, false, 30, {{BGP_IPV4_UNICAST, true}}};
    const BgpGracefulRestart ipv6{false, true, 30, {{{2, 1}, true}}};

    const struct
    {
        const char* name;                            //!< the row
        std::optional<BgpGracefulRestart> offer;     //!< the peer's
        std::optional<BgpNotification> notification; //!< from the peer; none: TCP closes
        bool isKept;                                 //!< whether routes are stale
    } rows[] = {
        {"TCP closes", OFFER, {}, true},
        {"TCP closes, without N", withoutN, {}, true},
        {"TCP closes, without the capability", std::nullopt, {}, false},
        {"TCP closes, without the family", ipv6, {}, false},
        {"NOTIFICATION without N", withoutN, BgpCease::OUT_OF_RESOURCES, false},
        {"NOTIFICATION with N", OFFER, BgpCease::OUT_OF_RESOURCES, true},
        {"hold time with N", OFFER, BgpErrorCode::HOLD_TIMER_EXPIRED, true},
        {"hard reset", OFFER, BgpNotification(BgpCease::HARD_RESET, {6, 4}), false},
    };

    for (const auto& row : rows)
    {
        RestartBench bench;
        bench.OpenWithRoutes(row.offer);
        NS_TEST_ASSERT_MSG_EQ(bench.GetRoutes(), "1 2 stale 0 of 2", row.name);
        row.notification ? bench.Notify(*row.notification) : bench.End();
        AIDC_EXPECT(!bench.network.IsUp(0), row.name);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(),
                              (row.isKept ? "1 2 stale 2 of 2" : "stale 0 of 0"),
                              row.name);
        if (!row.isKept)
        {
            continue;
        }
        // the peer's restart time, and not the own one of 120 s
        RestartBench::Wait(29.5);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 2 of 2", row.name);
        RestartBench::Wait(1);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "stale 0 of 0", row.name);
        const auto& statistics = bench.network.speakers[0]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.staleRoutes, 2, row.name);
        NS_TEST_EXPECT_MSG_EQ(statistics.staleRemoved, 2, row.name);
    }
}

// The peer is back: its OPEN, its routes, End-of-RIB and the bound decide.
AIDC_TEST_CASE("RFC 4724, 4.2: what becomes of stale routes when the peer is back")
{
    const BgpGracefulRestart lost{true, true, 30, {{BGP_IPV4_UNICAST, false}}};
    const BgpGracefulRestart ipv6{true, true, 30, {{{2, 1}, true}}};
    using Offers = std::vector<std::optional<BgpGracefulRestart>>;
    for (const auto& offer : Offers{std::nullopt, lost, ipv6})
    {
        RestartBench bench;
        bench.OpenWithRoutes(OFFER);
        bench.End();
        bench.Connect();
        bench.SendOpen(offer);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 2 of 2", "not yet Established");
        bench.Send(ParseHex(KEEPALIVE));
        AIDC_EXPECT(bench.network.IsUp(0), "Established");
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "stale 0 of 0", "the tables are lost");
    }
    {
        RestartBench bench;
        bench.OpenWithRoutes(OFFER);
        bench.End();
        RestartBench::Wait(20);
        bench.Open(OFFER);
        RestartBench::Wait(20); // the restart time is until Established only
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 2 of 2", "F is set");
        bench.Announce(FIRST);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 1 of 2", "one is fresh");
        bench.Send(EncodeBgpEndOfRib());
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 stale 0 of 1", "the other one is gone");
        const auto& statistics = bench.network.speakers[0]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.endsOfRib, 2, "End-of-RIB");
        NS_TEST_EXPECT_MSG_EQ(statistics.staleRemoved, 1, "removed");
        RestartBench::Wait(400);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 stale 0 of 1", "no timer is left");
    }
    {
        RestartBench bench(Attributes{{"StaleTime", "60s"}});
        bench.OpenWithRoutes(OFFER);
        bench.End();
        bench.Open(OFFER);
        bench.Announce(FIRST);
        RestartBench::Wait(58);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 1 of 2", "without End-of-RIB");
        RestartBench::Wait(2);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 stale 0 of 1", "the own bound");
    }
    {
        RestartBench bench;
        bench.OpenWithRoutes(OFFER);
        bench.End();
        bench.Open(OFFER);
        bench.Announce(FIRST);
        bench.End();
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 stale 1 of 1", "the older one is deleted");
        RestartBench::Wait(31);
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "stale 0 of 0", "a restart time of its own");
    }
}

// The peer connects again, and the speaker has not noticed its loss.
AIDC_TEST_CASE("RFC 4724, 5: an OPEN on another connection replaces an Established one")
{
    {
        RestartBench bench;
        bench.OpenWithRoutes(OFFER);
        for (int i = 0; i < 2; ++i) // in place of the first one, and of the one that has come
        {
            bench.Connect();
            AIDC_EXPECT(bench.network.IsUp(0), "TCP alone changes nothing");
            AIDC_EXPECT(!bench.isClosed, "it is held");
            bench.SendOpen(OFFER);
            AIDC_EXPECT(bench.isClosed, "the old one is closed");
            NS_TEST_EXPECT_MSG_EQ(bench.network.notifications.size(), 0, "no NOTIFICATION");
            NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 2 of 2", "retained");
            bench.Send(ParseHex(KEEPALIVE));
            AIDC_EXPECT(bench.network.IsUp(0), "the new one is kept");
            bench.Announce(FIRST);
            bench.Announce(SECOND);
            bench.Send(EncodeBgpEndOfRib());
            NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 0 of 2", "fresh");
        }
        bench.Connect();
        bench.End();
        AIDC_EXPECT(bench.network.IsUp(0), "closed without an OPEN");
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 0 of 2", "nothing has happened");
    }
    RestartBench bench;
    bench.OpenWithRoutes(std::nullopt);
    bench.Connect();
    AIDC_EXPECT(bench.isClosed, "RFC 4271, 6.8: refused");
    AIDC_EXPECT(bench.network.IsUp(0), "the first one stays");
    NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "1 2 stale 0 of 2", "with its routes");
}

/// Get the capability that the speaker has sent. Returns the capability, none if it has sent none.
std::optional<BgpGracefulRestart>
GetOffer(const RestartBench& bench)
{
    for (const auto& [type, body] : bench.messages)
    {
        if (type == BgpMessageType::OPEN)
        {
            return DecodeBgpOpen(body.data(), body.size()).open.capabilities.gracefulRestart;
        }
    }
    return std::nullopt;
}

// What the speaker itself sends.
AIDC_TEST_CASE("RFC 4724, 2 and 3, and RFC 8538, 3: OPEN, End-of-RIB and hard reset")
{
    using Offers = std::vector<std::optional<BgpGracefulRestart>>;
    for (const auto& offer : Offers{std::nullopt, OFFER})
    {
        RestartBench bench(Attributes{{"RestartTime", "77s"}});
        bench.Open(offer);
        const auto first = GetOffer(bench);
        AIDC_ASSERT(first.has_value(), "offered");
        AIDC_EXPECT((*first == BgpGracefulRestart{false, true, 77, {{BGP_IPV4_UNICAST, false}}}),
                    "R 0, N 1, 77 s, F 0");
        NS_TEST_EXPECT_MSG_EQ(bench.CountEndsOfRib(), 1, "although there is no route");
        bench.network.speakers[0]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
        bench.End();
        bench.Open(offer);
        NS_TEST_EXPECT_MSG_EQ(bench.CountEndsOfRib(), 1, "once a session");
        AIDC_EXPECT(bench.messages.back().second == END_OF_RIB_BODY, "behind the route");
        AIDC_EXPECT((*GetOffer(bench) == BgpGracefulRestart{false, true, 77, {{{1, 1}, true}}}),
                    "no restart, and the table is still there");
        bench.network.speakers[0]->StopPeer(0);
        RestartBench::Run();
        const auto end = bench.GetNotification();
        AIDC_ASSERT(end.has_value(), "says why");
        const BgpNotification hard(BgpCease::HARD_RESET, {6, 2});
        AIDC_EXPECT(*end == (offer ? hard : BgpNotification(BgpCease::ADMINISTRATIVE_SHUTDOWN)),
                    "a hard reset where both have N");
        NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "stale 0 of 0", "no route is kept");
    }
    RestartBench bench(Attributes{{"GracefulRestart", "false"}});
    bench.OpenWithRoutes(OFFER);
    AIDC_EXPECT(!GetOffer(bench).has_value(), "not offered");
    NS_TEST_EXPECT_MSG_EQ(bench.CountEndsOfRib(), 0, "off");
    bench.End();
    NS_TEST_EXPECT_MSG_EQ(bench.GetRoutes(), "stale 0 of 0", "off");
    AIDC_EXPECT(
        !bench.network.speakers[0]->SetAttributeFailSafe("RestartTime", StringValue("1500ms")),
        "whole seconds");
    AIDC_EXPECT(
        !bench.network.speakers[0]->SetAttributeFailSafe("RestartTime", StringValue("4096s")),
        "12 bits");
}

// A link that is broken: in silence, or seen.
AIDC_TEST_CASE("RFC 8538, 4: the hold time keeps routes where both have N; a link seen does not")
{
    for (const bool isSeen : {false, true})
    {
        BgpNetwork network(2,
                           {{"GracefulRestart", "true"},
                            {"HoldTime", "9s"},
                            {"WatchLinks", isSeen ? "true" : "false"}});
        network.Peer(0, 1);
        network.speakers[0]->Originate(Ipv4Address("20.0.1.0"), Ipv4Mask("/24"));
        BgpNetwork::RunUntil(20);
        const auto& rib = network.speakers[1]->GetRib();
        NS_TEST_ASSERT_MSG_EQ(rib.GetPaths(FIRST).size(), 1, "the route is there");
        network.SetFailed(0, true);
        BgpNetwork::RunUntil(30);
        AIDC_EXPECT(!(network.IsUp(0) || network.IsUp(1)), "down");
        NS_TEST_EXPECT_MSG_EQ(rib.GetPaths(FIRST).size(), (isSeen ? 0 : 1), "the route");
        NS_TEST_EXPECT_MSG_EQ(rib.CountStale(0), (isSeen ? 0 : 1), "stale");
        network.SetFailed(0, false);
        BgpNetwork::RunUntil(100); // within the restart time of 120 s
        AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up");
        NS_TEST_EXPECT_MSG_EQ(rib.GetPaths(FIRST).size(), 1, "the route is here");
        NS_TEST_EXPECT_MSG_EQ(rib.CountStale(0), 0, "End-of-RIB has come");
    }
}
