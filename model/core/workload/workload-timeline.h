/*
 * Copyright (c) 2026 The aidc authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIDC_WORKLOAD_TIMELINE_H
#define AIDC_WORKLOAD_TIMELINE_H

#include "rank-time-sums.h"
#include "time-intervals.h"
#include "trace-event-writer.h"
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
