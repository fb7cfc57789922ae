// SPDX-License-Identifier: GPL-2.0-only

#include "csig/csig-tree.h"
#include "small-fabrics.h"
#include "test/test-case.h"

#include "ns3/csig-udp-flow-helper.h"
#include "ns3/tcp-flow-helper.h"

// Hosts with several links in networks of FabricHelper.
AIDC_TEST_SUITE("aidc-hosts-with-several-links", UNIT);

/// Counts what each link of hosts carries.
class LinkCounter
{
  public:
    explicit LinkCounter(const NetDeviceContainer& devices)
        : sent(devices.GetN()),
          received(devices.GetN())
    {
        for (uint32_t i = 0; i < devices.GetN(); ++i)
        {
            const auto device = devices.Get(i);
            ConnectTrace(device, "MacTx", [n = &sent[i]](Ptr<const Packet>) { ++*n; });
            ConnectTrace(device, "MacRx", [n = &received[i]](Ptr<const Packet>) { ++*n; });
        }
    }

    LinkCounter(const LinkCounter&) = delete;
    LinkCounter& operator=(const LinkCounter&) = delete;

    std::vector<uint32_t> sent;     //!< packets by link
    std::vector<uint32_t> received; //!< packets by link
};

/// How sockets are bound.
enum Binding
{
    TO_NOTHING, //!< to a port
    TO_ADDRESS, //!< to a port and the host's address
    TO_DEVICE,  //!< to a port and the third device
};

struct UdpLinks
{
    std::string name;                                    //!< in words
    Binding binding;                                     //!< of the flows' sockets
    SwitchDatapath::Mode datapath{SwitchDatapath::FAST}; //!< the way through switches
};

// UDP flows of sockets that are bound in different ways. Expected results: 1024 flows from the
// first host to the last one, which have four links each, put 256 +- 5 standard deviations (69) of
// a binomial distribution on each of their links; a socket that is bound to a device sends by it
// alone. All have the host's only address as their source, and answers come to it.
AIDC_TEST_CASES(UdpLinks,
                row,
                "flows use all links of hosts: " + row.name,
                ({{"sockets of a port", TO_NOTHING},
                  {"sockets of an address", TO_ADDRESS},
                  {"sockets of a device", TO_DEVICE},
                  {"through the stack", TO_NOTHING, SwitchDatapath::STACK}}))
{
    constexpr uint32_t N_FLOWS = 1024;
    const FabricPlan fabric = MakeRails();
    FabricHelper network;
    network.SetDatapath(row.datapath);
    network.Build(fabric);
    FinishNetwork(network);
    PacketCounter counter(network);
    const NodeIndex from = fabric.GetHosts().front();
    const NodeIndex to = fabric.GetHosts().back();
    const LinkCounter atSender(network.GetHostDevices(from));
    const LinkCounter atReceiver(network.GetHostDevices(to));
    const Ipv4Address any = Ipv4Address::GetAny();
    const Ipv4Address own = row.binding == TO_ADDRESS ? network.GetAddress(from) : any;
    std::vector<Ptr<Socket>> sockets;
    for (uint16_t i = 0; i < N_FLOWS; ++i)
    {
        auto socket = Socket::CreateSocket(network.GetNode(from), UdpSocketFactory::GetTypeId());
        socket->Bind(InetSocketAddress(own, 10000 + i));
        if (row.binding == TO_DEVICE)
        {
            socket->BindToNetDevice(network.GetPort(from, PortIndex(2)));
        }
        sockets.push_back(socket);
        Simulator::Schedule(NanoSeconds(100 * i), &SendUdp, socket, network.GetAddress(to));
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(counter.deliveries.size(), N_FLOWS, "all arrive");
    for (const auto& delivery : counter.deliveries)
    {
        NS_TEST_EXPECT_MSG_EQ(delivery.host, to, "at the receiver");
        NS_TEST_EXPECT_MSG_EQ(delivery.header.GetSource(), network.GetAddress(from), "source");
    }
    for (uint32_t link = 0; link < 4; ++link)
    {
        const uint32_t alone = link == 2 ? N_FLOWS : 0;
        if (row.binding == TO_DEVICE)
        {
            NS_TEST_EXPECT_MSG_EQ(atSender.sent[link], alone, "link " << link);
        }
        else
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(atSender.sent[link], 256.0, 69.0, "link " << link);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(atReceiver.received[link], 256.0, 69.0, "link " << link);
    }

    counter.Clear();
    Simulator::ScheduleNow(&SendUdp, MakeSocket(network.GetNode(to), 0), network.GetAddress(from));
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(counter.deliveries.size(), 1, "an answer");
    NS_TEST_EXPECT_MSG_EQ(counter.deliveries[0].host, from, "an answer");
}

// TCP flows over hosts with two links, the first of which fails for a while at a receiver. Expected
// results: all flows end, and each link of sender and receiver carries packets of them in both
// directions. With a failure from 20 us to 60 us of a host's link, too: a retransmission finds the
// other link.
AIDC_TEST_CASES(bool,
                fails,
                std::string("TCP flows use all links of hosts") +
                    (fails ? ", one of which fails" : ""),
                ({false, true}))
{
    ConfigureDctcp();
    const FabricPlan fabric = MakeDualHomed();
    FabricHelper network;
    network.SetDetectionDelay(MicroSeconds(5));
    network.SetConvergenceDelay(MicroSeconds(5));
    network.Build(fabric);
    FinishNetwork(network);
    const NodeIndex from(0);
    const NodeIndex to(3);
    const LinkCounter atSender(network.GetHostDevices(from));
    const LinkCounter atReceiver(network.GetHostDevices(to));
    std::vector<FlowSpec> flows;
    for (uint32_t i = 0; i < 64; ++i)
    {
        FlowSpec flow;
        flow.source = from;
        flow.destination = to;
        flow.bytes = 50000;
        flow.start = MicroSeconds(i);
        flows.push_back(flow);
    }
    TcpFlowHelper tcp;
    tcp.StopWhenDone();
    tcp.Install(network, flows);
    if (fails)
    {
        network.ScheduleFailure(fabric.GetPorts(to).front().link,
                                MicroSeconds(20),
                                MicroSeconds(60));
    }
    RunFor(MilliSeconds(500));
    AIDC_EXPECT(tcp.IsDone(), "all flows");
    NS_TEST_EXPECT_MSG_EQ((network.GetLostPackets() > 0), fails, "lost");
    for (const auto* host : {&atSender, &atReceiver})
    {
        for (uint32_t link = 0; link < 2; ++link)
        {
            // Of 64 flows 32 use a link, with a standard deviation of 4. Each has 6 packets of
            // at most 9000 bytes; of answers, SYN, ACK and FIN.
            const bool isSender = host == &atSender;
            const uint32_t data = isSender ? host->sent[link] : host->received[link];
            const uint32_t answers = isSender ? host->received[link] : host->sent[link];
            NS_TEST_EXPECT_MSG_GT_OR_EQ(data, 16 * 6, "data by link " << link);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(answers, 16 * 3, "answers by link " << link);
        }
    }
}

// Expected results: all end, all links of the sender are used, and tags arrive.
AIDC_TEST_CASE("CSIG's UDP flows use all links of hosts")
{
    CsigTree tree(MakeRails(), "min(ABW)");
    const NodeIndex from(0);
    const NodeIndex to(5);
    const LinkCounter atSender(tree.network.GetHostDevices(from));
    uint32_t nTags = 0;
    ConnectTrace(tree.network.GetNode(to)->GetObject<CsigHost>(),
                 "Tag",
                 [&nTags](const FlowKey&, const CsigFields&) { ++nTags; });
    std::vector<FlowSpec> specs(64);
    for (auto& spec : specs)
    {
        spec.source = from;
        spec.destination = to;
        spec.bytes = 8000;
    }
    CsigUdpFlowSettings settings;
    settings.rate = DataRate("1Gbps");
    settings.packetSize = 1000;
    CsigUdpFlowHelper flows;
    flows.Install(tree.network, tree.csig.GetDomain(), specs, settings);
    flows.StopWhenDone();
    RunFor(MilliSeconds(5));
    for (const auto& record : flows.GetRecords())
    {
        AIDC_EXPECT(record.isDone, "a flow");
    }
    NS_TEST_EXPECT_MSG_EQ(atSender.sent.size(), 4, "links of the sender");
    uint32_t sent = 0;
    for (const uint32_t ofLink : atSender.sent)
    {
        // Of 64 flows 16 use one of four links, with a standard deviation of 3.5; each has 8
        // packets.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(ofLink, 4 * 8, "each link");
        sent += ofLink;
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(sent, 64 * 8, "all packets");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(nTags, 64 * 8, "tags");
}

struct Failure
{
    bool isSender;                 //!< whether the sender's link fails
    FabricHelper::DeviceKind kind; //!< the devices
};

// Streams from host 0 to host 3 of a dual-homed fabric, while a link of a host fails. 16 streams
// send a packet at 5 us, 15 us and so on until 1995 us. The first link of one host fails at 500 us
// and is restored at 1200 us; detection takes 100 us, convergence 200 us. Packets are at leaf 2 or
// 3 within 4 us, and at host 3 within 5 us.
//
// Expected results: of the streams over the link, some but not all,
// - with the sender's link, 10 packets are lost, sent from 505 us to 595 us: then the host chooses
//   the other link;
// - with the receiver's link, 30 are lost, sent from 505 us to 795 us: 10 on the link, and 20 in
//   the leaf, which knows; then the others have routes to the other leaf.
// All others arrive, and once the link is restored, it is used again.
AIDC_TEST_CASES(Failure,
                row,
                std::string("a host goes on by its other link, that of the ") +
                    (row.isSender ? "sender" : "receiver") +
                    (row.kind == FabricHelper::ETHERNET ? "" : ", point-to-point"),
                ({{true, FabricHelper::ETHERNET},
                  {false, FabricHelper::ETHERNET},
                  {true, FabricHelper::POINT_TO_POINT},
                  {false, FabricHelper::POINT_TO_POINT}}))
{
    constexpr uint16_t N_STREAMS = 16;
    constexpr uint16_t FIRST_PORT = 10000;
    constexpr uint32_t N_PACKETS = 200;
    const FabricPlan fabric = MakeDualHomed();
    const NodeIndex from(0);
    const NodeIndex to(3);
    const NodeIndex failing = row.isSender ? from : to;
    FabricHelper network;
    network.SetDeviceKind(row.kind);
    network.SetDetectionDelay(MicroSeconds(100));
    network.SetConvergenceDelay(MicroSeconds(200));
    network.Build(fabric);
    FinishNetwork(network);
    const std::string routes = PrintRoutes(network);
    PacketCounter counter(network);
    const LinkCounter links(network.GetHostDevices(failing));
    std::vector<Ptr<Socket>> sockets;
    for (uint16_t i = 0; i < N_STREAMS; ++i)
    {
        sockets.push_back(MakeSocket(network.GetNode(from), FIRST_PORT + i));
        for (uint32_t packet = 0; packet < N_PACKETS; ++packet)
        {
            Simulator::Schedule(MicroSeconds(5 + 10 * packet),
                                &SendUdp,
                                sockets.back(),
                                network.GetAddress(to));
        }
    }
    network.ScheduleFailure(fabric.GetPorts(failing).front().link,
                            MicroSeconds(500),
                            MicroSeconds(1200));
    const auto& used = row.isSender ? links.sent : links.received;
    std::map<uint32_t, uint32_t> before;
    for (const int64_t time : {800, 1300, 1500, 1900})
    {
        Simulator::Schedule(MicroSeconds(time), [&before, &used, time] {
            before[static_cast<uint32_t>(time)] = used[0];
        });
    }
    Simulator::Run();

    std::map<uint16_t, uint32_t> received;
    for (const auto& delivery : counter.deliveries)
    {
        ++received[delivery.port];
    }
    const uint32_t expected = row.isSender ? 10 : 30;
    uint32_t nHit = 0;
    for (uint16_t i = 0; i < N_STREAMS; ++i)
    {
        const uint32_t lost = N_PACKETS - received[FIRST_PORT + i];
        AIDC_EXPECT(lost == 0 || lost == expected, "lost " << lost);
        nHit += lost > 0 ? 1 : 0;
    }
    // Half of them is 8, with a standard deviation of 2.
    NS_TEST_EXPECT_MSG_EQ_TOL(nHit, 8, 6, "some use the link, some the other one");
    NS_TEST_EXPECT_MSG_EQ(network.GetLostPackets(), 10 * nHit, "on the link");
    NS_TEST_EXPECT_MSG_EQ(counter.drops.size(), (row.isSender ? 0 : 20 * nHit), "in the leaf");
    for (const auto& drop : counter.drops)
    {
        NS_TEST_EXPECT_MSG_EQ(drop.node, fabric.GetLeaf(to), "in the leaf");
    }
    NS_TEST_EXPECT_MSG_EQ(before[1300] - before[800], 0, "avoided");
    // A packet each 10 us
    NS_TEST_EXPECT_MSG_EQ_TOL(before[1900] - before[1500], 40 * nHit, nHit, "used again");
    NS_TEST_EXPECT_MSG_EQ(PrintRoutes(network), routes, "the initial routes");
    Simulator::Destroy();
}

// What FabricHelper tells of hosts with several links.
AIDC_TEST_CASE("a host has its address at the loopback interface, and all devices are found")
{
    const FabricPlan fabric = MakeRails();
    FabricHelper network;
    network.Build(fabric);
    FinishNetwork(network);
    for (const NodeIndex host : fabric.GetHosts())
    {
        const auto devices = network.GetHostDevices(host);
        const auto ports = network.GetSwitchPorts(host);
        NS_TEST_ASSERT_MSG_EQ(devices.GetN(), 4, "devices");
        NS_TEST_ASSERT_MSG_EQ(ports.GetN(), 4, "ports of leaves");
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(devices.Get(i)->GetNode()->GetId(), host.value, "the host");
            NS_TEST_EXPECT_MSG_EQ(ports.Get(i)->GetNode()->GetId(),
                                  6 + host.value / 3 * 4 + i,
                                  "rail " << i);
            NS_TEST_EXPECT_MSG_EQ(devices.Get(i)->GetChannel(),
                                  ports.Get(i)->GetChannel(),
                                  "joined");
        }
        NS_TEST_EXPECT_MSG_EQ(network.GetHostDevice(host), devices.Get(0), "the first one");
        NS_TEST_EXPECT_MSG_EQ(network.GetSwitchPort(host), ports.Get(0), "the first one");
        const auto ipv4 = network.GetNode(host)->GetObject<Ipv4>();
        NS_TEST_EXPECT_MSG_EQ(ipv4->GetInterfaceForAddress(network.GetAddress(host)),
                              0,
                              "loopback");
    }
    // A stream for each of 10 switches and 6 hosts.
    NS_TEST_EXPECT_MSG_EQ(network.AssignStreams(100), 16, "streams");
}
