// SPDX-License-Identifier: GPL-2.0-only

#include "flow-set-bench.h"
#include "test/test-case.h"

#include <type_traits>

// Sections 6 to 9 of draft-li-rtgwg-congestion-aware-flowset-switching-00, "the draft". A queue of
// n packets of 1,000 bytes in a FlowSetBench gives a CQI of n.

// Operation and security of congestion-aware flow-set switching.
AIDC_TEST_SUITE("aidc-flow-set-operation", UNIT);

/// What became of the packets.
struct Outcome
{
    uint32_t nReordered{0};   //!< packets that overtook
    std::size_t nMigrated{0}; //!< migrations
};

Outcome
SendFlowletGap(const std::string& gap)
{
    FlowSetBench bench({{"FlowletGap", gap}, {"AssessmentInterval", "5ms"}});
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(78);
    std::array<Time, 20> lastArrival;
    Outcome outcome;
    for (int64_t time = 1000; time < 900000; time += random->GetInteger(10, 400))
    {
        bench.RunTo(MicroSeconds(time));
        if (random->GetInteger(0, 20) == 0)
        {
            bench.SetQueue(random->GetInteger(1, 4), random->GetInteger(0, 9));
        }
        const uint32_t flow = random->GetInteger(0, 19);
        const Time arrival = Simulator::Now() + MilliSeconds(bench.GetPort(flow));
        outcome.nReordered += arrival < lastArrival[flow] ? 1 : 0;
        lastArrival[flow] = std::max(arrival, lastArrival[flow]);
    }
    outcome.nMigrated = bench.migrations.size();
    return outcome;
}

// Migration in flowlet gaps only. Ports lead to paths of 1, 2, 3 and 4 ms; packets of 20 flows
// come at random times, and the queues change at random. Expected results: with a flowlet gap of 3
// ms, the largest difference between the paths, no packet arrives before one of its flow that was
// sent earlier: a packet that migrates comes at least 3 ms after its predecessor. Without a gap,
// every other migration is to a shorter path, by 1, 2 or 3 ms in 3, 2 and 1 of 6 cases, and a
// flow's packets are 4.1 ms apart on average: for exponential pauses (0.22 * 3 + 0.39 * 2 + 0.52)
// / 6 / 2 = 0.16 of the migrations overtake.
AIDC_TEST_CASE("8.2: with a flowlet gap of the paths' difference packets stay in order")
{
    const auto with = SendFlowletGap("3ms");
    const auto without = SendFlowletGap("0ms");
    NS_TEST_EXPECT_MSG_EQ(with.nReordered, 0, "with a gap");
    NS_TEST_EXPECT_MSG_GT(with.nMigrated, 50, "with a gap");
    // 0.16 of the migrations, see above.
    const auto nMigrated = static_cast<double>(without.nMigrated);
    NS_TEST_EXPECT_MSG_GT(without.nReordered, 0.1 * nMigrated, "without");
    NS_TEST_EXPECT_MSG_LT(without.nReordered, 0.25 * nMigrated, "without");
}

// The flowlet gap against what one path is shorter than the other. A flow goes from a path of 4 ms
// to one of 1 ms, after a pause. Expected results: a packet migrates where the pause is at least
// the gap, and overtakes where it migrates after a pause below the 3 ms between the paths.
AIDC_TEST_CASE("8.2: a packet overtakes if it migrates after less than the paths' difference")
{
    for (const int64_t gap : {0, 1000, 2000, 3000, 4000}) // us
    {
        for (const int64_t pause : {500, 1500, 2500, 2999, 3000, 3500, 4500})
        {
            FlowSetBench bench(Attributes{{"FlowletGap", std::to_string(gap) + "us"}});
            bench.SetQueues({1, 1, 1, 0});
            const uint32_t flow = bench.Learn(4, 1)[0];
            bench.SetQueues({0, 1, 1, 9});
            FlowSetBench::RunTo(FIRST - MicroSeconds(1)); // + 1 ns, see RunTo
            const auto getArrival = [&bench, flow] {
                return Simulator::Now() + MilliSeconds(bench.GetPort(flow));
            };
            const Time first = getArrival();
            FlowSetBench::RunTo(FIRST - MicroSeconds(1) + MicroSeconds(pause));
            const Time second = getArrival();
            const bool migrates = pause >= gap;
            NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(),
                                  (migrates ? 1 : 0),
                                  pause << " us, gap " << gap << " us");
            NS_TEST_EXPECT_MSG_EQ((second < first),
                                  (migrates && pause < 3000),
                                  pause << " us, gap " << gap << " us");
        }
    }
}

// The flowlet gap itself. Expected results: a flow set that was silent for less than 5 ms stays on
// its congested port, one that was silent for 5 ms leaves it.
AIDC_TEST_CASE("8.2: a flow set migrates after the flowlet gap only")
{
    FlowSetBench bench(Attributes{{"FlowletGap", "5ms"}});
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 2); // at 1 ms
    bench.SetQueues({9, 0, 0, 0});
    for (int64_t time = 5; time < 100; time += 4)
    {
        bench.RunTo(MilliSeconds(time));
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flows[0]), 1, "4 ms, at " << time);
    }
    NS_TEST_EXPECT_MSG_NE(bench.GetPort(flows[1]), 1, "96 ms");
    bench.RunTo(MilliSeconds(102)); // the last packet was at 97 ms
    NS_TEST_EXPECT_MSG_NE(bench.GetPort(flows[0]), 1, "5 ms");
}

// The cap of migrations. Expected results: two ports with 20 flow sets each and a CQI of 9 might
// lose 18 in an interval of 10 ms; at most 5 in 10 ms may go, of both together. After port 1 fails
// its flow sets go all the same.
AIDC_TEST_CASE("9.1: migrations of the switch are limited in number a unit of time")
{
    FlowSetBench bench({{"MaxMigrations", "5"}, {"MigrationPeriod", "10ms"}});
    bench.SetQueues({0, 1, 1, 1});
    auto flows = bench.Learn(1, 20);
    bench.SetQueues({1, 0, 1, 1});
    const auto others = bench.Learn(2, 20);
    flows.insert(flows.end(), others.begin(), others.end());
    bench.SetQueues({9, 9, 0, 0});
    for (std::size_t i = 1; i <= 4; ++i)
    {
        bench.RunTo(FIRST * static_cast<int64_t>(i));
        for (uint32_t repeated = 0; repeated < 3; ++repeated)
        {
            bench.CountPorts(flows);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), 5 * i, "after " << i << " periods");
    }
    bench.ipv4->SetDown(1);
    NS_TEST_EXPECT_MSG_EQ(bench.CountPorts(flows)[1], 0, "failures are not held back");
}

// Expected results: with a weight of 0.5 of the newest reading, the average of the depths 8,000,
// 6,000, 0, 0, 0 bytes is 4,000, 5,000, 2,500, 1,250, 625: CQIs of 4, 5, 2, 1, 0.
AIDC_TEST_CASE("9.1: smoothing keeps the CQI from following each fluctuation")
{
    FlowSetBench bench(Attributes{{"Smoothing", "0.5"}});
    std::vector<uint32_t> cqis;
    for (const uint32_t nPackets : {8, 6, 0, 0, 0})
    {
        bench.SetQueue(1, nPackets);
        bench.RunTo(FIRST * static_cast<int64_t>(cqis.size() + 1));
        cqis.push_back(bench.GetCqi(1));
        NS_TEST_EXPECT_MSG_EQ(bench.selector->GetPortStatus(1).queueDepth,
                              1000 * nPackets,
                              "the depth is not smoothed");
    }
    AIDC_EXPECT((cqis == std::vector<uint32_t>{4, 5, 2, 1, 0}), "CQIs");
}

// What forwarded packets reveal. Expected results: a forwarded packet is the one that came, but
// for its TTL (byte 8) and checksum (bytes 10 and 11), and without tags, whether its flow set
// migrates or not.
AIDC_TEST_CASE("9.2: packets carry nothing of the CQI, and the port table cannot be written")
{
    static_assert(std::is_same_v<decltype(std::declval<FlowSetSelector&>().GetPortStatus(0)),
                                 const PortStatus&>,
                  "the port table is for reading");
    FlowSetBench bench;
    Ptr<const Packet> last;
    ConnectTrace(bench.ipv4, "Tx", [&last](Ptr<const Packet> packet, Ptr<Ipv4>, uint32_t) {
        last = packet->Copy();
    });
    bench.SetQueues({0, 1, 1, 1});
    const auto flows = bench.Learn(1, 20);
    bench.SetQueues({5, 0, 0, 0});
    bench.RunTo(FIRST);
    for (const uint32_t flow : flows)
    {
        auto packet = RouterBench::MakePayload(flow, 200);
        packet->AddHeader(RouterBench::MakeHeader(flow, 200));
        std::vector<uint8_t> before(packet->GetSize());
        packet->CopyData(before.data(), packet->GetSize());
        last = nullptr;
        bench.Receive(packet);
        AIDC_ASSERT(last != nullptr, "sent");
        std::vector<uint8_t> after(last->GetSize());
        last->CopyData(after.data(), last->GetSize());
        NS_TEST_EXPECT_MSG_EQ(int{after[8]}, before[8] - 1, "TTL");
        for (const std::size_t i : {8, 10, 11})
        {
            before[i] = 0;
            after[i] = 0;
        }
        AIDC_EXPECT(before == after, "all other bytes");
        AIDC_EXPECT(!last->GetPacketTagIterator().HasNext(), "packet tags");
        AIDC_EXPECT(!last->GetByteTagIterator().HasNext(), "byte tags");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), 5, "some have migrated");
}

// A port fails and comes back. Expected results: all flow sets of the port move at their next
// packet, though its CQI is 2 and 30 flow sets are there; none of them counts as a migration of
// rule 4. Nothing more is enqueued on the port until it is up again; then new flows take it.
AIDC_TEST_CASE("5.2.1 rule 2: all flow sets leave a failed port at once, which is used again")
{
    FlowSetBench bench;
    bench.SetQueues({1, 0, 1, 1});
    const auto flows = bench.Learn(2, 30);
    bench.SetQueues({2, 2, 2, 2});
    bench.RunTo(FIRST);
    const auto getEnqueued = [&bench] {
        return bench.GetQueue(2)->GetStats().nTotalReceivedPackets;
    };
    const auto nEnqueued = getEnqueued();
    bench.ipv4->SetDown(2);
    for (const uint32_t flow : flows)
    {
        const uint32_t port = bench.Send(flow, 40);
        AIDC_EXPECT(port == 1 || port == 3 || port == 4, "port " << port);
    }
    for (uint32_t flow = 0; flow < 50; ++flow)
    {
        NS_TEST_EXPECT_MSG_NE(bench.Send(flow, 40), 2, "a new flow");
    }
    NS_TEST_EXPECT_MSG_EQ(getEnqueued(), nEnqueued, "nothing is enqueued");
    NS_TEST_EXPECT_MSG_EQ(bench.migrations.size(), 30, "all of them, at once");
    for (const auto& migration : bench.migrations)
    {
        AIDC_EXPECT(migration.reason == FlowSetAction::REROUTE, "reason");
        NS_TEST_EXPECT_MSG_EQ(migration.migrations, 0, "no budget");
    }
    bench.SetQueues({2, 0, 2, 2});
    bench.RunTo(SECOND);
    bench.ipv4->SetUp(2);
    for (uint32_t flow = 1000; flow < 1010; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.GetPort(flow), 2, "the lightest port is used again");
    }
}

/// Let flow sets migrate. Returns the ports of all packets.
std::vector<uint32_t>
Migrate(int64_t stream)
{
    FlowSetBench bench;
    bench.selector->AssignStreams(stream);
    std::vector<uint32_t> ports;
    for (uint32_t i = 1; i <= 20; ++i)
    {
        bench.SetQueues({i % 3, 2 * i % 5, 3 * i % 4, i % 2});
        bench.RunTo(FIRST * static_cast<int64_t>(i));
        for (uint32_t flow = 0; flow < 100; ++flow)
        {
            ports.push_back(bench.GetPort(flow));
        }
    }
    return ports;
}

// Runs repeat.
AIDC_TEST_CASE("5.2.2 step 1: the same streams give the same migrations, others give others")
{
    const auto first = Migrate(3);
    AIDC_EXPECT(Migrate(3) == first, "the same stream");
    AIDC_EXPECT(!(Migrate(4) == first), "another stream");
}

/// Send a packet, and let 30 s pass. period: how often one more is sent, 0 for never.
int
CountNotes(Time period)
{
    const CapturedStream errors(std::cerr);
    FlowSetBench bench;
    for (Time time = Seconds(1); period.IsStrictlyPositive() && time < Seconds(30); time += period)
    {
        Simulator::Schedule(time, [] {});
    }
    FlowSetBench::RunTo(Seconds(31));
    return errors.CountLinesWith("go on until Simulator::Stop()");
}

// Assessments go on for ever: a simulation in which nothing else is left says so.
AIDC_TEST_CASE("5.1.1: a simulation with nothing left but assessments says so")
{
    NS_TEST_EXPECT_MSG_EQ(CountNotes(Seconds(0)), 1, "once");
    NS_TEST_EXPECT_MSG_EQ(CountNotes(Seconds(0)), 1, "once more in another simulation");
    NS_TEST_EXPECT_MSG_EQ(CountNotes(Seconds(9)), 0, "other events");
}
