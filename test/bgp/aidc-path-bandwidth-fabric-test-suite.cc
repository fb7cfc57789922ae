/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bgp-fabric-network.h"

#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cstdint>
#include <string>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/**
 * @ingroup aidc-test
 * @brief A leaf that has lost a link, as draft-xu-idr-fare has it.
 *
 * Expected results, in GB/s: of 4 leaves with links of 100 Gbit/s to 4 spines, leaf 0 has lost that
 * to spine 0. Then spine 0 has no route there. Leaf 1 has links of 12.5 to the others, which
 * advertise 12.5. To leaf 2, leaf 0 has three links, and leaf 1 four.
 */
class LostLinkTestCase : public TestCase
{
  public:
    LostLinkTestCase()
        : TestCase("one of four links of a leaf is lost and comes back: weights of the topology")
    {
    }

  private:
    void DoRun() override
    {
        LeafSpineSettings settings;
        settings.hostsPerLeaf = 1;
        settings.leafSpineRate = settings.hostRate;
        const FabricPlan plan = MakeLeafSpine(settings); // hosts 0 to 3, leaves 4 to 7, spines 8-11
        FabricHelper network;
        network.SetSwitchRouting(MultipathRoutingHelper("ns3::aidc::PathBandwidthRouting"));
        network.SetSwitchRoutes(FabricHelper::PATH_BANDWIDTHS);
        network.Build(plan);
        network.AssignAddresses();
        const auto get = [&](uint32_t node, uint32_t host) {
            return Print(
                GetPortWeights(network, NodeIndex(node), network.GetAddress(NodeIndex(host))));
        };
        // Port 0 of a leaf is its host's.
        NS_TEST_EXPECT_MSG_EQ(get(4, 1), "1:12.5 2:12.5 3:12.5 4:12.5", "leaf 0 to leaf 1");
        NS_TEST_EXPECT_MSG_EQ(get(8, 0), "0:12.5", "spine 0 to leaf 0");
        const LinkIndex lost = plan.GetPorts(NodeIndex(4))[PortIndex(1)].link;
        network.ScheduleFailure(lost, Seconds(1), Seconds(2));
        Simulator::Stop(Seconds(1.5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(get(8, 0), "", "spine 0 to leaf 0, lost");
        NS_TEST_EXPECT_MSG_EQ(get(5, 0), "2:12.5 3:12.5 4:12.5", "leaf 1 to leaf 0, lost");
        NS_TEST_EXPECT_MSG_EQ(get(4, 2), "2:12.5 3:12.5 4:12.5", "leaf 0 to leaf 2, lost");
        NS_TEST_EXPECT_MSG_EQ(get(5, 2), "1:12.5 2:12.5 3:12.5 4:12.5", "leaf 1 to leaf 2, lost");
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(get(8, 0), "0:12.5", "spine 0 to leaf 0, back");
        NS_TEST_EXPECT_MSG_EQ(get(5, 0), "1:12.5 2:12.5 3:12.5 4:12.5", "leaf 1 to leaf 0, back");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Weights of the topology are aggregated where they are equal.
 */
class AggregationTestCase : public TestCase
{
  public:
    AggregationTestCase()
        : TestCase("an intact fat-tree has as many routes by path bandwidth as without")
    {
    }

  private:
    void DoRun() override
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
};

/**
 * @ingroup aidc-test
 * @brief Switches that speak BGP have the weights of the topology, in random fabrics of three and
 *        five stages with parallel links and hosts at two leaves, while links are down and after.
 *
 * A FabricHelper with the weights of the topology has the same in its tables.
 */
class EqualityTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor.
     * @param seed the seed
     */
    explicit EqualityTestCase(uint32_t seed)
        : TestCase("weights by BGP are those of the topology, seed " + std::to_string(seed)),
          m_seed(seed)
    {
    }

  private:
    void DoRun() override
    {
        Draw draw(m_seed);
        const FabricPlan plan = DrawFabric(draw);
        const auto nLinks = static_cast<uint32_t>(plan.GetLinks().size());
        BgpFabricNetwork fabric(plan);
        FabricHelper computed;
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
            NS_TEST_EXPECT_MSG_EQ(fabric.Settle(30), true, "settled, step " << step);
            NS_TEST_ASSERT_MSG_EQ(fabric.Compare(), "", "tables of BGP, step " << step);
            for (const NodeIndex node : plan.GetSwitches())
            {
                for (const NodeIndex host : plan.GetHosts())
                {
                    const auto address = computed.GetAddress(host);
                    NS_TEST_ASSERT_MSG_EQ(Print(GetPortWeights(computed, node, address)),
                                          Print(GetPortWeights(fabric.network, node, address)),
                                          plan.GetNodeName(node) << " to " << plan.GetNodeName(host)
                                                                 << ", step " << step);
                }
            }
        }
    }

    uint32_t m_seed; //!< the seed
};

/**
 * @ingroup aidc-test
 * @brief Path bandwidth in fabrics.
 */
class AidcPathBandwidthFabricTestSuite : public TestSuite
{
  public:
    AidcPathBandwidthFabricTestSuite()
        : TestSuite("aidc-path-bandwidth-fabric", TestSuite::Type::SYSTEM)
    {
        AddTestCase(new LostLinkTestCase);
        AddTestCase(new AggregationTestCase);
        for (uint32_t seed = 1; seed <= 20; ++seed)
        {
            AddTestCase(new EqualityTestCase(seed));
        }
    }
};

/// The instance that registers the suite
const AidcPathBandwidthFabricTestSuite g_aidcPathBandwidthFabricTestSuite;

} // namespace
