// SPDX-License-Identifier: GPL-2.0-only

/// @file
/// @experiment Collectives and training on GPU servers, by fabric and congestion control
///
/// The question: how close to the bound of its links does a collective get on servers of eight
/// GPUs, how much of the communication of a training step is exposed, and which link holds it back?
///
///       spine   spine  ...  spine
///         |  \  /  |  \  /    |
///       rail 0   rail 1 ... rail 7         400 Gb/s, 500 ns; GPU r of each server has a link
///        |  |     |  |       |  |          to rail r
///      +-0--|-----1--|--...--7--|-+
///      |  scale-up switch       | |        2880 Gb/s a GPU, 50 ns: no packets, nothing is lost
///      +------------------------|-+
///         +-0-----1--...--7-----+
///
/// What is known: a flat ring of n GPUs that leaves each server by one adapter takes at least
/// 2 (n - 1) / n S / B for S bytes, and by all g adapters in turn, one for each channel, a g-th of
/// that. A hierarchical all-reduce reduces in each server, along the rails, and gathers in each
/// server. A double binary tree sends 2 S by each adapter of a GPU that is no leaf of both trees.
/// An all-to-all sends (n - g) / n S by each adapter (doc/collectives.rst has the sources).
///
/// Scenarios: ring, ring-channels (as many channels as a server has GPUs), hierarchical,
/// double-tree and all-to-all, of all GPUs; on demand nvls, which the scale-up switches add up; and
/// workload, which --workload names.
///
/// Schemes: the congestion controls dcqcn, swift, timely and, with in-band telemetry, hpcc; none is
/// priority flow control alone. timely runs only if it is named.
///
/// --measured runs, in place of these, all-reduces whose times clusters have measured
/// (examples/data/measured/collectives.csv).
///
/// It prints one row per scheme and scenario: the time, the time over the bound, the bus bandwidth
/// as NCCL's tests define it, exposed communication and the load of the busiest link.
/// timeline-SCENARIO-SCHEME.json is for Perfetto and Chrome.
///
///     ./aidc run gpu-servers --fabric=hpn-dual-plane --gpus=128
///     ./aidc run gpu-servers --workload=training/data-parallel-16.json --gpus=16
///     ./aidc run gpu-servers --measured=p5,nvls --schemes=none

#include "ns3/aidc-input-error.h"
#include "ns3/boolean.h"
#include "ns3/experiment-base.h"
#include "ns3/experiment-data-file.h"
#include "ns3/experiment-rank-options.h"
#include "ns3/experiment-ranks.h"
#include "ns3/experiment-switch-options.h"
#include "ns3/experiment-transport.h"
#include "ns3/experiment-values.h"
#include "ns3/experiment-workload-options.h"
#include "ns3/fabric-helper.h"
#include "ns3/ideal-execution.h"
#include "ns3/nccl-settings.h"
#include "ns3/random-variable-stream.h"
#include "ns3/roce-flow-helper.h"
#include "ns3/server-helper.h"
#include "ns3/server-plan.h"
#include "ns3/simulator.h"
#include "ns3/topology-file.h"
#include "ns3/user-default.h"
#include "ns3/workload-plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3::aidc
{

/// An all-reduce whose time a cluster has measured: a row of a file such as
/// examples/data/measured/collectives.csv.
struct MeasuredCollective
{
    std::string name; //!< of the row, TABLE-SIZE
    /// What the row is for: fitted, predicted, simulator (another one's result) or fault (of that
    /// cluster).
    std::string use;
    CollectiveScheduleSettings settings;         //!< what it is, with the costs that NCCL publishes
    NcclProtocol protocol{NcclProtocol::SIMPLE}; //!< how data is moved
    uint64_t adapter{0};                         //!< bit/s of a GPU's adapter
    uint64_t scaleUp{0};                         //!< bit/s of a GPU's link to the scale-up switch
    double seconds{0};                           //!< the time that was measured
    std::optional<uint64_t> post;                //!< fitted CollectiveCosts::post
    std::optional<uint64_t> between;             //!< fitted latency between servers, ns
    std::optional<uint64_t> rate;                //!< fitted rate of a channel, byte/us

    /// @return the bus bandwidth as NCCL's tests define it, byte/s
    double GetBusBandwidth(double time) const
    {
        const double n = settings.nMembers;
        return 2 * (n - 1) / n * static_cast<double>(settings.bytes) / time;
    }

    /// @return the collective with costs: none, nccl (as NCCL publishes them) or fitted (the row's)
    CollectiveScheduleSettings MakeSettings(const std::string& costs) const
    {
        auto result = settings;
        if (costs == "none")
        {
            result.costs = CollectiveCosts();
        }
        if (costs == "fitted")
        {
            result.costs.post = post.value_or(result.costs.post);
            result.costs.between.latency = between.value_or(result.costs.between.latency);
            result.costs.inside.rate = result.costs.between.rate =
                static_cast<uint32_t>(rate.value_or(0));
        }
        return result;
    }

    /// @return the servers, each of whose GPUs has an adapter on a rail of one switch
    ServerFabric MakeNetwork() const
    {
        auto layout = GetServerFabricTemplate("spectrum-x");
        layout.gpus = settings.nMembers;
        layout.gpusPerServer = settings.nPerServer;
        layout.spines = 1;
        layout.hostRate = layout.spineRate = adapter;
        layout.scaleUp.rate = scaleUp;
        return MakeServerFabric(layout);
    }
};

namespace
{

/// Payload of a full packet, and its bytes on a link: with headers of RoCEv2, UDP, IPv4 and
/// Ethernet, check sequence, preamble and gap.
constexpr double PAYLOAD = 4096;
constexpr double FRAME = 4178; //!< see PAYLOAD

/// The first line of the table.
constexpr const char* HEADER = "row,use,algorithm,protocol,servers,gpus,adapter,scale_up,channels,"
                               "bytes,measured,unit,post,between,rate,source";

/// The fields of a line of the table, and where it is.
class TableLine
{
  public:
    TableLine(const std::string& file, uint32_t line, const std::string& text)
        : m_file(file),
          m_line(line)
    {
        std::istringstream stream(text);
        for (std::string field; std::getline(stream, field, ',');)
        {
            m_fields.push_back(field);
        }
        if (m_fields.size() != N_FIELDS)
        {
            Fail("16 fields", text);
        }
    }

    /// Take the next field. @return its text
    std::string TakeText()
    {
        return m_fields.at(m_next++);
    }

    /// Take the next field, which is one of some words. @return the word
    std::string TakeWord(const std::vector<std::string>& words)
    {
        const std::string word = TakeText();
        if (std::find(words.begin(), words.end(), word) == words.end())
        {
            Fail("one of " + JoinWords(words, ", "), word);
        }
        return word;
    }

    /// Take the next field, a number from least to most. @return the number
    double TakeNumber(double least, double most)
    {
        const std::string field = TakeText();
        double value = 0;
        std::istringstream stream(field);
        if (!(stream >> value) || !stream.eof() || !(value >= least && value <= most))
        {
            std::ostringstream range;
            range << "a number from " << least << " to " << most;
            Fail(range.str(), field);
        }
        return value;
    }

    /// Take the next field, which may be empty. @return the number, up to a million
    std::optional<uint64_t> TakeOptional()
    {
        if (m_fields.at(m_next).empty())
        {
            ++m_next;
            return std::nullopt;
        }
        return static_cast<uint64_t>(TakeNumber(0, 1e6));
    }

    [[noreturn]] void Fail(const std::string& expected, const std::string& found) const
    {
        throw AidcInputError(m_file, m_line, expected, found);
    }

  private:
    static constexpr std::size_t N_FIELDS = 16; //!< of a line

    std::string m_file;                //!< the name of the file
    uint32_t m_line;                   //!< the number of the line
    std::vector<std::string> m_fields; //!< its fields
    std::size_t m_next{0};             //!< the one to take
};

/// Read a row of the table. @return the row
MeasuredCollective
ReadRow(TableLine& line)
{
    MeasuredCollective row;
    row.name = line.TakeText();
    row.use = line.TakeWord({"fitted", "predicted", "simulator", "fault"});
    auto& settings = row.settings;
    ParseCollectiveAlgorithm(line.TakeWord({"ring", "double-tree", "nvls"}), settings.algorithm);
    ParseNcclProtocol(line.TakeWord({"simple", "ll", "ll128"}), row.protocol);
    const auto nServers = static_cast<uint32_t>(line.TakeNumber(1, 64));
    settings.nPerServer = static_cast<uint32_t>(line.TakeNumber(1, 64));
    settings.nMembers = nServers * settings.nPerServer;
    row.adapter = static_cast<uint64_t>(1e9 * line.TakeNumber(1, 10000));
    row.scaleUp = static_cast<uint64_t>(1e9 * line.TakeNumber(1, 100000));
    settings.nChannels =
        static_cast<uint32_t>(line.TakeNumber(1, CollectiveScheduleSettings::MAX_CHANNELS));
    settings.bytes = static_cast<uint64_t>(line.TakeNumber(1, 1e12));
    const double measured = line.TakeNumber(1e-3, 1e12);
    const bool isTime = line.TakeWord({"us", "GB/s"}) == "us";
    row.seconds = isTime ? 1e-6 * measured : row.GetBusBandwidth(1) / (1e9 * measured);
    row.post = line.TakeOptional();
    row.between = line.TakeOptional();
    row.rate = line.TakeOptional();
    if (settings.nMembers < 2)
    {
        line.Fail("at least two GPUs", row.name);
    }
    try
    {
        UseNcclSettings(settings, row.protocol);
        settings.Check();
    }
    catch (const std::invalid_argument& error)
    {
        line.Fail(std::string("a collective that fits (") + error.what() + ")", row.name);
    }
    return row;
}

/// Read the rows of a file (FindDataFile()). @throws AidcInputError if they are not as expected
std::vector<MeasuredCollective>
ReadMeasuredCollectives(const std::string& name)
{
    const std::string file = FindDataFile(name);
    std::ifstream stream(file);
    std::string text;
    std::getline(stream, text);
    if (text != HEADER)
    {
        throw AidcInputError(file, 1, HEADER, text);
    }
    std::vector<MeasuredCollective> rows;
    for (uint32_t number = 2; std::getline(stream, text); ++number)
    {
        TableLine line(file, number, text);
        rows.push_back(ReadRow(line));
    }
    return rows;
}

/// Make the programs of ranks that all take part in one collective. name: of the collective.
WorkloadPlan
MakeCollectivePlan(const std::string& name, const CollectiveScheduleSettings& settings)
{
    std::vector<uint32_t> ranks(settings.nMembers);
    std::iota(ranks.begin(), ranks.end(), 0);
    WorkloadPlan plan(settings.nMembers);
    plan.AddCollective(name,
                       CollectiveSchedule(settings),
                       std::make_shared<const std::vector<uint32_t>>(ranks),
                       std::vector<std::vector<uint32_t>>(ranks.size()));
    plan.Check();
    return plan;
}

} // namespace

// What a user may set

/// The experiment.
class GpuServersExperiment : public ExperimentBase
{
  public:
    GpuServersExperiment()
        : ExperimentBase(
              "gpu-servers",
              "Collectives and training steps on GPU servers with a scale-up switch: time "
              "relative to the bound, exposed communication, and the busiest link.",
              {true, false})
    {
        auto& plan = GetPlan();
        plan.scenarios = {"ring", "ring-channels", "hierarchical", "double-tree", "all-to-all"};
        auto known = plan.scenarios;
        known.insert(known.end(), {"nvls", "workload"});
        plan.schemes = {"dcqcn", "swift", "hpcc", "none"};
        const std::vector<std::string> schemes{"dcqcn", "swift", "hpcc", "timely", "none"};
        auto& parameters = GetParameters();
        parameters.AddNames("scenarios",
                            "scenarios to run: " + JoinWords(known, ", ") +
                                "; workload alone if there is one",
                            known,
                            plan.scenarios);
        parameters
            .AddNames("schemes",
                      "congestion controls: " + JoinWords(schemes, ", ") +
                          "; none is priority flow control alone, timely runs only if it is named",
                      schemes,
                      plan.schemes)
            .Sets({"ns3::aidc::RoceNic::CongestionControl",
                   "ns3::aidc::RoceNic::Recovery",
                   "ns3::aidc::CoupledEcnQueueDisc::Mode"});
        m_switch.buffer = 64000000;
        m_switch.marking = 1600000; // as HPCC's configuration of 100 Gbit/s links and faster ones
        AddSettings();
    }

  private:
    void Prepare(ExperimentPlan& plan) override
    {
        const auto names = GetServerFabricTemplates();
        CheckOption(std::find(names.begin(), names.end(), m_template) != names.end(),
                    "--fabric to be one of " + JoinWords(names, ", ") + ", found \"" + m_template +
                        "\"");
        NcclProtocol protocol{};
        CheckOption(m_protocol == "none" || ParseNcclProtocol(m_protocol, protocol),
                    "--protocol to be none, simple, ll or ll128, found \"" + m_protocol + "\"");
        m_leap.Prepare();
        CheckOption(!m_leap.Get(1) || !m_isPxn,
                    "--leap without --pxn, as it does not know which ways messages take");
        CheckRange("queue-pairs", m_nQueuePairs, 1, 16);
        CheckRange("chunks", m_chunks, 0, 256);
        CheckRange("slots", m_nSlots, 0, CollectiveScheduleSettings::MAX_SLOTS);
        if (!m_measured.empty())
        {
            PrepareMeasured(plan);
            return;
        }
        m_network = MakeNetwork();
        const auto& ports = m_network->fabric.GetPorts(m_network->servers.GetHost(0));
        const std::string striped = "ns3::aidc::RoceMessageEndpoint::Striped";
        CheckOption(m_nQueuePairs > 1 || ports.size() > 1 || !HasUserDefault(striped),
                    "--queue-pairs above 1 with --" + striped +
                        ", as GPUs have one link, found --queue-pairs=1");
        CheckLinks(plan, *m_network);
        m_workload.Prepare(m_network->servers.GetGpusPerServer());
        const bool hasWorkload = plan.HasScenario({"workload"});
        const uint32_t nGpus = m_network->servers.GetNGpus();
        const uint32_t nRanks = m_workload.IsGiven() ? m_workload.GetPlan()->GetNRanks() : nGpus;
        if (m_workload.IsGiven())
        {
            CheckOption(nRanks <= nGpus,
                        m_workload.GetName() + " to have at most " + std::to_string(nGpus) +
                            " ranks, the GPUs of the fabric, found " + std::to_string(nRanks));
            plan.scenarios = {"workload"};
        }
        CheckOption(m_workload.IsGiven() || !hasWorkload, "--workload with --scenarios=workload");
        m_placement.Prepare(nRanks, nGpus);
        for (const auto& scenario : plan.scenarios)
        {
            try
            {
                MakePlan(scenario);
            }
            catch (const std::invalid_argument& error)
            {
                CheckOption(false,
                            "--gpus, --gpus-per-server and --scenarios that fit: " +
                                std::string(error.what()));
            }
        }
    }

    ExperimentOutcome MakeRun(const ExperimentRun& run) const override
    {
        ExperimentRanks ranks(run, MakePlan(run.scenario));
        const auto& plan = ranks.GetPlan();
        const MeasuredCollective* const measured = FindMeasured(run.scenario);
        const ServerFabric made = measured ? measured->MakeNetwork() : *m_network;
        const auto& fabric = made.fabric;
        ExperimentTransportOptions options;
        options.transport = run.scheme;
        options.lossless = "on";
        ExperimentTransport transport(options);
        FabricHelper network;
        GetOptions().Configure(network);
        transport.Configure(network);
        transport.Build(network, fabric, m_switch.Make("static"));

        ServerHelper servers(made.servers);
        servers.SetAttribute("Pxn", BooleanValue(m_isPxn));
        servers.SetQueuePairs(m_nQueuePairs);
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(1);
        auto gpus = m_placement.Place(made.servers.GetNGpus(), uniform);
        gpus.resize(plan.GetNRanks());
        servers.SetPlacement(gpus);
        const auto longest = network.GetPath(fabric.GetHosts().front(), fabric.GetHosts().back());
        const RocePath path = RoceFlowHelper::GetPath(longest, 4096, network.GetFrameOverhead());
        const auto nodes = servers.GetNodes(network, plan);
        if (const auto leap = m_leap.Get(GetOptions().seed))
        {
            std::vector<NodeIndex> hosts;
            std::vector<uint32_t> homes;
            for (const uint32_t gpu : gpus)
            {
                hosts.push_back(m_network->servers.GetHost(gpu));
                homes.push_back(m_network->servers.GetServer(gpu));
            }
            ranks.Leap(*leap, FabricPlaces(fabric, hosts, homes));
        }
        ranks.Install(nodes, servers.Connect(plan, network, path));
        const auto rate = static_cast<double>(longest.links.front().rate);
        ranks.Simulate(network, Seconds(GetIdealSeconds(plan, rate, path.baseRtt.GetSeconds())));

        ExperimentOutcome outcome;
        outcome.Add(ranks.GetMetrics());
        const double time = outcome.metrics.front().value;
        if (measured)
        {
            outcome.Add("measured_time", measured->seconds, "s");
            outcome.Add("difference", time / measured->seconds - 1, "1");
        }
        else
        {
            outcome.Add("time_over_bound", time / GetBound(run.scenario), "1");
        }
        outcome.Add(GetPacketMetrics(network.GetPacketCounts()));
        outcome.Add(transport.GetMetrics(network));
        ranks.Extrapolate(outcome.metrics);
        Simulator::Destroy();
        return outcome;
    }

    /// Let a user set the rest.
    void AddSettings()
    {
        auto& parameters = GetParameters();
        const auto isTemplate = [this] { return m_topology.empty() && m_measured.empty(); };
        const auto isCollective = [this] { return !m_workload.IsGiven() && m_measured.empty(); };
        m_workload.AddTo(parameters, "--bytes, --chunks and --slots");
        parameters.AddText(
            "measured",
            "all-reduces of clusters that have measured them, instead of scenarios and a "
            "fabric: rows of measured/collectives.csv, or beginnings of their names, "
            "such as p5,nvls-8",
            m_measured);
        parameters
            .AddText(
                "costs",
                "costs of these all-reduces: none, nccl (as NCCL publishes them), fitted (as the "
                "rows tell)",
                m_costs)
            .UseIf([this] { return !m_measured.empty(); }, "--measured");
        parameters.AddText("topology",
                           "topology file with servers, instead of --fabric, --gpus, "
                           "--gpus-per-server and --spines",
                           m_topology);
        parameters
            .AddText("fabric",
                     "template of SimAI's generator: " +
                         JoinWords(GetServerFabricTemplates(), ", "),
                     m_template)
            .UseIf(isTemplate, "no --topology and no --measured");
        parameters.AddCount("gpus", "number of GPUs, a multiple of --gpus-per-server", m_gpus)
            .InSmall("16")
            .UseIf(isTemplate, "no --topology and no --measured");
        parameters.AddCount("gpus-per-server", "GPUs per server", m_gpusPerServer)
            .InSmall("4")
            .UseIf(isTemplate, "no --topology and no --measured");
        parameters.AddCount("spines", "spines, in all planes together", m_spines)
            .InSmall("4")
            .UseIf(isTemplate, "no --topology and no --measured");
        parameters.AddBytes("bytes", "size of a collective, such as 64MB", m_bytes)
            .InSmall("4MB")
            .UseIf(isCollective, "no --workload and no --measured");
        parameters
            .AddCount("chunks",
                      "overlapping chunks of an all-reduce; 0 for 1, and 256 with double-tree",
                      m_chunks)
            .UseIf(
                [this] {
                    return !m_workload.IsGiven() && m_measured.empty() &&
                           GetPlan().HasScenario(
                               {"ring", "ring-channels", "hierarchical", "double-tree", "nvls"});
                },
                "a scenario with an all-reduce");
        parameters
            .AddCount(
                "slots",
                "messages per channel that a GPU may have in flight to another; 0 for no limit",
                m_nSlots)
            .UseIf(isCollective, "no --workload and no --measured");
        parameters
            .AddText("protocol",
                     "NCCL's protocol, whose latencies, flags, chunks and slots an all-reduce has: "
                     "none, simple, ll, ll128",
                     m_protocol)
            .UseIf(isCollective, "no --workload and no --measured");
        parameters
            .AddFlag(
                "pxn",
                "send messages for another rail through the GPU of the same server on that rail, "
                "as NCCL's PXN does",
                m_isPxn)
            .Sets({"ns3::aidc::ScaleUpEndpoint::Pxn"});
        m_placement.AddTo(parameters);
        parameters.AddCount("queue-pairs",
                            "queue pairs per pair of GPUs and link of a GPU, from 1 to 16",
                            m_nQueuePairs);
        m_switch.AddMemoryTo(parameters,
                             "size of a switch's shared buffer, without the headroom of PFC");
        m_switch.AddStaticMarkingTo(parameters);
        m_leap.AddTo(parameters);
    }

    /// @return the fabric. @throws std::runtime_error if the options do not fit together
    ServerFabric MakeNetwork() const
    {
        if (!m_topology.empty())
        {
            const auto file = TopologyFile::Read(FindDataFile(m_topology));
            CheckOption(
                file.GetServers().GetNGpus() > 0,
                "--topology to have servers, as SimAI's files, whose first line has six fields");
            ServerFabric made{file.GetFabric(), file.GetServers()};
            file.PrintNotes();
            return made;
        }
        auto settings = GetServerFabricTemplate(m_template);
        settings.gpus = m_gpus;
        settings.gpusPerServer = m_gpusPerServer;
        settings.spines = m_spines;
        try
        {
            return MakeServerFabric(settings);
        }
        catch (const std::invalid_argument& error)
        {
            CheckOption(false,
                        std::string("--gpus, --gpus-per-server and --spines that fit: ") +
                            error.what());
            throw;
        }
    }

    /// Check that the links have rates that the schemes can use.
    static void CheckLinks(const ExperimentPlan& plan, const ServerFabric& network)
    {
        if (plan.HasScheme({"hpcc"}))
        {
            ExperimentTransportOptions options;
            options.transport = "hpcc";
            options.CheckLinks(network.fabric);
        }
    }

    /// Read the rows that --measured names, which are the scenarios then.
    void PrepareMeasured(ExperimentPlan& plan)
    {
        CheckOption(!m_workload.IsGiven() && m_topology.empty(),
                    "no --workload and no --topology with --measured");
        CheckOption(m_costs == "none" || m_costs == "nccl" || m_costs == "fitted",
                    "--costs to be none, nccl or fitted, found \"" + m_costs + "\"");
        m_rows = ReadMeasuredCollectives("measured/collectives.csv");
        plan.scenarios.clear();
        std::istringstream stream(m_measured);
        for (std::string name; std::getline(stream, name, ',');)
        {
            const std::size_t before = plan.scenarios.size();
            for (const auto& row : m_rows)
            {
                if ((row.name == name || row.name.rfind(name + "-", 0) == 0) &&
                    !plan.HasScenario({row.name}))
                {
                    plan.scenarios.push_back(row.name);
                    CheckLinks(plan, row.MakeNetwork());
                    m_placement.Prepare(row.settings.nMembers, row.settings.nMembers);
                }
            }
            CheckOption(plan.scenarios.size() > before,
                        "--measured with rows, or beginnings of their names, that there are, each "
                        "once, found \"" +
                            name + "\"");
        }
    }

    /// @return the row of the scenario; null if it is none
    const MeasuredCollective* FindMeasured(const std::string& scenario) const
    {
        const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&scenario](const auto& row) {
            return row.name == scenario;
        });
        return found == m_rows.end() ? nullptr : &*found;
    }

    /// @return the chunks of its collective
    uint32_t GetNChunks(const std::string& scenario) const
    {
        constexpr uint32_t TREE_CHUNKS = 256; // a tree without chunks waits for each level
        return scenario == "all-to-all"                          ? 1
               : m_chunks > 0                                    ? m_chunks
               : scenario == "double-tree" || scenario == "nvls" ? TREE_CHUNKS
                                                                 : 1;
    }

    /// @return the programs of all ranks
    WorkloadPlan MakePlan(const std::string& scenario) const
    {
        if (scenario == "workload")
        {
            return *m_workload.GetPlan();
        }
        if (const auto* row = FindMeasured(scenario))
        {
            return MakeCollectivePlan(scenario, row->MakeSettings(m_costs));
        }
        const auto& servers = m_network->servers;
        const uint32_t nRanks = servers.GetNGpus();
        CollectiveScheduleSettings settings;
        settings.nMembers = nRanks;
        settings.bytes = m_bytes;
        settings.nChunks = GetNChunks(scenario);
        settings.nSlots = static_cast<uint16_t>(m_nSlots);
        settings.nPerServer = servers.GetGpusPerServer();
        if (scenario == "all-to-all")
        {
            settings.kind = CollectiveKind::ALL_TO_ALL;
            settings.algorithm = CollectiveAlgorithm::DIRECT;
        }
        else if (scenario != "ring-channels")
        {
            ParseCollectiveAlgorithm(scenario, settings.algorithm);
        }
        settings.nChannels = scenario == "ring-channels" ? servers.GetGpusPerServer()
                             : scenario == "nvls"        ? 2 // one for each tree
                                                         : 1;
        if (NcclProtocol protocol{}; ParseNcclProtocol(m_protocol, protocol))
        {
            const auto own = settings;
            UseNcclSettings(settings, protocol);
            settings.nChunks = m_chunks > 0 ? own.nChunks : settings.nChunks;
            settings.nSlots = m_nSlots > 0 ? own.nSlots : settings.nSlots;
        }
        return MakeCollectivePlan(scenario, settings);
    }

    /// @return seconds that its bytes, with headers, take at the slowest links; NaN for a workload
    double GetBound(const std::string& scenario) const
    {
        const auto& servers = m_network->servers;
        const auto n = static_cast<double>(servers.GetNGpus());
        const auto g = static_cast<double>(servers.GetGpusPerServer());
        const double s = n / g;
        const auto& fabric = m_network->fabric;
        const auto& ports = fabric.GetPorts(servers.GetHost(0));
        double rate = 0;
        for (PortIndex port; port < ports.GetEnd(); ++port)
        {
            rate += static_cast<double>(fabric.GetLinks()[ports[port].link].rate) / 8;
        }
        const double adapter = m_bytes / (rate * PAYLOAD / FRAME); // s
        const double scaleUp =
            8.0 * m_bytes / static_cast<double>(servers.GetScaleUpLink(0).rate); // s
        const double all = 2 * (n - 1) / n;
        if (scenario == "ring")
        {
            return s > 1 ? all * adapter : all * scaleUp;
        }
        if (scenario == "ring-channels")
        {
            return s > 1 ? std::max(all * adapter / g, all * scaleUp * (g - 1) / g) : all * scaleUp;
        }
        if (scenario == "hierarchical")
        {
            const double inside = 2 * (g - 1) / g * scaleUp;
            const double rails = 2 * (s - 1) / s * adapter / g;
            return GetNChunks(scenario) == 1 ? inside + rails : std::max(inside, rails);
        }
        if (scenario == "double-tree" || scenario == "nvls")
        {
            // A member with children in a tree sends its half to each of them and to its parent. Of
            // two members, each is the root of one tree; of three, none is in the middle of both.
            const double n2 = s > 1 ? s : g;
            const double halves = n2 <= 1 ? 0 : n2 == 2 ? 1 : n2 == 3 ? 1.5 : 2;
            if (scenario == "double-tree")
            {
                return halves * (s > 1 ? adapter : scaleUp);
            }
            return std::max(s > 1 ? halves * adapter / g : 0, (1 + 1 / g) * scaleUp);
        }
        return scenario == "all-to-all" ? std::max((n - g) / n * adapter, (g - 1) / n * scaleUp)
                                        : std::nan("");
    }

    ExperimentWorkloadOptions m_workload;      //!< the workload, if a user names one
    ExperimentPlacement m_placement{"packed"}; //!< which GPU each rank is
    std::string m_topology;                    //!< file of servers; empty for a template
    std::string m_template{"spectrum-x"};      //!< of the fabric
    uint32_t m_gpus{64};                       //!< GPUs of a template
    uint32_t m_gpusPerServer{8};               //!< of a template
    uint32_t m_spines{8};                      //!< of a template
    uint32_t m_bytes{64000000};                //!< of a collective
    uint32_t m_chunks{0};                      //!< of an all-reduce; 0 for GetNChunks()
    uint32_t m_nSlots{0};                      //!< of a collective; 0 if all may be under way
    std::string m_protocol{"none"};            //!< NCCL's protocol of an all-reduce, or none
    bool m_isPxn{false};                       //!< whether messages change the rail in their server
    uint32_t m_nQueuePairs{1};                 //!< of two GPUs
    ExperimentSwitchOptions m_switch;          //!< the switches
    std::string m_measured;                    //!< rows of clusters' measurements, if any
    std::string m_costs{"fitted"};             //!< of these rows
    std::vector<MeasuredCollective> m_rows;    //!< these rows, and all others
    ExperimentLeapOptions m_leap;              //!< whether ranks leap
    std::optional<ServerFabric> m_network;     //!< the fabric and its servers, after Prepare()
};

} // namespace ns3::aidc

int
main(int argc, char* argv[])
{
    return ns3::aidc::GpuServersExperiment().Main(argc, argv);
}
