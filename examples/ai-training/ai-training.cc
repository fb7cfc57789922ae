// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/boolean.h"
#include "ns3/callback.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/double.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-rank-options.h"
#include "ns3/experiment-ranks.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/experiment-workload-options.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/flow-spec-file.h"
#include "ns3/ideal-execution.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/pause-monitor.h"
#include "ns3/priority-flow-control-helper.h"
#include "ns3/process-gather.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-application-helper.h"
#include "ns3/rank-timeline.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/roce-helper.h"
#include "ns3/roce-message-endpoint.h"
#include "ns3/roce-queue-pair.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-step-planner.h"
#include "ns3/user-default.h"
#include "ns3/workload-plan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// @file
/// @experiment A training step over RoCEv2, and what each mechanism gains
///
/// The question: how much faster is a data-parallel training step with flow-set switching,
/// with coupled ECN, with Swift on CSIG's signals, and with all three?
///
///             fat-tree, k = 8: 128 hosts, 100 Gb/s
///      core   core   core   core ...
///        spine  spine    spine  spine ...
///       leaf   leaf     leaf   leaf ...
///       R S R S  R S R S  R S R S ...      R: a rank, S: a storage host
///
/// Every second host of the fat-tree is a rank; the ranks are shuffled, as a scheduler of jobs
/// leaves them. They compute and reduce the gradients of the layers by ring all-reduce. The other
/// hosts are storage: at random times, several of them send to one rank's host at once. All of it
/// is RoCEv2 in a lossless class.
///
/// Schemes: baseline has ECMP by hash, static ECN marking and DCQCN. The next three exchange one
/// mechanism each: flow-set has congestion-aware flow-set switching, coupled-ecn the marking
/// threshold that is coupled to the dynamic buffer threshold, swift-csig Swift on max(PD) from CSIG
/// with jump start; all has all three.
///
/// Scenarios: quiet has no storage traffic; storage has it. Three more answer other questions, and
/// run if they are named:
///  - two-jobs: a second job does the same at other hosts at the same time
///  - checkpoint: each rank writes a checkpoint to a storage host while it does the step
///  - restart: the host of a rank loses its link in the midst of the step; a while later, all ranks
///    begin again, with a spare host in place of that one
///
/// No draft has this experiment: it puts three of them together. It prints one row per scheme and
/// scenario: the time of the step, the gain over the baseline, the communication that computation
/// does not hide, the bus bandwidth of the all-reduces, what ranks have waited for, pauses and
/// marks, and slowdowns of storage flows. doc/ai-training.rst says what comes out and why.

namespace ns3::aidc
{

namespace
{

/// The lossless class, where RoceNic's DSCP goes.
constexpr uint32_t TRAINING_PRIORITY = 3;

constexpr uint16_t MTU = 4200; //!< room for a path MTU of 4096

bool
Has(const std::string& scheme, const std::string& mechanism)
{
    return scheme == mechanism || scheme == "all";
}

/// @return what the queue pairs of all ranks have waited for
RoceWaitTimes
GetWaits(const NodeContainer& ranks)
{
    std::vector<PlacedItem<RoceWaitTimes>> pairs; // by rank
    for (uint32_t rank = 0; rank < ranks.GetN(); ++rank)
    {
        if (!RoceHelper::IsLocal(ranks.Get(rank)))
        {
            continue;
        }
        const auto nic = RoceHelper::GetNic(ranks.Get(rank));
        for (uint32_t i = 0; i < nic->GetNQueuePairs(); ++i)
        {
            pairs.push_back({rank, nic->GetQueuePair(RoceNic::FIRST_QP + i).GetWaitTimes()});
        }
    }
    // Whichever process has simulated them, the last digits of a sum are the same.
    RoceWaitTimes sum;
    for (const auto& times : GatherInOrder(pairs))
    {
        sum.pause += times.pause;
        sum.rate += times.rate;
        sum.window += times.window;
        sum.retransmission += times.retransmission;
    }
    return sum;
}

/// Build the network of a scheme: switches with the options, and hosts with adapters for RoCEv2.
void
BuildTrainingNetwork(FabricHelper& network,
                     const FabricPlan& fabric,
                     const std::string& scheme,
                     const ExperimentSwitchOptions& options)
{
    network.SetMtu(GetUserDefaultOr("ns3::aidc::EthernetNetDevice::Mtu", MTU));
    if (Has(scheme, "flow-set"))
    {
        MultipathRoutingHelper routing("ns3::aidc::FlowSetEcmpRouting");
        routing.SetSelector("ns3::aidc::FlowSetSelector");
        network.SetSwitchRouting(routing);
    }
    network.Build(fabric);
    auto switches = options.Make(Has(scheme, "coupled-ecn") ? "coupled" : "static");
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
    pfc.SetPriorities({TRAINING_PRIORITY});
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

/// Add what adapters and ports have counted.
void
AddTrainingCounts(const FabricHelper& network,
                  const NodeContainer& ranks,
                  const PauseMonitor& pauses,
                  ExperimentOutcome& outcome)
{
    const auto hosts = network.GetHosts();
    const RoceWaitTimes waits = GetWaits(ranks);
    outcome.Add(GetPacketMetrics(network.GetPacketCounts()));
    outcome.Add("retransmitted_packets",
                SumOverHosts(hosts, &RoceNicStatistics::retransmittedPackets),
                "packet");
    outcome.Add("cnps", SumOverHosts(hosts, &RoceNicStatistics::sentCnps), "packet");
    outcome.Add("pauses", pauses.GetPauses(), "1");
    outcome.Add("paused_time", pauses.GetPausedTime().GetSeconds(), "s");
    // What the queue pairs of a rank have waited for, on average over the ranks.
    const double perRank = 1e-9 / ranks.GetN();
    outcome.Add("wait_pause", waits.pause * perRank, "s");
    outcome.Add("wait_rate", waits.rate * perRank, "s");
    outcome.Add("wait_window", waits.window * perRank, "s");
    outcome.Add("wait_retransmission", waits.retransmission * perRank, "s");
}

/// What fails in an attempt to do a step, and when all of it begins again.
struct FailedAttemptSettings
{
    uint32_t rank{0}; //!< the rank whose host loses its link
    Time failure;     //!< when it does
    Time end;         //!< when the programs are stopped
};

/// An attempt to do a step that a failure ends: the host of a rank loses its link.
///
/// Its times are known before the simulation begins, so that all simulators and processes
/// (MpiProcesses) do the same: when the link fails, and when a scheduler of jobs, which a watchdog
/// has called, stops the programs to start them elsewhere. Ranks whose messages cannot be sent stop
/// before; the others wait for them. A program's queue pairs end with it.
class FailedAttempt
{
  public:
    FailedAttempt(WorkloadPlan plan, const FailedAttemptSettings& settings)
        : m_ranks(std::move(plan)),
          m_settings(settings)
    {
    }

    /// Start the step at the beginning of the simulation, and schedule the failure.
    void Install(FabricHelper& network,
                 const std::vector<NodeIndex>& hosts,
                 const RocePath& path,
                 RankTimeline& timeline)
    {
        NodeContainer nodes;
        for (const NodeIndex host : hosts)
        {
            nodes.Add(network.GetNode(host));
        }
        const auto endpoints = RoceRankHelper::Connect(m_ranks.GetPlan(), nodes, path);
        auto programs = m_ranks.Install(nodes, endpoints);
        programs.Stop(m_settings.end);
        for (uint32_t rank = 0; rank < endpoints.size(); ++rank)
        {
            if (RoceHelper::IsLocal(nodes.Get(rank)))
            {
                Simulator::ScheduleWithContext(nodes.Get(rank)->GetId(),
                                               m_settings.end,
                                               &RoceMessageEndpoint::Abort,
                                               DynamicCast<RoceMessageEndpoint>(endpoints[rank]));
            }
        }
        for (uint32_t rank = 0; rank < programs.GetN(); ++rank)
        {
            programs.Get(rank)->TraceConnectWithoutContext(
                "Failed",
                Callback<void, uint32_t, uint32_t, const std::string&>(
                    [&timeline,
                     end = m_settings.end](uint32_t from, uint32_t to, const std::string& cause) {
                        if (Simulator::Now() < end)
                        {
                            timeline.NotifyInstant("first attempt: rank " + std::to_string(from) +
                                                   " cannot send to rank " + std::to_string(to) +
                                                   ": " + cause);
                        }
                    }));
        }
        timeline.WatchLinks(network);
        const LinkIndex link =
            network.GetFabric().GetPorts(hosts.at(m_settings.rank))[PortIndex()].link;
        Simulator::Schedule(m_settings.failure, [&network, link] { network.FailLink(link); });
        Simulator::Schedule(m_settings.end, [&timeline] { timeline.NotifyInstant("restart"); });
    }

    /// @return seconds from the failure until another rank could not send, and has an error to
    /// report; NaN if that was not before the end. Processes ask at the same point.
    double GetDetectionSeconds() const
    {
        std::optional<Time> first;
        const auto records = m_ranks.GetRankRecords();
        for (uint32_t rank = 0; rank < records.size(); ++rank)
        {
            const auto& record = records[rank];
            if (rank != m_settings.rank && !record.failure.empty() &&
                record.failureTime < m_settings.end)
            {
                first = std::min(first.value_or(record.failureTime), record.failureTime);
            }
        }
        return first ? (*first - m_settings.failure).GetSeconds() : std::nan("");
    }

  private:
    RankApplicationHelper m_ranks;    //!< the programs
    FailedAttemptSettings m_settings; //!< what fails
};

constexpr uint64_t RATE = 100000000000; //!< rate of links, bit/s
constexpr int64_t DELAY = 1000;         //!< delay of links, ns

/// Links of the longest way of a fat-tree.
constexpr int64_t MAX_LINKS = 6;

/// @return how long they take alone
Time
GetTimeAlone(const WorkloadPlan& plan)
{
    return Seconds(GetIdealSeconds(plan, static_cast<double>(RATE), 1e-9 * MAX_LINKS * DELAY));
}

/// @return the number of its jobs
uint32_t
GetNJobs(const std::string& scenario)
{
    return scenario == "two-jobs" ? 2 : 1;
}

} // namespace

/// The experiment ai-training, which the comment of ai-training.cc describes.
class AiTrainingExperiment : public ExperimentBase
{
  public:
    AiTrainingExperiment()
        : ExperimentBase(
              "ai-training",
              "A data-parallel training step over RoCEv2 on a fat-tree, with incast storage "
              "traffic, another job, checkpoints or a failure: what each mechanism gains.",
              {true, false})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"quiet", "storage"};
        auto known = plan.scenarios;
        known.insert(known.end(), {"two-jobs", "checkpoint", "restart"});
        plan.schemes = {"baseline", "flow-set", "coupled-ecn", "swift-csig", "all"};

        auto& parameters = GetParameters();
        parameters.AddNames("scenarios",
                            "scenarios to run: " + JoinWords(known, ", "),
                            known,
                            plan.scenarios);
        parameters.AddNames("schemes", "schemes to run", plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode",
                   "ns3::aidc::CoupledEcnQueueDisc::Threshold",
                   "ns3::aidc::RoceNic::CongestionControl",
                   "ns3::aidc::SwiftControl::GoverningDelay",
                   "ns3::aidc::JumpStartControl::JumpStart",
                   "ns3::aidc::CsigPathSignals::Signals"});
        const auto isModel = [this] { return !m_workload.IsGiven(); };
        m_workload.AddTo(parameters,
                         "--job-ranks, --layers, --chunks, --layer-bytes and --compute");
        parameters.AddCount("k", "ports per switch of the fat-tree, even, from 4 to 64", m_k)
            .InSmall("4");
        m_placement.AddTo(parameters);
        m_slowRank.AddTo(parameters);
        parameters
            .AddCount("job-ranks",
                      "ranks per job; 0 for half of the hosts, or a quarter of them with two jobs",
                      m_jobRanks)
            .UseIf(isModel, "no --workload");
        parameters.AddCount("layers", "layers of the model", m_layers)
            .InSmall("2")
            .UseIf(isModel, "no --workload");
        parameters.AddCount("chunks", "chunks of an all-reduce", m_chunks)
            .UseIf(isModel, "no --workload");
        parameters.AddBytes("layer-bytes", "bytes of a layer's gradients", m_layerBytes)
            .InSmall("1MB")
            .UseIf(isModel, "no --workload");
        parameters
            .AddTime("compute", "computation time of a layer, in each direction", m_compute, true)
            .UseIf(isModel, "no --workload");
        parameters
            .AddBytes("storage-bytes", "bytes that each sender of an incast sends", m_storageBytes)
            .InSmall("200kB")
            .UseIn(plan, {"storage"});
        parameters.AddCount("storage-senders", "senders of an incast", m_storageSenders)
            .InSmall("4")
            .UseIn(plan, {"storage"});
        parameters.AddTime("storage-interval", "mean time between incasts", m_storageInterval)
            .UseIn(plan, {"storage"});
        AddFailureSettings();
        m_switch.buffer = 32000000;
        m_switch.AddBufferTo(parameters);
        m_leap.AddTo(parameters);
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        CheckOption(m_k >= 4 && m_k % 2 == 0 && m_k <= 64,
                    "--k as an even number from 4 to 64, found " + std::to_string(m_k));
        const uint32_t nHosts = m_k * m_k * m_k / 4;
        CheckOption(m_storageSenders > 0 && m_storageSenders <= nHosts / 2,
                    "--storage-senders from 1 to " + std::to_string(nHosts / 2) +
                        ", half of the hosts, found " + std::to_string(m_storageSenders));
        m_workload.Prepare();
        m_leap.Prepare();
        uint32_t fewestRanks = nHosts;
        uint32_t mostPlaces = 0;
        for (const auto& scenario : plan.scenarios)
        {
            const uint32_t nJobs = GetNJobs(scenario);
            const uint32_t nRanks = GetNRanks(scenario);
            const uint32_t most = nHosts / 2 / nJobs;
            CheckOption(
                nRanks > 0 && nRanks <= most,
                (m_workload.IsGiven() ? m_workload.GetName() + " to have at most "
                                      : "--job-ranks of at most ") +
                    std::to_string(most) + " ranks, " + (nJobs == 1 ? "half" : "a quarter") +
                    " of the hosts of --k=" + std::to_string(m_k) +
                    (nJobs == 1 ? "" : ", with two jobs") + ", found " + std::to_string(nRanks));
            fewestRanks = std::min(fewestRanks, nRanks);
            mostPlaces = std::max(mostPlaces, nJobs * nRanks);
        }
        m_placement.Prepare(mostPlaces, nHosts / 2);
        m_slowRank.Prepare(fewestRanks);
        if (plan.HasScenario({"restart"}))
        {
            const uint32_t nRanks = GetNRanks("restart");
            CheckOption(m_failedRank < nRanks,
                        "--failed-rank below " + std::to_string(nRanks) + ", the ranks, found " +
                            std::to_string(m_failedRank));
            const Time alone = GetTimeAlone(MakeSlowedStep("restart"));
            std::ostringstream text;
            text << "--failure-time below " << alone.As(Time::US)
                 << ", which the step takes alone, found " << m_failureTime.As(Time::US);
            CheckOption(m_failureTime < alone, text.str());
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        std::optional<WorkloadPlan> other;
        if (GetNJobs(run.scenario) > 1)
        {
            other = MakeStep(run.scenario);
        }
        WorkloadPlan step = MakeSlowedStep(run.scenario);
        const Time alone =
            GetTimeAlone(step); // another job is not slowed down, and takes no longer
        std::optional<FailedAttempt> failed;
        Time restart;
        if (run.scenario == "restart")
        {
            const Time failure = m_failureTime.IsZero() ? alone / 2 : m_failureTime;
            restart = failure + m_restartDelay;
            failed.emplace(step, FailedAttemptSettings{m_failedRank, failure, restart});
        }
        ExperimentRanks training(run, std::move(step), other);
        const WorkloadPlan& plan = training.GetPlan();
        Job job = MakeJob(run.scenario, plan.GetNRanks(), alone);
        run.Announce(job.flows.size());
        FabricHelper network;
        GetOptions().Configure(network);
        BuildTrainingNetwork(network, job.fabric, run.scheme, m_switch);

        // The longest way of a fat-tree.
        const RocePath path = RoceFlowHelper::GetPath(network,
                                                      job.fabric.GetHosts().front(),
                                                      job.fabric.GetHosts().back(),
                                                      4096);
        if (failed)
        {
            failed->Install(network, job.ranks, path, training.GetTimeline());
            job.ranks[m_failedRank] = job.others.front(); // the spare host
            training.SetStart(restart);
        }
        RoceFlowHelper flows;
        if (run.scenario == "checkpoint")
        {
            training.WaitFor("the checkpoint is not written",
                             [&flows] { return flows.AreAllDone(); });
        }
        if (const auto leap = m_leap.Get(GetOptions().seed))
        {
            training.Leap(*leap, FabricPlaces(network.GetFabric(), job.ranks), [&flows] {
                return !flows.AreAllDone();
            });
        }
        NodeContainer ranks;
        for (const NodeIndex host : job.ranks)
        {
            ranks.Add(network.GetNode(host));
        }
        training.Install(ranks, RoceRankHelper::Connect(plan, ranks, path));
        flows.SetSharedQueuePairs(true);
        flows.Install(network, job.flows);

        PauseMonitor pauses(TRAINING_PRIORITY);
        pauses.Add(network.GetSwitches());
        pauses.Add(network.GetHosts());
        training.Simulate(network, alone);

        ExperimentOutcome outcome;
        outcome.Add(training.GetMetrics());
        flows.Gather();
        outcome.records = flows.GetRecords();
        if (run.scenario == "checkpoint")
        {
            outcome.Add("checkpoint_time", GetEndOfFlows(outcome.records).GetSeconds(), "s");
        }
        if (failed)
        {
            outcome.Add("detection_time", failed->GetDetectionSeconds(), "s");
        }
        outcome.Add(GetFctMetrics(outcome.records));
        AddTrainingCounts(network, ranks, pauses, outcome);
        training.Extrapolate(outcome.metrics);
        Simulator::Destroy();
        return outcome;
    }

    /// A network and who is in it.
    struct Job
    {
        FabricPlan fabric;             //!< the network
        std::vector<NodeIndex> ranks;  //!< the host of each rank, of all jobs
        std::vector<NodeIndex> others; //!< the hosts that are for storage
        std::vector<FlowSpec> flows;   //!< storage traffic
    };

    /// @return the network, who is in it, and the storage traffic
    Job MakeJob(const std::string& scenario, uint32_t nRanks, Time alone) const
    {
        Job job{MakeFatTree(m_k, RATE, DELAY), {}, {}, {}};
        std::vector<NodeIndex> places;
        auto& storage = job.others;
        const auto& hosts = job.fabric.GetHosts();
        for (std::size_t i = 0; i < hosts.size(); ++i)
        {
            (i % 2 == 0 ? places : storage).push_back(hosts[i]);
        }
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(1);
        const auto placement = m_placement.Place(static_cast<uint32_t>(places.size()), uniform);
        for (uint32_t rank = 0; rank < nRanks; ++rank)
        {
            job.ranks.push_back(places[placement[rank]]);
        }
        if (scenario == "checkpoint")
        {
            for (uint32_t rank = 0; rank < nRanks; ++rank)
            {
                job.flows.push_back({job.ranks[rank], storage[rank], 0, 0, m_checkpointBytes});
            }
        }
        if (scenario != "storage")
        {
            return job;
        }
        const Time duration = 3 * alone / 2;
        auto gap = CreateObject<ExponentialRandomVariable>();
        gap->SetStream(2);
        gap->SetAttribute("Mean", DoubleValue(m_storageInterval.GetSeconds()));
        for (double time = gap->GetValue(); time < duration.GetSeconds(); time += gap->GetValue())
        {
            const NodeIndex receiver = job.ranks[uniform->GetInteger(0, nRanks - 1)];
            Shuffle(storage, *uniform);
            for (uint32_t i = 0; i < m_storageSenders; ++i)
            {
                job.flows.push_back({storage[i], receiver, 0, 0, m_storageBytes, Seconds(time)});
            }
        }
        return job;
    }

    /// Let a user set checkpoints and failures.
    void AddFailureSettings()
    {
        auto& parameters = GetParameters();
        const auto& plan = GetPlan();
        parameters
            .AddBytes("checkpoint-bytes", "bytes of each rank's checkpoint", m_checkpointBytes)
            .InSmall("4MB")
            .UseIn(plan, {"checkpoint"});
        parameters.AddCount("failed-rank", "the rank whose host loses its link", m_failedRank)
            .UseIn(plan, {"restart"});
        parameters
            .AddTime("failure-time",
                     "when the link fails; 0 for half of the time that the step takes alone",
                     m_failureTime,
                     true)
            .UseIn(plan, {"restart"});
        parameters
            .AddTime(
                "restart-delay",
                "time from the failure until the ranks restart with a spare host; includes the "
                "watchdog's time",
                m_restartDelay)
            .UseIn(plan, {"restart"});
    }

    /// @return the ranks of a job
    uint32_t GetNRanks(const std::string& scenario) const
    {
        return m_workload.IsGiven() ? m_workload.GetPlan()->GetNRanks()
               : m_jobRanks > 0     ? m_jobRanks
                                    : m_k * m_k * m_k / 8 / GetNJobs(scenario);
    }

    /// @return the programs of the ranks of a job, none of which is slow
    WorkloadPlan MakeStep(const std::string& scenario) const
    {
        if (m_workload.IsGiven())
        {
            return *m_workload.GetPlan();
        }
        TrainingStep step;
        step.dp = GetNRanks(scenario);
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

    /// @return the programs of the ranks of a job, with the slow one
    WorkloadPlan MakeSlowedStep(const std::string& scenario) const
    {
        WorkloadPlan step = MakeStep(scenario);
        m_slowRank.SlowDown(step);
        return step;
    }

    ExperimentWorkloadOptions m_workload;        //!< the workload, if a user names one
    ExperimentPlacement m_placement{"shuffled"}; //!< where ranks are
    ExperimentSlowRank m_slowRank;               //!< the one that computes slowly
    uint32_t m_k{8};                             //!< ports of a switch of the fat-tree
    uint32_t m_jobRanks{0};                      //!< ranks of a job; 0 for as many as there may be
    uint32_t m_layers{4};                        //!< layers of the model
    uint32_t m_layerBytes{4000000};              //!< bytes of a layer's gradients
    uint32_t m_chunks{4};                        //!< chunks of an all-reduce
    Time m_compute{MicroSeconds(100)};        //!< computation of a layer, forward and backward each
    uint32_t m_storageBytes{500000};          //!< bytes that a storage host sends in an incast
    uint32_t m_storageSenders{8};             //!< storage hosts of an incast
    Time m_storageInterval{MicroSeconds(50)}; //!< mean time between incasts
    uint32_t m_checkpointBytes{16000000};     //!< bytes of a rank's checkpoint
    uint32_t m_failedRank{0};                 //!< the rank whose host loses its link
    Time m_failureTime;                       //!< when it does; 0 for half of the step's time
    Time m_restartDelay{MilliSeconds(10)};    //!< from the failure until the ranks begin again
    ExperimentSwitchOptions m_switch;         //!< the switches
    ExperimentLeapOptions m_leap;             //!< whether ranks leap
};

/// @return the experiment
std::unique_ptr<ExperimentBase>
MakeAiTrainingExperiment()
{
    return std::make_unique<AiTrainingExperiment>();
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::MakeAiTrainingExperiment()->Main(argc, argv);
}
