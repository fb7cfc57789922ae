// SPDX-License-Identifier: GPL-2.0-only

// Flow keys: what is read of a packet.

#include "test/core/core-test.h"

#include "ns3/flow-key.h"

#include <ostream>

namespace ns3::aidc
{

/// Shows a key in messages of failed tests.
void
PrintTo(const FlowKey& key, std::ostream* os)
{
    *os << std::hex << key.source << " -> " << key.destination << std::dec << " ports "
        << key.sourcePort << " -> " << key.destinationPort << " protocol " << int{key.protocol};
}

} // namespace ns3::aidc

namespace
{

using Bytes = std::vector<uint8_t>;

// The packet's own addresses in all vectors: 10.0.0.1 -> 10.0.0.2
constexpr uint32_t SOURCE = 0x0a000001;
constexpr uint32_t DESTINATION = 0x0a000002;

/// Of @p size bytes, the key.
struct Step
{
    std::size_t size; //!< from this size on, up to the next step
    FlowKey key;
};

struct Vector
{
    const char* name;
    uint8_t protocol;
    bool isFragment;
    Bytes bytes;
    std::vector<Step> steps; //!< by ascending size, the first one 0
};

/// The outer three-tuple.
FlowKey
Outer(uint8_t protocol)
{
    return {SOURCE, DESTINATION, 0, 0, protocol};
}

// Ports 4791 = 0x12b7 and 49153 = 0xc001
const Bytes PORTS{0xc0, 0x01, 0x12, 0xb7, 0xff, 0xff, 0xff, 0xff};

/// An IPv4 header 192.168.1.2 -> 172.16.3.4 (RFC 791), options of 0xee, followed by PORTS.
Bytes
Tunnel(uint8_t versionIhl, uint16_t fragment, uint8_t protocol)
{
    const Bytes header{versionIhl, 0, 0,   28,  0, 1, 0,   0,  64, protocol,
                       0,          0, 192, 168, 1, 2, 172, 16, 3,  4};
    const std::size_t size = std::max(20, 4 * (versionIhl & 15));
    Bytes bytes(size + PORTS.size(), 0xee);
    std::copy(header.begin(), header.end(), bytes.begin());
    bytes[6] = static_cast<uint8_t>(fragment >> 8);
    bytes[7] = static_cast<uint8_t>(fragment & 0xff);
    std::copy(PORTS.rbegin(), PORTS.rend(), bytes.rbegin());
    return bytes;
}

/// The key of a Tunnel's inner packet: 192.168 = 0xc0a8, 172.16 = 0xac10.
FlowKey
Inner(uint8_t protocol, bool ports)
{
    return {0xc0a80102,
            0xac100304,
            static_cast<uint16_t>(ports ? 0xc001 : 0),
            static_cast<uint16_t>(ports ? 0x12b7 : 0),
            protocol};
}

/// The key of the inner packet at a level of Nested().
FlowKey
Level(uint8_t level, uint8_t protocol, bool ports)
{
    auto key = Inner(protocol, ports);
    key.source = 0xc0a80100U + level;
    return key;
}

/// Tunnels in tunnels, 192.168.1.LEVEL -> 172.16.3.4 with LEVEL from 1 on, around UDP.
Bytes
Nested(uint8_t levels)
{
    Bytes bytes;
    for (uint8_t level = 1; level <= levels; ++level)
    {
        const auto header = Tunnel(0x45, 0, level < levels ? 4 : 17);
        bytes.resize(bytes.size() - (bytes.empty() ? 0 : PORTS.size()));
        bytes.insert(bytes.end(), header.begin(), header.end());
        bytes[20 * (level - 1) + 15] = level;
    }
    return bytes;
}

/// A protocol whose header begins with ports.
Vector
WithPorts(const char* name, uint8_t protocol)
{
    return {name,
            protocol,
            false,
            PORTS,
            {{0, Outer(protocol)}, {4, {SOURCE, DESTINATION, 0xc001, 0x12b7, protocol}}}};
}

class FlowKeyVector : public testing::TestWithParam<Vector>
{
};

TEST_P(FlowKeyVector, EveryTruncatedLengthFallsBackToWhatIsThere)
{
    const auto& row = GetParam();
    for (std::size_t size = 0; size <= row.bytes.size(); ++size)
    {
        const auto step = std::find_if(row.steps.rbegin(), row.steps.rend(), [&](const Step& s) {
            return s.size <= size;
        });
        // A buffer of just this size: the sanitizer sees each read beyond it.
        const Bytes bytes(row.bytes.begin(), row.bytes.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(
            DecodeFlowKey(SOURCE, DESTINATION, row.protocol, row.isFragment, bytes.data(), size),
            step->key)
            << "of " << size << " bytes";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Rows,
    FlowKeyVector,
    testing::Values(
        WithPorts("Tcp", 6),
        WithPorts("Udp", 17),
        WithPorts("Dccp", 33),
        WithPorts("Sctp", 132),
        WithPorts("UdpLite", 136),
        Vector{"Icmp", 1, false, PORTS, {{0, Outer(1)}}},
        Vector{"Gre", 47, false, PORTS, {{0, Outer(47)}}},
        Vector{"Ipv6InIp", 41, false, Tunnel(0x45, 0, 6), {{0, Outer(41)}}},
        Vector{"Fragment", 6, true, PORTS, {{0, Outer(6)}}},
        Vector{"FragmentOfTunnel", 4, true, Tunnel(0x45, 0, 6), {{0, Outer(4)}}},
        // The header is whole with 20 bytes, 24 of IHL 6, 60 of IHL 15; then 4 bytes of ports.
        Vector{"Tunnel",
               4,
               false,
               Tunnel(0x45, 0, 17),
               {{0, Outer(4)}, {20, Inner(17, false)}, {24, Inner(17, true)}}},
        Vector{"TunnelWithAnOption",
               4,
               false,
               Tunnel(0x46, 0, 6),
               {{0, Outer(4)}, {24, Inner(6, false)}, {28, Inner(6, true)}}},
        Vector{"TunnelWithTheLongestHeader",
               4,
               false,
               Tunnel(0x4f, 0, 6),
               {{0, Outer(4)}, {60, Inner(6, false)}, {64, Inner(6, true)}}},
        Vector{"TunnelWithoutPorts",
               4,
               false,
               Tunnel(0x45, 0, 1),
               {{0, Outer(4)}, {20, Inner(1, false)}}},
        Vector{"TunnelInTunnel",
               4,
               false,
               Tunnel(0x45, 0, 4),
               {{0, Outer(4)}, {20, Inner(4, false)}}},
        // Of n headers of 20 bytes the last one is whole with 20 n, and has ports with 4 more.
        Vector{"FourTunnels",
               4,
               false,
               Nested(4),
               {{0, Outer(4)},
                {20, Level(1, 4, false)},
                {40, Level(2, 4, false)},
                {60, Level(3, 4, false)},
                {80, Level(4, 17, false)},
                {84, Level(4, 17, true)}}},
        Vector{"TunnelsBeyondTheMostBytes",
               4,
               false,
               Nested(6),
               {{0, Outer(4)},
                {20, Level(1, 4, false)},
                {40, Level(2, 4, false)},
                {60, Level(3, 4, false)},
                {80, Level(4, 4, false)},
                {100, Level(5, 4, false)}}},
        // "More fragments" is 0x2000, the offset 0x1fff, "don't fragment" 0x4000.
        Vector{"InnerFirstFragment",
               4,
               false,
               Tunnel(0x45, 0x2000, 6),
               {{0, Outer(4)}, {20, Inner(6, false)}}},
        Vector{"InnerLastFragment",
               4,
               false,
               Tunnel(0x45, 0x0001, 6),
               {{0, Outer(4)}, {20, Inner(6, false)}}},
        Vector{"InnerLargestOffset",
               4,
               false,
               Tunnel(0x45, 0x1f00, 6),
               {{0, Outer(4)}, {20, Inner(6, false)}}},
        Vector{"InnerDontFragment",
               4,
               false,
               Tunnel(0x45, 0x4000, 6),
               {{0, Outer(4)}, {20, Inner(6, false)}, {24, Inner(6, true)}}},
        Vector{"InnerVersion6", 4, false, Tunnel(0x65, 0, 6), {{0, Outer(4)}}},
        Vector{"InnerIhl4", 4, false, Tunnel(0x44, 0, 6), {{0, Outer(4)}}}),
    [](const auto& row) { return row.param.name; });

TEST(FlowKey, TheOppositeFlowHasTheOtherEnds)
{
    const FlowKey key{SOURCE, DESTINATION, 1, 2, 6};
    EXPECT_EQ(ReverseFlow(key), (FlowKey{DESTINATION, SOURCE, 2, 1, 6}));
    EXPECT_EQ(ReverseFlow(ReverseFlow(key)), key);
}

TEST(FlowKey, NullIsReadAsNothing)
{
    EXPECT_EQ(DecodeFlowKey(SOURCE, DESTINATION, 6, false, nullptr, 0), Outer(6));
    EXPECT_EQ(DecodeFlowKey(SOURCE, DESTINATION, 4, false, nullptr, 0), Outer(4));
}

TEST(FlowKey, KeysDifferAndAreOrderedByEachField)
{
    const FlowKey key{1, 1, 1, 1, 1};
    const std::array<FlowKey, 5> larger{FlowKey{2, 0, 0, 0, 0},
                                        FlowKey{1, 2, 0, 0, 0},
                                        FlowKey{1, 1, 2, 0, 0},
                                        FlowKey{1, 1, 1, 2, 0},
                                        FlowKey{1, 1, 1, 1, 2}};
    for (const auto& other : larger)
    {
        EXPECT_FALSE(key == other);
        EXPECT_TRUE(key < other);
        EXPECT_FALSE(other < key);
    }
    EXPECT_TRUE(key == key);
    EXPECT_FALSE(key < key);
}

/// Whatever the bytes: the sanitizers watch the reads, the assertions what may come of them.
RC_GTEST_PROP(FlowKey, AnyBytesGiveTheOuterOrInnerAddresses, ())
{
    auto bytes = *rc::gen::container<Bytes>(rc::gen::arbitrary<uint8_t>());
    const auto protocol = DrawElement<uint8_t>({4, 4, 4, 6, 17, 1, 255});
    const bool isFragment = DrawAny<bool>();
    if (!bytes.empty() && DrawAny<bool>())
    {
        bytes[0] = static_cast<uint8_t>(0x40 | (bytes[0] & 15)); // else few are version 4
    }
    const auto key =
        DecodeFlowKey(SOURCE, DESTINATION, protocol, isFragment, bytes.data(), bytes.size());
    bool isFound =
        key.source == SOURCE && key.destination == DESTINATION && key.protocol == protocol;
    // Header after header, as far as they can be
    uint8_t outer = protocol;
    for (std::size_t at = 0; outer == 4 && at + 20 <= bytes.size() && bytes[at] >> 4 == 4;
         at += std::size_t{4} * (bytes[at] & 15U))
    {
        outer = bytes[at + 9];
        isFound = isFound || (key.protocol == outer && key.source >> 24 == bytes[at + 12] &&
                              (key.source & 0xff) == bytes[at + 15] &&
                              key.destination >> 24 == bytes[at + 16] &&
                              (key.destination & 0xff) == bytes[at + 19]);
        if ((bytes[at] & 15) < 5)
        {
            break;
        }
    }
    RC_ASSERT(isFound);
    if (isFragment || key.protocol == 1 || key.protocol == 4)
    {
        RC_ASSERT(key.sourcePort == 0 && key.destinationPort == 0);
    }
}

RC_GTEST_PROP(FlowKey, BytesBeyondTheMostThatCountChangeNothing, ())
{
    auto bytes = Tunnel(static_cast<uint8_t>(0x40 | DrawInRange(0, 16)),
                        0,
                        DrawElement<uint8_t>({1, 4, 6, 17}));
    bytes.resize(FLOW_KEY_MAX_BYTES, 0x11);
    const auto key = DecodeFlowKey(SOURCE, DESTINATION, 4, false, bytes.data(), bytes.size());
    const auto rest = *rc::gen::container<Bytes>(rc::gen::arbitrary<uint8_t>());
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    RC_ASSERT(DecodeFlowKey(SOURCE, DESTINATION, 4, false, bytes.data(), bytes.size()) == key);
}

} // namespace
