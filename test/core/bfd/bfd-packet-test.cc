// SPDX-License-Identifier: GPL-2.0-only

// The control packet: RFC 5880, section 4.1; and the checks of section 6.8.6 in their order, with
// the session that a packet selects. The packets of the handshake were captured between bfdd of FRR
// 8.4.4 and BIRD 2.0.12.

#include "test/core/core-test.h"
#include "test/core/hex-bytes.h"

#include "ns3/bfd-packet.h"
#include "ns3/bfd-session.h"

constexpr uint32_t FRR = 0x25963f52;
constexpr uint32_t BIRD = 0xa3e2b48c;

/// A packet of the capture, and what it says.
struct Captured
{
    std::string octets;
    BfdPacket packet;
};

BfdPacket
Make(BfdState state,
     bool isPoll,
     bool isFinal,
     uint32_t my,
     uint32_t your,
     uint32_t tx,
     uint32_t rx)
{
    BfdPacket packet;
    packet.state = state;
    packet.isPoll = isPoll;
    packet.isFinal = isFinal;
    packet.detectMultiplier = 3;
    packet.myDiscriminator = my;
    packet.yourDiscriminator = your;
    packet.desiredMinTx = tx;
    packet.requiredMinRx = rx;
    packet.requiredMinEchoRx = my == FRR ? 50000 : 0;
    return packet;
}

BfdPacket
With(BfdPacket packet, BfdDiagnostic diagnostic)
{
    packet.diagnostic = static_cast<uint8_t>(diagnostic);
    return packet;
}

const Captured CAPTURE[] = {
    {"2040031825963f5200000000000f4240000f42400000c350",
     Make(BfdState::DOWN, false, false, FRR, 0, 1000000, 1000000)},
    {"20400318a3e2b48c00000000000f42400000c35000000000",
     Make(BfdState::DOWN, false, false, BIRD, 0, 1000000, 50000)},
    {"2080031825963f52a3e2b48c000f4240000f42400000c350",
     Make(BfdState::INIT, false, false, FRR, BIRD, 1000000, 1000000)},
    {"20e00318a3e2b48c25963f520000c3500000c35000000000",
     Make(BfdState::UP, true, false, BIRD, FRR, 50000, 50000)},
    {"20e0031825963f52a3e2b48c0000c3500000c3500000c350",
     Make(BfdState::UP, true, false, FRR, BIRD, 50000, 50000)},
    {"20d0031825963f52a3e2b48c0000c3500000c3500000c350",
     Make(BfdState::UP, false, true, FRR, BIRD, 50000, 50000)},
    {"20d00318a3e2b48c25963f520000c3500000c35000000000",
     Make(BfdState::UP, false, true, BIRD, FRR, 50000, 50000)},
    {"20c00318a3e2b48c25963f520000c3500000c35000000000",
     Make(BfdState::UP, false, false, BIRD, FRR, 50000, 50000)},
    {"20c0031825963f52a3e2b48c0000c3500000c3500000c350",
     Make(BfdState::UP, false, false, FRR, BIRD, 50000, 50000)},
    {"21400318a3e2b48c00000000000f42400000c35000000000",
     With(Make(BfdState::DOWN, false, false, BIRD, 0, 1000000, 50000),
          BfdDiagnostic::DETECTION_TIME_EXPIRED)},
};

/// What becomes of a packet.
BfdDiscard
Decode(const std::string& octets)
{
    const Bytes bytes = ParseHex(octets);
    BfdPacket packet;
    return DecodeBfdPacket(bytes.data(), bytes.size(), packet);
}

TEST(BfdPacket, Section41PacketsOfDaemonsAreReadAndWritten)
{
    for (const Captured& captured : CAPTURE)
    {
        const Bytes bytes = ParseHex(captured.octets);
        BfdPacket packet;
        EXPECT_EQ(DecodeBfdPacket(bytes.data(), bytes.size(), packet), BfdDiscard::NONE)
            << captured.octets;
        EXPECT_TRUE(packet == captured.packet) << captured.octets;
        const auto written = EncodeBfdPacket(captured.packet);
        EXPECT_TRUE(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()))
            << captured.octets;
    }
}

TEST(BfdPacket, Section41FlagsAreBitsOfTheSecondOctet)
{
    const std::string rest = "03180000000100000002000f42400000c35000000000";
    const Bytes bytes = ParseHex("28ca" + rest); // Up, C, D; diagnostic 8
    BfdPacket packet;
    EXPECT_EQ(DecodeBfdPacket(bytes.data(), bytes.size(), packet), BfdDiscard::NONE);
    EXPECT_EQ(packet.diagnostic, 8);
    EXPECT_EQ(packet.state, BfdState::UP);
    EXPECT_TRUE(packet.isControlPlaneIndependent && packet.isDemand);
    EXPECT_FALSE(packet.isPoll || packet.isFinal || packet.isAuthenticated);
    const auto written = EncodeBfdPacket(packet);
    EXPECT_TRUE(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
}

/// A table with one session, number 0, to 10.0.0.2 at interface 1.
BfdDiscard
Select(const BfdPacket& packet, uint32_t interface = 1, uint32_t source = 0x0a000002)
{
    BfdSessionTable table;
    table.Add(1, 0x0a000002);
    uint32_t number = 99;
    const BfdDiscard discard = table.Select(packet, interface, source, number);
    EXPECT_EQ(number, discard == BfdDiscard::NONE ? 0U : 99U);
    return discard;
}

TEST(BfdPacket, Section686VersionOtherThan1IsDiscarded)
{
    for (const char* first : {"00", "40", "e0"})
    {
        EXPECT_EQ(Decode(std::string(first) + "400318000000010000000000"
                                              "0f4240000f424000000000"),
                  BfdDiscard::WRONG_VERSION);
    }
    EXPECT_EQ(Decode("40"), BfdDiscard::WRONG_VERSION) << "before the length";
}

TEST(BfdPacket, Section686LengthBelowTheLeastIsDiscarded)
{
    const std::string rest = "0000000100000000000f4240000f424000000000";
    EXPECT_EQ(Decode("20400317" + rest), BfdDiscard::TOO_SHORT);
    EXPECT_EQ(Decode("20400300" + rest), BfdDiscard::TOO_SHORT);
    EXPECT_EQ(Decode("20400318" + rest), BfdDiscard::NONE);
    EXPECT_EQ(Decode("20440318" + rest), BfdDiscard::TOO_SHORT) << "authenticated, 24";
    EXPECT_EQ(Decode("20440319" + rest + "00"), BfdDiscard::TOO_SHORT) << "authenticated, 25";
    EXPECT_EQ(Decode("2044031a" + rest + "0102"), BfdDiscard::NONE) << "authenticated, 26";
}

TEST(BfdPacket, Section686LengthBeyondTheDatagramIsDiscardedButNotBelowIt)
{
    const std::string rest = "0000000100000000000f4240000f424000000000";
    EXPECT_EQ(Decode("20400319" + rest), BfdDiscard::TRUNCATED);
    EXPECT_EQ(Decode("204003ff" + rest), BfdDiscard::TRUNCATED);
    EXPECT_EQ(Decode("20400318" + rest + "ffffffff"), BfdDiscard::NONE) << "more is ignored";
    EXPECT_EQ(Decode("20400318" + rest.substr(2)), BfdDiscard::TRUNCATED);
    EXPECT_EQ(Decode(""), BfdDiscard::TRUNCATED);
    EXPECT_EQ(Decode("204003"), BfdDiscard::TRUNCATED);
}

TEST(BfdPacket, Section686DetectMultiplier0IsDiscarded)
{
    EXPECT_EQ(Decode("204000180000000100000000000f4240000f424000000000"),
              BfdDiscard::NO_MULTIPLIER);
    EXPECT_EQ(Decode("204100180000000000000000000f4240000f424000000000"), BfdDiscard::NO_MULTIPLIER)
        << "before Multipoint and discriminator";
}

TEST(BfdPacket, Section686MultipointIsDiscarded)
{
    EXPECT_EQ(Decode("204103180000000000000000000f4240000f424000000000"), BfdDiscard::MULTIPOINT)
        << "before the discriminator";
}

TEST(BfdPacket, Section686MyDiscriminator0IsDiscarded)
{
    EXPECT_EQ(Decode("204003180000000000000000000f4240000f424000000000"),
              BfdDiscard::NO_DISCRIMINATOR);
}

TEST(BfdPacket, Section686YourDiscriminatorAloneSelectsTheSession)
{
    for (const BfdState state :
         {BfdState::ADMIN_DOWN, BfdState::DOWN, BfdState::INIT, BfdState::UP})
    {
        EXPECT_EQ(Select(Make(state, false, false, 7, 1, 1, 1), 9, 9), BfdDiscard::NONE);
        EXPECT_EQ(Select(Make(state, false, false, 7, 2, 1, 1)), BfdDiscard::UNKNOWN_SESSION)
            << "not by the source either";
    }
    EXPECT_EQ(Select(Make(BfdState::UP, false, false, 7, ~0U, 1, 1)), BfdDiscard::UNKNOWN_SESSION);
}

TEST(BfdPacket, Section686YourDiscriminator0NeedsASenderThatIsDown)
{
    EXPECT_EQ(Select(Make(BfdState::INIT, false, false, 7, 0, 1, 1)), BfdDiscard::NOT_DOWN);
    EXPECT_EQ(Select(Make(BfdState::UP, false, false, 7, 0, 1, 1)), BfdDiscard::NOT_DOWN);
    EXPECT_EQ(Select(Make(BfdState::DOWN, false, false, 7, 0, 1, 1)), BfdDiscard::NONE);
    EXPECT_EQ(Select(Make(BfdState::ADMIN_DOWN, false, false, 7, 0, 1, 1)), BfdDiscard::NONE);
}

TEST(BfdPacket, Section686SourceAndInterfaceSelectAndNothingIsCreated)
{
    const BfdPacket packet = Make(BfdState::DOWN, false, false, 7, 0, 1, 1);
    EXPECT_EQ(Select(packet, 1, 0x0a000003), BfdDiscard::UNKNOWN_NEIGHBOR);
    EXPECT_EQ(Select(packet, 2, 0x0a000002), BfdDiscard::UNKNOWN_NEIGHBOR);
    BfdSessionTable table;
    EXPECT_EQ(table.Add(1, 5), 0U);
    EXPECT_EQ(table.Add(2, 5), 1U) << "the same neighbor at another interface";
    EXPECT_THROW(table.Add(2, 5), std::invalid_argument);
    uint32_t number = 99;
    EXPECT_EQ(table.Select(packet, 2, 5, number), BfdDiscard::NONE);
    EXPECT_EQ(number, 1U);
}

RC_GTEST_PROP(BfdPacket, AnyBytesAreDiscardedOrWrittenAlike, ())
{
    auto bytes = *rc::gen::container<Bytes>(24, rc::gen::arbitrary<uint8_t>());
    bytes[0] = static_cast<uint8_t>(0x20 | (bytes[0] & 0x1f));
    bytes[1] = static_cast<uint8_t>(bytes[1] & ~0x04); // not authenticated
    bytes[3] = 24;
    BfdPacket packet;
    if (DecodeBfdPacket(bytes.data(), bytes.size(), packet) == BfdDiscard::NONE)
    {
        const auto written = EncodeBfdPacket(packet);
        RC_ASSERT(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
    }
    else
    {
        RC_ASSERT(packet == BfdPacket());
        RC_ASSERT(bytes[2] == 0 || (bytes[1] & 1) != 0 ||
                  (bytes[4] | bytes[5] | bytes[6] | bytes[7]) == 0);
    }
}
