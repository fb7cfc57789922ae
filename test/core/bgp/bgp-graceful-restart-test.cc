// SPDX-License-Identifier: GPL-2.0-only

// Graceful restart on the wire and in the state machine: RFC 4724, sections 2 to 5; RFC 8538. The
// OPENs were captured from BIRD 2.0.12 and FRR 8.4.4.

#include "bgp-messages.h"
#include "model/core/bgp/bgp-open.h"
#include "model/core/bgp/bgp-peer-session.h"
#include "test/core/core-test.h"

#include "ns3/bgp-message.h"

using namespace aidctest::bgp;

using Action = BgpSessionActionType;
using Event = BgpSessionEvent;

const std::string MARKER(32, 'f');

/// OPEN of BIRD: R 0, N 0, F 0, 120 s.
const std::string OPEN_BIRD = MARKER +
                              "00370104fdea00090a0900021a02180104000100010200400600780001010041"
                              "040000fdea4600";

/// OPEN of FRR at the start of its process, a parameter for each capability: R 1, N 1, F 0.
const std::string OPEN_FRR =
    MARKER + "00610104fde900090a0900014402060104000100010202800002020200020246000206"
             "41040000fde90202060002064504000101010205490301660002084006c07800010100"
             "0209470700010180000000";

/// An OPEN with one capability 64 of these octets.
BgpOpenResult
DecodeCapability(const std::string& octets)
{
    const BgpBytes value = ParseHex(octets);
    BgpBytes body = ParseHex("04 fdea 0009 0a000002");
    body.push_back(static_cast<uint8_t>(value.size() + 4));
    body.push_back(2);
    body.push_back(static_cast<uint8_t>(value.size() + 2));
    body.push_back(64);
    body.push_back(static_cast<uint8_t>(value.size()));
    AppendBgpBytes(body, value);
    return DecodeBgpOpen(body.data(), body.size());
}

BgpGracefulRestart
Decode(const std::string& octets)
{
    const BgpOpenResult result = DecodeCapability(octets);
    EXPECT_FALSE(result.notification) << octets;
    return result.open.capabilities.gracefulRestart.value_or(BgpGracefulRestart());
}

TEST(BgpGracefulRestart, Rfc4724Section3TheOpensOfDaemons)
{
    BgpBytes body = GetBody(ParseHex(OPEN_BIRD));
    const BgpOpen bird = DecodeBgpOpen(body.data(), body.size()).open;
    ASSERT_TRUE(bird.capabilities.gracefulRestart);
    EXPECT_EQ(*bird.capabilities.gracefulRestart,
              (BgpGracefulRestart{false, false, 120, {{BGP_IPV4_UNICAST, false}}}));
    body = GetBody(ParseHex(OPEN_FRR));
    const BgpOpenResult frr = DecodeBgpOpen(body.data(), body.size());
    ASSERT_FALSE(frr.notification);
    EXPECT_EQ(frr.open.capabilities.gracefulRestart.value(),
              (BgpGracefulRestart{true, true, 120, {{BGP_IPV4_UNICAST, false}}}));
    EXPECT_EQ(EncodeBgpGracefulRestart(*frr.open.capabilities.gracefulRestart),
              ParseHex("c078 000101 00"));
}

TEST(BgpGracefulRestart, Rfc4724Section3Bits)
{
    EXPECT_EQ(Decode("8000"), (BgpGracefulRestart{true, false, 0, {}}));
    EXPECT_EQ(Decode("4000"), (BgpGracefulRestart{false, true, 0, {}}));
    EXPECT_EQ(Decode("0fff"), (BgpGracefulRestart{false, false, 4095, {}}));
    EXPECT_EQ(Decode("0078 000101 80"),
              (BgpGracefulRestart{false, false, 120, {{BGP_IPV4_UNICAST, true}}}));
    // reserved bits are ignored, and sent as 0
    const BgpGracefulRestart read = Decode("3078 000101 7f 000201 ff");
    EXPECT_EQ(read, (BgpGracefulRestart{false, false, 120, {{{1, 1}, false}, {{2, 1}, true}}}));
    EXPECT_EQ(EncodeBgpGracefulRestart(read), ParseHex("0078 000101 00 000201 80"));
    EXPECT_EQ(EncodeBgpGracefulRestart({true, true, 4095, {{BGP_IPV4_UNICAST, true}}}),
              ParseHex("cfff 000101 80"));
}

TEST(BgpGracefulRestart, Rfc4724Section3TheLastOfTwoCounts)
{
    const BgpBytes body = ParseHex("04 fdea 0009 0a000002 12 0210 4006 8078 000101 80 4006 4009 "
                                   "000101 00");
    const BgpOpenResult result = DecodeBgpOpen(body.data(), body.size());
    ASSERT_FALSE(result.notification);
    EXPECT_EQ(result.open.capabilities.gracefulRestart.value(),
              (BgpGracefulRestart{false, true, 9, {{BGP_IPV4_UNICAST, false}}}));
    // and of a family that is there twice
    EXPECT_EQ(Decode("0078 000101 80 000101 00"),
              (BgpGracefulRestart{false, false, 120, {{BGP_IPV4_UNICAST, false}}}));
}

TEST(BgpGracefulRestart, Rfc5492WrongLengthsAreErrorsOfOpen)
{
    for (const char* octets :
         {"", "00", "0078 00", "0078 0001", "0078 000101", "0078 000101 80 00"})
    {
        EXPECT_TRUE(DecodeCapability(octets).notification ==
                    BgpNotification(BgpOpenError::UNSPECIFIC))
            << octets;
    }
}

RC_GTEST_PROP(BgpGracefulRestart, WhatIsWrittenIsRead, ())
{
    BgpOpen open = MakeBgpOpen(65001, 9, 1);
    BgpGracefulRestart restart;
    restart.isRestarting = DrawAny<bool>();
    restart.keepsOnNotification = DrawAny<bool>();
    restart.restartTime = DrawInRange<uint16_t>(0, 4096);
    const auto nFamilies = DrawInRange<uint16_t>(0, 64);
    for (uint16_t i = 0; i < nFamilies; ++i)
    {
        restart.families.push_back({{static_cast<uint16_t>(i + 1), 1}, i % 2 == 0});
    }
    open.capabilities.gracefulRestart = restart;
    const BgpBytes body = GetBody(EncodeBgpOpen(open));
    const BgpOpenResult again = DecodeBgpOpen(body.data(), body.size());
    RC_ASSERT(!again.notification);
    RC_ASSERT(again.open.capabilities == open.capabilities);
}

TEST(BgpEndOfRib, Rfc4724Section2)
{
    EXPECT_EQ(EncodeBgpEndOfRib(), ParseHex(MARKER + "0017 02 0000 0000"));
    const auto isEndOfRib = [](const std::string& octets) {
        const BgpBytes body = ParseHex(octets);
        return DecodeBgpUpdate(body.data(), body.size(), {}).isEndOfRib;
    };
    EXPECT_TRUE(isEndOfRib("0000 0000"));
    EXPECT_TRUE(isEndOfRib("0000 0006 80 0f 03 0001 01"));       // MP_UNREACH_NLRI
    EXPECT_TRUE(isEndOfRib("0000 0007 90 0f 0003 0001 01"));     // with the longer length
    EXPECT_FALSE(isEndOfRib("0000 0006 80 0f 03 0002 01"));      // of IPv6
    EXPECT_FALSE(isEndOfRib("0003 10c0a8 0000"));                // a withdrawal
    EXPECT_FALSE(isEndOfRib("0000 0008 80 0f 05 0001 01 080a")); // another one
    EXPECT_FALSE(isEndOfRib("0000 0004 40 01 01 00"));           // attributes, but no routes
    EXPECT_FALSE(isEndOfRib("0000 0000 080a"));                  // routes without attributes
}

TEST(BgpGracefulShutdown, Rfc8326Section4TheUpdateOfFrr)
{
    // 203.0.113.0/24 as FRR announces it with `bgp graceful-shutdown`
    const BgpUpdateResult result =
        DecodeUpdate(ParseHex(MARKER + "003b020000002040010100" + "5002000a02020000fde90000fdea" +
                              "4003040a090001" + "c00804ffff0000" + "18cb0071"));
    EXPECT_TRUE(result.faults.empty());
    EXPECT_TRUE(HasBgpCommunity(result.update.attributes.communities, BGP_GRACEFUL_SHUTDOWN));
}

/// A peer's OPEN: R, N, F, and whether the family is there; none without the capability.
BgpOpen
MakePeer(std::optional<BgpGracefulRestart> restart)
{
    BgpOpen open = MakeBgpOpen(65002, 9, 2);
    open.capabilities.gracefulRestart = std::move(restart);
    return open;
}

const BgpGracefulRestart WITHOUT_N{false, false, 7, {{BGP_IPV4_UNICAST, true}}};
const BgpGracefulRestart WITH_N{false, true, 7, {{BGP_IPV4_UNICAST, true}}};

TEST(BgpGracefulRestart, Rfc4724Section4WhatASessionAgreesOn)
{
    BgpOpen own = MakeBgpOpen(65001, 9, 1);
    const auto agree = [&own](const std::optional<BgpGracefulRestart>& peer) {
        return NegotiateBgpSession(own, MakePeer(peer)).restart;
    };
    EXPECT_FALSE(agree(WITH_N).isAgreed); // the own one is not offered
    own.capabilities.gracefulRestart = WITH_N;
    EXPECT_FALSE(agree(std::nullopt).isAgreed);
    EXPECT_FALSE(agree(BgpGracefulRestart{false, true, 7, {{{2, 1}, true}}}).isAgreed); // IPv6
    const BgpRestartTerms terms = agree(BgpGracefulRestart{true, true, 7, {{{1, 1}, false}}});
    EXPECT_TRUE(terms.isAgreed);
    EXPECT_TRUE(terms.keepsOnNotification);
    EXPECT_TRUE(terms.isPeerRestarting);
    EXPECT_FALSE(terms.isForwardingKept);
    EXPECT_EQ(terms.restartTime, 7);
    EXPECT_FALSE(agree(WITHOUT_N).keepsOnNotification);
    EXPECT_TRUE(agree(WITHOUT_N).isForwardingKept);
    own.capabilities.gracefulRestart = WITHOUT_N;
    EXPECT_FALSE(agree(WITH_N).keepsOnNotification);
}

/// A session of AS 65001 that is up on the connection that it has made.
struct Session
{
    explicit Session(const std::optional<BgpGracefulRestart>& peer,
                     const std::optional<BgpGracefulRestart>& own = WITH_N)
    {
        auto settings = std::make_shared<BgpSessionSettings>();
        settings->open = MakeBgpOpen(65001, 9, 1);
        settings->open.capabilities.gracefulRestart = own;
        session = std::make_unique<BgpPeerSession>(settings);
        BgpPeerActions actions;
        session->Start(actions);
        const BgpOpen open = MakePeer(peer);
        for (const Event event :
             {Event::TCP_ACKNOWLEDGED, Event::OPEN_RECEIVED, Event::KEEPALIVE_RECEIVED})
        {
            session->Handle(BgpConnection::OUTGOING, {event, &open, {}}, actions);
        }
        EXPECT_TRUE(session->GetEstablished());
    }

    std::string Tell(Event event, const BgpNotification& notification = {})
    {
        BgpPeerActions actions;
        session->Handle(BgpConnection::OUTGOING, {event, nullptr, notification}, actions);
        return Write(actions);
    }

    std::string Stop(const BgpNotification& notification = {})
    {
        BgpPeerActions actions;
        session->Stop(notification, actions);
        return Write(actions);
    }

    std::string Reset(const BgpNotification& notification)
    {
        BgpPeerActions actions;
        session->Reset(notification, actions);
        return Write(actions);
    }

    /// The NOTIFICATION with its data in hexadecimal digits, then what becomes of the routes.
    static std::string Write(const BgpPeerActions& actions)
    {
        std::string text;
        for (const auto& [connection, action] : actions)
        {
            if (action.type == Action::SEND_NOTIFICATION)
            {
                text +=
                    std::to_string(action.notification.code) + "/" +
                    std::to_string(action.notification.subcode) + ":" +
                    std::string(action.notification.data.begin(), action.notification.data.end()) +
                    " ";
            }
            else if (action.type == Action::SESSION_DOWN)
            {
                text += action.retainsRoutes ? "stale" : "gone";
            }
        }
        return text;
    }

    std::unique_ptr<BgpPeerSession> session; //!< the session
};

TEST(BgpGracefulRestart, Rfc4724Section42TcpThatFailsKeepsTheRoutes)
{
    EXPECT_EQ(Session(std::nullopt).Tell(Event::TCP_FAILED), "gone");
    EXPECT_EQ(Session(WITH_N, std::nullopt).Tell(Event::TCP_FAILED), "gone");
    EXPECT_EQ(Session(BgpGracefulRestart{false, true, 7, {}}).Tell(Event::TCP_FAILED), "gone");
    EXPECT_EQ(Session(WITHOUT_N).Tell(Event::TCP_FAILED), "stale");
    EXPECT_EQ(Session(WITH_N).Tell(Event::TCP_FAILED), "stale");
}

TEST(BgpGracefulRestart, Rfc4724Section42ANotificationWithoutNDeletesTheRoutes)
{
    EXPECT_EQ(Session(WITHOUT_N).Tell(Event::NOTIFICATION_RECEIVED, BgpCease::OUT_OF_RESOURCES),
              "gone");
    EXPECT_EQ(Session(WITH_N, WITHOUT_N)
                  .Tell(Event::NOTIFICATION_RECEIVED, BgpErrorCode::HOLD_TIMER_EXPIRED),
              "gone");
    EXPECT_EQ(Session(WITHOUT_N).Tell(Event::HOLD_EXPIRED), "4/0: gone");
    EXPECT_EQ(Session(WITHOUT_N).Tell(Event::UPDATE_ERROR, BgpUpdateError::MALFORMED_AS_PATH),
              "3/11: gone");
    EXPECT_EQ(Session(WITHOUT_N).Tell(Event::SEND_HOLD_EXPIRED), "gone");
    EXPECT_EQ(Session(WITHOUT_N).Stop(), "6/2: gone");
}

TEST(BgpGracefulRestart, Rfc8538Section4ANotificationWithNKeepsTheRoutes)
{
    EXPECT_EQ(Session(WITH_N).Tell(Event::NOTIFICATION_RECEIVED, BgpCease::OUT_OF_RESOURCES),
              "stale");
    EXPECT_EQ(Session(WITH_N).Tell(Event::NOTIFICATION_RECEIVED, BgpCease::ADMINISTRATIVE_SHUTDOWN),
              "stale"); // it is no hard reset
    EXPECT_EQ(Session(WITH_N).Tell(Event::HOLD_EXPIRED), "4/0: stale");
    EXPECT_EQ(Session(WITH_N).Tell(Event::UPDATE_ERROR, BgpUpdateError::MALFORMED_AS_PATH),
              "3/11: stale");
    EXPECT_EQ(Session(WITH_N).Tell(Event::SEND_HOLD_EXPIRED), "stale");
    EXPECT_EQ(Session(WITH_N).Reset(BgpCease::OUT_OF_RESOURCES), "6/8: stale");
}

TEST(BgpGracefulRestart, Rfc8538Section3AHardResetDeletesTheRoutes)
{
    EXPECT_EQ(Session(WITH_N).Tell(Event::NOTIFICATION_RECEIVED, BgpCease::HARD_RESET), "gone");
    // what is sent has the real cause as its data: code, subcode, data
    const auto data = [](const std::string& octets) {
        const BgpBytes bytes = ParseHex(octets);
        return "6/9:" + std::string(bytes.begin(), bytes.end()) + " gone";
    };
    EXPECT_EQ(Session(WITH_N).Stop(), data("0602"));
    EXPECT_EQ(Session(WITH_N).Stop({BgpCease::ADMINISTRATIVE_SHUTDOWN, {4, 't', 'e', 's', 't'}}),
              data("0602 0474657374"));
    EXPECT_EQ(Session(WITH_N).Reset(BgpCease::ADMINISTRATIVE_RESET), data("0604"));
    EXPECT_EQ(Session(WITH_N).Stop(BgpCease::MAXIMUM_PREFIXES_REACHED), data("0601"));
    EXPECT_EQ(Session(WITH_N).Stop(BgpCease::PEER_DECONFIGURED), data("0603"));
    EXPECT_EQ(Session(WITH_N).Reset(BgpCease::BFD_DOWN), data("060a")); // RFC 9384
    // FRR's octets of `shutdown`
    EXPECT_EQ(EncodeBgpNotification(HardenBgpCease(BgpCease::ADMINISTRATIVE_RESET)),
              ParseHex(MARKER + "0017 03 06 09 06 04"));
}

TEST(BgpGracefulRestart, Rfc4724Section5AnotherConnectionReplacesTheEstablishedOne)
{
    Session session(WITHOUT_N);
    EXPECT_TRUE(session.session->GivesWay());
    BgpPeerActions actions;
    EXPECT_TRUE(session.session->Accept(actions));
    EXPECT_EQ(Session::Write(actions), "stale"); // without a NOTIFICATION
    bool isClosed = false;
    for (const auto& [connection, action] : actions)
    {
        isClosed =
            isClosed || (connection == BgpConnection::OUTGOING && action.type == Action::CLOSE);
    }
    EXPECT_TRUE(isClosed);
    const BgpOpen open = MakePeer(WITHOUT_N);
    for (const Event event :
         {Event::TCP_CONFIRMED, Event::OPEN_RECEIVED, Event::KEEPALIVE_RECEIVED})
    {
        session.session->Handle(BgpConnection::INCOMING, {event, &open, {}}, actions);
    }
    EXPECT_EQ(session.session->GetEstablished(), BgpConnection::INCOMING);
    // and that one by the next one
    EXPECT_TRUE(session.session->Accept(actions));
    EXPECT_FALSE(session.session->GetEstablished());
    // without graceful restart, the established one stays (RFC 4271, section 6.8)
    Session other(std::nullopt);
    EXPECT_FALSE(other.session->GivesWay());
    EXPECT_FALSE(other.session->Accept(actions));
}
