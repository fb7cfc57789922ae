// SPDX-License-Identifier: GPL-2.0-only

#include "csig-roce-network.h"
#include "model/core/csig/csig-fields.h"
#include "test/test-case.h"

#include "ns3/csig-helper.h"
#include "ns3/csig-tcp-control.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-factory.h"

// TCP by CSIG's signals.
AIDC_TEST_SUITE("aidc-csig-tcp-control", UNIT);

/// The rate of the link that all flows share, in bit/s.
constexpr uint64_t SHARED_RATE = 10000000000;
/// The MTU of all links.
constexpr uint16_t TCP_MTU = 1500;
/// Where receivers listen.
constexpr uint16_t TCP_PORT = 5000;

/// When flows have found their rates.
const Time FROM = MilliSeconds(5);
/// The end.
const Time TO = MilliSeconds(10);

/// What the network was like from FROM to TO.
struct TcpResult
{
    double delay{0};      //!< what packets waited in the queue, mean in ns
    uint64_t received{0}; //!< bytes of data
};

/// TCP flows from one leaf to the other, which share a link of 10 Gb/s whose queue has room for
/// 1000 packets.
class TcpNetwork
{
  public:
    /// Build it, and begin to send.
    TcpNetwork(const std::string& control, uint32_t nFlows, bool hasCsig)
    {
        m_network.SetMtu(TCP_MTU);
        m_network.Build(MakeTwoLeaves(nFlows, SHARED_RATE));
        TrafficControlHelper queues;
        queues.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("1000p"));
        m_queue = queues.Install(m_network.GetPort(NodeIndex(0), PortIndex(0))).Get(0);
        m_network.AssignAddresses();
        m_network.AssignStreams(1);
        CsigHelper csig;
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.GetHostHelper().SetAttribute("Signals", StringValue("max(PD)"));
        csig.GetHostHelper().SetAttribute("Format", StringValue("Expanded"));
        if (hasCsig)
        {
            csig.Install(m_network);
        }
        const NodeContainer hosts = m_network.GetHosts();
        for (uint32_t i = 0; i < nFlows; ++i)
        {
            for (const uint32_t host : {i, nFlows + i})
            {
                hosts.Get(host)->GetObject<TcpL4Protocol>()->SetAttribute(
                    "SocketType",
                    TypeIdValue(TypeId::LookupByName(control)));
            }
            const auto sink = MakeTcp(hosts.Get(nFlows + i));
            sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), TCP_PORT));
            sink->Listen();
            sink->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    MakeCallback(&TcpNetwork::Accept, this));
            const auto source = MakeTcp(hosts.Get(i));
            source->SetSendCallback(ToCallback([this](Ptr<Socket> socket, uint32_t) {
                while (socket->GetTxAvailable() >= 20000 && socket->Send(Create<Packet>(20000)) > 0)
                {
                }
            }));
            const auto to = hosts.Get(nFlows + i)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
            Simulator::ScheduleWithContext(hosts.Get(i)->GetId(), Time(), [source, to] {
                source->Connect(InetSocketAddress(to, TCP_PORT));
            });
            m_sockets.push_back(sink);
            m_sockets.push_back(source);
        }
    }

    TcpResult Run()
    {
        Simulator::Schedule(FROM, &TcpNetwork::Sample, this);
        Simulator::Schedule(FROM, [this] { m_received = 0; });
        RunFor(TO);
        // 1500 bytes and 46 of a frame with an expanded tag
        const double time = 8 * 1546 / (SHARED_RATE / 1e9);
        return {time * static_cast<double>(m_sum) / m_nSamples, m_received};
    }

  private:
    /// Make a TCP socket whose buffers are no limit.
    static Ptr<Socket> MakeTcp(Ptr<Node> host)
    {
        const auto socket = Socket::CreateSocket(host, TcpSocketFactory::GetTypeId());
        SetAll(socket,
               {{"SndBufSize", "1000000"},
                {"RcvBufSize", "1000000"},
                {"SegmentSize",
                 std::to_string(CsigHostHelper::GetSegmentSize(TCP_MTU, CsigFormat::EXPANDED))}});
        return socket;
    }

    /// Take a connection.
    void Accept(Ptr<Socket> socket, const Address&)
    {
        socket->SetRecvCallback(ToCallback([this](Ptr<Socket> socket) {
            while (const auto packet = socket->Recv())
            {
                m_received += packet->GetSize();
            }
        }));
        m_sockets.push_back(socket);
    }

    /// Look at the queue.
    void Sample()
    {
        m_sum += m_queue->GetNPackets();
        ++m_nSamples;
        Simulator::Schedule(NanoSeconds(997), &TcpNetwork::Sample, this);
    }

    FabricHelper m_network;             //!< the network
    Ptr<QueueDisc> m_queue;             //!< of the link that is shared
    std::vector<Ptr<Socket>> m_sockets; //!< so that they live
    uint64_t m_sum{0};                  //!< of packets in the queue
    uint32_t m_nSamples{0};             //!< how often it was looked at
    uint64_t m_received{0};             //!< bytes of data since FROM
    SimulationEnd m_end;                //!< of this network
};

// With signals, the queue is held at the target of max(PD); without, it is full.
AIDC_TEST_CASE("8.1.1: TCP's window follows the delay at the bottleneck")
{
    constexpr uint32_t FLOWS = 4;
    TcpResult results[2][2];
    for (const int isOurs : {0, 1})
    {
        for (const int hasCsig : {0, 1})
        {
            TcpNetwork network(isOurs ? "ns3::aidc::CsigTcpControl" : "ns3::TcpNewReno",
                               FLOWS,
                               hasCsig);
            results[isOurs][hasCsig] = network.Run();
        }
    }
    const TcpResult& held = results[1][1];
    const TcpResult& full = results[0][1];
    NS_TEST_EXPECT_MSG_EQ_TOL(held.delay, 50000, 10000, "within 20 % of TargetDelay");
    NS_TEST_EXPECT_MSG_GT(full.delay, 10 * held.delay, "NewReno fills the queue");
    // Of 1546 bytes on the wire, 1500 less 52 of headers and 12 of an option are data.
    const double rate = SHARED_RATE / 8e9 * 1436 / 1546 * (TO - FROM).ToDouble(Time::NS);
    NS_TEST_EXPECT_MSG_GT(static_cast<double>(held.received), 0.99 * rate, "full rate");
    NS_TEST_EXPECT_MSG_EQ(results[1][0].delay, results[0][0].delay, "NewReno without signals");
    NS_TEST_EXPECT_MSG_EQ(results[1][0].received, results[0][0].received, "NewReno");
}
