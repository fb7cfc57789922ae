// SPDX-License-Identifier: GPL-2.0-only

#ifndef AIDC_WORKLOAD_TIMELINE_H
#define AIDC_WORKLOAD_TIMELINE_H

#include "json-value.h"
#include "workload-plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3::aidc
{

/// The times from its begin up to, but without, its end.
struct TimeInterval
{
    int64_t begin{0}; //!< the first time, in ns
    int64_t end{0};   //!< the end, in ns, not before the begin

    /// @return its length in ns
    int64_t GetLength() const
    {
        return end - begin;
    }
};

/// Get the times that are in at least one interval.
/// @param intervals intervals in any order, which may overlap
/// @return the same times as intervals that are apart, by time; none is empty
std::vector<TimeInterval> JoinIntervals(std::vector<TimeInterval> intervals);

/// Get the times that are in some intervals but not in others.
/// @param from what JoinIntervals() returned
/// @param others what JoinIntervals() returned
/// @return the times in @p from that are not in @p others, in the same form
std::vector<TimeInterval> SubtractIntervals(const std::vector<TimeInterval>& from,
                                            const std::vector<TimeInterval>& others);

/// Add up lengths. @return the sum of their lengths in ns
int64_t GetTotalLength(const std::vector<TimeInterval>& intervals);

/// When an operation of a rank was under way.
struct OperationInterval
{
    TimeInterval time;      //!< from its start to its end, or to the end of the simulation
    bool hasStarted{false}; //!< whether it has started; otherwise there is no time
    bool hasEnded{false};   //!< whether it has ended
    bool isLeapt{false};    //!< whether it was accounted for, and not executed
};

/// The intervals of a rank's operations, by their number.
using OperationIntervals = std::vector<OperationInterval>;

/// What a rank has done, and for how long; in ns.
struct RankTimeSums
{
    /// How long at least one unit has computed. Delays (RankProgram::NO_UNIT) do not compute.
    int64_t computation{0};

    /// How long at least one collective or message was under way. A message that is received is so
    /// from when the rank waits for it.
    int64_t communication{0};

    /// How long communication was under way while no unit computed: exposed communication. It has
    /// the waits for other ranks that are not as far.
    int64_t exposed{0};

    int64_t sends{0};                              //!< the sum over messages that are sent
    int64_t receives{0};                           //!< the sum over messages that are received
    std::map<CollectiveKind, int64_t> collectives; //!< the sum over collectives, by kind

    int64_t finish{0}; //!< when the last operation ended
};

/// Add up what a rank has done.
/// @param program the program of the rank
/// @param times when its operations were under way
/// @return the sums
/// @throws std::logic_error if there are more or fewer times than operations
RankTimeSums SumRankTimes(const RankProgram& program, const OperationIntervals& times);

/// Find the slowest rank: the one that computes longest, as the others wait for it; among equals,
/// the one that ends last; among equals again, the first one.
/// @param sums the sums by rank, at least one
/// @return the rank
uint32_t FindSlowestRank(const std::vector<RankTimeSums>& sums);

/// Write a time as events have it.
/// @param nanoseconds a time in ns, 0 or more
/// @return the time in us, with three decimals
std::string FormatMicros(int64_t nanoseconds);

/// Members of a JSON object: of an event, or values that a viewer shows when a user selects it.
class TraceArguments
{
  public:
    /// count: a whole number. @return this
    TraceArguments& AddCount(const std::string& name, uint64_t count)
    {
        return Add(name, std::to_string(count));
    }

    /// nanoseconds: a time in ns, written in us with three decimals. @return this
    TraceArguments& AddMicros(const std::string& name, int64_t nanoseconds)
    {
        return Add(name, FormatMicros(nanoseconds));
    }

    /// @return this
    TraceArguments& AddText(const std::string& name, const std::string& text)
    {
        return Add(name, FormatJsonString(text));
    }

    /// values: an object, which is left out if it is empty. @return this
    TraceArguments& AddValues(const std::string& name, const TraceArguments& values)
    {
        return values.IsEmpty() ? *this : Add(name, values.GetJson());
    }

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
    TraceArguments& Add(const std::string& name, const std::string& json)
    {
        m_members += (m_members.empty() ? "" : ",") + FormatJsonString(name) + ":" + json;
        return *this;
    }

    std::string m_members; //!< the members of the object
};

/// Where an event is shown.
struct TracePlace
{
    uint32_t process{0}; //!< the number of a process
    uint32_t thread{0};  //!< the number of a thread, unique in its process
};

/// Writes a timeline in Chrome's trace event format, which Perfetto and Chrome open.
///
/// It is the JSON Object Format of "Trace Event Format" (Duffy and others, Google), an event a
/// line: complete events (X), metadata (M), flows (s and f, bound to the enclosing slice), instants
/// (i) and counters (C). Times are given in ns and written in us with three decimals, so that no
/// digit is lost. What is written depends on the calls only.
///
/// Slices of a thread must nest or be apart, and each end of a flow must lie in a slice of its
/// thread: the caller sees to it (AssignTracks()).
class TraceEventWriter
{
  public:
    /// Begin a timeline. os: where it is written; notes: what is told of the whole timeline, as
    /// "otherData".
    explicit TraceEventWriter(std::ostream& os, const TraceArguments& notes = TraceArguments())
        : m_os(os)
    {
        m_os << R"({"displayTimeUnit":"ns",)"
             << (notes.IsEmpty() ? "" : R"("otherData":)" + notes.GetJson() + ",\n")
             << R"("traceEvents":[)";
    }

    /// Name a process. Viewers show processes by their numbers.
    void NameProcess(uint32_t process, const std::string& name)
    {
        Write(Begin('M', "process_name", process)
                  .AddCount("tid", 0)
                  .AddValues("args", TraceArguments().AddText("name", name)));
        Write(Begin('M', "process_sort_index", process)
                  .AddCount("tid", 0)
                  .AddValues("args", TraceArguments().AddCount("sort_index", process)));
    }

    /// Name a thread. Viewers show threads by their numbers.
    void NameThread(const TracePlace& place, const std::string& name)
    {
        Write(Begin('M', "thread_name", place.process)
                  .AddCount("tid", place.thread)
                  .AddValues("args", TraceArguments().AddText("name", name)));
        Write(Begin('M', "thread_sort_index", place.process)
                  .AddCount("tid", place.thread)
                  .AddValues("args", TraceArguments().AddCount("sort_index", place.thread)));
    }

    /// Add a slice. place: the thread; begin: when it begins, in ns; duration: how long it takes,
    /// in ns, 0 or more; arguments: values to show.
    void AddSlice(const TracePlace& place,
                  const std::string& name,
                  const std::string& category,
                  int64_t begin,
                  int64_t duration,
                  const TraceArguments& arguments = TraceArguments())
    {
        Write(Begin('X', name, place.process)
                  .AddCount("tid", place.thread)
                  .AddText("cat", category)
                  .AddMicros("ts", begin)
                  .AddMicros("dur", duration)
                  .AddValues("args", arguments));
    }

    /// Add an end of a flow, right after its slice.
    /// @param place the thread of the slice
    /// @param isBegin whether the flow begins there
    /// @param id the number of the flow
    /// @param name the name of the flow, the same at both ends, and its category
    /// @param time a time in the slice, in ns, at the end not before the beginning of the flow
    void AddFlow(const TracePlace& place,
                 bool isBegin,
                 uint64_t id,
                 const std::string& name,
                 int64_t time)
    {
        auto event = Begin(isBegin ? 's' : 'f', name, place.process).AddCount("tid", place.thread);
        if (!isBegin)
        {
            event.AddText("bp", "e");
        }
        Write(event.AddText("cat", name).AddCount("id", id).AddMicros("ts", time));
    }

    /// Add an instant of a process, or of all. name: what has happened; time: when, in ns.
    void AddInstant(std::optional<uint32_t> process, const std::string& name, int64_t time)
    {
        // One of all is at a process that there is, which is not shown
        Write(Begin('i', name, process.value_or(1))
                  .AddCount("tid", 0)
                  .AddText("s", process ? "p" : "g")
                  .AddMicros("ts", time));
    }

    /// Add values of a counter of a process, which hold until its next ones. time: from when on
    /// they hold, in ns; values: the values, 0 or more.
    void AddCounter(uint32_t process,
                    const std::string& name,
                    int64_t time,
                    const TraceArguments& values)
    {
        Write(Begin('C', name, process).AddMicros("ts", time).AddValues("args", values));
    }

    /// Write the end, once, when all is added.
    void End()
    {
        m_os << "\n]}\n";
    }

  private:
    static TraceArguments Begin(char phase, const std::string& name, uint32_t process)
    {
        return TraceArguments()
            .AddText("ph", std::string(1, phase))
            .AddText("name", name)
            .AddCount("pid", process);
    }

    void Write(const TraceArguments& event)
    {
        m_os << (m_isFirst ? "\n" : ",\n") << event.GetJson();
        m_isFirst = false;
    }

    std::ostream& m_os;   //!< where it is written
    bool m_isFirst{true}; //!< whether there is no event yet
};

/// Give intervals tracks, as few as possible, so that the intervals of a track do not overlap.
///
/// An empty interval takes 1 ns of its track, so that no time belongs to two intervals. Intervals
/// get the first free track in the order in which they begin; if they begin at the same time, in
/// the order of the list.
/// @param intervals the intervals, in any order
/// @return the track of each one, counted from 0
std::vector<uint32_t> AssignTracks(const std::vector<TimeInterval>& intervals);

/// What ranks have done over time, written in Chrome's trace event format.
///
/// Rank r is process r + 1. Its threads are its units that compute, its delays, its collectives,
/// the messages that it sends and the messages that it receives; a second thread of a kind has what
/// overlaps, and so on. Steps of collectives are not shown. A flow goes from the beginning of a
/// message that is sent to 1 ns before the end of the slice that receives it, so that it ends in
/// that slice; where the message was there before the rank waited for it, this slice takes no time.
/// Other operations that take no time are left out: they only order others.
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
    void AddNote(const std::string& name, const std::string& text)
    {
        m_notes.AddText(name, text);
    }

    /// Add an instant of a rank, or of none, such as the failure of a link. time: when, in ns;
    /// name: what has happened.
    void AddInstant(std::optional<uint32_t> rank, int64_t time, const std::string& name)
    {
        m_instants[rank].emplace(time, name);
    }

    /// Add values of a counter of a rank, which hold until its next ones. They are written in the
    /// order in which they are added. time: from when on they hold, in ns.
    void AddCounter(uint32_t rank,
                    const std::string& name,
                    int64_t time,
                    const TraceArguments& values)
    {
        m_counters[rank].push_back({time, name, values});
    }

    /// @return the sums of the ranks, by rank, also of ranks that are left out
    std::vector<RankTimeSums> GetSums() const;

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
        std::vector<uint32_t> operations; //!< the numbers of the operations, by their begins
    };

    /// Values of a counter.
    struct Value
    {
        int64_t time;          //!< when, in ns
        std::string name;      //!< its name
        TraceArguments values; //!< the values
    };

    /// @return its threads, by their places from above and their units
    std::map<std::pair<std::size_t, uint32_t>, Row> GetRows(uint32_t rank) const;

    /// @return by rank and operation, the flow
    std::vector<std::vector<Flow>> FindFlows() const;

    void WriteRank(TraceEventWriter& writer, uint32_t rank, const std::vector<Flow>& flows) const;

    void WriteInstants(TraceEventWriter& writer, std::optional<uint32_t> rank) const;

    /// writer: where it is written; number: the number of the operation.
    void WriteSlice(TraceEventWriter& writer,
                    const TracePlace& place,
                    uint32_t rank,
                    uint32_t number) const;

    const WorkloadPlan& m_plan;                        //!< the programs
    std::vector<OperationIntervals> m_times;           //!< by rank
    uint32_t m_nWritten{0};                            //!< the ranks that are not left out
    TraceArguments m_notes;                            //!< of the whole timeline
    std::map<uint32_t, std::vector<Value>> m_counters; //!< by rank
    /// By rank, or of none.
    std::map<std::optional<uint32_t>, std::set<std::pair<int64_t, std::string>>> m_instants;
};

} // namespace ns3::aidc

#endif // AIDC_WORKLOAD_TIMELINE_H
