// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wan-network.h"
#include "test/test-case.h"
#include "wan-network.h"

#include "ns3/aidc-input-error.h"

// BGP in two data centers and on their PEs.
AIDC_TEST_SUITE("aidc-bgp-wan", SYSTEM);

/// Two fat-trees of 4 pods, with links of 100 Gb/s, 12.5 GB/s, and two PEs each, whose links have
/// 400 Gb/s. Super-spines 0 and 1 are above spine 0 of each pod, 2 and 3 above spine 1.
class FatTrees
{
  public:
    FatTrees()
    {
        PrepareBgp(wan);
        wan.SetCoreKnowsAidcs(false);
        TwoSiteWanSettings settings;
        settings.edges = 2;
        settings.paths = {{1000000, 400000000000, 2}};
        const auto plan = MakeFatTree(4, 100000000000, 1000);
        wan.Build({plan, plan}, MakeTwoSiteWan(settings));
        wan.AssignAddresses();
        tunnels.Install(wan);
        bgp.Install(wan, tunnels);
        bgp.AssignStreams(1 + wan.AssignStreams(1));
    }

    /// Simulate until all is settled, at least for what a change takes.
    bool Settle() const
    {
        RunFor(SETTLED);
        return bgp.IsSettled();
    }

    /// Get where a router sends what is for a host of the second data center.
    std::string GetFrom(const std::string& router, const std::string& host)
    {
        return GetWeights(wan, wan.GetRouter(router), 1, host);
    }

    /// Get where a switch of the first data center sends what is for the second one.
    std::string GetFromSwitch(const std::string& name)
    {
        const FabricHelper& aidc = wan.GetAidc(0);
        return GetWeights(wan, aidc.GetNode(FindNode(aidc.GetFabric(), name)), 1, "host-0");
    }

    WanHelper wan;           //!< the network
    WanTunnelHelper tunnels; //!< its tunnels
    BgpWanHelper bgp;        //!< its speakers
    SimulationEnd m_end;     //!< of this network
};

/// Set the bandwidth of a link in the second data center, at one end.
void
SetBandwidth(FatTrees& network, const std::string& name, const std::string& peer, double gigabytes)
{
    const FabricPlan& plan = network.wan.GetAidc(1).GetFabric();
    const NodeIndex node = FindNode(plan, name);
    BgpFabricHelper& bgp = network.bgp.GetAidc(1);
    bgp.GetSpeaker(node)->SetLinkBandwidth(bgp.GetPeer(node, FindPort(plan, name, peer)),
                                           gigabytes * 1e9);
}

/// Check the weights of all PEs for the hosts of leaves 0 and 1 of the second data center.
/// nearTo: the weights of its own PEs to a host of leaf 0. nearToOther: the weights of its own
/// PEs to a host of leaf 1.
void
CheckLeaves(FatTrees& network,
            const std::string& when,
            const std::string& nearTo,
            const std::string& farTo,
            const std::string& nearToOther,
            const std::string& farToOther)
{
    AIDC_EXPECT(network.Settle(), "settled, " << when);
    for (const std::string i : {"0", "1"})
    {
        NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-b-" + i, "host-0"), nearTo, when);
        NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-a-" + i, "host-0"), farTo, when);
        NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-b-" + i, "host-2"), nearToOther, when);
        NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-a-" + i, "host-2"), farToOther, when);
    }
}

// PEs weigh border switches, and tunnels, by the bandwidth of paths to each leaf
// (draft-xu-idr-fare, section "Solution Description", five stages). Expected results, in GB/s: a
// PE has four paths to a leaf, by each super-spine: the minimum of 50 of the border link, of the
// transitive bandwidth of spine and leaf, and of the non-transitive one of super-spine and spine.
// A tunnel has the minimum of 50 and of the sum at its other end.
AIDC_TEST_CASE("PEs of fat-trees weigh paths by what is behind")
{
    FatTrees network;
    AIDC_EXPECT(!network.bgp.IsSettled(), "before");
    const FabricPlan& plan = network.wan.GetAidc(1).GetFabric();
    FabricHelper& aidc = network.wan.GetAidc(1);
    const std::string all =
        "super-spine-0:12.5 super-spine-1:12.5 super-spine-2:12.5 super-spine-3:12.5";
    const std::string both = "pe-b-0:50 pe-b-1:50";
    CheckLeaves(network, "at first", all, both, all, both);

    const LinkIndex link = FindLink(plan, "pod-0-leaf-0", "pod-0-spine-0");
    aidc.FailLink(link);
    CheckLeaves(network,
                "leaf 0 has lost spine 0",
                "super-spine-2:12.5 super-spine-3:12.5",
                "pe-b-0:25 pe-b-1:25",
                all,
                both);
    aidc.RestoreLink(link);
    CheckLeaves(network, "as before", all, both, all, both);

    SetBandwidth(network, "pod-0-spine-0", "pod-0-leaf-0", 6.25);
    CheckLeaves(network,
                "the link of leaf 0 and spine 0 has half its rate",
                "super-spine-0:6.25 super-spine-1:6.25 super-spine-2:12.5 super-spine-3:12.5",
                "pe-b-0:37.5 pe-b-1:37.5",
                all,
                both);
    SetBandwidth(network, "pod-0-spine-0", "pod-0-leaf-0", 12.5);
    SetBandwidth(network, "super-spine-0", "pod-0-spine-0", 5);
    const std::string less =
        "super-spine-0:5 super-spine-1:12.5 super-spine-2:12.5 super-spine-3:12.5";
    const std::string lessBoth = "pe-b-0:42.5 pe-b-1:42.5";
    CheckLeaves(network,
                "the link of super-spine 0 and spine 0 has less",
                less,
                lessBoth,
                less,
                lessBoth);
    NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-b-0", "host-15"), all, "but not in other pods");
    SetBandwidth(network, "super-spine-0", "pod-0-spine-0", 12.5);
    CheckLeaves(network, "as before", all, both, all, both);

    const NodeIndex edge = network.wan.GetPlan().Find("pe-b-0");
    network.wan.GetBorder(1).FailLink(edge, FindNode(plan, "super-spine-3"));
    AIDC_EXPECT(network.Settle(), "settled");
    NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-b-0", "host-0"),
                          "super-spine-0:12.5 super-spine-1:12.5 super-spine-2:12.5",
                          "without a border link");
    NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-b-1", "host-0"), all, "the other PE");
    NS_TEST_EXPECT_MSG_EQ(network.GetFrom("pe-a-1", "host-0"),
                          "pe-b-0:37.5 pe-b-1:50",
                          "the PEs at the other end");
    network.wan.GetBorder(1).RestoreLink(edge, FindNode(plan, "super-spine-3"));
    CheckLeaves(network, "as before", all, both, all, both);
}

/// Check the routes to the second data center. fromSpine: the next hops of spine 0. fromTop:
/// the next hops of super-spine 0.
void
Check(FatTrees& network,
      const std::string& when,
      const std::vector<std::string>& fromSpine,
      const std::vector<std::string>& fromTop)
{
    const auto print = [](const std::vector<std::string>& names, const std::string& weight) {
        std::string text;
        for (const auto& name : names)
        {
            text += (text.empty() ? "" : " ") + name + ':' + weight;
        }
        return text;
    };
    AIDC_EXPECT(network.Settle(), "settled, " << when);
    NS_TEST_EXPECT_MSG_EQ(network.GetFromSwitch("pod-0-leaf-0"),
                          "pod-0-spine-0:12.5 pod-0-spine-1:12.5",
                          when);
    NS_TEST_EXPECT_MSG_EQ(network.GetFromSwitch("pod-0-spine-0"), print(fromSpine, "12.5"), when);
    NS_TEST_EXPECT_MSG_EQ(network.GetFromSwitch("super-spine-0"), print(fromTop, "50"), when);
    NS_TEST_EXPECT_MSG_EQ(
        network.GetFromSwitch("super-spine-2"),
        print(when == "no WAN" ? fromTop : std::vector<std::string>{"pe-a-0", "pe-a-1"}, "50"),
        when);
}

// Switches of a fat-tree follow the links of its PEs (RFC 7938, section 5.2.4). Expected results:
// a super-spine without PE is no way out; its spines take the other one of its plane. A
// super-spine with one PE attaches 50 GB/s, which is more than the 12.5 of its links. A PE that
// has lost the WAN announces nothing. One leaf announces what another one does: the network of the
// other data center, not its 8 prefixes.
AIDC_TEST_CASE("switches of a fat-tree follow the links of PEs")
{
    FatTrees network;
    const FabricPlan& plan = network.wan.GetAidc(0).GetFabric();
    Check(network, "at first", {"super-spine-0", "super-spine-1"}, {"pe-a-0", "pe-a-1"});
    const auto leaf = network.bgp.GetAidc(0).GetSpeaker(FindNode(plan, "pod-0-leaf-0"));
    NS_TEST_EXPECT_MSG_EQ(leaf->GetRib().GetPrefixes().size(), 8 + 1, "prefixes");
    const auto& router = network.wan.GetPlan();
    auto& border = network.wan.GetBorder(0);
    border.FailLink(router.Find("pe-a-0"), FindNode(plan, "super-spine-0"));
    Check(network, "one link", {"super-spine-0", "super-spine-1"}, {"pe-a-1"});
    border.FailLink(router.Find("pe-a-1"), FindNode(plan, "super-spine-0"));
    Check(network, "both links", {"super-spine-1"}, {});
    border.RestoreLink(router.Find("pe-a-1"), FindNode(plan, "super-spine-0"));
    border.RestoreLink(router.Find("pe-a-0"), FindNode(plan, "super-spine-0"));
    Check(network, "restored", {"super-spine-0", "super-spine-1"}, {"pe-a-0", "pe-a-1"});
    const LinkIndex link = router.FindLink("pe-a-0", "core-0-0");
    network.wan.FailLink(link);
    Check(network, "no WAN", {"super-spine-0", "super-spine-1"}, {"pe-a-1"});
    network.wan.RestoreLink(link);
    Check(network, "a WAN again", {"super-spine-0", "super-spine-1"}, {"pe-a-0", "pe-a-1"});
}

// The same in three stages, where spines have PEs: spines advertise the sum of their links to PEs,
// and leaves weigh spines by it (draft-xu-idr-fare, section "Solution Description", three stages).
// Expected results, in GB/s: border links have 6.25, so a spine has 12.5 to two PEs, and 6.25 to
// one. PEs have min(6.25, 12.5) by each spine to each leaf, and less where a leaf has less.
AIDC_TEST_CASE("leaves and PEs of three stages weigh spines")
{
    WanNetwork network;
    PrepareBgp(network.wan);
    network.settings.edges = 2;
    network.wan.SetBorderLink(50000000000, MicroSeconds(1));
    network.Build();
    BgpWanHelper bgp;
    bgp.Install(network.wan);
    bgp.AssignStreams(1000);
    FabricHelper& aidc = network.wan.GetAidc(0);
    const FabricPlan& plan = aidc.GetFabric();
    const auto check = [&](const std::string& fromLeaf, const std::string& fromEdge) {
        RunFor(SETTLED);
        AIDC_EXPECT(bgp.IsSettled(), "settled");
        const auto leaf = aidc.GetNode(FindNode(plan, "leaf-0"));
        NS_TEST_EXPECT_MSG_EQ(GetWeights(network.wan, leaf, 1, "host-0"), fromLeaf, "leaf");
        const auto edge = network.wan.GetRouter("pe-a-0");
        NS_TEST_EXPECT_MSG_EQ(GetWeights(network.wan, edge, 0, "host-0"), fromEdge, "PE");
    };
    check("spine-0:12.5 spine-1:12.5", "spine-0:6.25 spine-1:6.25");
    const NodeIndex edge = network.wan.GetPlan().Find("pe-a-1");
    network.wan.GetBorder(0).FailLink(edge, FindNode(plan, "spine-0"));
    check("spine-0:6.25 spine-1:12.5", "spine-0:6.25 spine-1:6.25");
    const NodeIndex spine = FindNode(plan, "spine-1");
    bgp.GetAidc(0).GetSpeaker(spine)->SetLinkBandwidth(
        bgp.GetAidc(0).GetPeer(spine, FindPort(plan, "spine-1", "leaf-0")),
        2.5e9);
    check("spine-0:6.25 spine-1:12.5", "spine-0:6.25 spine-1:2.5");
    aidc.FailLink(FindLink(plan, "leaf-0", "spine-1"));
    check("spine-0:6.25", "spine-0:6.25");
    network.wan.GetBorder(0).RestoreLink(edge, FindNode(plan, "spine-0"));
    aidc.RestoreLink(FindLink(plan, "leaf-0", "spine-1"));
    check("spine-0:12.5 spine-1:12.5", "spine-0:6.25 spine-1:2.5");
}

// Expected results, in GB/s: each of both paths has 12.5, and behind the other PE two spines have
// 12.5 each to a leaf. So the tunnel weighs 12.5, or 25 with all paths.
AIDC_TEST_CASE("tunnels weigh their primary path, or all paths")
{
    for (const bool isSum : {false, true})
    {
        WanNetwork network;
        PrepareBgp(network.wan);
        network.wan.SetBorderLink(2 * WanNetwork::RATE, MicroSeconds(1));
        network.Build();
        WanTunnelHelper tunnels;
        tunnels.Install(network.wan);
        BgpWanHelper bgp;
        bgp.SetAllPaths(isSum);
        bgp.Install(network.wan, tunnels);
        bgp.AssignStreams(1000);
        RunFor(SETTLED);
        NS_TEST_EXPECT_MSG_EQ(GetWeights(network.wan, network.wan.GetRouter("pe-a-0"), 1, "host-0"),
                              (isSum ? "pe-b-0:25" : "pe-b-0:12.5"),
                              "by " << (isSum ? "all paths" : "the primary path"));
    }
}

/// Tell whether a border link of the first data center is refused.
bool
Refuses(WanNetwork& network, const std::string& edge, const std::string& border)
{
    return !MessageOf<AidcInputError>([&] {
                ChangeBorder(network.wan, 0, edge, border, false);
            }).empty();
}

// Wrong use ends with what was expected.
AIDC_TEST_CASE("wrong use of BgpWanHelper and WanBorder")
{
    {
        WanNetwork network;
        network.Build();
        BgpWanHelper bgp;
        ExpectRefusal("OWN_HOSTS as their routes", [&] { bgp.Install(network.wan); });
        // A core router is no PE, and a leaf of this network no border switch.
        AIDC_EXPECT(Refuses(network, "core-0-0", "spine-0"), "core router");
        AIDC_EXPECT(Refuses(network, "pe-a-0", "leaf-0"), "leaf");
        AIDC_EXPECT(Refuses(network, "pe-b-0", "spine-0"), "other side");
        AIDC_EXPECT(!Refuses(network, "pe-a-0", "spine-0"), "a link");
    }
    WanNetwork network;
    PrepareBgp(network.wan);
    network.Build();
    BgpWanHelper bgp;
    ExpectRefusal("comes first", [&] { bgp.AssignStreams(1); });
    bgp.Install(network.wan);
    ExpectRefusal("called once", [&] { bgp.Install(network.wan); });
    const NodeIndex core = network.wan.GetPlan().Find("core-0-0");
    ExpectRefusal("expected the number of a PE", [&] { bgp.GetSpeaker(core); });
}
