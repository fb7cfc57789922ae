// SPDX-License-Identifier: GPL-2.0-only

// Weights as hardware has them: FRR's roundings, and the table reduction of WCMP (Zhou et al.,
// EuroSys 2014), against tables that were computed independently and against all tables there are.

#include "test/core/core-test.h"

#include "ns3/next-hop-weights.h"

using Weights = std::vector<double>;
using Entries = std::vector<uint32_t>;

constexpr double WEIGHT_MAX = std::numeric_limits<double>::max();
constexpr double WEIGHT_MIN = std::numeric_limits<double>::denorm_min();

uint32_t
GetSize(const Entries& entries)
{
    return std::accumulate(entries.begin(), entries.end(), 0U);
}

struct TableFit
{
    Weights weights;
    uint32_t maxEntries;
    Entries entries;
    double oversubscription; //!< to four digits
};

// Computed independently: by trying all tables, and for the six primes by growing from ones.
TEST(ReduceWeights, BestTableOfASize)
{
    const Weights doubling{125, 250, 500, 1000, 1000};
    const Weights falling{10, 9, 8, 7};
    const Weights apart{1, 400};
    const Weights rates{800, 400, 100, 25};
    const Weights primes{97, 89, 83, 79, 73, 71};
    const std::vector<TableFit> rows{
        {doubling, 16, {1, 1, 3, 6, 5}, 1.4375},
        {doubling, 32, {1, 2, 4, 8, 8}, 1},
        {doubling, 64, {1, 2, 4, 8, 8}, 1},
        {doubling, 128, {1, 2, 4, 8, 8}, 1},
        {falling, 16, {5, 4, 4, 3}, 1.0625},
        {falling, 32, {9, 8, 7, 6}, 1.02},
        {falling, 64, {10, 9, 8, 7}, 1},
        {falling, 128, {10, 9, 8, 7}, 1},
        {apart, 16, {1, 15}, 25.0625},
        {apart, 32, {1, 31}, 12.53125},
        {apart, 64, {1, 63}, 6.265625},
        {apart, 128, {1, 127}, 3.1328125},
        {rates, 16, {10, 4, 1, 1}, 3.3125},
        {rates, 32, {20, 9, 2, 1}, 1.65625},
        {rates, 64, {32, 16, 4, 1}, 1},
        {rates, 128, {32, 16, 4, 1}, 1},
        {primes, 16, {1, 1, 1, 1, 1, 1}, 1.1549},
        {primes, 32, {5, 5, 4, 4, 4, 4}, 1.0661},
        {primes, 64, {11, 10, 9, 9, 8, 8}, 1.0191},
        {primes, 128, {23, 21, 20, 19, 17, 17}, 1.0133},
        {{1, 1, 2, 4}, 64, {1, 1, 2, 4}, 1}, // a full table is not the aim
        {{0, 5, 0, 10}, 64, {0, 1, 0, 2}, 1},
        {{7}, 64, {1}, 1},
        {{0, 0}, 64, {0, 0}, 1}};
    for (const auto& row : rows)
    {
        SCOPED_TRACE(testing::PrintToString(row.weights) + " in " + std::to_string(row.maxEntries));
        const auto entries = ReduceWeights(row.weights, row.maxEntries);
        EXPECT_EQ(entries, row.entries);
        if (GetSize(entries) > 0)
        {
            EXPECT_NEAR(GetOversubscription(row.weights, entries), row.oversubscription, 5e-5);
        }
    }
}

TEST(ReduceWeights, SmallestTableWithinAnOversubscription)
{
    struct Row
    {
        Weights weights;
        double maxOversubscription;
        Entries entries;
        double oversubscription;
    };

    const std::vector<Row> rows{{{7, 5, 3}, 1.05, {7, 5, 3}, 1},
                                {{7, 5, 3}, 1.1, {3, 2, 1}, 1.0714},
                                {{7, 5, 3}, 1.2, {2, 2, 1}, 1.2},
                                {{10, 9, 8, 7}, 1.05, {8, 7, 6, 5}, 1.0462},
                                {{10, 9, 8, 7}, 1.1, {4, 4, 3, 3}, 1.0794},
                                {{10, 9, 8, 7}, 1.2, {3, 2, 2, 2}, 1.1333},
                                {{10, 9, 8, 7}, 1.25, {1, 1, 1, 1}, 1.2143}};
    for (const auto& row : rows)
    {
        SCOPED_TRACE(testing::PrintToString(row.weights));
        const auto entries = ReduceWeights(row.weights, 1000, row.maxOversubscription);
        EXPECT_EQ(entries, row.entries);
        EXPECT_NEAR(GetOversubscription(row.weights, entries), row.oversubscription, 5e-5);
    }
}

/// A table and its oversubscription as a fraction: the largest of entries times sum over weight
/// times size.
struct Candidate
{
    uint64_t numerator{1};
    uint64_t denominator{0};
    uint32_t size{0};
};

/// Try all tables, in whole numbers. weights: the weights, at least 1.
void
TryAll(const Entries& weights, uint32_t left, Entries& entries, Candidate& best)
{
    if (entries.size() < weights.size())
    {
        for (uint32_t n = 1; n <= left; ++n)
        {
            entries.push_back(n);
            TryAll(weights, left - n, entries, best);
            entries.pop_back();
        }
        return;
    }
    const uint64_t size = GetSize(entries);
    const uint64_t sum = GetSize(weights);
    Candidate found{0, 1, static_cast<uint32_t>(size)};
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        const uint64_t numerator = entries[i] * sum;
        const uint64_t denominator = weights[i] * size;
        if (numerator * found.denominator > found.numerator * denominator)
        {
            found.numerator = numerator;
            found.denominator = denominator;
        }
    }
    const uint64_t is = found.numerator * best.denominator;
    const uint64_t was = best.numerator * found.denominator;
    if (is < was || (is == was && found.size < best.size))
    {
        best = found;
    }
}

RC_GTEST_PROP(ReduceWeights, NoTableIsBetterAndNoneAsGoodIsSmaller, ())
{
    const auto nNextHops = DrawInRange<std::size_t>(1, 5);
    const auto weights = *rc::gen::container<Entries>(nNextHops, rc::gen::inRange<uint32_t>(1, 40));
    const auto maxEntries =
        DrawInRange<uint32_t>(static_cast<uint32_t>(nNextHops), nNextHops < 4 ? 24 : 16);
    Candidate best;
    Entries none;
    TryAll(weights, maxEntries, none, best);
    const Weights given(weights.begin(), weights.end());
    const auto entries = ReduceWeights(given, maxEntries);
    RC_ASSERT(GetSize(entries) == best.size);
    const double least =
        static_cast<double>(best.numerator) / static_cast<double>(best.denominator);
    RC_ASSERT(std::abs(GetOversubscription(given, entries) - least) < 1e-9);
}

RC_GTEST_PROP(ReduceWeights, AnyWeights, ())
{
    const auto whole = *rc::gen::container<Entries>(
        DrawInRange<std::size_t>(0, 65),
        rc::gen::oneOf(rc::gen::just<uint32_t>(0), rc::gen::inRange<uint32_t>(1, 100000)));
    Weights weights;
    for (const auto weight : whole)
    {
        weights.push_back(std::sqrt(weight)); // most of them irrational
    }
    const auto maxEntries = DrawInRange<uint32_t>(64, 600);
    const auto percent = DrawInRange(100, 150);
    const auto entries = ReduceWeights(weights, maxEntries, percent / 100.0);
    RC_ASSERT(entries.size() == weights.size());
    RC_ASSERT(GetSize(entries) <= maxEntries);
    for (std::size_t i = 0; i < weights.size(); ++i)
    {
        RC_ASSERT((entries[i] > 0) == (weights[i] > 0));
        for (std::size_t j = 0; j < i; ++j)
        {
            // As weights, but for the order in which equal ones get their entries
            RC_ASSERT(weights[i] <= weights[j] || entries[i] >= entries[j]);
            RC_ASSERT(weights[i] != weights[j] || entries[j] - entries[i] <= 1);
        }
    }
    // The scale of weights makes no difference.
    Weights scaled;
    for (const auto weight : weights)
    {
        scaled.push_back(std::ldexp(weight, 30));
    }
    RC_ASSERT(ReduceWeights(scaled, maxEntries, percent / 100.0) == entries);
    // More room never makes it worse.
    if (GetSize(entries) > 0)
    {
        const auto wider = ReduceWeights(weights, maxEntries + 1, percent / 100.0);
        RC_ASSERT(GetOversubscription(weights, wider) <=
                  GetOversubscription(weights, entries) + 1e-8);
    }
}

TEST(ReduceWeights, WeightsFarApart)
{
    EXPECT_EQ(ReduceWeights({WEIGHT_MAX, WEIGHT_MAX}, 16), (Entries{1, 1}));
    EXPECT_EQ(ReduceWeights({WEIGHT_MIN, 3 * WEIGHT_MIN}, 16), (Entries{1, 3}));
    EXPECT_EQ(ReduceWeights({WEIGHT_MIN, WEIGHT_MAX}, 16), (Entries{1, 15}));
    EXPECT_EQ(ReduceWeights({0.1, 0.2, 0.3}, 16), (Entries{1, 2, 3}));
}

TEST(ReduceWeights, RefusesWhatCannotFit)
{
    EXPECT_EQ(ReduceWeights({1, 2, 0, 3}, 3), (Entries{1, 1, 0, 1}));
    EXPECT_THROW(ReduceWeights({1, 2, 3, 4}, 3), std::invalid_argument);
    EXPECT_THROW(ReduceWeights({1}, 0), std::invalid_argument);
    EXPECT_THROW(ReduceWeights({1, 1}, 16, 0.99), std::invalid_argument);
    EXPECT_THROW(ReduceWeights({1, 1}, 16, std::nan("")), std::invalid_argument);
    EXPECT_THROW(ReduceWeights({1, -1}, 16), std::invalid_argument);
    EXPECT_THROW(ReduceWeights({1, WEIGHT_MAX * 2}, 16), std::invalid_argument);
}

// FRR 8.4.4 gave the kernel 70, 20 and 10 for link bandwidths of 0.7, 0.2 and 0.1 GB/s; what later
// releases do is documented with its scale of 255.
TEST(ScaleWeights, AsFrrDoes)
{
    EXPECT_EQ(ScaleWeights({0.7e9, 0.2e9, 0.1e9}, NextHopTableSettings::PERCENT),
              (Weights{70, 20, 10}));
    EXPECT_EQ(ScaleWeights({1, 1, 1}, NextHopTableSettings::PERCENT), (Weights{33, 33, 33}));
    EXPECT_EQ(ScaleWeights({1, 400}, NextHopTableSettings::PERCENT), (Weights{1, 99}));
    EXPECT_EQ(ScaleWeights({0, 5}, NextHopTableSettings::PERCENT), (Weights{0, 100}));
    EXPECT_EQ(ScaleWeights({1, 2, 4, 8}, NextHopTableSettings::BYTE), (Weights{31, 63, 127, 255}));
    EXPECT_EQ(ScaleWeights({1, 400}, NextHopTableSettings::BYTE), (Weights{1, 255}));
    EXPECT_EQ(ScaleWeights({3, 0, 3}, NextHopTableSettings::BYTE), (Weights{255, 0, 255}));
    EXPECT_EQ(ScaleWeights({0.25, 1e300}, NextHopTableSettings::EXACT), (Weights{0.25, 1e300}));
    for (const auto scale :
         {NextHopTableSettings::EXACT, NextHopTableSettings::PERCENT, NextHopTableSettings::BYTE})
    {
        EXPECT_EQ(ScaleWeights({}, scale), Weights());
        EXPECT_EQ(ScaleWeights({0, 0}, scale), (Weights{0, 0}));
        EXPECT_THROW(ScaleWeights({1, -1}, scale), std::invalid_argument);
    }
}

TEST(ApportionEntries, AllEntriesAreUsed)
{
    EXPECT_EQ(ApportionEntries({1, 1, 1}, 16), (Entries{6, 5, 5}));
    EXPECT_EQ(ApportionEntries({1, 1, 1, 1, 1}, 16), (Entries{4, 3, 3, 3, 3}));
    EXPECT_EQ(ApportionEntries({125, 250, 500, 1000}, 16), (Entries{1, 2, 4, 9}));
    EXPECT_EQ(ApportionEntries({125, 250, 500, 1000}, 32), (Entries{2, 4, 9, 17}));
    EXPECT_EQ(ApportionEntries({125, 250, 500, 1000}, 64), (Entries{4, 9, 17, 34}));
    EXPECT_EQ(ApportionEntries({125, 250, 500, 1000}, 128), (Entries{9, 17, 34, 68}));
    EXPECT_EQ(ApportionEntries({1000, 1, 1, 1}, 16), (Entries{13, 1, 1, 1}));
    EXPECT_EQ(ApportionEntries({0, 0}, 16), (Entries{0, 0}));
}

TEST(GetOversubscription, OfTheNextHopThatGetsTooMuch)
{
    // 1/2, 1/2 in place of 1/3, 2/3: half too much, and a quarter too little
    EXPECT_DOUBLE_EQ(GetOversubscription({1, 2}, {1, 1}), 1.5);
    EXPECT_DOUBLE_EQ(GetShareError({1, 2}, {1, 1}), 0.5);
    // 1/8, 7/8 in place of 1/4, 3/4: half too little, and a sixth too much
    EXPECT_DOUBLE_EQ(GetOversubscription({1, 3}, {1, 7}), 7.0 / 6);
    EXPECT_DOUBLE_EQ(GetShareError({1, 3}, {1, 7}), 0.5);
    EXPECT_DOUBLE_EQ(GetOversubscription({0, 3, 3}, {0, 2, 2}), 1);
    EXPECT_TRUE(std::isinf(GetOversubscription({0, 3}, {1, 7})));
    EXPECT_THROW(GetOversubscription({1, 3}, {1}), std::logic_error);
    EXPECT_THROW(GetOversubscription({1, 3}, {0, 0}), std::logic_error);
}

TEST(QuantizeWeights, RoundsAndThenReduces)
{
    NextHopTableSettings settings;
    EXPECT_TRUE(settings.KeepsWeights());
    EXPECT_EQ(QuantizeWeights({12.5e9, 37.5e9}, settings), (Weights{12.5e9, 37.5e9}));
    settings.maxEntries = 16;
    EXPECT_FALSE(settings.KeepsWeights());
    EXPECT_EQ(QuantizeWeights({12.5e9, 37.5e9}, settings), (Weights{1, 3}));
    // 12.5 % and 87.5 %: 12 and 87 by FRR, which are 4 and 29
    settings.scale = NextHopTableSettings::PERCENT;
    EXPECT_FALSE(settings.KeepsWeights());
    settings.maxEntries = 33;
    EXPECT_EQ(QuantizeWeights({1, 7}, settings), (Weights{4, 29}));
    settings.maxEntries = 0;
    EXPECT_EQ(QuantizeWeights({1, 7}, settings), (Weights{12, 87}));
}
