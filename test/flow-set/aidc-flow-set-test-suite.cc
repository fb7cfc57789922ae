// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

// Section 5 of draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft".
//
// In a FlowSetBench a queue has a capacity of 10,000 bytes, so that the recommended congestion
// threshold of 10 % is 1,000 bytes: a queue of n packets of 1,000 bytes gives a CQI of n.

// Adaptive flow table migration.
AIDC_TEST_SUITE("aidc-flow-set", UNIT);

/// Forward a packet of each of some flows.
std::map<uint32_t, uint32_t>
GetPorts(FlowSetBench& bench, uint32_t nFlows)
{
    std::map<uint32_t, uint32_t> portOf;
    for (uint32_t flow = 0; flow < nFlows; ++flow)
    {
        portOf[flow] = bench.GetPort(flow);
    }
    return portOf;
}

// Expected results: the smallest CQI, then the shortest queue now.
AIDC_TEST_CASE("5.2.1 rule 1: a new flow takes the port with the lightest current load")
{
    FlowSetBench bench;
    std::vector<uint32_t> flows(50);
    const auto expect = [&](const std::vector<uint32_t>& ports, const char* what) {
        std::iota(flows.begin(), flows.end(), flows.back() + 1); // new ones
        const auto counts = bench.CountPorts(flows);
        for (uint32_t port = 1; port <= 4; ++port)
        {
            const bool isUsed = std::count(ports.begin(), ports.end(), port) > 0;
            NS_TEST_EXPECT_MSG_EQ((counts[port] > 0), isUsed, what << ", port " << port);
        }
    };
    expect({1, 2, 3, 4}, "all idle");
    bench.SetQueues({3, 2, 1, 2});
    expect({3}, "the shortest queue");
    bench.RunTo(FIRST); // CQIs are 3, 2, 1, 2
    bench.SetQueues({0, 2, 3, 2});
    expect({3}, "the smallest CQI, although its queue is the longest");
    bench.RunTo(SECOND); // CQIs are 0, 2, 3, 2
    bench.SetQueues({0, 0, 0, 0});
    expect({1}, "the smallest CQI of equal queues");
    bench.RunTo(MilliSeconds(30)); // CQIs are 0
    bench.SetQueues({1, 0, 1, 0});
    expect({2, 4}, "the shortest queues");
}

// A port that is not available.
AIDC_TEST_CASE("5.2.1 rule 2: a flow set whose port is unavailable gets a new port")
{
    FlowSetBench bench;
    const auto portOf = GetPorts(bench, 50);
    bench.ipv4->SetDown(2);
    uint32_t nMoved = 0;
    for (const auto& [flow, port] : portOf)
    {
        const uint32_t now = bench.GetPort(flow);
        AIDC_EXPECT(now == 1 || now == 3 || now == 4, "available: " << now);
        AIDC_EXPECT(port == 2 || now == port, "others stay");
        nMoved += port == 2 ? 1 : 0;
    }
    // A quarter of 50 is 12.5, with a standard deviation of 3.1.
    NS_TEST_EXPECT_MSG_EQ_TOL(nMoved, 12.5, 9, "a quarter was there");
    NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), nMoved, "traced");
    for (const auto& migration : bench.migrations)
    {
        AIDC_EXPECT(migration.reason == FlowSetAction::REROUTE, "reason");
        NS_TEST_EXPECT_MSG_EQ(migration.from, 2, "from");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.CountPorts({0, 1, 2, 3, 4, 5, 6, 7})[2], 0, "none is back");
}

// No congestion. Expected results: 999 bytes are below the threshold of 1,000. A queue that is full
// now counts at the end of the interval only.
AIDC_TEST_CASE("5.2.1 rule 3: a flow set whose port has a CQI of 0 stays")
{
    FlowSetBench bench;
    const auto portOf = GetPorts(bench, 50);
    bench.Put(1, 999);
    bench.Put(2, 500);
    for (int64_t time = 10; time <= 500; time += 10)
    {
        bench.RunTo(MilliSeconds(time));
        for (const auto& [flow, port] : portOf)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flow), port, "flow " << flow);
        }
    }
    bench.SetQueues({10, 10, 10, 0});
    for (const auto& [flow, port] : portOf)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flow), port, "before the assessment");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), 0, "traced");
}

// Congestion, and the three steps of a migration. Expected results: the port with the flow sets has
// a CQI of 5, the others 3, 1 and 2. Each of 3 packets moves its flow set to the port whose CQI is
// 1, and takes 1 from the CQI of the first.
AIDC_TEST_CASE("5.2.1 rule 4, 5.2.2: a flow set moves to the smallest CQI, at the cost of 1")
{
    FlowSetBench bench;
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 3);
    bench.SetQueues({5, 3, 1, 2});
    bench.RunTo(FIRST);
    for (uint32_t i = 0; i < 3; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flows[i]), 3, "step 1: the smallest CQI");
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flows[i]), 3, "step 2: the entry is updated");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 4 - i, "step 3: decremented");
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(3), 1, "that of the target stays");
    }
    NS_TEST_ASSERT_MSG_EQ(bench.migrations.size(), 3, "traced");
    for (uint32_t i = 0; i < 3; ++i)
    {
        const auto& migration = bench.migrations[i];
        AIDC_EXPECT(migration.reason == FlowSetAction::MIGRATE, "reason");
        NS_TEST_EXPECT_MSG_EQ(migration.from, 1, "from");
        NS_TEST_EXPECT_MSG_EQ(migration.to, 3, "to");
        NS_TEST_EXPECT_MSG_EQ(migration.cqi, 5, "the CQI of the interval");
        NS_TEST_EXPECT_MSG_EQ(migration.migrations, i + 1, "migrations so far");
        NS_TEST_EXPECT_MSG_EQ(migration.time, Simulator::Now(), "time");
    }
}

// Ties among targets. Expected results: with a CQI of 255 of the port that is left, 150 flow sets
// move, to three ports with a CQI of 0. In turn these are 50 each, and neighbours differ. At random
// chi-square of 2 degrees of freedom exceeds 18.4 with a probability of 1e-4.
AIDC_TEST_CASES(bool,
                isRoundRobin,
                isRoundRobin ? "5.2.2 step 1: targets with the same CQI are taken in turn"
                             : "5.2.2 step 1: targets with the same CQI are taken at random",
                ({false, true}))
{
    FlowSetBench bench({{"CqiMax", "255"},
                        {"CongestionThreshold", "0.005"}, // 50 bytes
                        {"RoundRobin", isRoundRobin ? "true" : "false"}});
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 150);
    bench.SetQueues({10, 0, 0, 0}); // min(255, 10000 / 50)
    bench.RunTo(FIRST);
    std::array<double, 5> counts{};
    uint32_t nRepeated = 0;
    uint32_t former = 0;
    for (const uint32_t flow : flows)
    {
        const uint32_t port = bench.GetPort(flow);
        ++counts[port];
        nRepeated += port == former ? 1 : 0;
        former = port;
    }
    NS_TEST_EXPECT_MSG_EQ(counts[1], 0, "all move");
    if (isRoundRobin)
    {
        NS_TEST_EXPECT_MSG_EQ(nRepeated, 0, "neighbours differ");
        for (const uint32_t port : {2, 3, 4})
        {
            NS_TEST_EXPECT_MSG_EQ(counts[port], 50, "port " << port);
        }
        return;
    }
    double chiSquare = 0;
    for (const uint32_t port : {2, 3, 4})
    {
        chiSquare += (counts[port] - 50) * (counts[port] - 50) / 50;
    }
    NS_TEST_EXPECT_MSG_LT(chiSquare, 18.4, "uniform");
    NS_TEST_EXPECT_MSG_GT(nRepeated, 20, "a third of 149 repeat, standard deviation 5.8");
    NS_TEST_EXPECT_MSG_LT(nRepeated, 80, "a third of 149 repeat");
}

// The bound of migrations, over a long random course of events. Expected results: in each interval,
// the migrations from a port that the trace reports are at most the CQI that its assessment at the
// beginning of the interval reported.
AIDC_TEST_CASES(BenchQueue,
                queue,
                std::string("5.2.3: at most CQI migrations an interval from a port: ") +
                    (queue == BenchQueue::FIFO ? "FifoQueueDisc" : "SwitchPortQueueDisc"),
                ({BenchQueue::FIFO, BenchQueue::SHARED}))
{
    FlowSetBench bench(Attributes{{"MaxMigrations", "0"}}, queue);
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(77);
    constexpr int64_t nIntervals = 90; // the packets on the links are there for 1 s
    for (int64_t interval = 1; interval <= nIntervals; ++interval)
    {
        for (uint32_t port = 1; port <= 4; ++port)
        {
            bench.SetQueue(port, random->GetInteger(0, 10));
        }
        bench.RunTo(MilliSeconds(10 * interval));
        for (uint32_t i = 0; i < 400; ++i)
        {
            bench.GetPort(random->GetInteger(0, 299));
        }
        if (interval % 10 == 5) // and failures
        {
            bench.ipv4->SetDown(random->GetInteger(1, 4));
        }
        if (interval % 10 == 8)
        {
            for (uint32_t port = 1; port <= 4; ++port)
            {
                bench.ipv4->SetUp(port);
            }
        }
    }
    std::map<std::pair<int64_t, uint32_t>, uint32_t> budgets; // by interval and port
    for (const auto& a : bench.assessments)
    {
        budgets[{a.time.GetMilliSeconds() / 10, a.port}] = a.cqi;
    }
    std::map<std::pair<int64_t, uint32_t>, uint32_t> counts;
    for (const auto& m : bench.migrations)
    {
        if (m.reason == FlowSetAction::MIGRATE)
        {
            ++counts[{m.time.GetMilliSeconds() / 10, m.from}];
        }
    }
    uint32_t nFull = 0;
    for (const auto& [key, count] : counts)
    {
        AIDC_EXPECT(count <= budgets[key],
                    count << " from port " << key.second << " in " << key.first);
        nFull += count == budgets[key] ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_GT(counts.size(), 100, "the test saw migrations");
    NS_TEST_EXPECT_MSG_GT(nFull, 20, "and budgets that were used up");
}

// Congestion that lasts. Expected results: of 20 flow sets on a port with a CQI of 4, 4 move in
// each interval as long as its queue stays; with a CQI of 1 one moves; with a CQI of 0 none.
AIDC_TEST_CASE("5.2.4: migration goes on while congestion does, and ends with it")
{
    FlowSetBench bench;
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 20);
    bench.SetQueues({4, 0, 0, 0});
    const auto expect = [this, &bench, &flows](int64_t time, uint32_t nLeft) {
        bench.RunTo(MilliSeconds(time));
        bench.CountPorts(flows);
        NS_TEST_EXPECT_MSG_EQ(bench.CountPorts(flows)[1], nLeft, "after " << time << " ms");
    };
    expect(10, 16);
    expect(20, 12);
    expect(30, 8);
    bench.SetQueue(1, 1);
    expect(40, 7);
    bench.SetQueue(1, 0);
    expect(50, 7);
    expect(60, 7);
}
