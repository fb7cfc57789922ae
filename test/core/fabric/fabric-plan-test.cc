// SPDX-License-Identifier: GPL-2.0-only

// The plan of a fabric: what is refused, names, addresses.

#include "fabric-numbers.h"
#include "test/core/core-test.h"

#include "ns3/clos-fabric.h"
#include "ns3/fabric-plan.h"

constexpr uint64_t RATE = 100000000000;

std::string
ToText(uint32_t address)
{
    return std::to_string(address >> 24) + "." + std::to_string(address >> 16 & 255) + "." +
           std::to_string(address >> 8 & 255) + "." + std::to_string(address & 255);
}

std::string
ToText(const FabricPrefix& prefix)
{
    return ToText(prefix.network) + "/" + std::to_string(prefix.length);
}

/// Two hosts, two leaves and a spine, without links.
FabricPlan
MakeNodes()
{
    FabricPlan fabric("small");
    fabric.AddNode(FabricTier::HOST, 0, 0);
    fabric.AddNode(FabricTier::HOST, 1, 1);
    fabric.AddNode(FabricTier::LEAF, 0, 0);
    fabric.AddNode(FabricTier::LEAF, 1, 1);
    fabric.AddNode(FabricTier::SPINE, NO_POD, 0);
    return fabric;
}

/// A Clos network of five stages with one spine a pod and one super-spine.
FabricPlan
MakePods(uint32_t pods, uint32_t leavesPerPod, uint32_t hostsPerLeaf)
{
    ClosSettings settings;
    settings.pods = pods;
    settings.leavesPerPod = leavesPerPod;
    settings.hostsPerLeaf = hostsPerLeaf;
    settings.spinesPerPod = 1;
    settings.superSpinesPerPlane = 1;
    return MakeClos5(settings);
}

/// A Clos network of three stages with one spine.
FabricPlan
MakeLeaves(uint32_t leaves, uint32_t hostsPerLeaf)
{
    return MakeLeafSpine({leaves, 1, hostsPerLeaf});
}

TEST(FabricPlan, PortsAreCountedInTheOrderOfLinks)
{
    auto fabric = MakeNodes();
    EXPECT_EQ(fabric.AddLink(NodeIndex(2), NodeIndex(4), RATE, 5), LinkIndex(0));
    EXPECT_EQ(fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 6, 0.25, 7), LinkIndex(1));
    EXPECT_EQ(fabric.AddLink(NodeIndex(4), NodeIndex(3), RATE, 5), LinkIndex(2));
    EXPECT_EQ(fabric.AddLink(NodeIndex(1), NodeIndex(3), RATE, 5), LinkIndex(3));
    fabric.Finish();
    const auto& link = fabric.GetLinks()[LinkIndex(1)];
    EXPECT_EQ(link.aPort, PortIndex(0));
    EXPECT_EQ(link.bPort, PortIndex(1)); // leaf 2 had one link before
    EXPECT_EQ(link.delay, 6);
    EXPECT_EQ(link.errorRate, 0.25);
    EXPECT_EQ(link.line, 7U);
    ASSERT_EQ(fabric.GetPorts(NodeIndex(4)).size(), 2U);
    EXPECT_EQ(fabric.GetPorts(NodeIndex(4))[PortIndex(0)].peer, NodeIndex(2));
    EXPECT_EQ(fabric.GetPorts(NodeIndex(4))[PortIndex(1)].peer, NodeIndex(3));
    EXPECT_EQ(fabric.GetPorts(NodeIndex(4))[PortIndex(1)].link, LinkIndex(2));
    EXPECT_EQ(fabric.GetHosts(), Nodes({0, 1}));
    EXPECT_EQ(fabric.GetSwitches(), Nodes({2, 3, 4}));
    EXPECT_EQ(fabric.GetLeaf(NodeIndex(1)), NodeIndex(3));
    EXPECT_TRUE(fabric.IsHost(NodeIndex(1)));
    EXPECT_TRUE(fabric.IsSwitch(NodeIndex(4)));
}

TEST(FabricPlan, LinkValuesAreChecked)
{
    auto fabric = MakeNodes();
    EXPECT_EQ(CatchMessage([&] { fabric.AddLink(NodeIndex(0), NodeIndex(5), RATE, 0, 0, 9); }),
              "link 0 (line 9): expected a node below 5, found 5");
    EXPECT_EQ(CatchMessage([&] { fabric.AddLink(NodeIndex(2), NodeIndex(2), RATE, 0); }),
              "link 0: expected two nodes, found node 2 twice");
    EXPECT_NE(CatchMessage([&] { fabric.AddLink(NodeIndex(0), NodeIndex(2), 0, 0); }), "");
    EXPECT_NE(CatchMessage([&] { fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, -1); }), "");
    EXPECT_NE(CatchMessage([&] { fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0, 1.5); }), "");
    EXPECT_NE(
        CatchMessage([&] { fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0, std::nan("")); }),
        "");
    EXPECT_TRUE(fabric.GetLinks().empty());
}

TEST(FabricPlan, AHostHasLinksToLeaves)
{
    auto fabric = MakeNodes();
    fabric.AddLink(NodeIndex(2), NodeIndex(4), RATE, 0);
    fabric.AddLink(NodeIndex(3), NodeIndex(4), RATE, 0);
    fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0);
    auto without = fabric;
    EXPECT_EQ(CatchMessage([&] { without.Finish(); }),
              "node 1: expected a link of a host, found none");
    auto toSpine = fabric;
    toSpine.AddLink(NodeIndex(1), NodeIndex(3), RATE, 0);
    toSpine.AddLink(NodeIndex(1), NodeIndex(4), RATE, 0, 0, 8);
    EXPECT_EQ(CatchMessage([&] { toSpine.Finish(); }),
              "node 1: expected a host's link to a leaf, found link 4 (line 8) to node 4");
    fabric.AddLink(NodeIndex(1), NodeIndex(3), RATE, 0);
    EXPECT_EQ(CatchMessage([&] { fabric.Finish(); }), "");
}

TEST(FabricPlan, SwitchesAreConnected)
{
    auto fabric = MakeNodes();
    fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0);
    fabric.AddLink(NodeIndex(1), NodeIndex(3), RATE, 0);
    fabric.AddLink(NodeIndex(2), NodeIndex(4), RATE, 0);
    EXPECT_EQ(CatchMessage([&] { fabric.Finish(); }),
              "node 3: expected switches that are connected, found no path to node 2");
}

TEST(FabricPlan, LeavesArePodsOfTheirOwnWithoutSuperSpines)
{
    FabricPlan fabric("pods");
    fabric.AddNode(FabricTier::LEAF, 0, 0);
    fabric.AddNode(FabricTier::LEAF, 0, 1);
    fabric.AddLink(NodeIndex(0), NodeIndex(1), RATE, 0);
    EXPECT_EQ(CatchMessage([&] { fabric.Finish(); }),
              "node 1: expected leaf 1 of pod 1, found leaf 1 of pod 0");
}

TEST(FabricPlan, IndicesHaveNoGapsAndAreUnique)
{
    struct Row
    {
        uint32_t pod;
        uint32_t index;
    };

    for (const auto& [pod, index] : {Row{0, 0}, Row{0, 2}, Row{2, 0}, Row{1, 1}, Row{NO_POD, 0}})
    {
        FabricPlan fabric("gap");
        fabric.AddNode(FabricTier::LEAF, 0, 0);
        fabric.AddNode(FabricTier::LEAF, pod, index);
        fabric.AddNode(FabricTier::SUPER_SPINE, NO_POD, 0);
        fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0);
        fabric.AddLink(NodeIndex(1), NodeIndex(2), RATE, 0);
        EXPECT_THROW(fabric.Finish(), std::invalid_argument) << pod << " " << index;
    }
    auto fabric = MakeNodes();
    fabric.AddNode(FabricTier::SPINE, NO_POD, 0);
    for (const NodeIndex spine : Nodes({4, 5}))
    {
        fabric.AddLink(NodeIndex(2), spine, RATE, 0);
        fabric.AddLink(NodeIndex(3), spine, RATE, 0);
    }
    fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0);
    fabric.AddLink(NodeIndex(1), NodeIndex(3), RATE, 0);
    EXPECT_EQ(
        CatchMessage([&] { fabric.Finish(); }),
        "node 5: expected an index that no other node of its tier has, found 0, which node 4 has");
}

TEST(FabricPlan, OnlySuperSpinesConnectPods)
{
    FabricPlan fabric("shortcut");
    fabric.AddNode(FabricTier::LEAF, 0, 0);
    fabric.AddNode(FabricTier::LEAF, 1, 0);
    fabric.AddNode(FabricTier::SUPER_SPINE, NO_POD, 0);
    fabric.AddLink(NodeIndex(0), NodeIndex(2), RATE, 0);
    fabric.AddLink(NodeIndex(1), NodeIndex(2), RATE, 0);
    fabric.AddLink(NodeIndex(0), NodeIndex(1), RATE, 0, 0, 4);
    EXPECT_EQ(CatchMessage([&] { fabric.Finish(); }),
              "link 2 (line 4): expected a link within a pod or to a super-spine, found one "
              "between the pods 0 and 1");
}

TEST(FabricNames, NamePodsOnlyWhereThereAreSuperSpines)
{
    const auto fatTree = MakeFatTree(4, RATE, 1000); // 16 hosts, 8 leaves, 8 spines, 4 at the top
    EXPECT_EQ(fatTree.GetNodeName(NodeIndex(12)), "host-12");
    EXPECT_EQ(fatTree.GetNodeName(NodeIndex(16 + 5)), "pod-2-leaf-1");
    EXPECT_EQ(fatTree.GetNodeName(NodeIndex(24 + 4)), "pod-2-spine-0");
    EXPECT_EQ(fatTree.GetNodeName(NodeIndex(32 + 3)), "super-spine-3");
    const auto leafSpine = MakeLeaves(3, 2);
    EXPECT_EQ(leafSpine.GetNodeName(NodeIndex(6 + 2)), "leaf-2");
    EXPECT_EQ(leafSpine.GetNodeName(NodeIndex(9)), "spine-0");
}

TEST(FabricNames, PortsOfParallelLinksAreNumbered)
{
    LeafSpineSettings settings{2, 2, 1};
    EXPECT_EQ(MakeLeafSpine(settings).GetPortName(NodeIndex(3), PortIndex(2)), "leaf-1:spine-1");
    settings.parallelLinks = 2; // ports of leaf 1: host, spine 0 twice, spine 1 twice
    const auto fabric = MakeLeafSpine(settings);
    EXPECT_EQ(fabric.GetPortName(NodeIndex(3), PortIndex(0)), "leaf-1:host-1");
    EXPECT_EQ(fabric.GetPortName(NodeIndex(3), PortIndex(3)), "leaf-1:spine-1.1");
    EXPECT_EQ(fabric.GetPortName(NodeIndex(3), PortIndex(4)), "leaf-1:spine-1.2");
    EXPECT_EQ(fabric.GetPortName(NodeIndex(5), PortIndex(2)), "spine-1:leaf-1.1");
    EXPECT_EQ(fabric.GetPortName(NodeIndex(0), PortIndex(0)), "host-0:leaf-0");
}

TEST(FabricAddresses, EachPartHasEightBitsWhereEverythingFits)
{
    const auto fabric = MakePods(3, 4, 5); // 60 hosts, then 12 leaves, 3 spines, 1 super-spine
    EXPECT_EQ(ToText(fabric.GetPodPrefix(2)), "10.2.0.0/16");
    EXPECT_EQ(ToText(fabric.GetLeafPrefix(NodeIndex(60 + 11))), "10.2.3.0/24");
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(60 + 11))), "10.2.3.1");
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(55))),
              "10.2.3.2"); // the first host of the last leaf
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(59))), "10.2.3.6");
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(72))), "172.16.0.1");
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(75))),
              "172.16.0.4"); // the super-spine, after 3 spines
}

TEST(FabricAddresses, LeavesHaveSixteenBitsWithoutSuperSpines)
{
    const auto fabric = MakeLeaves(300, 2); // leaf 299 = 1 * 256 + 43
    EXPECT_EQ(ToText(fabric.GetLeafPrefix(NodeIndex(600 + 299))), "10.1.43.0/24");
    EXPECT_EQ(ToText(fabric.GetPodPrefix(299)), "10.1.43.0/24");
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(600 + 299))), "10.1.43.1");
    EXPECT_EQ(ToText(fabric.GetAddress(NodeIndex(599))), "10.1.43.3");
}

TEST(FabricAddresses, PartsHaveAsFewBitsAsTheyNeedWhereEightAreTooFew)
{
    // 253 hosts, the leaf, all-zeros and all-ones are 256 addresses. One host more: 1 pod bit and
    // 2 leaf bits at the top of 24, so prefixes of 9 and 11 bits; 10.128.0.0 + 2 * 2^21 = 10.192.
    EXPECT_EQ(ToText(MakePods(2, 3, 253).GetLeafPrefix(NodeIndex(6 * 253 + 5))), "10.1.2.0/24");
    const auto hosts = MakePods(2, 3, 254);
    EXPECT_EQ(ToText(hosts.GetPodPrefix(1)), "10.128.0.0/9");
    EXPECT_EQ(ToText(hosts.GetLeafPrefix(NodeIndex(6 * 254 + 5))), "10.192.0.0/11");
    EXPECT_EQ(ToText(hosts.GetAddress(NodeIndex(6 * 254 - 1))), "10.192.0.255");
    // 257 leaves need 9 bits, 4 pods 2: prefixes of 10 and 19 bits; 10.64.0.0 + 256 * 2^13.
    const auto leaves = MakePods(4, 257, 1);
    EXPECT_EQ(ToText(leaves.GetPodPrefix(1)), "10.64.0.0/10");
    EXPECT_EQ(ToText(leaves.GetLeafPrefix(NodeIndex(1028 + 257 + 256))), "10.96.0.0/19");
    // One leaf with 300 hosts has all 24 bits.
    const auto star = MakeLeaves(1, 300);
    EXPECT_EQ(ToText(star.GetLeafPrefix(NodeIndex(300))), "10.0.0.0/8");
    EXPECT_EQ(ToText(star.GetAddress(NodeIndex(299))), "10.0.1.45"); // 1 + 300 = 256 + 45
}

TEST(FabricAddresses, TooManyAreRefused)
{
    FabricSizes sizes;
    const auto divide = [&sizes] { DivideAddresses({}, sizes, false); };
    sizes.nPods = 1 << 8;
    sizes.nLeaves = 1 << 8;
    sizes.nHosts = 253; // 8 + 8 + 8 bits
    EXPECT_NO_THROW(divide());
    sizes.nHosts = 254; // 8 + 8 + 9 bits
    EXPECT_EQ(CatchMessage(divide),
              "expected a fabric that 24 bits of address can number, found 256 pods of up to 256 "
              "leaves with up to 254 hosts");
    sizes = {};
    sizes.nSpines = (1 << 20) - 2; // 172.16.0.0/12 without all-zeros and all-ones
    EXPECT_NO_THROW(divide());
    ++sizes.nSpines;
    EXPECT_NE(CatchMessage(divide), "");
}

TEST(FabricAddresses, AFabricMayHaveNetworksOfItsOwn)
{
    auto pods = MakePods(4, 2, 2);
    pods.SetNetworks({{0x0a020000, 16}, {0xac120000, 16}}); // 10.2.0.0/16 and 172.18.0.0/16
    // 4 bits of pod, 4 of leaf, 8 of host.
    EXPECT_EQ(ToText(pods.GetPodPrefix(3)), "10.2.48.0/20");
    EXPECT_EQ(ToText(pods.GetLeafPrefix(NodeIndex(16 + 7))), "10.2.49.0/24");
    EXPECT_EQ(ToText(pods.GetAddress(NodeIndex(15))), "10.2.49.3");
    EXPECT_EQ(ToText(pods.GetAddress(NodeIndex(16 + 8))), "172.18.0.1"); // the first spine
    EXPECT_EQ(pods.GetNetworks().leaves.length, 16);
    // Before Finish() it is the same; leaves are pods here, with 8 bits each.
    auto leaves = MakeLeaves(3, 2);
    leaves.SetNetworks({{0x0a020000, 16}, {0xac120000, 16}});
    EXPECT_EQ(ToText(leaves.GetLeafPrefix(NodeIndex(6 + 2))), "10.2.2.0/24");
    EXPECT_NE(CatchMessage([&] { leaves.SetNetworks({{0x0a020001, 16}, {0xac120000, 16}}); }), "");
    EXPECT_NE(CatchMessage([&] { leaves.SetNetworks({{0x0a020000, 25}, {0xac120000, 16}}); }), "");
    EXPECT_EQ(CatchMessage([&] { leaves.SetNetworks({{0x0a020000, 23}, {0xac120000, 16}}); }), "");
    EXPECT_EQ(CatchMessage([&] { leaves.SetNetworks({{0x0a020000, 24}, {0xac120000, 16}}); }), "");
    auto large = MakeLeaves(3, 62);
    EXPECT_EQ(CatchMessage([&] { large.SetNetworks({{0x0a020000, 24}, {0xac120000, 16}}); }),
              "expected a fabric that 8 bits of address can number, found 3 pods of up to 1 leaves "
              "with up to 62 hosts");
}

RC_GTEST_PROP(FabricAddresses, AreUniqueAndInTheirLeafsPrefix, ())
{
    const auto pods = DrawInRange<uint32_t>(1, 5);
    const auto leaves = DrawElement<uint32_t>({1, 2, 3, 7});
    const auto hosts = DrawElement<uint32_t>({1, 5, 253, 254, 255});
    const bool isClos5 = DrawAny<bool>();
    const auto fabric = isClos5 ? MakePods(pods, leaves, hosts) : MakeLeaves(pods * leaves, hosts);
    std::set<uint32_t> addresses;
    for (NodeIndex node; node < NodeIndex(fabric.GetNNodes()); ++node)
    {
        RC_ASSERT(addresses.insert(fabric.GetAddress(node)).second);
    }
    for (const NodeIndex leaf : fabric.GetLeaves())
    {
        const auto [network, length] = fabric.GetLeafPrefix(leaf);
        const auto pod = fabric.GetPodPrefix(fabric.GetNode(leaf).pod);
        const uint32_t hostMask = 0xffffffffU >> length;
        RC_ASSERT((network & hostMask) == 0U);
        RC_ASSERT((network & ~(0xffffffffU >> pod.length)) == pod.network);
        RC_ASSERT(addresses.count(network) == 0U);
        RC_ASSERT(addresses.count(network | hostMask) == 0U);
    }
    for (const NodeIndex host : fabric.GetHosts())
    {
        const auto [network, length] = fabric.GetLeafPrefix(fabric.GetLeaf(host));
        RC_ASSERT((fabric.GetAddress(host) & ~(0xffffffffU >> length)) == network);
    }
}

TEST(FabricProcesses, AreOnesOfTheCallersChoice)
{
    auto fabric = MakeLeafSpine({1, 1, 2}); // hosts 0 and 1, leaf 2, spine 3
    IndexedVector<NodeIndex, uint32_t> processes;
    for (const uint32_t process : {2U, 0U, 1U, 2U})
    {
        processes.Add(process);
    }
    fabric.SetProcesses(processes, 3);
    EXPECT_EQ(fabric.GetNProcesses(), 3U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(0)), 2U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(1)), 0U);
    EXPECT_EQ(fabric.GetProcess(NodeIndex(2)), 1U);
    EXPECT_EQ(CatchMessage([&] { fabric.SetProcesses(processes, 2); }),
              "expected processes from 0 to 2 - 1, found 2");
    processes.Add(0);
    EXPECT_EQ(CatchMessage([&] { fabric.SetProcesses(processes, 3); }),
              "expected a process for each of 4 nodes, found 5");
    EXPECT_EQ(fabric.GetProcess(NodeIndex(0)), 2U);
}
