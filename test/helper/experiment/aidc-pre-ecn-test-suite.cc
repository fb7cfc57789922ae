// SPDX-License-Identifier: GPL-2.0-only

#include "../../../examples/pre-ecn/pre-ecn-monitor.h"
#include "../../../examples/pre-ecn/pre-ecn-network.h"
#include "../../../examples/pre-ecn/pre-ecn-traffic.h"
#include "test/test-case.h"

#include "ns3/experiment-parameters.h"
#include "ns3/marking-queue.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-nic.h"
#include "ns3/wan-plan.h"

// The experiment pre-ecn: its scenarios, and more than two data centers.
AIDC_TEST_SUITE("aidc-pre-ecn", SYSTEM);

// Names of scenarios, and the times of an outage by hand. Long flows of ten round trips of 2 ms
// take 20 ms. The link is drained after 5 ms. Routes converge 1 ms later, 64 MB take 1.28 ms at 400
// Gbit/s, and the way takes 1 ms: it is down after 8.28 ms, and restored 5 ms later.
AIDC_TEST_CASE("scenarios, and the times of an outage")
{
    const std::vector<std::tuple<std::string, bool, bool, bool, bool>> scenarios{
        {"1ms", false, false, false, false},
        {"1ms-both", false, true, false, false},
        {"1ms-long", true, false, false, false},
        {"1ms-long-both", true, true, false, false},
        {"1ms-long-maintenance", true, false, true, false},
        {"1ms-long-failure", true, false, false, true},
        {"1ms-long-both-maintenance", true, true, true, false},
        {"1ms-long-both-failure", true, true, false, true}};
    for (const auto& [name, isLong, isBothWays, hasMaintenance, hasFailure] : scenarios)
    {
        const auto scenario = PreEcnScenario::Parse(name);
        NS_TEST_EXPECT_MSG_EQ(scenario.delay, MilliSeconds(1), name);
        NS_TEST_EXPECT_MSG_EQ(scenario.isLong, isLong, name);
        NS_TEST_EXPECT_MSG_EQ(scenario.isBothWays, isBothWays, name);
        NS_TEST_EXPECT_MSG_EQ(scenario.hasMaintenance, hasMaintenance, name);
        NS_TEST_EXPECT_MSG_EQ(scenario.hasFailure, hasFailure, name);
    }
    const auto outage = PreEcnSettings().GetOutage(PreEcnScenario::Parse("1ms-long-maintenance"));
    NS_TEST_EXPECT_MSG_EQ(outage.drain, MilliSeconds(5), "a quarter of the flows' time");
    NS_TEST_EXPECT_MSG_EQ(outage.failure, MicroSeconds(8280), "when all has got through");
    NS_TEST_EXPECT_MSG_EQ(outage.restoration, MicroSeconds(13280), "another quarter later");
}

/// Three data centers, whose hosts send to all others. Two hosts of each data center have a flow to
/// each other one: 2 x 3 flows one way and 2 x 6 both ways. PEs steer nothing. The link of each
/// primary path is of 10 Gbit/s; the flows that share it have 12 ms of it. Expected results: the
/// link of the primary path of each pair carries the bytes of the flows of this pair at least; one
/// way, the other direction carries acknowledgments, a tenth of it at most. The alternates carry
/// nothing. Each packet that was sent and did not arrive was dropped by a queue, or counted as lost
/// because of the link. If the link between the first two data centers is down, it carries nothing,
/// and the alternate path between these two is taken. Packets are lost without a drain, and none
/// with it.
class SitesTestCase : public TestCase
{
  public:
    explicit SitesTestCase(const std::string& scenario)
        : TestCase("three data centers, " + scenario),
          m_scenario(PreEcnScenario::Parse(scenario))
    {
    }

  private:
    static constexpr uint32_t SITES = 3; //!< data centers
    static constexpr uint32_t HOSTS = 2; //!< hosts of each that send to each other one

    void DoRun() override
    {
        PreEcnSettings settings;
        settings.sites = SITES;
        settings.pairs = 1;
        settings.senders = 1;
        settings.coreRate = DataRate("10Gbps");
        settings.buffer = 1000000;
        settings.longRoundTrips = 6;
        settings.Check(m_scenario);
        PreEcnTraffic traffic(settings, m_scenario);
        NS_TEST_ASSERT_MSG_EQ(traffic.GetNFlows(),
                              HOSTS * SITES * (SITES - 1) / (m_scenario.isBothWays ? 1 : 2),
                              "a flow of each host to each other data center");
        const PreEcnNetwork network(settings, ExperimentOptions(), m_scenario, "tail-drop");
        CheckBottlenecks(network);
        traffic.Install(network.GetWan(), network.GetDetour());
        PreEcnMonitor monitor(settings, network, traffic.GetSenders(), m_scenario.delay);
        uint64_t down = 0;
        if (m_scenario.HasOutage())
        {
            const auto outage = settings.GetOutage(m_scenario);
            Simulator::Schedule(outage.failure + MilliSeconds(2),
                                [&] { down = GetBytes(network, "core-a-0", "core-b-0"); });
            Simulator::Schedule(outage.restoration - NanoSeconds(1), [&] {
                NS_TEST_EXPECT_MSG_EQ(GetBytes(network, "core-a-0", "core-b-0"),
                                      down,
                                      "the link carries nothing");
            });
        }
        RunFor(traffic.GetLimit());
        AIDC_ASSERT(traffic.IsDone(), traffic.DescribeUnfinished());
        // What was sent again, and is still on its way
        RunFor(MilliSeconds(10));
        CheckPackets(network, monitor);
        if (!m_scenario.HasOutage())
        {
            CheckLinks(network, traffic);
            CheckOrder(monitor);
        }
        else
        {
            // After a cut, senders may wait for their timers until the link is back.
            AIDC_EXPECT(GetBytes(network, "core-a-1", "core-b-1") > 0 || m_scenario.hasFailure,
                        "the other way is taken");
            NS_TEST_EXPECT_MSG_EQ(GetBytes(network, "core-a-1", "core-c-1"),
                                  0,
                                  "of these two only");
        }
        Simulator::Destroy();
    }

    /// Check that the bottlenecks are the queues of all pairs.
    void CheckBottlenecks(const PreEcnNetwork& network)
    {
        const auto bottlenecks = network.GetBottlenecks();
        NS_TEST_ASSERT_MSG_EQ(bottlenecks.size(), SITES, "those of each data center");
        std::set<Ptr<MarkingQueue>> all;
        for (const auto& queues : bottlenecks)
        {
            NS_TEST_EXPECT_MSG_EQ(queues.size(), 2 * (SITES - 1), "two paths to each other one");
            all.insert(queues.begin(), queues.end());
        }
        NS_TEST_EXPECT_MSG_EQ(all.size(), 2 * SITES * (SITES - 1), "no queue is there twice");
        NS_TEST_EXPECT_MSG_EQ(
            bottlenecks[0][0],
            PreEcnNetwork::GetQueue(network.GetWan().GetPort("core-a-0", "core-b-0")),
            "the primary path from the first to the second comes first");
        NS_TEST_EXPECT_MSG_EQ(
            bottlenecks[2][3],
            PreEcnNetwork::GetQueue(network.GetWan().GetPort("core-c-1", "core-b-1")),
            "the alternate from the last to the second one comes last");
    }

    /// Returns the bytes that the link between them has carried, one way.
    static uint64_t GetBytes(const PreEcnNetwork& network,
                             const std::string& from,
                             const std::string& to)
    {
        return network.GetWan().GetPort(from, to)->GetStatistics().outOctets;
    }

    /// Check what links between core routers have carried.
    void CheckLinks(const PreEcnNetwork& network, const PreEcnTraffic& traffic)
    {
        const uint64_t bytes = HOSTS * traffic.GetRecords().front().spec.bytes;
        for (uint32_t from = 0; from < SITES; ++from)
        {
            for (uint32_t to = 0; to < SITES; ++to)
            {
                if (from == to)
                {
                    continue;
                }
                const std::string a = "core-" + WanPlan::GetSiteName(from) + "-";
                const std::string b = "core-" + WanPlan::GetSiteName(to) + "-";
                const uint64_t carried = GetBytes(network, a + "0", b + "0");
                if (from < to || m_scenario.isBothWays)
                {
                    NS_TEST_EXPECT_MSG_GT(carried, bytes, a << b << ": the flows");
                }
                else
                {
                    NS_TEST_EXPECT_MSG_LT(carried, bytes / 10, a << b << ": acknowledgments");
                }
                NS_TEST_EXPECT_MSG_EQ(GetBytes(network, a + "1", b + "1"), 0, a << b);
            }
        }
    }

    void CheckPackets(const PreEcnNetwork& network, const PreEcnMonitor& monitor)
    {
        uint64_t sent = 0;
        uint64_t received = 0;
        const auto hosts = network.GetWan().GetHosts();
        for (auto host = hosts.Begin(); host != hosts.End(); ++host)
        {
            const auto& counted = RoceHelper::GetNic(*host)->GetStatistics();
            sent += counted.sentPackets + counted.sentAcks + counted.sentNaks + counted.sentCnps;
            received += counted.receivedPackets + counted.receivedAcks + counted.receivedNaks +
                        counted.receivedCnps;
        }
        const uint64_t lost = monitor.GetLostPackets(network);
        const uint64_t dropped = network.GetWan().GetPacketCounts().dropped;
        NS_TEST_EXPECT_MSG_EQ(sent - received, lost + dropped, "each packet is accounted for");
        NS_TEST_EXPECT_MSG_EQ((lost > 0), m_scenario.hasFailure, "only a cut loses packets");
    }

    /// Check that what is lost and sent again does not count as overtaken: each flow has one path.
    void CheckOrder(const PreEcnMonitor& monitor)
    {
        ExperimentOutcome outcome;
        monitor.AddTo(outcome, Simulator::Now());
        const auto get = [&outcome](const std::string& name) {
            const auto& metrics = outcome.metrics;
            return std::find_if(metrics.begin(),
                                metrics.end(),
                                [&name](const auto& metric) { return metric.name == name; })
                ->value;
        };
        NS_TEST_EXPECT_MSG_GT(get("retransmitted_packets"), 0, "packets were lost");
        NS_TEST_EXPECT_MSG_EQ(get("reordered_packets"), 0, "none overtook another");
    }

    const PreEcnScenario m_scenario; //!< the scenario
};

AIDC_ADD_TEST_CASES()
{
    AddTestCase(new SitesTestCase("1ms-long"));
    AddTestCase(new SitesTestCase("1ms-long-both"));
    AddTestCase(new SitesTestCase("1ms-long-both-maintenance"));
    AddTestCase(new SitesTestCase("1ms-long-both-failure"));
}
