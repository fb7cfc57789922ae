// SPDX-License-Identifier: GPL-2.0-only

// The share of a tunnel's traffic that moves from path to path (draft-hu-rtgwg-pre-ecn-wan-01,
// section 3.2.2.1). Expected values are from the linear loop s' = s - k (u1 - u2) / 2, where s is
// the share of path 1 and u are utilizations: with two equal paths of capacity C and a demand of
// 2 U C its eigenvalue is 1 - 2 k U.

#include "model/core/pre-ecn/path-share-steering.h"
#include "test/core/core-test.h"

/// All that is moved, however small the difference.
PathShareLaw::Settings
MakeSettings(double gain)
{
    PathShareLaw::Settings settings;
    settings.gain = gain;
    settings.deadBand = 0;
    settings.leastLoad = 0;
    return settings;
}

/// Paths, edges that use them, and traffic that nobody steers.
struct Wan
{
    std::vector<double> capacity;           ///< by path
    std::vector<double> others;             ///< by path, traffic that nobody steers
    std::vector<std::vector<double>> edges; ///< by edge and path, its traffic
    PathShareLaw::Settings settings{MakeSettings(1)};

    double GetLoad(std::size_t path) const
    {
        double load = others[path];
        for (const auto& edge : edges)
        {
            load += edge[path];
        }
        return load;
    }

    double GetUtilization(std::size_t path) const
    {
        return GetLoad(path) / capacity[path];
    }

    std::vector<PathLoad> See(std::size_t edge) const
    {
        std::vector<PathLoad> paths;
        for (std::size_t i = 0; i < capacity.size(); ++i)
        {
            paths.push_back({capacity[i], GetLoad(i), edges[edge][i], true});
        }
        return paths;
    }

    /// Move what a decision says. It may be of an earlier time.
    void Apply(std::size_t edge, const std::vector<PathShift>& shifts)
    {
        for (const auto& shift : shifts)
        {
            const double amount = std::min(shift.amount, edges[edge][shift.from]);
            edges[edge][shift.from] -= amount;
            edges[edge][shift.to] += amount;
        }
    }

    /// All edges act at once.
    void Act()
    {
        std::vector<std::vector<PathShift>> decisions;
        for (std::size_t edge = 0; edge < edges.size(); ++edge)
        {
            decisions.push_back(PathShareLaw::Decide(settings, See(edge)));
        }
        for (std::size_t edge = 0; edge < edges.size(); ++edge)
        {
            Apply(edge, decisions[edge]);
        }
    }
};

TEST(PathShareLaw, EigenvalueIsThatOfTheLinearLoop)
{
    for (const double load : {.4, .5, .6, .8, .95})
    {
        for (const double k : {.1, .25, .5})
        {
            const double demand = 2 * load * 100;
            Wan wan{{100, 100}, {0, 0}, {{.9 * demand, .1 * demand}}};
            wan.settings = MakeSettings(2 * k * load);
            double share = .9;
            for (int i = 0; i < 10; ++i)
            {
                wan.Act();
                share -= k * (2 * load * share - 2 * load * (1 - share)) / 2;
                EXPECT_NEAR(wan.edges[0][0] / demand, share, 1e-12) << load << " " << k;
            }
        }
    }
}

TEST(PathShareLaw, GainOneBalancesAtOnceForAnyNumberOfEdges)
{
    for (const std::size_t n : {1, 2, 3, 8})
    {
        for (const double load : {.55, .6, .8, .95, 1.6})
        {
            const double demand = 200 * load / static_cast<double>(n);
            Wan wan{{100, 100}, {0, 0}, std::vector<std::vector<double>>(n, {demand, 0})};
            for (int i = 0; i < 20; ++i)
            {
                wan.Act();
                EXPECT_NEAR(wan.GetUtilization(0), load, 1e-9) << n << " " << i;
                EXPECT_NEAR(wan.GetUtilization(1), load, 1e-9) << n << " " << i;
            }
        }
    }
}

TEST(PathShareLaw, FixedPointIsEqualUtilization)
{
    // Capacities (100, 100), others (20, 60), own 100: u = .9, shares .7 and .3
    Wan equal{{100, 100}, {20, 60}, {{100, 0}}};
    // (400, 100), (100, 0), 200: u = 300 / 500, shares .7 and .3
    Wan unequal{{400, 100}, {100, 0}, {{0, 200}}};
    for (int i = 0; i < 40; ++i)
    {
        const double before = equal.edges[0][0];
        equal.Act();
        unequal.Act();
        EXPECT_LE(equal.edges[0][0], before + 1e-9) << "it does not swing";
    }
    EXPECT_NEAR(equal.edges[0][0], 70, 1e-6);
    EXPECT_NEAR(equal.edges[0][1], 30, 1e-6);
    EXPECT_NEAR(equal.GetUtilization(0), .9, 1e-8);
    EXPECT_NEAR(unequal.edges[0][0], 140, 1e-6);
    EXPECT_NEAR(unequal.edges[0][1], 60, 1e-6);
    EXPECT_NEAR(unequal.GetUtilization(1), .6, 1e-8);
}

TEST(PathShareLaw, LeavesAPathThatOthersFill)
{
    Wan wan{{100, 100}, {150, 0}, {{40, 0}}};
    for (int i = 0; i < 40; ++i)
    {
        const double before = wan.edges[0][0];
        wan.Act();
        EXPECT_LE(wan.edges[0][0], before);
    }
    EXPECT_NEAR(wan.edges[0][0], 0, 1e-6);
}

TEST(PathShareLaw, PathThatItCannotChangeIsLeftOut)
{
    // With the path of 250 the level were 123, and 120 on a path of 100 would look like little.
    Wan wan{{100, 100, 100}, {250, 0, 0}, {{0, 120, 0}}};
    wan.Act();
    EXPECT_NEAR(wan.edges[0][1], 60, 1e-9);
    EXPECT_NEAR(wan.edges[0][2], 60, 1e-9);
    std::vector<bool> isPart;
    EXPECT_NEAR(PathShareLaw::ComputeLevel(wan.See(0), isPart), .6, 1e-12);
    EXPECT_EQ(isPart, (std::vector<bool>{false, true, true}));
}

TEST(PathShareLaw, PathAtTheLevelMovesNothingWhateverTheRounding)
{
    // The first path's utilization exceeds the level by a rounding error, its load does not.
    const std::vector<PathLoad> paths{{37400000000.0, 68772727272.7273, 16887533563.482935},
                                      {74300000000.0, 128119657064.33983, 56311837620.31161},
                                      {9300000000.0, 25607615662.93291, 628816.2}};
    std::vector<bool> isPart;
    const double level = PathShareLaw::ComputeLevel(paths, isPart);
    ASSERT_GT(paths[0].load / paths[0].capacity, level);
    ASSERT_EQ(paths[0].load - level * paths[0].capacity, 0);
    for (const auto& shift : PathShareLaw::Decide(MakeSettings(0.8), paths))
    {
        EXPECT_EQ(shift.from, 2U);
    }
}

TEST(PathShareLaw, PathThatIsDownGetsNothing)
{
    auto paths = Wan{{100, 100, 100}, {0, 0, 0}, {{120, 0, 0}}}.See(0);
    paths[1].isUp = false;
    const auto shifts = PathShareLaw::Decide(MakeSettings(1), paths);
    ASSERT_EQ(shifts.size(), 1U);
    EXPECT_EQ(shifts[0].to, 2U);
    EXPECT_NEAR(shifts[0].amount, 60, 1e-9);
    EXPECT_NEAR(shifts[0].excess, 60, 1e-9);
}

TEST(PathShareLaw, NothingMovesWithinTheDeadBandOrBelowTheLeastLoad)
{
    PathShareLaw::Settings settings = MakeSettings(1);
    settings.deadBand = .1;
    settings.leastLoad = .5;
    const auto decide = [&settings](double first, double second) {
        return PathShareLaw::Decide(settings,
                                    {{100, first, first, true}, {100, second, second, true}});
    };
    EXPECT_TRUE(decide(90, 81).empty());
    EXPECT_FALSE(decide(90, 79).empty());
    EXPECT_TRUE(decide(49, 0).empty());
    EXPECT_FALSE(decide(51, 0).empty());
    EXPECT_TRUE(decide(0, 0).empty());
    EXPECT_TRUE(PathShareLaw::Decide(settings, {}).empty());
}

/// Runs a loop whose decisions come one decision late.
std::vector<double>
RunLate(double gain, std::size_t nEdges)
{
    const double demand = 160 / static_cast<double>(nEdges);
    Wan wan{{100, 100},
            {0, 0},
            std::vector<std::vector<double>>(nEdges, {.6 * demand, .4 * demand})};
    wan.settings = MakeSettings(gain);
    std::deque<Wan> history{wan, wan};
    std::vector<double> shares;
    for (int i = 0; i < 60; ++i)
    {
        const Wan seen = history.front();
        history.pop_front();
        for (std::size_t edge = 0; edge < nEdges; ++edge)
        {
            wan.Apply(edge, PathShareLaw::Decide(wan.settings, seen.See(edge)));
        }
        history.push_back(wan);
        shares.push_back(wan.GetLoad(0) / 160);
    }
    return shares;
}

TEST(PathShareLaw, DecisionsThatComeLateAreStableBelowOneAndDoNotSwingUpToAQuarter)
{
    for (const std::size_t n : {1, 2, 8})
    {
        for (const double gain : {.1, .25})
        {
            const auto shares = RunLate(gain, n);
            EXPECT_TRUE(std::is_sorted(shares.rbegin(), shares.rend())) << gain;
            EXPECT_GE(shares.back(), .5 - 1e-12) << gain;
        }
        // The roots of z^2 - z + g have the modulus sqrt(g).
        for (const double gain : {.5, .8})
        {
            const auto shares = RunLate(gain, n);
            EXPECT_LT(*std::min_element(shares.begin(), shares.end()), .5 - 1e-4) << gain;
            EXPECT_LT(std::abs(shares.back() - .5), .3 * std::pow(gain, 30)) << gain;
        }
        // z^6 = 1: .6 .6 .5 .4 .4 .5, from the first decision on .5
        const auto shares = RunLate(1, n);
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            const double ring[] = {.5, .4, .4, .5, .6, .6};
            EXPECT_NEAR(shares[i], ring[i % 6], 1e-9) << i;
        }
    }
}

/// A path's load, all of it steered by some edges.
rc::Gen<std::vector<double>>
GenLoads(std::size_t n)
{
    return rc::gen::container<std::vector<double>>(
        n,
        rc::gen::map(rc::gen::inRange(1, 1000), [](int value) { return value * 1e8; }));
}

RC_GTEST_PROP(PathShareLaw, NeverMoreThanTheLawAllows, ())
{
    const auto n = DrawInRange<std::size_t>(2, 6);
    const auto nEdges = DrawInRange<std::size_t>(1, 5);
    Wan wan;
    wan.capacity = *GenLoads(n);
    wan.others = *GenLoads(n);
    for (std::size_t edge = 0; edge < nEdges; ++edge)
    {
        wan.edges.push_back(*GenLoads(n));
    }
    const double gain = DrawInRange(1, 11) / 10.0;
    wan.settings = MakeSettings(gain);
    wan.settings.deadBand = DrawInRange(0, 5) / 10.0;
    for (int round = 0; round < 30; ++round)
    {
        std::vector<bool> isPart;
        const double level = PathShareLaw::ComputeLevel(wan.See(0), isPart);
        const Wan before = wan;
        double most = 0;
        double least = 1e9;
        for (std::size_t i = 0; i < n; ++i)
        {
            most = std::max(most, wan.GetUtilization(i));
            least = std::min(least, wan.GetUtilization(i));
        }
        for (std::size_t edge = 0; edge < nEdges; ++edge)
        {
            std::vector<double> moved(n, 0);
            for (const auto& shift : PathShareLaw::Decide(wan.settings, wan.See(edge)))
            {
                RC_ASSERT(shift.amount > 0);
                moved[shift.from] += shift.amount;
            }
            for (std::size_t i = 0; i < n; ++i)
            {
                const double excess = std::max(0.0, wan.GetLoad(i) - level * wan.capacity[i]);
                const double allowed = gain * wan.edges[edge][i] * excess / wan.GetLoad(i);
                RC_ASSERT(moved[i] <= allowed * (1 + 1e-9) + 1);
            }
        }
        wan.Act();
        for (std::size_t i = 0; i < n; ++i)
        {
            // Nobody gets across the level, so the difference only shrinks.
            const double was = before.GetUtilization(i) - level;
            const double is = wan.GetUtilization(i) - level;
            RC_ASSERT(std::abs(is) <= std::abs(was) + 1e-6);
            RC_ASSERT(was * is >= -1e-6);
        }
        for (std::size_t edge = 0; edge < nEdges; ++edge)
        {
            const double all = std::accumulate(wan.edges[edge].begin(), wan.edges[edge].end(), 0.0);
            const double old =
                std::accumulate(before.edges[edge].begin(), before.edges[edge].end(), 0.0);
            RC_ASSERT(std::abs(all / old - 1) < 1e-9);
            RC_ASSERT(most - least > wan.settings.deadBand ||
                      wan.edges[edge] == before.edges[edge]);
        }
    }
}
