// SPDX-License-Identifier: GPL-2.0-only

// Nodes that share the uplinks of another one: what each is told. Expected values are computed by
// hand from the rates of the links: 12.5 GB/s are 100 Gbit/s.

#include "model/core/fare/path-bandwidth-policy.h"
#include "model/core/fare/path-bandwidth-topology.h"
#include "model/core/max-min-share.h"
#include "test/core/bgp/bgp-fabric.h"
#include "test/core/core-test.h"

constexpr auto LEAF = PathBandwidthTier::LEAF;
constexpr auto SPINE = PathBandwidthTier::SPINE;
constexpr auto SUPER_SPINE = PathBandwidthTier::SUPER_SPINE;
constexpr auto HOST = PathBandwidthTier::HOST;
/// 1 GB/s in bytes a second
constexpr double GB = 1e9;

/// A route by its link in Gbit/s, and what it has come with in GB/s.
PathBandwidthRoute
Route(uint32_t advertiser,
      PathBandwidthTier from,
      double link,
      std::optional<double> transitive,
      std::optional<double> nonTransitive = {})
{
    PathBandwidthRoute route{advertiser, from, link * GB / 8, {}};
    if (transitive)
    {
        route.received.transitive = *transitive * GB;
    }
    if (nonTransitive)
    {
        route.received.nonTransitive = *nonTransitive * GB;
    }
    return route;
}

/// A node that shares, with links to nodes below in Gbit/s.
PathBandwidthNode
Node(PathBandwidthTier tier, const std::vector<double>& below)
{
    PathBandwidthNode node{tier, true, true};
    for (const double rate : below)
    {
        node.below.push_back(rate * GB / 8);
    }
    return node;
}

/// What a node advertises again, in GB/s; none: as received, or nothing
std::optional<double>
Advertise(const PathBandwidthNode& node, const std::vector<PathBandwidthRoute>& routes)
{
    const auto change = WeighPathBandwidths(node, routes).advertised;
    if (change.keepsTransitive || !change.transitive)
    {
        return std::nullopt;
    }
    return *change.transitive / GB;
}

TEST(PathBandwidthShare, WhoTakesLessLeavesTheRest)
{
    EXPECT_EQ(ComputeMaxMinShare(75, {25, 25, 25, 25}), 18.75);
    EXPECT_EQ(ComputeMaxMinShare(75, {25, 12.5, 25, 25}), 62.5 / 3);
    EXPECT_EQ(ComputeMaxMinShare(60, {10, 20, 100, 40}), 50.0 / 3);
    EXPECT_EQ(ComputeMaxMinShare(75, {10, 20, 100, 40}), 22.5);
    EXPECT_EQ(ComputeMaxMinShare(0, {10, 20}), 0);
    EXPECT_EQ(ComputeMaxMinShare(75, {0, 25, 25, 50}), 25);
    // Enough for all, or nobody
    EXPECT_EQ(ComputeMaxMinShare(100, {25, 25, 25, 25}), INFINITY);
    EXPECT_EQ(ComputeMaxMinShare(75, {25, 25, 25}), INFINITY);
    EXPECT_EQ(ComputeMaxMinShare(75, {}), INFINITY);
}

RC_GTEST_PROP(PathBandwidthShare, TheSharesAddUpToTheTotal, ())
{
    Draw draw;
    std::vector<double> limits(draw(1, 9));
    for (double& limit : limits)
    {
        limit = draw(0, 100);
    }
    const double total = draw(0, 500);
    const double share = ComputeMaxMinShare(total, limits);
    const double all = std::accumulate(limits.begin(), limits.end(), 0.0);
    double taken = 0;
    for (const double limit : limits)
    {
        taken += std::min(limit, share);
    }
    RC_ASSERT(std::fabs(taken - std::min(total, all)) < 1e-9);
    RC_ASSERT(std::isinf(share) == (all <= total));
}

TEST(PathBandwidthShare, RemoteSpineWithADegradedLinkToASuperSpine)
{
    // Four leaves at 100 Gbit/s and four super-spines at 100 Gbit/s: all have 12.5 GB/s.
    std::vector<PathBandwidthRoute> routes;
    for (uint32_t i = 1; i <= 4; ++i)
    {
        routes.push_back(Route(i, SUPER_SPINE, 100, 12.5, 12.5));
    }
    const auto spine = Node(SPINE, {100, 100, 100, 100});
    EXPECT_EQ(Advertise(spine, routes), std::nullopt);
    // SS1 has a link of half the rate to the origin's pod: 43.75 of 50 GB/s are left for four.
    routes[0].received.nonTransitive = 6.25 * GB;
    EXPECT_EQ(Advertise(spine, routes), 10.9375);
    // A leaf that has lost its link here leaves enough to three.
    EXPECT_EQ(Advertise(Node(SPINE, {100, 100, 100}), routes), std::nullopt);
    EXPECT_EQ(Advertise(Node(SPINE, {50, 100, 100, 100}), routes), std::nullopt);
    // The path has less beyond the super-spines than the share.
    for (PathBandwidthRoute& route : routes)
    {
        route.received.transitive = 6.25 * GB;
    }
    EXPECT_EQ(Advertise(spine, routes), std::nullopt);
    // Without the non-transitive bandwidth of one, the sum is not known.
    routes[2].received.nonTransitive.reset();
    EXPECT_EQ(Advertise(spine, routes), std::nullopt);
}

TEST(PathBandwidthShare, RoutesFromBelowAreNotShared)
{
    // 12.5 GB/s from a leaf, to any number of others
    EXPECT_EQ(Advertise(Node(SPINE, {100, 100, 100}), {Route(1, LEAF, 100, 65504)}), 12.5);
}

TEST(PathBandwidthShare, SuperSpineWithSeveralSpinesOfThePod)
{
    EXPECT_EQ(Advertise(Node(SUPER_SPINE, {}), {Route(1, SPINE, 100, 12.5)}), std::nullopt);
    EXPECT_EQ(
        Advertise(Node(SUPER_SPINE, {}), {Route(1, SPINE, 100, 12.5), Route(2, SPINE, 100, 6.25)}),
        18.75);
    // The paths beyond SS1 have less than those beyond SS2; a leaf can use both.
    EXPECT_EQ(
        Advertise(Node(SPINE, {}),
                  {Route(1, SUPER_SPINE, 100, 6.25, 50), Route(2, SUPER_SPINE, 100, 18.75, 50)}),
        18.75);
}

TEST(PathBandwidthShare, LeafThatHasLostHalfOfItsUplinks)
{
    // Four spines at 100 Gbit/s, and four hosts at 100 Gbit/s
    const std::vector<PathBandwidthRoute> all{Route(1, SPINE, 100, 12.5),
                                              Route(2, SPINE, 100, 12.5),
                                              Route(3, SPINE, 100, 12.5),
                                              Route(4, SPINE, 100, 12.5)};
    const auto leaf = Node(LEAF, {100, 100, 100, 100});
    EXPECT_EQ(Advertise(leaf, all), 50);
    EXPECT_EQ(Advertise(leaf, {all[0], all[1]}), 6.25);
    // A host with links of 100 Gbit/s to such a leaf and to an intact one
    const auto host =
        WeighPathBandwidths({HOST}, {Route(1, LEAF, 100, 6.25), Route(2, LEAF, 100, 50)});
    EXPECT_EQ(host.weights, (std::vector<double>{6.25 * GB, 12.5 * GB}));
}

/// The draft's Figure 2 in small: two pods of four leaves and two spines, and two planes of four
/// super-spines; all links have 100 Gbit/s.
struct TwoPods
{
    TwoPods()
    {
        topology.SetSharesUplinks(true);
        for (uint32_t i = 0; i < 8; ++i)
        {
            topology.AddSwitch(SUPER_SPINE, 1, 100 + i);
        }
        for (uint32_t pod = 0; pod < 2; ++pod)
        {
            for (uint32_t i = 0; i < 4; ++i)
            {
                leaves[pod][i] = topology.AddSwitch(LEAF, 10 + 4 * pod + i, 10 + 4 * pod + i);
            }
            for (uint32_t plane = 0; plane < 2; ++plane)
            {
                const uint32_t spine = topology.AddSwitch(SPINE, 2 + pod, 50 + 2 * pod + plane);
                for (uint32_t i = 0; i < 4; ++i)
                {
                    down[pod][plane][i] = topology.AddLink(leaves[pod][i], spine, 12.5 * GB);
                    up[pod][plane][i] = topology.AddLink(spine, 4 * plane + i, 12.5 * GB);
                }
            }
        }
    }

    /// The weights of a leaf to a leaf of the other pod, in GB/s by plane
    std::vector<double> GetWeights(uint32_t pod, uint32_t from, uint32_t to)
    {
        std::vector<double> weights;
        for (const auto& nextHop :
             topology.Compute({leaves[1 - pod][to]})[leaves[pod][from]].nextHops)
        {
            weights.push_back(nextHop.weight / GB);
        }
        return weights;
    }

    using Links = std::array<std::array<std::array<uint32_t, 4>, 2>, 2>; //!< pod, plane, number

    PathBandwidthTopology topology;
    std::array<std::array<uint32_t, 4>, 2> leaves{};
    Links up{};
    Links down{};
};

TEST(PathBandwidthShare, LeavesLearnOfALinkBetweenSpineAndSuperSpine)
{
    TwoPods network;
    EXPECT_EQ(network.GetWeights(0, 0, 0), (std::vector<double>{12.5, 12.5}));
    // One of four super-spines of plane 0 is lost: 37.5 GB/s for four leaves, in both directions.
    network.topology.SetLinkUp(network.up[0][0][2], false);
    EXPECT_EQ(network.GetWeights(0, 1, 3), (std::vector<double>{9.375, 12.5}));
    EXPECT_EQ(network.GetWeights(1, 2, 0), (std::vector<double>{9.375, 12.5}));
    // Leaf 3 of pod 0 has lost its link to this spine: three can have it all.
    network.topology.SetLinkUp(network.down[0][0][3], false);
    EXPECT_EQ(network.GetWeights(0, 1, 3), (std::vector<double>{12.5, 12.5}));
    // That pod's spine does not know it, and shares among its own four leaves.
    EXPECT_EQ(network.GetWeights(1, 2, 0), (std::vector<double>{9.375, 12.5}));
    // The draft's weights: leaves do not learn of it.
    network.topology.SetSharesUplinks(false);
    EXPECT_EQ(network.GetWeights(1, 2, 0), (std::vector<double>{12.5, 12.5}));
}
