// SPDX-License-Identifier: GPL-2.0-only

// Hashes of flow keys: how evenly and how independently they spread flows.

#include "chi-square.h"
#include "test/core/core-test.h"

#include "ns3/flow-key.h"

// The first flow's addresses: 10.0.0.1 -> 10.0.0.2
constexpr uint32_t SOURCE = 0x0a000001;
constexpr uint32_t DESTINATION = 0x0a000002;

// Quantiles of the chi-square distribution that a sample exceeds with probability 1e-6. About 200
// samples are taken below: a good hash fails with probability 2e-4, once for all platforms.
constexpr double CHI_SQUARE_63 = 131.37;  //!< 63 degrees of freedom
constexpr double CHI_SQUARE_511 = 677.60; //!< 511 degrees of freedom

FlowKey
RandomKey(std::mt19937& random)
{
    return {static_cast<uint32_t>(random()),
            static_cast<uint32_t>(random()),
            static_cast<uint16_t>(random()),
            static_cast<uint16_t>(random()),
            static_cast<uint8_t>(random())};
}

/// Inverts one bit of a key and seed: 32 of each address, 16 of each port, 8 of the protocol, 32 of
/// the seed, 136 together.
void
Invert(FlowKey& key, uint32_t& seed, uint32_t bit)
{
    const auto mask = [&](uint32_t first) { return 1U << (bit - first); };
    if (bit < 32)
    {
        key.source ^= mask(0);
    }
    else if (bit < 64)
    {
        key.destination ^= mask(32);
    }
    else if (bit < 80)
    {
        key.sourcePort = static_cast<uint16_t>(key.sourcePort ^ mask(64));
    }
    else if (bit < 96)
    {
        key.destinationPort = static_cast<uint16_t>(key.destinationPort ^ mask(80));
    }
    else if (bit < 104)
    {
        key.protocol = static_cast<uint8_t>(key.protocol ^ mask(96));
    }
    else
    {
        seed ^= mask(104);
    }
}

// Of N = 4096 random keys, an input bit inverts an output bit N / 2 = 2048 times, with a standard
// deviation of sqrt(N) / 2 = 32. Six of them, 192, are exceeded with probability 2e-9 in each of
// 136 * 32 = 4352 pairs of bits, in any of them with 9e-6.
TEST(HashFlow, EachBitOfKeyAndSeedInvertsEachBitOfTheHashHalfOfTheTime)
{
    std::mt19937 random(1);
    for (uint32_t in = 0; in < 136; ++in)
    {
        std::array<int, 32> inverted{};
        for (int i = 0; i < 4096; ++i)
        {
            auto key = RandomKey(random);
            auto seed = static_cast<uint32_t>(random());
            const uint32_t before = HashFlow(key, seed);
            Invert(key, seed, in);
            const uint32_t change = before ^ HashFlow(key, seed);
            for (uint32_t out = 0; out < 32; ++out)
            {
                inverted[out] += static_cast<int>((change >> out) & 1U);
            }
        }
        for (uint32_t out = 0; out < 32; ++out)
        {
            EXPECT_NEAR(inverted[out], 2048, 192) << "input " << in << " output " << out;
        }
    }
}

// Of two switches with 8 members each, all 64 pairs of choices are equally frequent, also with
// seeds that differ in little.
TEST(HashFlow, DifferentSeedsChooseIndependently)
{
    for (uint32_t seed = 0; seed < 16; ++seed)
    {
        std::vector<uint32_t> counts(64);
        for (uint32_t i = 0; i < 20000; ++i)
        {
            const FlowKey key{SOURCE + i, DESTINATION, 49152, 4791, 17};
            const auto first = PickMember(HashFlow(key, seed), 8);
            const auto second = PickMember(HashFlow(key, seed + 1), 8);
            ++counts[8 * first + second];
        }
        EXPECT_LT(ComputeChiSquare(counts), CHI_SQUARE_63) << "seeds " << seed << " and the next";
    }
}

/// Flows on each of the 8 * 8 * 8 links behind the third of three tiers; @p seed gives a switch's
/// seed: the switches are 0, then 1 to 8, then 9 to 72.
std::vector<uint32_t>
SendThroughThreeTiers(const std::function<uint32_t(uint32_t)>& seed)
{
    std::vector<uint32_t> links(512);
    for (uint32_t i = 0; i < 100000; ++i)
    {
        const FlowKey key{SOURCE + i % 1000, DESTINATION + i / 1000, 49152, 4791, 17};
        const auto first = PickMember(HashFlow(key, seed(0)), 8);
        const auto second = PickMember(HashFlow(key, seed(1 + first)), 8);
        const auto third = PickMember(HashFlow(key, seed(9 + 8 * first + second)), 8);
        ++links[64 * first + 8 * second + third];
    }
    return links;
}

// Each of 512 links has n p = 100000 / 512 = 195.3 flows, with a standard deviation of
// sqrt(n p (1 - p)) = 13.96. Six of them are 83.8: exceeded on any link with probability 1e-6.
TEST(HashFlow, SeedsOfTheirOwnSpreadFlowsOverThreeTiers)
{
    const auto links = SendThroughThreeTiers([](uint32_t node) { return node; });
    for (const auto flows : links)
    {
        EXPECT_NEAR(flows, 195.3, 83.8);
    }
    EXPECT_LT(ComputeChiSquare(links), CHI_SQUARE_511);
}

// The test above can fail: with one seed everywhere, each tier repeats the choice of the first one,
// so that 8 of the 512 links have all flows.
TEST(HashFlow, OneSeedEverywherePolarises)
{
    const auto links = SendThroughThreeTiers([](uint32_t) { return 1; });
    EXPECT_EQ(std::count(links.begin(), links.end(), 0U), 512 - 8);
    EXPECT_GT(ComputeChiSquare(links), CHI_SQUARE_511);
}

struct Pattern
{
    const char* name;
    FlowKey (*key)(uint32_t i);
};

class LowEntropy : public testing::TestWithParam<Pattern>
{
};

TEST_P(LowEntropy, SpreadsOver64Members)
{
    for (uint32_t seed = 0; seed < 32; ++seed)
    {
        std::vector<uint32_t> byUpperBits(64);
        std::vector<uint32_t> byLowerBits(64);
        for (uint32_t i = 0; i < 16384; ++i)
        {
            const auto hash = HashFlow(GetParam().key(i), seed);
            ++byUpperBits[PickMember(hash, 64)];
            ++byLowerBits[hash % 64];
        }
        EXPECT_LT(ComputeChiSquare(byUpperBits), CHI_SQUARE_63) << "seed " << seed;
        EXPECT_LT(ComputeChiSquare(byLowerBits), CHI_SQUARE_63) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Patterns,
    LowEntropy,
    testing::Values(
        Pattern{"SequentialSources",
                [](uint32_t i) { return FlowKey{SOURCE + i, DESTINATION, 4791, 4791, 17}; }},
        Pattern{"SequentialPairs",
                [](uint32_t i) { return FlowKey{SOURCE + i, SOURCE + i + 16384, 4791, 4791, 17}; }},
        Pattern{"SequentialSubnets",
                [](uint32_t i) { return FlowKey{SOURCE, DESTINATION + (i << 8), 4791, 4791, 17}; }},
        Pattern{"SequentialPorts",
                [](uint32_t i) {
                    const auto port = static_cast<uint16_t>(49152 + i);
                    return FlowKey{SOURCE, DESTINATION, port, 4791, 17};
                }}),
    [](const auto& row) { return row.param.name; });

TEST(PickMember, TakesAllHashesForOneMember)
{
    EXPECT_EQ(PickMember(0, 1), 0U);
    EXPECT_EQ(PickMember(0xffffffff, 1), 0U);
}

// Member m of n begins with hash ceil(m 2^32 / n), so that each has floor or ceil(2^32 / n) hashes.
RC_GTEST_PROP(PickMember, RegionsAreEqualButForOneHash, ())
{
    const auto n = DrawInRange<uint64_t>(2, 70000);
    const auto member = DrawInRange<uint64_t>(1, n);
    const uint64_t first = ((member << 32) + n - 1) / n;
    RC_ASSERT(PickMember(static_cast<uint32_t>(first), static_cast<uint32_t>(n)) == member);
    RC_ASSERT(PickMember(static_cast<uint32_t>(first - 1), static_cast<uint32_t>(n)) == member - 1);
    RC_ASSERT(PickMember(0xffffffff, static_cast<uint32_t>(n)) == n - 1);
}
