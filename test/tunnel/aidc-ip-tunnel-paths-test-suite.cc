// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "tunnel-network.h"

AIDC_TEST_SUITE("aidc-ip-tunnel-paths", UNIT);

using N = TunnelNetwork;

const Ipv4Address C2_ADDRESS("192.0.2.12");

/// Has packets of even ports wait, and steers packets of odd ports to path 1.
class EvenOddController : public TunnelTrafficController
{
  public:
    uint32_t Choose(IpTunnelNetDevice&, TunnelPacket& packet) override
    {
        if (packet.header.flow.sourcePort % 2 == 1)
        {
            return 1;
        }
        held.push_back(std::move(packet));
        return HOLD;
    }

    void NotifyPaths(IpTunnelNetDevice& tunnel) override
    {
        states.push_back({tunnel.GetPaths().IsUp(0), tunnel.GetPaths().IsUp(1)});
    }

    std::deque<TunnelPacket> held;             //!< packets that wait
    std::vector<std::pair<bool, bool>> states; //!< of paths 0 and 1, as they were told
};

/// Watches the paths of a tunnel.
class PathLog
{
  public:
    explicit PathLog(const Ptr<IpTunnelNetDevice>& tunnel)
    {
        ConnectTrace(tunnel, "PathState", [this](uint32_t path, bool isUp) {
            Add(std::string(isUp ? "up " : "down ") + std::to_string(path));
        });
        ConnectTrace(tunnel, "DefaultPath", [this](uint32_t, uint32_t after) {
            Add("take " +
                (after == TunnelPathChoice::NONE ? std::string("none") : std::to_string(after)));
        });
    }

    std::string text; //!< times in us and what has happened

  private:
    void Add(const std::string& what)
    {
        text += std::to_string(Simulator::Now().GetMicroSeconds()) + " " + what + ";";
    }
};

// A link fails in mid-run: packets take the alternate path, and return after the hold time.
AIDC_DATAPATH_TEST_CASES("a link that fails moves packets to the alternate path")
{
    N::Settings settings;
    settings.mode = mode;
    settings.paths = {{}, {C2_ADDRESS}};
    settings.tunnel = {{"HoldTime", "200us"}};
    N network(settings);
    PathLog log(network.there);
    constexpr uint32_t PACKETS = 1000;
    for (uint32_t i = 0; i < PACKETS; ++i)
    {
        network.SendAt(MicroSeconds(i), MakeDatagram({}));
    }
    const auto setLink = [&network](int64_t us, bool isUp) {
        Simulator::Schedule(MicroSeconds(us),
                            [&network, isUp] { network.SetLink(N::P1, N::C1, isUp); });
    };
    setLink(300, false);
    setLink(500, true);
    Simulator::Run();

    NS_TEST_EXPECT_MSG_EQ(log.text, "0 take 0;300 down 0;300 take 1;500 up 0;700 take 0;", "us");
    // What was on the link is lost, and else nothing: 500 ns are one packet at most.
    const uint64_t lost = network.GetPort(N::C1, N::P1)->GetStatistics().inLost +
                          network.GetPort(N::P1, N::C1)->GetStatistics().outLost;
    NS_TEST_EXPECT_MSG_LT(lost, 3, "on the wire");
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()) + lost, PACKETS, "conserved");
    const auto& statistics = network.there->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.sentPackets, PACKETS, "all have entered");
    NS_TEST_EXPECT_MSG_EQ(statistics.sentOctets, 100 * PACKETS, "with their octets");
    NS_TEST_EXPECT_MSG_EQ(network.back->GetStatistics().receivedOctets + 100 * lost,
                          100 * PACKETS,
                          "octets are conserved");
    NS_TEST_EXPECT_MSG_EQ_TOL((network.sent[{N::P1, N::C2}].size()), 400.0, 2.0, "300 to 700");
    NS_TEST_EXPECT_MSG_EQ(statistics.pathsFailed, 1, "one path fails");
    NS_TEST_EXPECT_MSG_EQ(statistics.pathsRestored, 1, "one path is restored");
}

// Without any path packets are dropped, and a route that comes is a path that comes up.
AIDC_TEST_CASE("packets are dropped while no path is up")
{
    N network(N::Settings{});
    PathLog log(network.there);
    const auto routing = network.GetRouting(N::P1);
    const auto interface = network.nodes.Get(N::P1)->GetObject<Ipv4>()->GetInterfaceForDevice(
        network.GetPort(N::P1, N::C1));
    const Ipv4Address remote("192.0.2.2");
    Simulator::Schedule(MicroSeconds(100),
                        [=] { routing->RemoveRoute(remote, Ipv4Mask::GetOnes()); });
    Simulator::Schedule(MicroSeconds(200), [=] {
        routing->AddRoute(remote, Ipv4Mask::GetOnes(), {NextHop(interface)});
    });
    // Into itself: no way at all
    const auto tunnel =
        network.nodes.Get(N::P1)->GetObject<Ipv4>()->GetInterfaceForDevice(network.there);
    Simulator::Schedule(MicroSeconds(300),
                        [=] { routing->AddRoute(remote, Ipv4Mask::GetOnes(), {NextHop(tunnel)}); });
    for (const int64_t us : {50, 150, 250, 350})
    {
        network.SendAt(MicroSeconds(us), MakeDatagram({}));
    }
    uint32_t drops = 0;
    ConnectTrace(network.there,
                 "Drop",
                 [&](Ptr<const Packet> packet, IpTunnelNetDevice::DropReason reason) {
                     ++drops;
                     NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 100, "the inner packet");
                     NS_TEST_EXPECT_MSG_EQ(reason, IpTunnelNetDevice::DROP_NO_PATH, "the reason");
                 });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(log.text,
                          "0 take 0;100 down 0;100 take none;200 up 0;200 take 0;300 down 0;"
                          "300 take none;",
                          "us");
    AIDC_EXPECT(!network.there->IsLinkUp(), "as a device");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().noPath, 2, "counted");
    NS_TEST_EXPECT_MSG_EQ(drops, 2, "traced");
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 2, "the others");
}

// A link fails of which the tunnel's router does not know: keepalives tell.
AIDC_DATAPATH_TEST_CASES("a path whose keepalives do not come back is down")
{
    N::Settings settings;
    settings.mode = mode;
    settings.paths = {{}, {C2_ADDRESS}};
    N network(settings);
    // P2 reaches P1 by both core routers, so that keepalives of path 1 come back.
    network.there->SetAttribute("KeepaliveInterval", StringValue("100us"));
    network.there->SetAttribute("KeepaliveMisses", StringValue("2"));
    PathLog log(network.there);
    const auto setLink = [&network](int64_t us, bool isUp) {
        Simulator::Schedule(MicroSeconds(us), [&network, isUp] {
            network.SetLink(N::C1, N::P2, isUp);
            const auto ipv4 = network.nodes.Get(N::P2)->GetObject<Ipv4>();
            const auto interface =
                ipv4->GetInterfaceForDevice(network.GetPort(N::P2, isUp ? N::C1 : N::C2));
            network.GetRouting(N::P2)->AddRoute(Ipv4Address("192.0.2.1"),
                                                Ipv4Mask::GetOnes(),
                                                {NextHop(interface)});
        });
    };
    setLink(450, false);
    setLink(1050, true);
    for (uint32_t i = 0; i < 20; ++i)
    {
        network.SendAt(MicroSeconds(100 * i + 50), MakeDatagram({}));
    }
    RunFor(MilliSeconds(2));
    // Keepalives of 500 and 600 us are lost, which is noticed at 700; the keepalive of 1100 us
    // takes two links there and two back, each 500 ns and 84 for the shortest frame: 2336 ns.
    NS_TEST_EXPECT_MSG_EQ(log.text, "0 take 0;700 down 0;700 take 1;1102 up 0;1102 take 0;", "us");
    // At 450 us the link has not failed yet for what comes later on it: 450, 550 and 650 are
    // lost.
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 17, "packets that arrive");
    const auto& statistics = network.there->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.keepalivesSent, 2 * 20, "sent");
    NS_TEST_EXPECT_MSG_EQ(statistics.keepalivesReturned, 2 * 20 - 6, "of 6 no answer");
    NS_TEST_EXPECT_MSG_EQ(GetDroppedAtExit(network.back->GetStatistics()),
                          0,
                          "the exit drops nothing");
    // RFC 2003 around a packet from the other end: 20 + 20 + 4 bytes.
    const auto& first = network.sent[{N::P1, N::C1}].front().bytes;
    NS_TEST_EXPECT_MSG_EQ(first.size(), 44, "20 + 20 + 4");
    NS_TEST_EXPECT_MSG_EQ(CountHeaders(first), 2, "checksums");
    NS_TEST_EXPECT_MSG_EQ(+first[29], 253, "the protocol inside");
    NS_TEST_EXPECT_MSG_EQ(+first[35], 2, "from P2");
    NS_TEST_EXPECT_MSG_EQ(+first[39], 1, "to P1");
}

// A controller has packets wait, and steers them.
AIDC_DATAPATH_TEST_CASES("packets wait and take the path that the controller says")
{
    N::Settings settings;
    settings.mode = mode;
    settings.paths = {{}, {C2_ADDRESS}};
    N network(settings);
    auto controller = CreateObject<EvenOddController>();
    network.there->SetTrafficController(controller);
    for (uint16_t port = 0; port < 6; ++port)
    {
        DatagramSpec spec;
        spec.port = port;
        spec.size = 100 + port;
        network.SendAt(MicroSeconds(10 * port), MakeDatagram(spec));
    }
    // The first is resumed by default, the second by path 1, the third by one that is down.
    Simulator::Schedule(MicroSeconds(100), [&] {
        NS_TEST_ASSERT_MSG_EQ(controller->held.size(), 3, "packets wait");
        NS_TEST_EXPECT_MSG_EQ(controller->held[0].context.ingressPort,
                              (mode == SwitchDatapath::FAST
                                   ? network.GetPort(N::P1, N::A)->GetIfIndex()
                                   : +FrameContext::NO_PORT),
                              "where it came in");
        NS_TEST_EXPECT_MSG_EQ(+controller->held[0].header.bytes[8], 63, "TTL");
        NS_TEST_EXPECT_MSG_EQ(controller->held[1].payload->GetSize(), 82, "102 - 20");
        network.there->Resume(std::move(controller->held[0]),
                              TunnelTrafficController::DEFAULT_PATH);
        network.there->Resume(std::move(controller->held[1]), 1);
    });
    Simulator::Schedule(MicroSeconds(200), [&] { network.SetLink(N::P1, N::C2, false); });
    Simulator::Schedule(MicroSeconds(300),
                        [&] { network.there->Resume(std::move(controller->held[2]), 1); });
    Simulator::Run();
    std::vector<std::size_t> direct;
    for (const auto& packet : network.sent[{N::P1, N::C1}])
    {
        direct.push_back(packet.bytes.size());
    }
    std::vector<std::size_t> alternate;
    for (const auto& packet : network.sent[{N::P1, N::C2}])
    {
        alternate.push_back(packet.bytes.size());
    }
    AIDC_EXPECT((direct == std::vector<std::size_t>{120, 124}), "path 0");
    AIDC_EXPECT((alternate == std::vector<std::size_t>{141, 143, 145, 142}), "path 1");
    NS_TEST_EXPECT_MSG_EQ((network.sent[{N::P2, N::B}].size()), 6, "all arrive");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().heldPackets, 3, "held");
    NS_TEST_EXPECT_MSG_EQ(network.there->GetStatistics().sentPackets, 6, "packets into the tunnel");
    NS_TEST_ASSERT_MSG_EQ(controller->states.size(), 1, "told of path 1");
    AIDC_EXPECT(controller->states[0].first, "path 0 is up");
    AIDC_EXPECT(!controller->states[0].second, "path 1 is down");
}

std::map<N::Hop, std::vector<N::Sent>>
RunWindows(bool hasWindows)
{
    if (hasWindows)
    {
        TimeWindowHelper::Enable();
    }
    std::map<N::Hop, std::vector<N::Sent>> sent;
    {
        N::Settings settings;
        settings.paths = {{}, {C2_ADDRESS}};
        settings.tunnel = {{"HoldTime", "100us"}, {"KeepaliveInterval", "70us"}};
        settings.isOrdered = true;
        N network(settings);
        for (uint32_t i = 0; i < 1000; ++i)
        {
            network.SendAt(MicroSeconds(i), MakeDatagram({}));
        }
        for (const int64_t us : {200, 400, 600, 650})
        {
            Simulator::Schedule(MicroSeconds(us),
                                [&network, us] { network.SetLink(N::P1, N::C1, us % 400 != 200); });
        }
        RunFor(MilliSeconds(2));
        sent = network.sent;
    }
    if (hasWindows)
    {
        TimeWindowHelper::Disable();
    }
    return sent;
}

// Failures, keepalives and packets by ns-3's default simulator and by time windows.
AIDC_TEST_CASE("the same bytes at the same times by time windows")
{
    const auto plain = RunWindows(false);
    const auto windows = RunWindows(true);
    NS_TEST_ASSERT_MSG_EQ(plain.size(), windows.size(), "links");
    for (const auto& [hop, packets] : plain)
    {
        const auto& others = windows.at(hop);
        NS_TEST_ASSERT_MSG_EQ(packets.size(), others.size(), "from " << hop.first);
        for (std::size_t i = 0; i < packets.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(packets[i].time, others[i].time, "packet " << i);
            AIDC_ASSERT(packets[i].bytes == others[i].bytes, "packet " << i);
        }
    }
}
