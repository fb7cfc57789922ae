/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-fabrics.h"

#include "ns3/clos-fabric.h"
#include "ns3/fabric-helper.h"
#include "ns3/flow-set-ecmp-routing.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv4.h"
#include "ns3/queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::aidc;
using namespace aidctest;

namespace
{

/// The number of streams.
constexpr uint32_t N_STREAMS = 16;
/// The packets of a stream.
constexpr uint32_t N_PACKETS = 200;
/// The source port of the first stream.
constexpr uint16_t FIRST_PORT = 10000;

/**
 * @brief Make the routing of a scheme.
 * @param scheme the TypeId name of a selector, or FlowSetEcmpRouting
 * @return what makes it
 */
MultipathRoutingHelper
MakeRouting(const std::string& scheme)
{
    return scheme == "ns3::aidc::FlowSetEcmpRouting"
               ? MultipathRoutingHelper(scheme)
               : MultipathRoutingHelper("ns3::aidc::MultipathRouting", scheme);
}

/**
 * @ingroup aidc-test
 * @brief Streams over a leaf-spine fabric while a link fails.
 *
 * There are 2 leaves with 2 hosts each, and 2 spines (or 3). Links have 100 Gbit/s and 1 us. 16
 * streams go from host 0 at leaf 0 to host 2 at leaf 1. Each sends a packet at 5 us, 15 us, 25 us
 * and so on until 1995 us; with 130 bytes on the wire all 16 are sent within 0.2 us. So packets
 * that are sent at t reach leaf 0 from t + 1 us to t + 1.3 us, a spine 1 us later, leaf 1 another 1
 * us later, and host 2 by t + 5 us.
 */
class StreamsTestCase : public TestCase
{
  public:
    /**
     * @brief Constructor
     * @param name what is tested
     * @param scheme the routing of the switches
     */
    StreamsTestCase(const std::string& name, const std::string& scheme)
        : TestCase(name + ": " + scheme),
          m_scheme(scheme)
    {
    }

  protected:
    /// The first spine, in the plan.
    static constexpr uint32_t SPINE = 6;
    /// The first leaf, in the plan.
    static constexpr uint32_t LEAF = 4;
    /// The other leaf, in the plan.
    static constexpr uint32_t OTHER_LEAF = 5;
    /// The port of a leaf to the first spine.
    static constexpr uint32_t UPLINK = 2;

    /**
     * @brief Build the network, and schedule what is sent.
     * @param detection the detection delay
     * @param convergence the convergence delay
     * @param nSpines the number of spines
     */
    void Prepare(Time detection, Time convergence, uint32_t nSpines = 2)
    {
        LeafSpineOptions options;
        options.leaves = 2;
        options.spines = nSpines;
        options.hostsPerLeaf = 2;
        options.leafSpineRate = options.hostRate;
        m_network = std::make_unique<FabricHelper>();
        m_network->SetSwitchRouting(MakeRouting(m_scheme));
        m_network->SetDetectionDelay(detection);
        m_network->SetConvergenceDelay(convergence);
        m_network->Build(MakeLeafSpine(options));
        FinishNetwork(*m_network);
        m_counter = std::make_unique<PacketCounter>(*m_network);
        m_initialRoutes = PrintRoutes(*m_network);
        for (uint16_t i = 0; i < N_STREAMS; ++i)
        {
            m_sockets.push_back(MakeSocket(m_network->GetNode(0), FIRST_PORT + i));
            for (uint32_t packet = 0; packet < N_PACKETS; ++packet)
            {
                Simulator::Schedule(MicroSeconds(5 + 10 * packet),
                                    &SendUdp,
                                    m_sockets.back(),
                                    m_network->GetAddress(2));
            }
        }
    }

    /**
     * @brief Fail a link, and restore it.
     * @param link the link
     * @param failure when it fails, in us
     * @param repair when it is restored, in us
     */
    void Fail(uint32_t link, uint32_t failure, uint32_t repair)
    {
        auto* network = m_network.get();
        Simulator::Schedule(MicroSeconds(failure), &FabricHelper::FailLink, network, link);
        Simulator::Schedule(MicroSeconds(repair), &FabricHelper::RestoreLink, network, link);
    }

    /**
     * @brief Note what is put into the queue of a port.
     * @param id the node
     * @param port the port
     */
    void Watch(uint32_t id, uint32_t port)
    {
        const auto layer = m_network->GetNode(id)->GetObject<TrafficControlLayer>();
        layer->GetRootQueueDiscOnDevice(m_network->GetPort(id, port))
            ->TraceConnectWithoutContext("Enqueue", MakeCallback(&StreamsTestCase::Enqueue, this));
    }

    /**
     * @brief Count the streams that the watched port had a packet of in a span of time.
     * @param begin its begin in us
     * @param end its end in us
     * @return the number of streams
     */
    uint32_t CountStreams(uint32_t begin, uint32_t end) const
    {
        std::set<uint16_t> streams;
        for (const auto& [time, stream] : m_enqueued)
        {
            if (time >= MicroSeconds(begin) && time < MicroSeconds(end))
            {
                streams.insert(stream);
            }
        }
        return static_cast<uint32_t>(streams.size());
    }

    /**
     * @brief Count the streams that lost a number of packets.
     * @return the number of streams, by packets lost
     */
    std::map<uint32_t, uint32_t> CountLosses() const
    {
        std::map<uint16_t, uint32_t> received;
        for (const auto& delivery : m_counter->deliveries)
        {
            ++received[delivery.port];
        }
        std::map<uint32_t, uint32_t> streams;
        for (uint16_t i = 0; i < N_STREAMS; ++i)
        {
            ++streams[N_PACKETS - received[FIRST_PORT + i]];
        }
        return streams;
    }

    /**
     * @brief Get the link of a leaf to the first spine.
     * @param leaf the leaf
     * @return the link
     */
    uint32_t GetUplink(uint32_t leaf) const
    {
        return m_network->GetFabric().GetPorts(leaf)[UPLINK].link;
    }

    /**
     * @brief Expect streams to have lost packets as they should.
     * @param nStreams the streams that were hit
     * @param nPackets the packets that each of these has lost
     */
    void ExpectLosses(uint32_t nStreams, uint32_t nPackets)
    {
        NS_TEST_EXPECT_MSG_GT(nStreams, 0, "some streams are hit");
        NS_TEST_EXPECT_MSG_LT(nStreams, N_STREAMS, "some are not");
        const std::map<uint32_t, uint32_t> expected{{0, N_STREAMS - nStreams},
                                                    {nPackets, nStreams}};
        const auto losses = CountLosses();
        std::string text;
        for (const auto& [packets, streams] : losses)
        {
            text += std::to_string(streams) + " x " + std::to_string(packets) + ", ";
        }
        NS_TEST_EXPECT_MSG_EQ((losses == expected),
                              true,
                              "expected " << nStreams << " x " << nPackets << ", found " << text);
    }

    /// Expect the routes to be the initial ones, and end.
    void Finish()
    {
        NS_TEST_EXPECT_MSG_EQ(PrintRoutes(*m_network), m_initialRoutes, "the initial routes");
        Simulator::Destroy();
        m_sockets.clear();
        m_counter.reset();
        m_network.reset();
        m_enqueued.clear();
    }

    std::unique_ptr<FabricHelper> m_network;           ///< the network
    std::unique_ptr<PacketCounter> m_counter;          ///< what it does
    std::vector<Ptr<Socket>> m_sockets;                ///< the streams
    std::vector<std::pair<Time, uint16_t>> m_enqueued; ///< packets at the watched port
    std::string m_initialRoutes;                       ///< the routes at the begin
    const std::string m_scheme;                        ///< the routing

  private:
    /**
     * @brief Note a packet.
     * @param item the packet
     */
    void Enqueue(Ptr<const QueueDiscItem> item)
    {
        uint8_t port[2] = {0, 0};
        item->GetPacket()->CopyData(port, sizeof(port));
        m_enqueued.emplace_back(Simulator::Now(), static_cast<uint16_t>(port[0] << 8 | port[1]));
    }
};

/**
 * @ingroup aidc-test
 * @brief The link of the sending leaf fails, whose own choice mends it.
 *
 * Failure at 500 us, detection 100 us: packets that are sent at 505 us, 515 us ... 595 us into the
 * link are lost, 10 of each stream that uses it (495 us is over it by 497.5 us; at 605 us the leaf
 * knows). Repair at 1200 us, used from 1300 us on. Convergence would take 10 ms more and does not
 * matter.
 *
 * Expected results: 10 packets of each such stream are lost, on the link; from 600 us to 1300 us
 * nothing is put into the queue of the port; afterwards the link is used again, but not by flow
 * sets, which stay where they are as long as that is not congested (section 5.2.1 of
 * draft-li-rtgwg-congestion-aware-flowset-switching-00, rule 3).
 */
class SendingEndTestCase : public StreamsTestCase
{
  public:
    /**
     * @brief Constructor
     * @param scheme the routing of the switches
     */
    explicit SendingEndTestCase(const std::string& scheme)
        : StreamsTestCase("only what is sent into a broken link before its failure is detected is "
                          "lost",
                          scheme)
    {
    }

  private:
    void DoRun() override
    {
        Prepare(MicroSeconds(100), MilliSeconds(10));
        Watch(LEAF, UPLINK);
        Fail(GetUplink(LEAF), 500, 1200);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        const uint32_t nStreams = CountStreams(0, 500);
        ExpectLosses(nStreams, 10);
        NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(), 10 * nStreams, "on the link");
        NS_TEST_EXPECT_MSG_EQ(m_counter->drops.size(), 0, "not in switches");
        NS_TEST_EXPECT_MSG_EQ(CountStreams(600, 1300), 0, "not used once that is known");
        const uint32_t nAgain = CountStreams(1300, 2000);
        const bool isFlowSet = m_scheme == "ns3::aidc::FlowSetEcmpRouting";
        NS_TEST_EXPECT_MSG_EQ((nAgain > 0), !isFlowSet, "used again");
        Finish();
    }
};

/**
 * @ingroup aidc-test
 * @brief The link from a spine to the receiving leaf fails: the spine has no other way.
 *
 * Failure at 500 us, detection 100 us, convergence 200 us: leaf 0 learns of it at 800 us. Each
 * stream that it sends over spine 0 loses the packets sent at 505 us ... 795 us, that is 30: those
 * until 595 us, 10, on the link, and the other 20 in the spine. After that leaf 0 avoids the spine
 * for leaf 1, until the routes come back: repair at 1200 us, detected at 1300 us, routes at 1500
 * us.
 *
 * Expected results: these losses; nothing for spine 0 from 800 us to 1500 us; it is used
 * afterwards.
 */
class FarEndTestCase : public StreamsTestCase
{
  public:
    /**
     * @brief Constructor
     * @param scheme the routing of the switches
     */
    explicit FarEndTestCase(const std::string& scheme)
        : StreamsTestCase("after convergence other switches avoid a broken link", scheme)
    {
    }

  private:
    void DoRun() override
    {
        Prepare(MicroSeconds(100), MicroSeconds(200));
        Watch(LEAF, UPLINK);
        Fail(GetUplink(OTHER_LEAF), 500, 1200);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        const uint32_t nStreams = CountStreams(0, 500);
        ExpectLosses(nStreams, 30);
        NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(), 10 * nStreams, "on the link");
        NS_TEST_EXPECT_MSG_EQ(m_counter->drops.size(), 20 * nStreams, "in the spine");
        for (const auto& drop : m_counter->drops)
        {
            NS_TEST_EXPECT_MSG_EQ(drop.node, SPINE, "in the spine");
        }
        NS_TEST_EXPECT_MSG_EQ(CountStreams(800, 1500), 0, "avoided");
        NS_TEST_EXPECT_MSG_GT(CountStreams(1500, 2000), 0, "used again");
        Finish();
    }
};

/**
 * @ingroup aidc-test
 * @brief Failures that do not last.
 *
 * Detection takes 100 us, convergence 100 us.
 *
 * Expected results: a failure from 500 us to 550 us costs each stream on the link the packets sent
 * at 505 us ... 545 us, 5, and goes unnoticed: the port is used all the time and the routes stay.
 *
 * With failures from 500 us to 550 us and from 560 us to 1200 us, the second one is noticed at 660
 * us: lost are the packets of 505 us ... 545 us, and those of 565 us ... 655 us, that is 5 + 10.
 * (The packet of 555 us reaches the spine at 557.5 us.)
 */
class FlappingTestCase : public StreamsTestCase
{
  public:
    /**
     * @brief Constructor
     * @param scheme the routing of the switches
     */
    explicit FlappingTestCase(const std::string& scheme)
        : StreamsTestCase("a failure shorter than the detection delay goes unnoticed", scheme)
    {
    }

  private:
    void DoRun() override
    {
        Prepare(MicroSeconds(100), MicroSeconds(100));
        Watch(LEAF, UPLINK);
        Fail(GetUplink(LEAF), 500, 550);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        uint32_t nStreams = CountStreams(0, 500);
        ExpectLosses(nStreams, 5);
        for (uint32_t time = 500; time < 900; time += 10)
        {
            NS_TEST_EXPECT_MSG_EQ(CountStreams(time, time + 10), nStreams, "used at " << time);
        }
        Finish();

        Prepare(MicroSeconds(100), MicroSeconds(100));
        Watch(LEAF, UPLINK);
        Fail(GetUplink(LEAF), 500, 550);
        Fail(GetUplink(LEAF), 560, 1200);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        nStreams = CountStreams(0, 500);
        ExpectLosses(nStreams, 15);
        NS_TEST_EXPECT_MSG_EQ(CountStreams(660, 1300), 0, "noticed");
        Finish();
    }
};

/**
 * @ingroup aidc-test
 * @brief The link of a host fails.
 *
 * Failure of the receiver's link at 500 us, detection 100 us, repair at 1200 us and detection until
 * 1300 us.
 *
 * Expected results: all streams lose the packets of 505 us ... 1295 us, 80: those until 595 us, 10,
 * on the link (495 us arrives by 500 us), the other 70 where the host's leaf drops them (the packet
 * of 1295 us is at the leaf at 1298.5 us). Packets do not loop between leaves and spines: each that
 * is sent is forwarded by 3 switches at most.
 *
 * With the sender's link, likewise: 10 on the link, and 70 are refused by the host itself.
 */
class HostLinkTestCase : public StreamsTestCase
{
  public:
    /**
     * @brief Constructor
     * @param scheme the routing of the switches
     */
    explicit HostLinkTestCase(const std::string& scheme)
        : StreamsTestCase("a host whose link fails is back after its repair", scheme)
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t host : {2, 0})
        {
            Prepare(MicroSeconds(100), MicroSeconds(200));
            Fail(m_network->GetFabric().GetPorts(host).front().link, 500, 1200);
            Simulator::Stop(MilliSeconds(20));
            Simulator::Run();
            const auto losses = CountLosses();
            NS_TEST_EXPECT_MSG_EQ(losses.size(), 1, "the same for all");
            NS_TEST_EXPECT_MSG_EQ(losses.begin()->first, 80, "packets of each");
            NS_TEST_EXPECT_MSG_EQ(m_network->GetLostPackets(), 10 * N_STREAMS, "on the link");
            NS_TEST_EXPECT_MSG_LT(m_counter->forwards, 3 * N_STREAMS * N_PACKETS, "no loop");
            for (const auto& drop : m_counter->drops)
            {
                NS_TEST_EXPECT_MSG_EQ(drop.node, (host == 2 ? OTHER_LEAF : 0), "where it is known");
            }
            if (host == 2)
            {
                NS_TEST_EXPECT_MSG_EQ(m_counter->drops.size(), 70 * N_STREAMS, "in the leaf");
            }
            Finish();
        }
    }
};

/**
 * @ingroup aidc-test
 * @brief The flow sets of a port that fails (draft-li-rtgwg-congestion-aware-flowset-switching-00,
 *        section 5.2.1, rule 2).
 *
 * There are 2 spines, of which one is left, or 3. The failure is known at 600 us; the next packets
 * of the streams, sent at 605 us, are at the leaf from 606 us to 607 us.
 *
 * Expected results: each flow set that had used the port is given another one then, once, for the
 * reason of rule 2.
 */
class FlowSetsMoveTestCase : public StreamsTestCase
{
  public:
    /**
     * @brief Constructor.
     * @param nSpines the uplinks of the leaf; of two, one is left
     */
    explicit FlowSetsMoveTestCase(uint32_t nSpines)
        : StreamsTestCase("a failed port's flow sets move at their next packet, one uplink of " +
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
        routing->GetSelector()->TraceConnectWithoutContext(
            "Migration",
            MakeCallback(&FlowSetsMoveTestCase::Migrate, this));
        Fail(GetUplink(LEAF), 500, 1200);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        std::set<uint32_t> flowSets;
        for (const auto& migration : m_migrations)
        {
            NS_TEST_EXPECT_MSG_EQ((migration.reason == FlowSetAction::REROUTE), true, "rule 2");
            NS_TEST_EXPECT_MSG_EQ(migration.from, UPLINK + 1, "from the port's interface");
            NS_TEST_EXPECT_MSG_GT(migration.to, UPLINK + 1, "to another uplink's");
            NS_TEST_EXPECT_MSG_EQ(flowSets.insert(migration.flowSet).second, true, "once");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(migration.time, MicroSeconds(606), "next packet");
            NS_TEST_EXPECT_MSG_LT(migration.time, MicroSeconds(607), "next packet");
        }
        // Streams may share a flow set: 16 of 4096 do with a probability of 3 %.
        NS_TEST_EXPECT_MSG_GT(flowSets.size(), 0, "some move");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(flowSets.size(), CountStreams(0, 500), "those of the port");
        NS_TEST_EXPECT_MSG_EQ(CountStreams(600, 1300), 0, "all of them");
        m_migrations.clear();
        Finish();
    }

    /**
     * @brief Note a migration.
     * @param migration the migration
     */
    void Migrate(const FlowSetMigration& migration)
    {
        m_migrations.push_back(migration);
    }

    uint32_t m_nSpines;                         ///< the uplinks of the leaf
    std::vector<FlowSetMigration> m_migrations; ///< the migrations
};

/**
 * @ingroup aidc-test
 * @brief Each link between switches of a fat-tree fails, one after the other.
 *
 * Expected results, k = 4: all pairs of hosts still reach each other, over as many switches as
 * before: a pair of pods has 4 paths, of which a failure takes 1 or 2, and a pair of leaves of a
 * pod has 2, of which it takes 1. So 16 pairs have 1 switch between them, 32 have 3, 192 have 5: 16
 * + 96
 * + 960 = 1072 packets are forwarded. When all links are back, so are the initial routes.
 */
class EachLinkTestCase : public TestCase
{
  public:
    EachLinkTestCase()
        : TestCase("a fat-tree goes on without any one of its links")
    {
    }

  private:
    void DoRun() override
    {
        const FabricPlan fabric = MakeFatTree(4, 10000000000, 1000);
        FabricHelper network;
        network.Build(fabric);
        FinishNetwork(network);
        PacketCounter counter(network);
        const std::string initialRoutes = PrintRoutes(network);
        std::vector<Ptr<Socket>> sockets;
        for (const uint32_t host : fabric.GetHosts())
        {
            sockets.push_back(MakeSocket(network.GetNode(host), 0));
        }
        uint32_t nLinks = 0;
        for (uint32_t link = 0; link < fabric.GetLinks().size(); ++link)
        {
            if (fabric.IsHost(fabric.GetLinks()[link].a) ||
                fabric.IsHost(fabric.GetLinks()[link].b))
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
                for (const uint32_t to : fabric.GetHosts())
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
        NS_TEST_EXPECT_MSG_EQ(network.GetLostPackets(), 0, "none is sent into a broken link");
        NS_TEST_EXPECT_MSG_EQ(PrintRoutes(network), initialRoutes, "the initial routes");
        Simulator::Destroy();
    }
};

/**
 * @ingroup aidc-test
 * @brief Links of FabricHelper that fail.
 */
class AidcLinkFailureTestSuite : public TestSuite
{
  public:
    AidcLinkFailureTestSuite()
        : TestSuite("aidc-link-failure", TestSuite::Type::UNIT)
    {
        for (const std::string scheme : {"ns3::aidc::HashSelector",
                                         "ns3::aidc::WeightedSelector",
                                         "ns3::aidc::FlowSetEcmpRouting"})
        {
            AddTestCase(new SendingEndTestCase(scheme));
            AddTestCase(new FarEndTestCase(scheme));
            AddTestCase(new FlappingTestCase(scheme));
            AddTestCase(new HostLinkTestCase(scheme));
        }
        AddTestCase(new FlowSetsMoveTestCase(2));
        AddTestCase(new FlowSetsMoveTestCase(3));
        AddTestCase(new EachLinkTestCase);
    }
};

/// The instance that registers the suite
const AidcLinkFailureTestSuite g_aidcLinkFailureTestSuite;

} // namespace
