// SPDX-License-Identifier: GPL-2.0-only

// Algorithm and bus bandwidth, as NCCL's tests define them.

#include "test/core/core-test.h"

#include "ns3/collective-schedule.h"

using Kind = CollectiveKind;
using Algorithm = CollectiveAlgorithm;

/// The seconds that all bytes need through a link when each member sends in each step the most that
/// anyone does, without headers and latency.
double
GetSerialization(Kind kind, Algorithm algorithm, uint32_t n, double bytesPerSecond)
{
    const CollectiveSchedule schedule(kind, algorithm, n, 64000000);
    uint64_t bytes = 0;
    for (uint32_t step = 0; step < schedule.GetNSteps(0, 0); ++step)
    {
        bytes += schedule.GetStep(0, 0, step).sendBytes; // the root of a broadcast sends in all
    }
    return static_cast<double>(bytes) / bytesPerSecond;
}

TEST(CollectiveBandwidth, IdealRunsHaveTheTableOf64Megabytes)
{
    // Milliseconds at 100 and at 400 Gb/s, steps of ring and halving-doubling, bus factors,
    // algorithm bandwidth of all-reduce at 100 Gb/s in GB/s
    struct Row
    {
        uint32_t n;
        double ring100, ring400, gather100, gather400, doubling100, doubling400;
        uint32_t ringSteps, halvingSteps;
        double reduceFactor, gatherFactor, algorithm;
    };

    const std::vector<Row> rows = {
        {4, 7.680, 1.920, 3.840, 0.960, 10.24, 2.56, 6, 4, 1.5, 0.75, 8.3333},
        {8, 8.960, 2.240, 4.480, 1.120, 15.36, 3.84, 14, 6, 1.75, 0.875, 7.1429},
        {16, 9.600, 2.400, 4.800, 1.200, 20.48, 5.12, 30, 8, 1.875, 0.9375, 6.6667}};
    for (const Row& row : rows)
    {
        for (const bool isFast : {false, true})
        {
            const double rate = isFast ? 50e9 : 12.5e9;
            const double ring = isFast ? row.ring400 : row.ring100;
            const double gather = isFast ? row.gather400 : row.gather100;
            const double doubling = isFast ? row.doubling400 : row.doubling100;
            const auto check = [&](Kind kind, Algorithm algorithm, double milliseconds) {
                const double seconds = GetSerialization(kind, algorithm, row.n, rate);
                EXPECT_NEAR(1e3 * seconds, milliseconds, 1e-9) << row.n;
                return GetCollectiveBandwidth(kind, row.n, 64000000, seconds);
            };
            const auto reduce = check(Kind::ALL_REDUCE, Algorithm::RING, ring);
            EXPECT_NEAR(reduce.algorithm, row.algorithm * 1e9 * (isFast ? 4 : 1), 2e5);
            EXPECT_NEAR(reduce.bus, rate, 1);
            EXPECT_NEAR(check(Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING, ring).bus, rate, 1);
            EXPECT_NEAR(check(Kind::ALL_GATHER, Algorithm::RING, gather).bus, rate, 1);
            EXPECT_NEAR(check(Kind::REDUCE_SCATTER, Algorithm::RING, gather).bus, rate, 1);
            EXPECT_NEAR(check(Kind::ALL_TO_ALL, Algorithm::PAIRWISE, gather).bus, rate, 1);
            check(Kind::ALL_REDUCE, Algorithm::RECURSIVE_DOUBLING, doubling);
            check(Kind::BROADCAST, Algorithm::BINOMIAL_TREE, doubling);
        }
        const auto getSteps = [&row](Algorithm algorithm) {
            return CollectiveSchedule(Kind::ALL_REDUCE, algorithm, row.n, 1).GetNSteps(0, 0);
        };
        EXPECT_EQ(getSteps(Algorithm::RING), row.ringSteps);
        EXPECT_EQ(getSteps(Algorithm::HALVING_DOUBLING), row.halvingSteps);
        EXPECT_DOUBLE_EQ(GetBusFactor(Kind::ALL_REDUCE, row.n), row.reduceFactor);
        EXPECT_DOUBLE_EQ(GetBusFactor(Kind::ALL_GATHER, row.n), row.gatherFactor);
        EXPECT_DOUBLE_EQ(GetBusFactor(Kind::REDUCE_SCATTER, row.n), row.gatherFactor);
        EXPECT_DOUBLE_EQ(GetBusFactor(Kind::ALL_TO_ALL, row.n), row.gatherFactor);
        EXPECT_DOUBLE_EQ(GetBusFactor(Kind::BROADCAST, row.n), 1);
    }
}

TEST(CollectiveBandwidth, AllToAllOfUnequalSizesCountsTheMemberWithMostBytes)
{
    // alltoallv of nccl-tests: the most that a rank sends or receives, here 22 MB to rank 2
    const uint64_t m = 1000000;
    const CollectiveSizes sizes({{0, 8 * m, 4 * m, 2 * m},
                                 {1 * m, 0, 16 * m, 1 * m},
                                 {2 * m, 2 * m, 0, 8 * m},
                                 {4 * m, 0, 2 * m, 0}});
    const auto bandwidth = GetCollectiveBandwidth(Kind::ALL_TO_ALL, 4, sizes.GetBytes(), 400e-6);
    EXPECT_NEAR(bandwidth.algorithm, 55e9, 1);
    EXPECT_NEAR(bandwidth.bus, 41.25e9, 1);
}

TEST(CollectiveBandwidth, HierarchicalAllReduceOf64GpusIsFasterThanAnAdapter)
{
    const auto bandwidth = GetCollectiveBandwidth(Kind::ALL_REDUCE, 64, 64000000, 547.09e-6);
    EXPECT_NEAR(bandwidth.algorithm, 116.98e9, 5e6);
    EXPECT_NEAR(bandwidth.bus, 230.31e9, 5e6);
}
