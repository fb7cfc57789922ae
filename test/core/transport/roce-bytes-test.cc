// SPDX-License-Identifier: GPL-2.0-only

// The headers behind UDP: InfiniBand Architecture Specification, volume 1, chapter 9 and annex A17.
// The packets were made by other programs and adapters (roce-frames.h); test/python/test_roce.py
// has tshark read them.

#include "model/core/transport/invariant-crc.h"
#include "model/core/transport/roce-bytes.h"
#include "roce-frames.h"
#include "test/core/core-test.h"

#include "ns3/roce-packet.h"

Bytes
BehindUdp(const Bytes& frame)
{
    return {frame.begin() + ROCE_DATAGRAM_HEADER_SIZE, frame.end()};
}

/// Decode a whole packet behind UDP.
RoceResult
Decode(const Bytes& bytes, RocePacket& packet)
{
    return DecodeRoce(bytes.data(), bytes.size(), static_cast<uint32_t>(bytes.size()), packet);
}

RoceResult
Decode(const Bytes& bytes)
{
    RocePacket packet;
    return Decode(bytes, packet);
}

/// A golden frame behind UDP with a byte in place of another one.
RoceResult
DecodeWith(const char* text, std::size_t offset, int byte)
{
    Bytes bytes = BehindUdp(ParseHex(text));
    bytes[offset] = static_cast<uint8_t>(byte);
    return Decode(bytes);
}

/// Any packet that may be sent.
RocePacket
DrawPacket()
{
    RocePacket packet;
    const auto code = DrawInRange<int>(0, 0x13);
    packet.opcode = code == 0x12 ? RoceOpcode::CNP : static_cast<RoceOpcode>(code);
    const RoceOpcodeInfo& info = GetRoceOpcodeInfo(packet.opcode);
    packet.isSolicited = DrawAny<bool>();
    packet.isMigrated = DrawAny<bool>();
    packet.fecn = DrawAny<bool>();
    packet.becn = DrawAny<bool>();
    packet.isAckRequested = DrawAny<bool>();
    packet.pKey = DrawAny<uint16_t>();
    packet.destinationQp = DrawInRange<uint32_t>(0, 1 << 24);
    packet.psn = DrawInRange<uint32_t>(0, 1 << 24);
    if (info.hasReth)
    {
        packet.virtualAddress = DrawAny<uint64_t>();
        packet.remoteKey = DrawAny<uint32_t>();
        packet.dmaLength = DrawAny<uint32_t>();
    }
    if (info.hasImmediate)
    {
        packet.immediate = DrawAny<uint32_t>();
    }
    if (info.hasAeth)
    {
        packet.syndrome = DrawInRange<uint8_t>(0, 0x20);
        packet.msn = DrawInRange<uint32_t>(0, 1 << 24);
    }
    if (packet.opcode == RoceOpcode::ACKNOWLEDGE)
    {
        packet.syndrome = *rc::gen::oneOf(rc::gen::inRange<uint8_t>(0, 0x40),
                                          rc::gen::inRange<uint8_t>(0x60, 0x64));
        packet.hasSelective = DrawAny<bool>();
        packet.selectivePsn = packet.hasSelective ? DrawInRange<uint32_t>(0, 1 << 24) : 0;
        packet.reflectionSize = DrawInRange<uint8_t>(0, ROCE_MAX_REFLECTION_SIZE + 1);
        for (std::size_t i = 0; i < packet.reflectionSize; ++i)
        {
            packet.reflection[i] = DrawAny<uint8_t>();
        }
    }
    if (info.hasPayload)
    {
        const auto size = DrawInRange<uint32_t>(0, 4097);
        packet.payloadSize = info.endsMessage ? size : size / 4 * 4;
    }
    return packet;
}

TEST(RoceBytes, GoldenFramesAreEncoded)
{
    for (const GoldenFrame& frame : GoldenFrames())
    {
        const Bytes whole = BehindUdp(frame.bytes);
        Bytes bytes(GetRoceHeaderSize(frame.packet));
        EXPECT_EQ(EncodeRoce(frame.packet, bytes.data()), bytes.size()) << frame.name;
        EXPECT_EQ(bytes, Bytes(whole.begin(), whole.begin() + bytes.size())) << frame.name;
        EXPECT_EQ(GetRoceSize(frame.packet), whole.size()) << frame.name;
    }
}

TEST(RoceBytes, GoldenFramesAreDecoded)
{
    for (const GoldenFrame& frame : GoldenFrames())
    {
        RocePacket packet;
        ASSERT_EQ(Decode(BehindUdp(frame.bytes), packet), RoceResult::OK) << frame.name;
        EXPECT_TRUE(IsSamePacket(packet, frame.packet)) << frame.name;
    }
}

TEST(RoceBytes, PayloadNeedNotBeThere)
{
    // A simulated payload has no bytes: the headers are enough to read.
    for (const GoldenFrame& frame : GoldenFrames())
    {
        const Bytes whole = BehindUdp(frame.bytes);
        const Bytes headers(whole.begin(), whole.begin() + GetRoceHeaderSize(frame.packet));
        RocePacket packet;
        ASSERT_EQ(
            DecodeRoce(headers.data(), headers.size(), static_cast<uint32_t>(whole.size()), packet),
            RoceResult::OK)
            << frame.name;
        EXPECT_TRUE(IsSamePacket(packet, frame.packet)) << frame.name;
    }
}

TEST(RoceBytes, Hw2OfAnUnreliableConnectionIsUnknown)
{
    EXPECT_EQ(Decode(BehindUdp(ParseHex(HW2))), RoceResult::UNKNOWN_OPCODE);
}

TEST(RoceBytes, EveryTruncationIsRefusedOrHasLessPayload)
{
    for (const GoldenFrame& frame : GoldenFrames())
    {
        const Bytes whole = BehindUdp(frame.bytes);
        const std::size_t headers = GetRoceOpcodeInfo(frame.packet.opcode).headerSize;
        for (std::size_t size = 0; size < whole.size(); ++size)
        {
            const Bytes bytes(whole.begin(), whole.begin() + size); // for sanitizers
            RocePacket packet;
            packet.msn = 0x55;
            const RoceResult result = Decode(bytes, packet);
            if (size < headers + INVARIANT_CRC_SIZE)
            {
                EXPECT_EQ(result, RoceResult::TOO_SHORT) << frame.name << " " << size;
            }
            else if (size % 4 != 0)
            {
                EXPECT_EQ(result, RoceResult::BAD_LENGTH) << frame.name << " " << size;
            }
            else if (result == RoceResult::OK)
            {
                EXPECT_EQ(GetRoceSize(packet), size) << frame.name;
                packet.payloadSize = frame.packet.payloadSize;
                packet.hasSelective = frame.packet.hasSelective;
                packet.selectivePsn = frame.packet.selectivePsn;
                packet.reflectionSize = frame.packet.reflectionSize;
                packet.reflection = frame.packet.reflection;
                EXPECT_TRUE(IsSamePacket(packet, frame.packet)) << frame.name << " " << size;
            }
            if (result != RoceResult::OK)
            {
                EXPECT_EQ(packet.msn, 0x55U) << frame.name << " " << size;
            }
        }
    }
}

TEST(RoceBytes, HeadersThatAreNotThereAreTooShort)
{
    for (const GoldenFrame& frame : GoldenFrames())
    {
        const Bytes whole = BehindUdp(frame.bytes);
        for (std::size_t n = 0; n < GetRoceHeaderSize(frame.packet); ++n)
        {
            const Bytes bytes(whole.begin(), whole.begin() + n); // for sanitizers
            RocePacket packet;
            EXPECT_EQ(DecodeRoce(bytes.data(), n, static_cast<uint32_t>(whole.size()), packet),
                      RoceResult::TOO_SHORT)
                << frame.name << " " << n;
        }
    }
    RocePacket packet;
    EXPECT_EQ(DecodeRoce(nullptr, 0, 0, packet), RoceResult::TOO_SHORT);
}

TEST(RoceBytes, OtherVersionsOfTheTransportAreRefused)
{
    for (int version = 1; version < 16; ++version)
    {
        EXPECT_EQ(DecodeWith(F1, 1, version), RoceResult::BAD_VERSION) << version;
    }
}

TEST(RoceBytes, OpcodesOfOtherServicesAreUnknown)
{
    // Atomic operations, unreliable connection, reliable datagram, unreliable datagram
    for (const int code : {0x12, 0x13, 0x14, 0x24, 0x44, 0x64, 0x80, 0x82, 0xff})
    {
        EXPECT_EQ(DecodeWith(F1, 0, code), RoceResult::UNKNOWN_OPCODE) << code;
    }
}

TEST(RoceBytes, PayloadAndPaddingAreAMultipleOfFour)
{
    for (int extra = 1; extra < 8; ++extra)
    {
        Bytes bytes = BehindUdp(ParseHex(F3));
        bytes.resize(bytes.size() + extra);
        EXPECT_EQ(Decode(bytes) == RoceResult::OK, extra == 4) << extra;
        EXPECT_EQ(Decode(bytes) == RoceResult::BAD_LENGTH, extra != 4) << extra;
    }
}

TEST(RoceBytes, OpcodesWithoutPayloadHaveNone)
{
    Bytes request = BehindUdp(ParseHex(F5));
    request[0] = 0x0c; // READ request
    EXPECT_EQ(Decode(request), RoceResult::BAD_LENGTH);
    request.resize(12 + 16 + 4);
    EXPECT_EQ(Decode(request), RoceResult::OK);
    Bytes cnp = BehindUdp(ParseHex(F8));
    cnp.resize(cnp.size() + 4);
    EXPECT_EQ(Decode(cnp), RoceResult::BAD_LENGTH);
    Bytes ack = BehindUdp(ParseHex(F6));
    ack.resize(ack.size() + 4);
    EXPECT_NE(Decode(ack), RoceResult::OK);
}

TEST(RoceBytes, OnlyTheEndOfAMessageIsPadded)
{
    const std::set<int> padded{0x02, 0x03, 0x04, 0x05, 0x08, 0x09, 0x0a, 0x0b, 0x0f, 0x10};
    for (int code = 0; code <= 0x11; ++code)
    {
        const RoceOpcodeInfo& info = GetRoceOpcodeInfo(static_cast<RoceOpcode>(code));
        Bytes bytes(info.headerSize + (info.hasPayload ? 8 : 0) + INVARIANT_CRC_SIZE);
        bytes[0] = static_cast<uint8_t>(code);
        for (uint8_t padCount = 0; padCount < 4; ++padCount)
        {
            bytes[1] = static_cast<uint8_t>(padCount << 4);
            RocePacket packet;
            const RoceResult result = Decode(bytes, packet);
            if (padCount > 0 && padded.count(code) == 0)
            {
                EXPECT_EQ(result, RoceResult::BAD_PAD_COUNT) << code;
                continue;
            }
            EXPECT_EQ(result, RoceResult::OK) << code;
            EXPECT_EQ(packet.payloadSize, info.hasPayload ? 8U - padCount : 0U) << code;
        }
    }
    EXPECT_EQ(DecodeWith(F8, 1, 0x10), RoceResult::BAD_PAD_COUNT);
    EXPECT_EQ(DecodeWith(F1, 1, 0x10), RoceResult::BAD_PAD_COUNT); // nothing there to be padding
}

TEST(RoceBytes, ReservedBitsAreIgnored)
{
    RocePacket packet;
    Bytes bytes = BehindUdp(ParseHex(F8));
    bytes[4] |= 0x3f;
    bytes[8] |= 0x7f;
    std::fill(bytes.begin() + 12, bytes.begin() + 28, 0xff);
    ASSERT_EQ(Decode(bytes, packet), RoceResult::OK);
    RocePacket plain;
    ASSERT_EQ(Decode(BehindUdp(ParseHex(F8)), plain), RoceResult::OK);
    EXPECT_TRUE(IsSamePacket(packet, plain));
}

TEST(RoceBytes, ReservedSyndromesAreRefused)
{
    // 00 ACK, 01 receiver not ready, 10 reserved, 11 NAK of codes 0 to 3; the first bit is 0
    for (int syndrome = 0; syndrome < 256; ++syndrome)
    {
        const bool isAck = syndrome < 0x20;
        const bool isRefusal =
            (syndrome >= 0x20 && syndrome < 0x40) || (syndrome >= 0x60 && syndrome < 0x64);
        EXPECT_EQ(DecodeWith(F6, 12, syndrome),
                  isAck || isRefusal ? RoceResult::OK : RoceResult::BAD_SYNDROME)
            << syndrome;
        Bytes response = BehindUdp(ParseHex(F6));
        response[0] = 0x10;
        response[12] = static_cast<uint8_t>(syndrome);
        EXPECT_EQ(Decode(response), isAck ? RoceResult::OK : RoceResult::BAD_SYNDROME) << syndrome;
    }
}

TEST(RoceBytes, ExtensionsHaveOneForm)
{
    const auto decode = [](const std::string& extensions) {
        Bytes bytes = BehindUdp(ParseHex(F6));
        const Bytes more = ParseHex(extensions);
        bytes.insert(bytes.end() - INVARIANT_CRC_SIZE, more.begin(), more.end());
        return Decode(bytes);
    };
    EXPECT_EQ(decode(""), RoceResult::OK);
    EXPECT_EQ(decode("13000000"), RoceResult::OK);
    EXPECT_EQ(decode("23010203"), RoceResult::OK);
    EXPECT_EQ(decode("13000000 28010203 04050607 08000000"), RoceResult::OK);
    for (const char* wrong : {"00000000",                             // no extension
                              "12000000",                             // a PSN has three bytes
                              "14000000 00000000",                    // likewise
                              "33000000",                             // unknown
                              "20000000",                             // a reflection of nothing
                              "29010203 04050607 08090000",           // a reflection too large
                              "27010203",                             // longer than there are bytes
                              "23010203 00000000",                    // more bytes than it says
                              "21010001",                             // padding that is not zero
                              "13000000 13000000",                    // twice
                              "23010203 23010203",                    // twice
                              "23010203 13000000",                    // the wrong order
                              "13000000 23010203 00000000 00000000"}) // something behind
    {
        EXPECT_EQ(decode(wrong), RoceResult::BAD_EXTENSION) << wrong;
    }
}

TEST(RoceBytes, ExtensionsAreOfAcknowledgmentsOnly)
{
    RocePacket packet = ForwardPacket(RoceOpcode::SEND_ONLY, 0, 0);
    packet.hasSelective = true;
    packet.reflectionSize = 8;
    EXPECT_EQ(GetRoceHeaderSize(packet), 12U);
    std::array<uint8_t, ROCE_MAX_HEADER_SIZE> bytes;
    EXPECT_EQ(EncodeRoce(packet, bytes.data()), 12U);
}

RC_GTEST_PROP(RoceBytes, WhatIsEncodedIsDecodedAlike, ())
{
    const RocePacket packet = DrawPacket();
    Bytes bytes(GetRoceHeaderSize(packet));
    RC_ASSERT(bytes.size() <= ROCE_MAX_HEADER_SIZE);
    RC_ASSERT(EncodeRoce(packet, bytes.data()) == bytes.size());
    RocePacket decoded;
    RC_ASSERT(DecodeRoce(bytes.data(), bytes.size(), GetRoceSize(packet), decoded) ==
              RoceResult::OK);
    RC_ASSERT(IsSamePacket(decoded, packet));
}

RC_GTEST_PROP(RoceBytes, AnyBytesAreRefusedOrEncodedAlike, (Bytes bytes))
{
    bytes.resize(bytes.size() / 4 * 4);
    if (!bytes.empty())
    {
        bytes[0] = DrawElement<uint8_t>({0x00, 0x04, 0x06, 0x0c, 0x0d, 0x11, 0x11, 0x81});
    }
    if (bytes.size() > 1)
    {
        bytes[1] &= 0xf0;
    }
    RocePacket packet;
    if (Decode(bytes, packet) == RoceResult::OK)
    {
        Bytes headers(GetRoceHeaderSize(packet));
        RC_ASSERT(EncodeRoce(packet, headers.data()) == headers.size());
        RC_ASSERT(GetRoceSize(packet) == bytes.size());
        RocePacket again;
        RC_ASSERT(DecodeRoce(headers.data(), headers.size(), GetRoceSize(packet), again) ==
                  RoceResult::OK);
        RC_ASSERT(IsSamePacket(again, packet));
    }
}
