// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "wan-network.h"

#include "ns3/ingress-edge-controller.h"
#include "ns3/names.h"
#include "ns3/pause-monitor.h"
#include "ns3/shared-buffer.h"

// Two data centers and a WAN, as WanHelper builds them.
AIDC_TEST_SUITE("aidc-wan-helper", UNIT);

struct RoundTrip
{
    SwitchDatapath::Mode mode; //!< how packets get through routers
    bool isInWindows;          //!< whether the simulator has time windows
};

// The round-trip time between hosts of both data centers. Expected results: a path has 9 links of
// 100 Gb/s, 6 of 1 us and 1 ms from PE to PE, and 8 switches or routers that take 1 ns. A packet of
// 4096 bytes has 8 + 14 + 20 + 8 + 12 + 16 + 4096 + 4 + 4 = 4182 bytes from the preamble to its
// end, 334.56 ns; its acknowledgment 8 + 14 + 20 + 8 + 12 + 4 + 4 + 4 = 74 bytes, 5.92 ns. 2 *
// (1,006,000 + 8) + 9 * (334.56 + 5.92) = 2,015,080 ns. By the path of 2 ms, it is 2 ms more.
AIDC_TEST_CASES(
    RoundTrip,
    row,
    std::string("the way there and back") + (row.isInWindows ? ", in time windows" : "") +
        GetSuffix(row.mode),
    ({{SwitchDatapath::FAST, false}, {SwitchDatapath::FAST, true}, {SwitchDatapath::STACK, false}}))
{
    row.isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    {
        WanNetwork network;
        network.wan.SetDatapath(row.mode);
        for (uint32_t site = 0; site < WAN_SITES; ++site)
        {
            network.wan.GetAidc(site).SetDatapath(row.mode);
        }
        network.wan.SetDetectionDelay(MilliSeconds(1));
        network.wan.SetConvergenceDelay(MilliSeconds(1));
        network.Build();
        // Each host to one of the other side, at times that do not meet; then, from each side,
        // once while the short path is down, and once when it is back.
        std::vector<Time> expected;
        const auto send = [&](uint32_t site, uint32_t i, uint32_t j, double ms, double rtt) {
            const Time start = MicroSeconds(static_cast<uint64_t>(1000 * ms));
            network.Send(site, i, 1 - site, j, 4096, start);
            expected.push_back(start + NanoSeconds(2015080) +
                               MicroSeconds(static_cast<uint64_t>(1000 * (rtt - 2))));
        };
        for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
        {
            send(0, i, 3 - i, 0.1 * i, 2);
            send(1, i, i, 0.05 + 0.1 * i, 2);
        }
        const auto& plan = network.wan.GetPlan();
        network.wan.ScheduleFailure(plan.FindLink("core-0-0", "core-0-1"),
                                    MilliSeconds(5),
                                    MilliSeconds(20));
        send(0, 0, 0, 8, 4);
        send(1, 3, 1, 9, 4);
        send(0, 1, 2, 23, 2);
        send(1, 2, 1, 24, 2);
        RunFor(MilliSeconds(40));
        auto& completions = network.completions;
        std::sort(completions.begin(), completions.end(), [](const auto& a, const auto& b) {
            return a.time < b.time;
        });
        std::sort(expected.begin(), expected.end());
        NS_TEST_ASSERT_MSG_EQ(completions.size(), expected.size(), "all have ended");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            AIDC_EXPECT(completions[i].status == RoceStatus::SUCCESS, "and well");
            NS_TEST_EXPECT_MSG_EQ_TOL(completions[i].time.GetNanoSeconds(),
                                      expected[i].GetNanoSeconds(),
                                      20,
                                      "after the time that links take, roundings apart");
        }
        const auto path = network.wan.GetPath(NodeIndex(0), NodeIndex(3)).links;
        NS_TEST_EXPECT_MSG_EQ(path.size(), 9, "links");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            RoceFlowHelper::GetBaseRtt(path, 4096, {38, 12}).GetNanoSeconds(),
            2015080 - 16 - 9 * 1.28,
            20,
            "known beforehand, but for the switches' time and the header of a write");
        NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, 0, "nothing is dropped");
        const auto core = network.wan.GetRouter("core-0-0")->GetObject<SwitchDatapath>();
        // A packet and its acknowledgment of each of ten messages: 4 from either side at the
        // beginning, and 2 at the end. The other two take the path that has no core-0-0.
        NS_TEST_EXPECT_MSG_EQ(core->GetNForwarded(),
                              (row.mode == SwitchDatapath::FAST ? 2 * (4 + 4 + 2) : 0),
                              "by the way chosen");
    }
    TimeWindowHelper::Disable();
}

/// Expect the wait where a PE limits rates. What fills the PE and the two switches that it
/// pauses has a part of the rate of any link up to the other data center, which two PEs halve,
/// and then waits in the router at that link.
void
ExpectWaitOfEdge(const WanNetwork& network, NetworkPath path, const std::vector<Ptr<Node>>& nodes)
{
    const auto getSize = [&nodes](std::size_t i) {
        return static_cast<double>(nodes[i]->GetObject<SharedBuffer>()->GetSize());
    };
    const auto back = network.wan.GetPath(NodeIndex(3), NodeIndex(0), 1, 0);
    const auto waitBack = back.GetWait().longest;
    CreateObject<IngressEdgeController>()->Install(network.wan.GetRouter("pe-a-0"));
    NS_TEST_EXPECT_MSG_EQ(back.GetWait().longest,
                          waitBack,
                          "a PE limits what it sends to the WAN, not what comes from there");
    for (const uint32_t nEdges : {1U, 2U})
    {
        path.nEdges = nEdges;
        double expected = 0;
        for (const std::size_t i : {3, 4, 5})
        {
            const double bytes = getSize(i) + nEdges * (getSize(0) + getSize(1) + getSize(2));
            expected = std::max(expected, 8e9 * bytes / path.links[i + 1].rate);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(path.GetWait().longest.GetNanoSeconds()),
                                  expected,
                                  1,
                                  "the longest wait behind " << nEdges
                                                             << " PEs that limit rates, in ns");
    }
    // What stays in the data center waits in its pauses.
    const auto& aidc = network.wan.GetAidc(0);
    const auto near = RoceFlowHelper::GetPath(aidc, NodeIndex(0), NodeIndex(3), 4096);
    const auto far = RoceFlowHelper::GetPath(network.wan.GetPath(NodeIndex(0), NodeIndex(3)),
                                             4096,
                                             aidc.GetFrameOverhead());
    NS_TEST_EXPECT_MSG_EQ(near.pause, far.queueing, "the longest pause of the data center");
    AIDC_EXPECT(far.queueing > near.queueing, "which is longer than its own");
}

// The path between hosts of both data centers, and how long packets may wait on it. Leaf, spine
// and PE pause each other, and fill together; the two core routers fill alone. With links of 100
// Gb/s, two switches of 12 MB and a PE of 64 MB need 7.04 ms to get empty, and what their headroom
// needs. With core links of 25 Gb/s, the 64 MB of a core router need 20.48 ms. A slow link from
// leaf to spine delays the 12 MB of its leaf, 3.84 ms, and nothing behind it.
AIDC_TEST_CASE("the path between data centers, and its buffers")
{
    constexpr uint64_t RATE = WanNetwork::RATE;
    for (const auto& [coreRate, firstRate] :
         {std::pair{RATE, RATE}, std::pair{RATE / 4, RATE}, std::pair{RATE, RATE / 4}})
    {
        WanNetwork network;
        network.settings.paths = {{1000000, coreRate, 2}};
        network.firstRate = firstRate;
        network.Build();
        const auto& wan = network.wan;
        const auto path = wan.GetPath(NodeIndex(0), NodeIndex(3));
        NS_TEST_ASSERT_MSG_EQ(path.arrivals.size(), path.links.size(), "one a link");
        Ptr<Node> node = wan.GetAidc(0).GetNode(NodeIndex(0));
        std::vector<Ptr<Node>> nodes;
        for (const auto& arrival : path.arrivals)
        {
            const auto channel = arrival->GetChannel();
            const auto from = channel->GetDevice(channel->GetDevice(0) == arrival ? 1 : 0);
            NS_TEST_EXPECT_MSG_EQ(from->GetNode(), node, "from the node before");
            node = arrival->GetNode();
            nodes.push_back(node);
        }
        NS_TEST_ASSERT_MSG_EQ(nodes.size(), 9, "nodes behind the source");
        NS_TEST_EXPECT_MSG_EQ(nodes[2], wan.GetRouter("pe-a-0"), "by the PE");
        NS_TEST_EXPECT_MSG_EQ(nodes[3], wan.GetRouter("core-0-0"), "by the first core router");
        NS_TEST_EXPECT_MSG_EQ(nodes[4], wan.GetRouter("core-0-1"), "by the second one");
        NS_TEST_EXPECT_MSG_EQ(nodes[5], wan.GetRouter("pe-b-0"), "by the other PE");
        NS_TEST_EXPECT_MSG_EQ(nodes[8], wan.GetAidc(1).GetNode(NodeIndex(3)), "to the host");

        const auto getHeadroom = [&nodes](std::size_t first) {
            uint64_t headroom = 0;
            for (std::size_t i = first; i < first + 3; ++i)
            {
                headroom += nodes[i]->GetObject<SharedBuffer>()->GetSize();
            }
            return static_cast<double>(headroom - 2 * 12000000 - 64000000);
        };
        const double headroom = std::max(getHeadroom(0), getHeadroom(5));
        const double together = 7.04e6 + 8e9 * headroom / 100e9;
        const double expected = coreRate == RATE ? together : 20.48e6;
        const auto wait = path.GetWait();
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(wait.longest.GetNanoSeconds()),
                                  expected,
                                  1,
                                  "the longest wait, in ns");
        AIDC_EXPECT(!wait.isLossless, "core routers may drop packets");
        ExpectWaitOfEdge(network, path, nodes);
        const auto& site = wan.GetAidc(0);
        AIDC_EXPECT(site.GetPath(NodeIndex(0), NodeIndex(3)).GetWait().isLossless,
                    "within a data center");
    }
}

/// Routers have addresses of their own, by which they reach each other. Expected results: pe-a-0
/// reaches all others; core-1-0 and core-1-1 by the path of 2 ms, since no path leads through a PE.
class RouterAddressesTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    std::map<std::string, Time> m_arrivals; //!< when each router was reached
    Ipv4Address m_from;                     //!< the source of the last packet
};

AIDC_TEST_CASE_F(RouterAddressesTestCase, "routers reach each other by their addresses")
{
    WanNetwork network;
    network.wan.SetCoreKnowsAidcs(false); // which does not matter here
    network.Build();
    // One-way delays from pe-a-0: 0.1 ms to the first core routers.
    const std::map<std::string, int64_t> delays{{"core-0-0", 100},
                                                {"core-0-1", 900},
                                                {"core-1-0", 100},
                                                {"core-1-1", 1900},
                                                {"pe-b-0", 1000}};
    const auto factory = UdpSocketFactory::GetTypeId();
    const auto sender = Socket::CreateSocket(network.wan.GetRouter("pe-a-0"), factory);
    for (const auto& [name, delay] : delays)
    {
        const auto socket = Socket::CreateSocket(network.wan.GetRouter(name), factory);
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9000));
        socket->SetRecvCallback(
            Callback<void, Ptr<Socket>>([this, router = name](Ptr<Socket> receiver) {
                Address from;
                receiver->RecvFrom(from);
                m_arrivals[router] = Simulator::Now();
                m_from = InetSocketAddress::ConvertFrom(from).GetIpv4();
            }));
        const auto address = WanHelper::GetAddress(network.wan.GetPlan().Find(name));
        Simulator::ScheduleWithContext(
            network.wan.GetRouter("pe-a-0")->GetId(),
            Seconds(0),
            [sender, address] {
                sender->SendTo(Create<Packet>(100), 0, InetSocketAddress(address, 9000));
            });
    }
    Simulator::Run();
    for (const auto& [name, delay] : delays)
    {
        NS_TEST_ASSERT_MSG_EQ(m_arrivals.count(name), 1, name << " is reached");
        NS_TEST_EXPECT_MSG_EQ_TOL(m_arrivals[name],
                                  MicroSeconds(delay),
                                  MicroSeconds(1),
                                  name << ", by the shortest path");
    }
    network.wan.RegisterNames();
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("core-1-0"),
                          network.wan.GetRouter("core-1-0"),
                          "a router's name");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<NetDevice>("core-1-0/core-1-1"),
                          network.wan.GetPort("core-1-0", "core-1-1"),
                          "a port's name");
    NS_TEST_EXPECT_MSG_EQ(Names::Find<Node>("b-leaf-1"),
                          network.wan.GetAidc(1).GetNode(NodeIndex(5)),
                          "a switch's name");
    NS_TEST_EXPECT_MSG_EQ(m_from,
                          WanHelper::GetAddress(network.wan.GetPlan().Find("pe-a-0")),
                          "from the sender's own address");
}

// The class of RoCEv2 is lossless up to the PEs, and may lose packets in the WAN. Four hosts send 2
// MB each to the other data center: 4 * 489 packets of 4096 bytes or less, which take 0.65 ms at
// 100 Gb/s. Nothing comes back within the round trip of 2 ms. Expected results: where the PE's link
// is the bottleneck, with a quarter of the rate, it pauses its border switches and nothing is
// dropped, though 6 MB do not fit into the PE's 1 MB. The border cannot send its last byte before
// the PE has sent all but 1.1 MB (its memory and headroom) of the 8 MB at 25 Gb/s, after 2.2 ms. It
// needs 0.65 ms for them, so it is stopped for 1.5 ms at least. Where it is a core router's link,
// that router drops, nobody is paused, and the PEs and data centers drop nothing. While 1956
// packets come, the link takes a quarter, 489, and one that has begun. At most 242 packets of 4140
// bytes are in 1 MB. So 1956 - 490 - 242 = 1224 are dropped at least; packets that are sent again
// may add to that.
AIDC_TEST_CASES(bool,
                isAtPe,
                std::string("a bottleneck at ") + (isAtPe ? "a PE" : "a core router"),
                ({true, false}))
{
    WanNetwork network;
    network.routers.SetBufferAttribute("Size", QueueSizeValue(QueueSize("1MB")));
    if (isAtPe)
    {
        network.settings.edgeRate /= 4;
    }
    else
    {
        network.settings.paths[0].rate /= 4;
    }
    network.Build();
    PauseMonitor pauses(WanNetwork::PRIORITY);
    pauses.Add(network.wan.GetSwitches());
    for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
    {
        network.Send(0, i, 1, i, 2000000, Seconds(0));
    }
    RunFor(MilliSeconds(500));
    NS_TEST_EXPECT_MSG_EQ(network.completions.size(), WanNetwork::HOSTS, "all have ended");
    uint64_t elsewhere = 0;
    const NodeContainer others(network.wan.GetSwitches(),
                               network.wan.GetHosts(),
                               network.wan.GetEdges(0),
                               network.wan.GetEdges(1));
    for (auto node = others.Begin(); node != others.End(); ++node)
    {
        elsewhere += CountDrops(*node);
    }
    NS_TEST_EXPECT_MSG_EQ(elsewhere, 0, "nothing is lost at PEs and in data centers");
    const uint64_t dropped = CountDrops(network.wan.GetRouter("core-0-0"));
    if (isAtPe)
    {
        NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nor in the core");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(pauses.GetPausedTime(),
                                    MicroSeconds(1500),
                                    "but switches are paused");
    }
    else
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(dropped, 1224, "the core may lose packets");
        NS_TEST_EXPECT_MSG_EQ(pauses.GetPauses(), 0, "nobody is paused");
    }
    NS_TEST_EXPECT_MSG_EQ(network.wan.GetPacketCounts().dropped, dropped, "that is all");
}
