// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

// Section 5 of draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft".
//
// In a FlowSetBench a queue has a capacity of 10,000 bytes, so that the recommended congestion
// threshold of 10 % is 1,000 bytes: a queue of n packets of 1,000 bytes gives a CQI of n.

// Port congestion assessment.
AIDC_TEST_SUITE("aidc-flow-set-assessment", UNIT);

std::vector<int64_t>
GetTimes(const FlowSetBench& bench, uint32_t port)
{
    std::vector<int64_t> times;
    for (const auto& assessment : bench.assessments)
    {
        if (assessment.port == port)
        {
            times.push_back(assessment.time.GetMilliSeconds());
        }
    }
    return times;
}

// The assessment interval. Expected results: each of the 4 ports is assessed at the end of each
// interval. By default this is the lower end of the range that the draft recommends, 10 ms.
AIDC_TEST_CASE("5.1.1: the interval is 10 ms by default, and configurable")
{
    {
        FlowSetBench bench;
        NS_TEST_EXPECT_MSG_EQ(bench.selector->GetCurrentInterval(), MilliSeconds(10), "at first");
        bench.RunTo(MilliSeconds(35));
        AIDC_EXPECT((GetTimes(bench, 1) == std::vector<int64_t>{10, 20, 30}), "by default");
    }
    FlowSetBench bench(Attributes{{"AssessmentInterval", "25ms"}});
    bench.RunTo(MilliSeconds(110));
    for (uint32_t port = 1; port <= 4; ++port)
    {
        AIDC_EXPECT((GetTimes(bench, port) == std::vector<int64_t>{25, 50, 75, 100}),
                    "port " << port);
    }
    NS_TEST_EXPECT_MSG_EQ(bench.assessments.size(), 16, "no other");
}

// Expected results: links of 1 Mb/s can send 1,250 bytes each in 10 ms. The two packets of 1,000
// bytes a port with which the bench begins are a load of 1.6: the interval stays 10 ms. Then idle
// ports double it to 20, 40, 80 ms, where it stays: assessments at 10, 20, 40, 80, 160, 240, 320
// ms. From 241 ms on a packet a port each 8 ms is a load of 0.8 to 1.2: it is halved to 40, 20, 10
// ms, where it stays: 360, 380, 390, 400, 410 ms. From 401 ms on only one port of four has packets,
// 1 or 2 of 1,000 bytes in 10 ms: a load of 0.2 or 0.4, which changes nothing.
AIDC_TEST_CASE("5.1.1: the adaptive interval doubles and halves by traffic within its bounds")
{
    FlowSetBench bench({{"AdaptiveInterval", "true"},
                        {"MinInterval", "10ms"},
                        {"MaxInterval", "80ms"},
                        {"LowTraffic", "0.1"},
                        {"HighTraffic", "0.5"}},
                       BenchQueue::FIFO,
                       4,
                       MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting"),
                       "1Mbps");
    for (int64_t time = 241; time < 440; time += 8)
    {
        bench.RunTo(MilliSeconds(time));
        for (uint32_t port = 1; port <= (time < 400 ? 4 : 1); ++port)
        {
            bench.Put(port, 1000);
        }
    }
    bench.RunTo(MilliSeconds(435));
    const std::vector<int64_t>
        times{10, 20, 40, 80, 160, 240, 320, 360, 380, 390, 400, 410, 420, 430};
    AIDC_EXPECT(GetTimes(bench, 1) == times, "times");
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetCurrentInterval(), MilliSeconds(10), "shortest");
    // Without traffic it doubles (440 to 450 ms: 20, to 470: 40), also if another setting is
    // changed in between.
    bench.RunTo(MilliSeconds(451));
    bench.selector->SetAttribute("CqiMax", UintegerValue(8));
    bench.RunTo(MilliSeconds(471));
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetCurrentInterval(), MilliSeconds(40), "kept");
}

/// Packets in a queue and the CQI that they give.
struct DepthVector
{
    std::vector<uint32_t> sizes; //!< of the packets, in bytes
    Attributes attributes;       //!< of the selector
    uint32_t cqi;                //!< what they give
};

/// The CQI from the depth of the queue. Expected results: min(CQI_MAX, floor(queue_depth /
/// (threshold * capacity))), see each row.
AIDC_TEST_CASES(BenchQueue,
                queue,
                std::string("5.1.2: the CQI from the depth of a ") +
                    (queue == BenchQueue::FIFO ? "FifoQueueDisc" : "SwitchPortQueueDisc"),
                ({BenchQueue::FIFO, BenchQueue::SHARED}))
{
    const std::vector<uint32_t> ten(10, 1000);
    const std::vector<DepthVector> vectors{
        {{}, {}, 0},
        {{999}, {}, 0},                                                  // 999 / 1000
        {{1000}, {}, 1},                                                 // 1000 / 1000
        {{1000, 999}, {}, 1},                                            // 1999 / 1000
        {{1000, 1000, 1000}, {}, 3},                                     // 3000 / 1000
        {ten, {}, 10},                                                   // 10000 / 1000
        {ten, {{"CqiMax", "7"}}, 7},                                     // min(7, 10)
        {{1000, 1000, 1000}, {{"CongestionThreshold", "0.25"}}, 1},      // 3000 / 2500
        {ten, {{"CongestionThreshold", "0.05"}}, 16},                    // min(16, 20)
        {ten, {{"CongestionThreshold", "0.05"}, {"CqiMax", "255"}}, 20}, // 10000 / 500
        {{1000, 500}, {{"QueueCapacity", "5000B"}}, 3},                  // 1500 / 500
    };
    for (const auto& vector : vectors)
    {
        FlowSetBench bench(vector.attributes, queue);
        uint32_t nBytes = 0;
        for (const uint32_t size : vector.sizes)
        {
            bench.Put(2, size);
            nBytes += size;
        }
        bench.RunTo(FIRST);
        NS_TEST_EXPECT_MSG_EQ(bench.GetQueue(2)->GetNBytes(), nBytes, "in the queue");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(2), vector.cqi, nBytes << " bytes");
        NS_TEST_EXPECT_MSG_EQ(bench.selector->GetPortStatus(2).queueDepth, nBytes, "depth");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 0, "another port");
    }
}

// Expected results: the memory of 5 ports has 50,000 bytes, and with Alpha 1 a queue may hold as
// much as is free. 10,000 bytes in one queue leave 40,000, a share of 0.25; in each of two they
// leave 30,000, a share of 0.333. The threshold is 0.1, so the CQI is 2, then 3. Without a shared
// buffer it is the queue's own capacity that counts: 4,000 of 10,000 bytes give 4.
AIDC_TEST_CASE("5.1.2: the CQI from the utilisation of the buffer")
{
    const Attributes attributes{{"UseQueueDepth", "false"}, {"UseBufferUtilization", "true"}};
    {
        FlowSetBench bench(attributes, BenchQueue::SHARED);
        bench.SetQueue(1, 10);
        bench.RunTo(FIRST);
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 2, "10000 of 40000");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(3), 0, "nothing");
        bench.SetQueue(2, 10);
        bench.RunTo(SECOND);
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 3, "10000 of 30000");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(2), 3, "10000 of 30000");
    }
    FlowSetBench bench(attributes, BenchQueue::FIFO);
    bench.SetQueue(1, 4);
    bench.RunTo(FIRST);
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 4, "4000 of 10000");
}

// Expected results: a full queue of 10 packets drops each further one.
AIDC_TEST_CASES(BenchQueue,
                queue,
                std::string("5.1.2: the CQI from the drops of a ") +
                    (queue == BenchQueue::FIFO ? "FifoQueueDisc" : "SwitchPortQueueDisc"),
                ({BenchQueue::FIFO, BenchQueue::SHARED}))
{
    const auto measure = [this](uint32_t perLevel, const std::vector<uint32_t>& drops) {
        FlowSetBench bench({{"UseQueueDepth", "false"},
                            {"UseDrops", "true"},
                            {"DropsPerLevel", std::to_string(perLevel)}},
                           queue);
        while (bench.GetQueue(3)->GetStats().nTotalDroppedPackets == 0)
        {
            bench.Put(3, 1000); // until it is full
        }
        bench.RunTo(FIRST);
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(3), 1 / perLevel, "the first");
        std::vector<uint32_t> cqis;
        for (const uint32_t n : drops)
        {
            for (uint32_t i = 0; i < n; ++i)
            {
                bench.Put(3, 1000);
            }
            bench.RunTo(Simulator::Now() + MilliSeconds(10));
            cqis.push_back(bench.GetCqi(3));
        }
        return cqis;
    };
    NS_TEST_EXPECT_MSG_EQ(
        (measure(1, {5, 0, 2, 20}) == std::vector<uint32_t>{5, 0, 2, 16}), // CQI_MAX is 16
        true,
        "one each");
    AIDC_EXPECT((measure(2, {5, 0, 20}) == std::vector<uint32_t>{2, 0, 10}), "one for two");
}

// Expected results: the queue gives 3, then 10 as it is full; 12 drops give 12, 4 drops give 4.
AIDC_TEST_CASE("5.1.2: of several metrics the one that gives the largest CQI counts")
{
    FlowSetBench bench({{"UseDrops", "true"}, {"UseBufferUtilization", "true"}});
    bench.SetQueue(1, 3);
    bench.RunTo(FIRST);
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 3, "depth 3, no drop");
    bench.SetQueue(1, 10 + 12);
    bench.RunTo(SECOND);
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 12, "depth 10, 12 drops");
    bench.SetQueue(1, 10 + 4);
    bench.RunTo(MilliSeconds(30));
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 10, "depth 10, 4 drops");
}

// When a CQI is known.
AIDC_TEST_CASE("5.1.3: the port table has a CQI from the end of the interval on, not before")
{
    FlowSetBench bench;
    bench.SetQueues({4, 0, 0, 7});
    const auto expect = [this, &bench](Time time, const std::vector<uint32_t>& cqis) {
        bench.RunTo(time);
        for (uint32_t port = 1; port <= 4; ++port)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(port), cqis[port - 1], port << " at " << time);
        }
    };
    expect(FIRST - NanoSeconds(2), {0, 0, 0, 0});
    expect(FIRST, {4, 0, 0, 7});
    bench.SetQueues({0, 2, 0, 8});
    expect(SECOND - NanoSeconds(2), {4, 0, 0, 7});
    expect(SECOND, {0, 2, 0, 8});
}

// Multicast traffic is load. Expected results: 6 multicast packets of 1,000 bytes are copied to two
// of four ports, 1 and 3. Each of them has a CQI of 6, so that 6 of 10 unicast flow sets leave it
// for 2 and 4. Multicast goes on to where its routes say, whatever the CQI is.
AIDC_TEST_CASE("1, 5.2.1 rule 4: flow sets leave the few ports that multicast is copied to")
{
    FlowSetBench bench;
    bench.SetQueues({0, 1, 1, 1});
    auto flows = bench.Learn(1, 10);
    bench.SetQueues({1, 1, 0, 1});
    const auto others = bench.Learn(3, 10);
    flows.insert(flows.end(), others.begin(), others.end());
    bench.SetQueues({0, 0, 0, 0});
    const Ipv4Address group("239.1.1.1");
    bench.routing->AddMulticastRoute(Ipv4Address::GetAny(), group, bench.input, {1, 3});
    const auto copy = [&bench, &group] {
        auto packet = RouterBench::MakePayload(0, 1000);
        auto header = RouterBench::MakeHeader(0, 1000);
        header.SetDestination(group);
        packet->AddHeader(header);
        bench.Receive(packet);
    };
    for (uint32_t i = 0; i < 6; ++i)
    {
        copy();
    }
    bench.RunTo(FIRST);
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 6, "CQI by multicast");
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(3), 6, "of each copy's port");
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(2) + bench.GetCqi(4), 0, "not of the others");
    const auto counts = bench.CountPorts(flows);
    NS_TEST_EXPECT_MSG_EQ(counts[1], 4, "left");
    NS_TEST_EXPECT_MSG_EQ(counts[3], 4, "left");
    NS_TEST_EXPECT_MSG_EQ(counts[2] + counts[4], 12, "to the ports without copies");
    NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), 12, "traced");
    const auto before = bench.GetQueue(1)->GetNPackets();
    copy();
    NS_TEST_EXPECT_MSG_EQ(bench.GetQueue(1)->GetNPackets(), before + 1, "does not move");
}
