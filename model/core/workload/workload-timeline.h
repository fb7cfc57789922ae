/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WORKLOAD_TIMELINE_H
#define AIDC_WORKLOAD_TIMELINE_H

#include "rank-time-sums.h"
#include "workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// @brief Write a time as events have it.
/// @param nanoseconds a time in ns, 0 or more
/// @return the time in us, with three decimals
std::string FormatMicros(int64_t nanoseconds);

/// Values of an event, which a viewer shows when a user selects it.
class TraceArguments
{
  public:
    /// count: a whole number. @return this
    TraceArguments& AddCount(const std::string& name, uint64_t count);

    /// nanoseconds: a time in ns, written in us with three decimals. @return this
    TraceArguments& AddMicros(const std::string& name, int64_t nanoseconds);

    /// @return this
    TraceArguments& AddText(const std::string& name, const std::string& text);

    /// @return the values as a JSON object
    std::string GetJson() const
    {
        return "{" + m_members + "}";
    }

    /// @return whether there is no value
    bool IsEmpty() const
    {
        return m_members.empty();
    }

  private:
    TraceArguments& Add(const std::string& name, const std::string& json);

    std::string m_members; //!< the members of the object
};

/// Where an event is shown.
struct TracePlace
{
    uint32_t process{0}; //!< the number of a process
    uint32_t thread{0};  //!< the number of a thread, unique in its process
};

/**
 * @brief Writes a timeline in Chrome's trace event format, which Perfetto and Chrome open.
 *
 * It is the JSON Object Format of "Trace Event Format" (Duffy and others, Google), an event a line:
 * complete events (X), metadata (M), flows (s and f, bound to the enclosing slice), instants (i)
 * and counters (C). Times are given in ns and written in us with three decimals, so that no digit
 * is lost. What is written depends on the calls only.
 *
 * Slices of a thread must nest or be apart, and each end of a flow must lie in a slice of its
 * thread: the caller sees to it (AssignTracks()).
 */
class TraceEventWriter
{
  public:
    /// Begin a timeline. os: where it is written; notes: what is told of the whole timeline, as
    /// "otherData".
    explicit TraceEventWriter(std::ostream& os, const TraceArguments& notes = TraceArguments());

    /// Name a process. Viewers show processes by their numbers.
    void NameProcess(uint32_t process, const std::string& name);

    /// Name a thread. Viewers show threads by their numbers.
    void NameThread(const TracePlace& place, const std::string& name);

    /// Add a slice. place: the thread; begin: when it begins, in ns; duration: how long it takes,
    /// in ns, 0 or more; arguments: values to show.
    void AddSlice(const TracePlace& place,
                  const std::string& name,
                  const std::string& category,
                  int64_t begin,
                  int64_t duration,
                  const TraceArguments& arguments = TraceArguments());

    /// Add the begin of a flow, right after its slice. place: the thread of the slice; name: the
    /// name of the flow, the same at both ends, and its category; time: a time in the slice, in ns.
    void BeginFlow(const TracePlace& place, uint64_t id, const std::string& name, int64_t time);

    /// Add the end of a flow, right after its slice.
    /// @param place the thread of the slice
    /// @param id the number of the flow
    /// @param name the name of the flow, the same at both ends, and its category
    /// @param time a time in the slice, in ns, not before the begin of the flow
    void EndFlow(const TracePlace& place, uint64_t id, const std::string& name, int64_t time);

    /// Add an instant of a process. name: what has happened; time: when, in ns.
    void AddProcessInstant(uint32_t process, const std::string& name, int64_t time);

    /// Add an instant of all processes. name: what has happened; time: when, in ns.
    void AddGlobalInstant(const std::string& name, int64_t time);

    /// Add values of a counter of a process, which hold until its next ones. time: from when on
    /// they hold, in ns; values: the values, 0 or more.
    void AddCounter(uint32_t process,
                    const std::string& name,
                    int64_t time,
                    const TraceArguments& values);

    /// Write the end, once, when all is added.
    void End();

  private:
    /// Begin an event.
    void Begin(char phase, const std::string& name, uint32_t process);

    /// Write metadata.
    void AddMetadata(const char* kind, const TracePlace& place, const TraceArguments& arguments);

    std::ostream& m_os;   //!< where it is written
    bool m_isFirst{true}; //!< whether there is no event yet
};

/// @brief Give intervals tracks, as few as possible, so that those of a track do not overlap.
///
/// An empty interval takes 1 ns of its track, so that no time belongs to two intervals. Earlier
/// intervals, and of those that begin at the same time earlier ones in the list, get the first
/// track that is free.
/// @param intervals the intervals, in any order
/// @return the track of each one, counted from 0
std::vector<uint32_t> AssignTracks(const std::vector<TimeInterval>& intervals);

/**
 * @brief What ranks have done over time, written in Chrome's trace event format.
 *
 * Rank r is process r + 1. Its threads are its units that compute, its delays, its collectives, the
 * messages that it sends and those that it receives; a second thread of a kind has what overlaps,
 * and so on. Steps of collectives are not shown. A flow goes from the begin of a message that is
 * sent to 1 ns before the end of the slice that receives it, so that it ends in that slice; where
 * the message was there before the rank waited for it, this slice takes no time. Other operations
 * that take no time are left out: they only order others.
 */
class WorkloadTimeline
{
  public:
    /// The most operations in a timeline, of some 150 bytes each, or 250 with a flow. Ranks behind
    /// this number are left out, but never the first one.
    static constexpr std::size_t MAX_OPERATIONS = 200'000;

    /// @param plan the programs, which outlive the timeline
    /// @param times when the operations were under way, by rank
    /// @throws std::logic_error if they are not as many as the operations of the plan
    WorkloadTimeline(const WorkloadPlan& plan, std::vector<OperationIntervals> times);

    /// Tell something of the whole timeline, which goes to its "otherData". name: its name, in
    /// snake_case; text: what is told.
    void AddNote(const std::string& name, const std::string& text);

    /// Add an instant of a rank. time: when, in ns; name: what has happened.
    void AddInstant(uint32_t rank, int64_t time, const std::string& name);

    /// Add an instant of no rank, such as the failure of a link. time: when, in ns; name: what has
    /// happened.
    void AddInstant(int64_t time, const std::string& name);

    /// Add values of a counter of a rank, which hold until its next ones. They are written in the
    /// order in which they are added. time: from when on they hold, in ns.
    void AddCounter(uint32_t rank,
                    const std::string& name,
                    int64_t time,
                    const TraceArguments& values);

    /// @return the sums of the ranks, by rank, also of those that are left out
    std::vector<RankTimeSums> GetSums() const;

    /// @return the number of ranks that are not left out: the first ones
    uint32_t GetNWritten() const
    {
        return m_nWritten;
    }

    /// @param os where it is written
    void Write(std::ostream& os) const;

  private:
    /// The flow of an operation.
    struct Flow
    {
        uint64_t id{0};      //!< its number; 0 for none
        bool isBegin{false}; //!< whether it begins here
        int64_t time{0};     //!< the time of its end or begin here, in ns
    };

    /// Operations that are shown on the same threads.
    struct Row
    {
        std::string name;                 //!< the name of the first thread
        std::vector<uint32_t> operations; //!< the numbers of the operations
    };

    /// Counters and instants, by rank.
    struct Value
    {
        int64_t time;          //!< when, in ns
        std::string name;      //!< its name
        TraceArguments values; //!< the values
    };

    /// @return its threads, from above
    std::vector<Row> GetRows(uint32_t rank) const;

    /// @return by rank and operation, the flow
    std::vector<std::vector<Flow>> FindFlows() const;

    void WriteRank(TraceEventWriter& writer, uint32_t rank, const std::vector<Flow>& flows) const;

    /// writer: where it is written; number: the number of the operation.
    void WriteSlice(TraceEventWriter& writer,
                    const TracePlace& place,
                    uint32_t rank,
                    uint32_t number) const;

    const WorkloadPlan& m_plan;              //!< the programs
    std::vector<OperationIntervals> m_times; //!< by rank
    uint32_t m_nWritten{0};                  //!< GetNWritten()
    TraceArguments m_notes;                  //!< of the whole timeline
    std::map<uint32_t, std::set<std::pair<int64_t, std::string>>> m_instants; //!< by rank
    std::set<std::pair<int64_t, std::string>> m_globalInstants;               //!< of no rank
    std::map<uint32_t, std::vector<Value>> m_counters;                        //!< by rank
};

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_TIMELINE_H
