// SPDX-License-Identifier: GPL-2.0-only

#include "test/simulator/simulator-scripts.h"
#include "test/test-case.h"
#include "test/workload/fake-message-endpoint.h"

#include "ns3/rank-application-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/training-step-planner.h"
#include "ns3/workload-leap.h"

// Leaps over what repeats, over links of a rate and a latency: executed and leapt, all must have
// the same times.

namespace
{

// Leaps of workloads.
AIDC_TEST_SUITE("aidc-workload-leap", UNIT);

/// What a run has done.
struct Outcome
{
    std::vector<std::vector<RankOperationTimes>> times; //!< by rank
    LeapSummary leapt;                                  //!< what was leapt
    Time networkEnd;                                    //!< when the network's clock stopped
    Time end;                                           //!< when the last rank was done

    /// Print the times.
    void Print(std::ostream& os) const
    {
        for (const auto& rank : times)
        {
            for (const auto& one : rank)
            {
                os << one.start.GetNanoSeconds() << "-" << one.end.GetNanoSeconds()
                   << (one.isLeapt ? "* " : " ");
            }
            os << "\n";
        }
    }
};

/// Execute a plan over links of 1 byte/ns and 400 ns or more. settings: how it leaps; null to
/// execute all.
Outcome
Execute(const WorkloadPlan& plan,
        const LeapSettings* settings,
        const std::function<void(WorkloadLeap&)>& prepare = nullptr)
{
    RankApplicationHelper helper(plan);
    const NodeContainer nodes = MakeRow(plan.GetNRanks(), NanoSeconds(400));
    const auto applications =
        helper.Install(nodes, FakeMessageEndpoint::Make(nodes, 1, NanoSeconds(1000)));
    Ptr<WorkloadLeap> leap;
    if (settings)
    {
        leap = Create<WorkloadLeap>(helper.GetPlan(), *settings, nullptr);
        leap->Attach(applications);
        if (prepare)
        {
            prepare(*leap);
        }
    }
    helper.StopWhenDone();
    RunFor(Seconds(10));
    Outcome outcome;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        const auto application = DynamicCast<RankApplication>(applications.Get(rank));
        outcome.times.push_back(application->GetTimes());
        outcome.end = std::max(outcome.end, application->GetState().record.finish);
    }
    outcome.networkEnd = Simulator::Now();
    if (leap)
    {
        outcome.leapt = leap->GetSummary();
    }
    return outcome;
}

/// The times of a run that leaps.
std::string
ExecuteIn(Simulation simulation, const WorkloadPlan& plan)
{
    return RunWith(simulation, [&plan](std::ostream& log) {
        const LeapSettings settings;
        Execute(plan, &settings).Print(log);
    });
}

/// Ranks that compute and reduce in turn.
WorkloadPlan
MakeRings(uint32_t nRanks, uint32_t nRings, uint64_t bytes)
{
    TrainingStep step;
    step.dp = nRanks;
    step.nLayers = nRings;
    step.forwardNs = 7000;
    step.backwardNs = 23000;
    step.data.bytes = bytes;
    WorkloadPlan plan(nRanks);
    AddTrainingStep(plan, step);
    return plan;
}

/// A pipeline with messages, tensors and gradients.
WorkloadPlan
MakePipeline(uint32_t nSteps)
{
    TrainingStep step;
    step.dp = 2;
    step.tp = 2;
    step.pp = 4;
    step.nLayers = 4;
    step.nMicrobatches = 24;
    step.order = PipelineOrder::ONE_FORWARD_ONE_BACKWARD;
    step.forwardNs = 50000;
    step.backwardNs = 100000;
    step.pipelineBytes = 30000;
    step.tensor = {20000, CollectiveAlgorithm::RING, 1};
    step.data = {200000, CollectiveAlgorithm::RING, 1};
    WorkloadPlan plan(16);
    AddTrainingStep(plan, step, nSteps);
    return plan;
}

AIDC_TEST_CASE("rings that repeat have the times of executed ones, and few are executed")
{
    const auto plan = MakeRings(4, 40, 100000);
    const auto all = Execute(plan, nullptr);
    Simulator::Destroy();
    const LeapSettings settings;
    const auto leapt = Execute(plan, &settings);
    Simulator::Destroy();
    AIDC_EXPECT(leapt.leapt.nLeapt >= 34, leapt.leapt.nLeapt << " " << leapt.leapt.reason);
    NS_TEST_EXPECT_MSG_EQ(leapt.leapt.nMistaken, 0, "mistaken");
    NS_TEST_EXPECT_MSG_EQ(leapt.end, all.end, "the end");
    AIDC_EXPECT(leapt.networkEnd * 3 < all.networkEnd, "the network's clock rests");
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        for (std::size_t i = 0; i < all.times[rank].size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(leapt.times[rank][i].start, all.times[rank][i].start, i);
            NS_TEST_EXPECT_MSG_EQ(leapt.times[rank][i].end, all.times[rank][i].end, i);
            AIDC_EXPECT(!all.times[rank][i].isLeapt, i);
        }
    }
}

AIDC_TEST_CASE("pipelines end when executed ones do, in each simulator")
{
    const auto plan = MakePipeline(3);
    const auto all = Execute(plan, nullptr);
    Simulator::Destroy();
    const LeapSettings settings;
    const auto leapt = Execute(plan, &settings);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ_TOL(leapt.end.GetSeconds() / all.end.GetSeconds(), 1, 0.01, "the end");
    AIDC_EXPECT(leapt.leapt.nLeapt > 300, leapt.leapt.nLeapt);
    const auto inWindows = ExecuteIn(Simulation::WINDOWS, plan);
    AIDC_EXPECT(inWindows.find('*') != std::string::npos, "some were leapt");
    NS_TEST_EXPECT_MSG_EQ(inWindows, ExecuteIn(Simulation::DEFAULT, plan), "times");
}

AIDC_TEST_CASE("leaps end before what is scheduled")
{
    const auto plan = MakeRings(4, 60, 100000);
    const LeapSettings settings;
    Time seen;
    const auto leapt = Execute(plan, &settings, [&seen](WorkloadLeap& leap) {
        leap.Schedule(MilliSeconds(5), [&seen, &leap] { seen = leap.GetTime(); });
    });
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(seen, MilliSeconds(5), "when it happened");
    for (const auto& rank : leapt.times)
    {
        for (const auto& one : rank)
        {
            const bool isAround = one.start <= seen && one.end >= seen;
            AIDC_EXPECT(!isAround || !one.isLeapt, one.start);
            const bool isNext = one.start > seen && one.start < seen + MicroSeconds(400);
            AIDC_EXPECT(!isNext || !one.isLeapt, "what was known is forgotten");
        }
    }
    AIDC_EXPECT(leapt.leapt.nLeapt > 40, leapt.leapt.nLeapt);
}

AIDC_TEST_CASE("jobs that may touch are executed, and the reason is told")
{
    auto plan = MakeRings(4, 20, 100000);
    plan.Append(MakeRings(4, 20, 110000));
    const LeapSettings settings;
    const auto leapt = Execute(plan, &settings);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(leapt.leapt.nLeapt, 0, "leapt");
    AIDC_EXPECT(leapt.leapt.reason.find("another job") != std::string::npos, leapt.leapt.reason);
}

AIDC_TEST_CASE("a tenth is executed to check the others")
{
    const auto plan = MakeRings(4, 200, 100000);
    LeapSettings settings;
    settings.isChecked = true;
    const auto checked = Execute(plan, &settings);
    Simulator::Destroy();
    AIDC_EXPECT(checked.leapt.nChecked > 5 && checked.leapt.nChecked < 50, checked.leapt.nChecked);
    NS_TEST_EXPECT_MSG_EQ_TOL(checked.leapt.checkWorst, 0, 1e-4, "the same durations");
    settings.seed = 2;
    const auto other = Execute(plan, &settings);
    Simulator::Destroy();
    AIDC_EXPECT(other.leapt.nChecked != checked.leapt.nChecked ||
                    other.times[0][100].isLeapt != checked.times[0][100].isLeapt,
                "another seed has other checks");
}

AIDC_TEST_CASE("other traffic ends leaps")
{
    const auto plan = MakeRings(4, 40, 100000);
    const LeapSettings settings;
    const auto leapt =
        Execute(plan, &settings, [](WorkloadLeap& leap) { leap.SetBusy([] { return true; }); });
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(leapt.leapt.nLeapt, 0, "leapt");
    const auto all = Execute(plan, nullptr);
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(leapt.end, all.end, "the end");
}

/// What a run over RoCEv2 has done.
struct RoceOutcome
{
    Time end;               //!< when the last rank was done
    std::vector<Time> ends; //!< when each was
    uint64_t packets{0};    //!< that were sent
    uint64_t pace{0};       //!< of all congestion controls in the end
};

/// Execute a plan on eight hosts of two leaves over RoCEv2. control: the congestion control; leaps:
/// whether they leap; fails: whether a link between switches fails.
RoceOutcome
ExecuteOverRoce(const WorkloadPlan& plan, const std::string& control, bool leaps, bool fails)
{
    FabricHelper network;
    network.SetMtu(4200);
    network.Build(MakeLeafSpine({2, 2, 4}));
    SharedBufferSwitchHelper().Install(network.GetSwitches());
    network.AssignAddresses();
    network.AssignStreams(1);
    RoceHelper roce;
    roce.SetCongestionControl(control);
    roce.Install(network.GetHosts());
    RankApplicationHelper ranks(plan);
    const auto endpoints = RoceRankHelper::Connect(plan, network.GetHosts());
    const auto applications = ranks.Install(network.GetHosts(), endpoints);
    const auto fail = [&network] {
        const FabricPlan& fabric = network.GetFabric();
        const auto& ports = fabric.GetPorts(fabric.GetLeaves()[0]);
        PortIndex port;
        while (fabric.IsHost(ports[port].peer))
        {
            ++port;
        }
        network.FailLink(ports[port].link);
    };
    const Time failure = MilliSeconds(2);
    if (leaps)
    {
        FabricPlaces places(network.GetFabric(), network.GetFabric().GetHosts());
        auto leap = Create<WorkloadLeap>(ranks.GetPlan(), LeapSettings(), &places);
        leap->Attach(applications);
        if (fails)
        {
            leap->Schedule(failure, fail);
        }
    }
    else if (fails)
    {
        Simulator::Schedule(failure, fail);
    }
    ranks.StopWhenDone();
    RunFor(Seconds(1));
    RoceOutcome outcome;
    for (const auto& record : ranks.GetRankRecords())
    {
        outcome.end = std::max(outcome.end, record.finish);
        outcome.ends.push_back(record.finish);
    }
    outcome.packets = network.GetPacketCounts().sent;
    for (const auto& endpoint : endpoints)
    {
        for (uint32_t peer = 0; peer < 8; ++peer)
        {
            outcome.pace += endpoint->GetPace(peer);
        }
    }
    Simulator::Destroy();
    return outcome;
}

AIDC_TEST_CASE("rings over RoCEv2 end when executed ones do, also around a failure")
{
    const auto plan = MakeRings(8, 40, 250000);
    for (const bool fails : {false, true})
    {
        const auto all = ExecuteOverRoce(plan, "ns3::aidc::DcqcnControl", false, fails);
        const auto leapt = ExecuteOverRoce(plan, "ns3::aidc::DcqcnControl", true, fails);
        AIDC_EXPECT(all.end > MilliSeconds(3), all.end); // the failure is in the midst of it
        NS_TEST_EXPECT_MSG_EQ_TOL(leapt.end.GetSeconds() / all.end.GetSeconds(), 1, 0.01, fails);
        AIDC_EXPECT(leapt.packets * 2 < all.packets, leapt.packets << " of " << all.packets);
    }
}

AIDC_TEST_CASE("windows that other collectives may need grow as if all were executed")
{
    // All-to-alls take the same time each, which their windows do not limit; gradients come after
    TrainingStep step;
    step.dp = 8;
    step.ep = 8;
    step.nLayers = 16;
    step.forwardNs = 20000;
    step.backwardNs = 40000;
    step.expert.bytes = 400000;
    step.data.bytes = 100000;
    step.overlaps = false;
    WorkloadPlan plan(8);
    AddTrainingStep(plan, step);
    const auto all = ExecuteOverRoce(plan, "ns3::aidc::SwiftControl", false, false);
    const auto leapt = ExecuteOverRoce(plan, "ns3::aidc::SwiftControl", true, false);
    const double ratio = static_cast<double>(leapt.pace) / static_cast<double>(all.pace);
    NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.01, "windows in the end");
    NS_TEST_EXPECT_MSG_EQ_TOL(leapt.end.GetSeconds() / all.end.GetSeconds(), 1, 0.01, "the end");
}

AIDC_TEST_CASE("long messages leap inside, and end when executed ones do")
{
    // From each host of a leaf to one of the other leaf, over two uplinks, for 10 or 20 ms
    // alone; a computation ends meanwhile
    for (const std::string control : {"ns3::aidc::SwiftControl", "ns3::aidc::DcqcnControl"})
    {
        WorkloadPlan plan(8);
        const uint32_t item = plan.AddItem("m");
        std::vector<uint32_t> ranks(8);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            plan.AddMessage(item, rank, rank + 4, 120000000 * (rank / 2 + 1), 1, {}, {});
            ranks[rank] = rank;
            ranks[rank + 4] = rank + 4;
        }
        // So that they are one job
        const CollectiveSchedule ring(CollectiveKind::ALL_REDUCE, CollectiveAlgorithm::RING, 8, 8);
        plan.AddCollective("c",
                           ring,
                           std::make_shared<const std::vector<uint32_t>>(ranks),
                           std::vector<std::vector<uint32_t>>(8, {0}));
        plan.GetProgram(7).AddCompute(3000000, {}, item);
        plan.Check();
        const auto all = ExecuteOverRoce(plan, control, false, false);
        const auto leapt = ExecuteOverRoce(plan, control, true, false);
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const double ratio = leapt.ends[rank].GetSeconds() / all.ends[rank].GetSeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.01, control << " " << rank);
        }
        AIDC_EXPECT(leapt.packets < 0.8 * all.packets, leapt.packets << " of " << all.packets);
    }
}

} // namespace
