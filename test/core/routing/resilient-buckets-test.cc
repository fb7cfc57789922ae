// SPDX-License-Identifier: GPL-2.0-only

// Resilient buckets: quotas by weight, and as few buckets moved as the quotas allow.

#include "test/core/core-test.h"

#include "ns3/next-hop-weights.h"

constexpr uint32_t NONE = ResilientBuckets::NONE;

/// The member of each bucket. Bucket b of n begins with hash ceil(b 2^32 / n).
std::vector<uint32_t>
List(const ResilientBuckets& buckets)
{
    const uint64_t n = buckets.GetNBuckets();
    std::vector<uint32_t> members;
    for (uint64_t b = 0; b < n; ++b)
    {
        members.push_back(buckets.Get(static_cast<uint32_t>(((b << 32) + n - 1) / n)));
    }
    return members;
}

/// The number of buckets of each of @p nMembers members.
std::vector<uint32_t>
Count(const ResilientBuckets& buckets, std::size_t nMembers)
{
    std::vector<uint32_t> counts(nMembers);
    for (const uint32_t member : List(buckets))
    {
        if (member != NONE)
        {
            ++counts.at(member);
        }
    }
    return counts;
}

struct Quotas
{
    const char* name;
    uint32_t nBuckets;
    std::vector<double> weights;
    std::vector<uint32_t> quotas; //!< by hand
};

class QuotaTable : public testing::TestWithParam<Quotas>
{
};

TEST_P(QuotaTable, LargestRemainderAndAtLeastOne)
{
    const auto& row = GetParam();
    ResilientBuckets buckets(row.nBuckets);
    buckets.SetWeights(row.weights);
    EXPECT_EQ(Count(buckets, row.weights.size()), row.quotas);
}

constexpr double HUGE_WEIGHT = std::numeric_limits<double>::max();
constexpr double TINY_WEIGHT = std::numeric_limits<double>::denorm_min();

INSTANTIATE_TEST_SUITE_P(
    Rows,
    QuotaTable,
    testing::Values(
        Quotas{"One", 1, {5}, {1}},
        Quotas{"Exact", 8, {1, 2, 1}, {2, 4, 2}},
        // 3.33 each: the bucket left over goes to the lowest member.
        Quotas{"Tie", 10, {1, 1, 1}, {4, 3, 3}},
        // 0.5 and 2.5
        Quotas{"TieOfUnequals", 3, {1, 5}, {1, 2}},
        // 2.67, 2.67 and 2.67 of 8
        Quotas{"TieOfThirds", 8, {0.1, 0.1, 0.1}, {3, 3, 2}},
        // Less than a bucket gives one: 0.25, 250 and 749.75 of 1000
        Quotas{"SmallGetsOne", 1000, {1e6, 1e9, 2999e6}, {1, 250, 749}},
        Quotas{"Default", 4096, {1e6, 1e9, 3e9}, {1, 1024, 3071}},
        Quotas{"ThreeSmall", 16, {1000, 1, 1, 1}, {13, 1, 1, 1}},
        Quotas{"Doubling16", 16, {125, 250, 500, 1000}, {1, 2, 4, 9}},
        Quotas{"Doubling64", 64, {125, 250, 500, 1000}, {4, 9, 17, 34}},
        Quotas{"Doubling128", 128, {125, 250, 500, 1000}, {9, 17, 34, 68}},
        // 100 of 800 are one of 8 buckets, but 0.38 of the 3 that the others leave
        Quotas{"SmallByOthers", 8, {2, 2, 2, 2, 2, 100, 690}, {1, 1, 1, 1, 1, 1, 2}},
        // 1.4, 2.8, 2.8: the two left over go to the larger remainders.
        Quotas{"Remainders", 7, {1, 2, 2}, {1, 3, 3}},
        Quotas{"ZeroGetsNothing", 5, {0, 1, 0, 1, 0}, {0, 3, 0, 2, 0}},
        Quotas{"FewerBucketsThanMembers", 2, {1, 1, 1, 1}, {1, 1, 0, 0}},
        // 12 buckets of 0.1 : 0.2 : 0.3 are 2, 4, 6 whatever the rounding of the fractions.
        Quotas{"Fractions", 12, {0.1, 0.2, 0.3}, {2, 4, 6}},
        Quotas{"SumBeyondTheRange", 4, {HUGE_WEIGHT, HUGE_WEIGHT}, {2, 2}},
        Quotas{"Denormal", 4, {TINY_WEIGHT, 3 * TINY_WEIGHT}, {1, 3}},
        Quotas{"FarApart", 4, {TINY_WEIGHT, HUGE_WEIGHT}, {1, 3}},
        Quotas{"FewerBucketsThanWeights", 2, {1, 1, 100}, {0, 0, 2}},
        Quotas{"NoWeight", 4, {0, 0}, {0, 0}}),
    [](const auto& row) { return row.param.name; });

/// The same rule in whole numbers: n w / sum has the remainder (n w) mod sum. The smallest weight
/// goes first: if it gives less than a bucket, it has one, and the others share the rest.
std::vector<uint32_t>
ComputeQuotas(uint32_t n, std::vector<uint32_t> weights)
{
    const auto nMembers =
        std::count_if(weights.begin(), weights.end(), [](uint32_t w) { return w; });
    if (n >= nMembers && nMembers > 0)
    {
        const auto smallest =
            std::min_element(weights.begin(), weights.end(), [](uint32_t a, uint32_t b) {
                return a - 1 < b - 1; // 0 comes last
            });
        const auto all = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
        if (uint64_t{n} * *smallest < all)
        {
            *smallest = 0;
            const auto place = smallest - weights.begin();
            auto quotas = ComputeQuotas(n - 1, weights);
            quotas[place] = 1;
            return quotas;
        }
    }
    const uint64_t sum = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    std::vector<uint32_t> quotas(weights.size());
    if (sum == 0)
    {
        return quotas;
    }
    std::vector<bool> isRoundedUp(weights.size());
    uint64_t left = n;
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        quotas[i] = static_cast<uint32_t>(uint64_t{n} * weights[i] / sum);
        left -= quotas[i];
    }
    for (; left > 0; --left)
    {
        std::size_t best = weights.size();
        for (std::size_t i = 0; i < weights.size(); ++i)
        {
            const auto remainder = [&](std::size_t k) { return uint64_t{n} * weights[k] % sum; };
            if (!isRoundedUp[i] && remainder(i) > 0 &&
                (best == weights.size() || remainder(i) > remainder(best)))
            {
                best = i;
            }
        }
        isRoundedUp[best] = true;
        ++quotas[best];
    }
    return quotas;
}

/// Count the buckets that have another member than before.
std::ptrdiff_t
CountMoved(const std::vector<uint32_t>& before, const std::vector<uint32_t>& after)
{
    std::ptrdiff_t n = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
    {
        n += before.at(i) != after.at(i);
    }
    return n;
}

/// Weights of 1 to 12 members, often 0.
std::vector<uint32_t>
DrawWeights()
{
    const auto nMembers = DrawInRange<std::size_t>(0, 13);
    return *rc::gen::container<std::vector<uint32_t>>(
        nMembers,
        rc::gen::oneOf(rc::gen::just<uint32_t>(0), rc::gen::inRange<uint32_t>(0, 1000)));
}

/// Whole weights as numbers that SetWeights takes.
std::vector<double>
ToDouble(const std::vector<uint32_t>& weights)
{
    return {weights.begin(), weights.end()};
}

/// Any sequence of weights: the quotas are kept, and half of what they change by moves.
RC_GTEST_PROP(ResilientBuckets, MovesTheFewestBucketsThatTheQuotasAllow, ())
{
    const auto nBuckets = DrawInRange<uint32_t>(1, 300);
    ResilientBuckets buckets(nBuckets);
    auto before = List(buckets);
    const auto steps = DrawInRange(1, 8);
    for (int step = 0; step < steps; ++step)
    {
        const auto weights = DrawWeights();
        const auto quotas = ComputeQuotas(nBuckets, weights);
        buckets.SetWeights(ToDouble(weights));
        RC_ASSERT(Count(buckets, weights.size()) == quotas);

        // Buckets without a member count as buckets of an additional member.
        const auto after = List(buckets);
        uint32_t moved = 0;
        std::vector<int64_t> change(14); // 12 members at most, and 13 for none
        for (uint32_t b = 0; b < nBuckets; ++b)
        {
            moved += before[b] != after[b] ? 1 : 0;
            ++change.at(after[b] == NONE ? 13 : after[b]);
            --change.at(before[b] == NONE ? 13 : before[b]);
        }
        int64_t distance = 0;
        for (const auto c : change)
        {
            distance += std::abs(c);
        }
        RC_ASSERT(int64_t{moved} * 2 == distance);
        // Only members above their quota lose buckets.
        for (uint32_t b = 0; b < nBuckets; ++b)
        {
            RC_ASSERT(before[b] == after[b] || change.at(before[b] == NONE ? 13 : before[b]) < 0);
        }
        before = after;
    }
}

RC_GTEST_PROP(ResilientBuckets, QuotasOfAnyWeightsAreInTheirOrderAndAtLeastOne, ())
{
    const auto nBuckets = DrawInRange<uint32_t>(1, 5000);
    const auto whole = *rc::gen::nonEmpty<std::vector<uint32_t>>();
    std::vector<double> weights;
    for (const auto w : whole)
    {
        weights.push_back(std::sqrt(w)); // most of them irrational
    }
    ResilientBuckets buckets(nBuckets);
    buckets.SetWeights(weights);
    const auto counts = Count(buckets, weights.size());
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (std::size_t i = 0; i < weights.size() && sum > 0; ++i)
    {
        const double exact = nBuckets * weights[i] / sum;
        RC_ASSERT(counts[i] < std::max(exact, 1.0) + 1 + 1e-9); // and the rounding of this test
        RC_ASSERT((weights[i] > 0) == (counts[i] > 0) || nBuckets < weights.size());
        for (std::size_t j = 0; j < i; ++j)
        {
            RC_ASSERT(weights[i] <= weights[j] || counts[i] >= counts[j]);
        }
    }
    RC_ASSERT(std::accumulate(counts.begin(), counts.end(), 0U) == (sum > 0 ? nBuckets : 0));
}

// 256 buckets are 25.6, 51.2, 76.8 and 102.4: quotas are off by 0.4 of 256 at most, 0.16 %. The
// share of 10^5 flows has a standard deviation of at most sqrt(0.4 * 0.6 / 10^5) = 0.155 %. Five of
// them and the quota's error are 0.93 %.
TEST(ResilientBuckets, FlowsAreSharedByWeight)
{
    constexpr uint32_t N_FLOWS = 100000;
    ResilientBuckets buckets(256);
    const std::vector<double> weights{100, 200, 300, 400};
    buckets.SetWeights(weights);
    std::vector<uint32_t> flows(weights.size());
    for (uint32_t i = 0; i < N_FLOWS; ++i)
    {
        const FlowKey key{0x0a000001 + i % 1000, 0x0a010001 + i / 1000, 49152, 4791, 17};
        ++flows.at(buckets.Get(HashFlow(key, 1)));
    }
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        EXPECT_NEAR(flows[i] / double{N_FLOWS}, weights[i] / 1000, 0.01) << "member " << i;
    }
}

TEST(ResilientBuckets, FailureMovesOnlyTheFlowsOfTheFailedMember)
{
    ResilientBuckets buckets(256);
    buckets.SetWeights({1, 1, 1, 1}); // 64 each
    const auto before = List(buckets);
    buckets.SetWeights({1, 1, 0, 1}); // 86, 85, 85
    const auto after = List(buckets);
    EXPECT_EQ(CountMoved(before, after), 64);
    EXPECT_EQ(Count(buckets, 4), (std::vector<uint32_t>{86, 85, 0, 85}));
    for (std::size_t b = 0; b < before.size(); ++b)
    {
        EXPECT_TRUE(before[b] == 2 || before[b] == after[b]) << "bucket " << b;
    }
}

// A switch's table of 128 for eight uplinks, one of which has half its rate: 17.07 buckets each,
// and 8.53, which is rounded up. When any uplink goes, its own buckets move, and no others.
TEST(ResilientBuckets, FailureInATableOf128MovesOnlyTheBucketsOfTheFailedMember)
{
    std::vector<double> weights(8, 2);
    weights.back() = 1;
    for (std::size_t failed = 0; failed < weights.size(); ++failed)
    {
        ResilientBuckets buckets(128);
        buckets.SetWeights(weights);
        const auto before = List(buckets);
        const auto counts = Count(buckets, weights.size());
        EXPECT_EQ(counts, (std::vector<uint32_t>{17, 17, 17, 17, 17, 17, 17, 9}));
        auto left = weights;
        left[failed] = 0;
        buckets.SetWeights(left);
        const auto after = List(buckets);
        EXPECT_EQ(CountMoved(before, after), counts[failed]);
        for (std::size_t b = 0; b < before.size(); ++b)
        {
            EXPECT_TRUE(before[b] == failed || before[b] == after[b]) << "bucket " << b;
        }
    }
}

TEST(ResilientBuckets, ReturnMovesOnlyWhatTheMemberGetsBack)
{
    ResilientBuckets buckets(256);
    buckets.SetWeights({1, 1, 0, 1});
    const auto before = List(buckets);
    buckets.SetWeights({1, 1, 1, 1});
    const auto after = List(buckets);
    EXPECT_EQ(CountMoved(before, after), 64); // 22 + 21 + 21
    for (std::size_t b = 0; b < before.size(); ++b)
    {
        EXPECT_TRUE(after[b] == 2 || before[b] == after[b]) << "bucket " << b;
    }
}

TEST(ResilientBuckets, SameProportionsMoveNothing)
{
    ResilientBuckets buckets(100);
    buckets.SetWeights({1, 2, 3});
    const auto before = List(buckets);
    buckets.SetWeights({10, 20, 30});
    EXPECT_EQ(List(buckets), before);
    buckets.SetWeights({10, 20, 30, 0});
    EXPECT_EQ(List(buckets), before);
}

TEST(ResilientBuckets, MembersBeyondTheEndHaveNoWeight)
{
    ResilientBuckets buckets(10);
    buckets.SetWeights({1, 1});
    const auto before = List(buckets);
    buckets.SetWeights({1});
    EXPECT_EQ(Count(buckets, 1), (std::vector<uint32_t>{10}));
    EXPECT_EQ(CountMoved(before, List(buckets)), 5);
}

TEST(ResilientBuckets, NoneWithoutAnyWeight)
{
    ResilientBuckets buckets(10);
    EXPECT_EQ(buckets.Get(0), NONE);
    buckets.SetWeights({});
    EXPECT_EQ(buckets.Get(0), NONE);
    buckets.SetWeights({1, 1});
    EXPECT_EQ(Count(buckets, 2), (std::vector<uint32_t>{5, 5}));
    buckets.SetWeights({0, 0});
    EXPECT_EQ(Count(buckets, 2), (std::vector<uint32_t>{0, 0}));
    EXPECT_EQ(buckets.Get(0xffffffff), NONE);
}

TEST(ResilientBuckets, TheSameHistoryGivesTheSameBuckets)
{
    ResilientBuckets one(1000);
    ResilientBuckets other(1000);
    for (const auto& weights : {std::vector<double>{1, 2, 3}, {3, 0, 1, 1}, {0.5, 0.25, 0.1}})
    {
        one.SetWeights(weights);
        other.SetWeights(weights);
        EXPECT_EQ(List(one), List(other));
    }
}

TEST(ResilientBuckets, RefusesImpossibleWeightsAndChangesNothing)
{
    ResilientBuckets buckets(10);
    buckets.SetWeights({1, 1});
    const auto before = List(buckets);
    constexpr double INF = std::numeric_limits<double>::infinity();
    for (const double weight : {-1.0, -TINY_WEIGHT, INF, -INF, std::nan("")})
    {
        EXPECT_THROW(buckets.SetWeights({5, weight}), std::invalid_argument) << weight;
        EXPECT_EQ(List(buckets), before);
    }
}

TEST(ResilientBuckets, RefusesImpossibleNumbersOfBuckets)
{
    EXPECT_THROW(ResilientBuckets(0), std::invalid_argument);
    EXPECT_THROW(ResilientBuckets(65537), std::invalid_argument);
    EXPECT_EQ(ResilientBuckets(65536).GetNBuckets(), 65536U);
}
