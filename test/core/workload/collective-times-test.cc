// SPDX-License-Identifier: GPL-2.0-only

// The time of collectives over links of fixed rate, against times that are computed from their
// bytes and latencies.

#include "fixed-rate-network.h"
#include "model/core/workload/collective-tree.h"
#include "test/core/core-test.h"

#include "ns3/collective-schedule.h"

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

constexpr FixedRateLink ADAPTER{50000, 1};     //!< 400 Gb/s and 1 us
constexpr FixedRateLink SCALE_UP{450000, 0.3}; //!< 3.6 Tb/s and 0.3 us
constexpr double MB = 1e6;
constexpr uint64_t S = 64000000;

/// Gets the time of a collective in microseconds, when no ranks are in one server.
double
GetMicros(const CollectiveScheduleSettings& settings)
{
    const auto plan = MakeCollectivePlan(CollectiveSchedule(settings));
    FixedRateNetwork network(plan, ADAPTER);
    const double micros = network.Run();
    EXPECT_TRUE(network.IsDone());
    return micros;
}

/// Gets the time of a collective in microseconds, with scale-up links between ranks of a server.
double
GetMicrosInServers(const CollectiveScheduleSettings& settings)
{
    const auto plan = MakeCollectivePlan(CollectiveSchedule(settings));
    FixedRateNetwork network(plan, ADAPTER, SCALE_UP, settings.nPerServer);
    const double micros = network.Run();
    EXPECT_TRUE(network.IsDone());
    return micros;
}

CollectiveScheduleSettings
Make(Kind kind, Algorithm algorithm, uint32_t n, uint64_t bytes = S)
{
    CollectiveScheduleSettings settings;
    settings.kind = kind;
    settings.algorithm = algorithm;
    settings.nMembers = n;
    settings.bytes = bytes;
    return settings;
}

/// Gets the time of a double tree of 256 chunks in microseconds, if messages for different
/// receivers take turns.
double
GetMicrosOfTreeInTurns(uint32_t n, uint16_t nSlots)
{
    CollectiveScheduleSettings settings = Make(Kind::ALL_REDUCE, Algorithm::DOUBLE_TREE, n);
    settings.nChunks = 256;
    settings.nSlots = nSlots;
    const auto plan = MakeCollectivePlan(CollectiveSchedule(settings));
    FixedRateNetwork network(plan, ADAPTER);
    network.SetRoundRobin();
    const double micros = network.Run();
    EXPECT_TRUE(network.IsDone());
    return micros;
}

/// Eight servers of eight GPUs.
CollectiveScheduleSettings
Make8x8(Kind kind, Algorithm algorithm)
{
    CollectiveScheduleSettings settings = Make(kind, algorithm, 64);
    settings.nPerServer = 8;
    return settings;
}

uint32_t
GetFloorLog2(uint32_t n)
{
    uint32_t log2 = 0;
    while ((2U << log2) <= n)
    {
        ++log2;
    }
    return log2;
}

TEST(CollectiveTimes, RingAllReduceInChannelsOverOneAdapter)
{
    // 2 (n - 1) S / (n B), and one latency, or one for each step
    CollectiveScheduleSettings settings = Make(Kind::ALL_REDUCE, Algorithm::RING, 8);
    EXPECT_NEAR(GetMicros(settings), 2254, 1e-6);
    for (const uint32_t nChannels : {2, 4, 8})
    {
        settings.nChannels = nChannels;
        EXPECT_NEAR(GetMicros(settings), 2241, 1e-6);
    }
}

TEST(CollectiveTimes, FlatRingOverServersInChannelsByDifferentAdapters)
{
    // 2 (n - 1) S / (n c B) of the adapters, and the latency of the last message; the scale-up
    // links carry less than that: 245 us with 8 channels
    CollectiveScheduleSettings settings = Make8x8(Kind::ALL_REDUCE, Algorithm::RING);
    EXPECT_NEAR(GetMicrosInServers(settings), 2521, 1e-6);
    settings.nChannels = 2;
    EXPECT_NEAR(GetMicrosInServers(settings), 1261, 1e-6);
    settings.nChannels = 8;
    EXPECT_NEAR(GetMicrosInServers(settings), 316, 1e-6);
}

TEST(CollectiveTimes, HierarchicalAllReduceInChunks)
{
    // 2 (g - 1) / g S / N + 2 (s - 1) / s (S / g) / B + 2 (g - 1) alphaN + 2 (s - 1) alphaB. In k
    // chunks, the rails are always busy: k times their time, and a chunk's reduce-scatter before
    // and all-gather behind
    const auto getExpected = [](uint32_t k) {
        const double phase = 7.0 / 8 * 64 * MB / k / 450000 + 7 * 0.3;
        const double rail = 2 * 7.0 / 8 * 8 * MB / k / 50000 + 14;
        return 2 * phase + k * rail;
    };
    EXPECT_NEAR(getExpected(1), 547.09, 0.005);
    EXPECT_NEAR(getExpected(2), 436.64, 0.005);
    EXPECT_NEAR(getExpected(4), 402.42, 0.005);
    EXPECT_NEAR(getExpected(8), 427.31, 0.005);
    for (const uint32_t k : {1, 2, 4, 8})
    {
        CollectiveScheduleSettings settings = Make8x8(Kind::ALL_REDUCE, Algorithm::HIERARCHICAL);
        settings.nChunks = k;
        EXPECT_NEAR(GetMicrosInServers(settings), getExpected(k), 1e-6);
    }
    const auto plan =
        MakeCollectivePlan(CollectiveSchedule(Make8x8(Kind::ALL_REDUCE, Algorithm::HIERARCHICAL)));
    FixedRateNetwork network(plan, ADAPTER, SCALE_UP, 8);
    network.Run();
    for (const auto& sent : network.sent)
    {
        EXPECT_EQ(sent[0], 14000000U); // 2 * 7 / 8 of 8 MB along the rail
        EXPECT_EQ(sent[1], 112000000U);
    }
}

TEST(CollectiveTimes, DoubleBinaryTreeInChunks)
{
    // Times of an independent model of the data flow, for k = 1, 4, 16, 64 and 256 chunks a tree.
    // They depend on the order of messages, so that other orders may take less, but not less than
    // the bounds.
    struct Row
    {
        uint32_t n;
        uint32_t depth;
        std::vector<double> micros;
    };

    const std::vector<Row> rows = {{4, 2, {3844, 2722, 2602, 2572, 2564.5}},
                                   {6, 3, {5766, 3204, 2762, 2722, 2694.5}},
                                   {8, 3, {6406, 3524, 3201, 3201, 3201}},
                                   {12, 4, {8328, 4168, 3402, 3332, 3319.5}}};
    for (const Row& row : rows)
    {
        uint32_t k = 1;
        for (const double micros : row.micros)
        {
            CollectiveScheduleSettings settings =
                Make(Kind::ALL_REDUCE, Algorithm::DOUBLE_TREE, row.n);
            settings.nChunks = k;
            const double found = GetMicros(settings);
            EXPECT_GE(found, 2560); // 2 S / B
            EXPECT_GE(found, 2 * row.depth * (640.0 / k + 1) - 1e-6);
            EXPECT_LE(found, 1.05 * micros) << row.n << " members, " << k << " chunks";
            k *= 4;
        }
    }
}

TEST(CollectiveTimes, DoubleBinaryTreeIsNearItsBoundIfConnectionsTakeTurns)
{
    // As adapters do it: what a member forwards in one tree does not wait behind all that it sends
    // as a leaf of the other one
    for (const uint32_t n : {4, 6, 8, 12, 64})
    {
        const double found = GetMicrosOfTreeInTurns(n, 0);
        EXPECT_GE(found, 2560);
        EXPECT_LE(found, 1.03 * 2560) << n;
    }
}

TEST(CollectiveTimes, SlotsOfADoubleBinaryTreeHoldNothingBack)
{
    // Four messages of 125 kB to each member are 10 us at 50 kB/us, five times the way there and
    // back. Fewer bytes than 2 S a member do not pass, and 3 % are the levels of the trees.
    const double found = GetMicrosOfTreeInTurns(8, 4);
    EXPECT_GE(found, 2560);
    EXPECT_LE(found, 1.03 * 2560);
}

TEST(CollectiveTimes, DoubleBinaryTreeOverServersUsesTheAdaptersOfItsChannels)
{
    // A head sends and receives at most 2 S / c, and a chain carries 2 S up and down at most. The
    // tree of 8 heads takes 3201 us / c at most, as in the table; at worst, the time of the chains
    // is added.
    for (const uint32_t nChannels : {1, 2, 8})
    {
        CollectiveScheduleSettings settings = Make8x8(Kind::ALL_REDUCE, Algorithm::DOUBLE_TREE);
        settings.nChannels = nChannels;
        settings.nChunks = 64;
        const double found = GetMicrosInServers(settings);
        EXPECT_GE(found, 2560.0 / nChannels);
        EXPECT_LE(found, 3201.0 / nChannels + 2 * 64 * MB / 450000);
    }
}

TEST(CollectiveTimes, AllToAllOverServers)
{
    // 56 of 64 parts leave the server: 1120 us and a latency
    EXPECT_NEAR(GetMicrosInServers(Make8x8(Kind::ALL_TO_ALL, Algorithm::DIRECT)), 1121, 1e-6);
    // One after another, each message pays its latency: 7 inside, 56 outside
    EXPECT_NEAR(GetMicrosInServers(Make8x8(Kind::ALL_TO_ALL, Algorithm::PAIRWISE)),
                7 * (1 * MB / 450000 + 0.3) + 56 * 21,
                1e-6);
}

TEST(CollectiveTimes, AllToAllOfUnequalSizes)
{
    // Two servers of two. Member 2 gets 20 MB from the other server: 400 us. Inside of the servers,
    // 8 MB take 17.8 us
    CollectiveScheduleSettings settings = Make(Kind::ALL_TO_ALL, Algorithm::DIRECT, 4);
    settings.nPerServer = 2;
    const uint64_t m = 1000000;
    settings.sizes =
        std::make_shared<const CollectiveSizes>(CollectiveSizes({{0, 8 * m, 4 * m, 2 * m},
                                                                 {1 * m, 0, 16 * m, 1 * m},
                                                                 {2 * m, 2 * m, 0, 8 * m},
                                                                 {4 * m, 0, 2 * m, 0}}));
    settings.bytes = settings.sizes->GetBytes();
    EXPECT_NEAR(GetMicrosInServers(settings), 401, 1e-6);
    settings.algorithm = Algorithm::PAIRWISE;
    EXPECT_GE(GetMicrosInServers(settings), 401 - 1e-6);
    EXPECT_LE(GetMicrosInServers(settings), 410);
}

/// The least and the greatest time of a collective.
struct Bounds
{
    double least;
    double most;
};

/// Computes the time of a collective of S bytes, which all numbers of members divide, in one chunk
/// (a chain: in 4), where each rank has a server of its own (hierarchical: in servers of g).
Bounds
GetExpected(Kind kind, Algorithm algorithm, uint32_t n, double bytes, uint32_t g)
{
    const double all = bytes / ADAPTER.bytesPerMicro;
    const double block = all / n + ADAPTER.latency;
    const uint32_t log2 = GetFloorLog2(n);
    const uint32_t power = 1U << log2;
    const double alpha = ADAPTER.latency;
    double micros = 0;
    switch (algorithm)
    {
    case Algorithm::RING:
        micros = (kind == Kind::ALL_REDUCE ? 2 : 1) * (n - 1) * block;
        break;
    case Algorithm::PAIRWISE:
        micros = (n - 1) * block;
        break;
    case Algorithm::DIRECT:
        micros = (n - 1) * all / n + alpha;
        break;
    case Algorithm::CHAIN:
        micros = (n + 2) * all / 4 + (n - 1) * alpha;
        break;
    case Algorithm::BINOMIAL_TREE:
        micros = (log2 + (n > power ? 1 : 0)) * (all + alpha);
        break;
    case Algorithm::HIERARCHICAL: {
        const uint32_t s = n / g;
        micros = 2 * (g - 1) * (bytes / g / SCALE_UP.bytesPerMicro + SCALE_UP.latency) +
                 2 * (s - 1) * block;
        break;
    }
    case Algorithm::NVLS: // all data goes by the first tree if there is one channel
    case Algorithm::DOUBLE_TREE: {
        // A message up and one down for each level; two at inner nodes, which have two children
        uint32_t depth = 0;
        for (uint32_t node = 0; node < n; ++node)
        {
            uint32_t above = 0;
            const CollectiveDoubleTree trees(n);
            for (uint32_t parent = trees.GetParent(0, node); parent != CollectiveDoubleTree::NONE;
                 parent = trees.GetParent(0, parent))
            {
                ++above;
            }
            depth = std::max(depth, above);
        }
        const double part = algorithm == Algorithm::NVLS ? all : all / 2;
        const double least = 2 * depth * (part + alpha);
        return {least, 2 * least};
    }
    case Algorithm::HALVING_DOUBLING:
    case Algorithm::RECURSIVE_DOUBLING: {
        const bool halves = algorithm == Algorithm::HALVING_DOUBLING;
        const uint32_t nRounds = halves && kind == Kind::ALL_REDUCE ? 2 : 1;
        const double pairs =
            halves ? nRounds * (all * (power - 1) / power + log2 * alpha) : log2 * (all + alpha);
        if (n == power)
        {
            micros = pairs;
            break;
        }
        // A whole buffer before and one behind; members that wait pay up to a latency a step more
        const double folded = pairs + 2 * (all + alpha);
        return {folded, folded + 2 * log2 * alpha};
    }
    }
    return {micros, micros};
}

TEST(CollectiveTimes, EveryCollectiveAt3To512MembersTakesItsComputedTime)
{
    constexpr uint64_t BYTES = 61440000; // a multiple of 512, of 12 and of 4
    const std::vector<Kind> kinds = {Kind::ALL_REDUCE,
                                     Kind::ALL_GATHER,
                                     Kind::REDUCE_SCATTER,
                                     Kind::ALL_TO_ALL,
                                     Kind::BROADCAST};
    for (const uint32_t n : {3, 6, 8, 12, 64, 512})
    {
        for (const Kind kind : kinds)
        {
            for (const Algorithm algorithm : GetCollectiveAlgorithms(kind))
            {
                if (algorithm == Algorithm::HALVING_DOUBLING && kind != Kind::ALL_REDUCE &&
                    (n & (n - 1)) != 0)
                {
                    continue;
                }
                CollectiveScheduleSettings settings = Make(kind, algorithm, n, BYTES);
                settings.nChunks = algorithm == Algorithm::CHAIN ? 4 : 1;
                const bool isHierarchical = algorithm == Algorithm::HIERARCHICAL;
                settings.nPerServer = !isHierarchical ? 1 : n % 8 == 0 ? 8 : 3;
                const double found =
                    isHierarchical ? GetMicrosInServers(settings) : GetMicros(settings);
                const Bounds expected = GetExpected(kind, algorithm, n, BYTES, settings.nPerServer);
                EXPECT_GE(found, expected.least - 1e-4)
                    << GetCollectiveName(kind) << " by " << GetCollectiveAlgorithmName(algorithm)
                    << " of " << n;
                EXPECT_LE(found, expected.most + 1e-4)
                    << GetCollectiveName(kind) << " by " << GetCollectiveAlgorithmName(algorithm)
                    << " of " << n;
            }
        }
    }
}
