// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wire-bench.h"
#include "test/test-case.h"

using namespace aidctest::bgp;

AIDC_TEST_SUITE("aidc-bgp-wire", UNIT);

/// How far the session is when the bytes come.
enum class Stage
{
    OPEN_SENT,    //!< connected
    OPEN_CONFIRM, //!< OPEN has been sent
    ESTABLISHED   //!< KEEPALIVE, too
};

/// Bytes that are wrong, and what the speaker has to say.
struct WrongBytes
{
    const char* name;  //!< with the section
    Stage stage;       //!< when they come
    std::string bytes; //!< in hexadecimal digits
    uint8_t code;      //!< error code
    uint8_t subcode;   //!< error subcode
    const char* data;  //!< in hexadecimal digits
};

/// Put a marker in front of what follows it. rest: length, type and body, in hexadecimal digits.
/// Returns the message, in hexadecimal digits.
std::string
Mark(const std::string& rest)
{
    return std::string(2 * BGP_MARKER_SIZE, 'f') + rest;
}

/// Make an UPDATE that announces 203.0.113.0/24. attributes: the path attributes, in hexadecimal
/// digits.
BgpBytes
MakeUpdate(const std::string& attributes)
{
    BgpBytes message = BeginBgpMessage(BgpMessageType::UPDATE);
    AppendBgp(message, uint16_t{0});
    AppendBgp(message, static_cast<uint16_t>(attributes.size() / 2));
    AppendBgpBytes(message, ParseHex(attributes));
    AppendBgpBytes(message, ParseHex("18cb0071"));
    FinishBgpMessage(message);
    return message;
}

/// In hexadecimal digits: ORIGIN IGP.
const std::string ORIGIN = "40010100";

/// AS_PATH 65002.
const std::string AS_PATH = "40020602010000fdea";

/// NEXT_HOP 10.0.0.2.
const std::string NEXT_HOP = "4003040a000002";

/// The numbers are from RFC 4271, sections 4.5 and 6, and RFC 6608, section 3.
// clang-format off
const std::vector<WrongBytes> WRONG{
    {"RFC 4271, 6.1: marker", Stage::OPEN_SENT, "00ffffffffffffffffffffffffffffff001304", 1, 1, ""},
    {"RFC 4271, 6.1: shorter than a header", Stage::OPEN_SENT, Mark("001204"), 1, 2, "0012"},
    {"RFC 4271, 6.1: longer than 4096", Stage::ESTABLISHED, Mark("100102"), 1, 2, "1001"},
    {"RFC 4271, 6.1: KEEPALIVE with data", Stage::ESTABLISHED, Mark("00140400"), 1, 2, "0014"},
    {"RFC 4271, 6.1: UPDATE of 22", Stage::ESTABLISHED, Mark("001602000000"), 1, 2, "0016"},
    {"RFC 4271, 6.1: type", Stage::ESTABLISHED, Mark("001306"), 1, 3, "06"},
    {"RFC 4271, 6.2: version", Stage::OPEN_SENT, Mark("001d0103fdea00090a00000200"), 2, 1, "0004"},
    {"RFC 4271, 6.2: AS", Stage::OPEN_SENT, Mark("001d0104fdeb00090a00000200"), 2, 2, ""},
    {"RFC 4271, 6.2: hold time", Stage::OPEN_SENT, Mark("001d0104fdea00020a00000200"), 2, 6, ""},
    {"RFC 6286, 2.1: identifier", Stage::OPEN_SENT, Mark("001d0104fdea00090000000000"), 2, 3, ""},
    {"RFC 4271, 6.2: optional parameter", Stage::OPEN_SENT,
     Mark("00200104fdea00090a00000203010100"), 2, 4, ""},
    {"RFC 6608, 3: KEEPALIVE in OpenSent", Stage::OPEN_SENT, KEEPALIVE, 5, 1, "04"},
    {"RFC 6608, 3: UPDATE in OpenSent", Stage::OPEN_SENT, UPDATE_EXABGP, 5, 1, "02"},
    {"RFC 6608, 3: UPDATE in OpenConfirm", Stage::OPEN_CONFIRM, UPDATE_EXABGP, 5, 2, "02"},
    {"RFC 6608, 3: ROUTE-REFRESH in OpenConfirm", Stage::OPEN_CONFIRM, ROUTE_REFRESH, 5, 2, "05"},
    {"RFC 6608, 3: OPEN in Established", Stage::ESTABLISHED, OPEN_EXABGP, 5, 3, "01"},
    {"RFC 4271, 6.3: withdrawn routes overrun", Stage::ESTABLISHED, Mark("00170200050000"), 3, 1,
     ""},
    {"RFC 4271, 6.3: unrecognized well-known attribute", Stage::ESTABLISHED,
     Mark("001b020000000440630000"), 3, 2, "406300"},
    {"RFC 4271, 6.3: prefix of 33 bits", Stage::ESTABLISHED, Mark("001d02000621c0000200000000"), 3,
     10, ""},
    {"RFC 4271, 6.1: ROUTE-REFRESH of 24", Stage::ESTABLISHED, Mark("0018050001000100"), 1, 2,
     "0018"},
};
// clang-format on

// Wrong bytes from the wire have the right NOTIFICATION, and the next session is as good as ever.
AIDC_TEST_CASE_P(WrongBytesTestCase, WrongBytes, wrong, wrong.name)
{
    WireBench bench;
    bench.Connect();
    if (wrong.stage >= Stage::OPEN_CONFIRM)
    {
        bench.Send(ParseHex(OPEN_EXABGP));
    }
    if (wrong.stage == Stage::ESTABLISHED)
    {
        bench.Send(ParseHex(KEEPALIVE));
    }
    NS_TEST_EXPECT_MSG_EQ(bench.network.IsUp(0), (wrong.stage == Stage::ESTABLISHED), "before");
    AIDC_EXPECT(!bench.isClosed, "before");
    bench.Send(ParseHex(wrong.bytes));
    const auto notification = bench.GetNotification();
    AIDC_ASSERT(notification.has_value(), "there is a NOTIFICATION");
    NS_TEST_EXPECT_MSG_EQ(+notification->code, +wrong.code, "code");
    NS_TEST_EXPECT_MSG_EQ(+notification->subcode, +wrong.subcode, "subcode");
    AIDC_EXPECT(notification->data == ParseHex(wrong.data), "data");
    AIDC_EXPECT(bench.isClosed, "and the end");
    AIDC_EXPECT(bench.network.speakers[0]->GetSessionState(0) < BgpSessionState::OPEN_SENT,
                "of the session");
    bench.Establish();
    AIDC_EXPECT(bench.network.IsUp(0), "the next one");
}

// RFC 7606: errors that leave the session as it is; RFC 4271, section 6.3: next hops.
AIDC_TEST_CASE("RFC 7606, 2; RFC 4271, 6.3: what costs routes, and not the session")
{
    WireBench bench;
    bench.Establish();
    const BgpSpeaker& speaker = *bench.network.speakers[0];
    const auto count = [&speaker] { return speaker.GetRib().GetPrefixes().size(); };
    bench.Send(MakeUpdate(ORIGIN + AS_PATH + NEXT_HOP));
    NS_TEST_EXPECT_MSG_EQ(count(), 1, "the route is there");
    // RFC 7606, 7.1: ORIGIN 5
    bench.Send(MakeUpdate("40010105" + AS_PATH + NEXT_HOP));
    NS_TEST_EXPECT_MSG_EQ(count(), 0, "treated as withdrawn");
    NS_TEST_EXPECT_MSG_EQ(speaker.GetStatistics().treatedAsWithdrawn, 1, "counted");
    // RFC 7606, 7.6: ATOMIC_AGGREGATE of a byte
    bench.Send(MakeUpdate(ORIGIN + AS_PATH + NEXT_HOP + "40060100"));
    NS_TEST_EXPECT_MSG_EQ(count(), 1, "without the attribute");
    NS_TEST_EXPECT_MSG_EQ(speaker.GetStatistics().attributeDiscards, 1, "counted");
    // RFC 4271, 6.3: the next hop 10.0.1.2 is not of the link, and replaces what was before
    bench.Send(ParseHex(UPDATE_EXABGP));
    NS_TEST_EXPECT_MSG_EQ(count(), 0, "not taken");
    NS_TEST_EXPECT_MSG_EQ(speaker.GetStatistics().foreignNextHops, 1, "counted");
    // RFC 4271, 9.1.2: a path with the own AS, 65002 65001
    bench.Send(MakeUpdate(ORIGIN + "40020a02020000fdea0000fde9" + NEXT_HOP));
    NS_TEST_EXPECT_MSG_EQ(count(), 0, "a loop");
    // Nothing is wrong with a message that comes in pieces.
    const BgpBytes end = ParseHex(END_OF_RIB);
    for (const uint8_t byte : end)
    {
        bench.Send({byte});
    }
    AIDC_EXPECT(bench.network.IsUp(0), "the session stays");
    AIDC_EXPECT(!bench.isClosed, "all the time");
    bench.End();
    AIDC_EXPECT(!bench.network.IsUp(0), "the peer has closed it");
}

// Random bytes never end the program nor the speaker's service.
AIDC_TEST_CASE("random bytes end a session at most")
{
    WireBench bench;
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    for (uint32_t i = 0; i < 300; ++i)
    {
        bench.Connect();
        if (i % 3 > 0)
        {
            bench.Send(ParseHex(OPEN_EXABGP));
        }
        if (i % 3 > 1)
        {
            bench.Send(ParseHex(KEEPALIVE));
        }
        BgpBytes bytes = ParseHex(i % 2 == 0 ? UPDATE_FULL : UPDATE_EXABGP);
        for (uint32_t n = random->GetInteger(1, 8); n > 0; --n)
        {
            const uint32_t place = random->GetInteger(0, static_cast<uint32_t>(bytes.size()) - 1);
            bytes[place] = static_cast<uint8_t>(random->GetInteger(0, 255));
        }
        bytes.resize(random->GetInteger(1, static_cast<uint32_t>(bytes.size())));
        bench.Send(bytes);
        bench.End();
    }
    bench.Establish();
    AIDC_EXPECT(bench.network.IsUp(0), "it serves on");
    NS_TEST_EXPECT_MSG_EQ(bench.network.speakers[0]->GetRib().GetPrefixes().size(),
                          0,
                          "without old routes");
}

// Connections of strangers, and second ones.
AIDC_TEST_CASE("RFC 4271, 6.8: a second connection is refused, as is that of a stranger")
{
    WireBench bench;
    bench.Establish();
    const auto second =
        Socket::CreateSocket(bench.network.nodes.Get(1), TcpSocketFactory::GetTypeId());
    second->Connect(InetSocketAddress(Ipv4Address("10.0.0.1"), BGP_PORT));
    bench.Run();
    AIDC_EXPECT(bench.network.IsUp(0), "the first one stays");
    NS_TEST_EXPECT_MSG_EQ(bench.network.speakers[0]->GetStatistics().refused, 1, "refused");
    const auto stranger =
        Socket::CreateSocket(bench.network.nodes.Get(0), TcpSocketFactory::GetTypeId());
    bool isConnected = false;
    stranger->SetConnectCallback(
        Callback<void, Ptr<Socket>>([&isConnected](Ptr<Socket>) { isConnected = true; }),
        MakeNullCallback<void, Ptr<Socket>>());
    stranger->Connect(InetSocketAddress(Ipv4Address("127.0.0.1"), BGP_PORT));
    bench.Run();
    AIDC_EXPECT(!isConnected, "no peer");
}

AIDC_ADD_TEST_CASES()
{
    AddTestCases<WrongBytesTestCase>(WRONG);
}
