// SPDX-License-Identifier: GPL-2.0-only

#include "workload-timeline.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <tuple>

namespace ns3::aidc
{

std::vector<TimeInterval>
JoinIntervals(std::vector<TimeInterval> intervals)
{
    std::sort(intervals.begin(), intervals.end(), [](const auto& a, const auto& b) {
        return a.begin < b.begin;
    });
    std::vector<TimeInterval> joined;
    for (const auto& interval : intervals)
    {
        if (interval.GetLength() <= 0)
        {
            continue;
        }
        if (!joined.empty() && interval.begin <= joined.back().end)
        {
            joined.back().end = std::max(joined.back().end, interval.end);
        }
        else
        {
            joined.push_back(interval);
        }
    }
    return joined;
}

std::vector<TimeInterval>
SubtractIntervals(const std::vector<TimeInterval>& from, const std::vector<TimeInterval>& others)
{
    std::vector<TimeInterval> left;
    std::size_t next = 0; // the first one of the others that ends after the present time
    for (const auto& interval : from)
    {
        int64_t begin = interval.begin;
        while (next < others.size() && others[next].end <= begin)
        {
            ++next;
        }
        for (std::size_t i = next; i < others.size() && others[i].begin < interval.end; ++i)
        {
            if (others[i].begin > begin)
            {
                left.push_back({begin, others[i].begin});
            }
            begin = others[i].end;
        }
        if (begin < interval.end)
        {
            left.push_back({begin, interval.end});
        }
    }
    return left;
}

int64_t
GetTotalLength(const std::vector<TimeInterval>& intervals)
{
    int64_t sum = 0;
    for (const auto& interval : intervals)
    {
        sum += interval.GetLength();
    }
    return sum;
}

RankTimeSums
SumRankTimes(const RankProgram& program, const OperationIntervals& times)
{
    if (times.size() != program.GetN())
    {
        throw std::logic_error("expected a time for each operation of the rank");
    }
    RankTimeSums sums;
    std::vector<TimeInterval> computations;
    std::vector<TimeInterval> communications;
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        if (!times[i].hasStarted)
        {
            continue;
        }
        const TimeInterval& time = times[i].time;
        const RankOperation& operation = program.Get(i);
        sums.finish = times[i].hasEnded ? std::max(sums.finish, time.end) : sums.finish;
        switch (operation.kind)
        {
        case RankOperationKind::COMPUTE:
            if (operation.peer != RankProgram::NO_UNIT)
            {
                computations.push_back(time);
            }
            continue;
        case RankOperationKind::SEND:
            sums.sends += time.GetLength();
            break;
        case RankOperationKind::RECEIVE:
            sums.receives += time.GetLength();
            break;
        case RankOperationKind::COLLECTIVE:
            sums.collectives[program.GetCollective(i).schedule.GetKind()] += time.GetLength();
            break;
        }
        communications.push_back(time);
    }
    computations = JoinIntervals(std::move(computations));
    communications = JoinIntervals(std::move(communications));
    sums.computation = GetTotalLength(computations);
    sums.communication = GetTotalLength(communications);
    sums.exposed = GetTotalLength(SubtractIntervals(communications, computations));
    return sums;
}

uint32_t
FindSlowestRank(const std::vector<RankTimeSums>& sums)
{
    const auto slowest =
        std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
            return std::tie(a.computation, a.finish) < std::tie(b.computation, b.finish);
        });
    return static_cast<uint32_t>(slowest - sums.begin());
}

std::string
FormatMicros(int64_t nanoseconds)
{
    const std::string decimals = std::to_string(nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." + std::string(3 - decimals.size(), '0') +
           decimals;
}

std::vector<uint32_t>
AssignTracks(const std::vector<TimeInterval>& intervals)
{
    std::vector<std::size_t> order(intervals.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&intervals](std::size_t a, std::size_t b) {
        return intervals[a].begin < intervals[b].begin;
    });
    // With the smallest first: when tracks become free, and the tracks that are free
    using End = std::pair<int64_t, uint32_t>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free;
    std::vector<uint32_t> tracks(intervals.size());
    uint32_t nTracks = 0;
    for (const std::size_t i : order)
    {
        const TimeInterval& interval = intervals[i];
        while (!ends.empty() && ends.top().first <= interval.begin)
        {
            free.push(ends.top().second);
            ends.pop();
        }
        if (free.empty())
        {
            free.push(nTracks++);
        }
        tracks[i] = free.top();
        free.pop();
        ends.emplace(std::max(interval.end, interval.begin + 1), tracks[i]);
    }
    return tracks;
}

namespace
{

/// @return the number of its process, from 1: viewers take process 0 for the idle one
uint32_t
GetProcess(uint32_t rank)
{
    return rank + 1;
}

std::string
GetUnitName(uint32_t unit)
{
    if (unit == RankProgram::NO_UNIT)
    {
        return "delays";
    }
    return unit == 0 ? "computation" : "computation (unit " + std::to_string(unit) + ")";
}

std::string
GetCategory(const RankProgram& program, uint32_t number)
{
    const RankOperation& operation = program.Get(number);
    switch (operation.kind)
    {
    case RankOperationKind::COMPUTE:
        return operation.peer == RankProgram::NO_UNIT ? "delay" : "computation";
    case RankOperationKind::SEND:
        return "send";
    case RankOperationKind::RECEIVE:
        return "receive";
    default:
        return GetCollectiveName(program.GetCollective(number).schedule.GetKind());
    }
}

} // namespace

WorkloadTimeline::WorkloadTimeline(const WorkloadPlan& plan, std::vector<OperationIntervals> times)
    : m_plan(plan),
      m_times(std::move(times))
{
    if (m_times.size() != plan.GetNRanks())
    {
        throw std::logic_error("expected the times of each rank");
    }
    std::size_t nOperations = 0;
    for (uint32_t rank = 0; rank < plan.GetNRanks(); ++rank)
    {
        if (m_times[rank].size() != plan.GetProgram(rank).GetN())
        {
            throw std::logic_error("expected a time for each operation of rank " +
                                   std::to_string(rank));
        }
        nOperations += m_times[rank].size();
        m_nWritten = rank == 0 || nOperations <= MAX_OPERATIONS ? rank + 1 : m_nWritten;
    }
}

std::vector<RankTimeSums>
WorkloadTimeline::GetSums() const
{
    std::vector<RankTimeSums> sums;
    for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
    {
        sums.push_back(SumRankTimes(m_plan.GetProgram(rank), m_times[rank]));
    }
    return sums;
}

std::map<std::pair<std::size_t, uint32_t>, WorkloadTimeline::Row>
WorkloadTimeline::GetRows(uint32_t rank) const
{
    // From above; by RankOperationKind, whose order is another one
    static constexpr std::array<std::size_t, 4> PLACES{0, 2, 3, 1};
    static constexpr std::array<const char*, 4> NAMES{"", "collectives", "sends", "receives"};
    std::map<std::pair<std::size_t, uint32_t>, Row> rows;
    const RankProgram& program = m_plan.GetProgram(rank);
    for (uint32_t i = 0; i < program.GetN(); ++i)
    {
        const RankOperation& operation = program.Get(i);
        const OperationInterval& interval = m_times[rank][i];
        const bool isMessage = operation.kind == RankOperationKind::SEND ||
                               operation.kind == RankOperationKind::RECEIVE;
        if (!interval.hasStarted || (!isMessage && interval.time.GetLength() == 0))
        {
            continue;
        }
        const bool isComputation = operation.kind == RankOperationKind::COMPUTE;
        const std::size_t place = PLACES.at(static_cast<std::size_t>(operation.kind));
        Row& row = rows[{place, isComputation ? operation.peer : 0}];
        row.name = isComputation ? GetUnitName(operation.peer) : NAMES.at(place);
        row.operations.push_back(i);
    }
    for (auto& [place, row] : rows)
    {
        std::stable_sort(row.operations.begin(), row.operations.end(), [&](auto a, auto b) {
            return m_times[rank][a].time.begin < m_times[rank][b].time.begin;
        });
    }
    return rows;
}

std::vector<std::vector<WorkloadTimeline::Flow>>
WorkloadTimeline::FindFlows() const
{
    // Messages with the same sender, receiver and tag meet in the order of the operations
    using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
    std::map<Key, std::vector<uint32_t>> sends;
    std::vector<std::vector<Flow>> flows(m_nWritten);
    for (uint32_t rank = 0; rank < m_nWritten; ++rank)
    {
        const RankProgram& program = m_plan.GetProgram(rank);
        flows[rank].resize(program.GetN());
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const RankOperation& operation = program.Get(i);
            if (operation.kind == RankOperationKind::SEND)
            {
                sends[{rank, operation.peer, operation.tag}].push_back(i);
            }
        }
    }
    uint64_t nFlows = 0;
    std::map<Key, std::size_t> nMet;
    for (uint32_t rank = 0; rank < m_nWritten; ++rank)
    {
        const RankProgram& program = m_plan.GetProgram(rank);
        for (uint32_t i = 0; i < program.GetN(); ++i)
        {
            const RankOperation& operation = program.Get(i);
            const Key key{operation.peer, rank, operation.tag};
            const auto found =
                operation.kind == RankOperationKind::RECEIVE ? sends.find(key) : sends.end();
            if (found == sends.end() || nMet[key] >= found->second.size())
            {
                continue; // its sender is left out
            }
            const uint32_t send = found->second[nMet[key]++];
            const TimeInterval& from = m_times[operation.peer][send].time;
            const OperationInterval& to = m_times[rank][i];
            if (m_times[operation.peer][send].hasStarted && to.hasEnded &&
                from.begin <= to.time.end)
            {
                const int64_t end = std::max({to.time.begin, to.time.end - 1, from.begin});
                flows[operation.peer][send] = {++nFlows, true, from.begin};
                flows[rank][i] = {nFlows, false, end};
            }
        }
    }
    return flows;
}

void
WorkloadTimeline::WriteSlice(TraceEventWriter& writer,
                             const TracePlace& place,
                             uint32_t rank,
                             uint32_t number) const
{
    const RankProgram& program = m_plan.GetProgram(rank);
    const RankOperation& operation = program.Get(number);
    const OperationInterval& interval = m_times[rank][number];
    TraceArguments arguments;
    switch (operation.kind)
    {
    case RankOperationKind::COMPUTE:
        break;
    case RankOperationKind::SEND:
    case RankOperationKind::RECEIVE:
        arguments.AddCount(operation.kind == RankOperationKind::SEND ? "to" : "from",
                           operation.peer);
        arguments.AddCount("bytes", operation.amount).AddCount("tag", operation.tag);
        break;
    case RankOperationKind::COLLECTIVE: {
        const CollectiveSchedule& schedule = program.GetCollective(number).schedule;
        arguments.AddCount("bytes", schedule.GetBytes())
            .AddCount("members", schedule.GetNMembers())
            .AddText("algorithm", GetCollectiveAlgorithmName(schedule.GetAlgorithm()));
    }
    }
    if (!interval.hasEnded)
    {
        arguments.AddText("state", "unfinished");
    }
    else if (interval.isLeapt)
    {
        arguments.AddText("state", "leapt");
    }
    const std::string category = GetCategory(program, number);
    const auto& items = m_plan.GetItems();
    const std::string name = operation.label < items.size() ? items[operation.label].GetName() : "";
    writer.AddSlice(place,
                    name.empty() ? category : name,
                    category,
                    interval.time.begin,
                    interval.time.GetLength(),
                    arguments);
}

void
WorkloadTimeline::WriteRank(TraceEventWriter& writer,
                            uint32_t rank,
                            const std::vector<Flow>& flows) const
{
    const uint32_t process = GetProcess(rank);
    writer.NameProcess(process, "rank " + std::to_string(rank));
    uint32_t firstThread = 1;
    for (const auto& [key, row] : GetRows(rank))
    {
        std::vector<TimeInterval> intervals;
        for (const uint32_t number : row.operations)
        {
            intervals.push_back(m_times[rank][number].time);
        }
        const auto tracks = AssignTracks(intervals);
        const uint32_t nTracks = *std::max_element(tracks.begin(), tracks.end()) + 1;
        for (uint32_t track = 0; track < nTracks; ++track)
        {
            writer.NameThread({process, firstThread + track},
                              row.name + (track > 0 ? " " + std::to_string(track + 1) : ""));
        }
        for (std::size_t i = 0; i < tracks.size(); ++i)
        {
            const TracePlace place{process, firstThread + tracks[i]};
            WriteSlice(writer, place, rank, row.operations[i]);
            if (const Flow& flow = flows[row.operations[i]]; flow.id != 0)
            {
                writer.AddFlow(place, flow.isBegin, flow.id, "message", flow.time);
            }
        }
        firstThread += nTracks;
    }
    if (const auto counters = m_counters.find(rank); counters != m_counters.end())
    {
        for (const auto& value : counters->second)
        {
            writer.AddCounter(process, value.name, value.time, value.values);
        }
    }
    WriteInstants(writer, rank);
}

void
WorkloadTimeline::WriteInstants(TraceEventWriter& writer, std::optional<uint32_t> rank) const
{
    std::optional<uint32_t> process;
    if (rank)
    {
        process = GetProcess(*rank);
    }
    if (const auto instants = m_instants.find(rank); instants != m_instants.end())
    {
        for (const auto& [time, name] : instants->second)
        {
            writer.AddInstant(process, name, time);
        }
    }
}

void
WorkloadTimeline::Write(std::ostream& os) const
{
    TraceArguments notes = m_notes;
    if (m_nWritten < m_plan.GetNRanks())
    {
        notes.AddText("ranks",
                      "the first " + std::to_string(m_nWritten) + " of " +
                          std::to_string(m_plan.GetNRanks()) +
                          ", as the file would be too large; sums have all ranks");
    }
    TraceEventWriter writer(os, notes);
    const auto flows = FindFlows();
    for (uint32_t rank = 0; rank < m_nWritten; ++rank)
    {
        WriteRank(writer, rank, flows[rank]);
    }
    WriteInstants(writer, std::nullopt);
    writer.End();
}

} // namespace ns3::aidc
