// SPDX-License-Identifier: GPL-2.0-only

#include "lossless-network.h"
#include "test/test-case.h"

// Networks with a lossless class.
AIDC_TEST_SUITE("aidc-lossless-fabric", SYSTEM);

struct IncastCase
{
    std::string name;                                    //!< in words
    SwitchDatapath::Mode datapath{SwitchDatapath::FAST}; //!< how packets get through the switch
    bool isHalved{false};                                //!< whether the headroom is halved
    std::string mode{"Pfc"};                             //!< what stops the peers
    uint32_t response{0};                                //!< ResponseTime of all ports in ns
};

constexpr uint32_t SENDERS = 64;
constexpr uint32_t PACKETS_EACH = 60;
constexpr uint32_t SHARED = 1000000;

// Incast of 64:1 in a lossless class: nothing is lost with the headroom that is derived, and
// something is with half of it. 64 hosts send 60 packets at once over links of 100 Gb/s and 2 us.
// Headroom of a port: the frame that crosses the threshold, one of ours and one of the peer, each
// 1500 + 38 + 4 + 20 = 1562 with all tags; the PFC frame, 84; and 4 us of cable, 50,000: 54,770
// bytes, and 12.5 more for each ns of response. 3840 packets of 1500 bytes are 5.76 MB; beside the
// headrooms, the switch has 1 MB. All ports are stopped at once. With half of it, a port has room
// for 27,385 bytes. It takes 4 us from XOFF until the last packet that was sent in ignorance of it
// has come; in that time a peer sends 32 packets or 48,000 bytes.
AIDC_TEST_CASES(IncastCase,
                row,
                "Incast of 64:1: " + row.name,
                ({{"all of the headroom"},
                  {"half of it", SwitchDatapath::FAST, true},
                  {"all of it, through the stack", SwitchDatapath::STACK},
                  {"half of it, through the stack", SwitchDatapath::STACK, true},
                  {"all of it, PAUSE", SwitchDatapath::FAST, false, "Pause"},
                  {"all of it, a response of 2 us", SwitchDatapath::FAST, false, "Pfc", 2000}}))
{
    const uint32_t derived = 3 * 1562 + 84 + 50000 + 25 * row.response / 2;
    const uint32_t headroom = row.isHalved ? derived / 2 : derived;
    LosslessNetwork s;
    s.pfc.SetAttribute("Mode", StringValue(row.mode));
    s.pfc.SetAttribute("ResponseTime", TimeValue(NanoSeconds(row.response)));
    if (row.isHalved)
    {
        s.pfc.SetIngressAttribute("Headroom",
                                  QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, headroom)));
    }
    const FabricPlan star = MakeStar(SENDERS + 1, RATE, 2000);
    s.Build(star, row.datapath, (SENDERS + 1) * headroom + SHARED);
    NS_TEST_ASSERT_MSG_EQ(s.pfc.GetHeadroom(s.network.GetPort(NodeIndex(0), PortIndex(0))).GetSum(),
                          derived,
                          "as derived above");
    for (uint32_t i = 0; i < SENDERS; ++i)
    {
        s.Send(NodeIndex(2 + i), NodeIndex(1), PACKETS_EACH);
    }
    Simulator::Run();

    uint64_t refused = 0;
    uint64_t stopped = 0;
    for (uint32_t port = 0; port <= SENDERS; ++port)
    {
        refused += s.GetBuffer(NodeIndex(0))->GetIngress(port, PRIORITY)->GetRefused();
        const auto& statistics = s.GetControl(NodeIndex(0), PortIndex(port))->GetStatistics();
        stopped += statistics.priorities[PRIORITY].sentXoff + statistics.sentPause > 0;
    }
    const uint64_t peak = s.GetHeadroomPeak();
    const auto dropped = s.network.GetPacketCounts().dropped;
    NS_TEST_EXPECT_MSG_EQ(s.sent, SENDERS * PACKETS_EACH, "hosts have sent all");
    NS_TEST_EXPECT_MSG_EQ(stopped, SENDERS, "each sender was told to stop, the receiver not");
    NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all are accounted for");
    NS_TEST_EXPECT_MSG_EQ(refused, dropped, "all drops are those of the headroom");
    NS_TEST_EXPECT_MSG_EQ(s.GetBuffer(NodeIndex(0))->GetUsed(), 0, "admitted is released");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(peak, headroom, "no headroom is overdrawn");
    if (row.response == 0)
    {
        // The manual's table, of which both datapaths and PAUSE are said to be the same.
        NS_TEST_EXPECT_MSG_EQ(peak, (row.isHalved ? 27000 : 51000), "the manual's peak");
        NS_TEST_EXPECT_MSG_EQ(dropped, (row.isHalved ? 990 : 0), "the manual's drops");
        NS_TEST_EXPECT_MSG_EQ_TOL(s.last,
                                  NanoSeconds(row.isHalved ? 354800 : 476600),
                                  NanoSeconds(50),
                                  "the manual's time");
    }
    // At the least, what comes in 4 us and the response, in packets of 1500 bytes of which each
    // takes 1538 on the wire, less one that XOFF has left below itself.
    const uint32_t least = (50000 + 25 * row.response / 2) / 1538 * 1500 - 1500;
    if (row.isHalved)
    {
        NS_TEST_EXPECT_MSG_GT_OR_EQ(dropped,
                                    SENDERS * ((least - headroom) / 1500),
                                    "what half of the headroom does not hold is lost");
        return;
    }
    NS_TEST_EXPECT_MSG_EQ(dropped, 0, "nothing is lost");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(peak, least, "the headroom is needed");
    // The receiver's link never rests: 3840 frames of 1538 bytes at 100 Gb/s take 472.474 us,
    // of which the last gap is 1 ns; the first packet takes 122 ns, and two links 2 us each.
    const Time ideal = NanoSeconds(472474 - 1 + 4122);
    NS_TEST_EXPECT_MSG_GT_OR_EQ(s.last, ideal - NanoSeconds(1), "not faster than the link");
    NS_TEST_EXPECT_MSG_LT(s.last, ideal + MicroSeconds(1), "the link is kept busy");
}

/// Try a link. rate: bit/s. delay: ns. mtu: bytes. eighths: the time between two hosts' lossy
/// packets, in eighths of a packet's time.
void
Try(uint64_t rate, int64_t delay, uint16_t mtu, uint64_t eighths, bool isWhole)
{
    const std::string link = " at " + std::to_string(rate) + " bit/s, " + std::to_string(delay) +
                             " ns, " + std::to_string(mtu) + " bytes, " + std::to_string(eighths) +
                             "/8 apart";
    // Three frames with all that surrounds them, the PFC frame, and both ways over the cable.
    const uint64_t cable = 2 * delay * (rate / 1000000000) / 8 + 1;
    const uint64_t headroom = 3 * (mtu + 62) + 84 + cable;
    const uint64_t shared = 40 * mtu;
    LosslessNetwork s;
    s.mtu = mtu;
    // Ordered arrivals are served 1 ns later, which hides what happens at once.
    s.network.SetOrderedArrivals(false);
    if (!isWhole)
    {
        const auto less = static_cast<uint32_t>(headroom - (mtu + 62));
        s.pfc.SetIngressAttribute("Headroom",
                                  QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, less)));
    }
    const FabricPlan star = MakeStar(17, rate, delay);
    s.Build(star, SwitchDatapath::FAST, static_cast<uint32_t>(17 * headroom + shared));
    const auto n = static_cast<uint32_t>((headroom + shared) / mtu + 10);
    for (uint32_t i = 0; i < 8; ++i)
    {
        const uint64_t between = eighths * (mtu + 38) * 1000000000 / rate;
        s.Send(NodeIndex(10 + i), NodeIndex(2 + i), n, 0, NanoSeconds(i * between));
        s.Send(NodeIndex(2 + i), NodeIndex(1), n);
    }
    Simulator::Run();
    uint64_t refused = 0;
    for (uint32_t port = 0; port < 17; ++port)
    {
        const auto ingress = s.GetBuffer(NodeIndex(0))->GetIngress(port, PRIORITY);
        refused += ingress->GetRefused();
        NS_TEST_EXPECT_MSG_EQ(
            (s.GetControl(NodeIndex(0), PortIndex(port))->GetStatistics().priorities[3].sentXoff >
             0),
            (port > 0 && port < 9),
            "all senders are stopped" << link);
    }
    if (!isWhole)
    {
        // The derived headroom takes all that comes after XOFF. So no sender has more than two
        // packets that reach into the bytes of the frame that this one lacks.
        NS_TEST_EXPECT_MSG_GT_OR_EQ(refused, 1, "a packet less does not suffice" << link);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(refused, 8 * 2, "but nearly" << link);
        return;
    }
    NS_TEST_EXPECT_MSG_EQ(refused, 0, "nothing is lost" << link);
    // What leaves meanwhile makes room below XOFF, so that not all goes to the headroom.
    NS_TEST_EXPECT_MSG_GT(s.GetHeadroomPeak(), cable / 2, "the headroom is used" << link);
    NS_TEST_EXPECT_MSG_EQ(s.received + s.network.GetPacketCounts().dropped,
                          s.sent,
                          "all are accounted for" << link);
}

// The headroom that is derived suffices for any rate, delay and MTU. 8 hosts send to one, each
// more than its headroom and all that is shared. 8 more send lossy packets to them, at once or an
// eighth of a packet's time apart, so that the frames that stop them have to wait. At once, a
// packet less than the headroom does not suffice.
AIDC_TEST_CASE("The headroom that is derived suffices for any link")
{
    for (const uint64_t gigabits : {10, 100, 400})
    {
        for (const int64_t delay : {0, 300, 5000})
        {
            for (const uint16_t mtu : {1500, 9000})
            {
                Try(gigabits * 1000000000, delay, mtu, 0, true);
                Try(gigabits * 1000000000, delay, mtu, 1, true);
                if (delay == 0)
                {
                    Try(gigabits * 1000000000, delay, mtu, 0, false);
                }
            }
        }
    }
}

// In a fabric of two tiers stops go from switch to switch, and lossy traffic is dropped next to
// lossless traffic. 48 hosts of three leaves send 40 packets of 9000 bytes each to one host of the
// fourth: a third of them with each of the lossless priorities 3 and 4, a third without. What waits
// has no room in the last leaf, whose two uplinks are stopped; so are the spines' and then the
// leaves'. Headrooms: 3 frames of 9062, 2 PFC frames of 84, 2 us of cable: at 100 Gb/s 52,354
// bytes, at 400 Gb/s 127,354. A leaf has 16 ports of 100 Gb/s and 2 of 400 Gb/s with two priorities
// each: 2,184,744.
AIDC_TEST_CASE("Two tiers, two lossless priorities and a lossy one")
{
    LosslessNetwork s;
    s.mtu = 9000;
    s.pfc.SetPriorities({3, 4});
    const FabricPlan fabric = MakeLeafSpine({4, 2});
    s.Build(fabric, SwitchDatapath::FAST, 4000000);
    const auto& hosts = fabric.GetHosts();
    NS_TEST_EXPECT_MSG_EQ(s.pfc.GetHeadroom(s.network.GetSwitchPort(hosts[0])).GetSum(),
                          52354,
                          "of a host's link");
    uint32_t nSenders = 0;
    for (const NodeIndex host : hosts)
    {
        if (fabric.GetLeaf(host) != fabric.GetLeaf(hosts[0]))
        {
            const uint32_t priorities[] = {3, 4, 0};
            s.Send(host, hosts[0], 40, priorities[nSenders % 3]);
            ++nSenders;
        }
    }
    Simulator::Run();

    NS_TEST_EXPECT_MSG_EQ(nSenders, 48, "the hosts of the other leaves");
    uint32_t refused = 0;
    uint64_t stopped = 0;
    for (const NodeIndex id : fabric.GetSwitches())
    {
        NS_TEST_EXPECT_MSG_EQ(s.GetBuffer(id)->GetUsed(), 0, "admitted is released");
        const auto layer = s.network.GetNode(id)->GetObject<TrafficControlLayer>();
        for (PortIndex port; port < fabric.GetPorts(id).GetEnd(); ++port)
        {
            const auto root = layer->GetRootQueueDiscOnDevice(s.network.GetPort(id, port));
            refused += root->GetStats().GetNDroppedPackets(IngressBuffer::INGRESS_DROP);
            stopped += s.GetControl(id, port)->GetStatistics().priorities[3].pauses > 0;
        }
    }
    uint32_t stoppedHosts = 0;
    for (const NodeIndex host : hosts)
    {
        const auto& priorities = s.GetControl(host, PortIndex(0))->GetStatistics().priorities;
        stoppedHosts += priorities[3].pauses + priorities[4].pauses > 0;
        NS_TEST_EXPECT_MSG_EQ(priorities[0].pauses, 0, "the lossy class is never stopped");
    }
    const auto dropped = s.network.GetPacketCounts().dropped;
    NS_TEST_EXPECT_MSG_EQ(s.received + dropped, s.sent, "all are accounted for");
    NS_TEST_EXPECT_MSG_EQ(refused, 0, "no lossless packet is lost");
    NS_TEST_EXPECT_MSG_GT(dropped, 0, "lossy ones are");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(s.received, 32 * 40, "those of 32 hosts arrive");
    NS_TEST_EXPECT_MSG_GT(stopped, 2, "beside the spines' ports to the last leaf others stop");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(stoppedHosts, 1, "and hosts");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(stoppedHosts, 32, "of those that send lossless packets");
}

// A packet is charged to the port that it came in by; at the next switch, where that port has no
// account, to the account of all other ports, and not to the account with the former port's number.
// Two switches in a row stop hosts, but not each other, as provider edge routers do. At both the
// host is at port 0, and the other switch at port 1. Packets for the second host wait in the second
// switch, whose link to it is slower.
AIDC_DATAPATH_TEST_CASES("Accounts end at the next switch")
{
    constexpr uint32_t PACKETS = 20;
    constexpr uint32_t SHARED = 1000000;
    FabricPlan line("line");
    const auto first = line.AddNode(FabricTier::LEAF, 0, 0);
    const auto second = line.AddNode(FabricTier::LEAF, 1, 1);
    const auto sender = line.AddNode(FabricTier::HOST, NO_POD, 0);
    const auto receiver = line.AddNode(FabricTier::HOST, NO_POD, 1);
    line.AddLink(first, sender, RATE, 2000);
    line.AddLink(second, receiver, RATE / 10, 2000);
    line.AddLink(first, second, RATE, 2000);
    line.Finish();
    LosslessNetwork s;
    s.stopsHostsOnly = true;
    s.Build(line, mode, SHARED);
    uint64_t most[2]{};
    for (const NodeIndex node : {first, second})
    {
        ConnectTrace(s.GetBuffer(node)->GetIngress(0, PRIORITY),
                     "Occupancy",
                     [&peak = most[node == first ? 0 : 1]](uint64_t, uint64_t bytes) {
                         peak = std::max(peak, bytes);
                     });
    }
    s.Send(sender, receiver, PACKETS);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(s.received, PACKETS, "nothing is lost");
    // What comes in goes on at once: there is one packet at a time.
    NS_TEST_EXPECT_MSG_EQ(most[0], s.mtu, "charged to the port of the sender");
    NS_TEST_EXPECT_MSG_EQ(most[1], 0, "the receiver has sent nothing");
}
