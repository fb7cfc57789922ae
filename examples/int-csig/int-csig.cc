// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/boolean.h"
#include "ns3/clos-fabric.h"
#include "ns3/csig-helper.h"
#include "ns3/ecn-queue-monitor.h"
#include "ns3/ethernet-net-device.h"
#include "ns3/event-id.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-results.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/fabric-helper.h"
#include "ns3/fabric-plan.h"
#include "ns3/fabric-recorder.h"
#include "ns3/flow-generators.h"
#include "ns3/flow-size-distribution.h"
#include "ns3/flow-spec-file.h"
#include "ns3/nstime.h"
#include "ns3/process-gather.h"
#include "ns3/random-variable-stream.h"
#include "ns3/result-file.h"
#include "ns3/roce-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/user-default.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// @file
/// @experiment In-band telemetry of every hop compared with CSIG's signal of the worst hop
///
/// The question: a congestion control that knows the links of its path can set its rate at once.
/// HPCC (Li et al., SIGCOMM 2019) has each hop write 8 bytes, which is 42 bytes in each packet of
/// five hops. The draft "Congestion Signaling (CSIG)" (Ravi et al., February 2024) has a tag of 8
/// bytes with the worst value only. What does the sender lose by that, and what do the bytes cost?
///
///      spine  spine  spine  spine
///        |  \/  \/ ... /\  |            all hosts have 100 Gb/s, all links 1 us
///      leaf   leaf   leaf   leaf
///       ^|     |      |      |          8 hosts each
///      hosts  hosts  hosts  hosts
///
/// What is known: HPCC's paper claims near-zero queues and convergence within round trips, at 5 %
/// of headroom and 42 bytes per packet. The draft says that the value of the bottleneck is what
/// HPCC and Swift need (section 8.1), without numbers.
///
/// Scenarios:
///  - joins: hosts of other leaves send to the first host without end. One joins after another
///  - incast: --degree hosts send to it at once
///  - mix: flows between all hosts, at --load
///
/// Schemes: int is HPCC with in-band telemetry. csig is HPCC's law by CSIG's min(ABW/C) and the
/// depth of the queue, max(nQD), which is an extension; csig-draft has max(PD) in place of
/// max(nQD), so that it needs nothing but the draft. swift-csig is Swift on max(PD), jump start on
/// min(ABW). Without telemetry there are swift, on the round-trip time, and dcqcn, on ECN marks.
///
/// It prints one row per scheme and scenario. reaction_time is how long the first sender takes to
/// give up half of what the second one is due; convergence_time, how long it takes until shares are
/// fair (Jain's index of 100 us from 0.95 on, for 100 us). overhead is what hosts send in addition
/// to payload, as a share of it: headers, telemetry and acknowledgments. rates-joins-SCHEME.csv has
/// the rates of the senders.
///
///     ./aidc sweep int-csig --vary window=5us,10us,20us,100us --scenarios=joins --schemes=csig

namespace ns3::aidc
{

namespace
{

/// How often senders are read.
constexpr int64_t INTERVAL_NS = 2000;

/// Readings of 100 us: a window of Jain's index, and how long shares have to be fair.
constexpr std::size_t WINDOW = 100000 / INTERVAL_NS;

/// Jain's index from which on shares are fair.
constexpr double FAIR = 0.95;

/// What the first sender keeps when it has given up half of what the second one is due.
constexpr double REACTED = 0.75;

constexpr double SECONDS = 1e-9 * INTERVAL_NS; //!< between two readings

constexpr uint64_t RATE = 100000000000; //!< bit/s of a host's link
constexpr uint32_t N_LEAVES = 4;        //!< leaves

constexpr double PAYLOAD = 4096; //!< bytes of a full packet
constexpr double FRAME = 4178;   //!< its bytes on a link without telemetry

/// Joins and senders of an incast begin within this time.
constexpr double JITTER_NS = 1000;

/// How long a run may last after the last flow has begun.
const Time PATIENCE = MilliSeconds(100);

/// Watches how senders that join one after another share a link.
///
/// A sender counts by what its RoceNic has sent. The monitor must outlive the simulation. With
/// several processes (MpiProcesses), each one calls the functions at the same points.
class ShareMonitor
{
  public:
    /// What has become of the shares; all but the first are means over the joins.
    struct Result
    {
        /// Time from the second sender's join until the first one has given up half of what is due,
        /// a quarter of the link, s; the time to the next join if it does not.
        double reaction{0};
        /// Time from a join until Jain's index of the last 100 us is 0.95 or more for 100 us, s;
        /// the time to the next join if it is not.
        double convergence{0};
        double converged{0}; //!< share of the joins after which this has come
        double fairness{0};  //!< Jain's index of what is sent in the second half of the time after
    };

    ShareMonitor(const FabricHelper& network,
                 const std::vector<NodeIndex>& senders,
                 const std::vector<Time>& joins,
                 Time end,
                 double goodput)
        : m_network(network),
          m_senders(senders),
          m_goodput(goodput * SECONDS),
          m_sent(senders.size())
    {
        auto times = joins;
        times.push_back(end);
        for (const auto& time : times)
        {
            m_joins.push_back(
                static_cast<std::size_t>((time.GetNanoSeconds() + INTERVAL_NS - 1) / INTERVAL_NS));
        }
        m_event = Simulator::Schedule(Time(), &ShareMonitor::Read, this);
    }

    ~ShareMonitor()
    {
        m_event.Cancel();
    }

    ShareMonitor(const ShareMonitor&) = delete;
    ShareMonitor& operator=(const ShareMonitor&) = delete;

    /// Get what the other processes have read, after the simulation.
    void Gather()
    {
        std::vector<PlacedItem<uint64_t>> own;
        for (std::size_t i = 0; i < m_sent.size(); ++i)
        {
            for (const uint64_t sent : m_sent[i])
            {
                own.push_back({i, sent});
            }
            m_sent[i].clear();
        }
        for (const auto& [sender, sent] : GatherItems(own))
        {
            m_sent[sender].push_back(sent);
        }
    }

    /// @return what has become of the shares
    Result GetResult() const
    {
        Result result;
        const auto nJoins = static_cast<double>(m_senders.size() - 1);
        for (std::size_t joining = 1; joining < m_senders.size(); ++joining)
        {
            const std::size_t begin = m_joins[joining];
            const std::size_t end = std::min(m_joins[joining + 1], m_nReadings - 1);
            std::size_t fairFrom = end;
            std::size_t nFair = 0;
            for (std::size_t i = begin + WINDOW; i <= end && nFair < WINDOW; ++i)
            {
                nFair = GetFairness(joining + 1, i - WINDOW, i) >= FAIR ? nFair + 1 : 0;
                fairFrom = nFair == 1 ? i : fairFrom;
            }
            const bool hasConverged = nFair == WINDOW;
            fairFrom = hasConverged ? fairFrom : end;
            result.convergence += static_cast<double>(fairFrom - begin) * SECONDS / nJoins;
            result.converged += hasConverged ? 1 / nJoins : 0;
            result.fairness += GetFairness(joining + 1, (begin + end) / 2, end) / nJoins;
        }
        const std::size_t begin = m_joins[1];
        std::size_t reacted = begin + 1;
        while (reacted < m_joins[2] && GetSent(0, reacted - 1, reacted) > REACTED * m_goodput)
        {
            ++reacted;
        }
        result.reaction = static_cast<double>(reacted - begin) * SECONDS;
        return result;
    }

    /// Write the rates of all senders: `time_s`, then `sender_N_bit_s` for each.
    void Write(const std::string& path) const
    {
        std::string names = "time_s";
        for (std::size_t i = 0; i < m_senders.size(); ++i)
        {
            names += ",sender_" + std::to_string(i) + "_bit_s";
        }
        ResultFile file(path, names);
        for (std::size_t end = WINDOW; end < m_nReadings; end += WINDOW)
        {
            file << static_cast<double>(end) * SECONDS;
            for (std::size_t i = 0; i < m_senders.size(); ++i)
            {
                file << ',' << 8 * GetSent(i, end - WINDOW, end) / (SECONDS * WINDOW);
            }
            file << '\n';
        }
        file.Close();
    }

  private:
    /// Read the senders of this process, and do so again later.
    void Read()
    {
        for (std::size_t i = 0; i < m_senders.size(); ++i)
        {
            if (m_network.IsLocal(m_senders[i]))
            {
                const auto nic = RoceHelper::GetNic(m_network.GetNode(m_senders[i]));
                m_sent[i].push_back(nic->GetStatistics().sentBytes);
            }
        }
        ++m_nReadings;
        m_event = Simulator::Schedule(NanoSeconds(INTERVAL_NS), &ShareMonitor::Read, this);
    }

    /// Get the bytes that a sender has sent between two readings, by their numbers.
    double GetSent(std::size_t sender, std::size_t begin, std::size_t end) const
    {
        return static_cast<double>(m_sent[sender][end] - m_sent[sender][begin]);
    }

    /// Get Jain's index of what senders have sent between two readings; 0 if they sent nothing.
    double GetFairness(std::size_t nSenders, std::size_t begin, std::size_t end) const
    {
        double sum = 0;
        double squares = 0;
        for (std::size_t i = 0; i < nSenders; ++i)
        {
            const double sent = GetSent(i, begin, end);
            sum += sent;
            squares += sent * sent;
        }
        return squares > 0 ? sum * sum / (static_cast<double>(nSenders) * squares) : 0;
    }

    const FabricHelper& m_network;             //!< the network
    std::vector<NodeIndex> m_senders;          //!< the hosts
    std::vector<std::size_t> m_joins;          //!< the first reading after a join, then the end
    double m_goodput;                          //!< bytes that the link carries between two readings
    std::size_t m_nReadings{0};                //!< how often they were read
    std::vector<std::vector<uint64_t>> m_sent; //!< by sender and reading, bytes
    EventId m_event;                           //!< the next reading
};

bool
HasCsig(const std::string& scheme)
{
    return scheme.find("csig") != std::string::npos;
}

/// Get what hosts send in addition to payload. @return frame bytes over payload bytes, less 1
double
GetOverhead(const FabricHelper& network)
{
    uint64_t frames = 0;
    uint64_t payload = 0;
    const auto hosts = network.GetHosts();
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        payload += RoceHelper::GetNic(*host)->GetStatistics().sentBytes;
        for (uint32_t i = 0; i < (*host)->GetNDevices(); ++i)
        {
            if (const auto device = DynamicCast<EthernetNetDevice>((*host)->GetDevice(i)))
            {
                frames += device->GetStatistics().outOctets;
            }
        }
    }
    return static_cast<double>(SumOverProcesses(frames)) /
               static_cast<double>(SumOverProcesses(payload)) -
           1;
}

} // namespace

/// The experiment.
class IntCsigExperiment : public ExperimentBase
{
  public:
    IntCsigExperiment()
        : ExperimentBase(
              "int-csig",
              "HPCC with in-band telemetry of every hop compared with CSIG's signal of the "
              "worst hop: bytes, reaction, convergence and completion times.",
              {true, false})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"joins", "incast", "mix"};
        plan.schemes = {"int", "csig", "csig-draft", "swift-csig", "swift", "dcqcn"};
        GetParameters().AddNames("scenarios", "scenarios to run", plan.scenarios);
        GetParameters()
            .AddNames("schemes", "what senders know", plan.schemes)
            .Sets({"ns3::aidc::RoceNic::CongestionControl",
                   "ns3::aidc::RoceNic::Recovery",
                   "ns3::aidc::CoupledEcnQueueDisc::Mode",
                   "ns3::aidc::CsigAgent::Estimation",
                   "ns3::aidc::CsigDomain::QueueDepth",
                   "ns3::aidc::CsigPathSignals::Format",
                   "ns3::aidc::CsigPathSignals::Signals",
                   "ns3::aidc::CsigPort::Trusted",
                   "ns3::aidc::SwiftControl::GoverningDelay",
                   "ns3::aidc::JumpStartControl::JumpStart"});
        AddSettings();
    }

  private:
    void Prepare(ExperimentPlan&) override
    {
        const uint32_t most = (N_LEAVES - 1) * (GetOptions().small ? 4 : 8);
        CheckRange("senders", m_senders, 2, most);
        CheckRange("degree", m_degree, 1, most);
        // Jain's index is of 100 us, and for 100 us
        CheckOption(m_interval >= MicroSeconds(200), "--interval of at least 200us");
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        const FabricPlan fabric = MakeNetwork();
        auto transport = MakeTransport(run.scheme);
        FabricHelper network;
        GetOptions().Configure(network);
        transport.Configure(network);
        transport.Build(network, fabric, m_switch.Make("static"));
        CsigHelper csig;
        if (HasCsig(run.scheme))
        {
            InstallCsig(run.scheme, network, csig);
        }

        const auto flows = MakeFlows(fabric, run.scenario);
        const Time limit = GetLimit(run.scenario);
        run.Announce(flows.size());
        transport.InstallFlows(network, flows, m_flowSizes, limit);

        std::unique_ptr<ShareMonitor> shares;
        if (run.scenario == "joins")
        {
            std::vector<NodeIndex> senders;
            std::vector<Time> joins;
            for (const auto& flow : flows)
            {
                senders.push_back(flow.source);
                joins.push_back(flow.start);
            }
            const double goodput = static_cast<double>(RATE) / 8 * PAYLOAD / FRAME;
            shares = std::make_unique<ShareMonitor>(network, senders, joins, limit, goodput);
        }
        EcnQueueMonitor queues(MicroSeconds(1));
        for (const NodeIndex id : fabric.GetSwitches())
        {
            for (PortIndex port; network.IsLocal(id) && port < fabric.GetPorts(id).GetEnd(); ++port)
            {
                const bool isWatched = run.scenario == "mix" || // or only the port to the receiver
                                       fabric.GetPorts(id)[port].peer == fabric.GetHosts().front();
                if (isWatched)
                {
                    queues.Add(transport.GetDataQueue(network.GetPort(id, port)));
                }
            }
        }
        queues.Start();
        FabricRecorder recorder(MicroSeconds(10));
        recorder.Add(network);
        transport.Simulate(run, recorder, limit);
        queues.Stop();

        ExperimentOutcome outcome;
        outcome.records = transport.GetFlows().GetRecords();
        const Time end = shares ? limit : GetEndOfFlows(outcome.records);
        const auto delivered = static_cast<double>(transport.GetFlows().GetDeliveredBytes());
        outcome.Add("goodput", 8 * delivered / end.GetSeconds(), "bit/s");
        outcome.Add("overhead", GetOverhead(network), "1");
        outcome.Add("queue_p99", queues.GetOccupancyPercentile(0.99), "byte");
        outcome.Add("queue_max", queues.GetMaxOccupancy(), "byte");
        ShareMonitor::Result result{std::nan(""), std::nan(""), std::nan(""), std::nan("")};
        if (shares)
        {
            shares->Gather();
            result = shares->GetResult();
            if (run.isFirst)
            {
                shares->Write(run.GetSeriesPath("rates"));
            }
        }
        outcome.Add("reaction_time", result.reaction, "s");
        outcome.Add("convergence_time", result.convergence, "s");
        outcome.Add("converged_joins", result.converged, "1");
        outcome.Add("fairness", result.fairness, "1");
        const bool isDone = !shares && transport.GetFlows().IsDone();
        outcome.Add("completion_time", isDone ? end.GetSeconds() : std::nan(""), "s");
        outcome.Add(GetFctMetrics(outcome.records));
        outcome.Add("dropped_packets", network.GetPacketCounts().dropped, "packet");
        outcome.Add(transport.GetMetrics(network));
        Simulator::Destroy();
        return outcome;
    }

    /// Let a user set the rest.
    void AddSettings()
    {
        const auto& plan = GetPlan();
        auto& parameters = GetParameters();
        parameters
            .AddCount("senders",
                      "hosts that join one after another, in joins, from 2 to 24",
                      m_senders)
            .InSmall("4")
            .UseIn(plan, {"joins"});
        parameters.AddTime("interval", "time from one join to the next, in joins", m_interval)
            .InSmall("200us")
            .UseIn(plan, {"joins"});
        parameters
            .AddCount("degree",
                      "hosts that send at the same time, in incast, from 1 to 24",
                      m_degree)
            .InSmall("8")
            .UseIn(plan, {"incast"});
        parameters.AddBytes("size", "bytes that each of them sends, in incast", m_size)
            .InSmall("200kB")
            .UseIn(plan, {"incast"});
        parameters.AddText("flow-sizes", "flow-size file, in mix", m_flowSizes)
            .UseIn(plan, {"mix"});
        parameters
            .AddNumber(
                "load",
                "load of the hosts' links, in mix, above 0, at most 1",
                m_load,
                [](double load) { return load > 0 && load <= 1; },
                "above 0, at most 1")
            .UseIn(plan, {"mix"});
        parameters.AddTime("duration", "how long flows arrive, in mix", m_duration)
            .InSmall("200us")
            .UseIn(plan, {"mix"});
        parameters.AddTime("window", "time over which CSIG measures available bandwidth", m_window)
            .Sets({"ns3::aidc::CsigAgent::Interval"})
            .UseWith(plan, {"csig", "csig-draft", "swift-csig"});
        m_switch.AddMemoryTo(parameters,
                             "size of a switch's shared buffer, without the headroom of PFC");
        m_switch.AddStaticMarkingTo(parameters);
        parameters.Get("marking").UseWith(plan, {"dcqcn"});
    }

    FabricPlan MakeNetwork() const
    {
        LeafSpineSettings settings;
        settings.leaves = N_LEAVES;
        settings.spines = GetOptions().small ? 2 : 4;
        settings.hostsPerLeaf = GetOptions().small ? 4 : 8;
        settings.hostRate = RATE;
        settings.overSubscription = 1;
        settings.hostDelay = 1000;
        settings.leafSpineDelay = 1000;
        return MakeLeafSpine(settings);
    }

    /// @return the hosts that do not share the leaf of the first one, a host of each leaf in turn
    static std::vector<NodeIndex> GetOthers(const FabricPlan& fabric)
    {
        const auto& hosts = fabric.GetHosts();
        const std::size_t perLeaf = hosts.size() / N_LEAVES;
        std::vector<NodeIndex> others;
        for (std::size_t i = 0; i < perLeaf; ++i)
        {
            for (std::size_t leaf = 1; leaf < N_LEAVES; ++leaf)
            {
                others.push_back(hosts[leaf * perLeaf + i]);
            }
        }
        return others;
    }

    std::vector<FlowSpec> MakeFlows(const FabricPlan& fabric, const std::string& scenario) const
    {
        if (scenario == "mix")
        {
            const auto sizes = FlowSizeDistribution::Read(FindDataFile(m_flowSizes));
            PoissonFlowGenerator generator(fabric.GetHosts(), sizes);
            generator.SetHostRate(DataRate(RATE));
            generator.SetLoad(m_load);
            generator.SetDuration(m_duration);
            generator.AssignStreams(1);
            return generator.Generate();
        }
        auto jitter = CreateObject<UniformRandomVariable>();
        jitter->SetStream(1);
        const bool isIncast = scenario == "incast";
        const auto others = GetOthers(fabric);
        std::vector<FlowSpec> flows;
        for (uint32_t i = 0; i < (isIncast ? m_degree : m_senders); ++i)
        {
            const Time start = m_interval * static_cast<int64_t>(isIncast ? 0 : i) +
                               NanoSeconds(static_cast<int64_t>(jitter->GetValue(0, JITTER_NS)));
            flows.push_back(
                {others[i], fabric.GetHosts().front(), 0, 0, isIncast ? m_size : 0, start});
        }
        return flows;
    }

    /// @return what carries the flows
    static ExperimentTransport MakeTransport(const std::string& scheme)
    {
        ExperimentTransportOptions options;
        options.transport = scheme == "int" ? "hpcc" : scheme == "dcqcn" ? "dcqcn" : "swift";
        options.lossless = "on";
        ExperimentTransport transport(options);
        if (scheme == "csig" || scheme == "csig-draft")
        {
            transport.GetControl().SetTypeId("ns3::aidc::CsigControl");
        }
        else if (scheme == "swift-csig")
        {
            transport.GetControl().Set("GoverningDelay", StringValue("HopDelay"));
            transport.GetControl().Set("JumpStart", BooleanValue(true));
        }
        return transport;
    }

    /// Give switches and adapters CSIG, after the adapters.
    void InstallCsig(const std::string& scheme, const FabricHelper& network, CsigHelper& csig) const
    {
        const bool hasDepth = scheme == "csig";
        csig.SetDomainAttribute("QueueDepth", BooleanValue(hasDepth));
        csig.SetPortAttribute("Trusted", BooleanValue(true));
        csig.SetAgentAttribute("Estimation", StringValue("Interval"));
        csig.SetAgentAttribute("Interval", TimeValue(m_window));
        csig.SetNicAttribute("Format", StringValue("Expanded"));
        csig.SetNicAttribute("Signals",
                             StringValue(hasDepth                 ? "min(ABW/C),max(nQD)"
                                         : scheme == "csig-draft" ? "min(ABW/C),max(PD)"
                                                                  : "max(PD),min(ABW)"));
        csig.Install(network);
    }

    /// @return when a run ends at the latest
    Time GetLimit(const std::string& scenario) const
    {
        return scenario == "joins"    ? m_interval * static_cast<int64_t>(m_senders)
               : scenario == "incast" ? PATIENCE
                                      : m_duration + PATIENCE;
    }

    uint32_t m_senders{8};                                      //!< that join, in joins
    Time m_interval{MilliSeconds(2)};                           //!< between two of them
    uint32_t m_degree{24};                                      //!< senders, in incast
    uint32_t m_size{1000000};                                   //!< bytes of each, in incast
    std::string m_flowSizes{"flow-sizes/web-search-dctcp.txt"}; //!< file, in mix
    double m_load{0.5};                                         //!< of the hosts' links, in mix
    Time m_duration{MilliSeconds(2)};                           //!< while flows arrive, in mix
    Time m_window{MicroSeconds(10)};                            //!< of CSIG's available bandwidth
    ExperimentSwitchOptions m_switch;                           //!< the switches
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::IntCsigExperiment().Main(argc, argv);
}
