// SPDX-License-Identifier: GPL-2.0-only

#include "test/helper/small-fabrics.h"
#include "test/helper/test-fabrics.h"
#include "test/test-case.h"
#include "test/transport/roce-network.h"

#include "ns3/fabric-flow-probe.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/flow-monitor.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv4-flow-probe.h"

// FlowMonitor in fabrics.
AIDC_TEST_SUITE("aidc-fabric-flow-probe", UNIT);

/// FlowMonitor and the probes of all nodes.
class Monitored
{
  public:
    Monitored()
        : m_monitor(m_helper.InstallAll())
    {
        FabricFlowProbe::InstallAll(m_helper);
    }

    FlowMonitor::FlowStats Get(Ipv4Address source)
    {
        const auto classifier = DynamicCast<Ipv4FlowClassifier>(m_helper.GetClassifier());
        FlowMonitor::FlowStats found;
        uint32_t nFlows = 0;
        for (const auto& [id, stats] : m_monitor->GetFlowStats())
        {
            if (classifier->FindFlow(id).sourceAddress == source)
            {
                found = stats;
                ++nFlows;
            }
        }
        NS_ABORT_MSG_UNLESS(nFlows == 1, "expected one flow of " << source << ", found " << nFlows);
        return found;
    }

    const FlowMonitor::FlowStatsContainer& GetAll() const
    {
        return m_monitor->GetFlowStats();
    }

  private:
    FlowMonitorHelper m_helper; //!< makes the monitor
    Ptr<FlowMonitor> m_monitor; //!< the monitor
};

// A write of RoCEv2 and its answer, through a switch. Expected results, by hand: the request has
// 1,060 bytes (IPv4 20, UDP 8, BTH 12, RETH 16, payload 1,000, ICRC 4), the answer 48 (IPv4 20, UDP
// 8, BTH 12, AETH 4, ICRC 4). Each is sent, forwarded and received once. The request is under way
// for two links of 1 us and two transmissions of its frame, which with Ethernet's 14 + 4 bytes take
// 86.24 ns, or 87.84 ns with the preamble's 8 and the gap's 12, at 100 Gb/s.
AIDC_DATAPATH_TEST_CASES("FlowMonitor counts RoCEv2")
{
    constexpr uint64_t PAYLOAD = 1000;
    RoceNetwork roce(2);
    roce.network.SetDatapath(mode);
    roce.Start();
    Monitored monitored;
    roce.Write(0, 1, PAYLOAD);
    Simulator::Stop(MilliSeconds(20)); // FlowMonitor looks for lost packets without end
    Simulator::Run();

    const auto request = monitored.Get(Ipv4Address(roce.GetNic(0)->GetAddress()));
    const auto answer = monitored.Get(Ipv4Address(roce.GetNic(1)->GetAddress()));
    NS_TEST_EXPECT_MSG_EQ(monitored.GetAll().size(), 2, "flows");
    for (const auto& [flow, size] : {std::pair{request, 1060U}, std::pair{answer, 48U}})
    {
        NS_TEST_EXPECT_MSG_EQ(flow.txPackets, 1, "sent");
        NS_TEST_EXPECT_MSG_EQ(flow.timesForwarded, 1, "forwarded");
        NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, 1, "received");
        NS_TEST_EXPECT_MSG_EQ(flow.lostPackets, 0, "lost");
        NS_TEST_EXPECT_MSG_EQ(flow.txBytes, size, "bytes sent");
        NS_TEST_EXPECT_MSG_EQ(flow.rxBytes, size, "bytes received");
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(request.delaySum, NanoSeconds(2172), "delay");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(request.delaySum, NanoSeconds(2178), "delay");
}

// Two hosts overflow the buffer of a switch. Expected results: FlowMonitor has as many drops as the
// queue discs, for that reason, and each packet that was sent has either arrived or is dropped.
AIDC_TEST_CASE("FlowMonitor counts RoCEv2's packets that queue discs drop")
{
    constexpr uint32_t RECEIVER = 2;
    constexpr uint64_t BYTES = 400000;
    RoceNetwork roce(3);
    roce.switches.SetBufferAttribute("Size", StringValue("20kB"));
    roce.Start();
    Monitored monitored;
    roce.Write(0, RECEIVER, BYTES);
    roce.Write(1, RECEIVER, BYTES);
    Simulator::Stop(MilliSeconds(20)); // FlowMonitor looks for lost packets without end
    Simulator::Run();

    constexpr std::size_t REASON = Ipv4FlowProbe::DROP_QUEUE_DISC;
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t dropped = 0;
    for (const auto& [id, flow] : monitored.GetAll())
    {
        sent += flow.txPackets;
        received += flow.rxPackets;
        dropped += flow.packetsDropped.size() > REASON ? flow.packetsDropped[REASON] : 0;
    }
    const auto port = roce.GetSwitchPort(RECEIVER);
    const auto root =
        port->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(port);
    NS_TEST_EXPECT_MSG_GT(dropped, 0, "the buffer overflows");
    NS_TEST_EXPECT_MSG_EQ(dropped, root->GetStats().nTotalDroppedPackets, "drops");
    NS_TEST_EXPECT_MSG_EQ(sent, received + dropped, "packets sent");
    NS_TEST_EXPECT_MSG_EQ(roce.GetStatuses(0) + roce.GetStatuses(1), "SS", "both arrive");
}

// A packet of ns-3's stack crosses a leaf-spine fabric. Expected results: it is sent and received
// once, and forwarded by leaf, spine and leaf, once by each: FlowMonitor's own probe counts the
// stack, this one the fast path.
AIDC_DATAPATH_TEST_CASES("FlowMonitor counts what a fabric forwards")
{
    FabricHelper network;
    network.SetDatapath(mode);
    network.Build(MakeParallelLeafSpine());
    FinishNetwork(network);
    const auto hosts = network.GetFabric().GetHosts();
    const auto sink = MakeSocket(network.GetNode(hosts.back()), SINK_PORT);
    const auto socket = MakeSocket(network.GetNode(hosts.front()), 0);
    Monitored monitored;
    Simulator::Schedule(MicroSeconds(1), &SendUdp, socket, network.GetAddress(hosts.back()));
    Simulator::Stop(MilliSeconds(20)); // FlowMonitor looks for lost packets without end
    Simulator::Run();

    const auto flow = monitored.Get(network.GetAddress(hosts.front()));
    NS_TEST_EXPECT_MSG_EQ(flow.txPackets, 1, "sent");
    NS_TEST_EXPECT_MSG_EQ(flow.timesForwarded, 3, "leaf, spine, leaf");
    NS_TEST_EXPECT_MSG_EQ(flow.rxPackets, 1, "received");
}
