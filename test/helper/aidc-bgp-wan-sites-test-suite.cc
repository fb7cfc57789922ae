// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wan-network.h"
#include "test/test-case.h"
#include "wan-triangle.h"

// BGP in three data centers and more, and on their PEs.
AIDC_TEST_SUITE("aidc-bgp-wan-sites", SYSTEM);

/// The weights of a leaf.
const std::string SPINES = "spine-0:12.5 spine-1:12.5";

/// Data centers with two PEs each, and BGP.
class BgpSites
{
  public:
    explicit BgpSites(WanSettings settings,
                      const std::vector<double>& weights = {1},
                      uint32_t nSites = 3)
        : network(nSites)
    {
        PrepareBgp(network.wan, nSites);
        network.wan.SetBorderLink(50000000000, MicroSeconds(1));
        network.wan.SetCoreKnowsAidcs(false);
        settings.edges = 2;
        network.Build(MakeWan(settings));
        tunnels.SetWeights(weights);
        tunnels.Install(network.wan);
        bgp.Install(network.wan, tunnels);
        bgp.AssignStreams(1000);
    }

    /// Simulate until all is settled.
    bool Settle() const
    {
        RunFor(SETTLED);
        return bgp.IsSettled();
    }

    /// Get where a PE sends what is for a host.
    std::string GetFrom(const std::string& edge, uint32_t site)
    {
        return GetWeights(network.wan, network.wan.GetRouter(edge), site, "host-0");
    }

    /// Get where a leaf of the first data center sends what is for a host.
    std::string GetFromLeaf(uint32_t site)
    {
        const FabricHelper& aidc = network.wan.GetAidc(0);
        const auto leaf = aidc.GetNode(FindNode(aidc.GetFabric(), "leaf-0"));
        return GetWeights(network.wan, leaf, site, "host-0");
    }

    WanNetwork network;      //!< the network
    WanTunnelHelper tunnels; //!< its tunnels
    BgpWanHelper bgp;        //!< its speakers
};

/// Check the ways from the first data center.
void
Check(BgpSites& sites, const std::string& when, const std::string& toB, const std::string& toC)
{
    for (const std::string edge : {"pe-a-0", "pe-a-1"})
    {
        NS_TEST_EXPECT_MSG_EQ(sites.GetFrom(edge, 1), toB, when);
        NS_TEST_EXPECT_MSG_EQ(sites.GetFrom(edge, 2), toC, when);
    }
    NS_TEST_EXPECT_MSG_EQ(sites.GetFromLeaf(1), SPINES, when);
    NS_TEST_EXPECT_MSG_EQ(sites.GetFromLeaf(2), SPINES, when);
}

// PEs weigh the tunnels to each data center, and announce each data center that they reach.
// Expected results, in GB/s: links have 12.5, border links 6.25. A PE has 2 * 6.25 to its data
// center, which is what the tunnel has, and 6.25 when one of its border links is down. Spines have
// 2 * 6.25 to PEs, and links of 12.5 to leaves. A PE knows 2 prefixes of each data center, and
// originates 2 networks; of each prefix of another data center it has a path by each PE of this
// one, and none by the third data center. A leaf has 2 prefixes and 2 networks.
AIDC_TEST_CASE("PEs weigh the ways to each of two other data centers")
{
    BgpSites sites(MakeTriangle());
    auto& wan = sites.network.wan;
    AIDC_EXPECT(sites.Settle(), "settled");
    Check(sites, "at first", "pe-b-0:12.5 pe-b-1:12.5", "pe-c-0:12.5 pe-c-1:12.5");
    const auto edge = sites.bgp.GetSpeaker(wan.GetPlan().Find("pe-a-0"));
    NS_TEST_EXPECT_MSG_EQ(edge->GetRib().GetPrefixes().size(), 3 * 2 + 2, "prefixes of a PE");
    const auto leaf =
        sites.bgp.GetAidc(0).GetSpeaker(FindNode(wan.GetAidc(0).GetFabric(), "leaf-0"));
    NS_TEST_EXPECT_MSG_EQ(leaf->GetRib().GetPrefixes().size(), 2 + 2, "prefixes of a leaf");
    UintegerValue as;
    edge->GetAttribute("As", as);
    NS_TEST_EXPECT_MSG_EQ(as.Get(), 4200000000, "the first AS");
    sites.bgp.GetSpeaker(wan.GetPlan().Find("pe-c-1"))->GetAttribute("As", as);
    NS_TEST_EXPECT_MSG_EQ(as.Get(), 4212000000, "that of the third data center's PEs");

    ChangeBorder(wan, 2, "pe-c-0", "spine-0", true);
    AIDC_EXPECT(sites.Settle(), "settled");
    Check(sites, "a border link of c", "pe-b-0:12.5 pe-b-1:12.5", "pe-c-0:6.25 pe-c-1:12.5");
    ChangeBorder(wan, 2, "pe-c-0", "spine-0", false);

    // The direct link: the tunnels go on, by way of core-b-0.
    wan.FailLink(wan.GetPlan().FindLink("core-a-0", "core-c-0"));
    AIDC_EXPECT(sites.Settle(), "settled");
    Check(sites, "no direct link", "pe-b-0:12.5 pe-b-1:12.5", "pe-c-0:12.5 pe-c-1:12.5");

    for (const std::string name : {"pe-c-0", "pe-c-1"})
    {
        wan.FailLink(wan.GetPlan().FindLink(name, "core-c-0"));
    }
    AIDC_EXPECT(sites.Settle(), "settled");
    NS_TEST_EXPECT_MSG_EQ(sites.GetFromLeaf(1), SPINES, "to b without c");
    NS_TEST_EXPECT_MSG_EQ(sites.GetFromLeaf(2), "", "c is not announced any more");
    NS_TEST_EXPECT_MSG_EQ(sites.GetFrom("pe-a-0", 1), "pe-b-0:12.5 pe-b-1:12.5", "PE to b");
    for (const std::string name : {"pe-c-0", "pe-c-1"})
    {
        wan.RestoreLink(wan.GetPlan().FindLink(name, "core-c-0"));
    }
    AIDC_EXPECT(sites.Settle(), "settled");
    Check(sites, "c is back", "pe-b-0:12.5 pe-b-1:12.5", "pe-c-0:12.5 pe-c-1:12.5");
}

// Expected results, in GB/s: tunnels have the rate of their first path's slowest link, 12.5 and 5.
// Both end at a PE that has 12.5, which does not count twice (doc/fare.rst): they have 12.5
// together, in proportion to their rates, 12.5 * 12.5 / 17.5 and 12.5 * 5 / 17.5. Weights of the
// user are refused.
AIDC_TEST_CASE("BGP weighs several tunnels between two PEs")
{
    WanSettings settings = MakeTriangle();
    settings.pairs[0].paths.push_back({1200000, 40000000000, 2});
    ExpectRefusal("without weights that differ", [&] { BgpSites(settings, {2, 1}); });
    BgpSites sites(settings, {1, 1});
    AIDC_EXPECT(sites.Settle(), "settled");
    const auto edge = sites.network.wan.GetRouter("pe-a-0");
    const FabricHelper& aidc = sites.network.wan.GetAidc(1);
    const auto host = aidc.GetAddress(FindNode(aidc.GetFabric(), "host-0"));
    const auto* group = MultipathRoutingHelper::GetRouting(edge)->FindTransit(host.Get());
    AIDC_ASSERT(group && group->usable.size() == 4, "tunnels");
    std::vector<double> weights;
    for (const uint32_t i : group->usable)
    {
        weights.push_back(group->members[i].nextHop.weight / 1e9);
    }
    std::sort(weights.begin(), weights.end());
    for (std::size_t i = 0; i < 4; ++i)
    {
        // Bandwidths are carried as floats, of 24 bits.
        NS_TEST_EXPECT_MSG_EQ_TOL(weights[i],
                                  12.5 * (i < 2 ? 5 : 12.5) / 17.5,
                                  1e-6,
                                  "weight " << i);
    }
}

// Each host of three data centers reaches each host of the others by routes of BGP, before and
// after the direct link of two of them has failed.
AIDC_TEST_CASE("all hosts of three data centers reach all others by routes of BGP")
{
    BgpSites sites(MakeTriangle());
    auto& network = sites.network;
    for (const bool isFailed : {false, true})
    {
        if (isFailed)
        {
            network.wan.FailLink(network.wan.GetPlan().FindLink("core-a-0", "core-c-0"));
        }
        AIDC_EXPECT(sites.Settle(), "settled");
        network.completions.clear();
        uint32_t nMessages = 0;
        for (uint32_t i = 0; i < 9 * 16; ++i)
        {
            const uint32_t site = i % 3;
            const uint32_t other = i / 3 % 3;
            if (site != other)
            {
                const uint32_t pair = i / 9;
                network.Send(site, pair % 4, other, pair / 4, 4096, MicroSeconds(10 * i));
                ++nMessages;
            }
        }
        RunFor(SETTLED);
        NS_TEST_EXPECT_MSG_EQ(network.completions.size(), nMessages, "all have ended");
        for (const auto& completion : network.completions)
        {
            AIDC_EXPECT(completion.status == RoceStatus::SUCCESS, "well");
        }
        for (uint32_t site = 0; site < 3; ++site)
        {
            for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(network.GetNic(site, i)->GetStatistics().retransmittedPackets,
                                      0,
                                      "at the first try");
            }
        }
    }
}

// As many data centers as there can be, in a star, with BGP and tunnels. Expected results:
// networks, addresses and AS numbers of all keep apart, so that sessions settle. The PEs of a reach
// the leaves of n. Each data center sends a message to each other one; all arrive at the first try.
AIDC_TEST_CASE("as many data centers as there can be")
{
    WanSettings settings;
    settings.edgeRate = WanNetwork::RATE;
    for (uint32_t site = 1; site < MAX_WAN_SITES; ++site)
    {
        settings.pairs.push_back({0, site, {{1000000, WanNetwork::RATE, 2}}});
    }
    BgpSites sites(settings, {1}, MAX_WAN_SITES);
    auto& network = sites.network;
    AIDC_EXPECT(sites.Settle(), "settled");
    NS_TEST_EXPECT_MSG_EQ(sites.GetFrom("pe-a-1", MAX_WAN_SITES - 1),
                          "pe-n-0:12.5 pe-n-1:12.5",
                          "from a to n");
    NS_TEST_EXPECT_MSG_EQ(sites.GetFrom("pe-n-0", MAX_WAN_SITES - 2),
                          "pe-m-0:12.5 pe-m-1:12.5",
                          "from n to m");
    uint32_t nMessages = 0;
    for (uint32_t site = 0; site < MAX_WAN_SITES; ++site)
    {
        for (uint32_t other = 0; other < MAX_WAN_SITES; ++other)
        {
            if (site != other)
            {
                network.Send(site, other % 4, other, site % 4, 4096, MicroSeconds(10 * site));
                ++nMessages;
            }
        }
    }
    RunFor(SETTLED);
    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), nMessages, "all have ended");
    const auto hosts = network.wan.GetHosts();
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        NS_TEST_EXPECT_MSG_EQ(RoceHelper::GetNic(*host)->GetStatistics().retransmittedPackets,
                              0,
                              "at the first try");
    }
    for (const auto& completion : network.completions)
    {
        AIDC_EXPECT(completion.status == RoceStatus::SUCCESS, "and well");
    }
}
