// SPDX-License-Identifier: GPL-2.0-only

// The invariant CRC: InfiniBand Architecture Specification, volume 1, section 7.8.1 and annex
// A17.3.3. Expected values are from other programs, and from a CRC that goes bit by bit, from the
// most significant bit on.

#include "model/core/transport/invariant-crc.h"
#include "model/core/transport/roce-bytes.h"
#include "roce-frames.h"
#include "test/core/core-test.h"

#include <boost/endian/conversion.hpp>

constexpr uint32_t ONES = 0xffffffff;

/// The lower bits of a number in the opposite order.
uint32_t
Mirror(uint32_t value, int bits)
{
    uint32_t mirrored = 0;
    for (int i = 0; i < bits; ++i)
    {
        mirrored = mirrored << 1 | ((value >> i) & 1);
    }
    return mirrored;
}

/// CRC-32 of IEEE 802.3 as its section 3.2.9 says it.
uint32_t
Crc32BitByBit(const Bytes& bytes)
{
    uint32_t crc = ONES;
    for (const uint8_t byte : bytes)
    {
        crc ^= Mirror(byte, 8) << 24;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = crc << 1 ^ (crc >> 31 == 1 ? 0x04c11db7 : 0);
        }
    }
    return ~Mirror(crc, 32);
}

/// A packet without its CRC.
Bytes
Body(const Bytes& frame)
{
    return {frame.begin(), frame.end() - INVARIANT_CRC_SIZE};
}

uint32_t
Crc(const Bytes& body)
{
    return ComputeInvariantCrc(body.data(), body.size(), 0);
}

/// F4 with a byte in place of another one.
uint32_t
CrcOfF4With(std::size_t offset, uint8_t byte)
{
    Bytes body = Body(ParseHex(F4));
    body[offset] = byte;
    return Crc(body);
}

TEST(InvariantCrc, CheckValueAndSeed)
{
    const std::string check = "123456789";
    const Bytes bytes(check.begin(), check.end());
    EXPECT_EQ(~AdvanceCrc32(ONES, bytes.data(), bytes.size()), 0xcbf43926U);
    const Bytes ones(8, 0xff);
    EXPECT_EQ(AdvanceCrc32(ONES, ones.data(), ones.size()), 0xdebb20e3U);
    EXPECT_EQ(AdvanceCrc32(0x12345678, nullptr, 0), 0x12345678U);
}

TEST(InvariantCrc, GoldenFramesF1ToF8Hw1AndHw2)
{
    for (const char* text : {F1, F2, F3, F4, F5, F6, F7, F8, HW1, HW2, SELECTIVE, REFLECTION, BOTH})
    {
        const Bytes frame = ParseHex(text);
        const uint8_t* sent = frame.data() + frame.size() - INVARIANT_CRC_SIZE;
        EXPECT_EQ(Crc(Body(frame)), boost::endian::load_little_u32(sent)) << text;
    }
}

TEST(InvariantCrc, F4IsTheSameForAllThatChangesOnTheWay)
{
    EXPECT_EQ(Crc(Body(ParseHex(F4))), 0xb55a84deU);
    // TOS, TTL, both bytes of the checksum and of UDP's, and FECN, BECN and the reserved bits
    for (const std::size_t offset : {1, 8, 10, 11, 26, 27, 32})
    {
        for (int byte = 0; byte < 256; ++byte)
        {
            EXPECT_EQ(CrcOfF4With(offset, static_cast<uint8_t>(byte)), 0xb55a84deU) << offset;
        }
    }
}

TEST(InvariantCrc, F4IsAnotherOneForAllElse)
{
    EXPECT_EQ(CrcOfF4With(5, 0x35), 0x403f851cU);  // identification 0x1235
    EXPECT_EQ(CrcOfF4With(6, 0x00), 0xdeebac0aU);  // without DF
    EXPECT_EQ(CrcOfF4With(21, 0x24), 0xa625aa24U); // source port 0xc124
    EXPECT_EQ(CrcOfF4With(29, 0x00), 0x17edbe38U); // M
    EXPECT_EQ(CrcOfF4With(30, 0x7f), 0xcebcaad9U); // P_Key
    const Bytes body = Body(ParseHex(F4));
    for (std::size_t offset = 0; offset < body.size(); ++offset)
    {
        const bool isMasked = offset == 1 || offset == 8 || offset == 10 || offset == 11 ||
                              offset == 26 || offset == 27 || offset == 32;
        EXPECT_EQ(CrcOfF4With(offset, body[offset] ^ 1) == 0xb55a84deU, isMasked) << offset;
    }
}

RC_GTEST_PROP(InvariantCrc, BytesAreAsBitByBit, (const Bytes& bytes))
{
    RC_ASSERT(~AdvanceCrc32(ONES, bytes.data(), bytes.size()) == Crc32BitByBit(bytes));
}

RC_GTEST_PROP(InvariantCrc, ZerosAreAsZeroBytes, (const uint32_t crc))
{
    const Bytes zeros(DrawInRange<std::size_t>(0, 5000), 0);
    RC_ASSERT(AdvanceCrc32OverZeros(crc, static_cast<uint32_t>(zeros.size())) ==
              AdvanceCrc32(crc, zeros.data(), zeros.size()));
}

RC_GTEST_PROP(InvariantCrc, ZerosAddUp, (const uint32_t crc))
{
    const auto a = DrawInRange<uint32_t>(0, uint32_t{1} << 31);
    const auto b = DrawInRange<uint32_t>(0, uint32_t{1} << 31);
    RC_ASSERT(AdvanceCrc32OverZeros(AdvanceCrc32OverZeros(crc, a), b) ==
              AdvanceCrc32OverZeros(crc, a + b));
}

TEST(InvariantCrc, ZerosOfEachPowerOfTwo)
{
    const Bytes bytes(1 << 20, 0);
    for (uint32_t nBytes = 1; nBytes <= bytes.size(); nBytes *= 2)
    {
        EXPECT_EQ(AdvanceCrc32OverZeros(0x12345678, nBytes),
                  AdvanceCrc32(0x12345678, bytes.data(), nBytes))
            << nBytes;
    }
    // x has the order 2^32 - 1 in the field: 2^31 bytes are 2^34 = 2^2 shifts, and 4 bits of zeros
    // twice are a byte.
    EXPECT_EQ(AdvanceCrc32OverZeros(AdvanceCrc32OverZeros(0x12345678, 1U << 31), 1U << 31),
              AdvanceCrc32OverZeros(0x12345678, 1));
}

RC_GTEST_PROP(InvariantCrc, PayloadOfZerosNeedsNoBytes, ())
{
    Bytes body = Body(ParseHex(F5));
    const std::size_t headers = body.size() - 256;
    body.resize(headers + DrawInRange<std::size_t>(0, 4100));
    std::fill(body.begin() + headers, body.end(), 0);
    RC_ASSERT(ComputeInvariantCrc(body.data(),
                                  headers,
                                  static_cast<uint32_t>(body.size() - headers)) == Crc(body));
}
