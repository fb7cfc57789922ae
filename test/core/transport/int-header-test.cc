// SPDX-License-Identifier: GPL-2.0-only

// The header of HPCC's in-band telemetry: Li et al., SIGCOMM 2019, section 4.1, and the widths and
// units of the authors' simulator (int-header.h there). Bytes were written by hand.

#include "model/core/transport/int-header.h"
#include "test/core/core-test.h"
#include "test/core/hex-bytes.h"

IntHop
DrawHop()
{
    IntHop hop;
    hop.rateCode = DrawInRange<uint8_t>(0, 8);
    hop.time = DrawInRange<uint32_t>(0, 1 << 24);
    hop.bytes = DrawInRange<uint32_t>(0, 1 << 20);
    hop.queue = DrawInRange<uint32_t>(0, 1 << 17);
    return hop;
}

TEST(IntHeader, HasItsBytes)
{
    // 010 | 0x123456 | 0xabcde | 0x1f0f1: 010 0001 0010 0011 0100 0101 0110 1010 1011 1100 1101
    // 1110 1 1111 0000 1111 0001
    IntHeader header;
    header.hops[0] = {2, 0x123456, 0xabcde, 0x1f0f1};
    header.hops[4] = {7, 0xffffff, 0, 1};
    header.nHops = 5;
    header.pathId = 0xabc;
    const Bytes expected = ParseHex("42468ad5 79bdf0f1 0000000000000000 0000000000000000 "
                                    "0000000000000000 ffffffe0 00000001 5abc");
    const IntBytes bytes = EncodeIntHeader(header);
    EXPECT_EQ(Bytes(bytes.begin(), bytes.end()), expected);
    EXPECT_EQ(bytes.size(), 42U); // the paper: 42 bytes for five hops
    EXPECT_EQ(GetIntHopCount(bytes), 5);
}

TEST(IntHeader, RatesHaveCodes)
{
    const uint64_t rates[] = {25, 50, 100, 200, 400, 800}; // Gbit/s; the last one is ours
    for (uint8_t code = 0; code < 6; ++code)
    {
        EXPECT_EQ(GetIntRate(code), rates[code] * 1000000000);
        EXPECT_EQ(FindIntRateCode(rates[code] * 1000000000), code);
    }
    EXPECT_EQ(GetIntRate(6), 0U);
    EXPECT_EQ(GetIntRate(7), 0U);
    EXPECT_FALSE(FindIntRateCode(10000000000));
    EXPECT_FALSE(FindIntRateCode(0));
}

TEST(IntHeader, HopsAreRoundedDownAndWrapAround)
{
    EXPECT_EQ(MakeIntHop(2, 0, 127, 79), (IntHop{2, 0, 0, 0}));
    EXPECT_EQ(MakeIntHop(2, 1, 128, 80), (IntHop{2, 1, 1, 1}));
    EXPECT_EQ(MakeIntHop(0, 16777215, 134217727, 800), (IntHop{0, 0xffffff, 0xfffff, 10}));
    EXPECT_EQ(MakeIntHop(0, 16777216, 134217728, 800), (IntHop{0, 0, 0, 10}));
}

TEST(IntHeader, LongQueuesAreTheLongestOne)
{
    EXPECT_EQ(MakeIntHop(0, 0, 0, 10485679).queue, 131070U);
    EXPECT_EQ(MakeIntHop(0, 0, 0, 10485680).queue, 131071U);
    EXPECT_EQ(MakeIntHop(0, 0, 0, 10485760).queue, 131071U);
    EXPECT_EQ(MakeIntHop(0, 0, 0, 1000000000).queue, 131071U);
    EXPECT_EQ(GetIntQueue(MakeIntHop(0, 0, 0, 1000000000)), 10485680U);
}

TEST(IntHeader, DifferencesPassTheWrap)
{
    const IntHop earlier = MakeIntHop(2, 16777216 - 100, 134217728 - 1280, 0);
    const IntHop later = MakeIntHop(2, 16777216 + 50, 134217728 + 2560, 0);
    EXPECT_EQ(later, (IntHop{2, 50, 20, 0}));
    EXPECT_EQ(GetIntTimeBetween(later, earlier), 150);
    EXPECT_EQ(GetIntBytesBetween(later, earlier), 3840U);
    EXPECT_EQ(GetIntTimeBetween(earlier, earlier), 0);
    EXPECT_EQ(GetIntBytesBetween(earlier, earlier), 0U);
}

TEST(IntHeader, HopsAreAddedUpToFive)
{
    IntBytes bytes{};
    for (uint32_t i = 1; i <= 20; ++i)
    {
        const bool hasRoom = AddIntHop(bytes, {1, i, i, i}, i << 16 | i);
        EXPECT_EQ(hasRoom, i <= 5) << i;
        EXPECT_EQ(GetIntHopCount(bytes), std::min(i, 15U)) << i;
    }
    const IntHeader header = DecodeIntHeader(bytes);
    for (uint32_t i = 1; i <= 5; ++i)
    {
        EXPECT_EQ(header.hops[i - 1], (IntHop{1, i, i, i})) << i;
    }
    EXPECT_EQ(header.nHops, 15);
    EXPECT_EQ(header.pathId, 20); // 1 ^ 2 ^ ... ^ 20; upper bits do not count
}

TEST(IntHeader, ThePathIsTheExclusiveOrOfItsSwitches)
{
    IntBytes bytes{};
    AddIntHop(bytes, {}, 0xfff);
    AddIntHop(bytes, {}, 0x0f0);
    EXPECT_EQ(DecodeIntHeader(bytes).pathId, 0xf0f);
    EXPECT_EQ(DecodeIntHeader(bytes).nHops, 2);
}

RC_GTEST_PROP(IntHeader, WhatIsEncodedIsDecodedAlike, ())
{
    IntHeader header;
    for (auto& hop : header.hops)
    {
        hop = DrawHop();
    }
    header.nHops = DrawInRange<uint8_t>(0, 16);
    header.pathId = DrawInRange<uint16_t>(0, 4096);
    const IntHeader decoded = DecodeIntHeader(EncodeIntHeader(header));
    RC_ASSERT(decoded.hops == header.hops);
    RC_ASSERT(decoded.nHops == header.nHops);
    RC_ASSERT(decoded.pathId == header.pathId);
}

RC_GTEST_PROP(IntHeader, AnyBytesAreEncodedAlike, ())
{
    IntBytes bytes;
    for (auto& byte : bytes)
    {
        byte = DrawAny<uint8_t>();
    }
    RC_ASSERT(EncodeIntHeader(DecodeIntHeader(bytes)) == bytes);
}

RC_GTEST_PROP(IntHeader, DifferencesBelowTheWrapAreExact, ())
{
    const auto time = DrawInRange<int64_t>(0, int64_t{1} << 50);
    const auto sent = DrawInRange<uint64_t>(0, uint64_t{1} << 50) / 128 * 128;
    const auto moreTime = DrawInRange<int64_t>(0, INT_TIME_WRAP);
    const auto moreSent = DrawInRange<uint64_t>(0, INT_BYTES_WRAP) / 128 * 128;
    const IntHop earlier = MakeIntHop(0, time, sent, 0);
    const IntHop later = MakeIntHop(0, time + moreTime, sent + moreSent, 0);
    RC_ASSERT(GetIntTimeBetween(later, earlier) == moreTime);
    RC_ASSERT(GetIntBytesBetween(later, earlier) == moreSent);
}
