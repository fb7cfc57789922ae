// SPDX-License-Identifier: GPL-2.0-only

// In-band telemetry in RoCEv2 packets, which is not standard: behind the base transport header if
// its bit T is set, and left out by the invariant CRC.

#include "model/core/transport/int-header.h"
#include "model/core/transport/invariant-crc.h"
#include "model/core/transport/roce-bytes.h"
#include "roce-telemetry-frames.h"
#include "test/core/core-test.h"

#include "ns3/roce-packet.h"

/// What the packets of roce-telemetry-frames.h have collected.
IntHeader
MakeTelemetry()
{
    IntHeader header;
    header.hops[0] = {2, 0x123456, 0xabcde, 0x1f0f1};
    header.hops[1] = {4, 1, 2, 3};
    header.nHops = 2;
    header.pathId = 0xabc;
    return header;
}

/// TELEMETRY_DATA as a value.
RocePacket
MakeData()
{
    RocePacket packet = ForwardPacket(RoceOpcode::SEND_ONLY, 0x123456, 4);
    packet.isMigrated = true;
    packet.isAckRequested = true;
    packet.hasTelemetry = true;
    packet.telemetry = EncodeIntHeader(MakeTelemetry());
    return packet;
}

/// TELEMETRY_ACK as a value.
RocePacket
MakeAnswer()
{
    RocePacket packet = BackwardPacket(0x123456, 0x1f, 1);
    packet.isMigrated = true;
    packet.hasSelective = true;
    packet.selectivePsn = 0x123457;
    packet.hasTelemetry = true;
    packet.telemetry = EncodeIntHeader(MakeTelemetry());
    return packet;
}

/// A packet as bytes with IPv4, UDP and the invariant CRC.
Bytes
Encode(const RoceDatagram& datagram, const RocePacket& packet)
{
    Bytes bytes(ROCE_DATAGRAM_HEADER_SIZE + GetRoceHeaderSize(packet)); // for sanitizers
    EXPECT_EQ(EncodeRoceDatagram(datagram, packet, bytes.data()), bytes.size());
    std::array<uint8_t, INVARIANT_CRC_SIZE> crc;
    EncodeRoceTrailer(bytes.data(), bytes.size(), packet, crc.data());
    bytes.resize(bytes.size() + packet.payloadSize + GetRocePadCount(packet.payloadSize));
    bytes.insert(bytes.end(), crc.begin(), crc.end());
    return bytes;
}

/// Whether two packets are the same, with their telemetry.
bool
IsSame(const RocePacket& a, const RocePacket& b)
{
    return IsSamePacket(a, b) && a.hasTelemetry == b.hasTelemetry && a.telemetry == b.telemetry;
}

RoceResult
Decode(const Bytes& bytes, RocePacket& packet)
{
    const Bytes behindUdp(bytes.begin() + ROCE_DATAGRAM_HEADER_SIZE, bytes.end());
    return DecodeRoce(behindUdp.data(),
                      behindUdp.size(),
                      static_cast<uint32_t>(behindUdp.size()),
                      packet);
}

TEST(RoceTelemetry, HasItsPlace)
{
    EXPECT_EQ(Encode(ForwardDatagram(), MakeData()), ParseHex(TELEMETRY_DATA));
    EXPECT_EQ(Encode(BackwardDatagram(), MakeAnswer()), ParseHex(TELEMETRY_ACK));
    RocePacket packet;
    ASSERT_EQ(Decode(ParseHex(TELEMETRY_DATA), packet), RoceResult::OK);
    EXPECT_TRUE(IsSame(packet, MakeData()));
    ASSERT_EQ(Decode(ParseHex(TELEMETRY_ACK), packet), RoceResult::OK);
    EXPECT_TRUE(IsSame(packet, MakeAnswer()));
}

TEST(RoceTelemetry, TakesFortyTwoBytes)
{
    RocePacket plain = MakeData();
    plain.hasTelemetry = false;
    EXPECT_EQ(GetRoceSize(MakeData()), GetRoceSize(plain) + 42);
    plain = MakeAnswer();
    plain.hasTelemetry = false;
    EXPECT_EQ(GetRoceSize(MakeAnswer()), GetRoceSize(plain) + 42);
}

TEST(RoceTelemetry, TheInvariantCrcStaysWhileSwitchesWrite)
{
    RocePacket packet = MakeData();
    const Bytes before = Encode(ForwardDatagram(), packet);
    AddIntHop(packet.telemetry, {1, 2, 3, 4}, 5);
    const Bytes after = Encode(ForwardDatagram(), packet);
    EXPECT_NE(before, after);
    EXPECT_EQ(Bytes(before.end() - 4, before.end()), Bytes(after.end() - 4, after.end()));
    // It does cover the bit that says that there is telemetry.
    packet.hasTelemetry = false;
    const Bytes without = Encode(ForwardDatagram(), packet);
    EXPECT_NE(Bytes(before.end() - 4, before.end()), Bytes(without.end() - 4, without.end()));
}

TEST(RoceTelemetry, ThatIsCutOffIsTooShort)
{
    const Bytes whole = ParseHex(TELEMETRY_DATA);
    for (std::size_t size = ROCE_DATAGRAM_HEADER_SIZE; size < whole.size() - 4; ++size)
    {
        const Bytes bytes(whole.begin(), whole.begin() + size);
        RocePacket packet;
        EXPECT_EQ(Decode(bytes, packet), RoceResult::TOO_SHORT) << size;
        EXPECT_FALSE(packet.hasTelemetry);
    }
}

TEST(RoceTelemetry, NotificationsHaveNone)
{
    RocePacket packet = ForwardPacket(RoceOpcode::CNP, 0, 0);
    packet.hasTelemetry = true;
    EXPECT_EQ(GetRoceTelemetrySize(packet), 0U);
    EXPECT_EQ(GetRoceHeaderSize(packet), 28U);
    const Bytes bytes = Encode(ForwardDatagram(), packet);
    EXPECT_EQ(bytes.size(), 28U + 28U + 4U);
    EXPECT_EQ(bytes[ROCE_DATAGRAM_HEADER_SIZE + 8], 0);
}

RC_GTEST_PROP(RoceTelemetry, AnyPacketMayHaveIt, ())
{
    const auto code = DrawInRange<int>(0, 0x12);
    RocePacket packet = ForwardPacket(static_cast<RoceOpcode>(code), 7, 0);
    const RoceOpcodeInfo& info = GetRoceOpcodeInfo(packet.opcode);
    packet.payloadSize = info.hasPayload ? DrawInRange<uint32_t>(0, 1024) * 4 : 0;
    packet.hasTelemetry = true;
    for (auto& byte : packet.telemetry)
    {
        byte = DrawAny<uint8_t>();
    }
    RocePacket decoded;
    RC_ASSERT(Decode(Encode(ForwardDatagram(), packet), decoded) == RoceResult::OK);
    RC_ASSERT(IsSame(decoded, packet));
}
