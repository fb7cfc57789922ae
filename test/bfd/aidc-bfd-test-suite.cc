// SPDX-License-Identifier: GPL-2.0-only

#include "bfd-network.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-bfd", UNIT);

// RFC 5881, sections 4 and 5, and RFC 5880, section 6.8.7: what is on the wire, and when.
AIDC_TEST_CASE("RFC 5881, 4 and 5: ports, time to live and DSCP; RFC 5880, 6.8.7: jitter")
{
    BfdNetwork network(2);
    network.AddSession(network.Link(0, 1));
    BgpNetwork::RunUntil(10);
    const auto nEvents = Simulator::GetEventCount();
    BgpNetwork::RunUntil(100);
    // A packet has an event of its timer and one at its arrival. The detection timer, which a
    // packet moves by 43.75 ms in the mean, comes up at its last deadline but some.
    const double perSecond = static_cast<double>(Simulator::GetEventCount() - nEvents) / 90 / 2;
    NS_TEST_EXPECT_MSG_GT(perSecond, 2 / 0.04375, "events of an end of a session");
    NS_TEST_EXPECT_MSG_LT(perSecond, 2 / 0.04375 + 1 / 0.1, "events of an end of a session");
    for (const uint32_t speaker : {0U, 1U})
    {
        const SeenState last = network.GetLast(speaker);
        AIDC_ASSERT(last.state == BfdState::UP, "up");
        NS_TEST_EXPECT_MSG_LT(last.time, MilliSeconds(10), "at once, as changes are told");
        const auto& sent = network.sent[speaker];
        Time before;
        std::size_t nGaps = 0;
        for (const SeenPacket& seen : sent)
        {
            NS_TEST_ASSERT_MSG_EQ(+seen.ip.GetTtl(), 255, "TTL");
            NS_TEST_ASSERT_MSG_EQ(+seen.ip.GetTos(), 0xc0, "CS6");
            NS_TEST_ASSERT_MSG_EQ(seen.udp.GetDestinationPort(), 3784, "port");
            NS_TEST_ASSERT_MSG_EQ(seen.udp.GetSourcePort(), 49152, "the same for the session");
            NS_TEST_ASSERT_MSG_EQ(seen.bfd.requiredMinEchoRx, 0, "no echo");
            if (before > Seconds(1))
            {
                ++nGaps;
                const Time gap = seen.time - before;
                AIDC_ASSERT(gap >= MicroSeconds(37499) && gap <= MilliSeconds(50),
                            "gap " << gap.As(Time::MS));
            }
            before = seen.time;
        }
        // 99 s of gaps of 43.75 ms in the mean
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(nGaps), 99 / 0.04375, 15, "mean");
        const BfdStatistics& statistics = network.bfd[speaker]->GetStatistics();
        NS_TEST_EXPECT_MSG_EQ(statistics.sent, sent.size(), "sent");
        NS_TEST_EXPECT_MSG_EQ(statistics.received, network.received[speaker].size(), "taken");
        NS_TEST_EXPECT_MSG_EQ(statistics.GetDiscarded(), 0, "none discarded");
        NS_TEST_EXPECT_MSG_EQ(statistics.established, 1, "once");
        NS_TEST_EXPECT_MSG_EQ(statistics.failed, 0, "never");
    }
}

struct Silence
{
    int interval;   //!< ms
    int multiplier; //!< detection multiplier
    bool isBoth;    //!< both directions fail
};

// RFC 5880, section 6.8.4: a link that loses packets in silence.
AIDC_TEST_CASES(Silence,
                row,
                "RFC 5880, 6.8.4: silence in " +
                    std::string(row.isBoth ? "both directions" : "one direction") + ", " +
                    std::to_string(row.interval) + " ms x " + std::to_string(row.multiplier),
                ({{50, 3, false}, {50, 3, true}, {10, 1, false}, {300, 5, true}}))
{
    const std::string interval = std::to_string(row.interval) + "ms";
    BfdNetwork network(2,
                       {{"DesiredMinTx", interval},
                        {"RequiredMinRx", interval},
                        {"DetectMultiplier", std::to_string(row.multiplier)}});
    const auto failures = network.AddSession(network.Link(0, 1));
    std::vector<bool> told;
    network.bfd[1]->Follow(0, [&told](bool hasFailed) { told.push_back(hasFailed); });
    const Time detection = MilliSeconds(row.interval * row.multiplier);
    for (int round = 1; round <= 5; ++round)
    {
        const double begin = 10 * round + 0.0137 * round;
        BgpNetwork::RunUntil(begin);
        AIDC_ASSERT(network.GetLast(0).state == BfdState::UP &&
                        network.GetLast(1).state == BfdState::UP,
                    "up before round " << round);
        failures[1]->Fail();
        row.isBoth ? failures[0]->Fail() : void();
        BgpNetwork::RunUntil(begin + detection.GetSeconds() + 0.1);
        const SeenState down = network.GetLast(1);
        AIDC_ASSERT(down.state == BfdState::DOWN, "down");
        AIDC_EXPECT(down.diagnostic == BfdDiagnostic::DETECTION_TIME_EXPIRED, "why");
        // The packets that the failure has lost are not among those that IPv4 has received.
        const Time silent = down.time - network.received[1].back().time;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(silent, detection, "never before");
        NS_TEST_EXPECT_MSG_LT(silent, detection + MicroSeconds(1), "nor later");
        const SeenState other = network.GetLast(0);
        AIDC_EXPECT(other.state == BfdState::DOWN, "the other end, too");
        if (!row.isBoth)
        {
            AIDC_EXPECT(other.diagnostic == BfdDiagnostic::NEIGHBOR_SIGNALED_DOWN,
                        "as it was told");
            NS_TEST_EXPECT_MSG_LT(other.time - down.time, MicroSeconds(100), "at once");
        }
        const auto device = network.links[0].Get(1);
        AIDC_EXPECT(device->IsLinkUp(), "the device has not noticed");
        failures[1]->Restore();
        failures[0]->Restore();
        // A packet a second is sent at least.
        BgpNetwork::RunUntil(begin + detection.GetSeconds() + 2.5);
        AIDC_EXPECT(network.GetLast(0).state == BfdState::UP &&
                        network.GetLast(1).state == BfdState::UP,
                    "up again");
    }
    NS_TEST_EXPECT_MSG_EQ(network.bfd[1]->GetStatistics().failed, 5, "failures");
    NS_TEST_EXPECT_MSG_EQ(told.size(), 10, "clients hear of all");
    AIDC_EXPECT(told[0] && !told[1], "that it fails and works");
}

/// Have router 0 send a datagram to router 1.
void
SendTo(const BfdNetwork& network, const std::vector<uint8_t>& bytes, uint8_t ttl)
{
    const auto socket = Socket::CreateSocket(network.nodes.Get(0), UdpSocketFactory::GetTypeId());
    socket->SetIpTtl(ttl);
    socket->SendTo(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                   0,
                   InetSocketAddress(BgpNetwork::GetAddress(0, 1), BFD_PORT));
}

// RFC 5880, section 6.8.6: packets of others are discarded, and counted by reason.
AIDC_TEST_CASE("RFC 5880, 6.8.6, and RFC 5881, 5: packets that are discarded change nothing")
{
    BfdNetwork network(2);
    network.AddSession(network.Link(0, 1));
    BgpNetwork::RunUntil(2);
    network.states.clear();
    std::vector<BfdDiscard> traced;
    ConnectTrace(network.bfd[1], "Discard", [&traced](BfdDiscard discard, Ipv4Address) {
        traced.push_back(discard);
    });
    BfdPacket good;
    good.state = BfdState::DOWN; // which would take the session down
    good.detectMultiplier = 3;
    good.myDiscriminator = 77;
    good.yourDiscriminator = 1;
    good.desiredMinTx = 1000000;
    good.requiredMinRx = 1000000;
    using Bytes = std::vector<uint8_t>;
    const auto encode = [](const BfdPacket& packet) {
        const auto bytes = EncodeBfdPacket(packet);
        return Bytes(bytes.begin(), bytes.end());
    };
    const auto with = [&](std::size_t at, uint8_t value) {
        Bytes bytes = encode(good);
        bytes[at] = value;
        return bytes;
    };
    BfdPacket unknown = good;
    unknown.yourDiscriminator = 2;
    BfdPacket notDown = good;
    notDown.yourDiscriminator = 0;
    notDown.state = BfdState::UP;
    Bytes authenticated = with(1, 0x44);
    authenticated[3] = 26;
    authenticated.resize(26);
    Bytes cut = encode(good);
    cut.resize(23);

    struct Row
    {
        Bytes bytes;
        uint8_t ttl;
        BfdDiscard discard;
    };

    const std::vector<Row> rows{
        {encode(good), 254, BfdDiscard::WRONG_TTL},
        {encode(good), 1, BfdDiscard::WRONG_TTL},
        {with(0, 0x40), 255, BfdDiscard::WRONG_VERSION},
        {with(3, 23), 255, BfdDiscard::TOO_SHORT},
        {with(3, 25), 255, BfdDiscard::TRUNCATED},
        {cut, 255, BfdDiscard::TRUNCATED},
        {{}, 255, BfdDiscard::TRUNCATED},
        {with(2, 0), 255, BfdDiscard::NO_MULTIPLIER},
        {with(1, 0x41), 255, BfdDiscard::MULTIPOINT},
        {with(7, 0), 255, BfdDiscard::NO_DISCRIMINATOR},
        {encode(unknown), 255, BfdDiscard::UNKNOWN_SESSION},
        {encode(notDown), 255, BfdDiscard::NOT_DOWN},
        {authenticated, 255, BfdDiscard::AUTHENTICATED},
    };
    for (const Row& row : rows)
    {
        SendTo(network, row.bytes, row.ttl);
        BgpNetwork::RunUntil(Simulator::Now().GetSeconds() + 0.0001);
        AIDC_ASSERT(!traced.empty(), GetBfdDiscardName(row.discard));
        NS_TEST_EXPECT_MSG_EQ(GetBfdDiscardName(traced.back()),
                              std::string(GetBfdDiscardName(row.discard)),
                              "reason");
    }
    NS_TEST_EXPECT_MSG_EQ(traced.size(), rows.size(), "one each");
    const BfdStatistics& statistics = network.bfd[1]->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.GetDiscarded(), rows.size(), "counted");
    NS_TEST_EXPECT_MSG_EQ(statistics.GetDiscarded(BfdDiscard::WRONG_TTL), 2, "by reason");
    BgpNetwork::RunUntil(4);
    NS_TEST_EXPECT_MSG_EQ(network.states.size(), 0, "the sessions have not changed");
    NS_TEST_EXPECT_MSG_EQ(network.bfd[1]->GetSession(0).GetRemoteDiscriminator(),
                          1,
                          "the peer's discriminator");
    SendTo(network, encode(good), 255);
    BgpNetwork::RunUntil(4.001);
    AIDC_EXPECT(!network.states.empty(), "what is right changes them");
}

/// first: of router 0. second: of router 1.
void
Expect(const BfdNetwork& network, BfdState first, BfdState second)
{
    NS_TEST_EXPECT_MSG_EQ(std::string(GetBfdStateName(network.GetLast(0).state)),
                          GetBfdStateName(first),
                          "router 0");
    NS_TEST_EXPECT_MSG_EQ(std::string(GetBfdStateName(network.GetLast(1).state)),
                          GetBfdStateName(second),
                          "router 1");
}

// RFC 5880, sections 6.8.16, 6.8.3 and 6.1: the user.
AIDC_TEST_CASE("RFC 5880, 6.8.16, 6.8.3 and 6.1: administrative state, other intervals, "
               "passive sessions, the end of the application")
{
    {
        BfdNetwork network(2);
        network.AddSession(network.Link(0, 1));
        BgpNetwork::RunUntil(2);
        network.bfd[0]->SetAdminDown(0, true);
        BgpNetwork::RunUntil(10);
        Expect(network, BfdState::ADMIN_DOWN, BfdState::DOWN);
        AIDC_EXPECT(network.GetLast(1).diagnostic == BfdDiagnostic::NEIGHBOR_SIGNALED_DOWN,
                    "it was told");
        network.bfd[0]->SetAdminDown(0, false);
        BgpNetwork::RunUntil(12);
        Expect(network, BfdState::UP, BfdState::UP);

        // A longer interval of one side, by a poll sequence
        network.bfd[0]->SetAttribute("DesiredMinTx", StringValue("200ms"));
        network.bfd[0]->UpdateSessions();
        BgpNetwork::RunUntil(13);
        NS_TEST_EXPECT_MSG_EQ(network.bfd[1]->GetSession(0).GetDetectionTime(), 600000, "3 x");
        const std::size_t before = network.sent[0].size();
        BgpNetwork::RunUntil(113);
        const auto n = static_cast<double>(network.sent[0].size() - before);
        NS_TEST_EXPECT_MSG_EQ_TOL(n, 100 / 0.175, 10, "200 ms less jitter");
        Expect(network, BfdState::UP, BfdState::UP);
        AIDC_EXPECT(!network.bfd[0]->GetSession(0).IsPolling(), "ended");
    }
    {
        BfdNetwork network(2);
        network.bfd[0]->SetAttribute("Passive", StringValue("true"));
        network.bfd[1]->SetStartTime(Seconds(5));
        network.bfd[1]->SetStopTime(Seconds(20));
        network.AddSession(network.Link(0, 1));
        BgpNetwork::RunUntil(4.9);
        NS_TEST_EXPECT_MSG_EQ(network.sent[0].size(), 0, "not spoken to");
        BgpNetwork::RunUntil(19);
        Expect(network, BfdState::UP, BfdState::UP);
        BgpNetwork::RunUntil(30);
        Expect(network, BfdState::DOWN, BfdState::ADMIN_DOWN);
        NS_TEST_EXPECT_MSG_EQ(network.bfd[0]->GetStatistics().failed, 0, "no failure");
    }
    BfdNetwork network(2);
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"DesiredMinTx", "0s"},
                                                          {"DesiredMinTx", "4295s"},
                                                          {"RequiredMinRx", "-1s"},
                                                          {"DetectMultiplier", "0"},
                                                          {"Dscp", "64"}})
    {
        AIDC_EXPECT(!network.bfd[0]->SetAttributeFailSafe(name, StringValue(value)),
                    name << " of " << value << " is refused");
    }
}

/// Run a ring of routers whose links fail in silence. Returns what has happened, sorted.
std::vector<std::string>
FollowWindows(bool isInWindows)
{
    isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    std::vector<std::string> log;
    {
        BfdNetwork network(4);
        std::vector<Ptr<LinkFailureErrorModel>> failures;
        for (uint32_t i = 0; i < 4; ++i)
        {
            failures.push_back(network.AddSession(network.Link(i, (i + 1) % 4))[i % 2]);
        }
        for (uint32_t round = 0; round < 8; ++round)
        {
            BgpNetwork::RunUntil(2 + 2.3 * round);
            round / 4 == 0 ? failures[round % 4]->Fail() : failures[round % 4]->Restore();
        }
        network.bfd[2]->SetAdminDown(1, true);
        BgpNetwork::RunUntil(30);
        for (const SeenState& seen : network.states)
        {
            log.push_back(std::to_string(seen.speaker) + ' ' + std::to_string(seen.session) + ' ' +
                          std::to_string(seen.time.GetNanoSeconds()) + ' ' +
                          GetBfdStateName(seen.state));
        }
    }
    TimeWindowHelper::Disable();
    std::sort(log.begin(), log.end());
    return log;
}

// Time windows and ns-3's simulator give the same changes at the same times, and streams repeat
// them.
AIDC_TEST_CASE("time windows change nothing")
{
    const auto inOrder = FollowWindows(false);
    NS_TEST_EXPECT_MSG_GT(inOrder.size(), 30, "something happens");
    AIDC_EXPECT(FollowWindows(false) == inOrder, "again");
    AIDC_EXPECT(FollowWindows(true) == inOrder, "in windows");
}
