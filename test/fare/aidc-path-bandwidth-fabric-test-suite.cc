// SPDX-License-Identifier: GPL-2.0-only

#include "test/bgp/bgp-fabric-network.h"
#include "test/test-case.h"

AIDC_TEST_SUITE("aidc-path-bandwidth-fabric", SYSTEM);

// A leaf that has lost a link, as draft-xu-idr-fare has it. Expected results, in GB/s: of 4 leaves
// with links of 100 Gbit/s to 4 spines, leaf 0 has lost its link to spine 0. Then spine 0 has no
// route there. Leaf 1 has links of 12.5 to the others, which advertise 12.5. To leaf 2, leaf 0 has
// three links, and leaf 1 four.
AIDC_TEST_CASE("one of four links of a leaf is lost and comes back: weights of the topology")
{
    LeafSpineSettings settings{4, 4, 1};
    settings.leafSpineRate = settings.hostRate;
    const FabricPlan plan = MakeLeafSpine(settings); // hosts 0 to 3, leaves 4 to 7, spines 8-11
    FabricHelper network;
    network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
    network.SetSwitchRoutes(FabricHelper::PATH_BANDWIDTHS);
    network.Build(plan);
    network.AssignAddresses();
    const auto get = [&](uint32_t node, uint32_t host) {
        return Print(GetPortWeights(network, NodeIndex(node), network.GetAddress(NodeIndex(host))));
    };
    // Port 0 of a leaf is its host's.
    NS_TEST_EXPECT_MSG_EQ(get(4, 1), "1:12.5 2:12.5 3:12.5 4:12.5", "leaf 0 to leaf 1");
    NS_TEST_EXPECT_MSG_EQ(get(8, 0), "0:12.5", "spine 0 to leaf 0");
    const LinkIndex lost = plan.GetPorts(NodeIndex(4))[PortIndex(1)].link;
    network.ScheduleFailure(lost, Seconds(1), Seconds(2));
    RunFor(Seconds(1.5));
    NS_TEST_EXPECT_MSG_EQ(get(8, 0), "", "spine 0 to leaf 0, lost");
    NS_TEST_EXPECT_MSG_EQ(get(5, 0), "2:12.5 3:12.5 4:12.5", "leaf 1 to leaf 0, lost");
    NS_TEST_EXPECT_MSG_EQ(get(4, 2), "2:12.5 3:12.5 4:12.5", "leaf 0 to leaf 2, lost");
    NS_TEST_EXPECT_MSG_EQ(get(5, 2), "1:12.5 2:12.5 3:12.5 4:12.5", "leaf 1 to leaf 2, lost");
    RunFor(Seconds(1));
    NS_TEST_EXPECT_MSG_EQ(get(8, 0), "0:12.5", "spine 0 to leaf 0, back");
    NS_TEST_EXPECT_MSG_EQ(get(5, 0), "1:12.5 2:12.5 3:12.5 4:12.5", "leaf 1 to leaf 0, back");
    Simulator::Destroy();
}

// Weights of the topology are aggregated where they are equal.
AIDC_TEST_CASE("an intact fat-tree has as many routes by path bandwidth as without")
{
    std::vector<std::size_t> counts;
    for (const auto routes : {FabricHelper::SHORTEST_PATHS, FabricHelper::PATH_BANDWIDTHS})
    {
        FabricHelper network;
        network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        network.SetSwitchRoutes(routes);
        network.Build(MakeFatTree(4, 100000000000, 1000));
        network.AssignAddresses();
        std::size_t n = 0;
        for (const NodeIndex node : network.GetFabric().GetSwitches())
        {
            n += MultipathRoutingHelper::GetRouting(network.GetNode(node))->GetNRoutes();
        }
        counts.push_back(n);
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_EQ(counts[0], counts[1], "routes");
}

// Shares of uplinks change no message of an intact fabric, and tell of a link above a spine. In a
// fat-tree of k = 4, a spine has two leaves and two super-spines, all at 100 Gbit/s. If a link of a
// spine and a super-spine is lost, 12.5 GB/s are left for two leaves, 6.25 for each, in both
// directions.
AIDC_TEST_CASE("shares of uplinks in a fat-tree, intact and with a link lost above a spine")
{
    const FabricPlan plan = MakeFatTree(4, 100000000000, 1000);
    std::vector<uint64_t> messages;
    std::vector<uint64_t> bytes;
    for (const bool shares : {false, true})
    {
        BgpFabricNetwork fabric(plan, {shares, false});
        AIDC_EXPECT(fabric.Settle(30), "settled");
        const auto total = fabric.bgp.GetStatistics().sent.GetTotal();
        messages.push_back(total.messages);
        bytes.push_back(total.bytes);
        const NodeIndex leaf = plan.GetLeaves().front();
        const NodeIndex remote = plan.GetLeaves().back();
        const auto get = [&](NodeIndex from, NodeIndex to) {
            const NodeIndex host = plan.GetPorts(to)[PortIndex(0)].peer;
            return Print(GetPortWeights(fabric.network, from, fabric.network.GetAddress(host)));
        };
        NS_TEST_EXPECT_MSG_EQ(get(leaf, remote), "2:12.5 3:12.5", "intact");
        const NodeIndex spine = plan.GetPorts(leaf)[PortIndex(2)].peer;
        fabric.network.FailLink(plan.GetPorts(spine)[PortIndex(2)].link);
        AIDC_EXPECT(fabric.Settle(30), "settled again");
        const std::string expected = shares ? "2:6.25 3:12.5" : "2:12.5 3:12.5";
        NS_TEST_EXPECT_MSG_EQ(get(leaf, remote), expected, "from its pod");
        NS_TEST_EXPECT_MSG_EQ(get(remote, leaf), expected, "to its pod");
    }
    NS_TEST_EXPECT_MSG_EQ(messages[0], messages[1], "messages, intact");
    NS_TEST_EXPECT_MSG_EQ(bytes[0], bytes[1], "bytes, intact");
}

// Hosts with links of several rates to two leaves, by BGP and by the topology. Three leaves have
// links of 100 Gbit/s to four spines each, 50 GB/s in all. Two hosts have links of 100 Gbit/s to
// leaf 0 and of 400 Gbit/s to leaf 1. Their weights to a host of leaf 2 are, in GB/s, 12.5 and 50:
// the rates of the links. If leaf 1 has lost half of its links, it has 25. If nodes share uplinks,
// each of the two hosts has a half of what leaf 1 has, but leaf 0 has enough for both.
AIDC_TEST_CASE_P(HostTestCase,
                 bool,
                 shares,
                 std::string("hosts with links to two leaves, one of which loses half of its "
                             "uplinks; shares: ") +
                     (shares ? "yes" : "no"))
{
    constexpr uint64_t rate = 100000000000;
    FabricPlan plan("hosts");
    std::vector<NodeIndex> leaves;
    for (uint32_t i = 0; i < 3; ++i)
    {
        leaves.push_back(plan.AddNode(FabricTier::LEAF, i, i));
    }
    std::vector<LinkIndex> lost;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const NodeIndex spine = plan.AddNode(FabricTier::SPINE, NO_POD, i);
        for (const NodeIndex leaf : leaves)
        {
            if (leaf == leaves[1] && i % 2 == 0)
            {
                lost.push_back(LinkIndex(static_cast<uint32_t>(plan.GetLinks().size())));
            }
            plan.AddLink(leaf, spine, rate, 1000);
        }
    }
    std::vector<NodeIndex> hosts;
    for (uint32_t i = 0; i < 3; ++i)
    {
        hosts.push_back(plan.AddNode(FabricTier::HOST, 0, i));
        plan.AddLink(hosts[i], leaves[i < 2 ? 0 : 2], rate, 1000);
        if (i < 2)
        {
            plan.AddLink(hosts[i], leaves[1], 4 * rate, 1000);
        }
    }
    plan.Finish();

    BgpFabricNetwork fabric(plan, {shares, true});
    FabricHelper computed;
    const MultipathRoutingHelper routing("ns3::aidc::PathBandwidthRouting");
    computed.SetSwitchRouting(routing);
    computed.SetHostRouting(routing);
    computed.SetSwitchRoutes(FabricHelper::PATH_BANDWIDTHS);
    computed.SetHostRoutes(FabricHelper::PATH_BANDWIDTHS);
    computed.SetSharesUplinks(shares);
    computed.Build(plan);
    computed.AssignAddresses();
    const auto check = [&](const std::string& expected, const std::string& what) {
        AIDC_EXPECT(fabric.Settle(30), "settled, " << what);
        for (const FabricHelper* network : {&fabric.network, &computed})
        {
            const auto weights = GetPortWeights(*network, hosts[0], network->GetAddress(hosts[2]));
            NS_TEST_EXPECT_MSG_EQ(Print(weights), expected, what);
        }
    };
    check(shares ? "0:12.5 1:25" : "0:12.5 1:50", "all links are up");
    for (FabricHelper* network : {&fabric.network, &computed})
    {
        for (const LinkIndex link : lost)
        {
            network->FailLink(link);
        }
    }
    check(shares ? "0:12.5 1:12.5" : "0:12.5 1:25", "leaf 1 has lost half of its uplinks");
    for (FabricHelper* network : {&fabric.network, &computed})
    {
        network->FailLink(plan.GetPorts(hosts[1])[PortIndex(1)].link);
    }
    check("0:12.5 1:25", "and the other host its link to leaf 1");
}

// Switches that speak BGP have the weights of the topology, in random fabrics of three and five
// stages with parallel links and hosts at two leaves, while links are down and after. In some of
// them, hosts speak, too, and nodes share uplinks. A FabricHelper with the weights of the topology
// has the same in its tables.
AIDC_TEST_CASE_P(EqualityTestCase,
                 uint32_t,
                 seed,
                 "weights by BGP are those of the topology, seed " + std::to_string(seed))
{
    Draw draw(seed);
    const FabricPlan plan = DrawFabric(draw);
    const auto nLinks = static_cast<uint32_t>(plan.GetLinks().size());
    const FabricPathBandwidthSettings settings{seed % 3 > 0, seed % 2 > 0};
    BgpFabricNetwork fabric(plan, settings);
    FabricHelper computed;
    computed.SetSharesUplinks(settings.sharesUplinks);
    if (settings.hasHosts)
    {
        computed.SetHostRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        computed.SetHostRoutes(FabricHelper::PATH_BANDWIDTHS);
    }
    computed.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
    computed.SetSwitchRoutes(FabricHelper::PATH_BANDWIDTHS);
    computed.Build(plan);
    computed.AssignAddresses();
    for (int step = 0; step < 5; ++step)
    {
        for (uint32_t i = step == 0 ? 0 : draw(1, 6); i > 0; --i)
        {
            const LinkIndex link(draw(0, nLinks));
            const bool isUp = fabric.network.GetRoutes().IsLinkUp(link) && draw(0, 4) > 0;
            for (FabricHelper* network : {&fabric.network, &computed})
            {
                isUp ? network->FailLink(link) : network->RestoreLink(link);
            }
        }
        AIDC_EXPECT(fabric.Settle(30), "settled, step " << step);
        NS_TEST_ASSERT_MSG_EQ(fabric.Compare(), "", "tables of BGP, step " << step);
        for (const NodeIndex node : fabric.GetSpeakingNodes())
        {
            for (const NodeIndex host : plan.GetHosts())
            {
                if (host == node)
                {
                    continue;
                }
                const auto address = computed.GetAddress(host);
                NS_TEST_ASSERT_MSG_EQ(Print(GetPortWeights(computed, node, address)),
                                      Print(GetPortWeights(fabric.network, node, address)),
                                      plan.GetNodeName(node)
                                          << " to " << plan.GetNodeName(host) << ", step " << step);
            }
        }
    }
}

// Settings that do not fit each other end the program.
AIDC_TEST_CASE("routes of hosts and shares that do not fit the routes of switches")
{
    const auto build =
        [](FabricHelper::SwitchRoutes switches, FabricHelper::SwitchRoutes hosts, bool shares) {
            return RunInChild([&] {
                FabricHelper network;
                network.SetSwitchRoutes(switches);
                network.SetHostRoutes(hosts);
                network.SetSharesUplinks(shares);
                network.Build(MakeFatTree(4, 100000000000, 1000));
                network.AssignAddresses();
            });
        };
    const std::string expected = "expected hosts with SHORTEST_PATHS or the kind of routes";
    AIDC_EXPECT(build(FabricHelper::OWN_HOSTS, FabricHelper::PATH_BANDWIDTHS, false).Says(expected),
                "computed weights of hosts, BGP on switches");
    AIDC_EXPECT(build(FabricHelper::PATH_BANDWIDTHS, FabricHelper::OWN_HOSTS, false).Says(expected),
                "BGP on hosts, computed weights of switches");
    AIDC_EXPECT(build(FabricHelper::OWN_HOSTS, FabricHelper::OWN_HOSTS, true)
                    .Says("it is the attribute ShareUplinks of BgpSpeaker"),
                "computed shares with BGP");
}

AIDC_ADD_TEST_CASES()
{
    AddTestCases<HostTestCase>({false, true});
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        AddTestCase(new EqualityTestCase(seed));
    }
}
