// SPDX-License-Identifier: GPL-2.0-only

#include "test/buffer/test-packets.h"
#include "test/helper/test-fabrics.h"
#include "test/simulator/simulator-scripts.h"
#include "test/test-case.h"

#include "ns3/flow-set-monitor.h"
#include "ns3/flow-set-selector.h"
#include "ns3/link-load-monitor.h"
#include "ns3/mac48-address.h"
#include "ns3/reorder-monitor.h"
#include "ns3/result-file.h"
#include "ns3/udp-header.h"

// What monitors measure.
AIDC_TEST_SUITE("aidc-monitors", UNIT);

std::unique_ptr<FabricHelper>
MakeNetwork(uint32_t nHosts)
{
    auto network = std::make_unique<FabricHelper>();
    network->Build(MakeLeafSpine({1, 1, nHosts}));
    FinishNetwork(*network);
    return network;
}

/// A packet that arrives.
struct Arrival
{
    uint16_t port;           //!< its source port, by which flows differ
    uint16_t identification; //!< its number
    NodeIndex host{1};       //!< where it arrives; it is for all hosts
};

struct Reorder
{
    std::string name;
    std::vector<Arrival> arrivals; //!< the packets
    uint64_t reordered;            //!< how many of them are reordered
};

// Packets out of order (RFC 4737, section 3.3: reordered if its number is below the number of a
// packet that has arrived before it).
AIDC_TEST_CASES(
    Reorder,
    row,
    "ReorderMonitor: " + row.name,
    ({{"in order", {{1, 5}, {1, 6}, {1, 9}}, 0},
      // 6 after 7 is late, and so is 5; 8 is not
      {"late packets", {{1, 7}, {1, 6}, {1, 5}, {1, 8}}, 2},
      // All that 9 has overtaken are late: 6, 7, 8
      {"one early packet", {{1, 5}, {1, 9}, {1, 6}, {1, 7}, {1, 8}}, 3},
      {"the number wraps around", {{1, 65534}, {1, 65535}, {1, 0}, {1, 1}}, 0},
      {"late over the wrap", {{1, 65534}, {1, 0}, {1, 65535}, {1, 1}}, 1},
      // The pair of hosts numbers the packets of both flows: 1, 3 and 2, 4, however they mix.
      {"two flows of a pair of hosts", {{1, 1}, {1, 3}, {2, 2}, {2, 4}, {1, 5}}, 0},
      {"one of two flows of a pair of hosts", {{1, 3}, {2, 2}, {1, 1}, {2, 4}}, 1},
      // The segment that was sent as 2 is lost, and sent again as 4, before 5.
      {"a retransmission is in order", {{1, 1}, {1, 3}, {1, 4}, {1, 5}}, 0},
      {"packets for two hosts, one of which gets them later",
       {{1, 1}, {1, 2}, {1, 1, NodeIndex(2)}, {1, 2, NodeIndex(2)}, {1, 1}},
       1}}))
{
    const auto network = MakeNetwork(3);
    const std::vector<Ptr<Socket>> sinks{MakeSocket(network->GetNode(NodeIndex(1)), SINK_PORT),
                                         MakeSocket(network->GetNode(NodeIndex(2)), SINK_PORT)};
    ReorderMonitor monitor;
    monitor.Add(network->GetHosts());
    for (const auto& arrival : row.arrivals)
    {
        UdpHeader udp;
        udp.SetSourcePort(arrival.port);
        udp.SetDestinationPort(SINK_PORT);
        auto packet = Create<Packet>(100);
        packet->AddHeader(udp);
        Ipv4Header header;
        header.SetSource(network->GetAddress(NodeIndex(0)));
        header.SetDestination(Ipv4Address::GetBroadcast());
        header.SetProtocol(UDP_PROTOCOL);
        header.SetIdentification(arrival.identification);
        header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
        header.SetTtl(64);
        packet->AddHeader(header);
        network->GetNode(arrival.host)
            ->GetObject<Ipv4L3Protocol>()
            ->Receive(network->GetHostDevice(arrival.host),
                      packet,
                      ETHERTYPE_IPV4,
                      Mac48Address(),
                      Mac48Address(),
                      NetDevice::PACKET_HOST);
    }
    NS_TEST_EXPECT_MSG_EQ(monitor.GetPackets(), row.arrivals.size(), "packets");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetReorderedPackets(), row.reordered, "reordered");
}

/// The imbalance of loads that are made up. Groups: A with three ports, B with two. Bytes sent,
/// sampled every 100 us:
///
///     time            A                  max - min   mean   B            max - min   mean
///     before Start()  5000 0 0                              0 7000
///     0 to 100 us     300 600 0          600         300    1000 500     500         750
///     100 to 200 us   400 400 400        0           400    0 0          0           0
///     200 to 250 us   0 0 1200           1200        400    100 300      200         200
///
/// Expected results: spread 600 + 500 + 0 + 0 + 1200 + 200 = 2500; mean 300 + 750 + 400 + 0 + 400 +
/// 200 = 2050. Before anything is sent it is NaN.
class ImbalanceTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    void Send(const std::vector<uint32_t>& bytes)
    {
        for (std::size_t port = 0; port < bytes.size(); ++port)
        {
            if (bytes[port] > 0)
            {
                m_queueDiscs[port]->Enqueue(MakeIpv4Item(bytes[port], NOT_ECT));
                m_queueDiscs[port]->Dequeue();
            }
        }
    }

    std::vector<Ptr<QueueDisc>> m_queueDiscs; //!< of the ports
};

AIDC_TEST_CASE_F(ImbalanceTestCase, "LinkLoadMonitor: (max - min) over mean, weighted by the mean")
{
    const auto network = MakeNetwork(5);
    const NodeIndex leaf = network->GetFabric().GetLeaves().front();
    const auto layer = network->GetNode(leaf)->GetObject<TrafficControlLayer>();
    std::vector<Ptr<NetDevice>> ports;
    for (PortIndex port; port < PortIndex(5); ++port)
    {
        ports.push_back(network->GetPort(leaf, port));
        m_queueDiscs.push_back(layer->GetRootQueueDiscOnDevice(ports.back()));
        m_queueDiscs.back()->Initialize();
    }
    LinkLoadMonitor monitor(MicroSeconds(100));
    monitor.AddGroup({ports[0], ports[1], ports[2]});
    monitor.AddGroup({ports[3], ports[4]});
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMean(), 0, "nothing is sent");
    Send({5000, 0, 0, 0, 7000});
    monitor.Start();
    Simulator::Schedule(MicroSeconds(50), [this]() { Send({300, 600, 0, 1000, 500}); });
    Simulator::Schedule(MicroSeconds(150), [this]() { Send({400, 400, 400, 0, 0}); });
    Simulator::Schedule(MicroSeconds(230), [this]() { Send({0, 0, 1200, 100, 300}); });
    RunFor(MicroSeconds(250));
    monitor.Stop();
    NS_TEST_EXPECT_MSG_EQ(monitor.GetSpread(), 2500, "max - min");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMean(), 2050, "mean");
    m_queueDiscs.clear();
}

/// A selector whose traces a test fires.
class ScriptedSelector : public FlowSetSelector
{
  public:
    static TypeId GetTypeId()
    {
        // The trace sources come before the parent, whose sources of the same names they hide.
        static TypeId tid =
            TypeId("aidctest::ScriptedSelector")
                .SetParent<Object>()
                .SetGroupName("Aidc")
                .AddTraceSource("Assessment",
                                "A port was assessed",
                                MakeTraceSourceAccessor(&ScriptedSelector::assessment),
                                "ns3::aidc::FlowSetSelector::"
                                "AssessmentTracedCallback")
                .AddTraceSource("Migration",
                                "A flow set has been given another port",
                                MakeTraceSourceAccessor(&ScriptedSelector::migration),
                                "ns3::aidc::FlowSetSelector::"
                                "MigrationTracedCallback")
                .SetParent<FlowSetSelector>();
        return tid;
    }

    /// Fire the trace of migrations.
    void Migrate(uint32_t from, FlowSetAction reason, uint32_t n)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            migration({Simulator::Now(), i, from, 9, reason, 0, 0});
        }
    }

    TracedCallback<uint32_t, uint32_t, uint64_t> assessment; //!< trace Assessment
    TracedCallback<const FlowSetMigration&> migration;       //!< trace Migration
};

// Migrations, and migrations beyond the bound
// (draft-li-rtgwg-congestion-aware-flowset-switching-00, section 5.2.3: at most CQI flow sets leave
// a port in an interval). Expected results, two switches:
//
//     switch port   CQI   migrations   beyond
//     1      1      3     3            0
//     1      2      1     2            1
//     1      1      4     0            0         the next interval: the count begins anew
//     1      1      2     2            0         and the next
//     2      1      0     2            2         a port of another switch, never assessed
//     2      1      -     (5 reroutes)           of rule 2, which costs nothing
//
// Migrations 3 + 2 + 2 + 2 = 9, violations 0 + 1 + 0 + 2 = 3, intervals 4, allowed 3 + 1 + 2 + 0 =
// 6.
AIDC_TEST_CASE("FlowSetMonitor: migrations beyond the CQI are noticed (section 5.2.3)")
{
    FlowSetMonitor monitor;
    const auto first = CreateObject<ScriptedSelector>();
    const auto second = CreateObject<ScriptedSelector>();
    monitor.Add(first);
    monitor.Add(second);
    first->assessment(1, 3, 0);
    first->assessment(2, 1, 0);
    first->Migrate(1, FlowSetAction::MIGRATE, 3);
    NS_TEST_EXPECT_MSG_EQ(monitor.GetBoundViolations(), 0, "as many as the CQI says");
    first->Migrate(2, FlowSetAction::MIGRATE, 2);
    NS_TEST_EXPECT_MSG_EQ(monitor.GetBoundViolations(), 1, "more than the CQI says");
    first->assessment(1, 4, 0);
    first->assessment(2, 0, 0);
    first->assessment(1, 2, 0);
    first->Migrate(1, FlowSetAction::MIGRATE, 2);
    NS_TEST_EXPECT_MSG_EQ(monitor.GetBoundViolations(), 1, "a new interval");
    second->Migrate(1, FlowSetAction::MIGRATE, 2);
    second->Migrate(1, FlowSetAction::REROUTE, 5);
    NS_TEST_EXPECT_MSG_EQ(monitor.GetBoundViolations(), 3, "CQI 0");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetMigrations(), 9, "migrations");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetReroutes(), 5, "reroutes");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetIntervals(), 4, "intervals with migrations");
    NS_TEST_EXPECT_MSG_EQ(monitor.GetAllowedMigrations(), 6, "what they would have allowed");
    Simulator::Schedule(MicroSeconds(5), [&] {
        first->Migrate(2, FlowSetAction::MIGRATE, 4);
        NS_TEST_EXPECT_MSG_EQ(monitor.GetMigrations(MicroSeconds(0), MicroSeconds(5)),
                              9,
                              "those before");
        NS_TEST_EXPECT_MSG_EQ(monitor.GetMigrations(MicroSeconds(5), MicroSeconds(6)),
                              4,
                              "those of the last microsecond");
    });
    Simulator::Run();
    Simulator::Destroy();
}

// The file of CQIs. Expected results: a row for each assessment of a port with a name; none for
// other ports.
AIDC_TEST_CASE("FlowSetMonitor: the file has a row for each assessment of a named port")
{
    const std::string path = CreateTempDirFilename("cqi.csv");
    const auto selector = CreateObject<ScriptedSelector>();
    FlowSetMonitor monitor;
    monitor.Add(selector, {"", "", "leaf-0:spine-0"});
    Simulator::Schedule(MicroSeconds(100), [selector]() {
        selector->assessment(1, 5, 70000);
        selector->assessment(2, 3, 40000);
        selector->assessment(3, 5, 70000);
    });
    Simulator::Schedule(MicroSeconds(1234500), [selector]() { selector->assessment(2, 0, 0); });
    Simulator::Run();
    monitor.WriteSeries(path);
    NS_TEST_EXPECT_MSG_EQ(ReadFile(path),
                          "time_s,port,cqi,queue_byte\n"
                          "0.0001,leaf-0:spine-0,3,40000\n"
                          "1.2345,leaf-0:spine-0,0,0\n",
                          "the file");
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(MessageOf([] { FlowSetMonitor().WriteSeries("/nowhere/cqi.csv"); }),
                          "cannot write /nowhere/cqi.csv: No such file or directory",
                          "no such folder");
}

// Rows that nodes add come out in the order of time, however the nodes are run.
AIDC_TEST_CASE("MonitorSeriesRows: rows are sorted by time, then by place, then as they were added")
{
    for (const auto simulation : {Simulation::DEFAULT, Simulation::WINDOWS})
    {
        const std::string path = CreateTempDirFilename("rows.csv");
        RunWith(simulation, [&path](std::ostream&) {
            MakeRow(3, MicroSeconds(1));
            MonitorSeriesRows rows;
            // In windows of 1 us, all of node 0 comes before all of node 2.
            for (const uint32_t node : {0, 2})
            {
                for (const int64_t ns : {700, 300})
                {
                    Simulator::ScheduleWithContext(node, NanoSeconds(ns), [&rows, node] {
                        const std::string name = node == 0 ? "z" : "a";
                        rows.Add(name, name + " first");
                        rows.Add(name, name + " second");
                    });
                }
            }
            Simulator::Run();
            rows.Write(path, "header");
        });
        NS_TEST_EXPECT_MSG_EQ(ReadFile(path),
                              "header\na first\na second\nz first\nz second\n"
                              "a first\na second\nz first\nz second\n",
                              "300 ns, then 700 ns");
    }
}
