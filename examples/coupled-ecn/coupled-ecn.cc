// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/data-rate.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/inet-socket-address.h"
#include "ns3/nstime.h"
#include "ns3/on-off-helper.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/topology-file.h"
#include "ns3/workload-file-reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

/// @file
/// @experiment ECN threshold coupled to a switch's shared buffer, compared with static thresholds
///
/// The question: a switch shares its buffer, so the longest queue that a port may have depends on
/// how many ports are busy. At which depth should it start to mark packets? This is the problem
/// statement of the draft "Dynamic ECN Threshold" (Yang et al., March 2026; section 4), with its
/// numbers: a 48-port 100 Gb/s switch with 12 MB of shared buffer, and DCTCP hosts.
///
///     hosts ----\            /---- host 0   <- watched port
///                +-- switch +----- host 1
///     hosts ----/  (12 MB)   \---- ...
///
/// What the draft says: a low static threshold wastes throughput where few queues are active and
/// round-trip times are long (light); a high one drops before it marks where all are active
/// (incast); a threshold coupled to the buffer's, Buf_Thrd - Offset, does neither.
///
/// Schemes: static-low marks from 200 KB on (--static-low), static-high from 2 MB on, coupled from
/// Buf_Thrd - Offset on, with the Offset and the ECN_Floor that the switch helper derives from the
/// links (rate times RTT and one MTU; a seventh of that within 30 KB to 100 KB). More schemes: red
/// marks with the band 200 KB to 2 MB, proportional from half of Buf_Thrd on, and static-best runs
/// thresholds from 25 KB to 3.2 MB. static-best is the threshold among these with the most goodput
/// (in step and where flows end, the least 99th percentile of the FCT) in each scenario, and
/// static-overall the threshold whose worst scenario is the least behind static-best.
///
/// Scenarios:
///  - light: 4 receivers with 2 long-lived senders each; RTT 200 us, so that a seventh of the
///    bandwidth-delay product, what DCTCP needs (RFC 8257), is 357 KB
///  - incast: 48 receivers, all at once, with 2 senders each of 5 MB; RTT 12 us
///  - incast-capped: the same with a static cap of 250 KB a queue, the draft's section 4 number
///  - mix: flows between any two hosts, arriving at random, of sizes drawn from a file; RTT 12 us
///  - active-N: N receivers (1 to 48) with 2 long-lived senders each; RTT 12 us
///  - step: 4 receivers with 2 long-lived senders each; after a sixth of the time, 44 others get
///    1 MB from 2 senders each; RTT 12 us
///  - unresponsive: active-4, while another port gets twice its rate of UDP that is not ECN-capable
///  - file: the flows of --flows
///
/// With DCQCN over PFC (--transport=dcqcn) nothing is dropped, and what counts is who comes first,
/// ECN_Thrd or XOFF; incast-capped is left out, since a cap drops.
///
/// It prints one row per scheme and scenario: goodput, drops, drops before the first mark, marks,
/// the queue and flow completion times. In addition to the files of all experiments there is
/// queue-SCENARIO-SCHEME.csv, the watched queue (see EcnQueueMonitor). The results are sensitive to
/// --alpha, --rtt and --buffer. doc/coupled-ecn.rst says what becomes of the draft's claims.

namespace ns3::aidc
{

/// What the scenarios of CoupledEcnExperiment are made from.
struct CoupledEcnTraffic
{
    std::string topology;                                     //!< file, or empty for the scenario's
    std::string flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file
    std::string flows;                                        //!< file, or empty
    double load{0.6};                                         //!< of scenario mix
    Time duration; //!< of the scenarios with active queues, 0 for their own
};

/// The flows of a scenario of CoupledEcnExperiment, and where they go.
struct CoupledEcnScenario
{
    TopologyFile topology;        //!< the network
    std::vector<FlowSpec> flows;  //!< the flows
    std::vector<FlowSpec> floods; //!< senders at line rate that ignore ECN, of another transport
    bool isCapped{false};         //!< whether queues have a static cap
    bool isEndless{false};        //!< whether flows have no end
    std::size_t nLong{0};         //!< how many flows, the first ones, outlast the simulation
    Time limit;                   //!< when the simulation ends at the latest
    Time sampling;                //!< the interval of the series
};

namespace
{

/// The beginning of the names of scenarios with a number of active queues.
const std::string ACTIVE = "active-";

/// The numbers of active queues.
constexpr std::array<uint32_t, 7> ACTIVE_QUEUES{1, 2, 4, 8, 16, 32, 48};

/// The queues that are active throughout scenario step.
constexpr std::size_t STEP_QUEUES = 4;

/// The size of a long flow of scenario step: more than a link carries in it.
constexpr uint64_t LONG_FLOW = 1000000000;

/// Make flows of two senders to each receiver, which start within 10 us; 0 bytes never end.
std::vector<FlowSpec>
MakeFanIn(const std::vector<NodeIndex>& hosts, std::size_t nReceivers, uint64_t bytes)
{
    auto uniform = CreateObject<UniformRandomVariable>();
    uniform->SetStream(1);
    std::vector<FlowSpec> flows;
    for (std::size_t i = 0; i < 2 * nReceivers; ++i)
    {
        const Time start = NanoSeconds(static_cast<int64_t>(uniform->GetValue(0, 10000)));
        flows.push_back({hosts[hosts.size() - 1 - i], hosts[i / 2], 0, 0, bytes, start});
    }
    return flows;
}

/// Get how long the scenarios with active queues take. @return the simulated time
Time
GetDuration(const CoupledEcnTraffic& traffic, bool isSmall)
{
    return traffic.duration.IsZero() ? MilliSeconds(isSmall ? 2 : 4) : traffic.duration;
}

/// @return the scenarios with a number of active queues: active-1 to active-48, step, unresponsive
std::vector<std::string>
GetActiveQueueScenarios()
{
    std::vector<std::string> names;
    for (const auto n : ACTIVE_QUEUES)
    {
        names.push_back(ACTIVE + std::to_string(n));
    }
    names.emplace_back("step");
    names.emplace_back("unresponsive");
    return names;
}

/// Make a scenario. @throws std::runtime_error if a file is wrong, or there are no flows
CoupledEcnScenario
MakeCoupledEcnScenario(const std::string& name, const CoupledEcnTraffic& traffic, bool isSmall)
{
    const bool isIncast = name == "incast" || name == "incast-capped";
    const bool isActive = name.rfind(ACTIVE, 0) == 0 || name == "unresponsive";
    const std::string file = !traffic.topology.empty() ? traffic.topology
                             : name == "light"         ? "topologies/tor-48-200us.txt"
                             : isIncast || isActive || name == "step"
                                 ? "topologies/tor-48-incast.txt"
                                 : "topologies/tor-48-12us.txt";
    CoupledEcnScenario
        scenario{TopologyFile::Read(FindDataFile(file)), {}, {}, false, false, 0, {}, {}};
    scenario.topology.PrintNotes();
    const auto hosts = scenario.topology.GetHosts();
    const std::size_t third = std::max<std::size_t>(1, hosts.size() / 3);
    if (name == "light")
    {
        scenario.flows = MakeFanIn(hosts, std::min<std::size_t>(4, third), 0);
        scenario.isEndless = true;
        scenario.limit = MilliSeconds(isSmall ? 10 : 30);
        scenario.sampling = MicroSeconds(20);
    }
    else if (isIncast)
    {
        scenario.flows = MakeFanIn(hosts, third, isSmall ? 1000000 : 5000000);
        scenario.isCapped = name == "incast-capped";
        scenario.limit = MilliSeconds(100);
        scenario.sampling = MicroSeconds(1);
    }
    else if (isActive)
    {
        const bool isFlooded = name == "unresponsive";
        const auto n = isFlooded ? STEP_QUEUES : std::stoul(name.substr(ACTIVE.size()));
        scenario.flows = MakeFanIn(hosts, std::min<std::size_t>(n, third), 0);
        if (isFlooded)
        {
            const auto all = MakeFanIn(hosts, third, 0);
            scenario.floods.assign(all.end() - 2, all.end());
        }
        scenario.isEndless = true;
        scenario.limit = GetDuration(traffic, isSmall);
        scenario.sampling = MicroSeconds(5);
    }
    else if (name == "step")
    {
        scenario.flows = MakeFanIn(hosts, third, 1000000);
        scenario.limit = GetDuration(traffic, isSmall);
        scenario.sampling = MicroSeconds(5);
        scenario.nLong = 2 * std::min(STEP_QUEUES, third);
        for (std::size_t i = 0; i < scenario.flows.size(); ++i)
        {
            if (i < scenario.nLong)
            {
                scenario.flows[i].bytes = LONG_FLOW;
            }
            else
            {
                scenario.flows[i].start += scenario.limit / 6;
            }
        }
    }
    else if (name == "mix")
    {
        const auto sizes = FlowSizeDistribution::Read(FindDataFile(traffic.flowSizes));
        PoissonFlowGenerator generator(hosts, sizes);
        generator.SetLoad(traffic.load);
        generator.SetDuration(MicroSeconds(isSmall ? 300 : 3000));
        generator.AssignStreams(1);
        scenario.flows = generator.Generate();
        scenario.limit = MilliSeconds(200);
        scenario.sampling = MicroSeconds(5);
    }
    else
    {
        TrailingText trailing;
        scenario.flows = ReadFlowFile(FindDataFile(traffic.flows), &trailing);
        NoteTrailingText(traffic.flows, trailing);
        scenario.sampling = MicroSeconds(100);
    }
    if (scenario.flows.empty())
    {
        throw std::runtime_error("scenario " + name + " has no flows");
    }
    if (scenario.limit.IsZero())
    {
        scenario.limit = scenario.flows.back().start + Seconds(1);
    }
    return scenario;
}

/// The name of the best of some static thresholds.
const std::string STATIC_BEST = "static-best";

/// The thresholds of which it is the best, in KB.
constexpr std::array<uint32_t, 8> STATIC_KB{25, 50, 100, 200, 400, 800, 1600, 3200};

/// Get the name of the scheme of a static threshold.
std::string
GetStaticName(uint32_t kilobytes)
{
    return "static-" + std::to_string(kilobytes) + "kb";
}

/// Install UDP senders at the rate of their links, which are not ECN-capable.
void
InstallFloods(const FabricHelper& network, const std::vector<FlowSpec>& flows)
{
    constexpr uint16_t DISCARD_PORT = 9;
    for (const auto& flow : flows)
    {
        const InetSocketAddress to(network.GetAddress(flow.destination), DISCARD_PORT);
        OnOffHelper sender("ns3::UdpSocketFactory", to);
        sender.SetConstantRate(DataRate("100Gbps"), 8972); // 9000 bytes with its headers
        if (network.IsLocal(flow.source))
        {
            sender.Install(network.GetNode(flow.source)).Start(flow.start);
        }
    }
}

} // namespace

/// The experiment coupled-ecn, which the comment of coupled-ecn.cc describes.
class CoupledEcnExperiment : public ExperimentBase
{
  public:
    CoupledEcnExperiment()
        : ExperimentBase(
              "coupled-ecn",
              "An ECN threshold coupled to the dynamic buffer threshold of a shared-buffer "
              "switch, compared with static thresholds.",
              {true, true})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"light", "incast", "incast-capped", "mix"};
        plan.schemes = {"static-low", "static-high", "coupled"};
        m_switch.alpha = 8;
        m_switch.cap = 250000;

        auto known = plan.scenarios;
        const auto active = GetActiveQueueScenarios();
        known.insert(known.end(), active.begin(), active.end());
        auto& parameters = GetParameters();
        parameters
            .AddNames("scenarios",
                      "scenarios to run: " + JoinWords(known, ", "),
                      known,
                      plan.scenarios)
            .UseIf([this] { return m_traffic.flows.empty(); }, "no --flows");
        auto schemes = plan.schemes;
        schemes.insert(schemes.end(), {"red", "proportional", STATIC_BEST});
        parameters
            .AddNames("schemes",
                      "schemes to compare: " + JoinWords(schemes, ", "),
                      schemes,
                      plan.schemes)
            .Sets({"ns3::aidc::CoupledEcnQueueDisc::Mode"});
        parameters.AddText("topology",
                           "topology file instead of the scenario's",
                           m_traffic.topology,
                           "default");
        parameters.AddText("flow-sizes", "flow-size file for scenario mix", m_traffic.flowSizes)
            .UseIn(plan, {"mix"});
        parameters.AddText("flows",
                           "flow file, run instead of the scenarios",
                           m_traffic.flows,
                           "none");
        parameters
            .AddNumber(
                "load",
                "load of scenario mix, above 0 and at most 1",
                m_traffic.load,
                [](double load) { return load > 0 && load <= 1; },
                "above 0 and at most 1")
            .UseIn(plan, {"mix"});
        parameters
            .AddTime("duration",
                     "simulated time of active-N, step and unresponsive; 0s is 4 ms, or 2 ms "
                     "with --small",
                     m_traffic.duration,
                     true)
            .UseIf([&plan, active] { return plan.HasScenario(active); },
                   "--scenarios=" + JoinWords(active, ", "));
        m_switch.AddBufferTo(parameters, "static cap of a queue in incast-capped");
        parameters.Get("cap").UseIf(
            [&plan, hasNone = m_switch.HasNoChip()] {
                return plan.HasScenario({"incast-capped"}) && hasNone();
            },
            "--scenarios=incast-capped, and no --chip,");
        const auto addThreshold = [&](const std::string& scheme, uint32_t& bytes) {
            parameters.AddBytes(scheme, "ECN threshold of " + scheme, bytes)
                .Sets({"ns3::aidc::CoupledEcnQueueDisc::Threshold"})
                .UseWith(plan, {scheme});
        };
        addThreshold("static-low", m_staticLow);
        addThreshold("static-high", m_staticHigh);
        m_switch.AddRedTo(parameters, plan);
        m_switch.AddCoupledMarkingTo(parameters, plan);
        m_transport.AddTo(parameters);
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        m_transport.Prepare(GetOptions());
        CheckOption(m_switch.kmin <= m_switch.kmax, "--kmin up to --kmax");
        if (m_transport.IsLossless())
        {
            // Beyond a cap packets are dropped, where a lossless class must not drop.
            auto& names = plan.scenarios;
            const auto mayDrop = [](const auto& name) {
                return name == "incast-capped" || name == "unresponsive";
            };
            names.erase(std::remove_if(names.begin(), names.end(), mayDrop), names.end());
            CheckOption(!names.empty(),
                        "--lossless=off with --scenarios=incast-capped or unresponsive");
        }
        const auto best = std::find(plan.schemes.begin(), plan.schemes.end(), STATIC_BEST);
        if (best != plan.schemes.end())
        {
            const auto place = plan.schemes.erase(best);
            std::vector<std::string> names;
            for (const auto kilobytes : STATIC_KB)
            {
                names.push_back(GetStaticName(kilobytes));
            }
            plan.schemes.insert(place, names.begin(), names.end());
        }
        if (!m_traffic.flows.empty())
        {
            plan.scenarios = {"file"};
        }
        if (std::find(plan.scenarios.begin(), plan.scenarios.end(), "mix") != plan.scenarios.end())
        {
            FlowSizeDistribution::Read(FindDataFile(m_traffic.flowSizes)); // not after minutes
        }
        m_transport.CheckLinks(plan, [this](const std::string& scenario) {
            return MakeCoupledEcnScenario(scenario, m_traffic, GetOptions().small)
                .topology.GetFabric();
        });
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const auto scenario = MakeCoupledEcnScenario(run.scenario, m_traffic, GetOptions().small);
        run.Announce(scenario.flows.size());
        ExperimentTransport transport(m_transport);
        FabricHelper network;
        GetOptions().Configure(network);
        transport.Configure(network);
        transport.Build(network,
                        scenario.topology.GetFabric(),
                        MakeSwitches(run.scheme, scenario.isCapped));
        transport.InstallFlows(network, scenario.flows, m_traffic.flows, scenario.limit);
        InstallFloods(network, scenario.floods);

        EcnQueueMonitor monitor(scenario.sampling);
        std::set<NodeIndex> receivers;
        for (const auto& flow : scenario.flows)
        {
            if (receivers.insert(flow.destination).second)
            {
                const auto ports = network.GetSwitchPorts(flow.destination);
                for (uint32_t i = 0; i < ports.GetN(); ++i)
                {
                    for (const auto& queue : transport.GetDataQueues(ports.Get(i)))
                    {
                        monitor.Add(queue);
                    }
                }
            }
        }
        if (run.isFirst)
        {
            const auto port = network.GetSwitchPort(scenario.flows.front().destination);
            monitor.WriteSeries(transport.GetDataQueue(port), run.GetSeriesPath("queue"));
        }
        const Time begin = transport.GetBegin();
        // Published files begin seconds after the simulation
        const Time delay = run.scenario == "file" ? begin : Time();
        monitor.Start(delay);
        FabricRecorder recorder(MicroSeconds(1));
        recorder.Add(network);
        transport.Simulate(run, recorder, scenario.limit, delay);
        monitor.Stop();

        ExperimentOutcome outcome;
        const double elapsed =
            (GetEndOfFlows(transport.GetFlows().GetRecords()) - begin).GetSeconds();
        outcome.Add("goodput", 8.0 * transport.GetFlows().GetDeliveredBytes() / elapsed, "bit/s");
        outcome.Add("dropped_packets", monitor.GetDroppedPackets(), "packet");
        outcome.Add("marked_packets", monitor.GetMarkedPackets(), "packet");
        outcome.Add("packet_hops", network.GetPacketCounts().sent, "packet");
        outcome.Add("drops_before_first_mark", monitor.GetDropsBeforeFirstMark(), "packet");
        outcome.Add("headroom_at_first_mark", monitor.GetHeadroomAtFirstMark(), "byte");
        if (run.scheme == "coupled")
        {
            for (const auto region : {EcnRegion::A, EcnRegion::B, EcnRegion::C})
            {
                const char letter = static_cast<char>('a' + static_cast<int>(region));
                outcome.Add(std::string("time_in_region_") + letter,
                            monitor.GetTimeInRegion(region).GetSeconds(),
                            "s");
                outcome.Add(std::string("marked_in_region_") + letter,
                            monitor.GetMarkedPackets(region),
                            "packet");
            }
        }
        if (run.scheme.rfind("static-", 0) == 0)
        {
            outcome.Add("threshold", GetStaticThreshold(run.scheme), "byte");
        }
        outcome.Add("queue_p99", monitor.GetOccupancyPercentile(0.99), "byte");
        outcome.Add("queue_max", monitor.GetMaxOccupancy(), "byte");
        if (!scenario.isEndless)
        {
            const auto& records = transport.GetFlows().GetRecords();
            const auto shortFlows = records.begin() + static_cast<std::ptrdiff_t>(scenario.nLong);
            outcome.Add("completion_time",
                        transport.GetFlows().IsDone() ? elapsed : std::nan(""),
                        "s");
            outcome.Add(GetFctMetrics({shortFlows, records.end()}));
        }
        outcome.Add(transport.GetMetrics(network));
        outcome.records = transport.GetFlows().GetRecords();
        Simulator::Destroy();
        return outcome;
    }

    /// Make the helper that installs the switches.
    SharedBufferSwitchHelper MakeSwitches(const std::string& scheme, bool isCapped) const
    {
        auto options = m_switch;
        options.cap = isCapped ? m_switch.cap : 0;
        options.marking = GetStaticThreshold(scheme);
        return options.Make(scheme.rfind("static-", 0) == 0 ? "static" : scheme);
    }

    /// @return bytes
    uint32_t GetStaticThreshold(const std::string& scheme) const
    {
        for (const auto kilobytes : STATIC_KB)
        {
            if (scheme == GetStaticName(kilobytes))
            {
                return kilobytes * 1000;
            }
        }
        return scheme == "static-low" ? m_staticLow : m_staticHigh;
    }

    CoupledEcnTraffic m_traffic;            //!< what the scenarios are made from
    ExperimentSwitchOptions m_switch;       //!< the switch; its cap is for incast-capped
    uint32_t m_staticLow{200000};           //!< threshold of static-low
    uint32_t m_staticHigh{2000000};         //!< threshold of static-high
    ExperimentTransportOptions m_transport; //!< what carries the flows
};

/// @return the experiment
std::unique_ptr<ExperimentBase>
MakeCoupledEcnExperiment()
{
    return std::make_unique<CoupledEcnExperiment>();
}

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::MakeCoupledEcnExperiment()->Main(argc, argv);
}
