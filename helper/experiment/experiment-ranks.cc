// SPDX-License-Identifier: GPL-2.0-only

#include "experiment-ranks.h"

#include "ns3/fabric-recorder.h"
#include "ns3/simulator.h"
#include "ns3/warning.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3::aidc
{

namespace
{

/// How long ranks may take at least.
const Time MIN_LIMIT = Seconds(1);

/// How many times as long as alone they may take.
constexpr int64_t MAX_SLOWDOWN = 20;

/// The first interval of samples.
const Time INTERVAL = MicroSeconds(10);

/// Join the programs of a job and of another one, if there is one.
WorkloadPlan
Join(WorkloadPlan plan, const std::optional<WorkloadPlan>& other)
{
    if (other)
    {
        plan.Append(*other);
    }
    return plan;
}

std::size_t
CountCollectives(const WorkloadPlan& plan)
{
    const auto& items = plan.GetItems();
    return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), [](const auto& item) {
        return item.collective.has_value();
    }));
}

/// @return when the last of them is done, in seconds
double
GetFinish(const std::vector<RankRecord>& records, uint32_t begin, std::size_t end)
{
    Time finish;
    for (std::size_t rank = begin; rank < end; ++rank)
    {
        finish = std::max(finish, records[rank].finish);
    }
    return finish.GetSeconds();
}

} // namespace

ExperimentRanks::ExperimentRanks(const ExperimentRun& run,
                                 WorkloadPlan plan,
                                 const std::optional<WorkloadPlan>& other)
    : m_run(run),
      m_nRanks(plan.GetNRanks()),
      m_nCollectives(CountCollectives(plan)),
      m_ranks(Join(std::move(plan), other)),
      m_timeline(m_ranks)
{
    if (other)
    {
        m_timeline.AddNote("other_job",
                           "ranks " + std::to_string(m_nRanks) + " to " +
                               std::to_string(GetPlan().GetNRanks() - 1));
    }
}

void
ExperimentRanks::WaitFor(const std::string& what, std::function<bool()> isDone)
{
    m_other = what;
    m_isOtherDone = std::move(isDone);
}

void
ExperimentRanks::Leap(const LeapSettings& settings,
                      FabricPlaces places,
                      std::function<bool()> isBusy)
{
    try
    {
        m_leap = Create<WorkloadLeap>(GetPlan(), settings, &places);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::runtime_error(std::string("--leap: ") + error.what());
    }
    m_leap->SetBusy(isBusy);
    m_isBusy = std::move(isBusy);
}

void
ExperimentRanks::Install(const NodeContainer& nodes,
                         const std::vector<Ptr<MessageEndpoint>>& endpoints)
{
    m_nodes = nodes;
    const auto applications = m_ranks.Install(nodes, endpoints);
    if (m_leap)
    {
        m_leap->Attach(applications);
        m_timeline.SetClock([leap = m_leap] { return leap->GetTime(); });
    }
    m_ranks.StopWhenDone([this](const std::string& why) { m_stuck = why; }, m_isOtherDone);
}

void
ExperimentRanks::Simulate(const FabricNetwork& network, const Time& alone)
{
    FabricRecorder recorder(INTERVAL);
    recorder.Add(network);
    m_run.Start(recorder);
    if (m_run.isFirst)
    {
        m_timeline.WatchWaits(m_nodes, INTERVAL);
    }
    const Time limit = m_start + std::max(MIN_LIMIT, MAX_SLOWDOWN * alone);
    m_run.Follow(limit, [this] { return m_ranks.GetShareDone(); });
    m_hasOthers = !m_start.IsZero() || (m_isBusy && m_isBusy());
    Simulator::Stop(limit);
    Simulator::Run();
    if (!IsDone())
    {
        m_run.GiveUp(DescribeUnfinished());
    }
    m_busiest = FindBusiestPort(network);
    m_timeline.AddNote("busiest_link", m_busiest.name);
    if (m_leap)
    {
        TellLeap();
    }
    m_timeline.AddNote("busiest_link_load", std::to_string(m_busiest.load));
    m_run.Write(recorder);
    m_run.Write(m_timeline);
}

std::vector<ResultMetric>
ExperimentRanks::GetMetrics() const
{
    const auto records = m_ranks.GetRankRecords();
    std::vector<ResultMetric> metrics{{"completion_time", GetFinish(records, 0, m_nRanks), "s"}};
    if (m_nRanks < records.size())
    {
        metrics.push_back(
            {"completion_time_other", GetFinish(records, m_nRanks, records.size()), "s"});
    }
    double bandwidth = 0;
    uint32_t n = 0;
    auto collectives = m_ranks.GetCollectiveRecords();
    collectives.resize(m_nCollectives); // the first job's come first
    for (const auto& record : collectives)
    {
        // A collective that has nothing to send takes no time
        n += record.isDone && record.finish == record.start ? 0 : 1;
        bandwidth += 8 * record.bandwidth.bus;
    }
    metrics.push_back({"bus_bandwidth", n > 0 ? bandwidth / n : std::nan(""), "bit/s"});
    auto sums = m_timeline.GetSums();
    sums.resize(m_nRanks);
    const auto times = GetTimelineMetrics(GetPlan(), sums);
    metrics.insert(metrics.end(), times.begin(), times.end());
    metrics.push_back({"busiest_link_load", m_busiest.load, "1"});
    if (m_leap)
    {
        AddLeapMetrics(metrics);
    }
    return metrics;
}

double
ExperimentRanks::GetCounterFactor() const
{
    const auto leapt = m_leap->GetSummary();
    return leapt.executedBytes > 0 && !m_hasOthers ? 1 + leapt.leaptBytes / leapt.executedBytes : 1;
}

void
ExperimentRanks::Extrapolate(std::vector<ResultMetric>& metrics) const
{
    static const std::set<std::string> TIMES{"pauses",
                                             "paused_time",
                                             "xoffs",
                                             "unmarked_xoffs",
                                             "wait_pause",
                                             "wait_rate",
                                             "wait_window",
                                             "wait_retransmission"};
    const double factor = m_leap ? GetCounterFactor() : 1;
    for (auto& metric : metrics)
    {
        if (metric.unit == "packet" || TIMES.count(metric.name) > 0)
        {
            metric.value *= factor;
        }
    }
}

void
ExperimentRanks::AddLeapMetrics(std::vector<ResultMetric>& metrics) const
{
    const auto leapt = m_leap->GetSummary();
    const auto n = static_cast<double>(leapt.nExecuted + leapt.nLeapt);
    metrics.push_back(
        {"leapt_time", m_leap->GetLeaptTime().GetSeconds() / m_leap->GetTime().GetSeconds(), "1"});
    metrics.push_back({"leapt_operations", n > 0 ? static_cast<double>(leapt.nLeapt) / n : 0, "1"});
    metrics.push_back({"leap_error", leapt.error, "1"});
    metrics.push_back({"leap_mistakes", static_cast<double>(leapt.nMistaken), "1"});
    metrics.push_back({"counter_factor", GetCounterFactor(), "1"});
    if (leapt.nChecked > 0)
    {
        metrics.push_back({"leap_checks", static_cast<double>(leapt.nChecked), "1"});
        metrics.push_back({"leap_check_mean", leapt.checkMean, "1"});
        metrics.push_back({"leap_check_worst", leapt.checkWorst, "1"});
    }
}

void
ExperimentRanks::TellLeap()
{
    const auto leapt = m_leap->GetSummary();
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << leapt.nLeapt << " of "
         << leapt.nExecuted + leapt.nLeapt << " collectives and messages were not executed, "
         << 100 * m_leap->GetLeaptTime().GetSeconds() / m_leap->GetTime().GetSeconds()
         << " % of the time; ";
    if (leapt.nLeapt + leapt.nShortened > 0)
    {
        if (leapt.nFolded > 0)
        {
            text << leapt.nFolded
                 << " as operations of other ranks that do the same on links alike; ";
        }
        if (leapt.nShortened > 0)
        {
            text << leapt.nShortened << " others were executed in part; ";
        }
        text << std::setprecision(3) << "estimated error " << 100 * leapt.error << " %";
        text << std::setprecision(2) << "; counters of packets, pauses and waits are ";
        if (m_hasOthers)
        {
            text << "not extrapolated, as they have other traffic, too";
        }
        else
        {
            text << "times " << GetCounterFactor();
        }
        text << ", and loads and series of the network have its own time";
    }
    else
    {
        text << leapt.reason;
    }
    TellUser("note: ", m_run.GetName(), ": leap: ", text.str());
    m_timeline.AddNote("leap", text.str());
}

namespace
{

/// @return whether there are messages outside of collectives
bool
HasMessages(const WorkloadPlan& plan)
{
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        const RankProgram& program = plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            if (program.Get(i).kind == RankOperationKind::SEND)
            {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::vector<ResultMetric>
GetTimelineMetrics(const WorkloadPlan& plan, const std::vector<RankTimeSums>& sums)
{
    std::vector<ResultMetric> metrics;
    const auto add = [&metrics, &sums](const std::string& name,
                                       const std::function<int64_t(const RankTimeSums&)>& get) {
        int64_t sum = 0; // of whole ns, so that it does not depend on an order
        for (const auto& rank : sums)
        {
            sum += get(rank);
        }
        const double mean = 1e-9 * static_cast<double>(sum) / static_cast<double>(sums.size());
        metrics.push_back({name, mean, "s"});
    };
    add("computation_time", [](const auto& rank) { return rank.computation; });
    add("exposed_communication", [](const auto& rank) { return rank.exposed; });
    std::set<CollectiveKind> kinds;
    for (const auto& item : plan.GetItems())
    {
        if (item.collective)
        {
            kinds.insert(item.collective->GetKind());
        }
    }
    for (const CollectiveKind kind : kinds)
    {
        std::string name = GetCollectiveName(kind);
        std::replace(name.begin(), name.end(), '-', '_');
        add(name + "_time", [kind](const auto& rank) {
            const auto found = rank.collectives.find(kind);
            return found == rank.collectives.end() ? 0 : found->second;
        });
    }
    if (HasMessages(plan))
    {
        add("send_time", [](const auto& rank) { return rank.sends; });
        add("receive_time", [](const auto& rank) { return rank.receives; });
    }
    return metrics;
}

} // namespace ns3::aidc
