// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

// Sections 1, 3 and 5.2 of draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft": what
// is chosen where it leaves a choice. A queue of n packets of 1,000 bytes in a FlowSetBench gives a
// CQI of n.

// Choices of congestion-aware flow-set switching.
AIDC_TEST_SUITE("aidc-flow-set-decisions", UNIT);

// A congested port that has the smallest CQI itself. Expected results: with CQIs of 4 everywhere
// nothing moves. With 4, 3, 3, 3 as they were assessed, 4 of 20 flow sets move, as many as the CQI
// says. Read literally, one moves: then 3 are left of the CQI, and no other is smaller.
AIDC_TEST_CASES(bool,
                isLiteral,
                std::string("5.2.2 step 1: flow sets stay where no other port has a smaller ") +
                    (isLiteral ? "CQI, to the letter" : "CQI, as assessed"),
                ({false, true}))
{
    FlowSetBench bench(Attributes{{"RankByBudget", isLiteral ? "true" : "false"}});
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 20);
    bench.SetQueues({4, 4, 4, 4});
    bench.RunTo(FIRST);
    NS_TEST_EXPECT_MSG_EQ(bench.CountPorts(flows)[1], 20, "all equal");
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 4, "no migration, no cost");
    bench.SetQueues({4, 3, 3, 3});
    bench.RunTo(SECOND);
    const uint32_t nMoved = isLiteral ? 1 : 4;
    NS_TEST_EXPECT_MSG_EQ(bench.CountPorts(flows)[1], 20 - nMoved, "more than the others");
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 4 - nMoved, "what is left");
}

// Expected results: all 6 flow sets of port 1, with a CQI of 5, but one leave it for ports 3 and 4,
// whose queues are empty; then its budget is 0, and its queue is what it was. Port 2 has a CQI of 2
// and nothing is spent. New flows take 3 and 4. Read literally, port 1 looks as empty as
// 3 and 4 do: some of 40 new flows take it, as all queues are equal then.
AIDC_TEST_CASES(bool,
                isLiteral,
                std::string("5.2.1 rule 1, 5.2.2 step 1: a port whose budget is spent ") +
                    (isLiteral ? "looks empty, to the letter" : "does not look empty"),
                ({false, true}))
{
    FlowSetBench bench(Attributes{{"RankByBudget", isLiteral ? "true" : "false"}});
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 6);
    bench.SetQueues({5, 2, 0, 0});
    bench.RunTo(FIRST);
    NS_TEST_EXPECT_MSG_EQ(bench.CountPorts(flows)[1], 1, "as many as the CQI says");
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 0, "spent");
    bench.SetQueues({5, 5, 5, 5}); // now only the CQIs differ
    uint32_t nOnSpent = 0;
    for (uint32_t flow = 0; flow < 40; ++flow)
    {
        const uint32_t port = bench.GetPort(flow);
        NS_TEST_EXPECT_MSG_NE(port, 2, "a CQI of 2 and nothing spent");
        nOnSpent += port == 1 ? 1 : 0;
    }
    // Each of the 40 flows takes one of three ports at random: 40 / 3, with a standard
    // deviation of sqrt(40 * 1/3 * 2/3) = 2.98.
    NS_TEST_EXPECT_MSG_EQ_TOL(nOnSpent,
                              (isLiteral ? 40.0 / 3 : 0.0),
                              (isLiteral ? 4 * 2.98 : 0.0),
                              "new flows");
}

/// Make congestion, and let packets come.
std::pair<std::vector<uint32_t>, std::vector<uint32_t>>
Switch(const std::string& strategy)
{
    FlowSetBench bench({{"Strategy", strategy}, {"AgingTime", "50ms"}});
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 20);
    bench.SetQueues({2, 1, 0, 1});
    bench.RunTo(FIRST);
    const auto now = bench.CountPorts(flows);
    bench.RunTo(MilliSeconds(100));
    return {now, bench.CountPorts(flows)};
}

// What the draft argues against. Expected results: of 20 flow sets on a port with a CQI of 2, all
// leave at once, to the one port with the smallest CQI, or none leaves until it was silent for the
// aging time.
AIDC_TEST_CASE("1 and 3.2: all flow sets of a port switch at once, or none until they age out")
{
    const auto progressive = Switch("Progressive");
    NS_TEST_EXPECT_MSG_EQ(progressive.first[1], 18, "Progressive: the CQI is 2");
    NS_TEST_EXPECT_MSG_EQ(progressive.first[3], 2, "Progressive: to the smallest");
    const auto full = Switch("FullSwitch");
    NS_TEST_EXPECT_MSG_EQ(full.first[3], 20, "FullSwitch: all, to one port");
    const auto none = Switch("NoSwitch");
    NS_TEST_EXPECT_MSG_EQ(none.first[1], 20, "NoSwitch");
    NS_TEST_EXPECT_MSG_EQ(none.second[3], 20, "NoSwitch: learned again");
}

/// Let the congestion follow the flow sets.
std::size_t
CountMigrations(const Attributes& attributes)
{
    FlowSetBench bench(attributes, BenchQueue::FIFO, 2);
    bench.SetQueues({0, 1});
    const auto flows = bench.Learn(1, 8);
    for (int64_t interval = 1; interval <= 20; ++interval)
    {
        uint32_t nFirst = 0;
        for (const uint32_t flow : flows)
        {
            nFirst += bench.GetPort(flow) == 1 ? 1 : 0;
        }
        bench.SetQueues({nFirst, 8 - nFirst});
        bench.RunTo(FIRST * interval);
        bench.CountPorts(flows);
    }
    return bench.migrations.size();
}

// Flow sets that carry the congestion with them. A queue is as long as there are flow sets on the
// port, of 8 that start on one of two ports. Expected results: in the first interval all of them
// leave, as the CQI is 8, in the second all come back, and so on, 20 times in 20 intervals. With a
// hold-down of 35 ms each may move in every fourth interval only; a hysteresis of 8 keeps them
// where they are.
AIDC_TEST_CASE("3.3: hold-down and hysteresis keep flow sets from going to and fro")
{
    NS_TEST_EXPECT_MSG_EQ(CountMigrations({}), 20 * 8, "to and fro");
    NS_TEST_EXPECT_MSG_EQ(CountMigrations(Attributes{{"HoldDown", "35ms"}}), 5 * 8, "hold-down");
    NS_TEST_EXPECT_MSG_EQ(CountMigrations(Attributes{{"Hysteresis", "8"}}), 0, "hysteresis");
    NS_TEST_EXPECT_MSG_EQ(CountMigrations(Attributes{{"Hysteresis", "7"}}), 20 * 8, "too small");
}

// Expected results: each packet's five-tuple and what became of it, in the order of the packets.
AIDC_TEST_CASE("5.2.1: each decision is traced, with the five-tuple and the rule")
{
    FlowSetBench bench;
    std::vector<std::pair<FlowKey, FlowSetDecision>> told;
    ConnectTrace(bench.selector,
                 "Decision",
                 [&told](const FlowKey& flow, const FlowSetDecision& decision) {
                     told.emplace_back(flow, decision);
                 });
    const auto expect = [&](uint32_t flow, FlowSetAction action, uint32_t from, uint32_t to) {
        told.clear();
        bench.GetPort(flow);
        NS_TEST_ASSERT_MSG_EQ(told.size(), 1, "one packet");
        const auto& [key, decision] = told[0];
        NS_TEST_EXPECT_MSG_EQ(key.source, 0x0a010000 + flow / 1000, "source address");
        NS_TEST_EXPECT_MSG_EQ(key.destination, BENCH_DESTINATION.Get(), "destination address");
        NS_TEST_EXPECT_MSG_EQ(key.sourcePort, 10000 + flow % 1000, "source port");
        NS_TEST_EXPECT_MSG_EQ(key.destinationPort, 9, "destination port");
        NS_TEST_EXPECT_MSG_EQ(int{key.protocol}, int{PROTOCOL_UDP}, "protocol");
        AIDC_EXPECT(decision.action == action, "action");
        NS_TEST_EXPECT_MSG_EQ(decision.from, from, "from");
        NS_TEST_EXPECT_MSG_EQ(decision.port, to, "to");
    };
    bench.SetQueues({0, 1, 1, 1});
    expect(7001, FlowSetAction::LEARN, FlowSetDecision::NONE, 1);
    expect(7002, FlowSetAction::LEARN, FlowSetDecision::NONE, 1);
    expect(7001, FlowSetAction::KEEP, 1, 1);
    bench.SetQueues({1, 0, 1, 1});
    bench.RunTo(FIRST);
    expect(7001, FlowSetAction::MIGRATE, 1, 2);
    expect(7002, FlowSetAction::STAY_BUDGET, 1, 1);
    expect(7001, FlowSetAction::KEEP, 2, 2);
    NS_TEST_ASSERT_MSG_EQ(bench.migrations.size(), 1, "the trace of migrations");
    NS_TEST_EXPECT_MSG_EQ(bench.migrations[0].flow.sourcePort, 10001, "has the flow, too");
    bench.SetQueues({1, 1, 1, 1});
    bench.RunTo(SECOND);
    expect(7002, FlowSetAction::STAY_SMALLEST, 1, 1);
    for (const uint32_t port : {1, 3, 4})
    {
        bench.ipv4->SetDown(port);
    }
    expect(7002, FlowSetAction::REROUTE, 1, 2);
}
