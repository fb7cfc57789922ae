// SPDX-License-Identifier: GPL-2.0-only

// Where packets of limited flows wait, without a network around it.

#include "model/core/ipv4-bytes.h"
#include "test/switching/lossless-network.h"
#include "test/test-case.h"

#include "ns3/edge-shaper.h"
#include "ns3/ip-tunnel-net-device.h"

AIDC_TEST_SUITE("aidc-edge-shaper", UNIT);

/// Bytes of an IPv4 header.
constexpr uint32_t HEADER = sizeof(Ipv4Bytes);

/// A packet that has left.
struct Departure
{
    int64_t time;    //!< when, in ns
    uint32_t queue;  //!< by which queue
    uint16_t number; //!< which of the flow's
    uint32_t bytes;  //!< its size
};

/// A shaper, and what leaves it.
class ShaperBench
{
  public:
    ShaperBench(uint32_t bufferSize, uint32_t burst)
        : node(CreateObject<Node>()),
          buffer(CreateObjectWithAttributes<SharedBuffer>(
              "Size",
              QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, bufferSize)))),
          tunnel(CreateObject<IpTunnelNetDevice>()),
          shaper(CreateObjectWithAttributes<EdgeShaper>("Burst", UintegerValue(burst)))
    {
        node->AggregateObject(buffer);
        Start(node);
    }

    explicit ShaperBench(Ptr<Node> place)
        : node(place),
          buffer(place->GetObject<SharedBuffer>()),
          tunnel(CreateObject<IpTunnelNetDevice>()),
          shaper(CreateObjectWithAttributes<EdgeShaper>("Burst", UintegerValue(1000)))
    {
        Start(place);
    }

    ~ShaperBench()
    {
        shaper->Dispose();
    }

    ShaperBench(const ShaperBench&) = delete;
    ShaperBench& operator=(const ShaperBench&) = delete;

    /// Offer a packet. bytes: its size with the IPv4 header.
    bool Offer(uint32_t queue,
               uint32_t bytes,
               uint8_t tos = 0,
               uint16_t port = FrameContext::NO_PORT,
               uint32_t group = EdgeShaper::NO_GROUP)
    {
        TunnelPacket packet;
        packet.header.bytes[Ipv4Offset::TOS] = tos;
        packet.header.flow.sourcePort = offered[queue]++;
        packet.context.ingressPort = port;
        packet.payload = Create<Packet>(bytes - HEADER);
        offeredBytes += bytes;
        const bool passed = shaper->Pass(queue, *tunnel, packet, group);
        isEmptied = isEmptied && passed == (packet.payload != nullptr);
        if (passed)
        {
            Note(queue, packet);
        }
        return passed;
    }

    Ptr<Node> node;                       //!< the node
    Ptr<SharedBuffer> buffer;             //!< its memory
    Ptr<IpTunnelNetDevice> tunnel;        //!< where packets go
    Ptr<EdgeShaper> shaper;               //!< the shaper
    std::vector<Departure> departures;    //!< what has left
    std::map<uint32_t, uint16_t> offered; //!< packets offered, by queue
    uint64_t offeredBytes{0};             //!< bytes offered
    uint64_t dropped{0};                  //!< packets that the trace has told of
    std::string lastReason;               //!< why the last one was dropped
    bool isEmptied{true};                 //!< whether what did not pass was taken

  private:
    /// Put the shaper to work.
    void Start(Ptr<Node> place)
    {
        shaper->Install(place, MakeCallback(&ShaperBench::Release, this));
        ConnectTrace(shaper, "Drop", [this](const TunnelPacket&, const char* reason) {
            ++dropped;
            lastReason = reason;
        });
    }

    /// Take a packet that leaves.
    void Release(uint32_t queue, IpTunnelNetDevice& to, TunnelPacket& packet)
    {
        isEmptied = isEmptied && &to == PeekPointer(tunnel);
        Note(queue, packet);
    }

    void Note(uint32_t queue, const TunnelPacket& packet)
    {
        departures.push_back({Simulator::Now().GetNanoSeconds(),
                              queue,
                              packet.header.flow.sourcePort,
                              packet.payload->GetSize() + HEADER});
    }
};

// Expected results: at 1 Gbit/s a byte takes 8 ns. 100 packets of 1,000 bytes come at once when the
// flow is limited; one leaves each 8 us, the first one after 8 us. From 80 us on the rate is the
// half: after the packet of that time (number 9) one leaves each 16 us. After a pause 3 leave at
// once, as the burst is 3,000 bytes.
AIDC_TEST_CASE("a flow leaves at its rate")
{
    ShaperBench bench(1000000, 3000);
    const uint32_t queue = bench.shaper->Open(1000000000);
    for (uint32_t i = 0; i < 100; ++i)
    {
        AIDC_EXPECT(!bench.Offer(queue, 1000), "all have to wait");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.buffer->GetUsed(), 100000, "what waits is in the memory");
    Simulator::Schedule(MicroSeconds(80),
                        &EdgeShaper::SetRate,
                        PeekPointer(bench.shaper),
                        queue,
                        uint64_t{500000000});
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(bench.departures.size(), 100, "all leave");
    for (uint32_t i = 0; i < 100; ++i)
    {
        const auto& departure = bench.departures[i];
        const int64_t expected = i <= 9 ? 8000 * (i + 1) : 80000 + 16000 * (i - 9);
        NS_TEST_EXPECT_MSG_EQ(departure.number, i, "in their order");
        NS_TEST_EXPECT_MSG_EQ(departure.time, expected, "at the rate, packet " << i);
    }
    AIDC_EXPECT(!bench.shaper->IsWaiting(queue), "none waits any more");
    Simulator::Schedule(MicroSeconds(100), [&] {
        for (uint32_t i = 0; i < 4; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.Offer(queue, 1000), (i < 3), "the burst passes");
        }
    });
    Simulator::Run();
    bench.shaper->Close(queue);
    Simulator::Destroy();
}

// Packets that are due at once leave in the order in which their flows were limited.
AIDC_TEST_CASE("packets that are due at once leave in a defined order")
{
    ShaperBench bench(1000000, 1000);
    const uint32_t first = bench.shaper->Open(1000000000);
    const uint32_t second = bench.shaper->Open(1000000000);
    bench.shaper->Close(first);
    // Another flow with the queue of the flow that was closed: it is the younger one.
    const uint32_t third = bench.shaper->Open(1000000000);
    NS_TEST_ASSERT_MSG_EQ(first, third, "queues are used again");
    for (const uint32_t queue : {third, second, third, second, third, second})
    {
        bench.Offer(queue, 1000);
    }
    Simulator::Run();
    std::vector<uint32_t> order;
    for (const auto& departure : bench.departures)
    {
        order.push_back(departure.queue);
    }
    const std::vector<uint32_t> expected{second, third, second, third, second, third};
    AIDC_EXPECT(order == expected, "the older flow first");
}

// A group: what several queues may send together. Expected results: with 38 bytes of a frame and 20
// of an outer header, packets of 942 and 442 bytes take 1,000 and 500, which are 8 and 4 us at 1
// Gbit/s. Flows without rates of their own share the group byte by byte. At 1 ms, the first flow
// gets a rate of 94.2 Mbit/s, a tenth of the group: from then on it has a tenth of the bytes, and
// the others have 0.45 each, at once, whatever waits.
AIDC_TEST_CASE("flows share a group fairly, and their rates have an effect at once")
{
    ShaperBench bench(10000000, 1000);
    const uint32_t group = bench.shaper->OpenGroup(1000000000, 38);
    std::map<uint32_t, uint32_t> sizes;
    for (const uint32_t bytes : {942, 942, 442})
    {
        sizes[bench.shaper->Open(EdgeShaper::UNLIMITED)] = bytes;
    }
    for (const auto& [queue, bytes] : sizes)
    {
        for (uint32_t i = 0; i < 400000 / bytes; ++i)
        {
            bench.Offer(queue, bytes, 0, FrameContext::NO_PORT, group);
        }
        AIDC_EXPECT(bench.shaper->IsWaiting(queue), "behind others");
        AIDC_EXPECT(!bench.shaper->IsHeldBack(queue), "not for its own rate");
    }
    const uint32_t first = sizes.begin()->first;
    Simulator::Schedule(MilliSeconds(1), [this, &bench, first] {
        bench.shaper->SetRate(first, 94200000);
        AIDC_EXPECT(!bench.shaper->IsHeldBack(first), "its turn may come yet");
    });
    Simulator::Schedule(MilliSeconds(3), [this, &bench, group] {
        TunnelPacket packet;
        packet.payload = Create<Packet>(100);
        const bool passes = bench.shaper->PassGroup(group, *bench.tunnel, packet);
        AIDC_EXPECT(!passes, "others wait");
    });
    RunFor(MilliSeconds(5));
    std::map<uint32_t, double> before;
    std::map<uint32_t, double> after;
    int64_t due = 0;
    for (const auto& departure : bench.departures)
    {
        due += 8 * (departure.bytes + 58);
        NS_TEST_EXPECT_MSG_EQ(departure.time, due, "the group is never idle, nor too fast");
        const bool isBefore = departure.time <= 1000000;
        (isBefore ? before : after)[departure.queue] += departure.bytes + 58;
    }
    for (const auto& [queue, bytes] : sizes)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(before[queue], 125e3 / 3, 1500, "a third each");
        const double expected = (queue == first ? 0.1 : 0.45) * 500e3;
        NS_TEST_EXPECT_MSG_EQ_TOL(after[queue], expected, 2500, "by its own rate");
    }
    RunFor(MilliSeconds(50));
    TunnelPacket packet;
    packet.payload = Create<Packet>(422);
    Simulator::Schedule(MilliSeconds(1), [this, &bench, group, &packet] {
        for (const bool expected : {true, true, false})
        {
            const bool passes = bench.shaper->PassGroup(group, *bench.tunnel, packet);
            NS_TEST_EXPECT_MSG_EQ(passes, expected, "a burst of 1,000 bytes");
        }
    });
    Simulator::Run();
    for (const auto& [queue, bytes] : sizes)
    {
        bench.shaper->Close(queue); // which no packets wait in
    }
    Simulator::Destroy();
}

// Whatever comes: each flow keeps its order and its rate, and no byte is lost that was not counted.
AIDC_TEST_CASE("no byte is lost that was not counted, and no packet overtakes another one")
{
    constexpr uint32_t FLOWS = 5;
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    ShaperBench bench(60000, 4000);
    std::vector<uint32_t> queues;
    for (uint32_t i = 0; i < FLOWS; ++i)
    {
        queues.push_back(bench.shaper->Open(random->GetInteger(50000000, 2000000000)));
    }
    for (uint32_t i = 0; i < 20000; ++i)
    {
        Simulator::Schedule(NanoSeconds(random->GetInteger(0, 20000000)), [&] {
            const uint32_t queue = queues[random->GetInteger(0, FLOWS - 1)];
            if (random->GetInteger(0, 20) == 0)
            {
                bench.shaper->SetRate(queue, random->GetInteger(50000000, 2000000000));
            }
            bench.Offer(queue, random->GetInteger(HEADER, 1500));
        });
    }
    Simulator::Run();
    const auto& statistics = bench.shaper->GetStatistics();
    NS_TEST_EXPECT_MSG_GT(statistics.droppedPackets, 100, "the memory was too small");
    NS_TEST_EXPECT_MSG_GT(statistics.passedPackets, 100, "some did not wait");
    NS_TEST_EXPECT_MSG_EQ(statistics.heldPackets, statistics.releasedPackets, "packets");
    NS_TEST_EXPECT_MSG_EQ(statistics.heldBytes, statistics.releasedBytes, "bytes");
    NS_TEST_EXPECT_MSG_EQ(statistics.passedPackets + statistics.heldPackets +
                              statistics.droppedPackets,
                          20000,
                          "all are passed, held or dropped");
    NS_TEST_EXPECT_MSG_EQ(statistics.passedBytes + statistics.heldBytes + statistics.droppedBytes,
                          bench.offeredBytes,
                          "and their bytes");
    NS_TEST_EXPECT_MSG_EQ(statistics.passedPackets + statistics.heldPackets,
                          bench.departures.size(),
                          "what was not dropped has left");
    NS_TEST_EXPECT_MSG_EQ(bench.dropped, statistics.droppedPackets, "the trace tells drops");
    NS_TEST_EXPECT_MSG_EQ(bench.lastReason, SharedBufferQueue::THRESHOLD_DROP, "beyond Buf_Thrd");
    AIDC_EXPECT(bench.isEmptied, "what does not pass is taken");
    NS_TEST_EXPECT_MSG_EQ(bench.buffer->GetUsed(), 0, "all memory is given back");
    std::map<uint32_t, int32_t> last;
    for (const auto& departure : bench.departures)
    {
        const auto before = last.emplace(departure.queue, -1).first->second;
        NS_TEST_EXPECT_MSG_LT(before, departure.number, "the order of a flow");
        last[departure.queue] = departure.number;
    }
    Simulator::Destroy();
}

// A lossless class is charged to the ingress port, whose peer is stopped, and nothing else.
AIDC_TEST_CASE("a lossless class is charged where its packets came in")
{
    LosslessNetwork network;
    network.Build(MakeStar(2, RATE, 1000), SwitchDatapath::FAST, 400000);
    const auto node = network.network.GetNode(NodeIndex(0));
    ShaperBench bench(node);
    std::vector<bool> pauses;
    const auto ingress = bench.buffer->GetIngress(1, PRIORITY);
    ConnectTrace(ingress, "Xoff", [&pauses](bool xoff) { pauses.push_back(xoff); });
    Simulator::Schedule(MicroSeconds(1), [&] {
        const auto share = bench.shaper->GetBufferQueue();
        const uint32_t queue = bench.shaper->Open(1000000000);
        bench.Offer(queue, 1500, PRIORITY << 5, 1);
        NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 1500, "of port 1");
        NS_TEST_EXPECT_MSG_EQ(share->GetOccupancy(), 0, "and of nobody else");
        bench.Offer(queue, 1400, 2 << 5, 1);
        NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 1500, "another class is lossy");
        NS_TEST_EXPECT_MSG_EQ(share->GetOccupancy(), 1400, "and of the shaper's share");
        bench.Offer(queue, 1300, PRIORITY << 5);
        NS_TEST_EXPECT_MSG_EQ(share->GetOccupancy(), 2700, "so are packets of no port");
        while (pauses.empty())
        {
            bench.Offer(queue, 1500, PRIORITY << 5, 1);
        }
        // What still comes before the peer has stopped has room.
        for (uint32_t i = 0; i < 10; ++i)
        {
            bench.Offer(queue, 1500, PRIORITY << 5, 1);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.dropped, 0, "nothing was lost");
        while (bench.dropped == 0)
        {
            bench.Offer(queue, 1500, PRIORITY << 5, 1);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.lastReason,
                              IngressBuffer::INGRESS_DROP,
                              "a peer that does not stop exceeds the headroom");
    });
    Simulator::Run();
    const std::vector<bool> expected{true, false};
    AIDC_EXPECT(pauses == expected, "the peer was stopped, and may go on");
    NS_TEST_EXPECT_MSG_EQ(ingress->GetOccupancy(), 0, "all is given back");
    NS_TEST_EXPECT_MSG_EQ(bench.shaper->GetBufferQueue()->GetOccupancy(), 0, "there too");
    NS_TEST_EXPECT_MSG_EQ(bench.buffer->GetUsed(), 0, "and in all");
    const auto& statistics = bench.shaper->GetStatistics();
    NS_TEST_EXPECT_MSG_EQ(statistics.heldBytes, statistics.releasedBytes, "bytes");
}
