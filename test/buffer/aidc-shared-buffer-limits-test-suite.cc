// SPDX-License-Identifier: GPL-2.0-only

#include "test-buffers.h"
#include "test/test-case.h"

#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/marking-queue.h"
#include "ns3/switch-port-queue-disc.h"

// The limits of queues in a shared buffer: headroom, reserve, polled thresholds, the steady state.
AIDC_TEST_SUITE("aidc-shared-buffer-limits", UNIT);

// Expected results, B = 10000, a queue with cap 2000 and headroom 3000, packets of 1000:
// 2 are admitted, 3 go to the headroom, the 6th is refused by the cap. The shared memory is
// 10000 - 3000 = 7000, of which 2000 are used: 5000 are free for others, whatever the headroom
// holds. Of five packets the first three that leave empty the headroom: after one of them the
// headroom has room for one again; after a fourth the queue is at 1000 and admits one.
AIDC_TEST_CASE("headroom takes what arrives beyond Buf_Thrd and is given back first")
{
    auto buffer = MakeBuffer(10000);
    auto queue = AddQueue(buffer, 1, "0B", "2000B", "3000B");
    const std::array<Admission, 6> expected{Admission::ADMITTED,
                                            Admission::ADMITTED,
                                            Admission::HEADROOM,
                                            Admission::HEADROOM,
                                            Admission::HEADROOM,
                                            Admission::OVER_CAP};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        AIDC_EXPECT(queue->Check(1000) == expected[i], "Check " << i);
        AIDC_EXPECT(queue->Admit(1000) == expected[i], "Admit " << i);
    }
    NS_TEST_EXPECT_MSG_EQ(queue->GetOccupancy(), 5000, "the headroom counts");
    NS_TEST_EXPECT_MSG_EQ(queue->GetThreshold(), 2000, "Buf_Thrd is without headroom");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetFree(), 5000, "headroom is nobody else's");

    queue->Release(1000);
    AIDC_EXPECT(queue->Admit(1000) == Admission::HEADROOM, "again");
    for (int i = 0; i < 4; ++i)
    {
        queue->Release(1000);
    }
    AIDC_EXPECT(queue->Admit(1000) == Admission::ADMITTED, "below the cap");
    queue->Release(2000);
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "all is given back");
}

// Expected results, B = 10000, q reserves 3000: another queue with alpha 65536 gets the 7000 that
// are shared and no more, for want of memory; q then gets its 3000 and no more.
AIDC_TEST_CASE("reserved bytes remain when a greedy queue has taken all shared memory")
{
    auto buffer = MakeBuffer(10000);
    auto queue = AddQueue(buffer, 1, "3000B");
    auto greedy = AddQueue(buffer, 65536);
    AIDC_EXPECT(greedy->Admit(7000) == Admission::ADMITTED, "shared");
    AIDC_EXPECT(greedy->Admit(1) == Admission::BUFFER_EXHAUSTED, "reserved");
    NS_TEST_EXPECT_MSG_EQ(queue->GetThreshold(), 3000, "what is reserved");
    AIDC_EXPECT(queue->Admit(3000) == Admission::ADMITTED, "its own");
    AIDC_EXPECT(queue->Admit(1) == Admission::BUFFER_EXHAUSTED, "full");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 10000, "full");
}

// Expected results, B = 10000, alpha 1/2, interval 10 us, for queue q and a queue o of alpha 1 that
// takes memory:
//      3 us  o + 4000     live 3000, visible 5000; q + 4000 is refused, by the live one
//     10 us  poll         visible 3000
//     12 us  o - 4000     live 5000, visible 3000
//     20 us  poll         visible 5000; the buffer is empty, so that no more polls are needed
//     57 us  o + 1000     live 4500, visible 5000
//     60 us  poll         visible 4500: at a multiple of the interval, not 10 us after 57 us
//     61 us  o - 1000     live 5000
//     70 us  poll         visible 5000
// Nothing stops the simulation: it ends after the last event, here the one at 71 us.
AIDC_TEST_CASE("polled thresholds change at multiples of the interval, admission follows the "
               "live ones, and polling does not keep a simulation from ending (section 6.1)")
{
    auto buffer = MakeBuffer(10000);
    buffer->SetAttribute("PollInterval", TimeValue(MicroSeconds(10)));
    auto queue = AddQueue(buffer, 0.5);
    auto other = AddQueue(buffer, 1);
    AIDC_EXPECT(queue->IsPolled(), "polled");
    const auto expect = [this, queue](Time at, uint64_t visible, uint64_t live) {
        Simulator::Schedule(at, [this, queue, at, visible, live] {
            NS_TEST_EXPECT_MSG_EQ(queue->GetVisibleThreshold(), visible, at.As(Time::US));
            NS_TEST_EXPECT_MSG_EQ(queue->GetThreshold(), live, at.As(Time::US));
        });
    };
    const auto admit = [other](Time at, uint32_t bytes) {
        Simulator::Schedule(at, [other, bytes] { other->Admit(bytes); });
    };
    const auto release = [other](Time at, uint32_t bytes) {
        Simulator::Schedule(at, [other, bytes] { other->Release(bytes); });
    };
    const Time ns = NanoSeconds(1);
    admit(MicroSeconds(3), 4000);
    expect(MicroSeconds(4), 5000, 3000);
    Simulator::Schedule(MicroSeconds(5), [this, queue] {
        AIDC_EXPECT(queue->Admit(4000) == Admission::OVER_THRESHOLD, "4000 > 3000");
    });
    expect(MicroSeconds(10) - ns, 5000, 3000);
    expect(MicroSeconds(10) + ns, 3000, 3000);
    release(MicroSeconds(12), 4000);
    expect(MicroSeconds(20) - ns, 3000, 5000);
    expect(MicroSeconds(20) + ns, 5000, 5000);
    admit(MicroSeconds(57), 1000);
    expect(MicroSeconds(60) - ns, 5000, 4500);
    expect(MicroSeconds(60) + ns, 4500, 4500);
    release(MicroSeconds(61), 1000);
    expect(MicroSeconds(70) - ns, 4500, 5000);
    expect(MicroSeconds(71), 5000, 5000);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(71), "ends by itself");
}

// Without an interval the visible threshold is the live one, from when polling is set to 0 on.
AIDC_TEST_CASE("without polling the marking engine sees every change at once (section 6.1)")
{
    auto buffer = MakeBuffer(10000);
    auto queue = AddQueue(buffer, 1);
    auto other = AddQueue(buffer, 1);
    AIDC_EXPECT(!queue->IsPolled(), "event-driven by default");
    other->Admit(4000);
    NS_TEST_EXPECT_MSG_EQ(queue->GetVisibleThreshold(), 6000, "10000 - 4000");
    buffer->SetAttribute("PollInterval", TimeValue(MicroSeconds(10)));
    other->Release(1000);
    NS_TEST_EXPECT_MSG_EQ(queue->GetVisibleThreshold(), 6000, "as it was when polling began");
    buffer->SetAttribute("PollInterval", TimeValue(Seconds(0)));
    NS_TEST_EXPECT_MSG_EQ(queue->GetVisibleThreshold(), 7000, "10000 - 3000");
    other->Release(3000);
    NS_TEST_EXPECT_MSG_EQ(queue->GetVisibleThreshold(), 10000, "empty");
}

/// Queues that settle.
struct SteadyState
{
    double alpha;    //!< the factor of the dynamic threshold
    uint32_t n;      //!< the number of receivers
    double expected; //!< bytes at which the queues settle
};

std::string
NameOf(const SteadyState& row)
{
    std::ostringstream os;
    os << row.n << " greedy queues with alpha " << row.alpha
       << " settle where the Dynamic Threshold says, in a simulated switch";
    return os.str();
}

// n greedy queues settle where the Dynamic Threshold says.
//
// Choudhury and Hahne: T = alpha * (B - n * Q), and Q = T for queues that always have arrivals, so
// T = alpha * B / (1 + n * alpha). B = 12,000,000:
//  alpha 1, n = 1: 12e6 / 2 = 6,000,000         alpha 1, n = 4: 12e6 / 5 = 2,400,000
//  alpha 8, n = 4: 96e6 / 33 = 2,909,091        alpha 1/8, n = 4: 1.5e6 / 1.5 = 1,000,000
//  alpha 1, n = 48: 12e6 / 49 = 244,898         alpha 8, n = 48: 96e6 / 385 = 249,351
//
// A switch has one fast link to a sender and n links of 100 Mbit/s to receivers, to each of which
// the sender sends 400 Mbit/s in packets of 1000 bytes. The queues fill at 300 Mbit/s. From 1.25
// times the time that this takes on, threshold and occupancy are sampled; their means are to be
// within 2 % of the formula (a packet is 0.4 % of the smallest). Every packet that was sent either
// arrives or is dropped at the buffer's limit.
AIDC_TEST_CASES(SteadyState,
                row,
                NameOf(row),
                ({{1, 1, 6000000},
                  {1, 4, 2400000},
                  {8, 4, 2909091},
                  {0.125, 4, 1000000},
                  {1, 48, 244898},
                  {8, 48, 249351}}))
{
    constexpr uint32_t packetSize = 1000;
    NodeContainer ends(1 + row.n); // the sender, then the receivers
    NodeContainer theSwitch(1);
    PointToPointHelper link;
    link.SetChannelAttribute("Delay", StringValue("1us"));
    std::vector<NetDeviceContainer> links;
    for (uint32_t i = 0; i <= row.n; ++i)
    {
        link.SetDeviceAttribute("DataRate", StringValue(i == 0 ? "100Gbps" : "100Mbps"));
        links.push_back(link.Install(ends.Get(i), theSwitch.Get(0)));
    }
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(ends);
    stack.Install(theSwitch);
    SharedBufferSwitchHelper helper;
    helper.SetBufferAttribute("Size", StringValue("12MB"));
    helper.SetNClasses(1);
    helper.SetClassAttribute(0, "Alpha", DoubleValue(row.alpha));
    const auto roots = helper.Install(theSwitch.Get(0));
    NS_TEST_ASSERT_MSG_EQ(roots.GetN(), row.n + 1, "a root a port");
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    std::vector<Ipv4Address> destinations;
    Ipv4Address gateway;
    for (uint32_t i = 0; i <= row.n; ++i)
    {
        const auto interfaces = addresses.Assign(links[i]);
        addresses.NewNetwork();
        if (i == 0)
        {
            gateway = interfaces.GetAddress(1);
        }
        else
        {
            destinations.push_back(interfaces.GetAddress(0));
        }
    }
    // The hosts' own queue discs are not under test.
    TrafficControlHelper hosts;
    for (const auto& devices : links)
    {
        hosts.Uninstall(devices.Get(0));
    }
    Ipv4StaticRoutingHelper()
        .GetStaticRouting(ends.Get(0)->GetObject<Ipv4>())
        ->SetDefaultRoute(gateway, 1);

    constexpr uint16_t port = 9;
    std::vector<Ptr<Socket>> sources; // by receiver, as are the sinks
    std::vector<Ptr<Socket>> sinks;
    uint64_t received = 0;
    for (uint32_t i = 1; i <= row.n; ++i)
    {
        auto sink = MakeSocket(ends.Get(i), port);
        sinks.push_back(sink);
        auto source = Socket::CreateSocket(ends.Get(0), UdpSocketFactory::GetTypeId());
        source->Connect(InetSocketAddress(destinations[i - 1], port));
        sources.push_back(source);
        ConnectTrace(links[i].Get(0), "PhyRxEnd", [&received](Ptr<const Packet>) { ++received; });
    }
    constexpr uint32_t payload = packetSize - 20 - 8; // less the headers of IPv4 and UDP
    const Time interval = Seconds(packetSize * 8 / (4 * 100e6 * row.n));
    const Time fill = Seconds(row.expected * 8 / 300e6);
    uint64_t sent = 0; // to each receiver in turn
    const std::function<void()> send = [&] {
        sources[sent % row.n]->Send(Create<Packet>(payload));
        ++sent;
        if (Simulator::Now() < 2 * fill)
        {
            Simulator::Schedule(interval, send);
        }
    };
    Simulator::ScheduleWithContext(ends.Get(0)->GetId(), fill / 1000, send);

    auto buffer = theSwitch.Get(0)->GetObject<SharedBuffer>();
    std::vector<Ptr<SwitchPortQueueDisc>> ports;
    for (uint32_t i = 1; i <= row.n; ++i)
    {
        ports.push_back(DynamicCast<SwitchPortQueueDisc>(roots.Get(i)));
    }
    std::vector<double> thresholds(row.n); // sums of samples, by receiver
    std::vector<double> occupancies(row.n);
    const auto sample = [&] {
        for (uint32_t i = 0; i < row.n; ++i)
        {
            const auto queue = ports[i]->GetClass(0)->GetBufferQueue();
            thresholds[i] += static_cast<double>(queue->GetThreshold());
            occupancies[i] += static_cast<double>(queue->GetOccupancy());
            NS_TEST_EXPECT_MSG_EQ(queue->GetOccupancy(), ports[i]->GetNBytes(), "the same bytes");
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(buffer->GetUsed(), buffer->GetSize(), "more than there is");
    };
    constexpr uint32_t nSamples = 500;
    for (uint32_t s = 0; s < nSamples; ++s)
    {
        // From 1.25 to 2 times the time to fill.
        Simulator::Schedule(fill * 5 / 4 + fill * static_cast<int64_t>(3 * s) / (4 * nSamples),
                            sample);
    }
    Simulator::Run();

    uint64_t dropped = 0;
    for (uint32_t i = 0; i < row.n; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(thresholds[i] / nSamples,
                                  row.expected,
                                  0.02 * row.expected,
                                  "mean threshold of queue " << i);
        NS_TEST_EXPECT_MSG_EQ_TOL(occupancies[i] / nSamples,
                                  row.expected,
                                  0.02 * row.expected,
                                  "mean occupancy of queue " << i);
        const auto& stats = ports[i]->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalDroppedPackets,
                              stats.GetNDroppedPackets(SharedBufferQueue::THRESHOLD_DROP) +
                                  stats.GetNDroppedPackets(SharedBufferQueue::EXHAUSTED_DROP),
                              "dropped by the buffer alone");
        dropped += stats.nTotalDroppedPackets;
    }
    // While the queues are full, three of four packets are too many: as many as have filled
    // the queues in the same time.
    const double excess = row.n * row.expected / (payload + 28);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(dropped),
                              excess,
                              0.02 * excess,
                              "the queues are greedy");
    NS_TEST_EXPECT_MSG_EQ(sent, received + dropped, "what is sent arrives or is dropped");
    NS_TEST_EXPECT_MSG_EQ(buffer->GetUsed(), 0, "drained");
}
