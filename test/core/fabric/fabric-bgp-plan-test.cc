// SPDX-License-Identifier: GPL-2.0-only

// AS numbers of switches and addresses of links.

#include "random-fabrics.h"
#include "test/core/core-test.h"

#include "ns3/fabric-bgp-plan.h"

TEST(FabricAsPlan, Rfc7938Section521AFatTreeHasAnAsATopTierAPodsSpinesAndALeaf)
{
    const FabricPlan fabric = MakeFatTree(4, RATE, 1000);
    const FabricAsPlan plan(fabric);
    std::map<std::string, uint32_t> numbers;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        numbers[fabric.GetNodeName(node)] = plan.GetAs(node);
    }
    EXPECT_EQ(numbers["super-spine-0"], 4200000000);
    EXPECT_EQ(numbers["super-spine-3"], 4200000000);
    EXPECT_EQ(numbers["pod-0-spine-0"], 4200000001);
    EXPECT_EQ(numbers["pod-0-spine-1"], 4200000001);
    EXPECT_EQ(numbers["pod-3-spine-1"], 4200000004);
    EXPECT_EQ(numbers["pod-0-leaf-0"], 4200000005);
    EXPECT_EQ(numbers["pod-0-leaf-1"], 4200000006);
    EXPECT_EQ(numbers["pod-3-leaf-1"], 4200000012);
    for (const NodeIndex host : fabric.GetHosts())
    {
        EXPECT_EQ(plan.GetAs(host), 65534U);
    }
}

TEST(FabricAsPlan, Rfc7938Section521WithoutSuperSpinesAllSpinesShareAnAs)
{
    const FabricPlan fabric = MakeLeafSpine({4, 4, 16, 2});
    const FabricAsPlan plan(fabric, 4210000000);
    std::set<uint32_t> leaves;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        if (fabric.GetNode(node).tier == FabricTier::SPINE)
        {
            EXPECT_EQ(plan.GetAs(node), 4210000000);
        }
        else
        {
            leaves.insert(plan.GetAs(node));
        }
    }
    EXPECT_EQ(leaves, (std::set<uint32_t>{4210000001, 4210000002, 4210000003, 4210000004}));
}

TEST(FabricAsPlan, Rfc6996NumbersArePrivate)
{
    const FabricPlan fabric = MakeLeafSpine({}); // 5 ASs
    const auto make = [&fabric](uint32_t first) {
        return CatchMessage([&] { FabricAsPlan(fabric, first); });
    };
    EXPECT_EQ(make(4294967290), "");
    EXPECT_EQ(make(4294967291),
              "expected 5 AS numbers from 4200000000 to 4294967294, found 4294967291 as the first "
              "one");
    EXPECT_EQ(make(4200000000), "");
    EXPECT_NE(make(4199999999), "");
    EXPECT_NE(make(64512), "");
    EXPECT_NE(make(4294967295), "");
    // The last number is one, and enough for two hosts at a leaf.
    const FabricPlan leaf = MakeFabric("leaf", 3, Nodes({2}), {Link(0, 2), Link(1, 2)});
    EXPECT_EQ(FabricAsPlan(leaf, 4294967294).GetAs(NodeIndex(2)), 4294967294);
    EXPECT_NE(CatchMessage([&] { FabricAsPlan(leaf, 4294967295); }), "");
}

TEST(FabricAsPlan, LinksWithinAnAsAreRefused)
{
    // Two leaves with a host each, two spines with a link between them
    const FabricPlan fabric = MakeFabric(
        "ladder",
        6,
        Nodes({2, 3, 4, 5}),
        {Link(0, 2), Link(1, 3), Link(2, 4), Link(3, 4), Link(2, 5), Link(3, 5), Link(4, 5)});
    EXPECT_EQ(CatchMessage([&] { FabricAsPlan plan(fabric); }),
              "expected links between tiers, as a Clos network has, found one between spine-0 and "
              "spine-1, which share an AS");
}

RC_GTEST_PROP(FabricAsPlan, SwitchesShareAnAsIfTierAndPodAreTheSameAndTheyAreNoLeaves, ())
{
    Draw draw;
    const FabricPlan fabric = draw(0, 2) == 0 ? MakeRandomClos5(draw) : MakeRandomLeafSpine(draw);
    const FabricAsPlan plan(fabric);
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
    std::map<Key, std::set<uint32_t>> numbers;
    std::set<uint32_t> all;
    for (const NodeIndex node : fabric.GetSwitches())
    {
        const auto& [tier, pod, index, server] = fabric.GetNode(node);
        numbers[{static_cast<uint32_t>(tier), pod, tier == FabricTier::LEAF ? index : 0}].insert(
            plan.GetAs(node));
        all.insert(plan.GetAs(node));
    }
    for (const auto& [key, found] : numbers)
    {
        RC_ASSERT(found.size() == 1U);
    }
    RC_ASSERT(all.size() == numbers.size());
}

TEST(FabricLinkAddresses, Rfc3021EndsOfALinkHaveTheTwoAddressesOfAPrefixOf31Bits)
{
    const FabricPlan fabric = MakeFatTree(4, RATE, 1000);
    const FabricLinkAddresses addresses(fabric);
    EXPECT_EQ(addresses.GetLinks().size(), 32U); // 16 of hosts beside them
    std::set<uint32_t> all;
    for (const LinkIndex index : addresses.GetLinks())
    {
        const FabricLink& link = fabric.GetLinks()[index];
        const uint32_t a = addresses.GetAddress(index, link.a);
        const uint32_t b = addresses.GetAddress(index, link.b);
        EXPECT_EQ(a ^ b, 1U);
        EXPECT_EQ(a >> 22, 0x64400000U >> 22);
        all.insert({a, b});
    }
    EXPECT_EQ(all.size(), 64U);
    EXPECT_EQ(*all.begin(), 0x64400000U);
    EXPECT_EQ(*all.rbegin(), 0x64400000U + 63);
}

TEST(FabricLinkAddresses, LinksOfHostsWithSeveralLinksHaveSomeIfWanted)
{
    FabricPlan fabric("hosts");
    for (uint32_t i = 0; i < 2; ++i)
    {
        fabric.AddNode(FabricTier::LEAF, i, i);
        fabric.AddNode(FabricTier::HOST, 0, i);
    }
    fabric.AddLink(NodeIndex(1), NodeIndex(0), RATE, 1000);
    fabric.AddLink(NodeIndex(1), NodeIndex(2), RATE, 1000);
    fabric.AddLink(NodeIndex(3), NodeIndex(2), RATE, 1000);
    const NodeIndex spine = fabric.AddNode(FabricTier::SPINE, NO_POD, 0);
    fabric.AddLink(NodeIndex(0), spine, RATE, 1000);
    fabric.AddLink(NodeIndex(2), spine, RATE, 1000);
    fabric.Finish();
    const auto get = [&fabric](bool hasHosts) {
        return FabricLinkAddresses(fabric, FabricLinkAddresses::DEFAULT_NETWORK, hasHosts)
            .GetLinks();
    };
    EXPECT_EQ(get(false), (std::vector<LinkIndex>{LinkIndex(3), LinkIndex(4)}));
    EXPECT_EQ(get(true),
              (std::vector<LinkIndex>{LinkIndex(0), LinkIndex(1), LinkIndex(3), LinkIndex(4)}));
}

TEST(FabricLinkAddresses, NetworksThatAreTooSmallOrTakenAreRefused)
{
    const FabricPlan fabric = MakeFatTree(4, RATE, 1000); // 32 links
    const auto make = [&fabric](uint32_t network, uint8_t length) {
        return CatchMessage([&] { FabricLinkAddresses(fabric, {network, length}); });
    };
    EXPECT_EQ(make(0xc0a80000, 26), "");
    EXPECT_EQ(make(0xc0a80000, 27), "expected a network for 32 links, found 192.168.0.0/27 for 16");
    EXPECT_EQ(make(0xc0a80001, 24),
              "expected a network of 1 to 31 bits for links, and zeros behind them, found "
              "192.168.0.1/24");
    EXPECT_EQ(make(0x0a400000, 10),
              "expected a network for links apart from 10.0.0.0/8, found 10.64.0.0/10");
    EXPECT_EQ(make(0xac000000, 8),
              "expected a network for links apart from 172.16.0.0/12, found 172.0.0.0/8");
    EXPECT_NE(make(0, 0), "");
    EXPECT_NE(make(0xc0a80000, 32), "");
}

TEST(FabricLinkAddresses, TheDefaultSufficesForAFatTreeOfK32)
{
    const FabricPlan fabric = MakeFatTree(32, RATE, 1000);
    EXPECT_EQ(FabricLinkAddresses(fabric).GetLinks().size(), 16384U);
    EXPECT_EQ(FabricAsPlan(fabric).GetAs(fabric.GetLeaves().back()), 4200000000U + 1 + 32 + 511);
}
