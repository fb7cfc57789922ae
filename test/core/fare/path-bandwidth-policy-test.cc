// SPDX-License-Identifier: GPL-2.0-only

// Weights from path bandwidths: draft-xu-idr-fare, section "Solution Description". Expected weights
// are computed by hand from the rates of the links: 12.5 GB/s are 100 Gbit/s.

#include "model/core/fare/path-bandwidth-policy.h"
#include "test/core/core-test.h"

using Weights = std::vector<double>;

constexpr auto LEAF = PathBandwidthTier::LEAF;
constexpr auto SPINE = PathBandwidthTier::SPINE;
constexpr auto SUPER_SPINE = PathBandwidthTier::SUPER_SPINE;
constexpr auto EDGE = PathBandwidthTier::EDGE;
constexpr double GB = 1e9;
constexpr double MAX = MAX_PATH_BANDWIDTH / GB;
constexpr double NO = -1; // no such community

/// A route by its link in Gbit/s, and what it has come with in GB/s.
PathBandwidthRoute
Route(uint32_t advertiser,
      PathBandwidthTier from,
      double link,
      double transitive,
      double nonTransitive = NO)
{
    PathBandwidthRoute route;
    route.advertiser = advertiser;
    route.from = from;
    route.linkBandwidth = link * GB / 8;
    if (transitive != NO)
    {
        route.received.transitive = transitive * GB;
    }
    if (nonTransitive != NO)
    {
        route.received.nonTransitive = nonTransitive * GB;
    }
    return route;
}

/// Weights in GB/s.
Weights
InGigabytes(Weights weights)
{
    for (double& weight : weights)
    {
        weight /= GB;
    }
    return weights;
}

/// A node's routes, and what the draft makes of them.
struct Case
{
    std::string name;                       //!< what it is about
    PathBandwidthTier tier;                 //!< the node
    std::vector<PathBandwidthRoute> routes; //!< its routes
    Weights weights;                        //!< in GB/s
    std::optional<double> transitive;       //!< advertised again, in GB/s; none: as received
    bool keepsTransitive{false};            //!< as received
};

/// Check cases of nodes that attach no non-transitive bandwidth.
void
Check(const std::vector<Case>& cases)
{
    for (const Case& row : cases)
    {
        SCOPED_TRACE(row.name);
        const PathBandwidthOutcome outcome = WeighPathBandwidths({row.tier, false}, row.routes);
        EXPECT_EQ(InGigabytes(outcome.weights), row.weights);
        EXPECT_EQ(outcome.advertised.keepsTransitive, row.keepsTransitive);
        EXPECT_FALSE(outcome.advertised.nonTransitive);
        EXPECT_EQ(outcome.advertised.transitive.has_value(), row.transitive.has_value());
        if (row.transitive)
        {
            EXPECT_EQ(outcome.advertised.transitive.value_or(0) / GB, *row.transitive);
        }
    }
}

TEST(PathBandwidthPolicy, Section41ThreeStagesALeafOriginatesTheMaximum)
{
    BandwidthFormat format;
    format.routerId = 0x0a000001;
    std::vector<BgpExtendedCommunity> communities;
    ChangeBandwidths(OriginatePathBandwidth(), format, communities);
    EXPECT_EQ(communities, (std::vector<BgpExtendedCommunity>{{0x01060a0000017bff}}));
}

TEST(PathBandwidthPolicy, Section41ThreeStagesSpine)
{
    Check({
        {"S1, from L1", SPINE, {Route(1, LEAF, 100, MAX)}, {12.5}, 12.5},
        {"S1, from L1, which advertises less", SPINE, {Route(1, LEAF, 100, 5)}, {5}, 5},
        {"S1, hosts at L1 and L2",
         SPINE,
         {Route(1, LEAF, 100, MAX), Route(2, LEAF, 400, MAX)},
         {12.5, 50},
         62.5},
        {"S1, two links to L1",
         SPINE,
         {Route(1, LEAF, 100, MAX), Route(1, LEAF, 100, MAX)},
         {12.5, 12.5},
         25},
        {"S1, two links to L1, which advertises less",
         SPINE,
         {Route(1, LEAF, 100, 12.5), Route(1, LEAF, 100, 12.5)},
         {6.25, 6.25},
         12.5},
        {"S1, hosts at L1 and L2, two links to L2",
         SPINE,
         {Route(1, LEAF, 100, MAX), Route(2, LEAF, 100, MAX), Route(2, LEAF, 200, MAX)},
         {12.5, 12.5, 25},
         50},
        {"S1, the link to L1 has nothing left",
         SPINE,
         {Route(1, LEAF, 0, MAX), Route(2, LEAF, 100, MAX)},
         {0, 12.5},
         12.5},
        {"S1, nothing left at all", SPINE, {Route(1, LEAF, 0, MAX)}, {}, 0},
    });
}

TEST(PathBandwidthPolicy, Section41ThreeStagesLeaf)
{
    Check({
        {"L8, links of several rates, hosts at L1 and L2",
         LEAF,
         {Route(1, SPINE, 100, 62.5),
          Route(2, SPINE, 100, 62.5),
          Route(3, SPINE, 200, 62.5),
          Route(4, SPINE, 400, 62.5)},
         {12.5, 12.5, 25, 50},
         100},
        {"L8, the link of S1 to L1 has half the rate",
         LEAF,
         {Route(1, SPINE, 100, 6.25),
          Route(2, SPINE, 100, 12.5),
          Route(3, SPINE, 100, 12.5),
          Route(4, SPINE, 100, 12.5)},
         {6.25, 12.5, 12.5, 12.5},
         43.75},
        {"L8, two links to S1 that nothing behind limits",
         LEAF,
         {Route(1, SPINE, 100, 25), Route(1, SPINE, 100, 25), Route(2, SPINE, 100, 12.5)},
         {12.5, 12.5, 12.5},
         37.5},
        {"L8, two links to S1, whose link to L1 is one",
         LEAF,
         {Route(1, SPINE, 100, 12.5), Route(1, SPINE, 100, 12.5), Route(2, SPINE, 100, 12.5)},
         {6.25, 6.25, 12.5},
         25},
        {"L8, links of 100 and 300 to S1, which advertises 25 GB/s",
         LEAF,
         {Route(1, SPINE, 100, 25), Route(1, SPINE, 300, 25)},
         {6.25, 18.75},
         25},
    });
}

TEST(PathBandwidthPolicy, Section41WithoutTheCommunityInAllRoutesEcmpIsPlain)
{
    Check({
        {"L8, one of them lacks it",
         LEAF,
         {Route(1, SPINE, 100, 12.5), Route(2, SPINE, 100, NO), Route(3, SPINE, 100, 12.5)},
         {},
         {}},
        {"L8, one has only the other one",
         LEAF,
         {Route(1, SPINE, 100, 12.5), Route(2, SPINE, 100, NO, 12.5)},
         {},
         {}},
        {"S1, all lack it", SPINE, {Route(1, LEAF, 100, NO)}, {}, {}},
        {"S1 in PoD-8, one lacks the non-transitive one",
         SPINE,
         {Route(1, SUPER_SPINE, 400, 12.5, 50), Route(2, SUPER_SPINE, 400, 12.5)},
         {},
         {},
         true},
        {"no routes", SPINE, {}, {}, {}},
    });
}

TEST(PathBandwidthPolicy, Section42FiveStagesSpineOfTheOriginsPod)
{
    Check({
        {"S1 in PoD-1, from L1", SPINE, {Route(1, LEAF, 100, MAX)}, {12.5}, 12.5},
        {"S1 in PoD-1, hosts at L1 and L2",
         SPINE,
         {Route(1, LEAF, 100, MAX), Route(2, LEAF, 400, MAX)},
         {12.5, 50},
         62.5},
    });
}

TEST(PathBandwidthPolicy, Section42FiveStagesSuperSpine)
{
    const std::vector<PathBandwidthRoute> one{Route(1, SPINE, 400, 62.5)};
    const std::vector<PathBandwidthRoute> two{Route(1, SPINE, 400, 62.5),
                                              Route(1, SPINE, 200, 62.5)};
    Check({{"SS1 in Plane-1, from S1 in PoD-1", SUPER_SPINE, one, {50}, {}, true},
           {"SS1, two links to S1", SUPER_SPINE, two, {125.0 / 3, 62.5 / 3}, {}, true}});
    const BandwidthChange oneLink = WeighPathBandwidths({SUPER_SPINE, true}, one).advertised;
    EXPECT_TRUE(oneLink.keepsTransitive);
    EXPECT_EQ(oneLink.nonTransitive, 50 * GB);
    EXPECT_EQ(WeighPathBandwidths({SUPER_SPINE, true}, two).advertised.nonTransitive, 75 * GB);
    // It leaves a route without the transitive one as it is, too.
    const auto none = WeighPathBandwidths({SUPER_SPINE, true}, {Route(1, SPINE, 400, NO)});
    EXPECT_TRUE(none.advertised.keepsTransitive);
    EXPECT_EQ(none.advertised.nonTransitive, 50 * GB);
}

TEST(PathBandwidthPolicy, Section42FiveStagesRemoteSpine)
{
    Check({
        {"S1 in PoD-8, from SS1 to SS4",
         SPINE,
         {Route(1, SUPER_SPINE, 100, 62.5, 50),
          Route(2, SUPER_SPINE, 200, 62.5, 50),
          Route(3, SUPER_SPINE, 400, 62.5, 25),
          Route(4, SUPER_SPINE, 400, 62.5, 12.5)},
         {12.5, 25, 25, 12.5},
         {},
         true},
        {"S1 in PoD-8, two links to SS1",
         SPINE,
         {Route(1, SUPER_SPINE, 400, 62.5, 50),
          Route(1, SUPER_SPINE, 400, 62.5, 50),
          Route(2, SUPER_SPINE, 400, 62.5, 50)},
         {25, 25, 50},
         {},
         true},
    });
}

TEST(PathBandwidthPolicy, Section42FiveStagesLeafOfAnotherPod)
{
    Check({{"L8 in PoD-8, from S1 to S4",
            LEAF,
            {Route(1, SPINE, 100, 62.5),
             Route(2, SPINE, 100, 12.5),
             Route(3, SPINE, 100, 6.25),
             Route(4, SPINE, 400, 25)},
            {12.5, 12.5, 6.25, 25},
            56.25},
           {"a leaf that has links to super-spines, which the draft has not",
            LEAF,
            {Route(1, SUPER_SPINE, 400, 12.5, 50), Route(2, SUPER_SPINE, 400, 25, 50)},
            {12.5, 25},
            37.5}});
}

TEST(PathBandwidthPolicy, FiveStagesEdge)
{
    Check({
        {"an edge, from SS1 to SS3: its link, that of spine and leaf, or that of SS3 is slowest",
         EDGE,
         {Route(1, SUPER_SPINE, 50, 12.5, 50),
          Route(2, SUPER_SPINE, 400, 12.5, 50),
          Route(3, SUPER_SPINE, 400, 12.5, 10)},
         {6.25, 12.5, 10},
         28.75},
        {"an edge, from super-spines that attach nothing",
         EDGE,
         {Route(1, SUPER_SPINE, 400, 12.5), Route(2, SUPER_SPINE, 400, 25)},
         {12.5, 25},
         37.5},
        {"an edge, one lacks the transitive one",
         EDGE,
         {Route(1, SUPER_SPINE, 400, 12.5, 50), Route(2, SUPER_SPINE, 400, NO, 50)},
         {},
         {}},
        {"an edge, from two edges at the ends of tunnels",
         EDGE,
         {Route(1, EDGE, 400, 37.5), Route(2, EDGE, 400, 100)},
         {37.5, 50},
         87.5},
        {"SS1, from two edges",
         SUPER_SPINE,
         {Route(1, EDGE, 400, MAX), Route(2, EDGE, 100, MAX)},
         {50, 12.5},
         {},
         true},
    });
    const auto toSpines = WeighPathBandwidths({SUPER_SPINE, true},
                                              {Route(1, EDGE, 400, MAX), Route(2, EDGE, 100, MAX)});
    EXPECT_EQ(toSpines.advertised.nonTransitive, 62.5 * GB);
}

TEST(PathBandwidthPolicy, ThreeStagesEdge)
{
    Check({
        {"an edge, from S1 and S2",
         EDGE,
         {Route(1, SPINE, 400, 12.5), Route(2, SPINE, 100, 25)},
         {12.5, 12.5},
         25},
        {"S1, from two edges",
         SPINE,
         {Route(1, EDGE, 50, MAX), Route(2, EDGE, 100, MAX)},
         {6.25, 12.5},
         18.75},
    });
}

TEST(PathBandwidthPolicy, Section42FiveStagesFromLeafToLeafByCommunities)
{
    // L1, S1 (100 Gbit/s from L1), SS1 (400 from S1), S1 of the other PoD (200 from SS1), leaf
    using Communities = std::vector<BgpExtendedCommunity>;
    BandwidthFormat format;
    Communities communities{{0x0002fde900000007}};
    const auto advance =
        [&](uint32_t id, PathBandwidthTier tier, PathBandwidthTier from, double link) {
            PathBandwidthRoute route = Route(format.routerId, from, link, NO);
            route.received = DecodeBandwidths(communities).path;
            const PathBandwidthOutcome outcome = WeighPathBandwidths({tier, true}, {route});
            format.routerId = id;
            ChangeBandwidths(outcome.advertised, format, communities);
            return InGigabytes(outcome.weights);
        };
    format.routerId = 0x0a000001;
    ChangeBandwidths(OriginatePathBandwidth(), format, communities);
    EXPECT_EQ(advance(0x0a000002, SPINE, LEAF, 100), Weights{12.5});
    EXPECT_EQ(communities, (Communities{{0x0002fde900000007}, {0x01060a0000024a40}}));
    EXPECT_EQ(advance(0x0a000003, SUPER_SPINE, SPINE, 400), Weights{12.5});
    EXPECT_EQ(communities,
              (Communities{{0x0002fde900000007}, {0x01060a0000024a40}, {0x41060a0000035240}}));
    EXPECT_EQ(advance(0x0a000004, SPINE, SUPER_SPINE, 200), Weights{25});
    EXPECT_EQ(communities, (Communities{{0x0002fde900000007}, {0x01060a0000024a40}}));
    EXPECT_EQ(advance(0x0a000005, LEAF, SPINE, 400), Weights{12.5});
}

/// Draw routes from several nodes over several links, all with bandwidths.
std::vector<PathBandwidthRoute>
DrawRoutes()
{
    std::vector<PathBandwidthRoute> routes(DrawInRange<std::size_t>(1, 9));
    for (PathBandwidthRoute& route : routes)
    {
        route.advertiser = DrawInRange<uint32_t>(0, 5);
        route.from = SPINE;
        route.linkBandwidth = DrawElement({0.0, 12.5, 25.0, 50.0, 100.0});
        route.received.transitive = DrawElement({0.0, 6.25, 12.5, 50.0, 65504.0});
    }
    return routes;
}

double
Sum(const Weights& weights)
{
    return std::accumulate(weights.begin(), weights.end(), 0.0);
}

RC_GTEST_PROP(PathBandwidthPolicy, WeightsAddUpToWhatIsAdvertised, ())
{
    const auto routes = DrawRoutes();
    const PathBandwidthOutcome outcome = WeighPathBandwidths({LEAF, false}, routes);
    RC_ASSERT(outcome.advertised.transitive.has_value());
    RC_ASSERT(std::fabs(Sum(outcome.weights) - *outcome.advertised.transitive) < 1e-9);
    for (std::size_t i = 0; i < outcome.weights.size(); ++i)
    {
        RC_ASSERT(outcome.weights[i] <= routes[i].linkBandwidth + 1e-9);
        RC_ASSERT(outcome.weights[i] <= *routes[i].received.transitive);
    }
}

RC_GTEST_PROP(PathBandwidthPolicy, TheOrderOfRoutesMakesNoDifference, ())
{
    const auto routes = DrawRoutes();
    std::vector<PathBandwidthRoute> reversed(routes.rbegin(), routes.rend());
    PathBandwidthOutcome outcome = WeighPathBandwidths({SPINE, false}, routes);
    const PathBandwidthOutcome other = WeighPathBandwidths({SPINE, false}, reversed);
    std::reverse(outcome.weights.begin(), outcome.weights.end());
    RC_ASSERT(outcome.weights == other.weights);
    RC_ASSERT(outcome.advertised.transitive == other.advertised.transitive);
}

RC_GTEST_PROP(PathBandwidthPolicy, ParallelLinksCountAsTheirAggregate, ())
{
    // The same nodes with one link each
    auto routes = DrawRoutes();
    for (PathBandwidthRoute& route : routes)
    {
        route.received.transitive = 6.25 * (route.advertiser + 1);
    }
    std::vector<PathBandwidthRoute> merged;
    for (const PathBandwidthRoute& route : routes)
    {
        const auto same = std::find_if(merged.begin(), merged.end(), [&route](const auto& other) {
            return other.advertiser == route.advertiser;
        });
        if (same == merged.end())
        {
            merged.push_back(route);
        }
        else
        {
            same->linkBandwidth += route.linkBandwidth;
        }
    }
    const PathBandwidthOutcome outcome = WeighPathBandwidths({SPINE, false}, routes);
    const PathBandwidthOutcome one = WeighPathBandwidths({SPINE, false}, merged);
    RC_ASSERT(outcome.advertised.transitive == one.advertised.transitive);
    RC_ASSERT(outcome.weights.empty() == one.weights.empty());
    for (std::size_t i = 0; i < one.weights.size(); ++i)
    {
        double sum = 0;
        for (std::size_t j = 0; j < routes.size(); ++j)
        {
            sum += routes[j].advertiser == merged[i].advertiser ? outcome.weights[j] : 0;
        }
        RC_ASSERT(std::fabs(sum - one.weights[i]) < 1e-9);
    }
}

/// The maximum flow between two nodes of a small graph, by augmenting paths.
double
MaxFlow(std::vector<Weights> capacity, std::size_t from, std::size_t to)
{
    double flow = 0;
    for (;;)
    {
        std::vector<std::size_t> previous(capacity.size(), capacity.size());
        std::vector<std::size_t> reached{from};
        previous[from] = from;
        for (std::size_t i = 0; i < reached.size(); ++i)
        {
            for (std::size_t next = 0; next < capacity.size(); ++next)
            {
                if (previous[next] == capacity.size() && capacity[reached[i]][next] > 0)
                {
                    previous[next] = reached[i];
                    reached.push_back(next);
                }
            }
        }
        if (previous[to] == capacity.size())
        {
            return flow;
        }
        double least = INFINITY;
        for (std::size_t node = to; node != from; node = previous[node])
        {
            least = std::min(least, capacity[previous[node]][node]);
        }
        for (std::size_t node = to; node != from; node = previous[node])
        {
            capacity[previous[node]][node] -= least;
            capacity[node][previous[node]] += least;
        }
        flow += least;
    }
}

RC_GTEST_PROP(PathBandwidthPolicy, InThreeStagesTheWeightsAreAMaximumFlow, ())
{
    // Nodes: the sending leaf, spines, leaves that the hosts have links to, and the hosts. Rates
    // are whole numbers, so that sums are exact.
    const auto nSpines = DrawInRange<std::size_t>(1, 5);
    const auto nLeaves = DrawInRange<std::size_t>(1, 4);
    const std::size_t hosts = 1 + nSpines + nLeaves;
    std::vector<Weights> capacity(hosts + 1, Weights(hosts + 1, 0));
    std::vector<PathBandwidthRoute> atLeaf;
    for (std::size_t spine = 1; spine <= nSpines; ++spine)
    {
        std::vector<PathBandwidthRoute> atSpine;
        for (std::size_t leaf = 1 + nSpines; leaf < hosts; ++leaf)
        {
            const double rate = DrawInRange(0, 9);
            capacity[spine][leaf] = rate;
            capacity[leaf][hosts] = MAX;
            PathBandwidthRoute route;
            route.advertiser = static_cast<uint32_t>(leaf);
            route.linkBandwidth = rate;
            route.received.transitive = MAX;
            atSpine.push_back(route);
        }
        capacity[0][spine] = DrawInRange(0, 20);
        PathBandwidthRoute route;
        route.advertiser = static_cast<uint32_t>(spine);
        route.from = SPINE;
        route.linkBandwidth = capacity[0][spine];
        route.received.transitive =
            WeighPathBandwidths({SPINE, false}, atSpine).advertised.transitive;
        atLeaf.push_back(route);
    }
    const PathBandwidthOutcome outcome = WeighPathBandwidths({LEAF, false}, atLeaf);
    RC_ASSERT(Sum(outcome.weights) == MaxFlow(capacity, 0, hosts));
}
