// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-parameters.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-interface.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-records.h"
#include "ns3/flow-set-monitor.h"
#include "ns3/flow-set-selector.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/graph-fabric.h"
#include "ns3/link-load-monitor.h"
#include "ns3/multipath-routing-helper.h"
#include "ns3/multipath-routing.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/reorder-monitor.h"
#include "ns3/sample-statistics.h"
#include "ns3/simulator.h"
#include "ns3/topology-file.h"
#include "ns3/uinteger.h"
#include "ns3/user-default.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// @file
/// @experiment Congestion-aware flow-set switching compared with hashing, flowlets and spraying
///
/// The question: hashes send some elephants to the same link while others are idle. Does it help
/// when a switch moves sets of flows away from congested ports? This is the draft
/// "Congestion-Aware Adaptive Flow Table Switching for ECMP" (Li et al., February 2026) on a
/// leaf-spine fabric of 128 hosts and 100 Gb/s links with DCTCP hosts:
///
///     spine 0   spine 1   ...   spine 7        8 uplinks per leaf
///        |  \  /   |              |
///     leaf 0     leaf 1   ...   leaf 7         2:1 over-subscribed
///      ||||       ||||           ||||
///    16 hosts   16 hosts       16 hosts
///
/// What the draft says: loads of ports become even, and few packets are reordered, as no more flow
/// sets leave a port in an interval than its congestion index allows. It has no numbers.
///
/// Schemes: hash-ecmp hashes the five-tuple; flowlet chooses anew at random after a pause of a
/// flow; spray chooses for each packet at random; flow-set is the draft; flow-set-flowlet is the
/// draft with migrations in pauses only (its section 8.2). On demand: flow-set-literal, the draft
/// with ports ranked by what is left of their CQI.
///
/// Scenarios:
///  - load-30, load-50, load-80: flows between any two hosts, arriving at random, of sizes drawn
///    from a file, that load the leaves' uplinks (or, where these are faster, the hosts' links) to
///    that share on average
///  - elephants: as many hosts of each leaf as it has uplinks send to hosts of the next leaf: there
///    is a link for each, and nothing but colliding hashes is in the way
///  - failure: load-30, while the first uplink of the first leaf fails and comes back
///  - surge: load-30, and all hosts of the first leaf send to the second leaf at once
///  - fat-tree: load-30 on a fat-tree of the same size (k = 8)
///  - file: the flows of --flows
///
/// and, on demand:
///  - saturated: all hosts of each leaf send to hosts of the next leaf, so that every uplink is
///  full
///    however flows are spread
///  - asymmetric: elephants, while the links of the first spine have a quarter of their rate
///
/// With RoCEv2 (--transport) the hosts retransmit what a migration has reordered.
///
/// It prints one row per scheme and scenario: slowdowns of flows, reordered packets, the imbalance
/// of loads, migrations and losses. In addition to the files of all experiments there is
/// cqi-SCENARIO-SCHEME.csv, the uplinks of the leaves (see FlowSetMonitor). doc/flow-set.rst says
/// what becomes of the draft's claims.

namespace ns3::aidc
{

/// What the scenarios of FlowSetEcmpExperiment are made from.
struct FlowSetEcmpTraffic
{
    std::string topology;     //!< name or file, or empty for the scenario's
    DataRate rate{"100Gbps"}; //!< of the links, where the topology is not a file
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    std::string flows;                                        //!< file, or empty
    Time duration{MilliSeconds(2)};                           //!< while flows arrive
    uint32_t elephantSize{10000000}; //!< of scenarios of long flows, in bytes
};

namespace
{

/// The flows of a scenario of FlowSetEcmpExperiment, and where they go.
struct FlowSetEcmpScenario
{
    FabricPlan fabric;           //!< the network
    std::vector<FlowSpec> flows; //!< the flows
    Time limit;                  //!< when the simulation ends at the latest
    bool hasFailure{false};      //!< whether the first uplink of the first leaf fails
    Time failure;                //!< when it fails
    Time repair;                 //!< when it is back
};

/// @return the hosts, by port
std::vector<NodeIndex>
GetHostsOf(const FabricPlan& fabric, NodeIndex leaf)
{
    std::vector<NodeIndex> hosts;
    for (const auto& port : fabric.GetPorts(leaf))
    {
        if (fabric.IsHost(port.peer))
        {
            hosts.push_back(port.peer);
        }
    }
    return hosts;
}

/// Give the links of the first spine a quarter of their rate. @return the network with these links
FabricPlan
SlowDownSpine(const FabricPlan& fabric)
{
    const auto isSlow = [&fabric](NodeIndex node) {
        return fabric.GetNode(node).tier == FabricTier::SPINE && fabric.GetNode(node).index == 0;
    };
    auto links = fabric.GetLinks();
    for (auto& link : links)
    {
        link.rate /= isSlow(link.a) || isSlow(link.b) ? 4 : 1;
    }
    return CopyFabric(fabric, links);
}

FabricPlan
MakeNetwork(const std::string& scenario, const FlowSetEcmpTraffic& traffic, bool isSmall)
{
    const std::string topology = !traffic.topology.empty() ? traffic.topology
                                 : scenario == "fat-tree"  ? "fat-tree"
                                                           : "leaf-spine";
    if (topology == "fat-tree")
    {
        return MakeFatTree(isSmall ? 4 : 8, traffic.rate.GetBitRate(), 1000);
    }
    if (topology == "leaf-spine")
    {
        LeafSpineSettings plan;
        plan.leaves = isSmall ? 4 : 8;
        plan.spines = isSmall ? 4 : 8;
        plan.hostsPerLeaf = isSmall ? 8 : 16;
        plan.hostRate = traffic.rate.GetBitRate();
        plan.leafSpineRate = plan.hostRate;
        const FabricPlan fabric = MakeLeafSpine(plan);
        return scenario == "asymmetric" ? SlowDownSpine(fabric) : fabric;
    }
    const auto file = TopologyFile::Read(FindDataFile(topology));
    file.PrintNotes();
    return file.GetFabric();
}

/// @return the share of their rate that hosts may send to fill the uplinks of leaves, at most 1
double
GetHostShare(const FabricPlan& fabric)
{
    const NodeIndex leaf = fabric.GetLeaves().front();
    const auto& ports = fabric.GetPorts(leaf);
    const auto getRate = [&fabric, &ports](PortIndex port) {
        return static_cast<double>(fabric.GetLinks()[ports[port].link].rate);
    };
    double up = 0;
    for (const PortIndex port : fabric.GetUplinks(leaf))
    {
        up += getRate(port);
    }
    double down = 0;
    for (PortIndex port; port < ports.GetEnd(); ++port)
    {
        down += fabric.IsHost(ports[port].peer) ? getRate(port) : 0;
    }
    const auto nHosts = static_cast<double>(fabric.GetHosts().size());
    const auto nOwn = static_cast<double>(GetHostsOf(fabric, leaf).size());
    const double leaving = down * (nHosts - nOwn) / (nHosts - 1);
    return leaving > 0 ? std::min(1.0, up / leaving) : 1;
}

/// Make flows that arrive at random, with a load of the slower of uplinks and hosts.
std::vector<FlowSpec>
MakeMix(const FabricPlan& fabric, double load, const FlowSetEcmpTraffic& traffic)
{
    const auto sizes = FlowSizeDistribution::Read(FindDataFile(traffic.flowSizes));
    PoissonFlowGenerator generator(fabric.GetHosts(), sizes);
    uint64_t rate = 0; // of all links of a host
    for (const auto& port : fabric.GetPorts(fabric.GetHosts().front()))
    {
        rate += fabric.GetLinks()[port.link].rate;
    }
    generator.SetHostRate(DataRate(rate));
    generator.SetLoad(load * GetHostShare(fabric));
    generator.SetDuration(traffic.duration);
    generator.AssignStreams(1);
    return generator.Generate();
}

/// @return the hosts of the next leaf, around the end, that shares none with the leaf of the index
std::vector<NodeIndex>
GetHostsOfNext(const FabricPlan& fabric, std::size_t index)
{
    const auto& leaves = fabric.GetLeaves();
    const auto own = GetHostsOf(fabric, leaves[index]);
    for (std::size_t i = 1; i < leaves.size(); ++i)
    {
        const auto hosts = GetHostsOf(fabric, leaves[(index + i) % leaves.size()]);
        if (std::find_first_of(hosts.begin(), hosts.end(), own.begin(), own.end()) == hosts.end())
        {
            return hosts;
        }
    }
    throw std::runtime_error("expected a topology of leaves with hosts of their own, found none "
                             "without hosts of leaf " +
                             std::to_string(leaves[index].value));
}

/// Add flows, which start within 10 us, from a leaf's hosts to the next leaf with other hosts.
void
AddLeafToLeaf(std::vector<FlowSpec>& flows,
              const FabricPlan& fabric,
              std::size_t from,
              std::size_t nFlows,
              uint64_t bytes,
              Time start,
              Ptr<UniformRandomVariable> uniform)
{
    const auto sources = GetHostsOf(fabric, fabric.GetLeaves().at(from));
    const auto destinations = GetHostsOfNext(fabric, from);
    nFlows = std::min({nFlows, sources.size(), destinations.size()});
    for (std::size_t i = 0; i < nFlows; ++i)
    {
        const auto delay = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
        flows.push_back({sources[i], destinations[i], 0, 0, bytes, start + delay});
    }
}

/// Make a scenario. @throws std::runtime_error if a file is wrong, or there are no flows
FlowSetEcmpScenario
MakeFlowSetEcmpScenario(const std::string& name, const FlowSetEcmpTraffic& traffic, bool isSmall)
{
    FlowSetEcmpScenario scenario{MakeNetwork(name, traffic, isSmall),
                                 {},
                                 MilliSeconds(200),
                                 false,
                                 {},
                                 {}};
    const FabricPlan& fabric = scenario.fabric;
    const auto& leaves = fabric.GetLeaves();
    const bool hasElephants = name == "elephants" || name == "saturated" || name == "asymmetric";
    const bool needsUplinks = hasElephants || name == "failure" || name == "surge";
    CheckOption(!needsUplinks || leaves.size() > 1,
                "a topology of at least two leaves for scenario " + name);
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(10);
    if (name == "file")
    {
        TrailingText trailing;
        scenario.flows = ReadFlowFile(FindDataFile(traffic.flows), &trailing);
        NoteTrailingText(traffic.flows, trailing);
    }
    else if (hasElephants)
    {
        // Twenty times as long as a flow alone needs is long enough for all.
        const Time alone = traffic.rate.CalculateBytesTxTime(traffic.elephantSize);
        scenario.limit = std::max(scenario.limit, 20 * alone);
        for (std::size_t i = 0; i < leaves.size(); ++i)
        {
            AddLeafToLeaf(scenario.flows,
                          fabric,
                          i,
                          name == "saturated" ? SIZE_MAX : fabric.GetUplinks(leaves[i]).size(),
                          traffic.elephantSize,
                          Seconds(0),
                          uniform);
        }
    }
    else
    {
        const double load = name == "load-80" ? 0.8 : name == "load-50" ? 0.5 : 0.3;
        scenario.flows = MakeMix(fabric, load, traffic);
    }
    if (name == "surge")
    {
        AddLeafToLeaf(scenario.flows,
                      fabric,
                      0,
                      SIZE_MAX,
                      isSmall ? 500000 : 2000000,
                      traffic.duration / 4,
                      uniform);
    }
    scenario.hasFailure = name == "failure";
    scenario.failure = traffic.duration / 4;
    scenario.repair = 3 * traffic.duration / 4;
    if (scenario.flows.empty())
    {
        throw std::runtime_error("scenario " + name + " has no flows");
    }
    if (name == "file")
    {
        scenario.limit = scenario.flows.back().start + Seconds(1);
    }
    return scenario;
}

/// Watches the network of a run of FlowSetEcmpExperiment: the order of packets, the loads of
/// uplinks, and the flow sets of the switches.
class FlowSetEcmpMonitor
{
  public:
    /// Constructor. network: the network, which outlives this.
    FlowSetEcmpMonitor(const FabricHelper& network, bool hasFlowSets)
        : m_network(network),
          m_hasFlowSets(hasFlowSets),
          m_load(MicroSeconds(100))
    {
        m_reordering.Add(network.GetHosts());
        const FabricPlan& fabric = network.GetFabric();
        for (const NodeIndex id : fabric.GetSwitches())
        {
            if (!network.IsLocal(id))
            {
                continue;
            }
            std::vector<Ptr<NetDevice>> uplinks;
            std::vector<std::string> names(GetInterfaceOfPort(fabric.GetPorts(id).GetEnd()));
            for (const PortIndex port : fabric.GetUplinks(id))
            {
                uplinks.push_back(network.GetPort(id, port));
                names[GetInterfaceOfPort(port)] = fabric.GetPortName(id, port);
            }
            if (!uplinks.empty())
            {
                m_load.AddGroup(uplinks);
            }
            if (hasFlowSets)
            {
                const auto routing = MultipathRoutingHelper::GetRouting(network.GetNode(id));
                const bool isLeaf = fabric.GetNode(id).tier == FabricTier::LEAF;
                m_flowSets.Add(DynamicCast<FlowSetSelector>(routing->GetSelector()),
                               isLeaf ? names : std::vector<std::string>());
            }
        }
    }

    /// Start to watch the loads. seriesBegin: when the series of flow sets begins.
    void Start(Time seriesBegin)
    {
        m_flowSets.SetSeriesBegin(seriesBegin);
        m_load.Start();
    }

    /// Stop watching the loads.
    void Stop()
    {
        m_load.Stop();
    }

    /// Write the series of flow sets, if there are any.
    void WriteSeries(const std::string& path)
    {
        if (m_hasFlowSets)
        {
            m_flowSets.WriteSeries(path);
        }
    }

    /// Add metrics. seesOrder: whether packets pass ns-3's stack, where their order is watched.
    void AddTo(ExperimentOutcome& outcome, bool seesOrder) const
    {
        outcome.Add(GetPacketMetrics(m_network.GetPacketCounts()));
        outcome.Add("reordered_packets",
                    seesOrder ? static_cast<double>(m_reordering.GetReorderedPackets())
                              : std::nan(""),
                    "packet");
        outcome.Add("lost_packets", m_network.GetLostPackets(), "packet");
        const double spread = m_load.GetSpread();
        outcome.Add("load_imbalance", spread / m_load.GetMean(), "1");
        outcome.Add("migrations", m_flowSets.GetMigrations(), "1");
        outcome.Add("steady_migrations", GetSteadyMigrations(outcome.records), "1");
        outcome.Add("migrations_allowed", m_flowSets.GetAllowedMigrations(), "1");
        outcome.Add("migration_intervals", m_flowSets.GetIntervals(), "1");
        outcome.Add("bound_violations", m_flowSets.GetBoundViolations(), "1");
        outcome.Add("reroutes", m_flowSets.GetReroutes(), "1");
    }

  private:
    /// @return migrations in the latter half of the time in which all flows are under way; or NaN
    double GetSteadyMigrations(const std::vector<FlowRecord>& records) const
    {
        Time begin;
        Time end = Time::Max();
        for (const auto& record : records)
        {
            begin = std::max(begin, record.spec.start);
            end = std::min(end, record.isDone ? record.finish : Simulator::Now());
        }
        const auto found = static_cast<double>(m_flowSets.GetMigrations((begin + end) / 2, end));
        return begin < end ? found : std::nan("");
    }

    const FabricHelper& m_network; //!< the network
    bool m_hasFlowSets;            //!< whether the switches have flow sets
    ReorderMonitor m_reordering;   //!< the order in which packets arrive
    LinkLoadMonitor m_load;        //!< the loads of each switch's uplinks
    FlowSetMonitor m_flowSets;     //!< flow sets, and the uplinks of leaves
};

/// Summarize the slowdowns of short flows, below 100 kB, and of long ones, from 1 MB on; or NaN.
std::vector<ResultMetric>
GetSlowdownsBySize(const std::vector<FlowRecord>& records)
{
    std::vector<double> shortFlows;
    std::vector<double> longFlows;
    for (const auto& record : records)
    {
        if (record.isDone && record.spec.bytes < 100'000)
        {
            shortFlows.push_back(record.slowdown);
        }
        else if (record.isDone && record.spec.bytes >= 1'000'000)
        {
            longFlows.push_back(record.slowdown);
        }
    }
    return {{"short_slowdown_mean", Mean(shortFlows), "1"},
            {"short_slowdown_p99", Percentile(shortFlows, 0.99), "1"},
            {"long_slowdown_mean", Mean(longFlows), "1"},
            {"long_slowdown_p99", Percentile(longFlows, 0.99), "1"}};
}

} // namespace

/// The experiment flowset-ecmp, which the comment of flowset-ecmp.cc describes.
class FlowSetEcmpExperiment : public ExperimentBase
{
  public:
    FlowSetEcmpExperiment()
        : ExperimentBase(
              "flowset-ecmp",
              "Congestion-aware flow-set switching compared with hash-based ECMP, flowlets "
              "and spraying, on a leaf-spine fabric and a fat-tree.",
              {true, true})
    {
        auto& plan = GetPlan();
        plan.scenarios =
            {"load-30", "load-50", "load-80", "elephants", "failure", "surge", "fat-tree"};
        plan.schemes = {"hash-ecmp", "flowlet", "spray", "flow-set", "flow-set-flowlet"};

        auto knownSchemes = plan.schemes;
        knownSchemes.insert(knownSchemes.end(),
                            {"flow-set-literal", "flow-set-full", "flow-set-none"});
        auto knownScenarios = plan.scenarios;
        knownScenarios.insert(knownScenarios.end(), {"saturated", "asymmetric"});
        auto& parameters = GetParameters();
        const auto isMix = [&plan] {
            return plan.HasScenario(
                {"load-30", "load-50", "load-80", "failure", "surge", "fat-tree"});
        };
        const std::string mixes = "--scenarios=load-N, failure, surge or fat-tree";
        const auto isSwitching = [&plan] {
            return plan.HasScheme(
                {"flow-set", "flow-set-flowlet", "flow-set-literal", "flow-set-full"});
        };
        const std::string switching = "--schemes=flow-set, flow-set-flowlet, -literal or -full";
        parameters
            .AddNames("scenarios",
                      "scenarios to run, of " + JoinWords(knownScenarios, ", "),
                      knownScenarios,
                      plan.scenarios)
            .UseIf([this] { return m_traffic.flows.empty(); }, "no --flows");
        parameters
            .AddNames("schemes",
                      "schemes to run, of " + JoinWords(knownSchemes, ", "),
                      knownSchemes,
                      plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode",
                   "ns3::aidc::FlowSetSelector::Strategy",
                   "ns3::aidc::FlowSetSelector::RankByBudget"});
        parameters.AddText("against",
                           "scheme to compare the others with, run by run; adds METRIC_difference",
                           m_against,
                           "none");
        parameters.AddText("topology",
                           "leaf-spine, fat-tree or a topology file, instead of the scenario's",
                           m_traffic.topology,
                           "default");
        parameters.AddRate("rate", "rate of the links of leaf-spine and fat-tree", m_traffic.rate)
            .UseIf(
                [this] {
                    const auto& topology = m_traffic.topology;
                    return topology.empty() || topology == "leaf-spine" || topology == "fat-tree";
                },
                "--topology=leaf-spine or fat-tree");
        parameters.AddText("flow-sizes", "flow-size file", m_traffic.flowSizes).UseIf(isMix, mixes);
        parameters.AddText("flows",
                           "flow file, run instead of the scenarios",
                           m_traffic.flows,
                           "none");
        m_switch.AddBufferTo(parameters);
        m_switch.AddStaticMarkingTo(parameters);
        m_transport.AddTo(parameters);
        parameters
            .AddBytes("elephant-size",
                      "size of a flow of elephants, saturated and asymmetric",
                      m_traffic.elephantSize)
            .InSmall("2MB")
            .UseIn(plan, {"elephants", "saturated", "asymmetric"});
        parameters
            .AddBytes(
                "congestion-threshold",
                "queue depth that adds 1 to the CQI; 0B for 10 % of an equal part of the buffer",
                m_threshold,
                true)
            .Sets({"ns3::aidc::FlowSetSelector::QueueCapacity"})
            .UseIf(isSwitching, switching);
        parameters.AddTime("interval", "assessment interval of flow-set switching", m_interval)
            .Sets({"ns3::aidc::FlowSetSelector::AssessmentInterval"})
            .UseIf(isSwitching, switching);
        parameters.AddTime("gap", "flowlet gap", m_gap)
            .Sets({"ns3::aidc::FlowletSelector::Gap", "ns3::aidc::FlowSetSelector::FlowletGap"})
            .UseWith(plan, {"flowlet", "flow-set-flowlet"});
        parameters.AddTime("hold-down", "hold-down of migrated flow sets", m_holdDown, true)
            .Sets({"ns3::aidc::FlowSetSelector::HoldDown"})
            .UseIf(isSwitching, switching);
        parameters
            .AddNumber(
                "hysteresis",
                "a flow set migrates only to a port whose CQI is smaller by more than this",
                m_hysteresis,
                [](double x) { return x >= 0 && x <= 255 && x == std::floor(x); },
                "a whole number from 0 to 255")
            .Sets({"ns3::aidc::FlowSetSelector::Hysteresis"})
            .UseIf(isSwitching, switching);
        parameters.AddTime("duration", "how long flows arrive", m_traffic.duration)
            .InSmall("500us")
            .UseIf(isMix, mixes);
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        m_transport.Prepare(GetOptions());
        if (!m_traffic.flows.empty())
        {
            plan.scenarios = {"file"};
        }
        m_transport.CheckLinks(plan, [this](const std::string& scenario) {
            return MakeFlowSetEcmpScenario(scenario, m_traffic, GetOptions().small).fabric;
        });
        if (!m_against.empty())
        {
            const auto& schemes = plan.schemes;
            CheckOption(std::find(schemes.begin(), schemes.end(), m_against) != schemes.end(),
                        "--against to be one of --schemes");
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        auto scenario = MakeFlowSetEcmpScenario(run.scenario, m_traffic, GetOptions().small);
        run.Announce(scenario.flows.size());
        const std::string& scheme = run.scheme;
        const FabricPlan& fabric = scenario.fabric;
        DctcpSettings dctcp;
        dctcp.useSack = false; // acknowledgments may overtake each other
        dctcp.minWindow = 2;   // so that no sender waits for a timer because of marks
        ExperimentTransport transport(m_transport);
        FabricHelper network;
        GetOptions().Configure(network);
        transport.Configure(network, dctcp);
        network.SetSwitchRouting(MakeRouting(scheme));
        if (!HasUserDefault("ns3::aidc::EthernetChannel::DetectionDelay"))
        {
            network.SetDetectionDelay(MicroSeconds(50));
        }
        network.SetConvergenceDelay(MicroSeconds(100));
        transport.Build(network, fabric, m_switch.Make("static"));
        transport.InstallFlows(network, scenario.flows, m_traffic.flows, scenario.limit);

        FlowSetEcmpMonitor monitor(network, scheme.rfind("flow-set", 0) == 0);
        if (scenario.hasFailure)
        {
            const NodeIndex leaf = fabric.GetLeaves().front();
            const LinkIndex link = fabric.GetPorts(leaf)[fabric.GetUplinks(leaf).at(0)].link;
            network.ScheduleFailure(link, scenario.failure, scenario.repair);
        }
        const Time begin = transport.GetBegin();
        // Published files begin seconds after the simulation
        const Time delay = run.scenario == "file" ? begin : Time();
        monitor.Start(delay);
        FabricRecorder recorder(MicroSeconds(10));
        recorder.Add(network);
        transport.Simulate(run, recorder, scenario.limit, delay);
        monitor.Stop();

        ExperimentOutcome outcome;
        if (run.isFirst)
        {
            monitor.WriteSeries(run.GetSeriesPath("cqi"));
        }
        const double elapsed =
            (GetEndOfFlows(transport.GetFlows().GetRecords()) - begin).GetSeconds();
        outcome.Add("goodput", 8.0 * transport.GetFlows().GetDeliveredBytes() / elapsed, "bit/s");
        outcome.Add("completion_time", transport.GetFlows().IsDone() ? elapsed : std::nan(""), "s");
        outcome.records = transport.GetFlows().GetRecords();
        outcome.Add(GetFctMetrics(outcome.records));
        outcome.Add(GetSlowdownsBySize(outcome.records));
        // Packets of RoCEv2 do not pass ns-3's stack, where they are watched.
        monitor.AddTo(outcome, !m_transport.IsRoce());
        outcome.Add(transport.GetMetrics(network));
        Simulator::Destroy();
        return outcome;
    }

    MultipathRoutingHelper MakeRouting(const std::string& scheme) const
    {
        if (scheme == "hash-ecmp")
        {
            return MultipathRoutingHelper();
        }
        MultipathRoutingHelper routing;
        if (scheme == "flowlet")
        {
            routing.SetSelector("ns3::aidc::FlowletSelector");
            routing.SetSelectorAttribute("Gap", TimeValue(m_gap));
        }
        else if (scheme == "spray")
        {
            routing.SetSelector("ns3::aidc::SpraySelector");
        }
        else
        {
            routing = MultipathRoutingHelper("ns3::aidc::FlowSetEcmpRouting");
            routing.SetSelector("ns3::aidc::FlowSetSelector");
            routing.SetSelectorAttribute("AssessmentInterval", TimeValue(m_interval));
            const Time gap = scheme == "flow-set-flowlet" ? m_gap : Seconds(0);
            routing.SetSelectorAttribute("FlowletGap", TimeValue(gap));
            routing.SetSelectorAttribute("RankByBudget",
                                         BooleanValue(scheme == "flow-set-literal"));
            const auto strategy = scheme == "flow-set-full" ? FlowSetSwitchingSettings::FULL_SWITCH
                                  : scheme == "flow-set-none"
                                      ? FlowSetSwitchingSettings::NO_SWITCH
                                      : FlowSetSwitchingSettings::PROGRESSIVE;
            routing.SetSelectorAttribute("Strategy", EnumValue(strategy));
            // 10 % of it is the threshold.
            const QueueSize capacity(QueueSizeUnit::BYTES, 10 * m_threshold);
            routing.SetSelectorAttribute("QueueCapacity", QueueSizeValue(capacity));
            routing.SetSelectorAttribute("Hysteresis",
                                         UintegerValue(static_cast<uint64_t>(m_hysteresis)));
            routing.SetSelectorAttribute("HoldDown", TimeValue(m_holdDown));
        }
        return routing;
    }

    FlowSetEcmpTraffic m_traffic;           //!< what the scenarios are made from
    ExperimentSwitchOptions m_switch;       //!< the switches
    ExperimentTransportOptions m_transport; //!< what carries the flows
    Time m_interval{MicroSeconds(100)};     //!< assessment interval
    Time m_gap{MicroSeconds(20)};           //!< flowlet gap
    uint32_t m_threshold{0};                //!< congestion threshold in bytes, 0 for the default
    Time m_holdDown;                        //!< hold-down of migrated flow sets
    double m_hysteresis{0};                 //!< of CQIs
    std::string m_against;                  //!< the scheme that others are compared with
};

/// @return the experiment
std::unique_ptr<ExperimentBase>
MakeFlowSetEcmpExperiment()
{
    return std::make_unique<FlowSetEcmpExperiment>();
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::MakeFlowSetEcmpExperiment()->Main(argc, argv);
}
