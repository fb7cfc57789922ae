// SPDX-License-Identifier: GPL-2.0-only

// The loop of loads, reports, decisions and moves, for any number of edges and any way between them
// and the links (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2.1), with fluids for packets.

#include "model/core/pre-ecn/path-share-steering.h"
#include "test/core/core-test.h"

constexpr double CAPACITY = 400e9;
constexpr int64_t STEP = 50'000;        ///< ns
constexpr int64_t INTERVAL = 1'000'000; ///< between reports, ns
constexpr int64_t MEASURE = 500'000;    ///< of a report, ns

/// What a loop is like.
struct Loop
{
    std::size_t nEdges;     ///< edges with a tunnel each
    int64_t delay;          ///< from the edges to the links, and back, ns
    uint32_t nSets;         ///< sets of each edge, of random rates
    double demand{1.6};     ///< of all edges, in capacities of a link
    double others{0};       ///< traffic on the second path that nobody steers, in the same unit
    double gain{1};         ///< of the law
    int64_t longer{0};      ///< by how much the second path is longer, ns, below 0 for shorter
    bool isElephant{false}; ///< whether no set pauses as long as a move would need
    bool isEqual{false};    ///< whether all sets have the same rate
    int64_t start{0};       ///< when the loop begins, ns
};

std::vector<double>
RunLoop(const Loop& loop, int64_t nIntervals)
{
    struct Edge
    {
        PathShareSteering steering;
        SharedTunnel tunnel;
        std::vector<double> rates;
    };

    const std::array<LinkKey, 2> links{LinkKey{1, 1}, LinkKey{2, 1}};
    PathShareLaw::Settings law;
    law.gain = loop.gain;
    FlowSetPaths::Settings when;
    when.gap = loop.isElephant ? 500'000 : STEP / 2;
    when.force = loop.isElephant ? 100'000 : 0;
    const std::array<FlowSetPaths::Path, 2> paths{
        FlowSetPaths::Path{std::max<int64_t>(-loop.longer, 0)},
        FlowSetPaths::Path{std::max<int64_t>(loop.longer, 0)}};
    std::mt19937 random(static_cast<uint32_t>(loop.nEdges + loop.nSets));
    std::uniform_real_distribution<double> rate(0.5, 1.5);
    std::deque<Edge> edges;
    double sum = 0;
    for (uint32_t i = 0; i < loop.nEdges; ++i)
    {
        edges.push_back({{},
                         {{i, 0, 0, 0, 4},
                          FlowSetPaths(loop.nSets),
                          {paths[0], paths[1]},
                          {{links[0]}, {links[1]}},
                          0},
                         std::vector<double>(loop.nSets)});
        edges.back().steering.AddLink(links[0]);
        edges.back().steering.AddLink(links[1]);
        for (auto& one : edges.back().rates)
        {
            one = loop.isEqual ? 1 : rate(random);
            sum += one;
        }
    }
    std::deque<std::array<double, 2>> loads; // by step, as the links see them
    for (int64_t i = 0; i < loop.delay / STEP; ++i)
    {
        loads.push_back({0, loop.others * CAPACITY});
    }
    std::deque<std::pair<int64_t, LinkLoadReport>> underWay;
    std::vector<double> utilizations;
    for (int64_t now = 0; now <= nIntervals * INTERVAL; now += STEP)
    {
        const auto getLoad = [&loads, now](std::size_t path, int64_t time) {
            double load = 0;
            for (int64_t i = (now - time) / STEP; i < now / STEP; ++i)
            {
                load += loads.at(static_cast<std::size_t>(i))[path] * STEP;
            }
            return load / static_cast<double>(time);
        };
        if (now > 0 && now % INTERVAL == 0)
        {
            utilizations.push_back(getLoad(0, INTERVAL) / CAPACITY);
            for (std::size_t path = 0; path < 2; ++path)
            {
                LinkLoadReport report;
                report.device = links[path].first;
                report.port = links[path].second;
                report.time = static_cast<uint64_t>(loop.start + now);
                report.length = MEASURE;
                report.capacity = static_cast<uint64_t>(CAPACITY);
                report.octets = static_cast<uint64_t>(getLoad(path, MEASURE) * MEASURE / 8e9);
                underWay.emplace_back(now + loop.delay, report);
            }
        }
        for (; !underWay.empty() && underWay.front().first <= now; underWay.pop_front())
        {
            for (auto& edge : edges)
            {
                edge.steering.React(law, underWay.front().second, loop.start + now, {&edge.tunnel});
            }
        }
        loads.push_back({0, loop.others * CAPACITY});
        for (auto& edge : edges)
        {
            for (uint32_t set = 0; set < loop.nSets; ++set)
            {
                const double own = loop.demand * CAPACITY * edge.rates[set] / sum;
                const auto bytes = static_cast<uint32_t>(own * STEP / 8e9);
                auto& tunnel = edge.tunnel;
                const auto choice =
                    tunnel.sets.Choose(when, loop.start + now, set, bytes, tunnel.paths);
                loads.back()[choice.path] += own;
                if (choice.path != choice.before)
                {
                    edge.steering.NoteMove(tunnel, choice.before, choice.path, loop.start + now);
                }
            }
        }
    }
    return utilizations;
}

TEST(PathShareSteering, LoadIsHalvedWithinTwoIntervalsAndDoesNotSwing)
{
    for (const std::size_t nEdges : {1, 2, 3, 8})
    {
        for (const int64_t delay : {0, 100'000, 200'000, 1'000'000, 5'000'000, 20'000'000})
        {
            Loop loop{nEdges, delay, 64};
            // The load is at the link a delay after the beginning; two intervals; the reaction's
            // way
            const auto settled = static_cast<std::size_t>((delay + INTERVAL - 1) / INTERVAL + 2 +
                                                          2 * delay / INTERVAL);
            const auto seen = RunLoop(loop, static_cast<int64_t>(settled) + 21);
            EXPECT_NEAR(*std::max_element(seen.begin(), seen.end()), 1.6, .81)
                << "all is on the first path";
            for (std::size_t i = settled; i < settled + 20; ++i)
            {
                EXPECT_NEAR(seen[i], 0.8, 0.05) << nEdges << " edges, " << delay << " ns, " << i;
            }
        }
    }
}

TEST(PathShareSteering, OthersLoadIsApproachedWithoutASwing)
{
    // Level (1.2 + 0.4) / 2 = 0.8: the part that moves at a decision is of the own load.
    for (const std::size_t nEdges : {1, 3})
    {
        Loop loop{nEdges, 100'000, 64, 1.2, 0.4};
        const auto seen = RunLoop(loop, 40);
        for (std::size_t i = 3; i < seen.size(); ++i)
        {
            EXPECT_NEAR(seen[i], 0.8, 0.05) << i;
        }
    }
}

TEST(PathShareSteering, ElephantsOfEdgesGoApart)
{
    // One set an edge: rounded down, nothing would move, rounded up, all would.
    for (const std::size_t nEdges : {2, 4, 8})
    {
        Loop loop{nEdges, 100'000, 1, 1.2};
        const auto seen = RunLoop(loop, 120);
        const double largest = 1.5 / 0.5 * 1.2 / static_cast<double>(nEdges); // of any set
        EXPECT_LT(std::abs(seen.back() - 0.6), largest / 2 + 0.05) << nEdges;
        for (std::size_t i = seen.size() - 20; i < seen.size(); ++i)
        {
            EXPECT_NEAR(seen[i], seen.back(), 1e-9) << "they stay";
        }
    }
}

/// Equal elephants of four PEs, two for each path, however the chances fall: at ten start times.
/// Each decision leaves them apart with a probability of 3/8 or more, and takes up to three
/// intervals, so that more than 20 intervals need a chance of (5/8)^7 = 4 %. The mean is the time
/// of 3 decisions.
TEST(PathShareSteering, FourElephantsOfFourEdges)
{
    double sum = 0;
    for (int64_t start = 1; start <= 10; ++start)
    {
        Loop loop{4, 100'000, 1, 1.6};
        loop.isElephant = true;
        loop.isEqual = true;
        loop.start = start * 37 * INTERVAL;
        const auto seen = RunLoop(loop, 120);
        EXPECT_NEAR(seen.back(), 0.8, 1e-3) << "two are on each path";
        std::size_t settled = seen.size();
        while (settled > 0 && std::abs(seen[settled - 1] - seen.back()) < 1e-9)
        {
            --settled;
        }
        EXPECT_LE(settled, 20U) << "start " << start;
        sum += static_cast<double>(settled);
    }
    EXPECT_LE(sum / 10, 9) << "intervals";
}

/// Many elephants: to a longer path the share moves within two intervals, to a shorter one after
/// twice the difference more.
TEST(PathShareSteering, ElephantsHalveTheLoadInBothDirections)
{
    for (const std::size_t nEdges : {1, 2, 8})
    {
        for (const int64_t delay : {1'000'000, 5'000'000, 20'000'000})
        {
            for (const int direction : {1, -1})
            {
                Loop loop{nEdges, delay, 64};
                const int64_t difference = std::max<int64_t>(delay / 5, 600'000);
                loop.longer = direction * difference;
                loop.isElephant = true;
                const int64_t wait = direction > 0 ? 0 : 2 * difference;
                const auto settled =
                    static_cast<std::size_t>((3 * delay + wait + INTERVAL - 1) / INTERVAL + 2);
                const auto seen = RunLoop(loop, static_cast<int64_t>(settled) + 21);
                for (std::size_t i = settled; i < settled + 20; ++i)
                {
                    EXPECT_NEAR(seen[i], 0.8, 0.05)
                        << nEdges << " edges, " << loop.longer << " ns longer, " << i;
                }
            }
        }
    }
}

/// Elephants between paths whose delays differ by a fifth, more than the gap, either of which may
/// be the shorter one. A set that has to return to the shorter path waits for twice the difference.
/// In the end no move would make the difference of loads smaller by half, and none comes.
TEST(PathShareSteering, ElephantsReturnToAShorterPath)
{
    for (const auto& [nEdges, nSets] :
         std::vector<std::pair<std::size_t, uint32_t>>{{1, 2}, {2, 1}, {2, 2}, {3, 4}, {8, 1}})
    {
        for (const int64_t delay : {1'000'000, 5'000'000, 10'000'000, 20'000'000})
        {
            for (const int direction : {1, -1})
            {
                Loop loop{nEdges, delay, nSets, 1.2};
                loop.longer = direction * std::max<int64_t>(delay / 5, 600'000);
                loop.isElephant = true;
                const auto nIntervals = 120 + 40 * 4 * delay / INTERVAL;
                const auto seen = RunLoop(loop, nIntervals);
                const double largest = 1.5 / 0.5 * 1.2 / static_cast<double>(nEdges * nSets);
                EXPECT_LT(std::abs(seen.back() - 0.6), std::min(largest / 2, 0.5) + 0.05)
                    << nEdges << " edges, " << nSets << " sets, " << loop.longer << " ns longer";
                for (std::size_t i = seen.size() - 20; i < seen.size(); ++i)
                {
                    EXPECT_NEAR(seen[i], seen.back(), 1e-9) << "they stay";
                }
            }
        }
    }
}

TEST(PathShareSteering, ReportsOfOtherLinksAreUnknown)
{
    PathShareSteering steering;
    steering.AddLink({1, 1});
    LinkLoadReport report;
    report.device = 1;
    report.port = 2;
    EXPECT_FALSE(steering.React({}, report, 0, {}).has_value());
    report.port = 1;
    EXPECT_EQ(steering.React({}, report, 0, {}), 0U);
}
