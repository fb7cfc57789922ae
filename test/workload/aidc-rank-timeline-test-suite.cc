// SPDX-License-Identifier: GPL-2.0-only

#include "fake-message-endpoint.h"
#include "model/core/workload/json-value.h"
#include "test/simulator/simulator-scripts.h"
#include "test/test-case.h"
#include "test/transport/roce-network.h"

#include "ns3/rank-application-helper.h"
#include "ns3/rank-timeline.h"
#include "ns3/roce-helper.h"

// Tests of timelines of ranks.

AIDC_TEST_SUITE("aidc-rank-timeline", SYSTEM);

/// The causes of waits.
const std::vector<std::string> CAUSES{"pause", "rate", "window", "retransmission"};

// The file of two ranks, over links of 1 byte/ns and 1000 ns. Rank 0 computes 500 ns. Its message
// of 100 bytes arrives at 1100 ns and is acknowledged at 2100 ns; the message of 2000 bytes, sent
// at 500 ns, arrives at 3500 ns, before rank 1 waits for it at 5000 ns, when it has computed.
AIDC_TEST_CASE("RankTimeline: the file of two ranks, in both simulators")
{
    const WorkloadPlan plan = MakeTwoRankPlan();
    const std::string path = CreateTempDirFilename("timeline.json");
    const auto run = [this, &plan, &path](std::ostream& log) {
        const NodeContainer nodes = MakeRow(2, NanoSeconds(400));
        RankApplicationHelper helper(plan);
        helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
        helper.StopWhenDone();
        RankTimeline timeline(helper);
        At(1, 3000, [&timeline] { timeline.NotifyInstant("a \"quoted\" thing"); });
        Simulator::Run();
        timeline.Stop();
        timeline.AddNote("about", "two ranks");
        timeline.Write(path);
        log << ReadFile(path);
        const auto sums = timeline.GetSums();
        NS_TEST_EXPECT_MSG_EQ(sums[0].exposed, 4000, "from 500 to 4500 ns");
        NS_TEST_EXPECT_MSG_EQ(sums[1].receives, 1100, "the second one was there");
        NS_TEST_EXPECT_MSG_EQ(MessageOf([&] { timeline.Write("/nowhere/timeline.json"); }),
                              "cannot write /nowhere/timeline.json: No such file or directory",
                              "a folder that is not there");
    };
    const std::string expected =
        R"({"displayTimeUnit":"ns","otherData":{"slowest_rank":"1",)"
        R"("slowest_rank_computation":"5.010 us","slowest_rank_exposed":"0.000 us",)"
        R"("slowest_rank_finish":"5.010 us","about":"two ranks"},
"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"rank 0"}},
{"ph":"M","name":"process_sort_index","pid":1,"tid":0,"args":{"sort_index":1}},
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"computation"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":1}},
{"ph":"X","name":"x","pid":1,"tid":1,"cat":"computation","ts":0.000,"dur":0.500},
{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"sends"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":2,"args":{"sort_index":2}},
{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"sends 2"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":3}},
{"ph":"X","name":"x","pid":1,"tid":2,"cat":"send","ts":0.000,"dur":2.100,"args":{"to":1,"bytes":100,"tag":1}},
{"ph":"s","name":"message","pid":1,"tid":2,"cat":"message","id":1,"ts":0.000},
{"ph":"X","name":"x","pid":1,"tid":3,"cat":"send","ts":0.500,"dur":4.000,"args":{"to":1,"bytes":2000,"tag":2}},
{"ph":"s","name":"message","pid":1,"tid":3,"cat":"message","id":2,"ts":0.500},
{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"rank 1"}},
{"ph":"M","name":"process_sort_index","pid":2,"tid":0,"args":{"sort_index":2}},
{"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"computation"}},
{"ph":"M","name":"thread_sort_index","pid":2,"tid":1,"args":{"sort_index":1}},
{"ph":"X","name":"x","pid":2,"tid":1,"cat":"computation","ts":0.000,"dur":5.000},
{"ph":"X","name":"x","pid":2,"tid":1,"cat":"computation","ts":5.000,"dur":0.010},
{"ph":"M","name":"thread_name","pid":2,"tid":2,"args":{"name":"receives"}},
{"ph":"M","name":"thread_sort_index","pid":2,"tid":2,"args":{"sort_index":2}},
{"ph":"X","name":"x","pid":2,"tid":2,"cat":"receive","ts":0.000,"dur":1.100,"args":{"from":0,"bytes":100,"tag":1}},
{"ph":"f","name":"message","pid":2,"tid":2,"bp":"e","cat":"message","id":1,"ts":1.099},
{"ph":"X","name":"x","pid":2,"tid":2,"cat":"receive","ts":5.000,"dur":0.000,"args":{"from":0,"bytes":2000,"tag":2}},
{"ph":"f","name":"message","pid":2,"tid":2,"bp":"e","cat":"message","id":2,"ts":5.000},
{"ph":"i","name":"a \"quoted\" thing","pid":1,"tid":0,"s":"g","ts":3.000}
]}
)";
    NS_TEST_EXPECT_MSG_EQ(RunWith(Simulation::DEFAULT, run), expected, "ns-3's simulator");
    NS_TEST_EXPECT_MSG_EQ(RunWith(Simulation::WINDOWS, run), expected, "time windows");
}

/// Three ranks that send to a fourth one at once: what they wait for, and the busiest link.
class WaitsTestCase : public TestCase
{
  protected:
    using TestCase::TestCase;

    void Check(const std::string& control, bool isLossless)
    {
        constexpr uint32_t N = 4;
        WorkloadPlan plan(N);
        const uint32_t item = plan.AddItem("gather");
        for (uint32_t rank = 1; rank < N; ++rank)
        {
            plan.AddMessage(item, rank, 0, 2000000, 1, {}, {});
        }
        RoceNetwork network(N);
        network.roce.SetCongestionControl("ns3::aidc::" + control);
        network.isLossless = isLossless;
        network.Start();
        RankApplicationHelper helper(plan);
        const auto hosts = network.network.GetHosts();
        helper.Install(hosts,
                       RoceRankHelper::Connect(helper.GetPlan(), hosts, RocePath(MicroSeconds(5))));
        helper.StopWhenDone();
        RankTimeline timeline(helper);
        timeline.WatchWaits(hosts, NanoSeconds(500)); // doubled until 200 intervals are enough
        RunFor(Seconds(1));
        timeline.Stop();
        AIDC_ASSERT(helper.IsDone(), "done");
        const std::string path = CreateTempDirFilename("waits.json");
        timeline.Write(path);
        std::map<std::string, double> sums;
        std::set<double> times;
        const JsonValue json = ParseJsonText(ReadFile(path));
        for (const auto& event : json.Find("traceEvents")->items)
        {
            if (event.Find("ph")->text == "C")
            {
                times.insert(std::stod(event.Find("ts")->text));
                for (const auto& cause : CAUSES)
                {
                    sums[cause] += std::stod(event.Find("args")->Find(cause)->text);
                }
            }
        }
        NS_TEST_EXPECT_MSG_LT(times.size(), 202, "the begins of 200 intervals, and the last end");
        NS_TEST_EXPECT_MSG_GT(times.size(), 10, "some of them");
        RoceWaitTimes waits;
        for (uint32_t i = 0; i < N; ++i)
        {
            const auto nic = hosts.Get(i)->GetObject<RoceNic>();
            for (uint32_t qp = 0; qp < nic->GetNQueuePairs(); ++qp)
            {
                const auto own = nic->GetQueuePair(RoceNic::FIRST_QP + qp).GetWaitTimes();
                waits.pause += own.pause;
                waits.rate += own.rate;
                waits.window += own.window;
                waits.retransmission += own.retransmission;
            }
        }
        const double all = waits.pause + waits.rate + waits.window + waits.retransmission;
        NS_TEST_EXPECT_MSG_GT(all, 0, control << ": something has waited");
        // The waits of a rank are rounded to ns
        NS_TEST_EXPECT_MSG_EQ_TOL(1000 * sums["pause"], waits.pause, 4, "pause");
        NS_TEST_EXPECT_MSG_EQ_TOL(1000 * sums["rate"], waits.rate, 4, "rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(1000 * sums["window"], waits.window, 4, "window");
        NS_TEST_EXPECT_MSG_EQ_TOL(1000 * sums["retransmission"],
                                  waits.retransmission,
                                  4,
                                  "retransmission");
        // Only the link of host 0 carries all three messages
        const BusiestPort busiest = FindBusiestPort(network.network);
        NS_TEST_EXPECT_MSG_EQ(busiest.name, "leaf-0:host-0", "the busiest link");
        NS_TEST_EXPECT_MSG_GT(busiest.load, 0.5, "its load");
        NS_TEST_EXPECT_MSG_LT(busiest.load, 1.0, "its load");
    }
};

AIDC_TEST_CASE_F(WaitsTestCase, "RankTimeline: counters add up to what queue pairs have waited")
{
    Check("FixedWindowControl", false);
    Check("SwiftControl", true);
}

// A link that fails, and messages that cannot be sent then, are instants.
AIDC_TEST_CASE("RankTimeline: failures are instants")
{
    constexpr uint32_t N = 3;
    WorkloadPlan plan(N);
    plan.AddCollective(
        "sum",
        {CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, N, 8000000},
        std::make_shared<const std::vector<uint32_t>>(std::vector<uint32_t>{0, 1, 2}),
        std::vector<std::vector<uint32_t>>(N));
    RoceNetwork network(N);
    network.Start();
    RankApplicationHelper helper(plan);
    const auto hosts = network.network.GetHosts();
    helper.Install(hosts, RoceRankHelper::Connect(helper.GetPlan(), hosts));
    helper.StopWhenDone([](const std::string&) {});
    RankTimeline timeline(helper);
    timeline.WatchLinks(network.network);
    network.network.ScheduleFailure(LinkIndex(2), MicroSeconds(300), Seconds(100));
    Simulator::Run();
    timeline.Stop();
    const std::string path = CreateTempDirFilename("failures.json");
    timeline.Write(path);
    std::map<std::string, double> instants;
    uint32_t nUnfinished = 0;
    const JsonValue json = ParseJsonText(ReadFile(path));
    for (const auto& event : json.Find("traceEvents")->items)
    {
        if (event.Find("ph")->text == "i")
        {
            instants[event.Find("s")->text + " " + event.Find("name")->text] =
                std::stod(event.Find("ts")->text);
        }
        const auto* arguments = event.Find("args");
        nUnfinished += arguments && arguments->Find("state") ? 1 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(nUnfinished, N, "no rank has ended its collective");
    uint32_t nFailed = 0;
    for (const auto& record : helper.GetRankRecords())
    {
        if (record.failure.empty())
        {
            NS_TEST_EXPECT_MSG_EQ(record.failureTime, Time(0), "no failure");
            continue;
        }
        ++nFailed;
        NS_TEST_EXPECT_MSG_GT(record.failureTime, MicroSeconds(300), "after the link");
        NS_TEST_ASSERT_MSG_EQ(instants.count("p " + record.failure), 1, record.failure);
        NS_TEST_EXPECT_MSG_EQ_TOL(instants.at("p " + record.failure),
                                  1e6 * record.failureTime.GetSeconds(),
                                  1e-3,
                                  "when");
    }
    NS_TEST_EXPECT_MSG_GT(nFailed, 0, "a rank has failed");
    NS_TEST_EXPECT_MSG_EQ(instants.size(), nFailed + 1, "and the link");
    NS_TEST_ASSERT_MSG_EQ(instants.count("g link down: leaf-0:host-2"), 1, "the link");
    NS_TEST_EXPECT_MSG_GT(instants.at("g link down: leaf-0:host-2"), 299.9, "when");
}

AIDC_TEST_CASE("RankTimeline: what does not fit together is refused")
{
    const RankApplicationHelper helper(WorkloadPlan(2));
    ExpectRefusal("expected a host for each of 2 ranks, found 3", [&helper] {
        RankTimeline(helper).WatchWaits(NodeContainer(3), MicroSeconds(1));
    });
    ExpectRefusal("node 0 has no RoceNic", [&helper] {
        RankTimeline(helper).WatchWaits(NodeContainer(2), MicroSeconds(1));
    });
    ExpectRefusal("expected an interval above 0",
                  [&helper] { RankTimeline(helper).WatchWaits(NodeContainer(2), Time(0)); });
}
