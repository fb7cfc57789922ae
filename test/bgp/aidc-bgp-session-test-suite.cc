// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-network.h"
#include "test/test-case.h"

#include "ns3/object-vector.h"
#include "ns3/tcp-l4-protocol.h"

AIDC_TEST_SUITE("aidc-bgp-session", UNIT);

/// A network that is announced: 192.0.2.0/24.
const BgpPrefix PREFIX = MakeBgpPrefix(0xc0000200, 24);

void
Announce(const BgpNetwork& network, uint32_t speaker)
{
    network.speakers[speaker]->Originate(Ipv4Address("192.0.2.0"), Ipv4Mask("/24"));
}

/// Returns the first one, null if there is none.
const SeenNotification*
FindNotification(const BgpNetwork& network, uint32_t speaker, bool isSent)
{
    const auto& all = network.notifications;
    const auto found = std::find_if(all.begin(), all.end(), [=](const SeenNotification& seen) {
        return seen.speaker == speaker && seen.isSent == isSent;
    });
    return found == all.end() ? nullptr : &*found;
}

// RFC 4271, section 6.5: a link that is broken in silence ends the session by the hold time.
AIDC_TEST_CASE("RFC 4271, 6.5: the hold time expires where a link is silently broken")
{
    BgpNetwork network(2, {{"HoldTime", "9s"}, {"WatchLinks", "false"}});
    network.Peer(0, 1);
    Announce(network, 0);
    BgpNetwork::RunUntil(20);
    AIDC_ASSERT(network.IsUp(0) && network.IsUp(1), "up");
    network.notifications.clear(); // of the collision
    network.SetFailed(0, true);
    BgpNetwork::RunUntil(30);
    // The last KEEPALIVE has come at most a third of the hold time before.
    AIDC_EXPECT(!(network.IsUp(0) || network.IsUp(1)), "down");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 0, "the route is gone");
    for (const uint32_t speaker : {0U, 1U})
    {
        const auto* const seen = FindNotification(network, speaker, true);
        AIDC_ASSERT(seen != nullptr, "it says why");
        NS_TEST_EXPECT_MSG_EQ(+seen->code, 4, "hold timer expired");
        AIDC_EXPECT(seen->time > 26 && seen->time < 29, "after 6 to 9 s");
    }
    network.SetFailed(0, false);
    BgpNetwork::RunUntil(300);
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up again");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "the route is back");
}

/// Have the first link go down or come up.
void
Set(bool byInterface, BgpNetwork& network, bool isDown)
{
    if (!byInterface)
    {
        network.SetFailed(0, isDown);
        return;
    }
    for (const uint32_t router : {0U, 1U})
    {
        const auto ipv4 = network.nodes.Get(router)->GetObject<Ipv4>();
        isDown ? ipv4->SetDown(1) : ipv4->SetUp(1);
    }
}

// Sessions follow the link: down at once, and up at once.
AIDC_TEST_CASES(bool,
                byInterface,
                std::string("sessions follow the ") + (byInterface ? "interface" : "device's link"),
                ({false, true}))
{
    BgpNetwork network(3);
    network.Peer(0, 1);
    network.Peer(1, 2);
    Announce(network, 0);
    BgpNetwork::RunUntil(10);
    NS_TEST_ASSERT_MSG_EQ(network.GetPaths(2, PREFIX).size(), 1, "the route is there");
    Set(byInterface, network, true);
    BgpNetwork::RunUntil(10.01);
    AIDC_EXPECT(!network.IsUp(1, 0), "down at once");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(2, PREFIX).size(), 0, "withdrawn at once");
    AIDC_EXPECT(network.GetRouting(2)->FindTransit(0xc0000201) == nullptr, "and removed");
    // Long enough for many attempts, which find no route or no answer.
    BgpNetwork::RunUntil(500);
    Set(byInterface, network, false);
    BgpNetwork::RunUntil(501);
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1, 0), "up at once");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(2, PREFIX).size(), 1, "and told");
    NS_TEST_EXPECT_MSG_EQ(network.speakers[2]->GetStatistics().lost, 0, "the other one stays");
}

// RFC 4271, section 6.8: both connect at once.
AIDC_TEST_CASE("RFC 4271, 6.8: of two connections, that of the larger identifier is kept")
{
    BgpNetwork network(2);
    network.Peer(0, 1);
    BgpNetwork::RunUntil(5);
    AIDC_ASSERT(network.IsUp(0) && network.IsUp(1), "up");
    const auto kept = [&network](uint32_t speaker) {
        return *network.speakers[speaker]->GetSession(0).GetEstablished();
    };
    AIDC_EXPECT(kept(1) == BgpConnection::OUTGOING, "1.0.0.2 has made it");
    AIDC_EXPECT(kept(0) == BgpConnection::INCOMING, "1.0.0.1 has not");
    AIDC_EXPECT(!network.notifications.empty(), "there was a collision");
    for (const SeenNotification& seen : network.notifications)
    {
        NS_TEST_EXPECT_MSG_EQ(+seen.code, 6, "cease");
        NS_TEST_EXPECT_MSG_EQ(+seen.subcode, 7, "connection collision resolution");
    }
    for (const uint32_t speaker : {0U, 1U})
    {
        const auto& statistics = network.speakers[speaker]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.established, 1, "once");
        NS_TEST_EXPECT_MSG_EQ(statistics.lost, 0, "for good");
    }
}

/// Expect speaker 0 to have sent cease, and 1 to have got it.
void
Expect(const BgpNetwork& network, uint8_t subcode, const char* what)
{
    NS_TEST_ASSERT_MSG_EQ(network.notifications.size(), 2, "sent and received");
    for (const SeenNotification& seen : network.notifications)
    {
        NS_TEST_EXPECT_MSG_EQ(seen.isSent, (seen.speaker == 0), "0 has sent it");
        NS_TEST_EXPECT_MSG_EQ(+seen.code, 6, "cease");
        NS_TEST_EXPECT_MSG_EQ(+seen.subcode, +subcode, what);
    }
}

// RFC 4271, sections 8.1.2 and 6.7: the user stops, resets and starts.
AIDC_TEST_CASE("RFC 4271, 8.1.2: a session stops, starts and is reset as the user says")
{
    BgpNetwork network(2);
    network.Peer(0, 1);
    Announce(network, 0);
    BgpNetwork::RunUntil(10);
    network.notifications.clear();
    network.speakers[0]->StopPeer(0);
    BgpNetwork::RunUntil(11);
    Expect(network, 2, "administrative shutdown");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 0, "the route is gone");
    BgpNetwork::RunUntil(200);
    AIDC_EXPECT(!(network.IsUp(0) || network.IsUp(1)), "it stays down");
    network.speakers[0]->StartPeer(0);
    BgpNetwork::RunUntil(210);
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up again");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "with the route");

    network.notifications.clear();
    network.speakers[1]->ResetPeer(0);
    BgpNetwork::RunUntil(210.5);
    AIDC_EXPECT(!(network.IsUp(0) || network.IsUp(1)), "reset");
    BgpNetwork::RunUntil(225);
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up by itself");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "with the route");
    AIDC_ASSERT(!network.notifications.empty(), "it says why");
    NS_TEST_EXPECT_MSG_EQ(+network.notifications[0].subcode, 4, "administrative reset");
}

// RFC 4271, sections 4.2 and 8: hold times, passive peers, delays of OPEN, wrong ASs.
AIDC_TEST_CASE("RFC 4271, 4.2, 6.2 and 8: hold time, passive peers, delayed OPEN, wrong AS")
{
    {
        BgpNetwork network(2, {{"HoldTime", "0s"}});
        network.Peer(0, 1);
        BgpNetwork::RunUntil(1000);
        AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "hold time 0");
        const auto& sent = network.speakers[0]->GetStatistics().sent;
        AIDC_EXPECT(sent.Get(BgpMessageType::KEEPALIVE).messages <= 2,
                    "no KEEPALIVE but for OPENs");
    }
    {
        BgpNetwork network(2, {{"HoldTime", "30s"}});
        network.speakers[1]->SetAttribute("HoldTime", StringValue("12s"));
        network.Peer(0, 1);
        BgpNetwork::RunUntil(120);
        const auto& session = network.speakers[0]->GetSession(0);
        AIDC_ASSERT(session.GetEstablished().has_value(), "up");
        NS_TEST_EXPECT_MSG_EQ(session.Get(*session.GetEstablished()).GetHoldTime(),
                              12,
                              "the shorter hold time, in s");
        // Every 3 to 4 s, a third of the hold time with jitter
        const auto sent = network.speakers[0]->GetStatistics().sent;
        const auto messages = sent.Get(BgpMessageType::KEEPALIVE).messages;
        AIDC_EXPECT(messages >= 30 && messages <= 42, "KEEPALIVEs");
    }
    for (const bool isSecond : {false, true})
    {
        BgpNetwork network(2);
        BgpPeerSettings passive;
        passive.isPassive = true;
        isSecond ? network.Peer(0, 1, {}, passive) : network.Peer(0, 1, passive, {});
        BgpNetwork::RunUntil(2);
        AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up");
        NS_TEST_EXPECT_MSG_EQ(network.notifications.size(), 0, "one connection");
    }
    {
        BgpNetwork network(2);
        BgpPeerSettings wrong;
        wrong.as = 65099;
        network.Peer(0, 1, wrong);
        BgpNetwork::RunUntil(2);
        const auto* const seen = FindNotification(network, 0, true);
        AIDC_ASSERT(seen != nullptr, "refused");
        NS_TEST_EXPECT_MSG_EQ(+seen->code, 2, "OPEN message error");
        NS_TEST_EXPECT_MSG_EQ(+seen->subcode, 2, "bad peer AS");
    }
    BgpNetwork network(2);
    AIDC_EXPECT(!network.speakers[0]->SetAttributeFailSafe("HoldTime", StringValue("2s")),
                "a hold time of 2 s is refused");
    network.speakers[0]->SetStopTime(Seconds(10));
    network.Peer(0, 1);
    Announce(network, 0);
    BgpNetwork::RunUntil(9);
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "while it runs");
    BgpNetwork::RunUntil(11);
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 0, "the application has ended");
    AIDC_EXPECT(!network.IsUp(1), "and the session");
    BgpNetwork::RunUntil(100);
}

// RFC 4271, section 8: a session that is broken at any moment comes up again.
AIDC_TEST_CASES(bool,
                watchesLinks,
                std::string("RFC 4271, 8: no session is stuck after flaps, ") +
                    (watchesLinks ? "seen" : "not seen"),
                ({true, false}))
{
    BgpNetwork network(2,
                       {{"HoldTime", "3s"},
                        {"ConnectRetryTime", "5s"},
                        {"WatchLinks", watchesLinks ? "true" : "false"}});
    network.Peer(0, 1);
    Announce(network, 0);
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    double now = 0;
    for (uint32_t flap = 0; flap < 200; ++flap)
    {
        now += random->GetValue(0, 1) < 0.5 ? random->GetValue(0, 0.001) : random->GetValue(0, 4);
        BgpNetwork::RunUntil(now);
        network.SetFailed(0, flap % 2 == 0);
    }
    BgpNetwork::RunUntil(now + 200);
    AIDC_EXPECT(network.IsUp(0) && network.IsUp(1), "up");
    NS_TEST_EXPECT_MSG_EQ(network.GetPaths(1, PREFIX).size(), 1, "with the route");
    AIDC_EXPECT(network.speakers[0]->GetStatistics().established > 10, "it has been up and down");
    for (uint32_t router = 0; router < 2; ++router)
    {
        ObjectVectorValue sockets;
        network.nodes.Get(router)->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
        NS_TEST_EXPECT_MSG_EQ(sockets.GetN(), 2, "one that listens, and one of the session");
    }
}
