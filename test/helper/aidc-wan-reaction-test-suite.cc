// SPDX-License-Identifier: GPL-2.0-only

#include "test/test-case.h"
#include "wan-network.h"

#include "ns3/domain-message.h"
#include "ns3/flow-key.h"
#include "ns3/ingress-edge-controller.h"
#include "ns3/ip-tunnel-net-device.h"
#include "ns3/pre-ecn-queue-disc.h"
#include "ns3/pre-ecn-wan-helper.h"
#include "ns3/queue-item.h"
#include "ns3/roce-packet.h"
#include "ns3/switch-port-queue-disc.h"
#include "ns3/wan-tunnel-helper.h"

// Light and severe congestion between two data centers, and the reactions to it
// (draft-hu-rtgwg-pre-ecn-wan-01, section 3.2.2).
AIDC_TEST_SUITE("aidc-wan-reaction", UNIT);

/// Four hosts of a data center send through a core link of a quarter of their speed, with routers
/// that mark in two steps, and notifications.
class CongestedWan
{
  public:
    /// The least time between two notifications of a flow.
    static inline const Time INTERVAL = MicroSeconds(100);

    /// @param t2 the second threshold of core routers in bytes
    /// @param nLimited the number of tunnels from PE to PE, which have one path and a limit; 0 for
    ///                 one tunnel with two paths and no limit
    explicit CongestedWan(uint32_t t2, std::size_t nLimited = 0)
    {
        if (nLimited > 0)
        {
            tunnels.SetMaxPaths(1);
            tunnels.SetWeights(std::vector<double>(nLimited, 1));
            preEcn.SetLimitsTunnels(true);
        }
        network.settings.edgeRate = 4 * WanNetwork::RATE;
        network.wan.SetBorderLink(4 * WanNetwork::RATE, MicroSeconds(1));
        network.wan.SetCoreKnowsAidcs(false);
        network.switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                               "Mode",
                                               StringValue("StaticStep"));
        network.switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                               "Threshold",
                                               QueueSizeValue(QueueSize("12MB"))); // never
        const auto set = [this](const std::string& name, const AttributeValue& value) {
            network.routers.SetQueueDiscAttribute(WanNetwork::PRIORITY, name, value);
        };
        network.routers.SetQueueDisc(WanNetwork::PRIORITY, "ns3::aidc::PreEcnQueueDisc");
        set("T1", QueueSizeValue(QueueSize("200kB")));
        set("T2", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, t2)));
        set("Maximum", QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, 2 * t2)));
        set("AverageWeight", DoubleValue(1));
        set("Guard", EnumValue(PreEcnQueue::GUARD_OFF));
        network.roce.SetCongestionControl("ns3::aidc::DcqcnControl");
        network.Build();
        tunnels.SetAttribute("EgressMode", EnumValue(IpTunnelNetDevice::PIPE_FOR_ECT_1));
        tunnels.Install(network.wan);
        preEcn.SetKey("000102030405060708090a0b0c0d0e0f");
        preEcn.SetNotifierAttribute("Interval", TimeValue(INTERVAL));
        preEcn.SetControllerAttribute("MeasureTime", TimeValue(INTERVAL / 2));
        preEcn.Install(network.wan, tunnels);
        const auto port = network.wan.GetPort("core-0-0", "core-0-1");
        bottleneck =
            DynamicCast<SwitchPortQueueDisc>(
                port->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(port))
                ->GetClass(WanNetwork::PRIORITY)
                ->GetQueue();
        ConnectTrace(bottleneck,
                     "CongestionMark",
                     [this](Ptr<const QueueDiscItem>, CongestionSeverity severity, double) {
                         NoteFirst(firstMark.at(static_cast<std::size_t>(severity)));
                         ++marks.at(static_cast<std::size_t>(severity));
                     });
        for (const auto& [router, controller] : preEcn.GetControllers())
        {
            ConnectTrace(controller,
                         "Notification",
                         [this](const CongestionNotification& notification) {
                             NoteFirst(
                                 firstNotice.at(static_cast<std::size_t>(notification.severity)));
                         });
            ConnectTrace(controller, "Rate", [this](const FlowKey&, uint64_t, uint64_t) {
                NoteFirst(firstRate);
            });
        }
        for (uint32_t i = 0; i < WanNetwork::HOSTS; ++i)
        {
            network.Send(0, i, 1, i, 2000000, MicroSeconds(10));
            ConnectTrace(network.GetNic(0, i), "Rx", [this](uint32_t, const RocePacket& packet) {
                if (packet.opcode == RoceOpcode::CNP)
                {
                    NoteFirst(firstCnp);
                }
            });
            network.wan.GetAidc(1)
                .GetHostDevice(NodeIndex(i))
                ->TraceConnectWithoutContext("Sniffer", MakeCallback(&CongestedWan::Sniff, this));
        }
    }

    /// Simulate until all has arrived.
    void Run()
    {
        RunFor(MilliSeconds(300));
    }

    WanNetwork network;              //!< the network
    WanTunnelHelper tunnels;         //!< its tunnels
    PreEcnWanHelper preEcn;          //!< notifies and reacts
    Ptr<MarkingQueue> bottleneck;    //!< the queue of core-0-0 towards core-0-1
    std::array<Time, 3> firstMark;   //!< when it first marks, by severity; 0 for never
    std::array<Time, 3> firstNotice; //!< when a PE is first notified, by severity
    Time firstRate;                  //!< when a PE first changes a rate
    Time firstCnp;                   //!< when a sender first has a congestion notification packet
    std::array<uint64_t, 3> marks{}; //!< by severity
    std::array<uint64_t, 4> codes{}; //!< frames at the receivers by ECN codepoint

  private:
    /// Note a time, unless there is an earlier one: nodes may be at different times.
    static void NoteFirst(Time& time)
    {
        time = time.IsZero() ? Simulator::Now() : std::min(time, Simulator::Now());
    }

    /// Record a frame at a receiver.
    void Sniff(Ptr<const Packet> frame)
    {
        constexpr uint32_t TOS = 14 + 1; // behind Ethernet's header
        std::array<uint8_t, TOS + 1> bytes{};
        frame->CopyData(bytes.data(), bytes.size());
        ++codes.at(bytes[TOS] & 3U);
    }
};

/// The codepoints of the ECN field (RFC 3168).
enum Codepoint
{
    ECT_1 = 1, //!< ECT(1)
    CE = 3     //!< CE
};

// Who reacts when (section 3.2.2). Expected results: core-0-0 is 100 us from the PE. The PE accepts
// the first notification within that and 1 us for the packet itself, which is not long, and lowers
// a rate within the interval of notifications from then on. The sender's loop takes the round trip
// of 2,012 us at least: a mark goes on to the receiver, the congestion notification packet goes
// back, and then the slower packets have to come as far as core-0-0, which is 103 us from the
// sender.
AIDC_TEST_CASES(bool,
                isInWindows,
                std::string("section 3.2.2, the ingress PE reacts long before the sender") +
                    (isInWindows ? ", in time windows" : ""),
                ({false, true}))
{
    isInWindows ? TimeWindowHelper::Enable() : TimeWindowHelper::Disable();
    {
        const Time oneWay = MicroSeconds(100);
        CongestedWan wan(500000);
        wan.Run();
        const Time light = wan.firstMark[1];
        const Time severe = wan.firstMark[2];
        NS_TEST_EXPECT_MSG_GT(light, Time(), "light congestion");
        NS_TEST_EXPECT_MSG_GT(severe, light, "then severe congestion");
        for (std::size_t severity = 1; severity <= 2; ++severity)
        {
            const Time delay = wan.firstNotice[severity] - wan.firstMark[severity];
            NS_TEST_EXPECT_MSG_GT_OR_EQ(delay, oneWay, "not before the link's delay");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(delay, oneWay + MicroSeconds(1), "but right after");
        }
        NS_TEST_EXPECT_MSG_GT(wan.firstRate, light + oneWay, "the PE reacts");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(wan.firstRate,
                                    light + oneWay + CongestedWan::INTERVAL,
                                    "within the one-way delay and the interval");
        const Time loop = wan.firstCnp - severe + MicroSeconds(103);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(loop, MicroSeconds(2012), "the sender's loop");
        NS_TEST_EXPECT_MSG_EQ(wan.network.completions.size(), 4, "all arrives");
    }
    TimeWindowHelper::Disable();
}

// What the receiver sees of light congestion (section 3.2.2.1). Expected results: with T2 out of
// reach, packets are marked ECT(1) in the core, and none of the receiver's packets has ECT(1) or
// CE, as the sender has set neither. The sender is not told.
AIDC_TEST_CASE("section 3.2.2.1, light congestion does not reach the receiver")
{
    CongestedWan wan(20000000);
    wan.Run();
    NS_TEST_EXPECT_MSG_GT(wan.marks[1], 0, "there is light congestion");
    NS_TEST_EXPECT_MSG_EQ(wan.marks[2], 0, "and no severe one");
    NS_TEST_EXPECT_MSG_EQ(wan.codes[ECT_1], 0, "no ECT(1) at the receiver");
    NS_TEST_EXPECT_MSG_EQ(wan.codes[CE], 0, "no CE at the receiver");
    // Nothing is lost: 489 packets of at most 4096 bytes carry the 2 MB of each host, and each
    // 16th of them and the last one are acknowledged.
    NS_TEST_EXPECT_MSG_EQ(wan.codes[2], WanNetwork::HOSTS * (489 + 31), "but ECT(0)");
    NS_TEST_EXPECT_MSG_EQ(wan.firstCnp, Time(), "no congestion notification packet");
    uint64_t lightMarks = 0;
    const auto& plan = wan.network.wan.GetPlan();
    for (const auto& tunnel : wan.tunnels.GetTunnels(plan.Find("pe-b-0")))
    {
        lightMarks += tunnel->GetStatistics().lightMarks;
    }
    NS_TEST_EXPECT_MSG_EQ(lightMarks, wan.marks[1], "the egress PE has seen all of them");
    NS_TEST_EXPECT_MSG_EQ(wan.network.completions.size(), 4, "all arrives");
}

// What the receiver sees of severe congestion (section 3.2.2.2). Expected results: each packet that
// the core has marked CE arrives with CE, and none with ECT(1); the sender is told. The least
// numbers of marks: a mark slows nobody down within the 100 us to the PE, and the first one comes
// when the queue is above T1 = 200 kB. Four hosts send at 100 Gb/s. Their switches may put two of
// them on one link, so 200 to 400 Gb/s come to the bottleneck of 100 Gb/s, and 1/2 to 3/4 of the
// bytes stay in the queue. Severe: with 200 Gb/s, the queue reaches 200 kB after 0.4 MB, and 1 MB,
// from where on all packets are marked CE, after 2 MB. In 100 us, 2.5 MB come: 2.9 MB in all, of
// which the last 0.9 MB, 215 packets of 4178 bytes, get CE. With 400 Gb/s they are more. Light:
// with 400 Gb/s, 0.4 MB or 96 packets come while the queue rises from 200 to 500 kB, and 0.67 MB or
// 160 packets until it has 1 MB. The probability of ECT(1) rises from 0 to 1, and falls to 0 again:
// 128 packets, with a standard deviation of at most 8. Five of these are subtracted. With 200 Gb/s
// they are more.
AIDC_TEST_CASE("section 3.2.2.2, severe congestion reaches the receiver")
{
    CongestedWan wan(500000);
    wan.Run();
    NS_TEST_EXPECT_MSG_GT_OR_EQ(wan.marks[1], 128 - 5 * 8, "there is light congestion");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(wan.marks[2], 215, "and severe one");
    NS_TEST_EXPECT_MSG_EQ(wan.codes[CE], wan.marks[2], "each mark arrives");
    NS_TEST_EXPECT_MSG_EQ(wan.codes[ECT_1], 0, "no ECT(1) at the receiver");
    NS_TEST_EXPECT_MSG_GT(wan.firstCnp, Time(), "the sender is told");
    NS_TEST_EXPECT_MSG_EQ(wan.network.completions.size(), 4, "all arrives");
}

// More tunnels than paths: limits are for links, not for tunnels. Expected results: the hosts offer
// 400 Gb/s to tunnels that share one path, whose slowest link has 100 Gb/s. What the PE sends into
// all of them never exceeds 100 Gb/s, so the core's queue never has the 200 kB of T1, and nothing
// is marked. Packets wait at the PE. Two tunnels with a limit each would fill the queue by 100
// Gb/s.
AIDC_TEST_CASE("tunnels that share a path share its limit")
{
    CongestedWan wan(500000, 3);
    wan.Run();
    NS_TEST_EXPECT_MSG_EQ(wan.marks[1] + wan.marks[2], 0, "the core is not congested");
    const auto& plan = wan.network.wan.GetPlan();
    const NodeIndex pe = plan.Find("pe-a-0");
    uint32_t used = 0;
    for (const auto& tunnel : wan.tunnels.GetTunnels(pe))
    {
        used += tunnel->GetStatistics().sentPackets > 0 ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(used, 2, "flows are spread over tunnels");
    const auto controller = wan.preEcn.GetControllers().at(pe);
    NS_TEST_EXPECT_MSG_GT(controller->GetShaper()->GetStatistics().heldPackets,
                          0,
                          "packets wait at the PE");
    NS_TEST_EXPECT_MSG_EQ(wan.network.completions.size(), 4, "all arrives");
}
