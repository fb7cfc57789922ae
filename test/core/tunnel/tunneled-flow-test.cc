// SPDX-License-Identifier: GPL-2.0-only

// The flow below headers of IP in IP (RFC 2003), written byte by byte.

#include "model/core/tunnel/ip-tunnel-headers.h"
#include "test/core/core-test.h"

using Bytes = std::vector<uint8_t>;
using Result = TunneledFlowResult;

constexpr uint32_t SOURCE = 0x0a000102; // of the outermost header

/// An IPv4 header with words of options, and what follows it.
Bytes
Ipv4(uint8_t protocol, const Bytes& payload, uint8_t words = 0, uint16_t fragment = 0x4000)
{
    Bytes bytes(20 + 4 * words);
    bytes[0] = static_cast<uint8_t>(0x45 + words);
    bytes[6] = static_cast<uint8_t>(fragment >> 8);
    bytes[7] = static_cast<uint8_t>(fragment);
    bytes[8] = 64;
    bytes[9] = protocol;
    const Bytes addresses{10, 0, 1, 2, 10, 1, 2, 3};
    std::copy(addresses.begin(), addresses.end(), bytes.begin() + 12);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    return bytes;
}

/// UDP from 49152 to 4791, and four bytes.
const Bytes UDP{0xc0, 0x00, 0x12, 0xb7, 0, 12, 0, 0, 1, 2, 3, 4};
/// The flow of Ipv4(17, UDP).
const FlowKey FLOW{0x0a000102, 0x0a010203, 49152, 4791, 17};

/// Calls with a copy without spare capacity, so that a sanitizer sees a read beyond the end.
Result
Find(const Bytes& payload, FlowKey& flow, uint8_t protocol = 4, uint16_t fragment = 0)
{
    const Bytes copy(payload.begin(), payload.end());
    uint32_t egress = 0;
    return FindTunneledFlow(SOURCE, protocol, fragment, copy.data(), copy.size(), flow, egress);
}

TEST(TunneledFlow, TheInnermostHeaderDecides)
{
    Bytes packet = Ipv4(17, UDP);
    for (uint32_t depth = 1; depth <= 10; ++depth)
    {
        FlowKey flow;
        EXPECT_EQ(Find(packet, flow), depth <= 8 ? Result::OK : Result::TOO_DEEP) << depth;
        EXPECT_EQ(flow == FLOW, depth <= 8) << depth;
        packet = Ipv4(4, packet, static_cast<uint8_t>(depth));
    }
}

/// Waypoints come before the end of the tunnel: the innermost outer header leads there.
TEST(TunneledFlow, TheTunnelEndsWhereTheInnermostOuterHeaderLeads)
{
    const auto to = [](Bytes packet, uint8_t last) {
        packet[19] = last;
        return packet;
    };
    const Bytes inner = to(Ipv4(17, UDP), 99);
    const Bytes end = to(Ipv4(4, inner, 2), 5);
    const Bytes waypoint = to(Ipv4(4, end), 6);
    const auto find = [](const Bytes& packet, Result expected) {
        FlowKey flow;
        uint32_t egress = 0x0a010204; // of the outermost header
        EXPECT_EQ(FindTunneledFlow(SOURCE, 4, 0, packet.data(), packet.size(), flow, egress),
                  expected);
        return egress;
    };
    EXPECT_EQ(find(inner, Result::OK), 0x0a010204U) << "the outermost header is the only one";
    EXPECT_EQ(find(end, Result::OK), 0x0a010205U);
    EXPECT_EQ(find(waypoint, Result::OK), 0x0a010205U);
    EXPECT_EQ(find(Bytes(waypoint.begin(), waypoint.begin() + 50), Result::MALFORMED), 0x0a010204U);
}

TEST(TunneledFlow, LongestHeadersFit)
{
    Bytes packet = Ipv4(17, UDP, 10);
    for (int i = 0; i < 7; ++i)
    {
        packet = Ipv4(4, packet, 10);
    }
    packet.resize(TUNNELED_FLOW_MAX_BYTES);
    FlowKey flow;
    EXPECT_EQ(Find(packet, flow), Result::OK);
    EXPECT_TRUE(flow == FLOW);
}

TEST(TunneledFlow, OtherProtocolsAreNotTunneled)
{
    FlowKey flow;
    EXPECT_EQ(Find(UDP, flow, 17), Result::NOT_TUNNELED);
    EXPECT_EQ(Find({}, flow, 6), Result::NOT_TUNNELED);
    uint32_t egress = 7;
    EXPECT_EQ(FindTunneledFlow(SOURCE, 41, 0, nullptr, 0, flow, egress), Result::NOT_TUNNELED)
        << "IPv6 in IPv4";
    EXPECT_EQ(egress, 7U);
    EXPECT_TRUE(flow == FlowKey{});
}

TEST(TunneledFlow, EveryTruncationIsTold)
{
    const Bytes packet = Ipv4(4, Ipv4(17, UDP, 3), 1); // 24 + 32 + 12
    for (std::size_t length = 0; length <= packet.size(); ++length)
    {
        FlowKey flow;
        const Bytes cut(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_EQ(Find(cut, flow), length < 56 ? Result::MALFORMED : Result::OK) << length;
        // Without its ports the flow is the three-tuple.
        EXPECT_EQ(flow.sourcePort, length < 60 ? 0 : 49152) << length;
    }
}

TEST(TunneledFlow, WhatIsNoHeaderIsTold)
{
    for (const uint8_t first : {0x00, 0x44, 0x55, 0x65, 0xf5})
    {
        Bytes packet = Ipv4(17, UDP);
        packet[0] = first;
        FlowKey flow;
        EXPECT_EQ(Find(packet, flow), Result::MALFORMED) << int{first};
        EXPECT_EQ(Find(Ipv4(4, packet), flow), Result::MALFORMED) << int{first};
    }
}

TEST(TunneledFlow, FragmentsHaveAFlowIfTheyBeginWithTheHeader)
{
    const Bytes whole = Ipv4(17, UDP);
    FlowKey flow;
    EXPECT_EQ(Find(whole, flow, 4, 0x2000), Result::OK) << "the first one";
    EXPECT_TRUE(flow == FLOW);
    EXPECT_EQ(Find(whole, flow, 4, 0x2001), Result::MALFORMED) << "another one";
    EXPECT_EQ(Find(Ipv4(4, whole, 0, 0x0001), flow), Result::MALFORMED) << "an inner one";
    // An innermost fragment has the three-tuple, as the PE's key of it.
    EXPECT_EQ(Find(Ipv4(17, UDP, 0, 0x2000), flow), Result::OK);
    EXPECT_TRUE((flow == FlowKey{0x0a000102, 0x0a010203, 0, 0, 17}));
}

RC_GTEST_PROP(TunneledFlow, AnyBytesAreReadOrRefused, (Bytes bytes))
{
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        // Mostly headers without options
        bytes[i] = i % 20 == 0 ? 0x45 : i % 20 == 9 ? 4 : i % 20 == 7 ? 0 : bytes[i];
    }
    FlowKey flow;
    const auto result = Find(bytes, flow);
    RC_ASSERT(result != Result::NOT_TUNNELED);
    RC_ASSERT(result == Result::OK || flow == FlowKey{});
}
