// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

#include "ns3/ipv4-list-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"

// Sections 6 to 8 of draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft". A queue of
// n packets of 1,000 bytes in a FlowSetBench gives a CQI of n.

// Tables and start of congestion-aware flow-set switching.
AIDC_TEST_SUITE("aidc-flow-set-configuration", UNIT);

// The flow table: its entries, and their aging. Expected results: entries that were used 50 ms ago
// are valid; entries that were used 50 ms and 1 ns ago are not. A valid entry is of use when its
// port is no longer the lightest.
AIDC_TEST_CASE("6.1: an entry is valid until it was not used for the aging time")
{
    FlowSetBench bench(Attributes{{"AgingTime", "50ms"}});
    bench.SetQueues({0, 1, 1, 1});
    const Time learned = Simulator::Now();
    const auto flows = bench.Learn(1, 10);
    bench.SetQueues({0, 0, 0, 0});
    bench.Put(1, 900); // its queue is the longest, its CQI 0
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetOccupancy(), 10, "in use");
    FlowSetBench::RunTo(learned + MilliSeconds(50) - NanoSeconds(1)); // + 1 ns, see RunTo
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetOccupancy(), 10, "still in use");
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flows[0]), 1, "known");
    FlowSetBench::RunTo(learned + MilliSeconds(50));
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetOccupancy(), 1, "the one that was used since");
    NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flows[0]), 1, "known");
    NS_TEST_EXPECT_MSG_NE(bench.GetPort(flows[1]), 1, "learned again");
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetOccupancy(), 2, "two are in use");
}

AIDC_TEST_CASE("6.1: the occupancy of the table is traced at the end of each interval")
{
    FlowSetBench bench(Attributes{{"AgingTime", "25ms"}});
    std::vector<uint32_t> occupancies;
    ConnectTrace(bench.selector, "Occupancy", [&occupancies](uint32_t n) {
        occupancies.push_back(n);
    });
    bench.SetQueues({0, 1, 1, 1});
    bench.Learn(1, 7); // at 1 ms
    FlowSetBench::RunTo(FIRST);
    bench.SetQueues({0, 1, 1, 1});
    bench.Learn(1, 3); // at 10 ms
    FlowSetBench::RunTo(MilliSeconds(40));
    // At 10, 20, 30 and 40 ms: entries of 1 ms are valid up to 26 ms, entries of 10 ms to 35 ms.
    AIDC_EXPECT((occupancies == std::vector<uint32_t>{7, 10, 3, 0}), "trace");
}

AIDC_TEST_CASE("6.2: the port status table has port, status, CQI and queue depth")
{
    FlowSetBench bench;
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 2);
    bench.SetQueues({4, 0, 2, 0});
    bench.ipv4->SetDown(2);
    bench.RunTo(FIRST);
    bench.CountPorts(flows); // 2 migrations
    const auto expect =
        [this, &bench](uint32_t port, bool isUp, uint32_t cqi, uint32_t initial, uint64_t depth) {
            const auto& status = bench.selector->GetPortStatus(port);
            NS_TEST_EXPECT_MSG_EQ(status.port, port, "identifier");
            NS_TEST_EXPECT_MSG_EQ(status.isUp, isUp, "status of " << port);
            NS_TEST_EXPECT_MSG_EQ(status.cqi, cqi, "current CQI of " << port);
            NS_TEST_EXPECT_MSG_EQ(status.initialCqi, initial, "initial CQI of " << port);
            NS_TEST_EXPECT_MSG_EQ(status.queueDepth, depth, "depth of " << port);
        };
    expect(1, true, 2, 4, 4000);
    expect(2, false, 0, 0, 0);
    expect(3, true, 2, 2, 2000);
    expect(4, true, 0, 0, 0);
    bench.ipv4->SetUp(2);
    bench.ipv4->SetDown(3);
    expect(2, true, 0, 0, 0);
    expect(3, false, 2, 2, 2000);
}

// Expected results: before the first assessment, at the end of the first interval, all CQIs are 0,
// however full the queues are, and the table is empty.
AIDC_TEST_CASE("7.1: at start up the table is empty, CQIs are 0 and the assessment is started")
{
    FlowSetBench bench(Attributes{{"AssessmentInterval", "30ms"}});
    bench.SetQueues({9, 8, 7, 6});
    NS_TEST_EXPECT_MSG_EQ(bench.selector->GetOccupancy(), 0, "table");
    bench.RunTo(MilliSeconds(29));
    for (uint32_t port = 0; port <= 5; ++port)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(port), 0, "interface " << port);
    }
    NS_TEST_EXPECT_MSG_EQ(bench.assessments.size(), 0, "none yet");
    bench.RunTo(MilliSeconds(30));
    NS_TEST_EXPECT_MSG_EQ(bench.assessments.size(), 4, "each port");
    NS_TEST_EXPECT_MSG_EQ(bench.GetCqi(1), 9, "assessed");
}

AIDC_TEST_CASE("8.1: FlowSetEcmpRouting is found by name, and works in an Ipv4ListRouting")
{
    ObjectFactory factory("ns3::aidc::FlowSetEcmpRouting");
    const auto routing = factory.Create<FlowSetEcmpRouting>();
    AIDC_EXPECT(DynamicCast<FlowSetSelector>(routing->GetSelector()) != nullptr, "its selector");
    auto selector = CreateObject<FlowSetSelector>();
    factory.Set("Selector", PointerValue(selector));
    NS_TEST_EXPECT_MSG_EQ(factory.Create<FlowSetEcmpRouting>()->GetSelector(),
                          selector,
                          "the one that is set");

    Ipv4ListRoutingHelper list;
    list.Add(Ipv4StaticRoutingHelper(), 0);
    list.Add(MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting"), 10);
    FlowSetBench bench({}, BenchQueue::SHARED, 4, list);
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 10);
    bench.SetQueues({3, 0, 0, 0});
    bench.RunTo(FIRST);
    std::array<uint32_t, 5> counts{};
    for (const uint32_t flow : flows)
    {
        ++counts[bench.Send(flow)];
    }
    NS_TEST_EXPECT_MSG_EQ(counts[1], 7, "10 flow sets less a CQI of 3");
    NS_TEST_EXPECT_MSG_EQ(counts[0], 0, "all are forwarded");
    NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), 3, "traced");
}
