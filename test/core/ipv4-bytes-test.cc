// SPDX-License-Identifier: GPL-2.0-only

// The header checksum of IPv4: RFC 791, section 3.1, and RFC 1071.

#include "model/core/ipv4-bytes.h"
#include "test/core/core-test.h"

/// A header of 115 bytes of UDP from 192.168.0.1 to 192.168.0.199, whose checksum was added up by
/// hand: 4500 + 0073 + 4000 + 4011 + c0a8 + 0001 + c0a8 + 00c7 = 2 479c, 479c + 2 = 479e, ~ b861.
const Ipv4Bytes HEADER{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                       0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};

TEST(Ipv4Bytes, HasTheChecksumThatWasAddedUpByHand)
{
    EXPECT_EQ(SumIpv4Words(HEADER), 0xffff);
    Ipv4Bytes bytes = HEADER;
    bytes[10] = bytes[11] = 0x5a; // not a part of the sum
    SetIpv4Checksum(bytes);
    EXPECT_EQ(bytes, HEADER);
}

/// The example of RFC 1071, section 3: 2ddf0, which is ddf2.
TEST(Ipv4Bytes, SumsAreThoseOfRfc1071)
{
    const std::array<uint8_t, 8> bytes{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    EXPECT_EQ(SumInternetWords(bytes.data(), bytes.size()), 0xddf2);
    // An odd number of bytes: 0001 + f200. And to begin with 2ffff: 2ffff + f201 = 3f200, f203.
    EXPECT_EQ(SumInternetWords(bytes.data(), 3), 0xf201);
    EXPECT_EQ(SumInternetWords(bytes.data(), 3, 0x2ffff), 0xf203);
    EXPECT_EQ(SumInternetWords(nullptr, 0, 0xffff), 0xffff);
}

RC_GTEST_PROP(Ipv4Bytes, AnyHeaderIsRightWithItsChecksumAndWrongWithAChangedByte, ())
{
    Ipv4Bytes bytes;
    for (auto& byte : bytes)
    {
        byte = DrawAny<uint8_t>();
    }
    bytes[0] = 0x45; // no sum of a header is 0
    SetIpv4Checksum(bytes);
    RC_ASSERT(SumIpv4Words(bytes) == 0xffff);
    const auto i = DrawInRange<std::size_t>(0, bytes.size());
    bytes[i] = static_cast<uint8_t>(bytes[i] + DrawInRange(1, 255));
    RC_ASSERT(SumIpv4Words(bytes) != 0xffff);
}
