// SPDX-License-Identifier: GPL-2.0-only

// GRE and VXLAN between the IPv4 headers of a tunnel: RFC 2784, RFC 2890, RFC 7348, RFC 9601.

#include "model/core/tunnel/ip-tunnel-headers.h"
#include "test/core/core-test.h"

using Bytes = std::vector<uint8_t>;
using Result = InnerHeaderResult;

constexpr uint32_t ENTRY = 0xc0000201; // 192.0.2.1
constexpr uint32_t EXIT = 0xc0000202;  // 192.0.2.2

TunnelShim
Gre(uint32_t key = 0)
{
    return {TunnelShim::GRE, key, 0};
}

TunnelShim
Vxlan(uint32_t vni = 0)
{
    return {TunnelShim::VXLAN, 0, vni};
}

Bytes
Encode(const TunnelShim& shim, uint16_t port = 50000, std::size_t innerSize = 1000)
{
    Bytes bytes(shim.GetSize());
    EncodeTunnelShim(shim, ENTRY, EXIT, port, innerSize, bytes.data());
    return bytes;
}

/// Checks a copy without spare capacity, so that a sanitizer sees a read beyond the end.
Result
Check(const TunnelShim& shim, const Bytes& bytes, std::size_t more = 1000)
{
    const Bytes copy(bytes.begin(), bytes.end());
    return CheckTunnelShim(shim, copy.data(), copy.size(), copy.size() + more);
}

Bytes
Join(Bytes bytes, const Bytes& more)
{
    bytes.insert(bytes.end(), more.begin(), more.end());
    return bytes;
}

/// An IPv4 header without options and what follows it.
Bytes
Ipv4(uint8_t protocol, uint32_t source, uint32_t destination, const Bytes& payload)
{
    Bytes bytes(20);
    bytes[0] = 0x45;
    bytes[6] = 0x40;
    bytes[9] = protocol;
    for (int i = 0; i < 4; ++i)
    {
        bytes[static_cast<std::size_t>(12 + i)] = static_cast<uint8_t>(source >> (24 - 8 * i));
        bytes[static_cast<std::size_t>(16 + i)] = static_cast<uint8_t>(destination >> (24 - 8 * i));
    }
    return Join(bytes, payload);
}

/// UDP from 49152 to 4791
const Bytes UDP{0xc0, 0x00, 0x12, 0xb7, 0, 12, 0, 0, 1, 2, 3, 4};
constexpr uint32_t HOST_A = 0x0a010002;
constexpr uint32_t HOST_B = 0x0a020002;
const FlowKey FLOW{HOST_A, HOST_B, 49152, 4791, 17};

/// GRE takes 4 bytes and a key 4 more, VXLAN 8 + 8 + 14; with 20 of the outer header, a path of
/// 1500 bytes carries 1480, 1476, 1472 and 1450, and one of 9000 bytes 7500 more.
TEST(TunnelShim, SizesAndProtocols)
{
    for (const uint32_t path : {1500U, 9000U})
    {
        const auto mtu = [path](const TunnelShim& shim) { return path - 20 - shim.GetSize(); };
        EXPECT_EQ(mtu({}), path - 1500 + 1480);
        EXPECT_EQ(mtu(Gre()), path - 1500 + 1476);
        EXPECT_EQ(mtu(Gre(1)), path - 1500 + 1472);
        EXPECT_EQ(mtu(Vxlan(1)), path - 1500 + 1450);
    }
    EXPECT_EQ(+TunnelShim{}.GetProtocol(), 4);
    EXPECT_EQ(+Gre().GetProtocol(), 47);
    EXPECT_EQ(+Vxlan().GetProtocol(), 17);
}

TEST(TunnelShim, Rfc2784Section2GreByteForByte)
{
    EXPECT_EQ(Encode(Gre()), (Bytes{0, 0, 0x08, 0x00}));
}

TEST(TunnelShim, Rfc2890Section2_1TheKeyByteForByte)
{
    EXPECT_EQ(Encode(Gre(0x01020304)), (Bytes{0x20, 0, 0x08, 0x00, 1, 2, 3, 4}));
}

TEST(TunnelShim, Rfc7348Section5VxlanByteForByte)
{
    // UDP: ports 50000 and 4789, 8 + 8 + 14 + 1000 = 1030 bytes, no checksum. VXLAN: flag I, the
    // VNI. Ethernet: to 02:00:c0:00:02:02, from 02:00:c0:00:02:01, IPv4.
    const Bytes expected{0xc3, 0x50, 0x12, 0xb5, 0x04, 0x06, 0,    0, 0x08, 0,
                         0,    0,    0x12, 0x34, 0x56, 0,    0x02, 0, 0xc0, 0,
                         2,    2,    0x02, 0,    0xc0, 0,    2,    1, 0x08, 0};
    EXPECT_EQ(Encode(Vxlan(0x123456)), expected);
}

TEST(TunnelShim, Rfc7348Section5TheSourcePortIsADynamicOne)
{
    EXPECT_EQ(GetVxlanSourcePort(0), 49152);
    EXPECT_EQ(GetVxlanSourcePort(0xffffffff), 65535);
}

TEST(TunnelShim, OuterHeadersHaveItsLengthAndProtocol)
{
    Ipv4Bytes inner{0x45, 0x02, 0x03, 0xe8, 0x12, 0x34, 0x40, 0, 63, 17};
    for (const auto& shim : {Gre(), Gre(7), Vxlan(7)})
    {
        const auto outer =
            MakeOuterHeader(inner, ENTRY, EXIT, 0, {}, shim.GetSize(), shim.GetProtocol());
        EXPECT_EQ(GetIpv4Length(outer), 1020 + shim.GetSize());
        EXPECT_EQ(outer[Ipv4Offset::PROTOCOL], shim.GetProtocol());
        // RFC 9601, section 4: the field of RFC 6040, across the shim
        EXPECT_EQ(outer[Ipv4Offset::TOS], 2);
    }
}

TEST(TunnelShim, SettingsWithoutEffectAreRefused)
{
    EXPECT_EQ(FindTunnelShimError(Gre(1)), "");
    EXPECT_EQ(FindTunnelShimError(Vxlan(1)), "");
    EXPECT_NE(FindTunnelShimError({TunnelShim::IP_IN_IP, 1, 0}).find("GreKey"), std::string::npos);
    EXPECT_NE(FindTunnelShimError({TunnelShim::GRE, 1, 1}).find("Vni"), std::string::npos);
}

RC_GTEST_PROP(TunnelShim, WhatIsWrittenIsAccepted, (uint32_t id, uint16_t port))
{
    for (const auto& shim : {Gre(), Gre(id), Vxlan(id >> 8)})
    {
        RC_ASSERT(Check(shim, Encode(shim, port)) == Result::OK);
    }
}

TEST(TunnelShim, EveryTruncationIsTold)
{
    for (const auto& shim : {Gre(), Gre(7), Vxlan(7)})
    {
        const Bytes whole = Encode(shim);
        for (std::size_t size = 0; size < whole.size(); ++size)
        {
            const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
            EXPECT_EQ(Check(shim, cut, 0), Result::TRUNCATED) << size;
        }
    }
    // The length of UDP is beyond the packet, or does not cover the headers.
    EXPECT_EQ(Check(Vxlan(), Encode(Vxlan()), 999), Result::TRUNCATED);
    EXPECT_EQ(Check(Vxlan(), Encode(Vxlan(), 50000, 0)), Result::OK);
    Bytes shorter = Encode(Vxlan(), 50000, 0);
    --shorter[5];
    EXPECT_EQ(Check(Vxlan(), shorter), Result::TRUNCATED);
}

/// RFC 2784, section 2.2: bits 1 to 5 are refused but the key, bits 6 to 12 are ignored, the
/// version is 0. This tunnel has neither checksums (bit 0) nor sequence numbers (bit 3).
TEST(TunnelShim, Rfc2784Section2_2FlagsAndVersion)
{
    for (unsigned bit = 0; bit < 16; ++bit)
    {
        Bytes bytes = Join(Encode(Gre()), {0, 0, 0, 0});
        bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] | 0x80U >> bit % 8);
        const Result expected = bit == 2                ? Result::OTHER_NETWORK
                                : bit >= 6 && bit <= 12 ? Result::OK
                                                        : Result::BAD_SHIM;
        EXPECT_EQ(Check(Gre(), bytes), expected) << "bit " << bit;
    }
}

/// RFC 7348, section 5: flag I must be set, the other bits of the word and the bits behind the VNI
/// are ignored.
TEST(TunnelShim, Rfc7348Section5Flags)
{
    const Bytes whole = Encode(Vxlan(5));
    for (const std::size_t at : {8U, 9U, 10U, 11U, 15U})
    {
        for (unsigned bit = 0; bit < 8; ++bit)
        {
            Bytes bytes = whole;
            bytes[at] = static_cast<uint8_t>(bytes[at] ^ 1U << bit);
            const bool isFlag = at == 8 && bit == 3;
            EXPECT_EQ(Check(Vxlan(5), bytes), isFlag ? Result::BAD_SHIM : Result::OK)
                << at << " " << bit;
        }
    }
    Bytes otherPort = whole;
    otherPort[3] = 0xb6;
    EXPECT_EQ(Check(Vxlan(5), otherPort), Result::BAD_SHIM);
}

TEST(TunnelShim, OtherNetworksAndPayloads)
{
    EXPECT_EQ(Check(Gre(1), Encode(Gre(2))), Result::OTHER_NETWORK);
    EXPECT_EQ(Check(Gre(1), Encode(Gre())), Result::OTHER_NETWORK);
    EXPECT_EQ(Check(Gre(), Encode(Gre(1))), Result::OTHER_NETWORK);
    EXPECT_EQ(Check(Vxlan(1), Encode(Vxlan(2))), Result::OTHER_NETWORK);
    Bytes bridged = Encode(Gre());
    bridged[2] = 0x65; // transparent Ethernet bridging
    bridged[3] = 0x58;
    EXPECT_EQ(Check(Gre(), bridged), Result::NOT_IPV4);
    Bytes tagged = Encode(Vxlan());
    tagged[28] = 0x81; // RFC 7348, section 6.1: an inner tag is not accepted
    EXPECT_EQ(Check(Vxlan(), tagged), Result::NOT_IPV4);
}

/// Routers read the flow behind GRE, with all of its optional fields. VXLAN has ports of its own.
TEST(TunnelShim, Rfc2890Section2RoutersReadTheFlowBehindGre)
{
    const Bytes inner = Ipv4(17, HOST_A, HOST_B, UDP);
    const auto decode = [](uint8_t protocol, const Bytes& payload) {
        return DecodeFlowKey(ENTRY, EXIT, protocol, false, payload.data(), payload.size());
    };
    const FlowKey unread{ENTRY, EXIT, 0, 0, 47};
    EXPECT_TRUE(decode(47, Join({0, 0, 8, 0}, inner)) == FLOW);
    EXPECT_TRUE(decode(47, Join({0x20, 0, 8, 0, 1, 2, 3, 4}, inner)) == FLOW);
    EXPECT_TRUE(decode(47, Join({0xb0, 0, 8, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 1}, inner)) ==
                FLOW);
    EXPECT_TRUE(decode(47, Join({0, 1, 8, 0}, inner)) == unread) << "version 1";
    EXPECT_TRUE(decode(47, Join({0, 0, 0x86, 0xdd}, inner)) == unread) << "IPv6";
    EXPECT_TRUE(decode(47, {0, 0, 8}) == unread) << "cut off";
    EXPECT_TRUE(decode(47, {0x20, 0, 8, 0, 1}) == unread) << "cut off";
    EXPECT_TRUE(decode(4, Ipv4(47, ENTRY, EXIT, Join({0, 0, 8, 0}, inner))) == FLOW) << "waypoint";
    EXPECT_TRUE(decode(17, Join(Encode(Vxlan(7)), inner)) ==
                (FlowKey{ENTRY, EXIT, 50000, 4789, 17}));
}

/// The bytes behind the outermost of four waypoints' headers, a header of GRE with a key, and the
/// inner one with its ports: 80 + 8 + 20 + 4.
TEST(TunnelShim, TheLongestPathOfATunnelCanBeRead)
{
    Bytes packet = Join(Encode(Gre(7)), Ipv4(17, HOST_A, HOST_B, UDP));
    packet = Ipv4(47, ENTRY, EXIT, packet);
    for (uint32_t waypoint = 1; waypoint <= 3; ++waypoint)
    {
        packet = Ipv4(4, ENTRY, waypoint, packet);
    }
    EXPECT_TRUE(DecodeFlowKey(ENTRY, 4, 4, false, packet.data(), 112) == FLOW);
    EXPECT_EQ(FLOW_KEY_MAX_BYTES, 112U);
}

/// A notification is about the flow of the packet that the PE has encapsulated, and names the end
/// of the tunnel, below waypoints too.
TEST(TunnelShim, NotificationsFindTheFlow)
{
    const Bytes inner = Ipv4(17, HOST_A, HOST_B, UDP);
    for (const auto& shim : {Gre(), Gre(7), Vxlan(7)})
    {
        const uint8_t protocol = shim.GetProtocol();
        const Bytes tunneled = Join(Encode(shim), inner);
        FlowKey flow;
        uint32_t egress = EXIT;
        EXPECT_EQ(
            FindTunneledFlow(ENTRY, protocol, 0, tunneled.data(), tunneled.size(), flow, egress),
            TunneledFlowResult::OK);
        EXPECT_TRUE(flow == FLOW);
        EXPECT_EQ(egress, EXIT);

        const Bytes below = Ipv4(protocol, ENTRY, EXIT, tunneled);
        flow = {};
        egress = 99; // the waypoint
        EXPECT_EQ(FindTunneledFlow(ENTRY, 4, 0, below.data(), below.size(), flow, egress),
                  TunneledFlowResult::OK);
        EXPECT_TRUE(flow == FLOW);
        EXPECT_EQ(egress, EXIT);

        // A fragment behind the first one has no shim.
        EXPECT_EQ(
            FindTunneledFlow(ENTRY, protocol, 3, tunneled.data(), tunneled.size(), flow, egress),
            TunneledFlowResult::NOT_TUNNELED);
    }
}

/// VXLAN between hosts is a flow like any other: its key is what the PE has seen.
TEST(TunnelShim, AHostsOwnVxlanIsTheFlow)
{
    const Bytes own = Ipv4(17, HOST_A, HOST_B, Join(Encode(Vxlan(9)), Ipv4(17, 1, 2, UDP)));
    FlowKey flow;
    uint32_t egress = EXIT;
    EXPECT_EQ(FindTunneledFlow(ENTRY, 4, 0, own.data(), own.size(), flow, egress),
              TunneledFlowResult::OK);
    EXPECT_TRUE(flow == (FlowKey{HOST_A, HOST_B, 50000, 4789, 17}));
    EXPECT_EQ(egress, EXIT);
}

/// What a router quotes of a packet of 1000 bytes with an outer header.
FragmentationNeeded
Quote(const TunnelShim& shim, const Bytes& inner = {0x45, 0, 3, 0xe8})
{
    FragmentationNeeded message;
    message.quoted[Ipv4Offset::LENGTH] = 3;
    message.quoted[Ipv4Offset::LENGTH + 1] = 0xe8;
    message.quoted[Ipv4Offset::FRAGMENT] = 0x40;
    message.quoted[Ipv4Offset::PROTOCOL] = shim.GetProtocol();
    Bytes behind = Join(Encode(shim), inner);
    behind.resize(8);
    std::copy(behind.begin(), behind.end(), message.behind.begin());
    return message;
}

/// RFC 1191 does not say how to tell a forged message. One that quotes what the tunnel has not sent
/// is.
TEST(TunnelShim, QuotesOfOtherPacketsAreTold)
{
    for (const auto& shim : {TunnelShim(), Gre(), Gre(7), Vxlan(7)})
    {
        EXPECT_TRUE(IsQuoteOfTunnel(Quote(shim), shim, 1000));
        EXPECT_FALSE(IsQuoteOfTunnel(Quote(shim), shim, 999)) << "longer than what it sends";
        auto other = Quote(shim);
        other.quoted[Ipv4Offset::FRAGMENT] = 0;
        EXPECT_FALSE(IsQuoteOfTunnel(other, shim, 1000)) << "without DF";
        other = Quote(shim);
        other.quoted[Ipv4Offset::PROTOCOL] = 6;
        EXPECT_FALSE(IsQuoteOfTunnel(other, shim, 1000)) << "TCP";
        other = Quote(shim);
        other.behind = {};
        EXPECT_FALSE(IsQuoteOfTunnel(other, shim, 1000)) << "another payload";
    }
    EXPECT_FALSE(IsQuoteOfTunnel(Quote(Gre(8)), Gre(7), 1000)) << "another key";
    EXPECT_FALSE(IsQuoteOfTunnel(Quote(Gre()), Gre(7), 1000)) << "no key";
    EXPECT_FALSE(IsQuoteOfTunnel(Quote({}, {0x46, 0, 3, 0xe8}), {}, 1000)) << "with options";
}
