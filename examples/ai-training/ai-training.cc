/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup aidc
 *
 * @experiment A training step over RoCEv2, and what each mechanism gains
 *
 * The question: how much sooner does a step of data-parallel training end with flow-set switching,
 * with coupled ECN, with Swift on CSIG's signals, and with all three?
 *
 *             fat-tree, k = 8: 128 hosts, 100 Gb/s
 *      core   core   core   core ...
 *        spine  spine    spine  spine ...
 *       leaf   leaf     leaf   leaf ...
 *       R S R S  R S R S  R S R S ...      R: a rank, S: a storage host
 *
 * Every second host of the fat-tree is a rank; the ranks are shuffled, as a scheduler of jobs
 * leaves them. They compute and reduce the gradients of the layers by ring all-reduce. The other
 * hosts are storage: at random times, several of them send to one rank's host at once. All of it is
 * RoCEv2 in a lossless class.
 *
 * Schemes: baseline has ECMP by hash, static ECN marking and DCQCN. The next three exchange one
 * mechanism each: flow-set has congestion-aware flow-set switching, coupled-ecn the marking
 * threshold that is coupled to the dynamic buffer threshold, swift-csig Swift on max(PD) from CSIG
 * with jump start; all has all three.
 *
 * Scenarios: quiet has no storage traffic; storage has it.
 *
 * No draft has this experiment: it puts three of them together. It prints a row a scheme and
 * scenario: the time of the step, the gain over the baseline, the communication that computation
 * does not hide, the bus bandwidth of the all-reduces, what ranks have waited for, pauses and
 * marks, and slowdowns of storage flows. doc/ai-training.rst says what comes out and why.
 */

#include "ai-training.h"

#include "ns3/boolean.h"
#include "ns3/busiest-port.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/double.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-timeline.h"
#include "ns3/fabric-recorder.h"
#include "ns3/ideal-execution.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/pause-monitor.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-application-helper.h"
#include "ns3/rank-gather.h"
#include "ns3/rank-timeline.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-rank-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-step-planner.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::aidc
{

namespace
{

constexpr uint64_t RATE = 100000000000; //!< rate of links, bit/s
constexpr int64_t DELAY = 1000;         //!< delay of links, ns
constexpr uint16_t MTU = 4200;          //!< room for a path MTU of 4096
constexpr uint32_t PRIORITY = 3;        //!< the lossless class, where RoceNic's DSCP goes

/// Links of the longest way of a fat-tree.
constexpr int64_t MAX_LINKS = 6;

/// How long a step may take at least.
const Time MIN_LIMIT = Seconds(1);

/// How many times as long as alone a step may take.
constexpr int64_t MAX_SLOWDOWN = 20;

/// @param hosts the hosts
/// @param uniform the random variable
void
Shuffle(std::vector<NodeIndex>& hosts, UniformRandomVariable& uniform)
{
    for (std::size_t i = hosts.size(); i > 1; --i)
    {
        std::swap(hosts[i - 1], hosts[uniform.GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
}

/// @param scheme the scheme
/// @param mechanism the mechanism
/// @return whether it has
bool
Has(const std::string& scheme, const std::string& mechanism)
{
    return scheme == mechanism || scheme == "all";
}

/// What a queue pair of a rank has waited for.
struct PairWaits
{
    uint32_t rank;       //!< the rank
    RoceWaitTimes times; //!< the times
};

/// @param ranks the hosts of the ranks
/// @return what the queue pairs of all ranks have waited for
RoceWaitTimes
GetWaits(const NodeContainer& ranks)
{
    std::vector<PairWaits> pairs;
    for (uint32_t rank = 0; rank < ranks.GetN(); ++rank)
    {
        if (!RoceHelper::IsLocal(ranks.Get(rank)))
        {
            continue;
        }
        const auto nic = RoceHelper::GetNic(ranks.Get(rank));
        for (uint32_t i = 0; i < nic->GetNQueuePairs(); ++i)
        {
            pairs.push_back({rank, nic->GetWaitTimes(RoceNic::FIRST_QP + i)});
        }
    }
    pairs = GatherItems(pairs);
    // Whichever process has simulated them, the last digits of a sum are the same.
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
        return a.rank < b.rank;
    });
    RoceWaitTimes sum;
    for (const auto& pair : pairs)
    {
        sum.pause += pair.times.pause;
        sum.rate += pair.times.rate;
        sum.window += pair.times.window;
        sum.retransmission += pair.times.retransmission;
    }
    return sum;
}

/// Add what adapters and ports have counted.
/// @param network the network
/// @param ranks the hosts of the ranks
/// @param pauses what has watched the ports' pauses
/// @param outcome where the metrics go
void
AddCounts(const FabricHelper& network,
          const NodeContainer& ranks,
          const PauseMonitor& pauses,
          ExperimentOutcome& outcome)
{
    RoceNicStatistics sum;
    const auto hosts = network.GetHosts();
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto& counted = RoceHelper::GetNic(hosts.Get(i))->GetStatistics();
        sum.sentCnps += counted.sentCnps;
        sum.retransmittedPackets += counted.retransmittedPackets;
    }
    const RoceWaitTimes waits = GetWaits(ranks);
    const auto counts = network.GetPacketCounts();
    outcome.Add("dropped_packets", static_cast<double>(counts.dropped), "packet");
    outcome.Add("marked_packets", static_cast<double>(counts.marked), "packet");
    outcome.Add("packet_hops", static_cast<double>(counts.sent), "packet");
    const auto retransmitted = static_cast<double>(SumOverRanks(sum.retransmittedPackets));
    outcome.Add("retransmitted_packets", retransmitted, "packet");
    outcome.Add("cnps", static_cast<double>(SumOverRanks(sum.sentCnps)), "packet");
    outcome.Add("pauses", static_cast<double>(pauses.GetPauses()), "1");
    outcome.Add("paused_time", pauses.GetPausedTime().GetSeconds(), "s");
    // What the queue pairs of a rank have waited for, on average over the ranks.
    const double perRank = 1e-9 / ranks.GetN();
    outcome.Add("wait_pause", waits.pause * perRank, "s");
    outcome.Add("wait_rate", waits.rate * perRank, "s");
    outcome.Add("wait_window", waits.window * perRank, "s");
    outcome.Add("wait_retransmission", waits.retransmission * perRank, "s");
}

} // namespace

AiTrainingExperiment::Job
AiTrainingExperiment::MakeJob(uint32_t nRanks, Time duration) const
{
    Job job{MakeFatTree(m_k, RATE, DELAY), {}, {}};
    std::vector<NodeIndex> storage;
    const auto& hosts = job.fabric.GetHosts();
    for (std::size_t i = 0; i < hosts.size(); ++i)
    {
        (i % 2 == 0 ? job.ranks : storage).push_back(hosts[i]);
    }
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    const std::vector<NodeIndex> places = job.ranks;
    Shuffle(job.ranks, *uniform);
    job.ranks = m_placement.Place(places, job.ranks);
    job.ranks.resize(nRanks);
    auto gap = CreateObject<ExponentialRandomVariable>();
    gap->SetStream(2);
    gap->SetAttribute("Mean", DoubleValue(m_storageInterval.GetSeconds()));
    for (double time = gap->GetValue(); time < duration.GetSeconds(); time += gap->GetValue())
    {
        FlowSpec flow;
        flow.destination = job.ranks[uniform->GetInteger(0, nRanks - 1)];
        flow.bytes = m_storageBytes;
        flow.start = Seconds(time);
        Shuffle(storage, *uniform);
        for (uint32_t i = 0; i < m_storageSenders; ++i)
        {
            flow.source = storage[i];
            job.storage.push_back(flow);
        }
    }
    return job;
}

void
AiTrainingExperiment::Install(FabricHelper& network,
                              const FabricPlan& fabric,
                              const std::string& scheme) const
{
    network.SetMtu(GetUserDefaultOr("ns3::aidc::EthernetNetDevice::Mtu", MTU));
    if (Has(scheme, "flow-set"))
    {
        MultipathRoutingHelper routing("ns3::aidc::FlowSetEcmpRouting");
        routing.SetSelector("ns3::aidc::FlowSetSelector");
        network.SetSwitchRouting(routing);
    }
    network.Build(fabric);
    auto switches = Has(scheme, "coupled-ecn") ? m_switch.MakeCoupled() : m_switch.MakeStatic();
    switches.SetNClasses(8);
    if (!Has(scheme, "coupled-ecn"))
    {
        // From 400 kB to 1.6 MB, as DCQCN is configured at 100 Gb/s.
        switches.SetQueueDiscAttribute(SharedBufferSwitchHelper::ALL_CLASSES,
                                       "Mode",
                                       StringValue("StaticRed"));
    }
    const auto queueDiscs = switches.Install(network.GetSwitches());
    PriorityFlowControlHelper pfc;
    pfc.SetPriorities({PRIORITY});
    pfc.InstallSwitches(network.GetSwitches());
    pfc.InstallHosts(network.GetHosts());
    network.AssignAddresses();
    int64_t stream = 100;
    stream += network.AssignStreams(stream);
    SharedBufferSwitchHelper::AssignStreams(queueDiscs, stream);

    RoceHelper roce;
    if (Has(scheme, "swift-csig"))
    {
        roce.SetCongestionControl("ns3::aidc::SwiftControl",
                                  "GoverningDelay",
                                  StringValue("HopDelay"),
                                  "JumpStart",
                                  StringValue("true"));
    }
    else
    {
        roce.SetCongestionControl("ns3::aidc::DcqcnControl");
    }
    roce.Install(network.GetHosts());
    if (Has(scheme, "swift-csig"))
    {
        CsigHelper csig;
        if (!HasUserDefault("ns3::aidc::CsigPort::Trusted"))
        {
            csig.SetPortAttribute("Trusted", BooleanValue(true));
        }
        csig.SetNicAttribute("Signals", StringValue("max(PD),min(ABW)"));
        csig.Install(network);
    }
}

ExperimentOutcome
AiTrainingExperiment::MakeRun(const ExperimentRun& run) const
{
    WorkloadPlan step = MakeStep();
    m_slowRank.SlowDown(step);
    RankApplicationHelper training(std::move(step));
    const WorkloadPlan& plan = training.GetPlan();
    const Time alone =
        Seconds(GetIdealSeconds(plan, static_cast<double>(RATE), 1e-9 * MAX_LINKS * DELAY));
    const Time limit = std::max(MIN_LIMIT, MAX_SLOWDOWN * alone);
    const Job job = MakeJob(plan.GetNRanks(), run.scenario == "storage" ? 3 * alone / 2 : Time());
    run.Announce(job.storage.size());
    FabricHelper network;
    GetOptions().Configure(network);
    Install(network, job.fabric, run.scheme);

    NodeContainer ranks;
    for (const NodeIndex host : job.ranks)
    {
        ranks.Add(network.GetNode(host));
    }
    // The longest way of a fat-tree.
    const RocePath path = RoceFlowHelper::GetPath(
        network.GetPath(job.fabric.GetHosts().front(), job.fabric.GetHosts().back()),
        4096,
        network.GetFrameOverhead());
    training.Install(ranks, RoceRankHelper::Connect(plan, ranks, path));
    std::string stuck;
    training.StopWhenDone([&stuck](const std::string& why) { stuck = why; });
    RoceFlowHelper storage;
    storage.SetSharedQueuePairs(true);
    storage.Install(network, job.storage);

    PauseMonitor pauses(PRIORITY);
    pauses.Add(network.GetSwitches());
    pauses.Add(network.GetHosts());
    FabricRecorder recorder(MicroSeconds(10));
    recorder.Add(network);
    run.Start(recorder);
    RankTimeline timeline(training);
    if (run.isFirst)
    {
        timeline.WatchWaits(ranks, MicroSeconds(10));
    }
    run.Follow(limit, [&training] { return training.GetShareDone(); });
    Simulator::Stop(limit);
    Simulator::Run();
    if (!training.IsDone())
    {
        run.GiveUp(stuck.empty() ? training.DescribeUnfinished() : stuck);
    }

    const BusiestPort busiest = FindBusiestPort(network);
    timeline.AddNote("busiest_link", busiest.name);
    timeline.AddNote("busiest_link_load", std::to_string(busiest.load));
    run.Write(recorder);
    run.Write(timeline);

    ExperimentOutcome outcome;
    Time finish;
    for (const auto& record : training.GetRankRecords())
    {
        finish = std::max(finish, record.finish);
    }
    const double time = finish.GetSeconds();
    double bandwidth = 0;
    const auto collectives = training.GetCollectiveRecords();
    for (const auto& record : collectives)
    {
        bandwidth += 8 * record.bandwidth.bus;
    }
    outcome.Add("completion_time", time, "s");
    outcome.Add("bus_bandwidth",
                !collectives.empty() ? bandwidth / static_cast<double>(collectives.size())
                                     : std::nan(""),
                "bit/s");
    outcome.Add(GetTimelineMetrics(plan, timeline.GetSums()));
    outcome.Add("busiest_link_load", busiest.load, "1");
    storage.Gather();
    outcome.records = storage.GetRecords();
    outcome.Add(GetFctMetrics(outcome.records));
    AddCounts(network, ranks, pauses, outcome);
    Simulator::Destroy();
    return outcome;
}

void
AiTrainingExperiment::AddGains(ExperimentSummary& summary) const
{
    const bool hasBaseline = GetPlan().HasScheme({"baseline"});
    for (const auto& scenario : GetPlan().scenarios)
    {
        for (const auto& scheme : GetPlan().schemes)
        {
            const auto key = scheme + "@" + scenario;
            const auto times = summary.GetValues(key, "completion_time");
            for (std::size_t i = 0; i < times.size(); ++i)
            {
                const double gain = hasBaseline
                                        ? 1 - times[i] / summary.GetValues("baseline@" + scenario,
                                                                           "completion_time")[i]
                                        : std::nan("");
                summary.Add(key, "gain", gain, "1");
            }
        }
    }
}

AiTrainingExperiment::AiTrainingExperiment()
    : ExperimentBase("ai-training",
                     "A step of data-parallel training over RoCEv2 on a fat-tree, with incast "
                     "storage traffic beside it, and what each mechanism gains.",
                     {true, false})
{
    auto& plan = GetPlan();
    plan.question = "How much sooner does a step of data-parallel training end with flow-set "
                    "switching, coupled ECN, Swift on CSIG's signals, and all three?";
    plan.figures = "ai-training/ai-training.gp";
    plan.scenarios = {"quiet", "storage"};
    plan.schemes = {"baseline", "flow-set", "coupled-ecn", "swift-csig", "all"};
    plan.totals = {"completion_time",
                   "gain",
                   "exposed_communication",
                   "bus_bandwidth",
                   "wait_pause",
                   "wait_rate",
                   "wait_window",
                   "fct_slowdown_p50",
                   "fct_slowdown_p99",
                   "pauses",
                   "marked_packets",
                   "retransmitted_packets"};
    plan.columns = plan.totals;
    plan.conclude = [this](ExperimentSummary& summary) { AddGains(summary); };

    auto& parameters = GetParameters();
    parameters.AddNames("scenarios",
                        "scenarios to run: " + JoinWords(plan.scenarios, ", "),
                        plan.scenarios,
                        plan.scenarios);
    parameters
        .AddNames("schemes",
                  "schemes to run: " + JoinWords(plan.schemes, ", "),
                  plan.schemes,
                  plan.schemes)
        .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode",
               "ns3::aidc::CoupledEcnQueueDisc::Threshold",
               "ns3::aidc::RoceNic::CongestionControl",
               "ns3::aidc::SwiftControl::GoverningDelay",
               "ns3::aidc::JumpStartControl::JumpStart",
               "ns3::aidc::CsigPathSignals::Signals"});
    const auto isModel = [this] { return !m_workload.IsGiven(); };
    const auto hasStorage = [&plan] { return plan.HasScenario({"storage"}); };
    m_workload.AddTo(parameters, "--layers, --chunks, --layer-bytes and --compute");
    parameters.AddCount("k", "ports of a switch of the fat-tree, even", m_k).InSmall("4");
    m_placement.AddTo(parameters);
    m_slowRank.AddTo(parameters);
    parameters.AddCount("layers", "layers of the model", m_layers)
        .InSmall("2")
        .UseIf(isModel, "no --workload");
    parameters.AddCount("chunks", "chunks of an all-reduce", m_chunks)
        .UseIf(isModel, "no --workload");
    parameters.AddBytes("layer-bytes", "bytes of a layer's gradients", m_layerBytes)
        .InSmall("1MB")
        .UseIf(isModel, "no --workload");
    parameters.AddTime("compute", "computation of a layer, in each direction", m_compute, true)
        .UseIf(isModel, "no --workload");
    parameters
        .AddBytes("storage-bytes", "bytes that each sender of an incast sends", m_storageBytes)
        .InSmall("200kB")
        .UseIf(hasStorage, "--scenarios=storage");
    parameters.AddCount("storage-senders", "senders of an incast", m_storageSenders)
        .InSmall("4")
        .UseIf(hasStorage, "--scenarios=storage");
    parameters.AddTime("storage-interval", "mean time between incasts", m_storageInterval)
        .UseIf(hasStorage, "--scenarios=storage");
    m_switch.buffer = 32000000;
    m_switch.AddBufferTo(parameters);
}

void
AiTrainingExperiment::Prepare(ExperimentPlan&)
{
    CheckOption(m_k >= 4 && m_k % 2 == 0 && m_k <= 64,
                "--k as an even number from 4 to 64, found " + std::to_string(m_k));
    const uint32_t nHosts = m_k * m_k * m_k / 4;
    CheckOption(m_storageSenders > 0 && m_storageSenders <= nHosts / 2,
                "--storage-senders from 1 to " + std::to_string(nHosts / 2) +
                    ", half of the hosts, found " + std::to_string(m_storageSenders));
    m_workload.Prepare();
    const uint32_t nRanks = m_workload.IsGiven() ? m_workload.GetPlan()->GetNRanks() : nHosts / 2;
    CheckOption(nRanks <= nHosts / 2,
                m_workload.GetName() + " to have at most " + std::to_string(nHosts / 2) +
                    " ranks, half of the hosts of --k=" + std::to_string(m_k) + ", found " +
                    std::to_string(nRanks));
    m_placement.Prepare(nRanks, nHosts / 2);
    m_slowRank.Prepare(nRanks);
}

WorkloadPlan
AiTrainingExperiment::MakeStep() const
{
    if (m_workload.IsGiven())
    {
        return *m_workload.GetPlan();
    }
    TrainingStep step;
    step.dp = m_k * m_k * m_k / 8;
    step.nLayers = m_layers;
    step.forwardNs = static_cast<uint64_t>(m_compute.GetNanoSeconds());
    step.backwardNs = step.forwardNs;
    step.data.bytes = m_layerBytes;
    step.data.nChunks = m_chunks;
    WorkloadPlan plan(step.dp);
    AddTrainingStep(plan, step);
    plan.Check();
    return plan;
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::AiTrainingExperiment().Main(argc, argv);
}
