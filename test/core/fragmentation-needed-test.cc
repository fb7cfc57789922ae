// SPDX-License-Identifier: GPL-2.0-only

// The message "fragmentation needed" of RFC 1191, and the table of path MTUs.

#include "model/core/fragmentation-needed.h"
#include "model/core/tunnel/tunnel-paths.h"
#include "test/core/core-test.h"
#include "test/core/hex-bytes.h"

template <std::size_t N>
std::array<uint8_t, N>
ToArray(const Bytes& bytes)
{
    std::array<uint8_t, N> array{};
    std::copy_n(bytes.begin(), N, array.begin());
    return array;
}

/// A router with an MTU of 1400 tells 192.0.2.1 about a packet of 1520 bytes to 192.0.2.2, in which
/// there is one of 1500 bytes from 10.1.0.10 to 10.2.0.20. Checksums were computed by hand.
const std::string OUTER = "450205f0000140004004b103c0000201c0000202";
const std::string TO_INGRESS = "03045a7100000578" + OUTER + "450205dc12344000";
/// 192.0.2.1 tells 10.1.0.10 that the tunnel carries 1380 bytes.
const std::string INNER = "450205dc123440003f110fbb0a01000a0a020014";
const std::string TO_HOST = "03041f1800000564" + INNER + "c00012b705c80000";

TEST(FragmentationNeeded, Rfc1191Section4ByteForByte)
{
    FragmentationNeeded message;
    message.mtu = 1400;
    message.quoted = ToArray<20>(ParseHex(OUTER));
    message.behind = ToArray<8>(ParseHex("450205dc12344000"));
    EXPECT_EQ(EncodeFragmentationNeeded(message), ToArray<36>(ParseHex(TO_INGRESS)));
    message.mtu = 1380;
    message.quoted = ToArray<20>(ParseHex(INNER));
    message.behind = ToArray<8>(ParseHex("c00012b705c80000"));
    EXPECT_EQ(EncodeFragmentationNeeded(message), ToArray<36>(ParseHex(TO_HOST)));
}

TEST(FragmentationNeeded, ReadsWhatItIs)
{
    const Bytes bytes = ParseHex(TO_INGRESS);
    const auto message = DecodeFragmentationNeeded(bytes.data(), bytes.size(), true);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->mtu, 1400);
    EXPECT_EQ(message->quoted, ToArray<20>(ParseHex(OUTER)));
    EXPECT_EQ(message->behind, ToArray<8>(ParseHex("450205dc12344000")));
    EXPECT_EQ(GetPathMtu(*message), 1400U);
}

TEST(FragmentationNeeded, RefusesWhatItIsNot)
{
    const Bytes whole = ParseHex(TO_INGRESS);
    const auto isRead = [](const Bytes& bytes, bool hasChecksum = true) {
        return DecodeFragmentationNeeded(bytes.data(), bytes.size(), hasChecksum).has_value();
    };
    for (std::size_t size = 0; size < whole.size(); ++size)
    {
        EXPECT_FALSE(
            isRead(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), false))
            << size;
    }
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit)
    {
        Bytes wrong = whole;
        wrong[bit / 8] = static_cast<uint8_t>(wrong[bit / 8] ^ 1U << bit % 8);
        EXPECT_FALSE(isRead(wrong)) << "checksum, bit " << bit;
    }
    Bytes other = whole;
    other[1] = 3; // port unreachable
    EXPECT_FALSE(isRead(other, false));
    other = whole;
    other[0] = 11; // time exceeded
    EXPECT_FALSE(isRead(other, false));
    other = whole;
    other[8] = 0x46; // with options, which the outer headers of tunnels have not
    EXPECT_FALSE(isRead(other, false));
}

/// RFC 1812, section 4.3.2.3: routers may quote more. Zeros do not change the checksum.
TEST(FragmentationNeeded, MoreThanEightBytesMayBeQuoted)
{
    Bytes bytes = ParseHex(TO_INGRESS);
    for (int i = 0; i < 3; ++i)
    {
        bytes.push_back(0);
        EXPECT_TRUE(DecodeFragmentationNeeded(bytes.data(), bytes.size(), true)) << i;
    }
    bytes.back() = 1;
    EXPECT_FALSE(DecodeFragmentationNeeded(bytes.data(), bytes.size(), true));
}

uint32_t
PathMtu(uint16_t mtu, uint16_t length)
{
    FragmentationNeeded message;
    message.mtu = mtu;
    message.quoted[Ipv4Offset::LENGTH] = static_cast<uint8_t>(length >> 8);
    message.quoted[Ipv4Offset::LENGTH + 1] = static_cast<uint8_t>(length);
    return GetPathMtu(message);
}

/// RFC 1191, table 7-1
TEST(FragmentationNeeded, Rfc1191Section7_1PlateausIfTheRouterTellsNoMtu)
{
    EXPECT_EQ(PathMtu(0, 65535), 32000U);
    EXPECT_EQ(PathMtu(0, 9000), 8166U);
    EXPECT_EQ(PathMtu(0, 1520), 1492U);
    EXPECT_EQ(PathMtu(0, 1492), 1006U);
    EXPECT_EQ(PathMtu(0, 1006), 508U);
    EXPECT_EQ(PathMtu(0, 508), 296U);
    EXPECT_EQ(PathMtu(0, 296), 68U);
    EXPECT_EQ(PathMtu(0, 69), 68U);
    EXPECT_EQ(PathMtu(0, 68), 0U) << "nothing below";
    EXPECT_EQ(PathMtu(0, 20), 0U);
}

TEST(FragmentationNeeded, Rfc1191Section3NeverBelow68AndNothingThatIsNotLess)
{
    EXPECT_EQ(PathMtu(67, 1500), 68U);
    EXPECT_EQ(PathMtu(1, 1500), 68U);
    EXPECT_EQ(PathMtu(1499, 1500), 1499U);
    EXPECT_EQ(PathMtu(1500, 1500), 0U);
    EXPECT_EQ(PathMtu(9000, 1500), 0U);
    EXPECT_EQ(PathMtu(40, 60), 0U);
}

RC_GTEST_PROP(FragmentationNeeded, AnMtuIsLessThanThePacket, (uint16_t mtu, uint16_t length))
{
    const uint32_t found = PathMtu(mtu, length);
    RC_ASSERT(found == 0 || (found >= 68 && found < length && (mtu == 0 || found >= mtu)));
}

TEST(FragmentationNeeded, Rfc1122Section3_2_2WhatIsNotAnswered)
{
    Ipv4Bytes header = ToArray<20>(ParseHex(INNER));
    EXPECT_TRUE(MayCauseIcmpError(header, 0xc0));
    header[6] = 0x60;
    EXPECT_TRUE(MayCauseIcmpError(header, 0)) << "the first fragment";
    header[7] = 1;
    EXPECT_FALSE(MayCauseIcmpError(header, 0)) << "another fragment";
    header[7] = 0;
    header[9] = 1;
    EXPECT_TRUE(MayCauseIcmpError(header, 8)) << "an echo request";
    for (const uint8_t type : {3, 4, 5, 11, 12})
    {
        EXPECT_FALSE(MayCauseIcmpError(header, type)) << "about an error";
    }
    header[9] = 17;
    for (const uint8_t network : {0, 127, 224, 255})
    {
        header[12] = network;
        EXPECT_FALSE(MayCauseIcmpError(header, 0)) << "no host";
    }
}

TEST(PathMtuTable, Rfc1191Section6_3WhatIsOldIsForgotten)
{
    PathMtuTable table;
    const uint32_t none = std::numeric_limits<uint32_t>::max();
    EXPECT_EQ(table.Get(1), none);
    EXPECT_TRUE(table.Lower(1, 1400, 0));
    EXPECT_TRUE(table.Lower(2, 1300, 50));
    EXPECT_FALSE(table.Lower(1, 1400, 90)) << "the same";
    EXPECT_FALSE(table.Lower(1, 1450, 90)) << "more";
    EXPECT_EQ(table.Get(1), 1400U);
    EXPECT_FALSE(table.Forget(99, 100));
    EXPECT_TRUE(table.Forget(100, 100)) << "the age of the first one";
    EXPECT_EQ(table.Get(1), none);
    EXPECT_EQ(table.Get(2), 1300U);
    EXPECT_TRUE(table.Lower(2, 1200, 140)) << "younger again";
    EXPECT_FALSE(table.Forget(239, 100));
    EXPECT_TRUE(table.Forget(240, 100));
}
