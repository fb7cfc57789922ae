// SPDX-License-Identifier: GPL-2.0-only

// Routes and weights that are computed from the topology: they are as in draft-xu-idr-fare, and the
// same as speakers agree on by messages.

#include "model/core/fare/path-bandwidth-topology.h"
#include "test/core/bgp/bgp-fabric.h"
#include "test/core/core-test.h"

constexpr auto LEAF = PathBandwidthTier::LEAF;
constexpr auto SPINE = PathBandwidthTier::SPINE;
constexpr auto SUPER_SPINE = PathBandwidthTier::SUPER_SPINE;
constexpr auto HOST = PathBandwidthTier::HOST;

/// Bytes a second of a Gbit/s
constexpr double GBIT = 1e9 / 8;

/// The topology of a fabric, with the links that are up.
PathBandwidthTopology
GetTopology(const BgpFabric& fabric)
{
    PathBandwidthTopology topology(fabric.common.attachesNonTransitive,
                                   fabric.common.carrier,
                                   fabric.common.decision.maxPaths);
    topology.SetSharesUplinks(fabric.common.sharesUplinks);
    for (uint32_t node = 0; node < fabric.nodes.size(); ++node)
    {
        topology.AddSwitch(fabric.nodes[node].tier,
                           fabric.nodes[node].as,
                           BgpFabric::GetIdentifier(node));
    }
    for (const BgpFabricLink& link : fabric.links)
    {
        topology.SetLinkUp(topology.AddLink(link.nodes[0], link.nodes[1], link.rate), link.isUp);
    }
    return topology;
}

/// The weights of a switch in GB/s by link
std::map<uint32_t, double>
GetWeights(const PathBandwidthRoutes& routes)
{
    std::map<uint32_t, double> weights;
    for (const auto& [link, weight] : routes.nextHops)
    {
        weights[link] = weight / 1e9;
    }
    return weights;
}

TEST(PathBandwidthTopology, ThreeStagesHostsAtTwoLeaves)
{
    // Hosts at L1 (100 Gbit/s to S1) and L2 (400 Gbit/s): 12.5 and 50 GB/s at the spines, which
    // advertise 62.5. L3 has links of 100, 100, 200, 400 Gbit/s to S1 to S4: 1 : 1 : 2 : 4.
    PathBandwidthTopology topology;
    for (uint32_t leaf = 0; leaf < 3; ++leaf)
    {
        topology.AddSwitch(LEAF, 65001 + leaf, 1 + leaf);
    }
    for (uint32_t spine = 0; spine < 4; ++spine)
    {
        topology.AddSwitch(SPINE, 64512, 11 + spine);
    }
    const std::vector<std::vector<double>> rates{{100, 100, 100, 100},
                                                 {400, 400, 400, 400},
                                                 {100, 100, 200, 400}};
    for (uint32_t leaf = 0; leaf < 3; ++leaf)
    {
        for (uint32_t spine = 0; spine < 4; ++spine)
        {
            topology.AddLink(leaf, 3 + spine, rates[leaf][spine] * GBIT);
        }
    }
    const auto& routes = topology.Compute({0, 1});
    EXPECT_EQ(routes[0].distance, 0U);
    EXPECT_TRUE(routes[0].nextHops.empty());
    for (uint32_t spine = 0; spine < 4; ++spine)
    {
        EXPECT_EQ(routes[3 + spine].distance, 1U);
        EXPECT_EQ(GetWeights(routes[3 + spine]),
                  (std::map<uint32_t, double>{{spine, 12.5}, {4 + spine, 50}}));
    }
    EXPECT_EQ(routes[2].distance, 2U);
    EXPECT_EQ(GetWeights(routes[2]),
              (std::map<uint32_t, double>{{8, 12.5}, {9, 12.5}, {10, 25}, {11, 50}}));
}

TEST(PathBandwidthTopology, ParallelLinksCountAsOneAndFailedOnesNot)
{
    // Two links of 100 Gbit/s and one of 200 Gbit/s to a spine whose path has 300 Gbit/s
    PathBandwidthTopology topology;
    EXPECT_EQ(topology.AddSwitch(LEAF, 1, 1), 0U);
    EXPECT_EQ(topology.AddSwitch(LEAF, 2, 2), 1U);
    EXPECT_EQ(topology.AddSwitch(SPINE, 3, 3), 2U);
    EXPECT_EQ(topology.AddLink(0, 2, 300 * GBIT), 0U);
    topology.AddLink(1, 2, 100 * GBIT);
    topology.AddLink(1, 2, 100 * GBIT);
    topology.AddLink(1, 2, 200 * GBIT);
    EXPECT_EQ(GetWeights(topology.Compute({0})[1]),
              (std::map<uint32_t, double>{{1, 9.375}, {2, 9.375}, {3, 18.75}}));
    topology.SetLinkUp(2, false);
    EXPECT_EQ(GetWeights(topology.Compute({0})[1]),
              (std::map<uint32_t, double>{{1, 12.5}, {3, 25}}));
    topology.SetLinkUp(2, true);
    topology.SetLinkBandwidth(3, 0);
    EXPECT_EQ(GetWeights(topology.Compute({0})[1]),
              (std::map<uint32_t, double>{{1, 12.5}, {2, 12.5}, {3, 0}}));
    topology.SetLinkUp(0, false);
    EXPECT_EQ(topology.Compute({0})[1].distance, PathBandwidthRoutes::UNREACHABLE);
    EXPECT_TRUE(topology.Compute({0})[1].nextHops.empty());
}

TEST(PathBandwidthTopology, PathsDoNotGoDownAndUpAgain)
{
    // L1 and L2 at S1 and S2, which share an AS: S1 that has lost L1 does not go by L2 and S2.
    PathBandwidthTopology topology;
    topology.AddSwitch(LEAF, 1, 1);
    topology.AddSwitch(LEAF, 2, 2);
    topology.AddSwitch(SPINE, 3, 3);
    topology.AddSwitch(SPINE, 3, 4);
    const uint32_t lost = topology.AddLink(0, 2, 100 * GBIT);
    topology.AddLink(0, 3, 100 * GBIT);
    topology.AddLink(1, 2, 100 * GBIT);
    topology.AddLink(1, 3, 100 * GBIT);
    topology.SetLinkUp(lost, false);
    const auto& routes = topology.Compute({0});
    EXPECT_EQ(routes[2].distance, PathBandwidthRoutes::UNREACHABLE);
    EXPECT_EQ(GetWeights(routes[1]), (std::map<uint32_t, double>{{3, 12.5}}));
}

TEST(PathBandwidthTopology, UsesAsManyPathsAsSpeakersDo)
{
    // L2 reaches L1 by S3 (two links) and S2 (one) of 100 Gbit/s each. S2 has the lowest BGP
    // identifier, and then the first link to S3.
    PathBandwidthTopology topology(true, {}, 2);
    topology.AddSwitch(LEAF, 1, 1);
    topology.AddSwitch(LEAF, 2, 2);
    topology.AddSwitch(SPINE, 3, 8);
    topology.AddSwitch(SPINE, 3, 7);
    topology.AddLink(0, 2, 400 * GBIT);
    topology.AddLink(0, 3, 400 * GBIT);
    topology.AddLink(1, 2, 100 * GBIT);
    topology.AddLink(1, 2, 100 * GBIT);
    topology.AddLink(1, 3, 100 * GBIT);
    EXPECT_EQ(GetWeights(topology.Compute({0})[1]),
              (std::map<uint32_t, double>{{2, 12.5}, {4, 12.5}}));
}

/// What speakers agree on by messages is what is computed, for each prefix.
void
Compare(BgpFabric& fabric, const std::map<BgpPrefix, std::set<uint32_t>>& origins)
{
    auto topology = GetTopology(fabric);
    for (const auto& [prefix, switches] : origins)
    {
        const auto& routes = topology.Compute({switches.begin(), switches.end()});
        for (uint32_t node = 0; node < fabric.nodes.size(); ++node)
        {
            const BgpRib& rib = *fabric.nodes[node].rib;
            const auto best = rib.GetBest(prefix);
            RC_ASSERT(routes[node].distance ==
                      (best ? best->asPath.GetLength() : PathBandwidthRoutes::UNREACHABLE));
            std::map<uint32_t, double> weights;
            for (const BgpRibPath& path : rib.GetPaths(prefix))
            {
                if (path.peer != BGP_NO_PEER)
                {
                    weights[fabric.nodes[node].links.at(path.peer)] = path.weight / 1e9;
                }
            }
            RC_ASSERT(GetWeights(routes[node]) == weights);
        }
    }
}

/// Start a fabric with prefixes of one switch or several, without some of its links; then fail and
/// restore some more.
void
ConvergeAndCompare(BgpFabric& fabric, Draw& draw)
{
    fabric.Build();
    std::map<BgpPrefix, std::set<uint32_t>> origins;
    const auto nNodes = static_cast<uint32_t>(fabric.nodes.size());
    for (uint32_t rack = 0; rack < 6; ++rack)
    {
        for (uint32_t i = draw(1, 4); i > 0; --i)
        {
            const uint32_t node = draw(0, nNodes);
            origins[GetRackPrefix(rack)].insert(node);
            fabric.nodes[node].rib->Originate(GetRackPrefix(rack));
            fabric.nodes[node].rib->Decide();
        }
    }
    fabric.Start();
    Compare(fabric, origins);
    for (int i = 0; i < 3; ++i)
    {
        for (uint32_t link = 0; link < fabric.links.size(); ++link)
        {
            if (draw(0, 4) == 0)
            {
                fabric.links[link].isUp ? fabric.Fail(link) : fabric.Restore(link);
            }
        }
        fabric.Settle();
        Compare(fabric, origins);
    }
}

/// Draw a rate in Gbit/s whose sums are exact, and are rounded only on the wire.
double
DrawRate(Draw& draw)
{
    return draw(0, 1000000) / 1024.0;
}

BgpFabricSettings
DrawSettings(Draw& draw)
{
    BgpFabricSettings settings;
    settings.attachesNonTransitive = draw(0, 3) > 0;
    settings.sharesUplinks = draw(0, 2) > 0;
    settings.decision.maxPaths = draw(0, 2) == 0 ? draw(1, 5) : BGP_MAX_PATHS;
    settings.carrier =
        draw(0, 2) == 0 ? BandwidthCarrier::LINK_BANDWIDTH : BandwidthCarrier::PATH_BANDWIDTH;
    return settings;
}

RC_GTEST_PROP(PathBandwidthTopology, HasTheRoutesOfSpeakersInFabricsOfFiveStages, ())
{
    Draw draw;
    BgpFabric fabric(DrawSettings(draw));
    const uint32_t nPlanes = draw(1, 4);
    const uint32_t nSupers = draw(1, 4);
    for (uint32_t i = 0; i < nPlanes * nSupers; ++i)
    {
        fabric.AddNode(SUPER_SPINE, 64512);
    }
    for (uint32_t pod = draw(1, 5); pod > 0; --pod)
    {
        // Hosts have one AS, and links to leaves of their pod.
        std::vector<uint32_t> leaves(draw(1, 5));
        std::vector<uint32_t> hosts(draw(0, 4));
        for (uint32_t& host : hosts)
        {
            host = fabric.AddNode(HOST, 64599);
        }
        for (uint32_t& leaf : leaves)
        {
            leaf = fabric.AddNode(LEAF, 65000 + static_cast<uint32_t>(fabric.nodes.size()));
        }
        for (const uint32_t host : hosts)
        {
            for (uint32_t i = draw(1, 4); i > 0; --i)
            {
                fabric.AddLink(host,
                               leaves[draw(0, static_cast<uint32_t>(leaves.size()))],
                               DrawRate(draw));
            }
        }
        for (uint32_t plane = 0; plane < nPlanes; ++plane)
        {
            const uint32_t spine = fabric.AddNode(SPINE, 64600 + pod);
            for (const uint32_t leaf : leaves)
            {
                for (uint32_t i = draw(1, 4); i > 0; --i)
                {
                    fabric.AddLink(leaf, spine, DrawRate(draw));
                }
            }
            for (uint32_t i = 0; i < nSupers; ++i)
            {
                fabric.AddLink(spine, plane * nSupers + i, DrawRate(draw));
            }
        }
    }
    ConvergeAndCompare(fabric, draw);
}

RC_GTEST_PROP(PathBandwidthTopology, HasTheRoutesOfSpeakersInAnyGraph, ())
{
    // Any switch has any tier and one of a few ASs, so that loops are found in many places.
    Draw draw;
    BgpFabric fabric(DrawSettings(draw));
    const uint32_t nNodes = draw(2, 12);
    const uint32_t nAs = draw(2, 12);
    for (uint32_t i = 0; i < nNodes; ++i)
    {
        fabric.AddNode(static_cast<PathBandwidthTier>(draw(0, 5)), 65000 + draw(0, nAs));
    }
    for (uint32_t i = draw(1, 3 * nNodes); i > 0; --i)
    {
        const uint32_t a = draw(0, nNodes - 1);
        const uint32_t b = draw(a + 1, nNodes);
        if (fabric.nodes[a].as != fabric.nodes[b].as)
        {
            fabric.AddLink(a, b, DrawRate(draw));
        }
    }
    ConvergeAndCompare(fabric, draw);
}
