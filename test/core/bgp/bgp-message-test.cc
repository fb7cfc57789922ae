// SPDX-License-Identifier: GPL-2.0-only

// Header, KEEPALIVE, NOTIFICATION and ROUTE-REFRESH: RFC 4271, sections 4.1, 4.4, 4.5 and 6.1; RFC
// 2918.

#include "bgp-messages.h"
#include "test/core/core-test.h"

#include "ns3/bgp-message.h"

using namespace aidctest::bgp;

using Status = BgpFrame::Status;

BgpBytes
Header(uint16_t length, uint8_t type)
{
    BgpBytes header(BGP_MARKER_SIZE, 0xff);
    AppendBgp(header, length);
    header.push_back(type);
    return header;
}

/// What a framer finds first in some bytes.
BgpFrame
Frame(const BgpBytes& bytes)
{
    BgpFramer framer;
    framer.Append(bytes.data(), bytes.size());
    BgpFrame frame = framer.Next();
    frame.body = nullptr; // goes with the framer
    return frame;
}

TEST(BgpMessage, GoldenMessagesAreEncoded)
{
    EXPECT_EQ(EncodeBgpKeepalive(), ParseHex(KEEPALIVE));
    EXPECT_EQ(EncodeBgpNotification({BgpCease::ADMINISTRATIVE_SHUTDOWN, {4, 't', 'e', 's', 't'}}),
              ParseHex(NOTIFICATION_SHUTDOWN));
    EXPECT_EQ(EncodeBgpRouteRefresh({}), ParseHex(ROUTE_REFRESH));
}

TEST(BgpMessage, GoldenMessagesAreDecoded)
{
    const BgpBytes body = GetBody(ParseHex(NOTIFICATION_SHUTDOWN));
    const auto notification = DecodeBgpNotification(body.data(), body.size());
    ASSERT_TRUE(notification);
    EXPECT_TRUE(*notification ==
                BgpNotification(BgpCease::ADMINISTRATIVE_SHUTDOWN, {4, 't', 'e', 's', 't'}));
    const BgpBytes asked = GetBody(ParseHex(ROUTE_REFRESH));
    const auto refresh = DecodeBgpRouteRefresh(asked.data(), asked.size());
    ASSERT_TRUE(refresh);
    EXPECT_TRUE(refresh->family == BGP_IPV4_UNICAST);
    EXPECT_EQ(refresh->subtype, 0U);
}

TEST(BgpMessage, TooFewOrTooManyBytesAreNoMessage)
{
    const BgpBytes bytes(5);
    EXPECT_FALSE(DecodeBgpNotification(nullptr, 0));
    EXPECT_FALSE(DecodeBgpNotification(bytes.data(), 1));
    EXPECT_TRUE(DecodeBgpNotification(bytes.data(), 2));
    EXPECT_FALSE(DecodeBgpRouteRefresh(bytes.data(), 3));
    EXPECT_TRUE(DecodeBgpRouteRefresh(bytes.data(), 4));
    EXPECT_FALSE(DecodeBgpRouteRefresh(bytes.data(), 5));
}

TEST(BgpMessage, ALongNotificationIsCut)
{
    const BgpBytes message =
        EncodeBgpNotification({BgpUpdateError::UNRECOGNIZED_WELL_KNOWN, BgpBytes(60000, 1)});
    EXPECT_EQ(message.size(), 4096U);
    EXPECT_EQ(Frame(message).status, Status::MESSAGE);
}

TEST(BgpMessage, NotificationsArePrintedByTheirNames)
{
    std::ostringstream text;
    text << BgpNotification(BgpOpenError::BAD_PEER_AS) << ", "
         << BgpNotification(BgpErrorCode::HOLD_TIMER_EXPIRED) << ", "
         << BgpNotification(BgpStateError::IN_ESTABLISHED, {4}) << ", "
         << BgpNotification(BgpErrorCode::CEASE, 99) << ", "
         << BgpNotification(static_cast<BgpErrorCode>(77), 1);
    EXPECT_EQ(text.str(),
              "OPEN Message Error/Bad Peer AS (2/2), Hold Timer Expired (4/0), "
              "Finite State Machine Error/Receive Unexpected Message in Established State (5/3), "
              "Cease/unknown (6/99), unknown/unknown (77/1)");
    text.str("");
    text << BgpNotification(BgpErrorCode::SEND_HOLD_TIMER_EXPIRED) << ", "
         << BgpNotification(static_cast<BgpErrorCode>(9)) << ", " // IANA: unassigned
         << BgpNotification(static_cast<BgpErrorCode>(0));
    EXPECT_EQ(text.str(), "Send Hold Timer Expired (8/0), unknown (9/0), unknown (0/0)");
}

TEST(BgpFramer, Rfc4271Section61TheMarkerIsAllOnes)
{
    for (std::size_t i = 0; i < BGP_MARKER_SIZE; ++i)
    {
        BgpBytes message = ParseHex(KEEPALIVE);
        message[i] = 0xfe;
        const BgpFrame frame = Frame(message);
        EXPECT_EQ(frame.status, Status::ERROR);
        EXPECT_TRUE(frame.notification == BgpNotification(BgpHeaderError::NOT_SYNCHRONIZED));
    }
}

TEST(BgpFramer, Rfc4271Section61LengthsFitTheirTypes)
{
    // Smallest and largest of each type, and one byte less and more; without the body, which does
    // not have to be there for an error to be found.
    const struct
    {
        uint8_t type;
        uint32_t min;
        uint32_t max;
    } cases[] = {{1, 29, 4096}, {2, 23, 4096}, {3, 21, 4096}, {4, 19, 19}, {5, 23, 23}};

    for (const auto& row : cases)
    {
        SCOPED_TRACE(+row.type);
        const auto check = [&row](uint32_t length, bool isGood) {
            const auto length16 = static_cast<uint16_t>(length);
            const BgpFrame frame = Frame(Header(length16, row.type));
            EXPECT_EQ(frame.status == Status::ERROR, !isGood) << length;
            if (!isGood)
            {
                BgpBytes data;
                AppendBgp(data, length16);
                EXPECT_TRUE(frame.notification ==
                            BgpNotification(BgpHeaderError::BAD_MESSAGE_LENGTH, data));
            }
        };
        check(0, false);
        check(row.min - 1, false);
        check(row.min, true);
        check(row.max, true);
        check(row.max + 1, false);
        check(65535, false);
    }
}

TEST(BgpFramer, Rfc4271Section61TypesAreKnown)
{
    for (const uint8_t type : {0, 6, 255})
    {
        const BgpFrame frame = Frame(Header(23, type));
        EXPECT_EQ(frame.status, Status::ERROR);
        EXPECT_TRUE(frame.notification ==
                    BgpNotification(BgpHeaderError::BAD_MESSAGE_TYPE, {type}));
    }
    // A length that no message has comes first.
    EXPECT_TRUE(Frame(Header(4097, 6)).notification ==
                BgpNotification(BgpHeaderError::BAD_MESSAGE_LENGTH, {0x10, 0x01}));
}

TEST(BgpFramer, NothingIsFoundAfterAnError)
{
    BgpFramer framer;
    const BgpBytes bad(19, 0);
    const BgpBytes good = ParseHex(KEEPALIVE);
    framer.Append(good.data(), good.size());
    framer.Append(bad.data(), bad.size());
    framer.Append(good.data(), good.size());
    EXPECT_EQ(framer.Next().status, Status::MESSAGE);
    EXPECT_EQ(framer.Next().status, Status::ERROR);
    framer.Append(good.data(), good.size());
    EXPECT_EQ(framer.Next().status, Status::INCOMPLETE);
    framer = {};
    EXPECT_EQ(framer.Next().status, Status::INCOMPLETE);
    framer.Append(good.data(), good.size());
    EXPECT_EQ(framer.Next().status, Status::MESSAGE);
}

RC_GTEST_PROP(BgpFramer, PiecesMakeNoDifference, ())
{
    const std::vector<BgpBytes> golden{ParseHex(UPDATE_EXABGP),
                                       ParseHex(OPEN_EXABGP),
                                       ParseHex(KEEPALIVE),
                                       ParseHex(NOTIFICATION_SHUTDOWN),
                                       ParseHex(ROUTE_REFRESH),
                                       ParseHex(UPDATE_FULL)};
    const auto messages =
        DrawList(12, [&golden] { return golden[DrawInRange<std::size_t>(0, golden.size())]; });
    BgpBytes stream;
    for (const BgpBytes& message : messages)
    {
        AppendBgpBytes(stream, message);
    }
    BgpFramer framer;
    std::vector<BgpBytes> found;
    for (std::size_t begin = 0; begin < stream.size();)
    {
        const auto size = std::min(stream.size() - begin,
                                   DrawElement<std::size_t>({0, 1, 2, 18, 19, 20, 60, 500}));
        framer.Append(&stream[begin], size);
        begin += size;
        for (BgpFrame frame = framer.Next(); frame.status != Status::INCOMPLETE;
             frame = framer.Next())
        {
            RC_ASSERT(frame.status == Status::MESSAGE);
            BgpBytes message = BeginBgpMessage(frame.type);
            message.insert(message.end(), frame.body, frame.body + frame.bodySize);
            FinishBgpMessage(message);
            found.push_back(message);
        }
    }
    RC_ASSERT(found == messages);
}
