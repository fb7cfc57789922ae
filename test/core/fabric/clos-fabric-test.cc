// SPDX-License-Identifier: GPL-2.0-only

// Makers of fabrics: the counts and the wiring follow from the definitions of folded Clos networks
// and of the fat-tree (Al-Fares et al., SIGCOMM 2008, section 2.2).

#include "fabric-numbers.h"
#include "test/core/core-test.h"

#include "ns3/clos-fabric.h"
#include "ns3/graph-fabric.h"

constexpr uint64_t RATE = 100000000000;

/// How often each pair of nodes is linked, the lower number first.
std::map<std::pair<uint32_t, uint32_t>, uint32_t>
CountLinks(const FabricPlan& fabric)
{
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> count;
    for (const auto& link : fabric.GetLinks())
    {
        ++count[std::minmax(link.a.value, link.b.value)];
    }
    return count;
}

/// The links of a plan, as MakeFabric() takes them.
FabricPlan
Remake(const FabricPlan& fabric)
{
    return MakeFabric("again", fabric.GetNNodes(), fabric.GetSwitches(), fabric.GetLinks());
}

// k = 4: k^3/4 = 16 hosts; k^2/2 = 8 leaves, 8 spines and (k/2)^2 = 4 super-spines; three layers of
// k^3/4 = 16 links.
TEST(FatTree, OfFourIsWiredByTheDefinition)
{
    const auto fabric = MakeFatTree(4, RATE, 700);
    ASSERT_EQ(fabric.GetHosts().size(), 16U);
    ASSERT_EQ(fabric.GetSwitches().size(), 20U);
    ASSERT_EQ(fabric.GetLeaves().size(), 8U);
    ASSERT_EQ(fabric.GetNPods(), 4U);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
    for (uint32_t pod = 0; pod < 4; ++pod)
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            const uint32_t leaf = 16 + 2 * pod + i;
            const uint32_t spine = 24 + 2 * pod + i;
            for (uint32_t j = 0; j < 2; ++j)
            {
                expected[{4 * pod + 2 * i + j, leaf}] = 1;
                expected[{leaf, 24 + 2 * pod + j}] = 1;
                expected[{spine, 32 + 2 * i + j}] = 1; // spine i is in plane i
            }
        }
    }
    ASSERT_EQ(expected.size(), 48U);
    EXPECT_EQ(CountLinks(fabric), expected);
    for (const auto& link : fabric.GetLinks())
    {
        EXPECT_EQ(link.rate, RATE);
        EXPECT_EQ(link.delay, 700);
    }
}

TEST(FatTree, HasTheCountsOfItsDefinition)
{
    for (const uint32_t k : {2, 6, 12, 32})
    {
        const auto fabric = MakeFatTree(k, RATE, 0);
        EXPECT_EQ(fabric.GetHosts().size(), k * k * k / 4) << k; // 432 for k = 12
        EXPECT_EQ(fabric.GetSwitches().size(), k * k * 5 / 4) << k;
        EXPECT_EQ(fabric.GetLinks().size(), 3 * k * k * k / 4) << k;
        for (const NodeIndex node : fabric.GetSwitches())
        {
            EXPECT_EQ(fabric.GetPorts(node).size(), k) << k << " " << node;
        }
    }
}

// The largest: 524,288 hosts.
TEST(FatTree, MayHave128Ports)
{
    const auto fabric = MakeFatTree(128, RATE, 0);
    EXPECT_EQ(fabric.GetHosts().size(), 128U * 128 * 128 / 4);
    EXPECT_EQ(fabric.GetSwitches().size(), 128U * 128 * 5 / 4);
}

TEST(FatTree, NeedsAnEvenNumberOfPorts)
{
    for (const uint32_t k : {0, 3, 130})
    {
        EXPECT_THROW(MakeFatTree(k, RATE, 0), std::invalid_argument) << k;
    }
    EXPECT_THROW(MakeFatTree(4, 0, 0), std::invalid_argument);
    EXPECT_THROW(MakeFatTree(4, RATE, -1), std::invalid_argument);
}

// 3 leaves with 4 hosts, 2 spines, 2 parallel links: 12 hosts, 12 + 3 * 2 * 2 = 24 links.
TEST(LeafSpine, ConnectsEveryLeafToEverySpine)
{
    LeafSpineSettings settings;
    settings.leaves = 3;
    settings.spines = 2;
    settings.hostsPerLeaf = 4;
    settings.parallelLinks = 2;
    settings.hostDelay = 1;
    settings.leafSpineDelay = 2;
    settings.hostRate = 10;
    settings.leafSpineRate = 20;
    const auto fabric = MakeLeafSpine(settings);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
    for (uint32_t leaf = 0; leaf < 3; ++leaf)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            expected[{4 * leaf + i, 12 + leaf}] = 1;
        }
        expected[{12 + leaf, 15}] = 2;
        expected[{12 + leaf, 16}] = 2;
    }
    EXPECT_EQ(CountLinks(fabric), expected);
    EXPECT_EQ(fabric.GetLinks()[LinkIndex(0)].rate, 10U);
    EXPECT_EQ(fabric.GetLinks()[LinkIndex(0)].delay, 1);
    EXPECT_EQ(fabric.GetLinks()[LinkIndex(12)].rate, 20U);
    EXPECT_EQ(fabric.GetLinks()[LinkIndex(12)].delay, 2);
    EXPECT_EQ(fabric.GetNPods(), 3U);
    EXPECT_EQ(fabric.GetNode(NodeIndex(15)).pod, NO_POD);
}

// 16 hosts of 100 Gbit/s are 1.6 Tbit/s; 3:1 leaves 533.33 Gbit/s for 4 * 2 uplinks, 66.67 each.
TEST(LeafSpine, OverSubscriptionGivesTheRateOfUplinks)
{
    LeafSpineSettings settings;
    settings.parallelLinks = 2;
    settings.overSubscription = 3;
    EXPECT_EQ(MakeLeafSpine(settings).GetLinks().back().rate, 66666666667U);
    settings.overSubscription = 0;
    EXPECT_EQ(MakeLeafSpine(settings).GetLinks().back().rate, settings.leafSpineRate);
}

// A host behind one uplink
TEST(LeafSpine, OverSubscriptionGivesUplinksOfOneBitToAPetabitPerSecond)
{
    const auto getRate = [](uint64_t hostRate, double ratio) {
        LeafSpineSettings settings;
        settings.leaves = settings.spines = settings.hostsPerLeaf = 1;
        settings.hostRate = hostRate;
        settings.overSubscription = ratio;
        return MakeLeafSpine(settings).GetLinks().back().rate;
    };
    EXPECT_EQ(getRate(8, 8), 1U);
    EXPECT_EQ(getRate(1000000000000000, 1), 1000000000000000U);
    const auto refuses = [&getRate](uint64_t hostRate, double ratio) {
        return aidctest::CatchMessage([&] {
                   getRate(hostRate, ratio);
               }).find("of 0 or a ratio that gives uplinks 1 bit/s to 1 Pbit/s") !=
               std::string::npos;
    };
    EXPECT_TRUE(refuses(8, 8.001));
    EXPECT_TRUE(refuses(1000000000000000, 0.999));
    EXPECT_TRUE(refuses(8, -1));
    EXPECT_TRUE(refuses(8, std::nan("")));
}

// 2 pods of 3 leaves with 4 hosts, 2 planes of 5 super-spines, 2 parallel links. Leaves at 2:1:
// 4 * 100 / (2 * 2 * 2) = 50 Gbit/s; spines at 1.5:1: 3 * 2 * 50 / (5 * 1.5) = 40 Gbit/s.
TEST(Clos5, SpineJOfEveryPodIsInPlaneJ)
{
    ClosSettings settings;
    settings.pods = 2;
    settings.leavesPerPod = 3;
    settings.hostsPerLeaf = 4;
    settings.spinesPerPod = 2;
    settings.superSpinesPerPlane = 5;
    settings.parallelLinks = 2;
    settings.leafOverSubscription = 2;
    settings.spineOverSubscription = 1.5;
    settings.hostDelay = 1;
    settings.leafSpineDelay = 2;
    settings.spineSuperSpineDelay = 3;
    const auto fabric = MakeClos5(settings);
    // Hosts 0-23, leaves 24-29, spines 30-33, super-spines 34-43.
    ASSERT_EQ(fabric.GetNNodes(), 44U);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
    for (uint32_t leaf = 0; leaf < 6; ++leaf)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            expected[{4 * leaf + i, 24 + leaf}] = 1;
        }
        expected[{24 + leaf, 30 + leaf / 3 * 2}] = 2;
        expected[{24 + leaf, 31 + leaf / 3 * 2}] = 2;
    }
    for (uint32_t i = 0; i < 5; ++i)
    {
        for (const uint32_t pod : {0, 1})
        {
            expected[{30 + 2 * pod, 34 + i}] = 1;
            expected[{31 + 2 * pod, 39 + i}] = 1;
        }
    }
    EXPECT_EQ(CountLinks(fabric), expected);
    EXPECT_EQ(fabric.GetLinks()[LinkIndex(24)].rate, 50000000000U); // after the 24 links of hosts
    EXPECT_EQ(fabric.GetLinks()[LinkIndex(24)].delay, 2);
    EXPECT_EQ(fabric.GetLinks().back().rate, 40000000000U);
    EXPECT_EQ(fabric.GetLinks().back().delay, 3);
}

TEST(Clos5, OptionsOutOfRangeAreRefused)
{
    for (const auto member : {&ClosSettings::pods,
                              &ClosSettings::leavesPerPod,
                              &ClosSettings::hostsPerLeaf,
                              &ClosSettings::spinesPerPod,
                              &ClosSettings::superSpinesPerPlane,
                              &ClosSettings::parallelLinks})
    {
        for (const uint32_t value : {0U, 0xffffffffU})
        {
            ClosSettings settings;
            settings.*member = value;
            EXPECT_THROW(MakeClos5(settings), std::invalid_argument) << value;
        }
    }
    ClosSettings settings;
    settings.leafOverSubscription = -1;
    EXPECT_THROW(MakeClos5(settings), std::invalid_argument);
    settings.leafOverSubscription = 1e30; // less than 1 bit/s
    EXPECT_THROW(MakeClos5(settings), std::invalid_argument);
    LeafSpineSettings leafSpine;
    leafSpine.spines = 0;
    EXPECT_THROW(MakeLeafSpine(leafSpine), std::invalid_argument);
}

RC_GTEST_PROP(AnyGraph, OfAClosNetworkIsThatNetwork, ())
{
    FabricPlan fabric("");
    if (DrawAny<bool>())
    {
        ClosSettings settings;
        settings.pods = DrawInRange<uint32_t>(2, 5);
        settings.leavesPerPod = DrawInRange<uint32_t>(1, 4);
        settings.spinesPerPod = DrawInRange<uint32_t>(1, 4);
        settings.superSpinesPerPlane = DrawInRange<uint32_t>(1, 4);
        settings.parallelLinks = DrawInRange<uint32_t>(1, 3);
        fabric = MakeClos5(settings);
    }
    else
    {
        LeafSpineSettings settings;
        settings.leaves = DrawInRange<uint32_t>(1, 5);
        settings.spines = DrawInRange<uint32_t>(1, 5);
        fabric = MakeLeafSpine(settings);
    }
    const auto again = Remake(fabric);
    RC_ASSERT(again.GetNNodes() == fabric.GetNNodes());
    RC_ASSERT(again.GetLeaves() == fabric.GetLeaves());
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        RC_ASSERT(again.GetNodeName(node) == fabric.GetNodeName(node));
        RC_ASSERT(again.GetAddress(node) == fabric.GetAddress(node));
    }
}

TEST(AnyGraph, ALoneSwitchIsALeaf)
{
    const auto fabric = MakeFabric("star", 3, Nodes({1}), {Link(0, 1), Link(2, 1)});
    EXPECT_EQ(fabric.GetName(), "star");
    EXPECT_EQ(fabric.GetNodeName(NodeIndex(1)), "leaf-0");
    EXPECT_EQ(fabric.GetNodeName(NodeIndex(2)), "host-1");
    EXPECT_EQ(fabric.GetLeaves(), Nodes({1}));
    EXPECT_EQ(fabric.GetNPods(), 1U);
    EXPECT_EQ(fabric.GetAddress(NodeIndex(1)), 0x0a000001U);
    EXPECT_EQ(fabric.GetAddress(NodeIndex(2)), 0x0a000003U);
}

// Nodes 0-2 are switches in a row, leaf - spine - leaf, with the hosts 3 and 4. Two such rows, the
// second of nodes 5-9, are pods when switch 10 connects the spines.
TEST(AnyGraph, PodsAreWhatIsConnectedWithoutSuperSpines)
{
    const FabricLinks row{Link(0, 1), Link(1, 2), Link(3, 0), Link(4, 2)};
    const auto leafSpine = MakeFabric("row", 5, Nodes({2, 1, 0}), row);
    EXPECT_EQ(leafSpine.GetNodeName(NodeIndex(1)), "spine-0");
    EXPECT_EQ(leafSpine.GetNodeName(NodeIndex(2)), "leaf-1");
    EXPECT_EQ(leafSpine.GetNPods(), 2U);

    auto links = row;
    for (const auto& link : row)
    {
        links.Add(Link(link.a.value + 5, link.b.value + 5));
    }
    links.Add(Link(1, 10));
    links.Add(Link(10, 6));
    const auto pods = MakeFabric("rows", 11, Nodes({0, 1, 2, 5, 6, 7, 10}), links);
    EXPECT_EQ(pods.GetNPods(), 2U);
    EXPECT_EQ(pods.GetNodeName(NodeIndex(2)), "pod-0-leaf-1");
    EXPECT_EQ(pods.GetNodeName(NodeIndex(6)), "pod-1-spine-0");
    EXPECT_EQ(pods.GetNodeName(NodeIndex(10)), "super-spine-0");
}

TEST(AnyGraph, WhatIsNoFabricIsRefused)
{
    const FabricLinks star{Link(0, 1), Link(2, 1)};
    EXPECT_THROW(MakeFabric("", 3, Nodes({3}), star), std::invalid_argument);
    EXPECT_THROW(MakeFabric("", 3, Nodes({1, 1}), star), std::invalid_argument);
    EXPECT_THROW(MakeFabric("", 3, Nodes({}), star), std::invalid_argument);
    EXPECT_THROW(MakeFabric("", 4, Nodes({1}), star), std::invalid_argument); // host 3 is alone
    EXPECT_THROW(MakeFabric("", 4, Nodes({1, 3}), star),
                 std::invalid_argument);                                      // switch 3 is alone
    EXPECT_THROW(MakeFabric("", 2, Nodes({1}), star), std::invalid_argument); // no node 2
    EXPECT_THROW(MakeFabric("", 2, Nodes({0, 1}), {Link(0, 1)}), std::invalid_argument); // no host
}
