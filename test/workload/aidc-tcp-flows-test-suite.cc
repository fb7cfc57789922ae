// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"

#include "ns3/bulk-send-application.h"
#include "ns3/flow-spec-file.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/object-ptr-container.h"
#include "ns3/packet-sink.h"
#include "ns3/tcp-flow-application.h"
#include "ns3/tcp-flow-helper.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/topology-file.h"

// Tests of TcpFlowApplication, and of what TcpFlowHelper makes of flows.

AIDC_TEST_SUITE("aidc-tcp-flows", UNIT);

FlowSpec
MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, Time start)
{
    FlowSpec flow;
    flow.source = NodeIndex(source);
    flow.destination = NodeIndex(destination);
    flow.bytes = bytes;
    flow.start = start;
    return flow;
}

std::size_t
CountSockets(Ptr<Node> node)
{
    ObjectPtrContainerValue sockets;
    node->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
    return sockets.GetN();
}

Ptr<TcpFlowApplication>
GetFlows(Ptr<Node> node)
{
    return DynamicCast<TcpFlowApplication>(node->GetApplication(0));
}

/// A TCP segment that a host has sent.
struct SentSegment
{
    Time time;                   //!< when
    uint32_t host;               //!< by whom
    std::vector<uint8_t> packet; //!< the packet, from its IPv4 header on

    /// Compare with another one.
    bool operator==(const SentSegment& other) const
    {
        return time == other.time && host == other.host && packet == other.packet;
    }
};

/// A network of which all segments that hosts send are recorded.
class RecordedNetwork
{
  public:
    /// Make the network: hosts 1 to 4 at switch 0.
    explicit RecordedNetwork(const std::string& errorRate)
    {
        std::istringstream text("5 1 4\n0\n"
                                "1 0 10Gbps 1us " +
                                errorRate + "\n2 0 10Gbps 1us " + errorRate + "\n3 0 10Gbps 1us " +
                                errorRate + "\n4 0 10Gbps 1us " + errorRate + "\n");
        ConfigureDctcp();
        m_network.Build(TopologyFile::Parse(text, "t").GetFabric());
        m_network.AssignAddresses();
        m_network.AssignStreams(1);
        for (uint32_t host = 1; host <= 4; ++host)
        {
            m_network.GetNode(NodeIndex(host))
                ->GetObject<Ipv4L3Protocol>()
                ->TraceConnectWithoutContext(
                    "Tx",
                    MakeBoundCallback(&RecordedNetwork::NoteSent, &m_sent, host));
        }
    }

    FabricHelper& Get()
    {
        return m_network;
    }

    std::vector<SentSegment> Run(Time duration)
    {
        RunFor(duration);
        return m_sent;
    }

  private:
    static void NoteSent(std::vector<SentSegment>* sent,
                         uint32_t host,
                         Ptr<const Packet> packet,
                         Ptr<Ipv4>,
                         uint32_t)
    {
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        sent->push_back({Simulator::Now(), host, bytes});
    }

    FabricHelper m_network;          //!< the network
    std::vector<SentSegment> m_sent; //!< what hosts have sent
};

constexpr double DURATION = 1; //!< of a simulation in seconds

/// Send flows by TcpFlowHelper.
std::vector<SentSegment>
RunHelper(const std::string& errorRate, const std::vector<FlowSpec>& flows)
{
    RecordedNetwork network(errorRate);
    TcpFlowHelper tcp;
    tcp.Install(network.Get(), flows);
    const auto sent = network.Run(Seconds(DURATION));
    if (errorRate != "0.1") // there ns-3.37's own sockets do not end them all, either
    {
        AIDC_EXPECT(tcp.IsDone(), "all flows are done");
    }
    Simulator::Destroy();
    return sent;
}

/// Send flows by ns-3's applications.
std::vector<SentSegment>
RunPlain(const std::string& errorRate, const std::vector<FlowSpec>& flows)
{
    RecordedNetwork network(errorRate);
    std::map<NodeIndex, uint16_t> nPorts;
    const TypeIdValue protocol(TcpSocketFactory::GetTypeId());
    for (const auto& flow : flows)
    {
        const auto port = static_cast<uint16_t>(1024 + nPorts[flow.destination]++);
        auto sink = CreateObject<PacketSink>();
        sink->SetAttribute("Protocol", protocol);
        sink->SetAttribute("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), port)));
        network.Get().GetNode(flow.destination)->AddApplication(sink);
        auto sender = CreateObject<BulkSendApplication>();
        sender->SetAttribute("Protocol", protocol);
        sender->SetAttribute(
            "Remote",
            AddressValue(InetSocketAddress(network.Get().GetAddress(flow.destination), port)));
        sender->SetAttribute("MaxBytes", UintegerValue(flow.bytes));
        sender->SetAttribute("SendSize", UintegerValue(9000 - 40));
        sender->SetStartTime(flow.start);
        network.Get().GetNode(flow.source)->AddApplication(sender);
    }
    const auto sent = network.Run(Seconds(DURATION));
    Simulator::Destroy();
    return sent;
}

// Hosts send what they would with a BulkSendApplication and a PacketSink a flow, packet by packet
// and at the same times, whatever is lost.
AIDC_TEST_CASES(std::string,
                errorRate,
                "The packets of ns-3's applications, error rate " + errorRate,
                ({"0", "0.01", "0.1"}))
{
    std::vector<FlowSpec> flows;
    for (uint32_t i = 0; i < 60; ++i)
    {
        // Some together, and not in the order of their starts
        const uint64_t bytes = i % 7 == 0 ? 300000 : 1 + 997 * i;
        flows.push_back(MakeFlow(1 + i % 4,
                                 1 + (i + 1 + i % 3) % 4,
                                 bytes,
                                 MicroSeconds(20 * ((i / 4) * 7 % 15))));
    }
    const auto expected = RunPlain(errorRate, flows);
    const auto found = RunHelper(errorRate, flows);
    NS_TEST_EXPECT_MSG_GT(expected.size(), 60 * 8, "segments");
    NS_TEST_ASSERT_MSG_EQ(found.size(), expected.size(), "as many segments");
    for (std::size_t i = 0; i < found.size(); ++i)
    {
        AIDC_ASSERT(found[i] == expected[i],
                    "segment " << i << " at " << found[i].time.GetNanoSeconds());
    }
}

/// A flow's ports are the next ones of both hosts, and its sockets leave when it is done.
class SocketsLeaveTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check how many sockets hosts have.
    void CheckSockets(FabricHelper* network, uint32_t flow, bool isUnderWay)
    {
        for (uint32_t host = 1; host <= 4; ++host)
        {
            const auto node = network->GetNode(NodeIndex(host));
            const bool hasFlow = host % 2 == 1 ? isUnderWay : Simulator::Now() > MicroSeconds(5);
            NS_TEST_EXPECT_MSG_EQ(GetFlows(node)->GetNSockets(),
                                  (hasFlow ? 1 : 0),
                                  "sockets of host " << host << " with flow " << flow);
            NS_TEST_EXPECT_MSG_EQ(CountSockets(node), 0, "sockets of the node's TCP");
        }
    }

    /// Check the ports of the flows, by their SYN.
    void CheckPorts(const std::vector<SentSegment>& sent)
    {
        std::map<uint32_t, std::vector<std::pair<uint16_t, uint16_t>>> ports;
        for (const auto& segment : sent)
        {
            auto packet = Create<Packet>(segment.packet.data(), segment.packet.size());
            Ipv4Header ip;
            TcpHeader tcp;
            packet->RemoveHeader(ip);
            packet->PeekHeader(tcp);
            if ((tcp.GetFlags() & TcpHeader::SYN) && !(tcp.GetFlags() & TcpHeader::ACK))
            {
                ports[segment.host].emplace_back(tcp.GetSourcePort(), tcp.GetDestinationPort());
            }
        }
        NS_TEST_ASSERT_MSG_EQ(ports[1].size(), FLOWS, "flows of host 1");
        NS_TEST_ASSERT_MSG_EQ(ports[2].size(), 1, "flows of host 2");
        for (uint16_t i = 0; i < FLOWS; ++i)
        {
            // ns-3's first ephemeral port is 49153, TcpFlowHelper's first port 1024.
            NS_TEST_EXPECT_MSG_EQ(ports[1][i].first, 49153 + i, "port at host 1");
            NS_TEST_EXPECT_MSG_EQ(ports[1][i].second, 1024 + i, "port at host 3");
        }
        NS_TEST_EXPECT_MSG_EQ(ports[2][0].first, 49153, "port at host 2");
        NS_TEST_EXPECT_MSG_EQ(ports[2][0].second, 1024, "port at host 4");
    }

    static constexpr uint32_t FLOWS = 40; //!< flows that have an end
};

AIDC_TEST_CASE_F(SocketsLeaveTestCase, "Sockets leave when their flow is done; ports")
{
    RecordedNetwork network("0");
    std::vector<FlowSpec> flows;
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        flows.push_back(MakeFlow(1, 3, 1000, MicroSeconds(100 * i)));
    }
    flows.push_back(MakeFlow(2, 4, 0, MicroSeconds(5))); // has no end
    TcpFlowHelper tcp;
    tcp.Install(network.Get(), flows);
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        // The flow lasts 1.5 round trips of 4 us, its sockets 2.5
        Simulator::Schedule(MicroSeconds(100 * i + 3),
                            &SocketsLeaveTestCase::CheckSockets,
                            this,
                            &network.Get(),
                            i,
                            true);
        Simulator::Schedule(MicroSeconds(100 * i + 99),
                            &SocketsLeaveTestCase::CheckSockets,
                            this,
                            &network.Get(),
                            i,
                            false);
    }
    const auto sent = network.Run(MicroSeconds(100 * FLOWS));
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        AIDC_EXPECT(tcp.GetRecords()[i].isDone, "flow " << i);
    }
    CheckPorts(sent);
}

// The socket of a flow leaves that nobody listens to; sockets of others get what is theirs.
AIDC_TEST_CASE("A flow that is refused, and sockets of others")
{
    RecordedNetwork network("0");
    TcpFlowHelper tcp;
    tcp.Install(network.Get(), {MakeFlow(2, 4, 5000, MicroSeconds(1))});
    // Its destination expects nothing: nobody has made a PacketSink at port 7.
    auto refused = CreateObject<TcpFlowApplication>();
    network.Get().GetNode(NodeIndex(1))->AddApplication(refused);
    refused->AddOutgoing(MicroSeconds(1), network.Get().GetAddress(NodeIndex(4)), 7, 1000);
    // The node's own sockets get what is theirs, at a host with flows, too.
    auto sink = CreateObject<PacketSink>();
    sink->SetAttribute("Protocol", TypeIdValue(TcpSocketFactory::GetTypeId()));
    sink->SetAttribute("Local", AddressValue(InetSocketAddress(Ipv4Address::GetAny(), 9)));
    network.Get().GetNode(NodeIndex(4))->AddApplication(sink);
    auto other = CreateObject<TcpFlowApplication>();
    network.Get().GetNode(NodeIndex(3))->AddApplication(other);
    other->AddOutgoing(MicroSeconds(1), network.Get().GetAddress(NodeIndex(4)), 9, 70000);

    // A SYN and five more, after 10 ms, 20 ms and so on; ns-3 ignores a RST before the SYN-ACK.
    const auto sent = network.Run(Seconds(1));
    uint32_t nOfRefused = 0;
    for (const auto& segment : sent)
    {
        nOfRefused += segment.host == 1;
    }
    NS_TEST_EXPECT_MSG_EQ(nOfRefused, 6, "SYN");
    NS_TEST_EXPECT_MSG_EQ(refused->GetNSockets(), 0, "the socket has left");
    NS_TEST_EXPECT_MSG_EQ(sink->GetTotalRx(), 70000, "data of ns-3's application");
    NS_TEST_EXPECT_MSG_EQ(other->GetNSockets(), 0, "the socket has left");
    AIDC_EXPECT(tcp.IsDone(), "the flow beside");
}
