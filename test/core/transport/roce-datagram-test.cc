// SPDX-License-Identifier: GPL-2.0-only

// RoCEv2 packets with IPv4 and UDP: InfiniBand Architecture Specification, volume 1, annex A17.3.

#include "model/core/ipv4-bytes.h"
#include "model/core/transport/invariant-crc.h"
#include "model/core/transport/roce-bytes.h"
#include "roce-frames.h"
#include "test/core/core-test.h"

Bytes
Encode(const RoceDatagram& datagram, const RocePacket& packet)
{
    Bytes bytes(ROCE_DATAGRAM_HEADER_SIZE + GetRoceHeaderSize(packet)); // for sanitizers
    EXPECT_EQ(EncodeRoceDatagram(datagram, packet, bytes.data()), bytes.size());
    return bytes;
}

TEST(RoceDatagram, HeadersAreThoseOfTheGoldenFrames)
{
    for (const GoldenFrame& frame : GoldenFrames())
    {
        const Bytes headers = Encode(frame.datagram, frame.packet);
        ASSERT_LE(headers.size(), frame.bytes.size()) << frame.name;
        EXPECT_EQ(headers, Bytes(frame.bytes.begin(), frame.bytes.begin() + headers.size()))
            << frame.name;
        EXPECT_EQ(ROCE_DATAGRAM_HEADER_SIZE + GetRoceSize(frame.packet), frame.bytes.size())
            << frame.name;
    }
}

TEST(RoceDatagram, InvariantCrcsOfPacketsWithoutPayloadAreThoseOfTheGoldenFrames)
{
    std::size_t compared = 0;
    for (const GoldenFrame& frame : GoldenFrames())
    {
        if (frame.packet.payloadSize > 0)
        {
            continue; // not of zeros
        }
        Bytes bytes = Encode(frame.datagram, frame.packet);
        std::array<uint8_t, INVARIANT_CRC_SIZE> crc;
        EncodeRoceTrailer(bytes.data(), bytes.size(), frame.packet, crc.data());
        bytes.insert(bytes.end(), crc.begin(), crc.end());
        EXPECT_EQ(bytes, frame.bytes) << frame.name;
        ++compared;
    }
    EXPECT_EQ(compared, 8U); // F1, F6, F7, F8, HW1 and the extensions
}

RC_GTEST_PROP(RoceDatagram, InvariantCrcIsThatOfPayloadAndPaddingOfZeros, ())
{
    const auto payloadSize = DrawInRange<uint32_t>(0, 4097);
    const RocePacket packet = ForwardPacket(RoceOpcode::SEND_ONLY, 7, payloadSize);
    Bytes bytes = Encode(ForwardDatagram(), packet);
    std::array<uint8_t, INVARIANT_CRC_SIZE> crc;
    EncodeRoceTrailer(bytes.data(), bytes.size(), packet, crc.data());
    bytes.resize(ROCE_DATAGRAM_HEADER_SIZE + GetRoceSize(packet) - crc.size());
    const uint32_t expected = ComputeInvariantCrc(bytes.data(), bytes.size(), 0);
    for (std::size_t i = 0; i < crc.size(); ++i)
    {
        RC_ASSERT(crc[i] == ((expected >> (8 * i)) & 0xff)); // least significant first
    }
}

TEST(RoceDatagram, LengthsAreThoseOfTheWholePacket)
{
    // 4096 bytes in the first packet of a WRITE: 20 + 8 + 12 + 16 + 4096 + 4
    Bytes bytes = Encode(ForwardDatagram(), ForwardPacket(RoceOpcode::WRITE_FIRST, 0, 4096));
    EXPECT_EQ(bytes[2] << 8 | bytes[3], 4156);
    EXPECT_EQ(bytes[24] << 8 | bytes[25], 4136);
    // 4097 bytes and 3 of padding
    bytes = Encode(ForwardDatagram(), ForwardPacket(RoceOpcode::SEND_ONLY, 0, 4097));
    EXPECT_EQ(bytes[2] << 8 | bytes[3], 20 + 8 + 12 + 4100 + 4);
}

TEST(RoceDatagram, AnnexA17SourcePortsAreDynamicOnesAndConstant)
{
    EXPECT_EQ(ROCE_UDP_PORT, 4791);
    // 17 * 18 = 0x132, which is below 2^14
    EXPECT_EQ(GetRoceSourcePort(0x11, 0x12), 0xc132);
    // 0xabcdef * 0x11 = 0xb68acdf; ^ 0xb6 = 0xb68ac69, label 0x8ac69: 0x2c69 ^ 0x22
    EXPECT_EQ(GetRoceSourcePort(0xabcdef, 0x11), 0xc000 + 0x2c4b);
    // 0x1234^2 = 0x14b5a90; ^ 0x14 = 0x14b5a84, label 0xb5a84: 0x1a84 ^ 0x2d
    EXPECT_EQ(GetRoceSourcePort(0x001234, 0x001234), 0xc000 + 0x1aa9);
}

RC_GTEST_PROP(RoceDatagram, ConnectionsOfTwoHostsHaveDifferentSourcePorts, ())
{
    // Numbered one behind another at both hosts
    const auto a = DrawInRange<uint32_t>(2, 4096);
    const auto b = DrawInRange<uint32_t>(2, 4096);
    std::set<uint16_t> ports;
    for (uint32_t i = 0; i < 64; ++i)
    {
        ports.insert(GetRoceSourcePort(a + i, b + i));
    }
    // Products below 2^14 are ports of their own. Of larger ones, two of 64 that are drawn from
    // 2^14 are equal in one case of eight, so ten are not in any.
    RC_ASSERT(ports.size() > (a + 64 < 128 && b + 64 < 128 ? 63U : 54U));
}

RC_GTEST_PROP(RoceDatagram, SourcePortsAreTheSameInBothDirections, ())
{
    const auto a = DrawInRange<uint32_t>(0, 1 << 24);
    const auto b = DrawInRange<uint32_t>(0, 1 << 24);
    RC_ASSERT(GetRoceSourcePort(b, a) == GetRoceSourcePort(a, b));
    RC_ASSERT(GetRoceSourcePort(a, b) >= 49152);
}

RC_GTEST_PROP(RoceDatagram, Ipv4ChecksumIsRightForAllFields, ())
{
    RoceDatagram datagram;
    datagram.source = DrawAny<uint32_t>();
    datagram.destination = DrawAny<uint32_t>();
    datagram.identification = DrawAny<uint16_t>();
    datagram.dscp = DrawInRange<uint8_t>(0, 64);
    datagram.ecn = DrawInRange<uint8_t>(0, 4);
    datagram.ttl = DrawAny<uint8_t>();
    const Bytes bytes = Encode(datagram, ForwardPacket(RoceOpcode::SEND_ONLY, 0, 100));
    Ipv4Bytes header;
    std::copy_n(bytes.begin(), header.size(), header.begin());
    RC_ASSERT(SumIpv4Words(header) == 0xffff);
    RC_ASSERT(bytes[1] == (datagram.dscp << 2 | datagram.ecn));
}
