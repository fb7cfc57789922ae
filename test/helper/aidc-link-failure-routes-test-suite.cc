// SPDX-License-Identifier: GPL-2.0-only

#include "failing-streams.h"
#include "test/test-case.h"

#include "ns3/fabric-interface.h"

// Routes and flow sets around links of FabricHelper that fail.
AIDC_TEST_SUITE("aidc-link-failure-routes", UNIT);

/// The flow sets of a port that fails (draft-li-rtgwg-congestion-aware-flowset-switching-00,
/// section 5.2.1, rule 2). There are 2 spines, of which one is left, or 3. The failure is known at
/// 600 us; the next packets of the streams, sent at 605 us, are at the leaf from 606 us to 607 us.
/// Expected results: each flow set that had used the port is given another one then, once, for the
/// reason of rule 2.
class FlowSetsMoveTestCase : public FailingStreamsTestCase
{
  public:
    explicit FlowSetsMoveTestCase(uint32_t nSpines)
        : FailingStreamsTestCase(
              "a failed port's flow sets move at their next packet, one uplink of " +
                  std::to_string(nSpines),
              "ns3::aidc::FlowSetEcmpRouting"),
          m_nSpines(nSpines)
    {
    }

  private:
    void DoRun() override
    {
        Prepare(MicroSeconds(100), MicroSeconds(200), m_nSpines);
        Watch(LEAF, UPLINK);
        const auto routing = MultipathRoutingHelper::GetRouting(m_network->GetNode(LEAF));
        ConnectTrace(
            routing->GetSelector(),
            "Migration",
            [this](const FlowSetMigration& migration) { m_migrations.push_back(migration); });
        Fail(GetUplink(LEAF), 500, 1200);
        RunFor(MilliSeconds(20));
        std::set<uint32_t> flowSets;
        for (const auto& migration : m_migrations)
        {
            AIDC_EXPECT(migration.reason == FlowSetAction::REROUTE, "rule 2");
            NS_TEST_EXPECT_MSG_EQ(migration.from,
                                  GetInterfaceOfPort(UPLINK),
                                  "from the port's interface");
            NS_TEST_EXPECT_MSG_GT(migration.to, GetInterfaceOfPort(UPLINK), "to another uplink's");
            AIDC_EXPECT(flowSets.insert(migration.flowSet).second, "once");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(migration.time, MicroSeconds(606), "next packet");
            NS_TEST_EXPECT_MSG_LT(migration.time, MicroSeconds(607), "next packet");
        }
        // Streams may share a flow set: 16 of 4096 do with a probability of 3 %.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(flowSets.size() + 1, CountStreams(0, 500), "they move");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(flowSets.size(), CountStreams(0, 500), "those of the port");
        NS_TEST_EXPECT_MSG_EQ(CountStreams(600, 1300), 0, "all of them");
        m_migrations.clear();
        Finish();
    }

    uint32_t m_nSpines;                         //!< the uplinks of the leaf
    std::vector<FlowSetMigration> m_migrations; //!< the migrations
};

// Each link between switches of a fat-tree fails, one after the other.
//
// Expected results, k = 4: all pairs of hosts still reach each other, over as many switches as
// before: a pair of pods has 4 paths, of which a failure takes 1 or 2, and a pair of leaves of a
// pod has 2, of which it takes 1. So 16 pairs have 1 switch between them, 32 have 3, 192 have 5: 16
// + 96
// + 960 = 1072 packets are forwarded. When all links are back, so are the initial routes.
AIDC_TEST_CASE("a fat-tree goes on without any one of its links")
{
    const FabricPlan fabric = MakeFatTree(4, 10000000000, 1000);
    FabricHelper network;
    network.Build(fabric);
    FinishNetwork(network);
    PacketCounter counter(network);
    const std::string initialRoutes = PrintRoutes(network);
    std::vector<Ptr<Socket>> sockets;
    for (const NodeIndex host : fabric.GetHosts())
    {
        sockets.push_back(MakeSocket(network.GetNode(host), 0));
    }
    uint32_t nLinks = 0;
    for (LinkIndex link; link < fabric.GetLinks().GetEnd(); ++link)
    {
        if (fabric.IsHost(fabric.GetLinks()[link].a) || fabric.IsHost(fabric.GetLinks()[link].b))
        {
            continue;
        }
        ++nLinks;
        network.FailLink(link);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_NE(PrintRoutes(network), initialRoutes, "link " << link);
        counter.Clear();
        for (std::size_t i = 0; i < sockets.size(); ++i)
        {
            for (const NodeIndex to : fabric.GetHosts())
            {
                if (to != fabric.GetHosts()[i])
                {
                    SendUdp(sockets[i], network.GetAddress(to));
                }
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(counter.deliveries.size(), 240, "link " << link);
        NS_TEST_EXPECT_MSG_EQ(counter.forwards, 1072, "link " << link);
        network.RestoreLink(link);
        Simulator::Run();
    }
    NS_TEST_EXPECT_MSG_EQ(nLinks, 32, "16 of leaves and spines, 16 above");
    NS_TEST_EXPECT_MSG_EQ(network.GetLostPackets(), 0, "none is sent into a failed link");
    NS_TEST_EXPECT_MSG_EQ(PrintRoutes(network), initialRoutes, "the initial routes");
}

AIDC_ADD_TEST_CASES()
{
    AddTestCase(new FlowSetsMoveTestCase(2));
    AddTestCase(new FlowSetsMoveTestCase(3));
}
