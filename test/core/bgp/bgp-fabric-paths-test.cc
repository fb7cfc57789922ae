// SPDX-License-Identifier: GPL-2.0-only

// The paths of draft-xu-idr-fare, sections "Adaptive Routing in 3-stage CLOS" and "... 5-stage
// CLOS", from speaker to speaker in fabrics of the sizes of Figures 1 and 2. Expected weights are
// computed by hand: 100 Gbit/s are 12.5 GB/s.

#include "bgp-fabric.h"
#include "test/core/core-test.h"

using Weights = std::vector<double>;

constexpr auto LEAF = PathBandwidthTier::LEAF;
constexpr auto SPINE = PathBandwidthTier::SPINE;
constexpr auto SUPER_SPINE = PathBandwidthTier::SUPER_SPINE;
constexpr double NO = -1; // a link that is not used

/// The rate of a link in Gbit/s by the numbers of its ends from 1 on, 0: no link
using Rate = std::function<double(uint32_t lower, uint32_t upper)>;

/// Figure 1: leaves L1 to L8 are nodes 0 to 7, spines S1 to S4 nodes 8 to 11.
void
MakeFigure1(BgpFabric& fabric, const Rate& rate, uint32_t parallelLinks = 1)
{
    for (uint32_t leaf = 1; leaf <= 8; ++leaf)
    {
        fabric.AddNode(LEAF, 65000 + leaf);
    }
    for (uint32_t spine = 1; spine <= 4; ++spine)
    {
        fabric.AddNode(SPINE, 64512);
    }
    for (uint32_t leaf = 1; leaf <= 8; ++leaf)
    {
        for (uint32_t spine = 1; spine <= 4; ++spine)
        {
            for (uint32_t i = 0; i < parallelLinks && rate(leaf, spine) > 0; ++i)
            {
                fabric.AddLink(leaf - 1, 7 + spine, rate(leaf, spine));
            }
        }
    }
    fabric.Build();
}

void
Originate(BgpFabric& fabric, const std::vector<uint32_t>& leaves)
{
    for (const uint32_t leaf : leaves)
    {
        fabric.nodes[leaf].rib->Originate(GetRackPrefix(1));
        fabric.nodes[leaf].rib->Decide();
    }
}

/// The path bandwidth that a switch advertises to the peer of a link, as on the wire.
uint16_t
GetAdvertised(BgpFabric& fabric, uint32_t node, std::size_t link)
{
    BgpRib& rib = *fabric.nodes[node].rib;
    const auto peer = static_cast<uint32_t>(link);
    rib.Refresh(peer);
    const BgpPeerChanges changes = rib.TakeChanges(peer);
    return changes.announced.empty()
               ? 0
               : changes.announced[0].attributes->extendedCommunities[0].GetLocal16();
}

TEST(BgpFabricPaths, ThreeStagesFromL1ToL8)
{
    BgpFabric fabric;
    MakeFigure1(fabric, [](uint32_t, uint32_t) { return 100; });
    Originate(fabric, {0});
    fabric.Start();
    const BgpPrefix prefix = GetRackPrefix(1);
    EXPECT_EQ(fabric.GetWeights(8, prefix), (Weights{12.5, NO, NO, NO, NO, NO, NO, NO}));
    EXPECT_EQ(GetAdvertised(fabric, 8, 7), 0x4a40); // 12.5
    EXPECT_EQ(fabric.GetWeights(7, prefix), (Weights{12.5, 12.5, 12.5, 12.5}));
}

TEST(BgpFabricPaths, ThreeStagesMultiHoming)
{
    // L1 has 100 and L2 400 Gbit/s to each spine; L8 100, 100, 200 and 400 to S1 to S4
    BgpFabric fabric;
    MakeFigure1(fabric, [](uint32_t leaf, uint32_t spine) {
        const std::array<double, 4> ofL8{100, 100, 200, 400};
        return leaf == 1 ? 100 : leaf == 8 ? ofL8[spine - 1] : 400;
    });
    Originate(fabric, {0, 1});
    fabric.Start();
    const BgpPrefix prefix = GetRackPrefix(1);
    EXPECT_EQ(fabric.GetWeights(8, prefix), (Weights{12.5, 50, NO, NO, NO, NO, NO, NO}));
    EXPECT_EQ(GetAdvertised(fabric, 8, 7), 0x53d0); // 62.5
    EXPECT_EQ(fabric.GetWeights(7, prefix), (Weights{12.5, 12.5, 25, 50}));
    EXPECT_EQ(fabric.GetWeights(2, prefix), (Weights{50, 50, 50, 50}));
}

TEST(BgpFabricPaths, ThreeStagesOneOfFourSpineLinksIsLost)
{
    BgpFabric fabric;
    MakeFigure1(fabric, [](uint32_t, uint32_t) { return 100; }, 2);
    Originate(fabric, {0});
    fabric.Start();
    const BgpPrefix prefix = GetRackPrefix(1);
    const Weights intact(8, 12.5);
    EXPECT_EQ(fabric.GetWeights(7, prefix), intact);
    // One of the two links from L1 to S1: what S1 has left is spread over both links to L8.
    fabric.Fail(0);
    fabric.Settle();
    EXPECT_EQ(fabric.GetWeights(7, prefix),
              (Weights{6.25, 6.25, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5}));
    fabric.Fail(1);
    fabric.Settle();
    EXPECT_EQ(fabric.GetWeights(7, prefix), (Weights{NO, NO, 12.5, 12.5, 12.5, 12.5, 12.5, 12.5}));
    fabric.Restore(0);
    fabric.Restore(1);
    fabric.Settle();
    EXPECT_EQ(fabric.GetWeights(7, prefix), intact);
}

TEST(BgpFabricPaths, WithoutTheCommunityFromOneSpineEcmpIsPlain)
{
    BgpFabric fabric;
    MakeFigure1(fabric,
                [](uint32_t leaf, uint32_t spine) { return leaf == 1 && spine == 1 ? 0 : 100; });
    Originate(fabric, {0});
    fabric.Start();
    const BgpPrefix prefix = GetRackPrefix(1);
    EXPECT_EQ(fabric.GetWeights(7, prefix), (Weights{NO, 12.5, 12.5, 12.5}));
    // S1 announces the route without it.
    BgpPathAttributes attributes;
    attributes.asPath.segments.push_back({BgpSegmentType::SEQUENCE, {64512, 65001}});
    attributes.nextHop = 1;
    fabric.nodes[7].rib->Receive(0, {{}, {{attributes, {prefix}}}});
    fabric.nodes[7].rib->Decide();
    EXPECT_EQ(fabric.GetWeights(7, prefix), (Weights{0, 0, 0, 0}));
}

/// The numbers of Figure 2's switches in a fabric.
struct Figure2
{
    static uint32_t Leaf(uint32_t pod, uint32_t leaf)
    {
        return 16 + 8 * (pod - 1) + leaf - 1;
    }

    static uint32_t Spine(uint32_t pod, uint32_t spine)
    {
        return 16 + 8 * (pod - 1) + 4 + spine - 1;
    }

    static uint32_t SuperSpine(uint32_t plane, uint32_t superSpine)
    {
        return 4 * (plane - 1) + superSpine - 1;
    }
};

/// Rates of Figure 2's links in Gbit/s, by the numbers of pod and switches from 1 on.
struct Figure2Rates
{
    std::function<double(uint32_t pod, uint32_t leaf, uint32_t spine)> leaf;        //!< to spine
    std::function<double(uint32_t pod, uint32_t spine, uint32_t superSpine)> spine; //!< to SS
};

/// Figure 2: 4 planes of 4 super-spines, 8 pods of 4 leaves and 4 spines.
void
MakeFigure2(BgpFabric& fabric, const Figure2Rates& rates)
{
    for (uint32_t i = 0; i < 16; ++i)
    {
        fabric.AddNode(SUPER_SPINE, 64512);
    }
    for (uint32_t pod = 1; pod <= 8; ++pod)
    {
        for (uint32_t leaf = 1; leaf <= 4; ++leaf)
        {
            fabric.AddNode(LEAF, 65000 + 4 * pod + leaf, pod);
        }
        for (uint32_t spine = 1; spine <= 4; ++spine)
        {
            fabric.AddNode(SPINE, 64600 + pod, pod);
        }
        for (uint32_t spine = 1; spine <= 4; ++spine)
        {
            for (uint32_t leaf = 1; leaf <= 4; ++leaf)
            {
                fabric.AddLink(Figure2::Leaf(pod, leaf),
                               Figure2::Spine(pod, spine),
                               rates.leaf(pod, leaf, spine));
            }
            for (uint32_t superSpine = 1; superSpine <= 4; ++superSpine)
            {
                fabric.AddLink(Figure2::Spine(pod, spine),
                               Figure2::SuperSpine(spine, superSpine),
                               rates.spine(pod, spine, superSpine));
            }
        }
    }
    fabric.Build();
}

TEST(BgpFabricPaths, FiveStagesFromPod1ToPod8)
{
    // Hosts at L1 (100 Gbit/s) and L2 (400) of PoD-1. S1 to SS1: 400, SS2: 400, SS3: 200, SS4: 100;
    // SS1 to SS4 to S1 of PoD-8: 100, 200, 400, 400. L4 of PoD-8: 100, 100, 200, 400.
    BgpFabric fabric;
    MakeFigure2(
        fabric,
        {[](uint32_t pod, uint32_t leaf, uint32_t spine) {
             const std::array<double, 4> ofL4{100, 100, 200, 400};
             return pod == 8 && leaf == 4 ? ofL4[spine - 1] : pod == 1 && leaf == 1 ? 100.0 : 400.0;
         },
         [](uint32_t pod, uint32_t, uint32_t superSpine) {
             const std::array<double, 4> ofPod1{400, 400, 200, 100};
             const std::array<double, 4> ofPod8{100, 200, 400, 400};
             return pod == 1 ? ofPod1[superSpine - 1] : pod == 8 ? ofPod8[superSpine - 1] : 400.0;
         }});
    const BgpPrefix prefix = GetRackPrefix(1);
    Originate(fabric, {Figure2::Leaf(1, 1), Figure2::Leaf(1, 2)});
    fabric.Start();
    // S1 in PoD-1: 12.5 and 50, and 62.5 is advertised
    EXPECT_EQ(fabric.GetWeights(Figure2::Spine(1, 1), prefix),
              (Weights{12.5, 50, NO, NO, NO, NO, NO, NO}));
    // A leaf of PoD-1
    EXPECT_EQ(fabric.GetWeights(Figure2::Leaf(1, 3), prefix), (Weights{50, 50, 50, 50}));
    // SS4 in Plane-1 leaves the transitive one (62.5), and attaches 12.5.
    const uint32_t superSpine = Figure2::SuperSpine(1, 4);
    EXPECT_EQ(fabric.GetWeights(superSpine, prefix), (Weights{12.5, NO, NO, NO, NO, NO, NO, NO}));
    fabric.nodes[superSpine].rib->Refresh(7);
    const BgpPeerChanges told = fabric.nodes[superSpine].rib->TakeChanges(7);
    ASSERT_EQ(told.announced.size(), 1U);
    const uint64_t spine = BgpFabric::GetIdentifier(Figure2::Spine(1, 1));
    const uint64_t own = BgpFabric::GetIdentifier(superSpine);
    EXPECT_EQ(told.announced[0].attributes->extendedCommunities,
              (std::vector<BgpExtendedCommunity>{{0x0106000000000000 | spine << 16 | 0x53d0},
                                                 {0x4106000000000000 | own << 16 | 0x4a40}}));
    // S1 in PoD-8: min(12.5, 50), min(25, 50), min(50, 25), min(50, 12.5); 62.5 as received
    EXPECT_EQ(fabric.GetWeights(Figure2::Spine(8, 1), prefix),
              (Weights{NO, NO, NO, NO, 12.5, 25, 25, 12.5}));
    EXPECT_EQ(GetAdvertised(fabric, Figure2::Spine(8, 1), 3), 0x53d0);
    // L4 in PoD-8
    EXPECT_EQ(fabric.GetWeights(Figure2::Leaf(8, 4), prefix), (Weights{12.5, 12.5, 25, 50}));
}

TEST(BgpFabricPaths, FiveStagesWithoutNonTransitiveBandwidthsPodsAreLeftByPlainEcmp)
{
    BgpFabricSettings settings;
    settings.attachesNonTransitive = false;
    BgpFabric fabric(settings);
    MakeFigure2(fabric,
                {[](uint32_t, uint32_t leaf, uint32_t) { return leaf == 1 ? 100 : 400; },
                 [](uint32_t, uint32_t, uint32_t) { return 400; }});
    const BgpPrefix prefix = GetRackPrefix(1);
    Originate(fabric, {Figure2::Leaf(1, 1)});
    fabric.Start();
    EXPECT_EQ(fabric.GetWeights(Figure2::Spine(8, 1), prefix),
              (Weights{NO, NO, NO, NO, 0, 0, 0, 0}));
    EXPECT_EQ(fabric.GetWeights(Figure2::Leaf(8, 4), prefix), (Weights{12.5, 12.5, 12.5, 12.5}));
}

/// A fat-tree of switches with k ports, a prefix a leaf.
void
MakeFatTree(BgpFabric& fabric, uint32_t k)
{
    const uint32_t half = k / 2;
    for (uint32_t i = 0; i < half * half; ++i)
    {
        fabric.AddNode(SUPER_SPINE, 64512);
    }
    std::vector<uint32_t> leaves;
    for (uint32_t pod = 0; pod < k; ++pod)
    {
        for (uint32_t i = 0; i < half; ++i)
        {
            leaves.push_back(fabric.AddNode(LEAF, 4200000000 + half * pod + i, pod));
        }
        for (uint32_t plane = 0; plane < half; ++plane)
        {
            const uint32_t spine = fabric.AddNode(SPINE, 64600 + pod, pod);
            for (uint32_t i = 0; i < half; ++i)
            {
                fabric.AddLink(leaves[half * pod + i], spine, 100);
                fabric.AddLink(spine, half * plane + i, 100);
            }
        }
    }
    fabric.Build();
    for (uint32_t rack = 0; rack < leaves.size(); ++rack)
    {
        fabric.nodes[leaves[rack]].rib->Originate(GetRackPrefix(rack));
        fabric.nodes[leaves[rack]].rib->Decide();
    }
}

TEST(BgpFabricPaths, InAFatTreeALinkHasEachPrefixOnce)
{
    // Each prefix goes over each link in one direction: k^2/2 prefixes, k^3/2 links. By what is
    // documented of a RIB, a route has 56 bytes, and a switch 200 a prefix; with what is reserved
    // in advance, twice as much at most.
    for (const uint32_t k : {4U, 8U})
    {
        BgpFabric fabric;
        MakeFatTree(fabric, k);
        fabric.Start();
        const std::size_t nPrefixes = k * k / 2;
        const std::size_t nRoutes = nPrefixes * k * k * k / 2;
        std::size_t nReceived = 0;
        std::size_t size = 0;
        for (const BgpFabricNode& node : fabric.nodes)
        {
            EXPECT_EQ(node.rib->GetPrefixes().size(), nPrefixes);
            size += node.rib->GetMemorySize();
            for (uint32_t peer = 0; peer < node.links.size(); ++peer)
            {
                nReceived += node.rib->CountReceived(peer);
            }
        }
        EXPECT_EQ(nReceived, nRoutes);
        EXPECT_EQ(fabric.nMessages, nRoutes);
        const std::size_t documented = nRoutes * 56 + fabric.nodes.size() * nPrefixes * 200;
        EXPECT_LE(size, 2 * documented + fabric.links.size() * 2 * 200);
    }
}
