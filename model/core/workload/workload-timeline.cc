/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-timeline.h"

#include "json-value.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3::aidc
{

std::string
FormatMicros(int64_t nanoseconds)
{
    const std::string decimals = std::to_string(nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." + std::string(3 - decimals.size(), '0') +
           decimals;
}

TraceArguments&
TraceArguments::AddCount(const std::string& name, uint64_t count)
{
    return Add(name, std::to_string(count));
}

TraceArguments&
TraceArguments::AddMicros(const std::string& name, int64_t nanoseconds)
{
    return Add(name, FormatMicros(nanoseconds));
}

TraceArguments&
TraceArguments::AddText(const std::string& name, const std::string& text)
{
    return Add(name, FormatJsonString(text));
}

TraceArguments&
TraceArguments::Add(const std::string& name, const std::string& json)
{
    m_members += (m_members.empty() ? "" : ",") + FormatJsonString(name) + ":" + json;
    return *this;
}

TraceEventWriter::TraceEventWriter(std::ostream& os, const TraceArguments& notes)
    : m_os(os)
{
    m_os << R"({"displayTimeUnit":"ns",)";
    if (!notes.IsEmpty())
    {
        m_os << R"("otherData":)" << notes.GetJson() << ",\n";
    }
    m_os << R"("traceEvents":[)";
}

void
TraceEventWriter::Begin(char phase, const std::string& name, uint32_t process)
{
    m_os << (m_isFirst ? "\n" : ",\n") << R"({"ph":")" << phase << R"(","name":)"
         << FormatJsonString(name) << R"(,"pid":)" << std::to_string(process);
    m_isFirst = false;
}

void
TraceEventWriter::AddMetadata(const char* kind,
                              const TracePlace& place,
                              const TraceArguments& arguments)
{
    Begin('M', kind, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"args":)" << arguments.GetJson()
         << '}';
}

void
TraceEventWriter::NameProcess(uint32_t process, const std::string& name)
{
    AddMetadata("process_name", {process, 0}, TraceArguments().AddText("name", name));
    AddMetadata("process_sort_index",
                {process, 0},
                TraceArguments().AddCount("sort_index", process));
}

void
TraceEventWriter::NameThread(const TracePlace& place, const std::string& name)
{
    AddMetadata("thread_name", place, TraceArguments().AddText("name", name));
    AddMetadata("thread_sort_index", place, TraceArguments().AddCount("sort_index", place.thread));
}

void
TraceEventWriter::AddSlice(const TracePlace& place,
                           const std::string& name,
                           const std::string& category,
                           int64_t begin,
                           int64_t duration,
                           const TraceArguments& arguments)
{
    Begin('X', name, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"cat":)"
         << FormatJsonString(category) << R"(,"ts":)" << FormatMicros(begin) << R"(,"dur":)"
         << FormatMicros(duration);
    if (!arguments.IsEmpty())
    {
        m_os << R"(,"args":)" << arguments.GetJson();
    }
    m_os << '}';
}

void
TraceEventWriter::BeginFlow(const TracePlace& place,
                            uint64_t id,
                            const std::string& name,
                            int64_t time)
{
    Begin('s', name, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"cat":)" << FormatJsonString(name)
         << R"(,"id":)" << std::to_string(id) << R"(,"ts":)" << FormatMicros(time) << '}';
}

void
TraceEventWriter::EndFlow(const TracePlace& place,
                          uint64_t id,
                          const std::string& name,
                          int64_t time)
{
    Begin('f', name, place.process);
    m_os << R"(,"tid":)" << std::to_string(place.thread) << R"(,"bp":"e","cat":)"
         << FormatJsonString(name) << R"(,"id":)" << std::to_string(id) << R"(,"ts":)"
         << FormatMicros(time) << '}';
}

void
TraceEventWriter::AddProcessInstant(uint32_t process, const std::string& name, int64_t time)
{
    Begin('i', name, process);
    m_os << R"(,"tid":0,"s":"p","ts":)" << FormatMicros(time) << '}';
}

void
TraceEventWriter::AddGlobalInstant(const std::string& name, int64_t time)
{
    Begin('i', name, 1); // a process that there is; it is not shown
    m_os << R"(,"tid":0,"s":"g","ts":)" << FormatMicros(time) << '}';
}

void
TraceEventWriter::AddCounter(uint32_t process,
                             const std::string& name,
                             int64_t time,
                             const TraceArguments& values)
{
    Begin('C', name, process);
    m_os << R"(,"ts":)" << FormatMicros(time) << R"(,"args":)" << values.GetJson() << '}';
}

void
TraceEventWriter::End()
{
    m_os << "\n]}\n";
}

std::vector<uint32_t>
AssignTracks(const std::vector<TimeInterval>& intervals)
{
    std::vector<std::size_t> order(intervals.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&intervals](std::size_t a, std::size_t b) {
        return intervals[a].begin < intervals[b].begin;
    });
    // With the smallest first: when tracks become free, and those that are free
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

/// The name and category of flows.
const std::string MESSAGE = "message";

/// @return the number of its process, from 1: viewers take process 0 for the idle one
uint32_t
GetProcess(uint32_t rank)
{
    return rank + 1;
}

/// @return the name of its thread
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

void
WorkloadTimeline::AddNote(const std::string& name, const std::string& text)
{
    m_notes.AddText(name, text);
}

void
WorkloadTimeline::AddInstant(uint32_t rank, int64_t time, const std::string& name)
{
    m_instants[rank].emplace(time, name);
}

void
WorkloadTimeline::AddInstant(int64_t time, const std::string& name)
{
    m_globalInstants.emplace(time, name);
}

void
WorkloadTimeline::AddCounter(uint32_t rank,
                             const std::string& name,
                             int64_t time,
                             const TraceArguments& values)
{
    m_counters[rank].push_back({time, name, values});
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

std::vector<WorkloadTimeline::Row>
WorkloadTimeline::GetRows(uint32_t rank) const
{
    // By kind and unit
    std::map<std::pair<RankOperationKind, uint32_t>, Row> rows;
    rows[{RankOperationKind::COLLECTIVE, 0}].name = "collectives";
    rows[{RankOperationKind::SEND, 0}].name = "sends";
    rows[{RankOperationKind::RECEIVE, 0}].name = "receives";
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
        Row& row = rows[{operation.kind, isComputation ? operation.peer : 0}];
        if (isComputation)
        {
            row.name = GetUnitName(operation.peer);
        }
        row.operations.push_back(i);
    }
    std::vector<Row> shown;
    for (const auto kind : {RankOperationKind::COMPUTE,
                            RankOperationKind::COLLECTIVE,
                            RankOperationKind::SEND,
                            RankOperationKind::RECEIVE})
    {
        for (auto& [key, row] : rows)
        {
            if (key.first == kind && !row.operations.empty())
            {
                shown.push_back(std::move(row));
            }
        }
    }
    return shown;
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
            .AddText("algorithm", GetCollectiveName(schedule.GetAlgorithm()));
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
    for (const auto& row : GetRows(rank))
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
        std::vector<std::size_t> order(intervals.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&intervals](std::size_t a, std::size_t b) {
            return intervals[a].begin < intervals[b].begin;
        });
        for (const std::size_t i : order)
        {
            const TracePlace place{process, firstThread + tracks[i]};
            const uint32_t number = row.operations[i];
            WriteSlice(writer, place, rank, number);
            const Flow& flow = flows[number];
            if (flow.id != 0 && flow.isBegin)
            {
                writer.BeginFlow(place, flow.id, MESSAGE, flow.time);
            }
            else if (flow.id != 0)
            {
                writer.EndFlow(place, flow.id, MESSAGE, flow.time);
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
    if (const auto instants = m_instants.find(rank); instants != m_instants.end())
    {
        for (const auto& [time, name] : instants->second)
        {
            writer.AddProcessInstant(process, name, time);
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
    for (const auto& [time, name] : m_globalInstants)
    {
        writer.AddGlobalInstant(name, time);
    }
    writer.End();
}

} // namespace ns3::aidc
