// SPDX-License-Identifier: GPL-2.0-only

#include "bgp-wan-network.h"
#include "test/test-case.h"
#include "test/tunnel/tunnel-network.h"
#include "wan-network.h"

#include "ns3/ip-tunnel-helper.h"

AIDC_TEST_SUITE("aidc-pe-failure", SYSTEM);

constexpr uint32_t FLOWS = 64; //!< flows, each by its source port

/// What has been lost of packets that are sent at even distances.
struct Outage
{
    uint32_t lost{0};         //!< packets
    std::set<uint32_t> flows; //!< flows that have lost packets
    Time end;                 //!< from the failure to the last loss, as the receiver sees it
};

/// A PE in front of a long link, two PEs of another site, and what is behind. A - P0 - C - Q0, Q1 -
/// S - B. The link from P0 to C has 5 ms. Q0 fails: all of its links lose what is on them, and C
/// and S notice it 1 ms later.
class PeFailureNetwork
{
  public:
    /// How P0 reaches the site.
    enum Way
    {
        UNICAST, //!< a tunnel to each PE, flows spread over both
        ANYCAST  //!< one tunnel to the address that both PEs own
    };

    static constexpr int64_t FAILURE = 100000000; //!< ns
    static constexpr int64_t GAP = 10000;         //!< ns between packets

    PeFailureNetwork(SwitchDatapath::Mode mode, Way way, const std::string& keepalives)
    {
        nodes.Create(7);
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.SetRoutingHelper(MultipathRoutingHelper());
        for (uint32_t i = P0; i <= S; ++i)
        {
            stack.Install(nodes.Get(i));
        }
        Link(A, P0, "500ns");
        Link(P0, C, "5ms");
        Link(C, Q0, "500ns");
        Link(C, Q1, "500ns");
        Link(Q0, S, "500ns");
        Link(Q1, S, "500ns");
        Link(S, B, "500ns");
        const char* const addresses[] = {"", "192.0.2.1", "192.0.2.11", "192.0.2.2", "192.0.2.3"};
        for (uint32_t i = P0; i <= Q1; ++i)
        {
            IpTunnelHelper::SetAddress(nodes.Get(i), Ipv4Address(addresses[i]));
        }
        const Ipv4Address exit("192.0.2.100"); // of Q0 and Q1
        Route(P0, "192.0.2.2", 32, {C});
        Route(P0, "192.0.2.3", 32, {C});
        Route(P0, "192.0.2.100", 32, {C});
        Route(P0, "10.1.0.0", 16, {A});
        Route(C, "192.0.2.1", 32, {P0});
        Route(C, "192.0.2.101", 32, {P0});
        Route(C, "192.0.2.2", 32, {Q0});
        Route(C, "192.0.2.3", 32, {Q1});
        Route(C, "192.0.2.100", 32, {Q0, Q1});
        for (const auto place : {Q0, Q1})
        {
            Route(place, "192.0.2.1", 32, {C});
            Route(place, "192.0.2.101", 32, {C});
            Route(place, "10.2.0.0", 16, {S});
        }
        Route(S, "10.2.0.0", 16, {B});
        for (uint32_t i = P0; i <= S; ++i)
        {
            auto datapath = CreateObject<SwitchDatapath>();
            datapath->SetAttribute("Mode", EnumValue(mode));
            datapath->Install(nodes.Get(i));
        }
        IpTunnelHelper helper;
        helper.SetDeviceAttribute("KeepaliveInterval", StringValue(keepalives));
        std::vector<Ptr<IpTunnelNetDevice>> tunnels;
        if (way == ANYCAST)
        {
            const NodeContainer there(nodes.Get(Q0), nodes.Get(Q1));
            const NodeContainer here(nodes.Get(P0));
            const Ipv4Address entry("192.0.2.101");
            tunnels = helper.InstallAnycast(here, entry, there, exit);
            helper.InstallAnycast(there, exit, here, entry);
        }
        else
        {
            tunnels = {helper.Install(nodes.Get(P0), nodes.Get(Q0)).first,
                       helper.Install(nodes.Get(P0), nodes.Get(Q1)).first};
        }
        std::vector<NextHop> nextHops;
        for (const auto& tunnel : tunnels)
        {
            nextHops.emplace_back(nodes.Get(P0)->GetObject<Ipv4>()->GetInterfaceForDevice(tunnel));
        }
        MultipathRoutingHelper::GetRouting(nodes.Get(P0))
            ->AddRoute(Ipv4Address("10.2.0.0"), Ipv4Mask("/16"), nextHops);
    }

    /// Send from 50 ms to 150 ms, and have Q0 fail at 100 ms.
    Outage Run()
    {
        constexpr uint32_t PACKETS = 10000;
        constexpr int64_t START = 50000000;
        std::vector<int64_t> arrivals(PACKETS, -1);
        using Receive = NetDevice::ReceiveCallback;
        m_ports[B][S]->SetReceiveCallback(Receive(
            [&arrivals](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&) {
                uint8_t bytes[20];
                packet->CopyData(bytes, sizeof(bytes));
                arrivals.at(static_cast<std::size_t>(bytes[4] << 8 | bytes[5])) =
                    Simulator::Now().GetNanoSeconds();
                return true;
            }));
        const auto from = m_ports[A][P0];
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            DatagramSpec spec;
            spec.identification = static_cast<uint16_t>(i);
            spec.port = static_cast<uint16_t>(10000 + i % FLOWS);
            const auto bytes = MakeDatagram(spec);
            Simulator::ScheduleWithContext(
                from->GetNode()->GetId(),
                NanoSeconds(START + GAP * i),
                [from, bytes] {
                    from->Send(Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size())),
                               from->GetBroadcast(),
                               0x0800);
                });
        }
        Simulator::Schedule(NanoSeconds(FAILURE), [this] {
            for (const auto place : {C, S})
            {
                DynamicCast<EthernetChannel>(m_ports[Q0][place]->GetChannel())->Fail();
            }
        });
        Simulator::Schedule(NanoSeconds(FAILURE) + MilliSeconds(1), [this] {
            for (const auto place : {C, S})
            {
                const auto ipv4 = nodes.Get(place)->GetObject<Ipv4>();
                ipv4->SetDown(
                    static_cast<uint32_t>(ipv4->GetInterfaceForDevice(m_ports[place][Q0])));
            }
        });
        RunFor(MilliSeconds(200));
        Outage outage;
        const int64_t latency = arrivals.front() - START;
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            if (arrivals[i] < 0)
            {
                ++outage.lost;
                outage.flows.insert(i % FLOWS);
                outage.end = NanoSeconds(START + GAP * i + latency - FAILURE);
            }
        }
        return outage;
    }

    NodeContainer nodes; //!< the nodes

  private:
    /// The nodes.
    enum Place : uint32_t
    {
        A,
        P0,
        C,
        Q0,
        Q1,
        S,
        B
    };

    /// Link two nodes.
    void Link(Place a, Place b, const char* delay)
    {
        EthernetHelper ethernet;
        ethernet.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
        ethernet.SetChannelAttribute("Delay", StringValue(delay));
        const auto devices = ethernet.Install(nodes.Get(a), nodes.Get(b));
        for (uint32_t i = 0; i < 2; ++i)
        {
            const Place from = i == 0 ? a : b;
            const auto port = DynamicCast<EthernetNetDevice>(devices.Get(i));
            m_ports[from][i == 0 ? b : a] = port;
            if (const auto ipv4 = nodes.Get(from)->GetObject<Ipv4>())
            {
                ipv4->SetUp(ipv4->AddInterface(port));
            }
        }
    }

    void Route(Place from, const char* network, uint32_t length, const std::vector<Place>& to)
    {
        std::vector<NextHop> nextHops;
        for (const auto place : to)
        {
            nextHops.emplace_back(
                nodes.Get(from)->GetObject<Ipv4>()->GetInterfaceForDevice(m_ports[from].at(place)));
        }
        MultipathRoutingHelper::GetRouting(nodes.Get(from))
            ->AddRoute(Ipv4Address(network), Ipv4Mask(0xffffffffU << (32 - length)), nextHops);
    }

    std::map<uint32_t, std::map<uint32_t, Ptr<EthernetNetDevice>>> m_ports; //!< the ports
    SimulationEnd m_end;                                                    //!< of this network
};

struct StaticCaseRow
{
    SwitchDatapath::Mode mode; //!< how packets get through routers
    PeFailureNetwork::Way way; //!< how the entry reaches the site
    std::string keepalives;    //!< the attribute KeepaliveInterval
    double least;              //!< the shortest outage that can be, in ms
    double most;               //!< the longest one
};

// One of two PEs fails, and traffic goes on by the other one.
AIDC_TEST_CASE_P(StaticCase,
                 StaticCaseRow,
                 row,
                 std::string("a PE fails: ") +
                     (row.way == PeFailureNetwork::ANYCAST ? "anycast" : "unicast") +
                     " tunnels, keepalives " + row.keepalives + GetSuffix(row.mode))
{
    PeFailureNetwork network(row.mode, row.way, row.keepalives);
    const Outage outage = network.Run();
    // About half of the flows: 32 of 64, 4 standard deviations of 4
    NS_TEST_EXPECT_MSG_EQ_TOL(outage.flows.size() * 1.0, FLOWS / 2.0, 16.0, "flows of Q0");
    const double end = outage.end.GetSeconds() * 1e3;
    NS_TEST_EXPECT_MSG_GT(end, row.least, "ms until the last loss");
    NS_TEST_EXPECT_MSG_LT(end, row.most, "ms until the last loss");
    // All packets of these flows until then, and no others: 100 in a millisecond are sent.
    const double expected = end * 100 * static_cast<double>(outage.flows.size()) / FLOWS;
    NS_TEST_EXPECT_MSG_EQ_TOL(outage.lost * 1.0, expected, 16.0, "lost packets");
}

// One of two PEs of a WanHelper's data center fails, with all of its links.
AIDC_TEST_CASES(bool,
                hasBgp,
                std::string("a PE fails with all of its links: ") +
                    (hasBgp ? "BGP" : "static routes"),
                ({false, true}))
{
    constexpr double MOST = 6;               // the longest outage in ms
    constexpr int64_t GAP = 1000000 / FLOWS; // each flow sends a packet a millisecond
    constexpr uint32_t PACKETS = 200 * FLOWS;
    WanNetwork network;
    network.settings.edges = 2;
    network.wan.SetCoreKnowsAidcs(false);
    network.wan.SetDetectionDelay(MilliSeconds(1));
    network.wan.SetConvergenceDelay(MilliSeconds(1));
    if (hasBgp)
    {
        PrepareBgp(network.wan);
    }
    network.Build();
    WanTunnelHelper tunnels;
    tunnels.SetAttribute("KeepaliveInterval", TimeValue(MilliSeconds(1)));
    tunnels.Install(network.wan);
    BgpWanHelper bgp;
    if (hasBgp)
    {
        bgp.Install(network.wan, tunnels);
        bgp.AssignStreams(1000);
    }
    // Datagrams with their number from each host of the first data center
    std::vector<bool> isThere(PACKETS, false);
    std::vector<Ptr<Socket>> senders;
    std::vector<Ptr<Socket>> receivers;
    const Time start = MilliSeconds(50);
    const Time failure = MilliSeconds(100);
    for (uint32_t flow = 0; flow < FLOWS; ++flow)
    {
        const auto from = network.wan.GetAidc(0).GetHosts().Get(flow % WanNetwork::HOSTS);
        const auto to = network.wan.GetAidc(1).GetHosts().Get(flow / 4 % WanNetwork::HOSTS);
        const auto port = static_cast<uint16_t>(10000 + flow);
        const auto receiver = MakeSocket(to, port);
        receiver->SetRecvCallback(ToCallback([&](Ptr<Socket> socket) {
            while (const auto packet = socket->Recv())
            {
                uint8_t number[2];
                packet->CopyData(number, 2);
                isThere.at(static_cast<std::size_t>(number[0] << 8 | number[1])) = true;
            }
        }));
        receivers.push_back(receiver);
        const auto sender = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        const Ipv4Address address = to->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        sender->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        sender->Connect(InetSocketAddress(address, port));
        senders.push_back(sender);
    }
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        const auto sender = senders[i % FLOWS];
        Simulator::ScheduleWithContext(sender->GetNode()->GetId(),
                                       start + NanoSeconds(GAP * i),
                                       [sender, i] {
                                           const uint8_t number[2] = {static_cast<uint8_t>(i >> 8),
                                                                      static_cast<uint8_t>(i)};
                                           sender->Send(Create<Packet>(number, 2));
                                       });
    }
    RunFor(failure);
    for (const std::string spine : {"spine-0", "spine-1"})
    {
        ChangeBorder(network.wan, 1, "pe-b-0", spine, true);
    }
    for (const std::string core : {"core-0-1", "core-1-1"})
    {
        network.wan.FailLink(network.wan.GetPlan().FindLink("pe-b-0", core));
    }
    RunFor(MilliSeconds(300));
    Outage outage;
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        if (!isThere[i])
        {
            ++outage.lost;
            outage.flows.insert(i % FLOWS);
            outage.end = start + NanoSeconds(GAP * i) + MilliSeconds(1) - failure;
        }
    }
    const double end = outage.end.GetSeconds() * 1e3;
    NS_TEST_EXPECT_MSG_GT(outage.lost, 0, "packets that were on their way");
    NS_TEST_EXPECT_MSG_EQ_TOL(outage.flows.size() * 1.0, FLOWS / 2.0, 16.0, "flows of pe-b-0");
    NS_TEST_EXPECT_MSG_LT(end, MOST, "ms until the last loss, of " << outage.lost);
}

AIDC_ADD_TEST_CASES()
{
    for (const auto mode : DATAPATHS)
    {
        // C notices after 1 ms, and what comes later goes to Q1.
        AddTestCase(new StaticCase({mode, PeFailureNetwork::ANYCAST, "0s", 0.5, 1.1}));
        // P0 learns after 5 ms that no keepalive comes back, 3 or 4 intervals of 1 ms later it
        // takes the other tunnel, and 5 ms later its packets are at C.
        AddTestCase(new StaticCase({mode, PeFailureNetwork::UNICAST, "1ms", 12.5, 14.5}));
        // Nobody tells P0: all packets until the end, which is 50 ms and 5 ms later.
        AddTestCase(new StaticCase({mode, PeFailureNetwork::UNICAST, "0s", 54, 56}));
    }
}
