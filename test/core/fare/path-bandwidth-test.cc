// SPDX-License-Identifier: GPL-2.0-only

// Bandwidths in extended communities: draft-xu-idr-fare, section "Path Bandwidth Extended
// Community"; RFC 10005. Hexadecimal values were computed in another way than here.

#include "model/core/fare/path-bandwidth.h"
#include "test/core/core-test.h"

using Communities = std::vector<BgpExtendedCommunity>;

constexpr double GBPS = 1e9 / 8;          // bytes a second
constexpr double LINK_100G = 12499999744; // 100 Gbit/s as binary32 has it: 0x503a43b7

/// How router 10.0.0.2 of AS 65002 writes path bandwidths.
BandwidthFormat
PathFormat()
{
    BandwidthFormat format;
    format.routerId = 0x0a000002;
    format.as = 65002;
    return format;
}

/// How it writes link bandwidths.
BandwidthFormat
LinkFormat()
{
    BandwidthFormat format = PathFormat();
    format.carrier = BandwidthCarrier::LINK_BANDWIDTH;
    return format;
}

BandwidthCommunities
Decode(const std::vector<uint64_t>& values)
{
    Communities communities;
    for (const uint64_t value : values)
    {
        communities.push_back({value});
    }
    return DecodeBandwidths(communities);
}

TEST(PathBandwidth, Section3GoldenValues)
{
    const struct
    {
        double gbps;
        uint16_t expected;
    } cases[] = {{0, 0x0000},
                 {1, 0x3000},
                 {10, 0x3d00},
                 {25, 0x4240},
                 {40, 0x4500},
                 {50, 0x4640},
                 {100, 0x4a40},
                 {200, 0x4e40},
                 {400, 0x5240},
                 {500, 0x53d0},
                 {800, 0x5640},
                 {1600, 0x5a40},
                 {3200, 0x5e40},
                 {12800, 0x6640}};

    for (const auto& row : cases)
    {
        const uint64_t base = 0x01060a0000020000;
        const auto community = EncodeBandwidth(row.gbps * GBPS, true, PathFormat());
        EXPECT_EQ(community.value, base | row.expected) << row.gbps;
        EXPECT_EQ(Decode({community.value}).path.transitive, row.gbps * GBPS);
    }
    // Sums are made before they are rounded.
    EXPECT_EQ(EncodeBandwidth(2 * 100 * GBPS, true, PathFormat()).GetLocal16(), 0x4e40);
    EXPECT_EQ(EncodeBandwidth(4 * 400 * GBPS, true, PathFormat()).GetLocal16(), 0x5a40);
}

TEST(PathBandwidth, Section3TheHighOctetSaysWhetherItIsTransitive)
{
    const auto transitive = EncodeBandwidth(100 * GBPS, true, PathFormat());
    const auto other = EncodeBandwidth(100 * GBPS, false, PathFormat());
    EXPECT_EQ(transitive.value, 0x01060a0000024a40U);
    EXPECT_EQ(other.value, 0x41060a0000024a40U);
    EXPECT_TRUE(transitive.IsTransitive());
    EXPECT_FALSE(other.IsTransitive());
    EXPECT_FALSE(Decode({other.value}).path.transitive);
    EXPECT_EQ(Decode({other.value}).path.nonTransitive, 12.5e9);
}

TEST(PathBandwidth, TheLowOctetCanBeSet)
{
    BandwidthFormat format = PathFormat();
    format.subtype = 0x80;
    const auto community = EncodeBandwidth(100 * GBPS, true, format);
    EXPECT_EQ(community.value, 0x01800a0000024a40U);
    EXPECT_FALSE(DecodeBandwidths({community}).path.transitive);
    EXPECT_EQ(DecodeBandwidths({community}, 0x80).path.transitive, 12.5e9);
}

TEST(PathBandwidth, WhatIsTooLargeIsTheLargest)
{
    for (const double bandwidth : {MAX_PATH_BANDWIDTH, 1e15, 1e300})
    {
        EXPECT_EQ(EncodeBandwidth(bandwidth, true, PathFormat()).GetLocal16(), 0x7bff);
    }
    EXPECT_EQ(Decode({0x01060a0000027bff}).path.transitive, MAX_PATH_BANDWIDTH);
}

TEST(PathBandwidth, MalformedOnesDoNotCount)
{
    // No number, infinite, negative and negative infinity, of either carrier
    const BandwidthCommunities result = Decode({0x01060a0000027e00,
                                                0x01060a0000027c00,
                                                0x01060a000002ca40,
                                                0x41060a000002fc00,
                                                0x0004fdea7fc00000,
                                                0x0004fdea7f800000,
                                                0x4004fdeac03a43b7,
                                                0x0004fdeaff800000});
    EXPECT_EQ(result.nMalformed, 8U);
    EXPECT_FALSE(result.path.GetLowest());
    EXPECT_FALSE(result.link.GetLowest());
    // A zero is a bandwidth, with either sign.
    const BandwidthCommunities zeros = Decode({0x01060a0000020000, 0x41060a0000028000});
    EXPECT_EQ(zeros.nMalformed, 0U);
    EXPECT_EQ(zeros.path.transitive, 0.0);
    EXPECT_EQ(zeros.path.nonTransitive, 0.0);
    EXPECT_FALSE(std::signbit(*zeros.path.nonTransitive));
}

TEST(PathBandwidth, OfSeveralTheLowestCounts)
{
    const BandwidthCommunities result = Decode({0x01060a0000025240,
                                                0x01060a0000034a40,
                                                0x01060a0000044e40,
                                                0x41060a0000024640,
                                                0x41060a0000024500,
                                                0x0102fde900000007,
                                                0x01060a0000057c00});
    EXPECT_EQ(result.path.transitive, 12.5e9);
    EXPECT_EQ(result.path.nonTransitive, 5e9);
    EXPECT_EQ(result.path.GetLowest(), 5e9);
    EXPECT_FALSE(result.link.GetLowest());
    EXPECT_EQ(result.nMalformed, 1U);
}

TEST(PathBandwidth, Rfc10005LinkBandwidth)
{
    const struct
    {
        double gbps;
        uint32_t expected;
    } cases[] = {{0, 0}, {10, 0x4e9502f9}, {100, 0x503a43b7}, {400, 0x513a43b7}, {800, 0x51ba43b7}};

    for (const auto& row : cases)
    {
        const auto community = EncodeBandwidth(row.gbps * GBPS, true, LinkFormat());
        EXPECT_EQ(community.value, 0x0004fdea00000000U | row.expected) << row.gbps;
        const auto other = EncodeBandwidth(row.gbps * GBPS, false, LinkFormat());
        EXPECT_EQ(other.value, 0x4004fdea00000000U | row.expected) << row.gbps;
        const BandwidthCommunities result = Decode({community.value, other.value});
        const double rounded = static_cast<float>(row.gbps * GBPS);
        EXPECT_EQ(result.Get(BandwidthCarrier::LINK_BANDWIDTH).transitive, rounded);
        EXPECT_EQ(result.link.nonTransitive, rounded);
        EXPECT_FALSE(result.Get(BandwidthCarrier::PATH_BANDWIDTH).GetLowest());
    }
    // One that comes alone counts in either way; one that does not, as it is.
    const BandwidthCommunities alone = Decode({0x4004fdea503a43b7, 0x41060a0000024a40});
    EXPECT_FALSE(alone.link.transitive);
    EXPECT_EQ(alone.Get(BandwidthCarrier::LINK_BANDWIDTH).transitive, LINK_100G);
    EXPECT_EQ(alone.Get(BandwidthCarrier::LINK_BANDWIDTH).nonTransitive, LINK_100G);
    EXPECT_FALSE(alone.Get(BandwidthCarrier::PATH_BANDWIDTH).transitive);
    const BandwidthCommunities both = Decode({0x4004fdea00000000, 0x0004fdea503a43b7});
    EXPECT_EQ(both.Get(BandwidthCarrier::LINK_BANDWIDTH).transitive, 0.0) << "the lowest of all";
    EXPECT_EQ(both.Get(BandwidthCarrier::LINK_BANDWIDTH).nonTransitive, 0.0);
    const BandwidthCommunities lower = Decode({0x4004fdea503a43b7, 0x0004fdea4e9502f9});
    EXPECT_EQ(lower.Get(BandwidthCarrier::LINK_BANDWIDTH).transitive, 1.25e9);
    BandwidthFormat format = LinkFormat();
    format.as = 4200000001;
    EXPECT_EQ(EncodeBandwidth(0, true, format).value >> 32 & 0xffff, 23456U);
    EXPECT_EQ(EncodeBandwidth(1e300, true, format).GetLocal32(), 0x7f7fffffU);
}

TEST(PathBandwidth, ChangesLeaveOtherCommunities)
{
    const Communities received{{0x0002fde900000007},
                               {0x01060a0000015240},
                               {0x0004fdea503a43b7},
                               {0x41060a0000014640},
                               {0x01020a0000010007}};
    BandwidthChange change;
    change.transitive = 12.5e9;
    Communities communities = received;
    ChangeBandwidths(change, PathFormat(), communities);
    EXPECT_EQ(communities,
              (Communities{{0x0002fde900000007}, {0x01020a0000010007}, {0x01060a0000024a40}}));

    change.keepsTransitive = true;
    change.nonTransitive = 25e9;
    communities = received;
    ChangeBandwidths(change, PathFormat(), communities);
    EXPECT_EQ(communities,
              (Communities{{0x0002fde900000007},
                           {0x01060a0000015240},
                           {0x01020a0000010007},
                           {0x41060a0000024e40}}));

    communities = received;
    ChangeBandwidths(change, LinkFormat(), communities);
    EXPECT_EQ(communities,
              (Communities{{0x0002fde900000007},
                           {0x0004fdea503a43b7},
                           {0x01020a0000010007},
                           {0x4004fdea50ba43b7}}));

    communities = received;
    ChangeBandwidths({}, PathFormat(), communities);
    EXPECT_EQ(communities, (Communities{{0x0002fde900000007}, {0x01020a0000010007}}));
}

RC_GTEST_PROP(PathBandwidth, TheWireKeepsElevenBits, (bool isTransitive))
{
    const double bandwidth = DrawInRange<uint64_t>(100000, 60000000000000);
    const auto community = EncodeBandwidth(bandwidth, isTransitive, PathFormat());
    const BandwidthCommunities result = DecodeBandwidths({community});
    const auto again = isTransitive ? result.path.transitive : result.path.nonTransitive;
    RC_ASSERT(again.has_value());
    RC_ASSERT(std::fabs(*again - bandwidth) <= bandwidth / 2048);
    RC_ASSERT(RoundBandwidth(bandwidth, BandwidthCarrier::PATH_BANDWIDTH) == *again);
    const auto link = DecodeBandwidths({EncodeBandwidth(bandwidth, true, LinkFormat())}).link;
    RC_ASSERT(RoundBandwidth(bandwidth, BandwidthCarrier::LINK_BANDWIDTH) == link.transitive);
}

RC_GTEST_PROP(PathBandwidth, AnyCommunitiesHaveAResult, (const std::vector<uint64_t>& values))
{
    const BandwidthCommunities result = Decode(values);
    RC_ASSERT(result.nMalformed <= values.size());
    for (const auto& route : {result.path, result.link})
    {
        RC_ASSERT(!route.transitive || *route.transitive >= 0);
        RC_ASSERT(!route.nonTransitive || *route.nonTransitive >= 0);
    }
}
