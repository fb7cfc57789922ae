// SPDX-License-Identifier: GPL-2.0-only

#include "csig-fabric-runs.h"

#include "ns3/boolean.h"
#include "ns3/csig-truth-monitor.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-results.h"
#include "ns3/nstime.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-flow-helper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// @file
/// @experiment How accurate CSIG's signals are on a fat-tree, and what they are good for
///
/// The question: switches write the tightest link of the path into a tag of each packet. How far is
/// that from the truth, and what do path load balancing, traffic engineering and senders gain from
/// it? This is the draft "Congestion Signaling (CSIG)" (Ravi et al., February 2024) on a fat-tree
/// (k = 8, 128 hosts, 100 Gb/s links) of Ethernet switches that update tags of the expanded format.
/// The locator has stage, orientation, device and port.
///
///       core   core   core   core        each switch compares its own signal with
///        | \    /  \   /  \   / |        the tag's, and writes the worse one
///      spine  spine    spine  spine
///        |  \/  |        |  \/  |
///       leaf   leaf     leaf   leaf
///      hosts: stamp the tag       hosts: reflect it to the sender
///
/// What the draft says: its section 8 names these users of the signals, without numbers.
///
/// Scenarios, and the schemes of each:
///  - accuracy: DCTCP flows at 50 % load; what tags report against what the simulator knows
///    (CsigTruthMonitor). interval, ewma, dre: how ports estimate their rate
///  - degraded-link: a link between a leaf and a spine has a quarter of its speed; a mesh of UDP
///    probes (CsigMeshProber) looks for it by their tags alone. idle-mesh: nothing else is sent;
///    loaded-mesh: DCTCP flows at 30 % load
///  - hot-spot: each host sends to its counterpart in the next pod at a constant rate, so that
///  there
///    is room for all, if hashes did not collide. hash: no flow changes its path; csig-blind: a
///    flow changes it for any congestion; csig-balancer: for congestion in the core only
///    (CsigPathBalancer)
///  - incast: hosts of all other pods send to one host at once, while the rest is as in hot-spot;
///    the same schemes
///  - engineering: the first uplink of each leaf has 40 Gb/s; DCTCP flows at 50 % load. equal:
///    uplinks have equal weights; csig-weights: weights follow the available share of the capacity
///    (CsigPathEngineer)
///
/// With RoCEv2 (--transport) there are other scenarios, of senders that use the signals. Schemes:
/// dcqcn, hpcc, timely or none, as --transport says; Swift on the delay of the round trip
/// (round-trip) and on max(PD) (max-pd), which begin with a bandwidth-delay product; on max(PD)
/// from ten packets on (ten-packets); and the same with jump start from min(ABW) (jump-start):
///  - senders-mix: flows at 50 % load
///  - senders-incast: the flows of incast, without a rate
///
/// It prints one row per scheme and scenario: goodput, slowdowns, drops, changes of path, errors
/// and lags of the signals, and how soon the slow link is found. In addition to the files of all
/// experiments there are
///  - accuracy.csv: error and lag by scheme and signal
///  - truth-accuracy-SCHEME.csv: tags and their truth, one in a hundred
///  - heat-SCENARIO-SCHEME.csv: which ports tags name as bottlenecks, by time (CsigCollector)
///  - pairs-SCENARIO-SCHEME.csv: signals by leaf of the source and of the destination, by time
///  - ranking-degraded-link-SCHEME.csv: the bottlenecks by rank
///  - weights-engineering-SCHEME.csv: the weights of the leaves' uplinks in the end
///
/// csig-fabric-runs.h makes the network, and has one function per scenario.

namespace ns3::aidc
{

namespace
{

/// Get the spines and cores that are not like the leaves: a share of a tier, evenly among it.
std::vector<NodeIndex>
GetOthers(const FabricPlan& plan, double share)
{
    std::map<FabricTier, uint32_t> seen;
    std::vector<NodeIndex> others;
    for (const NodeIndex node : plan.GetSwitches())
    {
        const auto tier = plan.GetNode(node).tier;
        const double before = seen[tier]++ * share;
        if (tier != FabricTier::LEAF && std::floor(before + share) > std::floor(before))
        {
            others.push_back(node);
        }
    }
    return others;
}

/// Install CSIG. In pass-through, discard and software, some switches are not like the others.
void
InstallMix(CsigFabricNetwork& fabric, const std::string& scheme)
{
    const bool passes = scheme == "pass-through";
    const bool isSoftware = scheme == "software";
    const bool isMixed = passes || isSoftware || scheme == "discard";
    const FabricPlan& plan = fabric.network.GetFabric();
    const auto others = GetOthers(plan, isMixed ? fabric.settings.others : 0);
    if (scheme == "discard")
    {
        for (const NodeIndex node : others)
        {
            fabric.csig.Exclude(node);
        }
        fabric.csig.Install(fabric.network);
        return;
    }
    std::vector<NodeIndex> alike;
    for (NodeIndex node; node < NodeIndex(plan.GetNNodes()); ++node)
    {
        if (std::find(others.begin(), others.end(), node) == others.end())
        {
            alike.push_back(node);
        }
    }
    fabric.csig.Install(fabric.network, alike);
    CsigHelper own;
    own.SetDomain(fabric.csig.GetDomain());
    own.SetPortAttribute("Support", StringValue(passes ? "PassThrough" : "Complete"));
    own.SetAgentAttribute("Software", BooleanValue(isSoftware));
    own.SetAgentAttribute("SoftwareInterval", TimeValue(fabric.settings.softwareInterval));
    own.Install(fabric.network, others);
}

ExperimentOutcome
RunCsigFabricBottlenecks(CsigFabricNetwork& fabric, const ExperimentRun& run)
{
    fabric.Build(fabric.MakePlan(), run.scenario);
    fabric.ConfigureCsig(run.scheme, "min(ABW),max(PD)", false);
    InstallMix(fabric, run.scheme);
    const double load = run.scenario == "bottlenecks-80"   ? 0.8
                        : run.scenario == "bottlenecks-50" ? 0.5
                                                           : 0.3;
    TcpFlowHelper tcp;
    fabric.InstallMix(run, load, tcp);
    CsigTruthMonitor truth(fabric.csig.GetDomain(), fabric.settings.window, MicroSeconds(10));
    truth.AddFabric(fabric.network);
    ExperimentOutcome outcome;
    outcome.records = SimulateCsigFabric(run, fabric, tcp);
    outcome.Add(GetFctMetrics(outcome.records));
    outcome.Add("dropped_packets", fabric.network.GetPacketCounts().dropped, "packet");
    const auto abw = truth.GetAccuracy(CsigSignal::ABW);
    const auto delay = truth.GetAccuracy(CsigSignal::HOP_DELAY);
    const auto full = truth.GetFullPortReports();
    const std::vector<double> delays(full.delays.begin(), full.delays.end());
    outcome.Add("reported", truth.GetReportedShare(), "1");
    outcome.Add("abw_signals", abw.nSignals, "1");
    outcome.Add("abw_error_mean", abw.errorMean, "1");
    outcome.Add("abw_lag", abw.lag, "s");
    outcome.Add("abw_right_port", abw.rightPort, "1");
    outcome.Add("abw_false", abw.falseBottlenecks, "1");
    outcome.Add("abw_missed", abw.missedBottlenecks, "1");
    outcome.Add("full_ports", full.nTimes, "1");
    outcome.Add("full_port_delay", Mean(delays) / 1e9, "s");
    outcome.Add("full_ports_late",
                static_cast<double>(full.nLate) / static_cast<double>(full.nTimes),
                "1");
    outcome.Add("delay_right_port", delay.rightPort, "1");
    outcome.Add("delay_error_mean", delay.errorMean, "s");
    return outcome;
}

/// The scenarios without RoCEv2.
const std::vector<std::string> SCENARIOS{"accuracy",
                                         "degraded-link",
                                         "hot-spot",
                                         "incast",
                                         "engineering"};

/// The scenarios of some load, to be named.
const std::vector<std::string> BOTTLENECKS{"bottlenecks-30", "bottlenecks-50", "bottlenecks-80"};

/// The scenarios of RoCEv2.
const std::vector<std::string> SENDERS{"senders-mix", "senders-incast"};

} // namespace

/// The experiment csig-fabric, which the comment of csig-fabric.cc describes.
class CsigFabricExperiment : public ExperimentBase
{
  public:
    CsigFabricExperiment()
        : ExperimentBase(
              "csig-fabric",
              "How accurate CSIG's signals are on a fat-tree under load, and what a mesh of "
              "probes, path load balancing and traffic engineering achieve with them.",
              {true, false})
    {
        auto& plan = GetPlan();
        plan.scenarios = SCENARIOS;
        plan.schemesOf = {{"accuracy", {"interval", "ewma", "dre"}},
                          {"degraded-link", {"idle-mesh", "loaded-mesh"}},
                          {"hot-spot", {"hash", "csig-blind", "csig-balancer"}},
                          {"incast", {"hash", "csig-blind", "csig-balancer"}},
                          {"engineering", {"equal", "csig-weights"}}};
        plan.schemes = {"interval",     "ewma",       "dre",           "pass-through",
                        "discard",      "software",   "idle-mesh",     "loaded-mesh",
                        "hash",         "csig-blind", "csig-balancer", "equal",
                        "csig-weights", "dcqcn",      "round-trip",    "max-pd",
                        "ten-packets",  "jump-start", "hpcc",          "timely",
                        "none"};
        for (const auto& name : BOTTLENECKS)
        {
            plan.schemesOf[name] =
                {"interval", "ewma", "dre", "pass-through", "discard", "software"};
        }

        auto& parameters = GetParameters();
        auto known = plan.scenarios;
        known.insert(known.end(), BOTTLENECKS.begin(), BOTTLENECKS.end());
        const std::string all = JoinWords(known, ", ");
        known.insert(known.end(), SENDERS.begin(), SENDERS.end());
        parameters
            .AddNames("scenarios",
                      "scenarios to run: " + all +
                          "; with --transport other than dctcp: " + JoinWords(SENDERS, ", "),
                      known,
                      plan.scenarios)
            .Sets({"ns3::aidc::CsigHost::Signals",
                   "ns3::aidc::CsigHost::TagUdp",
                   "ns3::aidc::CsigPathSignals::Signals"});
        parameters
            .AddNames(
                "schemes",
                "schemes to run, where they make sense: interval, ewma, dre; "
                "pass-through, discard, software; idle-mesh, "
                "loaded-mesh; hash, csig-blind, csig-balancer; equal, csig-weights; with "
                "--transport=swift round-trip, max-pd, ten-packets, jump-start; with others of "
                "RoCEv2 their own name",
                plan.schemes,
                plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode",
                   "ns3::aidc::CsigAgent::Estimation",
                   "ns3::aidc::CsigAgent::Software",
                   "ns3::aidc::CsigPort::Support",
                   "ns3::aidc::SwiftControl::GoverningDelay",
                   "ns3::aidc::SwiftControl::InitialWindow",
                   "ns3::aidc::JumpStartControl::JumpStart"});
        AddSettings();
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        PrepareSenders(plan);
        m_settings.isSmall = GetOptions().small;
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        using Run = ExperimentOutcome (*)(CsigFabricNetwork&, const ExperimentRun&);
        static const std::map<std::string, Run> runs{{"accuracy", RunCsigFabricAccuracy},
                                                     {"degraded-link", RunCsigFabricDegradedLink},
                                                     {"hot-spot", RunCsigFabricBalancing},
                                                     {"incast", RunCsigFabricBalancing},
                                                     {"engineering", RunCsigFabricEngineering},
                                                     {"bottlenecks-30", RunCsigFabricBottlenecks},
                                                     {"bottlenecks-50", RunCsigFabricBottlenecks},
                                                     {"bottlenecks-80", RunCsigFabricBottlenecks},
                                                     {"senders-mix", RunCsigFabricSenders},
                                                     {"senders-incast", RunCsigFabricSenders}};
        ExperimentOutcome outcome;
        {
            CsigFabricNetwork fabric{m_settings};
            GetOptions().Configure(fabric.network);
            outcome = runs.at(run.scenario)(fabric, run);
        }
        Simulator::Destroy();
        return outcome;
    }

    /// Let a user set options that do not choose scenarios and schemes.
    void AddSettings()
    {
        const auto& plan = GetPlan();
        auto mixes = BOTTLENECKS;
        mixes.insert(mixes.end(), {"accuracy", "engineering", "senders-mix"});
        auto timed = mixes;
        timed.emplace_back("degraded-link");
        auto& parameters = GetParameters();
        parameters.AddText("flow-sizes", "flow-size file", m_settings.flowSizes)
            .UseIf([&plan,
                    mixes] { return plan.HasScenario(mixes) || plan.HasScheme({"loaded-mesh"}); },
                   "--scenarios=" + JoinWords(mixes, ", ") + " or --schemes=loaded-mesh");
        m_settings.switches.AddBufferTo(parameters);
        m_settings.switches.AddStaticMarkingTo(parameters);
        m_settings.transport.AddTo(parameters);
        auto measuring = plan.schemes;
        for (const auto& scheme :
             {"dcqcn", "hpcc", "timely", "none", "round-trip", "max-pd", "ten-packets"})
        {
            measuring.erase(std::find(measuring.begin(), measuring.end(), scheme));
        }
        parameters
            .AddTime("window",
                     "time over which available bandwidth is measured: for the truth, for schemes "
                     "other than ewma and dre, and for time series",
                     m_settings.window)
            .Sets({"ns3::aidc::CsigAgent::Interval"})
            .UseIf([&plan, measuring] { return plan.HasScheme(measuring); },
                   "a scheme that measures available bandwidth");
        parameters
            .AddNumber(
                "others",
                "share of spines and cores that do not update tags in pass-through, discard and "
                "software, from 0 to 1",
                m_settings.others,
                [](double share) { return share >= 0 && share <= 1; },
                "from 0 to 1")
            .UseIf([&plan] { return plan.HasScheme({"pass-through", "discard", "software"}); },
                   "--scenarios=bottlenecks-N and --schemes=pass-through, discard or software");
        parameters
            .AddTime("software-interval",
                     "how often the agents of scheme software read counters",
                     m_settings.softwareInterval)
            .Sets({"ns3::aidc::CsigAgent::SoftwareInterval"})
            .UseIf([&plan] { return plan.HasScheme({"software"}); },
                   "--scenarios=bottlenecks-N and --schemes=software");
        parameters.AddTime("period", "how often csig-weights sets new weights", m_settings.period)
            .UseWith(plan, {"csig-weights"});
        parameters
            .AddTime("duration", "how long flows arrive and probes are sent", m_settings.duration)
            .InSmall("500us")
            .UseIf([&plan, timed] { return plan.HasScenario(timed); },
                   "--scenarios=" + JoinWords(timed, ", "));
        parameters
            .AddRate("rate",
                     "rate per flow of hot-spot and incast; higher with --small, where fewer share "
                     "a leaf",
                     m_settings.rate)
            .InSmall("60Gbps")
            .UseIn(plan, {"hot-spot", "incast"});
        parameters
            .AddBytes("size",
                      "size of the flows of hot-spot, incast and senders-incast, such as 20MB",
                      m_settings.size)
            .InSmall("5MB")
            .UseIn(plan, {"hot-spot", "incast", "senders-incast"});
        parameters
            .AddRate("threshold",
                     "available bandwidth below which a flow changes its path",
                     m_settings.threshold,
                     true)
            .UseWith(plan, {"csig-blind", "csig-balancer"});
    }

    /// Let scenarios and schemes follow from the transport, or throw that they do not fit it.
    void PrepareSenders(ExperimentPlan& plan) const
    {
        auto& names = plan.scenarios;
        if (m_settings.transport.IsRoce())
        {
            const std::string& transport = m_settings.transport.transport;
            const std::vector<std::string> schemes =
                transport == "swift"
                    ? std::vector<std::string>{"round-trip", "max-pd", "ten-packets", "jump-start"}
                    : std::vector<std::string>{transport};
            if (names == SCENARIOS)
            {
                names = SENDERS;
            }
            for (const auto& name : SENDERS)
            {
                plan.schemesOf[name] = schemes;
            }
        }
        const auto fits = [this](const auto& name) {
            return (name.rfind("senders-", 0) == 0) == m_settings.transport.IsRoce();
        };
        CheckOption(std::all_of(names.begin(), names.end(), fits),
                    "--scenarios of senders-mix and senders-incast with " +
                        m_settings.transport.GetRoceChoice() + ", and of the others without");
        m_settings.transport.Prepare(GetOptions());
    }

    CsigFabricSettings m_settings; //!< what the user has set
};

/// @return the experiment
std::unique_ptr<ExperimentBase>
MakeCsigFabricExperiment()
{
    return std::make_unique<CsigFabricExperiment>();
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::MakeCsigFabricExperiment()->Main(argc, argv);
}
