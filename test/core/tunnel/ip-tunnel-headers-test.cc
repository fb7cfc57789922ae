// SPDX-License-Identifier: GPL-2.0-only

// The headers of IP-in-IP: RFC 2003, with the ECN field of RFC 6040.

#include "model/core/tunnel/ip-tunnel-headers.h"
#include "test/core/core-test.h"

using Bytes = std::vector<uint8_t>;

/// RFC 2003, section 3: a datagram of 1000 bytes from 10.0.0.1 to 10.0.0.2, TTL 63, ECT(0) and DF.
Ipv4Bytes
MakeInner(uint8_t tos = 0x02, uint8_t flags = 0x40)
{
    Ipv4Bytes bytes{0x45, tos, 0x03, 0xe8, 0x12, 0x34, flags, 0, 63, 17,
                    0,    0,   10,   0,    0,    1,    10,    0, 0,  2};
    SetIpv4Checksum(bytes);
    return bytes;
}

constexpr uint32_t SOURCE = 0xc0000201;      // 192.0.2.1
constexpr uint32_t DESTINATION = 0xc0000202; // 192.0.2.2

IpTunnelRules
WithChecksums()
{
    IpTunnelRules rules;
    rules.hasChecksums = true;
    return rules;
}

TEST(IpTunnelHeaders, Rfc2003Section3_1TheOuterHeaderByteForByte)
{
    // Version and IHL; the inner type of service; 1020 = 0x3fc bytes; identification 0 and DF, as
    // the inner DF is set; TTL 64; protocol 4. The words but the checksum, of which 0x0000 and
    // 0x4000 are identification and flags, sum up to
    // 4502 + 03fc + 0000 + 4000 + 4004 + c000 + 0201 + c000 + 0202 = 24d05, folded 4d07, whose
    // complement is b2f8.
    const Ipv4Bytes expected{0x45, 0x02, 0x03, 0xfc, 0, 0, 0x40, 0, 64, 4,
                             0xb2, 0xf8, 192,  0,    2, 1, 192,  0, 2,  2};
    EXPECT_EQ(MakeOuterHeader(MakeInner(), SOURCE, DESTINATION, 0x4321, WithChecksums()), expected);
}

TEST(IpTunnelHeaders, Rfc2003Section3_1DfIsTheInnerOne)
{
    const auto with = MakeOuterHeader(MakeInner(0, 0x40), SOURCE, DESTINATION, 7, {});
    EXPECT_EQ(with[Ipv4Offset::FRAGMENT], 0x40);
    const auto without = MakeOuterHeader(MakeInner(0, 0x00), SOURCE, DESTINATION, 0x0708, {});
    EXPECT_EQ(without[Ipv4Offset::FRAGMENT], 0);
    EXPECT_EQ(without[Ipv4Offset::IDENTIFIER], 7);
    EXPECT_EQ(without[Ipv4Offset::IDENTIFIER + 1], 8);
    // A fragment that goes in is none in there.
    const auto fragment = MakeOuterHeader(MakeInner(0, 0x20), SOURCE, DESTINATION, 1, {});
    EXPECT_EQ(fragment[Ipv4Offset::FRAGMENT], 0);
}

TEST(IpTunnelHeaders, WithoutChecksumsTheFieldIsZero)
{
    const auto outer = MakeOuterHeader(MakeInner(), SOURCE, DESTINATION, 0, {});
    EXPECT_EQ(outer[Ipv4Offset::CHECKSUM], 0);
    EXPECT_EQ(outer[Ipv4Offset::CHECKSUM + 1], 0);
}

TEST(IpTunnelHeaders, Rfc2983UniformAndPipeModelOfTheDscp)
{
    IpTunnelRules rules;
    const auto inner = MakeInner(46 << 2 | 2);
    EXPECT_EQ(MakeOuterHeader(inner, SOURCE, DESTINATION, 0, rules)[Ipv4Offset::TOS], 46 << 2 | 2);
    rules.dscpModel = IpTunnelRules::PIPE;
    rules.dscp = 10;
    EXPECT_EQ(MakeOuterHeader(inner, SOURCE, DESTINATION, 0, rules)[Ipv4Offset::TOS], 10 << 2 | 2);

    auto out = inner;
    OpenInnerHeader(out.data(), 20 << 2 | 2, 9, rules);
    EXPECT_EQ(out, inner);
    rules.dscpModel = IpTunnelRules::UNIFORM;
    OpenInnerHeader(out.data(), 20 << 2 | 2, 9, rules);
    EXPECT_EQ(out[Ipv4Offset::TOS], 20 << 2 | 2);
}

TEST(IpTunnelHeaders, Rfc3443UniformAndPipeModelOfTheTtl)
{
    IpTunnelRules rules;
    rules.ttl = 200;
    const auto inner = MakeInner();
    EXPECT_EQ(MakeOuterHeader(inner, SOURCE, DESTINATION, 0, rules)[Ipv4Offset::TTL], 200);
    auto out = inner;
    OpenInnerHeader(out.data(), 2, 3, rules);
    EXPECT_EQ(out[Ipv4Offset::TTL], 63);
    rules.ttlModel = IpTunnelRules::UNIFORM;
    EXPECT_EQ(MakeOuterHeader(inner, SOURCE, DESTINATION, 0, rules)[Ipv4Offset::TTL], 63);
    OpenInnerHeader(out.data(), 2, 3, rules);
    EXPECT_EQ(out[Ipv4Offset::TTL], 3);
    // Never more than it had
    OpenInnerHeader(out.data(), 2, 250, rules);
    EXPECT_EQ(out[Ipv4Offset::TTL], 3);
}

TEST(IpTunnelHeaders, Rfc6040Section4_2WhatIsDroppedIsNotChanged)
{
    const auto inner = MakeInner(46 << 2);
    auto out = inner;
    EXPECT_TRUE(OpenInnerHeader(out.data(), 3, 1, WithChecksums()).isDropped);
    EXPECT_EQ(out, inner);
}

TEST(IpTunnelHeaders, Rfc791Section3_1InnerHeadersThatAreNone)
{
    const auto inner = MakeInner();
    const auto check = [](Ipv4Bytes bytes, std::size_t packetSize, bool isSealed = true) {
        if (isSealed)
        {
            SetIpv4Checksum(bytes);
        }
        return CheckInnerHeader(bytes.data(), bytes.size(), packetSize, true);
    };
    EXPECT_EQ(check(inner, 1000), InnerHeaderResult::OK);
    EXPECT_EQ(check(inner, 1500), InnerHeaderResult::OK) << "with padding";
    EXPECT_EQ(check(inner, 999), InnerHeaderResult::TRUNCATED);
    auto bytes = inner;
    bytes[Ipv4Offset::VERSION] = 0x65;
    EXPECT_EQ(check(bytes, 1000), InnerHeaderResult::NOT_IPV4);
    bytes[Ipv4Offset::VERSION] = 0x44;
    EXPECT_EQ(check(bytes, 1000), InnerHeaderResult::BAD_HEADER_LENGTH);
    bytes[Ipv4Offset::VERSION] = 0x46;
    EXPECT_EQ(check(bytes, 1000), InnerHeaderResult::TRUNCATED) << "options beyond the end";
    bytes = inner;
    bytes[Ipv4Offset::LENGTH] = 0;
    bytes[Ipv4Offset::LENGTH + 1] = 19;
    EXPECT_EQ(check(bytes, 1000), InnerHeaderResult::BAD_LENGTH);
    bytes[Ipv4Offset::LENGTH + 1] = 20;
    EXPECT_EQ(check(bytes, 1000), InnerHeaderResult::OK) << "without payload";
    bytes = inner;
    bytes[Ipv4Offset::TTL] ^= 1;
    EXPECT_EQ(check(bytes, 1000, false), InnerHeaderResult::BAD_CHECKSUM);
    EXPECT_EQ(CheckInnerHeader(bytes.data(), bytes.size(), 1000, false), InnerHeaderResult::OK);
    for (std::size_t size = 0; size < inner.size(); ++size)
    {
        const Bytes part(inner.begin(), inner.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(CheckInnerHeader(part.data(), size, size, true), InnerHeaderResult::TRUNCATED);
    }
}

/// Any header with options: what comes out has its right checksum, and the rest as it was.
RC_GTEST_PROP(IpTunnelHeaders, Rfc1071ChecksumsAreRightAfterEachRemark, ())
{
    const auto words = DrawInRange<std::size_t>(5, 16);
    auto bytes = *rc::gen::container<Bytes>(4 * words, rc::gen::arbitrary<uint8_t>());
    bytes[0] = static_cast<uint8_t>(0x40 | words);
    const auto sum = [&bytes] {
        uint32_t total = 0;
        for (std::size_t i = 0; i < bytes.size(); i += 2)
        {
            total += static_cast<uint32_t>(bytes[i] << 8 | bytes[i + 1]);
        }
        while (total > 0xffff)
        {
            total = (total & 0xffff) + (total >> 16);
        }
        return total;
    };
    bytes[10] = bytes[11] = 0;
    const uint32_t checksum = 0xffff ^ sum();
    bytes[10] = static_cast<uint8_t>(checksum >> 8);
    bytes[11] = static_cast<uint8_t>(checksum);
    const auto before = bytes;

    IpTunnelRules rules = WithChecksums();
    rules.ttlModel = DrawAny<bool>() ? IpTunnelRules::UNIFORM : IpTunnelRules::PIPE;
    rules.dscpModel = DrawAny<bool>() ? IpTunnelRules::UNIFORM : IpTunnelRules::PIPE;
    rules.egress = static_cast<TunnelEcn::Egress>(DrawInRange(0, 2));
    const auto outerTos = DrawAny<uint8_t>();
    const auto outerTtl = DrawAny<uint8_t>();
    const auto& cell = OpenInnerHeader(bytes.data(), outerTos, outerTtl, rules);
    RC_ASSERT(sum() == 0xffffU);
    if (!cell.isDropped)
    {
        RC_ASSERT(GetEcn(bytes[1]) == cell.inner);
        RC_ASSERT(bytes[1] >> 2 ==
                  (rules.dscpModel == IpTunnelRules::UNIFORM ? outerTos : before[1]) >> 2);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        const bool mayDiffer = i == 1 || i == 8 || i == 10 || i == 11;
        RC_ASSERT(mayDiffer || bytes[i] == before[i]);
    }
}

/// What one end writes, the other one reads; nested up to four times.
RC_GTEST_PROP(IpTunnelHeaders, NestedHeadersComeOffAsTheyWerePutOn, ())
{
    const auto tos = DrawAny<uint8_t>();
    IpTunnelRules rules = WithChecksums();
    rules.ttlModel = DrawAny<bool>() ? IpTunnelRules::UNIFORM : IpTunnelRules::PIPE;
    rules.dscpModel = DrawAny<bool>() ? IpTunnelRules::UNIFORM : IpTunnelRules::PIPE;
    rules.ingress = static_cast<TunnelEcn::Ingress>(DrawInRange(0, 2));
    std::vector<Ipv4Bytes> headers{MakeInner(tos, DrawElement<uint8_t>({0, 0x40}))};
    const auto depth = DrawInRange(1, 5);
    for (int i = 0; i < depth; ++i)
    {
        headers.push_back(MakeOuterHeader(headers.back(), SOURCE, DESTINATION, 1, rules));
        RC_ASSERT(SumIpv4Words(headers.back()) == 0xffff);
        const std::size_t length = 1000 + 20 * headers.size() - 20;
        RC_ASSERT(CheckInnerHeader(headers.back().data(), 20, length, true) ==
                  InnerHeaderResult::OK);
    }
    for (std::size_t i = headers.size() - 1; i > 0; --i)
    {
        auto inner = headers[i - 1];
        OpenInnerHeader(inner.data(), headers[i][1], headers[i][8], rules);
        RC_ASSERT(inner == headers[i - 1]);
    }
}
